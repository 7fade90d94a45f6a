"""``jvp`` and ``linearize``: forward mode as a transform of functions."""

from collections.abc import Callable
from typing import Any

from .._base.pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten
from .._core.levels import DualLevel
from .._core.modes import resume_inference, set_recording, suspend_inference, thread_state
from .._core.tensor import Tensor, without_class
from .._core.wrapped import Dual, dual
from ..autograd.forward_ad import check_dtypes, check_not_in_dual_level, check_sizes
from .reverse import chosen, for_each_sample, pair, replaced, vjp, zeros_of

__all__ = ["jvp", "linearize"]

_JVP = "jvp(f, primals, tangents)"


def jvp(
    func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> tuple[Any, Any] | tuple[Any, Any, Any]:
    """Compute ``func(*primals)`` and its Jacobian times ``tangents``: return (output, tangent), or (output, tangent, aux).

    ``tangents`` has the structure of ``primals``, a tuple. Raises RuntimeError otherwise; with ``strict``, also if an output does not
    depend on the primals.

    >>> import minigrad
    >>> minigrad.func.jvp(lambda x: x * x, (minigrad.tensor([1., 2.]),), (minigrad.tensor([1., 10.]),))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{_JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    return pushed(func, primals, tangents, None, strict, has_aux)


def pushed(
    func: Callable[..., Any],
    args: Any,
    tangents: Any,
    argnums: Any,
    strict: bool,
    has_aux: Any,
    linearizes: bool = False,
) -> Any:
    """Like ``jvp``, with respect to the arguments of ``argnums``; all, if None.  ``linearizes``: the tangents are recorded in every grad mode."""
    flat, spec = tree_flatten(args if argnums is None else chosen(args, argnums))
    flat_tangents, tangents_spec = tree_flatten(tangents)
    if spec != tangents_spec:
        raise RuntimeError(
            f"{_JVP}: Expected primals and tangents to have the same python structure. There is one tangent for each "
            f"primal. Got primals with structure {spec} and tangents with structure {tangents_spec}"
        )
    for xs, name in ((flat, "primals"), (flat_tangents, "tangents")):
        if not xs:
            raise RuntimeError(f"{_JVP}: Expected {name} to contain at least one Tensor.")
        for x in xs:
            if not isinstance(x, Tensor):
                raise RuntimeError(f"{_JVP}: Expected {name} to only contain Tensors, got {type(x)}")
    for x, t in zip(flat, flat_tangents):
        check_dtypes(x, t)
        check_sizes(x, t)
    flat, flat_tangents = ([without_class(x) for x in xs] for xs in (flat, flat_tangents))
    check_not_in_dual_level()
    inference = suspend_inference()
    level = DualLevel(func, linearizes=linearizes)
    was, thread_state.forward = thread_state.forward, True
    try:
        duals = tree_unflatten([dual(x, level, t) for x, t in zip(flat, flat_tangents)], spec)
        output = func(*(duals if argnums is None else replaced(args, duals, argnums)))
        aux = None
        if has_aux:
            output, aux = pair(output, _JVP)
            aux = tree_map(lambda x: value_of(x, level), aux)
        outs, out_spec = tree_flatten(output)
        if not outs or (len(outs) == 1 and outs[0] is None):
            raise RuntimeError(
                f"{_JVP}: Expected f to be a function that has non-empty output (got output = {outs})"
            )
        found = [unpacked(x, level, strict) for x in outs]
    finally:
        thread_state.forward = was
        level.close()
        resume_inference(inference)
    values = tree_unflatten([x for x, _ in found], out_spec)
    found_tangents = tree_unflatten([t for _, t in found], out_spec)
    return (values, found_tangents, aux) if has_aux else (values, found_tangents)


def value_of(x: Any, level: Any) -> Any:
    """Return a tensor without its tangent of this level."""
    if not isinstance(x, Tensor):
        raise RuntimeError(f"Expected tensors, got unsupported type {type(x)}")
    return x._array.inner if isinstance(x, Dual) and x._array.level is level else x


def unpacked(x: Any, level: Any, strict: bool) -> Any:
    """Return the value and the tangent of an output; zeros if it has none."""
    if not isinstance(x, Tensor):
        raise RuntimeError(
            f"{_JVP}: expected f(*primals) to return only tensors, got unsupported type {type(x)}"
        )
    if isinstance(x, Dual) and x._array.level is level:
        layer = x._array
        if layer.tangent is not None:
            return layer.inner, for_each_sample(layer.tangent, layer.inner)
        x = layer.inner
    if strict:
        raise RuntimeError(
            "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is not allowed with strict=True."
        )
    return x, zeros_of(x)


def is_inexact(t: Any) -> Any:
    """Return whether a tensor is of a floating or complex dtype: others have no tangents but zeros."""
    return t.is_floating_point() or t.is_complex()


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """Compute ``func(*primals)`` and its linear approximation: return (output, push), where ``push`` multiplies the Jacobian by tangents.

    ``func`` is called once; ``push(*tangents)``, which takes as many tensors as there are primals, costs about as much as a backward.

    >>> import minigrad
    >>> output, push = minigrad.func.linearize(lambda x: x * x, minigrad.tensor([1., 2.]))
    >>> push(minigrad.tensor([1., 10.]))
    tensor([ 2., 40.])
    """
    flat, spec = tree_flatten(primals)
    for x in flat:
        if not isinstance(x, Tensor):
            raise RuntimeError(
                f"linearize(f, *primals): Expected primals to only contain Tensors, got {type(x)}"
            )
        check_dtypes(x, x)
    recording = thread_state.recording
    output = found = None

    def tangents_of_outputs(*tangents):
        """The tangents of the outputs that have any, as functions of those of the primals."""
        nonlocal output, found
        was = set_recording(recording)
        try:
            output, found = pushed(
                func, primals, tree_unflatten(list(tangents), spec), None, False, False, True
            )
        finally:
            set_recording(was)
        return [t for t in tree_leaves(found) if is_inexact(t)] or list(tangents)

    _, pull = vjp(tangents_of_outputs, *[zeros_of(x) for x in flat])
    flat_found, out_spec = tree_flatten(found)
    found = None  # which would keep the function that holds it
    places = [i for i, t in enumerate(flat_found) if is_inexact(t)]
    constant = [None if is_inexact(t) else t for t in flat_found]

    if places:  # J t is the gradient, with respect to g, of <pull(g), t>: pull is linear
        _, push_flat = vjp(lambda *g: list(pull(list(g))), *[zeros_of(flat_found[i]) for i in places])

    def push(*tangents):
        flat_tangents, tangents_spec = tree_flatten(tangents)
        if tangents_spec != spec:
            raise RuntimeError(
                f"Expected the tangents {tangents_spec} to have the same argspec as the primals {spec}"
            )
        for i, (x, t) in enumerate(zip(flat, flat_tangents)):
            if t.shape != x.shape:
                raise RuntimeError(
                    f"tangent:{i} with shape {t.shape} in flattened pytree doesn't match the shape {x.shape} of the corresponding primal."
                )
            if t.dtype != x.dtype:
                raise RuntimeError(
                    f"tangent:{i} with dtype {t.dtype} in flattened pytree doesn't match the dtype {x.dtype} of the corresponding primal."
                )
        results = list(constant)
        if places:
            for i, t in zip(places, push_flat(flat_tangents)):
                results[i] = t
        return tree_unflatten(results, out_spec)

    return output, push
