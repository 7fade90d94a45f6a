"""Random operations inside of transforms: refused, the same for all samples, or different for each; and PyTorch's numbers."""

import pytest

import minigrad
from minigrad.func import grad, jvp, vmap
from tests.messages import first_sentence

#: Programs of (torch, x), where x has the shape (2,); they draw whatever x is.
DRAWS = {
    "rand": lambda torch, x: torch.rand(2),
    "randn": lambda torch, x: torch.randn(2, dtype=torch.float64),
    "many": lambda torch, x: torch.randn(20),
    "scalar": lambda torch, x: torch.rand(()),
    "randint": lambda torch, x: torch.randint(0, 10, (2,)),
    "randperm": lambda torch, x: torch.randperm(5),
    "normal": lambda torch, x: torch.normal(0.0, 1.0, (2,)),
    "rand_like": lambda torch, x: torch.rand_like(x),
    "randn_like": lambda torch, x: torch.randn_like(x),
    "randint_like": lambda torch, x: torch.randint_like(x, 10),
    "like an outer tensor": lambda torch, x: torch.rand_like(torch.ones(3)),
    "dropout": lambda torch, x: torch.nn.functional.dropout(x, 0.5),
    "dropout of an outer tensor": lambda torch, x: torch.nn.functional.dropout(torch.ones(3), 0.5),
    "feature_dropout": lambda torch, x: torch.feature_dropout(x.reshape(1, 2, 1).expand(1, 2, 3), 0.5, True),
    "alpha_dropout": lambda torch, x: torch.nn.functional.alpha_dropout(x, 0.5, True),
    "module": lambda torch, x: torch.nn.Dropout(0.5)(x),
    "attention": lambda torch, x: torch.nn.functional.scaled_dot_product_attention(
        x.reshape(1, 1, 2),
        x.reshape(1, 1, 2).expand(1, 3, 2),
        x.reshape(1, 1, 2).expand(1, 3, 2),
        dropout_p=0.5,
    ),
    "fractional_max_pool2d": lambda torch, x: torch.nn.functional.fractional_max_pool2d(
        torch.arange(32.0).reshape(1, 1, 4, 8) * x[0], (2, 2), output_size=(2, 3)
    ),
    "bernoulli of an outer tensor": lambda torch, x: torch.bernoulli(torch.ones(4) / 2),
    "multinomial of an outer tensor": lambda torch, x: torch.multinomial(torch.ones(4), 2),
    "gumbel_softmax": lambda torch, x: torch.nn.functional.gumbel_softmax(x),
    "uniform_": lambda torch, x: x.clone().uniform_(1, 3),
    "normal_": lambda torch, x: x.clone().normal_(),
    "bernoulli_": lambda torch, x: x.clone().bernoulli_(0.4),
    "bernoulli_ by tensor": lambda torch, x: x.clone().bernoulli_(torch.tensor([0.3, 0.6])),
    "random_": lambda torch, x: x.clone().random_(3, 9),
    "exponential_": lambda torch, x: x.clone().exponential_(),
    "geometric_": lambda torch, x: x.clone().geometric_(0.4),
    "cauchy_": lambda torch, x: x.clone().cauchy_(),
    "log_normal_": lambda torch, x: x.clone().log_normal_(),
    "generator": lambda torch, x: torch.rand(2, generator=torch.Generator().manual_seed(3)),
    "init": lambda torch, x: torch.nn.init.uniform_(x.clone()),
}

#: Draws whose distribution x decides: there is no drawing the same for different samples.
DECIDED = {
    "bernoulli": lambda torch, x: torch.bernoulli(x / 10),
    "bernoulli by number": lambda torch, x: torch.bernoulli(x, 0.5),
    "normal of means": lambda torch, x: torch.normal(x, 1.0),
    "normal of deviations": lambda torch, x: torch.normal(0.0, x),
    "normal of both": lambda torch, x: torch.normal(torch.ones(2), x),
    "poisson": lambda torch, x: torch.poisson(x),
    "binomial": lambda torch, x: torch.binomial(x, x / 10),
    "multinomial": lambda torch, x: torch.multinomial(x, 2),
    "multinomial with replacement": lambda torch, x: torch.multinomial(x, 3, replacement=True),
    "multinomial of rows": lambda torch, x: torch.multinomial(torch.stack([x, x + 1]), 1),
    "bernoulli_ by a batch": lambda torch, x: x.clone().bernoulli_(x / 10),
}

ALL = {**DRAWS, **DECIDED}


def batch(torch):
    return torch.arange(6.0).reshape(3, 2) + 1


@pytest.mark.parametrize("name", ALL)
def test_error_mode_refuses(name):
    with pytest.raises(RuntimeError, match="called random operation while in randomness error mode"):
        vmap(lambda x: ALL[name](minigrad, x))(batch(minigrad))


@pytest.mark.parametrize("name", DECIDED)
def test_the_same_for_different_samples_is_refused(name):
    with pytest.raises(
        RuntimeError, match="Vmap does not currently support same randomness with a batched tensor"
    ):
        vmap(lambda x: DECIDED[name](minigrad, x), randomness="same")(batch(minigrad))


def test_the_same_numbers_for_all_samples():
    z = vmap(lambda x: x * 0 + minigrad.rand(2), randomness="same")(batch(minigrad))
    assert minigrad.equal(z[0], z[1]) and minigrad.equal(z[0], z[2])


def test_different_numbers_are_those_of_one_larger_draw():
    z = vmap(lambda x: minigrad.randn(2), randomness="different")(batch(minigrad))
    minigrad.manual_seed(0)
    assert minigrad.equal(z, minigrad.randn(3, 2))


def test_levels_decide_each_for_itself():
    x = minigrad.ones(3, 4)
    z = vmap(vmap(lambda x: minigrad.rand(2), randomness="same"), randomness="different")(x)
    assert minigrad.equal(z[:, 0], z[:, 3]) and not minigrad.equal(z[0], z[1])
    z = vmap(vmap(lambda x: minigrad.rand(2), randomness="different"), randomness="same")(x)
    assert minigrad.equal(z[0], z[2]) and not minigrad.equal(z[0, 0], z[0, 1])
    with pytest.raises(RuntimeError, match="randomness error mode"):
        vmap(vmap(lambda x: minigrad.rand(2), randomness="different"))(x)


def test_different_numbers_do_not_fit_into_one_tensor():
    with pytest.raises(
        RuntimeError, match="Cannot ask for different inplace randomness on an unbatched tensor"
    ):
        vmap(lambda x: minigrad.empty(2).normal_(), randomness="different")(batch(minigrad))
    z = vmap(lambda x: minigrad.empty(2).normal_(), randomness="same")(batch(minigrad))
    assert minigrad.equal(z[0], z[1])


def test_out_is_refused():
    with pytest.raises(RuntimeError, match="out variants of random operations"):
        vmap(lambda x: minigrad.rand(2, out=minigrad.empty(2)), randomness="same")(batch(minigrad))


def test_same_numbers_in_all_chunks():
    z = vmap(lambda x: minigrad.rand(2), randomness="same", chunk_size=2)(batch(minigrad))
    assert minigrad.equal(z[0], z[2])


def test_dropout_has_one_mask_for_value_and_tangent():
    x = minigrad.ones(100)
    value, tangent = jvp(lambda x: minigrad.dropout(x, 0.5, True), (x,), (x * 3,))
    assert 0 < (value == 0).sum() < 100
    assert minigrad.equal(tangent, value * 3)


def test_draws_have_no_gradient():
    x = minigrad.tensor([0.2, 0.7])
    assert minigrad.equal(grad(lambda x: minigrad.bernoulli(x).sum())(x), minigrad.zeros(2))
    _, tangent = jvp(lambda x: x.clone().normal_(), (x,), (x,))
    assert minigrad.equal(tangent, minigrad.zeros(2))


def test_rrelu_draws_for_each_sample():
    x = -minigrad.ones(3, 50)
    slopes = -vmap(lambda x: minigrad.rrelu(x, 0.1, 0.3, True), randomness="different")(x)
    assert ((slopes >= 0.1) & (slopes < 0.3)).all() and len(slopes.unique()) == 150
    minigrad.manual_seed(0)
    assert minigrad.equal(-slopes, minigrad.rrelu(x, 0.1, 0.3, True))
    minigrad.manual_seed(0)
    assert minigrad.equal(
        -slopes, vmap(lambda x: minigrad.rrelu_(x.clone(), 0.1, 0.3, True), randomness="different")(x)
    )


def test_random_tensor_like_a_transposed_one():
    z = vmap(lambda x: minigrad.rand_like(x.T), randomness="different")(minigrad.ones(2, 3, 4))
    assert z.shape == (2, 4, 3) and len(z.unique()) == 24


# Beside PyTorch --------------------------------------------------------------------------------------------------------------


def outcome(torch, program):
    """What a program comes to in torch or in minigrad: nested lists of numbers, or the error."""
    torch.manual_seed(0)
    try:
        results = program()
    except RuntimeError as error:
        return first_sentence(str(error))
    return [x.tolist() for x in (results if isinstance(results, tuple) else (results,))]


def transformed(torch, draw):
    """The same draw under several transforms, by name."""
    vmap, jvp, grad = torch.func.vmap, torch.func.jvp, torch.func.grad

    def f(x):
        return draw(torch, x)

    def total(x):
        return draw(torch, x).double().sum()

    x = batch(torch)
    return {
        "error": lambda: vmap(f)(x),
        "different": lambda: vmap(f, randomness="different")(x),
        "same": lambda: vmap(f, randomness="same")(x),
        "chunks": lambda: vmap(f, randomness="same", chunk_size=2)(x),
        "grad": lambda: grad(total)(x[0]),
        "jvp": lambda: jvp(f, (x[0],), (x[1],)),
        "vmap of grad": lambda: vmap(grad(total), randomness="different")(x),
        "vmap of jvp": lambda: vmap(lambda x: jvp(f, (x,), (x,)), randomness="different")(x),
        "jvp of vmap": lambda: jvp(vmap(f, randomness="different"), (x,), (x,)),
        "inside of an outer batch": lambda: vmap(
            lambda _: vmap(f, randomness="different")(x), randomness="same"
        )(torch.ones(2)),
    }


#: What PyTorch refuses, for want of a formula, where nothing speaks against it here.
REFUSED_THERE = {
    ("randint_like", "jvp"), ("randint_like", "vmap of jvp"), ("randint_like", "jvp of vmap"),
    *[(name, how) for name in ("bernoulli by number", "binomial")
      for how in ("grad", "jvp", "vmap of grad", "vmap of jvp", "jvp of vmap")],
}  # fmt: skip


@pytest.mark.torch
@pytest.mark.filterwarnings(
    "ignore:.*torch.jit.script. is:DeprecationWarning"
)  # PyTorch's own, where it uses forward mode
@pytest.mark.filterwarnings("ignore:There is a performance drop:UserWarning")
@pytest.mark.parametrize("name", ALL)
def test_as_pytorch(name):
    torch = pytest.importorskip("torch")
    ours, theirs = transformed(minigrad, ALL[name]), transformed(torch, ALL[name])
    for how in ours:
        if (name, how) in REFUSED_THERE:
            continue
        found, expected = outcome(minigrad, ours[how]), outcome(torch, theirs[how])
        if isinstance(expected, str):
            assert found == expected, how
        else:
            for z, wanted in zip(found, expected, strict=True):
                assert (
                    z == pytest.approx(wanted, rel=1e-5) if not isinstance(wanted, list) else close(z, wanted)
                ), how


def close(z, wanted):
    """Whether nested lists of numbers are close."""
    if isinstance(wanted, list):
        return len(z) == len(wanted) and all(map(close, z, wanted))
    return z == pytest.approx(wanted, rel=1e-5, abs=1e-6)
