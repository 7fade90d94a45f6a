"""Steps of training under the profiler: a schedule, labelled ranges, the events of the network's operators."""

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.CrossEntropyLoss()
x, y = torch.randn(4, 8), torch.tensor([0, 1, 0, 1])
ready = []
with profile(
    activities=[ProfilerActivity.CPU],
    schedule=schedule(wait=1, warmup=1, active=2, repeat=1),
    on_trace_ready=lambda p: ready.append(p.step_num),
    record_shapes=True,
) as prof:
    for step in range(5):
        with record_function("forward"):
            loss = loss_fn(model(x), y)
        with record_function("backward"):
            optimizer.zero_grad()
            loss.backward()
        optimizer.step()
        prof.step()
print(ready, loss.item())
with profile(activities=[ProfilerActivity.CPU]) as prof:
    with record_function("inference"):
        model(x)
events = {event.key: event.count for event in prof.key_averages()}
print(events["inference"], events["aten::addmm"], events["aten::relu"], events["aten::linear"])
table = prof.key_averages().table(sort_by="cpu_time_total", row_limit=5)
print("Self CPU %" in table, "inference" in table, "Self CPU time total" in table)
