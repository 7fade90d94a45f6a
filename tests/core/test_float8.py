"""Tensors of the eight-bit floats: bytes, conversions bit for bit as PyTorch's, and refusals in its words."""

import copy
import io
import pickle

import numpy as np
import pytest

import minigrad
from minigrad._base.dtypes import FLOAT8

each_dtype = pytest.mark.parametrize("name", FLOAT8)
COMPUTED = """
x
m
x.view(lib.uint8)
lib.tensor([1, 2], dtype=lib.uint8).view(d)
x.tolist()
x[0].item(), float(x[0]), int(x[0]), bool(x[0])
x.double(), x.half(), x.bfloat16(), x.int(), x.bool(), x.to(lib.complex64)
x.to(lib.float8_e5m2), x.to(lib.float8_e4m3fn)
x.type(), x.element_size(), x.is_floating_point(), x.storage().dtype
m.t().contiguous(), m.reshape(4), m.diagonal(), m.split(1), m.unbind(), m[:, 1], x[1:3], x[[0, 2]], x[b]
lib.cat([x, x]), lib.stack([x, x]), x.repeat(2), x.expand(2, 4), x.roll(1), lib.where(b, x, x), lib.where(b, x, 2.0)
x.index_select(0, lib.tensor([0, 1])), x.masked_select(b), lib.nn.functional.embedding(lib.tensor([0]), m)
x.clone().fill_(2), x.clone().copy_(f), f.clone().copy_(x)
lib.ones(2, dtype=d), lib.full((2,), 3.0, dtype=d), lib.tensor([1, 2.5], dtype=d), lib.tensor(300.0, dtype=d), x.new_tensor([1.0])
x * x
x == x, x != x, x == 1, lib.isnan(x), x.any(), x.all()
lib.promote_types(d, d), lib.result_type(x, 1), lib.can_cast(d, lib.int8), lib.can_cast(d, lib.half)
lib.promote_types(d, lib.float32)
x + f
lib.nn.Parameter(x)
x.float().requires_grad_().to(d)
""".strip().splitlines()
REFUSED = """
m.sum()
x.mean()
x + x
x + 1
1 - x
x / x
-x
x.sqrt()
x.exp()
x.add_(1)
x @ x
x < x
lib.equal(x, x)
lib.allclose(x, x)
lib.signbit(x)
x.max()
x.argmax()
x.sort()
x.unique()
x.nonzero()
x.clamp(0, 1)
x.relu()
x.cumsum(0)
x.norm()
x.softmax(0)
x.round()
x.pow(2)
lib.triu(m)
lib.rand(2, dtype=d)
lib.randn(2, dtype=d)
lib.arange(3, dtype=d)
lib.linspace(0, 1, 3, dtype=d)
lib.logical_not(x)
lib.logical_and(x, x)
lib.maximum(x, x)
lib.bmm(m[None], m[None])
lib.topk(x, 2)
lib.searchsorted(x, x)
lib.prod(x)
lib.lerp(x, x, 0.5)
lib.frexp(x)
lib.reciprocal(x)
lib.bitwise_and(x, x)
x.numpy()
x.__array__()
lib.set_default_dtype(d)
""".strip().splitlines()


def answer(expression, name, library):
    d = getattr(library, name)
    names = {
        "lib": library,
        "d": d,
        "x": library.tensor([1.0, 2.0, 3.0, 0.5]).to(d),
        "m": library.tensor([[1.0, 2.0], [4.0, 3.0]]).to(d),
        "f": library.tensor([1.0, 2.0, 3.0, 0.5]),
        "b": library.tensor([True, False, True, False]),
    }
    try:
        return repr(eval(expression, names)).replace("minigrad.", "torch.")
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated", "ignore:Casting complex")
@pytest.mark.parametrize("expression", COMPUTED)
@each_dtype
def test_what_is_computed_is_pytorchs(name, expression):
    import torch

    assert answer(expression, name, minigrad) == answer(expression, name, torch)


@pytest.mark.torch
@pytest.mark.parametrize("expression", REFUSED)
@each_dtype
def test_what_is_refused_is_refused_in_pytorchs_words(name, expression):
    import torch

    theirs = answer(expression, name, torch)
    assert "Error: " in theirs and answer(expression, name, minigrad) == theirs


@pytest.mark.torch
@pytest.mark.parametrize(
    "expression",
    [
        "abs(x)",
        "lib.isinf(x)",
        "lib.isfinite(x)",
        "m @ m",
        "lib.mm(m, m)",
        "lib.addmm(m, m, m)",
        "lib.nn.functional.linear(m, m)",
    ],
)
@each_dtype
def test_products_are_pytorchs(name, expression):
    import torch

    assert answer(expression, name, minigrad) == answer(expression, name, torch)


def sources():
    """Arrays of all numbers of 16 bits, and of numbers of more bits that are spread evenly and around 1."""
    rng, codes = np.random.default_rng(0), np.arange(65536, dtype=np.uint16)
    near = rng.normal(size=20000) * np.exp2(rng.integers(-20, 20, 20000))
    yield codes.view(np.float16)
    yield (codes.astype(np.uint32) << 16).view(np.float32)  # those of bfloat16
    yield rng.integers(0, 2**32, 20000, dtype=np.uint32).view(np.float32)
    yield near.astype(np.float32)
    yield near
    yield np.arange(-70000, 70000)


@pytest.mark.torch
@each_dtype
def test_numbers_are_rounded_as_in_pytorch(name):
    import torch

    for numbers in sources():
        theirs = torch.from_numpy(numbers).to(getattr(torch, name)).view(torch.uint8).numpy()
        ours = minigrad.from_numpy(numbers).to(getattr(minigrad, name)).view(minigrad.uint8).numpy()
        assert np.array_equal(ours, theirs), numbers.dtype


@pytest.mark.torch
@each_dtype
def test_bytes_stand_for_pytorchs_numbers(name):
    import torch

    codes = np.arange(256, dtype=np.uint8)
    theirs, ours = (library.from_numpy(codes).view(getattr(library, name)) for library in (torch, minigrad))
    for target in ("float32", "float16", "float64", "bool"):
        expected, found = (
            theirs.to(getattr(torch, target)).numpy(),
            ours.to(getattr(minigrad, target)).numpy(),
        )
        assert np.array_equal(found, expected, equal_nan=True)
        assert (
            np.array_equal(np.signbit(found), np.signbit(expected))
            or target == "bool"
            or np.isnan(expected).any()
        )
    products = (theirs[:, None] * theirs[None]).float().numpy(), (ours[:, None] * ours[None]).float().numpy()
    assert np.array_equal(*products, equal_nan=True)
    assert np.array_equal((theirs[:, None] == theirs[None]).numpy(), (ours[:, None] == ours[None]).numpy())
    assert np.array_equal(torch.isnan(theirs).numpy(), minigrad.isnan(ours).numpy())


@each_dtype
def test_gradients_come_in_the_dtype_of_what_they_are_of(name):
    x = minigrad.tensor([1.0, 2.0], dtype=getattr(minigrad, name), requires_grad=True)
    (x.float() * minigrad.tensor([2.0, 4.0])).sum().backward()
    assert x.grad.dtype is x.dtype and x.grad.tolist() == [2.0, 4.0]
    w = minigrad.tensor([1.0, 2.0], requires_grad=True)
    w.to(x.dtype).float().sum().backward()
    assert w.grad.dtype is minigrad.float32 and w.grad.tolist() == [1.0, 1.0]


@each_dtype
def test_copies_and_files(name):
    x = minigrad.tensor([1.0, 2.0, 4.0], dtype=getattr(minigrad, name))[1:]
    file = io.BytesIO()
    minigrad.save(x, file)
    for again in (
        copy.deepcopy(x),
        pickle.loads(pickle.dumps(x)),
        minigrad.load(io.BytesIO(file.getvalue())),
    ):
        assert again.dtype is x.dtype and again.tolist() == [2.0, 4.0]


@pytest.mark.torch
@pytest.mark.parametrize("zipped", [True, False])
@each_dtype
def test_files_are_read_by_both_libraries(name, zipped):
    import torch

    for source, target in ((torch, minigrad), (minigrad, torch)):
        file = io.BytesIO()
        source.save(
            source.tensor([1.0, 2.0, 4.0]).to(getattr(source, name)),
            file,
            _use_new_zipfile_serialization=zipped,
        )
        file.seek(0)
        found = target.load(file)
        assert found.dtype is getattr(target, name) and found.tolist() == [1.0, 2.0, 4.0]


@each_dtype
def test_what_only_moves_elements_works_where_pytorch_refuses_it(name):
    x = minigrad.tensor([1.0, 2.0, 4.0], dtype=getattr(minigrad, name))
    assert x.flip(0).tolist() == [4.0, 2.0, 1.0]
    assert x.gather(0, minigrad.tensor([2, 0])).tolist() == [4.0, 1.0]
    assert x.masked_fill(minigrad.tensor([True, False, False]), 0.5).tolist() == [0.5, 2.0, 4.0]
    assert (x * 2).tolist() == [2.0, 4.0, 8.0]


WRITES = """
x.copy_(b)
x.eq_(0)
x.ne_(x)
x.mul_(x)
x.__setitem__(0, f[0])
x.__setitem__((0, 1), 2.5)
x.index_put_((i,), x[:2].clone())
x.fill_diagonal_(2.5)
x.select_scatter(f[0], 0, 0)
x.slice_scatter(f)
x.diagonal_scatter(f[0, :2])
x.as_strided_scatter(f, (2, 3), (3, 1))
lib.mul(f, f, out=x)
lib.eq(f, f, out=x)
lib.mul(x, x, out=f)
lib.eq(x, x, out=f)
lib.cat([f, f], out=lib.empty(0, dtype=x.dtype))
lib.ones(2, 3, out=x)
lib.full((2, 3), 2.5, out=x)
lib.full_like(x, 2.5)
f.copy_(x)
f.__setitem__(0, x[0])
lib.nn.functional.pad(x, (1, 1), value=2.5)
x.sum(dtype=lib.float32)
x.softmax(0, dtype=lib.float32)
x.new_tensor([[1.5, 2.0]])
1.0 in x
""".strip().splitlines()


@pytest.mark.torch
@pytest.mark.parametrize("expression", WRITES)
def test_numbers_are_written_as_numbers_and_read_as_numbers(expression):
    """Never as bytes: from and into tensors of other dtypes."""
    import torch

    found = []
    for library in (torch, minigrad):
        names = {
            "lib": library,
            "x": library.tensor([[1.0, -2.0, 3.0], [0.5, -0.0, float("nan")]]).to(library.float8_e5m2),
            "f": library.tensor([[1.5, 2.5, -3.0], [4.0, 5.0, 6.0]]),
            "b": library.tensor([[True, False, True], [False, True, True]]),
            "i": library.tensor([1, 0]),
        }
        found.append((repr(eval(expression, names)), repr(names["x"]), repr(names["f"])))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "call", ["x.random_()", "x.bernoulli_()", "x.unique_consecutive()", "minigrad.isin(x, x)", "x.nonzero()"]
)
def test_bytes_are_not_taken_for_numbers(call):
    with pytest.raises(NotImplementedError, match="not implemented for 'Float8_e5m2'"):
        eval(call, {"minigrad": minigrad, "x": minigrad.ones(3, dtype=minigrad.float8_e5m2)})


@pytest.mark.torch
@pytest.mark.parametrize(
    "expression",
    ["x * y", "lib.mm(m, n)", "lib.nn.functional.linear(m, n)", "x[0]", "lib.where(x == 1, x, y)"],
)
def test_gradients_of_what_is_computed_are_pytorchs(expression):
    import torch

    found = []
    for library in (torch, minigrad):
        names = {
            name: library.tensor(values, dtype=library.float8_e4m3fn).requires_grad_()
            for name, values in {
                "x": [1.0, -2],
                "y": [3.0, 4],
                "m": [[1.0, 2], [3, 4]],
                "n": [[1.0, 2], [0, 4]],
            }.items()
        }
        eval(expression, names | {"lib": library}).float().sum().backward()
        found.append([repr(tensor.grad) for tensor in names.values()])
    assert found[0] == found[1]
