"""Amounts of memory as text."""

__all__ = ["format_memory"]


def format_memory(nbytes):
    """A number of bytes in the largest unit in which it is at least 1.

    >>> from minigrad._core.amounts import format_memory
    >>> format_memory(2048), format_memory(-3)
    ('2.00 KB', '-3 B')
    """
    for power, unit in ((3, "GB"), (2, "MB"), (1, "KB")):
        if abs(nbytes) >= 1024**power:
            return f"{nbytes / 1024**power:.2f} {unit}"
    return f"{nbytes} B"
