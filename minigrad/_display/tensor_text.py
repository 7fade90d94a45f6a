"""The text of a tensor, PyTorch's to the character, and the options that shape it.

Everything here works on a NumPy array and a few names; what only a ``Tensor`` knows (``requires_grad``,
``grad_fn``, the name of its class) comes as text from ``Tensor.__repr__``. The work has three steps: keep the
entries near the edges of an array that is too long (`_edges`), write each entry into a cell (`_cells`), and
set the cells into lines and brackets (`_bracketed`).
"""

import contextlib
import math
from itertools import compress
from types import SimpleNamespace

import numpy as np

_PROFILES: dict[str, dict[str, float]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}

PRINT_OPTS = SimpleNamespace(**_PROFILES["default"], sci_mode=None)


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
):
    """Set how tensors print from now on.

    An option left at ``None`` keeps its value, except ``sci_mode``, which every call sets.

    ``precision`` is the number of digits after the point; ``linewidth`` the length of a line in characters.
    A tensor of more than ``threshold`` entries shows only the ``edgeitems`` first and last of each dimension.
    ``sci_mode`` forces (``True``) or forbids (``False``) powers of ten; ``None`` decides for each tensor.
    ``profile`` (``"default"``, ``"short"`` or ``"full"``) sets all but ``sci_mode``, before the other
    arguments apply; any other name changes nothing, as in PyTorch.

    >>> import minigrad as torch
    >>> torch.set_printoptions(precision=2)
    >>> torch.tensor([2.71828, -1.0])
    tensor([ 2.72, -1.00])
    >>> torch.set_printoptions(profile="default")
    """
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    options = vars(PRINT_OPTS)
    options.update(_PROFILES.get(profile, {}))
    options.update((name, value) for name, value in given.items() if value is not None)
    PRINT_OPTS.sci_mode = sci_mode


def get_printoptions():
    """Return the print options as a new dictionary, which `set_printoptions` takes as ``**options``.

    >>> get_printoptions()["edgeitems"]
    3
    """
    return dict(vars(PRINT_OPTS))


@contextlib.contextmanager
def printoptions(**options):
    """Print with other options inside a ``with`` block; the options are those of `set_printoptions`.

    >>> with printoptions(precision=1):
    ...     print(tensor_text(np.float32([0.25, 3]), dtype_name="float32", default_dtype_name="float32"))
    tensor([0.2, 3.0])
    """
    before = get_printoptions()
    set_printoptions(**options)
    try:
        yield
    finally:
        set_printoptions(**before)


def tensor_text(
    array,
    *,
    dtype_name,
    default_dtype_name,
    suffixes=(),
    prefix="tensor(",
    indent=None,
    contents=None,
):
    """Return the text of a tensor that holds ``array``: any shape; booleans, integers, floats or complex.

    ``dtype_name`` is the tensor's dtype, not always the array's (``"bfloat16"`` comes as float32);
    ``default_dtype_name`` is the default float dtype, which goes without saying. ``suffixes`` follow the size
    and the dtype in the order given. Lines after the first are indented by ``indent``, by default the length
    of ``prefix``. ``contents`` stands in for the text of the entries.

    >>> tensor_text(np.ones(2), dtype_name="float64", default_dtype_name="float32", suffixes=["a", "b"])
    'tensor([1., 1.], dtype=torch.float64, a, b)'
    """
    if indent is None:
        indent = len(prefix)
    if contents is None:
        contents = entries_text(array, indent)
    text = prefix + contents
    # PyTorch counts two characters too many on the line where the suffixes begin, and none on later lines.
    used = len(text.rpartition("\n")[2]) + 2
    for suffix in (*_size_and_dtype(array, dtype_name, default_dtype_name), *suffixes):
        if used + 2 + len(suffix) > PRINT_OPTS.linewidth:
            text += ",\n" + " " * indent + suffix
            used = indent + len(suffix)
        else:
            text += ", " + suffix
            used += 2 + len(suffix)
    return text + ")"


def _size_and_dtype(array, dtype_name, default_dtype_name):
    """List what the entries alone do not tell about the tensor."""
    if array.size == 0:
        show_size = array.ndim != 1
        unspoken = (default_dtype_name,)
    else:
        show_size = not PRINT_OPTS.edgeitems
        default_complex = "complex128" if default_dtype_name == "float64" else "complex64"
        unspoken = (default_dtype_name, default_complex, "int64", "bool")
    notes = []
    if show_size:
        notes.append(f"size={array.shape}")
    if dtype_name not in unspoken:
        notes.append(f"dtype=torch.{dtype_name}")
    return notes


def entries_text(array, indent):
    """Write the entries of ``array`` in brackets, to stand at column ``indent``."""
    if array.size == 0:
        return "[]"
    shown = array
    if array.ndim > 0 and array.size > PRINT_OPTS.threshold:
        if PRINT_OPTS.edgeitems <= 0:
            return "[...]"
        shown = _edges(array, PRINT_OPTS.edgeitems)
    cells, width = _cells(shown.reshape(-1))
    shortened = [now < full for now, full in zip(shown.shape, array.shape, strict=True)]
    return _bracketed(cells, shown.shape, shortened, width, indent)


def _edges(array, count):
    """Keep the first and the last ``count`` entries along each axis that has more than both together."""
    kept = [
        range(length) if length <= 2 * count else [*range(count), *range(length - count, length)]
        for length in array.shape
    ]
    return array[np.ix_(*kept)]


def _cells(values):
    """Write each of the 1-d ``values``; return the texts and the width that sets how many fit on a line."""
    if values.dtype.kind == "c":
        real, real_width = _cells(values.real)
        imag, imag_width = _cells(values.imag)
        pairs = zip(real, map(str.lstrip, imag), strict=True)
        texts = [x + ("" if y.startswith("-") else "+") + y + "j" for x, y in pairs]
        return texts, real_width + imag_width + 1
    if values.dtype.kind == "f":
        texts, width = _float_texts(values)
    else:
        texts = list(map(str, values.tolist()))
        width = max(map(len, texts))
    return [text.rjust(width) for text in texts], width


def _float_texts(values):
    """Write floats in one notation; return the texts and their width.

    Only finite values other than zero settle notation and width, so the text of a zero, an infinity or a nan
    may be wider than the width returned.
    """
    decisive = np.isfinite(values) & (values != 0)
    deciding = values[decisive]
    if deciding.size == 0:
        whole, scientific = True, False
    else:
        whole = bool((deciding == np.ceil(deciding)).all())
        scientific = PRINT_OPTS.sci_mode
        if scientific is None:
            magnitudes = np.abs(deciding)
            # As Python floats: the quotient of two float16 or float32 numbers would overflow or round.
            largest, smallest = float(magnitudes.max()), float(magnitudes.min())
            scientific = largest / smallest > 1000.0 or largest > 1e8 or smallest < 1e-4
    if scientific:
        write = f"{{:.{PRINT_OPTS.precision}e}}".format
    elif whole:
        write = _whole_text
    else:
        write = f"{{:.{PRINT_OPTS.precision}f}}".format
    texts = list(map(write, values.tolist()))
    return texts, max(map(len, compress(texts, decisive.tolist())), default=1)


def _whole_text(value):
    return f"{value:.0f}." if math.isfinite(value) else str(value)


def _bracketed(cells, shape, shortened, width, indent):
    """Set ``cells``, the entries of an array of this ``shape`` in row-major order, into nested brackets.

    The outermost opens at column ``indent``. ``shortened`` tells for each axis whether entries were left out
    in its middle, where an ellipsis then goes.
    """
    if not shape:
        return cells[0]
    length, *inner = shape
    margin = " " * (indent + 1)
    middle = length // 2
    if inner:
        step = len(cells) // length
        rows = [
            _bracketed(cells[start : start + step], inner, shortened[1:], width, indent + 1)
            for start in range(0, len(cells), step)
        ]
        if shortened[0]:
            rows.insert(middle, "...")
        return "[" + ("," + "\n" * len(inner) + margin).join(rows) + "]"
    if shortened[0]:
        cells = [*cells[:middle], " ...", *cells[middle:]]
    per_line = max(1, math.floor((PRINT_OPTS.linewidth - indent) / (width + 2)))
    lines = [", ".join(cells[start : start + per_line]) for start in range(0, len(cells), per_line)]
    return "[" + f",\n{margin}".join(lines) + "]"
