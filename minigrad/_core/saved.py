"""Saved values: what is said when one was modified or freed, what stands for a freed one, and for one that hooks have packed."""

from typing import Any, NamedTuple

from numpy import ndarray

from .._base.dtypes import internal_type_name
from .._base.errors import SECOND_BACKWARD
from .modes import set_recording, set_watching, thread_state
from .node import Node, Port
from .storage import GONE, NUMBER, own_storage
from .tensor import Tensor, new
from .views import output_nr, short_name

#: Stands where a node's saved tensor was: its version differs from every saved one, so one comparison finds both a
#: modification and a second backward.
FREED = new(Tensor)
FREED._array = None
FREED._node = None
FREED._storage = GONE


def is_number(tensor: Tensor) -> Any:
    """Whether a saved tensor stands for a Python number: nobody's tensor, of which hooks are not told."""
    return tensor.__class__ is Tensor and tensor._storage is NUMBER


#: In the place of a version: no version that a storage ever has, so that the comparison sends what was freed or packed the slow way.
NEVER = -2

_HINT = (
    "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
    "torch.autograd.set_detect_anomaly(True, check_nan=False)."
)

_HINT_OF_ANOMALY_MODE = (
    "Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in question was "
    "changed in there or anywhere later. Good luck!"
)


def stale(tensor: Any, expected: Any) -> Any:
    """The error for a saved operand whose version is not the expected one: freed, or modified since."""
    if tensor is FREED:
        return RuntimeError(SECOND_BACKWARD)
    made_by = tensor._edge if tensor.grad_fn is not None else None
    return modified(tensor._array, made_by, tensor._storage, expected)


def stale_result(node: Any, array: Any, expected: Any, storage: Any, nr: int = 0) -> Any:
    """The error for a saved result whose version is not the expected one: freed, or modified since."""
    if array is FREED:
        return RuntimeError(SECOND_BACKWARD)
    edge = node if node._outputs == 1 else Port(node, nr)
    return modified(array, edge, storage, expected)


def modified(array, edge, storage, expected):
    """The error for a saved value that was written to; it says at which line, if that was noted."""
    from_op = "" if edge is None else f", which is output {output_nr(edge)} of {short_name(edge)},"
    hint = _HINT if thread_state.anomaly is None else _HINT_OF_ANOMALY_MODE
    version = storage.version
    lines = [
        f"\nIt was written to at {w.origin}"
        for w in getattr(storage, "writes", ())
        if w.version > expected and w.origin
    ]
    return RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{internal_type_name(array.dtype)} {list(array.shape)}]{from_op} is at version {version}; expected version "
        f"{expected} instead. {hint}{''.join(lines[:3])}"
    )


def result(node: Any, array: Any, storage: Any, nr: Any = None) -> Any:
    """A saved result as a tensor again: the output of its node."""
    tensor = new(
        Tensor if array.__class__ is ndarray else getattr(array, "tensor", Tensor)
    )  # a layer knows what stands for it
    tensor._array = array
    tensor._storage = storage
    tensor._node = results_in_views.get(node, node) if nr is None else Port(node, nr)
    return tensor


#: Of a node that wrote into a view, what the result's history is, while ``CopySlices`` runs the node: it leads through the base.
results_in_views: dict[Node, Node] = {}


class SavedValue:
    """An attribute of nodes, ``_saved_self`` for example: the saved value that PyTorch calls by that name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, node: Any, cls: Any) -> Any:
        return self if node is None else node.saved(self.name)


class RawSavedValue(SavedValue):
    """Like ``SavedValue``, of ``_raw_saved_self``: that saved tensor, to register hooks on."""

    __slots__ = ()

    def __get__(self, node: Any, cls: Any) -> Any:
        return self if node is None else node.raw_saved(self.name)


# Hooks on saved values ---------------------------------------------------------------------------------------------------


class Packed:
    """A saved tensor in the keeping of hooks: what ``pack`` made of it, and the function that gives it back.

    Stands where the tensor was; its storage's version differs from every saved one, as that of ``FREED`` does.
    """

    __slots__ = ("data", "unpack", "edge")
    _storage = GONE

    def __init__(self, tensor: Tensor, shown: Any, pack: Any, unpack: Any) -> None:
        self.edge = tensor._edge
        storage = own_storage(shown)
        version = storage.version
        was = set_recording(False)
        watching = set_watching(True)
        try:
            self.data = pack(shown)
        finally:
            set_watching(watching)
            set_recording(was)
        if storage.version != version:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Backward needs the tensor as it was when it was "
                "saved: let the hook work on a copy of it (x.clone())."
            )
        self.unpack = unpack

    def tensor(self, edge: Any, silent: bool = False) -> Any:
        """The tensor that ``unpack`` gives back, with the history that the saved one had; ``silent``: nothing is recorded meanwhile."""
        if silent:
            was = set_recording(False)
            try:
                found = self.unpack(self.data)
            finally:
                set_recording(was)
        else:
            found = self.unpack(self.data)
        if not isinstance(found, Tensor):
            raise TypeError(
                f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {type(found).__name__}"
            )
        if edge is None and found._node is None:
            return found
        out = new(Tensor)
        out._array, out._storage, out._node = found._array, own_storage(found), edge
        return out


class Saved(NamedTuple):
    """One saved value of a node, as ``node.saved_values()`` gives it: what is held (a tensor, a result's array, ``FREED``, a ``Packed``), under which
    of PyTorch's names, the version at which it was saved, and the storage that has the version of now (both None where nobody counts).
    """

    name: str
    held: Any
    version: int | None
    storage: Any

    @property
    def freed(self) -> bool:
        """Whether backward has freed it."""
        return self.held is FREED

    @property
    def packed(self) -> bool:
        """Whether hooks keep it."""
        return self.held.__class__ is Packed

    @property
    def array(self) -> Any:
        """The value as an array; None if it was freed, hooks keep it, or a transform's layer stands for it."""
        array = self.held._array if isinstance(self.held, Tensor) else self.held
        return array if isinstance(array, ndarray) else None

    @property
    def stale(self) -> Any:
        """Whether it was written to since."""
        if self.version is None or self.freed or self.packed:
            return False
        return not self.storage.shared and self.storage.version != self.version


class SavedTensor:
    """One of the tensors that a node saved, to register hooks on: what ``node._raw_saved_...`` gives."""

    _node: Any
    _place: Any

    __slots__ = ("_node", "_place")

    def __init__(self, *args: Any) -> None:
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    @classmethod
    def _of(cls, node, place):
        self = cls.__new__(cls)
        self._node = node
        self._place = place
        return self

    def register_hooks(self, pack_hook: Any, unpack_hook: Any) -> None:
        """Let ``pack_hook(tensor)`` replace what is saved, and ``unpack_hook`` restore the tensor whenever it is needed.

        Raises RuntimeError if nothing is saved here, if it was freed, or if there are hooks already.

        >>> import minigrad
        >>> x = minigrad.tensor([2.], requires_grad=True)
        >>> y = x * x
        >>> y.grad_fn._raw_saved_self.register_hooks(lambda t: t.numpy(), lambda a: minigrad.from_numpy(a) * 10)
        >>> y.backward()
        >>> x.grad
        tensor([22.])
        """
        if not callable(pack_hook) or not callable(unpack_hook):
            raise TypeError(
                "register_hooks(): incompatible function arguments. The following argument types are supported:\n    1. (self: "
                "SavedTensor, arg0: collections.abc.Callable, arg1: collections.abc.Callable) -> None\n\nInvoked with: "
                f"{self!r}, {pack_hook!r}, {unpack_hook!r}"
            )
        held = type(self._node).held(self._node, self._place)
        if held is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
        if held is FREED:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are freed "
                "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a "
                "second time or if you need to access saved variables after calling backward."
            )
        if held.__class__ is Packed:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of hooks is allowed at "
                "a time."
            )
        tensor = self.unpack()
        type(self._node).hold(
            self._node, self._place, Packed(tensor, tensor.detach(), pack_hook, unpack_hook)
        )

    def unpack(self) -> Any:
        """The saved tensor; raises RuntimeError if it was freed or modified."""
        return type(self._node).value(self._node, self._place)

    @property
    def data(self) -> Any:
        """What is kept: the tensor itself, or what the pack hook made of it."""
        held = type(self._node).held(self._node, self._place)
        return held.data if held.__class__ is Packed else self.unpack()

    @property
    def unpack_hook(self) -> Any:
        """The function that makes the tensor of what is kept; None without hooks."""
        held = type(self._node).held(self._node, self._place)
        return held.unpack if held.__class__ is Packed else None
