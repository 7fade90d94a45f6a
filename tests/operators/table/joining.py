"""Joining and repeating, random calls: values and derivatives, and the same as PyTorch."""

import itertools

import numpy as np

from tests.operators.calls import Row

ALL = "fcib"


def alike(s, count=None, least=0, most=3):
    """Some tensors of one shape."""
    shape = s.shape(least, most)
    return [s.floats(*shape) for _ in range(count or s.size(1, 3))], shape


def cat(s):
    """Tensors that differ along one dim."""
    shape = s.shape(1, 3)
    dim = s.dim(shape)
    parts = []
    for _ in range(s.size(1, 3)):
        own = list(shape)
        own[dim] = s.size(0, 2)
        parts.append(s.floats(*own))
    return parts, dim


def stack(s):
    parts, shape = alike(s)
    return parts, s.size(-len(shape) - 1, len(shape))


def repeat_interleave(s):
    shape = s.shape(1, 3)
    dim = s.dim(shape)
    return s.floats(*shape), s.size(0, 3), dim


def repeat_interleave_each(s):
    shape = s.shape(1, 3)
    dim = s.dim(shape)
    return s.floats(*shape), s.ints(shape[dim]), dim


def meshgrid(s):
    return (*(s.floats(s.size()) for _ in range(s.size(1, 3))), {"indexing": s.one_of("ij", "xy")})


def broadcast_tensors(s):
    shape = s.shape()
    return tuple(s.floats(*s.under(shape)) for _ in range(s.size(1, 3)))


def block_diagonal(*blocks):
    blocks = [np.atleast_2d(b) for b in blocks]
    out = np.zeros(np.sum([b.shape for b in blocks], 0), np.result_type(*blocks))
    row = column = 0
    for b in blocks:
        out[row : row + b.shape[0], column : column + b.shape[1]] = b
        row, column = row + b.shape[0], column + b.shape[1]
    return out


def combined(x, r, with_replacement):
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    return x[np.array(list(choose(range(len(x)), r)), int).reshape(-1, r)]


def product(*vectors):
    grid = np.array(list(itertools.product(*vectors))).reshape(-1, len(vectors))
    return grid[:, 0] if len(vectors) == 1 else grid


def atleast_3d(x):
    return x.reshape({0: (1, 1, 1), 1: (1, -1, 1), 2: (*x.shape, 1)}.get(x.ndim, x.shape)) if x.size else (
        x[None, :, None] if x.ndim == 1 else x[..., None] if x.ndim == 2 else x)  # fmt: skip


def any_tensor(s):
    return s.floats(*s.shape(0, 4))


def for_columns(s):
    rows = s.size()
    return ([s.floats(rows, s.size()) if s.flag() else s.floats(rows) for _ in range(s.size(1, 3))],)


ROWS = [
    *[Row(name, cat, np.concatenate, ALL) for name in ("cat", "concat", "concatenate")],
    Row("stack", stack, np.stack, ALL),
    Row("hstack", lambda s: (alike(s)[0],), np.hstack, ALL),
    Row("vstack", lambda s: (alike(s)[0],), np.vstack, ALL),
    Row("row_stack", lambda s: (alike(s)[0],), np.vstack, ALL),
    Row("dstack", lambda s: (alike(s)[0],), lambda parts: np.concatenate([atleast_3d(p) for p in parts], 2), ALL),
    Row("column_stack", for_columns, np.column_stack, ALL),
    Row("atleast_1d", any_tensor, np.atleast_1d, ALL),
    Row("atleast_2d", any_tensor, np.atleast_2d, ALL),
    Row("atleast_3d", any_tensor, atleast_3d, ALL),
    Row("block_diag", lambda s: tuple(s.floats(*s.shape(0, 2)) for _ in range(s.size(1, 3))), block_diagonal, ALL),
    Row("broadcast_tensors", broadcast_tensors, lambda *xs: list(np.broadcast_arrays(*xs)), ALL),
    Row("broadcast_shapes", lambda s: (s.shape(0, 3, 1, 1), s.shape(1, 2)), lambda *shapes: np.array(np.broadcast_shapes(*shapes)),
        order=0, observe=lambda torch, shape: torch.tensor(tuple(shape))),
    Row("cartesian_prod", lambda s: tuple(s.floats(s.size()) for _ in range(s.size(1, 3))), product, "fib"),
    Row("combinations", lambda s: (s.floats(s.size(0, 4)), s.size(1, 3), s.flag()), combined, ALL),
    Row("meshgrid", meshgrid, lambda *xs, indexing: list(np.meshgrid(*xs, indexing=indexing)), ALL),
    Row("repeat_interleave", repeat_interleave, np.repeat, ALL),
    Row("repeat_interleave each", repeat_interleave_each, np.repeat, ALL, ties=False),
    Row("repeat_interleave flat", lambda s: (s.floats(*s.shape()), s.size()), np.repeat, ALL),
    Row("tile", lambda s: (s.floats(*s.shape()), s.shape(0, 3)), np.tile, ALL),
    Row("Tensor.tile", lambda s: (s.floats(*s.shape()), *s.shape(1, 3)), lambda x, *n: np.tile(x, n), ALL),
]  # fmt: skip
