"""A graph convolution network finds the communities of a graph, of which it is told two members each.

The graph is random: people in four groups, who mostly know people of their own group.  Each layer takes the mean over a person's acquaintances, which is a product with a sparse
matrix.  It trains for some seconds with a progress bar, prints the accuracy on people of whom it was told nothing, and draws what the network sees into graph_network.png.

    python examples/graph_network.py [--quick]
"""

import argparse

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
from tqdm.auto import trange

import minigrad as torch
from minigrad import nn

GROUPS, MEMBERS = 4, 60


def acquaintances():
    """(the group of each person, the two ends of each acquaintance, in both directions)."""
    group = torch.arange(GROUPS).repeat_interleave(MEMBERS)
    same = group.unsqueeze(0) == group.unsqueeze(1)
    known = torch.rand(len(group), len(group)) < torch.where(same, 0.12, 0.01)
    pairs = known.triu(1).nonzero().t()
    return group, torch.cat([pairs, pairs.flip(0)], 1)


def normalised(pairs, count):
    """The graph as a sparse matrix, each person known to themselves, whose product with features takes means of neighbours."""
    itself = torch.arange(count).repeat(2, 1)
    indices = torch.cat([pairs, itself], 1)
    degree = torch.zeros(count).index_add(0, indices[0], torch.ones(indices.shape[1]))
    weights = (degree[indices[0]] * degree[indices[1]]).rsqrt()
    return torch.sparse_coo_tensor(indices, weights, (count, count)).coalesce()


class GraphNetwork(nn.Module):
    """Two layers of graph convolution over features that are learned, one row for each person."""

    def __init__(self, graph, width=16):
        super().__init__()
        self.graph = graph
        self.features = nn.Parameter(torch.randn(graph.shape[0], width))
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, GROUPS)

    def hidden(self):
        return torch.relu(torch.sparse.mm(self.graph, self.first(self.features)))

    def forward(self):
        return torch.sparse.mm(self.graph, self.second(self.hidden()))


def draw(model, group, pairs, told, path):
    """The people where the first two principal components of the hidden layer have them, and who knows whom."""
    with torch.no_grad():
        hidden = model.hidden()
        hidden = hidden - hidden.mean(0)
        plane = (hidden @ torch.linalg.svd(hidden, full_matrices=False)[2][:2].t()).numpy()
        found = model().argmax(1)
    figure, axes = plt.subplots(figsize=(7, 6), layout="constrained")
    ends = plane[pairs[:, : pairs.shape[1] // 2].numpy()]
    axes.plot(ends[..., 0], ends[..., 1], color="0.85", linewidth=0.4, zorder=0)
    axes.scatter(*plane.T, c=found.numpy(), cmap="tab10", s=18)
    axes.scatter(*plane[told.numpy()].T, facecolors="none", edgecolors="black", s=90, label="group was told")
    wrong = (found != group).numpy()
    axes.scatter(*plane[wrong].T, marker="x", color="black", s=40, label="put in a wrong group")
    axes.set(title="What the first layer has learned, in two dimensions", xticks=[], yticks=[])
    axes.legend()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer steps")
    steps = 40 if parser.parse_args().quick else 200

    torch.manual_seed(0)
    group, pairs = acquaintances()
    model = GraphNetwork(normalised(pairs, len(group)))
    told = torch.cat([torch.tensor([0, 1]) + MEMBERS * g for g in range(GROUPS)])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-3)

    progress = trange(steps, desc="training", unit="step")
    for _ in progress:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model()[told], group[told])
        loss.backward()
        optimizer.step()
        progress.set_postfix(loss=f"{loss.item():.4f}")

    others = torch.ones(len(group), dtype=torch.bool)
    others[told] = False
    right = (model().argmax(1) == group)[others].double().mean().item()
    print(
        f"{len(group)} people, {pairs.shape[1] // 2} acquaintances; told the group of {len(told)}, found that of {right:.1%} of the others"
    )
    draw(model, group, pairs, told, "graph_network.png")
    print("drawn: graph_network.png")


if __name__ == "__main__":
    main()
