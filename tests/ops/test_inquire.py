"""Questions about tensors, and the limits of dtypes."""

import pytest

import minigrad as torch


def test_questions():
    x = torch.ones(2, 3)
    assert torch.is_tensor(x) and not torch.is_tensor(3)
    assert torch.is_floating_point(x) and not torch.is_complex(x)
    assert torch.numel(x) == 6
    assert x.is_same_size(torch.zeros(2, 3)) and not torch.is_same_size(x, torch.zeros(3))
    with pytest.raises(
        TypeError, match=r"numel\(\): argument 'input' \(position 1\) must be Tensor, not list"
    ):
        torch.numel([1])


def test_result_type():
    assert torch.result_type(torch.ones(2, dtype=torch.int32), 1.5) is torch.float32
    assert (
        torch.result_type(torch.ones(2, dtype=torch.uint8), torch.tensor(1, dtype=torch.int64)) is torch.uint8
    )
    assert torch.result_type(torch.ones(2), 1j) is torch.complex64


def test_limits():
    assert repr(torch.finfo(torch.float32)) == (
        "finfo(resolution=1e-06, min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, "
        "smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=float32)"
    )
    assert torch.finfo(torch.complex128).bits == 64
    assert (torch.iinfo(torch.int8).min, torch.iinfo(torch.uint8).max) == (-128, 255)
    with pytest.raises(TypeError, match="requires a floating point input type"):
        torch.finfo(torch.int8)
    with pytest.raises(TypeError, match=r"torch.bool is not supported by torch.iinfo"):
        torch.iinfo(torch.bool)


def test_assert_raises_the_message():
    torch._assert(torch.ones(1) > 0, "not raised")
    with pytest.raises(AssertionError, match="^wrong$"):
        torch._assert(torch.zeros(1) > 0, "wrong")


def test_all_and_any_of_a_tensor_of_bools():
    some = torch.tensor([True, False])
    assert torch._is_all_true(some).item() is False
    assert torch._is_any_true(some).item() is True
    assert some._is_all_true().shape == ()
    assert torch._is_all_true(torch.ones(0, dtype=torch.bool)).item() is True
    with pytest.raises(RuntimeError, match="_is_all_true.*expected a tensor of bool, but got"):
        torch._is_all_true(torch.ones(2))
    with pytest.raises(TypeError, match="must be Tensor"):
        torch._is_any_true(True)


def test_all_samples_of_a_batch_count():
    def positive(x):
        return x * 0 + (2 if torch._is_all_true(x > 0) else 3)

    assert torch.vmap(positive)(torch.tensor([1.0, 2.0])).tolist() == [2, 2]
    assert torch.vmap(positive)(torch.tensor([1.0, -2.0])).tolist() == [3, 3]
