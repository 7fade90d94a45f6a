"""NCCL, the communication library for CUDA devices: it is not available."""

import warnings
from typing import Any

from .._devices.absent import CUDA
from .._devices.answers import answers


def is_available(tensors: Any) -> bool:
    """Return whether NCCL can be used for these tensors: False, with a warning.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.cuda.nccl.is_available([minigrad.ones(2)])
    False
    """
    warnings.warn("PyTorch is not compiled with NCCL support", stacklevel=2)
    return False


__all__ = [
    *answers(
        globals(),
        {
            "all_gather": lambda inputs, outputs, streams=None, comms=None: CUDA.missing("_nccl_all_gather"),
            "all_reduce": lambda inputs, outputs=None, op=0, streams=None, comms=None: CUDA.missing(
                "_nccl_all_reduce"
            ),
            "broadcast": lambda inputs, root=0, streams=None, comms=None: CUDA.missing("_nccl_broadcast"),
            "reduce": lambda inputs, output=None, root=0, op=0, streams=None, comms=None, *, outputs=None: (
                CUDA.missing("_nccl_reduce")
            ),
            "reduce_scatter": lambda inputs, outputs, op=0, streams=None, comms=None: CUDA.missing(
                "_nccl_reduce_scatter"
            ),
            "unique_id": lambda: CUDA.missing("_nccl_unique_id"),
            "version": lambda: CUDA.missing("_nccl_version"),
        },
    ),
    "is_available",
]
