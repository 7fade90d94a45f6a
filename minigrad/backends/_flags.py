"""Settings of a library as attributes of its module: checked when they are assigned, and changed for the length of a ``with`` block."""

import contextlib
import sys
from types import ModuleType

_PRECISIONS = ("none", "ieee", "tf32", "bf16")


@contextlib.contextmanager
def changed(module_globals, **settings):
    """The settings with these values while the block runs; None leaves one as it is."""
    before = {name: module_globals[name] for name in settings}
    module_globals.update({name: value for name, value in settings.items() if value is not None})
    try:
        yield
    finally:
        module_globals.update(before)


class _Checked(ModuleType):
    def __setattr__(self, name, value):
        check = vars(self).get("_checks", {}).get(name)
        if check is not None:
            if _frozen and name != "_frozen":
                raise RuntimeError(
                    f"not allowed to set {self.__name__.replace('minigrad', 'torch', 1)} flags after disable_global_flags; please use "
                    "flags() context manager instead"
                )
            check(value)
        super().__setattr__(name, value)


def check_settings(module_globals, **checks):
    """Let ``check(value)`` see what is assigned to a setting of the module with these globals, name -> check."""
    module_globals["_checks"] = checks
    sys.modules[module_globals["__name__"]].__class__ = _Checked


def a_bool(setter):
    """A check that raises RuntimeError if the argument is not a bool, in the name of PyTorch's function ``setter``."""

    def check(value):
        if not isinstance(value, bool):
            raise RuntimeError(f"{setter} expects a bool, but got {type(value).__name__}")

    return check


def a_precision(value):
    """Raise RuntimeError unless ``value`` names how float32 numbers are multiplied."""
    if value not in _PRECISIONS:
        raise RuntimeError(f"Unknown precision: {value}")


class Precision:
    """How one sort of operators multiplies float32 numbers: kept, and changes nothing."""

    __slots__ = ("_value",)

    def __init__(self, value="none"):
        self._value = value

    @property
    def fp32_precision(self):
        """``"none"``, ``"ieee"``, ``"tf32"`` or ``"bf16"``."""
        return self._value

    @fp32_precision.setter
    def fp32_precision(self, value):
        a_precision(value)
        self._value = value


_frozen = False


def freeze():
    """Refuse all further assignments to settings: only blocks change them."""
    global _frozen
    _frozen = True


def is_frozen():
    """Whether assignments to settings are refused."""
    return _frozen
