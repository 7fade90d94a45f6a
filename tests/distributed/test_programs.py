"""Programs for PyTorch's gloo run as they are, and print what they print there; those that fail end, with the reason."""

import socket
import sys

import pytest

from .conftest import PROGRAMS

UNDER_PYTORCH = sys.executable, PROGRAMS / "under_pytorch.py"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.mark.torch
@pytest.mark.parametrize(
    "program, ranks",
    [("as_pytorch.py", 2), ("data_parallel.py", 2), ("sharded_optimizer.py", 2), ("training_variants.py", 2)],
)
def test_programs_print_what_they_print_under_pytorch(launch, command, program, ranks):
    pytest.importorskip("torch")
    ours = launch(ranks, program)
    theirs = command(*UNDER_PYTORCH, ranks, PROGRAMS / program)
    assert theirs.returncode == 0, theirs.stderr[-3000:]
    assert ours.returncode == 0, ours.stderr[-3000:]
    assert ours.stdout.splitlines() == theirs.stdout.splitlines()


@pytest.mark.parametrize("url", ["env://", "tcp://127.0.0.1:{port}", "file://{path}"])
def test_ranks_that_start_themselves_join(mpi, command, tmp_path, url):
    port = free_port()
    url = url.format(port=port, path=tmp_path / "meeting")
    done = command(
        sys.executable,
        "-m",
        "minigrad",
        PROGRAMS / "spawning.py",
        url,
        environment={"MASTER_PORT": str(port)},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == "[(0, [3.0, 3.0]), (1, [3.0, 3.0]), (2, [3.0, 3.0])] gloo\nall ended\n"


def test_the_exception_of_a_rank_that_started_itself_is_raised_by_spawn(mpi, command):
    done = command(
        sys.executable,
        "-m",
        "minigrad",
        PROGRAMS / "spawning.py",
        "env://",
        "fails",
        environment={"MASTER_PORT": str(free_port())},
    )
    assert done.returncode == 1
    assert (
        "Process 1 terminated with the following error:" in done.stderr
        and "ValueError: the reason" in done.stderr
    )


ENDS = {
    "exception": "ValueError: the reason",
    "killed": "signal 9",
    "exit": r"all_reduce in the group '0' of ranks 0-2: rank 1 has ended, or has destroyed its groups, without joining it",
    "absent": "all_reduce in the group '0' of ranks 0-2: Timed out waiting 2000ms",
    "absent late": "Rank 1 failed to pass monitoredBarrier in 1000 ms",
    "shape": "Detected mismatch between collectives on ranks. Rank 0 is running all_reduce((2, 2) torch.float32",
    "dtype": "but rank 1 is running all_reduce((2, 2) torch.float64",
    "order": "but rank 1 is running broadcast((2, 2) torch.float32, from rank 0)",
}


@pytest.mark.parametrize("how", ENDS)
def test_a_rank_that_fails_ends_all(launch, how):
    level = "DETAIL" if how in ("shape", "dtype", "order") else "OFF"
    done = launch(
        3, "ending.py", how, environment={"TORCH_DISTRIBUTED_DEBUG": level}, timeout=50
    )  # rank 1 may sleep for 60 seconds
    assert done.returncode not in (0, "timeout")
    assert ENDS[how] in done.stderr + done.stdout
    assert "not reached" not in done.stdout
    if how == "exception":
        assert done.stderr.startswith("Traceback")


def test_a_rank_that_has_done_its_part_may_end_before_the_others(launch):
    done = launch(3, "ending_early.py")
    assert done.returncode == 0, done.stderr[-3000:]
    assert sorted(done.stdout.splitlines()) == ["0 has ended", "1 has ended", "2 has ended"]
    done = launch(3, "ending_early.py", "absent")
    assert "all_reduce in the group '1' of ranks 0-2: rank 1 has ended" in done.stderr and done.returncode


@pytest.mark.parametrize("last", ["dist.destroy_process_group()", ""])
def test_a_program_may_end_mpi_itself(mpi, command, tmp_path, last):
    program = tmp_path / "program.py"
    program.write_text(
        "import torch, torch.distributed as dist\ndist.init_process_group()\ndist.all_reduce(torch.ones(1))\n"
        f"{last}\nfrom mpi4py import MPI\nMPI.Finalize()\n"
    )
    done = command(sys.executable, "-m", "minigrad.distributed.run", "--nproc-per-node", 2, program)
    assert (done.returncode, done.stderr) == (0, "")


def test_groups_are_made_while_collectives_are_under_way(launch):
    done = launch(3, "making_groups.py", timeout=60)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.startswith("made ['mesh', 'new_group', 'of some', 'own_channel', 'split_group']")


def test_mpiexec_itself_starts_ranks(mpi, command):
    from minigrad.distributed._launching import find_mpiexec

    code = "import os, torch.distributed as d; d.init_process_group(); d.get_rank() or print(d.get_world_size(), os.environ['WORLD_SIZE'], os.environ['LOCAL_WORLD_SIZE'])"
    done = command(find_mpiexec(), "-n", 2, sys.executable, "-m", "minigrad", "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "2 2 2\n"


def test_the_launcher_under_the_alias_and_its_exit_code(launch, mpi, command, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import os, sys\nassert 'LOCAL_RANK' in os.environ\nprint(os.environ['TORCHELASTIC_RESTART_COUNT'], flush=True)\n"
        "sys.exit(5 if int(os.environ['TORCHELASTIC_RESTART_COUNT']) < 1 else 0)"
    )
    words = (
        sys.executable,
        "-m",
        "minigrad",
        "-m",
        "torch.distributed.launch",
        "--use-env",
        "--nproc-per-node",
        1,
    )
    assert command(*words, program).returncode == 5
    done = command(*words, "--max-restarts", 2, program)
    assert (done.returncode, done.stdout) == (0, "0\n1\n")
    assert "exit code 5; start 2 of 3" in done.stderr
