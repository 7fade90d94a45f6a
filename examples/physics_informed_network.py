"""A network that learns the solution of a differential equation from the equation alone.

A pendulum with friction:  u'' + 0.4 u' + 4 u = 0,  u(0) = 1,  u'(0) = 0.  The network is no wiser than that: its loss is how far it is from
fulfilling the equation, at random times, and holds its first and second derivatives.  The known solution serves to judge the result.

The network is small, and most of a step is Python: after some steps it is captured, and how much quicker it is is printed.

    python examples/physics_informed_network.py
"""

import argparse
import math
import statistics
import time

import minigrad as torch
from minigrad import nn

try:
    from tqdm.auto import trange
except ImportError:  # the progress bar comes with pip install 'minigrad-numpy[examples]'

    def trange(n, **_):
        return range(n)


EAGER = 30  # how many steps are not captured
FRICTION, STIFFNESS, END = 0.4, 4.0, 5.0


def exact(t):
    """The solution, from the textbook."""
    decay = FRICTION / 2
    frequency = math.sqrt(STIFFNESS - decay**2)
    return torch.exp(-decay * t) * (torch.cos(frequency * t) + decay / frequency * torch.sin(frequency * t))


def solution(network, t):
    """u(t) = 1 + (1 - e⁻ᵗ)² N(t): whatever the network N says, u(0) = 1 and u'(0) = 0."""
    return 1 + (1 - torch.exp(-t)) ** 2 * network(t - END / 2)


def derivative(u, t):
    """du/dt at each time, itself to be differentiated."""
    (slope,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    return slope


def residual(network, t):
    """How far the network is from fulfilling the equation at each time."""
    t = t.detach().requires_grad_()
    u = solution(network, t)
    du = derivative(u, t)
    return derivative(du, t) + FRICTION * du + STIFFNESS * u


def train(network, steps, points):
    """Minimise the mean square of the residual; returns the loss of every step, and how many seconds it took."""
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2, foreach=True)

    def take_step(times):
        loss = (residual(network, times) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()

    captured = torch.capture(take_step)
    losses, seconds = [], []
    progress = trange(steps, desc="training", unit="step")
    for step in progress:
        if step in (steps // 2, steps * 4 // 5):
            for group in optimizer.param_groups:
                group["lr"] /= 5
        times = END * torch.rand(points, 1)
        began = time.perf_counter()
        loss = (captured if step >= EAGER else take_step)(times)
        seconds.append(time.perf_counter() - began)
        losses.append(loss.item())
        if step % 50 == 0 and hasattr(progress, "set_postfix"):
            progress.set_postfix(loss=f"{losses[-1]:.2e}")
    return losses, seconds


def draw(network, rows=25, width=60):
    """The solution as text, a time in each line: ``o`` for the network, ``|`` for the truth, ``@`` for both."""
    print(f"\n   t      exact    network   {'-1':<{width // 2}}0{'1':>{width // 2}}")
    for t in torch.linspace(0, END, rows).reshape(-1, 1):
        truth, found = exact(t).item(), solution(network, t).item()
        line = [" "] * (width + 1)
        places = [min(max(round((x + 1) / 2 * width), 0), width) for x in (truth, found)]
        line[places[0]], line[places[1]] = "|", "o"
        if places[0] == places[1]:
            line[places[0]] = "@"
        print(f"{t.item():5.2f} {truth:9.4f} {found:9.4f}   {''.join(line)}")


def main():
    parser = argparse.ArgumentParser(description="Solve a differential equation by a network.")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
    options = parser.parse_args()
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    losses, seconds = train(network, 600 if options.quick else options.steps, points=64)
    print(
        f"mean square of what is left of the equation: {losses[0]:.2f} at first, {losses[-1]:.2e} after {len(losses)} steps"
    )
    eager, captured = (1e6 * statistics.median(part) for part in (seconds[:EAGER], seconds[EAGER:]))
    print(
        f"a step takes {eager:.0f} us, and {captured:.0f} us captured: {eager / captured:.1f} times as many"
    )
    with torch.no_grad():
        draw(network, 13 if options.quick else 25)
        times = torch.linspace(0, END, 301).reshape(-1, 1)
        error = (solution(network, times) - exact(times)).abs().max().item()
    print(f"\nlargest error: {error:.4f}")
    if error > (0.25 if options.quick else 0.02):
        raise SystemExit("the network has not found the solution")


if __name__ == "__main__":
    main()
