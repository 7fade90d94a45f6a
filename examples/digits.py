"""Train a small neural network to read handwritten digits.

The data are scikit-learn's 1,797 digits of 8 x 8 pixels, scanned from real forms.  Run it:

    python examples/digits.py

It trains for a few seconds with a progress bar, prints the accuracy on digits that it has not seen, draws the loss and some
predictions to ``out/digits.png``, saves the parameters to ``out/digits.pt``, and loads them again into a new network.
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
from minigrad import nn


def load():
    """Images as rows of 64 numbers in [0, 1], and labels; four fifths to train on, one fifth held out."""
    digits = load_digits()
    images = torch.tensor(digits.data / 16, dtype=torch.float32)
    labels = torch.tensor(digits.target)
    chosen = train_test_split(range(len(labels)), test_size=0.2, random_state=0, stratify=digits.target)
    train, test = (torch.tensor(rows) for rows in chosen)
    return (images[train], labels[train]), (images[test], labels[test])


def network():
    """A multi-layer perceptron: 64 pixels, two hidden layers, ten classes."""
    return nn.Sequential(
        nn.Linear(64, 128),
        nn.ReLU(),
        nn.Linear(128, 64),
        nn.ReLU(),
        nn.Linear(64, 10),
    )


def train(model, images, labels, epochs, batch=32):
    """Minimise the cross entropy with Adam; returns the loss of every step."""
    loss_function = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    progress = trange(epochs, desc="training", unit="epoch")
    for _ in progress:
        for rows in torch.randperm(len(labels)).split(batch):
            loss = loss_function(model(images[rows]), labels[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        progress.set_postfix(loss=f"{losses[-1]:.4f}")
    return losses


@torch.no_grad()
def accuracy(model, images, labels):
    """The share of images whose most probable class is the right one."""
    return (model(images).argmax(1) == labels).float().mean().item()


@torch.no_grad()
def draw(model, losses, images, labels, path):
    """The loss of every step, and the first held-out digits with what the network reads in them."""
    figure = plt.figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subfigures(1, 2)
    axes = left.subplots()
    axes.plot(losses, linewidth=0.8)
    axes.set(xlabel="step", ylabel="cross entropy", yscale="log", title="training loss")
    read = model(images[:20]).argmax(1)
    for cell, image, digit, label in zip(right.subplots(4, 5).flat, images, read.tolist(), labels.tolist()):
        cell.imshow(image.reshape(8, 8), cmap="gray_r")
        cell.set_title(digit, color="black" if digit == label else "red", fontsize=9)
        cell.axis("off")
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description="Train a small network on handwritten digits.")
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the picture and the parameters")
    parser.add_argument("--quick", action="store_true", help="a short run that only shows that everything works")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)

    torch.manual_seed(0)
    (images, labels), (held_out, truth) = load()
    model = network()
    losses = train(model, images, labels, epochs=8 if options.quick else options.epochs)
    reached = accuracy(model, held_out, truth)
    print(f"held-out accuracy: {reached:.4f}")

    picture, parameters = options.out / "digits.png", options.out / "digits.pt"
    draw(model, losses, held_out, truth, picture)
    torch.save(model.state_dict(), parameters)

    again = network()
    again.load_state_dict(torch.load(parameters))
    loaded = accuracy(again, held_out, truth)
    print(f"after loading {parameters}: {loaded:.4f}")
    print(f"see {picture}")
    if loaded != reached:
        raise SystemExit("the loaded parameters give another accuracy")
    if reached < (0.9 if options.quick else 0.96):
        raise SystemExit("the network has learnt too little")


if __name__ == "__main__":
    main()
