"""Decompositions of large matrices by LAPACK itself, in the precision of their dtype.

``np.linalg`` computes in double precision whatever the dtype is, which takes twice as long, has no LU decomposition and no triangular systems, and reads
matrices column by column across memory.  The OpenBLAS in NumPy's wheel has all of LAPACK; where it is missing, and for small matrices, whose copies and
calls count for more, ``np.linalg`` does it.

LAPACK takes matrices by columns: in memory they are the rows here, ``columns(x)``.  Each function takes arrays (..., m, n) and raises
``np.linalg.LinAlgError`` as its partner there does.  The matrices of a stack are shared among threads.
"""

import functools
import math
from functools import partial

import numpy as np

from .._base import openblas
from .._base.pool import share

_LEAST = 96  # rows and columns from which on a matrix is large
_LETTERS = {"f": "s", "d": "d", "F": "c", "D": "z"}
#: What the routines for complex matrices are called that have another name than those for real ones.
_COMPLEX = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd"}


@functools.cache
def _routine(name, char):
    """LAPACK's routine for elements of the type ``char``; None if there is none."""
    if char in "FD":
        name = _COMPLEX.get(name, name)
    return openblas.function(f"scipy_{_LETTERS[char]}{name}_64_")


def serves(x, least=None):
    """Whether matrices are for LAPACK itself: arrays with at least so many rows and columns."""
    return (
        x.__class__ is np.ndarray
        and x.ndim >= 2
        and min(x.shape[-2:]) >= (least or _LEAST)
        and x.dtype.char in _LETTERS
        and x.size > 0
        and _routine("getrf", x.dtype.char) is not None
    )


def _call(name, char, *args):
    """Call a routine with letters, integers and arrays; returns its last argument, 0 where all is well."""
    import ctypes

    info = ctypes.c_int64()
    letters = 0
    given = []
    for arg in args:
        if arg.__class__ is str:
            given.append(ctypes.c_char_p(arg.encode()))
            letters += 1
        elif arg.__class__ is int:
            given.append(ctypes.byref(ctypes.c_int64(arg)))
        else:
            given.append(ctypes.c_void_p(arg.ctypes.data))
    # Fortran passes the lengths of texts behind everything else
    _routine(name, char)(*given, ctypes.byref(info), *[ctypes.c_size_t(1)] * letters)
    return info.value


def _columns(x):
    """A copy of matrices as one stack (count, n, m), whose rows are their columns."""
    *batch, m, n = x.shape
    z = np.empty((math.prod(batch), n, m), x.dtype)
    z.reshape(*batch, n, m)[...] = x.mT
    return z


def _matrices(columns, batch):
    """The matrices of a stack, whose columns lie in one piece of memory each."""
    return columns.reshape(*batch, *columns.shape[1:]).mT


def _each(function, count, quick=False):
    """Call ``function`` for each place of a stack; returns what it returns, as int32.

    ``quick``: each call is so short that threads would only wait for each other's turn at Python.
    """
    info = np.zeros(count, np.int32)

    def one(i):
        info[i] = function(i)

    if quick:
        for i in range(count):
            one(i)
    else:
        share(one, range(count))
    return info


def _space(question, dtype):
    """An array as large as a routine wants it: ``question`` calls the routine with an array and its size, -1 for the question."""
    answer = np.empty(1, dtype)
    question(answer, -1)
    return np.empty(int(1.01 * answer[0].real) + 64, dtype)  # float32 may have rounded it down


def _checked(info, message):
    if info.any():
        raise np.linalg.LinAlgError(message)


# LU ------------------------------------------------------------------------------------------------------------------------


def lu(x):
    """``(LU, pivots, info)``, as LAPACK's getrf leaves them."""
    *batch, m, n = x.shape
    char, a = x.dtype.char, _columns(x)
    pivots = np.empty((len(a), min(m, n)), np.int64)
    info = _each(lambda i: _call("getrf", char, m, n, a[i], m, pivots[i]), len(a), min(m, n) < _LEAST)
    return _matrices(a, batch), pivots.astype(np.int32).reshape(*batch, -1), info.reshape(tuple(batch))


def lu_solve(x, pivots, b, adj):
    """X with A X = B, or Aᴴ X = B with ``adj``, from what ``lu`` returns; leading axes broadcast."""
    batch = np.broadcast_shapes(x.shape[:-2], b.shape[:-2])
    (n, k), char = b.shape[-2:], x.dtype.char
    a = _columns(np.broadcast_to(x, (*batch, n, n)))
    z = _columns(np.broadcast_to(b, (*batch, n, k)))
    rows = np.array(np.broadcast_to(pivots, (*batch, n)), np.int64, order="C").reshape(-1, n)
    way = "C" if adj else "N"
    _each(lambda i: _call("getrs", char, way, n, k, a[i], n, rows[i], z[i], n), len(a))
    return _matrices(z, batch)


def solve(a, b):
    """X with A X = B."""
    if not serves(a) or a.dtype is not b.dtype or b.__class__ is not np.ndarray:
        return np.linalg.solve(a, b)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    (n, k), char = b.shape[-2:], a.dtype.char
    x, z = _columns(np.broadcast_to(a, (*batch, n, n))), _columns(np.broadcast_to(b, (*batch, n, k)))
    rows = np.empty((len(x), n), np.int64)
    _checked(_each(lambda i: _call("gesv", char, n, k, x[i], n, rows[i], z[i], n), len(x)), "Singular matrix")
    return _matrices(z, batch)


def inv(x):
    """A⁻¹."""
    if not serves(x):
        return np.linalg.inv(x)
    *batch, n, _ = x.shape
    char, a = x.dtype.char, _columns(x)
    rows, work = np.empty((len(a), n), np.int64), np.empty((len(a), 64 * n), x.dtype)

    def one(i):
        return _call("getrf", char, n, n, a[i], n, rows[i]) or _call(
            "getri", char, n, a[i], n, rows[i], work[i], 64 * n
        )

    _checked(_each(one, len(a)), "Singular matrix")
    return _matrices(a, batch)


def _factors(x):
    """1 or -1, and numbers: the determinant is the product of all."""
    factors, pivots, _ = lu(x)
    exchanges = (pivots != np.arange(1, x.shape[-1] + 1)).sum(-1)
    return np.where(exchanges % 2, -1, 1), np.einsum("...ii->...i", factors)


def det(x):
    """The determinant."""
    if not serves(x):
        return np.linalg.det(x)
    sign, numbers = _factors(x)
    return (sign * numbers.prod(-1, dtype=np.result_type(x, np.float64))).astype(x.dtype)


def slogdet(x):
    """The sign of the determinant, and the logarithm of its magnitude."""
    if not serves(x):
        sign, z = np.linalg.slogdet(x)
        return np.where(np.isnan(z) & (x.dtype.kind == "f"), 0, sign).astype(x.dtype), z
    sign, numbers = _factors(x)
    size = np.abs(numbers)
    with np.errstate(all="ignore"):
        of_each = (
            numbers / size if x.dtype.kind == "c" else np.nan_to_num(np.sign(numbers))
        )  # nan has the sign 0
        sign = sign * np.where(size == 0, 0, of_each).prod(-1)
        return sign.astype(x.dtype), np.log(size).sum(-1)


def solve_triangular(a, b, upper, unitriangular):
    """X with A X = B, reading one triangle of A; LinAlgError where its diagonal has zeros."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    (n, k), char = b.shape[-2:], a.dtype.char
    by_rows = a.flags.c_contiguous  # in memory, its transpose by columns
    x = a.reshape(-1, n, n) if by_rows else _columns(a)
    z = _columns(np.broadcast_to(b, (*batch, n, k)))
    triangle, way = "U" if upper != by_rows else "L", "T" if by_rows else "N"
    place = np.broadcast_to(np.arange(len(x)).reshape(a.shape[:-2]), batch).reshape(-1)
    unit = "U" if unitriangular else "N"
    info = _each(lambda i: _call("trtrs", char, triangle, way, unit, n, k, x[place[i]], n, z[i], n), len(z))
    _checked(info, "Singular matrix")
    return _matrices(z, batch)


# Symmetric matrices --------------------------------------------------------------------------------------------------------


def cholesky(x):
    """The lower L with A = L Lᴴ, from the lower triangle."""
    if not serves(x):
        return np.linalg.cholesky(x)
    *batch, n, _ = x.shape
    char, a = x.dtype.char, _columns(x)

    def one(i):
        for j in range(1, n):
            a[i, j, :j] = 0
        return _call("potrf", char, "L", n, a[i], n)

    _checked(_each(one, len(a)), "Matrix is not positive definite")
    return _matrices(a, batch)


def _symmetric(x, uplo, vectors):
    *batch, n, _ = x.shape
    char, a = x.dtype.char, _columns(x)
    values = np.empty((len(a), n), x.real.dtype)
    integers = np.empty(3 + 5 * n, np.int64)
    if x.dtype.kind == "c":
        work, real = np.empty(2 * n + n * n, x.dtype), np.empty(1 + 5 * n + 2 * n * n, values.dtype)
        spaces = [work, work.size, real, real.size]
    else:
        work = np.empty(1 + 6 * n + 2 * n * n, x.dtype)
        spaces = [work, work.size]
    spaces += [integers, integers.size]

    for i in range(len(a)):
        info = _call("syevd", char, "V" if vectors else "N", uplo, n, a[i], n, values[i], *spaces)
        if info:
            raise np.linalg.LinAlgError("Eigenvalues did not converge")
    return values.reshape(*batch, n), _matrices(a, batch)


def eigh(x, uplo):
    """Eigenvalues, ascending, and eigenvectors, from one triangle."""
    return _symmetric(x, uplo, True) if serves(x) else np.linalg.eigh(x, uplo)


def eigvalsh(x, uplo):
    """The eigenvalues alone."""
    return _symmetric(x, uplo, False)[0] if serves(x) else np.linalg.eigvalsh(x, uplo)


def _general(x, vectors):
    """Eigenvalues and eigenvectors of square matrices, complex."""
    *batch, n, _ = x.shape
    char, a = x.dtype.char, _columns(x)
    dtype = np.result_type(x.dtype, np.complex64)
    values, v = np.empty((len(a), n), dtype), np.empty((len(a), n if vectors else 1, n), x.dtype)
    nothing, job = np.empty(1, x.dtype), "V" if vectors else "N"
    parts = np.empty((2, n), x.real.dtype)  # of the eigenvalues, where x is real

    def one(i, work, size):
        given = (job, n, a[i], n), (nothing, 1, v[i], n, work, size)
        if x.dtype.kind == "c":
            return _call("geev", char, "N", *given[0], values[i], *given[1], np.empty(2 * n, parts.dtype))
        info = _call("geev", char, "N", *given[0], *parts, *given[1])
        values[i] = parts[0] + 1j * parts[1]
        return info

    work = _space(partial(one, 0), x.dtype)
    for i in range(len(a)):
        if one(i, work, work.size):
            raise np.linalg.LinAlgError("Eigenvalues did not converge")
    found = v.astype(dtype)
    if x.dtype.kind != "c" and vectors:
        # of a pair the first is the real part of both, the second the imaginary one
        which, first = np.nonzero(values.imag > 0)
        real, imaginary = v[which, first], v[which, first + 1]
        found[which, first] = real + 1j * imaginary
        found[which, first + 1] = real - 1j * imaginary
    return values.reshape(*batch, n), _matrices(found, batch)


def eig(x):
    """Eigenvalues and eigenvectors."""
    return _general(x, True) if serves(x) else np.linalg.eig(x)


def eigvals(x):
    """The eigenvalues alone."""
    return _general(x, False)[0] if serves(x) else np.linalg.eigvals(x)


# Orthogonal factors --------------------------------------------------------------------------------------------------------


def qr(x, mode):
    """As ``np.linalg.qr``: mode "reduced", "complete", "r" or "raw"."""
    if not serves(x):
        return np.linalg.qr(x, mode)
    *batch, m, n = x.shape
    k, char, a = min(m, n), x.dtype.char, _columns(x)
    tau, work = np.empty((len(a), k), x.dtype), np.empty((len(a), 64 * max(m, n)), x.dtype)
    size = work.shape[1]
    _each(lambda i: _call("geqrf", char, m, n, a[i], m, tau[i], work[i], size), len(a))
    if mode == "raw":
        return a.reshape(*batch, n, m), tau.reshape(*batch, k)
    wide = m if mode == "complete" else k
    r = np.zeros((len(a), n, wide), x.dtype)
    for j in range(n):
        rows = min(j + 1, wide)
        r[:, j, :rows] = a[:, j, :rows]
    if mode == "r":
        return _matrices(r, batch)
    q = np.empty((len(a), wide, m), x.dtype)
    q[:, :k] = a[:, :k]
    _each(lambda i: _call("orgqr", char, m, wide, k, q[i], m, tau[i], work[i], size), len(a))
    return _matrices(q, batch), _matrices(r, batch)


def reflect(x, tau, c, transpose):
    """H₁ ⋯ Hₖ C, or its adjoint with ``transpose``, for the reflections that ``qr`` leaves in mode "raw"; leading axes broadcast."""
    batch = np.broadcast_shapes(x.shape[:-2], c.shape[:-2])
    (m, p), k, char = c.shape[-2:], tau.shape[-1], x.dtype.char
    a, z = _columns(np.broadcast_to(x[..., :k], (*batch, m, k))), _columns(np.broadcast_to(c, (*batch, m, p)))
    factors = np.array(np.broadcast_to(tau, (*batch, k)), order="C").reshape(-1, k)
    work = np.empty((len(a), 64 * (p + 64)), x.dtype)
    way = "N" if not transpose else "C" if x.dtype.kind == "c" else "T"
    _each(
        lambda i: _call(
            "ormqr", char, "L", way, m, p, k, a[i], m, factors[i], z[i], m, work[i], work.shape[1]
        ),
        len(a),
    )
    return _matrices(z, batch)


def svd(x, full=True, compute_uv=True):
    """``(U, S, Vᴴ)``, or S alone."""
    if not serves(x):
        return np.linalg.svd(x, full, compute_uv)
    *batch, m, n = x.shape
    k, char, a = min(m, n), x.dtype.char, _columns(x)
    s = np.empty((len(a), k), x.real.dtype)
    job = ("A" if full else "S") if compute_uv else "N"
    wide, high = ((m, n) if full else (k, k)) if compute_uv else (1, 1)
    u, vh = np.empty((len(a), wide, m), x.dtype), np.empty((len(a), n, high), x.dtype)
    integers = np.empty(8 * k, np.int64)
    real = ()
    if x.dtype.kind == "c":
        real = (np.empty(max(5 * k * k + 5 * k, 2 * max(m, n) * k + 2 * k * k + k), s.dtype),)

    def one(i, work, size):
        return _call(
            "gesdd", char, job, m, n, a[i], m, s[i], u[i], m, vh[i], high, work, size, *real, integers
        )

    work = _space(partial(one, 0), x.dtype)
    for i in range(len(a)):
        if one(i, work, work.size):
            raise np.linalg.LinAlgError("SVD did not converge")
    s = s.reshape(*batch, k)
    return (_matrices(u, batch), s, _matrices(vh, batch)) if compute_uv else s
