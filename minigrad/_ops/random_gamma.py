"""Numbers of the gamma and Dirichlet distributions, which move with their parameters: their gradients are those of the draw at a fixed place of its distribution.

A draw is made as any other; then an op of the parameter and the draw, whose result is the draw, knows the gradient.
"""

import numpy as np

from .._arrays.kernels import implicit_gradients as kernels
from .._arrays.random import distributions
from .._base.composites import composite
from .._base.errors import not_a_tensor
from .._core.families import Binary, General, Pointwise, binary, op
from .._core.modes import thread_state
from .._core.tensor import Tensor, wrap
from .batches import leading
from .drawing import sampled
from .random import _source

__all__ = ["_dirichlet_grad", "_sample_dirichlet", "_standard_gamma", "_standard_gamma_grad"]


def refused_twice(called):
    """The formula of a derivative that is not differentiated itself."""
    def vjp(xp, g): raise NotImplementedError(f"the derivative for '{called}' is not implemented.")
    return vjp


class StandardGammaGradBackward0(Binary):
    """z = dy/dx for a number y drawn from the gamma distribution of shape x: how it moves at its fixed place of the distribution.

    >>> import minigrad
    >>> minigrad._standard_gamma_grad(minigrad.tensor([1.]), minigrad.tensor([0.6931]))
    tensor([0.9680])
    """
    names, public, tensors_first = {"x": "self", "y": "output", "z": "result"}, "_standard_gamma_grad", 2
    forward = kernels.standard_gamma_grad
    vjp_x = vjp_y = refused_twice("_standard_gamma_grad")
class DirichletGrad(Pointwise):
    """z = (dx/dy) / (1 - x) for a number x drawn from the beta distribution of parameters y and w - y: the last ones are ``alpha`` and ``total``."""
    operands, names, public = "x y w", {"x": "x", "y": "alpha", "w": "total", "z": "result"}, "_dirichlet_grad"
    forward = kernels.dirichlet_grad
    vjp_x = vjp_y = vjp_w = refused_twice("_dirichlet_grad")
_standard_gamma_grad, _dirichlet_grad = binary(StandardGammaGradBackward0), op(DirichletGrad)


class StandardGammaBackward0(Binary):
    """z = y, drawn from the gamma distribution of shape x;   dz/dx by implicit differentiation."""
    names, public, tensors_first = {"x": "self", "y": "drawn", "z": "result"}, "_standard_gamma", 2
    def forward(x, y): return y.copy()
    def vjp_x(xp, g, x, z): return g * xp.standard_gamma_grad(x, z)
class DirichletBackward(General, node="_DirichletBackward"):
    """z = y, drawn from the Dirichlet distribution of parameters x along the last axis;   dzᵢ/dxⱼ = sⱼ (δᵢⱼ - zᵢ), where sⱼ (1 - zⱼ) is dzⱼ/dxⱼ of zⱼ alone.

    zⱼ alone has the beta distribution of xⱼ and the sum of the others; these keep their proportions when xⱼ moves.   [Figurnov, Mohamed & Mnih 2018]
    """
    operands, names, public = "x y", {"x": "self", "y": "drawn", "z": "result"}, "_sample_dirichlet"
    batch = leading()
    def forward(x, y): return y.copy()
    def vjp_x(xp, g, x, z):
        total = xp.broadcast_to(xp.sum(x, -1, keepdims=True), x.shape)
        return xp.dirichlet_grad(z, x, total) * (g - xp.sum(z * g, -1, keepdims=True))
_moving_gamma, _moving_dirichlet = binary(StandardGammaBackward0), op(DirichletBackward)


def _drawn(name, moving, draw, input, generator):
    if not isinstance(input, Tensor):
        raise not_a_tensor(name, "input", 1, input)
    generator = _source(name, generator)
    drawn = sampled(lambda x: wrap(draw(x._array, generator)), input)
    if input.__class__ is Tensor and input._node is None and not thread_state.levels:
        return drawn
    return moving(input, drawn)


@composite(event=None)
def _standard_gamma(input, generator=None):
    """Numbers of the gamma distributions of scale 1 whose shapes stand in ``input``, a tensor of float32 or float64 of any shape.

    Raises NotImplementedError for other dtypes.

    >>> import minigrad
    >>> alpha = minigrad.full((1000,), 3., requires_grad=True)
    >>> x = minigrad._standard_gamma(alpha)
    >>> 2.5 < x.mean().item() < 3.5
    True
    >>> x.sum().backward()    # on the average a draw grows as the mean does
    >>> 0.9 < alpha.grad.mean().item() < 1.1
    True
    """
    return _drawn("_standard_gamma", _moving_gamma, distributions.standard_gamma, input, generator)


@composite(event=None)
def _sample_dirichlet(input, generator=None):
    """Shares drawn from the Dirichlet distributions whose parameters stand along the last axis of ``input``: (..., n) -> (..., n), float32 or float64.

    Raises NotImplementedError for other dtypes.

    >>> import minigrad
    >>> minigrad._sample_dirichlet(minigrad.ones(2, 3)).sum(-1)
    tensor([1., 1.])
    """
    return _drawn("_sample_dirichlet", _moving_dirichlet, _dirichlet_by_rows, input, generator)


def _dirichlet_by_rows(alpha, generator):
    return distributions.dirichlet(np.ascontiguousarray(alpha), generator).reshape(alpha.shape)
