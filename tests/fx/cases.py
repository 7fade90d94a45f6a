"""What the parts of ``fx`` do, as text: each function takes PyTorch or minigrad and returns what is to be the same in both."""

import contextlib
import copy
import io
import operator
import pickle
from collections import namedtuple
from dataclasses import dataclass

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def error(call):
    """What a call raises: the name of the class, and the first line of the message."""
    try:
        return f"no error: {call()!r}"
    except Exception as found:
        return f"{type(found).__name__}: {str(found).splitlines()[0] if str(found) else ''}"


def printed(call):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        call()
    return out.getvalue()


def module_of(torch):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = torch.nn.Linear(2, 2)
            self.b = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(2, 2))
            self.p = torch.nn.Parameter(torch.ones(2))

        def forward(self, x, y=None):
            return self.b(self.a(x) + self.p) * 2

    return Net()


Pair = namedtuple("Pair", "left right")


@dataclass
class Data:
    value: object


# Graphs and nodes ----------------------------------------------------------------------------------------------------------


@case
def arguments(torch):
    fx = torch.fx
    graph = fx.Graph()
    x = graph.placeholder("x")
    node = graph.call_function(
        operator.add, ([x, x], {"a": x}, slice(x, None), range(3)), {"k": (x, Pair(x, 1))}
    )
    yield (
        type(node.args[0]).__name__,
        type(node.args[1]).__name__,
        type(node.args).__name__,
        type(node.kwargs).__name__,
    )
    yield node.args, node.kwargs, node.format_node(), x.users, node.all_input_nodes, node.users
    yield (
        error(lambda: node.args[0].append(1)),
        error(lambda: node.kwargs.update(a=1)),
        error(lambda: node.args[1].pop("a")),
    )
    yield hash(node.args[0]) == hash((x, x)), pickle.loads(pickle.dumps(node.args[3]))
    yield (
        fx.map_arg({"a": [x, (x, 2)]}, lambda n: n.name),
        fx.node.map_aggregate((1, [2, {"a": 3}]), lambda v: v + 1),
    )
    yield fx.map_arg(Pair(x, 1), lambda n: 5), error(lambda: fx.map_arg(3, 4))


@case
def names(torch):
    graph = torch.fx.Graph()
    made = [
        graph.create_node("placeholder", name, name=name)
        for name in (
            "x",
            "x",
            "x_1",
            "x_7",
            "x_7",
            "input",
            "for",
            "torch",
            "1a",
            "a-b.c",
            "",
            "inf",
            "CamelCase",
            "_",
            "x_01",
        )
    ]
    made += [
        graph.call_method(name, (made[0],)) for name in ("sum", "__add__", "MaxPool", "relu", "relu_", "x_2")
    ]
    made += [
        graph.call_function(function, (made[0],))
        for function in (operator.add, getattr, len, operator.and_, max)
    ]
    yield [node.name for node in made]
    made[0]._rename("x_7")
    yield made[0].name, graph


@case
def construction(torch):
    fx = torch.fx
    graph = fx.Graph()
    x = graph.placeholder("x", default_value=2, type_expr=int)
    y = graph.get_attr("a.b.weight")
    z = graph.call_module("layers.0", (x,), {"k": y})
    w = graph.call_method("view", (z, -1))
    v = graph.call_function(operator.getitem, (w, 0), type_expr=float)
    out = graph.output((v, [w]), type_expr=list)
    yield (
        graph,
        graph.python_code("self").src,
        [n.op for n in graph.nodes],
        [n.op for n in reversed(graph.nodes)],
        len(graph.nodes),
    )
    yield x.next, x.prev.op, out.prev, graph.output_node(), graph.find_nodes(op="call_method", target="view")
    yield graph.find_nodes(op="call_function", target=operator.getitem), graph.find_nodes(op="placeholder")
    yield x < y, z > w, sorted([v, x, out, y]), [n.format_node() for n in graph.nodes]
    yield error(lambda: graph.find_nodes(op="call_function")), error(lambda: fx.Graph().output_node()) != ""


@case
def insertion(torch):
    fx = torch.fx
    graph = fx.symbolic_trace(lambda x: (x + 1) * 2).graph
    x, add, mul, out = graph.nodes
    with graph.inserting_before(mul):
        a = graph.call_method("relu", (add,))
        b = graph.call_method("neg", (a,))
    with graph.inserting_after(x):
        c = graph.call_method("abs", (x,))
    with graph.inserting_before():
        graph.placeholder("first")
    with graph.inserting_after():
        graph.call_method("last", (b,))
    mul.update_arg(0, b)
    yield graph, sorted([b, a, c, out, mul, x]), c < add, [*graph.nodes]
    add.replace_input_with(x, c)
    mul.insert_arg(1, a)
    mul.update_kwarg("key", c)
    yield graph, a.users, c.users
    yield b.replace_all_uses_with(c, delete_user_cb=lambda user: user is mul), graph
    yield (
        error(lambda: graph.erase_node(c)),
        error(lambda: graph.inserting_before(fx.Graph().placeholder("y"))),
    )
    yield (
        error(lambda: fx.Graph().erase_node(b)),
        error(lambda: graph.inserting_after(fx.Graph().placeholder("y"))),
    )
    yield error(lambda: mul.insert_arg(9, a)), error(lambda: x.prepend(fx.Graph().placeholder("y")))
    mul.prepend(x)
    out.append(add)
    yield [*graph.nodes], error(graph.lint)


@case
def wrong_nodes(torch):
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    yield (
        error(lambda: graph.create_node("foo", "a")),
        error(lambda: graph.create_node("call_method", "a", args=[x])),
    )
    yield (
        error(lambda: graph.create_node("call_method", "a", kwargs=[1])),
        error(lambda: graph.call_function("a")),
    )
    other = torch.fx.Graph().placeholder("z")
    graph.call_method("abs", (other,))
    yield error(graph.lint)


@case
def lint(torch):
    def traced():
        return torch.fx.symbolic_trace(module_of(torch))

    gm = traced()
    gm.graph.lint()
    gm.graph.find_nodes(op="call_module")[0].target = "missing"
    yield error(gm.graph.lint)
    gm = traced()
    gm.graph.find_nodes(op="get_attr")[0].target = "a.nothing"
    yield error(gm.graph.lint)
    gm = traced()
    gm.graph.find_nodes(op="call_module")[0].target = "p"
    yield error(gm.graph.lint)
    gm = traced()
    nodes = [*gm.graph.nodes]
    nodes[3].args = (nodes[-2],)
    yield error(gm.graph.lint)


@case
def dead_code(torch):
    fx = torch.fx
    gm = fx.symbolic_trace(lambda x: (x + 1, x.relu().neg(), x.sum())[2])
    yield gm.graph.eliminate_dead_code(), gm.graph, gm.graph.eliminate_dead_code()
    gm = fx.symbolic_trace(lambda x: (x + 1, x * 2)[0])
    yield gm.graph.eliminate_dead_code(lambda node: node.op == "placeholder" or node.name == "mul"), gm.graph
    graph = fx.Graph()
    x = graph.placeholder("x")
    graph.call_function(operator.setitem, (x, 0, 1))
    graph.output(x)
    yield graph.eliminate_dead_code(), graph, graph.python_code("self").src
    yield [node.is_impure() for node in graph.nodes]


@case
def copies_of_graphs(torch):
    fx = torch.fx
    source = fx.symbolic_trace(module_of(torch)).graph
    graph = fx.Graph()
    values = {}
    result = graph.graph_copy(source, values)
    yield graph, result, [*values], graph.graph_copy(source, {}), graph
    clone = copy.deepcopy(source)
    yield (
        clone,
        next(iter(clone.nodes)) is next(iter(source.nodes)),
        clone.python_code("self").src == source.python_code("self").src,
    )
    node = graph.node_copy([*source.nodes][-2], lambda n: values[n])
    yield node.format_node(), node.meta.keys()


@case
def transformed_code(torch):
    gm = torch.fx.symbolic_trace(lambda x: x + 1)
    with gm.graph.on_generate_code(
        lambda before: lambda body: ["y = 1\n", *(before(body) if before else body)]
    ):
        gm.recompile()
        yield gm.code
    gm.recompile()
    yield gm.code, gm(1)


@case
def written_operators(torch):
    graph = torch.fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    made = [
        graph.call_function(getattr(operator, name), (x, y))
        for name in "add sub mul floordiv truediv mod pow lshift rshift and_ or_ xor getitem matmul eq ne lt gt le ge".split()
    ]
    made += [graph.call_function(getattr(operator, name), (x,)) for name in "pos neg invert abs".split()]
    made += [
        graph.call_function(getattr(operator, name), (x, y)) for name in "iadd isub imatmul ior ipow".split()
    ]
    made += [
        graph.call_function(operator.setitem, (x, 0, y)),
        graph.call_function(getattr, (x, "shape")),
        graph.call_function(getattr, (x, "shape", None)),
        graph.call_function(getattr, (x, "not a name")),
        graph.call_function(Pair, (x, y)),
        graph.call_function(len, ((1, 2),)),
        graph.call_method(
            "view", (x, (1,), [y, 2.5], None, "text", slice(None, x), ...), {"dtype": torch.float32}
        ),
        graph.get_attr("layers.0.weight"),
        graph.call_module("layers.1", (x,), {"a": float("inf"), "b": float("nan"), "c": torch.device("cpu")}),
    ]
    graph.output(made)
    yield graph.python_code("self").src, graph


@case
def colors(torch):
    graph = torch.fx.symbolic_trace(lambda x: (x + 1.5).sum(dim=0)).graph
    for number, node in enumerate(graph.nodes):
        node.meta["val"] = torch.ones(2, number + 1)
        node.meta["stage"] = number
    yield graph.python_code("self", verbose=True, colored=True, include_stride=True, include_device=True).src
    yield graph.python_code("self", verbose=True, expanded_def=True, additional_meta=["stage"]).src
    yield [node.format_node(include_tensor_metadata=True) for node in graph.nodes]


@case
def normalized(torch):
    gm = torch.fx.symbolic_trace(module_of(torch))
    for node in gm.graph.find_nodes(op="call_module"):
        yield (
            tuple(node.normalized_arguments(gm)),
            tuple(node.normalized_arguments(gm, normalize_to_only_use_kwargs=True)),
        )


# Tracing -------------------------------------------------------------------------------------------------------------------


@case
def control_flow(torch):
    def raised(f):
        return error(lambda: torch.fx.symbolic_trace(f))

    yield (
        raised(lambda x: bool(x)),
        raised(lambda x: x if x.sum() > 0 else 2),
        raised(lambda x: not x),
        raised(lambda x: x and 2),
    )
    yield (
        raised(lambda x: [i + 1 for i in x]),
        raised(lambda x: len(x)),
        raised(lambda x: {**x}),
        raised(lambda x: print(*x)),
    )
    yield (
        raised(lambda x: int(x)),
        raised(lambda x: float(x)),
        raised(lambda x: range(x)),
        raised(lambda x: [1][x]),
    )
    yield (
        raised(lambda x: object()),
        raised(lambda x: x in [1, 2]),
        raised(lambda x: divmod(x, 2)),
        raised(lambda x: x + object()),
    )
    yield raised(lambda x: torch.nn.Linear(2, 2)(x)), raised(lambda x: x + torch.nn.Parameter(torch.ones(2)))
    yield (
        raised(lambda x: x + {x: 1}),
        raised(3),
        error(lambda: torch.fx.symbolic_trace(torch.nn.Module())),
        raised(len),
    )


@case
def proxies(torch):
    def text(f):
        return torch.fx.symbolic_trace(f).code

    yield (
        text(lambda x: x(1)),
        text(lambda x: x.keys()),
        text(lambda x: str(x)),
        text(lambda x: x.a.b(2, c=x.d)),
    )
    yield text(lambda x: (x.shape, x.shape, x.size())), text(lambda *x: x), text(lambda **k: k)
    yield (
        text(lambda a, *b, c=3, **k: a + c),
        text(lambda a=2: a),
        text(lambda x: Pair(x, x + 1)),
        text(lambda x: [x, {"a": x}]),
    )
    yield (
        text(lambda x: Data(x + 1)),
        text(lambda x: (1, None, "a", 2.5, True, torch.float32, torch.device("cpu"), ...)),
    )
    yield (
        text(lambda x: abs(x)),
        text(lambda x: x[1:2, ..., None]),
        text(lambda x: 2 - x),
        text(lambda x: 2 @ x),
    )


@case
def concrete_arguments(torch):
    fx = torch.fx

    def f(x, flag, n=2):
        return x * n if flag else x

    gm = fx.symbolic_trace(f, concrete_args={"flag": True})
    yield gm.code, gm(3, True), error(lambda: gm(3, False))
    yield (
        fx.symbolic_trace(f, concrete_args={"flag": None}).code,
        error(lambda: fx.symbolic_trace(f, concrete_args=(fx.PH,))),
    )

    def g(inputs, scale):
        return [inputs["a"] * scale, {"b": inputs["b"][0] + inputs["b"][1]}]

    gm = fx.symbolic_trace(g, concrete_args={"inputs": {"a": fx.PH, "b": (fx.PH, fx.PH)}})
    yield gm.code, gm({"a": 1, "b": (2, 3)}, 4), gm.graph, gm.graph.process_inputs({"a": 1, "b": (2, 3)}, 4)
    yield fx.Interpreter(gm).run({"a": 1, "b": (2, 3)}, 4), copy.deepcopy(gm)({"a": 1, "b": (2, 3)}, 4)
    yield pickle.loads(pickle.dumps(gm)).code, fx.Transformer(gm).transform().code
    yield error(lambda: fx.symbolic_trace(lambda *args: args[0] + args[1], concrete_args=(fx.PH, fx.PH)))

    class Marked(type(fx.PH)):
        def __init__(self):
            self.kind = "weight"

    node = next(iter(fx.symbolic_trace(lambda x: x + 1, concrete_args={"x": Marked()}).graph.nodes))
    yield node.kind, repr(fx.PH)


@case
def tracers(torch):
    fx = torch.fx

    class Custom(fx.Tracer):
        def is_leaf_module(self, m, module_qualified_name):
            return module_qualified_name == "b"

        def to_bool(self, obj):
            return True

        def iter(self, obj):
            return iter([obj[0]])

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = torch.nn.Identity()
            self.b = torch.nn.Sequential(torch.nn.ReLU())
            self.register_buffer("c", torch.ones(1))

        def forward(self, x):
            for y in x:
                x = self.b(y) if x else x
            return self.a(x)

        def other(self, x):
            return x * 3 * self.c

    net = Net()
    tracer = Custom()
    yield (
        tracer.trace(net),
        tracer.root is net,
        tracer.path_of_module(net.b),
        error(lambda: tracer.path_of_module(torch.nn.Module())),
    )
    yield {name: (path, kind.__name__) for name, (path, kind) in tracer.node_name_to_scope.items() if path}

    class Other(fx.Tracer):
        traced_func_name = "other"
        proxy_buffer_attributes = True

    yield (
        Other().trace(net),
        fx.symbolic_trace(Net.other.__get__(net).__func__, concrete_args={"self": net}).code,
    )

    class Missing(fx.Tracer):
        traced_func_name = "missing"

    yield error(lambda: Missing().trace(net))


@case
def shapes_of_parameters(torch):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.ones(2, 3))

        def forward(self, x):
            if self.w.dim() == 2 and self.w.shape[0] == 2 and self.w.size()[1] == 3 and self.w.numel() == 6:
                return x * self.w
            return x

    graph = torch.fx.Tracer(param_shapes_constant=True).trace(Net())
    yield graph, error(lambda: torch.fx.Tracer().trace(Net()))


@case
def annotations(torch):
    annotate = torch.fx.annotate.annotate
    yield torch.fx.symbolic_trace(lambda x: annotate(x + 1, torch.Tensor)).code
    yield error(lambda: torch.fx.symbolic_trace(lambda x: annotate(annotate(x + 1, int), int)))


@case
def provenance(torch):
    fx = torch.fx
    gm = fx.symbolic_trace(lambda x: (x + 1).relu())
    gm.graph.find_nodes(op="call_method")[0].meta["custom"] = {"stage": 1}
    made = fx.Transformer(gm).transform()
    relu = made.graph.find_nodes(op="call_method")[0]
    yield relu.meta["custom"], relu.meta["from_node"][0].name, relu.meta["from_node"][0].pass_name
    yield made.print_readable(print_output=False)


# Modules -------------------------------------------------------------------------------------------------------------------


@case
def graph_modules(torch):
    fx = torch.fx
    net = module_of(torch)
    gm = fx.symbolic_trace(net)
    yield (
        type(gm).__name__,
        type(gm).__mro__[1].__name__,
        [*gm.state_dict()],
        gm,
        [name for name, _ in gm.named_modules()],
    )
    yield gm.a is net.a, gm.training, gm.graph.owning_module is gm, gm._lineno_map, gm._prologue_start
    yield (
        error(lambda: fx.GraphModule(3, gm.graph)),
        error(lambda: fx.GraphModule({}, gm.graph)),
        error(lambda: setattr(gm, "graph", 3)),
    )
    held = fx.GraphModule(
        {"a": net.a, "b.0": net.b[0], "b.1": net.b[1], "p": net.p}, copy.deepcopy(gm.graph), "Held"
    )
    yield held, held.code == gm.code
    gm.eval()
    yield fx.symbolic_trace(gm).code, fx.symbolic_trace(gm).training, type(fx.symbolic_trace(gm)).__name__
    clone = copy.deepcopy(gm)
    yield (
        clone.code,
        clone.a is gm.a,
        [*clone.graph.nodes][1].name,
        type(clone).__name__,
        copy.copy(gm).a is gm.a,
    )
    again = pickle.loads(pickle.dumps(gm))
    yield again.code, again.graph, type(again).__name__, again.training, [*again.state_dict()]


@case
def submodules(torch):
    gm = torch.fx.symbolic_trace(module_of(torch))
    yield (
        gm.add_submodule("c.d", torch.nn.Tanh()),
        gm.add_submodule("p.x", torch.nn.Tanh()),
        gm.delete_submodule("nothing"),
    )
    yield (
        gm.delete_submodule("c.x"),
        gm.delete_submodule("p"),
        gm.delete_submodule("b.0"),
        gm.delete_submodule("a.weight.x"),
        gm,
    )
    gm.delete_all_unused_submodules()
    yield gm, error(lambda: gm.graph.get_attr("a.weight")), error(lambda: gm.graph.call_module("x"))


@case
def hooks(torch):
    gm = torch.fx.symbolic_trace(lambda x: x + 1)
    seen = []
    gm._register_create_node_hook(lambda node: seen.append(("created", node.name)))
    gm._register_erase_node_hook(lambda node: seen.append(("erased", node.name)))
    x, add, out = gm.graph.nodes
    with gm._set_replace_hook(lambda old, new, user: seen.append((old.name, new, user.name))):
        with gm.graph.inserting_before(out):
            neg = gm.graph.call_method("neg", (x,))
        add.replace_all_uses_with(neg)
        gm.graph.erase_node(add)
        neg._rename("other")
    yield seen, gm.graph


@case
def failures(torch):
    def nothing(x, y):
        return x.nothing(y)

    gm = torch.fx.symbolic_trace(nothing)
    with contextlib.redirect_stderr(io.StringIO()) as out:
        yield error(lambda: gm(3, 4))
    yield out.getvalue().split("Call using")[1]
    yield error(lambda: torch.fx.Interpreter(gm).run(3, 4)), error(lambda: torch.fx.Interpreter(gm).run(3))
    broken = torch.fx.symbolic_trace(module_of(torch))
    del broken.p
    yield error(lambda: torch.fx.Interpreter(broken).run(torch.ones(2)))


@case
def codegens(torch):
    class OneList(torch.fx.CodeGen):
        def gen_fn_def(self, free_vars, maybe_return_annotation):
            return f"def forward(self, inputs: List[int]){maybe_return_annotation}:\n    {', '.join(free_vars)}, = inputs"

        def generate_output(self, output_args):
            return f"return [{output_args!r}]"

        def additional_globals(self):
            return [("List", list)]

        def process_inputs(self, *inputs):
            (inputs,) = inputs
            return inputs

        def process_outputs(self, outputs):
            return [outputs]

    gm = torch.fx.symbolic_trace(lambda x, y: x + y)
    gm.graph.set_codegen(OneList())
    gm.recompile()
    yield gm.code, gm([1, 2]), torch.fx.Interpreter(gm).run([1, 2]), copy.deepcopy(gm)([1, 2])


@case
def interpreters(torch):
    fx = torch.fx
    gm = fx.symbolic_trace(lambda x, y=5: (x + y) * x)

    class Swap(fx.Interpreter):
        def call_function(self, target, args, kwargs):
            return super().call_function(operator.sub if target is operator.add else target, args, kwargs)

    _x, y, add, _mul, _out = gm.graph.nodes
    kept = fx.Interpreter(gm, garbage_collect_values=False)
    yield (
        fx.Interpreter(gm).run(2),
        Swap(gm).run(2, 3),
        kept.run(2, 3),
        {n.name: v for n, v in kept.env.items()},
    )
    yield fx.Interpreter(gm).run(2, initial_env={add: 10, y: 0}), error(lambda: fx.Interpreter(gm).run())
    inputs = [2, 3]
    yield (
        fx.Interpreter(gm).boxed_run(inputs),
        inputs,
        error(lambda: fx.Interpreter(gm).boxed_run([1])),
        fx.Interpreter(gm, graph=gm.graph).run(1),
    )
    yield error(lambda: fx.Interpreter(gm).boxed_run([1, 2, 3]))


@case
def transformers(torch):
    fx = torch.fx

    class Swap(fx.Transformer):
        def call_method(self, target, args, kwargs):
            return args[0].sigmoid() if target == "neg" else super().call_method(target, args, kwargs)

        def call_module(self, target, args, kwargs):
            return super().call_module("b.1" if target == "a" else target, args, kwargs)

    yield Swap(fx.symbolic_trace(lambda x, y=2: x.neg().abs() + y)).transform().code
    yield Swap(fx.symbolic_trace(module_of(torch))).transform().code


@case
def nested_tracing(torch):
    fx = torch.fx
    inner = fx.symbolic_trace(lambda x: x + 1)

    class Outer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            return self.inner(x) * 2

    gm = fx.symbolic_trace(Outer())
    yield gm.code, gm(1), [name for name, _ in gm.named_modules()]
    yield fx.symbolic_trace(inner).code


@case
def table(torch):
    gm = torch.fx.symbolic_trace(module_of(torch))
    try:
        import tabulate  # noqa: F401
    except ImportError:
        yield error(lambda: printed(gm.graph.print_tabular))
    else:
        yield printed(gm.graph.print_tabular)


@case
def schemas(torch):
    schemas = torch.fx.operator_schemas
    from typing import Optional, Union

    yield (
        schemas.create_type_hint([int, int]),
        schemas.create_type_hint((int, bool)),
        schemas.create_type_hint([]),
        schemas.create_type_hint(3),
    )
    yield (
        schemas.create_type_hint([int, str]),
        schemas.type_matches(int, int),
        schemas.type_matches(Union[int, float], int),
    )
    yield (
        schemas.type_matches(list[int], int),
        schemas.type_matches(list[int], tuple[int, int]),
        schemas.type_matches(Optional[int], str),
    )
    yield schemas.type_matches(list[int], list[bool]), schemas.type_matches(int, torch.dtype)


@case
def tensor_types(torch):
    from importlib import import_module

    types = import_module(f"{torch.__name__}.fx.tensor_type")
    T, Dyn = types.TensorType, types.Dyn
    yield (
        T((1, Dyn)),
        T[1, 2],
        T((1, 2)) == T([1, 2]),
        types.is_consistent(T((1, Dyn)), T((Dyn, 2))),
        types.is_consistent(T((1,)), T((2,))),
    )
    yield (
        types.is_more_precise(T((1, 2)), T((1, Dyn))),
        types.is_more_precise(T((1, Dyn)), T((1, 2))),
        types.is_more_precise(T((1,)), Dyn),
    )


@case
def wrapped(torch):
    """In modules that are made for it, because ``wrap`` is for globals of modules."""
    source = (
        "def leaf(x, y): return x + len(y)\n"
        "def other(x): return x * 2\n"
        "wrap('leaf')\nwrap('len')\n"
        "other = wrap(other)\n"
        "def f(x, y): return leaf(x, [1]) + other(y) + len(y) + leaf(1, [2])\n"
    )
    names = {"wrap": torch.fx.wrap, "__name__": "written_for_tests"}
    exec(compile(source, "written", "exec"), names)
    gm = torch.fx.symbolic_trace(names["f"])
    yield gm.graph, gm.code, names["leaf"](1, [1, 2]), names["other"](4)
    yield error(lambda: torch.fx.wrap(3)), error(lambda: torch.fx.wrap("x"))
    yield torch.fx.Transformer(gm).transform().graph
