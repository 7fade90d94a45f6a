"""Copies of tensors between CUDA's devices: there are none."""

from typing import Any

from .._api import Tensor
from .._devices.absent import CUDA

__all__ = ["broadcast", "broadcast_coalesced", "gather", "reduce_add", "reduce_add_coalesced", "scatter"]


def broadcast(tensor: Tensor, devices: Any = None, *, out: Any = None) -> None:
    """Copies of a tensor, of its shape, on several devices: raises AttributeError, as there are none.

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
    """Copies of several tensors on several devices: raises AttributeError, as there are none.

    >>> import minigrad
    >>> minigrad.cuda.comm.broadcast_coalesced([minigrad.ones(2)], [0])
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_broadcast_coalesced': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    CUDA.missing("_broadcast_coalesced")


def gather(tensors: Any, dim: int = 0, destination: Any = None, *, out: Any = None) -> None:
    """Tensors of several devices, joined along a dimension: raises AttributeError, as there are no devices.

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
    """Pieces of a tensor along a dimension, each on a device: raises AttributeError, as there are none.

    >>> import minigrad
    >>> minigrad.cuda.comm.scatter(minigrad.ones(2), [0])
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_scatter': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    CUDA.missing("_scatter")


def reduce_add(inputs: Any, destination: Any = None) -> Any:
    """The sum of tensors that are on several devices: raises AssertionError, as these are in the CPU's memory.

    >>> import minigrad
    >>> minigrad.cuda.comm.reduce_add([minigrad.ones(2)])
    Traceback (most recent call last):
        ...
    AssertionError: reduce_add expects all inputs to be on GPUs, but input 0 is on CPU
    """
    inputs[0].get_device()  # raises for what is no tensor, or no list of some
    raise AssertionError("reduce_add expects all inputs to be on GPUs, but input 0 is on CPU")


def reduce_add_coalesced(inputs: Any, destination: Any = None, buffer_size: int = 10485760) -> Any:
    """The sums of several tensors that are on several devices: raises AssertionError, as these are in the CPU's memory.

    >>> import minigrad
    >>> minigrad.cuda.comm.reduce_add_coalesced([[minigrad.ones(2)]])
    Traceback (most recent call last):
        ...
    AssertionError: reduce_add expects all inputs to be on GPUs, but input 0 is on CPU
    """
    return [reduce_add(list(same)) for same in zip(*inputs)]
