"""Programs for MyGrad, which has no second derivatives."""

import mygrad

from benchmarks import others
from benchmarks.others import inputs


def chain():
    y = mygrad.tensor(inputs.CHAIN_Y)

    def run():
        y.null_grad()
        z = inputs.CHAIN_X
        for _ in range(inputs.STEPS):
            z = mygrad.tanh(z * y + y)
        z.sum().backward()
        return y.grad

    return run


def trainer(weights, x, target, loss_of):
    """One step of gradient descent; returns the loss before it."""
    weights = [mygrad.tensor(w) for w in weights]

    def run():
        loss = loss_of(weights, x, target)
        loss.backward()
        for w in weights:
            w.data -= inputs.LEARNING_RATE * w.grad
            w.null_grad()
        return loss.data

    return run


def squared_error(weights, x, target):
    w1, b1, w2, b2, w3, b3 = weights
    h = mygrad.tanh(mygrad.tanh(x @ w1.T + b1) @ w2.T + b2)
    return mygrad.mean((h @ w3.T + b3 - target) ** 2)


def cross_entropy(weights, x, target):
    w1, b1, w2, b2, w3, b3 = weights
    relu = mygrad.nnet.activations.relu
    h = relu(relu(x @ w1.T + b1) @ w2.T + b2)
    return mygrad.nnet.losses.softmax_crossentropy(h @ w3.T + b3, target)


def elements():
    x, y, z = (mygrad.tensor(inputs.evenly(1 << 22)) for _ in range(3))

    def run():
        for leaf in (x, y, z):
            leaf.null_grad()
        (mygrad.tanh(x * y + z) * y).sum().backward()
        return y.grad

    return run


def product():
    a, b, slope = (mygrad.tensor(inputs.evenly(512, 512)) for _ in range(3))

    def run():
        a.null_grad()
        b.null_grad()
        (a @ b).backward(slope.data)
        return a.grad

    return run


SETUPS = {
    others.CHAIN: chain,
    others.TANH_MLP: lambda: trainer(*inputs.tanh_mlp(), squared_error),
    others.DIGITS_MLP: lambda: trainer(*inputs.digits_mlp(), cross_entropy),
    others.ELEMENTS: elements,
    others.PRODUCT: product,
}
