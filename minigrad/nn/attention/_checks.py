"""What the functions of this package ask of query, key and value before they compute."""

from typing import Any

from ..._api import Tensor


def check_inputs(query: Tensor, key: Tensor, value: Any, mixed_dtypes: bool = False) -> None:
    """Raise ValueError unless they have one dtype, one device and at least two dimensions."""
    if not mixed_dtypes and not query.dtype is key.dtype is value.dtype:
        raise ValueError(
            "Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{query.dtype}, key.dtype: {key.dtype}, and value.dtype: {value.dtype} instead."
        )
    if min(query.dim(), key.dim(), value.dim()) < 2:
        raise ValueError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{query.dim()}, key.dim: {key.dim()} and value.dim: {value.dim()} instead."
        )


def check_heads(heads: Any, of_key: Any, enable_gqa: Any) -> None:
    """Raise ValueError unless the heads of key and value fit those of the query."""
    if not enable_gqa and heads != of_key:
        raise ValueError(
            "Expect query and key/value to have the same number of heads "
            f"but got Hq={heads} and Hkv={of_key}. Try setting enable_gqa=True for GQA."
        )
    if enable_gqa and heads % of_key:
        raise ValueError(
            "Expect number of query heads to be a multiple of kv heads for GQA "
            f"but got Hq={heads} and Hkv={of_key}."
        )
