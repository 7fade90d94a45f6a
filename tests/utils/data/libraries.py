"""What the comparisons with PyTorch share: the data module of a library, batches as plain Python, what a program gives or raises."""

import importlib
import random
import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from tests.messages import first_sentence


def data_of(lib):
    """``lib.utils.data``."""
    return importlib.import_module(f"{lib.__name__}.utils.data")


def plain(x):
    """A batch without the library's tensors: (dtype, shape, strides, values) of each."""
    if hasattr(x, "untyped_storage"):
        return str(x.dtype), tuple(x.shape), tuple(x.stride()), x.requires_grad, x.tolist()
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x).__name__, *map(plain, x)
    if isinstance(x, Mapping):
        return type(x).__name__, {key: plain(value) for key, value in x.items()}
    if isinstance(x, (Sequence, set)) and not isinstance(x, (str, bytes)):
        return type(x).__name__, [*map(plain, x)]
    if isinstance(x, np.ndarray):
        return str(x.dtype), x.shape, x.tolist()
    return x


def outcome(program, lib):
    """What a program gives under a library, or which error, and its warnings; texts up to their first sentence."""
    lib.manual_seed(0)
    random.seed(0)
    np.random.seed(0)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            result = plain(program(lib, data_of(lib)))
        except Exception as error:
            result = f"{type(error).__name__}: {first_sentence(str(error))}"
    said = {
        first_sentence(str(warning.message))
        for warning in seen
        if not issubclass(warning.category, DeprecationWarning)
    }
    return result, said
