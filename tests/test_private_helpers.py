"""Helpers that libraries import from PyTorch's private modules: ``torch._utils``, ``torch.utils._foreach_utils`` and so on."""

import pytest

import minigrad as torch
from minigrad import _utils
from minigrad.utils import _foreach_utils, _import_utils, _typing_utils
from minigrad.utils.file_baton import FileBaton

A, EMPTY, FIVE = torch.arange(6.0).view(2, 3), torch.zeros(0, 3), torch.tensor(5)


def test_tensors_become_one_vector_and_come_back():
    flat = _utils._flatten_dense_tensors([A, EMPTY, FIVE])
    assert flat.tolist() == [0, 1, 2, 3, 4, 5, 5] and flat.dtype == torch.float32
    assert _utils._flatten_dense_tensors([A]).data_ptr() == A.data_ptr()
    back = _utils._unflatten_dense_tensors(flat, [A, EMPTY, FIVE])
    assert [x.shape for x in back] == [A.shape, EMPTY.shape, FIVE.shape]
    assert torch.equal(back[0], A) and back[0]._base is flat


def test_gradients_pass_through_the_vector():
    leaf = torch.ones(2, 2, requires_grad=True)
    flat = _utils._flatten_dense_tensors([leaf, torch.ones(1)])
    part, _ = _utils._unflatten_dense_tensors(flat * 3, [leaf, torch.ones(1)])
    part.sum().backward()
    assert leaf.grad.tolist() == [[3, 3], [3, 3]]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: _utils._flatten_dense_tensors([]), ValueError, "expected a non-empty list of Tensors"),
        (lambda: _utils._unflatten_dense_tensors(A.view(6), [A, A]), RuntimeError, "exceeds dimension size"),
        (lambda: _utils._unflatten_dense_tensors(A, iter([A])), TypeError, "must be tuple of Tensors"),
        (lambda: _utils._get_device_index("cpu"), ValueError, "Expected a non cpu device, but got: cpu"),
        (lambda: _utils._get_device_index(None), ValueError, "a specified index or an integer, but got:None"),
        (lambda: _utils._element_size(5), RuntimeError, "expected torch.dtype, but got <class 'int'>"),
        (
            lambda: _utils._get_device_module("foo"),
            RuntimeError,
            "Device 'foo' does not have a corresponding",
        ),
        (lambda: _utils._dummy_type("X")(), RuntimeError, "Tried to instantiate dummy base class X"),
        (lambda: _utils._get_async_or_non_blocking("f", False, {"b": 1}), TypeError, "argument 'b'"),
        (lambda: _utils.nothing, AttributeError, "has no attribute 'nothing'"),
        (lambda: _foreach_utils._group_tensors_by_device_and_dtype([]), RuntimeError, "at least one list"),
        (lambda: _foreach_utils._group_tensors_by_device_and_dtype([[A], [A, A]]), RuntimeError, r"\[1, 2\]"),
        (
            lambda: _foreach_utils._group_tensors_by_device_and_dtype([[None]]),
            RuntimeError,
            "the 0-th Tensor is not",
        ),
        (lambda: _typing_utils.not_none(None), TypeError, "value was None"),
    ],
)
def test_refusals(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_tensors_are_taken_in_groups():
    twin = A + 1
    groups = [[id(x) for x in group] for group in _utils._take_tensors([A, FIVE, twin, A], 50)]
    assert groups == [[id(A), id(twin)], [id(A)], [id(FIVE)]]
    ordered = _utils._reorder_tensors_as([A, twin, FIVE], [twin, FIVE, A])
    assert [id(x) for x in ordered] == [id(A), id(FIVE), id(twin)]


def test_there_is_no_accelerator():
    assert _utils._get_available_device_type() is _utils._get_all_device_indices() is None
    assert _utils.get_current_device_index() == _utils._get_device_index("cpu", allow_cpu=True) == -1
    assert _utils._get_device_index(3) == 3 and _utils._get_device_index(None, optional=True) is None
    assert _utils._get_device_module("cpu") is torch.cpu and _utils._get_devices_properties([0]) == [None]


def test_sizes_and_parts_of_dtypes():
    sizes = [_utils._element_size(d) for d in (torch.bool, torch.complex64, torch.bfloat16)]
    assert sizes == [1, 8, 2]
    assert _utils._handle_complex(torch.ones(1, dtype=torch.complex64)).tolist() == [[1, 0]]
    lazy = torch.nn.LazyLinear(1).weight
    assert _utils._handle_complex(A) is A and _utils._handle_complex(lazy) is lazy


def test_helpers_for_python():
    class Layer:
        title = _utils.classproperty(lambda cls: cls.__name__)

    assert Layer.title == Layer().title == "Layer"
    assert _utils.try_import("math").pi > 3 and _utils.try_import("no_such_module") is None
    assert _utils._import_dotted_name("collections.OrderedDict").__name__ == "OrderedDict"
    with pytest.warns(UserWarning, match="'async' is deprecated"):
        assert _utils._get_async_or_non_blocking("f", False, {"async": True})
    assert _import_utils._check_module_exists("math") and not _import_utils._check_module_exists(
        "no_such.module"
    )
    assert _typing_utils.copy_func_params(len)(max) is max and _utils.cpu_count() >= 1


def test_modules_of_functions_are_set():
    def function():
        pass

    torch.utils.set_module(function, "mine")
    assert function.__module__ == "mine"
    with pytest.raises(TypeError, match="The mod argument should be a string"):
        torch.utils.set_module(function, torch)
    with pytest.warns(UserWarning, match="`torch._utils.is_compiling` is deprecated"):
        assert _utils.is_compiling() is False


def test_warnings_of_2017_can_be_switched_on():
    assert torch.utils.backcompat.broadcast_warning.enabled is False
    torch.utils.backcompat.keepdim_warning.enabled = True
    assert torch.ones(2, 3).sum(1).shape == (2,)
    torch.utils.backcompat.keepdim_warning.enabled = False


def test_one_callback_that_fails_does_not_keep_others_from_being_called(caplog):
    seen = []
    registry = _utils.CallbackRegistry("steps")
    registry.add_callback(lambda x: 1 / x)
    registry.add_callback(seen.append)
    registry.fire_callbacks(0)
    assert seen == [0] and "ZeroDivisionError" in caplog.text


def test_tensors_are_grouped_by_dtype():
    group = _foreach_utils._group_tensors_by_device_and_dtype
    found = group([[A, FIVE, A], [EMPTY, None, None], []], with_indices=True)
    assert {dtype: places for (_, dtype), (_, places) in found.items()} == {
        torch.float32: [0, 2],
        torch.int64: [1],
    }
    (first, second, third), _ = found[torch.device("cpu"), torch.float32]
    assert (
        [x is A for x in first] == [True, True] and second[0] is EMPTY and second[1] is None and third == []
    )
    assert group([[A]])[torch.device("cpu"), torch.float32][1] == []
    cpu = torch.device("cpu")
    assert _foreach_utils._has_foreach_support([A, None], cpu)
    assert not _foreach_utils._has_foreach_support([torch.nn.Parameter(A)], cpu)
    assert "cpu" in _foreach_utils._get_fused_kernels_supported_devices()
    assert "cpu" not in _foreach_utils._get_foreach_kernels_supported_devices()


def test_a_baton_is_held_by_one(tmp_path):
    path = tmp_path / "lock"
    mine, other = FileBaton(path), FileBaton(path, wait_seconds=0, warn_after_seconds=0)
    assert mine.try_acquire() and not other.try_acquire()
    mine.release()
    other.wait()
    assert other.try_acquire() and path.exists()
    other.release()


def test_reductions_have_numbers():
    from minigrad.nn import _reduction

    assert [_reduction.get_enum(name) for name in ("none", "mean", "sum")] == [0, 1, 2]
    with pytest.warns(UserWarning, match="'elementwise_mean' is deprecated"):
        assert _reduction.get_enum("elementwise_mean") == 1
    with pytest.warns(UserWarning, match="please use reduction='sum' instead"):
        assert _reduction.legacy_get_enum(False, None) == 2
    assert _reduction.legacy_get_string(None, False, emit_warning=False) == "none"
    with pytest.raises(ValueError, match="max is not a valid value for reduction"):
        _reduction.get_enum("max")


def test_dense_tensors_are_dense():
    x = A * 2
    assert x.to_dense() is x and x.to_dense(torch.float64).dtype == torch.float64
    assert torch._sample_dirichlet(torch.tensor(2.0)).shape == ()
