"""Weight and spectral normalisation, as hooks and as parametrisations; orthogonal parametrisations."""

import copy

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import utils
from minigrad.nn.utils import parametrizations

OLD = pytest.mark.filterwarnings("ignore:`torch.nn.utils.weight_norm` is deprecated")


def norms(weight, dim):
    return weight.norm() if dim is None else weight.transpose(0, dim).flatten(1).norm(dim=1)


@OLD
@pytest.mark.parametrize("dim", [0, 1, None])
def test_a_hook_makes_the_weight_of_length_and_direction(dim):
    layer = nn.Conv1d(2, 3, 2)
    before = layer.weight.detach().clone()
    utils.weight_norm(layer, dim=dim)
    assert sorted(name for name, _ in layer.named_parameters()) == ["bias", "weight_g", "weight_v"]
    torch.testing.assert_close(layer.weight, before)
    with torch.no_grad():
        layer.weight_g.fill_(2.0)
        layer.weight_v.mul_(5.0)
    layer(torch.ones(1, 2, 3)).sum().backward()
    torch.testing.assert_close(norms(layer.weight, dim), torch.full_like(norms(before, dim), 2.0))
    # the gradient of the direction is at right angles to it
    assert (layer.weight_v.grad * layer.weight_v).sum().abs() < 1e-4
    with pytest.raises(
        RuntimeError, match="Cannot register two weight_norm hooks on the same parameter weight"
    ):
        utils.weight_norm(layer)
    weight = layer.weight.detach()
    utils.remove_weight_norm(layer)
    assert isinstance(layer.weight, nn.Parameter) and torch.allclose(layer.weight, weight)
    with pytest.raises(ValueError, match="weight_norm of 'weight' not found in Conv1d"):
        utils.remove_weight_norm(layer)


def test_each_element_of_a_vector_is_normed_by_itself():
    assert torch.norm_except_dim(torch.tensor([3.0, -4.0]), 2, 0).tolist() == [3.0, 4.0]


def test_weight_norm_is_deprecated():
    with pytest.warns(FutureWarning, match="in favor of `torch.nn.utils.parametrizations.weight_norm`"):
        utils.weight_norm(nn.Linear(2, 2))


@OLD
def test_the_parametrisation_reads_the_state_of_the_hook():
    old, new = utils.weight_norm(nn.Linear(3, 2)), parametrizations.weight_norm(nn.Linear(3, 2))
    assert str(new.load_state_dict(old.state_dict())) == "<All keys matched successfully>"
    assert torch.equal(new.weight, old.weight)


def test_weight_norm_as_a_parametrisation():
    layer = parametrizations.weight_norm(nn.Linear(3, 2))
    with torch.no_grad():
        layer.parametrizations.weight.original0.fill_(2.0)
    torch.testing.assert_close(layer.weight.norm(dim=1), torch.full((2,), 2.0))
    layer.weight = torch.ones(2, 3)
    torch.testing.assert_close(layer.weight, torch.ones(2, 3))


def top(weight):
    return torch.linalg.matrix_norm(weight, 2).item()


@pytest.mark.parametrize("make", [lambda: nn.Linear(3, 5), lambda: nn.ConvTranspose1d(3, 5, 1)])
def test_a_hook_divides_by_the_largest_singular_value(make):
    layer = utils.spectral_norm(make(), n_power_iterations=30)
    assert {name for name, _ in layer.named_parameters()} == {"bias", "weight_orig"}
    assert {name for name, _ in layer.named_buffers()} == {"weight_u", "weight_v"}
    x = torch.ones(1, 3, *[1] * (layer.weight_orig.dim() - 2))
    layer(x).sum().backward()
    matrix = layer.weight.flatten(1)
    assert top(matrix) == pytest.approx(1, abs=1e-4)
    # the weight's scale makes no difference
    assert (layer.weight_orig.grad * layer.weight_orig).sum().abs() < 1e-4
    u = layer.weight_u.clone()
    layer.eval()(x)
    assert torch.equal(layer.weight_u, u)
    with pytest.raises(
        RuntimeError, match="Cannot register two spectral_norm hooks on the same parameter weight"
    ):
        utils.spectral_norm(layer)
    utils.remove_spectral_norm(layer)
    assert sorted(layer.state_dict()) == ["bias", "weight"]
    assert not (layer._forward_pre_hooks or layer._state_dict_hooks or layer._load_state_dict_pre_hooks)
    assert top(layer.weight.flatten(1)) == pytest.approx(1, abs=1e-4)
    with pytest.raises(ValueError, match="spectral_norm of 'weight' not found in"):
        utils.remove_spectral_norm(layer)


def test_old_files_of_spectral_norm_are_read():
    layer = utils.spectral_norm(nn.Linear(3, 2))
    layer(torch.ones(1, 3))
    state = layer.state_dict()
    assert state._metadata[""]["spectral_norm"] == {"weight.version": 1}
    twin = utils.spectral_norm(nn.Linear(3, 2))
    twin.load_state_dict(state)
    assert torch.equal(twin.eval()(torch.ones(1, 3)), layer.eval()(torch.ones(1, 3)))
    old = {name: value for name, value in state.items() if name != "weight_v"}
    old["weight"] = layer.weight.detach()
    other = utils.spectral_norm(nn.Linear(3, 2)).eval()
    other.load_state_dict(old)
    torch.testing.assert_close(other(torch.ones(1, 3)), layer(torch.ones(1, 3)))


def test_spectral_norm_as_a_parametrisation():
    layer = parametrizations.spectral_norm(nn.Linear(3, 5), n_power_iterations=30)
    assert top(layer.weight) == pytest.approx(1, abs=1e-4)
    layer.eval()
    assert torch.equal(layer.weight, layer.weight)
    layer.weight = torch.eye(5, 3) * 7
    assert torch.equal(layer.parametrizations.weight.original, torch.eye(5, 3) * 7)
    vector = parametrizations.spectral_norm(nn.Linear(3, 5), "bias")
    assert vector.bias.norm().item() == pytest.approx(1)


@pytest.mark.parametrize("orthogonal_map", ["matrix_exp", "cayley", "householder", None])
@pytest.mark.parametrize("trivial", [True, False])
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)])
def test_orthogonal_matrices_stay_orthogonal(orthogonal_map, trivial, shape):
    layer = nn.Linear(*shape)
    parametrizations.orthogonal(layer, orthogonal_map=orthogonal_map, use_trivialization=trivial)

    def check():
        w = layer.weight if layer.weight.size(0) >= layer.weight.size(1) else layer.weight.mT
        torch.testing.assert_close(w.mT @ w, torch.eye(min(shape)), rtol=0, atol=1e-5)

    check()
    (layer(torch.randn(5, shape[0])) ** 3).sum().backward()
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter -= 0.1 * parameter.grad
    check()
    q = torch.linalg.qr(torch.randn(max(shape), min(shape)))[0]
    q = q if q.shape == layer.weight.shape else q.mT
    if trivial or layer.parametrizations.weight[0].orthogonal_map.name == "householder":
        layer.weight = q
        torch.testing.assert_close(layer.weight.detach(), q, rtol=0, atol=1e-5)
    else:
        with pytest.raises(
            NotImplementedError, match="It is not possible to assign to the matrix exponential"
        ):
            layer.weight = q


@pytest.mark.parametrize(
    "make, error, message",
    [
        (lambda: parametrizations.orthogonal(nn.Linear(3, 3), "x"), ValueError, "has no parameter or buffer"),
        (
            lambda: parametrizations.orthogonal(nn.Linear(3, 3), "bias"),
            ValueError,
            "Expected a matrix or batch",
        ),
        (
            lambda: parametrizations.orthogonal(nn.Linear(3, 3), orthogonal_map="qr"),
            ValueError,
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: qr',
        ),
        (
            lambda: parametrizations.spectral_norm(nn.Linear(3, 3), dim=2),
            IndexError,
            "Dimension out of range",
        ),
        (
            lambda: parametrizations.spectral_norm(nn.Linear(3, 3), n_power_iterations=0),
            ValueError,
            "Expected n_power_iterations to be positive",
        ),
        (
            lambda: utils.spectral_norm(nn.Linear(3, 3, bias=False), "bias"),
            ValueError,
            "`SpectralNorm` cannot be applied as parameter `bias` is None",
        ),
    ],
)
def test_what_cannot_be_normalised_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_copies_are_independent():
    layer = utils.spectral_norm(nn.Linear(3, 2))
    twin = copy.deepcopy(layer)
    with torch.no_grad():
        twin.weight_orig.zero_()
    assert layer.weight_orig.any() and twin._forward_pre_hooks
