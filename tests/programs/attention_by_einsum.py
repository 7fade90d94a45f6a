"""A decoder written out: rotary positions, attention by einsum, a cache of keys and values, sampling of the likeliest."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class RMSNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


def rotary(x, start=0):
    half = x.shape[-1] // 2
    frequency = 1.0 / 10000 ** (torch.arange(half) / half)
    angle = torch.outer(torch.arange(start, start + x.shape[1]), frequency)
    cos, sin = angle.cos()[None, :, None], angle.sin()[None, :, None]
    a, b = x.split(half, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class Attention(nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.heads, self.qkv, self.out = (
            heads,
            nn.Linear(size, 3 * size, bias=False),
            nn.Linear(size, size, bias=False),
        )

    def forward(self, x, cache=None):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, c // self.heads).unbind(2)
        start = 0 if cache is None else cache[0].shape[1]
        q, k = rotary(q, start), rotary(k, start)
        if cache is not None:
            k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
        mask = torch.ones(t, k.shape[1], dtype=torch.bool).tril(k.shape[1] - t)
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        fused = F.scaled_dot_product_attention(*(z.transpose(1, 2) for z in (q, k, v)), attn_mask=mask)
        mixed = torch.einsum("bhqk,bkhd->bqhd", weights, v)
        assert torch.allclose(mixed, fused.transpose(1, 2), atol=1e-5)
        return self.out(mixed.reshape(b, t, c)), (k.detach(), v.detach())


class Decoder(nn.Module):
    def __init__(self, vocab=16, size=24):
        super().__init__()
        self.embedding, self.norm1, self.norm2 = nn.Embedding(vocab, size), RMSNorm(size), RMSNorm(size)
        self.attention, self.gate, self.up, self.down = (
            Attention(size, 3),
            nn.Linear(size, 48),
            nn.Linear(size, 48),
            nn.Linear(48, size),
        )
        self.head = nn.Linear(size, vocab, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens, cache=None):
        x = self.embedding(tokens)
        h, cache = self.attention(self.norm1(x), cache)
        x = x + h
        h = self.norm2(x)
        return self.head(x + self.down(F.silu(self.gate(h)) * self.up(h))), cache


model = Decoder()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, betas=(0.9, 0.95))
for step in range(40):
    start = torch.randint(0, 16, (8, 1))
    tokens = (start + torch.arange(9)) % 16
    logits, _ = model(tokens[:, :-1])
    loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.2f}", len(list(model.parameters())))
model.eval()
tokens, cache = torch.tensor([[3]]), None
with torch.no_grad():
    for _ in range(8):
        logits, cache = model(tokens[:, -1:], cache)
        assert torch.allclose(logits[:, -1], model(tokens)[0][:, -1], atol=1e-4)
        likely = logits[:, -1].topk(2)
        choice = torch.multinomial((likely.values / 0.05).softmax(-1), 1)
        tokens = torch.cat([tokens, likely.indices.gather(1, choice)], 1)
print(tokens.shape, cache[0].shape)
