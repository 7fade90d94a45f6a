"""Classes of the device modules: context managers that set a device or a stream, and classes that cannot be instantiated without a device."""

from typing import Any

from .absent import Absent, no_accelerator


class DeviceContext:
    """Context manager that sets the current device."""

    idx: Any

    absent: Absent

    def _choose(self, device):
        self.idx = self.absent.index(device, optional=True)
        self.prev_idx = -1

    def __enter__(self) -> None:
        if self.idx < 0:  # no device: as for the tensors of the CPU
            return
        self._enter()

    def _enter(self):
        raise RuntimeError(f"PyTorch was compiled without {self.absent.label} support")

    def __exit__(self, *exc: Any) -> Any:
        return False


class DeviceOf(DeviceContext):
    """Context manager that sets the current device to that of a tensor or storage; one on the CPU changes nothing."""

    def _choose(self, obj):
        super()._choose(obj.get_device() if getattr(obj, f"is_{self.absent.name}", False) else -1)


class StreamContext:
    """Context manager that sets the current stream; None changes nothing."""

    idx = -1
    stream: object

    def __enter__(self):
        if self.stream is not None:
            no_accelerator()

    def __exit__(self, *exc):
        pass


class Unmade:
    """A class that cannot be instantiated without a device."""

    absent: Absent

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        cls.absent.dummy(cls.__name__)


def unmade(module_globals: Any, absent: Any, **docs: Any) -> Any:
    """Make classes without objects those of the module with these globals, name -> docstring; returns their names."""
    home = module_globals["__spec__"].name
    for name, doc in docs.items():
        module_globals[name] = type(name, (Unmade,), {"__module__": home, "__doc__": doc, "absent": absent})
    return [*docs]
