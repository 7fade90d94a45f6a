"""Index tensors as parameters of ops: saved, checked for modification, shown and freed like operands."""

from .._base.errors import SECOND_BACKWARD
from .._core.families import Op
from .._core.modes import thread_state
from .._core.saved import FREED, NEVER, Packed, Saved, SavedTensor, stale
from .._core.storage import INFERENCE, inference_saved
from .keys import _UINT8, SPANNED
from .parts import ALL

__all__ = []


class Indices:
    """Index tensors as a parameter of ops: saved, checked for modification and freed like operands."""

    __slots__ = ("key", "tensors", "versions")

    def __init__(self, tensors):
        self.tensors = tensors = tuple([t for t in tensors if t is not SPANNED])
        key, versions = [], []
        for t in tensors:
            if t is None:
                key.append(ALL)
                versions.append(0)
                continue
            array, storage = t._array, t._storage
            key.append(array != 0 if array.dtype is _UINT8 else array)
            if storage is INFERENCE:
                self.__class__ = InferenceIndices
                versions.append(0)
            else:
                versions.append(storage.version)
        self.key, self.versions = tuple(key), versions

    def volatile(self, y):
        """``y``, volatile if one of the index tensors is."""
        for t in self.tensors:
            if t is not None and t._volatile:
                return t._spread(y.detach())
        return y

    def as_tensors(self):
        """The index tensors."""
        return self.tensors

    def checked(self):
        """The key of an array; raises RuntimeError if an index tensor was modified since."""
        for t, version in zip(self.tensors, self.versions):
            if t is not None and t._storage.version != version:
                raise stale(t, version)
        return self.key


class InferenceIndices(Indices):
    """Indices of which some were made in inference mode: they cannot be saved."""

    __slots__ = ()

    def check_unsaved(self, *operands):
        """Raise RuntimeError if an op of these operands is to be recorded."""
        if thread_state.recording and not thread_state.inference and any(x.requires_grad for x in operands):
            raise inference_saved()

    def checked(self):
        """The key of an array."""
        return self.key


class PackedIndices(Indices):
    """Indices of which hooks have packed some: the key is made again whenever it is needed."""

    __slots__ = ()

    def __init__(self, tensors, versions):
        self.tensors, self.versions = tensors, versions

    def as_tensors(self):
        """The index tensors."""
        return self.unpacked()

    def unpacked(self):
        """The index tensors; raises RuntimeError if one was modified since it was saved."""
        tensors = [t.tensor(None) if t.__class__ is Packed else t for t in self.tensors]
        for t, held, version in zip(tensors, self.tensors, self.versions):
            if t is not None and t is held and t._storage is not INFERENCE and t._storage.version != version:
                raise stale(t, version)
        return tuple(tensors)

    @property
    def key(self):
        return Indices(self.unpacked()).key

    def checked(self):
        """The key of an array; raises RuntimeError if an index tensor was modified since."""
        return self.key


class _Freed:
    """What is left of indices after backward."""

    __slots__ = ()

    @property
    def tensors(self):
        raise RuntimeError(SECOND_BACKWARD)

    key = tensors

    def checked(self):
        """Raises RuntimeError: the indices are gone."""
        raise RuntimeError(SECOND_BACKWARD)


_FREED = _Freed()


def frees_indices(cls):
    """Let an op's nodes drop their indices after backward, and show them as the tensors they are."""
    run, value = cls.backward, cls.value

    def backward(node, xp, g, keep):
        outs = run(node, xp, g, keep)
        if not keep:
            node.params = (_FREED, *node.params[1:])
        return outs

    def shown(node, i):
        if i.__class__ is tuple:
            return shown(node, i[0])[i[1]]
        found = value(node, i)
        if found.__class__ is PackedIndices:
            return found.unpacked()
        return found.tensors if found.__class__ in (Indices, _Freed) else found

    cls.backward, cls.value = backward, shown
    cls.raw_saved, cls.places_held, cls.held, cls.hold = _raw_saved, _places_held, _held, _hold
    cls.saved_values = _saved_values
    cls.names_of_tensors = classmethod(lambda cls: [*Op.names_of_tensors.__func__(cls), "indices"])


# A place of an index tensor, for hooks on saved tensors: (the number of the parameter, which tensor of it).


def _raw_saved(node, name):
    place = node.places().get(name)
    if place is None or node.params[place - _before_params(node)].__class__ not in (Indices, PackedIndices, _Freed):
        return Op.raw_saved(node, name)
    return tuple([SavedTensor._of(node, (place, k)) for k in range(len(node.value(place)))])


def _places_held(node):
    first = _before_params(node)
    tensors = () if node.params[0] is _FREED else node.params[0].tensors
    return [*Op.places_held(node), *[(first, k) for k, t in enumerate(tensors) if t is not None]]


def _held(node, place):
    return node.params[0].tensors[place[1]] if place.__class__ is tuple else Op.held(node, place)


def _saved_values(node):
    found, indices = Op.saved_values(node), node.params[0]
    if indices is _FREED:
        return [*found, Saved("indices", FREED, NEVER, FREED._storage)]
    tensors = [(k, t) for k, t in enumerate(indices.tensors) if t is not None]
    return found + [Saved(f"indices[{k}]", t, indices.versions[k], t._storage) for k, t in tensors]


def _hold(node, place, packed):
    if place.__class__ is not tuple:
        Op.hold(node, place, packed)
        return
    indices, k = node.params[0], place[1]
    tensors = (*indices.tensors[:k], packed, *indices.tensors[k + 1 :])
    node.params = (PackedIndices(tensors, indices.versions), *node.params[1:])


def _before_params(node):
    return node.plan.arity + len(node.plan.results)
