"""Sequences of tensors, which are lists, and values that may be missing, which are None then."""

from typing import Any

from ... import _api as mg
from ._values import ints, number


def SequenceConstruct(*inputs: Any) -> Any:
    return list(inputs)


def SequenceEmpty(*, dtype: int = 1) -> Any:
    return []


def SequenceLength(sequence: Any) -> Any:
    return mg.tensor(len(sequence))


def SequenceAt(sequence: Any, position: Any) -> Any:
    return sequence[int(number(position))]


def SequenceInsert(sequence: Any, tensor: Any, position: Any = None) -> Any:
    place = len(sequence) if position is None else int(number(position))
    if place < 0:
        place += len(sequence)
    return [*sequence[:place], tensor, *sequence[place:]]


def SequenceErase(sequence: Any, position: Any = None) -> Any:
    left = list(sequence)
    del left[-1 if position is None else int(number(position))]
    return left


def SequenceMap(sequence: Any, *others: Any, body: Any) -> Any:
    rows = [
        body(each, *(other[place] if isinstance(other, list) else other for other in others))
        for place, each in enumerate(sequence)
    ]
    return tuple(list(column) for column in zip(*rows))


def SplitToSequence(x: Any, split: Any = None, *, axis: int = 0, keepdims: int = 1) -> Any:
    if split is None:
        return [part if keepdims else part.squeeze(axis) for part in mg.split(x, 1, axis)]
    return list(mg.split(x, ints(split) if split.dim() else int(split.item()), axis))


def ConcatFromSequence(sequence: Any, *, axis: int, new_axis: int = 0) -> Any:
    return (mg.stack if new_axis else mg.cat)(sequence, axis)


def Optional(value: Any = None, *, type: Any = None) -> Any:
    return value


def OptionalHasElement(value: Any = None) -> Any:
    return mg.tensor(value is not None)


def OptionalGetElement(value: Any) -> Any:
    if value is None:
        raise ValueError("OptionalGetElement of a value that is missing")
    return value
