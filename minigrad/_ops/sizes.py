"""Reading the arguments that are sizes, or other integers."""

import operator

from .._base.errors import integer, type_name

__all__ = []


def sizes_of(function, argument, given, named=None):
    """A tuple of ints from what was given as ``*sizes``: several numbers, or one sequence of them, which may have been ``named``."""
    if named is not None:
        given = (named,)
    elif not given:
        raise TypeError(f'{function}() missing 1 required positional arguments: "{argument}"')
    if len(given) == 1 and given[0].__class__ is not int:
        first = given[0]
        if isinstance(first, (tuple, list)):
            given = first
        elif first.__class__ is bool or not hasattr(first, "__index__"):
            raise TypeError(f"{function}(): argument '{argument}' (position 1) must be tuple of ints, not {type_name(first)}")
    return ints(function, argument, given)


def ints(function, argument, values):
    """A tuple of ints; raises TypeError for other elements, and if the argument is not a sequence."""
    if not isinstance(values, tuple | list):
        raise TypeError(f"{function}(): argument '{argument}' must be tuple of ints, not {type_name(values)}")
    for v in values:
        if v.__class__ is not int:
            break
    else:
        return values if values.__class__ is tuple else tuple(values)
    found = []
    for i, v in enumerate(values):
        try:
            found.append(None if v.__class__ is bool and not i else operator.index(v))
        except TypeError:
            found.append(None)
        if found[-1] is not None:
            continue
        if not i:
            raise TypeError(
                f"{function}(): argument '{argument}' (position 1) must be tuple of ints, but found element of type {type_name(v)} at pos 0"
            )
        raise TypeError(
            f"{function}(): argument '{argument}' failed to unpack the object at pos {i + 1} with error "
            f'"type must be tuple of ints,but got {type_name(v)}"'
        )
    return tuple(found)


def refuse_long(function, argument, values):
    """Raise PyTorch's error for the first of ``values`` that is an integer of more than 64 bits: for functions that have failed."""
    for i, v in enumerate(values, 1):
        if isinstance(v, int) and not -(2**63) <= v < 2**63:
            raise TypeError(
                f"{function}(): argument '{argument}' failed to unpack the object at pos {i} with error \"Overflow when unpacking long long"
            ) from None


def as_int(value, function, argument, position):
    """``value`` as an int; raises TypeError for what is none."""
    return value if value.__class__ is int else integer(value, function, argument, position)
