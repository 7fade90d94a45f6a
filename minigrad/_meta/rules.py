"""What stands for kernels that cannot run on shapes: they look at elements, or take large arrays in many blocks.

Each rule has the name and the parameters of the kernel, and gives the shapes, dtypes and strides of what that returns.  The operators' own checks of shapes and dtypes run as ever.
"""

import numpy as np

from .._arrays import reductions
from .._arrays.kernels import ctc, embedding, linalg, normalize, pooling
from .._arrays.random import distributions
from .._ops import bins, index_slices, masks
from .._ops import distance as distances
from .._ops import embedding as embeddings
from .blank import Blank, elementwise
from .run import replace

#: The functions into whose tensors on ``meta`` indices of the CPU may point, as PyTorch has it.
TAKE_INDICES = frozenset(
    (
        "index",
        "index_put",
        "embedding",
        "embedding_bag",
        "index_select",
        "gather",
        "scatter",
        "take_along_dim",
    )
)

#: The functions the shapes of whose results depend on elements.
SHAPED_BY_ELEMENTS = frozenset(
    (
        "nonzero",
        "masked_select",
        "_unique2",
        "unique",
        "unique2",
        "unique_dim",
        "unique_consecutive",
        "bincount",
        "repeat_interleave",
    )
)

_INT64, _INT32 = np.dtype("int64"), np.dtype("int32")


def rule(kernel):
    """Let a function stand for ``kernel``."""

    def add(stands_for):
        replace(kernel, stands_for)
        return stands_for

    return add


def _same(x, *args, **kwargs):
    """Of the shape, dtype and order of the first operand."""
    return elementwise([x], x.dtype)


# Linear algebra --------------------------------------------------------------------------------------------------------------


def _columns(shape, dtype):
    """Matrices whose columns lie one after another, as LAPACK has them."""
    return Blank((*shape[:-2], shape[-1], shape[-2]), dtype).swapaxes(-1, -2)


@rule(linalg.lu)
def lu(x):
    *batch, m, n = x.shape
    return _columns(x.shape, x.dtype), Blank((*batch, min(m, n)), _INT32), Blank(tuple(batch), _INT32)


@rule(linalg.ldl)
def ldl(x, hermitian):
    return _columns(x.shape, x.dtype), Blank(x.shape[:-1], _INT32), Blank(x.shape[:-2], _INT32)


@rule(linalg.ldl_solve)
def ldl_solve(x, pivots, b, hermitian):
    return _same(b)


@rule(linalg.permutation_matrix)
def permutation_matrix(pivots, m, like):
    return Blank((*pivots.shape[:-1], m, m), like.dtype)


@rule(linalg.matrix_exp)
def matrix_exp(x):
    return Blank(x.shape, x.dtype)


# Norms, running sums -------------------------------------------------------------------------------------------------------------------------


@rule(normalize._equal_throughout)
def _equal_throughout(variance, mean):
    return False


@rule(reductions.accumulate)
def accumulate(ufunc, x, axis):
    return ufunc.accumulate(x, axis, x.dtype)


# Pooling, indices ----------------------------------------------------------------------------------------------------------------


@rule(pooling._divisor)
def _divisor(space, out, kernel, stride, padding, include_pad, divisor):
    return 1


@rule(pooling.unpool)
def unpool(x, indices, space):
    return Blank((*x.shape[: x.ndim - len(space)], *space), x.dtype)


@rule(index_slices.bad_index)
def bad_index(index, n):
    return None


@rule(embedding.bags)
def bags(x, indices, offsets, w, mode, include_last, padding_idx):
    count, width = offsets.shape[0] - bool(include_last), x.shape[1]
    kept = Blank((count, width) if mode == embeddings.MAX else (count,), indices.dtype)
    return (
        Blank((count, width), x.dtype),
        Blank(indices.shape, indices.dtype),
        Blank((count,), indices.dtype),
        kept,
    )


@rule(masks.scatter_masked)
def scatter_masked(x, mask, y):
    return None


@rule(distances.PdistBackward0.forward)
def pdist(x, p):
    n = x.shape[-2]
    return Blank((*x.shape[:-2], n * (n - 1) // 2), x.dtype)


@rule(bins.histogram_of)
def histogram_of(x, bins, low, high):
    return Blank((bins,), x.dtype)


# Losses, distances ---------------------------------------------------------------------------------------------------------------


@rule(ctc.forward)
def forward(log_probs, classes, skips, input_lengths, target_lengths):
    return Blank(log_probs.shape[1:2], log_probs.dtype), Blank(
        (log_probs.shape[1], log_probs.shape[0], classes.shape[1]), log_probs.dtype
    )


# Random numbers, of which none are drawn -----------------------------------------------------------------------------------------


@rule(distributions.multinomial)
def multinomial(weights, n, replacement=False, generator=None):
    return Blank((*weights.shape[:-1], n), _INT64)


@rule(distributions.normal)
def normal(mean, std, generator=None):
    given = [x for x in (mean, std) if hasattr(x, "dtype")]
    return elementwise(given, given[0].dtype)


@rule(distributions.poisson)
def poisson(rate, generator=None):
    return _same(rate)


@rule(distributions.binomial)
def binomial(count, prob, generator=None):
    return elementwise([count, prob], count.dtype)


@rule(distributions.standard_gamma)
def standard_gamma(alpha, generator=None):
    return _same(alpha)


@rule(distributions.dirichlet)
def dirichlet(alpha, generator=None):
    return _same(alpha)


@rule(distributions.dropout_mask)
def dropout_mask(array, p, generator=None):
    return _same(array)


def _filled(array, *args, **kwargs):
    return array


for _name in (
    "fill_uniform", "fill_normal", "fill_bernoulli", "fill_exponential", "fill_geometric", "fill_cauchy", "fill_log_normal", "fill_random",
):  # fmt: skip
    replace(getattr(distributions, _name), _filled)
