"""Stochastic gradient descent, with momentum."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .._api import (
    Tensor,
    _about_to_write,
    _bump,
    _capturing,
    _check_overlap,
    _dtypes,
    _wrap,
    set_grad_enabled,
    view_as_complex,
    view_as_real,
)
from ._direct import direct
from ._formula import check_fused, constants, evaluated, number, refuse_integers, refuse_to_be_noted, scalar
from ._together import gathered, parted, small
from .optimizer import Optimizer

__all__ = ["SGD", "sgd"]


class SGD(Optimizer):
    """Stochastic gradient descent: ``p -= lr * d``, where d is the gradient or, with momentum,
    ``momentum * d_before + (1 - dampening) * gradient``.

    ``weight_decay`` adds ``weight_decay * p`` to the gradient; ``nesterov`` looks one momentum step ahead. Gradients may be sparse,
    without ``weight_decay``. [Sutskever et al. 2013]

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
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
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

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name in ("nesterov", "maximize", "foreach", "differentiable", "fused"):
                group.setdefault(name, None if name == "foreach" else False)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Perform one optimization step; ``closure`` recomputes the loss, which is returned."""
        loss = evaluated(self, closure)
        capturing = _capturing()
        for index, group in enumerate(self.param_groups):
            if capturing is not None:
                capturing.follow_options(self, group)
                capturing.follow_state(self, ["momentum_buffer"])
            if self.defaults["differentiable"]:
                with set_grad_enabled(self.defaults["differentiable"]):
                    self._step(group, _recorded_step)
            elif (
                group["momentum"]
                or number(group["weight_decay"])
                or group["maximize"]
                or group["fused"]
                or (group["foreach"] and capturing is not None)  # otherwise it takes as long
            ):
                self._step(group, _full_step, index)
            else:
                _plain_step(group)
        return loss

    def _step(self, group, stepped, index=None):
        if group["fused"]:
            for p in group["params"]:
                check_fused(p)
                if p.grad is not None and p.grad._is_sparse:
                    raise RuntimeError("`_fused_sgd` does not support sparse gradients")
        params = group["params"]
        if group["foreach"] and index is not None:
            params = self._move_together(index, group)
        moving = [(p, p.grad) for p in params if p.grad is not None]
        momentum, states = group["momentum"], self.state
        if any(grad._is_sparse for _, grad in moving):
            stepped = _step_of_sparse if stepped is _full_step else stepped
        buffers = [states[p].get("momentum_buffer") for p, _ in moving] if momentum else ()
        now = stepped(moving, buffers, group)
        if momentum:
            for (p, _), before, buffer in zip(moving, buffers, now):
                if buffer is not before:
                    states[p]["momentum_buffer"] = buffer

    def _move_together(self, index, group):
        """Move the small parameters of a group as one, if they can be; returns those that remain."""
        params = group["params"]
        chosen, rest = small(self, index, params)
        momentum, kept = group["momentum"], {}
        if momentum:
            buffers = [self.state[p].get("momentum_buffer") for p in chosen]
            missing = sum(buffer is None for buffer in buffers)
            if missing not in (0, len(chosen)):
                return params
            if not missing:
                kept["momentum_buffer"] = buffers
        found = gathered(self, index, chosen, kept) if chosen else None
        if found is None:
            return params
        whole, grad, buffers = found
        now = _full_step([(whole, grad)], buffers or [None], group)
        if momentum and not kept:
            for p, buffer in zip(chosen, parted(self, index, "momentum_buffer", now[0])):
                self.state[p]["momentum_buffer"] = buffer
        for p in chosen:
            _bump(p)
        return rest


def _parts(x):
    """The parts of complex numbers of half precision, which NumPy has no type for, as an array in the same memory."""
    return view_as_real(x.detach())._array


def _plain_step(group):
    """``p -= lr * grad`` for all parameters that have a gradient."""
    dtype, capturing = None, _capturing()
    for p in group["params"]:
        grad = p.grad
        if grad is not None:
            if capturing is not None:
                capturing.touch(p, grad)
            x, g = p._array, grad._array
            if x.__class__ is np.ndarray and not x.flags.forc:
                _check_overlap(p)
            if x.dtype is not dtype:
                dtype = x.dtype
                refuse_integers("SGD", dtype)
                in_halves = dtype == _dtypes.complex32.np
                (factor,) = constants(
                    lambda: [number(group["lr"])], np.float16 if in_halves else dtype, group
                )
            if in_halves:
                x, g = _parts(p), _parts(grad)
            if x.size > _LARGE:
                _descend(x, g, factor, capturing)
            else:
                np.subtract(x, g * factor, x)
            _bump(p)


#: The step of more elements is not computed whole, but so many at a time, or a thirty-second part of the parameter.
_LARGE = 15 << 10


def _descend(x, d, factor, capturing=None):
    """``x -= d * factor`` for a large array, some rows of elements at a time."""
    traced = capturing is not None and capturing.are_traced(x, d)
    if not (
        (traced or x.__class__ is d.__class__ is np.ndarray) and x.flags.c_contiguous and d.flags.c_contiguous
    ):
        descend = getattr(d.__class__, "descend", None)  # of a sparse array
        if descend is None:
            np.subtract(x, d * factor, x)
        else:
            descend(d, x, factor)
        return
    size = x.size
    if traced:  # fewer calls, and memory of one of them
        x, d = x.reshape(size), d.reshape(size)
        for i in range(0, size, 2 * _LARGE):
            part = x[i : i + 2 * _LARGE]
            np.subtract(part, d[i : i + 2 * _LARGE] * factor, part)
        return
    piece = max(_LARGE, size >> 5)
    whole = size - size % piece
    x, d = x.reshape(size), d.reshape(size)
    for part, step in zip(x[:whole].reshape(-1, piece), d[:whole].reshape(-1, piece)):
        np.subtract(part, step * factor, part)
    part = x[whole:]
    np.subtract(part, d[whole:] * factor, part)


def _full_step(moving, buffers, o):
    """Like ``_plain_step``, with momentum, weight decay or the sign turned; returns the buffers."""
    maximize, nesterov, momentum = o["maximize"], o["nesterov"], o["momentum"]
    weight_decay, fresh = number(o["weight_decay"]), 1 - o["dampening"]
    now, dtype, capturing = [], None, _capturing()
    for i, (p, grad) in enumerate(moving):
        if capturing is not None:
            capturing.touch(p, grad, *[b for b in buffers[i : i + 1] if b is not None])
        x, d = p._array, grad._array
        if x.__class__ is np.ndarray and not x.flags.forc:
            _check_overlap(p)
        if x.dtype is not dtype:
            dtype = x.dtype
            refuse_integers("SGD", dtype)
            in_halves = dtype == _dtypes.complex32.np
            by_lr, by_momentum, by_decay, by_fresh = constants(
                lambda: (number(o["lr"]), o["momentum"], number(o["weight_decay"]), 1 - o["dampening"]),
                np.float16 if in_halves else dtype,
                o,
            )
        if in_halves:
            x, d = _parts(p), _parts(grad)
        if maximize:
            d = -d
        if weight_decay:
            d = d + x * by_decay
        if momentum:
            buffer = buffers[i]
            if buffer is None:
                copy = np.array(d) if capturing is None else d.copy("K")
                buffer = view_as_complex(_wrap(copy)) if in_halves else _wrap(copy)
                b = d
            else:
                b = _parts(buffer) if in_halves else buffer._array
                b *= by_momentum
                b += d if fresh == 1 else d * by_fresh
            now.append(buffer)
            d = d + b * by_momentum if nesterov else b
        if x.size > _LARGE:
            _descend(x, d, by_lr)
        else:
            np.subtract(x, d * by_lr, x)
        _bump(p)
    return now


def _step_of_sparse(moving, buffers, o):
    """Like ``_full_step``, where gradients are sparse, and so are their buffers."""
    refuse_to_be_noted()
    with set_grad_enabled(False):
        return _recorded_step(moving, buffers, o)


def _recorded_step(moving, buffers, o):
    """Like ``_full_step``, of recorded ops."""
    lr, weight_decay, momentum = scalar(o["lr"]), scalar(o["weight_decay"]), o["momentum"]
    now = []
    for i, (p, d) in enumerate(moving):
        if o["maximize"]:
            d = -d
        if number(weight_decay):
            d = d + weight_decay * p.clone()
        if momentum:
            b = buffers[i]
            # As in PyTorch, the first buffer is cut off from the graph.
            b = d.detach().clone() if b is None else momentum * b + (1 - o["dampening"]) * d
            now.append(b)
            d = d + momentum * b if o["nesterov"] else b
        p.sub_(lr * d)
    return now


def sgd(
    params: list[Tensor],
    d_p_list: list[Tensor],
    momentum_buffer_list: list[Tensor | None],
    has_sparse_grad: bool = False,
    foreach: bool | None = None,
    fused: bool | None = None,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
    *,
    weight_decay: float,
    momentum: float,
    lr: float,
    dampening: float,
    nesterov: bool,
    maximize: bool,
) -> None:
    """Perform one step of ``SGD`` on lists of parameters, gradients and momentum buffers (None before the first step), which are updated in place.

    >>> import minigrad
    >>> from minigrad.optim.sgd import sgd
    >>> p = [minigrad.tensor([1.])]
    >>> sgd(p, [minigrad.tensor([2.])], [None], weight_decay=0., momentum=0., lr=0.1, dampening=0., nesterov=False, maximize=False)
    >>> p
    [tensor([0.8000])]
    """
    if grad_scale is not None or found_inf is not None:
        raise AssertionError("Expected grad_scale and found_inf to be None")
    refuse_to_be_noted()
    _about_to_write(params)
    recorded = isinstance(lr, Tensor) and lr.requires_grad
    step = _recorded_step if recorded else _full_step
    momentum_buffer_list[: len(params)] = step(
        list(zip(params, d_p_list)), momentum_buffer_list, locals()
    ) or list(momentum_buffer_list)


_single_tensor_sgd = _multi_tensor_sgd = _fused_sgd = direct(sgd)
