"""minigrad: PyTorch's tensors, autograd, nn and optim in pure Python over NumPy.

``import minigrad as torch`` and a program written for PyTorch runs.  The tensor-level names are here (functions by way of ``_api.py``); they,
and the subpackages, are imported when they are first used.
"""

from math import e, inf, nan, pi

from ._base.allocator import keep_memory as _keep_memory
from ._base.threads import hold_blas as _hold_blas

_keep_memory()  # before the first large array
_hold_blas()

from ._api import *  # noqa: E402
from ._api import _FUNCTIONS  # noqa: E402
from ._base import lazy as _lazy  # noqa: E402
from ._base.dtypes import WITHOUT_TENSORS as _WITHOUT_TENSORS  # noqa: E402
from ._base.dtypes import (  # noqa: E402
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ._base.dtypes import bool_ as bool  # noqa: E402
from ._base.dtypes import complex64 as cfloat  # noqa: E402
from ._base.dtypes import complex128 as cdouble  # noqa: E402
from ._base.dtypes import float16 as half  # noqa: E402
from ._base.dtypes import float32 as float  # noqa: E402
from ._base.dtypes import float64 as double  # noqa: E402
from ._base.dtypes import int16 as short  # noqa: E402
from ._base.dtypes import int32 as int  # noqa: E402
from ._base.dtypes import int64 as long  # noqa: E402
from .version import __version__  # noqa: E402

#: Imported when first used.
_SUBMODULES = (
    "_C",
    "_decomp",
    "_dynamo",
    "_functorch",
    "_higher_order_ops",
    "_inductor",
    "_jit_internal",
    "_VF",
    "__config__",
    "__future__",
    "_logging",
    "_prims_common",
    "_tensor",
    "_tensor_str",
    "_utils",
    "_vmap_internals",
    "accelerator",
    "amp",
    "autograd",
    "backends",
    "compiler",
    "cpu",
    "cuda",
    "distributed",
    "distributions",
    "export",
    "fft",
    "func",
    "functional",
    "fx",
    "futures",
    "hub",
    "jit",
    "library",
    "masked",
    "linalg",
    "mps",
    "mtia",
    "multiprocessing",
    "nn",
    "onnx",
    "ops",
    "optim",
    "overrides",
    "profiler",
    "quasirandom",
    "random",
    "return_types",
    "serialization",
    "signal",
    "sparse",
    "special",
    "storage",
    "testing",
    "torch_version",
    "types",
    "utils",
    "viz",
    "xpu",
)
_later = _lazy.places(
    _FUNCTIONS,
    {name: f"{name}=" for name in _SUBMODULES},
    {"_alias": "install_as_torch uninstall_as_torch", "_base.threads": "get_num_threads set_num_threads"},
    {
        "serialization": "load save",
        "jit": "ScriptFunction ScriptModule",
        "_serialization.file_reader": "PyTorchFileReader",
        "_base.dtypes": (
            " ".join(_WITHOUT_TENSORS) + " bit=uint1 complex32 chalf=complex32 "
            "float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu"
        ),
        "amp.autocast_mode": (
            "autocast get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype get_autocast_ipu_dtype get_autocast_xla_dtype "
            "is_autocast_cache_enabled is_autocast_cpu_enabled is_autocast_enabled is_autocast_ipu_enabled is_autocast_xla_enabled"
        ),
        "amp._settings": (
            "autocast_decrement_nesting autocast_increment_nesting clear_autocast_cache set_autocast_cache_enabled set_autocast_cpu_dtype "
            "set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype set_autocast_ipu_dtype "
            "set_autocast_ipu_enabled set_autocast_xla_dtype set_autocast_xla_enabled"
        ),
        "amp.grad_scaler": "GradScaler",
        "_base.device": (
            "_mkldnn jagged per_channel_affine per_channel_affine_float_qparams per_channel_symmetric per_tensor_affine "
            "per_tensor_symmetric qscheme sparse_bsc sparse_bsr sparse_csc sparse_csr"
        ),
        "_devices": "get_device_module is_vulkan_available",
        "_devices.streams": "Event Stream",
        "_ops.storage_classes": "QInt32Storage QInt8Storage QUInt2x4Storage QUInt4x2Storage QUInt8Storage",
        "_lobpcg": "lobpcg",
        "_symbolic": "SymBool SymFloat SymInt sym_float sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum",
        "_capture.captured": "capture",
        "compiler": "compile",
        "_higher_order_ops.cond": "cond",
        "func": "vmap",
        "overrides": "DisableTorchFunction DisableTorchFunctionSubclass",
    },
)
_EXTENSION = ("load_ipython_extension", "unload_ipython_extension")
newaxis = None


def __getattr__(name):
    if name.startswith("_foreach_"):
        return _lazy.fetch(name, {name: ("_ops.foreach", name)}, globals())
    if name.endswith("load_ipython_extension"):  # IPython looks for them here
        return _lazy.fetch(name, {name: ("_ipython", name) for name in _EXTENSION}, globals())
    return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


__all__ = [name for name in __dir__() if name[0] != "_" and name not in (*_SUBMODULES, "version")]
_lazy.publish_all(globals())
_lazy.answer_for_sources(globals())
