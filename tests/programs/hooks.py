"""Features by forward hooks, gradients by backward hooks and by hooks on tensors, and hooks that change what passes."""

from collections import OrderedDict

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(
    OrderedDict(conv1=nn.Conv2d(1, 4, 3), relu1=nn.ReLU(), conv2=nn.Conv2d(4, 2, 3), pool=nn.AdaptiveAvgPool2d(2), flat=nn.Flatten(), fc=nn.Linear(8, 3))
)  # fmt: skip
activation, gradients = {}, {}


def save_activation(name):
    def hook(module, args, output):
        activation[name] = output.detach()

    return hook


def save_gradient(name):
    def hook(module, grad_input, grad_output):
        gradients[name] = (
            tuple(None if g is None else tuple(g.shape) for g in grad_input),
            grad_output[0].norm().item(),
        )

    return hook


handles = [module.register_forward_hook(save_activation(name)) for name, module in model.named_children()]
handles += [
    m.register_full_backward_hook(save_gradient(n))
    for n, m in model.named_children()
    if "conv" in n or n == "fc"
]
x = torch.randn(2, 1, 8, 8, requires_grad=True)
seen = []
handle = x.register_hook(lambda g: seen.append(g.abs().sum().item()))
out = model(x)
out[:, 0].sum().backward()
for name, value in activation.items():
    print(name, tuple(value.shape), round(value.mean().item(), 4), round(value.std().item(), 4))
for name, (shapes, norm) in gradients.items():
    print(name, shapes, round(norm, 4))
print(seen, x.grad.shape)
for h in handles:
    h.remove()
handle.remove()

pre = model.fc.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
post = model.fc.register_forward_hook(lambda module, args, output: output.clamp(min=0))
print(model(x).detach())
pre.remove()
post.remove()

w = model.fc.weight
w.register_hook(lambda g: g.clamp(-0.05, 0.05))
model.zero_grad()
model(x).pow(2).sum().backward()
print(w.grad.abs().max().item() <= 0.05, len(model.fc._forward_hooks))
h = (x * 2).relu()
h.retain_grad()
h.sum().backward()
print(h.grad.sum().item(), h.is_leaf, x.is_leaf)
