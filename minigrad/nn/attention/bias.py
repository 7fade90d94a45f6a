"""Masks of causal attention that know that they are causal: ``causal_upper_left``, ``causal_lower_right``."""

import enum
import warnings
from collections.abc import Callable
from typing import Any, SupportsIndex

from ... import _api
from ..._api import Tensor, _lazy
from .. import attention as _attention
from .. import functional as _F
from ._checks import check_inputs

__all__ = ["causal_upper_left", "causal_lower_right", "CausalVariant", "CausalBias"]


class CausalVariant(enum.IntEnum):
    """Where the diagonal of a causal mask lies: it begins in the corner (UPPER_LEFT) or ends there (LOWER_RIGHT).

    For a square mask both are the same.

    >>> import minigrad
    >>> minigrad.nn.attention.bias.causal_lower_right(2, 3).variant.name
    'LOWER_RIGHT'
    """

    UPPER_LEFT = 1
    LOWER_RIGHT = 2


class CausalBias(Tensor):
    """A boolean mask (seq_len_q, seq_len_kv) for ``scaled_dot_product_attention`` that is true up to a diagonal.

    Other operators see the dense mask. LOWER_RIGHT with more queries than keys warns, because the first queries then see no key.

    >>> import minigrad
    >>> from minigrad.nn.attention.bias import CausalBias, CausalVariant
    >>> CausalBias(CausalVariant.UPPER_LEFT, 2, 3)
    tensor([[ True, False, False],
            [ True,  True, False]])
    """

    variant: Any
    seq_len_q: int
    seq_len_kv: int

    def __new__(cls, variant: Any, seq_len_q: Any, seq_len_kv: Any) -> Any:
        if not isinstance(variant, CausalVariant):
            raise AssertionError(f"variant must be a CausalVariant, got {type(variant).__name__}")
        if seq_len_q > seq_len_kv and variant is CausalVariant.LOWER_RIGHT:
            warnings.warn(
                "Lower right causal bias will produce NaNs in the output when seq_len_q > seq_len_kv! "
                "Here the output of a query without keys is 0",
                stacklevel=3,
            )
        offset = seq_len_kv - seq_len_q if variant is CausalVariant.LOWER_RIGHT else 0
        allowed = _api.ones(seq_len_q, seq_len_kv, dtype=_api._dtypes.bool_).tril(offset)
        return Tensor._make_subclass(cls, allowed)

    def __init__(self, variant: Any, seq_len_q: int, seq_len_kv: int) -> None:
        self.variant, self.seq_len_q, self.seq_len_kv = variant, seq_len_q, seq_len_kv

    def __deepcopy__(self, memo: Any) -> Any:
        return type(self)(self.variant, self.seq_len_q, self.seq_len_kv)

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return type(self), (self.variant, self.seq_len_q, self.seq_len_kv)

    def _materialize(self, device=None):
        """The mask as a plain tensor."""
        return self.as_subclass(Tensor)

    def __repr__(self) -> str:
        return repr(self._materialize())

    @staticmethod
    def _dispatch(query, key, value, attn_mask, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        """Attention with this mask: ``is_causal`` where that means the same."""
        if is_causal:
            raise ValueError("CausalBias should not be used with causal=True")
        options = {"dropout_p": dropout_p, "scale": scale, "enable_gqa": enable_gqa}
        from_upper_left = attn_mask.variant is CausalVariant.UPPER_LEFT
        if from_upper_left or attn_mask.seq_len_q == attn_mask.seq_len_kv:
            return _F.scaled_dot_product_attention(query, key, value, is_causal=True, **options)
        check_inputs(query, key, value)
        if _attention.WARN_FOR_UNFUSED_KERNELS:
            warnings.warn("Efficient attention can't be used because: it needs CUDA", stacklevel=2)
            warnings.warn(
                "Flash attention can't be used because: it takes no mask of this kind", stacklevel=2
            )
        return _F.scaled_dot_product_attention(query, key, value, attn_mask._materialize(), **options)

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if func is _F.scaled_dot_product_attention:
            return cls._dispatch(*args, **(kwargs or {}))
        found = super().__torch_function__(func, types, args, kwargs)
        return (
            found.as_subclass(Tensor) if isinstance(found, cls) and func is not Tensor.as_subclass else found
        )


def causal_upper_left(*size: Any) -> Any:
    """Return the causal mask ``ones(size).tril()``, equivalent to ``is_causal=True``; raise AssertionError unless ``size`` has two elements.

    >>> import minigrad
    >>> minigrad.nn.attention.bias.causal_upper_left(2, 3)
    tensor([[ True, False, False],
            [ True,  True, False]])
    """
    return _two_dimensional("causal_upper_left", CausalVariant.UPPER_LEFT, size)


def causal_lower_right(*size: Any) -> Any:
    """Return the causal mask whose diagonal ends in the lower right corner, so that the last query sees all keys.

    Raises AssertionError unless ``size`` has two elements.

    >>> import minigrad
    >>> minigrad.nn.attention.bias.causal_lower_right(2, 3)
    tensor([[ True,  True, False],
            [ True,  True,  True]])
    """
    return _two_dimensional("causal_lower_right", CausalVariant.LOWER_RIGHT, size)


def _two_dimensional(function, variant, size):
    if len(size) != 2:
        raise AssertionError(f"{function} only supports 2D tensors")
    return CausalBias(variant, *size)


_lazy.publish_all(globals())
