"""``onnx.ops``, ``onnx.testing``, ``onnx.verification`` and ``ExportableModule``: what programs ask of models besides."""

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.onnx.errors import ConversionError, UnsupportedOperatorError
from minigrad.onnx.testing import assert_onnx_program
from minigrad.onnx.verification import VerificationInfo, verify_onnx_program
from tests.onnx.checked_exports import check, onnxruntime
from tests.onnx.exported_cases import Call

X = torch.arange(24.0).view(1, 2, 3, 4) / 24


class Doubled(torch.onnx.ExportableModule):
    """A module with its own arguments and names."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 2)

    def forward(self, x, *, scale):
        return self.inner(x) * scale

    def example_arguments(self):
        return (torch.ones(2, 3),), {"scale": torch.tensor(2.0)}

    def dynamic_shapes(self):
        return {"x": {0: "batch"}, "scale": {}}

    def input_names(self):
        return ["features", "scale"]

    def output_names(self):
        return ("scores",)


def test_modules_that_know_their_arguments():
    with pytest.raises(TypeError, match="abstract"):
        torch.onnx.ExportableModule()
    module = Doubled().eval()
    for program in (module.to_onnx(), torch.onnx.export(module), module.to_onnx(output_names=["scores"])):
        graph = program.model_proto.graph
        assert [x.name for x in (*graph.input, *graph.output)] == ["features", "scale", "scores"]
        assert graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    found = program.call_reference(torch.ones(5, 3), scale=torch.tensor(1.0))[0]
    torch.testing.assert_close(found, module(torch.ones(5, 3), scale=1.0).detach())


def test_any_node_of_any_domain():
    def function(x):
        one = torch.onnx.ops.symbolic(
            "mine::Twice", (x, None), {"by": 2, "names": ["a", "b"], "on": True}, dtype=x.dtype, shape=x.shape, version=3,
            metadata_props={"who": "me"},
        )  # fmt: skip
        parts = torch.onnx.ops.symbolic_multi_out(
            "mine::Parts", (one,), dtypes=(1, torch.int64), shapes=((2,), (1,))
        )
        return parts[0].relu(), parts[1]

    program = torch.onnx.export(Call(function).eval(), (X,))
    first, second, *_ = program.model_proto.graph.node
    assert (first.domain, first.op_type, [*first.input]) == ("mine", "Twice", ["args_0"])
    assert {x.name: x.i or [*x.strings] for x in first.attribute} == {"by": 2, "names": [b"a", b"b"], "on": 1}
    assert {x.key: x.value for x in first.metadata_props}["who"] == "me"
    assert (second.op_type, len(second.output)) == ("Parts", 2)
    assert {x.domain: x.version for x in program.model_proto.opset_import} == {"": 20, "mine": 3}
    with pytest.raises(RuntimeError, match="Number of shapes"):
        torch.onnx.ops.symbolic_multi_out("mine::Parts", (), dtypes=(1,), shapes=())
    with pytest.raises(ValueError, match="Unsupported attribute type for x"):
        torch.onnx.ops.symbolic("mine::Twice", (X,), {"x": X}, dtype=1, shape=())
    with pytest.raises(RuntimeError, match="Unsupported dtype"):
        torch.onnx.ops.symbolic("mine::Twice", (X,), dtype="float", shape=())


ATTENDED = {
    "plain": lambda x: torch.onnx.ops.attention(x, x, x),
    "with a mask": lambda x: torch.onnx.ops.attention(x, x, x, x[0, :, :, :3], scale=0.5)[:1],
    "causal": lambda x: torch.onnx.ops.attention(x, x, x, is_causal=True)[0],
    "packed": lambda x: torch.onnx.ops.attention(x[0], x[0], x[0], q_num_heads=2, kv_num_heads=2)[0],
    "rotated": lambda x: torch.onnx.ops.rotary_embedding(x, x[:, 0, :, :2], x[:, 1, :, 2:]),
}


@pytest.mark.parametrize("name", ATTENDED)
def test_attention_is_one_node(name):
    module = Call(ATTENDED[name]).eval()
    program = torch.onnx.export(module, (X,), opset_version=23)
    assert {"Attention", "RotaryEmbedding"} & {node.op_type for node in program.model_proto.graph.node}
    check(program, module, X)
    with pytest.raises(UnsupportedOperatorError, match="added in version 23"):
        torch.onnx.export(module, (X,), opset_version=22)


def test_attention_that_runtimes_do_not_agree_about_is_refused():
    module = Call(lambda x: torch.onnx.ops.attention(x, x, x, is_causal=True, softcap=2.0)[0]).eval()
    with pytest.raises(ConversionError, match="softcap"):
        torch.onnx.export(module, (X,), opset_version=23)


def test_attention_has_gradients():
    x = X.clone().double().requires_grad_()
    assert torch.autograd.gradcheck(lambda x: torch.onnx.ops.attention(x, x, x, softcap=1.0)[0], (x,))


def test_programs_are_compared():
    module = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)).eval()
    program = torch.onnx.export(module, (torch.randn(2, 3),))
    assert_onnx_program(program, backend="reference")
    assert_onnx_program(program, args=(torch.randn(2, 3),), backend="reference")
    with pytest.raises(ValueError, match="Expected strategy 'Other'"):
        assert_onnx_program(program, strategy="Other")
    with pytest.raises(ValueError, match="Unsupported backend"):
        assert_onnx_program(program, backend="other")
    names = [each.name for each in verify_onnx_program(program, compare_intermediates=True)]
    assert names == [node.output[0] for node in program.model_proto.graph.node]
    if onnxruntime is not None:
        (found,) = verify_onnx_program(program)
        assert found.max_abs_diff < 1e-5 and found.asdict()["expected_dtype"] == "torch.float32"
    program.apply_weights({"0.bias": torch.ones(4)})
    with pytest.raises(AssertionError, match="not close"):
        assert_onnx_program(program, backend="reference")
    assert max(each.max_abs_diff for each in verify_onnx_program(program, compare_intermediates=True)) > 0.1
    program.exported_program = None
    with pytest.raises(ValueError, match="does not contain an ExportedProgram"):
        assert_onnx_program(program)


def test_differences_of_numbers():
    found = VerificationInfo.from_tensors("y", torch.tensor([1.0, 2.0]), torch.tensor([1.5, 2.0]))
    assert (found.max_abs_diff, found.expected_dtype) == (0.5, torch.float32)
    assert found.abs_diff_hist[0].tolist() == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    assert VerificationInfo.from_tensors("y", torch.ones(0), torch.ones(0)).max_abs_diff == float("inf")
