"""Tensors and storages whose memory is a file: ``from_file``, ``load(mmap=True)``."""

import inspect
import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad.serialization import load, save
from minigrad.storage import ByteStorage, FloatStorage, TypedStorage, UntypedStorage
from tests.test_alias import ENVIRONMENT


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "bytes"
    path.write_bytes(bytes(range(16)))
    return str(path)


def test_a_file_is_read_and_left_alone(path):
    x = mg.from_file(path, size=8, dtype=mg.int16)
    assert x.dtype is mg.int16 and x.tolist() == np.arange(16, dtype=np.uint8).view(np.int16).tolist()
    x.fill_(7)
    assert mg.from_file(path, False, 4, dtype=mg.uint8).tolist() == [0, 1, 2, 3]
    assert x.untyped_storage().filename is None and x.untyped_storage().nbytes() == 16
    assert mg.from_file(path, size=4, requires_grad=True).requires_grad
    assert mg.from_file(path, size=4).dtype is mg.float32 and mg.from_file(
        "missing", dtype=mg.int8
    ).shape == (0,)


def test_shared_memory_of_a_file_is_written_through(path):
    x = mg.from_file(path, shared=True, size=4, dtype=mg.int32)
    x[1] = -1
    with open(path, "rb") as file:
        assert file.read()[3:9] == b"\3\xff\xff\xff\xff\x08"
    twin = mg.from_file(path, shared=True, size=2, dtype=mg.int32)
    twin.mul_(0)
    assert x[:2].tolist() == [0, 0] and os.path.getsize(path) == 16
    assert x.untyped_storage().filename == x._typed_storage().filename == path


def test_a_shared_file_is_made_and_made_longer(tmp_path):
    path = str(tmp_path / "new")
    mg.from_file(path, shared=True, size=3, dtype=mg.int16).fill_(5)
    assert os.path.getsize(path) == 6
    if os.name == "posix":
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert mg.from_file(path, shared=True, size=5, dtype=mg.int16).tolist() == [5, 5, 5, 0, 0]
    assert os.path.getsize(path) == 10


def test_storages_from_files(path):
    x = UntypedStorage.from_file(Path(path), nbytes=3)
    x.fill_(9)
    y = FloatStorage.from_file(path, True, 5)
    assert isinstance(y, FloatStorage) and len(y) == 5 and y.filename == path and os.path.getsize(path) == 20
    y[4] = 1.5
    assert mg.from_file(path, size=5)[4] == 1.5 and mg.from_file(path, size=1, dtype=mg.int8)[0] == 0
    assert ByteStorage.from_file(path, size=2).tolist() == [0, 1]
    assert len(UntypedStorage.from_file("missing", shared=True)) == 0 and not os.path.exists("missing")


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda path: mg.from_file(path, size=17, dtype=mg.int8), RuntimeError,
         "file <.*> size <16> is smaller than the required mapping size <17>"),
        (lambda path: UntypedStorage.from_file(path, False, 17), RuntimeError, "required mapping size <17>"),
        (lambda path: mg.from_file(path + "!", size=1), RuntimeError, "unable to open file <.*!> in read-only mode: .* \\(2\\)"),
        (lambda path: mg.from_file(path + "!/x", True, 1), RuntimeError, "unable to open file <.*> in read-write mode: .* \\(2\\)"),
        (lambda path: mg.from_file(path, size=-1), RuntimeError, "unable to mmap -4 bytes from file <.*>: .* \\(12\\)"),
        (lambda path: mg.from_file(path, size=2**62, dtype=mg.int64), RuntimeError, "required mapping size"),
        (lambda path: mg.from_file(3), TypeError, "argument 'filename' \\(position 1\\) must be str, not int"),
        (lambda path: mg.from_file(path, "yes"), TypeError, "argument 'shared' \\(position 2\\) must be bool, not str"),
        (lambda path: mg.from_file(path, True, 1.5), TypeError, "argument 'size' \\(position 3\\) must be int, not float"),
        (lambda path: mg.from_file(path, size=1, pin_memory=True), RuntimeError, "tensors constructed from a file cannot be pinned"),
        (lambda path: mg.from_file(path, size=1, device="cuda"), AssertionError, "not compiled with CUDA"),
        (lambda path: mg.from_file(path, size=1, dtype=mg.int8, requires_grad=True), RuntimeError, "can require gradients"),
        (lambda path: TypedStorage.from_file(path, False, 2), RuntimeError, "from_file can only be called on derived classes"),
    ],
)  # fmt: skip
def test_refusals(path, call, error, text):
    with pytest.raises(error, match=text):
        call(path)
    assert os.path.getsize(path) == 16


def test_views_and_gradients_of_mapped_memory(path):
    x = mg.from_file(path, shared=True, size=4, requires_grad=True)
    (x[1:] * 2).sum().backward()
    assert x.grad.tolist() == [0, 2, 2, 2]
    with mg.no_grad():
        x.view(2, 2)[1] = 3
    assert mg.from_file(path, size=4)[2:].tolist() == [3, 3]


@pytest.mark.torch
def test_as_pytorch(tmp_path, monkeypatch):
    torch = pytest.importorskip("torch")
    found = []
    for library in (torch, mg):
        folder = tmp_path / library.__name__
        folder.mkdir()
        monkeypatch.chdir(folder)
        with open("a", "wb") as file:
            file.write(bytes(range(16)))
        out = []
        for call in (
            "from_file('a', size=4, dtype=torch.uint8)", "from_file('a', True, 2, dtype=torch.int16).fill_(3)", "from_file('a', size=4)",
            "from_file('a', size=17, dtype=torch.uint8)", "from_file('b', size=1)", "from_file('b')", "from_file('b', shared=True, size=3)",
            "from_file('.', size=1)", "from_file('a', size=-1)", "from_file(3)", "from_file('a', 'b')", "from_file('a', True, 'b')",
            "from_file('a', size=2, requires_grad=True)", "from_file('a', size=2, pin_memory=True)",
            "UntypedStorage.from_file('a', False, 3).tolist()", "UntypedStorage.from_file('a', True, 3).filename",
            "UntypedStorage.from_file('a', False, 3).filename", "UntypedStorage.from_file('a', False, 30)",
            "UntypedStorage.from_file('.', True, 30)", "storage.UntypedStorage.from_file('n', True, 6).nbytes()",
        ):  # fmt: skip
            try:
                result = str(eval(f"torch.{call}", {"torch": library}))
            except (RuntimeError, TypeError) as error:
                result = f"{type(error).__name__}: {error}"
            out.append((call, result, sorted((name, os.path.getsize(name)) for name in os.listdir("."))))
        found.append(out)
    for theirs, ours in zip(*found, strict=True):
        assert theirs == ours


# Large files


@pytest.mark.skipif(
    not hasattr(os, "posix_fallocate"), reason="needs a file system with holes, and ru_maxrss in KiB"
)
def test_two_gigabytes_take_a_few_megabytes(tmp_path):
    code = """
        import os, resource, minigrad
        from minigrad.serialization import load, save, skip_data

        class WithHoles:  # so that the file takes no room on the disk
            def __init__(self, path):
                self.file = open(path, "wb")
            def write(self, data):
                if len(data) == 1 << 20:
                    self.file.seek(len(data), 1)
                else:
                    self.file.write(data)

        size = 1 << 29
        blank = minigrad.from_file("blank", shared=True, size=size)
        holes = WithHoles("x.pt")
        with skip_data():
            save({"w": minigrad.from_file("blank", size=size), "last": minigrad.ones(3)}, holes)
        holes.file.close()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        x = minigrad.from_file("blank", size=size)
        y = minigrad.UntypedStorage.from_file("blank", True, 4 * size)
        y[4 * size - 1] = 64
        found = load("x.pt", mmap=True)
        found["w"][-1] = 5
        assert blank[-1] == x[-1] == 2 and found["w"].shape == (size,) and found["last"].tolist() == [0, 0, 0]
        assert found["w"][::2**20].sum() == 0 and os.path.getsize("x.pt") > 4 * size
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, os.stat("x.pt").st_blocks * 512)
    """
    done = subprocess.run(
        [sys.executable, "-c", inspect.cleandoc(code)], cwd=tmp_path, env=ENVIRONMENT, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()
    grown, on_disk = map(int, done.stdout.split())
    assert grown < 32 * 1024  # KiB
    assert on_disk < 1 << 24


def test_a_mapped_file_can_be_saved_over(tmp_path):
    """The mapping goes on showing the old file, which is replaced, not written to."""
    path = tmp_path / "x.pt"
    save({"x": mg.arange(5000.0)}, path)
    x = load(path, mmap=True)["x"]
    save({"x": x * 2}, path)
    assert x.sum() == mg.arange(5000.0).sum() and load(path)["x"][-1] == 9998
    save({"x": x}, path)
    assert load(path, mmap=True)["x"].equal(mg.arange(5000.0))


def test_mapped_tensors_are_pickled_and_copied_by_value(path):
    import copy
    import pickle

    x = mg.from_file(path, shared=True, size=16, dtype=mg.uint8)
    for twin in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.clone()):
        twin.fill_(0)
        assert x.tolist() == list(range(16)) and twin.untyped_storage().filename is None
