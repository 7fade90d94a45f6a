"""Gradients by autograd against central differences, to any order."""

import numpy as np

import minigrad as torch


def check_gradients(function, *operands, order=2, eps=1e-6, rtol=1e-5, atol=1e-6, directions=None):
    """Assert that the gradients of ``function`` at ``operands`` are those of central differences, and theirs too, up to ``order``.

    ``function`` takes as many tensors as there are operands and returns a tensor or a sequence of tensors.  float64 and
    complex128 operands are differentiated, others are passed on as they are.  An operand is an array, or a tensor whose
    layout the leaf is to have.  ``directions`` is a number of random directions to look along instead of every element's.
    """
    arrays = [a.detach().numpy() if isinstance(a, torch.Tensor) else np.asarray(a) for a in operands]
    wanted = [i for i, a in enumerate(arrays) if a.dtype in (np.float64, np.complex128)]
    assert wanted, "no float64 or complex128 array to differentiate"
    outs = as_list(function(*tensors(operands, wanted)))
    rng = np.random.default_rng(0)
    cotangents = [random_like(rng, out) for out in outs]
    found = gradients(function, operands, wanted, cotangents)
    for i, got in zip(wanted, found):
        got = np.zeros_like(arrays[i]) if got is None else got.detach().numpy()
        assert got.shape == arrays[i].shape, (
            f"gradient of shape {got.shape} for an operand of shape {arrays[i].shape}"
        )
        assert got.dtype == arrays[i].dtype, (
            f"gradient of dtype {got.dtype} for an operand of dtype {arrays[i].dtype}"
        )
        if not got.size:
            continue
        moves = list(every_element(got) if directions is None else some_directions(rng, got, directions))
        expected = slopes(function, arrays, i, wanted, cotangents, eps, moves)
        got = [float(np.vdot(move, got).real) for move in moves]
        np.testing.assert_allclose(got, expected, rtol=rtol, atol=atol, err_msg=f"gradient of operand {i}")
    if order > 1:

        def gradient(*operands):
            grads = vjp(function(*operands), [operands[i] for i in wanted], cotangents, create_graph=True)
            return [g for g in grads if g is not None and g.requires_grad]

        if gradient(*tensors(operands, wanted)):
            check_gradients(
                gradient,
                *operands,
                order=order - 1,
                eps=eps,
                rtol=rtol * 10,
                atol=atol * 10,
                directions=directions,
            )


def as_list(outs):
    """A result as the list of its floating tensors."""
    outs = [outs] if isinstance(outs, torch.Tensor) else list(outs)
    return [out for out in outs if out.dtype.is_floating_point or out.dtype.is_complex]


def tensors(operands, wanted):
    """Leaves over copies of the arrays, and over the tensors' own memory; those in ``wanted`` require grad."""
    leaves = [x.detach() if isinstance(x, torch.Tensor) else torch.tensor(x) for x in operands]
    return [x.requires_grad_(i in wanted) for i, x in enumerate(leaves)]


def random_like(rng, out):
    """A cotangent for ``out``, as an array."""
    array = rng.uniform(-1, 1, out.shape)
    return array + 1j * rng.uniform(-1, 1, out.shape) if out.dtype.is_complex else array


def gradients(function, operands, wanted, cotangents):
    """The gradients of the operands in ``wanted``, None where there is none."""
    operands = tensors(operands, wanted)
    return vjp(function(*operands), [operands[i] for i in wanted], cotangents)


def vjp(outs, operands, cotangents, create_graph=False):
    """The gradients of ``operands`` for the cotangents of the results."""
    pairs = [(out, torch.tensor(c)) for out, c in zip(as_list(outs), cotangents) if out.requires_grad]
    if not pairs:
        return [None] * len(operands)
    outs, cotangents = zip(*pairs)
    return torch.autograd.grad(outs, operands, cotangents, allow_unused=True, create_graph=create_graph)


def every_element(x):
    """Directions in which one element of ``x`` moves at a time; a complex one along both axes."""
    for place in np.ndindex(x.shape):
        for part in (1, 1j) if x.dtype.kind == "c" else (1,):
            move = np.zeros_like(x)
            move[place] = part
            yield move


def some_directions(rng, x, count):
    """Random directions in which all elements of ``x`` move."""
    for _ in range(count):
        move = rng.uniform(-1, 1, x.shape)
        yield move + 1j * rng.uniform(-1, 1, x.shape) if x.dtype.kind == "c" else move


def slopes(function, arrays, i, wanted, cotangents, eps, moves):
    """How fast the results, weighted with ``cotangents``, grow as operand ``i`` goes in each direction: central differences."""

    def value(array):
        outs = as_list(function(*tensors([array if k == i else a for k, a in enumerate(arrays)], wanted)))
        return sum(
            float(np.sum((np.conj(c) * out.detach().resolve_conj().resolve_neg().numpy()).real))
            for out, c in zip(outs, cotangents)
        )

    return [(value(arrays[i] + eps * move) - value(arrays[i] - eps * move)) / (2 * eps) for move in moves]
