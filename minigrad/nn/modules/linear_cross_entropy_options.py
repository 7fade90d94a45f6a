"""How PyTorch is to divide the work of ``LinearCrossEntropyLoss``."""

import dataclasses

from ..._api import _convert, dtype

__all__ = ["LinearCrossEntropyOptions"]

_POLICIES = ("accurate", "balanced", "compact", "auto")


@dataclasses.dataclass(slots=True, frozen=True)
class LinearCrossEntropyOptions:
    """Options for ``functional.linear_cross_entropy``. They are checked but have no effect here, where all scores are computed at once.

    Raises ValueError for values that PyTorch does not accept.

    >>> import minigrad
    >>> minigrad.nn.LinearCrossEntropyOptions(batch_chunk_size=16).chunking_method
    'auto'
    """

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: dtype | None = None

    def __post_init__(self) -> None:
        if self.acc_policy not in _POLICIES:
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}")
        name, colon, factor = ("auto" if self.chunking_method is None else self.chunking_method).partition(
            ":"
        )
        whole = factor.isdigit() and int(factor) > 0
        if (name, colon) != ("auto", "") and not (name == "aspect_ratio" and (whole or not colon)):
            raise ValueError(f"invalid chunking_method: {self.chunking_method!r}")
        size = self.batch_chunk_size
        if not (size is None or (isinstance(size, int) and size > 0)):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size!r}")
        dtypes = _convert.dtypes
        if self.acc_dtype not in (None, dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64):
            raise ValueError(
                "acc_dtype must be one of {None, torch.float16, torch.bfloat16, torch.float32, torch.float64}, got "
                f"{self.acc_dtype!r}. Pass acc_dtype=None to let the op pick automatically."
            )
