"""The tensor-level public names, gathered once: what ``minigrad`` exports, and all that ``nn``, ``optim`` and the rest build on.

Operators are imported by subject, when one of their names is first used (``_base/lazy.py``): the tables of ``_ops/names.py``
say in which module each is.
"""

from ._base import lazy as _lazy
from ._base.device import Device as _Device
from ._base.device import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    device,
    layout,
    memory_format,
    preserve_format,
    sparse_coo,
    strided,
)
from ._base.dtypes import can_cast, dtype, get_default_dtype, promote_types, set_default_dtype
from ._base.missing import lacks as _lacks
from ._base.size import Size
from ._core.hooks import RemovableHandle as _RemovableHandle
from ._core.modes import capturing as _capturing
from ._core.node import Node as _Node
from ._core.storage import check_overlap as _check_overlap
from ._core.tensor import Tensor
from ._core.tensor import about_to_write as _about_to_write
from ._core.tensor import bump as _bump
from ._core.tensor import wrap as _wrap
from ._meta import fetch as _fetch_meta
from ._ops import names as _names
from ._sparse import fetch as _fetch_sparse

#: The functions of each module, as ``lazy.py`` describes it: of operators, and of others.
_FUNCTIONS = _names.FUNCTIONS | {
    "_base.device": "get_default_device set_default_device",
    "_base.errors": "AcceleratorError OutOfMemoryError",
    "_base.limits": "finfo iinfo",
    "_display.tensor_text": "set_printoptions",
    "_base.settings": (
        "are_deterministic_algorithms_enabled get_deterministic_debug_mode get_float32_matmul_precision "
        "get_num_interop_threads is_deterministic_algorithms_warn_only_enabled is_warn_always_enabled "
        "set_deterministic_debug_mode set_float32_matmul_precision set_flush_denormal set_num_interop_threads "
        "set_warn_always use_deterministic_algorithms"
    ),
    "_sparse.construct": "sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor sparse_csc_tensor sparse_csr_tensor",
    "_sparse.products": "hspmm smm sspaddmm",
    "autograd.anomaly_mode": "is_anomaly_check_nan_enabled is_anomaly_enabled set_anomaly_enabled",
    "autograd.grad_mode": "enable_grad inference_mode is_grad_enabled is_inference_mode_enabled no_grad set_grad_enabled",
}
#: What ``nn`` and ``optim`` need besides.
_INTERNAL = {
    "_base.attention_kernels": "_attention_kernels=",
    "_base.callers": "_level_of_user=level_of_user",
    "_base.compiling": "_compiling=",
    "_base.composites": "_composites=",
    "_base.dtypes": "_dtypes=",
    "_base.missing": "_getattr_of=getattr_of",
    "_base.mixing": "_mixing=",
    "_ops.autocasting": "_autocast_dtype=current_dtype",
    "_core.hooks": "_hooks=",
    "_display.html": "_markup=",
    "_ops.parameter": "_Buffer=Buffer _Parameter=Parameter",
    "_ops.activation": "_activation=",
    "_ops.convert": "_convert=",
    "_ops.copying": "_warn_if_has_hooks=warn_if_has_hooks",
    "_ops.attention": "_attention=",
    "_ops.class_loss": "_class_loss=",
    "_ops.linalg_factors": "_linalg_factors=",
    "_ops.linalg_functions": "_linalg_functions=",
    "_ops.linalg_norms": "_linalg_norms=",
    "_ops.linalg_orthogonal": "_linalg_orthogonal=",
    "_ops.linalg_solvers": "_linalg_solvers=",
    "_ops.linalg_spectral": "_linalg_spectral=",
    "_ops.linalg_vectors": "_linalg_vectors=",
    "_ops.linear": "_linear=linear",
    "_ops.loss": "_loss=",
    "_ops.margin_loss": "_margin_loss=",
    "_ops.moments": "_moments=",
    "_ops.normalize": "_normalize=",
    "_ops.random_new": "_random_new=",
    "_ops.recurrent": "_recurrent=",
    "_ops.special": "_special=",
    "_ops.spectral": "_spectral=",
    "autograd": "autograd=",
    "func.batches": "_vmap=vmap",
    "func.modules": "_functional_call=functional_call",
}

_found = _lazy.places(_FUNCTIONS, _INTERNAL)
_METHODS = f"{__package__}._tensor"  # where pickles find them
_lazy.bind(Tensor, _names.METHODS, _METHODS, _found)
_lazy.bind(
    Tensor,
    {
        "_ops.copying": "__deepcopy__=tensor_deepcopy",
        "autograd.differentiate": "backward=tensor_backward",
        "_utils": "__reduce_ex__=tensor_reduce __setstate__=set_state",
    },
    _METHODS,
)
_lazy.bind(
    Tensor,
    {
        "_sparse.methods": (
            "_coalesced_ _dimI _dimV _indices _nnz _to_dense _values ccol_indices coalesce col_indices crow_indices dense_dim indices is_coalesced resize_as_sparse_ row_indices "
            "sparse_dim sparse_mask sparse_resize_ sparse_resize_and_clear_ to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc "
            "to_sparse_csr values"
        ),
        "_sparse.products": "smm sspaddmm",
    },
    _METHODS,
    _found,
)
# of 2017:
_lazy.bind(
    Tensor,
    {
        "autograd._legacy.volatile": "volatile",
        "_ops.legacy_types": "_construct=construct",
        "autograd._legacy.stochastic_function": "reinforce",
        "autograd.variable": "creator",
    },
    _METHODS,
)
_lazy.bind(
    _Node,
    {
        "autograd.graph": "__call__=call_node _input_metadata=node_input_metadata",
        "autograd._legacy.instance_function": "previous_functions",
    },
)

#: What PyTorch's tensors have besides.
_lacks(
    Tensor,
    "index int_repr ipu mtia qscheme record_stream resize resize_as slice_inverse to_mkldnn to_padded_tensor xpu",
)


def __getattr__(name):
    return _lazy.fetch(name, _found, globals())
