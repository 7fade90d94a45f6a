"""How a tensor looks in a notebook: its usual text, a line of facts, and of a large one what its entries are like.

Only arrays are read, never operators called: nothing is recorded, no version changes, no subclass is asked, and a tensor inside a transform, which
has no array, shows what is known of it.
"""

import math
import struct
import zlib
from base64 import b64encode

import numpy as np

from .._arrays.memory_layout import owner_of
from .html import FAINT, PLAIN_TEXT, element, image
from .tensor_text import PRINT_OPTS
from .units import format_memory

__all__ = ["tensor_html"]

#: Of an array with more entries, at most as many are looked at, evenly spread.
_MOST = 4_000_000
#: The picture of a matrix has at most so many cells each way, and at least so many.
_CELLS, _FEWEST = 64, 8


def tensor_html(tensor):
    """HTML for a notebook, in which the text is that of ``repr``."""
    parts = [
        element("pre", repr(tensor), style=PLAIN_TEXT),
        element("div", " · ".join(_facts(tensor)), style=FAINT),
    ]
    array = tensor._array
    if isinstance(array, np.ndarray) and array.ndim and array.size > PRINT_OPTS.threshold:
        numbers = _numbers(array)
        parts.append(element("div", _statistics(numbers, numbers.size < array.size), style=FAINT))
        if numbers.ndim == 2 and min(numbers.shape) >= _FEWEST:
            parts.append(_picture(numbers, array.shape))
    return element("div", *parts)


def _facts(tensor):
    """Dtype, shape, memory, and what autograd knows of a tensor."""
    array = tensor._array
    yield tensor.dtype.name
    yield str(list(array.shape))
    yield format_memory(array.nbytes)
    if isinstance(array, np.ndarray):
        whole = owner_of(array).nbytes
        if whole > array.nbytes:
            yield f"part of {format_memory(whole)}"
    try:
        made_by = tensor.grad_fn
    except RuntimeError:  # a view that was modified in a way that is forbidden
        yield "invalid view"
        return
    if made_by is not None:
        yield f"by {type(made_by).__name__}"
    elif tensor.requires_grad:
        yield "requires grad"
        if tensor.grad is not None:
            yield "has .grad"


def _numbers(array):
    """The entries as real numbers (of complex ones, absolute values), or some of too many."""
    steps, shape = [1] * array.ndim, list(array.shape)
    while math.prod(shape) > _MOST:
        longest = shape.index(max(shape))
        steps[longest] *= 3  # odd, as it is powers of two with which entries often have a period
        shape[longest] = -(-array.shape[longest] // steps[longest])
    array = array[tuple([slice(None, None, step) for step in steps])]
    if array.dtype.kind == "c":
        with np.errstate(all="ignore"):
            array = np.abs(array)
    elif array.dtype.kind not in "biuf" or array.dtype.itemsize < 4:
        array = array.astype(np.float32)  # bfloat16 and its kin, and what would overflow in sums
    return array


def _statistics(numbers, some):
    """A line on what the entries are like, ``some`` of them or all."""
    finite = numbers
    odd = []
    if numbers.dtype.kind == "f":
        is_finite = np.isfinite(numbers)
        if not is_finite.all():
            finite = numbers[is_finite]
            nans = int(np.isnan(numbers).sum())
            infinite = numbers.size - finite.size - nans
            odd = [f"{count:,} {name}" for count, name in ((nans, "NaN"), (infinite, "infinite")) if count]
    found = []
    if finite.size:
        with np.errstate(all="ignore"):
            values = finite.min(), finite.max(), finite.mean(dtype=float), finite.std(dtype=float)
        found = [f"{name} {value:.4g}" for name, value in zip(("min", "max", "mean", "std"), values)]
        zeros = finite.size - int(np.count_nonzero(finite))
        if zeros:
            found.append(f"{100 * zeros / numbers.size:.3g}% zeros")
    seen = [f"of {numbers.size:,} entries evenly spread"] if some else []
    return " · ".join(found + odd + seen)


# The picture --------------------------------------------------------------------------------------------------------------


def _picture(matrix, shape):
    """A matrix, which stands for one of that shape, as a picture: blue below zero, red above, white at zero, grey where an entry is not finite."""
    cells = matrix.astype(float)  # in which sums of what the other dtypes hold do not overflow
    longest = max(shape)
    for axis, n in enumerate(shape):
        if longest > _CELLS and n > _FEWEST:
            cells = _averaged(cells, axis, max(_FEWEST, n * _CELLS // longest))
    odd = ~np.isfinite(cells)
    cells[odd] = 0
    largest = float(np.abs(cells).max())
    share = (cells / largest if largest else cells)[..., None]
    white, below, above = map(np.array, ((250, 250, 250), (33, 102, 172), (178, 24, 43)))
    colors = white + np.abs(share) * (np.where(share < 0, below, above) - white)
    colors = np.where(odd[..., None], 128, colors).astype(np.uint8)
    scale = max(1, 192 // max(cells.shape))
    height, width = (n * scale for n in cells.shape)
    source = "data:image/png;base64," + b64encode(_png(colors)).decode()
    text = f"the entries from -{largest:.4g}, blue, to {largest:.4g}, red"
    style = f"image-rendering: pixelated; width: {width}px; height: {height}px; margin: .3em 0"
    return image(source, alt=text, title=text, style=style)


def _averaged(matrix, axis, count):
    """``count`` rows or columns, each the mean of as many as the next, or nearly."""
    n = matrix.shape[axis]
    starts = np.arange(count) * n // count
    sizes = np.diff(np.append(starts, n))
    with np.errstate(all="ignore"):
        sums = np.add.reduceat(matrix, starts, axis)
        return sums / np.expand_dims(sizes, 1 - axis)


def _png(colors):
    """An array (height, width, 3) of bytes as a PNG file."""
    height, width, _ = colors.shape
    rows = b"".join([b"\0" + row.tobytes() for row in colors])

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
