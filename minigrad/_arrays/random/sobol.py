"""Sobol sequences as integers of 30 bits: direction numbers, points in the order of Gray codes, scrambling by matrices over the field of two elements.

The direction numbers are those of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci.
Comput. 30 (2008), for the criterion D(6); their licence is in ``sobol_directions_LICENSE.txt``.  ``python -m tests.generate.sobol_directions`` packs them.
"""

import functools
from pathlib import Path

import numpy as np

BITS = 30
DIMENSIONS = 21201  # of which the table knows


@functools.cache
def _table():
    """The polynomials of the dimensions from the second on, and all bits that say their first numbers."""
    with np.load(Path(__file__).with_name("sobol_directions.npz")) as file:
        return file["polynomials"].astype(np.int64), np.unpackbits(file["bits"])


def directions(dimension):
    """The direction numbers of the first ``dimension`` dimensions, ``(dimension, BITS)``: column k belongs to bit k of the Gray code."""
    found = np.ones(
        (dimension, BITS), np.int64
    )  # before they are shifted: m_k < 2^k; of the first dimension they are all 1
    polynomials, bits = _table()
    degrees = np.frexp(polynomials)[1] - 1
    ends = np.cumsum(degrees * (degrees - 1) // 2)
    for degree in np.unique(degrees[: dimension - 1]).tolist():
        rows = np.flatnonzero(degrees[: dimension - 1] == degree)
        count = degree * (degree - 1) // 2  # of bits of each dimension
        packed = bits[ends[rows, None] - count + np.arange(count)].astype(np.int64)
        m = np.ones((len(rows), BITS), np.int64)
        for i in range(1, degree):
            first = i * (i - 1) // 2
            m[:, i] += packed[:, first : first + i] @ (2 << np.arange(i))
        coefficients = polynomials[rows, None] >> np.arange(degree) & 1  # the last belongs to the first power
        for k in range(degree, BITS):
            m[:, k] = m[:, k - degree]
            for j in range(1, degree + 1):
                m[:, k] ^= (m[:, k - j] << j) * coefficients[:, degree - j]
        found[rows + 1] = m
    return found << np.arange(BITS - 1, -1, -1)


def _changes(state, n, generated):
    """What the next ``n`` points differ by, each from the one before it: the directions of the lowest bits that are 0 in the numbers of the points."""
    numbers = np.arange(generated, generated + n)
    lowest = ~numbers & (numbers + 1)
    return state.T[np.frexp(lowest.astype(np.float64))[1] - 1]


def points(quasi, n, state, generated):
    """The ``n`` points that follow ``quasi``, which is the one of number ``generated``."""
    following = _changes(state, n, generated)
    following[:1] ^= quasi
    return np.bitwise_xor.accumulate(following, 0, out=following)


def advance(quasi, n, state, generated):
    """The last of ``points`` alone: bits of two Gray codes tell which directions lie between them."""
    codes = (generated ^ generated >> 1) ^ ((generated + n) ^ (generated + n) >> 1)
    chosen = np.flatnonzero(codes >> np.arange(BITS + 1) & 1)
    return quasi ^ np.bitwise_xor.reduce(state[:, chosen], 1)


def scrambled(state, matrices):
    """The directions times a lower triangular matrix for each dimension, modulo 2; ones stand for the diagonals."""
    places = np.arange(BITS - 1, -1, -1)  # the highest bit of a direction is the first element of a vector
    digits = (state[:, :, None] >> places & 1).astype(np.float32)
    lower = np.tril(matrices, -1).astype(np.float32) + np.eye(BITS, dtype=np.float32)
    product = np.matmul(digits, lower.transpose(0, 2, 1)).astype(np.int64) & 1
    return product @ (1 << places)
