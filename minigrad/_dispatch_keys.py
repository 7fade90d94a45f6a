"""The keys of PyTorch's dispatcher, by name: libraries put them into sets and leave them out of dispatch when they are imported.

There is no dispatcher here: an operator is chosen by Python, and leaving keys out changes nothing but autocast, whose keys are heeded.
"""

import contextlib
import enum
from typing import Any

from .amp import autocast_mode

_BACKENDS = [
    "CPU",
    "CUDA",
    "HIP",
    "XLA",
    "MPS",
    "IPU",
    "XPU",
    "HPU",
    "VE",
    "Lazy",
    "MTIA",
    "MAIA",
    "PrivateUse1",
    "PrivateUse2",
    "PrivateUse3",
    "Meta",
]
_words = (
    "Undefined CompositeExplicitAutogradNonFunctional CompositeExplicitAutograd CompositeImplicitAutogradNestedTensor CompositeImplicitAutograd "
    "AutogradNestedTensor AutogradOther Autograd Conjugate ZeroTensor Negative BackendSelect ADInplaceOrView PythonTLSSnapshot Python "
    "FuncTorchDynamicLayerFrontMode FuncTorchDynamicLayerBackMode FuncTorchBatchedDecomposition FuncTorchBatched FuncTorchVmapMode "
    "FuncTorchGradWrapper PythonDispatcher PreDispatch Functionalize AutocastCPU AutocastMPS AutocastXPU AutocastHPU AutocastIPU AutocastCUDA "
    "AutocastPrivateUse1 Dense Quantized Sparse SparseCsr NestedTensor AutogradFunctionality"
)  # fmt: skip
_FAMILIES = "", "Quantized", "Sparse", "SparseCsr", "NestedTensor", "Autograd"

DispatchKey = enum.IntEnum(  # type: ignore[misc]
    "DispatchKey",
    [*_words.split(), *[family + backend for family in _FAMILIES for backend in _BACKENDS]],
    module=f"{__package__}._C",
    start=0,
)


def _key_text(key: Any) -> str:
    return f"DispatchKey.{key.name}"


DispatchKey.__str__ = _key_text  # type: ignore[method-assign, assignment]


class DispatchKeySet(frozenset):
    """A set of keys: of one key, or of those of another set."""

    def __new__(cls, keys=()):
        return super().__new__(cls, [keys] if isinstance(keys, DispatchKey) else keys)

    def __or__(self, other):
        return DispatchKeySet(frozenset.__or__(self, other))

    def __and__(self, other):
        return DispatchKeySet(frozenset.__and__(self, other))

    def __sub__(self, other):
        return DispatchKeySet(frozenset.__sub__(self, other))

    def __repr__(self):
        return f"DispatchKeySet({', '.join(key.name for key in sorted(self))})"

    def add(self, key):
        """The set with ``key``."""
        return self | DispatchKeySet(key)

    def remove(self, key):
        """The set without ``key``."""
        return self - DispatchKeySet(key)

    def has(self, key):
        """Whether ``key`` is in the set."""
        return key in self


@contextlib.contextmanager
def exclude_keys(keys):
    """Inside, nothing is dispatched to ``keys``: without the key of the CPU's autocast it is off."""
    if DispatchKey.AutocastCPU in keys and autocast_mode.is_autocast_enabled("cpu"):
        with autocast_mode.autocast("cpu", enabled=False):
            yield
    else:
        yield
