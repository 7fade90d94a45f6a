"""Jacobians by autograd: rows by backward, columns by forward mode."""

from itertools import product
from typing import Any

from ..._base.decorators import deprecated
from ..._core.tensor import Tensor
from ..differentiate import grad
from .messages import NOT_DETERMINISTIC, GradcheckError
from .selection import as_tuple, is_floating, is_wanted, iter_tensors


def pull_of(output, inputs):
    """The function that pulls a gradient of ``output`` back to those of ``inputs`` that require grad."""
    wanted = list(iter_tensors(inputs, True))

    def pull(g):
        return grad(output, wanted, g, retain_graph=True, allow_unused=True)

    return pull


def rows(pull, output):
    """For each input, the list of gradients (or None) that ``pull`` gives for each entry of ``output``."""
    g = output.new_zeros(output.shape)
    flat = g.view(-1)
    found = []
    for j in range(flat.numel()):
        flat.zero_()
        flat[j] = 1.0
        for i, gx in enumerate(_copies(pull(g))):
            if j == 0:
                found.append([])
            found[i].append(gx)
    return found


def _copies(grads):
    return [gx.clone() if isinstance(gx, Tensor) else None for gx in grads]


def stack_and_check(grads, inputs, numel_outputs):
    """Jacobians from lists of gradients; whether these have the dtypes of the inputs, and whether they have the shapes."""
    floating = [x for x in inputs if is_floating(x) and x.requires_grad]
    jacobians = tuple([x.new_zeros((x.numel(), numel_outputs)) for x in floating])
    types_ok = sizes_ok = True
    for x, jacobian, column in zip(iter_tensors(inputs, True), jacobians, grads):
        for j, gx in enumerate(column):
            if gx is None:
                continue
            if gx.size() != x.size():
                sizes_ok = False
            elif gx.dtype != x.dtype:
                types_ok = False
            if gx.numel() != x.numel():
                raise AssertionError(
                    f"Expected out_jacobian column to have {gx.numel()} elements, but got {x.numel()}"
                )
            jacobian[:, j] = gx.reshape(-1)
    return jacobians, types_ok, sizes_ok


def _twice(inputs, output, nondet_tol, v=None):
    """``stack_and_check``, and whether another backward gives the same; with ``v``, only for this gradient of ``output``."""
    pull = pull_of(output, inputs)
    copy = output.clone()
    both = []
    for _ in range(2):
        grads = rows(pull, copy) if v is None else [[gx] for gx in _copies(pull(v.reshape(copy.shape)))]
        both.append(stack_and_check(grads, inputs, output.numel() if v is None else 1))
    (jacobians, types_ok, sizes_ok), (again, _, _) = both
    same = all(
        one.numel() == 0 or not (one - other).abs().max() > nondet_tol for one, other in zip(jacobians, again)
    )
    return jacobians, types_ok, sizes_ok, same


def checked_jacobians(inputs, output, nondet_tol, check_grad_dtypes, fast_mode=False, v=None):
    """The Jacobians of ``output`` with respect to each input (in fast mode: the gradients for ``v``, as columns).

    Raises GradcheckError if a gradient has another shape or (if asked) dtype than its input, or backward gives another one the second time.
    """
    jacobians, types_ok, sizes_ok, same = _twice(inputs, output, nondet_tol, v if fast_mode else None)
    if not types_ok and check_grad_dtypes:
        raise GradcheckError("Gradient has dtype mismatch")
    if not sizes_ok:
        raise GradcheckError("Analytical gradient has incorrect size")
    if not same:
        raise GradcheckError(
            "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
            "different values, although analytical gradient matches numerical gradient. The tolerance for nondeterminism "
            f"was {nondet_tol}." + NOT_DETERMINISTIC
        )
    return jacobians


def jacobian_of(inputs, outputs, input_idx, output_idx):
    """The Jacobian of one of ``outputs`` with respect to one of the inputs that require grad."""
    return checked_jacobians(inputs, outputs[output_idx], float("inf"), False)[input_idx]


@deprecated(
    "`get_analytical_jacobian` was part of PyTorch's private API and not meant to be exposed. It is deprecated; use "
    "torch.func.jacrev, or gradcheck, which computes and compares Jacobians."
)
def get_analytical_jacobian(inputs: Any, output: Any, nondet_tol: float = 0.0, grad_out: float = 1.0) -> Any:
    """Deprecated: the Jacobians of ``output``; whether backward gives the same twice, whether shapes, and dtypes, are the inputs'.

    >>> import minigrad
    >>> from minigrad.autograd.gradcheck import get_analytical_jacobian
    >>> x = minigrad.tensor([1., 2.], requires_grad=True)
    >>> (jacobian,), *_ = get_analytical_jacobian((x,), x * x)
    >>> jacobian
    tensor([[2., 0.],
            [0., 4.]])
    """
    if grad_out != 1.0:
        raise ValueError(
            "Expected grad_out to be 1.0. get_analytical_jacobian no longer supports values of grad_out != 1.0."
        )
    if output.is_complex():
        raise ValueError(
            "Expected output to be non-complex. get_analytical_jacobian no longer supports functions that return complex outputs."
        )
    jacobians, types_ok, sizes_ok, same = _twice(inputs, output, nondet_tol)
    return jacobians, same, sizes_ok, types_ok


def pulled_and_reduced(inputs, outputs, nondet_tol, check_grad_dtypes, all_v, all_u):
    """For each result, a list: the gradient of each input for the result's ``v``, multiplied with the input's ``u``."""
    found = []
    for output, v in zip(outputs, all_v):
        columns = checked_jacobians(inputs, output, nondet_tol, check_grad_dtypes, fast_mode=True, v=v)
        numbers = []
        for column, u in zip(columns, all_u):
            gx = column[:, 0]
            if gx.is_complex():
                gx = gx.resolve_conj()
                numbers.append(gx.real.dot(u[0]) + 1j * gx.imag.dot(u[1]))
            else:
                numbers.append(gx.dot(u))
        found.append(numbers)
    return found


def forward_jacobians(fn, inputs, outputs, *, check_grad_dtypes=False, all_u=None):
    """For each input that requires grad, the Jacobians of each floating result by forward mode; with ``all_u``, only along these.

    Raises ValueError for complex inputs, GradcheckError for a tangent that is complex where its value is not (if asked).
    """
    from ..forward_ad import dual_level, make_dual, unpack_dual

    wanted = [x for x in inputs if is_wanted(x)]
    if any(x.is_complex() for x in wanted):
        raise ValueError("Expected inputs to be non-complex for _get_analytical_jacobian_forward_ad.")
    outputs = [out for out in outputs if is_floating(out)]
    found = []
    with dual_level():
        duals, tangents = [], []
        for x in inputs:
            if is_wanted(x):
                x = make_dual(x.detach(), x.new_zeros(x.shape))
                tangents.append(unpack_dual(x).tangent)
            duals.append(x)

        def push():
            """The tangents of the results, flat."""
            pushed = []
            for out in filter(is_floating, as_tuple(fn(*duals))):
                value, tangent = unpack_dual(out)
                if check_grad_dtypes and tangent is not None and value.is_complex() != tangent.is_complex():
                    raise GradcheckError("Forward AD gradient has dtype mismatch.")
                pushed.append(None if tangent is None else tangent.reshape(-1))
            return pushed

        for i, tangent in enumerate(tangents):
            if all_u:
                columns = [out.new_zeros(out.numel()) for out in outputs]
                tangent.copy_(all_u[i].view_as(tangent))
                for column, tz in zip(columns, push()):
                    if tz is not None:
                        column.copy_(tz)
                tangent.zero_()
            else:
                columns = [out.new_zeros((tangent.numel(), out.numel())) for out in outputs]
                for number, index in enumerate(product(*map(range, tangent.size()))):
                    tangent[index] = 1.0
                    for column, tz in zip(columns, push()):
                        if tz is not None:
                            column[number].copy_(tz)
                    tangent[index] = 0.0
            found.append(tuple(columns))
    return tuple(found)
