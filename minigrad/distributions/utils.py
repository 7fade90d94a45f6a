"""What distributions share: parameters of one shape, probabilities and their logits, triangles as vectors, attributes computed when first asked for."""

import math
from functools import update_wrapper
from typing import Any

from .._api import (
    Tensor,
    arange,
    broadcast_tensors,
    cat,
    enable_grad,
    finfo,
    full,
    get_default_dtype,
    log,
    log1p,
    randn,
    sigmoid,
    softmax,
    tensor,
    tril_indices,
)
from .._base.errors import type_name

__all__ = [
    "broadcast_all",
    "clamp_probs",
    "lazy_property",
    "logits_to_probs",
    "probs_to_logits",
    "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]

euler_constant: float = 0.5772156649015329
NUMBERS = (bool, int, float)


# Parameters --------------------------------------------------------------------------------------------------


def _tensor_like(value):
    return isinstance(value, Tensor) or hasattr(type(value), "__torch_function__")


def broadcast_all(*values: Tensor | int | float | bool) -> tuple[Tensor, ...]:
    """Broadcast numbers and tensors to one shape; a number takes the dtype of the first tensor, or the default dtype if there is none.

    Raises ValueError for anything else, RuntimeError for shapes that do not broadcast.

    >>> import minigrad
    >>> minigrad.distributions.utils.broadcast_all(1., minigrad.zeros(2))
    (tensor([1., 1.]), tensor([0., 0.]))
    """
    for value in values:
        if not _tensor_like(value) and not isinstance(value, NUMBERS):
            raise ValueError(
                "Input arguments must all be instances of Number, torch.Tensor or objects implementing "
                f"__torch_function__. Got {type_name(value)}."
            )
    first = next((value for value in values if isinstance(value, Tensor)), None)
    dtype = get_default_dtype() if first is None else first.dtype
    return tuple(broadcast_tensors(*[v if _tensor_like(v) else tensor(v, dtype=dtype) for v in values]))  # type: ignore[arg-type]


def _standard_normal(shape, dtype, device):
    """Normal numbers of mean 0 and variance 1."""
    return randn(shape, dtype=dtype, device=device)


def _sum_rightmost(value, dim):
    """The sum over the last ``dim`` dimensions."""
    return value.reshape(*value.shape[:-dim], -1).sum(-1) if dim else value


# Probabilities -----------------------------------------------------------------------------------------------


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Convert ``logits`` of any shape to probabilities: each on its own if ``is_binary``, else over the last dimension.

    >>> import minigrad
    >>> minigrad.distributions.utils.logits_to_probs(minigrad.zeros(4))
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """
    return sigmoid(logits) if is_binary else softmax(logits, dim=-1)


def clamp_probs(probs: Tensor) -> Tensor:
    """Clamp probabilities of any shape to [eps, 1 - eps], with the ``eps`` of their dtype.

    >>> import minigrad
    >>> minigrad.distributions.utils.clamp_probs(minigrad.tensor([0., 0.5]))
    tensor([1.1921e-07, 5.0000e-01])
    """
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Convert probabilities of any shape to finite logits: log odds if ``is_binary``, else logarithms.

    >>> import minigrad
    >>> minigrad.distributions.utils.probs_to_logits(minigrad.tensor([0.5, 1.]), is_binary=True)
    tensor([ 0.0000, 15.9424])
    """
    kept = clamp_probs(probs)
    return log(kept) - log1p(-kept) if is_binary else log(kept)


# Attributes --------------------------------------------------------------------------------------------------


class lazy_property:
    """A property that is computed with gradients on first access, then cached as an attribute.

    >>> import minigrad
    >>> class Square:
    ...     @minigrad.distributions.utils.lazy_property
    ...     def area(self):
    ...         print("computed")
    ...         return 4
    >>> square = Square()
    >>> square.area, square.area
    computed
    (4, 4)
    """

    def __init__(self, wrapped: Any) -> None:
        self.wrapped = wrapped
        update_wrapper(self, wrapped)  # type: ignore[arg-type]

    def __get__(self, instance: Any, obj_type: Any = None) -> Any:
        if instance is None:
            return _lazy_property_and_property(self.wrapped)
        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


class _lazy_property_and_property(lazy_property, property):
    """What a class has for a lazy property: to those who document it, a property."""

    def __init__(self, wrapped: Any) -> None:
        property.__init__(self, wrapped)


# Triangles ---------------------------------------------------------------------------------------------------


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """Return the elements on and below the diagonal ``diag`` of square matrices, row by row: (..., n, n) -> (..., k).

    Raises ValueError for a diagonal out of range.

    >>> import minigrad
    >>> minigrad.distributions.utils.tril_matrix_to_vec(minigrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 3, 4])
    """
    n = mat.shape[-1]
    if not -n <= diag < n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    rows, columns = tril_indices(n, n, diag)
    return mat[..., rows, columns]


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """Return square matrices with the elements of ``vec`` on and below the diagonal ``diag``, row by row: (..., k) -> (..., n, n).

    Raises ValueError for a ``k`` that does not fill such a triangle.

    >>> import minigrad
    >>> minigrad.distributions.utils.vec_to_tril_matrix(minigrad.tensor([1., 3., 4.]))
    tensor([[1., 0.],
            [3., 4.]])
    """
    length = vec.shape[-1]
    # k = n (n + 1 + 2 diag) / 2 less the corner that a diagonal off the middle cuts away, solved for n
    square = (1 + 2 * diag) ** 2 + 4 * abs(diag) * (diag + 1) + 8 * length
    root = math.isqrt(square)
    if root * root != square:
        raise ValueError(
            f"The size of last dimension is {length} which cannot be expressed as the lower triangular part of a square "
            "D x D matrix."
        )
    n = (root - 1 - 2 * diag) // 2
    place = full((n, n), length)  # of the zero behind the elements
    rows, columns = tril_indices(n, n, diag)
    place[rows, columns] = arange(length)
    return cat([vec, vec.new_zeros((*vec.shape[:-1], 1))], -1)[..., place]
