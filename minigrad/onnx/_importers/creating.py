"""Tensors out of nothing: constants, ranges, random numbers and windows."""

import math
from typing import Any

from ... import _api as mg
from ..._base import dtypes
from .._element_types import dtype_of
from ._values import ints, number


def Constant(
    *,
    value: Any = None,
    sparse_value: Any = None,
    value_float: Any = None,
    value_floats: Any = None,
    value_int: Any = None,
    value_ints: Any = None,
) -> Any:
    for given in (value, sparse_value):
        if given is not None:
            return given
    if value_float is not None or value_floats is not None:
        return mg.tensor(value_float if value_floats is None else value_floats, dtype=dtypes.float32)
    return mg.tensor(value_int if value_ints is None else value_ints, dtype=dtypes.int64)


def ConstantOfShape(shape: Any, *, value: Any = None) -> Any:
    if value is None:
        return mg.zeros(ints(shape), dtype=dtypes.float32)
    return mg.full(ints(shape), value.item(), dtype=value.dtype)


def Range(start: Any, limit: Any, delta: Any, *, stash_type: int = 1) -> Any:
    first, step = start.item(), delta.item()
    count = max(math.ceil((limit.item() - first) / step), 0)
    if start.is_floating_point():
        return (mg.arange(count, dtype=dtypes.float64) * step + first).to(start.dtype)
    return mg.arange(count, dtype=start.dtype) * step + first


def EyeLike(x: Any, *, dtype: Any = None, k: int = 0) -> Any:
    ones = mg.ones(x.shape, dtype=x.dtype if dtype is None else dtype_of(dtype))
    return mg.triu(mg.tril(ones, k), k)


def RandomNormal(
    *, shape: Any, dtype: int = 1, mean: float = 0.0, scale: float = 1.0, seed: Any = None
) -> Any:
    return mean + scale * mg.randn(shape, dtype=dtype_of(dtype), generator=_generator(seed))


def RandomNormalLike(
    x: Any, *, dtype: Any = None, mean: float = 0.0, scale: float = 1.0, seed: Any = None
) -> Any:
    return mean + scale * mg.randn(
        x.shape, dtype=x.dtype if dtype is None else dtype_of(dtype), generator=_generator(seed)
    )


def RandomUniform(
    *, shape: Any, dtype: int = 1, low: float = 0.0, high: float = 1.0, seed: Any = None
) -> Any:
    return low + (high - low) * mg.rand(shape, dtype=dtype_of(dtype), generator=_generator(seed))


def RandomUniformLike(
    x: Any, *, dtype: Any = None, low: float = 0.0, high: float = 1.0, seed: Any = None
) -> Any:
    return low + (high - low) * mg.rand(
        x.shape, dtype=x.dtype if dtype is None else dtype_of(dtype), generator=_generator(seed)
    )


def Bernoulli(x: Any, *, dtype: Any = None, seed: Any = None) -> Any:
    return mg.bernoulli(x, generator=_generator(seed)).to(x.dtype if dtype is None else dtype_of(dtype))


def Multinomial(x: Any, *, dtype: int = 6, sample_size: int = 1, seed: Any = None) -> Any:
    return mg.multinomial(mg.softmax(x, 1), sample_size, replacement=True, generator=_generator(seed)).to(
        dtype_of(dtype)
    )


def _generator(seed):
    """A generator of its own for a node that has a seed: the same numbers each time."""
    return None if seed is None else mg.Generator().manual_seed(int(seed))


def HannWindow(size: Any, *, output_datatype: int = 1, periodic: int = 1) -> Any:
    return mg.hann_window(int(number(size)), bool(periodic), dtype=dtype_of(output_datatype))


def HammingWindow(size: Any, *, output_datatype: int = 1, periodic: int = 1) -> Any:
    return mg.hamming_window(
        int(number(size)), bool(periodic), 25 / 46, 21 / 46, dtype=dtype_of(output_datatype)
    )


def BlackmanWindow(size: Any, *, output_datatype: int = 1, periodic: int = 1) -> Any:
    return mg.blackman_window(int(number(size)), bool(periodic), dtype=dtype_of(output_datatype))


def MelWeightMatrix(
    num_mel_bins: Any,
    dft_length: Any,
    sample_rate: Any,
    lower_edge_hertz: Any,
    upper_edge_hertz: Any,
    *,
    output_datatype: int = 1,
) -> Any:
    bins, rate = int(number(num_mel_bins)), number(sample_rate)
    rows = int(number(dft_length)) // 2 + 1
    low, high = (2595 * math.log10(1 + number(edge) / 700) for edge in (lower_edge_hertz, upper_edge_hertz))
    mel = mg.arange(bins + 2, dtype=dtypes.float32) * ((high - low) / (bins + 2)) + low
    edges = mg.floor((int(number(dft_length)) + 1) * (700 * (10 ** (mel / 2595) - 1)) / rate).to(dtypes.int64)
    left, middle, right = edges[:-2], edges[1:-1], edges[2:]
    places = mg.arange(rows).unsqueeze(1)
    rising = (places - left) / (middle - left)
    falling = (right - places) / (right - middle)
    weights = mg.where((places >= left) & (places < middle), rising, 0.0)
    weights = mg.where((places >= middle) & (places < right), falling, weights)
    weights = mg.where(places == middle, 1.0, weights)
    return weights.to(dtype_of(output_datatype))
