"""The steps of SGD, Adam and AdamW against the formulas, written out."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import optim

GRADIENTS = [np.array([0.5, -1.0, 2.0]) * (i + 1) * (-1) ** i for i in range(6)]
START = np.array([1.0, -2.0, 3.0])


def run(make, dtype=np.float64, shape=(3,), gradients=GRADIENTS, differentiable=False):
    """The parameter after each step with fixed gradients."""
    p = torch.tensor(START.astype(dtype).reshape(shape), requires_grad=True)
    if differentiable:
        p = p.clone()
    optimizer = make([p])
    history = []
    for g in gradients:
        p.grad = torch.tensor(g.astype(dtype).reshape(shape))
        optimizer.step()
        history.append(p.detach().numpy().copy().reshape(-1))
    return history


def sgd(lr=0.1, momentum=0, dampening=0, weight_decay=0, nesterov=False, maximize=False):
    x, buffer, history = START.copy(), None, []
    for g in GRADIENTS:
        d = (-g if maximize else g) + weight_decay * x
        if momentum:
            buffer = d.copy() if buffer is None else momentum * buffer + (1 - dampening) * d
            d = d + momentum * buffer if nesterov else buffer
        x = x - lr * d
        history.append(x)
    return history


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"weight_decay": 0.1},
        {"maximize": True},
        {"momentum": 0.9},
        {"momentum": 0.9, "dampening": 0.3},
        {"momentum": 0.9, "nesterov": True},
        {"momentum": 0.9, "weight_decay": 0.1, "maximize": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("differentiable", [False, True])
def test_sgd(options, differentiable):
    make = lambda params: optim.SGD(params, lr=0.1, differentiable=differentiable, **options)
    history = run(make, differentiable=differentiable)
    np.testing.assert_allclose(history, sgd(**options), rtol=1e-12)


def adam(
    lr=0.1, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, maximize=False, decoupled=False
):
    x, m, v, greatest, history = START.copy(), 0, 0, 0, []
    for t, g in enumerate(GRADIENTS, 1):
        g = -g if maximize else g
        if decoupled:
            x = x * (1 - lr * weight_decay)
        else:
            g = g + weight_decay * x
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * g * g
        greatest = np.maximum(greatest, v)
        root = np.sqrt((greatest if amsgrad else v) / (1 - betas[1] ** t))
        x = x - lr * (m / (1 - betas[0] ** t)) / (root + eps)
        history.append(x)
    return history


@pytest.mark.parametrize(
    "options",
    [{}, {"weight_decay": 0.1}, {"amsgrad": True}, {"maximize": True}, {"betas": (0.5, 0.7), "eps": 0.1}],
    ids=str,
)
@pytest.mark.parametrize("cls", [optim.Adam, optim.AdamW])
@pytest.mark.parametrize("differentiable", [False, True])
def test_adam(options, cls, differentiable):
    make = lambda params: cls(params, lr=0.1, differentiable=differentiable, **options)
    expected = adam(
        **({"weight_decay": 0.01} if cls is optim.AdamW else {}) | options, decoupled=cls is optim.AdamW
    )
    history = run(make, differentiable=differentiable)
    np.testing.assert_allclose(history, expected, rtol=1e-10)


@pytest.mark.parametrize("cls", [optim.SGD, optim.Adam])
@pytest.mark.parametrize("shape", [(3, 1), (1, 3, 1)], ids=str)
def test_shapes(cls, shape):
    make = lambda params: cls(params, lr=0.1)
    np.testing.assert_array_equal(run(make, shape=shape), run(make))


@pytest.mark.parametrize(
    "make", [lambda p: optim.SGD(p, lr=0.1, momentum=0.9), lambda p: optim.Adam(p, lr=0.1)]
)
def test_parameters_without_axes_and_without_elements(make):
    p, q = torch.tensor(1.0, requires_grad=True), torch.zeros(0, 2, requires_grad=True)
    optimizer = make([p, q])
    for _ in range(3):
        optimizer.zero_grad()
        (p * 2 + q.sum()).backward()
        optimizer.step()
    assert p.shape == () and p.item() < 0.8


@pytest.mark.parametrize("make", [lambda p: optim.SGD(p, lr=0.1), lambda p: optim.Adam(p, lr=0.1)])
def test_strided_parameters(make):
    p = torch.tensor(np.arange(6.0).reshape(2, 3)).mT.requires_grad_()
    q = torch.tensor(p.detach().numpy().copy(order="C"), requires_grad=True)
    for x in (p, q):
        optimizer = make([x])
        for _ in range(3):
            optimizer.zero_grad()
            (x**3).sum().backward()
            optimizer.step()
    np.testing.assert_allclose(p.detach().numpy(), q.detach().numpy(), rtol=1e-14)


def test_a_tensor_as_learning_rate():
    for cls in (optim.SGD, optim.Adam):
        np.testing.assert_array_equal(
            run(lambda p, cls=cls: cls(p, lr=torch.tensor(0.5, dtype=torch.float64))),
            run(lambda p, cls=cls: cls(p, lr=0.5)),
        )


def test_complex_parameters_move_as_pairs_of_numbers():
    for make in (lambda p: optim.SGD(p, lr=0.1, momentum=0.5), lambda p: optim.Adam(p, lr=0.1, amsgrad=True)):
        z = torch.tensor([1 + 2j, -1j], requires_grad=True)
        parts = torch.tensor([[1.0, 2.0], [0.0, -1.0]], requires_grad=True)
        for x in (z, parts):
            optimizer = make([x])
            for _ in range(4):
                optimizer.zero_grad()
                loss = (x * x.conj()).real.sum() if x is z else (x * x).sum()
                loss.backward()
                optimizer.step()
        np.testing.assert_allclose(torch.view_as_real(z.detach()).numpy(), parts.detach().numpy(), rtol=1e-6)


def test_differentiable_steps_can_be_differentiated():
    for make in (lambda p, lr: optim.SGD(p, lr=lr, momentum=0.9, differentiable=True),):
        start, lr = torch.tensor([1.0], requires_grad=True), torch.tensor(0.1, requires_grad=True)
        p = start.clone()
        optimizer = make([p], lr)
        p.grad = torch.tensor([2.0])
        optimizer.step()
        p.sum().backward()
        assert lr.grad.item() == -2 and start.grad.item() == 1


def test_half_precision_parameters_keep_their_dtype():
    for cls in (optim.SGD, optim.Adam):
        p = torch.ones(3, dtype=torch.float16, requires_grad=True)
        optimizer = cls([p], lr=0.1)
        p.grad = torch.ones(3, dtype=torch.float16)
        optimizer.step()
        assert p.dtype is torch.float16 and 0.85 < p[0].item() < 0.95
