"""``python -m minigrad.distributed.launch``: ``minigrad.distributed.run`` by its older name, and its older option ``--use-env``."""

import sys
from collections.abc import Sequence

from . import run

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> None:
    """Run the launcher with command-line arguments, by default those of this program.

    >>> from minigrad.distributed.launch import main
    >>> main([])
    Traceback (most recent call last):
        ...
    SystemExit: 2
    """
    words = sys.argv[1:] if args is None else args
    run.main([word for word in words if word not in ("--use-env", "--use_env")])


if __name__ == "__main__":
    main()
