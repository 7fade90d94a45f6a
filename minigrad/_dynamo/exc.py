"""The errors of PyTorch's compiler that programs name."""

from .._base.compiling import InvalidBackend, RecompileError, TorchDynamoException, Unsupported

__all__ = ["InvalidBackend", "RecompileError", "TorchDynamoException", "Unsupported", "UserError"]


class UserError(Unsupported):
    """Something in a program that could not be compiled."""
