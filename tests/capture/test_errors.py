"""Errors in the middle of a replay: parameters, gradients and versions are left as the step leaves them."""

import sys

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import functional as F


def steps(zero_at, clips, rate=0.1):
    """A step with an embedding, a loss with classes and an index at the end, each of which may be out of range; gradients are taken away at one of several places."""
    torch.manual_seed(0)
    table, linear = nn.Embedding(10, 3), nn.Linear(3, 2)
    parameters = [*table.parameters(), *linear.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=rate)

    def step(words, classes, last):
        if zero_at == "begin":
            optimizer.zero_grad()
        out = linear(table(words))
        if zero_at == "forward":
            optimizer.zero_grad()
        loss = F.cross_entropy(out, classes)
        if zero_at == "backward":
            optimizer.zero_grad()
        loss.backward()
        if clips:
            nn.utils.clip_grad_norm_(parameters, 0.01)
        optimizer.step()
        return loss.detach(), table.weight.detach().index_select(0, last).sum()

    return step, parameters


def state(parameters):
    tensors = [*parameters, *[p.grad for p in parameters]]
    return [t if t is None else (t._version, t.detach().numpy().tobytes()) for t in tensors]


@pytest.mark.parametrize("clips", [False, True])
@pytest.mark.parametrize("zero_at", ["begin", "forward", "backward", "never"])
def test_errors_leave_what_the_step_leaves(zero_at, clips):
    (plain, weights), (step, others) = (steps(zero_at, clips) for _ in range(2))
    captured = torch.capture(step)
    wrong = {7: (0, [1, 20]), 9: (1, [0, 5]), 10: (0, [-11, 0]), 12: (2, [30]), 13: (2, [10])}
    held = []
    for call in range(16):
        batch = [torch.tensor([1, call % 4]), torch.tensor([0, 1]), torch.tensor([3])]
        if call in wrong:
            which, indices = wrong[call]
            batch[which] = torch.tensor(indices)
            for function in (plain, captured):
                with pytest.raises(IndexError):
                    function(*batch)
        else:
            assert all(map(torch.equal, plain(*batch), captured(*batch)))
        assert state(others) == state(weights), call
        if call in (8, 11):  # somebody looks at a gradient until the end
            held.append((others[1].grad, others[1].grad.clone()))
    assert captured.replays
    if zero_at != "never":  # then it goes on being added to
        assert all(torch.equal(*pair) for pair in held)


def interrupting(number):
    """A trace function that interrupts before the ``number``-th line of a replay."""

    def on_line(frame, event, _):
        nonlocal number
        if event == "line":
            if not number:
                raise KeyboardInterrupt
            number -= 1
        return on_line

    return lambda frame, event, _: on_line if frame.f_code.co_name == "replay" else None


@pytest.mark.parametrize("zero_at", ["begin", "forward", "backward"])
def test_interrupts_leave_gradients(zero_at):
    """Wherever a run is interrupted, each gradient is whole: that of before, none, or that of this step."""
    step, parameters = steps(zero_at, False, 0.0)
    batches = [(torch.tensor(words), torch.tensor([0, 1]), torch.tensor([3])) for words in ([1, 2], [3, 4])]
    captured = torch.capture(step)
    whole = []
    for _ in range(4):
        for batch in batches:
            captured(*batch)
            whole.append([p.grad.clone() for p in parameters])
    assert captured.replays
    interrupts = 0
    while True:
        captured(*batches[0])
        was = sys.gettrace()
        sys.settrace(interrupting(interrupts))
        try:
            captured(*batches[1])
            break
        except KeyboardInterrupt:
            interrupts += 1
        finally:
            sys.settrace(was)
        for i, p in enumerate(parameters):
            assert p.grad is None or any(torch.equal(p.grad, grads[i]) for grads in whole), interrupts
    assert interrupts > 20
