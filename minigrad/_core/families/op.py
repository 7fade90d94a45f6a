"""``Op``: what an operator is, before any family makes it quick.

An op is a class: its forward kernel and a formula per differentiable operand (see ``_ops/arithmetic.py`` for what they look
like).  ``Plan`` reads from the class what there is to know: what a formula mentions is what is saved.  ``Op`` records and runs any op, in
the general layout; the families beside this file have quicker ones.
"""

import functools
import re
from collections.abc import Callable
from operator import itemgetter
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from ..._arrays import vocabulary as arrays
from ..._arrays.in_parts import LARGE, MEMORY_BOUND, formula_in_parts
from ..._arrays.traced import Leak, program_of, untraced
from ..._arrays.unresolved import Unresolved, resolved, unresolved
from ..._base.dtypes import PACKED, from_numpy_dtype, scalar_type_name, when_bfloat16
from ..._base.errors import check_sizes, not_a_tensor, too_large
from ..._base.mixing import unknown_operand
from ..._display.help_text import LazySignature, documented, signature
from .. import late
from ..node import NOWHERE, Node, Port, tick
from ..out import into
from ..overriding import ask_operands, operand_met
from ..saved import (
    FREED,
    NEVER,
    Packed,
    RawSavedValue,
    Saved,
    SavedTensor,
    SavedValue,
    is_number,
    result,
    stale,
    stale_result,
)
from ..storage import FRESH, NUMBER
from ..tensor import Tensor, new, of_array

ndarray = np.ndarray
F32 = np.dtype("float32")
#: The dtypes whose nodes need casts: complex ones conjugate, a bfloat16 array becomes float32 beside a Python number, and formulas compute in
#: float32 with elements that NumPy has no type for.
casting = {np.dtype("complex64"), np.dtype("complex128"), *[dtype.np for dtype in PACKED]}
when_bfloat16(casting.add)
#: The dtypes that formulas compute in where one is that NumPy has no type for.
_wide = {dtype.np: np.dtype("complex64" if dtype.is_complex else "float32") for dtype in PACKED} | {
    np.dtype("float16"): F32
}

#: The classes of tensors that ops take straight: no override to honour, no transform's wrapper.
fast_classes = {Tensor}


def dispatch(cls, operands, params, out=None):
    """The general way to apply an op: see ``interpret.py``."""
    return late.general_way(cls, operands, params, out)


def dispatch_operator(cls, operands, operator, out=None):
    """Like ``dispatch``, for Python's ``operator``, such as ``__add__``: another operand's class may know what to do."""
    if out is not None:
        raise TypeError(f"Tensor.{operator}() takes 2 positional arguments but 3 were given")
    x, y = operands
    if operand_met(x) or operand_met(y):
        return ask_operands(getattr(Tensor, operator), operands, {})
    if not isinstance(y, operand_types):
        return unknown_operand(y)
    return dispatch(cls, (x, array_beside(x, y) if isinstance(y, ndarray) else y), ())


def array_beside(x, y):
    """An array as an operand beside tensor ``x``, by NumPy's promotion, to which a 0-dim array is an array like others."""
    dtype = x._array.dtype
    if dtype.kind != "V":  # the float16 that NumPy lacks promotes as in PyTorch
        y = y.astype(np.result_type(dtype, y), copy=False)
    return of_array(y.reshape((1,) * (x._array.ndim - y.ndim) + y.shape))


#: What may stand beside a tensor in a Python operator.
operand_types = (Tensor, bool, int, float, complex, np.generic, ndarray)


_floats: dict[np.dtype, dict[float, Tensor]] = {np.dtype(name): {} for name in ("float32", "float64")}
_ints: dict[np.dtype, dict[int, Tensor]] = {np.dtype(name): {} for name in ("float32", "float64", "int64")}
_MOST = 1000  # numbers kept per dtype


def number(value, dtype):
    """A Python number as a 0-dim tensor of ``dtype``, kept for the next time; None if promotion must decide."""
    if value.__class__ is float:
        table = _floats.get(dtype)
    elif value.__class__ is int:
        table = _ints.get(dtype)
    else:
        return None
    if table is None:
        return None
    found = table.get(value)
    return _new_number(value, dtype, table) if found is None else found


def is_kept(tensor):
    """Whether a tensor is one of those that ``number`` keeps."""
    tables = (table.get(tensor._array.dtype, {}) for table in (_floats, _ints))
    return tensor._array.ndim == 0 and any(x is tensor for table in tables for x in table.values())


def _new_number(value, dtype, table):
    if dtype.kind == "i":
        if not -(2**63) <= value < 2**63:
            return None
    elif value.__class__ is int and not -(2**53) <= value <= 2**53:
        return None
    tensor = new(Tensor)
    tensor._array = np.array(value, dtype)
    tensor._node = None
    tensor._storage = NUMBER
    if value == value and (value != 0 or value.__class__ is int):  # 0.0 and -0.0 are one key; nan is none
        if len(table) >= _MOST:
            table.clear()
        table[value] = tensor
    return tensor


#: The saved parameters that PyTorch keeps as integers and shows as unsigned ones.
_INTEGERS = {
    "dim", "dim0", "dim1", "dim2", "dims", "dimension", "diagonal", "offset", "k", "shifts", "index", "start", "end", "ignore_index",
    "divisor_override", "padding_idx",
}  # fmt: skip


def unsigned(value):
    """An integer, or integers, as PyTorch's nodes show them: -1 is 2**64 - 1."""
    if value.__class__ is tuple:
        return tuple([unsigned(v) for v in value])
    return value % 2**64 if value.__class__ is int else value


def slots_of_operands(count):
    """The slots of the first operands of any node: pairs (value, its version)."""
    return [(name, "v" + name) for name in ("x", "y", "w", *[f"x{i}" for i in range(3, count)])[:count]]


def slots_of_results(count):
    """The slots of the first results of any node: pairs (value, its version)."""
    return [(name, "v" + name) for name in ("z", *[f"z{i}" for i in range(1, count)])[:count]]


class Plan:
    """What is known of an op from its class: read once, when the class is made.

    Values are numbered: operands, then results, then parameters, then the operands' shapes.  ``place`` has the number
    of each name; ``mentions``, for each operand, those that its formula mentions; ``wanted_by``, for each operand, the
    operands whose formulas mention it; ``result_wanted_by``, the same for each result.  ``slots`` has, for each operand and result, the
    node's slots for it and for the version at which it was saved; None where no formula mentions it.

    What runs is ``direct``, functions of (xp, g, *what is mentioned), or ``bound``, functions of (xp, g, values): on Tensors the formula,
    on arrays the kernel that the class names beside it, if it does (see ``Op.fused``).
    """

    def __init__(self, cls):
        self.operands = tuple(cls.operands.split())
        self.arity = arity = len(self.operands)
        self.formulas = [getattr(cls, "vjp" if arity == 1 else "vjp_" + name, None) for name in self.operands]
        code = getattr(cls.forward, "__code__", None)
        self.params = () if code is None else code.co_varnames[arity : code.co_argcount]
        mentioned = tuple([None if f is None else parameters(f) for f in self.formulas])
        form = _form(cls.operands, cls.results, self.params, mentioned, cls.variadic)
        self.results, self.place, self.mentions, self.wanted_by, self.result_wanted_by, mentions_shapes = form
        self.needs_shapes = cls.broadcasts or mentions_shapes
        named = *slots_of_operands(arity), *slots_of_results(len(self.results))
        by = *self.wanted_by, *self.result_wanted_by
        self.slots = tuple([pair if asking else None for pair, asking in zip(named, by)])
        self.kernels = [
            getattr(cls, "fused" if arity == 1 else "fused_" + name, None) for name in self.operands
        ]
        run = list(zip(self.formulas, self.mentions, self.kernels))
        self.direct = tuple([f if kernel is None else beside(f, kernel) for f, _, kernel in run])
        self.bound = tuple([None if f is None else bind(f, m, kernel) for f, m, kernel in run])
        if arity > 1 and cls.fused is not None:  # of (g, needs, values)
            self.fused = bind(cls.fused, [self.place[name] for name in parameters(cls.fused)])


def parameters(formula):
    """The names that a formula mentions: its parameters after ``xp`` and ``g`` (after ``g`` and ``needs``, of a ``Fused`` op's kernel)."""
    code = formula.__code__
    return code.co_varnames[2 : code.co_argcount]


@functools.cache
def _form(operands, results, params, mentioned, variadic):
    """What a ``Plan`` has from the names alone, which most ops share with others."""
    operands, results = operands.split(), tuple(results.split())
    arity = len(operands)
    names = (*operands, *results, *params)
    place = {name: i for i, name in enumerate(names)}
    for i, name in enumerate(operands):
        place["shapes" if variadic else "shape" if arity == 1 else name + "_shape"] = len(names) + i
    mentions = tuple(tuple(place[name] for name in of_one or ()) for of_one in mentioned)
    wanted_by = [tuple(j for j in range(arity) if i in mentions[j]) for i in range(arity + len(results))]
    mentions_shapes = any(i >= len(names) for numbers in mentions for i in numbers)
    return results, place, mentions, tuple(wanted_by[:arity]), tuple(wanted_by[arity:]), mentions_shapes


def beside(formula, kernel):
    """The formula as a function that leaves arrays to the kernel, which takes the same but for ``xp``."""
    if len(parameters(formula)) == 1:
        return lambda xp, g, x: kernel(g, x) if xp is arrays else formula(xp, g, x)
    return lambda xp, g, *values: kernel(g, *values) if xp is arrays else formula(xp, g, *values)


def bind(formula, mentioned, kernel=None):
    """The formula, with the kernel beside it, as a function of (xp, g, values)."""
    if kernel is not None:
        if len(mentioned) == 1:
            (i,) = mentioned
            return lambda xp, g, values: kernel(g, values[i]) if xp is arrays else formula(xp, g, values[i])
        pick = itemgetter(*mentioned)
        return lambda xp, g, values: (
            kernel(g, *pick(values)) if xp is arrays else formula(xp, g, *pick(values))
        )
    if not mentioned:
        return lambda xp, g, values: formula(xp, g)
    if len(mentioned) == 1:
        (i,) = mentioned
        return lambda xp, g, values: formula(xp, g, values[i])
    pick = itemgetter(*mentioned)
    return lambda xp, g, values: formula(xp, g, *pick(values))


_humps = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def _snake(name):
    return _humps.sub("_", name).lower()


class _Slotted(type):
    """Gives every op class the slots for its operands and results, and no ``__dict__``: a node is 32 bytes smaller so, and quicker to make.

    ``class AddScaled(Pointwise, node="AddBackward0")``: users see the name of PyTorch's node, also where several classes stand for it.
    """

    def __new__(mcs, name, bases, body, node=None, **kwargs):
        slots = list(body.get("__slots__", ()))
        for pair in (
            *slots_of_operands(len(body.get("operands", "").split())),
            *slots_of_results(len(body.get("results", "").split())),
        ):
            slots += [slot for slot in pair if not any(hasattr(base, slot) for base in bases)]
        body["__slots__"] = tuple(slots)
        if node is not None:
            name = body["__qualname__"] = node
        return super().__new__(mcs, name, bases, body, **kwargs)


_NEVER = 1 << 62  # elements that no array has


class Op(Node, metaclass=_Slotted):
    """An operator: subclasses give ``forward`` and formulas; this class records and runs them, for any operands.

    All nodes have one layout.  A slot for each operand and each result holds what is saved of it (``x``, ``y``, ``w``, ``x3``, ...; ``z``, ``z1``,
    ...): a Tensor; the array, for a result; ``FREED`` after backward; a ``Packed``, where hooks keep it; or None.  Beside it stands the version that it
    had (``vx``, ...): one comparison with the version of now finds what is modified, freed and packed.  ``params`` are the parameters, ``shapes`` the shape of the
    operand, or those of the operands; ``casts`` is None where formulas run as they are, else see ``along``.  What a class never needs is a constant
    of the class.
    """

    forward: Any

    __slots__ = ("params", "shapes", "casts")
    operands = "x"
    results = "z"
    nondiff: tuple[int, ...] = ()  # numbers of the results that have no gradient (indices)
    broadcasts = False  # elementwise over several operands
    mixes = False  # an op of two operands that may have two floating dtypes: formulas compute in the result's
    costly = False  # elementwise, and slower than memory: large arrays are taken part by part
    shared = False  # elementwise, and as quick as memory: only very large arrays are taken part by part
    large_from = _NEVER  # how many elements that is
    floats = False  # integer operands are converted to the default dtype
    #: Formulas are C-linear: the family conjugates for complex dtypes; False: they do it themselves.
    conjugates = True
    conditions = 0  # how many of the first operands are conditions, which take no part in promotion
    #: A kernel that computes on arrays what ``vjp`` says, and faster: ``fused(g, ...)``, which takes what the formula mentions, in its order
    #: (so a formula mentions what only its kernel needs as well: one signature says what is saved).
    #: Of several operands: ``fused_x``, ``fused_y``, ... beside ``vjp_x``, ``vjp_y``, ...; or one for all gradients at once, see ``Fused``.
    fused: Callable | None = None
    #: Of one operand and several results, what computes the first result alone, in less time; the op's function then has another, ``first``, that returns it.
    alone: Callable | None = None
    #: Raises for operands of the general path that NumPy would take and PyTorch refuses.
    check: Callable | None = None
    truth = False  # results are bool, whatever the operands are
    ordered = False  # an order, which complex numbers do not have
    kernel: str | None = None  # the name in "... not implemented for", where it is not the function's
    #: The dtype that ``out=`` must have, "operand" or "result": its dtype; None: any that can hold the result; "refused": PyTorch's function has no ``out``.
    out_dtype: str | None = None
    never_recorded = False  # whether no operand, nor an ``out``, may require grad: PyTorch has no derivative, not even one that is zero
    exact_numbers = False  # whether a number beside tensors of half precision is not rounded before the op
    tensors_first = 1  # how many of the operands may not be Python numbers
    #: In place: whether elements may share memory; a text is an example for the warning with which they may.
    fills: bool | str = False
    #: For tangents, where the family's rule is not the best: a formula as ``vjp`` is, or ``jvp_x``, ``jvp_y``, ... of several operands.
    jvp: Callable | None = None
    gives_zeros = False  # whether all formulas give zeros, whatever the values: no gradient comes through
    linear = False  # whether the op is linear in all operands that have formulas, taken together: tangents go through it themselves
    #: For vmap, where the family has no rule: how a batch goes through the op, a rule of ``_ops/batches.py`` or a function like one.
    batch: Callable | None = None
    tracks = True  # in place: False where autograd takes no notice of the write
    variadic = False  # the operand is a sequence of tensors
    shares_memory = False  # whether results are views of the operand
    optional_from = 9  # operands from this place on may be None
    public: str | None = None  # the function's name, where it does not follow from the class's
    more_saved = ""  # names that ``saved`` knows besides those of operands, results, parameters and shapes
    # What is told of the op elsewhere:
    #: PyTorch's name for it, such as ``mul.Tensor``, where that is not the function's and ``default``; a function of (operands, params); or the overload
    #: depends on the kinds of operands: ``eq.{other}`` (see ``_ops/aten.py``).
    aten: str | Callable | None = None
    aten_: str | None = None  # the same in place, where that is not ``mul_.Tensor``
    aten_operands: Callable | None = None  # the operands of PyTorch's function, made of those here
    #: Inside autocast: "lower" computes in its dtype, "full" in float32.
    autocast: str | None = None
    #: The names that a profile shows for it, from the outside in: "softmax _softmax"; a function of (operands, params); None: the function's, around ``aten``'s.
    event: str | Callable | None = None
    # As formulas, the next ones are called with what they mention, by name:
    #: What PyTorch's function takes, in its order: of descriptions of operands and parameters, and ``name``, one of the names of ``event``.
    inputs: Callable | None = None
    #: Floating-point operations, of the operands' shapes and the parameters: pairs of a multiplication and an addition; and others.
    mult_adds: Callable | None = None
    flops: Callable | None = None
    counted = -1  # which of the names of ``event`` a profile counts them for
    result_shape: Callable | None = None  # of the operands' shapes, where the kernel is costly
    draws = False  # elementwise random numbers: to run the op again would move the generator
    shaped_by_values = False  # the shapes of results depend on elements that are not kept
    sized_by: int | None = None  # the operand on whose elements it depends how many results have
    call: Any = None
    plan: Any = None

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "names" in cls.__dict__:
            cls.names = {**Node.names, **cls.__dict__["names"]}
        cls.large_from = LARGE if cls.costly else MEMORY_BOUND if cls.shared else _NEVER
        if "forward" in cls.__dict__:
            cls.plan = Plan(cls)
            cls.params = Op.__dict__["params"] if cls.plan.params else ()
            cls.shapes = Op.__dict__["shapes"] if cls.plan.needs_shapes else None
            if (
                "backward" not in cls.__dict__
            ):  # not the quick one that a family made for the formulas of another op
                families = [base for base in cls.__mro__ if "backward" in base.__dict__ and base.plan is None]
                cls.backward = families[0].backward
        if cls.plan is not None:
            _name_saved({*(cls.names.get(name, name) for name in cls.plan.place), *cls.more_saved.split()})

    def places_of_next(self):
        """Which of the inputs are counted in ``next_functions``: those that are differentiable."""
        return [i for i, formula in enumerate(self.plan.formulas) if formula is not None]

    @classmethod
    def function_name(cls):
        """The name of the public function: ``log_softmax`` for ``LogSoftmaxBackward0``."""
        name = cls.__name__
        return cls.public or _snake(name.rpartition("Backward")[0] or name)

    def backward(self, xp, g, keep):
        """The gradients of the operands, None where none is wanted."""
        return self.along(self._next, xp, g, self.values(xp, keep))

    def unreached(self, xp, keep):
        """What goes along the edges if no gradient has arrived: none; what was saved is checked and, unless ``keep``, freed all the same."""
        self.values(xp, keep)
        return (None,) * len(self._next)

    def backward_towards(self, edges, xp, g, keep):
        """Like ``backward``, for what is to go along ``edges`` only; what the other formulas mention is checked and freed all the same."""
        return self.along(edges, xp, g, self.values(xp, keep))

    def along(self, edges, xp, g, values):
        """The gradients to go along ``edges``, from all that formulas may mention.

        ``casts`` is a pair: the dtype that formulas compute in (None: that of the values), and the operands' own.
        """
        plan = self.plan
        common, own_dtypes = self.casts or NO_CASTS
        if common is not None and common.char == "V":
            common = _wide[common]
            values = [widened(xp, v) for v in values]
            g = widened(xp, g) if self._outputs == 1 else [widened(xp, h) for h in g]
        conjugated = common is not None and common.kind == "c" and self.conjugates
        given = g
        if common is not None:
            for i in range(self.conditions, plan.arity):
                # indices stay integers
                if values[i] is not None and (self.broadcasts or own_dtypes[i].kind in "fcV"):
                    values[i] = xp.astype(values[i], common)
            if conjugated:
                g = xp.conj(g) if self._outputs == 1 else [None if h is None else xp.conj(h) for h in g]
        shapes = self.shapes
        broadcasts = self.broadcasts and shapes is not None  # None: no operand was broadcast
        large = xp is arrays and self._outputs == 1 and g.size >= self.large_from
        outs = []
        for i, (edge, formula) in enumerate(zip(edges, plan.bound)):
            if edge is None or edge is NOWHERE or formula is None:
                outs.append(None)
                continue
            out = formula_in_parts(formula, xp, g, values) if large else formula(xp, g, values)
            if out is not None:
                if broadcasts:
                    out = xp.sum_to(out, shapes[i])
                if common is not None:
                    if conjugated:  # a hook may write to what a formula only passes on
                        out = given if out is g else xp.conj(out)
                    computed = out.dtype if xp is arrays else out._array.dtype
                    if computed is not own_dtypes[i]:
                        out = xp.astype(out, own_dtypes[i])
            outs.append(out)
        return outs

    def values(self, xp, keep):
        """All that formulas may mention: operands, results, parameters, shapes; checked and, unless ``keep``, freed."""
        plan, raw = self.plan, xp is arrays
        arity = plan.arity
        values = []
        for i, slots in enumerate(plan.slots):
            value = None if slots is None else getattr(self, slots[0])
            if value is not None:
                version = getattr(self, slots[1])
                if value.__class__ is ndarray or (i >= arity and not isinstance(value, (Tensor, Packed))):
                    nr = i - arity
                    storage = self.storage_of(nr)
                    if storage.version != version:
                        raise stale_result(self, value, version, storage, nr)
                    if not raw:
                        value = result(self, value, storage, nr if self._outputs > 1 else None)
                else:
                    if value._storage.version != version:
                        value = self.opened(i, value, version, raw)
                    if raw:
                        value = value._array
            values.append(value)
        if not keep:
            for slots in plan.slots:
                if slots is not None and getattr(self, slots[0]) is not None:
                    setattr(self, slots[0], FREED)
                    setattr(self, slots[1], NEVER)
        values += self.params
        if self.shapes is not None:
            values += (self.shapes,) if arity == 1 else self.shapes
        return values

    def opened(self, i, value, version, silent=False):
        """Value number ``i``, of which the version is not the one saved: a tensor if hooks have packed it, else RuntimeError is raised."""
        if value.__class__ is Packed:
            nr = i - self.plan.arity
            return value.tensor(value.edge if nr < 0 else self.end_of_result(nr), silent)
        raise stale(value, version) if value is FREED or i >= self.plan.arity else self._first_stale()

    def _first_stale(self):
        """The error for operands that were modified: PyTorch opens what a node saved in the alphabetical order of its names, and speaks of the first."""
        plan, found = self.plan, {}
        for name, slots in zip(plan.place, plan.slots[: plan.arity]):
            if slots is not None:
                value = getattr(self, slots[0], None)
                if isinstance(value, Tensor) and value._storage.version != getattr(self, slots[1]):
                    found[self.names.get(name, name)] = value, getattr(self, slots[1])
        return stale(*found[min(found)])

    def opened_result(self, xp):
        """The only result, of which the version is not the one saved, for formulas; else RuntimeError is raised."""
        z = self.z
        if z.__class__ is Packed:
            z = z.tensor(self, xp is arrays)
            return z._array if xp is arrays else z
        raise stale_result(self, z, self.vz, self._storage)

    def storage_of(self, nr):
        """The storage of result number ``nr``."""
        storage = self._storage
        return storage[nr] if storage.__class__ is list else storage

    @classmethod
    def places(cls):
        """PyTorch's names of the values that this op saves, as far as its formulas need them -> their numbers."""
        plan = cls.plan
        mentioned = {i for m in plan.mentions for i in m}
        first_param = plan.arity + len(plan.results)
        first_shape = first_param + len(plan.params)
        return {
            cls.names.get(name, name): i
            for name, i in plan.place.items()
            if (i in mentioned or (first_param <= i < first_shape and name not in _NEEDED_FORWARD))
            and (i < first_shape or name in cls.names)
        }

    def saved(self, name):
        """The saved value that PyTorch calls ``name``: a tensor, None if nobody needs it, or a parameter as it is."""
        i = self.places().get(name)
        if i is None:
            from .shown import unsaved

            return unsaved(self, name)
        return unsigned(self.value(i)) if name in _INTEGERS else self.value(i)

    def held(self, i):
        """What is kept as value number ``i``: a tensor, a result's array, ``FREED``, a ``Packed``, or None."""
        slots = self.plan.slots[i]
        return None if slots is None else getattr(self, slots[0])

    def value(self, i):
        """Value number ``i`` (see ``Plan``) as users see it; raises RuntimeError if it was freed or modified."""
        plan = self.plan
        nr = i - plan.arity
        if nr >= len(plan.results):
            shapes = (self.shapes,) if plan.arity == 1 else self.shapes or (None,) * plan.arity
            return (*self.params, *shapes)[nr - len(plan.results)]
        held = self.held(i)
        if held is None:
            return None
        version = getattr(self, plan.slots[i][1])
        if held.__class__ is Packed or isinstance(held, Tensor):
            if held._storage.version != version:
                return self.opened(i, held, version)
            return of_array(held._array.copy()) if is_number(held) else held
        storage = self.storage_of(nr)
        if storage.version != version:
            raise stale_result(self, held, version, storage, nr)
        return result(self, held, storage, nr if self._outputs > 1 else None)

    def raw_saved(self, name):
        """The saved tensor that PyTorch calls ``name`` (a tuple, for indices), to register hooks on."""
        place = self.places().get(name)
        if place is None or place >= self.plan.arity + len(self.plan.results):
            return Node.raw_saved(self, name)
        return SavedTensor._of(self, place)

    def places_held(self):
        """The numbers of the values (see ``Plan``) that are saved tensors here."""
        places = []
        for i, slots in enumerate(self.plan.slots):
            if slots is not None:
                held = getattr(self, slots[0])
                if held is not None and not is_number(held):
                    places.append(i)
        return places

    def saved_values(self):
        """A ``Saved`` for each tensor that this node saved.  Nothing is unpacked, freed or changed by the question."""
        names = {i: name for name, i in self.places().items()}
        found = []
        for i in Op.places_held(self):
            held, version = (getattr(self, slot) for slot in self.plan.slots[i])
            of_result = not isinstance(held, (Tensor, Packed))
            storage = self.storage_of(i - self.plan.arity) if of_result else held._storage
            found.append(Saved(names.get(i, f"value {i}"), held, version, storage))
        return found

    def hold(self, i, packed):
        """Keep ``packed`` as value number ``i``."""
        slot, version = self.plan.slots[i]
        setattr(self, slot, packed)
        setattr(self, version, NEVER)
        if i >= self.plan.arity:
            packed.edge = None  # that of a result is this node: see end_of_result

    def end_of_result(self, nr):
        """The edge that leads to result number ``nr``; None for one without gradient."""
        if nr in self.nondiff:
            return None
        return Port(self, nr) if self._outputs > 1 else self

    def __dir__(self):
        cls = type(self)
        names = {
            name for name in object.__dir__(self) if not isinstance(getattr(cls, name, None), SavedValue)
        }
        from .shown import names_shown

        shown = names_shown(cls)
        names.update("_saved_" + name for name in (self.places() if shown is None else shown))
        return sorted(
            names
            | {"_raw_saved_" + name for name in self.names_of_tensors() if shown is None or name in shown}
        )

    @classmethod
    def names_of_tensors(cls):
        """PyTorch's names of the saved values that are tensors."""
        first_param = cls.plan.arity + len(cls.plan.results)
        return [name for name, i in cls.places().items() if i < first_param]


_named: set[str] = set()  # the names of values that some op may save


def _name_saved(names):
    """Let all nodes have attributes for saved values of these names: those that a class does not save raise AttributeError."""
    for name in names - _named:
        _named.add(name)
        setattr(Op, "_saved_" + name, SavedValue(name))
        setattr(Op, "_raw_saved_" + name, RawSavedValue(name))


# Those that no class here has by itself: see shown.py.
_name_saved(
    frozenset(
        [
            "LU",
            "LU_data_sym_argsize_minus_1",
            "LU_data_sym_argsize_minus_2",
            "S_sym_argsize_minus_1",
            "batch1_sym_argsize_0",
            "batch1_sym_argsize_1",
            "batch2_sym_argsize_2",
            "bias",
            "buffer",
            "mat1_sym_sizes",
            "mat1_sym_strides",
            "mat2_sym_sizes",
            "mat2_sym_strides",
            "mean_sym_sizes",
            "offsets",
            "pivot",
            "pivots",
            "result",
            "self",
            "self_sym_argsize_minus_1",
            "self_sym_argsize_minus_2",
            "self_sym_sizes",
            "self_sym_strides",
            "source",
            "source_dim",
            "sparse_grad",
            "std_sym_sizes",
            "weight_sym_argsize_0",
        ]
    )
)


def record(cls, operands, params, za, edges, casts=None):
    """A node for one application of ``cls``, whatever its operands: families have quicker ways for the common cases.

    ``za`` is the result's array, or a tuple of them; ``casts`` is (common dtype, dtypes of the operands) where they differ or are
    complex.
    """
    plan = cls.plan
    node = cls()
    node._next = edges
    node._seq = tick()
    node._extra = None
    wanted = [edge is not None for edge in edges]
    alone = wanted  # where only one formula asks for a value: an edge that leads nowhere asks for nothing
    if NOWHERE in edges and len(edges) > 1:
        alone = [edge is not None and edge is not NOWHERE for edge in edges]
        casts = casts or NO_CASTS
    elif casts is None and za.__class__ is ndarray and za.size >= cls.large_from:
        casts = NO_CASTS
    zs = za if za.__class__ is tuple else (za,)
    values = *operands, *zs
    asking = *plan.wanted_by, *plan.result_wanted_by
    for slots, value, by in zip(plan.slots, values, asking):
        if slots is None:
            continue
        asked = wanted if len(by) > 1 else alone
        if value is None or not any(asked[j] for j in by):
            setattr(node, slots[0], None)
            continue
        setattr(node, slots[0], value)
        setattr(node, slots[1], value._storage.version if isinstance(value, Tensor) else 0)
    node._storage = FRESH if node._outputs == 1 else [FRESH] * len(zs)
    if plan.params:
        node.params = params
    node.casts = casts
    if plan.needs_shapes:
        shapes = tuple([None if x is None else x._array.shape for x in operands])
        node.shapes = shapes[0] if plan.arity == 1 else shapes
    return node


#: The casts of a node whose formulas run as they are, but not in its family's quick way.
NO_CASTS = None, ()


def widened(xp, value):
    """What formulas compute with in place of a value of elements that NumPy has no type for, or of half precision beside such."""
    if not isinstance(value, (ndarray, Unresolved, Tensor)):
        return value
    wide = _wide.get((value._array if isinstance(value, Tensor) else value).dtype)
    return value if wide is None else xp.astype(value, wide)


#: Parameters that PyTorch does not save: kernels need them, and formulas only of the few operators that mention them.
_NEEDED_FORWARD = {
    "compute_mode", "decimals", "descending", "driver", "dtype", "generator", "include_last_offset", "k", "largest", "memory_format", "momentum", "name",
    "nan", "neginf", "posinf", "rcond", "size", "sorted", "std", "uplo", "value",
}  # fmt: skip


def casts_for(common, *own_dtypes):
    """The ``casts`` of a node whose formulas compute in the dtype ``common``: None if there is nothing to convert or conjugate."""
    return (common, own_dtypes) if common in casting else None


def named_error(cls, value, place):
    """The error for an operand that is not a tensor."""
    name = cls.plan.operands[place]
    theirs = cls.names.get(name, name)
    return not_a_tensor(cls.function_name(), "input" if theirs == "self" else theirs, place + 1, value)


def too_many(cls, count, suffix=""):
    """The error for a call with more than the operands and parameters of an op: ``count`` arguments."""
    most = cls.plan.arity + len(cls.plan.params)
    return TypeError(
        f"{cls.function_name()}{suffix}() takes {most} positional argument{'s' * (most != 1)} but {count} were given"
    )


def no_kernel(cls, np_dtype):
    """The error for a dtype that an op does not take."""
    name = scalar_type_name(from_numpy_dtype(np_dtype))
    return NotImplementedError(
        f"\"{cls.kernel or cls.function_name() + '_cpu'}\" not implemented for '{name}'"
    )


def kernel_error(cls, error, xs, params=()):
    """What to do when a kernel raised: its result if it only warned, else the error in PyTorch's words."""
    if isinstance(error, (RuntimeWarning, FloatingPointError)):
        # the program turned NumPy's warnings into errors; infinities and nans are values here
        with np.errstate(all="ignore"):
            return cls.forward(*xs, *params)
    if isinstance(error, MemoryError):
        raise too_large(error) from None
    program = program_of(xs)
    if program is not None:
        # a kernel that asks for elements is noted as one step
        try:
            return program.opaque(cls.forward, (*xs, *params), {}, str(error))
        except Leak:
            raise
        except Exception as another:
            return kernel_error(cls, another, untraced(xs), untraced(params))
    if not cls.shares_memory and unresolved(*xs):
        # a kernel that takes arrays only
        xs = resolved(xs)
        try:
            return cls.forward(*xs, *params)
        except Exception as another:
            return kernel_error(cls, another, xs, params)
    if isinstance(error, ValueError) and cls.broadcasts:
        shapes = [x.shape for x in xs if x is not None]
        for i in range(1, len(shapes)):
            check_sizes(shapes[0], shapes[i])
        if any(shape != shapes[0] for shape in shapes):
            # they fit, but the kernel writes into what it made of one of them
            whole = iter(np.broadcast_arrays(*[x for x in xs if x is not None]))
            return cls.forward(*[None if x is None else next(whole) for x in xs], *params)
    if any(getattr(x, "dtype", F32).char == "V" for x in xs):
        from ..packed import of_packed

        return of_packed(cls, xs, params, kernel_error)
    refuse = getattr(cls, "refuse", None)
    if refuse is not None:
        refuse(error, xs, params)
    if isinstance(error, TypeError) and "ufunc" in str(error):
        wanted = (p for p in params if isinstance(p, np.dtype) and p.char == "V")
        raise no_kernel(cls, next(wanted, next(x.dtype for x in xs if x is not None))) from None
    if params:
        from ..._base.argument_kinds import refuse_parameters

        refuse_parameters(cls.function_name(), dict(zip(cls.plan.params, params)))
    try:
        raise error
    finally:
        del error  # this frame is in the error's traceback: no circle through it


def own_code(function, name, by_position=False):
    """A closure that a family made, with its name and a code object of its own: tracebacks and profilers say which op it is, and Python, which
    adapts code objects to what runs in them, adapts this one to its op alone: recording is a tenth quicker.

    ``by_position``: ``out`` is no keyword, as befits an operator: Python looks up the default of a keyword at each call, 0.01 us.
    """
    names = {"co_name": name.rpartition(".")[2]}
    if hasattr(function.__code__, "co_qualname"):  # from Python 3.11 on
        names["co_qualname"] = name
    defaults, by_keyword = function.__defaults__, function.__kwdefaults__
    if by_position:
        names |= {"co_argcount": function.__code__.co_argcount + 1, "co_kwonlyargcount": 0}
        defaults, by_keyword = (by_keyword["out"],), None
    # a new function: from Python 3.13 on, calls of one that was given another code object are never specialised
    code = function.__code__.replace(**names)
    own = FunctionType(code, function.__globals__, names["co_name"], defaults, function.__closure__)
    own.__qualname__, own.__kwdefaults__ = name, by_keyword
    return own


def named(cls, call):
    """Give the function its name, docstring and signature, and let the class know its function."""
    call = own_code(call, cls.function_name())
    call.__doc__ = documented(cls, call)
    call.__signature__ = LazySignature(signature, cls, call.__code__)
    call.__module__ = cls.__module__
    call.op = cls
    call.into = MethodType(into, call)
    cls.call = staticmethod(call)
    return call
