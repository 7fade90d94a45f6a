"""Levels of transforms by their numbers, and what stands beneath a tensor at one: ``torch._C._functorch``."""

from .._core.levels import BatchLevel
from .._core.lifted import reverse_levels, without_levels
from .._core.modes import thread_state
from .._core.tensor import Tensor
from .._core.wrapped import Batched, Wrapped, whole_batch, wrap_layer
from .._ops.permute import movedim
from .batches import samples

__all__ = [
    "current_level",
    "get_unwrapped",
    "is_batchedtensor",
    "is_functorch_wrapped_tensor",
    "is_gradtrackingtensor",
    "maybe_current_level",
    "maybe_get_bdim",
    "maybe_get_level",
]


def _vmap_increment_nesting(batch_size, randomness):
    """Open a level of ``vmap``; its number."""
    return BatchLevel(batch_size, randomness).number


def _vmap_decrement_nesting():
    """Close the level that was opened last; its number."""
    level = thread_state.levels[-1]
    level.close()
    return level.number


def _level(number):
    """The level of a number; raises RuntimeError if none is open."""
    levels = thread_state.levels
    if not 1 <= number <= len(levels):
        raise RuntimeError(f"there is no transform level {number}: {len(levels)} levels are open")
    return levels[number - 1]


def _add_batch_dim(batch, batch_dim, level):
    """A tensor whose samples lie along a dimension, as it is at a level."""
    return samples(batch, batch_dim % batch.dim(), _level(level))


def _remove_batch_dim(batch, level, batch_size, out_dim):
    """All samples of a tensor of a level, along a dimension."""
    return movedim(whole_batch(batch, _level(level)), 0, out_dim)


def _unwrap_batched(batch, level):
    """(the tensor beneath a level, the dimension of its samples; None if they are all the same)."""
    if isinstance(batch, Batched) and batch._array.level is _level(level):
        return batch._array.inner, 0 if batch._array.batched else None
    return batch, None


def current_level():
    """Return the number of the innermost transform under way; raises RuntimeError if there is none.

    >>> import minigrad
    >>> from minigrad.func.levels import current_level
    >>> minigrad.func.vmap(lambda x: x + current_level())(minigrad.zeros(2))
    tensor([1., 1.])
    """
    if not thread_state.levels:
        raise RuntimeError("no transform is under way")
    return len(thread_state.levels)


def maybe_current_level():
    """Return the number of the innermost transform under way, or None.

    >>> import minigrad
    >>> from minigrad.func.levels import maybe_current_level
    >>> maybe_current_level(), minigrad.func.grad(lambda x: x * maybe_current_level())(minigrad.tensor(0.))
    (None, tensor(1.))
    """
    return len(thread_state.levels) or None


def is_batchedtensor(tensor):
    """Return whether a tensor is one of each sample of a batch, at its innermost level.

    >>> import minigrad
    >>> from minigrad.func.levels import is_batchedtensor
    >>> minigrad.func.vmap(lambda x: x + is_batchedtensor(x))(minigrad.zeros(2))
    tensor([1., 1.])
    """
    return isinstance(tensor, Batched) and not reverse_levels(tensor)[0]


def is_gradtrackingtensor(tensor):
    """Return whether a tensor is differentiated, at its innermost level.

    >>> import minigrad
    >>> from minigrad.func.levels import is_gradtrackingtensor
    >>> minigrad.func.grad(lambda x: x * is_gradtrackingtensor(x))(minigrad.tensor(3.))
    tensor(1.)
    """
    return bool(reverse_levels(tensor)[0]) or (
        isinstance(tensor, Wrapped) and not isinstance(tensor, Batched)
    )


def is_functorch_wrapped_tensor(tensor):
    """Return whether a tensor belongs to a transform.

    >>> import minigrad
    >>> from minigrad.func.levels import is_functorch_wrapped_tensor
    >>> is_functorch_wrapped_tensor(minigrad.zeros(2))
    False
    """
    return is_batchedtensor(tensor) or is_gradtrackingtensor(tensor)


def maybe_get_level(tensor):
    """Return the number of a tensor's innermost level; -1 if it belongs to none, -2 if that is closed.

    >>> import minigrad
    >>> from minigrad.func.levels import maybe_get_level
    >>> minigrad.func.vmap(lambda x: x + maybe_get_level(x))(minigrad.zeros(2)), maybe_get_level(minigrad.zeros(2))
    (tensor([1., 1.]), -1)
    """
    levels, _ = reverse_levels(tensor)
    if levels:
        return levels[-1].number
    if not isinstance(tensor, Wrapped):
        return -1
    level = tensor._array.level
    return level.number if level.open else -2


def maybe_get_bdim(tensor):
    """Return the dimension of a batch's samples in the tensor beneath; -1 if a tensor holds none.

    >>> import minigrad
    >>> from minigrad.func.levels import maybe_get_bdim
    >>> minigrad.func.vmap(lambda x: x + maybe_get_bdim(x))(minigrad.ones(2)), maybe_get_bdim(minigrad.ones(2))
    (tensor([1., 1.]), -1)
    """
    return 0 if is_batchedtensor(tensor) and tensor._array.batched else -1


def get_unwrapped(tensor):
    """Return the tensor beneath the innermost level of one; raises RuntimeError for a tensor of no transform.

    A tensor that was computed has one history for all levels at which it is differentiated: beneath is what has none of them.

    >>> import minigrad
    >>> from minigrad.func.levels import get_unwrapped
    >>> minigrad.func.vmap(lambda x: x + get_unwrapped(x).shape[0])(minigrad.zeros(2))
    tensor([2., 2.])
    """
    levels, leads_out = reverse_levels(tensor)
    if levels and tensor._edge.begins and tensor.__class__ is Tensor:
        out = wrap_layer(tensor._array)
        out._storage, out._node = tensor._storage, tensor._edge._next[0]
        return out
    if levels:
        return without_levels(tensor, leads_out)
    if isinstance(tensor, Wrapped):
        return tensor._array.inner
    raise RuntimeError("No wrappers present!")
