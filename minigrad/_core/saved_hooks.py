"""Hooks on all tensors that a thread saves: a stack of pairs of functions, of which the top one applies.

One function packs a tensor as a node saves it, the other gives it back when backward reads it: see ``Packed`` in ``saved.py``.
"""

import numpy as np

from .modes import thread_state
from .observers import observe, unobserve
from .saved import Packed
from .tensor import is_blank


def push(pack, unpack):
    """Apply a pair of hooks to all that this thread saves, until ``pop``; raises RuntimeError while that is disabled."""
    if thread_state.why_no_hooks is not None:
        raise RuntimeError(thread_state.why_no_hooks)
    if not thread_state.saved_hooks:
        observe(pack_saved)
    thread_state.saved_hooks = (*thread_state.saved_hooks, (pack, unpack))


def pop():
    """End the latest ``push``; raises RuntimeError if there is none."""
    if not thread_state.saved_hooks:
        raise RuntimeError("there are no hooks on saved tensors to leave")
    thread_state.saved_hooks = thread_state.saved_hooks[:-1]
    if not thread_state.saved_hooks:
        unobserve(pack_saved)


def restore(hooks):
    """Let the pairs ``hooks`` apply again, as before a hook or a Function of the user's ran in backward."""
    while thread_state.saved_hooks and thread_state.saved_hooks != hooks[: len(thread_state.saved_hooks)]:
        pop()
    if hooks and not thread_state.saved_hooks:
        observe(pack_saved)
    thread_state.saved_hooks = hooks


def disable(why):
    """Refuse hooks in this thread with the message ``why``, or allow them again (None); returns what it was."""
    if thread_state.saved_hooks and why is not None:
        raise RuntimeError(why)
    was = thread_state.why_no_hooks
    thread_state.why_no_hooks = why
    return was


def pack_saved(node):
    """Pack what a new node has saved with the hooks that apply."""
    if thread_state.saved_hooks:
        pack, unpack = thread_state.saved_hooks[-1]
        places = type(node).places_held(node)
        cls = type(node)  # by way of the class, because users put anything on a custom Function's context
        for place in places:
            held = cls.held(node, place)
            tensor = cls.value(node, place) if held.__class__ is np.ndarray or is_blank(held) else held
            cls.hold(node, place, Packed(tensor, tensor, pack, unpack))
