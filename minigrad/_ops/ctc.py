"""Connectionist temporal classification: the loss of label sequences whose places in time are not known."""

import numpy as np

from .._arrays.kernels import ctc as kernels
from .._arrays.kernels.loss import MEAN, NONE
from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._core.families import Fused, General, op
from .._core.tensor import Tensor, wrap
from .._core.wrapped import elements
from .autocasting import widened
from .batches import everywhere
from .choose import where
from .join import cat, stack
from .loss import reduced
from .sorting import add_along, take_along
from .transcendental import exp, logaddexp

__all__ = ["ctc_loss"]


class CtcLossBackward0(Fused):
    """Minus the logarithm of the probability of each sample's labels; also the logarithms of the probabilities of its beginnings.

    (T, N, C) -> (N), (N, T, 2S + 1).  The gradient is PyTorch's: that through ``log_softmax``, exp(x) minus the probability, given the labels,
    of each class at each time.
    """
    operands, results, nondiff = "x targets", "result0 result1", (1,)
    names = {"x": "log_probs"}
    public = "_ctc_loss"
    def batch(call, xs, batched, params, size):
        (x, targets), (inputs, lengths, *more) = everywhere(xs, batched, size), params
        zs = call(x.movedim(0, 1).flatten(1, 2), targets.flatten(0, 1), inputs * size, lengths * size, *more)
        return tuple([z.unflatten(0, (size, -1)) for z in zs])
    def forward(x, targets, input_lengths, target_lengths, blank, zero_infinity):
        inputs, lengths = _arrays(input_lengths, target_lengths)
        return kernels.forward(x, *layout(targets, lengths, blank), inputs, lengths)
    def vjp_x(xp, g, x, targets, result0, result1, input_lengths, target_lengths, blank, zero_infinity):
        share = occupancy(x, targets, result0, input_lengths, target_lengths, blank)
        inside = wrap(kernels.inside(x.shape[0], None, np.array(input_lengths, np.intp), False))
        if zero_infinity: inside = inside & result0.isfinite().unsqueeze(-1)
        return xp.keep((xp.exp(x) - share) * xp.reshape(g, (1, len(input_lengths), 1)), inside)
    def fused(g, needs, x, targets, result0, result1, input_lengths, target_lengths, blank, zero_infinity):
        inputs, lengths = _arrays(input_lengths, target_lengths)
        share = kernels.occupancy(x, result0, result1, *layout(targets, lengths, blank), inputs, lengths)
        slope = (np.exp(x) - share) * g[:, None]
        return np.where(kernels.inside(len(x), result0, inputs, zero_infinity), slope, x.dtype.type(0)), None
_ctc_loss = op(CtcLossBackward0)


class CtcStates(General):
    """The classes of all states, and the skips between them: see ``layout``."""
    operands, results, nondiff, public = "x", "classes skips", (0, 1), "ctc_states"
    def batch(call, xs, batched, params, size):
        return tuple([z.unflatten(0, (size, -1)) for z in call(xs[0].flatten(0, 1), params[0] * size, params[1])])
    def forward(x, target_lengths, blank): return layout(x, *_arrays(target_lengths), blank)
_states = op(CtcStates)


def _arrays(*lengths):
    return [np.array(length, np.intp) for length in lengths]


def layout(targets, lengths, blank):
    """The classes of all states and the skips between them (see ``kernels/ctc.py``), from targets in rows or one after another."""
    most = lengths.max(initial=0)
    if targets.ndim == 2:
        labels = targets[:, :most]
    else:
        labels = np.full((len(lengths), most), blank, targets.dtype)
        labels[np.arange(most) < lengths[:, None]] = targets
    return kernels.states(labels, lengths, blank)


_NEVER = -1e30  # for the logarithm of 0: infinities would give nan in derivatives


def occupancy(x, targets, loss, input_lengths, target_lengths, blank):
    """As ``kernels.ctc.occupancy``, by recorded ops on the tensor ``x``, so that it can be differentiated."""
    index, skips = _states(targets, target_lengths, blank)
    inputs, lengths = _arrays(input_lengths, target_lengths)
    times, n, _ = x.shape
    count = index.shape[1]
    possible = loss.isfinite()
    emitted = [take_along(x[t], index, 1) for t in range(times)]
    never = wrap(np.full((n, count), _NEVER, x._array.dtype))

    def walk(order, emitted, begins, first, allowed):
        """The recursion over ``order``; a sample begins at the times ``begins``, with the states ``first``."""
        found, state = {}, never
        first = wrap(first)
        for t in order:
            one = cat((never[:, :1], state[:, :-1]), 1)
            two = where(allowed, cat((never[:, :2], state[:, :-2]), 1)[:, :count], never)
            state = logaddexp(logaddexp(state, one), two) + emitted[t]
            state = found[t] = where(wrap((begins == t)[:, None]), where(first, emitted[t], never), state)
        return found

    before = walk(range(times), emitted, np.zeros_like(inputs), np.arange(count) <= np.minimum(lengths, 1)[:, None], skips)
    backwards = [e.flip(1) for e in emitted]
    final = np.ascontiguousarray(kernels.ends(lengths, count)[:, ::-1])
    after = walk(range(times - 1, -1, -1), backwards, inputs - 1, final, mirrored(skips))
    total = _total(before, inputs, lengths, possible).reshape(n, 1)
    shares = []
    for t in range(times):
        share = exp(before[t] + after[t].flip(1) - emitted[t] + total)
        share = where((wrap(t < inputs) & possible).unsqueeze(1), share, 0)
        shares.append(add_along(share, index, 1, x.shape[1:]))
    return stack(shares)


def mirrored(skips):
    """As ``kernels.ctc.mirrored``, on Tensors."""
    return cat((skips[:, :2], skips[:, 2:].flip(1)), 1)  # the first two are never reached so


def _total(alpha, inputs, lengths, possible):
    """Each sample's loss from its last ``alpha``, by recorded ops; 0 for what is impossible."""
    totals = []
    for i, n in enumerate(inputs):
        if not n:
            totals.append(alpha[0][i].sum() * 0)
            continue
        row = alpha[int(inputs[i]) - 1][i]
        last = int(2 * lengths[i])
        totals.append(-(logaddexp(row[last], row[last - 1]) if last else row[0]))
    return where(possible, stack(totals), 0)


def _lengths(name, lengths):
    if isinstance(lengths, Tensor):
        if lengths.dtype.is_floating_point or lengths.dtype.is_complex or lengths.dtype.name == "bool":
            raise RuntimeError(f"{name} must be integral")
        lengths = lengths.reshape(-1).tolist()
    return tuple([int(n) for n in lengths])


_WHERE = "(while checking arguments for ctc_loss_allocate_outputs)"


def _check(log_probs, targets, input_lengths, target_lengths, blank):
    times, n, classes = log_probs.shape
    if not log_probs.dtype.is_floating_point or log_probs.dtype.itemsize == 2:
        raise NotImplementedError(f"\"ctc_loss_cpu\" not implemented for '{dtype_name(log_probs)}'")
    if targets.dtype.name not in ("int64", "int32"):
        raise RuntimeError(
            f"Expected tensor for argument #2 'targets' to have one of the following scalar types: Long, Int; but got "
            f"{dtype_name(targets)} instead {_WHERE}"
        )
    if not times * n * classes:
        raise RuntimeError("log_probs tensor must not be empty")
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if len(lengths) != n:
            raise RuntimeError(f"{name} must be of size batch_size")
    for length in target_lengths:
        if length < 0:
            raise RuntimeError(f"Expected target_lengths to have value at least 0, but got value {length} {_WHERE}")
    if targets.ndim == 1:
        if targets.shape[0] != sum(target_lengths):
            raise RuntimeError(
                f"Expected tensor to have size {sum(target_lengths)} at dimension 0, but got size {targets.shape[0]} for argument #2 "
                f"'targets' {_WHERE}"
            )
    else:
        if targets.shape[0] != n:
            raise RuntimeError(
                f"Expected tensor to have size {n} at dimension 0, but got size {targets.shape[0]} for argument #2 'targets' {_WHERE}"
            )
        most = max(target_lengths, default=0)
        if targets.shape[1] < most:
            raise RuntimeError(
                f"Expected tensor to have size at least {most} at dimension 1, but got size {targets.shape[1]} for argument #2 "
                f"'targets' {_WHERE}"
            )
    for length in input_lengths:
        if not 0 <= length <= times:
            bound = f"at least 0, but got value {length}" if length < 0 else f"at most {times}, but got value {length}"
            raise RuntimeError(f"Expected input_lengths to have value {bound} {_WHERE}")
    if targets.is_meta:
        return
    used, lengths = elements(targets), np.array(target_lengths, np.intp)
    if targets.ndim == 2:
        used = used[..., np.arange(used.shape[-1]) < lengths[:, None]]
    if used.size and not (used.min() >= 0 and used.max() < classes):
        raise RuntimeError(f"Expected targets to be classes, from 0 to {classes - 1}")


@composite
@widened
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=NONE, zero_infinity=False):
    """Minus the logarithm of the probability of the labels in ``targets``, whose places in time are not known, reduced.

    ``log_probs`` is (T, N, C) or (T, C), ``targets`` (N, S) or all labels one after another; the lengths say how much of each sample
    counts.  The mean is over the losses divided by their numbers of labels; ``zero_infinity`` makes the loss of impossible labels 0.
    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> log_probs = minigrad.full((2, 1, 2), 0.5).log()
    >>> minigrad.ctc_loss(log_probs, minigrad.tensor([[1]]), (2,), (1,))
    tensor([0.2877])
    """
    inputs, lengths = _lengths("input_lengths", input_lengths), _lengths("target_lengths", target_lengths)
    batched = log_probs.ndim == 3
    if not batched:
        log_probs = log_probs.unsqueeze(1)
        targets = targets.unsqueeze(0) if targets.ndim == 1 else targets
    _check(log_probs, targets, inputs, lengths, blank)
    z = _ctc_loss(log_probs, targets, inputs, lengths, blank, zero_infinity)[0]
    if zero_infinity:
        z = where(z == np.inf, 0, z)
    if not batched and not reduction:
        return z.squeeze(0)
    if reduction == MEAN:
        counts = wrap(np.maximum(np.array(lengths), 1).astype(z._array.dtype))
        return (z / counts.to(z.device)).mean()
    return reduced(z, reduction)
