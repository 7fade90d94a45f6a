"""A pretrained trunk is frozen, gets a new head, is trained, and then fine-tuned with a smaller rate for the trunk."""

import torch
from torch import nn

torch.manual_seed(0)


class Trunk(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU()
        )
        self.classifier = nn.Linear(16, 5)

    def forward(self, x):
        return self.classifier(self.features(x))


def fit(model, optimizer, x, y, steps):
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


model = Trunk()
x = torch.randn(128, 10)
print("pretrain", fit(model, torch.optim.Adam(model.parameters(), lr=0.01), x, x[:, :5].argmax(1), 40))
state = {k: v.clone() for k, v in model.state_dict().items()}

for param in model.parameters():
    param.requires_grad = False
model.classifier = nn.Linear(model.classifier.in_features, 2)
trainable = [name for name, p in model.named_parameters() if p.requires_grad]
print(trainable)
y = (x[:, 0] > x[:, 7]).long()
model.features[1].eval()
optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, model.parameters()), lr=0.01, momentum=0.9)
print("head", fit(model, optimizer, x, y, 20))
same = [torch.equal(v, state[k]) for k, v in model.state_dict().items() if k.startswith("features.0")]
print(same, model.features[0].weight.grad.norm().item(), model.classifier.weight.grad.shape)

for param in model.features.parameters():
    param.requires_grad_(True)
optimizer = torch.optim.Adam(
    [{"params": model.features.parameters(), "lr": 1e-4}, {"params": model.classifier.parameters()}], lr=1e-2
)
print([group["lr"] for group in optimizer.param_groups])
print("finetune", fit(model, optimizer, x, y, 6))
missing, unexpected = Trunk().load_state_dict(
    {k: v for k, v in model.state_dict().items() if "classifier" not in k}, strict=False
)
print(missing, unexpected)
model.eval()
with torch.no_grad():
    print((model(x).argmax(1) == y).float().mean().item() > 0.6)
