"""The forward of a custom Function: run without being recorded, then recorded as one node.

Outputs may be new tensors, inputs as they are or modified, or views of either; ``record`` gives each the history that belongs to it.
"""

import warnings
from typing import Any

from .._base.composites import composite
from .._base.dtypes import FLOATING
from .._base.errors import type_name
from .._core.families import attach
from .._core.inplace import rebase
from .._core.modes import set_recording, thread_state
from .._core.node import AccumulateGrad, Node, Port, as_pair, keep_retaining, tick
from .._core.observers import show_node
from .._core.storage import FRESH, INFERENCE
from .._core.tensor import Tensor, bump, new, strip_subclass
from .._core.views import View, forbidden
from .._core.wrapped import Wrapped
from .._ops.shape import ViewBackward0
from .function_context import keep

__all__ = ["Reordered", "record", "run", "start", "vmap"]


def start(node: Any, args: Any, level: Any = None) -> Any:
    """Connect ``node`` to what made its arguments (those of ``level``, if given); returns whether it is to be recorded."""
    recording = thread_state.recording and not thread_state.inference
    inputs: list[Any] = []
    needs: list[bool] = []
    for x in args:
        if isinstance(x, Tensor):
            inputs.append((x._array.shape, x._array.dtype))
            needs.append(x.requires_grad)
            recording = recording and not x._volatile
        else:
            inputs.append(None)
            needs.append(False)
    node._inputs = tuple(inputs)
    node.needs_input_grad = tuple(needs)
    tracked = recording and True in needs
    if tracked:
        edges = [x._edge for x in args if isinstance(x, Tensor)]
        if level is not None:
            of_level = [
                isinstance(x, Wrapped) and x._array.level is level for x in args if isinstance(x, Tensor)
            ]
            edges = [edge if own else None for edge, own in zip(edges, of_level)]
        node._next = tuple(edges)
    node._seq = tick()  # after the edges: deriving a view's node takes a number
    return tracked


def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
    """The rule for a batch of inputs; to be overridden."""
    raise NotImplementedError(
        "To use autograd.Function with vmap, you must either override the vmap staticmethod or set generate_vmap_rule=True."
    )


def run(node: Any, args: Any, forward: Any, setup_context: Any = None, level: Any = None) -> Any:
    """Apply ``forward`` to ``args`` without recording what it does, and record it as ``node``: on ``level``, if given."""
    tracked = start(node, args, level)
    was = set_recording(False)
    try:
        if setup_context is None:
            output = forward(node, *args)
        else:
            output = forward(*args)
            setup_context(node, args, output)
    finally:
        set_recording(was)
    return record(node, args, output, tracked, setup_context is not None)


@composite(event=None)
def record(node: Any, args: Any, output: Any, tracked: Any, separate: Any) -> Any:
    """Give the outputs of a forward their history, and keep what was to be saved; returns what the user gets.

    ``separate``: the context was set up after forward, in ``setup_context``.
    """
    is_tuple = isinstance(output, tuple)
    outputs = output if is_tuple else (output,)
    inputs = {id(x) for x in args if isinstance(x, Tensor)}
    dirty, fixed = _dirty(node), _non_differentiable(node)
    to_save = _marked(node.to_save, "to_save")
    saved = {id(x) for x in to_save} if separate else ()
    node._outputs = max(len(outputs), 1)  # what is not a tensor counts: backward receives None for it
    node._made = tuple(
        [(z._array.shape, z._array.dtype, z._is_meta) if isinstance(z, Tensor) else None for z in outputs]
    )
    node._storages = [FRESH] * node._outputs
    results = []
    differentiable = 0
    own = {}  # identity -> number, of outputs that are not inputs returned as they are
    for nr, z in enumerate(outputs):
        if isinstance(z, Tensor):
            is_input, is_dirty = id(z) in inputs, id(z) in dirty
            edge = None
            if tracked and id(z) not in fixed and z.dtype.category >= FLOATING:
                edge = node if node._outputs == 1 else Port(node, nr)
                differentiable += 1
                if is_dirty or not is_input:
                    own[id(z)] = nr
            else:
                node._constants = (*node._constants, nr)
            if is_input and not is_dirty and id(z) in saved and (edge is not None or not z.requires_grad):
                raise RuntimeError(_RETURNED_AS_IS)
            z = _with_history(node, z, nr, edge, is_input, is_dirty, args)
            if z._node.__class__ is View and not (is_input and is_dirty):
                z._node.meta = "function"
        results.append(z)
    if differentiable > 1:
        for z in results:
            if isinstance(z, Tensor) and z._node.__class__ is View:
                z._node.meta = "multi"
    if dirty and not dirty <= {id(z) for z in outputs}:
        raise RuntimeError(
            "Some elements marked as dirty during the forward method were not returned as output. The inputs that "
            "are modified inplace must all be outputs of the Function."
        )
    if tracked:
        keep(node, to_save, own)
        show_node(node, [z for z in results if isinstance(z, Tensor)])
    else:
        for x in args:
            if isinstance(x, Tensor) and x._volatile:
                x._spread(results)  # type: ignore[attr-defined]
                break
    node.to_save = node.non_differentiable = node.dirty_tensors = node.saved_for_forward = None
    return tuple(results) if is_tuple else results[0]


def _with_history(node, z, nr, edge, is_input, is_dirty, args):
    """Output number ``nr`` of forward as the user gets it; ``edge`` is None if it has no gradient."""
    if edge is None:
        if not z.requires_grad:
            return _alias(z, None) if is_input and not is_dirty else z
        if is_input:
            return strip_subclass(z).detach()
        if z._node.__class__ is not View:
            z.detach_()
        return z
    if is_dirty:
        _rewrite(node, z, nr, edge, is_input, args)
        return z
    if is_input:
        return _alias(z, edge)
    node._storages[nr] = z._storage
    view = z._node
    if view.__class__ is View:
        view.node = edge
        view.seen = z._storage.version  # what forward wrote to it afterwards is the function's own affair
    else:
        z._node = edge
    return z


def _alias(x, edge):
    """An input that is returned as it is: a view of it with the function's history."""
    if x.__class__ is not Tensor or x._storage is INFERENCE:
        was = set_recording(False)
        try:
            out = x.view_as(x)
        finally:
            set_recording(was)
        if edge is not None:
            out._node.node = edge
        return out
    out = new(Tensor)
    out._array = x._array
    attach(out, x, ViewBackward0, (x._array.shape,), edge, "function")
    return out


def _rewrite(node, z, nr, edge, is_input, args):
    """Make ``edge`` the history of ``z``, which forward wrote to."""
    view = z._node
    end = view.node if view.__class__ is View else view
    if (
        end.__class__ is AccumulateGrad
        or (end is None and z.requires_grad)
        or (end is not None and end.begins)
    ):
        raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
    if not is_input:
        warnings.warn(
            "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be passed to "
            "ctx.mark_dirty().",
            stacklevel=6,
        )
    node._storages[nr] = z._storage
    if view.__class__ is View and node._outputs > 1:
        raise RuntimeError(_ONE_OUTPUT)
    z._kept_grad = None  # that of the value before
    if view.__class__ is not View:
        keep_retaining(view, edge)
        z._node = edge
        return
    if view.meta is not None:
        raise RuntimeError(forbidden(view))
    if z.requires_grad and view.base.is_leaf:
        raise RuntimeError(
            "a view of a leaf Variable that requires grad is being used in an in-place operation."
        )
    place = [k for k, x in enumerate(x for x in args if isinstance(x, Tensor)) if x is z][:1]
    rebase(z, edge if place in ([], [0]) else Reordered(node, place[0]))


class Reordered(Node):
    """A function as ``CopySlices`` wants it: the written view is its first input."""

    inner: Any
    place: Any

    __slots__ = ("inner", "place")

    def __init__(self, inner: Any, place: Any) -> None:
        self.inner = inner
        self.place = place
        self._next = self.to_front(inner._next)
        self._seq, self._extra, self._storage = inner._seq, None, FRESH

    def to_front(self, values: Any) -> Any:
        """Return a sequence with the element of the written view first."""
        place = self.place
        return (values[place], *values[:place], *values[place + 1 :])

    @property
    def next_functions(self) -> Any:
        """As those of the function itself, the written view's first."""
        return tuple([as_pair(edge) for edge in self._next])

    def backward(self, xp: Any, g: Any, keep: Any) -> Any:
        """Return the gradients of the inputs, the written view's first."""
        return self.to_front(self.inner.backward(xp, g, keep))


def _dirty(node):
    """The identities of the tensors marked as dirty; counts a write to each."""
    tensors = _marked(node.dirty_tensors, "dirty_tensors")
    for i, x in enumerate(tensors):
        if not isinstance(x, Tensor):
            raise RuntimeError(
                f"mark_dirty can only accept variables, but argument {i} is of type {type_name(x)}"
            )
        bump(x)
    return {id(x) for x in tensors}


def _non_differentiable(node):
    """The identities of the tensors marked as having no gradient."""
    tensors = _marked(node.non_differentiable, "non_differentiable")
    for x in tensors:
        if not isinstance(x, Tensor):
            raise RuntimeError(
                f"mark_non_differentiable only accepts variable arguments, but got {type_name(x)}"
            )
    return {id(x) for x in tensors}


def _marked(tensors, name):
    if tensors is None:
        return ()
    if not isinstance(tensors, tuple):
        raise RuntimeError(
            f"autograd internal error: {name} attribute is expected to be a tuple but is {type_name(tensors)}"
        )
    return tensors


_RETURNED_AS_IS = (
    "An input that has been returned as-is as output is being saved for backward. This is not supported if you override "
    "setup_context. Return and save a view of it (x.view_as(x)), or define forward(ctx, ...) without setup_context."
)
_ONE_OUTPUT = (
    "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more than "
    "one Tensor. This is not supported by the current autograd engine. Clone the input first, or make two Functions: one "
    "that modifies and returns the view, and one for the other results."
)
