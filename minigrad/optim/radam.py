"""RAdam: Adam that waits with its division until the mean square can be trusted."""

from collections.abc import Iterable
from typing import Any

from .._api import Tensor, zeros_like
from ._direct import direct
from ._formula import FormulaOptimizer, check_betas, check_not_negative, check_rate, counter, functional

__all__ = ["RAdam", "radam"]


class RAdam(FormulaOptimizer):
    """The RAdam optimizer, Adam with a rectified variance: ``p -= lr * m * r / (sqrt(v) + eps)``, or ``p -= lr * m`` in the first steps.

    m and v are as in ``Adam``. The rectification is ``r**2 = (rho - 4) (rho - 2) rho_inf / ((rho_inf - 4) (rho_inf - 2) rho)``, where
    ``rho_inf = 2 / (1 - beta2) - 1`` and ``rho = rho_inf - 2 t beta2**t / (1 - beta2**t)`` in step t; the first steps are those with
    ``rho <= 5``. ``weight_decay`` adds ``weight_decay * p`` to the gradient or, if ``decoupled_weight_decay``, first subtracts
    ``lr * weight_decay * p``. [Liu et al. 2020, On the Variance of the Adaptive Learning Rate and Beyond]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.RAdam([p], lr=0.1)
    >>> (2 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.8000], requires_grad=True)
    """

    _later_options = {**FormulaOptimizer._later_options, "decoupled_weight_decay": False}

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_negative(epsilon=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "decoupled_weight_decay": decoupled_weight_decay,
                "differentiable": differentiable,
            },
        )

    @staticmethod
    def _first(p, group):
        return {"step": counter(), "exp_avg": zeros_like(p), "exp_avg_sq": zeros_like(p)}

    @staticmethod
    def _buffers(group):
        return "exp_avg", "exp_avg_sq"

    @staticmethod
    def _numbers(o, t):
        beta1, beta2 = o["betas"]
        rho_inf = 2 / (1 - beta2) - 1
        rho = rho_inf - 2 * t * beta2**t / (1 - beta2**t)
        r = None
        if rho > 5:
            square = (rho - 4) * (rho - 2) * rho_inf / ((rho_inf - 4) * (rho_inf - 2) * rho)
            r = (square * (1 - beta2**t)) ** 0.5
        return 1 - beta1, 1 - beta2, o["lr"] / (1 - beta1**t), r, o["eps"]

    @staticmethod
    def _update(xp, x, g, m, v, rest1, rest2, size, r, eps):
        m += (g - m) * rest1
        v += (g * g - v) * rest2
        if r is None:
            x -= m * size
        else:
            x -= m * size * (r / (xp.sqrt(v) + eps))


def radam(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    state_steps: list[Tensor],
    decoupled_weight_decay: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    maximize: bool = False,
    *,
    beta1: float,
    beta2: float,
    lr: float,
    weight_decay: float,
    eps: float,
) -> None:
    """Perform one step of ``RAdam`` on lists of parameters, gradients and states, which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim.radam import radam
    >>> p = [minigrad.tensor([1.])]
    >>> radam(p, [minigrad.tensor([2.])], [minigrad.zeros(1)], [minigrad.zeros(1)], [minigrad.zeros(())], beta1=0.9, beta2=0.999, lr=0.1, weight_decay=0., eps=1e-8)
    >>> p
    [tensor([0.8000])]
    """
    options = {**locals(), "betas": (beta1, beta2)}
    functional(RAdam, params, grads, (exp_avgs, exp_avg_sqs), state_steps, options)


_single_tensor_radam = _multi_tensor_radam = direct(radam)
