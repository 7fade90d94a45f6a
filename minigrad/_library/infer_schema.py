"""The schema of a Python function, from its annotations."""

import collections.abc
import inspect
import typing
from collections.abc import Callable
from types import UnionType
from typing import Any

from .. import _api
from .._api import Tensor, _lazy
from ..types import Number

_DTYPE, _DEVICE = _api.dtype, _api.device
#: Annotation -> (type in schemas, may be in a list, may be None in a list, a list may be None).
_PARAMETERS = {
    Tensor: ("Tensor", True, True, False),
    int: ("SymInt", True, False, True),
    float: ("float", True, False, True),
    bool: ("bool", True, False, True),
    str: ("str", False, False, False),
    _DTYPE: ("ScalarType", False, False, False),
    _DEVICE: ("Device", False, False, False),
}
_RETURNS = {Tensor: "Tensor", int: "SymInt", float: "float", bool: "bool"}
_NAMES = "Tensor, int, float, bool, str, torch.dtype, torch.device, torch.types.Number, lists and Optionals of some of these"


def infer_schema(
    prototype_function: Callable[..., Any],
    /,
    *,
    mutates_args: Any,
    op_name: str | None = None,
    tags: Any = (),
) -> str:
    """Derive the schema of a function from its annotations, such as ``(Tensor x, float y=2.0) -> Tensor``; it begins with ``op_name`` if given.

    ``mutates_args`` names the arguments that the function writes to, or is "unknown": perhaps all. Parameters are tensors, numbers,
    strings, dtypes, devices, and lists and Optionals of some of them; results are tensors, lists of tensors, numbers, tuples of those, or
    None. Raises ValueError for other annotations.

    >>> import minigrad
    >>> from minigrad import Tensor
    >>> def scale(x: Tensor, factor: float = 2.0, *, n: int | None = None) -> tuple[Tensor, Tensor]: ...
    >>> minigrad.library.infer_schema(scale, mutates_args=["x"])
    '(Tensor(a0!) x, float factor=2.0, *, SymInt? n=None) -> (Tensor, Tensor)'
    """
    signature = inspect.signature(prototype_function)

    def fail(what):
        raise ValueError(f"infer_schema(func): {what} Got func with signature {signature})")

    if isinstance(mutates_args, str):
        if mutates_args != "unknown":
            raise ValueError(
                "mutates_args must either be a sequence of the names of the arguments that are mutated or the string 'unknown'. "
            )
        mutated = None
    else:
        mutated = set(mutates_args)
    said, starred = [], False
    for place, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            fail("We do not support positional-only args, varargs, or varkwargs.")
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            said.append("*")
            starred = True
        if parameter.annotation is parameter.empty:
            fail(f"Parameter {name} must have a type annotation.")
        kind = _parameter_type(
            _resolve(parameter.annotation, prototype_function, fail), name, parameter, fail
        )
        if (mutated is None and kind.startswith("Tensor")) or (mutated is not None and name in mutated):
            if not kind.startswith("Tensor"):
                fail(
                    f"Parameter {name} is in mutable_args but only Tensors or collections of Tensors can be mutated"
                )
            kind = f"Tensor(a{place}!){kind[6:]}"
        default = (
            "" if parameter.default is parameter.empty else f"={_default(name, parameter.default, fail)}"
        )
        said.append(f"{kind} {name}{default}")
    unseen = (mutated or set()) - signature.parameters.keys()
    if unseen:
        fail(
            f"{unseen} in mutates_args were not found in the custom op's signature. mutates_args should contain the names of "
            "all args that the custom op mutates, or just the string 'unknown' if you don't know."
        )
    if signature.return_annotation is signature.empty:
        fail("No return type annotation was provided. Please add one.")
    returned = _return_type(_resolve(signature.return_annotation, prototype_function, fail), fail)
    return f"{op_name or ''}({', '.join(said)}) -> {returned}"


def _resolve(annotation, function, fail):
    """The annotation that a string stands for."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, getattr(function, "__globals__", {}))
    except Exception as error:
        return fail(
            f"Unsupported type annotation {annotation}. It is not a type. ({error}). "
            "With 'from __future__ import annotations', what they name has to be there at the top of the module."
        )


def _parts(annotation):
    """(annotation without None, whether None may stand for it)."""
    if typing.get_origin(annotation) in (typing.Union, UnionType) and annotation != Number:
        rest = [part for part in typing.get_args(annotation) if part is not type(None)]
        if len(rest) == 1:
            return rest[0], True
        if set(rest) == set(typing.get_args(Number)):
            return Number, True
    return annotation, False


def _base(annotation):
    if annotation == Number:
        return "Scalar", True, False, False
    try:
        return _PARAMETERS.get(annotation)
    except TypeError:  # what has no hash
        return None


def _parameter_type(annotation, name, parameter, fail):
    inner, optional = _parts(annotation)
    base = _base(inner)
    if base is not None:
        return f"{base[0]}?" if optional else base[0]
    origin = typing.get_origin(inner)
    if origin in (list, collections.abc.Sequence):
        element, missing = _parts(*typing.get_args(inner))
        base = _base(element)
        if base is not None and base[1] and (base[2] or not missing) and (base[3] or not optional):
            return f"{base[0]}{'?' * missing}[]{'?' * optional}"
    advice = ""
    if origin is tuple:
        advice = " We do not support Tuple inputs in schema. As a workaround, please try to use List instead."
    return fail(
        f"Parameter {name} has unsupported type {parameter.annotation}.{advice} The valid types are: {_NAMES}."
    )


def _default(name, value, fail):
    if value is None or isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, (str, _DEVICE)):
        return f'"{value}"'
    if isinstance(value, _DTYPE):
        return str(value).removeprefix("torch.")
    return fail(
        f"Parameter {name} has an unsupported default value type {type(value)}. None, numbers, strings, dtypes and devices are supported."
    )


def _return_type(annotation, fail):
    def one(part):
        if part == list[Tensor] or part == typing.List[Tensor]:  # noqa: UP006
            return "Tensor[]"
        if part == Number:
            return "Scalar"
        found = _RETURNS.get(part) if isinstance(part, type) else None
        return found or fail(
            f"Return has unsupported type {annotation}. The valid types are: Tensor, list[Tensor], int, float, bool, Number."
        )

    if annotation is None:
        return "()"
    if typing.get_origin(annotation) is not tuple:
        return one(annotation)
    parts = [one(part) for part in typing.get_args(annotation)]
    return f"(({parts[0]}))" if len(parts) == 1 else f"({', '.join(parts)})"


_lazy.publish("minigrad.library", infer_schema)
