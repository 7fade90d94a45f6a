"""``jacrev``, ``jacfwd`` and ``hessian``: whole Jacobians, a row or a column for each sample of a ``vmap``."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .._base.pytree import tree_flatten, tree_leaves, tree_unflatten
from .._core.tensor import Tensor, wrap
from .._ops.create import new_empty
from .._ops.join import cat
from .._ops.permute import movedim
from .batches import vmap
from .forward import pushed
from .reverse import chosen, pulled

__all__ = ["hessian", "jacfwd", "jacrev"]


def check_real(name: str, tree: Any, which: Any) -> None:
    """Raise RuntimeError if one of the tensors is complex."""
    for i, x in enumerate(tree_leaves(tree)):
        if isinstance(x, Tensor) and x.is_complex():
            raise RuntimeError(
                f"{name}: Expected all {which} to be real but received complex tensor at flattened input idx: {i}"
            )


def basis(tensors: Any, first: int = 0, count: Any = None) -> Any:
    """Unit vectors over all elements of all ``tensors``, ``count`` of them from number ``first`` on: a stack for each tensor."""
    sizes = [x.numel() for x in tensors]
    total = sum(sizes)
    count = total if count is None else min(count, total - first)
    stacks, before = [], 0
    for x, n in zip(tensors, sizes):
        if x.is_meta:
            stacks.append(new_empty(x, (count, *x.shape)))
            continue
        unit = np.eye(count, n, k=first - before, dtype=x._array.dtype)
        stacks.append(wrap(unit.reshape(count, *x.shape)))
        before += n
    return stacks


def jacrev(
    func: Callable[..., Any],
    argnums: int | tuple[int, ...] = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of ``func`` with respect to argument ``argnums``, by reverse mode.

    The dimensions of the result are those of the output, then those of the argument. ``chunk_size`` limits how many rows are computed at once.

    >>> import minigrad
    >>> minigrad.func.jacrev(lambda x: x * x)(minigrad.tensor([1., 2.]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func, updated=())
    def jacobian(*args):
        check_real("jacrev", args, "inputs")
        output, pull, *aux = pulled(func, args, argnums, has_aux)
        outs, out_spec = tree_flatten(output)
        check_real("jacrev", outs, "outputs")
        given, spec = tree_flatten(chosen(args, argnums))
        total = sum(x.numel() for x in outs)
        step = max(1, total if chunk_size is None else min(chunk_size, total))
        parts = []
        for first in range(0, max(total, 1), step):
            rows = basis(outs, first, step)
            if chunk_size == 1:
                found = tree_leaves(pull(tree_unflatten([row[0] for row in rows], out_spec)))
                found = [x.unsqueeze(0) for x in found]
            else:
                found = tree_leaves(vmap(pull)(tree_unflatten(rows, out_spec)))
            parts.append(found)
        stacks = [column[0] if len(column) == 1 else cat(column) for column in zip(*parts)]
        sizes = [x.numel() for x in outs]
        blocks = [
            [part.reshape(out.shape + x.shape) for part, out in zip(stack.split(sizes), outs)]
            for stack, x in zip(stacks, given)
        ]
        by_output = [tree_unflatten(list(row), spec) for row in zip(*blocks)]
        result = tree_unflatten(by_output, out_spec)
        return (result, *aux) if has_aux else result

    return jacobian


def jacfwd(
    func: Callable[..., Any],
    argnums: int | tuple[int, ...] = 0,
    has_aux: bool = False,
    *,
    randomness: str = "error",
) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of ``func`` with respect to argument ``argnums``, by forward mode.

    The dimensions of the result are those of the output, then those of the argument.

    >>> import minigrad
    >>> minigrad.func.jacfwd(lambda x: x * x)(minigrad.tensor([1., 2.]))
    tensor([[2., 0.],
            [0., 4.]])
    """

    @functools.wraps(func, updated=())
    def jacobian(*args):
        check_real("jacfwd", args, "inputs")
        given, spec = tree_flatten(args if argnums is None else chosen(args, argnums))

        def push(*tangents):
            output, tangent, *aux = pushed(
                func, args, tree_unflatten(list(tangents), spec), argnums, False, has_aux
            )
            check_real("jacfwd", output, "outputs")
            return (tangent, *aux) if has_aux else tangent

        results = vmap(push, randomness=randomness)(*basis(given))
        if has_aux:
            results, aux = results
            leaves, aux_spec = tree_flatten(aux)
            aux = tree_unflatten([x[0] for x in leaves], aux_spec)
        columns, out_spec = tree_flatten(results)
        sizes = [x.numel() for x in given]
        by_output = []
        for column in columns:
            column = movedim(column, 0, -1)
            shape = column.shape[:-1]
            parts = [part.reshape(shape + x.shape) for part, x in zip(column.split(sizes, -1), given)]
            by_output.append(tree_unflatten(parts, spec))
        result = tree_unflatten(by_output, out_spec)
        return (result, aux) if has_aux else result

    return jacobian


def hessian(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0) -> Callable[..., Any]:
    """Return a function that computes the second derivatives of ``func`` with respect to argument ``argnums``: forward over reverse mode.

    >>> import minigrad
    >>> minigrad.func.hessian(lambda x: (x ** 3).sum())(minigrad.tensor([1., 2.]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)
