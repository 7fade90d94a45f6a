"""Whether a module can be imported: ``torch.utils._import_utils``."""

import functools
import importlib.util


def _check_module_exists(name):
    """Whether there is a module of that name; it is not imported, but the packages that it is in are."""
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


@functools.cache
def dill_available():
    """Whether there is ``dill``."""
    return _check_module_exists("dill")


@functools.cache
def import_dill():
    """``dill`` without its changes to the standard library's pickler; None if there is none."""
    if not dill_available():
        return None
    dill = importlib.import_module("dill")
    dill.extend(use_dill=False)
    return dill
