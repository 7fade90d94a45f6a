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
        elif not hasattr(first, "__index__"):
            raise TypeError(f"{function}(): argument '{argument}' (position 1) must be tuple of ints, not {type_name(first)}")
    return ints(function, argument, given)


def ints(function, argument, values):
    """A tuple of ints; raises TypeError for other elements, and for what is no sequence."""
    if not isinstance(values, tuple | list):
        raise TypeError(f"{function}(): argument '{argument}' must be tuple of ints, not {type_name(values)}")
    for v in values:
        if v.__class__ is not int:
            break
    else:
        return values if values.__class__ is tuple else tuple(values)
    found = []
    for i, v in enumerate(values):
        if not hasattr(v, "__index__"):
            raise TypeError(
                f"{function}(): argument '{argument}' failed to unpack the object at pos {i + 1} with error "
                f'"type must be tuple of ints,but got {type_name(v)}"'
            )
        found.append(operator.index(v))
    return tuple(found)


def as_int(value, function, argument, position):
    """``value`` as an int; raises TypeError for what is none."""
    return value if value.__class__ is int else integer(value, function, argument, position)
