"""What ``minigrad.save`` and ``minigrad.load`` do unless told otherwise; assign to change it."""

import sys
from typing import Any


class load:
    """Settings of ``minigrad.load``."""

    #: Whether files are mapped rather than read when ``mmap`` is not given.
    mmap = False
    #: The byte order of files that do not say theirs (a ``LoadEndianness``; None: little).
    endianness: Any = None
    #: ``mmap.MAP_PRIVATE`` (2) or ``mmap.MAP_SHARED`` (1).
    mmap_flags = None if sys.platform == "win32" else 2
    #: Accepted, without effect: where a storage lies is looked up, which costs microseconds.
    calculate_storage_offsets = False


class save:
    """Settings of ``minigrad.save``."""

    #: Whether each record gets a checksum, which other zip tools want and ``load`` does not read.
    compute_crc32 = True
    #: Storages begin at multiples of this many bytes.
    storage_alignment = 64
    #: Accepted, without effect: there is no device to copy from.
    use_pinned_memory_for_d2h = False
