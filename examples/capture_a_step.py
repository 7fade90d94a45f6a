"""Capture a training step: the same numbers, without the Python around NumPy.

A small network learns to tell two spirals apart, first step by step as ever, then with the step captured.  Both end with the same weights, bit for bit; what a captured step runs is printed.

    python examples/capture_a_step.py [--quick]
"""

import argparse
import time

import minigrad as torch
from minigrad import nn


def spirals(n):
    """Points of two spirals, and which of the two each is on."""
    angle = 3 * torch.pi * torch.rand(n).sqrt()
    side = torch.randint(0, 2, (n,))
    turned = angle + torch.pi * side
    points = torch.stack([turned.cos(), turned.sin()], 1) * (angle / 9).unsqueeze(1)
    return points + 0.02 * torch.randn(n, 2), side.float().unsqueeze(1)


def learner():
    """A network, and a step that improves it."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

    def step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return model, step


def train(step, steps):
    """Run ``step`` on random points; returns the seconds and the last loss."""
    torch.manual_seed(1)
    batches = [spirals(32) for _ in range(100)]
    started = time.perf_counter()
    for i in range(steps):
        loss = step(*batches[i % len(batches)])
    return time.perf_counter() - started, loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer steps")
    steps = 300 if parser.parse_args().quick else 5000

    plain, step = learner()
    seconds, loss = train(step, steps)
    print(f"as ever:  {steps} steps in {seconds:.2f} s, {seconds / steps * 1e6:.0f} us each; loss {loss:.4f}")

    model, step = learner()
    captured = torch.capture(step)
    seconds, loss = train(captured, steps)
    print(f"captured: {steps} steps in {seconds:.2f} s, {seconds / steps * 1e6:.0f} us each; loss {loss:.4f}")

    same = all(torch.equal(p, q) for p, q in zip(plain.parameters(), model.parameters()))
    print("the weights are the same, bit for bit" if same else "the weights differ")
    with torch.no_grad():
        x, y = spirals(2000)
        right = ((model(x) > 0) == (y > 0.5)).float().mean().item()
    print(f"{right:.1%} of new points are told apart")
    print("\nWhat a step runs:\n")
    print(captured.explain(*spirals(32)))


if __name__ == "__main__":
    main()
