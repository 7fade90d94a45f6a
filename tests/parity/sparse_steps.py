"""What random programs (``programs.py``) do with sparse tensors: steps that begin and end with dense ones, and gradients that are sparse.

The creations of ``SPARSE`` are functions of (library, tensor a, tensor b, small number k), as those of ``steps.py``.
"""


def matrices(*ts):
    return all(t.dim() == 2 and t.numel() for t in ts)


def to_csr(a):
    return a.to_sparse_csr()


def from_places(lib, a, k):
    """A sparse tensor of two rows of ``a``, which may be the same one."""
    places = lib.tensor([[0, k % max(1, a.size(0))]])
    return lib.sparse_coo_tensor(places, a[:2] if a.size(0) > 1 else lib.cat([a, a]), tuple(a.shape))


SPARSE = {
    "sparse_and_back": lambda lib, a, b, k: a.to_sparse().to_dense(),
    "sparse_places": lambda lib, a, b, k: from_places(lib, a, k).to_dense(),
    "sparse_coalesced": lambda lib, a, b, k: from_places(lib, a, k).coalesce().values(),
    "sparse_values": lambda lib, a, b, k: a.to_sparse(1).coalesce().values(),
    "sparse_add": lambda lib, a, b, k: (a.to_sparse() + b.to_sparse()).to_dense() if a.shape == b.shape else None,
    "sparse_mul": lambda lib, a, b, k: (a.to_sparse() * b.to_sparse()).to_dense() if a.shape == b.shape else None,
    "sparse_add_to_dense": lambda lib, a, b, k: b + a.to_sparse() if a.shape == b.shape else None,
    "sparse_scaled": lambda lib, a, b, k: (a.to_sparse() * (k + 0.5)).neg().to_dense(),
    "sparse_sum": lambda lib, a, b, k: lib.sparse.sum(a.to_sparse(), 0).to_dense() if matrices(a) else lib.sparse.sum(a.to_sparse()),
    "sparse_t": lambda lib, a, b, k: a.to_sparse().t().to_dense() if matrices(a) else None,
    "sparse_mm": lambda lib, a, b, k: lib.sparse.mm(a.to_sparse(), b) if matrices(a, b) else None,
    # by a mask of another dtype, backward fails in PyTorch
    "sparse_mask": lambda lib, a, b, k: (
        a.sparse_mask(b.detach().to_sparse()).to_dense() if a.shape == b.shape and a.dtype == b.dtype else None
    ),
    "sparse_softmax": lambda lib, a, b, k: lib.sparse.softmax(a.to_sparse(), 0).to_dense() if matrices(a) else None,
    # PyTorch has no gradient of it
    "sparse_select": lambda lib, a, b, k: a.detach().to_sparse().index_select(0, lib.tensor([0, k % max(1, a.size(0))])).to_dense(),
    "csr_and_back": lambda lib, a, b, k: to_csr(a).to_dense() if matrices(a) else None,
    "csr_mm": lambda lib, a, b, k: to_csr(a) @ b if matrices(a, b) else None,
}  # fmt: skip

#: Creations whose gradient, of a leaf, is sparse.
SPARSE_GRADIENTS = {
    "sparse_embedding": lambda lib, a, b, k: (
        lib.nn.functional.embedding(lib.tensor([0, k % max(1, a.size(0)), 0]), a, sparse=True) if a.dim() == 2 else None
    ),
}  # fmt: skip
