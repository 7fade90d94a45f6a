"""``Function``: operations that users write, with their own forward and backward.

Each Function has a class of nodes of its own, ``MyFunctionBackward``: see ``function_context.py``.
"""

import functools
import inspect
import itertools
import time
import warnings
from collections.abc import Callable
from typing import Any

from .._base.publishing import publish
from .._core.modes import reads_unusual_modes, set_recording, thread_state
from .._core.tensor import Tensor
from ._legacy.instance_function import STATIC, call, for_a_call, is_old_style, warn
from .function_backward import BackwardCFunction, not_implemented
from .function_context import PUBLIC, FunctionCtx, _FunctionBase, _HookMixin
from .function_forward import run, vmap
from .refusal import refusing

unusual_modes = 0
reads_unusual_modes(globals())

AUTOGRAD_FUNCTION_COUNTER = itertools.count()


class FunctionMeta(type):
    """Makes, with each Function, the class of its nodes."""

    def __init__(cls, name: str, bases: Any, attrs: Any) -> None:
        body = {
            "__slots__": (),
            "__module__": PUBLIC,
            "_forward_cls": cls,
            "_autograd_function_id": next(AUTOGRAD_FUNCTION_COUNTER),
        }
        cls._backward_cls = type(name + "Backward", (BackwardCFunction,), body)
        super().__init__(name, bases, attrs)


class _SingleLevelFunction(_FunctionBase, FunctionCtx, _HookMixin, metaclass=FunctionMeta):
    """What a custom function has to say, and may."""

    __slots__ = ()
    _forward_cls = property(lambda self: type(self))
    #: Whether ``saved_tensors`` may be read only once, and frees what was saved.
    clear_saved_tensors_on_access = False
    #: Whether ``backward`` takes the gradients as one list, which it may empty.
    boxed_grads_call = False

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; to be overridden."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
        """Prepare the context, where ``forward`` takes none; to be overridden."""
        raise NotImplementedError("setup_context is not implemented.")

    backward = vjp = staticmethod(not_implemented)

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """The tangents of the outputs, for forward mode; to be overridden."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )


class Function(_SingleLevelFunction):
    """An operation with its own derivative: subclass it, with static methods ``forward`` and ``backward``, and call ``apply``.

    ``forward(ctx, *args)`` computes on tensors without recording; ``backward(ctx, *grads)`` gives a gradient (or None) per argument.
    Instead, ``forward(*args)`` may stand beside ``setup_context(ctx, inputs, output)``.

    >>> import minigrad
    >>> class Square(minigrad.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 2 * x * grad
    >>> x = minigrad.tensor(3., requires_grad=True)
    >>> Square.apply(x).backward()
    >>> x.grad
    tensor(6.)
    """

    __slots__ = ()
    generate_vmap_rule = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if is_old_style(type(self)):
            warn(self)
            return
        warnings.warn(
            f"{self.__class__} should not be instantiated. Its methods are static: call "
            f"{self.__class__.__name__}.apply(...). Making an instance will raise an error in the future.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Apply an instance as in 2017, where ``forward`` is not static; raises RuntimeError where it is."""
        if kwargs or not is_old_style(type(self)):
            raise RuntimeError(STATIC)
        return call(for_a_call(self), args)

    num_inputs: Any = property(
        lambda self: len(self._inputs), doc="The number of inputs, of an instance as in 2017."
    )
    num_outputs: Any = property(
        lambda self: len(self._made), doc="The number of outputs, of an instance as in 2017."
    )

    vmap: Any = staticmethod(vmap)

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run the function on ``args`` and record it."""
        setup_context: Any = cls.setup_context
        if setup_context is _not_set_up:
            if kwargs:
                args = _placed(cls.forward.__code__, 1, args, kwargs)
            setup_context = None
        else:
            args, kwargs = _with_defaults(cls.forward, args, kwargs)
            if kwargs and thread_state.levels:
                from .function_levels import refuse_keywords

                refuse_keywords(cls, kwargs)
            if kwargs:
                args = _placed(cls.forward.__code__, 0, args, kwargs)
        if thread_state.levels:
            from .function_levels import apply  # not before somebody transforms functions

            return apply(cls, args, setup_context)
        if unusual_modes and thread_state.profiler is not None:
            return _profiled(cls, args, setup_context)
        return run(cls._backward_cls(), args, cls.forward, setup_context)


def _profiled(cls, args, setup_context):
    """``apply`` under the eyes of a profiler."""
    start = time.perf_counter_ns()
    result = None
    try:
        result = run(cls._backward_cls(), args, cls.forward, setup_context)
        return result
    finally:
        thread_state.profiler.called(cls.__name__, start, result, args)


_not_set_up = _SingleLevelFunction.setup_context
publish(PUBLIC, FunctionCtx, FunctionMeta, _SingleLevelFunction, Function)


def _is_setup_context_defined(fn):
    """Whether a Function's ``setup_context`` is its own."""
    return fn is not _not_set_up


def _with_defaults(forward, args, kwargs):
    """All arguments of ``forward``, those left out too: (by position, by keyword)."""
    code = getattr(forward, "__code__", None)
    if code is not None and not kwargs and len(args) == code.co_argcount and not code.co_kwonlyargcount:
        return args, kwargs
    bound = inspect.signature(forward).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.args, bound.kwargs


def _placed(code, skip, args, kwargs):
    """Arguments given by keyword put in their places behind ``args``; raises TypeError where one has none, or one before it is missing."""
    names = code.co_varnames[skip : code.co_argcount]
    places = {}
    for name, value in kwargs.items():
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        place = names.index(name)
        if place < len(args):
            raise TypeError(f"forward() got multiple values for argument '{name}'")
        places[place] = value
    for place in range(len(args), max(places) + 1):
        if place not in places:
            raise TypeError(f"forward() missing required argument: '{names[place]}' (position {place})")
    return (*args, *[places[place] for place in sorted(places)])


def once_differentiable(fn: Callable[..., Any]) -> Any:
    """Decorate a ``backward`` that itself cannot be differentiated: differentiating its result raises RuntimeError.

    >>> import minigrad
    >>> class Exp(minigrad.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         y = x.exp()
    ...         ctx.save_for_backward(y)
    ...         return y
    ...     @staticmethod
    ...     @minigrad.autograd.function.once_differentiable
    ...     def backward(ctx, g):
    ...         return g * ctx.saved_tensors[0]
    >>> x = minigrad.tensor([0.], requires_grad=True)
    >>> minigrad.autograd.grad(Exp.apply(x), x)
    (tensor([1.]),)
    """

    @functools.wraps(fn)
    def wrapper(ctx, *args, **kwargs):
        recording = thread_state.recording
        was = set_recording(False)
        try:
            outputs = fn(ctx, *args, **kwargs)
        finally:
            set_recording(was)
        if not recording or not any(isinstance(x, Tensor) and x.requires_grad for x in args):
            return outputs
        several = isinstance(outputs, tuple)
        refused = refusing(
            outputs if several else (outputs,),
            "trying to differentiate twice a function that was marked with @once_differentiable",
        )
        return refused if several else refused[0]

    return wrapper


publish(PUBLIC, once_differentiable)
