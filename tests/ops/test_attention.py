"""Attention at its awkward points: rows that may look at nothing, blocks, shared heads, several heads, what is refused."""

import math

import numpy as np
import pytest

import minigrad as torch
from minigrad.nn import functional as F
from tests.numeric import check_gradients


def rand(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).uniform(-2, 2, shape)


def reference(q, k, v, mask=None, causal=False, scale=None):
    scores = q @ k.swapaxes(-1, -2) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    most = scores.max(-1, keepdims=True)
    p = np.exp(scores - np.where(np.isinf(most), 0, most))
    return p / np.maximum(p.sum(-1, keepdims=True), 1e-300) @ v


MASK = np.array([[True, False, True], [False, False, False], [True, True, True], [False, True, False]])


def attend(q, k, v, attn_mask=None, **options):
    mask = None if attn_mask is None else torch.tensor(attn_mask)
    return F.scaled_dot_product_attention(q, k, v, mask, **options)


@pytest.mark.parametrize("fused", [True, False])
def test_a_row_that_may_look_at_nothing_is_zero(fused):
    q, k, v = (torch.tensor(rand(1, 4, 2, seed=i)[:, :n]).requires_grad_() for i, n in enumerate((4, 3, 3)))
    mask = torch.tensor(MASK) if fused else torch.tensor(np.where(MASK, 0, -np.inf), requires_grad=True)
    z = F.scaled_dot_product_attention(q, k, v, mask)
    assert z[0, 1].tolist() == [0, 0]
    g = torch.autograd.grad(z.sum(), q)[0]
    assert g[0, 1].tolist() == [0, 0] and torch.isfinite(g).all()


def test_heads_in_blocks_agree_with_one_by_one():
    q, k, v = (torch.tensor(rand(3, 5, 160, 4, seed=i), requires_grad=True) for i in range(3))
    z = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    np.testing.assert_allclose(
        z.detach().numpy(), reference(*(x.detach().numpy() for x in (q, k, v)), causal=True), atol=1e-10
    )
    g = torch.tensor(rand(3, 5, 160, 4, seed=9))
    raw, composed = (
        torch.autograd.grad(z, (q, k, v), g, retain_graph=True, create_graph=c) for c in (False, True)
    )
    for r, c in zip(raw, composed):
        np.testing.assert_allclose(r.numpy(), c.detach().numpy(), atol=1e-10)


def test_queries_may_share_heads():
    q, k, v = rand(1, 4, 2, 3), rand(1, 2, 3, 3, seed=1), rand(1, 2, 3, 3, seed=2)
    z = attend(*map(torch.tensor, (q, k, v)), enable_gqa=True)
    np.testing.assert_allclose(z.numpy(), reference(q, k.repeat(2, 1), v.repeat(2, 1)))
    with pytest.raises(RuntimeError, match="must divide the number of heads"):
        attend(*map(torch.tensor, (q[:, :3], k, v)), enable_gqa=True)


def test_dropout_of_weights():
    x = torch.ones(1, 8, 4)
    torch.manual_seed(0)
    z = F.scaled_dot_product_attention(x, x, x, dropout_p=0.5)
    assert len(z.unique()) > 1
    assert not F.scaled_dot_product_attention(x, x, x, dropout_p=1.0).any()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda q, m: attend(q, q.double(), q), "to have the same dtype"),
        (lambda q, m: attend(q[0, 0], q, q), "at least 2 dimensional"),
        (lambda q, m: attend(q, q, q, m.astype(np.int64)), "attn_mask.dtype: long int"),
        (lambda q, m: attend(q, q, q, m, is_causal=True), "Explicit attn_mask should not be set"),
        (lambda q, m: attend(q, q, q, dropout_p=1.5), "dropout probability has to be between 0 and 1"),
        (lambda q, m: attend(q, q, q, m[:2]), "must match the size"),
    ],
)
def test_errors(call, words):
    with pytest.raises(RuntimeError, match=words):
        call(torch.ones(1, 3, 4), np.ones((3, 3), bool))


def heads(need_weights, **options):
    """Two heads over width 4, with projections of random weights."""
    w, b, out_w, out_b = (torch.tensor(rand(*s, seed=3)) for s in ((12, 4), (12,), (4, 4), (4,)))

    def function(q, k, v):
        arguments = (q, k, v, 4, 2, w, b, None, None, options.pop("zero", False), 0.0, out_w, out_b)
        return F.multi_head_attention_forward(*arguments, need_weights=need_weights, **options)

    return function


def by_hand(x):
    w, b, out_w, out_b = (rand(*s, seed=3) for s in ((12, 4), (12,), (4, 4), (4,)))
    q, k, v = np.split(x @ w.T + b, 3, -1)
    rows = []
    for n in range(x.shape[1]):
        parts = [reference(*(y[:, n, h : h + 2] for y in (q, k, v))) for h in (0, 2)]
        rows.append(np.concatenate(parts, -1))
    return np.stack(rows, 1) @ out_w.T + out_b


@pytest.mark.parametrize("need_weights", [True, False])
def test_multi_head_attention(need_weights):
    x = rand(3, 2, 4)
    t = torch.tensor(x)
    for operands in ((t, t, t), (t, t.clone(), t.clone())):
        z, weights = heads(need_weights)(*operands)
        np.testing.assert_allclose(z.numpy(), by_hand(x), atol=1e-12)
        if need_weights:
            assert weights.shape == (2, 3, 3)
            np.testing.assert_allclose(weights.sum(-1).numpy(), 1)
        else:
            assert weights is None
    alone, _ = heads(need_weights)(t[:, 0], t[:, 0], t[:, 0])
    np.testing.assert_allclose(alone.numpy(), by_hand(x)[:, 0], atol=1e-12)
    check_gradients(lambda x: heads(need_weights)(x, x, x)[0], x, order=1)


def test_padding_hides_keys():
    x = torch.tensor(rand(3, 2, 4))
    padding = torch.tensor([[False, False, True], [False, True, True]])
    _, weights = heads(True, key_padding_mask=padding)(x, x, x)
    assert not weights[0, :, 2].any() and not weights[1, :, 1:].any()
    z, _ = heads(False, key_padding_mask=padding)(x, x, x)
    same, _ = heads(True, key_padding_mask=padding)(x, x, x)
    np.testing.assert_allclose(z.numpy(), same.numpy(), atol=1e-12)


def test_a_zero_key_takes_its_share():
    x = torch.tensor(rand(3, 2, 4))
    _, weights = heads(True, zero=True, average_attn_weights=False)(x, x, x)
    assert weights.shape == (2, 2, 3, 4)


@pytest.mark.parametrize(
    ("options", "shape", "kind", "words"),
    [
        ({}, (4,), AssertionError, "query should be unbatched 2D or batched 3D tensor but received 1-D"),
        ({"is_causal": True}, (3, 2, 4), RuntimeError, "Need attn_mask if specifying the is_causal hint"),
        ({}, (3, 2, 6), AssertionError, "was expecting embedding dimension of 4, but got 6"),
        ({"attn_mask": torch.zeros(2, 2)}, (3, 2, 4), RuntimeError, "The shape of the 2D attn_mask is"),
    ],
)
def test_errors_of_multi_head_attention(options, shape, kind, words):
    x = torch.ones(shape, dtype=torch.float64)
    with pytest.raises(kind, match=words):
        heads(True, **options)(x, x, x)


@pytest.mark.torch
@pytest.mark.parametrize("axes", [2, 3, 4])
def test_where_nans_and_infinities_come_through(axes):
    """A fused causal kernel replaces the scores of later keys; elsewhere the mask is added, and nan + -inf is nan."""
    pytorch = pytest.importorskip("torch")
    lead, mask = (2, 3)[: axes - 2], np.zeros((5, 5))
    mask[0, 0] = np.nan

    def outcome(lib, special, place, mask):
        arrays = [rand(*lead, 5, 4, seed=i) for i in range(3)]
        if place is not None:
            arrays[place][..., -1, 0] = special
        leaves = [lib.from_numpy(x).requires_grad_() for x in arrays]
        given = None if mask is None else lib.from_numpy(mask.copy())
        try:
            z = lib.nn.functional.scaled_dot_product_attention(*leaves, given, is_causal=True)
        except RuntimeError as error:
            return str(error).partition("\n")[0]
        return [z.detach().numpy(), *[g.numpy() for g in lib.autograd.grad(z.nansum(), leaves)]]

    for special, place in ((0, None), (np.nan, 1), (-np.inf, 1), (np.nan, 2), (np.inf, 2)):
        for given in (None, np.zeros((5, 5)), mask):
            ours, theirs = outcome(torch, special, place, given), outcome(pytorch, special, place, given)
            if isinstance(theirs, str):
                assert ours == theirs
                continue
            for a, b in zip(ours, theirs, strict=True):
                np.testing.assert_allclose(a, b, 1e-9, 1e-9, err_msg=str((special, place, given)))
