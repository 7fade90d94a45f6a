"""Names of ``torch._C`` that libraries ask, beside those about autograd: how PyTorch was built, switches of its compilers, its lists of functions.

Switches are kept, and change nothing: there is nothing compiled here.
"""

import sys

import numpy as np

from . import _api, linalg, ops
from ._base.lazy import places
from ._base.suggestions import NamesLike
from ._core.tensor import Tensor
from ._ops import flat_tensors
from .nn import functional
from .utils import swap_tensors

_PACKAGE = __name__.partition(".")[0]

#: Name -> what the package itself calls it.
_IN_PACKAGE = {
    name: there
    for name, (_, there) in places(
        {
            "": "default_generator Size device dtype finfo iinfo layout memory_format get_default_dtype get_num_threads set_num_threads "
            "get_num_interop_threads set_num_interop_threads set_flush_denormal get_autocast_dtype is_autocast_enabled "
            "is_autocast_cache_enabled is_anomaly_enabled is_anomaly_check_nan_enabled set_anomaly_enabled is_grad_enabled "
            "is_inference_mode_enabled OutOfMemoryError _InferenceMode=inference_mode _set_default_dtype=set_default_dtype "
            "_set_default_tensor_type=set_default_tensor_type _get_warnAlways=is_warn_always_enabled _set_warnAlways=set_warn_always "
            "_get_deterministic_algorithms=are_deterministic_algorithms_enabled _from_dlpack=from_dlpack _to_dlpack=to_dlpack "
            "_get_deterministic_algorithms_warn_only=is_deterministic_algorithms_warn_only_enabled "
            "_set_deterministic_algorithms=use_deterministic_algorithms _get_float32_matmul_precision=get_float32_matmul_precision "
            "_set_float32_matmul_precision=set_float32_matmul_precision"
        }
    ).items()
}


def find(name):
    """What ``torch._C`` has under a name; raises AttributeError if nothing."""
    if name in _IN_PACKAGE:
        return getattr(sys.modules[_PACKAGE], _IN_PACKAGE[name])
    if name in _FOUND:
        return _FOUND[name]
    raise AttributeError(
        f"module '{_PACKAGE}._C' has no attribute '{name}'",
        name=name,
        obj=NamesLike(name, sys.modules[f"{_PACKAGE}._C"]),
    )


# How it was built ------------------------------------------------------------------------------------------------------------


def _show_config():
    lines = [f"  - Python {sys.version.split()[0]}", f"  - NumPy {np.__version__}", "  - Devices: CPU"]
    return "\n".join(["minigrad runs on:", *lines, ""])


def _parallel_info():
    threads = sys.modules[_PACKAGE].get_num_threads()
    return f"NumPy's products in threads:\n\tget_num_threads() : {threads}\noperators in one thread\n"


def _log_api_usage_once(event):
    """Nothing is logged: PyTorch counts here what is used."""


def _log_api_usage_metadata(event, metadata):
    """Nothing is logged."""


def _add_docstr(obj, doc_obj):
    """Give a function a docstring; raises RuntimeError if it has one.  Returns the function."""
    if obj.__doc__ is not None:
        raise RuntimeError(f"{type(obj).__name__} '{obj.__name__}' already has a docstring")
    obj.__doc__ = doc_obj
    return obj


# Switches --------------------------------------------------------------------------------------------------------------------


def _setting(value):
    """A function that sets something and returns what it was before."""

    def set_value(given):
        nonlocal value
        value, before = given, value
        return before

    return set_value


def _silent_setting(value):
    """The same, without a result."""
    set_value = _setting(value)

    def set_silently(given):
        set_value(given)

    return set_silently


# Lists of functions ------------------------------------------------------------------------------------------------------------


class _Functions:
    """Functions of several places under one name; the first place that has a name wins."""

    def __init__(self, name, *places):
        self.__name__, self._places = name, places

    def __getattr__(self, name):
        for place, prefix in self._places:
            found = None if name[:2] == "__" else getattr(place, prefix + name, None)
            if found is not None:
                return getattr(found, "op", found)
        raise AttributeError(f"'{self.__name__}' has no function '{name}'")


class _FlatTensors:
    flatten_dense_tensors = staticmethod(flat_tensors.flatten_dense_tensors)
    unflatten_dense_tensors = staticmethod(flat_tensors.unflatten_dense_tensors)


_VariableFunctions = _Functions("torch._C._VariableFunctions", (_api, ""))

_FOUND = {
    "_GLIBCXX_USE_CXX11_ABI": True,
    "_LinAlgError": linalg.LinAlgError,
    "_TensorBase": Tensor,
    "_VariableFunctions": _VariableFunctions,
    "_VariableFunctionsClass": _Functions,
    "_add_docstr": _add_docstr,
    "_autocast_supported_devices": lambda: ["cpu"],
    "_cxx_flags": lambda: "",
    "_fft": _Functions("torch._C._fft", (ops.aten, "")),
    "_get_cpu_capability": lambda: "DEFAULT",
    "_get_default_device": lambda: str(_api.get_default_device()),
    "_get_privateuse1_backend_name": lambda: "privateuseone",
    "_get_tracing_state": lambda: None,
    "_group_tensors_by_device_and_dtype": flat_tensors.group_by_device_and_dtype,
    "_infer_size": lambda a, b: _api.broadcast_shapes(a, b),
    "_is_autocast_available": lambda device_type: device_type == "cpu",
    "_is_tracing": lambda: False,
    "_jit_override_can_fuse_on_cpu": _silent_setting(False),
    "_jit_override_can_fuse_on_gpu": _silent_setting(True),
    "_jit_set_autocast_mode": _setting(True),
    "_jit_set_bailout_depth": _setting(20),
    "_jit_set_fusion_strategy": _setting([("STATIC", 2), ("DYNAMIC", 10)]),
    "_jit_set_num_profiled_runs": _setting(1),
    "_jit_set_nvfuser_enabled": _setting(False),
    "_jit_set_profiling_executor": _setting(True),
    "_jit_set_profiling_mode": _setting(True),
    "_jit_set_texpr_fuser_enabled": _silent_setting(True),
    "_linalg": _Functions("torch._C._linalg", (ops.aten, "")),
    "_log_api_usage_metadata": _log_api_usage_metadata,
    "_log_api_usage_once": _log_api_usage_once,
    "_nn": _Functions("torch._C._nn", (_FlatTensors, ""), (ops.aten, ""), (functional, "")),
    "_parallel_info": _parallel_info,
    "_show_config": _show_config,
    "_special": _Functions("torch._C._special", (ops.aten, "")),
    "_swap_tensor_impl": swap_tensors,
    **dict.fromkeys(
        [
            f"_has_{name}"
            for name in [
                "cuda",
                "cudnn",
                "cusparselt",
                "distributed",
                "kleidiai",
                "magma",
                "mkldnn",
                "mkldnn_acl",
                "mps",
                "xpu",
            ]
        ],
        False,
    ),
    **dict.fromkeys(["has_mkl", "has_openmp"], False),
    **dict.fromkeys(["has_lapack", "has_spectral"], True),
}
