"""``grad``, ``grad_and_value`` and ``vjp``: reverse mode as a transform of functions.

The arguments are replaced by fresh aliases that require grad on the innermost level, and the function runs as any program does; nothing is wrapped.  The backward
is recorded only if somebody outside may ask for its derivative: ``reaches_outside``.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _transforms as _transforms  # gives wrapped tensors their rules
from .._arrays import vocabulary as arrays
from .._base.errors import type_name
from .._base.pytree import tree_flatten, tree_map, tree_unflatten, treespec_pprint
from .._core import engine
from .._core.levels import DualLevel, ReverseLevel, any_tracked_below, innermost
from .._core.lifted import cut_off, lifted, prune_history, reaches_outside, without_history, without_node
from .._core.modes import resume_inference, set_recording, suspend_inference, thread_state
from .._core.node import NOWHERE, tick
from .._core.storage import FRESH, INFERENCE, own_storage
from .._core.tensor import Tensor, is_blank, new, wrap
from .._core.wrapped import Wrapped, batch, beneath, dual, wrap_layer
from .._ops import vocabulary
from .._ops.create import ones_like, zeros_like

__all__ = ["grad", "grad_and_value", "vjp"]


# Arguments -----------------------------------------------------------------------------------------------------------------


def chosen(args: Any, argnums: Any) -> Any:
    """Return the arguments that ``argnums`` names: one, or a tuple of them."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    if isinstance(argnums, int):
        return args[place(argnums, len(args))]
    places = [place(n, len(args)) for n in argnums]
    if not argnums:
        raise RuntimeError("argnums must be non-empty")
    if len(set(places)) != len(places):
        raise RuntimeError(f"argnums elements must be unique, got {tuple(places)}")
    return tuple([args[i] for i in places])


def place(argnum: Any, count: Any) -> Any:
    """Return which of ``count`` positional arguments ``argnum`` means."""
    if not isinstance(argnum, int):
        raise RuntimeError(f"argnum must be int, got: {type(argnum)}")
    if not -count <= argnum < count:
        raise RuntimeError(f"Got argnum={argnum}, but only {count} positional inputs")
    return argnum % count


def replaced(args: Any, values: Any, argnums: Any) -> Any:
    """Compute ``args`` with ``values`` in the places of ``argnums``."""
    args = list(args)
    if isinstance(argnums, int):
        args[argnums] = values
    else:
        for n, value in zip(argnums, values):
            args[n] = value
    return tuple(args)


# Aliases -------------------------------------------------------------------------------------------------------------------


def leaf(x: Any, follow: Any, reverse: Any) -> Any:
    """Return a fresh tensor of the value of ``x`` that requires grad on the innermost level, for the level ``reverse``; ``follow``: its gradient is one of ``x``."""
    if not isinstance(x, Tensor):
        raise ValueError(f"Thing passed to transform API must be Tensor, got {type(x)}")
    if not (x.is_floating_point() or x.is_complex()):
        raise RuntimeError("only Tensors of floating point dtype can require gradients")
    level = innermost()
    if level is None or (isinstance(x, Wrapped) and x._array.level is level):
        edge = x._edge if follow else None
        if isinstance(x, Wrapped):
            out = wrap_layer(x._array)
        elif x._array.__class__ is not np.ndarray:  # of meta, or sparse
            out = wrap_layer(x._array)
            out._storage = own_storage(x)
        else:
            out = new(Tensor)
            # PyTorch's alias of an inference tensor is none: backward may need it
            out._array, out._storage = x._array, FRESH if x._storage is INFERENCE else own_storage(x)
        out._node = lifted(edge, reverse)
        return out
    inner = x if follow else without_history(x)
    out = dual(inner, level, None) if level.__class__ is DualLevel else batch(inner, level, False)
    out._node = lifted(None, reverse)
    return out


def gradients(outs: Any, leaves: Any, cotangents: Any, keep: Any, record: Any, recording: Any) -> Any:
    """Return the gradients of ``outs`` with respect to ``leaves`` for ``cotangents`` (None: ones); zeros where there is none.

    ``record``: they can be differentiated themselves; ``recording``: the grad mode outside, by which they may have a history on other levels.
    """
    ends, seeds = [], []
    raw = not record
    for out, g in zip(outs, cotangents):
        edge = out._edge
        if edge is None:
            continue
        if edge is NOWHERE:
            raise RuntimeError(
                f"element {len(ends)} of tensors does not require grad and does not have a grad_fn"
            )
        ends.append(edge)
        if g is None:
            if out.is_complex():
                raise RuntimeError(
                    f"grad can be implicitly created only for real scalar outputs but got {out.dtype}"
                )
            if out.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            g = ones_like(out) if out.is_meta else wrap(np.ones(out._array.shape, out._array.dtype))
        elif g.is_meta is not out.is_meta:
            raise RuntimeError(
                f"invalid gradient at index {len(ends) - 1} - expected device {out.device} but got {g.device}"
            )
        elif g._array.shape != out._array.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{len(ends) - 1}] has a shape of {g.shape} and output[{len(ends) - 1}] has a shape of "
                f"{out.shape}."
            )
        elif g._array.dtype is not out._array.dtype:
            if g.is_complex() != out.is_complex():
                raise RuntimeError(
                    "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
                    f"grad_output[{len(ends) - 1}] has a dtype of {g.dtype} and output[{len(ends) - 1}] has a dtype of {out.dtype}."
                )
            g = vocabulary.astype(g, out._array.dtype)
        if raw and (isinstance(out, Wrapped) or isinstance(g, Wrapped)):
            raw = False
        seeds.append(g)
    found = [None] * len(leaves)
    if ends:
        capture = {}
        places = [capture.setdefault((x._node, 0), len(capture)) for x in leaves]
        was = thread_state.recording
        pulling, thread_state.pulling = thread_state.pulling, leaves[0]._node.level
        try:
            if raw:
                grads = engine.run(tuple(ends), [g._array for g in seeds], arrays, keep, capture)
                grads = [
                    g if g is None else wrap_layer(g.copy("K") if _has_copy(g) else arrays.clone(g))
                    for g in grads
                ]
            else:
                since = tick()
                set_recording(recording and (record or any_tracked_below()))
                grads = engine.run(tuple(ends), seeds, vocabulary, keep, capture, record)
        finally:
            set_recording(was)
            thread_state.pulling = pulling
        found = [grads[p] for p in places]
        if not raw and not recording:
            found = [g if g is None else without_history(g) for g in found]
        elif not raw and not record:
            found = [g if g is None else untracked(g, x, leaves) for g, x in zip(found, leaves)]
        elif record and any(x._node._next[0] is None for x in leaves):
            if ends and not any(isinstance(x, Wrapped) for x in (*found, *leaves)):
                cut_off([g for g in found if g is not None], leaves, since)
            found = [g if g is None else prune_history(g, leaves) for g in found]
    return [for_each_sample(zeros_of(x) if g is None else g, x) for x, g in zip(leaves, found)]


def for_each_sample(g: Any, x: Any) -> Any:
    """Return a derivative with memory of its own for each sample of ``x``, also if it is the same for all."""
    if not isinstance(x, Wrapped):
        return g
    levels, found = beneath(x)[1], beneath(g)[1]
    return g if all(level in found for level in levels) else zeros_like(x) + g


def untracked(g: Any, x: Any, leaves: Any) -> Any:
    """Return the gradient of the leaf ``x`` without history on the level of ``x``, unless that leads beyond ``leaves``."""
    level_of_g, level = [y._array.level if isinstance(y, Wrapped) else None for y in (g, x)]
    return without_node(g) if level_of_g is level else prune_history(g, leaves)


def _has_copy(array: Any) -> bool:
    """Whether what stands in an array's place copies itself: one of meta, or a sparse one."""
    return is_blank(array) or hasattr(type(array), "holding")


def zeros_of(x: Any) -> Any:
    """Return zeros of the shape and dtype of ``x``."""
    return vocabulary.zeros(x._array.shape, x)


# grad ------------------------------------------------------------------------------------------------------------------------


def grad(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Any:
    """Return a function that computes the gradient of ``func``, whose result is a 0-dim tensor, with respect to argument ``argnums``.

    ``argnums``: an int, or a tuple of them for a tuple of gradients.  With ``has_aux``, ``func`` returns a pair, the second of which is passed on:
    (gradient, aux).

    >>> import minigrad
    >>> minigrad.func.grad(lambda x: (x ** 3).sum())(minigrad.tensor([1., 2.]))
    tensor([ 3., 12.])
    >>> minigrad.func.grad(minigrad.func.grad(minigrad.sin))(minigrad.tensor(1.)) == -minigrad.tensor(1.).sin()
    tensor(True)
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func, updated=())
    def gradient(*args, **kwargs):
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def grad_and_value(
    func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Any:
    """Like ``grad``, for the pair (gradient, value), or (gradient, (value, aux)).

    Raises RuntimeError if ``func`` does not return a tensor without dimensions.

    >>> import minigrad
    >>> minigrad.func.grad_and_value(lambda x: x * x)(minigrad.tensor(3.))
    (tensor(6.), tensor(9.))
    """

    @functools.wraps(func, updated=())
    def both(*args, **kwargs):
        with Reversing(func) as outside:
            flat, spec = tree_flatten(chosen(args, argnums))
            leaves = [leaf(x, outside.recording, outside.level) for x in flat]
            output = func(*replaced(args, tree_unflatten(leaves, spec), argnums), **kwargs)
            aux = None
            if has_aux:
                output, aux = pair(output, "grad_and_value(f)(*args)")
            if not isinstance(output, Tensor):
                raise RuntimeError(
                    f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(output)}"
                )
            if output.dim() != 0:
                raise RuntimeError(
                    f"grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with {output.dim()} "
                    "dims. vjp and jacrev take functions of any shape."
                )
            edge = output._edge
            record = edge is not None and outside.recording and reaches_outside((edge,), leaves)
            found = gradients((output,), leaves, (None,), record, record, outside.recording)
            output = outside.leaving(output, record)
            found = tree_unflatten(found, spec)
            if has_aux:
                return found, (output, outside.all_leaving(aux, leaves))
        return found, output

    return both


class Reversing:
    """The level of a reverse transform: grad mode is on inside, whatever it was."""

    inference: tuple[bool, bool]
    recording: bool
    hooks: Any
    level: Any

    def __init__(self, func: Callable[..., Any]) -> None:
        self.func = func

    def __enter__(self) -> Any:
        self.inference = suspend_inference()
        self.recording = set_recording(True)
        self.hooks = thread_state.why_no_hooks
        thread_state.why_no_hooks = NO_HOOKS
        if thread_state.saved_hooks:
            self.leave()
            raise RuntimeError(NO_HOOKS)
        self.level = ReverseLevel(self.func)
        return self

    def __exit__(self, *error: Any) -> None:
        self.level.close()
        self.leave()

    def leave(self) -> None:
        thread_state.why_no_hooks = self.hooks
        set_recording(self.recording)
        resume_inference(self.inference)

    def leaving(self, x: Any, tracked: Any) -> Any:
        """Return a result as the caller sees it: with history only if it leads beyond the function."""
        if tracked:
            return x
        return without_node(x) if self.recording else without_history(x)

    def all_leaving(self, tree: Any, leaves: Any) -> Any:
        """Like ``leaving``, for all tensors of a structure."""

        def one(x):
            if not isinstance(x, Tensor):
                raise RuntimeError(f"Expected tensors, got unsupported type {type(x)}")
            edge = x._edge
            return x if edge is None else self.leaving(x, self.recording and reaches_outside((edge,), leaves))

        return tree_map(one, tree)


NO_HOOKS = "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. Use torch.autograd.grad with them."


def pair(output: Any, who: Any) -> Any:
    """Return (output, aux) of a function that returns both."""
    if not (isinstance(output, tuple) and len(output) == 2):
        raise RuntimeError(f"{who}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return output


# vjp -------------------------------------------------------------------------------------------------------------------------


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Compute ``func(*primals)`` and a function that multiplies vectors by its Jacobian: return (output, pull), or (output, pull, aux).

    ``pull(cotangents)``, of the structure of the output, returns a tuple with a gradient for each of ``primals``.

    >>> import minigrad
    >>> output, pull = minigrad.func.vjp(lambda x: x * x, minigrad.tensor([1., 2.]))
    >>> pull(minigrad.tensor([1., 10.]))
    (tensor([ 2., 40.]),)
    """
    return pulled(func, primals, None, has_aux)


def pulled(func: Callable[..., Any], primals: Any, argnums: Any, has_aux: Any) -> Any:
    """Like ``vjp``, with respect to the arguments of ``argnums``; all, if None."""
    who = "vjp(f, *primals)"
    with Reversing(func) as outside:
        flat, spec = tree_flatten(primals if argnums is None else chosen(primals, argnums))
        leaves = [leaf(x, outside.recording, outside.level) for x in flat]
        given = tree_unflatten(leaves, spec)
        output = func(*(given if argnums is None else replaced(primals, given, argnums)))
        aux = None
        if has_aux:
            output, aux = pair(output, who)
        outs, out_spec = tree_flatten(output)
        check_outputs(outs, who)
        for out in outs:
            if not (out.is_floating_point() or out.is_complex()):
                raise RuntimeError(
                    f"vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype {out.dtype}"
                )
        ends = [out._edge for out in outs if out._edge is not None]
        tracked = reaches_outside(ends, leaves)
        followed = outside.recording and tracked
        results = [outside.leaving(out, followed) for out in outs]
        if followed:
            results = [prune_history(out, leaves) for out in results]
        results = tree_unflatten(results, out_spec)
        if has_aux:
            aux = outside.all_leaving(aux, leaves)

    def pull(cotangents, retain_graph=True, create_graph=None):
        seeds, seed_spec = tree_flatten(cotangents)
        if seed_spec != out_spec:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. cotangents: "
                f"{treespec_pprint(seed_spec)}, primal output: {treespec_pprint(out_spec)}"
            )
        for g in seeds:
            if not isinstance(g, Tensor) and g is not None:
                raise TypeError(f"gradients can be either Tensors or None, but got {type_name(g)}")
        wanted = thread_state.recording if create_graph is None else create_graph
        record = wanted and (tracked or any(g is not None and g.requires_grad for g in seeds))
        return tree_unflatten(
            gradients(outs, leaves, seeds, retain_graph, record, thread_state.recording or record), spec
        )

    return (results, pull, aux) if has_aux else (results, pull)


def check_outputs(outs: Any, who: Any) -> None:
    """Raise RuntimeError unless there are outputs, all of them tensors."""
    if not outs or (len(outs) == 1 and outs[0] is None):
        raise RuntimeError(
            f"{who}: Expected f to be a function that has non-empty output (got output = {outs})"
        )
    for out in outs:
        if not isinstance(out, Tensor):
            raise RuntimeError(
                f"{who}: expected f(*primals) to return only tensors, got unsupported type {type(out)}"
            )
