"""Modules as graphs with their state: what is exported computes what the module does, or export says why it cannot."""

import copy
import dataclasses
import io

import numpy as np
import pytest

import minigrad
from minigrad import export as mexport
from minigrad import nn
from minigrad.export import Dim, ExportedProgram, dims, export, load, save
from minigrad.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from minigrad.utils import _pytree
from minigrad.utils._pytree import tree_leaves
from tests.fx import programs

EVERY = {**programs.PROGRAMS, **programs.WITH_FUNCTIONS}


class Calling(nn.Module):
    """A module that calls a function."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def as_module(program):
    return program if isinstance(program, nn.Module) else Calling(program)


def alike(left, right):
    for a, b in zip(tree_leaves(left), tree_leaves(right), strict=True):
        if isinstance(b, minigrad.Tensor):
            assert a.dtype is b.dtype and minigrad.isclose(a, b, equal_nan=True).all()
        else:
            assert a == b


@pytest.mark.parametrize("name", EVERY)
def test_exported_programs_compute_the_same(name):
    make, shapes = EVERY[name]
    module = as_module(make(minigrad))
    exported = export(module, tuple(minigrad.randn(shape) for shape in shapes))
    inputs = [minigrad.randn(shape) for shape in shapes]
    expected = copy.deepcopy(module)(*[x.clone() for x in inputs])
    file = io.BytesIO()
    save(exported, file)
    file.seek(0)
    for program in (exported, exported.run_decompositions(), load(file)):
        alike(copy.deepcopy(program.module())(*[x.clone() for x in inputs]), expected)
        program.graph.lint()


class Everything(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.constant = minigrad.ones(4)
        self.register_buffer("kept", minigrad.ones(4))
        self.register_buffer("dropped", minigrad.ones(4), persistent=False)

    def forward(self, x, *, y=None):
        z = self.norm(self.linear(x)).relu() + self.constant
        if y is not None:
            z = z * y["a"] * self.kept * self.dropped
        return {"sum": z.sum(dim=1), "number": 3}


def test_signature():
    module = Everything()
    exported = export(module, (minigrad.randn(2, 3),), {"y": {"a": minigrad.ones(4)}})
    signature = exported.graph_signature
    assert signature.parameters == ("linear.weight", "linear.bias", "norm.weight", "norm.bias")
    assert signature.buffers == (
        "kept",
        "dropped",
        "norm.running_mean",
        "norm.running_var",
        "norm.num_batches_tracked",
    )
    assert signature.non_persistent_buffers == ("dropped",)
    assert signature.lifted_tensor_constants == ("constant",)
    assert signature.user_inputs == ("x", "y_a")
    assert signature.user_outputs == ("sum_1", 3)
    assert signature.inputs_to_parameters["p_linear_weight"] == "linear.weight"
    assert signature.inputs_to_buffers["b_kept"] == "kept"
    assert signature.inputs_to_lifted_tensor_constants == {"c_constant": "constant"}
    assert [node.name for node in exported.graph.find_nodes(op="placeholder")] == [
        s.arg.name for s in signature.input_specs
    ]
    assert "p_linear_weight: PARAMETER target='linear.weight'" in str(signature)
    assert "b_dropped: BUFFER target='dropped' persistent=False" in str(signature)
    assert [*map(id, exported.parameters())] == [*map(id, module.parameters())]
    assert [name for name, _ in exported.named_buffers()] == [*signature.buffers]
    assert exported.state_dict.keys() == module.state_dict().keys()
    assert str(exported).startswith("ExportedProgram:\n    class GraphModule(torch.nn.Module):")
    assert 'x: "f32[2, 3]"' in str(exported) and exported.dialect == "TRAINING"


def test_module_has_the_state_of_the_program():
    module = Everything()
    made = export(module, (minigrad.randn(2, 3),), {"y": {"a": minigrad.ones(4)}}).module()
    assert made.linear.weight is module.linear.weight
    assert "dropped" not in made.state_dict() and made.dropped is module.dropped
    made(minigrad.randn(2, 3), y={"a": minigrad.ones(4)})["sum"].sum().backward()
    assert module.linear.weight.grad is not None
    assert module.norm.num_batches_tracked == 1
    with pytest.raises(NotImplementedError, match=r"Calling train\(\) is not supported yet"):
        made.train()
    with pytest.raises(NotImplementedError, match=r"Calling eval\(\) is not supported yet"):
        made.eval()


def test_exporting_changes_nothing():
    module = Everything()
    before = {name: value.clone() for name, value in module.state_dict().items()}
    x, state = minigrad.randn(2, 3), minigrad.get_rng_state()
    export(module, (x,))
    assert all(before[name].equal(value) for name, value in module.state_dict().items())
    assert minigrad.get_rng_state().equal(state)


def test_guards():
    exported = export(Everything(), (minigrad.randn(2, 3),), {"y": {"a": minigrad.ones(4)}})
    made, y = exported.module(), {"a": minigrad.ones(4)}
    with pytest.raises(AssertionError, match=r"Guard failed: x\.size\(\)\[0\] == 2"):
        made(minigrad.randn(3, 3), y=y)
    with pytest.raises(AssertionError, match=r"Guard failed: x\.dim\(\) == 2"):
        made(minigrad.randn(3), y=y)
    with pytest.raises(AssertionError, match=r"Guard failed: x\.dtype == torch\.float32"):
        made(minigrad.randn(2, 3).double(), y=y)
    with pytest.raises(ValueError, match="Ran into a kwarg keyword mismatch"):
        made(minigrad.randn(2, 3))
    with pytest.raises(ValueError, match="nested"):
        made(minigrad.randn(2, 3), y={"b": minigrad.ones(4)})
    assert exported.module(check_guards=False)(minigrad.randn(3, 3), y=y)["sum"].shape == (3,)
    with pytest.raises(AssertionError, match=r"Guard failed: inputs_1 == 2"):
        export(Calling(lambda x, n: x * n), (minigrad.ones(2), 2)).module()(minigrad.ones(2), 3)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (lambda x: x if x.sum() > 0 else -x, "reads a value of a tensor"),
        (lambda x: x * x.max().item(), "reads a value of a tensor"),
        (lambda x: x[: int(x.sum())], "reads a value of a tensor"),
        (lambda x: minigrad.from_numpy(np.sin(x.numpy())), "reads a value of a tensor"),
        (lambda x: x * 2 if x.tolist()[0] else x, "reads a value of a tensor"),
    ],
)
def test_values_cannot_be_read(program, message):
    with pytest.raises(GuardOnDataDependentSymNode, match=message) as raised:
        export(Calling(program), (minigrad.ones(2),))
    assert isinstance(raised.value, RuntimeError)
    assert str(raised.value).startswith("Could not guard on data-dependent expression")


def test_what_is_not_noted_is_found():
    hidden = Calling(lambda x: x * float(np.asarray(x.detach()._array).sum()))
    with pytest.raises(
        RuntimeError, match="for other inputs the graph and the module give different results"
    ):
        export(hidden, (minigrad.ones(2),))


@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU, nn.RNN])
def test_recurrent_nets(kind):
    module = kind(3, 4, num_layers=2, bidirectional=True)
    x = minigrad.randn(5, 2, 3)
    alike(export(module, (minigrad.randn(5, 2, 3),)).module()(x), module(x))


def test_wrong_arguments():
    with pytest.raises(ValueError, match="Expected `mod` to be an instance of `torch.nn.Module`"):
        export(lambda x: x, (1,))
    with pytest.raises(TypeError, match="Expecting `args` to be a tuple"):
        export(nn.ReLU(), minigrad.ones(2))
    with pytest.raises(RuntimeError, match="Unable to call ExportedProgram directly"):
        export(nn.ReLU(), (minigrad.ones(2),))(minigrad.ones(2))
    with pytest.raises(NotImplementedError, match="preserve_module_call_signature"):
        export(nn.ReLU(), (minigrad.ones(2),), preserve_module_call_signature=("a",))
    with pytest.raises(ValueError, match="which are not inputs"):
        export(nn.ReLU(), (minigrad.ones(2),), dynamic_shapes={"x": {0: Dim("n")}})


# Sizes that may differ -----------------------------------------------------------------------------------------------------


def test_dynamic_shapes():
    model = nn.Sequential(nn.Linear(3, 2), nn.ReLU()).eval()
    batch = Dim("batch", min=1, max=8)
    exported = export(model, (minigrad.ones(2, 3),), dynamic_shapes={"input": {0: batch}})
    assert exported.range_constraints == {"batch": (1, 8)}
    made = exported.module()
    for size in (1, 2, 8):
        x = minigrad.randn(size, 3)
        alike(made(x), model(x))
    with pytest.raises(AssertionError, match=r"Guard failed: input_1\.size\(\)\[0\] <= 8"):
        made(minigrad.ones(9, 3))


def test_dynamic_shapes_that_are_the_same():
    n = Dim("n")

    class Sum(nn.Module):
        def forward(self, a, b):
            return a + b

    made = export(Sum(), (minigrad.ones(3), minigrad.ones(3)), dynamic_shapes=({0: n}, [n])).module()
    assert made(minigrad.ones(5), minigrad.ones(5)).shape == (5,)
    with pytest.raises(AssertionError, match=r"Guard failed: b\.size\(\)\[0\] == 5"):
        made(minigrad.ones(5), minigrad.ones(4))


class Sizes(nn.Module):
    """Computes with sizes, and with how many elements are positive."""

    def forward(self, x):
        rows = x.shape[0]
        made = x + minigrad.ones(rows, 1) * rows**0.5 + minigrad.arange(rows * 2)[-1] % 3
        return made[: min(rows, 6)].view(-1), x[x > 0].shape[0] + x, x.sum() / len(x)


def test_sizes_that_the_program_reads():
    model = Sizes()
    exported = export(model, (minigrad.randn(4, 2),), dynamic_shapes={"x": {0: Dim("batch"), 1: Dim.AUTO}})
    assert "torch.ops.aten.sym_size.int](args = (%x, 0)" in str(exported.graph)
    file = io.BytesIO()
    minigrad.export.save(exported, file)
    file.seek(0)
    for made in (exported.module(), minigrad.export.load(file).module()):
        for size in ((1, 2), (4, 7), (9, 3)):
            x = minigrad.randn(size)
            for mine, wanted in zip(made(x), model(x), strict=True):
                alike(mine, wanted)


class Specialized(nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[0] == 4 else x


def test_decisions_by_sizes_are_refused():
    with pytest.raises(RuntimeError, match=r"Constraints violated \(batch\)! You marked batch as dynamic"):
        export(Specialized(), (minigrad.ones(4, 2),), dynamic_shapes={"x": {0: Dim("batch")}})
    with pytest.raises(RuntimeError, match="Constraints violated"):
        export(Specialized(), (minigrad.ones(4, 2),), dynamic_shapes={"x": {0: Dim.DYNAMIC}})
    exported = export(Specialized(), (minigrad.ones(4, 2),), dynamic_shapes={"x": {0: Dim.AUTO, 1: Dim.AUTO}})
    assert exported.range_constraints.keys() == {"s0_1"}
    assert exported.module()(minigrad.ones(4, 7)).shape == (4, 7)
    fixed = export(Specialized(), (minigrad.ones(4, 2),), dynamic_shapes={"x": {0: Dim.STATIC, 1: None}})
    assert fixed.range_constraints == {}
    with pytest.raises(RuntimeError, match=r"With size 7 .*test_export.py.*Dim\('batch', max=6\)"):
        export(Decided(), (minigrad.ones(4, 2),), dynamic_shapes={"x": {0: Dim("batch")}})


class Decided(nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[0] > 6 else x


def test_shapes_said_of_tensors():
    class Parts(nn.Module):
        def forward(self, parts, *rest):
            return parts["a"] + rest[0]

    a, b = minigrad.ones(2, 3), minigrad.ones(1, 3)
    shapes = mexport.ShapesCollection()
    shapes[a] = {0: Dim("rows")}
    made = export(Parts(), ({"a": a}, b), dynamic_shapes=shapes).module()
    assert made({"a": minigrad.ones(7, 3)}, b).shape == (7, 3)
    with pytest.raises(AssertionError, match="do not match"):
        shapes[a] = {0: Dim("columns")}
    shapes[minigrad.ones(1)] = {}
    with pytest.raises(ValueError, match="were not found in args"):
        export(Parts(), ({"a": a}, b), dynamic_shapes=shapes)


def test_additional_inputs():
    more = mexport.AdditionalInputs()
    more.add((minigrad.ones(5, 3),))
    exported = export(nn.ReLU(), (minigrad.ones(2, 3),), dynamic_shapes=more)
    assert exported.module()(minigrad.ones(9, 3)).shape == (9, 3)
    assert exported.range_constraints.keys() == {"s0_0"}
    more.add((minigrad.ones(5),))
    with pytest.raises(ValueError, match="number of dimensions"):
        export(nn.ReLU(), (minigrad.ones(2, 3),), dynamic_shapes=more)


@dataclasses.dataclass
class Pair:
    first: minigrad.Tensor
    second: minigrad.Tensor


class Swap(nn.Module):
    def forward(self, x):
        return Pair(x.second, x.first) if isinstance(x, Pair) else Pair(x, x)


def test_dataclasses():
    with pytest.raises(RuntimeError, match="register_dataclass"):
        export(Swap(), (minigrad.ones(1),))
    mexport.register_dataclass(Pair)
    try:
        made = export(Swap(), (Pair(minigrad.ones(1), minigrad.zeros(1)),)).module()
        assert made(Pair(minigrad.ones(1), minigrad.zeros(1))) == Pair(minigrad.zeros(1), minigrad.ones(1))
    finally:
        _pytree._deregister_pytree_node(Pair)


@pytest.mark.filterwarnings("ignore:.*weight_norm. is deprecated:FutureWarning")
@pytest.mark.parametrize(
    "change", [nn.utils.weight_norm, lambda m: nn.utils.prune.l1_unstructured(m, "weight", 1)]
)
def test_weights_that_are_computed_before_each_call(change):
    model = change(nn.Linear(3, 2))
    x = minigrad.randn(4, 3)
    alike(export(model, (x,)).module()(x), model(x))


def test_dims():
    assert repr(dims("a", "b", min=2)) == "(Dim('a', min=2), Dim('b', min=2))"
    with pytest.raises(AssertionError, match="inconsistent"):
        Dim("a", min=3, max=2)
    with pytest.raises(AssertionError, match="identifier"):
        Dim("1")


# More ----------------------------------------------------------------------------------------------------------------------


def test_decompositions():
    class Net(nn.Module):
        def forward(self, x):
            return minigrad.addmm(x, x, x).relu()

    exported = export(Net(), (minigrad.randn(2, 2),))
    aten = minigrad.ops.aten
    made = exported.run_decompositions({aten.addmm.default: lambda bias, a, b: minigrad.matmul(a, b) + bias})
    targets = [
        str(node.target) for node in made.graph.find_nodes(op="call_function", target=aten.relu.default)
    ]
    assert targets and not made.graph.find_nodes(op="call_function", target=aten.addmm.default)
    assert made.graph.find_nodes(op="call_function", target=aten.matmul.default)
    x = minigrad.randn(2, 2)
    alike(made.module()(x), Net()(x))


def test_no_gradient_passes_blocks_of_no_grad():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(2, 1)

        def forward(self, x):
            with minigrad.no_grad():
                y = self.linear(x)
            return x.sum() + y.sum()

    module = Net()
    x = minigrad.ones(1, 2, requires_grad=True)
    export(module, (x,)).module()(x).backward()
    assert module.linear.weight.grad is None
    assert x.grad.tolist() == [[1.0, 1.0]]
    with minigrad.no_grad():
        assert not export(nn.ReLU(), (minigrad.ones(2),)).graph.find_nodes(
            op="call_function", target=minigrad.ops.aten.detach.default
        )


def test_views_by_properties():
    class Net(nn.Module):
        def forward(self, x):
            return x.T @ x, x.mT + 1

    exported = export(Net(), (minigrad.randn(2, 3),))
    x = minigrad.randn(2, 3)
    alike(exported.module()(x), Net()(x))


def test_nodes_know_where_they_come_from():
    exported = export(Everything(), (minigrad.randn(2, 3),))
    linear = next(node for node in exported.graph.nodes if node.name == "linear")
    assert linear.meta["nn_module_stack"]["linear"] == ("linear", "torch.nn.modules.linear.Linear")
    assert "z = self.norm(self.linear(x)).relu() + self.constant" in linear.stack_trace
    assert linear.meta["tensor_meta"].shape == (2, 4)


def test_files(tmp_path):
    exported = export(Everything(), (minigrad.randn(2, 3),))
    save(exported, tmp_path / "program.pt2")
    again = mexport.load(tmp_path / "program.pt2")
    assert isinstance(again, ExportedProgram)
    assert str(again.graph) == str(exported.graph) and str(again.graph_signature) == str(
        exported.graph_signature
    )
    x = minigrad.randn(2, 3)
    alike(again.module()(x), exported.module()(x))
    with pytest.raises(TypeError, match="must be an instance of 'ExportedProgram'"):
        save(nn.ReLU(), tmp_path / "other.pt2")
    minigrad.save({"a": 1}, tmp_path / "other.pt2")
    with pytest.raises(ValueError, match="not written by minigrad.export.save"):
        load(tmp_path / "other.pt2")
    (tmp_path / "other.pt2").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="not written by minigrad.export.save"):
        load(tmp_path / "other.pt2")
