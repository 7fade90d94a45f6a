"""Conjugate and negative views under PyTorch and here: where they look, what operators make of them, what is written through them."""

import copy
import io
import pickle
import warnings

import numpy as np
import pytest

import minigrad
from tests.messages import first_sentence

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

Z = [[1 + 2j, 3 - 1j, 0.5j], [0 + 1j, 2 + 0.25j, -1 - 1j]]


def lines(text):
    return [e.strip() for line in text.strip().splitlines() for e in line.split("; ")]


def scope(t, **leaf):
    z = t.tensor(Z, dtype=t.complex128, **leaf)
    return {
        "t": t, "z": z, "c": z.conj(), "h": z.mH, "n": z.conj().imag, "b": z._neg_view(), "r": t.tensor([[1.0, -2.0, 3.0]], dtype=t.float64)._neg_view(),
        "x": t.tensor([[0.5, -2.0, 3.0], [1.0, 0.25, -1.0]], dtype=t.float64), "i": t.tensor([[0, 1, 1]]), "k": t.tensor([1, 2, 3])._neg_view(),
    }  # fmt: skip


def names(tensor):
    """The nodes that lead from a tensor to the leaf, by their first edges."""
    node, found = tensor.grad_fn, []
    while node is not None:
        found.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return found


def bits(x):
    return x.is_conj(), x.is_neg()


def values(x):
    return x.detach().resolve_conj().resolve_neg().numpy()


def place(x, base):
    """Where a tensor lies: its distance from the base, strides; None for memory of its own."""
    if x.untyped_storage().data_ptr() != base.untyped_storage().data_ptr():
        return None
    return x.data_ptr() - base.data_ptr(), x.storage_offset(), x.stride(), x._is_view(), x._base is base


def outcome(function):
    """What a function returns, or the type and first sentence of what it raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function()
    except Exception as error:
        return type(error).__name__, first_sentence(str(error))


VIEWS = lines("""
z.conj(); z.conj().conj(); z.H; z.mH; z.adjoint(); z.real; z.imag; c.real; c.imag; b.real; b.imag; c._neg_view(); b.conj(); b._neg_view(); t._conj(z); t._neg_view(z)
t.conj(x); x.mH; x.resolve_conj(); x.resolve_neg(); c.resolve_conj(); c.resolve_neg(); b.resolve_neg(); n.resolve_neg(); c._neg_view().resolve_conj(); c.conj_physical()
t._conj_physical(c); c[0]; c[0, 1]; c[:, 1]; c[:, ::2]; c[None]; c[..., 1:]; c[[0]]; c.select(1, 0); c.narrow(1, 0, 2); c.t(); c.T; c.mT; c.view(6)
c.view(3, 2); c.reshape(6); h.reshape(6); c[:, ::2].reshape(4); c.flatten(); c.unflatten(1, (3, 1)); c.ravel(); c.squeeze(); c.unsqueeze(0); c.unsqueeze(-1)
c.expand(2, 2, 3); c[:1].expand(2, 3); c.broadcast_to(2, 2, 3); c.permute(1, 0); c.transpose(0, 1); c.swapaxes(0, 1); c.movedim(0, 1); c.diagonal(); c.unfold(1, 2, 1)
c.as_strided((2,), (2,), 1); c.unbind()[1]; c.split(2, 1)[1]; c.chunk(2, 1)[1]; c.tensor_split(2, 1)[0]; c.detach(); c.data; c.view_as(z); t.ops.aten.alias(c.detach())
c.contiguous(); h.contiguous(); c.clone(); h.clone(); c.to(t.complex128); c.to(t.complex64); c.cpu(); t.positive(c); t.view_as_real(b); t.view_as_complex(t.view_as_real(b))
t.asarray(c.detach()); t.as_tensor(c); t.nn.Parameter(c); c.detach().requires_grad_(); t.empty_like(c).real; t.zeros_like(c); c.new_zeros(2); t.atleast_3d(c); t.real(c); t.imag(c)
n.t(); n[0]; n.reshape(6); n[:, 1:]; n.unsqueeze(0); n.clone(); n.contiguous(); r.t(); r.expand(2, 3); k[1:]; k.view(1, 3); t.ones(0, dtype=t.complex64).conj()[:0]
""")


@pytest.mark.parametrize("expression", VIEWS)
def test_views(expression):
    both = scope(torch, requires_grad=True), scope(minigrad, requires_grad=True)
    theirs, ours = (eval(expression, s) for s in both)
    assert bits(ours) == bits(theirs)
    if "empty_like" not in expression:
        np.testing.assert_array_equal(values(ours), values(theirs))
    assert ours.stride() == theirs.stride()
    for name in "zxrk":
        assert place(ours, both[1][name]) == place(theirs, both[0][name]), name
    assert names(ours) == names(theirs)
    assert ours.is_contiguous() is theirs.is_contiguous()


OPERATORS = lines("""
c+z; c-1; 2*c; c*c; c*b; c/z; z/c; c**2; c.exp(); c.log(); c.sqrt(); c.sin(); c.tanh(); c.sigmoid(); c.abs(); c.angle(); c.sgn(); c.reciprocal(); c.rsqrt(); -c; c.square()
n+x; n-1; n*n; n/x; n.abs(); n.exp(); n.sign(); n.relu(); n.clamp(-1, 1); n.floor(); n.maximum(x); n.atan2(x); n.softmax(0); n.log_softmax(1); n.logsumexp(0); n.sigmoid()
r*2; r.exp(); r.cumsum(1); r.sort()[0]; k*2; k//2; k%2; k.bitwise_and(3); k.sum(); k.cumsum(0); k.sort()[0]; k==-1; c.sum(); c.sum(0); c.mean(1); c.prod(); c.cumsum(0); c.cumprod(1)
c.var(); c.norm(); n.max(1)[0]; n.argmin(); n.median(); n.topk(2)[0]; n.sort()[0]; n.mode()[0]; n.amax(0); n.std(); n.cummax(0)[0]; n.detach().unique(); n.histc(); n.kthvalue(2)[0]
c@h; h@c; c@z.mT; z@h; h@z; b@h; c.mv(z[0]); t.dot(c[0], z[1]); t.vdot(c[0], z[1]); t.outer(c[0], c[1]); t.inner(c, z); t.bmm(h[None], c[None]); t.einsum('ij,kj->ik', c, b)
t.baddbmm(h[None] @ z[None], h[None], c[None]); t.tensordot(c, z, 2); t.kron(c, z); n@x.T; x@n.T; t.linalg.multi_dot([h, z, h]); t.cdist(n, x); t.addmm(c[:, :2], z, h)
t.cat([c, z]); t.stack([c, b]); t.where(x > 0, c, z); c.masked_select(x > 0); c.masked_fill(x > 0, 1j); c.flip(0); c.roll(1, 1); c.repeat(2, 1); c.tile(2); c.tril(); c[0].diag()
c.index_select(0, t.tensor([1])); c.gather(0, i); c.take(t.tensor([1, 4])); c[t.tensor([1])]; c[x > 0]; c.repeat_interleave(2); c.index_put((t.tensor([0]),), c[1:]); c.scatter(0, i, b[:1])
c.index_add(0, t.tensor([1]), c[:1]); c.scatter_add(0, i, c[:1]); c.index_copy(0, t.tensor([1]), c[:1]); c.nonzero(); c == z; t.isclose(c, z); c.isreal(); c.count_nonzero(); t.lerp(z, c, 0.5)
t.addcmul(c, z, b); t.addcdiv(c, z, z+3); t.complex(n, x); t.polar(n.abs(), n); t.nn.functional.pad(c, (1, 1)); t.diff(c); t.trapezoid(c); c.sum_to_size(1, 3); t.meshgrid(c[0], c[1], indexing='ij')[0]
t.block_diag(c, z); t.linalg.norm(c); t.linalg.norm(c, 'nuc'); t.linalg.det(c[:, :2]); t.linalg.inv(c[:, :2]); t.linalg.solve(c[:, :2], h.mT); t.linalg.pinv(c); t.linalg.svdvals(c)
t.fft.fft(c); t.fft.ifft(c); t.fft.hfft(c); t.fft.ihfft(n); t.fft.rfft(n); t.nn.functional.conv1d(n[None], x[None]); t.nn.functional.layer_norm(n, (3,)); t.nn.functional.linear(n, x)
t.nn.functional.cross_entropy(n, t.tensor([0, 1])); t.nn.functional.embedding(t.tensor([1]), n); t.nn.functional.max_pool1d(n[None], 2); t.nn.functional.mse_loss(n, x); t.nan_to_num(n)
c.to(t.complex64); n.to(t.float32); n.int(); c.clone(); c.tolist(); n.tolist(); c[0, 0].item(); complex(c[0, 0]); float(n[0, 0]); bool(n[0, 0]); f"{c[0, 0]:.2f}"; repr(c); str(n); len(c)
t.equal(c, z.conj()); t.allclose(c, z); c.numpy(force=True).tolist(); t.tensor(n); t.bucketize(n, t.tensor([-1., 0., 1.], dtype=t.float64)); n.quantile(0.5); t.hypot(n, x); c.dist(z)
t.linalg.cross(c, z); c.renorm(2, 0, 1.); t.cov(c); t.cartesian_prod(c[0], c[1]); t.special.expit(n); c.logcumsumexp(0); t._foreach_mul([c, b], 2)[0]; t.clone(h)
""")


@pytest.mark.parametrize("expression", OPERATORS)
def test_operators(expression):
    found = []
    for t in (torch, minigrad):
        s = scope(t, requires_grad=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out = eval(expression, s)
            if not isinstance(out, t.Tensor):
                found.append((out,))
                continue
            grad = None
            if out.requires_grad:
                out.abs().sum().backward()
                grad = values(s["z"].grad)
        found.append((values(out), grad, str(out.dtype), out.stride()))
    theirs, ours = found
    if len(theirs) == 1:
        assert ours == theirs
        return
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-6, atol=1e-9)
    assert ours[2] == theirs[2]
    if theirs[1] is not None:
        np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-6, atol=1e-9)
    assert ours[3] == theirs[3] or not ours[0].size or "linalg" in expression or expression == "c.nonzero()"


WRITES = lines("""
v.mul_(2j); v.add_(w); v.sub_(w, alpha=2); v.div_(w + 9); v.pow_(2); v.exp_(); v.conj_physical_(); v.neg_(); v.zero_(); v.fill_(2 + 1j); v.fill_(w[0, 0]); v.copy_(w); v.copy_(w.conj())
v.addcmul_(w, w); v.lerp_(w, 0.5); v.masked_fill_(w.real > 0, 3j); v.index_fill_(0, t.tensor([1]), 2j); v.index_add_(0, t.tensor([1, 0]), w); v.index_copy_(0, t.tensor([1, 0]), w)
v.scatter_(0, t.tensor([[1, 0]]), w); v.scatter_add_(0, t.tensor([[1, 0]]), w); v.index_put_((t.tensor([1]),), w[0]); v.put_(t.tensor([1]), w[0, :1]); v.masked_scatter_(w.real > 0, w)
v.__setitem__(0, 5j); v.__setitem__((slice(None), 0), w[0]); v.__setitem__(w.real > 0, 1j); v.__setitem__(t.tensor([1]), w[:1]); v.t_().mul_(2); v.transpose_(0, 1).add_(w)
v.unsqueeze_(0).mul_(2); v.squeeze_().mul_(2); v[0].mul_(2j); v.t()[1].add_(w[0]); v.real.add_(1); v.imag.add_(1); v.real.zero_(); v.imag.mul_(w.real); setattr(v, 'imag', w.real)
setattr(v, 'real', w.imag); v.view(-1)[1:3].mul_(2) if v.is_contiguous() else v.mul_(2); v.sigmoid_(); v.tanh_(); v.reciprocal_(); v.square_(); v.sqrt_(); v.cumsum_(0); v.cumprod_(0); v.tril_()
v.triu_(); v.fill_diagonal_(7j); v.addmm_(w, w); v.addr_(w[0], w[1]); v.mul_(v); v.add_(v.conj()); v.mul_(w.mH); t.mul(w, 2, out=v); t.mm(w, w, out=v); t.cat([w[:1], w[1:]], out=v)
t.conj_physical(w, out=v); v.uniform_(); v.normal_(); v.detach().mul_(2); v.data.mul_(2); v.resize_(2).mul_(2); v.as_strided_((2,), (1,)).mul_(2); v.set_(w).mul_(2)
v.sgn_(); v.renorm_(2, 0, 1.); v.addcdiv_(w, w + 9); v.diagonal().mul_(2); v.unbind()[1].mul_(2); v.sin_()
""")
SEEN = {
    "conjugate": "a.conj()",
    "transposed": "a.mH",
    "negative": "a._neg_view()",
    "both": "a.conj()._neg_view()",
    "gaps": "a4.conj()[:, ::2]",
}


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("expression", WRITES)
def test_writes_reach_the_base(expression, seen):
    found = []
    for t in (torch, minigrad):
        a = t.tensor([[1 + 2j, 3 - 1j], [0.5 + 1j, 2 + 0.25j]], dtype=t.complex128)
        a4 = t.stack([a, a * 1j], -1).reshape(2, 4)
        w = t.tensor([[1 - 1j, 0.5j], [2 + 1j, -1 + 0.5j]], dtype=t.complex128)
        v = eval(SEEN[seen], {"a": a, "a4": a4})
        t.manual_seed(3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            error = outcome(lambda: eval(expression, {"t": t, "v": v, "w": w}) and None)
        found.append((error, values(a), values(a4), values(v), bits(v), v._version, a._version, a4._version))
    theirs, ours = found
    assert ours[0] == theirs[0] and ours[4:] == theirs[4:]
    for their, our in zip(theirs[1:4], ours[1:4]):
        np.testing.assert_allclose(our, their, rtol=1e-12, atol=1e-12)


RECORDED = lines(
    """
c.mul_(2j); c[0].mul_(2j); c.imag.mul_(c.imag.detach().clone()); a.mul_(2j); c.exp_(); a._neg_view().exp_(); c.t()[0].conj_physical_(); c.imag.exp_(); c.real.exp_(); c.copy_(w); c.add_(w)
c.mul_(a.detach().clone()); c[:, 0].copy_(w[0]); c.index_add_(0, t.tensor([0]), w[:1]); c.masked_fill_(w.real > 0, 1j); c.zero_(); c.imag.zero_(); c.conj().mul_(1j); a.mH.mul_(w)
t.view_as_real(a).mul_(2); t.view_as_real(a)._neg_view().exp_(); c.unsqueeze(0).expand(1, 2, 2)[0].mul_(2); c.div_(w); c.lerp_(w, 0.25); c.fill_(1j); c[c.real.detach() > 1] = 2j
""".replace("c[c.real.detach() > 1] = 2j", "c.__setitem__(c.real.detach() > 1, 2j)")
)


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("expression", RECORDED)
def test_histories_of_writes(expression, create_graph):
    found = []
    for t in (torch, minigrad):
        z = t.tensor([[1 + 2j, 3 - 1j], [0.5 + 1j, 2 + 0.25j]], dtype=t.complex128, requires_grad=True)
        w = t.tensor([[1 - 1j, 0.5j], [2 + 1j, -1 + 0.5j]], dtype=t.complex128, requires_grad=True)
        a = z * 1
        c, sibling = a.conj(), a.conj().imag
        eval(expression, {"t": t, "a": a, "c": c, "w": w})
        loss = (a * t.tensor([[1 + 1j, 2], [3j, 4]], dtype=t.complex128)).sum().abs() + (
            sibling * c.real
        ).sum()
        grads = t.autograd.grad(loss, (z, w), create_graph=create_graph, allow_unused=True)
        if create_graph:
            again = t.autograd.grad(grads[0].abs().sum(), (z, w), allow_unused=True)
            grads = [*grads, *again]
        found.append(
            (
                [names(x) for x in (a, c, sibling)],
                [None if g is None else values(g) for g in grads],
                values(a),
            )
        )
    theirs, ours = found
    assert ours[0] == theirs[0]
    for their, our in zip([theirs[2], *theirs[1]], [ours[2], *ours[1]]):
        assert (our is None) is (their is None)
        if our is not None:
            np.testing.assert_allclose(our, their, rtol=1e-9, atol=1e-12)


REFUSED = lines("""
c.numpy(); n.numpy(); c._neg_view().numpy(); np.asarray(c); np.sin(c); c.__dlpack__(); c.view(t.float64); n.view(t.int64); c.view(t.complex128); t.is_conj(1); t.is_neg(2.5)
t.tensor([True])._neg_view().tolist(); c[:1].expand(2, 3).mul_(2); (lambda q: q.copy_(q.mH))(z[:, :2].clone()); t.view_as_complex(c); t.view_as_real(x); n.imag; c.max(); c < z; h.view(6); c.item()
c.add_(t.ones(7)); c.mul_(t.ones(2, 2, 3)); n.add_(1j); k.add_(0.5); k.div_(2); c.clamp_(0, 1); t.mul(z, 2, out=n); c.is_set_to(z); x.conj().is_conj(); x.is_neg(); t.is_neg(n); t.is_conj(c)
c[:1].expand(2, 3).fill_(2); b[:1].expand(2, 3).zero_(); n[:1].expand(2, 3).masked_fill_(x > 0, 1); t.inference_mode()(t.conj_physical)(n) is n; t.no_grad()(t.conj_physical)(n) is n
[t.normal(r.float(), x.abs()).itemsize, t.normal(r.float()._neg_view(), x.abs()).itemsize, t.normal(x, (-x.abs())._neg_view()).itemsize, t.zeros(2, 3).bernoulli_((x*0-1)._neg_view()).tolist()]
""")


@pytest.mark.parametrize("expression", REFUSED)
def test_answers_and_errors(expression):
    theirs, ours = (outcome(lambda: eval(expression, {**scope(t), "np": np})) for t in (torch, minigrad))
    assert ours == theirs


def test_view_as_real_of_a_conjugate_is_refused():
    for t in (torch, minigrad):
        with pytest.raises(RuntimeError, match="view_as_real doesn't work on unresolved conjugated tensors"):
            t.view_as_real(scope(t)["c"])


@pytest.mark.parametrize("name", ["c", "h", "n", "b", "k"])
def test_pickles_and_copies(name):
    made = []
    for t in (torch, minigrad):
        x = scope(t)[name]
        rebuild, args = x.__reduce_ex__(2)
        again, twin = pickle.loads(pickle.dumps(x)), copy.deepcopy(x)
        made.append(
            (
                rebuild.__name__,
                args[1:],
                bits(again),
                again.stride(),
                values(again).tolist(),
                bits(twin),
                values(twin).tolist(),
            )
        )
    assert made[1] == made[0]


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("there, back", [(torch, minigrad), (minigrad, torch)])
def test_files(there, back, legacy):
    z = there.tensor(Z)
    x = there.tensor([1.0, 2.0])
    file = io.BytesIO()
    there.save({"z": z, "c": z.conj(), "h": z.mH[1:], "n": z._neg_view(), "b": z.conj()._neg_view(), "x": x._neg_view()},
               file, _use_new_zipfile_serialization=not legacy)  # fmt: skip
    file.seek(0)
    read = back.load(file)
    assert [bits(read[name]) for name in "zchnbx"] == [
        (False, False),
        (True, False),
        (True, False),
        (False, True),
        (True, True),
        (False, True),
    ]
    assert read["c"].data_ptr() == read["z"].data_ptr() == read["b"].data_ptr()
    assert read["h"].tolist() == z.mH[1:].tolist() and read["b"].tolist() == z.conj()._neg_view().tolist()
    read["c"].mul_(2)
    assert read["z"].tolist() == (z * 2).tolist() and read["x"].tolist() == [-1, -2]
