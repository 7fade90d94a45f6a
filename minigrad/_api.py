"""The tensor-level public names, gathered once: what ``minigrad`` exports, and all that ``nn``, ``optim`` and the rest build on.

Operators are imported by subject, when one of their names is first used (``_base/lazy.py``): ``_FUNCTIONS`` says in
which module each is.
"""

from ._base import lazy as _lazy
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
from ._base.size import Size
from ._core.hooks import RemovableHandle as _RemovableHandle
from ._core.node import Node as _Node
from ._core.tensor import Tensor
from ._core.tensor import about_to_write as _about_to_write
from ._core.tensor import bump as _bump
from ._core.tensor import wrap as _wrap
from ._ops import methods as _methods

#: The functions of each module, as ``lazy.py`` describes it.
_FUNCTIONS = {
    "_base.device": "get_default_device set_default_device",
    "_base.errors": "OutOfMemoryError",
    "_base.limits": "finfo iinfo",
    "_ops.storage_classes": "TypedStorage UntypedStorage",
    "_display.tensor_text": "set_printoptions",
    "_base.settings": (
        "are_deterministic_algorithms_enabled get_deterministic_debug_mode get_float32_matmul_precision "
        "get_num_interop_threads is_deterministic_algorithms_warn_only_enabled is_warn_always_enabled "
        "set_deterministic_debug_mode set_float32_matmul_precision set_flush_denormal set_num_interop_threads "
        "set_warn_always use_deterministic_algorithms"
    ),
    "_ops.activation": "celu celu_ hardshrink prelu relu relu_ rrelu rrelu_ selu selu_ threshold threshold_",
    "_ops.arithmetic": (
        "add addcdiv addcmul copysign float_power frexp heaviside hypot ldexp ldexp_ lerp mul multiply neg "
        "neg_ negative negative_ nextafter positive pow reciprocal reciprocal_ rsqrt rsqrt_ rsub sqrt sqrt_ "
        "square square_ sub subtract"
    ),
    "_ops.arrange": "diag diag_embed diagflat flip fliplr flipud roll rot90 trace tril triu",
    "_ops.choose": (
        "clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ fmax fmin maximum minimum "
        "nan_to_num nan_to_num_ where"
    ),
    "_ops.bins": "bincount bucketize histc histogram histogramdd isin searchsorted",
    "_ops.compare": (
        "allclose bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor eq "
        "equal gcd gcd_ ge greater greater_equal gt is_nonzero isclose isfinite isinf isnan isneginf "
        "isposinf isreal lcm lcm_ le less less_equal logical_and logical_not logical_or logical_xor lt ne "
        "not_equal signbit"
    ),
    "_ops.complex": (
        "angle complex conj conj_physical conj_physical_ imag is_conj is_neg polar real resolve_conj "
        "resolve_neg view_as_complex view_as_real"
    ),
    "_ops.convert": "clone fill fill_ zero_",
    "_ops.convolution": (
        "conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution"
    ),
    "_ops.create": (
        "empty empty_like empty_permuted empty_strided eye full full_like ones ones_like scalar_tensor "
        "zeros zeros_like"
    ),
    "_ops.from_data": "as_tensor asarray from_dlpack from_numpy frombuffer tensor",
    "_ops.ranges": "arange linspace logspace range tril_indices triu_indices",
    "_ops.cumulative": "cummax cummin cumprod cumsum cumulative_trapezoid diff gradient logcumsumexp trapezoid trapz",
    "_ops.ctc": "ctc_loss",
    "_ops.dlpack": "to_dlpack",
    "_ops.distance": "cdist cosine_similarity dist pairwise_distance pdist",
    "_ops.dropout": (
        "alpha_dropout alpha_dropout_ dropout dropout_ feature_alpha_dropout feature_alpha_dropout_ "
        "feature_dropout feature_dropout_"
    ),
    "_ops.einsum": "bilinear chain_matmul einsum inner kron tensordot",
    "_ops.embedding": "embedding embedding_bag embedding_renorm_",
    "_ops.error_function": "erf erf_ erfc erfc_",
    "_ops.gather": "gather take_along_dim",
    "_ops.index_slices": "index_add index_copy index_fill index_select",
    "_ops.part_scatter": "as_strided_scatter diagonal_scatter select_scatter slice_scatter",
    "_ops.scatter": "index_reduce scatter scatter_add scatter_reduce",
    "_ops.image": (
        "affine_grid_generator channel_shuffle grid_sampler grid_sampler_2d grid_sampler_3d native_channel_shuffle "
        "pixel_shuffle pixel_unshuffle"
    ),
    "_ops.hashing": "hash_tensor",
    "_ops.index": "index_put index_put_",
    "_ops.masks": "masked_fill masked_scatter masked_select",
    "_ops.nonzero": "argwhere nonzero nonzero_static unravel_index",
    "_ops.take": "put take",
    "_ops.inquire": "_assert is_complex is_floating_point is_inference is_same_size is_signed is_tensor numel result_type",
    "_ops.join": (
        "atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cat "
        "column_stack combinations concat concatenate dstack hstack meshgrid repeat_interleave row_stack "
        "stack tile vstack"
    ),
    "_ops.legacy_types": (
        "BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor "
        "set_default_tensor_type typename"
    ),
    "_ops.linalg_factors": "cholesky_inverse cholesky_solve lu_unpack",
    "_ops.linalg_functions": "det logdet matrix_exp matrix_power slogdet",
    "_ops.linalg_old": "cholesky eig frobenius_norm lstsq lu lu_solve matrix_rank nuclear_norm qr solve svd symeig",
    "_ops.linalg_orthogonal": "geqrf orgqr ormqr",
    "_ops.linalg_solvers": "inverse triangular_solve",
    "_ops.linalg_spectral": "pca_lowrank pinverse svd_lowrank",
    "_ops.linalg_vectors": "corrcoef cov cross vander",
    "_ops.loss": "poisson_nll_loss",
    "_ops.loss_functions": "binary_cross_entropy_with_logits kl_div",
    "_ops.margin_loss": "cosine_embedding_loss hinge_embedding_loss margin_ranking_loss triplet_margin_loss",
    "_ops.matmul": "addbmm addmm addmv addmv_ addr baddbmm bmm dot ger matmul mm mv outer spmm vdot",
    "_ops.moments": "norm norm_except_dim renorm std std_mean var var_mean",
    "_ops.normalize": (
        "batch_norm group_norm instance_norm layer_norm native_batch_norm native_group_norm native_layer_norm rms_norm"
    ),
    "_ops.order_statistics": "kthvalue median mode nanmedian nanquantile quantile",
    "_ops.padding": "constant_pad_nd",
    "_ops.avg_pooling": "adaptive_avg_pool1d avg_pool1d",
    "_ops.max_pooling": "adaptive_max_pool1d max_pool1d max_pool1d_with_indices max_pool2d max_pool3d",
    "_ops.random": (
        "Generator bernoulli binomial default_generator get_rng_state initial_seed manual_seed multinomial "
        "normal poisson rand rand_like randint randint_like randn randn_like randperm seed set_rng_state thread_safe_generator"
    ),
    "_ops.recurrent": "gru gru_cell lstm lstm_cell rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell",
    "_ops.reduce": "all amax amin aminmax any argmax argmin count_nonzero logsumexp max mean min nanmean nansum prod sum",
    "_ops.rounding": (
        "abs abs_ absolute ceil ceil_ div divide fix fix_ floor floor_ floor_divide fmod frac frac_ "
        "remainder round round_ sgn sign true_divide trunc trunc_"
    ),
    "_ops.parts": "diagonal narrow select",
    "_ops.permute": "adjoint moveaxis movedim permute swapaxes swapdims t transpose",
    "_ops.shape": "broadcast_to flatten ravel reshape squeeze unflatten unsqueeze",
    "_ops.strided": "as_strided resize_as_",
    "_ops.softmax": "log_softmax softmax",
    "_ops.sorting": "argsort msort sort topk unique unique_consecutive",
    "_ops.special": "digamma erfinv i0 i0_ igamma igammac lgamma mvlgamma polygamma",
    "_ops.spectral": "istft stft",
    "_ops.storages": "is_storage",
    "_ops.split": "chunk dsplit hsplit split split_with_sizes tensor_split unbind vsplit",
    "_ops.tensor_functions": (
        "as_strided_ detach detach_ get_device is_distributed q_per_channel_axis q_per_channel_scales "
        "q_per_channel_zero_points q_scale q_zero_point"
    ),
    "_ops.transcendental": (
        "acos acos_ acosh acosh_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan "
        "arctan2 arctan_ arctanh arctanh_ asin asin_ asinh asinh_ atan atan2 atan_ atanh atanh_ cos cos_ "
        "cosh cosh_ deg2rad deg2rad_ exp exp2 exp2_ exp_ expm1 expm1_ log log10 log10_ log1p log1p_ log2 "
        "log2_ log_ logaddexp logaddexp2 logit logit_ rad2deg rad2deg_ sigmoid sigmoid_ sin sin_ sinc sinc_ "
        "sinh sinh_ tan tan_ tanh tanh_ xlogy xlogy_"
    ),
    "_ops.view_copies": (
        "alias_copy as_strided_copy detach_copy diagonal_copy expand_copy narrow_copy permute_copy select_copy slice_copy "
        "split_copy split_with_sizes_copy squeeze_copy t_copy transpose_copy unbind_copy unfold_copy unsafe_chunk "
        "unsafe_split unsafe_split_with_sizes unsqueeze_copy view_as_complex_copy view_as_real_copy view_copy"
    ),
    "_ops.windows": "bartlett_window blackman_window hamming_window hann_window kaiser_window",
    "autograd.anomaly_mode": "is_anomaly_check_nan_enabled is_anomaly_enabled set_anomaly_enabled",
    "autograd.grad_mode": "enable_grad inference_mode is_grad_enabled is_inference_mode_enabled no_grad set_grad_enabled",
}
#: What ``nn`` and ``optim`` need besides.
_INTERNAL = {
    "_core.autocasting": "_autocast_dtype=current_dtype",
    "_core.hooks": "_hooks=",
    "_display.html": "_markup=",
    "_core.parameter": "_Buffer=Buffer _Parameter=Parameter",
    "_ops.activation": "_activation=",
    "_ops.convert": "_convert=",
    "_ops.attention": "_attention=",
    "_ops.class_loss": "_class_loss=",
    "_ops.linalg_factors": "_linalg_factors=",
    "_ops.linalg_functions": "_linalg_functions=",
    "_ops.linalg_norms": "_linalg_norms=",
    "_ops.linalg_orthogonal": "_linalg_orthogonal=",
    "_ops.linalg_solvers": "_linalg_solvers=",
    "_ops.linalg_spectral": "_linalg_spectral=",
    "_ops.linalg_vectors": "_linalg_vectors=",
    "_ops.loss": "_loss=",
    "_ops.margin_loss": "_margin_loss=",
    "_ops.matmul": "_matmul=",
    "_ops.moments": "_moments=",
    "_ops.normalize": "_normalize=",
    "_ops.recurrent": "_recurrent=",
    "_ops.special": "_special=",
    "_ops.spectral": "_spectral=",
    "autograd": "autograd=",
    "func.modules": "_functional_call=functional_call",
}

_found = _lazy.places(_FUNCTIONS, _INTERNAL)
_lazy.bind(
    Tensor,
    {
        "_ops.copying": "__deepcopy__=tensor_deepcopy __reduce_ex__=tensor_reduce",
        "_display.tensor_html": "_repr_html_=tensor_html",
        "autograd.differentiate": "backward=tensor_backward",
    },
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
)
_lazy.bind(
    _Node,
    {
        "autograd.graph": "__call__=call_node _input_metadata=node_input_metadata",
        "autograd._legacy.instance_function": "previous_functions",
    },
)


def __getattr__(name):
    return _lazy.fetch(name, _found, globals())
