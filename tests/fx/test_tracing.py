"""What is traced computes what the program does, also as a copy, from a pickle, node by node and transformed."""

import copy
import pickle
import subprocess
import sys

import pytest

import minigrad
from minigrad import fx
from minigrad.utils._pytree import tree_flatten
from tests.fx import programs


def same(left, right):
    (mine, spec), (other, other_spec) = tree_flatten(left), tree_flatten(right)
    assert str(spec).replace("immutable_", "") == str(other_spec).replace("immutable_", "")
    for a, b in zip(mine, other, strict=True):
        if isinstance(a, minigrad.Tensor):
            assert (a.dtype == b.dtype and a.equal(b)) or bool(((a == b) | a.isnan() & b.isnan()).all())
        else:
            assert a == b


EVERY = {**programs.PROGRAMS, **programs.WITH_FUNCTIONS}


@pytest.mark.parametrize("name", EVERY)
def test_traced_programs_compute_the_same(name):
    make, shapes = EVERY[name]
    program = make(minigrad)
    gm = fx.symbolic_trace(program)
    gm.graph.lint()
    inputs = [minigrad.randn(shape) for shape in shapes]

    def fresh():
        return [x.clone() for x in inputs]

    expected = program(*fresh())
    for run in (
        gm,
        fx.Interpreter(gm).run,
        fx.Transformer(gm).transform(),
        copy.deepcopy(gm),
        pickle.loads(pickle.dumps(gm)),
        fx.symbolic_trace(gm),
    ):
        same(run(*fresh()), expected)


def test_gradients_flow_to_the_parameters_of_the_program():
    make, (shape,) = programs.PROGRAMS["resnet_block"]
    program = make(minigrad)
    gm = fx.symbolic_trace(program)
    gm(minigrad.randn(shape)).sum().backward()
    assert all(p.grad is not None for p in program.parameters())
    assert [*map(id, gm.parameters())] == [*map(id, program.parameters())]


def test_assertions_become_nodes():
    class Asserting(fx.Tracer):
        trace_asserts = True

    gm = fx.GraphModule({}, Asserting().trace(programs.asserting))
    assert [node.name for node in gm.graph.nodes] == [
        "x",
        "sum_1",
        "gt",
        "assert_fn",
        "max_1",
        "lt",
        "assert_fn_1",
        "output",
    ]
    gm(minigrad.ones(2))
    with pytest.raises(AssertionError, match="Assertion failed"):
        gm(minigrad.ones(2) * 4)


def test_conditions_are_no_assertions():
    class Asserting(fx.Tracer):
        trace_asserts = True

    with pytest.raises(fx.proxy.TraceError, match="symbolically traced variables"):
        Asserting().trace(lambda x: 1 if x.sum() > 0 else 2)


def test_stack_traces_name_the_lines_of_the_program():
    class Recording(fx.Tracer):
        record_stack_traces = True

    class Net(minigrad.nn.Module):
        def forward(self, x):
            y = x + 1
            return y.relu()

    graph = Recording().trace(Net())
    x, add, relu, _ = graph.nodes
    assert x.stack_trace is None
    assert add.stack_trace.splitlines()[-1].strip() == "y = x + 1"
    assert relu.stack_trace.splitlines()[-1].strip() == "return y.relu()"
    code = graph.python_code("self", verbose=True).src
    assert f"# File: {__file__}:" in code and "in forward, code: y = x + 1" in code


def test_tracebacks_show_lines_of_generated_code():
    import traceback

    gm = fx.symbolic_trace(lambda x: x.nothing())
    with pytest.raises(AttributeError) as raised:
        gm.forward(3)
    assert "nothing = x.nothing()" in "".join(traceback.format_exception(raised.value))


def test_functions_and_methods_are_restored_when_tracing_fails():
    call, read = minigrad.nn.Module.__call__, minigrad.nn.Module.__getattr__
    with pytest.raises(fx.proxy.TraceError):
        fx.symbolic_trace(lambda x: bool(x))
    assert minigrad.nn.Module.__call__ is call and minigrad.nn.Module.__getattr__ is read
    assert not fx._symbolic_trace.is_fx_tracing()


def test_folders(tmp_path, monkeypatch):
    make, (shape,) = programs.PROGRAMS["linear_with_parameter"]
    gm = fx.symbolic_trace(make(minigrad))
    with minigrad.no_grad():
        gm.weight.fill_(3)
    gm.to_folder(tmp_path / "saved_by_fx", "Saved")
    monkeypatch.syspath_prepend(tmp_path)
    from saved_by_fx import Saved

    x = minigrad.randn(shape)
    assert Saved()(x).equal(gm(x))


def test_folders_pickle_what_no_repr_makes(tmp_path, monkeypatch):
    gm = fx.symbolic_trace(minigrad.nn.Sequential(minigrad.nn.PReLU()))
    with pytest.warns(UserWarning, match="Was not able to save the following children modules as reprs"):
        gm.to_folder(str(tmp_path / "with_pickles"))
    monkeypatch.syspath_prepend(tmp_path)
    from with_pickles import FxModule

    x = minigrad.randn(3)
    assert FxModule()(x).equal(gm(x))


def test_functions_without_a_name_cannot_be_pickled():
    graph = fx.Graph()
    graph.output(graph.call_function((lambda: lambda x: x)(), (graph.placeholder("x"),), name="f"))
    graph.output_node().args[0].target.__name__ = "f"
    graph.output_node().args[0].target.__qualname__ = "<locals>.f"
    gm = fx.GraphModule({}, graph)
    assert gm(3) == 3
    with pytest.raises(AttributeError, match="cannot be imported by name"):
        pickle.dumps(gm)


def test_proxies_of_two_graphs_do_not_meet():
    x, y = fx.Graph().placeholder("x"), fx.Graph().placeholder("y")
    with pytest.raises(RuntimeError, match="Found multiple different tracers"):
        fx.Proxy.__torch_function__(minigrad.add, (), (fx.Proxy(x), fx.Proxy(y)))


def test_mutable_operations_are_refused_where_asked_for():
    class Checking(fx.Tracer):
        check_mutable_operations = True

    tracer = Checking()
    tracer.trace(lambda x: x + 1)
    with pytest.raises(RuntimeError, match="Tried to trace mutable operation"):
        tracer.create_node("call_function", minigrad.relu_, (), {})


def test_shared_constants_are_kept_once():
    class Net(minigrad.nn.Module):
        def __init__(self):
            super().__init__()
            self.constant = minigrad.ones(2)

        def forward(self, x):
            return x + self.constant, x * self.constant, x - minigrad.zeros(2)

    gm = fx.symbolic_trace(Net())
    assert [node.target for node in gm.graph.find_nodes(op="get_attr")] == [
        "constant",
        "constant",
        "_tensor_constant0",
    ]
    assert {name for name, _ in gm.named_buffers()} == {"constant", "_tensor_constant0"}


def test_importing_minigrad_does_not_import_fx():
    program = "import sys, minigrad; print(any(name.startswith('minigrad.fx') for name in sys.modules)); minigrad.fx.Graph()"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


def test_proxies_are_heard_outside_of_tracing():
    graph = fx.Graph()
    x = fx.Proxy(graph.placeholder("x"))
    y = minigrad.cat([minigrad.relu(x), x], dim=0)
    z = minigrad.nn.functional.dropout(y, 0.5)
    graph.output(z.node)
    assert [node.name for node in graph.nodes] == ["x", "relu", "cat", "dropout", "output"]


def test_tensors_hear_of_proxies_only_where_they_meet():
    """Tracing leaves nothing behind: functions run their own code afterwards."""
    program = (
        "import minigrad\n"
        "own = minigrad.cat.__code__, minigrad.relu.__code__, minigrad.Tensor.add.__code__, minigrad.nn.functional.dropout.__code__\n"
        "F = minigrad.nn.functional\n"
        "gm = minigrad.fx.symbolic_trace(lambda x: F.dropout(minigrad.cat([minigrad.relu(x), x]) + 1, 0.5))\n"
        "assert [n.name for n in gm.graph.nodes] == ['x', 'relu', 'cat', 'add', 'dropout', 'output'], gm.graph\n"
        "assert own == (minigrad.cat.__code__, minigrad.relu.__code__, minigrad.Tensor.add.__code__, F.dropout.__code__)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_functions_that_are_imported_while_one_traces_are_heard():
    program = (
        "import minigrad\n"
        "graph = minigrad.fx.symbolic_trace(lambda x: minigrad.logaddexp(minigrad.cat([x, x], dim=0), minigrad.arange(x.shape[0]))).graph\n"
        "assert [n.name for n in graph.nodes] == ['x', 'cat', 'getattr_1', 'getitem', 'arange', 'logaddexp', 'output'], graph\n"
        "assert graph.find_nodes(op='call_function', target=minigrad.cat)[0].kwargs == {'dim': 0}\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_names_of_built_in_functions_lead_to_them():
    from minigrad import _C

    assert (
        _C._nn.gelu is minigrad.nn.functional.gelu and _C._nn.log_sigmoid is minigrad.nn.functional.logsigmoid
    )
    assert _C._linalg.linalg_norm is minigrad.linalg.norm and _C._fft.fft_fft is minigrad.fft.fft
    with pytest.raises(AttributeError, match="no function 'nothing'"):
        _C._nn.nothing
    with pytest.raises(AttributeError, match="no function norm"):
        _C._linalg.norm
