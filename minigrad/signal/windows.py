"""Window functions: symmetric ones, or with ``sym=False`` periodic ones, which are symmetric but for their last element.

All are tensors of shape (M,) in ``dtype``, float32 or float64, else they raise ValueError; so they do for a negative M.
"""

import math
from collections.abc import Iterable
from typing import Any

from .._api import Tensor, cos, empty, exp, get_default_dtype, i0, linspace, ones, sin, sqrt, strided
from .._base.device import device as _device
from .._base.device import layout as _layout
from .._base.dtypes import dtype as _dtype
from .._base.dtypes import float32, float64

__all__ = [
    "bartlett",
    "blackman",
    "cosine",
    "exponential",
    "gaussian",
    "general_cosine",
    "general_hamming",
    "hamming",
    "hann",
    "kaiser",
    "nuttall",
]


def _check(name, M, dtype, layout):
    """The dtype of a window; raises ValueError for what no window has, of which PyTorch tells before it tells of a window's own parameters."""
    if dtype is None:
        dtype = get_default_dtype()
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    if dtype not in (float32, float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    return dtype


def _made(name, M, formula, first, last, sym, dtype, layout, device, requires_grad):
    """The window whose elements are ``formula(places)``, M places from ``first`` to ``last``, both given how many steps there are."""
    dtype = _check(name, M, dtype, layout)
    options = {"dtype": dtype, "layout": layout, "device": device, "requires_grad": requires_grad}
    if M == 0:
        return empty((0,), **options)
    if M == 1:
        return ones((1,), **options)
    steps = M - 1 if sym else M
    start = first(steps)
    step = (last(steps) - start) / steps
    return formula(linspace(start, start + (M - 1) * step, M, **options))


def exponential(
    M: int,
    *,
    center: float | None = None,
    tau: float = 1.0,
    sym: bool = True,
    dtype: _dtype | None = None,
    layout: _layout = strided,
    device: _device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Compute ``exp(-|n - center| / tau)``: (M,); the center is the middle, if it is not given, which it may be for periodic windows only.

    >>> import minigrad
    >>> minigrad.signal.windows.exponential(3)
    tensor([0.3679, 1.0000, 0.3679])
    """
    _check("exponential", M, dtype, layout)
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")

    def first(steps):
        return (-steps / 2 if center is None else -center) / tau

    return _made(
        "exponential",
        M,
        lambda t: exp(-t.abs()),
        first,
        lambda steps: first(steps) + steps / tau,
        sym,
        dtype,
        layout,
        device,
        requires_grad,
    )


def cosine(
    M: int,
    *,
    sym: bool = True,
    dtype: _dtype | None = None,
    layout: _layout = strided,
    device: _device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Half a period of the sine, sampled between its zeros: (M,).

    >>> import minigrad
    >>> minigrad.signal.windows.cosine(3)
    tensor([0.5000, 1.0000, 0.5000])
    """

    def first(steps):
        return 0.5 * math.pi / (steps + 1)

    return _made(
        "cosine",
        M,
        sin,
        first,
        lambda steps: math.pi - first(steps),
        sym,
        dtype,
        layout,
        device,
        requires_grad,
    )


def gaussian(
    M: int,
    *,
    std: float = 1.0,
    sym: bool = True,
    dtype: _dtype | None = None,
    layout: _layout = strided,
    device: _device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Compute ``exp(-(n - center)² / (2 std²))``: (M,).

    >>> import minigrad
    >>> minigrad.signal.windows.gaussian(3)
    tensor([0.6065, 1.0000, 0.6065])
    """
    _check("gaussian", M, dtype, layout)
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    scale = 1 / (std * math.sqrt(2))
    return _made(
        "gaussian",
        M,
        lambda t: exp(-(t * t)),
        lambda steps: -steps / 2 * scale,
        lambda steps: steps / 2 * scale,
        sym,
        dtype,
        layout,
        device,
        requires_grad,
    )


def kaiser(
    M: int,
    *,
    beta: float = 12.0,
    sym: bool = True,
    dtype: _dtype | None = None,
    layout: _layout = strided,
    device: _device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """``I₀(beta √(1 - t²)) / I₀(beta)`` for t from -1 to 1: (M,).

    >>> import minigrad
    >>> minigrad.signal.windows.kaiser(3)[1]
    tensor(1.)
    """
    _check("kaiser", M, dtype, layout)
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    beta = float(beta)

    def formula(t):
        inside = (beta * beta - t * t).clamp(min=0)  # rounding may lead out of the domain
        return i0(sqrt(inside)) / i0(ones((), dtype=t.dtype) * beta)

    return _made(
        "kaiser",
        M,
        formula,
        lambda steps: -beta,
        lambda steps: beta,
        sym,
        dtype,
        layout,
        device,
        requires_grad,
    )


def bartlett(
    M: int,
    *,
    sym: bool = True,
    dtype: _dtype | None = None,
    layout: _layout = strided,
    device: _device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a triangle from 0 to 1 and back: (M,).

    >>> import minigrad
    >>> minigrad.signal.windows.bartlett(3)
    tensor([0., 1., 0.])
    """
    return _made(
        "bartlett",
        M,
        lambda t: 1 - t.abs(),
        lambda steps: -1.0,
        lambda steps: 1.0,
        sym,
        dtype,
        layout,
        device,
        requires_grad,
    )


def general_cosine(
    M: Any,
    *,
    a: Iterable[Any],
    sym: bool = True,
    dtype: _dtype | None = None,
    layout: _layout = strided,
    device: _device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """``a[0] - a[1] cos(2πt) + a[2] cos(4πt) - ...`` for t from 0 to 1: (M,).

    Raises TypeError unless ``a`` is a sequence, ValueError if it is empty.

    >>> import minigrad
    >>> minigrad.signal.windows.general_cosine(3, a=[0.5, 0.5])
    tensor([0., 1., 0.])
    """
    return _cosines("general_cosine", M, a, sym, dtype, layout, device, requires_grad)


def _cosines(name, M, a, sym, dtype, layout, device, requires_grad):
    def formula(t):
        if not hasattr(a, "__iter__"):
            raise TypeError("Coefficients must be a list/tuple")
        if not a:
            raise ValueError("Coefficients cannot be empty")
        z = t * 0 + a[0]
        for k, coefficient in enumerate(a[1:], 1):
            z = z + cos(t * k) * (coefficient if k % 2 == 0 else -coefficient)
        return z

    return _made(
        name,
        M,
        formula,
        lambda steps: 0.0,
        lambda steps: 2 * math.pi,
        sym,
        dtype,
        layout,
        device,
        requires_grad,
    )


def general_hamming(
    M: Any,
    *,
    alpha: float = 0.54,
    sym: bool = True,
    dtype: _dtype | None = None,
    layout: _layout = strided,
    device: _device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """``alpha - (1 - alpha) cos(2πt)`` for t from 0 to 1: (M,).

    >>> import minigrad
    >>> minigrad.signal.windows.general_hamming(3)
    tensor([0.0800, 1.0000, 0.0800])
    """
    a = [alpha, 1.0 - alpha]
    return _cosines("general_cosine", M, a, sym, dtype, layout, device, requires_grad)


def _with_coefficients(name, what, a, named="general_cosine"):
    def window(
        M: int,
        *,
        sym: bool = True,
        dtype: _dtype | None = None,
        layout: _layout = strided,
        device: _device | None = None,
        requires_grad: bool = False,
    ) -> Tensor:
        return _cosines(named, M, a, sym, dtype, layout, device, requires_grad)

    window.__name__ = window.__qualname__ = name
    window.__doc__ = f"""Return {what} of M points: ``general_cosine`` with the coefficients {a}.

    >>> import minigrad
    >>> minigrad.signal.windows.{name}(5).shape
    torch.Size([5])
    """
    return window


blackman: Any = _with_coefficients("blackman", "the Blackman window", [0.42, 0.5, 0.08], "blackman")
hamming: Any = _with_coefficients("hamming", "the Hamming window", [0.54, 0.46])
hann: Any = _with_coefficients("hann", "the Hann window", [0.5, 0.5])
nuttall: Any = _with_coefficients(
    "nuttall", "the Nuttall window", [0.3635819, 0.4891775, 0.1365995, 0.0106411]
)
