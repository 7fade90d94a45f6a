"""Logging as libraries take it from ``torch._logging``."""

import functools
import logging

_warned: set = set()


def warning_once(logger_obj, *args, **kwargs):
    """Log a warning, unless the same logger was given the same before."""
    key = (logger_obj.name, args, tuple(sorted(kwargs.items())))
    if key not in _warned:
        _warned.add(key)
        logger_obj.warning(*args, **kwargs)


@functools.cache
def getArtifactLogger(module_qname, artifact_name):
    """The logger for one kind of messages of a module."""
    return logging.getLogger(f"{module_qname}.__{artifact_name}")


def set_logs(**levels):
    """Set the levels of loggers of the package: ``all`` of all, another name that of ``torch.<name>``; raises ValueError if the argument is not a level."""
    for name, level in levels.items():
        if not isinstance(level, (int, bool)):
            raise ValueError(
                f"Unrecognized log level for log {name}: {level}, valid level values are bool or logging levels"
            )
        logging.getLogger("torch" if name == "all" else f"torch.{name}").setLevel(
            int(level) or logging.WARNING
        )


def trace_structured(*args, **kwargs):
    """Nothing is traced: PyTorch writes its compiler's work to files here."""


class LazyString:
    """A text that a function makes when it is asked for.

    >>> from minigrad._logging import LazyString
    >>> str(LazyString("{} tensors".format, 3))
    '3 tensors'
    """

    def __init__(self, func, *args, **kwargs):
        self.func, self.args, self.kwargs = func, args, kwargs

    def __str__(self):
        return self.func(*self.args, **self.kwargs)
