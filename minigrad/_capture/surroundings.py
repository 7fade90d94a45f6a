"""``Surroundings``: what of the program around it a step can read without being handed it.

It is found by the names in the step's code and in that of the functions it reaches: variables of closures, globals, attributes of objects, elements of lists and dicts.  Tensors among it are followed;
everything else is watched: a plan fits as long as it is the same, and a step that changes it cannot be captured.  (``compile`` is stricter, as nobody has promised it anything: see ``KeptState``.)
"""

import io
import operator
import os
import random
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from .._core.tensor import Tensor
from ..autograd import Function
from ..nn import Module
from ..optim import Optimizer
from ..optim.lr_scheduler import LRScheduler
from .methods import Steps

__all__ = ["GONE", "Surroundings", "is_same"]

#: More objects than these are not looked at.
_MOST = 10_000
#: Of longer lists and dicts only the length is watched.
_LONG = 1000
#: A larger NumPy array, in bytes, is not watched but refused.
_LARGE = 1 << 16

_VALUES = frozenset({int, float, complex, str, bytes, bool, type(None), type(...), range})
_INSTALLED = tuple(f"{os.sep}{folder}{os.sep}" for folder in ("site-packages", "dist-packages"))
_LIBRARY = frozenset({"minigrad", "torch", "numpy", *sys.stdlib_module_names})
#: What every module has; what is added to it is counted.
_OF_MODULES = frozenset(vars(Module()))
#: Names with which a program reads attributes that it does not spell out.
_BY_STRINGS = frozenset(
    {"getattr", "vars", "__dict__", "attrgetter", "asdict", "astuple", "fields", "replace"}
)


def is_same(a, b):
    """Whether two values are the same object, or the same number, text, or tuple of what is the same."""
    if a is b:
        return True
    if a.__class__ is not b.__class__:
        return False
    if isinstance(a, tuple) and not hasattr(a, "__dict__"):
        return len(a) == len(b) and all(map(is_same, a, b))
    if isinstance(a, np.generic):
        return a.dtype == b.dtype and a.tobytes() == b.tobytes()
    if a.__class__ is float or a.__class__ is complex:
        return repr(a) == repr(b)  # 0.0 is not -0.0, and nan is nan
    return a.__class__ in _VALUES and a == b


class Surroundings:
    """What ``roots``, functions and other objects, can get at: ``tensors``, ``modules``, ``optimizers``, and all else as it is now."""

    def __init__(self, *roots):
        names: set[str] = set()
        self._own = {_package(getattr(root, "__module__", "")) for root in roots} - _LIBRARY
        while True:  # until no function is found that names anything new
            self.names, before = names, len(names)
            self.tensors: list[Any] = []
            self.modules: list[Any] = []
            self.optimizers: list[Any] = []
            self.unwatched: str | None = None  # what of it can neither be followed nor watched
            self._values: list[
                Any
            ] = []  # ("item" or "attribute", of what, which, its value, where that is in words)
            self._sequences: list[Any] = []  # (container, its elements or keys; of a long one how many)
            self._arrays: list[Any] = []  # (array, its bytes)
            self._streams: list[
                Any
            ] = []  # (function, the state that it returns, of random numbers or an iterator)
            self._walk(roots)
            if len(names) == before:
                break
        self._streams.append((random.getstate, random.getstate()))
        if "numpy.random" in sys.modules:
            get = partial(np.random.get_state, legacy=False)
            self._streams.append((get, repr(get())))

    # Whether it is as it was ------------------------------------------------------------------------------------------------------

    def unchanged(self):
        """Whether all is as it was, but for the states of random numbers."""
        try:
            return (
                all(is_same(_read(kind, holder, key), value) for kind, holder, key, value, _ in self._values)
                and all(_has_elements(container, elements) for container, elements in self._sequences)
                and all(array.tobytes() == content for array, content in self._arrays)
            )
        except GONE:
            return False

    def terms(self, conditions):
        """Add the same to ``conditions``, objects taken for the same only if they are identical."""
        for kind, holder, key, value, _ in self._values:
            holder, value = conditions.name(holder), conditions.name(value)
            if kind == "item":
                conditions.terms.append(f"{holder}[{conditions.name(key)}] is {value}")
            else:
                conditions.terms.append(f"{holder}.{key} is {value}")
        for container, elements in self._sequences:
            name = conditions.name(container)
            if container.__class__ is list and len(elements) <= 16:
                conditions.terms.append(f"len({name}) == {len(elements)}")
                conditions.terms += [f"{name}[{i}] is {conditions.name(x)}" for i, x in enumerate(elements)]
            else:
                conditions.terms.append(
                    f"{conditions.name(_has_elements)}({name}, {conditions.name(elements)})"
                )
        for array, content in self._arrays:
            conditions.terms.append(f"{conditions.name(array)}.tobytes() == {conditions.name(content)}")

    def change(self):
        """What has changed, in words; None if nothing has."""
        for kind, holder, key, value, where in self._values:
            try:
                now = _read(kind, holder, key)
            except GONE:
                return f"it deletes {_told(key)} {where}"
            if not is_same(now, value):
                told = f" from {value!r} to {now!r}" if {type(value), type(now)} <= _VALUES else ""
                return f"it changes {_told(key)} {where}{told}"
        for container, elements in self._sequences:
            if not _has_elements(container, elements):
                return (
                    f"it changes what is in a {type(container).__name__}, of which there were {len(elements)}"
                )
        for array, content in self._arrays:
            if array.tobytes() != content:
                return f"it changes a NumPy array of shape {array.shape}"
        for function, state in self._streams:
            now = function()
            if (now if isinstance(now, tuple) else repr(now)) != state:
                return "it draws random numbers that are not minigrad's, or reads from an iterator"
        return None

    def __len__(self):
        return len(self._values) + len(self._sequences) + len(self._arrays)

    # Finding it -------------------------------------------------------------------------------------------------------------------

    def _walk(self, roots):
        seen, pending = {}, [*roots]
        while pending and len(seen) < _MOST:
            x = pending.pop()
            if id(x) in seen or x.__class__ in _VALUES:
                continue
            seen[id(x)] = x  # alive, so that no other gets its id
            found = self._inside(x)
            if found:
                pending += found

    def _inside(self, x):
        """What is to be looked at inside an object."""
        if isinstance(x, Tensor):
            self.tensors.append(x)
        elif isinstance(x, FunctionType):
            return self._of_function(x)
        elif isinstance(x, MethodType):
            return [x.__func__, x.__self__]
        elif isinstance(x, (staticmethod, classmethod)):
            return [x.__func__]
        elif isinstance(x, property):
            return [x.fget, x.fset]
        elif isinstance(x, partial):
            return [x.func, x.args, x.keywords]
        elif isinstance(x, (list, tuple, set, frozenset, deque)):
            return self._elements(x)
        elif isinstance(x, Steps):
            return []
        elif isinstance(x, dict):
            return (
                [*self._elements(x), *self._items(x, x, "in a dict")]
                if len(x) <= _LONG
                else self._elements(x)
            )
        elif isinstance(x, ModuleType):
            if not self._is_foreign(x.__name__):
                return self._items(vars(x), self.names, f"of the module {x.__name__}")
        elif isinstance(x, type):
            return self._of_class(x)
        elif isinstance(x, np.ndarray):
            if x.nbytes > _LARGE:
                self.unwatched = (
                    f"it can read a NumPy array of {x.nbytes:,} bytes, which may change; make a tensor of it"
                )
            else:
                self._arrays.append((x, x.tobytes()))
        elif isinstance(x, random.Random):
            self._streams.append((x.getstate, x.getstate()))
        elif type(x).__module__.startswith("numpy.random"):
            generator = getattr(x, "bit_generator", None) or x._bit_generator  # of an old RandomState
            self._streams.append((lambda: generator.state, repr(generator.state)))
        elif isinstance(x, Optimizer):
            return self._of_optimizer(x)
        elif isinstance(x, LRScheduler):
            if "get_last_lr" in self.names or "_last_lr" in self.names:
                return self._items(vars(x), ("_last_lr", "last_epoch"), f"of a {type(x).__name__}")
        elif isinstance(x, Module):
            return self._of_module(x)
        elif isinstance(x, Iterator) and hasattr(x, "__length_hint__"):
            self._streams.append((x.__length_hint__, repr(x.__length_hint__())))
        elif isinstance(x, io.IOBase):
            return []
        else:
            return self._of_object(x)
        return []

    def _is_foreign(self, module):
        """Whether a module is no part of the program: of the installed packages only that is which the step belongs to."""
        package = _package(module)
        return package not in self._own and _is_installed(package)

    def _value(self, kind, holder, key, where):
        value = _read(kind, holder, key)
        self._values.append((kind, holder, key, value, where))
        return value

    def _items(self, mapping, names, where):
        """The values of some of a mapping's keys, all of them watched."""
        return [self._value("item", mapping, name, where) for name in names if name in mapping]

    def _elements(self, container):
        if len(container) > _LONG:
            self._sequences.append((container, len(container)))
            return []
        elements = tuple(container)
        if not isinstance(container, (tuple, frozenset)):
            self._sequences.append((container, elements))
        return elements

    def _of_function(self, function):
        """What a function of the program has at hand; those of libraries are taken to have nothing that changes."""
        if self._is_foreign(function.__module__):
            return []
        code = function.__code__
        self.names |= (names := _names_in(code))
        found = self._items(function.__globals__, names, "among the globals")
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            with suppress(ValueError):  # it may have no value yet
                found.append(self._value("attribute", cell, "cell_contents", name))
        for x in found:
            if isinstance(x, Iterator) and type(x).__module__ in ("builtins", "itertools"):
                self.unwatched = (
                    f"it can read from a {type(x).__name__}; hand over what that gives as an argument"
                )
        return [*found, function.__defaults__, function.__kwdefaults__]

    def _of_class(self, cls):
        """The attributes of a program's class that are named; of a class that the library calls by names of its own, all functions."""
        found = []
        for base in cls.__mro__:
            if not self._is_foreign(base.__module__):
                called = [
                    name
                    for name, value in vars(base).items()
                    if isinstance(value, (FunctionType, staticmethod, classmethod, property))
                    and (issubclass(base, (Module, Function)) or name.startswith("__"))
                ]
                found += self._items(vars(base), {*self.names, *called}, f"of the class {base.__name__}")
        return found

    def _of_object(self, x):
        state = getattr(x, "__dict__", None)
        if type(x).__module__.startswith(f"{__package__}."):  # a captured step, maybe this one
            return [(state or {}).get("__wrapped__")]
        names = state if state and _BY_STRINGS & self.names else self.names
        where = f"of a {type(x).__name__}"
        found = [] if state is None else [*self._items(state, names, where), state.get("__wrapped__")]
        for base in type(x).__mro__:
            slots = vars(base).get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if name in self.names and hasattr(x, name):
                    found.append(self._value("attribute", x, name, where))
        return [*found, type(x)]

    def _of_module(self, x):
        """The parts of a module; what is set on it besides is watched for all modules that are called."""
        self.modules.append(x)
        found = [type(x)]
        for name, value in vars(x).items():
            if name in ("_parameters", "_buffers", "_modules"):
                found += self._items(value, value, f"of a {type(x).__name__}")
            elif name.endswith("_hooks"):
                found += value.values()
            elif name not in _OF_MODULES:
                found.append(value)
        return found

    def _of_optimizer(self, x):
        """The groups of an optimizer, and the program's own attributes; options only if they are read besides by the optimizer itself."""
        self.optimizers.append(x)
        groups = x.param_groups
        self._value("item", vars(x), "param_groups", f"of a {type(x).__name__}")
        self._sequences.append((groups, tuple(groups)))
        for group in groups:
            self._value("item", group, "params", "in a group of an optimizer")
            self._sequences.append((group["params"], tuple(group["params"])))
        found = [p for group in groups for p in group["params"]]
        if "param_groups" in self.names:
            found += [
                value
                for group in groups
                for value in self._items(group, group, f"in a group of {type(x).__name__}")
            ]
        return [*found, type(x)]


def _read(kind, holder, key):
    return holder[key] if kind == "item" else getattr(holder, key)


#: What is raised where something is there no more: an item, an attribute, the value of a variable; or is changed meanwhile by another thread.
GONE = (KeyError, AttributeError, ValueError, RuntimeError)


def _has_elements(container, elements):
    if elements.__class__ is int:
        return len(container) == elements
    return len(container) == len(elements) and all(map(operator.is_, container, elements))


def _told(key):
    return "the variable" if key == "cell_contents" else key


def _names_in(code):
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names_in(constant)
    return names


def _package(name):
    return (name or "").partition(".")[0]


@cache
def _is_installed(package):
    """Whether a package is Python's, NumPy's or the library's, or was installed beside them."""
    if package in _LIBRARY:
        return True
    return any(folder in (getattr(sys.modules.get(package), "__file__", None) or "") for folder in _INSTALLED)
