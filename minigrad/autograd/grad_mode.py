"""Grad mode: whether operations are recorded; per thread, as context managers and decorators."""

import functools
import inspect
import warnings

from .._core.switch import closed, here, opened, set_inference, set_recording

__all__ = [
    "enable_grad",
    "inference_mode",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "no_grad",
    "set_grad_enabled",
]


def is_grad_enabled():
    """Whether operations are recorded in this thread.

    >>> import minigrad
    >>> minigrad.is_grad_enabled()
    True
    """
    return here.recording


def is_inference_mode_enabled():
    """Whether inference mode is on in this thread.

    >>> import minigrad
    >>> minigrad.is_inference_mode_enabled()
    False
    """
    return here.inference


class _Mode:
    """A context manager that also decorates functions and generators."""

    def __call__(self, function):
        if inspect.isclass(function):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. You should only decorate "
                "functions or methods. To preserve the current behavior of class decoration, you can directly decorate "
                "the `__init__` method and nothing else.",
                FutureWarning,
                stacklevel=2,
            )
            function.__init__ = self(function.__init__)
            return function
        if inspect.isgeneratorfunction(function):
            return self._wrap_generator(function)

        @functools.wraps(function)
        def decorated(*args, **kwargs):
            with self.clone():
                return function(*args, **kwargs)

        return decorated

    def _wrap_generator(self, function):
        """The mode is on while the generator runs, and off while its consumer does."""

        @functools.wraps(function)
        def decorated(*args, **kwargs):
            generator = function(*args, **kwargs)
            try:
                with self.clone():
                    response = generator.send(None)
                while True:
                    try:
                        request = yield response
                    except GeneratorExit:
                        with self.clone():
                            generator.close()
                        raise
                    except BaseException as error:
                        with self.clone():
                            response = generator.throw(error)
                    else:
                        with self.clone():
                            response = generator.send(request)
            except StopIteration as stop:
                return stop.value

        return decorated

    def clone(self):
        """A fresh mode of the same kind, for each use of a decorated function."""
        return type(self)()


class no_grad(_Mode):
    """Record nothing inside: results require no grad.

    >>> import minigrad
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> with minigrad.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    def __new__(cls, function=None):
        return object.__new__(cls) if function is None else object.__new__(cls)(function)

    def __enter__(self):
        self.was = set_recording(False)

    def __exit__(self, *exc):
        set_recording(self.was)


class enable_grad(_Mode):
    """Record inside, also within ``no_grad``.

    >>> import minigrad
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> with minigrad.no_grad(), minigrad.enable_grad():
    ...     y = x * 2
    >>> y.requires_grad
    True
    """

    def __new__(cls, function=None):
        return object.__new__(cls) if function is None else object.__new__(cls)(function)

    def __enter__(self):
        self.was = set_recording(True)

    def __exit__(self, *exc):
        set_recording(self.was)


class set_grad_enabled(_Mode):
    """Switch recording on or off: at once as a function, or for the length of a ``with`` block.

    >>> import minigrad
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> with minigrad.set_grad_enabled(False):
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    def __init__(self, mode):
        self.mode = bool(mode)
        self.was = set_recording(self.mode)

    def __call__(self, function):
        set_recording(self.was)
        return super().__call__(function)

    def __enter__(self):
        set_recording(self.mode)

    def __exit__(self, *exc):
        set_recording(self.was)

    def clone(self):
        """A fresh mode with the same setting."""
        return type(self)(self.mode)

    def __repr__(self):
        return f"{type(self).__name__}(mode={self.mode})"

    __str__ = __repr__


class inference_mode(_Mode):
    """Record nothing inside, and make tensors that can never be recorded: a little quicker than ``no_grad``.

    >>> import minigrad
    >>> with minigrad.inference_mode():
    ...     y = minigrad.ones(2) * 2
    >>> y.is_inference()
    True
    """

    def __new__(cls, mode=True):
        if isinstance(mode, bool):
            return object.__new__(cls)
        return cls()(mode)

    def __init__(self, mode=True):
        if isinstance(mode, bool):
            self.mode = mode

    def __enter__(self):
        self.was = here.recording, here.inference
        set_recording(not self.mode)
        set_inference(self.mode)
        opened()  # also inside enable_grad, new tensors take another storage

    def __exit__(self, *exc):
        recording, inference = self.was
        set_recording(recording)
        set_inference(inference)
        closed()

    def clone(self):
        """A fresh mode with the same setting."""
        return type(self)(self.mode)
