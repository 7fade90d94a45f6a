"""An image is changed until its features have the Gram matrices of another and the contents of a third."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
cnn = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(inplace=True), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(),
)  # fmt: skip
cnn.requires_grad_(False).eval()


def gram_matrix(x):
    n, c, h, w = x.size()
    features = x.view(n * c, h * w)
    return torch.mm(features, features.t()).div(n * c * h * w)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()

    def forward(self, x):
        self.loss = F.mse_loss(x, self.target)
        return x


class StyleLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = gram_matrix(target).detach()

    def forward(self, x):
        self.loss = F.mse_loss(gram_matrix(x), self.target)
        return x


content = torch.rand(1, 3, 16, 16)
style = F.interpolate(torch.rand(1, 3, 4, 4), size=(16, 16), mode="bilinear", align_corners=False)
model, content_losses, style_losses, i = nn.Sequential(), [], [], 0
for layer in cnn.children():
    if isinstance(layer, nn.Conv2d):
        i += 1
    if isinstance(layer, nn.ReLU):
        layer = nn.ReLU(inplace=False)
    model.add_module(f"{type(layer).__name__.lower()}_{len(model)}", layer)
    if isinstance(layer, nn.Conv2d):
        if i == 2:
            content_losses.append(ContentLoss(model(content)))
            model.add_module("content", content_losses[-1])
        style_losses.append(StyleLoss(model(style)))
        model.add_module(f"style_{i}", style_losses[-1])
print([name for name, _ in model.named_children()])
image = content.clone().requires_grad_(True)
optimizer = torch.optim.LBFGS([image], max_iter=10)
values = []


def closure():
    with torch.no_grad():
        image.clamp_(0, 1)
    optimizer.zero_grad()
    model(image)
    loss = 1e4 * sum(s.loss for s in style_losses) + sum(c.loss for c in content_losses)
    loss.backward()
    values.append(loss.item())
    return loss


for _ in range(2):
    optimizer.step(closure)
with torch.no_grad():
    image.clamp_(0, 1)
print(len(values), values[0], values[5], values[-1] < values[0] / 2, image.shape)
print(gram_matrix(torch.arange(8.0).view(1, 2, 2, 2)))
