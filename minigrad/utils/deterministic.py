"""Settings of deterministic algorithms: whether memory that nobody has written is filled, so that programs that read it notice."""

import sys
from types import ModuleType
from typing import Any

from .._base import settings as _settings


class _Settings(ModuleType):
    @property
    def fill_uninitialized_memory(self) -> Any:
        """Whether ``empty`` and its kin give nan, the largest integer or True while ``use_deterministic_algorithms`` is on: at first True."""
        return _settings.fills_uninitialized_memory()

    @fill_uninitialized_memory.setter
    def fill_uninitialized_memory(self, fill: Any) -> None:
        _settings.fill_uninitialized_memory(fill)


sys.modules[__name__].__class__ = _Settings
