"""The backward pass: order, accumulation, freeing, errors."""

import gc
import threading
import weakref
from collections import OrderedDict

import numpy as np
import pytest

import minigrad as torch


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


def test_gradients_of_a_diamond_are_summed():
    x = leaf(2.0)
    y = x * 3
    (y * y + y).backward()
    assert x.grad.item() == 3 * (2 * 6 + 1)


def test_backward_accumulates_into_grad_in_place():
    x = leaf(1.0, 2.0)
    (x * 2).sum().backward()
    grad = x.grad
    (x * 3).sum().backward()
    assert x.grad is grad
    assert x.grad.tolist() == [5.0, 5.0]
    assert grad._version == 1


def test_create_graph_accumulates_out_of_place():
    x = leaf(1.0, 2.0)
    (x * x).sum().backward(create_graph=True)
    grad = x.grad
    assert grad.requires_grad
    (x * x).sum().backward(create_graph=True)
    assert x.grad is not grad
    assert grad.tolist() == [2.0, 4.0]
    assert x.grad.tolist() == [4.0, 8.0]


def test_second_backward_without_retain_graph_raises():
    x = leaf(1.0)
    y = (x * x).exp()
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


def test_retain_graph_allows_a_second_backward():
    x = leaf(1.0)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 4.0


def test_second_backward_is_allowed_where_nothing_was_saved():
    x = leaf(1.0)
    y = (x + 2).sum()
    y.backward()
    y.backward()
    assert x.grad.item() == 2.0


def test_modified_saved_tensor_raises_with_versions():
    x = leaf(1.0, 2.0) * 2
    y = x * x
    x.add_(1)
    with pytest.raises(
        RuntimeError,
        match=r"\[torch.FloatTensor \[2\]\], which is output 0 of Add, is at version 1; expected version 0 instead. Hint:",
    ):
        y.sum().backward()


def test_modified_saved_result_raises():
    y = leaf(1.0, 2.0).tanh()
    z = y * 1
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_modified_leaf_that_was_saved_raises():
    w = torch.ones(2)
    y = leaf(1.0, 2.0) * w
    w.add_(1)
    with pytest.raises(
        RuntimeError, match=r"\[torch.FloatTensor \[2\]\] is at version 1; expected version 0"
    ):
        y.sum().backward()


def test_version_is_checked_only_where_the_value_is_needed():
    x = leaf(1.0, 2.0)
    w = torch.ones(2)
    y = x + w  # addition needs neither
    w.add_(1)
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_nodes_run_youngest_first():
    x = leaf(1.0)
    order = []
    a, b = x * 2, x * 3
    c = a * 5
    d = b + c
    for name, t in (("a", a), ("b", b), ("c", c), ("d", d)):
        t.register_hook(lambda g, name=name: order.append(name))
    d.backward()
    assert order == ["d", "c", "b", "a"]


def test_a_million_deep_chain_needs_no_recursion_and_frees_at_once():
    enabled = gc.isenabled()
    gc.disable()
    try:
        x = torch.ones(1, requires_grad=True)
        one = torch.ones(1)
        z = x
        for i in range(1_000_000):
            z = z + one
            if i == 500_000:
                middle = weakref.ref(z.grad_fn)
        z.backward()
        assert x.grad.tolist() == [1.0]
        assert middle() is not None
        del z
        assert middle() is None
    finally:
        if enabled:
            gc.enable()


@pytest.mark.parametrize("run_backward", [False, True])
def test_a_graph_dies_with_its_last_name(run_backward):
    gc.disable()
    try:
        x = leaf(1.0, 2.0)
        y = x.exp().tanh() * x
        z = (y * y).sum()
        refs = [weakref.ref(t.grad_fn) for t in (y, z)] + [weakref.ref(y)]
        if run_backward:
            z.backward(retain_graph=True)
        del y, z
        assert [r() for r in refs] == [None] * 3
    finally:
        gc.enable()


def test_grads_of_two_leaves_never_share_memory():
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    (x + y).sum().backward()
    assert not np.shares_memory(x.grad.numpy(), y.grad.numpy())


def test_a_given_gradient_is_not_kept():
    x = leaf(1.0, 2.0)
    g = torch.ones(2)
    (x + 0).backward(g)
    assert x.grad is not g
    assert not np.shares_memory(x.grad.numpy(), g.numpy())


def test_grad_touches_no_grad_attribute():
    x = leaf(3.0)
    (g,) = torch.autograd.grad(x * x, x)
    assert g.item() == 6.0
    assert x.grad is None


def test_grad_of_an_unused_input_raises_or_is_none_or_zeros():
    x, y = leaf(1.0), leaf(1.0, 2.0)
    z = x * 2
    with pytest.raises(
        RuntimeError, match="differentiated Tensor at index 0 appears to not have been used in the graph"
    ):
        torch.autograd.grad(z, y, retain_graph=True)
    assert torch.autograd.grad(z, [x, y], retain_graph=True, allow_unused=True)[1] is None
    assert torch.autograd.grad(z, [x, y], materialize_grads=True)[1].tolist() == [0.0, 0.0]


def test_allow_unused_false_contradicts_materialize_grads():
    x = leaf(1.0)
    with pytest.raises(
        ValueError, match="Expected allow_unused to be True or not passed when materialize_grads=True"
    ):
        torch.autograd.grad(x * 2, x, allow_unused=False, materialize_grads=True)


def test_grad_runs_only_what_leads_to_the_inputs():
    x, y = leaf(1.0), leaf(1.0)
    seen = []
    a, b = x * 2, y * 3
    b.register_hook(lambda g: seen.append(g))
    torch.autograd.grad(a + b, x)
    assert seen == []


def test_grad_of_intermediate_and_leaf_together():
    x = leaf(2.0)
    y = x * 3
    z = y * y
    gx, gy, gz = torch.autograd.grad(z, [x, y, z])
    assert (gx.item(), gy.item(), gz.item()) == (36.0, 12.0, 1.0)


def test_backward_with_inputs_accumulates_only_there():
    x, y = leaf(2.0), leaf(3.0)
    z = x * y
    z.backward(inputs=[x], retain_graph=True)
    assert x.grad.item() == 3.0
    assert y.grad is None
    w = z * 2
    w.backward(inputs=[z])
    assert z.grad.item() == 2.0
    assert x.grad.item() == 3.0
    with pytest.raises(RuntimeError, match="cannot be empty"):
        (x * 1).backward(inputs=[])


def test_several_roots_are_run_together():
    x = leaf(1.0, 2.0)
    y = x * 2
    torch.autograd.backward([y, y.sum(), x * 1], [torch.ones(2), None, torch.ones(2)])
    assert x.grad.tolist() == [5.0, 5.0]


def test_double_backward_of_a_polynomial():
    x = leaf(2.0)
    (g,) = torch.autograd.grad(x * x * x, x, create_graph=True)
    (gg,) = torch.autograd.grad(g, x, create_graph=True)
    (ggg,) = torch.autograd.grad(gg, x)
    assert (g.item(), gg.item(), ggg.item()) == (12.0, 12.0, 6.0)


@pytest.mark.parametrize(
    ("run", "error", "words"),
    [
        (lambda x: x.backward(), RuntimeError, "grad can be implicitly created only for scalar outputs"),
        (
            lambda x: torch.ones(2).sum().backward(),
            RuntimeError,
            "element 0 of tensors does not require grad",
        ),
        (
            lambda x: (x * 2).backward(torch.ones(3)),
            RuntimeError,
            r"Mismatch in shape: grad_output\[0\] has a shape of",
        ),
        (
            lambda x: torch.autograd.backward([x * 2], [3]),
            TypeError,
            "gradients can be either Tensors or None, but got int",
        ),
        (
            lambda x: torch.autograd.backward([x * 2, x * 2], [torch.ones(2)]),
            RuntimeError,
            "got 2 tensors and 1 gradients",
        ),
        (
            lambda x: torch.autograd.grad(x.sum(), torch.ones(2)),
            RuntimeError,
            "One of the differentiated Tensors does not require grad",
        ),
    ],
)
def test_wrong_use_is_refused(run, error, words):
    with pytest.raises(error, match=words):
        run(leaf(1.0, 2.0))


def test_backward_inside_a_hook():
    x, w = leaf(1.0), leaf(2.0)

    def hook(g):
        with torch.enable_grad():
            (w * w).backward()

    y = x * 3
    y.register_hook(hook)
    (y * 2).backward()
    assert x.grad.item() == 6.0
    assert w.grad.item() == 4.0


def test_an_exception_in_a_hook_leaves_a_usable_state():
    x = leaf(1.0)
    y = x * 2
    handle = y.register_hook(lambda g: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        (y * 3).backward(retain_graph=True)
    assert torch.is_grad_enabled()
    handle.remove()
    (x * 2).backward()
    assert x.grad.item() == 2.0


def test_threads_accumulate_into_one_leaf():
    x = torch.ones(1000, requires_grad=True)

    def work():
        for _ in range(50):
            (x * 2).sum().backward()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert (x.grad == 400).all()


def test_fresh_grad_follows_the_layout_of_a_dense_leaf():
    x = torch.ones(2, 3).t().clone().t().contiguous().t().detach().requires_grad_()
    assert x.stride() == (1, 3)
    (x * 2).backward(torch.ones(3, 2))
    assert x.grad.stride() == (1, 3)


def test_node_called_by_hand():
    x = leaf(1.0, 2.0)
    y = x * 3
    assert y.grad_fn(torch.ones(2))[0].tolist() == [3.0, 3.0]
    z = y.sum()
    assert z.grad_fn(torch.ones(())).tolist() == [1.0, 1.0]
    z.backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_nodes_have_pytorchs_names_and_edges():
    x = leaf(1.0, 2.0)
    y = x * 2
    assert y.grad_fn.name() == "MulBackward0"
    (node, nr), other = y.grad_fn.next_functions
    assert (node.name(), nr, other) == ("torch::autograd::AccumulateGrad", 0, (None, 0))
    assert type(node).__name__ == "AccumulateGrad"
    assert node.variable is x
    assert (x * 2).grad_fn.next_functions[0][0] is node
    assert y.grad_fn._sequence_nr() < (y * 2).grad_fn._sequence_nr()


def test_saved_values_are_visible_until_freed():
    x, y = leaf(1.0, 2.0), torch.tensor([3.0, 4.0])
    z = x * y
    assert z.grad_fn._saved_other is y
    assert z.grad_fn._saved_self is None  # y wants no gradient, so x is not kept
    z.sum().backward()
    with pytest.raises(
        RuntimeError, match="directly access saved tensors after they have already been freed"
    ):
        z.grad_fn._saved_other
    t = x.tanh()
    assert t.grad_fn._saved_result.tolist() == t.tolist()
    assert t.grad_fn._saved_result.grad_fn is t.grad_fn


def test_metadata_belongs_to_the_node():
    y = leaf(1.0) * 2
    y.grad_fn.metadata["note"] = 1
    assert y.grad_fn.metadata == {"note": 1}
    assert (leaf(1.0) * 2).grad_fn.metadata == {}


def test_a_given_grad_whose_elements_share_memory_is_not_added_to():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.grad = torch.ones(1).expand(2)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        (x * x).sum().backward()


def test_a_modified_view_is_named_by_its_node_of_today():
    x = torch.ones(2, 2, requires_grad=True)
    y = x * 1
    z = y.t() * y.t()
    y.add_(1)
    with pytest.raises(
        RuntimeError, match="which is output 0 of AsStrided, is at version 1; expected version 0"
    ):
        z.sum().backward()


def test_grad_of_no_inputs_is_refused():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"`inputs` argument to `grad\(\)` cannot be empty."):
        torch.autograd.grad(x.sum(), [])


@pytest.mark.parametrize("inputs", [[3], "a"])
def test_inputs_that_are_not_tensors_are_refused(inputs):
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="all inputs have to be Tensors or GradientEdges, but got"):
        x.sum().backward(inputs=inputs)


def test_backward_with_inputs_runs_the_hooks_of_the_nodes_of_the_inputs():
    x = torch.ones(2, requires_grad=True)
    y = x * x
    calls = []
    y.grad_fn.register_prehook(lambda gs: calls.append("pre"))
    y.grad_fn.register_hook(lambda gs, given: calls.append("post"))
    y.backward(torch.ones(2), inputs=[y])
    assert calls == ["pre", "post"]
    assert y.grad.tolist() == [1.0, 1.0]
    assert x.grad is None


def test_a_gradient_takes_the_dtype_that_its_leaf_asks_for():
    x = torch.ones(2, requires_grad=True)
    x.grad_dtype = torch.float64
    (x * 2).sum().backward()
    (x * 2).sum().backward()
    assert x.grad.dtype is torch.float64 and x.grad.tolist() == [4, 4]
    assert torch.autograd.grad((x * 2).sum(), x)[0].dtype is torch.float64
    x.grad = None
    x.grad_dtype = None
    (x * 2).sum().backward()
    assert x.grad.dtype is torch.float32
    y = torch.ones(2)
    y.grad_dtype = torch.float64
    y.requires_grad_()
    (y * 2).sum().backward()
    assert y.grad.dtype is torch.float64


def test_a_gradient_that_does_not_fit_its_leaf_is_refused():
    x = torch.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    x.data = torch.ones(3)
    with pytest.raises(
        RuntimeError, match=r"The size of tensor a \(2\) must match the size of tensor b \(3\)"
    ):
        (x * 2).sum().backward()
    y = torch.ones(2, 3, requires_grad=True)
    z = (y * 2).sum()
    with torch.no_grad():
        y.t_()
    with pytest.raises(
        RuntimeError, match=r"The size of tensor a \(3\) must match the size of tensor b \(2\)|\(2\) must"
    ):
        z.backward()


# Inputs in a dict, gradients in batches ----------------------------------------------------------------------------------


def test_the_gradients_of_a_dict_of_inputs_are_a_dict():
    x, y, z = leaf(1.0, 2.0), leaf(3.0, 4.0), leaf(5.0)
    grads = torch.autograd.grad((x * y).sum(), {"x": x, "y": y, "z": z}, allow_unused=True)
    assert {name: g if g is None else g.tolist() for name, g in grads.items()} == {
        "x": [3, 4],
        "y": [1, 2],
        "z": None,
    }
    assert torch.autograd.grad(x.sum(), {"z": z}, materialize_grads=True)["z"].tolist() == [0]
    (x * y).sum().backward(inputs={"y": y})
    assert x.grad is None and y.grad.tolist() == [1, 2]


@pytest.mark.parametrize("function", ["grad", "backward"])
def test_inputs_in_another_mapping_are_refused(function):
    x = leaf(1.0)
    with pytest.raises(
        TypeError, match=rf"`inputs` argument to `{function}\(\)` must be a dict, not OrderedDict"
    ):
        getattr(torch.autograd, function)(x.sum(), inputs=OrderedDict(x=x))
    with pytest.raises(RuntimeError, match=rf"`inputs` argument to `{function}\(\)` cannot be empty"):
        getattr(torch.autograd, function)(x.sum(), inputs={})


def test_a_batch_of_gradients():
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    square, product = x * x, (x * y).sum()
    grads = (torch.eye(2), torch.ones(2))
    by_x, by_y = torch.autograd.grad(
        (square, product), (x, y), grads, is_grads_batched=True, retain_graph=True
    )
    assert by_x.tolist() == [[5.0, 4.0], [3.0, 8.0]]
    assert by_y.tolist() == [[1.0, 2.0], [1.0, 2.0]]
    (recorded,) = torch.autograd.grad(square, x, torch.eye(2), is_grads_batched=True, create_graph=True)
    assert torch.autograd.grad(recorded.sum(), x)[0].tolist() == [2.0, 2.0]


def test_a_batch_of_gradients_frees_the_graph_once_at_its_end():
    x, y = leaf(1.0, 2.0), leaf(3.0)
    z = x * x
    with pytest.raises(RuntimeError, match="index 1 appears to not have been used"):
        torch.autograd.grad(z, (x, y), torch.eye(2), is_grads_batched=True, retain_graph=True)
    assert torch.autograd.grad(z, (x, y), torch.eye(2), is_grads_batched=True, allow_unused=True)[1] is None
    with pytest.raises(RuntimeError, match="a second time"):
        torch.autograd.grad(z, x, torch.eye(2), is_grads_batched=True)


@pytest.mark.parametrize(
    "grads, error, text",
    [
        (
            lambda: torch.ones(2, 3),
            RuntimeError,
            r"If `is_grads_batched=True`, .*grad_output\[0\] has a shape of torch.Size",
        ),
        (lambda: torch.ones(()), IndexError, "invalid index of a 0-dim tensor"),
        (lambda: None, RuntimeError, "grad can be implicitly created only for scalar outputs"),
        (lambda: torch.ones(0, 2), IndexError, "index 0 is out of bounds"),
    ],
)
def test_what_is_no_batch_of_gradients_is_refused(grads, error, text):
    x = leaf(1.0, 2.0)
    with pytest.raises(error, match=text):
        torch.autograd.grad(x * 2, x, grads(), is_grads_batched=True)


def test_a_batch_of_gradients_left_out_has_no_size():
    x = leaf(1.0, 2.0)
    with pytest.raises(ValueError, match="Got in_dim=0 for some input"):
        torch.autograd.grad(x.sum(), x, is_grads_batched=True)


def test_batches_of_gradients_are_of_one_size():
    x = leaf(1.0, 2.0)
    with pytest.raises(ValueError, match=r"got sizes \[2, 3\] for the mapped dimension"):
        torch.autograd.grad((x * 2, x.sum()), x, (torch.eye(2), torch.ones(3)), is_grads_batched=True)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(
    "operation",
    [
        torch.mul,
        torch.div,
        torch.pow,
        torch.atan2,
        torch.maximum,
        torch.matmul,
        torch.outer,
        lambda x, y: torch.addcmul(x, y, x * y),
        lambda x, y: torch.lerp(x, y, x / y),
        lambda x, y: torch.where(x > y, x * y, y),
        lambda x, y: torch.nn.functional.linear(x[None], y[None], x[:1] * y[:1]),
        lambda x, y: torch.cat([x, y * x]),
        lambda x, y: torch.complex(x, y) * torch.complex(y, x),
        lambda x, y: (x.unsqueeze(1) * y).sum(0),
    ],
)
def test_each_gradient_alone_is_what_it_is_among_all(operation, order):
    def gradients(wanted):
        x = torch.tensor([1.5, 0.5], dtype=torch.float64, requires_grad=True)
        y = torch.tensor([0.7, 2.0], dtype=torch.float64, requires_grad=True)
        total = (
            operation(x * 1, y * 1).abs().sum()
            if operation(x, y).is_complex()
            else operation(x * 1, y * 1).sum()
        )
        if order == 2:
            total = sum((g * (x + y)).sum() for g in torch.autograd.grad(total, (x, y), create_graph=True))
        return torch.autograd.grad(total, [(x, y)[k] for k in wanted], allow_unused=True)

    together = gradients([0, 1])
    for k in range(2):
        (alone,) = gradients([k])
        assert (alone is None) == (together[k] is None)
        assert alone is None or torch.equal(alone, together[k])


def test_a_gradient_that_nobody_asked_for_is_not_computed_but_its_values_are_checked_and_freed():
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    seen = []
    z = x * y
    z.grad_fn.register_hook(lambda grad_inputs, _: seen.append([g is not None for g in grad_inputs]))
    torch.autograd.grad(z.sum(), x)
    assert seen == [[True, False]]
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        torch.autograd.grad(z.sum(), y)
    u, v = x * 1, y * 1
    z = u * v
    u.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad(z.sum(), x)


@pytest.mark.parametrize("function", [torch.hypot, torch.logaddexp, lambda x, w: x**w])
def test_a_saved_result_keeps_its_history_towards_inputs_that_are_not_wanted(function):
    # the gradient with respect to x alone is a function of w too, by the result that was saved
    x = torch.tensor([0.3, 0.5], dtype=torch.float64, requires_grad=True)
    w = torch.tensor([0.7, 0.9], dtype=torch.float64, requires_grad=True)
    (alone,) = torch.autograd.grad(function(x, w).sum(), x, create_graph=True)
    both, _ = torch.autograd.grad(function(x, w).sum(), (x, w), create_graph=True)
    for_w = [torch.autograd.grad(g.sum(), w)[0] for g in (alone, both)]
    torch.testing.assert_close(*for_w)
    assert for_w[0].all()
