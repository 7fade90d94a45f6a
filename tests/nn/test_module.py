"""``Module``: registration, attributes, traversal, conversion, state dicts, copies, text."""

import copy
import gc
import pickle
import weakref
from collections import OrderedDict

import pytest

import minigrad as torch
from minigrad import nn


class Block(nn.Module):
    """A module with something of every kind."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 2)
        self.scale = nn.Parameter(torch.ones(2))
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("scratch", torch.zeros(1), persistent=False)
        self.register_parameter("missing", None)
        self.second = nn.Sequential(nn.Linear(2, 2, bias=False), nn.ReLU())
        self.number = 5

    def forward(self, x):
        return self.second(self.first(x) * self.scale)


def test_what_is_registered():
    block = Block()
    assert [name for name, _ in block.named_parameters()] == [
        "scale",
        "first.weight",
        "first.bias",
        "second.0.weight",
    ]
    assert [name for name, _ in block.named_parameters(recurse=False)] == ["scale"]
    assert [name for name, _ in block.named_parameters("top")][:2] == ["top.scale", "top.first.weight"]
    assert [name for name, _ in block.named_buffers()] == ["count", "scratch"]
    assert [name for name, _ in block.named_children()] == ["first", "second"]
    assert [name for name, _ in block.named_modules()] == ["", "first", "second", "second.0", "second.1"]
    assert next(iter(block.modules())) is block
    assert len(list(block.parameters())) == 4 and len(list(block.buffers())) == 2
    assert block.missing is None


def test_shared_modules_and_parameters_are_listed_once():
    linear = nn.Linear(2, 2)
    pair = nn.Sequential(linear, linear)
    assert len(list(pair.parameters())) == 2
    assert len(list(pair.named_parameters(remove_duplicate=False))) == 4
    assert len(list(pair.modules())) == 2
    assert [name for name, _ in pair.named_modules(remove_duplicate=False)] == ["", "0", "1"]
    assert len(list(pair.children())) == 1


def test_assignment_moves_a_name_from_one_kind_to_another():
    module = nn.Module()
    module.x = 5
    module.x = nn.Parameter(torch.ones(1))
    assert "x" in module._parameters and "x" not in module.__dict__
    module.x = None
    assert module.x is None and "x" in module._parameters
    del module.x
    module.x = nn.ReLU()
    module.x = nn.Tanh()
    assert repr(module) == "Module(\n  (x): Tanh()\n)"
    module.register_buffer("b", torch.zeros(1))
    module.b = torch.ones(2)
    assert module._buffers["b"].tolist() == [1, 1]
    module.b = nn.Parameter(torch.ones(1))
    assert "b" not in module._buffers and "b" in module._parameters


class Uninitialised(nn.Module):
    def __init__(self, value):
        self.x = value


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: Block().absent, AttributeError, "'Block' object has no attribute 'absent'"),
        (lambda: delattr(Block(), "absent"), AttributeError, "absent"),  # the words are Python's, and change
        (lambda: setattr(Block(), "first", 5), TypeError, "cannot assign 'int' as child module 'first'"),
        (
            lambda: setattr(Block(), "scale", torch.ones(2)),
            TypeError,
            "cannot assign 'torch.FloatTensor' as parameter 'scale'",
        ),
        (lambda: setattr(Block(), "count", 5), TypeError, "cannot assign 'int' as buffer 'count'"),
        (lambda: Block().register_parameter("a.b", None), KeyError, "parameter name can.*t contain"),
        (lambda: Block().register_parameter("", None), KeyError, "parameter name can.*t be empty string"),
        (lambda: Block().register_parameter("first", None), KeyError, "attribute 'first' already exists"),
        (
            lambda: Block().register_parameter(5, None),
            TypeError,
            "parameter name should be a string. Got int",
        ),
        (lambda: Block().register_parameter("x", torch.ones(2)), TypeError, "object to parameter 'x'"),
        (lambda: Block().register_buffer("x", 5), TypeError, "cannot assign 'int' object to buffer 'x'"),
        (
            lambda: Block().register_buffer("first", torch.ones(2)),
            KeyError,
            "attribute 'first' already exists",
        ),
        (lambda: Block().add_module("x", 5), TypeError, "int is not a Module subclass"),
        (lambda: Block().add_module("x.y", nn.ReLU()), KeyError, "module name can.*t contain .*got: x.y"),
        (
            lambda: Uninitialised(nn.ReLU()),
            AttributeError,
            r"cannot assign module before Module.__init__\(\) call",
        ),
        (
            lambda: Uninitialised(nn.Parameter()),
            AttributeError,
            r"cannot assign parameters before Module.__init__\(\) call",
        ),
        (
            lambda: Uninitialised(nn.Buffer()),
            AttributeError,
            r"cannot assign buffer before Module.__init__\(\) call",
        ),
        (
            lambda: nn.Module()(1),
            NotImplementedError,
            r'Module \[Module\] is missing the required "forward" function',
        ),
        (
            lambda: nn.Module(5),
            TypeError,
            r"Module.__init__\(\) takes 1 positional argument but 2 were given",
        ),
        (lambda: nn.Module(a=5), TypeError, "got an unexpected keyword argument 'a'"),
        (lambda: Block().get_submodule("first.b"), AttributeError, "Linear has no attribute `b`"),
        (lambda: Block().get_submodule("scale"), AttributeError, "`scale` is not an nn.Module"),
        (lambda: Block().get_parameter("first"), AttributeError, "`first` is not an nn.Parameter"),
        (lambda: Block().get_buffer("scale"), AttributeError, "`scale` is not a buffer"),
        (
            lambda: Block().set_submodule("", nn.ReLU()),
            ValueError,
            "Cannot set the submodule without a target name!",
        ),
        (lambda: Block().train(5), ValueError, "training mode is expected to be boolean"),
        (lambda: Block().to(torch.int64), TypeError, "only accepts floating point or complex dtypes"),
        (lambda: Block().get_extra_state(), RuntimeError, "should never be called"),
        (
            lambda: Block().load_state_dict(5),
            TypeError,
            "Expected state_dict to be dict-like, got <class 'int'>",
        ),
    ],
)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_parameter_with_a_history_is_refused():
    class Marked(torch.Tensor):
        pass

    made = torch.ones(2, requires_grad=True) * 2
    made._is_param = True
    with pytest.raises(ValueError, match="Cannot assign non-leaf Tensor to parameter 'x'"):
        nn.Module().register_parameter("x", made)


def test_attributes_before_init_work_as_in_any_class():
    assert Uninitialised(5).x == 5
    with pytest.raises(AttributeError, match="'Uninitialised' object has no attribute 'y'"):
        Uninitialised(5).y


def test_dotted_paths():
    block = Block()
    assert block.get_submodule("") is block
    assert block.get_submodule("second.0") is block.second[0]
    assert block.get_parameter("second.0.weight") is block.second[0].weight
    assert block.get_buffer("count") is block.count
    block.set_submodule("second.1", nn.Tanh())
    assert isinstance(block.second[1], nn.Tanh)
    block.set_submodule("third", nn.Tanh())
    with pytest.raises(AttributeError, match="Block has no attribute `fourth`"):
        block.set_submodule("fourth", nn.Tanh(), strict=True)


def test_modes():
    block = Block()
    assert block.training and block.second[1].training
    assert block.eval() is block
    assert not any(module.training for module in block.modules())
    assert block.train() is block and all(module.training for module in block.modules())


def test_conversion_changes_parameters_in_place():
    block = Block()
    weight = block.first.weight
    block(torch.ones(1, 3)).sum().backward()
    assert block.double() is block
    assert block.first.weight is weight
    assert weight.dtype is weight.grad.dtype is block.count.dtype is torch.float64
    block.zero_grad()
    block(torch.ones(1, 3, dtype=torch.float64)).sum().backward()
    assert weight.grad.dtype is torch.float64
    for convert, dtype in ((block.float, torch.float32), (block.half, torch.float16)):
        assert convert().first.weight.dtype is dtype
    assert block.to(torch.float64).scale.dtype is torch.float64
    assert block.to(torch.ones(1)).scale.dtype is torch.float32
    assert block.to("cpu") is block
    assert block.type(torch.float64).count.dtype is torch.float64


def test_conversion_leaves_integers_alone():
    module = nn.Module()
    module.register_buffer("steps", torch.zeros(1, dtype=torch.int64))
    assert module.double().steps.dtype is torch.int64
    assert module.to(torch.float16).steps.dtype is torch.int64


def test_there_is_no_other_device():
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        Block().cuda()
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        Block().to("cuda")


def test_apply_visits_children_first():
    seen = []
    Block().apply(lambda module: seen.append(type(module).__name__))
    assert seen == ["Linear", "Linear", "ReLU", "Sequential", "Block"]


def test_zero_grad():
    block = Block()
    block(torch.ones(1, 3)).sum().backward()
    grad = block.scale.grad
    block.zero_grad(set_to_none=False)
    assert block.scale.grad is grad and grad.tolist() == [0, 0]
    block.zero_grad()
    assert block.scale.grad is None


def test_requires_grad():
    block = Block()
    assert block.requires_grad_(False) is block
    assert not any(p.requires_grad for p in block.parameters())
    assert not block(torch.ones(1, 3)).requires_grad


# State dicts ---------------------------------------------------------------------------------------------------------------

KEYS = ["scale", "count", "first.weight", "first.bias", "second.0.weight"]


def test_state_dict():
    block = Block()
    state = block.state_dict()
    assert type(state) is OrderedDict and list(state) == KEYS
    assert not any(value.requires_grad for value in state.values())
    assert state["scale"].data_ptr() == block.scale.data_ptr()
    assert dict(state._metadata) == {
        name: {"version": 1} for name in ("", "first", "second", "second.0", "second.1")
    }
    assert block.state_dict(keep_vars=True)["scale"] is block.scale
    assert list(block.state_dict(prefix="x.")) == ["x." + key for key in KEYS]


def test_load_state_dict_copies():
    source, target = Block(), Block()
    weight = target.first.weight
    result = target.load_state_dict(source.state_dict())
    assert repr(result) == str(result) == "<All keys matched successfully>"
    assert target.first.weight is weight
    assert all(torch.equal(a, b) for a, b in zip(source.state_dict().values(), target.state_dict().values()))
    with torch.no_grad():
        source.scale.zero_()
    assert target.scale.tolist() == [1, 1]


def test_load_state_dict_can_put_tensors_in_place():
    source, target = Block(), Block()
    state = source.state_dict()
    target.load_state_dict(state, assign=True)
    assert type(target.scale) is nn.Parameter and target.scale.requires_grad
    assert target.scale.data_ptr() == source.scale.data_ptr()


def test_load_state_dict_says_what_is_wrong():
    state = Block().state_dict()
    del state["scale"]
    state["extra"] = torch.ones(1)
    state["first.bias"] = torch.ones(3)
    state["second.0.weight"] = 5
    with pytest.raises(RuntimeError) as caught:
        Block().load_state_dict(state)
    assert str(caught.value) == (
        "Error(s) in loading state_dict for Block:\n"
        '\tMissing key(s) in state_dict: "scale". \n'
        '\tUnexpected key(s) in state_dict: "extra". \n'
        "\tsize mismatch for first.bias: copying a param with shape torch.Size([3]) from checkpoint, the shape in current model "
        "is torch.Size([2]).\n"
        '\tWhile copying the parameter named "second.0.weight", expected torch.Tensor or Tensor-like object from checkpoint but '
        "received <class 'int'>"
    )
    del state["first.bias"], state["second.0.weight"]
    missing, unexpected = Block().load_state_dict(state, strict=False)
    assert missing == ["scale", "first.bias", "second.0.weight"] and unexpected == ["extra"]


def test_files_of_the_days_before_scalars():
    module = nn.Module()
    module.register_buffer("count", torch.tensor(0.0))
    module.load_state_dict({"count": torch.tensor([3.0])})
    assert module.count.item() == 3


class WithExtra(nn.Module):
    def get_extra_state(self):
        return {"epoch": 7}

    def set_extra_state(self, state):
        self.restored = state


def test_extra_state():
    module = nn.Sequential(WithExtra())
    state = module.state_dict()
    assert state["0._extra_state"] == {"epoch": 7}
    module.load_state_dict(state)
    assert module[0].restored == {"epoch": 7}
    with pytest.raises(RuntimeError, match='Missing key\\(s\\) in state_dict: "0._extra_state"'):
        module.load_state_dict({})
    with pytest.raises(RuntimeError, match='Unexpected key\\(s\\) in state_dict: "0._extra_state"'):
        nn.Sequential(nn.ReLU()).load_state_dict(state)


def test_hooks_around_state_dicts():
    block, events = nn.Sequential(nn.Linear(1, 1)), []
    block.register_state_dict_pre_hook(
        lambda module, prefix, keep_vars: events.append(("pre", prefix, keep_vars))
    )
    block[0].register_state_dict_post_hook(lambda module, state, prefix, local: state.pop(prefix + "bias"))
    with pytest.raises(RuntimeError, match="state_dict post-hook must return None"):
        block.state_dict()
    block[0]._state_dict_hooks.clear()

    def rename(module, state, prefix, local_metadata):
        state[prefix + "offset"] = state.pop(prefix + "bias")

    block[0].register_state_dict_post_hook(rename)
    state = block.state_dict()
    assert list(state) == ["0.weight", "0.offset"] and events[-1] == ("pre", "", False)

    def back(module, state, prefix, local, strict, missing, unexpected, errors):
        assert module is block[0]
        state[prefix + "bias"] = state.pop(prefix + "offset")

    handle = block[0].register_load_state_dict_pre_hook(back)
    block.register_load_state_dict_post_hook(lambda module, keys: events.append(tuple(map(tuple, keys))))
    block.load_state_dict(state)
    assert events[-1] == ((), ())
    handle.remove()
    with pytest.raises(RuntimeError, match="Missing key"):
        block.load_state_dict(state)


# Copies --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))], ids=["deepcopy", "pickle"]
)
def test_copies(copied):
    block = Block().eval()
    twin = copied(block)
    x = torch.ones(4, 3)
    assert torch.equal(twin(x), block(x))
    assert not twin.training and twin.number == 5
    with torch.no_grad():
        twin.scale.zero_()
    assert block.scale.tolist() == [1, 1]


def test_a_deep_copy_keeps_sharing_within():
    linear = nn.Linear(2, 2)
    twin = copy.deepcopy(nn.Sequential(linear, linear))
    assert twin[0] is twin[1] and twin[0] is not linear


def test_state_without_newer_attributes_is_completed():
    block = Block()
    state = block.__getstate__()
    for name in ("_forward_hooks_with_kwargs", "_backward_pre_hooks", "_non_persistent_buffers_set"):
        del state[name]
    old = Block.__new__(Block)
    old.__setstate__(state)
    assert old(torch.ones(1, 3)).shape == (1, 2)


def test_modules_are_freed_at_once():
    gc.collect()
    gc.disable()
    try:
        block = Block()
        block.load_state_dict(block.state_dict())
        block(torch.ones(1, 3)).sum().backward()
        gone = weakref.ref(block), weakref.ref(block.first), weakref.ref(block.scale)
        del block
        assert [ref() for ref in gone] == [None] * 3
    finally:
        gc.enable()


# Text ----------------------------------------------------------------------------------------------------------------------


def test_repr():
    assert repr(Block()) == (
        "Block(\n"
        "  (first): Linear(in_features=3, out_features=2, bias=True)\n"
        "  (second): Sequential(\n"
        "    (0): Linear(in_features=2, out_features=2, bias=False)\n"
        "    (1): ReLU()\n"
        "  )\n"
        ")"
    )

    class Described(nn.Module):
        def extra_repr(self):
            return "one\ntwo"

    assert repr(Described()) == "Described(\n  one\n  two\n)"
    assert repr(nn.Module()) == "Module()"


def test_dir_lists_what_is_registered():
    names = dir(nn.Sequential(OrderedDict(layer=nn.Linear(1, 1))))
    assert "layer" in names and "forward" in names
    assert not any(name[0].isdigit() for name in dir(nn.Sequential(nn.ReLU())))


def test_hooks_on_registration():
    from minigrad.nn.modules import module as home

    seen = []
    handles = [
        home.register_module_parameter_registration_hook(lambda m, name, p: seen.append(("parameter", name))),
        home.register_module_buffer_registration_hook(lambda m, name, b: seen.append(("buffer", name))),
        home.register_module_module_registration_hook(
            lambda m, name, c: seen.append(("module", name)) or nn.Tanh()
        ),
    ]
    try:
        module = nn.Module()
        module.p = nn.Parameter(torch.ones(1))
        module.register_buffer("b", torch.ones(1))
        module.c = nn.ReLU()
    finally:
        for handle in handles:
            handle.remove()
    assert seen == [("parameter", "p"), ("buffer", "b"), ("module", "c")]
    assert isinstance(module.c, nn.Tanh)


def test_call_super_init():
    class Mixin:
        def __init__(self, note):
            self.note = note

    class Both(nn.Module, Mixin):
        call_super_init = True

    assert Both(note="hello").note == "hello"
