"""Averaged weights: stochastic weight averaging with its schedule and new batch statistics, and moving averages."""

import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn, update_bn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] * x[:, 1] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
swa_model, swa_scheduler = AveragedModel(model), SWALR(optimizer, swa_lr=0.05, anneal_epochs=3)
ema_model = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
for epoch in range(10):
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(a), b)
        loss.backward()
        optimizer.step()
        ema_model.update_parameters(model)
    if epoch >= 5:
        swa_model.update_parameters(model)
        swa_scheduler.step()
    else:
        scheduler.step()
    if epoch % 3 == 0:
        print(epoch, f"{loss.item():.4f} {optimizer.param_groups[0]['lr']:.5f}")
print(swa_model.n_averaged.item(), ema_model.n_averaged.item(), type(swa_model.module).__name__)
update_bn(loader, swa_model)
print(swa_model.module[1].num_batches_tracked.item(), swa_model.module[1].running_mean[:3])
for name, each in (("model", model), ("swa", swa_model), ("ema", ema_model)):
    each.eval()
    with torch.no_grad():
        print(name, f"{nn.functional.cross_entropy(each(x), y).item():.4f}")
print(list(swa_model.state_dict())[:2])
