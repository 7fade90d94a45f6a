"""Dropout: elements, or whole channels, set to zero (or, with ``alpha``, to what keeps mean and variance) at random."""

import math

import numpy as np

from .._arrays.copies import like
from .._arrays.random import distributions
from .._base.composites import composite
from .._base.dtypes import bool_, scalar_type_name
from .._base.errors import type_name
from .._core import late
from .._core.families import General, op
from .._core.modes import thread_state
from .._core.tensor import wrap
from .._core.wrapped import rewrap
from .arithmetic import add, add_, mul, mul_
from .batches import pointwise
from .create import array_like, empty_like, ones_like
from .drawing import apart, sizes_of

__all__ = [
    "alpha_dropout", "alpha_dropout_", "dropout", "dropout_", "feature_alpha_dropout",
    "feature_alpha_dropout_", "feature_dropout", "feature_dropout_", "native_dropout",
]

ALPHA = 1.7580993408473766  # minus the limit of selu at minus infinity


def _check(name, p, train):
    if train.__class__ is not bool:
        raise TypeError(f"{name}(): argument 'train' (position 3) must be bool, not {type_name(train)}")
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")


def _channels(input, samples):
    if input.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return np.empty((*samples, *input.shape[:2], *[1] * (input.ndim - 2)), input.dtype.np)


def _drop(input, p, train, multiply, noise_like, name):
    _check(name, p, train)
    elements = input._array.size  # at once: what is no tensor has none
    if p == 0 or not train or not elements:
        return input
    if p == 1:
        return multiply(input, wrap(np.zeros((), input.dtype.np)))
    if input.is_meta:
        if not (input.is_floating_point() or input.is_complex()):
            raise RuntimeError(
                f"result type torch.float32 can't be cast to the desired output type {input.dtype}"
            )
        return multiply(input, _mask_on_meta(input, p, noise_like))
    levels = apart() if thread_state.levels else ()
    mask = wrap(distributions.dropout_mask(noise_like(input, sizes_of(levels)), p))
    return multiply(input, rewrap(mask, levels))


def _mask_on_meta(input, p, noise_like):
    return late.meta().without_elements(_mask, input, p, noise_like)


def _mask(input, p, noise_like):
    return wrap(distributions.dropout_mask(noise_like(input, ()), p))


def _alpha_drop(input, p, train, multiply, plus, noise_like, name):
    _check(name, p, train)
    elements = input._array.size  # at once: what is no tensor has none
    if p == 0 or not train or not elements:
        return input
    if p == 1:
        return multiply(input, wrap(np.zeros((), input.dtype.np)))
    if input.is_meta:
        mask = _mask_on_meta(input, p, noise_like)
        return plus(multiply(input, mask), mask)
    levels = apart() if thread_state.levels else ()
    kept = distributions.fill_bernoulli(like(noise_like(input, sizes_of(levels))), None, 1 - p)
    if kept.dtype.kind in "iub":
        name = "Long" if kept.dtype.kind == "b" else scalar_type_name(input.dtype)
        raise RuntimeError(f"result type Float can't be cast to the desired output type {name}")
    scale = 1 / math.sqrt((ALPHA * ALPHA * p + 1) * (1 - p))
    cast = kept.dtype.type
    shift = (kept - cast(1)) * cast(ALPHA * scale) + cast(ALPHA * scale * p)
    return plus(multiply(input, rewrap(wrap(kept * cast(scale)), levels)), rewrap(wrap(shift), levels))


def _elements(input, samples):
    if thread_state.levels or not input._array.flags.forc:  # elements may share memory, and are dropped one by one
        return array_like("dropout", input, None, None, samples=samples)
    return input._array


@composite
def dropout(input, p, train):
    """Set elements to zero with probability ``p``, and scale the others by ``1 / (1 - p)``; return ``input`` itself unless ``train``.

    Raises RuntimeError if ``p`` is not a probability.

    >>> import minigrad
    >>> minigrad.dropout(minigrad.ones(2), 0.5, False)
    tensor([1., 1.])
    """
    return _drop(input, p, train, mul, _elements, "dropout")


def dropout_(input, p, train):
    """In-place version of ``dropout``.

    >>> import minigrad
    >>> minigrad.dropout_(minigrad.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
    return _drop(input, p, train, mul_, _elements, "dropout_")


@composite
def feature_dropout(input, p, train):
    """Apply ``dropout`` to whole channels of ``(N, C, ...)``.

    >>> import minigrad
    >>> x = minigrad.feature_dropout(minigrad.ones(1, 9, 2), 0.5, True)
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """
    return _drop(input, p, train, mul, _channels, "feature_dropout")


def feature_dropout_(input, p, train):
    """In-place version of ``feature_dropout``.

    >>> import minigrad
    >>> minigrad.feature_dropout_(minigrad.ones(1, 1, 2), 0.5, train=False)
    tensor([[[1., 1.]]])
    """
    return _drop(input, p, train, mul_, _channels, "feature_dropout_")


@composite
def alpha_dropout(input, p, train):
    """Apply dropout for networks with ``selu``: dropped elements take its lower limit, and mean and variance are preserved.

    >>> import minigrad
    >>> minigrad.alpha_dropout(minigrad.ones(2), 0.5, False)
    tensor([1., 1.])
    """
    return _alpha_drop(input, p, train, mul, add, _elements, "alpha_dropout")


def alpha_dropout_(input, p, train):
    """In-place version of ``alpha_dropout``.

    >>> import minigrad
    >>> minigrad.alpha_dropout_(minigrad.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
    return _alpha_drop(input, p, train, mul_, add_, _elements, "alpha_dropout_")


def feature_alpha_dropout(input, p, train):
    """Apply ``alpha_dropout`` to whole channels of ``(N, C, ...)``.

    >>> import minigrad
    >>> minigrad.feature_alpha_dropout(minigrad.ones(1, 3, 2), 0.5, True).shape
    torch.Size([1, 3, 2])
    """
    return _alpha_drop(input, p, train, mul, add, _channels, "feature_alpha_dropout")


def feature_alpha_dropout_(input, p, train):
    """In-place version of ``feature_alpha_dropout``.

    >>> import minigrad
    >>> minigrad.feature_alpha_dropout_(minigrad.ones(1, 1, 2), 0.5, train=False)
    tensor([[[1., 1.]]])
    """
    return _alpha_drop(input, p, train, mul_, add_, _channels, "feature_alpha_dropout_")


class NativeDropoutBackward0(General):
    """z = x mask / (1 - p), or x itself unless ``train``."""
    batch = pointwise
    operands, names, public = "x mask", {"x": "input", "mask": "result1"}, "native_dropout"
    def forward(x, mask, p, train):     return x * mask * x.dtype.type(_scale(p)) if train else x.copy(order="K")
    def vjp_x(xp, g, mask, p, train):   return g * mask * _scale(p) if train else g * mask
_native_dropout = op(NativeDropoutBackward0)


def _scale(p):
    return 0.0 if p == 1 else 1 / (1 - p)


def _kept(input, p):
    levels = apart() if thread_state.levels else ()
    kept = distributions.fill_bernoulli(like(_elements(input, sizes_of(levels))), None, 1 - p)
    return rewrap(wrap(kept != 0), levels)


def native_dropout(input, p, train):
    """Set elements to zero with probability ``p``, and scale the others by ``1 / (1 - p)``; also return which have been kept.

    ``train=None`` means True; with False, all elements are kept. Raises RuntimeError if ``p`` is not a probability, or for integers.

    >>> import minigrad
    >>> minigrad.native_dropout(minigrad.ones(2), 0.5, False)
    (tensor([1., 1.]), tensor([True, True]))
    """
    if not input.numel():
        return input, empty_like(input)
    if train is False:
        return _native_dropout(input, ones_like(input, dtype=bool_), 0.0, False), ones_like(input, dtype=bool_)
    mask = late.meta().without_elements(_kept, input, p) if input.is_meta else _kept(input, p)
    if not (input.is_floating_point() or input.is_complex()):
        name = scalar_type_name(input.dtype)
        raise RuntimeError(f"result type Float can't be cast to the desired output type {name}")
    return _native_dropout(input, mask, p, True), mask
