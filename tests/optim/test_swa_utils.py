"""Averages of models."""

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.optim import swa_utils


def model_of(value):
    model = nn.Linear(2, 1)
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(value)
    return model


def averaged(average, values=(1.0, 2.0, 6.0)):
    for value in values:
        average.update_parameters(model_of(value))
    assert average.n_averaged.item() == len(values)
    weights = {p.unique().item() for p in average.parameters()}
    assert len(weights) == 1
    return weights.pop()


EMA = 0.9 * (0.9 * 1 + 0.1 * 2) + 0.1 * 6


@pytest.mark.parametrize(
    "options, expected",
    [
        ({}, 3.0),
        ({"avg_fn": swa_utils.get_swa_avg_fn()}, 3.0),
        ({"multi_avg_fn": swa_utils.get_swa_multi_avg_fn()}, 3.0),
        ({"avg_fn": swa_utils.get_ema_avg_fn(0.9)}, EMA),
        ({"multi_avg_fn": swa_utils.get_ema_multi_avg_fn(0.9)}, EMA),
        ({"avg_fn": lambda average, p, count: p}, 6.0),
    ],
)
def test_averages(options, expected):
    model = model_of(5.0)
    average = swa_utils.AveragedModel(model, **options)
    assert averaged(average) == pytest.approx(expected)
    assert {p.unique().item() for p in model.parameters()} == {5.0}
    assert average(torch.ones(1, 2)).item() == pytest.approx(3 * expected)


def test_buffers_are_copied_or_averaged():
    def with_buffer(value):
        model = model_of(value)
        model.register_buffer("seen", torch.tensor([value]))
        return model

    for use, expected in ((False, 3.0), (True, 2.0)):
        average = swa_utils.AveragedModel(with_buffer(0.0), use_buffers=use)
        for value in (1.0, 3.0):
            average.update_parameters(with_buffer(value))
        assert average.module.seen.item() == expected


def test_dtypes_are_averaged_apart():
    model = nn.ParameterList([torch.ones(1), torch.ones(1, dtype=torch.float64)])
    kinds = []

    def note(averages, values, count):
        kinds.append([p.dtype for p in averages])

    average = swa_utils.AveragedModel(model, multi_avg_fn=note)
    average.update_parameters(model)
    average.update_parameters(model)
    assert kinds == [[torch.float32], [torch.float64]]


def test_whole_numbers_are_averaged():
    for function in (swa_utils.get_ema_multi_avg_fn(0.5), swa_utils.get_swa_multi_avg_fn()):
        average = [torch.tensor([4, 6])]
        function(average, [torch.tensor([8, 10])], 1)
        assert average[0].tolist() == [6, 8]


def test_state_dicts_hold_the_count():
    average = swa_utils.AveragedModel(model_of(0.0))
    averaged(average)
    assert sorted(average.state_dict()) == ["module.bias", "module.weight", "n_averaged"]
    twin = swa_utils.AveragedModel(model_of(0.0))
    twin.load_state_dict(average.state_dict())
    assert twin.n_averaged.item() == 3


def test_refused():
    for make in (swa_utils.get_ema_avg_fn, swa_utils.get_ema_multi_avg_fn):
        for decay in (-0.1, 1.1):
            with pytest.raises(ValueError, match=rf"Invalid decay value {decay} provided"):
                make(decay)
    with pytest.raises(AssertionError, match="Only one of avg_fn and multi_avg_fn"):
        swa_utils.AveragedModel(model_of(0.0), avg_fn=max, multi_avg_fn=max)


def test_update_bn_takes_the_statistics_of_all_batches():
    norm = nn.BatchNorm1d(1, momentum=0.3)
    model = nn.Sequential(norm)
    model.eval()
    batches = [torch.tensor([[1.0], [3.0]]), (torch.tensor([[5.0], [7.0]]), "label")]
    swa_utils.update_bn(batches, model)
    assert norm.running_mean.tolist() == [4.0] and norm.running_var.tolist() == [2.0]
    assert norm.momentum == 0.3 and not model.training


def test_update_bn_leaves_other_models_alone():
    model = nn.Sequential(nn.Dropout())
    swa_utils.update_bn(iter(()), model)
    assert model.training
