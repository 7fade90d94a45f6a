"""Contexts: the ways of starting a process, with queues, pipes and pools for tensors."""

import multiprocessing
from multiprocessing import context as contexts
from typing import Any

_METHODS = {
    name: getattr(contexts, f"{prefix}Context")
    for name, prefix in {"fork": "Fork", "spawn": "Spawn", "forkserver": "ForkServer"}.items()
    if hasattr(contexts, f"{prefix}Context")
}


class _WithTensors:
    """What a context of the standard library makes for tensors."""

    def get_context(self, method: str | None = None) -> Any:
        """The context of a method of starting processes; this one if there is none given."""
        return self if method is None else get_context(method)

    def Queue(self, maxsize: int = 0) -> Any:
        """A queue of at most ``maxsize`` objects (0: any number)."""
        from .queue import Queue

        return Queue(maxsize, ctx=self)

    def JoinableQueue(self, maxsize: int = 0) -> Any:
        """A queue of at most ``maxsize`` objects (0: any number) that can be joined."""
        from .queue import JoinableQueue

        return JoinableQueue(maxsize, ctx=self)

    def SimpleQueue(self) -> Any:
        """A queue without a buffer."""
        from .queue import SimpleQueue

        return SimpleQueue(ctx=self)

    def Pipe(self, duplex: bool = True) -> Any:
        """Two connected ends of a pipe."""
        from .connection import Pipe

        return Pipe(duplex)

    def Pool(
        self, processes: Any = None, initializer: Any = None, initargs: Any = (), maxtasksperchild: Any = None
    ) -> Any:
        """A pool of processes."""
        from .pool import Pool

        return Pool(processes, initializer, initargs, maxtasksperchild, context=self)


_contexts = {}
for _name, _base in _METHODS.items():
    _cls = type(_base.__name__, (_WithTensors, _base), {"__module__": __name__, "__doc__": _base.__doc__})
    globals()[_base.__name__] = _cls
    _contexts[_name] = _cls()


def get_context(method: str | None = None) -> Any:
    """Return the context of a method of starting processes, ``"fork"``, ``"spawn"`` or ``"forkserver"``; the default one if there is none given.

    Raises ValueError where there is no such method.

    >>> import minigrad
    >>> minigrad.multiprocessing.get_context("spawn").get_start_method()
    'spawn'
    """
    return _contexts[multiprocessing.get_context(method).get_start_method()]
