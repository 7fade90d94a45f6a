"""``library``: operators that programs define; what PyTorch says of the same programs."""

import gc
import importlib
import itertools
import math
import pickle
from typing import *  # noqa: F403 - annotations of the functions below

import numpy as np
import pytest

import minigrad
from minigrad.utils._python_dispatch import TorchDispatchMode
from tests.messages import first_sentence

_numbers = itertools.count()


def unique():
    """A name that no operator has yet."""
    return f"tests_library_{next(_numbers)}::op"


def made(lib, name, source, device_types=None, **options):
    """The operator ``name`` of the function ``f`` that the source defines."""
    library = importlib.import_module(f"{lib.__name__}.library")
    options = {"mutates_args": (), **options}
    return library.custom_op(name, function_of(lib, source), device_types=device_types, **options)


def function_of(lib, source):
    types = importlib.import_module(f"{lib.__name__}.types")
    names = {"torch": lib, "Tensor": lib.Tensor, "np": np, "Number": types.Number, **globals()}
    exec(source, names)
    return names["f"]


CUBE = "def f(x: Tensor, scale: float = 2.0) -> Tensor:\n    return torch.from_numpy(x.detach().numpy() ** 3 * scale)"
SPLIT = "def f(xs: Sequence[Tensor], n: int = 2) -> Tuple[Tensor, Tensor]:\n    return xs[0] * n, xs[1] + n"
PAIR = "def f(xs: Sequence[Tensor]) -> Tuple[Tensor, Tensor]:\n    return xs[0] * 2, xs[1] + 2"
ADD = "def f(x: Tensor, n: int) -> None:\n    x.add_(n)"


def cube(lib, **options):
    op = made(lib, unique(), CUBE, **options)

    def setup(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])
        ctx.scale = inputs[1]

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * ctx.scale * grad, None

    op.register_autograd(backward, setup_context=setup)
    return op


# Derivatives and transforms ------------------------------------------------------------------------------------------------------


def test_derivatives_of_an_operator():
    op = cube(minigrad)
    x = minigrad.randn(3, dtype=minigrad.float64, requires_grad=True)
    assert minigrad.autograd.gradcheck(lambda x: op(x, scale=1.5), x)
    assert minigrad.autograd.gradgradcheck(op, x)


def test_batches_without_a_rule_are_computed_sample_by_sample():
    op = cube(minigrad)
    x = minigrad.randn(4, 3)
    minigrad.testing.assert_close(minigrad.vmap(op)(x), 2 * x**3)
    minigrad.testing.assert_close(minigrad.vmap(op, in_dims=1)(x), 2 * x.T**3)
    gradients = minigrad.vmap(minigrad.func.grad(lambda x: op(x).sum()))(x)
    minigrad.testing.assert_close(gradients, 6 * x**2)
    y = x.clone().requires_grad_()
    minigrad.vmap(op)(y).sum().backward()
    minigrad.testing.assert_close(y.grad, 6 * x**2)


def test_a_rule_for_batches_is_asked_once():
    op = cube(minigrad)
    asked = []

    @op.register_vmap
    def rule(info, in_dims, x, scale):
        asked.append((info.batch_size, in_dims))
        return op(x, scale), in_dims[0]

    x = minigrad.randn(4, 3)
    minigrad.testing.assert_close(minigrad.vmap(op, in_dims=1)(x), 2 * x.T**3)
    assert asked == [(3, (1, None))]


def test_lists_of_tensors():
    op = made(minigrad, unique(), SPLIT)

    def setup(ctx, inputs, output):
        assert len(inputs[0]) == 2 and len(output) == 2
        ctx.n = inputs[1]
        ctx.needed = ctx.needs_input_grad

    def backward(ctx, first, second):
        assert ctx.needed == ([True, False], False)
        return [first * ctx.n, None], None

    op.register_autograd(backward, setup_context=setup)
    x, y = minigrad.ones(2, requires_grad=True), minigrad.ones(2)
    first, second = op([x, y], 3)
    (first.sum() + second.sum()).backward()
    assert x.grad.tolist() == [3.0, 3.0]
    batched = minigrad.vmap(lambda a, b: op([a, b], 4))(minigrad.ones(5, 2), minigrad.zeros(5, 2))
    assert [r.shape for r in batched] == [(5, 2)] * 2 and batched[1].unique().tolist() == [4.0]


def test_writes_are_counted_also_where_numpy_writes():
    op = made(minigrad, unique(), "def f(x: Tensor) -> None:\n    x.numpy()[:] = 7", mutates_args={"x"})
    x = minigrad.ones(2)
    y = minigrad.ones(2, requires_grad=True)
    z = (y * x).sum()
    assert op(x) is None and x.tolist() == [7.0, 7.0]
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


# Modes, subclasses, kernels ------------------------------------------------------------------------------------------------------


def test_dispatch_modes_see_the_operator():
    op = cube(minigrad)
    seen = []

    class Inner(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append((str(func), type(self).__name__))
            return func(*args, **(kwargs or {}))

    class Outer(Inner):
        pass

    with Outer(), Inner():
        result = op(minigrad.ones(1))
    name = f"{op._namespace}.op.default"
    assert seen == [(name, "Inner"), (name, "Outer")] and result.item() == 2.0
    op.register_torch_dispatch(Outer, lambda mode, func, types, args, kwargs: func(*args) * 10)
    with Outer():
        assert op(minigrad.ones(1)).item() == 20.0


def test_subclasses_override_the_operator():
    op = cube(minigrad)

    class Named(minigrad.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return str(func)

    assert op(minigrad.ones(1).as_subclass(Named)) == f"{op._namespace}.op.default"


def test_kernels_are_chosen_and_switched_off():
    op = cube(minigrad)
    op.register_kernel("cpu", lambda x, scale: x * 0 + 7)
    op.register_kernel("cuda", lambda x, scale: 1 / 0)
    assert op(minigrad.ones(1)).item() == 7.0
    with op.set_kernel_enabled("cpu", False):
        assert op(minigrad.ones(1)).item() == 2.0
    assert op(minigrad.ones(1)).item() == 7.0


def test_autocast_of_an_operator():
    op = made(minigrad, unique(), "def f(x: Tensor, ys: List[Tensor]) -> Tensor:\n    return x + ys[0]")
    op.register_autocast("cpu", minigrad.bfloat16)
    x = minigrad.ones(1)
    assert op(x, [x]).dtype is minigrad.float32
    with minigrad.autocast("cpu"):
        assert op(x, [x]).dtype is minigrad.bfloat16


def test_a_library_lasts_as_long_as_its_object():
    library = minigrad.library.Library("tests_library_lasting", "DEF")
    library.define("f(Tensor x) -> Tensor")
    library.impl("f", lambda x: x + 1, "CPU")
    assert minigrad.ops.tests_library_lasting.f(minigrad.zeros(1)).item() == 1.0
    fragment = minigrad.library.Library("tests_library_lasting", "FRAGMENT")
    fragment.define("f.other(Tensor x, Tensor y) -> Tensor")
    fragment.impl("f.other", lambda x, y: x + y, "CPU")
    packet = minigrad.ops.tests_library_lasting.f
    assert packet.overloads() == ["default", "other"]
    assert packet(minigrad.ones(1), minigrad.ones(1)).item() == 2.0
    del library
    gc.collect()
    assert packet.overloads() == ["other"]
    fragment._destroy()
    assert not hasattr(minigrad.ops.tests_library_lasting, "f")
    minigrad.library.Library("tests_library_lasting", "DEF")._destroy()


def test_a_kernel_for_autograd_stands_above_the_others():
    library = minigrad.library.Library("tests_library_above", "DEF")
    library.define("f(Tensor x) -> Tensor")
    library.impl("f", lambda x: x * 2, "CPU")

    class Twice(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return minigrad.ops.tests_library_above.f(x)

        @staticmethod
        def backward(ctx, g):
            return g * 20

    library.impl("f", Twice.apply, "Autograd")
    x = minigrad.ones(1, requires_grad=True)
    y = minigrad.ops.tests_library_above.f(x)
    y.backward()
    assert y.item() == 2.0 and x.grad.item() == 20.0


def test_kernels_may_come_before_the_schema_and_aten_is_closed():
    name = unique()
    minigrad.library.impl(name, "default", lambda x: x.cos())
    minigrad.library.define(name, "(Tensor x) -> Tensor")
    space = name.partition("::")[0]
    x = minigrad.zeros(1, requires_grad=True)
    assert getattr(minigrad.ops, space).op(x).grad_fn.name() == "CosBackward0"
    with pytest.raises(NotImplementedError, match="aten::sin"):
        minigrad.library.Library("aten", "IMPL").impl("sin", lambda x: x, "CPU")


def test_overloads_can_be_pickled_and_are_the_same_objects():
    op = cube(minigrad)
    overload = op._opoverload
    assert pickle.loads(pickle.dumps(overload)) is overload
    assert getattr(minigrad.ops, op._namespace).op.default is overload
    assert dir(getattr(minigrad.ops, op._namespace)).count("op") == 1


# opcheck -------------------------------------------------------------------------------------------------------------------------


def test_opcheck_of_a_good_operator():
    op = cube(minigrad)
    op.register_fake(lambda x, scale: minigrad.empty_like(x))
    found = minigrad.library.opcheck(op, (minigrad.ones(3, requires_grad=True),))
    assert list(found.values()) == ["SUCCESS"] * 4


@pytest.mark.parametrize(
    "source, fake, test, message",
    [
        ("def f(x: Tensor) -> Tensor:\n    x.add_(1)\n    return x.clone()", None, "test_schema", "x is not defined as mutable but was mutated"),
        ("def f(x: Tensor) -> Tensor:\n    return x.clone()", None, "test_faketensor", "There was no fake impl registered for"),
        ("def f(x: Tensor) -> Tensor:\n    return x.clone()", lambda x: x.new_empty(7), "test_faketensor", "the fake impl says"),
        ("def f(x: Tensor) -> Tensor:\n    return x.clone()", lambda x: x.double(), "test_faketensor", "the fake impl says"),
        ("def f(x: Tensor) -> Tensor:\n    return x.clone()", lambda x: x, "test_aot_dispatch_dynamic", "no autograd formula was registered"),
        ("def f(x: Tensor) -> Tensor:\n    return torch.rand(3)", lambda x: x, "test_aot_dispatch_dynamic", "not close"),
    ],
)  # fmt: skip
def test_opcheck_finds(source, fake, test, message):
    op = made(minigrad, unique(), source)
    if fake is not None:
        op.register_fake(fake)
    grad = "formula" in message
    with pytest.raises(minigrad.library.OpCheckError, match=message):
        minigrad.library.opcheck(op, (minigrad.ones(3, requires_grad=grad),), test_utils=test)
    found = minigrad.library.opcheck(op, (minigrad.ones(3, requires_grad=grad),), raise_exception=False)
    assert message in str(found[test])


def test_sizes_that_depend_on_values():
    op = made(minigrad, unique(), "def f(x: Tensor) -> Tensor:\n    return x.nonzero().squeeze(1)")

    @op.register_fake
    def fake(x):
        return x.new_empty(minigrad.library.get_ctx().new_dynamic_size(), dtype=minigrad.int64)

    assert minigrad.library.opcheck(op, (minigrad.tensor([0.0, 1, 2, 3]),), test_utils="test_faketensor")
    assert minigrad.library.get_ctx() is None


# Beside PyTorch ------------------------------------------------------------------------------------------------------------------


SIGNATURES = [
    "def f(x: Tensor, y: Optional[Tensor] = None, z: List[Tensor] = None) -> Tensor: ...",
    "def f(x: Tensor, y: int = 3, z: Sequence[int] = ()) -> Tensor: ...",
    "def f(x: Tensor | None, y: list[int] | None = None, z: Sequence[Optional[Tensor]] = None) -> Tensor: ...",
    "def f(x: list[Optional[Tensor]], s: str = 'a', d: torch.device = torch.device('cpu'), t: torch.dtype = torch.float32) -> tuple[Tensor, int]: ...",
    "def f(n: Number = 2, *, k: Optional[Sequence[float]] = None, b: Optional[bool] = True, m: Optional[Number] = None) -> tuple[float, bool, Number]: ...",
    "def f(x: Tensor): ...",
    "def f(x: Tensor) -> None: ...",
    "def f(x) -> None: ...",
    "def f(*x: Tensor) -> None: ...",
    "def f(x: Tensor, /) -> None: ...",
    "def f(x: dict) -> None: ...",
    "def f(x: tuple[int, int]) -> None: ...",
    "def f(x: Tensor) -> str: ...",
    "def f(x: Tensor) -> list[Tensor]: ...",
    "def f(x: Tensor) -> tuple[Tensor]: ...",
    "def f(x: Tensor) -> tuple[Tensor, list[Tensor]]: ...",
    "def f(x: 'Tensor') -> 'Tensor': ...",
    "def f(x: 'Optional[Tensor]' = None) -> 'Tuple[Tensor, Tensor]': ...",
    "def f(x: Tensor, y: list = None) -> Tensor: ...",
    "def f(x: Tensor, z: complex = 1j) -> bool: ...",
    "def f(x: 'Nope') -> Tensor: ...",
    "def f(x: float = 1e-5, y: float = float('inf'), z: float = 2.5) -> Tensor: ...",
    "def f(x: List[Optional[int]]) -> Tensor: ...",
    "def f(x: Optional[List[Tensor]]) -> Tensor: ...",
    "def f(x: Optional[List[bool]] = None, y: List[str] = None) -> Tensor: ...",
]  # fmt: skip


def outcome(program, lib):
    try:
        return program(lib)
    except Exception as error:
        text = first_sentence(str(error)).partition(" The valid types")[0].partition(" Got func")[0]
        return type(error).__name__, text.replace(f"{lib.__name__}.", "")


def beside(program):
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch.library")
    assert outcome(program, minigrad) == outcome(program, torch)


@pytest.mark.torch
@pytest.mark.parametrize("source", SIGNATURES)
def test_schemas_of_functions(source):
    beside(lambda lib: lib.library.infer_schema(function_of(lib, source), mutates_args=()))
    beside(
        lambda lib: lib.library.infer_schema(function_of(lib, source), mutates_args="unknown", op_name="name")
    )


SCHEMAS = [
    "(Tensor x, int n=2) -> Tensor",
    "(Tensor(a!) x, Tensor(b!)[] xs, Tensor? y=None) -> ()",
    "(Tensor x, *, float a=1.5, float b=2, bool c=True, str s=\"text\", int[2] k=[1, 2], int? n=None) -> (Tensor, Tensor out)",
    "(float x=2.0, float y=-0.5, float z=1e10, Scalar s=3) -> Tensor[]",
    "(Tensor x -> Tensor",
    "(Foo x) -> Tensor",
    "(Tensor x) Tensor",
    "(Tensor) -> Tensor",
    "(Tensor x, Tensor y=) -> Tensor",
    "Tensor x -> Tensor",
]  # fmt: skip


@pytest.mark.torch
@pytest.mark.parametrize("schema", SCHEMAS)
def test_schemas_that_are_written(schema):
    space = unique().partition("::")[0]

    def program(lib):
        lib.library.define(f"{space}::op", schema)
        found = getattr(lib.ops, space).op.default._schema
        arguments = [(a.name, a.default_value, a.kwarg_only) for a in found.arguments]
        return str(found), found.name, found.overload_name, arguments, found.is_mutable

    torch = pytest.importorskip("torch")
    ours, theirs = outcome(program, minigrad), outcome(program, torch)
    if theirs[0] in ("RuntimeError", "ValueError") and schema[0] == "(":
        assert ours[0] == "RuntimeError"  # PyTorch's parser words what it expected in terms of its tokens
    else:
        assert ours == theirs


def registered(lib, source=CUBE, **options):
    return made(lib, unique(), source, **options)


def named(lib, schema="(Tensor x) -> Tensor", kernel=lambda x: x * 2, device="cpu"):
    """An operator by ``define`` and ``impl``: its name."""
    name = unique()
    lib.library.define(name, schema)
    lib.library.impl(name, device, kernel)
    return name, getattr(lib.ops, name.partition("::")[0]).op


def value(x):
    return x.tolist(), str(x.dtype), x.requires_grad, x.grad_fn is not None


CALLS = {
    "a call": lambda op, lib: value(op(lib.ones(2))),
    "by keyword": lambda op, lib: value(op(x=lib.ones(2), scale=3)),
    "an int for a float": lambda op, lib: value(op(lib.ones(2), 1)),
    "no tensor": lambda op, lib: op(3),
    "nothing": lambda op, lib: op(),
    "an unknown keyword": lambda op, lib: op(lib.ones(2), nope=1),
    "too many": lambda op, lib: op(lib.ones(2), 1.0, 2),
    "twice": lambda op, lib: (op(lib.ones(2), 1.0), op(lib.ones(2), nope=2)),
    "a string for a number": lambda op, lib: op(lib.ones(2), "a"),
    "a tensor for a number": lambda op, lib: value(op(lib.ones(2), lib.tensor(4.0))),
    "recorded": lambda op, lib: value(op(lib.ones(2, requires_grad=True))),
    "no derivative": lambda op, lib: op(lib.ones(2, requires_grad=True)).sum().backward(),
    "no_grad": lambda op, lib: value(lib.no_grad()(op)(lib.ones(2, requires_grad=True))),
    "the name of the node": lambda op, lib: op(lib.ones(2, requires_grad=True)).grad_fn.name().replace(op._namespace, ""),
    "its names": lambda op, lib: [repr(op), str(op._opoverload), str(op._opoverload._schema), op._opoverload.name(), op._qualname == f"{op._namespace}::{op._name}"],
    "no such overload": lambda op, lib: getattr(lib.ops, op._namespace).op.foo,
    "no such operator": lambda op, lib: getattr(lib.ops, op._namespace).nope,
    "overloads": lambda op, lib: getattr(lib.ops, op._namespace).op.overloads(),
}  # fmt: skip


@pytest.mark.torch
@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    torch = pytest.importorskip("torch")
    full = unique()

    def program(lib):
        op = made(lib, full, CUBE)
        return CALLS[name](op, lib)

    assert outcome(program, minigrad) == outcome(program, torch)


def gradients(lib, backward, source=CUBE, setup=None, inputs=1, call=lambda op, x: op(*x)):
    op = registered(lib, source)
    op.register_autograd(backward, setup_context=setup)
    x = [lib.full((2,), 2.0, requires_grad=True) for _ in range(inputs)]
    result = call(op, x)
    (result[0] if isinstance(result, tuple) else result).sum().backward()
    return [t.grad.tolist() for t in x]


def keep(ctx, inputs, output):
    ctx.kept = inputs


KEYWORD = "def f(x: Tensor, *, n: int = 3) -> Tensor:\n    return x * n"
PROGRAMS = {
    "a derivative": lambda lib: gradients(lib, lambda ctx, g: (g * ctx.kept[1], None), setup=keep),
    "a derivative without a context": lambda lib: gradients(lib, lambda ctx, g: (g * 5, None)),
    "too few gradients": lambda lib: gradients(lib, lambda ctx, g: g * 5),
    "keywords only": lambda lib: gradients(lib, lambda ctx, g: g * 3, KEYWORD),
    "keywords only for a context": lambda lib: gradients(
        lib, lambda ctx, g: g * ctx.n, KEYWORD, lambda ctx, inputs, keyword_only_inputs, output: setattr(ctx, "n", keyword_only_inputs["n"])
    ),
    "a context without keywords only": lambda lib: gradients(lib, lambda ctx, g: g * 3, KEYWORD, keep),
    "lists": lambda lib: gradients(
        lib, lambda ctx, g, h: [g * 2, h], PAIR, keep, inputs=2, call=lambda op, x: op(x)
    ),
    "a flat gradient for lists": lambda lib: gradients(
        lib, lambda ctx, g, h: (g, h), PAIR, keep, inputs=2, call=lambda op, x: op(x)
    ),
    "a derivative of what writes": lambda lib: registered(lib, ADD, mutates_args={"x"}).register_autograd(lambda ctx, g: g),
    "what writes": lambda lib: (lambda x: (registered(lib, ADD, mutates_args={"x"})(x, 3), x.tolist(), x._version > 0))(lib.ones(2)),
    "an argument as the result": lambda lib: registered(lib, "def f(x: Tensor) -> Tensor:\n    return x")(lib.ones(2)) and 0,
    "no tensor as the result": lambda lib: registered(lib, "def f(x: Tensor) -> Tensor:\n    return 3")(lib.ones(2)),
    "a number as the result": lambda lib: registered(lib, "def f(x: Tensor) -> int:\n    return x.numel()")(lib.ones(2)),
    "a list as the result": lambda lib: [type(r).__name__ for r in registered(lib, "def f(x: Tensor) -> list[Tensor]:\n    return [x + 1, x + 2]")(lib.ones(2))],
    "no kernel for the CPU": lambda lib: registered(lib, device_types="cuda")(lib.ones(2)) and 0,
    "a schema of one's own": lambda lib: value(lib.library.custom_op(unique(), lambda x: x * 2, mutates_args=(), schema="(Tensor x) -> Tensor")(lib.ones(2))),
    "no namespace": lambda lib: lib.library.custom_op("op", function_of(lib, CUBE), mutates_args=()),
    "define without a namespace": lambda lib: lib.library.define("op", "(Tensor x) -> Tensor"),
    "define without parentheses": lambda lib: lib.library.define(unique(), "Tensor x -> Tensor"),
    "impl": lambda lib: value(named(lib)[1](lib.ones(2))),
    "impl by default is recorded": lambda lib: named(lib, kernel=lambda x: x.cos(), device="default")[1](lib.ones(2, requires_grad=True)).grad_fn.name(),
    "a derivative of a name": lambda lib: (
        (n := named(lib)), lib.library.register_autograd(n[0], lambda ctx, g: g * 9), (x := lib.ones(1, requires_grad=True)), n[1](x).backward(), x.grad.tolist()
    )[-1],
    "a kernel of a name": lambda lib: ((n := named(lib)), lib.library.register_kernel(n[0], "cpu", lambda x: x * 5), value(n[1](lib.ones(1))))[-1],
    "two DEFs": lambda lib: [lib.library.Library(s, kind) for s in [unique().partition("::")[0]] for kind in ("DEF", "DEF")],
    "a kind": lambda lib: lib.library.Library("tests_library", "X"),
    "a reserved namespace": lambda lib: lib.library.Library("prim", "DEF"),
    "a key": lambda lib: lib.library.Library("tests_library", "IMPL").impl("f", lambda x: x, "Nope"),
    "the text of a library": lambda lib: repr(lib.library.Library("tests_library", "IMPL", "CPU")),
    "a definition in IMPL": lambda lib: lib.library.Library("tests_library", "IMPL", "CPU").define("f(Tensor x) -> Tensor")[:0],
    "a schema without a result": lambda lib: named(lib, "(Tensor x) -> ()", lambda x: None)[1](lib.ones(1)),
    "a fallthrough": lambda lib: lib.library.fallthrough_kernel(),
    "a wrong op": lambda lib: lib.library.register_vmap(3, None),
    "a rule for batches": lambda lib: (
        (n := named(lib)), lib.library.register_vmap(n[0], lambda info, dims, x: (x * 100 + info.batch_size, dims[0])), lib.vmap(n[1])(lib.ones(3)).tolist()
    )[-1],

    "a keyword-only tensor": lambda lib: lib.library.register_autograd(named(lib, "(*, Tensor x) -> Tensor")[0], lambda ctx, g: g),
}  # fmt: skip
IMPLICIT = {"an argument as the result", "no kernel for the CPU", "no tensor as the result", "two DEFs"}


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    torch = pytest.importorskip("torch")
    ours, theirs = outcome(PROGRAMS[name], minigrad), outcome(PROGRAMS[name], torch)

    def bare(found):
        if not (isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], str)):
            return found
        words = [w for w in found[1].split() if "tests_library" not in w]
        text = " ".join(words)
        for begin, end in (("(with implementation in", "py'>):"), ("Consider", "."), ("Got:", "")):
            if begin in text:
                text = text.partition(begin)[0] + text.partition(end)[2]
        return found[0], text

    ours, theirs = bare(ours), bare(theirs)
    if name in IMPLICIT and isinstance(theirs, tuple):
        assert ours[0] == theirs[0] and ours[1][:30] == theirs[1][:30]
    else:
        assert ours == theirs


def test_schemas_are_of_finite_numbers():
    assert str(
        minigrad.library.infer_schema(
            function_of(minigrad, "def f(x: float = math.pi) -> float: ..."), mutates_args=()
        )
    ).startswith(f"(float x={math.pi})")


def test_arguments_on_meta_go_to_the_function_that_describes_results():
    @minigrad.library.custom_op("test_library::halved", mutates_args=())
    def halved(x: minigrad.Tensor) -> minigrad.Tensor:
        return x[: len(x) // 2].clone()

    x = minigrad.ones(4, device="meta", requires_grad=True)
    with pytest.raises(RuntimeError, match="no fake impl registered for <CustomOpDef"):
        halved(x)
    halved.register_fake(lambda x: x.new_empty(len(x) // 2))
    halved.register_autograd(lambda ctx, g: minigrad.cat([g, g]))
    z = halved(x)
    assert z.shape == (2,) and z.is_meta and z.requires_grad

    minigrad.library.define("test_library::plus", "(Tensor x) -> Tensor")
    minigrad.library.impl("test_library::plus", "cpu", lambda x: x + 1)
    with pytest.raises(NotImplementedError, match="no fake impl or Meta kernel"):
        minigrad.ops.test_library.plus(x)
    minigrad.library.register_fake("test_library::plus", lambda x: minigrad.empty_like(x))
    assert minigrad.ops.test_library.plus(x.detach()).shape == (4,)


def test_an_operator_that_only_writes_does_nothing_on_meta():
    @minigrad.library.custom_op("test_library::written", mutates_args={"x"})
    def written(x: minigrad.Tensor) -> None:
        x.add_(1)

    assert written(minigrad.ones(2, device="meta")) is None


def test_what_overrides_is_asked_about_an_operator_of_a_program():
    @minigrad.library.custom_op("test_library::twice", mutates_args=())
    def twice(x: minigrad.Tensor, n: int = 2) -> minigrad.Tensor:
        return x * n

    class Other:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return str(func), types, len(args), kwargs

    class Mode(minigrad.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(str(func))
            return func(*args, **(kwargs or {}))

    seen = []
    assert twice(Other(), n=3) == ("test_library.twice.default", (Other,), 1, {"n": 3})
    with Mode():
        assert twice(minigrad.ones(1)).tolist() == [2.0]
    assert "test_library.twice.default" in seen
    graph = minigrad.fx.symbolic_trace(lambda x: twice(x) + 1)
    assert "torch.ops.test_library.twice.default(x)" in graph.code
    assert graph(minigrad.ones(1)).tolist() == [3.0]
