"""Attention beyond ``scaled_dot_product_attention``: which kernel it uses, biases, scores changed by functions, sequences of several lengths."""

import contextlib
import enum
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from ..._api import _attention_kernels, _lazy

if TYPE_CHECKING:
    from . import flex_attention as flex_attention
    from . import varlen as varlen

    bias: Any  # which imports this package


__all__ = [
    "SDPBackend",
    "sdpa_kernel",
    "WARN_FOR_UNFUSED_KERNELS",
    "register_flash_attention_impl",
    "activate_flash_attention_impl",
    "list_flash_attention_impls",
    "current_flash_attention_impl",
    "restore_flash_attention_impl",
]

#: Whether attention with a ``bias`` that no fused kernel takes warns.
WARN_FOR_UNFUSED_KERNELS = False
_later = {name: (f"nn.attention.{name}", "") for name in ("bias", "flex_attention", "varlen")}
_log = logging.getLogger(__name__)


class SDPBackend(enum.Enum):
    """The kernels of ``scaled_dot_product_attention``. Here there are two: MATH, the plain formula, and FLASH_ATTENTION, which is fused.

    >>> import minigrad
    >>> int(minigrad.nn.attention.SDPBackend.FLASH_ATTENTION)
    1
    """

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    def __int__(self) -> int:
        return self.value

    __index__ = __int__


_BACKENDS = {
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "flash": SDPBackend.FLASH_ATTENTION,
    "mem_efficient": SDPBackend.EFFICIENT_ATTENTION,
    "math": SDPBackend.MATH,
    "overrideable": SDPBackend.OVERRIDEABLE,
}


@contextlib.contextmanager
def sdpa_kernel(backends: Any, set_priority: bool = False) -> Iterator[Any]:
    """Restrict ``scaled_dot_product_attention`` to the given kernels, an ``SDPBackend`` or a list, within a ``with`` block.

    Without FLASH_ATTENTION it is computed from its formula; if no kernel is left, it raises RuntimeError. With ``set_priority``, kernels
    are tried in the given order.

    >>> import minigrad
    >>> from minigrad.nn.attention import SDPBackend, sdpa_kernel
    >>> x = minigrad.ones(1, 1, 2, 2, requires_grad=True)
    >>> with sdpa_kernel(SDPBackend.MATH):
    ...     minigrad.nn.functional.scaled_dot_product_attention(x, x, x).grad_fn.name()
    'UnsafeViewBackward0'
    """
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, "
            f"got {type(backends).__name__}"
        )
    chosen = backends if isinstance(backends, list) else [backends]
    kernels = _attention_kernels
    enabled, priority = dict(kernels.enabled), [*kernels.priority]
    try:
        kernels.enabled.update({name: backend in chosen for name, backend in _BACKENDS.items()})
        if set_priority:
            first = [int(backend) for backend in dict.fromkeys(chosen)]
            kernels.priority[:] = first + [number for number in priority if number not in first]
        yield {}
    finally:
        kernels.enabled.update(enabled)
        kernels.priority[:] = priority


def _cur_sdpa_kernel_backends(with_priority=False):
    """The kernels that attention may use; in the order in which they are asked for."""
    found = [backend for name, backend in _BACKENDS.items() if _attention_kernels.enabled[name]]
    return sorted(found, key=lambda b: _attention_kernels.priority.index(int(b))) if with_priority else found


_impls: dict[str, Any] = {}
_active: tuple[str, Any] | None = None


def register_flash_attention_impl(impl: str | Literal["FA3", "FA4"], *, register_fn: Any) -> None:
    """Register an implementation: ``activate_flash_attention_impl(impl)`` will call ``register_fn()``, which may return a handle with a
    method ``remove``.

    >>> import minigrad
    >>> minigrad.nn.attention.register_flash_attention_impl("Mine", register_fn=lambda: None)
    >>> "Mine" in minigrad.nn.attention.list_flash_attention_impls()
    True
    """
    _impls[impl] = register_fn


def activate_flash_attention_impl(impl: str | Literal["FA3", "FA4"]) -> None:
    """Activate the implementation registered under this name, after removing the active one; raise ValueError for an unknown name.

    >>> import minigrad
    >>> minigrad.nn.attention.register_flash_attention_impl("Mine", register_fn=lambda: print("active"))
    >>> minigrad.nn.attention.activate_flash_attention_impl("Mine")
    active
    """
    global _active
    _remove_active()
    if impl not in _impls:
        raise ValueError(
            f"Unknown flash attention impl '{impl}'. Available implementations: {list_flash_attention_impls()}"
        )
    handle = _impls[impl]()
    _active = None if handle is None else (impl, handle)


def list_flash_attention_impls() -> list[str]:
    """Return the names of the registered implementations, in alphabetical order; initially there are none.

    >>> import minigrad
    >>> isinstance(minigrad.nn.attention.list_flash_attention_impls(), list)
    True
    """
    return sorted(_impls)


def current_flash_attention_impl() -> str | None:
    """Return the name of the active implementation that has a handle, or None.

    >>> import minigrad
    >>> minigrad.nn.attention.current_flash_attention_impl() is None
    True
    """
    return None if _active is None else _active[0]


def restore_flash_attention_impl() -> None:
    """Remove the active implementation; if there is none, log that.

    >>> import minigrad
    >>> minigrad.nn.attention.restore_flash_attention_impl()
    """
    if _active is None:
        _log.info("There is no active implementation of flash attention to be removed")
    _remove_active()


def _remove_active():
    global _active
    if _active is not None:
        _active[1].remove()
    _active = None


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


_lazy.publish_all(globals())
