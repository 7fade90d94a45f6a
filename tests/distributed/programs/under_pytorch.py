"""Runs a program with PyTorch in so many ranks: ``under_pytorch.py RANKS PROGRAM ...``.

As ``torch.distributed.run`` does, in two thirds of the processor time: PyTorch is imported once, and the ranks are forks of the process that did so.  The port of the store
is one that the system gives while the store listens, so nobody else can take it meanwhile.
"""

import importlib
import os
import runpy
import sys

import torch.distributed as dist

#: What optimizers and DistributedDataParallel import when they are made.
LATER = "torch._dynamo", "torch.distributed.optim"


def run_rank(rank, size, port):
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(size), LOCAL_WORLD_SIZE=str(size))
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), TORCHELASTIC_USE_AGENT_STORE="True")
    sys.argv = sys.argv[2:]
    runpy.run_path(sys.argv[0], run_name="__main__")


def main():
    size = int(sys.argv[1])
    for name in LATER:
        importlib.import_module(name)
    pipes, ranks = [os.pipe() for _ in range(size)], []
    for rank, (reading, _) in enumerate(pipes):
        process = os.fork()
        if not process:
            for _, writing in pipes:  # so that reading ends if the first process does
                os.close(writing)
            return run_rank(rank, size, int(os.read(reading, 16)))
        ranks.append(process)
    store = dist.TCPStore(
        "127.0.0.1", 0, is_master=True, wait_for_workers=False
    )  # after forking: it has threads
    for _, writing in pipes:
        os.write(writing, str(store.port).encode())
    while ranks:
        process, status = os.wait()
        ranks.remove(process)
        if status:
            for other in ranks:
                os.kill(other, 9)
            sys.exit(1)


if __name__ == "__main__":
    main()
