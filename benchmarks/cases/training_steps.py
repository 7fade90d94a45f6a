"""Whole training steps: zero_grad, forward, loss, backward, step."""

import functools

from benchmarks.registry import Subject

steps = Subject("Training steps")


def trainer(torch, model, criterion, optimizer, x, target):
    """The function that takes one step and returns the loss."""

    def run():
        optimizer.zero_grad()
        loss = criterion(model(x), target)
        loss.backward()
        optimizer.step()
        return loss

    return run


def evenly(torch, *shape):
    """Values spread over -1 .. 1 in an irregular order, the same under every library."""
    count = 1
    for size in shape:
        count *= size
    return (torch.arange(count, dtype=torch.float32) * 0.7).sin().reshape(shape)


def set_weights(torch, model):
    """Give a model weights that do not depend on the library's random numbers."""
    with torch.no_grad():
        for parameter in model.parameters():
            fan_in = parameter.shape[-1]
            parameter.copy_(evenly(torch, *parameter.shape) / fan_in**0.5)
    return model


def tiny_mlp(torch, make_optimizer):
    nn = torch.nn
    layers = nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1)
    model = set_weights(torch, nn.Sequential(*layers))
    optimizer = make_optimizer(torch, model.parameters())
    return trainer(torch, model, nn.MSELoss(), optimizer, evenly(torch, 8, 8), evenly(torch, 8, 1))


def digits_mlp(torch, batch=64):
    """The 784-256-128-10 ReLU classifier and a batch for it: ``model, x, target``."""
    nn = torch.nn
    layers = nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10)
    model = set_weights(torch, nn.Sequential(*layers))
    return model, evenly(torch, batch, 784), torch.arange(batch) % 10


def sgd(torch, parameters):
    return torch.optim.SGD(parameters, lr=0.01)


def momentum_sgd(torch, parameters):
    return torch.optim.SGD(parameters, lr=0.01, momentum=0.9)


def adam(torch, parameters):
    return torch.optim.Adam(parameters, lr=0.001)


for name, make_optimizer, bars in (
    ("SGD", sgd, {"bar": 0.5}),
    ("SGD with momentum", momentum_sgd, {"bar": 0.5}),
    ("Adam", adam, {"bar_all": 0.42}),
):
    steps.timed(f"8-8-8-1 tanh MLP, batch 8, {name}", **bars)(
        functools.partial(tiny_mlp, make_optimizer=make_optimizer)
    )


def digits_trainer(torch, batch):
    model, x, target = digits_mlp(torch, batch)
    return trainer(torch, model, torch.nn.CrossEntropyLoss(), sgd(torch, model.parameters()), x, target)


@steps.timed("784-256-128-10 ReLU MLP, batch 64, SGD", bar=1.0)
def digits_step(torch):
    return digits_trainer(torch, 64)


@steps.timed("784-256-128-10 ReLU MLP, batch 64, SGD with momentum", bar=1.0)
def digits_momentum_step(torch):
    model, x, target = digits_mlp(torch)
    optimizer = momentum_sgd(torch, model.parameters())
    return trainer(torch, model, torch.nn.CrossEntropyLoss(), optimizer, x, target)
