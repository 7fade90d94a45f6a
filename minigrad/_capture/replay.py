"""``Replay``: runs a plan and leaves behind what the step leaves behind, as long as all is as it was when the step was noted."""

from contextvars import copy_context
from sys import getrefcount

import numpy as np

from .. import nn
from .._arrays.memory_layout import owner_of
from .._base import device, dtypes, settings
from .._base.errors import SECOND_BACKWARD
from .._base.pytree import tree_unflatten
from .._core import hooks
from .._core.node import Node
from .._core.storage import own_storage
from .._core.tensor import wrap_each
from .._core.views import View
from .capturing import is_set_on
from .conditions import Conditions
from .explanation import Explanation
from .source import Plan
from .surroundings import GONE

__all__ = ["Replay"]

_everywhere = nn.modules.global_hooks._everywhere


class Replay:
    """Calls of a step for which ``outcome`` is that of a noted one."""

    def __init__(self, outcome):
        capturing = outcome.capturing
        names = capturing.names()
        returned = {what for kind, what in outcome.recipes if kind == "output"}
        self.plan = plan = Plan(
            outcome.program,
            capturing.inputs,
            outcome.outputs,
            outcome.lasting,
            names,
            {
                number: _name_of_gradient(leaf, names, outcome.program)
                for leaf, number in outcome.grads
                if leaf.__class__ is not int and number is not None and number not in returned
            },
        )
        self.places = sorted(i for i, _ in capturing.inputs.values())
        self.spec, self.requires = outcome.result_spec, outcome.requires
        position, made = plan.position, outcome.made
        self.recipes = [
            (kind, position[what] if kind == "output" else what) for kind, what in outcome.recipes
        ]
        #: outputs over which the tensors are not plain: (position, requires_grad, version)
        self.special = [
            (place, *made[number]) for number, place in position.items() if made[number] != (False, 0)
        ]
        #: whether the result is an output, and nothing else
        self.single = self.spec.is_leaf()
        self.is_alone = self.single and self.recipes == [("output", 0)]
        #: the leaves whose .grad each run sets, to begin with to None; then a tensor over a fixed array, or over an output
        self.leaves = [leaf for leaf, _ in outcome.grads if leaf.__class__ is not int]
        self.grads = [
            (leaf, position.get(number)) for leaf, number in outcome.grads if number not in plan.fixed
        ]
        self.fixed_grads = [
            (leaf, number, *made[number]) for leaf, number in outcome.grads if number in plan.fixed
        ]
        self._follow_gradients()
        #: in which NumPy does not warn; functions of Python that are called in each run have what is set around the step
        self.context = None if plan.calls_python else copy_context()
        if self.context is not None:
            self.context.run(np.seterr, all="ignore")
        #: ids of the arrays that own the memory of tensors that were there before
        self.lasting = frozenset(
            id(m.array) for m in outcome.program.memories.values() if m.number in outcome.lasting
        )
        touched = [
            t
            for t in capturing.touched.values()
            if id(t.tensor) not in outcome.numbers and id(owner_of(t.array)) in self.lasting
        ]
        self._follow_versions(capturing, touched)
        self._guard(outcome, touched)

    def _follow_versions(self, capturing, touched):
        """How much is added to the versions of which storages, and of which arguments."""
        seen: dict = {}
        for t in touched:
            storage = t.tensor._storage
            if change := storage.version - t.version:
                seen[id(storage)] = (storage, change)
        self.versions = list(seen.values())
        seen = {}  # an argument may be given twice
        for i, t in enumerate(capturing.arguments):
            if change := t._storage.version - capturing.argument_versions[i]:
                seen.setdefault(id(t._storage), (i, change))
        self.argument_versions = list(seen.values())

    def _guard(self, outcome, touched):
        """What must be as it was when the step was noted."""
        capturing = outcome.capturing
        self.entry = outcome.entry
        self.guards = tuple(capturing.guards)
        self.tensors = [(t.tensor, t.array, t.node) for t in touched]
        self.views = [(t.tensor, t.requires_grad) for t in touched if t.node.__class__ is View]
        self.surroundings = capturing.surroundings
        self.modules = list(capturing.modules.values())
        self.copied = self.plan.copied
        self.changes, self.hooks = _everywhere.changes, hooks.changes
        self.settings = dtypes._default, settings.uninitialized, device._defaults
        self.fits_quickly = self._conditions().function()

    def _conditions(self):
        """What ``fits`` asks, where the same means the same object."""
        conditions = Conditions()
        terms, name = conditions.terms, conditions.name
        for tensor, array, node in self.tensors:
            terms.append(f"{name(tensor)}._array is {name(array)} and {name(tensor)}._node is {name(node)}")
        for leaf, grad in self.entry:
            terms.append(
                f"{f'arguments[{leaf}]' if leaf.__class__ is int else name(leaf)}.grad is {name(grad)}"
            )
        for module, attribute, value in (
            (hooks, "changes", self.hooks),
            (_everywhere, "changes", self.changes),
            (device, "_defaults", device._defaults),
        ):
            terms.append(f"{name(module)}.{attribute} == {value}")
        terms.append(f"{name(dtypes)}._default is {name(dtypes._default)}")
        terms.append(f"{name(settings)}.uninitialized is {name(settings.uninitialized)}")
        terms += [f"{name(tensor)}.requires_grad is {requires}" for tensor, requires in self.views]
        terms += [f"{name(guard)}()" for guard in self.guards]
        terms += [f"not {name(self._is_shared)}({i}, arguments)" for i in self.copied]
        self.surroundings.terms(conditions)
        return conditions

    def explained(self):
        """See ``Captured.explain``."""
        plan = self.plan
        guards = (
            len(self.tensors)
            + len(self.guards)
            + len(self.modules)
            + len(self.entry)
            + len(self.surroundings)
        )
        lines = [
            f"{plan.calls} calls of NumPy, {len(plan.whole)} of them functions that run whole; {plan.bytes:,} bytes of buffers; {guards} guards"
        ]
        lines += [f"  {operator} runs whole: {why}" for operator, why in plan.whole]
        return Explanation(lines, plan.lines_by_part())

    def fits(self, arguments):
        """Whether all is as it was when the step was noted."""
        try:
            if self.fits_quickly(arguments):
                return True
        except GONE:
            return False
        return self._fits(arguments)

    def _fits(self, arguments):
        """As ``fits``, where numbers that are equal are the same, and modules are looked at if anything was set on any."""
        if not (
            all(tensor._array is array and tensor._node is node for tensor, array, node in self.tensors)
            and all(
                (arguments[leaf] if leaf.__class__ is int else leaf).grad is grad for leaf, grad in self.entry
            )
            and all(guard() for guard in self.guards)
            and self.hooks == hooks.changes
            and self.settings == (dtypes._default, settings.uninitialized, device._defaults)
            and all(tensor.requires_grad is requires for tensor, requires in self.views)
            and not any(self._is_shared(i, arguments) for i in self.copied)
            and self.surroundings.unchanged()
        ):
            return False
        if self.changes != _everywhere.changes:
            if not all(is_set_on(module, state) for module, state in self.modules):
                return False
            self.changes = _everywhere.changes
            self.fits_quickly = self._conditions().function()
        return True

    def _is_shared(self, i, arguments):
        """Whether an argument of which a run has a copy lies in the memory of another tensor, which may be written to."""
        owner = owner_of(arguments[i]._array)
        return id(owner) in self.lasting or any(
            x is not arguments[i] and owner_of(x._array) is owner for x in arguments
        )

    def _follow_gradients(self):
        """Note how often the gradients' memory is referred to while nobody holds any of it."""
        self.run = self.plan.run
        fixed = self.plan.fixed
        self.fixed = [fixed[number] for _, number, *_ in self.fixed_grads]
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
        try:
            if self.context is not None:
                outputs = self.context.run(self.run, *arrays)
            else:
                with np.errstate(all="ignore"):
                    outputs = self.run(*arrays)
        finally:  # also where an error ends the run: something may have been written
            for storage, change in self.versions:
                storage.version += change
            for i, change in self.argument_versions:
                own_storage(arguments[i]).version += change
        tensors = wrap_each(outputs)
        for place, requires_grad, version in self.special:
            _finish(tensors[place], requires_grad, version)
        for leaf, requires in self.requires:
            (arguments[leaf] if leaf.__class__ is int else leaf).requires_grad_(requires)
        for (leaf, _, requires_grad, version), grad in zip(self.fixed_grads, wrap_each(self.fixed)):
            leaf.grad = grad
            if version or requires_grad:
                _finish(grad, requires_grad, version)
        for leaf, place in self.grads:
            grad = None if place is None else tensors[place]
            (arguments[leaf] if leaf.__class__ is int else leaf).grad = grad
        if self.is_alone:
            return tensors[0]
        results = []
        for kind, what in self.recipes:
            results.append(
                tensors[what] if kind == "output" else arguments[what] if kind == "argument" else what
            )
        return results[0] if self.single else tree_unflatten(results, self.spec)


def _name_of_gradient(leaf, names, program):
    """What the gradient at a leaf is called in the source; None if the leaf has no name."""
    tensor = leaf.variable if isinstance(leaf, Node) else leaf
    name = names.get(program.place(tensor._array).region()) if program.knows(tensor._array) else None
    return name and f"d_{name.lstrip('_')}"


def _finish(tensor, requires_grad, version):
    if version:
        own_storage(tensor).version = version
    if requires_grad:
        tensor._node = Ended()


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
        raise RuntimeError(
            f"{SECOND_BACKWARD} The history of what a captured step returns has ended with the step."
        )
