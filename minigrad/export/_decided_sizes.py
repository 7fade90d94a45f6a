"""Sizes at which a program may decide otherwise: it is recorded with these as well.

``if x.shape[0] > 100`` was decided for 5 and for 9 rows: by the two it is told that 100 rows are where the other side begins. Of ``if int(x.shape[0]) > 100`` nothing
is told: sizes are tried that are far from each other, and if one leads to another program, those between. All sizes are tried that ``table[x.shape[0]]`` may be looked up with.
"""

import itertools
import math
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ._sizes import Comparison, Unlike

#: How often recordings with new sizes may ask for further ones, and how many recordings that may be for a size.
_ROUNDS, _MOST = 4, 48
#: The most elements that inputs have in such a recording.
_ELEMENTS = 1 << 22
#: The sizes that are tried of a number that becomes an ordinary one, and the most elements of inputs then.
_FAR, _ELEMENTS_OF_FAR = [1 << k for k in range(11)], 1 << 18


def where_decided(runs: Any, dims: Any, record: Callable[[Any], Any]) -> list[Any]:
    """Recordings with the sizes where the program decides otherwise: ``record`` makes one, ``runs`` are those there are.

    Those that the program raises for are left out. Raises RuntimeError if the program is another one there.
    """
    runs, made = [*runs], []
    tried = {_key(run.sizes) for run in runs}
    for _, name in itertools.product(range(_ROUNDS), dims):
        for size, decision in sorted(_candidates(runs, name, dims[name]).items(), key=lambda x: x[0]):
            sizes = {**runs[0].sizes, name: size}
            if _key(sizes) in tried or len(made) >= _MOST * len(dims):
                continue
            tried.add(_key(sizes))
            if _elements(runs[0]) * size > _ELEMENTS * runs[0].sizes[name]:
                raise RuntimeError(
                    f"Constraints violated ({name})! The program decides something by {name} ({_told(decision)}), and a recording with size {size} would be too large. "
                    f"{_advice(name, size, runs[0].sizes[name])}"
                )
            run = recording_with(record, sizes)
            if run is None:
                continue
            error = _unlike(runs, run)
            if error is not None:
                size, error = _first_unlike(runs, record, name, size, error)
                raise RuntimeError(
                    f"Constraints violated ({name})! With size {size} {error}: the program decides by {name} ({_told(decision)}), and a graph has no branches on sizes. "
                    f"{_advice(name, size, runs[0].sizes[name])}"
                ) from error
            made.append(run)
            runs.append(run)
    return made


def recording_with(record: Callable[[Any], Any], sizes: Any) -> Any:
    """A recording; None if the program raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the program has not been asked for this size
        try:
            return record(sizes)
        except Exception:  # whatever the program raises for such a size
            return None


def _unlike(runs, run):
    """What is otherwise in a recording; None if it is the same program."""
    try:
        Comparison([each.graph for each in (*runs, run)])
    except Unlike as error:
        return error
    return None


def _first_unlike(runs, record, name, size, error):
    """The size nearest to the example with which the program is another one, and what is otherwise then."""
    example = runs[0].sizes[name]
    between = [run.sizes[name] for run in runs if (run.sizes[name] < size) == (example < size)]
    good = min(between, key=lambda each: abs(each - size))
    while abs(size - good) > 1:
        middle = (size + good) // 2
        run = recording_with(record, {**runs[0].sizes, name: middle})
        found = None if run is None else _unlike(runs, run)
        if found is None:
            good = middle
        else:
            size, error = middle, found
    return size, error


def _key(sizes):
    return tuple(sorted(sizes.items()))


def _elements(run):
    """How many numbers the inputs of a recording have."""
    shapes = [leaf.shape for leaf in run.leaves if hasattr(leaf, "shape")]
    return sum(math.prod(max(1, size) for size in shape) for shape in shapes)


def _told(decision):
    return f"{decision.text}, {decision.place.file}:{decision.place.line}"


def _advice(name, size, example):
    bound = f"max={size - 1}" if size > example else f"min={size + 1}"
    return f"If such sizes do not occur, say Dim({name!r}, {bound}) in dynamic_shapes."


def _candidates(runs: Any, name: str, dim: Any) -> dict[int, Any]:
    """Size -> the decision that is another one there, for a size that is altered alone."""
    rest = {key: size for key, size in runs[0].sizes.items() if key != name}
    alone = [run for run in runs if all(run.sizes[key] == size for key, size in rest.items())]
    alone.sort(key=lambda run: run.sizes[name])
    shown = {each.place: each for each in runs[0].recording.decisions.found}
    found: dict[int, Any] = _where_lost(alone, name, dim, _elements(runs[0]) / runs[0].sizes[name])
    rounded: set[Any] = set()  # whose next multiples are known from two other recordings
    for one, other in itertools.pairwise(alone):
        if one.sizes[name] == other.sizes[name]:
            continue
        decisions = {each.place: each for each in one.recording.decisions.found}
        for second in other.recording.decisions.found:
            first = decisions.get(second.place)
            if first is None or first.place in rounded:
                continue
            sizes = _crossings(first, second, one.sizes[name], other.sizes[name])
            if sizes and first.period is not None:
                rounded.add(first.place)
            for size in sizes:
                if size > 0 and dim.allows(size):
                    found.setdefault(size, shown.get(first.place, first))
    return found


def _where_lost(alone: Any, name: str, dim: Any, elements: float) -> dict[int, Any]:
    """Size -> a number that the program has taken to where it is not followed, for a size on which that depends.

    Raises RuntimeError for a number that is looked up, if there are too many sizes to try all.
    """
    found: dict[int, Any] = {}
    values: dict[Any, Any] = {}
    for each in [each for run in alone for each in run.recording.decisions.lost]:
        first = values.setdefault(each.place, each)
        if first.value == each.value:
            continue
        if not each.looked_up:
            far = [size for size in _FAR if dim.allows(size) and size * elements <= _ELEMENTS_OF_FAR]
        elif dim.max is not None and dim.max - dim.min < _MOST:
            far = [*range(max(1, dim.min), dim.max + 1)]
        else:
            raise RuntimeError(
                f"Constraints violated ({name})! The program looks up a number that depends on {name} in a dict or a set, or hashes it ({_told(first)}), and a graph has no such "
                f"tables. Compute with the number, or bound it: with Dim({name!r}, max={_MOST}) in dynamic_shapes each size is tried."
            )
        found |= dict.fromkeys(far, first)
    return found


def _crossings(first: Any, second: Any, size: int, other: int) -> set[int]:
    """The sizes next to where a line through two decisions is zero, or passes the next multiples of the period."""
    gaps = [first.gap, second.gap]
    slope = (gaps[1] - gaps[0]) / (other - size)
    if not slope:
        return set()
    goals = [Fraction(0)]
    if first.period is not None:
        period = Fraction(first.period)
        low = gaps[0] // period * period
        goals = [low, low + period, low + 2 * period]
    found: set[int] = set()
    for goal in goals:
        place = size + (goal - gaps[0]) / slope
        found |= {math.ceil(place) - 1, math.floor(place), math.floor(place) + 1}
    return found
