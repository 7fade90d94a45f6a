"""The zip archives that hold checkpoints, as PyTorch lays them out: uncompressed records, aligned to 64 bytes.

An own reader and writer, because ``zipfile`` can do neither of the two things that matter here: say where in the file
a record's bytes begin, so that they can be mapped, and put them at an aligned place.  A record is a name and bytes,
never a path on a disk; nothing is ever extracted.  ``serialization.py`` decides what the records are.
"""

import io
import struct
import warnings
import zlib
from typing import Any

import numpy as np

from .._base.callers import level_of_user

LOCAL = struct.Struct("<4s5H3I2H")
CENTRAL = struct.Struct("<4s6H3I5H2I")
END = struct.Struct("<4s4H2IH")
END64 = struct.Struct("<4sQ2H2I4Q")
LOCATOR64 = struct.Struct("<4sIQI")
STORED, DEFLATED = 0, 8
MAX32 = 0xFFFFFFFF
#: The most that a compressed archive may grow, by a factor and in bytes, before it is taken for a bomb.
GROWTH, GROWTH_BYTES = 100, 1 << 26


def broken(what, doing="reading zip archive"):
    """The error for an archive that cannot be read."""
    return RuntimeError(
        f"PytorchStreamReader failed {doing}: {what}. There is a high likelihood that your checkpoint file is "
        "corrupted. This can happen if the checkpoint was not saved properly, was transferred incorrectly, or the file "
        "was modified after saving."
    )


class Record:
    """Where in the archive a record lies, and its checksum (0: it has none)."""

    __slots__ = ("checksum", "header", "method", "packed", "size")

    def __init__(self, header, packed, size, method, checksum):
        self.header, self.packed, self.size, self.method, self.checksum = (
            header,
            packed,
            size,
            method,
            checksum,
        )


class Reader:
    """An archive in ``file``, a binary file that can seek, from its current position to its end.

    Raises RuntimeError if it is none, or is damaged, or would grow beyond measure when unpacked.  Unless ``checksums`` is False, it
    warns of storages whose bytes are not those of their checksums, and other such records are damaged.
    """

    def __init__(self, file: Any, checksums: bool = True) -> None:
        self.file, self.checksums = file, checksums
        self.start = file.tell()
        self.length = file.seek(0, io.SEEK_END) - self.start
        self.records = {}
        self._read_directory()

    def _at(self, offset, size):
        self.file.seek(self.start + offset)
        data = self.file.read(size)
        if len(data) != size:
            raise broken("the file ends too early")
        return data

    def _read_directory(self):
        if self.length < END.size:
            raise broken("not a ZIP archive")
        tail_size = min(self.length, END.size + 0xFFFF)
        tail = self._at(self.length - tail_size, tail_size)
        end = tail.rfind(b"PK\5\6", 0, tail_size - END.size + 4)
        if end < 0:
            raise broken("failed finding central directory")
        _, _, _, _, count, size, offset, _ = END.unpack_from(tail, end)
        end += self.length - tail_size
        if end >= LOCATOR64.size:
            magic, _, end64, _ = LOCATOR64.unpack(self._at(end - LOCATOR64.size, LOCATOR64.size))
            if magic == b"PK\6\7":
                if end64 + END64.size > end:
                    raise broken("invalid header or archive is corrupted")
                magic, *_, count, size, offset = END64.unpack(self._at(end64, END64.size))
                if magic != b"PK\6\6":
                    raise broken("invalid header or archive is corrupted")
                end = end64
        if offset + size > end or count * CENTRAL.size > size:
            raise broken("invalid header or archive is corrupted")
        self._read_entries(self._at(offset, size), count, offset)

    def _read_entries(self, directory, count, limit):
        at, entries, packed_total, total = 0, [], 0, 0
        for _ in range(count):
            if at + CENTRAL.size > len(directory):
                raise broken("invalid header or archive is corrupted")
            (
                magic,
                _,
                _,
                flags,
                method,
                _,
                _,
                checksum,
                packed,
                size,
                n_name,
                n_extra,
                n_comment,
                _,
                _,
                _,
                header,
            ) = CENTRAL.unpack_from(directory, at)
            at += CENTRAL.size
            name, extra = directory[at : at + n_name], directory[at + n_name : at + n_name + n_extra]
            at += n_name + n_extra + n_comment
            if magic != b"PK\1\2" or at > len(directory):
                raise broken("invalid header or archive is corrupted")
            size, packed, header = _long_fields(extra, size, packed, header)
            name = name.decode("utf-8", "replace")
            if flags & 1 or method not in (STORED, DEFLATED):
                raise broken(f"record {name} is encrypted or compressed by an unknown method")
            if method == STORED and packed != size:
                raise broken(f"record {name} has two sizes")
            entries.append((header, name, LOCAL.size + n_name + packed))
            self._add(name, Record(header, packed, size, method, checksum))
            packed_total, total = packed_total + packed, total + size
        entries.sort()
        for (header, name, extent), following in zip(entries, [entry[0] for entry in entries[1:]] + [limit]):
            if header + extent > following:  # records that share bytes can unpack to any size
                raise broken(f"record {name} overlaps with what follows it")
        if total > GROWTH_BYTES and total > GROWTH * max(packed_total, 1):
            raise broken(f"its {self.length} bytes would unpack to {total}: it looks like a zip bomb")

    def _add(self, name, record):
        top, slash, inner = name.partition("/")
        if not self.records:
            if not slash:
                raise RuntimeError(f"file in archive is not in a subdirectory: {name}")
            self.name = top
        if top != self.name or not slash:
            return  # not a record: PyTorch, too, sees only the directory that comes first
        if inner in self.records:
            raise broken(f"record {name} is there twice")
        self.records[inner] = record

    def __contains__(self, name: str) -> bool:
        return name in self.records

    def _find(self, name):
        try:
            return self.records[name]
        except KeyError:
            raise broken("file not found", f"locating file {name}") from None

    def offset(self, name: str) -> Any:
        """Where in the file a record's bytes begin; None if they are compressed."""
        record = self._find(name)
        if record.method != STORED:
            return None
        return self.start + self._begin(record)

    def _begin(self, record):
        magic, *_, n_name, n_extra = LOCAL.unpack(self._at(record.header, LOCAL.size))
        begin = record.header + LOCAL.size + n_name + n_extra
        if magic != b"PK\3\4" or begin + record.packed > self.length:
            raise broken("invalid header or archive is corrupted")
        return begin

    def size(self, name: str) -> Any:
        """The number of bytes in a record."""
        return self._find(name).size

    def read(self, name: str) -> Any:
        """The bytes of a record."""
        return self.read_array(name).tobytes()

    def read_array(self, name: str) -> Any:
        """The bytes of a record, as a new array of ``uint8``."""
        record = self._find(name)
        begin = self._begin(record)
        out = np.empty(record.size, np.uint8)
        self.file.seek(self.start + begin)
        if record.method == STORED:
            if read_into(self.file, out):
                raise broken("the file ends too early", f"reading file {name}")
        else:
            self._inflate(record, out, name)
        if record.checksum and self.checksums and zlib.crc32(out.data) != record.checksum:
            self._changed(name)
        return out

    def _changed(self, name):
        """Say that a record's bytes are not those of its checksum.  Those of storages may have been written to on purpose, by mapping the file."""
        if not name.startswith("data/"):
            raise broken("CRC-32 check failed", f"reading file {name}")
        warnings.warn(
            f"The bytes of record {name} have changed since the checkpoint was saved (CRC-32 check failed): some numbers may be wrong.",
            stacklevel=level_of_user(),
        )

    def _inflate(self, record, out, name):
        machine, done, left, memory = zlib.decompressobj(-15), 0, record.packed, out.data
        try:
            while left and not machine.eof:
                packed = self.file.read(min(left, 1 << 20))
                left -= len(packed)
                while packed and not machine.eof:
                    part = machine.decompress(packed, record.size - done + 1)
                    packed = machine.unconsumed_tail
                    if done + len(part) > record.size:
                        raise broken("it is longer than it says", f"reading file {name}")
                    memory[done : done + len(part)] = part
                    done += len(part)
        except zlib.error as error:
            raise broken(error, f"reading file {name}") from None
        if done != record.size:
            raise broken("decompression ended too early", f"reading file {name}")


def _long_fields(extra, size, packed, header):
    """The sizes and the place of an entry, where its extra field has them in 64 bits."""
    if MAX32 not in (size, packed, header):
        return size, packed, header
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        at += 4
        if kind == 1:
            values = iter(struct.unpack_from(f"<{min(length, len(extra) - at) // 8}Q", extra, at))
            return tuple(next(values, MAX32) if short == MAX32 else short for short in (size, packed, header))
        at += length
    return size, packed, header


def _long_extra(size, packed, header):
    """The extra field of an entry with the numbers that need 64 bits; empty if none does."""
    fields = ([size, packed] if size >= MAX32 else []) + ([header] if header >= MAX32 else [])
    return struct.pack(f"<HH{len(fields)}Q", 1, 8 * len(fields), *fields) if fields else b""


def read_into(file: Any, out: Any) -> Any:
    """Fill ``out``, an array of bytes, from a file; returns how many bytes the file is short of."""
    memory, done = memoryview(out), 0
    readinto = getattr(file, "readinto", None)
    while done < len(memory):
        if readinto is not None:
            n = readinto(memory[done:])
        else:
            part = file.read(min(len(memory) - done, 1 << 26))
            n = len(part)
            memory[done : done + n] = part
        if not n:
            break
        done += n
    return len(memory) - done


def write_all(file: Any, data: Any) -> None:
    """Write bytes to a file, also to an unbuffered one that takes only part of them at a time."""
    data = memoryview(data)
    while len(data):
        n = file.write(data)
        if n is None or n >= len(data):
            return
        data = data[n:]


class Writer:
    """Writes an archive to ``file``, record by record; ``close`` writes the directory.

    Byte for byte what PyTorch writes, whose faster readers compute where a record begins instead of looking.
    """

    def __init__(self, file: Any, name: str, checksums: bool = True, alignment: int = 64) -> None:
        self.file, self.name, self.checksums, self.alignment = file, name, checksums, alignment
        self.position = 0
        self.directory = []

    def _put(self, data):
        write_all(self.file, data)
        self.position += len(data)

    def record(self, name: str, data: Any, size: Any = None) -> None:
        """Write ``data``, bytes or an array of bytes, as record ``name``; without data, ``size`` zeros."""
        import zlib

        path = f"{self.name}/{name}".encode()
        size = len(data) if size is None else size
        header = self.position
        flags = 0x0808 if size else 0x0800  # UTF-8 names; checksum and sizes follow the data
        long = _long_extra(size, 0, header)  # the packed size is not known yet, for a writer that compresses
        padding = -(header + LOCAL.size + len(path) + len(long) + 4) % self.alignment
        extra = long + struct.pack("<2sH", b"FB", padding) + b"Z" * padding
        self._put(LOCAL.pack(b"PK\3\4", 0, flags, 0, 0, 0, 0, 0, 0, len(path), len(extra)) + path + extra)
        checksum = 0
        if data is None:
            for done in range(0, size, 1 << 20):
                self._put(bytes(min(size - done, 1 << 20)))
        else:
            self._put(data)
            checksum = zlib.crc32(data) if self.checksums else 0
        if size:
            self._put(struct.pack("<4sIQQ" if long else "<4sIII", b"PK\7\10", checksum, size, size))
        self.directory.append((path, flags, checksum, size, header))

    def close(self) -> None:
        """Write the directory of the records."""
        start = self.position
        for path, flags, checksum, size, header in self.directory:
            short, long = min(size, MAX32), _long_extra(size, size, header)
            entry = (
                b"PK\1\2",
                0,
                0,
                flags,
                0,
                0,
                0,
                checksum,
                short,
                short,
                len(path),
                len(long),
                0,
                0,
                0,
                0,
            )
            self._put(CENTRAL.pack(*entry, min(header, MAX32)) + path + long)
        end, count = self.position, len(self.directory)
        size = end - start
        self._put(END64.pack(b"PK\6\6", END64.size - 12, 0x031E, 45, 0, 0, count, count, size, start))
        self._put(LOCATOR64.pack(b"PK\6\7", 0, end, 1))
        short = min(count, 0xFFFF)
        self._put(END.pack(b"PK\5\6", 0, 0, short, short, min(size, MAX32), min(start, MAX32), 0))
