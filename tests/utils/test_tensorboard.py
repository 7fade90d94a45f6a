"""``utils.tensorboard``: the files of PyTorch's writer, record by record; each program writes into two folders."""

import os
import struct
import sys

import numpy as np
import pytest

import minigrad
from minigrad.utils.tensorboard import _packages
from minigrad.utils.tensorboard import writer as writer_module

pytest.importorskip("tensorboard")
from tensorboard.compat.proto.event_pb2 import Event

pytestmark = pytest.mark.filterwarnings("ignore")  # of the package


def records(path):
    """The events of a file."""
    found = []
    with open(path, "rb") as file:
        while head := file.read(12):
            (length,) = struct.unpack("<Q", head[:8])
            found.append(Event.FromString(file.read(length)))
            file.read(4)
    return found


def files(folder):
    """Path below the folder -> content: of event files their records without times, of others the bytes."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.join(place, name)
            relative = os.path.relpath(place, folder)
            if name.startswith("events.out.tfevents"):
                events = records(path)
                for event in events:
                    event.wall_time = 0
                    event.ClearField("source_metadata")
                found.setdefault((relative, "events"), []).extend(events)
            else:
                with open(path, "rb") as file:
                    found[relative, name] = file.read()
    return found


def module_of(lib):
    if lib is minigrad:
        return minigrad.utils.tensorboard
    return pytest.importorskip("torch.utils.tensorboard")


def written(lib, folder, program, **options):
    with module_of(lib).SummaryWriter(str(folder), **options) as writer:
        program(writer, lib)
    return files(folder)


def uniform(lib, *size):
    return lib.tensor(np.random.RandomState(0).rand(*size).astype(np.float32))


def draw(close=True):
    figures = pytest.importorskip("matplotlib.figure")
    figure = figures.Figure((1, 1))
    figure.subplots().plot([1, 2])
    return figure


def figure(writer, lib):
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    one, two = pyplot.figure(figsize=(1, 1)), pyplot.figure(figsize=(1, 1))
    one.gca().plot([1, 2])
    writer.add_figure("f", one, 3, close=False)
    writer.add_figure("f", [one, two])
    assert not pyplot.get_fignums()


def refused(error, call):
    def program(writer, lib):
        with pytest.raises(error):
            call(writer, lib)

    return program


PROGRAMS = {
    "nothing": lambda w, lib: None,
    "scalars": lambda w, lib: [w.add_scalar("a/b", x, i, walltime=5.0) for i, x in enumerate((1, 2.5, lib.tensor(3.0), np.float64(4), lib.tensor([5], dtype=lib.int64), True))],
    "a scalar as a tensor": lambda w, lib: (w.add_scalar("x", 0.1, new_style=True), w.add_scalar("x", 0.1, 2, new_style=True, double_precision=True)),
    "several scalars": lambda w, lib: [w.add_scalars("main/x", {"a": i, "b": lib.tensor(i * 2.0)}, i) for i in range(2)],
    "tensors": lambda w, lib: [w.add_tensor(n, uniform(lib, 2, 3).mul(3).to(getattr(lib, n)), 1) for n in "float16 bfloat16 float32 float64 int8 uint8 int16 int32 int64".split()],
    "complex tensors": lambda w, lib: w.add_tensor("c", uniform(lib, 2, 2).to(lib.complex64)),
    "histograms": lambda w, lib: [w.add_histogram("h", uniform(lib, 100) * s - 0.2, s) for s in (0, 1, 30)],
    "histograms with bins": lambda w, lib: [w.add_histogram("h", uniform(lib, 4, 25), 1, bins=b, max_bins=m) for b in (10, "auto", [0.0, 0.3, 0.4, 1.0]) for m in (None, 3)],
    "a histogram of integers": lambda w, lib: w.add_histogram("h", np.arange(7) - 3),
    "a histogram from numbers": lambda w, lib: w.add_histogram_raw("r", 0.0, 1.0, 3, 2.0, 1.5, [0.1, 1.0], [1, 2], 4),
    "images": lambda w, lib: [
        w.add_image(axes, uniform(lib, *size), 1, dataformats=axes)
        for axes, size in (("CHW", (3, 5, 6)), ("HWC", (5, 6, 3)), ("HW", (5, 6)), ("CHW", (1, 5, 6)), ("WCH", (6, 3, 5)), ("CHW", (4, 5, 6)))
    ],
    "images of bytes": lambda w, lib: w.add_image("b", (uniform(lib, 3, 4, 4) * 255).to(lib.uint8)),
    "grids": lambda w, lib: [w.add_images("g", uniform(lib, *size), 1, dataformats=axes) for axes, size in (("NCHW", (10, 3, 4, 5)), ("NHWC", (3, 4, 5, 1)))],
    "boxes": lambda w, lib: [
        w.add_image_with_boxes("x", uniform(lib, 3, 40, 50), lib.tensor([[2.0, 3, 30, 35], [10, 10, 20, 20]]), 1, labels=labels, rescale=r)
        for labels, r in ((None, 1), (["cat", "dog"], 1), ("cat", 1), (None, 0.5))
    ],
    "figures": figure,
    "sound": lambda w, lib: [w.add_audio("s", uniform(lib, 1, 50) * f - 0.5, i, sample_rate=8000) for i, f in enumerate((1, 4))],
    "text": lambda w, lib: w.add_text("t", "größer *than*", 2),
    "curves": lambda w, lib: [w.add_pr_curve("p", uniform(lib, 100) > 0.4, uniform(lib, 100), 1, num_thresholds=n, weights=v) for n in (127, 5, 500) for v in (None, 0.5)],
    "a curve from numbers": lambda w, lib: w.add_pr_curve_raw("p", *[[1.0, 2.0]] * 6, num_thresholds=2),
    "charts": lambda w, lib: (w.add_custom_scalars_multilinechart(["a", "b"]), w.add_custom_scalars_marginchart(["a", "b", "c"], "k", "t"), w.add_custom_scalars({"x": {"y": ["Multiline", ["a"]], "z": ["Margin", ["a", "b", "c"]]}})),
    "meshes": lambda w, lib: (w.add_mesh("m", uniform(lib, 1, 4, 3)), w.add_mesh("m", uniform(lib, 1, 4, 3), lib.ones(1, 4, 3, dtype=lib.int32), lib.tensor([[[0, 1, 2]]]), {"b": 1, "a": 2}, 3)),
    "hyperparameters": lambda w, lib: w.add_hparams({"lr": 0.1, "n": 3, "name": "x", "on": True, "t": lib.tensor([2.5]), "no": None}, {"loss": 0.5, "acc": lib.tensor(1)}, {"n": [1, 3], "name": ["x", "y"]}, "run", 7),
    "points": lambda w, lib: (
        w.add_embedding(uniform(lib, 4, 2), ["a", "b", 3, "d"], uniform(lib, 4, 3, 5, 5), 1, "tag/one"),
        w.add_embedding(uniform(lib, 4, 2).double(), [["a", 1]] * 4, metadata_header=["x", "y"], tag="ü\"q"),
        w.add_embedding(uniform(lib, 3, 2)),
    ),
    "after closing": lambda w, lib: (w.add_scalar("a", 1), w.flush(), w.close(), w.add_scalar("a", 2, 1)),
    "an empty histogram": refused(ValueError, lambda w, lib: w.add_histogram("h", lib.ones(0))),
    "counts without limits": refused(ValueError, lambda w, lib: w.add_histogram_raw("r", 0.0, 1.0, 3, 2.0, 1.5, [0.1], [1, 2])),
    "several numbers as one": refused(AssertionError, lambda w, lib: w.add_scalar("a", lib.ones(2))),
    "a string as a number": refused(ValueError, lambda w, lib: w.add_scalar("a", "x")),
    "axes that do not fit": refused(AssertionError, lambda w, lib: w.add_image("i", lib.ones(2, 2))),
    "axes twice": refused(AssertionError, lambda w, lib: w.add_image("i", lib.ones(2, 2, 2), dataformats="CHH")),
    "sound in a plane": refused(AssertionError, lambda w, lib: w.add_audio("s", lib.ones(2, 2))),
    "two margins": refused(AssertionError, lambda w, lib: w.add_custom_scalars_marginchart(["a", "b"])),
    "parameters of a list": refused(TypeError, lambda w, lib: w.add_hparams([], {})),
    "a list as a parameter": refused(ValueError, lambda w, lib: w.add_hparams({"a": []}, {})),
    "a domain of another type": refused(TypeError, lambda w, lib: w.add_hparams({"a": 1}, {}, {"a": ["x"]})),
    "labels that do not fit": refused(AssertionError, lambda w, lib: w.add_embedding(lib.ones(2, 2), ["a"])),
    "points on a line": refused(AssertionError, lambda w, lib: w.add_embedding(lib.ones(2))),
}  # fmt: skip
OPTIONS = {
    "purged": {"purge_step": 3},
    "a suffix": {"filename_suffix": ".x"},
    "a queue": {"max_queue": 1, "flush_secs": 1},
}


@pytest.mark.torch
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_records_as_pytorch(name, tmp_path):
    torch = pytest.importorskip("torch")
    pytest.importorskip("PIL")
    ours = written(minigrad, tmp_path / "ours", PROGRAMS[name])
    theirs = written(torch, tmp_path / "theirs", PROGRAMS[name])
    assert ours.keys() == theirs.keys()
    for place in ours:
        assert ours[place] == theirs[place], place
    assert ours


@pytest.mark.torch
@pytest.mark.parametrize("name", OPTIONS)
def test_options_as_in_pytorch(name, tmp_path):
    torch = pytest.importorskip("torch")
    ours, theirs = (
        written(lib, tmp_path / lib.__name__, PROGRAMS["scalars"], **OPTIONS[name])
        for lib in (minigrad, torch)
    )
    assert ours == theirs
    if name == "a suffix":
        assert all(file.endswith(".x") for file in os.listdir(tmp_path / "minigrad"))


def test_times_and_steps(tmp_path):
    with writer_module.SummaryWriter(tmp_path) as writer:
        writer.add_scalar("a", 1, 7, walltime=12.5)
        assert writer.get_logdir() == tmp_path
    (name,) = os.listdir(tmp_path)
    first, event = records(tmp_path / name)
    assert first.file_version == "brain.Event:2"
    assert (event.step, event.wall_time, event.summary.value[0].simple_value) == (7, 12.5, 1.0)


def test_the_folder_by_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    writer_module.SummaryWriter(comment="_x").close()
    (name,) = os.listdir("runs")
    assert name.endswith("_x")


def test_records_are_written_by_the_package(tmp_path):
    with open(tmp_path / "f", "wb") as file:
        minigrad.utils.tensorboard.RecordWriter(file).write(Event(step=3).SerializeToString())
    assert [event.step for event in records(tmp_path / "f")] == [3]


def test_films(tmp_path):
    pytest.importorskip("moviepy")
    frames = minigrad.rand(3, 2, 3, 8, 8)
    with writer_module.SummaryWriter(tmp_path) as writer:
        writer.add_video("v", frames, 1)
    (name,) = os.listdir(tmp_path)
    image = records(tmp_path / name)[1].summary.value[0].image
    assert image.encoded_image_string[:3] == b"GIF" and (image.height, image.width) == (8, 32)


def test_what_is_not_there_is_refused(tmp_path, monkeypatch):
    with writer_module.SummaryWriter(tmp_path) as writer:
        for call in (writer.add_graph, writer.add_onnx_graph):
            with pytest.raises(NotImplementedError, match=r"minigrad\.viz\.graph"):
                call(None)
        monkeypatch.setitem(sys.modules, "moviepy", None)
        monkeypatch.setitem(sys.modules, "moviepy.editor", None)
        with pytest.raises(ImportError, match="pip install moviepy"):
            writer.add_video("v", minigrad.rand(1, 1, 3, 2, 2))


@pytest.fixture
def fresh():
    caches = _packages._root, _packages.module
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def test_without_a_package(tmp_path, monkeypatch, fresh):
    for name in ("tensorboard", "tensorboardX"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install 'minigrad-numpy\[tensorboard\]'"):
        writer_module.SummaryWriter(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "scalars",
        "histograms",
        "images",
        "text",
        "curves",
        "charts",
        "sound",
        "hyperparameters",
        "points",
        "complex tensors",
    ],
)
def test_the_same_records_by_tensorboardx(name, tmp_path, monkeypatch, fresh):
    pytest.importorskip("tensorboardX")
    pytest.importorskip("PIL")
    expected = written(minigrad, tmp_path / "a", PROGRAMS[name])
    _packages._root.cache_clear()
    _packages.module.cache_clear()
    monkeypatch.setattr(_packages, "_root", lambda: ("tensorboardX", 1))
    assert written(minigrad, tmp_path / "b", PROGRAMS[name]) == expected


def test_bytes_by_tensorboardx(tmp_path, monkeypatch, fresh):
    pytest.importorskip("tensorboardX")
    monkeypatch.setattr(_packages, "_root", lambda: ("tensorboardX", 1))
    found = written(
        minigrad, tmp_path, lambda w, lib: w.add_tensor("b", lib.tensor([1, 200], dtype=lib.uint8))
    )
    ((_, event),) = found.values()
    assert [*event.summary.value[0].tensor.int_val] == [1, 200]
