"""A program is recorded with several sizes, which tell how its numbers depend on them, and whether it is another program with some."""

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

from .. import _api
from ..utils import _pytree as pytree
from ._counted_results import CountingRecording
from ._counts import check_recording, with_other_counts
from ._decided_sizes import recording_with, where_decided
from ._related_sizes import related
from ._running import Run
from ._sizes import Comparison, Unlike
from .dynamic_shapes import DerivedDim, Dim

#: By how much the sizes are altered in the recordings in which all are: no two alike, so that each is known by its numbers.
_STEPS = (2, 3, 5, 7, 11, 13, 17, 19)
#: By how much in further recordings, where the first have let guess how a size is computed.
_MORE = (4, 6, 9, 15)


#: Of how many sizes it is tried which go together.
_MOST_RELATED = 12


class _Optional(Dim):
    """A size that may differ if the program lets it."""

    optional = True


def named(wishes: Any) -> list[Any]:
    """For each leaf of the inputs the ``Dim`` of each dimension that may differ, with a name for those that were only hinted at."""
    asked = []
    for leaf, each in enumerate(wishes):
        found = {}
        for number, wish in each.items():
            kind = _Optional if wish is Dim.AUTO else Dim
            found[number] = wish if isinstance(wish, Dim) else kind(f"s{leaf}_{number}")
        asked.append(found)
    return asked


def settled(mod: Any, args: Any, kwargs: Any, names: Any, asked: Any, first: Any) -> Any:
    """All recordings of a program, and for each leaf the dimensions that may differ: without those that only do if the program lets them, and it does not."""
    check_recording(first, mod)
    if any(getattr(dim, "optional", False) for each in asked for dim in each.values()):
        with contextlib.suppress(RuntimeError):
            return with_other_counts(mod, recordings(mod, args, kwargs, names, asked, first)), asked
    optional = {dim.__name__ for each in asked for dim in each.values() if getattr(dim, "optional", False)}
    for name in sorted(optional):
        alone = [{n: dim for n, dim in each.items() if dim.__name__ == name} for each in asked]
        try:
            recordings(mod, args, kwargs, names, alone, first)
        except RuntimeError:
            asked = [{n: dim for n, dim in each.items() if dim.__name__ != name} for each in asked]
    runs = recordings(mod, args, kwargs, names, asked, first) if any(asked) else [first]
    return with_other_counts(mod, runs), asked


def recordings(mod: Any, args: Any, kwargs: Any, names: Any, asked: Any, first: Any) -> Any:
    """The module recorded once for each set of sizes; ``asked`` has a dict from dimensions to ``Dim`` for each leaf. Raises RuntimeError if that cannot be."""
    dims, example = _independent(asked, first)
    first.sizes = example
    record = functools.partial(_record, mod, first, asked)
    problem: Any = None
    for sizes_of_runs in _plans(dims, example):
        try:
            runs = [first, *map(record, sizes_of_runs)]
            Comparison([run.graph for run in runs])
        except Exception as error:  # whatever the program raises when it does not allow these sizes
            if problem is None or isinstance(error, Unlike):
                problem = error
        else:
            runs += _of_size_one(record, dims, example, runs)
            runs += where_decided(runs, dims, record)
            runs += _further(record, dims, runs)
            if isinstance(problem, Unlike):  # with larger sizes, and nothing has told where these begin
                break
            return runs
    raised = problem is not None and not isinstance(problem, Unlike)
    follow = _following(dims, example, record) if raised else {}
    if follow:
        asked = [{n: follow.get(dim.__name__, dim) for n, dim in each.items()} for each in asked]
        return recordings(mod, args, kwargs, names, asked, first)
    if problem is None:
        problem = ValueError(f"no other sizes are within {[*dims.values()]}")
    what = str(problem) if isinstance(problem, Unlike) else f"{type(problem).__name__}: {problem}"
    raise RuntimeError(
        f"Constraints violated ({', '.join(dims)})! You marked {', '.join(dims)} as dynamic but your code specialized it to be a constant: with another size {what}"
    ) from problem


def _independent(asked, first):
    """The sizes from which all others follow, and how large they are in the example."""
    every = {
        dim.__name__: (dim, first.leaves[leaf].shape[number])
        for leaf, each in enumerate(asked)
        for number, dim in each.items()
    }
    derived = [(dim, size) for dim, size in every.values() if isinstance(dim, DerivedDim)]
    dims = {name: dim for name, (dim, _) in every.items() if not isinstance(dim, DerivedDim)}
    example = {name: every[name][1] for name in dims}
    for dim, size in derived:
        for name in [name for name in dim.roots if name not in example]:
            dims[name], example[name] = dim.roots[name], dim.root_of(size)
        if None in example.values() or dim.size_in(example) != size:
            raise RuntimeError(
                f"Constraints violated ({dim.__name__})! A size of {size} is not {dim.__name__} with {example}"
            )
    return dims, example


def _following(dims, example, record):
    """The sizes that follow from others, where the program raises if they are altered alone."""
    if not 1 < len(dims) <= _MOST_RELATED:
        return {}
    return related(dims, example, lambda sizes: recording_with(record, sizes) is not None)


def _further(record, dims, runs):
    """Further recordings; those that the program raises for are left out.

    With sizes twice as large, or else by half, what depends on a size is another number, though it is the same for all that are near, as the length of a pooled
    signal. If it is guessed how a size is computed, there are more, which no other form fulfils by chance.
    """
    example, made = runs[0].sizes, []
    for name, size in example.items():
        far = ({**example, name: size + by} for by in dict.fromkeys((size, size // 2)) if by)
        found = (_possible(record, dims, sizes) for sizes in far)
        made += [run for run in [next(filter(None, found), None)] if run is not None]
    if _compared(dims, [*runs, *made]).guessed:
        plans = [{**example, name: example[name] + by} for name in dims for by in _MORE]
        plans.append({name: size + _MORE[i % len(_MORE)] for i, (name, size) in enumerate(example.items())})
        made += filter(None, [_possible(record, dims, sizes) for sizes in plans])
        _compared(dims, [*runs, *made])
    return made


def _compared(dims, runs):
    """The comparison of recordings; RuntimeError if the last ones are another program."""
    try:
        return Comparison([run.graph for run in runs])
    except Unlike as error:
        raise RuntimeError(
            f"Constraints violated ({', '.join(dims)})! With one of the sizes {[run.sizes for run in runs]} {error}"
        ) from error


def _possible(record, dims, sizes):
    """A recording with these sizes; None if they are beyond bounds, or the program raises."""
    return recording_with(record, sizes) if _allowed(dims, sizes) else None


def _allowed(dims, sizes):
    return all(dims[name].allows(size) for name, size in sizes.items())


def _of_size_one(record, dims, example, runs):
    """Recordings with sizes of 1, in which a program does something else if it squeezes or asks for such sizes; those that it raises for are left out."""
    names = [name for name, dim in dims.items() if dim.allows(1) and example[name] != 1]
    plans = [{**example, name: 1} for name in names]
    if len(names) > 1:
        plans.append({**example, **dict.fromkeys(names, 1)})
    made: list[Any] = []
    for sizes in plans:
        run = recording_with(record, sizes)
        if run is None:
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
            wanted = dim.size_in(sizes)
            places = _api.arange(wanted) * size // wanted  # in the same order
            leaves[leaf] = leaves[leaf].index_select(number, places)
    args, kwargs = pytree.tree_unflatten(leaves, first.in_spec)
    run = Run(mod, args, kwargs, first.names, CountingRecording())
    run.sizes = sizes
    check_constants(first, run)
    return run


def check_constants(first: Any, run: Any) -> None:
    """Raise ``Unlike`` if what the graph holds as a constant is not the same in two recordings."""
    for name, tensor in run.constants.items():
        other = first.constants.get(name)
        if other is not None and (other.shape != tensor.shape or not other.equal(tensor)):
            raise Unlike(
                f"the constant {name} is another one: the program computes it of sizes, and not with functions of tensors"
            )
