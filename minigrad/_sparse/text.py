"""The text of a sparse tensor, PyTorch's to the character: its indices, its values, and what is to be said of both."""

import numpy as np

from .._arrays.unresolved import resolved
from .._base import dtypes
from .._base.device import sparse_bsr, sparse_csr
from .._core.tensor import is_blank
from .._display.tensor_text import PRINT_OPTS, entries_text
from .arrays import Coo


def describe(tensor):
    """The text of a sparse tensor."""
    array = tensor._array
    prefix = "tensor("
    indent = len(prefix)
    if array.__class__ is Coo:
        parts = {"indices": array.indices}
    else:
        names = (
            ("crow_indices", "col_indices")
            if array.layout in (sparse_csr, sparse_bsr)
            else ("ccol_indices", "row_indices")
        )
        parts = dict(zip(names, (array.bounds, array.along)))
    if array.is_meta:
        parts["values"] = array.values
    else:
        values = resolved(array.values)
        parts["values"] = values.astype(np.float32) if tensor.dtype is dtypes.bfloat16 else values
    text = prefix + (",\n" + " " * indent).join([_part(name, part, indent) for name, part in parts.items()])
    notes = [f"size={array.shape}"]
    notes = ["device='meta'", *notes] if array.is_meta else [*notes, f"nnz={array.nnz}"]
    default = dtypes.get_default_dtype()
    unspoken = (default.name, "complex128" if default.name == "float64" else "complex64", "int64", "bool")
    if tensor.dtype.name not in unspoken:
        notes.append(f"dtype={tensor.dtype}")
    notes.append(f"layout={array.layout}")
    if tensor.grad_fn is not None:
        notes.append(f"grad_fn=<{type(tensor.grad_fn).__name__}>")
    elif tensor.requires_grad:
        notes.append("requires_grad=True")
    return _with_notes(text, notes, indent, array.__class__ is Coo)


def _part(name, part, indent):
    if is_blank(part):
        return f"{name}=tensor(..., size={part.shape})"
    text = f"{name}=tensor({entries_text(part, indent + len(name) + 8)}"
    return text + (f", size={part.shape})" if not part.size else ")")


def _with_notes(text, notes, indent, on_new_line):
    used = len(text.rpartition("\n")[2]) + 2  # PyTorch counts two characters too many on that line
    for note in notes:
        if on_new_line or used + 2 + len(note) > PRINT_OPTS.linewidth:
            text += ",\n" + " " * indent + note
            used = indent + len(note)
            on_new_line = False
        else:
            text += ", " + note
            used += 2 + len(note)
    return text + ")"
