"""What operators of ``ops`` say of their arguments: ``ops.aten.mul.Tensor._schema``.

Those of ``aten`` stand in a file, which ``tests/generate/aten_schemas.py`` writes and which is read when the first schema is asked for.  Of others, the
names and defaults are read from the signature of the function that is called.
"""

import functools
import inspect
import os
import re

from ._library.schema import Argument, FunctionSchema, parse_schema


def schema_of(overload):
    """The schema of an ``OpOverload``."""
    name, overload_name = overload._opname, overload._overloadname
    full = name if overload_name == "default" else f"{name}.{overload_name}"
    short = _listed().get(full) if overload._namespace == "aten" else None
    if short is None:
        return _of_signature(overload)
    return parse_schema(f"aten::{full}{complete(name, overload._outs, short)}")


@functools.cache
def _listed():
    """Overload -> what the file says of it."""
    path = os.path.join(os.path.dirname(__file__), "_base", "aten_schemas.txt")
    lines = __spec__.loader.get_data(path).decode().splitlines()
    return {
        full: text for text, _, names in (line.rpartition(": ") for line in lines) for full in names.split()
    }


def complete(name, outs, short):
    """Arguments and results as PyTorch writes them, of an operator that writes to the tensors ``outs``; a text with an arrow and writes is complete.

    >>> from minigrad._schemas import complete
    >>> complete("neg_", (), "(Tensor self)")
    '(Tensor(a!) self) -> Tensor(a!)'
    >>> complete("neg", ("out",), "(Tensor self)")
    '(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    """
    if "!" in short:
        return short
    arguments, _, returns = short.partition(" -> ")
    if outs:
        many = "[]" if returns == "()" else ""
        letters = "abcdefghijklmnopqrstuvwxyz"
        tensors = [f"Tensor({letter}!){many} {out}" for letter, out in zip(letters, outs)]
        results = ", ".join(f"Tensor({letter}!)" for letter, _ in zip(letters, outs))
        returns = returns or (f"({results})" if len(outs) > 1 else results)
        star = [] if re.search(r"\*, ", arguments) else ["*"]
        arguments = f"({', '.join([*filter(None, [arguments[1:-1]]), *star, *tensors])})"
    elif name[-1] == "_" and name[-2:] != "__":
        arguments = arguments.replace("Tensor", "Tensor(a!)", 1)
        returns = returns or "Tensor(a!)"
    return f"{arguments} -> {returns or 'Tensor'}"


def _of_signature(overload):
    """The schema of an operator that PyTorch does not have: its types are not told."""
    alias = "a!" if overload._opname[-1] == "_" and overload._opname[-2:] != "__" else ""
    arguments = []
    for each in inspect.signature(overload.op).parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) or each.name == "out":
            continue
        given = each.default is not each.empty
        default = each.default if given else None
        first = not arguments
        name = "self" if first and each.name == "input" else each.name
        arguments.append(
            Argument(name, "Any", "", default, given, each.kind is each.KEYWORD_ONLY, alias if first else "")
        )
    name = "" if overload._overloadname == "default" else overload._overloadname
    returns = (Argument("", "Any", alias=alias),)
    return FunctionSchema(overload._overloadpacket._qualified_op_name, name, tuple(arguments), returns)
