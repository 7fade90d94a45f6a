"""The generator: its words against Python's own MT19937, seeds, saved states, and the counting of words."""

import copy
import pickle
import random
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minigrad._arrays.random import generator as module
from minigrad._arrays.random.generator import Generator, default_generator


def seeded(seed=0):
    return Generator().manual_seed(seed)


def python_words(seed, n):
    """``n`` words of Python's MT19937 from Knuth's seeding."""
    key = [seed & 0xFFFFFFFF]
    for i in range(1, 624):
        key.append((1812433253 * (key[-1] ^ (key[-1] >> 30)) + i) & 0xFFFFFFFF)
    source = random.Random()
    source.setstate((3, (*key, 624), None))
    return [source.getrandbits(32) for _ in range(n)]


# Words ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 67280421310721, 2**32 - 1, 2**63, 2**64 - 1])
def test_words_are_those_of_mt19937(seed):
    assert seeded(seed).words32(2000).tolist() == python_words(seed, 2000)


@given(st.lists(st.integers(0, 1500), max_size=12))
def test_words_do_not_depend_on_how_many_are_drawn_at_a_time(sizes):
    generator = seeded(5)
    drawn = [word for n in sizes for word in generator.words32(n).tolist()]
    assert drawn == seeded(5).words32(sum(sizes)).tolist()


def test_words_handed_out_may_be_overwritten():
    generator = seeded()
    for _ in range(100):
        generator.words32(13)[:] = 0
    rest = generator.words32(1000)
    assert rest.tolist() == python_words(0, 2300)[1300:]


def test_numbers_of_64_bits_have_the_first_word_on_top():
    words = python_words(3, 20)
    assert seeded(3).words64(10).tolist() == [words[i] << 32 | words[i + 1] for i in range(0, 20, 2)]


def test_uniform_numbers_take_the_low_bits():
    words = python_words(3, 2000)
    singles, doubles = seeded(3).uniform_f32(2000), seeded(3).uniform_f64(1000)
    assert singles.dtype == np.float32
    assert singles.tolist() == [(word & (2**24 - 1)) * 2.0**-24 for word in words]
    wide = [words[i] << 32 | words[i + 1] for i in range(0, 2000, 2)]
    assert doubles.tolist() == [(number & (2**53 - 1)) * 2.0**-53 for number in wide]


@pytest.mark.parametrize("before", [0, 1, 300, 622, 623, 624])
@pytest.mark.parametrize("taken", [0, 1, 10, 400])
def test_a_stream_takes_the_words_of_what_it_gave(before, taken):
    generator, other = seeded(), seeded()
    generator.words32(before)
    other.words32(before)
    stream = generator.stream_f64()
    assert [next(stream) for _ in range(taken)] == other.uniform_f64(taken).tolist()
    stream.close()
    np.testing.assert_array_equal(generator.state_bytes(), other.state_bytes())


def test_words_of_a_turn_are_refused_where_the_turn_ends():
    generator = seeded()
    assert generator.words_of_turn(1) is None
    generator.words32(600)
    words, start = generator.words_of_turn(24)
    assert words[start : start + 24].tolist() == python_words(0, 624)[600:]
    assert generator.words_of_turn(1) is None
    assert generator.words32(1).tolist() == python_words(0, 625)[624:]


# Seeds ------------------------------------------------------------------------------------------------------


def test_a_new_generator_has_the_seed_of_torch():
    assert Generator().initial_seed() == 67280421310721
    assert Generator().words32(3).tolist() == seeded(67280421310721).words32(3).tolist()


@pytest.mark.parametrize("seed, kept", [(-1, 2**64 - 1), (-(2**63), 2**63), (2**64 - 1, 2**64 - 1), (7, 7)])
def test_the_whole_seed_is_kept(seed, kept):
    generator = Generator()
    assert generator.manual_seed(seed) is generator
    assert generator.initial_seed() == kept


@pytest.mark.parametrize("seed", [2**64, -(2**63) - 1])
def test_a_seed_beyond_64_bits_is_refused(seed):
    with pytest.raises(ValueError, match=r"^Overflow when unpacking long long$"):
        Generator().manual_seed(seed)


@pytest.mark.parametrize("seed, name", [(1.5, "float"), ("a", "str"), (True, "bool"), (None, "NoneType")])
def test_a_seed_that_is_no_int_is_refused(seed, name):
    with pytest.raises(RuntimeError, match=f"^manual_seed expected a long, but got {name}$"):
        Generator().manual_seed(seed)


def test_an_integer_of_numpy_is_a_seed():
    assert Generator().manual_seed(np.int64(3)).initial_seed() == 3


def test_seeding_again_starts_again():
    generator = seeded(1)
    first = generator.words32(700).tolist()
    generator.next_normal = 1.0
    generator.manual_seed(1)
    assert generator.next_normal is None
    assert generator.words32(700).tolist() == first


def test_seed_draws_another_seed_each_time():
    generator = Generator()
    seeds = {generator.seed() for _ in range(5)}
    assert len(seeds) == 5
    assert generator.initial_seed() in seeds
    assert generator.words32(4).tolist() == seeded(generator.initial_seed()).words32(4).tolist()


def test_the_default_generator_is_one_and_cannot_be_foreseen(monkeypatch):
    assert default_generator() is default_generator()
    seeds = set()
    for _ in range(3):
        monkeypatch.setattr(module, "_default", None)
        seeds.add(default_generator().initial_seed())
    assert len(seeds) == 3


def test_threads_that_ask_at_once_get_the_same_default_generator(monkeypatch):
    monkeypatch.setattr(module, "_default", None)
    found, barrier = [], threading.Barrier(8)

    def ask():
        barrier.wait()
        found.append(default_generator())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(map(id, found))) == 1


# States -----------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(words=st.integers(0, 2000), after=st.integers(1, 2000), normal=st.none() | st.floats(-5, 5))
def test_a_state_goes_on_where_it_was_saved(words, after, normal):
    generator = seeded(9)
    generator.words32(words)
    generator.next_normal = normal
    state = generator.state_bytes()
    expected = generator.words32(after).tolist()
    other = Generator()
    other.load_state_bytes(state)
    np.testing.assert_array_equal(other.state_bytes(), state)
    assert (other.initial_seed(), other.next_normal) == (9, normal)
    assert other.words32(after).tolist() == expected
    np.testing.assert_array_equal(other.state_bytes(), generator.state_bytes())


def test_a_state_does_not_change_with_its_generator():
    generator = seeded()
    state = generator.state_bytes()
    copied = state.copy()
    generator.words32(1000)
    np.testing.assert_array_equal(state, copied)
    assert state.flags.writeable


@pytest.mark.parametrize(
    "words, left, following",
    [(0, 1, 0), (1, 624, 1), (5, 620, 5), (623, 2, 623), (624, 1, 624), (625, 624, 1)],
)
def test_a_state_counts_words_as_torch_does(words, left, following):
    generator = seeded(2**40)
    generator.words32(words)
    state = generator.state_bytes()
    assert state.size == 5056
    assert state[:8].view("<u8")[0] == 2**40
    assert state[8:16].view("<i4").tolist() == [left, 1]
    assert state[16:24].view("<u8")[0] == following
    assert not state[5016:].any()


@pytest.mark.torch
@pytest.mark.parametrize("words", [0, 1, 5, 623, 624, 625, 1000])
@pytest.mark.parametrize("normal", [False, True])
def test_states_are_those_of_torch(words, normal):
    torch = pytest.importorskip("torch")
    theirs = torch.Generator().manual_seed(11)
    torch.rand(words, generator=theirs)
    ours = seeded(11)
    ours.words32(words)
    if normal:
        from minigrad._arrays.random import distributions

        torch.randn(1, generator=theirs)
        distributions.fill_normal(np.empty(1, np.float32), ours)
    np.testing.assert_array_equal(ours.state_bytes(), theirs.get_state().numpy())
    loaded = Generator()
    loaded.load_state_bytes(theirs.get_state().numpy())
    words = torch.empty(400, dtype=torch.int64).random_(-(2**63), None, generator=theirs)
    np.testing.assert_array_equal(loaded.words64(400).view(np.int64), words.numpy())


@pytest.mark.parametrize(
    "change, error, message",
    [
        (
            lambda s: s[:-1],
            RuntimeError,
            "Expected a CPUGeneratorImplState of size 5056 but found the input RNG",
        ),
        (lambda s: s.astype(np.float32), TypeError, "RNG state must be a torch.ByteTensor"),
        (lambda s: np.repeat(s, 2)[::2], RuntimeError, "RNG state must be contiguous"),
        (lambda s: np.zeros_like(s), RuntimeError, "Invalid mt19937 state"),
        (lambda s: np.full_like(s, 255), RuntimeError, "Invalid mt19937 state"),
    ],
)
def test_what_is_no_state_is_refused_and_changes_nothing(change, error, message):
    generator = seeded()
    generator.words32(10)
    state = generator.state_bytes()
    with pytest.raises(error, match=message):
        generator.load_state_bytes(change(state))
    np.testing.assert_array_equal(generator.state_bytes(), state)


@pytest.mark.parametrize(
    "duplicate", [Generator.clone_state, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))]
)
def test_a_duplicate_goes_its_own_way(duplicate):
    generator = seeded(4)
    generator.words32(100)
    generator.next_normal = 0.5
    other = duplicate(generator)
    assert type(other) is Generator
    np.testing.assert_array_equal(other.state_bytes(), generator.state_bytes())
    assert other.words32(600).tolist() == generator.words32(600).tolist()
    other.words32(1)
    assert (other.state_bytes() != generator.state_bytes()).any()


def test_there_is_no_offset():
    for call in (lambda g: g.get_offset(), lambda g: g.set_offset(1)):
        with pytest.raises(RuntimeError, match="CPU Generator does not use offset"):
            call(Generator())


def test_numpy_random_is_imported_for_the_first_word_only():
    program = (
        "import sys; from minigrad._arrays.random import distributions; from minigrad._arrays.random.generator import Generator;"
        "g = Generator().manual_seed(3); assert 'numpy.random' not in sys.modules;"
        "g.words32(1); assert 'numpy.random' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_generators_of_one_turn_share_an_engine_and_nobody_notices():
    whole = Generator().manual_seed(5)
    whole._make_engine()  # one of its own from the first word on
    expected = whole.words32(2000).tolist()
    one, other = Generator().manual_seed(5), Generator().manual_seed(6)
    drawn = one.words32(3).tolist()
    other.words32(3)
    assert one._engine is None and other._engine is None
    middle = one.state_bytes()  # makes an engine, after the first turn
    drawn += one.words32(700).tolist()
    assert drawn == expected[:703]
    third = Generator()
    third.load_state_bytes(middle)
    assert third.words32(1000).tolist() == expected[3:1003]
    fourth = Generator().manual_seed(5)
    assert (
        fourth.words32(624).tolist() + fourth.words32(1).tolist() + fourth.words32(700).tolist()
        == expected[:1325]
    )
    assert Generator().manual_seed(5).words32(1500).tolist() == expected[:1500]
    assert fourth.manual_seed(5).words32(5).tolist() == expected[:5]
