"""Jacobians by central differences.

A Jacobian has a row for each entry of the input and a column for each entry of the result.  For a complex input ``x + iy`` and a real result
``s`` it is ``ds/dx + i ds/dy``, twice the derivative by the conjugate, which is what autograd computes.  [Hjørungnes & Gesbert 2007;
Boeddeker et al. 2017, section 3.5.3]
"""

from collections.abc import Callable
from typing import Any

from ..._base.decorators import deprecated
from ..._core.tensor import Tensor
from .selection import as_tuple, is_floating, is_tensor, is_wanted, iter_entries, iter_tensors


def differences(fn, entry, v, eps, index=None):
    """``(fn at entry + v) - (fn at entry - v)`` by ``2 eps``, for each result of ``fn``, flat.

    Raises AssertionError if a result changes its shape or dtype in between.
    """
    centre = entry.clone()
    try:
        entry.copy_(centre - v)
        below = fn()
        entry.copy_(centre + v)
        above = fn()
    finally:
        entry.copy_(centre)
    found = []
    for a, b in zip(below, above):
        _check_alike(a, b, eps, index)
        found.append(((b - a) / (2 * eps)).detach().reshape(-1))
    return tuple(found)


def _check_alike(a, b, eps, index):
    place = f"on index {index} " if index is not None else ""
    for what, one, other in (("shape", a.shape, b.shape), ("dtype", a.dtype, b.dtype)):
        if one != other:
            raise AssertionError(
                f"Expected `func` to return outputs with the same {what} when inputs are perturbed {place}by {eps}, but got: {what}s "
                f"{one} and {other}."
            )


def _derivatives(difference, delta, input_is_complex, is_forward_ad):
    """The derivatives along ``delta``, for a complex input a pair of directions (or one for both): real part and imaginary part."""
    real, imaginary = delta if isinstance(delta, tuple) else (delta, delta)
    found = difference(real)
    if not input_is_complex:
        if not is_forward_ad and any(ds.is_complex() for ds in found):
            raise AssertionError("Expected ds_dx to be real-valued, not complex.")
        return list(found)
    combined = []
    for ds_dx, ds_dy in zip(found, difference(imaginary * 1j)):
        if ds_dx.is_complex():
            raise AssertionError("Expected ds_dx to be real-valued, not complex")
        combined.append(ds_dx + ds_dy * 1j)
    return combined


def _applied(fn, inputs):
    """``fn`` of its inputs as they are when it is called; copies of the results."""
    inputs = as_tuple(inputs)
    return lambda: tuple(out.clone() for out in as_tuple(fn(*inputs)))


def jacobian_of_input(fn, input_idx, inputs, outputs, eps, input=None, is_forward_ad=False):
    """Return the Jacobians of each floating result of ``fn`` with respect to one input, which requires grad.

    ``outputs``: the results at ``inputs``; ``input``: the tensor to change, if it is not ``inputs[input_idx]``.

    >>> import minigrad
    >>> from minigrad.autograd.gradcheck import get_numerical_jacobian_wrt_specific_input
    >>> x = minigrad.tensor([1., 2.], dtype=minigrad.float64, requires_grad=True)
    >>> with minigrad.no_grad(): y = x * x
    >>> get_numerical_jacobian_wrt_specific_input(lambda x: (x * x).detach(), 0, (x.detach().requires_grad_(),), (y,), 1e-6)
    (tensor([[2.0000, 0.0000],
            [0.0000, 4.0000]], dtype=torch.float64),)
    """
    input = inputs[input_idx] if input is None else input
    if not input.requires_grad:
        raise AssertionError("Expected input to have requires_grad=True")
    applied = _applied(fn, inputs)
    dtype = input.dtype if input.dtype.is_complex else None
    places = [i for i, out in enumerate(outputs) if is_floating(out)]
    found = [outputs[i].new_zeros((input.numel(), outputs[i].numel()), dtype=dtype) for i in places]
    for data, index, number in iter_entries(input):
        entry = data[index]

        def difference(v):
            return differences(applied, entry, v, eps, index)  # noqa: B023 (called at once)

        columns = _derivatives(difference, eps, data.is_complex(), is_forward_ad)
        for jacobian, i in zip(found, places):
            jacobian[number] = columns[i]
    return tuple(found)


def jacobians(fn, inputs, outputs=None, target=None, eps=1e-3, is_forward_ad=False):
    """``jacobian_of_input`` for each of ``target`` (by default: of ``inputs``) that requires grad, as a list.

    Raises ValueError for complex results, unless it is to be compared with forward mode.
    """
    if outputs is None:
        outputs = as_tuple(fn(*as_tuple(inputs)))
    if not is_forward_ad and any(out.is_complex() for out in outputs):
        raise ValueError(
            "Expected output to be non-complex. get_numerical_jacobian no longer supports functions that return complex outputs."
        )
    target = inputs if target is None else target
    places = [i for i, x in enumerate(target) if is_wanted(x)]
    return [
        jacobian_of_input(fn, i, inputs, outputs, eps, input=x, is_forward_ad=is_forward_ad)
        for x, i in zip(iter_tensors(target, True), places)
    ]


@deprecated(
    "`get_numerical_jacobian` was part of PyTorch's private API and not meant to be exposed. It is deprecated; use "
    "gradcheck, which computes Jacobians by differences and compares them."
)
def get_numerical_jacobian(
    fn: Callable[..., Any],
    inputs: Any,
    target: Tensor | None = None,
    eps: float = 1e-3,
    grad_out: float = 1.0,
) -> Any:
    """Deprecated: the Jacobians, by differences, of the first result of ``fn``, which takes its inputs as one tuple.

    >>> import minigrad
    >>> from minigrad.autograd.gradcheck import get_numerical_jacobian
    >>> x = minigrad.tensor([1., 2.], dtype=minigrad.float64, requires_grad=True)
    >>> get_numerical_jacobian(lambda inputs: inputs[0].detach() ** 2, (x,))
    (tensor([[2.0000, 0.0000],
            [0.0000, 4.0000]], dtype=torch.float64),)
    """
    if grad_out != 1.0:
        raise ValueError(
            "Expected grad_out to be 1.0. get_numerical_jacobian no longer supports values of grad_out != 1.0."
        )
    found = jacobians(lambda *inputs: fn(inputs), inputs, None, target, eps)
    return tuple(of_one_input[0] for of_one_input in found)


def along(fn, input_idx, inputs, u, eps, is_forward_ad=False):
    """The derivatives of the results of ``fn``, flat, with respect to one input along ``u``, for a complex input a pair of directions."""
    data = inputs[input_idx].data
    applied = _applied(fn, inputs)
    u = (
        tuple(eps * part.reshape(data.shape) for part in u)
        if isinstance(u, tuple)
        else eps * u.reshape(data.shape)
    )
    return _derivatives(lambda v: differences(applied, data, v, eps), u, data.is_complex(), is_forward_ad)


def reduced(fn, inputs, inp_indices, func_out, all_u, all_v, eps, is_forward_ad):
    """For each input, a list: the derivative of each result along the input's ``u``, multiplied with the result's ``v``.

    Without ``all_v``, the derivatives themselves, of all floating results; with it, of those that require grad.
    """
    func_out = as_tuple(func_out)
    found = []
    for i, u in zip(inp_indices, all_u):
        columns = along(fn, i, inputs, u, eps, is_forward_ad)
        if len(columns) != len(func_out):
            raise AssertionError(
                f"Expected all_Ju and func_out to have the same length, but got {len(columns)} and {len(func_out)}"
            )
        if all_v is None:
            found.append([column for column, out in zip(columns, func_out) if is_floating(out)])
        else:
            wanted = [
                column for column, out in zip(columns, func_out) if is_tensor(out) and out.requires_grad
            ]
            found.append([(v * column).sum() for v, column in zip(all_v, wanted)])
    return found
