"""Images whose channels lie closest together in memory (``minigrad.channels_last``): results of images take the order of their operands."""

import numpy as np


def is_channels_last(x):
    """Whether the strides of ``x`` (N, C, ...), with two or three axes of space, say that its channels lie closest together."""
    if x.ndim not in (4, 5) or not x.strides[1] or not x.size:
        return False
    least = 0
    for axis in (1, *range(x.ndim - 1, 1, -1), 0):
        stride = x.strides[axis]
        fits_both = axis == 0 and least == x.strides[1]
        if stride < least or fits_both:
            return False
        least = stride * max(x.shape[axis], 1)
    return True


def ordered_as(z, x):
    """``z`` dense in memory, with its channels closest together if those of ``x`` are."""
    if x.flags.c_contiguous or not is_channels_last(x):
        return z if z.flags.c_contiguous else z.copy()
    last = np.ascontiguousarray(z.transpose(0, *range(2, z.ndim), 1))
    return last.transpose(0, z.ndim - 1, *range(1, z.ndim - 1))
