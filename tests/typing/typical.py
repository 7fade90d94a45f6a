"""A training program as people write it for PyTorch, for type checkers: it gives them nothing to complain about, and it runs."""

import math
from collections.abc import Iterator

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import Tensor, nn, optim
from minigrad.optim.lr_scheduler import CosineAnnealingLR, StepLR
from minigrad.utils.data import DataLoader, Dataset, TensorDataset, random_split


class Waves(Dataset[tuple[Tensor, Tensor]]):
    """Points of a sine."""

    def __init__(self, size: int) -> None:
        self.x = torch.linspace(-math.pi, math.pi, size).unsqueeze(1)

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        return self.x[index], torch.sin(self.x[index])


class Block(nn.Module):
    """A layer with a shortcut."""

    def __init__(self, width: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(width, width), nn.LayerNorm(width), nn.GELU(), nn.Dropout(p=dropout)
        )
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = x + self.scale * self.layers(x)
        return out


class Network(nn.Module):
    """Blocks between two maps."""

    def __init__(self, width: int = 16, depth: int = 2) -> None:
        super().__init__()
        self.first = nn.Linear(1, width, bias=False)
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])
        self.last = nn.Linear(width, 1)
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.first(x))
        for block in self.blocks:
            x = F.dropout(block(x), p=0.1, training=self.training)
        result: Tensor = self.last(x)
        return result


def accuracy(logits: Tensor, labels: Tensor) -> float:
    return (logits.argmax(dim=1) == labels).float().mean().item()


@torch.no_grad()
def evaluate(model: nn.Module, batches: DataLoader[tuple[Tensor, Tensor]]) -> float:
    model.eval()
    losses = [F.mse_loss(model(x), y).item() for x, y in batches]
    return sum(losses) / len(losses)


def convolutional() -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(1, 4, kernel_size=3, padding=1),
        nn.BatchNorm2d(4),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(16, 3),
    )


def gradients(model: nn.Module) -> Iterator[Tensor]:
    for parameter in model.parameters():
        if parameter.grad is not None:
            yield parameter.grad


def main() -> None:
    torch.manual_seed(0)
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.deterministic = False
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train, test = random_split(Waves(64), [48, 16], generator=torch.Generator().manual_seed(1))
    batches = DataLoader(train, batch_size=16, shuffle=True)
    model = Network().to(device)
    criterion = nn.MSELoss()
    optimizer = optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.99), weight_decay=0.01)
    scheduler = CosineAnnealingLR(optimizer, T_max=3)
    for _ in range(3):
        model.train()
        for x, y in batches:
            optimizer.zero_grad(set_to_none=True)
            loss = criterion(model(x.to(device)), y.to(device))
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
            optimizer.step()
        scheduler.step()
    assert evaluate(model, DataLoader(test, batch_size=8)) < 2
    assert all(bool(torch.isfinite(gradient).all()) for gradient in gradients(model))

    classes = torch.tensor([0, 1, 2])
    images = torch.randn(3, 1, 4, 4, requires_grad=True)
    network = convolutional()
    with torch.no_grad():
        before = F.softmax(network(images), dim=-1)
    with torch.enable_grad(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=False):
        logits = network(images)
        F.cross_entropy(logits, classes, label_smoothing=0.1).backward()
    with torch.inference_mode():
        assert before.shape == network(images).shape
    sgd = optim.SGD(network.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    sgd.step()
    StepLR(sgd, step_size=1, gamma=0.5).step()
    state = {"model": network.state_dict(), "optimizer": sgd.state_dict()}
    network.load_state_dict(state["model"])
    sgd.load_state_dict(state["optimizer"])
    assert 0 <= accuracy(logits, classes) <= 1
    (gradient,) = torch.autograd.grad(network(images).sum(), [images])
    joined = torch.cat([gradient, torch.zeros_like(gradient)], dim=0)
    values, indices = torch.max(joined.flatten(1), dim=1)
    assert values.size(0) == indices.numel() == len(TensorDataset(joined)) == 6
    assert nn.init.xavier_uniform_(torch.empty(2, 2)).shape == torch.Size([2, 2])


if __name__ == "__main__":
    main()
