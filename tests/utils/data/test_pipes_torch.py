"""The pipes that PyTorch has, and graphs of pipes: what programs give and raise, there and here."""

import importlib
import io
import os
import pickle

import pytest

torch = pytest.importorskip("torch")
import minigrad
from tests.messages import first_sentence
from tests.utils.data.libraries import outcome

pytestmark = pytest.mark.torch


class Pipes:
    """What programs use: the modules of pipes of a library."""

    def __init__(self, lib):
        self.data = lib.utils.data
        for name in ("datapipes.iter", "datapipes.map", "datapipes.utils.common", "graph", "graph_settings"):
            module = importlib.import_module(f"{lib.__name__}.utils.data.{name}")
            setattr(self, name.rpartition(".")[2], module)
        importlib.import_module(f"{lib.__name__}.utils.data.backward_compatibility")

    def of(self, *samples):
        return self.iter.IterableWrapper(samples)

    def sequence(self, *samples):
        return self.map.SequenceWrapper(samples)


def negative(x):
    return -x


def add(a, b):
    return a + b


def parity(x):
    return x % 2


def even(x):
    return x % 2 == 0


def keyword_only(a, *, b):
    return a


def numbers(pipes, n=10):
    return pipes.iter.IterableWrapper(range(n))


def steps(*actions):
    """What each action gives, or its error; None after an iterator's end."""
    found = []
    for action in actions:
        try:
            found.append(action())
        except StopIteration:
            found.append(None)
        except Exception as error:
            found.append(f"{type(error).__name__}: {first_sentence(str(error))}")
    return found


def forked(p):
    one, other = numbers(p, 4).fork(2)
    first, second = iter(one), iter(other)
    begun = [next(first), next(first), next(second)]
    again = iter(one)
    return begun, steps(lambda: next(again), lambda: next(first), lambda: next(second)), [*other], [*again]


def alternating(p, pipes):
    iterators = [*map(iter, pipes)]
    return steps(*[lambda i=i: next(iterators[i]) for i in (0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0)])


def split(p):
    source = numbers(p).sharding_filter()
    lengths = []
    for n, i in ((3, 0), (3, 2), (2, 1)):
        source.apply_sharding(n, i)
        lengths.append((len(source), [*source]))
    return lengths


def split_by_groups(p):
    priorities = p.graph_settings.SHARDING_PRIORITIES
    source = numbers(p).sharding_filter()
    source.apply_sharding(2, 1, sharding_group=priorities.DISTRIBUTED)
    source.apply_sharding(2, 0, sharding_group=priorities.MULTIPROCESSING)
    return [*source], steps(lambda: source.apply_sharding(2, 1))


def shapes(graph):
    return [(repr(pipe), shapes(below)) for pipe, below in graph.values()]


def files(p, root):
    (root / "b").mkdir(exist_ok=True)
    for name in ("a.txt", "c.csv", "b/d.txt"):
        (root / name).write_text(name)
    lister = p.iter.FileLister
    listed = [
        [os.path.relpath(path, root) for path in lister(str(root), **options)]
        for options in (
            {},
            {"masks": "*.txt"},
            {"masks": ["*.csv", "b*"], "recursive": True},
            {"recursive": True, "abspath": True},
        )
    ]
    opened = lister(str(root), recursive=True).open_files(mode="b")
    read = [(os.path.relpath(path, root), text) for path, text in opened.read_from_stream(chunk=4)]
    texts = [stream.read() for _, stream in p.iter.FileOpener([str(root / "a.txt")], mode="t")]
    return listed, read, texts, [*lister(str(root / "a.txt"))] == [str(root / "a.txt")]


PROGRAMS = {
    "wrapped": lambda p: [[*p.of(1, 2)], len(p.of(1, 2)), [*p.sequence(1, 2)], len(p.sequence(1, 2)), p.map.SequenceWrapper({"a": 1})["a"]],
    "wrapped generators": lambda p: [*p.iter.IterableWrapper(x for x in range(3))],
    "a wrapper copies": lambda p: [copied(p, deepcopy) for deepcopy in (True, False)],
    "length of a generator": lambda p: len(p.iter.IterableWrapper(x for x in range(3))),
    "mapped": lambda p: [[*numbers(p).map(negative)], len(numbers(p).map(negative)), [*p.sequence(1, 2).map(negative)]],
    "mapped columns": lambda p: [
        [*p.of((1, 2), (3, 4)).map(negative, input_col=1)], [*p.of([1, 2]).map(add, input_col=[0, 1])], [*p.of((1, 2, 3)).map(add, input_col=(2, 0))],
        [*p.of((1, 2)).map(add, input_col=[0, 1], output_col=-1)], [*p.of((1, 2)).map(negative, input_col=0, output_col=[1])],
        [*p.of({"a": 1}).map(negative, input_col="a", output_col="b")],
    ],
    "an output without an input": lambda p: p.of(1).map(negative, output_col=0),
    "two outputs": lambda p: p.of(1).map(negative, input_col=0, output_col=[0, 1]),
    "too many columns": lambda p: p.of(1).map(negative, input_col=[0, 1]),
    "too few columns": lambda p: p.of(1).map(add),
    "keyword-only": lambda p: p.of(1).map(keyword_only),
    "nothing to call": lambda p: p.of(1).map(5),
    "a lambda": lambda p: [*p.of(1).map(lambda x: x + 1)],
    "filtered": lambda p: [[*numbers(p).filter(even)], [*p.of((1, 2), (2, 3)).filter(even, input_col=1)]],
    "filtered by numbers": lambda p: [*numbers(p).filter(parity)],
    "length of what is filtered": lambda p: len(numbers(p).filter(even)),
    "batches": lambda p: [[*numbers(p).batch(3)], [*numbers(p).batch(3, drop_last=True)], len(numbers(p).batch(3)), len(numbers(p).batch(3, True))],
    "batches of pipes with indices": lambda p: [[*map(p.sequence(1, 2, 3).batch(2).__getitem__, range(2))], len(p.sequence(1, 2, 3).batch(2, drop_last=True))],
    "a batch out of range": lambda p: p.sequence(1, 2, 3).batch(2)[2],
    "an incomplete batch": lambda p: p.sequence(1, 2, 3).batch(2, drop_last=True)[1],
    "batches of nothing": lambda p: numbers(p).batch(0),
    "unbatched": lambda p: [[*p.of([1, [2]], [3]).unbatch()], [*p.of([[1], [2]]).unbatch(2)], [*p.of([1, [2, [3]]]).unbatch(-1)], [*p.of([1]).unbatch(0)]],
    "unbatched too far": lambda p: [*p.of([1]).unbatch(2)],
    "unbatched by -2": lambda p: [*p.of([1]).unbatch(-2)],
    "collated": lambda p: [*numbers(p).batch(4).collate()],
    "collated by a function": lambda p: [*numbers(p).batch(4).collate(collate_fn=sum)],
    "concatenated": lambda p: [[*numbers(p, 2).concat(p.of(7))], len(numbers(p, 2).concat(p.of(7))), [*map(p.sequence(1, 2).concat(p.sequence(3)).__getitem__, range(3))]],
    "concatenated with a list": lambda p: numbers(p).concat([1]),
    "nothing concatenated": lambda p: p.iter.Concater(),
    "concatenated, out of range": lambda p: p.sequence(1).concat(p.sequence(2))[2],
    "zipped": lambda p: [[*numbers(p, 3).zip(p.of(7, 8))], len(numbers(p).zip(p.of(7))), p.sequence(1, 2).zip(p.sequence(3))[0]],
    "zipped with a list": lambda p: numbers(p).zip([1]),
    "zipped, out of range": lambda p: p.sequence(1, 2).zip(p.sequence(3))[1],
    "multiplexed": lambda p: [[*numbers(p, 3).mux(p.of(7, 8))], len(numbers(p).mux(p.of(7, 8)))],
    "forked": forked,
    "forked, one after the other": lambda p: [[*pipe] for pipe in numbers(p, 3).fork(3)] + [len(pipe) for pipe in numbers(p, 3).fork(2)],
    "forked, in turn": lambda p: alternating(p, numbers(p, 5).fork(2)),
    "forked, a small buffer": lambda p: alternating(p, numbers(p, 5).fork(2, buffer_size=1)),
    "forked, any buffer": lambda p: [[*pipe] for pipe in numbers(p, 3).fork(2, buffer_size=-1)],
    "forked into one": lambda p: [*numbers(p, 3).fork(1)],
    "forked into none": lambda p: numbers(p).fork(0),
    "forked copies": lambda p: [[a is b for a, b in zip(*p.of([1]).fork(2, copy=how))] for how in (None, "shallow", "deep")],
    "forked somehow": lambda p: numbers(p).fork(2, copy="x"),
    "forked twice over": lambda p: [[*pipe] + [*pipe] for pipe in numbers(p, 3).fork(2)],
    "demultiplexed": lambda p: [[*pipe] for pipe in numbers(p).demux(2, parity)],
    "demultiplexed, in turn": lambda p: alternating(p, numbers(p).demux(2, parity)),
    "demultiplexed, a small buffer": lambda p: [*numbers(p).demux(2, parity, buffer_size=3)[1]] and [*numbers(p).demux(2, even, buffer_size=1)[0]],
    "demultiplexed, out of range": lambda p: [*numbers(p).demux(2, negative)[0]],
    "demultiplexed, without None": lambda p: [[*pipe] for pipe in p.of(1, 2, 3).demux(2, {1: 0, 3: 1}.get, drop_none=True)],
    "length of a part": lambda p: [each[:10] for each in steps(lambda: len(numbers(p).demux(2, parity)[0]))],
    "grouped": lambda p: [
        [*numbers(p).groupby(parity)], [*numbers(p).groupby(parity, group_size=2)], [*numbers(p).groupby(parity, keep_key=True, group_size=3)],
        [*numbers(p).groupby(str, buffer_size=3)], [*numbers(p).groupby(even, group_size=3, buffer_size=4, guaranteed_group_size=2)],
        [*p.of(1, 2, 4, 6, 3).groupby(even, group_size=4, buffer_size=4, guaranteed_group_size=2, drop_remaining=True)],
    ],
    "grouped, too small a buffer": lambda p: [*numbers(p).groupby(str, group_size=2, buffer_size=3)],
    "grouped, too small a buffer, some left out": lambda p: [*numbers(p).groupby(str, group_size=2, buffer_size=3, drop_remaining=True)],
    "groups larger than the buffer": lambda p: numbers(p).groupby(even, group_size=5, buffer_size=4),
    "guaranteed without a size": lambda p: numbers(p).groupby(even, guaranteed_group_size=4),
    "sampled": lambda p: [[*p.iter.Sampler(numbers(p, 3))], sorted(p.iter.Sampler(numbers(p, 3), p.data.RandomSampler)), len(p.iter.Sampler(numbers(p, 3)))],
    "sampled without a length": lambda p: repr(p.iter.Sampler(p.iter.IterableWrapper(x for x in [1]))),
    "shuffled": lambda p: [[*numbers(p, 50).shuffle()], [*numbers(p, 50).shuffle(buffer_size=5)], [*numbers(p).shuffle().set_seed(3)], len(numbers(p).shuffle())],
    "shuffled twice": lambda p: [[*pipe] + [*pipe] for pipe in [numbers(p).shuffle()]],
    "not shuffled": lambda p: [*numbers(p).shuffle().set_shuffle(False)],
    "shuffled samples of batches": lambda p: [*numbers(p).batch(3).shuffle(unbatch_level=1)],
    "shuffled by indices": lambda p: [[*p.sequence(*range(20)).shuffle()], [*p.sequence(*"abc").shuffle(indices=[0, 2]).set_seed(1)], [*p.sequence(1, 2).shuffle().set_shuffle(False)]],
    "no buffer": lambda p: numbers(p).shuffle(buffer_size=0),
    "split": split,
    "split by groups": split_by_groups,
    "part out of range": lambda p: numbers(p).sharding_filter().apply_sharding(2, 2),
    "loaders": lambda p: [
        [*p.data.DataLoader(numbers(p).shuffle().sharding_filter(), batch_size=4, num_workers=workers, shuffle=shuffle)]
        for workers in (0, 2) for shuffle in (None, False, True)
    ],
    "a graph": lambda p: shapes(p.graph.traverse_dps(numbers(p).map(negative).zip(numbers(p).batch(2)))),
    "a graph of one pipe twice": lambda p: [shapes(p.graph.traverse_dps(pipe.zip(pipe))) for pipe in [numbers(p)]],
    "a graph of no pipe": lambda p: p.graph.traverse_dps([1]),
    "a graph by pickling": lambda p: shapes(p.graph.traverse(numbers(p).map(negative), only_datapipe=False)),
    "pipes of a graph": lambda p: [*map(repr, p.graph_settings.get_all_graph_pipes(p.graph.traverse_dps(numbers(p).fork(2)[0].zip(numbers(p)))))],
    "a seed of old": lambda p: [*p.graph_settings.apply_shuffle_seed(numbers(p).shuffle(), generator(p))],
    "set up as of old": lambda p: p.data.backward_compatibility.worker_init_fn(0),
    "masks": lambda p: [p.common.match_masks(name, masks) for name in ("a.txt", "b") for masks in ("", [], "*.txt", ["a*", "c"])],
    "pairs of names and streams": lambda p: steps(*[
        lambda value=value: p.common.validate_pathname_binary_tuple(value) for value in (("a", io.BytesIO()), ["a"], ("a",), (1, io.BytesIO()))
    ]),
    "wrapped streams": lambda p: [[stream.read(2), [*stream], stream.closed, stream.close(), stream.closed] for stream in [p.common.StreamWrapper(io.StringIO("abc\nd"))]],
    "pickled": lambda p: [[*pickle.loads(pickle.dumps(pipe))] for pipe in (
        numbers(p).map(negative).batch(3), numbers(p).fork(2)[1], numbers(p).demux(2, parity)[1], numbers(p).groupby(parity), numbers(p).mux(p.of(1)),
    )],
    "names": lambda p: [sorted({*p.iter.__all__} - {"RoutedDecoder"}), sorted(p.map.__all__), p.iter.Batcher.__name__, repr(numbers(p).batch(2))],
}  # fmt: skip


def copied(p, deepcopy):
    source = [[1]]
    pipe = p.iter.IterableWrapper(source, deepcopy=deepcopy)
    for sample in pipe:
        sample.append(2)
    return source


def generator(p):
    return (
        p.data.dataloader.torch.Generator().manual_seed(0)
        if p.data.__name__.startswith("torch")
        else minigrad.Generator().manual_seed(0)
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    ours, theirs = (outcome(lambda lib, data: PROGRAMS[name](Pipes(lib)), lib) for lib in (minigrad, torch))
    assert ours == theirs


def test_files(tmp_path):
    ours, theirs = (outcome(lambda lib, data: files(Pipes(lib), tmp_path), lib) for lib in (minigrad, torch))
    assert ours == theirs


def test_a_key_of_the_group_that_is_given():
    """PyTorch gives the key of the sample that came last."""
    pipe = Pipes(minigrad).of(1, 1, 2)
    assert [*pipe.groupby(negative, keep_key=True, buffer_size=3)] == [(-1, [1, 1]), (-2, [2])]


def test_a_loader_shuffles_a_pipe_that_does_not():
    """PyTorch warns so, and does not."""
    numbers = Pipes(minigrad).iter.IterableWrapper(range(50))
    with pytest.warns(UserWarning, match="the datapipe does not contain a `Shuffler`"):
        loader = minigrad.utils.data.DataLoader(numbers, batch_size=None, shuffle=True)
    samples = [*loader]
    assert samples != [*range(50)] == sorted(samples)
