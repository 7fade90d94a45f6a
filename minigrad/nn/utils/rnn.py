"""Sequences of several lengths in one batch: padded to one length, or packed so that steps beyond an end are not computed."""

from collections import namedtuple
from collections.abc import Iterable
from typing import Any

from ..._api import Tensor, _convert, _recurrent, arange, as_tensor, empty_like, sort, tensor

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]


class PackedSequence(
    namedtuple("PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])
):
    """A batch of sequences packed step by step, as ``pack_padded_sequence`` makes it: each step has the samples that have not ended.

    ``data`` is (sum of lengths, ...), ``batch_sizes`` (longest,); the indices, which sort the samples by length and back, are (N,) or None.

    >>> import minigrad
    >>> packed = minigrad.nn.utils.rnn.pack_sequence([minigrad.tensor([1, 2, 3]), minigrad.tensor([4])])
    >>> packed.data, packed.batch_sizes
    (tensor([1, 4, 2, 3]), tensor([2, 1, 1]))
    """

    __slots__ = ()

    def __new__(
        cls,
        data: Tensor,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> Any:
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not (isinstance(data, (list, tuple)) and len(data) == 2):
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Return the same with ``data`` converted by ``Tensor.to``; itself if nothing changes."""
        data = self.data.to(*args, **kwargs)
        return self if data is self.data else type(self)(data, *self[1:])

    def cpu(self, *args: Any, **kwargs: Any) -> Any:
        """Return the same with its data on the CPU; see ``to``."""
        return self.to(*args, **kwargs)

    def cuda(self, *args: Any, **kwargs: Any) -> Any:
        """Raise AssertionError: minigrad computes on the CPU only."""
        return self.to(*args, **{"device": "cuda", **kwargs})

    def pin_memory(self) -> Any:
        """The same as ``Tensor.pin_memory``."""
        return type(self)(self.data.pin_memory(), *self[1:])

    def double(self) -> Any:
        """Return the same with data of ``float64``."""
        return self.to(dtype=_convert.dtypes.float64)

    def float(self) -> Any:
        """Return the same with data of ``float32``."""
        return self.to(dtype=_convert.dtypes.float32)

    def half(self) -> Any:
        """Return the same with data of ``float16``."""
        return self.to(dtype=_convert.dtypes.float16)

    def long(self) -> Any:
        """Return the same with data of ``int64``."""
        return self.to(dtype=_convert.dtypes.int64)

    def int(self) -> Any:
        """Return the same with data of ``int32``."""
        return self.to(dtype=_convert.dtypes.int32)

    def short(self) -> Any:
        """Return the same with data of ``int16``."""
        return self.to(dtype=_convert.dtypes.int16)

    def char(self) -> Any:
        """Return the same with data of ``int8``."""
        return self.to(dtype=_convert.dtypes.int8)

    def byte(self) -> Any:
        """Return the same with data of ``uint8``."""
        return self.to(dtype=_convert.dtypes.uint8)

    @property
    def is_cuda(self) -> bool:
        """Whether the data are on a GPU: always False."""
        return self.data.is_cuda

    def is_pinned(self) -> bool:
        """Return whether the data are in pinned memory."""
        return self.data.is_pinned()


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """Return the permutation that undoes one, as a vector of int64; None for None.

    >>> import minigrad
    >>> minigrad.nn.utils.rnn.invert_permutation(minigrad.tensor([2, 0, 1]))
    tensor([1, 2, 0])
    """
    if permutation is None:
        return None
    return empty_like(permutation).scatter_(0, permutation, arange(permutation.numel()))


def pack_padded_sequence(
    input: Tensor, lengths: Tensor | list[int], batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack a padded batch (T, N, ...), or (N, T, ...) with ``batch_first``, of sequences of ``lengths`` (N,).

    The lengths must decrease if ``enforce_sorted``; otherwise the samples are sorted, and the packed sequence records the order. Raises
    RuntimeError if the lengths are not sorted, not positive, or not N.

    >>> import minigrad
    >>> from minigrad.nn.utils.rnn import pack_padded_sequence
    >>> packed = pack_padded_sequence(minigrad.tensor([[1, 2, 0], [3, 0, 0]]), [2, 1], batch_first=True)
    >>> packed.data, packed.batch_sizes
    (tensor([1, 3, 2]), tensor([2, 1]))
    """
    lengths = as_tensor(lengths).to(dtype=_convert.dtypes.int64)
    order = None
    if not enforce_sorted:
        lengths, order = sort(lengths, descending=True)
        input = input.index_select(0 if batch_first else 1, order)
    return PackedSequence(*_recurrent.pack_padded(input, lengths, batch_first), order, None)  # type: ignore[call-arg]


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Undo ``pack_padded_sequence``: return the padded batch (T, N, ...) in the original order, and the lengths (N,).

    T is the greatest length, or ``total_length``; raises ValueError if that is smaller.

    >>> import minigrad
    >>> from minigrad.nn.utils.rnn import pack_sequence, pad_packed_sequence
    >>> pad_packed_sequence(pack_sequence([minigrad.tensor([1, 2]), minigrad.tensor([3])]), batch_first=True)
    (tensor([[1, 2],
            [3, 0]]), tensor([2, 1]))
    """
    steps = sequence.batch_sizes.size(0)
    if total_length is not None:
        if total_length < steps:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input, but got "
                f"total_length={total_length} and max sequence length being {steps}"
            )
        steps = total_length
    padded, lengths = _recurrent.pad_packed(
        sequence.data, sequence.batch_sizes, batch_first, padding_value, steps
    )
    back = sequence.unsorted_indices
    if back is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, back), lengths[back]


def pad_sequence(
    sequences: Tensor | list[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Stack tensors (L, ...) of different lengths into one (longest, N, ...), or (N, longest, ...), padded with ``padding_value``.

    Raises RuntimeError if the argument is not a sequence of tensors, is empty, or its sizes do not fit.

    >>> import minigrad
    >>> minigrad.nn.utils.rnn.pad_sequence([minigrad.tensor([1, 2]), minigrad.tensor([3])], batch_first=True)
    tensor([[1, 2],
            [3, 0]])
    """
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    return _recurrent.pad_sequence(tuple(sequences), batch_first, padding_value, padding_side)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """Return the samples of (T, N, ...) with ``lengths`` (N,), as a list; (T, N, ...) is transposed in place, as in PyTorch.

    >>> import minigrad
    >>> minigrad.nn.utils.rnn.unpad_sequence(minigrad.tensor([[1, 2, 3], [4, 0, 0]]), minigrad.tensor([3, 1]), batch_first=True)
    [tensor([1, 2, 3]), tensor([4])]
    """
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    steps = arange(padded_sequences.shape[1])
    return [sample[steps < length] for sample, length in zip(padded_sequences, lengths, strict=True)]


def pack_sequence(sequences: list[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack tensors (L, ...) of different lengths.

    >>> import minigrad
    >>> minigrad.nn.utils.rnn.pack_sequence([minigrad.tensor([1, 2]), minigrad.tensor([3])]).data
    tensor([1, 3, 2])
    """
    lengths = tensor([x.size(0) for x in sequences], dtype=_convert.dtypes.int64)
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """Return the samples of a packed sequence, as a list.

    >>> import minigrad
    >>> packed = minigrad.nn.utils.rnn.pack_sequence([minigrad.tensor([1, 2, 3]), minigrad.tensor([4])])
    >>> minigrad.nn.utils.rnn.unpack_sequence(packed)
    [tensor([1, 2, 3]), tensor([4])]
    """
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)
