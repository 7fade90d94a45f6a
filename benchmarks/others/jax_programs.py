"""Programs for JAX: ``setups(compiled)`` has them with each step compiled as a whole, or run operator by operator."""

import jax
import jax.numpy as np

from benchmarks import others
from benchmarks.others import inputs


def setups(compiled):
    """For each program, the function that sets it up."""
    whole = jax.jit if compiled else lambda function: function
    return {
        others.CHAIN: lambda: chain(whole),
        others.TANH_MLP: lambda: trainer(whole, *inputs.tanh_mlp(), squared_error),
        others.DIGITS_MLP: lambda: trainer(whole, *inputs.digits_mlp(), cross_entropy),
        others.HESSIAN: lambda: hessian(whole),
        others.ELEMENTS: lambda: elements(whole),
        others.PRODUCT: lambda: product(whole),
    }


def chain(whole):
    x, y = np.asarray(inputs.CHAIN_X), np.asarray(inputs.CHAIN_Y)

    def loss(y):
        z = x
        for _ in range(inputs.STEPS):
            z = np.tanh(z * y + y)
        return z.sum()

    gradient = whole(jax.grad(loss))
    return lambda: gradient(y).block_until_ready()


def trainer(whole, weights, x, target, loss_of):
    """One step of gradient descent; returns the loss before it."""
    weights, x, target = jax.tree.map(np.asarray, (weights, x, target))

    @whole
    def step(weights, x, target):
        loss, gradients = jax.value_and_grad(loss_of)(weights, x, target)
        return loss, [w - inputs.LEARNING_RATE * g for w, g in zip(weights, gradients)]

    def run():
        nonlocal weights
        loss, weights = jax.block_until_ready(step(weights, x, target))
        return loss

    return run


def squared_error(weights, x, target):
    w1, b1, w2, b2, w3, b3 = weights
    h = np.tanh(np.tanh(x @ w1.T + b1) @ w2.T + b2)
    return np.mean((h @ w3.T + b3 - target) ** 2)


def cross_entropy(weights, x, target):
    w1, b1, w2, b2, w3, b3 = weights
    h = jax.nn.relu(jax.nn.relu(x @ w1.T + b1) @ w2.T + b2)
    scores = jax.nn.log_softmax(h @ w3.T + b3)
    return -np.mean(np.take_along_axis(scores, target[:, None], 1))


def hessian(whole):
    def rosenbrock(x):
        return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

    x, function = np.asarray(inputs.rosenbrock_point()), whole(jax.hessian(rosenbrock))
    return lambda: function(x).block_until_ready()


def elements(whole):
    x, y, z = (np.asarray(inputs.evenly(1 << 22)) for _ in range(3))
    gradients = whole(jax.grad(lambda x, y, z: (np.tanh(x * y + z) * y).sum(), (0, 1, 2)))
    return lambda: jax.block_until_ready(gradients(x, y, z))[1]


def product(whole):
    a, b, slope = (np.asarray(inputs.evenly(512, 512)) for _ in range(3))
    gradients = whole(jax.grad(lambda a, b: ((a @ b) * slope).sum(), (0, 1)))
    return lambda: jax.block_until_ready(gradients(a, b))[0]
