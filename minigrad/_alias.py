"""``import torch`` as another name for minigrad.

``install_as_torch`` puts a finder in front of ``sys.meta_path`` under which ``torch`` is the package itself
and ``torch.x.y`` the very module object that ``minigrad.x.y`` is, loaded when it is first imported: ``torch.nn
is minigrad.nn`` in either order of import, and nothing is ever executed twice. Programs ask in many ways
what they have before them, and each answers torch as long as the alias is installed:

* the ``__name__`` of a public module, and the ``__module__`` of its classes, by which libraries know them.
  ``__spec__`` and ``__package__`` stay minigrad's, and so does the ``__module__`` of functions: relative imports
  and ``importlib.reload`` work as ever, and what is pickled names minigrad and loads without the alias (classes
  with protocol 4 and later ones, which is the default: see ``Alias`` in ``_base/publishing.py``);
* ``torch.__version__`` is the version of PyTorch whose API is served. ``torch.version.minigrad`` is ours;
* ``importlib.metadata`` has a distribution of that name and version.

``uninstall_as_torch`` gives the names back.

The processes that ``multiprocessing`` starts have the alias too: forked ones inherit it, all others (spawn,
the fork server and its children) are started through ``minigrad/__main__.py``, because they import the
program's main module, and with it torch, before any code of the program could install anything. Such a
process knows this file before it knows the package, so this module imports nothing of minigrad at first.
``__main__`` is the next file to read.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import warnings
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
    """Tell whether a module is minigrad's, whatever it calls itself at the moment."""
    spec = getattr(module, "__spec__", None)
    name: str = getattr(module, "__name__", "") if spec is None else spec.name
    return name.partition(".")[0] == _OWN


class _AliasFinder:
    """Finds ``torch`` and ``torch.*``, and the package itself for a child whose path does not lead to it.

    Modules of the package are found as ever, and named as soon as they are loaded.
    """

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname == _OWN:
            own = importlib.util.spec_from_file_location(fullname, os.path.join(_DIRECTORY, "__init__.py"))
            return _when_loaded(own, _adopt)
        if fullname.startswith(_OWN + "."):
            found = PathFinder.find_spec(fullname, path, target)
            return _when_loaded(found, _adopt, _register)
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

    def find_distributions(self, context: Any = None) -> Any:
        """Give ``importlib.metadata``, which asks each finder, the distribution torch."""
        if context is None or context.name is None or context.name.lower() == _ALIAS:
            from ._base.distribution import Torch

            yield Torch()


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

    def get_code(self, fullname: str) -> CodeType | None:
        return self.own.loader.get_code(self.own.name)

    def get_source(self, fullname: str) -> str | None:
        return self.own.loader.get_source(self.own.name)

    def is_package(self, fullname: str) -> bool:
        return self.own.submodule_search_locations is not None


def _register(module: Any) -> None:
    """Let a module be imported by its name under torch: while it is executed already, for modules that import each other."""
    sys.modules[_alias_of(module)] = module


def _alias_of(module: Any) -> str:
    return _ALIAS + module.__spec__.name[len(_OWN) :]


def _adopt(module: Any) -> None:
    """Give one of our modules, which has been loaded, its name under torch, and if it is public, let it say so itself."""
    _register(module)
    alias = _alias_of(module)
    if isinstance(module, ModuleType):  # and no object in a module's place
        for cls in list(_names_of(module).values()):
            if isinstance(cls, type):
                _adopt_class(cls)
    if "._" in alias and not alias.endswith("__"):
        return
    _set(module, "__name__", alias)
    if alias == _ALIAS:
        _adopt_package(module)
    elif getattr(module, "__getattr__", None) is None:
        from ._base.missing import getattr_of

        module.__getattr__ = getattr_of(vars(module))


#: The names that a module has already: ``vars()`` may load all that it can have.
_names_of: Any = vars(ModuleType)["__dict__"].__get__


def _adopt_class(cls: Any) -> None:
    """Let one of our classes that are to be found in a public module say so under the name torch."""
    home = cls.__module__
    if isinstance(home, str) and f"{home}.".startswith(f"{_OWN}.") and "._" not in home:
        from ._base.publishing import Alias

        _set(cls, "__module__", Alias(_ALIAS + home[len(_OWN) :]))


def _adopt_package(package: Any) -> None:
    """Let the package answer like PyTorch: its version, the class of tensors; and keep quiet where PyTorch does."""
    from .torch_version import TorchVersion
    from .version import pytorch

    served = f"{pytorch}+{_OWN}"
    _set(package, "__version__", TorchVersion(served))
    _set(package.version, "__version__", served)
    warnings.filterwarnings(
        "ignore", category=RuntimeWarning, module=rf"{_ALIAS}\."
    )  # as _core has it for our own name
    ignored = warnings.filters[0]

    def forget() -> None:
        if ignored in warnings.filters:
            warnings.filters.remove(ignored)  # type: ignore[attr-defined]

    _undo.append(forget)


def _set(owner: Any, name: str, value: Any) -> None:
    """Set an attribute until the alias is uninstalled."""
    before = getattr(owner, name)
    if before != value:
        _assign(owner, name, value)
        _undo.append(lambda: _assign(owner, name, before))


def _assign(owner: Any, name: str, value: Any) -> None:
    line = vars(owner).get("__firstlineno__") if isinstance(owner, type) else None
    setattr(owner, name, value)
    if line is not None:
        owner.__firstlineno__ = line  # which Python forgets with the module, and inspect needs


def _when_loaded(
    spec: Any, action: Callable[[ModuleType], None], first: Callable[[ModuleType], None] | None = None
) -> Any:
    """Return the spec, with ``action(module)`` to follow the module's execution, and ``first(module)`` to precede it."""
    if spec is not None and spec.loader is not None:
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            if first is not None:
                first(module)
            execute(module)
            if _undo:  # not if the alias has been uninstalled since
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
