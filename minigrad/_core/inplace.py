"""In-place ops: check, write, bump the version, rewrite history.

The order of the steps is PyTorch's, and decides which error comes first: (1) may this tensor be written to while recording,
(2) the edges of all operands, (3) overlapping memory, (4) a copy of the old value if a formula needs it, (5) the kernel,
(6) the version, (7) the history: of the tensor itself, or, if it is a view, of its base (``CopySlices`` in ``views.py``).
"""

import warnings

import numpy as np

from .._arrays.memory_layout import address, is_expanded
from .._arrays.rounding import fitted
from .._arrays.unresolved import Unresolved, unresolved
from .._arrays.view_chain import Template, dense
from .._base import dtypes
from .._base.callers import level_of_user
from .._base.errors import broadcast_shapes, not_a_tensor, shape_text
from .._base.mixing import unknown_operand
from .._display.help_text import LazySignature, documented_in_place, signature
from . import late
from .families import fast_classes, kernel_error, named_error, no_kernel, number, own_code, record, too_many
from .interpret import (
    compute_dtype,
    number_array,
    overridden,
    promotion_rank,
    public_function,
    standing_for_number,
    under_watch,
)
from .modes import WATCHED, reads_unusual_modes, thread_state
from .node import AccumulateGrad, keep_retaining, tick
from .overriding import ask_operands, operand_met
from .storage import FRESH, INFERENCE, Storage, check_overlap, own_storage
from .tensor import Tensor, bump, inference_write, new
from .views import AsStridedBackward0, CopySlices, View, forbidden
from .wrapped import elements, wrap_layer

unusual_modes = 0
reads_unusual_modes(globals())


def check_writable(x, recording=True):
    """Raise RuntimeError if ``x`` may not be written to: step 1.  (``recording``: and something requires grad.)"""
    if thread_state.before_write is not None:
        thread_state.before_write(x)
    if x._storage is INFERENCE and not thread_state.inference:
        raise inference_write()
    if not recording:
        return
    node = x._node
    if node.__class__ is View:
        if node.meta is not None:
            raise RuntimeError(forbidden(node))
        if x.requires_grad and node.base.is_leaf:
            raise RuntimeError(
                "a view of a leaf Variable that requires grad is being used in an in-place operation."
            )
    if x.requires_grad and x.is_leaf:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")


def may_write(x, *others):
    """Raise RuntimeError if ``x`` may not be written to by an op with these other operands: ``write`` before all else."""
    recording = thread_state.recording and not thread_state.inference
    check_writable(
        x, recording and (x.requires_grad or any(isinstance(y, Tensor) and y.requires_grad for y in others))
    )


def check_apart(x, *others):
    """Raise RuntimeError if another operand shares memory with ``x``, which is to be written to in an order that is not defined.

    What is unresolved is written out before.
    """
    a = elements(x)
    for y in others:
        b = elements(y)
        if unresolved(a, b):
            continue
        if y is x or (np.may_share_memory(a, b) and dense(a) and dense(b) and np.shares_memory(a, b)):
            raise RuntimeError(_OVERLAP)


def check_not_partly(x, y):
    """Raise RuntimeError if ``y``, which is to be read while ``x`` is written, covers some of the same elements in another way.

    Only where that is plain to see, as in PyTorch: if both fill one block of memory.
    """
    a, b = x._array, y._array
    if y is x or not a.size or not b.size or not (dense(a) and dense(b)):
        return
    start, other = address(a), address(b)
    if start == other and a.nbytes == b.nbytes:
        if a.strides == b.strides:
            return
    elif start >= other + b.nbytes or other >= start + a.nbytes:
        return
    raise RuntimeError(_OVERLAP)


_OVERLAP = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
    "location. Please clone() the tensor before performing the operation."
)


def rebase(x, node):
    """Make ``node``, which stands for what was written, the history of ``x``: step 7."""
    view = x._node
    if view.__class__ is not View:
        keep_retaining(x._node, node)
        x._node = node
        return
    base = view.base
    view.find_place()
    before = view.node
    slices = CopySlices()
    slices._next = (base._node, *node._next[1:])
    slices._seq = tick()
    slices._extra = None
    slices._storage = FRESH
    slices.inner = node
    slices.chain = view.chain
    slices.template = Template(base._array)
    base._node = slices
    view.meta = None
    view.node = slices  # not None: it is derived again from the base's new history
    view.current()
    keep_retaining(before, view.node)
    keep_retaining(slices._next[0], slices)


def write(cls, x, others, params, kernel, fit=None, check=None):
    """Apply the op ``cls`` in place to ``x``: ``kernel(x's array, other arrays)`` writes; returns ``x``.

    ``others`` are the further operands: tensors, or None.  ``check()`` and ``fit()`` may raise, once it is known that ``x`` may be
    written to: before, and after a look at whether its elements overlap.
    """
    volatile = None
    on_meta = False
    for y in (x, *others):
        if y is not None and y.__class__ not in fast_classes:
            if y is x and not hasattr(x, "_wrapped"):
                raise not_a_tensor(cls.function_name() + "_", "input", 1, x)
            if y._wrapped:
                return late.write_wrapped(cls, x, others, params, kernel, fit, check)
            if y._is_sparse:
                return late.sparse().write(cls, x, others)
            if y._is_meta:
                on_meta = True
                continue
            if not y._volatile:
                return _write_to_subclass(cls, x, others, params, kernel, fit, check)
            volatile = y
    if unusual_modes and thread_state.mode == WATCHED:
        return under_watch(
            cls, (x, *others), params, lambda: write(cls, x, others, params, kernel, fit, check), True
        )
    if on_meta:
        return late.meta().write(cls, x, others, params, kernel, fit, check)
    return write_by_kernel(cls, x, others, params, kernel, fit, check, volatile)


def write_by_kernel(cls, x, others, params, kernel, fit=None, check=None, volatile=None):
    """Like ``write``, for operands of any class: ``kernel`` knows what stands in the place of their arrays."""
    recording = thread_state.recording and not thread_state.inference and cls.tracks
    tracked = recording and (x.requires_grad or any(y is not None and y.requires_grad for y in others))
    check_writable(x, tracked and not x._volatile)
    tracked = tracked and volatile is None
    edges = None
    if tracked:
        edges = (x._edge, *(None if y is None else y._edge for y in others))
        if all(edge is None for edge in edges):
            edges = None
        elif thread_state.levels:
            late.check_not_captured(cls, x, others)
    if check is not None:
        check()
    if x._storage.repeats or x._storage is INFERENCE:
        if not cls.fills or x._array.__class__ is Unresolved:
            check_overlap(x)
        elif cls.fills is not True and is_expanded(x._array):
            warn_of_expanded(cls)
    if fit is not None:
        fit()
    operands = (x, *others)
    if edges is not None and cls.plan is not None:
        wanted = [edge is not None for edge in edges]
        if any(wanted[j] for j in cls.plan.wanted_by[0]):
            # the old value is needed in backward; derivatives of higher order lead on from it
            old = wrap_layer(x._array.copy(order="K"))
            old._node, old._storage = edges[0], Storage()
            operands = (old, *others)
        if thread_state.saved_hooks:
            operands = (operands[0], *[_as_it_was(y, x) for y in others])
        if x._node.__class__ is View:
            # another view of the same memory that backward needs is stale from now on: keep it, but not its history,
            # which would lead back to this write in a circle
            operands = tuple(_without_history(y, x) for y in operands)
        own_storage(x)
        node = record(cls, operands, params, x._array, edges, _casts(x, operands))
        if x._is_meta:
            node.likes = [None if y is None else y._array for y in operands]
    if x._array.__class__ is Unresolved:
        kernel = written_back(kernel)
    kernel(x._array, *(None if y is None else y._array for y in others))
    bump(x)
    if edges is not None:
        node.vz = x._storage.version
        node._storage = x._storage
        rebase(x, node)
    elif volatile is not None:
        volatile._spread(x)
    return x


def written_back(kernel):
    """Like ``kernel``, for an array that is unresolved: it writes into one that is not, and what it wrote goes back."""

    def call(xa, *ys):
        buffer = xa.resolve()
        kernel(buffer, *ys)
        xa[...] = buffer

    return call


def warn_of_expanded(cls):
    """Warn of an in-place op on a tensor whose elements share memory, which this one takes."""
    warnings.warn(
        f"Use of {cls.function_name()}_ on expanded tensors is deprecated. Please clone() the tensor before performing this "
        f"operation. This also applies to advanced indexing e.g. {cls.fills}",
        stacklevel=level_of_user(),
    )


def _write_to_subclass(cls, x, others, params, kernel, fit, check):
    def call(x, *others):
        return write(cls, x, others, params, kernel, fit, check)

    call.__name__ = cls.function_name() + "_"
    return overridden(cls, (x, *others), (), None, call)


def _casts(x, operands):
    """The ``casts`` of ``families.record``: the dtype computed in and the operands' own; None if all are the same."""
    dtype = x._array.dtype
    if dtype.kind in "cV" or any(y is not None and y._array.dtype is not dtype for y in operands):
        own_dtypes = tuple(None if y is None else y._array.dtype for y in operands)
        if dtype == _SINGLE and _DOUBLE in own_dtypes:
            dtype = _DOUBLE  # operands that are not rounded give gradients that are not
        return dtype, own_dtypes
    return None


_SINGLE, _DOUBLE = dtypes.float32.np, dtypes.float64.np


def _as_it_was(y, x):
    """A copy of an operand that shares memory with ``x``, which is about to be written to: hooks pack what it is now."""
    if y is None or (y is not x and (y._storage is not x._storage or y._storage.shared)):
        return y
    copy = wrap_layer(y._array.copy(order="K"))
    copy._node, copy._storage = y._edge, Storage()
    return copy


def _without_history(y, x):
    if y is None or y is x or y._storage is not x._storage:
        return y
    alias = new(type(y) if y._wrapped or y._is_meta else Tensor)
    alias._array, alias._storage, alias._node = y._array, y._storage, None
    if y.requires_grad and (y._node.__class__ is View or y is x._node.base):
        # what the error for a stale operand calls it; it leads nowhere
        alias._node = node = CopySlices() if y is x._node.base else AsStridedBackward0()
        node._next, node._seq, node._extra, node._storage = (), -1, None, FRESH
    return alias


def fits(cls, x, common, shape):
    """Raise RuntimeError unless a result of dtype ``common`` and ``shape`` can be written into ``x``."""
    if shape != x._array.shape:
        raise RuntimeError(
            f"output with shape {shape_text(x._array.shape)} doesn't match the broadcast shape {shape_text(shape)}"
        )
    if not dtypes.can_cast(common, x.dtype):
        raise RuntimeError(
            f"result type {dtypes.scalar_type_name(common)} can't be cast to the desired output type "
            f"{dtypes.scalar_type_name(x.dtype)}"
        )


def _operand(y, common, compute):
    """A further operand as a tensor: a Python number becomes one of the dtype that the op computes in."""
    return y if y is None or isinstance(y, Tensor) else standing_for_number(number_array(y, common, compute))


#: What may stand on the right of an in-place operator.  For an array there is the operator that makes a new tensor.
_operands_in_place = (Tensor, bool, int, float, complex, np.generic)


def _check_operand(cls, y, place):
    """Raise TypeError unless ``y`` may be operand number ``place``."""
    if y is None:
        fine = place >= cls.optional_from
    else:
        fine = isinstance(y, Tensor) or (
            isinstance(y, (bool, int, float, complex, np.generic)) and place >= cls.tensors_first
        )
    if not fine:
        name = cls.plan.operands[place]
        raise not_a_tensor(cls.function_name() + "_", cls.names.get(name, name), place, y)


def elementwise_(cls, of_number=None, overwrite=None, operator=None):
    """The in-place function of an elementwise op of any number of operands; a Python operator's leaves what is no operand to the other's class.

    ``of_number`` is the op as which a call with a Python number for the second operand is recorded, if not as ``cls``; ``overwrite(x, x)``
    writes the result of one operand into it, if ``forward`` cannot.
    """
    forward = cls.forward
    is_ufunc = isinstance(forward, np.ufunc)
    arity = cls.plan.arity
    most = arity - 1 + len(cls.plan.params)

    def general_call(input, *rest):
        if len(rest) > most:
            raise too_many(cls, 1 + len(rest), "_")
        others, params = rest[: arity - 1], rest[arity - 1 :]
        for place, y in enumerate((input, *others)):
            if y.__class__ not in fast_classes:
                if operator and place and not isinstance(y, _operands_in_place) and not operand_met(y):
                    return unknown_operand(y)
                if not isinstance(y, Tensor) and operand_met(y):
                    function = getattr(Tensor, operator) if operator else public_function(cls, True)
                    return ask_operands(function, (input, *rest), {})
                _check_operand(cls, y, place)
        given = others
        kind = cls if of_number is None or isinstance(others[0], Tensor) else of_number
        common = dtypes.result_dtype(
            [promotion_rank(y) for y in (input, *others)[cls.conditions :] if y is not None]
        )
        if cls.floats and common.category < dtypes.FLOATING:
            common = dtypes.get_default_dtype()
        compute = compute_dtype(cls, common, (input, *others))
        others = tuple(_operand(y, common, compute) for y in others)

        def fit():
            shape = input._array.shape
            storage = input._storage
            if not storage.shared:
                for y in others:
                    if y is not None and y._storage is storage and not unresolved(input._array, y._array):
                        check_not_partly(input, y)
            shapes = [y._array.shape for y in others if y is not None]
            if any(s and s != shape for s in shapes):
                shape = broadcast_shapes([shape, *shapes])
            fits(cls, input, dtypes.bool_ if cls.truth else common, shape)
            if cls.ordered and common.category == dtypes.COMPLEX:
                raise no_kernel(cls, common.np)

        def kernel(xa, *ys):
            casted = [
                ya if ya is None or i < cls.conditions else fitted(ya, compute).astype(compute, copy=False)
                for i, ya in enumerate((xa, *ys))
            ]
            try:
                za = forward(*casted, *params)
            except Exception as error:
                za = kernel_error(cls, error, casted, params)
            with np.errstate(all="ignore"):
                xa[...] = za if za.dtype is xa.dtype else fitted(za, xa.dtype)

        check = None if cls.check is None else lambda: cls.check(input, *given)
        return write(kind, input, others, params, kernel, fit, check)

    if arity == 1 and is_ufunc:
        overwrite = overwrite or forward

        def call_one(input):
            mode = unusual_modes and thread_state.mode
            if input.__class__ not in fast_classes or mode == WATCHED:
                return general_call(input)
            storage = input._storage
            if (input._node is not None and not mode) or storage is INFERENCE or storage.repeats:
                return general_call(input)
            xa = input._array
            if xa.dtype.kind not in "fc":
                return general_call(input)
            try:
                overwrite(xa, xa)
            except (RuntimeWarning, FloatingPointError):
                return _bumped(input)  # NumPy warns after the whole array is written
            except TypeError:  # not for such a dtype
                return general_call(input)
            (own_storage(input) if storage is FRESH else storage).version += 1
            return input

        return named_(cls, call_one, operator)

    if arity == 2 and is_ufunc:
        numbers = cls.tensors_first < 2

        def call_two(input, other):
            mode = unusual_modes and thread_state.mode
            if input.__class__ not in fast_classes or mode == WATCHED:
                return general_call(input, other)
            xa = input._array
            y = other
            if y.__class__ not in fast_classes:
                y = number(y, xa.dtype) if numbers else None
                if y is None:
                    return general_call(input, other)
            ya = y._array
            storage = input._storage
            if (
                ((input._node is not None or y._node is not None) and not mode)
                or storage is INFERENCE
                or storage.repeats
                or xa.dtype is not ya.dtype
                or (cls.floats and xa.dtype.kind not in "fc")
                or (cls.ordered and xa.dtype.kind == "c")
                or (ya.shape and ya.shape != xa.shape)
                or xa.dtype.kind == "b"
                or (y._storage is storage and storage is not FRESH and y is not input)
            ):
                return general_call(input, other)
            try:
                forward(xa, ya, out=xa)  # NumPy deprecates the third position for np.maximum
            except (RuntimeWarning, FloatingPointError):
                return _bumped(input)
            except TypeError:  # not for such a dtype
                return general_call(input, other)
            (own_storage(input) if storage is FRESH else storage).version += 1
            return input

        return named_(cls, call_two, operator)

    if arity == 2 and not cls.plan.params:

        def call_promoting(input, other):
            return general_call(input, other)

        return named_(cls, call_promoting, operator)

    return named_(cls, general_call, operator)


def at_once(x):
    """Whether ``x`` may be written to at once: a plain tensor, nothing to record, no two elements in one place."""
    if x.__class__ not in fast_classes:
        return False
    mode = unusual_modes and thread_state.mode
    storage = x._storage
    node = x._node
    if node.__class__ is View and node.node is None:
        node = node.base._node
    return (mode or node is None) and mode != WATCHED and storage is not INFERENCE and not storage.repeats


def _bumped(x):
    bump(x)
    return x


def op_(cls):
    """The in-place function of an op that is not elementwise: the result is computed, then written."""
    arity = cls.plan.arity

    def call(input, *rest):
        others, params = rest[: arity - 1], rest[arity - 1 :]
        if not isinstance(input, Tensor):
            raise named_error(cls, input, 0)

        def kernel(xa, *ys):
            try:
                za = cls.forward(xa, *ys, *params)
            except Exception as error:
                za = kernel_error(cls, error, (xa, *ys), params)
            if za.shape != xa.shape or za.dtype is not xa.dtype:
                # in a batch, where ``input`` is a sample
                fits(cls, wrap_layer(xa), dtypes.from_numpy_dtype(za.dtype), za.shape)
            xa[...] = za if za.dtype is xa.dtype else fitted(za, xa.dtype)

        return write(cls, input, others, params, kernel)

    return named_(cls, call)


def view_(cls):
    """The in-place function of a view op: the tensor itself looks at its memory in the new way; returns it.

    ``cls`` is a subclass of the view op with the name of the in-place node.
    """
    forward = cls.forward
    takes_params, needs_shape = bool(cls.plan.params), cls.plan.needs_shapes
    (step,) = cls.__bases__  # the op by which the view is made again

    def call(input, *params):
        if not isinstance(input, Tensor):
            raise named_error(cls, input, 0)
        if unusual_modes and thread_state.mode == WATCHED:
            return under_watch(cls, (input,), params, lambda: call(input, *params), True)
        tracked = thread_state.recording and not thread_state.inference and input.requires_grad
        check_writable(input, tracked)
        edge = input._edge if tracked else None
        xa = input._array
        if input._wrapped:
            za = _layer_seen(xa, step, params)
        else:
            try:
                za = forward(xa, *params)
            except Exception as error:
                za = kernel_error(cls, error, (xa,), params)
        node = None
        if edge is not None:
            if input.retains_grad:
                input._retains = True  # what is retained stays the gradient of the old shape
            node = cls()
            node._next = (edge,)
            node._seq = tick()
            node._extra = None
            node._storage = FRESH
            if takes_params:
                node.params = params
            if needs_shape:
                node.shapes = xa.shape
        aliased = not input._storage.shared
        bump(input)
        view = input._node
        if view.__class__ is View:
            if node is not None:
                view.node = node
                view.seen = input._storage.version
            view.chain = (view.chain, step, params)
        else:
            if node is not None:
                input._node = node
            if aliased:
                laid_out(input, xa)
            if view.__class__ is AccumulateGrad:
                view.array = za
        input._array = za
        if input._node.__class__ is AccumulateGrad:
            input._node.array = za
        return input

    return named_(cls, call)


def _layer_seen(layer, step, params):
    """What stands in the place of an array, once the view op ``step`` is done on it."""
    z = step.call(wrap_layer(layer), *params)
    return z._array if z._wrapped else layer.holding(z)  # no longer wrapped, if its level is closed


def laid_out(x, before):
    """Note for the views of ``x`` that it has just got another shape or order in place; ``before`` is its array until now."""
    x._laid_out = x._storage.version
    x._layouts = (*x._layouts, (x._laid_out, before))


def named_(cls, call, operator=None):
    """Name an in-place function after its op: ``add_``, or as Python's ``operator``."""
    name = cls.function_name()
    call = own_code(call, operator or name + "_")
    call.__doc__ = documented_in_place(cls, name)
    call.__signature__ = LazySignature(signature, cls, call.__code__)
    call.__module__ = cls.__module__
    call.op = cls
    return call
