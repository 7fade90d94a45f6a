"""``gradcheck`` and ``gradgradcheck``: gradients against finite differences.

How they do it is in ``_gradcheck/``, which is imported when it is first used.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .._base import lazy as _lazy
from .._core.tensor import Tensor

if TYPE_CHECKING:
    from ._gradcheck.analytical import get_analytical_jacobian as get_analytical_jacobian
    from ._gradcheck.messages import GradcheckError as GradcheckError
    from ._gradcheck.numerical import get_numerical_jacobian as get_numerical_jacobian


#: The public names, and what programs know of PyTorch's private ones.
_later = _lazy.places(
    {
        "autograd._gradcheck.analytical": (
            "get_analytical_jacobian _get_analytical_jacobian=jacobian_of "
            "_get_analytical_jacobian_forward_ad=forward_jacobians _check_analytical_jacobian_attributes=checked_jacobians "
            "_compute_analytical_jacobian_rows=rows _stack_and_check_tensors=stack_and_check"
        ),
        "autograd._gradcheck.batched": "_test_batched_grad=check_reverse _test_batched_grad_forward_ad=check_forward",
        "autograd._gradcheck.compare": (
            "_adjusted_atol=adjusted_atol _allclose_with_type_promotion=close _fast_gradcheck=fast _slow_gradcheck=slow "
            "_make_vectors=make_vectors"
        ),
        "autograd._gradcheck.linear": (
            "_test_backward_mul_by_grad_output=check_zero_gradients _test_undefined_backward_mode=check_undefined_gradients "
            "_test_undefined_forward_mode=check_undefined_tangents"
        ),
        "autograd._gradcheck.messages": "GradcheckError _get_notallclose_msg=mismatch",
        "autograd._gradcheck.numerical": (
            "get_numerical_jacobian get_numerical_jacobian_wrt_specific_input=jacobian_of_input _get_numerical_jacobian=jacobians "
            "_get_numerical_jvp_wrt_specific_input=along _get_numerical_vJu=reduced"
        ),
        "autograd._gradcheck.selection": (
            "_as_tuple=as_tuple _check_inputs=check_inputs _differentiable_outputs=differentiable "
            "_is_float_or_complex_tensor=is_floating _iter_tensor=iter_entries _iter_tensors=iter_tensors"
        ),
    }
)

__all__ = ["gradcheck", "gradgradcheck", *[name for name in _later if name[0] != "_"]]


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


def gradcheck(
    func: Callable[..., Tensor | Sequence[Tensor]],
    inputs: Tensor | Sequence[Tensor],
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the gradients of ``func`` at ``inputs`` with central differences of step ``eps``; return whether they agree.

    ``inputs`` is a tensor or a tuple; those that require grad are checked, and should be float64 or complex128. ``func`` returns a tensor
    or a tuple. Jacobians may differ by ``atol + rtol * |number|``, and two backwards of the same graph by ``nondet_tol``.
    ``check_backward_ad`` and ``check_forward_ad`` choose the modes; ``check_batched_grad`` and ``check_batched_forward_grad`` compare
    several gradients at once with one at a time; ``check_undefined_grad`` and ``check_grad_dtypes`` check what their names say.
    ``fast_mode`` compares along a random direction. A complex result is checked by its real part and its imaginary part.

    Raises GradcheckError if they differ, or returns False if ``raise_exception`` is False; ValueError if no input requires grad.

    >>> import minigrad
    >>> x = minigrad.tensor([0.5, 1.0], dtype=minigrad.float64, requires_grad=True)
    >>> minigrad.autograd.gradcheck(minigrad.sin, x)
    True
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_grad and not check_backward_ad:
        raise AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    from ._gradcheck.check import Check
    from ._gradcheck.messages import GradcheckError

    check = Check(
        eps,
        atol,
        rtol,
        nondet_tol,
        check_undefined_grad,
        check_grad_dtypes,
        check_batched_grad,
        check_batched_forward_grad,
        check_forward_ad,
        check_backward_ad,
        fast_mode,
        masked,
    )
    try:
        return check.run(func, inputs)
    except GradcheckError:
        if raise_exception:
            raise
        return False


def gradgradcheck(
    func: Callable[..., Tensor | Sequence[Tensor]],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Apply ``gradcheck`` to the gradients of ``func``, with respect to ``inputs`` and to ``grad_outputs``.

    ``grad_outputs``, a tensor or a tuple, are the gradients of the results; by default random ones, not contiguous if
    ``gen_non_contig_grad_outputs``. ``check_rev_over_rev`` and ``check_fwd_over_rev`` choose the modes; the other arguments are those of
    ``gradcheck``.

    Raises GradcheckError if they differ, or returns False if ``raise_exception`` is False.

    >>> import minigrad
    >>> x = minigrad.tensor([0.5, 1.0], dtype=minigrad.float64, requires_grad=True)
    >>> minigrad.autograd.gradgradcheck(minigrad.sin, x)
    True
    """
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    if check_undefined_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_undefined_grad=True requires check_rev_over_rev to be True")
    if check_batched_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_batched_grad=True requires check_rev_over_rev to be True")
    from ._gradcheck.check import gradient_function

    new_func, new_inputs = gradient_function(func, inputs, grad_outputs, gen_non_contig_grad_outputs)
    return gradcheck(
        new_func,
        new_inputs,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )
