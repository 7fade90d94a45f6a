"""Futures that go on only when they are waited for: what hooks for communication return.

A collective that is called as soon as another one is complete would come between those of other buckets, and on each rank in another place.  So what a
hook does after its first collective is done when the gradients are waited for, which all ranks do in the order of the buckets.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from ..futures import Future

_state = threading.local()


class Deferred(Future[Any]):
    """A Future that computes its value when it is waited for, after something else has been."""

    def __init__(self, before: Any, compute: Callable[[], Any]) -> None:
        super().__init__()  # ``before``: a Work or a Future
        self._before, self._compute = before, compute

    def wait(self) -> Any:
        if not self._completed:
            self._before.wait()
            try:
                self.set_result(self._compute())
            except Exception as error:
                self.set_exception(error)
        return super().wait()

    def then(self, callback: Any) -> Any:
        return Deferred(self, lambda: callback(self))


@contextlib.contextmanager
def deferring() -> Iterator[None]:
    """In the block, ``then`` of the Future of a collective gives a ``Deferred``."""
    before, _state.on = is_deferring(), True
    try:
        yield
    finally:
        _state.on = before


def is_deferring() -> bool:
    return getattr(_state, "on", False)
