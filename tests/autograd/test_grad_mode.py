"""Grad modes as context managers and decorators."""

import threading

import pytest

import minigrad as torch


@pytest.fixture
def x():
    return torch.ones(2, requires_grad=True)


def test_no_grad_records_nothing(x):
    with torch.no_grad():
        assert not (x * 2).requires_grad
        with torch.enable_grad():
            assert (x * 2).requires_grad
        assert not torch.is_grad_enabled()
    assert (x * 2).requires_grad


def test_modes_end_with_an_exception(x):
    with pytest.raises(ZeroDivisionError), torch.no_grad():
        1 / 0
    assert torch.is_grad_enabled()


def test_modes_decorate_functions_and_generators(x):
    @torch.no_grad()
    def double(t):
        return t * 2

    @torch.no_grad
    def triple(t):
        return t * 3

    @torch.no_grad()
    def numbers(t):
        yield t * 2
        yield t * 3

    assert not double(x).requires_grad
    assert not triple(x).requires_grad
    for y in numbers(x):
        assert not y.requires_grad
        assert torch.is_grad_enabled()


def test_set_grad_enabled_acts_at_once_and_as_a_context(x):
    torch.set_grad_enabled(False)
    assert not (x * 2).requires_grad
    torch.set_grad_enabled(True)
    with torch.set_grad_enabled(False):
        assert not (x * 2).requires_grad
    assert (x * 2).requires_grad


def test_modes_are_of_one_thread(x):
    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append((x * 2).requires_grad))
        thread.start()
        thread.join()
    assert seen == [True]


def test_inference_tensors_are_marked_and_restricted(x):
    with torch.inference_mode():
        y = torch.ones(2) * 2
        z = x * 2
        assert torch.is_inference_mode_enabled()
    assert y.is_inference() and z.is_inference() and not x.is_inference()
    assert not z.requires_grad
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        y * x
    with pytest.raises(
        RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"
    ):
        y.add_(1)
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        y._version
    assert not (y + 1).is_inference()
    with torch.inference_mode():
        y.add_(1)
    assert y.tolist() == [3.0, 3.0]


def test_a_leaf_may_be_written_to_without_recording(x):
    with pytest.raises(
        RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"
    ):
        x.add_(1)
    with torch.no_grad():
        x.add_(1)
    assert x.tolist() == [2.0, 2.0]
    assert x._version == 1
