"""What common operations do to a gradient on its way back: a sentence for learners, and the derivative as an expression.

In the expressions ``g`` is the gradient of the result, ``result`` the result, and the other names are those of the operands and parameters of PyTorch's
nodes (``grad_fn._saved_self``).  Operands that were broadcast get the sum over what they were repeated along, which is not written.  The numbers are
real: of complex ones, slopes and factors are conjugated.  Each expression is Python: ``tests/viz/test_formulas.py`` evaluates all of them.
"""

from typing import NamedTuple


class Rule(NamedTuple):
    """What an operation does to a gradient: in words, and as an expression per operand (none where words say more)."""

    words: str
    expressions: dict[str, str]


def _rule(words, **expressions):
    return Rule(words, {name.rstrip("_"): text for name, text in expressions.items()})


def _slope(words, slope):
    return _rule(words, self=f"g * {slope}")


_SHAPE = "only the shape changed, so the gradient gets the shape of the operand back"
_PRODUCT = "each factor gets the gradient times the other factor, transposed"
_LINEAR = (
    "the input gets the gradient through the weights, the weights get the products of gradients and inputs"
)

#: By the label of a node; where several nodes share one, by label and operands, by label and "alpha" where that is a factor, or by the node's name.
RULES = {
    "add": _rule("both summands get the gradient as it is", self="g", other="g"),
    "add(alpha)": _rule(
        "the first summand gets the gradient as it is, the second times its factor",
        self="g",
        other="alpha * g",
    ),
    "sub": _rule(
        "the first operand gets the gradient as it is, the second with the opposite sign",
        self="g",
        other="-g",
    ),
    "sub(alpha)": _rule(
        "the first operand gets the gradient as it is, the second times its factor, with the opposite sign",
        self="g",
        other="-alpha * g",
    ),
    "rsub": _rule("what was subtracted gets the opposite sign", self="-g", other="g"),
    "rsub(alpha)": _rule(
        "what was subtracted gets its factor and the opposite sign", self="-alpha * g", other="g"
    ),
    "mul": _rule("each factor gets the gradient times the other factor", self="g * other", other="g * self"),
    "div": _rule(
        "the numerator gets the gradient divided by the denominator, which itself gets it with the slope of 1 / x",
        self="g / other",
        other="-g * (self / other) / other",
    ),
    "DivBackward2": _rule(
        "the quotient was rounded, and steps have the slope 0: no gradient comes through",
        self="0 * g",
        other="0 * g",
    ),
    "neg": _rule("the sign changes", self="-g"),
    "pow(self)": _slope(
        "the gradient times the slope of the power: the exponent times the power one lower",
        "exponent * self ** (exponent - 1)",
    ),
    "pow": _rule(
        "the base gets the gradient times the slope of the power, the exponent gets it times the result and the logarithm of the base",
        self="g * exponent * self ** (exponent - 1)",
        exponent="g * result * self.log()",
    ),
    "hypot": _rule(
        "each side gets its share of the length", self="g * self / result", other="g * other / result"
    ),
    "atan2": _rule(
        "each coordinate gets the gradient times the slope of the angle",
        self="g * other / (self ** 2 + other ** 2)",
        other="-g * self / (self ** 2 + other ** 2)",
    ),
    "maximum": _rule("the greater operand gets the gradient, the other nothing; equal ones share it"),
    "minimum": _rule("the lesser operand gets the gradient, the other nothing; equal ones share it"),
    "where": _rule(
        "each operand gets the gradient where it was chosen, and nothing elsewhere",
        self="where(condition, g, 0)",
        other="where(condition, 0, g)",
    ),
    "lerp": _rule("the gradient is divided among the two ends by the weight"),
    "addcmul": _rule(
        "the summand gets the gradient as it is, each factor times the other",
        self="g",
        tensor1="g * value * tensor2",
        tensor2="g * value * tensor1",
    ),
    "addcdiv": _rule(
        "the summand gets the gradient as it is, the quotient that of a division",
        self="g",
        tensor1="g * value / tensor2",
        tensor2="-g * value * tensor1 / (tensor2 * tensor2)",
    ),
    # one operand, element by element
    "exp": _slope("the slope of exp is exp itself: the gradient times the result", "result"),
    "exp2": _slope("the slope is the result times log 2", "result * math.log(2)"),
    "expm1": _slope("the slope is that of exp", "(result + 1)"),
    "log": _rule("the slope of log is 1 / x: the gradient divided by the operand", self="g / self"),
    "log2": _rule("the slope is 1 / (x log 2)", self="g / (self * math.log(2))"),
    "log10": _rule("the slope is 1 / (x log 10)", self="g / (self * math.log(10))"),
    "log1p": _rule("the slope is 1 / (x + 1)", self="g / (self + 1)"),
    "sqrt": _rule("the slope of the root is 1 / (2 √x)", self="g / (2 * result)"),
    "rsqrt": _slope("the slope of 1 / √x", "-0.5 * result ** 3"),
    "reciprocal": _slope("the slope of 1 / x is minus the square of the result", "-(result * result)"),
    "abs": _slope(
        "the gradient where the operand is positive, with the opposite sign where it is negative",
        "self.sgn()",
    ),
    "sin": _slope("the slope of the sine is the cosine", "self.cos()"),
    "cos": _slope("the slope of the cosine is minus the sine", "-self.sin()"),
    "tan": _slope("the slope of the tangent", "(1 + result * result)"),
    "asin": _slope("the slope of the arcsine", "(1 - self * self).rsqrt()"),
    "acos": _slope("the slope of the arccosine", "-(1 - self * self).rsqrt()"),
    "atan": _rule("the slope of the arctangent", self="g / (1 + self * self)"),
    "sinh": _slope("the slope of the hyperbolic sine is the hyperbolic cosine", "self.cosh()"),
    "cosh": _slope("the slope of the hyperbolic cosine is the hyperbolic sine", "self.sinh()"),
    "tanh": _slope(
        "the slope of tanh is 1 - z²: nearly 0 where the result is near 1 or -1, where it saturates",
        "(1 - result * result)",
    ),
    "asinh": _slope("the slope of the inverse hyperbolic sine", "(self * self + 1).rsqrt()"),
    "acosh": _slope("the slope of the inverse hyperbolic cosine", "(self * self - 1).rsqrt()"),
    "atanh": _rule("the slope of the inverse hyperbolic tangent", self="g / (1 - self * self)"),
    "sigmoid": _slope(
        "the slope is z (1 - z): at most 1/4, and nearly 0 where the result is near 0 or 1",
        "result * (1 - result)",
    ),
    "erf": _slope("the slope of erf", "2 / math.sqrt(math.pi) * (-self * self).exp()"),
    "sign": _rule("a step has the slope 0: no gradient comes through", self="0 * g"),
    "relu": _slope("the gradient where the result is positive, nothing elsewhere", "(result > 0)"),
    "leaky_relu(self)": _rule(
        "the gradient where the operand is positive, a fraction of it elsewhere",
        self="where(self > 0, g, negative_slope * g)",
    ),
    "elu": _rule("the gradient where the operand is positive, times the slope of an exponential elsewhere"),
    "gelu": _rule("the gradient times the slope of x Φ(x), with Φ the normal distribution function"),
    "silu": _slope("the slope of x sigmoid(x)", "self.sigmoid() * (1 + self * (1 - self.sigmoid()))"),
    "softplus": _rule("the slope of softplus is the sigmoid", self="g * (beta * self).sigmoid()"),
    "log_sigmoid": _slope("the slope of log sigmoid(x) is sigmoid(-x)", "(-self).sigmoid()"),
    "hardtanh": _rule(
        "the gradient where the operand was inside of the range, nothing elsewhere",
        self="where((self > min_val) & (self < max_val), g, 0)",
    ),
    "clamp": _rule("the gradient where the operand was inside of the range, nothing where it was cut off"),
    "clamp_min": _rule("the gradient where the operand was not cut off"),
    "clamp_max": _rule("the gradient where the operand was not cut off"),
    # reductions and what goes along a dimension
    "sum": _rule(
        "every summand gets the same gradient: it is spread back over the elements that were summed"
    ),
    "SumBackward0": _rule(
        "every summand gets the same gradient: it is spread back over the elements that were summed",
        self="g.expand(self.shape)",
    ),
    "mean": _rule("as a sum, divided by the number of elements"),
    "MeanBackward0": _rule(
        "as a sum, divided by the number of elements",
        self="g.expand(self.shape) / self.numel()",
    ),
    "prod": _rule("each factor gets the gradient times the product of all others"),
    "max": _rule("the largest elements get the gradient, all others nothing"),
    "min": _rule("the smallest elements get the gradient, all others nothing"),
    "amax": _rule("the largest elements share the gradient, all others get nothing"),
    "amin": _rule("the smallest elements share the gradient, all others get nothing"),
    "cumsum": _rule(
        "each element gets the sum of the gradients of all later results",
        self="g.flip(dim).cumsum(dim).flip(dim)",
    ),
    "logsumexp": _rule("each element gets its share of the exponentials, times the gradient"),
    "softmax": _rule(
        "the gradient less its mean under the result, times the result",
        self="result * (g - (g * result).sum(dim, keepdim=True))",
    ),
    "log_softmax": _rule(
        "the gradient less the probabilities times its sum",
        self="g - result.exp() * g.sum(dim, keepdim=True)",
    ),
    "linalg_vector_norm": _rule(
        "the gradient in the direction of the operand: for the 2-norm, the operand divided by its length"
    ),
    "var": _rule(
        "each element gets the gradient times twice its distance from the mean, divided by n - correction"
    ),
    "std": _rule("as the variance, divided by twice the result"),
    # products
    "mm": _rule(_PRODUCT, self="g @ mat2.T", mat2="self.T @ g"),
    "bmm": _rule(_PRODUCT + ", matrix by matrix", self="g @ mat2.mT", mat2="self.mT @ g"),
    "mv": _rule(
        "the matrix gets the products of gradients and vector, the vector gets the gradient through the matrix",
        self="g.outer(vec)",
        vec="self.T @ g",
    ),
    "dot": _rule("each vector gets the other, times the gradient", self="g * tensor", tensor="g * self"),
    "addmm": _rule(
        _PRODUCT + ", the summand gets it as it is",
        self="beta * g",
        mat1="alpha * g @ mat2.T",
        mat2="alpha * mat1.T @ g",
    ),
    "baddbmm": _rule(
        _PRODUCT + ", matrix by matrix, the summand gets it as it is",
        self="beta * g",
        batch1="alpha * g @ batch2.mT",
        batch2="alpha * batch1.mT @ g",
    ),
    "linear(bias, mat1, mat2)": _rule(
        _LINEAR + ", the bias gets the sum over the rows", bias="g.sum(0)", mat1="g @ mat2", mat2="g.T @ mat1"
    ),
    "linear(self, mat2)": _rule(_LINEAR, self="g @ mat2", mat2="g.T @ self"),
    "linear(input, weight)": _rule(
        _LINEAR,
        input="g @ weight",
        weight="g.reshape(-1, g.shape[-1]).T @ input.reshape(-1, input.shape[-1])",
    ),
    "linear(bias, input, weight)": _rule(
        _LINEAR + ", the bias gets the sum over all rows",
        bias="g.reshape(-1, g.shape[-1]).sum(0)",
        input="g @ weight",
        weight="g.reshape(-1, g.shape[-1]).T @ input.reshape(-1, input.shape[-1])",
    ),
    "convolution": _rule(
        "the input gets the gradient through the flipped kernels (a transposed convolution), the weights get the products of gradients and windows"
    ),
    # shapes, and parts of tensors
    "view": _rule(_SHAPE, self="g.reshape(self.shape)"),
    "reshape": _rule(_SHAPE, self="g.reshape(self.shape)"),
    "reshape_alias": _rule(_SHAPE, self="g.reshape(self.shape)"),
    "squeeze": _rule(_SHAPE, self="g.reshape(self.shape)"),
    "unsqueeze": _rule(_SHAPE, self="g.reshape(self.shape)"),
    "t": _rule("the gradient is transposed back", self="g.t()"),
    "transpose": _rule("the two dimensions are exchanged back", self="g.transpose(dim0, dim1)"),
    "permute": _rule("the dimensions are put back in their order"),
    "expand": _rule("the gradients of all repetitions are summed"),
    "repeat": _rule("the gradients of all repetitions are summed"),
    "select": _rule("the gradient is put back in its place, among zeros"),
    "slice": _rule("the gradient is put back in its place, among zeros"),
    "index": _rule("the gradient is added at the indices, among zeros; an element taken twice gets both"),
    "index_select": _rule("the gradient is added at the indices, among zeros; a slice taken twice gets both"),
    "gather": _rule("the gradient is added at the indices, among zeros; an element taken twice gets both"),
    "embedding": _rule(
        "each row of the table gets the sum of the gradients of its uses; rows not used get nothing"
    ),
    "masked_fill": _rule("the gradient where nothing was filled in, 0 elsewhere"),
    "split": _rule("the gradients of the pieces are put together again"),
    "unbind": _rule("the gradients of the pieces are put together again"),
    "cat": _rule("each operand gets its part of the gradient"),
    "stack": _rule("each operand gets its part of the gradient"),
    "flip": _rule("the order is reversed back", self="g.flip(dims)"),
    "tril": _rule("the gradient on and below the diagonal, nothing above", self="g.tril(diagonal)"),
    "triu": _rule("the gradient on and above the diagonal, nothing below", self="g.triu(diagonal)"),
    "trace": _rule("the diagonal gets the gradient, all else nothing"),
    "clone": _rule("the gradient as it is", self="g"),
    "to_copy": _rule("the gradient as it is, in the dtype of the operand"),
    "as_strided": _rule("the gradient is put back in the place of the view, among zeros"),
    "AsStrided": _rule("the gradient is put back in the place of the view, among zeros"),
    "CopySlices": _rule(
        "a view was written to: its part of the gradient goes through what was written, the rest passes by"
    ),
    "UndefinedGrad": _rule("no gradient passes"),
    # layers and losses
    "native_layer_norm": _rule(
        "the input gets the gradient less what only moves its mean or scale; weight and bias get sums over the rows"
    ),
    "native_batch_norm": _rule(
        "the input gets the gradient less what only moves a channel's mean or scale; weight and bias get sums over the batch"
    ),
    "max_pool2d": _rule("the largest element of each window gets the gradient, all others nothing"),
    "avg_pool2d": _rule("all elements of a window share the gradient"),
    "mse_loss": _rule(
        "twice the difference, divided by the number of elements if the loss is their mean",
        self="g * 2 * (self - target) / (self.numel() if reduction == 1 else 1)",
        target="-g * 2 * (self - target) / (self.numel() if reduction == 1 else 1)",
    ),
    "l1_loss": _rule(
        "the sign of the difference, divided by the number of elements if the loss is their mean"
    ),
    "smooth_l1_loss": _rule("the difference divided by beta where it is small, its sign where it is large"),
    "huber_loss": _rule("the difference where it is small, its sign times delta where it is large"),
    "nll_loss": _rule(
        "minus the weight of the class, or 1, at the class that was right (divided by the sum of these if the loss is their mean), nothing elsewhere"
    ),
    "binary_cross_entropy": _rule(
        "(p - target) / (p (1 - p)), divided by the number of elements if the loss is their mean"
    ),
    "binary_cross_entropy_with_logits": _rule(
        "the sigmoid of the logits less the target, divided by the number of elements if the loss is their mean"
    ),
}


def rule_for(name, label, operands, attributes):
    """The ``Rule`` of a node of this name, with this label and operands; None if the table has none.

    ``attributes`` are what the node keeps beside tensors, as text.
    """
    scaled = RULES.get(f"{label}(alpha)") if attributes.get("alpha", "1") != "1" else None
    return RULES.get(name) or scaled or RULES.get(f"{label}({', '.join(operands)})") or RULES.get(label)
