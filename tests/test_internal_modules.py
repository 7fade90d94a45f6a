"""Modules below PyTorch's public names that libraries import: ``torch._C``, ``_prims_common``, ``_logging``, ``_ops``, ``__config__``; reports of the machine."""

import logging

import pytest

import minigrad as torch
from minigrad import _C, _logging, _prims_common
from minigrad._prims_common import ELEMENTWISE_TYPE_PROMOTION_KIND as KIND
from minigrad.utils import collect_env, cpp_extension


def test_names_of_c_are_those_of_the_package():
    for name in ("dtype", "device", "Size", "default_generator", "set_flush_denormal", "get_num_threads"):
        assert getattr(_C, name) is getattr(torch, name)
    assert _C._TensorBase is torch.Tensor and _C._LinAlgError is torch.linalg.LinAlgError
    with pytest.raises(AttributeError, match="has no attribute 'nothing_such'"):
        _C.nothing_such


def test_functions_are_listed():
    x = torch.tensor([[4.0, 1.0], [1.0, 3.0]])
    assert torch.equal(_C._nn.gelu(x), torch.nn.functional.gelu(x))
    assert _C._nn.mse_loss(x, x + 1, 2) == 4 and _C._nn.flatten_dense_tensors([x]).shape == (4,)
    assert _C._VariableFunctions.add(x, 1)[0, 0] == 5 and _C._linalg.linalg_det(x) == pytest.approx(11)
    assert torch.equal(_C._special.special_i0(x), torch.special.i0(x)) and _C._fft.fft_fft(x).is_complex()
    with pytest.raises(AttributeError, match="'torch._C._nn' has no function 'nothing_such'"):
        _C._nn.nothing_such


def test_switches_are_kept():
    assert _C._jit_set_profiling_mode(False) is True and _C._jit_set_profiling_mode(True) is False
    assert _C._jit_set_texpr_fuser_enabled(False) is None and _C._log_api_usage_once("event") is None
    assert _C._get_tracing_state() is None and _C._get_default_device() == "cpu" and not _C._has_cuda
    assert _C._infer_size((2, 1), (3,)) == (2, 3) and _C._is_autocast_available("cpu")


def test_docstrings_are_added():
    def function():
        pass

    assert _C._add_docstr(function, "text") is function and function.__doc__ == "text"
    with pytest.raises(RuntimeError, match="'function' already has a docstring"):
        _C._add_docstr(function, "other")


def test_what_the_package_runs_on():
    assert "NumPy" in torch.__config__.show() and "threads" in torch.__config__.parallel_info()
    text = collect_env.get_pretty_env_info()
    assert f"PyTorch version: minigrad {torch.__version__}" in text and "] numpy==" in text
    assert collect_env.get_env_info().python_platform in text


def test_extensions_are_not_compiled():
    for call in (cpp_extension.load, cpp_extension.CppExtension, cpp_extension.BuildExtension):
        with pytest.raises(RuntimeError, match="no C\\+\\+ library to compile extensions against"):
            call(name="mine", sources=["mine.cpp"])
    assert cpp_extension.BuildExtension.with_options(use_ninja=False) is cpp_extension.BuildExtension
    assert cpp_extension.CUDA_HOME is None and not cpp_extension.is_ninja_available()


def test_classes_of_operators():
    from minigrad import ops
    from minigrad._ops import OpOverload, OpOverloadPacket

    assert isinstance(ops.aten.mm.default, OpOverload) and isinstance(ops.aten.mm, OpOverloadPacket)


def test_warnings_are_logged_once(caplog):
    logger = logging.getLogger("tests.once")
    for number in (5, 5, 6):
        _logging.warning_once(logger, "step %s", number)
    assert [record.getMessage() for record in caplog.records] == ["step 5", "step 6"]
    assert str(_logging.LazyString("{}-{}".format, 1, 2)) == "1-2"
    assert _logging.getArtifactLogger("mine", "graph") is _logging.getArtifactLogger("mine", "graph")
    with pytest.raises(ValueError, match="Unrecognized log level for log dynamo"):
        _logging.set_logs(dynamo="loud")


#: Calls in ``p``, ``_prims_common``, and ``lib``, whose results PyTorch's are.
FACTS = """
p.make_contiguous_strides_for((2, 0, 3)); p.make_contiguous_strides_for((2, 4, 3)); p.make_contiguous_strides_for((2, 4, 3), False); p.make_channels_last_2d_strides_for((2, 4, 3, 5))
p.is_expandable_to((3,), (2, 3)); p.is_expandable_to((2, 3), (3,)); p.canonicalize_dim(3, -1); p.canonicalize_dims(3, (-1, 0)); p.canonicalize_dim(0, -1)
p.infer_size((2, -1), 6); p.compute_required_storage_length((2, 3), (3, 1), 5); p.compute_required_storage_length((2, 0), (3, 1), 5); p.same_shape((2, 3), [2, 3])
str(p.suggest_memory_format(lib.ones(1, 2, 3, 3).to(memory_format=lib.channels_last))); str(p.suggest_memory_format(lib.ones(2))); p.is_contiguous(lib.ones(2, 3).t())
str(p.corresponding_real_dtype(lib.complex64)); str(p.corresponding_complex_dtype(lib.float64)); str(p.type_to_dtype(float)); str(p.type_to_dtype(int)); str(p.type_to_dtype(complex))
str(p.get_higher_dtype(lib.int64, lib.float16)); str(p.dtype_or_default(None)); str(p.device_or_default(None)); p.prod([2, 3]); p.number_type(2); p.is_cpu_scalar_tensor(lib.tensor(1))
p.clone_preserve_strides(lib.ones(2, 3).t()).stride(); p.reduction_dims((2, 3), None); p.compute_reduction_output_shape((2, 3, 4), (1,)); p.infer_size_shapes((2, 1), (3,))
[f(d) for f in (p.is_boolean_dtype, p.is_integer_dtype, p.is_float_dtype, p.is_complex_dtype, p.is_low_precision_dtype, p.is_grad_dtype, p.dtype_to_type) for d in (lib.bool, lib.int8, lib.bfloat16, lib.float64, lib.complex64)]
"""
OPERANDS = """
lib.ones(1, dtype=lib.int32), 2.5; lib.ones(1, dtype=lib.bfloat16), lib.ones((), dtype=lib.float64); lib.ones(1, dtype=lib.complex64),; lib.ones(1, dtype=lib.bool), 1
lib.ones(1, dtype=lib.bool), lib.ones((), dtype=lib.uint8), 3; lib.ones(1, dtype=lib.float16), 1j; lib.ones(1, dtype=lib.int8), lib.ones(1, dtype=lib.uint8), lib.ones(()); True, 2
lib.ones(1, dtype=lib.float64), lib.ones((), dtype=lib.complex64); lib.ones(()), lib.ones((), dtype=lib.float64), None
"""


def split(text):
    return [each.strip() for each in text.replace("\n", ";").split(";") if each.strip()]


@pytest.mark.torch
@pytest.mark.parametrize("fact", split(FACTS))
def test_facts_are_pytorchs(fact):
    theirs = pytest.importorskip("torch")
    from torch import _prims_common as their_common

    ours = eval(fact, {"p": _prims_common, "lib": torch})
    assert ours == eval(fact, {"p": their_common, "lib": theirs})


@pytest.mark.torch
@pytest.mark.parametrize("kind", [kind.name for kind in KIND])
@pytest.mark.parametrize("operands", split(OPERANDS))
def test_dtypes_of_elementwise_results_are_pytorchs(operands, kind):
    theirs = pytest.importorskip("torch")
    from torch import _prims_common as their_common

    found = [
        str(
            common.elementwise_dtypes(
                *eval(f"({operands})", {"lib": lib}),
                type_promotion_kind=common.ELEMENTWISE_TYPE_PROMOTION_KIND[kind],
            )
        )
        for common, lib in ((_prims_common, torch), (their_common, theirs))
    ]
    assert found[0] == found[1]


def test_what_is_refused():
    with pytest.raises(IndexError, match="Dimension out of range"):
        _prims_common.canonicalize_dim(3, 5)
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        _prims_common.infer_size((4, -1), 6)
    with pytest.raises(ValueError, match="Invalid type <class 'str'>!"):
        _prims_common.type_to_dtype(str)
