"""That backward and forward mode are linear: zeros, and what is undefined, give zeros."""

import warnings

from ..._core.tensor import Tensor
from ..differentiate import grad
from ..undefined import UndefinedGrad
from .compare import make_vectors
from .messages import SEE_UNDEFINED, UNDEFINED_MAY_BREAK, GradcheckError
from .selection import as_tuple, differentiable, is_floating, is_wanted, iter_tensors


def _wanted(inputs):
    wanted = list(iter_tensors(inputs, True))
    if not wanted:
        raise GradcheckError("no Tensors requiring grad found in input")
    return wanted


def _zeros(tensors):
    return [x.new_zeros(x.shape) for x in tensors]


def check_zero_gradients(outputs, inputs, masked):
    """Raise GradcheckError unless zeros as gradients of the results give zeros, of the inputs' dtypes and shapes."""
    wanted = _wanted(inputs)
    grads = grad(outputs, wanted, _zeros(outputs), allow_unused=True)
    for gx, x in zip(grads, wanted):
        if gx is None:
            continue
        if masked:
            if not gx.allclose(gx.new_zeros(gx.shape)):
                raise GradcheckError("backward not multiplied by grad_output")
        elif not gx.eq(0).all():
            raise GradcheckError("backward not multiplied by grad_output")
        if gx.dtype != x.dtype:
            raise GradcheckError("grad is incorrect type")
        if gx.device != x.device:
            raise GradcheckError("grad is incorrect device")
        if gx.size() != x.size():
            raise GradcheckError("grad is incorrect size")
    return True


def check_undefined_gradients(func, outputs, inputs):
    """Raise GradcheckError unless results whose gradients are undefined, all of them and one at a time, count as having zeros."""
    wanted = _wanted(inputs)
    undefined = UndefinedGrad()
    ends = [undefined(out) for out in differentiable(func(*inputs)) if isinstance(out, Tensor)]
    _check_undefined(ends, wanted)
    if len(ends) > 1:
        for i in range(len(outputs)):
            ends = [undefined(out) if k == i else out for k, out in enumerate(differentiable(func(*inputs)))]
            _check_undefined(ends, wanted)
    return True


def _check_undefined(ends, wanted):
    try:
        grads = grad(ends, wanted, _zeros(ends), allow_unused=True)
    except RuntimeError as error:
        warnings.warn(UNDEFINED_MAY_BREAK, stacklevel=3)
        raise GradcheckError(
            f"Expected backward function to handle undefined output grads. {SEE_UNDEFINED}"
        ) from error
    if not all(gx is None or gx.eq(0).all() for gx in grads):
        warnings.warn(UNDEFINED_MAY_BREAK, stacklevel=3)
        raise GradcheckError(
            "Expected all input grads to be undefined or zero when all output grads are undefined or zero. "
            + SEE_UNDEFINED
        )


def check_undefined_tangents(func, outputs, inputs):
    """Raise GradcheckError unless an input without a tangent counts as having zeros, one input at a time."""
    from ..forward_ad import dual_level, make_dual, unpack_dual

    places = [i for i, x in enumerate(inputs) if is_wanted(x)]
    _, all_u, _ = make_vectors([inputs[i] for i in places], outputs, use_forward_ad=True)
    with dual_level():
        duals = list(inputs)
        for i, u in zip(places, all_u):
            x = inputs[i]
            duals[i] = make_dual(x.detach(), x.new_zeros(x.shape))
            tangent = unpack_dual(duals[i]).tangent
            tangent.copy_(u.view_as(tangent))
        for i in places:
            x, dual = inputs[i], duals[i]
            both = []
            for without in (make_dual(x.detach(), x.new_zeros(x.shape)), x.detach()):
                duals[i] = without
                both.append([out for out in as_tuple(func(*duals)) if is_floating(out)])
            duals[i] = dual
            for index, (with_zeros, undefined) in enumerate(zip(*both)):
                one = unpack_dual(with_zeros).tangent
                other = unpack_dual(undefined).tangent
                if one is not None and other is not None and not one.allclose(other):
                    raise GradcheckError(
                        f"Mismatch in tangent values for output with index: {index} when input: {x} has an undefined tangent "
                        f"value. Got: {one} but expected: {other}"
                    )
    return True
