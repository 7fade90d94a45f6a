"""Two communities of a graph are told apart from two labelled nodes: convolution by a normalised dense adjacency, and attention."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)
n = 30
community = (torch.arange(n) >= n // 2).long()
same = community[:, None] == community[None, :]
adjacency = torch.bernoulli(torch.where(same, 0.4, 0.05)).triu(1)
adjacency = adjacency + adjacency.T
print(int(adjacency.sum()) // 2, "edges,", int((adjacency.sum(1) == 0).sum()), "nodes alone")


def normalise(a):
    a = a + torch.eye(len(a))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GraphConvolution(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inside, outside))
        self.bias = nn.Parameter(torch.zeros(outside))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, a):
        return a @ (x @ self.weight) + self.bias

    def extra_repr(self):
        return "{}, {}".format(*self.weight.shape)


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = GraphConvolution(n, 16), GraphConvolution(16, 2)

    def forward(self, x, a):
        x = F.dropout(F.relu(self.first(x, a)), 0.5, self.training)
        return F.log_softmax(self.second(x, a), dim=1)


class GraphAttention(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.linear, self.score = nn.Linear(inside, outside, bias=False), nn.Linear(2 * outside, 1)

    def forward(self, x, a):
        h = self.linear(x)
        pairs = torch.cat([h.unsqueeze(1).expand(-1, len(h), -1), h.unsqueeze(0).expand(len(h), -1, -1)], -1)
        e = F.leaky_relu(self.score(pairs).squeeze(-1), 0.2).masked_fill(a == 0, float("-inf"))
        return F.elu(torch.softmax(e, 1).nan_to_num() @ h)


model, x, a = GCN(), torch.eye(n), normalise(adjacency)
print(model)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
mask = torch.zeros(n, dtype=torch.bool).index_fill_(0, torch.tensor([0, n - 1]), True)
for epoch in range(60):
    model.train()
    out = model(x, a)
    loss = F.nll_loss(out[mask], community[mask])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 20 == 19:
        print(epoch, f"{loss.item():.4f}")
model.eval()
print((model(x, a).argmax(1) == community)[~mask].float().mean().item())
out = GraphAttention(n, 4)(x, a)
print(out.shape, out.mean().item())
