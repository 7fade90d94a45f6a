"""Start a fresh Python on the checkout, for what cannot be measured beside another library."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


#: NumPy's BLAS, PyTorch's MKL and OpenMP read these once, when they are loaded.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def python(*arguments, threads=True):
    """The standard output of ``python *arguments``; RuntimeError with its last words if it fails.

    Libraries take so many ``threads``; with None as many as they do by themselves, with True as many as here.
    """
    environment = dict(os.environ)
    if threads is not True:
        for name in THREAD_VARIABLES:
            environment.pop(name, None)
    if threads is not True and threads is not None:
        environment.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env={**environment, "PYTHONPATH": path},
        check=False,
    )
    if done.returncode:
        complaint = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise RuntimeError(f"subprocess: {complaint[-1]}")
    return done.stdout
