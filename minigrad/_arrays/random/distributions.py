"""Random numbers on raw arrays: PyTorch 2.13's CPU distributions, bit for bit.

The functions ``fill_*`` write into an array of any strides, in the order of its memory, as PyTorch's kernels
do, and return it; the others return a new array.  Each holds its generator's lock from the first word to the
last.  Which words make which numbers is the subject of these files; the words are ``generator``'s, the normal
transforms ``box_muller``'s, correct rounding ``rounding``'s.  Here stand the distributions of real numbers
and all names; ``integers`` and ``rejection`` have the rest.

A generator of None is the default one.  Numbers of float16 and bfloat16 are computed in float32.
"""

import math

import numpy as np

from ..._base.composites import composite
from ..._base.dtypes import from_numpy_dtype, is_complex_type
from ..._base.errors import check_sizes
from ..copies import like
from ..rounding import fitted, fma32, fma64, libm, numbers
from ..unresolved import resolved
from .box_muller import blocks_f32, blocks_f64, fill_from_turn, standard_normals
from .filling import (
    C_NAMES,
    CHUNK,
    F64,
    HALF_CHUNK,
    LARGEST,
    fill,
    is_floating,
    memory_order,
    not_implemented,
    scalar_name,
    store,
)
from .generator import default_generator
from .integers import fill_random, permutation
from .rejection import binomial, dirichlet, poisson, standard_gamma

__all__ = [
    "binomial", "dirichlet", "dropout_mask", "fill_bernoulli", "fill_cauchy", "fill_exponential",
    "fill_geometric", "fill_log_normal", "fill_normal", "fill_random", "fill_uniform", "multinomial", "normal",
    "permutation", "poisson", "standard_gamma",
]  # fmt: skip


# Uniform ----------------------------------------------------------------------------------------------------


@composite("uniform_")
def fill_uniform(array, generator=None, low=0.0, high=1.0):
    """Fill a floating or complex array with numbers uniform in [low, high).

    Raises RuntimeError if ``low > high`` or a bound is out of the dtype's range, NotImplementedError for
    other dtypes.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> fill_uniform(np.empty(2, np.float32), Generator().manual_seed(0))
    array([0.4962566, 0.7682218], dtype=float32)
    """
    if is_complex_type(array.dtype):
        if not array.size:
            return array
        _fill_real_uniform(_real_view(array), generator, low, high)
        return array
    return _fill_real_uniform(array, generator, low, high)


def _fill_real_uniform(array, generator, low, high):
    if low == 0.0 and high == 1.0:
        if not is_floating(array.dtype):
            raise not_implemented("check_uniform_bounds", array)
        return fill(array, generator, _standard_uniform)
    _check_uniform_bounds(array, low, high)
    kernel = _uniform_f64 if array.dtype == F64 else _uniform_f32
    return fill(array, generator, kernel, float(low), float(high))


def _check_uniform_bounds(array, low, high):
    if not is_floating(array.dtype):
        raise not_implemented("check_uniform_bounds", array)
    name = array.dtype.name
    largest = LARGEST[name]
    for bound, value in (("from", low), ("to", high)):
        if not -largest <= value <= largest:
            raise RuntimeError(f"{bound} is out of bounds for {C_NAMES[name]}")
    if not low <= high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    if not high - low <= largest:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{scalar_name(array)}>::max(), but found "
            f"to={high:g} and from={low:g} which result in to-from to exceed the limit"
        )


def _standard_uniform(flat, generator):
    wide = flat.dtype.itemsize == 8
    chunk = HALF_CHUNK if wide else CHUNK
    draw = generator.uniform_f64 if wide else generator.uniform_f32
    for start in range(0, flat.size, chunk):
        part = flat[start : start + chunk]
        part[...] = draw(part.size)
        if flat.dtype.itemsize == 2:
            part[part == 1] = 0  # where rounding went up to the bound


def _uniform_f32(flat, generator, low, high):
    low, high = np.float32(low), np.float32(high)
    span = high - low
    first, last = flat.dtype.type(low), flat.dtype.type(high)
    exact = _exact_in_double(float(span), float(low))
    for start in range(0, flat.size, CHUNK):
        part = flat[start : start + CHUNK]
        values = generator.uniform_f32(part.size)
        if exact:
            wide = np.multiply(values, span, dtype=np.float64)
            wide += low
            values[...] = wide
        else:
            values = fma32(values, span, low)
        part[...] = values
        at_end = part == last
        if at_end.any():
            part[at_end] = first


def _exact_in_double(span, low):
    """Whether ``u * span + low`` is a float64 for each u of 24 bits: then only its conversion to float32 rounds."""
    quantum = min(_last_place(span) * 2.0**-24, _last_place(low))
    return max(abs(low), abs(low + span)) <= 2.0**53 * quantum


def _last_place(value):
    """The value of the last bit of a float that is set; infinity for 0."""
    numerator, denominator = value.as_integer_ratio()
    return (numerator & -numerator) / denominator if numerator else math.inf


def _uniform_f64(flat, generator, low, high):
    for start in range(0, flat.size, HALF_CHUNK):
        part = flat[start : start + HALF_CHUNK]
        part[...] = fma64(generator.uniform_f64(part.size), high - low, low)
        part[part == high] = low


def _real_view(array):
    """A complex array as one of pairs of real numbers."""
    return array[..., None].view(f"f{array.dtype.itemsize // 2}")


# Normal -----------------------------------------------------------------------------------------------------


@composite("normal_")
def fill_normal(array, generator=None, mean=0.0, std=1.0):
    """Fill a floating or complex array with normal numbers.

    Of a complex array each part has the variance ``std**2 / 2``.  Raises RuntimeError unless ``std >= 0``,
    NotImplementedError for other dtypes.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> fill_normal(np.empty(2, np.float32), Generator().manual_seed(0))
    array([ 1.5409961, -0.2934289], dtype=float32)
    """
    if not std >= 0.0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    if not array.size:
        return array
    if is_complex_type(array.dtype):
        fill_normal(_real_view(array), generator, mean, std / math.sqrt(2.0))
        return array
    if not is_floating(array.dtype):
        raise not_implemented("normal_kernel_cpu", array)
    kernel = _normal_by_pairs if array.size < 16 or not array.flags.c_contiguous else _normal_by_blocks
    if mean == 0.0 and std == 1.0:
        return fill(array, generator, kernel, 0.0, 1.0)
    with np.errstate(over="ignore", invalid="ignore"):
        if not (
            math.isfinite(mean) and math.isfinite(std)
        ):  # of which the products that are rounded once make nan
            fill(array, generator, kernel, 0.0, 1.0)
            array[...] = array.astype(F64) * std + mean
            return array
        return fill(array, generator, kernel, float(mean), float(std))


def _normal_by_pairs(flat, generator, mean, std, function=None):
    """Box-Muller's pairs in float64, of which the second half may be kept for the next call."""
    for start in range(0, flat.size, HALF_CHUNK):
        part = flat[start : start + HALF_CHUNK]
        values = fma64(standard_normals(generator, part.size), std, mean)
        store(values if function is None else function(values), part)


def _normal_by_blocks(flat, generator, mean, std):
    """Box-Muller in blocks of 8 radii and 8 angles.  What is left over is the end of one more block."""
    dtype = flat.dtype
    left_over = flat.size % 16
    whole = flat.size - left_over
    skipped = left_over if dtype.itemsize > 2 else 0  # drawn, but overwritten by the last block
    if dtype == F64:
        draw, transform, chunk = generator.uniform_f64, blocks_f64, HALF_CHUNK
    elif flat.size < 200 and fill_from_turn(flat, generator, mean, std, whole, skipped):
        return
    else:
        draw, transform, chunk = generator.words32, blocks_f32, 4 * CHUNK  # calls of many short steps
    for start in range(0, whole, chunk):
        stop = min(start + chunk, whole)
        uniforms = draw(stop - start)
        if stop < whole or not left_over:
            flat[start:stop] = transform(uniforms, mean, std)
        else:
            draw(skipped)
            values = transform(np.concatenate((uniforms, draw(16))), mean, std)
            flat[start:stop] = values[:-16]
            flat[-16:] = values[-16:]


def check_std(std):
    """Raise RuntimeError for standard deviations that are complex or negative."""
    if is_complex_type(std.dtype):
        raise RuntimeError("normal expects standard deviation to be non-complex")
    if std.size and not std.min() >= 0:
        raise RuntimeError("normal expects all elements of std >= 0.0")


def normal(mean, std, generator=None):
    """Return a new array of normal numbers; of ``mean`` and ``std`` one may be a number, and arrays broadcast.

    Its dtype is that of ``mean``, or of ``std`` if ``mean`` is a number.  Raises RuntimeError for a negative
    or complex ``std`` or shapes that do not broadcast, NotImplementedError for integers.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> normal(np.float32([100, 200]), 1.0, Generator().manual_seed(0))
    array([101.54099, 199.70657], dtype=float32)
    """
    mean, std = resolved(mean), resolved(std)
    if not isinstance(std, np.ndarray):
        if not std >= 0.0:
            raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
        out = fill_normal(np.empty(mean.shape, mean.dtype), generator, 0.0, std)
        return _combine(np.add, out, mean)
    check_std(std)
    if not isinstance(mean, np.ndarray):
        if not is_floating(std.dtype):
            if std.size:
                raise not_implemented("normal_kernel_cpu", std)
            return np.empty(std.shape, std.dtype)
        shape, dtype, mean = std.shape, std.dtype, np.array(mean, std.dtype)
    else:
        check_sizes(mean.shape, std.shape)
        shape, dtype = np.broadcast_shapes(mean.shape, std.shape), mean.dtype
    out = fill_normal(np.empty(shape, dtype), generator)
    return _combine(np.add, _combine(np.multiply, out, std), mean)


def _combine(ufunc, out, operand):
    """``ufunc(out, operand)`` written into ``out``, in the dtype that two tensors would be computed in."""
    if (operand.ndim == 0 and out.ndim) or operand.dtype.kind in "biu":
        operand = operand.astype(out.dtype)
    out[...] = fitted(ufunc(numbers(out), numbers(operand)), out.dtype)
    return out


# Bernoulli --------------------------------------------------------------------------------------------------


def fill_bernoulli(array, generator=None, p=0.5):
    """Fill with 1 with probability ``p``, else 0; ``p`` a number, or a floating array that broadcasts to
    ``array``.

    Raises RuntimeError for a ``p`` that is no probability, NotImplementedError for dtypes without a kernel.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> fill_bernoulli(np.empty(4, np.float32), Generator().manual_seed(0), 0.5)
    array([0., 0., 1., 0.], dtype=float32)
    """
    p = resolved(p)
    if isinstance(p, np.ndarray):
        return _fill_bernoulli_each(array, generator, p)
    if not 0.0 <= p <= 1.0:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    if not array.size:
        return array
    _check_bernoulli(array, "bernoulli_scalar_cpu_")
    return fill(array, generator, _bernoulli, p, np.ones((), array.dtype))


def dropout_mask(array, p, generator=None):
    """Return what dropout multiplies ``array`` by: 0 with probability ``p``, else ``1 / (1 - p)``, for 0 < p < 1.

    A new array of the dtype of ``array`` and with its order in memory.  Raises RuntimeError for dtypes that
    are not floating.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> dropout_mask(np.ones(4, np.float32), 0.5, Generator().manual_seed(0))
    array([0., 0., 2., 0.], dtype=float32)
    """
    _check_bernoulli(array, "bernoulli_scalar_cpu_")
    if is_complex_type(array.dtype):
        raise not_implemented("bernoulli_scalar_cpu_", array)
    if not is_floating(array.dtype):
        raise RuntimeError(f"result type Float can't be cast to the desired output type {scalar_name(array)}")
    keep = 1.0 - p
    wide = np.array(keep, np.float64 if array.dtype == F64 else np.float32)
    with np.errstate(over="ignore"):
        scale = np.divide(1.0, wide).astype(array.dtype)
    return fill(like(array), generator, _bernoulli, keep, scale)


def _check_bernoulli(array, kernel):
    if is_complex_type(array.dtype) or (array.dtype.kind == "u" and array.dtype.itemsize > 1):
        raise not_implemented(kernel, array)


def _bernoulli(flat, generator, p, one):
    """``one`` where a float64 uniform number is below ``p``, else zero.

    The comparison is that of the number's 53 bits with ``2**53 p``, rounded up.
    """
    high, low = divmod(math.ceil(p * 2.0**53), 2**32)
    bits = one.view(f"u{one.itemsize}")  # as an integer: quick for float16, and 0 times an infinite one is 0
    for start in range(0, flat.size, HALF_CHUNK):
        part = flat[start : start + HALF_CHUNK]
        words = generator.words32(2 * part.size)
        upper = words[::2] & 0x1FFFFF
        below = upper < high
        equal = upper == high
        if equal.any():
            below |= equal & (words[1::2] < low)
        np.multiply(below, bits, out=part.view(bits.dtype))


def _fill_bernoulli_each(array, generator, p):
    if not array.size:
        return array
    _check_bernoulli(array, "bernoulli_tensor_cpu_self_")
    if not is_floating(p.dtype):
        raise not_implemented("bernoulli_tensor_cpu_p_", p)
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  Each element is a probability."
        )
    p = np.broadcast_to(p, array.shape)
    if not array.flags.c_contiguous:
        p = p.transpose(memory_order(array))
    p = p.reshape(-1)

    def kernel(flat, generator):
        draw = generator.uniform_f64 if p.dtype == F64 else generator.uniform_f32
        for start in range(0, flat.size, HALF_CHUNK):
            part = flat[start : start + HALF_CHUNK]
            part[...] = draw(part.size) < p[start : start + HALF_CHUNK].astype(F64)

    return fill(array, generator, kernel)


# Continuous distributions of one uniform number -------------------------------------------------------------


def fill_exponential(array, generator=None, rate=1.0):
    """Fill a floating array with exponential numbers of mean ``1 / rate``.

    Raises RuntimeError unless ``rate > 0``, and for other dtypes.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> fill_exponential(np.empty(2, np.float32), Generator().manual_seed(0))
    array([3.5083263, 1.2303847], dtype=float32)
    """
    if not rate > 0.0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    if not array.size:
        return array
    if not is_floating(array.dtype):
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. "
            f"dtype must be a floating point but you specified {scalar_name(array)}"
        )
    scale, log1p = -1.0 / rate, libm("log1p")
    return _fill_by_uniforms(array, generator, lambda u: scale * log1p(-u))


def fill_geometric(array, generator=None, p=0.5):
    """Fill with the number of trials up to the first success, each with probability ``p``.

    Raises RuntimeError unless ``0 < p < 1``, NotImplementedError for bool, complex and wide unsigned dtypes.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> fill_geometric(np.empty(4, np.int64), Generator().manual_seed(0), 0.5)
    array([1, 1, 2, 1])
    """
    if not 0.0 < p < 1.0:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    if not array.size:
        return array
    if array.dtype.kind in "bc" or (array.dtype.kind == "u" and array.dtype.itemsize > 1):
        raise not_implemented("geometric_cpu", array)
    scale, log = math.log1p(-p), libm("log")
    return _fill_by_uniforms(array, generator, lambda u: np.ceil(log(u) / scale))


def fill_cauchy(array, generator=None, median=0.0, sigma=1.0):
    """Fill a floating array with numbers of the Cauchy distribution.

    Raises RuntimeError unless ``sigma > 0``, and for other dtypes.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> fill_cauchy(np.empty(2, np.float32), Generator().manual_seed(0))
    array([10.59773  ,  0.7647673], dtype=float32)
    """
    if not sigma > 0.0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    if not is_floating(array.dtype):
        raise RuntimeError(
            "Cauchy distribution is a continuous probability distribution. "
            f"dtype must be a floating point but you specified {C_NAMES[from_numpy_dtype(array.dtype).name]}"
        )
    median, sigma, tan = float(median), float(sigma), libm("tan")
    return _fill_by_uniforms(array, generator, lambda u: fma64(tan(math.pi * (u - 0.5)), sigma, median))


def fill_log_normal(array, generator=None, mean=1.0, std=2.0):
    """Fill a floating array with numbers whose logarithm is normal.

    Raises RuntimeError unless ``std > 0``, NotImplementedError for other dtypes.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> fill_log_normal(np.empty(2, np.float32), Generator().manual_seed(0), 0.0, 1.0)
    array([4.669239 , 0.7457022], dtype=float32)
    """
    if not std > 0.0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    if not array.size:
        return array
    if not is_floating(array.dtype):
        raise not_implemented("log_normal_cpu", array)
    with np.errstate(over="ignore", invalid="ignore"):
        fill(array, generator, _normal_by_pairs, float(mean), float(std), libm("exp"))
    if math.isinf(mean):
        array.fill(math.exp(mean) if mean < 0 else mean)
    return array


def _fill_by_uniforms(array, generator, transform):
    """Fill with ``transform`` of one float64 uniform number for each element."""

    def kernel(flat, generator):
        for start in range(0, flat.size, HALF_CHUNK):
            part = flat[start : start + HALF_CHUNK]
            store(transform(generator.uniform_f64(part.size)), part)

    with np.errstate(all="ignore"):
        return fill(array, generator, kernel)


# Choices ----------------------------------------------------------------------------------------------------


def multinomial(weights, n, replacement=False, generator=None):
    """Compute ``n`` indices for each row of ``weights`` (1 or 2 dimensions, floating), drawn with those weights;
    int64.

    Raises RuntimeError for other arrays, for weights that are negative, not finite or all zero, and for more
    indices than there are to be had.  Among several of weight 0, drawn without replacement because nothing
    else is left, the first come first; PyTorch's order there is accidental.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> multinomial(np.float32([1, 1, 8]), 4, True, Generator().manual_seed(0))
    array([2, 2, 2, 2])
    """
    if not 0 < weights.ndim <= 2:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not is_floating(weights.dtype):
        raise RuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {scalar_name(weights)}"
        )
    if n <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    categories = weights.shape[-1]
    if not replacement and n > categories:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if categories > 2**24:
        raise RuntimeError("number of categories cannot exceed 2^24")
    if 0 in weights.shape[:-1]:
        return np.empty((0, n), np.int64)
    if replacement and n > 1:
        return _multinomial_with_replacement(weights, n, generator)
    if not categories:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    if not (weights.min() >= 0 and weights.max() < np.inf):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if not (weights != 0).any(-1).all():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    like = np.empty(weights.shape, weights.dtype) if 0 in weights.strides else np.empty_like(weights)
    times = fill_exponential(like, generator)
    with np.errstate(all="ignore"):
        scores = weights / times  # a race of exponential clocks: the largest scores are the first arrivals
    if n == 1:
        return scores.argmax(-1).reshape(*scores.shape[:-1], 1)
    return np.ascontiguousarray(np.argsort(-scores, axis=-1, kind="stable")[..., :n])


def _multinomial_with_replacement(weights, n, generator):
    if generator is None:
        generator = default_generator()
    rows = weights if weights.ndim == 2 else weights[None]
    out = np.empty((len(rows), n), np.int64)
    step = max(CHUNK // max(rows.shape[1], n, 1), 1)
    with generator.lock, np.errstate(all="ignore"):
        for first in range(0, len(rows), step):
            some = rows[first : first + step]
            wrong = ~((some >= 0) & (some < np.inf))
            bounds = np.add.accumulate(some if some.dtype == F64 else some.astype(np.float32), 1)
            fit = ~wrong.any(1) & (bounds[:, -1] > 0) if bounds.size else np.zeros(len(some), np.bool_)
            count = len(some) if fit.all() else int(fit.argmin())  # of rows before one that raises
            bounds = bounds[:count]
            bounds /= bounds[:, -1:]
            bounds[:, -1:] = 1.0
            _draw_within(bounds.astype(np.float64), out[first : first + count], generator)
            if count < len(some):
                raise _improper(some[count], wrong[count])
    return out if weights.ndim == 2 else out[0]


def _draw_within(bounds, out, generator):
    """Fill rows with the places of uniform numbers among ascending bounds, those of each row."""
    if len(out) > 1:
        for row, indices, uniforms in zip(bounds, out, generator.uniform_f64(out.size).reshape(out.shape)):
            indices[...] = row.searchsorted(uniforms)
    elif len(out):
        for start in range(0, out.size, HALF_CHUNK):
            part = out[0, start : start + HALF_CHUNK]
            part[...] = bounds[0].searchsorted(generator.uniform_f64(part.size))


def _improper(row, wrong):
    """The error for a row of weights; ``wrong``: which of them are negative or not finite."""
    what = "sum of probabilities <= 0"
    if wrong.any():
        what = f"encountering probability entry {'= infinity or NaN' if row[wrong.argmax()] >= 0 else '< 0'}"
    return RuntimeError(f"invalid multinomial distribution ({what})")
