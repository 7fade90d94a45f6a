"""``level_of_user``: how far above the program's own line is."""

import sys
from types import FrameType

__all__ = ["level_of_user"]

_PACKAGE = __name__.partition(".")[0]


def level_of_user() -> int:
    """How many calls above the caller the program's own line is, as ``warnings.warn`` counts: the first that is not of this package."""
    level = 1
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (frame.f_globals.get("__package__") or "").partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    return level
