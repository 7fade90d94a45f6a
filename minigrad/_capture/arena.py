"""One piece of memory for all buffers of a plan, given out block by block."""

import bisect

import numpy as np

__all__ = ["Arena"]

#: Where large blocks begin, in bytes; small ones at multiples of the other.
_LINE, _SMALL = 64, 16
#: How many times as large as needed a block may be that is taken again.
_MOST = 4


class Arena:
    """Blocks are pairs of offset and size; those that are given back are taken again, the smallest first that is large enough."""

    def __init__(self):
        self.size = 0
        self.free = []  # (size, offset), in that order

    def take(self, nbytes):
        """A block of at least so many bytes."""
        step = _LINE if nbytes >= _LINE else _SMALL
        size = max(-(-nbytes // step), 1) * step
        found = bisect.bisect_left(self.free, (size, 0))
        if found < len(self.free) and self.free[found][0] <= _MOST * size:
            size, offset = self.free.pop(found)
        else:
            offset = -(-self.size // step) * step
            self.size = offset + size
        return offset, size

    def give_back(self, block):
        """Let a block be taken again."""
        offset, size = block
        bisect.insort(self.free, (size, offset))

    def memory(self):
        """The bytes of all blocks; the first begins where a cache line does, unless they are few."""
        spare = _LINE if self.size >= _LINE * _LINE else 0
        whole = np.empty(self.size + spare, np.uint8)
        start = -whole.ctypes.data % spare if spare else 0
        return whole[start : start + self.size]
