"""Elementwise operations: those of one sparse tensor that leave zeros zero, and those of two operands."""

import functools

import numpy as np

from .._base.dtypes import scalar_type_name
from .._core.inplace import may_write
from .._core.modes import capturing
from .._core.tensor import Tensor, bump, wrap
from .._ops.inquire import result_type
from .arrays import Compressed, Coo, add_into, coalesced, indices_of, keys_of, refusal
from .construct import empty
from .convert import LAYOUT_NAMES, to_layout_of
from .node import record, wanted
from .parts import coalesce, is_sparse, kept, of_values, sparse, to_coo, to_dense, values_at
from .tensors import replace

#: The functions of one tensor that leave zeros zero.
KEEPING_ZEROS = ["abs", "absolute", "angle", "asin", "arcsin", "asinh", "arcsinh", "atan", "arctan", "atanh", "arctanh", "ceil", "deg2rad", "erf", "erfinv", "expm1", "floor", "frac", "isinf", "isnan", "isneginf", "isposinf", "log1p", "nan_to_num", "neg", "negative", "positive", "rad2deg", "relu", "round", "sgn", "sign", "signbit", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "fix", "conj_physical"]  # fmt: skip
#: Those of them that are linear: elements at one place need not be summed before.
_LINEAR = {"neg", "negative", "positive", "conj_physical"}
_IN_PLACE = set(KEEPING_ZEROS) - {"angle", "isinf", "isnan", "isneginf", "isposinf", "positive", "signbit"}


def of_one(name):
    """The function ``name`` of one sparse tensor, which is computed on its values."""
    dense = getattr(Tensor, name)

    @functools.wraps(dense)
    def call(input, *args, **kwargs):
        x = input
        if x._array.__class__ is Coo and name not in _LINEAR:
            x = coalesce(x)
        values = dense(kept(x), *args, **kwargs)
        return of_values(x._array, values)

    return call


def in_place(name, call):
    """The method that does in place what the function ``call`` does."""

    @functools.wraps(call)
    def method(self, *args, **kwargs):
        result = call(self, *args, **kwargs)
        if result.dtype is not self.dtype:
            result = (
                result.to(self.dtype)
                if result.dtype.category <= self.dtype.category
                else _refuse_cast(result, self)
            )
        return replace(self, result)

    method.__name__ = name
    return method


def _refuse_cast(result, x):
    raise RuntimeError(
        f"result type {scalar_type_name(result.dtype)} can't be cast to the desired output type {scalar_type_name(x.dtype)}"
    )


# Sums ------------------------------------------------------------------------------------------------------------------------------------


def add(input, other, *, alpha=1, out=None):
    """``input + alpha * other``, of two sparse tensors, or of a dense one and a sparse one."""
    _no_out("add", out)
    if not is_sparse(other):
        if (
            input.layout in LAYOUT_NAMES
            and input._array.__class__ is Compressed
            and isinstance(other, Tensor)
        ):
            return _dense_plus(other, input, 1, alpha)
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    if not is_sparse(input):
        return _dense_plus(input, other, alpha, 1)
    if input._array.shape != other._array.shape:
        raise RuntimeError(
            f"add: expected 'self' and 'other' to have same size, but self has size {list(input.shape)} while other has size {list(other.shape)} "
            "(FYI: dense-sparse addition does not currently support broadcasting)"
        )
    dtype = _common_dtype(input, other)
    x, y = _in(input, dtype), _in(other if alpha == 1 else mul(other, alpha), dtype)
    if x._array.same_places(y._array):
        return of_values(x._array, kept(x) + kept(y), "AddBackward0")
    if x._array.__class__ is Coo and y._array.__class__ is Coo:
        return _sum_of_coo(x, y)
    if x.layout is not y.layout:
        y = to_layout_of(y, x)
    if x._array.same_places(y._array):
        return of_values(x._array, kept(x) + kept(y), "AddBackward0")
    if x._array.__class__ is Compressed and (x._array.batch_dim or x._array.in_blocks):
        return to_layout_of(to_dense(x) + to_dense(y), x)
    return to_layout_of(coalesce(_sum_of_coo(to_coo(x), to_coo(y))), x)


def _sum_of_coo(x, y):
    a, b = x._array, y._array
    if a.sparse_dim != b.sparse_dim:
        raise RuntimeError(
            f"add: expected 'self' and 'other' to have same number of sparse dimensions, but self has {a.sparse_dim} while other has {b.sparse_dim}"
        )
    indices = np.concatenate([a.indices, b.indices], axis=1)
    both = Coo(indices, np.concatenate([a.values, b.values]), a.shape)
    if (a.coalesced and b.coalesced) or both.nnz > both.size:
        both = coalesced(both)
    return record("AddBackward0", sparse(both), (x, y), lambda g, needs: (g, g))


def _dense_plus(x, y, alpha, scale):
    """``scale * x + alpha * y`` of a dense and a sparse tensor."""
    if x._array.shape != y._array.shape:
        if x.numel() == 1 and not x.ndim:
            raise RuntimeError(
                "add: a number and a sparse tensor have no sum that is sparse: to_dense() gives a tensor that can be added"
            )
        raise RuntimeError(
            f"add: expected 'self' and 'other' to have same size, but self has size {list(x.shape)} while other has size {list(y.shape)} "
            "(FYI: dense-sparse addition does not currently support broadcasting)"
        )
    dense = x.detach() if scale == 1 else x.detach() * scale
    result = dense + to_dense(y.detach()) * alpha if alpha != 1 else dense + to_dense(y.detach())
    result = result.to(result_type(x, y))
    return record(
        "AddBackward0",
        result,
        (x, y),
        lambda g, needs: (_scaled(g, scale, x.dtype), _scaled(g, alpha, y.dtype)),
    )


def _scaled(g, factor, dtype):
    return (g if factor == 1 else g * factor).to(dtype)


def sub(input, other, *, alpha=1, out=None):
    """``input - alpha * other``."""
    _no_out("sub", out)
    if not isinstance(other, Tensor) or (not is_sparse(other) and input._array.__class__ is Coo):
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    return add(input, other, alpha=-alpha)


# Products --------------------------------------------------------------------------------------------------------------------------------


def mul(input, other, *, out=None):
    """``input * other``: a sparse tensor, which keeps elements where a sparse factor does, two where both do."""
    _no_out("mul", out)
    if not is_sparse(input):
        input, other = other, input
    if not isinstance(other, Tensor) or (not is_sparse(other) and not other.ndim):
        return of_values(input._array, kept(input) * other, "MulBackward0")
    if not is_sparse(other):
        return _by_dense(input, other)
    if input._array.shape != other._array.shape:
        raise RuntimeError(
            f"mul operands have incompatible sizes {list(input.shape)} and {list(other.shape)}: of two sparse factors, both have the same"
        )
    if input._array.same_places(other._array) and input._array.coalesced:
        return of_values(input._array, kept(input) * kept(other), "MulBackward0")
    if input._array.__class__ is Compressed:
        x = coalesce(to_coo(input))
        return to_layout_of(mul(x, to_coo(other)), input)
    x, y = coalesce(input), coalesce(to_coo(other))
    a, b = x._array, y._array
    if a.sparse_dim != b.sparse_dim:
        raise RuntimeError(
            f"mul(sparse, sparse): the factors have {a.sparse_dim} and {b.sparse_dim} sparse dimensions, which must be as many"
        )
    sizes = a.shape[: a.sparse_dim]
    keys, i, j = np.intersect1d(
        keys_of(a.indices, sizes), keys_of(b.indices, sizes), True, return_indices=True
    )
    values = kept(x)[wrap(i)] * kept(y)[wrap(j)]
    return of_values(Coo(indices_of(keys, sizes), values._array, a.shape, True), values, "MulBackward0")


def _by_dense(x, y):
    array = x._array
    shape = np.broadcast_shapes(array.shape, y._array.shape)
    if shape != array.shape:
        raise RuntimeError(
            f"mul(sparse, dense): a sparse factor of size {list(array.shape)} does not broadcast to {list(shape)}"
        )
    values = kept(x) * values_at(y.expand(shape), x._array)
    return of_values(x._array, values, "MulBackward0")


def div(input, other, *, rounding_mode=None, out=None):
    """``input / other``, of a sparse tensor and a number, or a tensor of no dimensions."""
    _no_out("div", out)
    if isinstance(other, Tensor) and (is_sparse(other) or other.ndim):
        if not is_sparse(input):
            raise refusal("div", other._array)
        raise RuntimeError(
            f"Sparse division requires a scalar or zero-dim dense tensor divisor (got shape {list(other.shape)} for divisor)"
        )
    x = coalesce(input) if rounding_mode is not None and input._array.__class__ is Coo else input
    values = kept(x)
    values = values / other if rounding_mode is None else values.div(other, rounding_mode=rounding_mode)
    return of_values(x._array, values, "DivBackward0")


def floor_divide(input, other, *, out=None):
    """``input // other``, of a sparse tensor and a number."""
    return div(input, other, rounding_mode="floor", out=out)


def pow(input, exponent, *, out=None):
    """``input ** exponent``, of a number that is positive."""
    _no_out("pow", out)
    if isinstance(exponent, Tensor) or not is_sparse(input):
        raise refusal("pow.Tensor_Tensor", (input if is_sparse(input) else exponent)._array)
    if exponent == 0:
        raise RuntimeError(
            "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense"
        )
    x = coalesce(input) if input._array.__class__ is Coo else input
    return of_values(x._array, kept(x) ** exponent, "PowBackward0")


# Helpers ---------------------------------------------------------------------------------------------------------------------------------


def _no_out(name, out):
    if out is not None:
        raise NotImplementedError(f"{name}() of sparse tensors does not support out=")


def _common_dtype(x, y):
    """The dtype of an elementwise operation on two tensors."""
    return result_type(
        wrap(x._array.values[:0] if is_sparse(x) else x._array),
        wrap(y._array.values[:0] if is_sparse(y) else y._array),
    )


def _in(x, dtype):
    return x if x.dtype is dtype else to(x, dtype)


def to(self, *args, **kwargs):
    """As ``Tensor.to``: the values converted; the tensor itself if nothing changes."""
    first = wrap(self._array.values)
    if args and isinstance(args[0], Tensor):
        args = (args[0].dtype, *args[1:])
    if kwargs.pop("memory_format", None) is not None:
        raise RuntimeError("unsupported memory format option for sparse tensors")
    converted = first.to(*args, **kwargs)
    if converted is first:
        return self
    if converted._is_meta:
        raise NotImplementedError("sparse tensors on meta are not supported")
    return of_values(self._array, kept(self).to(*args, **kwargs), "ToCopyBackward0")


def clone(input, *, memory_format=None):
    """A copy."""
    places = input._array
    if places.__class__ is Coo:
        places = Coo(places.indices.copy(), places.values, places.shape, places.coalesced)
    else:
        places = Compressed(
            places.layout, places.bounds.copy(), places.along.copy(), places.values, places.shape
        )
    return record("CloneBackward0", sparse(places.copy()), (input,), lambda g, needs: (g,))


def zero_(self):
    """Keep no element any longer."""
    array = self._array
    if array.__class__ is Compressed:
        block = array.block if array.in_blocks else None
        return replace(self, empty(array.shape, self.dtype, layout=array.layout, blocksize=block))
    return replace(self, sparse(Coo(array.indices[:, :0], array.values[:0], array.shape)))


def copy_(self, src, non_blocking=False):
    """Take the elements of another sparse tensor."""
    if not is_sparse(src) or not is_sparse(self):
        names = [
            ("torch.sparse." if is_sparse(x) else "torch.") + x.type().rpartition(".")[2] for x in (self, src)
        ]
        raise RuntimeError(
            f"copy_() between dense and sparse Tensors is not implemented! Found self type = {names[0]} and src type = {names[1]}"
        )
    if src._array.shape != self._array.shape:
        raise RuntimeError(
            f"copy_(): the size {list(src.shape)} is not that of the tensor, {list(self.shape)}"
        )
    return replace(self, _in(clone(to_layout_of(src, self)), self.dtype))


def add_to_dense_(self, other, *, alpha=1):
    """Add a sparse tensor to a dense one in place."""
    may_write(self, other)
    if (
        self.dtype is other.dtype
        and not wanted(self, other)
        and self._array.__class__ is np.ndarray
        and self._array.shape == other._array.shape
        and not self.is_complex()
        and capturing() is None
    ):
        add_into(
            self._array, (other if alpha == 1 else mul(other, alpha))._array
        )  # nothing of the size of the whole
        bump(self)
        return self
    result = _dense_plus(self, other, alpha, 1)
    self.copy_(result.to(self.dtype))
    return self


def of_functions():
    """Name -> function, of all functions of one tensor, and methods in place."""
    table = {name: of_one(name) for name in KEEPING_ZEROS}
    table |= {
        name + "_": in_place(name + "_", table[name]) for name in _IN_PLACE if hasattr(Tensor, name + "_")
    }
    return table
