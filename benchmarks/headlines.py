"""The rows that stand for the rest: their geometric mean is one number for a machine, and ``docs/explanation/performance.md`` shows them."""

import math

from benchmarks.cases.large_arrays import large
from benchmarks.cases.models import models
from benchmarks.cases.operators import training
from benchmarks.cases.small_graphs import chains
from benchmarks.cases.training_steps import steps
from benchmarks.cases.transforms import transforms

#: Paths of benchmarks, with the words of a narrow table.
HEADLINES = {
    chains.path("z = (z*y + y).tanh(), backward"): "chain of 100 tanh steps",
    chains.path("z = (z*y + y).tanh() under no_grad"): "the same under no_grad",
    chains.path("z = z * 1.01, backward"): "chain of 100 z * 1.01",
    steps.path("8-8-8-1 tanh MLP, batch 8, Adam"): "tiny MLP, Adam",
    models.path("784-256-128-10 ReLU MLP, batch 64, Adam"): "784-MLP, batch 64, Adam",
    models.path("LeNet, batch 64, SGD"): "LeNet, batch 64",
    models.path("residual block with batch norm, 16x32x32x32, SGD"): "residual block, 16x32x32x32",
    models.path("GPT blocks: 4 layers, width 128, T=64, B=16, AdamW"): "GPT, 4 layers of 128",
    models.path("LSTM: T=50, B=32, H=128, SGD"): "LSTM, 50 steps of 128",
    large.path("tanh(x*y + z) * y, 4M elements"): "tanh(x*y + z) * y, 4M",
    large.path("a @ b, 512 x 512"): "a @ b, 512 x 512",
    transforms.path("hessian, Rosenbrock in 30 dimensions"): "Hessian, 30 dimensions",
    training.path("conv2d, 16 x 32 x 32 x 32, 32 of 3 x 3, stride 1, by channel"): "depthwise 3 x 3",
}


def geometric_mean(values):
    """The geometric mean of some ratios."""
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def means(rows, settings):
    """The geometric mean of the headlines' ratios in each setting, the first one included; only of settings that all of them have."""
    found = [row.measurement for row in rows if row.benchmark.path in HEADLINES and not row.error]
    if len(found) < len(HEADLINES):
        return {}
    ratios = {
        name: [each.ratio_in(name) if place else each.ratio for each in found]
        for place, name in enumerate(settings)
    }
    return {name: geometric_mean(each) for name, each in ratios.items() if None not in each}
