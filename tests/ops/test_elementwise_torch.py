"""The same expressions under PyTorch and here: values, dtypes, nodes, their edges and saved values."""

import warnings

import numpy as np
import pytest

import minigrad

EXPRESSIONS = """
x+y; x+2; 2+x; x.add(y, alpha=3); x.add(i); x-y; x-2; 2-x; torch.rsub(y, x); torch.rsub(x, 2, alpha=3); x*y; x*2; 2*x; x*i
x/y; x/2; 2/x; x.true_divide(y); torch.div(x, y, rounding_mode='floor'); torch.div(x, 2, rounding_mode='trunc'); x//y; x//2; 2//x
x%y; x%2; 2%x; torch.fmod(x, y); torch.fmod(x, 2); x**y; x**2; 2**x; x**2.5; torch.pow(2, x); torch.float_power(x, y); torch.float_power(x, 2)
-x; +x; x.reciprocal(); abs(x); x.sign(); x.sgn(); x.square(); x.sqrt(); x.rsqrt(); x.ceil(); x.floor(); x.round(); x.round(decimals=1)
x.trunc(); x.fix(); x.frac(); x.clamp(0, 1); x.clamp(min=0.5); x.clamp(max=0.5); x.clamp(y, w); x.clamp(min=y); x.clamp(max=y); x.clamp_min(0.5)
x.clamp_min(y); x.clamp_max(0.5); x.clamp_max(y); x.maximum(y); x.minimum(y); x.fmax(y); x.fmin(y); x.lerp(y, 0.3); x.lerp(y, w)
x.addcmul(y, w, value=2); x.addcdiv(y, w, value=2); torch.where(x > 0.4, x, y); torch.where(x > 0.4, x, 1.); torch.where(x > 0.4, 1., x); x.where(x > 0.4, y)
x.nan_to_num(); x.copysign(y); x.copysign(-2); x.hypot(y); x.heaviside(y); x.nextafter(y); x.ldexp(y); x.frexp()[0]
x.exp(); x.exp2(); x.expm1(); x.log(); x.log2(); x.log10(); x.log1p(); x.sin(); x.cos(); x.tan(); x.asin(); x.acos(); x.atan(); x.sinh(); x.cosh()
x.tanh(); x.asinh(); (x+2).acosh(); x.atanh(); x.atan2(y); x.sigmoid(); x.logit(); x.logit(.1); x.sinc(); x.logaddexp(y); x.logaddexp2(y)
x.xlogy(y); x.xlogy(2); torch.xlogy(2, x); x.deg2rad(); x.rad2deg()
x.clone(); x.double(); x.to(torch.float64); x.contiguous(); x.type(torch.float64); x.float(); x.long(); x.cfloat(); x.type_as(i); torch.fill(x, 2); torch.fill(x, y[0])
c.real; c.imag; c.conj_physical(); c.angle(); x.angle(); c.abs(); c.sgn(); torch.polar(x, y); torch.complex(x, y); torch.view_as_real(c); c*x[:1]; c+1; c**2; c.exp()
x.clone().add_(y); x.clone().add_(y, alpha=2); x.clone().sub_(y); x.clone().mul_(2); x.clone().div_(y); x.clone().pow_(2); x.clone().lerp_(y, 0.3)
x.clone().clamp_(0, 1); x.clone().addcmul_(y, w); x.clone().exp_(); x.clone().sigmoid_(); x.clone().copy_(y); x.clone().copy_(i); x.clone().zero_()
x.clone().fill_(2); x.clone().fill_(y[0]); x.clone().neg_(); x.clone().remainder_(y); x.clone().copysign_(y); x.clone().square_(); x.clone().round_()
x==y; x>0.5; x.isnan(); x.logical_not(); x.isclose(y); i&1; i<<1; ~i; torch.gcd(i, i); torch.normal(x, 0.); torch.normal(x, y*0); torch.bernoulli(x*0)
x.clone().uniform_(1, 1); x.clone().normal_(2, 0); x.clone().bernoulli_(1.0); x.clone().bernoulli_(y*0); x.clone().random_(1)
torch.zeros_like(x); x.new_tensor([1.]); torch.ones_like(c); torch.full_like(x, 2); torch.linspace(0, 1, 5); torch.arange(5); torch.eye(2); torch.tensor([[1, 2.5]])
"""
CASES = [e.strip() for line in EXPRESSIONS.strip().splitlines() for e in line.split(";")]


def scope(torch):
    def leaf(*values):
        return torch.tensor(values, requires_grad=True)

    return {
        "torch": torch, "x": leaf(0.3, 0.6), "y": leaf(0.4, 0.7), "w": leaf(0.2, 0.9), "i": torch.tensor([1, 2]),
        "c": leaf(1 + 2j),
    }  # fmt: skip


def name(node):
    return None if node is None else node.name()


def describe(torch, out):
    """All that is to be the same of a result."""
    node = out.grad_fn
    facts = {
        "dtype": str(out.dtype),
        "requires_grad": out.requires_grad,
        "node": name(node),
        "text": repr(out),
    }
    if node is not None:
        facts["edges"] = [(name(n), nr) for n, nr in node.next_functions]
        names = [n for n in dir(node) if n.startswith("_saved_")] if torch is not minigrad else None
        facts["saved"] = names
    return facts


@pytest.mark.torch
@pytest.mark.parametrize("expression", CASES)
def test_same_values_and_nodes(expression):
    torch = pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs, ours = eval(expression, scope(torch)), eval(expression, scope(minigrad))
    expected, got = describe(torch, theirs), describe(minigrad, ours)
    saved = expected.pop("saved", None)
    got.pop("saved", None)
    assert got == expected
    for attribute in saved or ():
        if (
            attribute.endswith("_sym_sizes") or got["node"] == "ComplexBackward0"
        ):  # whose formulas need no values
            continue
        their, our = getattr(theirs.grad_fn, attribute), getattr(ours.grad_fn, attribute)
        if isinstance(their, torch.Tensor):
            np.testing.assert_allclose(
                our.detach().numpy(), their.detach().numpy(), rtol=1e-6, err_msg=attribute
            )
        else:
            assert our == their, attribute
