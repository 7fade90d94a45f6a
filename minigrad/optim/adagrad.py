"""Adagrad: steps of the gradient over the root of the sum of all its squares."""

from collections.abc import Iterable
from typing import Any

from .._api import Tensor, _check_overlap, full_like, is_complex, zeros_like
from ._direct import direct
from ._formula import FormulaOptimizer, check_not_negative, check_rate, counter, functional

__all__ = ["Adagrad", "adagrad"]


class Adagrad(FormulaOptimizer):
    """The Adagrad optimizer: ``p -= lr / (1 + (t - 1) * lr_decay) * g / (sqrt(s) + eps)`` in step t.

    s is the sum of the squares of all gradients g so far, starting at ``initial_accumulator_value``. ``weight_decay`` adds
    ``weight_decay * p`` to the gradient. A sparse gradient moves only the rows it contains. [Duchi, Hazan & Singer 2011]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.Adagrad([p], lr=0.1)
    >>> (2 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.9000], requires_grad=True)
    """

    _takes_rows = True
    _later_options = {"foreach": None, "maximize": False, "differentiable": False, "fused": None}

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_rate(lr)
        check_not_negative(
            lr_decay=lr_decay,
            weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value,
            epsilon=eps,
        )
        super().__init__(
            params,
            {
                "lr": lr,
                "lr_decay": lr_decay,
                "eps": eps,
                "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "fused": fused,
            },
        )
        self._check_fused()
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p].update(self._first(p, group))

    def _move_all(self):
        for group in self.param_groups:  # the others look when they make their state, which is there already
            for p in group["params"]:
                if p.grad is not None:
                    _check_overlap(p)
        super()._move_all()

    def share_memory(self) -> None:
        """Move the sums to memory that processes share."""
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["sum"].share_memory_()

    def _first(self, p, group):
        start = self.defaults["initial_accumulator_value"]
        if start == 0:
            return {"step": counter(), "sum": zeros_like(p)}
        return {"step": counter(), "sum": full_like(p, complex(start, start) if is_complex(p) else start)}

    @staticmethod
    def _buffers(group):
        return ("sum",)

    @staticmethod
    def _numbers(o, t):
        return o["lr"] / (1 + (t - 1) * o["lr_decay"]), o["eps"]

    @staticmethod
    def _update(xp, x, g, s, lr, eps):
        s += g * g
        x -= g / (xp.sqrt(s) + eps) * lr


def adagrad(
    params: list[Tensor],
    grads: list[Tensor],
    state_sums: list[Tensor],
    state_steps: list[Tensor],
    fused: bool | None = None,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
    has_sparse_grad: bool = False,
    foreach: bool | None = None,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    lr: float,
    weight_decay: float,
    lr_decay: float,
    eps: float,
    maximize: bool,
) -> None:
    """Perform one step of ``Adagrad`` on lists of parameters, gradients and states, which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim.adagrad import adagrad
    >>> p = [minigrad.tensor([1.])]
    >>> adagrad(p, [minigrad.tensor([2.])], [minigrad.zeros(1)], [minigrad.zeros(())], lr=0.1, weight_decay=0., lr_decay=0., eps=1e-10, maximize=False)
    >>> p
    [tensor([0.9000])]
    """
    functional(Adagrad, params, grads, (state_sums,), state_steps, locals())


_single_tensor_adagrad = _multi_tensor_adagrad = _fused_adagrad = direct(adagrad)
