"""Several gradients, or tangents, at once against one at a time."""

import warnings

from ..._ops.join import stack
from ..._ops.random import randn_like
from ..differentiate import grad
from .messages import BATCHED_FORWARD, BATCHED_REVERSE, GradcheckError, batched_mismatch
from .selection import as_tuple, is_floating, is_tensor, iter_tensors


def check_reverse(input, output, output_idx):
    """Raise GradcheckError unless ``autograd.grad`` with two gradients of ``output`` at once gives what it does with each of them."""
    wanted = list(iter_tensors(input, True))

    def pull(g, batched):
        grads = grad(output, wanted, g, retain_graph=True, allow_unused=True, is_grads_batched=batched)
        lead = g.shape[:1] if batched else ()
        return [x.new_zeros((*lead, *x.shape)) if gx is None else gx for gx, x in zip(grads, wanted)]

    gs = [randn_like(output) for _ in range(2)]
    expected = [stack(pair) for pair in zip(*[pull(g, False) for g in gs])]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="There is a performance drop")
        try:
            found = pull(stack(gs), True)
        except RuntimeError as error:
            raise GradcheckError(
                f"While computing batched gradients, got: {error}\n\n{BATCHED_REVERSE}"
            ) from error
    for input_idx, (one, other) in enumerate(zip(found, expected)):
        if not one.allclose(other):
            raise GradcheckError(batched_mismatch(output_idx, input_idx, one, other))
    return True


def check_forward(func, inputs):
    """Raise GradcheckError unless forward mode with two tangents of an input at once gives what it does with each of them."""
    from ...func.batches import internal_vmap
    from ..forward_ad import dual_level, make_dual, unpack_dual

    if not isinstance(inputs, tuple):
        raise AssertionError("Expected inputs to be a tuple")
    for i, x in enumerate(inputs):
        if not (is_floating(x) and x.requires_grad):
            continue

        def push(tangent, i=i, x=x):
            with dual_level():
                operands = [other.detach() if is_tensor(other) else other for other in inputs]
                operands[i] = make_dual(x.detach(), tangent)
                pushed = []
                for out in as_tuple(func(*operands)):
                    if out is not None:
                        value, tz = unpack_dual(out)
                        pushed.append(value.new_zeros(()).expand(value.shape) if tz is None else tz)
                return tuple(pushed)

        tangents = [randn_like(x) for _ in range(2)]
        expected = [stack(pair) for pair in zip(*map(push, tangents))]
        try:
            found = internal_vmap(push)(stack(tangents))
        except RuntimeError as error:
            raise GradcheckError(
                f"While computing batched gradients, got: {error}\n\n{BATCHED_FORWARD}"
            ) from error
        for k, (one, other) in enumerate(zip(found, expected)):
            if not one.allclose(other):
                raise GradcheckError(batched_mismatch(k, k, one, other, is_forward_ad=True))
    return True
