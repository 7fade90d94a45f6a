"""``Optimizer``: groups, hooks, state dicts, copies; what all optimizers share."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn, optim
from minigrad.optim import optimizer as home

MAKERS = {
    "SGD": lambda params: optim.SGD(params, lr=0.1),
    "momentum": lambda params: optim.SGD(params, lr=0.1, momentum=0.9, weight_decay=0.01),
    "Adam": lambda params: optim.Adam(params, lr=0.1),
    "amsgrad": lambda params: optim.Adam(params, lr=0.1, amsgrad=True, weight_decay=0.1),
    "AdamW": lambda params: optim.AdamW(params, lr=0.1),
    "Adamax": lambda params: optim.Adamax(params, lr=0.1),
    "NAdam": lambda params: optim.NAdam(params, lr=0.1),
    "RAdam": lambda params: optim.RAdam(params, lr=0.1),
    "Adagrad": lambda params: optim.Adagrad(params, lr=1.0),
    "Adadelta": lambda params: optim.Adadelta(params, eps=0.01),
    "RMSprop": lambda params: optim.RMSprop(params, lr=0.02, alpha=0.9),
    "centered": lambda params: optim.RMSprop(params, lr=0.002, momentum=0.9, centered=True),
    "Rprop": lambda params: optim.Rprop(params, lr=0.1),
    "ASGD": lambda params: optim.ASGD(params, lr=0.1),
    "Adafactor": lambda params: optim.Adafactor(params, lr=0.1),
}


def quadratic(params):
    """A loss with its minimum at 3, whose gradients are not all alike."""
    return sum(((p - 3) ** 2 * (i + 1)).sum() for i, p in enumerate(params))


def leaves():
    return [
        torch.tensor([1.0, -2.0], requires_grad=True),
        torch.tensor([[0.5]], requires_grad=True),
        torch.tensor(4.0, requires_grad=True),
    ]


def steps(optimizer, params, n):
    for _ in range(n):
        optimizer.zero_grad()
        quadratic(params).backward()
        optimizer.step()
    return [p.tolist() for p in params]


@pytest.mark.parametrize("name", MAKERS)
def test_every_optimizer_finds_the_minimum(name):
    params = leaves()
    steps(MAKERS[name](params), params, 300)
    reached = [value for p in params for value in p.flatten().tolist()]
    # weight decay draws to 0; steps of constant length go round the minimum
    exact = name in ("SGD", "Adam", "NAdam", "RAdam", "Adagrad", "Rprop", "ASGD")
    assert reached == pytest.approx([3] * len(reached), abs=5e-3 if exact else 0.3)


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("how", ["state_dict", "deepcopy", "pickle"])
def test_resuming_continues_as_if_nothing_had_happened(name, how):
    params = leaves()
    optimizer = MAKERS[name](params)
    steps(optimizer, params, 5)
    if how == "state_dict":
        twins = [p.detach().clone().requires_grad_() for p in params]
        twin = MAKERS[name](twins)
        twin.load_state_dict(pickle.loads(pickle.dumps(optimizer.state_dict())))
    else:
        pair = (optimizer, params)
        twin, twins = copy.deepcopy(pair) if how == "deepcopy" else pickle.loads(pickle.dumps(pair))
    assert steps(optimizer, params, 5) == steps(twin, twins, 5)


def test_parameters_without_gradient_are_left_alone():
    p, q = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    optimizer = optim.Adam([p, q], lr=0.1, weight_decay=0.1)
    p.sum().backward()
    optimizer.step()
    assert q.item() == 1 and p.item() != 1
    assert len(optimizer.state) == 1


def test_a_step_writes_in_place_and_counts_it():
    p = nn.Parameter(torch.ones(2))
    for optimizer in (optim.SGD([p], lr=0.1), optim.SGD([p], lr=0.1, momentum=0.9), optim.Adam([p])):
        array, version = p.numpy(force=True), p._version
        p.sum().backward()
        optimizer.step()
        assert p.numpy(force=True) is array and p._version == version + 1


def test_a_step_under_a_graph_that_needs_the_old_value_is_noticed():
    p = torch.ones(1, requires_grad=True)
    optimizer = optim.SGD([p], lr=0.1)
    loss = (p * p).sum()
    p.grad = torch.ones(1)
    optimizer.step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_zero_grad():
    p = torch.ones(1, requires_grad=True)
    optimizer = optim.SGD([p])
    p.sum().backward()
    grad = p.grad
    optimizer.zero_grad(set_to_none=False)
    assert p.grad is grad and grad.item() == 0
    (p * p).sum().backward(create_graph=True)
    assert p.grad.requires_grad
    optimizer.zero_grad(set_to_none=False)
    assert not p.grad.requires_grad and p.grad.item() == 0
    optimizer.zero_grad()
    assert p.grad is None


def test_groups():
    p, q, r = leaves()
    optimizer = optim.SGD([{"params": [p]}, {"params": q, "lr": 0.5}], lr=0.1)
    optimizer.add_param_group({"params": iter([r]), "lr": 0.0})
    before = [x.detach().clone() for x in (p, q, r)]
    quadratic([p, q, r]).backward()
    optimizer.step()
    for x, old, lr in zip((p, q, r), before, (0.1, 0.5, 0.0)):
        np.testing.assert_allclose(x.detach().numpy(), (old - lr * x.grad).numpy(), rtol=1e-6)
    assert [group["lr"] for group in optimizer.param_groups] == [0.1, 0.5, 0.0]
    assert optimizer.defaults["lr"] == 0.1
    assert repr(optimizer).startswith(
        "SGD (\nParameter Group 0\n    dampening: 0\n    differentiable: False\n    foreach: None\n    fused: None\n    lr: 0.1\n"
    )


def test_named_parameters():
    model = nn.Linear(2, 1)
    optimizer = optim.SGD(model.named_parameters())
    assert optimizer.param_groups[0]["param_names"] == ["weight", "bias"]
    assert optimizer.param_groups[0]["params"][0] is model.weight
    with pytest.raises(ValueError, match="cannot add param group without names to the optimizer"):
        optimizer.add_param_group({"params": [torch.ones(1, requires_grad=True)]})


P = torch.ones(1, requires_grad=True)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: optim.SGD([]), ValueError, "optimizer got an empty parameter list"),
        (
            lambda: optim.SGD(P),
            TypeError,
            "should be an iterable of Tensors or dicts, but got torch.FloatTensor",
        ),
        (lambda: optim.SGD([5]), TypeError, "can only optimize Tensors, but one of the params is int"),
        (lambda: optim.SGD([P * 2]), ValueError, "can't optimize a non-leaf Tensor"),
        (lambda: optim.SGD([{"params": {P}}]), TypeError, "need to be organized in ordered collections"),
        (
            lambda: optim.SGD([{"params": [P]}, {"params": [P]}]),
            ValueError,
            "appear in more than one parameter group",
        ),
        (
            lambda: optim.SGD([P]).add_param_group([P]),
            TypeError,
            "param_group must be a dict, but got <class 'list'>",
        ),
        (
            lambda: optim.SGD([("a", P), torch.ones(1, requires_grad=True)]),
            ValueError,
            "Some param names are missing",
        ),
        (
            lambda: optim.Optimizer([P], {"lr": home.required}),
            ValueError,
            "required optimization parameter lr",
        ),
        (lambda: optim.Optimizer([P], {}).step(), NotImplementedError, "^$"),
        (lambda: optim.SGD([P], lr=-1), ValueError, "Invalid learning rate: -1"),
        (lambda: optim.SGD([P], momentum=-1), ValueError, "Invalid momentum value: -1"),
        (lambda: optim.SGD([P], weight_decay=-1), ValueError, "Invalid weight_decay value: -1"),
        (
            lambda: optim.SGD([P], nesterov=True),
            ValueError,
            "Nesterov momentum requires a momentum and zero dampening",
        ),
        (lambda: optim.SGD([P], lr=torch.ones(2)), ValueError, "Tensor lr must be 1-element"),
        (lambda: optim.SGD([P], fused=True, foreach=True), RuntimeError, "cannot be `True` together"),
        (lambda: optim.Adam([P], lr=-1), ValueError, "Invalid learning rate: -1"),
        (lambda: optim.Adam([P], eps=-1), ValueError, "Invalid epsilon value: -1"),
        (lambda: optim.Adam([P], betas=(0.9, 1.0)), ValueError, "Invalid beta parameter at index 1: 1.0"),
        (
            lambda: optim.Adam([P], betas=(0.9, torch.tensor(0.9))),
            ValueError,
            "betas must be either both floats or both",
        ),
        (lambda: optim.AdamW([P], weight_decay=-1), ValueError, "Invalid weight_decay value: -1"),
    ],
)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_duplicates_in_a_group_give_a_warning():
    with pytest.warns(UserWarning, match="contains a parameter group with duplicate parameters"):
        optim.SGD([P, P])


def test_the_layout_of_state_dicts():
    params = leaves()
    optimizer = optim.Adam([{"params": params[:2]}, {"params": params[2:], "lr": 0.5}])
    steps(optimizer, params, 2)
    state = optimizer.state_dict()
    assert sorted(state) == ["param_groups", "state"] and list(state["state"]) == [0, 1, 2]
    assert [group["params"] for group in state["param_groups"]] == [[0, 1], [2]]
    assert list(state["state"][0]) == ["step", "exp_avg", "exp_avg_sq"]
    assert state["state"][0]["step"].item() == 2 and state["state"][0]["step"].dtype is torch.float32
    assert state["param_groups"][1]["lr"] == 0.5
    plain = optim.SGD(params)
    steps(plain, params, 1)
    assert plain.state_dict()["state"] == {}


def test_loading_casts_state_to_the_parameters_dtype():
    params = leaves()
    optimizer = optim.Adam(params)
    steps(optimizer, params, 1)
    doubles = [p.detach().double().requires_grad_() for p in params]
    twin = optim.Adam(doubles)
    twin.load_state_dict(optimizer.state_dict())
    state = twin.state[doubles[0]]
    assert state["exp_avg"].dtype is torch.float64 and state["step"].dtype is torch.float32


def test_loading_refuses_other_groups():
    state = optim.SGD([P]).state_dict()
    q, r = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    with pytest.raises(ValueError, match="doesn't match the size of optimizer's group"):
        optim.SGD([q, r]).load_state_dict(state)
    with pytest.raises(ValueError, match="different number of parameter groups"):
        optim.SGD([{"params": [q]}, {"params": [r]}]).load_state_dict(state)


def test_closures_are_called_with_grad_mode_on():
    for make in MAKERS.values():
        params = leaves()
        optimizer = make(params)

        def closure(optimizer=optimizer, params=params):
            optimizer.zero_grad()
            loss = quadratic(params)
            loss.backward()
            return loss

        with torch.no_grad():
            loss = optimizer.step(closure)
        assert loss.item() == quadratic(leaves()).item()


def test_hooks():
    p = torch.ones(1, requires_grad=True)
    optimizer, events = optim.SGD([p], lr=1.0), []
    p.grad = torch.ones(1)
    optimizer.register_step_pre_hook(lambda o, args, kwargs: events.append("pre"))
    removed = optimizer.register_step_post_hook(lambda o, args, kwargs: events.append("post"))
    everywhere = [
        home.register_optimizer_step_pre_hook(lambda o, args, kwargs: events.append("all pre")),
        home.register_optimizer_step_post_hook(lambda o, args, kwargs: events.append("all post")),
    ]
    try:
        optimizer.step()
        removed.remove()
        optimizer.step()
    finally:
        for handle in everywhere:
            handle.remove()
    assert events == ["all pre", "pre", "post", "all post", "all pre", "pre", "all post"]
    assert p.item() == -1

    def closure():
        return 5

    optimizer.register_step_pre_hook(lambda o, args, kwargs: ((*args, closure), {}))
    assert optimizer.step() == 5
    optimizer.register_step_pre_hook(lambda o, args, kwargs: 3)
    with pytest.raises(RuntimeError, match="must return None or a tuple of"):
        optimizer.step()


def test_hooks_around_state_dicts():
    optimizer, events = optim.SGD([P]), []
    optimizer.register_state_dict_pre_hook(lambda o: events.append("save"))
    optimizer.register_state_dict_post_hook(lambda o, state: {**state, "note": 5})
    optimizer.register_load_state_dict_pre_hook(lambda o, state: events.append(state["note"]))
    optimizer.register_load_state_dict_post_hook(lambda o: events.append("loaded"))
    optimizer.load_state_dict(optimizer.state_dict())
    assert events == ["save", 5, "loaded"]


def test_a_users_optimizer():
    class Sign(optim.Optimizer):
        def __init__(self, params, lr):
            super().__init__(params, {"lr": lr})

        @torch.no_grad()
        def step(self, closure=None):
            for group in self.param_groups:
                for p in group["params"]:
                    p.add_(p.grad.sign(), alpha=-group["lr"])
                    self.state[p]["calls"] = self.state[p].get("calls", 0) + 1

    p, calls = torch.tensor([1.0, -1.0], requires_grad=True), []
    optimizer = Sign([p], lr=0.5)
    optimizer.register_step_post_hook(lambda *args: calls.append(1))
    (p * p).sum().backward()
    optimizer.step()
    assert p.tolist() == [0.5, -0.5] and calls == [1]
    assert optimizer.state_dict()["state"] == {0: {"calls": 1}}


def test_no_reference_cycles():
    gc.collect()
    gc.disable()
    try:
        params = leaves()
        optimizer = optim.Adam(params)
        steps(optimizer, params, 2)
        gone = weakref.ref(optimizer), weakref.ref(params[0])
        del optimizer, params
        assert [ref() for ref in gone] == [None, None]
    finally:
        gc.enable()
