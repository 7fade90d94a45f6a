"""Workers: what they send arrives as it was made, in memory that both have; what the loader does about them."""

import collections
import gc
import multiprocessing
import os
import queue
import signal
import sys
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest

import minigrad
from minigrad.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset, get_worker_info
from minigrad.utils.data._utils import segments
from minigrad.utils.data._utils.worker import Channel

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")

Point = collections.namedtuple("Point", "x y")


class Made(Dataset):
    """Samples made by a function."""

    def __init__(self, make, n=4):
        self.make, self.n = make, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return self.make(i)


def sent(value, **options):
    """What becomes of a value that a worker makes."""
    (arrived,) = DataLoader(
        Made(lambda i: value, 1), batch_size=None, num_workers=1, collate_fn=lambda x: x, **options
    )
    return arrived


class Away:
    """A channel whose other end is in this process."""

    def __enter__(self):
        self.ends = [Channel(end) for end in multiprocessing.get_context("fork").Pipe()]
        return self

    def __exit__(self, *error):
        for end in self.ends:
            end.close()

    def __call__(self, value):
        send = threading.Thread(target=self.ends[0].send_batch, args=(7, value))
        send.start()
        key, unpickled = self.ends[1].receive()
        send.join()
        assert key == 7
        return unpickled()


VALUES = {
    "tensor": lambda: minigrad.arange(6.0).reshape(2, 3),
    "transposed": lambda: minigrad.arange(6).reshape(2, 3).t(),
    "strided": lambda: minigrad.arange(12)[1::3],
    "sparsely strided": lambda: minigrad.arange(12000)[::1000],
    "expanded": lambda: minigrad.arange(3).expand(4, 3),
    "channels_last": lambda: minigrad.rand(2, 3, 4, 5).to(memory_format=minigrad.channels_last),
    "without elements": lambda: minigrad.empty(2, 0, 3),
    "number": lambda: minigrad.tensor(True),
    "bfloat16": lambda: minigrad.arange(3).to(minigrad.bfloat16),
    "complex": lambda: minigrad.arange(3) * 1j,
    "requires grad": lambda: minigrad.ones(2, requires_grad=True),
    "parameter": lambda: minigrad.nn.Parameter(minigrad.ones(2)),
    "large": lambda: minigrad.arange(400_000),
    "array": lambda: np.arange(5),
    "strided array": lambda: np.arange(10)[::-2],
    "array without elements": lambda: np.empty((0, 3), np.int16),
    "array of texts": lambda: np.array(["ab", "c"]),
    "containers": lambda: {
        "a": [minigrad.ones(2), "text"],
        "b": Point(1, minigrad.zeros(3)),
        3: (None, b"x", 2.5),
    },
    "a long text": lambda: "x" * 300_000,
    "many": lambda: [minigrad.full((i,), i) for i in range(300)],
    "storage": lambda: minigrad.ones(3).untyped_storage(),
}


def same(ours, value):
    assert type(ours) is type(value)
    if isinstance(value, minigrad.Tensor):
        assert (ours.dtype, ours.requires_grad) == (value.dtype, value.requires_grad)
        assert ours.shape == value.shape
        assert ours.equal(value)
        assert ours._array.flags.writeable or 0 in ours.stride()
        if value.untyped_storage().nbytes() < 1000:
            assert ours.stride() == value.stride()
    elif isinstance(value, np.ndarray):
        assert ours.dtype == value.dtype
        np.testing.assert_array_equal(ours, value)
    elif isinstance(value, dict):
        assert [*ours] == [*value]
        same([*ours.values()], [*value.values()])
    elif isinstance(value, (list, tuple)):
        assert len(ours) == len(value)
        for one, other in zip(ours, value):
            same(one, other)
    elif hasattr(value, "nbytes"):
        assert ours.tolist() == value.tolist()
    else:
        assert ours == value


@pytest.mark.parametrize("shares", [True, False], ids=["segments", "bytes"])
@pytest.mark.parametrize("name", VALUES)
def test_what_arrives_is_what_was_sent(name, shares, monkeypatch):
    if name == "bfloat16":
        pytest.importorskip("ml_dtypes")
    monkeypatch.setattr(segments, "SHARES", shares)
    value = VALUES[name]()
    with Away() as away:
        same(away(value), value)


def test_what_a_worker_makes_arrives():
    for name in ("tensor", "containers", "a long text", "many"):
        value = VALUES[name]()
        same(sent(value), value)


@pytest.mark.parametrize("shares", [True, False], ids=["segments", "bytes"])
def test_views_of_one_memory_stay_so(shares, monkeypatch):
    monkeypatch.setattr(segments, "SHARES", shares)
    whole = minigrad.arange(10.0)
    with Away() as away:
        one, two, other = away((whole[2:6], whole[4:8], minigrad.zeros(2)))
    one[2] = 100
    assert two[0] == 100
    assert one.untyped_storage()._cdata == two.untyped_storage()._cdata != other.untyped_storage()._cdata


def test_of_a_view_only_its_part_is_sent():
    with Away() as away:
        part = away(minigrad.zeros(1_000_000)[10:12])
    assert part.untyped_storage().nbytes() == 8


def test_batches_lie_in_shared_memory_and_are_freed_with_their_tensors():
    def mapped():
        return Path("/proc/self/maps").read_text().count("memfd:minigrad")

    if not os.path.exists("/proc/self/maps"):
        pytest.skip("looks at Linux's table of mappings")
    gc.collect()
    before = mapped()
    descriptors = len(os.listdir("/proc/self/fd"))
    loader = DataLoader(TensorDataset(minigrad.arange(100)), batch_size=10, num_workers=1)
    batches = list(loader)
    assert mapped() == before + 10
    assert len(os.listdir("/proc/self/fd")) == descriptors
    first = batches[0][0]
    del batches
    assert mapped() == before + 1
    first += 1  # it is this process's own
    assert first.tolist() == [*range(1, 11)]
    del first
    assert mapped() == before


def test_batches_are_shared_memory_and_can_be_sent_on():
    ((batch,),) = DataLoader(TensorDataset(minigrad.arange(5)), batch_size=5, num_workers=1)
    assert batch.is_shared()
    way = minigrad.multiprocessing.SimpleQueue()
    way.put(batch)
    received = way.get()
    batch[0] = 7
    assert received.tolist() == [7, 1, 2, 3, 4]


def test_batches_are_no_part_of_the_dataset():
    data = minigrad.arange(8)
    for workers in (0, 1):
        for (batch,) in DataLoader(TensorDataset(data), batch_size=4, num_workers=workers):
            batch.zero_()
    assert data.tolist() == [*range(8)]


def test_a_batch_that_the_worker_keeps_is_not_written_over():
    class Keeps(Dataset):
        kept = None

        def __len__(self):
            return 3

        def __getitem__(self, i):
            if self.kept is None:
                self.kept = minigrad.utils.data.default_collate([i, i + 1])
            return self.kept

    batches = list(DataLoader(Keeps(), batch_size=None, num_workers=1))
    assert [batch.tolist() for batch in batches] == [[0, 1]] * 3


def test_a_result_that_cannot_be_pickled_is_an_error():
    with pytest.raises(
        AttributeError, match=r"(?s)in DataLoader worker process 0\.\nOriginal Traceback.*pickle"
    ):
        sent(lambda: None)

    class Local(Exception):
        pass

    def fail(i):
        raise Local("of this function")

    with pytest.raises(RuntimeError, match=r"(?s)Caught RuntimeError in .*Local: of this function"):
        list(DataLoader(Made(fail), num_workers=1))


def test_a_tensor_with_a_history_is_refused():
    def make(i):
        return minigrad.ones(1, requires_grad=True) * i

    with pytest.raises(RuntimeError, match="Cowardly refusing to serialize non-leaf tensor"):
        list(DataLoader(Made(make), batch_size=None, num_workers=1))


def test_a_result_that_cannot_be_unpickled_is_an_error_in_its_turn():
    def make(i):
        return Unloadable() if i == 1 else i

    seen = []
    with pytest.raises(ZeroDivisionError, match="while unpickling what DataLoader worker process 1 sent"):
        for batch in DataLoader(Made(make), batch_size=None, num_workers=2):
            seen.append(batch)
    assert seen == [0]


class Unloadable:
    def __reduce__(self):
        return divmod, (1, 0)


@pytest.mark.parametrize("number", [signal.SIGKILL, None], ids=["killed", "exits"])
def test_a_dead_worker_is_noticed_by_its_pid(number):
    """Also if a process that it has forked keeps what tells of its end."""

    def make(i):
        if i == 2:
            if os.fork() == 0:
                time.sleep(5)
                os._exit(0)
            os._exit(0) if number is None else os.kill(os.getpid(), number)
        return i

    iterator = iter(DataLoader(Made(make, 10), num_workers=1, batch_size=None))
    pid = iterator._workers[0].pid
    start = time.monotonic()
    with pytest.raises(
        RuntimeError, match=rf"DataLoader worker \(pid\(s\) {pid}\) exited unexpectedly"
    ) as caught:
        list(iterator)
    assert str(pid) in str(caught.value.__cause__)
    assert time.monotonic() - start < 4  # the forked process has not ended


def test_workers_of_an_epoch_are_gone_after_it_and_persistent_ones_stay():
    gc.collect()
    others = {*multiprocessing.active_children()}  # which a traceback may keep

    def children():
        return {child.pid for child in {*multiprocessing.active_children()} - others}

    loader = DataLoader(Made(lambda i: os.getpid()), num_workers=2)
    first, second = ({pid.item() for pid in loader} for _ in range(2))
    assert not first & second
    assert not children()
    loader = DataLoader(Made(lambda i: os.getpid()), num_workers=2, persistent_workers=True)
    first, second = ({pid.item() for pid in loader} for _ in range(2))
    assert first == second == children()
    os.kill(min(first), signal.SIGKILL)
    time.sleep(0.1)
    third = {pid.item() for pid in loader}
    assert not first & third
    del loader
    gc.collect()
    assert not children()


def test_persistent_workers_keep_their_dataset():
    class Counts(Dataset):
        asked = 0

        def __len__(self):
            return 3

        def __getitem__(self, i):
            self.asked += 1
            return self.asked

    loader = DataLoader(Counts(), batch_size=None, num_workers=1, persistent_workers=True)
    assert [list(loader) for _ in range(2)] == [[1, 2, 3], [4, 5, 6]]
    iterator = iter(loader)
    assert next(iterator) == 7
    assert list(loader) == [10, 11, 12]  # two more were under way


def test_workers_make_batches_ahead():
    made = multiprocessing.get_context("fork").Value("i", 0)

    def make(i):
        with made.get_lock():
            made.value += 1
        return "x" * 100_000  # more than a pipe holds

    for factor in (1, 3):
        made.value = 0
        iterator = iter(DataLoader(Made(make, 50), batch_size=2, num_workers=2, prefetch_factor=factor))
        until = time.monotonic() + 10
        while made.value < 4 * factor and time.monotonic() < until:
            time.sleep(0.01)
        assert made.value == 4 * factor
        next(iterator)
        del iterator


def test_an_index_may_be_larger_than_a_pipe():
    loader = DataLoader(
        Made(lambda i: i, 100_000), batch_size=None, sampler=[[0] * 100_000] * 6, num_workers=1
    )
    assert [len(index) for index in loader] == [100_000] * 6


def test_worker_info():
    assert get_worker_info() is None

    class Knows(IterableDataset):
        def __iter__(self):
            info = get_worker_info()
            assert info.dataset is self
            with pytest.raises(AttributeError):
                info.id = 5
            yield info.id, info.num_workers, info.seed

    minigrad.manual_seed(3)
    found = list(DataLoader(Knows(), batch_size=None, num_workers=2))
    assert [each[:2] for each in found] == [[0, 2], [1, 2]]
    assert found[1][2] == found[0][2] + 1


def test_loaders_in_threads_and_in_each_other():
    def work(results):
        inner = DataLoader(Made(lambda i: i, 6), num_workers=1)
        results.put(
            [(a.item(), b.item()) for a in DataLoader(Made(lambda i: i, 2), num_workers=1) for b in inner]
        )

    results = queue.SimpleQueue()
    threads = [threading.Thread(target=work, args=(results,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    expected = [(a, b) for a in range(2) for b in range(6)]
    assert results.get() == results.get() == expected


def test_an_iterator_is_not_pickled():
    import pickle

    with pytest.raises(NotImplementedError):
        pickle.dumps(iter(DataLoader([1])))


class Own(minigrad.Tensor):
    pass


class Below(Own):
    pass


#: The class of a batch -> samples of it, by number.
CLASSES = {
    "Own": lambda i: minigrad.full((2,), i).as_subclass(Own),
    "Own of transposed": lambda i: minigrad.full((2, 3), i).t().as_subclass(Own),
    "Own first": lambda i: minigrad.full((2,), i).as_subclass(minigrad.Tensor if i % 2 else Own),
    "Own after a tensor": lambda i: minigrad.full((2,), i).as_subclass(Own if i % 2 else minigrad.Tensor),
    "Below": lambda i: minigrad.full((2,), i).as_subclass(Below if i % 2 else Own),
    "Tensor": lambda i: minigrad.nn.Parameter(minigrad.full((2,), float(i)), requires_grad=False),
}


@pytest.mark.parametrize("name", CLASSES)
def test_batches_of_subclasses_are_of_the_subclass(name):
    for workers in (0, 1):
        batches = [*DataLoader(Made(CLASSES[name]), batch_size=2, num_workers=workers)]
        assert [type(batch).__name__ for batch in batches] == [name.split()[0]] * 2
        assert [batch.flatten().tolist()[::-1][0] for batch in batches] == [1, 3]


def test_samples_of_subclasses_keep_their_class_and_what_they_have():
    def make(i):
        x = minigrad.full((2,), i).as_subclass(Own)
        x.name = f"sample {i}"
        return x

    batches = [*DataLoader(Made(make), batch_size=None, num_workers=1)]
    assert [(type(x), x.name, x.tolist()) for x in batches] == [
        (Own, f"sample {i}", [i, i]) for i in range(4)
    ]
    parameters = [
        *DataLoader(Made(lambda i: minigrad.nn.Parameter(minigrad.ones(i))), batch_size=None, num_workers=1)
    ]
    assert [(type(x), x.requires_grad, x.numel()) for x in parameters] == [
        (minigrad.nn.Parameter, True, i) for i in range(4)
    ]


def test_a_forked_process_closes_its_copies_of_the_connections():
    """By whose end the workers know that the loader is gone."""
    iterator = iter(DataLoader(Made(lambda i: i, 8), num_workers=2))
    next(iterator)
    descriptors = [
        descriptor
        for channel in iterator._channels
        for descriptor in (channel.connection.fileno(), channel._socket and channel._socket.fileno())
        if descriptor is not None
    ]
    child = os.fork()
    if not child:
        left = 0
        for descriptor in descriptors:
            try:
                os.fstat(descriptor)
                left += 1
            except OSError:
                continue
        os._exit(left)
    assert len(descriptors) == 4
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len([*iterator]) == 7


def failing(i):
    raise ValueError(i)


FAILURES = {
    "an error of the dataset": (failing, {}),
    "an error that is not made of a text": (lambda i: b"\xff".decode(), {}),
    "a batch that cannot be unpickled": (lambda i: Unloadable(), {"batch_size": None}),
    "a batch that cannot be pickled": (lambda i: failing, {"collate_fn": lambda samples: lambda: None}),
    "a dead worker": (lambda i: os._exit(1), {}),
    "a timeout": (lambda i: time.sleep(20), {"timeout": 0.1}),
    "a StopIteration of the dataset": (lambda i: next(iter(())), {}),
}


@pytest.mark.parametrize("name", FAILURES)
def test_workers_end_with_the_iterator_after_an_error(name, monkeypatch):
    """Nothing that was raised, and is forgotten, keeps the iterator: not even until garbage is collected."""
    monkeypatch.setattr(minigrad.utils.data._utils, "MP_STATUS_CHECK_INTERVAL", 0.1)
    make, options = FAILURES[name]
    gc.collect()
    gc.disable()
    try:
        iterator = iter(DataLoader(Made(make), num_workers=2, **options))
        failed = False
        try:  # not pytest.raises, which keeps the traceback
            next(iterator)
        except Exception:
            failed = True
        assert failed
        pids = [process.pid for process in iterator._workers]
        gone = weakref.ref(iterator)
        del iterator
        assert gone() is None
        assert not {*pids} & {child.pid for child in multiprocessing.active_children()}
    finally:
        gc.enable()


def test_an_iterator_in_a_cycle_with_its_connections(monkeypatch):
    """Python finalizes the objects of a cycle in any order; a connection that comes first has closed its descriptor, which is nobody's to close again."""
    complaints = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    iterator = iter(DataLoader(Made(lambda i: i), num_workers=1))
    next(iterator)
    (process,) = iterator._workers
    cycle = [iterator._channels[0].connection, iterator]
    cycle.append(cycle)
    del iterator
    gc.collect()  # from now on the two are in the order of the list
    del cycle
    gc.collect()
    assert not complaints
    assert not process.is_alive()
