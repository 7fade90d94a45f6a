"""What an operation does to a gradient on its way back: its formula, read from the operator's class, and for common ones a sentence for learners.

A formula is shown as it stands in the operator's file, in other letters: ``g`` is the gradient of the result, ``result`` the result, the other names are
those of the operands and parameters of PyTorch's nodes (``grad_fn._saved_self``).  Operands that were broadcast get the sum over what they were
repeated along, which is not written.
"""

import ast
import functools
import inspect
import textwrap
from typing import Any

from .._core.families import Op
from .._core.tensor import Tensor

__all__ = ["derivatives", "words_for"]

#: Names of the functions that formulas ask of ``xp`` -> methods of a Tensor, which say it shorter.
_METHODS = {
    "broadcast_to": "expand",
    "reshape": "reshape",
    "size": "numel",
    "sum": "sum",
    "sum_to": "sum_to_size",
    "transpose": "t",
}
_OPERATORS = {"dot": ast.MatMult(), "matmul": ast.MatMult(), "power": ast.Pow()}
#: Functions, beside methods of tensors, that readers know.
_FAMILIAR = {"ones_like", "where", "zeros_like"}


@functools.lru_cache(1000)
def derivatives(cls: Any) -> Any:
    """Return the name of each operand of the op ``cls`` -> the expression for its gradient, for those whose formula is one expression.

    >>> from minigrad._ops.arithmetic import MulBackward0
    >>> {name: found.text for name, found in derivatives(MulBackward0).items()}
    {'self': 'g * other', 'other': 'g * self'}
    """
    found = {}
    if issubclass(cls, Op) and cls.plan is not None and not cls.variadic:
        for name, formula in zip(cls.plan.operands, cls.plan.formulas):
            body = None if formula is None else _expression(formula)
            if body is not None:
                found[cls.names.get(name, name)] = Derivative(_copy(body), cls)
    return found


class Derivative:
    """An expression: its ``text``, the names of the values it ``mentions``, but for those of which it needs no more than the shape.

    ``familiar``: it has no functions but tensors' own, so that it can be read without the operator's file.
    """

    text: str
    familiar: bool
    mentions: set[Any]

    def __init__(self, formula: Any, cls: Any) -> None:
        renaming = _Renamed(cls)
        tree = renaming.visit(formula)
        self.text = ast.unparse(tree)
        self.familiar = not renaming.unfamiliar
        names = [
            child.id
            for node in ast.walk(tree)
            if not (isinstance(node, ast.Attribute) and node.attr == "shape")
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.Name)
        ]
        self.mentions = {*names, *([tree.id] if isinstance(tree, ast.Name) else [])}


@functools.cache
def _expression(formula):
    """What a formula returns, if it is one expression of what it is called with; else None."""
    if formula.__code__.co_freevars:
        return None
    try:
        (function,) = ast.parse(textwrap.dedent(inspect.getsource(formula))).body
    except (OSError, SyntaxError, ValueError):  # no source, or a part of a statement
        return None
    statements = function.body if isinstance(function, ast.FunctionDef) else ()
    returned = statements[-1] if len(statements) == 1 else None
    return returned.value if isinstance(returned, ast.Return) else None


def _copy(tree):
    return ast.parse(ast.unparse(tree), mode="eval").body


class _Renamed(ast.NodeTransformer):
    """Puts PyTorch's names into a formula, and the notation of tensors in the place of the functions of ``xp``."""

    def __init__(self, cls: Any) -> None:
        names, operands = cls.names, cls.plan.operands
        self.names = {name: names.get(name, name) for name in cls.plan.place}
        self.shapes = {name + "_shape": self.names[name] for name in operands} | {
            "shape": self.names[operands[0]]
        }
        self.unfamiliar = False

    def visit_Name(self, node: Any) -> Any:
        shown = self.shapes.get(node.id)
        if shown is not None:
            return ast.Attribute(ast.Name(shown, ast.Load()), "shape", ast.Load())
        return ast.Name(self.names.get(node.id, node.id), ast.Load())

    def visit_Attribute(self, node: Any) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id == "xp":
            return ast.Name(node.attr, ast.Load())
        return self.generic_visit(node)

    def visit_Call(self, node: Any) -> Any:
        function = node.func
        base = function.value if isinstance(function, ast.Attribute) else None
        node.args = [x for x in node.args if not (isinstance(x, ast.Name) and x.id == "xp")]
        node.args, node.keywords = [self.visit(x) for x in node.args], [self.visit(k) for k in node.keywords]
        if isinstance(base, ast.Name) and base.id == "xp":
            return self.asked_of_xp(function.attr, node)
        if isinstance(function, ast.Name) and function.id == "times":  # which leaves out a factor of 1
            return ast.BinOp(node.args[0], ast.Mult(), node.args[1])
        if base is None or (
            isinstance(base, ast.Name) and base.id not in {*self.names, *self.shapes, "g", "math"}
        ):
            self.unfamiliar = True
        node.func = self.visit(function)
        return node

    def asked_of_xp(self, name: str, call: Any) -> Any:
        """A function of ``xp`` as an operator, a method or an attribute of its first argument, where there is one."""
        method = _METHODS.get(name, name)
        own = getattr(Tensor, method, None)
        first, *rest = call.args or (None,)
        if first is None or call.keywords:
            self.unfamiliar = True
        elif name in _OPERATORS and len(rest) == 1:
            return ast.BinOp(first, _OPERATORS[name], rest[0])
        elif name == "matrix_transpose":
            return ast.Attribute(first, "mT", ast.Load())
        elif name == "keep":
            return ast.Call(ast.Name("where", ast.Load()), [rest[0], first, ast.Constant(0)], [])
        elif own is not None and not callable(own) and not rest:
            return ast.Attribute(first, name, ast.Load())
        elif callable(own) and (name in _METHODS or not rest):
            return ast.Call(ast.Attribute(first, method, ast.Load()), rest, [])
        elif own is None and name not in _FAMILIAR:
            self.unfamiliar = True
        call.func = ast.Name(name, ast.Load())
        return call


_SENTENCES = {
    # of two operands, element by element
    "add": "both summands get the gradient as it is, the second times its factor if it has one",
    "sub": "the first operand gets the gradient as it is, the second with the opposite sign, times its factor if it has one",
    "rsub": "what was subtracted gets the opposite sign, and its factor if it has one",
    "mul": "each factor gets the gradient times the other factor",
    "div": "the numerator gets the gradient divided by the denominator, which itself gets it with the slope of 1 / x",
    "DivBackward2": "the quotient was rounded, and steps have the slope 0: no gradient comes through",
    "neg": "the sign changes",
    "PowBackward0": "the gradient times the slope of the power: the exponent times the power one lower",
    "pow": "the base gets the gradient times the slope of the power, the exponent gets it times the result and the logarithm of the base",
    "hypot": "each side gets its share of the length",
    "atan2": "each coordinate gets the gradient times the slope of the angle",
    "maximum": "the greater operand gets the gradient, the other nothing; equal ones share it",
    "minimum": "the lesser operand gets the gradient, the other nothing; equal ones share it",
    "where": "each operand gets the gradient where it was chosen, and nothing elsewhere",
    "lerp": "the gradient is divided among the two ends by the weight",
    "addcmul": "the summand gets the gradient as it is, each factor times the other",
    "addcdiv": "the summand gets the gradient as it is, the quotient that of a division",
    # of one operand, element by element
    "exp": "the slope of exp is exp itself: the gradient times the result",
    "exp2": "the slope is the result times log 2",
    "expm1": "the slope is that of exp",
    "log": "the slope of log is 1 / x: the gradient divided by the operand",
    "log2": "the slope is 1 / (x log 2)",
    "log10": "the slope is 1 / (x log 10)",
    "log1p": "the slope is 1 / (x + 1)",
    "sqrt": "the slope of the root is 1 / (2 √x)",
    "rsqrt": "the slope of 1 / √x",
    "reciprocal": "the slope of 1 / x is minus the square of the result",
    "abs": "the gradient where the operand is positive, with the opposite sign where it is negative",
    "sin": "the slope of the sine is the cosine",
    "cos": "the slope of the cosine is minus the sine",
    "tan": "the slope of the tangent",
    "asin": "the slope of the arcsine",
    "acos": "the slope of the arccosine",
    "atan": "the slope of the arctangent",
    "sinh": "the slope of the hyperbolic sine is the hyperbolic cosine",
    "cosh": "the slope of the hyperbolic cosine is the hyperbolic sine",
    "tanh": "the slope of tanh is 1 - z²: nearly 0 where the result is near 1 or -1, where it saturates",
    "asinh": "the slope of the inverse hyperbolic sine",
    "acosh": "the slope of the inverse hyperbolic cosine",
    "atanh": "the slope of the inverse hyperbolic tangent",
    "sigmoid": "the slope is z (1 - z): at most 1/4, and nearly 0 where the result is near 0 or 1",
    "erf": "the slope of erf",
    "sign": "a step has the slope 0: no gradient comes through",
    "relu": "the gradient where the result is positive, nothing elsewhere",
    "leaky_relu": "the gradient where the operand is positive, a fraction of it elsewhere",
    "elu": "the gradient where the operand is positive, times the slope of an exponential elsewhere",
    "gelu": "the gradient times the slope of x Φ(x), with Φ the normal distribution function",
    "silu": "the slope of x sigmoid(x)",
    "softplus": "the slope of softplus is the sigmoid",
    "log_sigmoid": "the slope of log sigmoid(x) is sigmoid(-x)",
    "hardtanh": "the gradient where the operand was inside of the range, nothing elsewhere",
    "clamp": "the gradient where the operand was inside of the range, nothing where it was cut off",
    "clamp_min clamp_max": "the gradient where the operand was not cut off",
    # reductions and what goes along a dimension
    "sum": "every summand gets the same gradient: it is spread back over the elements that were summed",
    "mean": "as a sum, divided by the number of elements",
    "prod": "each factor gets the gradient times the product of all others",
    "max": "the largest elements get the gradient, all others nothing",
    "min": "the smallest elements get the gradient, all others nothing",
    "amax": "the largest elements share the gradient, all others get nothing",
    "amin": "the smallest elements share the gradient, all others get nothing",
    "cumsum": "each element gets the sum of the gradients of all later results",
    "logsumexp": "each element gets its share of the exponentials, times the gradient",
    "softmax": "the gradient less its mean under the result, times the result",
    "log_softmax": "the gradient less the probabilities times its sum",
    "linalg_vector_norm": "the gradient in the direction of the operand: for the 2-norm, the operand divided by its length",
    "var": "each element gets the gradient times twice its distance from the mean, divided by n - correction",
    "std": "as the variance, divided by twice the result",
    # products
    "mm": "each factor gets the gradient times the other factor, transposed",
    "bmm": "each factor gets the gradient times the other factor, transposed, matrix by matrix",
    "mv": "the matrix gets the products of gradients and vector, the vector gets the gradient through the matrix",
    "dot": "each vector gets the other, times the gradient",
    "addmm": "each factor gets the gradient times the other factor, transposed, the summand gets it as it is",
    "baddbmm": "each factor gets the gradient times the other factor, transposed, matrix by matrix, the summand gets it as it is",
    "linear": "the input gets the gradient through the weights, the weights get the products of gradients and inputs, the bias the sum over all rows",
    "convolution": "the input gets the gradient through the flipped kernels (a transposed convolution), the weights get the products of gradients and windows",
    # shapes, and parts of tensors
    "view reshape reshape_alias squeeze unsqueeze": "only the shape changed, so the gradient gets the shape of the operand back",
    "t": "the gradient is transposed back",
    "transpose": "the two dimensions are exchanged back",
    "permute": "the dimensions are put back in their order",
    "expand repeat": "the gradients of all repetitions are summed",
    "select slice": "the gradient is put back in its place, among zeros",
    "index gather": "the gradient is added at the indices, among zeros; an element taken twice gets both",
    "index_select": "the gradient is added at the indices, among zeros; a slice taken twice gets both",
    "embedding": "each row of the table gets the sum of the gradients of its uses; rows not used get nothing",
    "masked_fill": "the gradient where nothing was filled in, 0 elsewhere",
    "split unbind": "the gradients of the pieces are put together again",
    "cat stack": "each operand gets its part of the gradient",
    "flip": "the order is reversed back",
    "tril": "the gradient on and below the diagonal, nothing above",
    "triu": "the gradient on and above the diagonal, nothing below",
    "trace": "the diagonal gets the gradient, all else nothing",
    "clone": "the gradient as it is",
    "to_copy": "the gradient as it is, in the dtype of the operand",
    "as_strided AsStrided": "the gradient is put back in the place of the view, among zeros",
    "CopySlices": "a view was written to: its part of the gradient goes through what was written, the rest passes by",
    "UndefinedGrad": "no gradient passes",
    # layers and losses
    "native_layer_norm": "the input gets the gradient less what only moves its mean or scale; weight and bias get sums over the rows",
    "native_batch_norm": "the input gets the gradient less what only moves a channel's mean or scale; weight and bias get sums over the batch",
    "max_pool2d": "the largest element of each window gets the gradient, all others nothing",
    "avg_pool2d": "all elements of a window share the gradient",
    "mse_loss": "twice the difference, divided by the number of elements if the loss is their mean",
    "smooth_l1_loss": "the difference divided by beta where it is small, its sign where it is large",
    "huber_loss": "the difference where it is small, its sign times delta where it is large",
    "nll_loss": "minus the weight of the class, or 1, at the class that was right (divided by the sum of these if the loss is their mean), nothing elsewhere",
    "binary_cross_entropy": "(p - target) / (p (1 - p)), divided by the number of elements if the loss is their mean",
    "binary_cross_entropy_with_logits": "the sigmoid of the logits less the target, divided by the number of elements if the loss is their mean",
}
#: A sentence for each function's name; for a node's, where one of several does something else.
WORDS = {name: words for names, words in _SENTENCES.items() for name in names.split()}


def words_for(name: str, label: Any) -> Any:
    """Return the sentence that describes a node of this name, with this label; empty if there is none.

    >>> from minigrad.viz.formulas import words_for
    >>> words_for("NoSuchBackward0", "no such")
    ''
    """
    return WORDS.get(name) or WORDS.get(label) or ""
