"""What is to be done in a process after it was forked."""

import os

__all__ = ["register_after_fork"]


def register_after_fork(func):
    """Call ``func()`` in every process that is forked from this one."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=func)
