"""``viz.summary``: what it counts, and that it leaves no trace."""

import copy
import functools
import random
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import minigrad
from minigrad import nn
from minigrad.autograd import profiler
from minigrad.viz import summary
from minigrad.viz.summary_tables import COLUMNS, size_text


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 6, 5), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(96, 10))

    def forward(self, x):
        return self.head(self.features(x))


class Calls(nn.Module):
    """Runs what it was made with: a function of itself and the inputs."""

    def __init__(self, function, **children):
        super().__init__()
        self.function = function
        for name, child in children.items():
            setattr(self, name, child)

    def forward(self, *args, **kwargs):
        return self.function(self, *args, **kwargs)


# What is counted ----------------------------------------------------------------------------------------------------------


def test_layers_have_the_sizes_and_counts_of_a_model():
    found = summary(Digits(), (2, 1, 12, 12))
    assert [layer.name for layer in found.layers] == [
        "", "features", "features.0", "features.1", "features.2", "features.3", "head", "head.0", "head.1",
    ]  # fmt: skip
    conv, linear = found["features.0"], found["head.1"]
    assert (conv.type, conv.depth, conv.calls, conv.kernel_size) == ("Conv2d", 2, 1, (5, 5))
    assert conv.input_size == (2, 1, 12, 12) and conv.output_size == (2, 6, 8, 8)
    assert (conv.params, linear.params) == (156, 970)
    assert conv.mult_adds == 2 * 6 * 8 * 8 * 25 and linear.mult_adds == 2 * 96 * 10
    assert found.total_params == found.trainable_params == 156 + 12 + 970
    assert found["features"].params == 0 and found["features"].total_params == 168
    assert found.total_mult_adds == conv.mult_adds + linear.mult_adds
    assert found.total_flops == 2 * found.total_mult_adds
    assert found.input_bytes == 2 * 144 * 4
    assert found.param_bytes == 4 * found.total_params
    assert found.buffer_bytes == 2 * 6 * 4 + 8
    assert found.total_bytes == found.input_bytes + found.saved_bytes + found.param_bytes + found.buffer_bytes
    assert found.ran and found.output_size == (2, 10)
    with pytest.raises(KeyError, match="nosuch"):
        found["nosuch"]


def test_without_input_only_parameters_are_told():
    found = summary(Digits())
    assert not found.ran and found.total_params == 1138 and found.total_flops == 0
    assert found["head"].output_size is None
    assert "Output" not in str(found) and "Total FLOPs" not in str(found)


def test_a_layer_that_is_called_twice_is_one_row_with_both_calls():
    model = Calls(
        lambda self, x: self.head(self.layer(self.layer(x))), layer=nn.Linear(5, 5), head=nn.Linear(5, 2)
    )
    found = summary(model, (3, 5))
    assert found["layer"].calls == 2 and found["layer"].mult_adds == 2 * 75
    assert found.total_params == 42 and len(found.layers) == 3


def test_a_shared_parameter_is_counted_once_and_said_to_be():
    model = Calls(lambda self, x: self.out(self.table(x)), table=nn.Embedding(10, 4), out=nn.Linear(4, 10))
    model.out.weight = model.table.weight
    found = summary(model, (2, 3), dtypes=minigrad.int64)
    assert found.total_params == 50 and found.param_bytes == 200
    assert found["out"].params == 10 and found["out"].shared == {"out.weight": "table.weight"}
    assert found.shared == {"out.weight": "table.weight"}
    assert "10 + shared" in str(found) and "out.weight is table.weight: counted once" in str(found)


def test_memory_is_counted_by_place():
    flat = minigrad.zeros(8)
    model = nn.Linear(3, 2)
    model.weight, model.bias = nn.Parameter(flat[:6].view(2, 3)), nn.Parameter(flat[6:])
    model.register_buffer("alias", model.bias.detach())
    model.register_buffer("wide", minigrad.zeros(1).expand(1000))
    found = summary(model)
    assert (found.param_bytes, found.buffer_bytes) == (32, 4)


def test_a_module_under_two_names_is_taken_for_the_one_its_caller_has():
    inner = nn.Linear(4, 4)
    other = Calls(lambda self, x: self.inner(x), inner=inner)
    model = Calls(lambda self, x: self.other(self.inner(x)), inner=inner, other=other)
    found = summary(model, (2, 4))
    assert (found["inner"].calls, found["other.inner"].calls) == (1, 1)
    assert found["inner"].mult_adds == found["other.inner"].mult_adds == 32
    assert found.total_params == 20 and found["other.inner"].params == 0


def test_layers_stand_in_the_order_in_which_they_run_and_those_that_do_not_come_last():
    model = Calls(
        lambda self, x: self.blocks[0](self.late(x)),
        unused=nn.Linear(1, 1),
        blocks=nn.ModuleList([nn.Linear(3, 3)]),
        late=nn.Linear(3, 3),
    )
    found = summary(model, (2, 3))
    assert [layer.name for layer in found.layers] == ["", "late", "blocks", "blocks.0", "unused"]
    assert found["unused"].calls == 0 and found["unused"].params == 2 and found.total_params == 26


def test_a_module_that_calls_itself_has_the_sizes_of_the_outer_call():
    def halves(self, x):
        n = len(x) // 2
        return minigrad.cat([self(x[:n]), self(x[n:])]) if n else self.layer(x)

    found = summary(Calls(halves, layer=nn.Linear(3, 2)), (4, 3))
    assert found.layers[0].calls == 7 and found["layer"].calls == 4
    assert (found.input_size, found.output_size) == ((4, 3), (4, 2))


def test_modules_that_contain_each_other():
    inner = nn.Linear(2, 2)
    model = Calls(lambda self, x: self.inner(x), inner=inner)
    inner.parent = model.me = model
    found = summary(model, (1, 2))
    assert [layer.name for layer in found.layers] == ["", "inner"] and found.total_params == 6


@pytest.mark.parametrize(
    "forward",
    [staticmethod(minigrad.relu), staticmethod(lambda x: x.relu()), classmethod(lambda cls, x: x.relu()), staticmethod(functools.partial(minigrad.relu))],
)  # fmt: skip
def test_a_forward_that_is_no_ordinary_method(forward):
    cls = type("Odd", (nn.Module,), {"forward": forward})
    assert summary(cls(), (2, 3)).output_size == (2, 3)


def test_a_copy_that_forward_makes_is_a_module_of_its_own():
    def through_copy(self, x):
        other = copy.deepcopy(self.layer)
        with minigrad.no_grad():
            other.weight.zero_()
            other.bias.fill_(7)
        results.append(copy.deepcopy(other)(x).tolist())
        return self.layer(x)

    results = []
    found = summary(Calls(through_copy, layer=nn.Linear(2, 2)), (1, 2))
    assert results == [[[7.0, 7.0]]] and found["layer"].calls == 1


def test_operations_outside_of_any_layer_count_for_the_module_that_runs_them():
    def attention(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        return minigrad.softmax(q @ k.transpose(-2, -1), -1) @ v

    found = summary(Calls(attention, qkv=nn.Linear(8, 24)), (2, 5, 8))
    assert found.layers[0].mult_adds == 2 * (2 * 5 * 5 * 8)
    assert found["qkv"].mult_adds == 2 * 5 * 8 * 24


def test_trainable_share():
    model = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 4))
    model[0].requires_grad_(False)
    model[1].bias.requires_grad_(False)
    found = summary(model)
    assert (found.total_params, found.trainable_params, found.non_trainable_params) == (36, 16, 20)
    rows = str(found).splitlines()[3:5]
    assert rows[0].endswith("no") and rows[1].endswith("80.0%")
    assert "Trainable params: 16 (44.4%)" in str(found)


Pair = namedtuple("Pair", "first second")


@dataclass
class Output:
    logits: minigrad.Tensor
    loss: float


@pytest.mark.parametrize(
    "result, sizes",
    [
        (lambda x: (x, [x.T, None]), "([2, 3], ([3, 2], None))"),
        (lambda x: {"a": x, "b": (x[0], 3)}, "{a: [2, 3], b: ([3], int)}"),
        (lambda x: Pair(x, x[0, 0]), "{first: [2, 3], second: []}"),
        (lambda x: Output(x, 0.5), "{logits: [2, 3], loss: float}"),
        (lambda x: [x] * 5 + [x[0]], "(5 x [2, 3], [3])"),
        (lambda x: None, "None"),
        (lambda x: "text", "str"),
    ],
)
def test_sizes_of_structures(result, sizes):
    found = summary(Calls(lambda self, x: result(x)), (2, 3))
    assert size_text(found.output_size) == sizes
    assert found.layers[0].calls == 1


def test_structures_that_contain_themselves():
    first = {"x": minigrad.ones(2)}
    first["parts"] = [first, minigrad.ones(3)]
    found = summary(Calls(lambda self, given: given["parts"]), input_data=[first])
    assert size_text(found.input_size) == "{x: [2], parts: (dict, [3])}"
    assert size_text(found.output_size) == "({x: [2], parts: list}, [3])"
    assert found.input_bytes == 20


def test_recurrent_layers_and_attention_have_nested_outputs():
    found = summary(nn.LSTM(8, 4, 2, batch_first=True), (3, 5, 8))
    assert size_text(found.output_size) == "([3, 5, 4], ([2, 3, 4], [2, 3, 4]))"
    found = summary(nn.MultiheadAttention(8, 2, batch_first=True), [(3, 5, 8)] * 3)
    assert size_text(found.output_size) == "([3, 5, 8], [3, 5, 5])"
    assert found["out_proj"].calls == 0 and found["out_proj"].params == 72


@pytest.mark.parametrize("bidirectional", [False, True])
def test_an_lstm_as_a_whole_counts_as_its_steps(bidirectional):
    """The layer runs as it does when nobody watches; a profiler sees each step."""
    model = nn.LSTM(5, 4, 2, bidirectional=bidirectional)
    with profiler.profile(with_flops=True) as prof:
        model(minigrad.ones(3, 2, 5))
    steps = sum(event.flops for event in prof.function_events)
    found = summary(model, (3, 2, 5))
    directions = 2 if bidirectional else 1
    products = directions * 3 * 2 * 16 * (5 + 4) + directions * 3 * 2 * 16 * (4 * directions + 4)
    assert found.total_mult_adds == products
    assert found.total_flops == steps > 2 * products


def test_mixed_precision_counts_an_operator_once():
    model = nn.Linear(3, 3)
    with minigrad.autocast("cpu", dtype=minigrad.float16):
        assert summary(model, (2, 3)).total_mult_adds == 18


def test_what_parametrizations_do_is_counted_and_undone():
    model = nn.utils.parametrizations.spectral_norm(nn.Linear(4, 4))
    before = {name: buffer.clone() for name, buffer in model.named_buffers()}
    found = summary(model, (2, 4))
    assert found["parametrizations.weight.0"].mult_adds == 3 * 16 and found.total_params == 20
    assert all(buffer.equal(before[name]) for name, buffer in model.named_buffers())


def test_functions_of_transforms_are_counted_at_their_modules():
    model = Calls(lambda self, x: minigrad.vmap(self.layer)(x), layer=nn.Linear(3, 2))
    assert summary(model, (5, 3))["layer"].mult_adds == 30


def test_modules_under_checkpoint_are_seen_and_keep_nothing():
    def forward(self, x):
        y = minigrad.utils.checkpoint.checkpoint(lambda x: self.inner(x).tanh(), x, use_reentrant=False)
        return self.outer(y)

    found = summary(Calls(forward, inner=nn.Linear(4, 4), outer=nn.Linear(4, 4)), (2, 4))
    assert found["inner"].mult_adds == 32 and found["inner"].saved_bytes == 0


def test_in_inference_mode_nothing_is_kept():
    with minigrad.inference_mode():
        found = summary(nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)), (2, 3))
    assert found.saved_bytes == 0 and found.total_mult_adds == 18


# What is kept for backward ------------------------------------------------------------------------------------------------


def kept_by_hooks(model, *inputs, library=minigrad):
    """What hooks on saved tensors see, each piece of memory once, without inputs, parameters and buffers."""
    known = {t.untyped_storage().data_ptr() for t in (*inputs, *model.parameters(), *model.buffers())}
    sizes = {}

    def pack(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in known:
            sizes[storage.data_ptr()] = storage.nbytes()
            alive.append(tensor)  # or another array might come to the same place
        return tensor

    alive = []
    with library.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        model(*inputs)
    return sum(sizes.values())


@pytest.mark.parametrize(
    "model, size",
    [
        (nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4), nn.Sigmoid()), (3, 8)),
        (Digits(), (2, 1, 12, 12)),
        (nn.RNN(5, 4), (3, 2, 5)),
        (nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), (5, 2, 8)),
        (
            nn.Sequential(nn.Conv1d(2, 3, 3), nn.GroupNorm(3, 3), nn.GELU(), nn.Flatten(), nn.LogSoftmax(1)),
            (2, 2, 6),
        ),
    ],
    ids=["mlp", "digits", "rnn", "transformer", "norms"],
)
def test_what_is_kept_is_what_hooks_on_saved_tensors_see(model, size):
    assert summary(model, size).saved_bytes == kept_by_hooks(model, minigrad.rand(size)) > 0


def test_a_layer_of_gru_keeps_its_blocks_its_output_and_the_state_before():
    assert summary(nn.GRU(5, 4), (3, 2, 5)).saved_bytes == 4 * (4 * 24 + 24 + 8)


def test_what_is_kept_is_told_by_layer():
    found = summary(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)), (3, 4))
    assert [layer.saved_bytes for layer in found.layers] == [
        0,
        0,
        3 * 8 * 4,
        0,
    ]  # the result of tanh, which is also the last layer's input


def test_frozen_models_and_blocks_without_grad_keep_nothing():
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh()).requires_grad_(False)
    assert summary(model, (3, 4)).saved_bytes == 0

    @minigrad.no_grad()
    def silent(self, x):
        return self.layer(x).tanh()

    found = summary(Calls(silent, layer=nn.Linear(4, 8)), (3, 4))
    assert found.saved_bytes == 0 and found["layer"].mult_adds == 96


def test_no_grad_around_the_summary_makes_no_difference():
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
    with minigrad.no_grad():
        assert summary(model, (3, 4)).saved_bytes == 96


def test_the_history_of_an_input_is_not_counted():
    x = minigrad.ones(3, 4, requires_grad=True).exp()
    assert summary(nn.Tanh(), input_data=x).saved_bytes == 48


# Inputs -------------------------------------------------------------------------------------------------------------------


def seen(**arguments):
    """The arguments that forward gets from ``summary(model, **arguments)``."""
    got = []
    summary(Calls(lambda self, *args, **kwargs: got.append((args, kwargs))), **arguments)
    ((args, kwargs),) = got
    return args, kwargs


def test_one_size():
    (x,), kwargs = seen(input_size=(2, 3))
    assert x.shape == (2, 3) and x.dtype is minigrad.float32 and not kwargs and len(x.unique()) == 6
    assert seen(input_size=minigrad.Size([4]))[0][0].shape == (4,)
    assert seen(input_size=())[0][0].shape == ()
    assert seen(input_size=[2, np.int64(3)])[0][0].shape == (2, 3)
    assert seen(input_size=[]) == ((), {})


def test_several_sizes_and_dtypes():
    (x, y), _ = seen(input_size=[(2, 3), (4,)], dtypes=[minigrad.int64, minigrad.float64])
    assert (x.shape, x.dtype, y.shape, y.dtype) == ((2, 3), minigrad.int64, (4,), minigrad.float64)
    assert x.eq(0).all()
    assert seen(input_size=[(2,), (3,)], dtypes=minigrad.bool)[0][1].dtype is minigrad.bool
    with pytest.raises(ValueError, match="2 inputs, but 1 dtypes"):
        seen(input_size=[(2,), (3,)], dtypes=[minigrad.bool])


def test_sizes_by_name():
    args, kwargs = seen(input_size={"x": (2, 3), "mask": (2,)}, dtypes={"mask": minigrad.bool})
    assert not args and kwargs["x"].shape == (2, 3) and kwargs["mask"].dtype is minigrad.bool
    assert kwargs["x"].dtype is minigrad.float32
    _, kwargs = seen(input_size={"x": (2,), "y": (2,)}, dtypes=[minigrad.int32, minigrad.complex64])
    assert [x.dtype for x in kwargs.values()] == [minigrad.int32, minigrad.complex64]


def test_batch_dim():
    assert seen(input_size=(2, 3), batch_dim=0)[0][0].shape == (1, 2, 3)
    assert seen(input_size=[(2, 3), (4,)], batch_dim=-1)[0][0].shape == (2, 3, 1)
    assert seen(input_data=minigrad.ones(2, 3), batch_dim=1)[0][0].shape == (2, 1, 3)
    assert seen(input_data={"x": minigrad.ones(2)}, batch_dim=0)[1]["x"].shape == (1, 2)


@pytest.mark.parametrize("dim", [2, -3])
def test_a_batch_dimension_that_cannot_be(dim):
    with pytest.raises(IndexError, match=rf"expected to be in range of \[-2, 1\], but got {dim}"):
        seen(input_size=(2,), batch_dim=dim)


def test_data():
    x = minigrad.ones(2)
    assert seen(input_data=x)[0][0] is x
    args, kwargs = seen(input_data=[x, 3], flag=True)
    assert args[0] is x and args[1] == 3 and kwargs == {"flag": True}
    assert seen(input_data={"x": x})[1] == {"x": x}


def test_inputs_have_the_dtype_of_the_parameters():
    assert summary(nn.Linear(3, 4).double(), (2, 3)).input_bytes == 48


def test_refusals():
    with pytest.raises(TypeError, match=r"^summary\(\): model must be a Module, not function$"):
        summary(lambda x: x, (2,))
    with pytest.raises(ValueError, match="either input_size or input_data, not both"):
        summary(nn.ReLU(), (2,), input_data=minigrad.ones(2))
    with pytest.raises(ValueError, match="unknown column 'nosuch'; the columns are input_size, output_size"):
        summary(nn.ReLU(), columns=["nosuch"])
    with pytest.raises(ValueError, match="mode must be 'train', 'eval' or None, not 'test'"):
        summary(nn.ReLU(), (2,), mode="test")
    with pytest.raises(
        TypeError, match="input_size must be a shape, a list of shapes or a dictionary of shapes"
    ):
        summary(nn.ReLU(), "2, 3")
    with pytest.raises(TypeError, match="input_size must be a shape"):
        summary(nn.ReLU(), [(2, 3), 4])
    for dtypes in ("float32", float, {"x": minigrad.int64}):
        with pytest.raises(TypeError, match="dtypes must be a dtype or one for each input, not "):
            summary(nn.ReLU(), (2,), dtypes=dtypes)
    with pytest.raises(ValueError, match=r"dtypes are for \['y'\], input_size for \['x'\]"):
        summary(nn.ReLU(), {"x": (2,)}, dtypes={"y": minigrad.int64})
    with pytest.raises(ValueError, match="dtypes can only be given together with input_size"):
        summary(nn.ReLU(), input_data=minigrad.ones(2), dtypes=minigrad.int64)
    with pytest.raises(TypeError, match="depth must be a number, not str"):
        summary(nn.ReLU(), depth="all")


# Side effects -----------------------------------------------------------------------------------------------------


def everything(model):
    """All of a model that a forward pass might change."""
    state = {}
    for path, module in model.named_modules():
        state[path] = (type(module), module.training, sorted(vars(module)), [*module._forward_hooks])
    for name, tensor in (*model.named_parameters(), *model.named_buffers()):
        state[name] = (id(tensor), tensor._version, tensor.tolist(), tensor.requires_grad, tensor.grad)
    generators = minigrad.get_rng_state().tolist(), random.getstate(), np.random.get_state()[1].tolist()
    return state, generators


class Restless(nn.Module):
    """Changes all that it can reach."""

    def __init__(self, fails=False):
        super().__init__()
        self.fails = fails
        self.table = nn.Embedding(5, 3, max_norm=0.1)
        self.norm = nn.BatchNorm1d(3)
        self.noise = nn.Dropout()
        self.register_buffer("count", minigrad.zeros(1))
        self.register_buffer("assigned", minigrad.zeros(2))
        self.scale = nn.Parameter(minigrad.ones(3))
        self.steps, self.log, self.cache, self.names = 0, ["before"], {}, {"a"}
        self.state = minigrad.zeros(3)

    def forward(self, i):
        random.random()
        np.random.rand()
        self.steps += 1
        self.log.append(self.steps)
        self.cache["i"] = i
        self.names.add("b")
        self.count += 1
        self.assigned = minigrad.ones(2)
        self.state.add_(1)
        self.train(not self.training)
        with minigrad.no_grad():
            self.scale.mul_(2)
        self.scale.data.add_(1)
        self.later = nn.Linear(2, 2)
        y = self.noise(self.norm(self.table(i)) * self.scale)
        self.state = y
        y.sum().backward()
        if self.fails:
            raise ValueError("on purpose")
        return y


@pytest.mark.parametrize("mode", [None, "train", "eval"])
@pytest.mark.parametrize("fails", [False, True])
def test_all_is_as_before(mode, fails):
    model = Restless(fails)
    before, log, cache, state = everything(model), model.log, model.cache, model.state
    if fails:
        with pytest.raises(RuntimeError, match="ValueError: on purpose"):
            summary(model, (4,), dtypes=minigrad.int64, mode=mode)
    else:
        assert summary(model, (4,), dtypes=minigrad.int64, mode=mode).output_size == (4, 3)
    assert everything(model) == before
    assert (model.steps, model.log, model.cache, model.names) == (0, ["before"], {}, {"a"})
    assert model.log is log and model.cache is cache and model.state is state
    assert state.tolist() == [0.0, 0.0, 0.0] and "forward" not in vars(model)


def test_an_input_that_is_written_to_is_as_before():
    x = minigrad.ones(3)
    summary(Calls(lambda self, x: x.mul_(2)), input_data=x)
    assert x.tolist() == [1.0, 1.0, 1.0] and x._version == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda self, x: self.layer(x).sum().backward(),
        lambda self, x: self.layer.zero_grad(set_to_none=False),
        lambda self, x: self.layer.zero_grad(),
    ],
)
def test_gradients_that_are_there_stay(change):
    model, x = nn.Linear(2, 2), minigrad.ones(3, 2, requires_grad=True)
    model(x).sum().backward()
    leaves = x, *model.parameters()
    before = [(t.grad, t.grad.tolist(), t.grad._version) for t in leaves]
    summary(Calls(change, layer=model), input_data=x)
    assert [(t.grad, t.grad.tolist(), t.grad._version) for t in leaves] == before


def test_hooks_on_parameters_and_whether_they_require_grad_stay():
    def forward(self, x):
        weight, bias = self.layer.weight, self.layer.bias
        weight.register_hook(lambda grad: 0 * grad)
        kept.remove()
        bias.register_post_accumulate_grad_hook(lambda p: seen.append("new"))
        weight.requires_grad_(False)
        bias.note = "new"
        self.layer.double()
        return self.layer(x.double())

    model, seen = nn.Linear(2, 2), []
    kept = model.bias.register_hook(lambda grad: seen.append("kept"))
    summary(Calls(forward, layer=model), (1, 2))
    assert model.weight.requires_grad and not hasattr(model.bias, "note")
    model(minigrad.ones(3, 2)).sum().backward()
    assert seen == ["kept"] and model.weight.grad.tolist() == [[3.0, 3.0]] * 2
    assert model.weight.grad.dtype is minigrad.float32
    kept.remove()
    model(minigrad.ones(3, 2)).sum().backward()
    assert seen == ["kept"]


def test_the_history_of_a_view_that_is_written_to_and_of_its_base_stays():
    leaf = minigrad.ones(3, requires_grad=True)
    base = leaf * 1
    view = base[:2]
    before = base.grad_fn, view.grad_fn
    summary(Calls(lambda self, x: x.mul_(2)), input_data=view)
    assert (base.grad_fn, view.grad_fn) == before and base.tolist() == [1.0] * 3
    (base.sum() + view.sum()).backward()
    assert leaf.grad.tolist() == [2.0, 2.0, 1.0]


def test_containers_in_containers_and_in_inputs_stay():
    def forward(self, x, past, options):
        self.cache["keys"].append(x)
        self.cache["sums"][0].add_(1)
        past.append(x)
        options["seen"] = True

    model, past, options = Calls(forward), [], {}
    model.cache = {"keys": [], "sums": (minigrad.zeros(2),)}
    summary(model, input_data=[minigrad.ones(2), past], options=options)
    assert model.cache["keys"] == [] and model.cache["sums"][0].tolist() == [0.0, 0.0]
    assert past == [] and options == {}


def test_generators_of_the_model_and_of_inputs_stay():
    model = Calls(
        lambda self, x, generator: (
            minigrad.rand(2, generator=self.own) + minigrad.rand(2, generator=generator)
        )
    )
    model.own, given = minigrad.Generator().manual_seed(1), minigrad.Generator().manual_seed(2)
    before = model.own.get_state().tolist(), given.get_state().tolist()
    summary(model, (2,), generator=given)
    assert (model.own.get_state().tolist(), given.get_state().tolist()) == before


def test_a_graph_that_waits_for_its_backward_can_still_run():
    model = nn.BatchNorm1d(3).eval()
    y = model(minigrad.randn(4, 3))  # has saved the running statistics
    summary(model, (4, 3), mode="train")
    y.sum().backward()
    assert model.weight.grad is not None


def test_hooks_run_once_and_stay():
    model, seen = nn.Sequential(nn.Linear(2, 2)), []
    handle = model[0].register_forward_hook(lambda module, args, output: seen.append(output.shape))
    model[0].register_forward_pre_hook(lambda module, args: seen.append("before"))
    summary(model, (3, 2))
    assert seen == ["before", (3, 2)]
    handle.remove()
    model(minigrad.ones(1, 2))
    assert seen == ["before", (3, 2), "before"]


def test_mode():
    modes = []
    model = Calls(lambda self, x: modes.append((self.training, self.layer.training)), layer=nn.ReLU())
    model.layer.eval()
    for mode in (None, "train", "eval"):
        summary(model, (2,), mode=mode)
    assert modes == [(True, False), (True, True), (False, False)]
    assert (model.training, model.layer.training) == (True, False)


def test_lazy_modules_are_lazy_again():
    model = nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d(), nn.Linear(4, 2))
    found = summary(model)
    assert found.total_params == 10 and found.uninitialized[:2] == ["0.weight", "0.bias"]
    assert "uninitialized" in str(found) and "10 and those of uninitialized layers" in str(found)
    found = summary(model, (2, 3))
    assert found.total_params == 16 + 8 + 10 and found["0"].type == "LazyLinear" and not found.uninitialized
    assert type(model[0]) is nn.LazyLinear and isinstance(model[0].weight, nn.UninitializedParameter)
    assert type(model[1].running_mean) is nn.UninitializedBuffer
    assert model(minigrad.ones(2, 5)).shape == (2, 2)  # another width
    assert type(model[0]) is nn.Linear and model[0].weight.shape == (4, 5)
    assert summary(model).total_params == 24 + 8 + 10


def test_a_module_that_has_a_forward_of_its_own_keeps_it():
    model = nn.Sequential(nn.Linear(2, 2))
    own = model[0].forward = lambda x: x * 3
    found = summary(model, (4, 2))
    assert found["0"].mult_adds == 0 and found["0"].flops == 8
    assert model[0].forward is own


# Errors -------------------------------------------------------------------------------------------------------------------


def test_an_error_names_the_layer_and_what_it_got():
    model = nn.Sequential(nn.Sequential(nn.Linear(3, 4), nn.Linear(5, 2)))
    with pytest.raises(RuntimeError) as raised:
        summary(model, (2, 3))
    assert str(raised.value) == (
        "summary(): the forward pass failed in layer '0.1' (Linear), which got [2, 4]: RuntimeError: "
        "mat1 and mat2 shapes cannot be multiplied (2x4 and 5x2)"
    )
    assert type(raised.value.__cause__) is RuntimeError


def test_an_error_in_the_model_itself():
    def fails(self, x):
        try:
            self.layer(x)
        except RuntimeError:
            raise ValueError("too wide") from None

    with pytest.raises(
        RuntimeError, match=r"failed in layer 'layer' \(Linear\), which got \[2, 5\]: ValueError: too wide"
    ):
        summary(Calls(fails, layer=nn.Linear(3, 4)), (2, 5))
    with pytest.raises(RuntimeError, match=r"failed in Calls, which got \[2, 3\]: ZeroDivisionError"):
        summary(Calls(lambda self, x: self.layer(x) * (1 // 0), layer=nn.Linear(3, 4)), (2, 3))


def test_an_error_that_the_model_takes_care_of_is_none():
    def tries(self, x):
        try:
            return self.wide(x)
        except RuntimeError:
            return self.narrow(x)

    found = summary(Calls(tries, wide=nn.Linear(9, 1), narrow=nn.Linear(3, 1)), (2, 3))
    assert found["narrow"].calls == 1 and found["wide"].calls == 0


def test_nor_is_it_blamed_for_a_later_one():
    def tries(self, x):
        try:
            self.wide(x)
        except RuntimeError:
            pass
        return 1 // 0

    with pytest.raises(RuntimeError, match=r"failed in Calls, which got \[2, 3\]: ZeroDivisionError"):
        summary(Calls(tries, wide=nn.Linear(9, 1)), (2, 3))


# Tables -------------------------------------------------------------------------------------------------------------------


def column(text, header):
    """The entries of a column of numbers in a table."""
    lines = text.splitlines()
    end = lines[0].index(header) + len(header)
    rows = lines[2 : lines.index(lines[1], 2)]
    entries = [row[:end].split()[-1].replace(",", "") for row in rows]
    return [0 if entry == "--" else int(entry) for entry in entries]


@pytest.mark.parametrize("depth", [0, 1, 2, 9])
def test_columns_add_up_at_every_depth(depth):
    found = summary(Digits(), (2, 1, 12, 12), depth=depth, columns=["num_params", "flops", "mult_adds"])
    text = str(found)
    assert sum(column(text, "Params")) == found.total_params
    assert sum(column(text, "FLOPs")) == found.total_flops
    assert sum(column(text, "Mult-adds")) == found.total_mult_adds
    assert len(column(text, "Params")) == {0: 1, 1: 3}.get(depth, 9)
    assert len(found.layers) == 9


def test_every_column_in_text_and_html():
    found = summary(Digits(), (2, 1, 12, 12), columns=COLUMNS)
    for header, _, _ in COLUMNS.values():
        assert header in str(found) and header in found._repr_html_()
    assert "(5, 5)" in str(found) and "13.71%" in str(found)


def test_the_tree_is_drawn_with_branches():
    found = summary(nn.Sequential(nn.Sequential(nn.ReLU()), nn.ReLU()))
    names = [line.split("  --")[0].rstrip() for line in str(found).splitlines()[2:6]]
    assert names == ["Sequential", "├─ 0: Sequential", "│  └─ 0: ReLU", "└─ 1: ReLU"]
    assert found.text(ascii_only=True).isascii()
    assert repr(found) == str(found)


def test_another_table_of_the_same_summary():
    calls = []
    found = summary(Calls(lambda self, x: calls.append(1)), (2,))
    assert "Calls" not in str(found).splitlines()[0].split()[1:]
    assert found.text(columns=["calls"]).splitlines()[0].split() == ["Layer", "Calls"]
    assert "Total" not in found.text(totals=False) and found.text(totals=False) in str(found)
    assert calls == [1]


def test_kernels_are_told_of_modules_that_have_them_as_a_setting():
    model = nn.Sequential(nn.Conv1d(1, 1, 3), nn.MaxPool1d(2))
    model.kernel_size = nn.Parameter(minigrad.ones(2, 2))
    rows = summary(model, columns=["kernel_size"]).text(totals=False).splitlines()[2:5]
    assert [row.split("  ")[-1].strip() for row in rows] == ["--", "(3,)", "2"]


def test_html_is_escaped():
    odd = type("<b>Odd</b>", (nn.Module,), {"forward": lambda self, x: {"<i>": x}})
    html = summary(odd(), (2,))._repr_html_()
    assert "<b>Odd" not in html and "&lt;b&gt;Odd&lt;/b&gt;" in html
    assert "<i>" not in html and "{&lt;i&gt;: [2]}" in html


# Beside others ------------------------------------------------------------------------------------------------------------


def models(torch):
    """(name, model, inputs as pairs of size and dtype) in PyTorch or in minigrad."""
    nn, f32, i64 = torch.nn, torch.float32, torch.int64
    sequence = nn.Sequential

    class Block(nn.Module):
        def __init__(self, c, d, stride=1):
            super().__init__()
            self.conv1, self.bn1 = nn.Conv2d(c, d, 3, stride, 1, bias=False), nn.BatchNorm2d(d)
            self.conv2, self.bn2 = nn.Conv2d(d, d, 3, 1, 1, bias=False), nn.BatchNorm2d(d)
            self.down = nn.Conv2d(c, d, 1, stride) if stride != 1 else None

        def forward(self, x):
            y = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x)))))
            return torch.relu(y + (x if self.down is None else self.down(x)))

    class Loop(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(6, 6) for _ in range(4)])
            self.scale = nn.Parameter(torch.zeros(6))

        def forward(self, x):
            for layer in self.layers:
                x = torch.tanh(layer(x))
            return x * self.scale

    class Again(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer, self.head = nn.Linear(5, 5), nn.Linear(5, 2)
            self.layer.bias.requires_grad_(False)

        def forward(self, x):
            return self.head(self.layer(self.layer(x)))

    class Named(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(5, 3), nn.Linear(5, 2)

        def forward(self, x, y):
            return {"a": self.a(x), "b": [self.b(y), None]}

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 8)

        def forward(self, x):
            q, k, v = self.qkv(x).chunk(3, -1)
            return self.out(torch.softmax(q @ k.transpose(-2, -1) / 8**0.5, -1) @ v)

    class Fused(Attention):
        def forward(self, x):
            return self.out(nn.functional.scaled_dot_product_attention(*self.qkv(x).chunk(3, -1)))

    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2, enable_nested_tensor=False
    )
    deep = sequence(
        sequence(sequence(sequence(nn.Linear(3, 4), nn.GELU()), nn.Linear(4, 4)), nn.LayerNorm(4)),
        nn.Linear(4, 2),
    )
    return [
        ("mlp", sequence(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)), [((3, 8), f32)]),
        ("lenet", sequence(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.BatchNorm2d(16), nn.Flatten(), nn.Linear(1024, 10)), [((2, 1, 28, 28), f32)]),
        ("resnet", sequence(Block(3, 8, 2), Block(8, 8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10)), [((2, 3, 8, 8), f32)]),
        ("lstm", nn.LSTM(5, 4, 2, bidirectional=True), [((3, 2, 5), f32)]),
        ("gru", nn.GRU(5, 4, 2, batch_first=True), [((3, 2, 5), f32)]),
        ("encoder", encoder, [((2, 5, 8), f32)]),
        ("multihead", nn.MultiheadAttention(8, 2, batch_first=True), [((2, 5, 8), f32)] * 3),
        ("bag", sequence(nn.EmbeddingBag(10, 6), nn.Linear(6, 3)), [((2, 4), i64)]),
        ("loop", Loop(), [((2, 6), f32)]),
        ("again", Again(), [((2, 5), f32)]),
        ("named", Named(), [((2, 5), f32), ((4, 5), f32)]),
        ("deep", deep, [((2, 3), f32)]),
        ("attention", Attention(), [((2, 5, 8), f32)]),
        ("fused", Fused(), [((2, 5, 8), f32)]),
        ("transposed", sequence(nn.Conv1d(2, 4, 3, 2, 1, groups=2), nn.ConvTranspose1d(4, 2, 4, 2, 1), nn.Conv1d(2, 2, 3, padding="same", dilation=2)), [((3, 2, 8), f32)]),
        ("transformer", nn.Transformer(8, 2, 1, 1, 16, batch_first=True), [((2, 5, 8), f32), ((2, 3, 8), f32)]),
        ("cubes", sequence(nn.Conv3d(2, 4, 3), nn.GroupNorm(2, 4), nn.PReLU(), nn.Dropout(0.5)), [((2, 2, 5, 5, 5), f32)]),
    ]  # fmt: skip


NAMES = [name for name, _, _ in models(minigrad)]


def model_called(name, library=minigrad):
    """The model of that name, and its inputs as pairs of size and dtype."""
    ((model, inputs),) = [(model, inputs) for each, model, inputs in models(library) if each == name]
    return model, inputs


def summary_of(name):
    model, inputs = model_called(name)
    return summary(model, [size for size, _ in inputs], dtypes=[dtype for _, dtype in inputs])


def zeros(library, inputs):
    return [library.zeros(size, dtype=dtype) for size, dtype in inputs]


@pytest.mark.parametrize("name", NAMES)
def test_flops_are_those_of_the_profiler(name):
    model, inputs = model_called(name)
    with profiler.profile(with_flops=True) as prof:
        model(*zeros(minigrad, inputs))
    assert summary_of(name).total_flops == sum(event.flops for event in prof.function_events) > 0


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", [name for name in NAMES if name != "lstm"]
)  # whose kernel PyTorch's counter does not know
def test_multiply_adds_are_those_that_pytorch_counts(name):
    torch = pytest.importorskip("torch")
    from torch.utils.flop_counter import FlopCounterMode

    model, inputs = model_called(name, torch)
    with FlopCounterMode(display=False) as counter:
        model(*zeros(torch, inputs))
    assert 2 * summary_of(name).total_mult_adds == counter.get_total_flops()


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", ["mlp", "lenet", "resnet", "loop", "again", "deep", "attention", "transposed", "cubes"]
)
def test_what_is_kept_is_as_much_as_in_pytorch(name):
    """Where nodes are the same; fused ones keep less here."""
    torch = pytest.importorskip("torch")
    model, inputs = model_called(name, torch)
    assert summary_of(name).saved_bytes == kept_by_hooks(model, *zeros(torch, inputs), library=torch)


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_parameters_and_sizes_are_those_of_torchinfo(name):
    torch = pytest.importorskip("torch")
    torchinfo = pytest.importorskip("torchinfo")
    model, inputs = model_called(name, torch)
    found = summary_of(name)
    known = torchinfo.summary(model, input_data=zeros(torch, inputs), verbose=0, mode="train", depth=9)
    assert found.total_params == known.total_params
    assert found.trainable_params == known.trainable_params
    assert found.param_bytes == sum(4 * p.numel() for p in model.parameters())

    def first(size):  # torchinfo tells of one tensor, whatever a layer returns
        while not isinstance(size, minigrad.Size):
            size = next(iter(size.values())) if isinstance(size, dict) else size[0]
        return list(size)

    names = {id(module): path for path, module in model.named_modules()}
    told = {names[layer.layer_id]: layer.output_size for layer in known.summary_list if layer.executed}
    ran = {layer.name: first(layer.output_size) for layer in found.layers if layer.calls}
    if name == "named":
        del ran[""], told[""]  # of a dictionary, it is the last
    assert ran == told
