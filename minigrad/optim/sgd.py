"""Stochastic gradient descent, with momentum."""

import numpy as np

from .._api import Tensor, _wrap
from .optimizer import Optimizer, number, written

__all__ = ["SGD"]


class SGD(Optimizer):
    """``p -= lr * d``, where d is the gradient or, with momentum, ``momentum * d_before + (1 - dampening) * gradient``.

    ``weight_decay`` adds that much of p to the gradient; ``nesterov`` looks one momentum step ahead.   [Sutskever et al. 2013]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.SGD([p], lr=0.1)
    >>> (2 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.8000], requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr=1e-3,
        momentum=0,
        dampening=0,
        weight_decay=0,
        nesterov=False,
        *,
        maximize=False,
        foreach=None,
        differentiable=False,
        fused=None,
    ):
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        for name, value in (
            ("learning rate", lr),
            ("momentum value", momentum),
            ("weight_decay value", weight_decay),
        ):
            if value < 0.0:
                raise ValueError(f"Invalid {name}: {value}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "dampening": dampening,
                "weight_decay": weight_decay,
                "nesterov": nesterov,
                "maximize": maximize,
                "foreach": foreach,
                "differentiable": differentiable,
                "fused": fused,
            },
        )
        if fused and differentiable:
            raise RuntimeError("`fused` does not support `differentiable`")
        if fused and foreach:
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.__dict__.get("param_groups", ()):
            for key, value in (
                ("nesterov", False),
                ("maximize", False),
                ("foreach", None),
                ("differentiable", False),
                ("fused", False),
            ):
                group.setdefault(key, value)

    def step(self, closure=None):
        """Update the parameters once."""
        loss = self._evaluated(closure)
        for group in self.param_groups:
            if group["differentiable"]:
                self._recorded_step(group)
            elif group["momentum"] or group["weight_decay"] or group["maximize"]:
                self._full_step(group)
            else:
                self._plain_step(group)
        return loss

    def _plain_step(self, group):
        """``p -= lr * grad``, for all parameters of a group."""
        lr = number(group["lr"])
        dtype = None
        for p in group["params"]:
            grad = p.grad
            if grad is not None:
                x = p._array
                if x.dtype is not dtype:
                    dtype = x.dtype
                    factor = np.array(lr, dtype)  # 0-dim array, not float: 0.3 us less
                np.subtract(x, grad._array * factor, x)
                written(p)

    def _full_step(self, group):
        """As ``_plain_step``, with momentum, weight decay or the sign turned."""
        maximize, nesterov = group["maximize"], group["nesterov"]
        lr, momentum, weight_decay = number(group["lr"]), group["momentum"], number(group["weight_decay"])
        fresh = 1 - group["dampening"]
        dtype = None
        for p in group["params"]:
            grad = p.grad
            if grad is None:
                continue
            x, d = p._array, grad._array
            if x.dtype is not dtype:
                dtype = x.dtype
                by_lr, by_momentum, by_decay, by_fresh = (
                    np.array(v, dtype) for v in (lr, momentum, weight_decay, fresh)
                )
            if maximize:
                d = -d
            if weight_decay:
                d = d + x * by_decay
            if momentum:
                state = self.state[p]
                buffer = state.get("momentum_buffer")
                if buffer is None:
                    buffer = state["momentum_buffer"] = _wrap(np.array(d))
                    b = buffer._array
                else:
                    b = buffer._array
                    b *= by_momentum
                    b += d if fresh == 1 else d * by_fresh
                d = d + b * by_momentum if nesterov else b
            np.subtract(x, d * by_lr, x)
            written(p)

    def _recorded_step(self, group):
        momentum = group["momentum"]
        for p in group["params"]:
            d = p.grad
            if d is None:
                continue
            if group["maximize"]:
                d = -d
            if number(group["weight_decay"]):
                d = d + group["weight_decay"] * p
            if momentum:
                state = self.state[p]
                buffer = state.get("momentum_buffer")
                buffer = d.clone() if buffer is None else momentum * buffer + (1 - group["dampening"]) * d
                state["momentum_buffer"] = buffer
                d = d + momentum * buffer if group["nesterov"] else buffer
            p.sub_(group["lr"] * d)
