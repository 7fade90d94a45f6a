"""Neural networks: modules, their parameters, functions, initialisation.

The layers are imported by family, when one of them is first used (``modules/__init__.py``).
"""

from typing import TYPE_CHECKING, Any

from .._api import _lazy
from . import modules as modules

if TYPE_CHECKING:
    from . import attention as attention
    from . import functional as functional
    from . import grad as grad
    from . import init as init
    from . import parallel as parallel
    from . import parameter as parameter
    from . import utils as utils
    from .modules import *
    from .parallel import DataParallel as DataParallel
    from .parameter import Buffer as Buffer
    from .parameter import Parameter as Parameter
    from .parameter import UninitializedBuffer as UninitializedBuffer
    from .parameter import UninitializedParameter as UninitializedParameter

_later = _lazy.places(
    {
        "nn.modules": " ".join(modules.__all__),  # type: ignore[attr-defined]
        "nn.attention": "attention=",
        "nn.functional": "functional=",
        "nn.grad": "grad=",
        "nn.init": "init=",
        "nn.parallel": "parallel= DataParallel",
        "nn.parameter": "parameter= Buffer Parameter UninitializedBuffer UninitializedParameter",
        "nn.utils": "utils=",
    }
)
__all__ = ["factory_kwargs", "modules", *_later]


def factory_kwargs(kwargs: Any) -> Any:
    """Return the keyword arguments of a module that concern ``empty`` and similar functions: ``device``, ``dtype``, ``memory_format``.

    They may also be in a dict under ``factory_kwargs``. Raises TypeError for other keys, and for a key that is given twice.

    >>> from minigrad import nn
    >>> nn.factory_kwargs({"device": "cpu", "factory_kwargs": {"dtype": None}})
    {'dtype': None, 'device': 'cpu'}
    """
    if kwargs is None:
        return {}
    names = {"device", "dtype", "memory_format"}
    if not kwargs.keys() <= names | {"factory_kwargs"}:
        raise TypeError(f"unexpected kwargs {kwargs.keys() - names - {'factory_kwargs'}}")
    inner = kwargs.get("factory_kwargs", {})
    for name in ("device", "dtype", "memory_format"):
        if name in kwargs and name in inner:
            raise TypeError(f"{name} specified twice, in **kwargs and in factory_kwargs")
    return {**inner, **{name: kwargs[name] for name in kwargs if name in names}}


_lazy.show_all(globals())


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})
