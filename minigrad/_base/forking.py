"""Forks: a child has only the thread that forked, so a lock that another thread holds at that moment would stay locked there for ever."""

import os


def held_while_forking(lock):
    """Let no thread but the one that forks hold ``lock``, an RLock, at a fork: what it guards is whole in the child; returns the lock.

    At a fork, locks are taken in the reverse order of the calls.  A module that takes the lock of another while it holds its own imports that module, so it
    calls later, and no two threads wait for each other.
    """
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock
