"""The operators, one class each, by subject.  ``names.py`` says where each is; ``vocabulary.py`` lends them to formulas."""

import functools
import sys

from .._base import lazy
from .._core import late

_shape = functools.cache(lambda: lazy.load("_ops.shape"))
late.alias = lambda tensor: _shape().alias(tensor)


def __getattr__(name):
    """What libraries import from ``torch._ops``: classes of ``minigrad.ops``, which stands above this package and is asked only then."""
    ops = sys.modules[__package__.partition(".")[0]].ops if name in ("OpOverload", "OpOverloadPacket", "ops") else None
    if ops is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return ops if name == "ops" else getattr(ops, name)
