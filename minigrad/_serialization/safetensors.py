"""Files that end in ``.safetensors``: the length of a header, a JSON header, and the tensors' bytes."""

import io
import itertools
import json
import math
import sys

from .. import _utils
from .._arrays.memory_layout import contiguous_strides
from .._base import dtypes
from .._base.device import device
from .._ops.storage_classes import TypedStorage, UntypedStorage
from .archive import read_into, write_all
from .locations import restorer

DTYPES = {
    "BOOL": dtypes.bool_, "U8": dtypes.uint8, "I8": dtypes.int8, "I16": dtypes.int16, "I32": dtypes.int32,
    "I64": dtypes.int64, "U16": dtypes.uint16, "U32": dtypes.uint32, "U64": dtypes.uint64,
    "F16": dtypes.float16, "BF16": dtypes.bfloat16, "F32": dtypes.float32, "F64": dtypes.float64,
    "C64": dtypes.complex64, "F8_E4M3": dtypes.float8_e4m3fn, "F8_E5M2": dtypes.float8_e5m2, "F8_E8M0": dtypes.float8_e8m0fnu,
    "F8_E4M3FNUZ": dtypes.float8_e4m3fnuz, "F8_E5M2FNUZ": dtypes.float8_e5m2fnuz,
}  # fmt: skip


def load(path, map_location):
    """The tensors in the file at ``path``, by name; raises RuntimeError if it is damaged."""
    if not (map_location is None or isinstance(map_location, (str, bytes, device))):
        kind = "dict" if isinstance(map_location, dict) else "callable"
        raise RuntimeError(
            f"Loading safetensors file with {kind} map_location is not supported. "
            "Use a device string or torch.device instead."
        )
    restore, tensors = restorer("cpu" if map_location is None else map_location), {}
    with open(path, "rb") as file:
        names, places, _ = header_of(file, path)
        for size, name, kind, shape in places:
            memory = UntypedStorage(size)
            read_into(file, memory._elements)
            if sys.byteorder == "big":
                memory.byteswap(kind)
            storage = TypedStorage(wrap_storage=restore(memory, "cpu")._untyped_storage, dtype=kind)
            tensors[name] = _utils._rebuild_tensor(storage, 0, shape, contiguous_strides(shape))
    return {name: tensors[name] for name in names}


def save(file, tensors, metadata):
    """Write ``tensors``, by name, each contiguous and alone in its storage, and ``metadata``, texts by name, to a binary file; raises TypeError for a dtype that the format does not have."""
    kinds = {kind: name for name, kind in DTYPES.items()}
    order = sorted(tensors, key=lambda name: -tensors[name].dtype.itemsize)  # keeps all of them aligned
    ends = dict(zip(order, itertools.accumulate(tensors[name].untyped_storage().nbytes() for name in order)))
    header = {"__metadata__": metadata} if metadata else {}
    for name, tensor in tensors.items():
        if tensor.dtype not in kinds:
            raise TypeError(f"tensor {name} is of dtype {tensor.dtype}, which safetensors does not have")
        if name == "__metadata__":
            raise ValueError(f"a tensor can't be called {name!r} in a safetensors file")
        begin = ends[name] - tensor.untyped_storage().nbytes()
        header[name] = {
            "dtype": kinds[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [begin, ends[name]],
        }
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    write_all(file, len(text).to_bytes(8, "little") + text)
    for name in order:
        memory = tensors[name].untyped_storage()
        if sys.byteorder == "big":
            memory = memory.clone()
            memory.byteswap(tensors[name].dtype)
        write_all(file, memory._elements)


def header_of(file, path):
    """What ``_read_header`` returns for the file at ``path``; raises RuntimeError if it is damaged."""
    try:
        return _read_header(file)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise RuntimeError(
            f"{path} is not a safetensors file, or is damaged: {type(error).__name__}: {error}"
        ) from error


def _read_header(file):
    """The names in the header's order, (number of bytes, name, dtype, shape) of each in the order of the bytes, and the metadata."""
    length = file.seek(0, io.SEEK_END)
    file.seek(0)
    header_size = int.from_bytes(file.read(8), "little")
    left = length - 8 - header_size
    if left < 0:
        raise ValueError("the header would be longer than the file")
    header = json.loads(file.read(header_size))
    metadata = header.pop("__metadata__", {})
    places, end = [], 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        (begin, stop), kind, shape = entry["data_offsets"], DTYPES[entry["dtype"]], tuple(entry["shape"])
        if begin != end or stop - begin != math.prod(shape) * kind.itemsize or min(shape, default=0) < 0:
            raise ValueError(f"tensor {name} does not fit its place")
        end = stop
        places.append((stop - begin, name, kind, shape))
    if end != left:
        raise ValueError("the tensors do not fill the file")
    return list(header), places, metadata
