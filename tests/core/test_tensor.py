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
        np.asarray(x)
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


def test_make_subclass_asks_no_override():
    class Closed(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    x = torch.Tensor._make_subclass(Closed, torch.ones(2), True)
    assert type(x) is Closed
    with torch._C.DisableTorchFunctionSubclass():
        assert x.requires_grad and torch.Tensor._make_subclass(Closed, x).requires_grad is False
    torch.Tensor._make_subclass(Closed, x)


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
    base = x.as_subclass(cls) * 1
    view = base[:1]
    assert view._base is base._base and type(view._base) is torch.Tensor  # base is a view of it
    view.mul_(3)
    base.sum().backward()
    assert x.grad.tolist() == [3.0, 1.0]


class Plain(torch.Tensor):
    pass


def test_what_is_made_of_a_subclass_is_of_it():
    x = torch.ones(2).as_subclass(Plain)
    made = [
        x.detach(),
        x.data,
        torch.zeros_like(x),
        torch.rand_like(x),
        x.new_ones(3),
        x.double(),
        x + 1,
        x[:1],
    ]
    assert [type(t) for t in made] == [Plain] * len(made)
    parameter = torch.nn.Parameter(torch.ones(2))
    made = [parameter.detach(), parameter.data, torch.zeros_like(parameter), parameter.new_ones(3)]
    assert [type(t) for t in made] == [torch.Tensor] * len(made)


def test_as_subclass_is_a_view():
    x = torch.ones(2, requires_grad=True)
    y = x.as_subclass(Plain)
    assert y._base is x and type(y.grad_fn).__name__ == "AliasBackward0"


@pytest.mark.parametrize(
    "write, name",
    [
        (lambda x: x.add_(1), "add_"),
        (lambda x: x.mul_(torch.ones(2)), "mul_"),
        (lambda x: x.zero_(), "zero_"),
        (lambda x: x.masked_fill_(x > 0, 2.0), "masked_fill_"),
        (lambda x: x.copy_(torch.ones(2)), "copy_"),
        (lambda x: torch.ones(2).add_(x), "add_"),
    ],
)
def test_writes_reach_the_override(write, name):
    x = torch.ones(2).as_subclass(Logged)
    Logged.log.clear()
    write(x)
    assert Logged.log[-1] == name


@pytest.mark.parametrize("cls", [Tagged, Logged])
def test_a_write_to_a_subclass_returns_the_very_object(cls):
    x = torch.ones(2, requires_grad=True)
    y = x.as_subclass(cls) * 1
    assert y.mul_(3) is y and y._version == 1
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_tensors_in_lists_reach_the_override():
    x = torch.ones(2).as_subclass(Logged)
    Logged.log.clear()
    torch.cat([x, torch.ones(2)])
    assert Logged.log == ["cat"]


# Attributes -----------------------------------------------------------------------------------------------------------


def test_grad_dtype_says_which_gradients_may_be_assigned():
    x = torch.ones(2, requires_grad=True)
    assert x.grad_dtype is torch.float32
    x.grad_dtype = torch.float64
    x.grad = torch.ones(2, dtype=torch.float64)
    with pytest.raises(
        RuntimeError, match="Cannot set grad_dtype to 'Float' because there is already a gradient"
    ):
        x.grad_dtype = torch.float32
    x.grad_dtype = None
    x.grad = torch.ones(2, dtype=torch.float16)
    with pytest.raises(RuntimeError, match="grad_dtype must be a torch.dtype or None, but got int"):
        x.grad_dtype = 5
    with pytest.raises(RuntimeError, match="grad_dtype can only be set on leaf tensors"):
        (x * 2).grad_dtype = torch.float64


def test_requires_grad_is_set_on_leaves_only():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf variables"):
        y.requires_grad = True
    assert y.requires_grad_() is y
    with pytest.raises(RuntimeError, match="If you want to use a computed variable in a subgraph"):
        y.requires_grad_(False)
    with pytest.raises(TypeError, match=r"argument 'requires_grad' \(position 1\) must be bool, not int"):
        x.requires_grad_(1)
    with pytest.raises(
        RuntimeError, match="only Tensors of floating point and complex dtype can require gradients"
    ):
        torch.ones(2, dtype=torch.int64).requires_grad = True


def test_grad_fn_can_be_taken_away():
    x = torch.ones(2, requires_grad=True) * 2
    with pytest.raises(RuntimeError, match="_grad_fn can be only set to None"):
        x._grad_fn = x.grad_fn
    x._grad_fn = None
    assert x.is_leaf and not x.requires_grad


def test_hooks_are_seen_as_dictionaries():
    x = torch.ones(2, requires_grad=True)
    assert x._backward_hooks is None and x._post_accumulate_grad_hooks is None
    handle = x.register_hook(lambda g: 2 * g)
    x.register_post_accumulate_grad_hook(lambda t: None)
    assert list(x._backward_hooks) == [handle.id] and len(x._post_accumulate_grad_hooks) == 1
    handle.remove()
    assert x._backward_hooks == {}
    x._backward_hooks = {7: lambda g: 3 * g}
    x.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_data_of_a_tensor_that_requires_grad_stays_floating():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="must be floating point or complex dtype"):
        x.data = torch.ones(2, dtype=torch.int64)
    with pytest.raises(RuntimeError, match="Deleting tensor data is not allowed"):
        del x.data
    with pytest.raises(TypeError, match="does not support deleting items"):
        del x[0]


def test_arrays_beside_tensors_promote_as_numpy_does():
    x = torch.ones(2)
    assert (x + np.array(2.0)).dtype is torch.float64
    assert (x * np.array([1, 2])).dtype is torch.float64
    assert (x ** np.array(2.0)).tolist() == [1.0, 1.0]
    assert (x + np.float64(2.0)).dtype is torch.float32


def test_copies_count_the_write_that_made_them():
    x = torch.ones(2, requires_grad=True)
    assert copy.deepcopy(x)._version == pickle.loads(pickle.dumps(x))._version == 1
