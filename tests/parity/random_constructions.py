"""Random calls of classes, as Python expressions that both libraries evaluate: for ``random_calls.py``.

Modules are made and called, optimizers take a step, distributions are asked for samples, densities and moments.  Most arguments fit; some are wrong, of the
class or of what is done with the object.
"""

import inspect

import torch

from tests.parity.random_arguments import Call, in_order, own
from tests.parity.signatures import Parameter, kind_of

#: Classes of ``nn``: arguments that they need -> shapes of what they are called with, as in ``random_arguments.SHAPES``.
MODULES = """
Linear: 3, 2 -> *3
Bilinear: 3, 2, 4 -> n3, n2
Conv1d: 2, 3, 2 -> ?25
Conv2d: 2, 4, (2, 1) -> n244
Conv3d: 2, 2, 2 -> n2333
ConvTranspose1d: 2, 3, 2 -> ?25
ConvTranspose2d: 2, 4, (2, 1) -> n244
ConvTranspose3d: 2, 2, 2 -> n2333
MaxPool1d: 2 -> ?25
MaxPool2d: (2, 1) -> ?244
MaxPool3d: 2 -> ?2444
AvgPool1d: 2 -> ?25
AvgPool2d: (2, 1) -> ?244
AvgPool3d: 2 -> ?2444
AdaptiveAvgPool1d: 2 -> ?25
AdaptiveAvgPool2d: (2, None) -> ?244
AdaptiveMaxPool1d: 2 -> ?25
AdaptiveMaxPool2d: (2, None) -> ?244
LPPool1d: 2, 2 -> ?25
LPPool2d: 2, (2, 1) -> ?244
FractionalMaxPool2d: 2, 2 -> n255
BatchNorm1d: 2 -> n2s
BatchNorm2d: 2 -> n2ss
BatchNorm3d: 2 -> n2sss
InstanceNorm1d: 2 -> ?2s
InstanceNorm2d: 2 -> n2ss
GroupNorm: 2, 4 -> n4s
LayerNorm: 3 -> *3
RMSNorm: (3,) -> *3
LocalResponseNorm: 2 -> n3s
Embedding: 4, 3 -> class:n
EmbeddingBag: 4, 3 -> class:ns
RNN: 3, 2 -> sn3
GRU: 3, 2 -> sn3
LSTM: 3, 2 -> sn3
RNNCell: 3, 2 -> n3
GRUCell: 3, 2 -> n3
LSTMCell: 3, 2 -> n3
MultiheadAttention: 4, 2 -> sn4, sn4, sn4
TransformerEncoderLayer: 4, 2, 8 -> sn4
Flatten: -> n2s
Unflatten: 1, (2, -1) -> n4
Fold: (3, 3), 2 -> n44
Unfold: 2 -> n244
PixelShuffle: 2 -> n4ss
PixelUnshuffle: 2 -> n244
ChannelShuffle: 2 -> n4ss
Upsample: -> n2ss
ZeroPad2d: 1 -> n2ss
ConstantPad1d: (1, 2), 0.5 -> n2s
ReflectionPad1d: 1 -> n2s
ReplicationPad2d: (1, 0, 1, 1) -> n2ss
CircularPad1d: 1 -> n2s
Dropout: -> *n
Dropout1d: -> n2s
Dropout2d: -> n2ss
AlphaDropout: -> *n
FeatureAlphaDropout: -> n2s
CosineSimilarity: -> nk, nk
PairwiseDistance: -> nk, nk
CELU: -> *n
ELU: -> *n
GELU: -> *n
GLU: -> n4
Hardshrink: -> *n
Hardsigmoid: -> *n
Hardswish: -> *n
Hardtanh: -> *n
LeakyReLU: -> *n
LogSigmoid: -> *n
LogSoftmax: -> nk
Mish: -> *n
PReLU: -> nk
ReLU: -> *n
ReLU6: -> *n
RReLU: -> *n
SELU: -> *n
SiLU: -> *n
Sigmoid: -> *n
Softmax: -> nk
Softmax2d: -> ncss
Softmin: -> nk
Softplus: -> *n
Softshrink: -> *n
Softsign: -> *n
Tanh: -> *n
Tanhshrink: -> *n
Threshold: 0.5, 0.0 -> *n
Identity: -> *n
AdaptiveLogSoftmaxWithLoss: 3, 5, (2, 3) -> n3, class:n
BCELoss: -> unit:*n, unit:*n
BCEWithLogitsLoss: -> *n, unit:*n
CosineEmbeddingLoss: -> nk, nk, sign:n
CrossEntropyLoss: -> n4, class:n
GaussianNLLLoss: -> *n, *n, positive:*n
HingeEmbeddingLoss: -> *n, sign:*n
HuberLoss: -> *n, *n
KLDivLoss: -> *n, unit:*n
L1Loss: -> *n, *n
MSELoss: -> *n, *n
MarginRankingLoss: -> *n, *n, sign:*n
MultiLabelMarginLoss: -> n4, class:n4
MultiLabelSoftMarginLoss: -> n4, class:n4
MultiMarginLoss: -> n4, class:n
NLLLoss: -> n4, class:n
PoissonNLLLoss: -> *n, positive:*n
SmoothL1Loss: -> *n, *n
SoftMarginLoss: -> *n, sign:*n
TripletMarginLoss: -> nk, nk, nk
"""
#: Classes of ``distributions``: their parameters -> a value.
DISTRIBUTIONS = """
Bernoulli: unit:*n -> bool:*n
Beta: positive:*n, positive:*n -> unit:*n
Binomial: class:*n, unit:*n -> class:*n
Categorical: positive:*3 -> class:*
Cauchy: *n, positive:*n -> *n
Chi2: positive:*n -> positive:*n
ContinuousBernoulli: unit:*n -> unit:*n
Dirichlet: positive:*n -> unit:*n
Exponential: positive:*n -> positive:*n
FisherSnedecor: positive:*n, positive:*n -> positive:*n
Gamma: positive:*n, positive:*n -> positive:*n
Geometric: unit:*n -> class:*n
Gumbel: *n, positive:*n -> *n
HalfCauchy: positive:*n -> positive:*n
HalfNormal: positive:*n -> positive:*n
InverseGamma: positive:*n, positive:*n -> positive:*n
Kumaraswamy: positive:*n, positive:*n -> unit:*n
Laplace: *n, positive:*n -> *n
LogNormal: *n, positive:*n -> positive:*n
LogisticNormal: *n, positive:*n -> unit:*n
Multinomial: 3, positive:*3 -> class:*3
MultivariateNormal: *n, spd:nn -> *n
LowRankMultivariateNormal: n, nk, positive:n -> n
NegativeBinomial: class:*n, unit:*n -> class:*n
Normal: *n, positive:*n -> *n
OneHotCategorical: positive:*3 -> bool:*3
Pareto: positive:*n, positive:*n -> positive:*n
Poisson: positive:*n -> class:*n
RelaxedBernoulli: 0.5, unit:*n -> unit:*n
StudentT: positive:*n -> *n
Uniform: *n, 5.0 -> *n
VonMises: *n, positive:*n -> *n
Weibull: positive:*n, positive:*n -> positive:*n
"""
#: What is asked of a distribution.
DONE = (
    "mean", "variance", "stddev", "mode", "entropy()", "sample()", "sample((2,))", "batch_shape", "event_shape", "log_prob({})", "log_prob({})", "cdf({})",
    "expand((2, 3))",
)  # fmt: skip
OPTIMIZERS = (
    "ASGD Adadelta Adafactor Adagrad Adam AdamW Adamax LBFGS Muon NAdam RAdam RMSprop Rprop SGD SparseAdam"
).split()


def rows_of(table):
    """A table as a dictionary: name -> (texts of arguments, patterns of operands)."""
    found = {}
    for line in table.strip().splitlines():
        name, _, rest = line.partition(": ")
        given, _, operands = rest.partition("-> ")
        found[name] = (split_arguments(given), operands.split(", "))
    return found


def split_arguments(text):
    """The arguments of a call, one by one; those in parentheses stay together."""
    found, depth = [""], 0
    for letter in text.strip():
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found if part.strip()]


ROWS = {
    **{f"torch.nn.{name}": row for name, row in rows_of(MODULES).items()},
    **{f"torch.distributions.{name}": row for name, row in rows_of(DISTRIBUTIONS).items()},
    **{f"torch.optim.{name}": (["PARAMS"], []) for name in OPTIMIZERS},
}


def constructions():
    """Full name of a class -> its overloads, of which there is one: the parameters that may be left out."""
    found = {}
    for name, (given, _) in ROWS.items():
        cls = torch
        for part in name.split(".")[1:]:
            cls = getattr(cls, part)
        parameters = [
            p
            for p in inspect.signature(cls).parameters.values()
            if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        ]
        found[name] = [[optional(p) for p in parameters[len(given) :] if p.default is not p.empty]]
    return found


def optional(p):
    """A parameter that may be left out, by its default, or by its annotation where that is None."""
    kind = {bool: "bool", int: "int", float: "float", str: "str"}.get(type(p.default))
    if isinstance(p.default, tuple):
        kind = "List[float]"
    return Parameter(p.name, kind or kind_of(p.annotation) or "Optional[Tensor]", True, True, 2)


class Construction(Call):
    """One random call of a class, and of the object that it makes."""

    def text(self, name, overloads):
        r = self.random
        self.in_place = False
        self.dtype = r.choice(("float32", "float32", "float32", "float64", self.dtype))
        place, _, short = name.rpartition(".")
        needed, operands = ROWS[name]
        given = [
            [None, self.operand(a) if place == "torch.distributions" else self.needed(a)] for a in needed
        ]
        given += [[p.name, self.argument(p, None, short)] for p in overloads[0] if self.chance(0.2)]
        inputs = [[None, self.operand(pattern)] for pattern in operands]
        if self.chance(0.4):
            self.spoil(given if self.chance(0.6) or not inputs else inputs)
        made = f"{name}({written(given)})"
        if place == "torch.optim":
            return f"STEP({made})" if self.chance(0.6) else made
        if place == "torch.distributions":
            return f"{made}.{r.choice(DONE).format(written(inputs))}"
        return f"{made}({written(inputs)})" if self.chance(0.7) else made

    def needed(self, text):
        """An argument that a class needs."""
        return f"[{self.tensor('params', None, 'float32')}.requires_grad_()]" if text == "PARAMS" else text

    def operand(self, pattern):
        """The text of a tensor of a pattern, or of what is no pattern."""
        if pattern[0].isdigit() and not pattern.isdigit():
            return pattern  # a number
        return self.tensor("x", {"x": pattern})

    def integer(self, name):
        return str(self.random.choice((0, 1, 1, 2, 2, 3, -1)))


def written(given):
    """Arguments as the text of a call."""
    return ", ".join(text if key is None else f"{own(key)}={text}" for key, text in in_order(given))
