"""Signals: the window functions."""

from . import windows as windows

__all__ = ["windows"]
