"""Muon: steps of the mean gradient made orthogonal, for matrices."""

import math
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

import numpy as np

from .._api import Tensor, _dtypes, _lazy, tensor, zeros_like
from ._direct import direct
from ._formula import FormulaOptimizer, check_rate, counter, functional

__all__ = ["Muon"]

#: How much longer the steps of a matrix are, from its numbers of rows and columns.
RATIOS: dict[str | None, Callable[..., Any]] = {
    "original": lambda rows, columns: math.sqrt(max(1, rows / columns)),
    "match_rms_adamw": lambda rows, columns: 0.2 * math.sqrt(max(rows, columns)),
}
RATIOS[None] = RATIOS["original"]


class Muon(FormulaOptimizer):
    """The Muon optimizer for matrices: steps along an orthogonalised mean gradient.

    ``p -= size * orthogonal(b)``, where b is the running mean of the gradient with decay ``momentum``. ``orthogonal`` approximates U V
    for a matrix U S V by ``ns_steps`` of the Newton-Schulz iteration with the polynomial ``ns_coefficients``, in bfloat16. ``nesterov``
    looks one momentum step ahead; ``weight_decay`` first subtracts ``lr * weight_decay * p``. The size is
    ``lr * sqrt(max(1, rows / columns))`` or, if ``adjust_lr_fn`` is "match_rms_adamw", ``lr * 0.2 * sqrt(max(rows, columns))``. [Jordan
    et al. 2024, Muon; Liu et al. 2025, Muon is Scalable for LLM Training]

    >>> import minigrad
    >>> p = minigrad.eye(2).requires_grad_()
    >>> optimizer = minigrad.optim.Muon([p], lr=0.1, weight_decay=0)
    >>> (2 * p).trace().backward()
    >>> optimizer.step()
    >>> p
    tensor([[0.8875, 0.0000],
            [0.0000, 0.8875]], requires_grad=True)
    """

    _later_options = {}
    _decays = False
    _elementwise = False

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        check_rate(lr, "Learning rate should be >= 0 but is")
        if not momentum >= 0.0:
            raise ValueError(f"momentum should be >= 0 but is: {momentum}")
        if not weight_decay >= 0.0:
            raise ValueError(f"weight decay should be >= 0 but is: {weight_decay}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(
            params,
            {
                "lr": lr,
                "weight_decay": weight_decay,
                "momentum": momentum,
                "nesterov": nesterov,
                "ns_coefficients": ns_coefficients,
                "eps": eps,
                "ns_steps": ns_steps,
                "adjust_lr_fn": adjust_lr_fn,
            },
        )
        for p in chain.from_iterable(group["params"] for group in self.param_groups):
            if p.ndim != 2:
                raise ValueError(
                    f"Muon only supports 2D parameters whereas we found a parameter with size: {p.size()}"
                )

    @staticmethod
    def _first(p, group):
        if p.is_complex():
            raise RuntimeError("Muon does not support complex parameters")
        return {"momentum_buffer": zeros_like(p.grad, requires_grad=False)}

    @staticmethod
    def _buffers(group):
        return ("momentum_buffer",)

    @staticmethod
    def _numbers(o, t):
        ahead = o["momentum"] if o["nesterov"] else None
        iteration = o["ns_coefficients"], o["ns_steps"], o["eps"]
        return 1 - o["momentum"], ahead, iteration, o["lr"], o["weight_decay"], RATIOS[o["adjust_lr_fn"]]

    @staticmethod
    def _update(xp, x, g, b, rest, ahead, iteration, lr, weight_decay, ratio):
        b += (g - b) * rest
        u = b if ahead is None else g + (b - g) * ahead
        x *= 1 - lr * weight_decay
        x -= orthogonal(u, *iteration).astype(x.dtype) * (lr * ratio(*x.shape))


def as_bfloat16(x):
    """A float32 array rounded to bfloat16's 8 bits, ties to even."""
    bits = x.view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def orthogonal(matrix, coefficients, steps, eps):
    """``x = a x + (b x xT + c (x xT)²) x`` so many times, from the matrix over its norm; each result is rounded to bfloat16, as in PyTorch."""
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = map(np.float32, coefficients)
    tall = matrix.shape[0] > matrix.shape[1]
    x = as_bfloat16(np.ascontiguousarray(matrix.T if tall else matrix, np.float32))
    x = as_bfloat16(x / max(as_bfloat16(np.sqrt(np.sum(x * x, dtype=np.float32))[None])[0], np.float32(eps)))
    for _ in range(steps):
        gram = as_bfloat16(x @ x.T)
        x = as_bfloat16(a * x + as_bfloat16(b * gram + c * (gram @ gram)) @ x)
    return x.T if tall else x


def muon(
    params: list[Tensor],
    grads: list[Tensor],
    muon_momentum_bufs: list[Tensor],
    foreach: bool | None = None,
    *,
    lr: float,
    weight_decay: float,
    momentum: float,
    nesterov: bool,
    ns_coefficients: tuple[float, float, float],
    ns_steps: int,
    eps: float,
    adjust_lr_fn: str | None,
    has_complex: bool,
) -> None:
    """Perform one step of ``Muon`` on lists of parameters, gradients and states, which are updated in place.

    Raises RuntimeError for ``foreach``, ValueError if ``has_complex``.
    """
    if foreach:
        raise RuntimeError("Foreach is not supported for Muon yet")
    if has_complex:
        raise ValueError("Complex parameters are not supported")
    functional(Muon, params, grads, (muon_momentum_bufs,), [counter() for _ in params], locals())


_single_tensor_muon = direct(muon)


def _zeropower_via_newtonschulz(
    grad: Tensor, ns_coefficients: tuple[float, float, float], ns_steps: int, eps: float
) -> Tensor:
    """The nearly orthogonal matrix of ``orthogonal``, as a tensor of bfloat16."""
    if grad.ndim != 2:
        raise ValueError("Input tensor gradient must be a 2D matrix")
    return tensor(
        orthogonal(grad.detach().float().numpy(), ns_coefficients, ns_steps, eps), dtype=_dtypes.bfloat16
    )


def _adjust_lr(lr: float, adjust_lr_fn: str | None, param_shape: Any) -> float:
    """The rate of a matrix of ``param_shape``."""
    return lr * RATIOS[adjust_lr_fn](*param_shape[:2])


_lazy.publish(__package__, Muon)
