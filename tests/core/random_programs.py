"""Sequences of random calls that run alike on raw arrays and in PyTorch, and PyTorch's recorded results.

A program is a seed and a list of steps, each ``(op, dtype, shape, layout, *args)``.  A player runs the steps
with one generator and answers for each with a digest of the result, its first values and warnings, or the
error.  The file ``random_vectors.json`` holds PyTorch's answers to ``PROGRAMS``; where PyTorch is installed,
``python -m tests.core.random_programs`` writes it anew.
"""

import hashlib
import json
import math
import struct
import warnings
from pathlib import Path

import numpy as np

from minigrad._arrays.random import distributions
from minigrad._arrays.random.generator import Generator

VECTORS = Path(__file__).with_name("random_vectors.json")

REAL = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("bool", "uint8", "int8", "int16", "int32", "int64")
DTYPES = (*INTEGERS, "uint16", "uint32", "uint64", *REAL, "complex64", "complex128")
LAYOUTS = ("dense", "reversed", "strided", "inner")


def numpy_dtype(name):
    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


def laid_out(make, shape, layout):
    """A view of the wanted shape and layout on the array or tensor that ``make(shape)`` returns."""
    if layout == "reversed":
        base = make(tuple(shape[::-1]))
        return base.T if isinstance(base, np.ndarray) else base.permute(tuple(range(len(shape)))[::-1])
    if layout == "strided" and shape:
        return make((*shape[:-1], 2 * shape[-1]))[..., ::2]
    if layout == "inner" and shape:
        return make(tuple(n + 1 for n in shape))[(slice(1, None),) * len(shape)]
    return make(tuple(shape))


def spread(shape, scale, dtype):
    """An array of numbers in (0, ``scale``), the same on every machine."""
    steps = np.arange(1, math.prod(shape) + 1) * 2654435761 % 1009 + 0.5
    return np.asarray(steps.reshape(shape) * (scale / 1009), np.float32).astype(dtype)


class Answer:
    """What a step gave: ``error``, or ``head`` (the first values), ``sha256`` (of all bytes) and warnings."""

    def __init__(self, head=(), sha256=None, error=None, warned=()):
        self.head, self.sha256, self.error, self.warned = list(head), sha256, error, list(warned)

    def __eq__(self, other):
        return vars(self) == vars(other)

    def __repr__(self):
        return f"Answer({vars(self)})"


class Player:
    """Runs steps; subclasses know one library."""

    def play(self, steps):
        return [self.step(*step) for step in steps]

    def step(self, op, dtype, shape, layout, *args):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = self.run(op, dtype, tuple(shape), layout, *args)
            except (RuntimeError, ValueError) as error:
                text = str(error).split("\nException raised from")[0]
                return Answer(error=f"{type(error).__name__}: {text}")
        warned = [str(w.message).split(" (Triggered internally")[0] for w in caught]
        array = self.to_array(result)
        values = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64).reshape(-1)[:3]
        head = [[v.real, v.imag] if array.dtype.kind == "c" else v for v in values.tolist()]
        data = array.view(np.uint8) if array.ndim and array.size else array
        sha256 = hashlib.sha256(f"{array.shape}".encode() + data.tobytes()).hexdigest()[:16]
        return Answer(head, sha256, None, warned)


class ArrayPlayer(Player):
    """Runs steps with ``distributions``."""

    def __init__(self, seed):
        self.generator = Generator().manual_seed(seed)

    def state(self):
        return self.generator.state_bytes().tobytes()

    def to_array(self, result):
        return np.array(result, order="C")

    def run(self, op, dtype, shape, layout, *args):
        dtype, g = numpy_dtype(dtype), self.generator
        if op == "permutation":
            return distributions.permutation(*args, g, dtype)
        if op in ("poisson", "standard_gamma", "dirichlet"):
            return getattr(distributions, op)(spread(shape, *args, dtype), g)
        if op == "binomial":
            count = np.asarray(np.floor(spread(shape, *args, np.float32))).astype(dtype)
            return distributions.binomial(count, spread(shape, 1, dtype), g)
        if op == "multinomial":
            return distributions.multinomial(spread(shape, 1, dtype), *args, g)
        if op == "normal_mean":
            return distributions.normal(spread(shape, 9, dtype), *args, g)
        if op == "normal_std":
            return distributions.normal(*args, spread(shape, 2, dtype), g)
        if op == "normal_both":
            return distributions.normal(spread(shape, 9, dtype), spread(shape[-1:], 2, numpy_dtype(*args)), g)
        array = laid_out(lambda shape: np.zeros(shape, dtype), shape, layout)
        if op == "dropout":
            return distributions.dropout_mask(array, *args, g)
        if op == "bernoulli_each":
            return distributions.fill_bernoulli(array, g, spread(shape, 1, numpy_dtype(*args)))
        return getattr(distributions, "fill_" + op)(array, g, *args)


class TorchPlayer(Player):
    """Runs steps with PyTorch."""

    def __init__(self, seed):
        import torch

        self.torch = torch
        self.generator = torch.Generator().manual_seed(seed)

    def state(self):
        return self.generator.get_state().numpy().tobytes()

    def to_array(self, result):
        if result.dtype == self.torch.bfloat16:
            bits = self.torch.empty(result.shape, dtype=result.dtype).copy_(result).view(self.torch.uint16)
            return bits.numpy().view(numpy_dtype("bfloat16"))
        return np.array(result.numpy(), order="C")

    def given(self, shape, scale, dtype, change=np.asarray):
        return self.torch.from_numpy(change(spread(shape, scale, np.float32))).to(getattr(self.torch, dtype))

    def run(self, op, dtype, shape, layout, *args):
        torch, g = self.torch, self.generator
        if op == "permutation":
            return torch.randperm(*args, generator=g, dtype=getattr(torch, dtype))
        if op in ("poisson", "standard_gamma", "dirichlet"):
            function = {"standard_gamma": "_standard_gamma", "dirichlet": "_sample_dirichlet"}.get(op, op)
            return getattr(torch, function)(self.given(shape, *args, dtype), generator=g)
        if op == "binomial":
            count = self.given(shape, *args, dtype, lambda values: np.asarray(np.floor(values)))
            return torch.binomial(count, self.given(shape, 1, dtype), generator=g)
        if op == "multinomial":
            return torch.multinomial(self.given(shape, 1, dtype), *args, generator=g)
        if op == "normal_mean":
            return torch.normal(self.given(shape, 9, dtype), *args, generator=g)
        if op == "normal_std":
            return torch.normal(*args, self.given(shape, 2, dtype), generator=g)
        if op == "normal_both":
            return torch.normal(self.given(shape, 9, dtype), self.given(shape[-1:], 2, *args), generator=g)
        tensor = laid_out(lambda shape: torch.zeros(shape, dtype=getattr(torch, dtype)), shape, layout)
        if op == "dropout":
            return torch.empty_like(tensor).bernoulli_(1 - args[0], generator=g).div_(1 - args[0])
        if op == "bernoulli_each":
            return tensor.bernoulli_(self.given(shape, 1, *args), generator=g)
        return getattr(tensor, op + "_")(*args, generator=g)


# Programs to record -----------------------------------------------------------------------------------------

_SIZES = (0, 1, 2, 15, 16, 17, 31, 40, 100)
_WIDE, _NARROW = ("float32", "float64"), ("float16", "bfloat16")


def _dense(op, dtypes, sizes, *args):
    return [(op, dtype, (n,), "dense", *args) for n in sizes for dtype in dtypes]


def _all_layouts(op, dtype, *args):
    shapes = ((6, 8), (3, 4, 5), (40,), (), (2, 1, 9))
    return [(op, dtype, shape, layout, *args) for shape in shapes for layout in LAYOUTS]


def _rows(op, *rows, shape=(3,)):
    """Steps of one operation from rows ``(dtype, *args)``."""
    return [(op, dtype, shape, "dense", *args) for dtype, *args in rows]


def _uniform():
    bounds = ((), (-1.0, 1.0), (-0.3333, 2.5))
    yield [step for args in bounds for step in _dense("uniform", _WIDE, _SIZES, *args)]
    yield [step for args in ((), (0.1, 0.7)) for step in _dense("uniform", _NARROW, (5, 3000), *args)]
    yield _dense("uniform", _WIDE, (16223, 16224, 50000))
    yield _dense("uniform", _WIDE, (50000,), 0.1, 0.7)
    yield _all_layouts("uniform", "float32")
    yield _all_layouts("uniform", "complex64", 1.0, 2.0)


def _normal():
    for args in ((), (1.7, 0.3), (0.0, 0.02), (-3.0, 1.0)):
        yield _dense("normal", _WIDE, _SIZES, *args)
    yield [step for args in ((), (1.7, 0.3)) for step in _dense("normal", _NARROW, _SIZES, *args)]
    yield _dense("normal", _WIDE, (623, 16224, 16225, 50000))
    yield _dense("normal", _WIDE, (20001,), 5.0, 2.0)
    yield _all_layouts("normal", "float32")
    yield _all_layouts("normal", "complex128", 1.0, 2.0)
    yield _all_layouts("normal", "bfloat16")


def _kept_half():
    """Where a call takes the second half of a pair of normal numbers that an earlier one has left."""
    yield _rows("normal", ("float32",), shape=(1,))
    yield _rows("uniform", ("float32",))
    yield _rows("normal", ("float64",), shape=(1,))
    yield _rows("normal", ("float32",), ("float32",))
    yield _rows("normal", ("float32",), shape=(16,))
    yield _rows("standard_gamma", ("float32", 5))
    yield _rows("log_normal", ("float64",), ("float32",), shape=(5,))
    yield _rows("normal", ("complex64",))
    yield [("normal", "float32", (9, 3), "reversed")]
    yield _rows("normal", ("float16",), ("bfloat16", 1.0, 0.0), shape=(1,))
    yield _rows("normal", ("float32",), shape=(0,))


def _integers():
    spans = (3, 256, 2**28 - 1, 2**28, 2**40, 2**63 - 9)
    yield _rows("random", *[(dtype,) for dtype in (*INTEGERS, *REAL)], shape=(20,))
    for args in ((0, 2), (1, None), (-(2**63), None)):
        yield _rows("random", *[(dtype, *args) for dtype in DTYPES], shape=(20,))
    yield _rows("random", *[("int64", low, low + n) for low in (0, -7) for n in spans], shape=(20,))
    yield _rows("random", ("float16", 65000, 65500), ("float32", -(2**25) - 1, 2**25 + 1))
    yield _rows("random", ("bfloat16", 0, 2**62), ("float64", 2**53 + 1, 2**60 + 1))
    yield _all_layouts("random", "int32", 0, 1000)
    yield _all_layouts("random", "uint8")
    yield _dense("random", ("int64", "uint8"), (20000,), 0, 10)


def _permutations():
    sizes = (0, 1, 2, 3, 10, 100, 499, 500, 501, 1000, 30000)
    yield _rows("permutation", *[("int64", n) for n in sizes], *[(dtype, 20) for dtype in DTYPES])


def _bernoulli():
    yield _rows("bernoulli", *[(dtype, 0.3) for dtype in DTYPES], shape=(100,))
    yield _rows("bernoulli", *[("float32", p) for p in (0.0, 1.0, 1e-12, 1 - 1e-12, 0.5)], shape=(40,))
    for of_p in (*REAL, "int32"):
        yield [("bernoulli_each", "float32", (7, 9), layout, of_p) for layout in LAYOUTS]
    yield _rows("bernoulli_each", *[(dtype, "float32") for dtype in DTYPES], shape=(30,))
    yield _rows("dropout", *[(dtype, 0.3) for dtype in REAL], ("float16", 1 - 1e-9), shape=(50,))
    yield _all_layouts("dropout", "float32", 0.5)
    yield _dense("bernoulli", ("float32",), (20000,), 0.1)


def _of_one_uniform():
    for args in ((), (2.5,)):
        yield _dense("exponential", REAL, _SIZES, *args)
    for args in ((), (1.5, 0.7)):
        yield _dense("cauchy", REAL, _SIZES, *args)
    for p in (0.5, 0.02):
        yield _rows("geometric", *[(dtype, p) for dtype in DTYPES], shape=(200,))
    for op, *args in (("exponential",), ("cauchy",), ("geometric", 0.3)):
        yield _all_layouts(op, "float32", *args)
        yield _dense(op, _WIDE, (10000,), *args)


def _log_normal():
    for args in ((), (-1.0, 0.5)):
        yield _dense("log_normal", REAL, _SIZES, *args)
    yield _all_layouts("log_normal", "float32")


def _by_rejection():
    yield _rows("poisson", *[(dtype, most) for dtype in REAL for most in (1, 10, 50)], shape=(60,))
    yield _rows("binomial", *[(dtype, most) for dtype in _WIDE for most in (3, 30, 900)], shape=(60,))
    yield _rows("standard_gamma", *[(dtype, most) for dtype in _WIDE for most in (0.5, 3, 99)], shape=(60,))
    for shape in ((3,), (5, 4), (30,)):
        yield _rows("dirichlet", ("float32", 3), shape=shape)


def _multinomial():
    ways = [(n, replacement) for n in (1, 2, 5) for replacement in (True, False)]
    for shape in ((5,), (3, 7), (100,)):
        yield _rows("multinomial", *[(dtype, *way) for dtype in _WIDE for way in ways], shape=shape)
    yield _rows("multinomial", ("float16", 4, True), ("bfloat16", 1, False), shape=(9,))


def _normal_of_arrays():
    real_or_complex = (*REAL, "complex64")
    yield _rows("normal_mean", *[(d, std) for d in real_or_complex for std in (0.0, 1.0, 2.5)], shape=(4, 6))
    yield _rows("normal_std", *[(d, mean) for d in REAL for mean in (0.0, 1.0, -2.5)], shape=(4, 6))
    yield _rows("normal_both", *[(d, of_std) for d in REAL for of_std in REAL], shape=(4, 6))
    yield _rows("normal_both", ("float32", "float64"), shape=())


def _errors():
    nan = math.nan
    yield _rows("normal", *[("float32", 0.0, std) for std in (-1.0, -1.5, -1e-7, nan)], ("int32",))
    yield _rows("normal", ("int32",), shape=(0,))
    yield _rows(
        "uniform", *[("float32", *b) for b in ((2, 1), (2.5, 1), (0.0, 1e39), (nan, 1.0), (0.0, nan))]
    )
    yield _rows("uniform", ("float16", 0.0, 7e4), ("bfloat16", -3e38, 3e38), ("float64", -1.7e308, 1.7e308))
    yield _rows("uniform", ("int64",), ("bool",), ("bool", 0.0, 2.0), ("complex64", 2, 1))
    yield _rows("uniform", ("float32", 2, 1), ("complex64", 2, 1), shape=(0,))
    yield _rows(
        "random", ("float32", 5, 3), ("int32", 0, 0), ("float16", 0, 100000), ("float32", 2**24, None)
    )
    yield _rows("random", *[("uint8", *bounds) for bounds in ((0, 257), (0, 256), (-1, 3), (300, None))])
    yield _rows("random", *[(dtype, -(2**40), 3) for dtype in DTYPES], ("int32", 2**31, None))
    yield _rows(
        "random", *[(dtype, 0, 2**40) for dtype in DTYPES], ("float32", 0, 2**63), ("int64", 0, 2**63)
    )
    yield _rows("random", *[(dtype,) for dtype in ("uint16", "uint32", "uint64", "complex64")])
    yield _rows("bernoulli", *[("float32", p) for p in (2.0, -0.5, nan)], ("complex64", 0.5), ("uint16", 0.5))
    yield _rows("exponential", ("float32", 0.0), ("float32", -1.0), ("float32", nan))
    yield _rows("geometric", ("float32", 0.0), ("float32", 1.5), ("float32", nan))
    yield _rows("cauchy", ("float32", 0.0, 0.0), ("float32", 0.0, -1.5))
    yield _rows("log_normal", ("float32", 0.0, 0.0), ("float32", 0.0, -2.0))
    for op in ("exponential", "cauchy", "log_normal"):
        yield _rows(op, *[(dtype,) for dtype in DTYPES if dtype not in REAL])
        yield _rows(op, ("int32",), shape=(0,))
    yield _rows("permutation", ("int64", -1), ("uint8", 257), ("uint8", 256), ("int8", 129), ("int16", 40000))
    yield _rows("permutation", ("float16", 2050), ("float16", 2049), ("bfloat16", 300))
    yield _rows("poisson", ("float32", -1), ("int64", 5))
    yield _rows("standard_gamma", ("float16", 5), ("int64", 5))
    yield _rows("dirichlet", ("bfloat16", 5), ("int64", 5))
    yield _rows("binomial", ("int32", 5), ("bfloat16", 5))
    yield _rows("multinomial", ("float32", 0, True), ("float32", 4, False), ("int32", 1, True))
    for shape in ((), (2, 2, 2), (0, 3)):
        yield _rows("multinomial", ("float32", 2, True), shape=shape)
    yield _rows("multinomial", ("float32", 2, True), ("float32", 1, True), shape=(3, 0))
    yield _rows("normal_mean", ("float32", -1.0), ("int32", 1.0))
    yield _rows("normal_both", ("float32", "complex64"))
    yield _rows("normal_std", ("int32", 1.0))


_PARTS = (
    _uniform, _normal, _kept_half, _integers, _permutations, _bernoulli, _of_one_uniform, _log_normal,
    _by_rejection, _multinomial, _normal_of_arrays, _errors,
)  # fmt: skip

#: Name -> (seed, steps).
PROGRAMS = {
    part.__name__.strip("_"): (seed, [step for steps in part() for step in steps])
    for seed, part in enumerate(_PARTS)
}


def needs_bfloat16(steps):
    return any("bfloat16" in (step[1], step[-1]) for step in steps)


def libm_digest():
    """Tells whether the C library's functions are the ones that the numbers were recorded with."""
    values = []
    for k in range(1, 2000):
        u = k * 0.6180339887498949 % 1.0
        values += [math.log(u), math.log1p(-u), math.exp(u), math.pow(u, u)]
        values += [math.sin(6 * u), math.cos(6 * u), math.tan(u)]
    return hashlib.sha256(struct.pack(f"<{len(values)}d", *values)).hexdigest()


def record():
    """Write PyTorch's answers to ``PROGRAMS``."""
    programs = []
    for name, (seed, steps) in PROGRAMS.items():
        player = TorchPlayer(seed)
        rows = [json.dumps({k: v for k, v in vars(answer).items() if v}) for answer in player.play(steps)]
        state = hashlib.sha256(player.state()).hexdigest()
        programs.append(f'"{name}": {{"state": "{state}", "answers": [\n' + ",\n".join(rows) + "\n]}")
    VECTORS.write_text(f'{{"libm": "{libm_digest()}", "programs": {{\n' + ",\n".join(programs) + "\n}}\n")


def recorded():
    """The C library's digest, and name -> (PyTorch's answers, digest of the state after them)."""
    content = json.loads(VECTORS.read_text())
    programs = {
        name: ([Answer(**answer) for answer in program["answers"]], program["state"])
        for name, program in content["programs"].items()
    }
    return content["libm"], programs


if __name__ == "__main__":
    record()
