"""What is imported when it is first used: ``import minigrad`` takes the same time however many operators there are.

Tables say where things are: ``_ops/names.py`` for operators, ``_api.py`` for the rest.  A table is
``{module: "name name ..."}``, where ``name=other`` is what the module calls ``other``, and ``name=`` the module itself.
"""

from importlib import import_module

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
    for part in path.split("."):
        name = f"{name}.{part}"
        module = import_module(name)
    return module


def fetch(name, found, module_globals):
    """What a module's ``__getattr__`` gives for a name in ``found`` (see ``places``); it becomes one of the module's globals."""
    if name not in found:
        raise AttributeError(f"module '{module_globals['__name__']}' has no attribute '{name}'")
    path, there = found[name]
    module = load(path)
    value = module_globals[name] = getattr(module, there) if there else module
    return value


def bind(owner, table):
    """Make the functions and properties of a table methods of ``owner``; a ``_Later`` stands for each until it is used."""
    for module in table:
        names = {name: there for name, (_, there) in places({module: table[module]}).items()}
        for name in names:
            setattr(owner, name, _Later(owner, module, names, name))


class _Later:
    """Stands for a method until it, or another of the same module, is first asked for; then the real ones take their places.

    All at once, because Python forgets what it knows of a class's attributes whenever one of them changes.
    """

    __slots__ = ("owner", "module", "names", "name")

    def __init__(self, owner, module, names, name):
        self.owner, self.module, self.names, self.name = owner, module, names, name

    def real(self):
        """The method itself, now that it is needed."""
        owner = self.owner
        module = load(self.module)
        for name, there in self.names.items():
            if owner.__dict__.get(name).__class__ is _Later:  # not what somebody has put there meanwhile
                setattr(owner, name, getattr(module, there))
        return getattr(module, self.names[self.name])

    def __get__(self, instance, cls=None):
        return self.real().__get__(instance, cls)

    def __set__(self, instance, value):
        self.real()
        object.__setattr__(instance, self.name, value)
