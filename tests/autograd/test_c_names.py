"""The names of ``torch._C`` that programs about autograd use."""

import pytest

import minigrad as torch


def test_an_undefined_gradient_leaves_the_leaf_without_one():
    x = torch.ones(2, requires_grad=True)
    y = torch._C._functions.UndefinedGrad()(x * 2)
    assert y.grad_fn.name() == "torch::autograd::UndefinedGradBackward" and y.tolist() == [2, 2]
    (y * 3).sum().backward()
    assert x.grad is None
    with pytest.raises(TypeError, match="expected 1 arguments, got 2 instead"):
        torch._C._functions.UndefinedGrad()(x, x)


def test_a_delayed_error_is_raised_in_backward():
    x = torch.ones(2, requires_grad=True)
    y, z = torch._C._functions.DelayedError("not yet", 2)(x, x * 2)
    assert y.grad_fn.name() == "torch::autograd::Error" and z.requires_grad
    with pytest.raises(RuntimeError, match="not yet"):
        z.sum().backward()


def test_a_backward_has_a_number_and_tells_what_it_reaches():
    assert torch._C._current_graph_task_id() == -1
    x = torch.ones(2, requires_grad=True)
    y, z = x * 2, x * 3
    seen = []
    y.register_hook(
        lambda g: seen.append(
            (
                torch._C._current_graph_task_id() != -1,
                torch._C._will_engine_execute_node(y.grad_fn),
                torch._C._will_engine_execute_node(z.grad_fn),
            )
        )
    )
    y.sum().backward()
    assert seen == [(True, True, False)]
    with pytest.raises(RuntimeError, match="should only be called during the backward pass"):
        torch._C._will_engine_execute_node(z.grad_fn)


def test_hooks_on_saved_tensors_by_their_private_names():
    private = torch._C._autograd
    assert private._saved_tensors_hooks_is_enabled()
    private._saved_tensors_hooks_disable("no")
    try:
        assert not private._saved_tensors_hooks_is_enabled()
    finally:
        private._saved_tensors_hooks_enable()
    x = torch.ones(2, requires_grad=True)
    private._push_saved_tensors_default_hooks(lambda t: t * 2, lambda t: t)
    y = x * x
    private._pop_saved_tensors_default_hooks()
    assert y.grad_fn._saved_self.tolist() == [2, 2]


def test_grad_mode_and_shapes():
    torch._C._set_grad_enabled(False)
    assert not torch.is_grad_enabled()
    torch._C._set_grad_enabled(True)
    assert torch._C.Generator is torch.Generator
    shapes = torch.autograd._calculate_shape(torch.ones(2), torch.ones(3, 2), True)
    assert shapes == (torch.Size([2]), torch.Size([2]))
    first = torch.autograd._get_sequence_nr()
    node = (torch.ones(1, requires_grad=True) * 2).grad_fn
    assert node._sequence_nr() > first
