"""Every expression in the table of formulas, evaluated: it gives the gradient that backward gives."""

import math

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.autograd.graph import call_node
from minigrad.viz.formulas import RULES, rule_for
from minigrad.viz.model import label_of
from minigrad.viz.replay import names_of_inputs, names_of_operands
from minigrad.viz.saved_values import saved_by

F = nn.functional


def leaf(*shape, low=0.2, high=0.8):
    """Numbers in which every function of the table is defined, and smooth."""
    return (torch.rand(*shape) * (high - low) + low).requires_grad_()


def of_two(function):
    return lambda: (function, leaf(2, 3), leaf(2, 3, low=1.2, high=2))


def of_one(function, **bounds):
    return lambda: (function, leaf(2, 3, **bounds))


NAMES = (
    "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal abs sin cos tan asin acos atan sinh cosh tanh asinh atanh sigmoid erf relu "
    "neg clone t sign"
)
#: (the function, its operands) for the key of each rule.
CALLS = {
    **{name: of_one(lambda x, name=name: getattr(torch, name)(x)) for name in NAMES.split()},
    "acosh": of_one(torch.acosh, low=1.2, high=2),
    "silu": of_one(F.silu),
    "softplus": of_one(lambda x: F.softplus(x, beta=2)),
    "log_sigmoid": of_one(F.logsigmoid),
    "hardtanh": of_one(lambda x: F.hardtanh(x * 4 - 2)),
    "leaky_relu(self)": of_one(lambda x: F.leaky_relu(x - 0.5, 0.1)),
    "pow(self)": of_one(lambda x: x**3),
    "pow": of_two(torch.pow),
    "add": of_two(torch.add),
    "sub": of_two(torch.sub),
    "rsub": of_two(torch.rsub),
    "add(alpha)": of_two(lambda x, y: torch.add(x, y, alpha=3)),
    "sub(alpha)": of_two(lambda x, y: torch.sub(x, y, alpha=3)),
    "rsub(alpha)": of_two(lambda x, y: torch.rsub(x, y, alpha=3)),
    "mul": of_two(torch.mul),
    "SumBackward0": of_one(torch.sum),
    "MeanBackward0": of_one(torch.mean),
    "mse_loss": of_two(F.mse_loss),
    "div": of_two(torch.div),
    "DivBackward2": of_two(lambda x, y: torch.div(x, y, rounding_mode="floor")),
    "hypot": of_two(torch.hypot),
    "atan2": of_two(torch.atan2),
    "where": of_two(lambda x, y: torch.where(torch.tensor([True, False, True]), x, y)),
    "addcmul": lambda: (lambda *xs: torch.addcmul(*xs, value=2), leaf(3), leaf(3), leaf(3)),
    "addcdiv": lambda: (lambda *xs: torch.addcdiv(*xs, value=2), leaf(3), leaf(3), leaf(3)),
    "cumsum": of_one(lambda x: x.cumsum(1)),
    "softmax": of_one(lambda x: x.softmax(1)),
    "log_softmax": of_one(lambda x: x.log_softmax(1)),
    "mm": lambda: (torch.mm, leaf(2, 3), leaf(3, 4)),
    "bmm": lambda: (torch.bmm, leaf(5, 2, 3), leaf(5, 3, 4)),
    "mv": lambda: (torch.mv, leaf(2, 3), leaf(3)),
    "dot": lambda: (torch.dot, leaf(3), leaf(3)),
    "addmm": lambda: (lambda *xs: torch.addmm(*xs, beta=2, alpha=3), leaf(2, 4), leaf(2, 3), leaf(3, 4)),
    "baddbmm": lambda: (
        lambda *xs: torch.baddbmm(*xs, beta=2, alpha=3),
        leaf(5, 2, 4),
        leaf(5, 2, 3),
        leaf(5, 3, 4),
    ),
    "linear(bias, mat1, mat2)": lambda: (lambda b, x, w: F.linear(x, w, b), leaf(4), leaf(2, 3), leaf(4, 3)),
    "linear(self, mat2)": lambda: (F.linear, leaf(2, 3), leaf(4, 3)),
    "linear(input, weight)": lambda: (F.linear, leaf(5, 2, 3), leaf(4, 3)),
    "linear(bias, input, weight)": lambda: (
        lambda b, x, w: F.linear(x, w, b),
        leaf(4),
        leaf(5, 2, 3),
        leaf(4, 3),
    ),
    "view": of_one(lambda x: x.view(3, 2)),
    "reshape": lambda: (lambda x: x.reshape(6), leaf(3, 2).detach().t().requires_grad_()),
    "reshape_alias": lambda: (lambda x: x.reshape(4, 1, 2), leaf(4, 3).detach()[:, :2].requires_grad_()),
    "squeeze": lambda: (torch.squeeze, leaf(2, 1, 3)),
    "unsqueeze": of_one(lambda x: x.unsqueeze(1)),
    "transpose": of_one(lambda x: x.transpose(0, 1)),
    "flip": of_one(lambda x: x.flip(1)),
    "tril": of_one(torch.tril),
    "triu": of_one(lambda x: x.triu(1)),
}
WITH_EXPRESSIONS = [key for key, rule in RULES.items() if rule.expressions]


def rule_of(node):
    return rule_for(node.name(), label_of(node, ""), names_of_operands(node), saved_by(node)[1])


def evaluated(expression, values):
    return eval(expression, {"math": math, "where": torch.where}, values)


@pytest.mark.parametrize("key", WITH_EXPRESSIONS)
def test_expressions_give_the_gradients(key):
    function, *operands = CALLS[key]()
    result = function(*operands)
    node = result.grad_fn
    assert rule_of(node) is RULES[key]
    g = torch.rand_like(result) + 0.5
    gradients = call_node(node, g)
    gradients = gradients if isinstance(gradients, tuple) else (gradients,)
    places = type(node).places()
    values = {"g": g, "result": result.detach()}
    for name, i in places.items():
        values[name] = node.value(i)
    ends = [end for end, _ in node.next_functions]
    of_operand = dict(zip(names_of_operands(node), [*taken_by(node, operands)]))
    values = {**of_operand, **{k: v for k, v in values.items() if v is not None}}
    values = {k: v.detach() if isinstance(v, torch.Tensor) else v for k, v in values.items()}
    checked = 0
    for name, gradient, end in zip(names_of_inputs(node), gradients, ends):
        if end is not None and name in RULES[key].expressions:
            expected = evaluated(RULES[key].expressions[name], values)
            assert expected.shape == gradient.shape
            assert torch.allclose(expected, gradient, rtol=1e-4, atol=1e-5), name
            checked += 1
    assert checked


def taken_by(node, operands):
    """The operands of a node, as far as it saved them or they are those of the test."""
    for i, name in enumerate(names_of_operands(node)):
        place = type(node).places().get(name)
        kept = node.value(place) if place is not None else None
        yield kept if kept is not None else operands[min(i, len(operands) - 1)]


def test_there_is_a_call_for_each_expression():
    assert set(WITH_EXPRESSIONS) == set(CALLS)
    assert len(RULES) > 100


def test_words_are_single_phrases():
    for key, rule in RULES.items():
        assert rule.words and not rule.words.endswith(".") and not rule.words[0].isupper(), key


def test_the_reduction_of_a_loss_is_in_its_expression():
    for reduction in ("mean", "sum", "none"):
        x, y = leaf(2, 3), leaf(2, 3)
        loss = F.mse_loss(x, y, reduction=reduction)
        values = {"self": x.detach(), "target": y.detach(), "g": torch.ones(loss.shape)}
        values["reduction"] = loss.grad_fn._saved_reduction
        (expected,) = torch.autograd.grad(loss.sum(), x)
        assert torch.allclose(evaluated(RULES["mse_loss"].expressions["self"], values), expected)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 5, 3)])
@pytest.mark.parametrize("with_bias", [False, True])
def test_the_weights_of_a_linear_layer_for_inputs_of_any_number_of_dims(shape, with_bias):
    x, w, b = leaf(*shape), leaf(4, 3), leaf(4) if with_bias else None
    z = F.linear(x, w, b)
    g = torch.rand_like(z)
    values = dict.fromkeys(("input", "mat1", "self"), x.detach()) | dict.fromkeys(
        ("weight", "mat2"), w.detach()
    )
    gradients = torch.autograd.grad(z, [x, w, b] if with_bias else [x, w], g)
    expected = dict.fromkeys(("input", "mat1", "self"), gradients[0]) | {"bias": gradients[-1]}
    expected |= dict.fromkeys(("weight", "mat2"), gradients[1])
    for name, expression in rule_of(z.grad_fn).expressions.items():
        assert torch.allclose(evaluated(expression, {**values, "g": g}), expected[name])
