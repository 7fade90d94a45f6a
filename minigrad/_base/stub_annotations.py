"""Annotations of functions that are made at run time: the package's own stubs have them, and are read when somebody first asks."""

import ast
import builtins
import functools
import importlib
from typing import Any, Union

__all__ = ["FromStub", "annotate"]

_PACKAGE = __name__.partition(".")[0]
_METHODS = "_core/tensor.pyi"


def annotate(function):
    """Give a public function without annotations those that its stub has."""
    found = function.__annotations__
    if found.__class__ is dict and not found:
        function.__annotations__ = FromStub(function)


class FromStub(dict[str, Any]):
    """A function's ``__annotations__``, empty until they are looked at."""

    __slots__ = ("_function",)

    def __init__(self, function):
        self._function = function

    def _fill(self):
        function, self._function = self._function, None
        if function is not None:
            for name, kind in _kinds_of(function).items():
                self.setdefault(name, kind)

    def __reduce__(self):
        return dict, (dict(self),)


def _filled_first(name):
    method = getattr(dict, name)

    def filled(self, *args, **kwargs):
        if self._function is not None:
            self._fill()
        return method(self, *args, **kwargs)

    filled.__name__ = name
    return filled


_words = (
    "__contains__ __delitem__ __eq__ __getitem__ __ior__ __iter__ __len__ __ne__ __or__ __repr__ __reversed__ __ror__ "
    "copy get items keys pop popitem values"
)
for _name in _words.split():  # ``dict(...)`` and ``{**...}`` ask for the keys, as iteration is not a dict's
    setattr(FromStub, _name, _filled_first(_name))


def _kinds_of(function):
    """Parameter -> class, or form of ``typing``, of a function, with ``return``; empty if no stub has it."""
    module, name = function.__module__ or "", function.__qualname__.rpartition(".")[2]
    module = getattr(module, "unaliased", module)  # see publishing.py
    below = module.removeprefix(_PACKAGE).lstrip(".").replace(".", "/")
    above = below.rpartition("/")[0]
    if below in ("", "_tensor"):
        places = ["_api.pyi", _METHODS]
    else:
        places = [f"{below}.pyi", f"{below}/__init__.pyi", *([f"{above}/__init__.pyi"] if above else [])]
    for place in places:
        definitions = _definitions(place).get(name)
        if definitions:
            return _merged(definitions, _Names(place))
    return {}


@functools.cache
def _definitions(place):
    """Name -> the nodes that define functions of that name, or methods of Tensor, in a stub; empty if there is no such file."""
    found = {}
    for node in _body(place):
        if isinstance(node, ast.ClassDef) and node.name == "Tensor":
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    found.setdefault(method.name, []).append(method)
        elif isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
    return found


@functools.cache
def _body(place):
    import pkgutil

    try:
        source = pkgutil.get_data(_PACKAGE, place)
    except FileNotFoundError:
        return []
    return ast.parse(source).body


class _Names(dict[str, Any]):
    """What a stub's annotations name: imported when they are."""

    def __init__(self, place):
        self.place = place

    def __missing__(self, name):
        imports = _imports(self.place)
        if name not in imports:
            return getattr(builtins, name)
        module, attribute = imports[name]
        found = self[name] = (
            importlib.import_module(module) if attribute is None else _member(module, attribute)
        )
        return found


def _member(module, name):
    try:
        return getattr(importlib.import_module(module), name)
    except AttributeError:
        return importlib.import_module(f"{module}.{name}")


@functools.cache
def _imports(place):
    """Name in a stub -> (module, name there or None)."""
    above = [_PACKAGE, *place.split("/")[:-1]]
    found = {}
    for node in _body(place):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            found[node.targets[0].id] = found[node.value.id]
        for each in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            if isinstance(node, ast.Import):
                found[each.asname or each.name] = each.name, None
            else:
                start = above[: len(above) - node.level + 1] if node.level else []
                found[each.asname or each.name] = ".".join([*start, *filter(None, [node.module])]), each.name
    if place == _METHODS:
        found["Tensor"] = _PACKAGE, "Tensor"
    return found


def _merged(definitions, names):
    """The annotations of a function; where there are overloads, what any of them takes."""
    kinds = {}
    for definition in definitions:
        taken = definition.args
        listed = [*taken.posonlyargs, *taken.args, taken.vararg, *taken.kwonlyargs, taken.kwarg]
        pairs = [(each.arg, each.annotation) for each in listed if each is not None]
        for name, kind in (*pairs, ("return", definition.returns)):
            if kind is not None:
                value = eval(compile(ast.Expression(kind), "stub", "eval"), {}, names)
                kinds.setdefault(name, []).append(type(None) if value is None else value)
    return {name: values[0] if len(values) == 1 else Union[tuple(values)] for name, values in kinds.items()}
