"""PyTorch's architecture optimisation: there are no quantised tensors here, so that only what models name is provided."""

from . import quantization

__all__ = ["quantization"]
