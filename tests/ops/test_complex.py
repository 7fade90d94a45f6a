"""Complex numbers: parts as views, conjugates, angles; the convention of gradients."""

import numpy as np
import pytest

import minigrad as torch
from tests.numeric import check_gradients


def rand(*shape, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-2, 2, shape) + 1j * rng.uniform(-2, 2, shape)


def test_parts_are_views_that_can_be_written_to():
    z = torch.tensor([1 + 2j, 3 + 4j])
    assert z.real._base is z and z.imag.tolist() == [2, 4]
    z.real.mul_(10)
    z.imag = torch.tensor([7.0, 8.0])
    assert z.tolist() == [10 + 7j, 30 + 8j] and z._version == 2
    z.real = 0
    assert z.tolist() == [7j, 8j]
    x = torch.tensor([1.0])
    assert x.real is x and torch.real(x) is x


def test_gradients_through_writes_to_a_part():
    def written(z, x):
        w = z * 1
        w.imag.mul_(x)
        return w * w

    check_gradients(written, rand(3), rand(3, seed=1).real)


def test_view_as_real_and_back_share_memory():
    z = torch.tensor([[1 + 2j, 3 + 4j]])
    pairs = torch.view_as_real(z)
    assert pairs.shape == (1, 2, 2) and pairs.stride() == (4, 2, 1) and pairs.tolist() == [[[1, 2], [3, 4]]]
    torch.view_as_complex(pairs).mul_(2)
    assert z.tolist() == [[2 + 4j, 6 + 8j]]
    assert torch.view_as_real(torch.ones(2, 3, dtype=torch.complex64).t()).stride() == (2, 6, 1)


def test_values():
    z = torch.tensor([3 + 4j, -1, 0, 1j])
    np.testing.assert_allclose(torch.angle(z).numpy(), np.angle(z.numpy()))
    assert torch.angle(torch.tensor([-1.0, 0.0, 1.0])).tolist() == pytest.approx([np.pi, 0, 0])
    assert torch.angle(torch.tensor([-1, 2])).dtype is torch.float32
    assert torch.polar(torch.tensor([2.0]), torch.tensor([np.pi / 2])).imag.tolist() == [2.0]
    assert torch.complex(torch.tensor([1.0]), torch.tensor([2.0])).tolist() == [1 + 2j]
    assert (
        torch.complex(torch.ones(1, dtype=torch.float64), torch.ones(1, dtype=torch.float64)).dtype
        is torch.complex128
    )
    assert z.conj().conj().tolist() == z.tolist() and not z.is_conj()
    assert z.conj_physical_().tolist() == [3 - 4j, -1, 0, -1j]


@pytest.mark.parametrize(
    "function, value, gradient",
    [
        (torch.abs, 0, 0), (torch.abs, 3 + 4j, 0.6 + 0.8j), (torch.sgn, 0, 0), (torch.sgn, 3 + 4j, 0.128 - 0.096j),
        (torch.real, 1 + 2j, 1), (torch.imag, 1 + 2j, 1j), (lambda z: (z * z.conj()).real, 1 + 2j, 2 + 4j),
        (lambda z: z**2, 1 + 2j, 2 - 4j), (torch.angle, 0, 0), (torch.angle, 1j, -1),
        (torch.exp, 1j, np.conj(np.exp(1j))),
    ],
)  # fmt: skip
def test_gradient_convention(function, value, gradient):
    z = torch.tensor(value, dtype=torch.complex128, requires_grad=True)
    out = function(z)
    (got,) = torch.autograd.grad(out, z, torch.ones_like(out))
    np.testing.assert_allclose(got.item(), gradient, atol=1e-15)


def test_gradient_of_polar_at_the_origin():
    r, phi = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
    out = torch.polar(r, phi)
    assert [g.item() for g in torch.autograd.grad(out, (r, phi), torch.ones_like(out))] == [0, 0]


def test_angle_of_real_numbers_has_gradient_zero():
    x = torch.tensor([-1.0, 0.0, 1.0, float("nan")], requires_grad=True)
    z = torch.angle(x)
    np.testing.assert_allclose(z.tolist(), [np.pi, 0, 0, float("nan")], rtol=1e-6)
    assert torch.autograd.grad(z.sum(), x)[0].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "expression, message",
    [
        ("torch.imag(torch.ones(1))", "imag is not implemented for tensors with non-complex dtypes"),
        ("torch.view_as_real(torch.ones(1))", "view_as_real is only supported for complex tensors"),
        ("torch.view_as_complex(torch.ones(3))", "Tensor must have a last dimension of size 2"),
        ("torch.view_as_complex(torch.tensor(1.))", "Input tensor must have one or more dimensions"),
        ("torch.view_as_complex(torch.ones(2, 4)[:, ::2])", "Tensor must have a last dimension with stride 1"),
        ("torch.view_as_complex(torch.ones(2, 3)[:, :2])", "Tensor must have a stride divisible by 2 for all but last dimension"),
        ("torch.view_as_complex(torch.tensor([1, 2]))", "only supported for half, float and double tensors"),
        ("torch.complex(torch.ones(1), torch.ones(1).double())", "Expected object of scalar type Float but got scalar type Double"),
        ("torch.complex(torch.tensor([1]), torch.tensor([1]))", "Expected both inputs to be Half, Float or Double tensors"),
        ("torch.polar(torch.ones(1), torch.ones(1), out=torch.empty(1))", "Expected object of scalar type ComplexFloat"),
    ],
)  # fmt: skip
def test_errors_in_pytorch_s_words(expression, message):
    with pytest.raises(RuntimeError, match=message):
        eval(expression)
