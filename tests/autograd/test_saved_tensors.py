"""Hooks on saved tensors: registered on one, for all that is saved in a block, refused, and what stands on them."""

import gc
import weakref

import pytest

import minigrad as torch
from minigrad.autograd.graph import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)


def identity(x):
    return x


def leaf(*values):
    return torch.tensor(list(values), requires_grad=True)


def test_the_pack_hook_sees_each_tensor_as_it_is_saved():
    x = leaf(1.0, 2.0)
    seen = []
    with saved_tensors_hooks(lambda t: seen.append(t) or t, identity):
        y = x * x
        assert [t is x for t in seen] == [True, True]
        z = y.exp()
    assert len(seen) == 3 and seen[2].grad_fn is z.grad_fn
    z.sum().backward()
    assert torch.allclose(x.grad, 2 * x * torch.exp(x * x))


def test_backward_uses_what_the_unpack_hook_gives():
    x = leaf(3.0)
    with saved_tensors_hooks(lambda t: t.tolist(), lambda kept: 10 * torch.tensor(kept)):
        y = x * x
    y.backward()
    assert x.grad.item() == 60


def test_the_saved_value_keeps_its_history_through_hooks():
    x = leaf(2.0)
    with saved_tensors_hooks(lambda t: t.numpy(force=True), torch.from_numpy):
        y = x**3
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert (first.item(), second.item()) == (12, 12)


def test_the_innermost_pair_applies():
    x = leaf(1.0)
    with saved_tensors_hooks(lambda t: t * 2, identity):
        with saved_tensors_hooks(lambda t: t * 3, identity):
            inner = x * x
        outer = x * x
    assert inner.grad_fn._saved_self.item() == 3
    assert outer.grad_fn._saved_self.item() == 2
    assert (x * x).grad_fn._saved_self is x


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x.tanh(),
        lambda x: x.exp(),
        lambda x: x.sin(),
        lambda x: x * x,
        lambda x: x / (x + 1),
        lambda x: x**2.5,
        lambda x: x.prod(0),
        lambda x: x.max(0)[0],
        lambda x: x.sort(0)[0] * x,
        lambda x: x.cumsum(0).cumprod(0),
        lambda x: x @ x,
        lambda x: torch.outer(x, x),
        lambda x: torch.addcmul(x, x, x),
        lambda x: torch.where(x > 1, x * x, x),
        lambda x: torch.stack([x, x * x]) * 2,
        lambda x: x[torch.tensor([0, 0, 1])] * x[1],
        lambda x: torch.nn.functional.linear(x[None] * x, torch.ones(3, 2).double(), torch.ones(3).double()),
        lambda x: torch.log_softmax(x, 0),
        lambda x: torch.logsumexp(x, 0),
        lambda x: x.norm(),
        lambda x: x.std(),
        lambda x: x.clone().mul_(x).exp_(),
        lambda x: torch.complex(x, x * x).abs(),
    ],
)
def test_every_family_packs_and_unpacks_what_it_saves(make):
    x = torch.tensor([1.5, 0.5], dtype=torch.float64, requires_grad=True)
    expected = torch.autograd.grad(make(x).sum(), x)[0]
    kept = []

    def pack(t):
        kept.append(weakref.ref(t))
        return t.numpy(force=True).copy()

    with saved_tensors_hooks(pack, torch.from_numpy):
        y = make(x).sum()
    assert kept
    assert torch.allclose(torch.autograd.grad(y, x, retain_graph=True)[0], expected)
    assert torch.allclose(torch.autograd.grad(y, x)[0], expected)
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.backward()


@pytest.mark.parametrize("order", [False, True])
def test_indices_are_packed(order):
    x, index = leaf(1.0, 2.0, 3.0), torch.tensor([0, 2])
    packed = []
    with saved_tensors_hooks(lambda t: packed.append(t.dtype) or t.clone(), identity):
        y = x[index]
    assert packed == [torch.int64]
    index.zero_()
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=order)
    assert g.tolist() == [1, 0, 1]


def test_hooks_on_one_saved_tensor():
    x = leaf(2.0)
    y = x * x
    y.grad_fn._raw_saved_self.register_hooks(lambda t: 2 * t, lambda t: 3 * t)
    assert y.grad_fn._saved_self.item() == 12 and y.grad_fn._saved_self.requires_grad
    y.backward()
    assert x.grad.item() == 2 + 12


def test_hooks_on_saved_tensors_of_indices_and_functions():
    x = leaf(1.0, 2.0)
    y = x[torch.tensor([0])]
    (saved,) = y.grad_fn._raw_saved_indices
    saved.register_hooks(lambda t: t + 1, identity)
    assert y.grad_fn._saved_indices[0].tolist() == [1]
    y.sum().backward()
    assert x.grad.tolist() == [0, 1]

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, None)
            return 2 * x

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    z = Double.apply(x)
    first, nothing = z.grad_fn._raw_saved_tensors
    first.register_hooks(lambda t: t * 0, identity)
    with pytest.raises(RuntimeError, match="with value None is forbidden"):
        nothing.register_hooks(identity, identity)
    assert torch.autograd.grad(z.sum(), x)[0].tolist() == [0, 0]


def test_registration_is_refused_for_nothing_twice_and_after_freeing():
    x = leaf(2.0)
    y = x * torch.ones(1)
    with pytest.raises(
        RuntimeError, match="Calling register_hooks on a saved tensor with value None is forbidden"
    ):
        y.grad_fn._raw_saved_self.register_hooks(identity, identity)
    saved = y.grad_fn._raw_saved_other
    saved.register_hooks(identity, identity)
    with pytest.raises(RuntimeError, match="whose hooks have already been set"):
        saved.register_hooks(identity, identity)
    z = x.exp()
    saved = z.grad_fn._raw_saved_result
    z.backward()
    with pytest.raises(RuntimeError, match="on a saved tensor after it has been freed"):
        saved.register_hooks(identity, identity)
    with pytest.raises(TypeError, match=r"register_hooks\(\): incompatible function arguments"):
        saved.register_hooks(1, 2)
    with pytest.raises(AttributeError, match="_raw_saved_dim"):
        _ = x.sum(0).grad_fn._raw_saved_dim


def test_a_pack_hook_may_not_modify_its_argument():
    x = leaf(1.0) * 1
    with pytest.raises(RuntimeError, match="A saved tensor pack hook is modifying its input in place"):
        with saved_tensors_hooks(lambda t: t.mul_(2), identity):
            x.exp()
    assert not torch.autograd.graph._saved_hooks.thread_state.saved_hooks
    with pytest.raises(RuntimeError, match="A saved tensor pack hook is modifying its input in place"):
        (x * x).grad_fn._raw_saved_self.register_hooks(lambda t: t.mul_(2), identity)


def test_an_unpack_hook_must_return_a_tensor():
    x = leaf(1.0)
    with saved_tensors_hooks(identity, lambda t: 1):
        y = x.exp()
    with pytest.raises(TypeError, match="unpack_hook expected to be a Tensor but got result of type int"):
        y.backward()


def test_python_numbers_are_not_shown_to_hooks():
    seen = []
    with saved_tensors_hooks(lambda t: seen.append(t) or t, identity):
        leaf(1.0) * 2 * 1.5
    assert not seen


def test_hooks_replace_the_check_for_modification():
    x = leaf(2.0)
    y = x.clone()
    with saved_tensors_hooks(lambda t: t.clone(), identity):
        z = y * y
    y.zero_()
    z.backward()
    assert x.grad.item() == 4


def test_what_an_in_place_operation_saves_is_packed_as_it_was():
    x = leaf(3.0)
    with saved_tensors_hooks(lambda t: t.clone(), identity):
        y = x.clone()
        y.mul_(y)
        y[0].mul_(y[0])
    y.backward(torch.ones(1))
    assert x.grad.item() == 4 * 27


def test_hooks_can_be_disabled():
    with disable_saved_tensors_hooks("not now"):
        with pytest.raises(RuntimeError, match="not now"):
            saved_tensors_hooks(identity, identity).__enter__()
        with disable_saved_tensors_hooks("never"):
            pass
        with pytest.raises(RuntimeError, match="not now"):
            saved_tensors_hooks(identity, identity).__enter__()
    with saved_tensors_hooks(identity, identity), pytest.raises(RuntimeError, match="too late"):
        disable_saved_tensors_hooks("too late").__enter__()


@pytest.mark.parametrize("pin_memory", [False, True])
def test_save_on_cpu_changes_nothing(pin_memory):
    x = leaf(2.0)
    with save_on_cpu(pin_memory=pin_memory):
        y = x * x
    y.backward()
    assert x.grad.item() == 4


def test_saved_tensors_may_be_modified_where_that_is_allowed():
    x = leaf(1.0, 2.0)
    with allow_mutation_on_saved_tensors() as context:
        y = x.clone()
        z = y**2
        part = y[0] * y[0]
        y.sin_()
        w = y.exp()
        torch.add(x.detach(), 1, out=w.detach())
        assert len(context.cloned) == 4
        (z.sum() + part + w.sum()).backward()
        with pytest.raises(RuntimeError, match="allow_mutation_on_saved_tensors contexts cannot be nested"):
            allow_mutation_on_saved_tensors().__enter__()
    expected = 2 * x + torch.exp(torch.sin(x)) * torch.cos(x) + torch.stack([2 * x[0], 0 * x[0]])
    assert torch.allclose(x.grad, expected.detach())


def test_backward_outside_of_the_context_that_allowed_mutation_is_refused():
    x = leaf(1.0)
    with allow_mutation_on_saved_tensors():
        y = x**2
    with pytest.raises(AssertionError, match="Trying to backward outside"):
        y.backward()


def test_packed_tensors_do_not_keep_the_graph_alive():
    gc.disable()
    try:
        x = leaf(1.0)
        with saved_tensors_hooks(lambda t: t.detach(), identity):
            y = (x * x).exp()
        node = weakref.ref(y.grad_fn)
        del y
        assert node() is None
    finally:
        gc.enable()


def test_a_number_that_a_node_saved_is_handed_out_as_a_copy():
    x = leaf(1.0)
    (x * 2.5).grad_fn._saved_other.add_(1)
    assert (x * 2.5).item() == 2.5


@pytest.mark.parametrize(
    "write", [lambda x: x * 1.001, lambda x: x.clone().mul_(2), lambda x: x.half() * 3 / 7.0]
)
def test_hooks_are_not_told_of_python_numbers(write):
    seen = []
    with saved_tensors_hooks(lambda t: seen.append(t) or t, identity):
        write(leaf(1.0, 2.0))
    assert seen == []


def test_unpack_hooks_run_in_the_grad_mode_of_the_backward():
    modes = []
    with saved_tensors_hooks(identity, lambda t: modes.append(torch.is_grad_enabled()) or t):
        x = leaf(2.0)
        y = x * x
    torch.autograd.grad(y, x, retain_graph=True)
    torch.autograd.grad(y, x, create_graph=True)
    assert modes == [False, False, True, True]


def test_what_a_pack_hook_records_is_packed_too():
    x = leaf(2.0)
    calls = []

    def pack(t):
        calls.append(t)
        if len(calls) < 4:
            with torch.enable_grad():
                t.sin()
        return t

    with saved_tensors_hooks(pack, identity):
        x.cos().backward()
    assert len(calls) == 4
    assert torch.equal(x.grad, -x.detach().sin().reshape(1))


def test_saved_tensors_are_made_by_nodes_only():
    kind = type((leaf(1.0) * leaf(2.0)).grad_fn._raw_saved_self)
    with pytest.raises(RuntimeError, match="Trying to create a SavedTensor object from Python is forbidden"):
        kind()


def test_where_mutation_is_allowed_a_tensor_is_kept_once_and_copied_once():
    x = leaf(1.0, 2.0)
    with allow_mutation_on_saved_tensors() as context:
        y = x.clone()
        z = y * y + y.sin()
        assert (len(context.original), len(context.tid_to_weakhandle), len(context.cloned)) == (1, 1, 0)
        y.mul_(2)
        assert (len(context.original), len(context.cloned)) == (0, 1)
        z.sum().backward()
        del z
        assert (len(context.cloned), len(context.tid_to_weakhandle)) == (0, 0)
    assert torch.allclose(x.grad, 2 * x.detach() + x.detach().cos())


def test_where_mutation_is_allowed_writes_through_data_and_through_other_views_count():
    x = leaf(1.0, 2.0)
    with allow_mutation_on_saved_tensors():
        y = x.clone()
        z = y * y
        y.data.zero_()
        w = y[:1].exp()
        y[0] = 5
        (z.sum() + w.sum()).backward()
    assert x.grad.tolist() == [3.0, 4.0]


@pytest.mark.parametrize("optimizer", [torch.optim.SGD, torch.optim.Adam])
def test_where_mutation_is_allowed_optimizers_may_step_between_backwards(optimizer):
    p = torch.nn.Parameter(torch.ones(2))
    steps = optimizer([p], lr=0.1)
    with allow_mutation_on_saved_tensors():
        y = (p * p).sum()
        y.backward(retain_graph=True)
        steps.step()
        y.backward()
    assert p.grad.tolist() == [4.0, 4.0]


def test_saved_values_are_attributes_of_the_nodes_that_have_them():
    x = leaf(1.0, 2.0)
    node = (x * leaf(3.0, 4.0)).grad_fn
    assert node._saved_self is x
    for name in ("_saved_result", "_raw_saved_result", "_saved_no_such_value"):
        with pytest.raises(AttributeError, match=f"'MulBackward0' object has no attribute '{name}'"):
            getattr(node, name)
    whole = x * 1
    whole[:1].mul_(leaf(5.0))
    assert whole.grad_fn._saved_other.tolist() == [5.0]  # of the op that wrote
    with pytest.raises(AttributeError, match="no attribute '_saved_dim'"):
        whole.grad_fn._saved_dim


def test_nodes_read_their_slots_in_the_quick_way():
    # Python reads a slot five times as slowly in a class with __getattr__
    for node in ((leaf(1.0) * 2).grad_fn, leaf(1.0).sum().grad_fn, leaf(1.0).view(1, 1).grad_fn):
        assert not hasattr(type(node), "__getattr__")


#: Nodes whose formulas here need other values than PyTorch's.
NODES = """
F.adaptive_avg_pool2d(image, 2)
F.adaptive_max_pool2d(image, 2)
F.avg_pool2d(image, 2)
F.max_pool2d(image, 2)
F.pad(image, (1, 1, 1, 1), mode="reflect")
F.pad(image, (1, 1, 1, 1), mode="replicate")
F.interpolate(image, scale_factor=2)
F.conv2d(image, image.detach())
F.layer_norm(square, (3,))
F.logsigmoid(square)
F.nll_loss(square, lib.tensor([0, 2, 1]))
torch.addmm(square, square.detach(), square)
torch.mm(square, square.detach())
torch.mm(square * 2, square.exp())
torch.addbmm(square, image[0], image[0].detach())
torch.cummax(square, 0)[0]
torch.cumsum(square, 0)
torch.gather(square, 0, lib.tensor([[1]]))
torch.index_add(square, 0, lib.tensor([1]), square[:1])
torch.index_select(square, 0, lib.tensor([1]))
torch.linalg.det(square)
torch.linalg.slogdet(square)[1]
torch.linalg.svd(square)[1]
torch.linalg.lu(square)[1]
torch.linalg.pinv(square)
torch.lu_unpack(square, lib.tensor([1, 2, 3], dtype=lib.int32))[1]
torch.masked_select(square, square > 0)
torch.normal(square, 1.0)
torch.put(square, lib.tensor([1]), lib.tensor([2.0]))
torch.special.log_ndtr(square)
torch.std_mean(square, 1)[0]
torch.unbind(square, 1)[0]
square.amax()
square.to(lib.float64)
"""


@pytest.mark.torch
def test_nodes_show_the_names_of_pytorchs():
    pytorch = pytest.importorskip("torch")

    def shown(lib, expression):
        """The names that a node shows, and all of them that are not tensors."""
        values = {"torch": lib, "lib": lib, "F": lib.nn.functional}
        lib.manual_seed(0)
        values["square"], values["image"] = (
            lib.rand(3, 3).requires_grad_(),
            lib.rand(1, 3, 3, 3).requires_grad_(),
        )
        node = eval(expression, values).grad_fn
        names = [name for name in dir(node) if name.startswith("_saved_")]
        return {name: getattr(node, name) for name in names}

    for expression in NODES.strip().splitlines():
        ours, theirs = shown(torch, expression), shown(pytorch, expression)
        assert ours.keys() == theirs.keys(), expression
        for name, value in theirs.items():
            if not isinstance(value, pytorch.Tensor):
                assert str(ours[name]) == str(value), (expression, name)
            elif ours[name] is not None:
                assert ours[name].shape == value.shape, (expression, name)


def test_names_that_no_node_has_are_missing():
    x = leaf(1.0)
    with pytest.raises(
        AttributeError, match="'MulBackward0' object has no attribute '_saved_mat1_sym_sizes'"
    ):
        (x * x).grad_fn._saved_mat1_sym_sizes


def test_draws_of_variables_show_the_name_too():
    mean = torch.autograd.Variable(torch.zeros(3, 2), requires_grad=True)
    node = torch.normal(mean, 1.0).grad_fn
    assert [name for name in dir(node) if name.startswith("_saved_")] == ["_saved_mean_sym_sizes"]
    assert node._saved_mean_sym_sizes == (3, 2)
