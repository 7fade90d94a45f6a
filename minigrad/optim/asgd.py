"""ASGD: gradient descent with shrinking steps, and the mean of where it has been."""

from collections.abc import Iterable
from typing import Any

from .._api import Tensor, zeros_like
from ._direct import direct
from ._formula import FormulaOptimizer, check_not_negative, check_rate, counter, functional, number

__all__ = ["ASGD", "asgd"]


class ASGD(FormulaOptimizer):
    """Averaged stochastic gradient descent: ``p = (1 - lambd * eta) * p - eta * g``, with an average of p from step ``t0`` on.

    The average is ``state[p]["ax"]``. The step size falls as ``eta = lr / (1 + lambd * lr * t) ** alpha``; ``weight_decay`` adds
    ``weight_decay * p`` to the gradient g. [Polyak & Juditsky 1992, Acceleration of stochastic approximation by averaging]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.ASGD([p], lr=0.1)
    >>> (2 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.8000], requires_grad=True)
    """

    _scalars = "eta", "mu"
    _capturable = "params, mus, etas, and state_steps"

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_negative(weight_decay=weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "lambd": lambd,
                "alpha": alpha,
                "t0": t0,
                "weight_decay": weight_decay,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    @staticmethod
    def _first(p, group):
        return {
            "step": counter(),
            "eta": counter(number(group["lr"])),
            "mu": counter(1.0),
            "ax": zeros_like(p),
        }

    @staticmethod
    def _buffers(group):
        return ("ax",)

    @staticmethod
    def _advance(o, t, eta, mu):
        after = o["lr"] / (1 + o["lambd"] * o["lr"] * t) ** o["alpha"], 1 / max(1, t - o["t0"])
        return map(counter, map(number, after))  # rounded, whatever the dtype of the state

    @staticmethod
    def _numbers(o, t):
        _, (eta, mu), _ = t
        return 1 - o["lambd"] * eta, eta, None if mu == 1 else mu

    @staticmethod
    def _update(xp, x, g, ax, shrink, eta, mu):
        x *= shrink
        x -= g * eta
        if mu is None:
            ax[...] = x
        else:
            ax += (x - ax) * mu


def asgd(
    params: list[Tensor],
    grads: list[Tensor],
    axs: list[Tensor],
    mus: list[Tensor],
    etas: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    lambd: float,
    lr: float,
    t0: float,
    alpha: float,
    weight_decay: float,
) -> None:
    """Perform one step of ``ASGD`` on lists of parameters, gradients and states, which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim.asgd import asgd
    >>> p, ax = [minigrad.tensor([1.])], [minigrad.zeros(1)]
    >>> asgd(p, [minigrad.tensor([2.])], ax, [minigrad.ones(())], [minigrad.tensor(0.1)], [minigrad.zeros(())], lambd=0., lr=0.1, t0=1e6, alpha=0.75, weight_decay=0.)
    >>> p
    [tensor([0.8000])]
    """
    functional(ASGD, params, grads, (axs,), state_steps, locals(), (etas, mus))


_single_tensor_asgd = _multi_tensor_asgd = direct(asgd)
