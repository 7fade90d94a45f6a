"""Put back what a block of code changes in a model, in its inputs, and in random number generators.

A tensor is more than its elements: also its history, version, gradient, hooks and attributes are as before.
"""

import contextlib
import random
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from .._api import Generator, Tensor, get_rng_state, set_rng_state
from .._core.hooks import Hooks
from .._core.node import AccumulateGrad, Node, Port
from .._core.views import View

__all__ = ["restored"]

_CONTAINERS = (dict, OrderedDict, defaultdict, Counter, Hooks, list, set, deque)


@contextlib.contextmanager
def restored(model: Any, inputs: Any) -> Iterator[Any]:
    """Put back whatever the block changes in the modules' attributes, in inputs, in containers and tensors among these, and in generators.

    Gives the tensors of the model.

    >>> from minigrad import nn
    >>> from minigrad.viz.restored import restored
    >>> model = nn.Linear(2, 1)
    >>> with restored(model, []):
    ...     model.bias.data.fill_(3)
    ...     model.weight = None
    tensor([3.])
    >>> bool(model.bias == 3), model.weight.shape
    (False, torch.Size([1, 2]))
    """
    attributes = [(module, type(module), dict(vars(module))) for module in model.modules()]
    own = _reached([value for _, _, values in attributes for value in values.values()])
    things = {id(thing): thing for thing in (*own, *_reached(inputs))}.values()
    containers = [(thing, thing.copy()) for thing in things if type(thing) in _CONTAINERS]
    tensors = [_Before(thing) for thing in things if _has_array(thing)]
    generators = [(thing, thing.get_state()) for thing in things if isinstance(thing, Generator)]
    states = random.getstate(), np.random.get_state(), get_rng_state()
    try:
        yield [thing for thing in own if _has_array(thing)]
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
        set_rng_state(states[2])
        for generator, state in generators:
            generator.set_state(state)
        for module, cls, values in attributes:
            if type(module) is not cls:  # it was lazy
                module.__class__ = cls
            module.__dict__.clear()
            module.__dict__.update(values)
        for container, copy in containers:
            _refill(container, copy)
        for tensor in tensors:
            tensor.restore()


def _reached(values):
    """Tensors, containers and generators among values and in containers among these; with a tensor its gradient, and what it is a view of."""
    found, waiting = {}, list(values)
    while waiting:
        value = waiting.pop()
        inside = ()
        if isinstance(value, Tensor):
            inside = _gradient(value), value._base
        elif type(value) in _CONTAINERS or isinstance(value, tuple):
            inside = value.values() if isinstance(value, dict) else value
        elif not isinstance(value, Generator):
            continue
        if id(value) not in found:
            found[id(value)] = value
            waiting += inside
    return list(found.values())


def _has_array(thing):
    return isinstance(thing, Tensor) and isinstance(thing._array, np.ndarray)


def _edge(tensor):
    """The node behind a tensor, as far as it is known: a view's is not derived again."""
    node = tensor._node
    if node.__class__ is View:
        node = node.node
    return node.node if node.__class__ is Port else node


def _gradient(tensor):
    """``tensor.grad``, without the warning for those that have none."""
    node = _edge(tensor)
    return node.grad if node.__class__ is AccumulateGrad else tensor._kept_grad


def _refill(container, copy):
    """Give a container its former elements; one that has them is not touched."""
    now, then = (list(x.items()) if isinstance(x, dict) else list(x) for x in (container, copy))
    if isinstance(container, dict):
        same = len(now) == len(then) and all(k is m and v is w for (k, v), (m, w) in zip(now, then))
    else:
        same = len(now) == len(then) and all(x is y for x, y in zip(now, then))
    if not same:
        container.clear()
        if isinstance(container, (dict, set)):
            container.update(copy)
        else:
            container.extend(copy)


class _Before:
    """A tensor as it was."""

    __slots__ = ("tensor", "cls", "copy", "version", "fields", "containers")

    def __init__(self, tensor: Tensor) -> None:
        storage, node, edge = tensor._storage, tensor._node, _edge(tensor)
        self.tensor, self.cls = tensor, type(tensor)
        self.copy = tensor._array.copy()
        self.version = 0 if storage.shared else storage.version
        self.fields = _fields(tensor, "_array", "_node")
        self.containers = [(vars(tensor), dict(vars(tensor)))]
        if node.__class__ is View:
            self.fields += _fields(node, "base", "chain", "node", "seen", "meta")
        if edge.__class__ is AccumulateGrad:
            self.fields += _fields(edge, "grad", "array", "cls")
        if isinstance(edge, Node):
            self.fields += _fields(edge, "_extra")
            self._note_hooks(edge._extra)

    def _note_hooks(self, extra):
        if extra is not None:
            self.fields += _fields(extra, "metadata", "wants", "left")
            hooks = [*extra.tensor.values(), extra.pre, extra.post, extra.accumulated]
            self.containers += [(each, each.copy()) for each in (extra.tensor, extra.retain, *hooks)]

    def restore(self) -> None:
        tensor = self.tensor
        if type(tensor) is not self.cls:  # it has got a shape
            tensor.__class__ = self.cls
        for thing, name, value in self.fields:
            if getattr(thing, name) is not value:
                setattr(thing, name, value)
        for container, copy in self.containers:
            _refill(container, copy)
        array = tensor._array
        if array.flags.writeable and not np.array_equal(array, self.copy):
            array[...] = self.copy
        if not tensor._storage.shared:
            # with the old elements goes the old version: a graph that is waiting for its backward notices nothing
            tensor._storage.version = self.version


def _fields(thing, *names):
    return [(thing, name, getattr(thing, name)) for name in names]
