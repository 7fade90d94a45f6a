"""Why a tensor has no history, and where the graph between an output and leaves is cut."""

import functools
import gc

from ..._arrays.memory_layout import owner_of
from ..._base.dtypes import FLOATING
from ..._core.modes import thread_state
from ..._core.node import NOWHERE, AccumulateGrad, Port, as_pair
from ..._core.tensor import Tensor
from ..._ops.parameter import Parameter
from .._origins import origin_of
from ..function_context import _FunctionBase
from .answers import RECORD, Cut, NoGrad, at, listed
from .provenance import cuts_in, cuts_of
from .saved_values import has_hooks, saved_values

__all__ = ["where_cut", "why_no_grad"]

#: What was noted of a tensor without history (see ``provenance.py``), in words.
_NOTED = {
    "Parameter": "Parameter() made a new leaf of a tensor with history",
    "copied": "{0}() copies the values of a tensor, not its history",
    "created": "{0}() made it without requires_grad=True",
    "data": ".data gives the values without the history",
    "detach": "detach() cut it off its history",
    "detach_": "detach_() took its history away",
    "function": "the custom Function {0} marked this output as not differentiable",
    "gradient": "it is a gradient, and {0}() ran without create_graph=True, so that gradients are not recorded",
    "inference": "{0} ran in inference mode, where nothing is recorded",
    "integer": "{0} gives {1}, and only floating and complex tensors have gradients",
    "left": "{0}() gave values of a tensor with history to Python or NumPy",
    "no_grad": "{0} ran while recording was switched off (no_grad, or set_grad_enabled(False))",
    "no_operand": "{0} made it of tensors of which none requires grad",
    "not_differentiable": "{0} passes no gradient on",
    "requires_grad": "requires_grad was set to False",
    "requires_grad_": "requires_grad_(False) switched it off",
    "unknown": "a tensor of which nothing was noted (it was made before, in another thread, or in a way that is not seen), and which does not require grad",
    "values": "{0}() made it of values of Python or NumPy, which have no history",
}


def in_words(made):
    """What was noted, with its line."""
    text = _NOTED[made.reason].format(made.function, made.detail) + at(made.origin)
    since = made.reason == "no_grad" and made.detail
    return f"{text}; it was switched off at {made.detail}" if since else text


def as_answer(made):
    """What was noted, as an answer."""
    causes = tuple(as_answer(cause) for cause in made.causes)
    text = in_words(made)
    if causes and made.reason in ("no_operand", "values"):
        text += ". They come from:" + listed([cause.text for cause in causes])
    return NoGrad(made.reason, text, made.function, made.origin, causes)


# Why does this not require grad -------------------------------------------------------------------------------------------

_NO = "It does not require grad: "


def why_no_grad(tensor):
    """The ``NoGrad`` answer for a tensor."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"why_no_grad(): argument 'tensor' must be Tensor, not {type(tensor).__name__}")
    if tensor.requires_grad:
        return _requires_grad(tensor)
    made = None if tensor._provenance is None else as_answer(tensor._provenance)
    if tensor._volatile:
        text = "it is volatile, or was computed from a volatile tensor, and nothing is recorded of such."
        return NoGrad("volatile", _NO + text, "", None if made is None else made.origin)
    reason = ""
    if tensor.dtype.category < FLOATING:
        reason, text = (
            "integer",
            f"its dtype is {tensor.dtype.name}, and only floating and complex tensors can",
        )
    elif tensor.is_inference():
        reason, text = "inference", "it was made in inference mode, where nothing is recorded"
    if made is None:
        return NoGrad(reason, f"{_NO}{text}.") if reason else _from_the_graph(tensor)
    if reason and made.reason != reason:
        by = f"{made.function} made it{at(made.origin)}"
        return NoGrad(reason, f"{_NO}{text}; {by}", made.function, made.origin, made.causes)
    return NoGrad(made.reason, _NO + made.text, made.function, made.origin, made.causes)


def _requires_grad(tensor):
    node = as_pair(tensor._edge)[0]
    if node is None:
        made = NoGrad("", "") if tensor._provenance is None else as_answer(tensor._provenance)
        text = "It does require grad, but as a view that was made while recording was switched off"
        text += f"{at(made.origin)}: no gradient goes through it"
        return NoGrad("view_without_history", text, made.function, made.origin)
    if node.__class__ is AccumulateGrad:
        return NoGrad(
            "requires_grad",
            "It does require grad: it is a leaf, and backward() puts its gradient into .grad.",
        )
    text = (
        f"It does require grad: {node.name()} made it{at(origin_of(node))}. Its .grad stays None unless "
        "retain_grad() is called, since it is not a leaf."
    )
    return NoGrad("requires_grad", text, "", origin_of(node))


def _from_the_graph(tensor):
    """The answer for a tensor of which nothing was noted."""
    base = tensor._base
    if base is not None and base._provenance is not None:
        found = why_no_grad(base)
        text = f"It is a view of a tensor that does not require grad. Of that one: {found.text}"
        return NoGrad(found.reason, text, found.function, found.origin, found.causes)
    if is_gradient(tensor):
        text = f"{_NO}it is the .grad of a tensor, and backward() ran without create_graph=True, so that gradients are not recorded."
        return NoGrad("gradient", text)
    if isinstance(tensor, Parameter):
        return NoGrad(
            "requires_grad_",
            f"{_NO}it is a Parameter that was frozen, by requires_grad_(False) or requires_grad=False.",
        )
    if tensor._former is not None:
        text = f"{_NO}it did before; requires_grad_(False), requires_grad = False or detach_() put an end to that."
        return NoGrad("requires_grad_", text)
    relative = next(
        (t for t in alive() if t is not tensor and t.requires_grad and shares_memory(t, tensor)), None
    )
    if relative is None:
        text = (
            f"{_NO}nothing in it says why. It is a leaf made without requires_grad=True, or was computed from such, or while recording was "
            "switched off, as gradients are; "
        )
        text += (
            f"to be told which, {RECORD}."
            if thread_state.origins is None
            else "it was made before lines were noted, or in a way that is not."
        )
        return NoGrad("unknown", text)
    node = as_pair(relative._edge)[0]
    who = (
        "a leaf"
        if node is None or node.__class__ is AccumulateGrad
        else f"made by {node.name()}{at(origin_of(node))}"
    )
    how = (
        "detach()"
        if relative._storage is tensor._storage and not tensor._storage.shared
        else ".data (or .numpy())"
    )
    text = f"{_NO}it is without history, but shares its memory with a tensor that requires grad ({who}), as what {how} gives does. To be told more, {RECORD}."
    return NoGrad("shared", text)


def alive():
    """All plain tensors of the program."""
    return [x for x in gc.get_objects() if issubclass(type(x), Tensor) and not type(x)._wrapped]


def shares_memory(a, b):
    """Whether two tensors look at the same memory."""
    return owner_of(a._array) is owner_of(b._array)


def is_gradient(tensor):
    """Whether ``tensor`` is the ``.grad`` of a tensor."""
    return any(
        (type(x) is AccumulateGrad and x.grad is tensor)
        or (issubclass(type(x), Tensor) and x._kept_grad is tensor)
        for x in gc.get_objects()
    )


# Where is the graph cut ---------------------------------------------------------------------------------------------------


def where_cut(output, leaves):
    """The ``Cut`` answer for an output and leaves, modules, or dictionaries or sequences of them; without leaves, all cuts that were noted."""
    if not isinstance(output, Tensor):
        raise TypeError(f"where_cut(): argument 'output' must be Tensor, not {type(output).__name__}")
    nodes = nodes_below(as_pair(output._edge)[0])
    notes = [each for node in nodes for each in cuts_of(node)]
    if output._provenance is not None and not nodes:
        notes += cuts_in(output._provenance)
    notes = list(dict.fromkeys(notes))
    if not leaves:
        return _all_cuts(output, nodes, notes)
    connected, cuts, doubts = [], {}, {}
    doubtful = _doubtful(as_pair(output._edge)[0])
    for name, leaf in named_leaves(leaves):
        node = as_pair(leaf._edge)[0]
        if node in nodes and leaf.requires_grad:
            connected.append(name)
            doubt = doubtful(node)
            if doubt is not None:
                doubts[name] = doubt
        else:
            cuts[name] = _cut(output, nodes, notes, leaf)
    origin = next((answer.origin for answer in cuts.values() if answer.origin is not None), None)
    reason = "cut" if cuts else "connected"
    return Cut(reason, _text_of_cuts(connected, cuts, doubts), tuple(connected), cuts, doubts, origin)


def named_leaves(leaves):
    """Pairs (name, tensor) of what a user gives as leaves."""
    found = []
    for place, each in enumerate(leaves):
        if isinstance(each, Tensor):
            found.append(("the leaf" if len(leaves) == 1 else f"leaf {place}", each))
            continue
        if hasattr(each, "named_parameters"):
            pairs, kind = each.named_parameters(), type(each).__name__
        elif hasattr(each, "items"):
            pairs, kind = each.items(), "leaves"
        elif isinstance(each, (str, bytes)) or not hasattr(each, "__iter__"):
            raise TypeError(
                f"where_cut() takes tensors, modules, and dictionaries or sequences of tensors, not {type(each).__name__}"
            )
        else:
            pairs, kind = (
                (x if isinstance(x, tuple) else (f"leaf {i}", x) for i, x in enumerate(each)),
                "leaves",
            )
        found += [(name if len(leaves) == 1 else f"{kind} {place}: {name}", x) for name, x in pairs]
    for name, tensor in found:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"where_cut(): {name} must be Tensor, not {type(tensor).__name__}")
    return found


def nodes_below(node, passes=None):
    """All nodes that ``node`` leads to, and itself; with ``passes``, on paths of nodes of which ``passes(node)`` is true."""
    stack = [node]
    seen = set()
    while stack:
        node = stack.pop()
        if node is not None and node is not NOWHERE and node not in seen:
            seen.add(node)
            if passes is None or passes(node):
                stack += [edge.node if edge.__class__ is Port else edge for edge in node._next]
    return seen


def _doubtful(root):
    """A function of the node of a leaf to which ``root`` leads: the answer that says what may keep the gradient from it, or make it zero; None if nothing does."""
    doubts = functools.cache(_doubt)
    reached = nodes_below(root, lambda node: not doubts(node))
    behind = [(node, nodes_below(node)) for node in reached if doubts(node)]

    def of(leaf):
        if leaf in reached and not doubts(leaf):
            return None
        ways = sorted((node for node, below in behind if leaf in below), key=lambda node: node._seq)
        reason, first = doubts(ways[0]), origin_of(ways[0])
        texts = list(
            dict.fromkeys(f"{node.name()}{at(origin_of(node))}: {_DOUBTS[doubts(node)]}" for node in ways)
        )
        if len(texts) == 1:
            return NoGrad(reason, f"every path leads through {texts[0]}", "", first)
        return NoGrad(reason, "every path leads through one of these:" + listed(texts), "", first)

    return of


_DOUBTS = {
    "function": "it is a custom Function, whose backward may return None",
    "zero": "its derivative is 0 everywhere",
    "hook": "a hook on it may change the gradient",
}


def _doubt(node):
    """The word of ``_DOUBTS`` for a node; "" for one that passes a gradient on, whatever its value."""
    if isinstance(node, _FunctionBase):
        return "function"
    if getattr(node, "gives_zeros", False):
        return "zero"
    return "hook" if has_hooks(node) else ""


def _cut(output, nodes, notes, leaf):
    """Why ``leaf`` gets no gradient."""
    if not leaf.requires_grad:
        found = why_no_grad(leaf)
        return NoGrad(
            "no_grad_leaf",
            found.text.replace("It does", "it does", 1),
            found.function,
            found.origin,
            (found,),
        )
    node = as_pair(leaf._edge)[0]
    there = [made for made in notes if is_behind(made, node)]
    if there:
        by_text = {answer.text: answer for answer in (as_answer(made._replace(earlier=())) for made in there)}
        answers = tuple(by_text.values())
        first = answers[0]
        text = (
            "the graph was cut: " + first.text
            if len(answers) == 1
            else "the graph was cut:" + listed([a.text for a in answers])
        )
        return NoGrad(first.reason, text, first.function, first.origin, answers)
    if not output.requires_grad:
        found = why_no_grad(output)
        return NoGrad(
            found.reason,
            f"the output itself has no history. {found.text}",
            found.function,
            found.origin,
            found.causes,
        )
    beside = _memory_beside(nodes, leaf)
    if beside is not None:
        return beside
    functions = [n for n in nodes if isinstance(n, _FunctionBase)]
    if functions:
        latest = max(functions, key=lambda n: n._seq)
        text = f"no edge of the graph leads to it: it was not used, or only inside of {latest.name()}{at(origin_of(latest))}"
        text += f" or {len(functions) - 1} more" if len(functions) > 1 else ""
        text += ", a custom Function, which may run a backward of its own, as a reentrant checkpoint does"
        return NoGrad("inside", text, "", origin_of(latest))
    ops = [n for n in nodes if n.__class__ is not AccumulateGrad]
    if ops and all(origin_of(n) is not None for n in ops):
        text = "nothing that was noted leads to it: it was not used, or only in ways that are not followed: numbers of Python, arrays of NumPy, copies by deepcopy or pickle, other threads"
        return NoGrad("unused", text)
    return NoGrad(
        "unknown",
        f"nothing in the graph leads to it: it was not used, or cut off by detach(), .data, no_grad or the like; to be told where, {RECORD}",
    )


def is_behind(made, node):
    """Whether ``node`` is part of the history that was cut off, as far as that still exists."""
    ends = [end for end in (ref() for ref in made.ends) if end is not None]
    return node in ends or any(
        end.__class__ is not AccumulateGrad and node in nodes_below(end) for end in ends
    )


def _memory_beside(nodes, leaf):
    """The answer where a node saved the memory of ``leaf`` as an operand without history."""
    for node in sorted(nodes, key=lambda n: n._seq):
        for saved in saved_values(node):
            held = saved.held
            if (
                isinstance(held, Tensor)
                and not held.requires_grad
                and saved.array is not None
                and shares_memory(held, leaf)
            ):
                text = (
                    f"`{saved.name}` of {node.name()}{at(origin_of(node))}: this is its memory, but without history, as what detach() or .data give; "
                    f"to be told where, {RECORD}"
                )
                return NoGrad("shared", text, "", origin_of(node))
    return None


def _all_cuts(output, nodes, notes):
    if not nodes:
        found = why_no_grad(output)
        return Cut("no_history", f"The output has no history. {found.text}", origin=found.origin)
    answers = {f"cut {i}": as_answer(made._replace(earlier=())) for i, made in enumerate(notes)}
    ends = sum(node.__class__ is AccumulateGrad for node in nodes)
    text = f"The graph of the output ends at {ends} {'leaf' if ends == 1 else 'leaves'}."
    if answers:
        text += " It was cut:" + listed([answer.text for answer in answers.values()])
    elif any(origin_of(n) is None for n in nodes if n.__class__ is not AccumulateGrad):
        text += f" Where it was cut cannot be told from the graph alone; {RECORD}."
    else:
        text += " No cut was noted."
    origin = next((answer.origin for answer in answers.values()), None)
    return Cut("cut" if answers else "connected", text, cuts=answers, origin=origin)


def _text_of_cuts(connected, cuts, doubts):
    """The text for several leaves: those with the same answer together."""
    parts = []
    for text, names in _by_text(cuts).items():
        known = cuts[names[0]].reason != "inside"
        start = (
            f"No gradient goes to {_names(names)}"
            if known
            else f"Whether a gradient goes to {_names(names)} cannot be told"
        )
        parts.append(f"{start}: {text}")
    sure = [name for name in connected if name not in doubts]
    if sure:
        parts.append(f"{'A' if cuts else 'Connected: a'} gradient goes to {_names(sure)}.")
    parts += [f"The graph leads to {_names(names)}, but {text}" for text, names in _by_text(doubts).items()]
    return "\n".join(parts)


def _by_text(answers):
    """The names of each text among answers by name."""
    found = {}
    for name, answer in answers.items():
        found.setdefault(answer.text, []).append(name)
    return found


def _names(names):
    shown = ", ".join(names[:4])
    return shown if len(names) <= 4 else f"{shown} and {len(names) - 4} more"
