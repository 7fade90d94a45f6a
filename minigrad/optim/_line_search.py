"""A line search for steps that meet the strong Wolfe conditions, with cubic interpolation.   [Nocedal & Wright 2006, algorithms 3.5 and 3.6]"""

import dataclasses
from typing import Any


@dataclasses.dataclass
class Point:
    """A trial: step size ``t``, the loss there, its gradient, and the slope along the direction."""

    t: Any
    loss: float
    gradient: Any
    slope: Any


def cubic_minimum(a, b, bounds=None):
    """Where the cubic through two points with their slopes is least, within ``bounds`` (by default the points themselves)."""
    low, high = bounds or ((a.t, b.t) if a.t <= b.t else (b.t, a.t))
    d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t)
    square = d1**2 - a.slope * b.slope
    if not square >= 0:
        return (low + high) / 2.0
    if a.t > b.t:
        a, b = b, a
    d2 = square.sqrt()
    t = b.t - (b.t - a.t) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2))
    return min(max(t, low), high)


def strong_wolfe(
    evaluate: Any,
    t: Any,
    direction: Any,
    loss: Any,
    gradient: Any,
    slope: Any,
    tries: Any,
    decrease: float = 1e-4,
    curvature: float = 0.9,
    tolerance: float = 1e-9,
) -> Any:
    """``(loss, gradient, step size, evaluations)`` of a step along ``direction``; ``evaluate(t)`` gives loss and gradient after a step of size ``t``.

    The loss has to fall by ``decrease`` times what the first ``slope`` promises, and the slope to shrink to ``curvature`` times it.
    """

    def trial(t):
        loss, gradient = evaluate(t)
        return Point(t, loss, gradient, gradient.dot(direction))

    def too_high(point):
        return point.loss > loss + decrease * point.t * slope

    def flat(point):
        return abs(point.slope) <= -curvature * slope

    start = Point(0, loss, gradient.clone(), slope)
    before, now, count = start, trial(t), 0
    bracket = None
    while bracket is None and count < tries:
        if too_high(now) or (count > 1 and now.loss >= before.loss):
            bracket = [before, now]
        elif flat(now):
            return now.loss, now.gradient, now.t, count + 1
        elif now.slope >= 0:
            bracket = [before, now]
        else:
            bounds = now.t + 0.01 * (now.t - before.t), now.t * 10
            before, now = now, trial(cubic_minimum(before, now, bounds))
            count += 1
    if bracket is None:
        bracket = [start, now]

    low = int(bracket[0].loss > bracket[1].loss)  # which of the two has the lower loss
    stuck, width = False, direction.abs().max()
    while count < tries and abs(bracket[1].t - bracket[0].t) * width >= tolerance:
        t = cubic_minimum(*bracket)
        left, right = min(point.t for point in bracket), max(point.t for point in bracket)
        margin = 0.1 * (right - left)
        near = min(right - t, t - left) < margin
        if near and (stuck or t >= right or t <= left):
            t = right - margin if abs(t - right) < abs(t - left) else left + margin
            near = False
        stuck = near
        now = trial(t)
        count += 1
        if too_high(now) or now.loss >= bracket[low].loss:
            bracket[1 - low] = now
            low = int(bracket[0].loss > bracket[1].loss)
            continue
        done = flat(now)
        if not done and now.slope * (bracket[1 - low].t - bracket[low].t) >= 0:
            bracket[1 - low] = bracket[low]
        bracket[low] = now
        if done:
            break
    best = bracket[low]
    return best.loss, best.gradient, best.t, count + 1
