"""Random integers: ranges of them, and permutations; see ``distributions``."""

import operator
import warnings

import numpy as np

from ..._base.composites import composite
from ..._base.dtypes import is_complex_type
from .filling import (
    C_NAMES,
    CHUNK,
    DIGITS,
    HALF_CHUNK,
    LARGEST,
    fill,
    is_floating,
    not_implemented,
    scalar_name,
    store,
)
from .generator import default_generator

_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1


@composite("random_")
def fill_random(array, generator=None, low=None, high=None):
    """Fill with integers of [low, high), or of [low, the dtype's largest] or of the dtype's whole
    non-negative range.

    Floating arrays take integers as far as they represent them one by one.  ``high`` alone means ``low =
    0``.  Raises RuntimeError for an empty range or bounds that the dtype has not, NotImplementedError for
    dtypes without a range; warns where a floating dtype cannot hold each integer of the range.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> fill_random(np.empty(4, np.int64), Generator().manual_seed(0), 0, 10)
    array([4, 9, 3, 0])
    """
    if low is None and high is None:
        return _fill_random_all(array, generator)
    low = 0 if low is None else operator.index(low)
    high = None if high is None else operator.index(high)
    if not (_INT64_MIN <= low <= _INT64_MAX and (high is None or _INT64_MIN <= high <= _INT64_MAX)):
        raise ValueError("Overflow when unpacking long long")
    if high is not None and not low < high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if high is None and low == _INT64_MIN:
        return _fill_random_64(array, generator)
    floating = is_floating(array.dtype)
    if floating:
        low = _representable_low(low, array.dtype)
    if high is None:
        last = _largest_integer(array)
        if floating and not low < last:
            raise RuntimeError(
                "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to "
                f"dtype, but got from={low} > to_inc={last}"
            )
    else:
        if floating:
            high = _representable_high(high, array.dtype)
            if not low < high:
                raise RuntimeError(
                    "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, "
                    f"but got from={low} >= to={high}"
                )
        last = high - 1
    _check_integer_bounds(array, low, last)
    return fill(array, generator, _integers, last - low + 1, low)


def _integers(flat, generator, span, low):
    """Integers from ``low`` on, by the remainder of one word, or of two where its skew would matter."""
    wide = span >= 2**28
    chunk, draw = (HALF_CHUNK, generator.words64) if wide else (CHUNK, generator.words32)
    for start in range(0, flat.size, chunk):
        part = flat[start : start + chunk]
        values = _remainder(draw(part.size), span)
        values = values.view(np.int64) if wide else values.astype(np.int64)
        values += low
        store(values, part)


def _remainder(words, span):
    """``words % span``, in place."""
    if span & (span - 1) == 0:
        words &= words.dtype.type(span - 1)
    else:
        words %= words.dtype.type(span)
    return words


def _fill_random_all(array, generator):
    dtype = array.dtype
    if not array.size:
        return array
    if dtype.kind == "c" or (dtype.kind == "u" and dtype.itemsize > 1):
        raise not_implemented("random_kernel_cpu", array)
    span = _largest_integer(array) + 1

    def kernel(flat, generator):
        chunk, draw = (HALF_CHUNK, generator.words64) if dtype.itemsize == 8 else (CHUNK, generator.words32)
        for start in range(0, flat.size, chunk):
            part = flat[start : start + chunk]
            store(_remainder(draw(part.size), span).astype(np.int64), part)

    return fill(array, generator, kernel)


def _fill_random_64(array, generator):
    """All 64 bits, signed."""
    if not array.size:
        return array
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind in "bc" or (kind in "uf" and size == 2) or (kind == "u" and size > 2):
        raise not_implemented("random_full_64_bits_range_kernel_cpu", array)
    if kind in "iu" and size < 8:
        raise RuntimeError(
            "random_full_64_bits_range_kernel_cpu handles only int64, double, float and bfloat16"
        )

    def kernel(flat, generator):
        for start in range(0, flat.size, HALF_CHUNK):
            part = flat[start : start + HALF_CHUNK]
            store(generator.words64(part.size).view(np.int64), part)

    return fill(array, generator, kernel)


def _largest_integer(array):
    """The last integer of a draw without an upper bound."""
    dtype = array.dtype
    if is_floating(dtype):
        return 2 ** DIGITS[dtype.name]
    if dtype.kind == "b":
        return 1
    if dtype.kind == "c":
        raise RuntimeError("random_from_to_impl handles only integral, floating-point and boolean types")
    if dtype == np.uint64:
        return -1  # an overflow of PyTorch's, which makes any such range wrong
    return 2 ** (8 * dtype.itemsize - (dtype.kind == "i")) - 1


def _representable_low(low, dtype):
    """``low``, or a number of a floating dtype above it, so that no draw is rounded below ``low``."""
    rounded = _as_integer(low + 1, dtype)
    if rounded < low:
        low = rounded + 2 ** (abs(low + 1).bit_length() - DIGITS[dtype.name])
    return low


def _representable_high(high, dtype):
    """``high``, or a number of a floating dtype below it, so that no draw is rounded up to ``high``."""
    rounded = _as_integer(high - 1, dtype)
    if rounded >= high:
        high = rounded - 2 ** (abs(high - 1).bit_length() - DIGITS[dtype.name])
    return high


def _as_integer(value, dtype):
    """An int64 rounded to a floating dtype and converted back, as the processor does it."""
    with np.errstate(over="ignore"):
        values = np.empty(1, dtype)
        store(np.array([value]).astype(np.int64), values)  # 2**63 wraps around
    value = float(values[0])
    return int(value) if -(2.0**63) <= value < 2.0**63 else _INT64_MIN


def _check_integer_bounds(array, low, last):
    dtype = array.dtype
    if is_complex_type(dtype):
        raise RuntimeError("check_random_bounds handles only integral, floating-point and boolean types")
    bounds = (("from", low), ("to - 1", last))
    floating = is_floating(dtype)
    if floating:
        largest = LARGEST[dtype.name]
        smallest = -largest
    else:
        largest = _INT64_MAX if dtype == np.uint64 else _largest_integer(array)
        smallest = -largest - 1 if dtype.kind == "i" else 0
    for bound, value in bounds:
        if not smallest <= value <= largest:
            raise RuntimeError(f"{bound} is out of bounds for {C_NAMES[dtype.name]}")
    if floating:
        digits = DIGITS[dtype.name]
        for bound, value in bounds:
            if not -(2**digits) <= value <= 2**digits:
                warnings.warn(
                    f"{bound} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations "
                    f"{C_NAMES[dtype.name]} can support discrete uniform distribution only within this range. "
                    "This warning will become an error in version 1.7 release, please fix the code in advance",
                    stacklevel=3,
                )


def permutation(n, generator=None, dtype=np.int64):
    """Return the integers below ``n`` in a random order, an array of ``dtype``.

    Raises RuntimeError if ``n`` is negative or ``dtype`` cannot hold the integers, NotImplementedError for
    dtypes without an order.

    >>> from minigrad._arrays.random.generator import Generator
    >>> permutation(4, Generator().manual_seed(0))
    array([0, 1, 3, 2])
    """
    dtype = np.dtype(dtype)
    _check_permutation(n, dtype)
    if generator is None:
        generator = default_generator()
    with generator.lock:
        if n >= _LARGE_PERMUTATION:
            order = _permute_inside_out(n, generator)
        else:
            order = _permute(n, generator)
    out = np.empty(n, dtype)
    store(order, out)
    return out


#: From this size on PyTorch draws two words for an element, so that the remainder has no skew.
_LARGE_PERMUTATION = (2**32 - 1) // 20


def _permute(n, generator):
    """Fisher and Yates: for each place but the last, exchange its element with one from there on."""
    places = np.arange(n)
    partners = places.copy()
    if n > 1:
        partners[:-1] += generator.words32(n - 1) % (n - places[:-1])
    if n >= 500:
        return _exchanged(partners)
    order = places.tolist()
    for i, j in enumerate(partners.tolist()):
        order[i], order[j] = order[j], order[i]
    return np.array(order, np.int64)


def _exchanged(partners):
    """The identity after the exchanges of ``i`` and ``partners[i] >= i`` for rising ``i``, without a loop
    over them.

    What ``i`` receives lay at its partner's place: it was put there by the last earlier step with that
    partner, from that step's own place; if there was none, it is the partner itself.  What lay at a step's
    own place has come from an earlier step in the same way, and so back to a step that found its place
    untouched.
    """
    n = len(partners)
    keys = (partners << 32) | np.arange(n)
    keys.sort()
    places, steps = keys >> 32, keys & 0xFFFFFFFF
    again = places[1:] == places[:-1]
    before = np.full(n, -1)  # the last earlier step with the same partner
    before[steps[1:][again]] = steps[:-1][again]
    last = np.append(~again, True)
    places, steps = places[last], steps[last]
    steps = np.where(steps == places, before[steps], steps)
    found = steps >= 0
    # The step whose element lies at a place when its turn comes; then the step before that one, and so on.
    origin = np.arange(n)
    origin[places[found]] = steps[found]
    while True:
        further = origin[origin]
        if np.array_equal(further, origin):
            return np.where(before >= 0, origin[before], partners)
        origin = further


def _permute_inside_out(n, generator):
    """Each new element takes the place of a random one so far, which moves to the end, or stays there."""
    order = np.empty(n, np.int64)
    view = memoryview(order)
    for start in range(0, n, HALF_CHUNK):
        counts = np.arange(start + 1, min(start + HALF_CHUNK, n) + 1, dtype=np.uint64)
        for i, j in enumerate((generator.words64(counts.size) % counts).tolist(), start):
            view[i] = view[j] if j < i else i
            view[j] = i
    return order


def _check_permutation(n, dtype):
    name = dtype.name
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    if name in ("float16", "float32", "float64"):
        if n > 2 ** DIGITS[name] + 1:
            limit = "2049" if name == "float16" else f"2^{DIGITS[name]}+1"
            raise RuntimeError(
                f"n cannot be greater than {limit} for {scalar_name(np.empty(0, dtype))} type."
            )
    elif name in ("uint8", "int8", "int16", "int32"):
        if n and n - 1 > np.iinfo(dtype).max:
            c_name = "int" if name == "int32" else name + "_t"
            raise RuntimeError(f"value cannot be converted to type {c_name} without overflow")
    elif name not in ("int64", "bfloat16"):
        raise not_implemented("randperm", np.empty(0, dtype))
