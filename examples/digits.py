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
from minigrad.utils.data import DataLoader, TensorDataset


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
        nn.Linear(64, 256),
        nn.ReLU(),
        nn.Dropout(0.3),
        nn.Linear(256, 128),
        nn.ReLU(),
        nn.Linear(128, 10),
    )


def train(model, images, labels, epochs, batch=32):
    """Minimise the cross entropy with Adam; returns the loss of every step."""
    loss_function = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    loader = DataLoader(TensorDataset(images, labels), batch, shuffle=True)
    losses = []
    model.train()
    progress = trange(epochs, desc="training", unit="epoch")
    for _ in progress:
        for some, their_labels in loader:
            loss = loss_function(model(some), their_labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        progress.set_postfix(loss=f"{losses[-1]:.4f}")
    model.eval()
    return losses


@torch.no_grad()
def accuracy(model, images, labels):
    """The share of images whose most probable class is the right one."""
    return (model(images).argmax(1) == labels).float().mean().item()


@torch.no_grad()
def draw(model, losses, images, labels, path):
    """The loss of every step, some held-out digits with what the network reads in them, and what it gets wrong."""
    read = model(images).argmax(1)
    wrong = (read != labels).nonzero()[:, 0]

    figure = plt.figure(figsize=(11, 5), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1, 1.1))
    axes = left.subplots()
    axes.plot(losses, color="lightsteelblue", linewidth=0.6, label="each step")
    window = min(40, len(losses))
    means = torch.tensor(losses).unfold(0, window, 1).mean(1)
    axes.plot(range(window - 1, len(losses)), means, color="navy", label=f"mean of {window} steps")
    axes.set(xlabel="step", ylabel="cross entropy", yscale="log", title="Training loss")
    axes.legend()

    above, below = right.subfigures(2, 1, height_ratios=(3, 1.2))
    above.suptitle(
        f"Held-out digits, and what the network reads: {len(labels) - len(wrong)} of {len(labels)} are right"
    )
    below.suptitle("What it gets wrong")
    show(above.subplots(3, 7), images, read, labels)
    show(below.subplots(1, 7, squeeze=False), images[wrong], read[wrong], labels[wrong])
    figure.savefig(path, dpi=120)
    plt.close(figure)


def show(cells, images, read, labels):
    """Draw as many images as there are cells, each under the digit that was read in it."""
    for cell in cells.flat:
        cell.axis("off")
    for cell, image, digit, label in zip(cells.flat, images, read.tolist(), labels.tolist()):
        cell.imshow(image.reshape(8, 8), cmap="gray_r")
        right = digit == label
        cell.set_title(
            digit if right else f"{digit}, is {label}", color="black" if right else "red", fontsize=10
        )


def main():
    parser = argparse.ArgumentParser(description="Train a small network on handwritten digits.")
    parser.add_argument("--epochs", type=int, default=25, help="how often the network sees each image")
    parser.add_argument(
        "--out", type=Path, default=Path("out"), help="folder for the picture and the parameters"
    )
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
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

    again = network().eval()
    again.load_state_dict(torch.load(parameters))
    loaded = accuracy(again, held_out, truth)
    print(f"after loading {parameters}: {loaded:.4f}")
    print(f"see {picture}")
    if loaded != reached:
        raise SystemExit("the loaded parameters give another accuracy")
    enough = 0.9 if options.quick else 0.96
    if reached < enough and (options.quick or options.epochs >= 25):
        raise SystemExit(f"the network has learnt too little: {enough} was to be expected")


if __name__ == "__main__":
    main()
