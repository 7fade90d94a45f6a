"""Files for TensorBoard: ``SummaryWriter``.  Needs the package tensorboard, or tensorboardX: ``pip install 'minigrad-numpy[tensorboard]'``."""

from typing import TYPE_CHECKING

from .writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "SummaryWriter"]


if not TYPE_CHECKING:  # a name that is not there is an error

    def __getattr__(name):
        if name == "RecordWriter":
            from ._packages import record_writer

            return record_writer()
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
