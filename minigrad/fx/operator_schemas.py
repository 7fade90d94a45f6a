"""Arguments of calls brought into the order of a signature: ``normalize_function``, ``normalize_module``."""

import inspect
import types
import typing
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import nn
from .._base.dtypes import dtype
from ..nn import Module
from . import _targets

__all__ = [
    "ArgsKwargsPair",
    "check_for_mutable_operation",
    "create_type_hint",
    "get_signature_for_torch_op",
    "normalize_function",
    "normalize_module",
    "type_matches",
]


class ArgsKwargsPair(NamedTuple):
    """The arguments of a call: ``args`` and ``kwargs``."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def check_for_mutable_operation(
    target: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Raise RuntimeError if a call of one of minigrad's functions writes to its arguments, by ``out=`` or because it works in place.

    >>> import minigrad
    >>> minigrad.fx.operator_schemas.check_for_mutable_operation(minigrad.relu_, (1,), {})
    Traceback (most recent call last):
    ...
    RuntimeError: Tried to trace mutable operation torch.relu_. FX only supports functional code, so operations that mutate operands in-place (e.g. via `out` arguments) are not supported
    """
    if not _targets.is_own(target):
        return
    name = _targets.name_of(target)
    if kwargs.get("out") is not None or (name.endswith("_") and not name.endswith("__")):
        raise RuntimeError(
            f"Tried to trace mutable operation {_targets.printed_name(target)}. FX only supports functional code, so operations that "
            "mutate operands in-place (e.g. via `out` arguments) are not supported"
        )


def get_signature_for_torch_op(op: Callable[..., Any], return_schemas: bool = False) -> Any:
    """Return a list of the signatures of a function, or None if it has none.

    There are no schemas: with ``return_schemas`` the second result is None.

    >>> import minigrad
    >>> minigrad.fx.operator_schemas.get_signature_for_torch_op(minigrad.cat)[0].parameters.keys() >= {"dim"}
    True
    """
    try:
        signatures = [inspect.signature(inspect.unwrap(getattr(op, "op", op)))]
    except (TypeError, ValueError):
        signatures = None
    return (signatures, None) if return_schemas else signatures


def create_type_hint(x: object) -> object:
    """Return a common list or tuple type for a list or tuple of types: of the one that includes the others, or ``Any``.

    Anything else is returned unchanged.

    >>> import minigrad
    >>> minigrad.fx.operator_schemas.create_type_hint([int, bool])
    list[int]
    """
    if not isinstance(x, (list, tuple)):
        return x
    base = Any if not x else x[0]
    try:
        for kind in x:
            if issubclass(base, kind):
                base = kind
            elif not issubclass(kind, base):
                base = Any
                break
    except TypeError:
        warnings.warn(f"We were not able to successfully create type hint from the type {x}", stacklevel=2)
        return x
    return list[base] if isinstance(x, list) else tuple[base, ...]  # type: ignore[valid-type]


def type_matches(signature_type: Any, argument_type: Any) -> bool:
    """Return whether an argument of one type can be passed where a signature has another.

    >>> import minigrad
    >>> from typing import Union
    >>> minigrad.fx.operator_schemas.type_matches(Union[int, float], int)
    True
    """
    if signature_type is argument_type:
        return True
    origin = typing.get_origin(signature_type)
    if origin in (typing.Union, types.UnionType):
        return any(type_matches(kind, argument_type) for kind in typing.get_args(signature_type))
    if origin is list:
        (element,) = typing.get_args(signature_type)
        if argument_type is int and element is int:
            return True
        if typing.get_origin(argument_type) in (list, tuple):
            return all(
                kind is ...
                or (inspect.isclass(kind) and inspect.isclass(element) and issubclass(kind, element))
                for kind in typing.get_args(argument_type)
            )
        return False
    if signature_type is int and argument_type is dtype:
        return True
    return (
        inspect.isclass(argument_type)
        and inspect.isclass(signature_type)
        and issubclass(argument_type, signature_type)
    )


def _normalized(signature, args, kwargs, only_kwargs):
    """Arguments with defaults in the order of a signature; None if it has positional-only or variadic parameters."""
    ordinary = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if any(parameter.kind not in ordinary for parameter in signature.parameters.values()):
        return None
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    values = list(bound.arguments.items())
    count = 0 if only_kwargs else len(args)
    return ArgsKwargsPair(tuple(value for _, value in values[:count]), dict(values[count:]))


def normalize_function(
    target: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    arg_types: tuple[Any] | None = None,
    kwarg_types: dict[str, Any] | None = None,
    normalize_to_only_use_kwargs: bool = False,
) -> Any:
    """Return the arguments of a call in the order of the function's signature, with defaults; None if it has none, or one with variadic
    parameters.

    ``arg_types`` and ``kwarg_types`` choose between overloads in PyTorch; here each function has one signature.

    >>> import minigrad
    >>> normalized = minigrad.fx.operator_schemas.normalize_function(minigrad.nn.functional.relu, (1,))
    >>> normalized.args, normalized.kwargs
    ((1,), {'inplace': False})
    """
    signatures = get_signature_for_torch_op(target)
    if not signatures:
        return None
    return _normalized(signatures[0], args, kwargs or {}, normalize_to_only_use_kwargs)


def normalize_module(
    root: Module,
    target: str,
    args: tuple[Any],
    kwargs: dict[str, Any] | None = None,
    normalize_to_only_use_kwargs: bool = False,
) -> Any:
    """Return the arguments of a call of a submodule of ``root``, in the order of its ``forward``; None unless it is a class of ``nn``.

    >>> import minigrad
    >>> root = minigrad.nn.Sequential(minigrad.nn.ReLU())
    >>> minigrad.fx.operator_schemas.normalize_module(root, "0", (1,), normalize_to_only_use_kwargs=True).kwargs
    {'input': 1}
    """
    try:
        module = root.get_submodule(target)
    except AttributeError as error:
        raise RuntimeError(
            f"Tried to normalize node with target {target} but root did not have that target!"
        ) from error
    if getattr(nn, type(module).__name__, None) is not type(module):
        return None
    signature = inspect.signature(inspect.unwrap(module.forward))
    return _normalized(signature, args, kwargs or {}, normalize_to_only_use_kwargs)
