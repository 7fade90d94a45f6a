"""Values that will be there later: ``Future``, and ``collect_all`` and ``wait_all`` of several."""

import logging
import threading
import traceback
from typing import Any, Generic, SupportsIndex, TypeVar

from ._api import _lazy
from ._api import device as _device

__all__ = ["Future", "collect_all", "wait_all"]
_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class Future(Generic[_T]):
    """A value that one thread sets once, and for which others wait.

    ``devices`` must be empty: it is for accelerators (raises ValueError or RuntimeError).

    >>> import minigrad
    >>> future = minigrad.futures.Future()
    >>> doubled = future.then(lambda done: done.value() * 2)
    >>> future.set_result(minigrad.ones(2))
    >>> doubled.wait()
    tensor([2., 2.])
    """

    def __init__(self, *, devices: list[int | str | _device] | None = None) -> None:
        for each in map(_device, devices or ()):  # type: ignore[arg-type]
            if each.index is None:
                raise ValueError(f"Expected devices to have indices, got {each}")
            raise RuntimeError(f"minigrad is not linked with support for {each.type} devices")
        self._condition = threading.Condition()
        self._completed = False
        self._result = None
        self._exception = None  # what wait() and value() raise
        self._failed = False  # the callback that was to give the value has failed
        self._callbacks = []

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        raise RuntimeError("Can not pickle torch.futures.Future")

    def done(self) -> bool:
        """Return whether a value or an exception has been set.

        >>> import minigrad
        >>> minigrad.futures.Future().done()
        False
        """
        return self._completed

    def wait(self) -> Any:
        """Wait for the value and return it; raise the exception that was set in its place.

        >>> import minigrad
        >>> future = minigrad.futures.Future()
        >>> future.set_result(3)
        >>> future.wait()
        3
        """
        with self._condition:
            self._condition.wait_for(self.done)
        return self.value()

    def value(self) -> Any:
        """Return the value of a completed Future; raise its exception, or RuntimeError if it is not complete.

        >>> import minigrad
        >>> minigrad.futures.Future().value()
        Traceback (most recent call last):
        RuntimeError: The Future has no value yet: wait() waits for it
        """
        if not self._completed:
            raise RuntimeError("The Future has no value yet: wait() waits for it")
        if self._exception is not None:
            raise self._exception
        return self._result

    def then(self, callback: Any) -> Any:
        """Return a Future of ``callback(self)``, which runs when this one completes, in the thread that sets its value, or at once.

        If the callback raises, waiting for the new Future raises RuntimeError that says where.

        >>> import minigrad
        >>> future = minigrad.futures.Future()
        >>> future.set_result(3)
        >>> future.then(lambda done: done.value() + 1).wait()
        4
        """
        _check_callback("then", callback)
        following = Future()

        def run(done):
            try:
                result = callback(done)
            except Exception as error:
                following._fail(_callback_error(error))
            except BaseException as error:
                following._fail(_callback_error(error))
                raise
            else:
                following.set_result(result)

        self._when_done(run)
        return following

    def add_done_callback(self, callback: Any) -> None:
        """Run ``callback(self)`` when this Future completes, or at once if it has; an exception in it is logged.

        >>> import minigrad
        >>> future = minigrad.futures.Future()
        >>> future.add_done_callback(lambda done: print("done:", done.value()))
        >>> future.set_result(3)
        done: 3
        """
        _check_callback("add_done_callback", callback)

        def run(done):
            try:
                callback(done)
            except Exception as error:
                _log.error("%s", _callback_error(error))

        self._when_done(run)

    def set_result(self, result: Any) -> None:
        """Set the value and run the callbacks; raise RuntimeError if there is one already.

        >>> import minigrad
        >>> future = minigrad.futures.Future()
        >>> future.set_result(3)
        >>> future.value()
        3
        """
        self._complete(result=result)

    def set_exception(self, result: Any) -> None:
        """Set an exception, which ``wait`` and ``value`` raise; raise AssertionError if it is not an exception.

        >>> import minigrad
        >>> future = minigrad.futures.Future()
        >>> future.set_exception(ValueError("no answer"))
        >>> future.wait()
        Traceback (most recent call last):
        ValueError: no answer
        """
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._complete(exception=result)

    def _fail(self, error):
        self._complete(exception=error, failed=True)

    def _complete(self, result=None, exception=None, failed=False):
        with self._condition:
            if self._completed:
                raise RuntimeError(
                    "Attempting to mark a completed Future as complete again. "
                    "Note that a Future can only be marked completed once."
                )
            self._result, self._exception, self._failed = result, exception, failed
            self._completed = True
            callbacks, self._callbacks = self._callbacks, []
            self._condition.notify_all()
        for run in callbacks:
            run(self)

    def _when_done(self, run):
        with self._condition:
            if not self._completed:
                self._callbacks.append(run)
                return
        run(self)


def _check_callback(method, callback):
    if not callable(callback):
        raise TypeError(f"{method}(): the callback has to be callable, got {type(callback).__name__}")


def _callback_error(error):
    """What stands for an exception in a callback: it says the exception and, from the inside, the lines."""
    frames = traceback.extract_tb(error.__traceback__)[1:]  # without this module's own
    lines = "".join(f"  {frame.filename}({frame.lineno}): {frame.name}\n" for frame in reversed(frames))
    said = "".join(traceback.format_exception_only(type(error), error)).strip()
    raised = RuntimeError(f"Got the following error when running the callback: {said}\n\nAt:\n{lines}")
    raised.__cause__ = error
    return raised


def collect_all(futures: Any) -> Any:
    """Return a Future of the list of these Futures, which completes when all have, or when a callback that should complete one of them has failed.

    >>> import minigrad
    >>> first, second = minigrad.futures.Future(), minigrad.futures.Future()
    >>> both = minigrad.futures.collect_all([first, second])
    >>> first.set_result(1)
    >>> both.done()
    False
    >>> second.set_result(2)
    >>> [future.value() for future in both.wait()]
    [1, 2]
    """
    futures = _list_of_futures("collect_all", futures)
    collected, lock = Future(), threading.Lock()
    waiting = len(futures)  # 0 from the moment on when ``collected`` has what it gets

    def count(done):
        nonlocal waiting
        with lock:
            if not waiting:
                return
            waiting = 0 if done._failed else waiting - 1
            if waiting:
                return
        if done._failed:
            collected._fail(done._exception)
        else:
            collected.set_result(futures)

    for future in futures:
        future._when_done(count)
    if not futures:
        collected.set_result([])
    return collected


def wait_all(futures: Any) -> list[Any]:
    """Wait for these Futures and return their values; raise the first exception among them.

    >>> import minigrad
    >>> future = minigrad.futures.Future()
    >>> future.set_result(1)
    >>> minigrad.futures.wait_all([future, future])
    [1, 1]
    """
    return [future.wait() for future in collect_all(_list_of_futures("wait_all", futures)).wait()]


def _list_of_futures(function, futures):
    if not isinstance(futures, (list, tuple)):
        raise TypeError(f"{function}(): expected a list of Futures, got {type(futures).__name__}")
    for each in futures:
        if each is None:
            raise RuntimeError("Future can't be None")
        if not isinstance(each, Future):
            raise TypeError(f"{function}(): expected a list of Futures, got one of {type(each).__name__}")
    return list(futures)


_lazy.publish_all(globals())
