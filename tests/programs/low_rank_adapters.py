"""Adapters of low rank beside frozen weights: injected by replacing modules, saved alone, merged in the end."""

import io
import math

import torch
from torch import nn

torch.manual_seed(0)


class LoRALinear(nn.Module):
    def __init__(self, base, rank=2, alpha=4):
        super().__init__()
        self.base, self.scaling = base.requires_grad_(False), alpha / rank
        self.lora_A = nn.Parameter(torch.empty(rank, base.in_features))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))

    def forward(self, x):
        return self.base(x) + (x @ self.lora_A.T @ self.lora_B.T) * self.scaling

    @torch.no_grad()
    def merge(self):
        self.base.weight += self.lora_B @ self.lora_A * self.scaling
        return self.base


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.ModuleDict(
            {"query": nn.Linear(8, 8), "value": nn.Linear(8, 8), "mlp": nn.Linear(8, 8)}
        )
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        q, v = self.body["query"](x), self.body["value"](x)
        return self.head(torch.relu(self.body["mlp"](q.softmax(-1) * v + x)))


model = Model().requires_grad_(False)
x, y = torch.randn(48, 8), torch.randint(0, 3, (48,))
before = model(x)
for name, module in list(model.named_modules()):
    if isinstance(module, nn.Linear) and name.split(".")[-1] in ("query", "value"):
        parent = model.get_submodule(name.rpartition(".")[0])
        parent[name.rpartition(".")[2]] = LoRALinear(module)
print(torch.equal(before, model(x)), model)
trainable = [p for p in model.parameters() if p.requires_grad]
print(sum(p.numel() for p in trainable), sum(p.numel() for p in model.parameters()))
optimizer = torch.optim.AdamW(trainable, lr=0.02)
for step in range(30):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.4f}")
adapters = {name: p for name, p in model.state_dict().items() if "lora_" in name}
file = io.BytesIO()
torch.save(adapters, file)
file.seek(0)
loaded = torch.load(file, weights_only=True)
missing, unexpected = model.load_state_dict(loaded, strict=False)
print(list(loaded), len(missing), unexpected)
tuned = model(x)
for name in ("query", "value"):
    model.body[name] = model.body[name].merge()
print(torch.allclose(tuned, model(x), atol=1e-5), type(model.body["query"]).__name__)
