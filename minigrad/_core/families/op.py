"""``Op``: what an operator is, before any family makes it quick.

An op is a class: its forward kernel and a formula per differentiable operand (see ``_ops/arithmetic.py`` for what they look
like).  ``Plan`` reads from the class what there is to know: what a formula mentions is what is saved.  ``Op`` records and runs any op, in
the general layout; the families beside this file have quicker ones.
"""

import functools
import re
from collections.abc import Callable
from operator import itemgetter
from typing import Any

import numpy as np

from ..._arrays import vocabulary as arrays
from ..._base.dtypes import from_numpy_dtype, scalar_type_name, when_bfloat16
from ..._base.errors import check_sizes, not_a_tensor
from ..node import NOWHERE, Node, Port, tick
from ..saved import FREED, Packed, SavedTensor, is_number, result, stale, stale_result
from ..storage import FRESH, GONE, NUMBER
from ..tensor import Tensor, new, of_array

ndarray = np.ndarray
F32 = np.dtype("float32")
#: The dtypes whose nodes need casts: complex ones conjugate, and a bfloat16 array becomes float32 beside a Python number.
casting = {np.dtype("complex64"), np.dtype("complex128")}
when_bfloat16(casting.add)

#: The classes of tensors that ops take straight: no override to honour, no transform's wrapper.
plain = {Tensor}

_general_way = None


def set_general_way(function):
    """Let ``interpret.py``, which stands above, say what ``slow`` does."""
    global _general_way
    _general_way = function


def slow(cls, operands, params, out=None):
    """The general way to apply an op: see ``interpret.py``."""
    return _general_way(cls, operands, params, out)


def slow_operator(cls, operands):
    """As ``slow``, for a Python operator: another operand's class may know what to do."""
    x, y = operands
    if not isinstance(y, operand_types):
        return NotImplemented
    return slow(cls, (x, array_beside(x, y) if isinstance(y, ndarray) else y), ())


def array_beside(x, y):
    """An array as an operand beside tensor ``x``, by NumPy's promotion, to which a 0-dim array is an array like others."""
    y = y.astype(np.result_type(x._array.dtype, y), copy=False)
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
}  # fmt: skip


def unsigned(value):
    """An integer, or integers, as PyTorch's nodes show them: -1 is 2**64 - 1."""
    if value.__class__ is tuple:
        return tuple([unsigned(v) for v in value])
    return value % 2**64 if value.__class__ is int else value


class Plan:
    """What is known of an op from its class: read once, when the class is made.

    Values are numbered: operands, then results, then parameters, then the operands' shapes.  ``place`` has the number
    of each name; ``mentions``, for each operand, those that its formula mentions; ``wanted_by``, for each operand, the
    operands whose formulas mention it; ``result_wanted_by``, the same for each result.

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
    """Gives every op class empty ``__slots__``: a node without a ``__dict__`` is 32 bytes smaller, and quicker to make."""

    def __new__(mcs, name, bases, body, **kwargs):
        body.setdefault("__slots__", ())
        return super().__new__(mcs, name, bases, body, **kwargs)


class Op(Node, metaclass=_Slotted):
    """An operator: subclasses give ``forward`` and formulas; this class records and runs them, for any operands.

    The layout of saved values here is the general one: tuples over all operands.  ``unary``, ``binary`` and ``one`` have quicker
    ones of their own; in-place and mixed-dtype calls of their ops use the general one, through ``general(cls)``.
    """

    __slots__ = ("x", "vx", "y", "vy", "z", "vz", "params", "dtypes")
    operands = "x"
    results = "z"
    nondiff: tuple[int, ...] = ()  # numbers of the results that have no gradient (indices)
    broadcasts = False  # elementwise over several operands
    floats = False  # integer operands are converted to the default dtype
    #: Formulas are C-linear: the family conjugates for complex dtypes; False: they do it themselves.
    conjugates = True
    conditions = 0  # how many of the first operands are conditions, which take no part in promotion
    #: A kernel that computes on arrays what ``vjp`` says, and faster: ``fused(g, ...)``, which takes what the formula mentions, in its order
    #: (so a formula mentions what only its kernel needs as well: one signature says what is saved).
    #: Of several operands: ``fused_x``, ``fused_y``, ... beside ``vjp_x``, ``vjp_y``, ...; or one for all gradients at once, see ``Fused``.
    fused: Callable | None = None
    #: Raises for operands of the general path that NumPy would take and PyTorch refuses.
    check: Callable | None = None
    truth = False  # results are bool, whatever the operands are
    ordered = False  # an order, which complex numbers do not have
    kernel: str | None = None  # the name in "... not implemented for", where it is not the function's
    keeps_dtype = False  # whether ``out=`` must have the operand's dtype
    exact_numbers = False  # whether a number beside tensors of half precision is not rounded before the op
    tensors_first = 1  # how many of the operands may not be Python numbers
    #: In place: whether elements may share memory; a text is an example for the warning with which they may.
    fills: bool | str = False
    #: For tangents, where the family's rule is not the best: a formula as ``vjp`` is, or ``jvp_x``, ``jvp_y``, ... of several operands.
    jvp: Callable | None = None
    linear = False  # whether the op is linear in all operands that have formulas, taken together: tangents go through it themselves
    #: For vmap, where the family has no rule: how a batch goes through the op, a rule of ``_ops/batches.py`` or a function like one.
    batch: Callable | None = None
    tracks = True  # in place: False where autograd takes no notice of the write
    variadic = False  # the operand is a sequence of tensors
    optional_from = 9  # operands from this place on may be None
    public: str | None = None  # the function's name, where it does not follow from the class's
    call: Any = None
    plan: Any = None

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "names" in cls.__dict__:
            cls.names = {**Node.names, **cls.__dict__["names"]}
        cls._general = None
        if "forward" in cls.__dict__:
            cls.plan = Plan(cls)

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

    def along(self, edges, xp, g, values):
        """The gradients to go along ``edges``, from all that formulas may mention."""
        plan = self.plan
        casts = self.dtypes
        if casts is not None:
            common, own_dtypes = casts
            arity = plan.arity
            for i in range(self.conditions, arity):
                # indices stay integers
                if values[i] is not None and (self.broadcasts or own_dtypes[i].kind in "fcV"):
                    values[i] = xp.astype(values[i], common)
            if common.kind == "c" and self.conjugates:
                g = xp.conj(g) if self._outputs == 1 else [None if h is None else xp.conj(h) for h in g]
        shapes = self.shapes
        broadcasts = self.broadcasts and shapes is not None  # None: no operand was broadcast
        outs = []
        for i, (edge, formula) in enumerate(zip(edges, plan.bound)):
            if edge is None or edge is NOWHERE or formula is None:
                outs.append(None)
                continue
            out = formula(xp, g, values)
            if out is not None:
                if broadcasts:
                    out = xp.sum_to(out, shapes[i])
                if casts is not None:
                    if common.kind == "c" and self.conjugates:
                        out = xp.conj(out)
                    if own_dtypes[i] is not common or common.kind == "V":
                        out = xp.astype(out, own_dtypes[i])
            outs.append(out)
        return outs

    def backward_towards(self, edges, xp, g, keep):
        """As ``backward``, for what is to go along ``edges`` only; what the other formulas mention is checked and freed all the same."""
        self.generalise()
        return self.along(edges, xp, g, self.values(xp, keep))

    def values(self, xp, keep):
        """All that formulas may mention: operands, results, parameters, shapes; checked and, unless ``keep``, freed."""
        raw = xp is arrays
        values = []
        for x, version in zip(self.x, self.vx):
            if x is not None:
                if x.__class__ is Packed:
                    x = x.tensor(x.edge, raw)
                elif x._storage.version != version:
                    raise stale(x, version)
                if raw:
                    x = x._array
            values.append(x)
        storage = self._storage
        several = storage.__class__ is list
        for nr, (z, version) in enumerate(zip(self.z, self.vz)):
            if isinstance(z, Tensor):  # a result without gradient, such as indices: saved as it is
                if z._storage.version != version:
                    raise stale(z, version)
                if raw:
                    z = z._array
            elif z.__class__ is Packed:
                z = z.tensor(self.end_of_result(nr), raw)
                if raw:
                    z = z._array
            elif z is not None:
                s = storage[nr] if several else storage
                if s.version != version:
                    raise stale_result(self, z, version, s, nr)
                if not raw:
                    z = result(self, z, s, nr if self._outputs > 1 else None)
            values.append(z)
        if not keep:
            self.x = tuple(None if x is None else FREED for x in self.x)
            self.z = tuple(None if z is None else FREED for z in self.z)
        values += self.params
        if self.shapes is not None:
            values += self.shapes
        return values

    @classmethod
    def places(cls):
        """PyTorch's names of the values that this op saves -> their numbers."""
        plan = cls.plan
        mentioned = {i for m in plan.mentions for i in m}
        first_param = plan.arity + len(plan.results)
        return {
            cls.names.get(name, name): i
            for name, i in plan.place.items()
            if i in mentioned or first_param <= i < first_param + len(plan.params)
        }

    def saved(self, name):
        """The saved value that PyTorch calls ``name``: a tensor, None if nobody needs it, or a parameter as it is."""
        i = self.places().get(name)
        if i is None:
            return Node.saved(self, name)
        return unsigned(self.value(i)) if name in _INTEGERS else self.value(i)

    def value(self, i):
        """Value number ``i`` (see ``Plan``) as users see it; raises RuntimeError if it was freed or modified."""
        plan = self.plan
        x, nr = None, i - plan.arity
        if nr < 0:
            x = self.x[i]
            return x if x is None else unpacked(x, self.vx[i])
        if nr < len(plan.results):
            z = self.z[nr]
            if z.__class__ is Packed:
                return z.tensor(self.end_of_result(nr))
            if isinstance(z, Tensor):
                return unpacked(z, self.vz[nr])
            storage = self._storage[nr] if self._storage.__class__ is list else self._storage
            return unpacked_result(self, z, self.vz[nr], storage, nr if self._outputs > 1 else None)
        return (*self.params, *(self.shapes or ()))[nr - len(plan.results)]

    def raw_saved(self, name):
        """The saved tensor that PyTorch calls ``name`` (a tuple, for indices), to register hooks on."""
        place = self.places().get(name)
        if place is None or place >= self.plan.arity + len(self.plan.results):
            return Node.raw_saved(self, name)
        return SavedTensor._of(self, place)

    # What hooks on saved tensors ask.  They work on the general layout, so that no other has to know of them.

    def places_held(self):
        """The numbers of the values (see ``Plan``) that are saved tensors here."""
        self.generalise()
        return [i for i, held in enumerate((*self.x, *self.z)) if held is not None and not is_number(held)]

    def held(self, i):
        """What is kept as value number ``i``: a tensor, a result's array, what stands for a freed or a packed one, or None."""
        self.generalise()
        return (*self.x, *self.z)[i]

    def hold(self, i, packed):
        """Keep ``packed`` as value number ``i``."""
        arity = self.plan.arity
        if i < arity:
            self.x = (*self.x[:i], packed, *self.x[i + 1 :])
        else:
            nr = i - arity
            packed.edge = None  # that of a result is this node: see end_of_result
            self.z = (*self.z[:nr], packed, *self.z[nr + 1 :])

    def end_of_result(self, nr):
        """The edge that leads to result number ``nr``; None for one without gradient."""
        if nr in self.nondiff:
            return None
        return Port(self, nr) if self._outputs > 1 else self

    def generalise(self):
        """Put this node in the general layout; families with layouts of their own override it.

        Here: the layout is the general one, but a freed result is marked in the quick way.
        """
        cls = type(self)
        if cls is not general(cls):
            if self._storage is GONE:
                self.z = (FREED,)
            self.__class__ = general(cls)

    def __dir__(self):
        names = {*object.__dir__(self), *("_saved_" + name for name in self.places())}
        return sorted(names | {"_raw_saved_" + name for name in self.names_of_tensors()})

    @classmethod
    def names_of_tensors(cls):
        """PyTorch's names of the saved values that are tensors."""
        first_param = cls.plan.arity + len(cls.plan.results)
        return [name for name, i in cls.places().items() if i < first_param]


def unpacked(x, version):
    """A saved operand; raises RuntimeError if it was freed or modified."""
    if x.__class__ is Packed:
        return x.tensor(x.edge)
    if x._storage.version != version:
        raise stale(x, version)
    return of_array(x._array.copy()) if is_number(x) else x


def unpacked_result(node, z, version, storage, nr=None):
    """A saved result as a tensor; raises RuntimeError if it was freed or modified."""
    if storage is GONE or (z is not None and storage.version != version):
        raise stale_result(node, z, version, storage, nr or 0)
    return None if z is None else result(node, z, storage, nr)


def record(cls, operands, params, za, edges, dtypes=None):
    """A node of the general layout for one application of ``cls``.

    ``za`` is the result's array, or a tuple of them; ``dtypes`` is (common dtype, dtypes of the operands) where they differ or are
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
    xs, versions = [], []
    for x, by in zip(operands, plan.wanted_by):
        for j in by:
            if (wanted if len(by) > 1 else alone)[j] and x is not None:
                xs.append(x)
                versions.append(x._storage.version)
                break
        else:
            xs.append(None)
            versions.append(0)
    node.x, node.vx = tuple(xs), tuple(versions)
    zs = za if za.__class__ is tuple else (za,)
    node.z = tuple(
        [
            z if any((wanted if len(by) > 1 else alone)[j] for j in by) else None
            for z, by in zip(zs, plan.result_wanted_by)
        ]
    )
    node.vz = (0,) * len(zs)
    node._storage = FRESH if node._outputs == 1 else [FRESH] * len(zs)
    node.params = params
    node.dtypes = dtypes
    node.shapes = (
        tuple(None if x is None else x._array.shape for x in operands) if plan.needs_shapes else None
    )
    return node


def casts_for(common, *own_dtypes):
    """The ``dtypes`` of a node whose formulas compute in the dtype ``common``: None if there is nothing to convert or conjugate."""
    return (common, own_dtypes) if common in casting else None


def general(cls):
    """The class as which ``cls`` records when it cannot use its quick layout: same name, same formulas."""
    if cls._general is None:
        if cls.backward is Op.backward:
            cls._general = cls
        else:
            body = {"__slots__": (), "backward": Op.backward, "value": Op.value, "generalise": Op.generalise}
            cls._general = type(cls.__name__, (cls,), body)
            cls._general._general = cls._general
    return cls._general


def named_error(cls, value, place):
    """The error for an operand that is not a tensor."""
    name = cls.plan.operands[place]
    theirs = cls.names.get(name, name)
    return not_a_tensor(cls.function_name(), "input" if theirs == "self" else theirs, place + 1, value)


def no_kernel(cls, np_dtype):
    """The error for a dtype that an op does not take."""
    name = scalar_type_name(from_numpy_dtype(np_dtype))
    return NotImplementedError(
        f"\"{cls.kernel or cls.function_name() + '_cpu'}\" not implemented for '{name}'"
    )


def rescue(cls, error, xs, params=()):
    """What to do when a kernel raised: its result if it only warned, else the error in PyTorch's words."""
    if isinstance(error, (RuntimeWarning, FloatingPointError)):
        # the program turned NumPy's warnings into errors; infinities and nans are values here
        with np.errstate(all="ignore"):
            return cls.forward(*xs, *params)
    if isinstance(error, ValueError) and cls.broadcasts:
        shapes = [x.shape for x in xs if x is not None]
        for i in range(1, len(shapes)):
            check_sizes(shapes[0], shapes[i])
        if any(shape != shapes[0] for shape in shapes):
            # they fit, but the kernel writes into what it made of one of them
            whole = iter(np.broadcast_arrays(*[x for x in xs if x is not None]))
            return cls.forward(*[None if x is None else next(whole) for x in xs], *params)
    refuse = getattr(cls, "refuse", None)
    if refuse is not None:
        refuse(error, xs, params)
    if isinstance(error, TypeError) and "ufunc" in str(error):
        raise no_kernel(cls, next(x.dtype for x in xs if x is not None)) from None
    try:
        raise error
    finally:
        del error  # this frame is in the error's traceback: no circle through it


def named(cls, call):
    """Give the function its name and the op's docstring, and let the class know its function."""
    call.__name__ = call.__qualname__ = cls.function_name()
    call.__doc__ = cls.__doc__
    call.__module__ = cls.__module__
    call.op = cls
    cls.call = staticmethod(call)
    return call
