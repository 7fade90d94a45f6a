"""Tensors of both libraries in one process: what mixes them raises one error that names both."""

import sys
import types

import numpy as np
import pytest

import minigrad
from minigrad import nn

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

WORDS = r"^minigrad\.Tensor and torch\.Tensor do not mix: "

#: m: a tensor of minigrad; t: one of PyTorch.
MIXED = """
m + t; t + m; m - t; t - m; m * t; t * m; m / t; t / m; m @ t; t @ m; m ** t; t ** m; m // t; m % t; m < t; t < m; m == t; t == m; m & t
minigrad.add(m, t); minigrad.exp(t); minigrad.sum(t); minigrad.cat([m, t]); minigrad.stack([t]); minigrad.where(m > 0, t, m); minigrad.max(m, t)
minigrad.einsum("i,i", m, t); minigrad.matmul(m, t); minigrad.zeros_like(t); minigrad.linalg.norm(t); minigrad.softmax(t, 0); minigrad.clamp(m, t)
m.add_(t); m.copy_(t); m.__setitem__(0, t); m.__iadd__(t); p.add(t); p + t
nn.functional.relu(t); nn.functional.mse_loss(m, t); nn.functional.mse_loss(t, m); nn.Linear(2, 2)(t); nn.Parameter(t)
minigrad.ones(2, requires_grad=True).backward(t)
minigrad.ones(2, dtype=torch.float32); m.to(torch.float64)
torch.add(t, m); torch.exp(m); torch.sum(m); torch.cat([t, m]); torch.stack([m, m]); torch.where(t > 0, m, t); torch.zeros_like(m); torch.add(t, p)
torch.nn.functional.relu(m); torch.nn.functional.mse_loss(t, m); torch.nn.Linear(2, 2)(m); torch.nn.Linear(2, 2)(p); torch.einsum("i,i", t, m)
t.add_(m); t.copy_(m); t.__setitem__(0, m); t[m > 0]; t.add(p); t + p
"""


@pytest.mark.torch
@pytest.mark.parametrize(
    "mixed", [each.strip() for each in MIXED.replace("\n", ";").split(";") if each.strip()]
)
def test_mixing_names_both_libraries(mixed):
    torch = pytest.importorskip("torch")
    names = {"torch": torch, "minigrad": minigrad, "nn": nn}
    names |= {"t": torch.ones(2), "m": minigrad.ones(2), "p": nn.Parameter(minigrad.ones(2))}
    with pytest.raises(TypeError, match=WORDS):
        eval(mixed, names)


@pytest.mark.torch
def test_conversions_are_no_mixing():
    torch = pytest.importorskip("torch")
    t, m = torch.tensor([1.0, 2.0]), minigrad.tensor([1.0, 2.0])
    assert minigrad.from_dlpack(t).tolist() == torch.from_dlpack(m).tolist() == [1, 2]
    assert minigrad.tensor(t).tolist() == torch.tensor(m).tolist() == [1, 2]
    assert not minigrad.is_tensor(t) and not torch.is_tensor(m) and not isinstance(m, torch.Tensor)
    assert np.add(m.numpy(), t.numpy()).tolist() == [2, 4]


class Tensor:
    """Stands for PyTorch's, in a module of its name."""

    __module__ = "torch"

    def __radd__(self, other):
        return "radd"


def test_the_other_library_is_known_by_its_name(monkeypatch):
    """Without PyTorch: another library's operands are asked as before, unless it is PyTorch."""
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    m, other = minigrad.ones(2), Tensor()
    assert m + other == "radd"
    with pytest.raises(TypeError, match="must be Tensor, not Tensor"):
        minigrad.exp(other)
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(Tensor=Tensor, __version__="0.0"))
    for mixed in (
        lambda: m + other,
        lambda: minigrad.exp(other),
        lambda: m.__torch_function__(len, (), (other,)),
    ):
        with pytest.raises(TypeError, match=WORDS) as raised:
            mixed()
        assert "a torch.Tensor of PyTorch 0.0 was given" in str(raised.value)
    assert (m + 1).tolist() == [2, 2]
    monkeypatch.setitem(sys.modules, "torch", minigrad)  # the alias
    assert m + other == "radd"
