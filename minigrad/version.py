"""The version of minigrad, and of the libraries for accelerators that PyTorch is built with: here there are none."""

__version__ = "0.1.0"
debug = False
cuda = hip = rocm = xpu = git_version = None
