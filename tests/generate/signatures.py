"""Writes the parameters of PyTorch's operators, in short: ``minigrad/_base/signatures.txt``, by which failed calls are explained.

python -m tests.generate.signatures

They are taken from PyTorch's own schemas: run this with a PyTorch of the version that minigrad follows.
"""

import re
from collections import defaultdict
from pathlib import Path

FILE = Path(__file__).parents[2] / "minigrad/_base/signatures.txt"
KINDS = {
    "Tensor": "T", "number": "N", "int": "i", "float": "f", "bool": "b", "str": "s", "ScalarType": "D", "Layout": "L", "MemoryFormat": "M",
    "Device": "d", "Generator": "G", "complex": "c",
}  # fmt: skip
HEAD = "# PyTorch {version}: its operators and their overloads; written by `python -m tests.generate.signatures`.\n"


def short(parameter):
    """A parameter in short, such as ``dim:i[1]?=``; None if it is of a kind that Python's callers do not meet."""
    kind = parameter.kind
    optional = kind.startswith("Optional[")
    kind = kind[9:-1] if optional else kind
    is_list = kind.startswith("List[")
    kind = kind[5:-1] if is_list else kind
    if kind.startswith("Optional["):
        optional, kind = True, kind[9:-1]
    if kind not in KINDS:
        return None
    length = f"[{parameter.length or ''}]" if is_list else ""
    name = "input" if parameter.name == "self" else parameter.name
    return f"{name}:{KINDS[kind]}{length}{'?' * optional}{'=' * parameter.optional}"


def in_short(overload):
    """An overload in short: positional parameters, a star, the others."""
    words = [(short(p), p.by_name) for p in overload if not p.is_out]
    if any(word is None for word, _ in words):
        return None
    first = [word for word, by_name in words if not by_name]
    last = [word for word, by_name in words if by_name]
    return first, last


#: Functions of which a form is not among the schemas that are read: ``normal(mean, std, size)``, ``nonzero(as_tuple=True)``.
INCOMPLETE = {"nonzero", "normal"}


def lines():
    """The lines of the file."""
    import torch

    from tests.parity.signatures import PLACES, of_schemas, within

    schemas = defaultdict(list)
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.startswith("aten::"):
            schemas[schema.name[6:]].append(schema)
    wanted = {}  # name in the table -> that of the schema
    for place, prefix in PLACES.items():
        for name in dir(within(torch, place)):
            if not name.startswith("_") and not hasattr(getattr(within(torch, place), name), "__code__"):
                wanted["F." * place.endswith("functional") + prefix + name] = prefix + name
    yield HEAD.format(version=re.match(r"[\d.]+", torch.__version__).group())
    for name, schema in sorted(wanted.items()):
        if name in INCOMPLETE:
            continue
        found = {}  # positional and named parameters -> how many are written into
        for overload in of_schemas(schemas[schema]):
            words = in_short(overload)
            if words is not None:
                outs = sum(p.is_out for p in overload)
                options = [
                    w
                    for w in words[1]
                    if w.partition(":")[0] in ("layout", "device", "pin_memory", "memory_format")
                ]
                key = " ".join(words[0]), " ".join(w for w in words[1] if w not in options)
                known = found.setdefault(key, [0, []])
                known[0] = max(known[0], outs)
                known[1] = known[1] or options
        texts = []
        for (first, last), (outs, options) in found.items():
            last = " ".join(filter(None, [last, *options, ["", "out:T?=", "out:T[]?="][min(outs, 2)]]))
            texts.append(" ".join(filter(None, [first, "*" * bool(last), last])))
        if any(texts):
            yield f"{name} {' | '.join(texts)}\n"


if __name__ == "__main__":
    FILE.write_text("".join(lines()), encoding="ascii")
