"""Programs for tinygrad, which needs Clang: ``setups(compiled)`` has them with what a step runs kept from one step to the next, or worked out each time.

tinygrad joins operators into kernels when a result is asked for.  It has no second derivatives by which the Hessian could be had in one program.
"""

from tinygrad import Device, Tensor, TinyJit

from benchmarks import others
from benchmarks.others import inputs


def setups(compiled):
    """For each program, the function that sets it up."""
    whole = TinyJit if compiled else lambda function: function
    return {
        others.CHAIN: lambda: chain(whole),
        others.TANH_MLP: lambda: trainer(whole, *inputs.tanh_mlp(), squared_error),
        others.DIGITS_MLP: lambda: trainer(whole, *inputs.digits_mlp(), cross_entropy),
        others.ELEMENTS: lambda: elements(whole),
        others.PRODUCT: lambda: product(whole),
    }


def realized(array):
    """A tensor whose elements are there."""
    return Tensor(array).contiguous().realize()


def timed(function):
    """``function`` as one that returns when its result is there."""

    def run():
        found = function()
        Device[Device.DEFAULT].synchronize()
        return found

    return run


def chain(whole):
    x, y = realized(inputs.CHAIN_X), realized(inputs.CHAIN_Y)

    @whole
    def gradient():
        z = x
        for _ in range(inputs.STEPS):
            z = (z * y + y).tanh()
        return z.sum().gradient(y)[0].realize()

    return timed(gradient)


def trainer(whole, weights, x, target, loss_of):
    """One step of gradient descent; returns the loss before it."""
    weights, x, target = [realized(w) for w in weights], realized(x), realized(target)

    @whole
    def step():
        loss = loss_of(weights, x, target)
        gradients = loss.gradient(*weights)
        changes = [w.assign(w - float(inputs.LEARNING_RATE) * g) for w, g in zip(weights, gradients)]
        loss.realize(*changes)
        return loss

    return timed(step)


def squared_error(weights, x, target):
    w1, b1, w2, b2, w3, b3 = weights
    h = (x.linear(w1.T, b1).tanh()).linear(w2.T, b2).tanh()
    return (h.linear(w3.T, b3) - target).square().mean()


def cross_entropy(weights, x, target):
    w1, b1, w2, b2, w3, b3 = weights
    h = x.linear(w1.T, b1).relu().linear(w2.T, b2).relu()
    return h.linear(w3.T, b3).sparse_categorical_crossentropy(target)


def elements(whole):
    x, y, z = (realized(inputs.evenly(1 << 22)) for _ in range(3))

    @whole
    def gradients():
        found = ((x * y + z).tanh() * y).sum().gradient(x, y, z)
        found[0].realize(*found[1:])
        return found[1]

    return timed(gradients)


def product(whole):
    a, b, slope = (realized(inputs.evenly(512, 512)) for _ in range(3))

    @whole
    def gradients():
        found = ((a @ b) * slope).sum().gradient(a, b)
        found[0].realize(*found[1:])
        return found[0]

    return timed(gradients)
