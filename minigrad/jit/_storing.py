"""Files of TorchScript, which can be neither written nor read here."""

import os
from typing import Any

from ._script import _without_script

__all__ = []


def save(m: Any, f: Any, _extra_files: Any = None) -> None:
    """Raise NotImplementedError for a scripted module, AttributeError for any other: programs cannot be written as TorchScript.

    >>> import minigrad
    >>> minigrad.jit.save(minigrad.jit.script(minigrad.nn.ReLU()), "net.pt")
    Traceback (most recent call last):
        ...
    NotImplementedError: RecursiveScriptModule.save needs TorchScript, which minigrad does not have: scripted and traced programs run as the Python that they are. Save state_dict() and the program.
    """
    m.save(f, _extra_files=_extra_files)


def load(f: Any, map_location: Any = None, _extra_files: Any = None, _restore_shapes: bool = False) -> None:
    """Raise ValueError for a missing file, NotImplementedError for any other: TorchScript programs cannot be run.

    >>> import minigrad
    >>> minigrad.jit.load("no such file")
    Traceback (most recent call last):
        ...
    ValueError: The provided filename no such file does not exist
    """
    if isinstance(f, (str, os.PathLike)):
        if not os.path.exists(f):
            raise ValueError(f"The provided filename {f} does not exist")
        if os.path.isdir(f):
            raise ValueError(f"The provided filename {f} is a directory")
    raise _without_script("a file written by torch.jit.save")


def export_opnames(m: Any) -> Any:
    """Raise NotImplementedError: the operators of a script are unknown.

    >>> import minigrad
    >>> try: minigrad.jit.export_opnames(None)
    ... except NotImplementedError: print("no script")
    no script
    """
    raise _without_script("export_opnames()")


def jit_module_from_flatbuffer(f: Any) -> Any:
    """Raise NotImplementedError: the file is TorchScript.

    >>> import minigrad
    >>> try: minigrad.jit.jit_module_from_flatbuffer("net.ff")
    ... except NotImplementedError: print("no script")
    no script
    """
    raise _without_script("a file of a flat buffer")


def save_jit_module_to_flatbuffer(m: Any, f: Any, _extra_files: Any = None) -> None:
    """Raise NotImplementedError: the file would be TorchScript.

    >>> import minigrad
    >>> try: minigrad.jit.save_jit_module_to_flatbuffer(None, "net.ff")
    ... except NotImplementedError: print("no script")
    no script
    """
    raise _without_script("a file of a flat buffer")
