"""The public places of what private modules define: pickles name them, so that private modules may move."""


def publish(module, *values):
    """Let functions and classes say of themselves that they are of ``module``, where programs find them."""
    for value in values:
        value.__module__ = module
        if "__firstlineno__" in vars(value):
            # From Python 3.13 on: the line at which a class begins, which inspect would look up in the public module's file.
            del value.__firstlineno__
