"""The graph as an object: nodes, edges, hooks on several tensors."""

import threading

import pytest

import minigrad as torch
from minigrad.autograd.graph import (
    GradientEdge,
    Node,
    get_gradient_edge,
    increment_version,
    register_multi_grad_hook,
)


def leaf(*values):
    return torch.tensor(list(values), requires_grad=True)


# Edges -------------------------------------------------------------------------------------------------------------------


def test_the_edge_of_a_tensor():
    x = leaf(1.0, 2.0)
    y = x * 2
    edge = get_gradient_edge(y)
    assert edge == GradientEdge(y.grad_fn, 0) and edge.node is y.grad_fn
    assert get_gradient_edge(x).node.variable is x
    assert get_gradient_edge(x.unbind()[1]).output_nr == 1
    with pytest.raises(
        RuntimeError, match="not possible to get the gradient edge for a Tensor that does not require"
    ):
        get_gradient_edge(torch.ones(1))


def test_edges_stand_for_inputs():
    x = leaf(1.0, 2.0)
    y = x * 2
    z = (y * y).sum()
    at_y, at_x = torch.autograd.grad(z, (get_gradient_edge(y), x), retain_graph=True)
    assert at_y.tolist() == [4, 8] and at_x.tolist() == [8, 16]
    z.backward(inputs=(get_gradient_edge(x),))
    assert x.grad.tolist() == [8, 16]


def test_edges_stand_for_outputs():
    x = leaf(1.0, 2.0)
    y = x * 2
    (g,) = torch.autograd.grad(get_gradient_edge(y), x, torch.ones(2), retain_graph=True)
    assert g.tolist() == [2, 2]
    torch.autograd.backward(get_gradient_edge(y.sum()), retain_graph=True)
    assert x.grad.tolist() == [2, 2]
    with pytest.raises(
        RuntimeError, match=r"grad_output\[0\] has a shape of torch.Size\(\[3\]\) and output\[0\]"
    ):
        torch.autograd.grad(get_gradient_edge(y), x, torch.ones(3))
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        torch.autograd.grad(get_gradient_edge(y), x)


def test_an_edge_of_one_of_several_outputs():
    x = leaf(1.0, 2.0, 3.0)
    _, b, c = x.unbind()
    edge = get_gradient_edge(b)
    assert torch.autograd.grad(edge, x, torch.tensor(5.0), retain_graph=True)[0].tolist() == [0, 5, 0]
    assert torch.autograd.grad(b * c, edge)[0].item() == 3


def test_unknown_inputs_are_refused():
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="all inputs have to be Tensors or GradientEdges, but got int"):
        torch.autograd.grad(x * 2, (3,))
    with pytest.raises(
        RuntimeError, match="materialize_grads cannot be used when the given input is a GradientEdge"
    ):
        torch.autograd.grad(x * 2, get_gradient_edge(leaf(1.0) * 2), materialize_grads=True)
    with pytest.raises(RuntimeError, match="One of the differentiated Tensors does not require grad"):
        torch.autograd.grad(x * 2, torch.ones(1))


def test_materialized_zeros_can_be_differentiated():
    x, y = leaf(1.0), leaf(1.0, 2.0)
    (g,) = torch.autograd.grad(x * 2, y, materialize_grads=True, create_graph=True)
    assert g.tolist() == [0, 0] and g.requires_grad


# Nodes -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, shape, dtype",
    [
        (lambda x: x * 2, [2], torch.float32),
        (lambda x: x + torch.ones(3, 1), [3, 2], torch.float32),
        (lambda x: x.exp(), [2], torch.float32),
        (lambda x: x.sum(), [], torch.float32),
        (lambda x: x[:, None] @ x[None], [2, 2], torch.float32),
        (lambda x: x.double(), [2], torch.float64),
        (lambda x: x * 1j, [2], torch.complex64),
        (lambda x: torch.stack([x, x]), [2, 2], torch.float32),
        (lambda x: x[torch.tensor([0, 0, 1])], [3], torch.float32),
        (lambda x: x.sort()[0], [2], torch.float32),
        (lambda x: x.expand(3, 2), [3, 2], torch.float32),
        (lambda x: (x * 2 + 1).sum(0, keepdim=True).tanh().view(1, 1), [1, 1], torch.float32),
    ],
)
def test_a_node_tells_the_shape_and_dtype_of_what_it_made(make, shape, dtype):
    (metadata,) = make(leaf(1.0, 2.0)).grad_fn._input_metadata
    assert (metadata.shape, metadata.dtype, metadata.device) == (shape, dtype, torch.device("cpu"))


def test_a_node_of_several_outputs_tells_of_each():
    y = torch.ones(3, 2, requires_grad=True).unbind()[0]
    assert [m.shape for m in y.grad_fn._input_metadata] == [[2], [2], [2]]
    accumulator = y.grad_fn.next_functions[0][0]
    assert [m.shape for m in accumulator._input_metadata] == [[3, 2]]
    assert isinstance(accumulator, Node)


def test_a_node_after_an_in_place_write_tells_the_shape_of_its_base():
    y = torch.ones(3, 2, requires_grad=True).clone()
    row = y[0]
    y[1].mul_(2)
    assert y.grad_fn._input_metadata[0].shape == [3, 2]
    assert row.grad_fn._input_metadata[0].shape == [2]


def test_a_node_that_is_called_gives_what_goes_to_each_of_its_next_functions():
    x = torch.ones(2, requires_grad=True)
    node = torch.where(torch.tensor([True, False]), x, x * 2).grad_fn
    assert [g.tolist() for g in node(torch.ones(2))] == [[1, 0], [0, 1]]
    assert len(node.next_functions) == 2
    assert x.gather(0, torch.tensor([1])).grad_fn(torch.ones(1)).tolist() == [0, 1]


def test_calling_a_node():
    x = leaf(1.0, 2.0)
    y = x * 3
    assert [None if g is None else g.tolist() for g in y.grad_fn(torch.ones(2))] == [[3, 3], None]
    assert y.grad_fn(None) == (None, None)
    accumulator = y.grad_fn.next_functions[0][0]
    assert accumulator(torch.ones(2) * 5) == ()
    assert x.grad.tolist() == [5, 5]


def test_calling_a_node_records_in_grad_mode():
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    node = (x * y).grad_fn
    by_x, _ = node(torch.ones(2))
    assert torch.autograd.grad(by_x.sum(), y)[0].tolist() == [1, 1]
    with torch.no_grad():
        assert not node(torch.ones(2))[0].requires_grad


@pytest.mark.parametrize(
    "arguments, text",
    [((), "expected 1 arguments, got 0 instead"), ((None, None), "expected 1 arguments, got 2 instead"), ((3,), "argument 0 is not a Variable")],
)  # fmt: skip
def test_calling_a_node_with_what_are_not_its_gradients_is_refused(arguments, text):
    x = leaf(1.0)
    for node in ((x * x).grad_fn, get_gradient_edge(x).node):
        with pytest.raises(TypeError, match=text):
            node(*arguments)


# Hooks on several tensors ------------------------------------------------------------------------------------------------


def test_one_call_when_all_gradients_that_are_computed_have_arrived():
    a, b = leaf(1.0), leaf(2.0)
    c, d = a * b, a * b
    seen = []
    handle = register_multi_grad_hook((a, b, c, d), lambda gs: seen.append([g is not None for g in gs]))
    c.sum().backward(retain_graph=True)
    c.sum().backward(inputs=(a,), retain_graph=True)
    (c + d).sum().backward(retain_graph=True)
    assert seen == [[True, True, True, False], [True, False, True, False], [True] * 4]
    handle.remove()
    c.sum().backward(retain_graph=True)
    assert len(seen) == 3


def test_one_call_with_the_first_gradient():
    a, b = leaf(1.0), leaf(2.0)
    c = a * b
    seen = []
    with register_multi_grad_hook((a, c), seen.append, mode="any"):
        c.backward(retain_graph=True)
        assert [g.item() for g in seen] == [1]
        c.backward(retain_graph=True)
        assert len(seen) == 2
    c.backward()
    assert len(seen) == 2
    with pytest.raises(ValueError, match=r"Expects mode to be one of \('all', 'any'\) but got some"):
        register_multi_grad_hook((a,), print, mode="some")


def test_hooks_on_several_tensors_count_each_backward_for_itself():
    a = leaf(1.0)
    seen = []

    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            with torch.enable_grad():
                x = leaf(5.0)
                with register_multi_grad_hook((x,), lambda gs: seen.append("inner")):
                    (x * x).backward()
            return g

    b = Inner.apply(a)
    register_multi_grad_hook((a, b), lambda gs: seen.append("outer"))
    threads = [threading.Thread(target=lambda: (b * 2).backward(retain_graph=True)) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(seen) == ["inner"] * 4 + ["outer"] * 4


def test_the_version_of_an_inference_tensor_is_not_counted():
    with torch.inference_mode():
        x = torch.ones(1)
    assert increment_version([x]) is None


@pytest.mark.parametrize(
    "argument, text",
    [(3, r"expect a Iterable\[Tensor\] as input"), ([3], "each element of the iterable to be a tensor")],
)
def test_versions_are_those_of_tensors(argument, text):
    with pytest.raises(RuntimeError, match=text):
        increment_version(argument)
