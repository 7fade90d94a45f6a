"""The vocabulary of formulas on raw arrays: names of the Array API standard, quick on small arrays.

A formula asks ``xp`` for everything but operators.  In an ordinary backward ``xp`` is this module; under ``create_graph`` and in
transforms it is ``_ops/vocabulary.py``, which has the same names over Tensors.  NumPy's convenience functions are written in Python and cost
1 to 2 us on small arrays, so the ufuncs' own methods stand here where they serve.
"""

import math
from functools import lru_cache
from operator import attrgetter

import numpy as np
from numpy._core.umath import clip  # type: ignore[attr-defined]

from .._base import lazy
from .copies import cast, dense
from .kernels.activation import log_sigmoid, softplus, threshold_backward
from .kernels.elementwise import (
    as_complex,
    clamp,
    constant,
    drop,
    exp2,
    floor_divide,
    fmod,
    in_single,
    keep,
    logaddexp,
    power,
    remainder,
    sigmoid,
    sign,
    sinc_slope,
    trunc_divide,
    view_as_complex,
    view_as_real,
    where,
)
from .kernels.embedding import bag_factors
from .kernels.embedding import factors as embedding_factors
from .kernels.error_function import erf
from .memory_layout import address, axes_of_copy, flat_bytes, owner_of
from .products import dot as dot
from .products import dot_plus as dot_plus
from .products import matmul as matmul
from .reductions import (
    accumulate,
    add_along_axis,
    at_places,
    centered,
    cumprod,
    cumsum,
    divide_nonzero,
    extremes,
    flip,
    log_softmax,
    log_softmax_backward,
    magnitude_power,
    ones,
    put_along_axis,
    recurrence,
    same,
    same_or_nan,
    shift,
    slices,
    softmax,
    softmax_backward,
    sums,
    take_along_axis,
    vector_norm,
)  # fmt: skip
from .rounding import fitted, halved, numbers
from .scatter_add import (
    add_along,
    add_flat,
    add_into,
    copied,
    product_of_others,
    put_along,
    reduced,
    take_along,
)
from .scatter_add import add_at as add_at_key
from .traced import Traced
from .unresolved import conjugated_view, negated_view, resolved, seen_as, stored
from .view_chain import laid_out, look, place, through

add = np.add
ldexp = np.ldexp
abs = np.absolute
exp = np.exp
expm1 = np.expm1
log = np.log
log1p = np.log1p
sin = np.sin
cos = np.cos
sinh = np.sinh
cosh = np.cosh
tanh = np.tanh
sqrt = np.sqrt
conj = np.conjugate
maximum = np.maximum
minimum = np.minimum
floor = np.floor
real = np.real
imag = np.imag
iscomplex = np.iscomplexobj
isnan = np.isnan
isinf = np.isinf
isfinite = np.isfinite
logical_not = np.logical_not
concat = np.concatenate
zeros_like = np.zeros_like
ones_like = np.ones_like


#: One as a 0-d array: a Python number costs a ufunc 0.3 us more.
_ONES = {
    np.dtype(name): np.ones((), name) for name in ("float16", "float32", "float64", "complex64", "complex128")
}
_FLOAT32, _ONE = np.dtype("float32"), np.ones((), "float32")
_multiply, _subtract = np.multiply, np.subtract


def tanh_backward(g, z):
    """The gradient of ``tanh``, whose result was ``z``: ``g (1 - z²)``."""
    one = _ONE if z.dtype is _FLOAT32 else _ONES.get(z.dtype, 1)
    out = _multiply(z, z)
    if not out.ndim:  # perhaps a number
        return g * (one - out)
    _subtract(one, out, out)
    return _multiply(g, out, out)


def sigmoid_backward(g, z):
    """The gradient of ``sigmoid``, whose result was ``z``: ``g z (1 - z)``."""
    out = (_ONE if z.dtype is _FLOAT32 else _ONES.get(z.dtype, 1)) - z
    out *= z
    out *= g
    return out


def astype(x, dtype):
    """``x`` as NumPy dtype ``dtype``; a complex value gives up its imaginary part."""
    if x.dtype.char == "V" or dtype.char == "V":
        x = halved(x, dtype)
    elif x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real
    return cast(x, dtype)


def add_packed(x, y):
    """The sum of two arrays of elements that NumPy has no type for."""
    return fitted(numbers(x) + numbers(y), x.dtype)


def clone(x):
    """A copy in memory of its own, in the order of the indices if ``x`` is expanded."""
    order = "C" if 0 in x.strides else "K"
    return x.copy(order) if x.__class__ is Traced else np.array(x, order=order)


def reshape(x, shape):
    """``x`` with another shape."""
    return x.reshape(shape)


def strided(x, shape, strides, offset=0):
    """A view of the memory under ``x`` with a shape and strides (in bytes) of its own, ``offset`` bytes after x's beginning."""
    try:
        return np.ndarray(shape, x.dtype, x, offset, strides)  # 0.2 us; NumPy's as_strided takes 2
    except TypeError:  # x has no memory of its own, or is without elements
        if x.__class__ is Traced:
            return x.seeing(strided(x.array, shape, strides, offset))
        if x.__class__ is not np.ndarray:
            return seen_as(x, strided(stored(x), shape, strides, offset))
        return np.ndarray(
            shape,
            x.dtype,
            flat_bytes(owner_of(x)),
            offset + address(x) - address(flat_bytes(owner_of(x))),
            strides,
        )
    except ValueError:  # x is not contiguous, or the view goes beyond x: the owner of the memory serves
        if 0 in shape:
            return np.lib.stride_tricks.as_strided(x, shape, strides, writeable=x.flags.writeable)
        memory = flat_bytes(owner_of(x))
        try:
            return np.ndarray(shape, x.dtype, memory, offset + address(x) - address(memory), strides)
        except ValueError:
            raise RuntimeError(
                f"setStorage: sizes {list(shape)} and strides {list(strides)}, in bytes, are out of bounds for storage of size "
                f"{memory.nbytes}"
            ) from None


def broadcast_to(x, shape):
    """``x`` repeated to ``shape``: a view with strides of zero."""
    have = x.shape
    if not have and x.__class__ is not Traced:
        return np.ndarray(shape, x.dtype, x, 0, (0,) * len(shape))  # 0.15 us; np.broadcast_to 1.8
    if have == shape:
        return x
    strides = [s if n == m else 0 for s, n, m in zip(x.strides[::-1], have[::-1], shape[::-1])]
    strides.reverse()
    return strided(x, shape, (0,) * (len(shape) - len(have)) + tuple(strides))


def stack(xs, axis=0):
    """Arrays of one shape along a new axis."""
    first = xs[0]
    shape = first.shape
    z = np.empty((*shape[:axis], len(xs), *shape[axis:]), first.dtype)
    if axis:
        before = (slice(None),) * axis
        for i, x in enumerate(xs):
            z[(*before, i)] = x
    else:
        for i, x in enumerate(xs):
            z[i] = x
    return z


def contiguous(x):
    """``x``, or a copy whose elements lie in memory in the order of the indices."""
    return x if x.flags.c_contiguous else dense(x)


def swapaxes(x, axis1, axis2):
    """Two axes exchanged."""
    return x.swapaxes(axis1, axis2) if x.ndim else x


def permute_dims(x, axes):
    """The axes in another order."""
    return x.transpose(axes)


def transpose(x):
    """A matrix transposed; a vector is itself."""
    return x.T


def squeeze(x, axis):
    """Without an axis, whose length is one."""
    return x.squeeze(axis)


def zeros(shape, like):
    """Zeros of a shape, in the dtype of ``like``."""
    return np.zeros(shape, like.dtype)


# Parts: what the gradients of views and of indexing need ---------------------------------------------------------------------


def select_backward(g, shape, dim, index):
    """Zeros of ``shape`` with ``g`` at one index of axis ``dim``."""
    z = np.zeros(shape, g.dtype)
    z[(slice(None),) * dim + (index,)] = g
    return z


def slice_backward(g, shape, dim, start, end, step):
    """Zeros of ``shape`` with ``g`` at a range along axis ``dim``."""
    z = np.zeros(shape, g.dtype)
    z[(slice(None),) * dim + (slice(start, end, step),)] = g
    return z


def roll(x, shifts, dims):
    """A copy with elements shifted along axes, or along all as one; elements shifted past the end reappear at the beginning."""
    if not dims:
        return roll(x.reshape(-1), shifts, (0,)).reshape(x.shape)
    for by, dim in zip(shifts, dims):
        n = x.shape[dim]
        by = by % n if n else 0
        z = np.empty(x.shape, x.dtype)
        before = (slice(None),) * dim
        z[(*before, slice(by, None))] = x[(*before, slice(None, n - by))]
        z[(*before, slice(None, by))] = x[(*before, slice(n - by, None))]
        x = z
    return x


def rot90(x, k, dims):
    """A copy rotated by k right angles in the plane of two axes."""
    k %= 4
    if not k:
        return x.copy()
    if k == 2:
        return flipped(x, dims)
    return flipped(x, dims[1:] if k == 1 else dims[:1]).swapaxes(*dims)


def flipped(x, dims):
    """A copy in the opposite order along ``dims``, its axes in memory as those of a copy of ``x`` are."""
    z = flip(x, dims)
    if x.flags.c_contiguous:
        return z.copy()
    axes = axes_of_copy(x)
    return z.transpose(axes).copy().transpose(np.argsort(axes))


@lru_cache(64)
def _below(rows, columns, diagonal):
    mask = np.tri(rows, columns, diagonal, dtype=np.bool_)
    return mask, ~mask


def tril(x, diagonal=0):
    """``x`` on and below a diagonal of its last two axes, else 0."""
    return contiguous(keep(x, _below(*x.shape[-2:], diagonal)[0]))


def triu(x, diagonal=0):
    """``x`` on and above a diagonal of its last two axes, else 0."""
    return contiguous(keep(x, _below(*x.shape[-2:], diagonal - 1)[1]))


def conjugated(x):
    """The conjugate, also of elements that NumPy has no type for."""
    return np.conjugate(x) if x.dtype.char != "V" else resolved(conjugated_view(x))


def negated(x):
    """The negative, also of elements that NumPy has no type for."""
    return np.negative(x) if x.dtype.char != "V" else resolved(negated_view(x))


def diagonal(x, offset, dim1, dim2):
    """A view of the diagonals of the matrices that two axes span, as the last axis."""
    z = x.diagonal(offset, dim1, dim2)
    if x.flags.writeable:
        stored(z).setflags(write=True)
    return z


def diagonal_backward(g, shape, offset, dim1, dim2):
    """Zeros of ``shape`` with ``g`` on the diagonals."""
    z = np.zeros(shape, g.dtype)
    diagonal(z, offset, dim1, dim2)[...] = g
    return z


def unfold(x, dimension, size, step):
    """A view of windows of ``size`` elements along an axis, ``step`` apart; their elements are a new last axis."""
    if not x.ndim:
        return strided(x, (size,), (x.itemsize,))
    shape, strides = list(x.shape), list(x.strides)
    stride = strides[dimension]
    shape[dimension] = (shape[dimension] - size) // step + 1
    strides[dimension] = stride * step
    return strided(x, (*shape, size), (*strides, stride))


def unfold_backward(g, shape, dim, size, step):
    """Zeros of ``shape`` with the windows in ``g`` added in their places."""
    z = np.zeros(shape, g.dtype)
    if not shape:
        return g.sum()
    windows = unfold(z, dim, size, step)
    if step >= size:
        windows[...] = g
    elif size <= windows.shape[dim]:
        for k in range(size):  # equal places of different windows do not overlap
            windows[..., k] += g[..., k]
    else:
        before = (slice(None),) * dim
        for k in range(windows.shape[dim]):
            windows[(*before, k)] += g[(*before, k)]
    return z


def at(x, indices):
    """The elements of ``x`` at index tensors: see ``_ops/index.py``."""
    return x[indices.checked()]


def add_at(g, shape, indices):
    """Zeros of ``shape`` with ``g`` added at index tensors, which may repeat."""
    return add_at_key(shape, indices.checked(), g)


def zero_at(g, indices):
    """``g`` with zeros at index tensors."""
    z = np.array(g)
    z[indices.checked()] = 0
    return z


def take_slices(x, index, dim):
    """The slices of ``x`` at ``index``, a vector, along an axis."""
    return x.take(index.reshape(-1), dim) if x.ndim else x


def add_slices(g, index, dim, shape):
    """Zeros of ``shape`` with the slices of ``g`` added at ``index``, which may repeat, along an axis."""
    return add_at_key(shape, (*(slice(None),) * dim, index.reshape(-1)), g) if shape else np.array(g)


def zero_slices(g, index, dim):
    """``g`` with zeros in the slices at ``index`` along an axis."""
    z = np.array(g)
    z[(*(slice(None),) * dim, index.reshape(-1)) if z.ndim else ...] = 0
    return z


def gather(x, index, dim):
    """The elements of ``x`` at ``index``, which may be smaller than x, along an axis."""
    if not index.size:
        return np.empty(index.shape, x.dtype)
    return take_along(x, dim, index) if x.ndim and index.ndim else x.reshape(-1).take(index)


def add_elements(g, index, dim, shape):
    """Zeros of ``shape`` with ``g`` added at ``index``, which may repeat and be smaller, along an axis."""
    z = np.zeros(shape, g.dtype)
    if index.size:
        add_along(
            z if shape else z.reshape(1),
            dim,
            index if index.ndim else index.reshape(1),
            g if g.ndim else np.reshape(g, 1),
        )
    return z


def zero_elements(g, index, dim):
    """``g`` with zeros at ``index`` along an axis."""
    z = np.array(g, order="C")
    if index.size:
        put_along(z if z.ndim else z.reshape(1), dim, index if index.ndim else index.reshape(1), 0)
    return z


def scatter_reduce(x, index, y, dim, reduce, include_self):
    """A copy of ``x`` with elements of ``y`` reduced at ``index`` along an axis."""
    return reduced(copied(x), index, y, dim, reduce, include_self)


def select_scatter(x, y, dim, index):
    """A copy of ``x`` with ``y`` at one index of an axis."""
    z = np.array(x)
    z[(*(slice(None),) * dim, index)] = fitted(y, z.dtype)
    return z


def slice_scatter(x, y, dim, start, end, step):
    """A copy of ``x`` with ``y`` at a range along an axis."""
    z = np.array(x)
    z[(*(slice(None),) * dim, slice(start, end, step))] = fitted(y, z.dtype)
    return z


def diagonal_scatter(x, y, offset, dim1, dim2):
    """A copy of ``x`` with ``y`` on the diagonals of the matrices that two axes span."""
    z = np.array(x)
    diagonal(z, offset, dim1, dim2)[...] = fitted(y, z.dtype)
    return z


def as_strided(x, size, stride, offset):
    """A view of the memory under ``x``, dense in the order of its indices, with a size and strides of its own, in elements."""
    item = x.itemsize
    return strided(
        x if x.flags.c_contiguous else copied(x), size, tuple([s * item for s in stride]), offset * item
    )


def as_strided_scatter(x, y, size, stride, offset):
    """A copy of ``x``, dense in the order of its indices, with ``y`` where ``as_strided`` looks."""
    z = copied(x)
    as_strided(z, size, stride, offset)[...] = fitted(y, z.dtype)
    return z


def padded(x, shape):
    """``x`` with zeros behind it along every axis, up to ``shape``."""
    if x.shape == shape:
        return x
    z = np.zeros(shape, x.dtype)
    z[tuple([slice(n) for n in x.shape])] = x
    return z


def as_operand(array):
    """An array that is no function of anything, as formulas take operands."""
    return array


def as_array(x):
    """The array of an operand, for what is no function of it."""
    return x


def one_hot(index, classes, like):
    """Ones where the last axis counts up to ``index``, whose last axis has length one; zeros elsewhere; in the dtype of ``like``."""
    return (index == np.arange(classes)).astype(like.dtype)


def astype_like(x, y):
    """``x`` in the dtype of ``y``."""
    return x.astype(y.dtype)


def masked_select(x, mask):
    """The elements of ``x`` where ``mask`` holds, in one row; they broadcast."""
    if x.shape != mask.shape:
        shape = np.broadcast_shapes(x.shape, mask.shape)
        x, mask = np.broadcast_to(x, shape), np.broadcast_to(mask, shape)
    return x[mask]


def masked_place(g, mask, shape):
    """Zeros with ``g``, in one row, where ``mask`` holds, summed to ``shape``; a tensor of that shape and ``mask`` broadcast."""
    z = np.zeros(np.broadcast_shapes(mask.shape, shape), g.dtype)
    z[np.broadcast_to(mask, z.shape)] = g
    return sum_to(z, shape)


def take_flat(x, index):
    """The elements of ``x``, as if in one row, at ``index``."""
    return x.take(index)


def put_flat(g, index, shape):
    """Zeros of ``shape`` with ``g`` added at ``index``, as if in one row; indices may be negative and repeat."""
    z = np.zeros(math.prod(shape), g.dtype)
    add_flat(z, np.where(index < 0, index + z.size, index).reshape(-1), np.asarray(g).reshape(-1))
    return z.reshape(shape)


def zero_flat(g, index):
    """``g`` with zeros at ``index``, as if in one row."""
    z = np.array(g, order="C")
    z.put(index, 0)
    return z


def positions(size, stride, offset):
    """Where in memory, counted in elements, the elements of such a tensor lie."""
    z = np.array(offset)
    for n, s in zip(size, stride):
        z = z[..., None] + np.arange(n) * s
    return z


def restrided(g, source, target, shared):
    """Elements laid out in memory as ``source`` (size, stride, offset) says, summed where several meet, read as ``target`` says.

    What the layout ``shared`` keeps in one place more than once counts as one element, which all of them share evenly.
    """
    at_source, take, count = positions(*source), positions(*target), positions(*shared)
    least = min([p.min() for p in (at_source, take, count) if p.size], default=0)
    n = max([p.max() for p in (at_source, take, count) if p.size], default=0) - least + 1
    z = np.zeros(n, g.dtype)
    np.add.at(z, at_source - least, g)
    times = np.bincount((count - least).reshape(-1), minlength=n)
    if times.max(initial=0) > 1:
        z = (z / np.maximum(times, 1)).astype(g.dtype)
    return z[take - least]


# Reductions and what their gradients need ----------------------------------------------------------------------------------


def sum(x, axis=None, keepdims=False):
    """The sum over some axes."""
    return np.add.reduce(x, axis, None, None, keepdims)


_ones: dict[tuple[int, str], np.ndarray] = {}  # by length and dtype


def _ones_dot(g):
    """The sums of a floating matrix's columns: 0.4 us where ``np.add.reduce`` takes 0.9, and a third of its time for large ones."""
    key = len(g), g.dtype.char
    vector = _ones.get(key)
    if vector is None:
        if len(_ones) > 100:
            _ones.clear()
        vector = _ones[key] = np.ones(len(g), g.dtype)
    return vector.dot(g) if g.__class__ is np.ndarray else np.dot(vector, g)


def sum_to(g, shape):
    """``g`` summed over the axes along which ``shape`` was broadcast to it."""
    if g.shape == shape:
        return g
    if g.dtype.char == "V":
        return fitted(sum_to(numbers(g), shape), g.dtype)
    if g.itemsize == 2:  # half precision is summed in single
        return sum_to(g.astype(np.float32), shape).astype(g.dtype)
    extra = g.ndim - len(shape)
    if extra:
        if extra == 1 and g.ndim == 2 and g.dtype.kind == "f" and g.size > 1:
            g = _ones_dot(g)
        else:
            g = np.add.reduce(g, tuple(range(extra)) if extra > 1 else 0)
        if g.shape == shape:
            return g
    axes = tuple(i for i, n in enumerate(shape) if n == 1 and g.shape[i] != 1)
    return np.add.reduce(g, axes, keepdims=True)


# Matrices ------------------------------------------------------------------------------------------------------------------

#: The last two axes exchanged.
matrix_transpose = attrgetter("mT")


def as_rows(x):
    """A matrix of all that lies along the last axis of ``x``."""
    return x if x.ndim == 2 else x.reshape(math.prod(x.shape[:-1]), x.shape[-1])


def expand_dims(x, axis):
    """An axis of length one inserted at ``axis``."""
    axis = axis % (x.ndim + 1)
    return x.reshape(*x.shape[:axis], 1, *x.shape[axis:])


def halves(x, axis):
    """The two halves of ``x`` along ``axis``."""
    key, n = [slice(None)] * x.ndim, x.shape[axis] // 2
    key[axis] = slice(n)
    first = x[tuple(key)]
    key[axis] = slice(n, None)
    return first, x[tuple(key)]


#: The number of elements.
size = attrgetter("size")

#: What few formulas need, imported when the first of them runs.
_later = lazy.places(
    {
        "_arrays.kernels.fourier": "fft_c2c fft_r2c inner_doubled",
        "_arrays.kernels.convolution": "convolve convolve_weight=conv_weight",
        "_arrays.kernels.image": (
            "affine_grid_backward affine_grid_map=affine_grid resample resample_backward "
            "shuffle_channels=channel_shuffle shuffle_pixels=pixel_shuffle unshuffle_pixels=pixel_unshuffle"
        ),
        "_arrays.kernels.implicit_gradients": "dirichlet_grad standard_gamma_grad",
        "_arrays.kernels.linalg": (
            "adjoint cross diag_embed eye inv lu_solve matrix_exp off_diagonal permutation_matrix pinv reflect solve "
            "solve_triangular unit_lower"
        ),
        "_arrays.kernels.padding": "col2im constant_pad edge_pad edge_pad_backward im2col",
        "_arrays.kernels.pooling": (
            "adaptive_avg_pool adaptive_avg_pool_backward avg_pool avg_pool_backward gather_windows scatter_windows"
        ),
        "_arrays.kernels.special": "bessel_ratio digamma erfcx erfinv i1 i1e lgamma polygamma scaled_bessel_ratio zeta",
    }
)


def __getattr__(name):
    return lazy.fetch(name, _later, globals())
