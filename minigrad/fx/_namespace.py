"""Names that are free: each node has one of its own, and none that Python or the generated code needs for something else."""

import builtins
import functools
import keyword
import math
import re
import sys
from typing import Any, NamedTuple

from .._api import device
from ..utils import _pytree
from . import _pytree as _fx_pytree

_VALID = re.compile(r"^([a-zA-Z_][0-9a-zA-Z_]*?)(?:_(\d+))?$")
_ILLEGAL = re.compile("[^0-9a-zA-Z_]+")
_CAMEL = re.compile(r"(?<=[a-z])([A-Z])")


class _CustomBuiltin(NamedTuple):
    """A global that all generated code has, and the statement that imports it."""

    import_str: str
    obj: object


def _custom():
    package = sys.modules[__name__.partition(".")[0]]
    return {
        "inf": _CustomBuiltin("from math import inf", math.inf),
        "nan": _CustomBuiltin("from math import nan", math.nan),
        "NoneType": _CustomBuiltin("NoneType = type(None)", type(None)),
        "torch": _CustomBuiltin("import minigrad as torch", package),
        "device": _CustomBuiltin("from minigrad import device", device),
        "fx_pytree": _CustomBuiltin("import minigrad.fx._pytree as fx_pytree", _fx_pytree),
        "pytree": _CustomBuiltin("import minigrad.utils._pytree as pytree", _pytree),
    }


@functools.cache
def custom_builtins():
    """Name -> what all generated code has as a global under it, and how it is imported."""
    return _custom()


@functools.cache
def _taken():
    """Name -> the one object that may have it, of all the names that mean something already."""
    return {
        **{word: object() for word in keyword.kwlist},
        **vars(builtins),
        **{name: builtin.obj for name, builtin in custom_builtins().items()},
    }


def snake_case(text: Any) -> Any:
    """``MaxPool`` as ``max_pool``.

    >>> from minigrad.fx._namespace import snake_case
    >>> snake_case("MaxPool"), snake_case("ALL_CAPS")
    ('max_pool', 'all_caps')
    """
    return _CAMEL.sub(r"_\1", text).lower()


class Namespace:
    """Gives each object one name, and no two the same."""

    def __init__(self):
        self._obj_to_name = {}
        self._used_names = set()
        self._counts = {}  # the last number that a base name got

    def create_name(self, candidate, obj):
        """A free name that is like ``candidate``, for ``obj`` if it is not None: which keeps the name that it has."""
        if obj is not None and obj in self._obj_to_name:
            return self._obj_to_name[obj]
        match = _VALID.match(candidate)
        if match is None:
            candidate = _ILLEGAL.sub("_", candidate) or "_unnamed"
            if candidate[0].isdigit():
                candidate = f"_{candidate}"
            match = _VALID.match(candidate)
        base, digits = match.groups()
        if digits is not None and candidate not in self._used_names:
            number = int(digits)
        else:
            number = self._counts.get(base, 0)
            if _taken().get(candidate, obj) is not obj:
                number += 1
                candidate = f"{base}_{number}"
        while candidate in self._used_names:
            number += 1
            candidate = f"{base}_{number}"
        self._used_names.add(candidate)
        self._counts[base] = number
        if obj is not None:
            self._obj_to_name[obj] = candidate
        return candidate

    def associate_name_with_obj(self, name, obj):
        """Let ``obj``, which has no name yet, have this one."""
        if self._obj_to_name.setdefault(obj, name) is not name:
            raise AssertionError("obj is already associated")

    def _rename_object(self, obj, name):
        if obj not in self._obj_to_name:
            raise AssertionError(f"Object {obj} is not in _obj_to_name")
        self._obj_to_name[obj] = name
        self._used_names.add(name)
