"""Help for functions that write operators into a graph of ONNX: what libraries use when they are imported; the rest raises when it is called."""

import functools
from typing import TYPE_CHECKING, Any

from ._symbolics import missing


def parse_args(*arg_descriptors: Any) -> Any:
    """Return a decorator that declares the kinds of a function's arguments: "v" for a value, "i" for an integer, "is" for several, and so on.

    >>> from minigrad.onnx.symbolic_helper import parse_args
    >>> @parse_args("v", "i")
    ... def double(g, x, times):
    ...     return g.op("Mul", x, times)
    >>> double._arg_descriptors
    ('v', 'i')
    """

    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(g, *args, **kwargs):
            if len(args) > len(arg_descriptors):
                raise AssertionError(
                    f"A mismatch between the number of arguments ({len(args)}) and their descriptors "
                    f"({len(arg_descriptors)}) was found at symbolic function '{fn.__name__}'."
                )
            return fn(g, *args, **kwargs)

        wrapper._arg_descriptors = arg_descriptors
        return wrapper

    return decorate


if not TYPE_CHECKING:  # a name that is not there is an error

    def __getattr__(name):
        return missing("symbolic_helper", name)
