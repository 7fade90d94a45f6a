"""Saved values: what is said when one was modified or freed, and the constants that stand for a freed one."""

from .errors import SECOND_BACKWARD
from .node import Port
from .storage import GONE
from .tensor import Tensor, new
from .views import output_nr, short_name

#: Stands where a node's saved tensor was: its version differs from every saved one, so one comparison finds both a
#: modification and a second backward.
FREED = new(Tensor)
FREED._array = None
FREED._node = None
FREED._storage = GONE

_HINT = (
    "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
    "torch.autograd.set_detect_anomaly(True, check_nan=False)."
)


def stale(tensor, expected):
    """The error for a saved operand whose version is not the expected one: freed, or modified since."""
    if tensor is FREED:
        return RuntimeError(SECOND_BACKWARD)
    made_by = tensor._edge if tensor.grad_fn is not None else None
    return modified(tensor._array, made_by, tensor._storage.version, expected)


def stale_result(node, array, expected, storage, nr=0):
    """The error for a saved result whose version is not the expected one: freed, or modified since."""
    if storage is GONE:
        return RuntimeError(SECOND_BACKWARD)
    edge = node if node.outputs == 1 else Port(node, nr)
    return modified(array, edge, storage.version, expected)


def modified(array, edge, version, expected):
    """The error for a saved value that was written to."""
    from_op = "" if edge is None else f", which is output {output_nr(edge)} of {short_name(edge)},"
    return RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{Tensor.type_text(array)} {list(array.shape)}]{from_op} is at version {version}; expected version "
        f"{expected} instead. {_HINT}"
    )


def result(node, array, storage, nr=None):
    """A saved result as a tensor again: the output of its node."""
    tensor = new(Tensor)
    tensor._array = array
    tensor._storage = storage
    tensor._node = node if nr is None else Port(node, nr)
    return tensor
