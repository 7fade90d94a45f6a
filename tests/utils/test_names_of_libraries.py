"""Names below the public ones that libraries import: keys of the dispatcher, records of files, rules for operators of compiled libraries."""

import io

import pytest

import minigrad
from minigrad import _C
from minigrad._C import DispatchKey, DispatchKeySet


def test_keys_make_sets():
    both = DispatchKeySet(DispatchKey.AutocastCPU) | DispatchKeySet(DispatchKey.CPU)
    assert both.has(DispatchKey.CPU)
    assert repr(both) == "DispatchKeySet(AutocastCPU, CPU)"
    assert both.remove(DispatchKey.CPU) == DispatchKeySet(DispatchKey.AutocastCPU)


def test_without_its_key_autocast_is_off():
    x = minigrad.ones(2, 2)
    with minigrad.autocast("cpu", dtype=minigrad.bfloat16):
        with _C._ExcludeDispatchKeyGuard(DispatchKeySet(DispatchKey.AutocastCPU)):
            assert (x @ x).dtype is minigrad.float32
        with _C._ExcludeDispatchKeyGuard(DispatchKeySet(DispatchKey.AutocastCUDA)):
            assert (x @ x).dtype is minigrad.bfloat16


def test_a_reader_gives_the_records_of_a_file(tmp_path):
    path = tmp_path / "x.pt"
    minigrad.save({"x": minigrad.arange(3.0)}, path)
    reader = minigrad.PyTorchFileReader(str(path))
    assert {"data.pkl", "byteorder", "data/0"} <= set(reader.get_all_records())
    assert reader.get_record_size("data/0") == 12
    offset = reader.get_record_offset("data/0")
    assert path.read_bytes()[offset : offset + 12] == reader.get_record("data/0")
    assert reader.get_storage_from_record("data/0", 3, minigrad.float32).tolist() == [0, 1, 2]
    with pytest.raises(RuntimeError, match="failed locating file nothing"):
        reader.get_record("nothing")
    with pytest.raises(RuntimeError, match="PytorchStreamReader failed"):
        minigrad.PyTorchFileReader(io.BytesIO(b"no archive"))


def test_results_may_be_described_before_an_operator_is_defined():
    name = "tests_described_early::twice"

    @minigrad.library.register_fake(name)
    def fake(x):
        return minigrad.empty_like(x)

    minigrad.library.define(name, "(Tensor x) -> Tensor")
    minigrad.library.impl(name, "cpu", lambda x: x + x)
    assert (
        minigrad.library.opcheck(
            getattr(minigrad.ops.tests_described_early, "twice").default, (minigrad.ones(2),)
        )["test_faketensor"]
        == "SUCCESS"
    )


def test_compiled_operators_are_not_loaded():
    with pytest.raises(OSError, match="Could not load this library: operators.so"):
        minigrad.ops.load_library("operators.so")


def test_arguments_of_to_are_read():
    parse, cpu = _C._nn._parse_to, minigrad.device("cpu")
    assert parse("cpu") == (cpu, None, False, None)
    assert parse(minigrad.float64, non_blocking=True) == (None, minigrad.float64, True, None)
    lasts = minigrad.channels_last
    assert parse(minigrad.ones(1), memory_format=lasts) == (cpu, minigrad.float32, False, lasts)
