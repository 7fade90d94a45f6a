"""Writes the overloads that PyTorch's operators ``aten`` have, and the names of what those that write to tensors write to.

python -m tests.generate.aten_overloads

Needs PyTorch.  A line of ``minigrad/_base/aten_overloads.txt`` has overloads, and after the colon the operators that have these.
"""

from pathlib import Path

import torch

FILE = Path(__file__).parents[2] / "minigrad/_base/aten_overloads.txt"


def overloads():
    """Operator -> its overloads as text, in PyTorch's order, without TorchScript's own on strings, lists and Python numbers."""
    known, found = set(torch._C._dispatch_get_all_op_names()), {}
    names = {schema.name for schema in torch._C._jit_get_all_schemas()}
    for name in sorted(name.removeprefix("aten::") for name in names if name[:6] == "aten::"):
        packet = getattr(torch.ops.aten, name)
        each = [getattr(packet, overload) for overload in packet.overloads()]
        texts = [text(overload) for overload in each if overload.name() in known or takes_tensor(overload)]
        if texts:
            found[name] = " ".join(texts)
    return found


def takes_tensor(overload):
    """Whether the first argument is a tensor: so it is with what TorchScript asks of one, ``size`` for example."""
    arguments = overload._schema.arguments
    return bool(arguments) and str(arguments[0].type) == "Tensor"


def text(overload):
    """``Tensor``, or ``out>values,indices`` for one that writes to tensors given by these names."""
    outs = [each.name for each in overload._schema.arguments if each.is_out]
    return f"{overload._overloadname}>{','.join(outs)}" if outs else overload._overloadname


def file_text():
    """The text of the file."""
    names = {}
    for name, each in overloads().items():
        names.setdefault(each, []).append(name)
    return "".join(f"{each}: {' '.join(operators)}\n" for each, operators in sorted(names.items()))


if __name__ == "__main__":
    FILE.write_text(file_text(), encoding="utf-8")
