"""The warning of what ``cuda.amp`` and ``cpu.amp`` have under older names."""

import warnings


def deprecated(kind, name, device_argument=False):
    """Warn that ``name`` of the module ``amp`` of a kind of device has another place: at the line that calls its caller."""
    instead = f"args..., device_type='{kind}'" if device_argument else f"'{kind}', args..."
    warnings.warn(
        f"`torch.{kind}.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}({instead})` instead.",
        FutureWarning,
        stacklevel=3,
    )
