"""``vmap`` and ``grad``, and ``vmap`` in a number of parts."""

import functools

from ..func.batches import inputs_of, vmap
from ..func.reverse import grad, grad_and_value

__all__ = ["chunk_vmap", "grad", "grad_and_value", "vmap"]


def chunk_vmap(func, in_dims=0, out_dims=0, randomness="error", chunks=2):
    """Apply ``vmap`` in ``chunks`` parts of equal size, one after another.

    >>> import minigrad
    >>> minigrad._functorch.apis.chunk_vmap(minigrad.sin, chunks=2)(minigrad.zeros(3))
    tensor([0., 0., 0.])
    """
    if chunks == 1:
        return vmap(func, in_dims, out_dims, randomness)

    @functools.wraps(func, updated=())
    def mapped(*args, **kwargs):
        size = -(-inputs_of(func, in_dims, args)[0] // chunks)
        return vmap(func, in_dims, out_dims, randomness, chunk_size=size or None)(*args, **kwargs)

    return mapped
