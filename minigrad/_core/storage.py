"""Storages: what a tensor and all its views share, and the version counter that every in-place write bumps.

A storage object is made when a tensor is first written or aliased (``own_storage``); until then every tensor shares
the constant ``FRESH``.  So reading a version needs no branch, and most tensors never have a storage object.
"""

from .._arrays.memory_layout import check_not_expanded, is_expanded
from . import late


class Storage:
    """The version counter of one piece of memory, and whether some view of it may repeat elements."""

    # writes: those that were noted, see autograd/_origins.py; unset until one is
    __slots__ = ("version", "repeats", "writes", "__weakref__")
    shared = False

    def __init__(self):
        self.version = 0
        self.repeats = False


class Constant(Storage):
    """A storage that many tensors share: it stands for a state and is never written to."""

    __slots__ = ()
    shared = True


class Inference(Constant):
    """The storage of all tensors made in inference mode: they count no versions, and only transforms in inference mode may save them."""

    __slots__ = ()
    repeats = False

    def __init__(self):
        pass

    @property
    def version(self):
        if late.may_save_inference():
            return 0
        raise inference_saved()


def inference_saved():
    """The error for an inference tensor that backward would need."""
    return RuntimeError(
        "Inference tensors cannot be saved for backward. Clone the tensor outside inference mode and use the clone, or "
        "make it under `torch.no_grad()` instead of `torch.inference_mode()`."
    )


FRESH = Constant()
INFERENCE = Inference()
#: The storage of what stands for a Python number: nobody's tensor, see ``families/op.py``.
NUMBER = Constant()
#: The storage of values that backward has freed: its version differs from every saved one.
GONE = Constant()
GONE.version = -1


def own_storage(t):
    """Give tensor ``t`` a storage of its own, so that it can be written to or aliased; returns the storage."""
    storage = t._storage
    if storage is FRESH:
        storage = t._storage = Storage()
        node = t._node
        if node is not None:
            node._storage = storage  # a node that saved this result watches its version from now on
    return storage


def note_repeats(t):
    """Note whether several elements of tensor ``t``, which was given strides from elsewhere, share memory."""
    if is_expanded(t._array):
        own_storage(t).repeats = True


def check_overlap(t):
    """Raise RuntimeError if several elements of tensor ``t``, which is to be written to, share memory."""
    check_not_expanded(t._array)
