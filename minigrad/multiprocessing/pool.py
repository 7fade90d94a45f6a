"""Pools of processes that tensors are sent to and come back from."""

import multiprocessing.pool
from typing import Any

from .._base.missing import getattr_of as _getattr_of
from .queue import SimpleQueue

__all__ = ["Pool"]


class Pool(multiprocessing.pool.Pool):
    """A pool of processes that applies functions to arguments; as ``multiprocessing.Pool``, with tensors."""

    def _setup_queues(self):
        self._inqueue = SimpleQueue(ctx=self._ctx)
        self._outqueue = SimpleQueue(ctx=self._ctx)
        self._quick_put = self._inqueue._writer.send
        self._quick_get = self._outqueue._reader.recv


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
