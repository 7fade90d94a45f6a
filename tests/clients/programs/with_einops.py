"""A vision transformer's patches, attention and pooling, all rearranged by einops: functions and layers."""

import torch
from einops import einsum, pack, rearrange, reduce, repeat, unpack
from einops.layers.torch import EinMix, Rearrange, Reduce
from torch import nn

torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        q, k, v = rearrange(self.qkv(x), "b n (three h d) -> three b h n d", three=3, h=self.heads)
        weights = (einsum(q, k, "b h i d, b h j d -> b h i j") * self.scale).softmax(-1)
        return self.out(rearrange(einsum(weights, v, "b h i j, b h j d -> b h i d"), "b h n d -> b n (h d)"))


class Patches(nn.Module):
    def __init__(self, patch=4, dim=16, classes=5):
        super().__init__()
        self.embed = nn.Sequential(
            Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=patch, p2=patch),
            nn.Linear(3 * patch * patch, dim),
        )
        self.token = nn.Parameter(torch.randn(1, 1, dim))
        self.attend = Attention(dim, 4)
        self.mix = EinMix("b n d -> b n e", weight_shape="d e", bias_shape="e", d=dim, e=dim)
        self.pool = Reduce("b n d -> b d", "mean")
        self.head = nn.Linear(dim, classes)

    def forward(self, images):
        x = self.embed(images)
        x, shapes = pack([repeat(self.token, "1 1 d -> b 1 d", b=len(x)), x], "b * d")
        x = x + self.attend(x)
        x = x + self.mix(x)
        token, rest = unpack(x, shapes, "b * d")
        return self.head(self.pool(rest) + token[:, 0])


model = Patches()
images, labels = torch.randn(6, 3, 16, 16), torch.randint(5, (6,))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for step in range(8):
    loss = nn.functional.cross_entropy(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.5f}")
print(model)
print(reduce(images, "b c (h 4) (w 4) -> b c h w", "max").shape, reduce(images, "b c h w -> c", "mean"))
