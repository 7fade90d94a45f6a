"""``nn.parallel`` where the CPU stands for several devices."""

from collections import OrderedDict, namedtuple

import pytest

import minigrad
from minigrad import nn
from minigrad.nn import parallel
from minigrad.nn.parallel.scatter_gather import scatter_kwargs

TWO = ["cpu", minigrad.device("cpu")]
Pair = namedtuple("Pair", "x y")


def test_a_module_is_trained_on_parts_of_a_batch():
    """Scattered, replicated, applied and gathered: the gradients are those of the module itself."""
    minigrad.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 2)).eval()
    x = minigrad.randn(5, 3).requires_grad_()
    parts = parallel.scatter(x, TWO)
    assert [part.shape[0] for part in parts] == [3, 2]
    replicas = parallel.replicate(model, TWO)
    z = parallel.gather(parallel.parallel_apply(replicas, parts, devices=TWO), "cpu")
    leaves = [x, *model.parameters()]
    found, expected = minigrad.autograd.grad(z.sum(), leaves), minigrad.autograd.grad(model(x).sum(), leaves)
    minigrad.testing.assert_close(z, model(x))
    for a, b in zip(found, expected, strict=True):
        minigrad.testing.assert_close(a, b)


def test_replicas_share_what_the_module_shares():
    model = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False))
    model[1].weight = model[0].weight
    copy, detached = parallel.replicate(model, ["cpu"])[0], parallel.replicate(model, ["cpu"], detach=True)[0]
    assert copy[0].weight is copy[1].weight and copy[0] is not model[0] and copy[0].bias is None
    assert copy[0].weight.requires_grad and not detached[0].weight.requires_grad
    model[0].weight.data.fill_(3)
    assert (
        copy[0].weight.eq(3).all() and list(copy.parameters()) == [] and parallel.replicate(model, []) == []
    )


@pytest.mark.parametrize(
    "inputs",
    [
        minigrad.arange(4.0),
        (minigrad.arange(4.0), minigrad.ones(4, 2)),
        [minigrad.arange(4.0), {"a": minigrad.ones(2)}],
        OrderedDict(b=minigrad.ones(2), a=minigrad.zeros(2)),
        Pair(minigrad.ones(2), minigrad.zeros(4)),
    ],
)
def test_what_is_scattered_is_gathered_in_its_containers(inputs):
    parts = parallel.scatter(inputs, TWO)
    assert len(parts) == 2 and type(parallel.gather(parts, "cpu")) is type(inputs)
    minigrad.testing.assert_close(parallel.gather(parts, "cpu"), inputs)


def test_objects_without_tensors_go_to_each():
    assert parallel.scatter({"a": 3, "b": [1, 2], "c": ()}, [0, 1]) == [{"a": 3, "b": [1, 2], "c": ()}] * 2
    assert scatter_kwargs((1,), {"a": 2}, [0]) == (((1,),), ({"a": 2},))
    assert scatter_kwargs((minigrad.ones(2),), None, TWO)[1] == ({}, {}) and scatter_kwargs((), {}, TWO) == (
        (),
        (),
    )
    assert parallel.gather([None, None], 0) is None


def test_numbers_are_gathered_into_a_vector():
    with pytest.warns(
        UserWarning, match="Was asked to gather along dimension 0, but all input tensors were scalars"
    ):
        assert parallel.gather([minigrad.tensor(1), minigrad.tensor(2)], "cpu").tolist() == [1, 2]


def test_what_is_refused():
    x, layer = minigrad.ones(2), nn.ReLU()
    for call in (
        lambda: parallel.scatter([{"x": x}], [0]),
        lambda: parallel.gather([x], 0),
        lambda: parallel.replicate(layer, [0]),
        lambda: parallel.parallel_apply([layer], [x], devices=[0]),
    ):
        with pytest.raises(RuntimeError, match="minigrad has no accelerators, only the CPU"):
            call()
    with pytest.raises(ValueError, match="All dicts must have the same number of keys"):
        parallel.gather([{"a": x}, {}], "cpu")
    with pytest.raises(
        AssertionError, match="The number of modules 2 is not equal to the number of inputs 1"
    ):
        parallel.parallel_apply([layer, layer], [x])
    with pytest.raises(AssertionError, match="1 modules cannot be on 2 devices"):
        parallel.parallel_apply([layer], [x], devices=TWO)
