"""Hooks on all modules: functions that are called at the registration, forward and backward of whatever module, and how hooks are kept."""

import functools
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ..._api import _RemovableHandle


class _Everywhere:
    """The hooks that are called for all modules; ``used`` once there was any.  ``changes`` counts what is set on modules: captured steps look at it."""

    def __init__(self) -> None:
        self.used = False
        self.changes = 0
        self.forward, self.forward_pre = OrderedDict(), OrderedDict()
        self.backward, self.backward_pre = OrderedDict(), OrderedDict()
        self.full: Any = None  # whether the backward hooks are full ones
        self.with_kwargs, self.always = OrderedDict(), OrderedDict()
        self.buffers, self.modules, self.parameters = OrderedDict(), OrderedDict(), OrderedDict()


_everywhere = _Everywhere()


def _add(hooks, hook, *marks):
    """Register ``hook``, with its id in each of ``marks`` too; returns the handle."""
    _everywhere.changes += 1
    handle = _RemovableHandle(hooks, extra_dict=list(marks) if marks else None)
    hooks[handle.id] = hook
    for mark in marks:
        mark[handle.id] = True
    return handle


def register_module_buffer_registration_hook(hook: Callable[..., Any]) -> Any:
    """Call ``hook(module, name, buffer)`` before any module registers a buffer; a value it returns is registered instead.

    >>> import minigrad
    >>> from minigrad.nn.modules.module import register_module_buffer_registration_hook
    >>> handle = register_module_buffer_registration_hook(lambda module, name, buffer: print(name))
    >>> minigrad.nn.Module().register_buffer("scale", minigrad.ones(1))
    scale
    >>> handle.remove()
    """
    return _add(_everywhere.buffers, hook)


def register_module_module_registration_hook(hook: Callable[..., Any]) -> Any:
    """Call ``hook(module, name, submodule)`` before any module registers a child; a value it returns is registered instead.

    >>> import minigrad
    >>> from minigrad.nn.modules.module import register_module_module_registration_hook
    >>> handle = register_module_module_registration_hook(lambda module, name, child: print(name, child))
    >>> model = minigrad.nn.Sequential(minigrad.nn.ReLU())
    0 ReLU()
    >>> handle.remove()
    """
    return _add(_everywhere.modules, hook)


def register_module_parameter_registration_hook(hook: Callable[..., Any]) -> Any:
    """Call ``hook(module, name, parameter)`` before any module registers a parameter; a value it returns is registered instead.

    >>> import minigrad
    >>> from minigrad.nn.modules.module import register_module_parameter_registration_hook
    >>> handle = register_module_parameter_registration_hook(lambda module, name, p: print(name, p.shape))
    >>> linear = minigrad.nn.Linear(3, 2, bias=False)
    weight torch.Size([2, 3])
    >>> handle.remove()
    """
    return _add(_everywhere.parameters, hook)


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> Any:
    """Call ``hook(module, args)`` before the forward of any module; a value it returns replaces the arguments.

    >>> import minigrad
    >>> from minigrad.nn.modules.module import register_module_forward_pre_hook
    >>> handle = register_module_forward_pre_hook(lambda module, args: (args[0] + 1,))
    >>> minigrad.nn.ReLU()(minigrad.tensor([-3., 4.]))
    tensor([0., 5.])
    >>> handle.remove()
    """
    _everywhere.used = True
    return _add(_everywhere.forward_pre, hook)


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> Any:
    """Call ``hook(module, args, output)`` after the forward of any module; a value it returns replaces the output.

    >>> import minigrad
    >>> from minigrad.nn.modules.module import register_module_forward_hook
    >>> handle = register_module_forward_hook(lambda module, args, output: print(module, tuple(output.shape)))
    >>> y = minigrad.nn.ReLU()(minigrad.ones(2, 3))
    ReLU() (2, 3)
    >>> handle.remove()
    """
    _everywhere.used = True
    marks = [
        *([_everywhere.with_kwargs] if with_kwargs else []),
        *([_everywhere.always] if always_call else []),
    ]
    return _add(_everywhere.forward, hook, *marks)


def _mixed_backward_hooks(where):
    return RuntimeError(
        f"Cannot use both regular backward hooks and full backward hooks {where}. Please use only one of them."
    )


def register_module_backward_hook(hook: Callable[..., Any]) -> Any:
    """Register a hook on all modules in the deprecated form: the gradients are those of the module's last node."""
    if _everywhere.full is True:
        raise _mixed_backward_hooks("as a global Module hook")
    _everywhere.used, _everywhere.full = True, False
    return _add(_everywhere.backward, hook)


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> Any:
    """Call ``hook(module, grad_output)`` before the backward of any module; a value it returns replaces the gradients.

    >>> import minigrad
    >>> from minigrad.nn.modules.module import register_module_full_backward_pre_hook
    >>> handle = register_module_full_backward_pre_hook(lambda module, grad_output: print(grad_output))
    >>> minigrad.nn.Sigmoid()(minigrad.ones(2, requires_grad=True)).sum().backward()
    (tensor([1., 1.]),)
    >>> handle.remove()
    """
    _everywhere.used = True
    return _add(_everywhere.backward_pre, hook)


def register_module_full_backward_hook(hook: Callable[..., Any]) -> Any:
    """Call ``hook(module, grad_input, grad_output)`` after the backward of any module; a value it returns replaces ``grad_input``.

    >>> import minigrad
    >>> from minigrad.nn.modules.module import register_module_full_backward_hook
    >>> handle = register_module_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 10,))
    >>> x = minigrad.ones(2, requires_grad=True)
    >>> minigrad.nn.ReLU()(x).sum().backward()
    >>> x.grad
    tensor([10., 10.])
    >>> handle.remove()
    """
    if _everywhere.full is False:
        raise _mixed_backward_hooks("as a global Module hook")
    _everywhere.used, _everywhere.full = True, True
    return _add(_everywhere.backward, hook)


class _WrappedHook:
    """A hook that is handed its module as first argument without keeping the module alive."""

    def __init__(self, hook: Callable[..., Any], module: Any = None) -> None:
        self.hook = hook
        functools.update_wrapper(self, hook)
        self.with_module = module is not None
        if module is not None:
            self.module = weakref.ref(module)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.with_module:
            return self.hook(*args, **kwargs)
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self) -> Any:
        state = {"hook": self.hook, "with_module": self.with_module}
        if self.with_module:
            state["module"] = self.module()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.hook, self.with_module = state["hook"], state["with_module"]
        if self.with_module:
            if state["module"] is None:
                raise RuntimeError("You are trying to revive the hook of a dead Module!")
            self.module = weakref.ref(state["module"])
