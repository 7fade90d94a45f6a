"""Correlations."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Size, Tensor, arange, cat, diag_embed, finfo, mvlgamma, randn, zeros_like
from . import constraints
from .beta import Beta
from .distribution import _NO_PARTS, Distribution
from .utils import broadcast_all

__all__ = ["LKJCholesky"]


class LKJCholesky(Distribution):
    """The LKJ distribution of Cholesky factors L of ``dim`` x ``dim`` correlation matrices, whose density is proportional to
    ``det(L Lᵀ) ** (concentration - 1)``.

    A concentration of 1 is uniform. Raises ValueError for fewer than two rows. [Lewandowski, Kurowicka & Joe 2009, "Generating random
    correlation matrices", section 3, onion method]

    >>> import minigrad
    >>> factor = minigrad.distributions.LKJCholesky(3, 2.).sample()
    >>> (factor @ factor.T).diagonal().round(decimals=4)
    tensor([1., 1., 1.])
    """

    concentration: Any

    arg_constraints: Any = {"concentration": constraints.positive}
    support: Any = constraints.corr_cholesky

    def __init__(
        self, dim: int, concentration: Tensor | float = 1.0, validate_args: bool | None = None
    ) -> None:
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        # the square of what row i has beside its diagonal element; of the first row it is drawn, too, and not used
        before = arange(dim - 1, dtype=self.concentration.dtype, device=self.concentration.device)
        before = cat([before.new_zeros(1), before])
        marginal = self.concentration + 0.5 * (dim - 2)
        self._beta = Beta(before + 0.5, marginal.unsqueeze(-1) - 0.5 * before)
        super().__init__(self.concentration.size(), Size((dim, dim)), validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameter is expanded to ``batch_shape``."""
        return self._expanded(LKJCholesky, batch_shape, _instance, "concentration _beta", "dim")

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw lower triangular matrices whose rows have length 1."""
        squares = self._beta.sample(sample_shape).unsqueeze(-1)
        shape = self._extended_shape(sample_shape)
        normal = randn(shape, dtype=squares.dtype, device=squares.device).tril(-1)
        directions = normal / normal.norm(dim=-1, keepdim=True)
        directions = cat([zeros_like(directions[..., :1, :]), directions[..., 1:, :]], -2)
        rows = squares.sqrt() * directions
        rest = (1 - rows.square().sum(-1)).clamp(min=finfo(rows.dtype).tiny)
        return rows + diag_embed(rest.sqrt())

    def log_prob(self, value: Any) -> Tensor:
        """Return the logarithm of the density of L, ``Π Lᵢᵢ ** (dim - i + 2 concentration - 2)`` over rows i from 2 on, normalised."""
        if self._validate_args:
            self._validate_sample(value)
        concentration, rows = self.concentration, self.dim - 1
        i = arange(2, self.dim + 1, device=concentration.device)
        power = 2 * (concentration - 1).unsqueeze(-1) + self.dim - i
        density = (power * value.diagonal(dim1=-1, dim2=-2)[..., 1:].log()).sum(-1)
        alpha = concentration + 0.5 * rows
        normalizer = rows / 2 * math.log(math.pi) + mvlgamma(alpha - 0.5, rows) - rows * alpha.lgamma()
        return density - normalizer
