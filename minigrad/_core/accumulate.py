"""Leaves: what happens to a gradient that arrives at one.  Kept for the caller of ``grad``, or added to ``.grad``: hooks run before and after.

A gradient is kept as it is where nobody else can hold it (``fresh``), and added to in place, but out of place under ``create_graph``.
"""

import threading
import warnings

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.memory_layout import strides_of
from .._arrays.traced import Traced
from .._arrays.view_chain import dense
from .._base.callers import level_of_user
from .._base.errors import check_sizes
from .._base.forking import held_while_forking
from .._base.settings import is_warn_always_enabled
from . import late, saved_hooks
from .gradient_hooks import as_many, as_tensor, outside, pre_hooks, tensor_hooks
from .gradient_tensors import holders, note, of_run
from .lifted import value_of
from .modes import thread_state
from .storage import FRESH, INFERENCE, Storage, check_overlap, own_storage
from .tensor import Tensor, inference_write, is_blank, new, wrap

ndarray = np.ndarray
_accumulating = held_while_forking(threading.RLock())


def leaf(node, g, fresh, xp, capture, found):
    """A gradient has arrived at a leaf: keep it for the caller, or accumulate it.

    ``fresh``: 0 if somebody else may hold ``g``; otherwise one more than how often the engine wrote to it.
    """
    if node._extra is not None:
        hooks = thread_state.saved_hooks
        try:
            hooked_leaf(node, g, fresh, xp, capture, found)
        finally:
            if thread_state.saved_hooks is not hooks:
                saved_hooks.restore(hooks)
        return
    if capture is not None:
        place = capture[node, 0]
        if place is not None:
            found[place] = g
            return
    if g is not None:
        accumulate(node, g, fresh, xp)


def hooked_leaf(node, g, fresh, xp, capture, found):
    """Like ``leaf``, for one that has hooks, or about which something is odd."""
    extra = node._extra
    if extra.wants is not None and g is not None:
        g = xp.astype(g, extra.wants)
    before = g
    held = holders(g)
    g = tensor_hooks(node, g, xp)
    if capture is not None:
        place = capture[node, 0]
        if place is not None:
            found[place] = g
            return
    g = pre_hooks(node, g, xp)
    if g is before:
        fresh = fresh if holders(g) == held else 0  # a hook may have kept it
    elif g.__class__ is ndarray:  # a hook has made it, and may have kept it
        alone = np.empty(0)
        fresh = g.base is None and holders(g) == holders(alone)
    if g is not None and not (extra.left and has_left(node)):
        accumulate(node, g, fresh, xp)
    if extra.misfit and xp is arrays:
        check_layout(node)
    for hook in tuple(extra.accumulated.values()):
        returned = outside(xp, hook, node.variable)
        if returned is not None and not isinstance(returned, Tensor):
            raise TypeError(f"expected Variable, but hook returned '{type(returned).__name__}'")
    if extra.post:
        run_post_hooks(node, g, xp)


def run_post_hooks(node, g, xp):
    """Run the hooks on the node of a leaf; they see the gradient that arrived, which ``.grad`` may have become."""
    grad = node.grad
    if xp is arrays and grad is not None and g is grad._array:
        note(of_run(), g, seen := grad.detach())
    else:
        seen = as_tensor(g, xp)
    for hook in tuple(node._extra.post.values()):
        results = outside(xp, hook, (), (seen,))
        if results is not None:
            as_many(results, (), hook)


def has_left(node):
    """Whether the leaf requires grad no longer: then it gets nothing from older graphs."""
    leaf = node.leaf()
    if leaf is not None and not leaf.is_leaf:
        raise RuntimeError("leaf variable has been moved into the graph interior")
    return leaf is not None and leaf._edge is not node


def accumulate(node, g, fresh, xp):
    """Add ``g`` to the leaf's gradient: in place, but out of place under ``create_graph``."""
    grad = node.grad
    if xp is not arrays:
        if not thread_state.run.records:
            g = value_of(g)
        if g._is_sparse or (grad is not None and grad._is_sparse):
            node.grad = g.clone() if grad is None else late.sparse().plus(grad, g)
            return
        node.grad = xp.stored_like(g, node.array) if grad is None else xp.add(grad, g)
        return
    if g.__class__ is not ndarray:
        if is_blank(g):
            add_blank(node, g)
            return
        if hasattr(g, "accumulate"):  # of a sparse tensor
            g.accumulate(node)
            return
        if g.__class__ is not Traced:
            g = np.asarray(g)  # of a NumPy scalar: a new array
            fresh = fresh or 1
    with _accumulating:
        grad = node.grad
        if grad is None:
            tensor = new(Tensor)
            tensor._node = None
            tensor._storage = thread_state.fresh
            if fresh and same_layout(g, node.array):
                tensor._array = g
                if fresh > 1:
                    count_writes(tensor, fresh - 1)
            else:
                tensor._array = like_leaf(g, node.array)
                count_writes(tensor, int(node.array.flags.c_contiguous or dense(node.array)))
            node.grad = tensor
        else:
            storage = grad._storage
            if storage.shared or storage.repeats:
                storage = storage_to_add_to(grad)
            target = grad._array
            try:
                np.add(target, g, target)
            except TypeError:  # elements that NumPy has no type for
                if grad._is_sparse:
                    check_sizes(target.shape, g.shape)
                    node.grad = wrap(target + g)
                    return
                target[...] = xp.add_packed(target, g)
            except ValueError:
                check_sizes(target.shape, g.shape)
                raise
            storage.version += 1


def count_writes(grad, number):
    """Let the version of a new gradient say that it was written to ``number`` times."""
    if grad._storage is FRESH:
        own_storage(grad).version = number


def add_blank(node, g):
    """Like ``accumulate``, for a gradient on ``meta``."""
    leaf = node.array
    if leaf.__class__ is ndarray:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    check_sizes(leaf.shape, g.shape)
    grad = node.grad
    if grad is None:
        node.grad = tensor = new(g.tensor)
        tensor._array = leaf.astype(g.dtype, "K" if dense(leaf) else "C")
        tensor._node = None
        tensor._storage = thread_state.fresh
    else:
        storage_to_add_to(grad).version += 1


def storage_to_add_to(grad):
    """A storage that counts a write to ``grad``; raises RuntimeError if nothing may be added to it in place."""
    if grad._storage is INFERENCE:
        if (
            not thread_state.inference and not grad._is_sparse
        ):  # a dense gradient is added to that out of place
            raise inference_write()
        return Storage()
    check_overlap(grad)
    return own_storage(grad)


def check_layout(node):
    """Warn, once, of a gradient that the user assigned in another order in memory than the leaf's."""
    global _warned
    grad = node.grad
    if grad is None or grad._array.__class__ is not ndarray or same_layout(grad._array, node.array):
        node._extra.misfit = False
    elif not _warned or is_warn_always_enabled():
        _warned = True
        warnings.warn(
            "grad and param do not obey the gradient layout contract. This is not an error, but may impair performance: the .grad "
            f"that was assigned has strides {list(strides_of(grad._array))}, its tensor {list(strides_of(node.array))}.",
            stacklevel=level_of_user(),
        )


_warned = False


def same_layout(g, leaf):
    """Whether ``g`` has the order in memory that the leaf's gradient should have."""
    return (
        g.strides == leaf.strides
        or (g.flags.c_contiguous and (leaf.flags.c_contiguous or not dense(leaf)))
        or not thread_state.leaf_layout
    )


def like_leaf(g, leaf):
    """A copy of ``g`` in the leaf's order in memory, where the leaf is dense; else in the order of the indices."""
    if leaf.shape != g.shape and not leaf.flags.c_contiguous:
        check_sizes(g.shape, leaf.shape)
    if leaf.shape == g.shape and not leaf.flags.c_contiguous and dense(leaf):
        order = np.argsort([-s for s in leaf.strides], kind="stable")
        return g.transpose(order).copy("C").transpose(np.argsort(order))
    return g.copy("C")
