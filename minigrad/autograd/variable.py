"""``Variable``: the wrapper of 2017 around tensors.  Today every tensor is one: ``Variable(x)`` gives a tensor over the memory of ``x``.

A program that imports this module may call ``reinforce()`` on what it draws: from then on draws are remembered (``_legacy/stochastic_function.py``).
"""

import operator
import sys
import types
from typing import Any

from .._base.deprecation import old_form
from .._base.errors import type_name
from .._core.node import Node
from .._core.runs import captures_only, queue_callback
from .._core.tensor import Tensor, as_class, start_requiring_grad
from ._legacy.stochastic_function import mark_variable
from ._legacy.volatile import CONFLICT, make_volatile, warn
from .differentiate import backward, grad

__all__ = ["Variable"]


class VariableMeta(type):
    """Makes every tensor an instance of ``Variable``."""

    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, Tensor)


class _EngineBase:
    """The engine under the name by which programs of 2017 called it."""

    def run_backward(
        self,
        tensors: Any,
        grad_tensors: Any,
        keep_graph: Any,
        create_graph: bool = False,
        inputs: Any = (),
        allow_unreachable: bool = False,
        accumulate_grad: bool = False,
    ) -> Any:
        """Carry a gradient for each of ``tensors`` to the leaves, or return the gradients of ``inputs``.

        Raises RuntimeError unless both are tuples of one length, with a gradient for each tensor but rewarded draws.
        """
        for name, value in (("tensors", tensors), ("grad_tensors", grad_tensors)):
            if not isinstance(value, tuple):
                raise RuntimeError(f"{name} argument is expected to be a tuple, but got {type_name(value)}")
        for i, (x, g) in enumerate(zip(tensors, grad_tensors)):
            if g is None and x.requires_grad and not getattr(x.grad_fn, "rewarded", False):
                raise RuntimeError(
                    f"element {i} of gradients tuple is None, but the corresponding Tensor requires grad"
                )
        if inputs and not accumulate_grad:
            return grad(
                tensors, inputs, grad_tensors, keep_graph, create_graph, allow_unused=bool(allow_unreachable)
            )
        backward(tensors, grad_tensors, keep_graph, create_graph, inputs=inputs or None)
        return ()

    def queue_callback(self, callback: Any) -> None:
        """Call ``callback()`` when the backward that is under way has ended; raises RuntimeError outside of one."""
        queue_callback(callback)

    def is_checkpoint_valid(self) -> bool:
        """Whether checkpoints that run a backward of their own may be used here: not while only some gradients are computed."""
        return not captures_only()


class Variable(metaclass=VariableMeta):
    """Make a leaf tensor over the memory of ``data``: ``Variable(data, requires_grad=False, volatile=False)``.

    Raises TypeError if ``data`` is not a tensor, ValueError if it should be volatile and require grad.

    >>> import minigrad
    >>> from minigrad.autograd import Variable
    >>> Variable(minigrad.ones(2), requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    >>> isinstance(minigrad.ones(2), Variable)
    True
    """

    _execution_engine = _EngineBase()

    def __new__(
        cls,
        data: Any = None,
        requires_grad: bool = False,
        volatile: bool = False,
        _grad_fn: Any = None,
        name: str | None = None,
        **unknown: Any,
    ) -> Any:
        for key in unknown:
            raise TypeError(f"'{key}' is an invalid keyword argument for this function")
        requires_grad, volatile = operator.index(requires_grad), operator.index(volatile)  # type: ignore[assignment]
        if _grad_fn is not None and not isinstance(_grad_fn, Node):
            raise TypeError(f"_grad_fn has to be a Function object or None, but got {type_name(_grad_fn)}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"argument 5 must be str or None, not {type_name(name)}")
        if volatile:
            warn()
            if requires_grad:
                raise ValueError(CONFLICT)
        if data is None:
            data = Tensor()
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type_name(data)}")
        self = as_class(Tensor.detach(data), Tensor)
        if requires_grad:
            if not (self.is_floating_point() or self.is_complex()):
                raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
            start_requiring_grad(self)
            mark_variable(self)
        if name is not None:
            self.name = name
        return make_volatile(self) if volatile else self


def _creator(self):
    """The node that made this tensor, under its name of 2017: see ``grad_fn``."""
    old_form("creator", "Use `grad_fn` instead.")
    return self.grad_fn


creator: Any = property(_creator)


class _Module(types.ModuleType):
    """A module that bears the name of a function that PyTorch removed."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


sys.modules[__name__].__class__ = _Module
