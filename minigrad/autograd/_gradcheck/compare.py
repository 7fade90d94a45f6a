"""Numerical against analytical Jacobians: in full (slow mode), or reduced by a random direction on each side (fast mode)."""

from itertools import compress

from ..._base.dtypes import complex64, complex128, float32, float64, promote_types
from ..._ops.random import Generator, rand
from .analytical import checked_jacobians, forward_jacobians, jacobian_of, pulled_and_reduced
from .messages import GradcheckError, mismatch, slow_jacobians
from .numerical import along, jacobians, reduced
from .selection import as_tuple, is_floating, is_wanted

_REAL = {complex128: float64, complex64: float32}


def close(a, b, rtol, atol):
    """``allclose`` of two tensors, whatever their dtypes."""
    dtype = promote_types(a.dtype, b.dtype)
    return a.to(dtype=dtype).allclose(b.to(dtype=dtype), rtol, atol)


def slow(
    func,
    func_out,
    tupled_inputs,
    outputs,
    eps,
    rtol,
    atol,
    check_grad_dtypes,
    nondet_tol,
    *,
    use_forward_ad=False,
    complex_indices=None,
    test_imag=False,
    masked=False,
):
    """Compare the Jacobians of ``outputs``, those of ``func_out`` that require grad; without any, all differences must be zero.

    Raises GradcheckError where they differ.  ``masked`` is of meaning for sparse tensors only.
    """
    func_out = as_tuple(func_out)
    numerical = jacobians(func, tupled_inputs, func_out, eps=eps, is_forward_ad=use_forward_ad)
    if not outputs:
        if any(jacobian.ne(0).any() for of_input in numerical for jacobian in of_input):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        return True
    floating = [out for out in func_out if is_floating(out)]
    places = [i for i, out in enumerate(floating) if out.requires_grad]
    if use_forward_ad:
        by_input = forward_jacobians(func, tupled_inputs, func_out, check_grad_dtypes=check_grad_dtypes)
    for i, place in enumerate(places):
        if use_forward_ad:
            analytical = [of_input[place] for of_input in by_input]
        else:
            analytical = checked_jacobians(tupled_inputs, outputs[i], nondet_tol, check_grad_dtypes)
        for j, (a, of_input) in enumerate(zip(analytical, numerical)):
            n = of_input[place]
            if not close(a, n, rtol, atol):
                raise GradcheckError(mismatch(a, n, i, j, complex_indices, test_imag, use_forward_ad))
    return True


def fast(
    func,
    func_out,
    inputs,
    outputs,
    eps,
    rtol,
    atol,
    check_grad_dtypes,
    nondet_tol,
    *,
    use_forward_ad=False,
    complex_indices=None,
    test_imag=False,
    masked=False,
):
    """Like ``slow``, with ``v J u`` in place of each Jacobian J (``J u`` for forward mode), for random ``u`` and ``v``."""
    places = [i for i, x in enumerate(inputs) if is_wanted(x)]
    all_v, all_u, _ = make_vectors([inputs[i] for i in places], outputs, use_forward_ad=use_forward_ad)
    numerical = reduced(func, inputs, places, func_out, all_u, all_v, eps, use_forward_ad)
    if use_forward_ad:
        func_out = as_tuple(func_out)
        analytical = forward_jacobians(
            func, inputs, func_out, all_u=all_u, check_grad_dtypes=check_grad_dtypes
        )
        numerical, analytical = (
            _of_differentiable(numerical, func_out),
            _of_differentiable(analytical, func_out),
        )
    else:
        if not outputs:
            _check_constant(func, inputs, places, all_u, eps, nondet_tol)
        by_output = pulled_and_reduced(inputs, outputs, nondet_tol, check_grad_dtypes, all_v, all_u)
        analytical = zip(*by_output)
    for i, (of_input, found) in enumerate(zip(numerical, analytical)):
        for j, (n, a) in enumerate(zip(of_input, found)):
            if not close(a, n, rtol, adjusted_atol(atol, all_u[i], all_v[j] if all_v else None)):
                raise GradcheckError(
                    mismatch(a, n, j, i, complex_indices, test_imag, use_forward_ad)
                    + _in_full(func, inputs, func_out, outputs, i, j, rtol, atol, eps, use_forward_ad)
                )
    return True


def _of_differentiable(by_input, func_out):
    """For each input, of what there is for each floating result that for those which require grad."""
    kept = [out.requires_grad for out in func_out if is_floating(out)]
    return [list(compress(of_input, kept)) for of_input in by_input]


def _check_constant(func, inputs, places, all_u, eps, nondet_tol):
    """Raise GradcheckError if results that do not require grad change with the inputs."""
    for i, u in zip(places, all_u):
        for derivative in along(func, i, inputs, u, eps):
            if derivative.numel() and derivative.abs().max() > nondet_tol:
                raise GradcheckError("Numerical gradient for function expected to be zero")


def make_vectors(inp_tensors, outputs, *, use_forward_ad):
    """Random directions: ``v`` for each result (None for forward mode), ``u`` for each input, a pair for a complex one; and ``u`` again.

    They are the same each time, and the user's random numbers are not touched.
    """
    generator = Generator()

    def vector(x, dtype):
        drawn = rand(x.numel(), generator=generator).to(dtype=dtype)
        return drawn / drawn.norm()

    all_u = []
    for x in inp_tensors:
        real = _REAL.get(x.dtype, x.dtype)
        all_u.append((vector(x, real), vector(x, real)) if x.is_complex() else vector(x, real))
    all_v = None if use_forward_ad else [vector(out, out.dtype) for out in outputs]
    return all_v, all_u, all_u


def adjusted_atol(atol, u, v):
    """The tolerance for ``v J u`` that follows from ``atol`` for each entry of J: ``atol`` times the sums of ``u`` and ``v``."""
    sum_u = sum(float(part.sum()) for part in u) if isinstance(u, tuple) else float(u.sum())
    return atol * sum_u * float(1.0 if v is None else v.sum())


def _in_full(func, inputs, func_out, outputs, input_idx, output_idx, rtol, atol, eps, is_forward_ad):
    """The Jacobians in full of one input and one result that differ in fast mode, for the message."""
    func_out = as_tuple(func_out)
    wanted = [i for i, x in enumerate(inputs) if is_wanted(x)]
    floating = [i for i, out in enumerate(func_out) if is_floating(out)]
    out = [i for i in floating if func_out[i].requires_grad][output_idx]
    place = floating.index(out)
    numerical = jacobians(func, inputs, func_out, eps=eps, is_forward_ad=is_forward_ad)[input_idx][place]
    if is_forward_ad:
        at = wanted[input_idx]

        def alone(x):
            return as_tuple(func(*inputs[:at], x, *inputs[at + 1 :]))[out]

        analytical = forward_jacobians(alone, (inputs[at],), (func_out[out],))[0][0]
    else:
        analytical = jacobian_of(inputs, outputs, input_idx, output_idx)
    difference = (numerical - analytical).abs().max()
    return slow_jacobians(numerical, analytical, difference, analytical.allclose(numerical, rtol, atol))
