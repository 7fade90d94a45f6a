"""``python -m minigrad.distributed.run --nproc-per-node 2 program.py``: a program in several processes, in which ``import torch`` means minigrad.

The options are those of ``torchrun`` that mean something where MPI's launcher starts the processes.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

from ._launching import find_mpiexec

__all__ = ["get_args_parser", "main", "parse_args", "run"]


def get_args_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line.

    >>> from minigrad.distributed.run import get_args_parser
    >>> get_args_parser().parse_args(["--nproc-per-node", "2", "program.py"]).nproc_per_node
    '2'
    """
    parser = argparse.ArgumentParser(
        prog="python -m minigrad.distributed.run",
        description="Run a program in several processes, which call torch.distributed.init_process_group(); mpiexec starts them.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "--nproc-per-node",
        "--nproc_per_node",
        default="1",
        metavar="N",
        help="processes on each machine: a number, or cpu, auto: one for each core",
    )
    add(
        "--nnodes",
        default="1",
        metavar="N",
        help="number of machines (see --hosts); a range N:N is taken at its lower end",
    )
    add(
        "--hosts",
        metavar="A,B,...",
        help="the machines, for mpiexec; else those that the system that schedules the job gives it",
    )
    add(
        "--max-restarts",
        "--max_restarts",
        type=int,
        default=0,
        metavar="N",
        help="how often to start again when a process has failed",
    )
    add("--master-addr", "--master_addr", default="127.0.0.1", help="MASTER_ADDR for the program")
    add("--master-port", "--master_port", type=int, default=29500, help="MASTER_PORT for the program")
    add("--rdzv-id", "--rdzv_id", default="none", help="TORCHELASTIC_RUN_ID for the program")
    add(
        "--log-dir",
        "--log_dir",
        default="logs",
        metavar="DIR",
        help="where --redirects leaves files: RANK/stdout.log and RANK/stderr.log",
    )
    add(
        "-r",
        "--redirects",
        type=int,
        choices=range(4),
        default=0,
        metavar="KIND",
        help="write to files instead: 1 standard output, 2 standard error, 3 both",
    )
    add("--mpiexec", metavar="ARGUMENTS", default="", help="further arguments for mpiexec, in one word")
    add("--standalone", action="store_true", help="accepted: there is nothing to meet at but MPI")
    for name in (
        "rdzv-backend",
        "rdzv-endpoint",
        "rdzv-conf",
        "monitor-interval",
        "start-method",
        "role",
        "signals-to-handle",
        "local-addr",
    ):
        add(
            f"--{name}",
            f"--{name.replace('-', '_')}",
            help="accepted, without effect: MPI's launcher does it its own way",
        )
    add(
        "--node-rank",
        "--node_rank",
        type=int,
        default=0,
        help="0: MPI's launcher starts the processes of all machines from one",
    )
    add("-m", "--module", action="store_true", help="the program is a module, as for python -m")
    add("--no-python", "--no_python", action="store_true", help="the program is a command that runs as it is")
    add("training_script", help="the program")
    add("training_script_args", nargs=argparse.REMAINDER, help="its arguments")
    return parser


def parse_args(args: Sequence[str] | None) -> argparse.Namespace:
    """Parse command-line arguments, by default those of this program.

    >>> from minigrad.distributed.run import parse_args
    >>> parse_args(["-m", "package.train", "--epochs", "3"]).training_script_args
    ['--epochs', '3']
    """
    return get_args_parser().parse_args(args)


def _processes(text):
    if text in ("auto", "cpu"):
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not text.isdigit() or int(text) < 1:
        raise SystemExit(
            f"python -m minigrad.distributed.run: --nproc-per-node takes a number, cpu or auto, not {text}"
        )
    return int(text)


def run(args: argparse.Namespace) -> None:
    """Run the launcher with command-line arguments; raise SystemExit with the exit code of the program if it failed.

    >>> from minigrad.distributed.run import parse_args, run
    >>> callable(run)
    True
    """
    if args.node_rank:
        raise SystemExit(
            "python -m minigrad.distributed.run: start it on one machine; --hosts names the others, on which MPI's launcher starts processes"
        )
    local = _processes(args.nproc_per_node)
    machines = int(str(args.nnodes).partition(":")[0])
    hosts = args.hosts.split(",") if args.hosts else []
    if hosts and machines not in (1, len(hosts)):
        raise SystemExit(
            f"python -m minigrad.distributed.run: --nnodes is {machines}, but --hosts names {len(hosts)}"
        )
    machines = max(machines, len(hosts))
    count = machines * local
    command = [find_mpiexec(), "-n", str(count)]
    if machines > 1:
        command += ["-ppn", str(local)]
    if hosts:
        command += ["-hosts", ",".join(hosts)]
    command += [*_redirecting(args, count), *args.mpiexec.split()]
    if args.no_python:
        command += [sys.executable, "-m", "minigrad.distributed._ranks"]
    else:
        command += [sys.executable, "-u", "-m", "minigrad", *["-m"] * args.module]
    command += [args.training_script, *args.training_script_args]
    for attempt in range(args.max_restarts + 1):
        code = subprocess.run(command, env=_environment(args, local, attempt)).returncode
        if code == 0:
            return
        if attempt < args.max_restarts:
            print(
                f"python -m minigrad.distributed.run: exit code {code}; start {attempt + 2} of {args.max_restarts + 1}",
                file=sys.stderr,
                flush=True,
            )
    raise SystemExit(code if 0 < code < 256 else 1)


def _redirecting(args, count):
    """What tells mpiexec to write what the ranks print to files."""
    options = []
    for bit, stream in (1, "out"), (2, "err"):
        if args.redirects & bit:
            options += [f"-{stream}file-pattern", os.path.join(args.log_dir, "%r", f"std{stream}.log")]
    if options:
        for rank in range(count):
            os.makedirs(os.path.join(args.log_dir, str(rank)), exist_ok=True)
    return options


def _environment(args, local, attempt):
    """The variables of the ranks, but for those that differ between them (see ``_ranks.py``)."""
    variables = {
        **os.environ,
        "MASTER_ADDR": args.master_addr,
        "MASTER_PORT": str(args.master_port),
        "LOCAL_WORLD_SIZE": str(local),
        "TORCHELASTIC_RUN_ID": args.rdzv_id,
        "TORCHELASTIC_RESTART_COUNT": str(attempt),
        "TORCHELASTIC_MAX_RESTARTS": str(args.max_restarts),
    }
    for name in ("RANK", "LOCAL_RANK", "WORLD_SIZE", "GROUP_RANK"):
        variables.pop(name, None)
    if local > 1:  # the cores are for the ranks, unless the user says otherwise
        variables.setdefault("OMP_NUM_THREADS", "1")
    return variables


def main(args: Sequence[str] | None = None) -> None:
    """Run the launcher with command-line arguments, by default those of this program.

    >>> from minigrad.distributed.run import main
    >>> main([])
    Traceback (most recent call last):
        ...
    SystemExit: 2
    """
    run(parse_args(args))


if __name__ == "__main__":
    main()
