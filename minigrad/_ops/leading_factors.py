"""The orders of arguments of 2017, with a factor before what it multiplies: understood, with a warning."""

import functools
import warnings

from .._base.callers import level_of_user
from .._base.deprecation import warn_once
from .._core.tensor import Tensor
from .operands import NUMBERS

__all__ = []


def factor_first(name, factor, operands, old):
    """The factor and the operands of a call in the order of 2017, with the factor before what it multiplies.

    ``operands`` are the arguments after the input, ``old`` those beyond what today's signature takes. Raises TypeError if there
    is more than one, or the first of the operands is not a number.
    """
    given = (*operands, *old)
    value, operands = given[0], given[1:]
    number_first = isinstance(value, NUMBERS) or (isinstance(value, Tensor) and not value.ndim and not value.requires_grad)
    if len(old) > 1 or not number_first:
        count = len(given) + 1
        raise TypeError(f"{name}() takes {count - len(old)} positional arguments but {count} were given")
    names = ["other"] if len(operands) == 1 else ["tensor1", "tensor2"]
    tensors = ", ".join(f"Tensor {x}" for x in names)
    warn_once(
        "a factor before what it multiplies",
        f"This overload of {name} is deprecated:\n\t{name}(Tensor input, Number {factor}, {tensors}, *, Tensor out = None)\n"
        f"Consider using one of the following signatures instead:\n\t{name}(Tensor input, {tensors}, *, Number {factor} = 1, "
        "Tensor out = None)",
        UserWarning,
    )
    return value, operands


def takes_leading_factors(function):
    """Let ``function(input, x, y, *, beta, alpha)`` also be called with PyTorch's oldest orders of arguments, as of 2017.

    They have the factors before what they multiply: ``f(beta, input, alpha, x, y)``, ``f(beta, input, x, y)``; and as methods
    ``input.f(beta, alpha, x, y)``, ``input.f(beta, x, y)``.
    """
    @functools.wraps(function)
    def call(*args, **kwargs):
        if len(args) in (4, 5):
            tensors = [x for x in args if isinstance(x, Tensor)]
            factors = [x for x in args if isinstance(x, (int, float, complex))]
            if len(tensors) == 3 and len(factors) == len(args) - 3 and all(x is y for x, y in zip(args[-2:], tensors[1:])):
                name = function.__name__
                warnings.warn(
                    f"This overload of {name} is deprecated:\n\t{name}(Number beta, Tensor input, Number alpha, ...)\n"
                    f"Consider using one of the following signatures instead:\n\t{name}(Tensor input, ..., *, Number beta = 1, "
                    "Number alpha = 1, ...)",
                    stacklevel=level_of_user(),
                )
                return function(*tensors, **dict(zip(("beta", "alpha"), factors)), **kwargs)
        return function(*args, **kwargs)
    return call
