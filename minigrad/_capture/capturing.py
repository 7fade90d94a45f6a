"""``Capturing``: runs a step once, as ever, and notes what it does.

While it runs, traced arrays stand in the place of those of the tensors that take part: of the arguments at once, of others when an op first meets them.  Kernels, formulas and the
optimizers' updates then note themselves.  What asks for elements inside an op makes that op one step; outside of one, nothing can be noted.
"""

import functools
import gc
import re
import threading
from contextlib import contextmanager
from types import MemberDescriptorType
from typing import Any
from weakref import ref

import numpy as np
from numpy.lib.array_utils import byte_bounds

from .. import nn
from .._arrays.memory_layout import address, flat_bytes, owner_of
from .._arrays.random import distributions
from .._arrays.random.generator import Generator, default_generator
from .._arrays.traced import Leak, Traced, program_of, untraced
from .._arrays.unresolved import Unresolved
from .._base.forking import held_while_forking
from .._core import hooks
from .._core.engine import Await
from .._core.families import MultiViewOp, Op, Variadic, ViewOp, elementwise, fast_classes, general
from .._core.modes import thread_state, unwatch, watch
from .._core.runs import SKIP
from .._core.storage import FRESH
from .._core.tensor import Tensor
from .._core.views import AsStridedBackward0
from ..optim._together import lay_side_by_side
from .guards import OptionsGuard, StateGuard, constant_options
from .methods import KEPT_AS
from .program import Program, spaced_copy
from .surroundings import is_same

__all__ = ["Capturing", "Touched", "is_set_on"]

ndarray = np.ndarray


class Touched:
    """A tensor that was there before the step: its array, and the version that its memory had."""

    __slots__ = ("array", "node", "requires_grad", "tensor", "version")

    def __init__(self, tensor):
        self.tensor = tensor
        self.array = tensor._array
        self.node = tensor._node
        self.version = tensor._storage.version
        self.requires_grad = tensor.requires_grad


class Capturing:
    """One run of a step, and its ``program``."""

    def __init__(self, arguments, surroundings, continues=False, leaves=()):
        self.arguments = arguments
        self.surroundings = surroundings
        self.argument_versions = [x._storage.version for x in arguments]
        self.required_grad = [x.requires_grad for x in arguments]
        self.inputs: dict[
            int, Any
        ] = {}  # number of a memory -> (which argument, where in that memory it lies)
        #: .grad, before the step, of the tensors that are known by now, and of the leaves that got one when the step was noted last
        self.earlier = [*leaves, *arguments, *surroundings.tensors]
        self.entry_grads = {id(leaf): leaf._grad for leaf in self.earlier}
        self.program = Program()
        self.program.continues = continues
        self.program.abandon = self.end
        self.program.state_now = self.state_now
        self.touched: dict[int, Touched] = {}
        self.grads: dict[
            int, Any
        ] = {}  # id of a leaf's node -> (the node, its .grad when the first gradient came)
        self.copies: dict[
            int, Any
        ] = {}  # id of the owner of an argument's copy -> (the copy, the array, the memory)
        self.history: Any = None  # how gradients go back from its results, if they may: see history.py
        self.repeating = False
        self.guards: list[Any] = []  # functions that say whether what they watch is as it was
        self.called: list[Any] = []  # arrays that have names, with them
        self.modules: dict[int, Any] = {}  # id of a module -> (the module, what was set on it)

    # Around the run -----------------------------------------------------------------------------------------------------------

    def run(self, function, args, kwargs):
        """What ``function(*args, **kwargs)`` returns."""
        for optimizer in self.surroundings.optimizers:
            lay_side_by_side(optimizer)
        watch(self.watcher)
        thread_state.capturing = self
        of_modules = nn.modules.module
        hooks_used = of_modules._everywhere.used
        hook = of_modules.register_module_forward_pre_hook(self.enter_module)
        try:
            self.trace_arguments()
            for module in self.surroundings.modules:
                self.enter_module(module)
            self.touch(*[x for x in self.surroundings.tensors if _unfollowed(x) is None])
            with _followed_draws(), _collector_waiting():
                return function(*args, **kwargs)
        finally:
            thread_state.capturing = None
            hook.remove()
            hooks.changes -= 2  # nobody else sees this one come and go
            of_modules._everywhere.used = hooks_used
            unwatch(self.watcher)
            self.end()

    def trace_arguments(self):
        """Give the arguments traced copies of their arrays: what lies beside them in memory is no part of the step."""
        for i, tensor in enumerate(self.arguments):
            array = tensor._array
            if array.__class__ is Traced:  # given twice
                continue
            if (why := _unfollowed(tensor)) is not None:
                self.program.leak(f"an argument is {why}")
                return
            own = spaced_copy(array)
            memory = self.program.copy_of(array, own)
            self.inputs[memory.number] = i, self.program.place(own)
            self.copies[id(own if own.base is None else owner_of(own))] = own, array, memory
            tensor._array = self.program.trace(own)

    def enter_module(self, module, args=()):
        """A module is called: what is set on it is guarded."""
        if thread_state.capturing is self and id(module) not in self.modules:
            self.modules[id(module)] = module, state_of(module)

    def change(self):
        """What the step has changed of the program around it, in words; None if nothing."""
        for module, state in self.modules.values():
            for (name, value), (_, before) in zip(state_of(module), state):
                if not is_same(value, before):
                    return f"it changes {name} of a {type(module).__name__}"
            if not is_set_on(module, state):
                return f"it sets or deletes attributes of a {type(module).__name__}"
        return self.surroundings.change()

    def end(self, reason=None):
        """Note no more, and give all tensors and nodes arrays again; ``reason`` says why, before the step's end."""
        program = self.program
        program.open = False
        program.abandon = program.state_now = None  # no cycle: what was noted goes as soon as nobody needs it
        program.reason = program.reason or reason
        for own, array, memory in self.copies.values():
            if memory.pristine is not None:
                array[...] = own
        for x in gc.get_objects():
            kind = type(x)
            if issubclass(kind, Tensor):
                array = x._array
                if array.__class__ is Traced:
                    x._array = self.array_of(array.array)
                elif array.__class__ is Unresolved and array.stored.__class__ is Traced:
                    x._array = array.seeing(self.array_of(array.stored.array))
            elif issubclass(kind, Op):
                _restore_node(x)

    def array_of(self, array):
        """``array`` or, if it lies in a copy of an argument's, the same place of the argument's own."""
        found = self.copies.get(id(owner_of(array)))
        if found is None:
            return array
        own, original, _ = found
        if array is own:
            return original
        owner = owner_of(original)
        start = address(original) - byte_bounds(owner)[0] + address(array) - address(own)
        return (
            np.ndarray(array.shape, array.dtype, flat_bytes(owner), start, array.strides)
            if array.size
            else array
        )

    # What takes part -----------------------------------------------------------------------------------------------------------

    def touch(self, *tensors):
        """Let traced arrays stand in the place of the tensors' own."""
        for tensor in tensors:
            if self.program.open and tensor._array.__class__ is not Traced:
                self._touch(tensor)

    def _touch(self, tensor):
        array = tensor._array
        if (why := _unfollowed(tensor)) is not None:
            raise Leak(f"{why} takes part")
        if id(tensor) not in self.touched:
            self.touched[id(tensor)] = Touched(tensor)
        self.program.place(array)
        tensor._array = self.program.trace(array)

    @staticmethod
    def are_traced(*arrays):
        """Whether what is computed with these arrays is noted."""
        return all(array.__class__ is Traced for array in arrays)

    def watcher(self, cls, operands, params, proceed, writes):
        """An op is called: see ``_core/interpret.py``."""
        if not self.program.open:
            return proceed

        def proceed_inside():
            return self.inside(cls.function_name(), self.started, cls, operands, params, proceed)

        return proceed_inside

    watcher.whole_layers = True  # type: ignore[attr-defined]

    def started(self, cls, operands, params, proceed):
        """``proceed()``, for operands that are followed."""
        # what the step has made of constants is the same at each call
        sized = cls.sized_by is not None and operands[cls.sized_by]._array.__class__ is Traced
        self.touch(*[x for x in (*operands, *params) if isinstance(x, Tensor)])
        if (cls.shaped_by_values or sized) and self.program.open:
            raise Leak(
                f"the shape of the result of {cls.function_name()}() depends on the elements of a tensor"
            )
        return proceed()

    def inside(self, name, function, *args):
        """``function(*args)``, as part of the op ``name``."""
        program = self.program
        outer, program.operator = program.operator, name
        mark, program.mark = program.mark, len(program.steps)
        program.inside += 1
        try:
            return function(*args)
        except Leak as leak:
            if program.inside > 1 or not program.continues:
                raise
            self.end(str(leak))
        finally:
            program.inside -= 1
            program.operator, program.mark = outer, mark
        return function(*[untraced(x) for x in args])

    def names(self):
        """What the parameters and buffers of the modules that were called are called, and what optimizers keep of them, by ``Place.region``."""
        found = {self.program.place(array).region(): name for array, name in self.called}
        for module, _ in self.modules.values():
            for name, tensor in (*module.named_parameters(), *module.named_buffers()):
                array = tensor._array
                if array.__class__ is ndarray and self.program.knows(array):
                    name = re.sub(r"\W", "_", name)
                    name = f"_{name}" if name[0].isdigit() else name
                    region = self.program.place(array).region()
                    found[region] = max(found.get(region, ""), name, key=len)
        return found

    # Backward -------------------------------------------------------------------------------------------------------------------

    def node(self, function, node, g, xp, keep):
        """A node runs: see ``_core/engine.py``."""
        if not self.program.open:
            return function(node, g, xp, keep)
        self.program.new_state = True  # those of the step before may have been taken away meanwhile
        cls = type(node)
        if node._extra is not None or not (_computes_alone(cls) or _saves_nothing(cls)):
            if g.__class__ is ndarray:  # what is computed may be written into it
                g = self.program.trace(g)
            return self.inside(_name_of(cls), function, node, g, xp, keep)
        run = thread_state.run
        edges = node._next
        if run.skips and len(edges) > 1:
            edges = tuple([None if end is None or run.awaited.get(end) is SKIP else end for end in edges])
        outs = self.inside(_name_of(cls), self._gradients, node, edges, g, xp, keep)
        if not self.program.open:
            return outs
        # others may be added into what comes first
        return [
            self.program.trace(h) if h.__class__ is ndarray and run.awaited.get(n).__class__ is Await else h
            for n, h in zip(node._next, outs)
        ]

    def _gradients(self, node, edges, g, xp, keep):
        """The gradients along ``edges``: by the formulas on what is traced or, where they ask for elements, in one step."""
        if _saves_nothing(type(node)):
            values, along = (), _backward_alone
        else:
            values, along = node.values(xp, keep), _along
        mark = len(self.program.steps)
        try:
            return along(node, edges, xp, g, values)
        except Exception as error:  # not only a leak: it may be that something takes arrays only
            del self.program.steps[mark:]
            why = str(error)  # not the error, which would hold this frame
        alike = _alone(node, edges)
        wanted = [edge is not None for edge in edges]
        given = []  # the operands that get one

        def gradients(g, *values):
            outs = along(alike, alike._next, xp, g, list(values))
            given[:] = [i for i, h in enumerate(outs) if h is not None and wanted[i]]
            return tuple([outs[i] for i in given])

        gradients.__name__ = f"{type(node).__name__}.gradients"
        results = self.program.opaque(gradients, (g, *values), {}, why)
        outs = [None] * len(edges)
        for i, result in zip(given, results):
            outs[i] = result
        return outs

    def leaf(self, function, node, g, fresh, xp, capture, found):
        """A gradient has come to a leaf."""
        if self.program.open:
            if id(node) not in self.grads:
                self.grads[id(node)] = node, node.grad
            if node.grad is not None and (capture is None or capture[node, 0] is None):
                self.touch(node.grad)
        function(node, g, fresh, xp, capture, found)
        self.program.new_state = True

    def state_now(self):
        """How far the step has come: two dicts, by the ids of tensors.

        Of leaves whose ``.grad`` is not what it was before the step, a weak reference to what it is, and its version, or None if there is none; and by how much versions have grown.
        """
        found: dict = {}
        for leaf in self.earlier:
            if (grad := leaf._grad) is not self.entry_grads[id(leaf)]:
                found[id(leaf)] = None if grad is None else _seen(grad)
        for node, _ in self.grads.values():
            leaf = node.leaf()
            if leaf is not None and id(leaf) not in self.entry_grads and node.grad is not None:
                found[id(leaf)] = _seen(node.grad)
        versions = {id(t.tensor): t.tensor._storage.version - t.version for t in self.touched.values()}
        for x, before in zip(self.arguments, self.argument_versions):
            versions[id(x)] = x._storage.version - before
        return found, {key: change for key, change in versions.items() if change}

    def leaves(self):
        """Tensors whose ``.grad`` may have changed, by id: the tensor, its gradient before the step, and at the arrival of another, if one came in a list."""
        found = {id(leaf): (leaf, self.entry_grads[id(leaf)], []) for leaf in self.earlier}
        for node, at_arrival in self.grads.values():
            leaf = node.leaf()
            if leaf is not None:  # made in the step, and gone with it
                found.setdefault(id(leaf), (leaf, None, []))[2].append(at_arrival)
        return found

    # What else changes from call to call -----------------------------------------------------------------------------------------

    def repeat(self, function, *args, **kwargs):
        """What ``function`` returns, which changes no tensors: each run calls it again.  What it calls for its part is not noted."""
        if self.repeating:
            return function(*args, **kwargs)

        def again():
            function(*args, **kwargs)

        again.__name__ = function.__qualname__
        self.program.python(again)
        self.repeating = True
        try:
            with self.paused():
                return function(*args, **kwargs)
        finally:
            self.repeating = False

    @contextmanager
    def paused(self):
        """Do not note what is done meanwhile: it makes what is there before each later run."""
        program = self.program
        was, program.open = program.open, False
        try:
            yield
        finally:
            program.open = was

    def follow_state(self, optimizer, names):
        """Guard that an optimizer's state keeps its tensors; ``names`` are those of the buffers."""
        self.guards.append(StateGuard(optimizer, names))

    def follow_options(self, optimizer, group):
        """Guard what an optimizer reads of a group: of numbers, which are read anew in each run, whether they are zero."""
        self.program.operator = type(optimizer).__name__.lower()
        self.guards.append(OptionsGuard(group))

    constant_options = staticmethod(constant_options)

    def refilled(self, compute, dtype, group=None):
        """The numbers that ``compute()`` returns, as arrays without axes that are filled anew in each run; they depend on the options of ``group`` alone, if that is given."""
        values = compute()
        arrays = [None if value is None else np.array(value, dtype) for value in values]
        latest = [
            None,
            values,
        ]  # the options, and the numbers: no variables, which two notings must have alike

        def refill():
            options, before = latest
            if options is not None and group == options:
                return
            latest[:] = None if group is None else constant_options(group), compute()
            for array, value, was in zip(arrays, latest[1], before):
                if array is not None and (value != was or not value):  # zeros have a sign
                    array.fill(value)

        refill.fills = [array for array in arrays if array is not None]  # type: ignore[attr-defined]
        self.program.python(refill)
        return [None if array is None else self.program.trace_refilled(array) for array in arrays]


def _seen(grad):
    return ref(grad), 0 if thread_state.inference else grad._version


def _name_of(cls):
    """What the gradients of a node's class are called in the source."""
    return "d_" + (cls.function_name() if issubclass(cls, Op) and cls.plan is not None else cls.__name__)


def _computes_alone(cls):
    """Whether the nodes of a class compute their gradients by formulas, all of which ``along`` calls."""
    backward = cls.backward
    if not issubclass(cls, Op) or issubclass(cls, (Variadic, ViewOp, MultiViewOp)):
        return False
    return cls.plan is not None and (backward is Op.backward or backward.__code__.co_filename in _FAMILIES)


def _saves_nothing(cls):
    """Whether the gradients that the nodes of a class compute depend on nothing but what comes to them, on shapes and on parameters."""
    return cls is AsStridedBackward0 or (
        issubclass(cls, (Variadic, ViewOp, MultiViewOp)) and cls.plan is not None and not any(cls.plan.slots)
    )


def _along(node, edges, xp, g, values):
    return node.along(edges, xp, g, values)


def _backward_alone(node, edges, xp, g, values):
    return node.backward(xp, g, True)


_FAMILIES = {module.__file__ for module in (elementwise, general)}


def _alone(node, edges):
    """A node that computes as ``node`` does, and is part of no graph."""
    alike = object.__new__(type(node))
    alike._next = tuple([None if edge is None else True for edge in edges])
    alike._seq, alike._extra, alike._storage = 0, None, FRESH
    for name in _SHAPED_BY:
        if isinstance(getattr(type(node), name, None), MemberDescriptorType) and hasattr(node, name):
            setattr(alike, name, untraced(getattr(node, name)))
    return alike


#: The slots of nodes that have no saved values in them.
_SHAPED_BY = ("params", "shapes", "casts", "count", "chain", "template")


@contextmanager
def _collector_waiting():
    """Let no garbage be collected: what the collector calls, finalizers and its own callbacks, is no part of the step, and must not end the noting."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextmanager
def _followed_draws():
    """Let draws of random numbers be noted by the threads that note: each is made anew in every run."""
    global _following
    with _lock:
        _following += 1
        if _following == 1:
            for name in distributions.__all__:
                setattr(distributions, name, _followed(getattr(distributions, name)))
            for name in _OF_STATE:
                setattr(Generator, name, _refused(getattr(Generator, name)))
    try:
        yield
    finally:
        with _lock:
            _following -= 1
            if not _following:
                for name in distributions.__all__:
                    setattr(distributions, name, getattr(distributions, name).__wrapped__)
                for name in _OF_STATE:
                    setattr(Generator, name, getattr(Generator, name).__wrapped__)


_following = 0
_lock = held_while_forking(threading.RLock())


def _followed(draw):
    @functools.wraps(draw)
    def followed(*args, **kwargs):
        capturing = thread_state.capturing
        if capturing is None or not capturing.program.open:
            return draw(*args, **kwargs)
        if capturing.program.opaquely:
            capturing.program.drew = True
            return draw(*args, **kwargs)
        sources = [x for x in (*args, *kwargs.values()) if isinstance(x, Generator)] or [default_generator()]
        before = [(source, Generator.state_bytes.__wrapped__(source)) for source in sources]
        result = capturing.program.draw(draw, args, kwargs)
        capturing.program.steps[-1].undo = functools.partial(_restore_states, before)
        return result

    return followed


def _restore_states(states):
    """Let generators continue from where they were."""
    for generator, state in states:
        Generator.load_state_bytes.__wrapped__(generator, state)


#: What reads or changes where a generator is in its stream.
_OF_STATE = ("manual_seed", "seed", "state_bytes", "load_state_bytes")


def _refused(method):
    @functools.wraps(method)
    def refused(*args, **kwargs):
        capturing = thread_state.capturing
        if capturing is not None:
            capturing.program.leak("it sets or reads the state of a random generator")
        return method(*args, **kwargs)

    return refused


def _unfollowed(tensor):
    """What a tensor is whose array cannot be followed; None if it can."""
    if (
        tensor.__class__ in fast_classes
        and tensor._array.__class__ is ndarray
        and tensor._array.dtype.char != "V"
    ):
        return None
    return f"a {type(tensor).__name__} of dtype {tensor.dtype}"


def state_of(module):
    """What is set on a module, by name; of parameters, buffers and parts which they are."""
    found = []
    for name, value in vars(module).items():
        if name in ("_parameters", "_buffers", "_modules"):
            found += [(f"{name}[{key!r}]", x) for key, x in value.items()]
        elif name != KEPT_AS:
            found.append((name, value))
    return found


def is_set_on(module, state):
    """Whether ``state`` is what is set on a module."""
    now = state_of(module)
    return len(now) == len(state) and all(a == b and is_same(x, y) for (a, x), (b, y) in zip(now, state))


def _restore_node(node):
    for slots in node.plan.slots if node.plan is not None else ():
        if slots is not None:
            value = getattr(node, slots[0], None)
            if value.__class__ is Traced:
                setattr(node, slots[0], value.array)
    params = getattr(node, "params", ())
    if program_of(params) is not None:
        node.params = untraced(params)
