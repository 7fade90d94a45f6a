"""Many numbers sampled by rejection, computed together; see ``rejection``, which samples one after another.

Each function fills the front of an array with the numbers that the loop in ``rejection`` would find, from the
same uniform numbers, and returns how many they are and the uniform numbers that it has drawn but not used:
the next ones for the loop, which samples the rest.  That rest is never empty if there are any.

Which uniform numbers a sample takes is known when those before it are decided.  So proposals are computed for
every place where a sample may start, as arrays, and then followed from sample to sample.
"""

import bisect
import functools
import math

import numpy as np

from ..rounding import libm, power
from .box_muller import normal_pair

#: Uniform numbers at a time: 64 KB.
_CHUNK = 8192
#: Fewer samples than these are left to the loop.
_FEW = 64
_NONE = np.empty(0)


def the_one(array):
    """The number that all elements of ``array`` are, as a float; None if they differ or are none."""
    if array.size and (array == array.flat[0]).all():
        return float(array.flat[0])
    return None


# Two uniform numbers for each proposal ----------------------------------------------------------------------


def by_pairs(generator, values, accepted):
    """``accepted(u, v)`` are the numbers of the proposals that are accepted, in their order."""
    filled = 0
    while values.size - filled >= _FEW:
        uniforms = generator.uniform_f64(2 * min(values.size - filled, _CHUNK // 2))
        found = accepted(uniforms[::2] - 0.5, uniforms[1::2])
        values[filled : filled + found.size] = found
        filled += found.size
    return filled, _NONE


def large_poisson(rate, a, b, log_inverse_alpha, v_r, log_rate):
    """The proposals for a rate from 10 to 2**50."""
    log = libm("log")

    def accepted(u, v):
        us = 0.5 - np.abs(u)
        k = np.floor((2.0 * a / us + b) * u + rate + 0.43)
        good = (us >= 0.07) & (v <= v_r)
        open_ = np.flatnonzero(~good & (k >= 0) & ((us >= 0.013) | (v <= us)))
        some_k, some_us, some_v = k[open_], us[open_], v[open_]
        log_gamma = np.array(list(map(math.lgamma, (some_k + 1.0).tolist())))
        ratio = log(some_v) + log_inverse_alpha - log(a / (some_us * some_us) + b)
        good[open_] = (some_v == 0.0) | (ratio <= -rate + some_k * log_rate - log_gamma)
        return k[good]

    return accepted


def many_successes(count, constants, dtype):
    """The proposals for a mean of 10 and more successes, of up to 2**39 trials; numbers are rounded to ``dtype``
    where C++ computes in it.
    """
    log = libm("log")
    a, b, centre, v_r, odds, alpha, above_mode, count_and_1, of_mode, tail_of_mode, tail_above = constants

    def rounded(x):
        return x.astype(dtype).astype(np.float64)

    def accepted(u, v):
        us = 0.5 - np.abs(u)
        k = rounded(np.floor((2.0 * a / us + b) * u + centre))
        inside = (us != 0.0) & (k >= 0.0) & (k <= count)
        good = inside & (us >= 0.07) & (v <= v_r)
        open_ = np.flatnonzero(inside & ~good)
        some_k, some_us = k[open_], us[open_]
        failures = rounded(count - some_k)
        bound = (
            of_mode
            + count_and_1 * log(above_mode / rounded(failures + 1.0))
            + (some_k + 0.5) * log(odds * rounded(failures + 1.0) / rounded(some_k + 1.0))
            + tail_of_mode
            + tail_above
            - stirling_tails(some_k)
            - stirling_tails(failures)
        )
        good[open_] = log(v[open_] * alpha / (a / (some_us * some_us) + b)) <= bound
        return k[good]

    return accepted


_STIRLING_TAILS = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
)  # fmt: skip


def stirling_tail(k):
    """How much Stirling's formula lacks of ``log(k!)``."""
    if k < 10.0:
        return _STIRLING_TAILS[int(k)]
    square = (k + 1.0) * (k + 1.0)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1.0)


def stirling_tails(k):
    """The same for an array."""
    square = (k + 1.0) * (k + 1.0)
    tails = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1.0)
    small = np.flatnonzero(k < 10.0)
    tails[small] = np.array(_STIRLING_TAILS)[k[small].astype(np.intp)]
    return tails


# As many uniform numbers as the sample is large, and one more -----------------------------------------------


def by_stretches(generator, values, mean, deviation, ends):
    """``ends(uniforms)`` is where a sample that starts at each place ends; one more place than there are, and
    those where the uniform numbers do not suffice, have a value beyond them.

    A sample takes ``mean`` of them on the average.
    """
    filled, unused = 0, _NONE
    while True:
        left = values.size - filled
        size = min(_CHUNK, int(left * mean - 4.0 * math.sqrt(left) * deviation))
        if size < 1024:
            return filled, unused
        state = generator.state_bytes() if size > left else None
        uniforms = np.concatenate((unused, generator.uniform_f64(size - unused.size)))
        following = memoryview(ends(uniforms))
        place, places = 0, [0]
        for _ in range(left):
            place = following[place]
            if place > size:
                break
            places.append(place)
        place = places[-1]
        found = len(places) - 1
        values[filled : filled + found] = np.diff(places)
        values[filled : filled + found] -= 1.0
        filled += found
        if filled == values.size and place < size:  # more were drawn than it took: a rare case
            generator.load_state_bytes(state)
            generator.words32(2 * (place - unused.size))
            return filled, _NONE
        unused = uniforms[place:]


def small_poisson(rate):
    """The ends for a rate below 10: where the product of the uniform numbers has fallen to ``exp(-rate)``."""
    bound = math.exp(-rate)

    def ends(uniforms):
        size = uniforms.size
        product = uniforms.copy()
        above = product > bound
        counts = np.ones(size + 1, np.int16)
        taken = 1
        while above.any():
            counts[: above.size] += above
            if taken == size:
                break
            product = product[:-1]
            product *= uniforms[taken:]
            above = product > bound
            taken += 1
        return counts + np.arange(size + 1)

    return ends


def few_successes(count, log_failure):
    """The ends for few successes, where the sum of waiting times has passed ``count`` trials, up to 2**39."""
    log = libm("log")

    def ends(uniforms):
        waits = np.ceil(log(uniforms) / log_failure)
        np.minimum(waits, math.floor(count) + 1.0, out=waits)
        sums = np.zeros(uniforms.size + 1)
        np.cumsum(waits, out=sums[1:])  # exact: integers below 2**53
        return sums.searchsorted(sums + count, "right")

    return ends


# Gamma numbers ----------------------------------------------------------------------------------------------


def gamma(alpha, third, squeeze):
    """A function that draws for shapes ``alpha``, positive and finite, while the generator keeps no normal number.

    A proposal takes a normal number and a uniform one.  Normal numbers come in pairs from two uniform ones, so
    that the second proposal of a pair takes one uniform number only.
    """
    small = alpha < 1.0
    d = (np.where(small, alpha + alpha.dtype.type(1), alpha) - alpha.dtype.type(third)).astype(np.float64)
    c = 1.0 / np.sqrt(9.0 * d)
    if not small.any() and the_one(alpha) is not None:
        return functools.partial(_gamma_of_one_shape, d=float(d[0]), c=float(c[0]), squeeze=squeeze)
    return functools.partial(_gamma_of_shapes, alpha=alpha, small=small, d=d, c=c, squeeze=squeeze)


def _pairs(u1, u2):
    radius = libm("log1p")(-u2)
    radius *= -2.0
    np.sqrt(radius, out=radius)
    theta = u1 * (2.0 * math.pi)
    return radius * libm("cos")(theta), radius * libm("sin")(theta)


def _gamma_of_one_shape(generator, values, d, c, squeeze):
    """For one shape of 1 or more: a group of four uniform numbers makes two proposals.

    A normal number so low that ``y`` is not positive takes no uniform number: such a group has three, or two.
    """
    filled, unused = 0, _NONE
    while values.size - filled >= _FEW:
        size = min(values.size - filled, _CHUNK // 2) // 2 * 4  # not more than they will take
        uniforms = np.concatenate((unused, generator.uniform_f64(size - unused.size)))
        starts, low, end = _groups(uniforms, c)
        x = np.stack(_pairs(uniforms[starts], uniforms[starts + 1]), axis=1)
        y = 1.0 + c * x
        u = uniforms[starts[:, None] + (2, 3)]
        if low:
            u[low, 1] = np.where(y[low, 0] > 0.0, u[low, 1], u[low, 0])
            positive = y > 0.0
            x, y, u = x[positive], y[positive], u[positive]
        good, v = _accepted(x.reshape(-1), y.reshape(-1), 1.0 - u.reshape(-1), d, squeeze)
        found = v[good]
        values[filled : filled + found.size] = d * found
        filled += found.size
        unused = uniforms[end:]
    return filled, unused


def _accepted(x, y, u, d, squeeze):
    """Which proposals are accepted, of those with ``y > 0``, and the cubes of ``y``."""
    v = y * y * y
    square = x * x
    good = u < 1.0 - squeeze * square * square
    open_ = np.flatnonzero(~good)
    log, some_v = libm("log"), v[open_]
    good[open_] = log(u[open_]) < 0.5 * square[open_] + d * (1.0 - some_v + log(some_v))
    return good, v


def _groups(uniforms, c):
    """Where the groups start that lie in the array wholly, which of them have less than four numbers, and
    where the last one ends.
    """
    radius = (1.0 - 1e-6) / c
    outside = np.flatnonzero(uniforms[1:] >= -math.expm1(-0.5 * radius * radius))
    missing = sum(
        (1.0 + c * x <= 0.0).astype(np.int64) for x in _pairs(uniforms[outside], uniforms[outside + 1])
    )
    outside, missing = outside[missing > 0], missing[missing > 0]
    lengths = dict(zip(outside.tolist(), (4 - missing).tolist()))
    by_phase = [outside[outside % 4 == phase].tolist() for phase in range(4)]
    start, stretches, low, groups = 0, [], [], 0
    while True:
        candidates = by_phase[start % 4]
        at = bisect.bisect_left(candidates, start)
        if at == len(candidates) or candidates[at] + 4 > uniforms.size:
            stretches.append(np.arange(start, uniforms.size - 3, 4))
            return np.concatenate(stretches), low, start + 4 * stretches[-1].size
        last = candidates[at]
        stretches.append(np.arange(start, last + 1, 4))
        groups += stretches[-1].size
        low.append(groups - 1)
        start = last + lengths[last]


def _gamma_of_shapes(generator, values, alpha, small, d, c, squeeze):
    """For any shapes.  Those below 1 take one more uniform number first.

    A state of the stream is twice the place in it, and one more if a normal number is kept: that of the pair
    three places before, since the uniform number of an accepted proposal has come between.
    """
    filled, start, kept, unused = 0, 0, 0, _NONE
    least = np.cumsum(2 + small)  # uniform numbers for all up to each one
    each_d, each_c = memoryview(d), memoryview(c)
    while values.size - filled >= _FEW:
        carried = unused.size - start
        rest = int(least[-1]) - (int(least[filled - 1]) if filled else 0)
        size = min(rest - 2, _CHUNK) - carried
        if size <= 0:
            break
        uniforms = np.concatenate((unused, generator.uniform_f64(size)))
        steps = _steps(uniforms, squeeze, small[filled : filled + uniforms.size // 2])
        view = memoryview(uniforms)
        state, states, exceptions = 2 * start + kept, [], []
        for extra in small[filled : filled + uniforms.size].tobytes():
            step = steps[extra][state]
            if step:
                states.append(state)
                state += step
                continue
            index = filled + len(states)
            found = _follow(state, extra, view, each_d[index], each_c[index], squeeze)
            if found is None:
                break
            exceptions.append((len(states), found[1]))
            states.append(state)
            state = found[0]
        part = slice(filled, filled + len(states))
        states = np.array(states, np.int64)
        places, of_kept = states >> 1, (states & 1).astype(bool)
        pairs = places + np.where(of_kept, -3, small[part])
        pairs[[index for index, _ in exceptions]] = 0
        cos, sin = _pairs(uniforms[pairs], uniforms[pairs + 1])
        x = np.where(of_kept, sin, cos)
        for index, normal in exceptions:
            x[index] = normal
        y = 1.0 + c[part] * x
        scale = d[part]
        boosted = np.flatnonzero(small[part])
        exponents = (1.0 / alpha[part][boosted]).astype(np.float64)
        scale[boosted] = power()(1.0 - uniforms[places[boosted]], exponents) * scale[boosted]
        values[part] = scale * (y * y * y)
        filled = part.stop
        start, kept = divmod(state, 2)
        unused = uniforms[start - 3 * kept :]
        start = 3 * kept
    if kept:
        generator.next_normal = float(_pairs(unused[:1], unused[1:2])[1][0])
    return filled, unused[start:]


def _steps(uniforms, squeeze, small):
    """From each state to the next one, or 0 where the first proposal is not sure to be accepted, or not there:
    bytes for shapes of 1 and more, and for those below, if there are any.

    Computed in single precision, for what the errors cannot change: they are below 1e-5.
    """
    radius = np.sqrt(-2.0 * np.log1p(-uniforms[1:])).astype(np.float32)
    angle = (uniforms[:-1] * (2.0 * math.pi)).astype(np.float32)
    turned = (1.0 - uniforms).astype(np.float32)
    limits = []
    for x in (radius * np.cos(angle), radius * np.sin(angle)):
        above = x > np.float32(-2.4)  # above -2.449 ``y`` is positive for all shapes
        x *= x
        x *= x
        x *= np.float32(-squeeze)
        x += np.float32(1.0 - 1e-4)
        x *= above
        limits.append(x)
    tables = []
    for extra in (0, 1):
        if not (small == extra).any():
            tables.append(b"")
            continue
        steps = np.zeros((uniforms.size + 2, 2), np.uint8)
        for column, limit, first, u, step in (
            (0, limits[0][extra:-1], 0, turned[2 + extra :], 7 + 2 * extra),
            (1, limits[1][: limits[1].size - 2 - extra], 3, turned[3 + extra :], 1 + 2 * extra),
        ):
            np.multiply(u < limit, np.uint8(step), out=steps[first : first + limit.size, column])
        tables.append(steps.tobytes())
    return tables


def _follow(state, extra, uniforms, d, c, squeeze):
    """The state after a sample, and its normal number; None if there are too few uniform numbers."""
    place, kept = divmod(state, 2)
    normal = normal_pair(uniforms[place - 3], uniforms[place - 2])[1] if kept else None
    place += extra
    while True:
        if normal is None:
            if place > len(uniforms) - 2:
                return None
            x, normal = normal_pair(uniforms[place], uniforms[place + 1])
            place += 2
        else:
            x, normal = normal, None
        y = 1.0 + c * x
        if y <= 0.0:
            continue
        if place >= len(uniforms):
            return None
        u = 1.0 - uniforms[place]
        place += 1
        v = y * y * y
        square = x * x
        if u < 1.0 - squeeze * square * square or math.log(u) < 0.5 * square + d * (1.0 - v + math.log(v)):
            return 2 * place + (normal is not None), x
