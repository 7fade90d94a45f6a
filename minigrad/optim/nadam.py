"""NAdam: Adam with Nesterov's momentum."""

from collections.abc import Iterable
from typing import Any

from .._api import Tensor, zeros_like
from ._direct import direct
from ._formula import FormulaOptimizer, check_betas, check_not_negative, check_rate, counter, functional

__all__ = ["NAdam", "nadam"]


class NAdam(FormulaOptimizer):
    """The NAdam optimizer, Adam with Nesterov momentum:
    ``p -= lr * ((1 - mu) * g / (1 - prod) + mu_next * m / (1 - prod_next)) / (sqrt(v) + eps)``.

    As in Adam, m and v are the running means of the gradient g and of its square, v bias-corrected; in step t,
    ``mu = beta1 * (1 - 0.96 ** (t * momentum_decay) / 2)``, and ``prod`` is the product of all mu so far. ``weight_decay`` adds
    ``weight_decay * p`` to the gradient or, if ``decoupled_weight_decay``, first subtracts ``lr * weight_decay * p``. [Dozat 2016,
    Incorporating Nesterov Momentum into Adam]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.NAdam([p], lr=0.1)
    >>> (2 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.8944], requires_grad=True)
    """

    _scalars = ("mu_product",)
    _capturable = "params, mu_products and state_steps"
    _later_options = {**FormulaOptimizer._later_options, "decoupled_weight_decay": False}

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
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
        check_not_negative(weight_decay=weight_decay, momentum_decay=momentum_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "momentum_decay": momentum_decay,
                "decoupled_weight_decay": decoupled_weight_decay,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "differentiable": differentiable,
            },
        )

    @staticmethod
    def _first(p, group):
        return {
            "step": counter(),
            "mu_product": counter(1.0),
            "exp_avg": zeros_like(p),
            "exp_avg_sq": zeros_like(p),
        }

    @staticmethod
    def _buffers(group):
        return "exp_avg", "exp_avg_sq"

    @staticmethod
    def _advance(o, t, product):
        return (product * _momentum(o, t),)

    @staticmethod
    def _numbers(o, t):
        t, _, (product,) = t
        beta1, beta2 = o["betas"]
        mu, mu_next = _momentum(o, t), _momentum(o, t + 1)
        by_g = o["lr"] * (1 - mu) / (1 - product)
        by_m = o["lr"] * mu_next / (1 - product * mu_next)
        return 1 - beta1, 1 - beta2, 1 - beta2**t, o["eps"], by_g, by_m

    @staticmethod
    def _update(xp, x, g, m, v, rest1, rest2, correction, eps, by_g, by_m):
        m += (g - m) * rest1
        v += (g * g - v) * rest2
        x -= (g * by_g + m * by_m) / (xp.sqrt(v / correction) + eps)


def _momentum(o, t):
    return o["betas"][0] * (1 - 0.5 * 0.96 ** (t * o["momentum_decay"]))


def nadam(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    mu_products: list[Tensor],
    state_steps: list[Tensor],
    decoupled_weight_decay: bool = False,
    foreach: bool | None = None,
    capturable: bool = False,
    differentiable: bool = False,
    has_complex: bool = False,
    maximize: bool = False,
    *,
    beta1: float,
    beta2: float,
    lr: float,
    weight_decay: float,
    momentum_decay: float,
    eps: float,
) -> None:
    """Perform one step of ``NAdam`` on lists of parameters, gradients and states, which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim.nadam import nadam
    >>> p = [minigrad.tensor([1.])]
    >>> nadam(p, [minigrad.tensor([2.])], [minigrad.zeros(1)], [minigrad.zeros(1)], [minigrad.ones(())], [minigrad.zeros(())], beta1=0.9, beta2=0.999, lr=0.1, weight_decay=0., momentum_decay=0., eps=1e-8)
    >>> p
    [tensor([0.8944])]
    """
    if not all(isinstance(product, Tensor) for product in mu_products):
        raise RuntimeError("API has changed, `mu_products` argument must contain a list of singleton tensors")
    options = {**locals(), "betas": (beta1, beta2)}
    functional(NAdam, params, grads, (exp_avgs, exp_avg_sqs), state_steps, options, (mu_products,))


_single_tensor_nadam = _multi_tensor_nadam = direct(nadam)
