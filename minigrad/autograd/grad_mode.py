"""Grad mode: whether operations are recorded; per thread, as context managers and decorators."""

from types import TracebackType
from typing import Any

from .._base.decorators import _DecoratorContextManager, _NoParamDecoratorContextManager
from .._core.modes import closed, opened, set_inference, set_recording, thread_state
from .._core.tensor import Tensor, version_of

__all__ = [
    "enable_grad",
    "enforce_grad_layout_policy",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
]


def is_grad_enabled() -> Any:
    """Return whether operations are recorded in this thread.

    >>> import minigrad
    >>> minigrad.is_grad_enabled()
    True
    """
    return thread_state.recording


def is_inference_mode_enabled() -> Any:
    """Return whether inference mode is on in this thread.

    >>> import minigrad
    >>> minigrad.is_inference_mode_enabled()
    False
    """
    return thread_state.inference


def is_multithreading_enabled() -> Any:
    """Return the setting of ``set_multithreading_enabled`` in this thread.

    >>> import minigrad
    >>> with minigrad.autograd.set_multithreading_enabled(False):
    ...     minigrad.autograd.is_multithreading_enabled()
    False
    """
    return thread_state.multithreading


def is_view_replay_enabled() -> Any:
    """Return whether a view is recomputed by its own operators after its base was written to.

    >>> import minigrad
    >>> minigrad.autograd.is_view_replay_enabled()
    False
    """
    return thread_state.view_replay


class no_grad(_NoParamDecoratorContextManager):
    """Do not record operations within the block: results do not require grad.

    >>> import minigrad
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> with minigrad.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    prev = False

    def __enter__(self) -> None:
        self.prev = set_recording(False)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        set_recording(self.prev)


class enable_grad(_NoParamDecoratorContextManager):
    """Record operations within the block, even inside ``no_grad``.

    >>> import minigrad
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> with minigrad.no_grad(), minigrad.enable_grad():
    ...     y = x * 2
    >>> y.requires_grad
    True
    """

    prev: bool

    def __enter__(self) -> None:
        self.prev = set_recording(True)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        set_recording(self.prev)


class set_grad_enabled(_DecoratorContextManager):
    """Switch recording on or off: immediately as a function, or for a ``with`` block.

    >>> import minigrad
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> with minigrad.set_grad_enabled(False):
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    prev: bool

    def __init__(self, mode: bool) -> None:
        self.prev = thread_state.recording
        self.mode = mode
        set_recording(_flag("set_grad_enabled", mode))

    def __call__(self, orig_func: Any) -> Any:
        """``orig_func`` with recording switched on or off; outside it, nothing changes."""
        set_recording(self.prev)
        return super().__call__(orig_func)

    def __enter__(self) -> None:
        set_recording(self.mode)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        set_recording(self.prev)

    def clone(self) -> Any:
        """Return a fresh mode with the same setting."""
        return self.__class__(self.mode)

    def __str__(self) -> str:
        return f"{_public_name(type(self))}(mode={self.mode})"

    def __repr__(self) -> str:
        return str(self)


class inference_mode(_DecoratorContextManager):
    """Do not record operations within the block, and make tensors that can never be recorded: a little faster than ``no_grad``.

    >>> import minigrad
    >>> with minigrad.inference_mode():
    ...     y = minigrad.ones(2) * 2
    >>> y.is_inference()
    True
    """

    def __new__(cls, mode: bool = True) -> Any:
        return object.__new__(cls) if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        self._was = _enter_inference_mode(self.mode)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        _exit_inference_mode(self._was)

    def clone(self) -> Any:
        """Return a fresh mode with the same setting."""
        return self.__class__(self.mode)


def _enter_inference_mode(mode):
    """Switch inference mode on or off (and recording the other way); returns what ``_exit_inference_mode`` takes."""
    was = thread_state.recording, thread_state.inference
    set_recording(not mode)
    set_inference(mode)
    opened()  # also inside enable_grad, new tensors take another storage
    return was


def _exit_inference_mode(mode):
    """Undo ``_enter_inference_mode``, which returned ``mode``."""
    recording, inference = mode
    set_recording(recording)
    set_inference(inference)
    closed()


class set_multithreading_enabled(_DecoratorContextManager):
    """Set whether backward may use several threads. It runs in the calling thread in any case.

    >>> import minigrad
    >>> with minigrad.autograd.set_multithreading_enabled(False):
    ...     minigrad.ones(1, requires_grad=True).sum().backward()
    """

    prev: bool

    def __init__(self, mode: bool) -> None:
        self.prev = thread_state.multithreading
        thread_state.multithreading = _flag("set_multithreading_enabled", mode)
        self.mode = mode

    def __enter__(self) -> None:
        pass

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        thread_state.multithreading = self.prev

    def clone(self) -> Any:
        """Return a fresh mode with the same setting."""
        return self.__class__(self.mode)


class enforce_grad_layout_policy(_DecoratorContextManager):
    """Set whether a leaf's first gradient always gets the leaf's memory order: immediately, or for a ``with`` block.

    Otherwise, a gradient that the engine owns is kept as it is.

    >>> import minigrad
    >>> x = minigrad.ones(3, 2).T.requires_grad_()
    >>> with minigrad.autograd.enforce_grad_layout_policy(False):
    ...     (x * minigrad.ones(2, 3)).sum().backward()
    >>> x.stride(), x.grad.stride()
    ((1, 2), (3, 1))
    """

    prev: bool

    def __init__(self, enable: bool = True) -> None:
        self.prev = thread_state.leaf_layout
        self.mode = enable
        thread_state.leaf_layout = _flag("set_grad_layout_enforcement_enabled", enable)

    def __call__(self, orig_func: Any) -> Any:
        """``orig_func`` under this policy; outside it, nothing changes."""
        thread_state.leaf_layout = self.prev
        return super().__call__(orig_func)

    def __enter__(self) -> None:
        pass

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        thread_state.leaf_layout = self.prev

    def clone(self) -> Any:
        """Return a fresh context with the same setting."""
        return self.__class__(self.mode)


class _force_original_view_tracking(_DecoratorContextManager):
    """Whether a view whose base was written to is derived again by the very ops that made it: at once, or in a ``with`` block."""

    def __init__(self, mode: bool) -> None:
        self.prev = thread_state.view_replay
        self.mode = mode
        thread_state.view_replay = _flag("set_view_replay_enabled", mode)

    def __call__(self, orig_func: Any) -> Any:
        """``orig_func`` with this setting; outside it, nothing changes."""
        thread_state.view_replay = self.prev
        return super().__call__(orig_func)

    def __enter__(self) -> None:
        thread_state.view_replay = self.mode

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        thread_state.view_replay = self.prev

    def clone(self) -> Any:
        """A fresh context with the same setting."""
        return self.__class__(self.mode)


class _unsafe_preserve_version_counter(_DecoratorContextManager):
    """Hide writes to some tensors from autograd: when the ``with`` block ends, their versions are what they were before it.

    For memory that is freed and filled again with the same values before backward needs it; anything else gives wrong gradients.
    """

    def __init__(self, tensors: Tensor | tuple[Tensor, ...]) -> None:
        self.tensors = (tensors,) if isinstance(tensors, Tensor) else tensors
        if not isinstance(self.tensors, tuple):
            raise AssertionError("Expected tensors to be a tuple")
        self.prev_versions = tuple(version_of(t) for t in self.tensors)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for tensor, version in zip(self.tensors, self.prev_versions):
            if not tensor._storage.shared:
                tensor._storage.version = version


def _flag(function, value):
    """``value`` if it is a bool; raises TypeError."""
    if value.__class__ is not bool:
        raise TypeError(
            f"{function}(): argument 'enabled' (position 1) must be bool, not {type(value).__name__}"
        )
    return value


def _public_name(cls):
    """The name of a class in texts that users compare with PyTorch's."""
    package, dot, rest = cls.__module__.partition(".")
    return f"{'torch' if package == __name__.partition('.')[0] else package}{dot}{rest}.{cls.__qualname__}"
