"""The public places of what private modules define: pickles name them, so that private modules may move.

``inspect`` looks for the text of a class in the file of the module that the class names.  Where that is a public module, it would not find it, or
would show something else; so such a module answers with the file in which the class is written (``answer_for_sources``).
"""

import sys
from types import FunctionType

from .stub_annotations import annotate

#: Class -> the module in which it is written, and the line where it begins (None until Python 3.12, where inspect looks for it).
_sources: dict = {}
#: Module -> the classes that are published as its own.
_published: dict = {}


class Alias(str):
    """The name of a class's module under another name of the package; a pickle has the package's own instead, which can be loaded without the alias."""

    __slots__ = ()

    @property
    def unaliased(self):
        """The package's own name for the module."""
        return _PACKAGE + self[len(_THEIRS) :]

    def __reduce_ex__(self, protocol):
        return str, (self.unaliased,)


def own_module(obj):
    """The ``__module__`` of a class or function, as it is without the alias; None if it has none."""
    home = getattr(obj, "__module__", None)
    return home.unaliased if home.__class__ is Alias else home


_PACKAGE, _THEIRS = __name__.partition(".")[0], "torch"


def publish(module, *values):
    """Let functions and classes say of themselves that they are of ``module``, where programs find them."""
    for value in values:
        moved = isinstance(value, type) and value.__module__ != module
        if moved:
            _sources[value] = value.__module__, vars(value).get("__firstlineno__")
            _published.setdefault(module, []).append(value)
        value.__module__ = module
        if value.__class__ is FunctionType:
            annotate(value)
        if moved:
            _let_sources_be_found(value, module in _answering)


def _let_sources_be_found(cls, found):
    """From Python 3.13 on a class has its first line, by which inspect finds it in the module's file, or in a wrong one."""
    line = _sources[cls][1]
    if line is not None:
        if found:
            cls.__firstlineno__ = line
        elif "__firstlineno__" in vars(cls):
            del cls.__firstlineno__


#: The modules that answer ``inspect``.
_answering: set = set()


def answer_for_sources(module_globals):
    """Let ``inspect`` find the classes that are published as those of a module, which says this when it has been executed.

    The module's ``__file__`` becomes a name that its ``__getattr__`` is asked for, and that calls ``file_of``.
    """
    name = module_globals["__spec__"].name
    module_globals.pop("__file__", None)
    _answering.add(name)
    for cls in _published.get(name, ()):
        _let_sources_be_found(cls, True)


def file_of(module_globals):
    """What a module's ``__getattr__`` gives for ``__file__``: its file; but to ``inspect.getfile``, asked for a class, that in which the class is written."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PLACE):
        frame = frame.f_back
    if (
        frame is not None
        and frame.f_code.co_name == "getfile"
        and frame.f_globals.get("__name__") == "inspect"
    ):
        cls = frame.f_locals.get("object")
        if isinstance(cls, type) and cls in _sources:
            return sys.modules[_sources[cls][0]].__file__
    return module_globals["__spec__"].origin


_PLACE = __file__.removesuffix("_base/publishing.py").removesuffix("_base\\publishing.py")
