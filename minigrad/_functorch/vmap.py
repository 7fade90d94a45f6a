"""The steps of ``vmap``: its checks, and levels that are opened, entered, left and closed one by one."""

import contextlib

from .._base.pytree import broadcast_to_and_flatten as _broadcast_to_and_flatten
from .._base.pytree import tree_flatten, tree_unflatten
from .._core.tensor import Tensor
from ..func.batches import check_out_dims, inputs_of, vmap
from ..func.batches import name_of as _get_name
from ..func.levels import (
    _add_batch_dim,
    _remove_batch_dim,
    _unwrap_batched,
    _vmap_decrement_nesting,
    _vmap_increment_nesting,
)  # fmt: skip

__all__ = [
    "_add_batch_dim",
    "_broadcast_to_and_flatten",
    "_get_name",
    "_remove_batch_dim",
    "_unwrap_batched",
    "_vmap_decrement_nesting",
    "_vmap_increment_nesting",
    "restore_vmap",
    "unwrap_batched",
    "vmap",
    "vmap_impl",
    "vmap_increment_nesting",
    "wrap_batched",
]


def vmap_impl(func, in_dims, out_dims, randomness, chunk_size, *args, **kwargs):
    """Compute ``vmap(func, in_dims, out_dims, randomness, chunk_size=chunk_size)(*args, **kwargs)``.

    >>> import minigrad
    >>> minigrad._functorch.vmap.vmap_impl(minigrad.sum, 0, 0, "error", None, minigrad.ones(2, 3))
    tensor([3., 3.])
    """
    return vmap(func, in_dims, out_dims, randomness, chunk_size=chunk_size)(*args, **kwargs)


def _process_batched_inputs(in_dims, args, func):
    """(number of samples, dimension of each leaf of the arguments, the leaves, their structure); raises as ``vmap`` does."""
    return inputs_of(func, in_dims, args)


def _check_out_dims_is_int_or_int_pytree(out_dims, func):
    check_out_dims(func, out_dims)


def _validate_and_get_batch_size(flat_in_dims, flat_args):
    """The number of samples; raises ValueError unless all arguments have as many."""
    sizes = [x.size(dim) for dim, x in zip(flat_in_dims, flat_args) if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped dimension"
        )
    return sizes[0]


def _create_batched_inputs(flat_in_dims, flat_args, vmap_level, args_spec):
    """The arguments as the function sees them at a level."""
    leaves = [
        x if dim is None else _add_batch_dim(x, dim, vmap_level) for dim, x in zip(flat_in_dims, flat_args)
    ]
    return tree_unflatten(leaves, args_spec)


@contextlib.contextmanager
def vmap_increment_nesting(batch_size, randomness):
    """Open a level of ``vmap`` for the block, and yield its number.

    >>> import minigrad
    >>> with minigrad._functorch.vmap.vmap_increment_nesting(3, "error") as level:
    ...     level
    1
    """
    level = _vmap_increment_nesting(batch_size, randomness)
    try:
        yield level
    finally:
        _vmap_decrement_nesting()


def wrap_batched(args, bdims, level):
    """The tensors of ``args``, each with its samples along the dimension in ``bdims``, as they are at a level."""
    leaves, spec = tree_flatten(args)
    return _create_batched_inputs(_broadcast_to_and_flatten(bdims, spec), leaves, level, spec)


def unwrap_batched(args, level):
    """(the tensors of ``args`` with all samples, the dimensions along which these lie): what ``wrap_batched`` was given."""
    leaves, spec = tree_flatten(args)
    if not leaves:
        return args, ()
    pairs = [_unwrap_batched(x, level) if isinstance(x, Tensor) else (x, None) for x in leaves]
    return tree_unflatten([x for x, _ in pairs], spec), tree_unflatten([dim for _, dim in pairs], spec)


def restore_vmap(func, in_dims, batch_size, randomness):
    """Return a function that calls ``func`` at a ``vmap`` level of its own, and returns the outputs and the dimensions of their samples.

    >>> import minigrad
    >>> minigrad._functorch.vmap.restore_vmap(minigrad.sin, (0,), 2, "error")(minigrad.zeros(2))
    (tensor([0., 0.]), 0)
    """

    def inner(*args, **kwargs):
        with vmap_increment_nesting(batch_size, randomness) as level:
            return unwrap_batched(func(*wrap_batched(args, in_dims, level), **kwargs), level)

    return inner
