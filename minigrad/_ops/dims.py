"""What ops along dimensions share: how ``dim`` is read, PyTorch's errors about it, shapes after a reduction, tuples of results."""

import functools
import math
import operator

import numpy as np

from .._base import return_types
from .._base.errors import axis, dim_out_of_range, type_name
from .._core import interpret  # noqa: F401  (the slow path, which stands above the families, comes with whatever subject is the first)
from .._core.tensor import Tensor
from .batches import along

__all__ = []


# Reading ``dim`` -----------------------------------------------------------------------------------------------------------


class AlongDims:
    """An op with a parameter ``dim``: errors about it are PyTorch's."""

    __slots__ = ()
    batch = along("dim")

    @classmethod
    def refuse(cls, error, xs, params):
        """Raise PyTorch's error for NumPy's."""
        place = cls.plan.params.index("dim")
        if place < len(params):
            refuse_dim(cls, error, params[place], xs[0].ndim)


def dim_as_list(x, dim, keepdim, dtype):
    """The ``inputs`` of an op whose function in PyTorch takes a list of dimensions, also for one."""
    dims = [dim.value] if dim.type == "Scalar" else dim
    return (x, dims, keepdim) if dtype is None else (x, dims, keepdim, dtype)


class Reduction(AlongDims):
    """An op whose results lack dimensions: they are contiguous, as PyTorch's, however the operand is laid out."""

    __slots__ = ()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "forward" in cls.__dict__:
            cls.forward = laid_out(cls.forward)


def laid_out(forward):
    """The kernel ``forward``, with contiguous results: NumPy lays out a reduction's result as its operand."""

    @functools.wraps(forward)
    def contiguous(*operands):
        z = forward(*operands)
        if z.__class__ is tuple:
            return tuple([in_order(part) for part in z])
        return in_order(z)

    return contiguous


def in_order(z):
    """The array, contiguous; one without dimensions stays so."""
    return z if z.ndim < 2 or z.flags.c_contiguous else np.ascontiguousarray(z)


class AlongMany(Reduction):
    """An op whose ``dim`` may be several: ``_saved_dim`` is a tuple, as PyTorch's; of all dimensions ``of_all``."""

    __slots__ = ()
    of_all: tuple[()] | None = None

    @property
    def _saved_dim(self):
        dim = self.saved("dim")
        return self.of_all if dim is None else (dim,) if dim.__class__ is int else dim


def refuse_dim(cls, error, dim, ndim=None):
    """Raise PyTorch's error for the ``dim`` that made NumPy raise ``error``, of an operand of ``ndim`` dimensions."""
    if ndim is not None and isinstance(error, ValueError) and "C int" in str(error):
        dims_of(dim if isinstance(dim, tuple) else (dim,), ndim)
    if isinstance(error, np.exceptions.AxisError):
        if isinstance(dim, tuple):
            dims_of(dim, error.ndim)
        raise dim_out_of_range(error.axis, error.ndim) from None
    if isinstance(error, ValueError) and "duplicate" in str(error):
        seen = set()
        for d in dim:
            if d in seen:
                break
            seen.add(d)
        raise repeated_dim(d) from None
    if isinstance(error, TypeError) and "integer" in str(error):
        raise not_dims(cls.function_name(), dim) from None


def repeated_dim(dim):
    """The error for a dimension that is named twice."""
    return RuntimeError(f"dim {dim} appears multiple times in the list of dims")


def not_dims(function, dim):
    """The error for a ``dim`` that is neither an int nor a tuple of them."""
    return TypeError(f"{function}(): argument 'dim' (position 2) must be tuple of ints, not {type_name(dim)}")


def as_dims(dim):
    """A ``dim`` that is no plain int as NumPy takes it: () means all, as None does; one in a tuple is as one without."""
    if isinstance(dim, (tuple, list)):
        if len(dim) != 1:
            return tuple(dim) or None
        if dim[0] is None:
            raise TypeError("dim must be a tuple of ints, but found element of type NoneType at pos 0")
        return dim[0]
    return int(dim) if isinstance(dim, np.integer) else dim


def dims_of(dim, ndim, function=""):
    """All that ``dim`` (an int, several, None, ()) names, counted from the front, in order; raises PyTorch's errors."""
    if dim is None or (isinstance(dim, tuple | list) and not dim):
        return tuple(range(ndim))
    try:
        found = [axis(operator.index(d), ndim) for d in (dim if isinstance(dim, (tuple, list)) else (dim,))]
    except TypeError:
        raise not_dims(function, dim) from None
    for i, d in enumerate(found):
        if d in found[:i]:
            raise repeated_dim(d)
    return tuple(sorted(found)) if ndim else ()


def numpy_names(function, names, dim=None, keepdim=False, default=None):
    """``(dim, keepdim)`` from NumPy's names for them, ``axis`` and ``keepdims``, which PyTorch takes too, each in place of its own."""
    if "keepdims" in names and keepdim is not False:
        raise unexpected(function, "keepdims")
    keepdim = names.get("keepdims", keepdim)
    return numpy_dim(function, {name: names[name] for name in names if name != "keepdims"}, dim, default), keepdim


def numpy_dim(function, names, dim=None, default=None):
    """``dim`` from NumPy's name for it, of a function without ``keepdim``; ``default`` is what ``dim`` is if it was not given."""
    for name in names:
        if name != "axis" or (dim is not None and dim is not default):
            raise unexpected(function, name)
    return names.get("axis", dim)


def unexpected(function, name):
    """The error for an argument of a name that a function does not take."""
    return TypeError(f"{function}() got an unexpected keyword argument '{name}'")


def no_dim(function):
    """The error for a ``dim`` that is missing."""
    return TypeError(f'{function}() missing 1 required positional arguments: "dim"')


def one_dim(function, dim, names=None):
    """``dim`` if it is an int, which may go by its other name in ``names``; raises TypeError."""
    if names:
        dim = numpy_dim(function, names, dim)
    if dim.__class__ is int:
        return dim
    if dim is None:
        raise no_dim(function)
    try:
        if not isinstance(dim, bool):
            return operator.index(dim)
    except TypeError:
        pass
    raise TypeError(f"{function}(): argument 'dim' (position 2) must be int, not {type_name(dim)}")


# Shapes after a reduction ----------------------------------------------------------------------------------------------------


def kept(shape, dim):
    """``shape`` with length one along ``dim``: an int, several, or None for all."""
    n = len(shape)
    if dim.__class__ is int:
        if not n:
            return shape
        dim %= n
        return shape[:dim] + (1,) + shape[dim + 1 :]
    if dim is None:
        return (1,) * n
    dims = dims_of(dim, n)
    return tuple(1 if i in dims else m for i, m in enumerate(shape))


def count(shape, dim):
    """How many elements of ``shape`` make one of its reduction over ``dim``."""
    if dim is None:
        return math.prod(shape)
    n = len(shape)
    if not n:
        return 1
    return shape[dim] if dim.__class__ is int else math.prod([shape[d] for d in dims_of(dim, n)])


def unreduced(xp, value, shape, dim, keepdim):
    """``value``, which has the shape of a reduction's result, with the reduced dimensions as ones."""
    return value if keepdim else xp.reshape(value, kept(shape, dim))


def spread(xp, g, shape, dim, keepdim):
    """``g``, the gradient of a reduction's result, over the axes that were reduced."""
    return xp.broadcast_to(g if keepdim else xp.reshape(g, kept(shape, dim)), shape)


# Several results ---------------------------------------------------------------------------------------------------------------


def named_tuple(name, results):
    """Results under their names: ``torch.return_types.max(values=..., indices=...)``."""
    return tuple.__new__(getattr(return_types, name), results)


def dtype_for(out, dtype):
    """The NumPy dtype that ``out=`` is computed in: ``dtype`` if that is given, else its own."""
    return dtype or (out.dtype.np if isinstance(out, Tensor) else None)
