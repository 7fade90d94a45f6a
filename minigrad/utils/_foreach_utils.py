"""What optimizers of other libraries ask before they work on many tensors at once: ``torch.utils._foreach_utils``."""

from .._api import Tensor, no_grad
from .._ops.flat_tensors import group_by_device_and_dtype

_foreach_supported_types = [Tensor]
_ACCELERATORS = ("cuda", "xpu", "mtia", "privateuseone")


def _get_foreach_kernels_supported_devices():
    """The kinds of accelerators for which PyTorch has functions of many tensors."""
    return [*_ACCELERATORS]


def _get_fused_kernels_supported_devices():
    """The kinds of devices for which optimizers accept ``fused=True``."""
    return ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]


@no_grad()
def _group_tensors_by_device_and_dtype(tensorlistlist, with_indices=False):
    """Lists of tensors, which run parallel, in parts: (device, dtype) of the first one's tensors -> (the lists' parts, the places).

    Places are noted ``with_indices``.  Lists but the first may hold None, or be empty.  Raises RuntimeError for no list, lists of different
    lengths, or None in the first.
    """
    return group_by_device_and_dtype(tensorlistlist, with_indices)


def _device_has_foreach_support(device):
    """Whether functions of many tensors (``_foreach_add``, ...) work on a device."""
    return device.type in (*_ACCELERATORS, "cpu")


def _has_foreach_support(tensors, device):
    """Whether they work for these tensors: plain ones, or None, on such a device."""
    return _device_has_foreach_support(device) and all(
        tensor is None or type(tensor) in _foreach_supported_types for tensor in tensors
    )
