"""``script``: modules and functions as ``ScriptModule`` and ``ScriptFunction``, which run the Python that they were made of."""

import copy
import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any, SupportsIndex

from ..nn import Module

__all__ = []


class Error(Exception):
    """An error in a running script in PyTorch; here errors are those of Python."""


class ScriptWarning(Warning):
    """A warning about a script."""


def _without_script(what):
    return NotImplementedError(
        f"{what} needs TorchScript, which minigrad does not have: scripted and traced programs run as the Python that they are. "
        "Save state_dict() and the program."
    )


def _needs_script(name):
    def refuse(self, *args, **kwargs):
        raise _without_script(f"{type(self).__name__}.{name}")

    refuse.__name__ = name
    refuse.__doc__ = "Raise NotImplementedError: this needs TorchScript."
    return refuse


class ScriptFunction:
    """A scripted or traced function, which runs as Python.

    >>> import minigrad
    >>> double = minigrad.jit.script(lambda x: x * 2)
    >>> type(double).__name__, double(3)
    ('ScriptFunction', 6)
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self.__name__ = "ScriptFunction"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    @property
    def name(self) -> Any:
        """The name of the function."""
        return self._function.__name__

    @property
    def qualified_name(self) -> str:
        """The qualified name of the function, as TorchScript spells it."""
        module = self._function.__module__
        return f"__torch__.{'' if module == '__main__' else module + '.'}{self.name}"

    @property
    def __signature__(self) -> Any:
        return inspect.signature(self._function)

    @property
    def _torchdynamo_inline(self):
        return self._function

    code: Any = property(_needs_script("code"))
    graph: Any = property(_needs_script("graph"))
    inlined_graph: Any = property(_needs_script("inlined_graph"))
    schema: Any = property(_needs_script("schema"))
    graph_for: Any = _needs_script("graph_for")
    save: Any = _needs_script("save")
    save_to_buffer: Any = _needs_script("save_to_buffer")


class ScriptModule(Module):
    """The base class of scripted modules, and of modules with ``script_method``, which work as any module does.

    >>> import minigrad
    >>> class Double(minigrad.jit.ScriptModule):
    ...     @minigrad.jit.script_method
    ...     def forward(self, x):
    ...         return x * 2
    >>> Double()(3)
    6
    """

    graph: Any = property(_needs_script("graph"))
    inlined_graph: Any = property(_needs_script("inlined_graph"))
    code: Any = property(_needs_script("code"))
    code_with_constants: Any = property(_needs_script("code_with_constants"))
    graph_for: Any = _needs_script("graph_for")
    define: Any = _needs_script("define")
    save: Any = _needs_script("save")
    save_to_buffer: Any = _needs_script("save_to_buffer")
    _save_for_lite_interpreter = _needs_script("_save_for_lite_interpreter")


#: Of a module's ``__dict__``: what a scripted module shares with the one that runs.
_SHARED = "_parameters", "_buffers", "_non_persistent_buffers_set"


class RecursiveScriptModule(ScriptModule):
    """The result of ``script`` for a module: it has the same parameters and buffers, scripted submodules, and copies of the other attributes.

    >>> import minigrad
    >>> layer = minigrad.nn.Linear(2, 1)
    >>> scripted = minigrad.jit.script(layer)
    >>> scripted
    RecursiveScriptModule(original_name=Linear)
    >>> scripted.weight is layer.weight
    True
    """

    def __init__(self, module: Module) -> None:
        super().__init__()
        running = object.__new__(type(module))
        running.__dict__.update(module.__dict__)
        own = self.__dict__
        for name in _SHARED:
            running.__dict__[name] = own[name] = copy.copy(module.__dict__[name])
        running.__dict__["_modules"] = {}
        own["_running"] = running
        own["training"] = module.training
        for name in dir(type(module)):
            if getattr(getattr(type(module), name), "_torchscript_modifier", None) == "export":
                own[name] = getattr(running, name)  # also if Module has a method of that name
        for name, child in module._modules.items():
            scripted = (
                child if child is None or isinstance(child, ScriptModule) else RecursiveScriptModule(child)
            )
            self._modules[name] = scripted
            running._modules[name] = (
                scripted if not isinstance(scripted, RecursiveScriptModule) else scripted._running
            )

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Return the result of the module's ``forward``."""
        return self._running(*args, **kwargs)

    @property
    def original_name(self) -> Any:
        """The name of the module's class."""
        return type(self._running).__name__

    def __getattr__(self, name: str) -> Any:
        if name in ("_running", "_parameters", "_buffers", "_modules"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if name not in self._modules:
            try:
                return getattr(self._running, name)
            except AttributeError:
                pass
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name not in self._parameters and name not in self._buffers:
            running = value._running if isinstance(value, RecursiveScriptModule) else value
            setattr(self._running, name, running)

    def __len__(self) -> int:
        return len(self._running)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __getitem__(self, index: Any) -> Any:
        found = self._running[index]
        scripted = {id(m._running): m for m in self._modules.values() if isinstance(m, RecursiveScriptModule)}
        return scripted.get(id(found), found)

    def __bool__(self) -> bool:
        return True

    def __contains__(self, key: Any) -> bool:
        return key in self._running

    def __dir__(self) -> Sequence[str]:
        return sorted({*super().__dir__(), *dir(self._running)})

    def __deepcopy__(self, memo: dict[int, Any] | None) -> Any:
        return type(self)(copy.deepcopy(self._running, memo))

    def __copy__(self) -> Any:
        return type(self)(self._running)

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        raise RuntimeError(
            f"Tried to serialize object __torch__.{self.original_name} which does not have a __getstate__ method defined! "
            "A scripted module cannot be pickled: save its state_dict()."
        )

    def __repr__(self) -> str:
        lines = [f"({name}): {child!r}".replace("\n", "\n  ") for name, child in self._modules.items()]
        name = f"original_name={self.original_name}"
        if not lines:
            return f"{type(self).__name__}({name})"
        return f"{type(self).__name__}(\n  {name}\n  " + "\n  ".join(lines) + "\n)"


class RecursiveScriptClass:
    """A scripted object in PyTorch; here objects stay what they are."""


class CompilationUnit:
    """A collection of functions written in TorchScript, which can only be empty here.

    >>> import minigrad
    >>> unit = minigrad.jit.CompilationUnit()
    """

    def __init__(self, lang: Any = None, _frames_up: int = 0) -> None:
        if lang is not None:
            raise _without_script("a function given as text")

    def define(self, lang: Any, rcb: Any = None, _frames_up: int = 0) -> Any:
        """Raises NotImplementedError: the text would be TorchScript."""
        raise _without_script("a function given as text")


def script(
    obj: Any,
    optimize: None = None,
    _frames_up: int = 0,
    _rcb: Callable[[str], Any] | None = None,
    example_inputs: list[tuple[Any, ...]] | dict[Callable[..., Any], list[tuple[Any, ...]]] | None = None,
) -> Any:
    """Return a module as a ``ScriptModule``, a function as a ``ScriptFunction``; classes, lists and dicts as they are.  All give the results that they gave.

    Raises RuntimeError for a class of modules, TypeError for what is none of these.

    >>> import minigrad
    >>> net = minigrad.jit.script(minigrad.nn.ReLU())
    >>> net(minigrad.tensor([-1., 1.]))
    tensor([0., 1.])
    """
    if isinstance(obj, (ScriptModule, ScriptFunction)):
        return obj
    if isinstance(obj, Module):
        return RecursiveScriptModule(obj)
    if inspect.isclass(obj):
        if issubclass(obj, Module):
            raise RuntimeError(
                f"Type '{obj}' cannot be compiled since it inherits from nn.Module, pass an instance instead"
            )
        return obj
    if isinstance(obj, (list, dict)):
        return obj
    if inspect.isfunction(obj) or inspect.ismethod(obj) or isinstance(obj, functools.partial):
        return ScriptFunction(obj)
    if type(obj).__module__ == "builtins":
        raise TypeError(f"{type(obj)} is a built-in class")
    return obj


def script_method(fn: Callable[..., Any]) -> Any:
    """Return the method itself.

    >>> import minigrad
    >>> minigrad.jit.script_method(len) is len
    True
    """
    return fn
