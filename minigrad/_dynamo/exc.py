"""The errors of PyTorch's compiler that programs name."""

from .._base.compiling import InvalidBackend, TorchDynamoException

__all__ = ["InvalidBackend", "RecompileError", "TorchDynamoException", "Unsupported", "UserError"]


class Unsupported(TorchDynamoException):
    """Something that could not be compiled: nothing is, so nothing raises it."""


class UserError(Unsupported):
    """Something in a program that could not be compiled."""


class RecompileError(TorchDynamoException):
    """Something was compiled again where that was forbidden."""
