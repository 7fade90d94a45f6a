"""Gradients cut down: all of them together to a norm, or each element to a range."""

import types
import warnings
from collections.abc import Iterable

from ..._api import Tensor, _moments, clamp, isfinite, no_grad, stack, tensor

__all__ = ["clip_grad_norm", "clip_grad_norm_", "clip_grad_value_"]


def _as_list(tensors):
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


@no_grad()
def _get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all elements of some tensors, as a number; raises RuntimeError if that is not finite and ``error_if_nonfinite``.

    ``foreach`` chooses an implementation in PyTorch; here there is one.

    >>> import minigrad
    >>> minigrad.nn.utils.get_total_norm([minigrad.tensor([3.]), minigrad.tensor([4.])])
    tensor(5.)
    """
    tensors, norm_type = _as_list(tensors), float(norm_type)
    if not tensors:
        return tensor(0.0)
    norm = _moments.vector_norm
    tensors = [x.coalesce()._values() if x.is_sparse else x for x in tensors]
    total = norm(stack([norm(x, norm_type) for x in tensors]), norm_type)
    if error_if_nonfinite and not isfinite(total):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be clipped. "
            "Pass `error_if_nonfinite=False` to scale them by it anyway."
        )
    return total


@no_grad()
def _clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scale the gradients of some parameters, in place, by ``max_norm / total_norm`` if that is less than 1.

    >>> import minigrad
    >>> w = minigrad.nn.Parameter(minigrad.zeros(2))
    >>> w.grad = minigrad.tensor([3., 4.])
    >>> minigrad.nn.utils.clip_grads_with_norm_([w], max_norm=1., total_norm=minigrad.tensor(5.))
    >>> w.grad
    tensor([0.6000, 0.8000])
    """
    grads = [p.grad for p in _as_list(parameters) if p.grad is not None]
    if not grads:
        return
    scale = clamp(float(max_norm) / (total_norm + 1e-6), max=1.0)
    if scale.ndim and foreach is not False:
        raise RuntimeError(
            f"scalar tensor expected to be 0 dim but it has {scale.ndim} dimensions and {scale.numel()} elements."
        )
    for grad in grads:
        grad.mul_(scale)


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale the gradients of some parameters in place so that the norm of all their elements together is at most ``max_norm``.

    Returns the norm before scaling. Raises RuntimeError if it is not finite and ``error_if_nonfinite``. [Pascanu et al. 2013]

    >>> import minigrad
    >>> x = minigrad.tensor([1., 1.], requires_grad=True)
    >>> (x * minigrad.tensor([3., 4.])).sum().backward()
    >>> minigrad.nn.utils.clip_grad_norm_(x, 1.0), x.grad
    (tensor(5.), tensor([0.6000, 0.8000]))
    """
    generated = isinstance(parameters, types.GeneratorType)
    parameters = _as_list(parameters)
    if generated and not parameters:
        warnings.warn(
            "`parameters` is an empty generator, no gradient clipping will occur.",
            stacklevel=2,
        )
    grads = [p.grad for p in parameters if p.grad is not None]
    norm = _get_total_norm(grads, norm_type, error_if_nonfinite, foreach)
    _clip_grads_with_norm_(parameters, max_norm, norm, foreach)
    return norm


def clip_grad_norm(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """A deprecated name for ``clip_grad_norm_``.

    >>> import minigrad
    >>> w = minigrad.nn.Parameter(minigrad.zeros(2))
    >>> w.grad = minigrad.tensor([3., 4.])
    >>> minigrad.nn.utils.clip_grad_norm([w], max_norm=1.)
    tensor(5.)
    """
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


@no_grad()
def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Clamp the elements of the gradients of some parameters, in place, to [``-clip_value``, ``clip_value``].

    >>> import minigrad
    >>> w = minigrad.nn.Parameter(minigrad.zeros(2))
    >>> w.grad = minigrad.tensor([3., -0.5])
    >>> minigrad.nn.utils.clip_grad_value_([w], 1.)
    >>> w.grad
    tensor([ 1.0000, -0.5000])
    """
    clip_value = float(clip_value)
    for parameter in _as_list(parameters):
        if parameter.grad is not None:
            parameter.grad.clamp_(-clip_value, clip_value)
