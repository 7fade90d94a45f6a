"""``gradcheck`` and ``gradgradcheck``: what passes, what fails, and what they say."""

import importlib
import inspect
import itertools
import math
import re
import warnings

import pytest

import minigrad
from minigrad.autograd import Function, gradcheck, gradgradcheck
from minigrad.autograd.gradcheck import GradcheckError
from tests.messages import first_sentence

both_modes = pytest.mark.parametrize("fast_mode", [False, True], ids=["slow", "fast"])


def leaf(lib=minigrad, values=(0.5, -1.25), **options):
    return lib.tensor(values, **{"dtype": lib.float64, "requires_grad": True, **options})


def square(lib=minigrad):
    return leaf(lib, [[1.0, 2.0], [3.0, -4.0]])


def complex_leaf(lib=minigrad):
    return leaf(lib, [1 + 2j, -0.5 + 0.25j], dtype=lib.complex128)


def wrong(lib, backward, forward=lambda x: x * 2, jvp=None):
    """A Function of one tensor with this backward: ``backward(ctx, g)``."""
    body = {
        "forward": staticmethod(
            lambda ctx, x: (ctx.save_for_backward(x), ctx.save_for_forward(x), forward(x))[2]
        ),
        "backward": staticmethod(backward),
    }
    if jvp:
        body["jvp"] = staticmethod(jvp)
    return type("Wrong", (lib.autograd.Function,), body).apply


def three(ctx, g):
    return g * 3


# What passes -----------------------------------------------------------------------------------------------------------------

RIGHT = {
    "sin": lambda lib: (lib.sin, leaf(lib)),
    "a list of inputs": lambda lib: (lib.mul, [leaf(lib), leaf(lib, (2.0, 3.0))]),
    "two results": lambda lib: (lambda x, y: (x @ y, x.exp()), (leaf(lib), square(lib))),
    "0-d": lambda lib: (lib.exp, leaf(lib, 0.5)),
    "without elements": lambda lib: (lib.exp, leaf(lib, [])),
    "not contiguous": lambda lib: (lib.exp, square(lib).detach().t().requires_grad_()),
    "strided": lambda lib: (lib.exp, square(lib).detach()[:, ::2].requires_grad_()),
    "a view": lambda lib: (lib.exp, square(lib)[0]),
    "in place": lambda lib: (lambda x: x.clone().mul_(x), leaf(lib)),
    "a number among the inputs": lambda lib: (lib.mul, (leaf(lib), 3)),
    "integers among the inputs": lambda lib: (lib.mul, (leaf(lib), lib.tensor([2, 3]))),
    "integers after the result": lambda lib: (lambda x: (x * x, x.argmax()), leaf(lib)),
    "integers before the result": lambda lib: (lambda x: (x.argmax(), x * x), leaf(lib)),
    "a constant before the result": lambda lib: (lambda x: (lib.ones(3), x.detach(), x * x), leaf(lib)),
    "complex": lambda lib: (lib.sin, complex_leaf(lib)),
    "complex to real": lambda lib: (lib.abs, complex_leaf(lib)),
    "real to complex": lambda lib: (lambda x: x * (1 + 2j), leaf(lib)),
    "complex and real": lambda lib: (lambda x, z: (x * z, x * 2), (leaf(lib), complex_leaf(lib))),
}


@both_modes
@pytest.mark.parametrize("case", RIGHT)
def test_right_gradients_pass(case, fast_mode):
    func, inputs = RIGHT[case](minigrad)
    assert gradcheck(func, inputs, fast_mode=fast_mode) is True


@both_modes
@pytest.mark.parametrize("case", RIGHT)
def test_right_second_gradients_pass(case, fast_mode):
    func, inputs = RIGHT[case](minigrad)
    only_differentiable = lambda *inputs: tuple(
        out
        for out in (func(*inputs) if isinstance(func(*inputs), tuple) else (func(*inputs),))
        if out.requires_grad
    )
    assert gradgradcheck(only_differentiable, inputs, fast_mode=fast_mode)
    assert gradgradcheck(only_differentiable, inputs, fast_mode=fast_mode, gen_non_contig_grad_outputs=True)


def test_given_gradients_of_the_results():
    x, g = leaf(), leaf(values=(2.0, 3.0))
    assert gradgradcheck(minigrad.sin, x, g)
    assert gradgradcheck(minigrad.sin, (x,), [g])


@both_modes
def test_batched_gradients(fast_mode):
    func, inputs = RIGHT["two results"](minigrad)
    assert gradcheck(func, inputs, check_batched_grad=True, fast_mode=fast_mode)
    assert gradgradcheck(func, inputs, check_batched_grad=True, fast_mode=fast_mode)
    # results that do not depend on all inputs have no gradient there
    assert gradcheck(lambda x, y: (x * 2, y * 2), inputs, check_batched_grad=True)


def test_the_inputs_are_as_before():
    x, y = leaf(), square()
    before = x.tolist(), y.tolist(), x._version
    gradcheck(lambda x, y: x @ y, (x, y))
    gradcheck(lambda x, y: x @ y, (x, y), fast_mode=True)
    assert (x.tolist(), y.tolist(), x._version) == before and x.grad is None
    calls = itertools.count()
    with pytest.raises(ZeroDivisionError):
        gradcheck(lambda x: x * (1 / (2 - next(calls))), x)
    assert x.tolist() == before[0]


# What fails ------------------------------------------------------------------------------------------------------------------


@both_modes
def test_a_wrong_gradient_is_named_with_both_jacobians(fast_mode):
    apply = wrong(minigrad, three)
    with pytest.raises(GradcheckError) as caught:
        gradcheck(lambda x, y: (x @ y, apply(y)), (leaf(), square()), fast_mode=fast_mode)
    text = str(caught.value)
    assert text.startswith("Jacobian mismatch for output 1 with respect to input 1,\nnumerical:")
    assert "analytical:" in text and "[3., 0., 0., 0.]" in text
    assert ("in fast mode" in text) == fast_mode


@both_modes
def test_raise_exception(fast_mode):
    apply = wrong(minigrad, three)
    assert gradcheck(apply, leaf(), raise_exception=False, fast_mode=fast_mode) is False
    assert gradcheck(apply, leaf(), atol=10, fast_mode=fast_mode)
    # only what the check itself finds
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        gradcheck(minigrad.sin, leaf(requires_grad=False), raise_exception=False)


def test_fast_mode_says_whether_slow_mode_would_pass():
    # relative errors that pass one by one, but not where the numbers themselves cancel
    slope, found = minigrad.tensor([2.0, -2.0]).double(), minigrad.tensor([2.001, -1.999]).double()
    apply = wrong(minigrad, lambda ctx, g: g * found, forward=lambda x: x * slope)
    assert gradcheck(apply, leaf(), rtol=6e-4, atol=0)
    with pytest.raises(GradcheckError, match="Fast gradcheck failed but element-wise differences are small."):
        gradcheck(apply, leaf(), fast_mode=True, rtol=6e-4, atol=0)
    with pytest.raises(GradcheckError, match="difference \\(slow mode\\) is: 0.00\\d*.\n$"):
        gradcheck(apply, leaf(), fast_mode=True, rtol=1e-4, atol=0)


@both_modes
@pytest.mark.parametrize("part", ["real", "imaginary"])
def test_a_wrong_part_of_a_complex_gradient(part, fast_mode):
    right, off = (2, 5) if part == "imaginary" else (5, 2)
    apply = wrong(minigrad, lambda ctx, g: minigrad.complex(g.real * right, g.imag * off))
    with pytest.raises(
        GradcheckError, match=f"^While considering the {part} part of complex outputs only, Jac"
    ):
        gradcheck(apply, complex_leaf(), fast_mode=fast_mode)


@both_modes
def test_wrong_second_gradients(fast_mode):
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x.detach() * x

    apply = wrong(minigrad, backward, forward=lambda x: x**3)
    assert gradcheck(apply, leaf(), fast_mode=fast_mode)
    with pytest.raises(GradcheckError, match="^Jacobian mismatch for output 0 with respect to input 0,"):
        gradgradcheck(apply, leaf(), fast_mode=fast_mode)
    assert gradgradcheck(apply, leaf(), raise_exception=False, fast_mode=fast_mode) is False


@both_modes
def test_results_without_gradients_must_be_constant(fast_mode):
    assert gradcheck(lambda x: (minigrad.ones(2), x.argmax()), leaf(), fast_mode=fast_mode)
    with pytest.raises(GradcheckError, match="^Numerical gradient for function expected to be zero$"):
        gradcheck(lambda x: x.detach() * 2, leaf(), fast_mode=fast_mode)


@both_modes
def test_a_gradient_that_is_not_a_product_with_the_given_one(fast_mode):
    apply = wrong(minigrad, lambda ctx, g: minigrad.ones_like(g), forward=lambda x: x.clone())
    with pytest.raises(GradcheckError, match="^backward not multiplied by grad_output$"):
        gradcheck(apply, leaf(values=[0.5]), fast_mode=fast_mode)
    nearly = wrong(minigrad, lambda ctx, g: g * 2 + 1e-16)
    with pytest.raises(GradcheckError, match="^backward not multiplied by grad_output$"):
        gradcheck(nearly, leaf(), fast_mode=fast_mode, check_undefined_grad=False)
    assert gradcheck(nearly, leaf(), fast_mode=fast_mode, check_undefined_grad=False, masked=True)


@both_modes
def test_a_backward_that_gives_something_else_the_second_time(fast_mode):
    calls = itertools.count()
    apply = wrong(minigrad, lambda ctx, g: g * (2 + 1e-9 * next(calls)))
    with pytest.raises(
        GradcheckError, match="^Backward is not reentrant, .*nondeterminism was 0.0.\n\nIf the function draws"
    ):
        gradcheck(apply, leaf(), fast_mode=fast_mode)
    assert gradcheck(apply, leaf(), fast_mode=fast_mode, nondet_tol=1e-6)


@both_modes
def test_dtypes_of_gradients_are_checked_if_asked(fast_mode):
    real = lambda ctx, g: g.real
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a real gradient that becomes complex
        passes = gradcheck(
            lambda x: wrong(minigrad, three)(x) * 0 + x, leaf(), fast_mode=fast_mode, check_grad_dtypes=True
        )
        assert passes is True
        grads, types_ok, sizes_ok = importlib.import_module(
            "minigrad.autograd.gradcheck"
        )._stack_and_check_tensors([[real(None, minigrad.ones(2))]], (leaf(),), 1)
    assert grads[0].flatten().tolist() == [1.0, 1.0] and not types_ok and sizes_ok


@both_modes
def test_undefined_gradients(fast_mode):
    class Unready(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2 if g is not None else minigrad.ones(2).double()

    class Refusing(Unready):
        @staticmethod
        def backward(ctx, g):
            if g is None:
                raise RuntimeError("no gradient")
            return g * 2

    with pytest.warns(
        UserWarning, match="New undefined gradient support checking feature is enabled by default"
    ):
        with pytest.raises(
            GradcheckError, match="^Expected all input grads to be undefined or zero when all output grads"
        ):
            gradcheck(Unready.apply, leaf(), fast_mode=fast_mode)
    with pytest.warns(UserWarning, match="With check_undefined_grad=False it is not tested"):
        with pytest.raises(
            GradcheckError, match="^Expected backward function to handle undefined output grads."
        ):
            gradcheck(Refusing.apply, leaf(), fast_mode=fast_mode)
    assert gradcheck(Unready.apply, leaf(), fast_mode=fast_mode, check_undefined_grad=False)
    assert gradcheck(Refusing.apply, leaf(), fast_mode=fast_mode, check_undefined_grad=False)


# The inputs ------------------------------------------------------------------------------------------------------------------


def test_inputs_of_single_precision_are_warned_of():
    x = leaf(dtype=minigrad.float32)
    with pytest.warns(
        UserWarning, match="^Input #0 requires gradient and is not a double precision floating point"
    ):
        assert gradcheck(lambda x: x * 2, x, eps=1e-2)


def test_inputs_that_overlap_are_refused():
    x = leaf(values=[1.0])
    with pytest.raises(
        RuntimeError, match="^The 1th input has a dimension with stride 0. .* input.contiguous\\(\\)"
    ):
        gradcheck(minigrad.mul, (x, x.expand(3)))
    assert gradcheck(minigrad.sin, x.expand(1))


def test_shapes_and_dtypes_must_not_depend_on_values():
    with pytest.raises(
        AssertionError,
        match=r"with the same shape when inputs are perturbed on index \(0,\) by 1e-06, but got:",
    ):
        gradcheck(lambda x: x[x >= 0.5] * 2, leaf(values=[0.5, 1.0]))
    with pytest.raises(
        AssertionError, match="with the same dtype when inputs are perturbed by 1e-06, but got: dtypes"
    ):
        gradcheck(lambda x: x * 2 if x[0] >= 0.5 else x.to(minigrad.complex128), leaf(), fast_mode=True)


@pytest.mark.parametrize(
    "check, options, words",
    [
        (
            gradcheck,
            {"check_backward_ad": False},
            "at least one of check_forward_ad or check_backward_ad to be True",
        ),
        (
            gradcheck,
            {"check_batched_grad": True, "check_backward_ad": False, "check_forward_ad": True},
            "check_batched_grad=True requires check_backward_ad",
        ),
        (
            gradcheck,
            {"check_batched_forward_grad": True},
            "check_batched_forward_grad=True requires check_forward_ad",
        ),
        (
            gradgradcheck,
            {"check_rev_over_rev": False},
            "one of check_fwd_over_rev or check_rev_over_rev to be True",
        ),
        (
            gradgradcheck,
            {"check_rev_over_rev": False, "check_fwd_over_rev": True},
            "check_undefined_grad=True requires check_rev_over_rev",
        ),
        (
            gradgradcheck,
            {
                "check_rev_over_rev": False,
                "check_fwd_over_rev": True,
                "check_undefined_grad": False,
                "check_batched_grad": True,
            },
            "check_batched_grad=True requires check_rev_over_rev",
        ),
    ],
)
def test_options_that_do_not_go_together(check, options, words):
    with pytest.raises(AssertionError, match=words):
        check(minigrad.sin, leaf(), **options)


# Names -----------------------------------------------------------------------------------------------------------------------


def test_the_function_stays_where_the_module_has_its_name():
    importlib.import_module("minigrad.autograd.gradcheck")
    assert inspect.isfunction(minigrad.autograd.gradcheck) and inspect.isfunction(
        minigrad.autograd.gradgradcheck
    )
    assert issubclass(GradcheckError, RuntimeError)


def test_jacobians_by_the_names_of_old():
    from minigrad.autograd.gradcheck import (
        get_analytical_jacobian,
        get_numerical_jacobian,
        get_numerical_jacobian_wrt_specific_input,
    )

    x, y = leaf(), square()
    with pytest.warns(FutureWarning, match="`get_numerical_jacobian` was part of PyTorch's private API"):
        found = get_numerical_jacobian(lambda inputs: inputs[0] @ inputs[1], (x, y), eps=1e-6)
    assert minigrad.allclose(found[0], y) and found[1].shape == (4, 2)
    with pytest.warns(FutureWarning, match="`get_analytical_jacobian` was part of PyTorch's private API"):
        jacobians, same, sizes_ok, types_ok = get_analytical_jacobian((x, y), x @ y)
    assert same and sizes_ok and types_ok and minigrad.equal(jacobians[0], y)
    with (
        pytest.warns(FutureWarning),
        pytest.raises(ValueError, match="^Expected grad_out to be 1.0. get_num"),
    ):
        get_numerical_jacobian(lambda inputs: inputs[0], (x,), grad_out=2.0)
    with (
        pytest.warns(FutureWarning),
        pytest.raises(ValueError, match="^Expected output to be non-complex. get_ana"),
    ):
        get_analytical_jacobian((x,), x * 1j)
    by_input = get_numerical_jacobian_wrt_specific_input(
        lambda x, y: (x @ y, x.sum()), 1, (x, y), (x @ y, x.sum()), 1e-6
    )
    assert minigrad.allclose(by_input[0], jacobians[1]) and not by_input[1].any()


# Forward mode ----------------------------------------------------------------------------------------------------------------


@both_modes
@pytest.mark.parametrize("case", RIGHT)
def test_right_tangents_pass(case, fast_mode):
    func, inputs = RIGHT[case](minigrad)
    assert gradcheck(func, inputs, check_forward_ad=True, fast_mode=fast_mode) is True
    assert (
        gradcheck(func, inputs, check_forward_ad=True, check_backward_ad=False, fast_mode=fast_mode) is True
    )


@both_modes
@pytest.mark.parametrize("func", [minigrad.sin, minigrad.exp, lambda x: x * x], ids=["sin", "exp", "square"])
def test_forward_over_reverse(func, fast_mode):
    assert gradgradcheck(func, leaf(), check_fwd_over_rev=True, fast_mode=fast_mode)
    assert gradgradcheck(
        func,
        complex_leaf(),
        check_fwd_over_rev=True,
        check_rev_over_rev=False,
        check_undefined_grad=False,
        fast_mode=fast_mode,
    )


def test_batched_tangents():
    func, inputs = RIGHT["two results"](minigrad)
    assert gradcheck(func, inputs, check_forward_ad=True, check_batched_forward_grad=True)


@both_modes
def test_a_wrong_tangent(fast_mode):
    apply = wrong(minigrad, lambda ctx, g: g * 2, jvp=lambda ctx, t: t * 3)
    with pytest.raises(
        GradcheckError, match="^Jacobian computed with forward mode mismatch for output 0 with respect to"
    ):
        gradcheck(apply, leaf(), check_forward_ad=True, fast_mode=fast_mode)
    with pytest.raises(
        GradcheckError, match="^While considering the imaginary part of complex inputs only, Jacobian"
    ):
        gradcheck(apply, complex_leaf(), check_forward_ad=True, check_backward_ad=False, fast_mode=fast_mode)


@both_modes
def test_tangents_that_are_complex_where_values_are_not(fast_mode):
    apply = wrong(minigrad, lambda ctx, g: g * 2, jvp=lambda ctx, t: minigrad.complex(t, t))
    with pytest.raises(GradcheckError, match="^Forward AD gradient has dtype mismatch.$"):
        gradcheck(apply, leaf(), check_forward_ad=True, check_grad_dtypes=True, fast_mode=fast_mode)


# In PyTorch's words -----------------------------------------------------------------------------------------------------------


def messages(lib):
    """What is said of wrong gradients; jacobians are exact to all digits that are shown."""
    autograd = lib.autograd
    apply = wrong(lib, three)
    part = wrong(lib, lambda ctx, g: lib.complex(g.real * 2, g.imag * 5))
    cases = [
        (autograd.gradcheck, apply, leaf(lib), {}),
        (autograd.gradcheck, apply, leaf(lib, 1.5), {}),
        (autograd.gradcheck, lambda x, y: (x @ y, apply(y)), (leaf(lib), square(lib)), {}),
        (autograd.gradcheck, apply, complex_leaf(lib), {}),
        (autograd.gradcheck, part, complex_leaf(lib), {}),
        (autograd.gradcheck, apply, leaf(lib), {"atol": 1.0}),
        (autograd.gradcheck, lib.sin, leaf(lib, requires_grad=False), {}),
        (autograd.gradcheck, lib.sin, leaf(lib, [1.0]).expand(3), {}),
        (autograd.gradcheck, lambda x: x.detach() * 2, leaf(lib), {}),
        (autograd.gradcheck, lambda x: x[x >= 0.5] * 2, leaf(lib), {}),
        (
            autograd.gradcheck,
            wrong(lib, lambda ctx, g: g + (g == 0).all(), forward=lib.clone),
            leaf(lib, [0.5]),
            {},
        ),
    ]
    said = []
    for check, func, inputs, options in cases:
        for fast_mode in (False, True):
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                try:
                    said.append(check(func, inputs, fast_mode=fast_mode, **options))
                except Exception as error:
                    said.append((type(error).__name__, facts(str(error))))
            said.append([facts(str(w.message)) for w in seen])
    return said


def facts(text):
    """A message without advice: of Jacobians that differ, all but the sentences about fast mode."""
    if "Jacobian" not in text:
        return first_sentence(text)
    text = re.sub(r"(?s)(\nin fast mode\.).*?(\n\nNumerical:)", r"\1\2", text)
    return re.sub(r"(?s)(element-wise differences are small\.).*", r"\1", text)


@pytest.mark.torch
def test_messages_are_pytorchs():
    torch = pytest.importorskip("torch")
    for ours, theirs in zip(messages(minigrad), messages(torch), strict=True):
        assert ours == theirs


@pytest.mark.torch
def test_the_vectors_of_fast_mode_are_pytorchs():
    torch = pytest.importorskip("torch")

    def vectors(lib):
        make = importlib.import_module(f"{lib.__name__}.autograd.gradcheck")._make_vectors
        return make([leaf(lib), complex_leaf(lib)], [square(lib)], use_forward_ad=False)[:2]

    (ours_v, ours_u), (theirs_v, theirs_u) = vectors(minigrad), vectors(torch)
    for one, other in zip(
        [*ours_v, ours_u[0], *ours_u[1]], [*theirs_v, theirs_u[0], *theirs_u[1]], strict=True
    ):
        assert all(
            math.isclose(a, b, rel_tol=1e-12) for a, b in zip(one.tolist(), other.tolist(), strict=True)
        )


@pytest.mark.torch
def test_signatures_are_pytorchs():
    torch = pytest.importorskip("torch")

    def parameters(function):
        return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]

    for name in ("gradcheck", "gradgradcheck"):
        assert parameters(getattr(minigrad.autograd, name)) == parameters(getattr(torch.autograd, name))
