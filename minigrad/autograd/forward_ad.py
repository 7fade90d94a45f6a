"""Forward mode: tensors that carry their tangents, computed along with the values.

>>> import minigrad
>>> import minigrad.autograd.forward_ad as fwAD
>>> with fwAD.dual_level():
...     x = fwAD.make_dual(minigrad.tensor([1., 2.]), minigrad.tensor([1., 0.]))
...     fwAD.unpack_dual(x * x).tangent
tensor([2., 0.])
"""

from typing import Any, NamedTuple

from .. import _transforms as _transforms
from .._base.decorators import _DecoratorContextManager
from .._base.errors import not_a_tensor
from .._base.size import Size
from .._core.levels import DualLevel
from .._core.lifted import lifted
from .._core.modes import thread_state
from .._core.tensor import Tensor
from .._core.wrapped import Dual, dual
from .._ops.shape import view

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]


def _level():
    """The level of forward mode that is open in this thread, or None."""
    return next((level for level in thread_state.levels if level.is_forward_ad), None)


def enter_dual_level() -> int:
    """Open the level of forward mode and return its number, 0; raise RuntimeError if one is open, because they do not nest.

    >>> import minigrad
    >>> level = minigrad.autograd.forward_ad.enter_dual_level()
    >>> x = minigrad.autograd.forward_ad.make_dual(minigrad.tensor([3.]), minigrad.tensor([1.]))
    >>> minigrad.autograd.forward_ad.unpack_dual(x * x).tangent
    tensor([6.])
    >>> minigrad.autograd.forward_ad.exit_dual_level(level=level)
    """
    check_not_nested()
    DualLevel(is_forward_ad=True)
    return 0


def check_not_nested() -> None:
    """Raise RuntimeError if ``forward_ad``'s level is open, or a ``func.jvp`` runs."""
    if any(level.__class__ is DualLevel for level in thread_state.levels):
        raise RuntimeError("Nested forward mode AD is not supported at the moment")


def check_not_in_dual_level() -> None:
    """Raise RuntimeError if ``forward_ad``'s level is open: ``func.jvp`` cannot run inside it."""
    if _level() is not None:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")


def exit_dual_level(*, level: Any = None) -> None:
    """Close the level of forward mode, which forgets all tangents; raise RuntimeError for another level than the last.

    >>> import minigrad
    >>> level = minigrad.autograd.forward_ad.enter_dual_level()
    >>> minigrad.autograd.forward_ad.exit_dual_level(level=level)
    """
    found = _level()
    if level is not None and level != (-1 if found is None else 0):
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    if found is None:
        raise RuntimeError("Dual level must be a positive number.")
    found.close()


def make_dual(tensor: Tensor, tangent: Any, *, level: Any = None) -> Any:
    """Return a tensor over the memory of ``tensor`` that carries ``tangent``, of the same shape.

    Raises RuntimeError outside of a level, for a tangent of another shape, and if one of the two has a tangent already; ValueError unless
    both are floating-point or complex.

    >>> import minigrad
    >>> import minigrad.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     fwAD.make_dual(minigrad.ones(2), minigrad.tensor([0., 1.]))
    tensor([1., 1.], tangent=tensor([0., 1.]))
    """
    found = _level()
    if found is None or (level is not None and level < 0):
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    if level is not None and level > 0:
        raise RuntimeError("Invalid level given to _make_dual")
    check_dtypes(tensor, tangent)
    if _tangent(tensor, found) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not supported."
        )
    if _tangent(tangent, found) is not None:
        raise RuntimeError(
            "Setting a forward grad that itself has a forward gradient at the same level0 is not supported."
        )
    check_sizes(tensor, tangent)
    inner = view(tensor, Size(tensor.shape)) if tensor.is_contiguous() else tensor.view_as(tensor)
    if thread_state.inference:  # which computes no tangents
        return inner
    if any(n != 1 and a != b for n, a, b in zip(tensor.shape, tensor.stride(), tangent.stride())):
        like = Tensor.new_empty_strided(tensor.detach(), tensor.shape, tensor.stride(), dtype=tangent.dtype)
        tangent = like.copy_(tangent)
    out = dual(inner, found, tangent)
    if inner.requires_grad and thread_state.recording:
        out._node = lifted(inner._edge)
    return out


def check_dtypes(primal: Any, tangent: Any) -> None:
    """Raise ValueError unless both are floating or complex."""
    for x, name in ((primal, "primal"), (tangent, "tangent")):
        if not (x.is_floating_point() or x.is_complex()):
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {x.dtype}")


def check_sizes(primal: Any, tangent: Any) -> None:
    """Raise RuntimeError unless ``tangent`` has the shape of ``primal``."""
    if primal.shape != tangent.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. Tensor "
            f"is of size {list(primal.shape)} while the given forward gradient is of size {list(tangent.shape)}."
        )


def _tangent(x, level):
    layer = x._array if isinstance(x, Dual) else None
    return layer.tangent if layer is not None and layer.level is level else None


class UnpackedDualTensor(NamedTuple):
    """The result of ``unpack_dual``: the value, and its tangent or None.

    >>> import minigrad
    >>> with minigrad.autograd.forward_ad.dual_level():
    ...     x = minigrad.autograd.forward_ad.make_dual(minigrad.tensor([3.]), minigrad.tensor([1.]))
    ...     print(minigrad.autograd.forward_ad.unpack_dual(x * x))
    UnpackedDualTensor(primal=tensor([9.]), tangent=tensor([6.]))
    """

    primal: Tensor
    tangent: Tensor | None


def unpack_dual(tensor: Tensor, *, level: Any = None) -> Any:
    """Return the value of a tensor, as a view without tangent, and its tangent or None.

    >>> import minigrad
    >>> import minigrad.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     fwAD.unpack_dual(fwAD.make_dual(minigrad.ones(2), minigrad.tensor([0., 1.])))
    UnpackedDualTensor(primal=tensor([1., 1.]), tangent=tensor([0., 1.]))
    """
    found = _level()
    if level is not None and level > 0:
        raise RuntimeError("Invalid level given to _fw_primal")
    if level is not None and level < 0:
        return UnpackedDualTensor(tensor, None)
    if isinstance(tensor, Dual) and (layer := tensor._array).level.is_forward_ad:
        tangent = layer.tangent if layer.level is found and not thread_state.inference else None
        return UnpackedDualTensor(layer.inner.view_as(layer.inner), tangent)
    if not isinstance(tensor, Tensor) and found is not None:
        raise not_a_tensor("_unpack_dual", "dual", 1, tensor)
    return UnpackedDualTensor(tensor if found is None else tensor.view_as(tensor), None)


class dual_level(_DecoratorContextManager):
    """Open the level of forward mode within a ``with`` block.

    >>> import minigrad
    >>> import minigrad.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     x = fwAD.make_dual(minigrad.tensor(3.), minigrad.tensor(1.))
    ...     fwAD.unpack_dual(x.sin()).tangent == minigrad.tensor(3.).cos()
    tensor(True)
    """

    def __enter__(self) -> Any:
        return enter_dual_level()

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        exit_dual_level()


def _is_fwd_grad_enabled():
    """Whether tangents are computed in this thread."""
    return thread_state.forward


class _set_fwd_grad_enabled(_DecoratorContextManager):
    """Whether tangents are computed, from now on or inside."""

    def __init__(self, mode: bool) -> None:
        self.prev = thread_state.forward
        thread_state.forward = mode

    def __enter__(self) -> None:
        pass

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        thread_state.forward = self.prev
