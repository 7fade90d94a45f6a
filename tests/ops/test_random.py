"""Random tensors: PyTorch's numbers for the same seed, generators and their states, what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch

#: What PyTorch 2.13.0 gives after ``manual_seed(0)``.
RECORDED = {
    "torch.rand(3)": [0.49625658988952637, 0.7682217955589294, 0.08847743272781372],
    "torch.rand(2, 2, dtype=torch.float64)": [[0.9700530018065531, 0.707819864399788], [0.45938294312745087, 0.9207476841219603]],
    "torch.randn(3)": [1.5409960746765137, -0.293428897857666, -2.1787893772125244],
    "torch.randn(17)": [-1.1258398294448853, -1.6959311962127686, 0.5666506290435791, 0.7935083508491516, 0.5988394618034363, -1.5550950765609741, -0.3413603901863098, 1.85300612449646, 0.46809640526771545, -0.5854975581169128, -0.1733967512845993, 0.18347793817520142, 1.3893661499023438, 1.586334228515625, 0.946298360824585, -0.843676745891571, 0.9318265914916992],
    "torch.randn(2, dtype=torch.complex64)": [(1.0896488428115845-0.20748557150363922j), (-1.5406367778778076+0.40194159746170044j)],
    "torch.randint(10, (5,))": [4, 9, 3, 0, 3],
    "torch.randint(-3, 2**40, (2,))": [741253000462, 506101270731],
    "torch.randperm(6)": [2, 5, 3, 0, 1, 4],
    "torch.rand_like(torch.ones(2, 3).t())": [[0.49625658988952637, 0.13203048706054688], [0.7682217955589294, 0.30742281675338745], [0.08847743272781372, 0.6340786814689636]],
    "torch.normal(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))": [5.622988224029541, 0.8262844085693359],
    "torch.normal(1.0, 2.0, (3,))": [4.081992149353027, 0.4131421744823456, -3.357578754425049],
    "torch.bernoulli(torch.tensor([0.2, 0.5, 0.8]))": [0.0, 0.0, 1.0],
    "torch.multinomial(torch.tensor([1.0, 2.0, 3.0]), 2)": [2, 1],
    "torch.multinomial(torch.tensor([1.0, 2.0, 3.0]), 6, replacement=True)": [2, 2, 1, 2, 2, 2],
    "torch.poisson(torch.tensor([1.0, 5.0, 50.0]))": [2.0, 6.0, 49.0],
    "torch.binomial(torch.tensor([10.0, 100.0]), torch.tensor([0.3, 0.9]))": [6.0, 91.0],
    "torch.empty(4).uniform_(-1, 1)": [-0.007486820220947266, 0.5364435911178589, -0.8230451345443726, -0.7359390258789062],
    "torch.empty(4).bernoulli_(0.5)": [0.0, 0.0, 1.0, 0.0],
    "torch.empty(3).exponential_(2.0)": [1.754163146018982, 0.6151923537254333, 0.3075220584869385],
    "torch.empty(3).geometric_(0.3)": [1.0, 1.0, 3.0],
    "torch.empty(2).cauchy_(1.0, 2.0)": [22.195459365844727, 2.5295345783233643],
    "torch.empty(2).log_normal_(0.5, 0.25)": [2.4235877990722656, 1.5321052074432373],
    "torch.empty(3).random_(10)": [4.0, 9.0, 3.0],
    "torch.normal(torch.tensor([1.0, 2.0], dtype=torch.float64), torch.tensor([3.0, 4.0], dtype=torch.float16))": [5.62298832473213, 0.8262843769562145],
    "torch.normal(torch.tensor([1.0, 2.0], dtype=torch.float16), torch.tensor([3.0, 4.0], dtype=torch.float64))": [5.625, 0.826171875],
    "torch.normal(2.0, torch.tensor([3.0, 4.0]))": [6.622988224029541, 0.8262844085693359],
    "torch.normal(torch.tensor([1.0, 2.0]), 3.0)": [5.622988224029541, 1.119713306427002],
    "torch.bernoulli(torch.ones(3, 2).t(), 0.5)": [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]],
    "torch.bernoulli(torch.full((2, 3), 0.5).t())": [[1.0, 0.0], [1.0, 1.0], [1.0, 0.0]],
    "torch.nn.functional.rrelu(-torch.ones(4), training=True)": [-0.3270943760871887, -0.27246248722076416, -0.22070477902889252, -0.31682243943214417],
    "torch.nn.functional.rrelu(-torch.ones(4, dtype=torch.float64), training=True)": [-0.3270943753763652, -0.2724624717499558, -0.22070477981821893, -0.316822434192075],
    "torch.nn.functional.gumbel_softmax(torch.zeros(2, 3), hard=True)": [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
    "torch.nn.functional.dropout(torch.ones(3, 2).t(), 0.5)": [[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]],
    "torch.nn.functional.dropout2d(torch.ones(1, 4, 1, 2), 0.5)": [[[[0.0, 0.0]], [[0.0, 0.0]], [[2.0, 2.0]], [[0.0, 0.0]]]],
    "torch.nn.functional.alpha_dropout(torch.ones(3), 0.5, True)": [-0.7791939377784729, -0.7791939377784729, 1.6655988693237305],
    "torch.nn.functional.feature_alpha_dropout(torch.ones(1, 3, 2), 0.5, True)": [[[-0.7791939377784729, -0.7791939377784729], [-0.7791939377784729, -0.7791939377784729], [1.6655988693237305, 1.6655988693237305]]],
    "torch.nn.init.trunc_normal_(torch.empty(2, 2, 2).permute(2, 1, 0), std=2.0)": [[[-1.4385151863098145, -1.7133492231369019], [-1.1932706832885742, 0.8066936731338501]], [[-0.586857795715332, -1.4369601011276245], [1.1368625164031982, 1.6760526895523071]]],
    "torch.nn.init.trunc_normal_(torch.empty(2, 3).t(), 5.0, 2.0)": [[0.9986300468444824, 0.9693450927734375], [1.719196081161499, 0.7937643527984619], [1.8109524250030518, -0.5063304901123047]],
    "torch.nn.init.xavier_normal_(torch.empty(2, 3), 1.5)": [[1.4619172811508179, -0.27837109565734863, -2.066981077194214], [0.5392612814903259, -1.0288681983947754, -1.3268240690231323]],
    "torch.nn.init.kaiming_uniform_(torch.empty(2, 3), a=5**0.5)": [[-0.004322517663240433, 0.3097158372402191, -0.4751853346824646], [-0.4248946011066437, -0.2223689705133438, 0.15482072532176971]],
    "torch.nn.init.sparse_(torch.empty(4, 1), 0.5)": [[0.0], [0.0], [-0.021787893027067184], [0.005684312898665667]],
    "torch.rand(17, dtype=torch.float16)": [0.496337890625, 0.76806640625, 0.0885009765625, 0.132080078125, 0.307373046875, 0.63427734375, 0.489990234375, 0.896484375, 0.45556640625, 0.63232421875, 0.348876953125, 0.401611328125, 0.0223236083984375, 0.1688232421875, 0.2939453125, 0.5185546875, 0.69775390625],
    "torch.randn(16, dtype=torch.bfloat16).double()": [-1.125, -1.15625, -0.25, -0.43359375, 0.84765625, 0.69140625, -0.31640625, -2.109375, 0.322265625, -1.265625, 0.349609375, 0.30859375, 0.11962890625, 1.234375, 1.1171875, -0.2470703125],
    "torch.randn(3, dtype=torch.float16)": [1.541015625, -0.29345703125, -2.1796875],
    "torch.empty(3, dtype=torch.uint8).random_()": [172, 47, 117],
    "torch.empty(2, dtype=torch.int64).random_(-(2**63), None)": [-8322921849960486353, -5253828890213626688],
    "torch.empty(3, dtype=torch.int16).geometric_(0.2)": [1, 2, 4],
    "torch.randint_like(torch.ones(3, dtype=torch.int8), 5, 100)": [39, 9, 43],
    "torch.empty(4, 6).t()[::2].normal_()": [[1.5409960746765137, 0.5684312582015991, 0.40334683656692505, -0.40334352850914], [-0.293428897857666, -1.0845223665237427, 0.8380263447761536, -0.5966353416442871], [-2.1787893772125244, -1.3985954523086548, -0.7192575931549072, 0.18203648924827576]],
}  # fmt: skip


@pytest.mark.parametrize("expression", RECORDED)
def test_numbers_are_pytorch_s(expression):
    torch.manual_seed(0)
    np.testing.assert_array_equal(np.array(eval(expression).tolist()), np.array(RECORDED[expression]))


@pytest.mark.torch
@pytest.mark.parametrize("expression", RECORDED)
def test_numbers_are_still_pytorch_s(expression):
    theirs = pytest.importorskip("torch")
    theirs.manual_seed(0)
    np.testing.assert_array_equal(
        np.array(eval(expression, {"torch": theirs}).tolist()), np.array(RECORDED[expression])
    )


def test_a_seed_repeats_and_a_state_continues():
    torch.manual_seed(5)
    first = torch.rand(3)
    state = torch.get_rng_state()
    second = torch.randn(20)
    assert state.dtype is torch.uint8 and state.shape == (5056,) and torch.initial_seed() == 5
    torch.set_rng_state(state)
    assert torch.equal(torch.randn(20), second)
    assert torch.equal((torch.manual_seed(5), torch.rand(3))[1], first)


def test_generators_are_independent():
    g = torch.Generator().manual_seed(3)
    assert g.device == torch.device("cpu")
    assert g.initial_seed() == 3
    assert torch.Generator().initial_seed() == 67280421310721
    before = torch.get_rng_state()
    mine = torch.rand(2, generator=g)
    assert torch.equal(torch.get_rng_state(), before)
    twin = torch.Generator().manual_seed(3)
    assert torch.equal(torch.rand(2, generator=twin), mine)
    assert torch.equal(torch.rand(2, generator=twin.clone_state()), torch.rand(2, generator=g))
    other = torch.Generator().set_state(g.get_state())
    assert torch.equal(torch.randperm(9, generator=other), torch.randperm(9, generator=g))


def test_fork_rng_leaves_no_trace():
    before = torch.get_rng_state()
    with torch.random.fork_rng():
        torch.manual_seed(9)
        torch.rand(3)
    assert torch.equal(torch.get_rng_state(), before)
    with torch.random.fork_rng(enabled=False):
        torch.rand(1)
    assert not torch.equal(torch.get_rng_state(), before)


def test_fork_rng_restores_after_an_error():
    before = torch.get_rng_state()
    with pytest.raises(KeyError), torch.random.fork_rng():
        torch.rand(3)
        raise KeyError
    assert torch.equal(torch.get_rng_state(), before)


def test_seed_changes_the_seed():
    assert torch.seed() == torch.initial_seed() != torch.seed()


def test_dtypes_and_strides():
    x = torch.ones(3, 2, dtype=torch.float64).t()
    assert torch.rand_like(x).dtype is torch.float64 and torch.randn_like(x).stride() == (1, 2)
    assert torch.randint(3, (2,)).dtype is torch.int64 and torch.randint_like(x, 3).dtype is torch.float64
    assert torch.rand(2, dtype=torch.complex64).dtype is torch.complex64
    assert torch.randperm(3, dtype=torch.int32).dtype is torch.int32
    assert torch.rand(2, requires_grad=True).requires_grad
    assert torch.randn(()).shape == ()
    assert torch.rand(size=(2, 0)).shape == torch.randn(2, 0).shape == (2, 0)


def test_ranges_of_integers():
    assert (
        set(torch.randint(2, 5, (200,)).tolist())
        == {2, 3, 4}
        == set(torch.randint(low=2, high=5, size=(200,)).tolist())
    )
    assert set(torch.empty(200).random_(2, 5).tolist()) == {2, 3, 4}
    assert set(torch.empty(200).random_(2).tolist()) == {0, 1}
    assert set(torch.randint_like(torch.ones(200), 2, 5).tolist()) == {2, 3, 4}
    assert sorted(torch.randperm(50).tolist()) == list(range(50))


DRAWS = {
    "uniform_": ((2.0, 6.0), 4.0, 16 / 12), "normal_": ((3.0, 2.0), 3.0, 4.0), "exponential_": ((0.5,), 2.0, 4.0),
    "geometric_": ((0.25,), 4.0, 12.0), "bernoulli_": ((0.3,), 0.3, 0.21), "log_normal_": ((0.0, 0.5), np.exp(0.125), (np.exp(0.25) - 1) * np.exp(0.25)),
    "random_": ((0, 11), 5.0, 10.0),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWS)
def test_moments_of_draws_in_place(name):
    arguments, mean, variance = DRAWS[name]
    x = torch.empty(20000, dtype=torch.float64)
    assert getattr(x, name)(*arguments) is x and x._version == 1
    assert abs(x.numpy().mean() - mean) < 6 * (variance / 20000) ** 0.5
    assert abs(x.numpy().var() / variance - 1) < 0.2


def test_cauchy_has_its_median_and_quartiles():
    x = torch.empty(20000).cauchy_(1.0, 2.0).numpy()
    np.testing.assert_allclose(np.quantile(x, [0.25, 0.5, 0.75]), [-1, 1, 3], atol=0.15)


def test_distributions_by_tensors():
    rate = torch.full((20000,), 3.0)
    assert abs(torch.poisson(rate).numpy().mean() - 3) < 0.1
    assert abs(torch.bernoulli(rate / 10).numpy().mean() - 0.3) < 0.03
    assert abs(torch.binomial(rate + 7, rate / 10).numpy().mean() - 3) < 0.1
    assert abs(torch.normal(rate, 2.0).numpy().std() - 2) < 0.1
    assert abs(torch.normal(3.0, rate).numpy().std() - 3) < 0.1
    assert torch.normal(torch.zeros(2, 1), torch.ones(3)).shape == (2, 3)
    assert torch.normal(0.0, 1.0, (2, 3)).shape == (2, 3)
    picks = torch.multinomial(torch.tensor([1.0, 0.0, 3.0]), 8000, replacement=True)
    assert abs(picks.numpy().mean() / 2 - 0.75) < 0.03
    assert sorted(torch.multinomial(torch.ones(2, 3), 3)[1].tolist()) == [0, 1, 2]


@pytest.mark.parametrize(
    "name, arguments",
    [("uniform_", ()), ("normal_", ()), ("bernoulli_", ()), ("exponential_", ()), ("random_", ())],
)
def test_draws_in_place_cut_the_gradient(name, arguments):
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    getattr(y, name)(*arguments)
    assert type(y.grad_fn).__name__.startswith(name.rstrip("_").capitalize() + "Backward")
    (y * 3).sum().backward()
    assert x.grad.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "function", [torch.bernoulli, torch.poisson, lambda p: torch.normal(p, 1.0), lambda p: torch.normal(p, p)]
)
def test_draws_by_tensors_have_gradient_zero(function):
    p = torch.full((3,), 0.5, requires_grad=True)
    function(p).sum().backward()
    assert p.grad.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "expression, error, message",
    [
        ("torch.rand(2, dtype=torch.int64)", NotImplementedError, "not implemented for 'Long'"),
        ("torch.randint(5, 3, (2,))", RuntimeError, "random_ expects 'from' to be less than 'to', but got from=5 >= to=3"),
        ("torch.randint(2.5, (2,))", TypeError, "must be int, not float"),
        ("torch.randint(3)", TypeError, "invalid combination of arguments"),
        ("torch.randperm(-1)", RuntimeError, "Trying to create tensor with negative dimension -1"),
        ("torch.rand(2, generator=3)", TypeError, r"got \(int, generator=int\), but expected one of"),
        ("torch.normal(1.0, 2.0)", TypeError, "invalid combination of arguments"),
        ("torch.manual_seed(2**70)", ValueError, "Overflow when unpacking long long"),
        ("torch.set_rng_state(3)", TypeError, "expected a torch.ByteTensor, but got int"),
        ("torch.set_rng_state(torch.zeros(3))", TypeError, "RNG state must be a torch.ByteTensor"),
        ("torch.Generator('cuda')", AssertionError, "CUDA"),
        ("torch.empty(3).uniform_(2, 1)", RuntimeError, r"uniform_ expects to return a \[from, to\) range, but found from=2 > to=1"),
        ("torch.empty(3).normal_(0, -1)", RuntimeError, "normal expects std >= 0.0, but found std -1"),
        ("torch.empty(3).bernoulli_(2)", RuntimeError, r"bernoulli_ expects p to be in \[0, 1\], but got p=2"),
        ("torch.empty(3).exponential_(-1)", RuntimeError, "exponential_ expects lambda > 0.0, but found lambda=-1"),
        ("torch.empty(3).geometric_(2)", RuntimeError, "geometric_ expects p to be in"),
        ("torch.multinomial(torch.ones(2), 3)", RuntimeError, "cannot sample n_sample > prob_dist.size"),
        ("torch.ones(3).expand(2, 3).uniform_()", RuntimeError, "more than one element of the written-to tensor refers to a single memory"),
        ("torch.ones(3, requires_grad=True).normal_()", RuntimeError, "a leaf Variable that requires grad"),
    ],
)  # fmt: skip
def test_errors_in_pytorch_s_words(expression, error, message):
    with pytest.raises(error, match=message):
        eval(expression)


# Sequences of calls ----------------------------------------------------------------------------------------------------------

#: Calls with {d}, a floating dtype, {i}, any real one, {s}, a shape, {n} and {p}, numbers, {g}, the default generator or another.
CALLS = """
torch.rand({s}, dtype=torch.{d}{g})
torch.randn({s}, dtype=torch.{d}{g})
torch.rand_like(torch.zeros({s}, dtype=torch.{d}).mT)
torch.randn_like(torch.zeros({s}, dtype=torch.{d}).mT)
torch.randint(-3, 2**40, {s}{g})
torch.randint(7, {s}, dtype=torch.{i}{g})
torch.randint_like(torch.zeros({s}, dtype=torch.{i}), 2, 90)
torch.randperm(37{g})
torch.zeros({s}, dtype=torch.{d}).mT.uniform_(-{n}, 2{g})
torch.zeros({s}, dtype=torch.{d})[..., ::2].normal_({n}, {p}{g})
torch.zeros({s}, dtype=torch.{d}).normal_({n}, {p}{g})
torch.zeros({s}, dtype=torch.{i}).random_(0, 100{g})
torch.zeros({s}, dtype=torch.{i}).bernoulli_({p}{g})
torch.zeros({s}, dtype=torch.{i}).bernoulli_(torch.full({s}, {p}, dtype=torch.{d}){g})
torch.bernoulli(torch.full({s}, {p}, dtype=torch.{d}).mT{g})
torch.bernoulli(torch.zeros({s}, dtype=torch.{d}).mT, {p}{g})
torch.zeros({s}, dtype=torch.{d}).exponential_({n}{g})
torch.zeros({s}, dtype=torch.{d}).geometric_(0.5 * {p} + 0.1{g})
torch.zeros({s}, dtype=torch.{d}).cauchy_({n}, {n}{g})
torch.zeros({s}, dtype=torch.{d}).log_normal_({n}, {n}{g})
torch.poisson(torch.full({s}, 20 * {p}, dtype=torch.{d}){g})
torch.binomial(torch.full({s}, 60.0), torch.full({s}, {p}){g})
torch.multinomial(torch.arange(1.0, 9).reshape(2, 4), 3, {p} > 0.5{g})
torch.normal(torch.full({s}, {n}, dtype=torch.{d}), {p}{g})
torch.normal({n}, torch.full({s}, {p}, dtype=torch.{d}){g})
torch.normal(torch.full({s}, {n}, dtype=torch.{d}), torch.full({s}, {p}){g})
torch.normal({n}, {p}, {s}{g})
torch.nn.functional.dropout(torch.ones({s}, dtype=torch.{d}).mT, {p})
torch.nn.functional.alpha_dropout(torch.ones({s}, dtype=torch.{d}), {p}, True)
torch.nn.functional.rrelu(-torch.ones({s}), training=True)
torch.nn.functional.gumbel_softmax(torch.zeros({s}), hard=True) > 0.5
torch.nn.init.trunc_normal_(torch.zeros({s}).mT, {n}, 1.0, 0.0, 2.0{g})
torch.nn.init.kaiming_normal_(torch.zeros({s}){g})
torch.get_rng_state()
g.get_state()
g.set_state(torch.get_rng_state()).get_state()
(torch.set_rng_state(g.get_state()), torch.rand(1))[1]
torch.tensor(g.manual_seed(int(100 * {n})).initial_seed())
""".strip().splitlines()
REAL = ["float16", "bfloat16", "float32", "float64"]
SHAPES = [(1, 1), (3, 5), (2, 8), (4, 4), (17, 1), (2, 3, 4), (5, 25), (1, 640)]


@st.composite
def calls(draw):
    return draw(st.sampled_from(CALLS)).format(
        d=draw(st.sampled_from(REAL)),
        i=draw(st.sampled_from([*REAL, "bool", "uint8", "int8", "int16", "int32", "int64"])),
        s=draw(st.sampled_from(SHAPES)),
        n=draw(st.sampled_from([0.3, 1.0, 2.5])),
        p=draw(st.sampled_from([0.0, 0.3, 0.5, 1.0])),
        g=draw(st.sampled_from(["", ", generator=g"])),
    )


def answers(torch, seed, sequence):
    """The bytes that each call gives, or the exception's class; then both generators' states."""
    torch.manual_seed(seed)
    names = {"torch": torch, "g": torch.Generator().manual_seed(seed + 1)}
    found = []
    for call in sequence:
        try:
            out = eval(call, names)
            wide = out.double() if out.dtype in (torch.bfloat16, torch.float16) else out
            found.append((str(out.dtype), tuple(out.shape), wide.contiguous().numpy().tobytes()))
        except (RuntimeError, ValueError) as error:
            found.append(type(error))
    return [*found, torch.get_rng_state().tolist(), names["g"].get_state().tolist()]


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
@settings(max_examples=150)
@given(seed=st.integers(0, 2**40), sequence=st.lists(calls(), min_size=1, max_size=10))
def test_sequences_of_public_calls_agree_with_torch(seed, sequence):
    theirs = pytest.importorskip("torch")
    pytest.importorskip("ml_dtypes")
    mine, expected = answers(torch, seed, sequence), answers(theirs, seed, sequence)
    for call, one, other in zip([*sequence, "default state", "state"], mine, expected):
        assert one == other, call


def test_draws_without_a_derivative_say_so():
    x = torch.full((2,), 0.5, requires_grad=True)
    for draw, name in ((torch.bernoulli(x, 0.5), "bernoulli"), (torch.binomial(x * 4, x), "binomial")):
        with pytest.raises(RuntimeError, match=f"derivative for aten::{name} is not implemented"):
            draw.sum().backward()


def test_gradients_of_normal_have_the_dtypes_of_its_operands():
    mean = torch.ones(3, 1, dtype=torch.float16, requires_grad=True)
    std = torch.ones(4, dtype=torch.float64, requires_grad=True)
    draw = torch.normal(mean, std)
    assert draw.dtype is torch.float16 and draw.shape == (3, 4)
    of_mean, of_std = torch.autograd.grad(draw.sum(), (mean, std))
    assert of_mean.dtype is torch.float16 and of_mean.shape == (3, 1) and not of_mean.any()
    assert of_std.dtype is torch.float64 and of_std.shape == (4,) and not of_std.any()
