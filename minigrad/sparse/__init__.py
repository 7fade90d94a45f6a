"""Operations on sparse tensors, which keep only some elements, and where these are: ``minigrad.sparse_coo_tensor`` and ``Tensor.to_sparse`` make them."""

from .._base import lazy as _lazy

_later = _lazy.places(
    {
        "_sparse.products": "addmm=sparse_addmm mm=sparse_mm sampled_addmm",
        "_sparse.reductions": "log_softmax=sparse_log_softmax softmax=sparse_softmax sum=sparse_sum",
        "_sparse.checks": "as_sparse_gradcheck check_sparse_tensor_invariants",
        "_sparse.diagonals": "spdiags",
        "_sparse.legacy_types": "BFloat16Tensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor",
    }
)

__all__ = [
    "addmm", "as_sparse_gradcheck", "check_sparse_tensor_invariants", "log_softmax", "mm", "sampled_addmm", "softmax", "spdiags", "sum",
]  # fmt: skip


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())


def __dir__():
    return sorted({*globals(), *_later})
