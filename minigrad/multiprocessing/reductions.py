"""How tensors are pickled for other processes, under PyTorch's names."""

import weakref
from typing import Any

from .._base.missing import getattr_of as _getattr_of
from .._ops.process_pickles import rebuild_storage as rebuild_storage
from .._ops.process_pickles import rebuild_storage_empty as rebuild_storage_empty
from .._ops.process_pickles import rebuild_tensor as rebuild_tensor
from .._ops.process_pickles import rebuild_typed_storage as rebuild_typed_storage
from .._ops.process_pickles import reduce_storage, reduce_tensor, register
from .._ops.process_pickles import reduce_typed_storage as reduce_typed_storage

__all__ = ["StorageWeakRef", "init_reductions", "reduce_storage", "reduce_tensor"]


def init_reductions() -> None:
    """Let ``multiprocessing`` pickle tensors and storages by the place of their memory; importing this package does so too.

    >>> import minigrad
    >>> minigrad.multiprocessing.reductions.init_reductions()
    """
    register()


class StorageWeakRef:
    """A weak reference to the memory of a storage: equal for all storages that have the same memory.

    >>> import minigrad
    >>> x = minigrad.ones(3)
    >>> StorageWeakRef = minigrad.multiprocessing.reductions.StorageWeakRef
    >>> refs = {StorageWeakRef(t.untyped_storage()) for t in (x, x[1:], minigrad.ones(3))}
    >>> len(refs)
    2
    """

    cdata: Any

    __slots__ = ("cdata", "_owner")

    def __init__(self, storage: Any) -> None:
        self.cdata = storage._cdata
        self._owner = weakref.ref(storage._untyped_storage._owner)

    def expired(self) -> bool:
        """Return whether the memory is gone."""
        return self._owner() is None

    def __hash__(self) -> int:
        return self.cdata

    def __eq__(self, other: Any) -> bool:
        return self is other or self.cdata == other.cdata


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
