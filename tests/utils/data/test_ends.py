"""However a loader's program ends, no process of it and no shared memory is left: programs that are ended in every way, and looked after."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import minigrad

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks at Linux's table of processes"
)

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1])}
SHARED = Path("/dev/shm")

#: What every program begins with; ``slow`` datasets keep a worker for longer than anybody waits.
START = """
import multiprocessing, os, signal, sys, threading, time
import minigrad as torch
from minigrad.utils.data import DataLoader, Dataset, IterableDataset, _utils
_utils.MP_STATUS_CHECK_INTERVAL = 0.5
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has it ignored in what runs in the background

class Numbers(Dataset):
    def __init__(self, slow_at=None):
        self.slow_at = slow_at
    def __len__(self):
        return 1000
    def __getitem__(self, i):
        if self.slow_at is not None and i >= self.slow_at:
            time.sleep(100)
        return torch.full((1000,), float(i))

def loader(method="fork", slow_at=None, **options):
    options = {"batch_size": 2, "num_workers": 2, "multiprocessing_context": method} | options
    return DataLoader(Numbers(slow_at), **options)

def ready():
    print("ready", flush=True)
"""


def processes_of(session):
    """The ids of the processes of a session that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, its_session = path.read_text().rpartition(")")[2].split()[:4]
            if int(its_session) == session and state != "Z":
                found.append(int(path.parent.name))
    return found


class Program:
    """A program in a session of its own."""

    def __init__(self, tmp_path, code):
        path = tmp_path / "program.py"
        path.write_text(
            START + 'if __name__ == "__main__":\n' + textwrap.indent(textwrap.dedent(code), "    ")
        )
        self.shared_before = {*SHARED.iterdir()} if SHARED.exists() else set()
        self.process = subprocess.Popen(
            [sys.executable, path],
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def wait_until_ready(self):
        assert self.process.stdout.readline() == "ready\n", self.process.stderr.read()

    def finish(self):
        """The exit code, what was printed and what was complained of, once nothing of the program is left."""
        try:
            self.process.wait(30)
            until = time.monotonic() + 15
            while (left := processes_of(self.process.pid)) and time.monotonic() < until:
                time.sleep(0.02)
            assert not left, "processes outlive the program"
            if SHARED.exists():
                mine = {
                    path
                    for path in {*SHARED.iterdir()} - self.shared_before
                    if path.name.startswith(("minigrad", "psm"))
                }
                assert not mine, "shared memory outlives the program"
            out, complaint = self.process.communicate(timeout=10)
            return self.process.returncode, out, complaint
        finally:
            for pid in processes_of(self.process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.process.wait()
            self.process.stdout.close()
            self.process.stderr.close()


METHODS = ["fork", "spawn", "forkserver"]

#: Programs that end by themselves: the code, the exit code, the end of what they complain of.
ENDS = {
    "an epoch": ("print(len(list(loader())))", 0, ""),
    "an iterator that is left behind": ("it = iter(loader()); next(it)", 0, ""),
    "an iterator that is left behind at work": ("it = iter(loader(slow_at=4)); next(it)", 0, ""),
    "persistent workers": ("kept = loader(persistent_workers=True); next(iter(kept))", 0, ""),
    "a dropped iterator": (
        """
        it = iter(loader())
        next(it)
        del it
        assert not multiprocessing.active_children()
        """,
        0,
        "",
    ),
    "a dropped iterator at work": (
        """
        it = iter(loader(slow_at=4))
        next(it)
        del it
        assert not multiprocessing.active_children()
        """,
        0,
        "",
    ),
    "break": (
        """
        for batch in loader():
            break
        assert not multiprocessing.active_children()
        """,
        0,
        "",
    ),
    "an error": ("for batch in loader():\n    raise ValueError('mine')", 1, "ValueError: mine"),
    "sys.exit": ("it = iter(loader()); next(it); sys.exit(3)", 3, ""),
    "os._exit": ("it = iter(loader()); next(it); os._exit(4)", 4, ""),
    "os._exit while workers are busy": ("it = iter(loader(slow_at=4)); next(it); os._exit(4)", 4, ""),
    "a worker is killed": (
        """
        it = iter(loader())
        next(it)
        os.kill(it._workers[1].pid, signal.SIGKILL)
        list(it)
        """,
        1,
        "exited unexpectedly",
    ),
    "all workers are killed": (
        """
        it = iter(loader())
        next(it)
        for worker in it._workers:
            os.kill(worker.pid, signal.SIGKILL)
        list(it)
        """,
        1,
        "exited unexpectedly",
    ),
    "a worker is stopped": (
        """
        it = iter(loader())
        os.kill(it._workers[1].pid, signal.SIGSTOP)
        """,
        0,
        "",
    ),
    "a timeout": (
        "list(loader(slow_at=4, timeout=0.3))",
        1,
        "RuntimeError: DataLoader timed out after 0.3 seconds",
    ),
    "a thread": (
        """
        def work():
            it = iter(loader())
            next(it)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert not multiprocessing.active_children()
        """,
        0,
        "",
    ),
    "a worker refuses to end": (
        """
        def stubborn(number):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        it = iter(loader(slow_at=4, worker_init_fn=stubborn))
        next(it)
        del it
        assert not multiprocessing.active_children()
        """,
        0,
        "",
    ),
    "the program ignores SIGTERM": (
        """
        signal.signal(signal.SIGTERM, lambda *args: print("ignored"))
        it = iter(loader(slow_at=4))
        next(it)
        """,
        0,
        "",
    ),
    "a forked process iterates": (
        """
        it = iter(loader())
        next(it)
        child = os.fork()
        if not child:
            list(loader())  # of its own
            del it
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert len(list(it)) == 499
        """,
        0,
        "",
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_nothing_is_left(name, tmp_path):
    code, exit_code, words = ENDS[name]
    program = Program(tmp_path, code)
    got, _, complaint = program.finish()
    assert got == exit_code, complaint
    assert complaint.strip().endswith(words) if words else not complaint


@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_left_open(method, tmp_path, monkeypatch):
    """Python complains of what a process leaves open, the loader's and the workers', where it is asked to."""
    monkeypatch.setitem(ENVIRONMENT, "PYTHONWARNINGS", "always::ResourceWarning")
    program = Program(tmp_path, f"print(sum(1 for _ in loader({method!r})))")
    assert program.finish() == (0, "500\n", "")


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda n: n.name
)
@pytest.mark.parametrize("slow_at", [None, 4], ids=["idle workers", "busy workers"])
def test_nothing_is_left_of_a_program_that_is_killed(number, slow_at, tmp_path):
    program = Program(tmp_path, f"it = iter(loader(slow_at={slow_at})); next(it); ready(); time.sleep(100)")
    program.wait_until_ready()
    program.process.send_signal(number)
    code, _, _ = program.finish()
    assert code == -number


@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_left_of_a_program_that_is_killed_whichever_way_workers_start(method, tmp_path):
    program = Program(tmp_path, f"it = iter(loader({method!r})); next(it); ready(); time.sleep(100)")
    program.wait_until_ready()
    program.process.kill()
    assert program.finish()[0] == -signal.SIGKILL


@pytest.mark.parametrize("waiting", [True, False], ids=["waits", "computes"])
def test_ctrl_c(waiting, tmp_path):
    """The terminal sends SIGINT to all processes: nobody but the program complains."""
    code = f"""
        for i, batch in enumerate(loader(slow_at=4 if {waiting} else None)):
            if i == 1:
                ready()
                {waiting} or time.sleep(100)
    """
    program = Program(tmp_path, code)
    program.wait_until_ready()
    time.sleep(0.1)
    os.killpg(program.process.pid, signal.SIGINT)
    got, _, complaint = program.finish()
    assert got == -signal.SIGINT
    assert complaint.count("Traceback") == 1
    assert complaint.strip().endswith("KeyboardInterrupt")


def test_a_program_that_survives_ctrl_c_has_no_workers_left(tmp_path):
    code = """
        it = iter(loader(slow_at=4))
        next(it), next(it), ready()
        try:
            next(it)
        except KeyboardInterrupt:
            assert not multiprocessing.active_children()
            print("caught")
        try:
            next(it)
        except RuntimeError as error:
            print(error)
    """
    program = Program(tmp_path, code)
    program.wait_until_ready()
    time.sleep(0.1)
    program.process.send_signal(signal.SIGINT)
    code, out, complaint = program.finish()
    assert (code, complaint) == (0, "")
    assert out.splitlines()[0] == "caught"
    assert "iterate over the loader again" in out


def test_workers_end_though_a_forked_process_of_the_program_lives_on(tmp_path):
    code = """
        it = iter(loader())
        next(it)
        if not os.fork():
            time.sleep(2)
            os._exit(0)
        print(*(worker.pid for worker in it._workers), flush=True)
        time.sleep(100)
    """
    program = Program(tmp_path, code)
    workers = {*map(int, program.process.stdout.readline().split())}
    assert len(workers) == 2
    program.process.kill()
    until = time.monotonic() + 1.5
    while workers & {*processes_of(program.process.pid)} and time.monotonic() < until:
        time.sleep(0.02)
    left = processes_of(program.process.pid)
    assert not workers & {*left}
    assert left  # the forked one
    program.finish()
