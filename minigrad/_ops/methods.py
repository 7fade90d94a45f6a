"""Which operator stands behind which method of Tensor.

``bind(module, names)`` makes functions methods of the same name; ``ALIASES`` gives methods whose names differ, and Python's operators.
"""

from .._core.tensor import Tensor
from . import (
    activation,
    arithmetic,
    arrange,
    choose,
    compare,
    complex,
    convert,
    create,
    cumulative,
    einsum,
    error_function,
    gather,
    index,
    join,
    matmul,
    random,
    reduce,
    rounding,
    shape,
    softmax,
    sorting,
    transcendental,
)


def bind(module, names):
    """Make the module's functions of these names methods of Tensor."""
    for name in names.split():
        setattr(Tensor, name, getattr(module, name))


bind(
    arithmetic,
    "add add_ addcdiv addcdiv_ addcmul addcmul_ copysign copysign_ float_power float_power_ frexp heaviside heaviside_ "
    "hypot hypot_ ldexp ldexp_ lerp lerp_ mul mul_ multiply multiply_ neg neg_ negative negative_ nextafter nextafter_ "
    "positive pow pow_ reciprocal reciprocal_ rsqrt rsqrt_ sqrt sqrt_ square square_ sub sub_ subtract subtract_ "
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __div__ __pow__ __rpow__ __ipow__",
)
bind(
    rounding,
    "abs abs_ absolute absolute_ ceil ceil_ div div_ divide divide_ fix fix_ floor floor_ floor_divide floor_divide_ "
    "fmod fmod_ frac frac_ remainder remainder_ round round_ sgn sgn_ sign sign_ true_divide true_divide_ trunc trunc_ "
    "__floordiv__ __rfloordiv__ __mod__ __rmod__",
)
bind(
    choose,
    "clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ fmax fmin maximum minimum nan_to_num "
    "nan_to_num_",
)
bind(
    transcendental,
    "acos acos_ acosh acosh_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ arctan_ "
    "arctanh arctanh_ asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ cos cos_ cosh cosh_ deg2rad deg2rad_ exp "
    "exp2 exp2_ exp_ expm1 expm1_ log log10 log10_ log1p log1p_ log2 log2_ log_ logaddexp logaddexp2 logit logit_ rad2deg "
    "rad2deg_ sigmoid sigmoid_ sin sin_ sinc sinc_ sinh sinh_ tan tan_ tanh tanh_ xlogy xlogy_",
)
bind(
    compare,
    "allclose bitwise_and bitwise_and_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or "
    "bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ eq eq_ equal gcd gcd_ ge ge_ greater "
    "greater_ greater_equal greater_equal_ gt gt_ is_nonzero isclose isfinite isinf isnan isneginf isposinf isreal lcm lcm_ "
    "le le_ less less_ less_equal less_equal_ logical_and logical_and_ logical_not logical_not_ logical_or logical_or_ "
    "logical_xor logical_xor_ lt lt_ ne ne_ not_equal not_equal_ signbit "
    "__and__ __rand__ __or__ __ror__ __xor__ __rxor__ __lshift__ __rlshift__ __rshift__ __rrshift__ __invert__ "
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__",
)
bind(
    convert,
    "bfloat16 byte cdouble cfloat char clone contiguous copy_ cpu cuda double fill_ float half int long short to type_as zero_",
)
bind(
    complex,
    "angle conj conj_physical conj_physical_ is_conj is_neg resolve_conj resolve_neg",
)
bind(
    random,
    "bernoulli bernoulli_ cauchy_ exponential_ geometric_ log_normal_ multinomial normal_ random_ uniform_",
)
bind(create, "new new_empty new_empty_strided new_full new_ones new_tensor new_zeros")
bind(
    reduce,
    "all amax amin aminmax any argmax argmin count_nonzero logsumexp max mean min nanmean nansum norm prod std sum var",
)
bind(cumulative, "cummax cummin cumprod cumprod_ cumsum cumsum_ diff logcumsumexp")
bind(softmax, "log_softmax softmax")
bind(
    sorting,
    "argsort bincount histc kthvalue median mode msort nanmedian nanquantile quantile sort topk unique unique_consecutive",
)
bind(matmul, "__matmul__ __rmatmul__ addbmm addbmm_ addmm addmm_ addmv addmv_ addr addr_ baddbmm baddbmm_ bmm dot ger matmul mm mv outer vdot")
bind(einsum, "inner kron")
bind(
    index,
    "__getitem__ __setitem__ argwhere index_put index_put_ masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select "
    "nonzero nonzero_static put put_ take",
)
bind(
    gather,
    "as_strided_scatter diagonal_scatter gather index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_reduce "
    "index_reduce_ index_select scatter scatter_ scatter_add scatter_add_ scatter_reduce scatter_reduce_ select_scatter "
    "slice_scatter take_along_dim",
)
bind(join, "repeat repeat_interleave")
bind(arrange, "diag diag_embed diagflat fliplr flipud roll rot90 tril tril_ triu triu_")
bind(
    shape,
    "adjoint as_strided as_strided_ chunk diagonal dsplit expand expand_as flatten hsplit moveaxis movedim narrow ravel reshape_as "
    "select split_with_sizes squeeze squeeze_ swapaxes swapaxes_ swapdims swapdims_ t t_ tensor_split transpose transpose_ unbind "
    "unflatten unfold unsqueeze unsqueeze_ view view_as vsplit",
)
bind(activation, "hardshrink prelu relu relu_")
bind(error_function, "erf erf_ erfc erfc_")

ALIASES = {
    "H": property(shape.hermitian_matrix, doc="The transpose of a matrix, conjugated if complex."),
    "T": property(shape.reversed_dims, doc="The dimensions in reverse order."),
    "broadcast_to": shape.broadcast_to_method,
    "mH": property(shape.hermitian_matrices, doc="The last two dimensions exchanged, conjugated if complex."),
    "mT": property(shape.transposed_matrix, doc="The last two dimensions exchanged."),
    "flip": arrange.flip_method,
    "permute": shape.permute_method,
    "reshape": shape.reshape_method,
    "split": shape.split_method,
    "tile": join.tile_method,
    "__abs__": rounding.abs,
    "__iadd__": arithmetic.add_,
    "__iand__": compare.bitwise_and_,
    "__idiv__": rounding.div_,
    "__ifloordiv__": rounding.floor_divide_,
    "__ilshift__": compare.bitwise_left_shift_,
    "__imod__": rounding.remainder_,
    "__imul__": arithmetic.mul_,
    "__ior__": compare.bitwise_or_,
    "__irshift__": compare.bitwise_right_shift_,
    "__isub__": arithmetic.sub_,
    "__itruediv__": rounding.div_,
    "__ixor__": compare.bitwise_xor_,
    "__neg__": arithmetic.neg,
    "__pos__": arithmetic.positive,
    "__rdiv__": arithmetic.__rtruediv__,
    "bool": convert.bool_,
    "imag": property(complex.imag, complex.set_imag),
    "real": property(complex.real, complex.set_real),
    "type": convert.type_,
    "where": choose.where_method,
}
for _name, _function in ALIASES.items():
    setattr(Tensor, _name, _function)
