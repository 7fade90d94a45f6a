"""``rearrange``: a tensor's dimensions, named in a pattern, in another order, split and merged."""

import keyword
import math
import re
import warnings
from typing import Any

from .._core.tensor import Tensor
from .._ops.join import stack

__all__ = ["rearrange"]

_ELLIPSIS = "\u2026"


class DimensionBindError(Exception):
    """Lengths that do not fit a pattern."""


def rearrange(tensor: Any, pattern: Any, **axes_lengths: int) -> Tensor:
    """Rearrange the dimensions of ``tensor`` (or of several of one shape, stacked) as ``pattern`` says, such as "b (h w) c -> b c h w".

    Names in parentheses are one dimension: on the left side, all their lengths but one must be given by keyword.  ``...`` stands for any number of dimensions,
    1 and ``()`` for one of length 1.  Raises ValueError for a pattern that makes no sense or does not fit.

    >>> import minigrad
    >>> minigrad.func.rearrange(minigrad.arange(6), "(a b) -> b a", a=2)
    tensor([[0, 3],
            [1, 4],
            [2, 5]])
    """
    if not isinstance(tensor, Tensor):
        tensor = stack(tensor)
    left, right = sides(pattern, axes_lengths)
    names, unnamed = located(left, tensor.dim())
    if not names:
        return tensor
    if unnamed:
        tensor = tensor.sum(unnamed)  # of one element, if the pattern is right
        names = [group for group in names if group]
    lengths = {}
    for first, (group, size) in enumerate(zip(names, tensor.shape)):
        lengths.update(parts(group, size, axes_lengths, first))
    order = list(lengths)
    tensor = tensor.reshape(list(lengths.values()))
    through = [name for name in order if name[0] == _ELLIPSIS]
    right = [
        group for item in right for group in ([[name] for name in through] if item == _ELLIPSIS else [item])
    ]
    right = [[n for name in group for n in (through if name == _ELLIPSIS else (name,))] for group in right]
    tensor = tensor.permute([order.index(name) for group in right for name in group])
    return tensor.reshape([math.prod([lengths[name] for name in group]) for group in right])


def sides(pattern: Any, lengths: Any) -> Any:
    """Return the two sides of a pattern: lists with, for each dimension, the list of its names; ``_ELLIPSIS`` for ``...``."""
    if pattern.count("->") != 1:
        raise ValueError("Pattern must contain a single '->' separator")
    if _ELLIPSIS in lengths:
        raise ValueError(f"'{_ELLIPSIS}' is not an allowed axis identifier")
    left, right = [parsed(side) for side in pattern.split("->")]
    left_names, right_names = [{name for group in side for name in group} for side in (left, right)]
    if _ELLIPSIS in right_names - left_names:
        raise ValueError(f"Ellipsis found in right side, but not left side of a pattern {pattern}")
    if _ELLIPSIS in left_names and _ELLIPSIS not in left:
        raise ValueError(f"Ellipsis is parenthesis in the left side is not allowed: {pattern}")
    for length in lengths.values():
        if type(length) is not int:
            raise TypeError(f"rearrange axis lengths must be integers, got: {type(length)}")
    if any(name.isdecimal() for name in left_names | right_names):
        raise ValueError("rearrange only supports unnamed axes of size 1")
    if left_names != right_names:
        raise ValueError(
            f"Identifiers only on one side of rearrange expression (should be on both): {left_names ^ right_names}"
        )
    if lengths.keys() - left_names:
        raise ValueError(f"Identifiers not found in rearrange expression: {lengths.keys() - left_names}")
    return left, right


def parsed(side: Any) -> Any:
    """Return one side of a pattern; raises ValueError if the argument is not a list of names, with some in parentheses."""
    if "." in side:
        if "..." not in side:
            raise ValueError("Expression may contain dots only inside ellipsis (...)")
        if side.count("...") != 1 or side.count(".") != 3:
            raise ValueError(
                "Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor "
            )
        side = side.replace("...", _ELLIPSIS)
    groups, seen = [], set()
    group: Any = None
    for word in re.findall(rf"[\w{_ELLIPSIS}]+|[^ ]", side):
        if word == "(":
            if group is not None:
                raise ValueError("Axis composition is one-level (brackets inside brackets not allowed)")
            group = []
        elif word == ")":
            if group is None:
                raise ValueError("Brackets are not balanced")
            groups.append(group)
            group = None
        else:
            names = [] if word == "1" else [checked(word, seen)]
            if group is not None:
                group.extend(names)
            else:
                groups.append(_ELLIPSIS if word == _ELLIPSIS else names)
    if group is not None:
        raise ValueError(f"Imbalanced parentheses in expression: '{side}'")
    return groups


def checked(name: str, seen: Any) -> Any:
    """Return a name; raises ValueError if it cannot be one, or is in ``seen`` already."""
    if not re.fullmatch(rf"\w+|{_ELLIPSIS}", name):
        raise ValueError(f"Unknown character '{name[0]}'")
    if name in seen:
        raise ValueError(f"Indexing expression contains duplicate dimension '{name}'")
    seen.add(name)
    if name == _ELLIPSIS:
        return name
    if name.isdecimal():
        if int(name) == 0:
            raise ValueError("Anonymous axis should have positive length, not 0")
        return name
    if not name.isidentifier():
        raise ValueError(f"Invalid axis identifier: {name}\nnot a valid python identifier")
    if name[0] == "_" or name[-1] == "_":
        raise ValueError(
            f"Invalid axis identifier: {name}\naxis name should should not start or end with underscore"
        )
    if keyword.iskeyword(name):
        warnings.warn(
            f"It is discouraged to use axes names that are keywords: {name}", RuntimeWarning, stacklevel=5
        )
    return name


def located(left: Any, ndim: Any) -> Any:
    """(the names of each of the tensor's dimensions, which of these are unnamed); raises ValueError if their number does not fit."""
    unnamed = sum(not group for group in left)
    if _ELLIPSIS not in left:
        if len(left) != ndim:
            raise ValueError(
                f"Number of dimensions in pattern ({len(left)}) must be equal to the number of dimensions in the tensor ({ndim})"
            )
        names = left
    else:
        least = unnamed + sum(len(group) for group in left if group != _ELLIPSIS)
        if least > ndim:
            raise ValueError(
                f"Number of dimensions in pattern ({least}) must be less than or equal to the number of dimensions in the tensor ({ndim})"
            )
        at = left.index(_ELLIPSIS)
        through = [[f"{_ELLIPSIS}{k}"] for k in range(ndim - len(left) + 1)]
        names = [*left[:at], *through, *left[at + 1 :]]
    return names, tuple([k for k, group in enumerate(names) if not group])


def parts(names: Any, size: Any, given: Any, first: Any) -> Any:
    """Return the lengths of the names of one dimension, of length ``size``; raises DimensionBindError unless they are known and fit."""
    lengths = {name: given.get(name) for name in names}
    unknown = [name for name in names if lengths[name] is None]
    pack = [f"d{first + k}" for k in range(len(names))]
    known = math.prod([length for length in lengths.values() if length is not None])
    if len(unknown) > 1:
        a, b = [pack[names.index(name)] for name in unknown[:2]]
        raise DimensionBindError(f"cannot infer the sizes of two dimensions at once {a} and {b}")
    if unknown:
        if not known or size % known:
            shown = tuple(["?" if length is None else length for length in lengths.values()])
            raise DimensionBindError(
                f"inferred dimension does not evenly fit into larger dimension: {size} vs {shown}"
            )
        lengths[unknown[0]] = size // known
    elif known != size:
        shown = f"({', '.join(pack)}{',' if len(pack) == 1 else ''})"  # type: ignore[assignment]
        raise DimensionBindError(
            f"Dimension sizes to do not match ({size} != {known}) when matching dimension pack {shown}"
        )
    return lengths
