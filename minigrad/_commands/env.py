"""``python -m minigrad env``: what a report of a bug should say about the machine and what is installed on it."""

import argparse
import importlib.metadata
import json
import os
import platform
import sys
from typing import Any

import numpy as np

from .. import version
from .._base import extras, threads
from . import texts


def main(arguments: list[str]) -> int:
    """Print the facts as a table, or as JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m minigrad env",
        description="Show versions, BLAS, threads, and the optional packages that are installed.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    found = facts()
    if options.json:
        print(json.dumps(found, indent=1))
        return 0
    for title, entries in found.items():
        print(texts.table((title, ""), [(key, str(text)) for key, text in entries.items()]), end="\n\n")
    if other_project_is_installed():
        print(
            f"The distribution {extras.OTHER_PROJECT!r}, another project with the same import name, is installed as well, and may have overwritten "
            f"files: run  {extras.REPAIR}"
        )
    return 0


def facts() -> dict[str, dict[str, Any]]:
    """Section -> name -> fact."""
    directory = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return {
        "Versions": {
            "minigrad": version.minigrad,
            f"distribution {extras.DISTRIBUTION}": installed(extras.DISTRIBUTION) or "not installed by pip",
            "directory": directory,
            "API of PyTorch": version.pytorch,
            "NumPy": np.__version__,
            "Python": sys.version.replace("\n", " "),
            "platform": platform.platform(),
        },
        "BLAS and threads": {
            "BLAS of NumPy": _blas(),
            "threads": threads.get_num_threads(),
            "BLAS held to one thread": threads.held,
            "processors": os.cpu_count(),
            "processors for this process": len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count(),
        },
        "Extras": {extra: _extra(needed) for extra, needed in sorted(extras.EXTRAS.items())},
        "Environment variables": {
            name: text
            for name, text in sorted(os.environ.items())
            if name.startswith(("MINIGRAD_", "OMP_", "OPENBLAS_", "MKL_", "TORCH_"))
        },
    }


def installed(distribution: str) -> str | None:
    """The version of an installed distribution; None if it is not installed."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def other_project_is_installed() -> bool:
    """Whether the project that has this import name on the package index is installed, which is known by a file that this one has not."""
    try:
        files = importlib.metadata.files(extras.OTHER_PROJECT) or []
    except importlib.metadata.PackageNotFoundError:
        return False
    return any(str(path) == "minigrad/nn.py" for path in files)


def _blas():
    found = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return f"{found.get('name', 'unknown')} {found.get('version', '')}".strip()


def _extra(needed):
    return ", ".join(f"{name} {installed(name) or 'not installed'}" for name in needed)
