"""What goes wrong between processes, by PyTorch's names."""

from .._base.publishing import publish

__all__ = ["DistBackendError", "DistError", "DistNetworkError", "DistStoreError", "QueueEmptyError"]


class DistError(RuntimeError):
    """Processes cannot work together: the base of the other errors."""


class DistBackendError(DistError):
    """A collective failed, or did not end in time."""


class DistNetworkError(DistError):
    """A store cannot be reached."""


class DistStoreError(DistError):
    """A store does not have what was waited for."""


class QueueEmptyError(DistStoreError):
    """A queue of a store is empty."""


publish(
    "minigrad.distributed", DistError, DistBackendError, DistNetworkError, DistStoreError, QueueEmptyError
)
