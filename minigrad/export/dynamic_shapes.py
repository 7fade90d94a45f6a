"""Which sizes of inputs may differ from call to call: ``Dim``."""

import inspect
from typing import Any

from .._api import Tensor
from ..utils import _pytree as pytree

__all__ = ["AdditionalInputs", "Dim", "ShapesCollection", "dims"]


class _DimHint:
    """A wish for a size: AUTO, may differ if the program lets it; DYNAMIC, is to differ; STATIC, is fixed."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"DimHint({self.name})"


class Dim:
    """A named size that may vary within bounds; all uses of a name have the same size in a call.

    Multiples of it, and sums with an int, are sizes of other dimensions: ``2 * Dim("half")``.

    >>> from minigrad.export import Dim
    >>> batch = Dim("batch", min=1, max=8)
    >>> batch
    Dim('batch', min=1, max=8)
    >>> 2 * batch + 1
    Dim('2*batch + 1', min=3, max=17)
    """

    __name__: str
    min: int
    max: int | None

    AUTO: Any = _DimHint("AUTO")
    DYNAMIC: Any = _DimHint("DYNAMIC")
    STATIC: Any = _DimHint("STATIC")

    def __init__(self, name: str, *, min: int | None = None, max: int | None = None) -> None:
        if not name.isidentifier():
            raise AssertionError(f"Dim name must be a valid identifier, got {name}")
        low = 0 if min is None else min
        if max is not None and max <= low:
            raise AssertionError(f"Cannot create Dim with inconsistent min={min}, max={max}")
        self.__name__, self.min, self.max = name, low, max

    def __repr__(self) -> str:
        most = "" if self.max is None else f", max={self.max}"
        return f"Dim('{self.__name__}', min={self.min}{most})"

    def allows(self, size: Any) -> Any:
        """Return whether a size is between the bounds."""
        return self.min <= size and (self.max is None or size <= self.max)

    def size_in(self, sizes: Any) -> Any:
        """Return the size, of those by name."""
        return sizes[self.__name__]

    def __add__(self, other: Any) -> Any:
        return self._derived(1, _integer("add", other, self))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._derived(1, -_integer("subtract", other, self))

    def __rsub__(self, other: Any) -> Any:
        raise NotImplementedError(f"Attempted to negate {self.__name__}. {_ONLY}")

    def __mul__(self, other: Any) -> Any:
        if type(other) is not int or other <= 0:
            raise NotImplementedError(
                f"Attempted to multiply {other} with {self.__name__}, where a positive integer was expected. {_ONLY}"
            )
        return self._derived(other, 0)

    __rmul__ = __mul__

    def _derived(self, factor: int, offset: int) -> Any:
        return DerivedDim("", {self.__name__: self}, {self.__name__: factor}, offset)


_ONLY = "(Only increasing linear operations with integer coefficients are supported.)"


def _integer(action, other, dim):
    if type(other) is not int:
        raise NotImplementedError(
            f"Attempted to {action} {other} to {dim.__name__}, where an integer was expected. {_ONLY}"
        )
    return other


class DerivedDim(Dim):
    """A size that follows from others: a sum of multiples of these and an offset."""

    def __init__(self, name: str, roots: Any, terms: dict[str, int], offset: int, bounds: Any = None) -> None:
        self.roots, self.terms, self.offset = roots, terms, offset
        text = " + ".join(root if factor == 1 else f"{factor}*{root}" for root, factor in terms.items())
        text += f" {'+' if offset > 0 else '-'} {abs(offset)}" if offset else ""
        most = [dim.max for dim in roots.values()]
        self.__name__ = name or text
        self.min = max(0, self.size_in({root: dim.min for root, dim in roots.items()}))
        self.max = None if None in most else self.size_in(dict(zip(roots, most)))
        if bounds is not None:
            self.min, self.max = bounds.min, bounds.max

    def size_in(self, sizes: Any) -> Any:
        """Return the size, of those by name."""
        return self.offset + sum(factor * sizes[root] for root, factor in self.terms.items())

    def root_of(self, size: int) -> int | None:
        """Return the size that this one follows from, of which there is only one; None if no size gives it."""
        (factor,) = self.terms.values()
        return None if (size - self.offset) % factor else (size - self.offset) // factor

    def _derived(self, factor: int, offset: int) -> Any:
        terms = {root: each * factor for root, each in self.terms.items()}
        return DerivedDim("", self.roots, terms, self.offset * factor + offset)


def dims(*names: str, min: int | None = None, max: int | None = None) -> Any:
    """Make several ``Dim`` objects with the same bounds.

    >>> from minigrad.export import dims
    >>> dims("height", "width")
    (Dim('height', min=0), Dim('width', min=0))
    """
    return tuple([Dim(name, min=min, max=max) for name in names])


class ShapesCollection:
    """Which sizes may differ, said of the tensors themselves: for inputs that are nested deeply.

    >>> import minigrad
    >>> x, y = minigrad.ones(2, 3), minigrad.ones(3)
    >>> shapes = minigrad.export.ShapesCollection()
    >>> shapes[x] = {0: minigrad.export.Dim("batch")}
    >>> class Net(minigrad.nn.Module):
    ...     def forward(self, parts):
    ...         return parts["x"] + parts["y"]
    >>> shapes.dynamic_shapes(Net(), ({"x": x, "y": y},))
    {'parts': {'x': {0: Dim('batch', min=0)}, 'y': None}}
    """

    def __init__(self) -> None:
        self._shapes: dict[int, Any] = {}
        self._kept: list[Any] = []  # so that no id is used again

    def __setitem__(self, t: Any, shape: Any) -> None:
        if not isinstance(t, Tensor):
            raise AssertionError(f"Cannot assign shape to non-tensor type {type(t)}")
        before = self._shapes.setdefault(id(t), shape)
        if before != shape:
            raise AssertionError(f"Shapes assigned to input do not match: expected {before}, got {shape}")
        self._kept.append(t)

    def __getitem__(self, t: Any) -> Any:
        self._kept.append(t)
        return self._shapes.setdefault(id(t), {})

    def __len__(self) -> int:
        return len(self._shapes)

    def dynamic_shapes(self, m: Any, args: Any, kwargs: Any = None) -> dict[str, Any]:
        """Return what ``export`` takes as ``dynamic_shapes``: nested as the inputs, by the names of parameters. Raises ValueError for a tensor that is no input."""
        found = {id(x) for x in pytree.tree_leaves((args, kwargs or {}))}
        if not found >= self._shapes.keys():
            raise ValueError(
                "Some tensors that were assigned shapes were not found in args. Maybe such tensors were copied when passing them as args?"
            )
        return {
            name: pytree.tree_map(lambda x: self._shapes.get(id(x)), value)
            for name, value in by_parameter(m, args, kwargs).items()
        }


class AdditionalInputs:
    """Further inputs of a program: sizes that differ from those of the example are dynamic.

    >>> import minigrad
    >>> more = minigrad.export.AdditionalInputs()
    >>> more.add((minigrad.ones(5, 3),))
    >>> more.dynamic_shapes(minigrad.nn.ReLU(), (minigrad.ones(2, 3),))
    {'input': (DimHint(DYNAMIC), None)}
    """

    def __init__(self) -> None:
        self._examples: list[tuple[Any, Any]] = []

    def add(self, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> None:
        """Add inputs that the program is to take, too."""
        if type(args) is not tuple:
            raise AssertionError(f"Representative args {args} must be a tuple")
        if kwargs is not None and type(kwargs) is not dict:
            raise AssertionError(f"Representative kwargs {kwargs} must be None or a dict")
        self._examples.append((args, kwargs))

    def dynamic_shapes(self, m: Any, args: Any, kwargs: Any = None) -> dict[str, Any]:
        """Return what ``export`` takes as ``dynamic_shapes``. Raises ValueError if inputs differ in more than sizes."""
        every = [by_parameter(m, *each) for each in ((args, kwargs), *self._examples)]
        return {
            name: pytree.tree_map(_marked, every[0][name], *[each[name] for each in every[1:]])
            for name in every[0]
        }

    def verify(self, ep: Any) -> None:
        """Call an exported program with all of them: it raises for those that it does not take."""
        module = ep.module()
        for args, kwargs in self._examples:
            module(*args, **(kwargs or {}))


def _marked(first: Any, *others: Any) -> Any:
    """What is dynamic of an input, given in several calls."""
    if any(type(x) is not type(first) for x in others):
        raise ValueError(
            f"The following inputs were found to have differing types, so they cannot be marked as dynamic: {(first, *others)}."
        )
    if isinstance(first, Tensor):
        if any(x.dim() != first.dim() for x in others):
            raise ValueError(
                f"The following inputs have not the same number of dimensions: {[tuple(x.shape) for x in (first, *others)]}."
            )
        return tuple(
            Dim.DYNAMIC if len({*sizes}) > 1 else None
            for sizes in zip(first.shape, *[x.shape for x in others])
        )
    if any(x != first for x in others):
        raise ValueError(
            f"The following inputs were found to have differing values, but they cannot be marked as dynamic: {(first, *others)}."
        )
    return None


def by_parameter(m: Any, args: Any, kwargs: Any = None) -> dict[str, Any]:
    """The inputs of a module by the names that ``export`` gives them: of parameters, with numbers for those of ``*args``."""
    signature = inspect.signature(m.forward)
    found: dict[str, Any] = {}
    for name, value in signature.bind(*args, **(kwargs or {})).arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            found |= {f"{name}_{i}": each for i, each in enumerate(value)}
        elif kind is inspect.Parameter.VAR_KEYWORD:
            found |= value
        else:
            found[name] = value
    return found


def dynamic_sizes(dynamic_shapes: Any, names: Any, args: Any, kwargs: Any, flatten: Any) -> Any:
    """For each leaf of the inputs, a dict from dimensions to what was asked for: a ``Dim`` or a hint.

    ``dynamic_shapes`` is nested as the inputs are, by the names of parameters or in their order (those of ``*args`` as one sequence, or one by one); a leaf of it is a dict or a sequence for a tensor, or None.
    """
    everything = {**dict(zip(names, args, strict=False)), **kwargs}
    if dynamic_shapes is None:
        dynamic_shapes = {}
    if isinstance(dynamic_shapes, (tuple, list)):
        if dynamic_shapes and len(dynamic_shapes) < len(everything):
            dynamic_shapes = [*dynamic_shapes[:-1], *_of_several(dynamic_shapes[-1])]
        if len(dynamic_shapes) != len(everything):
            raise ValueError(
                f"`dynamic_shapes` has {len(dynamic_shapes)} elements, but there are {len(everything)} inputs"
            )
        dynamic_shapes = dict(zip(everything, dynamic_shapes, strict=True))
    for name in [name for name in dynamic_shapes if name not in everything and f"{name}_0" in everything]:
        several = {f"{name}_{i}": each for i, each in enumerate(_of_several(dynamic_shapes[name]))}
        dynamic_shapes = {key: x for key, x in dynamic_shapes.items() if key != name} | several
    unknown = [name for name in dynamic_shapes if name not in everything]
    if unknown:
        raise ValueError(
            f"`dynamic_shapes` names {unknown}, which are not inputs. The inputs are {[*everything]}"
        )
    found = []
    for name, value in everything.items():
        _collect(dynamic_shapes.get(name), value, found, flatten)
    return found


def _of_several(shapes):
    """What is asked for of the inputs that ``*args`` takes, as one sequence; or of one input."""
    return shapes if isinstance(shapes, (tuple, list)) else [shapes]


def _collect(asked, value, found, flatten):
    if hasattr(value, "shape") and hasattr(value, "dim"):
        if asked is None:
            asked = {}
        elif not isinstance(asked, dict):
            asked = dict(enumerate(asked))
        for wish in asked.values():
            if not (wish is None or isinstance(wish, (Dim, _DimHint, int))):
                raise TypeError(
                    f"`dynamic_shapes` has {wish!r} for a dimension, which takes a Dim, a hint or None"
                )
        found.append(
            {
                number % value.dim(): wish
                for number, wish in asked.items()
                if isinstance(wish, (Dim, _DimHint)) and wish is not Dim.STATIC
            }
        )
    elif isinstance(value, dict):
        for key, inner in value.items():
            _collect(None if asked is None else asked[key], inner, found, flatten)
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value):
            _collect(None if asked is None else asked[number], inner, found, flatten)
    else:
        found.extend({} for _ in flatten(value))
