"""Operands of which some are numbers: of one dtype, or refused where their shapes do not broadcast."""

import numpy as np

from .._base import dtypes
from .._base.errors import broadcast_shapes, not_a_tensor
from .._core.interpret import number_array, promotion_rank
from .._core.tensor import Tensor, wrap
from .convert import as_dtype

__all__ = []

NUMBERS = (bool, int, float, complex, np.generic)


def as_common(input, *numbers):
    """``input`` as the dtype that it has together with Python numbers; a recorded conversion if that is another."""
    return as_dtype(input, dtypes.result_dtype([promotion_rank(x) for x in (input, *numbers)]))


def as_common_tensors(*operands):
    """Tensors and Python numbers as tensors of the dtype that they have together."""
    common = dtypes.result_dtype([promotion_rank(x) for x in operands])
    return [as_dtype(x, common) if isinstance(x, Tensor) else wrap(number_array(x, common, common.np)) for x in operands]


def need_tensors(function, **operands):
    """Raise TypeError for an operand that is no tensor, where the code of a function would take numbers too; names in the order of the parameters."""
    for place, (name, x) in enumerate(operands.items(), 1):
        if not isinstance(x, Tensor):
            raise not_a_tensor(function, name, place, x)


def refuse_shapes(error, xs, params):
    """Raise PyTorch's error for operands that do not broadcast."""
    if isinstance(error, ValueError):
        broadcast_shapes([x.shape for x in xs])
