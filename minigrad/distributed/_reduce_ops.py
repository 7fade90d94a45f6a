"""``ReduceOp``: how the values of all ranks become one, and in which arithmetic."""

import enum
from typing import Any

import numpy as np

from .._base.dtypes import scalar_type_name

__all__ = ["ReduceOp"]


class _RedOpType(enum.IntEnum):
    """The kinds of reductions."""

    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4
    BAND = 5
    BOR = 6
    BXOR = 7
    PREMUL_SUM = 8

    def __repr__(self) -> str:
        return f"<RedOpType.{self.name}: {self.value}>"

    def __str__(self) -> str:
        return f"RedOpType.{self.name}"


_RedOpType.__name__ = "RedOpType"
_RedOpType.__qualname__ = "ReduceOp.RedOpType"


class ReduceOp:
    """How the values of all ranks become one: ``SUM``, ``AVG``, ``PRODUCT``, ``MIN``, ``MAX``, ``BAND``, ``BOR``, ``BXOR``, ``PREMUL_SUM``.

    ``AVG`` is for floating and complex dtypes, the last three but one for integers and bools (RuntimeError); only sums and averages are for complex ones
    (ValueError).

    >>> import minigrad
    >>> minigrad.distributed.ReduceOp.SUM
    <RedOpType.SUM: 0>
    """

    RedOpType = _RedOpType
    SUM = _RedOpType.SUM
    AVG = _RedOpType.AVG
    PRODUCT = _RedOpType.PRODUCT
    MIN = _RedOpType.MIN
    MAX = _RedOpType.MAX
    BAND = _RedOpType.BAND
    BOR = _RedOpType.BOR
    BXOR = _RedOpType.BXOR
    PREMUL_SUM = _RedOpType.PREMUL_SUM

    def __init__(self, op: Any, factor: Any = None) -> None:
        if not isinstance(op, (ReduceOp, _RedOpType)):
            raise TypeError(f"a reduction is one of ReduceOp, not {op!r}")
        self.op: Any = op.op if isinstance(op, ReduceOp) else op
        self.factor: Any = op.factor if isinstance(op, ReduceOp) else factor

    def __eq__(self, other: Any) -> Any:
        return self.op == (other.op if isinstance(other, ReduceOp) else other)

    def __hash__(self) -> int:
        return hash(self.op)

    def __repr__(self) -> str:
        return repr(self.op)


class _DeprecatedReduceOp:
    """The names of ``ReduceOp`` under ``reduce_op``, as before PyTorch 1.0."""

    def __getattr__(self, name):
        import warnings

        warnings.warn(
            "`torch.distributed.reduce_op` is deprecated, please use `torch.distributed.ReduceOp` instead",
            category=FutureWarning,
            stacklevel=2,
        )
        return getattr(ReduceOp, name)


reduce_op = _DeprecatedReduceOp()

_UFUNCS = {
    "SUM": np.add,
    "AVG": np.add,
    "PREMUL_SUM": np.add,
    "PRODUCT": np.multiply,
    "MIN": np.minimum,
    "MAX": np.maximum,
    "BAND": np.bitwise_and,
    "BOR": np.bitwise_or,
    "BXOR": np.bitwise_xor,
}
_OF_BOOLS = {
    np.add: np.logical_or,
    np.multiply: np.logical_and,
    np.minimum: np.logical_and,
    np.maximum: np.logical_or,
}
#: Of what MPI itself reduces.
_MPI_NAMES = {
    np.add: "SUM",
    np.multiply: "PROD",
    np.minimum: "MIN",
    np.maximum: "MAX",
    np.bitwise_and: "BAND",
    np.bitwise_or: "BOR",
    np.bitwise_xor: "BXOR",
}


class Reduction:
    """A reduction of one dtype: the ufunc, the dtype in which it adds up, what is done before and after."""

    __slots__ = ("factor", "share", "ufunc", "wide")

    def __init__(self, op, tensor, size):
        dtype = tensor._array.dtype
        kind = ReduceOp(op).op
        self.factor: Any = op.factor if kind == _RedOpType.PREMUL_SUM else None
        self.share = None
        self.ufunc = _UFUNCS[kind.name]
        integral = dtype.kind in "iub"
        if kind.name in ("BAND", "BOR", "BXOR") and not integral:
            raise RuntimeError(f"Cannot use ReduceOp.{kind.name} with non-integral dtype")
        if kind == _RedOpType.AVG:
            if integral:
                raise RuntimeError(
                    f"result type Float can't be cast to the desired output type {scalar_type_name(tensor.dtype)}"
                )
            self.share = size
        if dtype.kind == "b":
            self.ufunc = _OF_BOOLS.get(self.ufunc, self.ufunc)
        # Half precision would round after every addition.
        self.wide = np.dtype(np.float32) if dtype.itemsize == 2 and not integral else None

    @classmethod
    def of(cls, ufunc):
        """A reduction by a ufunc, of arrays that are no tensor's."""
        reduction = object.__new__(cls)
        reduction.ufunc, reduction.factor, reduction.share, reduction.wide = ufunc, None, None, None
        return reduction

    def before(self, array):
        """Multiply this rank's values, for PREMUL_SUM."""
        if self.factor is not None:
            factor = getattr(self.factor, "_array", self.factor)
            with np.errstate(all="ignore"):
                np.copyto(array, array * factor, casting="unsafe")

    def fold(self, rows, out):
        """Combine the rows in their order, into ``out``, which may be one of them."""
        if self.wide is not None:
            total = rows[0].astype(self.wide)
            with np.errstate(all="ignore"):
                for row in rows[1:]:
                    self.ufunc(total, row.astype(self.wide), out=total)
                if self.share is not None:
                    np.divide(total, self.share, out=total)
                np.copyto(out, total, casting="unsafe")
            return
        with np.errstate(all="ignore"):
            total = rows[0]
            for index, row in enumerate(rows[1:], 1):
                # Until its own row has been read, `out` cannot take the total.
                later = any(out is each for each in rows[index + 1 :])
                total = self.ufunc(total, row, out=rows[0] if later else out)
            if total is not out:
                np.copyto(out, total)
            self.after(out)

    def after(self, array):
        """Divide by the number of ranks, for AVG."""
        if self.share is not None:
            np.divide(array, self.share, out=array)

    def of_mpi(self, MPI, dtype):
        """MPI's own operation for it, or None where it has none."""
        if (
            self.wide is not None
            or dtype.kind == "b"
            or dtype.char not in MPI._typedict
            or self.ufunc not in _MPI_NAMES
        ):
            return None
        return getattr(MPI, _MPI_NAMES[self.ufunc])


def make_premul_sum(factor: Any) -> ReduceOp:
    """``PREMUL_SUM`` with a factor: a number, or a tensor that broadcasts."""
    return ReduceOp(_RedOpType.PREMUL_SUM, factor)
