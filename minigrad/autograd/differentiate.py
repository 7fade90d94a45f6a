"""``backward`` and ``grad``: what users call to run the engine."""

import functools
import math
import operator
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, overload

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.unresolved import resolved
from .._base.composites import composite
from .._base.deprecation import old_form
from .._base.dtypes import from_numpy_dtype, is_complex_type
from .._base.errors import NO_REWARD, type_name
from .._base.publishing import publish
from .._base.size import Size
from .._core import engine
from .._core.gradient_tensors import note, returned
from .._core.levels import BatchLevel, transforming
from .._core.lifted import without_node
from .._core.modes import set_recording, thread_state
from .._core.node import NOWHERE, Port, tick
from .._core.runs import captures_only
from .._core.tensor import Tensor, is_blank, node_and_nr, wrap
from .._core.views import View
from .._core.wrapped import Wrapped, whole_batch, wrap_layer
from .._core.wrapped import batch as as_batch
from ._metadata import results_of
from .graph import GradientEdge

__all__ = ["backward", "grad"]


def backward(
    tensors: Any,
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Tensor | Sequence[Tensor | None] | None = None,
    inputs: Any = None,
    retain_variables: Any = None,
) -> None:
    """Compute the gradients of ``tensors`` with respect to the leaves of their graph, and add them to the leaves' ``.grad``.

    ``grad_tensors`` holds a tensor of the same shape and dtype for each of ``tensors``; it can be left out for one-element tensors.
    ``retain_graph`` keeps what the graph saved for another backward (default: the value of ``create_graph``); ``create_graph`` records
    the backward, so that gradients can be differentiated again; with ``inputs``, only their ``.grad`` are added to.

    Raises RuntimeError if a tensor does not require grad, a gradient has another shape, or the graph was freed.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.], requires_grad=True)
    >>> minigrad.autograd.backward([x * x], [minigrad.ones(2)])
    >>> x.grad
    tensor([2., 4.])
    """
    if thread_state.levels and transforming():
        raise RuntimeError(
            "backward() called inside a functorch transform. Use torch.func.grad or torch.func.vjp there, or call "
            "backward() outside of the transform."
        )
    if grad_variables is not None:
        warnings.warn(
            "`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2
        )
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only "
                "use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if retain_variables is not None:
        retain_graph = _of_2017(retain_graph, retain_variables)
    inputs = None if inputs is None else as_inputs(inputs, "backward")
    if inputs is not None and not inputs:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    for flag in (retain_graph, create_graph):
        if flag.__class__ is not bool and flag is not None:
            operator.index(flag)
    ends, grads, xp = _starts(as_sequence(tensors), grad_tensors, create_graph)
    keep = create_graph if retain_graph is None else retain_graph
    if create_graph:
        _warn_of_cycle()
    if inputs is None:
        _run(ends, grads, xp, keep, None, create_graph, {})
        return
    capture: dict[Any, Any] = {}
    for x in inputs:
        if isinstance(x, Tensor):
            x.retain_grad()  # what is not a leaf keeps its gradient as it passes by
        key = _wanted(x)
        if key[0] is not NOWHERE:
            capture[key] = None
    _run(ends, grads, xp, keep, capture, create_graph, {})


@overload
def grad(outputs: Any, inputs: dict[Any, Any], *args: Any, **kwargs: Any) -> dict[Any, Any]: ...


@overload
def grad(outputs: Any, inputs: Any, *args: Any, **kwargs: Any) -> tuple[Tensor, ...]: ...


@composite(event=None)
def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor, ...] | dict[str, Tensor]:
    """Return the gradients of ``outputs`` with respect to ``inputs``, as a tuple (or a dict, for a dict of inputs), without touching any
    ``.grad``.

    An input that the outputs do not depend on raises RuntimeError; with ``allow_unused`` its gradient is None, with ``materialize_grads``
    zeros. With ``is_grads_batched``, the first dimension of each of ``grad_outputs`` counts several of them, and so does that of the
    gradients. The other arguments are those of ``backward``.

    >>> import minigrad
    >>> x = minigrad.tensor(3., requires_grad=True)
    >>> minigrad.autograd.grad(x * x, x)
    (tensor(6.),)
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    outputs = as_sequence(outputs)
    names = tuple(inputs) if type(inputs) is dict else None
    inputs = as_inputs(inputs, "grad")
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To add to the .grad of other "
            "tensors, use torch.autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    keep = create_graph if retain_graph is None else retain_graph
    compute = _grads_of_batch if is_grads_batched else _grads
    found = compute(outputs, inputs, grad_outputs, keep, create_graph, allow_unused)
    if materialize_grads:
        if any(g is None and isinstance(x, GradientEdge) for x, g in zip(inputs, found)):
            raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
        found = tuple(_zeros_like(x, create_graph) if g is None else g for x, g in zip(inputs, found))
    return found if names is None else dict(zip(names, found))


def _grads(outputs, inputs, grad_outputs, keep, create_graph, allow_unused):
    """What ``grad`` returns, with None for inputs that the outputs do not depend on."""
    ends, grads, xp = _starts(outputs, grad_outputs, create_graph)
    tensors: dict[Any, Any] = {}
    capture: dict[Any, Any] = {}
    places = []
    for x in inputs:
        key = _wanted(x)
        places.append(None if key[0] is NOWHERE else capture.setdefault(key, len(capture)))
    found = _run(ends, grads, xp, keep, capture, create_graph, tensors)
    results: list[Any] = []
    for i, place in enumerate(places):
        g = None if place is None else found[place]
        if g is None:
            if not allow_unused:
                raise RuntimeError(
                    f"The differentiated Tensor at index {i} appears to not have been used in the graph. Set "
                    "allow_unused=True if this is the desired behavior."
                )
            results.append(None)
        elif xp is arrays:
            results.append(returned(g, tensors))
        else:
            results.append(g if create_graph else without_node(g))
    return tuple(results)


def _grads_of_batch(outputs, inputs, grad_outputs, keep, create_graph, allow_unused):
    """What ``grad`` returns for several sets of ``grad_outputs`` at once: one backward for each, stacked."""
    batch = (grad_outputs,) * len(outputs) if grad_outputs is None else as_sequence(grad_outputs)
    for i, (x, g) in enumerate(zip(outputs, batch)):
        if isinstance(g, Tensor) and isinstance(x, GradientEdge):
            raise RuntimeError("Batched grads are not supported with GradientEdge")
        if isinstance(g, Tensor) and g[0].shape != x.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. "
                "The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a "
                f"mismatch was detected: grad_output[{i}] has a shape of {g[0].shape[1:]} and output[{i}] has a shape of "
                f"{x.shape}. For gradients of which only some are batched, use torch.func.vmap."
            )
    if any(g is None for g in batch):
        if any(g is None and x.numel() != 1 for x, g in zip(outputs, batch)):
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        raise ValueError(
            "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a Tensor of dimensionality 0 so "
            "expected in_dim to satisfy 0 <= in_dim < 0."
        )
    sizes = [g.shape[0] for g in batch]
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    from .. import _transforms as _transforms  # tensors of a batch need it

    level = BatchLevel(sizes[0], is_internal=True)
    try:
        rows = [as_batch(g, level) for g in batch]
        found = _grads(outputs, inputs, rows, keep, create_graph, allow_unused)
        return tuple(None if g is None else whole_batch(g, level) for g in found)
    finally:
        level.close()


@functools.cache
def _warn_of_cycle():
    """Warn, once, of what a recorded ``.grad`` keeps alive."""
    warnings.warn(
        "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
        "which can cause a memory leak. Use torch.autograd.grad, which returns the gradients, or set the .grad of the "
        "parameters to None when you are done with them.",
        stacklevel=4,
    )


def _run(ends, grads, xp, keep, capture, create_graph, tensors):
    if xp is arrays:
        seeds = []
        for g in grads:
            note(tensors, g._array, g)
            seeds.append(resolved(g._array))
        return engine.run(ends, seeds, xp, keep, capture, tensors=tensors)
    was = set_recording(create_graph)  # on all levels, as in PyTorch
    try:
        return engine.run(ends, grads, xp, keep, capture, create_graph)
    finally:
        set_recording(was)


def _of_2017(retain_graph, retain_variables):
    """``retain_graph`` as it was called in 2017."""
    if retain_graph is not None:
        raise ValueError("only one of retain_graph and retain_variables can be specified")
    old_form("backward(retain_variables=...)", "Use `retain_graph=...` instead.")
    return retain_variables


def _calculate_shape(output, grad, is_grads_batched):
    """The shapes, without the batch, of an output (a tensor or an edge) and of the gradient given for it."""
    shape = Size(_start(output)[1])
    return shape, Size(grad.shape[1:] if is_grads_batched else grad.shape)


def _get_sequence_nr():
    """A sequence number: nodes recorded from now on have higher ones."""
    return tick()


def _is_checkpoint_valid():
    """Whether a reentrant checkpoint may run: not within a backward that computes the gradients of some inputs only."""
    return not captures_only()


def as_sequence(tensors: Any) -> Any:
    """Return a tensor or gradient edge, or a sequence of them, as a tuple."""
    return (tensors,) if isinstance(tensors, (Tensor, GradientEdge)) else tuple(tensors)


def _wanted(x):
    """The node and output number of an input whose gradient is wanted."""
    if isinstance(x, GradientEdge):
        return x.node, x.output_nr
    if not isinstance(x, Tensor):
        raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(x).__name__}")
    if not x.requires_grad:
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    return node_and_nr(x)


def _zeros_like(x, create_graph):
    zeros = wrap_layer(np.zeros_like(x._array, order="C" if 0 in x._array.strides else "K"))
    return zeros.requires_grad_() if create_graph else zeros


def as_inputs(inputs: Any, function: str) -> Any:
    """Return the ``inputs`` argument of ``function`` as a tuple; of a dict, the values."""
    if type(inputs) is dict:
        return tuple(inputs.values())
    if isinstance(inputs, Mapping):
        raise TypeError(
            f"`inputs` argument to `{function}()` must be a dict, not {type(inputs).__name__}. Other Mapping types are not supported."
        )
    return as_sequence(inputs)


def _starts(tensors, grads, create_graph):
    """Where a backward begins: edges, their gradients as tensors, and the vocabulary to compute in."""
    if grads is None:
        grads = (None,) * len(tensors)
    elif isinstance(grads, Tensor):
        grads = (grads,)
    else:
        grads = tuple(grads)
    if len(grads) < len(tensors) and all(g is None or isinstance(g, Tensor) for g in grads):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(grads)} gradients")
    wrapped = thread_state.levels and any(isinstance(x, Wrapped) for x in (*tensors, *grads))
    if create_graph or wrapped:
        from .._ops import vocabulary as xp
    else:
        xp = arrays
    starts = [_start(x) for x in tensors]
    for i, ((node, shape, dtype), g) in enumerate(zip(starts, grads)):
        if g is None:
            if node is not None and (math.prod(shape) != 1 or dtype.kind not in "fV"):
                _check_lone(node, shape, dtype)
        elif not isinstance(g, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type_name(g)}")
        elif g._array.shape != shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{i}] has a shape of {Size(g._array.shape)} and output[{i}] has a shape "
                f"of {Size(shape)}."
            )
        elif g.is_complex() != is_complex_type(dtype):
            raise RuntimeError(
                "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in "
                f"dtype: grad_output[{i}] has a dtype of {g.dtype} and output[{i}] has a dtype of {from_numpy_dtype(dtype)}."
            )
    ends, seeds = [], []
    for i, ((edge, shape, dtype), g) in enumerate(zip(starts, grads)):
        if edge.__class__ is View:
            edge = tensors[i]._edge  # may raise: PyTorch looks at the gradients first
        if edge is None or edge is NOWHERE:
            raise _no_start(tensors[i], i)
        ends.append(edge)
        if g is None:
            of_blank = isinstance(tensors[i], Tensor) and is_blank(tensors[i]._array)
            g = wrap_layer(tensors[i]._array.copy()) if of_blank else wrap(np.ones(shape, dtype))
        elif g._array.dtype != dtype:
            g = (g if isinstance(g, Wrapped) else g.detach()).to(from_numpy_dtype(dtype))
        seeds.append(g)
    return tuple(ends), seeds, xp


def _check_lone(edge, shape, dtype):
    """Raise RuntimeError unless the gradient of an output that is no real number may be left out: a draw with a reward needs none."""
    rewarded = getattr(edge, "rewarded", None)  # see _legacy/stochastic_function.py
    if rewarded:
        return
    if rewarded is False:
        raise RuntimeError(NO_REWARD)
    if math.prod(shape) != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    raise RuntimeError(
        f"grad can be implicitly created only for real scalar outputs but got {from_numpy_dtype(dtype)}"
    )


def _no_start(x, i):
    """The error for a tensor from which no backward can start."""
    if isinstance(x, Tensor) and x._draw is not None:
        return RuntimeError(NO_REWARD)
    if isinstance(x, Tensor) and x._volatile:
        return RuntimeError(f"element {i} of variables tuple is volatile")
    return RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn")


def _start(x):
    """The edge of a tensor (a view as it is) or of a gradient edge, and its shape and dtype."""
    if isinstance(x, Tensor):
        return x._node if x.requires_grad else None, x._array.shape, x._array.dtype
    node, nr = x.node, x.output_nr
    made = results_of(node)[nr]
    if made is None:
        raise RuntimeError(
            f"the shape of the output of {node.name()} is not known any more: pass the tensor instead of its edge"
        )
    return node if node._outputs == 1 else Port(node, nr), *made


def tensor_backward(
    self: Any,
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
    retain_variables: Any = None,
) -> None:
    """Compute the gradients of this tensor with respect to the leaves of its graph, and add them to the leaves' ``.grad``.

    See ``minigrad.autograd.backward``.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    """
    if retain_variables is not None:
        retain_graph = _of_2017(retain_graph, retain_variables)
    if gradient is None and inputs is None and not create_graph and self.__class__ is Tensor:
        array = self._array
        one = None if array.ndim else _ONE.get(array.dtype)
        edge = self._edge
        # a loss: 3 us less than the general way
        if one is not None and edge is not None and edge is not NOWHERE and not thread_state.levels:
            engine.run((edge,), (one.copy(),), arrays, bool(retain_graph))
            return
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


_ONE = {np.dtype(name): np.ones((), name) for name in ("float32", "float64")}
tensor_backward.__name__ = tensor_backward.__qualname__ = "backward"
publish("minigrad._tensor", tensor_backward)
publish("minigrad.autograd", backward, grad)
