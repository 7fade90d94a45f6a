"""``minigrad.onnx``: what libraries ask and import; tests/onnx exports models."""

import sys

import pytest

import minigrad as torch
from minigrad.onnx import errors, symbolic_helper, symbolic_opset9, symbolic_opset11, utils


def test_guards_of_exports():
    assert torch.onnx.is_in_onnx_export() is False
    assert (int(torch.onnx.TrainingMode.TRAINING), torch.onnx.OperatorExportTypes.ONNX_ATEN_FALLBACK) == (
        2,
        2,
    )
    assert torch.onnx.TensorProtoDataType.FLOAT == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: symbolic_opset9.add(None, 1, 2),
        lambda: symbolic_opset11.select(None, 1),
        lambda: symbolic_helper._get_tensor_sizes(None),
    ],
)
def test_symbolic_functions_say_what_is_missing(call):
    with pytest.raises(torch.onnx.OnnxExporterError, match="minigrad cannot export"):
        call()
    assert issubclass(errors.OnnxExporterError, RuntimeError)


def test_exports_need_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"needs the package 'onnx'.*\[onnx\]"):
        torch.onnx.export(torch.nn.ReLU().eval(), torch.ones(1))


def test_libraries_register_their_operators():
    @symbolic_helper.parse_args("v", "i")
    def double(g, x, times):
        return (g, x, times)

    torch.onnx.register_custom_op_symbolic("mine::double", double, 9)
    assert torch.onnx._registered["mine::double"][9]("graph", 1, 2) == ("graph", 1, 2)
    utils.unregister_custom_op_symbolic("mine::double", 9)
    assert 9 not in torch.onnx._registered["mine::double"]
    with pytest.raises(ValueError, match="must match the format domain::name"):
        torch.onnx.register_custom_op_symbolic("double", double, 9)
    with pytest.raises(AssertionError, match="number of arguments"):
        double("graph", 1, 2, 3)
    with pytest.raises(AttributeError):
        symbolic_opset9.__wrapped__


@pytest.mark.parametrize("mode", list(torch.onnx.TrainingMode))
def test_the_mode_of_a_model_is_restored(mode):
    model = torch.nn.ReLU().eval()
    with utils.select_model_mode_for_export(model, mode):
        assert model.training is (mode is torch.onnx.TrainingMode.TRAINING)
    assert model.training is False


def test_errors_tell_what_would_help():
    assert "is not supported. Support for this operator was added in version 11" in str(
        errors.UnsupportedOperatorError("aten::foo", 9, 11)
    )
    assert "custom_translation_table" in str(errors.UnsupportedOperatorError("aten::foo", 9, None))
    assert "Caused by the value '5' (type 'int')" in str(errors.SymbolicValueError("no constant", 5))
