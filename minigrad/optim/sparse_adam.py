"""SparseAdam: Adam for sparse gradients, of which minigrad has none."""

from collections.abc import Callable, Iterable
from typing import Any

from .._api import Tensor
from ._formula import check_betas, check_rate, evaluated
from .optimizer import Optimizer

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """``Adam`` for sparse gradients: as in PyTorch, a step refuses dense ones, and minigrad's are all dense.

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.SparseAdam([p])
    >>> p.sum().backward()
    >>> optimizer.step()
    Traceback (most recent call last):
    RuntimeError: SparseAdam does not support dense gradients, please consider Adam instead
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
        """Refuse to update parameters that have a gradient."""
        loss = evaluated(self, closure)
        if any(p.grad is not None for group in self.param_groups for p in group["params"]):
            raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
        return loss


def sparse_adam(params: list[Tensor], grads: list[Tensor], *states: Any, **options: Any) -> None:
    """Refuse to update parameters: sparse gradients alone could be taken, and there are none."""
    if grads:
        raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
