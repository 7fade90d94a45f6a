"""A variational autoencoder that learns to draw handwritten digits.

An encoder says where in a plane each image lies, as a Gaussian; a decoder draws what lies at a place.  Both learn together, by the evidence lower
bound, with the reparametrisation z = mean + deviation * noise.  The data are scikit-learn's digits of 8 x 8 pixels.

    python examples/digits_vae.py

draws ``out/digits_vae.png``: images and what is left of them after the plane, the plane with all images on it, and what the decoder draws all over it.
"""

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # draw to a file, also where there is no screen
import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from tqdm.auto import trange

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad.utils.data import DataLoader


class VAE(nn.Module):
    """Images (n, 64) with pixels in [0, 1] <-> places in a plane (n, 2)."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(64, 256), nn.SiLU(), nn.Linear(256, 128), nn.SiLU(), nn.Linear(128, 4)
        )
        self.decoder = nn.Sequential(
            nn.Linear(2, 128), nn.SiLU(), nn.Linear(128, 256), nn.SiLU(), nn.Linear(256, 64)
        )

    def encode(self, images):
        """The mean and the logarithm of the variance of each image's place."""
        return self.encoder(images).chunk(2, dim=1)

    def decode(self, places):
        """The brightness of each pixel."""
        return torch.sigmoid(self.decoder(places))

    def forward(self, images):
        mean, log_variance = self.encode(images)
        places = mean + torch.exp(log_variance / 2) * torch.randn_like(mean)
        return self.decoder(places), mean, log_variance


def costs(model, images):
    """What an image costs, in nats: to draw it given its place, and to say the place (the Kullback-Leibler divergence)."""
    logits, mean, log_variance = model(images)
    drawing = F.binary_cross_entropy_with_logits(logits, images, reduction="sum")
    place = -0.5 * torch.sum(1 + log_variance - mean**2 - log_variance.exp())
    return drawing / len(images), place / len(images)


def train(model, images, epochs, batch=64):
    """Minimise the sum of both costs; returns their means of every epoch."""
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    loader = DataLoader(images, batch, shuffle=True)
    history = []
    progress = trange(epochs, desc="training", unit="epoch")
    for _ in progress:
        seen = []
        for some in loader:
            drawing, place = costs(model, some)
            optimizer.zero_grad()
            (drawing + place).backward()
            optimizer.step()
            seen.append([drawing.item(), place.item()])
        schedule.step()
        history.append(torch.tensor(seen).mean(0).tolist())
        progress.set_postfix(drawing=f"{history[-1][0]:.2f}", place=f"{history[-1][1]:.2f}")
    return history


def tiled(images, rows):
    """Images (n, 64) as one large image, ``rows`` of them below each other, with white between them."""
    grid = F.pad(images.reshape(rows, -1, 8, 8), (1, 1, 1, 1))
    return grid.permute(0, 2, 1, 3).reshape(rows * 10, -1)


@torch.no_grad()
def draw(model, images, labels, path, side=15):
    """Images beside what becomes of them; where they lie; what lies everywhere."""
    means, _ = model.encode(images)
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(15, 5), layout="constrained")
    pairs = torch.stack([images[:48].reshape(6, 8, 64), model.decode(means[:48]).reshape(6, 8, 64)], 1)
    left.imshow(tiled(pairs.flatten(0, 2), 12), cmap="gray_r")
    left.set(xticks=[], yticks=[], title="Images, and below them what is left")
    for digit in range(10):
        middle.scatter(*means[labels == digit].t(), s=6, label=digit)
    middle.legend(title="digit", loc="center left", bbox_to_anchor=(1, 0.5))
    middle.set(title="Where the images lie", aspect="equal")
    # places at equal steps of probability, so that the picture shows the plane as densely as images lie in it
    steps = torch.special.ndtri(torch.linspace(0.02, 0.98, side))
    rows, columns = torch.meshgrid(steps.flip(0), steps, indexing="ij")
    right.imshow(tiled(model.decode(torch.stack([columns, rows], -1).reshape(-1, 2)), side), cmap="gray_r")
    right.set(xticks=[], yticks=[], title="What the decoder draws there")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description="Train a variational autoencoder on handwritten digits.")
    parser.add_argument("--epochs", type=int, default=400)
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the picture")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)

    torch.manual_seed(0)
    digits = load_digits()
    images, labels = torch.tensor(digits.data / 16, dtype=torch.float32), torch.tensor(digits.target)
    model = VAE()
    history = train(model, images, epochs=12 if options.quick else options.epochs)
    for name, (drawing, place) in (("first", history[0]), ("last", history[-1])):
        print(
            f"{name:5} epoch: {drawing + place:6.2f} nats for an image: {drawing:.2f} to draw it, {place:.2f} for its place"
        )
    picture = options.out / "digits_vae.png"
    draw(model, images, labels, picture)
    print(f"see {picture}")
    if sum(history[-1]) > sum(history[0]) - (4 if options.quick else 7.5):
        raise SystemExit("the autoencoder has learnt too little")


if __name__ == "__main__":
    main()
