"""Tensors as the contiguous arrays that travel, and back."""

import numpy as np

from .._api import Tensor, no_grad


def check_tensor(value, name):
    if not isinstance(value, Tensor):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type torch.Tensor\n             but got {type(value)} instead."
        )


def check_tensors(values, name):
    if not isinstance(values, (list, tuple)) or not all(isinstance(value, Tensor) for value in values):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n             but got {type(values)} instead."
        )


def check_dtypes(*tensors):
    for tensor in tensors[1:]:
        if tensor.dtype != tensors[0].dtype:
            raise ValueError(
                f"Invalid usage of tensors with different dtypesFound {tensors[0].dtype} and  {tensor.dtype}"
            )


def direct(tensor):
    """Whether the tensor's own array can travel."""
    return tensor._array.flags.c_contiguous and not tensor.is_conj()


def source(tensor, copied=False):
    """A contiguous array of the tensor's values: its own one if that is contiguous, unless a copy is asked for."""
    array = tensor.detach().resolve_conj()._array
    return array.copy() if copied else np.ascontiguousarray(array).reshape(array.shape)


def target(tensor):
    """A contiguous array to write to, which ``deliver`` brings into the tensor."""
    return tensor._array if direct(tensor) else np.empty(tuple(tensor.shape), tensor._array.dtype)


def deliver(tensor, array):
    """Let the tensor have the values of an array: nothing to do if it is the tensor's own."""
    if array is tensor._array:
        return
    if tensor.is_conj():
        with no_grad():
            tensor.detach().copy_(_tensor_of(array))
    else:
        np.copyto(tensor._array, array.reshape(tensor._array.shape))


def _tensor_of(array):
    from .._api import from_numpy

    return from_numpy(array)


def in_place(tensor):
    """The array of a tensor that is read and written."""
    return tensor._array if direct(tensor) else source(tensor, copied=True)
