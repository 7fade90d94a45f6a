"""Distributions sampled by rejection: each number takes as many uniform ones as it takes; see
``distributions``.

A loop of Python draws one after another, 0.3 to 2 us for a sample.  Most of many are drawn by
``rejection_at_once`` before it, where they have one parameter in common; gamma numbers always.
"""

import array
import functools
import itertools
import math

import numpy as np

from ..rounding import interleaved, libm
from . import rejection_at_once as at_once
from .box_muller import normal_pair
from .filling import F32, F64, is_floating, not_implemented, scalar_name, store
from .generator import default_generator

_INT64_MIN = -(2**63)
_MANY = 128  # from so many on it pays to compute with arrays


def _sample(generator, sampler, *parameters, unused=()):
    """``sampler(uniform, *row)`` for each row of the parameters, as a list.

    ``unused`` are uniform numbers that were drawn already.
    """
    if generator is None:
        generator = default_generator()
    with generator.lock:
        stream = generator.stream_f64()
        try:
            uniform = (itertools.chain(unused, stream) if len(unused) else stream).__next__
            return [sampler(uniform, *row) for row in zip(*parameters)]
        finally:
            stream.close()


def _sample_many(generator, at_once, sampler, *parameters):
    """The same as a float64 array.  ``at_once(generator, values)`` draws the first ones, as many as it can; it
    returns how many, and the uniform numbers that are left over.
    """
    if generator is None:
        generator = default_generator()
    values = np.empty(parameters[0].size)
    with generator.lock:
        with np.errstate(all="ignore"):
            filled, unused = at_once(generator, values)
        rest = (parameter[filled:].tolist() for parameter in parameters)
        values[filled:] = _sample(generator, sampler, *rest, unused=unused.tolist())
    return values


def poisson(rate, generator=None):
    """Poisson numbers for an array of rates, an array of the same shape and floating dtype.

    Raises RuntimeError for a negative rate, NotImplementedError for other dtypes.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> poisson(np.float32([1, 10, 100]), Generator().manual_seed(0))
    array([  2.,  15., 109.], dtype=float32)
    """
    if not is_floating(rate.dtype):
        raise not_implemented("poisson_cpu", rate)
    out = np.empty(rate.shape, rate.dtype)
    rates, one = rate.reshape(-1).astype(np.float64), None
    if rate.size >= _MANY:
        one = at_once.the_one(rates)
    if one is not None and 0.0 < one < 2.0**50 and (one >= 10.0 or _worth_stretches(one, rate.size)):
        values = _poisson_of_one(generator, one, rates).astype(np.int64)
    else:
        rows = [rates.tolist()]
        if rate.size >= 80 and (rates >= 10.0).any():
            with np.errstate(invalid="ignore"):
                constants = _hat(np.maximum(rates, 10.0), libm("log"), np.sqrt)
            rows.append(zip(*(part.tolist() for part in constants)))
        values = np.array(_sample(generator, _poisson, *rows), np.int64)
    store(values, out.reshape(-1))
    return out


def _worth_stretches(mean, size):
    return (mean + 1.0) * size > 1200.0


def _poisson_of_one(generator, rate, rates):
    if rate < 10.0:
        constants, ends = None, at_once.small_poisson(rate)
        draw = functools.partial(at_once.by_stretches, mean=rate + 1.0, deviation=math.sqrt(rate), ends=ends)
    else:
        constants = _hat(rate)
        draw = functools.partial(at_once.by_pairs, accepted=at_once.large_poisson(rate, *constants))
    return _sample_many(generator, draw, lambda uniform, rate: _poisson(uniform, rate, constants), rates)


def _hat(rate, log=math.log, sqrt=math.sqrt):
    """The constants of Hoermann 1993, "The transformed rejection method for generating Poisson random variables", PTRS."""
    b = 0.931 + 2.53 * sqrt(rate)
    a = -0.059 + 0.02483 * b
    return a, b, log(1.1239 + 1.1328 / (b - 3.4)), 0.9277 - 3.6224 / (b - 2.0), log(rate)


def _poisson(uniform, rate, constants=None):
    """A number for ``rate``; ``constants`` are those of ``_hat`` for a rate of 10 or more, if they are known."""
    if not rate >= 0.0:
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    if rate == 0.0:
        return 0
    if rate < 10.0:
        bound = math.exp(-rate)
        count, product = 0, uniform()
        while product > bound:
            count += 1
            product *= uniform()
        return count
    a, b, log_inverse_alpha, v_r, log_rate = constants or _hat(rate)
    while True:
        u = uniform() - 0.5
        v = uniform()
        us = 0.5 - abs(u)
        k = (2.0 * a / us + b) * u + rate + 0.43 if us else -math.inf
        # the floor as an int64; the smallest one if it has none, as the processor has it
        k = math.floor(k) if -(2.0**63) <= k < 2.0**63 else _INT64_MIN
        if us >= 0.07 and v <= v_r:
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        # math.lgamma is not the C library's to the last bit: that decides about one draw in 10**14.
        if v == 0.0 or (
            math.log(v) + log_inverse_alpha - math.log(a / (us * us) + b)
            <= -rate + k * log_rate - math.lgamma(k + 1.0)
        ):
            return k


def binomial(count, prob, generator=None):
    """Numbers of successes in ``count`` trials with probability ``prob``: floating arrays of one dtype,
    broadcast.

    Raises ValueError or NotImplementedError for other dtypes, RuntimeError for two dtypes.  Where ``count``
    or ``prob`` is nan, so is the result.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> binomial(np.float32([10, 100]), np.float32([0.5, 0.5]), Generator().manual_seed(0))
    array([ 7., 51.], dtype=float32)
    """
    if not is_floating(count.dtype):
        raise ValueError(f"binomial only supports floating-point dtypes for count, got: {scalar_name(count)}")
    if not is_floating(prob.dtype):
        raise ValueError(f"binomial only supports floating-point dtypes for prob, got: {scalar_name(prob)}")
    if count.dtype != prob.dtype:
        raise RuntimeError(f"Found dtype {scalar_name(prob)} but expected {scalar_name(count)}")
    if count.dtype.itemsize == 2:
        raise not_implemented("binomial_cpu", count)
    count, prob = np.broadcast_arrays(count, prob)
    shape, count, prob = count.shape, count.reshape(-1), prob.reshape(-1)
    sampler = _binomial_sampler(_rounding(count.dtype))
    with np.errstate(all="ignore"):
        log1p = libm("log1p") if prob.dtype == F64 else interleaved(np.log1p)
        log_failure = log1p(-np.minimum(prob, 1 - prob))
    if count.size >= _MANY:
        one = tuple(map(at_once.the_one, (count, prob)))
        if (
            None not in one
            and 0.0 < one[0] <= 2.0**39
            and 0.0 < one[1] < 1.0
            and _worth_stretches(one[0] * one[1], count.size)
        ):
            draw = _binomial_at_once(*one, float(log_failure[0]), count.dtype)
            values = _sample_many(generator, draw, sampler, count, prob, log_failure)
            return values.astype(count.dtype).reshape(shape)
    rows = [part.tolist() for part in (count, prob, log_failure)]
    if count.size >= _MANY:
        rows.append(_constants_of_each(count, prob))
    return np.array(_sample(generator, sampler, *rows), count.dtype).reshape(shape)


def _binomial_at_once(count, prob, log_failure, dtype):
    rounded = _rounding(dtype)
    rarer = rounded(1.0 - prob) if prob > 0.5 else prob
    mean = rounded(count * rarer)

    def draw(generator, values):
        if mean >= 10.0:
            accepted = at_once.many_successes(count, _constants(count, rarer, rounded), dtype)
            filled, unused = at_once.by_pairs(generator, values, accepted)
        else:
            ends = at_once.few_successes(count, log_failure)
            filled, unused = at_once.by_stretches(generator, values, mean + 1.0, math.sqrt(mean), ends)
        if prob > 0.5:
            np.subtract(count, values[:filled], out=values[:filled])
        return filled, unused

    return draw


def _constants_of_each(count, prob):
    """``_constants`` of each pair; anything where they are not needed."""

    def rounded(x):
        return x.astype(count.dtype).astype(np.float64)

    with np.errstate(all="ignore"):
        rarer = np.where(prob > 0.5, 1 - prob, prob)
        many = (count * rarer >= 10.0) & (count < math.inf) & (rarer > 0.0)
        if not many.any():
            return itertools.repeat(None)
        count, rarer = np.where(many, count, 100).astype(F64), np.where(many, rarer, 0.5).astype(F64)
        functions = libm("log"), np.sqrt, np.floor, at_once.stirling_tails
        return zip(*(part.tolist() for part in _constants(count, rarer, rounded, *functions)))


def _rounding(dtype):
    """The function that rounds a float to ``dtype``."""
    if dtype != F32:
        return float
    place = array.array("f", [0.0])

    def rounded(value):
        place[0] = value  # a fifth of the time of np.float32(value)
        return place[0]

    return rounded


def _binomial_sampler(rounded):
    """The sampler for a dtype: ``rounded`` rounds to it, where C++ computes in it and not in double."""
    known = latest = None

    def sample(uniform, count, prob, log_failure, constants=None):
        if count <= 0.0 or prob <= 0.0:
            return 0.0
        if prob >= 1.0:
            return count
        if not (prob < 1.0 and count < math.inf):
            return math.nan
        if prob > 0.5:
            return rounded(count - of_the_rarer(uniform, count, rounded(1.0 - prob), log_failure, constants))
        return of_the_rarer(uniform, count, prob, log_failure, constants)

    def of_the_rarer(uniform, count, prob, log_failure, constants):
        if rounded(count * prob) >= 10.0:
            return many(uniform, count, prob, constants)
        return few(uniform, count, log_failure)

    def few(uniform, count, log_failure):
        """Count waiting times until they exceed the number of trials."""
        successes, trials = 0.0, 0.0
        while True:
            u = uniform()
            wait = math.log(u) / log_failure if u else math.inf
            if wait > count:
                return successes
            trials += math.ceil(wait)
            if trials > count:
                return successes
            successes += 1.0

    def many(uniform, count, prob, constants):
        """Algorithm BTRS of Hoermann 1993, "The generation of binomial random variates"."""
        nonlocal known, latest
        if constants is None:
            if (count, prob) != known:  # samples that follow each other often have the same
                known, latest = (count, prob), _constants(count, prob, rounded)
            constants = latest
        a, b, centre, v_r, odds, alpha, above_mode, count_and_1, of_mode, tail_of_mode, tail_above = constants
        while True:
            u = uniform() - 0.5
            v = uniform()
            us = 0.5 - abs(u)
            if us == 0.0:
                continue
            k = rounded(math.floor((2.0 * a / us + b) * u + centre))
            if not 0.0 <= k <= count:
                continue
            if us >= 0.07 and v <= v_r:
                return k
            v = math.log(v * alpha / (a / (us * us) + b)) if v else -math.inf
            failures = rounded(count - k)
            failures_and_1 = rounded(failures + 1.0)
            bound = (
                of_mode
                + count_and_1 * math.log(above_mode / failures_and_1)
                + (k + 0.5) * math.log(odds * failures_and_1 / rounded(k + 1.0))
                + tail_of_mode
                + tail_above
                - at_once.stirling_tail(k)
                - at_once.stirling_tail(failures)
            )
            if v <= bound:
                return k

    return sample


def _constants(
    count, prob, rounded, log=math.log, sqrt=math.sqrt, floor=math.floor, tail=at_once.stirling_tail
):
    """What the algorithm takes of a number of trials and a probability up to 1/2, or of arrays of them."""
    mean = rounded(count * prob)
    failure = rounded(1.0 - prob)
    deviation = rounded(sqrt(rounded(mean * failure)))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    odds = rounded(prob / failure)
    count_and_1 = rounded(count + 1.0)
    mode = floor(rounded(count_and_1 * prob)) + 0.0
    above_mode = count - mode + 1.0
    of_mode = (mode + 0.5) * log((mode + 1.0) / (odds * above_mode))
    tails = tail(mode), tail(count - mode)
    alpha = (2.83 + 5.1 / b) * deviation
    return a, b, mean + 0.5, 0.92 - 4.2 / b, odds, alpha, above_mode, count_and_1, of_mode, *tails


def standard_gamma(alpha, generator=None):
    """Gamma numbers of scale 1 for an array of shapes ``alpha >= 0``, an array of the same dtype, float32 or
    float64.

    Raises NotImplementedError for other dtypes.  Where ``alpha`` is negative or nan, so is the result: nan.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> standard_gamma(np.float32([1, 10]), Generator().manual_seed(0))
    array([2.8824327, 8.782759 ], dtype=float32)
    """
    if alpha.dtype not in (F32, F64):
        raise not_implemented("gamma_cpu", alpha)
    generator = default_generator() if generator is None else generator
    sampler = _gamma_sampler(generator, _rounding(alpha.dtype))
    with np.errstate(over="ignore"), generator.lock:
        if alpha.size < _MANY or not (alpha.min() > 0.0 and alpha.max() < math.inf):
            values = np.array(_sample(generator, sampler, alpha.reshape(-1).tolist()), np.float64)
        else:
            flat, values, first = alpha.reshape(-1), np.empty(alpha.size), 0
            while generator.next_normal is not None and first < flat.size:
                values[first] = _sample(generator, sampler, flat[first : first + 1].tolist())[0]
                first += 1
            flat = flat[first:]
            draw = at_once.gamma(flat, _THIRD, _SQUEEZE)
            values[first:] = _sample_many(generator, draw, sampler, flat)
    values = values.astype(alpha.dtype).reshape(alpha.shape)
    return np.maximum(values, np.finfo(alpha.dtype).tiny, out=values)


_THIRD, _SQUEEZE = map(_rounding(F32), (1.0 / 3.0, 0.0331))  # single precision in PyTorch for every dtype


def _gamma_sampler(generator, rounded):
    """The sampler for the dtype that ``rounded`` rounds to.  [Marsaglia and Tsang 2000, "A simple method"]"""

    def normal(uniform):
        kept = generator.next_normal
        if kept is None:
            kept, generator.next_normal = normal_pair(uniform(), uniform())
        else:
            generator.next_normal = None
        return kept

    def sample(uniform, alpha):
        if not alpha >= 0.0:
            return math.nan
        scale = 1.0
        if alpha < 1.0:
            if alpha == 0.0:
                return 0.0
            scale = math.pow(1.0 - uniform(), rounded(1.0 / alpha))
            alpha = rounded(alpha + 1.0)
        d = rounded(alpha - _THIRD)
        c = 1.0 / math.sqrt(9.0 * d)
        while True:
            y = 0.0
            while y <= 0.0:
                x = normal(uniform)
                y = 1.0 + c * x
            v = y * y * y
            u = 1.0 - uniform()
            square = x * x
            if u < 1.0 - _SQUEEZE * square * square:
                break
            if math.log(u) < 0.5 * square + d * (1.0 - v + math.log(v)):
                break
        return scale * d * v

    return sample


def dirichlet(alpha, generator=None):
    """Dirichlet numbers over the last axis of ``alpha``, an array of the same shape and dtype, float32 or
    float64.

    Raises NotImplementedError for other dtypes.  The numbers of the axis are added in the order in which
    PyTorch adds up to 255 of them on a processor with AVX2; of more, the last bit may differ in float64.

    >>> import numpy as np
    >>> from minigrad._arrays.random.generator import Generator
    >>> dirichlet(np.float32([1, 2, 3]), Generator().manual_seed(0))
    array([0.5282044 , 0.24112464, 0.23067096], dtype=float32)
    """
    if alpha.dtype not in (F32, F64):
        raise not_implemented("dirichlet", alpha)
    if alpha.ndim == 0:
        return dirichlet(alpha.reshape(1), generator).reshape(())
    gammas = standard_gamma(alpha.astype(np.float64), generator)
    shares = (gammas / _sums_by_fours(gammas)[..., None]).astype(alpha.dtype)
    one = alpha.dtype.type(1)
    return np.fmin(np.nextafter(one, one - one), np.fmax(np.finfo(alpha.dtype).tiny, shares))


def _sums_by_fours(x):
    """Sums over the last axis, as of vectors of four lanes, of which four are added up side by side."""
    n = x.shape[-1]
    vectors = [x[..., i : i + 4] for i in range(0, n - 3, 4)]
    total = np.zeros(x.shape[:-1])
    if vectors:
        side_by_side = len(vectors) // 4 * 4
        parts = [np.zeros((*x.shape[:-1], 4)) for _ in range(4)]
        for i, vector in enumerate(vectors):
            parts[i % 4 if i < side_by_side else 0] += vector
        lanes = ((parts[0] + parts[1]) + parts[2]) + parts[3]
    for i in range(4 * len(vectors), n):
        total += x[..., i]
    for i in range(4 if vectors else 0):
        total += lanes[..., i]
    return total
