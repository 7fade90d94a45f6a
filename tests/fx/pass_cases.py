"""What passes do, as text: as ``cases.py``."""

import operator
from importlib import import_module

from tests.fx.cases import Pair, error, module_of

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def module(torch, name):
    return import_module(f"{torch.__name__}.fx.{name}")


def matches(found):
    return [
        (
            {pn.name: getattr(gn, "name", gn) for pn, gn in m.nodes_map.items()},
            [n.name for n in m.anchors],
            [str(n) for n in m.placeholder_nodes],
            m.returning_nodes,
        )
        for m in found
    ]


@case
def replaced_patterns(torch):
    fx = torch.fx

    def f(x, w1, w2):
        m1 = torch.cat([w1, w2]).sum()
        m2 = torch.cat([w1, w2]).sum()
        return x + torch.max(m1) + torch.max(m2)

    gm = fx.symbolic_trace(f)
    found = fx.replace_pattern(gm, lambda a, b: torch.cat([a, b]), lambda a, b: torch.stack([a, b]))
    yield gm.code, [(m.anchor.name, {k.name: v.name for k, v in m.nodes_map.items()}) for m in found]
    gm = fx.symbolic_trace(lambda x: x.relu().relu().relu().neg() + 1)
    fx.replace_pattern(gm, lambda x: x.relu().relu(), lambda x: x.sigmoid())
    yield gm.code
    gm = fx.symbolic_trace(lambda x, y: (x.neg() + y.relu(), x.relu()))
    fx.replace_pattern(gm, lambda x, y: x.neg() + y.relu(), lambda x, y: x.relu())
    yield gm.code
    gm = fx.symbolic_trace(lambda x, y: (x + y) * (x + y).relu())
    fx.replace_pattern(gm, lambda a, b: a + b, lambda a, b: (a - b).abs())
    yield gm.code
    gm = fx.symbolic_trace(lambda x: x.split(2)[0] + 1)
    fx.replace_pattern(gm, lambda x: (x.split(2)[0], x), lambda x: (x.chunk(2)[0], x))
    yield gm.code


@case
def replaced_modules(torch):
    fx = torch.fx

    class Pattern(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = torch.nn.Linear(2, 2)

        def forward(self, x):
            return self.a(x)

    class Replacement(Pattern):
        def __init__(self):
            super().__init__()
            self.c = torch.nn.Tanh()

        def forward(self, x):
            return self.c(self.a(x))

    gm = fx.symbolic_trace(module_of(torch))
    fx.replace_pattern(gm, fx.symbolic_trace(Pattern()), fx.symbolic_trace(Replacement()))
    yield gm.code, [name for name, _ in gm.named_modules()]


@case
def filtered_patterns(torch):
    rewriter = module(torch, "subgraph_rewriter")
    fx = torch.fx
    gm = fx.symbolic_trace(lambda x: (x + 1).relu() + (x + 2).relu())
    found = rewriter.replace_pattern_with_filters(
        gm,
        lambda x: (x + 5).relu(),
        lambda x: x.neg(),
        [lambda match, graph, pattern: len(match.nodes_map) == 3],
        ignore_literals=True,
    )
    yield gm.code, [(r.anchor, r.replacements) for r in found]
    gm = fx.symbolic_trace(lambda x: x.relu() + x.neg().relu())

    def made(match, graph, pattern):
        return fx.symbolic_trace(lambda x: x * len(match.placeholder_nodes[0].name)).graph

    rewriter.replace_pattern_with_filters(gm, lambda x: x.relu(), replacement_callback=made)
    yield gm.code, error(lambda: rewriter.replace_pattern_with_filters(gm, lambda x: x * 1))


@case
def matched_subgraphs(torch):
    matcher = module(torch, "passes.utils.matcher_utils").SubgraphMatcher
    trace = torch.fx.symbolic_trace
    graph = trace(lambda x, y: ((x.relu() + 1) * y, (y.relu() + 1).neg(), (x.relu() + 2).relu() + 1)).graph

    def found(pattern, **options):
        return matches(matcher(trace(pattern).graph, **options).match(graph))

    yield (
        found(lambda a: a.relu()),
        found(lambda a: a.relu() + 1),
        found(lambda a: a.relu() + 3),
        found(lambda a: a.relu() + 3, ignore_literals=True),
    )
    yield (
        found(lambda a, b: (a.relu() + 1) * b),
        found(lambda a, n: a + n),
        found(lambda a: (a.relu(), a + 1)),
    )
    yield (
        found(lambda a: a.relu() + 1, remove_overlapping_matches=False),
        found(lambda a, b: a * b, match_placeholder=True),
    )
    yield (
        error(lambda: matcher(torch.fx.Graph())),
        error(lambda: matcher(trace(lambda x: (x + 1, x * 2)[0]).graph)),
    )
    shared = trace(lambda x: (x.relu().neg(), x.relu())).graph
    yield matches(matcher(trace(lambda a: a.relu().neg()).graph).match(shared))
    leaking = trace(lambda x: (lambda r: (r.neg(), r))(x.relu())).graph
    yield matches(matcher(trace(lambda a: a.relu().neg()).graph).match(leaking))


@case
def compared_graphs(torch):
    compare = module(torch, "passes.utils").compare_graphs
    trace = torch.fx.symbolic_trace
    yield (
        compare(trace(lambda x: x + 1).graph, trace(lambda y: y + 1).graph),
        compare(trace(lambda x: x + 1).graph, trace(lambda y: y + 2).graph),
    )
    yield compare(trace(lambda x, y: x - y).graph, trace(lambda x, y: y - x).graph)


@case
def shapes(torch):
    prop = module(torch, "passes.shape_prop")
    net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU(), torch.nn.Flatten())
    gm = torch.fx.symbolic_trace(net)
    result = prop.ShapeProp(gm).propagate(torch.ones(2, 3, 5, 5))
    yield (
        result.shape,
        [n.meta["tensor_meta"] for n in gm.graph.nodes],
        [n.meta["type"].__name__ for n in gm.graph.nodes],
    )
    gm = torch.fx.symbolic_trace(lambda x: (x.chunk(2), x.shape[0], {"a": x.t()}))
    prop.ShapeProp(gm).propagate(torch.ones(4, 2))
    yield [n.meta.get("tensor_meta") for n in gm.graph.nodes], gm.print_readable(print_output=False)
    gm = torch.fx.symbolic_trace(lambda x: x @ x)
    yield error(lambda: prop.ShapeProp(gm).propagate(torch.ones(2, 3)))
    yield prop._extract_tensor_metadata(torch.ones(2, 3, 4, 4).contiguous(memory_format=torch.channels_last))


@case
def split_modules(torch):
    split = module(torch, "passes.split_module").split_module
    fx = torch.fx

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.param = torch.nn.Parameter(torch.ones(3, 4))
            self.linear = torch.nn.Linear(4, 5)

        def forward(self, x, y=None):
            z = self.linear(x + self.param).clamp(min=0.0, max=1.0)
            w = self.linear(y).clamp(min=0.0, max=1.0)
            return z + w, self.param

    gm = fx.symbolic_trace(Net())

    def by_turns(count):
        number = iter(range(1000))
        return lambda node: next(number) % count

    def text(made):
        return made.code, [
            (name, child.code) for name, child in made.named_children() if isinstance(child, fx.GraphModule)
        ]

    def in_order(node):
        names = [n.name for n in gm.graph.nodes]
        return names.index(node.name) // 4

    yield text(split(gm, None, in_order)), text(split(gm, None, in_order, keep_original_order=True))
    names = {}
    yield (
        text(split(gm, None, in_order, names, keep_original_node_name=True, keep_original_input_name=False)),
        names,
    )
    yield (
        text(split(gm, None, in_order, partition_affix="pp", tuple_return=True)),
        split(gm, None, in_order).meta,
    )
    yield error(lambda: split(gm, None, by_turns(2)))
    x, y = torch.ones(3, 4), torch.ones(3, 4)
    yield bool((split(gm, None, in_order)(x, y)[0] == gm(x, y)[0]).all())


@case
def fused_partitions(torch):
    fx = torch.fx
    partitioner = module(torch, "passes.infra.partitioner").CapabilityBasedPartitioner
    support = module(torch, "passes.operator_support")

    def f(a, b):
        x = a + b
        y = x.relu()
        z = y * 2 + x
        u, v = z.split(1)
        w = (u - v) * a
        return w.relu() + b, z

    for names in (["add", "mul", "sub", "getitem"], ["add"], ["mul", "sub"]):
        for options in (
            {},
            {"allows_single_node_partition": True},
            {"skip_horizontal_fusion": True},
            {"non_compute_ops": ["_operator.add"]},
        ):
            gm = fx.symbolic_trace(f)
            supports = support.create_op_support(
                lambda submodules, node, names=names: getattr(node.target, "__name__", None) in names
            )
            found = partitioner(gm, supports, **options).propose_partitions()
            yield [sorted(n.name for n in part.nodes) for part in found]
            made = partitioner(gm, supports, **options).fuse_partitions(found)
            yield len([*made.named_children()]), made.graph.lint()


@case
def fused_nodes(torch):
    fuser = module(torch, "passes.utils.fuser_utils")
    gm = torch.fx.symbolic_trace(lambda x, y: (x + y) * 2 - x)
    _x, _y, add, mul, sub, _ = gm.graph.nodes
    yield (
        fuser.topo_sort([sub, mul, add]),
        fuser.validate_partition([add, sub]),
        fuser.validate_partition([add, mul]),
    )
    part, inputs, outputs = fuser.fuse_as_graphmodule(gm, [add, mul], "Part", always_return_tuple=True)
    yield part.code, inputs, outputs, type(part).__name__
    fuser.insert_subgm(gm, part, inputs, outputs)
    fuser.erase_nodes(gm, [add, mul])
    gm.recompile()
    yield gm.code, error(lambda: fuser.fuse_as_graphmodule(gm, [add], "Part"))


@case
def supported_operators(torch):
    support = module(torch, "passes.operator_support")
    gm = torch.fx.symbolic_trace(module_of(torch))
    module(torch, "passes.shape_prop").ShapeProp(gm).propagate(torch.ones(2, 2))
    inside = dict(gm.named_modules())
    rules = [
        support.OperatorSupport({"_operator.add": None}),
        support.OperatorSupport({"_operator.add": (([torch.float32], [torch.float64]), {})}),
        support.OperatorSupport({"torch.nn.modules.linear.Linear": (([torch.float32],), {})}),
        support.OpSupports.decline_if_input_dtype(torch.float32),
        support.OpSupports.decline_if_node_in_names({"add"}),
    ]
    rules += [support.chain(*rules[2:]), support.any_chain(rules[0], rules[2])]
    for rule in rules:
        yield [rule.is_node_supported(inside, node) for node in gm.graph.nodes]


@case
def managed_passes(torch):
    manager = module(torch, "passes.infra.pass_manager")
    base = module(torch, "passes.infra.pass_base")
    ran = []

    def make(name, modified=False):
        def run(gm):
            ran.append(name)
            return base.PassResult(gm, modified)

        run.__name__ = name
        return run

    a, b, c = make("a"), make("b"), make("c", True)
    before = manager.this_before_that_pass_constraint
    gm = torch.fx.symbolic_trace(lambda x: x)
    made = manager.PassManager([a, b, c], [before(c, a), before(b, a)], steps=2)
    yield (
        made(gm).modified,
        ran,
        error(lambda: manager.PassManager([a, b], [before(b, a)]).validate_constraints()).split("Expected")[
            0
        ],
    )
    yield error(lambda: manager.PassManager([a, b], [before(a, b), before(b, a)])(gm)).split(":")[:2]
    made = manager.PassManager([a, lambda gm: None])
    yield error(lambda: made(gm)), error(lambda: made.add_checks(lambda a, b: None))
    made = manager.PassManager(
        [manager.pass_result_wrapper(lambda gm: None)], run_checks_after_each_pass=True
    )
    made.add_checks(lambda gm: ran.append("checked"))
    yield made(gm).modified, ran


@case
def sorted_graphs(torch):
    tools = module(torch, "passes.tools_common")
    gm = torch.fx.symbolic_trace(lambda x, y: ((x + 1) * y).relu())
    nodes = [*gm.graph.nodes]
    nodes[2].prepend(nodes[3])
    yield tools.stable_topological_sort(gm).graph, tools.legalize_graph(gm).graph
    named = torch.fx.symbolic_trace(module_of(torch))
    yield [
        tools.get_node_target(dict(named.named_modules()), n)
        for n in named.graph.nodes
        if n.op in tools.CALLABLE_NODE_OPS
    ]


@case
def small_passes(torch):
    fetch, manipulation, annotate = (
        module(torch, f"passes.{name}")
        for name in ("param_fetch", "graph_manipulation", "annotate_getitem_nodes")
    )
    yield (
        fetch.extract_attrs_for_lowering(torch.nn.MaxPool2d(2)),
        error(lambda: fetch.extract_attrs_for_lowering(torch.nn.Tanh())).split(" yet")[0],
    )
    gm = torch.fx.symbolic_trace(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU()))
    fetch.lift_lowering_attrs_to_nodes(gm)
    yield [*gm.graph.nodes][2].attrs_for_lowering
    manipulation.get_size_of_all_nodes(gm, [torch.ones(4, 3)])
    yield [n.size_bytes for n in gm.graph.nodes if n.op != "output"]
    manipulation.replace_target_nodes_with(gm, "call_module", "1", "call_method", "relu")
    yield gm.code

    def f(x: tuple[int, float], y: list[int], z: Pair, w: tuple[int, ...]):
        return x[1], y[0], w[5]

    graph = torch.fx.symbolic_trace(f).graph
    annotate.annotate_getitem_nodes(graph)
    yield [n.type for n in graph.find_nodes(op="call_function", target=operator.getitem)]


@case
def sources(torch):
    utils = module(torch, "passes.utils.source_matcher_utils")
    graph = torch.fx.symbolic_trace(lambda x: (x + 1) * 2 - 3).graph
    _x, add, mul, sub, _ = graph.nodes
    add.meta["source_fn_stack"] = mul.meta["source_fn_stack"] = [("linear_1", torch.nn.Linear)]
    sub.meta["source_fn_stack"] = [("other", torch.nn.ReLU)]
    found = utils.get_source_partitions(graph, [torch.nn.Linear, torch.nn.ReLU])
    for parts in found.values():
        yield [(p.nodes, p.input_nodes, p.output_nodes, p.params) for p in parts]
    first, second = found[torch.nn.Linear][0], found[torch.nn.ReLU][0]
    yield utils.check_subgraphs_connected(first, second), utils.check_subgraphs_connected(second, first)


@case
def drawings(torch):
    drawer = module(torch, "passes.graph_drawer").FxGraphDrawer
    gm = torch.fx.symbolic_trace(module_of(torch))
    try:
        import pydot  # noqa: F401
    except ImportError:
        yield error(lambda: drawer(gm, "net"))
    else:
        yield drawer(gm, "net", ignore_parameters_and_buffers=True).get_dot_graph().to_string()
