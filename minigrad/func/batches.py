"""``vmap``: a function of one sample as a function of a batch."""

import functools
from collections.abc import Callable
from typing import Any

from .. import _transforms as _transforms  # gives wrapped tensors their rules
from .._base.device import sparse_coo
from .._base.pytree import broadcast_to_and_flatten, tree_flatten, tree_leaves, tree_unflatten
from .._core.levels import BatchLevel
from .._core.tensor import Tensor, without_class
from .._core.wrapped import Batched, batch, whole_batch
from .._ops.join import cat
from .._ops.permute import movedim
from .._ops.random import get_rng_state, set_rng_state
from .._ops.split import tensor_split

__all__ = ["vmap"]


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Any:
    """Turn ``func``, a function of one sample, into a function of whole batches.

    ``in_dims`` says along which dimension of each argument the samples lie (None: the same for all), ``out_dims`` where they lie in each
    result: an int, or a structure of them like the arguments (or the results). ``randomness`` is "error", "different" or "same" random
    numbers for the samples. ``chunk_size`` limits how many samples are computed at once.

    Raises ValueError if these do not fit the arguments or the results, RuntimeError for operations that cannot work on a whole batch,
    such as ``item()``.

    >>> import minigrad
    >>> x, y = minigrad.tensor([[1., 2.], [3., 4.]]), minigrad.tensor([10., 1.])
    >>> minigrad.func.vmap(minigrad.dot, in_dims=(0, None))(x, y)
    tensor([12., 34.])
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}"
        )
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func, updated=())
    def mapped(*args, **kwargs):
        check_out_dims(func, out_dims)
        size, dims, flat, spec = inputs_of(func, in_dims, args)
        if chunk_size is None or chunk_size >= size > 0:
            return over_batch(func, size, dims, flat, spec, out_dims, randomness, kwargs)
        return in_chunks(func, size, dims, flat, spec, out_dims, randomness, kwargs, chunk_size)

    return mapped


def name_of(func: Callable[..., Any]) -> Any:
    """Return the name of a function in errors."""
    if hasattr(func, "__name__"):
        return func.__name__
    if isinstance(func, functools.partial):
        return f"functools.partial({name_of(func.func)}, ...)"
    return repr(func)


def check_out_dims(func: Callable[..., Any], out_dims: Any) -> None:
    """Raise ValueError unless ``out_dims`` is an int, None, or a structure of such."""
    for dim in (out_dims,) if isinstance(out_dims, int) else tree_leaves(out_dims):
        if not isinstance(dim, int) and dim is not None:
            raise ValueError(
                f"vmap({name_of(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python collection of ints "
                "representing where in the outputs the vmapped dimension should appear."
            )


def inputs_of(func: Callable[..., Any], in_dims: Any, args: Any) -> Any:
    """(number of samples, dimension of each leaf of the arguments, the leaves, their structure)."""
    where = f"vmap({name_of(func)}, in_dims={in_dims}, ...)(<inputs>): "
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"{where}expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({name_of(func)})(<inputs>): got no inputs. A function without arguments has no samples to be applied to."
        )
    flat, spec = tree_flatten(args)
    dims = broadcast_to_and_flatten(in_dims, spec)
    if dims is None:
        raise ValueError(
            f"{where}in_dims is not compatible with the structure of `inputs`. in_dims has structure {tree_flatten(in_dims)[1]} but inputs "
            f"has structure {spec}."
        )
    sizes = []
    for i, (x, dim) in enumerate(zip(flat, dims)):
        if dim is None:
            continue
        if not isinstance(dim, int):
            raise ValueError(
                f"{where}Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
            )
        if not isinstance(x, Tensor):
            raise ValueError(
                f"{where}Got in_dim={dim} for an input but the input is of type {type(x)}. Only tensors have samples: give "
                "None as its in_dim."
            )
        ndim = x.dim()
        if not -ndim <= dim < ndim:
            raise ValueError(
                f"{where}Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {ndim} so expected in_dim to satisfy "
                f"-{ndim} <= in_dim < {ndim}."
            )
        dims[i] = dim % ndim
        sizes.append(x.shape[dim])
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped dimension"
        )
    return sizes[0], dims, flat, spec


def internal_vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, allow_none: bool = False
) -> Any:
    """Like ``vmap``, for the library's own use: what is refused in functions that users transform is not; ``allow_none``: a result may be None."""

    @functools.wraps(func, updated=())
    def mapped(*args):
        check_out_dims(func, out_dims)
        size, dims, flat, spec = inputs_of(func, in_dims, args)
        return over_batch(func, size, dims, flat, spec, out_dims, "error", {}, True, allow_none)

    return mapped


def over_batch(
    func: Callable[..., Any],
    size: Any,
    dims: Any,
    flat: Any,
    spec: Any,
    out_dims: Any,
    randomness: Any,
    kwargs: Any,
    is_internal: bool = False,
    allow_none: bool = False,
) -> Any:
    """Call ``func`` once, on tensors that stand for all samples."""
    level = BatchLevel(size, randomness, is_internal)
    try:
        wrapped = [x if dim is None else samples(x, dim, level) for x, dim in zip(flat, dims)]
        results = func(*tree_unflatten(wrapped, spec), **kwargs)
        leaves, places, out_spec = outputs_of(func, results, out_dims)
        leaves = [
            None if allow_none and x is None else unwrapped(name_of(func), x, level, dim)
            for x, dim in zip(leaves, places)
        ]
    finally:
        level.close()
    return tree_unflatten(leaves, out_spec)


def samples(x: Any, dim: int, level: Any) -> Any:
    """Return an argument whose samples lie along ``dim``, as the function sees it."""
    if x._is_sparse and x.layout is not sparse_coo:
        raise RuntimeError(f"Sparse {str(x.layout)[-3:].upper()} tensors do not have strides")
    x = without_class(x)
    if not dim:
        return batch(x, level)
    x = batch(movedim(x, dim, 0), level)
    x._array.given_dim = dim
    return x


def outputs_of(func: Callable[..., Any], results: Any, out_dims: Any) -> Any:
    """(leaves of the results, the dimension where the samples of each shall lie, their structure)."""
    leaves, spec = tree_flatten(results)
    if isinstance(results, Tensor):
        places = list(out_dims) if isinstance(out_dims, tuple) and len(out_dims) == 1 else [out_dims]
        fits = isinstance(places[0], int) or places[0] is None
    else:
        places = broadcast_to_and_flatten(out_dims, spec)
        fits = places is not None
    if not fits:
        raise ValueError(
            f"vmap({name_of(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of `outputs`. out_dims "
            f"has structure {tree_flatten(out_dims)[1]} but outputs has structure {spec}."
        )
    return leaves, places, spec


def unwrapped(name: str, x: Any, level: Any, dim: int) -> Any:
    """Return a result as the function's caller sees it: the samples of ``level`` lie along ``dim``."""
    if dim is None:
        layer = x._array if isinstance(x, Batched) and x._array.level is level else None
        if layer is not None and layer.batched:
            raise ValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
            )
        return x if layer is None else layer.inner
    if not isinstance(x, Tensor):
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(x)}. Did you mean to set out_dims= to None for output?"
        )
    whole = whole_batch(x, level)
    ndim = whole.dim()
    if not -ndim <= dim < ndim:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {dim})"
        )
    return movedim(whole, 0, dim) if dim else whole


def in_chunks(
    func: Callable[..., Any],
    size: Any,
    dims: Any,
    flat: Any,
    spec: Any,
    out_dims: Any,
    randomness: Any,
    kwargs: Any,
    chunk_size: int,
) -> Any:
    """Like ``over_batch``, for ``chunk_size`` samples at a time."""
    splits = range(chunk_size, size, chunk_size)
    chunks = [
        [x] * (len(splits) + 1) if dim is None else tensor_split(x, tuple(splits), dim=dim)
        for x, dim in zip(flat, dims)
    ]
    state = get_rng_state() if randomness == "same" else None
    results = []
    for parts in zip(*chunks):
        if state is not None:
            set_rng_state(state)
        n = next(x.shape[dim] for x, dim in zip(parts, dims) if dim is not None)
        results.append(tree_flatten(over_batch(func, n, dims, parts, spec, out_dims, randomness, kwargs)))
    out_spec = results[0][1]
    places = broadcast_to_and_flatten(out_dims, out_spec)
    columns = zip(*[leaves for leaves, _ in results])
    return tree_unflatten([cat(column, dim=dim) for column, dim in zip(columns, places)], out_spec)
