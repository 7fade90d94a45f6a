"""What programs ask of ``torch.cuda`` to find out that there is none: nothing here computes on an accelerator."""

from .._base import lazy as _lazy
from .._base.errors import OutOfMemoryError

__all__ = [
    "OutOfMemoryError",
    "current_device",
    "device_count",
    "empty_cache",
    "get_device_name",
    "get_rng_state_all",
    "is_available",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "memory_allocated",
    "set_device",
    "synchronize",
]


_later = {"amp": ("cuda.amp", "")}


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())


def _none(*args):
    raise AssertionError("Torch not compiled with CUDA enabled (minigrad computes on the CPU only)")


def is_available():
    """Whether there is a device: never.

    >>> import minigrad
    >>> minigrad.device("cuda" if minigrad.cuda.is_available() else "cpu")
    device(type='cpu')
    """
    return False


def is_initialized():
    """Whether a device is in use: never.

    >>> import minigrad
    >>> minigrad.cuda.is_initialized()
    False
    """
    return False


def device_count():
    """The number of devices: 0.

    >>> import minigrad
    >>> minigrad.cuda.device_count()
    0
    """
    return 0


def current_device():
    """Raises AssertionError: there is no device.

    >>> import minigrad
    >>> minigrad.cuda.current_device()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    _none()


def set_device(device):
    """Raises AssertionError: there is no device.

    >>> import minigrad
    >>> minigrad.cuda.set_device(0)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    _none()


def get_device_name(device=None):
    """Raises AssertionError: there is no device.

    >>> import minigrad
    >>> minigrad.cuda.get_device_name()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    _none()


def synchronize(device=None):
    """Raises AssertionError: there is no device to wait for.

    >>> import minigrad
    >>> minigrad.cuda.synchronize()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    _none()


def manual_seed(seed):
    """Seed the generators of all devices: there are none to seed.

    >>> import minigrad
    >>> minigrad.cuda.manual_seed(0)
    """


manual_seed_all = manual_seed


def get_rng_state_all():
    """The states of all devices' generators: an empty list.

    >>> import minigrad
    >>> minigrad.cuda.get_rng_state_all()
    []
    """
    return []


def empty_cache():
    """Release the devices' unused memory: there is none.

    >>> import minigrad
    >>> minigrad.cuda.empty_cache()
    """


def memory_allocated(device=None):
    """Bytes that tensors take on a device: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory_allocated()
    0
    """
    return 0


def max_memory_allocated(device=None):
    """The most bytes that tensors have taken on a device: 0.

    >>> import minigrad
    >>> minigrad.cuda.max_memory_allocated()
    0
    """
    return 0
