"""Tensors and models in safetensors files: shared parameters, bfloat16, lazy slices, metadata."""

import os
import tempfile

import torch
from safetensors import safe_open
from safetensors.torch import load, load_file, load_model, save, save_file, save_model
from torch import nn

torch.manual_seed(0)
tensors = {
    "weights": torch.randn(4, 3),
    "half": torch.arange(6.0).half(),
    "brain": torch.linspace(0, 1, 5, dtype=torch.bfloat16),
    "indices": torch.tensor([[1, 2], [3, 4]]),
    "flags": torch.tensor([True, False]),
}


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Embedding(8, 4), nn.Linear(4, 8, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, x):
        return self.out(self.embed(x))


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "tensors.safetensors")
    save_file(tensors, path, metadata={"made_by": "a test"})
    for name, value in sorted(load_file(path).items()):
        print(name, value.dtype, torch.equal(value, tensors[name]), value.float().sum().item())
    with safe_open(path, framework="pt", device="cpu") as f:
        print(sorted(f.keys()), f.metadata(), f.get_slice("weights").get_shape())
        print(f.get_slice("weights")[1:3, :2], f.get_tensor("brain"))
    print(sorted(load(save(tensors))))
    model, other = Tied(), Tied()
    save_model(model, path)
    print(load_model(other, path), torch.equal(model(torch.arange(8)), other(torch.arange(8))))
    try:
        save_file(model.state_dict(), path)
    except RuntimeError as error:
        print(str(error).split("\n")[1].strip()[:40])
