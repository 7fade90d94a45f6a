"""Arguments of a call, sorted and checked by the operator's schema."""

import inspect
import numbers

from .. import _api
from .._api import Tensor

_NAMES = {"SymInt": "int", "ScalarType": "int", "Scalar": "number"}


def _is_int(value):
    return (isinstance(value, numbers.Integral) and not isinstance(value, bool)) or _is_one(
        value, integral=True
    )


def _is_one(value, integral=False):
    """Whether a value is a tensor of one number."""
    if not isinstance(value, Tensor) or value.numel() != 1:
        return False
    return not integral or not (value.is_floating_point() or value.is_complex())


_CHECKS = {
    "Tensor": lambda value: isinstance(value, Tensor),
    "int": _is_int,
    "SymInt": _is_int,
    "float": lambda value: isinstance(value, numbers.Real) or _is_one(value),
    "bool": lambda value: isinstance(value, bool) or type(value).__name__ == "bool_",
    "str": lambda value: isinstance(value, str),
    "Scalar": lambda value: isinstance(value, numbers.Number) or _is_one(value),
    "ScalarType": lambda value: isinstance(value, _api.dtype),
    "Device": lambda value: isinstance(value, (str, _api.device)),
}


def bind(schema, args, kwargs):
    """The arguments by their places, and those by keyword only, with defaults; RuntimeError for what the schema does not allow."""
    positional = [argument for argument in schema.arguments if not argument.kwarg_only]
    if len(args) > len(positional):
        raise RuntimeError(
            f"{schema.name}() expected at most {len(schema.arguments)} argument(s) but received {len(args)} argument(s). Declaration: {schema}"
        )
    rest = dict(kwargs)
    bound, named = [], {}
    for place, argument in enumerate(schema.arguments):
        if place < len(args):
            value = args[place]
        elif argument.name in rest:
            value = rest.pop(argument.name)
        elif argument.has_default:
            value = default_of(argument)
        else:
            raise RuntimeError(
                f"{schema.name}() is missing value for argument '{argument.name}'. Declaration: {schema}"
            )
        value = _checked(schema, place, argument, value)
        if argument.kwarg_only:
            named[argument.name] = value
        else:
            bound.append(value)
    if rest:
        raise RuntimeError(
            f"Unknown keyword argument '{next(iter(rest))}' for operator '{schema.name}'. Schema: {schema}"
        )
    return bound, named


def accepting(function, schema):
    """The function of a program, for calls with all arguments: of those at the end that have their defaults it is given no more than it takes.

    PyTorch leaves them out of a call, so there are functions without them.
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of what is written in C
        return function
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return function
    most = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    positional = [argument for argument in schema.arguments if not argument.kwarg_only]
    if most >= len(positional) or not all(argument.has_default for argument in positional[most:]):
        return function

    def call(*args, **kwargs):
        rest = zip(args[most:], positional[most:])
        return function(*(args[:most] if all(_is_default(*each) for each in rest) else args), **kwargs)

    return call


def _is_default(value, argument):
    default = default_of(argument)
    return value is default or (not isinstance(value, Tensor) and value == default)


def default_of(argument):
    """The default of an argument as a value: the dtype that a name stands for."""
    value = argument.default_value
    if argument.kind == "ScalarType" and isinstance(value, str):
        return getattr(_api._dtypes, "bool_" if value == "bool" else value)
    if argument.kind == "Device" and isinstance(value, str):
        return _api.device(value)
    return value


def _checked(schema, place, argument, value):
    if value is None and (argument.optional or (argument.has_default and argument.default_value is None)):
        return None
    check = _CHECKS.get(argument.kind)
    if argument.is_list:
        if isinstance(value, (list, tuple, _api.Size)) and all(
            (check is None or check(element)) or (element is None and argument.form.startswith("?"))
            for element in value
        ):
            return list(value)
        if "[" in argument.form and argument.form[1:2].isdigit() and check(value):
            return [value] * int(argument.form[1 : argument.form.index("]")])
    elif check is None or check(value):
        return _converted(argument, value)
    name = _NAMES.get(argument.kind, argument.kind)
    expected = f"List[{name}]" if argument.is_list else name
    raise RuntimeError(
        f"{schema.name}() Expected a value of type '{f'Optional[{expected}]' if argument.optional else expected}' for argument "
        f"'{argument.name}' but instead found type '{type(value).__name__}'.\nPosition: {place}\nValue: {value!r}\nDeclaration: {schema}"
    )


def _converted(argument, value):
    """The value as a kernel gets it: numbers of Python."""
    if argument.kind == "Device":
        return _api.device(value)
    if argument.kind in ("int", "SymInt", "float", "Scalar"):
        if isinstance(value, Tensor):
            value = value.item()
        if argument.kind == "float":
            return float(value)
        return int(value) if argument.kind != "Scalar" else value
    return value
