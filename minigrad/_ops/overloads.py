"""Functions of which PyTorch has several forms that call one parameter differently: by keyword it may have any of these names."""

from .._base.errors import type_name
from .._core.tensor import Tensor

__all__: list[str] = []

#: What the names may stand for.
_TYPES = {"indices": (list, tuple), "sections": int, "tensor_indices_or_sections": Tensor}


def one_of(function, forms, positional, **named):
    """The one value that is not None: given by position, or under one of the names.

    Raises TypeError with the ``forms`` that there are if there is none, several, or one of the wrong type for its name: a list by the name
    of a number.
    """
    given = {name: value for name, value in named.items() if value is not None}
    if positional is not None and not given:
        return positional
    if positional is None and len(given) == 1:
        ((name, value),) = given.items()
        if isinstance(value, _TYPES.get(name, object)) or (name == "sections" and hasattr(value, "__index__")):
            return value
    raise refused(function, forms, positional, **given)


def refused(function, forms, *positional, **named):
    """PyTorch's TypeError for arguments that fit none of the forms."""
    got = [type_name(value) for value in positional if value is not None]
    got += [f"{name}={type_name(value)}" for name, value in named.items()]
    listed = "".join(f" * {form}\n" for form in forms)
    return TypeError(f"{function}() received an invalid combination of arguments - got ({', '.join(got)}), but expected one of:\n{listed}")
