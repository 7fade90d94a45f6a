"""``backward`` and ``grad``: what users call to run the engine."""

import functools
import math
import warnings

import numpy as np

from .._core import arrays, engine
from .._core.dtypes import from_numpy_dtype
from .._core.errors import NO_REWARD
from .._core.metadata import results_of
from .._core.node import NOWHERE, Port
from .._core.old_forms import old_form
from .._core.size import Size
from .._core.switch import set_recording
from .._core.tensor import Tensor, node_and_nr, wrap
from .graph import GradientEdge

__all__ = ["backward", "grad"]


def backward(
    tensors,
    grad_tensors=None,
    retain_graph=None,
    create_graph=False,
    grad_variables=None,
    inputs=None,
    retain_variables=None,
) -> None:
    """Compute the gradients of ``tensors`` with respect to the leaves below them, and add them to the leaves' ``.grad``.

    ``grad_tensors``: a tensor of the same shape and dtype for each of ``tensors``; may be left out for one-element tensors.
    ``retain_graph`` keeps what the graph saved, for another backward (default: the value of ``create_graph``); ``create_graph``
    records the backward, so that gradients can be differentiated again; with ``inputs``, only their ``.grad`` are added to.

    Raises RuntimeError if a tensor does not require grad, a gradient has another shape, or the graph was freed.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.], requires_grad=True)
    >>> minigrad.autograd.backward([x * x], [minigrad.ones(2)])
    >>> x.grad
    tensor([2., 4.])
    """
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
    inputs = as_inputs(inputs)
    if inputs is not None and not inputs:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    ends, grads, xp = _starts(as_sequence(tensors), grad_tensors, create_graph)
    keep = create_graph if retain_graph is None else retain_graph
    if create_graph:
        _warn_of_cycle()
    if inputs is None:
        _run(ends, grads, xp, keep)
        return
    capture: dict = {}
    for x in inputs:
        if isinstance(x, Tensor):
            x.retain_grad()  # what is not a leaf keeps its gradient as it passes by
        capture[_wanted(x)] = None
    _run(ends, grads, xp, keep, capture)


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
) -> tuple[Tensor, ...]:
    """The gradients of ``outputs`` with respect to ``inputs``, as a tuple; no ``.grad`` is touched.

    An input that the outputs do not depend on raises RuntimeError; with ``allow_unused`` its gradient is None, with
    ``materialize_grads`` zeros.  The other arguments are those of ``backward``.

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
    inputs = as_sequence(inputs)
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
            "other parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    ends, grads, xp = _starts(outputs, grad_outputs, create_graph)
    keep = create_graph if retain_graph is None else retain_graph
    capture: dict = {}
    places = []
    for x in inputs:
        key = _wanted(x)
        places.append(None if key[0] is NOWHERE else capture.setdefault(key, len(capture)))
    found = _run(ends, grads, xp, keep, capture)
    results: list = []
    for i, (x, place) in enumerate(zip(inputs, places)):
        g = None if place is None else found[place]
        if g is None:
            if not allow_unused:
                raise RuntimeError(
                    f"The differentiated Tensor at index {i} appears to not have been used in the graph. Set "
                    "allow_unused=True if this is the desired behavior."
                )
            if materialize_grads and isinstance(x, GradientEdge):
                raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
            results.append(_zeros_like(x, create_graph) if materialize_grads else None)
        elif xp is arrays:
            # the same array may be another gradient too, or belong to the caller
            results.append(wrap(np.array(g, order="K")))
        else:
            results.append(g)
    return tuple(results)


@functools.cache
def _warn_of_cycle():
    """Warn, once, of what a recorded ``.grad`` keeps alive."""
    warnings.warn(
        "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which can "
        "cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you have to use this "
        "function, make sure to reset the .grad fields of your parameters to None after use to break the cycle and avoid the leak.",
        stacklevel=4,
    )


def _run(ends, grads, xp, keep, capture=None):
    if xp is arrays:
        return engine.run(ends, grads, xp, keep, capture)
    was = set_recording(True)
    try:
        return engine.run(ends, grads, xp, keep, capture)
    finally:
        set_recording(was)


def _of_2017(retain_graph, retain_variables):
    """``retain_graph`` as it was called in 2017."""
    if retain_graph is not None:
        raise ValueError("only one of retain_graph and retain_variables can be specified")
    old_form("backward(retain_variables=...)", "Use `retain_graph=...` instead.")
    return retain_variables


def _is_checkpoint_valid():
    """Whether a reentrant checkpoint may run: not within a backward that computes the gradients of some inputs only."""
    return not engine.captures_only()


def as_sequence(tensors):
    """A tensor or gradient edge, or a sequence of them, as a tuple."""
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
    zeros = wrap(np.zeros_like(x._array))
    return zeros.requires_grad_() if create_graph else zeros


def as_inputs(inputs):
    """The ``inputs`` argument as a tuple, or None."""
    return None if inputs is None else as_sequence(inputs)


def _starts(tensors, grads, create_graph):
    """Where a backward begins: edges, their gradients, and the vocabulary to compute in."""
    if grads is None:
        grads = (None,) * len(tensors)
    elif isinstance(grads, Tensor):
        grads = (grads,)
    else:
        grads = tuple(grads)
    if len(grads) < len(tensors) and all(g is None or isinstance(g, Tensor) for g in grads):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(grads)} gradients")
    if create_graph:
        from .._ops import vocabulary as xp
    else:
        xp = arrays
    starts = [_start(x) for x in tensors]
    for i, ((_, shape, dtype), g) in enumerate(zip(starts, grads)):
        if g is None:
            if starts[i][0] is not None and (math.prod(shape) != 1 or dtype.kind not in "fV"):
                _check_lone(starts[i][0], shape, dtype)
        elif not isinstance(g, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(g).__name__}")
        elif g._array.shape != shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{i}] has a shape of {Size(g._array.shape)} and output[{i}] has a shape "
                f"of {Size(shape)}."
            )
        elif g.is_complex() != (dtype.kind == "c"):
            raise RuntimeError(
                "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in "
                f"dtype: grad_output[{i}] has a dtype of {g.dtype} and output[{i}] has a dtype of {from_numpy_dtype(dtype)}."
            )
    ends, seeds = [], []
    for i, ((edge, shape, dtype), g) in enumerate(zip(starts, grads)):
        if edge is None or edge is NOWHERE:
            raise _no_start(tensors[i], i)
        ends.append(edge)
        array = np.ones(shape, dtype) if g is None else g._array
        if array.dtype != dtype:
            array = array.astype(dtype)
            g = None
        seeds.append(array if xp is arrays else (g if g is not None else wrap(array)))
    return tuple(ends), seeds, xp


def _check_lone(edge, shape, dtype):
    """Raise RuntimeError unless the gradient of an output that is no real number may be left out: a draw with a reward needs none."""
    rewarded = getattr(edge, "rewarded", None)  # see stochastic_function.py
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
    """The edge of a tensor (or of a gradient edge), and its shape and dtype."""
    if isinstance(x, Tensor):
        return x._edge, x._array.shape, x._array.dtype
    node, nr = x.node, x.output_nr
    made = results_of(node)[nr]
    if made is None:
        raise RuntimeError(
            f"the shape of the output of {node.name()} is not known any more: pass the tensor instead of its edge"
        )
    return node if node._outputs == 1 else Port(node, nr), *made


def tensor_backward(
    self, gradient=None, retain_graph=None, create_graph=False, inputs=None, retain_variables=None
):
    """Compute the gradients of this tensor with respect to the leaves below it, and add them to the leaves' ``.grad``.

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
        if (
            one is not None and edge is not None and edge is not NOWHERE
        ):  # a loss: 3 us less than the general way
            engine.run((edge,), (one.copy(),), arrays, bool(retain_graph))
            return
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


_ONE = {np.dtype(name): np.ones((), name) for name in ("float32", "float64")}
tensor_backward.__name__ = tensor_backward.__qualname__ = "backward"
