"""Points that fill a cube more evenly than random ones: ``SobolEngine``."""

from typing import Any

from . import _api
from ._api import Tensor
from ._base.dtypes import dtype as _dtype
from ._base.dtypes import int64

__all__ = ["SobolEngine"]


class SobolEngine:
    """A generator of Sobol sequences of 1 to 21201 dimensions, plain or with Owen scrambling: the same points as PyTorch's.

    The direction numbers are those of Joe and Kuo (2008). Without a ``seed``, scrambling draws from the default generator. Points have 30
    bits; float32 rounds them to 24.

    >>> import minigrad
    >>> engine = minigrad.quasirandom.SobolEngine(2)
    >>> engine.draw(3)
    tensor([[0.0000, 0.0000],
            [0.5000, 0.5000],
            [0.7500, 0.2500]])
    """

    seed: int | None
    scramble: bool
    dimension: Any
    sobolstate: Any
    quasi: Any
    num_generated: int
    shift: Any

    MAXBIT = 30
    MAXDIM = 21201

    def __init__(self, dimension: Any, scramble: bool = False, seed: int | None = None) -> None:
        if not 1 <= dimension <= self.MAXDIM:
            raise ValueError(f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]")
        self.seed, self.scramble, self.dimension = seed, scramble, dimension
        self.sobolstate = _api.zeros(dimension, self.MAXBIT, device="cpu", dtype=int64)
        _api._sobol_engine_initialize_state_(self.sobolstate, dimension)
        if scramble:
            self._scramble()
        else:
            self.shift = _api.zeros(dimension, device="cpu", dtype=int64)
        self.quasi = self.shift.clone()
        self._first_point = (self.quasi / 2**self.MAXBIT).reshape(1, -1)
        self.num_generated = 0

    def draw(self, n: int = 1, out: Tensor | None = None, dtype: _dtype | None = None) -> Tensor:
        """Return the next ``n`` points, (n, dimension) in [0, 1), of the default dtype or of ``dtype``: float32 or float64.

        >>> import minigrad
        >>> minigrad.quasirandom.SobolEngine(1).draw(4)
        tensor([[0.0000],
                [0.5000],
                [0.7500],
                [0.2500]])
        """
        dtype = _api.get_default_dtype() if dtype is None else dtype
        first = self._first_point.to(dtype) if self.num_generated == 0 else None
        if first is not None and n == 1:
            points = first
        else:
            more = n if first is None else n - 1
            before = self.num_generated - (first is None)
            points, self.quasi = _api._sobol_engine_draw(
                self.quasi, more, self.sobolstate, self.dimension, before, dtype=dtype
            )
            if first is not None:
                points = _api.cat((first, points))
        self.num_generated += n
        if out is None:
            return points
        return out.resize_as_(points).copy_(points)

    def draw_base2(self, m: int, out: Tensor | None = None, dtype: _dtype | None = None) -> Tensor:
        """Return the next ``2**m`` points, (2**m, dimension); raise ValueError unless the total is then a power of two.

        >>> import minigrad
        >>> minigrad.quasirandom.SobolEngine(3).draw_base2(4).shape
        torch.Size([16, 3])
        """
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1):
            raise ValueError(
                "The balance properties of Sobol' points require n to be a power of 2. "
                f"{self.num_generated} points have been drawn before: with 2**{m} more they are {total}. "
                "draw() takes any number"
            )
        return self.draw(n, out, dtype)

    def reset(self) -> Any:
        """Restart from the first point; return the engine.

        >>> import minigrad
        >>> engine = minigrad.quasirandom.SobolEngine(2)
        >>> points = engine.draw(5)
        >>> minigrad.equal(engine.reset().draw(5), points)
        True
        """
        self.quasi.copy_(self.shift)
        self.num_generated = 0
        return self

    def fast_forward(self, n: Any) -> Any:
        """Skip the next ``n`` points in constant time; return the engine.

        >>> import minigrad
        >>> minigrad.quasirandom.SobolEngine(2).fast_forward(2).draw()
        tensor([[0.7500, 0.2500]])
        """
        first = self.num_generated == 0
        steps, before = (n - 1, 0) if first else (n, self.num_generated - 1)
        _api._sobol_engine_ff_(self.quasi, steps, self.sobolstate, self.dimension, before)
        self.num_generated += n
        return self

    def _scramble(self):
        """A random shift and random triangular matrices: the bits are drawn in PyTorch's order."""
        generator = None
        if self.seed is not None:
            generator = _api.Generator()
            generator.manual_seed(self.seed)
        bits, count = self.MAXBIT, self.dimension
        shift = _api.randint(2, (count, bits), device="cpu", generator=generator)
        self.shift = (shift << _api.arange(bits)).sum(1)
        matrices = _api.randint(2, (count, bits, bits), device="cpu", generator=generator).tril()
        _api._sobol_engine_scramble_(self.sobolstate, matrices, count)

    def __repr__(self) -> str:
        said = [f"dimension={self.dimension}"]
        said += ["scramble=True"] * bool(self.scramble)
        said += [f"seed={self.seed}"] * (self.seed is not None)
        return f"{type(self).__name__}({', '.join(said)})"
