"""Branches, loops and scans; what compilers are asked for by name."""

import pytest

import minigrad as torch
from minigrad._decomp import (
    core_aten_decompositions,
    get_decompositions,
    register_decomposition,
    remove_decompositions,
)
from minigrad._functorch import aot_autograd, compilers, partitioners
from minigrad._higher_order_ops import associative_scan, cond, scan, while_loop


def first_order(h, x):
    """A step of a linear recurrence."""
    return h[0] * x[0], h[1] * x[0] + x[1]


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_an_associative_scan_is_a_scan(dim, reverse, count):
    torch.manual_seed(0)
    shape = (count, 3) if dim == 0 else (3, count)
    a, b = torch.rand(*shape, dtype=torch.float64), torch.rand(*shape, dtype=torch.float64)
    found = associative_scan(first_order, (a, b), dim, reverse=reverse, combine_mode="generic")
    start = torch.ones(3, dtype=torch.float64), torch.zeros(3, dtype=torch.float64)
    last, every = scan(lambda h, x: (first_order(h, x),) * 2, start, (a, b), dim=dim, reverse=reverse)
    torch.testing.assert_close(found, every)
    torch.testing.assert_close(last, tuple(x.select(dim, 0 if reverse else -1) for x in every))


def test_scans_can_be_differentiated_and_mapped():
    x = torch.rand(4, 3, dtype=torch.float64, requires_grad=True)

    def product(x):
        return associative_scan(lambda a, b: a * b, x, 0, combine_mode="generic")

    assert torch.autograd.gradcheck(product, (x,))
    torch.testing.assert_close(torch.vmap(product, 1, 1)(x), torch.cumprod(x, 0))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((torch.ones(2), 0, False, "pointwise"), ValueError, "CUDA or XPU"),
        ((torch.ones(2), 0, False, "any"), ValueError, "Combine_mode"),
        ((torch.ones(0), 0, False, "generic"), ValueError, "scan dimension > 0"),
        ((torch.ones(2), 1, False, "generic"), IndexError, "out of range"),
        (([], 0, False, "generic"), ValueError, "leaves"),
    ],
)
def test_scans_that_cannot_be(arguments, error, words):
    with pytest.raises(error, match=words):
        associative_scan(torch.add, *arguments)


def test_branches():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    assert torch.cond is cond
    assert [cond(p, torch.sin, torch.neg, (x,)).tolist() for p in (False, torch.tensor([0.0]))] == [
        [-1.0, -2.0]
    ] * 2
    (g,) = torch.autograd.grad(cond(x.sum() > 2, lambda x: x * x, torch.neg, [x]).sum(), x)
    assert g.tolist() == [2.0, 4.0]
    for pred, branch, operands, words in (
        ("yes", torch.neg, (x,), "bool or tensor, but got yes"),
        (torch.ones(2), torch.neg, (x,), "single-element"),
        (True, 3, (x,), "callable"),
        (True, torch.neg, x, "operands to be a tuple"),
    ):
        with pytest.raises(RuntimeError, match=words):
            cond(pred, branch, torch.neg, operands)


def test_loops():
    count, x = while_loop(lambda i, x: i < 3, lambda i, x: [i + 1, 2 * x], (torch.tensor(0), torch.ones(2)))
    assert (count.item(), x.tolist()) == (3, [8.0, 8.0])
    assert while_loop(lambda i: i < 3, lambda i: i + 1, [torch.tensor(0)]).item() == 3
    with pytest.raises(RuntimeError, match="tuple or list"):
        while_loop(torch.neg, torch.neg, torch.ones(1))


def test_decompositions_are_those_that_were_registered():
    table, tanh = {}, torch.ops.aten.tanh

    @register_decomposition([tanh], table)
    def decomposed(x):
        return 2 * torch.sigmoid(2 * x) - 1

    assert table[tanh.default] is decomposed
    assert len(table) == len(tanh.overloads())
    with pytest.raises(RuntimeError, match="duplicate registrations for aten.tanh"):
        register_decomposition(tanh.default, table)(decomposed)
    remove_decompositions(table, [tanh])
    assert not table
    assert get_decompositions([tanh]) == core_aten_decompositions() == {}


def test_what_is_compiled_is_handed_on():
    x, module = torch.ones(2), torch.nn.Linear(2, 2)
    assert aot_autograd.aot_function(torch.neg, compilers.nop)(x).tolist() == [-1.0, -1.0]
    assert aot_autograd.aot_module(module, compilers.nop) is module
    assert aot_autograd.make_boxed_compiler(lambda graph, inputs: graph)(max, [])([1, 3]) == 3
    assert compilers.memory_efficient_fusion(module) is module
    for function in (
        partitioners.default_partition,
        partitioners.min_cut_rematerialization_partition,
        partitioners.draw_graph,
        compilers.ts_compile,
    ):
        with pytest.raises(NotImplementedError):
            function(None, None)
