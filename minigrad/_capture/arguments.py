"""What a plan depends on that can be seen in a call: the look of its arguments, and which modes are on."""

from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import combinations
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from .._api import Tensor
from .._base import dtypes
from .._base.device import device
from .._base.pytree import tree_flatten
from .._core.families import fast_classes
from .._core.modes import reads_unusual_modes, thread_state
from .conditions import Lines

__all__ = ["flattened", "look", "matcher", "quick_look"]

unusual_modes = 0
reads_unusual_modes(globals())

_NUMBERS = frozenset({int, float, bool, str, complex, type(None)})
#: What is equal only if it is the same.
_BY_VALUE = (str, bytes, type, Enum, np.dtype, dtypes.dtype, device, BuiltinFunctionType)


def quick_look(args):
    """Like ``look``, for plain tensors that are all different, and numbers; None for others."""
    if len(args) > 1 and len({*map(id, args)}) < len(args):
        return None
    seen = [len(args), _modes() if unusual_modes else None]
    for x in args:
        if x.__class__ in fast_classes:
            a = x._array
            seen += (a.dtype, a.shape, a.strides, x.__class__, x._node is not None and x.requires_grad)
        elif x.__class__ in _NUMBERS:
            seen += (x.__class__, x if x and x == x and x.__class__ is not complex else repr(x))
        else:
            return None
    return seen


def matcher(args):
    """A function of arguments that returns the tensors among them if they look as ``args`` do, while no unusual mode is on; None if it cannot tell.

    None in the place of the function if what ``args`` look like takes more than a few comparisons.
    """
    if unusual_modes or not args:
        return None
    names = [f"a{i}" for i in range(len(args))]
    lines, terms = Lines("args"), []
    for name, x in zip(names, args):
        kind = lines.name(x.__class__)
        if x.__class__ in fast_classes:
            a = x._array
            needs = f"({name}._node is not None and {name}.requires_grad)"
            terms.append(
                f"{name}.__class__ is {kind} and {'' if x.requires_grad else 'not '}{needs} and (a := {name}._array).dtype is {lines.name(a.dtype)} and a.shape == {a.shape} and a.strides == {a.strides}"
            )
        elif x.__class__ in (int, bool, str) and x:
            terms.append(f"{name}.__class__ is {kind} and {name} == {x!r}")
        else:
            return None
    terms += [f"{a} is not {b}" for a, b in combinations(names, 2)]
    tensors = [name for name, x in zip(names, args) if x.__class__ in fast_classes]
    modes = f"{lines.name(globals())}['unusual_modes']"
    lines += [
        f"if len(args) == {len(args)} and not {modes}:",
        f"    {', '.join(names)}, = args",
        f"    if {' and '.join(terms)}: return ({', '.join(tensors)}{',' if tensors else ''})",
    ]
    return lines.function()


def look(leaves, spec):
    """What the leaves of a call's arguments look like, and how they are nested."""
    seen = [spec, _modes() if unusual_modes else None]
    for x in leaves:
        if isinstance(x, Tensor):
            a = x._array
            seen.append((type(x), x.dtype, a.shape, a.strides, x.requires_grad))
        else:
            seen.append((type(x), _value_of(x)))
    tensors = [id(x) for x in leaves if isinstance(x, Tensor)]
    if len(set(tensors)) != len(tensors):
        seen.append(repr([tensors.index(number) for number in tensors]))
    return seen


def _value_of(x):
    """What tells an argument that is no tensor from others: its value, or else which object it is."""
    if x.__class__ in _NUMBERS or isinstance(x, np.generic):
        return repr(x)  # 0.0 is not -0.0, and nan is nan
    if x.__class__ is slice:
        return _value_of(x.start), _value_of(x.stop), _value_of(x.step)
    return x if isinstance(x, _BY_VALUE) else id(x)


def _modes():
    return thread_state.recording, thread_state.inference


def flattened(tree: Any) -> Any:
    """The leaves of nested arguments, dataclasses among them, and how they are nested."""
    leaves, spec = tree_flatten(tree)
    if not any(is_dataclass(x) and not isinstance(x, type) for x in leaves):
        return leaves, spec
    found: list[Any] = []
    inner: list[Any] = []
    for x in leaves:
        if is_dataclass(x) and not isinstance(x, type):
            values, nested = flattened({each.name: getattr(x, each.name) for each in fields(x)})
            found += values
            inner.append((type(x), nested))
        else:
            found.append(x)
            inner.append(None)
    return found, (spec, tuple(inner))
