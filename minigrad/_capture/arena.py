"""One piece of memory for all buffers of a plan, given out block by block."""

import bisect

import numpy as np

__all__ = ["Arena"]

#: Where large blocks begin, in bytes; small ones at multiples of the other.
_LINE, _SMALL = 64, 16
#: The fewest bytes for which free blocks that lie side by side become one.
_PAGE = 4096
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
            return offset, size
        if size >= _PAGE and (offset := self._part_of_neighbours(size)) is not None:
            return offset, size
        offset = -(-self.size // step) * step
        self.size = offset + size
        return offset, size

    def _part_of_neighbours(self, size):
        """Where a block begins that is a part of free ones which lie side by side, the fewest bytes that are enough, or the last ones of all, which may grow; None if there is none."""
        runs = []  # [offset, end] of free bytes
        for offset, end in sorted((offset, offset + size) for size, offset in self.free):
            if runs and offset == runs[-1][1]:
                runs[-1][1] = end
            else:
                runs.append([offset, end])
        starts = [-(-offset // _LINE) * _LINE for offset, _ in runs]
        enough = [
            (end - start, i) for i, (start, (_, end)) in enumerate(zip(starts, runs)) if end - start >= size
        ]
        if enough:
            _, i = min(enough)
        elif runs and runs[-1][1] == self.size:
            i = len(runs) - 1
        else:
            return None
        start, (low, high) = starts[i], runs[i]
        self.free = [(size, offset) for size, offset in self.free if not low <= offset < high]
        self.size = max(self.size, start + size)
        if high > start + size:
            self.give_back((start + size, high - start - size))
        return start

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
