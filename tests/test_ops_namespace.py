"""``minigrad.ops``: operators under the names that PyTorch's dispatcher gives them, and which application of ours has which name."""

import copy
import importlib
import pickle
import pkgutil

import pytest

import minigrad
from minigrad import _ops, ops
from minigrad._core import modes
from minigrad._core.families import Op
from minigrad.nn import functional as F


def test_operators_and_overloads_are_made_once():
    assert ops.aten.mul is ops.aten.mul
    assert ops.aten.mul.Tensor is ops.aten.mul.Tensor
    assert ops.aten.mul.Tensor is not ops.aten.mul.Scalar
    for made in (ops.aten.mm, ops.aten.mm.default, ops.aten.add_.Scalar):
        assert copy.deepcopy(made) is made
        assert pickle.loads(pickle.dumps(made)) is made
    assert {ops.aten.mm.default: 1}[ops.aten.mm.default] == 1


def test_names():
    packet, overload, default = ops.aten.mul, ops.aten.mul.Tensor, ops.aten.mm.default
    assert (str(packet), repr(packet)) == ("aten.mul", "<OpOverloadPacket(op='aten.mul')>")
    assert (str(overload), repr(overload)) == (
        "aten.mul.Tensor",
        "<OpOverload(op='aten.mul', overload='Tensor')>",
    )
    assert (overload.name(), default.name()) == ("aten::mul.Tensor", "aten::mm")
    assert (overload.__name__, overload.namespace, overload.overloadpacket) == ("mul.Tensor", "aten", packet)
    assert packet.overloads() == ["Tensor", "Scalar", "out", "Scalar_out"]
    assert list(packet) == packet.overloads()


def test_schemas_tell_names_and_what_is_written_to():
    schema = ops.aten.add_.Tensor._schema
    assert (schema.name, schema.overload_name, schema.is_mutable) == ("aten::add_", "Tensor", True)
    assert [each.name for each in schema.arguments] == ["self", "other", "alpha"]
    first, _, last = schema.arguments
    assert first.alias_info.is_write and not first.has_default_value() and not first.kwarg_only
    assert (last.default_value, last.kwarg_only, last.alias_info) == (1, True, None)
    assert schema.returns[0].alias_info.is_write
    assert str(ops.aten.mm.default._schema) == "aten::mm(Tensor self, Tensor mat2) -> Tensor"
    assert str(schema) == "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)"
    assert ops.aten.mm.default._schema.overload_name == "" and not ops.aten.mm.default._schema.is_mutable
    assert ops.aten.mm.default._schema is ops.aten.mm.default._schema


@pytest.mark.parametrize(
    ("look", "text"),
    [
        (lambda: ops.aten.nothing, "'_OpNamespace' 'aten' object has no attribute 'nothing'"),
        (lambda: ops.aten.mm.nothing, "The underlying op of 'aten.mm' has no overload name 'nothing'"),
        (lambda: ops.aten.mm.__nothing__, "'aten.mm' can't have an overload name beginning with '__'"),
        (lambda: ops.aten.tensor_split.default, "has no overload name 'default'"),
    ],
)
def test_names_that_are_none(look, text):
    with pytest.raises(AttributeError, match=text):
        look()


X = [[0.1, 0.7], [0.6, 0.3]]


@pytest.mark.parametrize(
    ("operator", "args", "expected"),
    [
        ("mul.Tensor", (3,), lambda x: x * 3),
        ("mm.default", (minigrad.ones(2, 2),), lambda x: x @ minigrad.ones(2, 2)),
        ("sum.dim_IntList", ([0],), lambda x: x.sum(0)),
        ("view.default", ([4],), lambda x: x.view(4)),
        ("select.int", (0, 1), lambda x: x[1]),
        ("slice.Tensor", (1, 0, 1), lambda x: x[:, :1]),
        ("index.Tensor", ([None, minigrad.tensor([1, 0])],), lambda x: x[:, [1, 0]]),
        ("_softmax.default", (0, False), lambda x: x.softmax(0)),
        ("_log_softmax.default", (1, False), lambda x: x.log_softmax(1)),
        ("rsub.Scalar", (1,), lambda x: 1 - x),
        ("gelu.default", (), lambda x: F.gelu(x)),
        ("mse_loss.default", (minigrad.ones(2, 2), 2), lambda x: ((x - 1) ** 2).sum()),
        ("linalg_vector_norm.default", (), lambda x: x.norm()),
        ("add_.Tensor", (1,), lambda x: x + 1),
        ("detach.default", (), lambda x: x),
    ],
)
def test_operators_can_be_called(operator, args, expected):
    name, _, overload = operator.partition(".")
    found = getattr(getattr(ops.aten, name), overload)(minigrad.tensor(X), *args)
    assert minigrad.allclose(found, expected(minigrad.tensor(X)))


def test_operators_of_several_results():
    x, target = minigrad.tensor(X).log_softmax(1), minigrad.tensor([0, -100])
    loss, weight = ops.aten.nll_loss_forward.default(x, target, None, 1, -100)
    assert (loss, weight) == (F.nll_loss(x, target), 1.0)
    _, inverse, counts = ops.aten._unique2.default(minigrad.tensor([3, 1, 3]))
    assert (inverse.tolist(), counts.tolist()) == ([1, 0, 1], [1, 2])
    assert ops.prim.device.default(x) == minigrad.device("cpu")


def names_of(function, *args):
    """The names of the operators that ``function`` applies."""
    seen = []

    def watcher(cls, operands, params, proceed, writes):
        seen.append(str(ops.overload_of(cls, operands, params, writes)))
        return proceed

    modes.watch(watcher)
    try:
        function(*args)
    finally:
        modes.unwatch(watcher)
    return seen


def test_names_of_what_is_applied():
    x, stack = minigrad.tensor(X), minigrad.ones(2, 2, 2)
    assert names_of(lambda: (x * 2).add_(x).sum(0) @ x) == [
        "aten.mul.Tensor",
        "aten.add_.Tensor",
        "aten.sum.dim_IntList",
        "aten.mm.default",
    ]
    assert names_of(
        lambda: (stack @ x, stack @ stack, stack @ x[0], F.linear(x, x, x[0]), F.linear(stack, x))
    ) == [
        "aten.mm.default",
        "aten.bmm.default",
        "aten.select.int",
        "aten.mv.default",
        "aten.select.int",
        "aten.addmm.default",
        "aten.mm.default",
    ]


def test_steps_that_pytorch_has_no_name_for_are_not_among_its_operators():
    (step,) = {
        name for name in names_of(minigrad.nanmean, minigrad.tensor(X)) if not name.startswith("aten.")
    }
    assert step == "minigrad.same.default"
    assert not hasattr(ops.aten, "same")


def all_operators():
    """The classes of all operators."""
    for module in pkgutil.iter_modules(_ops.__path__):
        importlib.import_module(f"{_ops.__name__}.{module.name}")
    found = [Op]
    for cls in found:
        found += cls.__subclasses__()
    return [cls for cls in found if cls.__module__.startswith(_ops.__name__)]


NAMED = [name for cls in all_operators() for name in (cls.aten, cls.aten_) if isinstance(name, str)]
OVERLOADS = {
    "{other}": "Tensor Scalar",
    "{each}": "Tensor_Tensor Tensor_Scalar Scalar_Tensor",
    "{both}": "Tensor Tensor_Scalar Scalar_Tensor",
    "{dim}": "default dim dims",
}


@pytest.mark.parametrize("name", sorted(set(NAMED)))
def test_classes_name_operators_that_are_there(name):
    packet, _, overload = name.partition(".")
    for each in OVERLOADS.get(overload, overload).split():
        assert str(getattr(getattr(ops.aten, packet), each)) == f"aten.{packet}.{each}"


def test_many_classes_say_their_name():
    assert len(set(NAMED)) > 70
    assert {name.partition(".")[2] for name in NAMED} > set(OVERLOADS)


PROGRAMS = """
x + y; x + 1; 1 + x; x - y; 1 - x; x * y; 2 * x; x / y; 1 / x; x ** 2; x ** y; 2 ** x; -x; abs(x); x // 2; x % 2; x % y
x > y; x > 0; x == y; x == 0; x != 1; (x > 0) & (y > 0); ~(x > 0); i & 1; i + i; i * 2; i // 2
x.mm(y); x @ v; v @ v; lib.addmm(y, x, y); lib.bmm(s, s); lib.baddbmm(s, s, s); lib.mv(x, v); lib.dot(v, v); lib.outer(v, v)
x.sum(); x.sum(0); x.sum((0, 1)); x.mean(); x.mean(0); x.prod(); x.prod(0); x.max(); x.max(0); x.min(); x.min(0); x.amax(0)
x.var(); x.std(0); lib.var_mean(x, 0); x.norm(); x.norm(dim=0); x.logsumexp(0); x.all(); x.all(0); x.any((0, 1)); x.median(); x.median(0)
x.sin(); x.exp(); x.log(); x.sqrt(); x.tanh(); x.sigmoid(); x.relu(); x.square(); x.pow(2); x.erf(); x.round(); x.round(decimals=1)
x.lerp(y, 0.5); x.lerp(y, y); lib.addcmul(x, y, y); x.atan2(y); x.fmod(2); x.fmod(y); x.remainder(2); lib.remainder(2, x)
lib.div(x, y, rounding_mode="floor"); x.softmax(0); x.log_softmax(0); x.clamp(0, 1); x.clamp_min(0); x.clamp(y); lib.maximum(x, y)
x.view(4); x.t(); x.T; x.mT; x.transpose(0, 1); x.permute(1, 0); x.expand(2, 2, 2); x.unsqueeze(0); x[None].squeeze(0); x.t().reshape(4)
x[0]; x[0:1]; x[:, 0]; x[i]; x[x > 0]; x.chunk(2); x.split([1, 1]); x.unbind(); x.diagonal(); x.tril(); x.clone(); x.double(); x.int()
lib.cat([x, y]); lib.stack([x, y]); x.index_select(0, i); x.gather(0, i[None]); x.scatter(0, i[None], 1.0); x.scatter(0, i[None], y)
x.scatter_add(0, i[None], y); x.index_add(0, i, y); x.masked_fill(x > 0, 0.0); x.masked_fill(x > 0, y.sum()); x.masked_select(x > 0)
x.index_fill(0, i, 0.0); x.index_put((i,), v); x.cumsum(0); x.sort(); x.argsort(); x.topk(1); x.flip(0); x.roll(1); x.repeat(2, 1)
lib.where(x > 0, x, y); lib.xlogy(x, y); lib.xlogy(2, x); x.xlogy(2); x.copysign(y); lib.complex(x, y); x.bernoulli(); x.unique()
lib.isin(i, i); x.add(y, alpha=2); lib.rsub(x, y); x.heaviside(y); x.renorm(2, 0, 1); x.count_nonzero(0); x.nan_to_num(); x.logit()
x.add_(1); x.mul_(y); x.relu_(); x.zero_(); x.copy_(y); x.fill_(2); x.fill_(y.sum()); x.sub_(y); x.div_(2); x.add_(y, alpha=2)
x.addmm_(y, y); x.addcmul_(y, y); x.lerp_(y, 0.5); x.lerp_(y, y); x.index_add_(0, i, y); x.scatter_(0, i[None], 1.0); x.masked_fill_(x > 0, 0)
x.t_(); x.transpose_(0, 1); x.unsqueeze_(0); x.squeeze_(); x.squeeze_(0); x.eq_(y); x.pow_(2); x.pow_(y); x.tril_(); x.cumsum_(0); x.round_()
x.bernoulli_(0.5); x.uniform_(); x.exponential_(); x.index_put_((i,), v); x.__setitem__(i, v); x.logical_and_(y)
"""


@pytest.mark.torch
@pytest.mark.parametrize("program", [p.strip() for p in PROGRAMS.replace("\n", ";").split(";") if p.strip()])
def test_names_are_those_that_pytorch_dispatches(program):
    torch = pytest.importorskip("torch")
    from torch.utils._python_dispatch import TorchDispatchMode

    class Names(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(str(func))
            return func(*args, **(kwargs or {}))

    def prepared(lib):
        x = lib.tensor(X)
        values = {
            "x": x,
            "y": x + 0.5,
            "v": x[0] + 1,
            "s": lib.ones(2, 2, 2),
            "i": lib.tensor([0, 1]),
            "lib": lib,
        }
        return eval(f"lambda: {program}", values)

    seen, run = [], prepared(torch)
    with Names():
        run()
    # what has no counterpart here: results detached in order to be saved, and new constants
    theirs = [name for name in seen if name not in ("aten.detach.default", "aten.lift_fresh.default")]
    assert names_of(prepared(minigrad)) == theirs
