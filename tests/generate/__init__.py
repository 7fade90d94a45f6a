"""What a script writes in the package: the tables of names, and the type stubs.  ``python -m tests.generate``."""

WRITTEN = "# Written by `python -m tests.generate`: do not edit.\n"
