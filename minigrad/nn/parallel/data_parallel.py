"""``DataParallel``, as programs use it whether or not there is a second device."""

from collections.abc import Sequence
from typing import Any

from ..._api import Tensor
from ..._api import device as _device
from ..modules.module import Module

__all__ = ["DataParallel", "data_parallel"]


class DataParallel(Module):
    """Call a module, available as ``module``, unchanged; PyTorch does the same without an accelerator.

    >>> import minigrad
    >>> list(minigrad.nn.DataParallel(minigrad.nn.Linear(2, 1)).state_dict())
    ['module.weight', 'module.bias']
    """

    device_ids: list[Any]

    def __init__(
        self,
        module: Any,
        device_ids: Sequence[int | _device] | None = None,
        output_device: int | _device | None = None,
        dim: int = 0,
    ) -> None:
        super().__init__()
        self.module = module
        self.device_ids = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self.module(*inputs, **kwargs)


def data_parallel(
    module: Module,
    inputs: Any,
    device_ids: Sequence[int | _device] | None = None,
    output_device: int | _device | None = None,
    dim: int = 0,
    module_kwargs: Any = None,
) -> Tensor:
    """Call ``module(*inputs, **module_kwargs)``: there are no devices to divide the inputs among.

    >>> import minigrad
    >>> minigrad.nn.parallel.data_parallel(minigrad.nn.ReLU(), minigrad.tensor([-1., 1.]))
    tensor([0., 1.])
    """
    arguments = inputs if isinstance(inputs, tuple) else (inputs,)
    return module(*arguments, **(module_kwargs or {}))
