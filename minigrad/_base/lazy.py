"""What is imported when it is first used: ``import minigrad`` takes the same time however many operators there are.

Tables say where things are: ``_ops/names.py`` for operators, ``_api.py`` for the rest.  A table is
``{module: "name name ..."}``, where ``name=other`` is what the module calls ``other``, and ``name=`` the module itself.

A function that comes from a private module into a public one is published then (``publishing.py``).
"""

import os
import sys
import threading
import time
from importlib import import_module
from types import FunctionType, ModuleType

from .guards import guard, guard_all, may_be_overridden, own_names, properties_found
from .missing import getattr_of, missing_name
from .publishing import answer_for_sources as answer_for_sources
from .publishing import file_of
from .publishing import publish as publish
from .stub_annotations import annotate

_PACKAGE = __name__.partition(".")[0]


def places(*tables):
    """Name -> (module, the name there) of everything in the tables."""
    found = {}
    for table in tables:
        for module, names in table.items():
            for name in names.split():
                name, renamed, there = name.partition("=")
                found[name] = module, there if renamed else name
    return found


def load(path):
    """Import a module below the package, after the packages that it is in.

    In this order, because Python takes the lock of a module before those of its packages: a thread that imported a package, which
    imported the module, would otherwise wait for this one, and this one for that.
    """
    name = _PACKAGE
    entry = object()
    _importing[entry] = threading.get_ident()
    try:
        for part in path.split("."):
            name = f"{name}.{part}"
            module = import_module(name)
    finally:
        del _importing[entry]
    if "._" not in name and getattr(module, "__getattr__", None) is None:
        module.__getattr__ = getattr_of(vars(module))
    return module


#: The threads that are importing something, each as often as it has begun to.
_importing: dict = {}
_PATIENCE = 10  # seconds


def _let_imports_end():
    """Before a fork: in the child a module that another thread was importing could never be imported, as Python's lock of it would stay locked."""
    own, until = threading.get_ident(), time.monotonic() + _PATIENCE
    while any(thread != own for thread in list(_importing.values())) and time.monotonic() < until:
        time.sleep(0.001)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_let_imports_end)


def fetch(name, found, module_globals, all_hidden=False):
    """What a module's ``__getattr__`` gives for a name in ``found`` (see ``places``); it becomes one of the module's globals.

    ``all_hidden``: it is the module's own, wherever it comes from; otherwise only what comes from a private module is.
    """
    if name not in found:
        if name == "__file__":
            return file_of(module_globals)
        raise missing_name(name, module_globals)
    path, there = found[name]
    module = load(path)
    value = module_globals[name] = getattr(module, there) if there else module
    home = module_globals["__spec__"].name.removesuffix("._api")
    if name[0] != "_" and "._" not in home and (all_hidden or _is_hidden(value)):
        _publish_as(value, home, _first_name(value, name, module, found))
    if value.__class__ is FunctionType and name[0] != "_" and may_be_overridden(home, name):
        guard(value, name)
    return value


class _Namespace(ModuleType):
    """A module whose ``vars()`` has all its names: programs loop over them.

    The names that are not there yet are fetched then.  An attribute of such a module takes some nanoseconds longer, so those in which the functions of tensors
    are, the package itself and ``nn.functional``, are no such modules: ``vars()`` of these has what has been used.
    """

    @property
    def __dict__(self):
        names = own_names(self)
        for name in names["_later"]:
            if name not in names:
                getattr(self, name)
        return names


def show_all(module_globals):
    """Let ``vars()`` of a module have the names in its ``_later`` too."""
    sys.modules[module_globals["__spec__"].name].__class__ = _Namespace


def _first_name(value, name, module, found):
    """The name by which a function of ``module`` is known in ``found``: its own, of several (``acos``, which is ``arccos`` as well)."""
    own = getattr(value, "__name__", name)
    return own if own in found and getattr(module, own, None) is value else name


def _publish_as(value, module, name):
    """Let a function say of itself that it is ``name`` of ``module``."""
    if isinstance(value, FunctionType):
        publish(module, value)
        value.__qualname__ = name


def publish_all(module_globals):
    """Publish, by its name there, what a public module has imported from private ones while it was executed: of its ``__all__``, if it has one."""
    for name in module_globals.get("__all__", tuple(module_globals)):
        value = module_globals.get(name)
        if name[0] != "_" and _is_hidden(value):
            _publish_as(value, module_globals["__spec__"].name, name)
    if may_be_overridden(module_globals["__spec__"].name):
        guard_all(module_globals)


def _is_hidden(value):
    return isinstance(value, FunctionType) and "._" in value.__module__


def bind(owner, table, home=None, functions=None):
    """Make the functions and properties of a table methods of ``owner``; a ``_Later`` stands for each until it is used.

    Methods are published as those of ``home``, a module where pickles find them; but as the package's those that it has as functions
    as well, whose places (see ``places``) are ``functions``.
    """
    for module in table:
        names = {name: there for name, (_, there) in places({module: table[module]}).items()}
        for name in names:
            setattr(owner, name, _Later(owner, module, names, name, home, functions))


class _Later:
    """Stands for a method until it, or another of the same module, is first asked for; then the real ones take their places.

    All at once, because Python forgets what it knows of a class's attributes whenever one of them changes.
    """

    __slots__ = ("owner", "module", "names", "name", "home", "functions")

    def __init__(self, owner, module, names, name, home, functions):
        self.owner, self.module, self.names, self.name = owner, module, names, name
        self.home, self.functions = home, functions or {}

    def real(self):
        """The method itself, now that it is needed."""
        owner = self.owner
        module = load(self.module)
        for name, there in self.names.items():
            if owner.__dict__.get(name).__class__ is _Later:  # not what somebody has put there meanwhile
                method = getattr(module, there)
                if self.functions.get(there) == (self.module, there):
                    _publish_as(method, _PACKAGE, _first_name(method, there, module, self.functions))
                elif name[:2] == "__":  # which each module has of its own
                    first = _first_name(method, name, module, self.names)
                    home = _PACKAGE + owner.__module__.removeprefix(_PACKAGE).removeprefix("torch")
                    _publish_as(method, home, f"{owner.__qualname__}.{first}")
                elif self.home is not None and _is_hidden(method) and method.__module__ != self.home:
                    _publish_as(method, self.home, name)
                    if there == f"{name}_method":
                        method.__name__ = name
                setattr(owner, name, method)
                if method.__class__ is FunctionType:
                    annotate(method)
                if owner.__name__ == "Tensor" and method.__class__ is FunctionType:
                    guard(method, name, method=self.functions.get(there) != (self.module, there))
                elif owner.__name__ == "Tensor":
                    properties_found()
        return getattr(module, self.names[self.name])

    def __get__(self, instance, cls=None):
        return self.real().__get__(instance, cls)

    def __set__(self, instance, value):
        self.real()
        object.__setattr__(instance, self.name, value)
