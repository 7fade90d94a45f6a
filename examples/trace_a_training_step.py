"""Writes a trace of one training step, for a look at what runs when.

A perceptron with two hidden layers classifies random points.  The trace shows the forward pass, the backward pass and the optimizer's step over time;
an arrow leads from each operator to the node of the backward pass that it recorded.

Run it:  python examples/trace_a_training_step.py
then open https://ui.perfetto.dev (or the page chrome://tracing of Chrome) and load ``out/training_step.json``.
"""

import argparse
import os
from pathlib import Path

import minigrad as torch
from minigrad import nn
from minigrad.profiler import profile, record_function, schedule


def perceptron(width):
    return nn.Sequential(
        nn.Linear(64, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 10)
    )


def step(model, optimizer, inputs, targets):
    """One step of training, in three named parts."""
    optimizer.zero_grad()
    with record_function("forward"):
        loss = nn.functional.cross_entropy(model(inputs), targets)
    with record_function("backward"):
        loss.backward()
    with record_function("optimizer"):
        optimizer.step()
    return loss


def traced(path, width, batch):
    """Train for a few steps, and write a trace of the last one; returns the profiler."""
    torch.manual_seed(0)
    model = perceptron(width)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    inputs, targets = torch.randn(batch, 64), torch.randint(0, 10, (batch,))
    # the first steps do things for the first time: they are left out
    plan = schedule(wait=2, warmup=1, active=1, repeat=1)
    with profile(
        schedule=plan, on_trace_ready=lambda prof: prof.export_chrome_trace(path), record_shapes=True
    ) as prof:
        for _ in range(4):
            step(model, optimizer, inputs, targets)
            prof.step()
    return prof


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a small network")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the trace")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "training_step.json"
    report(path, width=16, batch=8) if options.quick else report(path, width=256, batch=128)


def report(path, width, batch):
    prof = traced(str(path), width, batch)
    events = prof.events()
    arrows = sum(event.flow_start for event in events)
    print(
        f"{path}: {len(events)} events, {arrows} arrows from forward to backward, {os.path.getsize(path) // 1024 + 1} KB"
    )
    parts = [event for event in events if event.name in ("forward", "backward", "optimizer")]
    for event in parts:
        print(f"{event.name:>10}  {event.cpu_time_total_str}")
    if [event.name for event in parts] != ["forward", "backward", "optimizer"] or not arrows:
        raise SystemExit("the trace lacks a part of the step")


if __name__ == "__main__":
    main()
