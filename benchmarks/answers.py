"""The answering side of ``runner.py``: ``python -m benchmarks.answers minigrad`` times what it is asked to."""

import functools
import gc
import importlib
import json
import os
import sys

from benchmarks import timing


class Answers:
    """Sets up one benchmark at a time and calls it."""

    def __init__(self, library):
        self.library = library
        self.setups = setups_for(library)
        self.run = None
        gc.collect()
        gc.freeze()  # a collection then walks the benchmark's own objects

    def make_ready(self, path):
        """Make the function to be timed."""
        self.run = None
        self.run = self.setups[path]()

    def set_up(self, path):
        """Make the function to be timed, and run it: returns a number that a wrong result would hardly have."""
        self.make_ready(path)
        return magnitude(self.run())

    def drop(self):
        """Let the memory of the last function go."""
        self.run = None

    def can(self):
        """The programs that are known."""
        return list(self.setups)

    def is_fast(self):
        """Whether the library computes with what its extra ``fast`` installs."""
        return self.library.backends.mkldnn.is_available()

    def repeats(self, sample_seconds):
        """How many calls make a sample."""
        return timing.repeats_for(self.run, sample_seconds)

    def sample(self, repeats):
        """Seconds for one call, over ``repeats`` of them."""
        gc.collect()
        return timing.seconds(self.run, repeats) / repeats


def setups_for(library):
    """For each benchmark, the function that sets it up: a library with another interface than PyTorch's has its own (see ``others/``)."""
    if hasattr(library, "SETUPS"):
        return library.SETUPS
    from benchmarks import cases, growth

    setups = {each.path: each.setup for subject in cases.subjects() for each in subject.benchmarks}
    return {
        path: functools.partial(setup, library)
        for path, setup in {**setups, **growth.setups()}.items()
        if setup is not None
    }


def magnitude(result):
    """The mean magnitude of the elements of a tensor or array."""
    if hasattr(result, "detach"):
        result = result.detach()
    array = result.numpy() if hasattr(result, "numpy") else result.__array__()
    return float(abs(array).mean(dtype=float))


def main():
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever libraries print is not an answer
    answers = None
    for line in sys.stdin:
        question, *details = json.loads(line)
        try:
            if answers is None:
                answers = Answers(importlib.import_module(sys.argv[1]))
            reply = getattr(answers, question)(*details), None
        except Exception as error:
            words = str(error).strip().partition("\n")[0]
            reply = None, f"{type(error).__name__}: {words}"
        print(json.dumps(reply), file=out, flush=True)


if __name__ == "__main__":
    main()
