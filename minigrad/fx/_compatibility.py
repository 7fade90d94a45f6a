"""Marks of what stays: ``compatibility`` says in a docstring whether a name of ``fx`` is kept from release to release."""

import textwrap

_BACK_COMPAT_OBJECTS: dict = {}
_MARKED_WITH_COMPATIBILITY: dict = {}

_KEPT = "\n.. note::\n    Backwards-compatibility for this API is guaranteed.\n"
_EXPERIMENTAL = "\n.. warning::\n    This API is experimental and is *NOT* backward-compatible.\n"


def compatibility(is_backward_compatible):
    """Return a decorator that adds to the docstring whether the function or class is backward compatible.

    >>> from minigrad.fx._compatibility import compatibility
    >>> @compatibility(is_backward_compatible=True)
    ... def double(x):
    ...     "Twice x."
    >>> print(double.__doc__.splitlines()[0])
    Twice x.
    """

    def mark(obj):
        obj.__doc__ = textwrap.dedent(obj.__doc__ or "") + (
            _KEPT if is_backward_compatible else _EXPERIMENTAL
        )
        _MARKED_WITH_COMPATIBILITY.setdefault(obj)
        if is_backward_compatible:
            _BACK_COMPAT_OBJECTS.setdefault(obj)
        return obj

    return mark
