"""Transforms of values, with their inverses and the logarithms of how they stretch volumes.

Transforms of single numbers stand here, ``Transform`` itself and those made of others in ``_transform.py``, those of vectors and matrices in
``_event_transforms.py``.
"""

import math
from typing import Any

from .._api import (
    Tensor,
    _activation,
    atanh,
    broadcast_shapes,
    finfo,
    full_like,
)
from . import constraints
from ._event_transforms import (
    CorrCholeskyTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    SoftmaxTransform,
    StickBreakingTransform,
    _clipped_sigmoid,
)
from ._transform import (
    CatTransform,
    ComposeTransform,
    IndependentTransform,
    ReshapeTransform,
    StackTransform,
    Transform,
    _InverseTransform,
    identity_transform,
)
from ._transform import SameKind as _SameKind
from .constraints import Constraint
from .distribution import Distribution
from .utils import NUMBERS, _sum_rightmost, broadcast_all, lazy_property

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "CatTransform",
    "ComposeTransform",
    "CorrCholeskyTransform",
    "CumulativeDistributionTransform",
    "ExpTransform",
    "IndependentTransform",
    "LowerCholeskyTransform",
    "PositiveDefiniteTransform",
    "PowerTransform",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "SoftplusTransform",
    "StackTransform",
    "StickBreakingTransform",
    "TanhTransform",
    "Transform",
    "identity_transform",
]

softplus: Any = _activation.softplus


class ExpTransform(_SameKind, Transform):
    """The exponential, ``y = exp(x)``.

    >>> import minigrad
    >>> minigrad.distributions.ExpTransform().inv(minigrad.ones(1))
    tensor([0.])
    """

    domain: Any = constraints.real
    codomain: Any = constraints.positive
    bijective = True
    sign = +1

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return x."""
        return x


class PowerTransform(Transform):
    """A power of positive numbers, ``y = x ** exponent``; ``exponent`` is a number or a tensor that broadcasts.

    >>> import minigrad
    >>> minigrad.distributions.PowerTransform(2.)(minigrad.tensor([3.]))
    tensor([9.])
    """

    exponent: Any

    _arguments = "exponent"
    domain: Any = constraints.positive
    codomain: Any = constraints.positive
    bijective = True

    def __init__(self, exponent: Tensor, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        (self.exponent,) = broadcast_all(exponent)

    @lazy_property
    def sign(self) -> Any:
        """The sign of the exponent."""
        return self.exponent.sign()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PowerTransform) and _equal(self.exponent, other.exponent)

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Compute ``log |exponent * y / x|``."""
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape: Any) -> Any:
        """Return ``shape`` broadcast with that of the exponent."""
        return broadcast_shapes(shape, self.exponent.shape)

    inverse_shape = forward_shape


class SigmoidTransform(_SameKind, Transform):
    """The sigmoid, ``y = 1 / (1 + exp(-x))``, clamped away from 0 and 1.

    >>> import minigrad
    >>> minigrad.distributions.SigmoidTransform()(minigrad.tensor([0., 100.]))
    tensor([0.5000, 1.0000])
    """

    domain: Any = constraints.real
    codomain: Any = constraints.unit_interval
    bijective = True
    sign = +1

    def _call(self, x):
        return _clipped_sigmoid(x)

    def _inverse(self, y):
        limits = finfo(y.dtype)
        y = y.clamp(min=limits.tiny, max=1 - limits.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Compute ``log(y (1 - y))``."""
        return -softplus(-x) - softplus(x)


class SoftplusTransform(_SameKind, Transform):
    """The softplus, ``y = log(1 + exp(x))``.

    >>> import minigrad
    >>> minigrad.distributions.SoftplusTransform()(minigrad.tensor([0., 30.]))
    tensor([ 0.6931, 30.0000])
    """

    domain: Any = constraints.real
    codomain: Any = constraints.positive
    bijective = True
    sign = +1

    def _call(self, x):
        return softplus(x)

    def _inverse(self, y):
        return (-(-y).expm1()).log() + y

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Compute ``log(1 - exp(-y))``."""
        return -softplus(-x)


class TanhTransform(_SameKind, Transform):
    """The hyperbolic tangent, ``y = tanh(x)``. Its inverse is infinite at -1 and 1; ``cache_size=1`` avoids that for y that it computed itself.

    >>> import minigrad
    >>> minigrad.distributions.TanhTransform()(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.7616])
    """

    domain: Any = constraints.real
    codomain: Any = constraints.interval(-1.0, 1.0)
    bijective = True
    sign = +1

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return atanh(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Compute ``log(1 - y²)``, as ``2 (log 2 - x - log(1 + exp(-2 x)))``."""
        return 2 * (math.log(2) - x - softplus(-2 * x))


class AbsTransform(_SameKind, Transform):
    """The absolute value, ``y = |x|``; the inverse returns the non-negative x.

    >>> import minigrad
    >>> minigrad.distributions.AbsTransform()(minigrad.tensor([-2.]))
    tensor([2.])
    """

    domain: Any = constraints.real
    codomain: Any = constraints.positive

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class AffineTransform(Transform):
    """An affine map, ``y = loc + scale * x``, by numbers or tensors that broadcast; the last ``event_dim`` dimensions form one value.

    >>> import minigrad
    >>> minigrad.distributions.AffineTransform(1., 2.)(minigrad.tensor([3.]))
    tensor([7.])
    """

    _arguments = "loc scale event_dim"
    bijective = True

    def __init__(
        self, loc: Tensor | float, scale: Tensor | float, event_dim: int = 0, cache_size: int = 0
    ) -> None:
        super().__init__(cache_size=cache_size)
        self.loc = loc
        self.scale = scale
        self._event_dim = event_dim

    @property
    def event_dim(self) -> int:
        """The number of dimensions of a value."""
        return self._event_dim

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """All numbers."""
        return (
            constraints.independent(constraints.real, self.event_dim) if self.event_dim else constraints.real
        )

    codomain = domain

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AffineTransform)
            and _equal(self.loc, other.loc)
            and _equal(self.scale, other.scale)
        )

    @property
    def sign(self) -> Tensor | int:
        """The sign of the scale."""
        if isinstance(self.scale, NUMBERS):
            return (self.scale > 0) - (self.scale < 0)
        return self.scale.sign()

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Compute ``log |scale|``, summed over the dimensions of a value."""
        if isinstance(self.scale, NUMBERS):
            stretch = full_like(x, math.log(abs(self.scale)))
        else:
            stretch = self.scale.abs().log()
        return _sum_rightmost(stretch.expand(x.shape), self.event_dim)

    def forward_shape(self, shape: Any) -> Any:
        """Return ``shape`` broadcast with those of the parameters."""
        return broadcast_shapes(shape, *[getattr(p, "shape", ()) for p in (self.loc, self.scale)])

    inverse_shape = forward_shape


def _equal(a, b):
    """Whether two parameters, numbers or tensors, are the same."""
    same = a == b
    return same if isinstance(same, bool) else bool(same.all())


class CumulativeDistributionTransform(Transform):
    """The distribution function of a distribution, ``y = distribution.cdf(x)``, which maps its values to uniform numbers.

    >>> import minigrad
    >>> from minigrad.distributions import CumulativeDistributionTransform, Normal
    >>> CumulativeDistributionTransform(Normal(0., 1.))(minigrad.zeros(1))
    tensor([0.5000])
    """

    _arguments = "distribution"
    bijective = True
    codomain: Any = constraints.unit_interval
    sign = +1

    def __init__(self, distribution: Distribution, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.distribution = distribution

    @property
    def domain(self) -> Constraint | None:
        """The support of the distribution."""
        return self.distribution.support

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of the density."""
        return self.distribution.log_prob(x)
