"""Names that libraries import from here."""

from typing import Any

from .._whole import not_spread

__all__ = ["compute_local_shape_and_global_offset"]


def compute_local_shape_and_global_offset(*args: Any, **kwargs: Any) -> Any:
    """Raises NotImplementedError."""
    raise not_spread("compute_local_shape_and_global_offset")
