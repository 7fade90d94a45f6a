"""Functions of which PyTorch has several forms: each form's own names of parameters are keywords."""

import pytest

import minigrad as torch

X = torch.arange(6).reshape(2, 3)
I = torch.tensor([1, 2])

#: A call -> the call without keywords that gives the same.
SAME = {
    "torch.tensor_split(X, indices=(1,))": "torch.tensor_split(X, (1,))",
    "torch.tensor_split(input=X, sections=2, dim=1)": "torch.tensor_split(X, 2, 1)",
    "torch.tensor_split(X, tensor_indices_or_sections=I, dim=1)": "torch.tensor_split(X, I, 1)",
    "X.tensor_split(indices=[1], dim=1)": "torch.tensor_split(X, [1], 1)",
    "X.tensor_split(sections=torch.tensor(2))": "torch.tensor_split(X, 2)",
    "torch.hsplit(X, sections=3)": "torch.hsplit(X, 3)",
    "X.hsplit(indices=(2,))": "torch.hsplit(X, (2,))",
    "X.vsplit(sections=2)": "torch.vsplit(X, 2)",
    "torch.dsplit(X.reshape(1, 2, 3), indices=(1,))": "torch.dsplit(X.reshape(1, 2, 3), (1,))",
    "torch.split_copy(X, split_size=1)": "torch.split(X, 1)",
    "torch.isin(element=1, test_elements=I)": "torch.isin(1, I)",
    "torch.isin(elements=X, test_element=1)": "torch.isin(X, 1)",
    "torch.isin(X, test_elements=I)": "torch.isin(X, I)",
    "torch.result_type(tensor=X, other=1.5)": "torch.result_type(X, 1.5)",
    "torch.result_type(scalar=1.5, tensor=X)": "torch.result_type(1.5, X)",
    "torch.result_type(1, scalar2=2.0)": "torch.float32",
    "torch.true_divide(input=X, other=2)": "X / 2",
    "X.true_divide(other=2)": "X / 2",
    "X.unsqueeze(axis=1)": "X.unsqueeze(1)",
    "X[:1].squeeze(axis=0)": "X[0]",
    "torch.stack([X, X], axis=-1)": "torch.stack([X, X], 2)",
    "X.chunk(3, axis=1)": "X.chunk(3, 1)",
    "torch.unbind(X, axis=1)": "torch.unbind(X, 1)",
    "torch.gather(X, axis=1, index=I[:, None])": "torch.tensor([[1], [5]])",
    "X.index_select(axis=1, index=I)": "X[:, 1:]",
    "X.repeat_interleave(2, axis=0)": "X.repeat_interleave(2, 0)",
    "torch.diff(X, axis=0)": "torch.diff(X, dim=0)",
    "torch.cholesky_solve(X * 1.0, input2=torch.eye(2))": "X * 1.0",
    "torch.linalg.tensorsolve(torch.eye(2), other=I * 1.0)": "I * 1.0",
    "torch.linalg.lstsq(torch.eye(2), b=X * 1.0).solution.round()": "X * 1.0",
    "torch.repeat_interleave(repeats=I)": "torch.repeat_interleave(I)",
    "torch.orgqr(torch.eye(2), input2=torch.zeros(2))": "torch.eye(2)",
    "torch.ormqr(torch.eye(2), input2=torch.zeros(2), input3=torch.eye(2))": "torch.eye(2)",
}


@pytest.mark.parametrize("call", SAME)
def test_a_form_is_called_by_its_keywords(call):
    found, expected = eval(call), eval(SAME[call])
    if isinstance(expected, torch.dtype):
        assert found is expected
    else:
        pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
        assert all(torch.equal(a, b) for a, b in pairs)


@pytest.mark.torch
@pytest.mark.parametrize("call", SAME)
def test_pytorch_has_these_forms(call):
    theirs = pytest.importorskip("torch")
    found = eval(call, {"torch": theirs, "X": theirs.arange(6).reshape(2, 3), "I": theirs.tensor([1, 2])})
    ours = eval(call)
    assert str(found).replace("-0.", "0.") == str(ours) or "lstsq" in call


@pytest.mark.parametrize(
    "call, got",
    {
        "X.tensor_split()": "got (), but",
        "X.tensor_split(2, sections=2)": "got (int, sections=int), but",
        "torch.remainder(3, X, out=X.clone())": "got (int, Tensor, out=Tensor), but",
        "torch.bitwise_or(3, X, out=X.clone())": "got (int, Tensor, out=Tensor), but",
        "torch.scatter(X, 0, X)": "got (int, Tensor), but",
        "torch.scatter(X, 0, X, X, value=1)": "got (int, Tensor, Tensor, int), but",
        "torch.normal(X, X, (2,))": "got (Tensor, Tensor, tuple), but",
        "X.tensor_split(indices=[1], sections=2)": "got (indices=list, sections=int), but",
        "X.tensor_split(indices=2)": "got (indices=int), but",
        "X.tensor_split(sections=[2])": "got (sections=list), but",
        "X.tensor_split(tensor_indices_or_sections=2)": "got (tensor_indices_or_sections=int), but",
        "torch.hsplit(X, sections=2.5)": "got (sections=float), but",
        "torch.isin(1, 2)": "isin() received an invalid combination of arguments - got (int, int), but",
        "torch.isin(X)": "isin() received an invalid combination of arguments",
        "torch.result_type(X)": "got (Tensor), but expected one of:",
        "torch.result_type(X, 'f')": "got (Tensor, str), but expected one of:",
    }.items(),
)
def test_no_form_fits(call, got):
    with pytest.raises(TypeError) as raised:
        eval(call)
    assert got in str(raised.value) and "expected one of:\n * (" in str(raised.value)
