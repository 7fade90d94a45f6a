"""Forms of PyTorch's API of 2017 that today's has no place for: they work, and each says once what to write instead."""

import sys
import warnings

_PACKAGE = __name__.partition(".")[0] + "."
#: Form -> the list of warning filters that was in force when it warned last.
_warned: dict[str, list] = {}


def old_form(form, instead, category=FutureWarning):
    """Warn that ``form`` is of PyTorch's API of 2017, and what to write instead: once (see ``warn_once``)."""
    warn_once(form, f"{form} is of PyTorch's API of 2017. {instead}", category)


def warn_once(form, text, category):
    """Warn once in the program, and once more for each ``warnings.catch_warnings()`` block.

    The warning names the line, outside this package, that uses the form.
    """
    filters = warnings.filters  # another list within catch_warnings()
    if _warned.get(form) is not filters:
        depth, frame = 2, sys._getframe(1)
        while frame.f_back is not None and f"{frame.f_globals.get('__package__')}.".startswith(_PACKAGE):
            depth, frame = depth + 1, frame.f_back
        warnings.warn(text, category, stacklevel=depth)
        _warned[form] = filters
