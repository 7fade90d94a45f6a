"""``Module``: parameters, buffers and child modules under names, hooks, ``state_dict``, conversion.

Registered things live in three dictionaries, ``_parameters``, ``_buffers``, ``_modules``, as in PyTorch; ``__setattr__`` puts them there, and
``__getattr__``, which Python asks only when nothing else has the name, finds them.  A call without hooks costs one test per kind of hook.

Methods of other subjects are functions of ``conversion.py`` and ``state_dict.py``; what happens around hooks is in ``calls_with_hooks.py``.
"""

import inspect
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ..._api import Tensor, _compiling, _lazy
from ..._api import _RemovableHandle as RemovableHandle
from ..parameter import Buffer, Parameter
from . import conversion
from . import state_dict as state
from .calls_with_hooks import call_with_hooks
from .global_hooks import (
    _add,
    _everywhere,
    _mixed_backward_hooks,
    _WrappedHook,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from .state_dict import (
    _EXTRA_STATE_KEY_SUFFIX,  # noqa: F401  (programs import it from here)
    _IncompatibleKeys,  # noqa: F401
    load_own,
)

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

_lazy.publish(__name__, _WrappedHook, *map(globals().get, __all__[1:]))

# PyTorch's names: programs look into them, or empty them for a while
_global_forward_hooks, _global_forward_pre_hooks = _everywhere.forward, _everywhere.forward_pre
_global_forward_hooks_always_called, _global_forward_hooks_with_kwargs = (
    _everywhere.always,
    _everywhere.with_kwargs,
)
_global_backward_hooks, _global_backward_pre_hooks = _everywhere.backward, _everywhere.backward_pre
_global_buffer_registration_hooks = _everywhere.buffers
_global_module_registration_hooks = _everywhere.modules
_global_parameter_registration_hooks = _everywhere.parameters


def _has_any_global_hook():
    """Whether hooks around forward or backward of all modules are registered."""
    everywhere = _everywhere
    return bool(
        everywhere.forward or everywhere.forward_pre or everywhere.backward or everywhere.backward_pre
    )


def _type_name(value):
    """How messages name the type of a value: ``torch.FloatTensor``, ``int``, ``package.Class``."""
    if isinstance(value, Tensor):
        return value.type()
    module = type(value).__module__
    name = type(value).__qualname__
    return name if module in ("builtins", "__builtin__") else f"{module}.{name}"


def _addindent(s_, numSpaces):  # PyTorch's names: programs' own __repr__ call it
    """``s_`` with all lines after the first moved to the right."""
    first, *rest = s_.split("\n")
    return "\n".join([first, *(" " * numSpaces + line if line.strip() else "" for line in rest)])


_Function = TypeVar("_Function", bound=Callable[..., Any])
_Self = TypeVar("_Self", bound="Module")


def _method(function: _Function) -> _Function:
    """A function of another file as a method of ``Module``, which is how messages and pickles name it."""
    function.__module__, function.__qualname__ = __name__, f"Module.{function.__name__}"
    return function


# The module ----------------------------------------------------------------------------------------------------------------

#: The attributes of a module that older files may lack, with what makes them.
_HOOKS = dict.fromkeys(
    (
        "_backward_pre_hooks",
        "_backward_hooks",
        "_forward_hooks",
        "_forward_hooks_with_kwargs",
        "_forward_hooks_always_called",
        "_forward_pre_hooks",
        "_forward_pre_hooks_with_kwargs",
        "_state_dict_hooks",
        "_state_dict_pre_hooks",
        "_load_state_dict_pre_hooks",
        "_load_state_dict_post_hooks",
    ),
    OrderedDict,
)


class Module:
    """The base class of all modules.

    Subclasses create parameters and child modules in ``__init__``, and compute in ``forward``.

    >>> import minigrad
    >>> from minigrad import nn
    >>> class Twice(nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.layer = nn.Linear(2, 2)
    ...     def forward(self, x):
    ...         return self.layer(self.layer(x))
    >>> Twice()(minigrad.ones(1, 2)).shape
    torch.Size([1, 2])
    """

    dump_patches = False
    _version = 1
    call_super_init = False
    training: bool
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _is_full_backward_hook: bool | None
    _backward_pre_hooks: OrderedDict[int, Any]
    _backward_hooks: OrderedDict[int, Any]
    _forward_hooks: OrderedDict[int, Any]
    _forward_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_always_called: OrderedDict[int, bool]
    _forward_pre_hooks: OrderedDict[int, Any]
    _forward_pre_hooks_with_kwargs: OrderedDict[int, bool]
    _state_dict_hooks: OrderedDict[int, Any]
    _state_dict_pre_hooks: OrderedDict[int, Any]
    _load_state_dict_pre_hooks: OrderedDict[int, Any]
    _load_state_dict_post_hooks: OrderedDict[int, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init:
            if kwargs:
                raise TypeError(
                    f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'"
                )
            if args:
                raise TypeError(
                    f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given"
                )
        state = self.__dict__  # around __setattr__, which looks for what is only being made here
        state["training"] = True
        state["_parameters"] = {}
        state["_buffers"] = {}
        state["_non_persistent_buffers_set"] = set()
        for name, make in _HOOKS.items():
            state[name] = make()
        state["_is_full_backward_hook"] = None
        state["_modules"] = {}
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    if TYPE_CHECKING:  # subclasses take any arguments
        forward: Callable[..., Any]
        __call__: Callable[..., Any]
    else:

        def forward(self, *input: Any) -> None:
            """Return what the module computes; subclasses define it."""
            raise NotImplementedError(
                f'Module [{type(self).__name__}] is missing the required "forward" function'
            )

    # Calls ----------------------------------------------------------------------------------------------------------------

    def _call_impl(self, *args, **kwargs):
        if (
            self._forward_hooks
            or self._forward_pre_hooks
            or self._backward_hooks
            or self._backward_pre_hooks
            or _everywhere.used
        ):
            return call_with_hooks(self, args, kwargs)
        return self.forward(*args, **kwargs)

    _wrapped_call_impl = _call_impl
    if not TYPE_CHECKING:
        __call__ = _call_impl

    def _get_backward_hooks(self):
        """The backward hooks in their full form, and those in the deprecated one."""
        of_all, own = list(_everywhere.backward.values()), list(self._backward_hooks.values())
        full = (of_all if _everywhere.full is True else []) + (
            own if self._is_full_backward_hook is True else []
        )
        partial = (of_all if _everywhere.full is False else []) + (
            own if self._is_full_backward_hook is False else []
        )
        return full, partial

    # Hooks ----------------------------------------------------------------------------------------------------------------

    def register_forward_pre_hook(
        self,
        hook: Callable[[Any, tuple[Any, ...]], Any | None]
        | Callable[[Any, tuple[Any, ...], dict[str, Any]], tuple[Any, dict[str, Any]] | None],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
    ) -> RemovableHandle:
        """Call ``hook(module, args)`` before ``forward``; a value it returns replaces the arguments.

        With ``with_kwargs``: ``hook(module, args, kwargs)``, which may return both.  Returns a handle with ``remove()``.
        """
        handle = _add(
            self._forward_pre_hooks, hook, *([self._forward_pre_hooks_with_kwargs] if with_kwargs else [])
        )
        if prepend:
            self._forward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_forward_hook(
        self,
        hook: Callable[[Any, tuple[Any, ...], Any], Any | None]
        | Callable[[Any, tuple[Any, ...], dict[str, Any], Any], Any | None],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call ``hook(module, args, output)`` after ``forward``; a value it returns replaces the output.

        With ``with_kwargs``: ``hook(module, args, kwargs, output)``; with ``always_call`` also if ``forward`` raised.  Returns a
        handle with ``remove()``.
        """
        marks = [
            *([self._forward_hooks_with_kwargs] if with_kwargs else []),
            *([self._forward_hooks_always_called] if always_call else []),
        ]
        handle = _add(self._forward_hooks, hook, *marks)
        if prepend:
            self._forward_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_full_backward_pre_hook(
        self,
        hook: "Callable[[Module, tuple[Tensor, ...] | Tensor], tuple[Tensor, ...] | Tensor | None]",
        prepend: bool = False,
    ) -> RemovableHandle:
        """Call ``hook(module, grad_output)`` before the module's backward; a value it returns replaces the gradients."""
        handle = _add(self._backward_pre_hooks, hook)
        if prepend:
            self._backward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_full_backward_hook(
        self,
        hook: "Callable[[Module, tuple[Tensor, ...] | Tensor, tuple[Tensor, ...] | Tensor], tuple[Tensor, ...] | Tensor | None]",
        prepend: bool = False,
    ) -> RemovableHandle:
        """Call ``hook(module, grad_input, grad_output)`` when the gradients of the module's inputs have been computed.

        A value it returns replaces ``grad_input``. Returns a handle with ``remove()``.
        """
        if self._is_full_backward_hook is False:
            raise _mixed_backward_hooks("on a single Module")
        self._is_full_backward_hook = True
        handle = _add(self._backward_hooks, hook)
        if prepend:
            self._backward_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_backward_hook(
        self,
        hook: "Callable[[Module, tuple[Tensor, ...] | Tensor, tuple[Tensor, ...] | Tensor], tuple[Tensor, ...] | Tensor | None]",
    ) -> RemovableHandle:
        """Register a backward hook in the deprecated form: the gradients are those of the module's last node."""
        if self._is_full_backward_hook is True:
            raise _mixed_backward_hooks("on a single Module")
        self._is_full_backward_hook = False
        return _add(self._backward_hooks, hook)

    # Attributes -----------------------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        state = self.__dict__  # which is still empty before __init__
        if name in state.get("_parameters", ()):
            return state["_parameters"][name]
        if name in state.get("_modules", ()):
            return state["_modules"][name]
        if name in state.get("_buffers", ()):
            return state["_buffers"][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        _everywhere.changes += 1
        state = self.__dict__
        parameters, modules, buffers = (state.get(kind) for kind in ("_parameters", "_modules", "_buffers"))
        if isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, modules, buffers)
            self.register_parameter(name, value)
        elif parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_type_name(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, parameters, buffers)
            modules[name] = _asked(_everywhere.modules, self, name, value)
        elif modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_type_name(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            modules[name] = _asked(_everywhere.modules, self, name, value)
        elif isinstance(value, Buffer) or (buffers is not None and name in buffers):
            if (
                value is not None
                and not isinstance(value, Tensor)
                and not hasattr(value, "__torch_function__")
            ):
                raise TypeError(
                    f"cannot assign '{_type_name(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)"
                )
            self._assign_buffer(name, value)
        else:
            object.__setattr__(self, name, value)

    def _forget(self, name, *others):
        """Take ``name`` out of wherever else it may be registered."""
        self.__dict__.pop(name, None)
        for names in others:
            names.pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def _assign_buffer(self, name, value):
        persistent = (
            value.persistent if isinstance(value, Buffer) else name not in self._non_persistent_buffers_set
        )
        if (
            type(self).register_buffer is Module.register_buffer
            or "persistent" in inspect.signature(self.register_buffer).parameters
        ):
            self.register_buffer(name, value, persistent)
        elif persistent:  # a subclass whose register_buffer is older than the argument
            self.register_buffer(name, value)
        else:
            raise RuntimeError(
                "Registering a non-persistent buffer on a Module subclass that implements register_buffer() without the "
                "persistent argument is not allowed."
            )

    def __delattr__(self, name: str) -> None:
        _everywhere.changes += 1
        for registered in (self._parameters, self._buffers, self._modules):
            if name in registered:
                del registered[name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def _check_name(self, kind, name, registered):
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {_type_name(name)}")
        if "." in name:
            got = f", got: {name}" if kind == "module" else ""
            raise KeyError(f'{kind} name can\'t contain "."{got}')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if name not in registered and hasattr(self, name):
            raise KeyError(f"attribute '{name}' already exists")

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register a buffer: a tensor that is part of the module's state but not a parameter.

        A buffer is in ``state_dict()`` if it is ``persistent``. Raises KeyError or TypeError for an invalid name, and TypeError if the
        value is not a tensor.
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name("buffer", name, self._buffers)
        if (
            tensor is not None
            and not isinstance(tensor, Tensor)
            and not hasattr(tensor, "__torch_function__")
        ):
            raise TypeError(
                f"cannot assign '{_type_name(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        _everywhere.changes += 1
        self._buffers[name] = _asked(_everywhere.buffers, self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register a parameter, or None to reserve the name.

        Raises KeyError or TypeError for an invalid name, TypeError if the value is not a Parameter, and ValueError if it has a gradient history.
        """
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name("parameter", name, self._parameters)
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"cannot assign '{_type_name(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
                )
            if param.grad_fn is not None:
                raise ValueError(
                    f"Cannot assign non-leaf Tensor to parameter '{name}'. A parameter is a leaf that the optimizer "
                    f"changes: compute '{name}' in forward(), or give it a detached tensor as torch.nn.Parameter."
                )
            param = _asked(_everywhere.parameters, self, name, param)
        _everywhere.changes += 1
        self._parameters[name] = param

    def add_module(self, name: str, module: "Module") -> None:
        """Register a child module (or None) under a name.

        Raises KeyError or TypeError for an invalid name, and TypeError if the value is not a Module.
        """
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{_type_name(module)} is not a Module subclass")
        if isinstance(name, str) and name not in self._modules and hasattr(self, name):
            raise KeyError(f"attribute '{name}' already exists")
        self._check_name("module", name, self._modules)
        _everywhere.changes += 1
        self._modules[name] = _asked(_everywhere.modules, self, name, module)

    def register_module(self, name: str, module: "Module") -> None:
        """Register a child module; the same as ``add_module``."""
        self.add_module(name, module)

    def get_submodule(self, target: str) -> "Module":
        """Return the module at a dotted path such as ``"encoder.0"``; raise AttributeError if there is none."""
        module = self
        for part in target.split(".") if target else ():
            if not hasattr(module, part):
                raise AttributeError(f"{module._get_name()} has no attribute `{part}`")
            module = getattr(module, part)
            if not isinstance(module, Module):
                raise AttributeError(f"`{part}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: "Module", strict: bool = False) -> None:
        """Replace the module at a dotted path, or add one there; with ``strict`` there must be one already."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if hasattr(parent, name):
            if not isinstance(getattr(parent, name), Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        elif strict:
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """Return the parameter at a dotted path; raise AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        parameter = getattr(module, name)
        if not isinstance(parameter, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return parameter

    def get_buffer(self, target: str) -> Tensor:
        """Return the buffer at a dotted path; raise AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return module._buffers[name]

    # What is registered ---------------------------------------------------------------------------------------------------

    def _named_members(self, get_members_fn, prefix="", recurse=True, remove_duplicate=True):
        """(name, member) for all that ``get_members_fn(module)`` gives of this module and, if ``recurse``, of all below."""
        seen = set()
        named = [(prefix, self)]
        if recurse:
            named = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        for path, module in named:
            for name, member in get_members_fn(module):
                if member is None or member in seen:
                    continue
                if remove_duplicate:
                    seen.add(member)
                yield f"{path}.{name}" if path else name, member

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Yield (name, parameter) for each parameter of this module and, if ``recurse``, of its descendants."""
        yield from self._named_members(
            lambda module: module._parameters.items(), prefix, recurse, remove_duplicate
        )

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Yield each parameter of this module and, if ``recurse``, of its descendants once.

        >>> from minigrad import nn
        >>> sum(p.numel() for p in nn.Linear(3, 2).parameters())
        8
        """
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield (name, buffer) for each buffer of this module and, if ``recurse``, of its descendants."""
        yield from self._named_members(
            lambda module: module._buffers.items(), prefix, recurse, remove_duplicate
        )

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield each buffer of this module and, if ``recurse``, of its descendants once."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_children(self) -> "Iterator[tuple[str, Module]]":
        """Yield (name, module) for each child, each module once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> "Iterator[Module]":
        """Yield each child module once."""
        for _, module in self.named_children():
            yield module

    def named_modules(
        self, memo: "set[Module] | None" = None, prefix: str = "", remove_duplicate: bool = True
    ) -> "Iterator[tuple[str, Module]]":
        """Yield (path, module) for this module and its descendants, each once unless ``remove_duplicate`` is false."""
        if memo is None:
            memo = set()
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(
                    memo, f"{prefix}.{name}" if prefix else name, remove_duplicate
                )

    def modules(self, remove_duplicate: bool = True) -> "Iterator[Module]":
        """Yield this module and its descendants, each once unless ``remove_duplicate`` is false."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    # Conversion -----------------------------------------------------------------------------------------------------------

    _apply = _method(conversion._apply)
    apply: Any = _method(conversion.apply)
    to: Any = _method(conversion.to)
    type: Any = _method(conversion.type)
    _to_floating = _method(conversion._to_floating)
    float: Any = _method(conversion.float)
    double: Any = _method(conversion.double)
    half: Any = _method(conversion.half)
    bfloat16: Any = _method(conversion.bfloat16)
    cpu: Any = _method(conversion.cpu)
    cuda: Any = _method(conversion.cuda)
    _elsewhere = _method(conversion._elsewhere)
    ipu: Any = _method(conversion.ipu)
    xpu: Any = _method(conversion.xpu)
    mtia: Any = _method(conversion.mtia)
    to_empty: Any = _method(conversion.to_empty)
    share_memory: Any = _method(conversion.share_memory)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Capture and replay the module's calls where that gives the same result; see ``minigrad.compile``, which takes the same arguments."""
        _compiling.check(*args, **kwargs)
        compile = _lazy.fetch("_compile", _places, globals())
        forward = getattr(self.forward, "_torchdynamo_orig_callable", self.forward)
        object.__setattr__(self, "forward", compile(forward, *args, **kwargs))
        self._compiled_call_impl = type(self)._call_impl

    def train(self: _Self, mode: bool = True) -> _Self:
        """Set training mode (or, with ``mode=False``, evaluation mode) for this module and its descendants; return the module."""
        if mode is not True and mode is not False:
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self: _Self) -> _Self:
        """Set evaluation mode; the same as ``train(False)``."""
        return self.train(False)

    def requires_grad_(self: _Self, requires_grad: bool = True) -> _Self:
        """Set whether the parameters require gradients; return the module."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the gradients of all parameters, or with ``set_to_none=False`` set them to zero."""
        for parameter in self.parameters():
            grad = parameter.grad
            if grad is None:
                continue
            if set_to_none:
                parameter.grad = None
                continue
            if grad.grad_fn is not None:
                grad.detach_()
            else:
                grad.requires_grad_(False)
            grad.zero_()

    # State ----------------------------------------------------------------------------------------------------------------

    def __getstate__(self) -> Any:
        state = self.__dict__.copy()
        if state.pop("_compiled_call_impl", None) is not None:
            original = state.pop("forward")._torchdynamo_orig_callable
            if getattr(original, "__self__", None) is not self:  # a function that was set on the module
                state["forward"] = original
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name, make in _HOOKS.items():
            self.__dict__.setdefault(name, make())
        self.__dict__.setdefault("_non_persistent_buffers_set", set())
        self.__dict__.setdefault("_is_full_backward_hook", None)

    def get_extra_state(self) -> Any:
        """Return extra state for ``state_dict`` besides parameters and buffers; subclasses define it together with ``set_extra_state``."""
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called. A module that defines "
            "set_extra_state() defines get_extra_state() too."
        )

    def set_extra_state(self, state: Any) -> None:
        """Restore the state that ``get_extra_state`` returned."""
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called. A module that defines "
            "get_extra_state() defines set_extra_state() too."
        )

    def _has_extra_state(self, method):
        return getattr(type(self), method) is not getattr(Module, method)

    def _register_state_dict_hook(self, hook):
        """Call ``hook(module, state_dict, prefix, local_metadata)`` after ``state_dict``; of the root it may return another one."""
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was previously registered via "
                "register_state_dict_post_hook"
            )
        return _add(self._state_dict_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(module, state_dict, prefix, local_metadata)`` after ``state_dict``, which it may change in place."""
        hook._from_public_api = True  # type: ignore[attr-defined]
        return _add(self._state_dict_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(module, prefix, keep_vars)`` before ``state_dict``."""
        return _add(self._state_dict_pre_hooks, hook)

    _save_to_state_dict = _method(state._save_to_state_dict)
    state_dict: Any = _method(state.state_dict)
    load_state_dict: Any = _method(state.load_state_dict)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        """As ``register_load_state_dict_pre_hook``; the hook gets the module only if ``with_module``."""
        return _add(self._load_state_dict_pre_hooks, _WrappedHook(hook, self if with_module else None))

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)`` before
        this module's part of a state dict is loaded.
        """
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(module, incompatible_keys)`` after a state dict is loaded; it may change the lists of keys in place."""
        return _add(self._load_state_dict_post_hooks, hook)

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        """Take this module's state, without those below, from ``state_dict``; what goes wrong is noted in the three lists."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        load_own(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)

    # Text -----------------------------------------------------------------------------------------------------------------

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self) -> str:
        """Return the module's own part of its ``repr``; subclasses define it."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        extra_lines = extra.split("\n") if extra else []
        child_lines = [f"({name}): {_addindent(repr(module), 2)}" for name, module in self._modules.items()]
        if len(extra_lines) == 1 and not child_lines:
            inside = extra_lines[0]
        elif extra_lines or child_lines:
            inside = "\n  " + "\n  ".join(extra_lines + child_lines) + "\n"
        else:
            inside = ""
        return f"{self._get_name()}({inside})"

    def __dir__(self) -> list[str]:
        names = [*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers]
        return sorted(name for name in names if not name[0].isdigit())

    def _replicate_for_data_parallel(self):
        """A shallow copy without parameters, which shares buffers and children."""
        replica = self.__new__(type(self))
        replica.__dict__ = self.__dict__.copy()
        replica._parameters = {}
        replica._buffers = self._buffers.copy()
        replica._modules = self._modules.copy()
        replica._is_replica = True
        return replica


def _asked(hooks, module, name, value):
    """``value``, or what the hooks on registration make of it."""
    for hook in hooks.values():
        changed = hook(module, name, value)
        if changed is not None:
            value = changed
    return value


_places = _lazy.places({"compiler": "_compile=compile"})
_lazy.bind(Module, {"nn.modules._outline": "_repr_html_=module_html"})
