"""Operators of ``ops.aten`` that are no functions of the package by that name: what they compute is what PyTorch's do."""

import pytest

import minigrad
from minigrad import ops

#: Expressions in operators ``a``, the library ``lib`` and tensors: x (2, 3), s (3, 3) symmetric, m (1, 2, 4, 4), q (2, 4, 3), i indices, w weights.
CALLS = """
a.linalg_inv(s); a.linalg_det(s); a.linalg_norm(x); a.linalg_norm.ord_str(x, "nuc"); a.linalg_svdvals(x); a.linalg_qr(x)[1].abs(); a.linalg_cross(s, s.flip(0))
a.linalg_matrix_rank.atol_rtol_float(s); a.linalg_pinv.atol_rtol_float(x); a.linalg_solve(s, s[0]); a.linalg_cholesky(s @ s.mT); a.linalg_eigvalsh(s)
a.fft_fft(x).abs(); a.fft_rfft2(x).abs(); a.fft_fftfreq(5); a.fft_fftshift(x); a.special_expit(x); a.special_xlogy(x, x); a.special_zeta(x + 2, x + 1)
a._fft_c2c(x + 0j, [0, 1], 0, True); a._fft_c2c(x + 0j, [1], 2, False); a._fft_c2c(x + 0j, [1], 1, False); a._fft_r2c(x, [1], 1, True)
a._fft_r2c(x, [0, 1], 2, False); a._fft_c2r(lib.fft.rfft(x), [1], 2, 3); a._fft_c2r(lib.fft.rfft(x), [1], 0, 3)
a._linalg_det(s)[0]; a._linalg_slogdet(s)[1]; a._linalg_svd(x)[1]; a._linalg_svd(x, False, False)[1]; a._linalg_eigh(s)[0]; a._linalg_eigh(s, "L", False)[0]
a._linalg_solve_ex(s, s[0])[0]; a._cdist_forward(x, x + 1, 2.0, None); a._euclidean_dist(x, x + 1)
a.avg_pool2d(m, [2, 2]); a.avg_pool2d(m, [2, 2], [], 1); a.avg_pool2d(m, [3, 3], [1, 1], [1, 1], True, False); a.adaptive_avg_pool2d(m, [3, 2])
a._adaptive_avg_pool2d(m, [1, 1]); a.max_pool2d_with_indices(m, [2, 2]); a.max_pool2d_with_indices(m, [2, 2], [1, 1], [1, 1]); a.adaptive_max_pool2d(m, [2, 2])
a.upsample_nearest2d(m, [6, 8]); a.upsample_nearest2d.vec(m, None, [2.0, 1.5]); a.upsample_nearest2d(m, [8, 8], 2.0, 2.0); a._upsample_nearest_exact2d(m, [6, 6])
a.upsample_bilinear2d(m, [7, 7], False); a.upsample_bilinear2d(m, [7, 7], True); a.upsample_bilinear2d.vec(m, [5, 5], False, None); a.upsample_bilinear2d.vec(m, None, True, [2.0, 2.0])
a.upsample_bicubic2d(m, [5, 6], False); a._upsample_bilinear2d_aa(m, [2, 2], False); a.upsample_linear1d(q, [5], False); a.upsample_nearest1d(q, [5])
a.reflection_pad2d(m, [1, 1, 1, 1]); a.replication_pad1d(q, [2, 0]); a.pad(x, [1, 1]); a.pad_sequence([x, x[:1]], True, 5.0)
a.col2im(a.im2col(m, [2, 2], [1, 1], [0, 0], [2, 2]), [4, 4], [2, 2], [1, 1], [0, 0], [2, 2]); a.im2col(m, [2, 2], [1, 1], [1, 1], [2, 2])
a.mse_loss(x, x + 1, 2); a.l1_loss(x, x + 1); a.cross_entropy_loss(x, i); a.cross_entropy_loss(x, i, None, 2, 1, 0.1); a.nll_loss(x, i); a.nll_loss_nd(x, i, w, 0)
a.multi_margin_loss(x, i); a.soft_margin_loss(x, x.sign(), 0); a.huber_loss(x, x + 3, 1, 0.5); a.smooth_l1_loss(x, x + 3, 2); a.nll_loss_forward(x, i, w, 1, -100)
a.scaled_dot_product_attention(q, q, q, None, 0.0, True); a.linear(x, s); a.one_hot(i, 4); a.hardswish_(x.clone()); a.relu6(x * 9); a.gelu_(x.clone(), approximate="tanh")
a._safe_softmax(x.masked_fill(x < 2, -float("inf")), 1); a._masked_softmax(x, x > 1, 1); a._softmax(x, 0, False); a._weight_norm(x, x[:, :1], 0); a.log_sigmoid(x)
a._native_batch_norm_legit(m, None, None, w[:2].clone(), w[:2].clone(), True, 0.1, 1e-5); a._native_batch_norm_legit.no_stats(m, None, None, True, 0.1, 1e-5)[0]
a._native_batch_norm_legit_no_training(m, w[:2], w[:2], w[:2], w[:2], 0.1, 1e-5)[0]; a.native_dropout(x, 0.5, False)
a._convolution(m, m, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1, False, False, False, False); a._local_scalar_dense(x[0, 1]); a.alias(x); a._cast_Long(x)
a._index_put_impl_(x.clone(), [i], x[1]); a._unsafe_index(x, [None, i]); a._unsafe_index_put(x, [i], x[0], True); a._reshape_alias(x, [3, 2], [2, 1]); a._stack([x, x])
a.zero(x); a.numpy_T(x); a.mT(x); a._aminmax(x); a._aminmax.dim(x, 1); a._shape_as_tensor(x); a.unique_dim_consecutive(x, 0); a._logcumsumexp(x, 1); a.is_leaf(x); a.output_nr(x)
a.can_cast(lib.float32, lib.int64); a.random.to(x, 1); a._prelu_kernel(-x, w); a.split.sizes(x, [1, 1])
"""


def values(lib):
    x = lib.tensor([[0.5, 1.5, 2.5], [3.0, -1.0, 0.25]])
    return {
        "lib": lib,
        "a": lib.ops.aten,
        "x": x,
        "s": lib.tensor([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]),
        "m": (lib.arange(32.0).view(1, 2, 4, 4) * 0.7).sin(),
        "q": (lib.arange(24.0).view(2, 4, 3) * 0.3).cos(),
        "i": lib.tensor([1, 0]),
        "w": lib.tensor([0.5, 1.5, 2.0]),
    }


def plain(result):
    """Lists of numbers instead of tensors."""
    if isinstance(result, (tuple, list)):
        return [plain(each) for each in result]
    if hasattr(result, "tolist"):
        return plain(result.resolve_conj().tolist())
    return result


@pytest.mark.torch
@pytest.mark.parametrize("call", [c.strip() for c in CALLS.replace("\n", ";").split(";") if c.strip()])
def test_operators_compute_what_pytorchs_do(call):
    torch = pytest.importorskip("torch")
    ours, theirs = (plain(eval(call, values(lib))) for lib in (minigrad, torch))
    close(ours, theirs)


def close(ours, theirs):
    if isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs):
            close(mine, other)
    else:
        assert ours == pytest.approx(theirs, rel=1e-4, abs=1e-5, nan_ok=True)


@pytest.mark.torch
def test_overloads_are_pytorchs():
    torch = pytest.importorskip("torch")
    wrong = {}
    schemas = (schema.name.split("::") for schema in torch._C._jit_get_all_schemas())
    for name in {name for namespace, name in schemas if namespace == "aten"}:
        ours, theirs = (getattr(lib.ops.aten, name, None) for lib in (minigrad, torch))
        if name[:2] != "__" and isinstance(theirs, torch._ops.OpOverloadPacket) and ours is not None:
            more = set(ours.overloads()) - set(theirs.overloads())
            if more:
                wrong[name] = more
    assert not wrong


def test_random_operators_leave_their_operand_alone():
    x = minigrad.zeros(100)
    assert ops.aten.uniform(x, 1, 2).min() >= 1 and ops.aten.exponential(x).min() > 0 and not x.any()
    out, mask = ops.aten.native_dropout(minigrad.ones(1000), 0.25, True)
    assert mask.dtype == minigrad.bool and minigrad.equal(out, mask / 0.75) and 600 < mask.sum() < 900


def test_factors_must_give_the_size_of_the_result():
    with pytest.raises(NotImplementedError, match="that do not give the output size"):
        ops.aten.upsample_nearest2d(minigrad.ones(1, 1, 4, 4), [8, 8], 1.5, 1.5)
