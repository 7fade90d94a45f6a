"""Embeddings by pairs and by triplets: contrastive loss, margins, nearest neighbours, and a contrastive loss over a batch."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
centres = torch.randn(4, 8) * 2


def draw(n):
    labels = torch.arange(n) % 4
    return centres[labels] + torch.randn(n, 8), labels


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=1.0):
        super().__init__()
        self.margin = margin

    def forward(self, a, b, same):
        distance = F.pairwise_distance(a, b)
        return (same * distance.pow(2) + (1 - same) * F.relu(self.margin - distance).pow(2)).mean()


def info_nce(a, b, temperature=0.2):
    logits = F.normalize(a, dim=1) @ F.normalize(b, dim=1).T / temperature
    return F.cross_entropy(logits, torch.arange(len(a)))


net = nn.Sequential(nn.Linear(8, 32), nn.PReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adagrad(net.parameters(), lr=0.05)
pair_loss, triplet_loss = ContrastiveLoss(), nn.TripletMarginLoss(margin=0.5, p=2)
cosine = nn.CosineEmbeddingLoss(margin=0.1)
for step in range(30):
    x, labels = draw(64)
    e = net(x)
    order = torch.randperm(64)
    same = (labels == labels[order]).float()
    positive, negative = e.roll(4, 0), e.roll(1, 0)
    losses = [
        pair_loss(e, e[order], same),
        triplet_loss(e, positive, negative),
        cosine(e, e[order], same * 2 - 1),
        info_nce(e, net(x + 0.1 * torch.randn_like(x))),
    ]
    optimizer.zero_grad()
    sum(losses).backward()
    optimizer.step()
    if step % 10 == 9:
        print(step, [round(loss.item(), 3) for loss in losses])
with torch.no_grad():
    gallery, known = draw(40)
    query, wanted = draw(20)
    distances = torch.cdist(net(query), net(gallery))
    nearest = known[distances.topk(5, largest=False).indices].mode(dim=1).values
    print((nearest == wanted).float().mean().item(), distances.shape, net[1].weight.item())
