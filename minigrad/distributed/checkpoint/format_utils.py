"""Checkpoints as single files of ``save``, and the way back."""

import os
from typing import Any

from ... import serialization
from ._coordination import Coordination
from .default_planner import EverythingPlanner
from .filesystem import FileSystemReader, FileSystemWriter
from .state_dict_loader import read
from .state_dict_saver import write

__all__ = ["dcp_to_torch_save", "torch_save_to_dcp"]


def dcp_to_torch_save(
    dcp_checkpoint_dir: str | os.PathLike[str], torch_save_path: str | os.PathLike[str]
) -> None:
    """Write all that the checkpoint in a directory has into one file, which ``load`` reads; in one process.

    >>> import os, tempfile
    >>> import minigrad
    >>> from minigrad.distributed import checkpoint
    >>> from minigrad.distributed.checkpoint.format_utils import dcp_to_torch_save
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     file = os.path.join(directory, "all.pt")
    ...     saved = checkpoint.save({"model": {"a": minigrad.ones(2)}}, checkpoint_id=directory, no_dist=True)
    ...     dcp_to_torch_save(directory, file)
    ...     minigrad.load(file)
    {'model': {'a': tensor([1., 1.])}}
    """
    state: dict[str, Any] = {}
    read(state, FileSystemReader(dcp_checkpoint_dir), Coordination(None, True), EverythingPlanner())
    serialization.save(state, torch_save_path)


def torch_save_to_dcp(
    torch_save_path: str | os.PathLike[str], dcp_checkpoint_dir: str | os.PathLike[str]
) -> None:
    """Write what a file of ``save`` has as a checkpoint into a directory; in one process.  The file is loaded with ``weights_only=False``.

    >>> import os, tempfile
    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.format_utils import torch_save_to_dcp
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     file = os.path.join(directory, "all.pt")
    ...     minigrad.save({"a": minigrad.ones(2)}, file)
    ...     torch_save_to_dcp(file, os.path.join(directory, "checkpoint"))
    ...     sorted(os.listdir(os.path.join(directory, "checkpoint")))
    ['.metadata', '__0_0.distcp']
    """
    state = serialization.load(torch_save_path, weights_only=False)
    write(state, FileSystemWriter(dcp_checkpoint_dir), Coordination(None, True))
