"""Products with Hessians, four ways; Newton's method by conjugate gradients; the largest eigenvalue by power iteration."""

import torch
from torch import nn
from torch.autograd.functional import hessian, hvp, jacobian, vhp
from torch.func import grad, jacfwd, jvp, vjp

torch.manual_seed(0)
a = torch.randn(6, 6, dtype=torch.float64)
a = a @ a.T / 6 + torch.eye(6, dtype=torch.float64)


def f(x):
    return 0.5 * x @ a @ x + x.pow(4).sum() / 4 - x.sum()


x, v = torch.randn(2, 6, dtype=torch.float64)
full = hessian(f, x)
leaf = x.clone().requires_grad_()
(g,) = torch.autograd.grad(f(leaf), leaf, create_graph=True)
(double,) = torch.autograd.grad(g @ v, leaf)
forward = jvp(grad(f), (x,), (v,))[1]
backward = vjp(grad(f), x)[1](v)[0]
print(
    [
        torch.allclose(full @ v, other)
        for other in (double, forward, backward, hvp(f, x, v)[1], vhp(f, x, v)[1])
    ]
)
print(torch.allclose(jacfwd(grad(f))(x), full), jacobian(lambda x: x**2, x).diagonal())


def conjugate_gradient(apply, b, steps=10):
    solution, r = torch.zeros_like(b), b.clone()
    p, rr = r.clone(), r @ r
    for _ in range(steps):
        ap = apply(p)
        alpha = rr / (p @ ap)
        solution += alpha * p
        r = r - alpha * ap
        rr, before = r @ r, rr
        if rr < 1e-20:
            break
        p = r + rr / before * p
    return solution


for step in range(5):
    gradient = grad(f)(x)
    print(step, f"{f(x).item():.8f} {gradient.norm().item() < 1.0}")
    x = x - conjugate_gradient(lambda p, at=x: jvp(grad(f), (at,), (p,))[1], gradient)

model = nn.Sequential(nn.Linear(3, 8), nn.Softplus(), nn.Linear(8, 1))
params = list(model.parameters())
data, target = torch.randn(20, 3), torch.randn(20, 1)
grads = torch.autograd.grad(nn.functional.mse_loss(model(data), target), params, create_graph=True)
flat = torch.cat([g.reshape(-1) for g in grads])
vector = torch.ones_like(flat) / flat.numel() ** 0.5
for _ in range(25):
    product = torch.cat([g.reshape(-1) for g in torch.autograd.grad(flat, params, vector, retain_graph=True)])
    eigenvalue = (vector @ product).item()
    vector = product / product.norm()
print(f"{eigenvalue:.4f}", torch.nn.utils.parameters_to_vector(params).numel())
