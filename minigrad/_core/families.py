"""The families of operators: all of the hot path.

An op is a class: its forward kernel and a formula per differentiable operand (see ``_ops/arithmetic.py`` for what they look
like).  A family turns the class into the function that users call, specialised once, when the class is made: ``unary`` and ``binary`` for
elementwise ops, ``view`` and ``views`` for ops that share memory, ``op`` for all others.  What a formula mentions is what is saved.

A call goes straight through when its operands are plain tensors (or Python numbers) of one dtype and nothing unusual is
switched on; all else goes to ``interpret.py``.  A node's ``backward(xp, g, keep)`` runs the formulas, on arrays (``xp`` is
``arrays``) or on Tensors (``xp`` is the vocabulary): read ``engine.py`` next.
"""

import re
import warnings
from operator import itemgetter

import numpy as np

from . import arrays
from .dtypes import from_numpy_dtype, result_dtype, scalar_type_name, when_bfloat16
from .errors import not_a_tensor, sizes_do_not_match
from .node import Node, Port, as_pair, tick
from .saved import FREED, result, stale, stale_result
from .storage import FRESH, GONE, INFERENCE, own
from .switch import INFERRING, WATCHED, here, reads_special
from .tensor import Tensor, new, of_array
from .views import View

special = 0
reads_special(globals())

ndarray = np.ndarray
asarray = np.asarray
_C64, _C128 = np.dtype("complex64"), np.dtype("complex128")
_BF16 = None  # NumPy's dtype, once a bfloat16 tensor was asked for; with a number it becomes float32, so formulas need a cast


def _meet_bfloat16(np_dtype):
    global _BF16
    _BF16 = np_dtype


when_bfloat16(_meet_bfloat16)

#: The classes of tensors that ops take straight: no override to honour, no transform's wrapper.
plain = {Tensor}

# Infinities and nans are ordinary values here, as in PyTorch: NumPy need not warn of them from our files.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\.")


def slow(cls, operands, params, out=None):
    """The general way to apply an op: ``interpret.py`` puts its own function here."""
    raise RuntimeError("minigrad._core.interpret is not imported")


def slow_operator(cls, operands):
    """As ``slow``, for a Python operator: another operand's class may know what to do."""
    x, y = operands
    if not isinstance(y, operand_types):
        return NotImplemented
    if isinstance(y, ndarray):
        y = of_array(y)
    return slow(cls, (x, y), ())


#: What may stand beside a tensor in a Python operator.
operand_types = (Tensor, bool, int, float, complex, np.generic, ndarray)


# Numbers ---------------------------------------------------------------------------------------------------------------

_floats = {np.dtype(name): {} for name in ("float32", "float64")}
_ints = {np.dtype(name): {} for name in ("float32", "float64", "int64")}
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
    tensor._storage = FRESH
    if value == value and (value != 0 or value.__class__ is int):  # 0.0 and -0.0 are one key; nan is none
        if len(table) >= _MOST:
            table.clear()
        table[value] = tensor
    return tensor


# What a class says of its op ---------------------------------------------------------------------------------------------


class Plan:
    """What is known of an op from its class: read once, when the class is made.

    Values are numbered: operands, then results, then parameters, then the operands' shapes.
    """

    def __init__(self, cls):
        self.operands = tuple(cls.operands.split())
        self.results = tuple(cls.results.split())
        self.arity = arity = len(self.operands)
        code = getattr(cls.forward, "__code__", None)
        self.params = code.co_varnames[arity : code.co_argcount] if code is not None else ()
        names = (*self.operands, *self.results, *self.params)
        place = {name: i for i, name in enumerate(names)}
        for i, name in enumerate(self.operands):
            place["shapes" if cls.variadic else "shape" if arity == 1 else name + "_shape"] = len(names) + i
        self.formulas, self.mentions = [], []
        for name in self.operands:
            formula = cls.__dict__.get("vjp" if arity == 1 else "vjp_" + name) or getattr(
                cls, "vjp" if arity == 1 else "vjp_" + name, None
            )
            mentioned = ()
            if formula is not None:
                code = formula.__code__
                mentioned = tuple(place[name] for name in code.co_varnames[2 : code.co_argcount])
            self.formulas.append(formula)
            self.mentions.append(mentioned)
        #: for each operand, the operands whose formulas mention it
        self.wanted_by = tuple(
            tuple(j for j in range(arity) if i in self.mentions[j]) for i in range(arity)
        )
        #: for each result, the operands whose formulas mention it
        self.result_wanted_by = tuple(
            tuple(j for j in range(arity) if arity + k in self.mentions[j]) for k in range(len(self.results))
        )
        shapes_from = len(names)
        self.needs_shapes = cls.broadcasts or any(i >= shapes_from for m in self.mentions for i in m)
        self.bound = tuple(
            None if f is None else bind(f, m) for f, m in zip(self.formulas, self.mentions)
        )
        self.place = place


def bind(formula, mentioned):
    """The formula as a function of (xp, g, values)."""
    if not mentioned:
        return lambda xp, g, values: formula(xp, g)
    if len(mentioned) == 1:
        (i,) = mentioned
        return lambda xp, g, values: formula(xp, g, values[i])
    pick = itemgetter(*mentioned)
    return lambda xp, g, values: formula(xp, g, *pick(values))


def _snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Op(Node):
    """An operator: subclasses give ``forward`` and formulas; this class records and runs them, for any operands.

    The layout of saved values here is the general one: tuples over all operands.  ``unary``, ``binary`` and ``one`` have quicker
    ones of their own; in-place and mixed-dtype calls of their ops use the general one, through ``general(cls)``.
    """

    __slots__ = ("x", "vx", "y", "vy", "z", "vz", "params", "dtypes")
    operands = "x"
    results = "z"
    nondiff = ()  # numbers of the results that have no gradient (indices)
    broadcasts = False  # elementwise over several operands
    floats = False  # integer operands are converted to the default dtype
    conjugates = True  # formulas are C-linear: the family conjugates for complex dtypes; False: they do it themselves
    conditions = 0  # how many of the first operands are conditions, which take no part in promotion
    check = None  # raises for operands of the general path that NumPy would take and PyTorch refuses
    truth = False  # results are bool, whatever the operands are
    ordered = False  # an order, which complex numbers do not have
    kernel = None  # the name in "... not implemented for", where it is not the function's
    tensors_first = 1  # how many of the operands may not be Python numbers
    variadic = False  # the operand is a sequence of tensors
    optional_from = 9  # operands from this place on may be None
    public = None  # the function's name, where it does not follow from the class's
    call = None
    plan = None

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "names" in cls.__dict__:
            cls.names = {**Node.names, **cls.__dict__["names"]}
        if "forward" in cls.__dict__:
            cls.plan = Plan(cls)
            cls._general = None

    @property
    def next_functions(self):
        """A pair (node, output number) for each differentiable input; (None, 0) where no gradient is wanted."""
        return tuple(as_pair(edge) for edge, formula in zip(self.next, self.plan.formulas) if formula is not None)

    @classmethod
    def function_name(cls):
        """The name of the public function: ``log_softmax`` for ``LogSoftmaxBackward0``."""
        name = cls.__name__
        return cls.public or _snake(name.rpartition("Backward")[0] or name)

    def backward(self, xp, g, keep):
        """The gradients of the operands, None where none is wanted."""
        plan = self.plan
        values = self.values(xp, keep)
        casts = self.dtypes
        if casts is not None:
            common, own_dtypes = casts
            arity = plan.arity
            for i in range(self.conditions, arity):
                if values[i] is not None and (self.broadcasts or own_dtypes[i].kind in "fcV"):  # indices stay integers
                    values[i] = xp.astype(values[i], common)
            if common.kind == "c" and self.conjugates:
                g = xp.conj(g) if self.outputs == 1 else [None if h is None else xp.conj(h) for h in g]
        shapes = self.shapes
        broadcasts = self.broadcasts
        outs = []
        for i, (edge, formula) in enumerate(zip(self.next, plan.bound)):
            if edge is None or formula is None:
                outs.append(None)
                continue
            out = formula(xp, g, values)
            if out is not None:
                if broadcasts:
                    out = xp.sum_to(out, shapes[i])
                if casts is not None:
                    if common.kind == "c" and self.conjugates:
                        out = xp.conj(out)
                    if own_dtypes[i] is not common or common is _BF16:
                        out = xp.astype(out, own_dtypes[i])
            outs.append(out)
        return outs

    def values(self, xp, keep):
        """All that formulas may mention: operands, results, parameters, shapes; checked and, unless ``keep``, freed."""
        raw = xp is arrays
        values = []
        for x, version in zip(self.x, self.vx):
            if x is not None:
                if x._storage.version != version:
                    raise stale(x, version)
                if raw:
                    x = x._array
            values.append(x)
        storage = self.storage
        several = storage.__class__ is list
        for nr, (z, version) in enumerate(zip(self.z, self.vz)):
            if z.__class__ is Tensor:  # a result without gradient, such as indices: saved as it is
                if z._storage.version != version:
                    raise stale(z, version)
                if raw:
                    z = z._array
            elif z is not None:
                s = storage[nr] if several else storage
                if s.version != version:
                    raise stale_result(self, z, version, s, nr)
                if not raw:
                    z = result(self, z, s, nr if self.outputs > 1 else None)
            values.append(z)
        if not keep:
            self.x = tuple(None if x is None else FREED for x in self.x)
            self.z = tuple(FREED if z.__class__ is Tensor else z for z in self.z)
            if any(z.__class__ is ndarray for z in self.z):
                self.storage = [GONE] * len(self.z) if several else GONE
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
        return Node.saved(self, name) if i is None else self.value(i)

    def value(self, i):
        """Value number ``i`` (see ``Plan``) as users see it; raises RuntimeError if it was freed or modified."""
        plan = self.plan
        x, nr = None, i - plan.arity
        if nr < 0:
            x = self.x[i]
            return x if x is None else unpacked(x, self.vx[i])
        if nr < len(plan.results):
            z = self.z[nr]
            if z.__class__ is Tensor:
                return unpacked(z, self.vz[nr])
            storage = self.storage[nr] if self.storage.__class__ is list else self.storage
            return unpacked_result(self, z, self.vz[nr], storage, nr if self.outputs > 1 else None)
        return (*self.params, *(self.shapes or ()))[nr - len(plan.results)]

    def __dir__(self):
        return sorted({*object.__dir__(self), *("_saved_" + name for name in self.places())})


def unpacked(x, version):
    """A saved operand; raises RuntimeError if it was freed or modified."""
    if x._storage.version != version:
        raise stale(x, version)
    return x


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
    node.next = edges
    node.seq = tick()
    node.extra = None
    wanted = [edge is not None for edge in edges]
    xs, versions = [], []
    for x, by in zip(operands, plan.wanted_by):
        for j in by:
            if wanted[j] and x is not None:
                xs.append(x)
                versions.append(x._storage.version)
                break
        else:
            xs.append(None)
            versions.append(0)
    node.x, node.vx = tuple(xs), tuple(versions)
    zs = za if za.__class__ is tuple else (za,)
    node.z = tuple(z if any(wanted[j] for j in by) else None for z, by in zip(zs, plan.result_wanted_by))
    node.vz = (0,) * len(zs)
    node.storage = FRESH if node.outputs == 1 else [FRESH] * len(zs)
    node.params = params
    node.dtypes = dtypes
    node.shapes = (
        tuple(None if x is None else x._array.shape for x in operands) if plan.needs_shapes else None
    )
    return node


def general(cls):
    """The class as which ``cls`` records when it cannot use its quick layout: same name, same formulas."""
    if cls._general is None:
        if cls.backward is Op.backward:
            cls._general = cls
        else:
            body = {"__slots__": (), "backward": Op.backward, "value": Op.value}
            cls._general = type(cls.__name__, (cls,), body)
            cls._general._general = cls._general
    return cls._general


def named_error(cls, value, place):
    """The error for an operand that is not a tensor."""
    name = cls.plan.operands[place]
    shown = {"x": "input", "y": "other"}.get(name, cls.names.get(name, name))
    return not_a_tensor(cls.function_name(), shown, place + 1, value)


def no_kernel(cls, np_dtype):
    """The error for a dtype that an op does not take."""
    name = scalar_type_name(from_numpy_dtype(np_dtype))
    return NotImplementedError(f"\"{cls.kernel or cls.function_name()}_cpu\" not implemented for '{name}'")


def rescue(cls, error, xs, params=()):
    """What to do when a kernel raised: its result if it only warned, else the error in PyTorch's words."""
    if isinstance(error, (RuntimeWarning, FloatingPointError)):
        # the program turned NumPy's warnings into errors; infinities and nans are values here
        with np.errstate(all="ignore"):
            return cls.forward(*xs, *params)
    if isinstance(error, ValueError) and cls.broadcasts:
        shapes = [x.shape for x in xs if x is not None]
        for i in range(1, len(shapes)):
            mismatch = sizes_do_not_match(shapes[0], shapes[i])
            if mismatch is not None:
                raise mismatch from None
    refuse = getattr(cls, "refuse", None)
    if refuse is not None:
        refuse(error, xs, params)
    if isinstance(error, TypeError) and "ufunc" in str(error):
        raise no_kernel(cls, next(x.dtype for x in xs if x is not None)) from None
    raise error


# Elementwise, one operand ------------------------------------------------------------------------------------------------


class Unary(Op):
    """An elementwise op of one operand: ``vjp(xp, g, x)``, ``vjp(xp, g, z)`` or both."""

    __slots__ = ()
    floats = True

    def value(self, i):
        """Value number ``i``: the operand or the result."""
        return unpacked(self.x, self.vx) if i == 0 else unpacked_result(self, self.z, 0, self.storage)


def unary(cls):
    """The function of an elementwise op of one operand."""
    forward, vjp = cls.forward, cls.vjp
    plan = cls.plan
    saves_x, saves_z = bool(plan.wanted_by[0]), bool(plan.result_wanted_by[0])
    floats = cls.floats

    def call(input, out=None):
        mode = special and here.mode
        if input.__class__ not in plain or out is not None or mode == WATCHED:
            return slow(cls, (input,), (), out)
        xa = input._array
        try:
            za = forward(xa)
        except Exception as error:
            za = rescue(cls, error, (xa,))
        dtype = xa.dtype
        if floats and za.dtype is not dtype:
            return slow(cls, (input,), ())
        if za.__class__ is not ndarray:
            za = asarray(za)
        z = new(Tensor)
        z._array = za
        z._storage = FRESH
        a = input._node
        if mode:
            z._node = None
            if mode == INFERRING:
                z._storage = INFERENCE
            return z
        if a.__class__ is View:
            a = a.current()
        if a is None:
            z._node = None
            return z
        if dtype is _C64 or dtype is _C128 or dtype is _BF16:
            z._node = record(general(cls), (input,), (), za, (a,), (dtype, (dtype,)))
            return z
        node = cls()
        node.next = (a,)
        node.seq = tick()
        node.extra = None
        if saves_x:
            node.x = input
            node.vx = input._storage.version
        if saves_z:
            node.z = za
        node.storage = FRESH
        z._node = node
        return z

    if saves_x and saves_z:

        def backward(node, xp, g, keep):
            x, z, storage = node.x, node.z, node.storage
            if x._storage.version != node.vx:
                raise stale(x, node.vx)
            if storage.version:
                raise stale_result(node, z, 0, storage)
            if not keep:
                node.x = FREED
                node.z = None
                node.storage = GONE
            if xp is arrays:
                return (vjp(xp, g, *_in_order(x._array, z)),)
            return (vjp(xp, g, *_in_order(x, result(node, z, storage))),)

        first = plan.mentions[0][0]

        def _in_order(x, z):
            return (x, z) if first == 0 else (z, x)

    elif saves_x:

        def backward(node, xp, g, keep):
            x = node.x
            if x._storage.version != node.vx:
                raise stale(x, node.vx)
            if not keep:
                node.x = FREED
            return (vjp(xp, g, x._array if xp is arrays else x),)

    elif saves_z:

        def backward(node, xp, g, keep):
            z, storage = node.z, node.storage
            if storage.version:
                raise stale_result(node, z, 0, storage)
            if not keep:
                node.z = None
                node.storage = GONE
            return (vjp(xp, g, z if xp is arrays else result(node, z, storage)),)

    else:

        def backward(node, xp, g, keep):
            return (vjp(xp, g),)

    cls.backward = backward
    return named(cls, call)


# Elementwise, two operands -----------------------------------------------------------------------------------------------


class Binary(Op):
    """An elementwise op of two operands that broadcast: ``vjp_x(xp, g, ...)`` and ``vjp_y(xp, g, ...)`` over x, y, z."""

    __slots__ = ()
    operands = "x y"
    broadcasts = True

    def value(self, i):
        """Value number ``i``: an operand, the result, a shape."""
        if i == 0:
            return None if self.x is None else unpacked(self.x, self.vx)
        if i == 1:
            return None if self.y is None else unpacked(self.y, self.vy)
        return unpacked_result(self, self.z, 0, self.storage) if i == 2 else (self.shapes or (None, None))[i - 3]


def binary(cls, operator=False):
    """The function of an elementwise op of two operands; as Python's ``operator`` it may answer NotImplemented."""
    forward = cls.forward
    plan = cls.plan
    x_by_x, x_by_y = 0 in plan.wanted_by[0], 1 in plan.wanted_by[0]
    y_by_x, y_by_y = 0 in plan.wanted_by[1], 1 in plan.wanted_by[1]
    z_by_x, z_by_y = 0 in plan.result_wanted_by[0], 1 in plan.result_wanted_by[0]
    floats, ordered, numbers = cls.floats, cls.ordered, cls.tensors_first < 2

    def call(input, other, out=None):
        mode = special and here.mode
        if input.__class__ not in plain or out is not None or mode == WATCHED:
            return slow_operator(cls, (input, other)) if operator else slow(cls, (input, other), (), out)
        xa = input._array
        y = other
        if y.__class__ not in plain:
            y = number(y, xa.dtype) if numbers else None
            if y is None:
                return slow_operator(cls, (input, other)) if operator else slow(cls, (input, other), ())
        ya = y._array
        dtype = xa.dtype
        if dtype is not ya.dtype or (ordered and dtype.kind == "c"):
            return slow(cls, (input, y), ())
        try:
            za = forward(xa, ya)
        except Exception as error:
            za = rescue(cls, error, (xa, ya))
        if floats and za.dtype is not dtype:
            return slow(cls, (input, y), ())
        if za.__class__ is not ndarray:
            za = asarray(za)
        z = new(Tensor)
        z._array = za
        z._storage = FRESH
        if mode:
            z._node = None
            if mode == INFERRING:
                z._storage = INFERENCE
            return z
        a = input._node
        b = y._node
        if a.__class__ is View:
            a = a.current()
        if b.__class__ is View:
            b = b.current()
        if a is None and b is None:
            z._node = None
            return z
        if dtype is _C64 or dtype is _C128 or dtype is _BF16:
            z._node = record(general(cls), (input, y), (), za, (a, b), (dtype, (dtype, dtype)))
            return z
        node = cls()
        node.next = (a, b)
        node.seq = tick()
        node.extra = None
        if xa.shape == ya.shape or (b is None and not ya.shape):
            node.shapes = None
        else:
            node.shapes = (xa.shape, ya.shape)
        if (x_by_x and a is not None) or (x_by_y and b is not None):
            node.x = input
            node.vx = input._storage.version
        else:
            node.x = None
        if (y_by_x and a is not None) or (y_by_y and b is not None):
            node.y = y
            node.vy = y._storage.version
        else:
            node.y = None
        node.z = za if (z_by_x and a is not None) or (z_by_y and b is not None) else None
        node.storage = FRESH
        z._node = node
        return z

    if operator:
        return call
    for_x, for_y = plan.bound
    only_x, only_y = plan.mentions[0] == (0,), plan.mentions[1] == (0,)
    by_y_x, by_y_y = plan.mentions[0] == (1,), plan.mentions[1] == (1,)
    none_x, none_y = plan.mentions[0] == (), plan.mentions[1] == ()
    vjp_x, vjp_y = plan.formulas
    # an op without vjp_y takes numbers only
    simple = (only_x or by_y_x or none_x) and (only_y or by_y_y or none_y) and vjp_x
    x_needs_x, y_needs_x = only_x, only_y
    saves_nothing = none_x and none_y

    if simple and saves_nothing:

        def backward(node, xp, g, keep):
            a, b = node.next
            gx = vjp_x(xp, g) if a is not None else None
            gy = vjp_y(xp, g) if b is not None else None
            shapes = node.shapes
            if shapes is not None:
                if a is not None:
                    gx = xp.sum_to(gx, shapes[0])
                if b is not None:
                    gy = xp.sum_to(gy, shapes[1])
            return gx, gy

    elif by_y_x and only_y and vjp_x and vjp_y:  # as a product: each gradient needs the other operand

        def backward(node, xp, g, keep):
            a, b = node.next
            gx = gy = None
            raw = xp is arrays
            if a is not None:
                y = node.y
                if y._storage.version != node.vy:
                    raise stale(y, node.vy)
                if not keep:
                    node.y = FREED
                gx = vjp_x(xp, g, y._array if raw else y)
            if b is not None:
                x = node.x
                if x._storage.version != node.vx:
                    raise stale(x, node.vx)
                if not keep:
                    node.x = FREED
                gy = vjp_y(xp, g, x._array if raw else x)
            shapes = node.shapes
            if shapes is not None:
                if a is not None:
                    gx = xp.sum_to(gx, shapes[0])
                if b is not None:
                    gy = xp.sum_to(gy, shapes[1])
            return gx, gy

    elif simple:

        def backward(node, xp, g, keep):
            a, b = node.next
            x, y = node.x, node.y
            raw = xp is arrays
            if x is not None:
                if x._storage.version != node.vx:
                    raise stale(x, node.vx)
                if raw:
                    x = x._array
            if y is not None:
                if y._storage.version != node.vy:
                    raise stale(y, node.vy)
                if raw:
                    y = y._array
            if not keep:
                if x is not None:
                    node.x = FREED
                if y is not None:
                    node.y = FREED
            gx = gy = None
            if a is not None:
                gx = vjp_x(xp, g, x if x_needs_x else y) if not none_x else vjp_x(xp, g)
            if b is not None:
                gy = vjp_y(xp, g, x if y_needs_x else y) if not none_y else vjp_y(xp, g)
            shapes = node.shapes
            if shapes is not None:
                if a is not None:
                    gx = xp.sum_to(gx, shapes[0])
                if b is not None:
                    gy = xp.sum_to(gy, shapes[1])
            return gx, gy

    else:

        def backward(node, xp, g, keep):
            a, b = node.next
            x, y, z = node.x, node.y, node.z
            raw = xp is arrays
            if x is not None:
                if x._storage.version != node.vx:
                    raise stale(x, node.vx)
                if raw:
                    x = x._array
            if y is not None:
                if y._storage.version != node.vy:
                    raise stale(y, node.vy)
                if raw:
                    y = y._array
            if z is not None:
                storage = node.storage
                if storage.version:
                    raise stale_result(node, z, 0, storage)
                if not raw:
                    z = result(node, z, storage)
            if not keep:
                node.x = None if x is None else FREED
                node.y = None if y is None else FREED
                if z is not None:
                    node.storage = GONE
            values = (x, y, z)
            gx = for_x(xp, g, values) if a is not None and for_x is not None else None
            gy = for_y(xp, g, values) if b is not None and for_y is not None else None
            shapes = node.shapes
            if shapes is not None:
                if gx is not None:
                    gx = xp.sum_to(gx, shapes[0])
                if gy is not None:
                    gy = xp.sum_to(gy, shapes[1])
            return gx, gy

    cls.backward = backward
    return named(cls, call)


# Comparisons and other ops without a gradient -----------------------------------------------------------------------------


class Compare(Op):
    """An elementwise op of two operands without gradient, such as a comparison."""

    __slots__ = ()
    operands = "x y"
    broadcasts = True


def compare(cls, operator=False):
    """The function of an elementwise op of two operands that records nothing."""
    forward = cls.forward
    ordered, numbers = cls.ordered, cls.tensors_first < 2

    def call(input, other, out=None):
        mode = special and here.mode
        if input.__class__ not in plain or out is not None or mode == WATCHED:
            return slow_operator(cls, (input, other)) if operator else slow(cls, (input, other), (), out)
        xa = input._array
        y = other
        if y.__class__ not in plain:
            y = number(y, xa.dtype) if numbers else None
            if y is None:
                return slow_operator(cls, (input, other)) if operator else slow(cls, (input, other), ())
        ya = y._array
        if xa.dtype is not ya.dtype or (ordered and xa.dtype.kind == "c"):
            return slow(cls, (input, y), ())
        try:
            za = forward(xa, ya)
        except Exception as error:
            za = rescue(cls, error, (xa, ya))
        z = new(Tensor)
        z._array = za if za.__class__ is ndarray else asarray(za)
        z._storage = INFERENCE if mode == INFERRING else FRESH
        z._node = None
        return z

    return call if operator else named(cls, call)


# Everything else -----------------------------------------------------------------------------------------------------------


class Linear(Op):
    """An op that is linear in its operand: a tangent goes through the op itself."""

    __slots__ = ()


class Reduce(Op):
    """An op along an axis or over all axes, not linear."""

    __slots__ = ()


class Bilinear(Op):
    """An op linear in each of two operands: ``vjp_x``, ``vjp_y``."""

    __slots__ = ()
    operands = "x y"


class General(Op):
    """Any other op: it says in ``operands`` what its tensors are called, in the order of ``forward``'s arguments."""

    __slots__ = ()


class Pointwise(Op):
    """An elementwise op of three or more operands that broadcast."""

    __slots__ = ()
    broadcasts = True


def op(cls):
    """The function of an op of any family: operands first, then parameters, by position."""
    plan = cls.plan
    if len(plan.results) == 1:
        if plan.arity == 1:
            return _one(cls)
        if plan.arity <= 3 and not cls.broadcasts:
            return _two(cls) if plan.arity == 2 else _three(cls)
    if plan.arity == 1 and cls.nondiff == tuple(range(1, len(plan.results))) and not set(plan.mentions[0]) & {0, 1}:
        return _selecting(cls)
    return _many(cls)


def _one(cls):
    forward = cls.forward
    plan = cls.plan
    (formula,) = plan.bound
    differentiable = formula is not None
    saves_x, saves_z = bool(plan.wanted_by[0]), bool(plan.result_wanted_by[0])
    needs_shape = plan.needs_shapes
    floats = cls.floats

    def call(input, *params):
        mode = special and here.mode
        if input.__class__ not in plain or mode == WATCHED:
            return slow(cls, (input,), params)
        xa = input._array
        dtype = xa.dtype
        if floats and dtype.kind not in "fcV":
            return slow(cls, (input,), params)
        try:
            za = forward(xa, *params)
        except Exception as error:
            za = rescue(cls, error, (xa,), params)
        if za.__class__ is not ndarray:
            za = asarray(za)
        z = new(Tensor)
        z._array = za
        z._storage = FRESH
        if mode:
            z._node = None
            if mode == INFERRING:
                z._storage = INFERENCE
            return z
        a = input._node
        if a.__class__ is View:
            a = a.current()
        if a is None or not differentiable:
            z._node = None
            return z
        computed = za.dtype
        if computed is not dtype or dtype is _C64 or dtype is _C128 or dtype is _BF16:
            # formulas compute in the dtype of the result, but in a complex one if the operand is complex
            common = dtype if dtype.kind == "c" and computed.kind != "c" else computed
            z._node = record(general(cls), (input,), params, za, (a,), (common, (dtype,)))
            return z
        node = cls()
        node.next = (a,)
        node.seq = tick()
        node.extra = None
        node.params = params
        node.shapes = xa.shape if needs_shape else None
        if saves_x:
            node.x = input
            node.vx = input._storage.version
        else:
            node.x = None
        node.z = za if saves_z else None
        node.storage = FRESH
        z._node = node
        return z

    def backward(node, xp, g, keep):
        x, z = node.x, node.z
        raw = xp is arrays
        if x is not None:
            if x._storage.version != node.vx:
                raise stale(x, node.vx)
            if raw:
                x = x._array
            if not keep:
                node.x = FREED
        if z is not None or node.storage is GONE:
            storage = node.storage
            if storage.version:
                raise stale_result(node, z, 0, storage)
            if not keep:
                node.z = None
                node.storage = GONE
            if not raw:
                z = result(node, z, storage)
        return (formula(xp, g, (x, z, *node.params, node.shapes)),)

    if differentiable:
        cls.backward = backward
        cls.value = _value_of_one
    return named(cls, call)


def _value_of_one(self, i):
    """Value number ``i`` of a node of one operand and one result."""
    if i == 0:
        return None if self.x is None else unpacked(self.x, self.vx)
    if i == 1:
        return unpacked_result(self, self.z, 0, self.storage)
    return (*self.params, self.shapes)[i - 2]


def _selecting(cls):
    """As ``_many``, for one operand and results of which the first has a gradient, which needs only the others: values and places.

    The layout of the node is the general one.
    """
    forward = cls.forward
    plan = cls.plan
    (formula,) = plan.bound
    differentiable = formula is not None
    count = len(plan.results)
    saves = [bool(by) for by in plan.result_wanted_by]
    nothing, zeros = (None,), (0,) * count

    def call(input, *params):
        mode = special and here.mode
        if input.__class__ not in plain or mode == WATCHED:
            return slow(cls, (input,), params)
        xa = input._array
        try:
            zs = forward(xa, *params)
        except Exception as error:
            zs = rescue(cls, error, (xa,), params)
        outs = []
        for za in zs:
            z = new(Tensor)
            z._array = za if za.__class__ is ndarray else asarray(za)
            z._storage = INFERENCE if mode == INFERRING else FRESH
            z._node = None
            outs.append(z)
        a = input._node
        if mode or a is None or not differentiable:
            return tuple(outs)
        if a.__class__ is View:
            a = a.current()
            if a is None:
                return tuple(outs)
        dtype = xa.dtype
        node = cls()
        node.next = (a,)
        node.seq = tick()
        node.extra = None
        node.x, node.vx = nothing, zeros
        node.z = tuple([z if saved else None for z, saved in zip(outs, saves)])
        node.vz = zeros
        node.storage = FRESH
        node.params = params
        node.dtypes = (dtype, (dtype,)) if dtype is _C64 or dtype is _C128 or dtype is _BF16 else None
        node.shapes = (xa.shape,)
        outs[0]._node = node
        return tuple(outs)

    def backward(node, xp, g, keep):
        if node.dtypes is not None:
            return Op.backward(node, xp, g, keep)
        raw = xp is arrays
        values = [None]
        for z in node.z:
            if z is not None:
                if z._storage.version:
                    raise stale(z, 0)
                if raw:
                    z = z._array
            values.append(z)
        if not keep:
            node.z = tuple([z if z is None else FREED for z in node.z])
        values += node.params
        values += node.shapes
        return (formula(xp, g, values),)

    if differentiable:
        cls.backward = backward
    return named(cls, call)


def _two(cls):
    """As ``_many``, for two operands and one result: the same layout of the node, filled and emptied without loops."""
    forward, plan = cls.forward, cls.plan
    for_x, for_y = plan.bound
    x_differentiable, y_differentiable = for_x is not None, for_y is not None
    (x_by_x, x_by_y), (y_by_x, y_by_y), (z_by_x, z_by_y) = _table(plan)
    y_required = cls.optional_from > 1
    needs_shapes = plan.needs_shapes

    def call(x, y, *params):
        mode = special and here.mode
        if (
            x.__class__ not in plain
            or (y.__class__ not in plain and (y is not None or y_required))
            or mode == WATCHED
        ):
            return slow(cls, (x, y), params)
        xa = x._array
        ya = None if y is None else y._array
        try:
            za = forward(xa, ya, *params)
        except Exception as error:
            za = rescue(cls, error, (xa, ya), params)
        if za.__class__ is not ndarray:
            za = asarray(za)
        z = new(Tensor)
        z._array = za
        z._storage = FRESH
        if mode:
            z._node = None
            if mode == INFERRING:
                z._storage = INFERENCE
            return z
        a = x._node if x_differentiable else None
        b = y._node if y_differentiable and y is not None else None
        if a.__class__ is View:
            a = a.current()
        if b.__class__ is View:
            b = b.current()
        if a is None and b is None:
            z._node = None
            return z
        dtype = za.dtype
        if dtype is _C64 or dtype is _C128 or dtype is _BF16:
            own_dtypes = (xa.dtype, None if y is None else ya.dtype)
            z._node = record(general(cls), (x, y), params, za, (a, b), (dtype, own_dtypes))
            return z
        node = cls()
        node.next = (a, b)
        node.seq = tick()
        node.extra = None
        saves_x = (x_by_x and a is not None) or (x_by_y and b is not None)
        saves_y = ((y_by_x and a is not None) or (y_by_y and b is not None)) and y is not None
        saves_z = (z_by_x and a is not None) or (z_by_y and b is not None)
        node.x = (x if saves_x else None, y if saves_y else None)
        node.vx = (x._storage.version if saves_x else 0, y._storage.version if saves_y else 0)
        node.z = (za if saves_z else None,)
        node.vz = (0,)
        node.storage = FRESH
        node.params = params
        node.dtypes = None
        node.shapes = (xa.shape, None if y is None else ya.shape) if needs_shapes else None
        z._node = node
        return z

    def backward(node, xp, g, keep):
        a, b = node.next
        x, y = node.x
        vx, vy = node.vx
        (z,) = node.z
        raw = xp is arrays
        if x is not None:
            if x._storage.version != vx:
                raise stale(x, vx)
            if raw:
                x = x._array
        if y is not None:
            if y._storage.version != vy:
                raise stale(y, vy)
            if raw:
                y = y._array
        if z is not None or node.storage is GONE:
            storage = node.storage
            if storage.version:
                raise stale_result(node, z, 0, storage)
            if not raw:
                z = result(node, z, storage)
        if not keep:
            node.x = (None if x is None else FREED, None if y is None else FREED)
            if z is not None:
                node.z = (None,)
                node.storage = GONE
        values = (x, y, z, *node.params, *node.shapes) if needs_shapes else (x, y, z, *node.params)
        return (
            for_x(xp, g, values) if a is not None else None,
            for_y(xp, g, values) if b is not None else None,
        )

    cls.backward = backward
    return named(cls, call)


def _three(cls):
    """As ``_two``, for three operands."""
    forward, plan = cls.forward, cls.plan
    for_x, for_y, for_w = plan.bound
    x_differentiable, y_differentiable, w_differentiable = (f is not None for f in plan.bound)
    (x_by_x, x_by_y, x_by_w), (y_by_x, y_by_y, y_by_w), (w_by_x, w_by_y, w_by_w), (z_by_x, z_by_y, z_by_w) = _table(plan)
    y_required, w_required = cls.optional_from > 1, cls.optional_from > 2
    needs_shapes = plan.needs_shapes

    def call(x, y, w, *params):
        mode = special and here.mode
        if (
            x.__class__ not in plain
            or (y.__class__ not in plain and (y is not None or y_required))
            or (w.__class__ not in plain and (w is not None or w_required))
            or mode == WATCHED
        ):
            return slow(cls, (x, y, w), params)
        xa = x._array
        ya = None if y is None else y._array
        wa = None if w is None else w._array
        try:
            za = forward(xa, ya, wa, *params)
        except Exception as error:
            za = rescue(cls, error, (xa, ya, wa), params)
        if za.__class__ is not ndarray:
            za = asarray(za)
        z = new(Tensor)
        z._array = za
        z._storage = FRESH
        if mode:
            z._node = None
            if mode == INFERRING:
                z._storage = INFERENCE
            return z
        a = x._node if x_differentiable else None
        b = y._node if y_differentiable and y is not None else None
        c = w._node if w_differentiable and w is not None else None
        if a.__class__ is View:
            a = a.current()
        if b.__class__ is View:
            b = b.current()
        if c.__class__ is View:
            c = c.current()
        if a is None and b is None and c is None:
            z._node = None
            return z
        dtype = za.dtype
        if dtype is _C64 or dtype is _C128 or dtype is _BF16:
            own_dtypes = (xa.dtype, None if y is None else ya.dtype, None if w is None else wa.dtype)
            z._node = record(general(cls), (x, y, w), params, za, (a, b, c), (dtype, own_dtypes))
            return z
        node = cls()
        node.next = (a, b, c)
        node.seq = tick()
        node.extra = None
        saves_x = (x_by_x and a is not None) or (x_by_y and b is not None) or (x_by_w and c is not None)
        saves_y = ((y_by_x and a is not None) or (y_by_y and b is not None) or (y_by_w and c is not None)) and y is not None
        saves_w = ((w_by_x and a is not None) or (w_by_y and b is not None) or (w_by_w and c is not None)) and w is not None
        saves_z = (z_by_x and a is not None) or (z_by_y and b is not None) or (z_by_w and c is not None)
        node.x = (x if saves_x else None, y if saves_y else None, w if saves_w else None)
        node.vx = (
            x._storage.version if saves_x else 0,
            y._storage.version if saves_y else 0,
            w._storage.version if saves_w else 0,
        )
        node.z = (za if saves_z else None,)
        node.vz = (0,)
        node.storage = FRESH
        node.params = params
        node.dtypes = None
        if needs_shapes:
            node.shapes = (xa.shape, None if y is None else ya.shape, None if w is None else wa.shape)
        else:
            node.shapes = None
        z._node = node
        return z

    def backward(node, xp, g, keep):
        a, b, c = node.next
        x, y, w = node.x
        vx, vy, vw = node.vx
        (z,) = node.z
        raw = xp is arrays
        if x is not None:
            if x._storage.version != vx:
                raise stale(x, vx)
            if raw:
                x = x._array
        if y is not None:
            if y._storage.version != vy:
                raise stale(y, vy)
            if raw:
                y = y._array
        if w is not None:
            if w._storage.version != vw:
                raise stale(w, vw)
            if raw:
                w = w._array
        if z is not None or node.storage is GONE:
            storage = node.storage
            if storage.version:
                raise stale_result(node, z, 0, storage)
            if not raw:
                z = result(node, z, storage)
        if not keep:
            node.x = (None if x is None else FREED, None if y is None else FREED, None if w is None else FREED)
            if z is not None:
                node.z = (None,)
                node.storage = GONE
        values = (x, y, w, z, *node.params, *node.shapes) if needs_shapes else (x, y, w, z, *node.params)
        return (
            for_x(xp, g, values) if a is not None else None,
            for_y(xp, g, values) if b is not None else None,
            for_w(xp, g, values) if c is not None else None,
        )

    cls.backward = backward
    return named(cls, call)


def _table(plan):
    """For each operand, then for the result: whether the formula of each operand mentions it."""
    return tuple(
        tuple(j in by for j in range(plan.arity)) for by in (*plan.wanted_by, *plan.result_wanted_by)
    )


def _many(cls):
    forward = cls.forward
    plan = cls.plan
    arity = plan.arity
    several = len(plan.results) > 1
    differentiable = [k for k in range(len(plan.results)) if k not in cls.nondiff]
    if several and len(differentiable) > 1:
        cls.outputs = len(plan.results)
    has_formula = tuple(f is not None for f in plan.formulas)
    any_formula = any(has_formula)
    uniform = not cls.broadcasts
    conditions = cls.conditions

    def call(*args):
        mode = special and here.mode
        if mode == WATCHED:
            return slow(cls, args[:arity], args[arity:])
        operands, params = args[:arity], args[arity:]
        values = []
        dtype = None
        mixed = False
        for i, x in enumerate(operands):
            if x is None:
                values.append(None)
                continue
            if x.__class__ not in plain:
                return slow(cls, operands, params)
            xa = x._array
            if i < conditions:
                pass
            elif dtype is None:
                dtype = xa.dtype
            elif xa.dtype is not dtype:
                mixed = True
            values.append(xa)
        if mixed and not uniform:
            return slow(cls, operands, params)
        try:
            za = forward(*values, *params)
        except Exception as error:
            za = rescue(cls, error, values, params)
        return finish(cls, operands, params, za)

    def finish(cls, operands, params, za, casts=None):
        """Wrap the kernel's result and record, if anything is to be recorded."""
        edges = None
        mode = special and here.mode
        if any_formula and not mode:
            edges = []
            any_edge = False
            for x, wanted in zip(operands, has_formula):
                edge = None
                if wanted and x is not None:
                    edge = x._node
                    if edge.__class__ is View:
                        edge = edge.current()
                    if edge is not None:
                        any_edge = True
                edges.append(edge)
            if not any_edge:
                edges = None
        fresh = INFERENCE if mode == INFERRING else FRESH
        zs = za if several else (za,)
        outs = []
        for array in zs:
            z = new(Tensor)
            z._array = array if array.__class__ is ndarray else asarray(array)
            z._storage = fresh
            z._node = None
            outs.append(z)
        if edges is not None:
            if casts is None:
                dtype = outs[differentiable[0]]._array.dtype
                if dtype.kind in "cV":
                    casts = (dtype, tuple(None if x is None else x._array.dtype for x in operands))
            saved = tuple(z if k in cls.nondiff else z._array for k, z in enumerate(outs))
            node = record(cls, operands, params, saved, tuple(edges), casts)
            if len(differentiable) == 1:
                outs[differentiable[0]]._node = node
            else:
                for k in differentiable:
                    outs[k]._node = Port(node, k)
        return tuple(outs) if several else outs[0]

    cls.finish = staticmethod(finish)
    return named(cls, call)


# Any number of operands ------------------------------------------------------------------------------------------------------


class Variadic(Op):
    """An op of any number of operands: ``forward(xs, ...)``; ``vjp(xp, g, shapes, ...)`` gives the gradients of all of them."""

    __slots__ = ()
    operands = "xs"
    variadic = True

    @property
    def next_functions(self):
        """A pair (node, output number) for each operand; (None, 0) where no gradient is wanted."""
        return tuple(as_pair(edge) for edge in self.next)

    def backward(self, xp, g, keep):
        """The gradients of the operands, None where none is wanted."""
        (formula,) = self.plan.bound
        outs = formula(xp, g, (None, None, *self.params, self.shapes))
        if self.dtypes is not None:
            outs = [h if edge is None else xp.astype(h, own) for h, edge, own in zip(outs, self.next, self.dtypes)]
        return [None if edge is None else h for h, edge in zip(outs, self.next)]

    def value(self, i):
        """Value number ``i``: a parameter or the shapes."""
        return (*self.params, self.shapes)[i - 2]


def variadic(cls):
    """The function of an op of a sequence of operands, which promote to a common dtype, and of parameters."""
    forward = cls.forward
    last = -len(cls.plan.params) or None

    def call(operands, *params):
        mode = special and here.mode
        values, edges, any_edge = [], [], False
        dtype, mixed = None, False
        for x in operands:
            if x.__class__ not in plain:
                return slow(cls, tuple(operands), params)
            edge = x._node
            if edge is not None:
                if edge.__class__ is View:
                    edge = edge.current()
                if edge is not None:
                    any_edge = True
            edges.append(edge)
            xa = x._array
            values.append(xa)
            if xa.dtype is not dtype:
                mixed = dtype is not None
                dtype = xa.dtype
        if mode == WATCHED:
            return slow(cls, tuple(operands), params)
        if mixed:
            dtype = result_dtype([(x.dtype, 2 if x._array.ndim else 1) for x in operands]).np
            own_dtypes = tuple([xa.dtype for xa in values])
            values = [xa.astype(dtype, copy=False) for xa in values]
        try:
            za = forward(values, *params)
        except Exception as error:
            za = rescue(cls, error, (values,), params)
        z = new(Tensor)
        z._array = za
        z._storage = FRESH
        z._node = None
        if mode:
            if mode == INFERRING:
                z._storage = INFERENCE
            return z
        if any_edge:
            z._node = node = cls()
            node.next = tuple(edges)
            node.seq = tick()
            node.extra = None
            node.storage = FRESH
            node.params = params
            node.shapes = [xa.shape for xa in values]
            node.dtypes = own_dtypes if mixed else None
        return z

    def flat(*args):
        return call(args[:last], *args[last:] if last else ())

    named(cls, call)
    cls.call = staticmethod(flat)  # for the slow path, which knows operands one by one
    return call


# Views -----------------------------------------------------------------------------------------------------------------


class ViewOp(Op):
    """An op whose result shares the operand's memory: ``forward`` is a view of arrays, the formula its adjoint."""

    __slots__ = ()
    repeats = False  # whether the result may show an element more than once


def attach(z, x, cls, params, node, meta=None):
    """Make ``z`` a view of ``x``: shared storage, base, chain.  Returns the ``View``."""
    storage = x._storage
    if storage.shared:
        storage = own(x)
    z._storage = storage
    v = View()
    a = x._node
    if a.__class__ is View:
        v.base = a.base
        v.chain = (a.chain, cls, params)
        v.meta = a.meta if meta is None else meta
    else:
        v.base = x
        v.chain = (None, cls, params)
        v.meta = meta
    v.seen = 0 if storage is INFERENCE else storage.version
    v.node = node
    z._node = v
    return v


def view(cls):
    """The function of an op that returns a view of its operand."""
    forward = cls.forward
    plan = cls.plan
    (formula,) = plan.bound
    needs_shape = plan.needs_shapes
    repeats = cls.repeats

    def call(input, *params):
        mode = special and here.mode
        if input.__class__ not in plain or mode == WATCHED:
            return slow(cls, (input,), params)
        xa = input._array
        try:
            za = forward(xa, *params)
        except Exception as error:
            za = rescue(cls, error, (xa,), params)
        z = new(Tensor)
        z._array = za
        if mode:
            return unrecorded_view(z, input, cls, params)
        storage = input._storage
        if storage is FRESH:
            storage = own(input)
        elif storage is INFERENCE:
            return unrecorded_view(z, input, cls, params)
        z._storage = storage
        if repeats:
            storage.repeats = True
        v = View()
        a = input._node
        if a.__class__ is View:
            v.base = a.base
            v.chain = (a.chain, cls, params)
            v.meta = a.meta
            a = a.current()
        else:
            v.base = input
            v.chain = (None, cls, params)
            v.meta = None
        v.seen = storage.version
        z._node = v
        if a is None:
            v.node = None
            return z
        node = cls()
        node.next = (a,)
        node.seq = tick()
        node.extra = None
        node.storage = FRESH
        node.params = params
        node.shapes = xa.shape if needs_shape else None
        v.node = node
        return z

    def backward(node, xp, g, keep):
        return (formula(xp, g, (None, None, *node.params, node.shapes)),)

    cls.backward = backward
    cls.value = _value_of_view
    return named(cls, call)


def _value_of_view(self, i):
    """Value number ``i`` of a view's node: a parameter or the shape."""
    return (*self.params, self.shapes)[i - 2]


def unrecorded_view(z, x, cls, params):
    """A view made while nothing is recorded, or of an inference tensor."""
    if x._storage is INFERENCE:
        z._storage = INFERENCE
        z._node = None
        return z
    meta = "inference" if here.inference else "no_grad"
    attach(z, x, cls, params, None, meta)
    if cls.repeats:
        z._storage.repeats = True
    return z


def views(cls):
    """The function of an op that returns several views at once: ``forward`` gives the arrays.

    ``cls.part(k, *params)`` is the single view op, and its parameters, that leads to view k.
    """
    forward = cls.forward
    plan = cls.plan
    (formula,) = plan.bound

    def call(input, *params):
        mode = special and here.mode
        if input.__class__ not in plain or mode == WATCHED:
            return slow(cls, (input,), params)
        xa = input._array
        try:
            arrays_ = forward(xa, *params)
        except Exception as error:
            arrays_ = rescue(cls, error, (xa,), params)
        recording = not mode
        a = None
        if recording:
            a = input._node
            if a.__class__ is View:
                a = a.current()
        node = None
        if a is not None:
            node = cls()
            node.next = (a,)
            node.seq = tick()
            node.extra = None
            node.storage = FRESH
            node.params = params
            node.shapes = xa.shape
            node.dtypes = (xa.dtype, len(arrays_))
        outs = []
        for k, za in enumerate(arrays_):
            z = new(Tensor)
            z._array = za
            part, part_params = cls.part(xa, k, *params)
            if recording and input._storage is not INFERENCE:
                attach(z, input, part, part_params, None if node is None else Port(node, k), "multi")
            else:
                unrecorded_view(z, input, part, part_params)
            outs.append(z)
        return tuple(outs)

    def backward(node, xp, g, keep):
        return (formula(xp, g, (None, None, *node.params, node.shapes)),)

    cls.outputs = property(lambda node: node.dtypes[1])
    cls.backward = backward
    cls.value = _value_of_view
    return named(cls, call)


# Names -----------------------------------------------------------------------------------------------------------------


def named(cls, call):
    """Give the function its name and the op's docstring, and let the class know its function."""
    call.__name__ = call.__qualname__ = cls.function_name()
    call.__doc__ = cls.__doc__
    call.__module__ = cls.__module__
    call.op = cls
    cls.call = staticmethod(call)
    return call
