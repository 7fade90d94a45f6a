"""Adadelta: steps scaled by the ratio of past steps to past gradients."""

from collections.abc import Iterable
from typing import Any

from .._api import Tensor, zeros_like
from ._direct import direct
from ._formula import FormulaOptimizer, check_not_negative, check_rate, counter, functional

__all__ = ["Adadelta", "adadelta"]


class Adadelta(FormulaOptimizer):
    """The Adadelta optimizer: ``p -= lr * d`` with ``d = sqrt(u + eps) / sqrt(v + eps) * g``.

    v and u are the running means of the squares of g and of d. ``weight_decay`` adds ``weight_decay * p`` to the gradient g. [Zeiler
    2012, ADADELTA: An Adaptive Learning Rate Method]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.Adadelta([p], eps=0.01)
    >>> (2 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.6877], requires_grad=True)
    """

    _capturable_xla = False

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_not_negative(epsilon=eps, weight_decay=weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "rho": rho,
                "eps": eps,
                "weight_decay": weight_decay,
                "maximize": maximize,
                "capturable": capturable,
                "foreach": foreach,
                "differentiable": differentiable,
            },
        )

    @staticmethod
    def _first(p, group):
        return {"step": counter(), "square_avg": zeros_like(p), "acc_delta": zeros_like(p)}

    @staticmethod
    def _buffers(group):
        return "square_avg", "acc_delta"

    @staticmethod
    def _numbers(o, t):
        return o["lr"], 1 - o["rho"], o["eps"]

    @staticmethod
    def _update(xp, x, g, v, u, lr, rest, eps):
        v += (g * g - v) * rest
        d = xp.sqrt(u + eps) / xp.sqrt(v + eps) * g
        u += (d * d - u) * rest
        x -= d * lr


def adadelta(
    params: list[Tensor],
    grads: list[Tensor],
    square_avgs: list[Tensor],
    acc_deltas: list[Tensor],
    state_steps: list[Tensor],
    capturable: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    lr: float,
    rho: float,
    eps: float,
    weight_decay: float,
    maximize: bool,
) -> None:
    """Perform one step of ``Adadelta`` on lists of parameters, gradients and states, which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim.adadelta import adadelta
    >>> p, zeros = [minigrad.tensor([1.])], minigrad.zeros(1)
    >>> adadelta(p, [minigrad.tensor([2.])], [zeros.clone()], [zeros.clone()], [minigrad.zeros(())], lr=1., rho=0.9, eps=1e-2, weight_decay=0., maximize=False)
    >>> p
    [tensor([0.6877])]
    """
    functional(Adadelta, params, grads, (square_avgs, acc_deltas), state_steps, locals())


_single_tensor_adadelta = _multi_tensor_adadelta = direct(adadelta)
