"""``TrackedInt`` and ``TrackedFloat``: sizes that a program reads, which remember how it computes with them, and note what it decides by them.

A program is run on real sizes. ``if x.shape[0] > 100`` is False for five rows, and no recording with eight rows tells that there is another side: what was compared says
which sizes are worth a recording.
"""

import functools
import math
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

_range = range  # of which ``heard_range`` takes the place
_PACKAGE = __name__.partition(".")[0]
_OWN = frozenset((__name__, f"{_PACKAGE}._base.size"))
_MOST_PARTS = 50  # the sizes below it that are tried of a dimension that is cut into so many parts


class Place(NamedTuple):
    """The line of a program where it does something with a number, and how often it has been there."""

    file: str
    line: int
    instruction: int
    text: str
    visit: int
    module: str


class Decision(NamedTuple):
    """Two numbers that a program has compared; or a number that it has divided by another, rounding, of which ``period`` is the absolute value."""

    place: Place
    one: Any
    other: Any
    period: Any
    text: str

    @property
    def gap(self) -> Fraction:
        """The difference of the two."""
        return Fraction(ordinary(self.one)) - Fraction(ordinary(self.other))


class Loss(NamedTuple):
    """A number that a program has taken to where it is not followed: what it decides by it there is not known."""

    place: Place
    value: Any
    text: str
    looked_up: bool  # in a dict or a set, in which any number may be another case


class Decisions:
    """What a program decides by sizes, in order, and the numbers that are lost sight of; ``found`` and ``lost`` grow while ``open``."""

    def __init__(self) -> None:
        self.found: list[Decision] = []
        self.lost: list[Loss] = []
        self.open = True
        self._visits: dict[Any, int] = {}

    def note(self, one: Any, other: Any, text: str, period: Any = None) -> None:
        """Remember a decision."""
        if not self.open:
            return
        words = f"{ordinary(one)} {text}" + (f" {ordinary(other)}" if period is None else "")
        self.found.append(Decision(self._place(text), one, other, period, words))

    def note_parts(self, size: Any, number: int, of_one_size: bool) -> None:
        """Remember that a dimension is cut into parts of one size; or into so many parts, of which small sizes have fewer."""
        if not self.open or number < 1:
            return
        if of_one_size:
            text = f"is cut into parts of {number}"
            place = self._place(text, outside=True)
            self.found.append(Decision(place, size, 0, number, f"{ordinary(size)} {text}"))
            return
        for small in _range(1, min(number * (number - 1), _MOST_PARTS)):
            if -(-small // -(-small // number)) < number:
                text = f"is cut into {number} parts, and {small} is not"
                place = self._place(text, outside=True)
                self.found.append(Decision(place, size, small, None, f"{ordinary(size)} {text}"))

    def note_lost(self, number: Any, text: str, looked_up: bool = False) -> None:
        """Remember a number that becomes an ordinary one; not of what this package does with it, which is the same for all sizes."""
        if not self.open:
            return
        place = self._place(text)
        if not _is_own(place.module, package=True):
            value = ordinary(number)
            self.lost.append(Loss(place, value, f"{value!r} {text}", looked_up))

    def _place(self, text: str, outside: bool = False) -> Any:
        """Where the program is, ``outside`` of this package, and how often it has been there."""
        frame = sys._getframe(2)
        while frame.f_back is not None and _is_own(str(frame.f_globals.get("__name__")), outside):
            frame = frame.f_back
        at = frame.f_code, frame.f_lasti, text
        self._visits[at] = count = self._visits.get(at, 0) + 1
        # made code has another number each time: <eval_with_key>.7
        file = frame.f_code.co_filename
        file = file.partition(".")[0] if file[:1] == "<" else file
        module = str(frame.f_globals.get("__name__"))
        return Place(file, frame.f_lineno, frame.f_lasti, text, count, module)


def _is_own(module: str, package: bool) -> bool:
    """Whether a module is one of those that follow numbers; or any of the package."""
    return module.partition(".")[0] == _PACKAGE if package else module in _OWN


def ordinary(value: Any) -> Any:
    """Nested values with ordinary numbers in the place of tracked ones; the value itself if there are none."""
    if isinstance(value, TrackedInt):
        return int.__int__(value)
    if isinstance(value, TrackedFloat):
        return float.__float__(value)
    if isinstance(value, (tuple, list)):
        parts = [ordinary(x) for x in value]
        if all(a is b for a, b in zip(parts, value)):
            return value
        if hasattr(value, "_fields"):
            return type(value)(*parts)
        return type(value)(parts)
    if isinstance(value, dict):
        found = {key: ordinary(x) for key, x in value.items()}
        return value if all(found[key] is x for key, x in value.items()) else found
    if isinstance(value, slice):
        return slice(ordinary(value.start), ordinary(value.stop), ordinary(value.step))
    return value


class _Tracked:
    """What both kinds of numbers do: ``expression`` says how the number came to be, ``decisions`` hears what is decided by it."""

    expression: Any
    decisions: Decisions

    def __new__(cls, value: Any, expression: Any, decisions: Decisions) -> Any:
        self = super().__new__(cls, value)  # type: ignore[call-arg]  # of int or of float
        self.expression, self.decisions = expression, decisions
        return self

    def _made(self, value: Any, expression: Any) -> Any:
        """A result: tracked again if it is an int or a float."""
        kind = {int: TrackedInt, float: TrackedFloat}.get(type(value))
        return value if kind is None else kind(value, expression, self.decisions)

    def _with(self, operation: str, other: Any, compute: Callable[[Any, Any], Any], swapped: bool) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        one, two = (other, self) if swapped else (self, other)
        if operation in ("FloorDiv", "Mod") and ordinary(two):
            self._rounds(one, two)
        return self._made(compute(ordinary(one), ordinary(two)), (operation, one, two))

    def _rounds(self, one: Any, by: Any) -> None:
        """Note that a number is rounded to a multiple of another."""
        if not isinstance(by, _Tracked):
            self.decisions.note(one, 0, f"is rounded to a multiple of {ordinary(by)}", abs(by))

    def _compared(self, other: Any, text: str, compute: Callable[[Any, Any], Any]) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        self.decisions.note(self, other, text)
        return compute(ordinary(self), ordinary(other))

    def __add__(self, other: Any) -> Any:
        return self._with("Add", other, lambda a, b: a + b, False)

    def __radd__(self, other: Any) -> Any:
        return self._with("Add", other, lambda a, b: a + b, True)

    def __sub__(self, other: Any) -> Any:
        return self._with("Sub", other, lambda a, b: a - b, False)

    def __rsub__(self, other: Any) -> Any:
        return self._with("Sub", other, lambda a, b: a - b, True)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, (str, bytes, tuple, list)):
            return other * ordinary(self)
        return self._with("Mul", other, lambda a, b: a * b, False)

    def __rmul__(self, other: Any) -> Any:
        if isinstance(other, (str, bytes, tuple, list)):
            return other * ordinary(self)
        return self._with("Mul", other, lambda a, b: a * b, True)

    def __truediv__(self, other: Any) -> Any:
        return self._with("Div", other, lambda a, b: a / b, False)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with("Div", other, lambda a, b: a / b, True)

    def __floordiv__(self, other: Any) -> Any:
        return self._with("FloorDiv", other, lambda a, b: a // b, False)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._with("FloorDiv", other, lambda a, b: a // b, True)

    def __mod__(self, other: Any) -> Any:
        return self._with("Mod", other, lambda a, b: a % b, False)

    def __rmod__(self, other: Any) -> Any:
        return (
            other % ordinary(self)
            if isinstance(other, str)
            else self._with("Mod", other, lambda a, b: a % b, True)
        )

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        if modulo is not None:
            return pow(ordinary(self), ordinary(other), modulo)
        return self._with("Pow", other, lambda a, b: a**b, False)

    def __rpow__(self, other: Any, modulo: Any = None) -> Any:
        return self._with("Pow", other, lambda a, b: a**b, True)

    def __neg__(self) -> Any:
        return self._made(-ordinary(self), ("Sub", 0, self))

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __eq__(self, other: object) -> Any:
        return self._compared(other, "==", lambda a, b: a == b)

    def __ne__(self, other: object) -> Any:
        return self._compared(other, "!=", lambda a, b: a != b)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, "<", lambda a, b: a < b)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, "<=", lambda a, b: a <= b)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, ">", lambda a, b: a > b)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, ">=", lambda a, b: a >= b)

    def __bool__(self) -> bool:
        self.decisions.note(self, 0, "!=")
        return bool(ordinary(self))

    def __hash__(self) -> int:
        self.decisions.note_lost(self, "is looked up", looked_up=True)
        return hash(ordinary(self))

    def __str__(self) -> str:
        self.decisions.note_lost(self, "becomes text")
        return str(ordinary(self))

    def __format__(self, spec: str) -> str:
        self.decisions.note_lost(self, "becomes text")
        return format(ordinary(self), spec)

    def __int__(self) -> int:
        self.decisions.note_lost(self, "becomes an int")
        return int(ordinary(self))

    def __float__(self) -> float:
        self.decisions.note_lost(self, "becomes a float")
        return float(ordinary(self))

    def __copy__(self) -> Any:
        return ordinary(self)

    def __deepcopy__(self, memo: Any) -> Any:
        return ordinary(self)

    def __reduce__(self) -> Any:
        return type(ordinary(self)), (ordinary(self),)


class TrackedInt(_Tracked, int):
    """An int that a program has read as a size, or has computed of some."""

    def __lshift__(self, other: Any) -> Any:
        return self * 2 ** ordinary(other)

    def __rshift__(self, other: Any) -> Any:
        return self // 2 ** ordinary(other)

    def __and__(self, other: Any) -> Any:
        low = ordinary(other)
        if isinstance(low, int) and low >= 0 and not low & (low + 1):  # the last bits
            return self % (low + 1)
        return int.__and__(ordinary(self), low)

    def __floor__(self) -> Any:
        return self

    def __ceil__(self) -> Any:
        return self

    def __round__(self, digits: Any = None) -> Any:
        return self if digits is None or digits >= 0 else round(ordinary(self), digits)

    def bit_length(self) -> int:
        """The number of bits, an ordinary number; the next power of two is where it is another."""
        self.decisions.note(self, 2 ** ordinary(self).bit_length(), "is of more bits than")
        return ordinary(self).bit_length()


class TrackedFloat(_Tracked, float):
    """A float that a program has computed of sizes."""

    def _rounded(self, operation: str, value: int) -> Any:
        self.decisions.note(self, 0, "is rounded to a multiple of 1", 1)
        return self._made(value, (operation, self, 1))

    def __floor__(self) -> Any:
        return self._rounded("Floor", math.floor(ordinary(self)))

    def __ceil__(self) -> Any:
        return self._rounded("Ceil", math.ceil(ordinary(self)))

    def __round__(self, digits: Any = None) -> Any:
        if digits is None:
            return self._rounded("Round", round(ordinary(self)))
        return round(ordinary(self), digits)

    def __trunc__(self) -> Any:
        return self._rounded("Floor", int(ordinary(self))) if self >= 0 else int(ordinary(self))

    def __int__(self) -> int:
        self.decisions.note(self, 0, "is rounded to a multiple of 1", 1)
        return super().__int__()


def _hears(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which reads the numbers of ints past their methods, while a program is recorded."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        for each in args:
            if isinstance(each, _Tracked):
                each.decisions.note_lost(each, f"is taken by math.{function.__name__}")
        return function(*ordinary(args))

    return call


#: Functions of ``math`` while a program is recorded.
heard_math = {name: _hears(getattr(math, name)) for name in ("gcd", "isqrt", "lcm", "log", "log10", "log2")}


class _Ranges(type):
    def __instancecheck__(cls, x: object) -> bool:
        return isinstance(x, _range)


class heard_range(metaclass=_Ranges):
    """``range`` while a program is recorded: how many steps there are is decided by sizes."""

    def __new__(cls, *args: Any) -> Any:  # a range
        made = _range(*ordinary(args))
        tracked = next((x for x in args if isinstance(x, TrackedInt)), None)
        if tracked is not None and abs(made.step) != 1:
            start, stop = args[:2]
            tracked.decisions.note(
                stop - start, 0, f"is gone through in steps of {made.step}", abs(made.step)
            )
        return made
