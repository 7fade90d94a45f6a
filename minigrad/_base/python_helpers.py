"""Small things about Python's objects and modules that libraries take from ``torch._utils``."""

import importlib
import importlib.util
import logging
import os
import warnings


class _ClassProperty:
    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner=None):
        return self.function.__get__(instance, type(instance) if owner is None else owner)()


def classproperty(func):
    """Make ``func(cls)`` a read-only attribute of a class (a decorator).

    >>> class Layer:
    ...     @classproperty
    ...     def title(cls):
    ...         return cls.__name__.lower()
    >>> Layer.title
    'layer'
    """
    return _ClassProperty(func if isinstance(func, (classmethod, staticmethod)) else classmethod(func))


def import_dotted_name(name):
    """Return the object that a dotted name refers to, importing the package that it begins with.

    >>> import_dotted_name("os.path").__name__ in ("posixpath", "ntpath")
    True
    """
    first, *rest = name.split(".")
    found = importlib.import_module(first)
    for part in rest:
        found = getattr(found, part)
    return found


def try_import(module_name):
    """The module of that name; None if there is none."""
    return importlib.import_module(module_name) if importlib.util.find_spec(module_name) else None


def is_compiling():
    """Whether a compiler traces the program: False.  Deprecated: ``compiler.is_compiling``."""
    warnings.warn(
        "`torch._utils.is_compiling` is deprecated. Use `torch.compiler.is_compiling` instead.", stacklevel=2
    )
    return False


def cpu_count():
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()


def get_async_or_non_blocking(function_name, non_blocking, kwargs):
    """``non_blocking``, or what was given as ``async``, its name of old, with a warning; raises TypeError for other arguments."""
    if not kwargs:
        return non_blocking
    if [*kwargs] != ["async"]:
        other = next(name for name in kwargs if name != "async")
        raise TypeError(f"{function_name}() got an unexpected keyword argument '{other}'")
    warnings.warn("'async' is deprecated; use 'non_blocking'", stacklevel=2)
    return kwargs["async"]


def dummy_type(name):
    """A class called ``name`` that cannot be instantiated: RuntimeError says so."""

    def refuse(cls, *args, **kwargs):
        raise RuntimeError(f"Tried to instantiate dummy base class {cls.__name__}")

    return type(name, (), {"__new__": refuse})


class CallbackRegistry:
    """A list of functions that are called together; errors that they raise are logged, and the others are called all the same.

    >>> registry = CallbackRegistry("steps")
    >>> registry.add_callback(print)
    >>> registry.fire_callbacks("step", 1)
    step 1
    """

    def __init__(self, name):
        self.name = name
        self.callback_list = []

    def add_callback(self, cb):
        """Add a function."""
        self.callback_list.append(cb)

    def fire_callbacks(self, *args, **kwargs):
        """Call all functions, in the order in which they came."""
        for callback in self.callback_list:
            try:
                callback(*args, **kwargs)
            except Exception:
                logging.getLogger(__name__).exception("Exception in a callback of %s", self.name)
