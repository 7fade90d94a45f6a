"""Pruning: masks by chance, by size, by slices, over several parameters; and what is left afterwards."""

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn.utils import prune


def layer():
    made = nn.Linear(4, 3)
    with torch.no_grad():
        made.weight.copy_(torch.tensor([[1.0, -2, 3, -4], [5, -6, 7, -8], [9, -10, 11, -12]]))
    return made


def test_the_smallest_elements_go():
    pruned = prune.l1_unstructured(layer(), "weight", amount=5)
    assert pruned.weight.tolist() == [[0, 0, 0, 0], [0, -6, 7, -8], [9, -10, 11, -12]]
    assert [name for name, _ in pruned.named_parameters()] == ["bias", "weight_orig"]
    assert pruned.weight_orig[0, 0] == 1 and pruned.weight_mask.sum() == 7
    pruned(torch.ones(1, 4)).sum().backward()
    assert torch.equal(pruned.weight_orig.grad, pruned.weight_mask)


def test_a_float_is_a_share_and_an_int_a_number():
    assert prune.l1_unstructured(layer(), "weight", amount=0.25).weight_mask.sum() == 9
    assert prune.random_unstructured(layer(), "weight", amount=0.5).weight_mask.sum() == 6
    assert prune.random_unstructured(layer(), "weight", amount=0).weight_mask.sum() == 12
    assert (
        prune.random_structured(layer(), "weight", amount=1, dim=1).weight_mask.sum(0).tolist().count(0) == 1
    )
    assert prune.random_structured(layer(), "weight", amount=0.0, dim=1).weight_mask.all()


def test_importance_may_lie_elsewhere():
    scores = torch.arange(12.0).flip(0).reshape(3, 4)
    pruned = prune.l1_unstructured(layer(), "weight", 4, importance_scores=scores)
    assert pruned.weight_mask.tolist() == [[1] * 4, [1] * 4, [0] * 4]


@pytest.mark.parametrize("n", [1, 2, float("inf")])
def test_the_slices_of_the_smallest_norms_go(n):
    assert prune.ln_structured(layer(), "weight", 1, n, dim=0).weight_mask.tolist() == [
        [0] * 4,
        [1] * 4,
        [1] * 4,
    ]
    assert prune.ln_structured(layer(), "weight", 0.5, n, dim=-1).weight_mask.tolist() == [[0, 0, 1, 1]] * 3


def test_a_mask_may_be_given_and_nothing_pruned():
    pruned = prune.custom_from_mask(layer(), "bias", torch.tensor([0, 1, 0]))
    assert (pruned.bias != 0).tolist() == [False, True, False]
    assert prune.identity(layer(), "weight").weight_mask.all()


def test_pruning_goes_on_among_what_is_left():
    pruned = prune.ln_structured(layer(), "weight", 1, 2, dim=0)
    prune.l1_unstructured(pruned, "weight", 2)
    assert pruned.weight_mask.tolist() == [[0] * 4, [0, 0, 1, 1], [1] * 4]
    prune.ln_structured(pruned, "weight", 1, 2, dim=0)
    assert pruned.weight_mask.tolist() == [[0] * 4, [0] * 4, [1] * 4]
    (hook,) = pruned._forward_pre_hooks.values()
    kinds = [prune.LnStructured, prune.L1Unstructured, prune.LnStructured]
    assert isinstance(hook, prune.PruningContainer) and [type(m) for m in hook] == kinds
    assert len(hook) == 3 and hook[1] is list(hook)[1]


def test_the_forward_follows_the_original():
    pruned = prune.l1_unstructured(layer(), "weight", 5)
    with torch.no_grad():
        pruned.weight_orig.fill_(1.0)
    pruned(torch.ones(1, 4))
    assert torch.equal(pruned.weight, pruned.weight_mask)


def test_removal_makes_it_permanent():
    pruned = prune.l1_unstructured(layer(), "weight", 5)
    net = nn.Sequential(pruned)
    assert prune.is_pruned(net)
    value = pruned.weight.detach().clone()
    assert prune.remove(pruned, "weight") is pruned
    assert isinstance(pruned.weight, nn.Parameter) and torch.equal(pruned.weight, value)
    assert sorted(pruned.state_dict()) == ["bias", "weight"] and not prune.is_pruned(net)
    with pytest.raises(ValueError, match="Parameter 'weight' of module .* has to be pruned before"):
        prune.remove(pruned, "weight")


def test_pruning_over_several_parameters():
    a, b = layer(), layer()
    with torch.no_grad():
        b.weight *= 100
    prune.global_unstructured([(a, "weight"), (b, "weight")], prune.L1Unstructured, amount=12)
    assert not a.weight.any() and b.weight_mask.all()
    prune.global_unstructured([(a, "weight"), (b, "weight")], prune.RandomUnstructured, amount=3)
    assert b.weight_mask.sum() == 9


def test_tensors_are_pruned_without_a_module():
    method = prune.L1Unstructured(amount=2)
    x = torch.tensor([1.0, -0.5, 2.0, 0.1])
    assert method.prune(x).tolist() == [1, 0, 2, 0]
    assert method.prune(x, importance_scores=torch.arange(4.0)).tolist()[2:] == x.tolist()[2:]
    assert method.prune(x, default_mask=torch.tensor([0.0, 1, 1, 1])).tolist() == [0, 0, 2, 0]


def test_own_methods_can_be_written():
    class EveryOther(prune.BasePruningMethod):
        PRUNING_TYPE = "unstructured"

        def compute_mask(self, t, default_mask):
            mask = default_mask.clone()
            mask.view(-1)[::2] = 0
            return mask

    pruned = layer()
    EveryOther.apply(pruned, "weight")
    assert pruned.weight_mask.tolist() == [[0, 1, 0, 1]] * 3
    with pytest.raises(TypeError, match="abstract"):
        prune.BasePruningMethod()


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda m: prune.l1_unstructured(m, "weight", -1), ValueError, "amount=-1 should either be a float"),
        (
            lambda m: prune.l1_unstructured(m, "weight", 1.5),
            ValueError,
            "amount=1.5 should either be a float",
        ),
        (lambda m: prune.l1_unstructured(m, "weight", "a"), TypeError, "Invalid type for amount: a"),
        (
            lambda m: prune.l1_unstructured(m, "weight", 13),
            ValueError,
            "amount=13 should be smaller than the number",
        ),
        (
            lambda m: prune.ln_structured(m, "bias", 1, 2, 0),
            ValueError,
            "Structured pruning can only be applied",
        ),
        (
            lambda m: prune.ln_structured(m, "weight", 1, 2, 2),
            IndexError,
            "Invalid index 2 for tensor of size",
        ),
        (
            lambda m: prune.custom_from_mask(m, "weight", torch.ones(2)),
            AssertionError,
            "must match self.mask shape",
        ),
        (
            lambda m: prune.l1_unstructured(m, "weight", 1, torch.ones(2)),
            AssertionError,
            "importance_scores should have the same shape as parameter weight",
        ),
        (
            lambda m: prune.global_unstructured([(m, "weight")], prune.LnStructured, amount=1, n=2),
            TypeError,
            'Only "unstructured" PRUNING_TYPE supported',
        ),
        (
            lambda m: prune.PruningContainer().add_pruning_method(3),
            TypeError,
            "is not a BasePruningMethod subclass",
        ),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(call, error, message):
    module = layer()
    with pytest.raises(error, match=message):
        call(module)
    assert sorted(module.state_dict()) == ["bias", "weight"] and not prune.is_pruned(module)
