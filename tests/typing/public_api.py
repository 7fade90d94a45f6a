"""A program as a user writes it, for the type checker: every ``assert_type`` is checked by mypy, and the program runs."""

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

import minigrad as torch
from minigrad import Tensor, nn
from minigrad.autograd import Function

if TYPE_CHECKING:
    from typing import assert_type
else:

    def assert_type(value, kind):
        return value


class Cube(Function):
    """A function with a derivative of its own."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad


class Regression(nn.Module):
    """A linear model of one input."""

    def __init__(self, scale: float) -> None:
        super().__init__()
        self.scale = scale
        self.layer = nn.Linear(1, 1)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.layer(x) * self.scale
        return out


def tensors() -> None:
    x = torch.tensor([[3.0, 1.0], [2.0, 4.0]], dtype=torch.float64)
    assert_type(x, Tensor)
    assert_type(x + 1, Tensor)
    assert_type(1 / x, Tensor)
    assert_type(x @ x.T, Tensor)
    assert_type(x == x, Tensor)
    assert_type(-x, Tensor)
    assert_type(x[0], Tensor)
    assert_type(torch.zeros(2, 3), Tensor)
    assert_type(torch.sum(x, dim=1, keepdim=True), Tensor)
    assert_type(x.mean(), Tensor)
    assert_type(x.max(), Tensor)
    largest = x.max(dim=1)
    assert_type(largest.values, Tensor)
    assert_type(largest.indices, Tensor)
    values, order = torch.sort(x, dim=1)
    assert_type(values, Tensor)
    assert_type(order, Tensor)
    assert_type(x.numel(), int)
    assert_type(x.dim(), int)
    assert_type(x.size(), torch.Size)
    assert_type(x.size(0), int)
    assert_type(x.stride(), tuple[int, ...])
    assert_type(x.shape, torch.Size)
    assert_type(x.dtype, torch.dtype)
    assert_type(torch.float32, torch.dtype)
    assert_type(x.device, torch.device)
    assert_type(x.is_contiguous(), bool)
    assert_type(len(x), int)
    assert_type(float(x[0, 0]), float)
    assert_type(bool(x[0, 0] > 2), bool)
    assert_type(x.sum().item(), int | float | bool)
    assert_type(x.tolist(), Any)
    assert_type(x.nonzero(), Tensor)
    assert_type(x.nonzero(as_tuple=True), tuple[Tensor, ...])
    assert_type(x.split(1), tuple[Tensor, ...])
    assert_type(torch.where(x > 2, x, 0.0), Tensor)
    assert_type(x.where(x > 2, 0.0), Tensor)
    assert_type(iter(x), Iterator[Tensor])
    assert_type(x.add_(1), Tensor)
    assert_type(x.numpy(), np.ndarray[Any, Any])
    assert_type(torch.equal(x, x.clone()), bool)
    assert_type(torch.inf, float)
    for row in x:
        assert_type(row, Tensor)


def autograd() -> None:
    x = torch.ones(3, requires_grad=True)
    assert_type(x.requires_grad, bool)
    handle = x.register_hook(lambda grad: grad * 2)
    y: Tensor = Cube.apply(x)
    y.sum().backward()
    handle.remove()
    assert_type(x.grad, Tensor | None)
    if x.grad is not None:
        assert x.grad.tolist() == [6.0, 6.0, 6.0]
    node = y.grad_fn
    if node is not None:
        assert_type(node.name(), Any)
    grads = torch.autograd.grad((x * x).sum(), [x], create_graph=True)
    assert_type(grads, tuple[Tensor, ...])
    with torch.no_grad():
        assert_type(x * 2, Tensor)


def distributions() -> None:
    normal = torch.distributions.Normal(0.0, 1.0)
    assert_type(normal, torch.distributions.Normal)
    assert_type(normal.expand(torch.Size([2])).batch_shape, Any)
    assert torch.distributions.kl_divergence(normal, normal) == 0
    assert torch.distributions.constraints.positive.check(torch.ones(1))


def training() -> None:
    torch.manual_seed(0)
    x = torch.linspace(-1, 1, 16).unsqueeze(1)
    model = Regression(scale=2.0)
    sequence = nn.Sequential(model, nn.Identity())
    loss_function = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    for _ in range(200):
        loss: Tensor = loss_function(sequence(x), 3 * x + 1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    for parameter in model.parameters():
        assert_type(parameter, nn.Parameter)
    for name, parameter in model.named_parameters():
        assert_type(name, str)
        assert_type(parameter, nn.Parameter)
    assert_type(model.scale, float)
    assert_type(nn.functional.relu(x), Tensor)
    assert loss.item() < 0.01

    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    file.seek(0)
    again = Regression(scale=2.0)
    again.load_state_dict(torch.load(file))
    assert torch.equal(again(x), model(x))


def main() -> None:
    tensors()
    autograd()
    distributions()
    training()


if __name__ == "__main__":
    main()
