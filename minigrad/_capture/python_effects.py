"""``PythonEffects``: looks on at the Python of a program while a step is noted, for what a replay would leave out.

What functions change of the objects that outlive the call, a ``KeptState`` tells: it sees them before each function of the program begins, and again at the end.  Here is what else there
is: names that are stored in globals or closures, and built-in functions that do, or ask for, something outside of the program (``print``, ``open``, ``time.time``, ``random.random``), of
which only those are let pass that are known to do nothing but compute.  The library's own Python is not looked at, but for functions that change its settings.
"""

import builtins
import dis
import functools
import linecache
import os
import sys
import sysconfig
import traceback
import types
from typing import Any

import numpy as np

from .kept_state import KeptState

__all__ = ["PythonEffects", "place_of"]

_LIBRARY, _IMPORTING, _PROGRAM, _STANDARD = range(4)
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_NUMPY = os.path.dirname(np.__file__) + os.sep
_STDLIB = os.path.join(sysconfig.get_path("stdlib"), "")
#: Modules of Python whose functions call those of a program, and do nothing else that lasts.
_HANDING_ON = frozenset(
    f"{_STDLIB}{name}" for name in ("contextlib.py", "functools.py", "enum.py", "typing.py", "dataclasses.py", "abc.py", "operator.py", "types.py", "copyreg.py")
)  # fmt: skip
_COMPUTING = frozenset({
    "abs", "all", "any", "ascii", "bin", "callable", "chr", "divmod", "format", "getattr", "hasattr", "hash", "hex", "isinstance", "issubclass",
    "iter", "len", "max", "min", "next", "oct", "ord", "pow", "repr", "round", "setattr", "sorted", "sum",
})  # fmt: skip
_COMPUTING_MODULES = frozenset(
    {
        "math",
        "cmath",
        "_operator",
        "itertools",
        "_functools",
        "_collections",
        "_struct",
        "_abc",
        "re",
        "_sre",
        "collections",
        "numpy",
    }
)
#: What calls functions that it is given.
_CALLING = frozenset(
    {"map", "filter", "filterfalse", "reduce", "starmap", "accumulate", "takewhile", "dropwhile", "groupby"}
)
_WRITING = frozenset({
    "append", "appendleft", "extend", "extendleft", "insert", "pop", "popleft", "popitem", "remove", "clear", "sort", "reverse", "rotate", "add",
    "discard", "update", "setdefault", "difference_update", "intersection_update", "symmetric_difference_update", "__setitem__", "__delitem__",
    "write", "writelines", "send",
})  # fmt: skip
_NOT_OF_NUMPY = frozenset({"fromfile", "tofile", "dump", "dumps", "seterr", "setbufsize", "seterrobj"})
#: Functions of the library that change what lasts, which no call of NumPy shows.
_CHANGING = frozenset({
    "manual_seed", "seed", "initial_seed", "set_rng_state", "get_rng_state", "fork_rng", "set_default_dtype", "set_default_device",
    "set_default_tensor_type", "set_num_threads", "set_num_interop_threads", "set_printoptions", "set_flush_denormal", "use_deterministic_algorithms",
    "set_deterministic_debug_mode", "set_float32_matmul_precision", "set_warn_always", "register_hook", "register_post_accumulate_grad_hook",
    "register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook", "register_full_backward_pre_hook", "register_backward_hook",
    "load_state_dict", "add_param_group", "share_memory_", "swap_tensors", "set_", "set_detect_anomaly", "set_anomaly_enabled",
})  # fmt: skip
_CHANGING_MODULES = (
    "minigrad.hub", "minigrad.utils.tensorboard", "minigrad.utils.data", "minigrad.multiprocessing", "minigrad.profiler", "minigrad.autograd.profiler", "minigrad.jit",
    "minigrad.func", "minigrad._transforms", "minigrad.autograd.forward_ad",
)  # fmt: skip
#: What a program may read of an optimizer or a scheduler; in a replay it would be the number that it was.
_READ_OF_OPTIMIZERS = frozenset(
    {"param_groups", "get_last_lr", "last_epoch", "_step_count", "state_dict", "base_lrs", "state"}
)


class PythonEffects:
    """``run`` calls a function; ``found`` is then None, or a pair: what a replay would leave out, and the place in the program."""

    def __init__(self, function, others, capturing, strict=False):
        self.found: Any = None
        self.of_program = False  # whether what was found is an effect, and not what cannot be followed
        self._strict = strict
        self.state = KeptState()
        self._capturing = capturing
        self._function = function
        self._others = others  # arguments that are no tensors
        self._kinds: dict = {}
        self._touched = 0

    def run(self, *args, **kwargs):
        """What the function returns."""
        self.state.add(self._function, getattr(self._function, "__name__", type(self._function).__name__))
        for x in self._others:
            self.state.add(x, f"an argument of the class {type(x).__name__}")
        self._ask_state(None)
        if self.found is None:
            sys.setprofile(self._look)
        try:
            return self._function(*args, **kwargs)
        finally:
            sys.setprofile(None)
            self._kinds.clear()

    # While it runs -----------------------------------------------------------------------------------------------------------------

    def _look(self, frame, event, argument):
        if event == "call":
            kind = self._kinds[frame] = _kind(frame, self._kinds.get(frame.f_back, _LIBRARY))
            if kind == _PROGRAM:
                self._enter(frame)
            elif kind == _LIBRARY:
                what = _changes(frame.f_code, frame.f_globals.get("__name__"))
                if what is not None:
                    self._find(what, frame.f_back)
        elif event == "return":
            self._kinds.pop(frame, None)
        elif event == "c_call" and self._kinds.get(frame) == _PROGRAM:
            if not _only_computes(argument):
                self._find(f"{_called(argument)}() does more than compute", frame)
            elif id(getattr(argument, "__self__", None)) in self.state.seen and argument.__name__ in _WRITING:
                self._find(f"{_called(argument)}() changes what outlives the call", frame)

    def _enter(self, frame):
        stores, names, attributes = _names_in(frame.f_code)
        if stores is not None:
            self._find(f"{stores[0]} is set, which outlives the call", (frame.f_code, stores[1]))
            return
        if (passed := _passed_to_built_ins(frame.f_globals, names, attributes)) is not None:
            self._find(f"{passed}() may be called by a built-in function", frame)
            return
        self.state.enter(frame.f_globals, names, attributes)
        self._ask_state(frame)
        if self.state.optimizers and not _READ_OF_OPTIMIZERS.isdisjoint(attributes):
            self._find("what an optimizer or a scheduler has is read", frame, False)

    def _ask_state(self, frame):
        """Follow the tensors that were met, and say what cannot be looked into."""
        tensors = [*self.state.tensors.values()]
        for tensor, grad in tensors[self._touched :]:
            self._capturing.follow(tensor, *([] if grad is None else [grad]))
        self._touched = len(tensors)
        if self.state.unknown is not None:
            self._find(self.state.unknown, frame, False)

    def _find(self, what, where, of_program=True):
        """Note no more: ``what`` is the reason, ``where`` a frame, or a pair of a code object and a line."""
        if self.found is None:
            self.found, self.of_program = (what, place_of(where)), of_program
        sys.setprofile(None)
        if self._strict and of_program:
            raise EffectFound(what)
        self._capturing.end(what)

    # Afterwards --------------------------------------------------------------------------------------------------------------------

    def change(self, nodes):
        """What of the kept objects has changed, None if nothing has; ``nodes`` are the leaves whose gradients were noted."""
        state = self.state
        if (path := state.module_that_changed()) is not None:
            return f"{path} has changed in the call"
        if not state.holds():
            return "an object that outlives the call has changed in it"
        for tensor, grad in state.tensors.values():
            if tensor.is_leaf and tensor.grad is not grad and id(tensor._node) not in nodes:
                return "the .grad of a tensor has changed, for which no backward was noted"
        return None


class EffectFound(RuntimeError):
    """An effect was found where it may not be."""


def _kind(frame, caller):
    kind = _kind_of_file(frame.f_code.co_filename)
    if caller == _IMPORTING:
        return _IMPORTING
    if kind != _STANDARD:
        return kind
    return _PROGRAM if caller == _PROGRAM else _LIBRARY


@functools.lru_cache(None)
def _kind_of_file(name):
    if name.startswith("<frozen importlib"):
        return _IMPORTING
    if name.startswith(_OWN) or name in _HANDING_ON:
        return _LIBRARY
    if name.startswith((_NUMPY, "<frozen", "<__array_function__")) or (
        name.startswith(_STDLIB) and "site-packages" not in name
    ):
        return _STANDARD
    return _PROGRAM


@functools.lru_cache(None)
def _names_in(code):
    """What is stored beyond the call, with its line; the globals that are read; the attributes."""
    stores, names, attributes, line = None, set(), set(), code.co_firstlineno
    for instruction in dis.get_instructions(code):
        operation = instruction.opname
        line = _line(instruction) or line
        if operation in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            stores = stores or (f"the global {instruction.argval}", line)
        elif operation in ("STORE_DEREF", "DELETE_DEREF") and instruction.argval in code.co_freevars:
            stores = stores or (f"{instruction.argval} of an enclosing function", line)
        elif operation in ("LOAD_GLOBAL", "LOAD_NAME"):
            names.add(instruction.argval)
        elif operation in ("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM", "LOAD_SUPER_ATTR"):
            attributes.add(instruction.argval)
    return stores, frozenset(names), frozenset(attributes)


def _line(instruction):
    """Where an instruction stands, if it begins a line: this is said differently from Python 3.13 on."""
    line = instruction.starts_line
    return getattr(instruction, "line_number", None) if line is True else line if type(line) is int else None


@functools.lru_cache(None)
def _changes(code, module):
    """What a function of the library changes, None if nothing but tensors."""
    if code.co_name in _CHANGING:
        return f"{code.co_name}() changes what outlives the call"
    if (
        module is not None
        and f"{module}.".startswith(tuple(f"{name}." for name in _CHANGING_MODULES))
        and code.co_name[0] != "<"
    ):
        return f"{code.co_name}() of {module} is called"
    return None


def _only_computes(function):
    """Whether a built-in function does nothing but compute; the methods of containers do, as far as they are no objects that were there before."""
    owner = getattr(function, "__self__", None)
    name = function.__name__
    if owner is builtins:
        return name in _COMPUTING
    if owner is None or isinstance(owner, types.ModuleType):
        cls = getattr(function, "__objclass__", None)
        module = function.__module__ if cls is None else cls.__module__
    else:
        module = (owner if isinstance(owner, type) else type(owner)).__module__
    if module == "builtins":
        return True
    return module in _COMPUTING_MODULES and name not in _NOT_OF_NUMPY


def _passed_to_built_ins(space, names, attributes):
    """The name of a built-in function with effects that may be called by one that takes functions, which nobody sees; None if there is none."""
    if names.isdisjoint(_CALLING) and attributes.isdisjoint(_CALLING):
        return None
    effects = [
        name
        for name in names
        if name not in space
        and name not in _COMPUTING
        and isinstance(getattr(builtins, name, None), types.BuiltinFunctionType)
    ]
    return next(iter((*effects, *(attributes & _WRITING))), None)


def _called(function):
    """What a built-in function is called in messages."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, types.ModuleType) and owner is not builtins:
        return f"{owner.__name__}.{function.__name__}"
    return function.__qualname__


def place_of(where):
    """The place in a program as ``traceback`` has it: of a frame, of a pair of a code object and a line, of an exception; None of None."""
    if isinstance(where, BaseException):
        own = [f for f in traceback.extract_tb(where.__traceback__) if not f.filename.startswith(_OWN)]
        return own[-1] if own else None
    if isinstance(where, types.FrameType):
        while where is not None and where.f_code.co_filename.startswith(_OWN):
            where = where.f_back
        if where is None:
            return None
        where = where.f_code, where.f_lineno
    if where is None:
        return None
    code, line = where
    return traceback.FrameSummary(
        code.co_filename, line, code.co_name, line=linecache.getline(code.co_filename, line).strip()
    )
