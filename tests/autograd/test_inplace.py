"""In-place operations: what they record and count, and what they refuse."""

import warnings

import numpy as np
import pytest

import minigrad as torch
from tests.autograd.tensors import leaf, name, result, snippets
from tests.messages import first_sentence

# Recording ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "write, node",
    [
        (lambda x: x.add_(1), "AddBackward0"),
        (lambda x: x.mul_(2), "MulBackward0"),
        (lambda x: x.zero_(), "ZeroBackward0"),
        (lambda x: x.fill_(2.0), "FillBackward0"),
        (lambda x: x.copy_(torch.ones(3)), "torch::autograd::CopyBackwards"),
        (lambda x: x.eq_(1), "EqBackward0"),
        (lambda x: x.eq_(torch.ones(3)), "EqBackward1"),
        (lambda x: x.greater_(1), "GtBackward0"),
        (lambda x: x.less_equal_(torch.ones(3)), "LeBackward1"),
        (lambda x: x.fmod_(2), "FmodBackward0"),
        (lambda x: x.fmod_(torch.ones(3)), "FmodBackward1"),
        (lambda x: x.remainder_(2), "RemainderBackward0"),
        (lambda x: x.copysign_(-1), "CopysignBackward1"),
        (lambda x: x.xlogy_(2), "XlogyBackward2"),
        (lambda x: x.conj_physical_(), "ConjPhysicalBackward1"),
        (lambda x: x.normal_(), "NormalBackward0"),
        (lambda x: x.squeeze_(), "SqueezeBackward3"),
        (lambda x: x.set_(torch.ones(3)), "torch::autograd::NotImplemented"),
    ],
)
def test_a_write_becomes_the_history_and_counts(write, node):
    x = result(3)
    assert write(x) is x
    wanted = {"FillBackward0": "FillBackward"}.get(node, node)
    assert name(x).startswith(wanted) and x._version == 1 and not x.is_leaf


@pytest.mark.parametrize("compare", ["eq_", "ne_", "lt_", "le_", "gt_", "ge_"])
def test_comparisons_written_in_place_have_zero_gradients(compare):
    x, y = leaf(3), leaf(3)
    z = x * 1
    getattr(z, compare)(y)
    z.sum().backward()
    assert x.grad.tolist() == y.grad.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("write", ["logical_not_", "logical_and_", "logical_or_", "logical_xor_"])
def test_logic_written_in_place_goes_unnoticed_by_autograd(write):
    x = leaf(3)
    y = x * 1
    others = () if write == "logical_not_" else (torch.ones(3),)
    for t in (x, y):
        before = name(t)
        getattr(t, write)(*others)
        assert name(t) == before and t._version == 1
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0, 1.0]


def test_an_op_without_derivative_says_so_in_its_in_place_form():
    x = result(3)
    x.floor_divide_(2)
    with pytest.raises(RuntimeError, match="derivative for aten::floor_divide_ is not implemented"):
        x.sum().backward()


def test_integers_take_values_without_their_history():
    x = torch.zeros(3, dtype=torch.int64)
    x.copy_(leaf(3))
    x[:2] = leaf(2)
    assert not x.requires_grad and x.is_leaf and x.tolist() == [1, 2, 3]


def test_one_value_of_another_dtype_fills_a_mask():
    x = result(3)
    x[torch.tensor([True, False, True])] = torch.tensor(7)
    assert x.tolist() == [7.0, 2.0, 7.0] and name(x) == "IndexPutBackward0"


@pytest.mark.parametrize("wrap, below", [(False, [0.0, 0.0, 0.0]), (True, [5.0, 1.0, 1.0])])
def test_fill_diagonal(wrap, below):
    x = leaf(5, 3)
    y = x * 1
    y.fill_diagonal_(5, wrap=wrap)
    assert name(y) == "torch::autograd::CopySlices"
    (y * torch.ones(5, 3)).sum().backward()
    assert y.diagonal().tolist() == [5.0, 5.0, 5.0]
    assert (y[4, 0] == 5) == wrap
    assert x.grad[4].tolist() == [1.0 - (below[0] == 5), 1.0, 1.0]
    assert x.grad.diagonal().tolist() == [0.0, 0.0, 0.0]


def test_fill_diagonal_of_more_dimensions():
    x = torch.zeros(2, 2, 2).fill_diagonal_(1)
    assert x.nonzero().tolist() == [[0, 0, 0], [1, 1, 1]]
    with pytest.raises(RuntimeError, match="dimensions must larger than 1"):
        torch.zeros(2).fill_diagonal_(1)
    with pytest.raises(RuntimeError, match="all dimensions of input must be of equal length"):
        torch.zeros(2, 3, 3).fill_diagonal_(1)


def test_elements_by_a_function():
    x = torch.arange(3.0)
    assert x.apply_(lambda n: n + 1) is x and x.tolist() == [1.0, 2.0, 3.0]
    assert x.map_(torch.ones(3), lambda a, b: a - b).tolist() == [0.0, 1.0, 2.0]
    assert x.map2_(torch.ones(3), torch.tensor(2.0), lambda a, b, c: a + b + c).tolist() == [3.0, 4.0, 5.0]
    assert x._version == 0
    with pytest.raises(RuntimeError, match=r"Can't call apply_\(\) on Variable that requires grad"):
        leaf(2).apply_(abs)
    with pytest.raises(TypeError, match="map_: expected torch.FloatTensor for 'other'"):
        x.map_(torch.ones(3, dtype=torch.float64), max)


# What is refused, and in which order ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: leaf(3), "a leaf Variable that requires grad is being used in an in-place operation"),
        (lambda: leaf(6).view(2, 3), "a view of a leaf Variable that requires grad is being used"),
        (lambda: result(2, 3).unbind()[0], "Output 0 of Unbind is a view and is being modified inplace"),
    ],
)
@pytest.mark.parametrize(
    "write", [lambda x: x.add_(torch.ones(4)), lambda x: x.pow_(2j), lambda x: x.fill_(0.0)]
)
def test_what_may_not_be_written_to_is_said_first(make, text, write):
    with pytest.raises(RuntimeError, match=text):
        write(make())


def test_a_wrong_shape_is_said_before_a_wrong_dtype():
    x = torch.zeros(3, dtype=torch.int64)
    with pytest.raises(
        RuntimeError, match=r"output with shape \[3\] doesn't match the broadcast shape \[2, 3\]"
    ):
        x.div_(torch.ones(2, 3))
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        x.div_(torch.ones(3))


@pytest.mark.parametrize("op", ["atan2_", "hypot_", "logical_and_", "gcd_", "nextafter_"])
@pytest.mark.parametrize("other", [2, None, "a"])
def test_some_ops_take_tensors_only(op, other):
    x = torch.ones(3, dtype=torch.int64 if op == "gcd_" else torch.float32)
    with pytest.raises(TypeError):
        getattr(x, op)(other)
    assert x.tolist() == [1, 1, 1]


OVERLAP = "some elements of the input tensor and the written-to tensor refer to a single memory location"


@pytest.mark.parametrize(
    "write",
    [
        lambda x: x.add_(x.t()),
        lambda x: x.mul_(x[0]),
        lambda x: x.addcmul_(x.t(), x),
        lambda x: x.copy_(x.t()),
        lambda x: x[1:].copy_(x[:-1]),
        lambda x: x[1:].sub_(x[:-1]),
    ],
)
def test_an_operand_that_overlaps_in_part_is_refused(write):
    x = torch.ones(3, 3)
    with pytest.raises(RuntimeError, match=OVERLAP):
        write(x)
    assert x.tolist() == [[1.0] * 3] * 3


def test_an_operand_that_covers_the_same_elements_alike_is_not():
    x = torch.ones(3, 3)
    x.add_(x).add_(x.view(3, 3)).add_(x.detach())
    assert x.tolist() == [[8.0] * 3] * 3


# set_ ---------------------------------------------------------------------------------------------------------------------


def test_set_to_another_tensor_keeps_the_own_counter():
    x, y = torch.zeros(2), torch.arange(4.0)
    assert x.set_(y) is x and x.is_set_to(y)
    x.add_(1)
    assert (x._version, y._version, y.tolist()) == (2, 0, [1.0, 2.0, 3.0, 4.0])


def test_set_to_a_part_of_a_storage():
    x, y = torch.zeros(2), torch.arange(6.0)
    assert x.set_(y, 1, (2, 2), (1, 2)).tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert x.set_(y.untyped_storage(), 3, (2,)).tolist() == [3.0, 4.0]
    assert x.set_(y.untyped_storage()).tolist() == y.tolist()
    assert x.set_().shape == (0,)
    assert (
        x.set_(y, 4, (3,)).shape == (3,) and y.untyped_storage().nbytes() == 28
    )  # another layout: the storage grows
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 28"):
        x.set_(y, 5, (3,))
    with pytest.raises(RuntimeError, match="Could not set tensor of type double to a tensor of type float"):
        x.set_(y.double())
    with pytest.raises(TypeError, match="invalid combination of arguments"):
        x.set_(y, 1)


def test_set_of_a_leaf_under_no_grad_is_noticed_in_backward():
    x = leaf(3)
    y = x * x
    with torch.no_grad():
        x.set_(torch.ones(3))
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
        y.sum().backward()


def test_untyped_storage_is_one_object_while_it_lives():
    x = torch.arange(3.0)
    storage = x.untyped_storage()
    assert storage is x[1:].untyped_storage() is x.detach().untyped_storage()
    assert storage.nbytes() == 12 and storage.data_ptr() == x.data_ptr()
    x._typed_storage()[0] = 7
    assert x.tolist() == [7.0, 1.0, 2.0] and x._version == 0


# out= ---------------------------------------------------------------------------------------------------------------------


def test_ops_without_gradient_write_into_out_whatever_requires_grad():
    x, out = leaf(3), torch.zeros(3, dtype=torch.bool)
    assert torch.gt(x, 1, out=out) is out and out.tolist() == [False, True, True]
    torch.logical_not(x, out=out)
    assert out.tolist() == [False] * 3
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        torch.mul(x, 2, out=torch.zeros(3))


# Beside PyTorch -------------------------------------------------------------------------------------------------------------

CALLS = """
add_(o) add_(o, alpha=2) add_(2.5) add_(o[0]) add_(o.double()) add_(o.long()) add_(2j) add_(torch.ones(4, 3, 3))
sub_(og) mul_(og) div_(og) div_(og, rounding_mode="floor") pow_(2) pow_(og) floor_divide_(o) remainder_(o) fmod_(2)
eq_(o) ne_(2) lt_(og) atan2_(og) hypot_(og) copysign_(o) copysign_(2) xlogy_(2) heaviside_(o) logical_and_(o)
addcmul_(og, og) addcdiv_(og, og, value=2) lerp_(og, 0.25) lerp_(o, og) clamp_(2, 4) clamp_(min=og) clamp_min_(2) clamp_(2.5)
masked_fill_(o > 3, 7.) masked_fill_(o > 3, og.sum()) masked_fill_(o[0] > 3, 2) masked_scatter_(o > 3, og) fill_(7) fill_(og.sum())
copy_(o) copy_(og[0]) copy_(og.double()) copy_(o.long()) copy_(torch.ones(5)) copy_(og * (1 + 2j))
index_add_(0, i, og[:2]) index_copy_(0, i, og[:2]) index_fill_(1, i, 7) index_put_((i,), og[:2]) index_put_((i,), og[:2], True)
scatter_(0, torch.tensor([[0, 1, 2]]), og[:1]) scatter_add_(0, torch.tensor([[0, 0, 2]]), o[:1]) put_(i, og[0, :2]) tril_() triu_(1)
scatter_reduce_(0, torch.tensor([[0, 0, 2]]), og[:1], "prod") cumsum_(0) cumprod_(1) addmm_(og, o, beta=2) addr_(og[0], o[1])
exp_() sin_() sqrt_() abs_() neg_() sigmoid_() tanh_() relu_() round_() zero_() reciprocal_() square_() log1p_() erf_() trunc_()
logical_not_() conj_physical_() fill_diagonal_(5.) t_() transpose_(0, 1) unsqueeze_(0) squeeze_() detach_() requires_grad_()
normal_() uniform_() bernoulli_(0.5) set_(o)
"""

#: What differs: where PyTorch refuses in backward what is refused at once here, where it computes what its dtypes cannot mean (gradients
#: of integers), and where the words differ.
DIFFERENT = {
    ("expanded", "index_put_((i,), og[:2], True)"),
    ("expanded", "conj_physical_()"),
    ("expanded", "tril_()"),  # PyTorch's result is what its loop wrote last
    ("expanded", "triu_(1)"),
    ("long", "lt_(og)"),
    ("long", "masked_fill_(o > 3, og.sum())"),
    ("long", "fill_(og.sum())"),
    ("small", "masked_scatter_(o > 3, og)"),
    ("small", "addmm_(og, o, beta=2)"),
    ("small", "addr_(og[0], o[1])"),
    ("complex", "addr_(og[0], o[1])"),
}
SELVES = {
    "plain": "x = b = ar(3, 3) / 10",
    "leaf": "x = b = l",
    "result": "x = b = l / 10",
    "view": "b = l.view(9) / 10; x = b.view(3, 3)",
    "transposed": "b = l / 10; x = b.t()",
    "part": "b = torch.stack([l, l]) / 10; x = b[1]",
    "leaf_view": "b = l; x = b.view(3, 3)",
    "multi": "b = torch.stack([l, l]) / 10; x = b.unbind()[0]",
    "no_grad_view": "b = l / 10\nwith torch.no_grad(): x = b.view(3, 3)",
    "expanded": "b = ar(3); x = b.expand(3, 3)",
    "long": "x = b = ar(3, 3).long()",
    "small": "x = b = l[0] / 10",
    "complex": "x = b = l * (0.1 + 0.2j)",
    "detached": "b = l / 10; x = b.detach()",
}


def described(t):
    if t.requires_grad or t.grad_fn is not None:
        history = t.grad_fn and t.grad_fn.name()
    else:
        history = None
    values = np.asarray(t.detach().numpy())
    return tuple(t.shape), str(t.dtype).split(".")[1], t._version, t.requires_grad, t.is_leaf, history, values


def outcome(lib, setup, call):
    """What ``x.call`` does under ``lib``: an error, or the state of x and its base, and the gradients."""

    def ar(*shape):
        return lib.arange(1.0, np.prod(shape) + 1).reshape(shape).clone()

    lib.manual_seed(0)
    space = {"torch": lib, "ar": ar, "l": ar(3, 3).requires_grad_(), "i": lib.tensor([0, 1])}
    exec("r = (ar(3, 3) * 0.75).requires_grad_(); og = r * 0.5; o = r.detach()", space)
    exec(setup, space)
    x, b = space["x"], space["b"]
    error = None
    try:
        assert eval("x." + call, space) is x
    except (RuntimeError, IndexError, TypeError, NotImplementedError) as caught:
        error = type(caught).__name__, "" if isinstance(caught, TypeError) else first_sentence(str(caught))
    try:
        facts = [error, described(x), described(b)]
    except RuntimeError as caught:
        return [error, first_sentence(str(caught))]
    for y in (x, b):
        if error is None and y.requires_grad and y.grad_fn is not None and not y.is_complex():
            weights = ar(*y.shape)
            try:
                grads = lib.autograd.grad(
                    (y * weights).sum(), [space["l"], space["r"]], allow_unused=True, retain_graph=True
                )
            except RuntimeError as caught:
                facts.append(first_sentence(str(caught)))
            else:
                facts += [None if g is None else g.numpy() for g in grads]
    return facts


def same(a, b):
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray):
        return (
            isinstance(b, np.ndarray) and a.shape == b.shape and np.allclose(a, b, 1e-4, 1e-5, equal_nan=True)
        )
    return a == b


@pytest.mark.torch
@pytest.mark.parametrize("kind", SELVES)
def test_every_call_on_every_kind_of_tensor_as_in_pytorch(kind):
    theirs = pytest.importorskip("torch")
    different = []
    for call in snippets(CALLS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected, found = (outcome(lib, SELVES[kind], call) for lib in (theirs, torch))
        if same(expected, found) == ((kind, call) in DIFFERENT):
            different.append(f"x.{call}:\n  {expected}\n  {found}")
    assert not different, "\n".join(different)
