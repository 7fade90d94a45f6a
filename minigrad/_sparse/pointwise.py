"""Elementwise operations: those of one sparse tensor that leave zeros zero, and those of two operands."""

import functools
import math

import numpy as np

from .._base import dtypes
from .._base.dtypes import scalar_type_name
from .._base.errors import broadcast_shapes, shape_text
from .._core import late
from .._core.inplace import may_write, rebase
from .._core.modes import capturing
from .._core.storage import Storage
from .._core.tensor import Tensor, bump, wrap
from .._core.views import View
from .._ops.arithmetic import no_bools
from .._ops.inquire import result_type
from .arrays import INDEX, Compressed, Coo, add_into, coalesced, indices_of, keys_of, places_among, refusal
from .convert import as_form_of, to_layout_of
from .node import as_one, record, takes_sparse, wanted
from .on_meta import emptied
from .parts import coalesce, is_sparse, kept, of_values, raw, sparse, to_coo, to_dense, values_at
from .served import KEEPING_ZEROS
from .shapes import zeros_of
from .tensors import replace

_IN_PLACE = set(KEEPING_ZEROS) - {"angle", "isinf", "isnan", "isneginf", "isposinf", "positive", "signbit"}
#: Those of them that are flat between their steps: their gradient keeps no element.
_FLAT = {"ceil", "fix", "floor", "round", "sign", "trunc"}
_DEGREE = math.pi / 180


def of_one(name):
    """The function ``name`` of one sparse tensor, which is computed on its values."""
    dense = getattr(Tensor, name)
    formula = zeros_of if name in _FLAT else _FORMULAS.get(name)
    of_dense = _OF_DENSE.get(name)

    @functools.wraps(dense)
    def call(input, *args, **kwargs):
        def compute(x):
            x = coalesce(x) if x._array.__class__ is Coo else x
            return of_values(x._array, dense(kept(x), *args, **kwargs))

        if formula is None and (name != "angle" or input._array.__class__ is Coo or input.is_complex()):
            return as_one(None, compute, (input,), of_dense)
        if not wanted(input):
            return compute(input)
        probe = dense(wrap(np.zeros((), input._array.dtype)).requires_grad_(), *args, **kwargs)
        if probe.grad_fn is None:
            return compute(input.detach())
        return record(type(probe.grad_fn).__name__, compute(input.detach()), (input,), formula or zeros_of)

    return call


def neg(input):
    """The tensor with each element's sign changed."""
    return _of_places(input, -raw(input), "NegBackward0", (input,), lambda g, needs: (_negated(g),))


def positive(input):
    """The tensor itself."""
    return input


def conj_physical(input):
    """The tensor with each element's complex conjugate; itself if it is real."""
    if not input.is_complex():
        return input
    return _of_places(
        input,
        raw(input).conj_physical(),
        "ConjPhysicalBackward0",
        (input,),
        lambda g, needs: (conjugated(g),),
    )


def _of_places(x, values, name, operands, formula, *saved):
    """A sparse tensor of ``values``, without history, at the places of ``x``, which a node called ``name`` made of ``operands``."""
    return record(name, sparse(x._array.holding(values._array)), operands, formula, *saved)


def _negated(g):
    return neg(g) if is_sparse(g) else -g


def conjugated(x):
    """The complex conjugate of a tensor of any layout."""
    return conj_physical(x) if is_sparse(x) else x.conj()


def scaled(g, factor, dtype=None):
    """A gradient times a number; in ``dtype``, if given, that of the tensor that it is for."""
    if factor != 1:
        g = mul(g, factor, name="MulBackward1") if is_sparse(g) else g * factor
    return g if dtype is None else in_dtype(g, dtype)


def in_dtype(g, dtype):
    """A gradient in the dtype of the tensor that it is for: of a real one, the real part."""
    if g.dtype is dtype:
        return g
    if g.is_complex() and not dtype.is_complex:
        if is_sparse(g):
            places = g._array
            places = Coo(places.indices, places.values, places.shape) if places.__class__ is Coo else places
            return _in(of_values(places, kept(g).real), dtype)
        g = g.real
    return _in(g, dtype) if is_sparse(g) else g.to(dtype)


def in_place(name, call, resizing=False):
    """The method that does in place what the function ``call`` does; ``resizing``: tensors in coordinates take on the size of the result."""

    @functools.wraps(call)
    def method(self, *args, **kwargs):
        before = _before(self)
        result = call(before, *[before if x is self else x for x in args], **kwargs)
        if result.shape != self.shape and not (resizing and self._array.__class__ is Coo):
            raise RuntimeError(
                f"output with shape {shape_text(self.shape)} doesn't match the broadcast shape {shape_text(result.shape)}"
            )
        result = to_fit(result, self)
        if is_sparse(self):
            return replace(self, result)
        if is_sparse(result):
            laid_out = to_dense(result.detach())
            laid_out._node = result._node
            result = laid_out
        return write_over(self, result)

    method.__name__ = name
    return method


def _before(x):
    """A tensor that stays what ``x`` is, when ``x`` is written to."""
    found = x.detach() if is_sparse(x) else x.detach().clone()
    found._storage = Storage()  # not a fresh one: what made ``x`` would watch that
    found._node = x._edge
    return found


def to_fit(result, target):
    """``result``, which is new, in the dtype of ``target``, and with its dtype of indices; raises RuntimeError where that cannot hold it."""
    if not dtypes.can_cast(result.dtype, target.dtype):
        raise RuntimeError(
            f"result type {scalar_type_name(result.dtype)} can't be cast to the desired output type {scalar_type_name(target.dtype)}"
        )
    found = _in(result, target.dtype)
    if found._array.__class__ is Compressed is target._array.__class__:
        found._array = found._array.with_indices_of(target._array.bounds.dtype)
    return found


# Sums ------------------------------------------------------------------------------------------------------------------------------------


def add(input, other, *, alpha=1):
    """``input + alpha * other``, of two sparse tensors, or of a dense one and a sparse one."""
    if not is_sparse(other) or not isinstance(input, Tensor):
        if isinstance(input, Tensor) and input._array.__class__ is Compressed and isinstance(other, Tensor):
            return _dense_plus(other, input, 1, alpha)
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    return (
        _dense_plus(input, other, alpha, 1)
        if not is_sparse(input)
        else _sum(input, other, alpha, alpha, "AddBackward0")
    )


def _sum(input, other, alpha, factor, name):
    """``input + factor * other`` of two sparse tensors: a sum or, where ``factor`` is ``-alpha``, a difference, recorded by a node called ``name``."""
    if input._array.shape != other._array.shape:
        raise RuntimeError(
            f"add: expected 'self' and 'other' to have same size, but self has size {list(input.shape)} while other has size {list(other.shape)} "
            "(FYI: dense-sparse addition does not currently support broadcasting)"
        )
    dtype = result_type(input, other)
    x, y = _in(input.detach(), dtype), _in(other.detach(), dtype)
    if factor != 1:
        y = _in(mul(y, factor), dtype)
    own = input.dtype, other.dtype

    def formula(g, needs):
        to_x = in_dtype(g, own[0]) if needs[0] else None
        if not needs[1]:
            return to_x, None
        return to_x, scaled(g if factor is alpha else _negated(g), alpha, own[1])

    return record(name, _sum_of_places(x, y), (input, other), formula)


def _sum_of_places(x, y):
    if x._array.is_meta:
        return emptied(x)
    if x._array.__class__ is Coo and y._array.__class__ is Coo:
        return _sum_of_coo(x._array, y._array)
    if x._array.same_places(y._array):
        return of_values(x._array, kept(x) + kept(y))
    if x.layout is not y.layout:
        y = as_form_of(y, x)
    if x._array.__class__ is Compressed and y._array.has_places_of(x._array):
        return of_values(x._array, kept(x) + kept(y))
    if x._array.__class__ is Compressed and (x._array.batch_dim or x._array.in_blocks):
        return as_form_of(to_dense(x) + to_dense(y), x)
    return as_form_of(coalesce(_sum_of_coo(to_coo(x)._array, to_coo(y)._array)), x)


def _sum_of_coo(a, b):
    if a.sparse_dim != b.sparse_dim and not (a.nnz and b.nnz):
        return sparse((a if a.nnz else b).copy())
    if a.sparse_dim != b.sparse_dim:
        raise RuntimeError(
            f"add: expected 'self' and 'other' to have same density, but 'self' has {a.sparse_dim} sparse dimensions while 'other' has {b.sparse_dim} sparse dimensions"
        )
    if a.values.flags.c_contiguous and b.values.flags.c_contiguous:
        found = _merged(a, b)
        if found is not None:
            return sparse(found)
    both = Coo(np.concatenate([a.indices, b.indices], axis=1), np.concatenate([a.values, b.values]), a.shape)
    return sparse(coalesced(both) if both.nnz > both.size else both)


def _merged(a, b):
    """The sum of two arrays of coordinates that keep the same places in the same order, or each of which has its places in order; None for others.

    The indices are the first columns of longer ones, as PyTorch's: of those it keeps a gradient's mark of being coalesced.
    """
    flag = a.coalesced and b.coalesced
    room = np.empty((a.sparse_dim, a.nnz + b.nnz), INDEX)
    if a.nnz == b.nnz and (a.indices is b.indices or np.array_equal(a.indices, b.indices)):
        indices = room[:, : a.nnz]
        indices[...] = a.indices
        return Coo(indices, _plus(a.values, b.values), a.shape, flag)
    sizes = a.shape[: a.sparse_dim]
    first, second = keys_of(a.indices, sizes), keys_of(b.indices, sizes)
    if not all(x.coalesced or (np.diff(keys) > 0).all() for x, keys in ((a, first), (b, second))):
        return None
    keys = np.union1d(first, second)
    values = _plus(
        *[_spread(x.values, np.searchsorted(keys, at), len(keys)) for x, at in ((a, first), (b, second))]
    )
    indices = room[:, : len(keys)]
    indices[...] = indices_of(keys, sizes)
    return Coo(indices, values, a.shape, flag)


def _plus(a, b):
    return (wrap(a) + wrap(b))._array


def _spread(values, at, count):
    """``values`` at the places ``at`` of ``count``, zeros elsewhere."""
    out = np.zeros((count, *values.shape[1:]), values.dtype)
    out[at] = values
    return out


def _dense_plus(x, y, alpha, scale, name="AddBackward0", sign=1):
    """``scale * x + sign * alpha * y`` of a dense and a sparse tensor."""
    if x._array.shape != y._array.shape:
        if x.numel() == 1 and not x.ndim:
            raise RuntimeError(
                "add: a number and a sparse tensor have no sum that is sparse: to_dense() gives a tensor that can be added"
            )
        raise RuntimeError(
            f"add: expected 'self' and 'other' to have same size, but self has size {list(x.shape)} while other has size {list(y.shape)} "
            "(FYI: dense-sparse addition does not currently support broadcasting)"
        )
    dtype, own, factor = result_type(x, y), (x.dtype, y.dtype), sign * alpha
    dense, laid_out = x.detach().to(dtype), to_dense(_in(y.detach(), dtype))
    result = (dense if scale == 1 else dense * scale) + (laid_out if factor == 1 else laid_out * factor)
    result = result.to(dtype)  # of bools, a product is a number

    def formula(g, needs):
        to_x = scaled(g, scale, own[0]) if needs[0] else None
        return to_x, scaled(g if sign == 1 else _negated(g), alpha, own[1]) if needs[1] else None

    return record(name, result, (x, y), formula)


def sub(input, other, *, alpha=1):
    """``input - alpha * other``."""
    no_bools(input, other)
    if not isinstance(other, Tensor) or (not is_sparse(other) and input._array.__class__ is Coo):
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    if not is_sparse(other):
        return add(input, other, alpha=-alpha)
    if not is_sparse(input):
        return _dense_plus(input, other, alpha, 1, "SubBackward0", -1)
    return _sum(input, other, alpha, -alpha, "SubBackward0")


# Products --------------------------------------------------------------------------------------------------------------------------------


def mul(input, other, name="MulBackward0"):
    """``input * other``: a sparse tensor, which keeps elements where a sparse factor does, two where both do."""
    if _one_is_a_sparse_number(input, other):
        return _by_sparse_number(input, other)
    if not is_sparse(input):
        if isinstance(input, Tensor):
            return _by_dense(other, input, True) if input.ndim else _by_number(other, input, name, True)
        input, other = other, input
    if not isinstance(other, Tensor):
        return _by_number(input, other, name)
    if not is_sparse(other):
        return _by_dense(input, other) if other.ndim else _by_number(input, other, name)
    if input._array.shape != other._array.shape:
        raise RuntimeError(
            f"mul operands have incompatible sizes {list(input.shape)} and {list(other.shape)}: of two sparse factors, both have the same"
        )
    return record(
        "MulBackward0", _of_two(input.detach(), other.detach()), (input, other), _to_factors, input, other
    )


def _one_is_a_sparse_number(x, y):
    """Whether one of two factors is a sparse tensor of no dimensions, and the other one has some."""
    if not (isinstance(x, Tensor) and isinstance(y, Tensor)) or bool(x.ndim) is bool(y.ndim):
        return False
    return is_sparse(y if x.ndim else x)


def _by_sparse_number(x, y):
    """The product of a tensor and a sparse one of no dimensions, either of which comes first."""
    number, other = (y.detach(), x.detach()) if x.ndim else (x.detach(), y.detach())
    found = _by_number(other, to_dense(number)) if is_sparse(other) else _by_dense(number, other)

    def formula(g, needs, *factors):
        found = []
        for need, one, other in zip(needs, factors, factors[::-1]):
            h = in_dtype(_times(g, conjugated(other)), one.dtype) if need else None
            if h is not None and not one.ndim:
                h = h.sum()
            elif h is not None and is_sparse(h) and not is_sparse(one) and not takes_sparse(one):
                h = to_dense(h)
            found.append(h)
        return found

    return record("MulBackward0", found, (x, y), formula, x, y)


def _to_factors(g, needs, x, y):
    """The gradients of two factors."""
    to_x = in_dtype(_times(g, conjugated(y)), x.dtype) if needs[0] else None
    if to_x is not None and to_x.shape != x.shape:
        to_x = to_x.sum_to_size(x.shape)
    if not needs[1]:
        return to_x, None
    to_y = in_dtype(_times(g, conjugated(x)), y.dtype)
    if is_sparse(to_y) and not is_sparse(y) and not (y.shape == to_y.shape and takes_sparse(y)):
        to_y = to_dense(to_y)
    return to_x, to_y if to_y.shape == y.shape else to_y.sum_to_size(y.shape)


def _times(x, y):
    return mul(x, y) if is_sparse(x) or is_sparse(y) else x * y


def _by_number(x, y, name="MulBackward0", number_first=False):
    found, dtype = _beside(x.detach(), y), x.dtype
    values = raw(found) * (y.detach() if isinstance(y, Tensor) else y)
    if isinstance(y, Tensor):
        return _of_factors(sparse(found._array.holding(values._array)), x, y, number_first)
    factor = y.conjugate()

    def formula(g, needs):
        g = mul(g, factor, name=name) if is_sparse(g) else g * factor
        return in_dtype(g, dtype), None

    operands = (x, None) if name == "MulBackward0" else (x,)
    return _of_places(found, values, name, operands, formula)


def _of_factors(result, x, y, swapped):
    """``result`` as the product of two tensors; ``swapped``: of the second and the first."""
    if swapped:
        formula = lambda g, needs, x, y: _to_factors(g, needs[::-1], x, y)[::-1]
        return record("MulBackward0", result, (y, x), formula, x, y)
    return record("MulBackward0", result, (x, y), _to_factors, x, y)


def _of_two(x, y):
    """The product of two sparse tensors without history."""
    if x._array.same_places(y._array) and x._array.coalesced:
        return of_values(x._array.with_own_places(), kept(x) * kept(y))
    if x._array.__class__ is Compressed:
        return to_layout_of(_of_two(coalesce(to_coo(x)), to_coo(y)), x)
    y = to_coo(y)
    a, b = x._array, y._array
    if not (a.nnz and b.nnz):
        return sparse(Coo(a.indices[:, :0], a.values[:0].astype(result_type(x, y).np), a.shape))
    if a.sparse_dim != b.sparse_dim:
        raise RuntimeError(
            f"mul(sparse, sparse): the factors have {a.sparse_dim} and {b.sparse_dim} sparse dimensions, which must be as many"
        )
    # the elements of one are looked up in the other, whose elements at one place count as their sum
    swapped = (b.coalesced and not a.coalesced) or (a.coalesced is b.coalesced and a.nnz < b.nnz)
    kept_one, other = (a, coalesced(b)) if swapped else (b, coalesced(a))
    sizes = a.shape[: a.sparse_dim]
    at, there = places_among(keys_of(kept_one.indices, sizes), keys_of(other.indices, sizes))
    # elements that are not in order all stay, those that the other lacks as zeros
    chosen = np.flatnonzero(there) if kept_one.coalesced else np.arange(kept_one.nnz)
    first, second = wrap(kept_one.values[chosen]), wrap(other.values[at[chosen]])
    values = first * second if swapped else second * first
    if not there[chosen].all():
        values._array[~there[chosen]] = 0
    return sparse(Coo(kept_one.indices.take(chosen, 1), values._array, a.shape, kept_one.coalesced))


def _by_dense(x, y, dense_first=False):
    shape = broadcast_shapes((y._array.shape, x._array.shape))
    dtype = result_type(x, y)

    def compute(x, y):
        x = _in(x, dtype)
        x = x if shape == x._array.shape else _expanded(x, shape)
        return of_values(x._array.with_own_places(), kept(x) * values_at(y.to(dtype).expand(shape), x._array))

    if shape != x._array.shape:
        of_dense = lambda g, x, y: _to_factors(g, (x.requires_grad, y.requires_grad), x, y)
        if dense_first:
            swapped = lambda g, y, x: of_dense(g, x, y)[::-1]
            return as_one("MulBackward0", lambda y, x: compute(x, y), (y, x), swapped)
        return as_one("MulBackward0", compute, (x, y), of_dense)
    result = compute(x.detach(), y.detach())
    return _of_factors(result, x, y, dense_first)


def _expanded(x, shape):
    """A sparse tensor repeated along new dimensions, which are sparse, and dimensions of size 1."""
    if x._array.__class__ is not Coo:
        raise RuntimeError(
            f"a tensor of size {list(x.shape)} in a compressed layout does not broadcast to {list(shape)}: to_sparse() gives one that does"
        )
    x = coalesce(x)
    array, new = x._array, len(shape) - x.ndim
    sparse_dim = new + array.sparse_dim
    before = (1,) * new + array.shape
    repeated = [d for d in range(sparse_dim) if before[d] != shape[d]]
    copies = math.prod([shape[d] for d in repeated])
    grid = np.indices([shape[d] for d in repeated]).reshape(len(repeated), copies)
    indices = np.empty((sparse_dim, copies * array.nnz), INDEX)
    indices[:new] = 0
    indices[new:] = np.tile(array.indices, copies)
    indices[repeated] = np.repeat(grid, array.nnz, axis=1)
    values = kept(x)[wrap(np.tile(np.arange(array.nnz), copies))]
    values = values.expand(copies * array.nnz, *shape[sparse_dim:])
    ordered = all(d < new for d in repeated)
    return coalesce(of_values(Coo(indices, values._array, shape, ordered), values, "ExpandBackward0"))


def div(input, other, *, rounding_mode=None):
    """``input / other``, of a sparse tensor and a number, or a tensor of no dimensions."""
    if not isinstance(input, Tensor) and rounding_mode is None:
        raise refusal("reciprocal", other._array)
    if is_sparse(other) or (isinstance(other, Tensor) and other.ndim):
        raise RuntimeError(
            f"Sparse division requires a scalar or zero-dim dense tensor divisor (got shape {list(other.shape)} for divisor)"
        )
    if rounding_mode is not None:
        divisor = other.detach() if isinstance(other, Tensor) else other
        found = _rounded_quotient(input.detach(), divisor, rounding_mode)
        operands = (input, other if isinstance(other, Tensor) else None)
        return record("DivBackward2", found, operands, _zeros_of_quotient)
    x, dtype = _beside(input.detach(), other), input.dtype
    if not isinstance(other, Tensor):
        factor = other.conjugate()
        formula = lambda g, needs: (in_dtype(_quotient(g, factor), dtype), None)
        return _of_places(x, raw(x) / other, "DivBackward0", (input, None), formula)

    def formula(g, needs, x, y):
        to_x = in_dtype(_quotient(g, y.conj()), dtype) if needs[0] else None
        return to_x, _to_divisor(g, x, y) if needs[1] else None

    return _of_places(x, raw(x) / other.detach(), "DivBackward0", (input, other), formula, input, other)


def _zeros_of_quotient(g, needs):
    """The gradients of a quotient that is rounded."""
    return [
        None if not need else zeros_of(g, needs)[0] if i == 0 else g.to_dense().new_zeros(())
        for i, need in enumerate(needs)
    ]


def _quotient(g, divisor):
    return div(g, divisor) if is_sparse(g) else g / divisor


def _to_divisor(g, x, y):
    """The gradient of a divisor, a tensor of one number."""
    products = _times(g, conjugated(div(div(x, y), y)))
    products = to_dense(products) if is_sparse(products) else products
    return in_dtype(-products.sum_to_size(y.shape), y.dtype)


def _rounded_quotient(x, y, rounding_mode):
    x = _beside(x, y)
    x = coalesce(x) if x._array.__class__ is Coo else x
    return of_values(x._array, kept(x).div(y, rounding_mode=rounding_mode))


def floor_divide(input, other):
    """``input // other``, of a sparse tensor and a number."""
    return div(input, other, rounding_mode="floor")


def float_power(input, exponent):
    """``input ** exponent`` in double precision."""
    double = isinstance(exponent, complex) or (is_sparse(input) and input.is_complex())
    return pow(to(input, dtypes.complex128 if double else dtypes.float64), exponent)


def pow(input, exponent):
    """``input ** exponent``, of a number that is positive."""
    if isinstance(exponent, Tensor) or not is_sparse(input):
        raise refusal("pow.Tensor_Tensor", (input if is_sparse(input) else exponent)._array)
    if exponent == 0:
        raise RuntimeError(
            "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense"
        )
    if exponent == 1:
        return as_one("PowBackward0", lambda x: _power(x, 1), (input,))

    def formula(g, needs, x):
        slope = scaled(pow(x, exponent - 1), exponent)
        return (in_dtype(_times(g, conjugated(slope)), x.dtype),)

    return record("PowBackward0", _power(input.detach(), exponent), (input,), formula, input)


def _power(x, exponent):
    x = coalesce(x) if x._array.__class__ is Coo else x
    return of_values(x._array, kept(x) ** exponent)


#: Functions that have a constant slope -> the gradient.
_FORMULAS = {
    "frac": lambda g, needs: (g,),
    "deg2rad": lambda g, needs: (scaled(g, _DEGREE),),
    "rad2deg": lambda g, needs: (scaled(g, 1 / _DEGREE),),
}


#: Functions whose slope is not zero where no element is kept -> the gradient, dense, that a dense one of the result gives.
_OF_DENSE = {"log1p": lambda g, x: g / (to_dense(x) + 1).conj()}


# Helpers ---------------------------------------------------------------------------------------------------------------------------------


def _beside(x, other):
    """``x``; one of no dimensions in the dtype that it has in common with the number ``other``, as its values have a dimension."""
    return x if x.ndim or not isinstance(other, Tensor) else _in(x, result_type(x, other))


def _in(x, dtype):
    return x if x.dtype is dtype else x.to(dtype)


def to(self, *args, **kwargs):
    """As ``Tensor.to``: the values converted; the tensor itself if nothing changes."""
    if self._array.is_meta:
        first = late.meta().emptied(self._array.values)
    else:
        first = wrap(self._array.values)
    if args and isinstance(args[0], Tensor):
        args = (args[0].dtype, *args[1:])
    if kwargs.pop("memory_format", None) is not None:
        raise RuntimeError("unsupported memory format option for sparse tensors")
    converted = first.to(*args, **kwargs)
    if converted is first:
        return self
    if converted._is_meta:
        if self._array.is_meta:
            found, dtype = sparse(self._array.holding(converted._array)), self.dtype
            if converted.dtype.category < dtypes.FLOATING:
                return found
            return record("ToCopyBackward0", found, (self,), lambda g, needs: (in_dtype(g, dtype),))
        return emptied(sparse(self._array.holding(raw(self).to(converted.dtype)._array)))
    dtype, values = self.dtype, raw(self).to(*args, **kwargs)
    if values.dtype.category < dtypes.FLOATING:
        return sparse(self._array.holding(values._array))
    return _of_places(self, values, "ToCopyBackward0", (self,), lambda g, needs: (in_dtype(g, dtype),))


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


def copy_(self, src, non_blocking=False):
    """Take the elements of another sparse tensor."""
    if not is_sparse(src) or not is_sparse(self):
        names = [
            ("torch.sparse." if is_sparse(x) else "torch.") + x.type().rpartition(".")[2] for x in (self, src)
        ]
        raise RuntimeError(
            f"copy_() between dense and sparse Tensors is not implemented! Found self type = {names[0]} and src type = {names[1]}"
        )
    if src._array.shape != self._array.shape and (self._array.__class__ is not Coo or self._array.nnz):
        raise RuntimeError(
            f"copy_(): the size {list(src.shape)} is not that of the tensor, {list(self.shape)}"
        )
    found = _in(clone(as_form_of(src.detach(), self.detach())), self.dtype)
    own = src.dtype

    def formula(g, needs):
        to_self = zeros_of(g, needs)[0] if needs[0] else None
        return to_self, in_dtype(g, own) if needs[1] else None

    return replace(self, record("CopyBackwards", found, (self, src), formula))


def add_to_dense_(self, other, *, alpha=1, name="AddBackward0", sign=1):
    """Add ``sign * alpha`` times a sparse tensor to a dense one in place."""
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
            self._array, (other if sign * alpha == 1 else mul(other, sign * alpha))._array
        )  # nothing of the size of the whole
        bump(self)
        return self
    result = _dense_plus(self, other, alpha, 1, name, sign)
    return write_over(self, result)


def write_over(x, result):
    """Let the dense tensor ``x`` have the elements and the history of ``result``: an operation in place."""
    may_write(x, result)
    if result._node is None or result.dtype is not x.dtype or x._node.__class__ is View:
        return x.copy_(to_fit(result, x))
    x.detach().copy_(result.detach())
    rebase(x, result._node)
    return x


def of_functions():
    """Name -> function, of all functions of one tensor, and methods in place."""
    table = {name: of_one(name) for name in KEEPING_ZEROS}
    table |= {"neg": neg, "negative": neg, "positive": positive, "conj_physical": conj_physical}
    table |= {
        name + "_": in_place(name + "_", table[name]) for name in _IN_PLACE if hasattr(Tensor, name + "_")
    }
    return table
