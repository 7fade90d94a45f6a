"""Start a fresh Python on the checkout, for what cannot be measured beside another library."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def python(*arguments):
    """The standard output of ``python *arguments``; RuntimeError with its last words if it fails."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    if done.returncode:
        complaint = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise RuntimeError(f"subprocess: {complaint[-1]}")
    return done.stdout
