"""Which sizes of inputs may differ from call to call: ``Dim``."""

from typing import Any

__all__ = ["Dim", "dims"]


class _DimHint:
    """A wish for a size: AUTO, may differ if the program lets it; DYNAMIC, is to differ; STATIC, is fixed."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"DimHint({self.name})"


class Dim:
    """A named size that may vary within bounds; all uses of a name have the same size in a call.

    >>> from minigrad.export import Dim
    >>> Dim("batch", min=1, max=8)
    Dim('batch', min=1, max=8)
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


def dims(*names: str, min: int | None = None, max: int | None = None) -> Any:
    """Make several ``Dim`` objects with the same bounds.

    >>> from minigrad.export import dims
    >>> dims("height", "width")
    (Dim('height', min=0), Dim('width', min=0))
    """
    return tuple([Dim(name, min=min, max=max) for name in names])


def dynamic_sizes(dynamic_shapes: Any, names: Any, args: Any, kwargs: Any, flatten: Any) -> Any:
    """For each leaf of the inputs, a dict from dimensions to what was asked for: a ``Dim`` or a hint.

    ``dynamic_shapes`` is nested as the inputs are, by the names of parameters or in their order; a leaf of it is a dict or a sequence for a tensor, or None.
    """
    everything = {**dict(zip(names, args, strict=False)), **kwargs}
    if dynamic_shapes is None:
        dynamic_shapes = {}
    if isinstance(dynamic_shapes, (tuple, list)):
        if len(dynamic_shapes) != len(everything):
            raise ValueError(
                f"`dynamic_shapes` has {len(dynamic_shapes)} elements, but there are {len(everything)} inputs"
            )
        dynamic_shapes = dict(zip(everything, dynamic_shapes, strict=True))
    unknown = [name for name in dynamic_shapes if name not in everything]
    if unknown:
        raise ValueError(
            f"`dynamic_shapes` names {unknown}, which are not inputs. The inputs are {[*everything]}"
        )
    found = []
    for name, value in everything.items():
        _collect(dynamic_shapes.get(name), value, found, flatten)
    return found


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
