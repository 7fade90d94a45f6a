"""Nothing of this project: a guard against the other one that installs a package ``minigrad``.

Its ``minigrad/__init__.py`` consists of an import of ``Value`` from its extension module ``minigrad.engine``.  Where it is installed over this project,
this folder comes before that module in Python's search, so that ``import minigrad`` says what has happened.
"""

from .._base.extras import other_project


def __getattr__(name: str) -> object:
    if name == "Value":
        raise other_project("engine.Value")
    raise AttributeError(f"module 'minigrad.engine' has no attribute '{name}'")
