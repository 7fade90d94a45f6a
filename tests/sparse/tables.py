"""Sparse tensors of all kinds, and what is done with them: each row is evaluated with ``S``, one of the tensors, and ``torch``, a library."""

KINDS = "coalesced uncoalesced hybrid hybrid3 empty no_rows vector csr csc bsr bsc int32 batch".split()


def tensor(lib, kind, dtype="float32"):
    """A tensor of a kind, made by ``lib``: coalesced and not, hybrid, empty, of one dimension, in the compressed layouts."""
    dtype = getattr(lib, dtype)

    def values(*shape):
        count = 1
        for n in shape:
            count *= n
        numbers = lib.arange(count) % 5 - 2
        return (numbers > 0 if dtype is lib.bool else numbers.to(dtype)).reshape(shape)

    def coo(indices, values, size):
        return lib.sparse_coo_tensor(
            lib.tensor(indices, dtype=lib.int64).reshape(len(indices), -1),
            values,
            size,
            check_invariants=True,
        )

    if kind == "uncoalesced":
        return coo([[2, 0, 1, 0], [1, 3, 0, 3]], values(4), (3, 4))
    if kind == "hybrid":
        return coo([[2, 0, 2]], values(3, 4), (3, 4))
    if kind == "hybrid3":
        return coo([[2, 0, 2], [1, 1, 0]], values(3, 2), (3, 4, 2))
    if kind in ("empty", "no_rows"):
        return coo([[], []], values(0), (3 if kind == "empty" else 0, 4))
    if kind == "vector":
        return coo([[2, 0, 0]], values(3), (3,))
    plain = coo([[0, 0, 1, 2], [1, 3, 0, 2]], values(4), (3, 4)).coalesce()
    if kind == "batch":
        return lib.stack([plain.to_dense(), plain.to_dense()]).to_sparse_csr()
    if kind == "coalesced":
        return plain
    if kind == "int32":
        index = [lib.tensor(i, dtype=lib.int32) for i in ([0, 2, 3, 4], [1, 3, 0, 2])]
        return lib.sparse_csr_tensor(*index, plain.values(), (3, 4), check_invariants=True)
    return getattr(plain, f"to_sparse_{kind}")(*([(3, 2)] if kind[0] == "b" else []))


_lines = """
S
S.coalesce()
S.to_dense()
S.to_sparse()
S.to_sparse_csr()
S.to_sparse_csc()
S.to_sparse_bsr((1, 2))
S.to_sparse_bsc((3, 1))
S.is_coalesced()
S._nnz(), S.sparse_dim(), S.dense_dim(), S.shape, S.is_sparse, S.is_sparse_csr, str(S.layout), str(S.dtype)
S.values()
S._values(), S._indices()
S.indices()
S.crow_indices(), S.col_indices()
S.ccol_indices(), S.row_indices()
S.t()
S.transpose(0, 1)
S.transpose(-1, -2)
S.permute(1, 0)
S.clone()
S.detach()
S * 2
S * 2.5
2 * S
S / 2
S // 2
-S
S + S
S - S
S * S
S + S * 2
torch.add(S, S.clone(), alpha=3)
S * S.to_dense()
S.to_dense() * S
S.to_dense() + S
S.to_dense() - S
S + S.to_dense()
S + 1
torch.add(S.to_dense(), S, alpha=2)
S.to_dense().clone().add_(S)
S @ torch.ones(4, 2, dtype=S.dtype)
torch.ones(2, 3, dtype=S.dtype) @ S
S @ torch.ones(4, dtype=S.dtype)
torch.mm(S, torch.ones(4, 2, dtype=S.dtype))
torch.matmul(S, torch.ones(4, 2, dtype=S.dtype))
torch.mv(S, torch.ones(4, dtype=S.dtype))
torch.sparse.mm(S, torch.ones(4, 2, dtype=S.dtype))
torch.sparse.mm(S, S.t())
torch.sparse.addmm(torch.ones(3, 2, dtype=S.dtype), S, torch.ones(4, 2, dtype=S.dtype), beta=2, alpha=3)
torch.addmm(torch.ones(3, 2, dtype=S.dtype), S, torch.ones(4, 2, dtype=S.dtype), beta=2, alpha=3)
torch.bmm(torch.stack([S, S]), torch.ones(2, 4, 2, dtype=S.dtype))
torch.hspmm(S, torch.ones(4, 2, dtype=S.dtype))
torch.smm(S, torch.ones(4, 2, dtype=S.dtype))
torch.nn.functional.linear(torch.ones(2, 4, dtype=S.dtype), S)
torch.sparse.sampled_addmm(S, torch.ones(3, 2, dtype=S.dtype), torch.ones(2, 4, dtype=S.dtype), alpha=2, beta=3)
torch.sparse.sum(S)
torch.sparse.sum(S, 0)
torch.sparse.sum(S, 1)
torch.sparse.sum(S, [0, 1])
S.sum()
S.sum(0)
S.sum(-1, keepdim=True)
S.sum(dim=(0, 1))
torch.sparse.softmax(S, 0)
torch.sparse.softmax(S, 1)
torch.sparse.log_softmax(S, 1)
torch.sparse.softmax(S, -1, dtype=torch.float64)
S.select(0, 1)
S.select(1, -1)
S[0]
S[0, 1]
S[-1]
list(S)
S.unbind()
S.index_select(0, torch.tensor([2, 0, 2]))
S.index_select(1, torch.tensor([1, 1]))
S.narrow_copy(0, 1, 2)
S.unsqueeze(0)
S.unsqueeze(-1)
torch.cat([S, S])
torch.cat([S, S], -1)
torch.stack([S, S], 1)
(S.to_dense() + 1).sparse_mask(S)
S.sparse_mask(S)
(S * 2).sparse_mask(S.coalesce())
S.double()
S.to(torch.complex64)
S.bool()
S.abs()
S.sin()
S.sqrt()
S.relu()
S.sign()
S.isnan()
S.floor()
S.expm1()
S.log1p()
S.tanh()
S.signbit()
S.deg2rad()
S.conj_physical()
S.pow(2)
S ** 3
S ** 0
S.zero_()
S.clone().mul_(3)
S.clone().add_(S)
S.clone().div_(2)
S.clone().neg_()
S.norm()
S.any()
torch.zeros_like(S)
S.T
S.is_contiguous(), S.stride()
S.new_zeros(3)
S.copy_(S)
S.sparse_resize_((5, 6), 2, 0)
torch.zeros_like(S, layout=torch.strided)
torch.zeros_like(S, layout=torch.sparse_coo)
torch.ones_like(S, layout=torch.strided)
torch.full_like(S, 3)
torch.full_like(S, 3, layout=torch.strided)
torch.full_like(S, 3, dtype=torch.float64)
torch.zeros_like(S.to_dense(), layout=torch.sparse_coo)
torch.zeros_like(S.to_dense(), layout=torch.sparse_csr)
torch.zeros_like(torch.ones(2, 3, 4), layout=torch.sparse_csc)
S.new_ones(3, 4).layout, S.new_full((3, 4), 2, dtype=torch.float64).shape
S.new_full((3, 4), 2, layout=torch.strided)
S.new_ones((3, 4), layout=torch.strided)
S.new_zeros(3, 4, layout=torch.sparse_csr)
S.new(2, 3), S.new(), S.new(torch.tensor([[0]]), torch.ones(1, dtype=S.dtype), (3,))
S.nbytes, S.itemsize
S._dimI(), S._dimV()
S._to_dense()
S.resize_as_sparse_(S)
S.resize_as_sparse_(S.clone())
S.resize_as_sparse_(torch.zeros(5, 6, dtype=S.dtype).to_sparse())
S.resize_as_sparse_(torch.zeros(5, 6, dtype=S.dtype).to_sparse_csr())
S.resize_as_(torch.zeros(3, 4).to_sparse()) if S.layout in (torch.sparse_coo, torch.sparse_csr) else None
S.resize_(5, 6) if S.layout is torch.sparse_csr and S.ndim == 2 else None
S.resize_((2, 4)) if S.layout is torch.sparse_csr and S.ndim == 2 else None
S.sparse_resize_((3, 4, 2), 2, 1)
S.sparse_resize_((3, 4), 1, 1)
S.sparse_resize_and_clear_((5, 6, 2), 2, 1)
S.sparse_resize_and_clear_((), 0, 0)
S.clone().mul_(torch.ones(2, 3, 4, dtype=S.dtype))
S.clone().mul_(S)
S.clone().mul_(torch.ones(3, 4, dtype=S.dtype))
torch.mul(S, S, out=S.clone())
"""
OPERATIONS = [line for line in _lines.splitlines() if line]

#: What has no sparse form, there as here.
_lines = """
S.cos()
S.exp()
S.sigmoid()
S.max()
S.mean()
S.prod()
S.argmax()
S.cumsum(0)
S.view(-1)
S.repeat(2, 2)
S.sort()
S.topk(1)
S > 0
S == S
S.clamp(0)
S.flip(0)
S.roll(1)
S.diag()
S.tril()
S.numpy()
S.tolist()
S.data_ptr()
S.reshape(12)
S[torch.tensor([0, 1])]
S.fill_(1)
S.nonzero()
S.squeeze(0)
torch.softmax(S, 0)
torch.equal(S, S)
torch.allclose(S, S)
torch.kron(S, S)
torch.outer(S, S)
torch.lerp(S, S, 0.5)
torch.ones_like(S)
torch.linalg.inv(S)
torch.fft.fft(S)
torch.nn.functional.mse_loss(S, S)
torch.nn.functional.dropout(S)
torch.masked_select(S, S.bool())
torch.where(S.bool(), S, S)
torch.maximum(S, S)
torch.var(S)
"""
WITHOUT_FORM = [line for line in _lines.splitlines() if line]

#: What has a gradient in PyTorch, evaluated with ``S``, ``D`` (4, 2), ``F`` (2, 3), ``W`` (3, 4) and ``v`` (4).
_lines = """
S
S.coalesce()
S.coalesce().values()
S.to_sparse()
S.to_sparse_csr()
S.to_sparse_csc()
S.to_sparse_bsr((3, 2))
S.to_sparse_csr().to_sparse()
S.t()
S.transpose(0, 1)
S.T
S.clone()
S * 2
S / 2
-S
S + S
S - S * 2
torch.add(S, S.clone(), alpha=3)
S * S.detach()
S * W
W * S
S * v
v.sum() * S
S / v.sum()
W - S
torch.add(W, S, alpha=2)
W.clone().add_(S)
(S @ D).detach().addmm_(S, D, beta=3)
W.gather(1, torch.tensor([[0, 0], [1, 2], [3, 3]]), sparse_grad=True)
W.clone().sub_(S, alpha=2)
S @ D
F @ S
S @ v
torch.sparse.mm(S, D)
torch.sparse.mm(F, S)
torch.sparse.addmm(S @ D, S, D, beta=2, alpha=3)
torch.addmm(S @ D, S, D, beta=2, alpha=3)
torch.bmm(torch.stack([S, S]), D.expand(2, 4, 2))
torch.nn.functional.linear(D.t(), S)
torch.sparse.sum(S)
torch.sparse.sum(S, 0)
torch.sparse.sum(S, [0, 1])
torch.sparse.sum(S, 0, dtype=torch.float32)
S.sum()
S.sum(0)
S.sum((0, 1))
torch.sparse.softmax(S, 1)
torch.sparse.log_softmax(S, 0)
S[0]
S[0, 1]
torch.stack([S, S], 1)
W.sparse_mask(S)
W.to_sparse()
W.to_sparse(1)
W.to_sparse_csc()
W.to_sparse_bsr((1, 2))
S.float()
S.abs()
S.square()
S.relu()
S.sign()
S.round()
S.frac()
S.rad2deg()
S.pow(2)
S.conj_physical()
S.clone().mul_(3)
S.clone().add_(S, alpha=2)
S.clone().mul_(S)
S.norm(1)
S.clone().fill_(3)
S.clone().resize_as_sparse_(S)
S.clone().copy_(S)
S.clone().copy_(S.detach())
S.div(2, rounding_mode="floor")
S.div(2, rounding_mode="trunc")
S.H
S.clone().t_()
S.clone().transpose_(0, 1)
S.to_sparse(2)
S.to_sparse(layout=torch.sparse_csr)
S.to_sparse(layout=torch.sparse_bsr, blocksize=(3, 2))
S.long()
S.bool()
S * W.unsqueeze(0)
S * W.expand(2, 3, 4)
torch.addmv(W[:, 0], S, v, beta=2, alpha=3)
F[0] @ S
torch.nn.functional.linear(D.t(), S, F[0])
torch.addmm(F[0, :2], S, D)
torch.sparse.softmax(S, 1, dtype=torch.float32)
torch.sparse.sampled_addmm(S, F.t(), D.t(), beta=0)
torch.sparse.sampled_addmm(S, F.t(), D.t(), beta=2)
(S * 2) @ D
(S * 2 + S).coalesce().values()
"""
DIFFERENTIABLE = [line for line in _lines.splitlines() if line]
