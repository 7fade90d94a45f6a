"""Warnings that PyTorch had when broadcasting and ``keepdim`` were new, in 2017: they can be switched on, and never come."""

from types import SimpleNamespace
from typing import Any

broadcast_warning: Any = SimpleNamespace(enabled=False)
keepdim_warning: Any = SimpleNamespace(enabled=False)
