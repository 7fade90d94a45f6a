"""Rprop: steps of the gradient's sign, longer while it stays the same."""

from collections.abc import Iterable
from typing import Any

from .._api import Tensor, full_like, is_complex, zeros_like
from ._direct import direct
from ._formula import FormulaOptimizer, check_rate, counter, functional, number

__all__ = ["Rprop", "rprop"]


class Rprop(FormulaOptimizer):
    """The resilient backpropagation optimizer: ``p -= size * sign(g)``, with a step size for each element.

    A size grows by the factor ``etas[1]`` if the sign is that of the step before, and shrinks by ``etas[0]`` if not. Sizes start at
    ``lr`` and stay within ``step_sizes``; after a change of sign an element rests for one step. [Riedmiller & Braun 1993]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.Rprop([p], lr=0.1)
    >>> (2 * p).sum().backward()
    >>> for _ in range(2):
    ...     optimizer.step()
    >>> p
    tensor([0.7800], requires_grad=True)
    """

    _decays = False

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(
            params,
            {
                "lr": lr,
                "etas": etas,
                "step_sizes": step_sizes,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    @staticmethod
    def _first(p, group):
        lr = number(group["lr"])
        size = full_like(p.grad, complex(lr, lr) if is_complex(p) else lr, requires_grad=False)
        return {"step": counter(), "prev": zeros_like(p), "step_size": size}

    @staticmethod
    def _buffers(group):
        return "prev", "step_size"

    @staticmethod
    def _numbers(o, t):
        shrink, grow = o["etas"]
        least, greatest = o["step_sizes"]
        return shrink, grow, least, greatest

    @staticmethod
    def _update(xp, x, g, before, size, shrink, grow, least, greatest):
        same = g * xp.kept(before)
        factor = xp.where(same > 0, grow, xp.where(same < 0, shrink, xp.ones_like(same)))
        size[...] = xp.clip(size * factor, least, greatest)
        g = xp.where(same < 0, xp.zeros_like(g), g)
        x -= xp.sign(g) * size
        before[...] = g


def rprop(
    params: list[Tensor],
    grads: list[Tensor],
    prevs: list[Tensor],
    step_sizes: list[Tensor],
    state_steps: list[Tensor],
    foreach: bool | None = None,
    capturable: bool = False,
    maximize: bool = False,
    differentiable: bool = False,
    has_complex: bool = False,
    *,
    step_size_min: float,
    step_size_max: float,
    etaminus: float,
    etaplus: float,
) -> None:
    """Perform one step of ``Rprop`` on lists of parameters, gradients and states, which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim.rprop import rprop
    >>> p = [minigrad.tensor([1.])]
    >>> rprop(p, [minigrad.tensor([2.])], [minigrad.tensor([1.])], [minigrad.tensor([0.1])], [minigrad.zeros(())], step_size_min=0., step_size_max=1., etaminus=0.5, etaplus=2.)
    >>> p
    [tensor([0.8000])]
    """
    options = {**locals(), "etas": (etaminus, etaplus), "step_sizes": (step_size_min, step_size_max)}
    functional(Rprop, params, grads, (prevs, step_sizes), state_steps, options)


_single_tensor_rprop = _multi_tensor_rprop = direct(rprop)
