"""``torch.PyTorchFileReader``: the records of a checkpoint file, for programs that read them one by one."""

import os
from typing import Any

from .._base.dtypes import dtype as _dtype
from .archive import Reader

__all__ = ["PyTorchFileReader"]


class PyTorchFileReader:
    """Reads the records of a file written by ``save``; ``file`` is a path or a seekable binary file.

    Raises RuntimeError if it is not such a file, and for a record that does not exist.

    >>> import io, minigrad
    >>> file = io.BytesIO()
    >>> minigrad.save(minigrad.ones(2), file)
    >>> _ = file.seek(0)
    >>> reader = minigrad.PyTorchFileReader(file)
    >>> reader.has_record("data.pkl"), reader.get_record("byteorder")
    (True, b'little')
    """

    def __init__(self, file: Any) -> None:
        self._own: Any = open(file, "rb") if isinstance(file, str | os.PathLike) else None  # noqa: SIM115 (open as long as the reader lives)
        self._reader = Reader(self._own or file)

    def __del__(self) -> None:
        if getattr(self, "_own", None) is not None:
            self._own.close()

    def get_all_records(self) -> Any:
        """The names of all records."""
        return list(self._reader.records)

    def has_record(self, name: str) -> bool:
        """Whether there is a record of that name."""
        return name in self._reader

    def get_record(self, name: str) -> Any:
        """The bytes of a record."""
        return self._reader.read(name)

    def get_record_size(self, name: str) -> Any:
        """The number of bytes in a record."""
        return self._reader.size(name)

    def get_record_offset(self, name: str) -> Any:
        """Where in the file the bytes of a record begin."""
        return self._reader.offset(name)

    def get_storage_from_record(self, name: str, numel: Any, dtype: _dtype | None) -> Any:
        """The first ``numel`` elements of a record, as a tensor of ``dtype`` over a storage of its own."""
        from .._api import from_numpy

        return from_numpy(self._reader.read_array(name)).view(dtype)[:numel]

    def serialization_id(self) -> Any:
        """The number that PyTorch gives a file, as a text; empty if the file has none."""
        name = ".data/serialization_id"
        return self.get_record(name).decode() if self.has_record(name) else ""
