"""The slow path: everything about applying an op that is not plain tensors of one dtype.

``dispatch`` of the families leads here for Python numbers that need promotion, operands of several dtypes, ``out=``, tensor subclasses, wrong arguments,
and whatever watches every op of a thread (``switch.watch``).  Written for clarity: each concern is one function.
"""

import numpy as np

from .._arrays.rounding import fitted, halved
from .._arrays.traced import as_array
from .._base import dtypes
from .._base.errors import check_integer_range
from .._base.guards import Met, explain
from . import late
from .families import Unary, fast_classes, kernel_error, named_error, no_kernel, record
from .modes import WATCHED, set_watching, thread_state
from .out import out_as
from .overriding import NEVER, ask_operands, asked, operand_met, requires_asking
from .storage import NUMBER
from .tensor import Tensor, as_class, restore_operand, rewrap_subclass, wrap

_default = vars(Tensor)["__torch_function__"].__func__
_FLOAT32 = np.dtype("float32")
_NUMBERS = (bool, int, float, complex, np.generic)


def dispatch(cls, operands, params, out=None):
    """Apply ``cls`` to operands that need attention."""
    try:
        on_meta = has_sparse = False
        for x in operands:
            if x.__class__ in fast_classes:
                continue
            if isinstance(x, Tensor):
                if x._wrapped:
                    if any(isinstance(y, Tensor) and y._is_sparse for y in operands):
                        return late.sparse().apply(cls, operands, params, out)
                    return late.apply_wrapped(cls, operands, params, out)
                if x._is_sparse:
                    has_sparse = True
                    continue
                if not x._is_meta:
                    return overridden(cls, operands, params, out)
                on_meta = True
                continue
            if x.__class__ not in NEVER and operand_met(x):
                kwargs = {} if out is None else {"out": out}
                return ask_operands(public_function(cls), (*operands, *params), kwargs)
        if out is not None and operand_met(out):
            return ask_operands(public_function(cls), (*operands, *params), {"out": out})
        if thread_state.mode == WATCHED:
            return watched(cls, operands, params, out)
        if has_sparse:
            return late.sparse().apply(cls, operands, params, out)
        if on_meta:
            return late.meta().apply(cls, operands, params, out)
        if out is not None:
            return cls.call.into(out, *operands, *params)
        if cls.broadcasts or issubclass(cls, Unary):
            return elementwise(cls, operands, params)
        tensors = [as_operand(cls, x, i) for i, x in enumerate(operands)]
        if cls.floats and tensors[0].dtype.category < dtypes.FLOATING:
            tensors[0] = cast(tensors[0], dtypes.get_default_dtype().np)
        return cls.call(*tensors, *params)
    except Exception as error:
        if not isinstance(error, Met):
            given = dict(enumerate((*operands, *params)))
            explain(cls.call, given if out is None else given | {"out": out}, error)
        raise


late.general_way = dispatch


def as_operand(cls, x, place):
    """``x`` if it may be an operand that must be a tensor; raises TypeError."""
    if x is None and place >= cls.optional_from:
        return x
    if not isinstance(x, Tensor):
        raise named_error(cls, x, place)
    return x


def cast(tensor, np_dtype):
    """A tensor without history of another dtype."""
    return wrap(tensor._array.astype(np_dtype, copy=False))


# Elementwise: numbers and promotion --------------------------------------------------------------------------------------


def promotion_rank(x):
    """The pair (dtype, strength) that an operand brings to promotion."""
    if isinstance(x, Tensor):
        return x.dtype, 2 if x._array.ndim else 1
    if isinstance(x, np.generic):
        found = dtypes.from_numpy_dtype(x.dtype)
        if found.category == dtypes.BOOL:  # PyTorch calls its __float__
            return dtypes.get_default_dtype(), 0
        return (dtypes.int64 if found.category == dtypes.INTEGER else found), 0
    return dtypes.of_python(x), 0


def elementwise(cls, operands, params):
    """Apply an elementwise op by the general rule of promotion."""
    return in_dtype(cls, operands, params, common_dtype(cls, operands))


def common_dtype(cls, operands):
    """The dtype that an elementwise op computes in; raises for operands that it does not take."""
    for i, x in enumerate(operands):
        is_known = isinstance(x, Tensor) or (isinstance(x, _NUMBERS) and i >= cls.tensors_first)
        if not is_known and (x is not None or i < cls.optional_from):
            raise named_error(cls, x, i)
    if cls.check is not None:
        cls.check(*operands)
    common = dtypes.result_dtype([promotion_rank(x) for x in operands[cls.conditions :] if x is not None])
    if common is dtypes.int64:
        refuse_large(cls, operands)
    if cls.floats and common.category < dtypes.FLOATING:
        common = dtypes.get_default_dtype()
    if cls.ordered and common.category == dtypes.COMPLEX:
        raise no_kernel(cls, common.np)
    return common


def refuse_large(cls, operands):
    """Raise RuntimeError for a number that only uint64 holds beside bools alone: PyTorch does not promote to it."""
    operands = operands[cls.conditions :]
    if any(isinstance(x, int) and 2**63 <= x < 2**64 for x in operands) and all(
        not isinstance(x, Tensor) or x._array.dtype.kind == "b" for x in operands
    ):
        first = "Bool" if isinstance(operands[0], Tensor) else "UInt64"
        raise RuntimeError(
            "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote "
            f"{first} and {'UInt64' if first == 'Bool' else 'Bool'}"
        )


def in_dtype(cls, operands, params, common):
    """Apply an elementwise op in the dtype ``common``; gradients return to each operand in its own."""
    np_dtype = common.np
    compute = compute_dtype(cls, common, operands)
    arrays_, tensors = [], []
    for i, x in enumerate(operands):
        if x is None:
            arrays_.append(None)
            tensors.append(None)
        elif isinstance(x, Tensor):
            arrays_.append(
                x._array if i < cls.conditions else fitted(x._array, compute).astype(compute, copy=False)
            )
            tensors.append(x)
        else:
            value = number_array(x, common, compute)
            arrays_.append(value)
            tensors.append(standing_for_number(value.astype(np_dtype, copy=False)))
    try:
        za = cls.forward(*arrays_, *params)
    except Exception as error:
        za = kernel_error(cls, error, arrays_, params)
    za = as_array(za)
    if compute is not np_dtype and za.dtype == compute:
        za = za.astype(np_dtype)
    out = wrap(za)
    if (
        cls.plan.mentions
        and any(f is not None for f in cls.plan.formulas)
        and thread_state.recording
        and not thread_state.inference
    ):
        formulas = cls.plan.formulas
        edges = tuple(None if x is None or f is None else x._edge for x, f in zip(tensors, formulas))
        if any(edge is not None for edge in edges):
            own_dtypes = tuple(None if x is None else x._array.dtype for x in tensors)
            casts = (np_dtype, own_dtypes)
            out._node = record(cls, tuple(tensors), params, za, edges, casts)
    return out


def standing_for_number(array):
    """A tensor for a Python number, of which hooks on saved tensors are not told."""
    tensor = wrap(array)
    tensor._storage = NUMBER
    return tensor


def compute_dtype(cls, common, operands):
    """The NumPy dtype that an op computes in, whose result is to be ``common``.

    A few do not round a number to half precision, as PyTorch's do not: they compute in float32, and round once.
    """
    half = cls.exact_numbers and common.itemsize == 2 and common.category == dtypes.FLOATING
    return _FLOAT32 if half and not all(x is None or isinstance(x, Tensor) for x in operands) else common.np


def number_array(value, common, np_dtype):
    """A Python number as a 0-dim array; integers wrap around as PyTorch's do."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int):
        check_integer_range(value)
        if common.category == dtypes.INTEGER:
            return np.array(value, np.int64 if value < 2**63 else np.uint64).astype(np_dtype)
    if np_dtype.char == "V":
        return halved(np.array(value), np_dtype)
    return np.array(value).astype(np_dtype)


# What watches, what overrides ----------------------------------------------------------------------------------------------


def watched(cls, operands, params, out):
    """Apply an op under the eyes of this thread's watchers, the innermost last."""

    def proceed():
        if out is None:
            return cls.call(*operands, *params)
        return dispatch(cls, operands, params, out)

    return under_watch(cls, operands, params, proceed)


def under_watch(cls, operands, params, proceed, writes=False):
    """What ``proceed()`` returns, which applies an op (``writes``: in place, to the first operand), under the watchers' eyes.

    A watcher is a function of (cls, operands, params, proceed, writes) that returns another ``proceed``.  What an op does by other ops is not watched.
    """
    for watcher in reversed(thread_state.watchers):
        proceed = watcher(cls, operands, params, proceed, writes)
    was = set_watching(False)
    try:
        return proceed()
    finally:
        set_watching(was)


def public_function(cls, in_place=False):
    """The function that users call for an op: what they override."""
    name = cls.function_name() + "_" * in_place
    return getattr(Tensor, name, None) or cls.call


def is_overriding(x):
    """Whether ``x`` is a tensor of a class of a program's own."""
    return isinstance(x, Tensor) and x.__class__ not in fast_classes and not x._is_meta and not x._is_sparse


def overridden(cls, operands, params, out, call=None):
    """Apply an op to a subclass of Tensor: by its ``__torch_function__``, or as the plain op with a result of the subclass.

    ``call`` is the function that applies it, if not the op's own: in place.
    """
    if thread_state.overrides and requires_asking(asked((*operands, out))):
        kwargs = {} if out is None else {"out": out}
        return ask_operands(public_function(cls, call is not None), (*operands, *params), kwargs)
    if not thread_state.overrides:
        bare = [as_class(x, Tensor) if is_overriding(x) else x for x in operands]
        if call is None:
            return dispatch(cls, bare, params, out)
        result = call(*bare, *params)
        return restore_operand(operands[0], bare[0]) if result is bare[0] else result
    kind = None
    if call is None:
        call = cls.call
    for x in operands:
        if is_overriding(x):
            override = type(x).__torch_function__
            if getattr(override, "__func__", None) is not _default:
                types = tuple({type(y): None for y in operands if is_overriding(y)})
                kwargs = {} if out is None else {"out": out}
                return override(call, types, (*operands, *params), kwargs)
            if kind is None or issubclass(type(x), kind):
                kind = type(x)
    bare = tuple(as_class(x, Tensor) if is_overriding(x) else x for x in operands)
    if out is not None:
        return out_as(dispatch(cls, bare, params, out), kind)
    return rewrap_subclass(call(*bare, *params), kind, bare, operands)
