"""Every operator of the table in a captured step, forward and backward, with other numbers in each call: the bits of the step as it is, or a refusal."""

import dataclasses
import warnings
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minigrad as torch
from tests.operators import table
from tests.operators.calls import Given

#: What depends on the elements of an operand, meets conjugate views, or has gradients in one memory, as those of both parts of a number: refused.
REFUSED = {
    *("argwhere", "ctc_loss", "istft", "nanquantile several", "quantile several", "nn.functional.ctc_loss", "nn.functional.one_hot", "nonzero"),
    *("embedding_bag", "nn.functional.embedding_bag", "nn.functional.embedding_bag padding", "linalg.lstsq", "nn.functional.gaussian_nll_loss"),
    *("index_fill", "index_fill tensor", "take", "index_put", "tensor", "masked_select", "diff ends", "adjoint", "fft.ifft", "fft.ihfft", "fft.ihfftn", "fft.hfft", "fft.hfft2"),
    *("fft.hfftn", "fft.ihfft2", "linalg.matrix_rank", "unique", "unique_consecutive", "repeat_interleave", "repeat_interleave each", "bincount", "histc"),
    *("complex", "fake_quantize_per_channel_affine", *(f"segment_reduce {name}" for name in ("sum", "mean", "prod", "max", "min"))),
}  # fmt: skip


def operand(given, call):
    """An operand of the same look with other numbers."""
    if isinstance(given, Given) or given.layout != "contiguous":
        return given
    return dataclasses.replace(given, seed=(given.seed + 101 * call) % 1000)


def exactly(x):
    if not isinstance(x, torch.Tensor):
        return x
    return x.dtype, x.stride(), x.detach().resolve_conj().resolve_neg().numpy().tobytes()


def check(row, data):
    call = row.example(data)

    def step(*xs):
        outs = [x.clone() if isinstance(x, torch.Tensor) else x for x in call.function(*xs)]
        leaves = [x for x in xs if x.requires_grad]
        moving = [x for x in outs if isinstance(x, torch.Tensor) and x.requires_grad]
        grads = (
            torch.autograd.grad(moving, leaves, [torch.ones_like(x) for x in moving], allow_unused=True)
            if moving
            else ()
        )
        return [x.detach() if isinstance(x, torch.Tensor) else x for x in outs], grads

    def arguments(number):
        xs = [operand(o, number).tensor() for o in call.operands]
        return [x.requires_grad_() if row.order and x.dtype.is_floating_point else x for x in xs]

    captured = torch.capture(step)
    for number in range(5):
        torch.manual_seed(number)
        want = torch.utils._pytree.tree_leaves(step(*arguments(number)))
        torch.manual_seed(number)
        try:
            got = torch.utils._pytree.tree_leaves(captured(*arguments(number)))
        except RuntimeError as error:
            if "cannot be captured" not in str(error):
                raise
            assert str(row) in REFUSED, str(error)
            return
        assert list(map(exactly, got)) == list(map(exactly, want)), number
    assert captured.replays


def compare(row, check):
    """Do the check with one draw of the operator's arguments, the same in each run; returns what it returns."""
    found = []

    @settings(
        max_examples=1,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def run(data):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(check(row, data))

    run()
    return found[-1]


def one_of(parts, row):
    return zlib.crc32(str(row).encode()) % parts == 0


@table.every(lambda row: one_of(10, row))
def test_operators(row):
    compare(row, check)


@pytest.mark.slow
@table.every(lambda row: not one_of(10, row))
def test_the_other_operators(row):
    compare(row, check)
