"""``onnx.export``: what is exported passes ONNX's own checker and computes what the module computes, or the export says why there is no model."""

import copy
import io
import warnings

import pytest

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad.onnx.errors import ConversionError, UnsupportedOperatorError
from tests.generate import onnx_forms
from tests.onnx.checked_exports import assert_same, check, onnxruntime, tensors
from tests.onnx.exported_cases import Call, cases

onnx = pytest.importorskip("onnx")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of the packages that read and run the models
    pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel"),
]

CASES: dict = {}
for _kind, _name, *_case in cases():
    CASES.setdefault(_name, []).append(_case)


@pytest.mark.parametrize("name", CASES)
def test_models_compute_what_modules_compute(name):
    for module, inputs in CASES[name]:
        check(torch.onnx.export(module, tuple(inputs)), module, *inputs, name=name)


def mlp():
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)).eval()


def test_names_are_those_of_the_module():
    program = torch.onnx.export(mlp(), (torch.ones(2, 3),), input_names=["features"], output_names=["scores"])
    graph = program.model_proto.graph
    assert [x.name for x in graph.initializer] == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert [node.name for node in graph.node] == ["/0/Gemm", "/1/Relu", "/2/Gemm"]
    assert ([x.name for x in graph.input], [x.name for x in graph.output]) == (["features"], ["scores"])
    assert (
        "Linear" in {x.key: x.value for x in graph.node[0].metadata_props}["pkg.torch.onnx.class_hierarchy"]
    )


class Sizes(nn.Module):
    """Computes with the sizes of its input in all the ways in which programs do."""

    def forward(self, x):
        batch, time, width = x.shape
        flat = x.view(batch * time, width)[: batch * time - 1]
        heads = x.view(batch, time, 2, width // 2).transpose(1, 2).reshape(batch, time * width)
        return (
            flat.reshape(-1),
            heads,
            torch.arange(time) + batch,
            x[:, : time // 2],
            x[:, -1],
            torch.ones(time, time).tril(),
            x.mean((0, 1)),
        )


def test_sizes_may_differ():
    module, example = Sizes(), torch.randn(2, 6, 4)
    program = torch.onnx.export(module.eval(), (example,), dynamic_shapes={"x": {0: "batch", 1: "time"}})
    shapes = [
        [d.dim_param or d.dim_value for d in x.type.tensor_type.shape.dim]
        for x in program.model_proto.graph.output
    ]
    assert shapes[:4] == [["batch*time*4 - 4"], ["batch", "time*4"], ["time"], ["batch", "time//2", 4]]
    for shape in ((2, 6, 4), (3, 7, 4), (1, 3, 4), (5, 12, 4)):
        check(program, module, torch.randn(*shape))


def sequences():
    """Networks of sequences, batch first: (module, inputs of a batch and a length)."""
    encoder = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    yield nn.LSTM(8, 3, 2, batch_first=True, bidirectional=True), 1
    yield nn.GRU(8, 3, batch_first=True), 1
    yield nn.TransformerEncoder(encoder, 2, enable_nested_tensor=False), 1
    yield nn.Transformer(8, 2, 1, 1, 16, batch_first=True), 2
    yield Call(lambda q, k: F.scaled_dot_product_attention(q, k, k, is_causal=True)), 2


@pytest.mark.parametrize("number", range(5))
def test_sequences_of_any_length(number):
    module, count = [*sequences()][number]
    module.eval()
    shapes = [{0: "batch", 1: f"length_{i}"} for i in range(count)]
    names = {} if isinstance(module, Call) else {"dynamic_shapes": tuple(shapes)}
    if not names:
        names = {"dynamic_shapes": {f"args_{i}": each for i, each in enumerate(shapes)}}
    examples = [
        [torch.randn(batch, length + i, 8) for i in range(count)]
        for batch, length in ((2, 5), (3, 7), (1, 2))
    ]
    program = torch.onnx.export(module, tuple(examples[0]), **names)
    for inputs in examples:
        check(program, module, *inputs)
    back = torch.onnx.load(program.model_proto)
    assert_same(tensors(back(*inputs)), tensors(module(*inputs)))


def test_dynamic_axes():
    with pytest.warns(UserWarning, match="'dynamic_axes' is not recommended"):
        program = torch.onnx.export(
            mlp(), (torch.ones(2, 3),), input_names=["x"], dynamic_axes={"x": {0: "rows"}}
        )
    assert program.model_proto.graph.output[0].type.tensor_type.shape.dim[0].dim_param == "rows"
    check(program, mlp_with(program), torch.randn(7, 3))


def mlp_with(program):
    """The module whose weights a program has."""
    module = mlp()
    module.load_state_dict(program.exported_program.state_dict)
    return module


def test_sizes_that_decide_are_refused():
    module = Call(lambda x: x + 1 if x.shape[0] > 2 else x - 1)
    with pytest.raises(RuntimeError, match="specialized it to be a constant"):
        torch.onnx.export(module.eval(), (torch.ones(2, 3),), dynamic_shapes=({0: "n"},))


def test_shapes_for_something_else_are_refused():
    with pytest.raises(TypeError, match="takes a Dim, a hint or None"):
        torch.onnx.export(Call(torch.relu).eval(), (torch.ones(2, 3),), dynamic_shapes=(({0: "n"},),))


class Positions(nn.Module):
    """Adds the first rows of a table to a sequence."""

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.randn(8, 4))

    def forward(self, x):
        return x + self.table[: x.shape[1]]


def test_tables_that_sizes_cut():
    module = Positions().eval()
    program = torch.onnx.export(module, (torch.randn(2, 3, 4),), dynamic_shapes={"x": {1: "time"}})
    for length in (1, 3, 8):
        check(program, module, torch.randn(2, length, 4))


def test_keys_of_inputs_come_in_any_order():
    a, b = torch.tensor([1.0]), torch.tensor([3.0])
    program = torch.onnx.export(Call(lambda x: x["a"] - x["b"]).eval(), ({"a": a, "b": b},))
    assert program.call_reference({"b": b, "a": a})[0].tolist() == [-2.0]


def test_random_numbers_are_drawn_when_the_model_runs():
    module = Call(lambda x: x + torch.randn(3, 4, dtype=torch.float64)).eval()
    program = torch.onnx.export(module, (torch.zeros(3, 4, dtype=torch.float64),))
    onnx.checker.check_model(program.model_proto, full_check=True)
    one, other = (program.call_reference(torch.zeros(3, 4, dtype=torch.float64))[0] for _ in range(2))
    assert one.dtype is torch.float64 and not one.equal(other)


class Steps(nn.Module):
    """Counts its calls."""

    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(()))

    def forward(self, x):
        self.steps = self.steps + 1
        return x + self.steps


WRITING = [
    (Call(lambda x: x.add_(1)), "input 'args_0'"),
    (Call(lambda x: x[0].zero_()), "input 'args_0'"),
    (Call(lambda x: x.data.mul_(2)), "input 'args_0'"),
    (Steps(), "buffer 'steps'"),
    (
        nn.Sequential(nn.BatchNorm1d(3)),
        "buffer '0.running_mean', buffer '0.running_var', buffer '0.num_batches_tracked'",
    ),
]


@pytest.mark.parametrize("number", range(len(WRITING)))
@pytest.mark.filterwarnings("ignore:Exporting a model while it is in training mode")
def test_what_the_program_changes_is_named(number):
    module, what = WRITING[number]
    x = torch.ones(2, 3)
    with pytest.warns(UserWarning, match=f"The program changes {what}\\. "):
        program = torch.onnx.export(module, (x,))
    check(program, copy.deepcopy(module), x)
    exported = torch.export.export(module, (x,))
    with pytest.warns(UserWarning, match=what):
        torch.onnx.export(exported)


def test_what_the_program_makes_itself_may_change():
    module = Call(lambda x: x.clone().add_(1)).eval()
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="The program changes")
        torch.onnx.export(module, (torch.full((2,), float("nan")),))


@pytest.mark.parametrize(
    "option", [{"profile": True}, {"export_modules_as_functions": True}, {"autograd_inlining": False}]
)
def test_options_without_effect_say_so(option):
    with pytest.warns(UserWarning, match=f"'{next(iter(option))}' has no effect"):
        torch.onnx.export(mlp(), (torch.ones(2, 3),), **option)


def test_an_operator_without_a_form_is_named_with_its_line():
    module = Call(lambda x: torch.linalg.svd(x)[0])
    with pytest.raises(
        UnsupportedOperatorError,
        match=r"'aten::linalg_svd' to ONNX opset version 20 is not supported[\s\S]*test_export.py\", line",
    ):
        torch.onnx.export(module.eval(), (torch.ones(2, 3),))
    with pytest.raises(ConversionError, match="with dropout has no form"):
        torch.onnx.export(
            Call(lambda x: F.scaled_dot_product_attention(x, x, x, dropout_p=0.5)).eval(), (torch.ones(2, 3),)
        )
    with pytest.raises(UnsupportedOperatorError, match="added in version 18"):
        torch.onnx.export(nn.Fold((4, 5), 2).eval(), (torch.ones(1, 8, 12),), opset_version=17)


def test_memory_shared_in_a_way_that_has_no_form_is_refused():
    def write_to_windows(x):
        x = x.clone()
        x.unfold(1, 2, 1).add_(1)
        return x

    with pytest.raises(ConversionError, match="shares memory"):
        torch.onnx.export(Call(write_to_windows).eval(), (torch.ones(3, 3),))


@pytest.mark.parametrize("opset", [13, 15, 17, 18, 19, 21, 23])
def test_other_opsets(opset):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv, self.norm, self.group, self.last = (
                nn.Conv2d(3, 4, 3),
                nn.BatchNorm2d(4),
                nn.GroupNorm(2, 4),
                nn.LayerNorm(4),
            )

        def forward(self, x):
            x = F.gelu(self.group(self.norm(self.conv(x))))
            first, rest = F.pad(x, (1, 1)).split([2, 2], 1)
            return self.last(torch.cat([first, rest], 1).amax((2, 3))), x.mean((2, 3)), x.sum(1)

    module, x = Net().eval(), torch.randn(2, 3, 8, 8)
    program = torch.onnx.export(module, (x,), opset_version=opset)
    assert program.model_proto.opset_import[0].version == opset
    check(program, module, x, name=f"opset {opset}")


def test_files(tmp_path):
    module, x = mlp(), torch.randn(2, 3)
    path = tmp_path / "model.onnx"
    torch.onnx.export(
        module, (x,), path, export_params=False, keep_initializers_as_inputs=True, external_data=False
    )
    graph = onnx.load(path).graph
    assert [len(graph.initializer), len(graph.input)] == [0, 5]
    large = nn.Linear(64, 64).eval()
    torch.onnx.export(large, (torch.ones(1, 64),), path)
    assert (tmp_path / "model.onnx.data").stat().st_size >= 64 * 64 * 4
    onnx.checker.check_model(str(path), full_check=True)
    memory = io.BytesIO()
    torch.onnx.export(module, (x,), memory)
    assert onnx.load_from_string(memory.getvalue()).graph.node[0].op_type == "Gemm"


def test_programs(tmp_path, capsys):
    module, x = mlp(), torch.randn(2, 3)
    program = torch.onnx.export(
        module, (x,), verbose=True, report=True, verify=onnxruntime is not None, artifacts_dir=tmp_path
    )
    assert "Gemm" in capsys.readouterr().out
    assert "Gemm: 2" in next(tmp_path.glob("*.md")).read_text()
    assert "2 nodes" not in repr(program) and "3 nodes" in repr(program)
    other = mlp()
    with pytest.warns(torch.onnx.errors.OnnxExporterWarning, match="'more' not found"):
        program.apply_weights({**other.state_dict(), "more": x})
    check(program, other, x)
    hidden = program.model_proto.graph.node[1].output[0]
    torch.testing.assert_close(program.compute_values([hidden], (x,))[0], other[:2](x).detach())
    with pytest.raises(ValueError, match="'nothing' not found"):
        program.compute_values(["nothing"], (x,))


def test_exports_know_that_they_are_exports():
    seen = []
    torch.onnx.export(
        Call(lambda x: seen.append(torch.onnx.is_in_onnx_export()) or x + 1).eval(), (torch.ones(2),)
    )
    assert {*seen} == {True} and torch.onnx.is_in_onnx_export() is False


def test_modes():
    module = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
    with pytest.warns(UserWarning, match="training mode"):
        program = torch.onnx.export(module, (torch.ones(1, 3),))
    assert "Dropout" in repr(program)
    with pytest.warns(DeprecationWarning, match="dynamo=False"):
        assert torch.onnx.export(module, (torch.ones(1, 3),), io.BytesIO(), dynamo=False) is None
    assert module.training


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
def test_dtypes(dtype):
    module = (
        nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.GELU(), nn.Linear(4, 2), nn.Softmax(-1))
        .to(dtype)
        .eval()
    )
    x = torch.randn(2, 3).to(dtype)
    program = torch.onnx.export(module, (x,))
    onnx.checker.check_model(program.model_proto, full_check=True)
    found = program.call_reference(x)
    assert found[0].dtype is dtype
    torch.testing.assert_close(found[0].float(), module(x).detach().float(), rtol=0, atol=2e-2)


def test_folding():
    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(3, 3))

        def forward(self, x):
            return x @ (self.weight.T * 2)

    module, x = Scaled().eval(), torch.randn(2, 3)
    folded, unfolded = (torch.onnx.export(module, (x,), do_constant_folding=fold) for fold in (True, False))
    assert [n.op_type for n in folded.model_proto.graph.node if n.op_type != "Constant"] == ["MatMul"]
    assert [x.name for x in unfolded.model_proto.graph.initializer] == ["weight"]
    check(folded, module, x)
    check(unfolded, module, x)


def test_operators_of_programs():
    @torch.library.custom_op("onnx_export_test::double", mutates_args=())
    def double(x: torch.Tensor, times: int) -> torch.Tensor:
        return x * times

    module, x = Call(lambda x: torch.ops.onnx_export_test.double(x, 3) + 1).eval(), torch.randn(2, 3)
    with pytest.raises(UnsupportedOperatorError, match="'onnx_export_test::double'"):
        torch.onnx.export(module, (x,))
    table = {torch.ops.onnx_export_test.double: lambda g, x, times: g.op("Mul", x, float(times))}
    check(torch.onnx.export(module, (x,), custom_translation_table=table), module, x)
    torch.onnx.register_custom_op_symbolic(
        "onnx_export_test::double", lambda g, x, times: g.op("mine::Double", x, times_i=times), 15
    )
    program = torch.onnx.export(module, (x,), custom_opsets={"mine": 2})
    node = program.model_proto.graph.node[0]
    assert (node.domain, node.op_type, node.attribute[0].i) == ("mine", "Double", 3)
    assert {each.domain: each.version for each in program.model_proto.opset_import} == {"": 20, "mine": 2}
    torch.onnx.unregister_custom_op_symbolic("onnx_export_test::double", 15)
    with pytest.raises(UnsupportedOperatorError):
        torch.onnx.export(module, (x,))


def test_the_page_names_what_is_exported():
    text = onnx_forms.PAGE.read_text(encoding="utf-8")
    assert onnx_forms.named(text) == {*CASES}, "run python -m tests.generate.onnx_forms"
