"""Copies and conversions: dtypes, memory formats, history, writes."""

import numpy as np
import pytest

import minigrad as torch
from tests.numeric import check_gradients

METHODS = {
    "float": "float32", "double": "float64", "half": "float16", "int": "int32", "long": "int64", "short": "int16", "char": "int8",
    "byte": "uint8", "bool": "bool", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip


@pytest.mark.parametrize("name, dtype", METHODS.items())
def test_conversion_methods(name, dtype):
    x = torch.tensor([0.0, 1.0, 3.0])
    out = getattr(x, name)()
    assert out.dtype is getattr(torch, dtype)
    np.testing.assert_array_equal(out.numpy(), x.numpy().astype(dtype))
    assert getattr(out, name)() is out


def test_bfloat16():
    pytest.importorskip("ml_dtypes")
    x = torch.tensor([1.0, 1.00390625, 3.0]).bfloat16()
    assert x.dtype is torch.bfloat16 and x.float().tolist() == [1.0, 1.0, 3.0]
    y = torch.ones(3, dtype=torch.bfloat16, requires_grad=True)
    (y * 2.5 + y / 3).sum().backward()
    assert y.grad.dtype is torch.bfloat16 and y.grad.float().tolist() == [2.828125] * 3


def test_to_returns_the_tensor_itself_where_nothing_changes():
    x = torch.ones(2)
    assert x.to(torch.float32) is x
    assert x.to("cpu") is x
    assert x.to(torch.device("cpu")) is x
    assert x.to(x) is x
    assert x.to() is x
    assert x.to(torch.float32, copy=True) is not x
    assert x.cpu() is x
    assert x.type_as(x) is x
    assert x.contiguous() is x


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.to(torch.float64), lambda x: x.to("cpu", torch.float64), lambda x: x.to(torch.ones(1, dtype=torch.float64)),
        lambda x: x.to(dtype=torch.float64, device="cpu"), lambda x: x.to(torch.float64, True, True), lambda x: x.type(torch.float64),
        lambda x: x.type("torch.DoubleTensor"), lambda x: x.type_as(torch.ones(1, dtype=torch.float64)),
        lambda x: x.to(None, torch.float64), lambda x: x.double(),
    ],
)  # fmt: skip
def test_ways_to_say_float64(call):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    out = call(x)
    assert out.dtype is torch.float64 and type(out.grad_fn).__name__ == "ToCopyBackward0"
    out.sum().backward()
    assert x.grad.dtype is torch.float32 and x.grad.tolist() == [1, 1]


def test_integers_have_no_history_when_converted():
    assert not torch.tensor([1.0], requires_grad=True).long().requires_grad


def test_type_without_argument_is_the_legacy_name():
    assert torch.ones(1).type() == "torch.FloatTensor" and torch.tensor([1]).type() == "torch.LongTensor"


def test_floats_become_integers_towards_zero():
    assert torch.tensor([1.9, -1.9]).int().tolist() == [1, -1]
    assert torch.tensor([0.5, 0.0, float("nan")]).bool().tolist() == [True, False, True]


def test_complex_becomes_real_with_a_warning():
    with pytest.warns(UserWarning, match="discards the imaginary part"):
        assert torch.tensor([1 + 2j]).float().tolist() == [1.0]


def test_gradients_through_conversions():
    check_gradients(lambda x: x.to(torch.complex128) * (1 + 2j), np.array([1.0, 2.0]))
    check_gradients(lambda x: x.clone() * x, np.array([[1.0, 2.0], [3.0, 4.0]]))
    check_gradients(lambda x: x.t().contiguous() ** 2, np.array([[1.0, 2.0], [3.0, 4.0]]))


@pytest.mark.parametrize(
    "expression, stride",
    [
        ("torch.ones(2, 3).t().clone()", (1, 3)),
        ("torch.ones(2, 3).t().contiguous()", (2, 1)),
        ("torch.ones(2, 3, 4)[:, ::2].clone()", (8, 4, 1)),
        ("torch.ones(2, 3, 4).transpose(0, 2)[:, :2].double()", (1, 4, 8)),
        ("torch.ones(3, 1).expand(3, 4).clone()", (4, 1)),
        ("torch.ones(4).expand(3, 4).clone()", (4, 1)),
        ("torch.ones(2, 3, 4, 5).clone(memory_format=torch.channels_last)", (60, 1, 15, 3)),
        ("torch.ones(2, 3, 4, 5).to(memory_format=torch.channels_last).contiguous()", (60, 20, 5, 1)),
        ("torch.ones(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)", (60, 1, 15, 3)),
    ],
)
def test_order_in_memory(expression, stride):
    assert eval(expression).stride() == stride


def test_clone_has_memory_of_its_own():
    x = torch.ones(2)
    y = x.clone()
    y.add_(1)
    assert x.tolist() == [1, 1] and y._base is None


# Writes ----------------------------------------------------------------------------------------------------------------------


def test_copy_converts_broadcasts_and_counts():
    x = torch.zeros(2, 3)
    assert x.copy_(torch.tensor([1, 2, 3])) is x and x.tolist() == [[1, 2, 3]] * 2 and x._version == 1
    assert torch.zeros(2).copy_(5).tolist() == [5, 5]
    assert torch.zeros(2, dtype=torch.int64).copy_(torch.tensor([1.7, -1.7])).tolist() == [1, -1]


def test_gradients_through_copy_and_fill():
    def copied(x, y):
        z = x * 2
        z[0].copy_(y)
        return z * z

    check_gradients(copied, np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0, 6.0]))
    check_gradients(lambda x, y: (x * 2).copy_(y) * x, np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0]))
    check_gradients(lambda x, y: (x * 2).fill_(y) * x, np.array([[1.0, 2.0], [3.0, 4.0]]), np.array(5.0))
    check_gradients(lambda x: (x * 2).fill_(3) * x, np.array([1.0, 2.0]))
    check_gradients(lambda x: (x * 2).zero_() + x, np.array([1.0, 2.0]))
    check_gradients(lambda x, y: torch.fill(x, y) * x, np.array([1.0, 2.0]), np.array(3.0))


def test_fill_with_numbers_and_tensors():
    assert torch.zeros(2).fill_(2.5).tolist() == [2.5, 2.5]
    assert torch.zeros(2, dtype=torch.int64).fill_(2.5).tolist() == [2, 2]
    assert torch.zeros(2, dtype=torch.uint8).fill_(-1).tolist() == [255, 255]
    assert torch.zeros(2).fill_(torch.tensor(7)).tolist() == [7, 7]
    assert torch.fill(torch.zeros(2), 3).tolist() == [3, 3]


@pytest.mark.parametrize(
    "expression, error, message",
    [
        ("x.copy_(torch.ones(3))", RuntimeError, r"size of tensor a \(2\) must match the size of tensor b \(3\)"),
        ("x.copy_(torch.ones(2, 2))", RuntimeError, r"output with shape \[2\] doesn't match the broadcast shape \[2, 2\]"),
        ("x.copy_([1, 2])", TypeError, r"copy_\(\): argument 'other' \(position 1\) must be Tensor, not list"),
        ("x.fill_(1j)", RuntimeError, "value cannot be converted to type float without overflow"),
        ("i.fill_(1e30)", RuntimeError, "value cannot be converted to type int64_t without overflow"),
        ("x.fill_(torch.ones(2))", RuntimeError, "fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions"),
        ("x.fill_('a')", TypeError, "invalid combination of arguments"),
        ("x.to('cuda')", AssertionError, "Torch not compiled with CUDA enabled"),
        ("x.cuda()", AssertionError, "Torch not compiled with CUDA enabled"),
        ("x.to('foo')", RuntimeError, "Expected one of cpu, cuda"),
        ("x.to(1.5)", TypeError, "invalid combination of arguments"),
        ("x.to(foo=1)", TypeError, "foo"),
        ("x.type('foo')", ValueError, "invalid type: 'foo'"),
        ("x.clone(memory_format=torch.channels_last)", RuntimeError, "required rank 4 tensor to use channels_last format"),
        ("r.zero_()", RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation"),
        ("r.fill_(1)", RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation"),
        ("r.copy_(x)", RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation"),
    ],
)  # fmt: skip
def test_errors_in_pytorch_s_words(expression, error, message):
    scope = {
        "torch": torch,
        "x": torch.ones(2),
        "i": torch.tensor([1, 2]),
        "r": torch.ones(2, requires_grad=True),
    }
    with pytest.raises(error, match=message):
        eval(expression, scope)


def test_writes_under_no_grad_leave_leaves_be():
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        x.zero_()
        x.fill_(3)
        x.copy_(torch.tensor([4.0, 5.0]))
    assert x.is_leaf and x.tolist() == [4, 5] and x._version == 3


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_numpy_needs_no_detach_where_nothing_is_recorded(mode):
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    with mode():
        for array in (y.numpy(), np.asarray(y), y.__array__()):
            assert type(array) is np.ndarray and array.tolist() == [3, 3]
        assert np.shares_memory(x.numpy(), x.detach().numpy())
    for outside in (x.numpy, lambda: np.asarray(x)):
        with pytest.raises(RuntimeError, match=r"Can't call numpy\(\) on Tensor that requires grad"):
            outside()


def test_copies_of_expanded_tensors_keep_the_order_of_their_axes():
    x = torch.zeros(3, 3).t().expand(2, 3, 3)
    y = torch.zeros(3, 2).t()[:, None].expand(2, 4, 3)
    for copy in (torch.clone, torch.Tensor.double, torch.empty_like, lambda t: t.to("meta"), torch.rand_like):
        assert copy(x).stride() == (9, 1, 3) and copy(y).stride() == (1, 2, 8)
        assert copy(x.transpose(0, 1)).stride() == (1, 3, 6)
    assert x.contiguous().stride() == (9, 3, 1)
