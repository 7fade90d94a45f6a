"""Mixed precision: ``autocast`` computes products of matrices in bfloat16, ``GradScaler`` keeps small gradients from vanishing."""

from .autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from .grad_scaler import GradScaler

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available", "GradScaler"]
