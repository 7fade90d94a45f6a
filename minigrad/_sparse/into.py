"""``out=``: what an operation with sparse tensors gives, written into a tensor that is there already."""

import functools

from .._core.out import check_out, check_result_dtype, fill_out
from .convert import LAYOUT_NAMES
from .parts import is_sparse
from .pointwise import to_fit
from .tensors import replace


def taking_out(function, *, same=False):
    """``function`` with the argument ``out``: a tensor of the result's layout, which takes on its size; ``same``: of its dtype, too."""

    @functools.wraps(function)
    def call(*args, out=None, **kwargs):
        if out is None:
            return function(*args, **kwargs)
        return write(out, function, *args, same=same, **kwargs)

    return call


def write(out, function, /, *args, same=False, **kwargs):
    """Write ``function(*args, **kwargs)`` into ``out``, which is returned.

    Raises RuntimeError if a gradient is wanted, for another layout, and for a dtype that cannot hold the result, or, with ``same``, is another.
    """
    name = function.__name__
    operands = [x for value in args for x in (value if isinstance(value, (tuple, list)) else (value,))]
    check_out(out, name, (*operands, *kwargs.values()))
    result = function(*args, **kwargs)
    if out.layout is not result.layout:
        raise RuntimeError(
            f"{name}: expected {str(result.layout)[6:]} result tensor, got tensor with layout {LAYOUT_NAMES[out.layout]}"
        )
    if same:
        check_result_dtype(out, result)
    if not is_sparse(out):
        return fill_out(out, result, name)
    return replace(out, to_fit(result, out))
