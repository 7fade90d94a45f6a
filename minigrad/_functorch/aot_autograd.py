"""``aot_function`` and its kin: what is to be compiled is handed on and runs as it is, as by ``compile``; compilers are not called."""

from collections.abc import Callable
from typing import Any

from ..compiler import _as_it_is

__all__ = ["aot_function", "aot_module", "aot_module_simplified", "make_boxed_compiler", "make_boxed_func"]


def aot_function(fn: Callable[..., Any], fw_compiler: Any, *options: Any, **more: Any) -> Callable[..., Any]:
    """Return a function equivalent to ``fn``; compilers and other options have no effect.

    >>> import minigrad
    >>> from minigrad._functorch.aot_autograd import aot_function
    >>> aot_function(lambda x: x.sin().cos(), fw_compiler=None)(minigrad.zeros(2))
    tensor([1., 1.])
    """
    return _as_it_is(fn)


def aot_module(mod: Any, *args: Any, **kwargs: Any) -> Any:
    """The module itself."""
    return mod


def aot_module_simplified(mod: Any, args: Any, fw_compiler: Any, *options: Any, **more: Any) -> Any:
    """The module itself: as a function of what ``args`` stand for, it needs no compiler."""
    return mod


def make_boxed_func(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that takes the arguments of ``f`` as one list.

    >>> import minigrad
    >>> minigrad._functorch.aot_autograd.make_boxed_func(max)([1, 3])
    3
    """

    def boxed(args):
        return f(*args)

    boxed._boxed_call = True  # type: ignore[attr-defined]
    return boxed


def make_boxed_compiler(compiler: Callable[..., Any]) -> Callable[..., Any]:
    """A compiler whose results take a list of arguments, from one whose results take them one by one."""

    def boxed(fx_g, inps):
        return make_boxed_func(compiler(fx_g, inps))

    return boxed
