"""What is refused, in which words; and what is said of distributions that do not say enough of themselves."""

import warnings

import pytest

import minigrad as torch
from minigrad import distributions as d
from minigrad.distributions import Distribution, constraints

#: (what is done, the exception, the beginning of its message)
REFUSED = [
    (lambda d, m: d.Normal("a", 1.0), "ValueError", "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."),
    (lambda d, m: d.Normal(m.zeros(3), m.ones(2)), "RuntimeError", "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0"),
    (lambda d, m: d.Normal(0.0, -1.0), "ValueError", "Expected parameter scale (Tensor of shape ()) of distribution Normal(loc: 0.0, scale: -1.0) to satisfy the constraint GreaterThan(lower_bound=0.0), but found invalid values:\n-1.0"),
    (lambda d, m: d.Normal(0.0, float("nan")), "ValueError", "Expected parameter scale"),
    (lambda d, m: d.Normal(0.0, m.tensor([1.0, -1.0])), "ValueError", "Expected parameter scale (Tensor of shape (2,)) of distribution Normal(loc: torch.Size([2]), scale: torch.Size([2])) to satisfy the constraint GreaterThan(lower_bound=0.0), but found invalid values:\ntensor([ 1., -1.])"),
    (lambda d, m: d.Uniform(1.0, 0.0), "ValueError", "Expected parameter low"),
    (lambda d, m: d.Normal(0.0, 1.0).log_prob(3.0), "ValueError", "The value argument to log_prob must be a Tensor"),
    (lambda d, m: d.Normal(m.zeros(2), 1.0).log_prob(m.zeros(3)), "ValueError", "Value is not broadcastable with batch_shape+event_shape: torch.Size([3]) vs torch.Size([2])."),
    (lambda d, m: d.Dirichlet(m.ones(2)).log_prob(m.ones(3) / 3), "ValueError", "The right-most size of value must match event_shape: torch.Size([3]) vs torch.Size([2])."),
    (lambda d, m: d.Bernoulli(0.5).log_prob(m.tensor(0.5)), "ValueError", "Expected value argument (Tensor of shape ()) to be within the support (Boolean()) of the distribution Bernoulli(probs: 0.5), but found invalid values:\n0.5"),
    (lambda d, m: d.Bernoulli(), "ValueError", "Either `probs` or `logits` must be specified, but not both."),
    (lambda d, m: d.Categorical(m.ones(2), m.ones(2)), "ValueError", "Either `probs` or `logits` must be specified, but not both."),
    (lambda d, m: d.Categorical(m.tensor(1.0)), "ValueError", "`probs` parameter must be at least one-dimensional."),
    (lambda d, m: d.Categorical(logits=m.tensor(1.0)), "ValueError", "`logits` parameter must be at least one-dimensional."),
    (lambda d, m: d.ContinuousBernoulli(1.5, validate_args=True), "ValueError", "The parameter probs has invalid values"),
    (lambda d, m: d.Dirichlet(m.tensor(1.0)), "ValueError", "`concentration` parameter must be at least one-dimensional."),
    (lambda d, m: d.Geometric(0.0), "ValueError", "Expected parameter probs (Tensor of shape ()) of distribution Geometric(probs: 0.0) to be positive but found invalid values:"),
    (lambda d, m: d.Multinomial(m.tensor(3), m.ones(2)), "NotImplementedError", "inhomogeneous total_count is not supported"),
    (lambda d, m: d.Binomial(m.tensor([1, 2]), m.ones(2) / 2).entropy(), "NotImplementedError", "Inhomogeneous total count not supported by `entropy`."),
    (lambda d, m: d.Binomial(m.tensor([1, 2]), m.ones(2) / 2).enumerate_support(), "NotImplementedError", "Inhomogeneous total count not supported by `enumerate_support`."),
    (lambda d, m: d.MultivariateNormal(m.zeros(2)), "ValueError", "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."),
    (lambda d, m: d.MultivariateNormal(m.tensor(0.0), m.eye(1)), "ValueError", "loc must be at least one-dimensional."),
    (lambda d, m: d.MultivariateNormal(m.zeros(2), m.ones(2)), "ValueError", "covariance_matrix must be at least two-dimensional, with optional leading batch dimensions"),
    (lambda d, m: d.MultivariateNormal(m.zeros(2), scale_tril=m.ones(2)), "ValueError", "scale_tril matrix must be at least two-dimensional, with optional leading batch dimensions"),
    (lambda d, m: d.MultivariateNormal(m.zeros(2), -m.eye(2)), "ValueError", "Expected parameter covariance_matrix (Tensor of shape (2, 2)) of distribution MultivariateNormal(loc: torch.Size([2]), covariance_matrix: torch.Size([2, 2])) to satisfy the constraint PositiveDefinite(), but found invalid values:"),
    (lambda d, m: d.LowRankMultivariateNormal(m.tensor(0.0), m.eye(2), m.ones(2)), "ValueError", "loc must be at least one-dimensional."),
    (lambda d, m: d.LowRankMultivariateNormal(m.zeros(2), m.ones(2), m.ones(2)), "ValueError", "cov_factor must be at least two-dimensional, with optional leading batch dimensions"),
    (lambda d, m: d.LowRankMultivariateNormal(m.zeros(2), m.ones(3, 1), m.ones(2)), "ValueError", "cov_factor must be a batch of matrices with shape 2 x m"),
    (lambda d, m: d.LowRankMultivariateNormal(m.zeros(2), m.ones(2, 1), m.ones(3)), "ValueError", "cov_diag must be a batch of vectors with shape torch.Size([2])"),
    (lambda d, m: d.LowRankMultivariateNormal(m.zeros(3, 2), m.ones(2, 2, 1), m.ones(2)), "ValueError", "Incompatible batch shapes: loc torch.Size([3, 2]), cov_factor torch.Size([2, 2, 1]), cov_diag torch.Size([2])"),
    (lambda d, m: d.Wishart(4.0), "AssertionError", "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."),
    (lambda d, m: d.Wishart(4.0, m.ones(2)), "ValueError", "scale_tril must be at least two-dimensional, with optional leading batch dimensions"),
    (lambda d, m: d.Wishart(0.5, m.eye(2)), "ValueError", "Value of df=0.5 expected to be greater than ndim - 1 = 1."),
    (lambda d, m: d.LKJCholesky(1), "ValueError", "Expected dim to be an integer greater than or equal to 2. Found dim=1."),
    (lambda d, m: d.Independent(d.Normal(0.0, 1.0), 1), "ValueError", "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual 1 vs 0"),
    (lambda d, m: d.Independent(d.Bernoulli(m.ones(2)), 1).enumerate_support(), "NotImplementedError", "Enumeration over cartesian product is not implemented"),
    (lambda d, m: d.TransformedDistribution(d.Normal(0.0, 1.0), "exp"), "ValueError", "transforms must be a Transform or list, but was exp"),
    (lambda d, m: d.TransformedDistribution(d.Normal(0.0, 1.0), ["exp"]), "ValueError", "transforms must be a Transform or a list of Transforms"),
    (lambda d, m: d.TransformedDistribution(d.Normal(0.0, 1.0), d.StickBreakingTransform()), "ValueError", "base_distribution needs to have shape with size at least 1, but got torch.Size([])."),
    (lambda d, m: d.MixtureSameFamily(d.Normal(0.0, 1.0), d.Normal(m.zeros(2), 1.0)), "ValueError", " The Mixture distribution needs to be an  instance of torch.distributions.Categorical"),
    (lambda d, m: d.MixtureSameFamily(d.Categorical(m.ones(2)), "normal"), "ValueError", "The Component distribution needs to be an instance of torch.distributions.Distribution"),
    (lambda d, m: d.MixtureSameFamily(d.Categorical(m.ones(3)), d.Normal(m.zeros(2), 1.0)), "ValueError", "`mixture_distribution component` (3) does not equal `component_distribution.batch_shape[-1]` (2)"),
    (lambda d, m: d.MixtureSameFamily(d.Categorical(m.ones(3, 2)), d.Normal(m.zeros(2, 2), 1.0)), "ValueError", "`mixture_distribution.batch_shape` (torch.Size([3])) is not compatible with `component_distribution.batch_shape`(torch.Size([2]))"),
    (lambda d, m: d.kl_divergence(d.Normal(0.0, 1.0), d.Cauchy(0.0, 1.0)), "NotImplementedError", "No KL(p || q) is implemented for p type Normal and q type Cauchy"),
    (lambda d, m: d.kl_divergence(d.Binomial(2, m.ones(1) / 2), d.Binomial(3, m.ones(1) / 2)), "NotImplementedError", "KL between Binomials where q.total_count > p.total_count is not implemented"),
    (lambda d, m: d.Distribution.set_default_validate_args(3), "ValueError", ""),
    (lambda d, m: d.Distribution(validate_args=False).expand((2,)), "NotImplementedError", ""),
    (lambda d, m: d.Beta(1.0, 1.0).cdf(m.tensor(0.5)), "NotImplementedError", ""),
    (lambda d, m: d.AffineTransform(0, 1, cache_size=2), "ValueError", "cache_size must be 0 or 1"),
    (lambda d, m: d.ReshapeTransform((2,), (3,)), "ValueError", "in_shape, out_shape have different numbers of elements"),
    (lambda d, m: d.ReshapeTransform((2,), (2, 1)).forward_shape((3,)), "ValueError", "Shape mismatch: expected (3,) but got torch.Size([2])"),
    (lambda d, m: d.ReshapeTransform((2,), (2, 1)).inverse_shape((3,)), "ValueError", "Too few dimensions on input"),
    (lambda d, m: d.IndependentTransform(d.ExpTransform(), 1)(m.tensor(1.0)), "ValueError", "Too few dimensions on input"),
    (lambda d, m: d.CorrCholeskyTransform().forward_shape((2,)), "ValueError", "Input is not a flattened lower-diagonal number"),
    (lambda d, m: d.CorrCholeskyTransform().inverse_shape((2, 3)), "ValueError", "Input is not square"),
    (lambda d, m: d.StickBreakingTransform().event_dim, None, ""),
    (lambda d, m: d.CorrCholeskyTransform().event_dim, "ValueError", "Please use either .domain.event_dim or .codomain.event_dim"),
    (lambda d, m: d.CatTransform([d.ExpTransform()], lengths=[1, 2]), "AssertionError", "lengths (2) must match transforms (1)"),
    (lambda d, m: d.CatTransform([d.ExpTransform()])(m.ones(2)), "AssertionError", "x.size(0) = 2 must equal length 1"),
    (lambda d, m: d.StackTransform(["exp"]), "AssertionError", "All elements of tseq must be Transform instances"),
    (lambda d, m: d.StackTransform([d.ExpTransform()], 1)(m.ones(2)), "AssertionError", "dim 1 out of range for tensor with 1 dimensions"),
    (lambda d, m: d.StackTransform([d.ExpTransform()])(m.ones(2)), "AssertionError", "x.size(0) = 2 must equal len(transforms) 1"),
    (lambda d, m: d.ExpTransform().log_abs_det_jacobian(m.ones(1), m.ones(1)), None, ""),
    (lambda d, m: d.AbsTransform().log_abs_det_jacobian(m.ones(1), m.ones(1)), "NotImplementedError", ""),
    (lambda d, m: d.AbsTransform().sign, "NotImplementedError", ""),
    (lambda d, m: d.biject_to(d.constraints.integer_interval(0, 1)), "NotImplementedError", "Cannot transform _IntegerInterval constraints"),
    (lambda d, m: d.biject_to.register(int, print), "TypeError", "Expected constraint to be either a Constraint subclass or instance, but got <class 'int'>"),
    (lambda d, m: d.constraints.dependent.check(m.ones(1)), "ValueError", "Cannot determine validity of dependent constraint"),
    (lambda d, m: d.constraints.dependent.is_discrete, "NotImplementedError", ".is_discrete cannot be determined statically"),
    (lambda d, m: d.constraints.dependent.event_dim, "NotImplementedError", ".event_dim cannot be determined statically"),
    (lambda d, m: d.constraints.independent("real", 1), "AssertionError", "base_constraint must be a Constraint, got str"),
    (lambda d, m: d.constraints.independent(d.constraints.real, -1), "AssertionError", "reinterpreted_batch_ndims must be >= 0, got -1"),
    (lambda d, m: d.constraints.independent(d.constraints.real, 1.0), "AssertionError", "reinterpreted_batch_ndims must be an int, got float"),
    (lambda d, m: d.constraints.independent(d.constraints.real, 2).check(m.ones(1)), "ValueError", "Expected value.dim() >= 2 but got 1"),
    (lambda d, m: d.constraints.cat([d.constraints.real], lengths=[1, 2]), "AssertionError", "lengths (2) must match cseq (1)"),
    (lambda d, m: d.constraints.stack([d.constraints.real], 1).check(m.ones(1)), "AssertionError", "dim 1 out of range for value with 1 dimensions"),
    (lambda d, m: d.constraints.stack(["real"]), "AssertionError", "All elements of cseq must be Constraint instances"),
    (lambda d, m: d.utils.tril_matrix_to_vec(m.eye(2), 2), "ValueError", "diag (2) provided is outside [-2, 1]."),
    (lambda d, m: d.utils.vec_to_tril_matrix(m.ones(2)), "ValueError", "The size of last dimension is 2 which cannot be expressed as the lower triangular part of a square D x D matrix."),
    (lambda d, m: d.register_kl(1, d.Normal), "TypeError", ""),
]  # fmt: skip


def refusal(action, module, library):
    try:
        action(module, library)
    except Exception as error:
        return type(error).__name__, str(error)
    return None, ""


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refusals(number):
    action, kind, message = REFUSED[number]
    found, text = refusal(action, d, torch)
    assert found == kind
    assert text.startswith(message)


@pytest.mark.torch
@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refusals_are_pytorchs(number):
    library = pytest.importorskip("torch")
    library.distributions.Distribution.set_default_validate_args(
        True
    )  # what PyTorch compiles switches them off
    action, kind, message = REFUSED[number]
    found, text = refusal(action, library.distributions, library)
    assert found == kind
    assert text.startswith(message)


# Switching checks off ----------------------------------------------------------------------------------------


def test_checks_can_be_switched_off():
    assert d.Normal(0.0, -1.0, validate_args=False).scale == -1
    assert d.Bernoulli(0.5, validate_args=False).log_prob(torch.tensor(0.5)) < 0
    Distribution.set_default_validate_args(False)
    try:
        assert d.Normal(0.0, -1.0).scale == -1
        with pytest.raises(ValueError, match="Expected parameter scale"):
            d.Normal(0.0, -1.0, validate_args=True)
    finally:
        Distribution.set_default_validate_args(True)
    with pytest.raises(ValueError, match="Expected parameter scale"):
        d.Normal(0.0, -1.0)


def test_an_expanded_distribution_checks_values_as_the_first_one_did():
    wide = d.Bernoulli(0.5, validate_args=False).expand((2,))
    assert wide.log_prob(torch.tensor(0.5)).shape == (2,)
    with pytest.raises(ValueError, match="within the support"):
        d.Bernoulli(0.5).expand((2,)).log_prob(torch.tensor(0.5))


def test_parameters_that_are_computed_are_not_checked():
    coin = d.Bernoulli(logits=torch.tensor([0.0]))
    assert "probs" not in coin.__dict__
    assert coin.probs == 0.5
    assert "probs" in coin.__dict__


class Silent(Distribution):
    """Says nothing of itself."""

    def log_prob(self, value):
        self._validate_sample(value)
        return value


def test_a_distribution_without_constraints_warns():
    with pytest.warns(UserWarning, match="does not define `arg_constraints`"):
        silent = Silent()
    with pytest.warns(UserWarning, match="does not define `support`"):
        silent.log_prob(torch.ones(1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Silent(validate_args=False)


def test_sample_n_is_deprecated():
    with pytest.warns(FutureWarning, match="sample_n"):
        assert d.Normal(0.0, 1.0).sample_n(2).shape == (2,)


def test_low_degrees_of_freedom_are_warned_of():
    with pytest.warns(UserWarning, match="Low df values detected"):
        d.Wishart(1.5, torch.eye(2))


def test_constraints_of_a_class_are_dependent():
    assert constraints.is_dependent(d.Uniform.support)
    assert not constraints.is_dependent(d.Uniform(0.0, 1.0).support)
    assert d.Uniform.support.event_dim == 0
    with pytest.raises(NotImplementedError):
        d.MixtureSameFamily.support.event_dim
    known = constraints.dependent(is_discrete=True)(event_dim=1)
    assert (known.is_discrete, known.event_dim) == (True, 1)
