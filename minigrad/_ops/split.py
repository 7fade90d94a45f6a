"""Several views of one tensor at once: the pieces of a dimension, or what stands at each of its indices."""

import itertools
import operator

import numpy as np

from .._base import dtypes
from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._base.errors import axis as axis_of
from .._base.errors import integer, shape_text, too_large, type_name
from .._core.families import MultiViewOp, views
from .._core.tensor import Tensor
from .batches import along
from .overloads import one_of, refused
from .parts import ALL, SelectBackward0, SliceBackward0, slice_
from .sizes import as_int, ints

__all__ = ["chunk", "dsplit", "hsplit", "split", "split_with_sizes", "tensor_split", "unbind", "vsplit"]
METHODS = "chunk dsplit hsplit split=split_method split_with_sizes tensor_split unbind vsplit"


def filled(xp, g, shapes):
    """The gradients of several results, with zeros for those that have none; None if none has one."""
    like = next((h for h in g if h is not None), None)
    if like is None:
        return None
    return [xp.zeros(shape, like) if h is None else h for h, shape in zip(g, shapes)]


class UnbindBackward0(MultiViewOp):
    """z₁, z₂, ... = x at each index of an axis."""
    aten = "unbind.int"
    batch = along("dim")
    def forward(x, dim):
        before = (ALL,) * dim
        return [x[(*before, i, ...)] for i in range(x.shape[dim])]
    def part(x, k, dim): return SelectBackward0, (dim, k)
    def vjp(xp, g, shape, dim):
        parts = filled(xp, g, (shape[:dim] + shape[dim + 1 :],) * shape[dim])
        return parts and xp.stack(parts, dim)
_unbind = views(UnbindBackward0)


def unbind(input, dim=0, *, axis=None):
    """Return a tuple of views of ``input`` at each index of a dimension; raise IndexError if there is no such dimension.

    >>> import minigrad
    >>> minigrad.unbind(minigrad.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
    n = input._array.ndim
    if not n:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    return _unbind(input, axis_of(as_int(dim if axis is None else axis, "unbind", "dim", 2), n))


def rejoined(xp, g, shape, dim, sizes):
    """The gradients of the pieces of one axis, joined."""
    parts = filled(xp, g, [(*shape[:dim], n, *shape[dim + 1 :]) for n in sizes])
    return parts and xp.concat(parts, dim)


def pieces(n, size):
    """The sizes of the pieces of an axis of length n: all ``size`` but the last."""
    return [min(size, n - at) for at in range(0, n, size)] if n else [0]


class SplitBackward0(MultiViewOp):
    """z₁, z₂, ... = pieces of x along an axis, of one size but for the last."""
    aten = "split.Tensor"
    batch = along("dim")
    def forward(x, split_size, dim):
        before, n = (ALL,) * dim, x.shape[dim]
        return [x[(*before, slice(at, at + split_size))] for at in (range(0, n, split_size) if n else (0,))]
    def part(x, k, split_size, dim): return SliceBackward0, (dim, k * split_size, (k + 1) * split_size, 1)
    def vjp(xp, g, shape, split_size, dim): return rejoined(xp, g, shape, dim, pieces(shape[dim], split_size))
_split = views(SplitBackward0)


class SplitWithSizesBackward0(MultiViewOp):
    """z₁, z₂, ... = pieces of x along an axis, of given sizes."""
    batch = along("dim")
    def forward(x, split_sizes, dim):
        before, at, parts = (ALL,) * dim, 0, []
        for n in split_sizes:
            parts.append(x[(*before, slice(at, at + n))])
            at += n
        return parts
    def part(x, k, split_sizes, dim):
        at = sum(split_sizes[:k])
        return SliceBackward0, (dim, at, at + split_sizes[k], 1)
    def vjp(xp, g, shape, split_sizes, dim): return rejoined(xp, g, shape, dim, split_sizes)
_split_with_sizes = views(SplitWithSizesBackward0)


def split(tensor, split_size_or_sections, dim=0):
    """Split along a dimension into a tuple of views: of one size (the last may be smaller), or of the sizes in a list.

    Raises RuntimeError if the sizes do not sum to the dimension's.

    >>> import minigrad
    >>> minigrad.split(minigrad.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    size = split_size_or_sections
    if isinstance(size, (tuple, list)):
        return split_with_sizes(tensor, size, dim)
    if size.__class__ is bool:
        raise refused("split", _SPLITS, tensor, size, dim)
    if not hasattr(size, "__index__"):
        raise TypeError(
            f"split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, not {type_name(size)}"
        )
    return _split(tensor, *split_arguments(tensor, operator.index(size), dim))


def split_arguments(tensor, size, dim):
    """(split_size, dim) for splitting into pieces of one size; raises RuntimeError if that cannot be."""
    shape = tensor._array.shape
    if not shape:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if size < 0:
        integer(size, "split", "split_size", 2)
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")
    dim = axis_of(as_int(dim, "split", "dim", 3), len(shape))
    if size == 0 and shape[dim]:
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {shape[dim]}")
    return size or 1, dim


def split_method(input, split_size, dim=0):
    """The same as ``minigrad.split``.

    >>> import minigrad
    >>> minigrad.arange(5).split(2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    return split(input, split_size, dim)


def split_with_sizes(input, split_sizes, dim=0):
    """Split along a dimension into a tuple of views of the sizes in a list.

    Raises RuntimeError if the sizes do not sum to the dimension's.

    >>> import minigrad
    >>> minigrad.split_with_sizes(minigrad.arange(3), [1, 2])
    (tensor([0]), tensor([1, 2]))
    """
    shape = input._array.shape
    if not shape:
        raise RuntimeError("split_with_sizes expects at least a 1-dimensional tensor")
    dim = axis_of(as_int(dim, "split_with_sizes", "dim", 3), len(shape))
    sizes = ints("split_with_sizes", "split_sizes", split_sizes)
    if min(sizes, default=0) < 0:
        raise RuntimeError(f"split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={shape_text(sizes)}")
    if sum(sizes) != shape[dim]:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {shape[dim]} (input tensor's size at dimension {dim}), but "
            f"got split_sizes={shape_text(sizes)}"
        )
    return _split_with_sizes(input, sizes, dim)


@composite
def chunk(input, chunks, dim=0, *, axis=None):
    """Split along a dimension into a tuple of at most ``chunks`` views of equal size (the last may be smaller).

    Raises RuntimeError for a 0-dim tensor, or if ``chunks`` is not positive.

    >>> import minigrad
    >>> minigrad.chunk(minigrad.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    shape = input._array.shape
    if not shape:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    chunks = as_int(chunks, "chunk", "chunks", 2)
    if not 0 < chunks < 2**63:
        integer(chunks, "chunk", "chunks", 2)
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    dim = axis_of(as_int(dim if axis is None else axis, "chunk", "dim", 3), len(shape))
    n = shape[dim]
    return _split(input, -(-n // chunks), dim) if n else _split_with_sizes(input, (0,) * chunks, dim)


@composite
def tensor_split(input, indices_or_sections=None, dim=0, *, indices=None, sections=None, tensor_indices_or_sections=None):
    """Split along a dimension into a tuple of views: a number of nearly equal size, or cut before the given indices.

    A keyword says which of the two is meant. Raises RuntimeError for a 0-dim tensor, or if the number of sections is not positive.

    >>> import minigrad
    >>> minigrad.tensor_split(minigrad.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    given = {"indices": indices, "sections": sections, "tensor_indices_or_sections": tensor_indices_or_sections}
    at = one_of("tensor_split", _TENSOR_SPLIT, indices_or_sections, **given)
    shape = input._array.shape
    if not shape:
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    if isinstance(at, Tensor):
        if at._array.ndim > 1:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a "
                f"tensor with {at._array.ndim} dims"
            )
        if at.dtype is not dtypes.int64:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to have dtype of long, but got "
                f"{dtype_name(at)}"
            )
        at = at.tolist()
    dim = axis_of(as_int(dim, "tensor_split", "dim", 3), len(shape))
    n = shape[dim]
    if isinstance(at, (tuple, list)):
        cuts = [0, *ints("tensor_split", "indices", at), n]
        place = next((i for i, cut in enumerate(cuts[1:-1], 1) if not -(2**63) <= cut < 2**63), None)
        if place is not None:
            raise TypeError(f"tensor_split(): argument 'indices' failed to unpack the object at pos {place} with error \"Overflow when unpacking long long\n\"")
    else:
        sections = as_int(at, "tensor_split", "sections", 2)
        if sections <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
        if sections > 2**26:  # so many tensors take more memory than there is
            raise too_large(MemoryError())
        least, more = divmod(n, sections)
        cuts = [i * least + min(i, more) for i in range(sections + 1)]
    return tuple([slice_(input, dim, *clamped(start, end, n), 1) for start, end in itertools.pairwise(cuts)])


_SPLITS = "(Tensor input, int split_size, int dim = 0)", "(Tensor input, tuple of ints split_size, int dim = 0)"
_TENSOR_SPLIT = (
    "(Tensor input, tuple of ints indices, int dim = 0)", "(Tensor input, Tensor tensor_indices_or_sections, int dim = 0)",
    "(Tensor input, int sections, int dim = 0)",
)  # fmt: skip
_SPLIT_ALONG = "(Tensor input, int sections)", "(Tensor input, tuple of ints indices)"


def clamped(start, end, n):
    """A range as a slice understands it, with plain ends: 0 <= start <= end <= n."""
    start, end, _ = slice(start, end).indices(n)
    return start, max(start, end)


def _split_along(name, says, least, dim_of, number, shape):
    def function(input, indices_or_sections=None, *, indices=None, sections=None):
        at = one_of(name, _SPLIT_ALONG, indices_or_sections, indices=indices, sections=sections)
        n = input._array.ndim
        if n < least:
            raise RuntimeError(f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with {n} dimensions!")
        dim = dim_of(n)
        if isinstance(at, np.ndarray) and not at.ndim:
            at = at.item()
        if not isinstance(at, (tuple, list)):
            size = input._array.shape[dim]
            parts = as_int(at, name, "sections", 2)
            if parts == 0 or size % parts:
                raise RuntimeError(
                    f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension {size} is not divisible "
                    f"by the split_size {parts}!"
                )
        return tensor_split(input, at, dim)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Split along {says} with ``tensor_split``; a number of sections must divide its size.

    >>> import minigrad
    >>> minigrad.{name}(minigrad.arange(4).reshape(1, 2, 2), {number})[0].shape
    torch.Size([{shape}])
    """
    return composite(function)


hsplit = _split_along("hsplit", "the second dimension (of a vector, the first)", 1, lambda n: 0 if n == 1 else 1, 2, "1, 1, 2")
vsplit = _split_along("vsplit", "the first dimension", 2, lambda n: 0, 1, "1, 2, 2")
dsplit = _split_along("dsplit", "the third dimension", 3, lambda n: 2, 2, "1, 2, 1")
