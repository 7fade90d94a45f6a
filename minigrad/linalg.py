"""Linear algebra: decompositions, systems of equations, determinants, norms."""

from typing import Any

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
cholesky: Any = _linalg_factors.cholesky
cholesky_ex: Any = _linalg_factors.cholesky_ex
cond: Any = _linalg_norms.cond
cross: Any = _linalg_vectors.linalg_cross
det: Any = _linalg_functions.det
diagonal: Any = _linalg_vectors.linalg_diagonal
eig: Any = _linalg_spectral.eig
eigh: Any = _linalg_spectral.eigh
eigvals: Any = _linalg_spectral.eigvals
eigvalsh: Any = _linalg_spectral.eigvalsh
householder_product: Any = _linalg_orthogonal.householder_product
inv: Any = _linalg_solvers.inv
inv_ex: Any = _linalg_solvers.inv_ex
ldl_factor: Any = _linalg_factors.ldl_factor
ldl_factor_ex: Any = _linalg_factors.ldl_factor_ex
ldl_solve: Any = _linalg_factors.ldl_solve
lstsq: Any = _linalg_solvers.lstsq
lu: Any = _linalg_factors.lu
lu_factor: Any = _linalg_factors.lu_factor
lu_factor_ex: Any = _linalg_factors.lu_factor_ex
lu_solve: Any = _linalg_factors.lu_solve
matmul: Any = _linalg_vectors.linalg_matmul
matrix_exp: Any = _linalg_functions.matrix_exp
matrix_norm: Any = _linalg_norms.matrix_norm
matrix_power: Any = _linalg_functions.matrix_power
matrix_rank: Any = _linalg_spectral.matrix_rank
multi_dot: Any = _linalg_functions.multi_dot
norm: Any = _linalg_norms.norm
pinv: Any = _linalg_spectral.pinv
qr: Any = _linalg_orthogonal.qr
slogdet: Any = _linalg_functions.slogdet
solve: Any = _linalg_solvers.solve
solve_ex: Any = _linalg_solvers.solve_ex
solve_triangular: Any = _linalg_solvers.solve_triangular
svd: Any = _linalg_spectral.svd
svdvals: Any = _linalg_spectral.svdvals
tensorinv: Any = _linalg_solvers.tensorinv
tensorsolve: Any = _linalg_solvers.tensorsolve
vander: Any = _linalg_vectors.linalg_vander
vecdot: Any = _linalg_vectors.vecdot
vector_norm: Any = _linalg_norms.vector_norm

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
