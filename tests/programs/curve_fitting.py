"""Least squares by L-BFGS with line search, beside linear algebra and Levenberg and Marquardt's steps."""

import torch

torch.manual_seed(0)
t = torch.linspace(0, 4, 60, dtype=torch.float64)
truth = torch.tensor([2.0, 0.7, 3.0, 0.4], dtype=torch.float64)


def curve(p, t):
    return p[0] * torch.exp(-p[1] * t) * torch.cos(p[2] * t + p[3])


y = curve(truth, t) + 0.01 * torch.randn(60, dtype=torch.float64)
start = torch.tensor([1.5, 0.5, 2.7, 0.2], dtype=torch.float64)
p = start.clone().requires_grad_()
optimizer = torch.optim.LBFGS(
    [p], lr=1, max_iter=50, history_size=10, line_search_fn="strong_wolfe", tolerance_grad=1e-9
)
calls = 0


def closure():
    global calls
    calls += 1
    optimizer.zero_grad()
    loss = (curve(p, t) - y).pow(2).mean()
    loss.backward()
    return loss


loss = optimizer.step(closure)
print(p.detach(), loss.item(), closure().item(), optimizer.state[p]["func_evals"] > 5)

q, damping = start.clone(), 1e-2
for _ in range(15):
    r = curve(q, t) - y
    j = torch.func.jacfwd(curve)(q, t)
    normal = j.T @ j
    step = torch.linalg.solve(normal + damping * torch.diag(normal.diagonal()), j.T @ r)
    if (curve(q - step, t) - y).pow(2).sum() < r.pow(2).sum():
        q, damping = q - step, damping / 3
    else:
        damping *= 3
print(q, torch.allclose(q, p.detach(), atol=1e-4))

basis = torch.stack([t**k for k in range(4)], 1)
solution = torch.linalg.lstsq(basis, y.unsqueeze(1)).solution.squeeze(1)
q_, r_ = torch.linalg.qr(basis)
print(
    solution,
    torch.allclose(
        torch.linalg.solve_triangular(r_, (q_.T @ y).unsqueeze(1), upper=True).squeeze(), solution
    ),
)
print(torch.linalg.pinv(basis).shape, torch.linalg.matrix_rank(basis).item(), torch.linalg.cond(basis).item())
