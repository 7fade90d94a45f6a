"""The implementations of optimizers that libraries call by name (``_single_tensor_adam``, ...), beside the functions and beside PyTorch's."""

from importlib import import_module

import numpy as np
import pytest

import minigrad

COMMON = {"maximize": False, "differentiable": False, "capturable": False, "has_complex": False}
MOMENTS = {"beta1": 0.9, "beta2": 0.99, "weight_decay": 0.1, "eps": 1e-8, "lr": 0.1}
SCALED = (None, None)  # grad_scale and found_inf
#: Module -> what follows the lists of parameters and gradients ("step", "one": numbers as tensors; "zeros"; "empty"), further arguments, options.
IMPLEMENTATIONS = {
    "adadelta": (["zeros", "zeros", "step"], (), COMMON | {"lr": 0.1, "rho": 0.9, "eps": 1e-6, "weight_decay": 0.1}),
    "adagrad": (
        ["zeros", "step"], SCALED,
        {"lr": 0.1, "weight_decay": 0.1, "lr_decay": 0.1, "eps": 1e-8, "has_sparse_grad": False, "maximize": False,
         "differentiable": False, "has_complex": False},
    ),
    "adam": (["zeros", "zeros", "empty", "step"], SCALED, COMMON | MOMENTS | {"amsgrad": False, "decoupled_weight_decay": False}),
    "adamax": (["zeros", "zeros", "step"], (), COMMON | MOMENTS),
    "asgd": (["zeros", "one", "one", "step"], (), COMMON | {"lambd": 1e-4, "lr": 0.1, "t0": 10.0, "alpha": 0.75, "weight_decay": 0.1}),
    "nadam": (["zeros", "zeros", "one", "step"], (), COMMON | MOMENTS | {"momentum_decay": 0.004, "decoupled_weight_decay": True}),
    "radam": (["zeros", "zeros", "step"], (), COMMON | MOMENTS | {"decoupled_weight_decay": False}),
    "rmsprop": (
        ["zeros", "empty", "zeros", "step"], (),
        COMMON | {"lr": 0.1, "alpha": 0.9, "eps": 1e-8, "weight_decay": 0.1, "momentum": 0.9, "centered": False},
    ),
    "rprop": (["zeros", "zeros", "step"], (), COMMON | {"step_size_min": 1e-3, "step_size_max": 50.0, "etaminus": 0.5, "etaplus": 1.2}),
    "sgd": (
        ["zeros"], SCALED,
        {"weight_decay": 0.1, "momentum": 0.9, "lr": 0.1, "dampening": 0.0, "nesterov": True, "maximize": False, "has_sparse_grad": False},
    ),
    "_adafactor": (
        ["empty", "empty", "zeros", "step"], SCALED,
        {"d": 1.0, "lr": 0.1, "beta2_decay": -0.8, "weight_decay": 0.1, "eps1": None, "eps2": 1e-3, "maximize": False, "has_complex": False},
    ),
}  # fmt: skip


def stepped(t, module, implementation):
    """The parameters after two steps of an implementation of the library ``t``."""
    kinds, further, options = IMPLEMENTATIONS[module]
    rng = np.random.default_rng(0)
    params = [t.tensor(rng.normal(size=n)) for n in (3, 5)]
    makers = {
        "zeros": lambda p: t.zeros_like(p),
        "one": lambda p: t.tensor(1.0),
        "step": lambda p: t.tensor(0.0),
    }
    states = [[makers[kind](p) for p in params] if kind in makers else [None] * len(params) for kind in kinds]
    if module == "adam":
        states[2] = []
    function = getattr(
        import_module(f"{t.__name__}.optim.{module}"), f"{implementation}_{module.lstrip('_')}"
    )
    for _ in range(2):
        function(params, [t.tensor(rng.normal(size=len(p))) for p in params], *states, *further, **options)
    return [p.tolist() for p in params]


@pytest.mark.torch
@pytest.mark.parametrize("module", IMPLEMENTATIONS)
def test_a_step_is_that_of_pytorch(module):
    theirs = stepped(pytest.importorskip("torch"), module, "_single_tensor")
    for row, expected in zip(stepped(minigrad, module, "_single_tensor"), theirs):
        assert row == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("module", IMPLEMENTATIONS)
def test_all_implementations_are_one(module):
    assert stepped(minigrad, module, "_multi_tensor") == stepped(minigrad, module, "_single_tensor")


def test_what_cannot_be_taken_is_refused():
    from minigrad.optim import _muon
    from minigrad.optim._functional import sparse_adam
    from minigrad.optim.sgd import _single_tensor_sgd

    x, options = [minigrad.ones(2)], IMPLEMENTATIONS["sgd"][2]
    with pytest.raises(TypeError, match="by position, got 6 arguments"):
        _single_tensor_sgd(x, x, [None], None, None, None, **options)
    with pytest.raises(AssertionError, match="grad_scale and found_inf"):
        _single_tensor_sgd(x, x, [None], minigrad.ones(1), None, **options)
    with pytest.raises(RuntimeError, match="dense gradients"):
        sparse_adam(x, x, x, x, [1], eps=1e-8, beta1=0.9, beta2=0.999, lr=0.1, maximize=False)
    with pytest.raises(ValueError, match="2D"):
        _muon._zeropower_via_newtonschulz(x[0], (1.0, 1.0, 1.0), 5, 1e-7)


def test_one_step_of_muon_is_that_of_the_optimizer():
    from minigrad.optim._muon import _single_tensor_muon

    p = minigrad.arange(6.0).reshape(2, 3).requires_grad_()
    optimizer = minigrad.optim.Muon([p], lr=0.1)
    p.grad = minigrad.ones(2, 3)
    listed, buffers = [p.detach().clone()], [minigrad.zeros(2, 3)]
    optimizer.step()
    group = {k: v for k, v in optimizer.param_groups[0].items() if k != "params"}
    _single_tensor_muon(listed, [p.grad], buffers, has_complex=False, **group)
    minigrad.testing.assert_close(listed[0], p.detach(), rtol=0, atol=0)


def test_a_scheduler_of_another_library_may_ask_its_rates():
    from minigrad.optim import lr_scheduler

    class Halving(lr_scheduler.LRScheduler):
        def get_lr(self):
            lr_scheduler._warn_get_lr_called_within_step(self)
            return [group["lr"] / 2 for group in self.optimizer.param_groups]

    scheduler = Halving(minigrad.optim.SGD([minigrad.ones(1)], lr=1.0))
    with pytest.warns(UserWarning, match="get_last_lr"):
        scheduler.get_lr()
    with lr_scheduler._enable_get_lr_call(scheduler):
        assert scheduler.get_lr() == [0.25]
    with lr_scheduler._initial_mode(scheduler):
        assert scheduler._is_initial
    assert not scheduler._is_initial
