"""One library in a process of its own, which times what it is asked to: ``python -m benchmarks.runner minigrad``.

Questions and answers are lines of JSON.  ``Runner`` is the asking side; standard library only, since no process has two libraries.
"""

import functools
import gc
import importlib
import json
import os
import subprocess
import sys
import threading

from benchmarks import timing
from benchmarks.subprocesses import ROOT, THREAD_VARIABLES


class Runner:
    """A process with one library, held to ``threads`` threads, or with as many as it takes by itself (None); ``variables`` are further ones of its environment."""

    def __init__(self, library, threads, variables=()):
        environment = {key: value for key, value in os.environ.items() if key not in THREAD_VARIABLES}
        if threads is not None:
            environment.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))
        environment.update(variables)
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.runner", library],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def ask(self, question, *details, seconds=None):
        """The answer to a question; RuntimeError with the other side's words if there is none, or none within so many ``seconds``."""
        late = threading.Timer(seconds or 0, self.process.kill)
        self.process.stdin.write(json.dumps([question, *details]) + "\n")
        self.process.stdin.flush()
        if seconds is not None:
            late.start()
        line = self.process.stdout.readline()
        late.cancel()
        if not line:
            code = self.process.wait()
            if seconds is not None and code < 0:
                raise RuntimeError(f"no answer within {seconds:g} seconds")
            raise RuntimeError(f"the process ended with exit code {code}")
        answer, error = json.loads(line)
        if error:
            raise RuntimeError(error)
        return answer

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


class Answers:
    """The answering side: sets up one benchmark at a time and calls it."""

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
