"""One library in a process of its own, which times what it is asked to: ``python -m benchmarks.runner minigrad``.

Questions and answers are lines of JSON.  ``Runner`` is the asking side; standard library only, since no process has two libraries.
"""

import gc
import importlib
import json
import os
import subprocess
import sys

from benchmarks import timing
from benchmarks.subprocesses import ROOT, THREAD_VARIABLES


class Runner:
    """A process with one library, held to ``threads`` threads, or with as many as it takes by itself (None)."""

    def __init__(self, library, threads):
        environment = {key: value for key, value in os.environ.items() if key not in THREAD_VARIABLES}
        if threads is not None:
            environment.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.runner", library],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def ask(self, question, *details):
        """The answer to a question; RuntimeError with the other side's words if there is none."""
        self.process.stdin.write(json.dumps([question, *details]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process ended with exit code {self.process.wait()}")
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
        from benchmarks import cases, registry

        cases.load()
        self.library = library
        self.setups = {each.path: each.setup for subject in registry.subjects for each in subject.benchmarks}
        self.run = None
        gc.collect()
        gc.freeze()  # a collection then walks the benchmark's own objects

    def set_up(self, path):
        """Make the function to be timed; returns a number that a wrong result would hardly have."""
        self.run = None
        self.run = self.setups[path](self.library)
        return float(abs(self.run().detach().numpy()).mean(dtype=float))

    def repeats(self, sample_seconds):
        """How many calls make a sample."""
        return timing.repeats_for(self.run, sample_seconds)

    def sample(self, repeats):
        """Seconds for one call, over ``repeats`` of them."""
        gc.collect()
        return timing.seconds(self.run, repeats) / repeats


def main():
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever libraries print is not an answer
    answers = Answers(importlib.import_module(sys.argv[1]))
    for line in sys.stdin:
        question, *details = json.loads(line)
        try:
            reply = getattr(answers, question)(*details), None
        except Exception as error:
            words = str(error).strip().partition("\n")[0]
            reply = None, f"{type(error).__name__}: {words}"
        print(json.dumps(reply), file=out, flush=True)


if __name__ == "__main__":
    main()
