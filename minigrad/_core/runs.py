"""Backward passes under way in a thread: what hooks can ask the innermost one, and a stack of its own for one that begins deep inside others."""

import threading

from .modes import thread_state
from .node import AccumulateGrad

#: In ``awaited``: this end is not on a path to a wanted input.
SKIP = object()


class Run:
    """One backward pass, as hooks can ask about it: ``thread_state.run``."""

    __slots__ = (
        "awaited", "seen", "captures", "skips", "outer", "depth", "callbacks", "records", "profiler", "tensors", "__weakref__",
    )  # fmt: skip

    def __init__(self, awaited, seen, captures, outer, records, tensors):
        self.tensors = tensors  # see gradient_tensors.py; None: nothing is noted yet
        self.records = records  # whether the gradients can be differentiated again
        self.awaited = awaited
        self.seen = seen
        self.captures = captures  # the gradients that are wanted, if not those of all leaves: see ``run``
        # whether some edges lead to nothing that is wanted
        self.skips = captures is not None and SKIP in awaited.values()
        self.outer = outer  # the run in one of whose nodes or hooks this one runs, or None
        self.depth = 0 if outer is None else outer.depth + 1
        self.callbacks = ()
        self.profiler = thread_state.profiler or thread_state.capturing

    def reaches(self, node):
        """Whether a gradient of what ``node`` made is computed in this pass.

        Raises RuntimeError for a leaf whose gradient ``grad`` returns, which PyTorch does not know about.
        """
        if node not in self.seen or self.awaited.get(node) is SKIP:
            return False
        if node.__class__ is AccumulateGrad and self.captures and self.captures.get((node, 0)) is not None:
            raise RuntimeError(
                "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). This is currently not "
                "supported."
            )
        return True


def captures_only():
    """Whether any of the runs under way in this thread computes the gradients of some inputs only."""
    run = thread_state.run
    while run is not None and run.captures is None:
        run = run.outer
    return run is not None


def queue_callback(function):
    """Call ``function()`` at the end of the backward pass that runs in this thread; raises RuntimeError if none does."""
    if thread_state.run is None:
        raise RuntimeError("Final callbacks can only be installed during backward pass.")
    thread_state.run.callbacks = (*thread_state.run.callbacks, function)


#: Levels on one stack; each takes about a dozen of Python's thousand frames.
LEVELS = 30


def on_new_stack(function, *args):
    """``function(*args)``, in a thread of its own with this thread's modes."""
    outcome: list = []
    thread = threading.Thread(target=_work, args=(function, args, dict(thread_state.__dict__), outcome))
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
    thread_state.__dict__.update(modes)
    try:
        outcome.append((function(*args), None))
    except BaseException as error:  # goes on in the thread that waits
        outcome.append((None, error))
