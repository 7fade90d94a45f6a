"""Tensors of ``forward_ad`` as programs use them: written to in place, reshaped in place, kept beyond their level, given to ``out=``."""

import pytest

import minigrad as torch
from minigrad.autograd import forward_ad
from minigrad.autograd.forward_ad import make_dual, unpack_dual
from minigrad.func import vmap


def dual(*numbers, **kwargs):
    return make_dual(torch.ones(len(numbers), **kwargs), torch.tensor(numbers))


def tangent(x):
    found = unpack_dual(x).tangent
    return None if found is None else found.tolist()


def test_a_tensor_multiplied_by_a_dual_of_itself():
    x = torch.ones(2)
    with forward_ad.dual_level():
        d = make_dual(x, torch.tensor([1.0, 2.0]))
        x.mul_(d)
        assert (tangent(x), tangent(d)) == ([1.0, 2.0], [1.0, 2.0])
        d.mul_(3)
        assert (x.tolist(), d.tolist()) == ([3.0, 3.0], [3.0, 3.0])
        assert tangent(d) == [3.0, 6.0]


def test_a_refused_write_gives_no_tangent():
    x = torch.ones(2, requires_grad=True)
    with forward_ad.dual_level():
        with pytest.raises(
            RuntimeError, match="a leaf Variable that requires grad is being used in an in-place"
        ):
            x.mul_(dual(1.0, 2.0))
        assert type(x) is torch.Tensor


def test_a_leaf_stays_one_where_a_write_gives_it_a_tangent():
    x = torch.ones(2, requires_grad=True)
    with forward_ad.dual_level():
        with torch.no_grad():
            x.mul_(dual(1.0, 2.0))
        assert x.is_leaf
        (x * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool])
def test_integers_get_no_tangent(dtype):
    x = torch.zeros(2, dtype=dtype)
    with forward_ad.dual_level():
        x.copy_(dual(1.0, 2.0))
        assert tangent(x) is None
    assert x.tolist() == [1, 1]


def test_shapes_changed_in_place():
    with forward_ad.dual_level():
        x = torch.zeros(2, 3)
        x[0] = dual(1.0, 2.0, 3.0)
        row = x[1]
        x.t_()
        assert tangent(x) == [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]
        row.copy_(dual(4.0, 5.0, 6.0))
        assert tangent(x) == [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
        x.unsqueeze_(0).normal_()
        assert tangent(x) == [[[0.0, 0.0]] * 3]


def test_detach_in_place_forgets_the_tangent():
    with forward_ad.dual_level():
        x = dual(1.0, 2.0) * 2
        x.detach_()
        assert tangent(x) is None


def test_a_dual_may_become_a_leaf():
    with forward_ad.dual_level():
        d = dual(1.0, 2.0)
        d.requires_grad_()
        (d * d).sum().backward()
        assert d.grad.tolist() == [2.0, 2.0]
    (d * 5).sum().backward()
    assert d.grad.tolist() == [7.0, 7.0]


@pytest.mark.parametrize("name", ["mm", "sum", "cat", "cumsum", "max"])
def test_out_is_refused(name):
    calls = {
        "mm": lambda d: torch.mm(d[None], d[:, None], out=torch.zeros(1, 1)),
        "sum": lambda d: torch.sum(d, 0, out=torch.zeros(())),
        "cat": lambda d: torch.cat([d, d], out=torch.zeros(4)),
        "cumsum": lambda d: torch.cumsum(d, 0, out=torch.zeros(2)),
        "max": lambda d: torch.max(d, 0, out=(torch.zeros(()), torch.zeros((), dtype=torch.int64))),
    }
    with (
        forward_ad.dual_level(),
        pytest.raises(NotImplementedError, match=f"forward AD with {name}_out that does"),
    ):
        calls[name](dual(1.0, 2.0))
    with pytest.raises(RuntimeError, match="Batching rule not implemented"):
        vmap(calls[name])(torch.ones(3, 2))


def test_inference_mode_knows_no_tangents():
    with forward_ad.dual_level():
        d = dual(1.0, 2.0)
        with torch.inference_mode():
            assert tangent(d) is None
        assert tangent(d) == [1.0, 2.0]


def test_what_cannot_be_made_dual_or_unpacked():
    with forward_ad.dual_level():
        with pytest.raises(RuntimeError, match="Invalid level given to _make_dual"):
            make_dual(torch.ones(2), torch.ones(2), level=1)
        with pytest.raises(TypeError, match=r"argument 'dual' \(position 1\) must be Tensor, not int"):
            unpack_dual(3)


@pytest.mark.parametrize("name", ["floor_divide", "heaviside"])
def test_what_has_no_derivative_is_refused(name):
    function = getattr(torch, name)
    with (
        forward_ad.dual_level(),
        pytest.raises(NotImplementedError, match=f"forward AD with aten::{name} that does"),
    ):
        function(dual(1.0, 2.0), dual(1.0, 2.0))


def test_strides_of_dimensions_of_one_element_do_not_matter():
    t = torch.ones(2, 1).t()
    with forward_ad.dual_level():
        assert unpack_dual(make_dual(torch.ones(1, 2), t)).tangent is t


def test_the_bytes_of_a_batch_as_another_dtype():
    x = torch.arange(6.0).reshape(2, 3)
    assert torch.equal(vmap(lambda row: row.view(torch.int32))(x), x.view(torch.int32))
    assert vmap(lambda row: row.view(torch.int16))(x).shape == (2, 6)
    with forward_ad.dual_level():
        assert tangent(dual(1.0, 2.0).view(torch.int32)) is None
