"""Numbers in sequence: ``arange``, ``linspace``, ``logspace``, and the indices of triangles."""

import math
import operator
import warnings

import numpy as np

from .._arrays.rounding import fma32, fma64, halved, powers
from .._base import device as devices
from .._base import dtypes
from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.device import strided
from .._base.dtypes import known
from .._base.errors import type_name
from .._base.guards import explain_failure
from .._core import late
from .._core.tensor import Tensor, wrap
from .._core.wrapped import any_wrapped
from .choose import where
from .convert import as_number
from .create import dtype_of, finish, into_out, real_number
from .operands import NUMBERS
from .overloads import refused
from .powers import pow as power
from .scalars import as_limit, as_real

__all__ = ["arange", "linspace", "logspace", "range", "tril_indices", "triu_indices"]

_range = range


_ARANGES = "(Number end, *, ...)", "(Number start, Number end, Number step = 1, *, ...)"


@composite
def arange(
    start=None, end=None, step=1, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """Return the numbers from ``start`` (0) up to but not including ``end``, ``step`` apart; int64 if all three are integers.

    Raises RuntimeError if ``step`` is zero or leads away from ``end``.

    >>> import minigrad
    >>> minigrad.arange(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000])
    """
    if device is not None and devices.is_meta(device):
        return late.meta().without_elements(_arange, start, end, step, out, dtype, layout, device, requires_grad, pin_memory)
    try:
        return _arange(start, end, step, out, dtype, layout, device, requires_grad, pin_memory)
    except (RuntimeError, MemoryError, ValueError):
        explain_failure(arange, start, end, step, out, dtype, layout, device, requires_grad, pin_memory)
        raise


def _arange(start, end, step, out, dtype, layout, device, requires_grad, pin_memory):
    if start is None and end is not None and step != 1:
        raise refused("arange", _ARANGES, start, end)
    alone = start is None or end is None
    if alone:
        start, end = 0, start if end is None else end
    if start.__class__ is end.__class__ is step.__class__ is int and dtype is None and out is None and 0 < (end - start) * step < 2**62:
        return finish(np.arange(start, end, step), requires_grad, device, layout, pin_memory)
    bounds = [real_number(value) for value in (start, end, step)]
    if any(isinstance(value, complex) for value in bounds):
        bounds = [as_limit(value, "arange", "end", 1) for value in bounds]
    if not all(isinstance(value, (int, float)) for value in bounds):
        if end is None or not alone:
            raise refused("arange", _ARANGES, *([] if alone else (start, end) if step == 1 else (start, end, step)))
        raise TypeError(f"arange(): argument 'end' (position 1) must be Number, not {type_name(end)}")
    if dtype is not None:
        dtype = known("arange", dtype)
    elif out is not None:
        dtype = dtype_of("arange", out)
    else:
        dtype = dtypes.get_default_dtype() if any(isinstance(value, float) for value in bounds) else dtypes.int64
    if dtype.category in (dtypes.BOOL, dtypes.COMPLEX) or dtype.rank is None:
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{dtypes.scalar_type_name(dtype)}'")
    array = spaced(*bounds, dtype)
    if out is not None:
        return into_out("arange", out, array, dtype)
    return finish(array, requires_grad, device, layout, pin_memory)


def spaced(start, end, step, dtype, inclusive=False):
    """``start``, ``start + step``, ... up to ``end``, as an array of ``dtype``."""
    if step == 0 or step != step:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (end < start) if step > 0 else (end > start):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if dtype is dtypes.int64 and not inclusive:
        start, end, step = int(start), int(end), int(step)
        if step == 0:
            raise ValueError("step must be nonzero")
        return np.arange(start, end, step)
    if dtype.category == dtypes.INTEGER:
        if inclusive and step:
            start, end, step = int(start), int(end), int(step) or step
        whole = int(start), int(step)
        count = math.floor((end - start) / step) + 1 if inclusive else math.ceil((end - start) / step)
        return (whole[0] + whole[1] * np.arange(count)).astype(dtype.np)
    count = math.floor((end - start) / step) + 1 if inclusive else math.ceil((end - start) / step)
    if count >= 2**62:
        raise RuntimeError("invalid size, possible overflow?")
    if inclusive:
        return (start + step * np.arange(count, dtype=np.float64)).astype(dtype.np)
    return steps_from(start, step, count, dtype.np)


#: By the size of a number: where start and step are multiples of 1 / ``places``, and all numbers below ``most``, nothing is rounded.
_EXACT = {4: ((1.0, 2**24), (256.0, 2**16)), 8: ((2.0**20, 2**32),)}


def steps_from(start, step, count, dtype):
    """``start + step * i`` for ``i < count``, of NumPy's ``dtype``, with the rounding of PyTorch's kernel.

    That takes vectors of 32 bytes, two at a time: each is its first number, rounded to ``dtype``, and the steps from there.  The rest is computed number by number.
    """
    largest = abs(start) + abs(step) * count
    for places, most in _EXACT.get(dtype.itemsize, ()):
        if largest < most and (start * places).is_integer() and (step * places).is_integer():
            z = np.arange(count, dtype=dtype)
            z *= dtype.type(step)
            z += dtype.type(start)
            return z
    wide, fma = {2: (np.float32, fma32), 4: (np.float64, _rounded_twice), 8: (np.float64, _fma64_in_blocks)}[dtype.itemsize]
    start, step = wide(start), wide(step)
    width = 32 // dtype.itemsize
    vectors = count // (2 * width) * 2
    firsts = fma(np.arange(0, vectors * width, width, dtype=wide), step, start).astype(dtype, copy=False).astype(wide, copy=False)
    out = np.empty(count, dtype)
    lanes = out[: vectors * width].reshape(vectors, width)
    if dtype.itemsize == 8:  # nothing is rounded in twice the step: a sum will do but for the last of four lanes
        lanes[:, 0] = firsts
        for i in (1, 2):
            np.add(firsts, i * step, out=lanes[:, i])
        lanes[:, 3] = fma(np.float64(3), step, firsts)
    else:
        lanes[:] = fma(np.arange(width, dtype=wide), step, firsts[:, None])
    out[vectors * width :] = fma(np.arange(vectors * width, count, dtype=wide), step, start)
    return out


def _fma64_in_blocks(x, y, z):
    """Like ``fma64``, for ``x`` or ``z`` an array and the others numbers, in blocks that stay in the processor's cache."""
    blocks = x if np.ndim(x) else z
    out = np.empty_like(blocks)
    for begin in _range(0, len(blocks), 8192):
        block = slice(begin, begin + 8192)
        out[block] = fma64(x[block], y, z) if blocks is x else fma64(x, y, z[block])
    return out


def _rounded_twice(x, y, z):
    """``x * y + z``: once it is rounded to single precision, it is what ``fma64`` gives, but for one number of 2**29."""
    return x * y + z


def range(start, end, step=1, *, out=None, dtype=None, layout=strided, device=None, requires_grad=False):
    """Return the numbers from ``start`` to ``end`` inclusive, of the default dtype. Deprecated: use ``arange``.

    >>> import minigrad
    >>> minigrad.range(1, 3)
    tensor([1., 2., 3.])
    """
    if device is not None and devices.is_meta(device):
        return late.meta().without_elements(_range_of, start, end, step, out, dtype, layout, device, requires_grad)
    return _range_of(start, end, step, out, dtype, layout, device, requires_grad)


def _real(value, dtype):
    """A bound as a real number; raises TypeError if the argument is not a number, RuntimeError for a complex one."""
    value = real_number(value)
    if value.__class__ is complex:
        if value.imag:
            called = "double" if dtype is dtypes.float64 else "int64_t" if dtype.category == dtypes.INTEGER else "float"
            raise RuntimeError(f"value cannot be converted to type {called} without overflow")
        return value.real
    if not isinstance(value, int | float):
        raise TypeError(f"range() received an invalid combination of arguments - got ({type_name(value)})")
    return value


def _range_of(start, end, step, out, dtype, layout, device, requires_grad):
    if not isinstance(layout, devices.layout):
        raise TypeError(f"range(): argument 'layout' must be torch.layout, not {type_name(layout)}")
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's "
        "range builtin. Instead, use torch.arange, which produces values in [start, end).",
        stacklevel=level_of_user(),
    )
    if dtype is None:
        dtype = out.dtype if isinstance(out, Tensor) else dtypes.get_default_dtype()
    dtype = known("range", dtype)
    if dtype.category in (dtypes.BOOL, dtypes.COMPLEX):
        raise NotImplementedError(f"\"range_cpu\" not implemented for '{dtypes.scalar_type_name(dtype)}'")
    bounds = [_real(value, dtype) for value in (start, end, step)]
    array = spaced(*bounds, dtype, inclusive=True)
    if out is not None:
        return into_out("range", out, array, dtype)
    return finish(array, requires_grad, device, layout)


def _ends(name, start, end, steps, dtype, out):
    """(start, end, dtype) of an evenly spaced sequence."""
    wrong = [x for x in (start, end) if not isinstance(x, (Tensor, *NUMBERS))]
    if wrong or not hasattr(steps, "__index__"):
        raise TypeError(
            f"{name}() received an invalid combination of arguments - got ({type_name(start)}, {type_name(end)}, "
            f"{type_name(steps)}), but expected one of:\n * (Number start, Number end, int steps, ...)"
        )
    steps = operator.index(steps)
    if not -(2**63) <= steps < 2**63:
        raise ValueError("Overflow when unpacking long long")
    dims = [x._array.ndim if isinstance(x, Tensor) else 0 for x in (start, end)]
    if any(dims):
        if dtype is not None:
            known(name, dtype)
        if out is not None:
            dtype_of(name, out)
        raise RuntimeError(
            f"{name} only supports 0-dimensional start and end tensors, but got start with {dims[0]} dimension(s) and end "
            f"with {dims[1]} dimension(s)."
        )
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if steps >= 2**60:  # of which NumPy makes none at all
        raise RuntimeError(f"Storage size calculation overflowed with sizes=[{steps}]")
    start, end = real_number(start), real_number(end)
    is_complex = isinstance(start, complex) or isinstance(end, complex)
    if dtype is not None:
        dtype = known(name, dtype)
        if is_complex and dtype.category != dtypes.COMPLEX:
            raise RuntimeError(
                f"torch.{name}(): inferred dtype {'c10::complex<float>'} can't be safely cast to passed dtype "
                f"{dtypes.scalar_type_name(dtype)}"
            )
    elif out is not None:
        dtype = dtype_of(name, out)
    else:
        dtype = dtypes.default_complex() if is_complex else dtypes.get_default_dtype()
    if dtype.category == dtypes.BOOL:
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for 'Bool'")
    if is_complex and dtype.category != dtypes.COMPLEX:
        raise RuntimeError("value cannot be converted to type float without overflow")
    if dtype.category == dtypes.INTEGER:
        if not steps:
            return 0, 0, 0, dtype
        if not (math.isfinite(start) and math.isfinite(end)):
            raise RuntimeError(f"value cannot be converted to type {dtypes.c_name(dtype)} without overflow")
        start, end = int(start), int(end)
    return start, end, steps, dtype


def evenly(start, end, steps, dtype):
    """``steps`` numbers from ``start`` to ``end``, both of NumPy's ``dtype``, from both ends towards the middle.

    PyTorch's rounding: ``start + step * i`` in one, but in two for half precision.  What is returned has yet to be rounded to ``dtype``.
    """
    if dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        parts = [evenly(*[getattr(complex(value), name) for value in (start, end)], steps, part) for name in ("real", "imag")]
        return parts[0] + 1j * parts[1]
    start, end = np.array([start]).astype(dtype), np.array([end]).astype(dtype)
    if steps < 2:
        return start[:steps]
    i = np.arange(steps)
    if dtype.kind in "iu":
        start, end, dtype = start.astype(np.float64), end.astype(np.float64), np.dtype(np.float64)
    step = (end - start) / np.array(steps - 1).astype(dtype)
    if dtype == np.float64:
        low, high = i.astype(np.float64), (steps - 1 - i).astype(np.float64)
        return np.where(i < steps // 2, fma64(low, step[0], start[0]), fma64(-high, step[0], end[0]))
    if dtype == np.float32:
        start, end, step = start.astype(np.float64), end.astype(np.float64), step.astype(np.float64)
    low, high = i.astype(step.dtype), (steps - 1 - i).astype(step.dtype)
    return np.where(i < steps // 2, start + step * low, end - step * high)


def exponents_between(start, end, steps, dtype):
    """Like ``evenly``, for the exponents of ``logspace``: real ones in double precision from the difference of the ends on, each step rounded."""
    start, end = np.array([start]).astype(dtype), np.array([end]).astype(dtype)
    if steps < 2:
        return start[:steps]
    wide = dtype.type if dtype.kind == "c" else np.float64
    if dtype.kind in "iu":
        start, end = start.astype(wide), end.astype(wide)
    step = (end - start).astype(wide) / wide(steps - 1)
    i = np.arange(steps).astype(wide)
    return np.where(i < steps // 2, start.astype(wide) + step * i, end.astype(wide) - step * (steps - 1 - i))


def _between(name, start, end, steps, dtype):
    """Evenly spaced numbers whose ends are those of samples: from both ends towards the middle."""
    ends = [wrap(np.zeros((), x.dtype.np)) if isinstance(x, Tensor) else x for x in (start, end)]
    *_, steps, dtype = _ends(name, *ends, steps, dtype, None)
    start, end = (x.detach().to(dtype) if isinstance(x, Tensor) else x for x in (start, end))
    i = np.arange(steps).astype(dtype.np)
    step = (end - start) / max(steps - 1, 1)
    return where(wrap(i < max(steps // 2, 1)), start + step * wrap(i), end - step * wrap(i[::-1].copy())).to(dtype)


@composite
def linspace(
    start, end, steps, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """Return ``steps`` numbers evenly spaced from ``start`` to ``end``, both included.

    >>> import minigrad
    >>> minigrad.linspace(0, 1, 3)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if device is not None and devices.is_meta(device):
        return late.meta().without_elements(_linspace, start, end, steps, out, dtype, layout, device, requires_grad, pin_memory)
    return _linspace(start, end, steps, out, dtype, layout, device, requires_grad, pin_memory)


def _linspace(start, end, steps, out, dtype, layout, device, requires_grad, pin_memory):
    if layout is not None or pin_memory:
        finish(np.empty(0), False, device, layout, pin_memory)  # these are read before anything else
    if any_wrapped((start, end)):
        return _between("linspace", start, end, steps, dtype)
    start, end, steps, dtype = _ends("linspace", start, end, steps, dtype, out)
    if dtype.np.char == "V":
        raise NotImplementedError(f"\"linspace_cpu\" not implemented for '{dtypes.scalar_type_name(dtype)}'")
    array = evenly(start, end, steps, dtype.np).astype(dtype.np)
    if out is not None:
        return into_out("linspace", out, array, dtype)
    return finish(array, requires_grad, device, layout, pin_memory)


@composite
def logspace(
    start, end, steps, base=10.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    """Return ``steps`` powers of ``base`` with exponents evenly spaced from ``start`` to ``end``, both included.

    >>> import minigrad
    >>> minigrad.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    if device is not None and devices.is_meta(device):
        return late.meta().without_elements(_logspace, start, end, steps, base, out, dtype, layout, device, requires_grad, pin_memory)
    try:
        return _logspace(start, end, steps, base, out, dtype, layout, device, requires_grad, pin_memory)
    except (MemoryError, ValueError):
        explain_failure(logspace, start, end, steps, base, out, dtype, layout, device, requires_grad, pin_memory)
        raise


def _logspace(start, end, steps, base, out, dtype, layout, device, requires_grad, pin_memory):
    base = base if base.__class__ is float or (isinstance(base, Tensor) and any_wrapped((base,))) else as_real(base, "logspace", "base", 4)
    if layout is not None or pin_memory:
        finish(np.empty(0), False, device, layout, pin_memory)  # these are read before anything else
    if any_wrapped((start, end, base)):
        return power(base, _between("logspace", start, end, steps, dtype))
    given = start
    start, end, steps, dtype = _ends("logspace", start, end, steps, dtype, out)
    if dtype.np.char == "V":
        raise NotImplementedError(f"\"logspace_cpu\" not implemented for '{dtypes.scalar_type_name(dtype)}'")
    # one power alone is of ``start`` as it is, not rounded to the dtype
    exponents = np.array([real_number(given)]) if steps == 1 else exponents_between(start, end, steps, dtype.np)
    if dtype.category == dtypes.COMPLEX and steps == 1:
        exponents = exponents.astype(np.complex128)
    if dtype.category != dtypes.COMPLEX:
        array = powers(base, exponents.astype(np.float64))
    elif steps == 1 and base > 0:
        length, angle = powers(base, exponents.real)[0], float(exponents[0].imag) * math.log(base)
        array = np.array([complex(length * math.cos(angle), length * math.sin(angle))])
    else:
        log = np.log(np.array(base, exponents.dtype))
        array = np.empty_like(exponents)  # by parts: NumPy's complex products are not rounded in each step
        array.real, array.imag = exponents.real * log.real - exponents.imag * log.imag, exponents.imag * log.real + exponents.real * log.imag
        np.exp(array, out=array)
    if steps == 1 and dtype.category != dtypes.COMPLEX:
        as_number(array[0].item(), dtype.np, bounded=True)  # a number by itself has to fit
    array = halved(array, dtype.np).astype(dtype.np)
    if out is not None:
        return into_out("logspace", out, array, dtype)
    return finish(array, requires_grad, device, layout, pin_memory)


def _triangle(name, row, col, offset, dtype, layout, device, pin_memory, lower):
    dtype = dtypes.int64 if dtype is None else known(name, dtype)
    for what, n in (("row", row), ("col", col)):
        if n < 0:
            raise RuntimeError(f"{what} must be non-negative, got{n}")
    if dtype not in (dtypes.int64, dtypes.int32, dtypes.int16, dtypes.int8, dtypes.uint8):
        raise NotImplementedError(f"\"{name}\" not implemented for '{dtypes.scalar_type_name(dtype)}'")
    i, j = np.indices((row, col), sparse=True)
    inside = np.nonzero(j - i <= offset if lower else j - i >= offset)
    return finish(np.array(inside).astype(dtype.np), False, device, layout, pin_memory)


@composite
def tril_indices(row, col, offset=0, *, dtype=None, device=None, layout=None, pin_memory=False):
    """Return the indices (2, n) of the lower triangle of a ``row`` x ``col`` matrix, row by row.

    >>> import minigrad
    >>> minigrad.tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
    return _triangle("tril_indices", row, col, offset, dtype, layout, device, pin_memory, True)


@composite
def triu_indices(row, col, offset=0, *, dtype=None, device=None, layout=None, pin_memory=False):
    """Return the indices (2, n) of the upper triangle of a ``row`` x ``col`` matrix, row by row.

    >>> import minigrad
    >>> minigrad.triu_indices(2, 2)
    tensor([[0, 0, 1],
            [0, 1, 1]])
    """
    return _triangle("triu_indices", row, col, offset, dtype, layout, device, pin_memory, False)
