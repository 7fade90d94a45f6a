"""``Outcome``: what a noted run has left behind; and whether two runs did the same."""

import numpy as np

from .._api import Tensor
from .._arrays.memory_layout import owner_of
from .._arrays.traced import Leak
from .._base.pytree import tree_flatten
from .._core.families import fast_classes
from .._core.modes import thread_state
from .._core.node import AccumulateGrad, Node
from .capturing import is_set_on
from .program import Place
from .surroundings import is_same

__all__ = ["Outcome"]


class Outcome:
    """What a step that was noted has left behind, and how to leave the same again."""

    def __init__(self, capturing, result):
        self.capturing = capturing
        self.program = capturing.program
        self.results, self.result_spec = tree_flatten(result)
        self.leaves = [leaf for leaf, _, arrived in capturing.leaves().values() if arrived]
        self.numbers = {id(tensor): i for i, tensor in enumerate(capturing.arguments)}
        self.outputs = []  # places that are handed out
        self.made = []  # (requires_grad, version) of the tensors that are made over them
        self.known = {}  # id of a tensor -> the number of its output
        self._grads_of_leaves()
        #: how each leaf of the result is had: ("argument", i), ("same", object), ("output", i)
        self.recipes = []
        for x in self.results:
            if not isinstance(x, Tensor):
                self.recipes.append(("same", x))
            elif id(x) in self.numbers:
                self.recipes.append(("argument", self.numbers[id(x)]))
            elif id(x) in capturing.touched:
                self.recipes.append(("same", x))
            else:
                self.recipes.append(("output", self._output(x)))
        #: tensors, or numbers of arguments, that require grad at the end and did not before, or the other way round
        self.requires = [
            (i, tensor.requires_grad)
            for i, (tensor, before) in enumerate(zip(capturing.arguments, capturing.required_grad))
            if tensor.requires_grad is not before
        ]
        self.requires += [
            (t.tensor, t.tensor.requires_grad)
            for t in capturing.touched.values()
            if t.tensor.requires_grad is not t.requires_grad and id(t.tensor) not in self.numbers
        ]

    def _grads_of_leaves(self):
        """What becomes of ``.grad``, and what it must be at the start, of leaves that are arguments (by number) or were there before."""
        capturing = self.capturing
        self.grads = []  # (leaf, the output's number or None)
        self.finally_at = []  # the ids of the same leaves, and their gradients
        self.entry = []  # (leaf, what its .grad must be)
        for key, (leaf, before, arrived) in capturing.leaves().items():
            holder = self.numbers[key] if key in self.numbers else _holder(leaf)
            at_arrival = arrived[0] if arrived else before
            grad = leaf._grad
            if grad is not None and grad is at_arrival:
                if arrived or id(grad) in capturing.touched:
                    self.entry.append((holder, grad))
                continue
            if at_arrival is None and before is None and (arrived or leaf.requires_grad):
                self.entry.append((holder, None))
            if grad is not before:
                self.grads.append((holder, None if grad is None else self._output(grad)))
                self.finally_at.append((key, grad))

    def grads_at(self, state):
        """What the leaves of ``grads`` had when ``Capturing.state_now`` noted so much of them: "before", what they had before the step; None; or the number of the output that they have at the end, and its version then."""
        found = []
        for (_, number), (key, grad) in zip(self.grads, self.finally_at):
            now = state.get(key, "before")
            if now.__class__ is tuple:
                there, version = now
                now = (number, version) if there() is grad else None
            found.append(now)
        return found

    def _output(self, tensor):
        number = self.known.get(id(tensor))
        if number is not None:
            return number
        array = tensor._array
        if array.__class__ is not np.ndarray or tensor.__class__ not in fast_classes:
            raise Leak(f"it returns a {type(tensor).__name__} of dtype {tensor.dtype}, which is not followed")
        if tensor.is_inference() is not thread_state.inference:
            raise Leak("it returns a tensor that was made in another inference mode; return a clone")
        place = self.program.place(array)
        if any(owner_of(array) is owner_of(x) for _, x, _ in self.capturing.copies.values()):
            raise Leak("it returns a view of an argument; return a clone")
        if any(place.memory is other.memory for other in self.outputs):
            raise Leak("it returns several tensors in the same memory; return clones")
        self.outputs.append(place)
        self.made.append((tensor.requires_grad, tensor._version if not thread_state.inference else 0))
        self.known[id(tensor)] = len(self.outputs) - 1
        return self.known[id(tensor)]

    def holds(self):
        """Whether what the step depends on, besides its arguments, is as it was when it was noted."""
        capturing = self.capturing
        return (
            all(
                t.tensor._array is t.array and t.tensor._node is t.node
                for t in capturing.touched.values()
                if id(t.tensor) not in self.numbers
            )
            and all(guard() for guard in capturing.guards)
            and all(is_set_on(module, state) for module, state in capturing.modules.values())
            and capturing.surroundings.unchanged()
        )

    def differs(self, before):
        """In what way the step did not do what it did ``before``, and the line; (None, "") if it did the same."""
        forms = [None if x.history is None else x.history.form() for x in (before.capturing, self.capturing)]
        if forms[0] != forms[1]:
            return "two calls of it did not do the same: their gradients go other ways", ""
        match = Match(before.program, self.program)
        for i, (was, step) in enumerate(zip(before.program.steps, self.program.steps)):
            if (why := match.step(was, step)) is not None:
                return (
                    f"two calls of it did not do the same: call {i} of NumPy, {_name(step.function)}, {why}",
                    step.where(),
                )
        steps, others = self.program.steps, before.program.steps
        if len(others) != len(steps):
            more = max(steps, others, key=len)[min(len(steps), len(others))]
            return (
                f"two calls of it did not do the same: one made {len(others)} calls of NumPy, the other {len(steps)}",
                more.where(),
            )
        if (why := self._returns_other(before, match)) is not None:
            return f"two calls of it did not do the same: {why}", ""
        why, number = match.constants()
        if why is not None:
            line = next(
                (step.where() for step in steps if any(p.memory.number == number for p in step.places())), ""
            )
            return f"two calls of it did not do the same: {why}", line
        if any(place.memory.number in match.lasting for place in self.outputs):
            return "it returns a view of a tensor that was there before; return a clone", ""
        self.lasting = match.lasting
        return None, ""

    def _returns_other(self, before, match):
        if before.result_spec != self.result_spec or len(before.outputs) != len(self.outputs):
            return "they returned other structures"
        for was, now in zip(before.recipes, self.recipes):
            if was[0] != now[0] or not is_same(was[1], now[1]):
                return f"they returned {was[1]} and {now[1]}"
        if not all(map(match.place, before.outputs, self.outputs)):
            return "they returned results of other calls"
        if before.made != self.made:
            return "they returned tensors that were written to, or require grad, in one of them only"
        if _kept(before.grads) != _kept(self.grads):
            return "they left gradients at other leaves"
        return None


def _holder(leaf):
    """What has the ``.grad`` of a leaf: its node, which is quicker to ask, or itself while it requires no grad."""
    node = leaf._node
    return node if node.__class__ is AccumulateGrad else leaf


def _kept(grads):
    return {(id(leaf), output is None) for leaf, output in grads if leaf.__class__ is not int}


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
        """Look at memory that was there before: what is the same lasts; what was made anew must have had the same elements.

        Returns what is wrong, and with which memory; (None, None) if nothing is.
        """
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
                return "an array that no operation on tensors had made had other elements", now.number
        return None, None


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
