"""The optional engine: kernels ask it for large work, and do it themselves where it answers None.

The engine is oneDNN, if its library is installed (the extra ``fast``, conda's ``onednn``, a distribution's ``libdnnl.so.3``); it is looked for at the
first large operation, and nothing of it is imported before.  ``MINIGRAD_ONEDNN=0`` in the environment, or ``backends.mkldnn.flags(enabled=False)``,
leaves all to NumPy.
"""

import os

import numpy as np

from . import engine_settings as settings
from .traced import Leak, Traced

_functions = None  # the engine's, by name, once they have been looked for; empty where there is no engine


def ask(name, first, *rest):
    """What the engine's function of this name makes of an array, ``first``, and whatever else it takes; None where NumPy has to."""
    if first.size < settings.FROM[name] or not settings.enabled or first.__class__ is not np.ndarray:
        if first.__class__ is Traced and first.size >= settings.FROM[name] and settings.enabled and find():
            raise Leak(
                f"{name} may be the engine's, which takes arrays"
            )  # the operator is one step then, for the same bits
        return None
    functions = _functions
    if functions is None:
        functions = find()
    return functions[name](first, *rest) if functions else None


def find():
    """The engine's functions by name; empty if there is none."""
    global _functions
    if _functions is None:
        _functions = {} if os.environ.get("MINIGRAD_ONEDNN") == "0" else _load()
    return _functions


def _load():
    from . import onednn_kernels

    return onednn_kernels.functions()


def set_verbose(level):
    """Let the engine print what it does, or not."""
    if find():
        from .onednn import set_verbose

        set_verbose(level)
