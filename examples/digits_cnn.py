"""Train a convolutional network to read handwritten digits, and see what it confuses.

The data are scikit-learn's 1,797 digits of 8 x 8 pixels.  Convolutions with batch norm, dropout, images that are shifted at random, SGD with a rate
that rises and falls once (OneCycleLR).

    python examples/digits_cnn.py

It prints the accuracy on digits that it has not seen, and draws the run, the confusions and the first layer's filters to ``out/digits_cnn.png``.
"""

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # draw to a file, also where there is no screen
import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tqdm.auto import trange

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad.utils.data import DataLoader, TensorDataset


def load():
    """Images (n, 1, 8, 8) with pixels in [0, 1], and labels; three quarters to train on, one quarter held out."""
    digits = load_digits()
    images = torch.tensor(digits.images / 16, dtype=torch.float32).unsqueeze(1)
    labels = torch.tensor(digits.target)
    chosen = train_test_split(range(len(labels)), random_state=0, stratify=digits.target)
    train, test = (torch.tensor(rows) for rows in chosen)
    return (images[train], labels[train]), (images[test], labels[test])


class CNN(nn.Module):
    """Two convolutions at full size, one at half size, ten classes."""

    def __init__(self):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(1, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16)
        self.conv2, self.norm2 = nn.Conv2d(16, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32)
        self.conv3, self.norm3 = nn.Conv2d(32, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64)
        self.dropout = nn.Dropout(0.3)
        self.classes = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.norm1(self.conv1(x)))
        x = F.max_pool2d(F.relu(self.norm2(self.conv2(x))), 2)
        x = F.relu(self.norm3(self.conv3(x)))
        return self.classes(self.dropout(F.adaptive_avg_pool2d(x, 1).flatten(1)))


def shifted(images):
    """The images of a batch, moved together by at most one pixel in each direction."""
    down, right = torch.randint(3, (2,)).tolist()
    return F.pad(images, (1, 1, 1, 1))[:, :, down : down + 8, right : right + 8]


@torch.no_grad()
def read(model, images):
    """The digit that the network reads in each image."""
    model.eval()
    return model(images).argmax(1)


def train(model, images, labels, held_out, truth, epochs, batch=50):
    """Train, and return the loss of every step and the held-out accuracy after every epoch."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4, nesterov=True)
    loader = DataLoader(TensorDataset(images, labels), batch, shuffle=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=0.1, epochs=epochs, steps_per_epoch=len(loader)
    )
    losses, accuracies = [], []
    progress = trange(epochs, desc="training", unit="epoch")
    for _ in progress:
        model.train()
        for some, their_labels in loader:
            loss = F.cross_entropy(model(shifted(some)), their_labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        accuracies.append((read(model, held_out) == truth).float().mean().item())
        progress.set_postfix(loss=f"{losses[-1]:.4f}", held_out=f"{accuracies[-1]:.4f}")
    return losses, accuracies


def confusions(found, truth):
    """How often digit i was read as digit j: (10, 10)."""
    return torch.bincount(truth * 10 + found, minlength=100).reshape(10, 10)


def draw(model, losses, accuracies, table, path):
    """The run, what was read as what, and the filters of the first layer."""
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(14, 4.5), layout="constrained")
    epoch = torch.arange(1, len(losses) + 1) * (len(accuracies) / len(losses))
    left.plot(epoch, losses, color="lightsteelblue", linewidth=0.6, label="loss of each step")
    errors = 1 - torch.tensor(accuracies)
    left.plot(range(1, len(errors) + 1), errors.clamp(min=1e-3), color="navy", label="held-out errors")
    left.set(xlabel="epoch", yscale="log", title="Training")
    left.legend()

    off = table.clone()
    off.fill_diagonal_(0)
    middle.imshow(off, cmap="Reds", vmax=max(5, 2 * off.max().item()))
    for (row, column), count in zip(
        torch.cartesian_prod(*[torch.arange(10)] * 2).tolist(), table.flatten().tolist()
    ):
        if count:
            middle.text(column, row, count, ha="center", va="center", fontsize=8)
    middle.set(xticks=range(10), yticks=range(10), xlabel="read", ylabel="is", title="What is read as what")

    filters = model.conv1.weight.detach().reshape(4, 4, 3, 3)
    tiled = F.pad(filters, (1, 0, 1, 0), value=float("nan")).permute(0, 2, 1, 3).reshape(16, 16)
    right.imshow(tiled[1:, 1:], cmap="coolwarm")
    right.set(xticks=[], yticks=[], title="The 16 filters of the first layer")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description="Train a convolutional network on handwritten digits.")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the picture")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)

    torch.manual_seed(0)
    (images, labels), (held_out, truth) = load()
    model = CNN()
    print(model)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters")
    losses, accuracies = train(
        model, images, labels, held_out, truth, epochs=3 if options.quick else options.epochs
    )
    table = confusions(read(model, held_out), truth)
    print(
        f"held-out accuracy: {accuracies[-1]:.4f}; {len(truth) - table.trace().item()} of {len(truth)} are wrong"
    )
    picture = options.out / "digits_cnn.png"
    draw(model, losses, accuracies, table, picture)
    print(f"see {picture}")
    if accuracies[-1] < (0.9 if options.quick else 0.98):
        raise SystemExit("the network has learnt too little")


if __name__ == "__main__":
    main()
