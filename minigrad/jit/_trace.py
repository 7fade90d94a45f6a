"""``trace``: a module or function is run once with the examples, and runs ever after as the Python that it is, branches and loops included."""

from collections.abc import Callable
from typing import Any

from .._api import Tensor, no_grad
from ..nn import Module
from ._script import RecursiveScriptModule, ScriptFunction, ScriptModule

__all__ = []


class TracerWarning(Warning):
    """A warning about what a trace would fix, such as a branch; here traces fix nothing."""

    @staticmethod
    def ignore_lib_warnings() -> None:
        """Do nothing: there are no such warnings."""


class TracingCheckError(Exception):
    """Raised in PyTorch if a trace gives other results than the program."""


class TracedModule(ScriptModule):
    """The base class of traced modules."""


class TopLevelTracedModule(RecursiveScriptModule):
    """The result of ``trace`` for a module.

    >>> import minigrad
    >>> minigrad.jit.trace(minigrad.nn.ReLU(), minigrad.ones(2)).original_name
    'ReLU'
    """


def is_tracing() -> bool:
    """Return whether a trace is under way: always False.

    >>> import minigrad
    >>> minigrad.jit.is_tracing()
    False
    """
    return False


def _as_args(example):
    if isinstance(example, (Tensor, dict)):
        return (example,)
    return tuple(example)


def trace(
    func: Callable[..., Any], example_inputs: Any = None, optimize: Any = None, check_trace: bool = True, check_inputs: Any = None, check_tolerance: float = 1e-05, strict: bool = True, _force_outplace: bool = False,
    _module_class: Any = None, _compilation_unit: Any = None, example_kwarg_inputs: Any = None, _store_inputs: bool = True,
) -> Any:  # fmt: skip
    """Return a module as a ``ScriptModule``, a function as a ``ScriptFunction``, after one call with the examples, whose errors are raised.

    A trace of PyTorch's repeats the operators of that call; here branches are taken anew each time.

    >>> import minigrad
    >>> net = minigrad.jit.trace(minigrad.nn.Tanh(), minigrad.zeros(1, 2))
    >>> net(minigrad.zeros(3, 2)).shape
    torch.Size([3, 2])
    """
    if isinstance(func, (ScriptModule, ScriptFunction)):
        return func
    if not callable(func):
        raise RuntimeError(f"trace() takes a function or a module, not {type(func).__name__}")
    if example_kwarg_inputs is not None:
        if not isinstance(example_kwarg_inputs, dict):
            raise RuntimeError("example_kwarg_inputs should be a dict")
        args, kwargs = (), example_kwarg_inputs
    else:
        args, kwargs = _as_args(example_inputs), {}
    with no_grad():
        func(*args, **kwargs)
    if isinstance(func, Module):
        return TopLevelTracedModule(func)
    bound = getattr(func, "__self__", None)
    if isinstance(bound, Module) and func.__name__ == "forward":
        return TopLevelTracedModule(bound)
    return ScriptFunction(func)


def trace_module(
    mod: Any, inputs: Any, optimize: Any = None, check_trace: bool = True, check_inputs: Any = None, check_tolerance: float = 1e-05, strict: bool = True, _force_outplace: bool = False, _module_class: Any = None,
    _compilation_unit: Any = None, example_inputs_is_kwarg: bool = False, _store_inputs: bool = True,
) -> Any:  # fmt: skip
    """Return a module as a ``ScriptModule``, after one call of each method that ``inputs`` names with its examples.

    Raises AttributeError unless there are a module and a dict.

    >>> import minigrad
    >>> net = minigrad.jit.trace_module(minigrad.nn.Tanh(), {"forward": minigrad.zeros(2)})
    >>> net(minigrad.zeros(1))
    tensor([0.])
    """
    if not isinstance(mod, Module):
        raise AttributeError("expected torch.nn.Module as the first argument")
    if not isinstance(inputs, dict):
        raise AttributeError("expected a dictionary of (method_name, input) pairs")
    with no_grad():
        for name, examples in inputs.items():
            method = mod if name == "forward" else getattr(mod, name)
            if example_inputs_is_kwarg:
                method(**examples)
            else:
                method(*_as_args(examples))
    return TopLevelTracedModule(mod)
