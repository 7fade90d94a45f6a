"""``sparse.FloatTensor`` and its like: what they make, and who their instances are, as in PyTorch."""

import pytest

import minigrad

LINES = """
torch.sparse.FloatTensor(torch.tensor([[0, 1], [1, 0]]), torch.tensor([1.0, 2.0]), torch.Size([2, 3]))
torch.sparse.DoubleTensor(torch.tensor([[0, 1], [1, 0]]), torch.tensor([1.0, 2.0]).double())
torch.sparse.FloatTensor(2, 3), torch.sparse.LongTensor(torch.Size([2, 3])), torch.sparse.FloatTensor()
[isinstance(x, torch.sparse.FloatTensor) for x in (S, S.double(), S.to_dense(), S.to_sparse_csr())]
torch.sparse.FloatTensor, torch.sparse.HalfTensor.dtype, torch.sparse.HalfTensor.is_sparse, torch.sparse.HalfTensor.layout
S.type(), S.type(torch.sparse.DoubleTensor), S.type("torch.sparse.LongTensor"), S.type(torch.float16)
"""


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_types_of_2017_are_pytorchs():
    torch = pytest.importorskip("torch")
    for line in LINES.strip().splitlines():
        found = [repr(eval(line, {"torch": lib, "S": lib.eye(2).to_sparse()})) for lib in (torch, minigrad)]
        assert found[0] == found[1]


def test_what_they_do_not_take_is_refused():
    with pytest.warns(UserWarning, match="is deprecated"), pytest.raises(TypeError, match="takes a size"):
        minigrad.sparse.FloatTensor("text")
    with pytest.raises(ValueError, match="invalid type"):
        minigrad.eye(2).to_sparse().type("torch.sparse.Nothing")
