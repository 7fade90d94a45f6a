"""Modules and parameters in sequences and dictionaries."""

import operator
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, TypeVar, overload

from ..._api import Tensor
from ..parameter import Parameter
from .module import Module, _addindent, _type_name

__all__ = ["Container", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]


class Container(Module):
    """A deprecated base class; use ``Module``.

    >>> import minigrad
    >>> minigrad.nn.Container(act=minigrad.nn.ReLU())
    Container(
      (act): ReLU()
    )
    """

    def __init__(self, **kwargs: Any) -> None:
        warnings.warn(
            "`nn.Container` is deprecated. All of its functionality is now implemented in `nn.Module`. Subclass that instead.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__()
        for name, module in kwargs.items():
            self.add_module(name, module)


_Self = TypeVar("_Self", bound=Module)


class _Numbered(Module):
    """What lists of modules have in common: children named 0, 1, 2, ..."""

    def _name_at(self, index):
        """The name of the child at an index, which may be negative; raises IndexError."""
        n = len(self)
        index = operator.index(index)
        if not -n <= index < n:
            raise IndexError(f"index {index} is out of range")
        return next(islice(self._modules, index % n, None))

    def _renumber(self, modules):
        self._modules = {str(i): module for i, module in enumerate(modules)}

    def __setitem__(self, index: Any, module: Module) -> None:
        setattr(self, self._name_at(index), module)

    def __delitem__(self, index: Any) -> None:
        for name in list(self._modules)[index] if isinstance(index, slice) else [self._name_at(index)]:
            del self._modules[name]
        self._renumber(self._modules.values())

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self: _Self, module: Module) -> _Self:
        """Add a module at the end; returns the container."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key: int | slice) -> Any:
        """Take out the module at an index; returns it."""
        module = self[key]  # type: ignore[index]
        del self[key]
        return module


class Sequential(_Numbered):
    """A chain of modules: each one receives the output of the one before.

    Takes the modules as arguments, or one OrderedDict of named modules.

    >>> import minigrad
    >>> from minigrad import nn
    >>> nn.Sequential(nn.Linear(3, 2), nn.ReLU())(minigrad.ones(5, 3)).shape
    torch.Size([5, 2])
    """

    @overload
    def __init__(self, *args: Module) -> None: ...
    @overload
    def __init__(self, arg: dict[str, Module], /) -> None: ...
    def __init__(self, *args: Any) -> None:
        super().__init__()
        named = len(args) == 1 and isinstance(args[0], OrderedDict)
        for name, module in args[0].items() if named else enumerate(args):
            self.add_module(str(name), module)

    def forward(self, input):  # without annotations, which fx would note
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.__class__(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._name_at(index)]

    def __add__(self, other: Any) -> Any:
        _check_sequential(other)
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Any:
        _check_sequential(other)
        return self.extend(list(other))

    def __mul__(self, other: int) -> Any:
        _check_times(other, self)
        return Sequential(*(module for _ in range(other) for module in self))

    __rmul__ = __mul__

    def __imul__(self, other: int) -> Any:
        _check_times(other, self)
        return self.extend([module for _ in range(other - 1) for module in list(self)])

    def insert(self, index: int, module: Module) -> Any:
        """Insert a module before the one at ``index``; return the container."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        n = len(self)
        if not -n <= index <= n:
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def extend(self, sequential: Iterable[Module]) -> Any:
        """Append several modules; return the container."""
        for module in sequential:
            self.append(module)
        return self


def _check_sequential(other):
    if not isinstance(other, Sequential):
        raise ValueError(
            f"add operator supports only objects of Sequential class, but {type(other)} is given."
        )


def _check_times(times, sequential):
    if not isinstance(times, int):
        raise TypeError(f"unsupported operand type(s) for *: {type(sequential)} and {type(times)}")
    if times <= 0:
        raise ValueError(f"Non-positive multiplication factor {times} for {type(sequential)}")


class ModuleList(_Numbered):
    """A list whose modules are registered as children.

    >>> from minigrad import nn
    >>> len(nn.ModuleList([nn.Linear(1, 1), nn.ReLU()]))
    2
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self += modules

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.__class__(list(self._modules.values())[index])
        return self._modules[self._name_at(index)]

    def __iadd__(self, modules: Iterable[Module]) -> Any:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> Any:
        return ModuleList(chain(self, other))

    def insert(self, index: int, module: Module) -> None:
        """Insert a module before the one at ``index``."""
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)

    def extend(self, modules: Iterable[Module]) -> Any:
        """Append several modules; return the container."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}"
            )
        for module in list(modules):
            self.append(module)
        return self

    def __repr__(self) -> str:
        """As other modules', with runs of equal lines drawn together: ``(0-3): 4 x Linear(...)``."""
        if not len(self):
            return f"{self._get_name()}()"
        runs: list[Any] = []  # [first index, last index, text]
        for i, text in enumerate(map(repr, self)):
            if runs and runs[-1][2] == text:
                runs[-1][1] = i
            else:
                runs.append([i, i, text])
        lines = [
            f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"
            for first, last, text in runs
        ]
        return f"{self._get_name()}(\n  " + "\n  ".join(_addindent(line, 2) for line in lines) + "\n)"


def _pairs(kind, given):
    """The (key, value) pairs that a dictionary is to be updated with; raises for what is none."""
    if isinstance(given, (OrderedDict, ModuleDict, ParameterDict, Mapping)):
        return given.items()
    pairs = []
    for i, pair in enumerate(given):
        if not isinstance(pair, Iterable):
            raise TypeError(
                f"{kind} update sequence element #{i} should be Iterable; is{type(pair).__name__}"
            )
        if len(pair) != 2:
            raise ValueError(f"{kind} update sequence element #{i} has length {len(pair)}; 2 is required")
        pairs.append(pair)
    return pairs


class ModuleDict(Module):
    """A dictionary whose modules are registered as children.

    >>> from minigrad import nn
    >>> list(nn.ModuleDict({"a": nn.ReLU()}))
    ['a']
    """

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Module:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Module:
        """Remove the module under ``key``, and return it."""
        module = self[key]
        del self[key]
        return module

    def keys(self) -> Any:
        """Return the keys."""
        return self._modules.keys()

    def items(self) -> Any:
        """Return the pairs (key, module)."""
        return self._modules.items()

    def values(self) -> Any:
        """Return the modules."""
        return self._modules.values()

    def update(self, modules: Mapping[str, Module]) -> None:
        """Add the modules of a mapping, or of an iterable of pairs (key, module)."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleDict.update should be called with an iterable of key/value pairs, but got "
                f"{type(modules).__name__}"
            )
        for key, module in _pairs("ModuleDict", modules):
            self[key] = module


def _descriptions(lines):
    """What ``repr`` says of parameters, or of other things among them: (key, value, how to name the type) each."""
    descriptions = []
    for key, value, type_text in lines:
        if isinstance(value, Tensor):
            kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
            size = "x".join(map(str, value.size()))
            descriptions.append(f"  ({key}): {kind} containing: [{type_text(value)} of size {size}]")
        else:
            descriptions.append(f"  ({key}): Object of type: {type(value).__name__}")
    return "\n".join(descriptions)


def _as_parameter(value):
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


class ParameterList(Module):
    """A list whose parameters are registered; tensors become parameters, and other values are kept as they are.

    >>> import minigrad
    >>> len(list(minigrad.nn.ParameterList([minigrad.ones(2)]).parameters()))
    1
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        self += () if values is None else values

    def _name_at(self, index):
        index = operator.index(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range")
        return str(index % len(self))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.__class__([self[i] for i in range(*index.indices(len(self)))])
        return getattr(self, self._name_at(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        setattr(self, self._name_at(index), _as_parameter(value))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter(self[i] for i in range(len(self)))

    def __iadd__(self, values: Any) -> Any:
        return self.extend(values)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value: Any) -> Any:
        """Append a value; return the list."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values: Iterable[Any]) -> Any:
        """Append several values; return the list."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(
                f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}"
            )
        for value in values:
            self.append(value)
        return self

    def extra_repr(self) -> str:
        return _descriptions((i, value, lambda x: x.dtype) for i, value in enumerate(self))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dictionary whose parameters are registered; tensors become parameters, and other values are kept as they are.

    >>> import minigrad
    >>> list(minigrad.nn.ParameterDict({"a": minigrad.ones(2)}).keys())
    ['a']
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def _check_key(self, key):
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                f"'{type(key).__name__}'). Convert it with str()."
            )
        return key

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._check_key(key))

    def __setitem__(self, key: str, value: Any) -> None:
        setattr(self, self._check_key(key), _as_parameter(value))
        self._keys[key] = None

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, self._check_key(key))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._keys)

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def copy(self) -> Any:
        """Return a new dictionary with the same parameters."""
        return ParameterDict(OrderedDict(self.items()))

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return the value for ``key``, after setting it to ``default`` if it is missing."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Remove all values."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Remove the value under ``key``, and return it."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Remove the pair (key, value) that was added last, and return it."""
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value under ``key``, or ``default`` if there is none."""
        return self[key] if key in self._keys else default

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> Any:
        """Return a new dictionary with ``default`` under each of the keys."""
        return ParameterDict((key, default) for key in keys)

    def keys(self) -> Any:
        """Return the keys."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return the pairs (key, value)."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterable[Any]:
        """Return the values."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Add the values of a mapping (of a plain dict, in the order of its sorted keys), or of an iterable of pairs (key, value)."""
        if not isinstance(parameters, Iterable):
            raise TypeError(
                "ParametersDict.update should be called with an iterable of key/value pairs, but got "
                f"{type(parameters).__name__}"
            )
        pairs = _pairs("ParameterDict", parameters)
        if isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict):
            pairs = sorted(pairs)
        for key, value in pairs:
            self[key] = value

    def extra_repr(self) -> str:
        return _descriptions((key, value, _legacy_name) for key, value in self.items())

    def __call__(self, input: Tensor) -> Any:
        raise RuntimeError("ParameterDict should not be called.")

    def __or__(self, other: Any) -> Any:
        union = self.copy()
        union.update(other)
        return union

    def __ror__(self, other: Any) -> Any:
        union = other.copy()
        union.update(self)
        return union

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self


def _legacy_name(tensor):
    return tensor.type() if isinstance(tensor, Parameter) else _type_name(tensor)
