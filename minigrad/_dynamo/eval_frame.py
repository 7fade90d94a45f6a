"""``OptimizedModule``: what ``compile`` makes of a module."""

from .._api import _lazy
from ..nn import Module

__all__ = ["OptimizedModule"]

_OWN = {
    "_orig_mod",
    "dynamo_ctx",
    "forward",
    "_parameters",
    "_buffers",
    "_modules",
    "_super_module_initialized",
}


_places = _lazy.places({"compiler": "_prepared"})


def _prepare(function, settings):
    """The function as ``compile``, or ``compiler.disable``, makes it of one with these settings."""
    return _lazy.fetch("_prepared", _places, globals())(function, settings)


class OptimizedModule(Module):
    """The result of ``compile`` for a module: it has all attributes of ``_orig_mod``, and runs as that does, or as an equivalent plan.

    Copies and unpickled instances have the same settings, and plans of their own.

    >>> import minigrad
    >>> layer = minigrad.nn.Linear(2, 1)
    >>> compiled = minigrad.compile(layer)
    >>> compiled._orig_mod is layer, list(compiled.state_dict())
    (True, ['_orig_mod.weight', '_orig_mod.bias'])
    """

    def __init__(self, mod, dynamo_ctx=None):
        super().__init__()
        self._modules["_orig_mod"] = mod
        self.__dict__.pop("training", None)
        self.__dict__["dynamo_ctx"] = dynamo_ctx
        self.__dict__["forward"] = mod.__call__ if dynamo_ctx is None else _prepare(mod.__call__, dynamo_ctx)
        self.__dict__["_ready"] = True

    @property
    def training(self):
        """Whether the module is in training mode."""
        return self._orig_mod.training

    @training.setter
    def training(self, mode):
        if "_ready" in self.__dict__:
            self._orig_mod.training = mode

    def __getattr__(self, name):
        modules = self.__dict__.get("_modules", {})
        if name == "_orig_mod" and "_orig_mod" in modules:
            return modules["_orig_mod"]
        if "_orig_mod" not in modules:
            return super().__getattr__(name)
        return getattr(modules["_orig_mod"], name)

    def __setattr__(self, name, value):
        if (
            "_ready" not in self.__dict__
            or name in _OWN
            or isinstance(getattr(type(self), name, None), property)
        ):
            super().__setattr__(name, value)
        else:
            setattr(self._orig_mod, name, value)

    def __delattr__(self, name):
        delattr(self._orig_mod, name)

    def __dir__(self):
        return sorted({*super().__dir__(), *dir(self._orig_mod)})

    def __len__(self):
        return len(self._orig_mod)

    def __iter__(self):
        return iter(self._orig_mod)

    def __getitem__(self, index):
        return self._orig_mod[index]

    def __bool__(self):
        return True

    def __reduce__(self):
        return type(self), (self._orig_mod, self.__dict__["dynamo_ctx"])

    __reduce_ex__ = lambda self, protocol: self.__reduce__()
