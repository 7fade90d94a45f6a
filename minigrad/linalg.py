"""Linear algebra: decompositions, systems of equations, determinants, norms."""

from ._api import (
    _lazy,
    _linalg_factors,
    _linalg_functions,
    _linalg_norms,
    _linalg_orthogonal,
    _linalg_solvers,
    _linalg_spectral,
    _linalg_vectors,
)

LinAlgError = _linalg_solvers.LinAlgError
cholesky = _linalg_factors.cholesky
cholesky_ex = _linalg_factors.cholesky_ex
cond = _linalg_norms.cond
cross = _linalg_vectors.linalg_cross
det = _linalg_functions.det
diagonal = _linalg_vectors.linalg_diagonal
eig = _linalg_spectral.eig
eigh = _linalg_spectral.eigh
eigvals = _linalg_spectral.eigvals
eigvalsh = _linalg_spectral.eigvalsh
householder_product = _linalg_orthogonal.householder_product
inv = _linalg_solvers.inv
inv_ex = _linalg_solvers.inv_ex
ldl_factor = _linalg_factors.ldl_factor
ldl_factor_ex = _linalg_factors.ldl_factor_ex
ldl_solve = _linalg_factors.ldl_solve
lstsq = _linalg_solvers.lstsq
lu = _linalg_factors.lu
lu_factor = _linalg_factors.lu_factor
lu_factor_ex = _linalg_factors.lu_factor_ex
lu_solve = _linalg_factors.lu_solve
matmul = _linalg_vectors.linalg_matmul
matrix_exp = _linalg_functions.matrix_exp
matrix_norm = _linalg_norms.matrix_norm
matrix_power = _linalg_functions.matrix_power
matrix_rank = _linalg_spectral.matrix_rank
multi_dot = _linalg_functions.multi_dot
norm = _linalg_norms.norm
pinv = _linalg_spectral.pinv
qr = _linalg_orthogonal.qr
slogdet = _linalg_functions.slogdet
solve = _linalg_solvers.solve
solve_ex = _linalg_solvers.solve_ex
solve_triangular = _linalg_solvers.solve_triangular
svd = _linalg_spectral.svd
svdvals = _linalg_spectral.svdvals
tensorinv = _linalg_solvers.tensorinv
tensorsolve = _linalg_solvers.tensorsolve
vander = _linalg_vectors.linalg_vander
vecdot = _linalg_vectors.vecdot
vector_norm = _linalg_norms.vector_norm

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "ldl_factor",
    "ldl_factor_ex",
    "ldl_solve",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
    "vector_norm",
]
_lazy.publish_all(globals())
