"""Adam: steps of the mean gradient over the root of the mean square gradient."""

from collections.abc import Iterable
from typing import Any

from .._api import Tensor, zeros_like
from ._direct import direct
from ._formula import (
    FormulaOptimizer,
    check_betas,
    check_not_negative,
    check_rate,
    counter,
    functional,
    scalar,
)

__all__ = ["Adam", "adam"]


class Adam(FormulaOptimizer):
    """The Adam optimizer: ``p -= lr * m / (sqrt(v) + eps)``, with bias-corrected running means m of the gradient and v of its square.

    ``weight_decay`` adds ``weight_decay * p`` to the gradient or, if ``decoupled_weight_decay``, first subtracts
    ``lr * weight_decay * p``; ``amsgrad`` uses the greatest v so far. [Kingma & Ba 2015; Loshchilov & Hutter 2019; Reddi et al. 2018]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.Adam([p], lr=0.1)
    >>> (2 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.9000], requires_grad=True)
    """

    _later_options = {
        "amsgrad": False,
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "fused": None,
        "decoupled_weight_decay": False,
    }

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        if isinstance(lr, Tensor):
            _check_tensor(foreach, capturable, lr=lr)
        check_rate(lr)
        check_not_negative(epsilon=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay)
        tensors = {"lr": lr, "betas[0]": betas[0], "betas[1]": betas[1]}
        kind = float if isinstance(betas[0], float) else Tensor
        if not (isinstance(betas[0], kind) and isinstance(betas[1], kind)):
            raise ValueError("betas must be either both floats or both Tensors")
        _check_tensor(
            foreach, capturable, **{name: t for name, t in tensors.items() if isinstance(t, Tensor)}
        )
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": scalar(tuple(betas)),
                "eps": eps,
                "weight_decay": weight_decay,
                "amsgrad": amsgrad,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "differentiable": differentiable,
                "fused": fused,
                "decoupled_weight_decay": decoupled_weight_decay,
            },
        )
        self._check_fused()

    @staticmethod
    def _first(p, group):
        state = {"step": counter(), "exp_avg": zeros_like(p), "exp_avg_sq": zeros_like(p)}
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = zeros_like(p)
        return state

    @staticmethod
    def _buffers(group):
        if group["foreach"] and isinstance(group["lr"], Tensor):
            raise RuntimeError("lr as a Tensor is not supported for capturable=False and foreach=True")
        return "exp_avg", "exp_avg_sq", "max_exp_avg_sq" if group["amsgrad"] else None

    @staticmethod
    def _numbers(o, t):
        beta1, beta2 = o["betas"]
        root = (1 - beta2**t) ** 0.5
        return 1 - beta1, 1 - beta2, o["lr"] / (1 - beta1**t) * root, o["eps"] * root

    @staticmethod
    def _update(xp, x, g, m, v, greatest, rest1, rest2, size, eps):
        m += (g - m) * rest1
        v += (g * g - v) * rest2
        if greatest is not None:
            greatest[...] = v = xp.maximum(xp.kept(greatest), v)
        # The correction of v is in size and eps: one pass less over the memory [Kingma & Ba 2015, end of section 2].
        x -= m / (xp.sqrt(v) + eps) * size


def _check_tensor(foreach, capturable, **options):
    for name, value in options.items():
        if foreach and not capturable:
            raise ValueError(f"{name} as a Tensor is not supported for capturable=False and foreach=True")
        if value.numel() != 1:
            raise ValueError(f"Tensor {name} must be 1-element")


def adam(
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
    decoupled_weight_decay: bool = False,
    *,
    amsgrad: bool,
    beta1: float | Tensor,
    beta2: float | Tensor,
    lr: float | Tensor,
    weight_decay: float,
    eps: float,
    maximize: bool,
) -> None:
    """Perform one step of ``Adam`` on lists of parameters, gradients and states, which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim.adam import adam
    >>> p = [minigrad.tensor([1.])]
    >>> adam(p, [minigrad.tensor([2.])], [minigrad.zeros(1)], [minigrad.zeros(1)], [], [minigrad.zeros(())], amsgrad=False, beta1=0.9, beta2=0.999, lr=0.1, weight_decay=0., eps=1e-8, maximize=False)
    >>> p
    [tensor([0.9000])]
    """
    options = {**locals(), "betas": (beta1, beta2)}
    functional(
        Adam,
        params,
        grads,
        (exp_avgs, exp_avg_sqs, max_exp_avg_sqs if amsgrad else ()),
        state_steps,
        options,
    )


_single_tensor_adam = _multi_tensor_adam = _fused_adam = direct(adam)
