"""Sizes that may differ from call to call: a program is recorded with several sizes, and the numbers that differ are told by the sizes of its values.

``x.view(x.shape[0], -1)`` is recorded as ``view(x, 2, -1)``, and with three rows as ``view(x, 3, -1)``: the number is a ``Size``, which was the first size of ``x`` each time.
"""

import itertools
import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from .. import _api
from ..export import Dim
from ..export._exporting import _Run
from ..fx import Graph, Node
from ..utils import _pytree as pytree
from ._counted_results import COUNTED, CountingRecording

#: By how much the sizes are altered in the recordings in which all are: no two alike, so that each is known by its numbers.
_STEPS = (2, 3, 5, 7, 11, 13, 17, 19)


class Size:
    """A number that is not the same in all recordings: ``values_of_runs``.

    ``expression`` says how it is computed: ("axis", node, number), a size of a value; or (operator, one, other) of numbers and sizes; or None, if that is not known.
    """

    __slots__ = ("expression", "values_of_runs")

    def __init__(self, values: Any, expression: Any) -> None:
        self.values_of_runs, self.expression = tuple(values), expression

    def _with(self, operator, other, compute, swapped=False):
        others = other.values_of_runs if isinstance(other, Size) else [other] * len(self.values_of_runs)
        pairs = zip(others, self.values_of_runs) if swapped else zip(self.values_of_runs, others)
        values = [compute(a, b) for a, b in pairs]
        if len({*values}) == 1:
            return values[0]
        return Size(values, (operator, other, self) if swapped else (operator, self, other))

    def __add__(self, other: Any) -> Any:
        return self if other == 0 else self._with("Add", other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self if other == 0 else self._with("Sub", other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._with("Sub", other, lambda a, b: a - b, swapped=True)

    def __mul__(self, other: Any) -> Any:
        return self if other == 1 else self._with("Mul", other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return self if other == 1 else self._with("Div", other, lambda a, b: a // b)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and self.values_of_runs == other.values_of_runs

    def __hash__(self) -> int:
        return hash(self.values_of_runs)

    def __repr__(self) -> str:
        return f"Size{self.values_of_runs}"


class Unlike(Exception):
    """Two recordings that are not the same program."""


def recordings(mod: Any, args: Any, kwargs: Any, names: Any, asked: Any, first: Any) -> Any:
    """The module recorded once for each set of sizes; ``asked`` has a dict from dimensions to ``Dim`` for each leaf. Raises RuntimeError if that cannot be."""
    dims = {dim.__name__: dim for each in asked for dim in each.values()}
    example = {
        dim.__name__: first.leaves[leaf].shape[number]
        for leaf, each in enumerate(asked)
        for number, dim in each.items()
    }
    problem: Any = None
    for sizes_of_runs in _plans(dims, example):
        try:
            runs = [first, *(_record(mod, first, asked, sizes) for sizes in sizes_of_runs)]
            Comparison([run.graph for run in runs])
        except Exception as error:  # whatever the program raises when it does not allow these sizes
            if problem is None or isinstance(error, Unlike):
                problem = error
        else:
            return [*runs, *_of_size_one(mod, first, asked, dims, example, runs)]
    if problem is None:
        problem = ValueError(f"no other sizes are within {[*dims.values()]}")
    what = str(problem) if isinstance(problem, Unlike) else f"{type(problem).__name__}: {problem}"
    raise RuntimeError(
        f"Constraints violated ({', '.join(dims)})! You marked {', '.join(dims)} as dynamic but your code specialized it to be a constant: with another size {what}"
    ) from problem


def _of_size_one(mod, first, asked, dims, example, runs):
    """Recordings with sizes of 1, in which a program does something else if it squeezes or asks for such sizes; those that it raises for are left out."""
    names = [name for name, dim in dims.items() if dim.allows(1) and example[name] != 1]
    plans = [{**example, name: 1} for name in names]
    if len(names) > 1:
        plans.append({**example, **dict.fromkeys(names, 1)})
    made: list[Any] = []
    for sizes in plans:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the program has not been asked for this size
            try:
                run = _record(mod, first, asked, sizes)
            except Exception:  # whatever the program raises for such a size
                continue
        try:
            Comparison([each.graph for each in (*runs, *made, run)])
        except Unlike as error:
            ones = ", ".join(name for name in names if sizes[name] == 1)
            raise RuntimeError(
                f"Constraints violated ({ones})! With size 1 {error}. A model of ONNX is one program for all sizes: say which dimension is to go "
                f"(x.squeeze(-1)), or that this size does not occur (Dim({ones.split(', ')[0]!r}, min=2) in dynamic_shapes)"
            ) from error
        made.append(run)
    return made


def _plans(dims: dict[str, Dim], example: Any) -> Iterator[Any]:
    """Sets of sizes to record with: larger ones, then smaller ones where these are not possible."""
    names = [*dims]
    for sign, places in (
        (1, (0, 4)),
        (1, (0, 1)),
        (-1, (0, 1)),
    ):  # far ones tell a remainder from a difference
        singly = [[sign * (i == j) for j in range(len(names))] for i in range(len(names))]
        jointly = [[sign * _STEPS[(j + k) % len(_STEPS)] for j in range(len(names))] for k in places]
        plans = [{n: example[n] + by for n, by in zip(names, steps)} for steps in [*singly, *jointly]]
        possible = [p for p in plans if all(p[n] > 0 and dims[n].allows(p[n]) for n in names)]
        if len(possible) > len(names):
            yield possible
    near = [
        {**example, name: example[name] + by}
        for name in names
        for by in (1, -1, 2, -2)
        if example[name] + by > 0 and dims[name].allows(example[name] + by)
    ]
    if near:
        yield near


def _record(mod, first, asked, sizes):
    leaves = list(first.leaves)
    for leaf, each in enumerate(asked):
        for number, dim in each.items():
            size = leaves[leaf].shape[number]
            places = _api.arange(sizes[dim.__name__]) * size // sizes[dim.__name__]  # in the same order
            leaves[leaf] = leaves[leaf].index_select(number, places)
    args, kwargs = pytree.tree_unflatten(leaves, first.in_spec)
    return _Run(mod, args, kwargs, first.names, CountingRecording())


class Comparison:
    """The graphs of several recordings as one: what is the same number in all is a number, what is not is a ``Size``.

    ``arguments`` and ``shapes`` are those of each node of the first graph; Raises ``Unlike`` where the graphs differ otherwise.
    """

    def __init__(self, graphs: list[Graph]) -> None:
        self.arguments: dict[Node, Any] = {}
        self.shapes: dict[Node, Any] = {}
        self._seen: dict[Any, Any] = {}  # numbers of the recordings -> the first size that has been these
        self._sources: dict[Any, Any] = {}  # those of inputs, and those that depend on elements
        self._output: Any = None
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
        self.arguments[node] = self._same([(n.args, dict(n.kwargs)) for n in nodes], node)
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
            return {key: self._same([value[key] for value in values], node) for key in first}
        if isinstance(first, slice):
            parts = [
                self._same([getattr(v, part) for v in values], node) for part in ("start", "stop", "step")
            ]
            return slice(*parts)
        if all(
            type(value) is type(first) and (value is first or value == first or value != value)
            for value in values
        ):
            return first
        if all(type(value) is int for value in values):
            return self._told(tuple(values))
        raise Unlike(f"{node.format_node()} has {values[1]} in the place of {first}")

    def _told(self, values: Any) -> Size:
        """The size with these numbers: one of a value, or computed of those of inputs and of what masks chose."""
        if values in self._seen:
            return self._seen[values]
        for make in (_scaled, _divided, _of_products, _of_pairs):
            found = make(values, [*self._sources.values()])
            if found is not None:
                return Size(values, found.expression)
        for make in (_scaled, _divided):
            found = make(values, [*self._seen.values()])
            if found is not None:
                return Size(values, found.expression)
        return Size(values, None)


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
