"""Torchvision's models and transforms; its compiled operators are no part of it."""

import numpy as np
import torch
import torchvision
from PIL import Image
from torchvision import models
from torchvision import transforms as old
from torchvision.transforms import v2
from torchvision.transforms.v2 import functional as F

torch.manual_seed(0)
image = Image.fromarray((np.arange(48 * 64 * 3) % 251).astype(np.uint8).reshape(48, 64, 3))
classic = old.Compose(
    [old.Resize(40), old.CenterCrop(32), old.ToTensor(), old.Normalize([0.5] * 3, [0.25] * 3)]
)
x = classic(image)
print(x.shape, x.dtype, f"{x.mean().item():.4f} {x.std().item():.4f}")
augment = v2.Compose(
    [
        v2.ToImage(),
        v2.RandomResizedCrop(32, antialias=True),
        v2.RandomHorizontalFlip(),
        v2.ColorJitter(0.4, 0.4, 0.4),
        v2.ToDtype(torch.float32, scale=True),
    ]
)
for _ in range(3):
    x = augment(image)
    print(type(x).__name__, tuple(x.shape), f"{x.mean().item():.4f}")
batch = torch.rand(2, 3, 32, 32)
print(
    f"{F.gaussian_blur(batch, [5, 5]).mean().item():.4f}",
    F.rotate(batch, 30).shape,
    F.pad(batch, [2, 4]).shape,
)
print(f"{F.adjust_hue(batch, 0.2).mean().item():.4f}", f"{F.rgb_to_grayscale(batch).mean().item():.4f}")
print(v2.RandomErasing(p=1.0)(batch).shape, v2.MixUp(num_classes=4)(batch, torch.tensor([1, 2]))[1])
print(torchvision.utils.make_grid(batch, nrow=2).shape)
for name in (
    "resnet18",
    "mobilenet_v3_small",
    "squeezenet1_1",
    "shufflenet_v2_x0_5",
    "vgg11_bn",
    "densenet121",
):
    torch.manual_seed(1)
    model = models.get_model(name, weights=None, num_classes=4).eval()
    with torch.no_grad():
        out = model(torch.linspace(-1, 1, 2 * 3 * 64 * 64).view(2, 3, 64, 64))
    print(name, sum(p.numel() for p in model.parameters()), [f"{v:.3f}" for v in out[0].tolist()])
torch.manual_seed(2)
model = models.resnet18(num_classes=4).eval()  # a batch of two is too small for statistics
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
for step in range(2):
    loss = torch.nn.functional.cross_entropy(model(batch), torch.tensor([0, 3]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.3f}")
