"""Which NumPy this is, where an older one, from 2.0 on, lacks something."""

import numpy as np


def at_least(*wanted: int) -> bool:
    """Whether NumPy's version is ``wanted``, given as numbers, or a later one."""
    parts = np.__version__.split(".")[: len(wanted)]
    return tuple(int(part) for part in parts if part.isdigit()) >= wanted
