"""Numbers out of inputs: what shapes, axes and sizes are given as."""

from typing import Any

from ... import _api as mg
from ..._base import dtypes


def ints(values: Any) -> Any:
    """A list of whole numbers, of a tensor, a list or one number; None stays."""
    if values is None:
        return None
    if isinstance(values, mg.Tensor):
        return [int(each) for each in values.reshape(-1).tolist()]
    return [int(each) for each in values] if isinstance(values, (list, tuple)) else [int(values)]


def number(value: Any, default: Any = None) -> Any:
    """The one number of a tensor or of an attribute, or the default."""
    if value is None:
        return default
    return value.item() if isinstance(value, mg.Tensor) else value


def sizes(values: Any) -> Any:
    """Sizes as the tensor that ONNX has of them."""
    return mg.tensor(list(values), dtype=dtypes.int64)


def on_axis(tensor: Any, axis: int, dims: int) -> Any:
    """A vector as a tensor of ``dims`` dimensions that lies along one of them."""
    shape = [1] * dims
    shape[axis] = -1
    return tensor.reshape(shape)
