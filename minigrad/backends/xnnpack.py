"""XNNPACK, the kernels of networks on small machines."""

__all__ = ["enabled"]

enabled = False
