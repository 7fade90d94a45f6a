"""Sizes that may differ from call to call: a program is recorded with several sizes, and the numbers that differ are told by the sizes of its values.

``x.view(x.shape[0], -1)`` is recorded as ``view(x, 2, -1)``, and with three rows as ``view(x, 3, -1)``: the number is a ``Size``, which was the first size of ``x`` each time.
"""

import itertools
import math
from fractions import Fraction
from typing import Any

from ..fx import Graph, Node
from ._counted_results import COUNTED
from ._tracked_numbers import TrackedFloat, TrackedInt, ordinary


class Size:
    """A number that is not the same in all recordings: ``values_of_runs``.

    ``expression`` says how it is computed: ("axis", node, number), a size of a value; or (operator, one, other) of numbers and sizes; or None, if that is not known.
    """

    __slots__ = ("expression", "values_of_runs")

    def __init__(self, values: Any, expression: Any) -> None:
        self.values_of_runs, self.expression = tuple(values), expression

    def __add__(self, other: Any) -> Any:
        return combined("Add", self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return combined("Sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return combined("Sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return combined("Mul", self, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return combined("FloorDiv", self, other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and self.values_of_runs == other.values_of_runs

    def __hash__(self) -> int:
        return hash(self.values_of_runs)

    def __repr__(self) -> str:
        return f"Size{self.values_of_runs}"


class Unlike(Exception):
    """Two recordings that are not the same program."""


class Comparison:
    """The graphs of several recordings as one: what is the same number in all is a number, what is not is a ``Size``.

    ``arguments`` and ``shapes`` are those of each node of the first graph; ``decisions`` are what the first recording has decided by sizes. Raises ``Unlike`` where the
    graphs differ otherwise.
    """

    def __init__(self, graphs: list[Graph], decisions: Any = ()) -> None:
        self.arguments: dict[Node, Any] = {}
        self.shapes: dict[Node, Any] = {}
        self._seen: dict[Any, Any] = {}  # numbers of the recordings -> the first size that has been these
        self._sources: dict[Any, Any] = {}  # those of inputs, and those that depend on elements
        self._decisions = decisions
        self.guessed = False  # whether forms of sizes were found that few recordings may fulfil by chance
        lists = [[*graph.nodes] for graph in graphs]
        if len({len(nodes) for nodes in lists}) > 1:
            raise Unlike("it takes another way")
        for nodes in zip(*lists):
            self._compare(nodes)

    def _compare(self, nodes):
        node = nodes[0]
        if any((n.op, n.name) != (node.op, node.name) or n.target != node.target for n in nodes):
            raise Unlike(
                f"{node.format_node()} becomes {next(n for n in nodes if n.name != node.name or n.target != node.target).format_node()}"
            )
        self.arguments[node] = self._same([_arguments(n) for n in nodes], node)
        shapes = [n.meta["tensor_meta"].shape if "tensor_meta" in n.meta else None for n in nodes]
        if shapes[0] is None:
            return
        if len({len(shape) for shape in shapes}) > 1:
            raise Unlike(f"{node.format_node()} has another number of dimensions")
        sizes = []
        for axis, values in enumerate(zip(*shapes)):
            if len({*values}) == 1:
                sizes.append(values[0])
                continue
            found = self._seen.get(values) if COUNTED in node.meta else self._told(values)
            if found is None or found.expression is None:
                found = Size(values, ("axis", node, axis))
            self._seen.setdefault(values, found)
            if node.op == "placeholder" or COUNTED in node.meta:
                self._sources.setdefault(values, found)
            sizes.append(found)
        self.shapes[node] = tuple(sizes)

    def _same(self, values, node):
        first = values[0]
        if isinstance(first, Node):
            if any(not isinstance(value, Node) or value.name != first.name for value in values):
                raise Unlike(f"{node.format_node() or 'the output'} takes or gives another tensor")
            return first
        if isinstance(first, (tuple, list)):
            if len({len(value) for value in values}) > 1:
                raise Unlike(f"{node.format_node()} has other arguments")
            return (
                [self._same(each, node) for each in zip(*values)]
                if isinstance(first, list)
                else tuple([self._same(each, node) for each in zip(*values)])
            )
        if isinstance(first, dict):
            if any(value.keys() != first.keys() for value in values):
                raise Unlike(f"{node.format_node()} has other arguments")
            return {key: self._same([value[key] for value in values], node) for key in first}
        if isinstance(first, slice):
            parts = [
                self._same([getattr(v, part) for v in values], node) for part in ("start", "stop", "step")
            ]
            return slice(*parts)
        if any(isinstance(value, (TrackedInt, TrackedFloat)) for value in values):
            values = [ordinary(value) for value in values]
            found = self._by_expression(first, tuple(values))
            if found is not None:
                return found
            first = values[0]
        if all(
            type(value) is type(first) and (value is first or value == first or value != value)
            for value in values
        ):
            return first
        if all(type(value) is int for value in values):
            return self._told(tuple(values))
        if all(type(value) is float for value in values):
            found = of_floats(values, [*self._sources.values()])
            if found is not None:
                return found
        raise Unlike(f"{node.format_node()} has {values[1]} in the place of {first}")

    def _by_expression(self, number: Any, values: Any) -> Any:
        """The size that a tracked number is by what the program has computed; None if that does not say what the recordings show."""
        if len({*values}) == 1:
            return values[0]
        found = self._evaluated(number)
        return found if isinstance(found, Size) and found.values_of_runs == values else None

    def _evaluated(self, number: Any) -> Any:
        if not isinstance(number, (TrackedInt, TrackedFloat)):
            return number
        if number.expression[0] == "axis":
            _, node, axis = number.expression
            return self.shapes[node][axis] if node in self.shapes else ordinary(number)
        found = self._evaluated_with(*number.expression)
        return ordinary(number) if found is None else found

    def _evaluated_with(self, operation: str, one: Any, other: Any) -> Any:
        """What an operator gives for what two numbers are; None if neither is a size."""
        one, other = self._evaluated(one), self._evaluated(other)
        return combined(operation, one, other) if isinstance(one, Size) or isinstance(other, Size) else None

    def _told(self, values: Any) -> Size:
        """The size with these numbers: one of a value, or computed of those of inputs and of what masks chose."""
        if values in self._seen:
            return self._seen[values]
        for make in (_scaled, _divided, _of_products, _of_pairs):
            found = make(values, [*self._sources.values()])
            if found is not None:
                self.guessed |= make is not _scaled
                return Size(values, found.expression)
        for make in (_scaled, _divided):
            found = make(values, [*self._seen.values()])
            if found is not None:
                self.guessed = True
                return Size(values, found.expression)
        for make in (_scaled, _of_pairs):
            found = make(values, [*self._of_decisions(), *self._sources.values()])
            if found is not None:
                return Size(values, found.expression)
        return Size(values, None)

    def _of_decisions(self) -> list[Size]:
        """Sizes that a program may have chosen by what it decided: of two the less or the greater, or a float without its fraction."""
        pairs = {(id(d.one), id(d.other)): (d.one, d.other, d.period) for d in self._decisions}
        found: dict[Any, Size] = {}
        for one, other, period in pairs.values():
            for operation in ("Min", "Max") if period is None else ("Floor",):
                made = self._evaluated_with(operation, one, 1 if period else other)
                if isinstance(made, Size):
                    found.setdefault(made.values_of_runs, made)
        return [*found.values()]


def _arguments(node):
    """The arguments of a node, where the recording knows with numbers that say how they were computed."""
    args, kwargs = node.meta.get("tracked_arguments", (node.args, node.kwargs))
    return args, dict(kwargs)


#: What operators of Python compute, by what they are called here.
_COMPUTE: dict[str, Any] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "FloorDiv": lambda a, b: a // b,
    "Mod": lambda a, b: a % b,
    "Pow": lambda a, b: a**b,
    "Floor": lambda a, _: math.floor(a),
    "Ceil": lambda a, _: math.ceil(a),
    "Round": lambda a, _: round(a),
    "Min": min,
    "Max": max,
}


def combined(operation: str, one: Any, other: Any) -> Any:
    """What an operator gives for sizes and numbers, one of which is a size: a size, or a number if it is the same in all recordings."""
    if operation in ("Add", "Mul") and not isinstance(one, Size):
        one, other = other, one
    if operation in ("Add", "Sub") and type(other) is int and other == 0:
        return one
    if (
        operation in ("Mul", "FloorDiv")
        and type(other) is int
        and other == 1
        and isinstance(one.values_of_runs[0], int)
    ):
        return one
    return _with(operation, one, other)


def _with(operation, one, other):
    count = len(next(x for x in (one, other) if isinstance(x, Size)).values_of_runs)
    pairs = zip(*(x.values_of_runs if isinstance(x, Size) else [x] * count for x in (one, other)))
    try:
        values = [_COMPUTE[operation](a, b) for a, b in pairs]
    except ArithmeticError:
        return None
    return values[0] if len({*values}) == 1 else Size(values, (operation, one, other))


#: Floats that programs make of a size, as scales of attention: their operation and second number.
_FORMS = (("Mul", 1), ("Pow", -1), ("Pow", 0.5), ("Pow", -0.5), ("Log", 0))


def of_floats(values: Any, sizes: Any) -> Any:
    """The size with these numbers, floats that the program has computed of one size by means of ``math``: a multiple of its root, its logarithm and the like."""
    for size, (operation, number) in itertools.product(sizes, _FORMS):
        if min(size.values_of_runs) < 1:
            continue
        made = [
            math.log(s) if operation == "Log" else float(_COMPUTE[operation](s, number))
            for s in size.values_of_runs
        ]
        i, j = next((i, j) for i, j in itertools.combinations(range(len(made)), 2) if made[i] != made[j])
        factor = (values[i] - values[j]) / (made[i] - made[j])
        rest = values[i] - factor * made[i]
        rest = 0.0 if abs(rest) <= 1e-12 * abs(values[i]) else rest
        if factor and all(math.isclose(factor * m + rest, v, rel_tol=1e-12) for m, v in zip(made, values)):
            form = Size(made, (operation, size, number))
            scaled = form if math.isclose(factor, 1, rel_tol=1e-12) else Size(values, ("Mul", form, factor))
            return scaled if not rest else Size(values, ("Add", scaled, rest))
    return None


def _linear(values, size):
    """(a, b) with ``a * size + b`` these numbers in all recordings; None if there are none."""
    sizes = size.values_of_runs
    pair = next(
        ((i, j) for i, j in itertools.combinations(range(len(sizes)), 2) if sizes[i] != sizes[j]), None
    )
    if pair is None:
        return None
    i, j = pair
    a = Fraction(values[i] - values[j], sizes[i] - sizes[j])
    b = values[i] - a * sizes[i]
    if all(a * s + b == v for s, v in zip(sizes, values)) and b.denominator == a.denominator == 1 and a:
        return int(a), int(b)
    return None


def _scaled(values, sizes):
    for size in sizes:
        found = _linear(values, size)
        if found:
            return size * found[0] + found[1]
    return None


def _divided(values, sizes):
    for size in sizes:
        for by in range(2, 9):
            for offset in sorted(range(-by, by), key=abs):
                if min(size.values_of_runs) + offset < 0:  # ONNX rounds towards zero
                    continue
                rest = {v - (s + offset) // by for v, s in zip(values, size.values_of_runs)}
                if len(rest) == 1:
                    return (size + offset) // by + rest.pop()
    return None


def _of_products(values, sizes):
    for count in (2, 3):
        for chosen in itertools.combinations_with_replacement(sizes, count):
            product = chosen[0]
            for each in chosen[1:]:
                product = product * each
            found = _linear(values, product)
            if found:
                return product * found[0] + found[1]
    return None


def _of_pairs(values, sizes):
    for one, other in itertools.combinations(sizes, 2):
        for first, second in itertools.product((1, -1, 2, -2), repeat=2):
            both = one * first + other * second
            found = isinstance(both, Size) and _linear(values, both)
            if found and found[0] == 1:
                return both + found[1]
    return None
