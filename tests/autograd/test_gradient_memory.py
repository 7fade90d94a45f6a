"""Whose memory a gradient is: what is handed on, what is kept, what is copied, and how versions count it."""

import importlib

import pytest

import minigrad
from tests.autograd.both_libraries import answer

#: Each is a program on ``lib``; ``answer`` is what PyTorch says, too.
PROGRAMS = {
    "what was given comes back": """
        g, h = lib.autograd.grad(x + y, (x, y), v)
        answer = g is v, h is v""",
    "what was given comes back, of complex tensors": """
        x, y, v = (t.detach().to(lib.complex64).requires_grad_() for t in (x, y, v))
        results = x + y, x - 1, x.clone(), x.index_add(0, lib.tensor([0]), y[:1]), lib.addcmul(x, y, y), lib.where(x == 1, x, y)
        answer = [(g is v, g.tolist()) for z in results for g in lib.autograd.grad(z, x, v)]""",
    "a hook that writes, before an operator that passes complex gradients on": """
        x, y, v = (t.detach().to(lib.complex64) for t in (x, y, v))
        x.requires_grad_()
        for write in (lambda z: z.add_(y), lambda z: z.sub_(1), lambda z: z.index_add_(0, lib.tensor([1]), y[:1]), lambda z: z.addcdiv_(y, y)):
            z = x * 1
            z.register_hook(lambda g: (g.mul_(2), None)[1])
            write(z)
            answer = (answer or []) + [g.tolist() for g in lib.autograd.grad(z, (z, x), lib.ones_like(z))]""",
    "through a clone": "answer = lib.autograd.grad(x.clone(), x, v)[0] is v",
    "of the output itself": """
        z = x * 2
        answer = lib.autograd.grad(z, z, v)[0] is v""",
    "the same input twice": """
        g, h = lib.autograd.grad(x * 2, (x, x), v)
        answer = g is h""",
    "a view of what was given": """
        g, = lib.autograd.grad(m.t(), m, lib.ones(3, 2))
        h, = lib.autograd.grad(m.view(6), m, w)
        h.add_(1)
        answer = g.stride(), h.data_ptr() == w.data_ptr(), w._version, h._version""",
    "parts of what was given": """
        g, h = lib.autograd.grad(lib.cat([x, y]), (x, y), w)
        answer = g.data_ptr() == w.data_ptr(), h.data_ptr() == w[3:].data_ptr(), h.storage_offset()""",
    "a sum's is expanded, a mean's is not": """
        g, = lib.autograd.grad(m.sum(), m)
        h, = lib.autograd.grad(m.mean(), m)
        answer = g.stride(), h.stride(), h.add_(1).tolist()
        g.add_(1)""",
    "no stride is negative": "answer = lib.autograd.grad(m.flip(0, 1), m, lib.ones(2, 3))[0].stride()",
    "hooks see what was given": """
        seen = []
        z = x.clone()
        z.register_hook(seen.append)
        x.register_hook(seen.append)
        z.backward(v)
        answer = seen[0] is v, seen[1] is v, x.grad.data_ptr() == v.data_ptr()""",
    "a hook that writes": """
        z = x * 2
        z.register_hook(lambda g: (g.mul_(3), None)[1])
        z.backward(v)
        answer = v._version, v.tolist(), x.grad.tolist()""",
    "a hook that writes to an expanded one": """
        z = x * 2
        z.register_hook(lambda g: g.mul_(3))
        z.sum().backward()""",
    "a hook that writes to a flipped one": """
        z = m * 2
        z.register_hook(lambda g: (g.mul_(3), None)[1])
        (z.flip(0) * lib.ones(2, 3)).sum().backward()
        answer = m.grad.tolist()""",
    "hooks on numbers": """
        seen = []
        z = x.sum()
        for _ in range(9):
            z = z * 2 + z.tanh()
            z.register_hook(lambda g: seen.append(round(g.item(), 2)))
            z.grad_fn.register_prehook(lambda gs: seen.append(gs[0].dim()))
        z.backward()
        answer = seen""",
    "a hook that keeps nothing": """
        seen = []
        x.register_hook(lambda g: seen.append(g.data_ptr()))
        (x * 2).sum().backward()
        answer = x.grad.data_ptr() == seen[0], x.grad._version""",
    "a hook that keeps the gradient": """
        seen = []
        x.register_hook(seen.append)
        (x * 2).sum().backward()
        answer = x.grad.data_ptr() == seen[0].data_ptr(), x.grad._version""",
    "a hook that gives its own": """
        x.register_hook(lambda g: v)
        y.register_hook(lambda g: g * 2)
        (x * y).sum().backward()
        answer = x.grad.data_ptr() == v.data_ptr(), x.grad._version, y.grad._version""",
    "a hook on the leaf's node": """
        seen = []
        z = x * 2
        z.grad_fn.next_functions[0][0].register_hook(lambda made, given: seen.extend(given))
        z.sum().backward()
        answer = x.grad.data_ptr() == seen[0].data_ptr(), x.grad is seen[0]""",
    "a Function that stores its gradient": """
        function = functions(lib)(lambda g: v)
        function.apply(x).sum().backward()
        answer = x.grad.data_ptr() == v.data_ptr(), lib.autograd.grad(function.apply(x), x, w[:3])[0] is v""",
    "a Function that stores a view": """
        kept = lib.ones(3, 2).t()
        functions(lib)(lambda g: kept).apply(m).sum().backward()
        answer = m.grad.data_ptr() == kept.data_ptr(), m.grad.stride()""",
    "a Function that makes its gradient": """
        seen = []
        def make(g):
            g = g * 2
            seen.append(g.data_ptr())
            return g
        functions(lib)(make).apply(x).sum().backward()
        answer = x.grad.data_ptr() == seen[0], x.grad._version""",
    "a Function that passes it on": """
        seen = []
        functions(lib)(lambda g: seen.append(g) or g).apply(x).backward(v)
        answer = seen[0] is v, x.grad.data_ptr() == v.data_ptr()""",
    "copied": """
        (x + 1).backward(v)
        m.sum().backward()
        answer = x.grad._version, m.grad._version, m.grad.stride()""",
    "kept": """
        (x * 2).sum().backward()
        answer = x.grad._version""",
    "summed": """
        (x * x * x).sum().backward()
        (y * 2 + y * 3).sum().backward()
        answer = x.grad._version, y.grad._version""",
    "added to": """
        (x * 2).sum().backward()
        g = x.grad
        (x * 2).sum().backward()
        answer = x.grad is g, g._version""",
    "added to with create_graph": """
        (x ** 3).sum().backward()
        g = x.grad
        (x ** 3).sum().backward(create_graph=True)
        answer = x.grad is g, g._version, x.grad._version""",
    "the leaf's order": """
        p = lib.ones(3, 2).t().detach().requires_grad_()
        (p * 2).backward(lib.ones(2, 3))
        q = lib.ones(4, 4)[:, ::2].detach().requires_grad_()
        (q * 2).sum().backward()
        answer = p.grad.stride(), q.grad.stride(), q.grad._version""",
    "the leaf's order with create_graph": """
        q = lib.ones(4, 4)[:, ::2].detach().requires_grad_()
        (q ** 2).sum().backward(create_graph=True)
        answer = q.grad.stride(), q.grad._version, q.grad.grad_fn.name()""",
    "retained in the order of the indices": """
        z = m * 2
        z.retain_grad()
        z.t().clone().backward(lib.ones(3, 2))
        answer = z.grad.stride()""",
    "an assigned gradient is added to": """
        x.grad = w[:3]
        (x * 2).sum().backward()
        answer = w.tolist(), w._version""",
}


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_as_in_torch(program):
    assert answer(minigrad, program) == answer(importlib.import_module("torch"), program)


def test_an_expanded_gradient_of_memory_that_nobody_knows_is_a_copy():
    x = minigrad.ones(2, 3, requires_grad=True)
    (g,) = minigrad.autograd.grad(x.mean(0).sum(), x)
    g[0, 0] = 5
    assert g.tolist() == [[5.0, 0.5, 0.5], [0.5, 0.5, 0.5]]


@pytest.mark.filterwarnings("error")
def test_an_assigned_gradient_in_another_order_is_told_of_once(monkeypatch):
    monkeypatch.setattr("minigrad._core.accumulate._warned", False)
    x = minigrad.ones(2, 3, requires_grad=True)
    x.grad = minigrad.zeros(3, 2).t()
    with pytest.warns(UserWarning, match="do not obey the gradient layout contract"):
        (x * 2).sum().backward()
    (x * 2).sum().backward()
    assert x.grad.stride() == (1, 2)
    assert x.grad.tolist() == [[4.0] * 3] * 2
