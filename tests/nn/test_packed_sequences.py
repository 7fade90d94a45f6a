"""Sequences of several lengths: padding, packing and back."""

import copy
import pickle

import pytest

import minigrad as torch
from minigrad.nn.utils.rnn import (
    PackedSequence,
    invert_permutation,
    pack_padded_sequence,
    pack_sequence,
    pad_packed_sequence,
    pad_sequence,
    unpack_sequence,
    unpad_sequence,
)
from tests.numeric import check_gradients

SAMPLES = [torch.tensor([1, 2]), torch.tensor([3, 4, 5]), torch.tensor([6])]


def test_padding_fills_up_to_the_longest():
    assert pad_sequence(SAMPLES, batch_first=True).tolist() == [[1, 2, 0], [3, 4, 5], [6, 0, 0]]
    assert pad_sequence(SAMPLES).tolist() == [[1, 3, 6], [2, 4, 0], [0, 5, 0]]
    left = pad_sequence(SAMPLES, batch_first=True, padding_value=9, padding_side="left")
    assert left.tolist() == [[9, 1, 2], [3, 4, 5], [9, 9, 6]]
    assert pad_sequence([torch.ones(2, 3), torch.ones(1, 3)]).shape == (2, 2, 3)


def test_unpadding_cuts_to_the_lengths():
    padded = pad_sequence(SAMPLES, batch_first=True)
    cut = unpad_sequence(padded, torch.tensor([2, 3, 1]), batch_first=True)
    assert [x.tolist() for x in cut] == [x.tolist() for x in SAMPLES]


def test_packing_puts_step_after_step_of_the_samples_that_have_one():
    packed = pack_sequence(SAMPLES, enforce_sorted=False)
    assert packed.data.tolist() == [3, 1, 6, 4, 2, 5]
    assert packed.batch_sizes.tolist() == [3, 2, 1]
    assert packed.sorted_indices.tolist() == [1, 0, 2]
    assert packed.unsorted_indices.tolist() == [1, 0, 2]


def test_packing_a_sorted_batch_keeps_no_order():
    packed = pack_padded_sequence(torch.tensor([[1, 2], [3, 0]]), [2, 1], batch_first=True)
    assert packed.data.tolist() == [1, 3, 2] and packed.sorted_indices is packed.unsorted_indices is None


def test_unpacking_gives_the_samples_back():
    packed = pack_sequence(SAMPLES, enforce_sorted=False)
    padded, lengths = pad_packed_sequence(packed, batch_first=True, padding_value=-1, total_length=4)
    assert padded.tolist() == [[1, 2, -1, -1], [3, 4, 5, -1], [6, -1, -1, -1]]
    assert lengths.tolist() == [2, 3, 1]
    assert [x.tolist() for x in unpack_sequence(packed)] == [x.tolist() for x in SAMPLES]


def test_gradients_go_through_packing_and_padding():
    def there_and_back(x):
        packed = pack_padded_sequence(x * x, [2, 3, 1], enforce_sorted=False)
        return packed.data, pad_packed_sequence(packed)[0], pad_sequence([x[0], x[1, :2] ** 2])

    x = torch.randn(3, 3, 2, dtype=torch.float64)
    check_gradients(there_and_back, x)
    x.requires_grad_()
    assert pack_padded_sequence(x, [3, 2, 1]).data.grad_fn.name() == "PackPaddedSequenceBackward0"


def test_a_permutation_and_its_inverse_undo_each_other():
    p = torch.tensor([2, 0, 3, 1])
    assert p[invert_permutation(p)].tolist() == [0, 1, 2, 3]
    assert invert_permutation(None) is None


def test_a_packed_sequence_is_a_tuple_that_converts():
    packed = pack_sequence([torch.ones(2), torch.ones(1)])
    assert isinstance(packed, tuple) and packed[0] is packed.data
    assert packed._fields == ("data", "batch_sizes", "sorted_indices", "unsorted_indices")
    assert packed.float() is packed and packed.cpu() is packed
    assert packed.double().data.dtype is torch.float64 and packed.int().data.dtype is torch.int32
    assert not packed.is_cuda and not packed.is_pinned()
    assert type(packed.half()) is PackedSequence
    for twin in (copy.deepcopy(packed), pickle.loads(pickle.dumps(packed))):
        assert type(twin) is PackedSequence and torch.equal(twin.data, packed.data)
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        packed.cuda()
    assert PackedSequence((packed.data, packed.batch_sizes)).batch_sizes is packed.batch_sizes
    with pytest.raises(AssertionError, match="Expected data to be a list or tuple of length 2"):
        PackedSequence(packed.data)


@pytest.mark.parametrize(
    "lengths, message",
    [
        ([1, 3, 2], "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True"),
        ([3, 2, 0], "Length of all samples has to be greater than 0"),
        ([3, 2], r"Expected `len\(lengths\)` to be equal to batch_size, but got 2 \(batch_size=3\)"),
        ([[3, 2, 1]], "'lengths' argument should be a 1D CPU int64 tensor, but got 2D cpu Long tensor"),
    ],
)
def test_lengths_that_do_not_fit_are_refused(lengths, message):
    with pytest.raises(RuntimeError, match=message):
        pack_padded_sequence(torch.ones(3, 3, 2), torch.tensor(lengths))


def test_what_cannot_be_padded_is_refused():
    with pytest.raises(RuntimeError, match="received an empty list of sequences"):
        pad_sequence([])
    with pytest.raises(RuntimeError, match="Expected iterable for input sequences"):
        pad_sequence(3)
    with pytest.raises(TypeError, match="expected Tensor as element 1 in argument 0, but got int"):
        pad_sequence([torch.ones(2), 1])
    with pytest.raises(RuntimeError, match="Expected padding_side to be one of left or right, but got top"):
        pad_sequence([torch.ones(2)], padding_side="top")
    with pytest.raises(RuntimeError, match="Cannot pack empty tensors"):
        pack_padded_sequence(torch.ones(3, 0), torch.tensor([], dtype=torch.int64))
    with pytest.raises(ValueError, match="Expected total_length to be at least the length of the longest"):
        pad_packed_sequence(pack_sequence([torch.ones(3)]), total_length=2)
