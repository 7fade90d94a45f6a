"""Rows of a table: one for each index, or sums, means and maxima of bags of them."""

import numpy as np

from .._arrays.kernels import embedding as kernels
from .._base.composites import composite
from .._base.dtypes import FLOATING, dtype_name, scalar_type_name
from .._base.errors import integer, not_a_tensor, type_name
from .._core import (
    interpret,  # noqa: F401 (the slow path, which ops need as well)
    late,
)
from .._core.families import General, fast_classes, op
from .._core.inplace import may_write
from .._core.tensor import Tensor, bump, is_blank, wrap
from .._core.wrapped import beneath, elements, rewrap
from .batches import everywhere
from .choose import where
from .convert import of_np_dtype as astype
from .scalars import as_real
from .take import in_one_row

__all__ = ["embedding", "embedding_bag", "embedding_renorm_"]

SUM, MEAN, MAX = range(3)


def _check_indices(function, indices, name="indices"):
    if not isinstance(indices, Tensor):
        raise not_a_tensor(function, name, 2, indices)
    if indices.dtype.name not in ("int64", "int32"):
        raise RuntimeError(
            f"Expected tensor for argument #1 '{name}' to have one of the following scalar types: Long, Int; but got "
            f"torch.{dtype_name(indices._array)}Tensor instead (while checking arguments for {function})"
        )


def _check_plain(weight, indices):
    """Raise unless a sparse gradient is possible: not inside transforms, nor on ``meta``."""
    if any(x.__class__ not in fast_classes and (x._wrapped or x._is_meta or x._is_sparse) for x in (weight, indices)):
        raise NotImplementedError("sparse gradients inside of transforms, and on meta, are not supported: pass sparse=False, which gives a dense gradient")


# One row each ------------------------------------------------------------------------------------------------------------------


class EmbeddingBackward0(General):
    """z = the rows of x at ``indices``: (N, D), (...) -> (..., D).  Rows at ``padding_idx`` get no gradient."""
    linear = True
    operands, names, public = "x indices", {"x_shape": "weight_sym_argsize_0"}, "embedding"
    def batch(call, xs, batched, params, size):
        if not batched[0]: return call(*xs, *params)
        x, indices = everywhere(xs, batched, size)
        z = call(x.flatten(0, 1), in_one_row(indices, x.shape[1], size), -1, *params[1:])
        return z if params[0] < 0 else where((indices == params[0]).unsqueeze(-1), z.detach(), z)
    def forward(x, indices, padding_idx, scale_grad_by_freq, sparse): return kernels.rows(x, indices)
    def vjp_x(xp, g, indices, x_shape, padding_idx, scale_grad_by_freq):
        rows, index = xp.reshape(g, (-1, x_shape[1]) if g.shape[-1] else (0, 0)), xp.reshape(indices, (-1,))
        factors = xp.embedding_factors(index, padding_idx, scale_grad_by_freq, xp.as_array(g).dtype)
        return xp.add_slices(rows if factors is None else rows * factors, index, 0, x_shape)
    @property
    def _saved_weight_sym_argsize_0(self): return self.shapes[0][0]
_embedding = op(EmbeddingBackward0)


class EmbeddingFactors(General):
    """What each index's part of the gradient of ``embedding`` is multiplied by, as a column."""
    operands, public = "x", "embedding_factors"
    def batch(call, xs, batched, params, size):
        (x,), (padding_idx, by_frequency, dtype) = xs, params
        z = call(x.reshape(-1), padding_idx, False, dtype).reshape(size, -1, 1) if padding_idx >= 0 else None
        if not by_frequency: return z
        share = 1 / astype((x.unsqueeze(1) == x.unsqueeze(2)).sum(2, True), dtype)
        return share if z is None else z * share
    def forward(x, padding_idx, by_frequency, dtype): return kernels.factors(x, padding_idx, by_frequency, dtype)
_factors = op(EmbeddingFactors)


def embedding_factors(indices, padding_idx, by_frequency, dtype):
    """Like ``kernels.embedding.factors``, on Tensors."""
    return _factors(indices, padding_idx, by_frequency, dtype) if padding_idx >= 0 or by_frequency else None


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    """Look up rows of ``weight`` at ``indices``: (N, D), (...) -> (..., D); the row ``padding_idx`` gets no gradient.

    ``scale_grad_by_freq`` divides a row's gradient by the number of times it is looked up. Raises IndexError for an index out of range.

    >>> import minigrad
    >>> minigrad.embedding(minigrad.tensor([[1., 2.], [3., 4.]]), minigrad.tensor([1, 1]))
    tensor([[3., 4.],
            [3., 4.]])
    """
    if not isinstance(weight, Tensor):
        raise not_a_tensor("embedding", "weight", 1, weight)
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    _check_indices("embedding", indices)
    if sparse and weight.requires_grad:
        _check_plain(weight, indices)
        return late.sparse().embedding(weight, indices, padding_idx, scale_grad_by_freq)
    return _embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse)


def embedding_renorm_(input, indices, max_norm, norm_type):
    """Scale down, in place, those rows of ``input`` at ``indices`` whose norm exceeds ``max_norm``.

    >>> import minigrad
    >>> minigrad.embedding_renorm_(minigrad.tensor([[3., 4.]]), minigrad.tensor([0]), 1., 2.)
    tensor([[0.6000, 0.8000]])
    """
    _check_indices("embedding_renorm_", indices)
    if input.ndim != 2:
        raise RuntimeError("'self' must be 2-D")
    if input.dtype.category < FLOATING and indices.numel():
        raise RuntimeError(f"norm(): input dtype should be either floating point or complex. Got {scalar_type_name(input.dtype)} instead.")
    max_norm, norm_type = as_real(max_norm, "embedding_renorm_", "max_norm", 3), as_real(norm_type, "embedding_renorm_", "norm_type", 4)
    may_write(input)
    kernels.renorm(input._array, indices._array, max_norm, norm_type)
    bump(input)
    return input


# Bags of rows --------------------------------------------------------------------------------------------------------------------


def _inside(xp, bag, counts):
    """Each index's bag, for an index in no bag the last one."""
    return xp.clip(bag, 0, max(counts.shape[0] - 1, 0))


class BagFactors(General):
    """What each index's part of the gradient of ``embedding_bag`` is multiplied by, as a column."""
    operands, public = "x bag counts", "bag_factors"
    def forward(x, bag, counts, padding_idx, by_frequency, mode, dtype):
        return kernels.bag_factors(x, bag, counts, padding_idx, by_frequency, mode, dtype)
bag_factors = op(BagFactors)


class EmbeddingBagBackward0(General):
    """The sums (mode 0), means (1) or maxima (2) of bags of rows of x; for each index its bag; the bags' sizes; where the maxima are.

    (N, D), (n), offsets (B), weights (n) -> (B, D), (n), (B), (B, D) in mode 2, else (B).
    """
    operands, results, nondiff, optional_from = "x indices offsets w", "z result1 result2 result3", (1, 2, 3), 3
    names = {"x": "weight", "w": "per_sample_weights"}
    public = "embedding_bag"
    def forward(x, indices, offsets, w, scale_grad_by_freq, mode, sparse, include_last_offset, padding_idx):
        return kernels.bags(x, indices, offsets, w, mode, include_last_offset, padding_idx)
    def vjp_x(xp, g, x_shape, indices, w, result1, result2, result3, scale_grad_by_freq, mode, padding_idx):
        if mode == MAX:
            return xp.add_elements(xp.keep(g, result3 >= 0), xp.clip(result3, 0, max(x_shape[0] - 1, 0)), 0, x_shape)
        if not result2.shape[0]: return xp.zeros(x_shape, g)
        rows = xp.take_slices(g, _inside(xp, result1, result2), 0)
        if w is not None: rows = rows * xp.reshape(w, (-1, 1))
        factors = xp.bag_factors(indices, result1, result2, padding_idx, scale_grad_by_freq, mode, xp.as_array(g).dtype)
        return xp.add_slices(rows * factors, indices, 0, x_shape)
    def vjp_w(xp, g, x, indices, result1, result2, padding_idx):
        if not result2.shape[0]: return xp.zeros(indices.shape, g)
        z = xp.sum(xp.take_slices(g, _inside(xp, result1, result2), 0) * xp.take_slices(x, indices, 0), 1)
        return z * xp.bag_factors(indices, result1, result2, padding_idx, False, SUM, xp.as_array(g).dtype)[:, 0]
_embedding_bag = op(EmbeddingBagBackward0)


def embedding_bag(
    weight, indices, offsets, scale_grad_by_freq=False, mode=SUM, sparse=False, per_sample_weights=None,
    include_last_offset=False, padding_idx=None,
):
    """Reduce bags of rows of ``weight`` at ``indices``, which begin at ``offsets``, by their sum (``mode`` 0), mean (1) or maximum (2).

    Also returns the bag of each index, the sizes of the bags, and the indices of the maxima. Raises RuntimeError for offsets that do not
    fit, and for an index out of range.

    >>> import minigrad
    >>> minigrad.embedding_bag(minigrad.tensor([[1.], [2.]]), minigrad.tensor([0, 1, 1]), minigrad.tensor([0, 1]))[0]
    tensor([[1.],
            [4.]])
    """
    _check_indices("embedding_bag", indices)
    _check_indices("embedding_bag", offsets, "offsets")
    if not SUM <= integer(mode, "embedding_bag", "mode", 5) <= MAX:
        raise RuntimeError("`mode` must be sum, mean, or max.")
    if isinstance(weight, Tensor) and weight.ndim != 2:
        raise RuntimeError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.ndim}")
    if indices.ndim not in (1, 2):
        raise RuntimeError(f"input has to be a 1D or 2D Tensor, but got Tensor of dimension {indices.ndim}")
    if indices.ndim == 2:
        indices = indices.reshape(-1)
    if isinstance(weight, Tensor) and not weight.is_floating_point():
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, Float, Double; but got "
            f"torch.{dtype_name(weight._array)}Tensor instead (while checking arguments for embedding_bag)"
        )
    if offsets.ndim != 1:
        raise RuntimeError(f"offsets has to be a 1D Tensor, but got Tensor of dimension {offsets.ndim}")
    rows = weight.shape[0]
    if padding_idx is None:
        padding_idx = -1
    elif not -rows <= padding_idx < rows:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, {-rows} through {rows - 1}, but got {padding_idx}"
        )
    elif padding_idx < 0:
        padding_idx += rows
    if per_sample_weights is not None:
        if mode != SUM:
            raise RuntimeError("embedding_bag: per_sample_weights only supported with mode='sum'")
        if per_sample_weights.dtype is not weight.dtype:
            raise RuntimeError(
                "Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 'per_sample_weights'; but "
                f"type torch.{dtype_name(weight._array)}Tensor does not equal torch.{dtype_name(per_sample_weights._array)}"
                "Tensor (while checking arguments for embedding_bag)"
            )
    if offsets.numel():
        values = elements(offsets)
        first = last = 0  # on meta, where it is not known whether they fit
        if not is_blank(values):
            first, last = int(np.abs(values[..., 0]).max()), int(values[..., -1].max())
        if first != 0:
            raise RuntimeError(
                "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got "
                f"{first}"
            )
        if last > indices.numel():
            raise RuntimeError(
                f"offsets[-1] can not be greater than input's length {indices.numel()} but got offsets[-1] of {last}"
            )
    elif include_last_offset:
        raise RuntimeError("include_last_offset: number of offset should be at least 1")
    try:
        if sparse and mode != MAX:
            _check_plain(weight, indices)
            return late.sparse().embedding_bag(
                _embedding_bag, weight, indices, offsets, scale_grad_by_freq, mode, per_sample_weights, include_last_offset, padding_idx
            )
        return _embedding_bag(
            weight, indices, offsets, per_sample_weights, scale_grad_by_freq, mode, sparse, include_last_offset, padding_idx
        )
    except IndexError:
        raise _no_row(weight, indices, mode) from None


def _no_row(weight, indices, mode):
    """The error for the first of the indices that is no row of the weights."""
    rows, places = weight.shape[0], indices._array.reshape(-1)
    place = int(np.argmax((places < 0) | (places >= rows)))
    if mode == MAX or weight.dtype.name not in ("float32", "float16", "bfloat16"):
        return RuntimeError(f"embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {places[place]}")
    return RuntimeError(f"Index {place} of input takes value {places[place]} which is not in the valid range [0, {rows})")


# Ones ----------------------------------------------------------------------------------------------------------------------------


@composite
def one_hot(input, num_classes=-1):
    """Return one-hot vectors: for each class in ``input`` a 1 at its index, (...) -> (..., num_classes), of int64.

    Raises RuntimeError for dtypes other than int64, and for classes that are negative or too large.

    >>> import minigrad
    >>> minigrad.nn.functional.one_hot(minigrad.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    if isinstance(num_classes, bool | np.bool_):
        raise TypeError(f"one_hot(): argument 'num_classes' (position 2) must be int, not {type_name(num_classes)}")
    if input.dtype.name != "int64":
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    tensor, levels = beneath(input)
    if levels and num_classes == -1:
        raise RuntimeError("When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes argument.")
    index = tensor._array
    if not index.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
    elif index.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    elif num_classes == -1:
        num_classes = int(index.max()) + 1
    elif num_classes < 1 or index.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    if index.__class__ is not np.ndarray:  # without elements, on ``meta``
        return rewrap(wrap((index[..., None] == np.arange(num_classes)).astype(np.int64)), levels)
    out = np.zeros((*index.shape, num_classes), np.int64)
    np.put_along_axis(out, index[..., None], 1, -1)
    return rewrap(wrap(out), levels)
