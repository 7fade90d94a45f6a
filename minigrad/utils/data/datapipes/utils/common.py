"""What pipes have in common: lengths, checks of the functions that they call, files and streams."""

import fnmatch
import functools
import inspect
import os
import pickle
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

__all__ = [
    "StreamWrapper",
    "get_file_binaries_from_pathnames",
    "get_file_pathnames_from_root",
    "match_masks",
    "validate_input_col",
    "validate_pathname_binary_tuple",
]


def length_of(source: Any, pipe: Any) -> int:
    """Return how many samples a source has; TypeError, about ``pipe``, if it does not tell.

    >>> from minigrad.utils.data.datapipes.utils.common import length_of
    >>> length_of([1, 2], None)
    2
    """
    if not hasattr(type(source), "__len__"):
        raise TypeError(f"{type(pipe).__name__} instance doesn't have valid length")
    return len(source)


def check_function(function: Callable[..., Any]) -> None:
    """Raise TypeError for what cannot be called; warn of what cannot be pickled, as workers that are not forked ask for.

    >>> from minigrad.utils.data.datapipes.utils.common import check_function
    >>> check_function(len)
    """
    if not callable(function):
        raise TypeError(f"A callable function is expected, but {type(function)} is provided.")
    inner = _innermost(function)
    name = getattr(inner, "__qualname__", type(inner).__qualname__)
    kind = "Local" if "<locals>" in name else "Lambda"
    if "<locals>" in name or name == "<lambda>":
        warnings.warn(
            f"{kind} function is not supported by pickle, please use regular python function or functools.partial instead.",
            stacklevel=3,
        )


def _innermost(function):
    return function.func if isinstance(function, functools.partial) else function


def validate_input_col(fn: Callable[..., Any], input_col: int | tuple[Any, ...] | list[Any] | None) -> None:
    """Raise ValueError unless ``fn`` can be called with as many arguments as there are columns (a list or tuple of them, or one).

    >>> from minigrad.utils.data.datapipes.utils.common import validate_input_col
    >>> validate_input_col(divmod, [0, 1])
    """
    try:
        parameters = inspect.signature(fn).parameters.values()
    except ValueError:  # it is written in C, and does not say
        return
    inner = _innermost(fn)
    name = getattr(inner, "__name__", repr(inner))
    wanted = len(input_col) if isinstance(input_col, (list, tuple)) else 1
    places = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    named = [each for each in parameters if each.kind is each.KEYWORD_ONLY and each.default is each.empty]
    if named:
        raise ValueError(
            f"The function {name} takes {len(named)} non-default keyword-only parameters, which is not allowed."
        )
    any_number = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    if len(places) < wanted and not any_number:
        few = len(parameters) < wanted
        raise ValueError(
            f"The function {name} takes {len(parameters if few else places)} {'' if few else 'positional '}parameters, but {wanted} are "
            "required."
        )
    if any(each.default is each.empty for each in places[wanted:]):
        raise ValueError(
            f"The function {name} takes {len(places)} positional parameters, but {wanted} are required."
        )


# Files ---------------------------------------------------------------------------------------------------------------


def match_masks(name: str, masks: str | list[str]) -> bool:
    """Return whether a name matches the mask, or one of several; without masks, True.

    >>> from minigrad.utils.data.datapipes.utils.common import match_masks
    >>> match_masks("a.txt", ["*.csv", "*.txt"])
    True
    """
    return not masks or any(
        fnmatch.fnmatch(name, mask) for mask in ([masks] if isinstance(masks, str) else masks)
    )


def get_file_pathnames_from_root(
    root: str,
    masks: str | list[str],
    recursive: bool = False,
    abspath: bool = False,
    non_deterministic: bool = False,
) -> Iterable[str]:
    """Yield the paths of the files in a directory (or the path of a file), in alphabetical order unless ``non_deterministic``.

    >>> import os
    >>> from minigrad.utils.data.datapipes.utils.common import get_file_pathnames_from_root
    >>> [*map(os.path.basename, get_file_pathnames_from_root(os.__file__, "*.py"))]
    ['os.py']
    """

    def refuse(error):
        warnings.warn(f"{error.filename} : {error.strerror}", stacklevel=3)
        raise error

    if os.path.isfile(root):
        found: Any = [("", [], [root])]
    else:
        found = os.walk(root, onerror=refuse)
    for directory, below, names in found:
        if not non_deterministic:
            below.sort()  # which os.walk goes by
            names.sort()
        for name in names:
            if match_masks(os.path.basename(name), masks):
                path = os.path.join(directory, name)
                yield os.path.abspath(path) if abspath else path
        if not recursive:
            return


def get_file_binaries_from_pathnames(
    pathnames: Iterable[Any], mode: str, encoding: str | None = None
) -> Iterator[Any]:
    """Yield each path with the opened file, a ``StreamWrapper``.  Raises TypeError if the argument is not a path.

    >>> import os
    >>> from minigrad.utils.data.datapipes.utils.common import get_file_binaries_from_pathnames
    >>> ((path, stream),) = get_file_binaries_from_pathnames([os.__file__], "r")
    >>> path == os.__file__, stream.readline()[:2]
    (True, 'r"')
    >>> stream.close()
    """
    for path in [pathnames] if isinstance(pathnames, str) else pathnames:
        if not isinstance(path, str):
            raise TypeError(f"Expected string type for pathname, but got {type(path)}")
        file = open(path, f"r{mode}" if mode in ("b", "t") else mode, encoding=encoding)  # noqa: SIM115
        yield path, StreamWrapper(file)


def validate_pathname_binary_tuple(data: Any) -> None:
    """Raise TypeError unless ``data`` is a tuple of a path and a stream.

    >>> import io
    >>> from minigrad.utils.data.datapipes.utils.common import validate_pathname_binary_tuple
    >>> validate_pathname_binary_tuple(("a.txt", io.BytesIO()))
    """
    import io

    if not isinstance(data, tuple):
        raise TypeError(f"pathname binary data should be tuple type, but it is type {type(data)}")
    if len(data) != 2:
        raise TypeError(f"pathname binary stream tuple length should be 2, but got {len(data)}")
    if not isinstance(data[0], str):
        raise TypeError(
            f"pathname within the tuple should have string type pathname, but it is type {type(data[0])}"
        )
    if not isinstance(data[1], (io.IOBase, StreamWrapper)):
        raise TypeError(
            f"binary stream within the tuple should have IOBase or its subclasses as type, but it is type {type(data[1])}"
        )


class StreamWrapper:
    """A file that is closed when it is no longer used; otherwise it behaves as the file.

    >>> import io
    >>> from minigrad.utils.data.datapipes.utils.common import StreamWrapper
    >>> with StreamWrapper(io.StringIO("abc")) as stream:
    ...     stream.read(2)
    'ab'
    """

    closed: bool

    def __init__(self, file_obj: Any, parent_stream: Any = None, name: str | None = None) -> None:
        self.file_obj = file_obj
        self.parent_stream = parent_stream  # kept open: what a file in an archive is read from
        self.name = name
        self.closed = False

    @staticmethod
    def close_streams(value: Any) -> None:
        """Close the streams in a sample, in whatever lists, tuples and dicts."""
        if isinstance(value, StreamWrapper):
            value.close()
        elif isinstance(value, dict):
            StreamWrapper.close_streams([*value.values()])
        elif isinstance(value, (list, tuple)):
            for each in value:
                StreamWrapper.close_streams(each)

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            self.closed = True
            self.file_obj.close()

    def autoclose(self) -> None:
        """Close the file."""
        self.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["file_obj"], name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.file_obj)

    def __next__(self) -> Any:
        return next(self.file_obj)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *dir(self.file_obj)})

    def __repr__(self) -> str:
        return (
            f"StreamWrapper<{self.file_obj!r}>"
            if self.name is None
            else f"StreamWrapper<{self.name},{self.file_obj!r}>"
        )

    def __reduce__(self) -> Any:
        raise pickle.PicklingError("a stream cannot be pickled")

    def __del__(self) -> None:
        if "file_obj" in self.__dict__:
            self.close()
