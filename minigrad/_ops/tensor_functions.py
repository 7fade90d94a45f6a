"""Methods of tensors that are functions, too, and questions that only quantized tensors answer."""

from .._base.errors import not_a_tensor
from .._base.guards import explain
from .._core.tensor import Tensor

__all__ = [
    "as_strided_", "detach", "detach_", "get_device", "is_distributed", "q_per_channel_axis", "q_per_channel_scales",
    "q_per_channel_zero_points", "q_scale", "q_zero_point",
]
METHODS = "pin_memory q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point"


def _tensor(function, input):
    if not isinstance(input, Tensor):
        raise not_a_tensor(function, "input", 1, input)
    return input


def detach(input):
    """Return a view without gradient history: ``input.detach()``.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.detach(minigrad.ones(2, requires_grad=True))
    tensor([1., 1.])
    """
    return _tensor("detach", input).detach()


def detach_(input):
    """Forget the gradient history of the tensor itself: ``input.detach_()``; raise RuntimeError for a view.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.detach_(minigrad.ones(2, requires_grad=True) * 2)
    tensor([2., 2.])
    """
    return _tensor("detach_", input).detach_()


def get_device(input):
    """Return the index of the tensor's device: -1 for the CPU.

    >>> import minigrad
    >>> minigrad.get_device(minigrad.ones(2))
    -1
    """
    return _tensor("get_device", input).get_device()


def is_distributed(input):
    """Return whether the tensor is distributed over several processes: always False.

    >>> import minigrad
    >>> minigrad.is_distributed(minigrad.ones(2))
    False
    """
    return _tensor("is_distributed", input).is_distributed()


def as_strided_(input, size, stride, storage_offset=None):
    """Change the tensor's size, strides and offset in place: ``input.as_strided_(size, stride, storage_offset)``.

    >>> import minigrad
    >>> minigrad.as_strided_(minigrad.arange(4.), (2,), (2,))
    tensor([0., 2.])
    """
    return _tensor("as_strided_", input).as_strided_(size, stride, storage_offset)


def pin_memory(input, device=None):
    """Raise RuntimeError: there is no accelerator to pin memory for, which raises in PyTorch too.

    >>> import minigrad
    >>> minigrad.ones(2).pin_memory()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available.
    """
    explain(pin_memory, {"input": input, "device": device})
    raise RuntimeError("Cannot access accelerator device when none is available.")


# Quantized tensors: there are none -------------------------------------------------------------------------------------------------


def _refuse(name, input):
    _tensor(name, input)
    raise NotImplementedError(
        f"Could not run 'aten::{name}' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and "
        "minigrad has none."
    )


def q_scale(input):
    """Raise NotImplementedError: only quantized tensors have a scale.

    >>> import minigrad
    >>> try:
    ...     minigrad.q_scale(minigrad.ones(2))
    ... except NotImplementedError as error:
    ...     print(str(error)[:71])
    Could not run 'aten::q_scale' with arguments from the 'CPU' backend: it
    """
    _refuse("q_scale", input)


def q_zero_point(input):
    """Raise NotImplementedError: only quantized tensors have a zero point.

    >>> import minigrad
    >>> minigrad.q_zero_point(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_zero_point' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
    _refuse("q_zero_point", input)


def q_per_channel_scales(input):
    """Raise NotImplementedError: only quantized tensors have scales.

    >>> import minigrad
    >>> minigrad.q_per_channel_scales(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_per_channel_scales' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
    _refuse("q_per_channel_scales", input)


def q_per_channel_zero_points(input):
    """Raise NotImplementedError: only quantized tensors have zero points.

    >>> import minigrad
    >>> minigrad.q_per_channel_zero_points(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_per_channel_zero_points' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
    _refuse("q_per_channel_zero_points", input)


def q_per_channel_axis(input):
    """Raise NotImplementedError: only quantized tensors have a quantization axis.

    >>> import minigrad
    >>> minigrad.q_per_channel_axis(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_per_channel_axis' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
    _refuse("q_per_channel_axis", input)
