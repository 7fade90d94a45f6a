"""Where a nan comes from: what anomaly mode says after PyTorch's sentence.

Three things can make a nan in the backward of a node: a derivative that is infinite or undefined at a saved value, an infinite gradient that came in, or
a forward result that was infinite or nan itself.  Which it was is looked for at the place of the nan: the formulas are run again there, on
the saved values as they were before the node ran.
"""

import sys
import weakref
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ..._arrays import vocabulary as arrays
from ..._arrays.rounding import numbers
from ..._core.families import Op, Unary
from ..._core.modes import thread_state
from ..._core.node import Port
from ..._core.tensor import Tensor
from ..._core.views import View
from .._origins import Origin, origin_at, origin_of, shortened
from .provenance import counted
from .saved_values import has_hooks, node_of, saved_values, slots_of

__all__ = ["Finder"]


class Bad(NamedTuple):
    """Where something became infinite or nan: in which function, at which line, of what; ``before`` is where one of its operands had."""

    kind: str
    function: str
    origin: Origin | None
    detail: str
    before: Any = None

    def __str__(self):
        where = f" ({self.origin})" if self.origin is not None else ""
        if not self.function:
            return f"{self.kind} was in the data already{self.detail}"
        if self.before is None:
            return f"{self.kind} first arose in {self.function}{where}{self.detail}"
        return f"{self.before}; {self.function}{where} made {self.kind} of it"


class Finder:
    """Looks for the origin of nans and infinities in forward and backward: see ``autograd/_anomaly.py``."""

    def __init__(self, looks):
        self.looks = looks
        self.sources: weakref.WeakKeyDictionary = (
            weakref.WeakKeyDictionary()
        )  # run -> {end of an edge: Bads of the gradient on it}
        self.known = {}

    # Forward -----------------------------------------------------------------------------------------------------------------

    def watcher(self, cls, operands, params, proceed, writes):
        """An operator: its result is noted if it is the first that is not finite."""
        if not self.looks or thread_state.levels:
            return proceed

        def look():
            tensors = [x for x in operands if isinstance(x, Tensor)]
            bad = [(x, kind) for x in tensors for kind in [kind_of(x._array)] if kind]
            values = [x._array if isinstance(x, Tensor) else x for x in operands]
            if writes and tensors and not bad:
                values[0] = tensors[0]._array.copy()
            result = proceed()
            for z in result if isinstance(result, (tuple, list)) else (result,):
                kind = kind_of(z._array) if isinstance(z, Tensor) else ""
                if kind:
                    self.note(z, kind, cls, values, bad)
                    if writes and z._node.__class__ is View:
                        z._node.base._not_finite = z._not_finite
            return result

        return look

    watcher.whole_layers = True  # type: ignore[attr-defined]

    def note(self, z, kind, cls, values, bad):
        """Note of ``z``, which is not finite, where that began."""
        origin = origin_at(sys._getframe(2), self.known)
        if not bad:
            found = Bad(kind, cls.function_name(), origin, elements(cls, values, z._array))
        else:
            x, before = bad[0]
            found = bad_of(x)
            if found is None:
                changed = bool(counted(x._storage))
                found = Bad(before, "", None, ", which had been written to" if changed else "")
            if kind == "nan" and found.kind != "nan":
                found = Bad(kind, cls.function_name(), origin, "", found._replace(before=None))
        z._not_finite = found
        node = node_of(z)
        if node is not None and node._next:
            node.metadata["not_finite_"] = found

    # Backward ----------------------------------------------------------------------------------------------------------------

    def before(self, node, g):
        """What is to be known of a node after it has run, and freed what it had saved."""
        if isinstance(node, Op):
            return as_it_is(node)
        return [(each.name, each.array, each.held) for each in saved_values(node)]

    def after(self, run, node, g, outs, twin):
        """Note where gradients that are not finite come from."""
        ends = [end for end, out in zip(node._next, outs) if end is not None and kind_of(as_array(out))]
        if not ends:
            return
        nr = next(
            i
            for i, (end, out) in enumerate(zip(node._next, outs))
            if end is not None and kind_of(as_array(out))
        )
        sources = self.sources.setdefault(run, {})
        coming = sources.get(node, ())
        if not coming or not any(kind_of(h) for h in incoming(node, g)):
            where, names = explained(node, twin, g, nr, np.isinf)
            details = [each for each in (where, *forward_of(node, twin, names)) if each]
            detail = "".join(f"; {each}" for each in details).replace("; ", ": ", 1)
            kind, name = kind_of(as_array(outs[nr])), f"the backward of {node.name()}"
            coming = (Bad(kind, name, origin_of(node), detail),)
        for end in ends:
            target = end.node if end.__class__ is Port else end
            known = sources.get(target, ())
            sources[target] = (*known, *[bad for bad in coming if bad not in known])[:2]

    def why(self, run, node, g, outs, nr, twin):
        """The sentences about a nan in output number ``nr``."""
        sentences = []
        origin = origin_of(node)
        if origin is not None:
            sentences.append(f"The node was recorded at {origin}")
        where, names = explained(node, twin, g, nr, np.isnan)
        if where:
            sentences.append(where[0].upper() + where[1:])
        if any(kind_of(h) for h in incoming(node, g)):
            coming = self.sources.get(run, {}).get(node, ())
            for bad in coming:
                sentences.append(f"Of the incoming gradient: {bad}")
            if not coming:
                sentences.append(
                    "The incoming gradient was not finite already: it was given to backward(), or a hook returned it"
                )
            elif "nan" in map(kind_of, incoming(node, g)) and all(bad.kind == "inf" for bad in coming):
                sentences.append("Where the gradients of several uses were summed, inf - inf became nan")
        for text in forward_of(node, twin, names):
            sentences.append(f"Of the forward: {text}")
        return "".join(f"\n{sentence}" for sentence in sentences)


def kind_of(array):
    """What an array holds: "nan", else "inf", else ""."""
    if not isinstance(array, (np.ndarray, np.generic)) or array.dtype.kind not in "fcV":
        return ""
    array = numbers(array)
    with np.errstate(all="ignore"):
        if arrays.isfinite(array).all():
            return ""
        return "nan" if (array != array).any() else "inf"


def as_array(g):
    """A gradient as an array; None for what has none."""
    array = g._array if isinstance(g, Tensor) else g
    return numbers(array) if isinstance(array, (np.ndarray, np.generic)) else None


def incoming(node, g):
    """The gradients that arrived at a node, as arrays."""
    return [as_array(h) for h in (g if node._outputs != 1 else (g,))]


def bad_of(tensor):
    """What was noted of a tensor that is not finite; None if nothing was."""
    return tensor._not_finite


def elements(cls, values, array):
    """What the first element of a result that is not finite was computed of, for an elementwise op."""
    if not (cls.broadcasts or issubclass(cls, Unary)):
        return ""
    place = tuple(np.argwhere(~arrays.isfinite(array))[0])
    try:
        operands = [text_of(one(np.asarray(x), array.shape, place)) for x in values if x is not None]
    except ValueError:  # an operand that is given another shape
        return ""
    return f": {cls.function_name()}({', '.join(operands)}) is {text_of(array[place])}"


# Why here --------------------------------------------------------------------------------------------------------------------


def explained(node, before, g, nr, test):
    """What made output ``nr`` of a node such as ``test`` says, in words; and the names of saved values that are not finite and may have to do with it."""
    if isinstance(before, Op) and pointwise(before) and as_array(g) is not None:
        with suppress(
            Exception
        ):  # of a formula that asks for more than the values at one place: the node's own error is to be raised
            return at_one_place(node, before, as_array(g), nr, test)
    return at_large(node, before, g)


def at_large(node, before, g):
    """Like ``explained``, where no one place can be looked at."""
    values = list(values_before(before))
    bad = [name for name, array, _ in values if kind_of(array)]
    if any(kind_of(h) for h in incoming(node, g)) or bad:
        return "", bad
    text = f"it arose in this node{' or in a hook on it' if has_hooks(node) else ''}: what came in is finite ({', '.join(summary(h) for h in incoming(node, g) if h is not None)})"
    shown = [f"`{name}` ({summary(array)})" for name, array, _ in values if array is not None]
    if shown:
        text += f", and so is what it saved: {', '.join(shown)}"
    if any(array is None for _, array, _ in values):
        text += "; what hooks have packed of what it saved is not looked at"
    backward = getattr(getattr(node, "_forward_cls", None), "backward", None)
    code = getattr(backward, "__code__", None)
    if code is not None:
        text += f"; its backward is {shortened(code.co_filename)}:{code.co_firstlineno}"
    return text, bad


def pointwise(twin):
    """Whether the formulas of a node can be looked at in one place: an elementwise op, nothing of which hooks have packed or freed."""
    return (
        (twin.broadcasts or isinstance(twin, Unary))
        and twin._outputs == 1
        and not any(each.freed or each.packed for each in twin.saved_values())
    )


def at_one_place(node, twin, g, nr, test):
    """Like ``explained``, of an elementwise op: the values at the first place where ``test`` holds."""
    plan = twin.plan
    own_shape = None if twin.shapes is None else twin.shapes[nr]
    if own_shape is not None:
        twin.shapes = None  # what was broadcast is not to be summed
    with np.errstate(all="ignore"):
        found = np.asarray(twin.along(twin._next, arrays, g, twin.values(arrays, True))[nr])
        slopes = np.asarray(twin.along(twin._next, arrays, np.ones_like(g), twin.values(arrays, True))[nr])
        places = np.argwhere(test(found))
    if not len(places):
        if own_shape is not None and found.shape != own_shape:
            return "it arose where the gradients of an operand that was broadcast were summed", []
        if not has_hooks(node):
            return "", []
        return (
            "the formula gives no such value for the incoming gradient: a hook must have changed one of the two",
            [],
        )
    place = tuple(places[0])
    names = {i: name for name, i in type(twin).places().items()}
    values = twin.values(arrays, True)
    incoming_value = one(g, found.shape, place)
    shown, bad, finite = (
        [f"the incoming gradient is {text_of(incoming_value)}"],
        [],
        np.isfinite(incoming_value),
    )
    for i in plan.mentions[nr]:
        if i >= len(values) or not isinstance(values[i], (np.ndarray, np.generic, int, float)):
            continue
        value = one(np.asarray(values[i]), found.shape, place)
        shown.append(f"`{names.get(i, plan.operands[0])}` is {text_of(value)}")
        if value.dtype.kind in "fcV" and not np.isfinite(value):
            bad.append(names.get(i, ""))
    where = f"at {[int(k) for k in place]} " if place else ""
    text = where + (" and ".join(shown) if len(shown) < 3 else ", ".join(shown[:-1]) + " and " + shown[-1])
    slope = slopes[place] if slopes.shape == found.shape else one(slopes, found.shape, place)
    respect = (
        ""
        if plan.arity == 1
        else f" with respect to `{twin.names.get(plan.operands[nr], plan.operands[nr])}`"
    )
    derivative = f"the derivative of {twin.function_name()}{respect}"
    if bad or np.isnan(incoming_value):
        return text, bad
    if np.isnan(slope):
        text += f"; {derivative} is not defined there"
    elif np.isinf(slope):
        with np.errstate(all="ignore"):
            precise = [
                x.astype(np.float64) if isinstance(x, np.ndarray) and x.dtype.kind in "fV" else x
                for x in values
            ]
            exact = np.asarray(twin.along(twin._next, arrays, np.ones(g.shape), precise)[nr])
        is_finite = slope.dtype.kind != "c" and np.isfinite(one(exact, found.shape, place))
        text += f"; {derivative} is {f'too large for {slope.dtype} there' if is_finite else 'infinite there'}"
        text += ", and 0 * inf is nan" if incoming_value == 0 else ""
    elif not finite:
        text += "; inf * 0 is nan" if slope == 0 else ""
    elif test is np.isinf:
        text += f"; the gradient is too large for {g.dtype}"
    return text, bad


def one(array, shape, place):
    """The element of an array, broadcast to a shape, at a place."""
    return np.broadcast_to(array, shape)[place]


def text_of(value):
    """A number as text."""
    return repr(
        complex(value)
        if value.dtype.kind == "c"
        else value.item()
        if value.dtype.kind != "V"
        else float(value)
    )


def summary(array):
    """An array in a few words."""
    text = f"{array.dtype}{list(array.shape)}"
    if array.size == 1:
        return f"{text} = {text_of(array.reshape(-1)[0])}"
    if not array.size or array.dtype.kind not in "fiu":
        return text
    zeros = int((array == 0).sum())
    return f"{text} from {text_of(array.min())} to {text_of(array.max())}" + (
        f", {zeros} of them 0" if zeros else ""
    )


def as_it_is(node):
    """A copy of a node of an operator, which keeps what the run of the node frees."""
    copy = object.__new__(type(node))
    for name in slots_of(type(node)):
        if hasattr(node, name):
            setattr(copy, name, getattr(node, name))
    return copy


def values_before(before):
    """Triples (name, array or None, what was held) of the values that a node had saved before it ran."""
    if isinstance(before, Op):
        return [(each.name, each.array, each.held) for each in saved_values(before)]
    return before


def forward_of(node, before, names):
    """Sentences about the saved values ``names``, which are not finite."""
    own = node.metadata.get("not_finite_")
    found = []
    for name, array, held in values_before(before):
        if name in names and array is not None:
            bad = bad_of(held) if isinstance(held, Tensor) else own
            text = f"`{name}`, which the node had saved, holds {kind_of(array)}"
            if bad is None:
                text += "; where that came from was not noted"
            else:
                text += f": {bad}"
            found.append(text)
    if not found and own is not None and own.function:
        found.append(f"the result of this node holds {own.kind}, too: {own}")
    return found
