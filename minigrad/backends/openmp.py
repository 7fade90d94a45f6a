"""OpenMP, the threads of PyTorch's loops."""

__all__ = ["is_available"]


def is_available():
    """Whether this library computes: False, NumPy does."""
    return False
