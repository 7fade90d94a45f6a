"""A small U-Net segments discs: skip connections, transposed convolutions, a Dice loss, intersection over union."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


def block(inside, outside):
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, padding=1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True),
        nn.Conv2d(outside, outside, 3, padding=1, bias=False), nn.GroupNorm(2, outside), nn.SiLU(inplace=True),
    )  # fmt: skip


class UNet(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.down1, self.down2, self.bottom = (
            block(1, width),
            block(width, 2 * width),
            block(2 * width, 4 * width),
        )
        self.up2 = nn.ConvTranspose2d(4 * width, 2 * width, 2, stride=2)
        self.up1 = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
        self.dec2, self.dec1 = block(4 * width, 2 * width), block(3 * width, width)
        self.head = nn.Conv2d(width, 1, 1)
        self.pool = nn.MaxPool2d(2)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(self.pool(a))
        c = self.bottom(self.pool(b))
        d = self.dec2(torch.cat([self.up2(c), b], dim=1))
        e = self.dec1(torch.cat([self.up1(d), a], dim=1))
        return self.head(e)


def discs(count, side=16):
    centre, radius = torch.rand(count, 2, 1, 1) * 8 + 4, torch.rand(count, 1, 1) * 2 + 2
    rows, columns = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    mask = ((rows - centre[:, 0]) ** 2 + (columns - centre[:, 1]) ** 2 < radius**2).float().unsqueeze(1)
    return mask + 0.3 * torch.randn_like(mask), mask


def dice_loss(logits, mask, smooth=1.0):
    p = torch.sigmoid(logits).flatten(1)
    m = mask.flatten(1)
    return (1 - (2 * (p * m).sum(1) + smooth) / (p.sum(1) + m.sum(1) + smooth)).mean()


model = UNet()
optimizer = torch.optim.NAdam(model.parameters(), lr=0.01)
for step in range(12):
    image, mask = discs(8)
    logits = model(image)
    loss = F.binary_cross_entropy_with_logits(logits, mask, pos_weight=torch.tensor(2.0)) + dice_loss(
        logits, mask
    )
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 4 == 3:
        print(step, f"{loss.item():.3f}")
model.eval()
with torch.no_grad():
    image, mask = discs(8)
    found = model(image).sigmoid() > 0.5
    print(found.shape, found.dtype, sum(p.numel() for p in model.parameters()))
    print(
        (found & mask.bool()).sum().item() > 0,
        tuple(F.pad(found.float(), (1, 1, 1, 1), mode="reflect").shape),
    )
