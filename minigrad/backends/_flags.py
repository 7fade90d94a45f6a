"""Settings of a library as attributes of its module, changed for the length of a ``with`` block."""

import contextlib


@contextlib.contextmanager
def changed(module_globals, **settings):
    """The settings with these values while the block runs; None leaves one as it is."""
    before = {name: module_globals[name] for name in settings}
    module_globals.update({name: value for name, value in settings.items() if value is not None})
    try:
        yield
    finally:
        module_globals.update(before)
