"""Connectionist temporal classification: the loss of label sequences whose places in time are not known."""

import numpy as np

from .._arrays.kernels import ctc as kernels
from .._arrays.kernels.loss import MEAN, NONE
from .._base.composites import composite
from .._base.dtypes import dtype_name, int32, int64
from .._core.families import Fused, General, op
from .._core.tensor import Tensor, wrap
from .._core.wrapped import any_wrapped, elements
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
        return CtcSlope.forward(x, targets, *_arrays(input_lengths, target_lengths), g, result0, result1, blank, zero_infinity), None
_ctc_loss = op(CtcLossBackward0)


def _in_one_batch(call, xs, batched, params, size):
    """The samples of all batches side by side, for an operator of (log_probs, targets, ...) whose other operands have samples along axis 0."""
    x, *others = everywhere(xs, batched, size)
    return call(x.movedim(0, 1).flatten(1, 2), *(y.flatten(0, 1) for y in others), *params)


class CtcLossOfBatches(Fused):
    """Like ``CtcLossBackward0``, but the lengths are tensors, which may differ from one sample of ``vmap`` to the next."""
    operands, results, nondiff = "x targets input_lengths target_lengths", "result0 result1", (1,)
    names = {"x": "log_probs"}
    public = "_ctc_loss"
    def batch(call, xs, batched, params, size):
        return tuple([z.unflatten(0, (size, -1)) for z in _in_one_batch(call, xs, batched, params, size)])
    def forward(x, targets, input_lengths, target_lengths, blank, zero_infinity):
        _check_labels(targets, targets.ndim, target_lengths, x.shape[2])
        return kernels.forward(x, *layout(targets, target_lengths, blank), input_lengths, target_lengths)
    def vjp_x(xp, g, x, targets, input_lengths, target_lengths, result0, result1, blank, zero_infinity):
        return _ctc_slope(x, targets, input_lengths, target_lengths, g, result0, result1, blank, zero_infinity)
    def fused(g, needs, x, targets, input_lengths, target_lengths, result0, result1, blank, zero_infinity):
        return CtcSlope.forward(x, targets, input_lengths, target_lengths, g, result0, result1, blank, zero_infinity), None, None, None
_ctc_loss_of_batches = op(CtcLossOfBatches)


class CtcSlope(General):
    """The gradient of ``CtcLossOfBatches``."""
    operands, public = "x targets input_lengths target_lengths g result0 result1", "ctc_slope"
    def batch(call, xs, batched, params, size):
        return _in_one_batch(call, xs, batched, params, size).unflatten(1, (size, -1)).movedim(1, 0)
    def forward(x, targets, input_lengths, target_lengths, g, result0, result1, blank, zero_infinity):
        share = kernels.occupancy(x, result0, result1, *layout(targets, target_lengths, blank), input_lengths, target_lengths)
        slope = (np.exp(x) - share) * g[:, None]
        return np.where(kernels.inside(len(x), result0, input_lengths, zero_infinity), slope, x.dtype.type(0))
    def vjp_x(xp, g, x):
        raise RuntimeError("second derivatives of ctc_loss are not implemented where vmap gives samples lengths of their own")
_ctc_slope = op(CtcSlope)


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
    """Like ``kernels.ctc.occupancy``, by recorded ops on the tensor ``x``, so that it can be differentiated."""
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
    """Like ``kernels.ctc.mirrored``, on Tensors."""
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


def _check_labels(targets, ndim, lengths, classes):
    """Refuse labels that are no classes, among those elements of the array ``targets`` that count."""
    used = targets[..., np.arange(targets.shape[-1]) < lengths[:, None]] if ndim == 2 else targets
    if used.size and not (used.min() >= 0 and used.max() < classes):
        raise RuntimeError(f"Expected targets to be classes, from 0 to {classes - 1}")


def _loss(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity):
    """The loss of each sample, and the numbers of labels, in what can stand beside it."""
    inputs, lengths = _lengths("input_lengths", input_lengths), _lengths("target_lengths", target_lengths)
    _check(log_probs, targets, inputs, lengths, blank)
    if not targets.is_meta:
        _check_labels(elements(targets), targets.ndim, np.array(lengths, np.intp), log_probs.shape[2])
    z = _ctc_loss(log_probs, targets, inputs, lengths, blank, zero_infinity)[0]
    return z, wrap(np.array(lengths).astype(z._array.dtype)).to(z.device)


def _loss_of_batches(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity):
    """Like ``_loss``, where ``vmap`` gives each of its samples lengths of its own."""
    inputs, lengths = (
        (x if isinstance(x, Tensor) else wrap(np.array(x, np.int64))).reshape(-1) for x in (input_lengths, target_lengths)
    )
    rows = [elements(x).reshape(-1, x.shape[0]).tolist() for x in (inputs, lengths)]
    for i in range(max(map(len, rows))):
        _check(log_probs, targets, *(row[i % len(row)] for row in rows), blank)
    return _ctc_loss_of_batches(log_probs, targets, inputs, lengths, blank, zero_infinity)[0], lengths.to(log_probs.dtype)


@composite
@widened
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=NONE, zero_infinity=False):
    """Compute the connectionist temporal classification loss: minus the log-probability of ``targets``, summed over all alignments; reduced.

    ``log_probs`` is (T, N, C) or (T, C); ``targets`` is (N, S), or all label sequences concatenated; the lengths say how much of each
    sample is used. The mean is taken over the losses divided by their target lengths; ``zero_infinity`` replaces the infinite loss of
    impossible targets by 0. Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> log_probs = minigrad.full((2, 1, 2), 0.5).log()
    >>> minigrad.ctc_loss(log_probs, minigrad.tensor([[1]]), (2,), (1,))
    tensor([0.2877])
    """
    batched = log_probs.ndim == 3
    if isinstance(targets, Tensor) and targets.dtype not in (int64, int32):
        targets = targets.detach().to(int64)
    if log_probs.ndim not in (2, 3):
        raise RuntimeError(
            f"Expected 3-dimensional tensor, but got {log_probs.ndim + 1}-dimensional tensor for argument #1 'log_probs' "
            "(while checking arguments for ctc_loss_allocate_outputs)"
        )
    if not batched:
        log_probs = log_probs.unsqueeze(1)
        targets = targets.unsqueeze(0) if targets.ndim == 1 else targets
    losses = _loss_of_batches if any_wrapped((input_lengths, target_lengths)) else _loss
    z, counts = losses(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)
    if zero_infinity:
        z = where(z == np.inf, 0, z)
    if not batched and not reduction:
        return z.squeeze(0)
    if reduction == MEAN:
        return (z / counts.clamp(min=1)).mean()
    return reduced(z, reduction)
