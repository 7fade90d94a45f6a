"""The types of 2017 for sparse tensors: ``sparse.FloatTensor(indices, values, size)``, ``isinstance(x, sparse.DoubleTensor)``.

As those of dense tensors, they have no objects of their own: calling one makes a tensor in coordinates.
"""

from typing import Any

from .._base import device as devices
from .._base import dtypes
from .._base.deprecation import warn_once
from .._core.tensor import Tensor
from .construct import empty, sparse_coo_tensor

_DTYPES = {
    "BFloat16Tensor": dtypes.bfloat16, "ByteTensor": dtypes.uint8, "CharTensor": dtypes.int8, "DoubleTensor": dtypes.float64,
    "FloatTensor": dtypes.float32, "HalfTensor": dtypes.float16, "IntTensor": dtypes.int32, "LongTensor": dtypes.int64, "ShortTensor": dtypes.int16,
}  # fmt: skip


class sparse_tensortype(type):
    """The type of the types: what they do when they are called, and who their instances are."""

    is_sparse = True
    is_cuda = is_sparse_csr = False
    layout = devices.sparse_coo

    @property
    def dtype(cls) -> dtypes.dtype:
        return _DTYPES[cls.__name__]

    def __call__(cls, *args: Any, device: Any = None) -> Any:
        warn_once(
            "sparse types",
            "torch.sparse.SparseTensor(indices, values, shape, *, device=) is deprecated.  Use sparse_coo_tensor instead, which takes the same arguments.",
            UserWarning,
        )
        if args and isinstance(args[0], Tensor) and len(args) in (2, 3):
            return sparse_coo_tensor(*args, device=device)
        size = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args or (0,)
        if not all(hasattr(n, "__index__") for n in size):
            raise TypeError(
                f"{cls.__name__}() takes a size, or indices and values as tensors, and perhaps a size, but got ({', '.join(type(x).__name__ for x in args)})"
            )
        return empty(tuple(size), cls.dtype)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and instance.is_sparse and instance.dtype is cls.dtype

    def __repr__(cls) -> str:
        return f"<class 'torch.sparse.{cls.__name__}'>"


def _legacy_type(name):
    doc = f"""A sparse tensor in coordinates of dtype ``{_DTYPES[name].name}``, made from a size, or from indices, values, which keep their dtype, and perhaps a size.

    Deprecated: use ``sparse_coo_tensor``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     x = minigrad.sparse.{name}(2, 3)
    >>> x.shape, x.dtype
    (torch.Size([2, 3]), torch.{_DTYPES[name].name})
    """
    return sparse_tensortype(
        name, (), {"__module__": "minigrad.sparse", "__qualname__": name, "__doc__": doc}
    )


(
    BFloat16Tensor,
    ByteTensor,
    CharTensor,
    DoubleTensor,
    FloatTensor,
    HalfTensor,
    IntTensor,
    LongTensor,
    ShortTensor,
) = map(_legacy_type, _DTYPES)


def named(name: str) -> Any:
    """The type that is called ``name``, such as "torch.sparse.FloatTensor"; raises ValueError for another name."""
    found = globals().get(name.removeprefix("torch.sparse."))
    if not isinstance(found, sparse_tensortype):
        raise ValueError(f"invalid type: '{name}'")
    return found
