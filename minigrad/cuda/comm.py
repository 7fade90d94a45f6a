"""Communication between CUDA devices: its functions raise, because there are no devices."""

from typing import Any

from .._api import Tensor
from .._devices.absent import CUDA

__all__ = ["broadcast", "broadcast_coalesced", "gather", "reduce_add", "reduce_add_coalesced", "scatter"]


def broadcast(tensor: Tensor, devices: Any = None, *, out: Any = None) -> None:
    """Copy a tensor to several devices: raises AttributeError, because there are none.

    >>> import minigrad
    >>> minigrad.cuda.comm.broadcast(minigrad.ones(2), [0])
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_broadcast': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    if (devices is None) is (out is None):
        raise RuntimeError(
            f"Exactly one of 'devices' and 'out' must be specified, but got devices={devices} and out={out}"
        )
    CUDA.missing("_broadcast")


def broadcast_coalesced(tensors: Any, devices: Any, buffer_size: int = 10485760) -> None:
    """Copy several tensors to several devices: raises AttributeError, because there are none.

    >>> import minigrad
    >>> minigrad.cuda.comm.broadcast_coalesced([minigrad.ones(2)], [0])
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_broadcast_coalesced': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    CUDA.missing("_broadcast_coalesced")


def gather(tensors: Any, dim: int = 0, destination: Any = None, *, out: Any = None) -> None:
    """Concatenate tensors from several devices along a dimension: raises AttributeError, because there are no devices.

    >>> import minigrad
    >>> minigrad.cuda.comm.gather([minigrad.ones(2)])
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_gather': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    CUDA.missing("_gather")


def scatter(
    tensor: Tensor,
    devices: Any = None,
    chunk_sizes: Any = None,
    dim: int = 0,
    streams: Any = None,
    *,
    out: Any = None,
) -> None:
    """Split a tensor along a dimension across several devices: raises AttributeError, because there are none.

    >>> import minigrad
    >>> minigrad.cuda.comm.scatter(minigrad.ones(2), [0])
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_scatter': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    CUDA.missing("_scatter")


def reduce_add(inputs: Any, destination: Any = None) -> Any:
    """Sum tensors from several devices: raises AssertionError, because these are CPU tensors.

    >>> import minigrad
    >>> minigrad.cuda.comm.reduce_add([minigrad.ones(2)])
    Traceback (most recent call last):
        ...
    AssertionError: reduce_add expects all inputs to be on GPUs, but input 0 is on CPU
    """
    inputs[0].get_device()  # raises for what is no tensor, or no list of some
    raise AssertionError("reduce_add expects all inputs to be on GPUs, but input 0 is on CPU")


def reduce_add_coalesced(inputs: Any, destination: Any = None, buffer_size: int = 10485760) -> Any:
    """Sum several tensors from several devices: raises AssertionError, because these are CPU tensors.

    >>> import minigrad
    >>> minigrad.cuda.comm.reduce_add_coalesced([[minigrad.ones(2)]])
    Traceback (most recent call last):
        ...
    AssertionError: reduce_add expects all inputs to be on GPUs, but input 0 is on CPU
    """
    return [reduce_add(list(same)) for same in zip(*inputs)]
