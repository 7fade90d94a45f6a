"""Ratings by factors of users and items: embeddings with biases, groups of parameters, early stopping, a ranking."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
USERS, ITEMS, RANK = 20, 15, 3
truth = torch.randn(USERS, RANK) @ torch.randn(RANK, ITEMS)
known = torch.rand(USERS, ITEMS) < 0.6
users, items = known.nonzero(as_tuple=True)
ratings = truth[users, items] + 0.1 * torch.randn(len(users))
data = TensorDataset(users, items, ratings)
train, valid = random_split(data, [0.8, 0.2], generator=torch.Generator().manual_seed(1))
print(len(train), len(valid))


class Factors(nn.Module):
    def __init__(self):
        super().__init__()
        self.user, self.item = nn.Embedding(USERS, RANK), nn.Embedding(ITEMS, RANK)
        self.user_bias, self.item_bias = nn.Embedding(USERS, 1), nn.Embedding(ITEMS, 1)
        self.mean = nn.Parameter(torch.zeros(()))
        for table in (self.user_bias, self.item_bias):
            table.weight.data.zero_()

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return dot + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1) + self.mean


model = Factors()
biases = [p for n, p in model.named_parameters() if "bias" in n or n == "mean"]
factors = [p for n, p in model.named_parameters() if n in ("user.weight", "item.weight")]
optimizer = torch.optim.Adam(
    [{"params": factors, "weight_decay": 1e-3}, {"params": biases, "lr": 0.01}], lr=0.05
)
best, patience, state = float("inf"), 0, None
for epoch in range(25):
    model.train()
    for u, i, r in DataLoader(train, batch_size=32, shuffle=True):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(u, i), r)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        u, i, r = (torch.stack(column) for column in zip(*valid))
        error = (model(u, i) - r).pow(2).mean().sqrt().item()
    if epoch % 6 == 0:
        print(epoch, f"{loss.item():.3f} {error:.3f}")
    if error < best - 1e-4:
        best, patience, state = error, 0, {k: v.clone() for k, v in model.state_dict().items()}
    else:
        patience += 1
        if patience > 4:
            break
model.load_state_dict(state)
print(epoch > 3, f"{best:.3f}")
scores = model.user.weight @ model.item.weight.T + model.item_bias.weight.T
hidden = scores[0].masked_fill(known[0], -torch.inf)
print(hidden.topk(3).indices.shape, int(torch.isinf(hidden).sum()) == int(known[0].sum()))
