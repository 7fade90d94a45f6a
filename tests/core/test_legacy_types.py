"""The types of 2017, and the constructor that they share with ``Tensor``."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import minigrad
from minigrad import Tensor

DTYPES = {
    "BFloat16Tensor": "bfloat16",
    "BoolTensor": "bool",
    "ByteTensor": "uint8",
    "CharTensor": "int8",
    "DoubleTensor": "float64",
    "FloatTensor": "float32",
    "HalfTensor": "float16",
    "IntTensor": "int32",
    "LongTensor": "int64",
    "ShortTensor": "int16",
}


@pytest.fixture
def default_dtype():
    yield
    minigrad.set_default_dtype(minigrad.float32)


@pytest.mark.parametrize("name", DTYPES)
def test_a_type_makes_tensors_of_its_dtype_which_are_its_instances(name):
    if name == "BFloat16Tensor":
        pytest.importorskip("ml_dtypes")
    kind, dtype = getattr(minigrad, name), getattr(minigrad, DTYPES[name])
    for x in (kind(2, 3), kind([0, 1]), kind((1, 0)), kind(), kind(minigrad.Size([2])), kind(np.arange(2))):
        assert type(x) is Tensor and x.dtype is dtype
        assert isinstance(x, kind)
        assert x.type() == minigrad.typename(x) == f"torch.{name}"
        assert not any(isinstance(x, getattr(minigrad, other)) for other in DTYPES if other != name)
    assert kind.dtype is dtype
    x = minigrad.ones(2)
    assert x.type(kind).dtype is x.type(f"torch.{name}").dtype is x.type(dtype).dtype is dtype
    assert kind([0, 1]).type_as(x).dtype is minigrad.float32


def test_what_a_type_is():
    kind = minigrad.FloatTensor
    assert repr(kind) == "<class 'torch.FloatTensor'>" and isinstance(kind, type)
    assert (kind.is_cuda, kind.is_sparse, kind.layout) == (False, False, minigrad.strided)
    assert kind.add is Tensor.add and "add" in dir(kind)
    assert not isinstance(1.0, kind) and isinstance(minigrad.nn.Parameter(minigrad.ones(1)), kind)
    assert pickle.loads(pickle.dumps(kind)) is copy.deepcopy(kind) is kind
    assert minigrad.typename(kind) == "torch.FloatTensor"
    with pytest.raises(AttributeError, match=r"^type object 'torch.FloatTensor' has no attribute 'nosuch'$"):
        kind.nosuch


def test_a_tensor_is_shared_and_data_are_copied():
    x = minigrad.ones(2)
    minigrad.FloatTensor(x)[0] = 5.0
    Tensor(x)[1] = 6.0
    x.new(x).mul_(2)
    assert x.tolist() == [10.0, 12.0] and x._version == 3
    array = np.ones(2, np.float32)
    minigrad.FloatTensor(array)[0] = 5.0
    assert array.tolist() == [1.0, 1.0]


def test_a_tensor_that_requires_grad_keeps_its_history():
    x = minigrad.ones(2, requires_grad=True)
    y = Tensor(x)
    assert type(y.grad_fn).__name__ == "AliasBackward0"
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_subclasses_of_tensor():
    class Metres(Tensor):
        pass

    for x in (Metres(2), Metres([1.0, 2.0]), Metres(minigrad.ones(2))):
        assert type(x) is Metres and x.shape == (2,)


def test_new_takes_the_dtype_of_the_tensor():
    x = minigrad.tensor([1, 2])
    assert x.new([1.5]).tolist() == [1]
    assert x.new(2, 3).shape == (2, 3) and x.new(x.size()).dtype is minigrad.int64
    assert x.new().shape == (0,)


@pytest.mark.filterwarnings("ignore:torch.set_default_tensor_type")
def test_the_default_tensor_type(default_dtype):
    for kind in (minigrad.DoubleTensor, "torch.DoubleTensor", minigrad.HalfTensor):
        minigrad.set_default_tensor_type(kind)
        expected = minigrad.float16 if kind is minigrad.HalfTensor else minigrad.float64
        assert (
            minigrad.get_default_dtype()
            is Tensor([1.0]).dtype
            is Tensor(2).dtype
            is minigrad.ones(1).dtype
            is expected
        )
        assert (
            minigrad.tensor([1]).type(Tensor).dtype
            is minigrad.tensor([1]).type("torch.Tensor").dtype
            is expected
        )
    for wrong in (minigrad.LongTensor, minigrad.float32, 1):
        with pytest.raises(TypeError, match="only floating-point types are supported as the default type"):
            minigrad.set_default_tensor_type(wrong)
    with pytest.raises(AttributeError, match="has no attribute 'FooTensor'"):
        minigrad.set_default_tensor_type("torch.FooTensor")
    with pytest.raises(TypeError, match="type torch.cuda.FloatTensor not available"):
        minigrad.set_default_tensor_type("torch.cuda.FloatTensor")


def test_the_default_tensor_type_warns_once(default_dtype):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        minigrad.set_default_tensor_type(minigrad.DoubleTensor)
        minigrad.set_default_tensor_type(minigrad.FloatTensor)
    assert [w.category for w in caught] == [UserWarning]
    assert "set_default_dtype" in str(caught[0].message)


def test_byte_masks_select_and_warn():
    x = minigrad.arange(4)
    with pytest.warns(UserWarning, match="torch.uint8 is now deprecated"):
        assert x[minigrad.ByteTensor([1, 0, 1, 0])].tolist() == [0, 2]
    with pytest.raises(RuntimeError, match="boolean masks"):
        minigrad.zeros(4).masked_fill_(minigrad.ByteTensor([1, 0, 1, 0]), 3)


#: In the names of either library; ``t`` is the library, ``x`` two ones.
CALLS = """
t.Tensor(3).shape; t.Tensor(2, 3).shape; t.Tensor([1, 2]); t.Tensor((1, 2)); t.Tensor(); t.Tensor([]); t.Tensor([[]]); t.Tensor(())
t.Tensor(t.Size([])).shape; t.Tensor(t.Size([2])).shape; t.Tensor(range(3)); t.Tensor(t.tensor(3)); t.Tensor(t.tensor(3), 2).shape
t.Tensor(np.int64(3)).shape; t.Tensor(np.array(3)).shape; t.Tensor(1, True).shape; t.Tensor(size=(2, 3)).shape; t.Tensor(size=[2]).shape
t.Tensor(data=[1]); t.Tensor(device='cpu'); t.Tensor(2, device='cpu').shape; t.Tensor([1], device=None); t.Tensor(x.double()); t.Tensor(t.tensor([1]))
t.Tensor([np.float64(1), 2]); t.Tensor([t.tensor(1.), t.tensor(2.)]); t.Tensor([True]); t.Tensor(x.untyped_storage())
t.FloatTensor([[1, 2], [3, 4]]); t.FloatTensor(np.ones(2)); t.FloatTensor(other=x); t.FloatTensor([2**70]); t.FloatTensor([1e300]); t.HalfTensor([1e6])
t.LongTensor([1.5, 2]); t.LongTensor(np.array([1.5])); t.LongTensor([2**40]); t.LongTensor([True]); t.LongTensor(t.tensor([1])); t.LongTensor(3).zero_()
t.ByteTensor([1, 0, 30]); t.ByteTensor([-1]); t.ByteTensor([True, False]); t.BoolTensor([1, 0, 2]); t.BoolTensor([0.5]); t.CharTensor([-1])
t.Tensor(3.5); t.Tensor('ab'); t.Tensor(b'ab'); t.Tensor(None); t.Tensor(True); t.Tensor(-1); t.Tensor(2, -1); t.Tensor({1: 2}); t.Tensor({1}); t.Tensor(iter([1]))
t.Tensor(2, 'a'); t.Tensor(2, 2.0); t.Tensor(2, None); t.Tensor(2, [1]); t.Tensor([1], [2]); t.Tensor([1], 2); t.Tensor(2.0, 3); t.Tensor(t.tensor(2.5), 2)
t.Tensor([1], dtype=t.float32); t.Tensor(requires_grad=True); t.Tensor(other=[1]); t.Tensor(size=2); t.Tensor(2, size=(3,)); t.Tensor([1], device='cuda')
t.FloatTensor(x.double()); t.LongTensor(x); t.DoubleTensor(x.untyped_storage()); t.FloatTensor([[1, 2], [3]]); t.FloatTensor(['a']); t.FloatTensor(np.float32(3))
t.ByteTensor([300]); t.IntTensor([2**40]); t.CharTensor([200]); t.LongTensor([float('nan')]); t.LongTensor([float('inf')])
x.new(2).shape; x.new([1, 2]); x.new(x); x.new(x.double()); x.new(); x.long().new([1.5]); x.new(3.5); x.new('a'); x.new([1], device='cuda'); x.new(size=(2,)).shape
x.type(); x.type('torch.DoubleTensor'); x.type(t.DoubleTensor); x.type(t.double); x.type('torch.FooTensor'); x.type(t.Tensor); x.type('torch.Tensor'); x.type(float)
x.type(int); x.type(1); x.type(dtype=t.LongTensor); x.type(t.FloatTensor) is x; x.type(t.DoubleTensor, True); x.type(new_type='torch.DoubleTensor')
x.type_as(x.double()); x.type_as(1); t.tensor([1 + 2j]).type(); t.typename(x); t.typename(t.FloatTensor); t.typename('a'); t.typename(int); t.typename([1])
isinstance(x, t.FloatTensor); isinstance(x, t.DoubleTensor); issubclass(t.FloatTensor, t.Tensor); t.FloatTensor.foo; t.FloatTensor.dtype.is_floating_point
""".replace("\n", ";").split(";")


def outcome(library, call):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return repr(eval(call, {"t": library, "np": np, "x": library.ones(2)}))
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0].replace('torch.dtype', 'dtype')}"


@pytest.mark.torch
@pytest.mark.parametrize("call", [call.strip() for call in CALLS if call.strip()])
def test_as_pytorch(call):
    torch = pytest.importorskip("torch")
    pytest.importorskip("ml_dtypes")
    ours, theirs = outcome(minigrad, call), outcome(torch, call)
    assert ours == theirs
