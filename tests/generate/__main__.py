"""Writes the tables of names and the type stubs.

python -m tests.generate          writes the files
python -m tests.generate --check  fails if one of them is not up to date
"""

import sys
from pathlib import Path

from . import WRITTEN, names

PACKAGE = Path(__file__).parents[2] / "minigrad"


def outdated():
    """The files whose text is not what it should be, each with its text: the tables first."""
    yield from differing(names.files())
    from . import stubs  # only now: it imports the package, by way of the tables

    yield from differing(stubs.files())


def differing(files):
    """Those of the files, below the package, that do not have their text."""
    for name, text in files:
        path, text = PACKAGE / name, WRITTEN + text
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield path, text


def main(arguments):
    """Write what is outdated, or with ``--check`` say what it is and fail."""
    if arguments not in ([], ["--check"]):
        raise SystemExit(__doc__)
    stale = []
    for path, text in outdated():
        stale.append(path.relative_to(PACKAGE).as_posix())
        if not arguments:
            path.write_text(text, encoding="utf-8")
    if arguments and stale:
        raise SystemExit(f"not up to date: {', '.join(stale)}: run  python -m tests.generate")


if __name__ == "__main__":
    main(sys.argv[1:])
