"""Every row of the table gives what PyTorch gives: draws for the same seed, densities, moments, gradients, texts and refusals."""

import warnings

import numpy as np
import pytest

import minigrad
from minigrad import distributions
from tests.distributions.table import ROWS

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.torch,
    pytest.mark.filterwarnings("ignore:Singular sample detected"),  # PyTorch says so of all
]

TOLERANCE = {"float32": {"rtol": 3e-5, "atol": 3e-6}, "float64": {"rtol": 1e-8, "atol": 1e-9}}


class Pair:
    """A row in both libraries."""

    def __init__(self, row, dtype, requires_grad=False):
        numbers = row.name.endswith(("number", "numbers"))  # as parameters: of the default dtype
        self.row, self.dtype = row, "float32" if numbers else dtype
        theirs, self.their_parameters = row.built(torch, torch.distributions, dtype, requires_grad)
        ours, self.our_parameters = row.built(minigrad, distributions, dtype, requires_grad)
        self.libraries = [(torch, theirs, self.their_parameters), (minigrad, ours, self.our_parameters)]

    def both(self, compute):
        """``compute(library, distribution, parameters)`` in both, or the name of the exception; raises if one refuses alone."""
        found = []
        for library, distribution, parameters in self.libraries:
            try:
                found.append(compute(library, distribution, parameters))
            except (NotImplementedError, ValueError) as error:
                found.append(type(error).__name__)
        return found

    def agree(self, compute, what="", exact=False, **tolerance):
        want, got = self.both(compute)
        if not isinstance(want, torch.Tensor):
            assert got == want, what
            return want, got
        assert tuple(got.shape) == tuple(want.shape), what
        want_array, got_array = want.detach().numpy(), got.detach().numpy()
        assert got_array.dtype == want_array.dtype, what
        if exact:
            np.testing.assert_array_equal(got_array, want_array, err_msg=what)
        else:
            np.testing.assert_allclose(
                got_array, want_array, **{**TOLERANCE[self.dtype], **tolerance}, err_msg=what
            )
        return want, got

    def values(self, shape=(3, 5)):
        """Draws of PyTorch's, to be given to both."""
        torch.manual_seed(1)
        return self.libraries[0][1].sample(shape).numpy()


def drawn(shape, seed=3, method="sample"):
    def draw(library, distribution, parameters):
        library.manual_seed(seed)
        return getattr(distribution, method)(shape)

    return draw


def gradients(compute):
    """The gradients of all parameters of a weighted sum, one behind the other; ``zero`` where there is none."""

    def differentiate(library, distribution, parameters):
        out = compute(library, distribution, parameters)
        weights = np.cos(np.arange(out.numel())).reshape(tuple(out.shape))
        total = (out * library.tensor(weights, dtype=out.dtype)).sum()
        if not parameters or not total.requires_grad:
            return "nothing to differentiate"
        found = library.autograd.grad(total, parameters, allow_unused=True)
        return library.cat(
            [(p * 0 if g is None else g).reshape(-1) for p, g in zip(parameters, found)]
        ).detach()

    return differentiate


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_draws_are_those_of_the_same_seed(row, dtype):
    pair = Pair(row, dtype)
    for shape in ((), (4,), (2, 9)):
        exact = not row.rounded
        near = {"rtol": 1e-3, "atol": 1e-4} if "LKJ" in row.name and dtype == "float32" else {}
        pair.agree(drawn(shape), f"sample({shape})", exact=exact, **near)
        assert pair.both(lambda library, *_: bytes(library.get_rng_state().numpy()))[:1] == [
            bytes(minigrad.get_rng_state().numpy())
        ], "the generators have gone on alike"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_properties(row, dtype):
    pair = Pair(row, dtype)
    for name in ("mean", "mode", "variance", "stddev"):
        if name not in row.torch_differs.split():
            pair.agree(lambda library, d, _, name=name: getattr(d, name), name, rtol=3e-5)
    pair.agree(lambda library, d, _: d.entropy(), "entropy", rtol=3e-5)
    pair.agree(lambda library, d, _: d.perplexity(), "perplexity", rtol=3e-5)
    pair.agree(lambda library, d, _: d.enumerate_support(), "enumerate_support", exact=True)
    pair.agree(lambda library, d, _: d.enumerate_support(expand=False), "without expansion", exact=True)
    for shown in (
        repr,
        lambda d: repr(d.support),
        lambda d: repr(d.arg_constraints),
        lambda d: (tuple(d.batch_shape), tuple(d.event_shape), d.has_rsample, d.has_enumerate_support),
        lambda d: (d.support.event_dim, d.support.is_discrete),
    ):
        pair.agree(lambda library, d, _, shown=shown: shown(d))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_densities_and_distribution_functions(row, dtype):
    if row.needs_scipy:
        pytest.importorskip("scipy")
    pair = Pair(row, dtype)
    values = pair.values()
    probabilities = np.linspace(0.02, 0.98, values.size).reshape(values.shape).astype(values.dtype)
    differs = dtype == "float64" and row.torch_differs.split()
    near = {"rtol": 1e-4, "atol": 1e-3} if "LogisticNormal" in row.name and dtype == "float32" else {}
    if "VonMises" in row.name:
        near = {"rtol": 3e-5, "atol": 3e-6}  # PyTorch's Bessel function has seven digits
    for name, given in (("log_prob", values), ("cdf", values), ("icdf", probabilities)):
        if not (differs and name in differs):
            pair.agree(
                lambda library, d, _, name=name, given=given: getattr(d, name)(library.tensor(given)),
                name,
                **near,
            )


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_gradients_of_densities(row):
    if "log_prob" in row.torch_differs.split():
        pytest.skip("PyTorch refuses float64")
    pair = Pair(row, "float64", requires_grad=True)
    values = pair.values()
    near = {"rtol": 1e-5, "atol": 1e-5} if "VonMises" in row.name else {}
    pair.agree(gradients(lambda library, d, _: d.log_prob(library.tensor(values))), **near)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_gradients_of_entropies(row):
    Pair(row, "float64", requires_grad=True).agree(gradients(lambda library, d, _: d.entropy()), rtol=1e-6)


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.built(minigrad, distributions)[0].has_rsample], ids=str
)
def test_gradients_of_draws(row):
    if "rsample" in row.torch_differs.split():
        pytest.skip("PyTorch's draws cannot be differentiated")
    pair = Pair(row, "float64", requires_grad=True)
    # PyTorch's derivatives of gamma and Dirichlet draws are rational approximations of three to four digits
    near = {} if row.exact_gradient else {"rtol": 3e-3, "atol": 3e-3}
    pair.agree(gradients(drawn((20,), method="rsample")), "rsample", **near)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_expanded(row):
    pair = Pair(row, "float64")

    def expanded(library, d, _):
        return d.expand((2, *d.batch_shape))

    pair.agree(lambda *all: repr(expanded(*all)))
    values = pair.values((2,))
    pair.agree(lambda library, d, p: drawn((3,))(library, expanded(library, d, p), p), exact=not row.rounded)
    near = {"rtol": 1e-6, "atol": 1e-7} if "VonMises" in row.name else {}
    if "log_prob" not in row.torch_differs.split():
        pair.agree(
            lambda library, d, p: expanded(library, d, p).log_prob(library.tensor(values)), "log_prob", **near
        )


def test_divergences_of_all_pairs():
    compared = 0
    for p in ROWS:
        for q in ROWS:
            results = []
            for library, module in ((torch, torch.distributions), (minigrad, distributions)):
                try:
                    both = p.built(library, module)[0], q.built(library, module)[0]
                    results.append(module.kl_divergence(*both).detach().numpy())
                except (NotImplementedError, IndexError) as refusal:
                    results.append(type(refusal).__name__)
            want, got = results
            if isinstance(want, str):
                assert want == "IndexError" or str(got) == want, (p, q)  # PyTorch's masks do not broadcast
                continue
            if {p.name, q.name} & {"Wishart batch", "Wishart factor"}:
                continue  # PyTorch adds up the batch
            full = {"ContinuousBernoulli", "Uniform"}
            if {p.name.split()[0], q.name.split()[0]} == full:
                want, got = (
                    want[::2],
                    got[::2],
                )  # of the interval [0, 1] itself PyTorch says that it is outside
            # parameters given as numbers are of float32, and PyTorch computes with these
            rtol = 1e-4 if "number" in p.name + q.name else 1e-8
            np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol / 100, err_msg=f"{p}, {q}")
            compared += 1
    assert compared > 250
    theirs = {(a.__name__, b.__name__) for a, b in torch.distributions.kl._KL_REGISTRY}
    ours = {(a.__name__, b.__name__) for a, b in distributions.kl._KL_REGISTRY}
    assert ours >= theirs


def test_names():
    assert {*distributions.__all__} == {*torch.distributions.__all__}
    for name in ("constraints", "transforms", "constraint_registry", "kl", "utils", "exp_family"):
        theirs, ours = getattr(torch.distributions, name), getattr(distributions, name)
        assert {*ours.__all__} == {*theirs.__all__}, name
    submodules = [name for name in dir(torch.distributions) if name.islower() and name[0] != "_"]
    assert [name for name in submodules if not hasattr(distributions, name)] == []


def test_warnings_of_low_degrees_of_freedom():
    for library, module in ((torch, torch.distributions), (minigrad, distributions)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            module.Wishart(library.tensor(1.5), library.eye(2))
        assert [str(w.message).split(".")[0] for w in caught] == ["Low df values detected"]
