"""``instructions``: what the function of a plan does, line by line, as data: which arrays a call reads, which it writes, and which call has made what it reads."""

import ast
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.array_utils import byte_bounds

from .program import TAKING_OUT

__all__ = ["Buffer", "Instruction", "instructions"]


class Buffer(NamedTuple):
    """An array by its name in the source; shape and dtype are None where only a run knows them.  ``memory`` tells where it lies."""

    name: str
    shape: tuple[int, ...] | None
    dtype: str | None
    memory: tuple[int, int] | str


class Instruction(NamedTuple):
    """A call: ``operands`` has pairs of a buffer and the numbers of the instructions that have written what is there, none for what was there before the run."""

    text: str
    function: str
    part: str
    results: list[Buffer]
    operands: list[tuple[Buffer, list[int]]]


def instructions(plan: Any) -> tuple[list[Instruction], list[list[int]]]:
    """The calls of a plan in their order; and for each array that a run returns the numbers of those that have written it."""
    body = ast.parse(plan.source()).body[0].body  # type: ignore[attr-defined]
    makers, found, made = Makers(), [], {}

    def buffer(name):
        array = plan.bound.get(name)
        if isinstance(array, np.ndarray):
            return Buffer(name, array.shape, array.dtype.name, byte_bounds(array))
        return Buffer(name, *made.get(name, (None, None)), name)

    for line, (statement, (part, text)) in enumerate(zip(body, plan.lines_by_part()[1:])):
        if isinstance(statement, ast.Return):
            outputs = [_names(x) for x in getattr(statement.value, "elts", ())]
            return found, [makers.of(buffer(name)) for names in outputs for name in names[-1:]]
        call = statement.value
        function = call.func.id
        if function in ("empty", "empty_like"):
            name = statement.targets[0].id
            if function == "empty":
                made[name] = ast.literal_eval(call.args[0]), call.args[1].id
            else:
                made[name] = plan.bound[call.args[0].id].shape, plan.bound[call.args[0].id].dtype.name
            continue
        results, operands = _sides(statement, call, plan, line)
        operands = [(b, makers.of(b)) for b in map(buffer, operands)]
        results = [buffer(name) for name in results]
        for each in results:
            makers.add(each, len(found))
        found.append(Instruction(text.strip(), function, part, results, operands))
    return found, []


def _sides(statement, call, plan, line):
    """The names of the arrays that a statement writes, and of those that it reads."""
    args = [name for x in call.args for name in _names(x)]
    outs = [name for option in call.keywords if option.arg == "out" for name in _names(option.value)]
    args += [name for option in call.keywords if option.arg != "out" for name in _names(option.value)]
    args = [name for name in args if name not in plan.bound or isinstance(plan.bound[name], np.ndarray)]
    function = plan.bound[call.func.id]
    if isinstance(statement, ast.Assign):
        targets = [name for target in statement.targets for name in _names(target) if name != "_"]
        return targets + plan.writing.get(line, []), args
    if outs:
        return outs, args
    if isinstance(function, np.ufunc):
        return args[function.nin :], args[: function.nin]
    if function in TAKING_OUT:
        operands = TAKING_OUT[function]
        return args[operands:], args[:operands]
    if function is np.copyto:
        return args[:1], args[1:]
    filled = [*map(id, getattr(function, "fills", ()))]
    filling = [name for name, x in plan.bound.items() if id(x) in filled]
    return plan.writing.get(line, []) + filling, args


def _names(tree):
    return [x.id for x in ast.walk(tree) if isinstance(x, ast.Name)]


class Makers:
    """Which instructions have written what lies where."""

    def __init__(self):
        self._latest = {}  # name of a variable -> number
        self._places = []  # (first byte, last byte, number)

    def add(self, buffer, number):
        """An instruction has written a buffer."""
        if buffer.memory.__class__ is str:
            self._latest[buffer.memory] = number
        else:
            self._places.append((*buffer.memory, number))

    def of(self, buffer):
        """The numbers of those that have written what a buffer holds, the latest first."""
        if buffer.memory.__class__ is str:
            return [self._latest[buffer.memory]] if buffer.memory in self._latest else []
        found = []
        low, high = buffer.memory
        for start, end, number in reversed(self._places):
            if start < high and low < end:
                if number not in found:
                    found.append(number)
                if start <= low and high <= end:
                    break
        return found
