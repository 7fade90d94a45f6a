"""How a tensor would lie on the dimensions of a mesh: whole, in parts, or as terms of a sum.  These are descriptions, which libraries write into their plans."""

from dataclasses import dataclass

__all__ = ["Partial", "Placement", "Replicate", "Shard"]


class Placement:
    """How a tensor lies along one dimension of a mesh.

    >>> from minigrad.distributed.tensor import Placement, Replicate
    >>> isinstance(Replicate(), Placement)
    True
    """

    def is_shard(self, dim: int | None = None) -> bool:
        """Return whether it is in parts, along ``dim`` if that is given.

        >>> from minigrad.distributed.tensor import Shard
        >>> Shard(0).is_shard(), Shard(0).is_shard(1)
        (True, False)
        """
        return isinstance(self, Shard) and dim in (None, self.dim)

    def is_replicate(self) -> bool:
        """Return whether each process has it whole."""
        return isinstance(self, Replicate)

    def is_partial(self, reduce_op: str | None = None) -> bool:
        """Return whether each process has a term of it, to be reduced by ``reduce_op`` if that is given."""
        return isinstance(self, Partial) and reduce_op in (None, self.reduce_op)


@dataclass(frozen=True)
class Shard(Placement):
    """In parts along a dimension of the tensor.

    >>> from minigrad.distributed.tensor import Shard
    >>> Shard(0)
    Shard(dim=0)
    """

    dim: int


@dataclass(frozen=True)
class Replicate(Placement):
    """Whole in each process.

    >>> from minigrad.distributed.tensor import Replicate
    >>> Replicate()
    Replicate()
    """


@dataclass(frozen=True)
class Partial(Placement):
    """As terms, which are still to be reduced.

    >>> from minigrad.distributed.tensor import Partial
    >>> Partial().reduce_op
    'sum'
    """

    reduce_op: str = "sum"

    def __repr__(self) -> str:
        return f"Partial({self.reduce_op})"


@dataclass(frozen=True)
class _StridedShard(Shard):
    """In parts along a dimension, each of which has a piece of each of ``split_factor`` groups."""

    split_factor: int = 1
