"""``FUNCTIONS``: the functions and methods that have a form for sparse tensors, by name; ``SparseTensor`` gets its methods here."""

from .._base import dtypes
from .._core.tensor import Tensor
from .._ops.arithmetic import no_bools
from . import creating, legacy_types, methods, pointwise, products, reductions, resizing, shapes
from .arrays import Coo
from .convert import to_sparse
from .into import taking_out
from .node import alias, record
from .on_meta import refuse
from .parts import is_sparse, raw, sparse
from .pointwise import in_place
from .served import KEEPING_ZEROS
from .tensors import SparseTensor, replace

_functions = pointwise.of_functions()
for _module, _names in {
    pointwise: "add sub mul div floor_divide pow float_power clone to copy_",
    products: "mm addmm mv addmv bmm matmul hspmm smm sspaddmm linear",
    reductions: "sum norm any",
    creating: "new new_empty new_full new_ones new_tensor new_zeros",
    resizing: "resize_ resize_as_",
    shapes: "transpose transpose_ t t_ adjoint permute movedim unsqueeze index_select select unbind narrow_copy cat stack sparse_mask is_same_size zero_ fill_",
}.items():
    for _name in _names.split():
        _functions[_name] = getattr(_module, _name)
for _name in (
    *KEEPING_ZEROS,
    *["add", "sub", "mul", "div", "floor_divide", "pow", "float_power", "any", "norm"],
):
    _functions[_name] = taking_out(_functions[_name])
for _name in ["mm", "addmm", "mv", "addmv", "bmm", "matmul", "sum", "index_select", "cat", "stack"]:
    _functions[_name] = taking_out(_functions[_name], same=True)


def _add_(self, other, *, alpha=1):
    return (
        _ADD_(self, other, alpha=alpha)
        if is_sparse(self)
        else pointwise.add_to_dense_(self, other, alpha=alpha)
    )


def _sub_(self, other, *, alpha=1):
    if not is_sparse(self):
        no_bools(self, other)
        return pointwise.add_to_dense_(self, other, alpha=alpha, name="SubBackward0", sign=-1)
    return _SUB_(self, other, alpha=alpha)


def _addmm_(self, mat1, mat2, *, beta=1, alpha=1):
    result = products.addmm(self, mat1, mat2, beta=beta, alpha=alpha)
    return replace(self, result) if is_sparse(self) else pointwise.write_over(self, result)


def _uncoalesced_product(x, other):
    """A product that, as PyTorch's in place, does not count as coalesced if the factor is a number."""
    found = pointwise.mul(x, other)
    array = found._array
    if array.__class__ is Coo and not is_sparse(other) and array.nnz > 1 and array.shape == x._array.shape:
        array.coalesced = False
    return found


_ADD_, _SUB_ = in_place("add_", pointwise.add), in_place("sub_", pointwise.sub)
_functions |= {
    "add_": _add_, "sub_": _sub_, "mul_": in_place("mul_", _uncoalesced_product, resizing=True), "div_": in_place("div_", pointwise.div), "pow_": in_place("pow_", pointwise.pow),
    "floor_divide_": in_place("floor_divide_", pointwise.floor_divide), "addmm_": _addmm_,
}  # fmt: skip
_functions |= {
    "subtract": _functions["sub"], "multiply": _functions["mul"], "divide": _functions["div"], "true_divide": _functions["div"],
    "subtract_": _sub_, "multiply_": _functions["mul_"], "divide_": _functions["div_"], "true_divide_": _functions["div_"],
    "swapaxes": shapes.transpose, "swapdims": shapes.transpose, "swapaxes_": shapes.transpose_, "swapdims_": shapes.transpose_, "moveaxis": shapes.movedim, "concat": shapes.cat, "concatenate": shapes.cat,
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
    "__rmul__": _reflected(pointwise.mul), "__truediv__": pointwise.div, "__rtruediv__": _reflected(pointwise.div), "__floordiv__": pointwise.floor_divide,
    "__pow__": pointwise.pow, "__neg__": FUNCTIONS["neg"], "__pos__": FUNCTIONS["positive"], "__abs__": FUNCTIONS["abs"], "__matmul__": products.matmul,
    "__rmatmul__": _reflected(products.matmul), "__iadd__": _add_, "__isub__": _sub_, "__imul__": FUNCTIONS["mul_"], "__itruediv__": FUNCTIONS["div_"],
    "__ifloordiv__": FUNCTIONS["floor_divide_"], "__ipow__": FUNCTIONS["pow_"], "__getitem__": shapes.getitem, "__setitem__": shapes.setitem,
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


def _cpu(self, memory_format=None):
    return pointwise.to(self, "cpu")


def _type(self, dtype=None, non_blocking=False):
    if dtype is None:
        name = Tensor.type(self._values() if self._array.__class__ is Coo else self.values().detach())
        return name.replace("torch.", "torch.sparse.", 1)
    if isinstance(dtype, str):
        dtype = legacy_types.named(dtype)
    return self.to(dtype if isinstance(dtype, dtypes.dtype) else dtype.dtype)


def _type_as(self, other):
    return pointwise.to(self, other.dtype)


def _conj(input):
    return FUNCTIONS["conj_physical"](input) if input.is_complex() else input


def _part(name, factor):
    def part(input):
        if not input.is_complex():
            return input
        dtype, values = input.dtype, getattr(raw(input), name)
        found = sparse(input._array.holding(values.contiguous()._array))
        if found._array.__class__ is Coo and found._array.nnz > 1:
            found._array.coalesced = False
        whole = alias(input, "ViewAsRealBackward0")
        return record(
            "SelectBackward0", found, (whole,), lambda g, needs: (pointwise.scaled(g.to(dtype), factor),)
        )

    return part


_real, _imag = _part("real", 1), _part("imag", 1j)


def _iterate(self):
    if not self.ndim:
        raise TypeError("iteration over a 0-d tensor")
    return iter(shapes.unbind(self))


def _hermitian(self):
    if self.ndim not in (0, 2):
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.ndim}-D tensor.")
    return shapes.adjoint(self)


def _imaginary(input):
    if not input.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return _imag(input)


FUNCTIONS |= {"conj": _conj, "real": _real, "imag": _imaginary}


def _give_methods():
    given = {name: function for name, function in FUNCTIONS.items() if hasattr(Tensor, name)}
    given |= _OPERATORS | {name: _to(dtype) for name, dtype in _CONVERSIONS.items()}
    given |= {
        "cpu": _cpu, "resolve_conj": _same, "resolve_neg": _same, "type": _type, "type_as": _type_as, "__iter__": _iterate,
        "T": property(shapes.turned), "mT": property(lambda self: shapes.transpose(self, -2, -1) if self.ndim else self),
        "mH": property(shapes.adjoint), "H": property(_hermitian), "real": property(_real), "imag": property(_imaginary), "to_sparse": to_sparse, "to_dense": methods.to_dense,
    }  # fmt: skip
    for name, function in given.items():
        setattr(SparseTensor, name, function)
    refuse(given)


_give_methods()
