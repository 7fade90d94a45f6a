"""``segment_reduce``, and products of groups: as in PyTorch."""

import pytest

import minigrad

REDUCTIONS = ["sum", "mean", "max", "min", "prod"]
WAYS = {
    "lengths": lambda m: {"lengths": m.tensor([2, 0, 4])},
    "offsets": lambda m: {"offsets": m.tensor([0, 2, 2, 6])},
    "an axis": lambda m: {"lengths": m.tensor([[2, 0, 2]] * 6), "axis": 1},
    "not all": lambda m: {"lengths": m.tensor([1, 2], dtype=m.int32), "unsafe": True},
    "an initial value": lambda m: {"lengths": m.tensor([2, 0, 4]), "initial": 2.0},
}


@pytest.mark.torch
@pytest.mark.parametrize("reduce", REDUCTIONS)
@pytest.mark.parametrize("way", WAYS)
def test_segments_are_reduced_as_in_pytorch(reduce, way):
    torch = pytest.importorskip("torch")
    found = []
    for m in (minigrad, torch):
        x = m.tensor([[2.0, 3, 3, 1], [2, 0, 5, 1], [4, 1, 1, 2], [4, 2, 3, 7], [0.5, 1, 0, 3], [1, 1, 2, 2]])
        x = x.double().requires_grad_()
        z = m.segment_reduce(x, reduce, **WAYS[way](m))
        z[z.isfinite()].pow(2).sum().backward()
        found += [z.detach().numpy(), x.grad.numpy()]
    for ours, theirs in zip(found[:2], found[2:]):
        minigrad.testing.assert_close(ours.tolist(), theirs.tolist(), equal_nan=True)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda m, x: m.segment_reduce(x, "median", lengths=m.tensor([3])), RuntimeError, "reduce argument must be either"),
        (lambda m, x: m.segment_reduce(x, "sum"), RuntimeError, "Either lengths or offsets must be defined"),
        (lambda m, x: m.segment_reduce(x, "sum", lengths=m.tensor([1, 1])), RuntimeError, "Expected all rows of lengths"),
        (lambda m, x: m.segment_reduce(x, "sum", lengths=m.tensor([-1, 4])), RuntimeError, "negative value"),
        (lambda m, x: m.segment_reduce(x, "sum", lengths=m.tensor([3]), axis=1), RuntimeError, "Expected axis to be the last"),
        (lambda m, x: m.segment_reduce(x, "sum", lengths=m.tensor([3.0])), NotImplementedError, "not implemented for 'Float'"),
        (lambda m, x: m.segment_reduce(x.long(), "sum", lengths=m.tensor([3])), NotImplementedError, "not implemented for 'Long'"),
        (lambda m, x: m.nn.functional.grouped_mm(x, x.t()), RuntimeError, "Have to provide offsets"),
        (lambda m, x: m.nn.functional.grouped_mm(x, x.t(), offs=m.tensor([4])), RuntimeError, "Offsets have to be int32"),
        (lambda m, x: m.nn.functional.grouped_mm(x, x[None], offs=m.tensor([4]).int()), RuntimeError, "contraction dimension"),
        (lambda m, x: m.nn.functional.grouped_mm(x[0], x, offs=m.tensor([4]).int()), RuntimeError, "mat_a has to be 2 or 3d"),
        (lambda m, x: m.nn.functional.grouped_mm(x.double(), x, offs=m.tensor([4]).int()), RuntimeError, "Expected mat_a to be"),
        (lambda m, x: m.nn.functional.grouped_mm(x[None], x.t()[None], offs=m.tensor([4]).int()), RuntimeError, "Have to provide"),
        (lambda m, x: m.nn.functional.grouped_mm(x, m.ones(2, 4, 4), offs=m.tensor([3]).int()), RuntimeError, "batch sizes"),
        (lambda m, x: m.nn.functional.grouped_mm(x, x.t(), offs=m.tensor([4]).int(), bias=x), RuntimeError, "Bias not supported"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_as_in_pytorch(call, error, words):
    for m in (minigrad, pytest.importorskip("torch")):
        with pytest.raises(error, match=words):
            call(m, m.ones(3, 4))


PRODUCTS = {
    "rows": ((4, 4), (3, 4, 8)),
    "columns": ((3, 8, 4), (4, 4)),
    "sums": ((4, 4), (4, 8)),
    "batches": ((3, 4, 4), (3, 4, 8)),
}


@pytest.mark.torch
@pytest.mark.parametrize("end", [4, 3])
@pytest.mark.parametrize("which", PRODUCTS)
def test_groups_of_rows_and_columns_are_multiplied_as_in_pytorch(which, end):
    torch = pytest.importorskip("torch")
    found = []
    for m in (minigrad, torch):
        x, y = (
            m.linspace(-1, 2, int(m.ones(s).numel())).reshape(s).requires_grad_() for s in PRODUCTS[which]
        )
        offs = None if which == "batches" else m.tensor([1, 2, end], dtype=m.int32)
        z = m.nn.functional.grouped_mm(x, y, offs=offs)
        # what is beyond the last group is not defined in PyTorch
        used = z[..., :end] if which == "columns" else z[:end] if which == "rows" else z
        used.pow(2).sum().backward()
        found.append([used.tolist(), *([x.grad.tolist(), y.grad.tolist()] if end == 4 else [])])
    minigrad.testing.assert_close(*found, rtol=1e-5, atol=1e-5)  # single precision, summed in another order
