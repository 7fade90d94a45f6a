"""One library in a process of its own, which times what it is asked to: the asking side of ``answers.py``.

Questions and answers are lines of JSON.  Standard library only, since no process has two libraries.
"""

import json
import os
import subprocess
import sys
import threading

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
            [sys.executable, "-m", "benchmarks.answers", library],
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
        self.process.stdout.close()
