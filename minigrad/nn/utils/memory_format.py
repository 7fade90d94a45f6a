"""The order in memory of the weights of convolutions."""

from typing import Any

from ..._api import memory_format as _memory_format
from ..modules import conv
from ..modules.module import Module

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]


def _convert(module, kinds, memory_format):
    for each in module.modules():
        if isinstance(each, kinds):
            each.weight.data = each.weight.detach().clone(memory_format=memory_format)
    return module


def convert_conv2d_weight_memory_format(module: Module, memory_format: _memory_format) -> Any:
    """Convert the weights of all 2-dimensional convolutions in a module to a memory format such as ``channels_last``; return the module.

    >>> import minigrad
    >>> conv = minigrad.nn.utils.convert_conv2d_weight_memory_format(minigrad.nn.Conv2d(2, 2, 3), minigrad.channels_last)
    >>> conv.weight.is_contiguous(memory_format=minigrad.channels_last)
    True
    """
    return _convert(module, (conv.Conv2d, conv.ConvTranspose2d), memory_format)


def convert_conv3d_weight_memory_format(module: Module, memory_format: _memory_format) -> Any:
    """Convert the weights of all 3-dimensional convolutions in a module to a memory format such as ``channels_last_3d``; return the module.

    >>> import minigrad
    >>> conv = minigrad.nn.utils.convert_conv3d_weight_memory_format(minigrad.nn.Conv3d(2, 2, 3), minigrad.channels_last_3d)
    >>> conv.weight.is_contiguous(memory_format=minigrad.channels_last_3d)
    True
    """
    return _convert(module, (conv.Conv3d, conv.ConvTranspose3d), memory_format)
