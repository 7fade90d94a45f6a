"""Linear algebra on stacks of matrices that NumPy does not have, and what it has without its exceptions.

LU with its pivots, LDLᵀ, triangular systems, products of Householder reflections, the exponential, cofactors.  All functions take
arrays (..., m, n) of float32, float64 or their complex partners; leading axes broadcast.  ``vocabulary.py`` imports this module when a
formula first asks for one of its names.
"""

import math

import numpy as np

from ..._base.publishing import publish
from .. import lapack

_BLOCK = 32  # columns that are factorised one by one, before the rest is updated by one product
_FEW_MATRICES, _LARGE = 2, 256  # so few matrices, or larger ones, are factorised one after the other


class _LinAlgError(RuntimeError):
    """A matrix does not allow what was asked of it: it is singular, not positive definite, or an iteration does not converge."""


LinAlgError = _LinAlgError  # PyTorch's, too, has two names
publish("minigrad.linalg", LinAlgError)
LinAlgError.__qualname__ = "LinAlgError"


def adjoint(x):
    """The conjugate transpose of matrices."""
    x = x.swapaxes(-2, -1)
    return x.conj() if x.dtype.kind == "c" else x


def columns(z):
    """``z`` with the elements of a column beside each other in memory, as LAPACK leaves its results."""
    if not z.size or z.shape[-2] == 1 or z.strides[-2] == z.itemsize:
        return z
    return np.ascontiguousarray(z.swapaxes(-2, -1)).swapaxes(-2, -1)


def diag_embed(x):
    """Matrices with the rows of ``x`` on their diagonals."""
    z = np.zeros((*x.shape, x.shape[-1]), x.dtype)
    np.einsum("...ii->...i", z)[...] = x
    return z


def off_diagonal(x):
    """``x`` with zeros on its diagonal."""
    return x * (1 - np.eye(x.shape[-1], dtype=x.real.dtype))


def eye(n, like):
    """The identity matrix in the dtype of ``like``."""
    return np.eye(n, dtype=like.dtype)


def magnitude(x):
    """|Re x| + |Im x|, which LAPACK takes for the size of a number when it looks for a pivot."""
    return np.abs(x.real) + np.abs(x.imag) if x.dtype.kind == "c" else np.abs(x)


# LU ------------------------------------------------------------------------------------------------------------------------


def lu(x):
    """``(LU, pivots, info)``: L below the diagonal and U above, rows exchanged (from 1), the first zero pivot (0: none)."""
    *batch, m, n = x.shape
    k = min(m, n)
    if math.prod(batch) <= k * k and lapack.serves(
        x, 1
    ):  # of more, and smaller ones, NumPy does a column of all at a time
        return lapack.lu(x)
    a = np.array(x, order="C").reshape(math.prod(batch), m, n)
    pivots = np.empty((len(a), k), np.int32)
    info = np.zeros(len(a), np.int32)
    if len(a) <= _FEW_MATRICES or k > _LARGE:
        for i, matrix in enumerate(a):
            info[i] = _lu_of_one(matrix, pivots[i])
    else:
        _lu_of_all(a, pivots, info)
    return columns(a.reshape(x.shape)), pivots.reshape(*batch, k), info.reshape(tuple(batch))


def _lu_of_one(a, pivots):
    """``lu`` of a matrix in its place, by panels of columns; returns the first zero pivot."""
    (m, n), k, info = a.shape, len(pivots), 0
    for start in range(0, k, _BLOCK):
        end = min(start + _BLOCK, k)
        panel = np.array(a[start:, start:end].T, order="C")  # its rows are the columns
        chosen = pivots[start:end]
        zero = _lu_of_panel(panel, chosen)
        if zero and not info:
            info = start + zero
        order = np.arange(m - start)
        for j, row in enumerate(chosen.tolist()):
            order[j], order[row] = order[row], order[j]
        chosen += start + 1
        a[start:] = a[start:][order]
        a[start:, start:end] = panel.T
        if end < n:
            a[start:end, end:] = solve_triangular(
                a[start:end, start:end], a[start:end, end:], False, True, True
            )
            a[end:, end:] -= a[end:, start:end] @ a[start:end, end:]
    return info


def _lu_of_panel(columns, pivots):
    """``lu`` of a few columns, each a row here; the pivots count from 0.  Returns the first zero pivot, from 1."""
    zero = 0
    for j, column in enumerate(columns):
        row = int(magnitude(column[j:]).argmax()) + j
        pivots[j] = row
        if row != j:
            chosen = columns[:, row].copy()
            columns[:, row] = columns[:, j]
            columns[:, j] = chosen
        pivot = column[j]
        if pivot == 0:
            zero = zero or j + 1
            continue
        below = column[j + 1 :]
        below /= pivot
        if j + 1 < len(columns):
            columns[j + 1 :, j + 1 :] -= columns[j + 1 :, j, None] * below
    return zero


def _lu_of_all(a, pivots, info):
    """``lu`` of many matrices in their places, a column of each at a time."""
    k, n = pivots.shape[1], a.shape[2]
    each = np.arange(len(a))
    for start in range(0, k, _BLOCK):
        end = min(start + _BLOCK, k)
        for j in range(start, end):
            row = magnitude(a[:, j:, j]).argmax(1) + j
            pivots[:, j] = row + 1
            chosen = a[each, row]
            a[each, row] = a[:, j]
            a[:, j] = chosen
            pivot = chosen[:, j]
            zero = pivot == 0
            info[zero & (info == 0)] = j + 1
            a[:, j + 1 :, j] /= np.where(zero, 1, pivot)[:, None]
            a[:, j + 1 :, j + 1 : end] -= a[:, j + 1 :, j, None] * a[:, j, None, j + 1 : end]
        if end < n:
            for i in range(start + 1, end):
                a[:, i, end:] -= (a[:, i, None, start:i] @ a[:, start:i, end:])[:, 0]
            a[:, end:, end:] -= a[:, end:, start:end] @ a[:, start:end, end:]


def permutation(pivots, m):
    """The rows of PᵀA as places in A, from exchanged rows, which count from 1."""
    *batch, k = pivots.shape
    pivots = pivots.reshape(math.prod(batch), k)
    order = np.tile(np.arange(m), (len(pivots), 1))
    if len(pivots) < k:  # lists are quicker, except for many matrices at once
        for rows, exchanges in zip(order, pivots.tolist()):
            rows[:] = _exchanged(list(range(m)), exchanges)
        return order.reshape(*batch, m)
    each = np.arange(len(pivots))
    for i in range(k):
        row = pivots[:, i] - 1
        chosen = order[each, row]
        order[each, row] = order[:, i]
        order[:, i] = chosen
    return order.reshape(*batch, m)


def _exchanged(rows, exchanges):
    for i, row in enumerate(exchanges):
        rows[i], rows[row - 1] = rows[row - 1], rows[i]
    return rows


def permutation_matrix(pivots, m, like):
    """P with A = P L U, in the dtype of ``like``."""
    order = permutation(pivots, m)
    z = np.zeros((*order.shape, m), like.dtype)
    np.put_along_axis(z, order[..., None, :], 1, -2)
    return z


def unpack(x):
    """``(L, U)`` from both in one array."""
    k = min(x.shape[-2:])
    return unit_lower(x[..., :, :k]), np.triu(x[..., :k, :])


def lu_solve(x, pivots, b, left=True, adj=False):
    """X with A X = B, or X A = B, for the A (its adjoint with ``adj``) whose LU decomposition is given."""
    if not left:
        # X A = B is Aᴴ Xᴴ = Bᴴ
        return adjoint(lu_solve(x, pivots, adjoint(b), True, not adj))
    if lapack.serves(x) and b.__class__ is np.ndarray and b.dtype is x.dtype:
        return lapack.lu_solve(x, pivots, b, adj)
    lower, upper = unpack(x)
    n = x.shape[-1]
    p = permutation_matrix(pivots, n, x)
    if adj:
        return p @ solve_triangular(
            adjoint(lower), solve_triangular(adjoint(upper), b, False), True, True, True
        )
    return solve_triangular(upper, solve_triangular(lower, p.swapaxes(-2, -1) @ b, False, True, True), True)


# Systems of equations --------------------------------------------------------------------------------------------------------


def solve(a, b, left=True):
    """X with A X = B, or X A = B; infinities and nans where A is singular."""
    if not left:
        return solve(a.swapaxes(-2, -1), b.swapaxes(-2, -1)).swapaxes(-2, -1)
    try:
        return lapack.solve(a, b)
    except np.linalg.LinAlgError:
        with np.errstate(all="ignore"):
            factors, pivots, _ = lu(a)
            return lu_solve(factors, pivots, b)


def inv(x):
    """The inverse; infinities and nans where there is none."""
    try:
        return lapack.inv(x)
    except np.linalg.LinAlgError:
        return solve(x, eye(x.shape[-1], x))


def solve_triangular(a, b, upper, left=True, unitriangular=False):
    """X with A X = B, or X A = B, reading one triangle of A; infinities and nans where its diagonal has zeros."""
    if not left:
        return solve_triangular(
            a.swapaxes(-2, -1), b.swapaxes(-2, -1), not upper, True, unitriangular
        ).swapaxes(-2, -1)
    if lapack.serves(a, 32) and b.__class__ is np.ndarray and b.dtype is a.dtype:
        try:
            return lapack.solve_triangular(a, b, upper, unitriangular)
        except np.linalg.LinAlgError:
            pass  # row by row
    if not upper:  # both orders reversed, a lower triangle is an upper one
        z = solve_triangular(a[..., ::-1, ::-1], b[..., ::-1, :], True, True, unitriangular)
        return z[..., ::-1, :]
    a = np.triu(a)
    if unitriangular:
        np.einsum("...ii->...i", a)[...] = 1
    try:
        z = np.linalg.solve(a, b)  # no row of an upper triangle is exchanged: this is substitution
        if np.isfinite(z).all():
            return z
    except np.linalg.LinAlgError:
        pass
    with np.errstate(all="ignore"):
        return substitute(a, b)  # where no zero is multiplied by an infinity


def substitute(u, b):
    """X with U X = B for an upper triangle, row by row from the last."""
    z = np.array(np.broadcast_to(b, (*np.broadcast_shapes(u.shape[:-2], b.shape[:-2]), *b.shape[-2:])))
    for i in reversed(range(u.shape[-1])):
        z[..., i, :] /= u[..., i, i, None]
        z[..., :i, :] -= u[..., :i, i, None] * z[..., i, None, :]
    return z


# Symmetric matrices --------------------------------------------------------------------------------------------------------


def cholesky(x):
    """``(L, info)`` from the lower triangle; ``info`` is the order of the first minor that is not positive, 0 if all are."""
    try:
        z = lapack.cholesky(x)
        if not np.isnan(z).any():
            return z, np.zeros(x.shape[:-2], np.int32)
    except np.linalg.LinAlgError:
        pass  # by hand, to learn which minor is not positive
    n = x.shape[-1]
    a = np.tril(x).reshape(-1, n, n)
    info = np.zeros(len(a), np.int32)
    with np.errstate(all="ignore"):
        for j in range(n):
            row = a[:, j, :j]
            d = a[:, j, j].real - (row * row.conj()).real.sum(-1)
            info[~(d > 0) & (info == 0)] = j + 1
            good = info == 0
            a[good, j, j] = np.sqrt(d[good])
            a[~good & (info == j + 1), j, j] = d[~good & (info == j + 1)]
            below = a[good, j + 1 :, j] - (a[good, j + 1 :, :j] @ row[good, :, None].conj())[..., 0]
            a[good, j + 1 :, j] = below / a[good, j, j, None]
    return a.reshape(x.shape), info.reshape(x.shape[:-2])


_ALPHA = (1 + math.sqrt(17)) / 8  # bounds the growth of elements in Bunch and Kaufman's pivoting


def ldl(x, hermitian):
    """``(LD, pivots, info)`` of symmetric (Hermitian) matrices by Bunch and Kaufman's pivoting, as LAPACK's sytrf stores them."""
    a = np.tril(x)
    n = x.shape[-1]
    pivots, info = np.empty(x.shape[:-1], np.int32), np.zeros(x.shape[:-2], np.int32)
    conj = np.conj if hermitian and x.dtype.kind == "c" else np.positive
    if conj is np.conj:
        np.einsum("...ii->...i", a).imag = 0  # which no one reads
    for place in np.ndindex(*x.shape[:-2]):
        info[place] = _ldl(a[place], pivots[place], n, conj)
    return columns(a), pivots, info


def _ldl(a, pivots, n, conj):
    """Factorise one matrix where it is."""
    k = info = 0
    while k < n:
        step, row = 1, k
        largest = 0.0
        own = magnitude(a[k, k])
        if k + 1 < n:
            below = magnitude(a[k + 1 :, k])
            place = k + 1 + int(below.argmax())
            largest = below[place - k - 1]
        if max(own, largest) == 0 or own != own:
            info = info or k + 1
        else:
            if own < _ALPHA * largest:
                along = magnitude(a[place, k:place]).max()
                if place + 1 < n:
                    along = max(along, magnitude(a[place + 1 :, place]).max())
                if own < _ALPHA * largest * (largest / along):
                    row = place
                    if magnitude(conj(a[place, place])) < _ALPHA * along:
                        step = 2
            _exchange(a, k, k + step - 1, row, conj)
            end = k + step
            part = a[end:, k:end].copy()
            if part.size:
                d = a[k:end, k:end].copy()
                if step == 2:
                    d[0, 1] = conj(d[1, 0])
                factor = np.linalg.solve(d.T, part.T).T if step == 2 else part / d[0, 0]
                a[end:, end:] -= np.tril(factor @ conj(part.T))
                a[end:, k:end] = factor
        pivots[k : k + step] = row + 1 if step == 1 else -(row + 1)
        k += step
    return info


def _exchange(a, k, i, j, conj):
    """Exchange rows and columns i < j of the lower triangle ``a``, whose first k columns are done."""
    if i == j:
        return
    a[j + 1 :, [i, j]] = a[j + 1 :, [j, i]]
    between = a[i + 1 : j, i].copy()
    a[i + 1 : j, i] = conj(a[j, i + 1 : j])
    a[j, i + 1 : j] = conj(between)
    a[j, i] = conj(a[j, i])
    a[i, i], a[j, j] = a[j, j], a[i, i]
    if i > k:
        a[i, k], a[j, k] = a[j, k], a[i, k]


def ldl_solve(x, pivots, b, hermitian):
    """X with A X = B for the A whose factors ``ldl`` gave."""
    batch = np.broadcast_shapes(x.shape[:-2], b.shape[:-2])
    z = np.array(np.broadcast_to(b, (*batch, *b.shape[-2:])))
    x = np.broadcast_to(x, (*batch, *x.shape[-2:]))
    pivots = np.broadcast_to(pivots, (*batch, x.shape[-1]))
    conj = np.conj if hermitian and x.dtype.kind == "c" else np.positive
    with np.errstate(all="ignore"):
        for place in np.ndindex(*batch):
            _ldl_solve(x[place], pivots[place], z[place], conj)
    return z


def _ldl_solve(a, pivots, z, conj):
    n = len(pivots)
    k = 0
    while k < n:
        step = 1 if pivots[k] > 0 else 2
        end, row = k + step, abs(pivots[k]) - 1
        z[[end - 1, row]] = z[[row, end - 1]]
        z[end:] -= a[end:, k:end] @ z[k:end]
        if step == 1:
            z[k] /= a[k, k]
        else:
            d = np.array([[a[k, k], conj(a[k + 1, k])], [a[k + 1, k], a[k + 1, k + 1]]])
            z[k:end] = solve(d, z[k:end])
        k = end
    k = n
    while k > 0:
        step = 1 if pivots[k - 1] > 0 else 2
        row = abs(pivots[k - 1]) - 1
        z[k - step : k] -= conj(a[k:, k - step : k].T) @ z[k:]
        z[[k - 1, row]] = z[[row, k - 1]]
        k -= step


# Householder reflections ---------------------------------------------------------------------------------------------------


def unit_lower(x):
    """The part below the diagonal, with ones on it: the vectors of reflections, or the L of an LU decomposition."""
    z = np.tril(x, -1)
    n = min(x.shape[-2:])
    np.einsum("...ii->...i", z[..., :n, :n])[...] = 1
    return z


def reflect(x, tau, c, transpose):
    """H₁ ⋯ Hₖ C, or Hₖᴴ ⋯ H₁ᴴ C with ``transpose``, where Hᵢ = 1 - τᵢ vᵢ vᵢᴴ."""
    if lapack.serves(x) and c.__class__ is tau.__class__ is np.ndarray and c.dtype is x.dtype is tau.dtype:
        return lapack.reflect(x, tau, c, transpose)
    v = unit_lower(x)
    z = np.array(np.broadcast_to(c, (*np.broadcast_shapes(v.shape[:-2], c.shape[:-2]), *c.shape[-2:])))
    k = tau.shape[-1]
    if transpose:
        tau = tau.conj()
    for i in range(k) if transpose else reversed(range(k)):
        w = v[..., :, i, None]
        z -= (tau[..., i, None, None] * w) @ (adjoint(w) @ z)
    return z


# Functions of a matrix -----------------------------------------------------------------------------------------------------

_PADE = (
    64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
    670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
)  # fmt: skip
_THETA = 5.371920351148152


def matrix_exp(x):
    """eᴬ by scaling, a Padé approximant of degree 13, and squaring [Higham 2005]."""
    n = x.shape[-1]
    if not x.size:
        return np.array(x)
    if x.dtype.itemsize == 2:
        return matrix_exp(x.astype(np.float32)).astype(x.dtype)
    norm = np.abs(x).sum(-2).max(-1)
    with np.errstate(all="ignore"):
        times = np.maximum(np.ceil(np.log2(norm / _THETA)), 0)
    times = np.where(np.isfinite(norm), times, 0).astype(int)
    a = x / np.ldexp(norm.dtype.type(1), times)[..., None, None]
    b = [x.real.dtype.type(c) for c in _PADE]
    one = eye(n, x)
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    u = a @ (a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * one)
    v = a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * one
    z = solve(v - u, v + u)
    for i in range(times.max(initial=0)):
        z = np.where((times > i)[..., None, None], z @ z, z)
    return z


def pinv(x, atol=None, rtol=None, hermitian=False):
    """The pseudoinverse; singular values up to max(atol, rtol · the largest) count as zero."""
    if not x.size:
        return np.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), x.dtype)
    if hermitian:
        w, u = lapack.eigh(x, "L")
        s, vh = np.abs(w), adjoint(u)
    else:
        u, w, vh = lapack.svd(x, False)
        s = w
    keep = s > cutoff(x, s.max(-1), atol, rtol)[..., None]
    w = np.where(keep, 1 / np.where(keep, w, 1), 0).astype(s.dtype)
    return adjoint(vh) @ (w[..., :, None] * adjoint(u))


def cutoff(x, largest, atol, rtol):
    """Up to where singular values count as zero: ε · max(m, n) · the largest, if nothing is said."""
    if rtol is None:
        default = np.finfo(x.dtype).eps * max(x.shape[-2:])
        rtol = default if atol is None else np.where(np.asarray(atol) > 0, 0, default)
    return np.maximum(0 if atol is None else atol, rtol * largest)


# Determinants ----------------------------------------------------------------------------------------------------------------


def det(x):
    """The determinant, infinite where it is too large for the dtype: NumPy, which computes in float64, would warn."""
    with np.errstate(all="ignore"):
        return lapack.det(x)


def cofactors(x):
    """The derivative of the determinant: det A · A⁻ᵀ, and its limit where A is singular.

    There A = U S Vᴴ gives det U · det Vᴴ · conj(U) C conj(Vᴴ), where C has the products of all other singular values on its diagonal.
    """
    if not x.size:
        return np.array(x)
    try:
        y = lapack.inv(x)
        reach = np.abs(x).sum(-1).max(-1) * np.abs(y).sum(-1).max(-1)
        if (reach < np.finfo(x.dtype).eps ** -0.5).all():
            return det(x)[..., None, None] * y.swapaxes(-2, -1)
    except np.linalg.LinAlgError:
        pass  # singular: by singular values
    if not np.isfinite(x).all():
        return np.full_like(x, np.nan)
    u, s, vh = lapack.svd(x)
    rest = np.where(np.eye(s.shape[-1], dtype=bool), 1, s[..., None, :]).prod(-1).astype(s.dtype)
    scale = (lapack.det(u) * lapack.det(vh))[..., None, None]
    return scale * ((u.conj() * rest[..., None, :]) @ vh.conj())


def around(x):
    """Matrices to add to A, whose determinants' derivatives have as their mean those of det A; None if A is far from singular.

    det (A + t E) is a polynomial in t, of the degree of E's rank: its mean over more roots of unity t than that is its value at 0.
    E fills in the small singular values, so that all A + t E are well conditioned.
    """
    if not x.size or not np.isfinite(x).all():
        return None
    u, s, vh = lapack.svd(x)
    largest = s[..., :1]
    small = (s <= 1e-3 * largest) | (largest == 0)
    degree = int(small.sum(-1).max())
    if not degree:
        return None
    fill = (u * np.where(small, np.where(largest == 0, 1, largest), 0)[..., None, :]) @ vh
    roots = np.array([1, -1]) if degree == 1 else np.exp(2j * np.pi * np.arange(degree + 1) / (degree + 1))
    dtype = x.dtype if degree == 1 else np.result_type(x.dtype, np.complex64)
    return (roots.reshape(-1, *(1,) * x.ndim) * fill).astype(dtype)


def cross(x, y, dim):
    """The vector product along ``dim``, of length three; other axes broadcast."""
    x, y = np.broadcast_arrays(x, y)
    (x0, x1, x2), (y0, y1, y2) = np.moveaxis(x, dim, 0), np.moveaxis(y, dim, 0)
    z = np.empty(x.shape, x.dtype)
    parts = np.moveaxis(z, dim, 0)
    parts[0] = x1 * y2 - x2 * y1
    parts[1] = x2 * y0 - x0 * y2
    parts[2] = x0 * y1 - x1 * y0
    return z
