"""``onnx.export`` of programs whose sizes depend on elements, or do something else where a size is 1: right for all of them, or refused by name."""

import pytest

import minigrad as torch
import minigrad.nn.functional as F
from minigrad.export import Dim
from minigrad.onnx.errors import ConversionError
from tests.onnx.checked_exports import check
from tests.onnx.exported_cases import Call

#: A few positive elements, then more and fewer.
EXAMPLE = torch.tensor([[1.0, -2.0, 3.0], [4.0, -5.0, 6.0], [-1.0, 2.0, 0.5]])
OTHERS = -EXAMPLE, EXAMPLE.abs()
WITH_OTHER_COUNTS = {
    "numbers": lambda x: (
        x[x > 0].sum() / x[x > 0].shape[0],
        x * len(x.masked_select(x > 0)),
        x[x > 0].numel() + x,
    ),
    "statistics": lambda x: (
        x[x > 0].var(),
        x[x > 0].std(),
        x[x > 0].median(),
        F.mse_loss(x[x > 0], x[x > 0] * 2),
    ),
    "made": lambda x: (
        torch.arange(x[x > 0].numel()),
        torch.zeros_like(x[x > 0]),
        x[0, 0].expand(x[x > 0].shape[0]),
    ),
    "steps": lambda x: torch.linspace(0, 1, x[x > 0].numel()),
    "shaped": lambda x: (
        x[x > 0].view(x[x > 0].shape[0], 1),
        x[x > 0].repeat_interleave(2),
        x[x > 0].split(2)[0],
    ),
    "moved": lambda x: (x[x > 0].roll(2), x[x > 0].sort()[0], x[x > 0].narrow(0, -2, 2), x[x > 0].flip(0)),
    "rows": lambda x: (
        F.layer_norm(x[:, 0][x[:, 0] > 0], (x[:, 0][x[:, 0] > 0].numel(),)),
        (x[x[:, 0] > 0] @ x.T),
    ),
    "two of one mask": lambda x: (x[x > 0] * (x * 2)[x > 0]).mean() * x[x > 0].numel(),
    "places": lambda x: (
        torch.nonzero(x > 0).shape[0] * x,
        torch.where(x > 0)[0] * torch.nonzero(x > 0).shape[0],
    ),
    "different": lambda x: torch.unique(x.abs().round()).shape[0] + x,
    "beside numbers": lambda x: x[:, None].expand(3, 2, 3)[x[:, 0] > 0, 1].var(0, unbiased=False),
}


def write_last(x):
    y = x[x > 0]
    y[-1] = 9.0
    return y


@pytest.mark.parametrize("name", [*WITH_OTHER_COUNTS, "written"])
def test_counts_differ_from_call_to_call(name):
    module = Call(WITH_OTHER_COUNTS.get(name, write_last)).eval()
    program = torch.onnx.export(module, (EXAMPLE,))
    for x in (EXAMPLE, *OTHERS):
        check(program, module, x)


def test_counts_beside_a_dynamic_batch():
    module = Call(lambda x: x[x > 0].sum() / (x[x > 0].shape[0] * x.shape[0])).eval()
    program = torch.onnx.export(module, (EXAMPLE,), dynamic_shapes=({0: "batch"},))
    for x in (EXAMPLE, OTHERS[0][:2], OTHERS[1][:1], torch.cat(OTHERS)):
        check(program, module, x)


def test_two_masks_that_happen_to_choose_equally_many():
    module = Call(lambda x: x[0][x[0] > 0].sum() * x[1][x[1] > 0].shape[0]).eval()
    program = torch.onnx.export(module, (EXAMPLE,))
    for x in (EXAMPLE, torch.tensor([[1.0, 2.0, 3.0], [0.0, 0.0, 5.0], [0.0, 0.0, 0.0]])):
        check(program, module, x)


def test_masks_of_the_model_itself_are_numbers():
    keep = torch.tensor([True, False, True])
    module = Call(lambda x: torch.stack([*x[:, keep].unbind(1)])).eval()
    check(torch.onnx.export(module, (EXAMPLE,)), module, EXAMPLE)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * 2 if x[x > 0].shape[0] > 2 else x,
        lambda x: x.sum() if x[x > 0].numel() == 0 else x[x > 0].sum(),
        lambda x: sum(each.exp() for each in x[x[:, 0] > 0]),
        lambda x: x[x > 0].squeeze(),
    ],
)
def test_programs_that_counts_decide_are_refused(function):
    with pytest.raises((RuntimeError, ConversionError), match=r"how many elements|dynamic number|is dynamic"):
        torch.onnx.export(Call(function).eval(), (EXAMPLE,))


SQUEEZED = torch.arange(6.0).view(2, 3, 1)


@pytest.mark.parametrize(
    "function", [lambda x: x.squeeze() * 2, lambda x: x.squeeze(0), lambda x: x + 1 if x.shape[0] == 1 else x]
)
def test_size_one_that_decides_is_refused(function):
    module = Call(function).eval()
    with pytest.raises(RuntimeError, match=r"With size 1 .*Dim\('batch', min=2\)"):
        torch.onnx.export(module, (SQUEEZED,), dynamic_shapes=({0: "batch"},))
    program = torch.onnx.export(module, (SQUEEZED,), dynamic_shapes=({0: Dim("batch", min=2)},))
    for count in (2, 3, 5):
        check(program, module, torch.randn(count, 3, 1))
