"""Storages: the memory under tensors, as bytes and as elements."""

import numpy as np
import pytest

import minigrad as mg
from minigrad._ops.storage_classes import owner_of
from minigrad.storage import FloatStorage, LongStorage, ShortStorage, TypedStorage, UntypedStorage


def test_bytes():
    s = UntypedStorage.of(np.array([1.0, 2.0], np.float32))
    assert len(s) == s.size() == s.nbytes() == 8 and s.element_size() == 1
    assert list(s) == s.tolist() == [0, 0, 128, 63, 0, 0, 0, 64]
    assert s[2] == 128 and s[-1] == 64
    assert s.device == mg.device("cpu") and s.get_device() == -1 and not s.is_cuda
    assert s.type() == "torch.storage.UntypedStorage"
    assert repr(UntypedStorage([7])) == " 7\n[torch.storage.UntypedStorage(device=cpu) of size 1]"
    assert s.cpu() is s.untyped() is s.to(device="cpu") is s


def test_elements():
    s = TypedStorage([1, 2], dtype=mg.float32)
    assert len(s) == 2 and s.nbytes() == 8 and s.element_size() == 4 and s.dtype is mg.float32
    s[0] = 5.5
    assert s.tolist() == [5.5, 2.0]
    assert s.type() == "torch.FloatStorage" and s.pickle_storage_type() == "FloatStorage"
    assert repr(s) == " 5.5\n 2.0\n[torch.storage.TypedStorage(dtype=torch.float32, device=cpu) of size 2]"
    assert s.long().tolist() == [5, 2] and s.long().dtype is mg.int64
    assert s.type(mg.int16).dtype is mg.int16
    assert TypedStorage(3).dtype is mg.float32
    with pytest.raises(KeyError, match="not recognized"):
        TypedStorage(1, dtype=mg.uint16).pickle_storage_type()


def test_classes_by_dtype():
    s = FloatStorage([1, 2])
    assert type(s) is TypedStorage and isinstance(s, FloatStorage) and not isinstance(s, LongStorage)
    assert LongStorage.dtype is mg.int64 and LongStorage(2).nbytes() == 16
    assert FloatStorage(wrap_storage=UntypedStorage(9)).size() == 2


def test_slices_and_copies():
    s = UntypedStorage([1, 2, 3, 4])
    part = s[1:3]
    part[0] = 9
    assert s.tolist() == [1, 9, 3, 4] and part.nbytes() == 2
    copy = s.clone()
    copy.fill_(0)
    assert s[1] == 9
    assert s.copy_(copy).tolist() == [0] * 4
    s[0:2] = 7
    assert s.tolist() == [7, 7, 0, 0]


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        (lambda s: s[9], IndexError, "index 9 out of range for storage of size 4"),
        (lambda s: s["a"], TypeError, "can't index a torch.UntypedStorage with str"),
        (lambda s: s[::2], RuntimeError, "slice with a step of 2, but only a step of 1"),
        (lambda s: s.byte()[0:2], RuntimeError, "slices are only supported in UntypedStorage"),
        (lambda s: s[1:].resize_(9), RuntimeError, "Trying to resize storage that is not resizable"),
        (lambda s: s.resize_(-1), RuntimeError, "must not be negative"),
        (
            lambda s: UntypedStorage.from_buffer(b"ab", count=3),
            ValueError,
            "buffer has only 2 elements after offset 0",
        ),
        (lambda s: s.copy_(UntypedStorage(1)), RuntimeError, "size does not match"),
        (lambda s: s.cuda(), AssertionError, "not compiled with CUDA"),
        (lambda s: UntypedStorage(-1), RuntimeError, "must not be negative"),
        (
            lambda s: UntypedStorage.from_buffer(b"ab", "upward", dtype=mg.int16),
            ValueError,
            "invalid byte_order 'upward'",
        ),
    ],
)
def test_errors(action, error, message):
    with pytest.raises(error, match=message):
        action(UntypedStorage([1, 2, 3, 4]))


def test_buffers_and_files(tmp_path):
    assert UntypedStorage.from_buffer(b"abcd").tolist() == [97, 98, 99, 100]
    assert ShortStorage.from_buffer(b"\1\2\3\4", "big").tolist() == [0x0102, 0x0304]
    assert ShortStorage.from_buffer(b"\1\2\3\4", "little", count=1, offset=2).tolist() == [0x0403]
    path = tmp_path / "memory"
    s = UntypedStorage.from_file(path, shared=True, nbytes=4)
    s[0] = 5
    assert path.read_bytes() == b"\5\0\0\0"
    private = UntypedStorage.from_file(path, nbytes=2)
    private[0] = 6
    assert private.tolist() == [6, 0] and path.read_bytes()[0] == 5
    with pytest.raises(RuntimeError, match="size <4> is smaller than the required mapping size <9>"):
        UntypedStorage.from_file(path, nbytes=9)


def test_byteswap():
    for dtype, width in (("int16", 2), ("float64", 8), ("complex64", 4), ("uint8", 1)):
        s = UntypedStorage(list(range(16)))
        s.byteswap(getattr(mg, dtype))
        assert s.tolist() == np.arange(16, dtype=np.uint8).reshape(-1, width)[:, ::-1].ravel().tolist()


BASE = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize(
    "view",
    [
        lambda a: a, lambda a: a[1], lambda a: a.T, lambda a: a[:, ::2, 1:], lambda a: a[0, 0, 0, None],
        lambda a: np.broadcast_to(a[:1], (5, 3, 4)), lambda a: np.lib.stride_tricks.as_strided(a, (3,), (8,)),
        lambda a: a.reshape(4, 6)[1:].view(np.float32),
    ],
)  # fmt: skip
def test_views_lead_to_the_owner(view):
    base = BASE.copy()
    assert owner_of(view(base)) is base
    assert UntypedStorage.of(view(base)).data_ptr() == base.__array_interface__["data"][0]
    assert UntypedStorage.of(view(base))._cdata == UntypedStorage.of(base)._cdata


@pytest.mark.parametrize(
    "owner",
    [
        lambda: np.asfortranarray(BASE), lambda: np.empty_like(BASE.transpose(1, 2, 0)), lambda: np.array(3.0),
        lambda: np.empty((0, 3)), lambda: np.empty((3, 1, 2), order="F"), lambda: np.frombuffer(b"12345678"),
    ],
)  # fmt: skip
def test_memory_in_order_of_address(owner):
    owner = owner()
    s = UntypedStorage.of(owner)
    assert s.nbytes() == owner.nbytes
    expected = np.sort(owner.ravel(order="K").view(np.uint8)) if owner.size else []
    assert sorted(s.tolist()) == list(expected)
    assert np.shares_memory(s._elements, owner) or not owner.size


def test_what_a_storage_has_become_too_small_for_reads_zeros():
    x = mg.arange(6.0).view(2, 3)
    y = x.t()
    storage = x.untyped_storage()
    storage.resize_(8)
    assert x.tolist() == [[0.0] * 3] * 2 and x.untyped_storage() is storage and storage.nbytes() == 8
    with pytest.raises(ValueError, match="read-only"):
        x.fill_(1)
    copy = x.clone()
    storage.resize_(24)
    storage[8:] = 0
    assert y.tolist() == [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]] and y.stride() == (1, 3)
    assert copy.tolist() == [[0.0] * 3] * 2


def test_views_of_a_base_of_another_shape_move_with_it():
    x = mg.arange(4.0)
    y = x[1:3]
    x.resize_(2, 2)
    x.untyped_storage().resize_(64)
    y.fill_(9)
    assert x.tolist() == [[0.0, 9.0], [9.0, 3.0]]


def test_memory_that_a_node_saved_does_not_move():
    x = mg.ones(2, requires_grad=True)
    y = x.exp()
    with pytest.raises(RuntimeError, match="not resizable"):
        y.untyped_storage().resize_(0)
    y.sum().backward()
    y.untyped_storage().resize_(0)
    assert y.untyped_storage().nbytes() == 0


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_storages_in_files_of_old(tmp_path):
    with open(tmp_path / "numbers", "wb") as f:
        mg.arange(3.0).storage()._write_file(f, True, True, 4)
    with open(tmp_path / "numbers", "rb") as f:
        found = UntypedStorage._new_with_file(f, 4)
        assert found.float().size() == 12 and TypedStorage(wrap_storage=found, dtype=mg.float32).tolist() == [
            0.0,
            1.0,
            2.0,
        ]
        target = UntypedStorage(12)
        assert target._set_from_file(f, 0, True, 4).tolist() == found.tolist()
        with pytest.raises(RuntimeError, match="wrong byte size: expected 3 got 12"):
            UntypedStorage(3)._set_from_file(f, 0, True, 4)
        with pytest.raises(RuntimeError, match="unexpected EOF"):
            f.seek(0)
            UntypedStorage._new_with_file(f, 8)
