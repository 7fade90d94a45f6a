"""What ``mpiexec`` starts for each of the ranks that exist already (see ``_joining.py``): hands its connection to the rank, and lives as long as that.

It is run as a file, and imports nothing of the package.
"""

import os
import socket
import sys


def main():
    rank = int(os.environ.get("PMI_RANK", "0"))
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(sys.argv[1 + rank])
        names = [
            name
            for name in os.environ
            if name.startswith(("PMI_", "MPI_", "HYDRA_", "MPIR_", "HYDI_")) and name != "PMI_FD"
        ]
        text = "\0".join(f"{name}={os.environ[name]}" for name in names).encode()
        descriptor = os.environ.get("PMI_FD")
        socket.send_fds(link, [text], [int(descriptor)] if descriptor else [])
        if descriptor:
            os.close(int(descriptor))
        ended_well = link.recv(1) == b"f"
        while link.recv(1):  # until the rank ends
            pass
    return 0 if ended_well else 1


if __name__ == "__main__":
    sys.exit(main())
