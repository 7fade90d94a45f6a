"""The base of all distributions: their shapes, what of their parameters and values is checked, and how they are shown."""

import warnings
from collections.abc import Sequence
from typing import Any

from .._api import Size, Tensor, _is_all_true, exp, no_grad
from . import constraints
from .constraints import Constraint
from .utils import lazy_property

__all__ = ["Distribution"]

_NO_PARTS = Size()


class Distribution:
    """A probability distribution, or a batch of them of ``batch_shape``, whose values have ``event_shape``.

    A subclass stores its parameters as attributes, broadcast to ``batch_shape`` and the dimensions of a parameter, and then calls
    ``super().__init__``. That validates them against ``arg_constraints``, unless ``validate_args`` or the default is False, and raises
    ValueError.

    >>> import minigrad
    >>> from minigrad.distributions import Distribution, constraints
    >>> class Triangular(Distribution):
    ...     arg_constraints = {"width": constraints.positive}
    ...     def __init__(self, width, validate_args=None):
    ...         self.width = width
    ...         super().__init__(width.shape, validate_args=validate_args)
    ...     @property
    ...     def support(self):
    ...         return constraints.interval(0, self.width)
    ...     def log_prob(self, value):
    ...         if self._validate_args:
    ...             self._validate_sample(value)
    ...         return (2 * value / self.width ** 2).log()
    >>> Triangular(minigrad.tensor([2.])).log_prob(minigrad.tensor([1.]))
    tensor([-0.6931])
    """

    base_dist: Any
    concentration: Any
    loc: Any
    logits: Any
    probs: Any
    rate: Any
    scale: Any
    temperature: Any

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__

    def __init__(
        self, batch_shape: Size = _NO_PARTS, event_shape: Size = _NO_PARTS, validate_args: bool | None = None
    ) -> None:
        self._batch_shape = batch_shape
        self._event_shape = event_shape
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()
        super().__init__()

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Set whether distributions validate their parameters and values by default; initially they do, unless Python runs with ``-O``."""
        if value not in (True, False):
            raise ValueError(f"set_default_validate_args(): expected a bool, but got {value!r}")
        Distribution._validate_args = value

    # Shapes -------------------------------------------------------------------------------------------------

    @property
    def batch_shape(self) -> Size:
        """The shape of the batch of distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one value."""
        return self._event_shape

    def _extended_shape(self, sample_shape=_NO_PARTS):
        """The shape of ``sample(sample_shape)``."""
        return Size(sample_shape) + self._batch_shape + self._event_shape

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``; without copies.

        A subclass with an ``__init__`` of its own defines it, and may hand on an ``_instance`` to be filled.
        """
        raise NotImplementedError

    def _get_checked_instance(self, cls, _instance=None):
        """``_instance``, or a new object that the ``expand`` of ``cls`` fills; raises NotImplementedError where that would not know all of it."""
        if _instance is not None:
            return _instance
        if type(self).__init__ != cls.__init__:
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must also define "
                "a custom .expand() method."
            )
        return type(self).__new__(type(self))

    def _expanded(self, cls, batch_shape, _instance, expanded, kept=""):
        """What the ``expand`` of ``cls`` returns, given the names of the attributes that have the shape of the batch in front, and of others.

        Names that are no attributes yet are left out.
        """
        new = self._get_checked_instance(cls, _instance)
        batch_shape = Size(batch_shape)
        own = len(self._batch_shape)
        attributes = self.__dict__
        for name in expanded.split():
            if name in attributes:
                value = attributes[name]
                inner = value._batch_shape if isinstance(value, Distribution) else value.shape
                setattr(new, name, value.expand(batch_shape + inner[own:]))
        for name in kept.split():
            if name in attributes:
                setattr(new, name, attributes[name])
        Distribution.__init__(new, batch_shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    # What a subclass says -----------------------------------------------------------------------------------

    @property
    def arg_constraints(self) -> dict[str, Constraint]:
        """The constraint of each parameter, by its name."""
        raise NotImplementedError

    @property
    def support(self) -> Constraint | None:
        """The constraint that all values satisfy."""
        raise NotImplementedError

    @property
    def mean(self) -> Tensor:
        """The mean."""
        raise NotImplementedError

    @property
    def mode(self) -> Tensor:
        """The most probable value."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The variance of each element of a value."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The standard deviation: the root of the variance."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw values without gradients, of ``sample_shape`` followed by the shapes of the batch and of a value."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw values with gradients for the parameters; shapes are those of ``sample``."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        """Draw n values. Deprecated: use ``sample((n,))``."""
        warnings.warn(
            "`sample_n(n)` will be deprecated. Use `sample((n,))` instead.", FutureWarning, stacklevel=2
        )
        return self.sample(Size((n,)))

    def log_prob(self, value: Tensor) -> Tensor:
        """Return the logarithm of the density, or of the probability, of each of a batch of values; raise ValueError for one outside the support."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """Return the probability of a number at most ``value``."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """Return the number whose ``cdf`` is ``value``."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """Return all possible values along a first dimension: repeated for the whole batch if ``expand``, else with dimensions of size 1."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """Return the entropy in nats, in the shape of the batch."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """Compute ``exp(entropy())``."""
        return exp(self.entropy())

    # Checks -------------------------------------------------------------------------------------------------

    def _check_parameters(self):
        try:
            arg_constraints = self.arg_constraints
        except NotImplementedError:
            warnings.warn(
                f"{type(self)} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize the "
                "distribution with `validate_args=False` to turn off validation.",
                stacklevel=3,
            )
            return
        for name, constraint in arg_constraints.items():
            if constraints.is_dependent(constraint):
                continue
            if name not in self.__dict__ and isinstance(getattr(type(self), name), lazy_property):
                continue  # computed of the others
            value = getattr(self, name)
            if not _is_all_true(constraint.check(value)):
                raise ValueError(
                    f"Expected parameter {name} ({_shown(value)}) of distribution {self!r} to satisfy the constraint "
                    f"{constraint!r}, but found invalid values:\n{_as_text(value)}"
                )

    def _validate_sample(self, value):
        """Raise ValueError unless ``value`` may be given to ``log_prob``: by its shape, and by its elements."""
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape = value.shape
        if shape[len(shape) - len(self._event_shape) :] != self._event_shape:
            raise ValueError(
                f"The right-most size of value must match event_shape: {shape} vs {self._event_shape}."
            )
        expected = self._batch_shape + self._event_shape
        if any(1 != n != m != 1 for n, m in zip(reversed(shape), reversed(expected))):
            raise ValueError(
                f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {expected}."
            )
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(
                f"{type(self)} does not define `support` to enable sample validation. Please initialize the distribution "
                "with `validate_args=False` to turn off validation.",
                stacklevel=3,
            )
            return
        if support is None:
            raise AssertionError("support is unexpectedly None")
        if not _is_all_true(support.check(value)):
            raise ValueError(
                f"Expected value argument ({_shown(value)}) to be within the support ({support!r}) of the distribution "
                f"{self!r}, but found invalid values:\n{_as_text(value)}"
            )

    def __repr__(self) -> str:
        attributes = self.__dict__
        shown = [(name, attributes[name]) for name in self.arg_constraints if name in attributes]
        texts = [f"{name}: {_text(value)}" for name, value in shown]
        return f"{type(self).__name__}({', '.join(texts)})"


def _shown(value):
    return f"{type(value).__name__} of shape {tuple(value.shape)}"


def _text(value):
    """A parameter in ``repr``: the number, or the shape of several."""
    return _as_text(value) if value.numel() == 1 else str(value.size())


def _as_text(value):
    """A value in a message: a tensor without dimensions is a number."""
    try:
        return format(value)
    except RuntimeError:  # inside of vmap it stands for a number of each sample
        return repr(value)
