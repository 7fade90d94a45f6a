"""The names of functions: those that leave zeros zero, and those that take a sparse tensor on the device ``meta``, which has no elements."""

from .arrays import Compressed

#: The functions of one tensor that leave zeros zero.
KEEPING_ZEROS = ["abs", "absolute", "angle", "asin", "arcsin", "asinh", "arcsinh", "atan", "arctan", "atanh", "arctanh", "ceil", "deg2rad", "erf", "erfinv", "expm1", "floor", "frac", "isinf", "isnan", "isneginf", "isposinf", "log1p", "nan_to_num", "neg", "negative", "positive", "rad2deg", "relu", "round", "sgn", "sign", "signbit", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "fix", "conj_physical"]  # fmt: skip
#: The methods that ask for nothing but the form of a tensor.
KEPT_ON_META = ["_coalesced_", "_nnz", "clone", "cpu", "dense_dim", "is_coalesced", "is_same_size", "resolve_conj", "resolve_neg", "sparse_dim", "to", "bfloat16", "bool", "byte", "cdouble", "cfloat", "char", "double", "float", "half", "int", "long", "short"]  # fmt: skip
#: The functions that are served on ``meta`` in every layout, and in compressed ones alone: they need no element.
_SERVED = {*KEPT_ON_META, *["add", "add_", "sparse_mask", "to_dense", "__add__", "__radd__", "__iadd__", "adjoint", "conj", "conj_physical", "copy_", "H", "mH", "mT", "new_empty", "new_full", "new_ones", "new_tensor", "new_zeros", "positive", "__pos__", "real", "resize_as_", "select", "__getitem__", "sum", "swapaxes", "swapaxes_", "swapdims", "swapdims_", "t", "t_", "to_sparse", "transpose", "transpose_", "type", "type_as", "unbind", "__iter__"]}  # fmt: skip
_SERVED_COMPRESSED = {*KEEPING_ZEROS, *[name + "_" for name in KEEPING_ZEROS], *["__abs__", "__neg__", "fill_", "full_like", "mul", "mul_", "multiply", "multiply_", "__mul__", "__rmul__", "__imul__", "resize_"]}  # fmt: skip


def is_served(name, array):
    """Whether the function or method ``name`` takes a sparse tensor on ``meta``."""
    return name in _SERVED or (array.__class__ is Compressed and name in _SERVED_COMPRESSED)
