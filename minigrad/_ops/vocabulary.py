"""The vocabulary of formulas on Tensors: the same names as ``_arrays/vocabulary.py``, bound to recorded operators.

The engine hands this module to formulas under ``create_graph``.  A formula receives the saved operands as Tensors; numbers and
shapes stay what they are.
"""

import math
import sys

import numpy as np

from .._arrays.kernels.fourier import inner_weights
from .._arrays.view_chain import Template, dense, reached, steps_of
from .._base import lazy
from .._base.device import contiguous_format
from .._base.dtypes import is_complex_type
from .._core.saved import results_in_views
from .._core.tensor import Tensor, wrap
from .._core.views import derived
from .._core.views import look_at_tensor as look
from .._core.wrapped import elements
from .activation import logsigmoid as log_sigmoid
from .activation import softplus, threshold_backward
from .arithmetic import add
from .arithmetic import neg as negated
from .arrange import _flip, _roll, _rot90, _tril, _triu
from .choose import clamp as clip
from .choose import maximum, minimum, nan_to_num
from .choose import where as _where
from .compare import isfinite, isinf, isnan, logical_not
from .complex import conj_physical as conj
from .complex import conj_physical as conjugated
from .complex import imag, real, view_as_real
from .complex import view_as_complex as _view_as_complex
from .convert import clone as _clone
from .convert import copy_, of_np_dtype, zero_
from .cumulative import _cumprod, _cumsum, recurrence, shift
from .error_function import erf
from .float_parts import ldexp
from .gather import _gather as gather
from .gather import add_elements
from .index import _index as at
from .index import _index_put, _index_put_impl
from .index_slices import _index_select as take_slices
from .index_slices import add_slices, zero_slices
from .join import _cat as concat
from .join import _stack as stack
from .masks import _masked_fill_number as _masked_fill
from .masks import _masked_select as masked_select
from .masks import masked_place
from .matmul import matmul
from .moments import _vector_norm, centered, divide_nonzero, magnitude_power
from .part_scatter import _as_strided_scatter as as_strided_scatter
from .part_scatter import _diagonal_scatter as diagonal_scatter
from .part_scatter import _select_scatter as select_scatter
from .part_scatter import _slice_scatter as slice_scatter
from .parts import diagonal, diagonal_backward, select_backward, slice_backward, unfold, unfold_backward
from .permute import permute
from .permute import t as transpose
from .permute import transpose as swapaxes
from .powers import pow as power
from .powers import sqrt
from .random_gamma import _dirichlet_grad as dirichlet_grad
from .random_gamma import _standard_gamma_grad as standard_gamma_grad
from .reduce import products_of_others, same, same_or_nan
from .reduce import sum as _sum
from .rounding import abs, floor, fmod, remainder, trunc
from .rounding import div as _div
from .rounding import sgn as sign
from .scatter import _scatter, ranks_of, zero_elements
from .scatter import _scatter_reduce as scatter_reduce
from .shape import expand_to as broadcast_to
from .shape import reshape, squeeze
from .shape import unsqueeze as expand_dims
from .sorting import add_along as add_along_axis
from .sorting import put_along as put_along_axis
from .sorting import take_along as take_along_axis
from .special import _polygamma as polygamma
from .special import bessel_ratio, digamma, erfcx, erfinv, i1, i1e, lgamma, scaled_bessel_ratio, zeta
from .spectral import fft_c2c, fft_r2c
from .strided import _as_strided, place, restrided
from .take import _take as take_flat
from .take import put_flat, zero_flat
from .transcendental import (
    cos,
    cosh,
    exp,
    exp2,
    expm1,
    log,
    log1p,
    sigmoid,
    sigmoid_backward,
    sin,
    sinc_slope,
    sinh,
    tanh,
    tanh_backward,
)

# Elementwise ---------------------------------------------------------------------------------------------------------------


def where(condition, x, y):
    """``x`` where ``condition`` holds, else ``y``; any of them may be an array or a number."""
    return _where(condition if isinstance(condition, Tensor) else wrap(np.asarray(condition)), x, y)


def keep(x, mask):
    """``x`` where ``mask`` holds, else 0."""
    return where(mask, x, 0)


def drop(x, mask):
    """0 where ``mask`` holds, else ``x``."""
    return _masked_fill(x, mask if isinstance(mask, Tensor) else wrap(mask), 0)


def clone(x):
    """A copy in memory of its own."""
    return _clone(x)


def stored_like(g, leaf):
    """A copy of the gradient ``g`` in the order in memory of its leaf's array, where that is dense."""
    if g._wrapped or leaf.__class__ is not np.ndarray:
        return _clone(laid_out(g, Template(leaf)) if leaf.shape == g._array.shape else g)
    if leaf.shape != g._array.shape or not dense(leaf):
        return _clone(g, memory_format=contiguous_format)
    return copy_(wrap(np.empty_like(leaf)), g)


def iscomplex(x):
    """Whether the dtype is complex."""
    return is_complex_type(x._array.dtype)


def view_as_complex(x):
    """Pairs of numbers as complex ones, (..., 2) -> (...)."""
    return _view_as_complex(x.contiguous())


def floor_divide(x, y):
    """``x / y`` rounded down."""
    return _div(x, y, rounding_mode="floor")


def trunc_divide(x, y):
    """``x / y`` rounded towards zero."""
    return _div(x, y, rounding_mode="trunc")


def zeros_like(x):
    """Zeros of x's shape and dtype, in x's order in memory: no function of x."""
    return wrap(np.zeros(x._array.shape, x._array.dtype) if x._wrapped else np.zeros_like(x._array))


def ones_like(x):
    """Ones of x's shape and dtype, in x's order in memory: no function of x."""
    return wrap(np.ones(x._array.shape, x._array.dtype) if x._wrapped else np.ones_like(x._array))


# Shapes ----------------------------------------------------------------------------------------------------------------------

permute_dims = permute
rot90, tril, triu = _rot90, _tril, _triu


def flip(x, axis):
    """The order reversed along an axis or several."""
    return _flip(x, axis if axis.__class__ is tuple else (axis,))


def roll(x, shifts, dims):
    """Elements shifted along axes, or along all as one."""
    return _roll(x, shifts, dims)


def as_strided(x, size, stride, offset):
    """The memory under a dense copy of ``x`` with a size and strides of its own."""
    x = x.contiguous()
    return _as_strided(x, size, stride, offset, x.stride())


def padded(x, shape):
    """``x`` with zeros behind it along every axis, up to ``shape``."""
    for d, n in enumerate(shape):
        have = x._array.shape
        if have[d] != n:
            x = concat((x, zeros((*have[:d], n - have[d], *have[d + 1 :]), x)), d)
    return x


def sum_to(g, shape):
    """``g`` summed over the axes along which ``shape`` was broadcast to it."""
    have = g._array.shape
    if have == shape:
        return g
    if not shape:
        return _sum(g)
    extra = len(have) - len(shape)
    over = tuple([i for i, n in enumerate(have) if i < extra or (n != 1 and shape[i - extra] == 1)])
    g = _sum(g, over, True)
    return reshape(g, shape) if extra else g


def matrix_transpose(x):
    """The last two axes exchanged."""
    return swapaxes(x, -2, -1)


def zeros(shape, like):
    """Zeros of a shape, in the dtype and on the device of ``like``."""
    return like.new_zeros(shape) if like._is_meta else wrap(np.zeros(shape, like._array.dtype))


def inner_doubled(x, axis, n):
    """One half of n points along an axis with those that stand for two of them doubled."""
    return x * wrap(inner_weights(x._array, axis, n))


# Indexing --------------------------------------------------------------------------------------------------------------------


def add_at(g, shape, indices):
    """Zeros of ``shape`` with ``g`` added at index tensors, which may repeat."""
    return _index_put_impl(zeros(shape, g), g, indices, True)


def zero_at(g, indices):
    """``g`` with zeros at index tensors."""
    return _index_put(g, zeros((), g), indices, False)


def product_of_others(x, index, y, dim, include_self):
    """Like ``places.others``, to any order: the elements that meet are brought into one row, where all but one are multiplied."""
    places, n = index._array, x._array.size
    if not places.size:
        return zeros(places.shape, y)
    y = reshape(y[tuple([slice(m) for m in places.shape])] if places.ndim else y, (places.size,))
    flat, rank = ranks_of(index, dim, x._array.shape)
    width = int(elements(rank).max()) + 1
    index = flat * width + rank
    rows = reshape(_scatter(wrap(np.ones(n * width, y._array.dtype)), index, y, 0), (n, width))
    product = products_of_others(sys.modules[__name__], rows, 1)
    if include_self:
        product = product * reshape(x, (n, 1))
    return reshape(gather(reshape(product, (n * width,)), index, 0), places.shape)


def as_operand(array):
    """An array that is no function of anything, as formulas take operands."""
    return wrap(array)


def as_array(x):
    """The array of an operand, for what is no function of it."""
    return x._array


def one_hot(index, classes, like):
    """Ones where the last axis counts up to ``index``, whose last axis has length one; zeros elsewhere; in the dtype of ``like``."""
    return of_np_dtype(index == wrap(np.arange(classes)), like._array.dtype)


def astype(x, np_dtype):
    """``x`` in another dtype; of complex numbers, the real parts, as a view."""
    if is_complex_type(x._array.dtype) and not is_complex_type(np_dtype):
        x = real(x)
    return of_np_dtype(x, np_dtype)


def astype_like(x, y):
    """``x`` in the dtype of ``y``."""
    return astype(x, y._array.dtype)


# Views replayed --------------------------------------------------------------------------------------------------------------


def laid_out(g, template):
    """``g`` with its axes in the template's order in memory."""
    if template.order is None and g._array.flags.c_contiguous:
        return g
    if not g._wrapped:
        return _copied(g, template)
    if template.order is None:
        return g.contiguous()
    return permute(permute(g, tuple(template.order)).contiguous(), tuple([template.order.index(d) for d in range(g.ndim)]))


def _copied(g, template):
    """A copy of ``g`` in the template's order in memory."""
    if not g._is_meta:
        return copy_(wrap(template.empty()), g)
    order = template.order or range(g.ndim)
    return copy_(g.new_empty([g.shape[d] for d in order]).permute(*np.argsort(order).tolist()).detach(), g)


def through(g, node, keep, xp):
    """``CopySlices`` on Tensors: the written part of the gradient goes through the op that wrote."""
    on_arrays = not g._wrapped
    out = _copied(g, node.template) if on_arrays else laid_out(g, node.template)
    part = look(out, node.chain)
    inner = node.inner
    results_in_views[inner] = derived(node.chain, node, node.template.empty())
    try:
        first, *rest = inner.backward(xp, _clone(part), keep)
    finally:
        results_in_views.pop(inner, None)
    if node._next[0] is None:
        return (None, *rest)
    if not on_arrays or (first is not None and first._wrapped):
        # a gradient cannot be written into one of another level
        if any(cls.retypes for cls, _ in steps_of(node.chain)):
            out = out - place(part, node.chain, node.template)
        else:
            out = drop(out, reached(node.chain, node.template))
        return (out if first is None else out + place(first, node.chain, node.template), *rest)
    if first is None:
        zero_(part)
    else:
        copy_(part, first)
    return (out, *rest)


# Reductions and what their gradients need ----------------------------------------------------------------------------------


def sum(x, axis=None, keepdims=False):
    """The sum over some axes."""
    return _sum(x, axis, keepdims)


def vector_norm(x, p, axis):
    """The p-norm along ``axis``, which is kept."""
    return _vector_norm(x, p, axis, True, None)


def cumsum(x, axis, reverse=False):
    """The running sums along ``axis``, from the end with ``reverse``."""
    return _cumsum(x, axis, None, reverse)


def cumprod(x, axis, reverse=False):
    """The running products along ``axis``, from the end with ``reverse``."""
    return _cumprod(x, axis, None, reverse)


# Matrices ------------------------------------------------------------------------------------------------------------------

dot = matmul


def adjoint(x):
    """The conjugate transpose of matrices."""
    x = swapaxes(x, -2, -1)
    return conj(x) if is_complex_type(x._array.dtype) else x


def eye(n, like):
    """The identity matrix in the dtype of ``like``."""
    return wrap(np.eye(n, dtype=like._array.dtype))


def off_diagonal(x):
    """``x`` with zeros on its diagonal."""
    return x * wrap(1 - np.eye(x._array.shape[-1], dtype=np.zeros((), x._array.dtype).real.dtype))


def unit_lower(x):
    """The part below the diagonal, with ones on it."""
    return tril(x, -1) + wrap(np.eye(*x._array.shape[-2:], dtype=x._array.dtype))


def as_rows(x):
    """A matrix of all that lies along the last axis of ``x``."""
    return x if x.ndim == 2 else x.reshape(math.prod(x.shape[:-1]), x.shape[-1])


def halves(x, axis):
    """The two halves of ``x`` along ``axis``."""
    n = x.size(axis) // 2
    return x.narrow(axis, 0, n), x.narrow(axis, n, n)


def size(x):
    """The number of elements."""
    return x.numel()


# What few formulas need ----------------------------------------------------------------------------------------------------

_later = lazy.places(
    {
        "_ops.arrange": "diag_embed",
        "_ops.convolution": "convolve convolve_weight",
        "_ops.embedding": "bag_factors embedding_factors",
        "_ops.linalg_factors": "lu_solve=lu_solve_of permutation_matrix",
        "_ops.linalg_functions": "matrix_exp",
        "_ops.linalg_orthogonal": "reflect=reflected",
        "_ops.linalg_solvers": "inv=inverse_of solve=solve_matrices solve_triangular=solve_triangle",
        "_ops.linalg_spectral": "pinv=pinv_of",
        "_ops.linalg_vectors": "cross=cross_of",
        "_ops.image": (
            "affine_grid_backward affine_grid_map resample resample_backward shuffle_channels "
            "shuffle_pixels unshuffle_pixels"
        ),
        "_ops.padding": "col2im constant_pad edge_pad edge_pad_backward im2col",
        "_ops.avg_pooling": "adaptive_avg_pool adaptive_avg_pool_backward avg_pool avg_pool_backward",
        "_ops.max_pooling": "gather_windows scatter_windows",
    }
)


def __getattr__(name):
    return lazy.fetch(name, _later, globals())
