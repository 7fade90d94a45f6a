"""The public names of minigrad: in which modules they are, and which page of the reference has them."""

import importlib
import inspect
import pkgutil
from fnmatch import fnmatchcase
from types import ModuleType

import reference_plan

import minigrad

#: Modules without ``__all__`` whose functions are public.
WITHOUT_ALL = {
    "minigrad.backends",
    "minigrad.nn.functional",
    "minigrad.nn.grad",
    "minigrad.nn.init",
    "minigrad.utils",
}
#: Modules that users of their packages never name.
INNER = {
    "minigrad.autograd.function_forward",
    "minigrad.autograd.refusal",
    "minigrad.distributed.distributed_c10d",
    "minigrad.viz.model",
    "minigrad.viz.observed",
    "minigrad.viz.saved_values",
    "minigrad.viz.summary_tables",
}


def modules():
    """The modules whose names are public, those that are higher up first."""
    found = [
        each.name
        for each in pkgutil.walk_packages(minigrad.__path__, "minigrad.")
        if not any(part.startswith("_") for part in each.name.split(".")) and each.name not in INNER
    ]
    public = [
        name for name in found if name in WITHOUT_ALL or hasattr(importlib.import_module(name), "__all__")
    ]
    return ["minigrad", *sorted(public, key=lambda name: (name.count("."), name))]


def names(module):
    """Name -> value, of what a module has for users; modules among them have pages of their own."""
    listed = getattr(module, "__all__", None)
    found = {}
    for name in sorted(listed or dir(module), key=lambda name: (name.lower().rstrip("_"), name)):
        value = getattr(module, name)
        own = (getattr(value, "__module__", None) or "").startswith("minigrad")
        if (
            not isinstance(value, ModuleType)
            and name[0] != "_"
            and (listed or (own and (inspect.isroutine(value) or inspect.isclass(value))))
        ):
            found[name] = value
    return found


def home(function):
    """The module in which a function or a class is written, or the operator of which a family made it."""
    function = inspect.unwrap(function) if inspect.isroutine(function) else function
    made_for = getattr(function, "op", None)
    return (
        made_for.__module__
        if made_for
        else getattr(function, "__globals__", {}).get("__name__") or function.__module__
    )


def subject(value):
    """The page that has a name of ``minigrad`` itself."""
    where = home(value).removeprefix("minigrad.") if inspect.isroutine(value) else "elsewhere"
    return next(page for page, (_, patterns) in reference_plan.SUBJECTS.items() if _fits(where, patterns))


def page(module):
    """The page that has the names of a module."""
    where = module.removeprefix("minigrad.")
    pages = ((page, patterns) for _, group in reference_plan.MODULES for page, (_, patterns) in group.items())
    return next(page for page, patterns in pages if _fits(where, patterns))


def _fits(name, patterns):
    return any(fnmatchcase(name, pattern) for pattern in patterns.split())
