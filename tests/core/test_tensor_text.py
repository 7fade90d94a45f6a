"""The text of tensors: strings recorded from PyTorch, and a comparison with PyTorch on random arrays."""

import math

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minigrad._display import tensor_text

NAN, INF = math.nan, math.inf


@pytest.fixture(autouse=True, scope="module")
def _default_options():
    tensor_text.set_printoptions(profile="default")
    yield
    tensor_text.set_printoptions(profile="default")


def text(array, dtype_name=None, default="float32", **kwargs):
    """The text of a tensor that holds ``array``, named after the array's dtype."""
    array = np.asarray(array)
    return tensor_text.tensor_text(
        array, dtype_name=dtype_name or array.dtype.name, default_dtype_name=default, **kwargs
    )


def of(dtype, values):
    return np.array(values, dtype=dtype)


@pytest.mark.parametrize(
    "value, expected",
    [
        (np.float32(3.0), "tensor(3.)"),
        (np.float32(-0.0), "tensor(-0.)"),
        (np.float32(math.pi), "tensor(3.1416)"),
        (np.float32(1e-5), "tensor(1.0000e-05)"),
        (np.float32(1e9), "tensor(1.0000e+09)"),
        (np.float32(NAN), "tensor(nan)"),
        (np.float32(-INF), "tensor(-inf)"),
        (np.float64(0.1), "tensor(0.1000, dtype=torch.float64)"),
        (np.int64(-7), "tensor(-7)"),
        (np.uint8(255), "tensor(255, dtype=torch.uint8)"),
        (np.bool_(True), "tensor(True)"),
        (np.complex64(1 + 2j), "tensor(1.+2.j)"),
        (np.complex64(complex(0.5, -0.0)), "tensor(0.5000-0.j)"),
        (np.complex64(complex(NAN, -INF)), "tensor(nan-infj)"),
    ],
)
def test_zero_dimensional_tensor_prints_without_brackets(value, expected):
    assert text(value) == expected


@pytest.mark.parametrize(
    "values, expected",
    [
        ([1, 2], "tensor([1., 2.])"),
        ([0.0, -0.0], "tensor([0., -0.])"),
        ([1, -20, 300], "tensor([  1., -20., 300.])"),
        ([1, 2, 3.5], "tensor([1.0000, 2.0000, 3.5000])"),
        ([-0.0, 0.5], "tensor([-0.0000, 0.5000])"),
        ([1, NAN, INF, -INF], "tensor([1., nan, inf, -inf])"),
        ([100, NAN, INF, -INF], "tensor([100.,  nan,  inf, -inf])"),
        ([1.5, NAN, INF, -INF], "tensor([1.5000,    nan,    inf,   -inf])"),
        ([NAN, INF, 0], "tensor([nan, inf, 0.])"),
        ([1e-5, NAN, -1], "tensor([ 1.0000e-05,         nan, -1.0000e+00])"),
        ([1000, 1], "tensor([1000.,    1.])"),
        ([1001, 1], "tensor([1.0010e+03, 1.0000e+00])"),
        ([1e8], "tensor([100000000.])"),
        ([2e8], "tensor([2.0000e+08])"),
        ([1.1e-4], "tensor([0.0001])"),
        ([0.9e-4], "tensor([9.0000e-05])"),
        ([1e-45, 3e38], "tensor([1.4013e-45, 3.0000e+38])"),
    ],
)
def test_floats_share_one_notation(values, expected):
    assert text(of("float32", values)) == expected


@pytest.mark.parametrize(
    "array, expected",
    [
        (of("int64", [1, -10]), "tensor([  1, -10])"),
        (of("int32", [1, 10]), "tensor([ 1, 10], dtype=torch.int32)"),
        (of("int8", [-128, 127]), "tensor([-128,  127], dtype=torch.int8)"),
        (of("uint64", [2**64 - 1]), "tensor([18446744073709551615], dtype=torch.uint64)"),
        (of("bool", [True, False]), "tensor([ True, False])"),
        (of("bool", [True, True]), "tensor([True, True])"),
    ],
)
def test_integers_and_booleans_are_right_aligned(array, expected):
    assert text(array) == expected


@pytest.mark.parametrize(
    "values, expected",
    [
        ([1 + 2j, 3 - 4j], "tensor([1.+2.j, 3.-4.j])"),
        ([1.5 + 2j, complex(-1, -0.0)], "tensor([ 1.5000+2.j, -1.0000-0.j])"),
        ([1 + 10j, 10 + 1j], "tensor([ 1.+10.j, 10.+1.j])"),
        ([1e-6 + 1j, 1 + 0.25j], "tensor([1.0000e-06+1.0000j, 1.0000e+00+0.2500j])"),
        ([complex(NAN, NAN), complex(INF, 1)], "tensor([nan+nanj, inf+1.j])"),
    ],
)
def test_complex_parts_choose_their_notation_separately(values, expected):
    assert text(of("complex64", values)) == expected


def test_low_precision_floats_print_their_exact_values():
    assert text(of("float16", [0.1, 65504])) == "tensor([9.9976e-02, 6.5504e+04], dtype=torch.float16)"
    assert (
        text(of("float32", [0.10009765625, 1]), "bfloat16")
        == "tensor([0.1001, 1.0000], dtype=torch.bfloat16)"
    )


@pytest.mark.parametrize(
    "dtype, default, shown",
    [
        ("float32", "float32", False),
        ("float64", "float32", True),
        ("float64", "float64", False),
        ("float32", "float64", True),
        ("float16", "float16", False),
        ("complex64", "float32", False),
        ("complex128", "float32", True),
        ("complex128", "float64", False),
        ("complex64", "float64", True),
        ("complex64", "float16", False),
        ("int64", "float32", False),
        ("bool", "float32", False),
        ("int32", "float32", True),
        ("uint8", "float64", True),
    ],
)
def test_dtype_is_shown_unless_the_entries_imply_it(dtype, default, shown):
    assert text(np.ones(2, dtype), default=default).endswith(f", dtype=torch.{dtype})") == shown


@pytest.mark.parametrize(
    "array, default, expected",
    [
        (np.empty(0, "float32"), "float32", "tensor([])"),
        (np.empty((0, 3), "float32"), "float32", "tensor([], size=(0, 3))"),
        (np.empty((2, 0, 4), "float32"), "float32", "tensor([], size=(2, 0, 4))"),
        (np.empty(0, "int64"), "float32", "tensor([], dtype=torch.int64)"),
        (np.empty(0, "bool"), "float32", "tensor([], dtype=torch.bool)"),
        (np.empty(0, "complex64"), "float32", "tensor([], dtype=torch.complex64)"),
        (np.empty((1, 0), "float64"), "float32", "tensor([], size=(1, 0), dtype=torch.float64)"),
        (np.empty((1, 0), "float64"), "float64", "tensor([], size=(1, 0))"),
    ],
)
def test_empty_tensor_shows_its_size_and_any_dtype_but_the_default(array, default, expected):
    assert text(array, default=default) == expected


def test_inner_brackets_line_up():
    expected = """\
tensor([[[ 0,  1],
         [ 2,  3]],

        [[ 4,  5],
         [ 6,  7]],

        [[ 8,  9],
         [10, 11]]])"""
    assert text(np.arange(12, dtype="int64").reshape(3, 2, 2)) == expected


def test_outer_dimensions_are_set_apart_by_more_empty_lines():
    assert text(np.arange(4, dtype="int64").reshape(2, 1, 2, 1)) == (
        "tensor([[[[0],\n          [1]]],\n\n\n        [[[2],\n          [3]]]])"
    )


def test_long_rows_wrap_at_the_line_width():
    expected = """\
tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,
        14., 15., 16., 17.])"""
    assert text(np.arange(18, dtype="float32")) == expected


def test_complex_rows_wrap_by_the_width_of_both_parts():
    with tensor_text.printoptions(linewidth=35):
        values = of("complex64", [1 + 1j, 2 + 10j, 3 + 1j, 4 + 1j])
        assert text(values) == "tensor([1.+1.j, 2.+10.j, 3.+1.j,\n        4.+1.j])"


def test_zeros_alone_count_one_column_each():
    lines = text(np.zeros(30, "float32")).splitlines()
    assert [line.count(".") for line in lines] == [24, 6]


def test_line_narrower_than_an_entry_holds_one_entry():
    with tensor_text.printoptions(linewidth=1):
        assert text(of("int64", [1, 2])) == "tensor([1,\n        2])"


def test_non_contiguous_array_prints_in_row_major_order():
    array = np.arange(6, dtype="int64").reshape(2, 3)
    assert text(array.T) == "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])"
    assert text(array[:, ::-1]) == "tensor([[2, 1, 0],\n        [5, 4, 3]])"


def test_summary_starts_above_the_threshold():
    assert "..." not in text(np.arange(1000))
    assert text(np.arange(1001)) == "tensor([   0,    1,    2,  ...,  998,  999, 1000])"


def test_summary_shortens_each_dimension_that_is_longer_than_both_edges():
    expected = """\
tensor([[   0,    1,    2,  ...,   97,   98,   99],
        [ 100,  101,  102,  ...,  197,  198,  199],
        [ 200,  201,  202,  ...,  297,  298,  299],
        ...,
        [1700, 1701, 1702,  ..., 1797, 1798, 1799],
        [1800, 1801, 1802,  ..., 1897, 1898, 1899],
        [1900, 1901, 1902,  ..., 1997, 1998, 1999]])"""
    assert text(np.arange(2000, dtype="int64").reshape(20, 100)) == expected
    with tensor_text.printoptions(threshold=5, edgeitems=1):
        expected = """\
tensor([[[ 0,  1],
         ...,
         [ 4,  5]],

        ...,

        [[12, 13],
         ...,
         [16, 17]]])"""
        assert text(np.arange(18, dtype="int64").reshape(3, 3, 2)) == expected


def test_left_out_entries_do_not_decide_the_notation():
    array = np.ones(2000, "float32")
    array[1000] = 1e-9
    assert text(array) == "tensor([1., 1., 1.,  ..., 1., 1., 1.])"


def test_no_edge_items_leave_an_ellipsis_and_the_size():
    with tensor_text.printoptions(edgeitems=0, threshold=2):
        assert text(np.ones((2, 3), "float32")) == "tensor([...], size=(2, 3))"
        assert text(np.ones(3, "float64")) == "tensor([...], size=(3,), dtype=torch.float64)"
        assert text(np.ones(2, "float32")) == "tensor([1., 1.], size=(2,))"
    with tensor_text.printoptions(edgeitems=0, threshold=0):
        assert text(np.float32(1)) == "tensor(1., size=())"


def test_suffixes_follow_size_and_dtype():
    assert text(of("float32", [1, 2]), suffixes=["grad_fn=<MulBackward0>"]) == (
        "tensor([1., 2.], grad_fn=<MulBackward0>)"
    )
    assert text(np.empty((0, 1)), suffixes=["requires_grad=True", "tangent=tensor([])"]) == (
        "tensor([], size=(0, 1), dtype=torch.float64, requires_grad=True,\n       tangent=tensor([]))"
    )


@pytest.mark.parametrize("length, wrapped", [(13, False), (14, True)])
def test_suffix_that_would_not_fit_goes_to_a_new_line(length, wrapped):
    entries = "tensor([0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]"
    suffix = "x" * length
    expected = entries + (",\n       " if wrapped else ", ") + suffix + ")"
    assert text(np.zeros(14, "float32"), suffixes=[suffix]) == expected


def test_suffixes_fill_each_line_in_turn():
    suffixes = ["device='nowhere'", "size=(10,)", "grad_fn=<AddBackward0>", "tangent=1"]
    with tensor_text.printoptions(linewidth=36):
        assert text(np.ones(3, "float32"), suffixes=suffixes) == (
            "tensor([1., 1., 1.],\n       device='nowhere', size=(10,),\n       "
            "grad_fn=<AddBackward0>,\n       tangent=1)"
        )


def test_last_line_of_the_entries_takes_the_suffix():
    expected = """\
tensor([[0.0000, 0.2500, 0.5000],
        [0.7500, 1.0000, 1.2500]], grad_fn=<DivBackward0>)"""
    array = (np.arange(6, dtype="float32") / 4).reshape(2, 3)
    assert text(array, suffixes=["grad_fn=<DivBackward0>"]) == expected


def test_prefix_sets_the_indentation():
    array = of("float64", [[1], [2]])
    assert text(array, prefix="MyTensor(") == "MyTensor([[1.],\n          [2.]], dtype=torch.float64)"
    assert text(array, prefix="x(", indent=4) == "x([[1.],\n     [2.]], dtype=torch.float64)"


def test_contents_replace_the_entries_only():
    assert text(np.ones((2, 2)), contents="<hidden>") == "tensor(<hidden>, dtype=torch.float64)"


@pytest.mark.parametrize(
    "options, values, expected",
    [
        ({"precision": 2}, [1.2345, 10], "tensor([ 1.23, 10.00])"),
        ({"precision": 0}, [1.5, 10], "tensor([ 2, 10])"),
        ({"precision": 2, "sci_mode": True}, [1.2345, 10], "tensor([1.23e+00, 1.00e+01])"),
        ({"sci_mode": True}, [1, 100], "tensor([1.0000e+00, 1.0000e+02])"),
        ({"sci_mode": True}, [0, NAN], "tensor([0., nan])"),
        ({"sci_mode": False}, [1e-6, 1e6], "tensor([      0.0000, 1000000.0000])"),
        ({"sci_mode": False}, [1, 1e10], "tensor([          1., 10000000000.])"),
        ({"profile": "short"}, [0.125, 3], "tensor([0.12, 3.00])"),
    ],
)
def test_options_shape_the_numbers(options, values, expected):
    with tensor_text.printoptions(**options):
        assert text(of("float32", values)) == expected


def test_full_profile_never_summarises():
    with tensor_text.printoptions(profile="full"):
        assert text(np.arange(5000)).count(",") == 4999


def test_ratio_of_magnitudes_may_overflow():
    assert text(of("float64", [5e-324, 1e308])) == "tensor([4.9407e-324, 1.0000e+308], dtype=torch.float64)"


def test_profile_is_applied_before_the_other_options():
    with tensor_text.printoptions(profile="short", precision=7):
        assert tensor_text.get_printoptions() == {
            "precision": 7,
            "threshold": 1000,
            "edgeitems": 2,
            "linewidth": 80,
            "sci_mode": None,
        }
    with tensor_text.printoptions(profile="full"):
        assert tensor_text.get_printoptions()["threshold"] == INF


def test_options_not_given_stay_except_sci_mode():
    with tensor_text.printoptions(precision=7, sci_mode=True):
        tensor_text.set_printoptions(linewidth=100)
        now = tensor_text.get_printoptions()
    assert (now["precision"], now["linewidth"], now["sci_mode"]) == (7, 100, None)


def test_changing_the_returned_options_changes_nothing():
    tensor_text.get_printoptions()["precision"] = 9
    assert tensor_text.get_printoptions()["precision"] == 4


def test_options_return_to_their_old_values_after_an_exception():
    with pytest.raises(KeyError), tensor_text.printoptions(precision=9, sci_mode=True):
        raise KeyError
    assert tensor_text.get_printoptions() == {
        "precision": 4,
        "threshold": 1000,
        "edgeitems": 3,
        "linewidth": 80,
        "sci_mode": None,
    }


FLOATS = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
INTEGERS = ["bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"]

shapes = st.one_of(
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5),
    hnp.array_shapes(min_dims=1, max_dims=2, min_side=1, max_side=45),
)
kinds_of_numbers = [
    st.integers(-9, 9).map(float),
    st.integers(-(10**12), 10**12).map(float),
    st.integers(-999, 999).map(lambda n: n / 8),
    st.sampled_from([0.0, -0.0, NAN, INF, -INF, 1.0, 0.5]),
    st.sampled_from([1e-4, 0.99e-4, 1e8, 1.01e8, 1000.0, 1001.0, 1.0, 0.00005, 0.99995]),
    st.builds(lambda digits, power: digits * 10.0**power, st.floats(-1, 1), st.integers(-12, 12)),
    st.floats(),
    st.one_of(st.sampled_from([0.0, -0.0, NAN, INF, -INF]), st.floats(0.01, 100)),
]


@st.composite
def arrays(draw, dtype):
    """An array of a few numbers of one kind: with all kinds in one, most texts would look alike."""
    shape = draw(shapes)
    order = np.random.default_rng(draw(st.integers(0, 999)))

    def drawn(numbers, dtype):
        pool = np.array(draw(st.lists(numbers, min_size=1, max_size=10)), dtype)
        return pool[order.integers(len(pool), size=shape)]

    if dtype in INTEGERS:
        return np.asarray(drawn(hnp.from_dtype(np.dtype(dtype)), dtype))
    with np.errstate(over="ignore"):
        array = np.asarray(drawn(draw(st.sampled_from(kinds_of_numbers)), "float64"))
        if dtype not in COMPLEX:
            return array.astype("float32" if dtype == "bfloat16" else dtype)
        both = np.empty(shape, "complex128")
        both.real, both.imag = array, drawn(draw(st.sampled_from(kinds_of_numbers)), "float64")
        return both.astype(dtype)


print_options = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.integers(0, 9),
        "threshold": st.sampled_from([0, 3, 10, 30, INF]),
        "edgeitems": st.integers(0, 4),
        "linewidth": st.sampled_from([1, 15, 40, 79, 120, 400]),
        "profile": st.sampled_from(["default", "short", "full", "unknown"]),
        "sci_mode": st.sampled_from([None, True, False]),
    },
)


@pytest.mark.torch
@settings(max_examples=400, deadline=None)
@given(
    data=st.data(),
    dtype=st.sampled_from(FLOATS * 3 + COMPLEX * 3 + INTEGERS),
    default=st.sampled_from(["float32", "float64", "float16", "bfloat16"]),
    options=print_options,
    requires_grad=st.booleans(),
)
def test_text_is_that_of_torch(data, dtype, default, options, requires_grad):
    torch = pytest.importorskip("torch")
    array = data.draw(arrays(dtype))
    tensor = torch.from_numpy(array.copy()).to(getattr(torch, dtype))
    if dtype == "bfloat16":
        array = tensor.to(torch.float32).numpy()
    suffixes = []
    if requires_grad and dtype not in INTEGERS:
        tensor = tensor.requires_grad_().clone()
        suffixes = ["grad_fn=<CloneBackward0>"]
    before = torch.get_default_dtype()
    torch.set_default_dtype(getattr(torch, default))
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**options)
    try:
        expected = repr(tensor)
        expected_options = torch._tensor_str.get_printoptions()
    finally:
        torch.set_default_dtype(before)
        torch.set_printoptions(profile="default")
    with tensor_text.printoptions(**options):
        assert tensor_text.get_printoptions() == expected_options
        assert text(array, dtype, default, suffixes=suffixes) == expected
