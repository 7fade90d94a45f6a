"""Custom Functions while transforms are under way: one level of the arguments is taken off, and the Function applied to what lies further in.

At a level of ``vmap`` the user's ``vmap`` does that, or the Function that ``function_batches.py`` derives; at one of forward mode the user's ``jvp`` gives the
tangents.  ``forward`` runs once, at the bottom; ``setup_context`` once more at each level where somebody will ask the context.  What comes out is wrapped again
and, if an argument is tracked on that very level, recorded there as a node of its own.
"""

from typing import Any, NamedTuple

from .._base.dtypes import FLOATING
from .._base.errors import type_name
from .._base.pytree import broadcast_to_and_flatten, tree_flatten, tree_leaves, tree_map, tree_unflatten
from .._core.levels import BatchLevel
from .._core.lifted import hidden
from .._core.modes import set_recording, thread_state
from .._core.storage import own_storage
from .._core.tensor import Tensor
from .._core.views import View
from .._core.wrapped import Wrapped, batch, dual, unwrap, wrap_layer
from .._ops.create import zeros_like
from .._ops.permute import movedim
from .._transforms import become_wrapped, belongs, level_of
from .function_batches import generated
from .function_forward import run, vmap

_NOTES = "The docstring of torch.autograd.Function.vmap says what it is given and what it returns."


class VmapInfo(NamedTuple):
    """What a Function's ``vmap`` is told: the number of samples, and how random numbers are to be drawn."""

    batch_size: int
    randomness: str


class Below:
    """Inside, only the levels that were open before ``level``, and the given grad mode: where what ``level`` wrapped has been taken off."""

    levels: tuple[Any, ...]
    recording: Any

    def __init__(self, level: Any, recording: Any) -> None:
        self.level = level
        self.recording = recording

    def __enter__(self) -> None:
        self.levels = thread_state.levels
        if self.level is None:
            thread_state.levels = tuple([level for level in thread_state.levels if level.is_forward_ad])
        elif not self.level.is_forward_ad:
            thread_state.levels = thread_state.levels[: self.level.number - 1]
        self.recording = set_recording(self.recording)

    def __exit__(self, *error: Any) -> None:
        thread_state.levels = self.levels
        set_recording(self.recording)


def apply(cls: Any, args: Any, setup_context: Any) -> Any:
    """Apply a Function to arguments of which some may be wrapped; ``setup_context`` is None if its forward takes the context."""
    if setup_context is None and any(not level.is_forward_ad for level in thread_state.levels):
        raise RuntimeError(
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must override the setup_context "
            f"staticmethod. {_NOTES}"
        )
    if any(level.__class__ is BatchLevel for level in thread_state.levels):
        check_batches(cls)
    level = level_of(tree_leaves(args))
    was = thread_state.recording
    if not was:
        args = recorded_outside(args, level)
    try:
        if level is None:
            transformed = any(not level.wraps for level in thread_state.levels)
            node = (generated_class(cls) if transformed else cls._backward_cls)()
            with Below(None, thread_state.recording):
                return run(node, args, cls.forward, setup_context)
        if level.__class__ is BatchLevel:
            return at_batch_level(cls, level, args, setup_context)
        return at_dual_level(cls, level, args, setup_context, was)
    finally:
        set_recording(was)


def recorded_outside(args: Any, level: Any) -> Any:
    """Return the arguments of a Function under ``no_grad``, which holds for the innermost transform only: to those around it the Function is recorded all the same.

    Switches recording on if there is a transform around, and hides the history from the innermost one if its own tensors are those of ``level``.
    """
    above = thread_state.levels if level is None else thread_state.levels[level.number - 1 :]
    inner = next((k for k in reversed(range(len(above))) if differentiates(above[k])), None)
    if inner is None or (above[inner] is level):
        return args
    set_recording(True)
    if above[inner].wraps or any(other.wraps and other is not level for other in above[:inner]):
        return args
    return tuple([hide(x, above[inner]) if isinstance(x, Tensor) else x for x in args])


def differentiates(level: Any) -> Any:
    """Return whether a level is that of a function being differentiated, in either mode."""
    return level.__class__ is not BatchLevel and not level.is_forward_ad


def hide(x: Any, level: Any) -> Any:
    """Compute ``x``, or an alias of it whose history is not seen by the transform of ``level``."""
    edge = x._edge
    if edge is None:
        return x
    out = wrap_layer(x._array)
    if not isinstance(x, Wrapped):
        out._storage = own_storage(x)
    out._node = hidden(edge, level)
    return out


def generated_class(cls: Any) -> Any:
    """Return the class of a Function's nodes in functions being transformed, under PyTorch's name; kept by the Function itself."""
    found = cls.__dict__.get("_generated_cls")
    if found is None:
        node = cls._backward_cls
        found = type(
            f"{cls.__name__}GeneratedBackward", (node,), {"__slots__": (), "__module__": node.__module__}
        )
        cls._generated_cls = found
    return found


def refuse_keywords(cls: Any, kwargs: Any) -> None:
    """Raise the error for arguments that ``forward`` takes by keyword only, if a function is being transformed."""
    levels = [level for level in thread_state.levels if not level.is_forward_ad]
    if not levels:
        return
    if levels[-1].__class__ is BatchLevel:
        check_batches(cls)
    way = "vmap" if levels[-1].__class__ is BatchLevel else "grad"
    raise TypeError(f"custom_function_call_{way}() got an unexpected keyword argument '{next(iter(kwargs))}'")


def is_tracked(args: Any, level: Any) -> Any:
    """Return whether an application to ``args`` is to be recorded on ``level``."""
    return (
        thread_state.recording
        and not thread_state.inference
        and any(belongs(x, level) and x.requires_grad for x in args)
    )


def rewrapped(output: Any, inner: Any, outer: Any, wrap: Any) -> Any:
    """Return the outputs of a forward further in, as they are here: an argument is itself, what else is a tensor is wrapped."""
    same = {id(x): y for x, y in zip(tree_leaves(inner), tree_leaves(outer))}
    return tree_map(
        lambda z: same[id(z)] if id(z) in same else wrap(z) if isinstance(z, Tensor) else z, output
    )


# Batches -------------------------------------------------------------------------------------------------------------------


def check_batches(cls: Any) -> None:
    """Raise RuntimeError unless a Function has one rule for batches."""
    own = cls.vmap is not vmap
    if own and cls.generate_vmap_rule:
        raise RuntimeError(
            f"You tried to vmap over {cls.__name__}, but it has both generate_vmap_rule=True and an overridden vmap "
            f"staticmethod. Keep one of them. {_NOTES}"
        )
    if not own and not cls.generate_vmap_rule:
        raise RuntimeError(
            f"You tried to vmap over {cls.__name__}, but it does not have vmap support. Define the staticmethod vmap(info, "
            f"in_dims, *args), or set generate_vmap_rule=True. {_NOTES}"
        )


def at_batch_level(cls: Any, level: Any, args: Any, setup_context: Any) -> Any:
    """Apply a Function at a level of ``vmap``."""
    recording = thread_state.recording
    tracked = is_tracked(args, level)

    def forward(*args):
        inner = tree_map(lambda x: unwrap(x, level), args)
        dims = tree_map(
            lambda x: x._array.given_dim if belongs(x, level) and x._array.batched else None, args
        )
        with Below(level, recording):
            if all(dim is None for dim in tree_leaves(dims)):
                output, out_dims = apply(cls, inner, setup_context), None
            elif cls.generate_vmap_rule:
                derived, out_dims = generated(cls, dims, level.size, level.randomness)
                output = apply(derived, inner, derived.setup_context)
                out_dims = out_dims()
            else:
                # the user's rule finds the samples where they lay in what vmap was given
                inner = tree_map(lambda x, dim: movedim(x, 0, dim) if dim else x, inner, dims)
                output, out_dims = checked(cls.vmap(VmapInfo(level.size, level.randomness), dims, *inner))
            leaves, spec = tree_flatten(output)
            places = broadcast_to_and_flatten(out_dims, spec)
            if places is None:
                raise RuntimeError(
                    "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) tuple. Expected "
                    f"out_dims={out_dims} to be compatible with the structure of `output`. out_dims has structure "
                    f"{tree_flatten(out_dims)[1]} but output has structure {spec}. {_NOTES}"
                )
            # an input that is returned must stay the very tensor: it may have been modified
            leaves = [movedim(z, dim, 0) if dim else z for z, dim in zip(leaves, places)]
        dims_of = {id(z): dim for z, dim in zip(leaves, places)}

        def wrap(z):
            if dims_of[id(z)] is not None:
                return batch(z, level)
            return batch(z, level, False) if tracked else z

        return rewrapped(tree_unflatten(leaves, spec), inner, args, wrap)

    return run(generated_class(cls)(), args, forward, setup_context, level) if tracked else forward(*args)


def checked(result: Any) -> Any:
    """Return what a ``vmap`` returned; raises RuntimeError unless that is a pair."""
    wanted = "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree structure compatible with the output. "
    if not isinstance(result, tuple):
        raise RuntimeError(f"{wanted}Got a {type(result)} instead")
    if len(result) != 2:
        raise RuntimeError(f"{wanted}Got {len(result)} returns instead")
    return result


# Tangents ------------------------------------------------------------------------------------------------------------------


def at_dual_level(cls: Any, level: Any, args: Any, setup_context: Any, own_mode: Any) -> Any:
    """Apply a Function at a level of forward mode; ``own_mode`` is the grad mode in which its ``jvp`` runs."""
    recording = thread_state.recording or not level.is_forward_ad
    tracked = is_tracked(args, level)
    inner = tree_map(lambda x: unwrap(x, level), args)
    ctx = cls._backward_cls()  # what jvp is given: it knows the tensors further in
    raw = None

    def forward_with_context(node, *xs):
        nonlocal raw
        raw = cls.forward(node, *xs)
        follow(ctx, node, {})
        return raw

    def forward(*args):
        nonlocal raw
        with Below(level, recording):
            if setup_context is None:
                node = cls._backward_cls()
                output = run(node, inner, forward_with_context)
                ctx.needs_input_grad = node.needs_input_grad
            else:
                raw = output = apply(cls, inner, setup_context)
                ctx.needs_input_grad = tuple([isinstance(x, Tensor) and x.requires_grad for x in inner])
                was = set_recording(False)
                try:
                    setup_context(ctx, inner, output)
                finally:
                    set_recording(was)
            set_recording(own_mode or level.linearizes)
            tangents = tangents_of(ctx, level, args, inner, raw, output)
        found = {id(z): t for z, t in zip(_several(output), tangents)}

        def wrap(z):
            t = found.get(id(z))
            return z if t is None and not tracked else dual(z, level, t)

        for z, t in zip(_several(output), tangents):
            for x, y in zip(inner, args):
                if x is z and t is not None:
                    if not belongs(y, level):
                        become_wrapped(y, level)
                    y._array.tangent = t
        return rewrapped(output, inner, args, wrap)

    if not tracked:
        return forward(*args)

    def copy_context(node, outer, output):
        same = dict(zip(map(id, inner), outer))
        same.update(zip(map(id, _several(raw)), _several(output)))
        follow(node, ctx, same)

    return run(generated_class(cls)(), args, forward, setup_context or copy_context, level)


def follow(node: Any, other: Any, same: Any) -> None:
    """Give ``node`` what the context ``other`` was told; ``same``: the tensors that stand here for those there, by identity."""

    def translated(tensors):
        return tuple([same.get(id(x), x) for x in tensors]) if isinstance(tensors, tuple) else tensors

    node.to_save = translated(other.to_save)
    node.saved_for_forward = translated(other.saved_for_forward)
    node.dirty_tensors = translated(other.dirty_tensors)
    node.non_differentiable = translated(other.non_differentiable)
    node._materialize = other._materialize
    node._zeros_for_constants = other._zeros_for_constants
    node.__dict__.update({name: same.get(id(value), value) for name, value in other.__dict__.items()})


def _several(output):
    return output if isinstance(output, tuple) else (output,)


def tangents_of(ctx: Any, level: Any, args: Any, inner: Any, raw: Any, output: Any) -> Any:
    """Return the tangents of the outputs, from the user's ``jvp``: None for those that have none.

    ``raw``: what forward returned; ``output``: what became of it.
    """
    raws, outputs = _several(raw), _several(output)
    given = [x._array.tangent if belongs(x, level) else None for x in args]
    if not thread_state.forward or thread_state.inference or all(t is None for t in given):
        return (None,) * len(outputs)
    versions = [None if t is None else t._version for t in given]
    returned = _several(ctx.apply_jvp(*[_handed(ctx, x, t) for x, t in zip(inner, given)]))
    for nr, t in enumerate(returned):
        if t is not None and not isinstance(t, Tensor):
            raise RuntimeError(f"expected Variable or None (got {type_name(t)}) for grad output {nr}.")
    if len(returned) != len(outputs):
        raise RuntimeError(
            f"Function's jvp returned an invalid number of forward gradients (expected {len(outputs)} but got {len(returned)})"
        )
    fixed = {id(x) for x in ctx.non_differentiable or ()}
    dirty = {id(x) for x in ctx.dirty_tensors or ()}
    found = []
    for nr, (z, made, t) in enumerate(zip(raws, outputs, returned)):
        if not isinstance(z, Tensor):
            t = None
        elif id(z) in fixed or made.dtype.category < FLOATING:
            if t is not None:
                raise RuntimeError(
                    f"Function's jvp returned a gradient at position {nr}, but  the corresponding forward output is not a differentiable "
                    "Tensor.You should return None at that position instead."
                )
        elif t is not None or id(z) in dirty:
            place = next((k for k, x in enumerate(inner) if x is z), None)
            if id(z) in dirty:
                if place is None:
                    raise RuntimeError(
                        "Only input Tensors should be given to ctx.mark_dirty(). If a Tensor is not an input, there is no need to pass it to "
                        "mark_dirty()."
                    )
                if given[place] is not None:
                    check_written(t, given[place], versions[place])
            elif made._node.__class__ is View:
                if level.is_forward_ad:
                    check_view(made, t, inner, given)
            elif any(t is x for x in given):
                t = t.clone()  # writing to the output is not to change the input's tangent
            if t is not None and t.shape != made.shape:
                raise RuntimeError(
                    "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. "
                    f"Tensor is of size {list(made.shape)} while the given forward gradient is of size {list(t.shape)}."
                )
        found.append(t)
    return found


def _handed(ctx, x, t):
    """The tangent of an argument as ``jvp`` is given it."""
    if t is None and ctx._materialize and isinstance(x, Tensor) and x.dtype.category >= FLOATING:
        return zeros_like(x.detach())
    return t


def check_written(t: Any, given: Any, version: Any) -> None:
    """Raise RuntimeError unless ``t`` is the tangent that was given for an input that forward modified, modified likewise."""
    if t is None or t._version == version:
        raise RuntimeError(
            "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is modifying an input inplace, "
            "then the jvp function must modify the corresponding gradient inplace."
        )
    if t is not given:
        raise RuntimeError(
            "An inplace custom Function is not returning the forward mode gradients as-is. If the forward is modifying an input inplace, then "
            "the jvp function must modify the gradient inplace and return it as-is."
        )


def check_view(z: Any, t: Any, inner: Any, given: Any) -> None:
    """Raise RuntimeError if the output ``z`` is a view of an argument, but ``t`` not a view of its tangent."""
    base = z._node.base
    for x, tangent in zip(inner, given):
        if tangent is None or not (
            x is base or (isinstance(x, Tensor) and x._node.__class__ is View and x._node.base is base)
        ):
            continue
        if t._node.__class__ is not View or t._node.base is not _base(tangent):
            raise RuntimeError(
                "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view."
            )
        return


def _base(x):
    return x._node.base if x._node.__class__ is View else x
