"""Names that libraries import from below ``torch.jit``."""

import functools
import inspect
import typing
from typing import Any, Final

from .futures import Future
from .jit import export, ignore, is_scripting, unused

__all__ = [
    "Any", "BroadcastingList1", "BroadcastingList2", "BroadcastingList3", "Final", "Future", "boolean_dispatch", "export", "get_origin", "ignore",
    "is_ignored_fn", "is_scripting", "unused",
]  # fmt: skip

get_origin = typing.get_origin


class _BroadcastingList:
    """A number, or a tuple of so many: as an annotation."""

    def __getitem__(self, types):
        return None


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = BroadcastingList4 = BroadcastingList5 = (
    BroadcastingList6
) = _BroadcastingList()


def is_ignored_fn(fn):
    """Return whether a function is marked by ``ignore`` or ``unused``.

    >>> import minigrad
    >>> minigrad._jit_internal.is_ignored_fn(len)
    False
    """
    return getattr(fn, "_torchscript_modifier", "default") in ("ignore", "unused")


def boolean_dispatch(arg_name, arg_index, default, if_true, if_false, module_name, func_name):
    """Return a function that calls ``if_true`` or ``if_false``, depending on its argument ``arg_name``.

    >>> import minigrad
    >>> choose = minigrad._jit_internal.boolean_dispatch("up", 1, False, lambda x, up=True: x + 1, lambda x, up=False: x - 1, __name__, "choose")
    >>> choose(1), choose(1, up=True)
    (0, 2)
    """

    @functools.wraps(if_false)
    def choose(*args, **kwargs):
        chosen = kwargs.get(arg_name, args[arg_index] if arg_index < len(args) else default)
        return (if_true if chosen else if_false)(*args, **kwargs)

    if module_name is not None:
        choose.__module__ = module_name
    if func_name is not None:
        choose.__name__ = func_name
    choose.__signature__ = inspect.signature(if_false)
    return choose
