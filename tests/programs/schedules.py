"""The rates that schedules give, alone and chained, with warm restarts, plateaus and cycles of momentum."""

import torch
from torch.optim import SGD, Adam, lr_scheduler


def fresh(cls=SGD, **options):
    return cls([torch.nn.Parameter(torch.zeros(2))], **{"lr": 0.1, **options})


def rates(scheduler, optimizer, steps=12, metrics=None):
    found = []
    for step in range(steps):
        found.append(round(optimizer.param_groups[0]["lr"], 6))
        optimizer.step()
        scheduler.step(*([metrics[step]] if metrics else []))
    return found


o = fresh()
print("step", rates(lr_scheduler.StepLR(o, 4, 0.5), o))
o = fresh()
print("lambda", rates(lr_scheduler.LambdaLR(o, lambda e: (e + 1) ** -0.5), o))
o = fresh()
print("exponential", rates(lr_scheduler.ExponentialLR(o, 0.8), o))
o = fresh()
print("cosine", rates(lr_scheduler.CosineAnnealingWarmRestarts(o, T_0=3, T_mult=2, eta_min=0.001), o))
o = fresh()
print("polynomial", rates(lr_scheduler.PolynomialLR(o, total_iters=8, power=2.0), o))
o = fresh(momentum=0.9)
one = lr_scheduler.OneCycleLR(o, max_lr=1.0, total_steps=12, pct_start=0.25, anneal_strategy="cos")
print("one cycle", rates(one, o), o.param_groups[0]["momentum"])
o = fresh(momentum=0.9)
print("cyclic", rates(lr_scheduler.CyclicLR(o, 0.01, 0.1, step_size_up=3, mode="triangular2"), o))
o = fresh()
plateau = lr_scheduler.ReduceLROnPlateau(o, "min", factor=0.1, patience=1, threshold=0.01)
print("plateau", rates(plateau, o, metrics=[1.0, 0.9, 0.9, 0.9, 0.9, 0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0.4]))
o = fresh()
warm, main = lr_scheduler.LinearLR(o, 0.1, total_iters=4), lr_scheduler.CosineAnnealingLR(o, T_max=8)
print("sequence", rates(lr_scheduler.SequentialLR(o, [warm, main], milestones=[4]), o))
o = fresh()
chained = lr_scheduler.ChainedScheduler(
    [lr_scheduler.ConstantLR(o, 0.5, 3), lr_scheduler.ExponentialLR(o, 0.9)]
)
print("chained", rates(chained, o))
o = fresh(Adam)
multiplied = lr_scheduler.MultiplicativeLR(o, lambda e: 0.95)
print("multiplied", rates(multiplied, o), multiplied.last_epoch, sorted(multiplied.state_dict())[:3])
p = torch.nn.Parameter(torch.zeros(1))
o = SGD([{"params": [p], "lr": 0.2}, {"params": [torch.nn.Parameter(torch.ones(1))]}], lr=0.05)
s = lr_scheduler.StepLR(o, 1, 0.1)
o.step()
s.step()
print(s.get_last_lr(), [g["initial_lr"] for g in o.param_groups])
