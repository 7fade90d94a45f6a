"""``Replay``: runs a plan and leaves behind what the step leaves behind, as long as all is as it was when the step was noted."""

from .. import nn
from .._arrays.memory_layout import owner_of
from .._base import device, dtypes, settings
from .._core import hooks
from .._core.node import Node
from .._core.views import View
from .around import around
from .capturing import is_set_on
from .conditions import Conditions
from .explanation import Explanation
from .kept_gradients import KeptGradients
from .source import Plan
from .surroundings import GONE

__all__ = ["Replay"]

_everywhere = nn.modules.global_hooks._everywhere


class Replay:
    """Calls of a step for which ``outcome`` is that of a noted one."""

    def __init__(self, outcome):
        #: ids of the arrays that own the memory of tensors that were there before
        self.lasting = frozenset(
            id(m.array) for m in outcome.program.memories.values() if m.number in outcome.lasting
        )
        touched = [
            t
            for t in outcome.capturing.touched.values()
            if id(t.tensor) not in outcome.numbers and id(owner_of(t.array)) in self.lasting
        ]
        self._prepare(outcome, outcome.capturing.names(), touched)
        self._guard(outcome, touched)

    def _prepare(self, outcome, names, touched):
        """Make the plan, and ``run``, the function around it."""
        returned = {what for kind, what in outcome.recipes if kind == "output"}
        self.plan = plan = Plan(
            outcome.program,
            outcome.capturing.inputs,
            outcome.outputs,
            outcome.lasting,
            names,
            {
                number: _name_of_gradient(leaf, names, outcome.program)
                for leaf, number in outcome.grads
                if leaf.__class__ is not int and number is not None and number not in returned
            },
        )
        self.kept = KeptGradients(
            plan,
            [
                (leaf, number, outcome.made[number][1])
                for leaf, number in outcome.grads
                if number in plan.fixed and not outcome.made[number][0]
            ],
            {id(leaf) for leaf, grad in outcome.entry if grad is None},
        )
        self.run = around(plan, self.kept, outcome, touched)

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
        self.changes = _everywhere.changes
        self.hooks = [hooks.changes]
        self.settings = dtypes._default, settings.uninitialized, device._defaults
        self.fits_quickly = self._conditions().function()

    def _conditions(self):
        """What ``fits`` asks, where the same means the same object."""
        conditions = Conditions(GONE)
        terms, name = conditions.terms, conditions.name
        for tensor, array, node in self.tensors:
            terms.append(f"{name(tensor)}._array is {name(array)} and {name(tensor)}._node is {name(node)}")
        for leaf, grad in self.entry:
            terms.append(
                f"{f'arguments[{leaf}]' if leaf.__class__ is int else name(leaf)}.grad is {name(grad)}"
            )
        terms.append(f"{name(hooks)}.changes == {name(self.hooks)}[0]")
        for module, attribute, value in (
            (_everywhere, "changes", self.changes),
            (device, "_defaults", device._defaults),
        ):
            terms.append(f"{name(module)}.{attribute} == {value}")
        terms.append(f"{name(dtypes)}._default is {name(dtypes._default)}")
        terms.append(f"{name(settings)}.uninitialized is {name(settings.uninitialized)}")
        terms += [f"{name(tensor)}.requires_grad is {requires}" for tensor, requires in self.views]
        for guard in self.guards:
            ask = getattr(guard, "term", None)
            terms.append(f"{name(guard)}()" if ask is None else ask(conditions))
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
        return Explanation(lines, plan.lines_by_part(), plan)

    def fits(self, arguments):
        """Whether all is as it was when the step was noted."""
        return self.fits_quickly(arguments) or self._fits(arguments)

    def _fits(self, arguments):
        """Like ``fits``, where numbers that are equal are the same, and modules are looked at if anything was set on any."""
        if not (
            all(tensor._array is array and tensor._node is node for tensor, array, node in self.tensors)
            and all(
                (arguments[leaf] if leaf.__class__ is int else leaf).grad is grad for leaf, grad in self.entry
            )
            and all(guard() for guard in self.guards)
            and (self.hooks[0] == hooks.changes or self.may_have_hooks())
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

    def may_have_hooks(self):
        """Whether hooks that were registered or removed since may be left out of account."""
        return False

    def _is_shared(self, i, arguments):
        """Whether an argument of which a run has a copy lies in the memory of another tensor, which may be written to."""
        owner = owner_of(arguments[i]._array)
        return id(owner) in self.lasting or any(
            x is not arguments[i] and owner_of(x._array) is owner for x in arguments
        )

    def again(self, arguments):
        """What the step returns, for arguments that the plan fits."""
        result = self.run(arguments)
        if result is self.kept.kept:
            self.kept.make_ready()
            result = self.run(arguments, True)
        return result


def _name_of_gradient(leaf, names, program):
    """What the gradient at a leaf is called in the source; None if the leaf has no name."""
    tensor = leaf.variable if isinstance(leaf, Node) else leaf
    name = names.get(program.place(tensor._array).region()) if program.knows(tensor._array) else None
    return name and f"d_{name.lstrip('_')}"
