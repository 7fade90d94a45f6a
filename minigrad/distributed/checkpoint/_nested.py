"""Nested states as flat ones, and back: ``{"model": {"weight": w}}`` is stored under the name ``model.weight``.

Mappings are taken apart, and so are lists in which there are tensors, or mappings, somewhere; tuples, and lists of numbers, are values.
"""

import itertools
from collections.abc import Mapping
from typing import Any

from ..._api import Tensor


def flatten(state: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, tuple[Any, ...]]]:
    """Name -> value, and name -> the keys that lead to it; raises ValueError if two of them would have one name."""
    flat: dict[str, Any] = {}
    paths: dict[str, tuple[Any, ...]] = {}
    for path, value in _leaves((), state):
        name = ".".join(map(str, path))
        if name in flat:
            raise ValueError(f"duplicated flatten key {name}")
        flat[name], paths[name] = value, path
    return flat, paths


def _leaves(path, value):
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves((*path, str(key)), part)
    elif _has_parts(value):
        for number, part in enumerate(value):
            yield from _leaves((*path, number), part)
    else:
        yield path, value


def _has_parts(value):
    """Whether it is a list whose elements are stored one by one."""
    return isinstance(value, list) and any(
        isinstance(part, (Tensor, Mapping)) or _has_parts(part) for part in value
    )


def set_at(state: Any, path: tuple[Any, ...], value: Any) -> None:
    """Put a value where the keys lead; mappings and lists on the way are made as need be."""
    for key, following in itertools.pairwise(path):
        _make_room(state, key)
        held = state.get(key) if isinstance(state, Mapping) else state[key]
        if held is None:
            held = state[key] = [] if isinstance(following, int) else {}
        state = held
    _make_room(state, path[-1])
    state[path[-1]] = value


def _make_room(state, key):
    if isinstance(state, list):
        state.extend([None] * (key + 1 - len(state)))
