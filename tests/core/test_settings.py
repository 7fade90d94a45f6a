"""Settings of the process, and the default device of the thread."""

import threading
import warnings

import pytest

import minigrad
from minigrad._base import settings


@pytest.fixture(autouse=True)
def as_before():
    yield
    minigrad.use_deterministic_algorithms(False)
    minigrad.set_warn_always(False)
    minigrad.set_float32_matmul_precision("highest")
    minigrad.set_default_device(None)


@pytest.mark.parametrize(
    "mode, number, on, warn_only",
    [("default", 0, False, False), ("warn", 1, True, True), ("error", 2, True, False), (2, 2, True, False)],
)
def test_deterministic_debug_modes(mode, number, on, warn_only):
    minigrad.set_deterministic_debug_mode(mode)
    assert minigrad.get_deterministic_debug_mode() == number
    assert minigrad.are_deterministic_algorithms_enabled() is on
    assert minigrad.is_deterministic_algorithms_warn_only_enabled() is warn_only


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (lambda t: t.set_deterministic_debug_mode("x"), RuntimeError, "expected one of `default`"),
        (lambda t: t.set_deterministic_debug_mode(3), RuntimeError, "expected 0, 1, or 2, but got 3"),
        (lambda t: t.set_deterministic_debug_mode(1.5), TypeError, "debug_mode must be str or int"),
        (lambda t: t.use_deterministic_algorithms(1), TypeError, "'mode' (position 1) must be bool, not int"),
        (lambda t: t.set_warn_always(1), RuntimeError, "setWarnOnlyOnce expects a bool, but got int"),
        (lambda t: t.set_flush_denormal(1), RuntimeError, "flush_denormal expects a bool, but got int"),
        (lambda t: t.set_num_interop_threads(0), RuntimeError, "expects a positive integer"),
        (lambda t: t.set_num_interop_threads("2"), RuntimeError, "expects an int, but got str"),
    ],
)
def test_wrong_settings(call, kind, text):
    with pytest.raises(kind) as raised:
        call(minigrad)
    assert text in str(raised.value)


@pytest.mark.torch
def test_errors_are_pytorchs():
    torch = pytest.importorskip("torch")
    for call in (
        lambda t: t.set_deterministic_debug_mode("x"),
        lambda t: t.set_deterministic_debug_mode(3),
        lambda t: t.use_deterministic_algorithms("x"),
        lambda t: t.use_deterministic_algorithms(True, warn_only=None),
        lambda t: t.set_warn_always(1),
        lambda t: t.set_num_interop_threads(0),
        lambda t: t.get_device_module(3),
        lambda t: t.get_device_module("nosuch"),
    ):
        found = []
        for library in (minigrad, torch):
            with pytest.raises((RuntimeError, TypeError)) as raised:
                call(library)
            found.append((raised.type, str(raised.value)))
        assert found[0] == found[1]


def test_matmul_precision():
    minigrad.set_float32_matmul_precision("medium")
    assert minigrad.get_float32_matmul_precision() == "medium"
    with pytest.warns(UserWarning, match="is not one of 'highest', 'high', or 'medium'"):
        minigrad.set_float32_matmul_precision("low")
    assert minigrad.get_float32_matmul_precision() == "medium"


def test_interop_threads_are_set_once(monkeypatch):
    monkeypatch.setattr(settings, "_interop_threads", 0)
    minigrad.set_num_interop_threads(3)
    assert minigrad.get_num_interop_threads() == 3
    with pytest.raises(RuntimeError, match="cannot set number of interop threads after"):
        minigrad.set_num_interop_threads(4)


def test_what_warns_once_can_warn_always():
    def warned():
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            minigrad.ones(1).storage()
        return len(seen)

    warned()
    assert warned() == 0
    minigrad.set_warn_always(True)
    assert warned() == warned() == 1


# The default device -----------------------------------------------------------------------------------------


def test_default_device():
    assert minigrad.get_default_device() == minigrad.device("cpu")
    with minigrad.device("cpu:0") as entered:
        assert entered == minigrad.get_default_device() == minigrad.device("cpu:0")
        assert minigrad.ones(1).device == minigrad.device("cpu")
        with minigrad.device("cpu"):
            assert minigrad.get_default_device() == minigrad.device("cpu")
        assert minigrad.get_default_device() == minigrad.device("cpu:0")
    minigrad.set_default_device("cpu:0")
    assert minigrad.get_default_device() == minigrad.device("cpu:0")
    other = []
    thread = threading.Thread(target=lambda: other.append(minigrad.get_default_device()))
    thread.start()
    thread.join()
    assert other == [minigrad.device("cpu")]


def test_other_devices_are_refused():
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        minigrad.set_default_device("cuda")
    with pytest.raises(AssertionError, match="not compiled with CUDA"), minigrad.device("cuda"):
        pass
    assert minigrad.get_default_device() == minigrad.device("cpu")


def test_device_modules():
    assert minigrad.get_device_module() is minigrad.get_device_module(minigrad.device("cpu")) is minigrad.cpu
    assert minigrad.get_device_module("cuda") is minigrad.cuda
    assert minigrad.cpu.is_available() and not minigrad.cuda.is_available()
    with pytest.raises(RuntimeError, match="Invalid value of device '3'"):
        minigrad.get_device_module(3)
