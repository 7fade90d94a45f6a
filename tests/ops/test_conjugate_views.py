"""Conjugate and negative views: one memory, seen in two ways."""

import re
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad as torch
from minigrad._arrays.unresolved import Unresolved, resolved, stored
from minigrad.autograd import forward_ad, gradcheck, gradgradcheck
from minigrad.func import grad, jvp, vmap
from minigrad.multiprocessing.reductions import reduce_tensor
from tests.operators.draws import few

Z = [[1 + 2j, 3 - 1j, 0.5j], [1j, 2 + 0.25j, -1 - 1j]]


def test_a_conjugate_shares_memory_in_both_directions():
    z = torch.tensor(Z)
    c = z.conj()
    assert c.is_conj() and c._base is z and c.data_ptr() == z.data_ptr() and type(c) is torch.Tensor
    c[0, 0] = 5j
    assert z[0, 0].item() == -5j and z._version == c._version == 1
    z[0, 1] = 1 + 1j
    assert c[0, 1].item() == 1 - 1j
    c.imag.fill_(3)
    assert c.imag.is_neg() and z.imag.tolist() == [[-3] * 3] * 2
    z.numpy()[...] = 2j
    assert c.tolist() == [[-2j] * 3] * 2


@pytest.mark.parametrize("name", ["H", "mH"])
def test_transposes(name):
    z = torch.tensor(Z)
    h = getattr(z, name)
    assert h.is_conj() and h.stride() == (1, 3) and h.data_ptr() == z.data_ptr()
    assert h.tolist() == np.array(Z).conj().T.tolist() and torch.adjoint(z).is_conj()
    assert torch.ones(2, 3).mH.is_conj() is False


def test_what_has_memory_of_its_own_is_written_out():
    c = torch.tensor(Z).conj()
    for x in (
        c.clone(),
        c.resolve_conj(),
        c * 1,
        c + c,
        c.sum(),
        c @ c.mH,
        torch.cat([c, c]),
        c.flip(0),
        c.conj_physical(),
        c.to(torch.complex128),
        c[[0]],
    ):
        assert not x.is_conj() and not x._is_view()
        x.numpy()
    assert c.contiguous() is c and c.resolve_neg() is c and torch.ones(2).resolve_conj().is_conj() is False


@pytest.mark.parametrize(
    "view, message",
    [
        (lambda z: z.conj(), "conjugate bit set. Use tensor.resolve_conj().numpy() instead."),
        (lambda z: z.conj().imag, "negative bit set. Use tensor.resolve_neg().numpy() instead."),
        (lambda z: z._neg_view(), "negative bit set. Use tensor.resolve_neg().numpy() instead."),
    ],
)
def test_other_libraries_get_no_memory_that_means_something_else(view, message):
    x = view(torch.tensor(Z))
    for export in (x.numpy, lambda: np.asarray(x), lambda: memoryview(x.numpy())):
        with pytest.raises(RuntimeError, match=re.escape(f"Can't call numpy() on Tensor that has {message}")):
            export()
    with pytest.raises(BufferError, match="Can't export tensors with the"):
        np.from_dlpack(x)
    with pytest.raises(RuntimeError, match="when converting to a different dtype"):
        x.view(torch.uint8)
    assert x.numpy(force=True).tolist() == x.tolist()


def test_gradients():
    def function(z):
        return z.conj() * z.mH.sum() + z.conj().imag * z._neg_view() + (z.conj() * 1).mul_(z.conj())

    z = torch.tensor(Z, dtype=torch.complex128, requires_grad=True)
    assert gradcheck(function, (z,), check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(function, (z,), check_fwd_over_rev=True)


def test_gradients_are_written_out():
    z = torch.tensor(Z, requires_grad=True)
    for create_graph in (False, True):
        (g,) = torch.autograd.grad(z.conj(), z, torch.ones(2, 3).mul(1j).conj(), create_graph=create_graph)
        assert not g.is_conj() and g.detach().numpy().tolist() == [[1j] * 3] * 2
    z.grad = torch.zeros(2, 3, dtype=torch.complex64).conj()
    z.sum().backward(torch.tensor(1j).conj() * 1)
    assert z.grad.is_conj() and z.grad.tolist() == [[-1j] * 3] * 2
    with pytest.raises(RuntimeError, match="view of a leaf Variable that requires grad"):
        z.conj().mul_(2)


def test_a_hook_and_a_function_may_return_views():
    z = torch.tensor(Z, requires_grad=True)
    y = z * 1
    y.register_hook(lambda g: g.conj())
    y.sum().backward(torch.tensor(1 + 1j))
    assert z.grad.numpy().tolist() == [[1 - 1j] * 3] * 2

    class Conjugated(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.conj() * 1

        @staticmethod
        def backward(ctx, g):
            return g.conj()

    z.grad = None
    Conjugated.apply(z).sum().backward(torch.tensor(1 + 1j))
    assert z.grad.numpy().tolist() == [[1 - 1j] * 3] * 2


def test_stale_views_are_noticed():
    z = torch.tensor(Z, requires_grad=True)
    a = z * 1
    y = a.conj() * a.conj()
    a.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().abs().backward()


def test_transforms():
    z = torch.tensor(Z)
    with forward_ad.dual_level():
        c = forward_ad.make_dual(z, z * 1j).conj()
        assert c.is_conj() and forward_ad.unpack_dual(c).tangent.is_conj()
        assert forward_ad.unpack_dual(c.imag).tangent.tolist() == (z * 1j).conj().imag.tolist()
        d = forward_ad.make_dual(z.clone(), z * 1j)
        d.conj().mul_(1j)
        assert forward_ad.unpack_dual(d).tangent.tolist() == ((z * 1j).conj() * 1j).conj().tolist()
    assert (
        vmap(lambda x: x.conj())(z).is_conj()
        and vmap(lambda x: x.conj().imag)(z).tolist() == z.conj().imag.tolist()
    )

    def written(x):
        x.conj().mul_(2j)
        return x

    assert vmap(written)(z.clone()).tolist() == (z.conj() * 2j).conj().tolist()
    assert jvp(lambda x: x.conj().imag, (z,), (z,))[1].tolist() == z.conj().imag.tolist()
    assert grad(lambda x: x.conj().imag.sum())(z).tolist() == [[-1j] * 3] * 2


def test_meta():
    z = torch.empty(2, 3, dtype=torch.complex64, device="meta", requires_grad=True)
    c = z.conj()
    assert c.is_conj() and c[0].is_conj() and z.mH.is_conj() and c.imag.is_neg() and c._base is z
    assert (
        not (c * 2).is_conj()
        and not c.clone().is_conj()
        and not c.conj().is_conj()
        and not c.t().reshape(6).is_conj()
    )
    (c * 1).conj().mul_(2).abs().sum().backward()
    assert z.grad.shape == (2, 3)


def test_other_threads_and_processes_see_writes():
    z = torch.tensor(Z)
    c, n = z.conj(), z.conj().imag
    c.share_memory_()
    assert z.is_shared() and n.is_shared() and c.is_conj()
    thread = threading.Thread(target=lambda: c.mul_(2))
    thread.start()
    thread.join()
    assert z.tolist() == (torch.tensor(Z) * 2).tolist() and n.tolist() == (-z.imag).tolist()


def test_other_processes_get_views():
    z = torch.tensor(Z)
    for x in (z.conj(), z.mH[1:], z.conj().imag):
        rebuild, args = reduce_tensor(x)
        again = rebuild(*args)
        assert (
            again.tolist() == x.tolist()
            and again.is_conj() is x.is_conj()
            and again.data_ptr() == x.data_ptr()
        )


def test_modules_keep_what_they_are_given():
    z = torch.tensor(Z)
    p = torch.nn.Parameter(z.conj())
    assert p.is_conj() and p.data_ptr() == z.data_ptr()
    torch.optim.SGD([p], lr=1.0).zero_grad()
    (p * p.detach().conj()).real.sum().backward()
    torch.optim.SGD([p], lr=1.0).step()
    np.testing.assert_allclose(z.numpy(), np.zeros((2, 3)), atol=1e-6)
    with pytest.raises(RuntimeError, match="view_as_real doesn't work on unresolved conjugated tensors"):
        torch.optim.Adam([p]).step()


# The array that stands in the place of the tensor's ----------------------------------------------------------------------------

LOOKS = [
    lambda x: x,
    lambda x: x.T,
    lambda x: x[:, ::2],
    lambda x: x[1:],
    lambda x: x[0, 1:2],
    lambda x: np.broadcast_to(x, (2, 2, 3)),
    lambda x: x[..., :0],
]
BITS = [(True, False), (False, True), (True, True)]
KINDS = ["complex64", "complex128", "float32", "int64", "float16"]


@few
@given(st.sampled_from(LOOKS), st.sampled_from(KINDS), st.sampled_from(BITS))
def test_reading(look, kind, bits):
    memory = np.arange(1, 7).reshape(2, 3).astype(kind) * np.array(1 + 2j if kind[0] == "c" else 1, kind)
    array = look(memory)
    x = Unresolved(array, *bits)
    conjugated, negated = bits
    expected = np.conj(array) if conjugated else array
    expected = -expected if negated else expected
    assert stored(x) is array and x.shape == array.shape and x.dtype == array.dtype
    copy = x.resolve()
    assert copy.strides == array.strides or not array.size or array.flags.forc
    assert not np.shares_memory(copy, memory)
    for read in (
        copy,
        np.asarray(x),
        x.copy(),
        x.astype(kind),
        x[...].resolve(),
        np.add(x, 0),
        x + 0,
        0 + x,
        np.concatenate([x, x])[: len(x)],
        x.T.resolve().T,
    ):
        np.testing.assert_array_equal(read, expected)
    assert x.tolist() == expected.tolist() and x.reshape(-1).shape == expected.reshape(-1).shape
    np.testing.assert_array_equal(resolved(x.reshape(-1)), expected.reshape(-1))
    np.testing.assert_array_equal(x.sum(), expected.sum())
    np.testing.assert_array_equal(np.where(x == x, x, 0), expected)
    for part in (
        x.real,
        x.view("S1") if array.flags.c_contiguous else x.imag,
    ):  # of a copy: a write would be lost
        with pytest.raises(ValueError, match="read-only"):
            part[...] = 0


@few
@given(st.sampled_from(LOOKS[:5]), st.sampled_from(KINDS), st.sampled_from(BITS))
def test_writing(look, kind, bits):
    def write(memory, x):
        x[...] = x * 2
        x += 1
        np.multiply(x, x, out=x)
        np.copyto(x, x + 3)
        x[..., 0] = 7
        np.add.at(x, (..., 0), 1)
        np.negative(x, x)
        return memory

    memory = np.arange(1, 7).reshape(2, 3).astype(kind) * np.array(1 + 2j if kind[0] == "c" else 1, kind)
    plain = memory.copy()
    x = Unresolved(look(memory), *bits)
    twin = x.resolve()
    write(memory, x)
    write(None, twin)
    np.testing.assert_array_equal(x.resolve(), twin)
    conjugated, negated = bits
    look(plain)[...] = np.conj(-twin if negated else twin) if conjugated else -twin if negated else twin
    np.testing.assert_array_equal(memory, plain)
