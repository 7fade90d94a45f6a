"""``around``: the function that a captured step runs: a plan, and around it what the step does besides calling NumPy.

It puts gradients into leaves, counts versions, and makes tensors of results.  Where an error ends the run, gradients are what they were in the step at that place.
"""

from contextvars import copy_context

import numpy as np

from .._base.pytree import tree_unflatten
from .._core.modes import thread_state
from .._core.storage import own_storage
from .._core.tensor import Tensor, new, wrap
from .conditions import Lines
from .kept_gradients import finish

__all__ = ["around"]


def around(plan, kept, outcome, touched, recording=None):
    """A function of ``arguments`` that leaves behind what ``outcome`` says; it returns ``kept.kept``, and does nothing, where ``kept.make_ready`` is to be called first.

    With a ``recording``, results have the history that it gives them: see ``recorded_replay.py``.
    """
    lines = Lines("arguments, ready=False")
    name = lines.name
    holder_of = lambda leaf: f"arguments[{leaf}]" if leaf.__class__ is int else name(leaf)
    for leaf, number in outcome.grads:
        if number in plan.fixed and outcome.made[number][0]:
            lines.append(f"{holder_of(leaf)}.grad = None")  # made anew in each run
    kept.begin(lines)
    if recording is not None:
        lines += recording.begin(name)
    lines += _call(plan, outcome, touched, name)
    if recording is not None:
        lines += recording.record(name, lambda number: f"y{plan.position[number]}")
    for number, place in plan.position.items():
        if number >= len(outcome.made):  # kept for the backward
            continue
        history = None if recording is None else recording.history_of(number, name)
        lines += [*_wrapped(f"y{place}", outcome.made[number], name, history), f"y{place} = t"]
    if recording is not None:
        lines += recording.end(name)
    lines += [f"{holder_of(leaf)}.requires_grad_({requires})" for leaf, requires in outcome.requires]
    for leaf, number in outcome.grads:
        if number not in plan.fixed:
            grad = "None" if number is None else f"y{plan.position[number]}"
            lines.append(f"{holder_of(leaf)}.grad = {grad}")
        elif outcome.made[number][0]:
            lines += _wrapped(f"{name(plan)}.fixed[{number}]", outcome.made[number], name)
            lines.append(f"{holder_of(leaf)}.grad = t")
    kept.end(lines)
    results = {
        "output": lambda i: f"y{plan.position[i]}",
        "argument": lambda i: f"arguments[{i}]",
        "same": name,
    }
    returned = [results[kind](what) for kind, what in outcome.recipes]
    if outcome.result_spec.is_leaf():
        lines.append(f"return {returned[0]}")
    else:
        lines.append(f"return {name(tree_unflatten)}([{', '.join(returned)}], {name(outcome.result_spec)})")
    return lines.function()


def _call(plan, outcome, touched, name):
    """Lines that run the plan; its outputs are ``y0, y1, ...``."""
    arrays = ", ".join([f"arguments[{i}]._array" for i in plan.reads])
    targets = "".join([f"y{i}, " for i in range(len(plan.position))])
    targets = f"{targets}= " if targets else ""
    yield "try:"
    if plan.calls_python:  # what is called has what is set around the step
        yield f"    with {name(np.errstate)}(all='ignore'): {targets}{name(plan)}.run({arrays})"
    else:
        context = copy_context()  # in which NumPy does not warn
        context.run(np.seterr, all="ignore")
        yield f"    {targets}{name(context)}.run({name(plan)}.run, {arrays})"
    changes = [*_changes(outcome.capturing, touched)]
    yield "except BaseException as error:"
    yield f"    {name(AfterError(plan, outcome, changes))}(error, arguments)"
    yield "    raise"
    for _, target, change in changes:
        yield (
            f"{name(own_storage)}(arguments[{target}]).version += {change}"
            if target.__class__ is int
            else f"{name(target)}.version += {change}"
        )


def _changes(capturing, touched):
    """What a step adds to versions: (id of a tensor, its storage or the number of the argument that it is, by how much)."""
    seen: dict = {}
    for t in touched:
        storage = t.tensor._storage
        if change := storage.version - t.version:
            seen[id(storage)] = id(t.tensor), storage, change
    for i, t in enumerate(capturing.arguments):  # one may be given twice
        if change := t._storage.version - capturing.argument_versions[i]:
            seen.setdefault(id(t._storage), (id(t), i, change))
    return seen.values()


def _wrapped(array, made, name, history=None):
    """Lines that make ``t``, a tensor over an array; ``history`` is an expression for its node."""
    requires_grad, version = made
    yield f"t = {name(new)}({name(Tensor)}); t._array = {array}; t._node = {history}; t._storage = {name(thread_state.fresh)}"
    if history is not None:
        if version:
            yield f"{name(own_storage)}(t).version = {version}"
    elif requires_grad or version:
        yield f"{name(finish)}(t, {requires_grad}, {version})"


class AfterError:
    """Lets gradients and versions be what they were in the step when it was where an error has ended a run."""

    def __init__(self, plan, outcome, changes):
        self.plan, self.leaves, self.changes = plan, outcome.grads, changes
        #: (line of the plan's source, what the leaves had from then on, how much had been added to versions)
        self.states = [(line, outcome.grads_at(grads), versions) for line, (grads, versions) in plan.states]

    def __call__(self, error, arguments):
        at = error.__traceback__
        while at is not None and at.tb_frame.f_code is not self.plan.run.__code__:
            at = at.tb_next
        found = at and next((state for state in reversed(self.states) if state[0] <= at.tb_lineno), None)
        if found is None:  # before the run
            return
        _, grads, versions = found
        made = {i: at.tb_frame.f_locals.get(name) for i, name in self.plan.named.items()} | self.plan.fixed
        for (leaf, _), grad in zip(self.leaves, grads):
            if grad != "before":
                number, version = grad or (None, 0)
                array = made.get(number)
                holder = arguments[leaf] if leaf.__class__ is int else leaf
                holder.grad = None if array is None else finish(wrap(array), False, version)
        for key, target, _ in self.changes:
            storage = own_storage(arguments[target]) if target.__class__ is int else target
            storage.version += versions.get(key, 0)
