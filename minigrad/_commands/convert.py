"""``python -m minigrad convert``: the tensors of one file in another format: ``.pt``, ``.safetensors`` or ``.npz``."""

import argparse
import os
import sys
import zipfile
from pickle import UnpicklingError
from typing import Any

import numpy as np

from .. import serialization
from .._base import dtypes
from .._base.replacing import replacing
from .._core.tensor import Tensor
from .._ops.from_data import from_numpy
from .._serialization import safetensors
from .._serialization.contents import entries
from . import texts

#: What files are called, and the format that this means.
ENDINGS = {
    ".pt": "pt",
    ".pth": "pt",
    ".bin": "pt",
    ".ckpt": "pt",
    ".safetensors": "safetensors",
    ".npz": "npz",
}
#: The dtypes that ``--dtype`` takes.
FLOATING = ("float16", "bfloat16", "float32", "float64")


class Refused(Exception):
    """Something in the source that the target cannot have."""


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m minigrad convert",
        description="Write the tensors in SOURCE to TARGET. The formats are told from the endings: .pt (also .pth, .bin, .ckpt), .safetensors, .npz. "
        "Names of nested containers are joined by dots. A .pt file is read as by load(weights_only=True): no code in it is run.",
    )
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument(
        "--key", metavar="NAME", help="take only what the source has under this name, such as model"
    )
    parser.add_argument(
        "--tensors-only",
        action="store_true",
        help="leave out what is no tensor, instead of refusing the file",
    )
    parser.add_argument("--dtype", choices=FLOATING, help="convert all floating-point tensors to this dtype")
    parser.add_argument("--force", action="store_true", help="replace the target if it is there")
    return parser


def main(arguments: list[str]) -> int:
    """Convert; returns 1 if the source cannot be read, or the target not hold what is in it."""
    parser = _parser()
    options = parser.parse_args(arguments)
    source, target = (_format(path, parser) for path in (options.source, options.target))
    if source == target:
        parser.error(f"both files are {source} files")
    if os.path.exists(options.target) and not options.force:
        return texts.fail("convert", f"{options.target} is there: --force replaces it")
    try:
        tensors = _prepare(_chosen(_READ[source](options), options), options)
        _WRITE[target](options.target, tensors)
    except OSError as error:
        return texts.fail("convert", f"{error.filename or options.source}: {error.strerror or error}")
    except (Refused, UnpicklingError, RuntimeError, ValueError, TypeError, EOFError, ImportError) as error:
        return texts.fail("convert", error)
    print(f"{options.target}: {len(tensors)} tensors, {texts.size(os.path.getsize(options.target))}")
    return 0


def _format(path, parser):
    kind = ENDINGS.get(os.path.splitext(path)[1].lower())
    return parser.error(f"the ending of {path} is none of {', '.join(ENDINGS)}") if kind is None else kind


# Reading


def _read_pt(options):
    return serialization.load(options.source, map_location="cpu", weights_only=True)


def _read_safetensors(options):
    return safetensors.load(options.source, "cpu")


def _read_npz(options):
    found: dict[str, Any] = {}
    with np.load(options.source, allow_pickle=False) as file:
        for name in file.files:
            try:
                found[name] = _as_tensor(file[name])
            except (TypeError, ValueError) as error:  # strings, structures, Python's objects
                if not options.tensors_only:
                    raise Refused(
                        f"array {name} can't be a tensor: {error}\n--tensors-only leaves them out"
                    ) from error
                found[name] = None
    return found


def _as_tensor(array):
    return from_numpy(np.ascontiguousarray(array, array.dtype.newbyteorder("=")).reshape(array.shape))


_READ = {"pt": _read_pt, "safetensors": _read_safetensors, "npz": _read_npz}


def _chosen(root, options):
    """The tensors in what was read, by name."""
    if options.key is not None:
        for part in (
            [options.key] if isinstance(root, dict) and options.key in root else options.key.split(".")
        ):
            if not isinstance(root, dict) or part not in root:
                raise Refused(f"there is no {options.key!r} in {options.source}")
            root = root[part]
    found, others = {}, []
    for name, value in entries(root):
        name = name or "tensor"
        if not isinstance(value, Tensor):
            others.append(name)
        elif name in found:
            raise Refused(f"two tensors would be called {name!r}")
        else:
            found[name] = value
    if others and not options.tensors_only:
        shown = ", ".join(map(texts.printable, others[:5])) + ", ..." * (len(others) > 5)
        raise Refused(
            f"{len(others)} entries of {options.source} are not tensors: {shown}\n--tensors-only leaves them out, --key NAME takes one part of the file"
        )
    return found


# Preparing


def _prepare(tensors, options):
    """The tensors with memory of their own, contiguous, of the dtype that is wanted."""
    wanted: Any = dtypes.PUBLIC.get(options.dtype)
    found, owners = {}, {}
    for name, tensor in tensors.items():
        if tensor.device.type != "cpu":
            raise Refused(f"tensor {name} is on the device {tensor.device} and has no values")
        owner = owners.setdefault(tensor.untyped_storage().data_ptr(), name) if tensor.numel() else name
        if owner != name:
            print(f"{name} shares memory with {owner}: each gets a copy of its own", file=sys.stderr)
        tensor = tensor.detach()
        if wanted is not None and tensor.is_floating_point():
            tensor = tensor.to(wanted)
        found[name] = tensor.resolve_conj().resolve_neg().contiguous().clone()
    return found


# Writing


def _write_pt(path, tensors):
    serialization.save(tensors, path)


def _write_safetensors(path, tensors):
    with replacing(path) as file:
        safetensors.save(file, tensors, {"format": "pt"})


def _write_npz(path, tensors):
    for name, tensor in tensors.items():
        if tensor.dtype.np.isbuiltin != 1:
            raise Refused(
                f"tensor {name} is of dtype {tensor.dtype}, which NumPy's files do not have: --dtype float32 converts it"
            )
    with replacing(path) as file, zipfile.ZipFile(file, "w", allowZip64=True) as archive:
        for name, tensor in tensors.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, tensor.numpy(), allow_pickle=False)


_WRITE = {"pt": _write_pt, "safetensors": _write_safetensors, "npz": _write_npz}
