"""Anomaly mode: nans found where they arise, and the forward lines of the node that failed."""

import warnings

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
    assert str(error) == "Function 'SqrtBackward0' returned nan values in its 0th output."
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
