"""``BlockMask``: which blocks of the scores attention computes, as lists of blocks for each row of blocks."""

import itertools
from typing import Any

from ... import _api
from ..._api import Tensor, _Device

int32 = _api._dtypes.int32

DEFAULT_BLOCK_SIZE = 128
#: The size of the one block of attention without a mask.
WHOLE = 1 << 30


def to_dense_blocks(num_blocks: Any, indices: Any, columns: Any) -> Any:
    """Lists of columns (..., rows, at most) with their lengths (..., rows) as ones in int32 of (..., rows, columns)."""
    listed = _api.arange(indices.shape[-1]) < num_blocks.unsqueeze(-1)
    places = _api.where(listed, indices, columns).long()  # what is not listed goes into a column of its own
    dense = _api.zeros(*indices.shape[:-1], columns + 1, dtype=int32)
    return dense.scatter(-1, places, 1)[..., :columns].contiguous()


def to_lists(dense: Any) -> Any:
    """The lengths and the lists of ``to_dense_blocks``: behind the columns with ones those with zeros, in their order."""
    lists = _api.argsort(dense, dim=-1, descending=True, stable=True)
    return dense.sum(-1).to(int32), lists.to(int32)


def transpose_lists(num_blocks, indices):
    """The same blocks as lists of rows for each column."""
    return to_lists(to_dense_blocks(num_blocks, indices, indices.shape[-1]).transpose(-2, -1))


def sliced_mask_mod(batch: Any, head: Any, token_q: Any, token_kv: Any) -> Any:
    """Replacement for the mask function of a sliced mask, whose indices no longer mean the same."""
    raise RuntimeError(
        "Cannot use mask_mod from a sliced BlockMask. "
        "Set mask_mod to a function of the indices in the slice, made from that of the whole mask: "
        "sliced = mask[:, :, 1]; sliced.mask_mod = lambda b, h, q, kv: mask.mask_mod(b, h, q + mask.BLOCK_SIZE[0], kv)"
    )


def write_order(mask: Any, descending: Any) -> Any:
    """For each block in the lists of the columns, its number among those of its row: (of partial blocks, of full ones or None)."""
    if mask.q_num_blocks is None or mask.q_indices is None:
        raise ValueError("BlockMask must have q_num_blocks and q_indices to compute dq_write_order")
    columns = mask.q_indices.shape[-2]
    dense = to_dense_blocks(mask.kv_num_blocks, mask.kv_indices, columns)
    if mask.full_kv_num_blocks is not None:
        dense = dense | to_dense_blocks(mask.full_kv_num_blocks, mask.full_kv_indices, columns)
    until = dense.cumsum(-1)
    ranks = until[..., -1:] - 1 - (until - dense) if descending else until - dense

    def ranks_of(lists):
        rows = lists.long().clamp(0, ranks.shape[-2] - 1)
        return ranks.transpose(-2, -1).expand(*rows.shape[:-1], -1).gather(-1, rows).to(int32)

    full = None if mask.full_q_indices is None else ranks_of(mask.full_q_indices)
    return ranks_of(mask.q_indices), full


class BlockMask:
    """An attention mask in blocks, made by ``create_block_mask``, or by ``BlockMask.from_kv_blocks`` from lists of blocks.

    ``kv_num_blocks`` (batch, heads, rows of blocks) says how many blocks of keys each block of queries attends to, and ``kv_indices``
    (batch, heads, rows, at most) which ones; within these, ``mask_mod`` decides. In the blocks of ``full_kv_num_blocks`` and
    ``full_kv_indices`` everything is allowed. Attributes that begin with ``q_`` and ``full_q_`` list the same blocks for each block of
    keys.

    >>> import minigrad
    >>> from minigrad.nn.attention.flex_attention import create_block_mask
    >>> mask = create_block_mask(lambda b, h, q, kv: q >= kv, 1, 1, 4, 4, BLOCK_SIZE=2)
    >>> mask.kv_num_blocks, mask.full_kv_num_blocks
    (tensor([[[1, 1]]], dtype=torch.int32), tensor([[[0, 1]]], dtype=torch.int32))
    >>> mask.to_string().splitlines()
    ['(0, 0)', '██  ', '████']
    """

    seq_lengths: Any
    mask_mod: Any
    kv_num_blocks: Any
    kv_indices: Any
    full_kv_num_blocks: Any
    full_kv_indices: Any
    q_num_blocks: Any
    q_indices: Any
    full_q_num_blocks: Any
    full_q_indices: Any
    dq_write_order: Any
    dq_write_order_full: Any
    dq_kv_order: Any
    dq_kv_order_spt: Any

    _TENSOR_ATTRS = (
        "kv_num_blocks", "kv_indices", "full_kv_num_blocks", "full_kv_indices", "q_num_blocks", "q_indices",
        "full_q_num_blocks", "full_q_indices", "dq_write_order", "dq_write_order_full", "dq_kv_order",
    )  # fmt: skip

    def __init__(
        self,
        seq_lengths: Any,
        kv_num_blocks: Any,
        kv_indices: Any,
        full_kv_num_blocks: Any,
        full_kv_indices: Any,
        q_num_blocks: Any,
        q_indices: Any,
        full_q_num_blocks: Any,
        full_q_indices: Any,
        BLOCK_SIZE: Any = (DEFAULT_BLOCK_SIZE, DEFAULT_BLOCK_SIZE),
        mask_mod: Any = None,
        *,
        dq_write_order: Any = None,
        dq_write_order_full: Any = None,
        dq_kv_order: Any = None,
        dq_kv_order_spt: Any = None,
    ) -> None:
        if kv_num_blocks is None or kv_indices is None:
            missing = "kv_num_blocks" if kv_num_blocks is None else "kv_indices"
            raise AssertionError(f"{missing} must be provided")
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        _check_both("full_kv", full_kv_num_blocks, full_kv_indices)
        _check_both("full_q", full_q_num_blocks, full_q_indices)
        if dq_write_order_full is not None and dq_write_order is None:
            raise ValueError("dq_write_order_full requires dq_write_order")
        self.seq_lengths, self.BLOCK_SIZE = seq_lengths, BLOCK_SIZE
        self.mask_mod = noop_mask if mask_mod is None else mask_mod
        self.kv_num_blocks, self.kv_indices = kv_num_blocks, kv_indices
        self.full_kv_num_blocks, self.full_kv_indices = full_kv_num_blocks, full_kv_indices
        self.q_num_blocks, self.q_indices = q_num_blocks, q_indices
        self.full_q_num_blocks, self.full_q_indices = full_q_num_blocks, full_q_indices
        self.dq_write_order, self.dq_write_order_full = dq_write_order, dq_write_order_full
        self.dq_kv_order, self.dq_kv_order_spt = dq_kv_order, dq_kv_order_spt

    @classmethod
    def from_kv_blocks(
        cls,
        kv_num_blocks: Any,
        kv_indices: Any,
        full_kv_num_blocks: Any = None,
        full_kv_indices: Any = None,
        BLOCK_SIZE: Any = DEFAULT_BLOCK_SIZE,
        mask_mod: Any = None,
        seq_lengths: Any = None,
        compute_q_blocks: bool = True,
        *,
        dq_write_order: Any = None,
        dq_write_order_full: Any = None,
        dq_kv_order: Any = None,
    ) -> Any:
        """Return a mask from lists of blocks of keys; ``seq_lengths`` defaults to the lengths that the blocks cover.

        >>> import minigrad
        >>> from minigrad.nn.attention.flex_attention import BlockMask
        >>> lengths, lists = minigrad.tensor([1, 2]), minigrad.tensor([[0, 1], [0, 1]])
        >>> BlockMask.from_kv_blocks(lengths, lists, BLOCK_SIZE=16).to_dense()
        tensor([[1, 0],
                [1, 1]], dtype=torch.int32)
        """
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        _check_both("full_kv", full_kv_num_blocks, full_kv_indices)
        if dq_kv_order is not None and not isinstance(dq_kv_order, (bool, Tensor)):
            raise ValueError("dq_kv_order must be a bool, Tensor, or None")
        of_queries = full_of_queries = (None, None)
        if compute_q_blocks:
            of_queries = transpose_lists(kv_num_blocks, kv_indices)
            if full_kv_num_blocks is not None:
                full_of_queries = transpose_lists(full_kv_num_blocks, full_kv_indices)
        size = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
        if seq_lengths is None:
            seq_lengths = tuple(n * length for n, length in zip(kv_indices.shape[-2:], size))
        named = isinstance(dq_kv_order, bool)
        return cls(
            seq_lengths,
            kv_num_blocks,
            kv_indices,
            full_kv_num_blocks,
            full_kv_indices,
            *of_queries,
            *full_of_queries,
            size,
            mask_mod,
            dq_write_order=dq_write_order,
            dq_write_order_full=dq_write_order_full,
            dq_kv_order=None if named else dq_kv_order,
            dq_kv_order_spt=dq_kv_order if named else None,
        )

    def as_tuple(self, flatten: bool = True) -> Any:
        """Return all attributes in one tuple: sequence lengths, tensors or None, block sizes, and the function; pairs are nested unless
        ``flatten``.

        >>> import minigrad
        >>> from minigrad.nn.attention.flex_attention import create_block_mask, noop_mask
        >>> create_block_mask(noop_mask, 1, 1, 4, 6, BLOCK_SIZE=2).as_tuple()[:2]
        (4, 6)
        """
        lengths = (*self.seq_lengths,) if flatten else (self.seq_lengths,)
        size = (*self.BLOCK_SIZE,) if flatten else (self.BLOCK_SIZE,)
        tensors = (getattr(self, name) for name in self._TENSOR_ATTRS)
        return (*lengths, *tensors, self.dq_kv_order_spt, *size, self.mask_mod)

    @property
    def shape(self) -> Any:
        """The shape of the dense mask: (batch, heads, queries, keys)."""
        return (*self.kv_indices.shape[:-2], *self.seq_lengths)

    def __getitem__(self, index: Any) -> Any:
        """The mask of some batches, heads and rows of blocks; its ``mask_mod`` has to be set anew."""
        if self.dq_kv_order is not None:
            raise NotImplementedError(
                "Slicing BlockMask with tensor dq_kv_order is not supported yet. Make a new BlockMask"
            )
        index = index if isinstance(index, tuple) else (index,)
        index = tuple(
            slice(i % n, i % n + 1)
            if isinstance(i, int) and -n <= i < n
            else slice(i, i + 1)
            if isinstance(i, int)
            else i
            for i, n in zip((*index, slice(None), slice(None), slice(None)), self.kv_num_blocks.shape[:3])
        )
        lists = (self.kv_num_blocks, self.kv_indices, self.full_kv_num_blocks, self.full_kv_indices)
        return self._with_lists(
            [None if x is None else x[index] for x in lists], sliced_mask_mod, self.seq_lengths
        )

    def _with_lists(self, lists, mask_mod, seq_lengths):
        found = BlockMask.from_kv_blocks(
            *lists,
            BLOCK_SIZE=self.BLOCK_SIZE,
            mask_mod=mask_mod,
            seq_lengths=seq_lengths,
            compute_q_blocks=self.q_indices is not None,
        )
        found.dq_kv_order_spt = self.dq_kv_order_spt
        if self.dq_write_order is not None:
            found.dq_write_order, found.dq_write_order_full = write_order(found, found.dq_kv_order_spt)
        return found

    def _adjust(self, new_q_len, new_kv_len):
        """The upper left corner, for shorter sequences."""
        if self.dq_kv_order is not None:
            raise NotImplementedError(
                "Adjusting BlockMask with tensor dq_kv_order is not supported yet. Make a new BlockMask"
            )
        rows, columns = (-(-n // size) for n, size in zip((new_q_len, new_kv_len), self.BLOCK_SIZE))
        lists = []
        for num_blocks, indices in (
            (self.kv_num_blocks, self.kv_indices),
            (self.full_kv_num_blocks, self.full_kv_indices),
        ):
            if num_blocks is None:
                lists += [None, None]
                continue
            dense = to_dense_blocks(num_blocks, indices, indices.shape[-1])
            lists += to_lists(dense[..., :rows, :columns])
        return self._with_lists(lists, self.mask_mod, (new_q_len, new_kv_len))

    def numel(self) -> Any:
        """Return the number of elements of the dense mask.

        >>> import minigrad
        >>> from minigrad.nn.attention.flex_attention import create_block_mask, noop_mask
        >>> create_block_mask(noop_mask, 2, 1, 4, 6).numel()
        48
        """
        return _api.Size(self.shape).numel()

    def sparsity(self) -> Any:
        """Return the percentage of elements that lie in blocks that are not computed.

        >>> import minigrad
        >>> from minigrad.nn.attention.flex_attention import create_block_mask
        >>> create_block_mask(lambda b, h, q, kv: q >= kv, 1, 1, 256, 256).sparsity()
        25.0
        """
        blocks = self.kv_num_blocks.sum()
        if self.full_kv_num_blocks is not None:
            blocks = blocks + self.full_kv_num_blocks.sum()
        return 100 * (1 - blocks.item() * self.BLOCK_SIZE[0] * self.BLOCK_SIZE[1] / self.numel())

    def to_dense(self) -> Any:
        """Return which blocks are computed, as ones in an int32 tensor (batch, heads, rows of blocks, columns of blocks).

        >>> import minigrad
        >>> from minigrad.nn.attention.flex_attention import create_block_mask
        >>> create_block_mask(lambda b, h, q, kv: q >= kv, 1, 1, 256, 256).to_dense()
        tensor([[[[1, 0],
                  [1, 1]]]], dtype=torch.int32)
        """
        dense = to_dense_blocks(self.kv_num_blocks, self.kv_indices, self.kv_indices.shape[-1])
        if self.full_kv_num_blocks is None:
            return dense
        columns = self.full_kv_indices.shape[-1]
        return dense | to_dense_blocks(self.full_kv_num_blocks, self.full_kv_indices, columns)

    def to_string(self, grid_size: Any = (20, 20), limit: int = 4) -> str:
        """Return a picture of the first ``limit`` masks of a batch: computed blocks are filled, partly computed ones grey.

        ``grid_size`` is the largest number of characters (pairs of them in a row) in a picture; with -1 each block has one.

        >>> import minigrad
        >>> from minigrad.nn.attention.flex_attention import create_block_mask
        >>> mask = create_block_mask(lambda b, h, q, kv: q >= kv, 1, 1, 8, 8, BLOCK_SIZE=2)
        >>> mask.to_string(grid_size=2).splitlines()
        ['(0, 0)', '░░  ', '██░░']
        """
        dense = self.to_dense()
        *batch, rows, columns = dense.shape
        if grid_size == -1:
            grid_size = (rows, columns)
        elif isinstance(grid_size, int):
            grid_size = (grid_size, grid_size)
        steps = [max(1, -(-n // most)) for n, most in zip((rows, columns), grid_size)]
        pictures = []
        for i, place in enumerate(itertools.product(*map(range, batch))):
            if i == limit:
                pictures += [
                    "...",
                    "To print out more, set BlockMask.to_string(limit=N)",
                    "You can also index (BlockMask[batch, head]) to choose a specific batch or head",
                ]
                break
            blocks = dense[place] if place else dense
            pictures.append(f"{place}\n" + "".join(_picture_rows(blocks, *steps)))
        return "\n".join(pictures)

    def to(self, device: _Device) -> Any:
        """Return a mask of the same tensors on a device: the CPU is the only one.

        >>> import minigrad
        >>> from minigrad.nn.attention.flex_attention import create_block_mask, noop_mask
        >>> create_block_mask(noop_mask, 1, 1, 4, 4).to("cpu").shape
        (1, 1, 4, 4)
        """
        tensors = {name: getattr(self, name) for name in self._TENSOR_ATTRS}
        moved = {name: None if x is None else x.to(device) for name, x in tensors.items()}
        return BlockMask(
            self.seq_lengths,
            BLOCK_SIZE=self.BLOCK_SIZE,
            mask_mod=self.mask_mod,
            dq_kv_order_spt=self.dq_kv_order_spt,
            **moved,
        )

    def __str__(self) -> str:
        return (
            f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%, \n{self.to_string().strip()}\n)"
        )

    def __repr__(self) -> str:
        lines = [
            f"    {name}={getattr(getattr(self, name), 'shape', None)},\n" for name in self._TENSOR_ATTRS[:8]
        ]
        function = getattr(self.mask_mod, "__name__", self.mask_mod)
        return (
            f"BlockMask(\n{''.join(lines)}    BLOCK_SIZE={self.BLOCK_SIZE},\n    shape={self.shape},\n"
            f"    sparsity={self.sparsity():.2f}%,\n    mask_mod={function}\n)"
        )


def _check_both(name, num_blocks, indices):
    if (num_blocks is None) != (indices is None):
        raise AssertionError(f"{name}_num_blocks and {name}_indices must be both provided or omitted")


def _picture_rows(blocks, row_step, column_step):
    rows, columns = blocks.shape
    for row in range(0, rows, row_step):
        for column in range(0, columns, column_step):
            share = blocks[row : row + row_step, column : column + column_step].float().mean().item()
            yield 2 * (" " if share == 0 else "█" if share == 1 else "░")
        yield "\n"


def noop_mask(batch: Any, head: Any, token_q: Any, token_kv: Any) -> Any:
    """Allow everything: a mask function that returns True, of shape ().

    >>> import minigrad
    >>> from minigrad.nn.attention.flex_attention import create_mask, noop_mask
    >>> create_mask(noop_mask, 1, 1, 1, 2)
    tensor([[[[True, True]]]])
    """
    return batch.new_ones((), dtype=_api._dtypes.bool_)
