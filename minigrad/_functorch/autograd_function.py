"""What custom Functions are told by ``vmap``, and whether they have a rule for it."""

from ..autograd.function_forward import vmap as _vmap
from ..autograd.function_levels import VmapInfo, checked

__all__ = ["VmapInfo", "has_overridden_vmap_rule", "validate_vmap_returns_tuple_of_two_elements"]


def has_overridden_vmap_rule(autograd_function):
    """Return whether a Function has a ``vmap`` of its own.

    >>> import minigrad
    >>> minigrad._functorch.autograd_function.has_overridden_vmap_rule(minigrad.autograd.Function)
    False
    """
    return autograd_function.vmap is not _vmap


def validate_vmap_returns_tuple_of_two_elements(result):
    """Raise RuntimeError unless ``result`` is what a Function's ``vmap`` has to return: a pair."""
    checked(result)
