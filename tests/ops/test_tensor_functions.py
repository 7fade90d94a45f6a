"""Methods that are functions, too; losses and norms under the package's own signatures; storages, generators, DLPack."""

import numpy as np
import pytest

import minigrad


def test_functions_of_methods():
    x = minigrad.ones(2, requires_grad=True)
    y = x * 2
    assert not minigrad.detach(y).requires_grad and minigrad.detach(input=y).tolist() == [2.0, 2.0]
    assert minigrad.detach_(y) is y and y.is_leaf
    assert minigrad.get_device(x) == -1 and minigrad.is_distributed(x) is False
    z = minigrad.arange(4.0)
    assert minigrad.as_strided_(z, (2,), (2,), 1) is z and z.tolist() == [1.0, 3.0]
    for function in (minigrad.detach, minigrad.detach_, minigrad.get_device, minigrad.is_distributed):
        with pytest.raises(
            TypeError, match=rf"{function.__name__}\(\): argument 'input' \(position 1\) must be Tensor"
        ):
            function(3)


@pytest.mark.parametrize(
    "name", "scale zero_point per_channel_scales per_channel_zero_points per_channel_axis".split()
)
def test_only_quantized_tensors_have_a_scale(name):
    for ask in (getattr(minigrad, f"q_{name}"), getattr(minigrad.Tensor, f"q_{name}")):
        with pytest.raises(
            NotImplementedError,
            match=f"^Could not run 'aten::q_{name}' with arguments from the 'CPU' backend",
        ):
            ask(minigrad.ones(2))


def test_memory_for_accelerators():
    with pytest.raises(RuntimeError, match="^Cannot access accelerator device when none is available.$"):
        minigrad.ones(2).pin_memory()


def test_constants_and_classes():
    assert minigrad.newaxis is None and minigrad.ones(2)[minigrad.newaxis].shape == (1, 2)
    assert minigrad.UntypedStorage is minigrad.storage.UntypedStorage
    assert minigrad.is_storage(minigrad.ones(2).untyped_storage())
    assert not minigrad.is_storage(minigrad.ones(2))
    assert issubclass(minigrad.OutOfMemoryError, RuntimeError)
    assert minigrad.cuda.OutOfMemoryError is minigrad.OutOfMemoryError
    assert minigrad.thread_safe_generator() is minigrad.random.thread_safe_generator() is None


def test_anomaly_mode_as_a_function():
    minigrad.set_anomaly_enabled(True, check_nan=False)
    try:
        assert minigrad.is_anomaly_enabled() and not minigrad.is_anomaly_check_nan_enabled()
    finally:
        minigrad.set_anomaly_enabled(False)
    assert not minigrad.is_anomaly_enabled()
    with pytest.raises(TypeError, match="argument 'enabled' .position 1. must be bool, not int"):
        minigrad.set_anomaly_enabled(1)


def test_norms_over_all_dimensions_but_one():
    x = np.arange(24.0).reshape(2, 3, 4)
    t = minigrad.tensor(x)
    for dim, others in ((0, (1, 2)), (1, (0, 2)), (2, (0, 1))):
        expected = np.sqrt((x * x).sum(others, keepdims=True))
        np.testing.assert_allclose(minigrad.norm_except_dim(t, 2, dim).numpy(), expected)
    assert minigrad.norm_except_dim(t, 1, -1).item() == x.sum()
    with pytest.raises(IndexError, match="Dimension out of range"):
        minigrad.norm_except_dim(t, 2, 7)


def test_sparse_products_of_dense_matrices():
    x = minigrad.arange(4.0).reshape(2, 2)
    assert minigrad.spmm(x, x).tolist() == (x @ x).tolist()
    with pytest.raises(RuntimeError):
        minigrad.spmm(x, x[0])


@pytest.mark.torch
def test_losses_are_pytorchs():
    torch = pytest.importorskip("torch")
    found = []
    for library in (minigrad, torch):
        x = library.tensor([[0.5, -1.0], [2.0, 0.25]], requires_grad=True)
        y = library.tensor([[0.5, 1.0], [0.75, 0.25]])
        w = library.tensor([2.0, 3.0])
        outcomes = []
        for reduction in (0, 1, 2, 7):
            for z in (
                library.kl_div(x, y, reduction),
                library.kl_div(x, y, reduction, log_target=True),
                library.binary_cross_entropy_with_logits(x, y, None, None, reduction),
                library.binary_cross_entropy_with_logits(x, y, w, w, reduction),
            ):
                (gradient,) = library.autograd.grad(z.sum(), x)
                outcomes.append(np.append(z.detach().numpy().ravel(), gradient.numpy().ravel()))
        for wrong in (lambda: library.kl_div(x, 3), lambda: library.kl_div(x, y, "mean")):
            with pytest.raises(TypeError) as raised:
                wrong()
            outcomes.append(str(raised.value))
        found.append(outcomes)
    for ours, theirs in zip(*found):
        if isinstance(ours, str):
            assert ours == theirs
        else:
            np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


# DLPack ---------------------------------------------------------------------------------------------------------


def test_memory_is_shared_by_dlpack():
    x = minigrad.arange(6.0).reshape(2, 3)[:, 1:]
    seen = np.from_dlpack(x)
    x[0, 0] = 7.0
    assert seen.tolist() == [[7.0, 2.0], [4.0, 5.0]]
    y = minigrad.from_dlpack(minigrad.to_dlpack(x))
    y[1, 1] = 8.0
    assert x[1, 1].item() == 8.0
    assert minigrad.utils.dlpack.from_dlpack(x).tolist() == x.tolist()
    assert x.__dlpack_device__() == (minigrad.utils.dlpack.DLDeviceType.kDLCPU, 0)


def test_what_requires_grad_is_not_exported():
    with pytest.raises(BufferError, match="^Can't export tensors that require gradient, use tensor.detach"):
        minigrad.ones(2, requires_grad=True).__dlpack__()
    assert minigrad.from_dlpack(minigrad.to_dlpack(minigrad.ones(2, requires_grad=True))).tolist() == [1, 1]
    with pytest.raises(TypeError, match="must be Tensor, not list"):
        minigrad.to_dlpack([1])


@pytest.mark.torch
def test_dlpack_with_pytorch():
    torch = pytest.importorskip("torch")
    x = minigrad.arange(4.0)
    torch.from_dlpack(x)[0] = 9.0
    assert x.tolist() == [9.0, 1.0, 2.0, 3.0]
    assert minigrad.from_dlpack(torch.ones(2)).tolist() == [1.0, 1.0]
