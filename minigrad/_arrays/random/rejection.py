"""Distributions sampled by rejection: each number takes as many uniform ones as it takes; see
``distributions``.

They are drawn one by one in a loop of Python, 0.3 to 2 us for a sample.
"""

import math

import numpy as np

from ..rounding import interleaved, libm
from .box_muller import normal_pair
from .filling import F32, F64, is_floating, not_implemented, scalar_name, store
from .generator import default_generator

_INT64_MIN = -(2**63)


def _sample(generator, sampler, *parameters):
    """``sampler(uniform, *row)`` for each row of the flattened parameters, as a list."""
    if generator is None:
        generator = default_generator()
    with generator.lock:
        stream = generator.stream_f64()
        try:
            uniform = stream.__next__
            return [sampler(uniform, *row) for row in zip(*(p.reshape(-1).tolist() for p in parameters))]
        finally:
            stream.close()


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
    values = _sample(generator, _poisson, rate.astype(np.float64))
    store(np.array(values, np.int64), out.reshape(-1))
    return out


def _poisson(uniform, rate):
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
    # Hoermann 1993, "The transformed rejection method for generating Poisson random variables", PTRS.
    root, log_rate = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    log_inverse_alpha = math.log(1.1239 + 1.1328 / (b - 3.4))
    v_r = 0.9277 - 3.6224 / (b - 2.0)
    while True:
        u = uniform() - 0.5
        v = uniform()
        us = 0.5 - abs(u)
        k = _truncated((2.0 * a / us + b) * u + rate + 0.43 if us else -math.inf)
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


def _truncated(value):
    """The floor of ``value`` as an int64; the smallest one if it has none, as the processor has it."""
    return math.floor(value) if -(2.0**63) <= value < 2.0**63 else _INT64_MIN


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
    sampler = _binomial_sampler(_to_f32 if count.dtype == F32 else float)
    with np.errstate(all="ignore"):
        log1p = libm("log1p") if prob.dtype == F64 else interleaved(np.log1p)
        log_failure = log1p(-np.minimum(prob, 1 - prob).reshape(-1))
    return np.array(_sample(generator, sampler, count, prob, log_failure), count.dtype).reshape(count.shape)


def _to_f32(value):
    return float(np.float32(value))


def _binomial_sampler(rounded):
    """The sampler for a dtype: ``rounded`` rounds to it, where C++ computes in it and not in double."""

    def sample(uniform, count, prob, log_failure):
        if count <= 0.0 or prob <= 0.0:
            return 0.0
        if prob >= 1.0:
            return count
        if not (prob < 1.0 and count < math.inf):
            return math.nan
        if prob > 0.5:
            return rounded(count - of_the_rarer(uniform, count, rounded(1.0 - prob), log_failure))
        return of_the_rarer(uniform, count, prob, log_failure)

    def of_the_rarer(uniform, count, prob, log_failure):
        if rounded(count * prob) >= 10.0:
            return many(uniform, count, prob)
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

    def many(uniform, count, prob):
        """Algorithm BTRS of Hoermann 1993, "The generation of binomial random variates"."""
        mean = rounded(count * prob)
        failure = rounded(1.0 - prob)
        deviation = rounded(math.sqrt(rounded(mean * failure)))
        b = 1.15 + 2.53 * deviation
        a = -0.0873 + 0.0248 * b + 0.01 * prob
        centre = mean + 0.5
        v_r = 0.92 - 4.2 / b
        odds = rounded(prob / failure)
        alpha = (2.83 + 5.1 / b) * deviation
        mode = math.floor(rounded(rounded(count + 1.0) * prob))
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
            bound = (
                (mode + 0.5) * math.log((mode + 1.0) / (odds * (count - mode + 1.0)))
                + rounded(count + 1.0) * math.log((count - mode + 1.0) / rounded(rounded(count - k) + 1.0))
                + (k + 0.5) * math.log(odds * rounded(rounded(count - k) + 1.0) / rounded(k + 1.0))
                + _stirling_tail(mode)
                + _stirling_tail(count - mode)
                - _stirling_tail(k)
                - _stirling_tail(rounded(count - k))
            )
            if v <= bound:
                return k

    return sample


_STIRLING_TAILS = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
)  # fmt: skip


def _stirling_tail(k):
    """How much Stirling's formula lacks of ``log(k!)``."""
    if k < 10.0:
        return _STIRLING_TAILS[int(k)]
    square = (k + 1.0) * (k + 1.0)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1.0)


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
    sampler = _gamma_sampler(generator, _to_f32 if alpha.dtype == F32 else float)
    with np.errstate(over="ignore"):
        values = np.array(_sample(generator, sampler, alpha), np.float64)
    values = values.astype(alpha.dtype).reshape(alpha.shape)
    return np.maximum(values, np.finfo(alpha.dtype).tiny, out=values)


_THIRD, _SQUEEZE = _to_f32(1.0 / 3.0), _to_f32(0.0331)  # single precision in PyTorch for every dtype


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
