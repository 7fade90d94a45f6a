"""Names that are not there: the errors say which of them PyTorch has, and that it is minigrad that lacks them.

``pytorch_names.txt`` has PyTorch's public names, a line for each module (``tests/generate`` writes it); it is read when the first name is missing.
A name that PyTorch has not either gets Python's plain error.
"""

import functools
import os
import sys

from .publishing import file_of
from .suggestions import NamesLike

PAGE = "docs/names.md"
_PACKAGE = __name__.partition(".")[0]
_THEIRS = "torch"


@functools.cache
def _listed():
    """Module or class -> the text of its names."""
    path = os.path.join(os.path.dirname(__file__), "pytorch_names.txt")
    lines = __spec__.loader.get_data(path).decode().splitlines()[1:]
    return {name: names for name, _, names in (line.partition(":") for line in lines)}


@functools.cache
def _names_of(home):
    return frozenset(_listed().get(home, "").split())


def in_pytorch(path):
    """Whether PyTorch has this: ``torch.fx``, ``torch.nn.Linear``."""
    home, _, name = path.rpartition(".")
    return path in _listed() or name in _names_of(home)


def is_class(path):
    """Whether the path is one of the classes that are listed, whose last part begins with a capital."""
    return path.rpartition(".")[2][:1].isupper()


def their_name(module_name):
    """What PyTorch calls a module or class of ours."""
    return _THEIRS + module_name.removeprefix(_PACKAGE) if module_name.startswith(_PACKAGE) else module_name


def not_provided(path):
    """The sentence about a name that PyTorch has."""
    return f"minigrad does not provide {path}; {PAGE} lists what it provides"


def missing_name(name, module_globals):
    """The error for a name that a module has not, to be raised by its ``__getattr__``.

    In ``from module import name`` it is an ImportError: Python would put its own, which knows no reason and perhaps no file, in the place of an AttributeError.
    """
    own = module_globals["__name__"]
    path = f"{their_name(own)}.{name}"
    known = name[:2] != "__" and in_pytorch(path)
    reason = f": {not_provided(path)}" if known else ""
    # Where a circular import has not set the name yet, `from` finds the module in sys.modules after this.
    if name[:2] != "__" and _in_from_import() and f"{own}.{name}" not in sys.modules:
        place = module_globals["__spec__"].origin
        missing = ImportError(
            f"cannot import name '{name}' from '{own}' ({place}){reason}", name=own, path=place
        )
        missing.name_from = name  # for "Did you mean", from Python 3.12 on
        return missing
    module = sys.modules.get(own)
    alike = module if name[:2] == "__" else NamesLike(name, None if known else module)
    return AttributeError(f"module '{own}' has no attribute '{name}'{reason}", name=name, obj=alike)


def missing_module(path):
    """The error for a module that PyTorch has."""
    return ModuleNotFoundError(f"No module named '{path}': {not_provided(their_name(path))}", name=path)


def getattr_of(module_globals):
    """A ``__getattr__`` for a module that has all its names, and lacks some of PyTorch's."""

    def find_missing(name):
        if name == "__file__":
            return file_of(module_globals)
        raise missing_name(name, module_globals)

    return find_missing


class MissingAttribute:
    """Stands in a class for an attribute that PyTorch has: who asks an instance for it gets an AttributeError that says so.

    An instance may have an attribute of this name all the same, in its ``__dict__``.  The class gives what stands there, as it gives its
    properties: programs that loop over the names of a class find something under each.
    """

    __slots__ = ("name", "path")

    def __init__(self, owner, name):
        self.name = name
        self.path = f"{_THEIRS}.{owner.__name__}.{name}"

    def __repr__(self):
        return f"<{not_provided(self.path)}>"

    def __get__(self, instance, cls=None):
        if instance is None:
            return self
        own = vars(instance)
        if self.name in own:
            return own[self.name]
        reason = (
            f"'{type(instance).__name__}' object has no attribute '{self.name}': {not_provided(self.path)}"
        )
        raise AttributeError(reason, name=self.name, obj=NamesLike(self.name, None))

    def __set__(self, instance, value):
        vars(instance)[self.name] = value

    def __delete__(self, instance):
        del vars(instance)[self.name]

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(not_provided(self.path))


def lacks(owner, names):
    """Mark those of the names as missing that the class has not."""
    for name in names.split():
        if name not in vars(owner):
            setattr(owner, name, MissingAttribute(owner, name))


def without_missing(owner, names):
    """The names without those that are missing in the class."""
    attributes = vars(owner)
    return [name for name in names if attributes.get(name).__class__ is not MissingAttribute]


#: The functions between a program's ``from module import name`` and ``missing_name``.
_BETWEEN = {"missing_name", "_in_from_import", "fetch", "__getattr__", "find_missing"}


def _in_from_import():
    """Tell whether the frame that asks for the name is executing ``from module import name``."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name in _BETWEEN:
        frame = frame.f_back
    if frame is None:
        return False
    import_from, prefix = _instructions()
    code, position = frame.f_code.co_code, frame.f_lasti
    while code[position] == prefix:  # until Python 3.10
        position += 2
    return code[position] == import_from


@functools.cache
def _instructions():
    from opcode import opmap

    return opmap["IMPORT_FROM"], opmap["EXTENDED_ARG"]
