"""``vmap`` as it was before ``torch.func``: without randomness and chunks."""

from ._base.decorators import deprecated
from .func.batches import internal_vmap

__all__ = ["vmap"]


@deprecated("Please use `torch.vmap` instead of `torch._vmap_internals.vmap`.")
def vmap(func, in_dims=0, out_dims=0):
    """Like ``minigrad.vmap``, which is to be used instead."""
    return _vmap(func, in_dims, out_dims)


def _vmap(func, in_dims=0, out_dims=0, allow_none_pass_through=False):
    """Like ``vmap``, without a warning; ``allow_none_pass_through``: a result may be None."""
    return internal_vmap(func, in_dims, out_dims, allow_none_pass_through)
