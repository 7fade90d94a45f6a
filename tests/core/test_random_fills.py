"""Random numbers on raw arrays: PyTorch's recorded ones, PyTorch itself, and what any fill must keep."""

import hashlib
import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minigrad._arrays.random import distributions, integers
from minigrad._arrays.random.generator import Generator
from minigrad._arrays.rounding import fma32
from tests.core import random_programs as programs
from tests.core.random_programs import ArrayPlayer, TorchPlayer, laid_out

LIBM, RECORDED = programs.recorded()


def seeded(seed=0):
    return Generator().manual_seed(seed)


# PyTorch's numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_numbers_errors_and_warnings_are_those_recorded_from_torch(name):
    seed, steps = programs.PROGRAMS[name]
    if programs.needs_bfloat16(steps):
        pytest.importorskip("ml_dtypes")
    answers, state = RECORDED[name]
    player = ArrayPlayer(seed)
    exact = programs.libm_digest() == LIBM  # elsewhere log, sin, ... have other last bits
    for step, answer, expected in zip(steps, player.play(steps), answers, strict=True):
        if not exact and expected.head:
            np.testing.assert_allclose(answer.head, expected.head, rtol=1e-3, atol=1e-6, err_msg=str(step))
            answer.head, answer.sha256 = expected.head, expected.sha256
        assert answer == expected, step
    assert not exact or hashlib.sha256(player.state()).hexdigest() == state


@pytest.mark.torch
@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_the_record_is_what_torch_answers(name):
    pytest.importorskip("torch")
    pytest.importorskip("ml_dtypes")
    seed, steps = programs.PROGRAMS[name]
    answers, state = RECORDED[name]
    player = TorchPlayer(seed)
    assert player.play(steps) == answers
    assert hashlib.sha256(player.state()).hexdigest() == state


SHAPES = st.one_of(
    st.sampled_from([(), (0,), (3, 0), (1, 7), (4, 4, 4), (2, 3, 4, 2), (623,), (9000,), (17000,)]),
    st.tuples(st.integers(1, 260)),
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
)
INT64 = st.one_of(
    st.integers(-300, 300), st.integers(-(2**63), 2**63 - 1), st.sampled_from([0, 2**24, 2**53, -(2**63)])
)
NUMBERS = st.one_of(
    st.sampled_from([0.0, 1.0, 0.5, -1.0, 1e-3, 1e6]), st.floats(-5, 5, allow_subnormal=False)
)
PROBABILITIES = st.one_of(
    st.sampled_from([0.0, 1.0, 0.5, 1e-9, 1 - 1e-9]), st.floats(0, 1, allow_subnormal=False)
)


@st.composite
def steps(draw):
    """One step of any operation, sensible or not."""
    op = draw(st.sampled_from(sorted(_ARGUMENTS)))
    dtype = draw(st.sampled_from(programs.REAL if draw(st.booleans()) else programs.DTYPES))
    if op == "multinomial" and dtype in ("float16", "bfloat16"):
        dtype = "float32"  # scores of 16 bits tie, and torch's order among equals is its partial sort's
    if op == "normal_mean" and dtype not in programs.REAL:
        dtype = "complex64"  # torch fails on integers in the addition or before, as it happens
    layout = draw(st.sampled_from(programs.LAYOUTS))
    args = tuple(draw(argument) for argument in _ARGUMENTS[op])
    if op == "uniform":
        args = (args[0], args[0] + args[1])
    if op == "random" and args and args[1] is not None:
        args = (args[0], min(args[0] + args[1], 2**63 - 1))
    return (op, dtype, draw(SHAPES), layout, *args)


_ARGUMENTS = {
    "uniform": (NUMBERS, NUMBERS),
    "normal": (NUMBERS, NUMBERS),
    "random": (INT64, st.one_of(st.none(), st.integers(-2, 1000), st.integers(2**27, 2**40))),
    "bernoulli": (PROBABILITIES,),
    "bernoulli_each": (st.sampled_from(programs.REAL),),
    "exponential": (NUMBERS,),
    "geometric": (PROBABILITIES,),
    "cauchy": (NUMBERS, NUMBERS),
    "log_normal": (NUMBERS, NUMBERS),
    "permutation": (st.integers(0, 3000),),
    "poisson": (st.sampled_from([0.5, 9, 40]),),
    "standard_gamma": (st.sampled_from([0.5, 9, 40]),),
    "binomial": (st.sampled_from([3, 30, 300]),),
    "multinomial": (st.integers(1, 9), st.booleans()),
    "normal_mean": (NUMBERS,),
}


@pytest.mark.torch
@settings(deadline=None, max_examples=60)
@given(seed=st.integers(-(2**63), 2**64 - 1), program=st.lists(steps(), min_size=1, max_size=12))
def test_sequences_of_calls_agree_with_torch(seed, program):
    torch = pytest.importorskip("torch")
    pytest.importorskip("ml_dtypes")
    ours, theirs = ArrayPlayer(seed), TorchPlayer(seed)
    for step in program:
        expected = theirs.step(*step)
        assert ours.step(*step) == expected, step
        assert ours.state() == theirs.state(), step
    ours.generator.load_state_bytes(theirs.generator.get_state().numpy())
    theirs.generator.set_state(torch.from_numpy(ours.generator.state_bytes()))
    assert ours.step("normal", "float32", (40,), "dense") == theirs.step("normal", "float32", (40,), "dense")


# What holds of any generator --------------------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    before=st.lists(steps(), max_size=4),
    after=st.lists(steps(), min_size=1, max_size=6),
)
def test_a_saved_state_replays_what_follows(seed, before, after):
    pytest.importorskip("ml_dtypes")
    player = ArrayPlayer(seed)
    player.play(before)
    state = player.generator.state_bytes()
    first = player.play(after)
    end = player.state()
    player.generator.load_state_bytes(state)
    assert player.play(after) == first
    assert player.state() == end


@pytest.mark.parametrize("layout", ["reversed", "strided", "inner"])
@pytest.mark.parametrize(
    "fill", [distributions.fill_uniform, distributions.fill_exponential, distributions.fill_random]
)
def test_elements_are_filled_in_the_order_of_memory(layout, fill):
    shape = (5, 7, 3)
    array = laid_out(lambda shape: np.zeros(shape, np.float32), shape, layout)
    assert fill(array, seeded()) is array
    in_order = array.T if layout == "reversed" else array
    np.testing.assert_array_equal(in_order.reshape(-1), fill(np.empty(array.size, np.float32), seeded()))


def test_a_strided_fill_leaves_its_neighbours_alone():
    array = np.full((6, 8), 7.0)
    distributions.fill_normal(array[:, ::2], seeded())
    assert (array[:, 1::2] == 7.0).all()
    assert (array[:, ::2] != 7.0).all()


def test_memory_written_twice_is_refused():
    array = np.broadcast_to(np.zeros(1), (3,))
    with pytest.raises(
        RuntimeError, match="more than one element of the written-to tensor refers to a single"
    ):
        distributions.fill_uniform(array, seeded())


def test_nothing_is_drawn_for_an_empty_array():
    generator = seeded()
    before = generator.state_bytes()
    for fill in (distributions.fill_uniform, distributions.fill_normal, distributions.fill_bernoulli):
        fill(np.empty((3, 0), np.float32), generator)
    np.testing.assert_array_equal(generator.state_bytes(), before)


def test_a_failed_check_draws_nothing():
    generator = seeded()
    before = generator.state_bytes()
    with pytest.raises(RuntimeError):
        distributions.fill_bernoulli(np.empty(4), generator, np.array([0.5, 0.5, 1.5, 0.5]))
    with pytest.raises(RuntimeError):
        distributions.multinomial(np.array([0.5, -1.0]), 1, False, generator)
    np.testing.assert_array_equal(generator.state_bytes(), before)


def test_without_a_generator_the_default_one_is_used():
    from minigrad._arrays.random.generator import default_generator

    state = default_generator().state_bytes()
    first = (
        distributions.fill_uniform(np.empty(5)),
        distributions.permutation(9),
        distributions.poisson(np.ones(3)),
    )
    default_generator().load_state_bytes(state)
    again = (
        distributions.fill_uniform(np.empty(5)),
        distributions.permutation(9),
        distributions.poisson(np.ones(3)),
    )
    for one, other in zip(first, again):
        np.testing.assert_array_equal(one, other)


def test_fills_of_several_threads_do_not_mix():
    generator, size, fills = seeded(), 20_000, 12
    stream = distributions.fill_uniform(np.empty(size * fills, np.float32), seeded()).reshape(fills, size)
    arrays = [np.empty(size, np.float32) for _ in range(fills)]

    def work(mine):
        for array in mine:
            distributions.fill_uniform(array, generator)

    threads = [threading.Thread(target=work, args=(arrays[k::4],)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {array.tobytes() for array in arrays} == {row.tobytes() for row in stream}


# Single distributions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(
    "low, high", [(0.0, 1.0), (-1.0, 1.0), (0.0, 1e-6), (1.0, np.nextafter(np.float32(1), 2))]
)
def test_uniform_numbers_stay_below_the_upper_bound(dtype, low, high):
    low, high = float(low), float(high)
    values = distributions.fill_uniform(np.empty(50_000, dtype), seeded(), low, high)
    one_value = values.dtype.type(low) == values.dtype.type(high)
    assert (values >= low).all()
    assert one_value or (values < values.dtype.type(high)).all()


def test_uniform_numbers_are_rounded_once():
    u = seeded().uniform_f32(2000)
    for low, high in (
        (2.0, 3.0),
        (-0.1, 0.1),
        (0.0, 0.3),
        (1e-3, 1e30),
        (-1e-30, 1.0),
        (1000.1, 1000.3),
        (5.0, 5.0),
    ):
        values = distributions.fill_uniform(np.empty(2000, np.float32), seeded(), low, high)
        first, last = np.float32(low), np.float32(high)
        expected = fma32(u, last - first, first)
        np.testing.assert_array_equal(values, np.where(expected == last, first, expected), str((low, high)))


def test_uniform_bounds_may_be_equal():
    assert (distributions.fill_uniform(np.empty(9), seeded(), 3.0, 3.0) == 3.0).all()


def test_normal_with_std_zero_draws_all_the_same():
    generator, other = seeded(), seeded()
    assert (distributions.fill_normal(np.empty(33), generator, 2.0, 0.0) == 2.0).all()
    distributions.fill_normal(np.empty(33), other)
    np.testing.assert_array_equal(generator.state_bytes(), other.state_bytes())


def test_a_normal_number_is_never_minus_zero():
    crafted = Generator()
    words = np.zeros(16, np.uint32)  # u = 0: radius -0.0
    from minigrad._arrays.random.box_muller import blocks_f32

    out = blocks_f32(words, 0.0, 1.0)
    assert (out == 0).all()
    assert not np.signbit(out).any()
    assert crafted.next_normal is None


def test_small_and_large_normal_fills_take_the_same_way():
    # fills below 200 numbers come from tables of a whole turn, larger ones straight from the words
    small, large = seeded(), seeded()
    parts = [distributions.fill_normal(np.empty(160, np.float32), small) for _ in range(10)]
    whole = distributions.fill_normal(np.empty(1600, np.float32), large)
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    np.testing.assert_array_equal(small.state_bytes(), large.state_bytes())


def test_tables_of_a_turn_do_not_outlive_it():
    generator = seeded(1)
    distributions.fill_normal(np.empty(32, np.float32), generator)
    generator.manual_seed(0)
    expected = distributions.fill_normal(np.empty(320, np.float32), seeded(0))[:32]
    np.testing.assert_array_equal(distributions.fill_normal(np.empty(32, np.float32), generator), expected)
    state = seeded(2).state_bytes()
    generator.load_state_bytes(state)
    expected = distributions.fill_normal(np.empty(320, np.float32), seeded(2))[:32]
    np.testing.assert_array_equal(distributions.fill_normal(np.empty(32, np.float32), generator), expected)


@pytest.mark.parametrize("p, kept", [(0.0, 0), (1.0, 1)])
def test_bernoulli_of_a_certain_outcome(p, kept):
    assert (distributions.fill_bernoulli(np.empty(1000, np.int64), seeded(), p) == kept).all()
    assert (distributions.fill_bernoulli(np.empty(1000), seeded(), np.full(1000, p)) == kept).all()


def test_bernoulli_compares_all_53_bits():
    uniform = seeded().uniform_f64(1)[0]
    for p, expected in ((uniform, 0.0), (np.nextafter(uniform, 1.0), 1.0)):
        assert distributions.fill_bernoulli(np.empty(1), seeded(), float(p))[0] == expected


def test_dropout_mask_has_the_order_in_memory_of_its_array():
    array = np.zeros((4, 6), np.float32).T
    mask = distributions.dropout_mask(array, 0.25, seeded())
    assert mask.strides == array.strides
    assert mask.dtype == array.dtype
    assert set(np.unique(mask)) == {np.float32(0), np.float32(1) / np.float32(0.75)}


def test_random_takes_integers_only():
    with pytest.raises(TypeError):
        distributions.fill_random(np.empty(3), seeded(), 0.0, 3.0)


@pytest.mark.parametrize("low, high", [(0, 1), (-5, 5), (0, 256), (-(2**63), 2**63 - 1), (10**12, 10**13)])
def test_random_integers_are_in_their_range(low, high):
    values = distributions.fill_random(np.empty(2000, np.int64), seeded(), low, high)
    assert values.min() >= low
    assert values.max() < high
    if high - low < 300:
        assert set(values.tolist()) == set(range(low, high))


def exchanges(partners):
    order = list(range(len(partners)))
    for i, j in enumerate(partners):
        order[i], order[j] = order[j], order[i]
    return order


@given(st.integers(1, 60), st.randoms(use_true_random=False))
def test_exchanges_without_a_loop_are_those_of_the_loop(n, random):
    partners = [random.randrange(i, n) for i in range(n - 1)] + [n - 1]
    assert integers._exchanged(np.array(partners)).tolist() == exchanges(partners)


@pytest.mark.parametrize("n", [0, 1, 2, 30, 499, 500, 3000])
def test_permutation_exchanges_by_remainders_of_words(n):
    words = seeded().words32(max(n - 1, 0)).tolist()
    partners = [i + word % (n - i) for i, word in enumerate(words)] + [n - 1] * (n > 0)
    assert distributions.permutation(n, seeded()).tolist() == exchanges(partners)


def test_huge_permutations_draw_two_words_for_an_element(monkeypatch):
    monkeypatch.setattr(integers, "_LARGE_PERMUTATION", 9000)
    n, generator = 9001, seeded()
    order = []
    for i, word in enumerate(seeded().words64(n).tolist()):
        j = word % (i + 1)
        order.append(i)
        order[i], order[j] = order[j], i
    assert distributions.permutation(n, generator).tolist() == order
    other = seeded()
    other.words32(2 * n)
    np.testing.assert_array_equal(generator.state_bytes(), other.state_bytes())


@pytest.mark.torch
@pytest.mark.slow
def test_huge_permutations_agree_with_torch():
    torch = pytest.importorskip("torch")
    n = (2**32 - 1) // 20
    expected = torch.randperm(n, generator=torch.Generator().manual_seed(5), dtype=torch.int32)
    np.testing.assert_array_equal(distributions.permutation(n, seeded(5), np.int32), expected.numpy())


@pytest.mark.parametrize("replacement", [True, False])
def test_multinomial_never_chooses_what_has_no_weight(replacement):
    weights = np.array([[0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 1.0, 0.0]])
    chosen = distributions.multinomial(weights, 2, replacement, seeded())
    assert (np.take_along_axis(weights, chosen, 1) > 0).all()
    assert replacement or (np.sort(chosen, 1) == [[1, 3], [0, 2]]).all()


def test_multinomial_of_expanded_weights_draws_row_by_row():
    weights = np.float32([1, 2, 3, 4])
    wide = np.broadcast_to(weights, (5, 4))
    np.testing.assert_array_equal(
        distributions.multinomial(wide, 1, True, seeded()),
        distributions.multinomial(wide.copy(), 1, True, seeded()),
    )


@pytest.mark.parametrize(
    "weights, message",
    [
        ([0.0, 0.0], "invalid multinomial distribution (sum of probabilities <= 0)"),
        ([1.0, -1.0], "invalid multinomial distribution (encountering probability entry < 0)"),
        ([math.nan, 1.0], "invalid multinomial distribution (encountering probability entry < 0)"),
        (
            [math.inf, -1.0],
            "invalid multinomial distribution (encountering probability entry = infinity or NaN)",
        ),
    ],
)
def test_multinomial_names_what_is_wrong_with_the_weights(weights, message):
    with pytest.raises(RuntimeError) as caught:
        distributions.multinomial(np.array(weights), 2, True, seeded())
    assert str(caught.value) == message
    with pytest.raises(RuntimeError) as caught:
        distributions.multinomial(np.array(weights), 1, True, seeded())
    expected = (
        message if not any(weights) else "probability tensor contains either `inf`, `nan` or element < 0"
    )
    assert str(caught.value) == expected


def test_undefined_parameters_of_samplers_that_reject_give_nan():
    nan = math.nan
    count, prob = np.array([nan, 5.0, math.inf, 5.0]), np.array([0.5, nan, 0.5, 1.0])
    np.testing.assert_array_equal(distributions.binomial(count, prob, seeded()), [nan, nan, nan, 5.0])
    np.testing.assert_array_equal(
        np.isnan(distributions.standard_gamma(np.array([nan, -1.0, 1.0]), seeded())), [1, 1, 0]
    )


def test_binomial_with_a_vanishing_probability_ends():
    count = np.array([10.0, 1e300])
    np.testing.assert_array_equal(distributions.binomial(count, np.full(2, 5e-324), seeded()), [0.0, 0.0])


def test_a_rejecting_sampler_gives_back_the_words_it_did_not_use():
    generator, other = seeded(), seeded()
    distributions.poisson(np.zeros(5), generator)
    np.testing.assert_array_equal(generator.state_bytes(), other.state_bytes())
    with pytest.raises(RuntimeError, match="invalid Poisson rate"):
        distributions.poisson(np.array([0.0, -1.0]), generator)
    np.testing.assert_array_equal(generator.state_bytes(), other.state_bytes())


def test_dirichlet_numbers_sum_to_one():
    shares = distributions.dirichlet(np.full((50, 7), 0.3), seeded())
    np.testing.assert_allclose(shares.sum(-1), 1.0)
    assert distributions.dirichlet(np.array(2.0), seeded()) == np.nextafter(1.0, 0.0)


@pytest.mark.parametrize(
    "draw, mean, variance",
    [
        (lambda g, n: distributions.fill_uniform(np.empty(n), g), 1 / 2, 1 / 12),
        (lambda g, n: distributions.fill_normal(np.empty(n, np.float32), g, 1.0, 2.0), 1.0, 4.0),
        (lambda g, n: distributions.fill_normal(np.empty((n, 2))[:, 0], g, 1.0, 2.0), 1.0, 4.0),
        (lambda g, n: distributions.fill_exponential(np.empty(n), g, 2.0), 1 / 2, 1 / 4),
        (lambda g, n: distributions.fill_geometric(np.empty(n), g, 0.25), 4.0, 12.0),
        (lambda g, n: np.log(distributions.fill_log_normal(np.empty(n), g, 0.5, 2.0)), 0.5, 4.0),
        (lambda g, n: distributions.poisson(np.full(n, 4.0), g), 4.0, 4.0),
        (lambda g, n: distributions.poisson(np.full(n, 40.0), g), 40.0, 40.0),
        (lambda g, n: distributions.binomial(np.full(n, 12.0), np.full(n, 0.75), g), 9.0, 2.25),
        (lambda g, n: distributions.binomial(np.full(n, 120.0), np.full(n, 0.25), g), 30.0, 22.5),
        (lambda g, n: distributions.standard_gamma(np.full(n, 0.5), g), 0.5, 0.5),
        (lambda g, n: distributions.standard_gamma(np.full(n, 9.0), g), 9.0, 9.0),
    ],
)
def test_mean_and_variance_are_those_of_the_distribution(draw, mean, variance):
    n = 20_000
    values = np.asarray(draw(seeded(3), n), np.float64)
    assert abs(values.mean() - mean) < 5 * math.sqrt(variance / n)
    assert abs(values.var() / variance - 1) < 0.12
