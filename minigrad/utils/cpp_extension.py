"""What setup scripts and libraries import to compile C++ against PyTorch: there is no C++ here to compile against, so each use raises."""

from typing import Any

__all__ = [
    "BuildExtension",
    "CUDAExtension",
    "CppExtension",
    "include_paths",
    "library_paths",
    "load",
    "load_inline",
]

CUDA_HOME = ROCM_HOME = CUDNN_HOME = None
IS_HIP_EXTENSION = False


def _refusing(name):
    def refuse(*args: Any, **kwargs: Any):
        raise RuntimeError(
            f"torch.utils.cpp_extension.{name}: minigrad is Python over NumPy, and has no C++ library to compile extensions against"
        )

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"""Raise RuntimeError: there is no C++ library to compile against.

    >>> import minigrad
    >>> minigrad.utils.cpp_extension.{name}()
    Traceback (most recent call last):
        ...
    RuntimeError: torch.utils.cpp_extension.{name}: minigrad is Python over NumPy, and has no C++ library to compile extensions against
    """
    return refuse


CppExtension: Any = _refusing("CppExtension")
CUDAExtension: Any = _refusing("CUDAExtension")
include_paths: Any = _refusing("include_paths")
library_paths: Any = _refusing("library_paths")
load: Any = _refusing("load")
load_inline: Any = _refusing("load_inline")


class BuildExtension:
    """Raises RuntimeError when it is made: there is no C++ library to compile against."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refusing("BuildExtension")()

    @classmethod
    def with_options(cls, **options: Any) -> Any:
        """Return the class itself: options make no difference."""
        return cls


def is_ninja_available() -> bool:
    """Return whether ``ninja`` could be used for compiling: False, as nothing is compiled.

    >>> import minigrad
    >>> minigrad.utils.cpp_extension.is_ninja_available()
    False
    """
    return False
