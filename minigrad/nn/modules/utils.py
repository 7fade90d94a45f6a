"""Sizes as tuples, what ``repr`` shows, and prefixes of ``state_dict`` keys."""

from collections.abc import Iterable
from itertools import repeat
from typing import Any

__all__ = ["consume_prefix_in_state_dict_if_present"]


def _ntuple(n, name="parse"):
    """A function that makes a tuple of ``n`` equal elements of whatever is no iterable."""

    def parse(x):
        return tuple(x) if isinstance(x, Iterable) else tuple(repeat(x, n))

    parse.__name__ = name
    return parse


_single, _pair, _triple, _quadruple = map(
    _ntuple, (1, 2, 3, 4), ("_single", "_pair", "_triple", "_quadruple")
)


def _reverse_repeat_tuple(t, n):
    """The elements from last to first, each ``n`` times: padding per side, as ``F.pad`` wants it."""
    return tuple(x for x in reversed(t) for _ in range(n))


def _list_with_default(out_size, defaults):
    """``out_size`` with the last of ``defaults`` in place of each None; raises ValueError if there are too few."""
    if isinstance(out_size, int):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    return [d if n is None else n for n, d in zip(out_size, defaults[-len(out_size) :])]


def _shown(module, names):
    """``name=value`` of each attribute in ``names``: what most modules' ``extra_repr`` is."""
    return ", ".join(f"{name}={getattr(module, name)}" for name in names.split())


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Remove ``prefix`` from the keys of a state dict that begin with it, in place.

    >>> state = {"module.weight": 1, "bias": 2}
    >>> from minigrad.nn.modules.utils import consume_prefix_in_state_dict_if_present
    >>> consume_prefix_in_state_dict_if_present(state, "module.")
    >>> sorted(state)
    ['bias', 'weight']
    """
    for key in list(state_dict):
        if key.startswith(prefix):
            state_dict[key[len(prefix) :]] = state_dict.pop(key)
    if hasattr(state_dict, "_metadata"):
        metadata = state_dict._metadata
        for key in list(metadata):  # of modules: "" is the root, and the prefix itself has lost its dot
            if key and (key == prefix.replace(".", "") or key.startswith(prefix)):
                metadata[key[len(prefix) :]] = metadata.pop(key)
