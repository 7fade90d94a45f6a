"""The types of 2017: ``FloatTensor([1, 2])``, ``LongTensor(3)``, ``isinstance(x, DoubleTensor)``; and the constructor that they share with ``Tensor``.

Such a type has no objects of its own: calling it makes a ``Tensor`` of its dtype, and every tensor of its dtype is an instance of it.
"""

from operator import index

import numpy as np

from .._base import device as devices
from .._base import dtypes, settings
from .._base.composites import composite
from .._base.deprecation import warn_once
from .._base.dtypes import c_name
from .._base.errors import type_name
from .._base.size import Size
from .._core.tensor import Tensor, as_class, wrap
from .from_data import copied
from .shape import alias
from .storage_classes import TypedStorage, UntypedStorage

__all__ = [
    "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor", "HalfTensor", "IntTensor", "LongTensor",
    "ShortTensor", "set_default_tensor_type", "typename",
]
METHODS = "new"


# The constructor -----------------------------------------------------------------------------------------------------------


def from_legacy_arguments(args, kwargs, dtype=None):
    """A tensor from what the constructors of 2017 take: sizes, data, a tensor or a storage, or nothing.

    ``dtype`` is the one that a tensor or storage must have and that data take; None: any, and the default one.
    """
    kwargs = dict(kwargs)
    place = kwargs.pop("device", None)
    if place is not None and str(devices.device(place).type) != "cpu":
        raise RuntimeError(f"legacy constructor expects device type: cpu but device type: {devices.device(place).type} was passed")
    kind, value = _parsed(args, kwargs)
    target = dtypes.get_default_dtype() if dtype is None else dtype
    if kind == "size":
        for n in value:
            if n < 0:
                raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(value)}")
        return wrap(settings.uninitialized(value, target.np))
    if kind == "other":
        if dtype is not None and value.dtype is not dtype:
            raise TypeError(f"expected {_options(dtype)} (got {_options(value.dtype)})")
        return alias(value)
    if kind == "storage":
        return wrap(np.empty(0, target.np)).set_(value)
    if isinstance(value, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type_name(value)}'")
    if not hasattr(value, "__getitem__") or isinstance(value, (dict, np.generic)):
        raise TypeError(f"new(): data must be a sequence (got {type_name(value)})")
    return wrap(copied(value, "new", like=target))


def _parsed(args, kwargs):
    """(which of the ways to call it, its argument)."""
    if not args and not kwargs:
        return "size", (0,)
    if len(args) == 1 and not kwargs:
        (value,) = args
        if isinstance(value, Tensor):
            return "other", value
        if isinstance(value, (TypedStorage, UntypedStorage)):
            return "storage", value
        if isinstance(value, Size):
            return "size", tuple(value)
        return ("size", (index(value),)) if _is_size(value) else ("data", value)
    if args and not kwargs and _is_size(args[0]):
        for i, n in enumerate(args):
            if not _is_size(n) and not isinstance(n, bool):
                raise TypeError(
                    f"new(): argument 'size' failed to unpack the object at pos {i + 1} with error \"type must be tuple of ints,but "
                    f'got {type_name(n)}"'
                )
        return "size", tuple([index(n) for n in args])
    if not args and len(kwargs) == 1:
        ((kind, value),) = kwargs.items()
        if kind == "data":
            return "data", value
        if kind == "other" and isinstance(value, Tensor):
            return "other", value
        if kind == "storage" and isinstance(value, (TypedStorage, UntypedStorage)):
            return "storage", value
        if kind == "size" and isinstance(value, (tuple, list)):
            return "size", tuple([index(n) for n in value])
    named = [f"{name}={type_name(value)}" for name, value in kwargs.items()]
    got = ", ".join([type_name(value) for value in args] + named) + (", " if len(named) == 1 and not args else "")
    raise TypeError(
        f"new() received an invalid combination of arguments - got ({got}), but expected one of:\n"
        " * (*, torch.device device = None)\n * (torch.Storage storage)\n * (Tensor other)\n"
        " * (tuple of ints size, *, torch.device device = None)\n * (object data, *, torch.device device = None)\n"
    )


def _is_size(n):
    """Whether ``n`` is an integer, perhaps as a 0-dim array or tensor; a truth value is none."""
    if isinstance(n, (Tensor, np.ndarray)):
        array = n._array if isinstance(n, Tensor) else n
        return not array.ndim and array.dtype.kind in "iu"
    return hasattr(n, "__index__") and not isinstance(n, (bool, np.bool_))


def _options(dtype):
    return (
        f"TensorOptions(dtype={c_name(dtype)}, device=cpu, layout=Strided, requires_grad=false (default), "
        "pinned_memory=false (default), memory_format=(nullopt))"
    )


@composite("Tensor", event=None)
def construct(cls, args, kwargs):
    """``Tensor(2, 3)``, ``Tensor([1., 2.])``, ``Tensor(other)``, for Tensor and its subclasses."""
    tensor = from_legacy_arguments(args, kwargs)
    return tensor if cls is Tensor else as_class(tensor, cls)


def new(self, *args, **kwargs):
    """Construct a tensor of this one's dtype as in 2017: from sizes, from data, or from another tensor.

    >>> import minigrad
    >>> minigrad.tensor([1]).new([2, 3])
    tensor([2, 3])
    """
    return from_legacy_arguments(args, kwargs, self.dtype)


# The types -----------------------------------------------------------------------------------------------------------------


class tensortype(type):
    """The type of the types: what they do when they are called, and who their instances are."""

    is_cuda = is_xpu = is_sparse = is_sparse_csr = False
    layout = devices.strided

    def __new__(mcs, name, bases, namespace):
        for base in bases:
            raise TypeError(f"type 'torch.{base.__name__}' is not an acceptable base type")
        return type.__new__(mcs, name, bases, namespace)

    @property
    def dtype(cls):
        return _DTYPES[cls.__name__]

    def __call__(cls, *args, **kwargs):
        return from_legacy_arguments(args, kwargs, cls.dtype)

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype

    def __getattr__(cls, name):
        try:
            return getattr(Tensor, name)
        except AttributeError:
            raise AttributeError(f"type object 'torch.{cls.__name__}' has no attribute '{name}'") from None

    def __dir__(cls):
        return sorted({*type.__dir__(cls), *dir(Tensor)})

    def __repr__(cls):
        return f"<class 'torch.{cls.__name__}'>"


_DTYPES = {
    "BFloat16Tensor": dtypes.bfloat16,
    "BoolTensor": dtypes.bool_,
    "ByteTensor": dtypes.uint8,
    "CharTensor": dtypes.int8,
    "DoubleTensor": dtypes.float64,
    "FloatTensor": dtypes.float32,
    "HalfTensor": dtypes.float16,
    "IntTensor": dtypes.int32,
    "LongTensor": dtypes.int64,
    "ShortTensor": dtypes.int16,
}


def _legacy_type(name):
    doc = f"""A tensor of dtype ``{_DTYPES[name].name}``, made from a size, from data, or from another tensor.

    >>> import minigrad
    >>> x = minigrad.{name}([1, 0])
    >>> x.tolist() == [1, 0], x.dtype
    (True, torch.{_DTYPES[name].name})
    """
    return tensortype(name, (), {"__module__": "minigrad", "__qualname__": name, "__doc__": doc})


BFloat16Tensor, BoolTensor, ByteTensor, CharTensor, DoubleTensor, FloatTensor, HalfTensor, IntTensor, LongTensor, ShortTensor = map(
    _legacy_type, _DTYPES
)


def set_default_tensor_type(t, /):
    """Make a floating-point tensor type, such as ``DoubleTensor`` or ``"torch.DoubleTensor"``, the default for tensors made from Python floats.

    Raises TypeError for another type, AttributeError for an unknown name.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.set_default_tensor_type(minigrad.FloatTensor)
    """
    if isinstance(t, str):
        name = t.removeprefix("torch.")
        if name.startswith("cuda."):
            raise TypeError(f"type {t} not available. Torch not compiled with CUDA enabled.")
        if name not in _DTYPES:
            raise AttributeError(f"module 'torch' has no attribute '{name}'")
        t = globals()[name]
    if not isinstance(t, tensortype):
        raise TypeError("invalid type object: only floating-point types are supported as the default type")
    warn_once(
        "set_default_tensor_type",
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and "
        "torch.set_default_device() as alternatives.",
        UserWarning,
    )
    dtypes.set_default_dtype(t.dtype)


def typename(obj, /):
    """Return the name of an object's type; for a tensor, that of 2017.

    >>> import minigrad
    >>> minigrad.typename(minigrad.ones(2)), minigrad.typename("text")
    ('torch.FloatTensor', 'str')
    """
    if isinstance(obj, Tensor):
        return obj.type()
    if isinstance(obj, tensortype):
        return f"torch.{obj.__name__}"
    named = obj if hasattr(obj, "__name__") else type(obj)
    module = getattr(named, "__module__", None) or ""
    name = getattr(named, "__qualname__", named.__name__)
    return name if module in ("", "builtins") else f"{module}.{name}"
