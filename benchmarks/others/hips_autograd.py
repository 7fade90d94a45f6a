"""Programs for HIPS autograd."""

import autograd
import autograd.numpy as np

from benchmarks import others
from benchmarks.others import inputs


def chain():
    def loss(y):
        z = inputs.CHAIN_X
        for _ in range(inputs.STEPS):
            z = np.tanh(z * y + y)
        return np.sum(z)

    gradient = autograd.grad(loss)
    return lambda: gradient(inputs.CHAIN_Y)


def trainer(weights, x, target, loss_of):
    """One step of gradient descent; returns the loss before it."""
    step = autograd.value_and_grad(loss_of)

    def run():
        loss, gradients = step(weights, x, target)
        for w, g in zip(weights, gradients):
            w -= inputs.LEARNING_RATE * g
        return loss

    return run


def squared_error(weights, x, target):
    w1, b1, w2, b2, w3, b3 = weights
    h = np.tanh(np.tanh(x @ w1.T + b1) @ w2.T + b2)
    return np.mean((h @ w3.T + b3 - target) ** 2)


def cross_entropy(weights, x, target):
    w1, b1, w2, b2, w3, b3 = weights
    h = np.maximum(np.maximum(x @ w1.T + b1, 0) @ w2.T + b2, 0)
    z = h @ w3.T + b3
    z = z - np.max(z, axis=1, keepdims=True)
    return np.mean(np.log(np.sum(np.exp(z), axis=1)) - z[np.arange(len(target)), target])


def hessian():
    def rosenbrock(x):
        return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

    x, function = inputs.rosenbrock_point(), autograd.hessian(rosenbrock)
    return lambda: function(x)


def elements():
    x, y, z = (inputs.evenly(1 << 22) for _ in range(3))
    gradients = autograd.grad(lambda x, y, z: np.sum(np.tanh(x * y + z) * y), (0, 1, 2))
    return lambda: gradients(x, y, z)[1]


def product():
    a, b, slope = (inputs.evenly(512, 512) for _ in range(3))
    gradients = autograd.grad(lambda a, b: np.sum((a @ b) * slope), (0, 1))
    return lambda: gradients(a, b)[0]


SETUPS = {
    others.CHAIN: chain,
    others.TANH_MLP: lambda: trainer(*inputs.tanh_mlp(), squared_error),
    others.DIGITS_MLP: lambda: trainer(*inputs.digits_mlp(), cross_entropy),
    others.HESSIAN: hessian,
    others.ELEMENTS: elements,
    others.PRODUCT: product,
}
