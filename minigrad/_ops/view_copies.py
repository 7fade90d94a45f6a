"""Functions of views that copy: ``expand_copy`` is ``expand`` in memory of its own, and so on; pieces that share memory unnoticed."""

import numpy as np

from .._base.device import contiguous_format
from .._base.dtypes import dtype
from .._base.errors import axis, type_name
from .._core.families import General, op, views
from .._core.out import write_out_same, write_result
from .._core.storage import FRESH
from .._display.help_text import LazySignature
from . import complex, parts, permute, shape, split, strided
from .convert import clone, contiguous
from .split import SplitBackward0, SplitWithSizesBackward0, split_arguments

__all__ = [
    "alias_copy", "as_strided_copy", "detach_copy", "diagonal_copy", "expand_copy", "narrow_copy", "permute_copy",
    "select_copy", "slice_copy", "split_copy", "split_with_sizes_copy", "squeeze_copy", "t_copy", "transpose_copy",
    "unbind_copy", "unfold_copy", "unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes", "unsqueeze_copy",
    "view_as_complex_copy", "view_as_real_copy", "view_copy",
]
METHODS = "narrow_copy unsafe_chunk unsafe_split unsafe_split_with_sizes"

_ONE = {
    complex: ("view_as_complex", "view_as_real"),
    parts: ("diagonal", "narrow", "select", "unfold"),
    permute: ("permute", "t", "transpose"),
    shape: ("alias", "expand", "squeeze", "unsqueeze"),
    strided: ("as_strided",),
}
_SEVERAL = {"split": split.split_method, "split_with_sizes": split.split_with_sizes, "unbind": split.unbind}
#: For each, an example: arguments, result.
_EXAMPLES = {
    "view_as_complex": ("minigrad.tensor([[1., 2.]])", "tensor([1.+2.j])"),
    "view_as_real": ("minigrad.tensor([1 + 2j])", "tensor([[1., 2.]])"),
    "diagonal": ("minigrad.tensor([[1, 2], [3, 4]])", "tensor([1, 4])"),
    "narrow": ("minigrad.arange(5), 0, 1, 3", "tensor([1, 2, 3])"),
    "select": ("minigrad.tensor([[1, 2], [3, 4]]), 0, 1", "tensor([3, 4])"),
    "unfold": ("minigrad.arange(4), 0, 2, 1", "tensor([[0, 1],\n        [1, 2],\n        [2, 3]])"),
    "permute": ("minigrad.tensor([[1, 2]]), (1, 0)", "tensor([[1],\n        [2]])"),
    "t": ("minigrad.tensor([[1, 2]])", "tensor([[1],\n        [2]])"),
    "transpose": ("minigrad.tensor([[1, 2]]), 0, 1", "tensor([[1],\n        [2]])"),
    "alias": ("minigrad.tensor([1, 2])", "tensor([1, 2])"),
    "expand": ("minigrad.tensor([1, 2]), (2, 2)", "tensor([[1, 2],\n        [1, 2]])"),
    "squeeze": ("minigrad.tensor([[1, 2]])", "tensor([1, 2])"),
    "unsqueeze": ("minigrad.tensor([1, 2]), 0", "tensor([[1, 2]])"),
    "as_strided": ("minigrad.arange(4), (2, 2), (1, 1)", "tensor([[0, 1],\n        [1, 2]])"),
    "view": ("minigrad.arange(4), (2, 2)", "tensor([[0, 1],\n        [2, 3]])"),
    "split": ("minigrad.arange(3), 2", "(tensor([0, 1]), tensor([2]))"),
    "split_with_sizes": ("minigrad.arange(3), (1, 2)", "(tensor([0]), tensor([1, 2]))"),
    "unbind": ("minigrad.tensor([1, 2])", "(tensor(1), tensor(2))"),
}


def _in_own_memory(x):
    return clone(x, memory_format=contiguous_format)


def _by_own_names(named):
    """Arguments by name, of which one may have NumPy's name for ``dim``."""
    if "axis" in named and "dim" not in named:
        named["dim"] = named.pop("axis")
    return named


def _copying(name, view):
    def function(input, *args, out=None, **named):
        named = _by_own_names(named)
        if out is not None:
            return write_out_same(out, function, input, *args, **named)
        return _in_own_memory(view(input, *args, **named))

    return _document(function, name, view, "its own")


def _copying_several(name, view):
    def function(input, *args, out=None, **named):
        if out is not None and not isinstance(out, tuple | list):
            raise TypeError(f"{name}(): argument 'out' must be tuple of Tensors, not {type_name(out)}")
        pieces = view(input, *args, **_by_own_names(named))
        if out is None:
            return tuple([_in_own_memory(piece) for piece in pieces])
        for part, piece in zip(out, pieces):
            write_result(part, piece, name)
        return None

    return _document(function, name, view, "their own")


def _document(function, name, view, own):
    of = name.removesuffix("_copy")
    function.__name__ = function.__qualname__ = name
    function.__signature__ = LazySignature(_signature, view)
    if of in _EXAMPLES:
        arguments, result = _EXAMPLES[of]
        function.__doc__ = f"Return the result of ``{of}`` as a copy, in memory of {own}; shape and dtype are the same.\n\n>>> import minigrad\n>>> minigrad.{name}({arguments})\n{result}\n"
    return function


def _signature(view):
    """That of ``view``, with ``out``."""
    from inspect import Parameter, Signature, signature
    listed = [p.replace(annotation=p.empty) for p in signature(view).parameters.values() if p.name != "implicit"]
    listed = [listed[0].replace(name="input"), *listed[1:], Parameter("out", Parameter.KEYWORD_ONLY, default=None)]
    return Signature(listed)


def _regrouped(input, *args, **named):
    """``view``, of a copy if need be: any shape of as many elements will do."""
    by_dtype = "dtype" in named or any(isinstance(a, dtype) for a in args)
    return shape.view(input if by_dtype else contiguous(input), *args, **named)


def _narrowed(input, dim, start, length):
    """``narrow``, which asks for the start before the length."""
    shape = input._array.shape
    if shape and dim.__class__ is start.__class__ is int:
        n = shape[axis(dim, len(shape))]
        if not -n <= start <= n:
            raise IndexError(f"start out of range (expected to be in range of [{-n}, {n}], but got {start})")
    return parts.narrow(input, dim, start, length)


for _module, _names in _ONE.items():
    for _name in _names:
        globals()[f"{_name}_copy"] = _copying(f"{_name}_copy", getattr(_module, _name))
view_copy = _copying("view_copy", _regrouped)
narrow_copy = _copying("narrow_copy", _narrowed)
narrow_copy.__signature__ = LazySignature(_signature, parts.narrow)
view_copy.__signature__ = LazySignature(_signature, shape.view)
for _name, _view in _SEVERAL.items():
    globals()[f"{_name}_copy"] = _copying_several(f"{_name}_copy", _view)


class DetachCopy(General, node="NotImplemented"):
    """z = x, in memory of its own."""
    out_dtype = "result"
    operands, public = "x", "detach_copy"
    def forward(x): return np.array(x, order="C")
    def vjp(xp, g): raise NotImplementedError("the derivative for 'detach_copy' is not implemented.")
_detach_copy = op(DetachCopy)


def detach_copy(input, *, out=None):
    """Return a copy. Its derivative is not implemented, as in PyTorch: ``backward`` raises an error.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.detach_copy(minigrad.ones(2))
    tensor([1., 1.])
    """
    return _detach_copy(input) if out is None else _detach_copy.into(out, input)


_slice_copy = _copying("slice_copy", parts.slice_)


def slice_copy(input, dim=0, start=None, end=None, step=1, *, out=None):
    """Return a copy of a range along a dimension.

    >>> import minigrad
    >>> minigrad.slice_copy(minigrad.arange(5), 0, 1, 3)
    tensor([1, 2])
    """
    if not input._array.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    dim = axis(dim, input._array.ndim)
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    return _slice_copy(input, dim, start, end, step, out=out)


# Pieces whose memory is shared, but which are no views -----------------------------------------------------------------------------


class UnsafeSplitBackward0(SplitBackward0):
    """As ``SplitBackward0``; writing to a piece goes unnoticed."""
    aten = "unsafe_split.Tensor"
_unsafe_split = views(UnsafeSplitBackward0)


class UnsafeSplitWithSizesBackward0(SplitWithSizesBackward0):
    """As ``SplitWithSizesBackward0``; writing to a piece goes unnoticed."""
_unsafe_split_with_sizes = views(UnsafeSplitWithSizesBackward0)


def _unnoticed(pieces):
    for z in pieces:
        if z._node is not None:
            z._node = z._node.node
            z._storage = FRESH
    return pieces


def unsafe_split(input, split_size, dim=0):
    """Split into pieces of one size that share memory but are not views: write to a piece only if the others are not used.

    See ``split``.

    >>> import minigrad
    >>> minigrad.unsafe_split(minigrad.arange(3), 2)
    (tensor([0, 1]), tensor([2]))
    """
    return _unnoticed(_unsafe_split(input, *split_arguments(input, split_size, dim)))


def unsafe_split_with_sizes(input, split_sizes, dim=0):
    """Split into pieces of the given sizes that share memory but are not views; see ``split_with_sizes``.

    >>> import minigrad
    >>> minigrad.unsafe_split_with_sizes(minigrad.arange(3), (1, 2))
    (tensor([0]), tensor([1, 2]))
    """
    split.split_with_sizes(input.detach(), split_sizes, dim)
    return _unnoticed(_unsafe_split_with_sizes(input, tuple(split_sizes), dim % input._array.ndim))


def unsafe_chunk(input, chunks, dim=0):
    """Split into chunks that share memory but are not views; see ``chunk``.

    >>> import minigrad
    >>> minigrad.unsafe_chunk(minigrad.arange(3), 2)
    (tensor([0, 1]), tensor([2]))
    """
    sizes = [piece._array.shape[dim] for piece in split.chunk(input.detach(), chunks, dim)]
    if sum(sizes):
        return unsafe_split(input, sizes[0], dim)
    return unsafe_split_with_sizes(input, sizes, dim)
