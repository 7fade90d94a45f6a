"""Which operator stands behind which method of Tensor: ``METHODS`` says in which module each is, as ``_base/lazy.py`` describes it."""

from .._base import lazy
from .._core.tensor import Tensor

METHODS = {
    "_ops.arithmetic": (
        "add add_ addcdiv addcdiv_ addcmul addcmul_ copysign copysign_ float_power float_power_ frexp heaviside "
        "heaviside_ hypot hypot_ ldexp ldexp_ lerp lerp_ mul mul_ multiply multiply_ neg neg_ negative negative_ "
        "nextafter nextafter_ positive pow pow_ reciprocal reciprocal_ rsqrt rsqrt_ sqrt sqrt_ square square_ sub sub_ "
        "subtract subtract_ "
        "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __div__ __pow__ __rpow__ __ipow__ "
        "__iadd__ __imul__ __isub__ __itruediv__ __idiv__ __neg__=neg __pos__=positive __rdiv__=__rtruediv__"
    ),
    "_ops.rounding": (
        "abs abs_ absolute absolute_ ceil ceil_ div div_ divide divide_ fix fix_ floor floor_ floor_divide floor_divide_ "
        "fmod fmod_ frac frac_ remainder remainder_ round round_ sgn sgn_ sign sign_ true_divide true_divide_ trunc "
        "trunc_ "
        "__floordiv__ __rfloordiv__ __mod__ __rmod__ __abs__=abs __ifloordiv__ __imod__"
    ),
    "_ops.choose": (
        "clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ fmax fmin maximum minimum nan_to_num "
        "nan_to_num_ where=where_method"
    ),
    "_ops.view_copies": "narrow_copy unsafe_chunk unsafe_split unsafe_split_with_sizes",
    "_ops.transcendental": (
        "acos acos_ acosh acosh_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ "
        "arctan_ arctanh arctanh_ asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ cos cos_ cosh cosh_ "
        "deg2rad deg2rad_ exp exp2 exp2_ exp_ expm1 expm1_ log log10 log10_ log1p log1p_ log2 log2_ log_ logaddexp "
        "logaddexp2 logit logit_ rad2deg rad2deg_ sigmoid sigmoid_ sin sin_ sinc sinc_ sinh sinh_ tan tan_ tanh tanh_ "
        "xlogy xlogy_"
    ),
    "_ops.compare": (
        "allclose bitwise_and bitwise_and_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or "
        "bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ eq eq_ equal gcd gcd_ ge ge_ "
        "greater greater_ greater_equal greater_equal_ gt gt_ is_nonzero isclose isfinite isinf isnan isneginf isposinf "
        "isreal lcm lcm_ le le_ less less_ less_equal less_equal_ logical_and logical_and_ logical_not logical_not_ "
        "logical_or logical_or_ logical_xor logical_xor_ lt lt_ ne ne_ not_equal not_equal_ signbit "
        "__and__ __rand__ __or__ __ror__ __xor__ __rxor__ __lshift__ __rlshift__ __rshift__ __rrshift__ __invert__ __eq__ "
        "__ne__ __lt__ __le__ __gt__ __ge__ __iand__=bitwise_and_ __ilshift__=bitwise_left_shift_ __ior__=bitwise_or_ "
        "__irshift__=bitwise_right_shift_ __ixor__=bitwise_xor_"
    ),
    "_ops.convert": (
        "bfloat16 bool=bool_ byte cdouble cfloat chalf char clone contiguous copy_ cpu cuda double fill_ float half int long "
        "short to type=type_ type_as zero_"
    ),
    "_ops.complex": (
        "angle conj conj_physical conj_physical_ imag=imaginary_part is_conj is_neg real=real_part resolve_conj "
        "resolve_neg"
    ),
    "_ops.numpy_protocol": "__array_function__=array_function __array_ufunc__=array_ufunc",
    "_ops.dlpack": "__dlpack__=dlpack __dlpack_device__=dlpack_device",
    "_ops.tensor_functions": "pin_memory q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point",
    "_ops.random": (
        "bernoulli bernoulli_ cauchy_ exponential_ geometric_ log_normal_ multinomial=multinomial_method "
        "normal=normal_method normal_ random_ uniform_"
    ),
    "_ops.legacy_types": "new",
    "_ops.create": "new_empty new_empty_strided new_full new_ones new_zeros",
    "_ops.from_data": "new_tensor",
    "_ops.reduce": (
        "all amax amin aminmax any argmax argmin count_nonzero logsumexp max mean min nanmean nansum prod sum sum_to_size"
    ),
    "_ops.moments": "norm renorm renorm_ std var",
    "_ops.cumulative": "cummax cummin cumprod cumprod_ cumsum cumsum_ diff logcumsumexp",
    "_ops.softmax": "log_softmax softmax",
    "_ops.sorting": "argsort msort sort topk unique unique_consecutive",
    "_ops.order_statistics": "kthvalue median mode nanmedian nanquantile quantile",
    "_ops.bins": "bincount histc histogram",
    "_ops.linalg_factors": "cholesky_inverse cholesky_solve",
    "_ops.linalg_functions": "det logdet matrix_exp matrix_power slogdet",
    "_ops.linalg_old": "cholesky eig lstsq lu=lu_method lu_solve qr solve svd symeig",
    "_ops.linalg_orthogonal": "geqrf orgqr ormqr",
    "_ops.linalg_solvers": "inverse triangular_solve",
    "_ops.linalg_spectral": "pinverse",
    "_ops.linalg_vectors": "corrcoef cov cross",
    "_ops.matmul": (
        "addbmm addbmm_ addmm addmm_ addmv addmv_ addr addr_ baddbmm baddbmm_ bmm dot ger matmul mm mv outer vdot "
        "__matmul__ __rmatmul__"
    ),
    "_ops.distance": "dist",
    "_ops.einsum": "inner kron",
    "_ops.hashing": "hash_tensor",
    "_ops.index": "index_put index_put_ __getitem__ __setitem__",
    "_ops.masks": "masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select",
    "_ops.nonzero": "argwhere nonzero nonzero_static",
    "_ops.take": "put put_ take",
    "_ops.gather": "gather take_along_dim",
    "_ops.index_slices": "index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_select",
    "_ops.part_scatter": "as_strided_scatter diagonal_scatter select_scatter slice_scatter",
    "_ops.scatter": (
        "index_reduce index_reduce_ scatter scatter_ scatter_add scatter_add_ scatter_reduce "
        "scatter_reduce_"
    ),
    "_ops.inquire": "is_same_size",
    "_ops.storages": (
        "apply_ is_set_to map_ map2_ set_ storage storage_type untyped_storage _typed_storage=typed_storage"
    ),
    "_ops.join": "repeat repeat_interleave tile=tile_method",
    "_ops.arrange": "diag diag_embed diagflat fill_diagonal_ flip=flip_method fliplr flipud roll rot90 trace tril tril_ triu triu_",
    "_ops.parts": "diagonal narrow select unfold",
    "_ops.permute": (
        "H T adjoint mH mT moveaxis movedim permute=permute_method swapaxes swapaxes_ swapdims swapdims_ t "
        "t_ transpose transpose_"
    ),
    "_ops.shape": (
        "as_subclass broadcast_to=broadcast_to_method expand expand_as flatten ravel reshape=reshape_method "
        "reshape_as squeeze squeeze_ unflatten unsqueeze unsqueeze_ view view_as"
    ),
    "_ops.strided": "as_strided as_strided_ resize_ resize_as_",
    "_ops.special": (
        "digamma digamma_ erfinv erfinv_ i0 i0_ igamma igamma_ igammac igammac_ lgamma lgamma_ mvlgamma mvlgamma_ "
        "polygamma=polygamma_method polygamma_"
    ),
    "_ops.spectral": "istft stft",
    "_ops.split": "chunk dsplit hsplit split=split_method split_with_sizes tensor_split unbind vsplit",
    "_ops.activation": "hardshrink prelu relu relu_",
    "_ops.error_function": "erf erf_ erfc erfc_",
}

lazy.bind(Tensor, METHODS)
