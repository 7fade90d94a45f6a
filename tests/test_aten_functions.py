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
a._foreach_add.Scalar([x, s], 2); a._foreach_mul.List([x, s], [x, s]); a._foreach_sqrt([s]); a._foreach_norm([x]); a._foreach_lerp.Scalar([x], [x + 1], 0.5)
a._foreach_add_.List([x.clone()], [x]); a.__and__.Tensor(x > 0, x > 1); a.__or__.Scalar(i, 2); a.__lshift__.Scalar(i, 1); a.copy(x, x * 2); a.resize(x, [2, 2])
a._assert_async(x[0, 0] > 0); a._assert_scalar(1, "no"); a._assert_tensor_metadata(x, [2, 3], None, lib.float32); a._conj_copy(x + 1j); a._neg_view(x); a.lift_fresh_copy(x)
a._convolution_mode(m, m, None, [1, 1], "valid", [1, 1], 1); a.thnn_conv2d(m, m, [4, 4]); a.slow_conv_dilated2d(m, m[:, :, :2, :2], [2, 2], None, [1, 1], [0, 0], [2, 2])
a.slow_conv_transpose2d(m, lib.ones(2, 1, 2, 2), [2, 2], None, [2, 2]); a._grad_sum_to_size(x, [1, 3]); a._unique(i, True, True)
a._pack_padded_sequence(q, lib.tensor([4, 2]), True); a._pad_packed_sequence(q[0], lib.tensor([2, 2]), True, 0.0, -1); a._pdist_forward(s); a._weight_norm_interface(x, x[:, :1].contiguous())
a._reshape_copy(x, [6]); a._reshape_from_tensor(x, lib.tensor([3, 2])); a._dim_arange(x, 1); a._embedding_bag(s, i, lib.tensor([0, 1]))[0]; a._linalg_eigvals(s).abs()
a.fractional_max_pool2d(m, [2, 2], [2, 2], lib.full((1, 2, 2), 0.5)); a.nonzero_numpy(x); a._histogramdd_from_bin_cts(x, [2, 2, 2]); a._index_put_impl(x, [i], x[1])
a.gelu_backward(x, x, approximate="tanh"); a.silu_backward(x, s[:2]); a.mish_backward(x, x); a.sigmoid_backward(x, x.sigmoid()); a.tanh_backward(x, x.tanh())
a.threshold_backward(x, x, 1.0); a.hardtanh_backward(x, x, -1.0, 2.0); a.leaky_relu_backward(x, x, 0.1, False); a.softplus_backward(x, x, 1.0, 20.0); a.softshrink_backward(x, x, 1.0)
a.hardshrink_backward(x, x, 1.0); a.hardswish_backward(x, x); a.hardsigmoid_backward(x, x); a.glu_backward(x[:, :2], s[:2, :2].repeat(1, 2), 1); a.logit_backward(x, x.sigmoid(), None)
a.log_sigmoid_backward(x, x, a.log_sigmoid_forward(x)[1]); a._softmax_backward_data(x, x.softmax(1), 1, lib.float32); a._log_softmax_backward_data(x, x.log_softmax(1), 1, lib.float32)
a.mse_loss_backward(x, x, x * 2, 0); a.mse_loss_backward(x[0, 0], x, x * 2, 1); a.smooth_l1_loss_backward(x, x, x * 3, 0, 1.0); a.huber_loss_backward(x, x, x * 3, 0, 0.5)
a.soft_margin_loss_backward(x, x, x.sign(), 0); a.binary_cross_entropy_backward(x, x.sigmoid(), x.cos() ** 2, None, 0); a.native_dropout_backward(x, x > 0, 2.0)
a.avg_pool2d_backward(lib.ones(1, 2, 2, 2), m, [2, 2], [], [0, 0], False, True, None); a._adaptive_avg_pool2d_backward(lib.ones(1, 2, 2, 2), m)
a.reflection_pad1d_backward(lib.ones(2, 4, 5), q, [1, 1]); a.replication_pad2d_backward(lib.ones(1, 2, 6, 5), m, [1, 0, 1, 1])
a.convolution_backward(lib.ones(1, 1, 1, 1), m, m, [1], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, True])
a.select_backward(x[0], [2, 3], 0, 1); a.slice_backward(x, [4, 3], 0, 1, 4, 2); a.diagonal_backward(w, [3, 3], 0, 0, 1); a.embedding_dense_backward(x, i, 3, -1, False)
a.add.out(x, x, alpha=2, out=lib.empty(0)); a.mul.Scalar_out(x, 3, out=lib.empty(2, 3)); a.topk.values(x, 2, values=lib.empty(0), indices=lib.empty(0, dtype=lib.long))
a.max.dim_max(x, 1, max=lib.empty(0), max_values=lib.empty(0, dtype=lib.long)); a.clone.out(x, out=lib.empty(0)); a.relu.out(x, out=lib.empty(0)); a.sum.IntList_out(x, [1], out=lib.empty(0))
a.var_mean.correction_out(x, [1], out0=lib.empty(0), out1=lib.empty(0)); a.gelu.out(x, out=lib.empty(0)); a.mse_loss.out(x, x + 1, 1, out=lib.empty(0)); a.slice_copy.Tensor_out(x, 1, 0, 2, out=lib.empty(0))
a.convolution.out(m, m, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1, out=lib.empty(0)); a.linalg_svd.U(x, U=lib.empty(0), S=lib.empty(0), Vh=lib.empty(0))[1]
a.sort.values_stable(x, stable=True, dim=1, values=lib.empty(0), indices=lib.empty(0, dtype=lib.long)); a.full.out([2], 3.0, out=lib.empty(0)); a.sigmoid_backward.grad_input(x, x, grad_input=lib.empty(0))
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
    elif theirs is None:
        assert ours is None
    else:
        assert ours == pytest.approx(theirs, rel=1e-4, abs=1e-5, nan_ok=True)


def test_random_operators_leave_their_operand_alone():
    x = minigrad.zeros(100)
    assert ops.aten.uniform(x, 1, 2).min() >= 1 and ops.aten.exponential(x).min() > 0 and not x.any()
    out, mask = ops.aten.native_dropout(minigrad.ones(1000), 0.25, True)
    assert mask.dtype == minigrad.bool and minigrad.equal(out, mask / 0.75) and 600 < mask.sum() < 900


def test_factors_must_give_the_size_of_the_result():
    with pytest.raises(NotImplementedError, match="that do not give the output size"):
        ops.aten.upsample_nearest2d(minigrad.ones(1, 1, 4, 4), [8, 8], 1.5, 1.5)


@pytest.mark.torch
def test_the_file_of_overloads_is_pytorchs():
    pytest.importorskip("torch")
    from tests.generate import aten_overloads

    assert aten_overloads.FILE.read_text(encoding="utf-8") == aten_overloads.file_text()


@pytest.mark.torch
def test_schemas_are_pytorchs():
    torch = pytest.importorskip("torch")
    from tests.generate import aten_schemas

    assert aten_schemas.FILE.read_text(encoding="utf-8") == aten_schemas.file_text()

    def told(lib, name, overload):
        schema = getattr(getattr(lib.ops.aten, name), overload)._schema
        arguments = [
            (a.name, a.kwarg_only, a.is_out, a.has_default_value(), a.default_value, shared(a))
            for a in schema.arguments
        ]
        return (
            str(schema),
            schema.name,
            schema.overload_name,
            schema.is_mutable,
            arguments,
            [*map(shared, schema.returns)],
        )

    def shared(argument):
        alias = argument.alias_info
        return alias and (alias.is_write, set(alias.before_set), set(alias.after_set))

    asked = [*aten_schemas.schemas()]
    assert len(asked) > 2000 and [key for key in asked if told(minigrad, *key) != told(torch, *key)] == []


def test_lists_are_written_to():
    outs = [minigrad.empty(2), minigrad.empty(0)]
    assert ops.aten._foreach_add.Scalar_out([minigrad.ones(2), minigrad.ones(0)], 1, out=outs) is None
    assert outs[0].tolist() == [2, 2]


def test_what_is_written_to_must_be_given():
    with pytest.raises(RuntimeError, match=r"aten::add\(\) is missing value for argument 'out'"):
        ops.aten.add.out(minigrad.ones(1), minigrad.ones(1))
    schema = ops.aten.topk.values._schema
    assert [each.name for each in schema.arguments if each.is_out] == [
        "values",
        "indices",
    ] and schema.is_mutable


def test_operators_that_only_pytorch_has_are_missing_by_name():
    with pytest.raises(AttributeError, match="minigrad does not provide PyTorch's aten::_philox_normal"):
        ops.aten._philox_normal
    with pytest.raises(AttributeError, match="'_OpNamespace' 'aten' object has no attribute 'no_such'$"):
        ops.aten.no_such
    with pytest.raises(RuntimeError, match="single nonzero"):
        ops.aten._assert_async(minigrad.zeros(()))
