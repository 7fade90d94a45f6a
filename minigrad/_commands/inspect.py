"""``python -m minigrad inspect``: what is in a checkpoint, as a table or as JSON."""

import argparse
import json
from pickle import UnpicklingError
from typing import Any

from .._serialization import contents
from . import texts

#: How many of the values that are no tensors the table shows by default.
FEW = 20


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m minigrad inspect",
        description="List the tensors and other values in a checkpoint (PyTorch's .pt, safetensors, .npz). Nothing in the file is run, no class in it is imported, "
        "and the tensors' bytes are not read.",
    )
    parser.add_argument("file", help="the checkpoint; its format is told from how it begins")
    parser.add_argument("--json", action="store_true", help="print JSON, with all values")
    parser.add_argument(
        "--all", action="store_true", help=f"show all values that are no tensors, not only the first {FEW}"
    )
    return parser


def main(arguments: list[str]) -> int:
    """Print what the file holds; returns 1 if it cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        found = contents.read(options.file)
    except OSError as error:
        return texts.fail("inspect", f"can't open {options.file}: {error.strerror}")
    except (UnpicklingError, RuntimeError, ValueError, EOFError) as error:
        return texts.fail("inspect", f"can't read {options.file}: {error}")
    print(json.dumps(_as_json(options.file, found), indent=1) if options.json else _as_text(options, found))
    return 0


def _as_json(path: str, found: contents.Contents) -> dict[str, Any]:
    names = ("name", "shape", "dtype", "bytes", "memory")
    return {
        "file": path,
        "format": found.format,
        "data_bytes": found.data_bytes,
        "tensors": [dict(zip(names, tensor)) for tensor in found.tensors],
        "values": [dict(zip(("name", "type", "value"), value)) for value in found.values],
        "refused_by_load": found.names,
        "metadata": found.metadata,
    }


def _as_text(options, found):
    count = len(found.tensors)
    parts = [
        f"{options.file}: {found.format}, {count} tensor{'s' * (count != 1)}, {texts.size(found.data_bytes)}"
    ]
    if found.tensors:
        parts.append(_tensors(found.tensors))
    if found.values:
        shown = found.values if options.all else found.values[:FEW]
        rows = [(name or "(the whole)", kind, value) for name, kind, value in shown]
        more = len(found.values) - len(shown)
        parts.append(
            texts.table(("Other values", "Type", "Value"), rows)
            + (f"\n... and {more} more (--all shows them)" if more else "")
        )
    if found.metadata:
        parts.append(
            texts.table(("Metadata", "Text"), [(key, str(text)) for key, text in found.metadata.items()])
        )
    if found.names:
        parts.append(
            "Names in the file that load() refuses unless they are allowed (`serialization.add_safe_globals`, or `weights_only=False`):\n"
            + "\n".join(f"  {texts.printable(name)}" for name in found.names)
        )
    return "\n\n".join(parts)


def _tensors(tensors):
    first: dict[str, str] = {}
    rows = []
    for name, shape, dtype, size, memory in tensors:
        owner = first.setdefault(memory, name) if memory else name
        note = f"shares memory with {owner}" if owner != name else "" if memory else "has no values"
        rows.append((name or "(the whole)", str(list(shape)), dtype, texts.size(size), note))
    return texts.table(("Tensor", "Shape", "Dtype", "Size", ""), rows, right=(3,))
