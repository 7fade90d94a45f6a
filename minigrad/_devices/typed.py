"""The legacy tensor and storage types on CUDA: they exist by name and have a dtype, but cannot be instantiated."""

from typing import Any

from .._base import device as devices
from .._base.publishing import publish
from .._ops import legacy_types, storage_classes
from .absent import CUDA


class _NoTensors(type):
    """The metaclass of tensor types that cannot be instantiated."""

    is_cuda = True
    is_sparse = is_sparse_csr = is_xpu = False

    @property
    def dtype(cls) -> Any:
        """The dtype that the elements would have."""
        return getattr(legacy_types, cls.__name__).dtype

    @property
    def layout(cls) -> Any:
        """How the elements would be arranged."""
        return devices.sparse_coo if cls.__module__.endswith("sparse") else devices.strided

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"type {_path(cls)} not available. Torch not compiled with CUDA enabled.")

    def __instancecheck__(cls, instance: Any) -> bool:
        return False

    def __repr__(cls) -> str:
        return f"<class '{_path(cls)}'>"


def _path(cls):
    return f"torch.{cls.__module__.partition('.')[2]}.{cls.__name__}"


def tensor_types(module_globals: Any) -> Any:
    """Make the types of tensors those of the module with these globals; returns their names."""
    home = module_globals["__spec__"].name
    names = [name for name in legacy_types.__all__ if name.endswith("Tensor")]
    if home.endswith("sparse"):
        names.remove("BoolTensor")
    for name in names:
        module_globals[name] = _NoTensors(
            name,
            (),
            {
                "__module__": home,
                "__doc__": f"Placeholder for the CUDA type ``{name}``: it has no instances.",
            },
        )
    return names


class _NoStoragesMeta(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return False


class _NoStorages(metaclass=_NoStoragesMeta):
    is_cuda = True
    is_sparse = False

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        CUDA.refuse()

    @classmethod
    def from_buffer(cls, *args: Any, **kwargs: Any) -> Any:
        """Raises RuntimeError: only CPU storages support it."""
        raise RuntimeError("from_buffer: Not available for CUDA storage")


def storage_types(module_globals):
    """Make the types of storages those of the module ``cuda``; returns their names."""
    for name, of_cpu in storage_classes.LEGACY.items():
        body = {
            "__doc__": f"Placeholder for the CUDA type ``{name}``: it has no instances.",
            "dtype": of_cpu.dtype,
        }
        module_globals[name] = type(_NoStorages)(name, (_NoStorages,), body)
        publish("minigrad.cuda", module_globals[name])
    return [*storage_classes.LEGACY]


tensor_types(globals())
storage_types(globals())
for _name in legacy_types.__all__:
    if _name in globals():
        publish("minigrad.cuda", globals()[_name])
