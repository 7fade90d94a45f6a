"""Anomaly mode: nans found where they arise, and the forward lines of the node that failed."""

import gc
import warnings
import weakref

import pytest

import minigrad as torch
from minigrad.autograd import detect_anomaly, set_detect_anomaly

pytestmark = pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled")


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        raise RuntimeError("on purpose")


def caught(function):
    """The error that ``function`` raises, and its warnings."""
    with (
        warnings.catch_warnings(record=True) as seen,
        pytest.raises((RuntimeError, ZeroDivisionError)) as raised,
    ):
        warnings.simplefilter("always")
        function()
    return raised.value, [str(w.message) for w in seen]


def test_the_first_nan_is_named_with_the_line_that_led_to_it():
    x = torch.zeros(2, requires_grad=True)
    with detect_anomaly():
        y = (x.sqrt() * 0).sum()  # the line to be found
        error, warned = caught(y.backward)
    assert str(error).startswith("Function 'SqrtBackward0' returned nan values in its 0th output.\n")
    assert warned[0].startswith(
        "Error detected in SqrtBackward0. Traceback of forward call that caused the error:\n"
    )
    assert "# the line to be found" in warned[0] and __file__ in warned[0]


def test_nans_may_be_left_alone():
    x = torch.zeros(2, requires_grad=True)
    with detect_anomaly(check_nan=False):
        (x.sqrt() * 0).sum().backward()
    assert x.grad.isnan().all()


def test_the_place_of_the_nan_among_several_gradients():
    x = torch.ones(2, requires_grad=True)
    y = torch.zeros(2, requires_grad=True)
    with detect_anomaly():
        error, _ = caught((x / y).mul(0).sum().backward)
    assert "DivBackward0" in str(error) and "0th output" in str(error)


def test_a_failing_node_is_traced():
    x = torch.ones(2, requires_grad=True)
    with detect_anomaly():
        y = Fails.apply(x)  # here it was made
        error, warned = caught(y.sum().backward)
    assert str(error) == "on purpose"
    assert "Error detected in FailsBackward." in warned[0] and "# here it was made" in warned[0]


def test_without_the_forward_there_is_nothing_to_show():
    y = Fails.apply(torch.ones(2, requires_grad=True))
    with detect_anomaly():
        _, warned = caught(y.sum().backward)
    assert "No forward pass information available. Enable detect anomaly during forward pass" in warned[0]


def test_a_node_recorded_in_backward_tells_what_induced_it():
    class Outer(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return Fails.apply(g)

    with detect_anomaly():
        x = torch.ones(2, requires_grad=True)
        y = Outer.apply(x)  # the outer one
        (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
        _, warned = caught(g.sum().backward)
    assert "Error detected in FailsBackward" in warned[0]
    assert (
        "Previous calculation was induced by OuterBackward. Traceback of forward call that induced"
        in warned[1]
    )
    assert "# the outer one" in warned[1]


def test_what_is_remembered_stands_in_the_metadata():
    x = torch.ones(2, requires_grad=True)
    with detect_anomaly():
        y = x * 2
        z = y.clone()
        z[0].mul_(y[1])
    assert any("y = x * 2" in line for line in y.grad_fn.metadata["traceback_"])
    assert any("z[0].mul_" in line for line in z.grad_fn.metadata["traceback_"])
    assert not (x * 2).grad_fn.metadata


def test_a_hook_that_raises_is_traced_too():
    x = torch.ones(2, requires_grad=True)
    with detect_anomaly():
        y = x * 2
        y.register_hook(lambda g: 1 / 0)
        error, warned = caught(y.sum().backward)
    assert isinstance(error, ZeroDivisionError) and "Error detected in MulBackward0" in warned[0]


def test_the_hint_of_a_modified_tensor_points_to_the_traceback():
    x = torch.ones(2, requires_grad=True)
    with detect_anomaly():
        y = x.exp()
        y.add_(1)
        error, _ = caught(y.sum().backward)
    assert "Hint: the backtrace further above shows the operation that failed" in str(error)


def test_the_mode_nests_and_ends_with_its_block():
    assert (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()) == (False, True)
    with set_detect_anomaly(True):
        assert torch.is_anomaly_enabled()
        with detect_anomaly(check_nan=False):
            assert not torch.is_anomaly_check_nan_enabled()
        assert torch.is_anomaly_enabled() and torch.is_anomaly_check_nan_enabled()
    assert not torch.is_anomaly_enabled()
    set_detect_anomaly(True, check_nan=False)
    assert torch.is_anomaly_enabled()
    set_detect_anomaly(False)
    assert not torch.is_anomaly_enabled()
    with pytest.raises(KeyError), detect_anomaly():
        raise KeyError
    assert not torch.is_anomaly_enabled()


def test_enabling_warns():
    with pytest.warns(
        UserWarning, match="Anomaly Detection has been enabled. This mode will increase the runtime"
    ):
        detect_anomaly()


# Where a nan comes from ------------------------------------------------------------------------------------------------------


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


def explained(compute):
    """What the error says after PyTorch's sentence, of ``compute()``, whose result runs backward in anomaly mode."""
    with detect_anomaly(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out = compute()  # the forward
        with pytest.raises(RuntimeError, match="returned nan values in its") as raised:
            out.sum().backward()
    return str(raised.value).partition("output.\n")[2]


def test_the_node_that_failed_is_named_with_the_users_line():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = torch.nn.Sequential(torch.nn.Identity(), Root())

        def forward(self, x):
            return self.inner(x) * 0

    class Root(torch.nn.Module):
        def forward(self, x):
            return x.sqrt()  # the root

    text = explained(lambda: Net()(leaf(0.0, 1.0)))
    assert "The node was recorded at" in text and "return x.sqrt()  # the root (in Root inner.1)" in text
    assert test_the_node_that_failed_is_named_with_the_users_line.__code__.co_filename.endswith(
        text.partition("recorded at ")[2].partition(":")[0]
    )


def test_the_warning_names_the_line_too():
    with detect_anomaly():
        y = Fails.apply(torch.ones(2, requires_grad=True))  # here
        _, warned = caught(y.sum().backward)
    begin, _, end = warned[0].partition("FailsBackward was recorded at ")
    assert begin.startswith(
        "Error detected in FailsBackward. Traceback of forward call that caused the error:\n"
    )
    assert end.rstrip().endswith("# here")


@pytest.mark.parametrize(
    "compute, sentence",
    [
        (
            lambda: leaf(4.0, 0.0).sqrt() * 0,
            "At [1] the incoming gradient is 0.0 and `result` is 0.0; the derivative of sqrt is infinite there, and 0 * inf is nan",
        ),
        (
            lambda: torch.where(torch.tensor([True, False]), leaf(1.0, 0.0).sqrt(), torch.zeros(2)),
            "At [1] the incoming gradient is 0.0 and `result` is 0.0; the derivative of sqrt is infinite there",
        ),
        (
            lambda: leaf(0.0, 1.0) ** 0.5 * 0,
            "At [0] the incoming gradient is 0.0, `self` is 0.0 and `exponent` is 0.5; the derivative of pow is infinite there",
        ),
        (
            lambda: leaf(0.0, 1.0) / leaf(0.0, 1.0),
            "At [0] the incoming gradient is 1.0, `self` is 0.0 and `other` is 0.0; the derivative of div with respect to `other` is not",
        ),
        (
            lambda: leaf(1e30, 1.0).reciprocal().reciprocal() * 0,
            "the derivative of reciprocal is too large for float32 there, and 0 * inf is nan",
        ),
        (
            lambda: (leaf(0.0) * leaf(0.0)).sqrt(),
            "At [0] the incoming gradient is inf and `other` is 0.0; inf * 0 is nan",
        ),
    ],
)
def test_the_place_and_the_values_of_the_nan(compute, sentence):
    assert sentence in explained(compute)


def test_an_infinity_that_came_in_is_traced_to_the_node_where_it_arose():
    def compute():
        x, y = leaf(0.0, 1.0), leaf(0.0, 2.0)
        product = x * y  # the product
        return product.sqrt()  # the root

    text = explained(compute)
    assert "# the product" in text.splitlines()[0]
    line = next(line for line in text.splitlines() if line.startswith("Of the incoming gradient: "))
    assert "inf first arose in the backward of SqrtBackward0" in line and "# the root" in line
    assert "the derivative of sqrt is infinite there" in line


def test_infinite_gradients_of_several_uses():
    def compute():
        x = leaf(0.0, 1.0) * 1
        return x.sqrt() - (x * 4).sqrt()

    text = explained(compute)
    assert "inf - inf became nan" in text and text.count("inf first arose in the backward of") == 2


def test_a_forward_that_was_infinite_already_is_traced_to_the_op_where_it_arose():
    def compute():
        q = leaf(1.0) / leaf(0.0)  # the quotient
        return (q * 2).exp().log()

    text = explained(compute)
    assert "`result` is inf" in text
    assert "Of the forward: `result`, which the node had saved, holds inf: inf first arose in div" in text
    assert "# the quotient" in text and "div(1.0, 0.0) is inf" in text


def test_infinities_that_became_a_nan_in_forward():
    def compute():
        e = leaf(1000.0).exp()  # too large
        return (e - e).exp()  # the difference

    text = explained(compute)
    assert "inf first arose in exp" in text and "# too large" in text
    assert "; sub (" in text and "# the difference) made nan of it" in text


def test_infinities_in_the_data():
    text = explained(lambda: (leaf(float("inf")) * 0).exp())
    assert "inf was in the data already; mul (" in text


def test_a_function_of_the_users():
    class Halves(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x / 2

        @staticmethod
        def backward(ctx, g):
            return g * float("nan")

    text = explained(lambda: Halves.apply(leaf(1.0, 2.0)))
    assert "It arose in this node: what came in is finite (float32[2] from 1.0 to 1.0)" in text
    assert f"its backward is {text.rpartition('is ')[2]}" in text
    assert text.endswith(f"test_anomaly_mode.py:{Halves.backward.__code__.co_firstlineno}")
    assert "`saved_tensors[0]` (float32[2] from 1.0 to 2.0)" in text


def test_an_op_that_is_not_elementwise():
    text = explained(lambda: torch.linalg.svd(torch.eye(2, requires_grad=True) * 1)[0])
    assert (
        "It arose in this node: what came in is finite" in text and "`S` (float32[2] from 1.0 to 1.0)" in text
    )


def test_gradients_that_were_given_or_changed_by_hooks():
    x = leaf(1.0, 2.0)
    with detect_anomaly():
        error, _ = caught(lambda: (x * 2).backward(torch.tensor([float("nan"), 1.0])))
        assert "it was given to backward(), or a hook returned it" in str(error)
        y = x * 2
        y.register_hook(lambda g: g * float("nan"))
        error, _ = caught(y.sum().backward)
        assert "a hook must have changed one of the two" in str(error)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.complex64])
@pytest.mark.parametrize("create_graph", [False, True])
def test_other_dtypes_and_recorded_backwards(dtype, create_graph):
    x = torch.zeros(2, dtype=dtype, requires_grad=True)
    with detect_anomaly():
        z = (x.sqrt() * 0).sum().abs()
        error, _ = caught(lambda: torch.autograd.grad(z, x, create_graph=create_graph))
    assert "returned nan values" in str(error) and "the derivative of sqrt is" in str(error)


def test_a_broadcast_operand():
    def compute():
        x = leaf(0.0)
        return torch.tensor([1.0, -1.0]) / x

    text = explained(compute)
    assert "it arose where the gradients of an operand that was broadcast were summed" in text.lower()


def test_finite_and_infinite_gradients_pass():
    x = leaf(0.0, 1.0)
    with detect_anomaly():
        x.sqrt().sum().backward()
        (x * 2).exp().sum().backward()
    assert x.grad[0].isinf() and x.grad[1].isfinite()


def test_what_is_looked_at_is_not_kept():
    x = leaf(1.0, 2.0)
    with detect_anomaly():
        y = x * x.exp()
        y.sum().backward()
        gone = weakref.ref(y), weakref.ref(y.grad_fn)
        del y
        gc.collect()
        assert [ref() for ref in gone] == [None, None]


def test_the_error_for_a_modified_tensor_says_where_it_was_written_to():
    with detect_anomaly():
        y = leaf(1.0).exp()
        y.add_(1)  # the write
        error, _ = caught(y.sum().backward)
    assert str(error).partition("Good luck!\nIt was written to at ")[2].endswith("# the write")


def test_nans_inside_of_transforms():
    with detect_anomaly():
        error, _ = caught(
            lambda: torch.vmap(torch.func.grad(lambda x: (x.sqrt() * 0).sum()))(torch.zeros(3, 2))
        )
        assert "Function 'SqrtBackward0' returned nan values in its 0th output." in str(error)
        found = torch.vmap(torch.func.grad(lambda x: x.exp().sum()))(torch.zeros(3, 2))
    assert (found == 1).all()


def test_the_graph_is_the_same_as_without():
    def run():
        torch.manual_seed(0)
        return torch.nn.LSTM(2, 3)(torch.ones(4, 1, 2))[0].grad_fn.name()

    plain = run()
    with detect_anomaly():
        assert run() == plain
    with torch.autograd.graph.record_origins():
        assert run() == plain


def test_the_explanation_never_replaces_the_error():
    x = leaf(1.0, 2.0)
    with detect_anomaly():
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t * float("nan")):
            y = x.exp()
        error, _ = caught(y.sum().backward)
    assert str(error).startswith("Function 'ExpBackward0' returned nan values in its 0th output.")


def test_an_infinity_that_was_written_through_a_view():
    x = torch.ones(2, requires_grad=True)
    with detect_anomaly():
        data = torch.zeros(2)
        data[:1].log_()  # through a view
        y = data * x * 0
        error, _ = caught((y * y).sum().backward)
    assert "inf first arose in log" in str(error) and "# through a view" in str(error)


def test_an_infinity_that_an_optimizer_wrote_is_not_said_to_be_as_old_as_the_data():
    x = torch.ones(2, requires_grad=True)
    with detect_anomaly():
        x.sum().backward()
        torch.optim.SGD([x], lr=float("inf")).step()
        y = x * 0
        error, _ = caught((y * y).sum().backward)
    assert "inf was in the data already, which had been written to; mul" in str(error)


def test_what_hooks_have_packed_is_not_claimed_to_be_finite():
    def run():
        x = torch.zeros(2, requires_grad=True)
        with detect_anomaly(), torch.autograd.graph.saved_tensors_hooks(lambda t: [t], lambda kept: kept[0]):
            (x.sqrt() * 0).sum().backward()

    error, _ = caught(run)
    assert str(error).endswith("; what hooks have packed of what it saved is not looked at")
    assert "and so is what it saved" not in str(error)
