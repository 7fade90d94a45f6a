"""What a transform is, and transforms made of others."""

import weakref
from collections.abc import Sequence
from typing import Any

from .._api import Size, _lazy, cat, stack, zeros_like
from . import constraints
from .utils import _sum_rightmost, lazy_property


class Transform:
    """An invertible function y of x with a known ``log |det dy/dx|``; if it is not ``bijective``, at least one with a right inverse.

    A subclass sets the constraints ``domain`` and ``codomain``, and defines ``_call``, ``_inverse`` and ``log_abs_det_jacobian``;
    ``sign``, +1 or -1, if it is monotonic. For a transform t, ``t(x)`` is y and ``t.inv`` the inverse transform. With ``cache_size=1``
    the last x and y are remembered, so that inverting a result costs nothing and loses no precision.

    >>> import minigrad
    >>> from minigrad.distributions import Transform, constraints
    >>> class Cube(Transform):
    ...     domain = codomain = constraints.real
    ...     bijective, sign = True, +1
    ...     def _call(self, x):
    ...         return x ** 3
    ...     def _inverse(self, y):
    ...         return y.sign() * y.abs() ** (1 / 3)
    ...     def log_abs_det_jacobian(self, x, y):
    ...         return (3 * x ** 2).log()
    >>> Cube().inv(minigrad.tensor([8., -27.]))
    tensor([ 2.0000, -3.0000])
    """

    codomain: Any
    domain: Any

    bijective = False
    _arguments: str | None = None  # of the constructor: the names of their attributes, for ``with_cache``

    def __init__(self, cache_size: int = 0) -> None:
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._inv: Any = None
        if cache_size:
            self._cached_x_y = None, None
        super().__init__()

    def __getstate__(self) -> Any:
        return {**self.__dict__, "_inv": None}

    @property
    def event_dim(self) -> int:
        """The number of dimensions of a value; raises ValueError if x and y have different ones."""
        if self.domain.event_dim != self.codomain.event_dim:
            raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")
        return self.domain.event_dim

    @property
    def inv(self) -> "Transform":
        """The inverse transform, whose own inverse is this object."""
        inverse = None if self._inv is None else self._inv()
        if inverse is None:
            inverse = self._inverted()
            self._inv = weakref.ref(
                inverse
            )  # so that a transform, and what its cache holds, is freed at once
        return inverse

    def _inverted(self):
        return _InverseTransform(self)

    @property
    def sign(self) -> int:
        """For a monotonic transform of numbers: +1 if it increases, -1 if it decreases."""
        raise NotImplementedError

    def with_cache(self, cache_size: int = 1) -> Any:
        """Return the same transform with another cache size; itself if it has that size already."""
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is Transform.__init__:
            return type(self)(cache_size=cache_size)
        for cls in type(self).__mro__:
            names = cls.__dict__.get("_arguments")
            if names is not None:
                return cls(*[getattr(self, name) for name in names.split()], cache_size=cache_size)
            if "__init__" in cls.__dict__:
                break
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    def __eq__(self, other: object) -> bool:
        return self is other

    def __call__(self, x: Any) -> Any:
        """y."""
        return self._remembered(x, 0, self._call)

    def _inv_call(self, y):
        return self._remembered(y, 1, self._inverse)

    def _remembered(self, value, place, compute):
        """``compute(value)``, unless it is known: ``place`` is that of ``value`` among the x and y that are remembered."""
        if not self._cache_size:
            return compute(value)
        if self._cached_x_y[place] is not value:
            result = compute(value)
            self._cached_x_y = (result, value) if place else (value, result)
        return self._cached_x_y[1 - place]

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return ``log |det dy/dx|`` for x and its transform y, in the shape of the batch."""
        raise NotImplementedError

    def forward_shape(self, shape: Any) -> Any:
        """The shape of y for x of ``shape``."""
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of x for y of ``shape``."""
        return shape

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class SameKind:
    """The base class of transforms without parameters: all instances of a class are equal."""

    def __eq__(self, other):
        return isinstance(other, type(self))


class _InverseTransform(Transform):
    """A transform the other way round."""

    def __init__(self, transform: Any) -> None:
        super().__init__(cache_size=transform._cache_size)
        self._inv = transform

    def __getstate__(self) -> Any:
        return self.__dict__.copy()

    @property
    def inv(self) -> Any:
        """The transform."""
        return self._inv

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """The constraint that its outputs satisfy."""
        return self._inv.codomain

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """The constraint that its inputs satisfy."""
        return self._inv.domain

    @property
    def bijective(self) -> Any:
        """As the transform."""
        return self._inv.bijective

    @property
    def sign(self) -> Any:
        """As the transform."""
        return self._inv.sign

    def with_cache(self, cache_size: int = 1) -> Any:
        """The inverse of the transform with another cache."""
        return self._inv.with_cache(cache_size).inv

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _InverseTransform) and self._inv == other._inv

    def __call__(self, x: Any) -> Any:
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """The negative of the transform's."""
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape: Any) -> Any:
        """As of the transform, the other way round."""
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        """As of the transform, the other way round."""
        return self._inv.forward_shape(shape)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._inv!r})"


# One after the other -----------------------------------------------------------------------------------------


def _widened(constraint, event_dim):
    """The constraint for values of ``event_dim`` dimensions."""
    more = event_dim - constraint.event_dim
    if more < 0:
        raise AssertionError(f"event_dim {event_dim} must be >= {constraint.event_dim}")
    return constraints.independent(constraint, more) if more else constraint


class ComposeTransform(Transform):
    """The composition of the transforms ``parts``, applied in order; an empty list is the identity.

    >>> import minigrad
    >>> from minigrad.distributions import AffineTransform, ComposeTransform, ExpTransform
    >>> t = ComposeTransform([AffineTransform(1., 2.), ExpTransform()])
    >>> t(minigrad.zeros(1)), t.log_abs_det_jacobian(minigrad.zeros(1), t(minigrad.zeros(1)))
    (tensor([2.7183]), tensor([1.6931]))
    """

    parts: list[Any]

    _arguments = "parts"

    def __init__(self, parts: list[Transform], cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """The domain of the first transform, with as many event dimensions as any part needs."""
        if not self.parts:
            return constraints.real
        dims = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            taken, made = part.domain.event_dim, part.codomain.event_dim
            dims = max(dims + taken - made, taken)
        return _widened(self.parts[0].domain, dims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """The codomain of the last transform, with as many event dimensions as any part needs."""
        if not self.parts:
            return constraints.real
        dims = self.parts[0].domain.event_dim
        for part in self.parts:
            taken, made = part.domain.event_dim, part.codomain.event_dim
            dims = max(dims + made - taken, made)
        return _widened(self.parts[-1].codomain, dims)

    @lazy_property
    def bijective(self) -> bool:
        """Whether all parts are."""
        return all(part.bijective for part in self.parts)

    @lazy_property
    def sign(self) -> Any:
        """The product of the parts' signs."""
        sign = 1
        for part in self.parts:
            sign = sign * part.sign
        return sign

    def _inverted(self):
        """The inverses of the parts in reverse order."""
        inverse = ComposeTransform([part.inv for part in reversed(self.parts)])
        inverse._inv = weakref.ref(self)
        return inverse

    def __call__(self, x: Any) -> Any:
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the sum over the parts."""
        if not self.parts:
            return zeros_like(x)
        total, event_dim = None, self.domain.event_dim
        for number, part in enumerate(self.parts, 1):
            out = y if number == len(self.parts) else part(x)
            taken = part.domain.event_dim
            term = _sum_rightmost(part.log_abs_det_jacobian(x, out), event_dim - taken)
            total = term if total is None else total + term
            event_dim += part.codomain.event_dim - taken
            x = out
        return total

    def forward_shape(self, shape: Any) -> Any:
        """The shape after all parts."""
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        """The shape before all parts."""
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self) -> str:
        parts = ",\n    ".join([repr(part) for part in self.parts])
        return f"{type(self).__name__}(\n    {parts}\n)"


identity_transform = ComposeTransform([])


# Of several dimensions ---------------------------------------------------------------------------------------


class IndependentTransform(Transform):
    """Treats ``reinterpreted_batch_ndims`` more dimensions of ``base_transform`` as dimensions of a value.

    Raises ValueError for tensors with fewer dimensions.

    >>> import minigrad
    >>> from minigrad.distributions import ExpTransform, IndependentTransform
    >>> x = minigrad.ones(2, 3)
    >>> IndependentTransform(ExpTransform(), 1).log_abs_det_jacobian(x, x.exp())
    tensor([3., 3.])
    """

    base_transform: Any

    _arguments = "base_transform reinterpreted_batch_ndims"

    def __init__(
        self, base_transform: Transform, reinterpreted_batch_ndims: int, cache_size: int = 0
    ) -> None:
        super().__init__(cache_size=cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """The domain of the base transform, with more event dimensions."""
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """The codomain of the base transform, with more event dimensions."""
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def bijective(self) -> bool:
        """Whether the base transform is bijective."""
        return self.base_transform.bijective

    @property
    def sign(self) -> int:
        """The sign of the base transform."""
        return self.base_transform.sign

    def _call(self, x):
        _check_dims(x.dim(), self.domain.event_dim)
        return self.base_transform(x)

    def _inverse(self, y):
        _check_dims(y.dim(), self.codomain.event_dim)
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the base transform's, summed over the reinterpreted dimensions."""
        return _sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape that the base transform gives."""
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape that the inverse of the base transform gives."""
        return self.base_transform.inverse_shape(shape)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_transform!r}, {self.reinterpreted_batch_ndims})"


def _check_dims(dims, needed):
    if dims < needed:
        raise ValueError("Too few dimensions on input")


class ReshapeTransform(Transform):
    """Reshapes values from ``in_shape`` to ``out_shape``; raises ValueError if their numbers of elements differ.

    >>> import minigrad
    >>> minigrad.distributions.ReshapeTransform((4,), (2, 2))(minigrad.ones(3, 4)).shape
    torch.Size([3, 2, 2])
    """

    in_shape: Any
    out_shape: Any

    _arguments = "in_shape out_shape"
    bijective = True

    def __init__(self, in_shape: Size, out_shape: Size, cache_size: int = 0) -> None:
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size=cache_size)

    @constraints.dependent_property
    def domain(self) -> Any:
        """Real numbers in ``in_shape``."""
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self) -> Any:
        """Real numbers in ``out_shape``."""
        return constraints.independent(constraints.real, len(self.out_shape))

    def _call(self, x):
        return x.reshape(self.forward_shape(x.shape))

    def _inverse(self, y):
        return y.reshape(self.inverse_shape(y.shape))

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return zeros."""
        return x.new_zeros(x.shape[: x.dim() - len(self.in_shape)])

    def forward_shape(self, shape: Any) -> Any:
        """Return the batch shape followed by ``out_shape``; raise ValueError unless ``shape`` ends in ``in_shape``."""
        return _other_end(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Any) -> Any:
        """Return the batch shape followed by ``in_shape``; raise ValueError unless ``shape`` ends in ``out_shape``."""
        return _other_end(shape, self.out_shape, self.in_shape)


def _other_end(shape, end, other):
    _check_dims(len(shape), len(end))
    batch_dim = len(shape) - len(end)
    if shape[batch_dim:] != end:
        raise ValueError(f"Shape mismatch: expected {shape[batch_dim:]} but got {end}")
    return shape[:batch_dim] + other


# Side by side ------------------------------------------------------------------------------------------------


class _Joined(Transform):
    """Transforms of parts along a dimension."""

    transforms: list[Any]

    def __init__(self, tseq: Any, dim: int, cache_size: Any) -> None:
        transforms = list(tseq)
        if not all(isinstance(t, Transform) for t in transforms):
            raise AssertionError("All elements of tseq must be Transform instances")
        super().__init__(cache_size=cache_size)
        self.transforms = [t.with_cache(cache_size) for t in transforms] if cache_size else transforms
        self.dim = dim

    @property
    def bijective(self) -> bool:
        """Whether all parts are."""
        return all(t.bijective for t in self.transforms)

    def _parts(self, x, name="tensor"):
        """A tensor's parts along the dimension."""
        if not -x.dim() <= self.dim < x.dim():
            raise AssertionError(f"dim {self.dim} out of range for {name} with {x.dim()} dimensions")
        return self._split(x, name)

    def _call(self, x):
        return self._join([t(part) for t, part in zip(self.transforms, self._parts(x))])

    def _inverse(self, y):
        return self._join([t.inv(part) for t, part in zip(self.transforms, self._parts(y))])


class CatTransform(_Joined):
    """Applies transforms to consecutive parts, of ``lengths`` (1 each by default), along ``dim``.

    >>> import minigrad
    >>> from minigrad.distributions import CatTransform, ExpTransform, identity_transform
    >>> CatTransform([identity_transform, ExpTransform()], dim=-1, lengths=[2, 1])(minigrad.zeros(3))
    tensor([0., 0., 1.])
    """

    lengths: list[Any]

    _arguments = "transforms dim lengths"

    def __init__(
        self,
        tseq: Sequence[Transform],
        dim: int = 0,
        lengths: Sequence[int] | None = None,
        cache_size: int = 0,
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(
                f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})"
            )

    @lazy_property
    def event_dim(self) -> Any:
        """The largest event dimension of all parts."""
        return max(t.event_dim for t in self.transforms)

    @lazy_property
    def length(self) -> Any:
        """The total length of all parts."""
        return sum(self.lengths)

    def _split(self, x, name):
        if x.size(self.dim) != self.length:
            name = "x" if name == "tensor" else name
            raise AssertionError(
                f"{name}.size({self.dim}) = {x.size(self.dim)} must equal length {self.length}"
            )
        return x.split(self.lengths, self.dim)

    def _join(self, parts):
        return cat(parts, self.dim)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return those of the parts concatenated, or summed if ``dim`` is a dimension of a value."""
        terms = [
            _sum_rightmost(t.log_abs_det_jacobian(a, b), self.event_dim - t.event_dim)
            for t, a, b in zip(self.transforms, self._parts(x, "x"), self._parts(y, "y"))
        ]
        dim = (self.dim - x.dim() if self.dim >= 0 else self.dim) + self.event_dim
        return cat(terms, dim) if dim < 0 else sum(terms)

    @constraints.dependent_property
    def domain(self) -> Any:
        """The domains of the parts."""
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> Any:
        """The codomains of the parts."""
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)


class StackTransform(_Joined):
    """Applies one transform to each index along ``dim``.

    >>> import minigrad
    >>> from minigrad.distributions import ExpTransform, StackTransform, identity_transform
    >>> StackTransform([identity_transform, ExpTransform()], dim=1)(minigrad.zeros(2, 2))
    tensor([[0., 1.],
            [0., 1.]])
    """

    _arguments = "transforms dim"

    def __init__(self, tseq: Sequence[Transform], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(tseq, dim, cache_size)

    def _split(self, x, name):
        if x.size(self.dim) != len(self.transforms):
            name = "x" if name == "tensor" else name
            raise AssertionError(
                f"{name}.size({self.dim}) = {x.size(self.dim)} must equal len(transforms) {len(self.transforms)}"
            )
        return x.unbind(self.dim)

    def _join(self, parts):
        return stack(parts, self.dim)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return those of the parts, stacked."""
        pairs = zip(self.transforms, self._parts(x, "x"), self._parts(y, "y"))
        return self._join([t.log_abs_det_jacobian(a, b) for t, a, b in pairs])

    @constraints.dependent_property
    def domain(self) -> Any:
        """The domains of the parts."""
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> Any:
        """The codomains of the parts."""
        return constraints.stack([t.codomain for t in self.transforms], self.dim)


_lazy.publish(
    f"{__package__}.transforms",
    *(
        Transform,
        _InverseTransform,
        ComposeTransform,
        IndependentTransform,
        ReshapeTransform,
        CatTransform,
        StackTransform,
    ),
)
