"""``spdiags``: a sparse matrix of its diagonals."""

import numpy as np

from .._base.device import layout as layout_kind
from .._base.device import sparse_coo, sparse_csc, sparse_csr
from .._core.tensor import Tensor, wrap
from .arrays import INDEX, Coo
from .convert import to_compressed
from .parts import of_values


def spdiags(
    diagonals: Tensor, offsets: Tensor, shape: tuple[int, ...], layout: layout_kind | None = None
) -> Tensor:
    """Make a sparse matrix of size ``shape`` from the rows of ``diagonals``, placed at ``offsets``: column j has ``diagonals[:, j]``.

    The layout is ``sparse_coo``, CSR or CSC.

    >>> import minigrad
    >>> minigrad.sparse.spdiags(minigrad.tensor([[1., 2.], [3., 4.]]), minigrad.tensor([0, 1]), (2, 2)).to_dense()
    tensor([[1., 4.],
            [0., 2.]])
    """
    if diagonals.ndim > 2:
        raise RuntimeError("Diagonals must be vector or matrix")
    diagonals = diagonals.reshape(1, -1) if diagonals.ndim < 2 else diagonals
    offsets = offsets.reshape(-1)
    if len(shape) != 2:
        raise RuntimeError("Output shape must be 2d")
    if offsets.dtype.name != "int64":
        raise RuntimeError(
            f"Offset Tensor must have dtype Long but got {offsets.dtype}".replace("torch.", "")
        )
    if diagonals.shape[0] != offsets.shape[0]:
        raise RuntimeError(
            f"Number of diagonals ({diagonals.shape[0]}) does not match the number of offsets ({offsets.shape[0]})"
        )
    at = np.asarray(offsets._array)
    if len(np.unique(at)) != len(at):
        raise RuntimeError("Offset tensor contains duplicate values")
    if layout not in (None, sparse_coo, sparse_csr, sparse_csc):
        raise RuntimeError(
            "Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got " + str(layout)
        )
    rows, columns = shape
    parts: tuple[list[np.ndarray], ...] = [], [], []
    for i, k in enumerate(at.tolist()):
        j = np.arange(max(k, 0), max(min(columns, rows + k, diagonals.shape[1]), max(k, 0)), dtype=INDEX)
        for part, more in zip(parts, (j - k, j, np.full(len(j), i, INDEX))):
            part.append(more)
    row, column, which = (np.concatenate(part or [np.empty(0, INDEX)]) for part in parts)
    values = diagonals[wrap(which), wrap(column)]
    found = of_values(
        Coo(np.stack([row, column]), values._array, (rows, columns)), values, "SpdiagsBackward0"
    )
    return found if layout in (None, sparse_coo) else to_compressed(found, layout)
