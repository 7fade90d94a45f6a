"""Memory that processes share: storages move there with all tensors that look at them."""

import gc
import os
import pickle
import sys
from multiprocessing.reduction import ForkingPickler

import numpy as np
import pytest

import minigrad as mg
from minigrad._arrays import shared_memory
from minigrad._ops import sharing
from minigrad.multiprocessing import reductions


def travelled(obj):
    """What another process would have got, had it been sent."""
    return pickle.loads(ForkingPickler.dumps(obj))


class Aliasing:
    """Makes another tensor over the memory of one when it is pickled."""

    made: list = []

    def __init__(self, tensor):
        self.tensor = tensor

    def __getstate__(self):
        self.made.append(self.tensor.detach())
        return {}


@pytest.fixture
def indexed(monkeypatch):
    """How often all objects were looked through."""
    built = []
    build = sharing.TensorIndex.build
    monkeypatch.setattr(sharing.TensorIndex, "build", lambda self: (built.append(1), build(self)))
    return built


def test_a_tensor_moves_with_all_that_look_at_its_memory():
    x = mg.arange(10.0)
    others = [x[2:5], x.detach(), x.data, x.view(2, 5), x.untyped_storage(), x._typed_storage()]
    assert not any(each.is_shared() for each in (x, *others))
    assert x.share_memory_() is x
    assert all(each.is_shared() for each in (x, *others))
    others[0][0] = 77
    assert x[2] == others[3][0, 2] == others[5][2] == 77 and others[4].data_ptr() == x.data_ptr()
    assert x._version == 1
    place = x.data_ptr()
    assert x.share_memory_().data_ptr() == place


def test_a_lonely_tensor_is_found_without_looking_for_others(indexed):
    mg.ones(3, 4).share_memory_()
    mg.nn.Parameter(mg.ones(1000)).share_memory_()
    mg.nn.Linear(3, 3).share_memory()
    mg.ones(3).untyped_storage().share_memory_()
    mg.multiprocessing.SimpleQueue().put([mg.ones(2), mg.ones(3)])
    assert not indexed


def test_others_are_looked_for_once_in_a_message(indexed):
    model = mg.nn.Sequential(*(mg.nn.Linear(2, 2) for _ in range(5)))
    mg.multiprocessing.SimpleQueue().put(model.state_dict())
    assert all(p.is_shared() for p in model.parameters())
    assert len(indexed) == 1


def test_those_that_come_while_a_message_is_pickled_are_found():
    first, second = mg.ones(2), mg.ones(2)
    view = first[1:]
    queue = mg.multiprocessing.SimpleQueue()
    queue.put([first, Aliasing(second), second])
    assert view.is_shared() and second.is_shared() and Aliasing.made.pop().is_shared()


def test_graphs_are_kept():
    w = mg.tensor([1.0, 2.0], requires_grad=True)
    view, loss = w[:1], (w * w).sum()
    w.share_memory_()
    loss.backward()
    assert w.grad.tolist() == [2, 4] and not w.grad.is_shared()
    with mg.no_grad():
        w += 1
    assert view.tolist() == [2] and view._base is w
    (view * 3).sum().backward()
    assert w.grad.tolist() == [5, 4]


def test_a_leaf_that_only_the_graph_knows_moves_too():
    w = mg.ones(2, requires_grad=True)
    values = w.detach()
    y = w * 2
    del w
    values.share_memory_()
    variable = y.grad_fn.next_functions[0][0].variable
    assert variable.is_shared() and variable.data_ptr() == values.data_ptr()


def test_views_of_a_base_that_was_laid_out_anew():
    x = mg.arange(6.0, requires_grad=True)
    base = x.view(2, 3).clone()
    view = base[0, 1:]
    base.t_()
    base.detach().share_memory_()
    base.mul_(2)
    assert view.tolist() == [2, 4] and view.is_shared()
    view.sum().backward()
    assert x.grad.tolist() == [0, 2, 2, 0, 0, 0]


@pytest.mark.parametrize(
    "dtype", ["bool", "bfloat16", "float16", "complex64", "complex128", "uint16", "int64"]
)
def test_dtypes(dtype):
    x = mg.arange(4).to(getattr(mg, dtype))
    y = travelled(x)
    assert y.dtype is x.dtype and mg.equal(x, y) and y.is_set_to(x) and x.is_shared()


def test_strides_offsets_and_sizes():
    x = mg.arange(24.0).view(2, 3, 4)
    for each in (x.transpose(0, 2), x[1, ::2], x[:, 1:, 3], x[1, 1, 1], x.as_strided((5, 2), (1, 0), 3)):
        twin = travelled(each)
        assert mg.equal(twin, each) and twin.stride() == each.stride() and twin.is_set_to(each)
    expanded = mg.ones(1).expand(1000)
    assert travelled(expanded).untyped_storage().nbytes() == 4 and travelled(expanded).stride() == (0,)
    assert travelled(x[:, 1:1]).shape == (2, 0, 4)


def test_empty_tensors():
    x = mg.empty(0, 3)
    assert travelled(x).shape == (0, 3) and not x.is_shared()
    assert x.share_memory_().is_shared() and mg.storage.UntypedStorage(0).share_memory_().is_shared()
    assert travelled(mg.storage.UntypedStorage(0)).nbytes() == 0


def test_views_of_one_storage_stay_so_across_messages():
    a, b = mg.arange(6.0).split(3)
    first, second = travelled(a), travelled(b)
    assert first.untyped_storage() is second.untyped_storage() is a.untyped_storage()
    assert first._base is None and not first._is_view()


def test_leaves_stay_leaves():
    leaf = mg.ones(2, requires_grad=True)
    leaf.sum().backward()
    twin = travelled(leaf)
    assert twin.requires_grad and twin.is_leaf and twin.grad is None
    with pytest.raises(
        RuntimeError, match="^Cowardly refusing to serialize non-leaf tensor which requires_grad"
    ):
        travelled(leaf * 2)
    with pytest.raises(RuntimeError, match="^Cowardly refusing"):
        mg.multiprocessing.Queue().put([leaf * 2])
    assert travelled((leaf * 2).detach()).tolist() == [2, 2]


def test_parameters_buffers_and_storages_stay_what_they_are():
    parameter = mg.nn.Parameter(mg.ones(2))
    assert type(travelled(parameter)) is mg.nn.Parameter and travelled(parameter).requires_grad
    fixed = mg.nn.Parameter(mg.ones(2, dtype=mg.int64), requires_grad=False)
    assert type(travelled(fixed)) is mg.nn.Parameter and not travelled(fixed).requires_grad
    untyped = mg.storage.UntypedStorage([1, 2])
    assert travelled(untyped) is untyped and untyped.is_shared()
    typed = mg.storage.FloatStorage([1, 2])
    assert isinstance(travelled(typed), mg.storage.FloatStorage) and typed.is_shared()
    assert travelled(typed).data_ptr() == typed.data_ptr()


class Labelled(mg.Tensor):
    """A tensor of a user's own class."""


class OwnParameter(mg.nn.Parameter):
    pass


def test_classes_of_ones_own_keep_their_attributes():
    x = mg.ones(2).as_subclass(Labelled)
    x.label = "two ones"
    y = OwnParameter(mg.zeros(3))
    queue = mg.multiprocessing.SimpleQueue()
    queue.put([x, y, x[:1]])
    same, parameter, part = queue.get()
    assert type(same) is type(part) is Labelled and same.label == "two ones"
    assert type(parameter) is OwnParameter and parameter.requires_grad
    assert x.is_shared() and same.is_set_to(x) and parameter.is_set_to(y) and part.is_set_to(x[:1])


def test_a_hook_is_left_out_with_a_warning():
    x = mg.ones(2, requires_grad=True)
    x.register_hook(lambda grad: grad)
    with pytest.warns(UserWarning, match="^backward hook .* on tensor will not be serialized"):
        twin = travelled(x)
    assert not twin._backward_hooks


def test_modules():
    model = mg.nn.Sequential(mg.nn.Linear(3, 2), mg.nn.BatchNorm1d(2))
    weight = model[0].weight
    model(mg.ones(4, 3)).sum().backward()
    assert model.share_memory() is model and model[0].weight is weight
    assert all(t.is_shared() for t in (*model.parameters(), *model.buffers(), weight.grad))
    twin = travelled(model)
    twin[0].weight.data[0, 0] = 9
    assert weight[0, 0] == 9
    with pytest.raises(RuntimeError, match="^Can't share memory on an uninitialized parameter"):
        mg.nn.LazyLinear(3).share_memory()


def test_optimizers():
    x = mg.ones(2, requires_grad=True)
    optimizer = mg.optim.Adagrad([x])
    optimizer.share_memory()
    assert optimizer.state[x]["sum"].is_shared()


def test_numpy_arrays_stay_where_they_are():
    x = mg.zeros(3)
    array = x.numpy()
    x.share_memory_()
    x[0] = 1
    assert array.tolist() == [0, 0, 0] and x.numpy()[0] == 1
    values = np.zeros(3)
    values.flags.writeable = False
    with pytest.warns(UserWarning, match="not writable"):
        y = mg.from_numpy(values)
    y.share_memory_()
    y[0] = 1
    assert y.tolist() == [1, 0, 0] and values[0] == 0


def test_new_storages_in_shared_memory():
    storage = mg.storage.UntypedStorage._new_shared(16)
    assert storage.is_shared() and storage.tolist() == [0] * 16 and not storage.resizable()
    assert mg.storage.UntypedStorage._new_shared(0).is_shared()
    with pytest.raises(RuntimeError, match="^Trying to resize storage that is not resizable"):
        storage.resize_(20)
    longs = mg.storage.LongStorage._new_shared(3)
    assert longs.dtype is mg.int64 and len(longs) == 3 and longs.is_shared()
    shorts = mg.storage.TypedStorage(1, dtype=mg.int16)._new_shared(5, device="cpu")
    assert shorts.dtype is mg.int16 and shorts.nbytes() == 10 and shorts.is_shared()
    out = mg.empty(0, dtype=mg.int64).new(longs)
    assert out.is_shared() and out.shape == (3,)
    stacked = mg.stack(
        [mg.ones(3), mg.zeros(3)], out=mg.FloatTensor(mg.storage.FloatStorage._new_shared(6)).view(2, 3)
    )
    assert stacked.is_shared() and stacked.tolist() == [[1, 1, 1], [0, 0, 0]]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="descriptors by name are Linux's")
def test_memory_by_its_descriptor_and_by_its_name():
    storage = mg.storage.FloatStorage([1, 2, 3])
    fd, size = storage._share_fd_cpu_()
    assert size == 12 and os.fstat(fd).st_size == 12
    same = mg.storage.UntypedStorage._new_shared_fd_cpu(fd, size)
    manager, name, elements = storage._share_filename_cpu_()
    named = mg.storage.UntypedStorage._new_shared_filename_cpu(manager, name, size)
    storage[0] = 5
    assert elements == 3 and same.tolist() == named.tolist() == storage.untyped().tolist()
    assert storage._shared_incref() is storage._shared_decref() is storage


def test_weak_references_to_storages():
    x = mg.ones(3)
    ref = reductions.StorageWeakRef(x.untyped_storage())
    assert ref == reductions.StorageWeakRef(x[1:].untyped_storage()) and not ref.expired()
    assert ref != reductions.StorageWeakRef(mg.ones(3).untyped_storage())
    del x
    gc.collect()
    assert ref.expired()


def test_segments_go_with_the_last_who_has_them():
    before = len(shared_memory._segments)
    x = mg.ones(3).share_memory_()
    view = x[1:]
    assert len(shared_memory._segments) == before + 1
    del x
    assert len(shared_memory._segments) == before + 1
    del view
    assert len(shared_memory._segments) == before
    for _ in range(20):
        travelled([mg.ones(2), mg.ones(1000)])
    assert len(shared_memory._segments) == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts open files in /proc")
def test_descriptors_are_closed():
    travelled(mg.ones(2))  # starts the thread that hands descriptors out
    before = len(os.listdir("/proc/self/fd"))
    reader, writer = mg.multiprocessing.Pipe(duplex=False)
    for _ in range(20):
        writer.send([mg.ones(2), mg.ones(3)])
        reader.recv()
    writer.send([mg.ones(2)])
    writer.close()
    reader.close()
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="raises the limit of open files")
def test_more_segments_than_files_may_be_open():
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 1000:
        pytest.skip("the system allows less than 1000 open files")
    limit = len(os.listdir("/proc/self/fd")) + 60
    shared_memory._room = 0
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    try:
        tensors = [mg.ones(2).share_memory_() for _ in range(300)]
        assert all(t.is_shared() for t in tensors)
    finally:
        del tensors
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        shared_memory._room = 0


def test_strategies():
    mp = mg.multiprocessing
    assert mp.get_sharing_strategy() in mp.get_all_sharing_strategies()
    before = mp.get_sharing_strategy()
    try:
        mp.set_sharing_strategy("file_system")
        assert mp.get_sharing_strategy() == "file_system" and travelled(mg.ones(2)).is_shared()
    finally:
        mp.set_sharing_strategy(before)
    with pytest.raises(AssertionError, match="^invalid sharing strategy 'x', expected one of"):
        mp.set_sharing_strategy("x")


def test_files_that_are_mapped(tmp_path):
    """They are shared; one whose changes are its own becomes shared memory when it is sent."""
    path = tmp_path / "numbers"
    path.write_bytes(bytes(8))
    storage = mg.storage.UntypedStorage.from_file(str(path), False, 8)
    x = mg.empty(0, dtype=mg.uint8).set_(storage)
    place = x.data_ptr()
    assert x.is_shared() and x.share_memory_().data_ptr() == place
    twin = travelled(x)
    twin[0] = 1
    assert x[0] == 1 and twin.is_set_to(x) and x.data_ptr() != place
    assert path.read_bytes() == bytes(8)
