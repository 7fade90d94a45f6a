"""How tensors were printed in 2017: numbers in columns of one width, with a common factor where they are large or small, and below them type and size."""

import math

import numpy as np

PRECISION, LINE, THRESHOLD, EDGE = 4, 80, 1000, 3
_VERTICAL, _DIAGONAL = "\N{VERTICAL ELLIPSIS}", "\N{DOWN RIGHT DIAGONAL ELLIPSIS}"


def tensor_text(x):
    """Return the text of a tensor: a line break, its numbers, its type and its size.

    >>> import minigrad
    >>> from minigrad._api_2017.texts import tensor_text
    >>> print(tensor_text(minigrad.tensor([[0.5, 12.0], [1.0, 2.0]])))
    <BLANKLINE>
      0.5000  12.0000
      1.0000   2.0000
    [torch.FloatTensor of size 2x2]
    <BLANKLINE>
    """
    kind = x.type().replace("minigrad.", "torch.", 1)
    array = np.asarray(x.detach().cpu().numpy())
    if not array.ndim:
        array = array.reshape(1)
    if not array.size:
        return f"[{kind} with no dimension]\n"
    body = {1: _vector, 2: _matrix}.get(array.ndim, _slices)(array)
    return f"\n{body}[{kind} of size {'x'.join(map(str, array.shape))}]\n"


class _Columns:
    """In which form the numbers of an array are written: ``form``, ``width``, and the ``factor`` in front of them."""

    def __init__(self, array, least=2):
        sizes = np.abs(array.astype(np.float64)).ravel()
        finite = np.isfinite(sizes)
        if not finite.all():
            least = max(least, 3)
            sizes = sizes[finite] if finite.any() else np.zeros(1)
        low, high = _digits(sizes.min()), _digits(sizes.max())
        self.factor = 1
        if (sizes == np.ceil(sizes)).all():
            self._set("e", max(least, PRECISION + 7)) if high > PRECISION + 1 else self._set(
                "f", max(least, high + 1), 0
            )
        elif high - low > PRECISION:
            self._set("e", max(least, PRECISION + 7 + (max(abs(low), abs(high)) > 99)))
        elif high > PRECISION + 1 or high < 0:
            self.factor = 10.0 ** (high - 1)
            self._set("f", max(least, 7))
        else:
            self._set("f", max(least, 7 if not high else high + 6))

    def _set(self, letter, width, precision=PRECISION):
        self.width, self.form = width, f"{{:{width}.{precision}{letter}}}"

    def __call__(self, numbers):
        return [self.form.format(float(number) / self.factor) for number in numbers]

    @property
    def heading(self):
        """The line of the common factor, if there is one."""
        return "" if self.factor == 1 else f"{self.factor:.5e} *\n"

    @property
    def indent(self):
        """What stands before each line below such a heading."""
        return "" if self.factor == 1 else " "


def _digits(number):
    """How many digits a number has before its point: 0 for 0.5, -1 for 0.05."""
    return 1 if number == 0 else math.floor(math.log10(number)) + 1


def _vector(array):
    columns = _Columns(array)
    if array.size > THRESHOLD:
        middle = [_VERTICAL.center(columns.width)]
        lines = [*columns(array[:EDGE]), *middle, *columns(array[-EDGE:])]
    else:
        lines = columns(array)
    return columns.heading + "".join(f"{columns.indent}{line}\n" for line in lines)


def _matrix(array, indent="", columns=None, whole=None):
    columns = columns or _Columns(array)
    whole = array.size <= THRESHOLD if whole is None else whole
    if not whole:
        return _corners(array, indent, columns)
    step = max(1, LINE // (columns.width + 1))
    out = ""
    for first in range(0, array.shape[1], step):
        last = min(first + step, array.shape[1]) - 1
        if step < array.shape[1]:
            out += f"\nColumns {first} to {last} \n{indent}"
        out += columns.heading
        for row in array[:, first : last + 1]:
            out += f"{indent}{columns.indent}{' '.join(columns(row))}\n"
    return out


def _corners(array, indent, columns):
    """The first and the last rows and columns, with dots between."""
    rows, width = array.shape
    by_rows, by_columns = rows > 2 * EDGE, width > 2 * EDGE
    out = columns.heading
    for k in [*range(EDGE), None, *range(rows - EDGE, rows)] if by_rows else range(rows):
        if k is None:
            side = "...".center((columns.width + 1) * EDGE - 1)
            out += f"{indent}{side}  {_DIAGONAL}  {side}\n" if by_columns else f"{indent}{_VERTICAL}\n"
            continue
        row = array[k]
        if by_columns:
            line = f"{' '.join(columns(row[:EDGE]))}  ...  {' '.join(columns(row[-EDGE:]))}"
        else:
            line = " ".join(columns(row))
        out += f"{indent}{columns.indent}{line}\n"
    return out


def _slices(array):
    columns = _Columns(array)
    whole = array.size <= THRESHOLD
    parts = []
    for index in np.ndindex(*array.shape[:-2]):
        if not whole and any(EDGE <= i < n - EDGE for i, n in zip(index, array.shape)):
            continue
        if not whole and any(i == n - EDGE and n > 2 * EDGE for i, n in zip(index, array.shape)):
            parts.append(f"{_VERTICAL} \n")
        place = "".join(f"{i} ," for i in index)
        parts.append(f"({place}.,.) = \n" + _matrix(array[index], " ", columns, whole))
    return "\n".join(parts)
