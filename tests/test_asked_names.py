"""Names that libraries import, or ask about, and that have little behind them: what they say is what PyTorch's say."""

import importlib
import pickle

import pytest

import minigrad

LAYOUTS = "_mkldnn jagged sparse_bsc sparse_bsr sparse_coo sparse_csc sparse_csr strided".split()
SCHEMES = (
    "per_channel_affine per_channel_affine_float_qparams per_channel_symmetric per_tensor_affine per_tensor_symmetric"
).split()
QUESTIONS = """
SymInt
isinstance(3, lib.SymInt)
len(lib.return_types.all_return_types)
lib.return_types.pytree_register_structseq(lib.return_types.max)
lib.finfo(lib.float8_e4m3fn)
lib.ones(2).layout == lib.sparse_csr
lib.QUInt8Storage
lib.QInt32Storage.dtype
lib.sym_float(2)
lib.sym_int("2")
lib.sym_int(-2.5)
lib.sym_int(2.5)
lib.sym_int(float("inf"))
lib.sym_ite(1, 1, 2)
lib.sym_ite(False, 1, 2)
lib.sym_ite(True, 1, 2)
lib.sym_ite(True, 1, 2.0)
lib.sym_max(1, 2.0)
lib.sym_max(3, 2.0)
lib.sym_max(True, 2)
lib.sym_min(1, 2.0)
lib.sym_min(True, 2)
lib.sym_not(1)
lib.sym_not(True)
lib.sym_sqrt(-4)
lib.sym_sqrt(4)
lib.sym_sum((1, 2.5))
lib.sym_sum([1, 2, 3])
lib.types.FloatLikeType
lib.types.IntLikeType
lib.types.Number
lib.types.PySymType
lib.types.__all__
lib.types._Number
lib.types._TensorOrOptionalTensors
lib.types._size
lib.types._symsize
lib.types.py_sym_types
""".strip().splitlines()


def answer(question, library):
    try:
        value = repr(eval(question, {"lib": library, "SymInt": library.SymInt}))
    except Exception as error:
        value = f"{type(error).__name__}: {error}"
    return value.replace("minigrad.", "torch.")


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_are_pytorchs(question):
    import torch

    assert answer(question, minigrad) == answer(question, torch)


@pytest.mark.torch
def test_types_has_pytorchs_names():
    import torch

    missing = {name for name in dir(torch.types) if not name.startswith("__")} - {*dir(minigrad.types)}
    assert missing == {"DispatchKey", "Self", "TYPE_CHECKING", "_dispatchkey"}


@pytest.mark.parametrize("name", LAYOUTS + SCHEMES)
def test_layouts_and_schemes_are_unique(name):
    value = getattr(minigrad, name)
    assert repr(value) == f"torch.{name}" and pickle.loads(pickle.dumps(value)) is value
    assert isinstance(value, minigrad.layout if name in LAYOUTS else minigrad.qscheme)


@pytest.mark.parametrize(
    "name", [name for name in LAYOUTS if name != "strided" and not name.startswith("sparse_")]
)
def test_tensors_of_other_layouts_are_refused(name):
    with pytest.raises(RuntimeError, match=f"torch.{name}"):
        minigrad.zeros(2, layout=getattr(minigrad, name))


@pytest.mark.parametrize("name", "SymBool SymFloat SymInt".split())
def test_symbolic_numbers_cannot_be_made(name):
    with pytest.raises(RuntimeError, match=f"{name} has no instances"):
        getattr(minigrad, name)(None)


def test_map_location_is_what_load_takes():
    text = str(minigrad.serialization.MAP_LOCATION)
    assert "minigrad.device" in text and "dict[str, str]" in text and text.endswith("None")


def test_the_device_of_a_block_is_the_cpu():
    device = importlib.import_module("minigrad.utils._device")
    with device.DeviceContext("cpu") as context:
        assert minigrad.ones(1).device == context.device
    assert device.set_device("cpu")(lambda n: minigrad.zeros(n))(2).shape == (2,)
    with pytest.raises(AssertionError, match="^Torch not compiled with CUDA enabled"):
        device.set_device("cuda")(minigrad.zeros)(2)
    assert device.CURRENT_DEVICE is None
