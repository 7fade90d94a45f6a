"""Memory over time, by what it is for."""

import gzip
import json

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.profiler import profile
from minigrad.profiler._memory_profiler import _CATEGORY_TO_INDEX, Action, Category

ALL = {"record_shapes": True, "profile_memory": True, "with_stack": True}
pytestmark = pytest.mark.filterwarnings("ignore:`export_memory_timeline` is deprecated")


def trained():
    model = nn.Linear(100, 50)
    inputs = torch.randn(8, 100)
    with profile(**ALL) as prof:
        model(inputs).exp().sum().backward()
    return prof


def column(sizes, category):
    return [row[_CATEGORY_TO_INDEX[category] + 1] for row in sizes]


def test_what_memory_is_for(tmp_path):
    prof = trained()
    prof.export_memory_timeline(str(tmp_path / "memory.json"))
    times, sizes = json.loads((tmp_path / "memory.json").read_text())
    assert len(times) == len(sizes) and times == sorted(times)
    assert column(sizes, Category.PARAMETER) == [4 * (100 * 50 + 50)] * len(times)
    assert column(sizes, Category.INPUT) == [4 * 8 * 100] * len(times)
    activations = column(sizes, Category.ACTIVATION)
    assert max(activations) >= 4 * 8 * 50 and activations[0] == 0
    gradients = column(sizes, Category.GRADIENT)
    assert gradients[0] == 0 and gradients[-1] == 4 * (100 * 50 + 50)
    assert max(column(sizes, Category.AUTOGRAD_DETAIL)) >= 4 * 8 * 50


def test_single_changes(tmp_path):
    prof = trained()
    prof.export_memory_timeline(str(tmp_path / "memory.raw.json.gz"))
    with gzip.open(tmp_path / "memory.raw.json.gz", "rt") as file:
        changes = json.load(file)
    actions = list(Action)
    assert {actions[action] for _, action, _, _ in changes} == {
        Action.PREEXISTING,
        Action.CREATE,
        Action.DESTROY,
    }
    for time, action, nbytes, _ in changes:
        assert (time == -1) == (actions[action] is Action.PREEXISTING)
        assert (nbytes < 0) == (actions[action] is Action.DESTROY)
    assert prof.mem_tl.timeline[0][1] is Action.PREEXISTING


def test_a_page_with_a_picture(tmp_path):
    trained().export_memory_timeline(str(tmp_path / "memory.html"), device="cpu")
    page = (tmp_path / "memory.html").read_text()
    for category in ("PARAMETER", "INPUT", "ACTIVATION", "GRADIENT"):
        assert f"<title>{category}</title>" in page
    assert "OPTIMIZER_STATE" not in page


def test_another_device_has_no_memory(tmp_path):
    trained().export_memory_timeline(str(tmp_path / "memory.json.gz"), device="cuda:0")
    with gzip.open(tmp_path / "memory.json.gz", "rt") as file:
        assert json.load(file) == [[], []]


def test_it_needs_everything_noted(tmp_path):
    with profile(record_shapes=True) as prof:
        torch.ones(2)
    with (
        pytest.warns(FutureWarning, match="`export_memory_timeline` is deprecated"),
        pytest.raises(
            ValueError, match="profile_memory=True, with_stack=True required for memory profiling."
        ),
    ):
        prof.export_memory_timeline(str(tmp_path / "memory.json"))
    with pytest.raises(AssertionError, match="must be initialized for memory profiling"):
        profile(**ALL).export_memory_timeline(str(tmp_path / "memory.json"))
