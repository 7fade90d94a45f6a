"""Fine-tune a residual network: frozen layers, and a last layer that is replaced.

A small ResNet learns the digits 0 to 6.  Then it shall read 7, 8 and 9, of which only a few images have labels.  Its layers know already what strokes
are: they are frozen, and only a new last layer is trained; after that, the last residual block as well, at a lower rate.  The same network from
scratch, on the same few images, is what to compare with.

    python examples/finetune_resnet.py

takes some seconds, and prints a table.
"""

import argparse
import copy

from sklearn.datasets import load_digits
from tqdm.auto import trange

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad.utils.data import DataLoader, TensorDataset


class Residual(nn.Module):
    """Two convolutions, whose result is added to what they were given."""

    def __init__(self, channels, out, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(out)
        self.conv2 = nn.Conv2d(out, out, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(out)
        self.shortcut = nn.Identity()
        if stride != 1 or channels != out:
            self.shortcut = nn.Sequential(
                nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out)
            )

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)), inplace=True)
        return F.relu(self.norm2(self.conv2(y)) + self.shortcut(x), inplace=True)


class ResNet(nn.Module):
    """Images (n, 1, 8, 8) -> scores (n, classes)."""

    def __init__(self, classes):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(inplace=True)
        )
        self.layer1 = Residual(16, 16)
        self.layer2 = Residual(16, 32, stride=2)
        self.layer3 = Residual(32, 64, stride=2)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(64, classes)

    def forward(self, x):
        x = self.layer3(self.layer2(self.layer1(self.stem(x))))
        return self.fc(self.pool(x).flatten(1))


def load():
    """Images and labels of the digits 0 to 6, and of 7 to 9 (whose labels count from 0 again)."""
    digits = load_digits()
    images = torch.tensor(digits.images / 8 - 1, dtype=torch.float32).unsqueeze(1)
    labels = torch.tensor(digits.target)
    low = labels < 7
    return (images[low], labels[low]), (images[~low], labels[~low] - 7)


def few_of_each(labels, count):
    """The rows of the first ``count`` examples of each class, and all other rows."""
    place = F.one_hot(labels).cumsum(0).gather(1, labels.unsqueeze(1)).squeeze(1)
    return (place <= count).nonzero().squeeze(1), (place > count).nonzero().squeeze(1)


def train(model, groups, images, labels, epochs, batch=32, frozen=()):
    """Train what the parameter groups name; the modules in ``frozen`` keep their batch statistics, too."""
    optimizer = torch.optim.AdamW(groups, lr=2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    model.train()
    for module in frozen:
        module.eval()
    loader = DataLoader(TensorDataset(images, labels), batch, shuffle=True)
    progress = trange(epochs, desc="training", unit="epoch", leave=False)
    for _ in progress:
        for some, their_labels in loader:
            loss = F.cross_entropy(model(some), their_labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
        progress.set_postfix(loss=f"{loss.item():.4f}", refresh=False)


@torch.no_grad()
def accuracy(model, images, labels):
    """The share of images whose class is found."""
    model.eval()
    return (model(images).argmax(1) == labels).float().mean().item()


def trainable(model):
    """How many numbers of a model are trained, and how many there are."""
    counts = [(p.numel(), p.requires_grad) for p in model.parameters()]
    return f"{sum(n for n, wanted in counts if wanted):>7,} of {sum(n for n, _ in counts):,}"


def main():
    parser = argparse.ArgumentParser(description="Fine-tune a residual network on handwritten digits.")
    parser.add_argument(
        "--labelled", type=int, default=5, help="how many images of each new digit have labels"
    )
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
    options = parser.parse_args()
    first, second, third = (3, 30, 15) if options.quick else (8, 100, 50)

    torch.manual_seed(0)
    (images, labels), (new_images, new_labels) = load()
    model = ResNet(classes=7)
    train(model, model.parameters(), images, labels, first)
    print(f"digits 0 to 6, {len(labels)} images: accuracy {accuracy(model, images, labels):.3f}")

    rows, others = few_of_each(new_labels, options.labelled)
    known, unknown = (new_images[rows], new_labels[rows]), (new_images[others], new_labels[others])
    print(f"digits 7 to 9, {len(rows)} images to learn from, {len(others)} held out:\n")
    print(f"{'':36}{'trained parameters':>20}   held-out accuracy")

    def report(name, model):
        reached = accuracy(model, *unknown)
        print(f"{name:36}{trainable(model):>20}   {reached:.3f}")
        return reached

    scratch = ResNet(classes=3)
    train(scratch, scratch.parameters(), *known, second)
    alone = report("from scratch", scratch)

    model.requires_grad_(False)
    model.fc = nn.Linear(model.fc.in_features, 3)  # a new layer requires grad
    before = copy.deepcopy(model.state_dict())
    frozen = [model.stem, model.layer1, model.layer2, model.layer3]
    wanted = [p for p in model.parameters() if p.requires_grad]
    train(model, [{"params": wanted, "lr": 1e-2}], *known, second, frozen=frozen)
    moved = {
        name.split(".")[0]
        for name, value in model.state_dict().items()
        if not torch.equal(value, before[name])
    }
    tuned = report("new last layer, all others frozen", model)
    if moved != {"fc"}:
        raise SystemExit(f"the layers that have changed: {sorted(moved)}")

    model.layer3.requires_grad_(True)
    groups = [{"params": model.layer3.parameters(), "lr": 5e-4}, {"params": model.fc.parameters()}]
    train(model, groups, *known, third, frozen=frozen)
    both = report("last block too, at a lower rate", model)
    if not options.quick and min(tuned, both) < alone:
        raise SystemExit("what was learnt before was of no use")
    if both < 0.6:
        raise SystemExit("the network has learnt too little")


if __name__ == "__main__":
    main()
