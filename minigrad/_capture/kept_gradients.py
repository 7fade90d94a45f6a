"""``KeptGradients``: gradients that a plan writes into the same arrays in each run, and the tensors over them, as long as nobody else holds any of it.

A run finds a gradient as the run before left it: in its leaf, or, where the leaf must have none, nowhere.  If somebody holds the tensor, or its memory, or has written to it, that run makes
others.  Reference counts tell.
"""

from sys import getrefcount

from .._base.errors import SECOND_BACKWARD
from .._core.modes import thread_state
from .._core.node import Node
from .._core.storage import own_storage
from .._core.tensor import wrap

__all__ = ["KeptGradients", "finish"]


class KeptGradients:
    """``leaves`` has, for each leaf, what holds its ``.grad``, the number of the output, and the version that the gradient gets; those whose ids are in ``without`` have none when a run begins."""

    def __init__(self, plan, leaves, without):
        self.plan, self.leaves = plan, leaves
        self.stays = [id(holder) not in without for holder, *_ in leaves]
        self.kept: list = []  # the tensors, and then the arrays
        self.counts: list = []  # how often each of these is referred to when a run begins and nobody else holds it
        self._follow()

    def _follow(self):
        arrays = [*self.plan.fixed.values(), *self.plan.gradient_owners.values()]
        self.kept[:] = [*[None] * len(self.leaves), *{id(array): array for array in arrays}.values()]
        del arrays
        self.alone = [*map(getrefcount, self.kept[len(self.leaves) :])]

    def make_ready(self):
        """Make tensors for the next run, which nobody else has; and other arrays, if somebody holds the ones that are here."""
        kept, n = self.kept, len(self.leaves)
        before, own = self.plan.fixed, []
        for i, (holder, number, _) in enumerate(self.leaves):
            if kept[i] is not None and holder.grad is kept[i]:
                own.append((holder, number, 0 if thread_state.inference else kept[i]._version))
                holder.grad = None
            kept[i] = None
        if [*map(getrefcount, kept[n:])] != self.alone:
            kept[n:] = []
            self.plan.renew_gradients()
            self._follow()
        for i, (_, number, version) in enumerate(self.leaves):
            kept[i] = finish(wrap(self.plan.fixed[number]), False, version)
        self.counts[:] = map(getrefcount, kept)
        for i, stays in enumerate(self.stays):
            self.counts[i] += stays
        for holder, number, version in own:  # what it has as long as the run gives it no other
            holder.grad = finish(wrap(before[number]), False, version)

    def begin(self, lines):
        """Let a function begin with what must be so: it returns ``kept`` where ``make_ready`` is to be called first, and then the function once more, as ``ready``."""
        if len(self.kept) == 0:
            return
        kept, name = lines.name(self.kept), lines.name
        terms = []
        for i, (holder, *_) in enumerate(self.leaves):
            if self.stays[i]:
                terms.append(f"{name(holder)}.grad is {kept}[{i}]")
        terms.append(f"[*map({name(getrefcount)}, {kept})] == {name(self.counts)}")
        for i, (*_, version) in enumerate(self.leaves):
            new = f"_storage.version == {version}" if version else f"_storage is {name(thread_state.fresh)}"
            terms += [f"{kept}[{i}].{new}", f"not {kept}[{i}].__dict__"]
        lines.append(f"if not (ready or ({' and '.join(terms)})): return {kept}")

    def end(self, lines):
        """Let the leaves have them."""
        for i, (holder, *_) in enumerate(self.leaves):
            lines.append(f"{lines.name(holder)}.grad = {lines.name(self.kept)}[{i}]")


def finish(tensor, requires_grad, version):
    """``tensor`` with a version, and a history that ends with the step if it requires grad."""
    if version:
        own_storage(tensor).version = version
    if requires_grad:
        tensor._node = Ended()
    return tensor


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
        raise RuntimeError(f"{SECOND_BACKWARD} The history of a captured step's results ends with the step.")
