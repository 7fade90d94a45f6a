"""``GradScaler``: scales, steps that are left out, growth, states."""

import pickle

import pytest

import minigrad
from minigrad.amp import GradScaler


def trained(library, factors):
    """What a scaler of ``library`` does in iterations whose loss is the parameter times a factor, as plain values."""
    seen = []
    p = library.ones(2, requires_grad=True)
    optimizer = library.optim.SGD([p], lr=0.25)
    scaler = library.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    for factor in factors:
        optimizer.zero_grad()
        loss = scaler.scale((p * factor).sum())
        loss.backward()
        seen.append((loss.item(), p.grad.tolist()))
        scaler.unscale_(optimizer)
        seen.append(p.grad.tolist())
        scaler.step(optimizer)
        scaler.update()
        seen.append((p.tolist(), scaler.state_dict()))
    return seen


def test_steps_with_infinite_gradients_are_left_out():
    seen = trained(minigrad, [1.0, float("inf"), 1.0, 1.0])
    states = [state for _, state in seen[2::3]]
    assert [state["scale"] for state in states] == [8.0, 4.0, 4.0, 8.0]
    assert [values for values, _ in seen[2::3]] == [[0.75] * 2, [0.75] * 2, [0.5] * 2, [0.25] * 2]


@pytest.mark.torch
def test_as_pytorch():
    torch = pytest.importorskip("torch")
    factors = [1.0, 2.0, float("inf"), 0.5, 3.0, float("nan"), 1.0]
    assert repr(trained(minigrad, factors)) == repr(trained(torch, factors))


def prepared():
    p = minigrad.ones(2, requires_grad=True)
    optimizer = minigrad.optim.SGD([p], lr=1.0)
    scaler = GradScaler("cpu", init_scale=4.0)
    scaler.scale(p.sum()).backward()
    return scaler, optimizer, p


def test_the_order_of_calls_is_checked():
    scaler, optimizer, _ = GradScaler("cpu"), prepared()[1], None
    for call in (scaler.update, lambda: scaler.step(optimizer), lambda: scaler.unscale_(optimizer)):
        with pytest.raises(AssertionError, match="^Attempted .* but _scale is None"):
            call()
    scaler, optimizer, _ = prepared()
    scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match="^unscale_.. has already been called"):
        scaler.unscale_(optimizer)
    scaler.step(optimizer)
    with pytest.raises(RuntimeError, match="^step.. has already been called"):
        scaler.step(optimizer)
    with pytest.raises(RuntimeError, match="is being called after step"):
        scaler.unscale_(optimizer)
    with pytest.raises(AssertionError, match="may only be pickled at the beginning of an iteration"):
        pickle.dumps(scaler)
    scaler.update()
    with pytest.raises(AssertionError, match="^No inf checks were recorded prior to update.$"):
        scaler.update()
    optimizer.zero_grad()
    with pytest.raises(AssertionError, match="^No inf checks were recorded for this optimizer.$"):
        scaler.step(optimizer)


def test_arguments_are_checked():
    scaler, optimizer, _ = prepared()
    with pytest.raises(ValueError, match="^outputs must be a Tensor or an iterable of Tensors$"):
        scaler.scale(3)
    with pytest.raises(RuntimeError, match="Closure use is not currently supported"):
        scaler.step(optimizer, closure=lambda: None)
    with pytest.raises(AssertionError, match="growth factor must be > 1.0"):
        GradScaler("cpu", growth_factor=1.0)
    with pytest.raises(AssertionError, match="backoff factor must be < 1.0"):
        GradScaler("cpu", backoff_factor=1.0)
    with pytest.raises(RuntimeError, match="^The source state dict is empty"):
        scaler.load_state_dict({})
    with pytest.raises(AssertionError, match="^new_scale should be a float"):
        scaler.update(minigrad.ones(2))
    half = minigrad.ones(1, dtype=minigrad.float16, requires_grad=True)
    scaler.scale(half.float().sum()).backward()
    with pytest.raises(ValueError, match="^Attempting to unscale FP16 gradients.$"):
        scaler.unscale_(minigrad.optim.SGD([half], lr=1.0))


def test_containers_are_scaled():
    scaler = GradScaler("cpu", init_scale=2.0)
    x = minigrad.ones(())
    scaled = scaler.scale([x, (x,)])
    assert scaled[0].item() == scaled[1][0].item() == 2.0 and type(scaled[1]) is tuple
    assert [z.item() for z in scaler.scale(x for _ in range(2))] == [2.0, 2.0]


def test_states_are_saved_and_loaded():
    scaler, optimizer, _ = prepared()
    scaler.step(optimizer)
    scaler.update(3.0)
    other = GradScaler("cpu")
    other.load_state_dict(scaler.state_dict())
    assert other.get_scale() == 3.0 and pickle.loads(pickle.dumps(scaler)).state_dict() == scaler.state_dict()
    for name, value in (("growth_factor", 3.0), ("backoff_factor", 0.25), ("growth_interval", 7)):
        getattr(other, f"set_{name}")(value)
        assert getattr(other, f"get_{name}")() == value == other.state_dict()[name]


def test_a_disabled_scaler_does_nothing():
    with pytest.warns(UserWarning, match="CUDA is not available.  Disabling."):
        scaler = GradScaler()
    p = minigrad.ones(1, requires_grad=True)
    optimizer = minigrad.optim.SGD([p], lr=1.0)
    scaler.scale(p.sum()).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    assert p.item() == 0.0 and scaler.state_dict() == {} and scaler.get_scale() == 1.0
    assert not scaler.is_enabled()
    with pytest.warns() as seen:
        minigrad.cuda.amp.GradScaler()
    assert {w.category for w in seen} == {FutureWarning, UserWarning}
