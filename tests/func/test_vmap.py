"""``func.vmap``: values against loops over the samples, options, errors."""

import functools

import pytest

import minigrad as torch
from minigrad.func import grad, jvp, vmap


def numbers(*shape):
    return torch.arange(float(torch.Size(shape).numel()), dtype=torch.float64).reshape(shape).sin()


def close(a, b):
    torch.testing.assert_close(a, b)


def test_elementwise_and_products():
    x, w = numbers(4, 3), numbers(3, 3)
    close(vmap(lambda x: x.sin().sum())(x), x.sin().sum(1))
    close(vmap(torch.dot)(x, x), (x * x).sum(1))
    close(vmap(lambda x: w @ x)(x), x @ w.T)


@pytest.mark.parametrize("in_dim", [0, 1, -1, -2])
@pytest.mark.parametrize("out_dim", [0, 1, -1])
def test_dims(in_dim, out_dim):
    x = numbers(2, 3, 4)
    found = vmap(lambda x: x.cumsum(0), in_dim, out_dim)(x)
    expected = torch.stack([row.cumsum(0) for row in x.unbind(in_dim)], out_dim)
    close(found, expected)


def test_not_everything_is_mapped():
    x, y = numbers(4, 3), numbers(3)
    close(vmap(torch.mul, (0, None))(x, y), x * y)
    close(vmap(lambda p, s: p["a"] * p["b"] + s, ({"a": 0, "b": None}, None))({"a": x, "b": y}, 1), x * y + 1)
    a, b = vmap(lambda x: (x, y), out_dims=(1, None))(x)
    close(a, x.T)
    assert b is y
    close(vmap(lambda x: y)(x), y.expand(4, 3))


def test_samples_without_dimensions():
    x = numbers(5)
    close(vmap(lambda x: x.sum(0) + x.cumsum(0) + x.softmax(0))(x), 2 * x + 1)
    close(vmap(lambda x: x.max(0).values)(x), x)


@pytest.mark.parametrize("size", [0, 1])
def test_small_batches(size):
    x = numbers(size, 3)
    found = vmap(lambda x: (x * x).sum())(x)
    assert found.shape == (size,)
    close(found, (x * x).sum(1))


def test_ranks_and_dtypes_are_those_of_samples():
    x, y = numbers(3), numbers(3, 2)
    close(vmap(torch.mul)(x, y), x[:, None] * y)
    half = torch.ones(3, dtype=torch.float32)
    assert vmap(lambda a, b: a * b)(x, torch.ones(3, 2)).dtype is torch.float32
    assert vmap(lambda a, b: a * b)(half, y).dtype is torch.float64
    shapes = []
    vmap(lambda y: shapes.append((y.shape, y.dim(), len(y), y.numel())) or y)(y)
    assert shapes == [((2,), 1, 2, 2)]


def test_nested():
    x, y = numbers(2, 3), numbers(4, 3)
    close(vmap(lambda x: vmap(lambda y: torch.dot(x, y))(y))(x), x @ y.T)


def test_gradients_of_samples():
    x, w = numbers(4, 3), numbers(2, 3)
    found = vmap(grad(lambda w, x: (w @ x).tanh().sum()), (None, 0))(w, x)
    expected = torch.stack([(1 - (w @ row).tanh() ** 2)[:, None] * row for row in x])
    close(found, expected)


def test_gradients_through():
    x, w = numbers(4, 3), numbers(2, 3).requires_grad_()
    out = vmap(lambda x: (w @ x) ** 2)(x)
    (found,) = torch.autograd.grad(out.sum(), w)
    close(found, 2 * (w.detach() @ x.T) @ x)


def test_writes():
    x = numbers(4, 3)

    def f(x):
        y = x.clone()
        y[0] = y[2]
        y.view(-1)[1:].mul_(x[:2])
        z = torch.zeros_like(x)
        z += y
        return z

    rows = []
    for row in x:
        y = row.clone()
        y[0] = y[2]
        y[1:] *= row[:2]
        rows.append(y)
    close(vmap(f)(x), torch.stack(rows))


def test_a_number_for_each_sample_fills():
    x = numbers(2).requires_grad_()

    def f(x):
        y = x * torch.ones(3, dtype=torch.float64)
        y[1:] = x * 2
        return y

    close(torch.autograd.grad(vmap(f)(x).sum(), x)[0], torch.full((2,), 5.0, dtype=torch.float64))


def test_gradients_of_writes_by_several_levels():
    x, y = numbers(4, 3), numbers(3)

    def f(x):
        z = x.clone()
        z[1:].mul_(y[0] * x[:2])
        return z.sum()

    expected = torch.stack([torch.stack([1 + y[0] * r[1], y[0] * (r[0] + r[2]), y[0] * r[1]]) for r in x])
    close(vmap(grad(f))(x), expected)
    close(vmap(lambda x: jvp(f, (x,), (x,))[1])(x), (expected * x).sum(1))


@pytest.mark.parametrize("chunk_size", [1, 3, 4, 9])
def test_chunks(chunk_size):
    x = numbers(4, 3)
    a, b = vmap(lambda x: (x * 2, x.sum()), out_dims=(1, 0), chunk_size=chunk_size)(x)
    close(a, 2 * x.T)
    close(b, x.sum(1))


def test_views_check_memory():
    x = numbers(2, 3, 4).transpose(1, 2)
    with pytest.raises(RuntimeError, match="view size is not compatible"):
        vmap(lambda x: x.view(-1))(x)
    close(vmap(lambda x: x.reshape(-1))(x), x.reshape(2, -1))


def f(x):
    return x


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: vmap(f)(), "vmap(f)(<inputs>): got no inputs."),
        (lambda x: vmap(f, [0])(x), "vmap(f, in_dims=[0], ...)(<inputs>): expected `in_dims` to be int or a"),
        (lambda x: vmap(f, (0, 0))(x), "vmap(f, in_dims=(0, 0), ...)(<inputs>): in_dims is not compatible"),
        (lambda x: vmap(f, ("a",))(x), "Got in_dim=a for an input but in_dim must be either an integer"),
        (lambda x: vmap(f)(3), "Got in_dim=0 for an input but the input is of type <class 'int'>"),
        (lambda x: vmap(f, 2)(x), "so expected in_dim to satisfy -2 <= in_dim < 2."),
        (lambda x: vmap(f, (None,))(x), "vmap: Expected at least one Tensor to vmap over"),
        (lambda x: vmap(torch.mul)(x, x[:1]), "to have the same size in the mapped dimension, got sizes [4, 1]"),
        (lambda x: vmap(f, out_dims="a")(x), "`out_dims` must be an int, None or a python collection of ints"),
        (lambda x: vmap(f, out_dims=(0, 0))(x), "out_dims is not compatible with the structure of `outputs`"),
        (lambda x: vmap(lambda x: 3)(x), "`<lambda>` must only return Tensors, got type <class 'int'>"),
        (lambda x: vmap(f, out_dims=None)(x), "`f` can not return a BatchedTensor when out_dim is None"),
        (lambda x: vmap(f, chunk_size=0), "vmap: chunk_size should be None or greater than 0. (got 0)"),
        (lambda x: vmap(functools.partial(f), 5)(x), "vmap(functools.partial(f, ...), in_dims=5, ...)"),
    ],
)  # fmt: skip
def test_errors(call, message):
    with pytest.raises(ValueError) as error:
        call(numbers(4, 3))
    assert message in str(error.value)


def test_out_dim_out_of_range():
    with pytest.raises(IndexError, match="Dimension out of range"):
        vmap(f, out_dims=3)(numbers(4, 3))


def test_a_sample_that_escapes():
    kept = []
    vmap(lambda x: kept.append(x) or x)(numbers(4, 3))
    with pytest.raises(RuntimeError, match="Either your tensor may have escaped"):
        kept[0] + 1
