"""``step``: a backward pass replayed node by node, with the gradients that arrive at each and leave it."""

import contextlib
import inspect
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .._core.families import Op, Variadic
from .._core.node import AccumulateGrad, rare
from ..autograd.differentiate import grad
from ..autograd.graph import GradientEdge
from .formulas import derivatives, words_for
from .graphs import Graph, arriving, names_of, roots_of, statistics_of_all
from .model import is_leaf, model_of, pairs_after
from .statistics import Statistics


@dataclass(slots=True)
class Step:
    """One node's turn: its number, the gradients that arrived (one per output), those that left (one per input), and what it did to them.

    ``formula`` has the derivative as Python, where it is one expression, or else the operation's definition, with x, y for its operands, z
    for its result and g for the gradient; it may be empty.  ``text`` says it in words, where the operation is a common one.
    """

    node: int
    incoming: list[Statistics | None]
    outgoing: list[Statistics | None]
    formula: str = ""
    text: str = ""

    def as_json(self) -> Any:
        """Return the step as the page reads it."""
        return {
            "node": self.node,
            "incoming": [None if g is None else g.as_json() for g in self.incoming],
            "outgoing": [None if g is None else g.as_json() for g in self.outgoing],
            "formula": self.formula,
            "text": self.text,
        }


class Replay(Graph):
    """A backward pass that was noted node by node: what ``minigrad.viz.step`` returns.

    All that a ``Graph`` has, and ``steps``, in the order in which the nodes ran.  ``print`` shows it as text, ``save_html`` writes a page in which one
    can go forward and back.

    >>> import minigrad
    >>> x = minigrad.tensor(3., requires_grad=True)
    >>> replay = minigrad.viz.step(x * x)
    >>> [replay.nodes[step.node].label for step in replay.steps]
    ['mul', 'x']
    """

    def __init__(self, model: Any, steps: Any, title: str = "") -> None:
        super().__init__(model, title)
        self.steps = steps

    def _title(self):
        return self.title or "A backward pass, step by step"

    def _steps(self):
        return [step.as_json() for step in self.steps]

    def __repr__(self) -> str:
        return f"Replay({len(self.steps):,} steps, {self._counts()})"

    def __str__(self) -> str:
        count = len(self.steps)
        lines = [f"{self.title or 'backward pass'} in {count:,} step{'' if count == 1 else 's'}"]
        width = len(str(count))
        behind: dict[Any, Any] = {}
        for edge in self.edges:
            behind[edge.start, edge.input_nr] = edge.end
        for number, step in enumerate(self.steps, 1):
            indent = " " * (width + 2)
            lines.append(f"{number:{width}}. {step.text}")
            lines += [f"{indent}<- {'no gradient' if g is None else g}" for g in step.incoming]
            if step.formula:
                lines.append(f"{indent}   {step.formula}")
            for place, g in enumerate(step.outgoing):
                if g is not None and (step.node, place) in behind:
                    end = self.nodes[behind[step.node, place]]
                    lines.append(f"{indent}-> {end.label}: {g}")
        return "\n".join(lines)


def step(
    loss: Any,
    *,
    gradient: Any = None,
    params: Any = None,
    model: Any = None,
    title: str = "",
    retain_graph: bool = True,
) -> Any:
    """Run a backward pass from ``loss`` and note, node by node, which gradients arrive and leave; returns a ``Replay``.

    Training is not affected: neither a ``.grad`` (including those that ``retain_grad`` keeps) nor a parameter changes, and the graph can
    be run again unless ``retain_graph`` is false. Hooks on tensors and nodes run, because they may change gradients; those that run after
    accumulation into ``.grad`` do not. ``gradient`` is that of ``loss`` if it has several elements (a sequence for several tensors); the
    other arguments are those of ``graph``.

    Raises the errors of ``minigrad.autograd.grad``, which it calls: that does not support reentrant checkpoints, nor
    ``register_multi_grad_hook`` on leaves.

    >>> import minigrad
    >>> w = minigrad.tensor([1., 2.], requires_grad=True)
    >>> print(minigrad.viz.step((w * 3).sum()))
    backward pass in 3 steps
    1. sum: every summand gets the same gradient: it is spread back over the elements that were summed
       <- float32[] 1
          self: g.expand(self.shape)
       -> mul: float32[2] [1, 1]
    2. mul: each factor gets the gradient times the other factor; saved: other = 3
       <- float32[2] [1, 1]
          self: g * other
       -> w: float32[2] [3, 3]
    3. w: what arrived is added to w.grad
       <- float32[2] [3, 3]
    >>> w.grad is None
    True
    """
    roots = roots_of(loss)
    names, modules = names_of(roots, params, model, sys._getframe(1))
    picture = model_of(roots, names, modules)
    outputs = [root.tensor if root.tensor is not None else GradientEdge(root.node, root.nr) for root in roots]
    leaves = [GradientEdge(node, 0) for node in picture.live if is_leaf(node)]
    steps: list[Step] = []
    with recording_steps(picture.live, steps), retained_kept(picture.live):
        grad(outputs, leaves, gradient, retain_graph=retain_graph, allow_unused=True)
    for taken in steps:
        node, shown = picture.live[taken.node], picture.nodes[taken.node]
        shown.gradients = taken.incoming
        if any(g is not None for g in taken.incoming):
            taken.formula, words, mentioned = explanation_of(node, shown)
        else:
            words, mentioned = "no gradient arrives", set()
        taken.text = sentence(shown, words, mentioned, [*broadcast(node, taken), *unusual(taken)])
    return Replay(picture, steps, title)


@contextlib.contextmanager
def recording_steps(live: Any, steps: Any) -> Iterator[Any]:
    """Inside, whatever runs in this thread of the nodes ``live`` is appended to ``steps``."""
    thread = threading.get_ident()
    taken = {}

    def arrives(i, grads):
        if threading.get_ident() == thread:
            taken[i] = Step(i, statistics_of_all(grads), [])
            steps.append(taken[i])

    def leaves(i, grads):
        if threading.get_ident() == thread and i in taken:
            taken[i].outgoing = statistics_of_all(grads)

    with contextlib.ExitStack() as stack:
        for i, node in enumerate(live):
            if not isinstance(node, AccumulateGrad):
                stack.enter_context(leaving(node, lambda ins, outs, i=i: leaves(i, ins)))
            stack.enter_context(arriving(node, lambda grads, i=i: arrives(i, grads)))
        yield


@contextlib.contextmanager
def leaving(node: Any, hook: Callable[..., Any]) -> Iterator[Any]:
    """Inside, ``hook(grad_inputs, grad_outputs)`` is called after ``node`` has run, after all other hooks."""
    with rare(node).post.add(hook):
        yield


@contextlib.contextmanager
def retained_kept(live: Any) -> Iterator[Any]:
    """Inside, the gradients that ``retain_grad`` keeps of results may change; afterwards they are what they were."""
    kept = []
    for node in live:
        for ref in () if node._extra is None else node._extra.retain.values():
            tensor = ref()
            if tensor is not None:
                kept.append((tensor, tensor._kept_grad))
    try:
        yield
    finally:
        for tensor, was in kept:
            tensor._kept_grad = was


# In words --------------------------------------------------------------------------------------------------------------------


def explanation_of(node: Any, shown: Any) -> Any:
    """Return what a node does to a gradient: (formula, words, names of the saved values that the formula mentions)."""
    if shown.kind == "leaf":
        return (
            "",
            f"what arrived is added to {f'{shown.variable}.grad' if shown.variable else 'its .grad'}",
            set(),
        )
    words = words_for(shown.name, shown.label)
    if hasattr(node, "_forward_cls"):
        return "", "the backward that the program gave it", set()
    found = derivatives(type(node))  # type: ignore[arg-type]
    wanted = [name for name, (end, _) in zip(names_of_inputs(node), pairs_after(node)) if end is not None]
    found = {name: found[name] for name in wanted if name in found}
    mentioned = set().union(*[each.mentions for each in found.values()])
    definition = defined(node)
    if definition and (len(found) < len(wanted) or not all(each.familiar for each in found.values())):
        return definition, words, mentioned
    if is_complex(shown) and node.conjugates and mentioned & {*names_of_operands(node), *_FACTORS}:
        conjugated = "of complex numbers, with slopes and factors conjugated"
        return "", f"{words}; {conjugated}" if words else conjugated, set()
    return formula_of(found), words, mentioned


def formula_of(found: Any) -> str:
    """Return the expressions for the operands, as one text."""
    return ";  ".join(f"{name}: {each.text}" for name, each in found.items())


#: What derivatives mention beside operands that is conjugated if it is complex.
_FACTORS = ("result", "alpha", "beta", "value")


def is_complex(shown: Any) -> bool:
    """Return whether an operation takes or makes complex numbers."""
    around = [*shown.outputs, *shown.inputs, *shown.saved]
    return any(d is not None and (d.dtype or "").startswith("complex") for d in around)


def names_of_operands(node: Any) -> Any:
    """PyTorch's names of an operation's operands."""
    return [node.names.get(name, name) for name in node.operands.split()] if isinstance(node, Op) else []


def names_of_inputs(node: Any) -> Any:
    """Return the names of those operands that have edges, in their order."""
    names = names_of_operands(node)
    return [] if isinstance(node, Variadic) else [names[i] for i in node.places_of_next() if i < len(names)]


def defined(node: Any) -> Any:
    """Return the formula of an operation, as the docstring of its class has it; empty for a function that the user wrote."""
    doc = (inspect.getdoc(type(node)) or "") if isinstance(node, Op) else ""
    first = doc.strip().partition("\n")[0]
    first = first[first.find(": z = ") + 2 :] if ": z = " in first else first
    return first if first.startswith("z") and "=" in first else ""


def sentence(shown: Any, words: Any, mentioned: Any, remarks: Any) -> str:
    """Return one sentence for learners on a step."""
    values = {saved.name: saved.value for saved in shown.saved} | shown.attributes
    saved = [f"{name} = {value}" for name, value in values.items() if value and name in mentioned]
    parts = [f"{shown.label}: {words}" if words else shown.label]
    if saved:
        parts.append(f"saved: {', '.join(saved)}")
    return "; ".join([*parts, *remarks])


def broadcast(node: Any, taken: Any) -> Iterator[Any]:
    """Return a remark if gradients were summed to the shapes of operands that had been broadcast."""
    shape = taken.incoming[0].shape if len(taken.incoming) == 1 and taken.incoming[0] is not None else None
    if (
        isinstance(node, Op)
        and node.broadcasts
        and any(g is not None and g.shape != shape for g in taken.outgoing)
    ):
        yield "summed over what was broadcast"


def unusual(taken: Any) -> Iterator[Any]:
    """Return what is worth a second look: gradients that vanish, or stop being numbers, in this step."""
    came = [g for g in taken.incoming if g is not None]
    went = [g for g in taken.outgoing if g is not None]
    if any(g.nans for g in went) and not any(g.nans for g in came):
        yield "NaN arises here"
    elif any(g.infs for g in went) and not any(g.infs or g.nans for g in came):
        yield "an infinite gradient arises here"
    if any(0 not in g.shape for g in went) and any(map(is_nonzero, came)) and not any(map(is_nonzero, went)):
        yield "nothing gets through: all that leaves is zero"


def is_nonzero(g: Any) -> Any:
    """Return whether a gradient has an entry that is not zero, however small."""
    return g.zeros < 1 and 0 not in g.shape
