"""Every operator of the table on the device ``meta``: shapes, dtypes, strides and requires_grad are those of the CPU, and gradients are like their operands."""

import contextlib
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.operators import draws
from tests.operators.draws import few
from tests.operators.table import every

#: The operators whose results, or the shapes of them, are not known without elements, and refuse; PyTorch's do as well.
REFUSING = {
    "argwhere", "bincount", "combinations", "masked_select", "nonzero", "nn.functional.gaussian_nll_loss", "repeat_interleave each", "unique", "unique_consecutive",
}  # fmt: skip
#: Rows that make tensors of their own, which are to be on ``meta`` as well.
MAKING = {
    "nn.functional.batch_norm later", "nn.functional.binary_cross_entropy weighted", "binary_cross_entropy_with_logits weighted", "istft", "linalg.vander",
    "nn.functional.nll_loss", "nn.functional.cross_entropy", "nn.functional.multi_margin_loss weighted",
}  # fmt: skip
#: Rows whose strides differ where sizes are one, as LAPACK's results lie, and those that lie as the values do which they write.
LOOSE = {
    "nn.functional.max_unpool1d",
    "nn.functional.max_unpool2d",
    "nn.functional.max_unpool3d",
    "linalg.qr",
    "linalg.qr wide",
    "linalg.qr tall",
    "linalg.qr complete",
    "qr",
    "linalg.ldl_solve",
}


def described(z, strides=True):
    """What is known of a result without its elements."""
    if isinstance(z, minigrad.Tensor):
        return (
            tuple(z.shape),
            z.dtype,
            draws.strides_of(z) if strides and z.numel() else None,
            z.requires_grad,
        )
    return z


def on_meta(x):
    """A leaf without elements that lies as ``x`` does."""
    z = minigrad.empty_strided(x.shape, x.stride(), dtype=x.dtype, device="meta")
    return z.requires_grad_(x.requires_grad)


def is_masked(row, call):
    """Whether a mask of bool picks elements: how many is not known."""
    return str(row) in ("Tensor.__getitem__", "index_put") and any(o.dtype == "bool" for o in call.operands)


@every()
@few
@given(data=st.data())
def test_as_on_the_cpu(row, data):
    call = row.example(data)
    tensors = [o.tensor() for o in call.operands]
    for x in tensors:
        if x.is_floating_point() or x.is_complex():
            x.requires_grad_()
    metas = [on_meta(x) for x in tensors]
    assert [described(m) for m in metas] == [described(x) for x in tensors]
    around = minigrad.device("meta") if str(row) in MAKING else contextlib.nullcontext()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if str(row) in REFUSING or is_masked(row, call):
            with pytest.raises((NotImplementedError, RuntimeError)), around:
                call.function(*metas)
            return
        ours = draws.as_list(call.function(*tensors))
        with around:
            theirs = draws.as_list(call.function(*metas))
    strides = str(row) not in LOOSE
    assert [described(z, strides) for z in theirs] == [described(z, strides) for z in ours]
    loss = None
    for z in theirs:
        if isinstance(z, minigrad.Tensor):
            assert z.is_meta or not tensors
            if z.grad_fn is not None:
                part = z.real.sum()
                loss = part if loss is None else loss + part
    if loss is not None:
        loss.backward()
        for m in metas:
            if m.grad is not None:
                assert m.grad.is_meta
                assert (m.grad.shape, m.grad.dtype) == (m.shape, m.dtype)
