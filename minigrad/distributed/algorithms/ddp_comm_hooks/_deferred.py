"""What a hook that calls several collectives, one after the other, returns.

A collective that is called as soon as another one is complete would come between those of other buckets, and on each rank in another place.  So the later
ones are called when the gradients are waited for, which all ranks do in the order of the buckets.
"""

from collections.abc import Callable
from typing import Any

from ....futures import Future


class Deferred(Future[Any]):
    """A Future that computes its value when it is waited for, after something else has been."""

    def __init__(self, before: Any, compute: Callable[[], Any]) -> None:
        super().__init__()  # ``before``: a Work or a Future
        self._before, self._compute = before, compute

    def wait(self) -> Any:
        if not self._completed:
            self._before.wait()
            self.set_result(self._compute())
        return super().wait()

    def then(self, callback: Any) -> Any:
        return Deferred(self, lambda: callback(self))
