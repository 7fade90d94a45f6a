"""``python -m minigrad bench``: this machine beside the published times.  The programs and the table are in the repository, not in the wheel."""

import argparse
import importlib
import sys
from pathlib import Path

from . import texts

#: Where a clone, or an unpacked sdist, has the benchmarks.
ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> int:
    """Run the comparison; returns 1 where there are no benchmarks."""
    parser = argparse.ArgumentParser(
        prog="python -m minigrad bench",
        description="Time the rows of the published table on this machine, on one thread, in about a minute. Needs a clone of the repository.",
    )
    parser.parse_args(arguments)
    if not (ROOT / "benchmarks" / "published.py").is_file():
        return texts.fail(
            "bench",
            f"the benchmarks and the published times are in the repository, and not in what pip installs: {ROOT} has none. In a clone, run  "
            "python -m minigrad bench",
        )
    sys.path.insert(0, str(ROOT))
    return importlib.import_module("benchmarks.published").main()
