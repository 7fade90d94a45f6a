"""``onnx.export`` of recurrent layers over packed sequences: lengths are an input of the model."""

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence
from tests.onnx.checked_exports import check

#: The reference implementation in the package ``onnx`` leaves out the lengths; onnxruntime computes these.
ONLY_ONNXRUNTIME = "RNN"


class Packed(nn.Module):
    """A recurrent layer over padded sequences of some lengths."""

    def __init__(self, layer, batch_first=True, enforce_sorted=False, given=(), between=None):
        super().__init__()
        self.layer, self.batch_first, self.enforce_sorted, self.given = (
            layer,
            batch_first,
            enforce_sorted,
            given,
        )
        self.between = between or nn.Identity()

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, self.batch_first, self.enforce_sorted)
        packed = PackedSequence(self.between(packed.data), *packed[1:])
        out, states = self.layer(packed)
        padded, lengths = pad_packed_sequence(out, self.batch_first, *self.given)
        return padded, padded.shape[1] * lengths, states, out.data.var()


CASES = {
    "LSTM": Packed(nn.LSTM(4, 3, 2, bidirectional=True)),
    "GRU": Packed(nn.GRU(4, 3, 2), batch_first=False),
    "RNN": Packed(nn.RNN(4, 3, bidirectional=True), enforce_sorted=True),
    "filled": Packed(nn.GRU(4, 3), given=(-1.0, 7)),
    "projected": Packed(nn.LSTM(4, 3, 2, bidirectional=True, proj_size=2)),
    "projected before": Packed(nn.LSTM(4, 3), between=nn.Linear(4, 4)),
}
LENGTHS = [5, 3, 2], [4, 1, 1], [6, 6, 6], [1, 1, 1]


@pytest.mark.parametrize("name", CASES)
def test_lengths_are_an_input(name):
    module = CASES[name].eval()
    batch = int(not module.batch_first)

    def inputs(lengths):
        size = len(lengths)
        lengths = lengths if module.enforce_sorted else lengths[::-1]
        return torch.randn(*((6, size, 4) if batch else (size, 6, 4))), torch.tensor(lengths)

    program = torch.onnx.export(
        module, inputs(LENGTHS[0]), dynamic_shapes=({batch: "batch", 1 - batch: "time"}, {0: "batch"})
    )
    for lengths in (*LENGTHS, [6, 5], [3]):
        check(program, module, *inputs(lengths), name=ONLY_ONNXRUNTIME)
    back = torch.onnx.load(program.model_proto)
    x, lengths = inputs([4, 2])
    for mine, wanted in zip(back(x, lengths), (*module(x, lengths)[:2],), strict=False):
        torch.testing.assert_close(mine, wanted, rtol=1e-4, atol=1e-5)
