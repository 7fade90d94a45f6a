"""Embeddings: what ``nn.functional`` checks and prepares before the operators do their work."""

import warnings

from ..._api import Tensor, _level_of_user, arange
from ..._api import embedding as _embedding
from ..._api import embedding_bag as _embedding_bag
from ..._api import embedding_renorm_ as _embedding_renorm_

_MODES = {"sum": 0, "mean": 1, "max": 2}


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Look up rows of ``weight`` at the indices ``input``: (...), (N, D) -> (..., D); the row ``padding_idx`` gets no gradient.

    ``max_norm`` first scales down the looked-up rows of ``weight`` itself whose norm is greater; ``scale_grad_by_freq`` divides a row's
    gradient by the number of times it is looked up. With ``sparse`` the gradient of ``weight`` is sparse. Raises IndexError for an index
    out of range.

    >>> import minigrad
    >>> minigrad.nn.functional.embedding(minigrad.tensor([1]), minigrad.tensor([[1., 2.], [3., 4.]]))
    tensor([[3., 4.]])
    """
    if padding_idx is None:
        padding_idx = -1
    else:
        n = weight.size(0)
        if not -n <= padding_idx < n:
            raise AssertionError("Padding_idx must be within num_embeddings")
        if padding_idx < 0:
            padding_idx += n
    if max_norm is not None:
        _embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    return _embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """Reduce bags of rows of ``weight`` by their sum, mean or maximum (``mode``): (B, n), (N, D) -> (B, D), or (n) with ``offsets`` (B).

    With ``sparse`` the gradient of ``weight`` is sparse. Raises ValueError for arguments that do not fit, IndexError for an index out of range.

    >>> import minigrad
    >>> minigrad.nn.functional.embedding_bag(minigrad.tensor([[0, 1]]), minigrad.tensor([[1.], [2.]]))
    tensor([[1.5000]])
    """
    if input.is_floating_point() and not weight.is_floating_point():
        warnings.warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is deprecated, and "
            "should now be `embedding_bag(input, weight, ...)`.",
            stacklevel=_level_of_user(),
        )
        input, weight = weight, input
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the same shape as the "
            f"input ({input.shape})"
        )
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None: each row is a bag, and all bags have the same length. "
                f"However, found offsets of type {type(offsets)}"
            )
        bags, length = input.size()
        offsets = arange(0, bags * length, length, dtype=input.dtype)
        include_last_offset = False
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif input.dim() != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    elif offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    elif offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    if mode not in _MODES:
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if max_norm is not None:
        _embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got "
            f"mode='{mode}')."
        )
    return _embedding_bag(
        weight,
        input,
        offsets,
        scale_grad_by_freq,
        _MODES[mode],
        sparse,
        per_sample_weights,
        include_last_offset,
        padding_idx,
    )[0]
