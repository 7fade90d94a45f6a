"""``capture``: steps that run again as one flat function of NumPy calls."""

import functools
import threading
import traceback
from contextvars import copy_context
from sys import getrefcount
from typing import Any

import numpy as np

from .. import nn
from .._api import Tensor
from .._arrays.memory_layout import owner_of
from .._arrays.traced import Leak
from .._base.errors import SECOND_BACKWARD
from .._base.pytree import tree_flatten, tree_unflatten
from .._core.families import fast_classes
from .._core.modes import reads_unusual_modes, thread_state
from .._core.node import Node
from .._core.storage import own_storage
from .._core.tensor import wrap, wrap_each
from .._core.views import View
from .capturing import Capturing, state_of
from .explanation import Explanation
from .program import Place
from .source import Plan

__all__ = ["Captured", "capture"]

unusual_modes = 0
reads_unusual_modes(globals())

#: How many sets of arguments' shapes, dtypes and options have a plan each.
MOST = 8
#: How often a step is noted before it is given up: twice alike is wanted, and the first times may make states that last.
TRIES = 4


def capture(function: Any = None, *, fallback: bool = False) -> Any:
    """``function``, a step that does the same at each call, as one that runs again what NumPy was asked to do, without the Python around it.

    The first calls run as ever and are noted, until two notings are alike; from then on the noted calls run, in memory that is reserved once, with results and effects that have the
    same bits: on parameters, gradients, buffers, states of optimizers, random numbers.  What else Python does in the step (prints, counters, branches) it does while capturing only.

    Guards see to it that a plan fits: structure of the arguments, shapes, dtypes, strides and ``requires_grad`` of tensors, equality of all else; grad mode, ``training`` of modules,
    options of optimizers, the arrays of parameters.  There may be eight plans; beyond them the step runs eagerly.

    Raises RuntimeError where a step reads a tensor's value (``item()``, a branch, ``print``) or cannot be followed, and says where; with ``fallback=True`` such a step stays eager.

    >>> import minigrad
    >>> w = minigrad.ones(2, requires_grad=True)
    >>> optimizer = minigrad.optim.SGD([w], lr=0.5)
    >>> @minigrad.capture
    ... def step(x):
    ...     optimizer.zero_grad()
    ...     loss = (w * x).sum()
    ...     loss.backward()
    ...     optimizer.step()
    ...     return loss.detach()
    >>> for _ in range(4):
    ...     loss = step(minigrad.tensor([1., 2.]))
    >>> loss, w
    (tensor(-4.5000), tensor([-1., -3.], requires_grad=True))
    """
    if function is None:
        return functools.partial(capture, fallback=fallback)
    if not callable(function):
        raise TypeError(f"capture() takes a function, not {type(function).__name__}")
    return Captured(function, fallback)


class Captured:
    """A step that has been, or is to be, captured: see ``capture``."""

    def __init__(self, function, fallback):
        self._function = function
        self._fallback = fallback
        self._plans: dict[Any, Any] = {}  # what arguments look like -> an Entry
        self._latest: Any = None, None  # the same, as a list, and the Entry, of the latest call
        self._lock = threading.RLock()
        functools.update_wrapper(self, function)

    def __call__(self, *args, **kwargs):
        looks = None if kwargs else quick_look(args)
        if looks is None:
            leaves, spec = tree_flatten((args, kwargs))
            looks = look(leaves, spec)
        else:
            leaves = args
        with self._lock:
            if looks == self._latest[0]:
                entry = self._latest[1]
            else:
                looks = tuple(looks)
                entry = self._plans.get(looks)
                if entry is None:
                    if len(self._plans) >= MOST:
                        return self._function(*args, **kwargs)
                    entry = self._plans[looks] = Entry()
                self._latest = [*looks], entry
            replay = entry.replay
            if entry.reason is not None or (unusual_modes and thread_state.capturing is not None):
                return self._function(*args, **kwargs)
            if replay is not None:
                if replay.fits():
                    return replay(leaves if entry.tensors is None else [leaves[i] for i in entry.tensors])
                entry.forget()
            return entry.note(self._function, args, kwargs, leaves, self._fallback)

    @property
    def replays(self):
        """Whether a plan is ready for some look of the arguments."""
        return any(entry.replay is not None for entry in self._plans.values())

    def explain(self, *args, **kwargs):
        """What a call with these arguments runs, as text: how many calls of NumPy, which functions run whole and why, bytes, guards, and the source.

        In a notebook it is shown with colours for forward, backward and update.  The arguments are only looked at, not used.  Where nothing is replayed yet the text says so, and why, if that is known.

        >>> import minigrad
        >>> step = minigrad.capture(lambda x: (x * 2).tanh())
        >>> for _ in range(3):
        ...     y = step(minigrad.ones(3))
        >>> print(step.explain(minigrad.ones(3)))
        2 calls of NumPy, 0 of them functions that run whole; 16 bytes of buffers; 0 guards
        <BLANKLINE>
        def replay(x0):
            multiply(x0, given1, mul1)
            tanh1 = empty((3,), float32)
            tanh(mul1, tanh1)
            return (tanh1,)
        """
        leaves, spec = tree_flatten((args, kwargs))
        looks = None if kwargs else quick_look(args)
        entry = self._plans.get(tuple(look(leaves, spec) if looks is None else looks))
        if entry is None:
            return "no call with such arguments has been noted"
        if entry.replay is None:
            return f"runs eagerly: {entry.reason}" if entry.reason else "noted, but not twice alike yet"
        return entry.replay.explained()

    def reset(self):
        """Forget all plans: the next calls are noted anew."""
        with self._lock:
            self._plans.clear()
            self._latest = None, None


def quick_look(args):
    """As ``look``, for plain tensors that are all different, and numbers; None for others."""
    if len(args) > 1 and len({*map(id, args)}) < len(args):
        return None
    seen = [len(args), _modes() if unusual_modes else None]
    for x in args:
        if x.__class__ in fast_classes:
            a = x._array
            seen += (a.dtype, a.shape, a.strides, x.__class__, x._node is not None and x.requires_grad)
        elif x.__class__ in _IMMUTABLE:
            seen += (x.__class__, x)
        else:
            return None
    return seen


_IMMUTABLE = frozenset({int, float, bool, str, complex, type(None)})


def _modes():
    return thread_state.recording, thread_state.inference, thread_state.autocast is not None


def look(leaves, spec):
    """What a plan depends on that can be seen in a call."""
    seen = [spec, _modes() if unusual_modes else None]
    for x in leaves:
        if isinstance(x, Tensor):
            a = x._array
            seen.append((type(x), x.dtype, a.shape, a.strides, x.requires_grad))
        else:
            seen.append((type(x), x))
    tensors = [id(x) for x in leaves if isinstance(x, Tensor)]
    if len(set(tensors)) != len(tensors):
        seen.append([tensors.index(number) for number in tensors].__repr__())
    return seen


class Entry:
    """All there is for one look of the arguments: the latest noted run, a replay once two were alike, or the reason why there is none."""

    def __init__(self):
        self.replay: Any = None
        self.before: Any = None
        self.tensors: Any = None  # which of the leaves are tensors, None if all are
        self.tries = 0
        self.reason: str | None = None

    def forget(self):
        """A guard does not hold any more: note anew."""
        self.replay = self.before = None
        self.tries = 0

    def note(self, function, args, kwargs, leaves, fallback):
        """Run the step as ever, and note it."""
        capturing = Capturing(
            [x for x in leaves if isinstance(x, Tensor)],
            fallback,
            () if self.before is None else self.before.nodes,
        )
        try:
            result = capturing.run(function, args, kwargs)
        except Leak as leak:
            where = _line_of_user(leak)
            raise RuntimeError(
                f"this step cannot be captured: {leak}{where}.  With capture(..., fallback=True) it runs eagerly"
            ) from None
        if capturing.program.reason is not None:
            self.reason = capturing.program.reason
            return result
        try:
            now = Outcome(capturing, result)
        except Leak as leak:
            if not fallback:
                raise RuntimeError(f"this step cannot be captured: {leak}") from None
            self.reason = str(leak)
            return result
        self.tries += 1
        if self.before is not None and (why := now.differs(self.before)) is None:
            self.replay = Replay(now)
            self.before = None
            tensors = [i for i, x in enumerate(leaves) if isinstance(x, Tensor)]
            self.tensors = tensors if len(tensors) < len(leaves) else None
        elif self.tries >= TRIES:
            if not fallback:
                raise RuntimeError(
                    f"this step cannot be captured: two calls of it did not do the same: {why}"
                )
            self.reason = why
        else:
            self.before = now
        return result


class Outcome:
    """What a step that was noted has left behind, and how to leave the same again."""

    def __init__(self, capturing, result):
        self.capturing = capturing
        self.program = capturing.program
        self.results, self.result_spec = tree_flatten(result)
        self.nodes = [node for node, _ in capturing.grads.values()]
        arguments = {id(tensor): i for i, tensor in enumerate(capturing.arguments)}
        self.outputs = []  # places that are handed out
        #: how each leaf of the result is had: ("argument", i), ("same", object), ("output", i, requires_grad, version)
        self.recipes = []
        for x in self.results:
            if not isinstance(x, Tensor):
                self.recipes.append(("same", x))
            elif id(x) in arguments:
                self.recipes.append(("argument", arguments[id(x)]))
            elif id(x) in capturing.touched:
                self.recipes.append(("same", x))
            else:
                version = 0 if x.is_inference() else x._version
                self.recipes.append(("output", self._output(x), x.requires_grad, version))
        self.requires = [
            (i, tensor.requires_grad)
            for i, (tensor, before) in enumerate(zip(capturing.arguments, capturing.required_grad))
            if tensor.requires_grad is not before
        ]
        #: what becomes of the gradients of leaves: (argument's number or node, None or the output's number, the version)
        self.grads = []
        self.entry = []  # nodes whose .grad must be None at the start, or a tensor that is added to
        for node, at_arrival in capturing.grads.values():
            leaf = next((i for i, t in enumerate(capturing.arguments) if t._node is node), node)
            if leaf is node and node.leaf() is None:  # made in the step, and gone with it
                continue
            grad = node.grad
            if grad is not None and grad is at_arrival:
                self.entry.append((leaf, grad))
                continue
            if at_arrival is None and capturing.entry_grads.get(id(node)) is None:
                self.entry.append((leaf, None))
            self.grads.append((leaf, None, 0) if grad is None else (leaf, self._output(grad), grad._version))

    def _output(self, tensor):
        array = tensor._array
        if array.__class__ is not np.ndarray or tensor.__class__ not in fast_classes:
            raise Leak(f"it returns a {type(tensor).__name__} of dtype {tensor.dtype}, which is not followed")
        place = self.program.place(array)
        if any(owner_of(array) is owner_of(x) for _, x, _ in self.capturing.copies.values()):
            raise Leak("it returns a view of an argument; return a clone")
        self.outputs.append(place)
        return len(self.outputs) - 1

    def differs(self, before):
        """In what way the step did not do what it did ``before``; None if it did the same."""
        match = Match(before.program, self.program)
        for i, (was, step) in enumerate(zip(before.program.steps, self.program.steps)):
            if (why := match.step(was, step)) is not None:
                return f"call {i} of NumPy, {_name(step.function)}, {why}"
        if len(before.program.steps) != len(self.program.steps):
            return f"one made {len(before.program.steps)} calls of NumPy, the other {len(self.program.steps)}"
        if before.result_spec != self.result_spec or len(before.outputs) != len(self.outputs):
            return "they returned other structures"
        for was, now in zip(before.recipes, self.recipes):
            if was[0] != now[0] or (was[0] != "output" and was[1] is not now[1] and was[1] != now[1]):
                return f"they returned {was[1]} and {now[1]}"
        if not all(map(match.place, before.outputs, self.outputs)):
            return "they returned results of other calls"
        if [leaf for leaf, *_ in before.grads if not isinstance(leaf, int)] != [
            leaf for leaf, *_ in self.grads if not isinstance(leaf, int)
        ]:
            return "they left gradients at other leaves"
        if (why := match.constants()) is not None:
            return why
        self.lasting = match.lasting
        return None


class Match:
    """Which memories of one program are which of another."""

    def __init__(self, before, now):
        self.numbers = {}
        self.memories = {}
        self.lasting = set()

    def memory(self, was, now):
        known = self.numbers.setdefault(now.number, was.number)
        self.memories[now.number] = was, now
        return known == was.number and (was.born is None) == (now.born is None)

    def place(self, was, now):
        return (was is None) == (now is None) and (
            now is None or (was.key()[1:] == now.key()[1:] and self.memory(was.memory, now.memory))
        )

    def value(self, was, now):
        """Whether two operands are the same."""
        if was.__class__ is not now.__class__:
            return False
        if now.__class__ is Place:
            return self.place(was, now)
        if now.__class__ is tuple or now.__class__ is list:
            return len(was) == len(now) and all(map(self.value, was, now))
        if now is was or callable(now):
            return now is was or _same_function(was, now)
        if now.__class__ is float and now != now:
            return was != was
        try:
            return bool(was == now) and repr(was) == repr(now)
        except Exception:
            return False

    def step(self, was, now):
        if was.kind != now.kind or not _same_function(was.function, now.function):
            return f"was {_name(was.function)}"
        if (
            not self.value(was.args, now.args)
            or was.kwargs.keys() != now.kwargs.keys()
            or not all(self.value(was.kwargs[k], now.kwargs[k]) for k in now.kwargs)
        ):
            return "had other operands"
        if (
            len(was.results) != len(now.results)
            or not all(map(self.place, was.results, now.results))
            or not all(map(self.place, was.writes, now.writes))
        ):
            return "had other results"
        return None

    def constants(self):
        """Look at memory that was there before: what is the same lasts; what was made anew must have had the same elements."""
        for was, now in self.memories.values():
            if now.born is not None or now.refilled:
                continue
            if was.array is now.array:
                self.lasting.add(now.number)
                continue
            if now.is_input:
                continue
            a, b = (m.array if m.pristine is None else m.pristine for m in (was, now))
            if a.shape != b.shape or a.dtype != b.dtype or a.tobytes() != b.tobytes():
                return "an array that was not made by ops of tensors had other elements"
        return None


def _same_function(was, now):
    if was is now:
        return True
    if getattr(was, "__self__", None) is not None and was.__self__ is getattr(now, "__self__", None):
        return was.__name__ == now.__name__
    code = getattr(was, "__code__", None)
    if code is None or code is not getattr(now, "__code__", None):
        return False
    cells = zip(was.__closure__ or (), now.__closure__ or ())
    return all(_same_cell(a.cell_contents, b.cell_contents) for a, b in cells)


def _same_cell(a, b):
    if isinstance(a, Node):
        return type(a) is type(b) and a.casts == b.casts and a.shapes == b.shapes
    if hasattr(a, "__code__"):
        return _same_function(a, b)
    simple = (int, float, complex, str, bool, type(None), tuple)
    return not isinstance(a, simple) or not isinstance(b, simple) or a is b or a == b or (a != a and b != b)


def _name(function):
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__name__", str(function))
    return f"{owner.__name__}.{name}" if isinstance(owner, np.ufunc) else name


def _name_of_gradient(leaf, names, program):
    """What the gradient at a leaf is called in the source; None if the leaf has no name."""
    tensor = leaf.variable
    name = names.get(program.place(tensor._array).region()) if program.knows(tensor._array) else None
    return name and f"d_{name.lstrip('_')}"


#: In the place of a node: what is derived from it is looked at in each call.
VARYING = object()


class Replay:
    """Runs a plan and leaves behind what the step leaves behind."""

    def __init__(self, outcome):
        capturing = outcome.capturing
        names = capturing.names()
        returned = {what for kind, what, *_ in outcome.recipes if kind == "output"}
        self.plan = plan = Plan(
            outcome.program,
            capturing.inputs,
            outcome.outputs,
            outcome.lasting,
            names,
            {
                place: _name_of_gradient(leaf, names, outcome.program)
                for leaf, place, _ in outcome.grads
                if leaf.__class__ is not int and place is not None and place not in returned
            },
        )
        self.places = sorted(i for i, _ in capturing.inputs.values())
        self.spec = outcome.result_spec
        self.single = self.spec.is_leaf()
        self.recipes = [
            (kind, plan.position[what] if kind == "output" else what, *more)
            for kind, what, *more in outcome.recipes
        ]
        #: whether the result is an output, and nothing else
        self.is_alone = self.single and self.recipes == [("output", 0, False, 0)]
        self.entry = outcome.entry
        #: the leaves whose .grad each run sets, to begin with to None; then a tensor over a fixed array, or over an output
        self.leaves = [leaf for leaf, *_ in outcome.grads if leaf.__class__ is not int]
        position = plan.position
        self.grads = [
            (leaf, position.get(place), version)
            for leaf, place, version in outcome.grads
            if place not in plan.fixed
        ]
        self.fixed_grads = [grad for grad in outcome.grads if grad[1] in plan.fixed]
        self._follow_gradients()
        #: in which NumPy does not warn; functions of Python that are called in each run have what is set around the step
        self.context = None if plan.calls_python else copy_context()
        if self.context is not None:
            self.context.run(np.seterr, all="ignore")
        self.guards = tuple(capturing.guards)
        own = {id(t) for t in capturing.arguments}
        lasting = [m.array for m in outcome.program.memories.values() if m.number in outcome.lasting]
        owners = set(map(id, lasting))
        self.tensors = [
            # a view's node may stay, and yet its gradients be wanted no more
            (
                t.tensor,
                t.array,
                VARYING if t.tensor._node.__class__ is View else t.tensor._node,
                t.requires_grad,
            )
            for t in capturing.touched.values()
            if id(t.tensor) not in own and id(owner_of(t.array)) in owners
        ]
        seen = {}
        for t in capturing.touched.values():
            storage = t.tensor._storage
            change = storage.version - t.version
            if change and id(t.tensor) not in own and id(owner_of(t.array)) in owners:
                seen[id(storage)] = (storage, change)
        self.versions = list(seen.values())
        self.argument_versions = [
            (i, change)
            for i, t in enumerate(capturing.arguments)
            if (change := t._storage.version - capturing.argument_versions[i])
        ]
        self.requires = outcome.requires
        self.modules = list(capturing.modules.values())
        self.changes = nn.modules.module._everywhere.changes

    def explained(self):
        """See ``Captured.explain``."""
        plan = self.plan
        guards = len(self.tensors) + len(self.guards) + len(self.modules) + len(self.entry)
        lines = [
            f"{plan.calls} calls of NumPy, {len(plan.whole)} of them functions that run whole; {plan.bytes:,} bytes of buffers; {guards} guards"
        ]
        lines += [f"  {operator} runs whole: {why}" for operator, why in plan.whole]
        return Explanation(lines, plan.lines_by_part())

    def fits(self):
        """Whether all is as it was when the step was noted."""
        for tensor, array, node, requires_grad in self.tensors:
            if tensor._array is not array or (
                tensor._node is not node and tensor.requires_grad is not requires_grad
            ):
                return False
        for node, grad in self.entry:
            if node.__class__ is not int and node.grad is not grad:
                return False
        if self.changes != nn.modules.module._everywhere.changes:
            if any(state_of(module) != state for module, state in self.modules):
                return False
            self.changes = nn.modules.module._everywhere.changes
        for guard in self.guards:  # noqa: SIM110 -- quicker than all()
            if not guard():
                return False
        return True

    def _follow_gradients(self):
        """Note how often the gradients' memory is referred to while nobody holds any of it."""
        self.run = self.plan.run
        fixed = self.plan.fixed
        self.fixed = [fixed[place] for _, place, _ in self.fixed_grads]
        watched = (*self.plan.gradient_owners.values(), *self.fixed)
        self.watched = [*{id(array): array for array in watched}.values()]
        del watched
        self.counts = [*map(getrefcount, self.watched)]

    def __call__(self, arguments):
        for leaf in self.leaves:
            leaf.grad = None
        if [*map(getrefcount, self.watched)] != self.counts:  # a gradient was kept, or a view of one
            self.fixed = self.watched = ()
            self.plan.renew_gradients()
            self._follow_gradients()
        arrays = [arguments[i]._array for i in self.places]
        if self.context is not None:
            outputs = self.context.run(self.run, *arrays)
        else:
            with np.errstate(all="ignore"):
                outputs = self.run(*arrays)
        for storage, change in self.versions:
            storage.version += change
        for i, change in self.argument_versions:
            own_storage(arguments[i]).version += change
        for i, requires in self.requires:
            arguments[i].requires_grad_(requires)
        for (leaf, _, version), grad in zip(self.fixed_grads, wrap_each(self.fixed)):
            leaf.grad = grad
            if version:
                own_storage(grad).version = version
        for leaf, place, version in self.grads:
            if leaf.__class__ is int:
                leaf = arguments[leaf]._edge
            if place is None:
                leaf.grad = None
                continue
            leaf.grad = grad = wrap(outputs[place])
            if version:
                own_storage(grad).version = version
        if self.is_alone:
            return wrap(outputs[0])
        results = []
        for kind, what, *more in self.recipes:
            if kind == "output":
                x = wrap(outputs[what])
                if more[0]:
                    x._node = Ended()
                if more[1]:
                    own_storage(x).version = more[1]
                results.append(x)
            else:
                results.append(arguments[what] if kind == "argument" else what)
        return results[0] if self.single else tree_unflatten(results, self.spec)


class Ended(Node):
    """The history of what a captured step returns: it ended with the step."""

    __slots__ = ()
    _next = ()
    _seq = 0
    _extra = None

    def name(self):
        """As users see it."""
        return "CapturedStepBackward"

    def backward(self, xp, g, keep):
        """Refuse."""
        raise RuntimeError(SECOND_BACKWARD)


def _line_of_user(error):
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if "/minigrad/" not in f.filename.replace("\\", "/")
    ]
    return f" (line {frames[-1].lineno} of {frames[-1].filename}: {frames[-1].line})" if frames else ""
