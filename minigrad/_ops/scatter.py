"""Writing elements along a dimension, at an index for each: ``scatter``, ``scatter_add``, and reductions at indices."""

import math
import warnings

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.scatter_add import copied, flat_places, ranks, reduced, scattered, scattered_sum
from .._base.argument_kinds import no_form
from .._base.callers import level_of_user
from .._base.deprecation import warn_once
from .._base.dtypes import scalar_type_name
from .._base.errors import axis as axis_of
from .._base.errors import integer
from .._core.families import General, op
from .._core.inplace import check_apart, may_write, write
from .._core.out import write_out_same
from .._core.tensor import Tensor, wrap
from .batches import along, everywhere
from .convert import as_number
from .gather import check_index
from .index_slices import check_slices, is_tensor
from .scalars import number_of

__all__ = ["index_reduce", "scatter", "scatter_add", "scatter_reduce"]
METHODS = (
    "index_reduce index_reduce_ scatter scatter_ scatter_add scatter_add_ scatter_reduce "
    "scatter_reduce_"
)


class ScatterBackward0(General):
    """z = x with elements of y at ``index`` along ``dim``; where an index repeats, one of them."""
    out_dtype = "result"
    aten = "scatter.src"
    linear = True
    batch = along("dim")
    operands, names = "x index y", {"y": "src"}
    def forward(x, index, y, dim):         return scattered(copied(x), index, y, dim)
    def vjp_x(xp, g, index, dim):          return xp.zero_elements(g, index, dim)
    def vjp_y(xp, g, index, dim, y_shape): return xp.padded(xp.gather(g, index, dim), y_shape)
_scatter = op(ScatterBackward0)


class ScatterBackward1(General):
    """z = x with a number at ``index`` along ``dim``."""
    out_dtype = "result"
    aten = "scatter.value"
    batch = along("dim")
    operands = "x index"
    def forward(x, index, dim, value): return scattered(copied(x), index, np.asarray(value), dim)
    def vjp_x(xp, g, index, dim):      return xp.zero_elements(g, index, dim)
_scatter_number = op(ScatterBackward1)


def zero_elements(x, index, dim):
    """``x`` with zeros at ``index`` along ``dim``."""
    return _scatter_number(x, index, dim, 0)


class ScatterAddBackward0(General):
    """z = x with elements of y added at ``index`` along ``dim``."""
    out_dtype = "result"
    linear = True
    batch = along("dim")
    operands, names = "x index y", {"y": "src"}
    def forward(x, index, y, dim):         return scattered_sum(copied(x), index, y, dim)
    def vjp_x(xp, g):                      return g
    def vjp_y(xp, g, index, dim, y_shape): return xp.padded(xp.gather(g, index, dim), y_shape)
_scatter_add = op(ScatterAddBackward0)


def scatter(input, dim, index, src=None, *, value=None, reduce=None, out=None):
    """Return a copy of ``input`` with elements of ``src`` (a tensor, or one number) written at ``index`` along a dimension.

    ``reduce`` may be "add" or "multiply".  Raises RuntimeError if shapes or dtypes do not fit, or for an index out of range.

    >>> import minigrad
    >>> minigrad.scatter(minigrad.zeros(3), 0, minigrad.tensor([2, 0]), minigrad.tensor([1., 2.]))
    tensor([2., 0., 1.])
    """
    if out is not None:
        return write_out_same(out, scatter, input, dim, index, src, value=value, reduce=reduce)
    if value is not None:
        src = _instead_of_source("scatter", dim, index, src, value)
    dim, src, reduce = check_scatter("scatter", input, dim, index, src, reduce)
    if reduce is not None:
        return _scatter_reduce(input, index, src, dim, reduce, True) if reduce == "prod" else _scatter_add(input, index, src, dim)
    return _scatter(input, index, src, dim) if isinstance(src, Tensor) else _scatter_number(input, index, dim, src)


def scatter_(input, dim, index, src=None, *, value=None, reduce=None):
    """In-place version of ``scatter``; returns the tensor.

    >>> import minigrad
    >>> minigrad.zeros(3).scatter_(0, minigrad.tensor([2, 0]), minigrad.tensor([5., 6.]))
    tensor([6., 0., 5.])
    """
    if value is not None:
        src = _instead_of_source("scatter_", dim, index, src, value)
    may_write(input, src)
    dim, src, reduce = check_scatter("scatter_", input, dim, index, src, reduce)
    check_apart(input, index, *([src] if isinstance(src, Tensor) else []))
    if reduce == "prod":
        return scatter_reduce_(input, dim, index, src, "prod")
    if reduce is not None:
        return write(ScatterAddBackward0, input, (index, src), (dim,), lambda x, i, y: scattered_sum(x, i, y, dim))
    if isinstance(src, Tensor):
        return write(ScatterBackward0, input, (index, src), (dim,), lambda x, i, y: scattered(x, i, y, dim))
    return write(ScatterBackward1, input, (index,), (dim, src), lambda x, i: scattered(x, i, src, dim))


def _instead_of_source(name, dim, index, src, value):
    """The number that is to be scattered; raises TypeError for what is none, or if there is a source as well."""
    number = number_of(value)
    if number is None or src is not None:
        raise no_form(name, {"dim": dim, "index": index} | ({} if src is None else {"src": src}) | {"value": value})
    return number


def check_scatter(name, input, dim, index, src, reduce):
    """(dim from the front, src, reduction or None): a number to scatter is an array, or a tensor to add or multiply with."""
    if reduce not in (None, "add", "multiply"):
        axis_of(integer(dim, "scatter", "dim", 2), input.ndim)
        raise RuntimeError("reduce argument must be either add or multiply.")
    if isinstance(src, Tensor):
        dim = check_index("scatter", input, dim, index, src)
        if reduce is not None:
            warnings.warn(
                "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch "
                "release. Use torch.scatter_reduce instead for more reduction options.",
                stacklevel=level_of_user(),
            )
    else:
        if not isinstance(src, (bool, int, float, complex, np.generic)):
            raise no_form(name, {"dim": dim, "index": index} | ({} if src is None else {"src": src}))
        dim = check_index("scatter", input, dim, index)
        src = as_number(src, input._array.dtype, bounded=True)
        if reduce is not None:
            src = wrap(np.full(index._array.shape, src))
    return dim, src, {None: None, "add": "sum", "multiply": "prod"}[reduce]


def scatter_add(input, dim, index, src, *, out=None):
    """Return a copy of ``input`` with elements of ``src`` added at ``index`` along a dimension.

    Raises RuntimeError if shapes or dtypes do not fit, or for an index out of range.

    >>> import minigrad
    >>> minigrad.scatter_add(minigrad.zeros(3), 0, minigrad.tensor([0, 0]), minigrad.tensor([1., 2.]))
    tensor([3., 0., 0.])
    """
    is_tensor("scatter_add", "src", 4, src)
    dim = check_index("scatter", input, dim, index, src)
    return _scatter_add(input, index, src, dim) if out is None else _scatter_add.into(out, input, index, src, dim)


def scatter_add_(input, dim, index, src):
    """In-place version of ``scatter_add``; returns the tensor.

    >>> import minigrad
    >>> minigrad.zeros(3).scatter_add_(0, minigrad.tensor([2, 2]), minigrad.tensor([5., 6.]))
    tensor([ 0.,  0., 11.])
    """
    is_tensor("scatter_add_", "src", 3, src)
    may_write(input, src)
    dim = check_index("scatter", input, dim, index, src)
    check_apart(input, index, src)
    return write(ScatterAddBackward0, input, (index, src), (dim,), lambda x, i, y: scattered_sum(x, i, y, dim))


# Reductions at indices -------------------------------------------------------------------------------------------------------------


def reduced_gradient_x(xp, g, x, index, y, z, dim, reduce, include_self):
    """The gradient of the tensor into which ``reduced`` writes."""
    if not include_self:
        g = xp.zero_elements(g, index, dim)
        if reduce in ("amax", "amin", "prod", "mean"):
            return g
    if reduce == "sum":
        return g
    if reduce == "mean":
        return g / occurrences(xp, g, index, dim, True)
    if reduce == "prod":
        return g * xp.scatter_reduce(xp.ones_like(x), index, y, dim, "prod", True)
    mine, _, n = shares(xp, x, index, y, z, dim, include_self)
    return g / n * mine


def reduced_gradient_y(xp, g, x, index, y, z, dim, reduce, include_self):
    """The gradient of the elements that ``reduced`` reduces."""
    if reduce == "sum":
        return xp.padded(xp.gather(g, index, dim), y.shape)
    if reduce == "mean":
        return xp.padded(xp.gather(g / occurrences(xp, g, index, dim, include_self), index, dim), y.shape)
    if reduce == "prod":
        out = xp.gather(g, index, dim) * xp.product_of_others(x, index, y, dim, include_self)
    else:
        _, theirs, n = shares(xp, x, index, y, z, dim, include_self)
        out = xp.gather(g / n, index, dim) * theirs
    return xp.padded(out, y.shape)


def occurrences(xp, g, index, dim, include_self):
    """How many elements met at each place; one where none did."""
    ones = xp.ones_like(g)
    n = xp.add_elements(xp.gather(ones, index, dim), index, dim, g.shape)
    return n + ones if include_self else xp.where(n == 0, ones, n)


def shares(xp, x, index, y, z, dim, include_self):
    """Which elements are the extremes of their places: of x, of y; and how many there are at each place."""
    mine = xp.astype_like(x == z, x)
    if not include_self:
        mine = xp.zero_elements(mine, index, dim)
    part = y if y.shape == index.shape else y[tuple([slice(n) for n in index.shape])]
    theirs = xp.astype_like(part == xp.gather(z, index, dim), part)
    n = mine + xp.add_elements(theirs, index, dim, x.shape)
    return mine, theirs, xp.where(n == 0, xp.ones_like(n), n)


class ScatterReduceBackward0(General):
    """z = elements of y reduced at ``index`` along ``dim``, together with x there if ``include_self``; ties share g evenly."""
    out_dtype = "result"
    aten = "scatter_reduce.two"
    batch = along("dim")
    operands, names = "x index y", {"y": "src"}
    forward = arrays.scatter_reduce
    def vjp_x(xp, g, x, index, y, z, dim, reduce, include_self):     return reduced_gradient_x(xp, g, x, index, y, z, dim, reduce, include_self)
    def vjp_y(xp, g, x, index, y, z, dim, reduce, include_self):     return reduced_gradient_y(xp, g, x, index, y, z, dim, reduce, include_self)
_scatter_reduce = op(ScatterReduceBackward0)


class Ranks(General):
    """Where in a tensor of ``shape``, as one row, the elements at ``index`` along ``dim`` lie; how many before each lie there too."""
    operands, results, nondiff, public = "index", "places rank", (0, 1), "ranks_of"
    def batch(call, xs, batched, params, size):
        (index,), (dim, shape) = xs, params
        places, rank = [z.unflatten(0, (size, -1)) for z in call(index.reshape(size, -1) if index.ndim == 1 else index, dim + 1, (size, *(shape or (1,))))]
        return places - wrap(np.arange(size) * math.prod(shape)).unsqueeze(1), rank
    def forward(index, dim, shape):
        flat = flat_places(index if index.ndim else index.reshape(1), dim, shape or (1,)).reshape(-1)
        return flat, ranks(flat)
ranks_of = op(Ranks)


def check_reduce(name, input, dim, reduce):
    """Raise RuntimeError for an unknown reduction, IndexError first for a dimension that ``input`` has not."""
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        axis_of(integer(dim, name, "dim", 2), input.ndim)
        raise RuntimeError("reduce argument must be either sum, prod, mean, amax or amin, got " + str(reduce))


def check_reducible(input, index, reduce):
    """Raise NotImplementedError for the largest of complex numbers and the mean of bools."""
    if input._array.dtype.kind in {"amax": "c", "amin": "c", "mean": "b"}.get(reduce, "") and index._array.size:
        dtype = scalar_type_name(input.dtype)
        raise NotImplementedError(f"\"scatter_gather_tensor_cpu_reduce_{reduce}\" not implemented for '{dtype}'")


def scatter_reduce(input, dim, index, src, reduce, *, include_self=True, out=None):
    """Return a copy of ``input`` with elements of ``src`` reduced into it at ``index`` along a dimension, by "sum", "prod", "mean", "amax"
    or "amin".

    The elements of ``input`` there are included if ``include_self``. Raises RuntimeError if shapes or dtypes do not fit.

    >>> import minigrad
    >>> minigrad.scatter_reduce(minigrad.ones(2), 0, minigrad.tensor([0, 0]), minigrad.tensor([2., 3.]), "prod")
    tensor([6., 1.])
    """
    is_tensor("scatter_reduce", "src", 4, src)
    check_reduce("scatter_reduce", input, dim, reduce)
    dim = check_index("scatter", input, dim, index, src)
    check_reducible(input, index, reduce)
    if out is not None:
        return _scatter_reduce.into(out, input, index, src, dim, reduce, include_self)
    return _scatter_reduce(input, index, src, dim, reduce, include_self)


def scatter_reduce_(input, dim, index, src, reduce, *, include_self=True):
    """In-place version of ``scatter_reduce``; returns the tensor.

    >>> import minigrad
    >>> minigrad.ones(3).scatter_reduce_(0, minigrad.tensor([2, 2]), minigrad.tensor([5., 6.]), "amax")
    tensor([1., 1., 6.])
    """
    is_tensor("scatter_reduce_", "src", 3, src)
    check_reduce("scatter_reduce_", input, dim, reduce)
    may_write(input, src)
    dim = check_index("scatter", input, dim, index, src)
    check_reducible(input, index, reduce)
    check_apart(input, index, src)
    return write(
        ScatterReduceBackward0, input, (index, src), (dim, reduce, include_self),
        lambda x, i, y: reduced(x, i, y, dim, reduce, include_self),
    )


def for_every_element(index, shape, dim):
    """A vector of indices along ``dim`` as an index for every element of a source of ``shape``."""
    return index.reshape((1,) * dim + (-1,) + (1,) * (len(shape) - dim - 1)) if shape else index.reshape(())


class IndexReduceBackward0(General):
    """z = slices of y reduced at ``index``, a vector, along ``dim``, together with x there if ``include_self``; ties share g evenly."""
    out_dtype = "result"
    operands, names = "x index y", {"y": "source"}
    def batch(call, xs, batched, params, size):
        (x, index, y), (dim, *rest) = everywhere(xs, batched, size), params
        if x.ndim == 1: return _scatter_reduce(x.unsqueeze(1), index.reshape(size, -1), y.reshape(size, -1), 1, *rest).squeeze(1)
        index = index.reshape(size, *(1,) * dim, -1, *(1,) * (x.ndim - dim - 2)).expand(y.shape)
        return _scatter_reduce(x, index, y, dim + 1, *rest)
    def forward(x, index, y, dim, reduce, include_self):
        index = np.broadcast_to(for_every_element(index, y.shape, dim), y.shape)
        return reduced(copied(x), index, y, dim, reduce, include_self)
    def vjp_x(xp, g, x, index, y, z, dim, reduce, include_self):
        index = xp.broadcast_to(for_every_element(index, y.shape, dim), y.shape)
        return reduced_gradient_x(xp, g, x, index, y, z, dim, reduce, include_self)
    def vjp_y(xp, g, x, index, y, z, dim, reduce, include_self):
        index = xp.broadcast_to(for_every_element(index, y.shape, dim), y.shape)
        return reduced_gradient_y(xp, g, x, index, y, z, dim, reduce, include_self)
_index_reduce = op(IndexReduceBackward0)


def check_index_reduce(input, dim, index, source, reduce, include_self):
    """``dim`` from the front; raises for what does not fit."""
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    dim = check_slices("index_reduce_", input, dim, index, source, bool(include_self))
    warn_once("index_reduce", "index_reduce() is in beta and the API may change at any time.", UserWarning)
    kind = input._array.dtype.kind
    by_slices = kind in "bc" and input.dim() > 1 and include_self  # PyTorch then multiplies, or compares, whole slices
    if by_slices:
        refused = {"amax": "maximum_cpu", "amin": "minimum_cpu"} if kind == "c" else {"mean": "div_floor_cpu"}
        kernel = refused.get(reduce)
    else:
        kernel = "index_func_" if include_self else "index_reduce_func_exclude_input_init"
    if kind in "bc" and kernel is not None:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{scalar_type_name(input.dtype)}'")
    return dim


def index_reduce(input, dim, index, source, reduce, *, include_self=True, out=None):
    """Return a copy of ``input`` with slices of ``source`` reduced into it at ``index`` along a dimension, by "prod", "mean", "amax" or "amin".

    The slices of ``input`` there are included if ``include_self``. Raises RuntimeError if shapes or dtypes do not fit.

    >>> import minigrad
    >>> minigrad.index_reduce(minigrad.ones(2), 0, minigrad.tensor([0, 0]), minigrad.tensor([2., 3.]), "prod")
    tensor([6., 1.])
    """
    dim = check_index_reduce(input, dim, index, source, reduce, include_self)
    if out is not None:
        return _index_reduce.into(out, input, index, source, dim, reduce, include_self)
    return _index_reduce(input, index, source, dim, reduce, include_self)


def index_reduce_(input, dim, index, source, reduce, *, include_self=True):
    """In-place version of ``index_reduce``; returns the tensor.

    >>> import minigrad
    >>> minigrad.ones(3).index_reduce_(0, minigrad.tensor([2, 2]), minigrad.tensor([5., 6.]), "prod")
    tensor([ 1.,  1., 30.])
    """
    may_write(input, source)
    dim = check_index_reduce(input, dim, index, source, reduce, include_self)
    check_apart(input, index, source)

    def kernel(x, i, y):
        reduced(x, np.broadcast_to(for_every_element(i, y.shape, dim), y.shape), y, dim, reduce, include_self)

    return write(IndexReduceBackward0, input, (index, source), (dim, reduce, include_self), kernel)
