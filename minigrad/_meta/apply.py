"""Applying operators to tensors on ``meta``: their own kernels run on shapes, and what is recorded gives gradients of the right shapes."""

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.rounding import powers
from .._arrays.unresolved import Unresolved, stored
from .._base import dtypes
from .._base.device import preserve_format
from .._core import inplace
from .._core.families import Op, Piece, Unary, ViewOp, attach, kernel_error, record
from .._core.families.viewing import unrecorded_view
from .._core.interpret import (
    as_operand,
    common_dtype,
    compute_dtype,
    number_array,
    promotion_rank,
    standing_for_number,
)
from .._core.modes import thread_state
from .._core.node import NOWHERE, Port, tick
from .._core.storage import FRESH, INFERENCE
from .._core.tensor import Tensor, wrap
from .._ops.convert import CopyBackwards, ToCopyBackward0, in_format
from .._ops.index import IndexBackward0
from . import rules
from .blank import Blank, NoElements, blank, elementwise
from .run import on_shapes, replace, seen
from .tensors import meta, no_data, unsupported

_HALF_COMPLEX = dtypes.complex32.np


def apply(cls, operands, params, out=None):
    """Apply the op ``cls`` to operands of which some are on ``meta``."""
    if out is not None:
        return cls.call.into(out, *operands, *params)
    check_devices(cls, operands)
    if cls.broadcasts or issubclass(cls, Unary):
        return _elementwise(cls, operands, params)
    tensors = [as_operand(cls, x, i) for i, x in enumerate(operands)]
    values = [None if x is None else blank(x._array) for x in tensors]
    if cls.variadic:
        dtype = dtypes.result_dtype([promotion_rank(x) for x in tensors]).np
        own = [v.dtype for v in values]
        za = run(cls, ([v.astype(dtype, copy=False) for v in values],), params)
        casts = (dtype, tuple(own)) if any(d is not dtype for d in own) else None
        return _with_history(cls, tensors, params, za, casts)
    if cls.floats and tensors[0].dtype.category < dtypes.FLOATING:
        tensors[0] = meta(values[0].astype(dtypes.get_default_dtype().np))
        values[0] = tensors[0]._array
    if issubclass(cls, ViewOp):
        return _views(cls, tensors[0], params, run(cls, (tensors[0]._array,), params))
    za = run(cls, values, params)
    casts = None
    first = za[0] if za.__class__ is tuple else za
    common = first.dtype
    if len(cls.plan.operands) == 1:
        if common is not values[0].dtype or common.kind in "cV":
            common = values[0].dtype if values[0].dtype.kind == "c" and common.kind != "c" else common
            casts = common, (values[0].dtype,)
    elif common.kind in "cV":
        casts = common, tuple([None if v is None else v.dtype for v in values])
    return _with_history(cls, tensors, params, za, casts)


def run(cls, values, params):
    """The result of an op's kernel on blank arrays: a blank array, or a tuple of them."""
    if cls.function_name() in rules.SHAPED_BY_ELEMENTS or (cls is IndexBackward0 and _selects(params[0].key)):
        raise unsupported(cls.function_name())
    try:
        za = on_shapes(cls.forward)(*values, *params)
    except (NoElements, TypeError) as error:
        if not cls.variadic and any(v is not None and v.dtype == _HALF_COMPLEX for v in values):
            return _in_single_precision(cls, values, params)
        if not isinstance(error, NoElements):
            raise
        if not (cls.broadcasts or issubclass(cls, Unary)):
            raise unsupported(cls.function_name()) from error
        za = _probed(cls, values, params)
    except (RuntimeWarning, FloatingPointError):
        raise
    except Exception as error:
        kernel_error(cls, error, values[0] if cls.variadic else values, params)
        raise
    if za.__class__ is tuple or za.__class__ is list:
        return tuple([_kept(z) for z in za])
    return _kept(za)


def _kept(z):
    """A kernel's result: a blank array, which may be unresolved in a view."""
    return z if z.__class__ is Unresolved else blank(z)


def _in_single_precision(cls, values, params):
    """Like ``run``, for complex numbers of half precision, which NumPy's rules for dtypes do not know."""
    halves = {np.dtype("complex64"): _HALF_COMPLEX, np.dtype("float32"): np.dtype("float16")}
    values = [v if v is None or v.dtype != _HALF_COMPLEX else blank(v).astype(np.complex64) for v in values]
    za = run(cls, values, params)
    zs = [
        z.astype(halves.get(z.dtype, z.dtype), copy=False) for z in (za if za.__class__ is tuple else (za,))
    ]
    return tuple(zs) if za.__class__ is tuple else zs[0]


def _selects(key):
    """Whether a mask without elements is among the indices."""
    return any(isinstance(k, Blank) and k.dtype.kind == "b" for k in key)


def _probed(cls, values, params):
    """Like ``run``, for an elementwise op: the dtype is that of small arrays."""
    small = [np.ones(1, v.dtype) if isinstance(v, Blank) else v for v in values]
    with np.errstate(all="ignore"):
        dtype = np.asarray(cls.forward(*small, *params)).dtype
    return elementwise([v for v in values if isinstance(v, Blank)], dtype)


def check_devices(cls, operands):
    """Raise RuntimeError if tensors with elements and without meet, but for numbers of the CPU, and for indices into tensors on ``meta``."""
    wanted = None
    for i, x in enumerate(operands):
        if not isinstance(x, Tensor) or (not x._is_meta and not x._array.ndim):
            continue
        if wanted is None:
            wanted = x.device
        elif x.device != wanted:
            if (
                not x._is_meta
                and x._array.dtype.kind in "iub"
                and i
                and cls.function_name() in rules.TAKE_INDICES
            ):
                continue
            raise _two_devices(x.device, wanted)
    if wanted is not None and wanted.type != "meta":
        number = next(x for x in operands if isinstance(x, Tensor) and x._is_meta)
        raise _two_devices(number.device, wanted)


def _two_devices(found, wanted):
    return RuntimeError(f"Tensor on device {found} is not on the expected device {wanted}!")


# Elementwise ---------------------------------------------------------------------------------------------------------------------


def _elementwise(cls, operands, params):
    common = common_dtype(cls, operands)
    np_dtype, compute = common.np, compute_dtype(cls, common, operands)
    values, tensors = [], []
    for i, x in enumerate(operands):
        if x is None:
            values.append(None)
        elif isinstance(x, Tensor):
            value = blank(x._array)
            values.append(value if i < cls.conditions else value.astype(compute, copy=False))
        else:
            value = number_array(x, common, compute)
            values.append(value)
            x = standing_for_number(value.astype(np_dtype, copy=False))
        tensors.append(x)
    za = run(cls, values, params)
    if compute is not np_dtype and za.dtype == compute:
        za = za.astype(np_dtype)
    own = tuple([None if x is None else x._array.dtype for x in tensors])
    casts = (np_dtype, own) if np_dtype.kind in "cV" or any(d is not np_dtype for d in own) else None
    return _with_history(cls, tensors, params, za, casts)


# Recording -----------------------------------------------------------------------------------------------------------------------

_nodes: dict[type, type] = {}


def node_class(cls):
    """The class of the nodes of an op on ``meta``: gradients of raw arrays are blank, and formulas run where they are to be differentiated again."""
    found = _nodes.get(cls)
    if found is None:
        body = {
            "__slots__": ("likes",),
            "backward": _backward,
            "likes_of": True,
            "__module__": cls.__module__,
            "__qualname__": cls.__qualname__,
            "__doc__": cls.__doc__,
        }
        found = _nodes[cls] = type(cls)(cls.__name__, (cls,), body)
    return found


def _backward(node, xp, g, keep):
    cls = type(node).__mro__[1]
    if xp is not arrays:
        return cls.backward(node, xp, g, keep)
    if not cls.variadic and not issubclass(cls, ViewOp):
        Op.values(node, xp, keep)
    return [
        None if edge is None or edge is NOWHERE or like is None else elementwise([stored(like)], like.dtype)
        for edge, like in zip(node._next, node.likes)
    ]


def likes_of(operands):
    """What the gradients of the operands are to be like."""
    return [None if x is None else x._array for x in operands]


def _edges(cls, operands):
    if not thread_state.recording or thread_state.inference:
        return None
    formulas = cls.plan.formulas * (len(operands) if cls.variadic else 1)
    edges = tuple([None if f is None or x is None else x._edge for f, x in zip(formulas, operands)])
    return edges if any(edge is not None for edge in edges) else None


def _wrapped(za):
    z = meta(za)
    if thread_state.inference:
        z._storage = INFERENCE
    return z


def _with_history(cls, operands, params, za, casts):
    """Tensors of the op's results, with a node if anything is recorded."""
    several = len(cls.plan.results) > 1
    zs = za if several else (za,)
    outs = tuple([_wrapped(z) for z in zs])
    edges = _edges(cls, operands)
    differentiable = [k for k in range(len(zs)) if k not in cls.nondiff]
    if edges is not None and differentiable:
        kind = node_class(cls)
        if cls.variadic:
            node = kind()
            node._next, node._seq, node._extra, node._storage = edges, tick(), None, FRESH
            if cls.plan.params:
                node.params = params
            node.shapes, node.casts = [x._array.shape for x in operands], casts
        else:
            saved = tuple([z if k in cls.nondiff else z._array for k, z in enumerate(outs)])
            node = record(kind, tuple(operands), params, saved if several else saved[0], edges, casts)
        node.likes = likes_of(operands)
        for k in differentiable:
            outs[k]._node = node if len(differentiable) == 1 else Port(node, k)
    return outs if several else outs[0]


def _views(cls, x, params, za):
    """Tensors that are views of ``x``."""
    several = za.__class__ is tuple
    if not thread_state.recording or thread_state.inference or x._storage is INFERENCE:
        if not several:
            return unrecorded_view(meta(za), x, cls, params)
        return tuple([unrecorded_view(meta(z), x, Piece, (cls, k, *params)) for k, z in enumerate(za)])
    edges = _edges(cls, (x,))
    node = None
    if edges is not None:
        node = node_class(cls)()
        node._next, node._seq, node._extra, node._storage = edges, tick(), None, FRESH
        if cls.plan.params:
            node.params = params
        if cls.plan.needs_shapes:
            node.shapes = x._array.shape
        node.likes = [x._array]
        if several:
            node.count = len(za)
    if not several:
        z = meta(za)
        attach(z, x, cls, params, node)
        if cls.repeats:
            z._storage.repeats = True
        return z
    outs = []
    for k, array in enumerate(za):
        z = meta(array)
        attach(
            z, x, Piece, (cls, k, *params), node if node is None or len(za) == 1 else Port(node, k), "multi"
        )
        outs.append(z)
    return tuple(outs)


def emptied(array):
    """A tensor on ``meta`` of the shape, dtype and strides of ``array``."""
    return meta(blank(array))


def without_elements(function, *args, **kwargs):
    """What ``function(*args, **kwargs)``, which makes tensors, returns on ``meta``, with nothing of their size ever allocated."""
    return on_shapes(function)(*[seen(x) for x in args], **kwargs)


replace(wrap, emptied)
replace(powers, np.power)


def moved_to_meta(x):
    """The like of ``x``, a tensor of the CPU, on ``meta``; gradients do not find the way back."""
    z = _wrapped(in_format(blank(x._array), x._array.dtype, preserve_format))
    edges = _edges(ToCopyBackward0, (x,))
    if edges is not None:
        params = (x._array.dtype, preserve_format, x._array.dtype)
        z._node = record(node_class(ToCopyBackward0), (x,), params, z._array, edges)
        z._node.likes = [z._array]
    return z


# In place ------------------------------------------------------------------------------------------------------------------------


def write(cls, x, others, params, kernel, fit=None, check=None):
    """Apply the op ``cls`` in place to ``x``, as ``inplace.write`` does; the kernel runs on shapes, to find what does not fit."""
    if issubclass(cls, CopyBackwards):
        if not x._is_meta:
            raise no_data()
    else:
        check_devices(cls, (x, *others))

    def on_blank(xa, *ys):
        try:
            on_shapes(kernel)(blank(xa), *[None if y is None else blank(y) for y in ys])
        except NoElements:
            return  # what is written depends on elements; the shape, which is all there is, does not

    kind = cls if cls.plan is None else node_class(cls)
    return inplace.write_by_kernel(kind, x, others, params, on_blank, fit, check)
