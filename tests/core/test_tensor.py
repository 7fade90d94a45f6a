"""What a Tensor says of itself, and its conversions to Python and NumPy."""

import copy
import pickle

import numpy as np
import pytest

import minigrad as torch


def test_shape_and_layout():
    x = torch.zeros(2, 3)
    assert x.shape == torch.Size([2, 3])
    assert repr(x.shape) == "torch.Size([2, 3])"
    assert (x.size(), x.size(1), x.size(-1)) == (torch.Size([2, 3]), 3, 3)
    assert (x.ndim, x.dim(), x.numel(), x.nelement(), len(x)) == (2, 2, 6, 6, 2)
    assert (x.stride(), x.stride(0), x.t().stride()) == ((3, 1), 3, (1, 3))
    assert x.is_contiguous() and not x.t().is_contiguous()
    assert (x.dtype, x.device, x.layout) == (torch.float32, torch.device("cpu"), torch.strided)
    assert (x.element_size(), x.itemsize, x.nbytes) == (4, 4, 24)
    assert x[1].storage_offset() == 3
    assert isinstance(x.shape + (4,), torch.Size)
    assert isinstance(x.shape[:1], torch.Size)


def test_size_out_of_range():
    with pytest.raises(
        IndexError, match=r"Dimension out of range \(expected to be in range of \[-2, 1\], but got 2\)"
    ):
        torch.zeros(2, 3).size(2)


def test_item_and_tolist():
    assert torch.tensor(3).item() == 3
    assert torch.tensor([[1.5]]).item() == 1.5
    assert torch.tensor([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    assert torch.tensor(True).tolist() is True
    with pytest.raises(RuntimeError, match="a Tensor with 2 elements cannot be converted to Scalar"):
        torch.ones(2).item()


def test_truth_and_numbers():
    assert bool(torch.tensor([1.0])) and not torch.tensor(0)
    assert (float(torch.tensor(2)), int(torch.tensor(2.9)), complex(torch.tensor(1j))) == (2.0, 2, 1j)
    assert [10, 20, 30][torch.tensor(1)] == 20
    with pytest.raises(RuntimeError, match="Boolean value of Tensor with more than one value is ambiguous"):
        bool(torch.ones(2))
    with pytest.raises(RuntimeError, match="Boolean value of Tensor with no values is ambiguous"):
        bool(torch.ones(0))
    with pytest.raises(
        TypeError, match="only integer tensors of a single element can be converted to an index"
    ):
        [1, 2][torch.tensor(1.0)]
    assert f"{torch.tensor(1.23456):.2f}" == "1.23"
    assert 2 in torch.tensor([1, 2])


def test_length_and_iteration():
    assert [t.tolist() for t in torch.tensor([[1, 2], [3, 4]])] == [[1, 2], [3, 4]]
    with pytest.raises(TypeError, match="len\\(\\) of a 0-d tensor"):
        len(torch.tensor(1))
    with pytest.raises(TypeError, match="iteration over a 0-d tensor"):
        iter(torch.tensor(1))


def test_numpy_shares_memory():
    x = torch.zeros(3)
    x.numpy()[0] = 5
    assert x.tolist() == [5.0, 0.0, 0.0]
    array = np.zeros(2)
    torch.from_numpy(array).add_(1)
    assert array.tolist() == [1.0, 1.0]
    assert np.asarray(x) is x.numpy() or np.shares_memory(np.asarray(x), x.numpy())


def test_numpy_of_a_tensor_that_requires_grad_is_refused():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="Can't call numpy\\(\\) on Tensor that requires grad"):
        x.numpy()
    with pytest.raises(RuntimeError, match="Can't call numpy\\(\\) on Tensor that requires grad"):
        np.sin(x)
    assert x.numpy(force=True).tolist() == [1.0, 1.0]
    assert x.detach().numpy().tolist() == [1.0, 1.0]


def test_only_floating_tensors_require_grad():
    with pytest.raises(RuntimeError, match="only Tensors of floating point dtype can require gradients"):
        torch.ones(2, dtype=torch.int64).requires_grad_()
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf variables"):
        (torch.ones(2, requires_grad=True) * 2).requires_grad_(False)


def test_grad_is_checked_when_assigned():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(
        RuntimeError, match=r"attempting to assign a gradient of size '\[3\]' to a tensor of size '\[2\]'"
    ):
        x.grad = torch.ones(3)
    with pytest.raises(RuntimeError, match="attempting to assign a gradient with dtype 'double'"):
        x.grad = torch.ones(2, dtype=torch.float64)
    with pytest.raises(
        TypeError, match="assigned grad expected to be a Tensor or None but got grad of type int"
    ):
        x.grad = 1
    x.grad = torch.ones(2)
    del x.grad
    assert x.grad is None


def test_detach_shares_the_version_and_data_does_not():
    x = torch.ones(2)
    d, data = x.detach(), x.data
    d.add_(1)
    assert (x._version, d._version, data._version) == (1, 1, 0)
    data.add_(1)
    assert (x._version, data._version) == (1, 1)
    assert x.tolist() == [3.0, 3.0]


def test_detach_in_place():
    y = torch.ones(2, requires_grad=True) * 2
    assert y.detach_() is y
    assert y.grad_fn is None and not y.requires_grad
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        (torch.ones(2, requires_grad=True) * 2)[0].detach_()


def test_leaves_are_copied_deeply_and_pickled():
    x = torch.ones(2, requires_grad=True)
    (x * 3).sum().backward()
    x.note = "kept"
    for y in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert y.tolist() == [1.0, 1.0] and y.requires_grad and y.is_leaf and y.note == "kept"
        assert not np.shares_memory(x.detach().numpy(), y.detach().numpy())
    assert copy.deepcopy(x).grad.tolist() == [3.0, 3.0]
    with pytest.raises(RuntimeError, match="Only Tensors created explicitly by the user"):
        copy.deepcopy(x * 2)


def test_unknown_devices_are_refused():
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        torch.ones(2, device="cuda")
    with pytest.raises(RuntimeError, match="Expected one of cpu, cuda"):
        torch.ones(2, device="nowhere")
    assert torch.ones(2, device="cpu").device.type == "cpu"


def test_the_constructor_takes_sizes_or_data():
    assert torch.Tensor(2, 3).shape == (2, 3)
    assert torch.Tensor([1, 2]).tolist() == [1.0, 2.0]
    assert torch.Tensor().shape == (0,)


def test_nan_and_division_by_zero_are_silent():
    assert (torch.ones(1) / 0).item() == float("inf")
    with np.errstate(all="raise"):
        assert (torch.ones(1) / 0).item() == float("inf")
        x = torch.ones(1)
        x.div_(0)
        assert x.item() == float("inf")


def test_foreign_operands():
    class Foreign:
        def __rmul__(self, other):
            return "foreign"

    assert torch.ones(2) * Foreign() == "foreign"
    with pytest.raises(TypeError, match="unsupported operand type"):
        torch.ones(2) + None
    with pytest.raises(
        TypeError, match=r"add\(\): argument 'other' \(position 2\) must be Tensor, not NoneType"
    ):
        torch.add(torch.ones(2), None)


def test_deep_copies_of_views_of_one_memory_share_memory():
    base = torch.zeros(4)
    twin, part = copy.deepcopy((base, base[1:3]))
    part.add_(1)
    assert twin.tolist() == [0.0, 1.0, 1.0, 0.0]


def test_numpy_functions_of_a_tensor_give_tensors():
    t = torch.tensor([1.0, 2.0])
    z = np.add(t, np.array([3.0, 4.0]))
    assert isinstance(z, torch.Tensor) and z.dtype is torch.float64 and z.tolist() == [4.0, 6.0]


class Tagged(torch.Tensor):
    pass


class Logged(torch.Tensor):
    log = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.log.append(func.__name__)
        return super().__torch_function__(func, types, args, kwargs or {})


def test_as_subclass_keeps_the_history():
    x = torch.ones(2, requires_grad=True)
    y = (x * 2).as_subclass(Tagged)
    z = y * y
    assert type(y) is Tagged and type(z) is Tagged
    z.sum().backward()
    assert x.grad.tolist() == [8.0, 8.0]


def test_as_subclass_wants_a_tensor_class():
    with pytest.raises(TypeError, match="does not inherit from Tensor"):
        torch.ones(2).as_subclass(int)


def test_make_subclass_gives_a_leaf_over_the_same_memory():
    x = torch.ones(2, requires_grad=True) * 2
    y = torch.Tensor._make_subclass(Tagged, x, True)
    assert type(y) is Tagged and y.is_leaf and y.requires_grad
    assert y.data_ptr() == x.data_ptr()


def test_an_override_may_call_the_default_one():
    y = torch.ones(2).as_subclass(Logged)
    Logged.log.clear()
    z = y * 2
    assert Logged.log == ["mul"]
    assert type(z) is Logged and z.tolist() == [2.0, 2.0]


def test_an_operation_that_all_overrides_decline_is_refused():
    class Other(torch.Tensor):
        pass

    with pytest.raises(TypeError, match="all __torch_function__ handlers returned NotImplemented"):
        torch.ones(2).as_subclass(Logged) + torch.ones(2).as_subclass(Other)


@pytest.mark.parametrize("cls", [Tagged, Logged])
def test_a_write_through_a_view_of_a_subclass_reaches_its_base(cls):
    x = torch.ones(2, requires_grad=True)
    base = (x * 1).as_subclass(cls)
    view = base[:1]
    assert view._base is base
    view.mul_(3)
    base.sum().backward()
    assert x.grad.tolist() == [3.0, 1.0]
