"""DLPack: memory shared with other libraries, taken once and given back once."""

import math
import struct
import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad._base.numpy_version import at_least
from minigrad._ops import dlpack
from tests.capsules import Exporter, name_of, said

#: NumPy 2.0 reads capsules without a version only.
VERSIONS = [None, (1, 0)] if at_least(2, 1) else [None]


def floats(*values):
    return struct.pack(f"{len(values)}f", *values)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "take",
    [lambda e: torch.from_dlpack(e), lambda e: torch.from_dlpack(e.capsule), torch.asarray, torch.as_tensor],
)
def test_memory_is_shared_and_given_back_once(version, take):
    exporter = Exporter(floats(1, 2, 3), [3], version=version)
    x = take(exporter)
    view = x[1:]
    x += 1
    assert struct.unpack("3f", exporter.buffer) == (2, 3, 4)
    assert name_of(exporter.capsule).startswith("used_") and not exporter.deleted
    del x
    assert not exporter.deleted and view.tolist() == [3, 4]
    del view
    assert exporter.deleted == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_copies_give_the_memory_back_at_once(version):
    for copied in (
        lambda e: torch.tensor(e),
        lambda e: torch.ones(1).new_tensor(e),
        lambda e: torch.asarray(e, copy=True),
    ):
        exporter = Exporter(floats(1, 2), [2], version=version)
        x = copied(exporter)
        x += 1
        assert (
            struct.unpack("2f", exporter.buffer) == (1, 2) and x.tolist() == [2, 3] and exporter.deleted == 1
        )


def test_a_numpy_that_reads_no_versions_is_asked_for_none(monkeypatch):
    asked = []

    class Asked:
        def __dlpack__(self, **wanted):
            asked.append(wanted)
            return Exporter(floats(1, 2), [2]).capsule

        def __dlpack_device__(self):
            return 1, 0

    monkeypatch.setattr(dlpack, "at_least", lambda *version: False)
    assert torch.from_dlpack(Asked()).tolist() == [1, 2] and asked == [{}]
    with pytest.raises(BufferError, match="need NumPy 2.1 or later"):
        torch.from_dlpack(Exporter(floats(1, 2), [2], version=(1, 0)).capsule)


@pytest.mark.skipif(not at_least(2, 1), reason="a version says so")
def test_memory_that_cannot_be_written_to_stays_so():
    x = torch.from_dlpack(Exporter(floats(1, 2), [2], version=(1, 0), flags=1))
    assert (x + 1).tolist() == [2, 3]
    with pytest.raises(ValueError, match="read-only"):
        x += 1


def test_a_refused_capsule_is_left_to_its_owner():
    for exporter in (
        Exporter(floats(1), [1], code=99),
        Exporter(floats(1), [1], device=3),
        Exporter(floats(1), [1], version=(2, 0)),
    ):
        with pytest.raises((BufferError, RuntimeError)):
            torch.from_dlpack(exporter.capsule)
        assert not name_of(exporter.capsule).startswith("used_") and not exporter.deleted


def test_negative_strides_are_refused():
    with pytest.raises(BufferError, match="negative strides"):
        torch.from_dlpack(Exporter(floats(1, 2), [2], strides=[-1], offset=4))


def test_an_untaken_capsule_keeps_the_memory_as_long_as_it_lives():
    for give in (lambda x: x.__dlpack__(), lambda x: x.__dlpack__(max_version=(1, 0)), torch.to_dlpack):
        x = torch.ones(3)
        memory = weakref.ref(x._array)
        capsule = give(x)
        del x
        assert memory() is not None
        del capsule
        assert memory() is None


def test_numpy_shares_memory_both_ways():
    x = torch.arange(6.0).reshape(2, 3).t()
    array = np.from_dlpack(x)
    x[0, 1] = 9
    assert array.tolist() == x.tolist() and array.strides == (4, 12)
    array = np.arange(4)
    y = torch.from_dlpack(array[::2])
    y += 1
    assert array.tolist() == [1, 1, 3, 3]
    assert np.from_dlpack(torch.tensor([True, False])).tolist() == [True, False]


NAMES = (
    "bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex32 complex64 complex128 "
    "float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu"
).split()


@pytest.mark.torch
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(3, 2), (1,), (), (0, 2)])
def test_exchange_with_pytorch(name, shape):
    pytorch = pytest.importorskip("torch")
    dtype = getattr(torch, name)
    raw = pytorch.arange(max(math.prod(shape), 1) * dtype.itemsize, dtype=pytorch.uint8) % 2
    given = raw.view(getattr(pytorch, name))[: math.prod(shape)].reshape(shape)
    ours = torch.from_dlpack(given)
    back = pytorch.from_dlpack(ours)
    assert ours.dtype is dtype and back.dtype is given.dtype
    assert (
        tuple(ours.shape) == shape == tuple(back.shape) and ours.stride() == given.stride() == back.stride()
    )
    (described, *sizes), (expected, *expected_sizes) = (said(x.__dlpack__()) for x in (ours, given))
    assert described == expected and (sizes == expected_sizes or not shape)
    if given.numel():
        assert ours.data_ptr() == given.data_ptr() == back.data_ptr()
        assert ours.untyped_storage().tolist()[: raw.numel()] == raw.tolist()
