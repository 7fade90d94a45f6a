"""``get_kernel``: what computes an operator on the CPU, as a program that replaces kernels wants to call it."""

from typing import Any

from .. import ops
from .._api import no_grad
from .._dispatch_keys import DispatchKey, DispatchKeySet


class SafeKernelFunction:
    """The kernel of an operator for a key, from ``library.get_kernel``."""

    def __init__(self, name, key, function):
        self._name, self._key, self._function = name, key, function

    def __repr__(self):
        return f"SafeKernelFunction({self._name}, {self._key})"

    def call_boxed(self, keys: DispatchKeySet, /, *args: Any, **kwargs: Any) -> Any:
        """Compute the operator; ``keys``, which PyTorch hands to the next kernel, change nothing. TypeError if they are no set of keys.

        >>> import minigrad
        >>> keys = minigrad._C.DispatchKeySet(minigrad._C.DispatchKey.CPU)
        >>> minigrad.library.get_kernel("aten::neg", "CPU").call_boxed(keys, minigrad.ones(1))
        tensor([-1.])
        """
        if not isinstance(keys, DispatchKeySet):
            raise TypeError(
                f"call_boxed(): incompatible function arguments. The first must be a DispatchKeySet, not {type(keys).__name__}"
            )
        return self._function(*args, **kwargs)


def get_kernel(op, dispatch_key):
    """The kernel of an operator, see ``library.get_kernel``."""
    if isinstance(op, ops.OpOverload):
        found, name = op, op._name
    elif isinstance(op, str):
        found, name = _overload(op), op
    else:
        raise ValueError(f"get_kernel({op}): got unexpected type for op: {type(op)}")
    key = dispatch_key
    if isinstance(key, str):
        if key not in DispatchKey.__members__:
            raise ValueError(f"Invalid dispatch key: {key}")
        key = DispatchKey[key]
    elif not isinstance(key, DispatchKey):
        raise TypeError(
            f"get_kernel(): the dispatch key must be a str or a DispatchKey, not {type(key).__name__}"
        )
    if key.name.startswith("Composite") or key.name == "Autograd":
        raise RuntimeError("Alias keys do not have runtime kernel registrations.")
    if key.name not in ("CPU", "AutogradCPU"):
        raise NotImplementedError(f"minigrad computes on the CPU only: {name} has no kernel for {key.name}")
    return SafeKernelFunction(name, key.name, no_grad()(found) if key.name == "CPU" else found)


def _overload(qualname):
    """The overload that a name such as ``aten::add.Tensor`` stands for; RuntimeError if there is none."""
    namespace, _, rest = qualname.partition("::")
    name, _, overload = rest.partition(".")
    try:
        return getattr(getattr(getattr(ops, namespace), name), overload or "default")
    except (AttributeError, NotImplementedError):
        raise RuntimeError(f"operator {qualname} does not exist") from None
