"""Pipes: datasets that are made of others, and can be chained by methods.

The ``__iter__`` of a class of ``IterDataPipe`` is wrapped when the class is made: it resets the pipe, and ends what the pipe's earlier iterator
gives, since both would take from the same buffers.
"""

import functools
import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from ..dataset import Dataset, IterableDataset

__all__ = ["DataChunk", "DFIterDataPipe", "IterDataPipe", "MapDataPipe"]

_T_co = TypeVar("_T_co", covariant=True)


class DataChunk(list):
    """A list of samples that a pipe yields as one.

    >>> from minigrad.utils.data import DataChunk
    >>> DataChunk(range(3)).as_str(indent="  ")
    '  [0, 1, 2]'
    """

    items: list[Any]

    def __init__(self, items: Iterable[Any]) -> None:
        super().__init__(items)
        self.items = list(self)

    def as_str(self, indent: str = "") -> str:
        """Return the samples as text."""
        return f"{indent}[{', '.join(map(str, self))}]"

    def raw_iterator(self) -> Iterator[Any]:
        """Return the samples as they were given."""
        return iter(self.items)


class _Pipe:
    """What both kinds of pipes have in common: functions that are their methods, and a short text."""

    functions: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name not in self.functions and not name.startswith("_"):
            self._register_functions()
        if name not in self.functions:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        function = self.functions[name]
        return functools.update_wrapper(functools.partial(function, self), function, assigned=("__doc__",))

    @staticmethod
    def _register_functions():
        """Import the pipes that are methods of all others."""
        for name in ("iter", "map"):
            importlib.import_module(f"{__package__}.{name}")

    @classmethod
    def register_function(cls, function_name: Any, function: Callable[..., Any]) -> None:
        """Let ``pipe.function_name(...)`` be ``function(pipe, ...)``."""
        cls.functions[function_name] = function

    @classmethod
    def register_datapipe_as_function(
        cls, function_name: Any, cls_to_register: Any, enable_df_api_tracing: bool = False
    ) -> None:
        """Let ``pipe.function_name(...)`` be ``cls_to_register(pipe, ...)``; raises Exception if the name is taken."""
        if function_name in cls.functions:
            raise Exception(f"Unable to add DataPipe function name {function_name} as it is already taken")
        cls.functions[function_name] = cls_to_register

    def __repr__(self) -> str:
        return type(self).__qualname__

    def __dir__(self) -> list[str]:
        self._register_functions()
        return [*super().__dir__(), *self.functions]


class IterDataPipe(_Pipe, IterableDataset[_T_co]):
    """The base class of streams made from other streams; a subclass defines ``__iter__``, and optionally ``reset``, which each new iterator calls.

    Only the newest iterator of a pipe yields samples; an older one raises RuntimeError. A loader gives pipes their seeds (``set_seed``)
    and their part of the stream (``apply_sharding``) if they have such methods.

    >>> from minigrad.utils.data import DataLoader, IterDataPipe
    >>> class Numbers(IterDataPipe):
    ...     def __iter__(self):
    ...         yield from range(5)
    >>> [batch.tolist() for batch in DataLoader(Numbers(), batch_size=2)]
    [[0, 1], [2, 3], [4]]
    """

    functions: dict[Any, Any] = {}
    _valid_iterator_id = 0
    _number_of_samples_yielded = 0

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__iter__" in vars(cls):
            cls.__iter__ = _alone(vars(cls)["__iter__"])  # type: ignore[method-assign]

    def __iter__(self) -> Iterator[Any]:
        return self

    def reset(self) -> None:
        """Return the pipe to its beginning; called for each new iterator."""

    def _new_iterator(self):
        """Begin again, for an iterator whose number is returned."""
        self._valid_iterator_id += 1
        self._number_of_samples_yielded = 0
        self.reset()
        return self._valid_iterator_id

    def _is_newest(self, number):
        """Whether the iterator of this number may go on."""
        return self._valid_iterator_id == number

    def _why_invalid(self):
        """Why an iterator may not go on."""
        return (
            "This iterator has been invalidated because another iterator has been created from the same IterDataPipe: "
            f"{call_of(self)}"
        )


class DFIterDataPipe(IterDataPipe):
    """A stream of data frames."""

    def _is_dfpipe(self):
        return True


class MapDataPipe(_Pipe, Dataset[_T_co]):
    """The base class of datasets with ``__getitem__`` that are made from others.

    >>> from minigrad.utils.data import MapDataPipe
    >>> class Squares(MapDataPipe):
    ...     def __getitem__(self, i):
    ...         return i * i
    >>> Squares()[3], Squares()
    (9, Squares)
    """

    functions: dict[Any, Any] = {}


def _alone(iterate):
    """``__iter__`` of a pipe, so that each iterator ends the one before."""
    if not inspect.isgeneratorfunction(iterate):

        @functools.wraps(iterate)
        def wrapped(pipe):
            iterator = iterate(pipe)
            return _Iterator(pipe, iterator, pipe._new_iterator())

        return wrapped

    @functools.wraps(iterate)
    def wrapped_generator(pipe):
        number = pipe._new_iterator()  # when the first sample is asked for, as all else in a generator
        samples = iterate(pipe)
        while True:
            _check(pipe, number)
            try:
                sample = next(samples)
            except StopIteration:
                return
            except Exception as error:
                _name_pipe(error, pipe)
                raise
            pipe._number_of_samples_yielded += 1
            yield sample

    return wrapped_generator


class _Iterator:
    """The iterator that a pipe's ``__iter__`` returned, while it is the newest."""

    def __init__(self, pipe: Any, iterator: Any, number: Any) -> None:
        self.pipe, self.iterator, self.number = pipe, iterator, number

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        _check(self.pipe, self.number)
        sample = next(self.iterator)
        self.pipe._number_of_samples_yielded += 1
        return sample

    def __getattr__(self, name: str) -> Any:
        return getattr(self.iterator, name)


def _check(pipe, number):
    if not pipe._is_newest(number):
        raise RuntimeError(
            f"{pipe._why_invalid()}\nThe two would take from the same buffers: make a second pipe, or finish with the first iterator before."
        )


def call_of(pipe: Any) -> str:
    """Return the call that makes a pipe, as far as it keeps its arguments."""
    asked = inspect.signature(type(pipe)).parameters
    kept = ", ".join(
        f"{name}={value.__name__ if inspect.isfunction(value) else repr(value)}"
        for name, value in sorted(vars(pipe).items())
        if name in asked
    )
    return f"{type(pipe).__name__}({kept})"


def _name_pipe(error, pipe):
    """Add to the text of an error the innermost pipe that raised it."""
    first = error.args[0] if error.args and isinstance(error.args[0], str) else ""
    if "thrown by __iter__ of" not in first and "has been invalidated" not in first:
        error.args = (f"{first}\nThis exception is thrown by __iter__ of {call_of(pipe)}", *error.args[1:])
