"""The tensor-level public names, gathered once: what ``minigrad`` itself exports, and all that ``nn``, ``optim`` and the rest build on."""

from ._core.device import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    device,
    layout,
    memory_format,
    preserve_format,
    sparse_coo,
    strided,
)
from ._core.dtypes import can_cast, dtype, get_default_dtype, promote_types, set_default_dtype
from ._core.hooks import RemovableHandle as _RemovableHandle
from ._core.parameter import Buffer as _Buffer
from ._core.parameter import Parameter as _Parameter
from ._core.size import Size
from ._core.storage import own as _own
from ._core.tensor import Tensor
from ._core.tensor import wrap as _wrap
from ._ops import methods
from ._ops.activation import *
from ._ops.arithmetic import *
from ._ops.arrange import *
from ._ops.choose import *
from ._ops.compare import *
from ._ops.complex import *
from ._ops.convert import *
from ._ops.create import *
from ._ops.dropout import *
from ._ops.einsum import *
from ._ops.gather import *
from ._ops.index import *
from ._ops.join import *
from ._ops.error_function import *
from ._ops.matmul import *
from ._ops.cumulative import *
from ._ops.random import *
from ._ops.reduce import *
from ._ops.rounding import *
from ._ops.sorting import *
from ._ops.shape import *
from ._ops.softmax import *
from ._ops.transcendental import *
from ._ops import activation as _activation
from ._ops import convert as _convert
from ._ops import loss as _loss
from ._ops import matmul as _matmul
from . import autograd
from .autograd.grad_mode import *
