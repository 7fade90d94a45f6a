"""Parametrisations ready for use: orthogonal matrices, weight and spectral normalisation."""

import enum
from typing import Any

from ..._api import (
    Tensor,
    _linalg_functions,
    _linalg_orthogonal,
    _linalg_solvers,
    _moments,
    _normalize,
    add,
    allclose,
    cat,
    eye,
    finfo,
    geqrf,
    mv,
    no_grad,
    norm_except_dim,
    randn,
    vdot,
    zeros_like,
)
from ..modules.module import Module
from . import parametrize
from .spectral_norm import output_dim

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def _is_orthogonal(q):
    n, k = q.shape[-2:]
    identity = eye(k, dtype=q.dtype)
    return allclose(q.mH @ q, identity, atol=10.0 * n * finfo(q.dtype).eps)


def _make_orthogonal(a):
    """The orthogonal factor of the QR decomposition in which the other one's diagonal is positive: (..., n, k) -> (..., n, k)."""
    x, tau = geqrf(a)
    q = _linalg_orthogonal.householder_product(x, tau)
    return q * x.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


class _OrthMaps(enum.Enum):
    matrix_exp = enum.auto()
    cayley = enum.auto()
    householder = enum.auto()


def _diagonal(x):
    return x.diagonal(dim1=-2, dim2=-1)


class _Orthogonal(Module):
    """A matrix with orthonormal columns (or rows, if it has fewer): a map of the lower triangle, times ``base``, the value at the start."""

    def __init__(self, weight: Any, orthogonal_map: Any, *, use_trivialization: bool = True) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map is _OrthMaps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x: Any) -> Tensor:
        wide = x.size(-2) < x.size(-1)
        if wide:
            x = x.mT
        n, k = x.shape[-2:]
        if self.orthogonal_map is _OrthMaps.householder:
            below = x.tril(diagonal=-1)
            tau = 2.0 / (1.0 + (below * below).sum(dim=-2))
            q = _linalg_orthogonal.householder_product(below, tau)
            q = q * _diagonal(x).int().unsqueeze(-2)
        else:
            x = x.tril()
            if n != k:
                x = cat([x, x.new_zeros(n, n - k).expand(*x.shape[:-2], -1, -1)], dim=-1)
            skew = x - x.mH
            if self.orthogonal_map is _OrthMaps.matrix_exp:
                q = _linalg_functions.matrix_exp(skew)
            else:
                identity = eye(n, dtype=skew.dtype)
                q = _linalg_solvers.solve(add(identity, skew, alpha=-0.5), add(identity, skew, alpha=0.5))
            if n != k:
                q = q[..., :k]
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if wide else q

    @no_grad()
    def right_inverse(self, q: Any) -> Tensor:
        """Start from a given matrix, made orthogonal if it is not."""
        if q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {q.shape}."
            )
        given = q
        wide = q.size(-2) < q.size(-1)
        if wide:
            q = q.mT
        n, k = q.shape[-2:]
        if not hasattr(self, "base"):
            if self.orthogonal_map is not _OrthMaps.householder:
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                    "use_trivialization=False."
                )
            a, tau = geqrf(q)
            # the signs of R's diagonal; the reflections are all true ones but those with tau = 0, which are the identity
            _diagonal(a).sign_()
            _diagonal(a)[tau == 0.0] *= -1
            return a.mT if wide else a
        if n != k:
            q = _make_orthogonal(cat([q, randn(*q.shape[:-2], n, n - k, dtype=q.dtype)], dim=-1))
        else:
            q = q.clone() if _is_orthogonal(q) else _make_orthogonal(q)
        self.base = q
        start = zeros_like(given)  # which the maps take to the identity
        _diagonal(start).fill_(-1.0)
        return start


def orthogonal(
    module: Module,
    name: str = "weight",
    orthogonal_map: str | None = None,
    *,
    use_trivialization: bool = True,
) -> Module:
    """Keep a matrix (or each of a batch) orthogonal: its columns, or its rows if they are fewer, stay orthonormal.

    ``orthogonal_map`` is "matrix_exp", "cayley" or "householder"; ``use_trivialization`` starts from the present value, made orthogonal.
    Returns the module. Raises ValueError for an unknown tensor or map, and for fewer than 2 dimensions. [Lezcano-Casado 2019]

    >>> import minigrad
    >>> from minigrad import nn
    >>> w = nn.utils.parametrizations.orthogonal(nn.Linear(3, 3)).weight
    >>> minigrad.allclose(w @ w.mT, minigrad.eye(3), atol=1e-5)
    True
    """
    weight = _tensor(module, name)
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in _OrthMaps.__members__:
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    made = _Orthogonal(weight, _OrthMaps[orthogonal_map], use_trivialization=use_trivialization)
    return parametrize.register_parametrization(module, name, made, unsafe=True)


def _tensor(module, name):
    """A module's parameter or buffer; raises ValueError if there is none of that name."""
    tensor = getattr(module, name, None)
    if not isinstance(tensor, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return tensor


class _WeightNorm(Module):
    """``g * v / norm(v)``, the norm over all dimensions but ``dim``."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        return _moments.weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> Any:
        """Length and direction of a weight."""
        return norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int = 0) -> Any:
    """Replace a weight by its length (``original0``) and its direction (``original1``), which are trained separately; return the module.

    ``dim`` is the dimension along which lengths differ; None means one length for all. State dicts of ``nn.utils.weight_norm`` can be
    loaded. [Salimans and Kingma 2016]

    >>> from minigrad import nn
    >>> layer = nn.utils.parametrizations.weight_norm(nn.Linear(2, 3, bias=False))
    >>> [tuple(x.shape) for x in layer.state_dict().values()]
    [(3, 1), (3, 2)]
    """
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def of_older_form(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        keys = f"{prefix}{name}_g", f"{prefix}{name}_v"
        if all(key in state_dict for key in keys):
            for i, key in enumerate(keys):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(of_older_form)
    return module


class _SpectralNorm(Module):
    """A weight over its largest singular value, found by the power method; a vector over its length."""

    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim = dim if dim >= 0 else dim + ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight)
            for name, n in zip(("_u", "_v"), matrix.size()):
                start = matrix.new_empty(n).normal_(0, 1)
                self.register_buffer(name, _normalize.normalize(start, dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _reshape_weight_to_matrix(self, weight):
        if self.dim:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.flatten(1)

    @no_grad()
    def _power_method(self, matrix, n_power_iterations):
        for _ in range(n_power_iterations):
            # in place: the buffers may be shared with another module
            _normalize.normalize(mv(matrix, self._v), dim=0, eps=self.eps, out=self._u)
            _normalize.normalize(mv(matrix.H, self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight: Tensor) -> Tensor:
        if weight.ndim == 1:
            return _normalize.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()  # the next forward writes to the buffers
        return weight / vdot(u, mv(matrix, v))

    def right_inverse(self, value: Tensor) -> Tensor:
        """The value: it may be assigned as it is."""
        return value


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Divide a weight by its largest singular value on each access; return the module.

    ``dim`` is the dimension that counts outputs: 0, or 1 for transposed convolutions. Each access in training mode makes
    ``n_power_iterations`` further steps of the power method. Raises ValueError if there is no such tensor. [Miyato et al. 2018]

    >>> import minigrad
    >>> from minigrad import nn
    >>> layer = nn.utils.parametrizations.spectral_norm(nn.Linear(20, 40))
    >>> minigrad.allclose(minigrad.linalg.matrix_norm(layer.weight, 2), minigrad.tensor(1.), atol=0.1)
    True
    """
    weight = _tensor(module, name)
    made = _SpectralNorm(weight, n_power_iterations, output_dim(module) if dim is None else dim, eps)
    return parametrize.register_parametrization(module, name, made)
