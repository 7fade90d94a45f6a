"""From a list of samples to a batch: tensors, arrays and numbers side by side, containers element by element.

``default_collate_fn_map`` says what is done with which type; a program may add its own.  Types that are not in it are taken for containers.
"""

import copy
import re
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from .... import _api
from ...._base import dtypes

#: What the code of a dtype, such as ``"<U2"``, has in it if no tensor can have the dtype.
np_str_obj_array_pattern = re.compile("[SaUO]")
default_collate_err_msg_format = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)


def default_collate(batch: Any) -> Any:
    """Collate samples into a batch: numbers, tensors and arrays become tensors with a new first dimension; containers are collated element
    by element.

    Tuples become lists; named tuples, dicts and other containers keep their type; strings stay a list. Raises RuntimeError for samples of
    different lengths or shapes, TypeError for other types.

    >>> from minigrad.utils.data import default_collate
    >>> default_collate([{"x": (1, 2.5), "y": "a"}, {"x": (3, 4.5), "y": "b"}])
    {'x': [tensor([1, 3]), tensor([2.5000, 4.5000], dtype=torch.float64)], 'y': ['a', 'b']}
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)


def collate(batch, *, collate_fn_map=None):
    """Collate samples by the function that the map has for the type of the first one, or for a base class of it.

    Other values are taken as containers: a batch of lists is a list of batches.

    >>> import minigrad
    >>> from minigrad.utils.data._utils.collate import collate, collate_tensor_fn
    >>> def longest(batch, *, collate_fn_map=None):
    ...     return max(batch, key=len)
    >>> collate([[minigrad.ones(1), "a"], [minigrad.zeros(1), "bcd"]], collate_fn_map={minigrad.Tensor: collate_tensor_fn, str: longest})
    [tensor([[1.],
            [0.]]), 'bcd']
    """
    first = batch[0]
    cls = type(first)
    if collate_fn_map is not None:
        function = collate_fn_map.get(cls)
        if function is None:
            function = next((f for known, f in collate_fn_map.items() if isinstance(first, known)), None)
        if function is not None:
            return function(batch, collate_fn_map=collate_fn_map)

    def together(samples):
        return collate(samples, collate_fn_map=collate_fn_map)

    if isinstance(first, Mapping):
        return like_mapping(first, {key: together([sample[key] for sample in batch]) for key in first})
    if not isinstance(first, Sequence):
        raise TypeError(default_collate_err_msg_format.format(cls))
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return cls(*map(together, zip(*batch)))
    if any(len(sample) != len(first) for sample in batch):
        raise RuntimeError("each element in list of batch should be of equal size")
    parts = [together(samples) for samples in zip(*batch)]
    return parts if isinstance(first, tuple) else like_sequence(first, parts)


def like_mapping(model, items):
    """The dict ``items`` as a mapping of the class of ``model``, with whatever else that has; a plain dict where it cannot be made."""
    try:
        if isinstance(model, MutableMapping):
            twin = copy.copy(model)
            twin.update(items)
            return twin
        return type(model)(items)
    except TypeError:
        return items


def like_sequence(model, parts):
    """The list ``parts`` as a sequence of the class of ``model``, with whatever else that has; a plain list where it cannot be made."""
    if type(model) is list:
        return parts
    try:
        if isinstance(model, MutableSequence):
            twin = copy.copy(model)
            for i, part in enumerate(parts):
                twin[i] = part
            return twin
        return type(model)(parts)
    except TypeError:
        return parts


# What the map has ------------------------------------------------------------------------------------------------------


def collate_tensor_fn(batch, *, collate_fn_map=None):
    """Stack tensors of one shape along a new first dimension; in a worker, with the dtype of the first one.

    >>> import minigrad
    >>> from minigrad.utils.data._utils.collate import collate_tensor_fn
    >>> collate_tensor_fn([minigrad.tensor(1), minigrad.tensor(2)])
    tensor([1, 2])
    """
    first = batch[0]
    if not _in_worker:
        return _api.stack(batch, 0)
    out = _api.empty((len(batch), *first.size()), dtype=first.dtype)
    if not all(_is_plain(x, first) for x in batch):
        return _api.stack(batch, 0, out=out)
    np.stack([x._array for x in batch], out=out._array)
    return out


def _is_plain(x, first):
    """Whether all there is to a tensor is an array, of the same kind as that of ``first``, which was asked before it."""
    if type(x) is not _api.Tensor or x._node is not None:
        return False
    return x._array.shape == first._array.shape and x._array.dtype is first._array.dtype


_in_worker = False


def become_worker():
    """Collate as in PyTorch's workers: what there are written into has the first sample's dtype."""
    global _in_worker
    _in_worker = True


def collate_numpy_array_fn(batch, *, collate_fn_map=None):
    """Stack arrays of one shape into one tensor; raise TypeError for strings and objects.

    >>> import numpy as np
    >>> from minigrad.utils.data._utils.collate import collate_numpy_array_fn
    >>> collate_numpy_array_fn([np.ones(2), np.zeros(2)])
    tensor([[1., 1.],
            [0., 0.]], dtype=torch.float64)
    """
    first = batch[0]
    dtype, shape = first.dtype, first.shape
    if np_str_obj_array_pattern.search(dtype.str):
        raise TypeError(default_collate_err_msg_format.format(dtype))
    if dtype in dtypes.of and all(
        type(x) is np.ndarray and x.dtype is dtype and x.shape == shape and x.flags.c_contiguous
        for x in batch
    ):
        return _api._wrap(np.stack(batch))
    return collate([_api.as_tensor(x) for x in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch, *, collate_fn_map=None):
    """Collect NumPy scalars in a tensor of their dtype.

    >>> import numpy as np
    >>> from minigrad.utils.data._utils.collate import collate_numpy_scalar_fn
    >>> collate_numpy_scalar_fn([np.float32(1), np.float32(2)])
    tensor([1., 2.])
    """
    return _api.as_tensor(batch)


def collate_float_fn(batch, *, collate_fn_map=None):
    """Collect Python floats in a tensor of float64.

    >>> from minigrad.utils.data._utils.collate import collate_float_fn
    >>> collate_float_fn([1.5])
    tensor([1.5000], dtype=torch.float64)
    """
    return _api.tensor(batch, dtype=dtypes.float64)


def collate_int_fn(batch, *, collate_fn_map=None):
    """Collect integers or bools in a tensor.

    >>> from minigrad.utils.data._utils.collate import collate_int_fn
    >>> collate_int_fn([1, 2])
    tensor([1, 2])
    """
    return _api.tensor(batch)


def collate_str_fn(batch, *, collate_fn_map=None):
    """Return the strings as they are.

    >>> from minigrad.utils.data._utils.collate import collate_str_fn
    >>> collate_str_fn(["a", "b"])
    ['a', 'b']
    """
    return batch


#: Type, or tuple of types -> the function of a batch of it, which also gets the map.
default_collate_fn_map = {
    _api.Tensor: collate_tensor_fn,
    np.ndarray: collate_numpy_array_fn,
    (np.bool_, np.number, np.object_): collate_numpy_scalar_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


# Without a batch ---------------------------------------------------------------------------------------------------------


def default_convert(data: Any) -> Any:
    """Convert the arrays in a sample to tensors, in whatever containers they are.

    >>> import numpy as np
    >>> from minigrad.utils.data import default_convert
    >>> default_convert({"x": np.arange(2), "y": [3, "a"]})
    {'x': tensor([0, 1]), 'y': [3, 'a']}
    """
    cls = type(data)
    if isinstance(data, _api.Tensor):
        return data
    if cls.__module__ == "numpy" and cls.__name__ not in ("str_", "string_"):
        text = cls is np.ndarray and np_str_obj_array_pattern.search(data.dtype.str)
        return data if text else _api.as_tensor(data)
    if isinstance(data, Mapping):
        return like_mapping(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return cls(*map(default_convert, data))
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        parts = [*map(default_convert, data)]
        return parts if isinstance(data, tuple) else like_sequence(data, parts)
    return data
