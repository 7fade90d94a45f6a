"""One forward pass of a model under observation, after which the model is as it was.

Operators are seen by a watcher (``_core/interpret.py``), calls of modules by a ``forward`` of their own for the time, so that hooks neither see a
difference nor are seen.  What is kept for backward is not guessed from outputs: the graph itself is asked.
"""

import copy
import functools
import inspect
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from .._api import Tensor, enable_grad
from .._arrays.memory_layout import owner_of
from .._core.modes import unwatch, watch
from .._core.node import tick
from .._core.observers import younger
from .._core.saved import Packed
from ..autograd._profiler.flops import flops_of, mult_adds_of
from ..autograd._profiler.input_shapes import describe
from ..autograd._profiler.recorder import arguments_of
from ..nn import Module
from .restored import restored

__all__ = ["Forward", "Seen", "modules_in", "sizes_of", "tensors_in"]


def sizes_of(value: Any, around: Any = ()) -> Any:
    """Return the shapes in what a module takes or returns: a shape for a tensor, the same structure for tuples, lists and dictionaries.

    Of named tuples and dataclasses it is a dictionary of their fields; None stays None, anything else is the name of its type, as is what
    contains itself (``around``: the ids of what this value is in).

    >>> import minigrad
    >>> from minigrad.viz.observed import sizes_of
    >>> sizes_of((minigrad.ones(2, 3), {"mask": None, "steps": 4}))
    (torch.Size([2, 3]), {'mask': None, 'steps': 'int'})
    """
    if isinstance(value, Tensor):
        return value.shape
    if value is None:
        return None
    if id(value) in around:
        return type(value).__name__
    around = (*around, id(value))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: sizes_of(getattr(value, name), around) for name in value._fields}
    if isinstance(value, (tuple, list)):
        return tuple([sizes_of(item, around) for item in value])
    if isinstance(value, dict):
        return {key: sizes_of(item, around) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: sizes_of(getattr(value, field.name), around) for field in fields(value)}
    return type(value).__name__


def tensors_in(value: Any) -> Any:
    """Return all tensors in the same structures, each once."""
    found, waiting, met = [], [value], {}
    while waiting:
        value = waiting.pop()
        if id(value) in met:
            continue
        met[id(value)] = value
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, (tuple, list)):
            waiting += value
        elif isinstance(value, dict):
            waiting += value.values()
        elif is_dataclass(value) and not isinstance(value, type):
            waiting += [getattr(value, field.name) for field in fields(value)]
    return found


def modules_in(model: Any) -> Iterator[Any]:
    """Pairs (path, module) for each path at which there is a module, the outer ones first; none is looked for inside itself.

    >>> from minigrad import nn
    >>> from minigrad.viz.observed import modules_in
    >>> inner = nn.ReLU()
    >>> [path for path, _ in modules_in(nn.Sequential(inner, nn.Sequential(inner)))]
    ['', '0', '1', '1.0']
    """
    waiting: list[Any] = [("", model, ())]
    while waiting:
        path, module, around = waiting.pop()
        yield path, module
        around = (*around, module)
        inside = [
            (f"{path}.{name}" if path else name, child, around)
            for name, child in module._modules.items()
            if child is not None and not any(child is each for each in around)
        ]
        waiting += inside[::-1]


class Seen:
    """What was seen of one module: its calls, in the order of the first (``order``), and what ran in it but in no module inside it.

    The sizes are those of the call that began first, at ``since``, among those that returned.
    """

    order: Any
    calls: int
    flops: int
    mult_adds: int
    saved_bytes: int
    since: Any
    input_size: Any
    output_size: Any

    __slots__ = (
        "order", "since", "calls", "input_size", "output_size", "flops", "mult_adds", "saved_bytes"
    )  # fmt: skip

    def __init__(self, order: Any) -> None:
        self.order = order
        self.calls = self.flops = self.mult_adds = self.saved_bytes = 0
        self.since = self.input_size = self.output_size = None


class Forward:
    """``Forward(model)``, then ``run(args, kwargs)``: ``seen`` holds a ``Seen`` for the path of each module that was called.

    A module that is registered under several paths is taken for the one nearest to its caller.
    """

    seen: dict[Any, Any]
    paths: Any
    running: list[Any]
    began: list[Any]
    failed: Any
    finished: bool

    def __init__(self, model: Any) -> None:
        self.model = model
        self.seen = {"": Seen(0)}
        self.paths = defaultdict(list)
        for path, module in modules_in(model):
            self.paths[module].append(path)
        self.running = []  # the paths of the modules under way, outermost first
        self.began = []  # pairs (sequence number, path): from that number on, nodes belong to that module
        self.finished = False
        self.failed = None  # the latest error, the path of the module that raised it, the sizes of its inputs

    def run(self, args: Any, kwargs: Any, mode: str, look: Any) -> Any:
        """Call the model, in training mode, in evaluation mode, or (None) as it is; returns what ``look()`` makes of all before it is put back."""
        inputs = tensors_in([args, kwargs])
        with restored(self.model, [args, kwargs, inputs]) as own, enable_grad():
            if mode is not None:
                self.model.train(mode == "train")
            for module in self.paths:
                module.__dict__["forward"] = _Observed(self, module, module.__dict__.get("forward"))
            watcher = _Watcher(self)
            since = tick()
            watch(watcher)
            try:
                result = self.model(*args, **kwargs)
            finally:
                unwatch(watcher)
            self.finished = True
            known = [owner_of(t._array) for t in (*inputs, *own) if isinstance(t._array, np.ndarray)]
            self._measure(tensors_in(result), since, {id(array): array for array in known})
            return look()

    def blamed(self, error: Any) -> Any:
        """Return the path of the module that an error comes from, and the sizes of its inputs; None if it was raised in none."""
        if self.failed is not None:
            first, *place = self.failed
            while error is not None:
                if error is first:
                    return place
                error = error.__context__
        return None

    def path_of(self, module: Module) -> Any:
        """Return the path at which a module is being called."""
        paths = self.paths[module]
        if len(paths) == 1 or not self.running:
            return paths[0]
        caller = self.running[-1].split(".")
        return max(paths, key=lambda path: _in_common(path.split("."), caller))

    def enter(self, path: Any) -> Any:
        """Note that a module begins; returns since when."""
        self.running.append(path)
        self.began.append((tick(), path))
        return self.began[-1][0]

    def leave(self) -> None:
        """Note that the innermost module under way ends."""
        self.running.pop()
        self.began.append((tick(), self.running[-1] if self.running else ""))

    def _measure(self, outputs, since, known):
        """Note for each module the memory that its nodes keep for backward, each array once; not what is in ``known``, arrays by their ids."""
        numbers = [number for number, _ in self.began]
        for node in younger(outputs, since):
            place = bisect_right(numbers, node._seq) - 1
            seen = self.seen[self.began[place][1] if place >= 0 else ""]
            for i in node.places_held():
                array = _array_of(node.held(i))
                if array is None:
                    continue
                owner = owner_of(array)
                if id(owner) not in known:
                    known[id(owner)] = owner
                    seen.saved_bytes += owner.nbytes


class _Observed:
    """The ``forward`` of a module under observation, among the module's own attributes, where it comes before that of the class."""

    def __init__(self, observer: Any, module: Module, own: Any) -> None:
        functools.update_wrapper(self, own or type(module).forward)
        self.observer, self.module, self.own = observer, module, own

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        observer = self.observer
        path = observer.path_of(self.module)
        seen = observer.seen.setdefault(path, Seen(len(observer.seen)))
        inputs = _inputs(args, kwargs)
        since = observer.enter(path)
        try:
            # the class is asked at the call: a lazy module has another one by then
            result = (self.own or _forward_of(self.module))(*args, **kwargs)
        except Exception as error:
            if observer.blamed(error) is None:
                observer.failed = error, path, inputs
            raise
        finally:
            observer.leave()
        if seen.since is None or since < seen.since:
            seen.since, seen.input_size, seen.output_size = since, inputs, sizes_of(result)
        seen.calls += 1
        return result

    def __deepcopy__(self, memo: Any) -> Any:
        """A copy of the module runs by itself, and nobody observes it."""
        return copy.deepcopy(self.own, memo) or _forward_of(memo.get(id(self.module), self.module))


def _forward_of(module):
    """``module.forward`` as its class has it."""
    forward = inspect.getattr_static(type(module), "forward")
    bind = getattr(type(forward), "__get__", None)
    return forward if bind is None else bind(forward, module, type(module))


class _Watcher:
    """Counts the operations of each operator for the innermost module under way."""

    whole_layers = True  # see _ops/recurrent.py

    def __init__(self, forward: Any) -> None:
        self.forward = forward

    def __call__(self, cls: Any, operands: Any, params: Any, proceed: Any, writes: Any) -> Any:
        def counted():  # which is not called if a watcher around this one does something else
            inputs = [describe(x) for x in arguments_of(cls, operands, params)]
            forward = self.forward
            seen = forward.seen[forward.running[-1] if forward.running else ""]
            if not writes:  # of which the profiler counts none
                seen.flops += flops_of(cls, inputs)
                seen.mult_adds += mult_adds_of(cls, inputs)
            return proceed()

        return counted


def _inputs(args, kwargs):
    """The sizes of a call's arguments: that of the only one, or of all in order, those by name at the end."""
    if len(args) == 1 and not kwargs:
        return sizes_of(args[0])
    return (*sizes_of(args), sizes_of(kwargs)) if kwargs else sizes_of(args)


def _in_common(path, other):
    count = 0
    for x, y in zip(path, other):
        if x != y:
            break
        count += 1
    return count


def _array_of(held):
    """The array of what a node holds; None if it holds nothing, or what hooks made of it."""
    if held.__class__ is Packed:
        held = held.data
    if isinstance(held, Tensor):
        held = held._array
    while hasattr(held, "inner"):  # a transform's layer
        held = held.inner._array
    return held if isinstance(held, np.ndarray) else None
