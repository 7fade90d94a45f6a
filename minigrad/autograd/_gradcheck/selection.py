"""Which tensors are checked, and their entries."""

import warnings
from collections.abc import Iterable
from itertools import product

from ..._base.dtypes import complex128, float64
from ..._core.tensor import Tensor


def as_tuple(x):
    """A tuple as it is, a list as a tuple, anything else as a tuple of one."""
    if isinstance(x, tuple):
        return x
    return tuple(x) if isinstance(x, list) else (x,)


def is_tensor(x):
    """Whether ``x`` is a tensor, or behaves as one."""
    return isinstance(x, Tensor) or hasattr(type(x), "__torch_function__")


def is_floating(x):
    """Whether ``x`` is a tensor of real or complex numbers, not of integers."""
    return is_tensor(x) and (x.is_floating_point() or x.is_complex())


def is_wanted(x):
    """Whether ``x`` is a tensor that requires grad."""
    return is_tensor(x) and x.requires_grad


def differentiable(x):
    """The results that require grad."""
    return tuple(out for out in as_tuple(x) if out.requires_grad)


def iter_tensors(x, only_requiring_grad=False):
    """The tensors in an iterable, and in what it holds."""
    if is_tensor(x):
        if x.requires_grad or not only_requiring_grad:
            yield x
    elif isinstance(x, Iterable) and not isinstance(x, str):
        for element in x:
            yield from iter_tensors(element, only_requiring_grad)


def iter_entries(x):
    """For each entry of ``x``: its data (to write the entry, without autograd knowing), the index, and the number of the entry."""
    data = x.data
    for number, index in enumerate(product(*map(range, data.size()))):
        yield data, index, number


def check_inputs(inputs):
    """Raise ValueError if no input requires grad, RuntimeError if one shares memory with itself; warn if one is not of double precision."""
    wanted = [(i, x) for i, x in enumerate(inputs) if is_wanted(x)]
    for i, x in wanted:
        if x.dtype not in (float64, complex128):
            warnings.warn(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. Differences of "
                "numbers with so few digits are too coarse for the usual tolerances: use double precision.",
                stacklevel=2,
            )
        if any(stride <= 0 and size > 1 for stride, size in zip(x.stride(), x.size())):
            raise RuntimeError(
                f"The {i}th input has a dimension with stride 0. Finite differences change one element at a time, "
                "which is impossible for elements that share memory: pass input.contiguous()."
            )
    if not wanted:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    return True
