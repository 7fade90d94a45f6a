"""Why PyTorch refuses a call that has failed: an argument of a wrong kind, or a whole number of more than 64 bits.

PyTorch reads all arguments before it computes anything, so a wrong kind is told first, whatever else is wrong. Here functions run their own code straight,
and only when that has failed are their arguments held against ``signatures.txt``, which has a line for each of PyTorch's operators: its overloads, each a list of
parameters. ``tests/generate/signatures.py`` writes it.
"""

import functools
import numbers
import operator
import os
import sys

import numpy as np

from .device import device, layout, memory_format
from .dtypes import dtype
from .errors import type_name

_PACKAGE = __name__.partition(".")[0]
#: Where functions are found: the module's name below the package -> what their names in the table begin with.
_SPACES = (
    ("", ""),
    (".nn.functional", "F."),
    (".linalg", "linalg_"),
    (".special", "special_"),
    (".fft", "fft_"),
)
#: How messages name the kinds.
_WORDS = {
    "T": "Tensor", "N": "Number", "i": "int", "f": "float", "b": "bool", "s": "str", "D": "torch.dtype", "L": "torch.layout",
    "M": "torch.memory_format", "d": "torch.device", "G": "torch.Generator", "c": "complex",
}  # fmt: skip
#: Functions that take numbers where their signatures say tensors.
_words = "add sub mul div divide multiply subtract true_divide floor_divide"
_NUMBERS_TOO = frozenset(_words.split()) | {name + "_" for name in _words.split()} | {"copy_"}


class Parameter:
    """One parameter: ``dim:i[1]=`` is named dim, takes ints or one int in their place, and may be left out."""

    __slots__ = ("name", "kind", "is_list", "length", "has_default", "takes_none", "by_name")

    def __init__(self, text, by_name):
        self.name, _, kind = text.partition(":")
        self.has_default = kind.endswith("=")
        kind = kind.rstrip("=")
        self.takes_none = kind.endswith("?")
        kind = kind.rstrip("?")
        self.is_list = kind.endswith("]")
        self.length = 0
        if self.is_list:
            kind, _, length = kind[:-1].partition("[")
            self.length = int(length or 0)
        self.kind, self.by_name = kind, by_name

    def words(self):
        """What a message says that an argument must be."""
        return f"tuple of {_WORDS[self.kind]}s" if self.is_list else _WORDS[self.kind]

    def takes(self, value, number=False):
        """Whether an argument is of this kind; ``number``: or a number in the place of a tensor."""
        if value is None:
            return self.takes_none
        if self.is_list:
            if isinstance(value, tuple | list):
                first = value[:1] if self.kind != "T" else value
                return all(_is_of(self.kind, element, self.takes_none) for element in first)
            return bool(self.length) and _is_of(self.kind, value)
        return _is_of(self.kind, value) or (number and self.kind == "T" and _is_of("N", value))


def _is_of(kind, value, takes_none=False):
    Tensor = sys.modules[_PACKAGE].Tensor
    if kind == "T":
        return (
            isinstance(value, Tensor)
            or hasattr(value, "__torch_function__")
            or (takes_none and value is None)
        )
    if kind == "b":
        return value is True or value is False
    if kind == "s":
        return isinstance(value, str)
    if kind in "ifNc":
        if isinstance(value, Tensor):
            if kind == "i":
                return value.numel() == 1 and not value.is_floating_point() and not value.is_complex()
            if value.dim() or value.requires_grad:
                return False
            return kind in "Nc" or not value.is_complex()
        if kind == "i":
            return isinstance(value, int | np.integer) and not isinstance(value, bool)
        if isinstance(value, complex | np.complexfloating):
            return kind in "Nc"
        return isinstance(value, numbers.Number | np.generic) and not isinstance(
            value, np.datetime64 | np.timedelta64
        )
    if kind == "D":
        return isinstance(value, dtype) or any(value is cls for cls in (bool, int, float, complex))
    if kind == "d":
        return isinstance(value, device | str | bytes | int | np.integer) and not isinstance(value, bool)
    if kind == "G":
        return isinstance(value, sys.modules[_PACKAGE].Generator)
    return isinstance(value, layout if kind == "L" else memory_format)


@functools.cache
def _table():
    path = os.path.join(os.path.dirname(__file__), "signatures.txt")
    with open(path, encoding="ascii") as file:
        return dict(line.rstrip("\n").split(" ", 1) for line in file if line[0] != "#")


@functools.cache
def overloads(name):
    """The overloads of PyTorch's operator ``name``, each a list of parameters; none if it is not known."""
    found = []
    for text in _table().get(name, _table().get("Tensor." + name, "")).split(" | "):
        words = text.split()
        star = words.index("*") if "*" in words else len(words)
        found.append([Parameter(word, place > star) for place, word in enumerate(words) if word != "*"])
    return tuple(found) if any(found) else ()


def operator_of(function):
    """What PyTorch calls the operator that a public function stands for, and whether it is a method only; None if it is none."""
    name = function.__name__
    for space, prefix in _SPACES:
        module = sys.modules.get(_PACKAGE + space)
        plain = name.removeprefix(prefix)
        if module is not None and vars(module).get(plain) is function and prefix + plain in _table():
            return prefix + plain, False
    package = sys.modules[_PACKAGE]
    if vars(package.Tensor).get(name) is function:
        if "Tensor." + name in _table():
            return "Tensor." + name, True
        if name in _table():
            return name, getattr(package, name, None) is not function
    return None


def refuse_arguments(name, given, is_method=False, parameters=(), needed=()):
    """Raise TypeError if PyTorch's operator ``name`` takes no such arguments: a dictionary name -> value, in order; ValueError for a number too large.

    ``is_method``: the first of them is not counted; ``parameters``: the names of all that the function here takes, which tell the place of one that PyTorch calls
    something else.  Those that are not given count as missing only if they are among the ``needed``.  An argument beyond all forms in the table belongs to one that it does not know.
    """
    choices = overloads(name)
    if any(hasattr(value, "_untyped_storage") for value in given.values()):
        return  # no overload in the table takes a storage
    known = {p.name for overload in choices for p in overload}
    given = _by_own_names(name, given, known)
    as_given, given = given, _spread(given, known)
    if is_method and not _is_of("T", own := next(iter(given.values()), None)):
        raise TypeError(
            f"descriptor '{name.removeprefix('Tensor.')}' for 'torch._C.TensorBase' objects doesn't apply to a '{type_name(own)}' object"
        )
    places = {key: parameters.index(key) if key in parameters else i for i, key in enumerate(given)}
    if not choices or any(
        key not in known
        and (place >= max(map(len, choices)) or (isinstance(key, str) and key not in parameters))
        for key, place in places.items()
    ):
        return
    name = name.removeprefix("F.").removeprefix("Tensor.")
    left_out = [p for p in parameters if p not in needed]
    found = [_misfit(name, overload, given, places, is_method, left_out) for overload in choices]
    if None in found:
        _refuse_long(name, choices[found.index(None)], given, places)
        return
    if len(found) > 1:
        plausible = [
            i
            for i, overload in enumerate(choices)
            if sum(not p.has_default for p in overload) <= len(given) <= len(overload)
        ]
        if len(plausible) != 1:
            raise no_form(name, dict(list(_spread(as_given, ()).items())[is_method:]), choices)
        found = [found[plausible[0]]]
    raise TypeError(found[0])


def _by_own_names(name, given, known):
    """Arguments with the names of PyTorch's parameters for NumPy's; raises TypeError for one that is given by both."""
    for numpy_name, own in (("axis", "dim"), ("keepdims", "keepdim")):
        if numpy_name in given and numpy_name not in known and own in known:
            if own in given and given[own] is not given[numpy_name]:  # which may have been read already
                raise TypeError(f"{name}() got an unexpected keyword argument '{numpy_name}'")
            given = {own if key == numpy_name else key: value for key, value in given.items()}
    return given


def no_form(name, given, choices=None):
    """The error for arguments, name -> value, that go together in no form of an operator."""
    choices = choices or overloads(name)
    by_position = {p.name for overload in choices for p in overload if not p.by_name}
    words = [
        type_name(value) if key in by_position or str(key).isdigit() else f"{key}={type_name(value)}"
        for key, value in given.items()
    ]
    return TypeError(
        f"{name}() received an invalid combination of arguments - got ({', '.join(words)}), but expected one of:\n{listed(choices)}"
    )


def explained_by(name, **others):
    """Let a function that is no operator itself refuse a call that has failed as PyTorch's operator ``name`` does, to which it leads.

    ``others``: further names of its parameters -> their own.
    """

    def decorate(function):
        code = function.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        left_out = dict(zip(reversed(names[: code.co_argcount]), reversed(function.__defaults__ or ())))

        @functools.wraps(function)
        def call(*args, **kwargs):
            try:
                if others:
                    kwargs = {
                        others.get(key, key) if others.get(key) not in kwargs else key: value
                        for key, value in kwargs.items()
                    }
                return function(*args, **kwargs)
            except Exception:
                keys = [*names[: len(args)], *range(len(names), len(args))]
                given = {
                    key: value
                    for key, value in {**dict(zip(keys, args)), **kwargs}.items()
                    if key not in left_out or value is not left_out[key]
                }
                try:
                    refuse_arguments(name, given, parameters=names)
                except Exception as refusal:
                    raise refusal from None
                raise

        return call

    return decorate


def refuse_parameters(name, given):
    """Like ``refuse_arguments``, for what an operator's kernel was given: only for what cannot be meant, since kernels have parameters of their own."""
    for overload in overloads(name):
        for position, p in enumerate(overload, 1):
            value = given.get(p.name)
            if p.kind not in "ifNb" or value is None or isinstance(value, _FOR_KERNELS):
                continue
            if not any(q.takes(value) for other in overloads(name) for q in other if q.name == p.name):
                raise TypeError(
                    f"{name}(): argument '{p.name}' (position {position}) must be {_told(p, value)}"
                ) from None
    for overload in overloads(name)[:1]:
        _refuse_long(name, overload, given)


_FOR_KERNELS = (int, float, complex, tuple, list, np.ndarray, np.generic, np.dtype, slice)


def _spread(given, names):
    """Arguments without those that are named ``*args``: sizes one by one are a tuple of sizes, others have their number for a name."""
    found = {}
    for key, value in given.items():
        if isinstance(key, int) or key[0] != "*":
            found[key] = value
        elif key[1:] in names:
            if value:
                found[key[1:]] = value[0] if len(value) == 1 and isinstance(value[0], tuple | list) else value
        else:
            found |= enumerate(value, len(found))
    return found


def listed(choices):
    """The overloads, a line for each."""
    lines = []
    for overload in choices:
        words = [f"{p.words()} {p.name}{'=...' * p.has_default}" for p in overload]
        first_named = next((i for i, p in enumerate(overload) if p.by_name), None)
        if first_named is not None:
            words.insert(first_named, "*")
        lines.append(f" * ({', '.join(words)})")
    return "\n".join(lines)


def _misfit(name, overload, given, places, is_method, left_out):
    """What is wrong with arguments for an overload: words, or None."""
    own = {p.name: place for place, p in enumerate(overload)}
    others = any(
        isinstance(key, str) and key not in own for key in given
    )  # then names may stand for other places too
    values = {}  # place of a parameter -> what it is given
    for key, value in given.items():
        place = own.get(key)
        if place is None or (others and not overload[place].by_name):
            place = places[key]
        if place in values or place >= len(overload) or (key not in own and overload[place].by_name):
            if isinstance(key, str):
                return f"{name}() got an unexpected keyword argument '{key}'"
            most, count = sum(not q.by_name for q in overload) - is_method, len(given) - is_method
            return f"{name}() takes {most} positional argument{'s' * (most != 1)} but {count} {'were' if count != 1 else 'was'} given"
        values[place] = value
    for place, p in enumerate(overload):
        if place not in values:
            if p.has_default or p.takes_none or p.name in left_out:
                continue
            lacking = [
                f'"{q.name}"'
                for i, q in enumerate(overload)
                if i >= place and not q.has_default and i not in values
            ]
            return f"{name}() missing {len(lacking)} required positional argument{'s' * (len(lacking) == 1)}: {', '.join(lacking)}"
        value = values[place]
        if p.takes(value, name in _NUMBERS_TOO):
            continue
        if p.kind == "T" and p.is_list and isinstance(value, tuple | list):
            at, wrong = next((i, element) for i, element in enumerate(value) if not _is_of("T", element))
            return (
                f"expected Tensor as element {at} in argument {place - is_method}, but got {type_name(wrong)}"
            )
        position = "" if p.by_name else f" (position {place + 1 - is_method})"
        return f"{name}(): argument '{p.name}'{position} must be {_told(p, value)}"
    return None


def _told(p, value):
    if p.is_list and isinstance(value, tuple | list):
        return f"{p.words()}, but found element of type {type_name(value[0])} at pos 0"
    return f"{p.words()}, not {type_name(value)}"


def _refuse_long(name, overload, given, places=None):
    """Raise ValueError for an integer that int64 does not hold; TypeError if it is in a list, or something in one is no integer."""
    kinds = {p.name: p for p in overload}
    for key, value in given.items():
        p = kinds.get(key)
        if p is None and places is not None and places[key] < len(overload):
            p = overload[places[key]]
        if p is None or p.kind != "i":
            continue
        if not isinstance(value, tuple | list):
            if _is_long(value):
                raise ValueError("Overflow when unpacking long long") from None
            continue
        for at, element in enumerate(value, 1):
            if _is_long(element):
                wrong = "Overflow when unpacking long long"
            elif not _counts(element):
                wrong = f'type must be {p.words()},but got {type_name(element)}"'
            else:
                continue
            raise TypeError(
                f"{name}(): argument '{p.name}' failed to unpack the object at pos {at} with error \"{wrong}"
            ) from None


def _counts(value):
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def _is_long(value):
    return isinstance(value, int) and not -(2**63) <= value < 2**63
