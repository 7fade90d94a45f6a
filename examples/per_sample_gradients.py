"""The gradient of every sample's own loss, and what it is good for: finding wrong labels.

A training step needs the mean of the gradients of a batch.  What single samples say takes one backward for each, or ``vmap(grad(...))``: the same function,
written for one sample, is run once for all of them.

    python examples/per_sample_gradients.py
"""

import argparse
import time

import minigrad as torch
from minigrad import nn
from minigrad.func import functional_call, grad, vmap


def spirals(n):
    """Points of two arms that wind around each other, as 2 coordinates and some of their products; labels 0 and 1."""
    labels = torch.arange(n) % 2
    along = torch.rand(n)
    angle = 4 * along + torch.pi * labels
    points = torch.stack([angle.cos(), angle.sin()], 1) * (0.2 + along)[:, None] + 0.02 * torch.randn(n, 2)
    x, y = points.unbind(1)
    return torch.stack([x, y, x * y, x**2, y**2, x * (x**2 + y**2), y * (x**2 + y**2)], 1), labels


def train(model, points, labels, steps):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(points), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def timed(function, times):
    """The best time of several runs, in ms, and the result."""
    best = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        result = function()
        best = min(best, time.perf_counter() - began)
    return 1000 * best, result


def main():
    parser = argparse.ArgumentParser(description="Gradients of single samples by vmap(grad(...)).")
    parser.add_argument("--samples", type=int, default=512)
    parser.add_argument("--wrong", type=int, default=12, help="so many labels are turned")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
    options = parser.parse_args()
    torch.manual_seed(0)
    points, labels = spirals(options.samples)
    turned = torch.randperm(options.samples)[: options.wrong]
    labels[turned] = 1 - labels[turned]
    model = nn.Sequential(nn.Linear(7, 32), nn.Tanh(), nn.Linear(32, 2))
    loss = train(model, points, labels, 100 if options.quick else 400)
    print(
        f"{options.samples} points on two spirals, {options.wrong} labels turned; trained to a loss of {loss:.3f}"
    )

    weights = dict(model.named_parameters())

    def loss_of(weights, point, label):
        """The loss of one sample: no dimension for a batch anywhere."""
        return nn.functional.cross_entropy(functional_call(model, weights, (point,)), label)

    each = vmap(grad(loss_of), in_dims=(None, 0, 0))

    def loop():
        rows = [grad(loss_of)(weights, point, label) for point, label in zip(points, labels)]
        return {name: torch.stack([row[name] for row in rows]) for name in weights}

    times = 2 if options.quick else 5
    together, gradients = timed(lambda: each(weights, points, labels), times)
    apart, expected = timed(loop, 1 if options.quick else 2)
    print("\none gradient for each sample:")
    for name, gradient in gradients.items():
        print(f"  {name:9} {tuple(gradient.shape)}")
    print(
        f"vmap(grad): {together:.1f} ms; a loop over the samples: {apart:.0f} ms, {apart / together:.0f} times as long"
    )
    difference = max((gradients[name] - expected[name]).abs().max().item() for name in weights)
    print(f"their largest difference: {difference:.1e}")

    norms = torch.stack([g.reshape(options.samples, -1).norm(dim=1) for g in gradients.values()]).norm(dim=0)
    suspects = norms.argsort(descending=True)[: options.wrong]
    right = len(set(suspects.tolist()) & set(turned.tolist()))
    others = torch.ones(options.samples, dtype=torch.bool)
    others[turned] = False
    print(
        f"\nnorm of the gradient: {norms[turned].mean():.2f} for turned labels, {norms[others].mean():.2f} for the others (means)"
    )
    print(f"of the {options.wrong} samples with the largest gradients, {right} have a turned label")
    if difference > 1e-4 or right < options.wrong // 2:
        raise SystemExit("the gradients of single samples are wrong")


if __name__ == "__main__":
    main()
