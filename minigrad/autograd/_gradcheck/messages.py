"""What ``gradcheck`` says: first what is wrong, in the words that programs look for, then what to look at."""

from ..._base.publishing import publish


class GradcheckError(RuntimeError):
    """Raised by ``gradcheck`` and ``gradgradcheck`` where gradients are wrong."""


publish("minigrad.autograd.gradcheck", GradcheckError)


NOT_DETERMINISTIC = """

If the function draws random numbers, or sums in an order that changes, that is as it should be:
say with `nondet_tol` how far apart two backward calls may be.
"""

BATCHED_REVERSE = """
gradcheck or gradgradcheck failed while testing batched gradient computation.
The gradients for a batch of output gradients, computed at once by vmap, are not those computed
one after the other.  Look at the backward, or the vmap staticmethod, of a custom Function: it must
treat each sample by itself, and can neither read single elements nor branch on them.
With `check_batched_grad=False` this is not tested.
""".strip()

BATCHED_FORWARD = """
gradcheck failed while testing batched gradient computation with forward-mode AD.
The tangents of the outputs for a batch of tangents, computed at once by vmap, are not those
computed one after the other.  Look at the jvp, or the vmap staticmethod, of a custom Function.
With `check_batched_forward_grad=False` this is not tested.
"""

SLOW_WOULD_PASS = """
Fast gradcheck failed but element-wise differences are small. Every element of the jacobians is
within the tolerances; only the weighted sums that fast mode compares are not.  With
`fast_mode=False` the elements are compared.
""".strip()

UNDEFINED_MAY_BREAK = (
    "Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may break existing callers of "
    "this function. With check_undefined_grad=False it is not tested."
)
SEE_UNDEFINED = (
    "A backward gets None for the gradient of an output that nothing used, and must take it for zeros."
)


def mismatch(
    analytical, numerical, output_idx, input_idx, complex_indices, test_imag=False, is_forward_ad=False
):
    """Two Jacobians (or numbers) that differ; ``complex_indices`` are the complex results, for forward mode the complex inputs."""
    prefix = ""
    if complex_indices and (input_idx if is_forward_ad else output_idx) in complex_indices:
        part = "imaginary" if test_imag else "real"
        prefix = (
            f"While considering the {part} part of complex {'inputs' if is_forward_ad else 'outputs'} only, "
        )
    mode = "computed with forward mode " if is_forward_ad else ""
    return (
        f"{prefix}Jacobian {mode}mismatch for output {output_idx:d} with respect to input {input_idx:d},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )


def slow_jacobians(numerical, analytical, difference, close):
    """What is added in fast mode: the whole Jacobians, and whether they would pass as they are."""
    return (
        "\nThe above quantities relating the numerical and analytical jacobians are computed \n"
        "in fast mode. They are sums of the elements, with random weights. Below are the elements themselves: \n\n"
        f"Numerical:\n {numerical}\n"
        f"Analytical:\n{analytical}\n\n"
        f"The max per-element difference (slow mode) is: {difference}.\n"
    ) + (SLOW_WOULD_PASS if close else "")


def batched_mismatch(output_idx, input_idx, found, expected, is_forward_ad=False):
    """A batch of gradients that is not what they are one at a time."""
    return (
        f"For output {output_idx} and input {input_idx}:\n\n{BATCHED_FORWARD if is_forward_ad else BATCHED_REVERSE}\n\n"
        f"Got:\n{found}\n\nExpected:\n{expected}"
    )
