"""The version of minigrad, that of the PyTorch whose API it has, and of the libraries for accelerators that PyTorch is built with: here there are none."""

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "rocm", "xpu"]

__version__ = "0.1.0"
#: The same where ``torch`` means minigrad: there ``__version__`` is that of PyTorch.
minigrad = __version__
#: The version of PyTorch whose names and behaviour these are.
pytorch = "2.13.0"
debug = False
cuda = hip = rocm = xpu = git_version = None
