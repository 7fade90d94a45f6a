"""``__torch_function__`` from the side of those who write functions: whether an argument has one, and calling it.

Minigrad's own operators ask subclasses of Tensor; functions written with ``handle_torch_function`` ask any object that has the method.
"""

import functools
import importlib
import inspect
import types
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from ._api import Tensor
from ._base import guards
from ._core.modes import thread_state
from ._core.overriding import ask, asked, blocked, pop_mode, push_mode

__all__ = [
    "BaseTorchFunctionMode",
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "TorchFunctionMode",
    "enable_reentrant_dispatch",
    "get_default_nowrap_functions",
    "get_ignored_functions",
    "get_overridable_functions",
    "get_testing_overrides",
    "handle_torch_function",
    "has_torch_function",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]


class DisableTorchFunctionSubclass:
    """Disable ``__torch_function__`` of operands within a block, in this thread: operations on subclasses return plain tensors.

    >>> import minigrad
    >>> class Mine(minigrad.Tensor):
    ...     pass
    >>> x = minigrad.ones(2).as_subclass(Mine)
    >>> with minigrad.DisableTorchFunctionSubclass():
    ...     type(x + 1).__name__
    'Tensor'
    """

    _modes = False

    def __enter__(self) -> None:
        self._block = blocked(self._modes).__enter__()

    def __exit__(self, *error: Any) -> None:
        self._block.__exit__()


class DisableTorchFunction(DisableTorchFunctionSubclass):
    """Disable ``__torch_function__`` of operands and of modes within a block; see ``DisableTorchFunctionSubclass``.

    >>> import minigrad
    >>> with minigrad.DisableTorchFunction(): print(minigrad.ones(2) + 1)
    tensor([2., 2.])
    """

    _modes = True


class TorchFunctionMode:
    """A mode that intercepts every function that this thread calls within its block, whatever the operands are, factory functions included.

    Subclasses define ``__torch_function__(self, func, types, args=(), kwargs=None)``, which returns the result. While it runs the mode is
    disabled, so it may call ``func`` itself. Modes nest: the innermost is called first.

    >>> import minigrad
    >>> class Names(minigrad.overrides.TorchFunctionMode):
    ...     def __torch_function__(self, func, types, args=(), kwargs=None):
    ...         print(func.__name__)
    ...         return func(*args, **(kwargs or {}))
    >>> with Names():
    ...     x = minigrad.ones(2) + 1
    ones
    add
    """

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        raise NotImplementedError

    def __enter__(self) -> Any:
        push_mode(self)
        return self

    def __exit__(self, *error: Any) -> None:
        pop_mode()

    @classmethod
    def push(cls, *args: Any, **kwargs: Any) -> Any:
        """Return an instance for a ``with`` statement. Deprecated: call the class.

        >>> import minigrad
        >>> mode = minigrad.overrides.BaseTorchFunctionMode()  # without push()
        """
        warnings.warn(
            "`Mode.push()` is no longer necessary and can be replaced with just `with Mode()`", stacklevel=2
        )
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that changes nothing.

    >>> import minigrad
    >>> with minigrad.overrides.BaseTorchFunctionMode():
    ...     minigrad.ones(2)
    tensor([1., 1.])
    """

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return func(*args, **(kwargs or {}))


def _get_current_function_mode():
    """The innermost mode of this thread; None if there is none."""
    return thread_state.function_modes[-1] if thread_state.function_modes else None


def _get_current_function_mode_stack():
    """The modes of this thread, innermost last."""
    return list(thread_state.function_modes)


class enable_reentrant_dispatch:
    """Enable overrides again within a block, inside code that runs with them disabled.

    >>> import minigrad
    >>> with minigrad.DisableTorchFunction(), minigrad.overrides.enable_reentrant_dispatch():
    ...     minigrad.ones(2)
    tensor([1., 1.])
    """

    def __enter__(self) -> None:
        self._was = thread_state.overrides, thread_state.asks_modes
        thread_state.overrides = thread_state.asks_modes = True

    def __exit__(self, *error: Any) -> None:
        thread_state.overrides, thread_state.asks_modes = self._was


def is_tensor_like(inp: Any) -> Any:
    """Return whether ``inp`` is a tensor or has a ``__torch_function__``.

    >>> import minigrad
    >>> minigrad.overrides.is_tensor_like(minigrad.ones(2)), minigrad.overrides.is_tensor_like(2)
    (True, False)
    """
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


def has_torch_function(relevant_args: Any) -> bool:
    """Return whether one of the arguments overrides ``__torch_function__``, which plain tensors and parameters do not.

    >>> import minigrad
    >>> minigrad.overrides.has_torch_function((minigrad.ones(2), 3))
    False
    """
    if not hasattr(relevant_args, "__iter__"):
        raise TypeError("expected a sequence")
    modes = thread_state.function_modes and thread_state.asks_modes
    return bool(modes or (thread_state.overrides and asked(relevant_args)))


def has_torch_function_unary(arg: Any) -> bool:
    """Return whether the argument overrides ``__torch_function__``; see ``has_torch_function``.

    >>> import minigrad
    >>> minigrad.overrides.has_torch_function_unary(minigrad.ones(2))
    False
    """
    return has_torch_function((arg,))


def has_torch_function_variadic(*relevant_args: Any) -> bool:
    """Return whether one of the arguments, given separately, overrides ``__torch_function__``; see ``has_torch_function``.

    >>> import minigrad
    >>> minigrad.overrides.has_torch_function_variadic(minigrad.ones(2), 3)
    False
    """
    return has_torch_function(relevant_args)


def handle_torch_function(public_api: Any, relevant_args: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
    """Return the first result of the arguments' ``__torch_function__`` for ``public_api(*args, **kwargs)`` that is not NotImplemented.

    Raises TypeError if there is none.

    >>> import minigrad
    >>> class Length:
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return "overridden"
    >>> def double(x):
    ...     return x * 2
    >>> minigrad.overrides.handle_torch_function(double, (Length(),), Length())
    'overridden'
    """
    return ask(public_api, asked(relevant_args), args, kwargs, _no_implementation)


def _no_implementation(function, found, mode):
    name = f"{function.__module__}.{function.__name__}"
    there = "" if mode is None else f" and in function mode {mode}"
    return TypeError(
        f"no implementation found for '{name}' on types that implement __torch_function__: {[type(x) for x in found]}{there}"
    )


def wrap_torch_function(dispatcher: Any) -> Any:
    """Decorate a function so that its arguments can override it; ``dispatcher(*args, **kwargs)`` returns those to ask.

    >>> import minigrad
    >>> @minigrad.overrides.wrap_torch_function(lambda x: (x,))
    ... def double(x):
    ...     return x * 2
    >>> double(minigrad.ones(2))
    tensor([2., 2.])
    """

    def decorate(func):
        @functools.wraps(func)
        def wrapped(*args, **kwargs):
            asked = dispatcher(*args, **kwargs)
            if has_torch_function(asked):
                return handle_torch_function(wrapped, asked, *args, **kwargs)
            return func(*args, **kwargs)

        return wrapped

    return decorate


@functools.cache
def get_ignored_functions() -> set[Callable[..., Any]]:
    """Return the set of public functions that operands cannot override: settings, queries, and functions that make tensors from data.

    Modes intercept those that make tensors.

    >>> import minigrad
    >>> minigrad.is_tensor in minigrad.overrides.get_ignored_functions()
    True
    """
    return {f for f in guards.unasked(_every_name()) if isinstance(f, types.FunctionType)}


@functools.cache
def get_overridable_functions() -> dict[Any, list[Callable[..., Any]]]:
    """Return a dict from each namespace to the list of its functions that operands can override: the package, ``Tensor``, ``nn.functional``,
    ``linalg`` and others.

    >>> import minigrad
    >>> minigrad.add in minigrad.overrides.get_overridable_functions()[minigrad]
    True
    """
    _every_name()
    found = {}
    for space, functions in guards.overridable_by_space().items():
        found[space] = [f for f in functions if guards.asks_operands(f)]
    return found


@functools.cache
def get_testing_overrides() -> dict[Callable[..., Any], Callable[..., Any]]:
    """Return a dict from each function to one with the same parameters that returns -1, for tests that all can be overridden.

    >>> import minigrad
    >>> minigrad.overrides.get_testing_overrides()[minigrad.add](1, 2)
    -1
    """
    overrides = {}
    for functions in get_overridable_functions().values():
        for function in functions:
            if function not in overrides:
                overrides[function] = _with_parameters_of(function)
    for access in guards.accesses().values():
        if access.__name__ == "__get__":
            overrides[access] = lambda self: -1
    return overrides


def _with_parameters_of(function):
    parameters = inspect.signature(function).parameters
    parameters = [
        p for p in parameters.values() if p.name != "axis" or "dim" not in parameters
    ]  # NumPy's name for dim
    defaults = {f"_{i}": p.default for i, p in enumerate(parameters) if p.default is not p.empty}
    places = {p.name: f"_{i}" for i, p in enumerate(parameters)}
    shown = [
        p.replace(annotation=p.empty, default=_Name(places[p.name]) if p.default is not p.empty else p.empty)
        for p in parameters
    ]
    return eval(f"lambda {str(inspect.Signature(shown))[1:-1]}: -1", defaults)


class _Name(str):
    """A text that shows as it is, for a default in a signature."""

    __repr__ = str.__str__


def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """Return the set of attribute accesses whose results subclasses do not wrap, because they return a tensor of its own class.

    >>> import minigrad
    >>> len(minigrad.overrides.get_default_nowrap_functions())
    2
    """
    return {vars(Tensor)["grad"].__get__, vars(Tensor)["_base"].__get__}


def _every_name():
    """Import all that can be overridden; the package."""
    package = importlib.import_module(__name__.partition(".")[0])
    for _, space in _spaces():
        for name in dir(space):
            getattr(space, name, None)
    for name in dir(package):
        getattr(package, name, None)
    return package


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Return whether ``func`` is a method of Tensor, or the getter or setter of a property.

    >>> import minigrad
    >>> minigrad.overrides.is_tensor_method_or_property(minigrad.Tensor.add_)
    True
    """
    return func.__name__ in ("__get__", "__set__") or any(
        getattr(Tensor, name, None) is func for name in dir(Tensor)
    )


def resolve_name(f: Callable[..., Any]) -> str | None:
    """Return the name of a function or method as users write it, or None if it is not one of minigrad's.

    A function that is also a method, such as ``mul``, is the same object here, and has the name of the function.

    >>> import minigrad
    >>> minigrad.overrides.resolve_name(minigrad.Tensor.add_)
    'torch.Tensor.add_'
    """
    for prefix, space in _spaces():
        for name in dir(space):
            if name[0] != "_" and getattr(space, name, None) is f:
                return f"{prefix}.{name}"
    for name, value in vars(Tensor).items():
        if value is f:
            return f"torch.Tensor.{name}"
        if isinstance(value, property) and f in (value.__get__, value.__set__):
            return f"torch.Tensor.{name}.{f.__name__}"
    return None


def _spaces():
    from . import _api, fft, linalg, special
    from .nn import functional

    yield "torch", _Names(_api)
    yield "torch.nn.functional", functional
    yield "torch.Tensor", Tensor
    yield from (("torch.linalg", linalg), ("torch.fft", fft), ("torch.special", special))


class _Names:
    """The functions of the tensor API, as a namespace."""

    def __init__(self, api: Any) -> None:
        self.api, self.names = api, api._found

    def __dir__(self) -> list[str]:
        return sorted(self.names)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.api, name)
