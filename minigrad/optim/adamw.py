"""AdamW: Adam whose weight decay does not pass through the running means."""

from collections.abc import Iterable
from typing import Any

from .._api import Tensor
from .adam import Adam, adam

__all__ = ["AdamW", "adamw"]


class AdamW(Adam):
    """The AdamW optimizer: Adam with decoupled weight decay, where each step first subtracts ``lr * weight_decay * p``. [Loshchilov & Hutter 2019]

    >>> import minigrad
    >>> optimizer = minigrad.optim.AdamW([minigrad.ones(1, requires_grad=True)], lr=0.1)
    >>> optimizer.defaults["weight_decay"]
    0.01
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True


def adamw(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    max_exp_avg_sqs: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    capturable: bool = False,
    differentiable: bool = False,
    fused: bool | None = None,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
    has_complex: bool = False,
    *,
    amsgrad: bool,
    beta1: float | Tensor,
    beta2: float | Tensor,
    lr: float | Tensor,
    weight_decay: float,
    eps: float,
    maximize: bool,
) -> None:
    """Perform one step of ``AdamW`` on lists of parameters, gradients and states, which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim.adamw import adamw
    >>> p = [minigrad.tensor([1.])]
    >>> adamw(p, [minigrad.tensor([2.])], [minigrad.zeros(1)], [minigrad.zeros(1)], [], [minigrad.zeros(())], amsgrad=False, beta1=0.9, beta2=0.999, lr=0.1, weight_decay=0.5, eps=1e-8, maximize=False)
    >>> p
    [tensor([0.8500])]
    """
    adam(**locals(), decoupled_weight_decay=True)
