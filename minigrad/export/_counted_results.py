"""``CountingRecording``: a recording that knows which results have as many rows as elements fulfil something."""

from typing import Any

from .. import _api
from .._api import Tensor
from .._base import dtypes
from ..fx import map_arg
from . import _recording

#: What the metadata of a node has if a size of its value depends on elements.
COUNTED = "counted"
#: Functions whose results have as many rows as elements fulfil something.
_CHOOSING = frozenset(["masked_select", "nonzero", "argwhere", "where", "unique", "__getitem__"])
_MASKS = (dtypes.bool_, dtypes.uint8)


class CountingRecording(_recording.Recording):
    """A recording that notes results whose sizes depend on elements in ``found``, and gives them the sizes in ``wanted``: by their numbers.

    Of each it is noted how the program has computed what decides, and the size: masks that are computed alike choose equally many.
    """

    def __init__(self, wanted: Any = None) -> None:
        super().__init__()
        self.wanted = wanted or {}
        self.found: list[Any] = []
        self._kinds: dict[Any, str] = {}
        self._names: dict[str, str] = {}
        self._in_hand = False  # whether the result that is noted next is one of these

    def _computed(self, name: str, func: Any, args: Any, kwargs: Any) -> Any:
        if name == "_pack_padded_sequence":
            return self._packed(func, *args)
        result = func(*args, **kwargs)
        parts = _axes(name, args, kwargs, result) if name in _CHOOSING else []
        self._in_hand = bool(parts) and self._of_inputs(_deciding(name, args, kwargs))
        if not self._in_hand:
            return result
        values = [*result] if isinstance(result, (tuple, list)) else [result]
        place, axis = parts[0]
        number, size = len(self.found), values[place].shape[axis]
        self.found.append((self._origin(name, args, kwargs), size))
        if self.wanted.get(number, size) == size:
            return result
        for place, axis in parts:
            values[place] = _resized(values[place], axis, self.wanted[number])
        return tuple(values) if isinstance(result, (tuple, list)) else values[0]

    def _packed(self, func: Any, input: Any, lengths: Any, batch_first: Any) -> Any:
        """A packed sequence, of shorter ones where another length is wanted of the longest."""
        self._in_hand = self._of_inputs([lengths])
        if self._in_hand:
            number, longest = len(self.found), int(lengths.max())
            self.found.append((self._origin("_pack_padded_sequence", (lengths,), {}), longest))
            less = self.wanted.get(number, longest) - longest
            lengths = lengths.clamp(max=max(1, longest - less))
        return func(input, lengths, batch_first)

    def _of_inputs(self, tensors: Any) -> bool:
        """Whether tensors depend on what the program is given, or on random numbers."""
        waiting, seen = [self._node_of(x) for x in tensors], set()
        while waiting:
            node = waiting.pop()
            if node in self.inputs or (node.op != "placeholder" and not node.all_input_nodes):
                return True
            if node not in seen:
                seen.add(node)
                waiting += node.all_input_nodes
        return False

    def _origin(self, name: str, args: Any, kwargs: Any) -> Any:
        """What decides a size: how it was computed, and its elements."""
        tensors = [x.detach() for x in _deciding(name, args, kwargs)]
        elements = [x.numpy().tobytes() if name == "unique" else x.ne(0).numpy().tobytes() for x in tensors]
        return [self._kind(self._node_of(x)) for x in _deciding(name, args, kwargs)], elements

    def _kind(self, node: Any) -> str:
        """The same name for two nodes that were computed alike."""
        for each in self.graph.nodes:  # in the order in which they were computed
            if each not in self._kinds:
                text = each.name
                if each.op != "placeholder" and each.all_input_nodes:
                    text = f"{each.target} {map_arg((each.args, each.kwargs), self._kinds.__getitem__)}"
                self._kinds[each] = self._names.setdefault(text, f"#{len(self._names)}")
        return self._kinds[node]

    def _know(self, tensor: Any, node: Any) -> None:
        super()._know(tensor, node)
        if self._in_hand:
            node.meta[COUNTED] = True

    def finish(self, leaves: Any) -> Any:
        self._in_hand = False
        return super().finish(leaves)

    def _stays(self, node: Any) -> bool:
        return COUNTED in node.meta or super()._stays(node)


def _resized(x, axis, size):
    """Some of the rows, or all and the first again."""
    x = x.detach()
    if not x.shape[axis]:
        return x.new_zeros((*x.shape[:axis], size, *x.shape[axis + 1 :]))
    return x.index_select(axis, _api.arange(size) % x.shape[axis])


def _deciding(name, args, kwargs):
    """The tensors whose elements decide how many there are."""
    if name == "__getitem__":
        return _masks(args[1])
    if name == "masked_select":
        return [kwargs["mask"] if "mask" in kwargs else args[1]]
    return [x for x in (*args, *kwargs.values()) if isinstance(x, Tensor)]


def _masks(index):
    parts = index if isinstance(index, (tuple, list)) else [index]
    return [x for x in parts if isinstance(x, Tensor) and x.dtype in _MASKS]


def _axes(name, args, kwargs, result):
    """(which of the results, its axis) for each size that is the number of what was chosen."""
    if name == "__getitem__":
        axis = _axis_of_mask(args[1], args[0].dim())
        return [] if axis is None else [(0, axis)]
    if name == "where":
        return [(i, 0) for i in range(len(result))] if len(args) + len(kwargs) == 1 else []
    if name == "unique":
        given = dict(zip(("input", "sorted", "return_inverse", "return_counts", "dim"), args)) | kwargs
        axis = given.get("dim") or 0
        counts = [(1 + bool(given.get("return_inverse")), 0)] if given.get("return_counts") else []
        return [(0, axis % max(1, args[0].dim())), *counts]
    return [(i, 0) for i in range(len(result))] if isinstance(result, tuple) else [(0, 0)]


def _axis_of_mask(index, rank):
    """The axis of the result along which a mask in an index has put what it chose; None without a mask."""
    items = [*index] if isinstance(index, (tuple, list)) else [index]
    if not _masks(items):
        return None
    taken = sum(x.dim() if _masks([x]) else x is not None and x is not Ellipsis for x in items)
    full: list[Any] = []
    for item in items:
        full += [slice(None)] * (rank - taken) if item is Ellipsis else [item]
    advanced = [i for i, x in enumerate(full) if isinstance(x, (Tensor, list))]
    joined = [i for i, x in enumerate(full) if isinstance(x, (Tensor, list, int)) and not isinstance(x, bool)]
    block = max(1 if _masks([full[i]]) else _api.as_tensor(full[i]).dim() for i in advanced)
    together = joined == [*range(joined[0], joined[-1] + 1)]
    before = sum(not isinstance(x, int) for x in full[: joined[0]]) if together else 0
    return before + block - 1
