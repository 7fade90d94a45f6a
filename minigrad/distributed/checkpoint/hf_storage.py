"""Checkpoints as directories of safetensors files are not there: the names are, for libraries that import them."""

from typing import Any

from .filesystem import FileSystemReader, FileSystemWriter

__all__ = ["HuggingFaceStorageReader", "HuggingFaceStorageWriter"]


def _refuse(name):
    return NotImplementedError(
        f"{name} is not there: FileSystemWriter and FileSystemReader save and load checkpoints; "
        "`python -m minigrad convert` writes .safetensors files from those of torch.save, which format_utils.dcp_to_torch_save makes"
    )


class HuggingFaceStorageWriter(FileSystemWriter):
    """Raises NotImplementedError: ``FileSystemWriter`` saves.

    >>> from minigrad.distributed.checkpoint import FileSystemWriter
    >>> from minigrad.distributed.checkpoint.hf_storage import HuggingFaceStorageWriter
    >>> isinstance(FileSystemWriter("checkpoint"), HuggingFaceStorageWriter)
    False
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise _refuse("HuggingFaceStorageWriter")


class HuggingFaceStorageReader(FileSystemReader):
    """Raises NotImplementedError: ``FileSystemReader`` loads.

    >>> from minigrad.distributed.checkpoint import FileSystemReader
    >>> from minigrad.distributed.checkpoint.hf_storage import HuggingFaceStorageReader
    >>> isinstance(FileSystemReader("checkpoint"), HuggingFaceStorageReader)
    False
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise _refuse("HuggingFaceStorageReader")
