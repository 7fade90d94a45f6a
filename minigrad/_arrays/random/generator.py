"""The source of randomness: PyTorch's CPU generator (MT19937), word for word.

A ``Generator`` hands out 32-bit words, and uniform numbers made of them, in PyTorch's order; what
distributions make of those stands in ``distributions``.  The words come from NumPy's MT19937, 624 at a time
(one turn of the engine) and ahead of need, so that a small draw is a slice.  NumPy is not told how many of
them are used: that is ``_used`` here, and a state is saved as NumPy's key together with it.

``numpy.random`` is imported when the first word is drawn: it takes a quarter of the time that NumPy itself
takes.
"""

import os
import threading
import weakref
from typing import Any, TypeVar

import numpy as np

from ..._base.forking import held_while_forking

_Self = TypeVar("_Self", bound="Generator")
_TURN = 624  # the words of one turn of the engine, and of its state

_DEFAULT_SEED = 67280421310721

# Constants are 0-d arrays: a ufunc takes them in 0.3 us, a Python number in 0.5.
_LOW_24, _LOW_21 = np.array(0xFFFFFF, np.uint32), np.array(0x1FFFFF, np.uint32)
_TO_24, _TO_21, _TO_53 = np.array(2.0**-24, np.float32), np.array(2.0**-21), np.array(2.0**-53)

_STATE = np.dtype(
    {
        "names": ["seed", "left", "seeded", "next", "key", "normal", "normal_is_valid"],
        "formats": ["<u8", "<i4", "<i4", "<u8", ("<u8", _TURN), "<f8", "<i4"],
        "offsets": [0, 8, 12, 16, 24, 5024, 5040],
        "itemsize": 5056,
    }
)


class Generator:
    """A stream of random words with a seed and a state that can be saved.

    A new generator has the seed 67280421310721.  ``lock`` is held by a fill from its first word to its last;
    the methods that draw expect their caller to hold it.  ``next_normal`` is the second half of a pair of
    normal numbers of which one was used, or None; ``derived`` a place for what is computed from the current
    turn's words, emptied with it.

    >>> from minigrad._arrays.random.generator import Generator
    >>> Generator().manual_seed(0).words32(2).tolist()
    [2357136044, 2546248239]
    """

    lock: Any
    next_normal: Any
    derived: Any

    __slots__ = (
        "lock", "next_normal", "derived", "_seed", "_engine", "_reseed", "_block", "_used", "__weakref__",
    )  # fmt: skip

    def __init__(self, seed: int = _DEFAULT_SEED) -> None:
        self.lock = threading.RLock()  # re-entrant: a finaliser or a signal handler may draw during a fill
        self._engine = None  # NumPy's bit generator, made for the first word
        with _creating:
            _all.add(self)
        self._start(seed)

    def _start(self, seed):
        self._seed = seed
        self.next_normal = self.derived = None
        # The latest turn of the engine, nothing before the first; its words from _used on are still to come.
        self._block, self._used = _NOTHING, 0
        if self._engine is not None:
            self._reseed(seed & 0xFFFFFFFF)

    # The seed -----------------------------------------------------------------------------------------------

    def manual_seed(self: _Self, seed: int) -> _Self:
        """Restart from ``seed``, an int in [-2**63, 2**64); return the generator.

        Raises ValueError out of that range, RuntimeError for what is not an int.

        >>> from minigrad._arrays.random.generator import Generator
        >>> Generator().manual_seed(-1).initial_seed() == 2**64 - 1
        True
        """
        if type(seed) is not int:
            if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
                raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
            seed = int(seed)
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        with self.lock:
            self._start(seed % 2**64)
        return self

    def seed(self) -> int:
        """Start again from a seed that cannot be foreseen, and return it."""
        seed = _unforeseen_seed()
        with self.lock:
            self._start(seed)
        return seed

    def initial_seed(self) -> int:
        """The seed that the stream began with."""
        return self._seed

    # The state ----------------------------------------------------------------------------------------------

    def state_bytes(self) -> Any:
        """The state as PyTorch's 5056 bytes, a new uint8 array."""
        with self.lock:
            engine = self._engine or self._make_engine()
            state = np.zeros((), _STATE)
            fresh = self._block is _NOTHING
            state["seed"], state["seeded"], state["key"] = self._seed, 1, engine.state["state"]["key"]
            state["left"], state["next"] = (1, 0) if fresh else (_TURN + 1 - self._used, self._used)
            if self.next_normal is not None:
                state["normal"], state["normal_is_valid"] = self.next_normal, 1
        return np.frombuffer(state.tobytes(), np.uint8).copy()

    def load_state_bytes(self, array: Any) -> None:
        """Continue from a state that ``state_bytes`` (or PyTorch) has saved, a uint8 array.

        Raises TypeError for another dtype, RuntimeError for another size or bytes that are no state.
        """
        if array.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if not array.flags.c_contiguous:
            raise RuntimeError("RNG state must be contiguous")
        if array.size != _STATE.itemsize:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {_STATE.itemsize} "
                f"but found the input RNG state size to be {array.size}"
            )
        state = np.frombuffer(array.tobytes(), _STATE)[0]
        left, following = int(state["left"]), int(state["next"])
        if state["seeded"] != 1 or not 0 < left <= _TURN or following > _TURN:
            raise RuntimeError("Invalid mt19937 state")
        used = _TURN if left == 1 else following
        with self.lock:
            engine = self._engine or self._make_engine()
            key = state["key"].astype(np.uint32)
            engine.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": used}}
            self._seed = int(state["seed"])
            self.next_normal = float(state["normal"]) if state["normal_is_valid"] else None
            self._used = used
            self.derived = None
            if following == 0 and left == 1:
                self._block, self._used = _NOTHING, 0
            else:
                self._block = np.zeros(_TURN, np.uint32)
                self._block[used:] = engine.random_raw(_TURN - used)

    def clone_state(self: _Self) -> _Self:
        """A new generator that will draw the same numbers as this one."""
        other = type(self)()
        other.load_state_bytes(self.state_bytes())
        return other

    def __reduce__(self) -> Any:
        return type(self), (), self.state_bytes().tobytes()

    def __setstate__(self, state: Any) -> None:
        self.load_state_bytes(np.frombuffer(state, np.uint8))

    def get_offset(self) -> int:
        """Raises RuntimeError: only generators of accelerators have an offset."""
        raise RuntimeError("CPU Generator does not use offset")

    def set_offset(self, offset: int) -> None:
        """Raises RuntimeError: only generators of accelerators have an offset."""
        raise RuntimeError("CPU Generator does not use offset")

    # Drawing ------------------------------------------------------------------------------------------------

    def words32(self, n: int) -> Any:
        """The next ``n`` words, a uint32 array that the caller may overwrite."""
        start = self._used
        stop = start + n
        if stop <= self._block.size:
            self._used = stop
            return self._block[start:stop]
        left = self._block[start:]
        missing = n - left.size
        turns = -(-missing // _TURN)
        if self._engine is None and self._block is _NOTHING and turns == 1:
            drawn = _first_turn(self._seed)
        else:
            engine = self._engine or self._make_engine()
            drawn = engine.random_raw(turns * _TURN).astype(np.uint32)
        self._used = missing - (turns - 1) * _TURN
        self.derived = None
        self._block = drawn if turns == 1 else drawn[-_TURN:].copy()
        return np.concatenate((left, drawn[:missing])) if left.size else drawn[:missing]

    def words_of_turn(self, n: int) -> Any:
        """All words of the current turn, and where the next ``n`` start, which are drawn hereby.

        None, and nothing drawn, if the turn has less than ``n`` left.  Words before those may be overwritten.
        """
        start = self._used
        if start + n > self._block.size:
            return None
        self._used = start + n
        return self._block, start

    def words64(self, n: int) -> Any:
        """``n`` numbers of 64 bits, each of two words of which the first is the high half; a uint64 array."""
        words = self.words32(2 * n)
        out = words[::2].astype(np.uint64)
        out <<= 32
        out |= words[1::2]
        return out

    def uniform_f32(self, n: int) -> Any:
        """``n`` float32 numbers, uniform in [0, 1): 24 bits of a word each."""
        words = self.words32(n)
        words &= _LOW_24
        out = words.view(np.int32).astype(np.float32)  # conversions of signed numbers are quicker
        out *= _TO_24
        return out

    def uniform_f64(self, n: int) -> Any:
        """``n`` float64 numbers, uniform in [0, 1): 53 bits of two words each."""
        words = self.words32(2 * n)
        out = (words[::2] & _LOW_21) * _TO_21
        out += words[1::2] * _TO_53  # exact: the two have no bit in common
        return out

    def stream_f64(self) -> Any:
        """An iterator over float64 uniform numbers, as many as it takes; ``close`` gives back the unused."""
        while True:
            values = self.uniform_f64((self._block.size - self._used) // 2 or 1).tolist()
            unused = len(values)
            try:
                for value in values:
                    unused -= 1
                    yield value
            finally:
                self._used -= 2 * unused

    def _make_engine(self):
        self._engine, self._reseed = engine, reseed = _new_engine()
        reseed(self._seed & 0xFFFFFFFF)
        if self._block is not _NOTHING:
            engine.random_raw(_TURN)  # the first turn, which came from the engine that all share
        return engine


def _new_engine():
    """NumPy's bit generator, and the function that seeds it."""
    from numpy.random import MT19937, RandomState  # lazily: 12 ms

    engine = MT19937(0)
    return engine, RandomState(engine).seed  # PyTorch's way from a seed to a state is NumPy's old one


def _first_turn(seed):
    """The first words for a seed, from one engine for all: many generators draw no more, and to make an engine takes ten times as long."""
    global _shared
    with _sharing:
        if _shared is None:
            _shared = _new_engine()
        engine, reseed = _shared
        reseed(seed & 0xFFFFFFFF)
        return engine.random_raw(_TURN).astype(np.uint32)


_NOTHING = np.empty(0, np.uint32)

_shared = None
_sharing = held_while_forking(threading.RLock())
_creating = held_while_forking(threading.RLock())
_all: weakref.WeakSet = weakref.WeakSet()
_held: dict = {}  # the generators that a thread holds while it forks


def _hold_all():
    """Before a fork: wait until no other thread draws, so that the child has whole states, and locks that are free."""
    with _creating:
        held = _held[threading.get_ident()] = sorted(_all, key=id)  # in one order, if two threads fork
    for generator in held:
        generator.lock.acquire()


def _release_all():
    for generator in _held.pop(threading.get_ident()):
        generator.lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold_all, after_in_parent=_release_all, after_in_child=_release_all)


_default = None


def default_generator():
    """The generator of whoever names none, made when it is first asked for, with a seed from the system."""
    global _default
    if _default is None:
        with _creating:
            if _default is None:
                _default = Generator(_unforeseen_seed())
    return _default


def _unforeseen_seed():
    return int.from_bytes(os.urandom(7), "little") & (2**53 - 1)
