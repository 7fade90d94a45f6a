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
    """The same memory without history: ``input.detach()``.

    Shape and dtype stay.

    >>> import minigrad
    >>> minigrad.detach(minigrad.ones(2, requires_grad=True))
    tensor([1., 1.])
    """
    return _tensor("detach", input).detach()


def detach_(input):
    """Forget the history of the very tensor: ``input.detach_()``; raises RuntimeError for a view.

    Shape and dtype stay.

    >>> import minigrad
    >>> minigrad.detach_(minigrad.ones(2, requires_grad=True) * 2)
    tensor([2., 2.])
    """
    return _tensor("detach_", input).detach_()


def get_device(input):
    """The number of the tensor's device: -1, the CPU's.

    >>> import minigrad
    >>> minigrad.get_device(minigrad.ones(2))
    -1
    """
    return _tensor("get_device", input).get_device()


def is_distributed(input):
    """Whether the tensor is spread over several processes: never.

    >>> import minigrad
    >>> minigrad.is_distributed(minigrad.ones(2))
    False
    """
    return _tensor("is_distributed", input).is_distributed()


def as_strided_(input, size, stride, storage_offset=None):
    """Make the tensor look at its memory in another way: ``input.as_strided_(size, stride, storage_offset)``.

    >>> import minigrad
    >>> minigrad.as_strided_(minigrad.arange(4.), (2,), (2,))
    tensor([0., 2.])
    """
    return _tensor("as_strided_", input).as_strided_(size, stride, storage_offset)


def pin_memory(input, device=None):
    """Memory from which an accelerator could read at once: raises RuntimeError, as PyTorch does where there is no accelerator.

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
    """The scale of a quantized tensor: raises NotImplementedError, as for any tensor that is not quantized.

    >>> import minigrad
    >>> try:
    ...     minigrad.q_scale(minigrad.ones(2))
    ... except NotImplementedError as error:
    ...     print(str(error)[:71])
    Could not run 'aten::q_scale' with arguments from the 'CPU' backend: it
    """
    _refuse("q_scale", input)


def q_zero_point(input):
    """As ``q_scale``: for quantized tensors only.

    >>> import minigrad
    >>> minigrad.q_zero_point(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_zero_point' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
    _refuse("q_zero_point", input)


def q_per_channel_scales(input):
    """As ``q_scale``: for quantized tensors only.

    >>> import minigrad
    >>> minigrad.q_per_channel_scales(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_per_channel_scales' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
    _refuse("q_per_channel_scales", input)


def q_per_channel_zero_points(input):
    """As ``q_scale``: for quantized tensors only.

    >>> import minigrad
    >>> minigrad.q_per_channel_zero_points(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_per_channel_zero_points' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
    _refuse("q_per_channel_zero_points", input)


def q_per_channel_axis(input):
    """As ``q_scale``: for quantized tensors only.

    >>> import minigrad
    >>> minigrad.q_per_channel_axis(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_per_channel_axis' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
    _refuse("q_per_channel_axis", input)
