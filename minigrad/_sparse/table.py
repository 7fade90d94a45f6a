"""``FUNCTIONS``: the functions and methods that have a form for sparse tensors, by name; ``SparseTensor`` gets its methods here."""

from .._base import dtypes
from .._core.tensor import Tensor, wrap
from . import methods, pointwise, products, reductions, shapes
from .arrays import Coo
from .construct import empty
from .convert import to_sparse
from .parts import is_sparse
from .pointwise import in_place
from .tensors import SparseTensor, replace

_functions = pointwise.of_functions()
for _module, _names in {
    pointwise: "add sub mul div floor_divide pow clone to zero_ copy_",
    products: "mm addmm mv bmm matmul hspmm smm sspaddmm linear",
    reductions: "sum norm any",
    shapes: "transpose t permute movedim unsqueeze index_select select unbind narrow_copy cat stack sparse_mask is_same_size",
}.items():
    for _name in _names.split():
        _functions[_name] = getattr(_module, _name)


def _add_(self, other, *, alpha=1):
    return (
        _ADD_(self, other, alpha=alpha)
        if is_sparse(self)
        else pointwise.add_to_dense_(self, other, alpha=alpha)
    )


def _sub_(self, other, *, alpha=1):
    return _add_(self, other, alpha=-alpha)


def _addmm_(self, mat1, mat2, *, beta=1, alpha=1):
    result = products.addmm(self, mat1, mat2, beta=beta, alpha=alpha)
    return replace(self, result) if is_sparse(self) else self.copy_(result)


_ADD_ = in_place("add_", pointwise.add)
_functions |= {
    "add_": _add_, "sub_": _sub_, "mul_": in_place("mul_", pointwise.mul), "div_": in_place("div_", pointwise.div), "pow_": in_place("pow_", pointwise.pow),
    "floor_divide_": in_place("floor_divide_", pointwise.floor_divide), "addmm_": _addmm_,
}  # fmt: skip
_functions |= {
    "subtract": _functions["sub"], "multiply": _functions["mul"], "divide": _functions["div"], "true_divide": _functions["div"],
    "subtract_": _sub_, "multiply_": _functions["mul_"], "divide_": _functions["div_"], "true_divide_": _functions["div_"],
    "swapaxes": shapes.transpose, "swapdims": shapes.transpose, "moveaxis": shapes.movedim, "concat": shapes.cat, "concatenate": shapes.cat,
}  # fmt: skip
FUNCTIONS = _functions


# Operators -------------------------------------------------------------------------------------------------------------------------------


def _reflected(function):
    def operator(self, other):
        return function(other, self)

    return operator


def _rsub(self, other):
    if not isinstance(other, Tensor):
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    return pointwise.sub(other, self)


_OPERATORS = {
    "__add__": pointwise.add, "__radd__": _reflected(pointwise.add), "__sub__": pointwise.sub, "__rsub__": _rsub, "__mul__": pointwise.mul,
    "__rmul__": pointwise.mul, "__truediv__": pointwise.div, "__rtruediv__": _reflected(pointwise.div), "__floordiv__": pointwise.floor_divide,
    "__pow__": pointwise.pow, "__neg__": FUNCTIONS["neg"], "__pos__": FUNCTIONS["positive"], "__abs__": FUNCTIONS["abs"], "__matmul__": products.matmul,
    "__rmatmul__": _reflected(products.matmul), "__iadd__": _add_, "__isub__": _sub_, "__imul__": FUNCTIONS["mul_"], "__itruediv__": FUNCTIONS["div_"],
    "__ipow__": FUNCTIONS["pow_"], "__getitem__": shapes.getitem, "__setitem__": shapes.setitem,
}  # fmt: skip


def _to(name):
    def convert(self, memory_format=None):
        return pointwise.to(self, getattr(dtypes, name))

    return convert


_CONVERSIONS = {
    "double": "float64", "float": "float32", "half": "float16", "bfloat16": "bfloat16", "long": "int64", "int": "int32", "short": "int16", "char": "int8",
    "byte": "uint8", "bool": "bool_", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip


def _same(self, *args, **kwargs):
    return self


def _type(self, dtype=None, non_blocking=False):
    if dtype is None:
        name = Tensor.type(self._values() if self._array.__class__ is Coo else self.values().detach())
        return name.replace("torch.", "torch.sparse.", 1)
    return pointwise.to(self, dtype)


def _type_as(self, other):
    return pointwise.to(self, other.dtype)


def _conj(self):
    return FUNCTIONS["conj_physical"](self) if self.is_complex() else self


def _iterate(self):
    return iter(shapes.unbind(self))


def _new(self, *size, dtype=None, requires_grad=False, **where):
    size = size[0] if len(size) == 1 and not isinstance(size[0], int) else size
    return empty(size, dtype or self.dtype, requires_grad, self.layout)


def _new_tensor(self, data, **options):
    return wrap(self._array.values).new_tensor(data, **options)


def _give_methods():
    given = {name: function for name, function in FUNCTIONS.items() if hasattr(Tensor, name)}
    given |= _OPERATORS | {name: _to(dtype) for name, dtype in _CONVERSIONS.items()}
    given |= {
        "new_empty": _new, "new_zeros": _new, "new_tensor": _new_tensor, "cpu": _same, "resolve_conj": _same, "resolve_neg": _same, "conj": _conj, "type": _type, "type_as": _type_as, "__iter__": _iterate,
        "T": property(shapes.turned), "mT": property(lambda self: shapes.transpose(self, -2, -1)), "mH": property(lambda self: _conj(shapes.transpose(self, -2, -1))),
        "H": property(lambda self: _conj(shapes.t(self))), "to_sparse": to_sparse, "to_dense": methods.to_dense,
    }  # fmt: skip
    for name, function in given.items():
        setattr(SparseTensor, name, function)


_give_methods()
