"""Nodes and tensors that users keep: what they answer before and after backward, in-place writes and changes of leaves, and when their hooks run."""

import importlib

import pytest

import minigrad
from tests.autograd.both_libraries import answer

#: Each is a program on ``lib``; ``answer`` is what PyTorch says, too.
PROGRAMS = {
    "what no gradient reaches is checked and freed all the same": """
        functions = (
            lambda t: t * t, lambda t: t.exp(), lambda t: t.sum(), lambda t: lib.outer(t, t).sum(0), lambda t: t.cumprod(0), lambda t: lib.cat([t.sin(), t]),
            lambda t: t[lib.tensor([1])], lambda t: t.view(3).tanh(), lambda t: lib.stack(t.square().unbind()), lambda t: t.sort()[0], lambda t: t.to_sparse().to_dense(),
        )
        def says(step):
            try:
                step()
            except RuntimeError as error:
                return str(error)[:60]
        answer = []
        for function in functions:
            for before in ("nothing", "backward", "write"):
                base = x * 2
                z = function(base)
                out = z.clone()
                out.grad_fn.register_hook(lambda gs, g: (None,))
                if before == "backward":
                    z.backward(lib.ones_like(z))
                if before == "write":
                    base.detach().add_(1)
                answer.append((before, says(lambda: out.backward(lib.ones_like(z))), says(lambda: z.backward(lib.ones_like(z)))))
        answer.append([round(g, 3) for g in x.grad.tolist()])""",
    "no gradient reaches a node of several results": """
        def lstm(t):
            lib.manual_seed(0)
            out, state = lib.nn.LSTM(3, 3)(t)
            return out, *state
        functions = (
            lib.linalg.svd, lib.linalg.qr, lambda t: lib.linalg.eigh(t + t.t()), lib.linalg.eig, lstm, lib.aminmax, lib.std_mean, lambda t: t.unbind(),
            lambda t: t.split(1), lambda t: (t.sort()[0],), lambda t: lib.linalg.slogdet(t)[1:], lambda t: lib.linalg.lu_factor(t)[:1], lambda t: lib.meshgrid(t[0], t[1]),
        )
        square = (lib.eye(3) + lib.arange(9.0).reshape(3, 3) / 9).requires_grad_()
        answer = []
        for function in functions:
            for k, z in enumerate(function(square)):
                seen = []
                w = z.clone()
                w.grad_fn.register_hook(lambda gs, g: (None,))
                z.grad_fn.register_hook(lambda gs, g: seen.append([g is None for g in gs]))
                w.backward(lib.ones_like(w), retain_graph=True)
                answer.append((k, seen, square.grad))""",
    "what hooks of cat see of a constant when nothing is asked for": """
        seen = []
        z = lib.cat([x, v])
        z.grad_fn.register_hook(lambda gs, g: seen.append([g is None for g in gs]))
        z.backward(lib.ones_like(z), inputs=[z])
        answer = seen""",
    "a Function's zeros for outputs on meta": """
        class Two(lib.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2, x * 3

            @staticmethod
            def backward(ctx, g, h):
                return g * 2 + h * 3
        on_meta = lib.empty(2, 3, device="meta", requires_grad=True)
        for part in (0, 1):
            z = Two.apply(on_meta)[part]
            z.backward(lib.ones_like(z))
        answer = on_meta.grad.device.type, on_meta.grad.shape == (2, 3), on_meta.grad.dtype == lib.float32""",
    "sparse steps in inference mode": """
        seen = []
        for create in (False, True):
            base = m * 2
            base.register_hook(lambda g: seen.append(g.tolist()))
            for z in (lib.sparse.sum(base.to_sparse(), 0).to_dense(), lib.sparse.softmax(base.to_sparse(), 0).to_dense(), base.to_sparse().to_dense()):
                with lib.inference_mode():
                    z.backward(lib.ones_like(z), retain_graph=True, create_graph=create)
        answer = seen, m.grad.tolist()""",
    "what hooks see of gradients that nobody asked for": """
        seen = []
        answer = []
        for make in (lambda: lib.cat([x, y]), lambda: lib.stack([x, y]), lambda: x + y, lambda: x * y, lambda: lib.addcmul(x, y, y), lambda: x.clone()):
            z = make()
            z.grad_fn.register_hook(lambda gs, g: seen.append([None if g is None else g.tolist() for g in gs]))
            for inputs in ([z], [z, z], [x], [z, x], [z, y]):
                try:
                    z.backward(lib.ones_like(z), inputs=inputs, retain_graph=True)
                except RuntimeError:
                    answer.append("refused")
            answer.append([*seen])
            seen.clear()""",
    "a leaf has one accumulator": """
        node = (x * 2).grad_fn.next_functions[0][0]
        before = node is (x * 3).grad_fn.next_functions[0][0], node.variable is x
        x.requires_grad_(False)
        x.requires_grad_(True)
        x.data = lib.zeros(3)
        answer = before, node is (x * 4).grad_fn.next_functions[0][0], node.variable is x""",
    "a node survives a write": """
        z = x * 2
        node = z.grad_fn
        z.add_(1)
        answer = z.grad_fn is node, z.grad_fn.next_functions[0][0] is node""",
    "freed values": """
        z = x * x
        node = z.grad_fn
        z.sum().backward()
        answer = node.name(), node.metadata, len(node.next_functions)
        node._saved_self""",
    "parameters stay": """
        z = lib.stack([x.sum(0), x[0]], dim=0)
        node = z.grad_fn
        z.sum().backward()
        answer = node._saved_dim, node.next_functions[0][0]._saved_keepdim""",
    "what a node has saved": """
        nodes = [n.grad_fn for n in (m.clone(), m.expand(4, 2, 3), m.sum(), m.sort()[0], m.view(6), lib.where(m > 0, m, m), m.nan_to_num())]
        answer = [[name for name in dir(node) if name.startswith("_saved_")] for node in nodes]""",
    "attributes of nodes": """
        node = (x * 2).grad_fn
        answer = []
        for name in ("metadata", "next_functions"):
            try:
                setattr(node, name, ())
            except AttributeError as error:
                answer.append(str(error))
        node.next_functions[0][0].variable = x""",
    "attributes of tensors": """
        answer = []
        for name in ("shape", "dtype", "device", "layout", "ndim", "is_leaf", "itemsize", "nbytes", "grad_fn"):
            for change in (lambda: setattr(x, name, 3), lambda: delattr(x, name)):
                try:
                    change()
                except AttributeError as error:
                    answer.append(str(error))""",
    "del requires_grad": "del x.requires_grad",
    "del _grad_fn": "del x._grad_fn",
    "del _backward_hooks": "del x._backward_hooks",
    "del grad": """
        (x * 2).sum().backward()
        del x.grad
        answer = x.grad""",
    "_grad is grad": """
        (x * 2).sum().backward()
        answer = [x._grad is x.grad]
        x._grad = v
        answer.append(x.grad is v)
        x._grad = 3""",
    "a gradient on another device": "x.grad = lib.zeros(3, device='meta')",
    "hooks for later": """
        seen = []
        v._backward_hooks = {0: lambda g: seen.append(g.tolist())}
        (v.requires_grad_() * 2).sum().backward()
        answer = seen""",
    "a hook of an accumulator returns something": """
        node = (x * 2).grad_fn.next_functions[0][0]
        node.register_hook(lambda made, given: ())
        (x * 2).sum().backward()
        answer = x.grad.tolist()
        node.register_hook(lambda made, given: given)
        (x * 2).sum().backward()""",
    "hooks on saved tensors entered in a hook": """
        seen = []
        context = lib.autograd.graph.saved_tensors_hooks(lambda t: seen.append("packed") or t, lambda t: t)
        z = x * x
        def hook(g):
            context.__enter__()
            x * x
        z.register_hook(hook)
        z.sum().backward()
        inside = len(seen)
        x * x
        answer = inside, len(seen)""",
    "hooks on saved tensors left in a hook": """
        seen = []
        context = lib.autograd.graph.saved_tensors_hooks(lambda t: seen.append("packed") or t, lambda t: t)
        context.__enter__()
        z = x * x
        x.register_hook(lambda g: context.__exit__())
        z.sum().backward()
        x * x
        context.__exit__()
        x * x
        answer = len(seen)""",
    "hooks on saved tensors entered in a Function": """
        seen = []
        context = lib.autograd.graph.saved_tensors_hooks(lambda t: seen.append("packed") or t, lambda t: t)
        functions(lib)(lambda g: context.__enter__() or g).apply(x).sum().backward()
        x * x
        answer = len(seen)""",
    "which node a hook belongs to": """
        seen = []
        z = w.requires_grad_() * 2
        part = z[:2]
        part.register_hook(lambda g: seen.append(("part", g.tolist())))
        z.register_hook(lambda g: seen.append(("z", g.tolist())))
        part.mul_(3)
        part.register_hook(lambda g: seen.append(("part after", g.tolist())))
        z.register_hook(lambda g: seen.append(("z after", g.tolist())))
        (z * 5).sum().backward()
        answer = seen""",
}


@pytest.mark.torch
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_as_in_torch(program):
    assert answer(minigrad, program) == answer(importlib.import_module("torch"), program)


def test_hooks_on_saved_tensors_are_left_once_only():
    with pytest.raises(RuntimeError, match="no hooks on saved tensors to leave"):
        minigrad.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t).__exit__()
