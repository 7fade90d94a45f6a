"""Indexing, scattering, masks, random calls: values and derivatives, and the same as PyTorch."""

import math

import numpy as np
import pytest

from tests.operators.calls import Given, Row

ALL = "fcib"


def along(s, least=0, most=3, low=0):
    """A tensor and one of its dims."""
    shape = s.shape(least, most, low)
    return s.floats(*shape), s.dim(shape)


def size_at(x, dim):
    return x.shape[dim] if x.shape else 1


def gather(s):
    """An index that is nowhere longer than the tensor but along ``dim``."""
    x, dim = along(s, low=1)
    shape = [s.size(0, n) for n in x.shape]
    if shape:
        shape[dim] = s.size(0, 4)
    return x, dim, s.ints(*shape, high=size_at(x, dim))


def gathered(x, dim, index):
    if not x.ndim:
        return x.take(index)
    part = x[tuple(slice(None) if d == dim % x.ndim else slice(n) for d, n in enumerate(index.shape))]
    return np.take_along_axis(part, index, dim)


def take_along_dim(s):
    x, dim = along(s, 1, 3, low=1)
    shape = list(x.shape)
    shape[dim] = s.size(0, 3)
    return x, s.ints(*shape, high=x.shape[dim]), dim


def index_select(s):
    x, dim = along(s, low=1)
    return x, dim, s.ints(s.size(0, 4), high=size_at(x, dim)) if x.shape else s.ints(1, high=1)


def index_write(s, unique):
    """A dim of a tensor, indices along it, and a tensor to put there."""
    x, dim = along(s, 1, 3, low=1)
    n = x.shape[dim]
    if unique:
        index = s.given(np.array(s.order(n)[: s.size(0, n)], np.int64))
    else:
        index = s.ints(s.size(0, 4), high=n)
    shape = list(x.shape)
    shape[dim] = index.shape[0]
    return x, dim, index, s.floats(*shape)


def at(x, dim, index):
    key = [slice(None)] * x.ndim
    key[dim] = index
    return tuple(key)


def index_added(x, dim, index, source, alpha=1):
    out = x.copy()
    if out.dtype == bool:
        np.logical_or.at(out, at(x, dim, index), source)
    else:
        np.add.at(out, at(x, dim, index), alpha * source)
    return out


def index_copied(x, dim, index, source):
    out = x.copy()
    out[at(x, dim, index)] = source
    return out


def index_filled(x, dim, index, value):
    return index_copied(x, dim, index, value)


def reduce_name(s):
    return s.one_of("prod", "mean", "amax", "amin")


def index_reduce(s):
    x, dim, index, source = index_write(s, False)
    return x, dim, index, source, reduce_name(s), {"include_self": s.flag()}


def reduced(x, places, source, name, include_self):
    """``x`` with the sources of each place reduced into it; ``places`` says where each element of ``source`` goes."""
    groups = {}
    for place, value in zip(places, source.ravel()):
        groups.setdefault(place, []).append(value)
    out = x.copy()
    for place, values in groups.items():
        values = [x[place], *values] if include_self else values
        functions = {"sum": np.sum, "prod": np.prod, "mean": np.mean, "amax": np.max, "amin": np.min}
        out[place] = functions[name](values)
    return out


def index_reduced(x, dim, index, source, name, include_self):
    dim %= x.ndim
    places = [(*p[:dim], index[p[dim]], *p[dim + 1 :]) for p in np.ndindex(source.shape)]
    return reduced(x, places, source, name, include_self)


def scatter(s, unique=False):
    x, dim = along(s, 1, 3, low=1)
    shape = [s.size(0, n) for n in x.shape]
    dim %= len(shape)
    if unique:
        order = np.argsort(s.spread(shape[:dim] + [x.shape[dim]] + shape[dim + 1 :]), dim)
        index = s.given(order.take(range(shape[dim]), axis=dim))
        if index.layout in ("expanded", "mixed"):  # the places are no longer apart
            index = Given(order.take(range(shape[dim]), axis=dim))
    else:
        index = s.ints(*shape, high=x.shape[dim])
    return x, dim, index, s.floats(*[n + s.size(0, 1) for n in shape])


def scattered(x, dim, index, src, name="last", include_self=True):
    src = src[tuple(slice(n) for n in index.shape)] if np.ndim(src) else np.full(index.shape, src)
    places = [(*p[:dim], index[p], *p[dim + 1 :]) for p in np.ndindex(index.shape)]
    if name != "last":
        return reduced(x, places, src, name, include_self)
    out = x.copy()
    for place, value in zip(places, src.ravel()):
        out[place] = value
    return out


def scatter_value(s):
    return (*scatter(s)[:3], s.one_of(0, 1))


def scatter_add_reference(x, dim, index, src):
    if x.dtype == bool:
        return scattered(x, dim, index, src, "amax")
    return scattered(x, dim, index, src, "sum")


def scatter_reduce(s):
    x, dim, index, src = scatter(s)
    return x, dim, index, src, s.one_of("sum", "prod", "mean", "amax", "amin"), {"include_self": s.flag()}


def mask_of(s, shape):
    return s.bools(*s.under(shape))


def masked_fill(s):
    shape = s.shape()
    return s.floats(*shape), mask_of(s, shape), s.one_of(0, 1)


def masked_fill_tensor(s):
    shape = s.shape()
    return s.floats(*shape), mask_of(s, shape), s.floats()


def masked_scatter(s):
    shape = s.shape()
    return s.floats(*shape), mask_of(s, shape), s.floats(math.prod(shape) + s.size())


def mask_scattered(x, mask, source):
    out = x.copy()
    mask = np.broadcast_to(mask, x.shape)
    out[mask] = source.ravel()[: mask.sum()]
    return out


def masked_select(s):
    shape = s.shape()
    return s.floats(*s.under(shape)), s.bools(*s.under(shape))


def mask_selected(x, mask):
    x, mask = np.broadcast_arrays(x, mask)
    return x[mask]


def rounded(s):
    """Some elements are zero."""
    x = s.floats(*s.shape())
    return Given(np.where(s.rng.integers(0, 2, x.shape), x.array, 0).astype(x.dtype), x.layout if x.layout in
                 ("contiguous", "transposed", "strided", "offset") else "contiguous", x.seed)  # fmt: skip


def take(s):
    x = s.floats(*s.shape(low=1))
    n = math.prod(x.shape)
    return x, s.ints(*s.shape(0, 2), low=-n, high=n)


def take_flat(s):
    x = Given(s.floats(*s.shape(low=1)).array)
    return x, Given(s.ints(*s.shape(0, 2), high=math.prod(x.shape)).array)


def put(s):
    x = s.floats(*s.shape(low=1))
    n = math.prod(x.shape)
    index = np.array(s.order(n)[: s.size(0, n)], np.int64)
    return x, Given(index), s.floats(len(index)), s.flag()


def placed(x, index, source, accumulate):
    out = x.copy()
    out.reshape(-1)[index] = (out.reshape(-1)[index] | source) if accumulate and x.dtype == bool else (
        out.reshape(-1)[index] + source if accumulate else source)  # fmt: skip
    return out


def index_put(s):
    """A row of places in the first dims, and values that broadcast there."""
    shape = s.shape(1, 3, low=1)
    count = s.size(1, len(shape))
    n = s.size(0, 3)
    accumulate = s.flag()
    if accumulate:
        indices = [s.ints(n, high=size) for size in shape[:count]]
    else:
        places = s.order(math.prod(shape[:count]))[:n]
        n = len(places)
        indices = [Given(a.astype(np.int64)) for a in np.unravel_index(np.array(places, int), shape[:count])]
    return s.floats(*shape), tuple(indices), s.floats(*s.under((n, *shape[count:]))), accumulate


def put_at(x, indices, values, accumulate):
    out = x.copy()
    if accumulate and x.dtype == bool:
        np.logical_or.at(out, indices, values)
    elif accumulate:
        np.add.at(out, indices, values)
    else:
        out[indices] = values
    return out


def getitem(s):
    """Slices, numbers, None, an ellipsis, and now and then a mask or indices."""
    shape = s.shape(1, 3, low=1)
    key = []
    for n in shape[: s.size(0, len(shape))]:
        kind = s.one_of("slice", "number", "indices", "list", "mask", "none")
        if kind == "slice":
            key.append(slice(s.one_of(None, 0, 1, -2), s.one_of(None, -1, 2), s.one_of(None, 1, 2)))
        elif kind == "number":
            key.append(s.size(-n, n - 1))
        elif kind == "indices":
            key.append(s.ints(s.one_of(1, 2), low=-n, high=n))
        elif kind == "list":
            key.append([s.size(-n, n - 1)] * 2)
        elif kind == "mask":
            key.append(Given(np.arange(n) < 1))
        else:
            key += [None, s.size(0, n - 1)]
    if s.flag():
        key.append(Ellipsis)
    return s.floats(*shape), tuple(key)


def select_scatter(s):
    x, dim = along(s, 1, 3, low=1)
    n = x.shape[dim]
    shape = list(x.shape)
    del shape[dim]
    return x, s.floats(*shape), dim, s.size(-n, n - 1)


def slice_scatter(s):
    x, dim = along(s, 1, 3)
    start, end, step = s.one_of(None, 0, 1), s.one_of(None, -1, 2), s.size(1, 2)
    shape = list(x.shape)
    shape[dim] = len(range(shape[dim])[start:end:step])
    return x, s.floats(*shape), dim, start, end, step


def diagonal_scatter(s):
    shape = s.shape(2, 3)
    offset = s.size(-2, 2)
    return s.floats(*shape), s.floats(*np.diagonal(np.zeros(shape), offset).shape), offset


def with_diagonal(x, src, offset):
    out = x.copy()
    for k in range(src.shape[-1]):
        out[max(-offset, 0) + k, max(offset, 0) + k] = src[..., k]
    return out


def as_strided_scatter(s):
    n = s.size(2, 3)
    return Given(s.floats(9).array), Given(s.floats(2, n).array), (2, n), (n, 1), s.size(0, 2)


def strided_placed(x, src, size, stride, offset):
    out = x.copy()
    out[offset : offset + src.size] = src.ravel()
    return out


def unravel_index(s):
    shape = s.shape(1, 3, low=1)
    return s.ints(*s.shape(0, 2), high=math.prod(shape)), shape


#: PyTorch's results of ``*_scatter`` of parts keep the gaps in their operand's memory; here they are dense.
ROWS = [
    Row("gather", gather, gathered, ALL),
    Row("take_along_dim", take_along_dim, np.take_along_axis, ALL),
    Row("take_along_dim flat", take_flat, lambda x, i: x.ravel()[i].ravel(), ALL),
    Row("index_select", index_select, lambda x, dim, index: x.take(index, axis=dim) if x.ndim else x, ALL),
    Row("index_add", lambda s: index_write(s, False), index_added, ALL),
    Row("index_add alpha", lambda s: (*index_write(s, False), {"alpha": 2}), index_added, "fci"),
    Row("index_copy", lambda s: index_write(s, True), index_copied, ALL, ties=False),
    Row("index_fill", lambda s: (*index_write(s, False)[:3], s.one_of(0, 1)), index_filled, ALL),
    Row("index_fill tensor", lambda s: (*index_write(s, False)[:3], s.floats()), index_filled, ALL),
    Row("index_reduce", index_reduce, index_reduced, "f", ties=False),
    Row("scatter", lambda s: scatter(s, True), scattered, ALL),
    Row("scatter value", scatter_value, scattered, ALL),
    Row("scatter_add", scatter, scatter_add_reference, ALL),
    Row("scatter_reduce", scatter_reduce, scattered, "f", ties=False),
    Row("masked_fill", masked_fill, lambda x, m, v: np.where(m, np.asarray(v, x.dtype), x), ALL),
    Row("masked_fill tensor", masked_fill_tensor, lambda x, m, v: np.where(m, v, x), ALL),
    Row("masked_scatter", masked_scatter, mask_scattered, ALL),
    Row("masked_select", masked_select, mask_selected, ALL, single=("b",)),
    Row("nonzero", rounded, np.argwhere, ALL, order=0, single=("f", "c", "i", "u", "b")),
    Row("argwhere", rounded, np.argwhere, ALL, order=0),
    Row("nonzero_static", lambda s: (rounded(s), {"size": s.size(0, 4)}), None, ALL, order=0),
    Row("take", take, lambda x, i: x.ravel()[i], ALL),
    Row("put", put, placed, ALL),
    Row("Tensor.put", put, placed, ALL),
    Row("index_put", index_put, put_at, ALL),
    Row("Tensor.__getitem__", getitem, lambda x, key: x[key], ALL, single=("b",)),
    Row("select_scatter", select_scatter, lambda x, src, dim, i: index_copied(x, dim, i, src), ALL, strides=False),
    Row("slice_scatter", slice_scatter, lambda x, src, dim, *r: index_copied(x, dim, slice(*r), src), ALL, strides=False),
    Row("diagonal_scatter", diagonal_scatter, with_diagonal, ALL, strides=False),
    Row("as_strided_scatter", as_strided_scatter, strided_placed, ALL, order=1, strides=False, placed=True),
    Row("unravel_index", unravel_index, np.unravel_index, "i", order=0, torch="i"),
]  # fmt: skip

MARKS = pytest.mark.filterwarnings("ignore:index_reduce.. is in beta")

EXCLUSIONS = {"index_put_": "what the row of index_put does in place"}
