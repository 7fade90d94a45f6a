"""What operators are called in profiles, beside PyTorch's: one call of each function, and the names of what it runs outermost."""

import pytest

import minigrad
from minigrad.autograd.profiler import profile

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

#: Expressions, apart by semicolons, of the values below.
CALLS = """
    w.clone().resize_(2) ; w.clone().set_(w) ; w.clone().square_() ; w.clone().fill_(2.0) ; a.swapdims(0,1) ; a.sum_to_size(1,3)
    a.T ; a.mT ; a.H ; m&m ; m|m ; m^m ; torch.gradient(v) ; F.relu6(a) ; F.kl_div(a,b) ; F.poisson_nll_loss(a,b)
    a+b ; a-b ; a*b ; a/b ; a//b ; a%b ; a**b ; a@b ; -a ; +a ; abs(a) ; ~m ; a<b ; a<=b ; a>b ; a>=b ; a==b
    a!=b ; 1-a ; 2/a ; a+1 ; a-1 ; a*2 ; 2**a ; a**2 ; a//2 ; a[0] ; a[0,1] ; a[:,1:] ; a[None] ; a[...,0]
    a[idx] ; a[m] ; a[idx,idx] ; a[::2] ; a.t() ; a.real ; c.real ; c.imag ; c.conj() ; c.abs() ; c.angle()
    torch.view_as_real(c) ; torch.polar(v,v) ; torch.complex(v,v) ; a.add(b) ; torch.add(a,b,alpha=2)
    a.sub(b) ; a.mul(b) ; a.div(b) ; torch.div(a,b,rounding_mode='floor') ; torch.true_divide(a,b)
    torch.floor_divide(a,b) ; torch.remainder(a,b) ; torch.fmod(a,b) ; torch.neg(a) ; torch.positive(a)
    torch.abs(a) ; torch.sign(a) ; torch.sgn(a) ; torch.exp(a) ; torch.exp2(a) ; torch.expm1(a) ; torch.log(a)
    torch.log2(a) ; torch.log10(a) ; torch.log1p(a) ; torch.sqrt(a) ; torch.rsqrt(a) ; torch.square(a)
    torch.reciprocal(a) ; torch.sin(a) ; torch.cos(a) ; torch.tan(a) ; torch.asin(a) ; torch.acos(a)
    torch.atan(a) ; torch.sinh(a) ; torch.cosh(a) ; torch.tanh(a) ; torch.asinh(a) ; torch.acosh(a+1)
    torch.atanh(a) ; torch.sigmoid(a) ; torch.erf(a) ; torch.erfc(a) ; torch.erfinv(a) ; torch.lgamma(a)
    torch.digamma(a) ; torch.floor(a) ; torch.ceil(a) ; torch.round(a) ; torch.trunc(a) ; torch.frac(a)
    torch.clamp(a,0,1) ; torch.clamp(a,min=0) ; torch.clamp_min(a,0) ; torch.maximum(a,b) ; torch.minimum(a,b)
    torch.fmax(a,b) ; torch.max(a,b) ; torch.hypot(a,b) ; torch.atan2(a,b) ; torch.logaddexp(a,b)
    torch.lerp(a,b,0.5) ; torch.lerp(a,b,a) ; torch.addcmul(a,a,b) ; torch.addcdiv(a,a,b) ; torch.where(m,a,b)
    torch.masked_fill(a,m,0) ; a.masked_fill(m,1.0) ; torch.masked_select(a,m) ; a.masked_scatter(m,b)
    torch.nan_to_num(a) ; torch.isnan(a) ; torch.isinf(a) ; torch.isfinite(a) ; torch.isclose(a,b)
    torch.allclose(a,b) ; torch.equal(a,b) ; torch.sum(a) ; torch.sum(a,0) ; a.sum(1,keepdim=True)
    torch.mean(a) ; torch.mean(a,0) ; torch.prod(a) ; torch.prod(a,0) ; torch.max(a) ; torch.max(a,0)
    torch.min(a) ; torch.min(a,0) ; torch.amax(a,0) ; torch.amin(a,0) ; torch.aminmax(a) ; torch.argmax(a)
    torch.argmin(a,0) ; torch.std(a) ; torch.var(a) ; torch.var(a,0) ; torch.var_mean(a) ; torch.std_mean(a)
    torch.norm(a) ; torch.norm(a,1,0) ; torch.linalg.norm(a) ; torch.linalg.vector_norm(a)
    torch.linalg.matrix_norm(a) ; torch.logsumexp(a,0) ; torch.all(m) ; torch.any(m) ; torch.count_nonzero(a)
    torch.median(a) ; torch.median(a,0) ; torch.mode(a) ; torch.kthvalue(a,1) ; torch.quantile(a,0.5)
    torch.cumsum(a,0) ; torch.cumprod(a,0) ; torch.cummax(a,0) ; torch.logcumsumexp(a,0) ; torch.diff(a)
    torch.sort(a) ; torch.argsort(a) ; torch.topk(a,2) ; torch.unique(a) ; torch.bincount(idx) ; torch.histc(w)
    torch.searchsorted(w.sort()[0],w) ; torch.matmul(a,b) ; torch.matmul(a,v) ; torch.matmul(v,v)
    torch.matmul(B,a) ; torch.matmul(B,B) ; torch.mm(a,b) ; torch.mv(a,v) ; torch.dot(v,v) ; torch.vdot(v,v)
    torch.inner(a,b) ; torch.outer(v,v) ; torch.bmm(B,B) ; torch.addmm(a,a,b) ; torch.addmv(v,a,v)
    torch.addr(a,v,v) ; torch.baddbmm(B,B,B) ; torch.addbmm(a,B,B) ; torch.einsum('ij,jk->ik',a,b)
    torch.tensordot(a,b,1) ; torch.kron(a,b) ; torch.cross(a,b) ; torch.linalg.cross(a,b) ; torch.trace(a)
    torch.linalg.det(a) ; torch.logdet(spd) ; torch.slogdet(a) ; torch.inverse(a) ; torch.linalg.inv(a)
    torch.linalg.solve(a,b) ; torch.linalg.cholesky(spd) ; torch.cholesky_solve(b,spd) ; torch.linalg.qr(a)
    torch.linalg.svd(a) ; torch.svd(a) ; torch.linalg.eigh(spd) ; torch.linalg.eig(a)
    torch.linalg.eigvalsh(spd) ; torch.linalg.pinv(a) ; torch.linalg.lstsq(a,b)
    torch.linalg.matrix_power(a,3) ; torch.matrix_exp(a) ; torch.linalg.lu(a) ; torch.linalg.lu_factor(a)
    torch.triangular_solve(b,a) ; torch.linalg.solve_triangular(a,b,upper=True)
    torch.linalg.multi_dot([a,b,a]) ; torch.chain_matmul(a,b) ; torch.cdist(a,b) ; torch.pdist(a)
    torch.reshape(a,(9,)) ; a.view(9) ; a.view_as(b) ; a.reshape(-1) ; a.t().reshape(9) ; torch.flatten(a)
    torch.flatten(a.t()) ; torch.ravel(a) ; torch.unflatten(a,0,(3,1)) ; torch.squeeze(a) ; a.squeeze(0)
    a.unsqueeze(0) ; torch.transpose(a,0,1) ; torch.permute(a,(1,0)) ; torch.movedim(a,0,1)
    torch.swapaxes(a,0,1) ; a.expand(2,3,3) ; a.expand_as(B) ; a.repeat(2,2) ; torch.tile(a,(2,))
    torch.repeat_interleave(a,2) ; torch.broadcast_to(a,(2,3,3)) ; torch.cat([a,b]) ; torch.concat([a,b])
    torch.stack([a,b]) ; torch.hstack([a,b]) ; torch.vstack([a,b]) ; torch.dstack([a,b])
    torch.column_stack([a,b]) ; torch.split(a,1) ; a.split([1,2]) ; torch.chunk(a,2) ; torch.tensor_split(a,2)
    torch.hsplit(a,3) ; torch.unbind(a) ; torch.select(a,0,1) ; torch.narrow(a,0,0,2) ; a.diagonal()
    torch.diag(a) ; torch.diag(v) ; torch.diag_embed(v) ; torch.diagflat(v) ; torch.tril(a) ; torch.triu(a)
    torch.flip(a,(0,)) ; torch.fliplr(a) ; torch.rot90(a) ; torch.roll(a,1) ; torch.gather(a,0,i)
    torch.scatter(a,0,i,b) ; torch.scatter_add(a,0,i,b) ; torch.index_select(a,0,idx)
    torch.index_add(a,0,idx,b[:2]) ; torch.index_copy(a,0,idx,b[:2]) ; torch.index_fill(a,0,idx,1.)
    torch.index_put(a,(idx,),b[:2]) ; torch.take(a,idx) ; torch.take_along_dim(a,i,0)
    torch.scatter_reduce(a,0,i,b,'sum') ; torch.nonzero(a) ; torch.argwhere(a)
    torch.meshgrid(v,v,indexing='ij') ; torch.cartesian_prod(v,v) ; torch.combinations(v)
    torch.block_diag(a,b) ; torch.clone(a) ; a.clone() ; a.detach() ; a.t().contiguous() ; a.to(torch.float32)
    a.to(torch.float64) ; a.float() ; a.int() ; a.type(torch.float32) ; a.type_as(b) ; a.sum().item()
    bool(w[0]) ; w.clone().fill_(1.) ; w.clone().zero_() ; w.clone().add_(1) ; w.clone().mul_(2)
    w.clone().sub_(w) ; w.clone().div_(2) ; w.clone().exp_() ; w.clone().clamp_(0,1) ; w.clone().normal_()
    w.clone().uniform_() ; w.clone().requires_grad_() ; w.clone().detach_() ; w.clone().bernoulli_()
    w.clone().exponential_() ; w.clone().copy_(v) ; torch.zeros(2) ; torch.ones(2) ; torch.full((2,),1.)
    torch.empty(2) ; torch.zeros_like(a) ; torch.ones_like(a) ; torch.full_like(a,2) ; torch.empty_like(a)
    torch.rand(2) ; torch.randn(2) ; torch.randint(0,2,(3,)) ; torch.randperm(3) ; torch.rand_like(a)
    torch.randn_like(a) ; torch.normal(0.,1.,(2,)) ; torch.normal(w,w) ; torch.bernoulli(w) ; torch.poisson(w)
    torch.multinomial(w,2) ; torch.arange(3) ; torch.linspace(0,1,3) ; torch.logspace(0,1,3) ; torch.eye(3)
    a.new_zeros(2) ; a.new_ones(2) ; a.new_full((2,),1.) ; torch.tril_indices(3,3) ; torch.vander(w)
    torch.hann_window(4) ; torch.bartlett_window(4) ; torch.fft.fft(a) ; torch.fft.rfft(a) ; torch.fft.irfft(c)
    torch.fft.fft2(a) ; torch.fft.fftshift(a) ; F.relu(a) ; F.relu6(a) ; F.leaky_relu(a) ; F.elu(a) ; F.selu(a)
    F.celu(a) ; F.gelu(a) ; F.silu(a) ; F.mish(a) ; F.softplus(a) ; F.softsign(a) ; F.softshrink(a)
    F.hardshrink(a) ; F.hardtanh(a) ; F.hardsigmoid(a) ; F.hardswish(a) ; F.tanhshrink(a)
    F.threshold(a,0.1,0.) ; F.logsigmoid(a) ; F.glu(im) ; F.rrelu(a) ; F.softmax(a,0) ; F.softmin(a,0)
    F.log_softmax(a,0) ; F.gumbel_softmax(a) ; F.normalize(a) ; F.dropout(a) ; F.dropout(a,training=False)
    F.alpha_dropout(a,training=True) ; F.dropout2d(im) ; F.linear(a,b) ; F.linear(a,b,v) ; F.linear(B,b,v)
    F.linear(B,b) ; F.embedding(idx,a) ; F.one_hot(idx) ; F.conv1d(seq,T(3,2,2)) ; F.conv2d(im,T(3,2,2,2))
    F.conv2d(im,T(3,2,2,2),v) ; F.conv3d(vol,T(1,1,2,2,2)) ; F.conv_transpose2d(im,T(2,3,2,2)) ; F.unfold(im,2)
    F.fold(T(1,4,4),(3,3),2) ; F.max_pool1d(seq,2) ; F.max_pool2d(im,2) ; F.max_pool3d(vol,2)
    F.avg_pool1d(seq,2) ; F.avg_pool2d(im,2) ; F.avg_pool3d(vol,2) ; F.adaptive_avg_pool1d(seq,2)
    F.adaptive_avg_pool2d(im,1) ; F.adaptive_avg_pool2d(im,2) ; F.adaptive_max_pool2d(im,2)
    F.lp_pool2d(im,2,2) ; F.interpolate(im,scale_factor=2) ; F.interpolate(im,scale_factor=2,mode='bilinear')
    F.grid_sample(im,T(1,2,2,2)) ; F.affine_grid(T(1,2,3),(1,1,2,2)) ; F.pixel_shuffle(T(1,4,2,2),2)
    F.pad(a,(1,1)) ; F.pad(im,(1,1,1,1),mode='reflect') ; F.pad(im,(1,1,1,1),mode='replicate')
    F.pad(im,(1,1,1,1),mode='circular')
    F.batch_norm(im,torch.zeros(2,dtype=float64),torch.ones(2,dtype=float64))
    F.batch_norm(im,None,None,training=True) ; F.layer_norm(a,(3,)) ; F.group_norm(im,2) ; F.instance_norm(im)
    F.rms_norm(a,(3,)) ; F.cross_entropy(a,b) ; F.binary_cross_entropy(a,b.detach())
    F.binary_cross_entropy_with_logits(a,b) ; F.kl_div(a,b) ; F.poisson_nll_loss(a,b)
    F.hinge_embedding_loss(a,b) ; F.margin_ranking_loss(v,v,v) ; F.triplet_margin_loss(a,b,a)
    F.cosine_embedding_loss(a,b,v) ; F.cosine_similarity(a,b)
    F.pairwise_distance(a,b) ; F.scaled_dot_product_attention(B,B,B)
    F.scaled_dot_product_attention(B,B,B,is_causal=True) ; torch.xlogy(a,b)
    torch.polygamma(1,a) ; torch.igamma(a.detach(),b.detach()) ; torch.logit(a) ; torch.deg2rad(a)
    torch.heaviside(a.detach(),b.detach()) ; torch.copysign(a,b) ; torch.ldexp(a,b) ; torch.signbit(a)
    torch.bitwise_and(I,I) ; torch.bitwise_not(I) ; torch.logical_and(m,m) ; torch.logical_not(m)
    torch.cov(a) ; torch.corrcoef(a) ; torch.trapezoid(a) ; torch.cumulative_trapezoid(a)
    torch.renorm(a,2,0,1.) ; torch.as_strided(a,(2,),(1,)) ; torch.unique_consecutive(w) ; torch.isin(I,I)
    torch.bucketize(w,w.sort()[0]) ; torch.lu_solve(b,*torch.linalg.lu_factor(a)) ; torch.ormqr(a,v,b)
    torch.cholesky_inverse(spd) ; torch.softmax(a,0) ; torch.relu(a) ; torch.is_nonzero(w[0])
"""


def values(t):
    """What the expressions are about, for one of the two libraries."""

    def rand(*sizes):
        return t.rand(*sizes, dtype=t.float64) * 0.8 + 0.1

    t.manual_seed(0)
    a, b, v, w = rand(3, 3).requires_grad_(), rand(3, 3).requires_grad_(), rand(3).requires_grad_(), rand(3)
    return {
        "torch": t,
        "F": t.nn.functional,
        "float64": t.float64,
        "T": rand,
        "a": a,
        "b": b,
        "v": v,
        "w": w,
        "i": t.tensor([[0, 1, 2]] * 3),
        "idx": t.tensor([0, 2]),
        "m": t.tensor([[True, False, True]] * 3),
        "spd": a.detach() @ a.detach().T + t.eye(3, dtype=t.float64),
        "im": rand(1, 2, 6, 6).requires_grad_(),
        "c": t.complex(rand(3, 3), rand(3, 3)).requires_grad_(),
        "I": t.tensor([[1, 2, 3], [4, 5, 6]]),
        "seq": rand(1, 2, 6).requires_grad_(),
        "vol": rand(1, 1, 4, 4, 4).requires_grad_(),
        "B": rand(2, 3, 3).requires_grad_(),
    }


def outermost(t, profile, call):
    """(name, whether it has a sequence number) of each event that is not within another."""
    known = values(t)
    code = compile(call, "call", "eval")
    eval(code, known)
    with profile() as prof:
        eval(code, known)
    return [(e.name, e.sequence_nr >= 0) for e in prof.function_events if e.cpu_parent is None]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "call", [call.strip() for call in CALLS.replace("\n", ";").split(";") if call.strip()]
)
def test_the_same_names(call):
    if "igamma" in call:
        pytest.importorskip("scipy")
    assert outermost(minigrad, profile, call) == outermost(torch, torch.autograd.profiler.profile, call)
