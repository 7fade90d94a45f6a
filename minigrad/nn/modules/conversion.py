"""Methods of ``Module`` that convert its parameters and buffers: to other dtypes, other memory."""

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from ..._api import _convert, _Device, device, empty_like, no_grad, preserve_format
from ..parameter import Parameter

_Self = TypeVar("_Self", bound=Any)  # Module, which is made of these


def _apply(self, fn, recurse=True):
    """Replace the data of all parameters and gradients, and all buffers, by what ``fn`` makes of them.

    ``minigrad.__future__`` says whether parameters are replaced as a whole, or swapped with new ones.
    """
    from ... import __future__ as settings

    if recurse:
        for module in self.children():
            module._apply(fn)
    swaps = settings.get_swap_module_params_on_conversion()
    overwrites = settings.get_overwrite_module_params_on_conversion()
    for name, parameter in self._parameters.items():
        if parameter is None:
            continue
        if swaps:
            _swap(self, name, parameter, fn)
            continue
        grad = parameter.grad
        with no_grad():
            converted = fn(parameter)
            converted_grad = None if grad is None else fn(grad)
        if overwrites or converted.device != parameter.device:
            self._parameters[name] = parameter = Parameter(converted, parameter.requires_grad)
            if grad is not None:
                parameter.grad = converted_grad.requires_grad_(grad.requires_grad)
            continue
        if grad is not None:
            parameter.grad = None  # it would not fit while the dtype changes
        parameter.data = converted
        if grad is not None:
            grad.data = converted_grad
            parameter.grad = grad
    for name, buffer in self._buffers.items():
        if buffer is not None:
            self._buffers[name] = fn(buffer)
    return self


def _swap(module, name, parameter, fn):
    """Exchange a parameter, and its gradient, with what ``fn`` makes of them."""
    from ...utils import swap_tensors

    grad = parameter.grad
    with no_grad():
        converted = Parameter(fn(parameter), parameter.requires_grad)
        converted_grad = None if grad is None else fn(grad).requires_grad_(grad.requires_grad)
    parameter.grad = None  # it would not fit while the dtype changes
    try:
        swap_tensors(parameter, converted)
    except RuntimeError as error:
        parameter.grad = grad
        raise RuntimeError(f"_apply(): Couldn't swap {module._get_name()}.{name}") from error
    if grad is not None:
        try:
            swap_tensors(grad, converted_grad)
        except RuntimeError as error:
            raise RuntimeError(f"_apply(): Couldn't swap {module._get_name()}.{name}.grad") from error
        parameter.grad = grad


def apply(self: _Self, fn: Callable[..., Any]) -> _Self:
    """Call ``fn(module)`` for every submodule, then for the module itself; return the module."""
    for module in self.children():
        module.apply(fn)
    fn(self)
    return self


def to(self: _Self, *args: Any, **kwargs: Any) -> _Self:
    """Convert floating parameters and buffers to a dtype, in place: ``to(dtype)``, ``to(device, dtype)``, ``to(tensor)``.

    Raises TypeError for a dtype that is neither floating nor complex.

    >>> import minigrad
    >>> minigrad.nn.Linear(1, 1).to(minigrad.float64).weight.dtype
    torch.float64
    """
    device_, dtype, _, memory_format = _convert.parse_to(args, kwargs)
    _convert.devices.check(device_)
    if dtype is not None:
        if not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
            )
        if dtype.is_complex:
            warnings.warn(
                "Complex modules are a new feature under active development whose design may change, and some modules "
                "might not work as expected when using complex tensors as parameters or buffers. Check the "
                "results of modules with complex parameters and buffers.",
                stacklevel=2,
            )

    def convert(x):
        wanted = dtype if dtype is not None and (x.is_floating_point() or x.is_complex()) else x.dtype
        if memory_format is not preserve_format and x.dim() in (4, 5):
            return x.to(wanted, memory_format=memory_format)
        if device_ is None:
            return x.to(wanted)
        if x.is_meta and not _convert.devices.is_meta(device_):
            raise NotImplementedError(
                "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving module from "
                "meta to a different device."
            )
        return x.to(device_, wanted)

    return self._apply(convert)


def type(self: _Self, dst_type: Any) -> _Self:
    """Convert all parameters and buffers to a type, in place."""
    return self._apply(lambda x: x.type(dst_type))


def _to_floating(self, dtype):
    return self._apply(lambda x: x.to(dtype) if x.is_floating_point() else x)


def float(self: _Self) -> _Self:
    """Convert all floating parameters and buffers to ``float32``, in place."""
    return self._to_floating(_convert.dtypes.float32)


def double(self: _Self) -> _Self:
    """Convert all floating parameters and buffers to ``float64``, in place."""
    return self._to_floating(_convert.dtypes.float64)


def half(self: _Self) -> _Self:
    """Convert all floating parameters and buffers to ``float16``, in place."""
    return self._to_floating(_convert.dtypes.float16)


def bfloat16(self: _Self) -> _Self:
    """Convert all floating parameters and buffers to ``bfloat16``, in place."""
    return self._to_floating(_convert.dtypes.bfloat16)


def cpu(self: _Self) -> _Self:
    """Return the module itself, which is on the CPU already."""
    return self._apply(lambda x: x.cpu())


def cuda(self: _Self, device: _Device = None) -> _Self:
    """Raise AssertionError: minigrad computes on the CPU only."""
    return self._apply(lambda x: x.cuda(device))


def _elsewhere(self, name, device_):
    _convert.devices.check(device(name) if device_ is None else device_)
    return self


def ipu(self: _Self, device: _Device = None) -> _Self:
    """Raise an error: minigrad computes on the CPU only."""
    return self._elsewhere("ipu", device)


def xpu(self: _Self, device: _Device = None) -> _Self:
    """Raise an error: minigrad computes on the CPU only."""
    return self._elsewhere("xpu", device)


def mtia(self: _Self, device: _Device = None) -> _Self:
    """Raise an error: minigrad computes on the CPU only."""
    return self._elsewhere("mtia", device)


def to_empty(self: _Self, *, device: _Device, recurse: bool = True) -> _Self:
    """Replace all parameters and buffers by uninitialised ones on a device, in place.

    This turns a module on ``meta`` into a real one.

    >>> import minigrad
    >>> module = minigrad.nn.Linear(2, 3, device="meta")
    >>> module.to_empty(device="cpu").weight.device
    device(type='cpu')
    """
    return self._apply(lambda x: empty_like(x, device=device), recurse)


def share_memory(self: _Self) -> _Self:
    """Move all parameters and buffers to memory that processes can share."""
    return self._apply(lambda x: x.share_memory_())
