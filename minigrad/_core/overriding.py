"""Who overrides functions: operands whose class has a ``__torch_function__``, and the function modes of a thread.

There is one way to ask them, ``ask``, and it is reached from two places.  While a function mode is on, or once a class of a program's own that overrides
functions has been met, every public function runs ``_asking`` around its own code (``_base/redirecting.py``): so those who override hear of the very
function that was called, with the arguments that it was called with, and nobody else pays.  Before that, an operand of such a class falls off the quick
path: operators meet it in ``interpret.py``, other functions fail over it, and ``_base/guards.py`` sees that; either way it is met.
"""

import functools
import inspect
import sys
import warnings
from types import FunctionType

from .._base import guards, lazy
from .._base.callers import level_of_user
from .._base.mixing import is_pytorchs
from .._base.redirecting import OVERRIDES, lock, redirect, restore
from . import late
from .modes import thread_state
from .tensor import Tensor

__all__ = [
    "NEVER", "ask", "arguments_of", "ask_operands", "asked", "blocked", "disabled", "has_override", "is_plain_override", "meet", "let_ask", "no_implementation", "operand_met", "pop_mode", "push_mode", "requires_asking",
]  # fmt: skip

_PACKAGE = __name__.partition(".")[0]
_OF_LAZY = vars(lazy)
_default = vars(Tensor)["__torch_function__"].__func__
#: Operands that nobody needs to look at.
NEVER = {Tensor, bool, int, float, complex, str, type(None), slice, type(Ellipsis)}


def disabled(func, types, args=(), kwargs=None):
    """For a subclass that is to be treated as Tensor is: ``__torch_function__ = torch._C._disabled_torch_function_impl``."""
    with blocked():
        return func(*args, **(kwargs or {}))


class blocked:
    """A block in which this thread asks no operands; ``modes``: nor function modes."""

    def __init__(self, modes=False):
        self.modes = modes

    def __enter__(self):
        self.was = thread_state.overrides, thread_state.asks_modes
        thread_state.overrides = False
        if self.modes:
            thread_state.asks_modes = False
        return self

    def __exit__(self, *error):
        thread_state.overrides, thread_state.asks_modes = self.was


def is_plain_override(override):
    """Whether a class's ``__torch_function__`` is none: it has none, or one of the library's own, of parameters and their kin."""
    if override is None or override is disabled:
        return True
    if getattr(override, "__func__", override) in _asked_of_own:
        return False
    return (getattr(override, "__module__", None) or "").partition(".")[0] == _PACKAGE


_asked_of_own: set = set()


def let_ask(override):
    """Let a ``__torch_function__`` of the library's own be asked like one that a program has written."""
    _asked_of_own.add(override)


def has_override(cls):
    """Whether objects of a class are to be asked, or are of a subclass of Tensor that is asked beside others."""
    if cls in NEVER:
        return False
    override = getattr(cls, "__torch_function__", None)
    if override is None or is_pytorchs(cls):
        return False
    return getattr(override, "__func__", None) is _default or not is_plain_override(override)


def asked(values, found=None):
    """Those of ``values``, and of the tuples and lists among them, whose ``__torch_function__`` is to be called: of each class one, subclasses before their bases."""
    found = [] if found is None else found
    for x in values:
        cls = x.__class__
        if cls in NEVER:
            continue
        if cls is tuple or cls is list:
            asked(x, found)
        elif has_override(type(x)):
            cls = type(x)
            if any(type(y) is cls for y in found):
                continue
            place = next((i for i, y in enumerate(found) if issubclass(cls, type(y))), len(found))
            found.insert(place, x)
    return found


def requires_asking(found):
    """Whether one of what ``asked`` has found overrides more than Tensor does."""
    return any(getattr(type(x).__torch_function__, "__func__", None) is not _default for x in found)


#: Python's operators that override as a method of another name.
_OPERATORS = {
    "__add__": "add", "__radd__": "add", "__sub__": "sub", "__mul__": "mul", "__rmul__": "mul", "__truediv__": "div", "__div__": "div",
    "__rtruediv__": "__rdiv__", "__matmul__": "matmul", "__pow__": "pow", "__mod__": "remainder", "__eq__": "eq", "__ne__": "ne", "__lt__": "lt",
    "__le__": "le", "__gt__": "gt", "__ge__": "ge", "__neg__": "neg", "__abs__": "abs", "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_",
    "__itruediv__": "div_", "__idiv__": "div_", "__ipow__": "pow_", "__imod__": "remainder_", "__ifloordiv__": "floor_divide_",
}  # fmt: skip


def ask(function, found, args, kwargs, failure=None):
    """What those who override ``function`` return for a call: the innermost mode, then the operands ``found``; the first that is not NotImplemented.

    Raises TypeError if there is none.
    """
    name = _OPERATORS.get(getattr(function, "__name__", None))
    if name is not None:
        function = getattr(Tensor, name)
    thread_state.operator = name
    types = tuple([type(x) for x in found])
    modes = thread_state.function_modes
    mode = None
    if modes and thread_state.asks_modes:
        mode = modes[-1]
        thread_state.function_modes = modes[:-1]
        try:
            result = mode.__torch_function__(function, types, args, kwargs)
        finally:
            thread_state.function_modes = modes
        if result is not NotImplemented:
            return result
    if thread_state.overrides:
        for x in found:
            result = _override_of(x)(function, types, args, kwargs)
            if result is not NotImplemented:
                return result
    raise (failure or no_implementation)(function, found, mode)


def _override_of(x):
    """The ``__torch_function__`` of ``x``: of its class, or, with a warning, of the object itself if it is a plain method."""
    override = type(x).__torch_function__
    if override.__class__ is FunctionType and not isinstance(
        inspect.getattr_static(type(x), "__torch_function__"), staticmethod
    ):
        warnings.warn(
            "Defining your `__torch_function__` as a plain method is deprecated and will be an error in future, please define it as a "
            "classmethod.",
            stacklevel=level_of_user(),
        )
        return x.__torch_function__
    return override


def no_implementation(function, found, mode=None):
    """The error where all who were asked have returned NotImplemented."""
    name = f"{getattr(function, '__module__', None) or 'torch'}.{getattr(function, '__name__', function)}"
    lines = [f"  - tensor subclass {type(x)}" for x in found]
    if mode is not None:
        lines.insert(0, f"  - mode object {mode!r}")
    return TypeError(
        f"Multiple dispatch failed for '{name.replace(_PACKAGE, 'torch', 1)}'; all __torch_function__ handlers returned NotImplemented:\n\n"
        + "\n".join(lines)
        + "\n\nFor more information, try re-running with TORCH_LOGS=not_implemented"
    )


# Before it is known that anybody overrides -------------------------------------------------------------------------------


def operand_met(x):
    """Whether ``x``, which an operator has been given in the place of a tensor, has a ``__torch_function__`` that is asked now."""
    return thread_state.overrides and bool(requires_asking(asked((x,))))


def ask_operands(function, args, kwargs):
    """What the operands of an operator return, of which one overrides: for the public function that the program has called.

    ``function`` is that of the operator, if it has called that.
    """
    outer = _called()
    meet()
    if outer is not None:
        function, args, kwargs = outer
    return ask(function, asked((*args, *kwargs.values())), args, kwargs)


def _called():
    """(function, args, kwargs) of the outermost function that runs, of those that belong to one call into the package; None if none does.

    Raises ``Met`` if that function has a guard, which will ask.
    """
    codes = guards.own_codes()
    frame, found = sys._getframe(2), None
    while frame is not None and (frame.f_globals.get("__package__") or "").partition(".")[0] == _PACKAGE:
        if id(frame.f_code) in codes:
            found = frame
        frame = frame.f_back
    if found is None:
        return None
    function = codes[id(found.f_code)]
    if guards.is_guarded(function):
        raise guards.Met
    return None if guards.asks_itself(function) else (function, *arguments_of(function, found.f_locals))


def arguments_of(function, values):
    """(args, kwargs) of a call, from the values of the function's parameters, by name: what is its default counts as not given."""
    code = guards.own_code_of(function)
    plain = code.co_argcount
    named = code.co_kwonlyargcount
    names = code.co_varnames
    if function.__kwdefaults__ and not named:  # guarded: see guards.py
        named = sum(name in function.__kwdefaults__ for name in names[:plain])
        plain -= named
    defaults = function.__defaults__ or ()
    args, kwargs = [], {}
    by_name = False
    for place, name in enumerate(names[:plain]):
        value, default = values[name], place - plain + len(defaults)
        if default >= 0 and value is defaults[default] and not code.co_flags & 4:
            by_name = True
        elif by_name:
            kwargs[name] = value
        else:
            args.append(value)
    rest = plain + named
    for name in names[plain:rest]:
        if values[name] is not (function.__kwdefaults__ or {}).get(name, args):
            kwargs[name] = values[name]
    if code.co_flags & 4:
        args += values[names[rest]]
        rest += 1
    if code.co_flags & 8:
        kwargs.update(values[names[rest]])
    return tuple(args), kwargs


def _meets(function, values):
    """See ``guards.let_meet``."""
    if late.sparse_form is not None:
        form = late.sparse_form(function, *arguments_of(function, values))
        if form is not None:
            return form
    if not thread_state.overrides:
        return None
    args, kwargs = arguments_of(function, values)
    found = asked((*args, *kwargs.values()))
    if not found or not requires_asking(found):
        return None
    outer = _called()
    meet()
    if outer is not None:
        function, args, kwargs = outer
        found = asked((*args, *kwargs.values()))
    return functools.partial(ask, function, found, args, kwargs)


def _subclass_made(cls):
    """A class that overrides more than Tensor does is met as soon as it is made: its tensors may not fail anywhere."""
    override = cls.__torch_function__
    if getattr(override, "__func__", None) is not _default and not is_plain_override(override):
        meet(subclass=True)


# Around public functions ---------------------------------------------------------------------------------------------------


def _asking(function, own):
    """``own`` if nobody overrides it, else what they return: what runs in the place of ``function`` while somebody might."""
    asks_operands = guards.asks_operands(function)

    @functools.wraps(own)
    def asking(*args, **kwargs):
        state = thread_state
        if state.function_modes and state.asks_modes:
            found = asked((*args, *kwargs.values())) if asks_operands and state.overrides else []
            return ask(function, found, args, kwargs)
        if state.overrides and asks_operands:
            found = asked(args)
            if kwargs:
                found = asked(kwargs.values(), found)
            if found and requires_asking(found):
                return ask(function, found, args, kwargs)
        return own(*args, **kwargs)

    return asking


def _accessing(function, own):
    """Like ``_asking``, for what reads or writes a property of tensors.  What the library itself reads is nobody's business."""
    access = _access_of[function]

    @functools.wraps(own)
    def asking(*args):
        state = thread_state
        if state.overrides or (state.function_modes and state.asks_modes):
            found = asked(args[:1]) if state.overrides else []
            if (state.function_modes and state.asks_modes) or (found and requires_asking(found)):
                user = sys._getframe(2)
                while user.f_globals is _OF_LAZY:  # where the property stands that has just been imported
                    user = user.f_back
                if (user.f_globals.get("__package__") or "").partition(".")[0] != _PACKAGE:
                    return ask(access, found, args, {})
        return own(*args)

    return asking


_access_of: dict = {}  # function that reads or writes a property -> how that is known
_modes_open = 0
_met = False  # whether a class of a program's own that overrides functions is known
_met_subclass = False  # whether one of them is a subclass of Tensor, which has its properties


def meet(subclass=False):
    """From now on, let every public function ask its operands; and the properties of tensors, if there are overriding subclasses."""
    global _met, _met_subclass
    with lock:
        if not _met or (subclass and not _met_subclass):
            _met, _met_subclass = True, _met_subclass or subclass
            _update()


def push_mode(mode):
    """Let ``mode`` hear of every public function that this thread calls."""
    global _modes_open
    thread_state.function_modes = (*thread_state.function_modes, mode)
    with lock:
        _modes_open += 1
        if _modes_open == 1:
            _update()


def pop_mode():
    """Undo the latest ``push_mode``; returns the mode."""
    global _modes_open
    modes = thread_state.function_modes
    if not modes:
        raise RuntimeError("no function mode is active")
    thread_state.function_modes = modes[:-1]
    with lock:
        _modes_open -= 1
        if _modes_open == 0:
            _update()
    return modes[-1]


def _subclasses(cls):
    for subclass in type.__subclasses__(cls):
        yield subclass
        yield from _subclasses(subclass)


def _update():
    functions = guards.overridable()
    if _modes_open:
        redirect(functions, OVERRIDES, _asking)
    else:
        restore([f for f in functions if not _met or guards.asks_itself(f)], OVERRIDES)
        if _met:
            redirect([f for f in functions if not guards.asks_itself(f)], OVERRIDES, _asking)
    _update_accesses()
    guards.tell_published(_published if _met or _modes_open else None)


def _update_accesses():
    if _modes_open or _met_subclass:
        _access_of.update(guards.accesses())
        redirect(_access_of, OVERRIDES, _accessing)
    else:
        restore(_access_of, OVERRIDES)


def _published(functions):
    """Functions that become public while somebody overrides; none, if properties do."""
    with lock:
        if not functions:
            _update_accesses()
        redirect([f for f in functions if _modes_open or not guards.asks_itself(f)], OVERRIDES, _asking)


guards.let_meet(_meets)
late.subclass_made = _subclass_made
for _class in _subclasses(Tensor):  # those made before the first operator was imported
    _subclass_made(_class)
