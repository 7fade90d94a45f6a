"""``import torch`` as another name for minigrad.

``install_as_torch`` puts a finder in front of ``sys.meta_path`` under which ``torch`` is the package itself
and ``torch.x.y`` the very module object that ``minigrad.x.y`` is, loaded when it is first imported. Three
things follow from there being one object with two names:

* ``torch.nn is minigrad.nn`` in either order of import, and nothing is ever executed twice;
* a module's ``__name__`` and ``__spec__`` stay minigrad's, so pickles made under the alias name minigrad's
  classes and load without the alias;
* ``importlib.metadata.version("torch")`` is not faked: a program that asks whether the *distribution* is
  installed gets the truth.

The processes that ``multiprocessing`` starts have the alias too: forked ones inherit it, all others (spawn,
the fork server and its children) are started through ``minigrad/__main__.py``, because they import the
program's main module, and with it torch, before any code of the program could install anything. Such a
process knows this file before it knows the package, so this module imports nothing of minigrad.
``__main__`` is the next file to read.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from copy import copy
from importlib.machinery import ModuleSpec, PathFinder
from types import CodeType, ModuleType
from typing import Any

_OWN = __name__.partition(".")[0]
_ALIAS = "torch"
_DIRECTORY = os.path.dirname(os.path.abspath(__file__))

_undo: list[Callable[[], None]] = []


def install_as_torch() -> None:
    """Make ``import torch`` and ``import torch.<anything>`` mean minigrad in this process and its children.

    Installing twice does nothing more. ``subprocess`` children are programs of their own: start them with
    ``python -m minigrad``.

    Raises
    ------
    RuntimeError
        another module named torch, such as PyTorch, is already imported

    Examples
    --------
    >>> import minigrad
    >>> minigrad.install_as_torch()
    >>> import torch.nn.functional
    >>> torch is minigrad, torch.nn is minigrad.nn
    (True, True)
    >>> minigrad.uninstall_as_torch()
    """
    for name, module in _modules_under(_ALIAS):
        if not _is_ours(module):
            place = getattr(module, "__file__", None) or "no file"
            raise RuntimeError(
                f"minigrad cannot take the name torch: {name!r} is already imported (from {place}); "
                "call minigrad.install_as_torch() before anything imports torch"
            )
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
        _undo.append(lambda: sys.meta_path.remove(_finder))
        util = sys.modules.get("multiprocessing.util")
        if util is not None:
            _start_children_with_alias(util)
    for _, module in _modules_under(_OWN):
        _adopt(module)


def uninstall_as_torch() -> None:
    """Undo ``install_as_torch``; references to modules that were imported as torch stay valid.

    Does nothing if the alias is not installed.

    Examples
    --------
    >>> import sys, minigrad
    >>> minigrad.install_as_torch()
    >>> minigrad.uninstall_as_torch()
    >>> "torch" in sys.modules
    False
    """
    while _undo:
        _undo.pop()()
    for name, module in _modules_under(_ALIAS):
        if _is_ours(module):
            del sys.modules[name]


def _modules_under(root: str) -> list[tuple[str, ModuleType]]:
    """Return the imported modules ``root`` and ``root.*``, by name."""
    modules = sys.modules.copy().items()
    return [(n, m) for n, m in modules if m is not None and (n == root or n.startswith(root + "."))]


def _is_ours(module: ModuleType) -> bool:
    return getattr(module, "__name__", "").partition(".")[0] == _OWN


class _AliasFinder:
    """Finds ``torch`` and ``torch.*``, and the package itself for a child whose path does not lead to it."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname == _OWN:
            return importlib.util.spec_from_file_location(fullname, os.path.join(_DIRECTORY, "__init__.py"))
        if fullname == _ALIAS or fullname.startswith(_ALIAS + "."):
            own = importlib.util.find_spec(_OWN + fullname[len(_ALIAS) :])
            if own is None:
                _explain_missing(fullname)
                return None
            spec: Any = copy(own)
            spec.name, spec.loader = fullname, _AliasLoader(own)
            return spec
        if fullname == "multiprocessing.util":
            return _when_loaded(PathFinder.find_spec(fullname, path, target), _start_children_with_alias)
        return None


def _explain_missing(name: str) -> None:
    """Raise the error for a module that PyTorch has, if it is being imported, and not merely asked for by ``importlib.util.find_spec``."""
    frame: Any = sys._getframe(3)  # that of importlib which called what called the finder
    if frame.f_code.co_name == "_find_and_load_unlocked":
        from ._base.missing import in_pytorch, missing_module

        if in_pytorch(name):
            raise missing_module(name)


class _AliasLoader:
    """Loads ``torch.x`` by importing ``minigrad.x``, whose own loader answers what runpy and inspect ask."""

    def __init__(self, own: Any) -> None:
        self.own = own

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self.own.name)
        self.own = module.__spec__ or self.own
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.own  # the import system has just set it to the alias's
        _adopt_all(module)

    def get_code(self, fullname: str) -> CodeType | None:
        return self.own.loader.get_code(self.own.name)

    def get_source(self, fullname: str) -> str | None:
        return self.own.loader.get_source(self.own.name)

    def is_package(self, fullname: str) -> bool:
        return self.own.submodule_search_locations is not None


def _adopt_all(package: Any) -> None:
    """Adopt a module, and what is imported of those below it.

    To import one of these under the alias later would bind its name in the package once more: ``autograd.gradcheck`` is
    a function there, and the name of a module.
    """
    for _, module in _modules_under(package.__name__):
        _adopt(module)


def _adopt(module: Any) -> None:
    """Give one of our modules its name under torch, and error messages that use it.

    The messages hang on the module's own ``__getattr__`` (PEP 562), which is called for missing names only; a
    module class of our own would slow every attribute down.
    """
    alias = _ALIAS + module.__name__[len(_OWN) :]
    sys.modules[alias] = module
    provided = vars(module).get("__getattr__")
    if getattr(provided, "_alias", None) == alias:
        return

    def find_missing(name: str) -> Any:
        problem = f"module {module.__name__!r} has no attribute {name!r}"
        if provided is not None:
            try:
                value = provided(name)
            except AttributeError as error:
                if not str(error).startswith(problem):  # raised inside what the name leads to
                    raise
            else:
                if isinstance(value, ModuleType) and value.__name__ == f"{module.__name__}.{name}":
                    _adopt_all(value)
                return value
        if name.startswith("__"):  # such as the import below asks for itself
            raise AttributeError(f"module {alias!r} has no attribute {name!r}", name=name, obj=module)
        from ._base.missing import missing_name

        raise missing_name(name, vars(module), alias) from None

    def restore() -> None:
        if provided is None:
            del module.__getattr__
        else:
            module.__getattr__ = provided

    vars(find_missing)["_alias"] = alias
    module.__getattr__ = find_missing
    _undo.append(restore)


def _when_loaded(spec: Any, action: Callable[[ModuleType], None]) -> Any:
    """Return the spec, with ``action(module)`` to follow the module's execution."""
    if spec is not None:
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            action(module)

        spec.loader.exec_module = exec_module
    return spec


def _start_children_with_alias(util: Any) -> None:
    """Make ``multiprocessing`` start Python as ``python <flags> minigrad/__main__.py -c ...``.

    Its one function for the flags serves spawn, the fork server and the resource tracker; by its path, the
    runner is found whatever the child's working directory and ``sys.path`` are.
    """
    flags = util._args_from_interpreter_flags
    runner = os.path.join(_DIRECTORY, "__main__.py")

    def _args_from_interpreter_flags() -> list[str]:
        return [*flags(), runner]

    util._args_from_interpreter_flags = _args_from_interpreter_flags
    _undo.append(lambda: setattr(util, "_args_from_interpreter_flags", flags))


_finder = _AliasFinder()
