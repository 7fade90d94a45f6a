"""Rows of measured values and gradients, and the ways of taking a gradient that must all give them.

A row is a line of code over operands ``x``, ``y``, ``w``, what it gives and the gradients of the operands.  In
an expected value ANY stands for what depends on PyTorch's vector width, and -0.0 asks for the sign, 0 does not.

``MODES`` are the ways of taking a first gradient, ``HESSIANS`` those of taking a second; each is a function of
the library, so that the same rows are checked in PyTorch where it is installed.  A new way is a function and a
name in the table.
"""

import math
import warnings

import numpy as np
import pytest

import minigrad

#: Matches any value.
ANY = object()


class Row:
    """``code`` over ``operands`` gives ``value`` and ``grads`` (by name), or raises; see ``row``."""

    def __init__(self, code, operands, value, grads, cotangent, raises, elementwise):
        self.code, self.operands, self.value, self.grads = code, operands, value, grads
        self.cotangent, self.raises, self.elementwise = cotangent, raises, elementwise

    def __repr__(self):
        return f"{self.code} at {', '.join(f'{k}={v}' for k, v in self.operands.items())}"


def row(code, gives=None, *, cotangent=None, raises=None, elementwise=False, **named):
    """A row: operands by their names, the gradient of ``x`` as ``dx``; ``raises`` is an exception and its words.

    ``elementwise`` says that an element of the result depends on the operands' elements at its place only.
    """
    operands = {name: value for name, value in named.items() if not name.startswith("d")}
    grads = {name[1:]: value for name, value in named.items() if name.startswith("d")}
    return Row(code, operands, gives, grads, cotangent, raises, elementwise)


def elementwise(code, gives=None, **named):
    """A row of an elementwise function."""
    return row(code, gives, elementwise=True, **named)


def scope(torch):
    """The names that a row's code may use."""
    return {
        "torch": torch,
        "F": torch.nn.functional,
        "linalg": torch.linalg,
        "nan": math.nan,
        "inf": math.inf,
    }


def function_of(torch, a_row):
    """The row's code as a function of its operands, with the results in a tuple."""
    code = compile(a_row.code, "<row>", "eval")

    def function(*operands):
        out = eval(code, {**scope(torch), **dict(zip(a_row.operands, operands))})
        return (out,) if isinstance(out, torch.Tensor) else tuple(out)

    return function


def operands_of(torch, a_row, dtype):
    """The operands as leaves of ``dtype``, or of the complex dtype of its precision."""
    leaves = []
    for value in a_row.operands.values():
        array = np.asarray(value)
        wide = "complex64" if dtype == "float32" else "complex128"
        array = array.astype(wide if array.dtype.kind == "c" else dtype)
        leaves.append(torch.tensor(array, requires_grad=True))
    return leaves


# First gradients ---------------------------------------------------------------------------------------------


def reverse(torch, function, operands, cotangent, elementwise):
    """By ``autograd.grad``."""
    return _reverse(torch, function, operands, cotangent, create_graph=False)


def recorded_reverse(torch, function, operands, cotangent, elementwise):
    """By ``autograd.grad`` with ``create_graph``, whose formulas run on tensors."""
    return _reverse(torch, function, operands, cotangent, create_graph=True)


def _reverse(torch, function, operands, cotangent, create_graph):
    out = function(*operands)[0]
    grads = torch.autograd.grad(
        out, operands, cotangent_like(torch, out, cotangent), create_graph=create_graph, allow_unused=True
    )
    return [None if g is None else g.detach() for g in grads]


def cotangent_like(torch, out, cotangent):
    return torch.ones_like(out) if cotangent is None else torch.tensor(cotangent, dtype=out.dtype)


#: Ways of taking a first gradient: ``(torch, function, operands, cotangent, elementwise)`` to a list.
MODES = {"reverse": reverse, "recorded reverse": recorded_reverse}


# Forward mode, and both modes over a batch; a library without them is told apart by ``has_transforms``.


def forward(torch, function, operands, cotangent, elementwise):
    """By ``func.jvp``: in the direction of each element, or of all at once where the function is elementwise."""
    values = [operand.detach() for operand in operands]

    def slopes(k, direction):
        tangents = tuple(direction if i == k else torch.zeros_like(v) for i, v in enumerate(values))
        out, tangent = torch.func.jvp(lambda *xs: function(*xs)[0], tuple(values), tangents)
        product = cotangent_like(torch, out, cotangent).conj() * tangent
        return product.real if product.is_complex() else product

    grads = []
    for k, value in enumerate(values):
        parts = (1, 1j) if value.is_complex() else (1,)
        if elementwise:
            grads.append(sum(part * slopes(k, part * torch.ones_like(value)) for part in parts))
            continue
        grad = torch.zeros_like(value)
        for place in np.ndindex(tuple(value.shape)):
            for part in parts:
                direction = torch.zeros_like(value)
                direction[place] = part
                grad[place] += part * slopes(k, direction).sum()
        grads.append(grad)
    return grads


def batched_reverse(torch, function, operands, cotangent, elementwise):
    """By ``vmap`` of ``func.vjp`` over two equal examples."""
    return _batched(torch, operands, lambda xs: _pulled_back(torch, function, xs, cotangent))


def _pulled_back(torch, function, operands, cotangent):
    out, pull = torch.func.vjp(lambda *xs: function(*xs)[0], *operands)
    return pull(cotangent_like(torch, out, cotangent))


def batched_forward(torch, function, operands, cotangent, elementwise):
    """By ``vmap`` of ``func.jvp``."""
    return _batched(torch, operands, lambda xs: tuple(forward(torch, function, xs, cotangent, elementwise)))


def _batched(torch, operands, gradient):
    examples = [torch.stack([operand.detach()] * 2) for operand in operands]
    grads = torch.vmap(lambda *xs: gradient(xs))(*examples)
    for grad in grads:
        assert_same(grad[0].numpy(), grad[1].tolist(), 0, "the gradient of the second example")
    return [grad[0] for grad in grads]


def has_transforms(torch):
    return hasattr(torch, "vmap")


#: Further ways, which agree where a derivative exists or is chosen by rule, but meet 0 * inf at other places.
TRANSFORMS = {"forward": forward, "batched reverse": batched_reverse, "batched forward": batched_forward}


ALL_MODES = {**MODES, **TRANSFORMS}


# Hessians ----------------------------------------------------------------------------------------------------


def gradient_function(torch, function):
    """The gradient of the sum of ``function``, itself a function that can be differentiated, as one vector."""

    def gradient(*operands):
        grads = torch.autograd.grad(
            function(*operands)[0].sum(), operands, create_graph=True, materialize_grads=True
        )
        return torch.cat([grad.reshape(-1) for grad in grads])

    return gradient


def reverse_over_reverse(torch, function, operands):
    """By ``autograd.grad`` of each element of the gradient."""
    flat = gradient_function(torch, function)(*operands)
    rows = [
        torch.autograd.grad(element, operands, retain_graph=True, materialize_grads=True)
        if flat.requires_grad
        else [torch.zeros_like(operand) for operand in operands]
        for element in flat
    ]
    return np.array([np.concatenate([g.numpy(force=True).reshape(-1) for g in one]) for one in rows])


def differences_of_gradients(torch, function, operands, step=1e-6):
    """By central differences of the gradient."""
    columns = []
    for k, operand in enumerate(operands):
        for place in np.ndindex(tuple(operand.shape)):
            sides = []
            for sign in (1, -1):
                array = operand.detach().numpy().copy()
                array[place] += sign * step
                moved = torch.tensor(array, requires_grad=True)
                found = gradient_function(torch, function)(*operands[:k], moved, *operands[k + 1 :])
                sides.append(found.numpy(force=True))
            columns.append((sides[0] - sides[1]) / (2 * step))
    return np.array(columns).T


def by_transforms(outer, inner):
    """By ``func.jacfwd`` and ``func.jacrev``, which batch their directions by ``vmap``."""

    def hessian(torch, function, operands):
        sizes = [operand.numel() for operand in operands]

        def total(vector):
            parts = torch.split(vector, sizes)
            return function(*[p.reshape(x.shape) for p, x in zip(parts, operands)])[0].sum()

        point = torch.cat([operand.detach().reshape(-1) for operand in operands])
        return getattr(torch.func, outer)(getattr(torch.func, inner)(total))(point).numpy(force=True)

    return hessian


#: Ways of taking a Hessian: ``(torch, function, operands)`` to a matrix over all operands' elements.
HESSIANS = {"reverse over reverse": reverse_over_reverse}
HESSIANS_BY_TRANSFORMS = {
    f"{outer} of {inner}": by_transforms(outer, inner)
    for outer in ("jacrev", "jacfwd")
    for inner in ("jacrev", "jacfwd")
}


# Comparisons -------------------------------------------------------------------------------------------------


def assert_same(found, expected, rtol, what):
    """Assert that an array is the expected one: nan is nan, -0.0 has its sign, and ANY is anything."""
    expected = np.asarray(expected, object)
    assert found.shape == expected.shape, f"{what}: shape {found.shape}, not {expected.shape}"
    for place in np.ndindex(expected.shape):
        one, other = found[place], expected[place]
        if other is ANY:
            continue
        np.testing.assert_allclose(one, other, rtol=rtol, atol=0, err_msg=f"{what}, at {place}")
        if isinstance(other, float) and other == 0 and math.copysign(1, other) < 0:
            assert np.signbit(one), f"{what}, at {place}: 0, not -0"


def check(torch, a_row, mode, dtype):
    """Assert that a row holds in a library."""
    function, rtol = function_of(torch, a_row), 1e-4 if dtype == "float32" else 1e-7
    operands = operands_of(torch, a_row, dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of results without a degree of freedom
        if a_row.raises is not None:
            kind, words = a_row.raises
            with pytest.raises(kind, match=words):
                ALL_MODES[mode](torch, function, operands, a_row.cotangent, a_row.elementwise)
            return
        outs = function(*operands)
        expected = a_row.value if isinstance(a_row.value, tuple) else (a_row.value,)
        for k, (out, value) in enumerate(zip(outs, expected)):
            if value is not None:
                assert_same(out.detach().resolve_conj().numpy(), value, rtol, f"result {k} of {a_row}")
        if not a_row.grads:
            return
        grads = ALL_MODES[mode](torch, function, operands, a_row.cotangent, a_row.elementwise)
    for name, grad in zip(a_row.operands, grads):
        if name in a_row.grads:
            found = (
                np.zeros_like(np.asarray(a_row.operands[name], dtype))
                if grad is None
                else grad.resolve_conj().numpy()
            )
            assert_same(found, a_row.grads[name], rtol, f"gradient of {name} in {a_row}")


def checks_of(rows):
    """The two tests of a table: that it holds here, and that it is what PyTorch does."""
    by_name = pytest.mark.parametrize("a_row", rows, ids=repr)

    @by_name
    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize("dtype", ["float64", "float32"])
    def test_rows_hold(a_row, mode, dtype):
        check(minigrad, a_row, mode, dtype)

    @pytest.mark.torch
    @by_name
    @pytest.mark.parametrize("mode", MODES)
    def test_rows_are_what_torch_does(a_row, mode):
        check(pytest.importorskip("torch"), a_row, mode, "float64")

    return test_rows_hold, test_rows_are_what_torch_does
