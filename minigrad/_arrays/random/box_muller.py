"""Normal numbers from uniform ones by Box and Muller's transform, in PyTorch's two ways.

``standard_normals`` makes one pair after another in float64.  ``blocks_f64`` and ``blocks_f32`` transform
blocks of 16: 8 radii, then 8 angles.  The float32 one follows PyTorch's AVX2 kernel through every
rounding.  Who uses which, and when, stands in ``distributions``.
"""

import math

import numpy as np

from ..rounding import fma32, fma64, libm

_LOW_24 = np.array(0xFFFFFF, np.uint32)


def standard_normals(generator, n):
    """``n`` float64 normal numbers; if one of the last pair is left over, the generator keeps it for later."""
    kept = generator.next_normal
    have = 0 if kept is None else 1
    pairs = (n - have + 1) // 2
    values = np.empty(2 * pairs + have)
    if have:
        values[0] = kept
    uniforms = generator.uniform_f64(2 * pairs)
    if pairs < 24:  # the calls of NumPy would take longer
        values[have:] = [
            value for pair in zip(*[iter(uniforms.tolist())] * 2) for value in normal_pair(*pair)
        ]
    else:
        radius = libm("log1p")(-uniforms[1::2])
        radius *= -2.0
        np.sqrt(radius, out=radius)
        theta = uniforms[::2] * (2.0 * math.pi)
        np.multiply(radius, libm("cos")(theta), out=values[have::2])
        np.multiply(radius, libm("sin")(theta), out=values[have + 1 :: 2])
    generator.next_normal = float(values[-1]) if values.size > n else None
    return values[:n]


def normal_pair(u1, u2):
    """Two independent normal numbers from two uniform ones."""
    radius = math.sqrt(-2.0 * math.log1p(-u2))
    theta = 2.0 * math.pi * u1
    return radius * math.cos(theta), radius * math.sin(theta)


def blocks_f64(uniforms, mean, std):
    """Normal numbers from whole blocks of float64 uniform ones."""
    blocks = uniforms.reshape(-1, 2, 8)
    radius = libm("log")(1.0 - blocks[:, 0].reshape(-1))
    radius *= -2.0
    np.sqrt(radius, out=radius)
    theta = blocks[:, 1].reshape(-1) * (2.0 * math.pi)
    out = np.empty_like(blocks)
    out[:, 0] = fma64(radius * libm("cos")(theta), std, mean).reshape(-1, 8)
    out[:, 1] = fma64(radius * libm("sin")(theta), std, mean).reshape(-1, 8)
    return out.reshape(-1)


def blocks_f32(words, mean, std):
    """Float32 normal numbers from whole blocks of words, of which 24 bits count; overwrites the words."""
    words &= _LOW_24
    blocks = words.view(np.int32).reshape(-1, 2, 8)
    return _join_f32(_radius_f32(blocks[:, 0]), *_sin_and_cos_f32(blocks[:, 1]), mean, std)


def fill_from_turn(flat, generator, mean, std, whole, skipped):
    """Fill ``flat``, not of float64, from one turn of the engine, whose words are transformed all at once.

    A small fill so takes 5 to 15 us, not 50.  After ``whole`` numbers come ``skipped`` words that are not
    used, then the block of the last 16 numbers, unless ``whole`` is all.  Returns False, with nothing drawn,
    if the turn has too few words left.
    """
    last = 16 if whole < flat.size else 0
    found = generator.words_of_turn(whole + skipped + last)
    if found is None:
        return False
    words, start = found
    if generator.derived is None:
        words = (words & _LOW_24).view(np.int32)
        generator.derived = (_radius_f32(words), *_sin_and_cos_f32(words))
    for part, at in ((flat[:whole], start), (flat[flat.size - last :], start + whole + skipped)):
        if part.size:
            radius, sin, cos = (
                of_word[at : at + part.size].reshape(-1, 2, 8) for of_word in generator.derived
            )
            part[...] = _join_f32(radius[:, 0], sin[:, 1], cos[:, 1], mean, std)
    return True


def _join_f32(radius, sin, cos, mean, std):
    """Blocks from radii, sines and cosines, each of the shape (blocks, 8)."""
    out = np.empty((len(radius), 2, 8), np.float32)
    np.multiply(radius, cos, out=out[:, 0])
    np.multiply(radius, sin, out=out[:, 1])
    out = out.reshape(-1)
    if std == 1.0:
        out += np.float32(mean)  # the sum with 0 also makes +0 of -0
        return out
    return fma32(out, np.float32(std), np.float32(mean))


def _radius_f32(bits):
    """``sqrt(-2 log(1 - u))`` for ``u = bits / 2**24``."""
    u = bits.astype(np.float32, order="C")
    u *= -(2.0**-24)
    u += 1.0
    radius = _log_f32(u)
    radius *= -2.0
    return np.sqrt(radius, out=radius)


def _sin_and_cos_f32(bits):
    """Of the angle ``2 pi bits / 2**24``."""
    theta = bits.astype(np.float32, order="C")
    theta *= np.float32(2.0 * math.pi) * np.float32(2.0**-24)  # scaling by 2**-24 is exact
    return _sincos_f32(theta)


# Cephes' single precision functions.  Each step is rounded to float32; a fused one is computed in float64,
# where the product is exact.  That rounds twice, yet for none of the 2**24 arguments is the result another.


def _float32_constants(*values):
    """The values rounded to float32, as 0-d float64 arrays, which ufuncs take sooner than Python numbers."""
    return [np.array(float(np.float32(value))) for value in values]


_LOG_SERIES = _float32_constants(
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
    -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
_SIN_SERIES = _float32_constants(-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COS_SERIES = _float32_constants(2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)


def _log_f32(u):
    """The logarithm of float32 numbers in (0, 1]: u = 2**e (1 + x), 1 + x between the roots of 1/2 and 2."""
    root_half = 0x3F3504F3
    e = u.view(np.int32) - root_half
    x = ((e & 0x7FFFFF) + root_half).view(np.float32)
    x -= 1.0
    e >>= 23
    e = e.astype(np.float32)
    wide_x = x.astype(np.float64)
    y = _fused_series(_LOG_SERIES, wide_x)
    y *= x
    z = x * x
    wide = y.astype(np.float64)
    wide *= z
    wide += e * np.float32(-2.12194440e-4)
    y[...] = wide
    z *= 0.5
    y -= z
    x += y
    e *= np.float32(0.693359375)  # exact: e has 5 bits, the constant 10
    e += x
    return e


def _sincos_f32(theta):
    """Sine and cosine of float32 numbers in [0, 2 pi]."""
    j = (theta * np.float32(4.0 / math.pi)).astype(np.int32)
    j += 1
    j &= ~1
    f = j.astype(np.float32)
    x = theta - f * np.float32(0.78515625)  # both products are exact
    x -= f * np.float32(2.4187564849853515625e-4)
    wide = f.astype(np.float64)
    wide *= -float(np.float32(3.77489497744594108e-8))
    wide += x
    x[...] = wide
    z = x * x
    wide_z = z.astype(np.float64)
    sin = _fused_series(_SIN_SERIES, wide_z)
    sin *= z
    wide[...] = sin
    wide *= x
    wide += x
    sin[...] = wide
    cos = _fused_series(_COS_SERIES, wide_z)
    cos *= z
    wide[...] = cos
    wide *= wide_z
    wide_z *= 0.5
    wide -= wide_z
    cos[...] = wide
    cos += 1.0
    # The octant exchanges the two and sets the signs: by bits, since np.where is slow on random conditions.
    sin_bits, cos_bits = sin.view(np.int32), cos.view(np.int32)
    difference = sin_bits ^ cos_bits
    difference &= (j << 30) >> 31  # all ones where j & 2
    sin_bits ^= difference
    cos_bits ^= difference
    sin_bits ^= (j & 4) << 29
    j -= 2
    cos_bits ^= (~j & 4) << 29
    return sin, cos


def _fused_series(coefficients, x):
    """Horner's rule with fused steps: ``x`` float64, holding float32 numbers; the result float32."""
    first, second, *rest = coefficients
    wide = x * first
    wide += second
    y = wide.astype(np.float32)
    for coefficient in rest:
        wide[...] = y
        wide *= x
        wide += coefficient
        y[...] = wide
    return y
