"""Indexing at its awkward points: writing by keys of all kinds, histories, memory, masks, what counts as a key."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from minigrad._arrays import scatter_add
from tests.numeric import check_gradients

RNG = np.random.default_rng(0)
X = RNG.uniform(-1, 1, (3, 4, 5))
MASK = X > 0.2
ROWS = np.array([True, False, True])
GRID = np.array([[True, False, True, True], [False, False, True, False], [True, True, False, False]])
I, J = np.array([0, 2, -1, 0]), np.array([[1, -2], [1, 1]])

#: Keys that mean the same in NumPy; arrays become tensors.
KEYS = {
    "tensor": I, "tensor of rank 2": J, "two tensors": (I, np.array([0, 1, 1, 0])),
    "tensors that broadcast": (np.array([[0], [1]]), np.array([0, 3, 0])),
    "three tensors": (I, np.array([0, 1, 1, 0]), np.array([4, 4, 4, 4])), "slice, tensor": (slice(None), I),
    "slice, slice, tensor": (slice(None), slice(None), I), "part, tensor": (slice(1, None), np.array([1, 1, 3])),
    "tensors apart": (I, slice(None), np.array([0, 1, 1, 0])), "ellipsis, tensor": (Ellipsis, I),
    "tensor, ellipsis, tensor": (I, Ellipsis, np.array([0, 1, 1, 0])), "none, tensor": (None, I),
    "tensor, step": (I, slice(None, None, 2)), "mask": MASK, "mask of rows": ROWS, "mask of two dimensions": GRID,
    "slice, mask": (slice(None), np.array([True, False, True, True])),
    "mask, slice, tensor": (ROWS, slice(None), np.array([4, 0])), "mask of nothing": np.zeros((3, 4, 5), bool),
    "no index": np.zeros(0, int), "list": [0, 2, 0], "list of bools": [True, False, True], "tuple of lists": ([0, 2], [1, 1]),
}  # fmt: skip

#: Keys that name an element more than once.
REPEAT = {
    name for name, key in KEYS.items() if np.unique(np.arange(60).reshape(3, 4, 5)[key]).size < X[key].size
}


def as_key(key):
    """A key with tensors for arrays."""
    if isinstance(key, tuple):
        return tuple(as_key(k) for k in key)
    return torch.tensor(key) if isinstance(key, np.ndarray) else key


@pytest.mark.parametrize("name", KEYS)
def test_writing_is_numpys(name):
    key = KEYS[name]
    values = RNG.uniform(-1, 1, X[key].shape)
    for value in (values, values[..., :1], np.float64(7), 7.0, 3):
        if (
            name in ("mask", "three tensors", "mask of nothing", "tensor of rank 2", "tensors that broadcast")
            and isinstance(value, np.ndarray)
            and value.ndim
        ):
            value = values  # NumPy would have to broadcast where elements repeat
        x, expected = torch.tensor(X), X.copy()
        x[as_key(key)] = torch.tensor(value) if isinstance(value, np.ndarray) else value
        expected[key] = value
        np.testing.assert_array_equal(x.numpy(), expected)
        assert x._version == 1


@pytest.mark.parametrize("name", [name for name in KEYS if name not in REPEAT])
def test_gradients_of_writing(name):
    def write(x, y):
        x = x * 2
        x[as_key(KEYS[name])] = y
        return x * x

    check_gradients(write, X, RNG.uniform(-1, 1, X[KEYS[name]].shape))


@pytest.mark.parametrize("name", KEYS)
def test_gradients_of_adding_at_repeated_indices(name):
    key = KEYS[name] if isinstance(KEYS[name], tuple) else (KEYS[name],)
    if any(k is None or isinstance(k, slice) or k is Ellipsis for k in key):
        return
    indices = tuple(torch.tensor(np.asarray(k)) for k in key)
    check_gradients(
        lambda x, y: x.index_put(indices, y, accumulate=True).sin(),
        X,
        RNG.uniform(-1, 1, X[KEYS[name]].shape),
    )
    check_gradients(
        lambda x, y: (x * 2).index_put_(indices, y, accumulate=True),
        X,
        RNG.uniform(-1, 1, X[KEYS[name]].shape),
        order=1,
    )


def test_a_value_that_broadcasts_gets_the_sum_of_its_gradients():
    def write(x, y):
        x = x * 2
        x[torch.tensor([0, 2])] = y
        return x

    check_gradients(write, X, RNG.uniform(-1, 1, (4, 1)))
    check_gradients(write, X, np.array(0.5))


# Basic keys ------------------------------------------------------------------------------------------------------------------------

BASIC = [
    0, -1, (1, 2), (0, -1, 2), slice(None), slice(1, None), slice(None, -1), slice(None, None, 2), (slice(None), 1), (Ellipsis, 1),
    (1, Ellipsis), (0, Ellipsis, 1), Ellipsis, (), None, (None, 0), (0, None, slice(1, 3)), (slice(0, 0),), (slice(5, 9),), (Ellipsis, None),
    (slice(-2, None), slice(None), slice(1, 4, 2)),
]  # fmt: skip


@pytest.mark.parametrize("key", BASIC, ids=str)
def test_basic_keys_are_views(key):
    x = torch.tensor(X)
    z = x[key]
    assert z._base is x
    x, expected = torch.tensor(X), X.copy()
    x[key] = 3
    expected[key] = 3
    np.testing.assert_array_equal(x.numpy(), expected)


@pytest.mark.parametrize(
    "key", [key for key in BASIC if not isinstance(key, slice) or key != slice(None)], ids=str
)
def test_gradients_of_writing_through_basic_keys(key):
    def write(x, y):
        x = x * 2
        x[key] = y
        x[key] *= 3
        return x * x

    check_gradients(write, X, RNG.uniform(-1, 1, X[key].shape))
    check_gradients(write, X, np.array(0.5), order=1)


@pytest.mark.parametrize(
    "key, names",
    [
        (0, ["SelectBackward0"]),
        (slice(None), ["SliceBackward0"]),
        ((slice(None), slice(None)), ["AliasBackward0"]),
        (Ellipsis, ["AliasBackward0"]),
        ((0, slice(1, None)), ["SliceBackward0", "SelectBackward0"]),
        ((slice(1, 2), Ellipsis, None, 2), ["SelectBackward0", "UnsqueezeBackward0", "SliceBackward0"]),
        ((None, 0), ["SelectBackward0", "UnsqueezeBackward0"]),
        (True, ["IndexBackward0", "UnsqueezeBackward0"]),
        ((slice(None), [0, 1], 0), ["IndexBackward0", "SelectBackward0"]),
    ],
)
def test_nodes(key, names):
    leaf = torch.tensor(X, requires_grad=True)
    node, found = leaf[key].grad_fn, []
    while type(node).__name__ != "AccumulateGrad":
        found.append(type(node).__name__)
        node = node.next_functions[0][0]
    assert found == names


def test_saved_indices():
    x, i = torch.tensor(X, requires_grad=True), torch.tensor([0, 1])
    node = x[:, i].grad_fn
    assert node._saved_self_sym_sizes == (3, 4, 5)
    assert node._saved_indices[0] is None and node._saved_indices[1] is i


def test_integers_in_all_guises():
    x = torch.tensor(X)
    for one in (1, np.int64(1), torch.tensor(1), torch.tensor(1, dtype=torch.int16), np.array(1)):
        np.testing.assert_array_equal(x[one].numpy(), X[1])
        np.testing.assert_array_equal(x[:, one, 2:].numpy(), X[:, 1, 2:])
    assert x[torch.tensor(0) : torch.tensor(2)].shape == (2, 4, 5)


def test_true_and_false_add_a_dimension():
    x = torch.tensor(X)
    assert x[True].shape == (1, 3, 4, 5) and x[False].shape == (0, 3, 4, 5)
    assert x[torch.tensor(True), 0].shape == (1, 4, 5) and x[0, False].shape == (0, 4, 5)
    x[False] = 9
    np.testing.assert_array_equal(x.numpy(), X)
    x[True] = 9
    assert x.min().item() == 9


def test_bytes_are_masks_with_a_warning():
    with pytest.warns(UserWarning, match="indexing with dtype torch.uint8 is now deprecated"):
        z = torch.tensor(X)[torch.tensor([1, 0, 1], dtype=torch.uint8)]
    np.testing.assert_array_equal(z.numpy(), X[ROWS])


def test_a_list_that_holds_more_than_numbers_counts_as_a_tuple_with_a_warning():
    with pytest.warns(
        UserWarning, match="Using a non-tuple sequence for multidimensional indexing is deprecated"
    ):
        z = torch.tensor(X)[[[0, 1], [2, 3]]]
    np.testing.assert_array_equal(z.numpy(), X[[0, 1], [2, 3]])


# Writing: versions, histories, numbers ------------------------------------------------------------------------------------------------


def test_history_of_writes():
    leaf = torch.ones(2, 3, requires_grad=True)
    y = leaf * 2
    y[0].mul_(3)
    t = torch.full((1, 3), 5.0, requires_grad=True)
    y[1:] = t
    assert y._version == 2 and type(y.grad_fn).__name__ == "CopySlices"
    assert [f and type(f).__name__ for f, _ in y.grad_fn.next_functions] == ["CopySlices", "AccumulateGrad"]
    (y * y).sum().backward()
    assert leaf.grad.tolist() == [[72, 72, 72], [0, 0, 0]] and t.grad.tolist() == [[10, 10, 10]]


def test_history_of_writes_by_index():
    leaf, t = torch.ones(3, requires_grad=True), torch.tensor([2.0], requires_grad=True)
    y = leaf * 2
    y[torch.tensor([0])] = t
    assert type(y.grad_fn).__name__ == "IndexPutBackward0"
    z = torch.zeros(2, 2)
    z[0, torch.tensor([1])] = t
    assert type(z.grad_fn).__name__ == "CopySlices"
    (y.sum() + 3 * z.sum()).backward()
    assert leaf.grad.tolist() == [0, 2, 2] and t.grad.tolist() == [4]


def test_numbers_are_converted_to_the_tensors_dtype():
    n = torch.arange(3)
    n[0] = 2.7
    n[torch.tensor([1])] = True
    assert n.tolist() == [2, 1, 2]
    flags = torch.tensor([False, False])
    flags[0] = 2
    assert flags.tolist() == [True, False]
    with pytest.raises(RuntimeError, match="value cannot be converted to type int64_t without overflow"):
        n[0] = 1j
    with pytest.raises(RuntimeError):
        n[0] = float("inf")


def test_a_tensor_of_another_dtype_is_converted_by_a_view_but_refused_at_indices():
    x = torch.zeros(2)
    x[0] = torch.tensor(1.5, dtype=torch.float64)
    assert x.tolist() == [1.5, 0]
    with pytest.raises(
        RuntimeError,
        match="Index put requires the source and destination dtypes match, got Float for the destination and Double",
    ):
        x[torch.tensor([0])] = torch.tensor(1.0, dtype=torch.float64)


def test_writing_to_a_leaf_raises_and_under_no_grad_does_not():
    leaf = torch.ones(3, requires_grad=True)
    for key in (0, slice(None), Ellipsis, torch.tensor([0]), leaf > 0):
        with pytest.raises(
            RuntimeError,
            match="a (view of a )?leaf Variable that requires grad is being used in an in-place operation",
        ):
            leaf[key] = 2
        with torch.no_grad():
            leaf[key] = 2
    assert leaf.tolist() == [2, 2, 2] and leaf._version == 5


def test_an_index_that_was_modified_is_noticed():
    x, i = torch.ones(3, requires_grad=True), torch.tensor([0, 1])
    z = x[i]
    i[0] = 2
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        z.sum().backward()


def test_indices_are_freed_by_backward():
    x, i = torch.ones(3, requires_grad=True), torch.tensor([0, 1])
    z = x[i].sum()
    gone = weakref.ref(i)
    del i
    gc.disable()
    try:
        z.backward()
        assert gone() is None
    finally:
        gc.enable()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        z.backward()


def test_a_tensor_may_not_be_written_from_itself_by_index():
    x, i = torch.arange(3.0), torch.tensor([2, 1, 0])
    for write in (lambda: x.index_put_((i,), x), lambda: i.index_put_((i,), i), lambda: x.__setitem__(i, x)):
        with pytest.raises(
            RuntimeError,
            match="some elements of the input tensor and the written-to tensor refer to a single memory location",
        ):
            write()


def test_a_view_is_not_copied_to_one_that_it_overlaps():
    x = torch.arange(5.0)
    with pytest.raises(
        RuntimeError, match="some elements of the input tensor and the written-to tensor refer"
    ):
        x[1:] = x[:-1]
    assert x.tolist() == [0, 1, 2, 3, 4]


# Masks -----------------------------------------------------------------------------------------------------------------------------


def test_masked_fill_keeps_nan_out_of_the_gradient():
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    x.log().masked_fill(x <= 0, 0).sum().backward()
    assert np.isnan(x.grad[0].item()) and x.grad[1].item() == 0.25  # 0 / 0 upstream: PyTorch's own trap
    y = torch.tensor([float("inf"), 1.0], requires_grad=True)
    y.masked_fill(torch.tensor([True, False]), 0).sum().backward()
    assert y.grad.tolist() == [0, 1]


def test_masks_of_other_dtypes_are_refused():
    x = torch.zeros(2)
    with pytest.raises(
        RuntimeError, match="masked_fill_ only supports boolean masks, but got mask with dtype float"
    ):
        x.masked_fill(x, 1)
    with pytest.raises(RuntimeError, match="masked_select: expected BoolTensor for mask"):
        x.masked_select(x)


# As if in one row --------------------------------------------------------------------------------------------------------------------


def test_nonzero():
    x = torch.tensor(MASK)
    np.testing.assert_array_equal(torch.nonzero(x).numpy(), np.argwhere(MASK))
    for ours, theirs in zip(torch.nonzero(x, as_tuple=True), MASK.nonzero(), strict=True):
        np.testing.assert_array_equal(ours.numpy(), theirs)
    for ours, theirs in zip(torch.where(x), MASK.nonzero(), strict=True):
        np.testing.assert_array_equal(ours.numpy(), theirs)
    assert torch.nonzero(torch.tensor(5)).shape == (1, 0) and torch.nonzero(torch.tensor(0)).shape == (0, 0)
    assert torch.nonzero_static(torch.tensor([1, 0, 1]), size=4, fill_value=7).tolist() == [
        [0],
        [2],
        [7],
        [7],
    ]
    np.testing.assert_array_equal(torch.tensor(X)[torch.nonzero(x, as_tuple=True)].numpy(), X[MASK])


# Adding at places that may repeat: every way to do it gives the same -------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int64", "float16"])
@pytest.mark.parametrize(
    "rows, width, size",
    [(3, 2, 5), (700, 1, 50), (700, 3, 9), (200, 40, 7), (200, 40, 5000), (3000, 8, 100000), (300, 64, 1)],
)
def test_adding_rows(dtype, rows, width, size):
    rng = np.random.default_rng(1)
    at = rng.integers(0, size, rows)
    g = rng.integers(-4, 5, (rows, width)).astype(dtype)
    expected = np.zeros((size, width), np.complex128)
    np.add.at(expected, at, g)
    z = np.zeros((size, width), dtype)
    assert scatter_add.add_rows(z, at, g) is z
    np.testing.assert_allclose(z, expected, rtol=1e-3)


def test_a_row_that_repeats_very_often():
    at, g = np.zeros(5000, np.intp), np.ones((5000, 32), np.float32)
    at[::7] = 3
    z = scatter_add.add_rows(np.zeros((4, 32), np.float32), at, g)
    assert z[0, 0] == 5000 - 715 and z[3, 31] == 715 and not z[1:3].any()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_random_keys_against_numpy(data):
    shape = tuple(data.draw(st.lists(st.integers(1, 12), min_size=1, max_size=4), label="shape"))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    key, index_shape = [], data.draw(st.sampled_from([(), (1,), (3,), (2, 2), (40,), (0,)]), label="index")
    for n in shape[: data.draw(st.integers(1, len(shape)), label="dims")]:
        kind = data.draw(st.sampled_from(["index", "slice", "mask"]))
        if kind == "index":
            key.append(rng.integers(-n, n, index_shape))
        elif kind == "slice" or index_shape not in ((3,), (1,)):
            key.append(slice(None))
        else:
            mask = np.zeros(n, bool)
            mask[rng.permutation(n)[: index_shape[0]]] = True
            key.append(mask if mask.sum() == index_shape[0] else slice(None))
    key = tuple(key)
    x = rng.uniform(-1, 1, shape)
    leaf = torch.tensor(x, requires_grad=True)
    z = leaf[as_key(key)]
    np.testing.assert_array_equal(
        z.detach().numpy(),
        x[tuple(int(k) if isinstance(k, np.ndarray) and k.ndim == 0 else k for k in key)]
        if index_shape == ()
        else x[key],
    )
    g = rng.uniform(-1, 1, z.shape)
    expected = np.zeros(shape)
    if index_shape == ():
        expected[tuple(int(k) if isinstance(k, np.ndarray) else k for k in key)] += g
    else:
        np.add.at(expected, key, g)
    (found,) = torch.autograd.grad(z, leaf, torch.tensor(g))
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12, atol=1e-12)


# Errors, recorded from PyTorch -----------------------------------------------------------------------------------------------------


def test_unravel_index_of_small_integers_in_a_large_shape():
    found = torch.unravel_index(torch.tensor([3, 5], dtype=torch.uint8), (4, 2**30))
    assert [part.tolist() for part in found] == [[0, 0], [3, 5]] and found[0].dtype is torch.int64
