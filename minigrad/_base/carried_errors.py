"""Errors that travel from where they were raised, a worker process or thread, to where somebody waits for the result."""

import sys
import traceback

from .publishing import publish


class KeyErrorMessage(str):
    """A text that ``KeyError`` shows as it is: of another string it would show the ``repr``, on one line."""

    __slots__ = ()

    def __repr__(self):
        return str(self)


class ExceptionWrapper:
    """What is sent in the place of a result: the type of the exception being handled, its traceback as text, where it was raised.

    The exception itself stays where it was: its traceback would keep every frame alive, and does not travel.

    >>> from minigrad._base.carried_errors import ExceptionWrapper
    >>> try:
    ...     {}["missing"]
    ... except KeyError:
    ...     wrapper = ExceptionWrapper(where="in a worker")
    >>> wrapper.exc_type, wrapper.where
    (<class 'KeyError'>, 'in a worker')
    """

    def __init__(self, exc_info=None, where="in background"):
        kind, error, trace = sys.exc_info() if exc_info is None else exc_info
        self.exc_type = kind
        self.exc_msg = "".join(traceback.format_exception(kind, error, trace))
        self.where = where

    def reraise(self):
        """Raise an exception of the same type; RuntimeError where that type is not made of a text alone."""
        text = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        try:
            if self.exc_type is KeyError:
                error = KeyError(KeyErrorMessage(text))
            elif getattr(self.exc_type, "message", None):
                error = self.exc_type(message=text)
            else:
                error = self.exc_type(text)
        except Exception:  # whatever the constructor of somebody's class raises
            error = RuntimeError(text)
        try:
            raise error
        finally:
            del error  # its traceback has this frame: with the name in it they would keep each other, and all callers, alive


publish("minigrad._utils", KeyErrorMessage, ExceptionWrapper)
