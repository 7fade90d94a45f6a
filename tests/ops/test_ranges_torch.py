"""The bits of ``arange``, ``linspace`` and ``logspace`` under PyTorch and here, of what is added at places that repeat, and of ``logcumsumexp``."""

import random

import numpy as np
import pytest

import minigrad

FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTEGERS = ["int64", "int32", "int16", "int8", "uint8"]
LENGTHS = [0, 1, 2, 3, 5, 8, 9, 15, 16, 17, 31, 33, 64, 100, 127, 128, 129, 257, 1000, 1025, 4097]


def bits(x, t):
    return (x.view(t.int16) if x.dtype is t.bfloat16 else x).numpy().tobytes()


def assert_same(expressions):
    torch = pytest.importorskip("torch")
    for expression in expressions:
        theirs, ours = (eval(expression, {"t": t, "nan": float("nan")}) for t in (torch, minigrad))
        assert ours.shape == theirs.shape and bits(ours, minigrad) == bits(theirs, torch), expression


def ends(rng, dtype):
    if dtype == "uint8":
        return rng.randint(0, 200), rng.randint(0, 200)
    if dtype in INTEGERS:
        return rng.randint(-100, 100), rng.randint(-100, 100)
    if dtype.startswith("complex"):
        return complex(rng.uniform(-9, 9), rng.uniform(-3, 3)), complex(
            rng.uniform(-9, 9), rng.uniform(-3, 3)
        )
    size = rng.choice([1, 10, 1e3])
    return rng.uniform(-size, size), rng.uniform(-size, size)


@pytest.mark.torch
@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_arange(dtype):
    rng = random.Random(dtype)
    calls = []
    for _ in range(100):
        start, end = ends(rng, dtype)
        step = rng.choice([1, 2, 3, 7] if dtype in INTEGERS else [1, 0.5, 0.1, 0.3, 1 / 3, 2.5, 0.7])
        calls.append(f"t.arange({start}, {end}, {step if end >= start else -step}, dtype=t.{dtype})")
    assert_same(calls)


@pytest.mark.torch
@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS, "complex64", "complex128"])
def test_linspace(dtype):
    rng = random.Random(dtype)
    assert_same(
        "t.linspace({}, {}, {}, dtype=t.{})".format(*ends(rng, dtype), n, dtype)
        for n in LENGTHS
        for _ in range(4)
    )


@pytest.mark.torch
@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_logspace(dtype):
    rng = random.Random(dtype)
    of_integers = dtype in INTEGERS
    assert_same(
        f"t.logspace({rng.randint(0, 2) if of_integers else rng.uniform(-4, 4)}, {rng.randint(0, 2) if of_integers else rng.uniform(-4, 4)}, "
        f"{n}, base={rng.choice([10.0, 2.0, 0.5, 1.5, 3.0, 2.718281828459045])}, dtype=t.{dtype})"
        for n in LENGTHS
        for _ in range(3)
    )


@pytest.mark.torch
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_logspace_of_complex_numbers(dtype):
    rng = random.Random(dtype)
    assert_same(
        "t.logspace({}, {}, {}, base={}, dtype=t.{})".format(*ends(rng, dtype), n, base, dtype)
        for n in LENGTHS
        for base in (10.0, 2.5, 0.5, 1, -2.5)
    )


@pytest.mark.torch
@pytest.mark.parametrize("dtype", [*FLOATS, "complex64"])
def test_logcumsumexp(dtype):
    values = np.random.default_rng(0).normal(size=(5, 40))
    values = (values + 1j * values[::-1] if dtype.startswith("complex") else values).tolist()
    assert_same(f"t.tensor({values}).to(t.{dtype}).logcumsumexp({dim})" for dim in (0, 1))


@pytest.mark.torch
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "complex64", "complex128", "int8"])
def test_put_adds_one_after_the_other(dtype):
    values = f"t.tensor([0.1, 0.7, -0.3, 1000.25, 0.2]).to(t.{dtype})"
    base = f"t.tensor([[1.1, 2.3], [3.7, 4.9]]).to(t.{dtype})"
    assert_same(
        f"{b}.put_(t.tensor([1, 1, -1, 3, 1]), {values}, accumulate=True)"
        for b in (base, base + ".t()", base + "[:, :1].expand(2, 2).clone()")
    )


def test_fixed_numbers():
    x = minigrad.arange(0.1, 3.3, 0.1)
    assert x.numel() == 32 and x.numpy()[[7, 8, 15, 31]].view(np.uint32).tolist() == [
        1061997773,
        1063675494,
        1070386381,
        1078774989,
    ]
    assert minigrad.linspace(-26, 67, 10, dtype=minigrad.int16).tolist() == [
        -26,
        -15,
        -5,
        5,
        15,
        25,
        36,
        46,
        56,
        67,
    ]
    assert minigrad.linspace(1j, 1, 4).numpy().view(np.uint32).tolist() == [
        0,
        0x3F800000,
        1051372203,
        1059760810,
        1059760810,
        1051372203,
        0x3F800000,
        0,
    ]
    assert minigrad.logspace(0.3, 2.7, 4).numpy().view(np.uint32).tolist() == [
        1073702082,
        1095331223,
        1117707675,
        1140496377,
    ]
