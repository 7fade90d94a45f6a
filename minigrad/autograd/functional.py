"""Jacobians, Hessians, and their products with vectors, of functions of tensors.

Each function evaluates ``func`` at fresh tensors over the memory of ``inputs``, so that what ``func`` uses besides its arguments counts as constant,
and asks ``grad`` for the rest.  Products with vectors from the right (``jvp``, ``hvp``) pull back twice: the pull is linear in the gradient it
starts from, and the gradient of a linear map is its transpose.
"""

from collections.abc import Callable
from typing import Any

from .._core.tensor import Tensor
from .._ops.join import stack
from .differentiate import grad
from .grad_mode import enable_grad, is_grad_enabled, set_grad_enabled

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]


# Tuples in and out -----------------------------------------------------------------------------------------------------------


def _as_tensors(x, what, function):
    """Whether ``x`` is a tuple, and ``x`` as one; raises TypeError if there is anything but tensors in it."""
    is_tuple = isinstance(x, tuple)
    for i, each in enumerate(x if is_tuple else (x,)):
        if not isinstance(each, Tensor):
            found = f"value at index {i} has type" if is_tuple else f"given {what} has type"
            raise TypeError(
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the {found} {type(each)}."
            )
    return is_tuple, x if is_tuple else (x,)


def _as_results(outputs, function):
    return _as_tensors(outputs, "outputs of the user-provided function", function)


def _unpacked(results, is_tuple):
    return results if is_tuple else results[0]


def _unpacked_twice(rows, is_outputs_tuple, is_inputs_tuple):
    return _unpacked(tuple([_unpacked(row, is_inputs_tuple) for row in rows]), is_outputs_tuple)


def _fresh(tensors, create_graph, requires_grad):
    """New tensors over the same memory: with ``create_graph`` those that require grad go on, the others begin a history (or have none)."""
    return tuple(
        [
            x.view_as(x) if create_graph and x.requires_grad else x.detach().requires_grad_(requires_grad)
            for x in tensors
        ]
    )


def _finished(tensors, create_graph):
    return tuple(tensors) if create_graph else tuple([x.detach() for x in tensors])


def _vector(v, like, is_tuple, function, create_graph):
    """The vector(s) ``v`` as a tuple; raises RuntimeError if they are not of the shapes of the tensors ``like``."""
    _, v = _as_tensors(v, "v", function)
    v = _fresh(v, create_graph, False)
    if len(v) != len(like):
        if is_tuple:
            raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}.")
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (each, x) in enumerate(zip(v, like)):
        if each.size() != x.size():
            entry = f"Entry {i} in " if is_tuple else ""
            raise RuntimeError(f"{entry}v has invalid size: should be {x.size()} but got {each.size()}.")
    return v


def _vector_for_inputs(v, inputs, is_tuple, function, create_graph, may_be_none):
    """``_vector``; None will do for one input with one element."""
    if v is not None:
        return _vector(v, inputs, is_tuple, function, create_graph)
    if len(inputs) != 1 or inputs[0].nelement() != 1:
        raise RuntimeError(may_be_none)
    return None


# Gradients, and where they do not depend on anything -----------------------------------------------------------------------------

_INDEPENDENT = {
    "outputs": (
        "Output {} of the user-provided function does not require gradients. In strict mode, every output must depend on "
        "the inputs by differentiable operations."
    ),
    "grad_inputs": (
        "The gradient with respect to input {} is independent of the inputs of the user-provided function. This is not allowed in strict mode."
    ),
    "jacobian": (
        "While computing the hessian, found that the jacobian of the user-provided function with respect to input {} is "
        "independent of the input. This is not allowed in strict mode. A function that is linear in an input has such a "
        "jacobian."
    ),
    "hessian": (
        "The hessian of the user-provided function with respect to input {} is independent of the input. This is not "
        "allowed in strict mode. A function that is quadratic in an input has such a hessian."
    ),
}
_NO_GRADIENT = {
    "back": (
        "The output of the user-provided function is independent of input {}. This is not allowed in strict mode."
    ),
    "back_trick": (
        "The gradient with respect to the input is independent of entry {} in the grad_outputs when using the double backward trick to compute "
        "forward mode gradients. This is not allowed in strict mode."
    ),
    "double_back": (
        "The jacobian of the user-provided function is independent of input {}. This is not allowed in strict mode."
    ),
    "double_back_trick": (
        "The hessian of the user-provided function is independent of entry {} in the grad_jacobian. This is not allowed in "
        "strict mode: the derivative along v is taken from it, by differentiating twice."
    ),
}


def _check_depends(tensors, what, strict):
    """In strict mode, raise RuntimeError for a tensor (or None) without a history."""
    if strict:
        for i, x in enumerate(tensors):
            if x is None:
                raise RuntimeError(_NO_GRADIENT["back"].format(i))
            if not x.requires_grad:
                raise RuntimeError(_INDEPENDENT[what].format(i))


def _grads(outputs, inputs, grad_outputs=None, **how):
    """``grad`` of those outputs that have a history (None has not), with None for the inputs they do not depend on."""
    if grad_outputs is None:
        grad_outputs = (None,) * len(outputs)
    pairs = [(out, g) for out, g in zip(outputs, grad_outputs) if out is not None and out.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    outputs, grad_outputs = zip(*pairs)
    return grad(outputs, inputs, grad_outputs, allow_unused=True, **how)


def _filled(grads, like, strict, create_graph, stage):
    """Zeros in place of None; in strict mode RuntimeError instead, and for gradients without a history that were to have one."""
    filled = []
    for i, (g, x) in enumerate(zip(grads, like)):
        if g is None:
            if strict:
                raise RuntimeError(_NO_GRADIENT[stage].format(i))
            g = x.new_zeros(x.shape)
        elif strict and create_graph and not g.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(
                f"The {what} of the user-provided function is independent of input {i}. This is not allowed in strict mode when "
                "create_graph=True."
            )
        filled.append(g)
    return filled


# Products with vectors ---------------------------------------------------------------------------------------------------------


def vjp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return the value of ``func`` and the vector-Jacobian product of ``v``, of the shapes of ``inputs``.

    ``inputs`` and the result of ``func`` are a tensor or a tuple; ``v`` has the shapes of the result, and can be left out for a single
    element. ``create_graph`` makes both differentiable; ``strict`` raises RuntimeError if a result does not depend on an input, instead
    of returning zeros.

    >>> import minigrad
    >>> minigrad.autograd.functional.vjp(lambda x: x * x, minigrad.tensor([1., 2.]), minigrad.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        is_inputs_tuple, inputs = _as_tensors(inputs, "inputs", "vjp")
        inputs = _fresh(inputs, create_graph, True)
        is_outputs_tuple, outputs = _as_results(func(*inputs), "vjp")
        _check_depends(outputs, "outputs", strict)
        if v is not None:
            v = _vector(v, outputs, is_outputs_tuple, "vjp", create_graph)
        elif len(outputs) != 1 or outputs[0].nelement() != 1:
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
            )
    with set_grad_enabled(create_graph or is_grad_enabled()):
        grads = _grads(outputs, inputs, v, create_graph=create_graph)
        pulled = _filled(grads, inputs, strict, create_graph, "back")
    return (
        _unpacked(_finished(outputs, create_graph), is_outputs_tuple),
        _unpacked(_finished(pulled, create_graph), is_inputs_tuple),
    )


def jvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return the value of ``func`` and the Jacobian-vector product of ``v``, of the shapes of the result.

    ``v`` has the shapes of ``inputs``, and can be left out for a single element; the rest is as for ``vjp``.

    >>> import minigrad
    >>> minigrad.autograd.functional.jvp(lambda x: x * x, minigrad.tensor([1., 2.]), minigrad.tensor([0., 1.]))
    (tensor([1., 4.]), tensor([0., 4.]))
    """
    with enable_grad():
        is_inputs_tuple, inputs = _as_tensors(inputs, "inputs", "jvp")
        inputs = _fresh(inputs, create_graph, True)
        v = _vector_for_inputs(
            v,
            inputs,
            is_inputs_tuple,
            "jvp",
            create_graph,
            "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element.",
        )
        is_outputs_tuple, outputs = _as_results(func(*inputs), "jvp")
        _check_depends(outputs, "outputs", strict)
        # the pull is linear: where it is transposed does not matter
        start = _zeros_to_track(outputs)
        pulled = _grads(outputs, inputs, start, create_graph=True)
        _check_depends(pulled, "grad_inputs", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        grads = _grads(pulled, start, v, create_graph=create_graph)
        pushed = _filled(grads, outputs, strict, create_graph, "back_trick")
    return (
        _unpacked(_finished(outputs, create_graph), is_outputs_tuple),
        _unpacked(_finished(pushed, create_graph), is_outputs_tuple),
    )


def _zeros_to_track(tensors):
    return tuple([x.new_zeros(x.shape).requires_grad_() for x in tensors])


def _gradient_at(name, func, inputs, v, create_graph, strict):
    """What ``vhp`` and ``hvp`` begin with: the value of ``func``, which must be a single element, and its gradient."""
    is_inputs_tuple, inputs = _as_tensors(inputs, "inputs", name)
    inputs = _fresh(inputs, create_graph, True)
    v = _vector_for_inputs(
        v,
        inputs,
        is_inputs_tuple,
        name,
        create_graph,
        "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element.",
    )
    is_outputs_tuple, outputs = _as_results(func(*inputs), name)
    _check_depends(outputs, "outputs", strict)
    if is_outputs_tuple:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].nelement() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {name} should contain a single element"
        )
    gradient = _grads(outputs, inputs, create_graph=True)
    _check_depends(gradient, "jacobian", strict)
    return is_inputs_tuple, inputs, v, outputs, gradient


def vhp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return the value of ``func``, a single element, and the vector-Hessian product of ``v``, of the shapes of ``inputs``.

    The rest is as for ``vjp``.

    >>> import minigrad
    >>> minigrad.autograd.functional.vhp(lambda x: (x ** 3).sum(), minigrad.tensor([1., 2.]), minigrad.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        is_inputs_tuple, inputs, v, outputs, gradient = _gradient_at(
            "vhp", func, inputs, v, create_graph, strict
        )
    with set_grad_enabled(create_graph or is_grad_enabled()):
        grads = _grads(gradient, inputs, v, create_graph=create_graph)
        product = _filled(grads, inputs, strict, create_graph, "double_back")
    return (
        _finished(outputs, create_graph)[0],
        _unpacked(_finished(product, create_graph), is_inputs_tuple),
    )


def hvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return the value of ``func``, a single element, and the Hessian-vector product of ``v``.

    The result equals that of ``vhp`` unless the Hessian is not symmetric, and takes longer to compute. The rest is as for ``vjp``.

    >>> import minigrad
    >>> minigrad.autograd.functional.hvp(lambda x: (x ** 3).sum(), minigrad.tensor([1., 2.]), minigrad.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        is_inputs_tuple, inputs, v, outputs, gradient = _gradient_at(
            "hvp", func, inputs, v, create_graph, strict
        )
        start = _zeros_to_track(inputs)
        pulled = _grads(gradient, inputs, start, create_graph=True)
        _check_depends(gradient, "hessian", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        grads = _grads(pulled, start, v, create_graph=create_graph)
        product = _filled(grads, inputs, strict, create_graph, "double_back_trick")
    return (
        _finished(outputs, create_graph)[0],
        _unpacked(_finished(product, create_graph), is_inputs_tuple),
    )


# Whole matrices ------------------------------------------------------------------------------------------------------------------


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the Jacobian of ``func`` at ``inputs``: for a result of shape ``s`` and an input of shape ``t``, a tensor of shape ``s + t``.

    For tuples, a tuple over the results of tuples over the inputs. ``vectorize`` computes all rows at once; ``strategy="forward-mode"``,
    which needs it, all columns. ``create_graph`` makes the Jacobian differentiable; ``strict`` raises RuntimeError if a result does not
    depend on an input, instead of returning zeros.

    >>> import minigrad
    >>> minigrad.autograd.functional.jacobian(lambda x: x * x, minigrad.tensor([1., 2.]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". The first costs less with more outputs than '
            "inputs, the second otherwise."
        )
    forward = strategy == "forward-mode"
    if forward and create_graph:
        raise NotImplementedError(
            'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not supported '
            "together (yet). Leave one of them out."
        )
    if forward:
        return _by_columns(func, inputs, strict, vectorize)
    with enable_grad():
        is_inputs_tuple, inputs = _as_tensors(inputs, "inputs", "jacobian")
        inputs = _fresh(inputs, create_graph, True)
        is_outputs_tuple, outputs = _as_results(func(*inputs), "jacobian")
        _check_depends(outputs, "outputs", strict)
        if not vectorize:
            rows = [_row_by_row(i, out, inputs, create_graph, strict) for i, out in enumerate(outputs)]
        elif strict:
            raise RuntimeError(
                "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together. "
                "Please either set `strict=False` or `vectorize=False`."
            )
        else:
            rows = _all_rows(outputs, inputs, create_graph)
        rows = [_finished(row, create_graph) for row in rows]
        return _unpacked_twice(rows, is_outputs_tuple, is_inputs_tuple)


def _row_by_row(i, output, inputs, create_graph, strict):
    """The Jacobians of result number ``i`` with respect to each input, one backward for each element."""
    rows = [[] for _ in inputs]
    flat = output.reshape(-1)
    for j in range(flat.numel()):
        grads = _grads((flat[j],), inputs, retain_graph=True, create_graph=create_graph)
        for k, (x, row, g) in enumerate(zip(inputs, rows, grads)):
            if g is None:
                if strict:
                    raise RuntimeError(
                        f"Output {i} of the user-provided function is independent of input {k}. This is not allowed in strict mode."
                    )
                g = x.new_zeros(x.shape)
            elif strict and create_graph and not g.requires_grad:
                raise RuntimeError(
                    f"The jacobian of the user-provided function is independent of input {i}. This is not allowed in strict mode when "
                    "create_graph=True."
                )
            row.append(g)
    return [stack(row).view(output.size() + x.size()) for x, row in zip(inputs, rows)]


def _construct_standard_basis_for(tensors, tensor_numels):
    """The rows of a unit matrix with a column for each element of the tensors, cut by columns: one part for each tensor, of its dtype."""
    if len(tensors) != len(tensor_numels):
        raise AssertionError(
            f"Expected tensors and tensor_numels to have the same length, but got {len(tensors)} and {len(tensor_numels)}"
        )
    if not tensors:
        raise AssertionError("Expected at least one tensor")
    parts, before, total = [], 0, sum(tensor_numels)
    for x, numel in zip(tensors, tensor_numels):
        part = x.new_zeros(total, numel)
        part.diagonal(-before).fill_(1)
        parts.append(part)
        before += numel
    return tuple(parts)


def _all_rows(outputs, inputs, create_graph):
    """The Jacobians of each result with respect to each input, by one backward of as many gradients as there are elements."""
    numels = [out.numel() for out in outputs]
    basis = _construct_standard_basis_for(outputs, numels)
    flat = tuple([out.reshape(-1) for out in outputs])
    columns = []
    grads = _grads(flat, inputs, basis, create_graph=create_graph, is_grads_batched=True)
    for x, g in zip(inputs, grads):
        if g is None:
            g = x.new_zeros(x.shape).expand((sum(numels), *x.shape))
        parts = g.split(numels, dim=0)
        columns.append([part.reshape(out.shape + x.shape) for part, out in zip(parts, outputs)])
    return zip(*columns)


def _by_columns(func, inputs, strict, vectorize):
    """The Jacobian by forward mode, with as many tangents at once as there are elements in the inputs."""
    if strict:
        raise RuntimeError(
            'torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are not supported together (yet). '
            'Please either set `strict=False` or `strategy="reverse-mode"`.'
        )
    is_inputs_tuple, inputs = _as_tensors(inputs, "inputs", "jacobian")
    if not vectorize:
        raise NotImplementedError(
            "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for `vectorize=True`."
        )
    from ..func.batches import internal_vmap
    from .forward_ad import dual_level, make_dual, unpack_dual

    numels = [x.numel() for x in inputs]
    basis = _construct_standard_basis_for(inputs, numels)
    seen = []

    def push(tangents):
        with dual_level():
            duals = [make_dual(x, tangent.view_as(x)) for x, tangent in zip(inputs, tangents)]
            is_tuple, outputs = _as_tensors(func(*duals), "outputs", None)
            unpacked = [unpack_dual(out) for out in outputs]
            seen[:] = is_tuple, [primal.shape for primal, _ in unpacked]
            return tuple([primal.new_zeros(primal.shape) if tz is None else tz for primal, tz in unpacked])

    pushed = internal_vmap(push)(basis)
    is_outputs_tuple, shapes = seen
    rows = []
    for tz, shape in zip(pushed, shapes):
        parts = [part.movedim(0, -1) for part in tz.split(numels, dim=0)]
        rows.append(tuple([part.reshape(shape + x.shape) for part, x in zip(parts, inputs)]))
    return _unpacked_twice(rows, is_outputs_tuple, is_inputs_tuple)


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the Hessian of ``func``, whose result is a single element, at ``inputs``: for inputs of shapes ``s`` and ``t``, a tensor of
    shape ``s + t``.

    For a tuple of inputs, a tuple of tuples. ``outer_jacobian_strategy`` and the other arguments are as for ``jacobian``.

    >>> import minigrad
    >>> minigrad.autograd.functional.hessian(lambda x: (x ** 3).sum(), minigrad.tensor([1., 2.]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    is_inputs_tuple, inputs = _as_tensors(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def single(*inputs):
        is_tuple, outputs = _as_results(func(*inputs), "hessian")
        _check_depends(outputs, "outputs", strict)
        if is_tuple:
            raise RuntimeError("The function given to hessian should return a single Tensor")
        (output,) = outputs
        if output.nelement() == 1:
            return output.squeeze()
        raise RuntimeError(
            "The Tensor returned by the function given to hessian should contain a single element"
        )

    def gradient(*inputs):
        if outer_jacobian_strategy == "forward-mode":
            inputs = tuple([x.requires_grad_() for x in inputs])  # or they would be detached
        rows = jacobian(single, inputs, create_graph=True)
        _check_depends(rows, "jacobian", strict)
        return rows

    rows = jacobian(
        gradient,
        inputs,
        create_graph=create_graph,
        strict=strict,
        vectorize=vectorize,
        strategy=outer_jacobian_strategy,
    )
    return _unpacked_twice(rows, is_inputs_tuple, is_inputs_tuple)
