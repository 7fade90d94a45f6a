"""Training that is interrupted and resumed from a checkpoint gives what uninterrupted training gives."""

import copy
import io
import os
import tempfile

import torch
from torch import nn, optim


def build():
    torch.manual_seed(7)
    model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Dropout(0.1), nn.Linear(16, 2))
    optimizer = optim.AdamW(
        [
            {"params": [p for n, p in model.named_parameters() if "bias" not in n], "weight_decay": 0.01},
            {"params": [p for n, p in model.named_parameters() if "bias" in n], "weight_decay": 0.0},
        ],
        lr=0.01,
    )
    return model, optimizer, optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=20)


def train(model, optimizer, scheduler, first, last):
    losses = []
    for _ in range(first, last):
        x = torch.randn(32, 4)
        y = (x.prod(1) > 0).long()
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses


model, optimizer, scheduler = build()
losses = train(model, optimizer, scheduler, 0, 8)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "checkpoint.pth.tar")
    torch.save(
        {
            "epoch": 8,
            "state_dict": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(),
            "rng": torch.get_rng_state(),
        },
        path,
    )
    rest = train(model, optimizer, scheduler, 8, 16)
    other, optimizer2, scheduler2 = build()
    checkpoint = torch.load(path, map_location="cpu")
    print(sorted(checkpoint), checkpoint["epoch"])
    print(other.load_state_dict(checkpoint["state_dict"]))
    optimizer2.load_state_dict(checkpoint["optimizer"])
    scheduler2.load_state_dict(checkpoint["scheduler"])
    torch.set_rng_state(checkpoint["rng"])
    again = train(other, optimizer2, scheduler2, checkpoint["epoch"], 16)
print(losses[-1], rest[-1], rest == again)
print(all(torch.equal(a, b) for a, b in zip(model.parameters(), other.parameters())))
print(scheduler.get_last_lr(), scheduler2.get_last_lr(), len(optimizer2.state), optimizer2)
buffer = io.BytesIO()
torch.save(copy.deepcopy(other), buffer)
buffer.seek(0)
whole = torch.load(buffer, weights_only=False)
print(type(whole).__name__, torch.equal(whole[0].weight, model[0].weight))
try:
    other.load_state_dict({"0.weight": torch.zeros(1, 4)})
except RuntimeError as error:
    print(str(error).splitlines()[0], len(str(error).splitlines()))
