"""Whose memory an array looks at, and where in it.

NumPy keeps, for every view, the array that it was made of; at the end of that chain stands the owner.
"""

import numpy as np

from .._base import device
from .._base.errors import type_name

BYTE = np.dtype(np.uint8)


def owner_of(array):
    """The array that owns the memory of ``array``: the last array in its chain of bases."""
    if array.__class__ is not np.ndarray and hasattr(array, "memory"):
        return array.memory  # of a tensor on ``meta``
    owner, base = array, array.base
    while base is not None:
        if isinstance(base, np.ndarray):
            owner = base
        base = getattr(base, "base", None)  # as_strided puts an object in between that only has a base
    return owner


def address(array):
    """The address of the element with index zero."""
    if array.__class__ is not np.ndarray and hasattr(array, "address"):
        return array.address
    return array.__array_interface__["data"][0]


def offset_in(array):
    """Where in its owner's memory, in elements, an array begins."""
    return (address(array) - address(owner_of(array))) // array.itemsize


def flat_bytes(owner):
    """All memory that the elements of ``owner`` span, in order of address, as an array of bytes; no copy."""
    if not isinstance(owner, np.ndarray):
        return owner.as_bytes()
    if owner.flags.c_contiguous:
        return owner.reshape(-1).view(BYTE)
    ascending = owner[tuple(slice(None, None, -1) if step < 0 else slice(None) for step in owner.strides)]
    extent = owner.itemsize + sum((n - 1) * step for n, step in zip(ascending.shape, ascending.strides))
    first = ascending[(slice(0, 1),) * owner.ndim].reshape(1).view(BYTE)
    return np.lib.stride_tricks.as_strided(first, (extent,), (1,), writeable=owner.flags.writeable)


def is_expanded(array):
    """Whether several elements of an array share memory, as far as that is plain to see."""
    return array.size > 1 and any(s == 0 and n > 1 for s, n in zip(array.strides, array.shape))


def check_not_expanded(array):
    """Raise RuntimeError if several elements of an array that is to be written to share memory."""
    if is_expanded(array):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )


def strides_of(array):
    """The strides of an array in elements; where there are no elements, those of a dense tensor."""
    if not array.size:
        return contiguous_strides(array.shape)
    item = array.itemsize
    return tuple([s // item for s in array.strides])


def axes_of_copy(array):
    """The axes of an array in the order in which a dense copy of it has them, the outermost first.

    Those that take longer steps come first; an expanded one, which takes none, keeps its place.
    """
    sizes = list(zip(array.strides, array.shape))
    order = list(reversed(range(array.ndim)))  # the innermost first
    for at in range(1, array.ndim):
        for i in reversed(range(at)):
            one, other = sizes[order[i]], sizes[order[at]]
            if not (one[0] and other[0]):
                continue
            if one[0] < other[0]:
                break
            if one > other:
                order[i], order[at] = order[at], order[i]
                at = i
    return order[::-1]


def contiguous_strides(shape):
    """The strides, in elements, of a dense array in the order of its indices."""
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= max(n, 1)
    return tuple(reversed(strides))


def lies_in(array, memory_format, function="to"):
    """Whether the elements of an array lie in memory in a format; raises TypeError, in the name of ``function``, for what is none."""
    if memory_format is device.channels_last or memory_format is device.channels_last_3d:
        wanted = 4 if memory_format is device.channels_last else 5
        return array.ndim == wanted and array.transpose((0, *range(2, wanted), 1)).flags.c_contiguous
    if not isinstance(memory_format, device.memory_format):
        raise TypeError(
            f"{function}(): argument 'memory_format' must be torch.memory_format, not {type_name(memory_format)}"
        )
    return array.flags.c_contiguous
