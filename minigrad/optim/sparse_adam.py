"""SparseAdam: Adam for sparse gradients, which moves the rows that they keep."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .._api import Tensor, zeros_like
from ._formula import check_betas, check_rate, evaluated, move_rows, number
from .optimizer import Optimizer

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """The Adam optimizer for sparse gradients: only the rows that a gradient contains are moved, in the parameter and in both averages.

    Raises an error for dense gradients. [Kingma & Ba 2015]

    >>> import minigrad
    >>> embedding = minigrad.nn.Embedding.from_pretrained(minigrad.zeros(3, 2), freeze=False, sparse=True)
    >>> optimizer = minigrad.optim.SparseAdam(embedding.parameters(), lr=0.1)
    >>> embedding(minigrad.tensor([2])).sum().backward()
    >>> optimizer.step()
    >>> embedding.weight.data
    tensor([[ 0.0000,  0.0000],
            [ 0.0000,  0.0000],
            [-0.1000, -0.1000]])
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        check_rate(lr)
        if lr == 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not eps > 0.0:
            raise ValueError(f"Invalid epsilon value: {eps}")
        check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        found = [
            [i, j]
            for i, group in enumerate(self.param_groups)
            for j, p in enumerate(group["params"])
            if p.is_complex()
        ]
        if found:
            raise ValueError(
                f"Complex params at indices {found}: SparseAdam does not support complex parameters"
            )

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Perform one optimization step; ``closure`` recomputes the loss, which is returned."""
        loss = evaluated(self, closure)
        for group in self.param_groups:
            moving = [p for p in group["params"] if p.grad is not None]
            states = [self.state[p] for p in moving]
            for p in moving:
                _check_sparse(p.grad)
            for p, state in zip(moving, states):
                if not state:
                    state.update(step=0, exp_avg=zeros_like(p), exp_avg_sq=zeros_like(p))
                state["step"] += 1
            first, second = ([state[name] for state in states] for name in ("exp_avg", "exp_avg_sq"))
            beta1, beta2 = group["betas"]
            sparse_adam(
                moving, [p.grad for p in moving], first, second, [state["step"] for state in states],
                eps=group["eps"], beta1=beta1, beta2=beta2, lr=number(group["lr"]), maximize=group["maximize"],
            )  # fmt: skip
        return loss


def _check_sparse(grad):
    if not grad.is_sparse:
        raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")


def _update(xp, x, g, m, v, to_m, to_v, rate, eps):
    m += (g - m) * to_m
    v += (g * g - v) * to_v
    x -= m / (xp.sqrt(v) + eps) * rate


def sparse_adam(
    params: list[Tensor],
    grads: list[Tensor],
    exp_avgs: list[Tensor],
    exp_avg_sqs: list[Tensor],
    state_steps: list[int],
    *,
    eps: float,
    beta1: float,
    beta2: float,
    lr: float,
    maximize: bool,
) -> None:
    """Perform one step of ``SparseAdam`` on lists of parameters, sparse gradients and states, which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim._functional import sparse_adam
    >>> p, grad = minigrad.zeros(3), minigrad.sparse_coo_tensor([[2]], [1.], (3,))
    >>> sparse_adam([p], [grad], [minigrad.zeros(3)], [minigrad.zeros(3)], [1], eps=1e-8, beta1=0.9, beta2=0.999, lr=0.1, maximize=False)
    >>> p
    tensor([ 0.0000,  0.0000, -0.1000])
    """
    for p, grad, m, v, step in zip(params, grads, exp_avgs, exp_avg_sqs, state_steps):
        _check_sparse(grad)
        rate = lr * (1 - beta2**step) ** 0.5 / (1 - beta1**step)
        # 1 - beta before it is rounded: 0.999 is 1 in bfloat16
        numbers = [np.array(value, p._array.dtype) for value in (1 - beta1, 1 - beta2, rate, eps)]
        move_rows(_update, p, grad, [m._array, v._array], numbers, maximize)
