"""Where storages are and go: names of places, and how a storage is brought there.

A file says of every storage where it was (``"cpu"``, ``"cuda:0"``).  minigrad has the CPU; other places are refused in
PyTorch's words, unless ``map_location`` or a package that the user registered takes care of them.
"""

import re
from typing import Any

from .._base.device import device
from .._ops.storage_classes import _Storage

_packages: list[tuple[Any, ...]] = []  # (priority, tagger, deserializer)


def register_package(priority: Any, tagger: Any, deserializer: Any) -> None:
    """Register a kind of location: ``tagger(storage)`` names it, ``deserializer(storage, name)`` moves a storage there.

    Both return None for other locations; lower priorities are tried first.

    >>> import minigrad
    >>> minigrad.serialization.register_package(90, lambda storage: None, lambda storage, location: None)
    """
    _packages.append((priority, tagger, deserializer))
    _packages.sort(key=lambda package: package[0])


def location_tag(storage: Any) -> Any:
    """Return the name of the location of a storage: ``"cpu"``.

    >>> import minigrad
    >>> minigrad.serialization.location_tag(minigrad.ones(2).untyped_storage())
    'cpu'
    """
    for _, tagger, _ in _packages:
        location = tagger(storage)
        if location:
            return location
    raise RuntimeError(f"don't know how to determine data location of {_type_name(storage)}")


def default_restore_location(storage: Any, location: Any) -> Any:
    """Return ``storage`` at the location named ``location``; raise RuntimeError if it cannot be moved there.

    >>> import minigrad
    >>> storage = minigrad.ones(2).untyped_storage()
    >>> minigrad.serialization.default_restore_location(storage, "cpu") is storage
    True
    """
    for _, _, deserializer in _packages:
        result = deserializer(storage, location)
        if result is not None:
            return result
    raise RuntimeError(
        f"don't know how to restore data location of {_type_name(storage)} (tagged with {location})"
    )


def _type_name(storage):
    return storage.type() if isinstance(storage, _Storage) else type(storage).__qualname__


def _refuse_accelerator(storage, location):
    backend = re.match(r"(cuda|xpu|mtia|hpu|privateuseone|mps)($|:|\d)", location)
    if backend is not None:
        _no_accelerator(backend[1])


def _no_accelerator(backend):
    advice = " minigrad keeps all tensors on the CPU: load this with map_location='cpu'."
    if backend in ("cuda", "xpu", "mtia"):
        raise RuntimeError(
            f"Attempting to deserialize object on a {backend.upper()} device but torch.{backend}.is_available() "
            f"is False.{advice}"
        )
    if backend == "mps":
        raise RuntimeError(f"torch.UntypedStorage(): Storage device not recognized: mps.{advice}")
    raise RuntimeError(f"The {backend.upper()} device module is not registered.{advice}")


register_package(
    10,
    lambda storage: "cpu" if storage.device.type == "cpu" else None,
    lambda storage, location: storage if location == "cpu" else None,
)
register_package(
    15,
    lambda storage: "meta" if storage.device.type == "meta" else None,
    lambda storage, location: storage.to(device="meta") if location == "meta" else None,
)
register_package(20, lambda storage: None, _refuse_accelerator)


def validate_cuda_device(location: Any) -> None:
    """Raise RuntimeError: there is no CUDA device.

    >>> import minigrad
    >>> minigrad.serialization.validate_cuda_device("cuda:0")
    Traceback (most recent call last):
        ...
    RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. minigrad keeps all tensors on the CPU: load this with map_location='cpu'.
    """
    _no_accelerator("cuda")


def validate_hpu_device(location: Any) -> None:
    """Raise RuntimeError: there is no HPU device.

    >>> import minigrad
    >>> minigrad.serialization.validate_hpu_device("hpu")
    Traceback (most recent call last):
        ...
    RuntimeError: The HPU device module is not registered. minigrad keeps all tensors on the CPU: load this with map_location='cpu'.
    """
    _no_accelerator("hpu")


def restorer(map_location: Any) -> Any:
    """The function (storage, location) -> storage that ``map_location`` stands for."""
    if map_location is None:
        return default_restore_location
    if isinstance(map_location, dict):
        return lambda storage, location: default_restore_location(
            storage, map_location.get(location, location)
        )
    if isinstance(map_location, (str, bytes, device)):
        place = map_location.decode() if isinstance(map_location, bytes) else str(map_location)
        return lambda storage, location: default_restore_location(storage, place)

    def restore(storage, location):
        result = map_location(storage, location)
        return default_restore_location(storage, location) if result is None else result

    return restore
