"""Which tensor stands for a gradient.  The engine passes arrays on; whoever is shown one that a user gave, or has been shown before, gets the same tensor again.

So what a hook writes to a gradient counts as a version of the tensor that was passed to ``backward``, and ``grad`` returns that very tensor where nothing
was computed on the way.  A run notes such tensors by the ids of their arrays and keeps none of them alive: what is found is looked at again.
"""

import math
import sys
import weakref

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.traced import as_array
from .._arrays.unresolved import resolved
from .._arrays.view_chain import dense
from .modes import thread_state
from .storage import FRESH, own_storage
from .wrapped import wrap_layer

ndarray = np.ndarray
_refcount = getattr(sys, "getrefcount", lambda array: math.nan)


def note(tensors, array, tensor):
    """Note in ``tensors``, a dict, that ``tensor`` stands for the memory that ``array`` looks at."""
    tensors[id(array)] = weakref.ref(tensor)


def known(tensors, array):
    """The tensor that stands for ``array``; None if none was noted, or it is gone."""
    ref = tensors.get(id(array))
    tensor = None if ref is None else ref()
    if tensor is None or tensor._array is array:
        return tensor
    other = tensor._array  # by now another array may have that id
    same = (
        other.__class__ is array.__class__ is ndarray
        and other.dtype is array.dtype
        and other.shape == array.shape
        and other.strides == array.strides
        and other.ctypes.data == array.ctypes.data
    )
    return tensor if same else None


def holders(array):
    """How many names and objects hold ``array``: to be compared with what the same caller is told of another; nothing equals it where Python does not count."""
    return _refcount(array)


def holds_alone(view):
    """Whether nobody but ``view`` (and the program that notes it) holds the array that owns its memory, of which it is the whole."""
    base = view.base
    if (
        base.__class__ is not ndarray
        or _refcount(base) != _ALONE + (view.__class__ is not ndarray)
        or base.size != view.size
        or base.dtype is not view.dtype
    ):
        return False
    flags = view.flags
    return flags.writeable and base.base is None and (flags.forc or dense(view))


def _holders_of_base(view):
    base = view.base
    return _refcount(base)


_ALONE = _holders_of_base(np.empty(2).reshape(2, 1))


def of_run():
    """What the run under way has noted; a dict of its own outside of any."""
    run = thread_state.run
    if run is None:
        return {}
    if run.tensors is None:
        run.tensors = {}
    return run.tensors


def shown(g):
    """The tensor by which users see the gradient ``g``, an array or None, in the run under way."""
    return None if g is None else _tensor(g, of_run())


def returned(g, tensors):
    """The tensor that a caller is given for the gradient ``g``, an array, after a run that noted ``tensors``.

    An expanded one stays so over memory that a user knows: that of the gradient which ``sum`` was given.
    """
    if g.__class__ is ndarray and g.base is None and id(g) not in tensors:  # an array of its own
        tensor = wrap_layer(g)
        note(tensors, g, tensor)
        return tensor
    if g.__class__ is ndarray and known(tensors, g) is None:
        expanded = 0 in g.strides and known(tensors, g.base) is None
        if expanded or not g.flags.writeable:
            g = arrays.clone(g)
    return _tensor(g, tensors)


def _tensor(g, tensors):
    tensor = known(tensors, g)
    if tensor is None:
        tensor = _tensor_over(g, tensors)
        note(tensors, g, tensor)
    return tensor


def _tensor_over(g, tensors):
    """A new tensor over ``g``; it counts versions together with the tensor that stands for the owner of its memory.

    Over a copy, where a tensor cannot look at the memory in that order.
    """
    if g.__class__ is not ndarray:
        return wrap_layer(g if hasattr(g, "tensor") else as_array(g))
    if min(g.strides, default=0) < 0:
        g = g.copy("K")
    tensor = wrap_layer(g)
    if tensor._storage is FRESH:
        owner = None if g.base is None else known(tensors, g.base)
        if owner is not None:
            tensor._storage = own_storage(owner)
        if 0 in g.strides:
            own_storage(tensor).repeats = True
    return tensor


def lend(array, tensor):
    """A view of ``array``, which somebody else may hold: the engine writes to no view.  ``tensor``, or None, stands for both."""
    view = array.view()
    if tensor is not None:
        note(of_run(), view, tensor)
    return view


def arrays_of(gradients, g):
    """The arrays of ``gradients``, a list of tensors or Nones that a user's function made of ``g``; the list is emptied.

    What somebody else may hold is lent.
    """
    arrays = []
    alone = np.empty(0)
    while gradients:
        tensor = gradients.pop()
        array = None if tensor is None else resolved(tensor._array)
        if array.__class__ is ndarray and array is not g:
            ref = weakref.ref(tensor)
            del tensor
            if _refcount(array) != _refcount(alone):
                array = lend(array, ref())
        arrays.append(array)
    arrays.reverse()
    return arrays
