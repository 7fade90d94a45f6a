"""``TorchDispatchMode``: a class that users subclass to see, and change, every operator that a thread applies."""

from collections.abc import Callable
from typing import Any

from .. import ops
from .._core.modes import unwatch, watch
from .._ops.aten import aten_arguments

__all__ = ["TorchDispatchMode"]


class TorchDispatchMode:
    """A mode that intercepts every operator within its block: ``__torch_dispatch__(func, types, args, kwargs)`` returns the operator's result.

    ``func`` is an ``OpOverload`` of ``minigrad.ops``; ``func(*args, **kwargs)`` applies the operator. Operators that the method itself
    applies are not intercepted.

    >>> import minigrad
    >>> from minigrad.utils._python_dispatch import TorchDispatchMode
    >>> class Names(TorchDispatchMode):
    ...     def __torch_dispatch__(self, func, types, args=(), kwargs=None):
    ...         print(func)
    ...         return func(*args, **(kwargs or {}))
    >>> with Names():
    ...     x = minigrad.tensor([1., 2.]) * 3
    aten.mul.Tensor
    """

    def __enter__(self) -> Any:
        watch(self.watcher)
        return self

    def __exit__(self, *exc: Any) -> None:
        unwatch(self.watcher)

    def __torch_dispatch__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        raise NotImplementedError

    def watcher(self, cls: Any, operands: Any, params: Any, proceed: Any, writes: Any) -> Any:
        """Let ``__torch_dispatch__`` apply an op."""
        func = ops.overload_of(cls, operands, params, writes)

        def dispatch():
            args = aten_arguments(cls, operands, params)
            with ops.applying(func, args, proceed):
                return self.__torch_dispatch__(func, (), args, {})

        return dispatch
