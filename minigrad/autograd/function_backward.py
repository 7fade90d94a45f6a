"""The backward of a custom Function: what the user's ``backward`` is given, and what becomes of the gradients it returns."""

from typing import Any

import numpy as np

from .._arrays import vocabulary as arrays
from .._base.device import META
from .._base.dtypes import from_numpy_dtype, is_complex_type
from .._base.errors import type_name
from .._base.publishing import publish
from .._core.gradient_tensors import arrays_of, shown
from .._core.modes import set_recording, thread_state
from .._core.saved_hooks import restore
from .._core.tensor import Tensor, wrap
from .._ops.create import zeros as dense_zeros
from .function_context import PUBLIC, FunctionCtx, _FunctionBase, _HookMixin


class BackwardCFunction(_FunctionBase, FunctionCtx, _HookMixin):
    """The node, and context, of one application of a custom Function."""

    __slots__ = ()
    _forward_cls: Any = None
    lends = False  # what others hold comes as views: see arrays_of

    def __call__(self, *args: Any) -> Any:
        """Not possible, as in PyTorch: see ``apply``."""
        raise TypeError(f"'{type(self).__name__}' object is not callable")

    def _get_user_fn(self):
        return rule_of(self._forward_cls)

    def apply(self, *args: Any) -> Any:
        """Return what the user's ``backward`` returns for these gradients."""
        rule = self._get_user_fn()
        return rule(self, list(args)) if self._forward_cls.boxed_grads_call else rule(self, *args)

    def apply_boxed(self, grads: Any) -> Any:
        """Like ``apply``, for a ``backward`` that takes the gradients as one list."""
        return self._get_user_fn()(self, grads)

    def apply_jvp(self, *args: Any) -> Any:
        """Return what the user's ``jvp`` returns for these tangents."""
        return self._forward_cls.jvp(self, *args)

    def backward(self, xp: Any, g: Any, keep: Any) -> Any:
        """Call the user's backward; check what it returns."""
        raw = xp is arrays
        grads = gradients(self, g, raw)
        was = set_recording(thread_state.recording and not raw)
        hooks = thread_state.saved_hooks
        try:
            returned = BackwardCFunction.apply(self, *grads)
        finally:
            set_recording(was)
            if thread_state.saved_hooks is not hooks:
                restore(hooks)
        if not keep:
            release(self)
        outs = checked(self, returned)
        if not raw:
            return outs
        del returned  # which holds what may be kept by nobody else
        return arrays_of(outs, g)


publish(PUBLIC, BackwardCFunction)


def not_implemented(ctx: Any, *grad_outputs: Any) -> Any:
    """Return the gradients of the inputs, from those of the outputs; to be overridden."""
    raise NotImplementedError(
        "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
        "backward mode AD."
    )


def rule_of(cls: Any) -> Any:
    """Return the backward of a Function, which it may call ``vjp`` instead."""
    if cls.backward is not not_implemented and cls.vjp is not not_implemented:
        raise RuntimeError(
            "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one of them."
        )
    return cls.vjp if cls.vjp is not not_implemented else cls.backward


def gradients(node: Any, g: Any, raw: Any) -> Any:
    """Return the gradients of the outputs as the user's backward takes them: tensors, zeros where undefined, or None."""
    grads = []
    for nr, (h, made) in enumerate(zip(g if node._outputs > 1 else (g,), node._made)):
        if h is None:
            zeros = (
                node._materialize
                and made is not None
                and (node._zeros_for_constants or nr not in node._constants)
            )
            h = _zeros(*made) if zeros else None
        elif raw:
            h = shown(h)
        grads.append(h)
    return grads


def _zeros(shape: Any, dtype: Any, on_meta: Any) -> Any:
    if on_meta:
        return dense_zeros(shape, dtype=from_numpy_dtype(dtype), device=META)
    return wrap(np.zeros(shape, dtype))


def release(node: Any) -> None:
    """Free what was saved, after the last backward."""
    node._kept = ()
    node._freed = True


def checked(node: Any, returned: Any) -> Any:
    """Return what the user's backward returned, as a list of tensors or Nones, one for each input; raises RuntimeError if it does not fit the inputs."""
    if not isinstance(returned, tuple):
        returned = (returned,)
    inputs = node._inputs
    expected = len(inputs)
    if len(returned) > expected and all(r is None for r in returned[expected:]):
        returned = returned[:expected]
    if len(returned) != expected:
        raise RuntimeError(
            f"function {type(node).__name__} returned an incorrect number of gradients (expected {expected}, got {len(returned)})"
        )
    given = []
    for i, (r, metadata) in enumerate(zip(returned, inputs)):
        if metadata is None:
            if r is not None:
                raise RuntimeError(
                    f"function {type(node).__name__} returned a gradient different than None at position {i + 1}, but the "
                    "corresponding forward input was not a Variable"
                )
        elif r is None or isinstance(r, Tensor):
            given.append((r, metadata))
        else:
            raise RuntimeError(f"expected Variable or None (got {type_name(r)})")
    outs = []
    for i, ((r, metadata), end) in enumerate(zip(given, node._next)):
        if r is not None and end is not None:
            r = fitted(node, r, metadata, i)
        outs.append(r)
    return outs


def fitted(node: Any, r: Any, metadata: Any, i: Any) -> Any:
    """Gradient number ``i`` summed to its input's shape and cast to its dtype."""
    shape, dtype = metadata
    array = r._array
    if array.shape != shape:
        try:
            fits = np.broadcast_shapes(shape, array.shape) == array.shape
        except ValueError:
            fits = False
        if not fits:
            raise RuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {i} - got {list(array.shape)} but expected shape "
                f"compatible with {list(shape)}"
            )
        from .._ops import vocabulary

        r = vocabulary.sum_to(r, shape)
    if array.dtype != dtype:
        if not r.is_floating_point() and r.is_complex() != is_complex_type(dtype):
            raise RuntimeError(
                "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) to be true, but got "
                "false.  A gradient must be complex where the input is, and real where it is real."
            )
        r = r.to(wrap(np.empty(0, dtype)).dtype)
    return r
