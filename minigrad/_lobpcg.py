"""``lobpcg``: a few extreme eigenpairs of a symmetric matrix, by the locally optimal block preconditioned conjugate gradient method."""

from typing import Any

from ._api import Tensor, arange, cat, diag_embed, finfo, no_grad, randn, stack, where
from ._api import _linalg_spectral as _spectral
from .autograd import Function

__all__ = ["lobpcg"]


def lobpcg(
    A: Tensor,
    k: int | None = None,
    B: Tensor | None = None,
    X: Tensor | None = None,
    n: int | None = None,
    iK: Tensor | None = None,
    niter: int | None = None,
    tol: float | None = None,
    largest: bool | None = None,
    method: str | None = None,
    tracker: None = None,
    ortho_iparams: dict[str, int] | None = None,
    ortho_fparams: dict[str, float] | None = None,
    ortho_bparams: dict[str, bool] | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the ``k`` largest (or smallest) eigenvalues of symmetric matrices, (..., k), and their eigenvectors, (..., m, k). [Knyazev 2001]

    ``A`` (..., m, m) and ``B``, which must be positive definite, define the problem ``A x = e B x``; without ``B`` it is ``A x = e x``.
    ``X`` (..., m, n) is the starting point of the search, by default ``n = k`` random vectors. ``iK`` (..., m, m) approximates the
    inverse of ``A``. The search ends after ``niter`` iterations, of which the start is one (1000; with 0 or -1, when it has converged),
    or when no residual exceeds ``tol``, relative to the size of ``A``. ``tracker`` is called after each iteration with an object that
    holds the state. ``method`` and the ``ortho_`` parameters are accepted and have no effect: bases are always made orthogonal.

    Gradients with respect to ``A`` are those of a symmetric matrix, and are not available with ``B``. Raises ValueError if ``m`` is less
    than ``3 n``, AssertionError if ``A`` is not square, RuntimeError for dtypes that are not real floating-point ones.

    >>> import minigrad
    >>> values, vectors = minigrad.lobpcg(minigrad.diag(minigrad.arange(1.0, 10.0)), k=2)
    >>> values
    tensor([9.0000, 8.0000])
    """
    if A.shape[-1] != A.shape[-2]:
        raise AssertionError(f"A must be square, got shape {A.shape}")
    if not A.is_floating_point():
        raise RuntimeError(f"lobpcg: expected a real floating matrix, but got {A.dtype}")
    if A.requires_grad:
        if B is not None and B.requires_grad:
            raise ValueError(
                "lobpcg.backward does not support backward with respect to B, only to A: detach it"
            )
        A = (A + A.mT) / 2
        return _Differentiable.apply(A, k, B, X, n, iK, niter, tol, largest, tracker)
    return _of_batch(A, k, B, X, n, iK, niter, tol, largest, tracker)


class _Differentiable(Function):
    """The eigenpairs, and the gradient of ``A`` from those of all its eigenvectors."""

    @staticmethod
    def forward(
        ctx: Any,
        A: Any,
        k: Any,
        B: Any,
        X: Any,
        n: Any,
        iK: Any,
        niter: Any,
        tol: Any,
        largest: Any,
        tracker: Any,
    ) -> Any:
        E, V = _of_batch(A, k, B, X, n, iK, niter, tol, largest, tracker)
        ctx.save_for_backward(A, E, V)
        ctx.of_two = B is not None
        return E, V

    @staticmethod
    def backward(ctx: Any, g_values: Any, g_vectors: Any) -> Any:
        A, E, V = ctx.saved_tensors
        if ctx.of_two:
            raise ValueError("lobpcg.backward does not support the problem with B: B != I")
        # dE = diag(VT dA V);  dv = (e - A)+ dA v, where + leaves out the eigenvector itself
        g = V @ diag_embed(g_values) @ V.mT
        values, vectors = _spectral.eigh(A)
        apart = E.unsqueeze(-2) - values.unsqueeze(-1)  # (..., m, k)
        own = apart.abs().argmin(-2, keepdim=True) == arange(A.shape[-1]).unsqueeze(-1)
        inverse = where(own, 0.0, 1 / where(own, 1.0, apart))
        g = g + vectors @ (inverse * (vectors.mT @ g_vectors)) @ V.mT
        return (g, *[None] * 9)


def _of_batch(A, k, B, X, n, iK, niter, tol, largest, tracker):
    m = A.shape[-1]
    k = (1 if X is None else X.shape[-1]) if k is None else k
    n = (k if n is None else n) if X is None else X.shape[-1]
    if m < 3 * n:
        raise ValueError(
            f"LOBPCG algorithm is not applicable when the number of A rows (={m}) is smaller than 3 x the number of requested "
            f"eigenpairs (={n})"
        )
    if k < 1 or n < 1:
        raise ValueError(f"lobpcg: k and n must be positive, but got {k} and {n}")
    if tol is None:
        tol = finfo(A.dtype).eps ** 0.5
    X = randn(*A.shape[:-2], m, n, dtype=A.dtype) if X is None else X
    with no_grad():
        found = []
        for place in _places(A.shape[:-2]):
            of_one = [None if x is None else (x[place] if x.dim() > 2 else x) for x in (A, B, iK)]
            search = LOBPCG(*of_one, X[place] if X.dim() > 2 else X, k, niter, tol, largest is not False)
            search.run(tracker)
            found.append((search.E[:k], search.X[:, :k]))
        if A.dim() == 2:
            return found[0]
        E, V = (stack(parts) for parts in zip(*found))
        return E.reshape(*A.shape[:-2], *E.shape[1:]), V.reshape(*A.shape[:-2], *V.shape[1:])


def _places(shape):
    """The indices of the samples of a batch."""
    if not shape:
        return [()]
    return [(i, *rest) for i in range(shape[0]) for rest in _places(shape[1:])]


class LOBPCG:
    """A search for eigenpairs, with its state: ``E``, ``X``, the residuals ``R``, and what the last step was made of, ``S``.

    ``iparams``, ``fparams`` and ``bparams`` are its parameters, ``ivars``, ``bvars`` and ``tvars`` what changes: ``bvars["force_stop"]`` ends it.
    """

    def __init__(self, A, B, iK, X, k, niter, tol, largest):
        self.A, self.B, self.iK = A, B, iK
        m, n = X.shape
        self.iparams = {"m": m, "n": n, "k": k, "niter": 1000 if niter is None else niter}
        self.fparams, self.bparams = {"tol": tol}, {"largest": largest}
        self.ivars = {"istep": 1, "converged_count": 0, "iterations_left": self.iparams["niter"] - 1}
        self.fvars = {
            "A_norm": _norm(A @ X) / _norm(X),
            "B_norm": 1.0 if B is None else _norm(B @ X) / _norm(X),
        }
        self.bvars = {"force_stop": False}
        self.tvars: dict[str, Tensor] = {}
        self.S = self._orthonormal(X)
        self.P = None
        self._choose()

    def run(self, tracker):
        """Iterate until all pairs that were asked for have converged."""
        while True:
            if tracker is not None:
                tracker(self)
            if self._is_done():
                return
            self._step()

    def _is_done(self):
        if self.bvars["force_stop"] or self.ivars["converged_count"] >= self.iparams["k"]:
            return True
        return self.ivars["istep"] >= self.iparams["niter"] > 0

    def _step(self):
        """Search the space of the vectors, their residuals, and the last change of the vectors."""
        self.ivars["istep"] += 1
        self.ivars["iterations_left"] -= 1
        moving = self.tvars["rerr"] >= self.fparams["tol"]
        W = self.R[:, moving]
        W = W if self.iK is None else self.iK @ W
        parts = [self.X, self._orthonormal(W)]
        if self.P is not None:
            parts.append(self._orthonormal(self.P[:, moving]))
        self.S = self._orthonormal(cat(parts, 1))
        self._choose()

    def _orthonormal(self, S):
        """A basis of the columns of ``S`` without what is negligible, orthonormal with respect to ``B``."""
        for _ in range(2):  # once more for what the first time has rounded
            S = S / S.norm(dim=0).clamp(min=finfo(S.dtype).tiny)
            values, vectors = _spectral.eigh(S.mT @ self._by_B(S))
            kept = values > values[-1] * finfo(S.dtype).eps * len(values)
            S = S @ (vectors[:, kept] / values[kept].sqrt())
        return S

    def _by_B(self, S):
        return S if self.B is None else self.B @ S

    def _choose(self):
        """The best eigenpairs in the space of ``S``, their residuals, and how many have converged."""
        S, n = self.S, self.iparams["n"]
        values, vectors = _spectral.eigh(S.mT @ (self.A @ S))
        if self.bparams["largest"]:
            values, vectors = values.flip(0), vectors.flip(1)
        self.E, before = values[:n], getattr(self, "X", None)
        self.X = S @ vectors[:, :n]
        if before is not None:  # what the vectors have gained beside the old ones
            self.P = self.X - before @ (before.mT @ self._by_B(self.X))
        self.R = self.A @ self.X - self._by_B(self.X) * self.E
        size = self.X.norm(dim=0) * (self.fvars["A_norm"] + self.E.abs() * self.fvars["B_norm"])
        self.tvars["rerr"] = self.R.norm(dim=0) / size
        far = (self.tvars["rerr"] >= self.fparams["tol"]).tolist()
        self.ivars["converged_count"] = far.index(True) if True in far else n


def _norm(x):
    return float(x.norm())
