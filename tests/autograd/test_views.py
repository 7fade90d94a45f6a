"""Views: what they share, and how writing to any of the tensors over one memory changes the history of all."""

import warnings

import numpy as np
import pytest

import minigrad as torch
from tests.autograd.tensors import leaf, name, result, snippets
from tests.messages import first_sentence

# What a view shares -----------------------------------------------------------------------------------------------------


def test_a_view_and_its_base_share_memory_and_version():
    x = torch.arange(6.0)
    v = x.view(2, 3)[1]
    assert v._base is x and v._is_view() and not x._is_view()
    v.add_(10)
    assert x.tolist() == [0.0, 1.0, 2.0, 13.0, 14.0, 15.0] and x._version == v._version == 1


def test_detach_shares_the_version_and_is_no_view():
    x = result(3)
    d = x.detach()
    d.add_(1)
    assert d._base is None and x._version == 1 and name(x) == "MulBackward0"


def test_data_has_a_version_of_its_own():
    x = leaf(3)
    y = x * x
    x.data.mul_(2)
    assert x._version == 0
    y.sum().backward()
    assert x.grad.tolist() == [4.0, 8.0, 12.0]


def test_is_leaf_of_a_view_follows_its_base():
    x = torch.ones(4)
    v = x.view(2, 2)
    assert v.is_leaf
    x.mul_(leaf(4))
    assert not v.is_leaf and v.requires_grad and name(v) == "AsStridedBackward0"


# Histories after a write --------------------------------------------------------------------------------------------------


def test_writing_to_a_view_rewrites_the_base_and_the_siblings():
    start = leaf(4)
    x = start * 1
    a, b = x[:2], x[1:]
    a.mul_(2)
    assert [name(t) for t in (x, a, b)] == [
        "torch::autograd::CopySlices",
        "AsStridedBackward0",
        "AsStridedBackward0",
    ]
    (b * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert start.grad.tolist() == [0.0, 2.0, 10.0, 100.0]


def test_a_view_that_changes_the_dtype_keeps_its_node():
    start = leaf(3)
    x = start * (1 + 1j)
    v, real = torch.view_as_real(x), x.real
    x.mul_(2)
    assert name(v) == "ViewAsRealBackward0"
    assert name(real) == "AsStridedBackward0"
    assert real.grad_fn.next_functions[0][0].name() == "ViewAsRealBackward0"
    (v * torch.tensor([1.0, 10.0])).sum().backward(retain_graph=True)
    assert start.grad.tolist() == [22.0, 22.0, 22.0]
    real.sum().backward()
    assert start.grad.tolist() == [24.0, 24.0, 24.0]


@pytest.mark.parametrize(
    "change", [lambda x: x.t_(), lambda x: x.unsqueeze_(1), lambda x: x.transpose_(0, 1).t_()]
)
def test_views_outlast_another_layout_of_their_base(change):
    start = leaf(3, 4)
    x = start * 1
    v = x[1]
    change(x)
    v.mul_(2)
    change(x)
    w = v[1:3]
    x.mul_(10)
    (w * torch.tensor([1.0, 7.0])).sum().backward()
    assert start.grad.tolist() == [[0.0] * 4, [0.0, 20.0, 140.0, 0.0], [0.0] * 4]


def test_a_view_of_a_base_that_has_lost_the_elements_is_refused():
    x = result(4)
    v = x[2:]
    x.as_strided_((2,), (1,))
    with pytest.raises(RuntimeError, match="was given another shape in place"):
        v.mul_(2)


def test_a_leaf_laid_out_anew_under_no_grad_has_a_gradient_of_its_new_shape():
    x = leaf(2, 3)
    with torch.no_grad():
        x.t_()
    (x * 2).sum().backward()
    assert x.grad.shape == (3, 2) and x.grad.stride() == (1, 3)


# Beside PyTorch -------------------------------------------------------------------------------------------------------------

VIEWS = """
x.view(12) x.reshape(2, 6) x[1:] x[:, ::2] x[1] x[-1] x.select(1, 0) x.narrow(0, 1, 2) x.transpose(0, 1) x.t() x.T x.mT x.permute(1, 0)
x.expand(2, 3, 4) x.expand_as(torch.ones(2, 3, 4)) x.diagonal() x.diagonal(1) x.unbind() x.unbind(1) x.split(2) x.split([1, 2])
x.chunk(2) x.chunk(1) x.tensor_split(2) x.hsplit(2) x.vsplit(3) x.squeeze() x.squeeze(0) x.unsqueeze(0) x[None] x[...] x[:]
x.as_strided((2, 2), (1, 2)) x.as_strided((2, 2), (1, 2), 3) x.movedim(0, 1) x.swapaxes(0, 1) x.unflatten(1, (2, 2)) x.flatten()
x.view_as(torch.ones(2, 6)) x.ravel() x.detach() x.data x.real x.contiguous() x.clone() x[x>2] x[torch.tensor([0, 1])] x[[0, 1]]
x.to(x.dtype) x.float() x.broadcast_to((2, 3, 4)) x.positive() x[1, None, :, None] x[torch.tensor(1)] x.t().reshape(12)
x.view(2, 6)[1].narrow(0, 1, 3) x.t()[1:].unsqueeze(0) x.unsqueeze(0).permute(2, 0, 1) list(x)[1] torch.view_as_complex(x.view(3,2,2))
"""
SELVES = {
    "plain": "x = ar(3, 4)",
    "leaf": "x = l",
    "result": "x = l * 1",
    "view": "x = torch.stack([l, l])[1]",
    "view_of_leaf": "x = l.view(3, 4)",
    "transposed": "x = (l * 1).view(4, 3).t()",
    "no_grad_view": "b = l * 1\nwith torch.no_grad(): x = b.view(3, 4)",
}
MODES = {
    "": "v = {}",
    "no_grad": "with torch.no_grad(): v = {}",
    "inference": "with torch.inference_mode(): v = {}",
}
WRITES = {
    "nothing": "",
    "base": "x.mul_(2)",
    "view": "first.mul_(2)",
    "sibling": "x.view(-1).mul_(2)",
    "with_history": "first.mul_(l.sum())",
    "silently": "with torch.no_grad(): first.mul_(2)",
    "detached": "first.detach().mul_(2)",
}


def asked(ask):
    """An answer, or the error instead of it."""
    try:
        return ask()
    except RuntimeError as error:
        return first_sentence(str(error))


def graph(node, depth=4):
    return node and [node.name(), *(depth and graph(next, depth - 1) for next, _ in node.next_functions)]


def outcome(lib, setup, mode, view, write):
    """All that can be asked of a tensor and its view after a write."""

    def ar(*shape):
        return lib.arange(1.0, np.prod(shape) + 1).reshape(shape).clone()

    space = {"torch": lib, "ar": ar, "l": ar(3, 4).requires_grad_()}
    exec(setup, space)
    error = asked(lambda: exec(mode.format(view), space))
    if error is not None:
        return [error]
    x, v = space["x"], space["v"]
    several = list(v) if isinstance(v, (tuple, list)) else [v]
    space["first"] = several[0]
    facts = [asked(lambda: exec(write, space))]
    for t in (x, *several[:2]):
        facts += [
            t.requires_grad, t._is_view(), t.is_inference(), t._base is x, t.is_set_to(x), tuple(t.shape), t.stride(),
            asked(lambda t=t: t._version), asked(lambda t=t: t.is_leaf), asked(lambda t=t: graph(t.grad_fn)),
            None if t.is_inference() else t.detach().tolist(), t.untyped_storage().data_ptr() == x.untyped_storage().data_ptr(),
        ]  # fmt: skip
    for t in (several[0], x):

        def gradient(t=t):
            y = lib.view_as_real(t) if t.is_complex() else t
            (found,) = lib.autograd.grad((y * ar(*y.shape)).sum(), space["l"], retain_graph=True)
            return found.tolist()

        facts.append(asked(gradient))
    return facts


@pytest.mark.torch
@pytest.mark.parametrize(
    "mode, write",
    [
        (mode, write)
        for mode in MODES
        for write in WRITES
        if (mode, write)
        != ("inference", "detached")  # PyTorch's detach() lifts the restrictions of inference
    ],
)
def test_every_view_of_every_kind_of_tensor_as_in_pytorch(mode, write):
    theirs = pytest.importorskip("torch")
    different = []
    for kind, setup in SELVES.items():
        for view in snippets(VIEWS):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected, found = (
                    outcome(lib, setup, MODES[mode], view, WRITES[write]) for lib in (theirs, torch)
                )
            if expected != found:
                pairs = [f"    {a}\n    {b}" for a, b in zip(expected, found) if a != b]
                different.append(f"{kind}: {view}\n" + "\n".join(pairs))
    assert not different, "\n".join(different)


def test_overlapping_windows_of_a_base_that_was_transposed_in_place():
    x = torch.arange(9.0).reshape(3, 3).requires_grad_()
    y = x * 1
    windows = y.unfold(0, 2, 1)
    y.transpose_(0, 1)
    (grad,) = torch.autograd.grad((windows**2).sum(), x, create_graph=True)
    assert grad.tolist() == [[0.0, 2.0, 4.0], [12.0, 16.0, 20.0], [12.0, 14.0, 16.0]]
    (second,) = torch.autograd.grad((grad * x.detach()).sum(), x)
    assert second.tolist() == grad.tolist()


def test_as_strided_stays_within_the_storage():
    with pytest.raises(RuntimeError, match="storage offset 3.* are out of bounds for storage of size 12"):
        torch.ones(3).split([3, 0])[1].as_strided((2,), (2,))
    assert torch.arange(6)[3:3].as_strided((2,), (1,)).tolist() == [3, 4]
    assert torch.ones(3, 0).as_strided((0,), (1,), 5).shape == (0,)


def test_negation_in_place_of_elements_with_gaps_between_them():
    for step in (3, 4, 8):
        for dtype in (torch.float32, torch.float64):
            x = torch.arange(40, dtype=dtype)
            x[1::step].neg_()
            assert x[1::step].tolist() == [-float(k) for k in range(1, 40, step)]


def test_nothing_is_saved_for_an_edge_that_leads_nowhere():
    x, y = torch.ones(3, requires_grad=True), torch.ones(3)
    with torch.no_grad():
        view = x[:]
    product = view * y
    assert (product.grad_fn._saved_self, product.grad_fn._saved_other) == (None, None)
    y.add_(1)
    product.sum().backward()
    assert x.grad is None
