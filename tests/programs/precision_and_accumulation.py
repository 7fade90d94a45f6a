"""A training loop with autocast on the CPU, a gradient scaler that is off, and gradients accumulated over several batches."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", enabled=False)
x, y = torch.randn(64, 16), torch.randint(0, 4, (64,))
first = None
for step in range(30):
    optimizer.zero_grad()
    for part, labels in zip(x.chunk(4), y.chunk(4)):
        with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
            hidden = model[0](part)
            output = model(part)
            loss = nn.functional.cross_entropy(output, labels) / 4
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    scaler.step(optimizer)
    scaler.update()
    first = loss.item() if first is None else first
print(hidden.dtype, output.dtype, loss.dtype, model[0].weight.dtype, model[0].weight.grad.dtype)
print(torch.is_autocast_enabled("cpu"), scaler.is_enabled(), scaler.get_scale())
print(loss.item() < first, round(first, 1))
with torch.autocast("cpu", dtype=torch.bfloat16):
    a = torch.mm(x.t(), x)
    with torch.autocast("cpu", enabled=False):
        b = torch.mm(x.t(), x)
    c = torch.softmax(a, dim=-1)
print(a.dtype, b.dtype, c.dtype, (a.float() - b).abs().max().item() < 1.0)
