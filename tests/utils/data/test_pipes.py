"""Pipes: one iterator at a time, methods of others, seeds and parts from the loader."""

import subprocess
import sys
import types

import pytest

import minigrad
from minigrad.utils.data import (
    DataChunk,
    DataLoader,
    DFIterDataPipe,
    IterDataPipe,
    MapDataPipe,
    functional_datapipe,
)
from tests.utils.data.libraries import outcome


class Numbers(IterDataPipe):
    def __init__(self, n):
        self.n = n
        self.resets = 0

    def __iter__(self):
        yield from range(self.n)

    def reset(self):
        self.resets += 1


class Listed(IterDataPipe):
    def __init__(self, source):
        self.source = source

    def __iter__(self):
        return iter([*self.source])


@pytest.mark.parametrize("make", [Numbers, lambda n: Listed(Numbers(n))], ids=["generator", "iterator"])
def test_a_new_iterator_ends_the_one_before(make):
    pipe = make(3)
    first = iter(pipe)
    assert next(first) == 0
    assert next(iter(pipe)) == 0
    with pytest.raises(RuntimeError, match="another iterator has been created from the same IterDataPipe: "):
        next(first)
    assert [*pipe] == [*pipe] == [0, 1, 2]


def test_each_iterator_resets_the_pipe():
    pipe = Numbers(2)
    iterator = iter(pipe)
    assert pipe.resets == 0  # a generator begins with its first sample
    assert [*iterator] == [*pipe] == [0, 1]
    assert pipe.resets == 2
    assert pipe._number_of_samples_yielded == 2


def test_an_error_names_the_innermost_pipe():
    class Failing(IterDataPipe):
        def __init__(self, at):
            self.at = at

        def __iter__(self):
            yield 1
            raise ValueError("bad")

    with pytest.raises(ValueError, match=r"^bad\nThis exception is thrown by __iter__ of Failing\(at=5\)$"):
        list(Listed(Failing(5)))


@pytest.fixture
def halves():
    @functional_datapipe("halved")
    class Halves(IterDataPipe):
        """Each number halved."""

        def __init__(self, source, by=2):
            self.source, self.by = source, by

        def __iter__(self):
            for number in self.source:
                yield number / self.by

    yield Halves
    del IterDataPipe.functions["halved"]


def test_pipes_are_methods_of_each_other(halves):
    pipe = Numbers(3).halved(by=4)
    assert type(pipe) is halves
    assert [*pipe] == [0, 0.25, 0.5]
    assert repr(pipe) == str(pipe) == halves.__qualname__
    assert "halved" in dir(pipe) and "halved" not in dir(MapDataPipe())
    assert Numbers(1).halved.__doc__ == "Each number halved."
    with pytest.raises(Exception, match="name halved as it is already taken"):
        functional_datapipe("halved")(Numbers)
    with pytest.raises(TypeError, match="can only decorate"):
        functional_datapipe("other")(list)
    with pytest.raises(AttributeError, match="'Numbers' object has no attribute 'third'"):
        Numbers(1).third()


def test_other_classes():
    assert DFIterDataPipe()._is_dfpipe()
    chunk = DataChunk(iter("ab"))
    assert (chunk, chunk.as_str(" "), [*chunk.raw_iterator()]) == (["a", "b"], " [a, b]", ["a", "b"])

    class Squares(MapDataPipe):
        def __getitem__(self, i):
            return i * i

        def __len__(self):
            return 3

    assert [batch.tolist() for batch in DataLoader(Squares(), batch_size=3)] == [[0, 1, 4]]


LOADERS = {
    "as it is": {},
    "shuffled": {"shuffle": True},
    "not shuffled": {"shuffle": False},
    "in workers": {"num_workers": 2},
    "in persistent workers": {"num_workers": 2, "persistent_workers": True, "shuffle": True},
    "by a generator": {"num_workers": 1, "generator": 7},
}


#: PyTorch pickles pipes to find what they are made of: their classes have to be in a module.
PIPES = """
class Source(data.IterDataPipe):
    def __iter__(self):
        yield from range(4)

class Told(data.IterDataPipe):
    shuffle = part = seed = None

    def __init__(self, source):
        self.sources = {"only": [source]}

    def set_shuffle(self, shuffle):
        self.shuffle = shuffle

    def set_seed(self, seed):
        self.seed = seed

    def apply_sharding(self, n, i, sharding_group):
        self.part = n, i, int(sharding_group)

    def __iter__(self):
        for sample in self.sources["only"][0]:
            yield sample, self.seed, self.shuffle, self.part

class Seeded(data.IterDataPipe):
    def __init__(self, source):
        self.source = source

    def set_seed(self, seed):
        self.seed = seed

    def __iter__(self):
        for sample in self.source:
            yield sample, self.seed
"""


@pytest.mark.torch
@pytest.mark.parametrize("name", LOADERS)
def test_what_a_loader_tells_its_pipes(name, monkeypatch):
    torch = pytest.importorskip("torch")

    def program(lib, data):
        module = types.ModuleType(f"pipes_of_{lib.__name__}")
        module.data = data
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(PIPES, vars(module))
        options = dict(LOADERS[name])
        if "generator" in options:
            options["generator"] = lib.Generator().manual_seed(options["generator"])
        pipe = module.Seeded(module.Told(module.Source()))
        loader = data.DataLoader(pipe, batch_size=None, **options)
        return [list(loader) for _ in range(3)], lib.rand(1)

    assert outcome(program, minigrad) == outcome(program, torch)


def test_a_part_of_a_part_is_refused():
    class Told(IterDataPipe):
        def __init__(self, source):
            self.source = source

        def apply_sharding(self, n, i):
            pass

        def __iter__(self):
            yield from self.source

    with pytest.raises(RuntimeError, match="Sharding twice on a single pipeline is likely unintended"):
        iter(DataLoader(Told(Told(Numbers(3)))))


def test_methods_are_there_before_their_pipes_are_imported():
    code = (
        "from minigrad.utils.data import IterDataPipe\n"
        "class Numbers(IterDataPipe):\n"
        "    def __iter__(self):\n"
        "        yield from range(4)\n"
        "print([*Numbers().batch(3).map(len)], 'shuffle' in dir(Numbers()), hasattr(Numbers(), 'nonsense'))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("[3, 1] True False\n", "")
