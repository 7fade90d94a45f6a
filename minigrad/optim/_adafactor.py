"""Adafactor: Adam's mean squares kept as a row and a column for each matrix, and no mean gradient."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._api import Tensor, _lazy, is_complex, zeros_like
from ._direct import direct
from ._formula import FormulaOptimizer, check_rate, counter, functional

__all__ = ["Adafactor", "adafactor"]


class Adafactor(FormulaOptimizer):
    """The Adafactor optimizer: Adam with factored second moments, and without a mean gradient.

    In step t, ``p -= max(eps[1], rms(p)) * min(lr, 1 / sqrt(t)) * u / max(1, rms(u) / d)`` with ``u = g / sqrt(v)``. v is the running
    mean of the squared gradient, with decay ``1 - t ** beta2_decay``; for matrices (and stacks of them) only its means over rows r and
    over columns c are stored, and ``v = r c / mean(r)``. It is at least ``eps[0] ** 2``, by default that of the dtype. ``weight_decay``
    first subtracts ``lr * weight_decay * p``. [Shazeer & Stern 2018, with PyTorch's changes: lr bounds the relative step]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.Adafactor([p], lr=0.1)
    >>> (2 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.9000], requires_grad=True)
    """

    _later_options = {"foreach": None}
    _decays = False
    _elementwise = False
    _optional_buffers = True

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        check_rate(lr, "Learning rate should be >= 0 but is")
        if not beta2_decay <= 0.0:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None and not eps[0] >= 0.0:
            raise ValueError(f"epsilon1 should be >= 0 but is: {eps[0]}")
        if not eps[1] >= 0.0:
            raise ValueError(f"epsilon2 should be >= 0 but is: {eps[1]}")
        if not d >= 1.0:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not weight_decay >= 0.0:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        super().__init__(
            params,
            {
                "lr": lr,
                "beta2_decay": beta2_decay,
                "eps": eps,
                "d": d,
                "weight_decay": weight_decay,
                "foreach": foreach,
                "maximize": maximize,
            },
        )

    @staticmethod
    def _first(p, group):
        if is_complex(p):
            raise RuntimeError("Adafactor does not support complex parameters")
        grad = p.grad
        if grad.dim() < 2:
            return {"step": counter(), "variance": zeros_like(grad, requires_grad=False)}
        *stack, rows, columns = grad.shape
        return {
            "step": counter(),
            "row_var": grad.new_zeros((*stack, rows, 1)),
            "col_var": grad.new_zeros((*stack, 1, columns)),
        }

    @staticmethod
    def _buffers(group):
        return "row_var", "col_var", "variance"

    @staticmethod
    def _numbers(o, t):
        eps1, eps2 = o["eps"]
        shrink = 1 - o["lr"] * o["weight_decay"] if o["weight_decay"] else None
        return t ** o["beta2_decay"], min(o["lr"], t**-0.5), shrink, eps1, eps2, o["d"]

    @staticmethod
    def _update(xp, x, g, r, c, v, rest, relative, shrink, eps1, eps2, d):
        size = max(eps2, rms(x)) * relative
        if shrink is not None:
            x *= shrink
        square = g * g
        least = np.finfo(x.dtype).eps if eps1 is None else eps1
        if v is None:
            r += (mean(square, -1) - r) * rest
            c += (mean(square, -2) - c) * rest
            v = r * c / xp.maximum(mean(r, -2), least)
        else:
            v += (square - v) * rest
        u = g / xp.sqrt(xp.maximum(v, least * least))
        x -= u * (size / max(1, rms(u) / d))


def mean(x, axis):
    """The mean over an axis, which stays."""
    return np.add.reduce(x, axis, keepdims=True) / x.dtype.type(x.shape[axis])


def rms(x):
    """The root of the mean square of an array, in its dtype."""
    flat = x.reshape(-1)
    return np.sqrt(flat @ flat / max(flat.size, 1))


def adafactor(
    params,
    grads,
    row_vars,
    col_vars,
    variances,
    state_steps,
    foreach=None,
    grad_scale=None,
    found_inf=None,
    has_complex=False,
    *,
    d,
    lr,
    beta2_decay,
    weight_decay,
    eps1,
    eps2,
    maximize,
):
    """Perform one step of ``Adafactor`` on lists of parameters, gradients and states, which are updated in place."""
    if not all(isinstance(step, Tensor) for step in state_steps):
        raise RuntimeError("`state_steps` argument must contain a list of singleton tensors")
    options = {**locals(), "eps": (eps1, eps2)}
    functional(Adafactor, params, grads, (row_vars, col_vars, variances), state_steps, options)


_single_tensor_adafactor = _multi_tensor_adafactor = direct(adafactor)

_lazy.publish(__package__, Adafactor)
