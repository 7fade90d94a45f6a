"""A transformer over patches of images: a class token, learned positions, encoder layers, attention that is looked at."""

import torch
from torch import nn

torch.manual_seed(0)


class ViT(nn.Module):
    def __init__(self, side=8, patch=4, size=16, heads=2, depth=2, classes=3):
        super().__init__()
        self.patch = patch
        self.project = nn.Conv2d(1, size, patch, stride=patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, size))
        self.position = nn.Parameter(torch.empty(1, (side // patch) ** 2 + 1, size))
        nn.init.trunc_normal_(self.position, std=0.02)
        layer = nn.TransformerEncoderLayer(
            size, heads, 2 * size, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(
            layer, depth, norm=nn.LayerNorm(size), enable_nested_tensor=False
        )
        self.head = nn.Linear(size, classes)

    def forward(self, x):
        tokens = self.project(x).flatten(2).transpose(1, 2)
        tokens = torch.cat([self.cls.expand(len(x), -1, -1), tokens], dim=1) + self.position
        return self.head(self.encoder(tokens)[:, 0])


def draw(n):
    labels = torch.randint(0, 3, (n,))
    x = 0.3 * torch.randn(n, 1, 8, 8)
    for i, label in enumerate(labels):
        if label == 0:
            x[i, 0, 2] += 2
        elif label == 1:
            x[i, 0, :, 5] += 2
        else:
            x[i, 0].diagonal().add_(2)
    return x, labels


model = ViT()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.05)
for step in range(25):
    x, y = draw(32)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 8 == 7:
        print(step, f"{loss.item():.3f}")
patches = nn.functional.unfold(x, kernel_size=4, stride=4).transpose(1, 2)
print(patches.shape, torch.allclose(nn.functional.fold(patches.transpose(1, 2), (8, 8), 4, stride=4), x))
by_hand = patches @ model.project.weight.view(16, -1).T + model.project.bias
print(torch.allclose(by_hand, model.project(x).flatten(2).transpose(1, 2), atol=1e-5))
attention = model.encoder.layers[0].self_attn
out, weights = attention(by_hand, by_hand, by_hand, need_weights=True, average_attn_weights=False)
print(out.shape, weights.shape, torch.allclose(weights.sum(-1), torch.ones(())))
print(sum(p.numel() for p in model.parameters()), model.encoder.layers[1].linear1)
