"""Adam: steps of the mean gradient over the root of the mean square gradient."""

import math

import numpy as np

from .._api import Tensor, _wrap, get_default_dtype, zeros_like
from .optimizer import Optimizer, number, real_parts, written

__all__ = ["Adam"]

_F32, _F64 = np.dtype("float32"), np.dtype("float64")


class Adam(Optimizer):
    """``p -= lr * m / (sqrt(v) + eps)``, with m and v the bias-corrected running means of gradient and squared gradient.

    ``weight_decay`` adds that much of p to the gradient or, if ``decoupled_weight_decay``, takes ``lr * weight_decay`` of p off; ``amsgrad`` uses
    the greatest v so far.   [Kingma & Ba 2015; Loshchilov & Hutter 2019; Reddi et al. 2018]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.Adam([p], lr=0.1)
    >>> (2 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.9000], requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        amsgrad=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
        fused=None,
        decoupled_weight_decay=False,
    ):
        if isinstance(lr, Tensor):
            if foreach and not capturable:
                raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
            if lr.numel() != 1:
                raise ValueError("Tensor lr must be 1-element")
        if not lr >= 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not eps >= 0.0:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for i, beta in enumerate(betas[:2]):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
        if not weight_decay >= 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        kind = float if isinstance(betas[0], float) else Tensor
        if not (isinstance(betas[0], kind) and isinstance(betas[1], kind)):
            raise ValueError("betas must be either both floats or both Tensors")
        for i, beta in enumerate(betas[:2]):
            if isinstance(beta, Tensor):
                if foreach and not capturable:
                    raise ValueError(
                        f"betas[{i}] as a Tensor is not supported for capturable=False and foreach=True"
                    )
                if beta.numel() != 1:
                    raise ValueError(f"Tensor betas[{i}] must be 1-element")
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": tuple(
                    beta.squeeze() if isinstance(beta, Tensor) and beta.dim() else beta for beta in betas
                ),
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
        if fused and differentiable:
            raise RuntimeError("`fused` does not support `differentiable`")
        if fused and foreach:
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")

    def __setstate__(self, state):
        super().__setstate__(state)
        missing = (
            "amsgrad",
            "maximize",
            "foreach",
            "capturable",
            "differentiable",
            "fused",
            "decoupled_weight_decay",
        )
        for group in self.__dict__.get("param_groups", ()):
            for key in missing:
                group.setdefault(key, None if key in ("foreach", "fused") else False)
            for p in group["params"]:
                own = self.state.get(p, {})
                if own and not isinstance(own["step"], Tensor):  # files of before 1.12 hold a number
                    own["step"] = _wrap(np.array(float(own["step"]), _step_dtype()))

    def _begin(self, p, group):
        """The state of a parameter before its first step."""
        state = self.state[p]
        state["step"] = _wrap(np.zeros((), _step_dtype()))
        state["exp_avg"] = zeros_like(p)
        state["exp_avg_sq"] = zeros_like(p)
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = zeros_like(p)
        return state

    def step(self, closure=None):
        """Update the parameters once."""
        loss = self._evaluated(closure)
        for group in self.param_groups:
            update = self._recorded_update if group["differentiable"] else _update
            options = _Options(group)
            for p in group["params"]:
                grad = p.grad
                if grad is not None:
                    state = self.state.get(p)
                    update(p, grad, state or self._begin(p, group), options)
        return loss

    @staticmethod
    def _recorded_update(p, grad, state, options):
        """``_update`` of recorded ops."""
        group = options.group
        lr, (beta1, beta2), weight_decay = group["lr"], group["betas"], group["weight_decay"]
        if group["maximize"]:
            grad = -grad
        state["step"] += 1
        step = state["step"].item()
        if number(weight_decay):
            if group["decoupled_weight_decay"]:
                p.mul_(1 - lr * weight_decay)
            else:
                grad = grad + weight_decay * p
        mean = state["exp_avg"] = state["exp_avg"] * beta1 + grad * (1 - beta1)
        square = state["exp_avg_sq"] = state["exp_avg_sq"] * beta2 + grad * grad.conj() * (1 - beta2)
        if group["amsgrad"]:
            square = state["max_exp_avg_sq"] = square.maximum(state["max_exp_avg_sq"])
        size = square.sqrt() / (1 - beta2**step) ** 0.5 + group["eps"]
        p.sub_(lr / (1 - beta1**step) * (mean / size))


def _step_dtype():
    return _F64 if get_default_dtype().np == _F64 else _F32


class _Options:
    """The options of a group as 0-dim arrays, per dtype: made once a step, where Python numbers would cost each ufunc 0.3 us."""

    def __init__(self, group):
        self.group = group
        self.lr = number(group["lr"])
        self.beta1, self.beta2 = map(number, group["betas"])
        self.weight_decay = number(group["weight_decay"])
        self.corrections = {}
        self.of_dtype = {}

    def constants(self, dtype):
        """(1 - beta1, beta2, 1 - beta2, eps)."""
        found = self.of_dtype.get(dtype)
        if found is None:
            values = (1 - self.beta1, self.beta2, 1 - self.beta2, self.group["eps"])
            found = self.of_dtype[dtype] = tuple(np.array(value, dtype) for value in values)
        return found

    def bias_corrected(self, step, dtype):
        """(root of the correction of v, minus the step size) after so many steps."""
        found = self.corrections.get((step, dtype))
        if found is None:
            root = math.sqrt(1 - self.beta2**step)
            size = -self.lr / (1 - self.beta1**step)
            found = self.corrections[step, dtype] = np.array(root, dtype), np.array(size, dtype)
        return found


def _update(p, grad, state, options):
    group = options.group
    x, g, m, v = p._array, grad._array, state["exp_avg"]._array, state["exp_avg_sq"]._array
    count = state["step"]._array
    count += 1
    if group["maximize"]:
        g = -g
    if options.weight_decay:
        if group["decoupled_weight_decay"]:
            x *= x.dtype.type(1 - options.lr * options.weight_decay)
        else:
            g = g + x * x.dtype.type(options.weight_decay)
    if x.dtype.kind == "c" or not x.ndim:
        x, g, m, v = (real_parts(a) for a in (x, g, m, v))
    rest1, beta2, rest2, eps = options.constants(x.dtype)
    root, size = options.bias_corrected(float(count), x.dtype)
    t = g - m
    t *= rest1
    m += t  # m moves towards g by 1 - beta1
    np.multiply(g, g, t)
    t *= rest2
    v *= beta2
    v += t
    if group["amsgrad"]:
        greatest = real_parts(state["max_exp_avg_sq"]._array)
        np.maximum(greatest, v, out=greatest)
        v = greatest
    np.sqrt(v, t)
    t /= root
    t += eps
    np.divide(m, t, t)
    t *= size
    x += t
    written(p)
