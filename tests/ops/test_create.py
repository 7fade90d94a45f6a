"""Making tensors: from data, from NumPy, filled, in sequence, like another."""

import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import minigrad as torch

nan = float("nan")


@pytest.mark.parametrize(
    "data, dtype, values",
    [
        (1.5, "float32", 1.5), (3, "int64", 3), (True, "bool", True), (1j, "complex64", 1j), ([], "float32", []), ([[]], "float32", [[]]),
        ([1, 2.5], "float32", [1, 2.5]), ([1, True], "int64", [1, 1]), ([True, False], "bool", [True, False]), ([1j, 2], "complex64", [1j, 2]),
        ((1, (2,))[0:1], "int64", [1]), (range(3), "int64", [0, 1, 2]), (np.float64(2), "float64", 2), (np.float32(2), "float32", 2),
        ([np.float64(1), 2], "float64", [1, 2]), ([np.float32(1), 2], "float32", [1, 2]), ([np.int8(1)], "int8", [1]),
        (np.array([1.5]), "float64", [1.5]), ([2**40], "int64", [2**40]),
        ([torch.tensor(1.0), torch.tensor(2)], "float32", [1, 2]), ([[1, 2], (3, 4)], "int64", [[1, 2], [3, 4]]),
        (bytearray(b"ab"), "int64", [97, 98]), (1e50, "float32", float("inf")),
    ],
)  # fmt: skip
def test_dtype_follows_from_the_data(data, dtype, values):
    x = torch.tensor(data)
    assert x.dtype is getattr(torch, dtype) and x.tolist() == values and not x.requires_grad


@pytest.mark.parametrize(
    "data, dtype, values",
    [
        ([1, 2], "float64", [1, 2]), (1.7, "int64", 1), ([-1.7], "int32", [-1]), ([-1], "uint8", [255]), ([2, 0], "bool", [True, False]),
        ([70000.0], "float16", [float("inf")]), (10**30, "float32", float(np.float32(1e30))), (2**63, "uint64", 2**63), ([1.5], "complex64", [1.5]),
        (np.array([1.9]), "int64", [1]),
    ],
)  # fmt: skip
def test_data_as_a_dtype(data, dtype, values):
    x = torch.tensor(data, dtype=getattr(torch, dtype))
    assert x.dtype is getattr(torch, dtype) and x.tolist() == values


@given(
    npst.arrays(
        st.sampled_from([np.float64, np.int64, np.bool_, np.complex128]),
        npst.array_shapes(min_dims=0, max_side=4),
    )
)
@settings(max_examples=40, deadline=None)
def test_nested_lists_come_back_as_they_were(array):
    x = torch.tensor(array.tolist(), dtype=torch.from_numpy(array).dtype)
    np.testing.assert_array_equal(x.numpy(), array)
    assert repr(x.tolist()) == repr(array.tolist())


@pytest.mark.parametrize(
    "data, error, message",
    [
        ([[1, 2], [3]], ValueError, r"expected sequence of length 2 at dim 1 \(got 1\)"),
        ([[1, 2], 3], TypeError, "not a sequence"),
        ("a", TypeError, r"new\(\): invalid data type 'str'"),
        (["a"], ValueError, "too many dimensions 'str'"),
        ([["a"], [1]], ValueError, "too many dimensions 'str'"),
        ([1, "a"], TypeError, r"new\(\): invalid data type 'str'"),
        ([[1], ["a"]], TypeError, r"new\(\): invalid data type 'str'"),
        (None, RuntimeError, "Could not infer dtype of NoneType"),
        ([None], RuntimeError, "Could not infer dtype of NoneType"),
        ({}, RuntimeError, "Could not infer dtype of dict"),
        ({1, 2}, RuntimeError, "Could not infer dtype of set"),
        ([torch.ones(2), torch.ones(2)], ValueError, "only one element tensors can be converted to Python scalars"),
        (2**64, ValueError, "Overflow when unpacking long long"),
        ([2**64], ValueError, "Overflow when unpacking long long"),
        (np.array(["a"]), TypeError, "can't convert np.ndarray of type numpy.str_"),
        (np.str_("a"), TypeError, r"new\(\): invalid data type 'numpy.str_'"),
        (np.bytes_(b"a"), TypeError, r"new\(\): invalid data type 'numpy.bytes_'"),
        ([b"a"], TypeError, r"new\(\): invalid data type 'bytes'"),
        (np.array([1], ">i4"), ValueError, "byte order different from the native byte order"),
    ],
)  # fmt: skip
def test_data_that_is_no_tensor(data, error, message):
    with pytest.raises(error, match=message):
        torch.tensor(data)


@pytest.mark.parametrize(
    "data, dtype, error, message",
    [
        ([300], "uint8", RuntimeError, "value cannot be converted to type uint8 without overflow"),
        ([1e20], "int64", RuntimeError, "value cannot be converted to type int64 without overflow"),
        ([nan], "int64", RuntimeError, "value cannot be converted to type int64 without overflow"),
        ([1j], "float32", TypeError, "must be real number, not complex"),
        ([1j], "int64", TypeError, "'complex' object cannot be interpreted as an integer"),
        ([2**70], "int32", ValueError, "Overflow when unpacking long long"),
        (2**70, "int32", ValueError, "Overflow when unpacking long long"),
        ([np.uint64(2**63)], "int64", ValueError, "Overflow when unpacking long long"),
        ({}, "float32", TypeError, "must be real number, not dict"),
        (None, "complex64", TypeError, "must be real number, not NoneType"),
        (iter([1]), "float64", TypeError, "must be real number, not list_iterator"),
        ({1}, "bool", TypeError, "'set' object cannot be interpreted as an integer"),
        (np.bytes_(b"a"), "float32", TypeError, r"new\(\): invalid data type 'numpy.bytes_'"),
        (1, "'x'", TypeError, r"tensor\(\): argument 'dtype' must be torch.dtype, not str"),
    ],
)
def test_data_that_does_not_fit_the_dtype(data, dtype, error, message):
    with pytest.raises(error, match=message):
        torch.tensor(data, dtype=getattr(torch, dtype, dtype))


def test_what_has_a_float_is_a_number_where_floats_are_wanted():
    half = Fraction(1, 2)
    assert torch.tensor(half, dtype=torch.float32).item() == 0.5
    assert torch.tensor([[half, 1], [Decimal(2), 3j]], dtype=torch.complex64).tolist() == [[0.5, 1], [2, 3j]]
    assert torch.tensor([1j, 0j], dtype=torch.bool).tolist() == [True, False]
    for data, dtype in ((half, None), ([half], None)):
        with pytest.raises(RuntimeError, match="Could not infer dtype of Fraction"):
            torch.tensor(data, dtype=dtype)


def test_the_largest_integers_of_numpy():
    most = np.uint64(2**64 - 1)
    assert torch.tensor([most, np.uint64(1)]).tolist() == [2**64 - 1, 1]
    assert torch.tensor([most, 1.5], dtype=torch.float64).tolist() == [2.0**64, 1.5]


def test_tensor_of_a_tensor_copies_and_warns():
    x = torch.ones(2, requires_grad=True)
    with pytest.warns(UserWarning, match="To copy construct from a tensor"):
        y = torch.tensor(x)
    assert not y.requires_grad and y.data_ptr() != x.data_ptr()


def test_requires_grad_needs_a_floating_dtype():
    assert torch.tensor([1.0], requires_grad=True).requires_grad
    assert torch.zeros(2, requires_grad=True).is_leaf
    for make in (
        lambda: torch.tensor([1], requires_grad=True),
        lambda: torch.ones(2, dtype=torch.int64, requires_grad=True),
    ):
        with pytest.raises(
            RuntimeError, match="Only Tensors of floating point and complex dtype can require gradients"
        ):
            make()


def test_default_dtype_decides():
    torch.set_default_dtype(torch.float64)
    try:
        assert torch.tensor([1.5]).dtype is torch.zeros(1).dtype is torch.arange(1.0).dtype is torch.float64
        assert torch.tensor([1j]).dtype is torch.complex128 and torch.full((1,), 2.0).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


# NumPy and buffers -------------------------------------------------------------------------------------------------------------


def test_from_numpy_shares_memory():
    array = np.arange(6.0).reshape(2, 3)
    x = torch.from_numpy(array.T)
    array[0, 1] = 9
    assert x[1, 0].item() == 9 and x.stride() == (1, 3)
    x.zero_()
    assert not array.any()


@pytest.mark.parametrize("wrong", ["a", None])
def test_what_is_no_number_is_refused_in_words_for_the_dtype(wrong):
    kind = type(wrong).__name__
    with pytest.raises(TypeError, match=f"^must be real number, not {kind}$"):
        torch.tensor([1, wrong], dtype=torch.float32)
    with pytest.raises(TypeError, match=f"^'{kind}' object cannot be interpreted as an integer$"):
        torch.LongTensor([1, wrong])


def test_from_numpy_refuses():
    with pytest.raises(TypeError, match=r"expected np.ndarray \(got list\)"):
        torch.from_numpy([1])
    for make in (torch.from_numpy, torch.as_tensor, torch.tensor):
        with pytest.raises(ValueError, match="negative"):
            make(np.ones(3)[::-1])
    array = np.ones(2)
    array.flags.writeable = False
    with pytest.warns(UserWarning, match="not writable"):
        torch.from_numpy(array)


@pytest.mark.parametrize("make", [torch.tensor, torch.as_tensor, torch.asarray, torch.ones(1).new_tensor])
def test_lists_of_arrays_warn_once_that_they_are_slow(make):
    arrays = [np.array([1, 2]), np.array([4, 3])[::-1]]
    with pytest.warns(
        UserWarning, match="Creating a tensor from a list of numpy.ndarrays is extremely slow"
    ) as caught:
        assert [make(arrays).tolist(), make([arrays]).tolist()] == [[[1, 2], [3, 4]], [[[1, 2], [3, 4]]]]
    assert len(caught) == 1


def test_as_tensor_and_asarray_copy_only_where_needed():
    x, array = torch.ones(2), np.ones(2)
    assert torch.as_tensor(x) is x and torch.asarray(x) is x and torch.as_tensor(x, dtype=torch.float32) is x
    assert torch.as_tensor(array).data_ptr() == array.ctypes.data == torch.asarray(array).data_ptr()
    assert torch.as_tensor(array, dtype=torch.float32).dtype is torch.float32
    assert torch.as_tensor([1, 2]).tolist() == [1, 2]
    assert torch.asarray(x, copy=True).data_ptr() != x.data_ptr()
    assert torch.asarray([1.0], requires_grad=True).requires_grad
    with pytest.raises(ValueError, match="can't alias arbitrary sequence into a tensor"):
        torch.asarray([1, 2], copy=False)
    with pytest.raises(ValueError, match="can't alias tensor with dtype 'Float' into dtype 'Double'"):
        torch.asarray(x, dtype=torch.float64, copy=False)


def test_as_tensor_keeps_history():
    x = torch.ones(2, requires_grad=True)
    assert type(torch.as_tensor(x, dtype=torch.float64).grad_fn).__name__ == "ToCopyBackward0"


def test_frombuffer_shares_memory():
    memory = bytearray(8)
    x = torch.frombuffer(memory, dtype=torch.int16)
    x[1] = 258
    assert memory[2:4] == b"\x02\x01"
    assert torch.frombuffer(memory, dtype=torch.uint8, count=2, offset=2).tolist() == [2, 1]
    for kwargs, message in (
        ({"offset": 8}, "offset"),
        ({"count": 5}, "requested buffer length"),
        ({"offset": 1}, "multiple of element size"),
    ):
        with pytest.raises(ValueError, match=message):
            torch.frombuffer(memory, dtype=torch.int16, **kwargs)


def test_from_dlpack_of_an_array():
    array = np.arange(3.0)
    x = torch.from_dlpack(array)
    array[0] = 5
    assert x.tolist() == [5, 1, 2]


# Filled ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, value", [("zeros", 0), ("ones", 1)])
@pytest.mark.parametrize("size", [(2, 3), ((2, 3),), ([2, 3],), (torch.Size([2, 3]),), (np.int64(2), 3)])
def test_ways_to_give_a_size(name, value, size):
    x = getattr(torch, name)(*size)
    assert x.shape == (2, 3) and (x == value).all() and x.dtype is torch.float32
    assert (
        torch.empty(*size).shape
        == getattr(torch, name)(size=(2, 3)).shape
        == x.new_empty(*size).shape
        == (2, 3)
    )


@pytest.mark.parametrize(
    "expression, error, message",
    [
        ("torch.zeros()", TypeError, 'zeros\\(\\) missing 1 required positional arguments: "size"'),
        ("torch.zeros(2.0)", TypeError, "argument 'size' \\(position 1\\) must be tuple of ints, not float"),
        ("torch.zeros((2.0,))", TypeError, "found element of type float at pos 0"),
        ("torch.zeros(-1)", RuntimeError, "zeros: Dimension size must be non-negative"),
        ("torch.empty(-1)", RuntimeError, r"Trying to create tensor with negative dimension -1: \[-1\]"),
        ("torch.zeros(2, names=None)", TypeError, "unexpected keyword argument 'names'"),
        ("torch.zeros(2, dtype='x')", TypeError, "argument 'dtype' must be torch.dtype, not str"),
        ("torch.zeros(2, device='cuda')", AssertionError, "Torch not compiled with CUDA enabled"),
        ("torch.zeros(2, pin_memory=True)", RuntimeError, "pin_memory=True requires"),
        ("torch.eye(2, layout=torch.sparse_coo)", RuntimeError, "to_sparse"),
        ("torch.zeros(2, out=torch.ones(2), dtype=torch.int64)", RuntimeError, "dtype Long does not match dtype of out parameter"),
        ("torch.full(2, 1)", TypeError, "argument 'size' \\(position 1\\) must be tuple of ints, not int"),
        ("torch.full((2,), 'a')", TypeError, "argument 'fill_value' \\(position 2\\) must be Number, not str"),
        ("torch.eye(-1)", RuntimeError, "n must be greater or equal to 0, got -1"),
        ("torch.arange(1, 3, -1)", RuntimeError, "upper bound and lower bound inconsistent with step sign"),
        ("torch.arange(1., 3, 0)", RuntimeError, "step must be nonzero"),
        ("torch.arange(0., float('inf'))", RuntimeError, "unsupported range"),
        ("torch.arange(1, dtype=torch.bool)", NotImplementedError, "not implemented for 'Bool'"),
        ("torch.linspace(0, 1, -1)", RuntimeError, "number of steps must be non-negative"),
        ("torch.linspace(0, 1, 2.0)", TypeError, "invalid combination of arguments"),
        ("torch.tril_indices(-1, 3)", RuntimeError, "row must be non-negative"),
        ("torch.zeros_like(2)", TypeError, r"zeros_like\(\): argument 'input' \(position 1\) must be Tensor, not int"),
        ("torch.empty_strided((2, 3), (1,))", RuntimeError, "dimensionality of sizes"),
        ("torch.empty_permuted((2, 3), (0, 0))", RuntimeError, "Duplicate dim not allowed"),
    ],
)  # fmt: skip
def test_errors_in_pytorch_s_words(expression, error, message):
    with pytest.raises(error, match=message):
        eval(expression)


def test_full_takes_the_dtype_of_its_value():
    assert [torch.full((1,), v).dtype for v in (1, 1.0, True, 1j)] == [
        torch.int64,
        torch.float32,
        torch.bool,
        torch.complex64,
    ]
    assert torch.full([2], 1.7, dtype=torch.int32).tolist() == [1, 1]
    assert torch.scalar_tensor(2).tolist() == 2.0


def test_out_takes_the_shape():
    out = torch.empty(0)
    assert torch.ones(2, 3, out=out) is out and out.shape == (2, 3)
    assert torch.arange(2, out=torch.empty(0)).dtype is torch.float32
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        torch.zeros(3, out=out)


def test_sequences_of_other_kinds():
    assert torch.linspace(0, 10, 5, dtype=torch.int64).tolist() == [0, 2, 5, 7, 10]
    assert torch.linspace(0, 1j, 3).tolist() == [0, 0.5j, 1j]
    assert torch.linspace(torch.tensor(1.0), 2, 3).tolist() == [1, 1.5, 2]
    assert torch.arange(1.5, 5, dtype=torch.int64).tolist() == [1, 2, 3, 4]
    assert torch.arange(3, 1, -1).tolist() == [3, 2]
    with pytest.warns(UserWarning, match=r"torch.range is deprecated"):
        assert torch.range(1, 3).tolist() == [1, 2, 3]


def test_strides_as_asked():
    assert torch.empty_strided((2, 3), (1, 2)).stride() == (1, 2)
    assert torch.empty_strided((2, 3), (10, 3)).stride() == (10, 3)
    assert torch.empty_permuted((2, 3, 4), (2, 0, 1)).stride() == (3, 1, 6)
    assert torch.empty(1, 2, 3, 4, memory_format=torch.channels_last).stride() == (24, 1, 8, 2)


# Like another --------------------------------------------------------------------------------------------------------------------


def test_like_another_tensor():
    x = torch.ones(2, 3, dtype=torch.float64).t()
    assert (
        torch.zeros_like(x).stride()
        == (1, 3)
        == torch.empty_like(x).stride()
        == torch.full_like(x, 2).stride()
    )
    assert torch.ones_like(x, dtype=torch.int32).dtype is torch.int32
    assert torch.full_like(x, 7).tolist() == [[7, 7]] * 3
    assert torch.zeros_like(torch.ones(3).expand(2, 3)).stride() == (3, 1)
    assert torch.zeros_like(x, memory_format=torch.contiguous_format).stride() == (2, 1)
    assert torch.full_like(torch.tensor([1]), 2.5).tolist() == [2]
    assert torch.ones_like(x, requires_grad=True).requires_grad


def test_new_methods_take_the_dtype():
    x = torch.ones(2, dtype=torch.float64)
    assert {
        x.new_zeros(2).dtype,
        x.new_ones((2,)).dtype,
        x.new_full((2,), 3).dtype,
        x.new_tensor([1]).dtype,
        x.new_empty(2).dtype,
    } == {torch.float64}
    assert x.new_zeros(2, 3, dtype=torch.int32).dtype is torch.int32
    assert x.new_empty_strided((2, 3), (1, 2)).stride() == (1, 2)
    assert torch.tensor([1]).new_tensor([1.5]).tolist() == [1]
    assert x.new([1, 2]).dtype is torch.float64
    assert x.new(2, 3).shape == (2, 3)


def test_making_tensors_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (
            torch.tensor([1e50]),
            torch.full((2,), 1e5, dtype=torch.half),
            torch.tensor([1.0]).half(),
            torch.arange(3).float() / 0,
        )
