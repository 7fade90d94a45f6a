"""Shared fixtures: every test starts from the same state, and a test that leaks state fails."""

import gc
import importlib.util
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import hypothesis
import pytest

import minigrad
from minigrad._core import modes

# A busy machine may take its time: how long an example takes is not what the tests are about.
# The same examples are drawn each time; `--hypothesis-profile=thorough` draws others, and looks further; `brief` looks less far.
hypothesis.settings.register_profile(
    "suite",
    deadline=None,
    max_examples=50,
    derandomize=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.register_profile(
    "thorough", hypothesis.settings.get_profile("suite"), max_examples=1000, derandomize=False
)
hypothesis.settings.register_profile("brief", hypothesis.settings.get_profile("suite"), max_examples=5)
hypothesis.settings.load_profile("suite")


def pytest_collection_modifyitems(items):
    """Skip what compares with PyTorch where it is not installed."""
    if importlib.util.find_spec("torch") is None:
        for item in items:
            if item.get_closest_marker("torch"):
                item.add_marker(pytest.mark.skip(reason="PyTorch is not installed"))


def pytest_collection_finish():
    """Hide what the collection of tests has made, a million objects, from the garbage collector: many tests call it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def sealed_state():
    """Seed the generator before each test; fail one that leaves a mode open or another default dtype behind."""
    minigrad.manual_seed(0)
    counts = modes._count, modes._loud
    yield
    assert minigrad.is_grad_enabled(), "the test left grad mode off"
    assert not minigrad.is_inference_mode_enabled(), "the test left inference mode on"
    assert (modes._count, modes._loud) == counts, "the test left a mode open"
    assert not modes.thread_state.levels, "the test left a transform or a level of forward mode open"
    assert modes.thread_state.autocast is None, "the test left autocast on"
    assert modes.thread_state.forward, "the test left forward mode off"
    assert minigrad.get_default_dtype() is minigrad.float32, "the test left another default dtype"
