"""Sobol sequences: PyTorch's points, and what makes them Sobol's."""

import copy
import pickle

import pytest

import minigrad
from minigrad.quasirandom import SobolEngine
from tests.messages import first_sentence


def state_of(dimension, lib=minigrad):
    return lib._sobol_engine_initialize_state_(lib.zeros(dimension, 30, dtype=lib.int64), dimension)


@pytest.mark.parametrize("scramble", [False, True])
def test_each_interval_has_one_point_in_every_dimension(scramble):
    points = SobolEngine(300, scramble, seed=5).draw_base2(6, dtype=minigrad.float64)
    assert minigrad.equal((points * 64).long().sort(0).values, minigrad.arange(64)[:, None].expand(64, 300))


@pytest.mark.parametrize("parts", [[1, 1, 1, 5], [3, 5], [2, 0, 6], [8]])
def test_points_come_in_the_same_order_however_many_are_drawn_at_once(parts):
    whole = SobolEngine(5, True, seed=1).draw(8)
    engine = SobolEngine(5, True, seed=1)
    assert minigrad.equal(minigrad.cat([engine.draw(n) for n in parts]), whole)
    assert engine.num_generated == 8


@pytest.mark.parametrize("skipped", [[0], [1], [7], [1, 1, 3], [100], [3, 2**20]])
def test_fast_forward_is_drawing(skipped):
    fast, slow = SobolEngine(3, True, seed=2), SobolEngine(3, True, seed=2)
    for n in skipped:
        fast.fast_forward(n)
    n = sum(skipped)
    if n:
        slow.draw(n)
    assert minigrad.equal(fast.draw(3), slow.draw(3))


def test_reset_and_copies():
    engine = SobolEngine(3, True)
    first = engine.draw(7)
    engine.fast_forward(5)
    copies = [copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))]
    following = engine.draw(4)
    for each in copies:
        assert minigrad.equal(each.draw(4), following)
    assert minigrad.equal(engine.reset().draw(7), first)


def test_without_a_seed_the_default_generator_is_asked():
    minigrad.manual_seed(4)
    points = SobolEngine(2, True).draw(2)
    assert not minigrad.equal(SobolEngine(2, True).draw(2), points)
    minigrad.manual_seed(4)
    assert minigrad.equal(SobolEngine(2, True).draw(2), points)


def test_the_end_of_the_sequence():
    engine = SobolEngine(2).fast_forward(2**30 - 2)
    assert engine.draw(2).shape == (2, 2)
    with pytest.raises(RuntimeError, match=r"has 2\*\*30 points"):
        engine.draw(1)


def test_states_of_another_size_are_refused():
    state = minigrad.zeros(2, 31, dtype=minigrad.int64)
    quasi = minigrad.zeros(2, dtype=minigrad.int64)
    for call in (
        lambda: minigrad._sobol_engine_initialize_state_(state, 2),
        lambda: minigrad._sobol_engine_draw(quasi, 1, state, 2, 0, None),
        lambda: minigrad._sobol_engine_ff_(quasi, 1, state_of(3), 2, 0),
        lambda: minigrad._sobol_engine_scramble_(state_of(1), quasi, 2),
    ):
        with pytest.raises(RuntimeError, match="sobolstate has the shape"):
            call()


def test_writes_are_counted():
    state = minigrad.zeros(2, 30, dtype=minigrad.int64)
    assert minigrad._sobol_engine_initialize_state_(state, 2) is state and state._version == 1


def same(ours, theirs):
    assert str(ours.dtype) == str(theirs.dtype) and (ours.numpy() == theirs.numpy()).all()


@pytest.mark.torch
@pytest.mark.parametrize("dimension", [1, 2, 3, 40, 1111])
@pytest.mark.parametrize(
    "options", [{}, {"scramble": True, "seed": 0}, {"scramble": True, "seed": 123456789}], ids=str
)
def test_points_are_pytorchs(dimension, options):
    torch = pytest.importorskip("torch")
    ours, theirs = SobolEngine(dimension, **options), torch.quasirandom.SobolEngine(dimension, **options)
    assert repr(ours) == repr(theirs)
    same(ours.sobolstate, theirs.sobolstate)
    for n, dtype in (1, None), (6, "float64"), (2, "float32"), (0, None), (100, None):
        same(
            *(
                lib_engine.draw(n, dtype=dtype and getattr(lib, dtype))
                for lib, lib_engine in ((minigrad, ours), (torch, theirs))
            )
        )
    same(ours.fast_forward(12345).draw(3), theirs.fast_forward(12345).draw(3))
    same(ours.reset().draw_base2(5), theirs.reset().draw_base2(5))
    same(ours.quasi, theirs.quasi)


@pytest.mark.torch
def test_all_direction_numbers_are_pytorchs():
    torch = pytest.importorskip("torch")
    same(state_of(21201), state_of(21201, torch))


@pytest.mark.torch
def test_scrambling_draws_from_the_default_generator_as_pytorch_does():
    torch = pytest.importorskip("torch")
    points = []
    for lib in minigrad, torch:
        lib.manual_seed(7)
        points.append(lib.quasirandom.SobolEngine(4, True).draw(3))
    same(*points)


def engine(lib, *arguments):
    return lib.quasirandom.SobolEngine(*arguments)


def long(lib, *size):
    return lib.zeros(*size, dtype=lib.int64)


PROGRAMS = {
    "no dimension": lambda lib: engine(lib, 0),
    "too many dimensions": lambda lib: engine(lib, 21202),
    "no first point": lambda lib: engine(lib, 2).draw(0),
    "fewer than none": lambda lib: engine(lib, 2).draw(-1),
    "half": lambda lib: engine(lib, 2).draw(2, dtype=lib.float16),
    "one of integers": lambda lib: engine(lib, 2).draw(1, dtype=lib.int64).tolist(),
    "integers": lambda lib: engine(lib, 2).draw(2, dtype=lib.int64),
    "no power of two": lambda lib: (lambda e: (e.draw(3), e.draw_base2(3)))(engine(lib, 2)),
    "no steps": lambda lib: engine(lib, 2).fast_forward(0).draw(2).tolist(),
    "out": lambda lib: engine(lib, 2).draw(3, out=lib.empty(3, 2, dtype=lib.float64)).tolist(),
    "out of another size": lambda lib: engine(lib, 2).draw(3, out=lib.empty(0)).tolist(),
    "a state of floats": lambda lib: lib._sobol_engine_initialize_state_(lib.zeros(2, 30), 2),
    "a point of floats": lambda lib: lib._sobol_engine_draw(lib.zeros(2), 1, state_of(2, lib), 2, 0, None),
    "directions of floats": lambda lib: lib._sobol_engine_draw(long(lib, 2), 1, lib.zeros(2, 30), 2, 0, None),
    "forward from floats": lambda lib: lib._sobol_engine_ff_(lib.zeros(2), 1, state_of(2, lib), 2, 0),
    "matrices of floats": lambda lib: lib._sobol_engine_scramble_(state_of(2, lib), lib.zeros(2, 30, 30), 2),
    "scrambling of floats": lambda lib: lib._sobol_engine_scramble_(lib.zeros(2, 30), long(lib, 2, 30, 30), 2),
    "draw": lambda lib: [x.tolist() for x in lib._sobol_engine_draw(long(lib, 3), 5, state_of(3, lib), 3, 6, lib.float64)],
}  # fmt: skip


@pytest.mark.torch
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_as_in_pytorch(name):
    torch = pytest.importorskip("torch")

    def outcome(lib):
        try:
            return PROGRAMS[name](lib)
        except Exception as error:
            return type(error), first_sentence(str(error))

    assert outcome(minigrad) == outcome(torch)
