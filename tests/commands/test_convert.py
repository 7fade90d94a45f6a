"""``python -m minigrad convert``: tensors go from each format into the others and come back the same; what does not fit is refused by name."""

import numpy as np
import pytest

import minigrad as mg
from minigrad._commands import convert as command

ENDINGS = ("pt", "safetensors", "npz")


def tensors():
    return {
        "layer.weight": mg.arange(6.0).reshape(2, 3).t(),  # not contiguous
        "layer.bias": mg.tensor(2.5, dtype=mg.float64),
        "steps": mg.tensor([1, 2], dtype=mg.int16),
        "mask": mg.tensor([True, False]),
        "wave": mg.tensor([1 + 2j]).conj(),
        "none": mg.zeros(0, 3),
    }


def convert(*arguments):
    return command.main(list(map(str, arguments)))


def load(path):
    if path.suffix == ".npz":
        with np.load(path) as file:
            return {name: mg.from_numpy(file[name]) for name in file.files}
    return mg.load(path)


def assert_same(found, expected):
    assert list(found) == list(expected)
    for name, tensor in expected.items():
        assert found[name].dtype == tensor.dtype and found[name].shape == tensor.shape
        assert mg.equal(found[name], tensor.resolve_conj())


@pytest.mark.parametrize("source", ENDINGS)
@pytest.mark.parametrize("target", ENDINGS)
def test_each_format_into_the_others(tmp_path, source, target, capsys):
    first, second, third = tmp_path / "first.pt", tmp_path / f"a.{source}", tmp_path / f"b.{target}"
    mg.save(tensors(), first)
    if source != "pt":
        assert convert(first, second) == 0
    else:
        second = first
    if source == target:
        with pytest.raises(SystemExit):
            convert(second, third)
        assert f"both files are {source} files" in capsys.readouterr().err
        return
    assert convert(second, third) == 0
    assert_same(load(third), tensors())
    assert f"b.{target}: 6 tensors" in capsys.readouterr().out


def test_elements_that_numpy_does_not_have(tmp_path, capsys):
    pytest.importorskip("ml_dtypes")
    source = tmp_path / "a.pt"
    mg.save({"b": mg.ones(2, dtype=mg.bfloat16), "f": mg.ones(3).to(mg.float8_e5m2)}, source)
    assert convert(source, tmp_path / "a.safetensors") == 0
    back = tmp_path / "back.pt"
    assert convert(tmp_path / "a.safetensors", back) == 0
    assert mg.load(back)["b"].dtype is mg.bfloat16 and mg.load(back)["f"].dtype is mg.float8_e5m2
    assert convert(source, tmp_path / "a.npz") == 1
    assert (
        "tensor b is of dtype torch.bfloat16" in capsys.readouterr().err and not (tmp_path / "a.npz").exists()
    )
    assert convert(source, tmp_path / "a.npz", "--dtype", "float32") == 0
    assert load(tmp_path / "a.npz")["b"].tolist() == [1, 1]


def test_parts_of_a_checkpoint(tmp_path, capsys):
    source, target = tmp_path / "a.pt", tmp_path / "a.safetensors"
    weight = mg.ones(2)
    mg.save({"model": {"w": weight, "tied": weight}, "optimizer": [{"m": mg.zeros(1)}], "epoch": 3}, source)
    assert convert(source, target) == 1
    assert "1 entries of" in (said := capsys.readouterr().err) and "epoch" in said and not target.exists()
    assert convert(source, target, "--tensors-only") == 0
    assert list(mg.load(target)) == ["model.w", "model.tied", "optimizer.0.m"]
    assert "model.tied shares memory with model.w" in capsys.readouterr().err
    assert convert(source, target, "--key", "model") == 1
    assert "--force replaces it" in capsys.readouterr().err
    assert convert(source, target, "--key", "model", "--force") == 0
    assert list(mg.load(target)) == ["w", "tied"]
    assert convert(source, target, "--key", "no.such", "--force") == 1
    assert list(mg.load(target)) == ["w", "tied"]


def test_only_the_part_that_a_view_shows_is_written(tmp_path):
    source, target = tmp_path / "a.pt", tmp_path / "a.safetensors"
    mg.save({"row": mg.zeros(1000, 10)[3]}, source)
    assert convert(source, target) == 0 and target.stat().st_size < 200


def test_what_is_refused(tmp_path, capsys):
    source, target = tmp_path / "a.pt", tmp_path / "a.npz"
    for saved, words in (
        ({"a": {"b": mg.ones(1)}, "a.b": mg.ones(1)}, "two tensors would be called 'a.b'"),
        ({"a": mg.ones(1, device="meta")}, "has no values"),
        (mg.nn.Linear(1, 1), "Weights only load failed"),
    ):
        mg.save(saved, source)
        assert convert(source, target) == 1 and not target.exists()
        assert words in capsys.readouterr().err
    assert convert(tmp_path / "none.pt", target) == 1
    assert "none.pt: No such file or directory" in capsys.readouterr().err
    np.savez(tmp_path / "b.npz", text=np.array("x"), things=np.array([{}]), big=np.ones(2, ">f4"))
    assert convert(tmp_path / "b.npz", tmp_path / "b.pt") == 1
    assert "--tensors-only" in capsys.readouterr().err
    assert convert(tmp_path / "b.npz", tmp_path / "b.pt", "--tensors-only") == 0
    assert mg.load(tmp_path / "b.pt")["big"].tolist() == [1, 1] and len(mg.load(tmp_path / "b.pt")) == 1
    with pytest.raises(SystemExit):
        convert(source, tmp_path / "a.onnx")


@pytest.mark.torch
def test_pytorch_reads_what_is_written(tmp_path):
    torch = pytest.importorskip("torch")
    np.savez(tmp_path / "a.npz", w=np.arange(6.0).reshape(2, 3))
    assert convert(tmp_path / "a.npz", tmp_path / "a.pt") == 0
    assert torch.load(tmp_path / "a.pt")["w"].tolist() == [[0, 1, 2], [3, 4, 5]]
