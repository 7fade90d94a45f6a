"""Where processes that nobody numbered find out their rank: ``env://``, ``tcp://`` and ``file://``."""

import os
from urllib.parse import parse_qs, urlsplit

from ._stores import FileStore, TCPStore


def rendezvous(backend, method, store, rank, world_size, timeout):
    """The store in which the processes meet, the rank of this one, and how many there are."""
    if store is not None:
        if rank < 0 or world_size < 1:
            raise AssertionError("rank and world_size must be given together with a store")
        return store, rank, world_size
    parts = urlsplit(method or "env://")
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    if parts.scheme not in ("env", "tcp", "file"):
        raise RuntimeError(f"No rendezvous handler for {parts.scheme}://")
    rank, world_size = int(query.get("rank", rank)), int(query.get("world_size", world_size))
    if parts.scheme == "env":
        rank = rank if rank >= 0 else int(_from_environment("RANK"))
        world_size = world_size if world_size >= 0 else int(_from_environment("WORLD_SIZE"))
        if world_size == 1:
            return None, rank, 1
        host, port = _from_environment("MASTER_ADDR"), int(_from_environment("MASTER_PORT"))
    else:
        for name, value in (("rank", rank), ("world size", world_size)):
            if value < 0:
                raise ValueError(
                    f"Error initializing torch.distributed using {parts.scheme}:// rendezvous: {name} parameter missing"
                )
        if parts.scheme == "file":
            return FileStore(parts.path, world_size), rank, world_size
        if parts.port is None:
            raise ValueError(
                "Error initializing torch.distributed using tcp:// rendezvous: port number missing"
            )
        host, port = parts.hostname, parts.port
        if world_size == 1:
            return None, rank, 1
    return TCPStore(host, port, world_size, rank == 0, timeout, wait_for_workers=False), rank, world_size


def _from_environment(name):
    if name not in os.environ:
        raise ValueError(
            f"Error initializing torch.distributed using env:// rendezvous: environment variable {name} expected, but not set. "
            "Start the program by  python -m minigrad.distributed.run --nproc-per-node 2 program.py  or by  mpiexec -n 2 python -m minigrad program.py"
        )
    return os.environ[name]
