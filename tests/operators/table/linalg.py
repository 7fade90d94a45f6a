"""Linear algebra, random calls: values and derivatives of well-conditioned matrices, and the same as PyTorch."""

import numpy as np
import pytest

from tests.operators.calls import Row


def numbers(s, *shape):
    """Numbers within the unit square, of one kind with the dtype of this call."""
    x = s.spread(shape, -1, 1)
    return x + 1j * s.spread(shape, -1, 1) if np.dtype(s.dtype).kind == "c" else x


def stacked(s, n, m):
    return (*s.shape(0, 2, high=2), n, m)


def cast(s, x):
    return s.given(x.astype(s.dtype))


def regular(s, shape=None):
    """Square matrices far from singular ones: the diagonal outweighs the rest."""
    n = s.size()
    shape = shape or stacked(s, n, n)
    return cast(s, numbers(s, *shape) + 3 * np.eye(shape[-1]))


def apart(s, n=None, m=None, shape=None):
    """Matrices whose singular values, and eigenvalues, are far from one another and from zero."""
    n = s.size() if n is None else n
    shape = shape or stacked(s, n, s.size() if m is None else m)
    x = numbers(s, *shape)
    k = min(shape[-2:])
    x[..., range(k), range(k)] = x[..., range(k), range(k)] / 4 + 4 * np.arange(1, k + 1)
    return cast(s, x)


def square(s):
    n = s.size()
    return apart(s, n, n)


def positive(s):
    """Hermitian matrices with positive eigenvalues far from one another."""
    x = square(s).array
    return cast(s, (x + np.conj(np.swapaxes(x, -1, -2))) / 2)


def hermitian(torch, x, *rest):
    return ((x + x.mH) / 2, *rest)


def triangular(s, upper=False):
    x = regular(s).array
    return cast(s, np.triu(x) if upper else np.tril(x))


def system(s):
    """A matrix and right-hand sides: of several columns, or now and then one vector."""
    a = regular(s)
    return a, cast(s, numbers(s, *a.shape[:-1], s.size(0, 2)))


def solve(s):
    a, b = system(s)
    if s.flag():
        return a, cast(s, numbers(s, a.shape[-1]))
    return a, b, {"left": True}


def solved(a, b, left=True):
    return np.linalg.solve(a, b[..., None])[..., 0] if b.ndim == 1 else np.linalg.solve(a, b)


def solve_triangular(s):
    upper, left = s.flag(), s.flag()
    a = triangular(s, upper)
    n, m = a.shape[-1], s.size()
    b = cast(s, numbers(s, *a.shape[:-2], *((n, m) if left else (m, n))))
    return a, b, {"upper": upper, "left": left}


def solved_triangular(a, b, upper, left):
    return np.linalg.solve(a, b) if left else b @ np.linalg.inv(a)


def lower(torch, a, b):
    return torch.tril(a), b


def cholesky_factor(s):
    """A triangular matrix with a real diagonal."""
    x = triangular(s).array
    n = range(x.shape[-1])
    x[..., n, n] = x[..., n, n].real
    return s.given(x)


def real_diagonal(torch, x):
    """The triangle, whose diagonal's imaginary part does not count."""
    diagonal = torch.diagonal(x, 0, -2, -1)
    if x.dtype.is_complex:
        return (torch.tril(x, -1) + torch.diag_embed(diagonal.real).to(x.dtype),)
    return (torch.tril(x),)


def factored(s):
    """Triangular factors for ``cholesky_solve``: the right-hand sides stand before them."""
    factor = triangular(s)
    return cast(s, numbers(s, *factor.shape[:-1], s.size(0, 2))), factor


def factored_solution(b, factor):
    return np.linalg.solve(factor @ np.conj(np.swapaxes(factor, -1, -2)), b)


def with_lu(torch, a, b):
    """Packed factors in the place of the matrix, pivots after it."""
    return (*torch.linalg.lu_factor(a), b)


def with_lu_behind(torch, a, b):
    return (b, *torch.linalg.lu_factor(a))


def with_ldl(torch, a, b):
    return (*torch.linalg.ldl_factor((a + a.mT) / 2), b)


def with_reflectors(torch, a, *rest):
    return (*torch.geqrf(a), *rest)


def tall(s):
    n = s.size(0, 2)
    return apart(s, n + s.size(0, 2), n)


def lstsq(s):
    a = tall(s)
    return a, cast(s, numbers(s, *a.shape[:-1], s.size(0, 2)))


def singular_values(torch, out):
    """What does not depend on the phases of singular vectors."""
    u, values, vh = out
    k = values.shape[-1]
    return values, (u[..., :k] * values.unsqueeze(-2).to(u.dtype)) @ vh[..., :k, :]


def singular_values_old(torch, out):
    u, values, v = out
    return singular_values(torch, (u, values, v.mH))


def eigenvalues(torch, out):
    """What does not depend on the phases of eigenvectors, or on an order."""
    values, vectors = out
    inverse = torch.linalg.inv(vectors)
    return power_sums(torch, values), (vectors * values.unsqueeze(-2)) @ inverse


def power_sums(torch, values):
    return torch.stack([values.sum(-1), (values**2).sum(-1), (values**3).sum(-1)])


def np_power_sums(values):
    return np.stack([values.sum(-1), (values**2).sum(-1), (values**3).sum(-1)])


def eigenvectors(torch, out):
    values, vectors = out
    return values, (vectors * values.unsqueeze(-2).to(vectors.dtype)) @ vectors.mH


def np_power(x, n):
    return np.linalg.matrix_power(x, n) if n >= 0 else np.linalg.matrix_power(np.linalg.inv(x), -n)


def exponential(x):
    out = term = np.broadcast_to(np.eye(x.shape[-1]), x.shape).astype(x.dtype)
    for k in range(1, 60):
        term = term @ x / k
        out = out + term
    return out


def small(s):
    n = s.size()
    return cast(s.dense(), numbers(s, *stacked(s, n, n)))


def vectors(s, least=0, most=3, low=1):
    return cast(s, 2 * numbers(s, *s.shape(least, most, low)))


def vector_norm(s):
    x = vectors(s)
    return x, s.one_of(2, 1, 3, 0.5, float("inf"), -1), s.one_of(None, -1) if x.shape else None, s.flag()


def np_vector_norm(x, order, dim, keepdim):
    axes = tuple(range(x.ndim)) if dim is None else (dim,)
    size = np.abs(x)
    if order == float("inf"):
        return size.max(axes, keepdims=keepdim)
    return (size**order).sum(axes, keepdims=keepdim) ** (1 / order)


def matrix_norm(s):
    x = apart(s, s.size(1, 3), s.size(1, 3))
    return x, s.one_of("fro", "nuc", 1, 2, -1, -2, float("inf")), (-2, -1), s.flag()


def norm(s):
    return apart(s, s.size(1, 3), s.size(1, 3), shape=(s.size(1, 3), s.size(1, 3))), s.one_of(
        None, "fro", "nuc", 1, 2, -2, float("inf")
    )


def cross(s):
    shape = s.shape(0, 2)
    return s.floats(*[n if s.flag() else 1 for n in shape], 3), s.floats(*shape, 3)


def torch_cross(s):
    shape = (*s.shape(0, 2), 3)
    return s.floats(*shape), s.floats(*shape), len(shape) - 1


def vander(s):
    return s.floats(*s.shape(0, 2), s.size(1, 3)), {"N": s.size(2, 4)}


def cov(s):
    return s.floats(s.size(1, 3), s.size(3, 4)), {"correction": s.size(0, 2)}


def tensorinv(s):
    n = s.size(1, 2)
    return cast(s, regular(s, (2 * n, 2 * n)).array.reshape(n, 2, 2 * n)), 2


def np_tensorinv(x, ind):
    return np.linalg.tensorinv(x, ind)


def tensorsolve(s):
    n = s.size(1, 2)
    return cast(s, regular(s, (2 * n, 2 * n)).array.reshape(n, 2, 2, n)), s.floats(n, 2)


def orthogonal(s):
    return tall(s)


def ormqr(s):
    a = tall(s)
    left = s.flag()
    n, m = a.shape[-2], s.size()
    return a, s.floats(*a.shape[:-2], *((n, m) if left else (m, n))), left, s.flag()


def np_slogdet(x):
    return list(np.linalg.slogdet(x))


def np_svd(x):
    values = np.linalg.svd(x, compute_uv=False)
    return values, x


def inverse(x):
    return np.linalg.inv(x)


def pinv(x, *rest):
    return np.linalg.pinv(x)


def to_the_right(s):
    a = regular(s)
    return a, cast(s, numbers(s, *a.shape[:-2], s.size(0, 2), a.shape[-1])), {"left": False}


def of_factors(s):
    a, left = regular(s), s.flag()
    n, m = a.shape[-1], s.size(0, 2)
    return (
        a,
        cast(s, numbers(s, *a.shape[:-2], *((n, m) if left else (m, n)))),
        {"left": left, "adjoint": s.flag()},
    )


def solved_by_factors(a, b, left, adjoint):
    a = np.conj(np.swapaxes(a, -1, -2)) if adjoint else a
    return np.linalg.solve(a, b) if left else b @ inverse(a)


def of_triangles(s):
    """The triangle that counts, and the diagonal that does not."""
    a = regular(s)
    n, m, left = a.shape[-1], s.size(), s.flag()
    b = cast(s, numbers(s, *a.shape[:-2], *((n, m) if left else (m, n))))
    return a, b, {"upper": s.flag(), "left": left, "unitriangular": s.flag()}


def solved_of_triangles(a, b, upper, left, unitriangular):
    a = np.triu(a) if upper else np.tril(a)
    if unitriangular:
        n = range(a.shape[-1])
        a[..., n, n] = 1
    return np.linalg.solve(a, b) if left else b @ np.linalg.inv(a)


def of_a_triangle(s):
    a = regular(s)
    named = {"upper": s.flag(), "transpose": s.flag(), "unitriangular": s.flag()}
    return cast(s, numbers(s, *a.shape[:-1], s.size(0, 2))), a, named


def solved_of_a_triangle(b, a, upper, transpose, unitriangular):
    turned = np.swapaxes(a, -1, -2) if transpose else a
    return [solved_of_triangles(turned.copy(), b, upper != transpose, True, unitriangular), a]


def reflectors(s):
    """Any columns of reflectors, and their factors."""
    k, stack = s.size(0, 2), s.shape(0, 1, high=2)
    return s.floats(*stack, k + s.size(0, 2), k, low=-1, high=1), s.floats(*stack, k, low=-1, high=1)


def reflected(s, a):
    n, m, left = a.shape[-2], s.size(0, 2), s.flag()
    return s.floats(*a.shape[:-2], *((n, m) if left else (m, n))), left, s.flag()


ROOT = {"ties": False, "dtypes": "dc", "strides": False, "loose": 20}


def row(name, draw, reference=None, **rest):
    return Row(name, draw, reference, **{**ROOT, **rest})


def rank(x):
    """The ranks of matrices; NumPy 2.2 cannot tell that of an empty one."""
    return np.linalg.matrix_rank(x) if x.size else np.zeros(x.shape[:-2], int)


ROWS = [
    row("linalg.inv", regular, inverse),
    row("inverse", regular, inverse),
    row("linalg.inv_ex", regular, lambda x: [inverse(x), np.zeros(x.shape[:-2], np.int32)]),
    row("linalg.solve", solve, solved),
    row("linalg.solve_ex", system, lambda a, b: [np.linalg.solve(a, b), np.zeros(a.shape[:-2], np.int32)]),
    row("linalg.solve_triangular", solve_triangular, solved_triangular,
        prepare=None, order=0),
    row("linalg.solve_triangular lower", lambda s: (*system(s), {"upper": False}), lambda a, b, upper: np.linalg.solve(np.tril(a), b),
        prepare=lower),
    row("triangular_solve", lambda s: system(s)[::-1], lambda b, a: [np.linalg.solve(np.triu(a), b), a], order=0, dtypes="dc"),
    row("triangular_solve forms", of_a_triangle, solved_of_a_triangle),
    row("linalg.det", regular, np.linalg.det),
    row("det", regular, np.linalg.det),
    row("linalg.slogdet", regular, np_slogdet),
    row("slogdet", regular, np_slogdet),
    row("logdet", positive, lambda x: np.log(np.linalg.det(x)), dtypes="d", prepare=hermitian),
    row("linalg.cholesky", positive, np.linalg.cholesky, prepare=hermitian),
    row("linalg.cholesky_ex", positive, lambda x: [np.linalg.cholesky(x), np.zeros(x.shape[:-2], np.int32)], prepare=hermitian),
    row("cholesky", positive, np.linalg.cholesky, prepare=hermitian),
    row("cholesky_inverse", cholesky_factor, lambda x: inverse(x @ np.conj(np.swapaxes(x, -1, -2))),
        prepare=real_diagonal),
    row("cholesky_solve", factored, factored_solution, prepare=lambda torch, b, x: (b, torch.tril(x))),
    row("linalg.lu", regular),
    row("linalg.lu any", apart),
    row("linalg.lu_factor any", apart),
    row("linalg.cholesky upper", lambda s: (positive(s), {"upper": True}), lambda x, upper: np.conj(np.swapaxes(np.linalg.cholesky(x), -1, -2)),
        prepare=hermitian),
    row("linalg.solve right", to_the_right, lambda a, b, left: b @ inverse(a)),
    row("linalg.solve_triangular unit", of_triangles, solved_of_triangles),
    row("linalg.qr wide", lambda s: (lambda n: apart(s, n, n + s.size(0, 2)))(s.size(0, 2))),
    row("linalg.qr complete", lambda s: (square(s), "complete")),
    row("linalg.householder_product free", reflectors),
    row("ormqr free", lambda s: (lambda a, t: (a, t, *reflected(s, a)))(*reflectors(s))),
    row("linalg.lu_factor", regular),
    row("linalg.lu_factor_ex", regular),
    row("lu", regular, out=False),
    row("linalg.lu_solve", system, np.linalg.solve, prepare=with_lu),
    row("lu_solve", system, np.linalg.solve, prepare=with_lu_behind),
    row("linalg.lu_solve forms", of_factors, solved_by_factors, prepare=with_lu),
    row("lu_unpack", regular, prepare=lambda torch, a: torch.linalg.lu_factor(a)),
    row("linalg.ldl_factor", positive, prepare=hermitian, order=0, observe=lambda torch, out: list(out), dtypes="d"),
    row("linalg.ldl_factor_ex", positive, prepare=hermitian, order=0, dtypes="d"),
    row("linalg.ldl_solve", lambda s: (lambda a: (a, cast(s, numbers(s, *a.shape[:-1], 2))))(positive(s)), np.linalg.solve,
        prepare=with_ldl, order=0, dtypes="d"),
    row("linalg.qr", lambda s: (apart(s), s.one_of("reduced", "r")), order=0, single=("f", "c")),
    row("linalg.qr tall", tall),
    row("qr", tall),
    row("geqrf", tall, order=0),
    row("linalg.householder_product", orthogonal, prepare=with_reflectors, order=0),
    row("orgqr", orthogonal, prepare=with_reflectors, order=0),
    row("ormqr", ormqr, prepare=with_reflectors, order=0),
    row("linalg.svd", lambda s: (apart(s), s.flag()), lambda x, full: np_svd(x), observe=singular_values),
    row("linalg.svd tall", lambda s: (tall(s), False), lambda x, full: np_svd(x), observe=singular_values),
    row("svd", apart, np_svd, observe=singular_values_old),
    row("linalg.svdvals", apart, lambda x: np_svd(x)[0]),
    row("linalg.eigh", positive, lambda x: [np.linalg.eigvalsh(x), x], observe=eigenvectors, prepare=hermitian),
    row("linalg.eigvalsh", positive, np.linalg.eigvalsh, prepare=hermitian),
    row("linalg.eig", square, lambda x: [np_power_sums(np.linalg.eigvals(x)), x + 0j], observe=eigenvalues),
    row("linalg.eigvals", square, lambda x: np_power_sums(np.linalg.eigvals(x)), observe=power_sums),
    row("linalg.lstsq", lstsq, lambda a, b: np.linalg.pinv(a) @ b, observe=lambda torch, out: out.solution),
    row("linalg.pinv", apart, pinv),
    row("linalg.pinv hermitian", lambda s: (positive(s), {"hermitian": True}), lambda x, hermitian: inverse(x),
        prepare=hermitian),
    row("pinverse", apart, pinv),
    row("linalg.matrix_rank", apart, rank, order=0),
    row("linalg.cond", lambda s: regular(s, stacked(s, 2, 2)), np.linalg.cond, torch="dc"),
    # of half precision, PyTorch's is not near e to the power of anything
    row("linalg.matrix_exp", small, exponential, torch="dcib"),
    row("matrix_exp", small, exponential, torch="dcib"),
    row("linalg.matrix_power", lambda s: (regular(s), s.size(-3, 3)), np_power),
    row("matrix_power", lambda s: (regular(s), s.size(-3, 3)), np_power),
    row("linalg.vector_norm", vector_norm, np_vector_norm),
    row("linalg.matrix_norm", matrix_norm, lambda x, order, dim, keepdim: np.linalg.norm(x, order, dim, keepdim)),
    row("linalg.norm", norm, np.linalg.norm),
    row("frobenius_norm", lambda s: (s.floats(*s.shape(2, 3, 1)), [-2, -1]), lambda x, dim: np.sqrt((np.abs(x) ** 2).sum((-2, -1)))),
    row("nuclear_norm", lambda s: apart(s, shape=(s.size(1, 3), s.size(1, 3))), lambda x: np.linalg.norm(x, "nuc")),
    row("linalg.cross", cross, np.cross, dtypes="dci", ties=True),
    row("cross", torch_cross, lambda x, y, dim: np.cross(x, y), dtypes="dci", ties=True),
    row("linalg.vander", vander, lambda x, N: x[..., None] ** np.arange(N), dtypes="dc"),
    row("vander", lambda s: s.floats(s.size(1, 3)), np.vander, dtypes="dci"),
    row("cov", cov, lambda x, correction: np.cov(x, ddof=correction), ties=True),
    row("corrcoef", lambda s: s.floats(s.size(1, 3), s.size(3, 4)), np.corrcoef),
    row("linalg.tensorinv", tensorinv, np_tensorinv),
    row("linalg.tensorsolve", tensorsolve, np.linalg.tensorsolve),
]  # fmt: skip

MARKS = pytest.mark.filterwarnings("ignore:.*is deprecated:UserWarning", "ignore:cov.. degrees of freedom")

EXCLUSIONS = {
    "eig": "removed by PyTorch, raises; tests/ops/test_linalg.py",
    "lstsq": "removed by PyTorch, raises; tests/ops/test_linalg.py",
    "matrix_rank": "removed by PyTorch, raises; tests/ops/test_linalg.py",
    "solve": "removed by PyTorch, raises; tests/ops/test_linalg.py",
    "symeig": "removed by PyTorch, raises; tests/ops/test_linalg.py",
    "pca_lowrank": "draws random numbers; tests/ops/test_linalg.py",
    "svd_lowrank": "draws random numbers; tests/ops/test_linalg.py",
}
