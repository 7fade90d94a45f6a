"""What random programs (``programs.py``) are made of beside plain operators: distributions, loaders, checkpoints, transforms, modules, optimizers.

The creations of ``MAKE_MORE`` and ``COMPOSED`` are functions of (library, tensor a, tensor b, small number k), as those of ``steps.py``.
"""

import copy
import io

import torch

import minigrad
from tests.parity.steps import recorded

# Distributions --------------------------------------------------------------------------------------------------------------


def positive(t):
    return t.abs() + 0.5


def between(t):
    return t.sigmoid() * 0.9 + 0.05


#: Distributions of two real tensors, from the library's module.
DISTRIBUTIONS = {
    "Normal": lambda d, a, b: d.Normal(a, positive(b)),
    "Laplace": lambda d, a, b: d.Laplace(a, positive(b)),
    "Gumbel": lambda d, a, b: d.Gumbel(a, positive(b)),
    "LogNormal": lambda d, a, b: d.LogNormal(a.tanh(), between(b)),
    "Uniform": lambda d, a, b: d.Uniform(a, a + positive(b)),
    "Exponential": lambda d, a, b: d.Exponential(positive(a)),
    "Gamma": lambda d, a, b: d.Gamma(positive(a), positive(b)),
    "Beta": lambda d, a, b: d.Beta(positive(a), positive(b)),
    "Dirichlet": lambda d, a, b: d.Dirichlet(positive(a)),
    "Bernoulli": lambda d, a, b: d.Bernoulli(logits=a),
    "Bernoulli_probs": lambda d, a, b: d.Bernoulli(between(a)),
    "Categorical": lambda d, a, b: d.Categorical(logits=a),
    "OneHot": lambda d, a, b: d.OneHotCategoricalStraightThrough(logits=a),
    "Poisson": lambda d, a, b: d.Poisson(between(a)),
    "Geometric": lambda d, a, b: d.Geometric(between(a)),
    "Independent": lambda d, a, b: d.Independent(d.Normal(a, positive(b)), 1),
    "Transformed": lambda d, a, b: d.TransformedDistribution(
        d.Normal(a.tanh(), between(b)), [d.TanhTransform(), d.AffineTransform(1.0, 2.0)]
    ),
    "Mixture": lambda d, a, b: d.MixtureSameFamily(d.Categorical(logits=a), d.Normal(a, positive(b))),
    "MultivariateNormal": lambda d, a, b: d.MultivariateNormal(
        a[..., 0], covariance_matrix=a @ a.mT + a.new_ones(a.size(-2)).diag()
    ),
}


def real(*ts):
    return not any(t.is_complex() for t in ts)


def distributed(name):
    """A creation: what the distribution draws, its logarithm's probability of that, and its entropy."""

    def step(lib, a, b, k):
        if not real(a, b) or not a.numel() or not b.numel() or (name == "MultivariateNormal" and a.dim() < 2):
            return None
        lib.manual_seed(k)
        d = DISTRIBUTIONS[name](lib.distributions, a, b)
        drawn = d.rsample() if d.has_rsample else d.sample()
        if k == 2:
            return drawn
        return drawn, (d.log_prob(drawn.detach()) if k else d.entropy())

    return step


def divergence(lib, a, b, k):
    d = lib.distributions
    return d.kl_divergence(d.Normal(a, positive(b)), d.Normal(b, positive(a))) if real(a, b) else None


# Functions of tensors ---------------------------------------------------------------------------------------------------------


def from_loader(shuffle):
    """A creation: the first batch of a loader of ``a`` and ``b``."""

    def step(lib, a, b, k):
        data = lib.utils.data
        if a.is_inference() or b.is_inference():
            return None  # PyTorch's samples of them are views of nothing
        lib.manual_seed(k)
        batches = data.DataLoader(
            data.TensorDataset(a.detach(), b.detach()), batch_size=k + 1, shuffle=shuffle
        )
        return tuple(next(iter(batches)))

    return step


def from_dataset(made):
    """A creation: what two turns of a loader over a dataset of ``a`` give, by a way of ``made`` that data is taken."""

    def step(lib, a, b, k):
        if a.is_inference() or b.is_inference() or not a.size(0):
            return None
        lib.manual_seed(k)
        batches = list(made(lib, lib.utils.data, a.detach(), k))
        return tuple(
            t for batch in batches[:2] for t in (batch.values() if isinstance(batch, dict) else batch)
        )

    return step


def weighted(lib, data, a, k):
    sampler = data.WeightedRandomSampler([1.0 + i for i in range(len(a))], 3)
    return data.DataLoader(data.TensorDataset(a), batch_size=2, sampler=sampler, drop_last=k == 1)


def split(lib, data, a, k):
    first, second = data.random_split(data.TensorDataset(a), [1, len(a) - 1])
    return data.DataLoader(data.ConcatDataset([second, first, second]), batch_size=k + 1)


def mappings(lib, data, a, k):
    return data.DataLoader(
        [
            {"row": row, "place": i, "first": row.reshape(-1)[0].item()}
            for i, row in enumerate(a)
            if row.numel()
        ],
        batch_size=k + 1,
    )


def streamed(lib, data, a, k):
    class Rows(data.IterableDataset):
        def __iter__(self):
            return iter(a.unbind(0))

    return ([batch] for batch in data.DataLoader(Rows(), batch_size=None if k == 2 else k + 1))


def joined(lib, data, a, k):
    return [
        data.default_collate([(row, row * 2) for row in a]),
        data.default_convert([a.numpy(force=True).copy()]),
    ]


def checkpointed(reentrant):
    def step(lib, a, b, k):
        def block(x, y):
            return (x.sin() * y).tanh()

        return lib.utils.checkpoint.checkpoint(block, a, b, use_reentrant=reentrant)

    return step


def saved(lib, a, b, k):
    """What comes back of a file."""
    file = io.BytesIO()
    lib.save({"it": a if k == 0 and recorded(lib) else a.detach()}, file)
    file.seek(0)
    return lib.load(file)["it"]


def rows(lib, t):
    """The places of the rows of ``t`` in another order."""
    return lib.arange(t.size(0) - 1, -1, -1)


#: Creations that are one operator, or the same few, in both libraries.
MAKE_MORE = {
    "batch": from_loader(False),
    "shuffled": from_loader(True),
    **{f"data_{made.__name__}": from_dataset(made) for made in (weighted, split, mappings, streamed, joined)},
    "saved": saved,
    "deepcopy": lambda lib, a, b, k: copy.deepcopy(a if recorded(lib) else a.detach()),
    "parameter": lambda lib, a, b, k: lib.nn.Parameter(a.detach().clone(), requires_grad=real(a) and k != 1 and recorded(lib)),
    "heard": lambda lib, a, b, k: a.as_subclass(HEARD[lib]),
    "heard_no_more": lambda lib, a, b, k: a.as_subclass(lib.Tensor),
    "to_meta": lambda lib, a, b, k: a.to("meta"),
    "meta_like": lambda lib, a, b, k: lib.empty_like(a, device="meta", requires_grad=k == 1 and real(a) and recorded(lib)),
    # complex numbers
    "polar": lambda lib, a, b, k: lib.polar(a, b),
    "vdot": lambda lib, a, b, k: lib.vdot(a.reshape(-1), b.reshape(-1)),
    # functions of networks
    "softmax": lambda lib, a, b, k: lib.nn.functional.softmax(a, -1),
    "log_softmax": lambda lib, a, b, k: lib.nn.functional.log_softmax(a, 0),
    "gelu": lambda lib, a, b, k: lib.nn.functional.gelu(a),
    "softplus": lambda lib, a, b, k: lib.nn.functional.softplus(a, beta=k + 1),
    "dropout": lambda lib, a, b, k: nothing_but(lib.manual_seed(k), lib.nn.functional.dropout(a, 0.25 * k)),
    "layer_norm": lambda lib, a, b, k: lib.nn.functional.layer_norm(a, a.shape[-1:]),
    "normalize": lambda lib, a, b, k: lib.nn.functional.normalize(a, dim=0),
    "cross_entropy": lambda lib, a, b, k: (
        lib.nn.functional.cross_entropy(a, lib.zeros(a.size(0), dtype=lib.int64)) if a.dim() == 2 else None
    ),
    "binary_cross_entropy": lambda lib, a, b, k: lib.nn.functional.binary_cross_entropy_with_logits(a, b),
    "pad": lambda lib, a, b, k: lib.nn.functional.pad(a, (1, k)),
    "embedding": lambda lib, a, b, k: lib.nn.functional.embedding(rows(lib, a), a),
    # of complex tensors a convolution is one node here, in PyTorch several
    "conv1d": lambda lib, a, b, k: lib.nn.functional.conv1d(a[None], b[..., None]) if a.dim() == b.dim() == 2 and real(a, b) else None,
    "avg_pool1d": lambda lib, a, b, k: lib.nn.functional.avg_pool1d(a, 2) if a.dim() == 2 else None,
    "pairwise": lambda lib, a, b, k: lib.nn.functional.cosine_similarity(a, b, dim=0),
    "randn_like": lambda lib, a, b, k: nothing_but(lib.manual_seed(k), lib.randn_like(a)),
    "multinomial": lambda lib, a, b, k: (
        nothing_but(lib.manual_seed(k), lib.multinomial(a.detach().abs() + 0.1, 1)) if a.dim() == 2 and real(a) else None
    ),
}  # fmt: skip


#: Creations that are composed of several operators, by each library in its way.
COMPOSED = {
    "conv1d_complex": lambda lib, a, b, k: lib.nn.functional.conv1d(a[None], b[..., None]) if a.dim() == b.dim() == 2 else None,
    **{name: distributed(name) for name in DISTRIBUTIONS},
    "kl_divergence": divergence,
    "checkpoint": checkpointed(False),
    "checkpoint_reentrant": checkpointed(True),
    "parameters_to_vector": lambda lib, a, b, k: lib.nn.utils.parameters_to_vector([a, b]),
    "angle": lambda lib, a, b, k: lib.complex(positive(a), b).angle() if a.dtype == b.dtype and real(a) else None,
    # of a negative view PyTorch takes the largest of what is in memory, if nothing is recorded
    "max_pool1d": lambda lib, a, b, k: (
        lib.nn.functional.max_pool1d(a, 2, 1) if a.dim() == 2 and real(a) and not a.is_neg() else None
    ),
    "irfft": lambda lib, a, b, k: lib.fft.irfft(a, n=3, dim=0),
    "fft": lambda lib, a, b, k: lib.fft.fft(a, dim=0),
    "mse_loss": lambda lib, a, b, k: lib.nn.functional.mse_loss(a, b),
    "smooth_l1_loss": lambda lib, a, b, k: lib.nn.functional.smooth_l1_loss(a, b, reduction=("mean", "sum", "none")[k]),
    "func_grad": lambda lib, a, b, k: lib.func.grad(lambda x: (x.sin() * x * b).sum())(a),
    "func_vmap": lambda lib, a, b, k: lib.func.vmap(lambda x, y: (x * y).sum())(a, b),
    "func_vmap_grad": lambda lib, a, b, k: lib.func.vmap(lib.func.grad(lambda x: x.square().sum()), in_dims=k)(a),
    "func_jvp": lambda lib, a, b, k: lib.func.jvp(lambda x: x.sin() * x, (a,), (b,)) if a.dtype == b.dtype else None,
    "func_vjp": lambda lib, a, b, k: lib.func.vjp(lambda x: x.sin() * x, a)[1](b)[0] if a.dtype == b.dtype else None,
    "func_jacrev": lambda lib, a, b, k: lib.func.jacrev(lambda x: x.square().sum(0))(a) if a.numel() < 10 else None,
    "jacobian": lambda lib, a, b, k: (
        lib.autograd.functional.jacobian(lambda x: x.square().sum(0), a, create_graph=k == 1) if a.numel() < 10 else None
    ),
}  # fmt: skip


def nothing_but(_, result):
    """The second argument: the first was done for its effect."""
    return result


# A subclass of tensors ----------------------------------------------------------------------------------------------------------


def heard_class(lib, names):
    class Heard(lib.Tensor):
        """Tensors of which each function that is called with one is noted."""

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            names.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})

    return Heard


#: The names of the functions that ``Heard`` tensors of each library were given to.
HEARD_NAMES = {torch: [], minigrad: []}
HEARD = {lib: heard_class(lib, names) for lib, names in HEARD_NAMES.items()}


# Modules and optimizers -----------------------------------------------------------------------------------------------------------

#: Modules for rows of three numbers, from the library.
MODULES = {
    "linear": lambda lib: lib.nn.Linear(3, 3),
    "mlp": lambda lib: lib.nn.Sequential(lib.nn.Linear(3, 4), lib.nn.Tanh(), lib.nn.Dropout(0.5), lib.nn.Linear(4, 3)),
    "layer_norm": lambda lib: lib.nn.LayerNorm(3),
    "batch_norm": lambda lib: lib.nn.BatchNorm1d(3),
    "prelu": lambda lib: lib.nn.PReLU(),
    "gru_cell": lambda lib: lib.nn.GRUCell(3, 3),
    "lstm": lambda lib: lib.nn.LSTM(3, 3),
    "rnn": lambda lib: lib.nn.RNN(3, 3, nonlinearity="relu"),
    "weight_norm": lambda lib: lib.nn.utils.parametrizations.weight_norm(lib.nn.Linear(3, 3)),
    "spectral_norm": lambda lib: lib.nn.utils.parametrizations.spectral_norm(lib.nn.Linear(3, 3)),
    "attention": lambda lib: lib.nn.MultiheadAttention(3, 3),
    "encoder": lambda lib: lib.nn.TransformerEncoderLayer(3, 3, 4, dropout=0.0),
    "group_norm": lambda lib: lib.nn.GroupNorm(1, 3),
}  # fmt: skip


def apply(name, module, x):
    """What a module of ``MODULES`` gives."""
    return module(x, x, x) if name == "attention" else module(x)


def flattened(result):
    """The tensors of nested tuples."""
    if not isinstance(result, tuple):
        return (result,)
    return tuple(t for each in result for t in flattened(each))


#: Optimizers of some parameters, from the library's module.
OPTIMIZERS = {
    "SGD": lambda optim, ps: optim.SGD(ps, lr=0.1),
    "momentum": lambda optim, ps: optim.SGD(ps, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01),
    "Adam": lambda optim, ps: optim.Adam(ps, lr=0.1),
    "AdamW": lambda optim, ps: optim.AdamW(ps, lr=0.1, amsgrad=True),
    "RMSprop": lambda optim, ps: optim.RMSprop(ps, lr=0.1, centered=True, momentum=0.5),
    "Adagrad": lambda optim, ps: optim.Adagrad(ps, lr=0.1),
    "Adadelta": lambda optim, ps: optim.Adadelta(ps),
    "Adamax": lambda optim, ps: optim.Adamax(ps, lr=0.1),
    "NAdam": lambda optim, ps: optim.NAdam(ps, lr=0.1),
    "RAdam": lambda optim, ps: optim.RAdam(ps, lr=0.1),
    "Rprop": lambda optim, ps: optim.Rprop(ps, lr=0.1),
    "ASGD": lambda optim, ps: optim.ASGD(ps, lr=0.1),
    "LBFGS": lambda optim, ps: optim.LBFGS(ps, lr=0.1, max_iter=2),
}
