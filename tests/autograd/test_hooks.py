"""Hooks on tensors and nodes, and retain_grad."""

import pytest

import minigrad as torch


def test_a_tensor_hook_sees_and_replaces_the_gradient():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append(g.tolist()))
    y.register_hook(lambda g: g * 10)
    y.sum().backward()
    assert seen == [[1.0, 1.0]]
    assert x.grad.tolist() == [20.0, 20.0]


def test_a_leaf_hook_runs_before_accumulation():
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda g: g + 1)
    (x * 2).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_removed_hook_is_silent():
    x = torch.ones(1, requires_grad=True)
    calls = []
    handle = x.register_hook(calls.append)
    handle.remove()
    handle.remove()
    with x.register_hook(calls.append):
        (x * 1).backward()
    (x * 1).backward()
    assert len(calls) == 1


def test_a_hook_kept_gradient_is_not_written_to_later():
    x = torch.ones(2, requires_grad=True)
    kept = []
    y = x * 1
    x.register_hook(kept.append)
    y.sum().backward()
    (x * 5).sum().backward()
    assert kept[0].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("returned", "error", "words"),
    [
        (torch.ones(3), RuntimeError, "hook '<lambda>' has changed the size of value"),
        (3, TypeError, "expected Variable, but hook returned 'int'"),
        (torch.ones(2, dtype=torch.float64), RuntimeError, "hook '<lambda>' has changed the type of value"),
    ],
)
def test_a_hook_must_return_a_fitting_tensor(returned, error, words):
    y = torch.ones(2, requires_grad=True) * 2
    y.register_hook(lambda g: returned)
    with pytest.raises(error, match=words):
        y.sum().backward()


def test_hooks_need_a_tensor_that_requires_grad():
    with pytest.raises(
        RuntimeError, match="cannot register a hook on a tensor that doesn't require gradient"
    ):
        torch.ones(2).register_hook(print)
    with pytest.raises(RuntimeError, match="can't retain_grad on Tensor that has requires_grad=False"):
        torch.ones(2).retain_grad()


def test_retain_grad_keeps_and_accumulates():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    assert not y.retains_grad
    y.retain_grad()
    assert y.retains_grad
    y.sum().backward(retain_graph=True)
    assert y.grad.tolist() == [1.0, 1.0]
    y.sum().backward()
    assert y.grad.tolist() == [2.0, 2.0]
    x.retain_grad()
    assert not x.retains_grad


def test_grad_of_a_non_leaf_warns():
    y = torch.ones(2, requires_grad=True) * 2
    with pytest.warns(
        UserWarning, match="The .grad attribute of a Tensor that is not a leaf Tensor is being accessed"
    ):
        assert y.grad is None


def test_node_hooks_and_their_order():
    events = []
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: events.append("tensor"))
    y.grad_fn.register_prehook(lambda gs: events.append("pre"))
    y.grad_fn.register_hook(lambda gi, go: events.append("post"))
    x.register_hook(lambda g: events.append("leaf tensor"))
    x.register_post_accumulate_grad_hook(lambda t: events.append(f"accumulated {t.grad.item()}"))
    (y * 3).backward()
    assert events == ["tensor", "pre", "post", "leaf tensor", "accumulated 6.0"]


def test_node_hooks_replace_gradients():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.grad_fn.register_prehook(lambda gs: (gs[0] * 5,))
    y.grad_fn.register_hook(lambda gi, go: (gi[0] + 1, None))
    (y * 3).backward()
    assert x.grad.item() == 31.0


def test_post_accumulate_hooks_see_the_whole_gradient():
    x = torch.ones(1, requires_grad=True)
    seen = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.item()))
    (x * 2 + x * 3).backward()
    assert seen == [5.0]
    with pytest.raises(RuntimeError, match="cannot be registered on non-leaf tensors"):
        (x * 2).register_post_accumulate_grad_hook(print)


def test_retain_grad_follows_a_tensor_through_in_place_writes():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    y.mul_(3)
    assert y.retains_grad
    (y * y).sum().backward()
    assert y.grad.tolist() == [6.0, 12.0]


def test_retain_grad_of_a_base_follows_writes_through_its_views():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    y[0] = 4.0
    (y * y).sum().backward()
    assert y.grad.tolist() == [8.0, 4.0]


def test_retain_grad_of_a_view_follows_writes_to_it():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    view = y[:1]
    view.retain_grad()
    view.mul_(5)
    assert view.retains_grad
    (view * view).sum().backward()
    assert view.grad.tolist() == [10.0]


def test_retain_grad_of_a_view_follows_writes_to_its_base():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    view = y[:1]
    view.retain_grad()
    y.mul_(5)
    (view * view).sum().backward()
    assert view.grad.tolist() == [10.0]


def test_retain_grad_stays_with_the_shape_before_a_change_in_place():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    y.unsqueeze_(0)
    assert y.retains_grad
    y.retain_grad()
    (y * y).sum().backward()
    assert y.grad.tolist() == [2.0, 4.0]


def test_tensor_hooks_stay_with_the_value_before_an_in_place_write():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    seen = []
    y.register_hook(lambda g: seen.append(g.tolist()))
    y.mul_(3)
    y.sum().backward()
    assert seen == [[3.0, 3.0]]


def test_a_prehook_may_not_put_a_gradient_where_there_is_none():
    x = torch.ones(2, requires_grad=True)
    first, _ = x.unbind()
    first.grad_fn.register_prehook(lambda gs: (gs[0], torch.ones(())))
    with pytest.raises(RuntimeError, match="can't replace a None gradient with a non-None value"):
        first.backward()


@pytest.mark.parametrize(
    "dtype, other, was, got",
    [
        (torch.float32, torch.float64, "torch.FloatTensor", "torch.DoubleTensor"),
        (torch.complex64, torch.complex128, "CPUComplexFloatType", "CPUComplexDoubleType"),
        (torch.bfloat16, torch.float32, "CPUBFloat16Type", "torch.FloatTensor"),
    ],
)
def test_a_hook_may_not_change_the_dtype_of_a_gradient(dtype, other, was, got):
    x = torch.ones(2, dtype=dtype, requires_grad=True)
    y = x * 1
    y.register_hook(lambda g: g.to(other))
    with pytest.raises(RuntimeError, match=rf"changed the type of value \(was {was} got {got}\)"):
        y.abs().sum().backward()
