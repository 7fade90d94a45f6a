"""Whether a dataset is a pipe: asked without importing pipes, which few programs have."""

import sys
from typing import Any


def is_pipe(dataset: Any, *kinds: Any) -> Any:
    """Whether a dataset is a pipe, of one of the kinds if any are named."""
    module = sys.modules.get(f"{__name__.partition('.')[0]}.utils.data.datapipes.datapipe")
    return module is not None and isinstance(
        dataset, tuple(getattr(module, kind) for kind in kinds or ("IterDataPipe", "MapDataPipe"))
    )
