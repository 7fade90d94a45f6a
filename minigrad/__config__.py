"""What the package runs on, as text: ``torch.__config__.show()``."""

from . import _c_names

__all__ = ["parallel_info", "show"]


def show() -> str:
    """Return the versions of Python and NumPy, and the devices.

    >>> import minigrad
    >>> print(minigrad.__config__.show().splitlines()[0])
    minigrad runs on:
    """
    return _c_names.find("_show_config")()


def parallel_info() -> str:
    """Return how many threads there are for what.

    >>> import minigrad
    >>> "get_num_threads()" in minigrad.__config__.parallel_info()
    True
    """
    return _c_names.find("_parallel_info")()
