"""Steps of optimizers alone: 100 parameters of 64 x 64 whose gradients stay."""

import functools

from benchmarks.registry import Subject

steps = Subject("Optimizer steps, 100 parameters of 64 x 64")


def stepper(torch, name, options):
    """The function that takes one step and returns the last parameter."""
    params = [(torch.arange(4096.0) + i).sin().reshape(64, 64).requires_grad_() for i in range(100)]
    for i, p in enumerate(params):
        p.grad = (torch.arange(4096.0) * (i + 1)).cos().reshape(64, 64)
    optimizer = getattr(torch.optim, name)(params, lr=1e-4, **options)

    def run():
        optimizer.step()
        return params[-1]

    return run


for title, name, options, bar in (
    ("Adam", "Adam", {}, 1.0),
    ("AdamW, amsgrad", "AdamW", {"amsgrad": True}, 1.0),
    ("SGD", "SGD", {}, 1.0),
    ("SGD with momentum", "SGD", {"momentum": 0.9}, 1.0),
    ("RMSprop", "RMSprop", {}, 1.0),
    ("Adagrad", "Adagrad", {}, 1.0),
    ("Adamax", "Adamax", {}, None),
    ("NAdam", "NAdam", {}, None),
    ("RAdam", "RAdam", {}, None),
    ("Adadelta", "Adadelta", {}, None),
    ("Rprop", "Rprop", {}, None),
    ("ASGD", "ASGD", {}, None),
    ("Adafactor", "Adafactor", {}, None),
):
    steps.timed(title, bar=bar)(functools.partial(stepper, name=name, options=options))
