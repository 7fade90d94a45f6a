"""The types of 2017 of sparse tensors on CUDA: they can be named, and there are no tensors of them."""

from .._devices.typed import tensor_types

__all__ = tensor_types(globals())
