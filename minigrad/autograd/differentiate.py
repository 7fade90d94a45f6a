"""``backward`` and ``grad``: what users call to run the engine."""

import warnings

import numpy as np

from .._core import arrays, engine
from .._core.node import NOWHERE
from .._core.size import Size
from .._core.switch import set_recording
from .._core.tensor import Tensor, node_and_nr, wrap

__all__ = ["backward", "grad"]


def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None
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
    inputs = as_inputs(inputs)
    if inputs is not None and not inputs:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    ends, grads, xp = _starts(as_sequence(tensors), grad_tensors, create_graph)
    keep = create_graph if retain_graph is None else retain_graph
    if inputs is None:
        _run(ends, grads, xp, keep)
        return
    capture: dict = {}
    for x in inputs:
        if not isinstance(x, Tensor):
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(x).__name__}")
        x.retain_grad()  # what is not a leaf keeps its gradient as it passes by
        capture[node_and_nr(x)] = None
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
        if not isinstance(x, Tensor):
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(x).__name__}")
        if not x.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
        key = node_and_nr(x)
        if key not in capture:
            capture[key] = len(capture)
        places.append(capture[key])
    found = _run(ends, grads, xp, keep, capture)
    results: list = []
    for i, (x, place) in enumerate(zip(inputs, places)):
        g = found[place]
        if g is None:
            if not allow_unused:
                raise RuntimeError(
                    f"The differentiated Tensor at index {i} appears to not have been used in the graph. Set "
                    "allow_unused=True if this is the desired behavior."
                )
            results.append(wrap(np.zeros_like(x._array)) if materialize_grads else None)
        elif xp is arrays:
            # the same array may be another gradient too, or belong to the caller
            results.append(wrap(np.array(g, order="K")))
        else:
            results.append(g)
    return tuple(results)


def _run(ends, grads, xp, keep, capture=None):
    if xp is arrays:
        return engine.run(ends, grads, xp, keep, capture)
    was = set_recording(True)
    try:
        return engine.run(ends, grads, xp, keep, capture)
    finally:
        set_recording(was)


def as_sequence(tensors):
    """A tensor, or a sequence of them, as a tuple."""
    return (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)


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
    if len(grads) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(grads)} gradients")
    if create_graph:
        from .._ops import vocabulary as xp
    else:
        xp = arrays
    ends, seeds = [], []
    for i, (x, g) in enumerate(zip(tensors, grads)):
        if g is None:
            if x.requires_grad:
                if x._array.size != 1:
                    raise RuntimeError("grad can be implicitly created only for scalar outputs")
                if not x.is_floating_point():
                    raise RuntimeError(
                        f"grad can be implicitly created only for real scalar outputs but got {x.dtype}"
                    )
        elif not isinstance(g, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(g).__name__}")
        elif g._array.shape != x._array.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{i}] has a shape of {Size(g._array.shape)} and output[{i}] has a shape "
                f"of {Size(x._array.shape)}."
            )
        elif g.is_complex() != x.is_complex():
            raise RuntimeError(
                "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in "
                f"dtype: grad_output[{i}] has a dtype of {g.dtype} and output[{i}] has a dtype of {x.dtype}."
            )
    for i, (x, g) in enumerate(zip(tensors, grads)):
        edge = x._edge
        if edge is None or edge is NOWHERE:
            raise RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn")
        ends.append(edge)
        array = np.ones_like(x._array) if g is None else g._array
        if array.dtype != x._array.dtype:
            array = array.astype(x._array.dtype)
            g = None
        seeds.append(array if xp is arrays else (g if g is not None else wrap(array)))
    return tuple(ends), seeds, xp


def tensor_backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Compute the gradients of this tensor with respect to the leaves below it, and add them to the leaves' ``.grad``.

    See ``minigrad.autograd.backward``.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    """
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
