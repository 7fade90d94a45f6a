"""RMSprop: steps of the gradient over the root of its mean square."""

from collections.abc import Iterable
from typing import Any

from .._api import Tensor, zeros_like
from ._direct import direct
from ._formula import FormulaOptimizer, check_not_negative, check_rate, counter, functional

__all__ = ["RMSprop", "rmsprop"]


class RMSprop(FormulaOptimizer):
    """The RMSprop optimizer: ``p -= lr * g / (sqrt(v) + eps)``, where v is the running mean of the squared gradient with decay ``alpha``.

    ``centered`` subtracts the square of the running mean of g from v (Graves 2013, Generating Sequences With Recurrent Neural Networks);
    with ``momentum``, ``b = momentum * b + g / (sqrt(v) + eps)`` is the step; ``weight_decay`` adds ``weight_decay * p`` to the gradient.
    [Hinton 2012, lecture 6]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.RMSprop([p], lr=0.1, alpha=0.75)
    >>> (2 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.8000], requires_grad=True)
    """

    _later_options = {"momentum": 0, "centered": False, **FormulaOptimizer._later_options}

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_negative(epsilon=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "alpha": alpha,
                "eps": eps,
                "centered": centered,
                "weight_decay": weight_decay,
                "capturable": capturable,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
            },
        )

    @staticmethod
    def _first(p, group):
        state = {"step": counter(), "square_avg": zeros_like(p)}
        if group["momentum"] > 0:
            state["momentum_buffer"] = zeros_like(p)
        if group["centered"]:
            state["grad_avg"] = zeros_like(p)
        return state

    @staticmethod
    def _buffers(group):
        return (
            "square_avg",
            "grad_avg" if group["centered"] else None,
            "momentum_buffer" if group["momentum"] > 0 else None,
        )

    @staticmethod
    def _numbers(o, t):
        return o["lr"], 1 - o["alpha"], o["eps"], o["momentum"]

    @staticmethod
    def _update(xp, x, g, v, mean, b, lr, rest, eps, momentum):
        v += (g * g - v) * rest
        if mean is not None:
            mean += (g - mean) * rest
            v = v - mean * mean
        d = g / (xp.sqrt(v) + eps)
        if b is not None:
            b *= momentum
            b += d
            d = b
        x -= d * lr


def rmsprop(
    params: list[Tensor],
    grads: list[Tensor],
    square_avgs: list[Tensor],
    grad_avgs: list[Tensor],
    momentum_buffer_list: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    maximize: bool = False,
    differentiable: bool = False,
    capturable: bool = False,
    has_complex: bool = False,
    *,
    lr: float,
    alpha: float,
    eps: float,
    weight_decay: float,
    momentum: float,
    centered: bool,
) -> None:
    """Perform one step of ``RMSprop`` on lists of parameters, gradients and states, which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim.rmsprop import rmsprop
    >>> p = [minigrad.tensor([1.])]
    >>> rmsprop(p, [minigrad.tensor([2.])], [minigrad.zeros(1)], [], [], [minigrad.zeros(())], lr=0.1, alpha=0.75, eps=0., weight_decay=0., momentum=0., centered=False)
    >>> p
    [tensor([0.8000])]
    """
    buffers = square_avgs, grad_avgs if centered else (), momentum_buffer_list if momentum > 0 else ()
    functional(RMSprop, params, grads, buffers, state_steps, locals())


_single_tensor_rmsprop = _multi_tensor_rmsprop = direct(rmsprop)
