"""What all layers have in common: text, shapes, state, copies, gradients; and the same numbers as PyTorch's."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import minigrad
from minigrad import nn
from minigrad.nn import modules
from tests.nn.layer_table import IDS, LAYERS


def made(expression, torch=minigrad):
    """The layer, made by ``torch.nn``."""
    return eval(
        expression, vars(torch.nn) | {name: getattr(torch.nn, name) for name in [expression.split("(")[0]]}
    )


def inputs_of(shapes, torch=minigrad):
    """Normal numbers of these shapes, which require grad."""
    rng = np.random.default_rng(0)
    return [torch.tensor(rng.normal(size=s), dtype=torch.float64, requires_grad=True) for s in shapes]


@pytest.mark.parametrize("expression, shapes, expected, text", LAYERS, ids=IDS)
def test_text_and_shapes(expression, shapes, expected, text):
    layer = made(expression)
    assert repr(layer) == text
    assert layer.double()(*inputs_of(shapes)).shape == expected


@pytest.mark.parametrize("expression, shapes, expected, text", LAYERS, ids=IDS)
def test_copies_compute_the_same_and_share_nothing(expression, shapes, expected, text):
    layer, inputs = made(expression).double(), inputs_of(shapes)
    layer(*inputs)  # a lazy layer now knows its sizes
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert repr(twin) == repr(layer) and twin.__dict__.keys() == layer.__dict__.keys()
        np.testing.assert_array_equal(
            twin(*inputs).detach().numpy(), copy.deepcopy(layer)(*inputs).detach().numpy()
        )
        for mine, own in zip(twin.state_dict().values(), layer.state_dict().values()):
            assert not np.shares_memory(mine.numpy(), own.numpy())


@pytest.mark.parametrize("expression, shapes, expected, text", LAYERS, ids=IDS)
def test_state_goes_from_one_layer_to_another(expression, shapes, expected, text):
    minigrad.manual_seed(1)
    layer, inputs = made(expression).double(), inputs_of(shapes)
    layer(*inputs)
    minigrad.manual_seed(2)
    other = made(expression).double()
    assert str(other.load_state_dict(layer.state_dict())) == "<All keys matched successfully>"
    np.testing.assert_array_equal(
        other.eval()(*inputs).detach().numpy(), layer.eval()(*inputs).detach().numpy()
    )


@pytest.mark.parametrize("expression, shapes, expected, text", LAYERS, ids=IDS)
def test_every_input_and_parameter_gets_a_gradient(expression, shapes, expected, text):
    layer, inputs = made(expression).double(), inputs_of(shapes)
    (layer(*inputs) ** 2).sum().backward()
    assert all(x.grad is not None and x.grad.shape == x.shape for x in (*inputs, *layer.parameters()))


@pytest.mark.torch
@pytest.mark.parametrize("expression, shapes, expected, text", LAYERS, ids=IDS)
def test_like_pytorch(expression, shapes, expected, text):
    torch = pytest.importorskip("torch")
    seen = []
    for library in (minigrad, torch):
        library.manual_seed(0)
        layer, inputs = made(expression, library), inputs_of(shapes, library)
        found = {
            "text": repr(layer),
            "version": layer._version,
            "constants": getattr(layer, "__constants__", None),
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            layer(*[x.float() for x in inputs])  # a lazy layer now knows its sizes
        layer.train(False).train(True)
        state = {name: x.detach().numpy().copy() for name, x in layer.state_dict().items()}
        found["keys"], found["metadata"] = list(state), dict(layer.state_dict()._metadata)
        found["next"] = library.rand(1).item()  # as many numbers were drawn
        layer.double()
        result = layer(*inputs)
        result.pow(2).sum().backward()
        values = [result, layer.eval()(*inputs), *[x.grad for x in (*inputs, *layer.parameters())]]
        seen.append((found, state, [x.detach().numpy() for x in values]))
    (ours, our_state, our_values), (theirs, their_state, their_values) = seen
    assert ours == theirs
    for name in our_state:
        if "running" in name:
            np.testing.assert_allclose(our_state[name], their_state[name], rtol=1e-5)
        else:
            np.testing.assert_array_equal(our_state[name], their_state[name])
    for mine, other in zip(our_values, their_values):
        np.testing.assert_allclose(mine, other, rtol=1e-6, atol=1e-7)


#: PyTorch's first two weights and last bias (or weight) after ``manual_seed(0)``.
FIRST_NUMBERS = {
    "Conv1d(3, 4, 5)": [-0.0019330886425450444, 0.138509139418602, 0.07800371944904327],
    "Conv2d(3, 4, (3, 2), bias=False)": [-0.0017646604683250189, 0.12644097208976746, -0.08637774735689163],
    "Conv3d(4, 8, 3, groups=4)": [-0.0014408392598852515, 0.10323861986398697, 0.0054488470777869225],
    "ConvTranspose1d(3, 4, 5)": [-0.001674103899858892, 0.11995243281126022, 0.06755319982767105],
    "ConvTranspose2d(4, 6, 2, groups=2)": [-0.0021612588316202164, 0.15485791862010956, 0.03899794816970825],
    "ConvTranspose3d(2, 2, 2)": [-0.0018717050552368164, 0.13411089777946472, -0.11508321762084961],
    "Bilinear(2, 3, 4)": [-0.005293981172144413, 0.37932288646698, -0.6559619903564453],
    "Embedding(5, 3)": [1.5409960746765137, -0.293428897857666, -1.0711873769760132],
    "EmbeddingBag(5, 3, padding_idx=-1)": [1.5409960746765137, -0.293428897857666, 0.0],
    "AdaptiveLogSoftmaxWithLoss(8, 12, [4])": [-0.0026469905860722065, 0.18966144323349, -0.2591332197189331],
    "LinearCrossEntropyLoss(3, 4, bias=True)": [
        -0.004322517663240433,
        0.3097158372402191,
        0.021387115120887756,
    ],
}


@pytest.mark.parametrize("expression", FIRST_NUMBERS)
def test_initial_values_are_pytorchs(expression):
    minigrad.manual_seed(0)
    parameters = list(made(expression).parameters())
    found = [*parameters[0].flatten()[:2].tolist(), parameters[-1].flatten()[-1].item()]
    assert found == FIRST_NUMBERS[expression]


def test_every_name_of_a_family_is_what_its_file_lists():
    for family, names in modules._FAMILIES.items():
        listed = [name for name in getattr(modules, family).__all__ if not name.startswith("register_")]
        assert sorted(names.split()) == sorted(listed), family
    assert {"Conv2d", "functional", "init", "Module"} <= {*dir(nn)}
