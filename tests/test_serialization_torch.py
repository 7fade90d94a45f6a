"""Checkpoints from PyTorch to minigrad and back, with the PyTorch that is installed."""

import collections
import io
import pickle
import zipfile

import numpy as np
import pytest

import minigrad as mg
from minigrad import serialization
from minigrad.storage import UntypedStorage
from tests.messages import first_sentence

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

ZIP, LEGACY = {}, {"_use_new_zipfile_serialization": False}
formats = pytest.mark.parametrize("format", [ZIP, LEGACY], ids=["zip", "legacy"])
DTYPES = (
    "bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128"
).split()


def sample(t):
    """The same objects in either library."""
    x = t.arange(12, dtype=t.float32).reshape(3, 4)
    noted = t.ones(1)
    noted.note = [1]
    obj = collections.OrderedDict(
        x=x, row=x[1], transposed=x.t(), every_other=x[:, ::2], expanded=t.ones(1).expand(3), scalar=t.tensor(3.5),
        empty=t.zeros(0), leaf=t.ones(2, requires_grad=True), parameter=t.nn.Parameter(t.zeros(2)), noted=noted,
        size=t.Size([2, 3]), dtypes=[getattr(t, name) for name in DTYPES], device=t.device("cpu"), layout=t.strided, nested=[1, (2.5, None, {"key": True}), {1, 2}, b"\x00\xff", bytearray(b"ab"), 1j, "ü"],
        big=2**70, small=-5,
    )  # fmt: skip
    for name in DTYPES:
        obj[name] = t.tensor([0, 1, 1]).to(getattr(t, name))
    obj._metadata = {"": {"version": 1}}
    return obj


def saved(library, obj, **options):
    file = io.BytesIO()
    (library.save if library is torch else serialization.save)(obj, file, **options)
    file.seek(0)
    return file


def load(library, file, **options):
    file.seek(0)
    return (library.load if library is torch else serialization.load)(file, **options)


def check(a, b):
    """``a`` of minigrad and ``b`` of PyTorch are the same, down to strides and autograd state."""
    if isinstance(b, torch.Tensor):
        assert type(a).__name__ == type(b).__name__
        assert (str(a.dtype), tuple(a.shape), tuple(a.stride()), a.storage_offset()) == (
            str(b.dtype), tuple(b.shape), b.stride(), b.storage_offset(),
        )  # fmt: skip
        assert a.requires_grad == b.requires_grad and a.is_leaf == b.is_leaf
        assert a.tolist() == b.tolist()
        assert getattr(a, "note", None) == getattr(b, "note", None)
    elif isinstance(b, dict):
        assert type(a) is type(b) and list(a) == list(b)
        for key in b:
            check(a[key], b[key])
    elif type(b) in (list, tuple):
        assert type(a) is type(b) and len(a) == len(b)
        for x, y in zip(a, b):
            check(x, y)
    elif type(b).__module__.startswith("torch"):
        assert repr(a) == repr(b)
    else:
        assert type(a) is type(b) and a == b


@formats
@pytest.mark.parametrize("weights_only", [True, False])
def test_both_ways(format, weights_only):
    ours, theirs = sample(mg), sample(torch)
    check(load(mg, saved(torch, theirs, **format), weights_only=weights_only), theirs)
    found = load(torch, saved(mg, ours, **format), weights_only=weights_only)
    check(ours, found)
    assert found._metadata == ours._metadata
    assert found["x"].untyped_storage().data_ptr() == found["row"].untyped_storage().data_ptr()
    found["row"].zero_()
    assert found["x"][1].sum() == 0


@pytest.mark.parametrize("protocol", [2, 3])
def test_the_file_is_the_same_to_the_byte(protocol):
    """All but the name of the file's identity, a hash of no further use."""
    objects = {library: sample(library) for library in (torch, mg)}
    for obj in objects.values():
        del obj[
            "device"
        ]  # its "cpu" is one string with the storages' here, two there: pickle tells them apart
    a, b = (saved(library, obj, pickle_protocol=protocol).getvalue() for library, obj in objects.items())
    assert len(a) == len(b)
    end = a.index(b"archive/.data/serialization_id")
    assert a[:end] == b[:end]


def test_legacy_pickles_are_the_same_but_for_addresses():
    a, b = (
        saved(library, [library.ones(2), library.zeros(1)], **LEGACY).getvalue() for library in (torch, mg)
    )
    assert [type(x) for x in pickle_parts(a)] == [type(x) for x in pickle_parts(b)]
    assert pickle_parts(a)[:3] == pickle_parts(b)[:3]


def pickle_parts(data):
    file = io.BytesIO(data)
    return [pickle.load(file) for _ in range(3)]


def size_of_storage(tensor):
    if isinstance(tensor, torch.Tensor):
        return tensor.untyped_storage().nbytes()
    return UntypedStorage.of(tensor.detach().numpy()).nbytes()


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (2, 3)], ids=str)
def test_dtypes_and_shapes(name, shape):
    theirs = torch.arange(int(np.prod(shape))).reshape(shape).to(getattr(torch, name))
    for format in (ZIP, LEGACY):
        ours = load(mg, saved(torch, theirs, **format))
        check(ours, theirs)
        assert size_of_storage(ours) == size_of_storage(theirs)
        back = load(torch, saved(mg, ours, **format))
        assert back.dtype is theirs.dtype and back.stride() == theirs.stride() and torch.equal(back, theirs)


def test_mmap_and_offsets_that_are_computed(tmp_path):
    path = tmp_path / "x.pt"
    serialization.save({"a": mg.ones(3), "b": mg.zeros(0), "c": mg.arange(100)}, path)
    for computed in (False, True):
        with torch.utils.serialization.config.patch("load.calculate_storage_offsets", computed):
            found = torch.load(path, mmap=True)
        assert found["c"].tolist() == list(range(100)) and found["a"].tolist() == [1, 1, 1]
    torch.save({"a": torch.ones(3), "c": torch.arange(100)}, path)
    assert serialization.load(path, mmap=True)["c"].tolist() == list(range(100))


def test_lazy_conjugates_and_negatives():
    x = torch.tensor([1 + 2j, 3j])
    for theirs in (x.conj(), x.conj().imag, x.imag, x.real):
        assert load(mg, saved(torch, theirs)).tolist() == theirs.tolist()


def test_tensors_on_meta():
    for ours, theirs in ((mg, torch), (torch, mg)):
        x = ours.zeros(2, 3, dtype=ours.int64, device="meta").t()
        found = load(theirs, saved(ours, x))
        assert found.is_meta
        assert (tuple(found.shape), found.stride(), str(found.dtype)) == ((3, 2), (1, 3), "torch.int64")


@pytest.mark.parametrize("weights_only", [True, False])
def test_dtypes_that_only_pytorch_has(weights_only):
    file = saved(torch, torch.zeros(2, dtype=torch.uint8).view(torch.float4_e2m1fn_x2))
    with pytest.raises(
        RuntimeError, match="elements of type torch.float4_e2m1fn_x2, which minigrad does not have"
    ):
        load(mg, file, weights_only=weights_only)


def models(t):
    t.manual_seed(0)
    return t.nn.Sequential(
        t.nn.Flatten(),
        t.nn.Linear(16, 8),
        t.nn.ReLU(),
        t.nn.Dropout(0.5),
        t.nn.Linear(8, 3),
        t.nn.Softmax(dim=1),
    ).eval()


@formats
def test_state_dicts_of_models_and_optimizers(format):
    theirs, ours = models(torch), models(mg)
    optimizers = [t.optim.Adam(model.parameters(), lr=0.01) for t, model in ((torch, theirs), (mg, ours))]
    ours.load_state_dict(load(mg, saved(torch, theirs.state_dict(), **format)))
    x = np.linspace(-1, 1, 32, dtype=np.float32).reshape(2, 1, 4, 4)

    def step(t, model, optimizer):
        optimizer.zero_grad()
        model(t.from_numpy(x)).square().sum().backward()
        optimizer.step()

    step(torch, theirs, optimizers[0])
    step(mg, ours, optimizers[1])
    state = load(mg, saved(torch, optimizers[0].state_dict(), **format))
    optimizers[1].load_state_dict(state)
    check(state, optimizers[0].state_dict())
    back = load(torch, saved(mg, {"m": ours.state_dict(), "o": optimizers[1].state_dict()}, **format))
    theirs.load_state_dict(back["m"])
    optimizers[0].load_state_dict(back["o"])
    step(torch, theirs, optimizers[0])
    step(mg, ours, optimizers[1])
    for a, b in zip(ours.parameters(), theirs.parameters()):
        np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), rtol=1e-4, atol=1e-6)


@formats
def test_whole_models(format):
    theirs, ours = models(torch), models(mg)
    x = np.linspace(-1, 1, 32, dtype=np.float32).reshape(2, 1, 4, 4)
    found = load(mg, saved(torch, theirs, **format), weights_only=False)
    np.testing.assert_allclose(
        found(mg.from_numpy(x)).detach().numpy(),
        theirs(torch.from_numpy(x)).detach().numpy(),
        rtol=1e-4,
        atol=1e-6,
    )
    assert repr(found) == repr(theirs)
    back = load(torch, saved(mg, ours, **format), weights_only=False)
    np.testing.assert_allclose(
        ours(mg.from_numpy(x)).detach().numpy(),
        back(torch.from_numpy(x)).detach().numpy(),
        rtol=1e-4,
        atol=1e-6,
    )
    assert [type(part) for part in back] == [type(part) for part in theirs]


def shared_classes():
    """The classes of ``nn`` and ``optim`` that both libraries have."""
    for path in ("nn", "optim", "optim.lr_scheduler", "utils.data", "distributions"):
        try:
            ours = __import__(f"minigrad.{path}", fromlist=["x"])
        except ModuleNotFoundError:
            continue
        theirs = __import__(f"torch.{path}", fromlist=["x"])
        for name in dir(theirs):
            cls, other = getattr(theirs, name), getattr(ours, name, None)
            if isinstance(cls, type) and isinstance(other, type) and not name.startswith("_"):
                if other.__module__.startswith("minigrad"):
                    yield pytest.param(cls, other, id=f"{path}.{name}")


@pytest.mark.parametrize(("theirs", "ours"), list(shared_classes()))
def test_classes_have_pytorchs_names_in_files(theirs, ours):
    assert load(torch, saved(mg, ours), weights_only=False) is theirs
    assert load(mg, saved(torch, theirs), weights_only=False) is ours
    assert zipfile.ZipFile(saved(mg, ours)).read("archive/data.pkl") == zipfile.ZipFile(
        saved(torch, theirs)
    ).read("archive/data.pkl")


@pytest.mark.parametrize(
    "name", ["relu", "tanh", "nn.functional.relu", "nn.functional.gelu", "nn.init.normal_"]
)
def test_functions(name):
    ours, theirs = mg, torch
    for part in name.split("."):
        ours, theirs = getattr(ours, part), getattr(theirs, part)
    assert load(mg, saved(torch, theirs), weights_only=False) is ours
    found = load(torch, saved(mg, ours), weights_only=False)
    x = torch.tensor([-1.0, 2.0])
    if "init" not in name:
        assert torch.equal(found(x), theirs(x))


def test_the_same_files_are_refused_with_the_same_words():
    import fractions

    file = saved(torch, fractions.Fraction(1, 2))
    messages = []
    for library in (torch, mg):
        with pytest.raises(pickle.UnpicklingError) as caught:
            load(library, file)
        messages.append(str(caught.value))
    assert first_sentence(messages[0]) == first_sentence(messages[1])
    assert all("fractions.Fraction" in message for message in messages)


def test_plain_pickles_of_pytorch_are_read_under_its_name():
    """``pickle.dumps(tensor)`` in PyTorch embeds a legacy file in the pickle."""
    data = pickle.dumps({"x": torch.arange(3), "p": torch.nn.Parameter(torch.ones(1))})

    class Unpickler(pickle.Unpickler):
        def find_class(self, module, name):
            return (
                serialization.names.from_torch(module, name)
                if module.startswith("torch")
                else super().find_class(module, name)
            )

    found = Unpickler(io.BytesIO(data)).load()
    assert found["x"].tolist() == [0, 1, 2] and type(found["p"]) is mg.nn.Parameter


@pytest.mark.parametrize(("library", "other"), [(mg, torch), (torch, mg)], ids=["ours", "theirs"])
def test_whole_modules_go_from_one_library_to_the_other(library, other, tmp_path):
    """Layers of many families, lazy ones with their hooks among them, as files that name classes."""

    def model(nn, ones):
        return nn.Sequential(
            nn.Conv2d(1, 2, 3, padding=1, padding_mode="reflect"),
            nn.BatchNorm2d(2),
            nn.MaxPool2d(2),
            nn.ZeroPad2d(1),
            nn.Upsample(scale_factor=2),
            nn.LazyConv2d(3, 2),
            nn.LazyBatchNorm2d(),
            nn.Flatten(),
            nn.ModuleList([nn.TripletMarginWithDistanceLoss(), nn.CrossEntropyLoss(ones(3))]),
            nn.LinearCrossEntropyLoss(3, 4, options=nn.LinearCrossEntropyOptions(batch_chunk_size=3)),
        )

    made = model(library.nn, library.ones)
    library.save(made, tmp_path / "model.pt")
    loaded = other.load(tmp_path / "model.pt", weights_only=False)
    assert repr(loaded) == repr(made)
    x = np.random.default_rng(0).normal(size=(2, 1, 4, 4)).astype(np.float32)
    found = [model[:8].eval()(lib.tensor(x)) for model, lib in ((loaded, other), (made, library))]
    assert found[0].shape == found[1].shape and repr(loaded) == repr(made)
    loaded[5].load_state_dict({k: other.tensor(v.detach().numpy()) for k, v in made[5].state_dict().items()})
    again = loaded[:8](other.tensor(x)).detach().numpy()
    np.testing.assert_allclose(again, found[1].detach().numpy(), rtol=1e-4, atol=1e-6)
