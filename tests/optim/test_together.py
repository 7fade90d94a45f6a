"""``foreach=True``: small parameters move as one, with the bits that they have one by one, and nobody who looks at one of them notices."""

import copy
import io
import pickle

import pytest

import minigrad as torch
from minigrad import nn, optim

OPTIMIZERS = {
    "SGD": {"lr": 0.1},
    "SGD momentum": {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01, "nesterov": True},
    "SGD maximize": {"lr": 0.1, "momentum": 0.9, "dampening": 0.5, "maximize": True},
    "Adam": {"lr": 0.01},
    "Adam amsgrad": {"lr": 0.01, "amsgrad": True, "weight_decay": 0.1, "maximize": True},
    "AdamW": {"lr": 0.01},
    "Adamax": {"lr": 0.01},
    "NAdam": {"lr": 0.01},
    "RAdam": {"lr": 0.01},
    "Adagrad": {"lr": 0.01},
    "Adadelta": {"lr": 0.5},
    "RMSprop": {"lr": 0.01, "momentum": 0.5, "centered": True},
    "Rprop": {"lr": 0.01},
    "ASGD": {"lr": 0.01},
}
#: Those whose state has numbers for each parameter, and one whose formula is too short to gain: they are moved one by one.
ONE_BY_ONE = ("NAdam", "ASGD", "SGD")


def model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1100), nn.Tanh(), nn.Linear(1100, 1))


class Pair:
    """The same model twice, with and without ``foreach``."""

    def __init__(self, name="Adam", make=model):
        self.name, self.models = name, [make(), make()]
        self.optimizers = [
            self.over(m.parameters(), foreach) for m, foreach in zip(self.models, (None, True))
        ]

    def over(self, params, foreach):
        return getattr(optim, self.name.split()[0])(params, **OPTIMIZERS[self.name], foreach=foreach)

    def step(self, seed, without=None):
        for m, optimizer in zip(self.models, self.optimizers):
            torch.manual_seed(seed)
            optimizer.zero_grad()
            m(torch.randn(8, 4)).square().mean().backward()
            if without is not None:
                list(m.parameters())[without].grad = None
            optimizer.step()

    def agree(self):
        plain, other = (
            [
                [
                    (name, p.detach().numpy().tobytes(), p.stride(), p._version)
                    for name, p in m.named_parameters()
                ],
                [
                    [
                        (name, x.numpy().tobytes() if isinstance(x, torch.Tensor) else x)
                        for name, x in state.items()
                    ]
                    for state in map(o.state.get, m.parameters())
                    if state
                ],
            ]
            for m, o in zip(self.models, self.optimizers)
        )
        assert plain == other

    def is_together(self):
        """Whether parameters lie side by side."""
        params = [p for p in self.models[1].parameters() if p.numel() < 8000]
        return len({p.untyped_storage().data_ptr() for p in params}) == 1


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_the_same_bits(name):
    pair = Pair(name)
    for seed in range(6):
        pair.step(seed)
        pair.agree()
    assert pair.is_together() == (name not in ONE_BY_ONE)


def test_gradients_that_are_missing():
    pair = Pair()
    for seed, without in enumerate([None, None, 1, None, 0, None, None]):
        pair.step(seed, without)
        pair.agree()


def looked_at(look):
    pair = Pair()
    p, twin = (m[0].weight for m in (pair.models[1], pair.models[0]))
    seen, right = look(p), look(twin)
    for seed in range(3):
        pair.step(seed)
        pair.agree()
    return pair, torch.as_tensor(seen), torch.as_tensor(right)


@pytest.mark.parametrize(
    "look",
    [
        lambda p: p.detach(),
        lambda p: p.detach().view(-1)[3:5],
        lambda p: p.detach().numpy(),
        lambda p: p.data.t(),
        lambda p: p.detach().numpy()[1:],
        lambda p: torch.from_dlpack(p.detach()),
    ],
)
def test_who_looks_at_a_parameter_goes_on_seeing_it(look):
    _, seen, right = looked_at(look)
    assert torch.equal(seen, right)
    assert not torch.equal(right, torch.as_tensor(look(model()[0].weight)))


def test_storages_go_on_too():
    pair, *_ = looked_at(lambda p: p.detach().clone())
    storage = pair.models[1][2].bias.untyped_storage()
    before = pair.models[1][2].bias.detach()
    pair.step(5)
    assert storage.data_ptr() == pair.models[1][2].bias.untyped_storage().data_ptr()
    assert torch.equal(before, pair.models[1][2].bias.detach())


def test_arrays_that_are_replaced():
    pair = Pair()
    for call in range(12):
        for m, o in zip(pair.models, pair.optimizers):
            if call == 2:
                m[0].weight.data = m[0].weight.detach().clone() * 2
            if call == 4:
                m.load_state_dict(copy.deepcopy(m.state_dict()), assign=True)
            if call == 6:
                o.load_state_dict(copy.deepcopy(o.state_dict()))
            if call == 8:
                with torch.no_grad():
                    m[0].weight.mul_(0.5)
                    o.state[m[0].weight]["exp_avg"].zero_()
            if call == 10:
                m.double()
                o.load_state_dict(o.state_dict())
                m.float()
        if call == 4:
            pair.optimizers = [pair.over(m.parameters(), f) for m, f in zip(pair.models, (None, True))]
        pair.step(call)
        pair.agree()


def test_copies_and_files():
    pair = Pair()
    pair.step(0)
    assert pair.is_together()
    models, optimizers = zip(*[copy.deepcopy((m, o)) for m, o in zip(pair.models, pair.optimizers)])
    pair.step(1)
    for p, q in zip(models[1].parameters(), models[0].parameters()):
        assert torch.equal(p, q)  # the copies stayed as they were
    pair.models, pair.optimizers = list(models), list(optimizers)
    pair.step(2)
    pair.agree()
    for m, o in zip(pair.models, pair.optimizers):
        file = io.BytesIO()
        torch.save((m.state_dict(), o.state_dict()), file)
        file.seek(0)
        states = torch.load(file)
        m.load_state_dict(states[0])
        o.load_state_dict(states[1])
    pair.step(3)
    pair.agree()
    pickled = [pickle.loads(pickle.dumps(each)) for each in zip(pair.models, pair.optimizers)]
    pair.models, pair.optimizers = map(list, zip(*pickled))
    pair.step(4)
    pair.agree()


def test_counts_that_differ_and_groups_that_are_added():
    pair = Pair()
    pair.step(0, without=1)
    pair.step(1)
    pair.agree()
    for m, o in zip(pair.models, pair.optimizers):
        m.extra = nn.Linear(1, 3)
        with torch.no_grad():
            m.extra.weight.fill_(0.5)
            m.extra.bias.fill_(0.1)
        o.add_param_group({"params": m.extra.parameters(), "lr": 0.5})
    for seed in range(2, 5):
        pair.step(seed)
        pair.agree()


def test_other_dtypes_and_orders():
    def make():
        m = model()
        m[0].double()
        m[2].weight = nn.Parameter(m[2].weight.detach().t().contiguous().t())
        return nn.Sequential(m[0], nn.Identity(), Rounded(), m[2], m[4])

    pair = Pair("AdamW", make)
    for seed in range(4):
        for m, o in zip(pair.models, pair.optimizers):
            torch.manual_seed(seed)
            o.zero_grad()
            m(torch.randn(8, 4).double()).square().mean().backward()
            o.step()
        pair.agree()


class Rounded(nn.Module):
    def forward(self, x):
        return x.float()


def test_a_graph_that_is_alive_keeps_what_it_saved():
    pair = Pair()
    for m, o in zip(pair.models, pair.optimizers):
        x = torch.ones(2, 4, requires_grad=True)
        loss = m(x).square().mean()
        loss.backward(retain_graph=True)
        o.step()
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            loss.backward()
    pair.agree()
