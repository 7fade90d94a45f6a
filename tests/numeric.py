"""Gradients by autograd against central differences, to any order."""

import numpy as np

import minigrad as torch


def check_gradients(function, *arrays, order=2, eps=1e-6, rtol=1e-5, atol=1e-6):
    """Assert that the gradients of ``function`` at ``arrays`` are those of central differences, and theirs too, up to ``order``.

    ``function`` takes as many tensors as there are arrays and returns a tensor or a sequence of tensors.  float64 and
    complex128 arrays are differentiated, others are passed on as they are.
    """
    arrays = [np.asarray(a) for a in arrays]
    wanted = [i for i, a in enumerate(arrays) if a.dtype in (np.float64, np.complex128)]
    assert wanted, "no float64 or complex128 array to differentiate"
    outs = as_list(function(*tensors(arrays, wanted)))
    rng = np.random.default_rng(0)
    cotangents = [random_like(rng, out) for out in outs]
    found = gradients(function, arrays, wanted, cotangents)
    for i, got in zip(wanted, found):
        expected = differences(function, arrays, i, wanted, cotangents, eps)
        got = np.zeros_like(expected) if got is None else got.detach().numpy()
        assert got.shape == arrays[i].shape, (
            f"gradient of shape {got.shape} for an operand of shape {arrays[i].shape}"
        )
        assert got.dtype == arrays[i].dtype, (
            f"gradient of dtype {got.dtype} for an operand of dtype {arrays[i].dtype}"
        )
        np.testing.assert_allclose(got, expected, rtol=rtol, atol=atol, err_msg=f"gradient of operand {i}")
    if order > 1:

        def gradient(*operands):
            grads = vjp(function(*operands), [operands[i] for i in wanted], cotangents, create_graph=True)
            return [g for g in grads if g is not None and g.requires_grad]

        if gradient(*tensors(arrays, wanted)):
            check_gradients(gradient, *arrays, order=order - 1, eps=eps, rtol=rtol * 10, atol=atol * 10)


def as_list(outs):
    """A result as the list of its floating tensors."""
    outs = [outs] if isinstance(outs, torch.Tensor) else list(outs)
    return [out for out in outs if out.dtype.is_floating_point or out.dtype.is_complex]


def tensors(arrays, wanted):
    """Leaves over copies of the arrays; those in ``wanted`` require grad."""
    return [torch.tensor(a).requires_grad_(i in wanted) for i, a in enumerate(arrays)]


def random_like(rng, out):
    """A cotangent for ``out``, as an array."""
    array = rng.uniform(-1, 1, out.shape)
    return array + 1j * rng.uniform(-1, 1, out.shape) if out.dtype.is_complex else array


def gradients(function, arrays, wanted, cotangents):
    """The gradients of the arrays in ``wanted``, None where there is none."""
    operands = tensors(arrays, wanted)
    return vjp(function(*operands), [operands[i] for i in wanted], cotangents)


def vjp(outs, operands, cotangents, create_graph=False):
    """The gradients of ``operands`` for the cotangents of the results."""
    pairs = [(out, torch.tensor(c)) for out, c in zip(as_list(outs), cotangents) if out.requires_grad]
    if not pairs:
        return [None] * len(operands)
    outs, cotangents = zip(*pairs)
    return torch.autograd.grad(outs, operands, cotangents, allow_unused=True, create_graph=create_graph)


def differences(function, arrays, i, wanted, cotangents, eps):
    """The gradient of operand ``i`` by central differences; for a complex one, with respect to both parts."""

    def value(array):
        outs = as_list(function(*tensors([array if k == i else a for k, a in enumerate(arrays)], wanted)))
        return sum(
            float(np.sum((np.conj(c) * out.detach().numpy()).real)) for out, c in zip(outs, cotangents)
        )

    x = np.array(arrays[i])
    slope = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        for part in (1, 1j) if x.dtype.kind == "c" else (1,):
            moved = x.copy()
            moved[place] = x[place] + part * eps
            above = value(moved)
            moved[place] = x[place] - part * eps
            slope[place] += part * (above - value(moved)) / (2 * eps)
    return slope
