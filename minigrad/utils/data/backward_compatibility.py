"""What old programs name."""

import warnings
from typing import Any


def worker_init_fn(worker_id: Any) -> None:
    """Do nothing. Deprecated: loaders tell the pipes in a worker which part of the stream is theirs.

    >>> from minigrad.utils.data import DataLoader
    >>> from minigrad.utils.data.backward_compatibility import worker_init_fn
    >>> DataLoader([1, 2], worker_init_fn=worker_init_fn).num_workers
    0
    """
    warnings.warn(
        "Usage of `backward_compatibility.worker_init_fn` is deprecated as `DataLoader` automatically applies sharding in every worker",
        FutureWarning,
        stacklevel=2,
    )
