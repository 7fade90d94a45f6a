"""Devices: the CPU, and ``meta``, whose tensors have no elements; anything else is refused at once, in words that say so."""

import threading
from typing import Any, TypeAlias

import numpy as np

from .composites import default, no_default
from .errors import integer, type_name
from .forking import held_while_forking
from .publishing import publish
from .sealed import final, seal


class device:
    """The place where a tensor lives: ``device("cpu")``, or ``device("meta")``, where tensors have shapes and dtypes but no elements.

    Accepts what PyTorch accepts (``"cpu"``, ``"cpu:0"``, ``device("cpu", 0)``, another device). Accelerators can be named, but no tensor
    can be made on them.

    >>> import minigrad
    >>> minigrad.device("cpu")
    device(type='cpu')
    """

    index: Any

    __slots__ = ("type", "index")

    _TYPES = (
        "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla",
        "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
    )  # fmt: skip

    def __init__(self, type: "str | device | int | None" = None, index: Any = None) -> None:
        if index is not None:
            index = integer(index, "device", "index", 2)
            if index < 0:
                raise RuntimeError("Device index must not be negative")
        elif isinstance(type, device):
            type, index = type.type, type.index  # type: ignore[union-attr, has-type]
        elif isinstance(type, int | np.integer) and not isinstance(type, bool):
            raise RuntimeError(
                f"Cannot access accelerator device when none is available. (device {type}: minigrad computes on the CPU only)"
            )
        if not isinstance(type, str):
            raise _no_device(type, index)
        if not type:
            raise RuntimeError("Device string must not be empty")
        name, colon, number = type.partition(":")
        if name not in self._TYPES or (colon and not number.isdecimal()):
            raise RuntimeError(
                f"Expected one of {', '.join(self._TYPES)} device type at start of device string: {name}"
                if name not in self._TYPES
                else f"Invalid device string: '{type}'"
            )
        if colon and index is not None:
            raise RuntimeError(
                f"type (string) must not include an index because index was passed explicitly: {type}"
            )
        self.type = name
        self.index = int(number) if colon else index

    def __repr__(self) -> str:
        return (
            f"device(type='{self.type}')"
            if self.index is None
            else f"device(type='{self.type}', index={self.index})"
        )

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> Any:
        return device, (self.type,) if self.index is None else (self.type, self.index)

    def __enter__(self) -> Any:
        _count(check(self), 1)
        _thread.entered = (*_thread.entered, self)
        return self

    def __exit__(self, *exc: Any) -> None:
        _thread.entered = _thread.entered[:-1]
        _count(check(self), -1)


publish("minigrad", final(device))


def _no_device(type, index):
    """The TypeError for what names no device."""
    if index is not None and type is not None:
        return TypeError(f"device(): argument 'type' (position 1) must be str, not {type_name(type)}")
    got = "" if type is None else type_name(type)
    return TypeError(
        f"device() received an invalid combination of arguments - got ({got}), but expected one of:\n"
        " * (torch.device device)\n * (str type, int index = -1)"
    )


#: What is taken for a device: of an int there is none, which the error says.
Device: TypeAlias = device | str | int | None


class _ThreadState(threading.local):
    entered: tuple[device, ...] = ()  # the devices whose ``with`` blocks this thread is in
    default: Any = None  # what the program has set


_thread = _ThreadState()
CPU = device("cpu")
META = device("meta")


def get_default_device() -> device:
    """Return the device of new tensors in this thread: the CPU, unless a ``with device(...)`` block or ``set_default_device`` says otherwise.

    >>> import minigrad
    >>> minigrad.get_default_device()
    device(type='cpu')
    """
    return _thread.entered[-1] if _thread.entered else _thread.default or CPU


def set_default_device(device: Any) -> None:
    """Set the device of new tensors in this thread: ``"cpu"``, None (the same), or ``"meta"``.

    Raises AssertionError or RuntimeError for any other device, as PyTorch does when the next tensor is made.

    >>> import minigrad
    >>> minigrad.set_default_device("cpu")
    """
    found = check(device)
    _count(check(_thread.default), -1)
    _count(found, 1)
    _thread.default = None if device is None else _device(device)


_defaults = 0  # how often ``meta`` is the default in any thread
_lock = held_while_forking(threading.RLock())


def _count(found, change):
    """Note that ``meta`` has become, or is no longer, the default somewhere: while it is, functions that make tensors ask."""
    global _defaults
    if found is META:
        with _lock:
            before, _defaults = _defaults, _defaults + change
            if not before:
                default(_asking)
            elif not _defaults:
                no_default()


def _asking(function, own):
    """A function that runs ``own``, on the default device of this thread where none is given."""

    def call(*args, **kwargs):
        if kwargs.get("device") is None and check(get_default_device()) is META and kwargs.get("out") is None:
            kwargs["device"] = META
        return own(*args, **kwargs)

    return call


def is_meta(value):
    """Whether ``value``, a device or what names one, is ``meta``; raises where ``check`` does."""
    return check(value) is META


def check(value):
    """The device that ``value`` (None, a string, an int or a device) names: the CPU or ``meta``; raises for any other."""
    if value is None or value is CPU:
        return CPU
    if isinstance(value, bytes):
        value = value.decode()
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("Overflow when unpacking long long")
    found = value if isinstance(value, device) else device(value)
    if found.type == "cpu":
        return CPU
    if found.type == "meta":
        return META
    if found.type in ("cuda", "mtia", "xpu"):
        raise not_compiled(found.type)
    raise RuntimeError(
        f"PyTorch is not linked with support for {found.type} devices (minigrad computes on the CPU only)"
    )


def not_compiled(kind):
    """The AssertionError of what needs a device of a kind."""
    return AssertionError(
        f"Torch not compiled with {kind.upper()} enabled (minigrad computes on the CPU only)"
    )


_device = device


class _Named:
    """Constants that are known by their names."""

    name: str

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> Any:
        return self.name


class layout(_Named):
    """The layout of a tensor's elements, such as ``minigrad.strided``.

    >>> import minigrad
    >>> minigrad.ones(2).layout
    torch.strided
    """

    __slots__ = ()


class memory_format(_Named):
    """The order of a tensor's dimensions in memory, such as ``minigrad.channels_last``.

    >>> import minigrad
    >>> minigrad.ones(1, 2, 3, 3).contiguous(memory_format=minigrad.channels_last).stride()
    (18, 1, 6, 2)
    """

    __slots__ = ()


class qscheme(_Named):
    """A scheme of quantisation, such as ``minigrad.per_tensor_affine``. It can be named, but there are no quantised tensors.

    >>> import minigrad
    >>> minigrad.per_tensor_affine
    torch.per_tensor_affine
    """

    __slots__ = ()


publish("minigrad", layout, memory_format, qscheme)


strided = layout("strided")
#: Layouts that programs name and compare with: no tensor has one of these.
sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc, jagged, _mkldnn = map(
    layout, ("sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged", "_mkldnn")
)
(
    per_tensor_affine,
    per_tensor_symmetric,
    per_channel_affine,
    per_channel_symmetric,
    per_channel_affine_float_qparams,
) = map(
    qscheme,
    (
        "per_tensor_affine",
        "per_tensor_symmetric",
        "per_channel_affine",
        "per_channel_symmetric",
        "per_channel_affine_float_qparams",
    ),
)
preserve_format = memory_format("preserve_format")
contiguous_format = memory_format("contiguous_format")
channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")
for _class in (layout, memory_format, qscheme):
    seal(_class)
