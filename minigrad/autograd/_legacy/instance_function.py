"""Functions as they were written in 2017: the instance holds what backward needs, and is the node of the graph.

    class Scale(Function):
        def __init__(self, factor):
            self.factor = factor

        def forward(self, x):
            return x * self.factor

        def backward(self, grad):
            return grad * self.factor

    y = Scale(3)(x)

An instance stands for one call.  Called again before the backward of the first, it lets a twin stand for the second.
"""

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ..._arrays import vocabulary as arrays
from ..._base.deprecation import old_form
from ..._base.errors import type_name
from ..._core.modes import set_recording
from ..._core.node import AccumulateGrad
from ..._core.tensor import Tensor
from ..function_backward import checked, gradients, release
from ..function_context import reset
from ..function_forward import record, start
from ..refusal import refusing

STATIC = (
    "Legacy autograd function with non-static forward method is deprecated. Make forward and backward static methods that "
    "take ctx first, and call the class's apply."
)


def is_old_style(cls: Any) -> Any:
    """Whether ``cls`` has a ``forward`` for instances."""
    return inspect.isfunction(inspect.getattr_static(cls, "forward"))


def for_a_call(function: Any) -> Any:
    """The instance that is to be the node of the next call: ``function`` itself, or a twin if it has another backward to come."""
    if not function._made or function._freed or not function._requires_grad:
        return function
    twin = type(function).__new__(type(function))  # type: ignore[call-overload]
    twin.__dict__.update(function.__dict__)
    return twin


def call(function: Any, inputs: Any) -> Any:
    """The results of an instance for ``inputs``, recorded with the instance itself as their node."""
    for x in inputs:
        if not isinstance(x, Tensor):
            raise TypeError(f"expected a Variable argument, but got {type_name(x)}")
    cls = type(function)
    rule = inspect.getattr_static(cls, "backward")
    if not isinstance(rule, _Backward):
        cls.backward = _Backward(rule.__func__ if isinstance(rule, staticmethod) else rule)
    warn(function)
    extra = function._extra if not function._made else None
    marks = function.to_save, function.non_differentiable, function.dirty_tensors, function._materialize
    reset(function)  # what the instance was told before the call still holds
    function.to_save, function.non_differentiable, function.dirty_tensors, function._materialize = marks
    function._extra = extra
    tracked = start(function, inputs)
    function._requires_grad = tracked
    was = set_recording(False)
    try:
        output = function.forward(*inputs)
    finally:
        set_recording(was)
    return record(function, inputs, output, tracked, False)


def warn(function: Callable[..., Any]) -> None:
    """Warn of this form, once."""
    name = type(function).__name__
    old_form(
        "A Function with a forward that is not static",
        f"Make `forward(ctx, ...)` and `backward(ctx, ...)` static methods, and write `{name}.apply(...)` instead of `{name}()(...)`.",
    )


class _Backward:
    """The ``backward`` of a class whose instances are nodes: the user's rule, which the engine reaches through the instance."""

    def __init__(self, rule: Any) -> None:
        self.rule = rule

    def __get__(self, function: Callable[..., Any], cls: Any) -> Any:
        rule = self.rule.__get__(function, cls)
        if function is None:
            return rule

        def backward(*args):
            # the engine calls with the vocabulary, a module, the gradients, and whether to keep what is saved
            by_engine = args and isinstance(args[0], ModuleType)
            return run_backward(function, rule, *args) if by_engine else rule(*args)

        return backward


def run_backward(function, rule, xp, g, keep):
    """The gradients of the inputs, in the engine's form, from the user's rule, which is never recorded."""
    raw = xp is arrays
    grads = gradients(function, g, raw)
    was = set_recording(False)
    try:
        returned = rule(*grads)
    finally:
        set_recording(was)
    if not keep:
        release(function)
    outs = checked(function, returned)
    if raw:
        return [None if h is None else h._array for h in outs]
    if not any(h is not None and h.requires_grad for h in grads):
        return outs
    return refusing(outs, f"{function.name()} is not differentiable twice")


def _previous_functions(node):
    """For each input of a node a pair: the node that made it (a leaf itself), and which of its outputs it is.

    Today's name is ``next_functions``, where a leaf is represented by its ``AccumulateGrad``.
    """
    return tuple(
        [(end.variable if end.__class__ is AccumulateGrad else end, nr) for end, nr in node.next_functions]
    )


previous_functions = property(_previous_functions, doc=_previous_functions.__doc__)
