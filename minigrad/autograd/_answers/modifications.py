"""Which writes in place modified a tensor, or what a node saved."""

from ..._core.node import Node
from ..._core.storage import Constant
from ..._core.tensor import Tensor
from .._origins import origin_of, writes_to
from .answers import RECORD, Modification, Writes, at, listed
from .saved_values import saved_values

__all__ = ["who_modified"]


def who_modified(of):
    """The ``Writes`` answer for a tensor or a node."""
    if isinstance(of, Tensor):
        return _of_tensor(of)
    if isinstance(of, Node):
        return _of_node(of)
    raise TypeError(f"who_modified() takes a Tensor or a Node, not {type(of).__name__}")


def since(storage, version):
    """The noted writes to a storage that led to versions above ``version``, as answers."""
    return tuple(
        Modification("write", f"{write.function or 'a write'}{at(write.origin, ' at ')}", *write)
        for write in writes_to(storage)
        if write.version > version
    )


_UNMODIFIED = "It was not written to in a way that is counted (what goes through NumPy or .data is not)."


def _of_tensor(tensor):
    storage = tensor._storage
    if isinstance(storage, Constant) or not storage.version:
        if tensor.is_inference():
            return Writes("unknown", "It was made in inference mode, where writes are not counted.")
        return Writes("unmodified", _UNMODIFIED)
    writes = since(storage, 0)
    text = f"It (or a view of the same memory) was written to {_times(storage.version)}"
    return _answer(text, writes, storage.version)


def _of_node(node):
    stale = [saved for saved in saved_values(node) if saved.stale]
    name = f"{node.name()}{at(origin_of(node), ' (')}" + (")" if origin_of(node) else "")
    if not stale:
        return Writes("unmodified", f"Nothing that {name} saved was written to since.")
    parts, writes = [], ()
    for saved in stale:
        found = since(saved.storage, saved.version)
        writes += found
        text = f"`{saved.name}`, saved by {name}, was written to {_times(saved.storage.version - saved.version)} since"
        parts.append(_answer(text, found, saved.storage.version - saved.version).text)
    return Writes("modified", "\n".join(parts), writes, writes[0].origin if writes else None)


def _answer(text, writes, count):
    if not writes:
        return Writes("modified", f"{text}; {RECORD}.")
    text += ":" + listed([write.text for write in writes])
    if len(writes) < count:
        missing = count - len(writes)
        text += f"\n  - and {_times(missing)} of which nothing was noted"
    return Writes("modified", text, writes, writes[0].origin)


def _times(n):
    return "once" if n == 1 else "twice" if n == 2 else f"{n} times"
