"""``trial_run``: runs a function as ever, notes it, and says whether replaying it would come to the same.

What a replay leaves behind is what ``Outcome`` knows of: results, gradients, versions, and what NumPy has written.  All else that a call may do, or depend on, is a reason for running it
eagerly: ``PROGRAM`` ones are effects of Python and elements that are read, ``HISTORY`` is a result that requires grad, ``CHANGE`` something that has changed in this call, which may have been
for the first time; ``LIMIT`` is what cannot be followed.
"""

import gc
import sys
import weakref
from typing import Any

from .._api import Tensor
from .._arrays.memory_layout import owner_of
from .._arrays.traced import Leak
from .._base import compiling
from .._base.pytree import tree_flatten
from .._base.size import Size
from .._core.families import fast_classes
from .._core.families.op import is_kept
from .._core.modes import thread_state
from .._core.node import latest
from .capturing import Capturing
from .history import History, node_of, results_with_history
from .kept_state import KeptState, hooks_on_all_modules
from .outcome import Outcome
from .python_effects import EffectFound, PythonEffects, place_of
from .surroundings import Surroundings

__all__ = ["CHANGE", "HISTORY", "LIMIT", "PROGRAM", "Trial", "Refused", "trial_run"]

PROGRAM, HISTORY, CHANGE, LIMIT = "program", "history", "change", "limit"
_PLAIN_RESULTS = (int, float, complex, str, bool, type(None))


class Refused(RuntimeError):
    """A call cannot be replayed, and is not to run otherwise."""

    def __init__(self, reason, place):
        super().__init__(reason)
        self.place = place


class TrialCapturing(Capturing):
    """A capturing that knows where in the program it ended, and refuses there if it is ``strict`` and the program is the reason."""

    def __init__(self, arguments, leaves, strict):
        super().__init__(
            arguments, Surroundings(), True, leaves
        )  # what is around is watched by ``PythonEffects``
        self.strict = strict
        self.place: Any = None
        self.used_up: set[int] = set()  # numbers of nodes that a backward has run for good
        self.ops_called = 0  # ops that the function called
        self.owners = {id(owner_of(x._array)) for x in arguments}
        self.why_no_history: str | None = None
        self.noting_history = self.ran_backward = False

    def end(self, reason=None):
        """Same as ``Capturing.end``."""
        if reason is not None:
            sys.setprofile(None)
            self.place = place_of(sys._getframe(1))
        super().end(reason)
        if self.strict and reason is not None and reads_elements(reason):
            raise Refused(reason, self.place)

    def started(self, cls, operands, params, proceed):
        """Same as ``Capturing.started``."""
        self.ops_called += self.program.inside == 1
        return super().started(cls, operands, params, proceed)

    def _touch(self, tensor):
        if (
            id(owner_of(tensor._array)) in self.owners
        ):  # arguments are noted as copies, which do not see what is written to it
            raise Leak("an argument shares memory with another tensor")
        super()._touch(tensor)

    def follow(self, *tensors):
        """Let traced arrays stand in the place of these tensors' own, which no op has met yet."""
        try:
            self.touch(*tensors)
        except Leak as leak:
            self.end(str(leak))

    def node(self, function, node, g, xp, keep):
        """Same as ``Capturing.node``."""
        self.ran_backward |= not self.noting_history
        if not keep:
            self.used_up.add(node._seq)
        return super().node(function, node, g, xp, keep)

    def leaf(self, function, node, g, fresh, xp, capture, found):
        """Same as ``Capturing.leaf``."""
        if self.noting_history:  # it is handed out
            function(node, g, fresh, xp, capture, found)
        else:
            super().leaf(function, node, g, fresh, xp, capture, found)

    def note_history(self, result, since, looks):
        """Note how gradients go back from a result that requires grad."""
        given = (*[id(x) for x in self.arguments], *self.touched)
        leaves, _ = tree_flatten(result)
        if not self.program.open or not results_with_history(leaves, given):
            return
        nodes = [node_of(leaves[i]._edge) for i in results_with_history(leaves, given)]
        if all(node is not None and node._seq in self.used_up for node in nodes):
            return
        self.noting_history, self.strict = True, False
        try:
            if self.ran_backward or self.grads:
                raise Leak("it runs a backward, and returns what requires grad")
            self.history = History(self, result, since, looks)
        except Exception as error:
            self.why_no_history = str(error)
            self.program.new_state = True
        if self.program.reason is not None:
            self.history, self.why_no_history = None, self.program.reason


def reads_elements(reason):
    """Whether noting ended because the program asks for elements, or for its end; and not for what cannot be followed."""
    return "elements" in reason or reason in (compiling.DISABLED, compiling.BREAK)


class Trial:
    """A call that was noted: ``kind`` and ``reason`` say why it is not to be replayed, ``place`` where in the program that is; or else they are None."""

    def __init__(self, capturing, effects):
        self.capturing = capturing
        self.effects = effects
        self.kind: str | None = None
        self.reason: str | None = None
        self.place: Any = None
        self.outcome: Any = None
        self.settings: Any = None
        self.used: set[int] = set()  # the memories that were there before, and that it reads

    def refuse(self, kind, reason, place=None):
        """Set why it is not to be replayed."""
        self.kind, self.reason, self.place = kind, reason, place


def trial_run(function, args, kwargs, leaves, before=None, strict=False, looks=()):
    """What ``function(*args, **kwargs)`` returns, and a ``Trial``; ``strict``: raise ``Refused`` before an effect, and where elements are read.

    ``looks`` says for which gradients of results that require grad the backward is noted: see ``history.py``.
    """
    tensors = [x for x in leaves if isinstance(x, Tensor)]
    others = [x for x in leaves if not isinstance(x, Tensor)]
    capturing = TrialCapturing(tensors, () if before is None else before.outcome.leaves, strict)
    effects = PythonEffects(function, others, capturing, strict)
    trial = Trial(capturing, effects)
    if len(capturing.owners) < len({id(x) for x in tensors}):
        trial.refuse(LIMIT, "two arguments share memory")
        return function(*args, **kwargs), trial
    given = KeptState()
    given.add((args, kwargs), "an argument")
    there_before = {id(x): weakref.ref(x) for x in gc.get_objects() if issubclass(type(x), Tensor)}
    modes = _modes()

    def function_and_history(*args, **kwargs):
        since = latest()
        result = effects.run(*args, **kwargs)
        if thread_state.recording:
            capturing.note_history(result, since, looks)
        return result

    try:
        result = capturing.run(function_and_history, args, kwargs)
    except (Refused, EffectFound) as error:
        raise Refused(
            str(error), getattr(error, "place", None) or (effects.found or (None, None))[1]
        ) from None
    except Exception as error:
        if not _has_done_nothing(capturing, effects):
            raise
        result = function(*args, **kwargs)  # raises the same, if the error is the program's
        trial.refuse(LIMIT, f"noting it failed: {error}", place_of(error))
        return result, trial
    if effects.found is not None:
        trial.refuse(PROGRAM if effects.of_program else LIMIT, *effects.found)
    elif capturing.why_no_history is not None:
        trial.refuse(HISTORY, capturing.why_no_history)
    elif capturing.program.reason is not None:
        reason = capturing.program.reason
        trial.refuse(PROGRAM if reads_elements(reason) else LIMIT, reason, capturing.place)
    elif modes != _modes():
        trial.refuse(PROGRAM, "it leaves another mode behind than it found")
    elif (what := effects.change(capturing.grads)) is not None or (
        not given.holds() and (what := "an argument has changed in the call")
    ):
        trial.refuse(CHANGE, what)
    else:
        try:
            _look_at_outcome(trial, result, given, there_before)
        except Leak as leak:
            trial.refuse(LIMIT, str(leak))
    return result, trial


def _modes():
    return (
        thread_state.recording,
        thread_state.inference,
        thread_state.autocast,
        thread_state.watchers,
        hooks_on_all_modules(),
    )


def _has_done_nothing(capturing, effects):
    """Whether all that was noted until an error may be done again."""
    program = capturing.program
    return (
        effects.found is None
        and effects.change(()) is None
        and not capturing.grads
        and all(memory.pristine is None for memory in program.memories.values())
        and not any(step.draws or step.kind == "python" for step in program.steps)
    )


def _look_at_outcome(trial, result, given, there_before):
    """Say what of the outcome a replay could not leave behind as the call has."""
    capturing = trial.capturing
    program = capturing.program
    state = trial.effects.state

    def is_new(x):
        return id(x) not in there_before or there_before[id(x)]() is not x

    if (why := _why_not_returned(result, state.seen | given.seen)) is not None:
        return trial.refuse(LIMIT, why)
    outcome = trial.outcome = Outcome(capturing, result)
    history = capturing.history
    for x, recipe in zip(outcome.results, outcome.recipes):
        if (
            recipe[0] == "output"
            and x.requires_grad
            and (history is None or not any(x is outcome.results[j] for j in history.numbers))
            and (history is not None or x._edge is None or node_of(x._edge)._seq not in capturing.used_up)
        ):
            return trial.refuse(
                HISTORY, "it returns what requires grad, and a replay would return it without the history"
            )
        if recipe[0] == "same" and isinstance(x, Tensor) and (is_new(x) or id(x) not in state.tensors):
            return trial.refuse(LIMIT, "it returns a tensor that no op made")
    numbers = [place.memory.number for place in outcome.outputs]
    if len(set(numbers)) < len(numbers):
        return trial.refuse(LIMIT, "two of its results, or gradients, share memory")
    if any(place.memory.born is None for place in outcome.outputs):
        return trial.refuse(LIMIT, "it returns memory that no op made")
    if history is not None and (why := _add_history(outcome, history, trial)) is not None:
        return trial.refuse(HISTORY, why)
    if outcome.requires or any(memory.pristine is not None for *_, memory in capturing.copies.values()):
        return trial.refuse(LIMIT, "it writes to an argument")
    read = {place.memory.number for step in program.steps for place in step.places()} | set(numbers)
    if history is None and any(
        x._node._extra is not None
        for x, _ in state.tensors.values()
        if x.requires_grad and x.is_leaf and x._node is not None
    ):
        return trial.refuse(LIMIT, "a tensor has hooks")
    arguments = {id(x) for x in capturing.arguments}
    added_to = {id(grad) for _, grad in capturing.grads.values()}
    for t in capturing.touched.values():
        if t.tensor._array is not t.array or t.tensor.requires_grad is not t.requires_grad:
            return trial.refuse(LIMIT, "the data or the requires_grad of a tensor is set")
        number = program.memory(t.array).number
        if is_new(t.tensor) or id(t.tensor) in arguments or number not in read:
            continue
        known = any(id(t.tensor) in known for known in (state.tensors, state.of_optimizers, added_to))
        if not known and not is_kept(t.tensor):
            return trial.refuse(LIMIT, "it gets at a tensor in a way that is not followed")
        if id(t.tensor) not in added_to:
            trial.used.add(number)
    return None


def _add_history(outcome, history, trial):
    """Let two noted runs be compared by their backwards too; returns why the history cannot be replayed, None if it can."""
    capturing, program = outcome.capturing, outcome.program
    if not history.ends:
        return "what it returns requires grad, and no gradient leaves it"
    storages = {program.memory(t.array).number: t.tensor._storage for t in capturing.touched.values()}
    for number, (i, _) in capturing.inputs.items():
        storages[number] = capturing.arguments[i]._storage
    for number, saved in history.saved.items():
        if number in storages and any(storage is not storages[number] for storage in saved):
            return "it saves data that is apart from the tensor that it belongs to"
    outcome.outputs += history.places
    if not trial.effects.state.reads_gradients():
        # of leaves, which it does not ask: there may be one by the next call
        outcome.entry = [(leaf, grad) for leaf, grad in outcome.entry if grad is not None]
    return None


def _why_not_returned(result, kept):
    """What of a result cannot be made again: a container that was there before, or an object that is neither a tensor nor a number."""
    pending = [result]
    while pending:
        x = pending.pop()
        if isinstance(x, Tensor):
            if x.__class__ not in fast_classes and id(x) not in kept:
                return f"it returns a {type(x).__name__}"
        elif isinstance(x, (list, dict, tuple)) and x.__class__ is not Size:
            if id(x) in kept and not isinstance(x, tuple):
                return f"it returns a {type(x).__name__} that was there before"
            pending += x.values() if isinstance(x, dict) else x
        elif x.__class__ not in _PLAIN_RESULTS:
            return f"it returns a {type(x).__name__}"
    return None
