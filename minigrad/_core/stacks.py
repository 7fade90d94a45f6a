"""A backward that runs another inside, which runs another inside, ...: as deep as it goes, whatever Python's recursion limit.

Every so many levels the engine goes on in a thread of its own, with a stack of its own, while the one above waits.
"""

import threading

from .modes import here

#: Levels on one stack; each takes about a dozen of Python's thousand frames.
LEVELS = 30


def on_new_stack(function, *args):
    """``function(*args)``, in a thread of its own with this thread's modes."""
    outcome: list = []
    thread = threading.Thread(target=_work, args=(function, args, dict(here.__dict__), outcome))
    thread.start()
    thread.join()
    returned, error = outcome.pop()
    try:
        if error is not None:
            raise error
    finally:
        del error  # this frame is in the error's traceback: no circle through it
    return returned


def _work(function, args, modes, outcome):
    here.__dict__.update(modes)
    try:
        outcome.append((function(*args), None))
    except BaseException as error:  # goes on in the thread that waits
        outcome.append((None, error))
