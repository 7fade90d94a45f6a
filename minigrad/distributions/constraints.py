"""Where parameters and values may lie: a constraint says of each of a batch of values whether it holds.

``constraints.positive``, ``simplex`` and their like are constraints; ``greater_than(lower_bound)`` and the other functions in lower case are classes of
them.  ``event_dim`` is the number of dimensions of one value: those are gone from what ``check`` returns.  ``constraint_registry.py`` knows a transform
onto most of them.
"""

from collections.abc import Callable
from typing import Any

from .. import _api

__all__ = [
    "Constraint",
    "MixtureSameFamilyConstraint",
    "boolean",
    "cat",
    "corr_cholesky",
    "dependent",
    "dependent_property",
    "greater_than",
    "greater_than_eq",
    "half_open_interval",
    "independent",
    "integer_interval",
    "interval",
    "is_dependent",
    "less_than",
    "lower_cholesky",
    "lower_triangular",
    "multinomial",
    "nonnegative",
    "nonnegative_integer",
    "one_hot",
    "positive",
    "positive_definite",
    "positive_integer",
    "positive_semidefinite",
    "real",
    "real_vector",
    "simplex",
    "square",
    "stack",
    "symmetric",
    "unit_interval",
]


class Constraint:
    """A set of values; a subclass defines ``check``.

    >>> import minigrad
    >>> from minigrad.distributions import constraints
    >>> class Even(constraints.Constraint):
    ...     is_discrete = True
    ...     def check(self, value):
    ...         return value % 2 == 0
    >>> Even().check(minigrad.tensor([1, 2]))
    tensor([False,  True])
    """

    is_discrete = False
    event_dim = 0

    def check(self, value: Any) -> Any:
        """Return whether each value of a batch lies in the set, as bools in the shape of the batch."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__[1:]}()"


# Constraints that depend on other parameters -----------------------------------------------------------------


class _Dependent(Constraint):
    """Stands for a constraint that only an instance of a distribution knows."""

    def __init__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented) -> None:
        self._is_discrete = is_discrete
        self._event_dim = event_dim

    @property
    def is_discrete(self) -> bool:
        """Whether the values are discrete; raises NotImplementedError where that is not known."""
        return self._known("is_discrete")

    @property
    def event_dim(self) -> int:
        """The number of dimensions of a value; raises NotImplementedError where that is not known."""
        return self._known("event_dim")

    def _known(self, name):
        value = getattr(self, f"_{name}")
        if value is NotImplemented:
            raise NotImplementedError(f".{name} cannot be determined statically")
        return value

    def __call__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented) -> Any:
        """The same, of which more is known."""
        return _Dependent(
            is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
            event_dim=self._event_dim if event_dim is NotImplemented else event_dim,
        )

    def check(self, value: Any) -> Any:
        """Raises ValueError: no value can be judged."""
        raise ValueError("Cannot determine validity of dependent constraint")


def is_dependent(constraint: Any) -> bool:
    """Return whether a constraint is only known to instances of a distribution, because it depends on their parameters.

    >>> from minigrad.distributions import Uniform, constraints
    >>> constraints.is_dependent(Uniform.support), constraints.is_dependent(constraints.real)
    (True, False)
    """
    return isinstance(constraint, _Dependent)


class _DependentProperty(property, _Dependent):
    """A property whose value is a constraint; asked of the class, it is a dependent constraint itself."""

    def __init__(
        self,
        fn: Callable[..., Any] | None = None,
        *,
        is_discrete: bool | None = NotImplemented,
        event_dim: int | None = NotImplemented,
    ) -> None:
        property.__init__(self, fn)
        _Dependent.__init__(self, is_discrete=is_discrete, event_dim=event_dim)

    def __call__(self, fn: Callable[..., Any]) -> Any:
        return _DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


# Constraints around others -----------------------------------------------------------------------------------


def _check_constraint(base_constraint):
    if not isinstance(base_constraint, Constraint):
        raise AssertionError(f"base_constraint must be a Constraint, got {type(base_constraint).__name__}")


class _Around(Constraint):
    """A constraint made of one other."""

    def __init__(self, base_constraint: Any) -> None:
        _check_constraint(base_constraint)
        self.base_constraint = base_constraint

    @property
    def is_discrete(self) -> Any:
        """As the constraint inside."""
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> Any:
        """As the constraint inside."""
        return self.base_constraint.event_dim


def _too_few(expected, value):
    return ValueError(f"Expected value.dim() >= {expected} but got {value.dim()}")


class _IndependentConstraint(_Around):
    """Several dimensions of a batch taken together as one value: all of them must hold."""

    def __init__(self, base_constraint: Any, reinterpreted_batch_ndims: Any) -> None:
        super().__init__(base_constraint)
        if not isinstance(reinterpreted_batch_ndims, int):
            raise AssertionError(
                f"reinterpreted_batch_ndims must be an int, got {type(reinterpreted_batch_ndims).__name__}"
            )
        if reinterpreted_batch_ndims < 0:
            raise AssertionError(f"reinterpreted_batch_ndims must be >= 0, got {reinterpreted_batch_ndims}")
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @property
    def event_dim(self) -> int:
        """That of the constraint inside, and the dimensions taken together."""
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value: Any) -> Any:
        """Whether all values that belong together hold."""
        holds = self.base_constraint.check(value)
        if holds.dim() < self.reinterpreted_batch_ndims:
            raise _too_few(self.event_dim, value)
        return _all_of_last(holds, self.reinterpreted_batch_ndims)

    def __repr__(self) -> str:
        return f"{type(self).__name__[1:]}({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


def _all_of_last(holds, dims):
    return holds.all(tuple(range(-dims, 0))) if dims else holds


class MixtureSameFamilyConstraint(_Around):
    """The values of a mixture: those that every component allows.

    ``check`` inserts a dimension for the components before those of a value, with which the bounds of ``base_constraint`` broadcast.

    >>> import minigrad
    >>> from minigrad.distributions import constraints
    >>> both = constraints.MixtureSameFamilyConstraint(constraints.greater_than(minigrad.tensor([0., 1.])))
    >>> both.check(minigrad.tensor([0.5, 2.]))
    tensor([False,  True])
    """

    def check(self, value: Any) -> Any:
        """Return whether each value is valid for all components."""
        holds = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        if value.dim() < self.event_dim:
            raise _too_few(self.event_dim, value)
        return _all_of_last(holds, holds.dim() - (value.dim() - self.event_dim))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_constraint!r})"


class _Joined(Constraint):
    """Constraints of several parts along a dimension of the values."""

    cseq: list[Any]

    def __init__(self, cseq: Any, dim: int = 0) -> None:
        self.cseq = list(cseq)
        if not all(isinstance(c, Constraint) for c in self.cseq):
            raise AssertionError("All elements of cseq must be Constraint instances")
        self.dim = dim

    @property
    def is_discrete(self) -> bool:
        """Whether any part is."""
        return any(c.is_discrete for c in self.cseq)

    @property
    def event_dim(self) -> Any:
        """The most that any part has."""
        return max(c.event_dim for c in self.cseq)

    def _check_dim(self, value):
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for value with {value.dim()} dimensions")


class _Cat(_Joined):
    """Parts of ``lengths`` one behind the other along ``dim``."""

    lengths: list[Any]

    def __init__(self, cseq: Any, dim: int = 0, lengths: Any = None) -> None:
        super().__init__(cseq, dim)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.cseq):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match cseq ({len(self.cseq)})")

    def check(self, value: Any) -> Any:
        """Whether each value holds for the part that it is in."""
        self._check_dim(value)
        parts = value.narrow(self.dim, 0, sum(self.lengths)).split(self.lengths, self.dim)
        return _api.cat([c.check(part) for c, part in zip(self.cseq, parts)], self.dim)


class _Stack(_Joined):
    """A part for each index along ``dim``."""

    @property
    def event_dim(self) -> int:
        """The most that any part has, and the stacked dimension if it is among them."""
        own = super().event_dim
        return own + (self.dim + own < 0)

    def check(self, value: Any) -> Any:
        """Whether each value holds for its part."""
        self._check_dim(value)
        return _api.stack([c.check(part) for c, part in zip(self.cseq, value.unbind(self.dim))], self.dim)


# Bounds ------------------------------------------------------------------------------------------------------


class _Bounded(Constraint):
    """A constraint with bounds, numbers or tensors that broadcast with the values."""

    _bounds: tuple[str, ...] = ()

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)}" for name in self._bounds)
        return f"{type(self).__name__[1:]}({shown})"


class _Above(_Bounded):
    _bounds = ("lower_bound",)

    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound


class _Below(_Bounded):
    _bounds = ("upper_bound",)

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound


class _Between(_Bounded):
    _bounds = ("lower_bound", "upper_bound")

    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound


class _GreaterThan(_Above):
    """Numbers above a bound."""

    def check(self, value: Any) -> bool:
        """Elementwise."""
        return self.lower_bound < value


class _GreaterThanEq(_Above):
    """Numbers that are not below a bound."""

    def check(self, value: Any) -> bool:
        """Elementwise."""
        return self.lower_bound <= value


class _LessThan(_Below):
    """Numbers below a bound."""

    def check(self, value: Any) -> bool:
        """Elementwise."""
        return value < self.upper_bound


class _Interval(_Between):
    """Numbers between two bounds, or one of these."""

    def check(self, value: Any) -> Any:
        """Elementwise."""
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_Between):
    """Numbers between two bounds, or the lower one."""

    def check(self, value: Any) -> Any:
        """Elementwise."""
        return (self.lower_bound <= value) & (value < self.upper_bound)


def _whole(value):
    return value % 1 == 0


class _IntegerInterval(_Between):
    """Whole numbers between two bounds, or one of these."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        """Elementwise."""
        return _whole(value) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerLessThan(_Below):
    """Whole numbers up to a bound."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        """Elementwise."""
        return _whole(value) & (value <= self.upper_bound)


class _IntegerGreaterThan(_Above):
    """Whole numbers from a bound on."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        """Elementwise."""
        return _whole(value) & (value >= self.lower_bound)


# Numbers and vectors -----------------------------------------------------------------------------------------


class _Real(Constraint):
    """Numbers that are not nan."""

    def check(self, value: Any) -> bool:
        """Elementwise."""
        return value == value


class _Boolean(Constraint):
    """0 or 1."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        """Elementwise."""
        return (value == 0) | (value == 1)


class _OneHot(Constraint):
    """Vectors of one 1 among zeros."""

    is_discrete = True
    event_dim = 1

    def check(self, value: Any) -> Any:
        """(..., n) -> (...)."""
        return ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1)


class _Simplex(Constraint):
    """Vectors of shares: none is negative, and their sum is 1."""

    event_dim = 1

    def check(self, value: Any) -> Any:
        """(..., n) -> (...)."""
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Multinomial(Constraint):
    """Vectors of counts whose sum is at most a bound."""

    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound

    def check(self, value: Any) -> Any:
        """(..., n) -> (...)."""
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)


# Matrices ----------------------------------------------------------------------------------------------------


class _Matrix(Constraint):
    event_dim = 2


def _lower(value):
    return (value.tril() == value).all(-1).all(-1)


class _LowerTriangular(_Matrix):
    """Matrices with zeros above the diagonal."""

    def check(self, value: Any) -> Any:
        """(..., n, n) -> (...)."""
        return _lower(value)


class _LowerCholesky(_Matrix):
    """Lower triangular matrices whose diagonal is positive."""

    def check(self, value: Any) -> Any:
        """(..., n, n) -> (...)."""
        return _lower(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _CorrCholesky(_LowerCholesky):
    """Cholesky factors of correlation matrices: their rows are of length 1."""

    def check(self, value: Any) -> Any:
        """(..., n, n) -> (...)."""
        tolerance = 10 * value.size(-1) * _api.finfo(value.dtype).eps
        lengths = _api._linalg_norms.vector_norm(value.detach(), dim=-1)
        return super().check(value) & ((lengths - 1).abs() <= tolerance).all(-1)


class _Square(_Matrix):
    """Matrices of as many rows as columns."""

    def check(self, value: Any) -> Any:
        """(..., n, m) -> (...)."""
        *batch, rows, columns = value.shape
        return _api.full(batch, rows == columns, device=value.device)


class _Symmetric(_Square):
    """Matrices that equal their transpose, but for rounding."""

    def check(self, value: Any) -> Any:
        """(..., n, n) -> (...)."""
        is_square = super().check(value)
        if value.shape[-2] != value.shape[-1]:
            return is_square
        return _api.isclose(value, value.mT, atol=1e-6).all(-1).all(-1)


class _PositiveSemidefinite(_Symmetric):
    """Symmetric matrices without a negative eigenvalue."""

    def check(self, value: Any) -> Any:
        """(..., n, n) -> (...)."""
        symmetric = super().check(value)
        if not _api._is_all_true(symmetric):
            return symmetric
        return (_api._linalg_spectral.eigvalsh(value) >= 0).all(-1)


class _PositiveDefinite(_Symmetric):
    """Symmetric matrices whose eigenvalues are positive."""

    def check(self, value: Any) -> Any:
        """(..., n, n) -> (...)."""
        symmetric = super().check(value)
        if not _api._is_all_true(symmetric):
            return symmetric
        return _api._linalg_factors.cholesky_ex(value).info == 0


dependent: Any = _Dependent()
dependent_property = _DependentProperty
independent = _IndependentConstraint
boolean: Any = _Boolean()
one_hot: Any = _OneHot()
nonnegative_integer: Any = _IntegerGreaterThan(0)
positive_integer: Any = _IntegerGreaterThan(1)
integer_interval = _IntegerInterval
real: Any = _Real()
real_vector: Any = independent(real, 1)
positive: Any = _GreaterThan(0.0)
nonnegative: Any = _GreaterThanEq(0.0)
greater_than = _GreaterThan
greater_than_eq = _GreaterThanEq
less_than = _LessThan
multinomial = _Multinomial
unit_interval: Any = _Interval(0.0, 1.0)
interval = _Interval
half_open_interval = _HalfOpenInterval
simplex: Any = _Simplex()
lower_triangular: Any = _LowerTriangular()
lower_cholesky: Any = _LowerCholesky()
corr_cholesky: Any = _CorrCholesky()
square: Any = _Square()
symmetric: Any = _Symmetric()
positive_semidefinite: Any = _PositiveSemidefinite()
positive_definite: Any = _PositiveDefinite()
cat = _Cat
stack = _Stack
