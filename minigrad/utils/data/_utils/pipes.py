"""Whether a dataset is a pipe: asked without importing pipes, which few programs have."""

import sys


def is_pipe(dataset, *kinds):
    """Whether a dataset is a pipe, of one of the kinds if any are named."""
    module = sys.modules.get(f"{__name__.partition('.')[0]}.utils.data.datapipes.datapipe")
    return module is not None and isinstance(
        dataset, tuple(getattr(module, kind) for kind in kinds or ("IterDataPipe", "MapDataPipe"))
    )
