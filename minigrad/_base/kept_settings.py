"""``keep_settings``: a module whose attributes are settings that have names and defaults, which programs set, patch for a while, and read back."""

import copy
import functools
import sys
import types

__all__ = ["keep_settings"]

_PACKAGE = __name__.partition(".")[0]


def keep_settings(module_name, defaults):
    """Make a module one of settings: ``defaults`` by name; others do not exist."""
    module = sys.modules[module_name]
    vars(module).update(defaults)
    vars(module)["_settings"] = frozenset(defaults)
    module.__class__ = _Settings


class _Settings(types.ModuleType):
    def __setattr__(self, name, value):
        if name not in self._settings and name[:2] != "__":
            raise AttributeError(_missing(self, name))
        super().__setattr__(name, value)

    def __getattr__(self, name):
        raise AttributeError(_missing(self, name))

    def patch(self, name=None, value=None, **values):
        """A block, or a decorator, in which settings have other values: ``patch("verbose", True)``, ``patch({...})``, ``patch(verbose=True)``."""
        if isinstance(name, dict):
            values = {**name, **values}
        elif name is not None:
            values[name] = value
        return _Patch(self, values)

    def save_config(self):
        """The values of now, for ``load_config``."""
        return self.get_config_copy()

    def load_config(self, values):
        """Set all of ``values``."""
        for name, value in values.items():
            setattr(self, name, value)

    def get_config_copy(self):
        """A dict of the values of now."""
        return {name: copy.deepcopy(getattr(self, name)) for name in sorted(self._settings)}

    shallow_copy_dict = to_dict = get_config_copy


def _missing(module, name):
    return f"{module.__name__.replace(_PACKAGE, 'torch', 1)}.{name} does not exist"


class _Patch:
    def __init__(self, module, values):
        self.module, self.values, self.before = module, values, []

    def __enter__(self):
        before = {name: getattr(self.module, name) for name in self.values}
        self.module.load_config(self.values)
        self.before.append(before)

    def __exit__(self, *error):
        self.module.load_config(self.before.pop())

    def __call__(self, function):
        @functools.wraps(function)
        def patched(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return patched
