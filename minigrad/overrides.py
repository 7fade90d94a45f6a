"""``__torch_function__`` from the side of those who write functions: whether an argument has one, and calling it.

Minigrad's own operators ask subclasses of Tensor; functions written with ``handle_torch_function`` ask any object that has the method.
"""

import functools

from ._api import Tensor
from ._core.modes import thread_state
from ._ops.parameter import Parameter

__all__ = [
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "handle_torch_function",
    "has_torch_function",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]

_PLAIN = (vars(Tensor)["__torch_function__"].__func__, vars(Parameter)["__torch_function__"].__func__)


class DisableTorchFunctionSubclass:
    """No subclass of Tensor is asked for its ``__torch_function__`` inside, in this thread: results are plain tensors.

    >>> import minigrad
    >>> class Mine(minigrad.Tensor):
    ...     pass
    >>> x = minigrad.ones(2).as_subclass(Mine)
    >>> with minigrad.DisableTorchFunctionSubclass():
    ...     type(x + 1).__name__
    'Tensor'
    """

    def __enter__(self):
        self.prev, thread_state.overrides = thread_state.overrides, False

    def __exit__(self, *error):
        thread_state.overrides = self.prev


class DisableTorchFunction(DisableTorchFunctionSubclass):
    """As ``DisableTorchFunctionSubclass``: there are no modes to be disabled beside.

    >>> import minigrad
    >>> with minigrad.DisableTorchFunction(): print(minigrad.ones(2) + 1)
    tensor([2., 2.])
    """


def _disabled_torch_function_impl(func, types, args=(), kwargs=None):
    """For a subclass that is to be treated as Tensor is: ``__torch_function__ = _disabled_torch_function_impl``."""
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


def is_tensor_like(inp):
    """Whether ``inp`` is a tensor or has a ``__torch_function__``.

    >>> import minigrad
    >>> minigrad.overrides.is_tensor_like(minigrad.ones(2)), minigrad.overrides.is_tensor_like(2)
    (True, False)
    """
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


def _asked(relevant_args):
    """The arguments whose ``__torch_function__`` is to be called, subclasses before their bases, one of each class."""
    found = []
    for x in relevant_args:
        cls = type(x)
        if cls is Tensor or cls is Parameter or not hasattr(cls, "__torch_function__"):
            continue
        if any(type(y) is cls for y in found):
            continue
        place = next((i for i, y in enumerate(found) if issubclass(cls, type(y))), len(found))
        found.insert(place, x)
    return found


def has_torch_function(relevant_args):
    """Whether one of the arguments has a ``__torch_function__`` that is to be called: plain tensors and parameters have none.

    >>> import minigrad
    >>> minigrad.overrides.has_torch_function((minigrad.ones(2), 3))
    False
    """
    return bool(_asked(relevant_args))


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """What the arguments' ``__torch_function__`` return for a call ``public_api(*args, **kwargs)``: the first that is not NotImplemented.

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
    asked = _asked(relevant_args)
    types = tuple([type(x) for x in asked])
    for x in asked:
        result = x.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    name = f"{public_api.__module__}.{public_api.__name__}"
    raise TypeError(
        f"no implementation found for '{name}' on types that implement __torch_function__: {list(types)}"
    )


def wrap_torch_function(dispatcher):
    """A decorator for a function that may be overridden by its arguments: ``dispatcher(*args, **kwargs)`` returns those to ask.

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


def is_tensor_method_or_property(func):
    """Whether ``func`` is a method of Tensor, or reads or writes one of its properties.

    >>> import minigrad
    >>> minigrad.overrides.is_tensor_method_or_property(minigrad.Tensor.add_)
    True
    """
    return func.__name__ in ("__get__", "__set__") or any(
        getattr(Tensor, name, None) is func for name in dir(Tensor)
    )


def resolve_name(f):
    """The name of a function or method as users write it; None if it is not one of minigrad's.

    What is both, as ``mul``, is the same object here, and has the name of the function.

    >>> import minigrad
    >>> minigrad.overrides.resolve_name(minigrad.Tensor.add_)
    'torch.Tensor.add_'
    """
    for prefix, space in _spaces():
        for name in dir(space):
            if name[0] != "_" and getattr(space, name, None) is f:
                return f"{prefix}.{name}"
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

    def __init__(self, api):
        self.api, self.names = api, api._found

    def __dir__(self):
        return sorted(self.names)

    def __getattr__(self, name):
        return getattr(self.api, name)
