"""Hooks on gradients: those of tensors, of nodes before and after they run, and ``retain_grad``; in which order: ``engine.py``.

A hook sees Tensors and may return others; what it returns is checked, and goes on in the engine's form: raw arrays, or Tensors under ``create_graph``.
"""

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.unresolved import resolved
from .._base.dtypes import internal_type_name
from .gradient_tensors import known, lend, note, of_run, shown
from .modes import set_recording
from .tensor import Tensor
from .wrapped import wrap_layer

ndarray = np.ndarray


def as_tensor(g, xp):
    """A gradient as users see it."""
    return g if xp is not arrays else shown(g)


def outside(xp, function, *args):
    """Call a user's function in the grad mode of this backward."""
    was = set_recording(xp is not arrays)
    try:
        return function(*args)
    finally:
        set_recording(was)


def checked(result, before, hook, xp):
    """A gradient that a hook returned, in the engine's form; raises if it cannot stand for ``before``."""
    if not isinstance(result, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
    name = getattr(hook, "__name__", "<unknown>")
    if before is not None:
        if result._array.shape != tuple(before.shape):
            raise RuntimeError(f"hook '{name}' has changed the size of value")
        if result.dtype is not as_tensor(before, xp).dtype:
            was, got = (internal_type_name(t._array.dtype) for t in (as_tensor(before, xp), result))
            raise RuntimeError(f"hook '{name}' has changed the type of value (was {was} got {got})")
    if xp is not arrays:
        return result
    note(of_run(), result._array, result)
    return resolved(result._array)


def tensor_hooks(node, g, xp):
    """Run the hooks registered on the tensors that ``node`` made; then keep the gradients of those that retain theirs."""
    extra = node._extra
    if not extra.tensor and not extra.retain:
        return g
    several = node._outputs != 1
    if several:
        g = list(g)
    for nr, hooks in tuple(extra.tensor.items()):
        h = g[nr] if several else g
        for hook in tuple(hooks.values()):
            seen = as_tensor(h, xp)
            result = outside(xp, hook, seen)
            if result is not None:
                h = checked(result, h, hook, xp)
            elif xp is arrays and h is not None:
                h = seen._array  # the hook may have written to it
            del seen
        if several:
            g[nr] = h
        else:
            g = h
    for nr, ref in extra.retain.items():
        tensor = ref()
        h = g[nr] if several else g
        if tensor is not None and h is not None:
            tensor._kept_grad = retained(tensor._kept_grad, h, xp)
    return g


def pre_hooks(node, g, xp):
    """Run the node's pre-hooks on the tuple of its gradients."""
    several = node._outputs != 1
    for hook in tuple(node._extra.pre.values()):
        gs = tuple(as_tensor(h, xp) for h in (g if several else (g,)))
        results = outside(xp, hook, gs)
        if results is None:
            if xp is arrays:
                after = [h if h is None else h._array for h in gs]
                g = after if several else after[0]
        else:
            results = as_many(results, gs, hook)
            check_nones(results, gs)
            gs = [None if r is None else checked(r, b, hook, xp) for r, b in zip(results, gs)]
            g = gs if several else gs[0]
    return g


def as_many(results, expected, hook):
    if not isinstance(results, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(results).__name__}'")
    if len(results) != len(expected):
        name = getattr(hook, "__name__", "<unknown>")
        raise RuntimeError(
            f"hook '{name}' has returned an incorrect number of values (got {len(results)}, but expected {len(expected)})"
        )
    return results


def check_nones(results, before):
    if any(b is None and r is not None for r, b in zip(results, before)):
        raise RuntimeError("can't replace a None gradient with a non-None value")


def post_hooks(node, g, outs, xp):
    """Run the node's hooks on the list of what it made; they see what ``next_functions`` counts."""
    places = node.places_of_next()
    gs = tuple(as_tensor(h, xp) for h in (g if node._outputs != 1 else (g,)))
    for hook in tuple(node._extra.post.values()):
        before = tuple(as_tensor(outs[i], xp) for i in places)
        results = outside(xp, hook, before, gs)
        if results is not None:
            results = as_many(results, before, hook)
            check_nones(results, before)
            for i, r, b in zip(places, results, before):
                outs[i] = None if r is None else checked(r, b, hook, xp)
    # what a hook has seen may be kept by it
    return [lend(h, known(of_run(), h)) if h.__class__ is ndarray else h for h in outs]


def retained(so_far, h, xp):
    """The gradient kept by ``retain_grad``: the sum of all so far."""
    if xp is not arrays:
        return xp.clone(h) if so_far is None else xp.add(so_far, h)
    if so_far is None:
        return wrap_layer(h.copy() if hasattr(h, "tensor") else np.array(h, order="C"))
    try:
        return wrap_layer(so_far._array + h)
    except TypeError:  # elements that NumPy has no type for
        return wrap_layer(arrays.add_packed(so_far._array, h))
