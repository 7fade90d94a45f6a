"""The packages that write files for TensorBoard: tensorboard itself, or tensorboardX, whose messages are the same under other names."""

import functools
from importlib import import_module

from ..._base.extras import missing_extra

#: Our name -> where it is in tensorboard, where in tensorboardX.
_MODULES = {
    "event": ("compat.proto.event_pb2", "proto.event_pb2"),
    "summary": ("compat.proto.summary_pb2", "proto.summary_pb2"),
    "tensor": ("compat.proto.tensor_pb2", "proto.tensor_pb2"),
    "tensor_shape": ("compat.proto.tensor_shape_pb2", "proto.tensor_shape_pb2"),
    "layout": ("plugins.custom_scalar.layout_pb2", "proto.layout_pb2"),
    "pr_curve": ("plugins.pr_curve.plugin_data_pb2", "proto.plugin_pr_curve_pb2"),
    "text": ("plugins.text.plugin_data_pb2", "proto.plugin_text_pb2"),
    "hparams_api": ("plugins.hparams.api_pb2", "proto.api_pb2"),
    "hparams": ("plugins.hparams.plugin_data_pb2", "proto.plugin_hparams_pb2"),
    "mesh": ("plugins.mesh.plugin_data_pb2", "proto.plugin_mesh_pb2"),
    "files": ("summary.writer.event_file_writer", "event_file_writer"),
    "records": ("summary.writer.record_writer", "record_writer"),
}


@functools.cache
def _root():
    """The package that is installed; ImportError if there is none."""
    for place, name in enumerate(("tensorboard", "tensorboardX")):
        try:
            import_module(name)
        except ImportError:
            continue
        return name, place
    raise missing_extra("SummaryWriter", "tensorboard", "tensorboard")


@functools.cache
def module(name):
    """The module of the installed package that has these messages."""
    root, place = _root()
    return import_module(f"{root}.{_MODULES[name][place]}")


def record_writer():
    """The package's class that writes records to a file."""
    return module("records").RecordWriter
