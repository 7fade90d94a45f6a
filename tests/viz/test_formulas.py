"""Formulas as they are shown, evaluated: they give the gradients that backward gives."""

import importlib
import math
import pkgutil

import pytest

import minigrad as torch
from minigrad import _ops, nn, viz
from minigrad._core.families import Op
from minigrad._ops import vocabulary
from minigrad._ops.matmul import MmBackward0
from minigrad._ops.shape import UnsafeViewBackward0
from minigrad.autograd.graph import call_node
from minigrad.viz.formulas import WORDS, derivatives
from minigrad.viz.replay import defined, names_of_inputs, names_of_operands

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
#: (the function, its operands) of many operators.
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


#: Of these the definition is shown: their formulas call functions that only the operators' files tell of.
DEFINED = {
    "acosh", "atan2", "linear(bias, input, weight)", "linear(input, weight)", "mse_loss", "pow(self)", "relu", "sigmoid", "silu", "squeeze",
    "tanh",
}  # fmt: skip


def expressions_of(node):
    return derivatives(type(node))


def evaluated(derivative, cls, values):
    """An expression as a reader of it would compute it: with the values, the constants of the operator's file, and the functions of tensors."""
    module = importlib.import_module(cls.__module__)
    constants = {
        name: value for name, value in vars(module).items() if name.isupper() and isinstance(value, float)
    }
    return eval(derivative.text, {"math": math, **vars(vocabulary), **constants}, values)


@pytest.mark.parametrize("name", CALLS)
def test_expressions_give_the_gradients(name):
    function, *operands = CALLS[name]()
    result = function(*operands)
    node = result.grad_fn
    g = torch.rand_like(result) + 0.5
    gradients = call_node(node, g)
    gradients = gradients if isinstance(gradients, tuple) else (gradients,)
    values = {"g": g, "result": result.detach()}
    for each, i in type(node).places().items():
        values[each] = node.value(i)
    of_operand = dict(zip(names_of_operands(node), [*taken_by(node, operands)]))
    values = {**of_operand, **{k: v for k, v in values.items() if v is not None}}
    values = {k: v.detach() if isinstance(v, torch.Tensor) else v for k, v in values.items()}
    found = expressions_of(node)
    checked = 0
    for each, gradient, (end, _) in zip(names_of_inputs(node), gradients, node.next_functions):
        if end is not None and each in found and found[each].familiar:
            expected = evaluated(found[each], type(node), values)
            assert expected.shape == gradient.shape
            assert torch.allclose(expected, gradient, rtol=1e-4, atol=1e-5), each
            checked += 1
    assert checked or (defined(node) and name in DEFINED)


def taken_by(node, operands):
    """The operands of a node, as far as it saved them or they are those of the test."""
    for i, name in enumerate(names_of_operands(node)):
        place = type(node).places().get(name)
        kept = node.value(place) if place is not None else None
        yield kept if kept is not None else operands[min(i, len(operands) - 1)]


def test_most_formulas_are_shown():
    classes = [cls for cls in operators() if cls.plan is not None]
    formulas = sum(formula is not None for cls in classes for formula in cls.plan.formulas)
    shown = [each for cls in classes for each in derivatives(cls).values()]
    assert len(shown) > 0.7 * formulas
    assert sum(each.familiar for each in shown) > 240


def operators():
    for module in pkgutil.iter_modules(_ops.__path__):
        importlib.import_module(f"{_ops.__name__}.{module.name}")
    found = [Op]
    for cls in found:
        found += cls.__subclasses__()
    return [cls for cls in found if cls.__module__.startswith(_ops.__name__)]


def test_sentences_are_about_nodes_that_there_are():
    known = {name for cls in operators() for name in (cls.__name__, cls.function_name())}
    assert set(WORDS) - known == {"AsStrided", "CopySlices", "UndefinedGrad"}  # nodes that are no operators
    assert len(WORDS) > 100


def test_sentences_are_single_phrases():
    for name, words in WORDS.items():
        assert words and not words.endswith(".") and not words[0].isupper(), name


def test_a_formula_of_functions_that_are_no_tensors_own_gives_way_to_the_definition():
    x = leaf(3)
    step = viz.step(x.tanh().sum()).steps[1]
    assert step.formula == "z = tanh x;   dz/dx = 1 - z²."
    assert step.text.startswith("tanh: the slope of tanh is 1 - z²") and "saved: result = " in step.text


def test_names_are_those_of_nodes():
    assert {k: d.text for k, d in derivatives(MmBackward0).items()} == {
        "self": "g @ mat2.mT",
        "mat2": "self.mT @ g",
    }
    assert derivatives(MmBackward0)["self"].mentions == {"g", "mat2"}
    (shape,) = derivatives(UnsafeViewBackward0).values()
    assert (shape.text, shape.mentions) == ("g.reshape(self.shape)", {"g"})


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 5, 3)])
@pytest.mark.parametrize("with_bias", [False, True])
def test_the_weights_of_a_linear_layer_for_inputs_of_any_number_of_dims(shape, with_bias):
    x, w, b = leaf(*shape), leaf(4, 3), leaf(4) if with_bias else None
    z = F.linear(x, w, b)
    g = torch.rand_like(z)
    values = dict.fromkeys(("input", "mat1", "self"), x.detach()) | dict.fromkeys(
        ("weight", "mat2"), w.detach()
    )
    values["bias"] = b
    gradients = torch.autograd.grad(z, [x, w, b] if with_bias else [x, w], g)
    expected = dict.fromkeys(("input", "mat1", "self"), gradients[0]) | {"bias": gradients[-1]}
    expected |= dict.fromkeys(("weight", "mat2"), gradients[1])
    found = {name: each for name, each in expressions_of(z.grad_fn).items() if each.familiar}
    for name, each in found.items():
        assert torch.allclose(evaluated(each, type(z.grad_fn), {**values, "g": g}), expected[name])
    assert found or defined(z.grad_fn)
