"""Training steps of the models that people train: with Adam, SGD or AdamW, one step each."""

from benchmarks.cases.training_steps import evenly, set_weights, trainer
from benchmarks.registry import Subject

models = Subject("Training steps of models")


@models.timed("16-32-32-1 tanh MLP, batch 32, Adam", bar=0.7)
def tanh_mlp(torch):
    nn = torch.nn
    layers = nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1)
    model = set_weights(torch, nn.Sequential(*layers))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
    return trainer(torch, model, nn.MSELoss(), optimizer, evenly(torch, 32, 16), evenly(torch, 32, 1))


@models.timed("784-256-128-10 ReLU MLP, batch 64, Adam", bar=0.9, bar_all=1.1, bar_fast=1.15)
def relu_mlp(torch):
    nn = torch.nn
    layers = nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10)
    model = set_weights(torch, nn.Sequential(*layers))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
    return trainer(
        torch, model, nn.CrossEntropyLoss(), optimizer, evenly(torch, 64, 784), torch.arange(64) % 10
    )


@models.timed("GPT blocks: 4 layers, width 128, T=64, B=16, AdamW", bar=1.2, bar_all=1.4, bar_fast=1.15)
def gpt_blocks(torch):
    nn, functional = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.LayerNorm(128), nn.LayerNorm(128)
            self.qkv, self.out = nn.Linear(128, 384), nn.Linear(128, 128)
            self.widen, self.narrow = nn.Linear(128, 512), nn.Linear(512, 128)

        def forward(self, x):
            b, t, c = x.shape
            q, k, v = (
                part.view(b, t, 4, 32).transpose(1, 2) for part in self.qkv(self.first(x)).split(c, dim=2)
            )
            heads = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.out(heads.transpose(1, 2).reshape(b, t, c))
            return x + self.narrow(functional.gelu(self.widen(self.second(x))))

    torch.manual_seed(0)
    model = nn.Sequential(*[Block() for _ in range(4)])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.001)
    x, y = evenly(torch, 16, 64, 128), evenly(torch, 16, 64, 128)
    return trainer(torch, model, nn.MSELoss(), optimizer, x, y)


@models.timed("LSTM: T=50, B=32, H=128, SGD", bar=2.0, bar_all=1.6, bar_fast=1.1)
def lstm(torch):
    nn = torch.nn
    torch.manual_seed(0)
    net = nn.LSTM(64, 128)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    return trainer(
        torch,
        lambda x: net(x)[0],
        nn.MSELoss(),
        optimizer,
        evenly(torch, 50, 32, 64),
        evenly(torch, 50, 32, 128),
    )


@models.timed("LeNet, batch 64, SGD", bar=2.0, bar_all=1.5, bar_fast=0.95)
def lenet(torch):
    nn = torch.nn
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )  # fmt: skip
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x = evenly(torch, 64, 1, 28, 28)
    return trainer(torch, model, nn.CrossEntropyLoss(), optimizer, x, torch.arange(64) % 10)


@models.timed("residual block with batch norm, 16x32x32x32, SGD", bar=2.0, bar_all=1.8, bar_fast=1.15)
def residual_block(torch):
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = (nn.Conv2d(32, 32, 3, padding=1, bias=False) for _ in range(2))
            self.norm1, self.norm2 = nn.BatchNorm2d(32), nn.BatchNorm2d(32)

        def forward(self, x):
            y = self.norm1(self.first(x)).relu()
            return (x + self.norm2(self.second(y))).relu()

    torch.manual_seed(0)
    model = Block()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x, y = evenly(torch, 16, 32, 32, 32), evenly(torch, 16, 32, 32, 32)
    return trainer(torch, model, nn.MSELoss(), optimizer, x, y)
