"""Times, shares, bytes and floating-point operations as text."""

import math

_UNITS_OF_TIME = {"s": 1e6, "ms": 1e3, "us": 1.0}


def format_time(time_us, unit=None):
    """Format a time in microseconds in the largest unit in which it is at least 1, or in ``unit``.

    >>> from minigrad._display.units import format_time
    >>> format_time(1234.5678)
    '1.235ms'
    """
    if unit not in _UNITS_OF_TIME:
        unit = "s" if time_us >= 1e6 else "ms" if time_us >= 1e3 else "us"
    return f"{time_us / _UNITS_OF_TIME[unit]:.3f}{unit}"


def format_time_share(time_us, total_time_us):
    """Format a time as a percentage of another.

    >>> from minigrad._display.units import format_time_share
    >>> format_time_share(1, 3)
    '33.33%'
    """
    if total_time_us:
        return f"{time_us * 100.0 / total_time_us:.2f}%"
    if time_us:
        raise AssertionError(f"Expected time_us == 0 but got {time_us}")
    return "NaN"


def flops_scale(smallest):
    """For a column whose smallest entry is ``smallest``: the factor for entries, and the header.

    >>> from minigrad._display.units import flops_scale
    >>> flops_scale(5_000)
    (0.001, 'KFLOPs')
    """
    headers = ("FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs", "PFLOPs")
    power = max(0, min(math.floor(math.log10(smallest) / 3), len(headers) - 1))
    return 10 ** (-3.0 * power), headers[power]


def format_memory(nbytes):
    """Format a number of bytes in the largest unit in which it is at least 1.

    >>> from minigrad._display.units import format_memory
    >>> format_memory(2048), format_memory(-3)
    ('2.00 KB', '-3 B')
    """
    for power, unit in ((3, "GB"), (2, "MB"), (1, "KB")):
        if abs(nbytes) >= 1024**power:
            return f"{nbytes / 1024**power:.2f} {unit}"
    return f"{nbytes} B"
