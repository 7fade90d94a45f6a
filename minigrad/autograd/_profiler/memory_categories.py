"""What arrays are for, told while they are made: parameters, inputs, activations, gradients, and what a backward pass needs in between."""

from time import perf_counter_ns as now
from typing import Any
from weakref import ref

from numpy import ndarray

from ..._core.tensor import Tensor

__all__ = ["MemoryCategories", "owner_of"]


def owner_of(x: Any) -> Any:
    """The array whose memory a tensor or array looks at."""
    if isinstance(x, Tensor):
        x = x._array
    while x.__class__ is ndarray and x.base.__class__ is ndarray:
        x = x.base
    return x


class _Life:
    """One array: when it was made (None: before), its bytes, what it is for."""

    __slots__ = ("made", "nbytes", "purpose", "watch")

    def __init__(self, made: Any, nbytes: Any, purpose: Any) -> None:
        self.made, self.nbytes, self.purpose = made, nbytes, purpose


class MemoryCategories:
    """The arrays that a profiler sees: ``lives()`` tells of each when it was made and freed, its bytes and what it is for."""

    def __init__(self):
        self._ended = []
        self._alive = {}  # id of an array -> its record

    def lives(self):
        """Tuples (made, freed, bytes, purpose); None for a time before or after the profile."""
        alive = [(life.made, None, life.nbytes, life.purpose) for life in self._alive.values()]
        return self._ended + alive

    def _note(self, owner, time, purpose):
        if owner.__class__ is ndarray:
            life = self._alive[id(owner)] = _Life(time, owner.nbytes, purpose)
            life.watch = ref(owner, self._on_freed(id(owner)))

    def _on_freed(self, key):
        alive, ended = self._alive, self._ended

        def freed(_):
            life = alive.pop(key, None)
            if life is not None:
                ended.append((life.made, now(), life.nbytes, life.purpose))

        return freed

    def of_operator(self, result, time, operands):
        """An operator has run: its operands are new if nothing before has made them."""
        needs_grad = False
        for x in _tensors(operands):
            needs_grad = needs_grad or x._node is not None
            owner = owner_of(x)
            if id(owner) not in self._alive:
                self._note(owner, None, "PARAMETER" if x.is_leaf and x.requires_grad else "INPUT")
        for x in _tensors(result if isinstance(result, (tuple, list)) else (result,)):
            owner = owner_of(x)
            if id(owner) not in self._alive:
                purpose = "ACTIVATION" if x.requires_grad else "TEMPORARY" if needs_grad else "INPUT"
                self._note(owner, time, purpose)

    def of_node(self, arrays, time):
        """A node of a backward pass has run."""
        for x in arrays:
            owner = owner_of(x)
            if id(owner) not in self._alive:
                self._note(owner, time, "AUTOGRAD_DETAIL")

    def of_leaf(self, grad, time):
        """A leaf has its gradient."""
        if grad is not None:
            owner = owner_of(grad)
            if id(owner) in self._alive:
                self._alive[id(owner)].purpose = "GRADIENT"
            else:
                self._note(owner, time, "GRADIENT")


def _tensors(values):
    for x in values:
        if isinstance(x, Tensor):
            yield x
        elif isinstance(x, (tuple, list)):
            yield from _tensors(x)
