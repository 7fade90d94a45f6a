"""``flex_attention``: scores changed by functions, masks in blocks; against what the formula says, and PyTorch."""

import math
import warnings

import pytest

import minigrad
from minigrad.nn.attention.flex_attention import (
    AuxRequest,
    BlockMask,
    create_block_mask,
    flex_attention,
)
from tests.messages import first_sentence

sdpa = minigrad.nn.functional.scaled_dot_product_attention


def causal(b, h, q, kv):
    return q >= kv


def inputs(*sizes, dtype="float32", lib=minigrad):
    lib.manual_seed(1)
    return [lib.randn(size, dtype=getattr(lib, dtype)) for size in sizes]


def test_without_functions_it_is_attention():
    q, k, v = inputs((2, 3, 5, 4), (2, 3, 7, 4), (2, 3, 7, 6))
    minigrad.testing.assert_close(flex_attention(q, k, v), sdpa(q, k, v))
    minigrad.testing.assert_close(flex_attention(q, k, v, scale=0.1), sdpa(q, k, v, scale=0.1))


def test_causal_attention_and_its_gradients():
    of_flex, of_sdpa = ([x.double().requires_grad_() for x in inputs(*[(2, 3, 9, 4)] * 3)] for _ in range(2))
    mask = create_block_mask(causal, None, None, 9, 9, BLOCK_SIZE=4)
    out, expected = flex_attention(*of_flex, block_mask=mask), sdpa(*of_sdpa, is_causal=True)
    minigrad.testing.assert_close(out, expected)
    out.sin().sum().backward()
    expected.sin().sum().backward()
    for x, y in zip(of_flex, of_sdpa):
        minigrad.testing.assert_close(x.grad, y.grad)


def test_gradients_reach_what_a_function_captures():
    q, k, v = inputs(*[(1, 2, 5, 4)] * 3, dtype="float64")
    bias = minigrad.randn(2, 9, dtype=minigrad.float64, requires_grad=True)

    def relative(bias):
        return flex_attention(q, k, v, lambda score, b, h, i, j: score + bias[h, i - j + 4])

    assert minigrad.autograd.gradcheck(relative, bias)
    assert minigrad.autograd.gradcheck(lambda *qkv: flex_attention(*qkv, lambda s, b, h, i, j: s.tanh() * (h + 1)), [
        x.requires_grad_() for x in (q, k, v)
    ])  # fmt: skip


def test_blocks_that_are_not_listed_are_not_looked_at():
    q, k, v = inputs(*[(1, 1, 8, 4)] * 3)
    lengths, lists = minigrad.tensor([[[1, 1]]]), minigrad.tensor([[[[0, 1], [1, 0]]]])
    partial = BlockMask.from_kv_blocks(lengths, lists, BLOCK_SIZE=4)
    same_half = (minigrad.arange(8)[:, None] // 4) == (minigrad.arange(8) // 4)
    minigrad.testing.assert_close(flex_attention(q, k, v, block_mask=partial), sdpa(q, k, v, same_half))
    none = minigrad.zeros_like(lengths)
    full = BlockMask.from_kv_blocks(none, lists, lengths, lists, BLOCK_SIZE=4, mask_mod=causal)
    minigrad.testing.assert_close(flex_attention(q, k, v, block_mask=full), sdpa(q, k, v, same_half))


def test_a_query_that_looks_at_no_key_gets_zero():
    q, k, v = inputs(*[(1, 1, 4, 2)] * 3)
    q.requires_grad_()
    mask = create_block_mask(lambda b, h, q, kv: q > 1, 1, 1, 4, 4)
    out, aux = flex_attention(q, k, v, block_mask=mask, return_aux=AuxRequest(lse=True, max_scores=True))
    assert out[0, 0, :2].tolist() == [[0.0, 0.0]] * 2
    assert aux.lse[0, 0, :2].tolist() == aux.max_scores[0, 0, :2].tolist() == [-math.inf] * 2
    out.sum().backward()
    assert q.grad.isfinite().all()


def test_slices_of_masks():
    mask = create_block_mask(lambda b, h, q, kv: q >= kv + h, 2, 3, 256, 384)
    part = mask[1, 0:2, -1]
    assert part.shape == (1, 2, 256, 384)
    assert minigrad.equal(part.to_dense(), mask.to_dense()[1:, :2, -1:])
    with pytest.raises(RuntimeError, match="sliced BlockMask"):
        part.mask_mod(*minigrad.zeros(4))
    with pytest.raises(RuntimeError, match="sliced BlockMask"):
        flex_attention(*inputs(*[(1, 1, 4, 2)] * 3), block_mask=part)


def test_the_upper_left_corner_of_a_mask():
    mask = create_block_mask(causal, 1, 1, 64, 80, BLOCK_SIZE=(8, 16), compute_dq_write_order=True)
    corner = mask._adjust(33, 17)
    expected = create_block_mask(causal, 1, 1, 33, 17, BLOCK_SIZE=(8, 16), compute_dq_write_order=True)
    assert corner.shape == (1, 1, 33, 17)
    assert minigrad.equal(corner.to_dense(), expected.to_dense())
    q, k, v = inputs((1, 1, 33, 4), (1, 1, 17, 4), (1, 1, 17, 4))
    minigrad.testing.assert_close(
        flex_attention(q, k, v, block_mask=corner), flex_attention(q, k, v, block_mask=expected)
    )


def test_return_lse_warns_once():
    q, k, v = inputs(*[(1, 1, 4, 2)] * 3)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        first, second = (flex_attention(q, k, v, return_lse=True)[1] for _ in range(2))
    assert len(seen) <= 1 and minigrad.equal(first, second)
    assert minigrad.equal(first, flex_attention(q, k, v, return_aux=AuxRequest(lse=True))[1].lse)


# Beside PyTorch ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def flex(monkeypatch):
    torch = pytest.importorskip("torch")
    theirs = pytest.importorskip("torch.nn.attention.flex_attention")
    monkeypatch.setattr(theirs, "_FLEX_ATTENTION_DISABLE_COMPILE_DEBUG", True)
    return {minigrad: minigrad.nn.attention.flex_attention, torch: theirs}


MASKS = {
    "causal": lambda lib: causal,
    "window": lambda lib: lambda b, h, q, kv: (q - kv).abs() <= 3,
    "documents": lambda lib: lambda b, h, q, kv: (ids := lib.arange(50) // 7)[q] == ids[kv],
    "by head and batch": lambda lib: lambda b, h, q, kv: (q + b) % (h + 2) == kv % (h + 2),
    "all": lambda lib: lib.nn.attention.flex_attention.noop_mask,
    "none": lambda lib: lambda b, h, q, kv: q < 0,
    "and": lambda lib: lib.nn.attention.flex_attention.and_masks(causal, lambda b, h, q, kv: q - kv < 5),
    "or": lambda lib: lib.nn.attention.flex_attention.or_masks(causal, lambda b, h, q, kv: kv < 4),
}  # fmt: skip
SCORES = {
    "none": None,
    "cap": lambda s, b, h, q, kv: 2 * (s / 2).tanh(),
    "alibi": lambda s, b, h, q, kv: s - (q - kv).abs() * 2.0 ** -(h + 1.0),
    "by batch": lambda s, b, h, q, kv: s * (b + 1) + h,
}


@pytest.mark.torch
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("size", [8, (4, 16), 128])
def test_masks_as_in_pytorch(flex, mask, size):
    found = []
    for lib, module in flex.items():
        made = module.create_block_mask(
            MASKS[mask](lib), 2, 3, 40, 50, device="cpu", BLOCK_SIZE=size, compute_dq_write_order=True
        )
        tensors = [x.tolist() if isinstance(x, lib.Tensor) else x for x in made.as_tuple()[:-1]]
        part = made[0, :, 0] if size != 128 else made[1]
        texts = [
            str(made),
            repr(made).partition("mask_mod")[0],
            made.to_string(grid_size=3, limit=2),
            repr(part).partition("mask_mod")[0],
        ]
        smaller = made._adjust(33, 50)
        numbers = [
            made.sparsity(),
            made.numel(),
            made.shape,
            made.to_dense().tolist(),
            smaller.to_dense().tolist(),
            smaller.shape,
        ]
        found.append(
            (tensors, texts, numbers, module.create_mask(MASKS[mask](lib), 2, 3, 4, 5, "cpu").tolist())
        )
    for ours, theirs in zip(*found):
        assert ours == theirs


@pytest.mark.torch
@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("mask", ["causal", "documents", "none"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
def test_attention_as_in_pytorch(flex, score, mask, dtype):
    found = []
    for lib, module in flex.items():
        q, k, v = (
            x.to(getattr(lib, dtype)) for x in inputs((2, 4, 40, 8), (2, 2, 50, 8), (2, 2, 50, 6), lib=lib)
        )
        made = module.create_block_mask(MASKS[mask](lib), None, None, 40, 50, device="cpu", BLOCK_SIZE=16)
        out, aux = module.flex_attention(
            q, k, v, SCORES[score], made, enable_gqa=True, return_aux=module.AuxRequest(lse=True)
        )
        found.append((out, aux.lse))
    for ours, theirs in zip(*found):
        assert str(ours.dtype) == str(theirs.dtype)
        theirs = minigrad.tensor(theirs.tolist(), dtype=ours.dtype)
        minigrad.testing.assert_close(ours, theirs)


def x(lib, *size):
    return lib.ones(size or (1, 2, 4, 8))


def block(module, *size, **options):
    return module.create_block_mask(causal, *size, device="cpu", **options)


PROGRAMS = {
    "three axes": lambda lib, m: m.flex_attention(*[x(lib, 2, 4, 8)] * 3),
    "one axis": lambda lib, m: m.flex_attention(*[x(lib, 8)] * 3),
    "embedding": lambda lib, m: m.flex_attention(x(lib), x(lib, 1, 2, 4, 7), x(lib)),
    "heads": lambda lib, m: m.flex_attention(x(lib), x(lib, 1, 1, 4, 8), x(lib, 1, 1, 4, 8)),
    "heads that do not divide": lambda lib, m: m.flex_attention(x(lib), x(lib, 1, 3, 4, 8), x(lib, 1, 3, 4, 8), enable_gqa=True),
    "batches": lambda lib, m: m.flex_attention(x(lib, 2, 2, 4, 8), x(lib), x(lib)),
    "batches and a mask": lambda lib, m: m.flex_attention(x(lib, 2, 2, 4, 8), x(lib), x(lib), block_mask=block(m, 1, 1, 4, 4)),
    "batches of a mask": lambda lib, m: m.flex_attention(x(lib, 2, 2, 4, 8), x(lib), x(lib), block_mask=block(m, 2, 1, 4, 4)).tolist(),
    "mask too small": lambda lib, m: m.flex_attention(x(lib), x(lib), x(lib), block_mask=block(m, 1, 1, 3, 4)),
    "mask too large": lambda lib, m: m.flex_attention(x(lib), x(lib), x(lib), block_mask=block(m, 1, 1, 4, 5)),
    "both forms of lse": lambda lib, m: m.flex_attention(*[x(lib)] * 3, return_lse=True, return_aux=m.AuxRequest()),
    "aux": lambda lib, m: m.flex_attention(*[x(lib)] * 3, return_aux=m.AuxRequest())[1],
    "backend": lambda lib, m: m.flex_attention(*[x(lib)] * 3, kernel_options={"BACKEND": "CUDA"}),
    "backend and force": lambda lib, m: m.flex_attention(*[x(lib)] * 3, kernel_options={"BACKEND": "AUTO", "FORCE_USE_FLEX_ATTENTION": True}),
    "internal options": lambda lib, m: m.flex_attention(*[x(lib)] * 3, kernel_options={"OUTPUT_MAX": True}),
    "known options": lambda lib, m: m.flex_attention(*[x(lib)] * 3, kernel_options={"BLOCK_M": 64}).shape,
    "a function of three": lambda lib, m: m.create_mask(lambda a, b, c: a, 1, 1, 2, 2, "cpu"),
    "a function with a default": lambda lib, m: m.create_mask(lambda a, b, c, d, e=3: c > d, 1, 1, 2, 2, "cpu").tolist(),
    "a mask of scores": lambda lib, m: m.create_mask(lambda s, b, h, q, k: lib.where(q > k, s, -math.inf), 1, 1, 2, 3, "cpu").tolist(),
    "a block mask of scores": lambda lib, m: m.create_block_mask(lambda s, b, h, q, k: s, 1, 1, 2, 2, "cpu"),
    "a mask of numbers": lambda lib, m: m.create_block_mask(lambda b, h, q, k: q - k, 1, 1, 2, 2, "cpu"),
    "no function": lambda lib, m: m.and_masks(causal, 3),
    "dq_kv_order": lambda lib, m: block(m, 1, 1, 2, 2, dq_kv_order=None),
    "half of the full blocks": lambda lib, m: m.BlockMask.from_kv_blocks(x(lib, 1, 1), x(lib, 1, 1, 1), x(lib, 1, 1)),
    "blocks without rows": lambda lib, m: m.BlockMask.from_kv_blocks(x(lib, 1), x(lib, 1)),
    "partial blocks only": lambda lib, m: [None if t is None else t.tolist() for t in block(m, 1, 1, 9, 9, BLOCK_SIZE=4, separate_full_blocks=False).as_tuple(False)[1:9]],
    "moved": lambda lib, m: block(m, 1, 1, 9, 9).to("cpu").to_dense().tolist(),
    "a uint of indices": lambda lib, m: [None if t is None else t.dtype.itemsize for t in block(m, 1, 1, 9, 9).as_tuple()[2:10]],
}  # fmt: skip


@pytest.mark.torch
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_as_in_pytorch(flex, name):
    def outcome(lib, module):
        try:
            return PROGRAMS[name](lib, module)
        except Exception as error:
            return type(error), first_sentence(str(error)).partition(" Got <function")[0]

    ours, theirs = (outcome(*each) for each in flex.items())
    assert ours == theirs
