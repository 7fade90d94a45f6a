"""The graph as an object: nodes that can be called and asked, edges, and hooks on what nodes save."""

import contextlib
import functools
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.unresolved import resolved, stored
from .._base.forking import held_while_forking
from .._base.missing import getattr_of as _getattr_of
from .._base.publishing import answer_for_sources as _answer_for_sources
from .._core import engine
from .._core import saved_hooks as _saved_hooks
from .._core.hooks import RemovableHandle
from .._core.modes import thread_state
from .._core.node import AccumulateGrad, Node
from .._core.tensor import Tensor, bump, is_blank, node_and_nr, wrap
from .._core.wrapped import wrap_layer
from ._answers import missing_history, modifications, provenance, referrers
from ._metadata import input_metadata
from ._origins import Origin, origin_of

__all__ = [
    "GradientEdge",
    "Node",
    "Origin",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "origin_of",
    "record_origins",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
    "what_holds",
    "where_cut",
    "who_modified",
    "why_no_grad",
]


def call_node(node: Any, *grads: Any) -> Any:
    """Return the gradients of the node's inputs, from those of its outputs; nothing is freed and no hook is called.

    >>> import minigrad
    >>> y = minigrad.ones(2, requires_grad=True) * 3
    >>> y.grad_fn(minigrad.ones(2))
    (tensor([3., 3.]), None)
    """
    if len(grads) != node._outputs:
        raise TypeError(f"expected {node._outputs} arguments, got {len(grads)} instead")
    for i, g in enumerate(grads):
        if g is not None and not isinstance(g, Tensor):
            raise TypeError(f"argument {i} is not a Variable")
    if node.__class__ is AccumulateGrad:
        if grads[0] is not None:
            engine.run((node,), [resolved(grads[0]._array)], arrays, True)
        return ()
    if all(g is None for g in grads) and not node.takes_none:
        return (None,) * len(node.next_functions)
    recorded = thread_state.recording
    xp: Any
    if recorded:
        from .._ops import vocabulary as xp
    else:
        xp = arrays
    gs = [g if g is None or recorded else resolved(g._array) for g in grads]
    outs = node.backward(xp, gs[0] if node._outputs == 1 else gs, True)
    outs = [outs[i] for i in node.places_of_next()]
    outs = tuple(
        g if g is None or recorded else wrap_layer(g.copy() if is_blank(g) else np.array(g)) for g in outs
    )
    return outs[0] if len(outs) == 1 else outs


node_input_metadata: Any = property(
    input_metadata, doc="Shape, dtype and device of each gradient that the node takes."
)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count a write to a tensor (or to each of several) that autograd did not see.

    >>> import minigrad
    >>> x = minigrad.ones(2)
    >>> minigrad.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    if not isinstance(tensor, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for t in (tensor,) if isinstance(tensor, Tensor) else tensor:
        if not isinstance(t, Tensor):
            raise RuntimeError("increment_version expects each element of the iterable to be a tensor")
        if not t.is_inference():
            bump(t)


@contextlib.contextmanager
def record_origins() -> Iterator[Any]:
    """Within the block, record which line of the program recorded each node, and which wrote to tensors in place.

    ``origin_of(node)`` returns the line. The setting belongs to the current thread; blocks nest.

    >>> import minigrad
    >>> graph = minigrad.autograd.graph
    >>> x = minigrad.ones(2, requires_grad=True)
    >>> with graph.record_origins():
    ...     y = x.exp()
    >>> graph.origin_of(y.grad_fn).text
    'y = x.exp()'
    """
    provenance.start()
    try:
        yield
    finally:
        provenance.stop()


# Edges ---------------------------------------------------------------------------------------------------------------------


class GradientEdge(NamedTuple):
    """The place where a gradient goes: output ``output_nr`` of a node. ``backward`` and ``grad`` accept it instead of the tensor, which it
    does not keep alive.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.], requires_grad=True)
    >>> minigrad.autograd.graph.get_gradient_edge(x * 2).output_nr
    0
    """

    node: Node
    output_nr: int
    ownership_token: object = None


def get_gradient_edge(tensor: Tensor) -> Any:
    """Return the edge at which the gradient of a tensor arrives; raise RuntimeError if the tensor does not require grad.

    >>> import minigrad
    >>> x = minigrad.tensor(3., requires_grad=True)
    >>> y = x * x
    >>> edge = minigrad.autograd.graph.get_gradient_edge(y)
    >>> minigrad.autograd.grad(y * 2, edge)
    (tensor(2.),)
    """
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require gradients"
        )
    return GradientEdge(*node_and_nr(tensor))


# Hooks on several tensors --------------------------------------------------------------------------------------------------


class _MultiHandle(RemovableHandle):
    """Removes several hooks at once."""

    def __init__(self, handles: Iterable[RemovableHandle]) -> None:
        self.handles = handles

    def remove(self) -> None:
        """Take the hooks out."""
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(
    tensors: Sequence[Tensor],
    fn: Callable[[Sequence[Tensor | None]], None] | Callable[[Tensor], None],
    *,
    mode: Literal["all", "any"] = "all",
) -> RemovableHandle:
    """Call ``fn`` once per backward for several tensors.

    With mode "all", call ``fn(grads)`` when the gradients of all ``tensors`` that this backward reaches are computed (None for the
    others); with mode "any", call ``fn(grad)`` with the first one. Returns a handle with ``remove()``. Raises ValueError for another
    mode.

    >>> import minigrad
    >>> x, y = minigrad.ones(1, requires_grad=True), minigrad.ones(1, requires_grad=True)
    >>> handle = minigrad.autograd.graph.register_multi_grad_hook([x, y], lambda grads: print(grads))
    >>> (2 * x + 3 * y).backward()
    [tensor([2.]), tensor([3.])]
    """
    modes: dict[str, Any] = {"all": _WhenAll, "any": _WhenAny}
    if mode not in modes:
        raise ValueError(f"Expects mode to be one of {tuple(modes)} but got {mode}")
    tensors = tuple(t for t in tensors if t.requires_grad or mode == "all")
    if not all(t.requires_grad for t in tensors):
        raise AssertionError("Expected gradient function to be set")
    arrived = modes[mode](fn, [node_and_nr(t)[0] for t in tensors])
    return _MultiHandle([t.register_hook(functools.partial(arrived, i)) for i, t in enumerate(tensors)])


#: Held while a hook of several tensors notes that a gradient has come.
_collecting = held_while_forking(threading.RLock())


class _WhenAny:
    """Calls ``fn`` with the first gradient of each backward."""

    def __init__(self, fn: Callable[..., Any], nodes: Any) -> None:
        self.fn = fn
        self.runs = weakref.WeakSet()

    def __call__(self, i: Any, grad: Any) -> None:
        run = thread_state.run
        with _collecting:
            if run in self.runs:
                return
            self.runs.add(run)
        self.fn(grad)


class _WhenAll:
    """Calls ``fn`` with all gradients of a backward when the last has arrived."""

    def __init__(self, fn: Callable[..., Any], nodes: Any) -> None:
        self.fn = fn
        self.nodes = nodes
        self.runs = weakref.WeakKeyDictionary()  # backward -> [how many are to come, those that came]

    def __call__(self, i: Any, grad: Any) -> None:
        run = thread_state.run
        with _collecting:
            if run not in self.runs:
                self.runs[run] = [sum(map(run.reaches, self.nodes)), [None] * len(self.nodes)]
            state = self.runs[run]
            state[0] -= 1
            state[1][i] = grad
            if state[0]:
                return
            del self.runs[run]
        self.fn(state[1])


# What nodes save -----------------------------------------------------------------------------------------------------------


class saved_tensors_hooks:
    """Within the block, ``pack_hook(tensor)`` replaces each tensor saved for backward, and ``unpack_hook`` restores it each time backward
    needs it.

    Of nested pairs, the innermost applies. The pack hook must not modify its argument: that raises RuntimeError.

    >>> import minigrad
    >>> x = minigrad.tensor([2., 3.], requires_grad=True)
    >>> with minigrad.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), lambda kept: minigrad.tensor(kept)):
    ...     y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    tensor([4., 6.])
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if not callable(self.pack_hook) or not callable(self.unpack_hook):
            raise TypeError(
                "_push_saved_tensors_default_hooks(): incompatible function arguments. The following argument types are supported:\n"
                "    1. (arg0: collections.abc.Callable, arg1: collections.abc.Callable) -> None\n\n"
                f"Invoked with: {self.pack_hook!r}, {self.unpack_hook!r}"
            )
        _saved_hooks.push(self.pack_hook, self.unpack_hook)

    def __exit__(self, *exc: Any) -> None:
        _saved_hooks.pop()


class save_on_cpu(saved_tensors_hooks):
    """Keep saved tensors in the CPU's memory, where they are already: nothing is copied unless ``pin_memory``.

    >>> import minigrad
    >>> x = minigrad.ones(2, requires_grad=True)
    >>> with minigrad.autograd.graph.save_on_cpu():
    ...     y = x * x
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(tensor):
            return tensor.device, tensor.clone() if pin_memory else tensor.cpu()

        def unpack(packed):
            device, tensor = packed
            return tensor.to(device)

        super().__init__(pack, unpack)


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Within the block, hooks on saved tensors raise RuntimeError with ``error_message``.

    >>> import minigrad
    >>> graph = minigrad.autograd.graph
    >>> with graph.disable_saved_tensors_hooks("not here"):
    ...     with graph.save_on_cpu():
    ...         pass
    Traceback (most recent call last):
      ...
    RuntimeError: not here
    """
    was = _saved_hooks.disable(error_message)
    try:
        yield
    finally:
        _saved_hooks.disable(was)


class _Kept:
    """What stands in nodes for a tensor that ``allow_mutation_on_saved_tensors`` keeps."""


class _AllowMutationOnSavedContext:
    """What ``allow_mutation_on_saved_tensors`` keeps: saved tensors, and copies of those that were written to since."""

    def __init__(self) -> None:
        self.original = weakref.WeakKeyDictionary()
        self.cloned = weakref.WeakKeyDictionary()
        # a tensor as it is saved -> what stands for it
        self.tid_to_weakhandle = weakref.WeakValueDictionary()
        self.sid_to_tid = {}  # a piece of memory -> the tensors saved of it

    def pack(self, tensor: Tensor) -> Any:
        """Keep a saved tensor, once however often it is saved."""
        array = stored(tensor._array)
        tid = (id(tensor), array.ctypes.data, array.shape, array.strides, tensor._version)
        self.sid_to_tid.setdefault(_memory(array), set()).add(tid)
        kept = self.tid_to_weakhandle.get(tid)
        if kept is None or kept in self.cloned:
            self.tid_to_weakhandle[tid] = kept = _Kept()
            self.original[kept] = tensor.detach()
        return kept

    def unpack(self, kept: Any) -> Any:
        """The saved tensor, as it was."""
        if kept in self.cloned:
            return self.cloned[kept]
        if kept not in self.original:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
                "in which the graph was originally recorded."
            )
        return self.original[kept]

    def before_write(self, tensor: Tensor) -> None:
        """Copy what is saved of the memory that is about to be written to."""
        for tid in self.sid_to_tid.pop(_memory(tensor._array), ()):
            kept = self.tid_to_weakhandle.get(tid)
            if kept in self.original:
                alias = self.original.pop(kept)
                self.cloned[kept] = wrap(np.array(alias._array))

    def clear(self) -> None:
        """Forget everything: the graphs recorded so far cannot run backward any more."""
        self.original.clear()
        self.cloned.clear()
        self.tid_to_weakhandle.clear()
        self.sid_to_tid.clear()


def _memory(array):
    """The address of the memory that an array is a view of."""
    array = stored(array)
    while array.base.__class__ is np.ndarray:
        array = array.base
    return array.ctypes.data


@contextlib.contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[Any]:
    """Within the block, tensors saved for backward may be modified in place: they are copied first, and backward uses the copies.

    Backward has to run within the block, too. Raises RuntimeError if nested.

    >>> import minigrad
    >>> x = minigrad.tensor([3.], requires_grad=True)
    >>> with minigrad.autograd.graph.allow_mutation_on_saved_tensors():
    ...     y = x.clone()
    ...     z = y ** 2
    ...     _ = y.zero_()
    ...     z.backward()
    >>> x.grad
    tensor([6.])
    """
    if thread_state.before_write is not None:
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    context = _AllowMutationOnSavedContext()
    with saved_tensors_hooks(context.pack, context.unpack):
        thread_state.before_write = context.before_write
        try:
            yield context
        finally:
            thread_state.before_write = None
            context.clear()


# Questions, answered in words ------------------------------------------------------------------------------------------------


def why_no_grad(tensor: Tensor) -> Any:
    """Explain why ``tensor`` does not require grad: return an answer with ``reason``, ``function``, ``origin`` and ``causes``, and a text as
    ``str()``.

    Under ``record_origins`` the function and line that made a tensor without history are recorded; otherwise the answer says what the
    tensor itself shows. Raises TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> graph = minigrad.autograd.graph
    >>> x = minigrad.ones(2, requires_grad=True)
    >>> with graph.record_origins():
    ...     y = x.detach()
    ...     z = y * 2
    >>> answer = graph.why_no_grad(z)
    >>> answer.reason, answer.causes[0].reason, answer.causes[0].origin.text
    ('no_operand', 'detach', 'y = x.detach()')
    """
    return missing_history.why_no_grad(tensor)


def where_cut(output: Any, *leaves: Any) -> Any:
    """Find where the graph between ``output`` and leaves is cut, so that they get no gradient.

    ``leaves`` are tensors, modules (their parameters), dictionaries or sequences of tensors; without any, the answer lists all cuts that
    were recorded. The answer has ``connected``, the names of the leaves that the graph leads to; ``cuts``, an answer by the name of each
    of the others; and ``doubts``, one by the name of each connected leaf that may still get no gradient or only zeros. Raises TypeError
    if the argument is not a tensor.

    >>> import minigrad
    >>> graph = minigrad.autograd.graph
    >>> net = minigrad.nn.Sequential(minigrad.nn.Linear(2, 3), minigrad.nn.Linear(3, 1))
    >>> with graph.record_origins():
    ...     h = net[0](minigrad.ones(2)).detach()
    ...     loss = net[1](h).sum()
    >>> answer = graph.where_cut(loss, net)
    >>> answer.connected, answer.cuts["0.weight"].reason, answer.origin.line
    (('1.weight', '1.bias'), 'detach', 2)
    """
    return missing_history.where_cut(output, leaves)


def what_holds(tensor_or_node: Any) -> Any:
    """Find what keeps the memory of a tensor alive: nodes that saved it, views and other tensors, ``.grad``, hooks and closures.

    Of a node, the answer lists what it saved, and who holds it. It has ``bytes`` and ``holders``. The search looks at all objects of the
    program, which takes a moment. Raises TypeError for anything else.

    >>> import minigrad
    >>> x = minigrad.ones(1000, requires_grad=True)
    >>> y = x.exp()
    >>> answer = minigrad.autograd.graph.what_holds(y)
    >>> answer.bytes, [holder.reason for holder in answer.holders]
    (4000, ['tensor', 'saved'])
    """
    return referrers.what_holds(tensor_or_node)


def who_modified(tensor_or_node: Any) -> Any:
    """Find the in-place operations that modified a tensor, or what a node saved since it saved it.

    The answer has ``writes``, the oldest first, with the function and (under ``record_origins``) the line of each. Raises TypeError for
    anything else.

    >>> import minigrad
    >>> graph = minigrad.autograd.graph
    >>> x = minigrad.ones(2, requires_grad=True)
    >>> with graph.record_origins():
    ...     y = x.exp()
    ...     _ = y.add_(1)
    >>> answer = graph.who_modified(y.grad_fn.next_functions[0][0])
    >>> answer.origin.text
    '_ = y.add_(1)'
    """
    return modifications.who_modified(tensor_or_node)


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
_answer_for_sources(globals())
