"""``python -m minigrad inspect``: all formats are listed, and nothing in a file is run, looked up or obeyed."""

import io
import json
import os
import zipfile

import numpy as np
import pytest

import minigrad as mg
from minigrad._commands import inspect as command
from minigrad._serialization import contents


class Calls:
    """What a hostile file makes of a pickle: a call of a function of its choice."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def model():
    return mg.nn.Sequential(mg.nn.Linear(4, 3), mg.nn.BatchNorm1d(3))


def listed(path):
    return {name: (list(shape), dtype, size) for name, shape, dtype, size, _ in contents.read(path).tensors}


EXPECTED = {
    "0.weight": ([3, 4], "float32", 48),
    "0.bias": ([3], "float32", 12),
    "1.weight": ([3], "float32", 12),
    "1.bias": ([3], "float32", 12),
    "1.running_mean": ([3], "float32", 12),
    "1.running_var": ([3], "float32", 12),
    "1.num_batches_tracked": ([], "int64", 8),
}


@pytest.mark.parametrize("zipped", [True, False])
@pytest.mark.parametrize("whole", [True, False])
def test_checkpoints_are_listed(tmp_path, zipped, whole):
    net = model()
    path = tmp_path / "x.pt"
    mg.save(net if whole else net.state_dict(), path, _use_new_zipfile_serialization=zipped)
    assert listed(path) == EXPECTED
    found = contents.read(path)
    assert found.data_bytes == sum(size for _, _, size in EXPECTED.values())
    assert ("torch.nn.modules.linear.Linear" in found.names) == whole
    values = {name: value for name, _, value in found.values}
    assert (values.get("0.in_features") == "4") == whole and len(values) == (10 if whole else 0)


def test_what_is_nested_and_shared(tmp_path, capsys):
    path = tmp_path / "x.pt"
    weight, numbers = mg.zeros(2, 3), {"long": list(range(20))}
    saved = {
        "model": {"w": weight, "row": weight[0]},
        "epoch": 3,
        "betas": (0.9, 0.99),
        "one": numbers,
        "two": numbers,
    }
    mg.save(saved, path)
    assert command.main([str(path)]) == 0
    printed = capsys.readouterr().out
    assert "PyTorch zip archive, 2 tensors, 24 B" in printed
    assert "model.row  [3]     float32  12 B  shares memory with model.w" in printed
    assert (
        "[0.9, 0.99]" in printed
        and "the same object as one" not in printed
        and "more (--all shows them)" in printed
    )
    assert command.main([str(path), "--all"]) == 0
    assert "the same object as one" in capsys.readouterr().out


def test_nothing_is_run(tmp_path, capsys):
    path, made = tmp_path / "x.pt", tmp_path / "made"
    mg.save({"w": mg.ones(2), "call": Calls(made)}, path)
    assert command.main([str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["refused_by_load"] == [f"{os.mkdir.__module__}.mkdir"] and [
        each["name"] for each in found["tensors"]
    ] == ["w"]
    assert not made.exists()


def test_names_are_shown_without_what_a_terminal_obeys(tmp_path, capsys):
    path = tmp_path / "x.pt"
    mg.save({"\x1b[2J": mg.ones(2), "text": "\x1b[2J"}, path)
    assert command.main([str(path)]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed and "\\x1b[2J" in printed


def test_safetensors(tmp_path, capsys):
    header = b'{"__metadata__":{"format":"pt"},"w":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,8]}}'
    path = tmp_path / "any name"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))
    assert listed(path) == {"w": ([2, 2], "bfloat16", 8)}
    assert command.main([str(path)]) == 0
    assert "format    pt" in capsys.readouterr().out
    path.write_bytes(path.read_bytes()[:-1])
    assert command.main([str(path)]) == 1


def test_arrays_of_numpy(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, w=np.ones((2, 3), np.float32), o=np.array([Calls(tmp_path / "made")]))
    found = contents.read(path)
    assert listed(path) == {"w": ([2, 3], "float32", 24)}
    assert [value[:2] for value in found.values] == [("o", "array of Python objects")] and not (
        tmp_path / "made"
    ).exists()


def test_elements_that_are_not_there_are_described(tmp_path):
    """A quantized tensor, which minigrad does not have, and one of a class from a library that is not installed."""
    rebuild = b"ctorch._utils\n_rebuild_qtensor\n"
    body = (
        b"\x80\2"
        + rebuild
        + b"((X\7\0\0\0storagectorch\nQInt8Storage\nX\1\0\0\0"
        + b"0X\3\0\0\0cpuK\6tQK\0K\2K\3\x86K\3K\1\x86tR."
    )
    path = tmp_path / "x.pt"
    with zipfile.ZipFile(path, "w") as archive:
        for name, record in (("data.pkl", body), ("data/0", bytes(6)), ("version", b"3\n")):
            archive.writestr(f"x/{name}", record)
    assert listed(path) == {"": ([2, 3], "qint8", 6)}


@pytest.mark.parametrize("zipped", [True, False])
def test_a_damaged_file_is_an_error_and_no_traceback(tmp_path, capsys, zipped):
    good = io.BytesIO()
    mg.save(model().state_dict(), good, _use_new_zipfile_serialization=zipped)
    path = tmp_path / "x.pt"
    for keep in (0, 1, 9, 300, 700, len(good.getvalue()) - 1):
        path.write_bytes(good.getvalue()[:keep])
        assert command.main([str(path)]) == 1
    assert command.main([str(tmp_path / "none.pt")]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 7 and all(line.startswith("python -m minigrad inspect: can't ") for line in errors)


def test_storages_of_the_wrong_size_are_found(tmp_path):
    good = io.BytesIO()
    mg.save(mg.ones(3), good)
    path = tmp_path / "x.pt"
    with zipfile.ZipFile(good) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name)[: 8 if name.endswith("/0") else None])
    with pytest.raises(RuntimeError, match="record data/0 has 8 bytes instead of 12"):
        contents.read(path)


def test_a_small_file_that_names_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(contents, "MOST", 1000)
    path = tmp_path / "x.pt"
    shared = [None] * 50
    mg.save([[*shared, number] * 10 for number in range(10)], path)
    with pytest.raises(RuntimeError, match="more than 1000 entries"):
        contents.read(path)


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:.*torch.jit.script")
def test_scripts_are_listed(tmp_path):
    torch = pytest.importorskip("torch")
    path = tmp_path / "x.pt"
    torch.jit.script(torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3))).save(str(path))
    assert listed(path) == EXPECTED and contents.read(path).format == "TorchScript archive"
