"""Calls that need not be made: copies of what nobody writes to meanwhile, copies into new arrays, and what has been computed before."""

import numpy as np

from .program import Place

__all__ = ["shorter", "written_in_place"]

ndarray = np.ndarray


def shorter(steps, outputs):
    """``steps`` without those whose results are elsewhere already, unchanged for as long as they are read; the places of others follow.

    Results that are given out stay apart.  A result that is written over by a later call is elsewhere until then.
    """
    changes, last = {}, {}  # number of a memory -> when it is changed; when it is met last
    for i, step in enumerate(steps):
        for place in step.changed():
            changes.setdefault(place.memory.number, []).append(i)
        for place in step.places():
            last[place.memory.number] = i
    given = {place.memory.number for place in outputs}
    instead = {}  # number of a memory -> the memory in which its elements are as well
    known = {}  # what is computed -> the number of the step, and the place of its result
    until = {}  # the number of a memory -> the call that writes over all of it, up to which its elements are elsewhere
    found = []
    for i, step in enumerate(steps):
        _replace(step, instead)
        for number in [number for number, end in until.items() if end == i]:
            del until[number], instead[number]
        if step.kind == "python":  # which may change what numbers are
            known.clear()
        key = _key(step)
        if key is None:
            found.append(step)
            continue
        (result,) = step.results
        number = result.memory.number
        if step.kind == "call":
            since, source = i, step.args[0]
        else:
            since, source = known.get(key, (i, None))
        end = last[number]
        written_over = len(changes[number]) > 1 and _writes_over(steps[changes[number][1]], number)
        if written_over:
            end = changes[number][1]
        if (
            source is None
            or source.memory.born is None
            or not (written_over or (number not in given and len(changes[number]) == 1))
            or changes[number][0] != i
            or not (result.fills() and source.fills() and source.strides == result.strides)
            or any(since < at <= end for at in changes.get(source.memory.number, ()))
            or any(since < at < i for place in step.reads() for at in changes.get(place.memory.number, ()))
        ):
            known[key] = i, result
            found.append(step)
            continue
        instead[number] = source.memory
        if written_over:
            until[number] = end
        last[source.memory.number] = max(last[source.memory.number], end)
    return found


def _writes_over(step, number):
    """Whether a call gives all of a memory new elements, each of which depends on the operands' elements at the same place only."""
    return (
        isinstance(step.function, np.ufunc)
        and step.function.signature is None
        and not step.kwargs
        and len(step.results) == 1
        and step.results[0].memory.number == number
        and step.results[0].fills()
        and not step.writes
    )


def written_in_place(steps, outputs):
    """``steps`` and ``outputs``, where what is copied into a part of a new array is made there, and the copy left out.

    So are the calls that make arrays whose elements are written later: memory is given out elsewhere.
    """
    makes = [step.function is np.empty_like and step.kind == "call" for step in steps]
    filled = {place.memory.number for step, only in zip(steps, makes) if not only for place in step.changed()}
    steps = [
        step
        for step, only in zip(steps, makes)
        if not only or not all(place.memory.number in filled for place in step.changed())
    ]
    changes, uses = {}, {}  # number of a memory -> when which of its places is changed, met
    for i, step in enumerate(steps):
        for place in step.changed():
            changes.setdefault(place.memory.number, []).append((i, place))
        for place in step.places():
            uses.setdefault(place.memory.number, []).append((i, place))
    moved, left_out = (
        {},
        set(),
    )  # number of a memory -> (the memory that it becomes a part of, how far behind its start)
    for i, step in enumerate(steps):
        if (
            step.function is not ndarray.__setitem__
            or step.args[1] is not Ellipsis
            or step.args[2].__class__ is not Place
        ):
            continue
        target, _, source = step.args
        number, into = source.memory.number, target.memory.number
        if (
            source.memory.born is not None
            and target.memory.born is not None
            and number != into
            and number not in moved
            and into not in moved
            and source.fills()
            and (source.shape, source.strides, source.dtype) == (target.shape, target.strides, target.dtype)
            and max(at for at, _ in changes[number]) < i
            and not any(_overlap(place, target) for at, place in uses[into] if at < i)
            and not any(_overlap(place, target) for at, place in changes[into] if at > i)
        ):
            moved[number] = target.memory, target.offset - source.offset
            left_out.add(i)
    found = [step for i, step in enumerate(steps) if i not in left_out]
    for step in found:
        step.args, step.results, step.writes = (
            _part(x, moved) for x in (step.args, step.results, step.writes)
        )
        step.kwargs = {name: _part(x, moved) for name, x in step.kwargs.items()}
    return found, _part(outputs, moved)


def _overlap(a, b):
    """Whether two places in one memory may have bytes in common; strides are those of arrays in one piece, or it is taken that they do."""
    if min((*a.strides, *b.strides), default=0) < 0:
        return True
    return a.offset < b.offset + _extent(b) and b.offset < a.offset + _extent(a)


def _extent(place):
    if 0 in place.shape:
        return 0
    return sum((n - 1) * stride for n, stride in zip(place.shape, place.strides)) + place.dtype.itemsize


def _part(x, moved):
    """``x`` with places in the memories that have become parts of others."""
    if x.__class__ is tuple or x.__class__ is list:
        return x.__class__([_part(y, moved) for y in x])
    if x.__class__ is Place and x.memory.number in moved:
        memory, behind = moved[x.memory.number]
        return Place(memory, x.offset + behind, x)
    return x


def _key(step):
    """What tells calls apart that compute the same from the same operands; None for those that are left alone."""
    if step.draws or step.writes or len(step.results) != 1:
        return None
    if _copies(step) or (step.kind == "ufunc" and isinstance(step.function, np.ufunc)):
        given = (*step.args, *step.kwargs.items())
        key = tuple([x.key() if x.__class__ is Place else (type(x), repr(x)) for x in given])
        return None if any(_is_large(x) for x in given) else (step.function, key)
    return None


def _copies(step):
    """Whether the result of a call is a copy of its first operand."""
    if step.function is ndarray.astype:
        return step.args[1:] == (step.results[0].dtype,) == (step.args[0].dtype,)
    return step.function is ndarray.copy


def _is_large(x):
    """Whether an operand may be more than its ``repr`` says."""
    return isinstance(x, (ndarray, list)) or (isinstance(x, tuple) and any(map(_is_large, x)))


def _replace(step, instead):
    """Let the operands of a step lie where their elements are as well."""
    step.args = _replaced(step.args, instead)
    step.kwargs = {name: _replaced(x, instead) for name, x in step.kwargs.items()}


def _replaced(x, instead):
    if x.__class__ is tuple or x.__class__ is list:
        return x.__class__([_replaced(y, instead) for y in x])
    if x.__class__ is Place and x.memory.number in instead:
        return Place(instead[x.memory.number], x.offset, x)
    return x
