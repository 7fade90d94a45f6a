"""Gradients of a function that was written for NumPy, and knows nothing of tensors.

``log_evidence`` below says how well a Gaussian process explains data: plain NumPy, with a Cholesky factor and a triangle of other calls.  Given tensors
that require grad it is differentiated as it stands, and its parameters can be fitted.

    python examples/gradients_of_numpy_code.py
"""

import argparse

import numpy as np

import minigrad as torch


def kernel(x, y, length, scale):
    """How alike the values at places x and y are."""
    distance = np.abs(np.subtract.outer(x, y))
    return scale**2 * np.exp(-0.5 * np.square(distance / length))


def log_evidence(logarithms, x, y):
    """The logarithm of the probability of the data; the parameters are logarithms of length, scale and noise."""
    length, scale, noise = np.exp(logarithms)
    covariance = kernel(x, x, length, scale) + noise**2 * np.eye(len(x))
    factor = np.linalg.cholesky(covariance)
    white = np.linalg.solve(factor, y)
    return (
        -0.5 * np.dot(white, white) - np.sum(np.log(np.diagonal(factor))) - 0.5 * len(x) * np.log(2 * np.pi)
    )


def slopes(function, at, step=1e-6):
    """The gradient by central differences, to compare with: NumPy alone."""
    moves = step * np.eye(len(at))
    return np.array([(function(at + move) - function(at - move)) / (2 * step) for move in moves])


def predict(logarithms, x, y, places):
    """The mean of the process at ``places``."""
    length, scale, noise = np.exp(logarithms)
    covariance = kernel(x, x, length, scale) + noise**2 * np.eye(len(x))
    return kernel(places, x, length, scale) @ np.linalg.solve(covariance, y)


def main():
    parser = argparse.ArgumentParser(description="Fit a Gaussian process that is written in NumPy.")
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 10, 40))
    y = np.sin(x) + 0.1 * rng.normal(size=40)

    start = np.log([3.0, 0.5, 0.5])
    parameters = torch.tensor(start, requires_grad=True)
    value = log_evidence(parameters, x, y)
    value.backward()
    differences = slopes(lambda p: log_evidence(p, x, y), start)
    print("log_evidence is a NumPy function; of a tensor that requires grad it returns")
    print(" ", value)
    print("gradient by backward:         ", parameters.grad.numpy())
    print("gradient by finite differences:", differences)
    wrong = np.max(np.abs(parameters.grad.numpy() - differences))

    optimizer = torch.optim.Adam([parameters], lr=0.05)
    for _ in range(60 if options.quick else options.steps):
        loss = -log_evidence(parameters, x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    fitted = parameters.detach().numpy()
    length, scale, noise = np.exp(fitted)
    print(f"\nfitted: length {length:.2f}, scale {scale:.2f}, noise {noise:.3f} (the data have noise 0.1)")
    print(f"log evidence: {log_evidence(start, x, y):.2f} before, {log_evidence(fitted, x, y):.2f} after")

    places = np.linspace(0.5, 9.5, 10)
    found = predict(fitted, x, y, places)
    print("\nplace   sin     prediction")
    for place, truth, guess in zip(places, np.sin(places), found):
        print(f"{place:5.1f} {truth:8.3f} {guess:8.3f}")
    if wrong > 1e-4 or np.max(np.abs(found - np.sin(places))) > 0.3:
        raise SystemExit("the gradient or the fit is wrong")


if __name__ == "__main__":
    main()
