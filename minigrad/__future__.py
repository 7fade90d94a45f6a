"""Settings of how modules convert their parameters and load state: what PyTorch calls its future behaviour."""

__all__ = [
    "get_overwrite_module_params_on_conversion",
    "get_swap_module_params_on_conversion",
    "set_overwrite_module_params_on_conversion",
    "set_swap_module_params_on_conversion",
]

_overwrite_module_params_on_conversion = False
_swap_module_params_on_conversion = False


def set_overwrite_module_params_on_conversion(value: bool) -> None:
    """Set whether ``Module.to``, ``double`` and similar methods replace parameters by new ones instead of changing their data.

    >>> import minigrad
    >>> minigrad.__future__.set_overwrite_module_params_on_conversion(True)
    >>> layer = minigrad.nn.Linear(2, 2)
    >>> weight = layer.weight
    >>> layer.double().weight is weight, weight.dtype
    (False, torch.float32)
    >>> minigrad.__future__.set_overwrite_module_params_on_conversion(False)
    """
    global _overwrite_module_params_on_conversion
    _overwrite_module_params_on_conversion = value


def get_overwrite_module_params_on_conversion() -> bool:
    """Return whether conversions make new parameters: False unless it was set.

    >>> import minigrad
    >>> minigrad.__future__.get_overwrite_module_params_on_conversion()
    False
    """
    return _overwrite_module_params_on_conversion


def set_swap_module_params_on_conversion(value: bool) -> None:
    """Whether conversions and ``load_state_dict`` exchange the contents of parameters (``utils.swap_tensors``), so that those of subclasses work.

    ``load_state_dict`` then asks ``parameter.module_load(value)`` for what takes the parameter's place.  It goes before
    ``set_overwrite_module_params_on_conversion``.

    >>> import minigrad
    >>> minigrad.__future__.set_swap_module_params_on_conversion(True)
    >>> layer = minigrad.nn.Linear(2, 2)
    >>> weight = layer.weight
    >>> layer.double().weight is weight, weight.dtype
    (True, torch.float64)
    >>> minigrad.__future__.set_swap_module_params_on_conversion(False)
    """
    global _swap_module_params_on_conversion
    _swap_module_params_on_conversion = value


def get_swap_module_params_on_conversion() -> bool:
    """Return whether conversions and ``load_state_dict`` exchange the contents of parameters: False unless it was set.

    >>> import minigrad
    >>> minigrad.__future__.get_swap_module_params_on_conversion()
    False
    """
    return _swap_module_params_on_conversion
