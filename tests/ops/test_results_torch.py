"""What functions write into, and what they refuse, where PyTorch differs from function to function: a table of calls, in both libraries."""

import numpy as np
import pytest

import minigrad

torch = pytest.importorskip("torch")

CALLS = """
torch.linalg.lstsq(a, b, driver="gelsd", out=(f(0), f(0), d(0), c(0)))[2:]
torch.scatter_add(x, 0, index, x, out=d(0))
torch.scatter_reduce(x, 0, index, x, "sum", out=d(0))
torch.index_add(x, 0, row, x[:2], out=d(0))
torch.index_select(x, 0, row, out=d(0))
torch.take(x, index, out=d(0))
torch.narrow_copy(x, 0, 7, -2)
torch.narrow_copy(x, 0, 1, -2)
torch.embedding_bag(index, row, row)
torch.conv_transpose2d(torch.ones(1, 2, 2, 2), torch.ones(2, 0, 2, 2))
torch.histogram(index, 4, range=(0.0, 1.0))
torch.trapz(x[0], x)
torch.trapezoid(x, torch.ones(2, 3, 3))
torch.prod(w, dtype=torch.bool)
torch.sum(w, dtype=torch.int64)
torch.detach_copy(w).requires_grad
torch.ones(3, 2, device="meta").t().reshape(-1)._is_view()
[g.dtype for g in torch.autograd.grad(torch.select_scatter(u, v, 0, 1).sum(), (u, v))]
[g.dtype for g in torch.autograd.grad(torch.slice_scatter(u, v[None], 0, 1, 2).sum(), (u, v))]
[g.dtype for g in torch.autograd.grad(torch.diagonal_scatter(u, v).sum(), (u, v))]
[n.name() for n, _ in torch.nn.functional.mse_loss(u[0], v).grad_fn.next_functions]
[n.name() for n, _ in torch.nn.functional.smooth_l1_loss(v, u[0]).grad_fn.next_functions]
[g.tolist() for g in torch.autograd.grad((v * 1).div_(u[0]).sum(), (u, v))]
[g.tolist() for g in torch.autograd.grad((v * 1).mul_(u[0]).sum(), (u, v))]
[g.dtype for g in torch.autograd.grad((v * 1).copy_(u[0]).sum(), (u, v))]
[g.dtype for g in torch.autograd.grad((v * 1).add_(u[0]).sum(), (u[0], u, v), allow_unused=True) if g is not None]
(lambda t: [t.register_hook(seen.append), (v * 1).copy_(t).sum().backward(), seen[0].dtype][2])(u[0] * 1)
(lambda t: [t.register_hook(seen.append), (v * 1).sub_(t).sum().backward(), seen[0].dtype][2])(u[0] * 1)
torch.nn.functional.softplus(x[0].expand(2, 3)).stride()
torch.lgamma(x[0].expand(2, 3)).stride()
torch.nn.functional.logsigmoid(x.t()).stride()
torch.complex(x.t(), x.t()).stride()
torch.empty(0).set_(x.untyped_storage(), 0, (2, 3), (0, 1)).add_(1)
torch.empty(0).set_(x.untyped_storage(), 0, (2, 3), (3, 1)).add_(1)
torch.ones(3, 2, device="meta").reshape(-1)._is_view()
torch.xlogy_(False, 1j)
torch.dot(w[0], -7, out=w)
torch.arange(1.5, True, layout=-1)
torch.gradient(np.array(3))
torch.kron(np.int64(1), x)
torch.ger(x[0], np.ones(2))
torch.linalg.vander(x, N=[])
torch.linalg.vecdot(x, x, dim=(1, 2))
torch.nn.functional.gelu((x, 1), approximate="erf")
torch.nn.functional.affine_grid(torch.ones(1, 2, 3), [1, 2, 3], 3)
torch.overrides.has_torch_function(2.5)
x.backward(retain_graph=2.5)
np.int64(1) == torch.ones(2, dtype=torch.bfloat16)
torch.mode(x, out=[])
"""


def outcome(library, call):
    """The result of a call, as text; or the class of its error."""
    f, d, c = (
        lambda *size, dtype=dtype: library.zeros(*size, dtype=dtype)
        for dtype in (library.float32, library.float64, library.complex64)
    )
    names = {"f": f, "d": d, "c": c, "torch": library, "np": np}
    names |= {"a": library.tensor([[2.0, 1.0], [1.0, 3.0], [0.0, 1.0]]), "b": library.ones(3, 1)}
    names |= {"x": library.arange(9.0).reshape(3, 3), "w": library.ones(3, 3, requires_grad=True)}
    names |= {"u": library.full((3, 3), 0.7, dtype=library.float64, requires_grad=True)}
    names |= {"v": library.full((3,), 0.3, requires_grad=True)}
    names |= {"seen": []}
    names |= {"index": library.zeros(3, 3, dtype=library.int64), "row": library.tensor([0, 1])}
    try:
        return str(eval(call, names)).replace("minigrad", "torch")
    except Exception as error:
        kind = next(k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins")
        return kind


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_calls():
    outcomes = {call: (outcome(torch, call), outcome(minigrad, call)) for call in CALLS.strip().splitlines()}
    unlike = {call: pair for call, pair in outcomes.items() if pair[0] != pair[1]}
    assert not unlike, "\n".join(f"{call}\n    {pair[0]}\n    {pair[1]}" for call, pair in unlike.items())
