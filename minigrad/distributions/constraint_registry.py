"""Transforms from all numbers onto constraints: ``biject_to`` has bijections, for inference; ``transform_to`` what optimisation can do with."""

from typing import Any

from . import constraints, transforms
from .utils import NUMBERS

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """A mapping from constraints to transforms onto the sets they describe: functions, keyed by the class of the constraint.

    >>> import minigrad
    >>> from minigrad.distributions import biject_to, constraints
    >>> t = biject_to(constraints.greater_than(3.))
    >>> t(minigrad.zeros(1)), t.inv(minigrad.tensor([4.]))
    (tensor([4.]), tensor([0.]))
    """

    def __init__(self) -> None:
        self._registry = {}

    def register(self, constraint: Any, factory: Any = None) -> Any:
        """Let ``factory(constraint)`` make the transform for constraints of a class, or of the class of an instance; without it, return a
        decorator.

        Raises TypeError if the argument is not a constraint.
        """
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        cls = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not (isinstance(cls, type) and issubclass(cls, constraints.Constraint)):
            raise TypeError(
                f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}"
            )
        self._registry[cls] = factory
        return factory

    def __call__(self, constraint: Any) -> Any:
        """A transform whose results satisfy the constraint; raises NotImplementedError if none is registered for its class."""
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to: Any = ConstraintRegistry()
transform_to: Any = ConstraintRegistry()


def _onto(*kinds, registries=(biject_to, transform_to)):
    """Register the decorated function for several constraints."""

    def decorator(factory):
        for kind in kinds:
            for registry in registries:
                registry.register(kind, factory)
        return factory

    return decorator


# Numbers -----------------------------------------------------------------------------------------------------


@_onto(constraints.real)
def _to_real(constraint):
    return transforms.identity_transform


@_onto(constraints.greater_than, constraints.greater_than_eq)  # positive and nonnegative are of these classes
def _to_above(constraint):
    return _exponential(constraint.lower_bound, 1)


@_onto(constraints.less_than)
def _to_below(constraint):
    return _exponential(constraint.upper_bound, -1)


def _exponential(bound, sign):
    return transforms.ComposeTransform([transforms.ExpTransform(), transforms.AffineTransform(bound, sign)])


@_onto(constraints.interval, constraints.half_open_interval)
def _to_interval(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, NUMBERS) and isinstance(high, NUMBERS) and (low, high) == (0, 1):
        return transforms.SigmoidTransform()
    stretched = transforms.AffineTransform(low, high - low)
    return transforms.ComposeTransform([transforms.SigmoidTransform(), stretched])


# Vectors and matrices ----------------------------------------------------------------------------------------


@_onto(constraints.simplex, registries=[biject_to])
def _biject_to_simplex(constraint):
    return transforms.StickBreakingTransform()


@_onto(constraints.simplex, registries=[transform_to])
def _transform_to_simplex(constraint):
    return transforms.SoftmaxTransform()


@_onto(constraints.lower_cholesky, registries=[transform_to])
def _transform_to_lower_cholesky(constraint):
    return transforms.LowerCholeskyTransform()


@_onto(constraints.positive_definite, constraints.positive_semidefinite, registries=[transform_to])
def _transform_to_positive_definite(constraint):
    return transforms.PositiveDefiniteTransform()


@_onto(constraints.corr_cholesky)
def _to_corr_cholesky(constraint):
    return transforms.CorrCholeskyTransform()


# Constraints made of others: transforms made of theirs in the same registry -----------------------------------


def _register_composites(registry):
    @registry.register(constraints.independent)
    def _to_independent(constraint):
        base = registry(constraint.base_constraint)
        return transforms.IndependentTransform(base, constraint.reinterpreted_batch_ndims)

    @registry.register(constraints.cat)
    def _to_cat(constraint):
        parts = [registry(part) for part in constraint.cseq]
        return transforms.CatTransform(parts, constraint.dim, constraint.lengths)

    @registry.register(constraints.stack)
    def _to_stack(constraint):
        return transforms.StackTransform([registry(part) for part in constraint.cseq], constraint.dim)


_register_composites(biject_to)
_register_composites(transform_to)
