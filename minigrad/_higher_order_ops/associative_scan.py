"""Running results of an associative function: cumulative sums of any kind."""

from collections.abc import Callable
from typing import Any

from .._api import cat
from .._base.pytree import tree_flatten, tree_unflatten
from ..func import vmap
from .scan import checked

__all__ = ["associative_scan"]


def associative_scan(
    combine_fn: Callable[[Any, Any], Any],
    xs: Any,
    dim: int,
    reverse: bool = False,
    combine_mode: str = "pointwise",
) -> Any:
    """Combine the slices along ``dim`` cumulatively by ``combine_fn``, a function of two slices; from the end if ``reverse``.

    ``combine_fn`` must be associative: log n calls work on all slices at once. ``combine_mode`` is "generic"; "pointwise" is for
    accelerators, and raises ValueError.

    >>> import minigrad
    >>> from minigrad._higher_order_ops import associative_scan
    >>> associative_scan(lambda a, b: a * b, minigrad.tensor([1., 2., 3., 4.]), 0, combine_mode="generic")
    tensor([ 1.,  2.,  6., 24.])
    """
    if not callable(combine_fn):
        raise ValueError(f"Combine_fn must be a callable, but got {combine_fn}")
    if combine_mode not in ("pointwise", "generic"):
        raise ValueError(f"Combine_mode must either 'pointwise' or 'generic', but got {combine_mode}")
    if combine_mode == "pointwise":
        raise ValueError("For combine_mode='pointwise', all input tensors need to be on CUDA or XPU")
    found, spec, dim = checked(xs, dim)
    count = found[0].shape[dim]
    if reverse:
        found = [x.flip(dim) for x in found]
    together = vmap(combine_fn, in_dims=dim, out_dims=dim)
    done = 1
    while done < count:  # the first ``done`` places are done, each other one covers as many slices
        before = tree_unflatten([x.narrow(dim, 0, count - done) for x in found], spec)
        after = tree_unflatten([x.narrow(dim, done, count - done) for x in found], spec)
        joined, joined_spec = tree_flatten(together(before, after))
        if joined_spec != spec:
            raise RuntimeError(
                f"combine_fn must return the structure of its arguments, {spec}, but returned {joined_spec}"
            )
        found = [cat((x.narrow(dim, 0, done), y), dim) for x, y in zip(found, joined)]
        done *= 2
    return tree_unflatten([x.flip(dim) if reverse else x for x in found], spec)
