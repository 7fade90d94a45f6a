"""The context that a custom Function's ``forward`` and ``backward`` share, as users know it; saved tensors.

It is the node of the graph as well: ``function_forward.py`` records it, ``function_backward.py`` is what the engine runs.
"""

import warnings
from collections import OrderedDict
from typing import Any

from .._base.errors import SECOND_BACKWARD, type_name
from .._core.hooks import RemovableHandle
from .._core.node import Node, Port
from .._core.saved import FREED, Packed, Saved, SavedTensor, result, stale, stale_result
from .._core.storage import FRESH
from .._core.tensor import Tensor

#: The module that users import these classes from.
PUBLIC = __name__.rpartition(".")[0] + ".function"


class FunctionCtx:
    """The methods that a custom Function can call on its context."""

    def save_for_backward(self, *tensors: Any) -> None:
        """Save tensors for backward, where ``saved_tensors`` returns them after checking that they were not modified.

        Raises TypeError in ``apply`` if one is not a tensor (or None).
        """
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Save tensors for the ``jvp`` of forward mode; raise AssertionError if one is not a tensor (or None)."""
        for tensor in tensors:
            if tensor is not None and not isinstance(tensor, Tensor):
                raise AssertionError(
                    "save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on ctx."
                )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Declare which inputs ``forward`` modified in place; they must be among its outputs."""
        self.dirty_tensors = args

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Do nothing: tensors that share storage are detected."""
        warnings.warn(
            "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically tracked. Note that calls to "
            "`set_()` are not tracked",
            FutureWarning,
            stacklevel=2,
        )

    def mark_non_differentiable(self, *args: Any) -> None:
        """Declare which outputs have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: Any) -> None:
        """Set whether ``backward`` receives zeros (the default) or None for an output whose gradient is undefined."""
        self.materialize_grads = value


class _HookMixin:
    @staticmethod
    def _register_hook(backward_hooks, hook):
        """Add ``hook`` to a dictionary of hooks, made if it is None; returns the dictionary and a handle."""
        if backward_hooks is None:
            backward_hooks = OrderedDict()
        handle = RemovableHandle(backward_hooks)
        backward_hooks[handle.id] = hook
        return backward_hooks, handle


class _FunctionBase(Node):
    """A node whose forward and backward users write."""

    __slots__ = (
        "_outputs",  # how many, at least one
        "needs_input_grad",
        "to_save",
        "saved_for_forward",
        "dirty_tensors",
        "non_differentiable",
        "_materialize",
        "_requires_grad",
        "_inputs",  # per argument: None, or a tensor's shape and dtype
        "_made",  # per output: None, or a tensor's shape and dtype, and whether it is on meta
        "_constants",  # the numbers of the outputs that have no gradient
        "_zeros_for_constants",
        "_storages",  # per output
        "_kept",  # what save_for_backward was given: see keep
        "_freed",
        "_cleared",  # whether saved_tensors was read, where that is possible only once
    )
    takes_none = True
    computes_all = True
    lends = True

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self = object.__new__(cls)
        reset(self)
        return self

    def __repr__(self) -> str:
        return object.__repr__(self)

    @property
    def requires_grad(self) -> Any:
        """Whether a backward may be called."""
        return self._requires_grad

    @property
    def materialize_grads(self) -> Any:
        """Write only: see ``set_materialize_grads``."""
        raise AttributeError(
            "attribute 'materialize_grads' of 'torch._C._FunctionBase' objects is not readable"
        )

    @materialize_grads.setter
    def materialize_grads(self, value: Any) -> None:
        self._materialize = _flag("set_materialize_grads", value)

    @property
    def _materialize_non_diff_grads(self):
        return self._zeros_for_constants

    @_materialize_non_diff_grads.setter
    def _materialize_non_diff_grads(self, value):
        self._zeros_for_constants = _flag("set_materialize_non_diff_grads", value)

    # Saved tensors ------------------------------------------------------------------------------------------------------

    @property
    def saved_tensors(self) -> Any:
        """The tensors given to ``save_for_backward``; raises RuntimeError if they were freed or modified."""
        if self.saved_for_forward is not None:
            return self.saved_for_forward
        if self._freed or self._cleared:
            raise RuntimeError(_ONE_ACCESS if self._cleared else SECOND_BACKWARD)
        tensors = tuple([_unpack(self, *kept) for kept in self._kept])
        if self._forward_cls.clear_saved_tensors_on_access:
            self.maybe_clear_saved_tensors()
        return tensors

    def maybe_clear_saved_tensors(self) -> None:
        """Free what was saved, if the Function wants that at the first access."""
        if self._forward_cls.clear_saved_tensors_on_access:
            self._kept: Any = ()
            self._cleared = True

    @property
    def saved_variables(self) -> Any:
        """Like ``saved_tensors``, which is its name today."""
        warnings.warn(
            "'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2
        )
        return self.saved_tensors

    @property
    def _raw_saved_tensors(self):
        if self._freed:
            raise RuntimeError(SECOND_BACKWARD)
        return tuple([SavedTensor._of(self, place) for place in range(len(self._kept))])

    def value(self, place: Any) -> Any:
        """The tensor kept at ``place``; raises RuntimeError if it was modified since."""
        return _unpack(self, *self._kept[place])

    def places_held(self) -> Any:
        """Where tensors are kept."""
        return [place for place, (value, _, _) in enumerate(self._kept) if value is not None]

    def held(self, place: Any) -> Any:
        """What is kept at ``place``: a tensor, an output's array, what hooks made of one, or None."""
        return FREED if self._freed else self._kept[place][0]

    def saved_values(self) -> Any:
        """A ``Saved`` for each tensor that is kept.  Nothing is unpacked, freed or changed by the question."""
        found = []
        for place, (held, version, nr) in enumerate(self._kept):
            if held is not None:
                held = FREED if self._freed else held
                of_result = nr is not None and not isinstance(held, (Tensor, Packed))
                storage = self._storages[nr] if of_result else held._storage
                found.append(Saved(f"saved_tensors[{place}]", held, version, storage))
        return found

    def hold(self, place: Any, packed: Any) -> None:
        """Keep ``packed`` at ``place``."""
        _, version, nr = self._kept[place]
        if nr is not None:
            packed.edge = None  # that of an output is this node itself
        self._kept = (*self._kept[:place], (packed, version, nr), *self._kept[place + 1 :])

    @property
    def _storage(self):
        """The storages of the outputs, or that of the only one: as ``own_storage`` hands it over."""
        return self._storages if self._outputs > 1 else self._storages[0]

    @_storage.setter
    def _storage(self, storage):
        self._storages[0] = storage


def _flag(function, value):
    """``value`` if it is a bool; raises TypeError."""
    if value.__class__ is not bool:
        got = type(value).__name__
        raise TypeError(
            f"{function} received an invalid combination of arguments - got ({got}), but expected (bool)"
        )
    return value


def keep(node: Any, tensors: Any, outputs: Any) -> None:
    """Turn ``tensors``, given to ``save_for_backward``, into checked saved values: (tensor or array, version, number of the output or None).

    ``outputs``: the numbers of outputs by identity.  An output is not held itself: that would be a cycle.
    """
    kept: list[Any] = []
    for i, x in enumerate(tensors):
        if x is None:
            kept.append((None, 0, None))
            continue
        if not isinstance(x, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {i} is of type {type_name(x)}"
            )
        nr = outputs.get(id(x))
        kept.append((x if nr is None else x._array, x._storage.version, nr))
    node._kept = tuple(kept)


def _unpack(node, value, version, nr):
    if nr is None:
        if value.__class__ is Packed:
            return value.tensor(value.edge)
        if value is not None and value._storage.version != version:
            raise stale(value, version)
        return value
    several = node._outputs > 1
    if value.__class__ is Packed:
        return value.tensor(Port(node, nr) if several else node)
    storage = node._storages[nr]
    if storage.version != version:
        raise stale_result(node, value, version, storage, nr)
    return result(node, value, storage, nr if several else None)


def reset(node: Any) -> None:
    """Make ``node`` one that nothing has been computed with."""
    node._next = ()
    node._seq = 0
    node._extra = None
    node._outputs = 1
    node.needs_input_grad = node.to_save = node.saved_for_forward = None
    node.dirty_tensors = node.non_differentiable = None
    node._materialize = node._requires_grad = node._zeros_for_constants = True
    node._inputs = node._made = node._kept = node._constants = ()
    node._storages = [FRESH]
    node._freed = node._cleared = False


_ONE_ACCESS = (
    "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set on the autograd.Function. Either access "
    "saved_tensors only once, or set clear_saved_tensors_on_access=False."
)
