"""Which rank this process has, by the variables that launchers set: ``mpiexec`` of several kinds, Slurm, and ``torchrun``'s own names.

Nothing of MPI is loaded for it.
"""

import os

#: Rank, size, rank on the machine, size on the machine: by Hydra (MPICH, Intel MPI), Open MPI, and what starts by PMIx or Slurm's PMI-2.
_LAUNCHERS = (
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"),
    (
        "OMPI_COMM_WORLD_RANK",
        "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_LOCAL_RANK",
        "OMPI_COMM_WORLD_LOCAL_SIZE",
    ),
    ("PMIX_RANK", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"),
)


def launched():
    """Rank, size, rank on the machine and size on it (each of these None if the launcher does not say), or None where no launcher of MPI started this."""
    for rank, size, local_rank, local_size in _LAUNCHERS:
        if rank in os.environ and size in os.environ:
            local = [os.environ.get(name) for name in (local_rank, local_size)]
            return (
                int(os.environ[rank]),
                int(os.environ[size]),
                *(int(v) if v and v.isdigit() else None for v in local),
            )
    return None


def announce():
    """Set ``RANK``, ``WORLD_SIZE`` and the other variables of ``torchrun`` from those of the launcher of MPI; what is set already stays."""
    found = launched()
    if found is None or "RANK" in os.environ:
        return
    rank, size, local_rank, local_size = found
    local_rank, local_size = (rank if local_rank is None else local_rank), (local_size or size)
    for name, value in {
        "RANK": rank,
        "WORLD_SIZE": size,
        "LOCAL_RANK": local_rank,
        "LOCAL_WORLD_SIZE": local_size,
        "GROUP_RANK": rank // local_size,
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": 29500,
    }.items():
        os.environ.setdefault(name, str(value))


if __name__ == "__main__":  # what --no-python starts: the command after it, with the variables set
    import sys

    announce()
    os.execvp(sys.argv[1], sys.argv[1:])
