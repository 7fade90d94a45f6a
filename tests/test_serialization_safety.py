"""What ``load(weights_only=True)`` refuses, and that a damaged file ends in a clear error and nothing else."""

import collections
import io
import pickle
import struct
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad._serialization.archive import Reader, Writer
from minigrad.serialization import get_unsafe_globals_in_checkpoint, load, safe_globals, save

#: What a damaged file may raise: each has a text that says what is wrong.
CLEAR = (EOFError, pickle.UnpicklingError, RuntimeError, ValueError)
MAGIC = b"".join(pickle.dumps(part, protocol=2) for part in (0x1950A86A20F9469CFC6C, 1001, {}))

called = []
for _name in dir(mg.Tensor):
    getattr(
        mg.Tensor, _name
    )  # so that only files can change the class: methods are bound when they are first used


def trap(*args):
    called.append(args)


@pytest.fixture(autouse=True)
def no_call_and_no_lasting_change():
    called.clear()
    before = {name: getattr(mg.float32, name) for name in ("name", "itemsize", "category")}
    size, tensor = dict(vars(mg.Size)), dict(vars(mg.Tensor))
    yield
    assert not called, "the file has run code"
    assert before == {name: getattr(mg.float32, name) for name in before}
    assert size == dict(vars(mg.Size)) and tensor == dict(vars(mg.Tensor))


def archive(pickled, records=None):
    """A checkpoint around the bytes of a pickle."""
    file = io.BytesIO()
    writer = Writer(file, "archive")
    for name, data in {"data.pkl": pickled, "version": b"3\n", **(records or {})}.items():
        writer.record(name, data)
    writer.close()
    file.seek(0)
    return file


def legacy(pickled):
    return io.BytesIO(MAGIC + pickled + pickle.dumps([], protocol=2))


def text(string):
    data = string.encode()
    return b"X" + struct.pack("<I", len(data)) + data


def pickled(*operations):
    return b"\x80\x02" + b"".join(operations) + b"."


def name(module, qualname):
    return f"c{module}\n{qualname}\n".encode()


TRAP = name(__name__, "trap")
FLOAT32, TENSOR, ORDERED = (
    name("torch", "float32"),
    name("torch", "Tensor"),
    name("collections", "OrderedDict"),
)
STORAGE = b"(" + text("storage") + name("torch", "FloatStorage") + text("0") + text("cpu") + b"K\x04tQ"
REBUILD = name("torch._utils", "_rebuild_tensor_v2")
TWO = REBUILD + b"(" + STORAGE + b"K\x00K\x02\x85K\x01\x85\x89NtR"  # a tensor of two elements
GIANT = b"\x8a\x06\x00\x00\x00\x00\x00\x10"  # 2**44

REFUSED = {
    "a system call": (name("posix", "system") + text("true") + b"\x85R", "module posix is blocked"),
    "os": (name("os", "popen") + text("true") + b"\x85R", "module os is blocked"),
    "sys": (name("sys", "exit") + b")R", "module sys is blocked"),
    "eval": (name("builtins", "eval") + text("1") + b"\x85R", "GLOBAL eval was not an allowed global"),
    "Python 2's eval": (name("__builtin__", "eval") + text("1") + b"\x85R", "GLOBAL eval was not an allowed"),
    "getattr": (name("builtins", "getattr") + FLOAT32 + text("name") + b"\x86R", "GLOBAL getattr was not"),
    "an import": (name("importlib", "import_module") + text("this") + b"\x85R", "importlib.import_module was not"),
    "a function of the caller": (TRAP + b")R", "trap was not an allowed global"),
    "a name of ours": (name("minigrad.serialization", "load") + text("x") + b"\x85R", "serialization.load was not"),
    "torch.load": (name("torch", "load") + text("x") + b"\x85R", "GLOBAL torch.load was not"),
    "torch.hub": (name("torch.hub", "load") + b")R", "GLOBAL torch.hub.load was not"),
    "a layer": (name("torch.nn.modules.linear", "Linear") + b")\x81", "Linear was not an allowed global"),
    "a partial": (name("functools", "partial") + b")R", "functools.partial was not"),
    "a method by a dotted name": (name("torch", "Tensor.__class__") + b")R", "Tensor.__class__ was not"),
    "a NumPy scalar": (name("numpy._core.multiarray", "scalar") + b")R", "multiarray.scalar was not"),
    "STACK_GLOBAL": (text("posix") + text("system") + b"\x93", "module posix is blocked"),
    "STACK_GLOBAL without names": (b"K\x01K\x02\x93", "STACK_GLOBAL requires str"),
    "INST": (b"(i" + f"{__name__}\ntrap\n".encode(), "Unsupported operand 105"),
    "OBJ": (b"(" + TRAP + b"o", "trap was not an allowed global"),
    "OBJ of what is allowed": (b"(" + ORDERED + b"o", "Unsupported operand 111"),
    "an extension": (b"\x82\x01", "Unsupported operand 130"),
    "a persistent identifier in text": (b"P5\n", "Unsupported operand 80"),
    "a call of a dtype": (FLOAT32 + b")R", "Trying to call reduce for unrecognized function"),
    "a call of a storage class": (name("torch", "FloatStorage") + GIANT + b"\x85R", "unrecognized function"),
    "a call of UntypedStorage": (name("torch.storage", "UntypedStorage") + GIANT + b"\x85R", "unrecognized function"),
    "a call of Tensor": (TENSOR + GIANT + b"\x85R", "unrecognized function"),
    "a call of a tensor": (TWO + b")R", "unrecognized function a Tensor"),
    "a call of a list": (b"])R", "unrecognized function a list"),
    "a call without a tuple": (ORDERED + b"]R", "arguments of a call must be a tuple"),
    "a new Tensor": (TENSOR + b")\x81", "Can only create new object for nn.Parameter or classes allowlisted"),
    "a new type": (name("builtins", "type") + b")\x81", "GLOBAL type was not an allowed global"),
    "a new object of no class": (b"K\x01)\x81", "Can only create new object"),
    "a Parameter of no tensor": (name("torch.nn.parameter", "Parameter") + GIANT + b"\x85R", "Parameter cannot be made"),
    "BUILD on a dtype": (FLOAT32 + b"N}" + text("name") + text("x") + b"s\x86b", "Can only build Tensor, Parameter"),
    "BUILD on a class": (TENSOR + b"N}" + text("tolist") + REBUILD + b"s\x86b", "Can only build Tensor, Parameter"),
    "BUILD on a function": (REBUILD + b"}" + text("x") + b"K\x01sb", "Can only build Tensor"),
    "BUILD on a Size": (name("torch", "Size") + b")\x85R}b", "Can only build Tensor"),
    "BUILD on a list": (b"]}b", "Can only build Tensor"),
    "BUILD on an OrderedDict with a list": (ORDERED + b")R]b", "the state of an OrderedDict cannot be made"),
    "BUILD on a tensor with a dict": (TWO + b"}b", "the state of a tensor cannot be made"),
    "APPEND to a tensor": (TWO + b"K\x01a", "Can only append to lists, but got"),
    "APPENDS to a class": (ORDERED + b"(K\x01e", "Can only extend lists, but got"),
    "SETITEM in a tensor": (TWO + b"K\x00K\x01s", "Can only SETITEM for dict"),
    "SETITEM in a list": (b"]K\x00K\x01s", "Can only SETITEM for dict"),
    "SETITEMS in a class": (TENSOR + b"(K\x00K\x01u", "Can only SETITEMS for dict"),
    "ADDITEMS to a list": (b"](K\x01\x90", "Can only add to sets"),
    "a module by persistent identifier": (b"(" + text("module") + TENSOR + b"NNtQ", "Only persistent_load of storage"),
    "a persistent identifier that is text": (text("storage") + b"Q", "persistent_load id must be tuple or int"),
    "an empty persistent identifier": (b")Q", "Only persistent_load of storage"),
    "a storage of text": (b"(" + text("storage") + text("x") + text("0") + text("cpu") + b"K\x01tQ", "not a storage"),
    "a storage under a number": (
        b"(" + text("storage") + name("torch", "FloatStorage") + b"K\x00" + text("cpu") + b"K\x04tQ", "Unknown saved id",
    ),
    "another codec": (name("_codecs", "encode") + text("x") + text("rot13") + b"\x86R", "bytes cannot be made from"),
    "a giant bytearray": (name("builtins", "bytearray") + GIANT + b"\x85R", "bytearray cannot be made from"),
    "complex from text": (name("builtins", "complex") + text("1") + b"\x85R", "complex cannot be made from"),
    "a type that rebuilds with any function": (
        name("torch._tensor", "_rebuild_from_type_v2") + b"(" + name("builtins", "bytearray") + TENSOR + GIANT
        + b"\x85}tR", "a tensor cannot be made from",
    ),
    "a type that is none": (
        name("torch._tensor", "_rebuild_from_type_v2") + b"(" + REBUILD + ORDERED + b")}tR", "a tensor cannot be made",
    ),
    "a tensor over a dtype": (REBUILD + b"(" + FLOAT32 + b"K\x00)) \x89Nt".replace(b" ", b"") + b"R", "damaged"),
    "a key that cannot be one": (b"}]K\x01s", "unhashable"),
    "a frozenset": (name("builtins", "frozenset") + b"]\x85R", "GLOBAL frozenset was not an allowed global"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    operations, message = REFUSED[case]
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed") as caught:
        load(archive(pickled(operations), {"data/0": bytes(16)}))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "case", ["a system call", "a function of the caller", "BUILD on a dtype", "torch.hub"]
)
def test_refused_in_the_legacy_format(case):
    operations, message = REFUSED[case]
    for data in (MAGIC + pickled(operations), pickled(operations), MAGIC[:30] + pickled(operations)):
        with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
            load(io.BytesIO(data))
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed") as caught:
        load(legacy(pickled(operations)))
    assert message in str(caught.value)


def test_what_was_refused_is_run_without_weights_only():
    """The traps above are real: the same file runs its code if the caller asks for that."""
    load(archive(pickled(TRAP, b")R")), weights_only=False)
    assert called == [()]
    called.clear()


def test_blocked_modules_stay_blocked_even_if_a_user_allows_them():
    import os

    with (
        safe_globals([(os.system, "posix.system")]),
        pytest.raises(pickle.UnpicklingError, match="is blocked"),
    ):
        load(archive(pickled(REFUSED["a system call"][0])))


def test_attributes_from_a_file_do_not_reach_into_a_tensor():
    state = (
        b"}"
        + text("_array")
        + text("x")
        + b"s"
        + text("_grad")
        + text("y")
        + b"s"
        + text("note")
        + text("z")
        + b"s"
    )
    rebuild = name("torch._tensor", "_rebuild_from_type_v2") + b"(" + REBUILD + TENSOR + b"("
    operations = rebuild + STORAGE + b"K\x00K\x02\x85K\x01\x85\x89Nt" + state + b"tR"
    found = load(archive(pickled(operations), {"data/0": np.ones(4, np.float32).tobytes()}))
    assert found.tolist() == [1, 1] and found.grad is None and found.note == "z"


# Files that would take more than they give


def doubled(times):
    """Operations that put a pair of a pair of a pair ... on the stack, each twice the same, ``times`` deep."""
    return b"K\x01\x85q\x000" + b"h\x00h\x00\x86q\x000" * times + b"h\x00"


def test_keys_that_would_take_for_ever_to_hash():
    with pytest.raises(pickle.UnpicklingError, match="tuple of more than a thousand parts"):
        load(archive(pickled(b"}", doubled(80), b"K\x01s")))


def test_keys_too_deep_to_hash():
    with pytest.raises(pickle.UnpicklingError, match="tuple of more than a thousand parts"):
        load(archive(pickled(b"}", b")" + b"\x85" * 500_000, b"K\x01s")))


def test_messages_do_not_print_what_has_no_end():
    for refused in (b")R", b"b", b"Q", b"\x81"):
        with pytest.raises(pickle.UnpicklingError) as caught:
            load(archive(pickled(doubled(80), b"K\x01" if refused == b"b" else b"", refused)))
        assert len(str(caught.value)) < 3000


def test_deep_nesting_is_neither_recursion_nor_a_crash():
    found = load(archive(pickled(b"]" * 200_000 + b"a" * 199_999)))
    for _ in range(100):
        (found,) = found
    assert len(found) == 1


@pytest.mark.parametrize(
    "operations",
    [
        b"](" + b"N" * 20_000 + b"e\x85q\x000" + b"cbuiltins\nset\nq\x01" + b"]" + (b"h\x01h\x00Ra") * 10_000,
        b"]("
        + b"K\x01K\x01\x86" * 20_000
        + b"e\x85q\x000"
        + ORDERED
        + b"q\x01"
        + b"]"
        + (b"h\x01h\x00Ra") * 10_000,
        b"}("
        + b"".join(text(str(i)) + b"N" for i in range(5000))
        + b"uq\x000"
        + b"]"
        + (ORDERED + b")Rh\x00ba") * 5000,
    ],
    ids=["sets", "dicts", "attributes"],
)
def test_many_copies_of_one_large_container(operations):
    with pytest.raises(pickle.UnpicklingError, match="would grow to many times its size"):
        load(archive(pickled(operations)))


def test_a_memo_index_allocates_nothing():
    assert load(archive(pickled(b"K\x05r\xff\xff\xff\xff"))) == 5


@pytest.mark.parametrize(
    "length", [b"X\xff\xff\xff\xff", b"\x8d" + b"\xff" * 8, b"B\xff\xff\xff\xff", b"\x8b\xff\xff\xff\x7f"]
)
def test_lengths_beyond_the_end(length):
    with pytest.raises(pickle.UnpicklingError, match="truncated|damaged"):
        load(archive(pickled(length)))


def test_storages_larger_than_the_file():
    giant = STORAGE.replace(b"K\x04", GIANT)
    with pytest.raises(RuntimeError, match=r"record size \(16 bytes\) does not match expected size"):
        load(archive(pickled(giant), {"data/0": bytes(16)}))
    with pytest.raises(
        RuntimeError, match="unexpected EOF, expected .* more bytes. The file might be corrupted."
    ):
        load(legacy(pickled(giant.replace(b"tQ", b"NtQ"))))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            b"K\x00K\x05\x85K\x01\x85",
            r"sizes \[5\], strides \[1\], storage offset 0, and itemsize 4 requiring a storage size of 20 are out of bounds for storage of size 16",
        ),
        (b"K\x03K\x02\x85K\x01\x85", "out of bounds for storage of size 16"),
        (b"K\x00K\x02\x85" + GIANT + b"\x85", "out of bounds for storage of size 16"),
        (b"J\xff\xff\xff\xffK\x02\x85K\x01\x85", "negative dimension or offset"),
        (b"K\x00J\xff\xff\xff\xff\x85K\x01\x85", "negative dimension or offset"),
        (
            b"K\x03K\x02\x85J\xff\xff\xff\xff\x85",
            r"Negative strides are not supported at the moment, got strides: \[-1\]",
        ),
        (b"K\x00K\x02\x85)", "mismatch in length of strides and shape"),
        (b"K\x00G?\xf0\0\0\0\0\0\0\x85K\x01\x85", "must be integers"),
        (b"K\x00(" + b"K\x01" * 100 + b"t(" + b"K\x01" * 100 + b"t", "cannot make a tensor of sizes"),
        (b"K\x00" + GIANT + GIANT + b"\x86K\x00K\x00\x86", "cannot make a tensor of sizes"),
    ],
)
def test_tensors_outside_their_storage(arguments, message):
    operations = REBUILD + b"(" + STORAGE + arguments + b"\x89NtR"
    with pytest.raises(RuntimeError, match=message):
        load(archive(pickled(operations), {"data/0": bytes(16)}))


def test_an_expanded_tensor_is_not_unfolded_to_be_negated():
    operations = (
        REBUILD + b"(" + STORAGE + b"K\x00" + GIANT + b"\x85K\x00\x85\x89N}" + text("neg") + b"\x88stR"
    )
    x = load(archive(pickled(operations), {"data/0": np.float32(2).tobytes() * 4}))
    assert x.is_neg() and x.stride() == (0,) and x.numel() == 2**44 and x[5].item() == -2


def zipped(records, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as out:
        for path, data in records.items():
            out.writestr(path, data)
    file.seek(0)
    return file


def test_zip_bombs():
    with pytest.raises(RuntimeError, match="looks like a zip bomb"):
        load(zipped({"a/data.pkl": bytes(100 << 20), "a/version": "3"}))


def test_overlapping_records():
    data = bytearray(archive(pickled(b"N"), {"data/0": b"x" * 64, "data/1": b"y" * 64}).getvalue())
    directory = data.index(b"PK\1\2")
    first = data.index(b"archive/data/0", directory) - 46
    second = data.index(b"archive/data/1", directory) - 46
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    with pytest.raises(RuntimeError, match="overlaps with what follows it"):
        load(io.BytesIO(data))


def test_records_that_lie_about_their_length():
    data = zipped({"a/data.pkl": pickled(b"N") + bytes(1000), "a/version": "3"}).getvalue()
    size = struct.pack("<I", len(pickled(b"N")) + 1000)
    for other in (10, 2000):
        with pytest.raises(RuntimeError, match="reading file data.pkl"):
            load(io.BytesIO(data.replace(size, struct.pack("<I", other))))


@pytest.mark.parametrize("path", ["/etc/passwd", "../../x", "a/../../x", "C:\\x", "a/data/../../../../tmp/x"])
def test_paths_in_an_archive_are_only_names(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    records = {"a/data.pkl": pickled(b"K\x07"), "a/version": "3", path: "x"}
    assert load(zipped(records, zipfile.ZIP_STORED)) == 7
    assert not list(tmp_path.iterdir())
    assert not (tmp_path.parent / "x").exists()


# Damage


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", EOFError, "Ran out of input"),
        (b"PK\3\4", RuntimeError, "failed reading zip archive: not a ZIP archive"),
        (b"PK\3\4" + bytes(100), RuntimeError, "failed finding central directory"),
        (b"hello world, this is text", pickle.UnpicklingError, "Weights only load failed"),
        (pickle.dumps(3, protocol=2), RuntimeError, "Invalid magic number; corrupt file?"),
        (pickle.dumps(0x1950A86A20F9469CFC6C, protocol=2) + pickle.dumps(7, protocol=2), RuntimeError, "Invalid protocol version: 7"),
    ],
)  # fmt: skip
def test_files_that_are_no_checkpoints(data, error, message):
    with pytest.raises(error, match=message):
        load(io.BytesIO(data))


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ({"x/foo": "1"}, r'Expected hasRecord\("version"\) to be true, but got false'),
        ({"foo": "1"}, "file in archive is not in a subdirectory: foo"),
        ({"x/version": "3"}, "failed locating file data.pkl: file not found"),
        (
            {"x/version": "99", "x/data.pkl": ""},
            "with version 99, but the maximum supported version for reading is 10",
        ),
        ({"x/version": "abc", "x/data.pkl": ""}, "Couldn't parse the version"),
        ({"x/version": "9" * 5000, "x/data.pkl": ""}, "Couldn't parse the version"),
        ({"x/version": "3", "x/constants.pkl": "", "x/data.pkl": ""}, "TorchScript"),
    ],
)
def test_archives_that_are_no_checkpoints(records, message):
    for weights_only in (True, False):
        with pytest.raises(RuntimeError, match=message):
            load(zipped(records, zipfile.ZIP_STORED), weights_only=weights_only)


def test_a_record_that_is_missing():
    with pytest.raises(RuntimeError, match="failed locating file data/0: file not found"):
        load(archive(pickled(STORAGE)))


def test_a_record_whose_header_is_damaged():
    data = archive(pickled(STORAGE), {"data/0": bytes(16)}).getvalue()
    where = data.index(b"archive/data/0") - 30
    with pytest.raises(RuntimeError, match="invalid header or archive is corrupted"):
        load(io.BytesIO(data[:where] + b"PK\3\5" + data[where + 4 :]))


@pytest.mark.parametrize("keys", [["0"], "0", 7, [7], [[]]])
def test_legacy_storages_that_no_tensor_has(keys):
    with pytest.raises(RuntimeError, match="list of storages does not match"):
        load(io.BytesIO(MAGIC + pickled(b"N") + pickle.dumps(keys, protocol=2) + bytes(8)))


def test_a_record_twice():
    with pytest.warns(UserWarning, match="Duplicate name"):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as out:
            for content in (b"N", b"K\1"):
                out.writestr("a/data.pkl", pickled(content))
    file.seek(0)
    with pytest.raises(RuntimeError, match="is there twice"):
        load(file)


def sample():
    obj = collections.OrderedDict(
        a=mg.arange(6, dtype=mg.float32),
        b=mg.nn.Parameter(mg.ones(2, 2)),
        c=[1, {"x": (1, 2.5)}, "s", None, b"xy", {1, 2}, bytearray(b"q"), 2**80, 1j],
        d=mg.float32,
        s=mg.Size([2]),
    )
    obj["view"] = obj["a"][2:]
    obj._metadata = {"": {"version": 1}}
    return obj


FORMS = [
    {"_use_new_zipfile_serialization": new, "pickle_protocol": protocol}
    for new in (True, False)
    for protocol in (2, 4)
]


def files():
    found = []
    for options in FORMS:
        file = io.BytesIO()
        save(sample(), file, **options)
        found.append(file.getvalue())
    original = zipfile.ZipFile(io.BytesIO(found[0]))
    return [*found, zipped({path: original.read(path) for path in original.namelist()}).getvalue()]


FILES = files()


@given(st.sampled_from(FILES), st.data())
@settings(max_examples=150, deadline=None)
def test_truncated_files(data, draw):
    cut = data[: draw.draw(st.integers(0, len(data) - 1))]
    with pytest.raises(CLEAR):
        load(io.BytesIO(cut))


@given(
    st.sampled_from(FILES), st.lists(st.tuples(st.integers(0), st.integers(0, 255)), min_size=1, max_size=8)
)
@settings(max_examples=300, deadline=None)
def test_files_with_changed_bytes(data, changes):
    changed = bytearray(data)
    for where, byte in changes:
        changed[where % len(data)] = byte
    try:
        found = load(io.BytesIO(changed))
    except (*CLEAR, UserWarning) as error:  # a checksum that does not fit
        assert str(error)
    else:
        repr(found)


@pytest.mark.parametrize("place", [0, 5, 11])
def test_a_changed_byte_of_a_tensor_is_noticed(place):
    tensor = mg.tensor([1.0, 2.0, 3.0])
    file = io.BytesIO()
    mg.save(tensor, file)
    data = bytearray(file.getvalue())
    data[data.index(tensor.numpy().tobytes()) + place] ^= 4
    with pytest.warns(UserWarning, match=r"record data/0 have changed .*: some numbers may be wrong"):
        assert load(io.BytesIO(data)).shape == (3,)
    data[data.index(b"_rebuild_tensor_v2")] ^= 4
    with pytest.raises(RuntimeError, match="CRC-32 check failed"):
        load(io.BytesIO(data))


def test_files_without_checksums_are_read():
    mg.serialization.set_crc32_options(False)
    try:
        file = io.BytesIO()
        mg.save(mg.ones(3), file)
    finally:
        mg.serialization.set_crc32_options(True)
    data = bytearray(file.getvalue())
    data[data.index(mg.ones(3).numpy().tobytes())] = 1
    assert load(io.BytesIO(data)).shape == (3,)


@pytest.mark.parametrize(
    "data, kind",
    [
        (b"<!DOCTYPE html><html>404</html>", "HTML"),
        (b"\n \n<html></html>", "HTML"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>", "HTML or XML"),
        (b'{"error": "no such model"}', "JSON"),
        (b"[1, 2]", "JSON"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n", "git lfs pull"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"\x93NUMPY\x01\x00", "numpy.load"),
    ],
)
@pytest.mark.parametrize("weights_only", [True, False])
def test_files_of_other_formats_are_named(data, kind, weights_only):
    with pytest.raises(pickle.UnpicklingError, match=kind) as raised:
        load(io.BytesIO(data), weights_only=weights_only)
    assert "will likely succeed" not in str(raised.value)
    assert str(raised.value).startswith("Weights only load failed." if weights_only else "invalid load key")


RECORDS = [Reader(io.BytesIO(data)) for data in FILES[:2]]
RECORDS = [{path: reader.read(path) for path in reader.records} for reader in RECORDS]


@given(
    st.sampled_from(RECORDS),
    st.lists(st.tuples(st.integers(0), st.binary(max_size=4), st.integers(0, 4)), min_size=1, max_size=6),
)
@settings(max_examples=300, deadline=None)
def test_pickles_with_changed_bytes(records, changes):
    data = records["data.pkl"]
    for where, new, old in changes:
        where %= len(data) + 1
        data = data[:where] + new + data[where + old :]
    file = archive(data, {path: content for path, content in records.items() if path != "data.pkl"})
    try:
        found = load(file)
    except CLEAR as error:
        assert str(error)
    else:
        repr(found)


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes(data):
    for file in (io.BytesIO(data), legacy(data), archive(data)):
        try:
            load(file)
        except CLEAR as error:
            assert str(error)


@given(st.binary(max_size=100))
@settings(max_examples=50, deadline=None)
def test_looking_for_unsafe_names_runs_nothing(data):
    try:
        assert isinstance(get_unsafe_globals_in_checkpoint(archive(data)), list)
    except CLEAR as error:
        assert str(error)


def test_unsafe_names_are_found():
    operations = TRAP + b")R0" + FLOAT32 + text("posix") + b"q\x00" + text("system") + b"q\x01\x93"
    assert get_unsafe_globals_in_checkpoint(archive(pickled(operations))) == [
        f"{__name__}.trap",
        "posix.system",
    ]
    with pytest.raises(ValueError, match="Expected input to be a checkpoint returned by torch.save"):
        get_unsafe_globals_in_checkpoint(legacy(pickled(b"N")))
