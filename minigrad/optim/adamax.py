"""Adamax: Adam with the greatest gradient in place of the root of the mean square."""

from collections.abc import Iterable
from typing import Any

from .._api import Tensor, zeros_like
from ._direct import direct
from ._formula import FormulaOptimizer, check_betas, check_not_negative, check_rate, counter, functional

__all__ = ["Adamax", "adamax"]


class Adamax(FormulaOptimizer):
    """The Adamax optimizer: ``p -= lr / (1 - beta1 ** t) * m / u`` in step t.

    m is the running mean of the gradient g, and ``u = max(beta2 * u, abs(g) + eps)``. ``weight_decay`` adds ``weight_decay * p`` to the
    gradient. [Kingma & Ba 2015, section 7.1]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.Adamax([p], lr=0.1)
    >>> (2 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
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
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    @staticmethod
    def _first(p, group):
        return {"step": counter(), "exp_avg": zeros_like(p), "exp_inf": zeros_like(p)}

    @staticmethod
    def _buffers(group):
        return "exp_avg", "exp_inf"

    @staticmethod
    def _numbers(o, t):
        beta1, beta2 = o["betas"]
        return 1 - beta1, beta2, o["eps"], o["lr"] / (1 - beta1**t)

    @staticmethod
    def _update(xp, x, g, m, u, rest1, beta2, eps, size):
        m += (g - m) * rest1
        u[...] = xp.maximum(u * beta2, abs(g) + eps)
        x -= m / u * size


def adamax(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_infs: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    eps: float,
    beta1: float,
    beta2: float,
    lr: float,
    weight_decay: float,
) -> None:
    """Perform one step of ``Adamax`` on lists of parameters, gradients and states, which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim.adamax import adamax
    >>> p = [minigrad.tensor([1.])]
    >>> adamax(p, [minigrad.tensor([2.])], [minigrad.zeros(1)], [minigrad.zeros(1)], [minigrad.zeros(())], eps=1e-8, beta1=0.9, beta2=0.999, lr=0.1, weight_decay=0.)
    >>> p
    [tensor([0.9000])]
    """
    options = {**locals(), "betas": (beta1, beta2)}
    functional(Adamax, params, grads, (exp_avgs, exp_infs), state_steps, options)


_single_tensor_adamax = _multi_tensor_adamax = direct(adamax)
