"""Functions with a backward of their own: a gradient that is reversed, a rounding that lets gradients through, a clamped one."""

import torch
from torch import nn
from torch.autograd import Function, gradcheck


class GradReverse(Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return -ctx.strength * grad_output, None


class RoundSTE(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, g):
        return g


class Swish(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return grad * (s * (1 + x * (1 - s)))


class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(0.1))
        self.linear = nn.Linear(6, 3)

    def forward(self, x):
        weight = RoundSTE.apply(self.linear.weight / self.scale) * self.scale
        return nn.functional.linear(x, weight, self.linear.bias)


torch.manual_seed(0)
print(
    gradcheck(Swish.apply, (torch.randn(4, 3, dtype=torch.double, requires_grad=True),), eps=1e-6, atol=1e-4)
)
x = torch.randn(8, 6, requires_grad=True)
GradReverse.apply(x, 0.3).sum().backward()
print(x.grad.unique())

features, label, domain = nn.Linear(6, 8), nn.Linear(8, 2), nn.Linear(8, 2)
optimizer = torch.optim.SGD([*features.parameters(), *label.parameters(), *domain.parameters()], lr=0.1)
data, labels, domains = torch.randn(32, 6), torch.randint(0, 2, (32,)), torch.randint(0, 2, (32,))
for step in range(20):
    h = Swish.apply(features(data))
    loss = nn.functional.cross_entropy(label(h), labels)
    confusion = nn.functional.cross_entropy(domain(GradReverse.apply(h, 1.0)), domains)
    optimizer.zero_grad()
    (loss + confusion).backward()
    optimizer.step()
print(f"{loss.item():.4f} {confusion.item():.4f}")

model = Quantized()
out = model(data)
out.pow(2).mean().backward()
print(out.grad_fn is not None, model.scale.grad.item(), model.linear.weight.grad.norm().item())
print(RoundSTE.apply(torch.tensor([0.4, 1.6], requires_grad=True)))
