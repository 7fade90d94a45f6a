"""Storages in files as PyTorch's oldest format has them: the number of elements in eight bytes, then the elements, all little-endian."""

import sys

import numpy as np

from .._arrays.memory_layout import BYTE

__all__: list[str] = []


def write_file(self, f, is_real_file, save_size, element_size):
    """Write the elements, of ``element_size`` bytes each, to a binary file, after their number if ``save_size``."""
    memory = self._untyped_storage._elements
    if save_size:
        f.write((len(memory) // element_size).to_bytes(8, "little"))
    f.write(_little(memory, element_size).tobytes())


def read(f, element_size):
    """The bytes that ``write_file`` has written with their number; raises RuntimeError if there are fewer."""
    nbytes = int.from_bytes(f.read(8), "little") * element_size
    try:
        data = f.read(nbytes)
    except (MemoryError, OverflowError):  # the number is no number of elements
        data = b""
    if len(data) < nbytes:
        raise RuntimeError(f"unexpected EOF, expected {nbytes - len(data)} more bytes. The file might be corrupted.")
    return _little(np.frombuffer(data, BYTE), element_size)


def _little(memory, element_size):
    """Bytes of elements with their order turned, if this machine's is not that of files."""
    if sys.byteorder == "little" or element_size == 1:
        return memory
    return memory.view(f"u{element_size}").byteswap().view(BYTE)


def _from_file(cls, f, element_size):
    """The storage that ``_write_file`` wrote, with its size, to a binary file."""
    return cls.of(read(f, element_size).copy())


def set_from_file(self, f, offset, is_real_file, element_size):
    """Read what ``_write_file`` wrote, with its size, from ``offset`` of a binary file (None: where it is); raises RuntimeError if it is of another size."""
    if offset is not None:
        f.seek(offset)
    data = read(f, element_size)
    if len(data) != self.nbytes():
        raise RuntimeError(f"storage has wrong byte size: expected {self.nbytes()} got {len(data)}")
    self._elements[...] = data
    return self


new_with_file = classmethod(_from_file)
_from_file.__name__ = _from_file.__qualname__ = "_new_with_file"
