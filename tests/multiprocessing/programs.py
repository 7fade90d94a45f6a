"""Programs in processes of their own, and what they leave behind: no process, no shared memory with a name, no word."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path("/dev/shm")


def named_segments():
    """The names of shared memory in the system, but for semaphores and what PyTorch has made in other programs."""
    return {each.name for each in SHARED.glob("*") if not each.name.startswith(("sem.", "torch_"))}


def processes_of(session):
    """The processes of a session that live, by the process table."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its_session = entry.read_text().rpartition(")")[2].split()[:4]
        except OSError:  # it has ended meanwhile
            continue
        if int(its_session) == session and state != "Z":
            found.append(int(entry.parent.name))
    return found


#: A shell has SIGINT ignored in what runs in the background, tests among it, and programs inherit that.
START = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"


@contextmanager
def started(source, directory, *arguments, library="minigrad", flags=()):
    """A program that runs in a session of its own, of Python with ``flags``; afterwards nothing may be left of it."""
    before = named_segments()
    path = directory / "program.py"
    path.write_text(f"{START}import {library} as torch\nimport {library}.multiprocessing as mp\n{source}")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "default"}
    program = subprocess.Popen(
        [sys.executable, *flags, path, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
    try:
        yield program
        program.wait(timeout=60)
        deadline = time.monotonic() + 20
        while (left := processes_of(program.pid)) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not left, "processes are left"
        assert named_segments() <= before, "shared memory is left"
    finally:
        for pid in processes_of(program.pid):
            os.kill(pid, signal.SIGKILL)
        program.wait()
        program.stdout.close()
        program.stderr.close()


def output(source, directory, *arguments, **options):
    """What a program prints; it has to end well, without a word on stderr."""
    with started(source, directory, *arguments, **options) as program:
        out, err = program.communicate(timeout=60)
    assert (program.returncode, err) == (0, "")
    return out
