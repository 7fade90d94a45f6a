"""What pickles name ``torch._tensor``: how tensors of subclasses are rebuilt, and methods of Tensor that are no functions of the package as well."""

from types import FunctionType

from ._core.tensor import Tensor
from ._utils import _rebuild_from_type as _rebuild_from_type
from ._utils import _rebuild_from_type_v2 as _rebuild_from_type_v2


def _convert(ret, cls):
    """What a function returned, its tensors as those of class ``cls``: a tensor, or tuples and lists of tensors."""
    if cls is Tensor:
        return ret
    if isinstance(ret, Tensor) and not isinstance(ret, cls):
        return ret.as_subclass(cls)
    if isinstance(ret, (tuple, list)):
        return type(ret)(_convert(each, cls) for each in ret)
    return ret


def __getattr__(name):
    method = getattr(Tensor, name, None)
    if not isinstance(method, FunctionType):
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return method
