"""Device types that are not available: the errors that their modules raise, with PyTorch's messages and types."""

from typing import Any

from .._api import device
from .._base.device import not_compiled

CPU_ONLY = "minigrad computes on the CPU only"


class Absent:
    """A device type that is not available: ``Absent("cuda", "CUDA")``."""

    def __init__(self, name, label):
        self.name, self.label = name, label

    def refuse(self):
        """What needs a device of this kind raises AssertionError."""
        raise not_compiled(self.name)

    def dummy(self, name):
        """What is made of a class, or asked of a function, that PyTorch has with such devices only raises RuntimeError."""
        raise RuntimeError(f"Tried to instantiate dummy base class {name}: {not_compiled(self.name)}")

    def missing(self, name):
        """What calls a function below the public ones, which PyTorch has with such devices only, raises AttributeError."""
        raise AttributeError(f"module 'torch._C' has no attribute '{name}': {not_compiled(self.name)}")

    def unhooked(self, name):
        """What PyTorch asks of a plugin for such devices raises RuntimeError."""
        raise RuntimeError(f"Cannot execute {name}() without {self.label} backend. ({CPU_ONLY})")

    def unread(self):
        """What another package would read from such a device raises ImportError: PyTorch asks for the package first."""
        if self.name == "xpu":
            raise ImportError(f"pyzes is required; install it with 'pip install pyzes'. ({CPU_ONLY})")
        raise ModuleNotFoundError(
            f"nvidia-ml-py does not seem to be installed or it can't be imported. ({CPU_ONLY})"
        )

    def index(self, value, optional=False):
        """The number of a device, given as one, as a string or as a ``device``; None where there is none and it is ``optional``.

        Raises ValueError for other devices and, unless it is ``optional``, for one without a number.
        """
        if isinstance(value, str):
            value = device(value)
        found = value
        if isinstance(value, device):
            if value.type != self.name:
                raise ValueError(f"Expected a {self.name} device, but got: {value}")
            found = value.index
        if found is None and not optional:
            raise ValueError(f"Expected a torch.device with a specified index or an integer, but got:{value}")
        return found


CUDA, MPS, MTIA, XPU = (Absent(label.lower(), label) for label in ("CUDA", "MPS", "MTIA", "XPU"))


def no_accelerator() -> Any:
    """What needs any accelerator raises RuntimeError."""
    raise RuntimeError(f"Cannot access accelerator device when none is available. ({CPU_ONLY})")
