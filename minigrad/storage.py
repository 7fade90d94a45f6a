"""Storages: the memory under tensors, as bytes or as elements (``minigrad.storage`` is ``torch.storage``)."""

import io
from typing import Any

from ._base.missing import getattr_of as _getattr_of
from ._base.publishing import answer_for_sources as _answer_for_sources
from ._ops.storage_classes import LEGACY, TypedStorage, UntypedStorage, _rebuild_typed, _rebuild_untyped  # noqa: F401
from .serialization import load

__all__ = ["TypedStorage", "UntypedStorage"]

globals().update(LEGACY)


def _load_from_bytes(data):
    """The storage in a pickle that PyTorch's own ``pickle.dumps(tensor)`` made; as unsafe as ``pickle.loads``."""
    return load(io.BytesIO(data), weights_only=False)


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
_answer_for_sources(globals())
