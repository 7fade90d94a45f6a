"""Shape and views, random calls: values and derivatives, what a view shares with its base, the same as PyTorch."""

import math

import numpy as np

from tests.operators.calls import Row

ALL = "fcib"


def tensor(s, *rest, least=0, most=3, **kwargs):
    """A tensor of any shape, and arguments after it."""
    return (s.floats(*s.shape(least, most)), *rest)


def regrouped(s):
    """A shape and another of as many elements."""
    shape = s.shape(0, 4)
    sizes = s.one_of(shape[::-1], (math.prod(shape),), (1, *shape), (*shape[:1], math.prod(shape[1:])))
    return shape, s.one_of(sizes, (-1, *sizes[1:])) if sizes and math.prod(sizes[1:]) else sizes


def reshape(s):
    shape, other = regrouped(s)
    return s.floats(*shape), other


def new_shape(array, shape):
    return array.reshape(shape)


def view_as(s):
    shape, other = regrouped(s)
    return s.dense().floats(*shape), s.floats(*np.zeros(shape).reshape(other).shape)


def two_dims(s):
    shape = s.shape(0, 4)
    return s.floats(*shape), s.dim(shape), s.dim(shape)


def permute(s):
    shape = s.shape(0, 4)
    return s.floats(*shape), tuple(d - len(shape) if s.flag() else d for d in s.order(len(shape)))


def expand(s):
    shape = s.shape(0, 3)
    wide = tuple(s.size(0, 3) if n == 1 else n for n in shape)
    return s.floats(*shape), s.shape(0, 2) + wide


def expand_as(s):
    x, shape = expand(s)
    return x, s.floats(*shape)


def one_dim(s):
    shape = s.shape(0, 4, high=2)
    return s.floats(*shape), s.dim(shape)


def squeeze_dims(s):
    shape = s.shape(1, 4, high=2)
    dims = s.order(len(shape))[: s.size(0, len(shape))]
    return s.floats(*shape), dims


def unsqueeze(s):
    shape = s.shape(0, 3)
    return s.floats(*shape), s.size(-len(shape) - 1, len(shape))


def flatten(s):
    shape = s.shape(1, 4)
    first = s.size(0, len(shape) - 1)
    return s.floats(*shape), first, s.size(first, len(shape) - 1) - s.one_of(0, len(shape))


def flattened(x, first, last):
    last %= x.ndim
    return x.reshape(x.shape[:first] + (math.prod(x.shape[first : last + 1]),) + x.shape[last + 1 :])


def unflatten(s):
    parts, shape = s.shape(1, 3, low=1), s.shape(0, 2)
    place = s.size(0, len(shape))
    sizes = (-1, *parts[1:]) if s.flag() else parts
    return s.floats(*shape[:place], math.prod(parts), *shape[place:]), place, sizes


def unflattened(x, dim, sizes):
    return x.reshape(x.shape[:dim] + (x.shape[dim] // math.prod(sizes[1:]), *sizes[1:]) + x.shape[dim + 1 :])


def select(s):
    shape = s.shape(1, 3, low=1)
    dim = s.dim(shape)
    return s.floats(*shape), dim, s.size(-shape[dim], shape[dim] - 1)


def narrow(s):
    shape = s.shape(1, 3)
    dim = s.dim(shape)
    start = s.size(0, shape[dim])
    return s.floats(*shape), dim, start, s.size(0, shape[dim] - start)


def narrowed(x, dim, start, length):
    return x.take(range(start, start + length), axis=dim)


def diagonal(s):
    shape = s.shape(2, 4)
    first, second = s.order(len(shape))[:2]
    return s.floats(*shape), s.size(-4, 4), first, second - s.one_of(0, len(shape))


def unfold(s):
    shape = s.shape(1, 3, low=1)
    dim = s.dim(shape)
    return s.floats(*shape), dim, s.size(0, shape[dim]), s.size(1, 2)


def unfolded(x, dim, size, step):
    axis = dim % x.ndim
    pieces = [
        np.moveaxis(x.take(range(k, k + size), axis=axis), axis, -1)
        for k in range(0, x.shape[axis] - size + 1, step)
    ]
    return np.stack(pieces, axis)


def as_strided(s):
    x = s.floats(s.size(8, 9))
    return x, (s.size(0, 2), s.size(0, 2)), (s.size(0, 3), s.size(0, 2)), s.size(0, 2)


def strided(x, size, stride, offset):
    return np.array(
        [[x[offset + i * stride[0] + j * stride[1]] for j in range(size[1])] for i in range(size[0])]
    ).reshape(size)


def as_strided_dense(s):
    return as_strided(s.dense())


def movedim(s):
    shape = s.shape(1, 4)
    n = s.size(1, len(shape))
    return s.floats(*shape), s.order(len(shape))[:n], tuple(d - len(shape) for d in s.order(len(shape))[:n])


def matrix(s, most=2):
    return s.floats(*s.shape(0, most))


def matrices(s):
    return s.floats(*s.shape(2, 4))


def split(s):
    shape = s.shape(1, 3)
    dim = s.dim(shape)
    return s.floats(*shape), s.size(1, 3), dim


def split_sizes(s):
    shape = s.shape(1, 3)
    dim = s.dim(shape)
    cut = s.size(0, shape[dim])
    return s.floats(*shape), [cut, shape[dim] - cut], dim


def pieces(x, size, dim):
    return np.split(x, range(size, x.shape[dim], size), axis=dim)


def pieces_of(x, sizes, dim):
    return np.split(x, np.cumsum(sizes)[:-1], axis=dim)


def slices(s):
    shape = s.shape(1, 3)
    return s.floats(*shape), s.dim(shape), s.size(-3, 2), s.one_of(None, -1, 2, 9), s.size(1, 2)


def sliced(x, dim, start, end, step):
    return np.moveaxis(np.moveaxis(x, dim, 0)[start:end:step], 0, dim)


def unbind(s):
    shape = s.shape(1, 3)
    return s.floats(*shape), s.dim(shape)


def unbound(x, dim):
    return list(np.moveaxis(x, dim, 0))


def pairs(s):
    return s.dense().floats(*s.shape(0, 2, low=1), 2)


def complex_only(s):
    return s.floats(*s.shape(0, 3))


def squeezed(x, dim):
    dims = [d for d in (dim if isinstance(dim, tuple) else (dim,)) if x.ndim and x.shape[d] == 1]
    return np.squeeze(x, tuple(dims))


def swapped(x, a, b):
    return np.swapaxes(x, a, b) if x.ndim else x


def broadcast(x, shape):
    return np.broadcast_to(x, shape)


def transposed(x):
    return x.T if x.ndim == 2 else x


def repeat(s):
    shape = s.shape(0, 3, high=2)
    return s.floats(*shape), (*s.shape(0, 1), *(s.size(0, 2) for _ in shape))


def flip(s):
    shape = s.shape(0, 3)
    return s.floats(*shape), s.order(len(shape))[: s.size(0, 2)]


def roll(s):
    shape = s.shape(1, 3)
    dims = s.order(len(shape))[: s.size(1, 2)]
    return s.floats(*shape), tuple(s.size(-4, 4) for _ in dims), dims


def rot90(s):
    shape = s.shape(2, 3)
    return s.floats(*shape), s.size(-4, 4), s.order(len(shape))[:2]


def np_diag(x, offset):
    return np.diagonal(x, offset) if x.ndim == 2 else np.diag(x, offset)


def diag_embedded(x, offset):
    n = x.shape[-1] + abs(offset)
    out = np.zeros((*x.shape[:-1], n, n), x.dtype)
    row, column = max(-offset, 0), max(offset, 0)
    for k in range(x.shape[-1]):
        out[..., row + k, column + k] = x[..., k]
    return out


#: What can be views of their operand: name, arguments, reference.
VIEWS = [
    Row("reshape", reshape, new_shape, ALL),
    Row("Tensor.reshape", lambda s: reshape(s), new_shape, ALL),
    Row("Tensor.view", lambda s: reshape(s.dense()), new_shape, ALL),
    Row("Tensor.view_as", view_as, lambda x, y: x.reshape(y.shape), ALL),
    Row("Tensor.reshape_as", view_as, lambda x, y: x.reshape(y.shape), ALL),
    Row("transpose", two_dims, swapped, ALL),
    Row("swapaxes", two_dims, swapped, ALL),
    Row("swapdims", two_dims, swapped, ALL),
    Row("t", matrix, transposed, ALL),
    Row("adjoint", matrices, lambda x: np.conj(np.swapaxes(x, -1, -2)), ALL, strides=False),
    Row("permute", permute, np.transpose, ALL),
    Row("movedim", movedim, np.moveaxis, ALL),
    Row("moveaxis", movedim, np.moveaxis, ALL),
    Row("Tensor.expand", expand, broadcast, ALL),
    Row("broadcast_to", expand, broadcast, ALL),
    Row("Tensor.expand_as", expand_as, lambda x, y: np.broadcast_to(x, y.shape), ALL),
    Row("squeeze", one_dim, squeezed, ALL),
    Row("squeeze dims", squeeze_dims, squeezed, ALL),
    Row("squeeze all", tensor, np.squeeze, ALL),
    Row("unsqueeze", unsqueeze, np.expand_dims, ALL),
    Row("ravel", tensor, np.ravel, ALL),
    Row("flatten", flatten, flattened, ALL),
    Row("unflatten", unflatten, unflattened, ALL),
    Row("select", select, lambda x, dim, index: x.take(index, axis=dim), ALL),
    Row("narrow", narrow, narrowed, ALL),
    Row("diagonal", diagonal, np.diagonal, ALL),
    Row("linalg.diagonal", lambda s: (matrices(s), {"offset": s.size(-2, 2)}), lambda x, offset: np.diagonal(x, offset, -2, -1), ALL),
    Row("Tensor.unfold", unfold, unfolded, ALL),
    Row("as_strided", as_strided_dense, strided, ALL, placed=True),
    Row("chunk", split, None, ALL),
    Row("split", split, pieces, ALL),
    Row("split sizes", split_sizes, pieces_of, ALL),
    Row("split_with_sizes", split_sizes, pieces_of, ALL),
    Row("tensor_split", split, lambda x, n, dim: np.array_split(x, n, dim), ALL),
    Row("tensor_split places", lambda s: (lambda x, n, dim: (x, (n - 1, n + 1), dim))(*split(s)),
        lambda x, n, dim: np.array_split(x, n, dim), ALL),
    Row("hsplit", lambda s: (s.floats(s.size(), 2, *s.shape(0, 1)), 2), np.hsplit, ALL),
    Row("vsplit", lambda s: (s.floats(2, *s.shape(1, 2)), (1,)), np.vsplit, ALL),
    Row("dsplit", lambda s: (s.floats(*s.shape(2, 2), 4), 2), np.dsplit, ALL),
    Row("unbind", unbind, unbound, ALL),
    Row("view_as_real", complex_only, lambda z: np.stack([z.real, z.imag], -1), "c"),
    Row("view_as_complex", pairs, lambda x: x[..., 0] + 1j * x[..., 1], "d", torch="dcib", placed=True),
]  # fmt: skip


#: Copies and rearrangements.
COPIES = [
    Row("Tensor.repeat", repeat, np.tile, ALL),
    Row("tile", lambda s: (s.floats(*s.shape()), s.shape(0, 3)), np.tile, ALL),
    Row("flip", flip, np.flip, ALL),
    Row("fliplr", matrices, np.fliplr, ALL),
    Row("flipud", lambda s: s.floats(*s.shape(1, 3)), np.flipud, ALL),
    Row("roll", roll, lambda x, n, dims: np.roll(x, n, dims), ALL),
    Row("roll flat", lambda s: (s.floats(*s.shape()), s.size(-4, 4)), np.roll, ALL),
    Row("rot90", rot90, np.rot90, ALL),
    Row("diag", lambda s: (s.floats(*s.shape(1, 2)), s.size(-3, 3)), np_diag, ALL),
    Row("diagflat", lambda s: (s.floats(*s.shape(0, 2)), s.size(-2, 2)), np.diagflat, ALL),
    Row("diag_embed", lambda s: (s.floats(*s.shape(1, 3)), s.size(-2, 2)), diag_embedded, ALL),
    Row("trace", lambda s: s.floats(s.size(), s.size()), np.trace, "fi"),
    Row("tril", lambda s: (matrices(s), s.size(-2, 2)), np.tril, ALL),
    Row("triu", lambda s: (matrices(s), s.size(-2, 2)), np.triu, ALL),
    Row("alias_copy", tensor, lambda x: x, ALL),
    Row("detach_copy", tensor, lambda x: x, ALL, order=0),
    Row("as_strided_copy", as_strided_dense, strided, ALL, placed=True),
    Row("diagonal_copy", diagonal, np.diagonal, ALL),
    Row("expand_copy", expand, broadcast, ALL),
    Row("narrow_copy", narrow, narrowed, ALL),
    Row("permute_copy", permute, np.transpose, ALL),
    Row("select_copy", select, lambda x, dim, index: x.take(index, axis=dim), ALL),
    Row("slice_copy", slices, sliced, ALL),
    Row("split_copy", split, pieces, ALL, out=False),
    Row("split_with_sizes_copy", split_sizes, pieces_of, ALL, out=False),
    Row("squeeze_copy", one_dim, squeezed, ALL),
    Row("t_copy", matrix, transposed, ALL),
    Row("transpose_copy", two_dims, swapped, ALL),
    Row("unbind_copy", unbind, unbound, ALL, out=False),
    Row("unfold_copy", unfold, unfolded, ALL),
    Row("unsqueeze_copy", unsqueeze, np.expand_dims, ALL),
    Row("view_copy", lambda s: reshape(s.dense()), new_shape, ALL),
    Row("view_as_real_copy", complex_only, lambda z: np.stack([z.real, z.imag], -1), "c"),
    Row("view_as_complex_copy", pairs, lambda x: x[..., 0] + 1j * x[..., 1], "d", torch="dcib", placed=True),
    Row("unsafe_chunk", split, None, ALL),
    Row("unsafe_split", split, pieces, ALL),
    Row("unsafe_split_with_sizes", split_sizes, pieces_of, ALL),
]  # fmt: skip

ROWS = VIEWS + COPIES


EXCLUSIONS = {"resize_as_": "writes in place; tests/ops/test_shape.py"}
