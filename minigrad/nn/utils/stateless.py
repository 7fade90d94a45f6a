"""``functional_call`` where it was before ``func`` had it."""

import warnings
from typing import Any

from ..._api import Tensor, _functional_call, _lazy
from ..modules.module import Module

__all__ = ["functional_call"]


def functional_call(
    module: Module,
    parameters_and_buffers: dict[str, Tensor],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """A deprecated name for ``func.functional_call``.

    >>> import minigrad
    >>> linear = minigrad.nn.Linear(2, 1)
    >>> with minigrad.no_grad(): y = minigrad.func.functional_call(linear, {"weight": minigrad.tensor([[3., 4.]]), "bias": minigrad.tensor([0.])}, minigrad.tensor([[1., 1.]]))
    >>> y
    tensor([[7.]])
    """
    warnings.warn(
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a future "
        "version of PyTorch. `torch.func.functional_call` takes the same arguments.",
        FutureWarning,
        stacklevel=2,
    )
    return _functional_call(
        module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict
    )


# Names that libraries import.
_later = _lazy.places({"func.modules": "_reparametrize_module=holding _untie_named_tensors_map=tied"})


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())
