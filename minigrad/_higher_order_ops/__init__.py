"""Operators that take functions: branches, loops and scans, which run here as the Python that they are."""

from .associative_scan import associative_scan as associative_scan
from .cond import cond as cond
from .scan import scan as scan
from .while_loop import while_loop as while_loop

__all__ = ["associative_scan", "cond", "scan", "while_loop"]
