"""Quantile regression with the pinball loss, several quantiles at once, and how many targets lie below each."""

import torch
from torch import nn

torch.manual_seed(0)
LEVELS = torch.tensor([0.1, 0.5, 0.9])


class PinballLoss(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.register_buffer("levels", levels)

    def forward(self, prediction, target):
        error = target - prediction
        return torch.max(self.levels * error, (self.levels - 1) * error).mean()


x = torch.rand(400, 1) * 6
y = x.sin() + 0.3 * x * torch.randn(400, 1) / 3
model = nn.Sequential(nn.Linear(1, 32), nn.ELU(), nn.Linear(32, 32), nn.ELU(), nn.Linear(32, 3))
criterion = PinballLoss(LEVELS)
optimizer = torch.optim.RAdam(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[60, 90], gamma=0.3)
for step in range(120):
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    if step % 30 == 29:
        print(step, f"{loss.item():.4f} {scheduler.get_last_lr()[0]:.5f}")
with torch.no_grad():
    below = (y <= model(x)).float().mean(0)
print((below - LEVELS).abs().max().item() < 0.15, torch.quantile(y, LEVELS, dim=0).squeeze(1))
print(
    torch.quantile(y.flatten(), 0.25, interpolation="nearest").item(),
    y.median().item(),
    torch.histc(y, 5, -2, 2),
)
