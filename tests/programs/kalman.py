"""A Kalman filter and smoother whose noise is learned by gradient ascent of the likelihood of what was observed."""

import math

import torch

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
dt, T = 0.5, 40
A, H = torch.tensor([[1.0, dt], [0.0, 1.0]]), torch.tensor([[1.0, 0.0]])
G = torch.tensor([[dt**2 / 2], [dt]])
states, observed, state = [], [], torch.tensor([0.0, 1.0])
for _ in range(T):
    state = A @ state + G[:, 0] * 0.3 * torch.randn(())
    states.append(state)
    observed.append(H @ state + 0.5 * torch.randn(1))
states, observed = torch.stack(states), torch.stack(observed)


def run(log_q, log_r):
    Q, R = G @ G.T * log_q.exp() ** 2, log_r.exp().pow(2).reshape(1, 1)
    mean, P, total, means, covariances, predicted = torch.zeros(2), torch.eye(2), 0.0, [], [], []
    for z in observed:
        mean, P = A @ mean, A @ P @ A.mT + Q
        predicted.append((mean, P))
        S = H @ P @ H.mT + R
        L = torch.linalg.cholesky(S)
        innovation = z - H @ mean
        K = torch.cholesky_solve(H @ P, L).mT
        mean, P = mean + K @ innovation, (torch.eye(2) - K @ H) @ P
        whitened = torch.linalg.solve_triangular(L, innovation.unsqueeze(1), upper=False)
        total = total - 0.5 * whitened.square().sum() - L.diagonal().log().sum() - 0.5 * math.log(2 * math.pi)
        means.append(mean)
        covariances.append(P)
    return total, means, covariances, predicted


log_q, log_r = (torch.tensor(0.0, requires_grad=True) for _ in range(2))
optimizer = torch.optim.Rprop([log_q, log_r], lr=0.05)
for step in range(20):
    optimizer.zero_grad()
    loss = -run(log_q, log_r)[0]
    loss.backward()
    optimizer.step()
    if step % 5 == 4:
        print(step, f"{loss.item():.5f} {log_q.exp().item():.4f} {log_r.exp().item():.4f}")
with torch.no_grad():
    total, means, covariances, predicted = run(log_q, log_r)
    smooth = means[-1]
    smoothed = [smooth]
    for t in range(T - 2, -1, -1):
        ahead, P = predicted[t + 1]
        gain = torch.linalg.solve(P, A @ covariances[t]).mT
        smooth = means[t] + gain @ (smooth - ahead)
        smoothed.insert(0, smooth)
    errors = [(torch.stack(each)[:, 0] - states[:, 0]).square().mean().item() for each in (means, smoothed)]
print(errors, (observed[:, 0] - states[:, 0]).square().mean().item())
