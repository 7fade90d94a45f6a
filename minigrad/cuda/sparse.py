"""The legacy types of sparse CUDA tensors: they exist by name, but have no instances."""

from .._devices.typed import tensor_types

__all__ = tensor_types(globals())
