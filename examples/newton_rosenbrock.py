"""Newton's method on Rosenbrock's function, with exact second derivatives from ``func.hessian``.

The function has its minimum, 0, at (1, ..., 1), at the end of a long bent valley.  Gradient descent creeps along it; Newton's method uses the curvature.
Descent takes thousands of small steps that are all alike: they are captured, and how much quicker they are is printed.

    python examples/newton_rosenbrock.py
"""

import argparse
import time

import minigrad as torch
from minigrad.func import grad, hessian


def rosenbrock(x):
    """The sum of 100 (x[i+1] - x[i]²)² + (1 - x[i])²."""
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def newton(f, x, most=100, small=1e-10):
    """Minimise ``f`` from ``x``; yields (x, f(x), norm of the gradient, share of the step taken) after each step.

    Where the function curves downwards the Hessian gets a multiple of the identity, so that the step leads down; where a step leads up
    it is halved.
    """
    gradient, curvature = grad(f), hessian(f)
    for _ in range(most):
        g, H = gradient(x), curvature(x)
        lowest = torch.linalg.eigvalsh(H)[0]
        if lowest <= 0:
            H = H + (0.1 - lowest) * torch.eye(len(x), dtype=x.dtype)
        step = torch.linalg.solve(H, -g)
        share = 1.0
        while f(x + share * step) > f(x) + 1e-4 * share * (g @ step) and share > 1e-8:
            share /= 2
        x = x + share * step
        slope = gradient(x).norm()
        yield x, f(x).item(), slope.item(), share
        if slope < small:
            return


def descent(f, rate=1e-3):
    """A step of gradient descent, to compare with."""
    gradient = grad(f)
    return lambda x: x - rate * gradient(x)


def repeated(step, x, times):
    """What ``step`` makes of ``x`` in so many steps, and the seconds of one."""
    began = time.perf_counter()
    for _ in range(times):
        x = step(x)
    return x, (time.perf_counter() - began) / times


def main():
    parser = argparse.ArgumentParser(description="Newton's method on Rosenbrock's function.")
    parser.add_argument("--dimensions", type=int, default=10)
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
    options = parser.parse_args()
    start = torch.linspace(-1.2, 1.5, options.dimensions, dtype=torch.float64)

    print(
        f"Rosenbrock's function in {options.dimensions} dimensions; at the start it is {rosenbrock(start):.1f}"
    )
    print("\n step         f(x)    |gradient|   share of the step")
    began = time.perf_counter()
    steps = list(newton(rosenbrock, start))
    seconds = time.perf_counter() - began
    for i, (_, value, slope, share) in enumerate(steps, 1):
        print(f"{i:5} {value:12.3e}  {slope:12.3e}   {share:g}")
    found = steps[-1][0]
    error = (found - 1).abs().max().item()
    print(
        f"\nNewton's method: {len(steps)} steps, {1000 * seconds:.0f} ms; no coordinate is off by more than {error:.1e}"
    )

    many = 200 if options.quick else 5000
    step = descent(rosenbrock)
    captured = torch.capture(step)
    few, eager = repeated(step, start, 100)
    again, _ = repeated(captured, start, 100)
    crept, quick = repeated(captured, again, many - 100)
    off = (crept - 1).abs().max().item()
    print(
        f"Gradient descent: after {many} steps the value is {rosenbrock(crept):.3g}, a coordinate is off by {off:.2g}"
    )
    print(
        f"A step of it takes {1e6 * eager:.0f} us, and {1e6 * quick:.0f} us captured, with the same bits: {torch.equal(few, again)}"
    )
    if error > 1e-8:
        raise SystemExit("Newton's method has not found the minimum")


if __name__ == "__main__":
    main()
