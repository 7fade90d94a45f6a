"""What must work in an environment that has the wheel and NumPy and nothing else: run from a folder without the sources."""

import importlib.metadata
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import minigrad as torch

PACKAGE = Path(torch.__file__).parent
assert "site-packages" in PACKAGE.parts, f"not the installed package: {PACKAGE}"
assert importlib.metadata.version("minigrad-numpy") == torch.__version__ == torch.version.minigrad
assert all((PACKAGE / name).is_file() for name in ("py.typed", "__init__.pyi", "nn/functional.pyi"))

torch.manual_seed(0)
x = torch.randn(256, 1, 12, 12)
y = (x.mean((1, 2, 3)) > 0).long()
model = torch.nn.Sequential(
    torch.nn.Conv2d(1, 4, 3),
    torch.nn.BatchNorm2d(4),
    torch.nn.ReLU(),
    torch.nn.Flatten(),
    torch.nn.Linear(400, 2),
)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(40):
    loss = torch.nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
assert loss.item() < 0.2, loss  # it begins at 0.7

f = torch.func.vmap(torch.func.grad(lambda a: np.sum(np.sin(a) ** 2)))
a = torch.arange(6.0).reshape(2, 3)
assert torch.allclose(f(a), torch.sin(2 * a))

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "model.pt"
    torch.save(model.state_dict(), path)
    loaded = torch.load(path)
    assert all(torch.equal(loaded[name], value) for name, value in model.state_dict().items())
    script = Path(folder) / "script.py"
    script.write_text("import torch\nprint(torch.ones(2).sum())\n")
    for arguments, expected in (
        ([script], "tensor(2.)"),
        (["inspect", path], "PyTorch zip archive, 9 tensors"),
        (["convert", path, path.with_suffix(".npz")], "9 tensors"),
        (["env"], "minigrad-numpy"),
    ):
        command = [sys.executable, "-m", "minigrad", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
        assert expected in done.stdout, done.stdout

print(
    f"minigrad {torch.__version__}, NumPy {np.__version__}, Python {sys.version.split()[0]}: works as installed"
)
