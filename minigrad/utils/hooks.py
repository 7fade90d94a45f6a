"""Hooks as a program handles them: their handles, and whether pickling may leave them out."""

from typing import Any

from .. import _api
from .._base.missing import getattr_of as _getattr_of

RemovableHandle = _api._hooks.RemovableHandle
unserializable_hook: Any = _api._hooks.unserializable_hook
warn_if_has_hooks: Any = _api._warn_if_has_hooks

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]
_api._lazy.publish_all(globals())


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
_api._lazy.answer_for_sources(globals())
