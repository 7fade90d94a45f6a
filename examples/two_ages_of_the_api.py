"""The same two programs in PyTorch's API of 2017 and in today's: both ages run here, side by side, and compute the same numbers.

    1. A curve is fitted with an activation of one's own: a Function whose instances are called, and one with static methods.
    2. An agent learns which lever to pull: by ``reinforce(reward)``, and by the log-probability of what was drawn.

Each form of 2017 says once what to write today.  Run it:  python examples/two_ages_of_the_api.py [--quick]
"""

import argparse
import warnings

import minigrad as torch
from minigrad import nn, optim
from minigrad.autograd import Function, Variable


class OldCube(Function):
    """2017: an instance is one call, and holds what backward needs."""

    def forward(self, x):
        self.save_for_backward(x)
        return x**3

    def backward(self, gradient):
        (x,) = self.saved_tensors
        return 3 * x**2 * gradient


class Cube(Function):
    """Today: static methods, and a context."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * gradient


def points():
    x = torch.linspace(-1, 1, 50).reshape(-1, 1)
    return x, (x + 0.3) ** 3


def fit_2017(steps):
    torch.manual_seed(0)
    x, y = points()
    inputs, targets = Variable(x), Variable(y)
    model = nn.Linear(1, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.MSELoss()(OldCube()(model(inputs)), targets)
        loss.backward()
        optimizer.step()
    held_out = Variable(torch.FloatTensor([[0.5]]), volatile=True)  # nothing is recorded
    return loss.data[0], OldCube()(model(held_out)).data[0, 0]


def fit_today(steps):
    torch.manual_seed(0)
    x, y = points()
    model = nn.Linear(1, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(Cube.apply(model(x)), y)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        held_out = Cube.apply(model(torch.tensor([[0.5]])))
    return loss.item(), held_out.item()


#: How often each lever pays.
PAYS = (0.2, 0.8, 0.5)


def reward_of(lever):
    """1 if the lever pays, else -1."""
    return 1.0 if torch.rand(1).item() < PAYS[lever] else -1.0


def learn_2017(pulls):
    torch.manual_seed(0)
    preferences = Variable(torch.zeros(3), requires_grad=True)
    optimizer = optim.SGD([preferences], lr=0.2)
    for _ in range(pulls):
        lever = nn.functional.softmax(preferences, dim=0).multinomial()
        lever.reinforce(reward_of(lever.data[0]))
        optimizer.zero_grad()
        lever.backward()
        optimizer.step()
    return nn.functional.softmax(preferences, dim=0).data.tolist()


def learn_today(pulls):
    torch.manual_seed(0)
    preferences = torch.zeros(3, requires_grad=True)
    optimizer = optim.SGD([preferences], lr=0.2)
    for _ in range(pulls):
        probabilities = nn.functional.softmax(preferences, dim=0)
        lever = probabilities.multinomial(1).item()
        loss = -probabilities[lever].log() * reward_of(lever)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return nn.functional.softmax(preferences, dim=0).tolist()


def check(fact, complaint):
    if not fact:
        raise SystemExit(complaint)


def main():
    parser = argparse.ArgumentParser(description="The same programs in the API of 2017 and in today's.")
    parser.add_argument("--quick", action="store_true", help="fewer steps")
    quick = parser.parse_args().quick

    steps = 100 if quick else 2000
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        old, pulled = fit_2017(steps), learn_2017(steps)
    fitted, probabilities = fit_today(steps), learn_today(steps)

    print("1. A curve is fitted: loss, and prediction at 0.5")
    print(f"   2017   {old[0]:.6f}  {old[1]:.4f}\n   today  {fitted[0]:.6f}  {fitted[1]:.4f}\n")
    check(old == fitted, "the two ages fit different curves")

    print("2. An agent learns which lever to pull: its probabilities")
    for age, each in (("2017", pulled), ("today", probabilities)):
        print(f"   {age:6} {'  '.join(f'{p:.4f}' for p in each)}")
    print(f"   pays   {'  '.join(f'{p:.4f}' for p in PAYS)}\n")
    check(max(abs(p - q) for p, q in zip(pulled, probabilities)) < 1e-3, "the two ages learn differently")
    check(probabilities.index(max(probabilities)) == 1, "the best lever was not found")

    print("What the forms of 2017 say, once each:")
    for warning in said:
        print(f"   {warning.category.__name__}: {warning.message}")


if __name__ == "__main__":
    main()
