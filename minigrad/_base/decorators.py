"""Decorators: ``deprecated``, and context managers that also decorate (``utils/_contextlib.py`` has them under PyTorch's path)."""

import functools
import inspect
import warnings
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar, overload

from .callers import level_of_user

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Self = TypeVar("_Self")


def _wrap_generator(ctx_factory, func):
    """``func``, a generator function, with a new context around each stretch of its code: it ends wherever the consumer runs."""

    @functools.wraps(func)
    def generator_context(*args, **kwargs):
        generator = func(*args, **kwargs)
        try:
            with ctx_factory():
                response = generator.send(None)
            while True:
                try:
                    request = yield response
                except GeneratorExit:
                    with ctx_factory():
                        generator.close()
                    raise
                except BaseException as error:
                    with ctx_factory():
                        response = generator.throw(error)
                else:
                    with ctx_factory():
                        response = generator.send(request)
        except StopIteration as stop:
            return stop.value

    return generator_context


def context_decorator(ctx, func):
    """``func`` inside a context: ``ctx`` is a context manager that can be entered again and again, or a function that makes one.

    Raises RuntimeError for a class, AssertionError for a ``ctx`` that is both.
    """
    if callable(ctx) and hasattr(ctx, "__enter__"):
        raise AssertionError(
            f"Passed in {ctx} is both callable and also a valid context manager (has __enter__), so it could be meant as "
            "either. Pass a function that makes one (`lambda: ctx()`), or one that returns it (`lambda: ctx`)."
        )
    if inspect.isclass(func):
        raise RuntimeError(
            "Cannot decorate classes; what stands inside the context must be a function. Decorate the methods that need "
            "it, one by one."
        )
    make = ctx if callable(ctx) else lambda: ctx

    @functools.wraps(func)
    def inside_context(*args, **kwargs):
        with make():
            return func(*args, **kwargs)

    return _wrap_generator(make, func) if inspect.isgeneratorfunction(func) else inside_context


def deprecated(message):
    """A decorator: each call of the function warns, FutureWarning with this message."""

    def decorate(func):
        @functools.wraps(func)
        def warning(*args, **kwargs):
            warnings.warn(message, FutureWarning, stacklevel=level_of_user())
            return func(*args, **kwargs)

        warning.__deprecated__ = message
        return warning

    return decorate


class _DecoratorContextManager:
    """A context manager that also decorates: subclasses give ``__enter__``, ``__exit__`` and, if they take arguments, ``clone``."""

    def __call__(self, orig_func: _Function) -> _Function:
        """``orig_func`` inside this context."""
        func: Any = orig_func
        if inspect.isclass(orig_func):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. Decorate `__init__` instead, "
                "which does the same, or the functions and methods that need the context.",
                FutureWarning,
                stacklevel=level_of_user(),
            )
            func = lambda *args, **kwargs: orig_func(*args, **kwargs)
        decorated: _Function = context_decorator(self.clone, func)
        return decorated

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        raise NotImplementedError

    def clone(self) -> Any:
        """A fresh context of the same kind, for each call of a decorated function."""
        return self.__class__()


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """One without arguments, which decorates without parentheses too."""

    @overload
    def __new__(cls, orig_func: _Function) -> _Function: ...  # type: ignore[misc]  # a decorated function is no context
    @overload
    def __new__(cls: type[_Self], orig_func: None = None) -> _Self: ...
    def __new__(cls, orig_func: Any = None) -> Any:
        return object.__new__(cls) if orig_func is None else cls()(orig_func)
