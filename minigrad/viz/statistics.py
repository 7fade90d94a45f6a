"""What is said of a gradient in a few numbers, and of a saved tensor in a few words."""

import math
from typing import Any, NamedTuple

import numpy as np

from .._api import Tensor
from .._base.dtypes import from_numpy_dtype

#: So many entries are shown one by one; of more, only what they are like.
FEW = 64
BINS = 16
_BLOCK = 1 << 18


class Statistics(NamedTuple):
    """The statistics of a gradient, computed in float64 over all its entries (for a complex one, over their absolute values).

    ``std`` divides by the number of entries; ``zeros`` is the share of entries that are zero; ``histogram`` counts the finite entries in 16 equal
    parts from the least to the greatest; ``values`` has the entries themselves, nested as ``tolist()`` does, if they are 64 or fewer, else None.
    Without entries, the first four are None.

    >>> import minigrad
    >>> from minigrad.viz.statistics import statistics_of
    >>> statistics_of(minigrad.tensor([0., 3., 0., -4.])).norm
    5.0
    """

    shape: tuple[int, ...]
    dtype: str
    min: float | None
    max: float | None
    mean: float | None
    std: float | None
    norm: float
    nans: int
    infs: int
    zeros: float
    histogram: list[int]
    values: Any

    def as_json(self) -> Any:
        """Return the same as a dictionary that ``json`` takes: NaN and infinities are texts, a complex number is a text.

        Numbers have nine digits, which tell all of float32 apart, or seventeen for float64.
        """
        digits = 17 if self.dtype in ("float64", "complex128") else 9
        return {name: _in_digits(value, digits) for name, value in self._asdict().items()}

    def __str__(self) -> str:
        kind = f"{self.dtype}{list(self.shape)}"
        if self.values is not None:
            return f"{kind} {_rounded(self.values)}"
        return (
            f"{kind} from {self.min:.4g} to {self.max:.4g}, mean {self.mean:.4g}, norm {self.norm:.4g}"
            + self.warning()
        )

    def warning(self) -> str:
        """Return how many entries are no finite numbers, as the end of a sentence; empty if all are."""
        odd = [f"{count} {name}" for count, name in ((self.nans, "NaN"), (self.infs, "infinite")) if count]
        return ", " + " and ".join(odd) if odd else ""


def statistics_of(tensor: Tensor) -> Any:
    """Return the ``Statistics`` of a tensor.

    >>> import minigrad
    >>> from minigrad.viz.statistics import statistics_of
    >>> print(statistics_of(minigrad.tensor([1., 0.5])))
    float32[2] [1, 0.5]
    """
    array = np.asarray(tensor._array)
    size = array.size
    total = squares = spread = 0.0
    nans = infs = zeros = 0
    lows, highs, ends = [], [], []  # of each block; ``ends`` of its finite numbers
    histogram = np.zeros(BINS, np.int64)
    with np.errstate(all="ignore"):
        for block in _blocks(array):
            total += block.sum()
            squares += (block * block).sum()
            nans += np.isnan(block).sum()
            infs += np.isinf(block).sum()
            zeros += (block == 0).sum()
            lows.append(block.min())
            highs.append(block.max())
            finite = block[np.isfinite(block)]
            if finite.size:
                ends += [finite.min(), finite.max()]
        for block in _blocks(array):
            spread += ((block - total / size) ** 2).sum()
            if ends:
                histogram += _counts(block[np.isfinite(block)], min(ends), max(ends))
    return Statistics(
        tuple(array.shape),
        str(from_numpy_dtype(array.dtype)).removeprefix("torch."),
        float(np.min(lows)) if size else None,
        float(np.max(highs)) if size else None,
        float(total / size) if size else None,
        float(np.sqrt(spread / size)) if size else None,
        float(np.sqrt(squares)),
        int(nans),
        int(infs),
        float(zeros / size) if size else 0.0,
        histogram.tolist(),
        tensor.tolist() if size <= FEW else None,
    )


def _blocks(array):
    """The elements as float64, absolute values of complex ones, so many at a time that none of the copies is large."""
    flat = array.reshape(-1) if array.flags.c_contiguous else array.flat
    for start in range(0, array.size, _BLOCK):
        block = flat[start : start + _BLOCK]
        yield (abs(block) if block.dtype.kind == "c" else block).astype(np.float64)


def _counts(finite, least, greatest):
    """How many of some finite numbers are in each of the equal parts from ``least`` to ``greatest``; all in the first if these are the same."""
    width = greatest / 2 - least / 2  # half of it: the difference may be more than a float can hold
    places = (finite / 2 - least / 2) / width * BINS if width > 0 else np.zeros(finite.size)
    return np.bincount(np.minimum(places, BINS - 1).astype(np.int64), minlength=BINS)


def _in_digits(value, digits):
    if isinstance(value, (list, tuple)):
        return [_in_digits(v, digits) for v in value]
    if isinstance(value, complex):
        return f"{value:.{digits}g}"
    if isinstance(value, float):
        return float(f"{value:.{digits}g}") if math.isfinite(value) else f"{value}"
    return value


def _rounded(values):
    """Nested lists of numbers as text, four digits each."""
    if isinstance(values, list):
        return "[" + ", ".join(map(_rounded, values)) + "]"
    return f"{values:.4g}" if isinstance(values, (float, complex)) else str(values)


def glimpse(array: Any, most: int = 6) -> Any:
    """Return the first elements of an array as text, in the order of the indices, and the last if there are more."""
    flat = array.reshape(-1) if array.flags.c_contiguous else None
    size = array.size
    if size <= most:
        return _rounded(np.asarray(array).tolist())
    ends = [*range(most - 1), size - 1]
    shown = [flat[i] if flat is not None else array[np.unravel_index(i, array.shape)] for i in ends]
    texts = [_rounded(v.item() if hasattr(v, "item") else v) for v in shown]
    return f"[{', '.join(texts[:-1])}, ..., {texts[-1]}]"
