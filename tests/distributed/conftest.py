"""Programs that run in several processes, as users start them: ``launch`` does so, and looks whether anything is left running."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"


def started_with(mark):
    """The processes whose environment has this mark."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:  # it has ended meanwhile, or is not ours
            continue
    return found


@pytest.fixture
def mpi():
    """Skips where there is no MPI."""
    if importlib.util.find_spec("mpi4py") is None:
        pytest.skip("mpi4py is not installed: pip install 'minigrad-numpy[mpi]'")
    if not (shutil.which("mpiexec", path=os.path.dirname(sys.executable)) or shutil.which("mpiexec")):
        pytest.skip("there is no mpiexec: pip install 'minigrad-numpy[mpi]'")


@pytest.fixture
def command(tmp_path):
    """Runs a command; gives exit code and what it printed; fails if it leaves processes behind."""

    def run(*words, environment=None, timeout=120):
        mark = f"MINIGRAD_TEST={uuid.uuid4().hex}"
        variables = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **(environment or {})}
        variables.update([mark.split("=")])
        # To files: what it leaves running would keep pipes open.
        with open(tmp_path / "printed.txt", "w+") as out, open(tmp_path / "errors.txt", "w+") as err:
            process = subprocess.Popen(
                [*map(str, words)],
                stdout=out,
                stderr=err,
                env=variables,
                cwd=tmp_path,
                start_new_session=True,
            )
            try:
                code = process.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(10)
                code = "timeout"
            out.seek(0), err.seek(0)
            done = subprocess.CompletedProcess(words, code, out.read(), err.read())
        deadline = time.monotonic() + 10
        while (left := started_with(mark)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left, left
        return done

    return run


@pytest.fixture
def launch(mpi, command):
    """Runs one of the programs in so many processes."""

    def run(ranks, program, *arguments, options=(), **rest):
        return command(
            *(sys.executable, "-m", "minigrad.distributed.run", "--nproc-per-node", ranks, *options),
            *(PROGRAMS / program, *arguments),
            **rest,
        )

    return run
