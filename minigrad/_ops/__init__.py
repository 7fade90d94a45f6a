"""The operators, one class each, by subject.  ``names.py`` says where each is; ``vocabulary.py`` lends them to formulas."""

import sys

from .._base import lazy
from .._core import late


def _alias(tensor):
    return lazy.load("_ops.shape").alias(tensor)


late.alias = _alias  # until that module is there: a program may view nothing before it has a subclass


def __getattr__(name):
    """What libraries import from ``torch._ops``: classes of ``minigrad.ops``, which stands above this package and is asked only then."""
    ops = sys.modules[__package__.partition(".")[0]].ops if name in ("OpOverload", "OpOverloadPacket", "ops") else None
    if ops is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return ops if name == "ops" else getattr(ops, name)
