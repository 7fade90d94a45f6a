"""Reductions of losses: their numbers, and what the flags of old (``size_average``, ``reduce``) mean."""

import warnings

NUMBERS = {"none": 0, "mean": 1, "sum": 2}


def get_enum(reduction, stacklevel=2):
    """The number of a reduction; raises ValueError for an unknown name."""
    if reduction == "elementwise_mean":
        warnings.warn(
            "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.",
            stacklevel=stacklevel,
        )
        return 1
    number = NUMBERS.get(reduction)
    if number is None:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return number


def legacy_get_string(size_average, reduce, emit_warning=True, stacklevel=2):
    """The reduction that the flags mean; None stands for True."""
    reduces, averages = (flag is None or bool(flag) for flag in (reduce, size_average))
    name = "none" if not reduces else "mean" if averages else "sum"
    if emit_warning:
        warnings.warn(
            f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.",
            stacklevel=stacklevel,
        )
    return name


def legacy_get_enum(size_average, reduce, emit_warning=True):
    """The number of the reduction that the flags mean."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning, stacklevel=3))
