"""Custom Functions under transforms: with a ``vmap`` and a ``jvp`` of their own, or a derived rule for batches."""

import pytest

import minigrad
import minigrad.autograd.forward_ad as fwAD
from minigrad.func import grad, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap


def functions(torch):
    """The Functions of the tests, for minigrad or PyTorch."""
    Function = torch.autograd.Function

    class Sin(Function):
        """With rules of its own."""

        @staticmethod
        def forward(x):
            return x.sin()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * x.cos()

        @staticmethod
        def jvp(ctx, t):
            (x,) = ctx.saved_tensors
            return t * x.cos()

        @staticmethod
        def vmap(info, in_dims, x):
            return Sin.apply(x), in_dims[0]

    class DerivedSin(Sin):
        """With a rule for batches that is derived."""

        generate_vmap_rule = True
        vmap = Function.vmap

    class Product(Function):
        """Two tensors and a number; two results."""

        generate_vmap_rule = True

        @staticmethod
        def forward(x, y, k):
            return x * y * k, x + y

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, y, ctx.k = inputs
            ctx.save_for_backward(x, y)
            ctx.save_for_forward(x, y)

        @staticmethod
        def backward(ctx, g, h):
            x, y = ctx.saved_tensors
            return g * y * ctx.k + h, g * x * ctx.k + h, None

        @staticmethod
        def jvp(ctx, tx, ty, _):
            x, y = ctx.saved_tensors
            return (tx * y + x * ty) * ctx.k, tx + ty

    class OldProduct(Function):
        """A forward that takes the context."""

        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            ctx.save_for_forward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * y, g * x

        @staticmethod
        def jvp(ctx, tx, ty):
            x, y = ctx.saved_tensors
            return tx * y + x * ty

    class Doubled(Function):
        """In place."""

        @staticmethod
        def forward(x):
            return x.mul_(2)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.mark_dirty(*inputs)

        @staticmethod
        def backward(ctx, g):
            return 2 * g

        @staticmethod
        def jvp(ctx, t):
            return t.mul_(2)

        @staticmethod
        def vmap(info, in_dims, x):
            return Doubled.apply(x), in_dims[0]

    return Sin, DerivedSin, Product, OldProduct, Doubled


Sin, DerivedSin, Product, OldProduct, Doubled = functions(minigrad)
X = minigrad.tensor([[0.2, 0.5], [1.0, -0.4], [2.0, 0.7]])
Y = minigrad.tensor([2.0, 3.0])


def flat(result):
    if isinstance(result, minigrad.Tensor):
        return [result]
    return [x for part in result for x in flat(part)]


def agree(found, expected):
    found, expected = flat(found), flat(expected)
    assert len(found) == len(expected)
    for x, y in zip(found, expected):
        assert x.shape == y.shape
        assert minigrad.allclose(x, y, atol=1e-6), (x, y)


def product(x, y):
    return Product.apply(x, y, 3)[0]


def plain_product(x, y):
    return x * y * 3


def in_place(x):
    z = x.sin()
    out = Doubled.apply(z)
    assert out is z
    return out * z


def plain_in_place(x):
    return (2 * x.sin()) ** 2


OF_ONE = {
    "grad": lambda f: grad(lambda x: f(x).sum())(Y),
    "grad grad": lambda f: grad(lambda x: grad(lambda x: f(x).sum())(x).sum())(Y),
    "vmap": lambda f: vmap(f)(X),
    "vmap along 1": lambda f: vmap(f, in_dims=1, out_dims=1)(X),
    "vmap vmap": lambda f: vmap(vmap(f))(X),
    "vmap vmap along 1": lambda f: vmap(vmap(f), in_dims=1)(X),
    "vmap grad": lambda f: vmap(grad(lambda x: f(x).sum()))(X),
    "grad vmap": lambda f: grad(lambda x: vmap(f)(x).pow(2).sum())(X),
    "vmap vmap grad grad": lambda f: vmap(vmap(grad(grad(f))))(X),
    "vmap of captured": lambda f: vmap(lambda x: f(Y) + x)(X),
    "jvp": lambda f: jvp(f, (Y,), (X[0],)),
    "jvp grad": lambda f: jvp(grad(lambda x: f(x).sum()), (Y,), (X[0],)),
    "grad jvp": lambda f: grad(lambda x: jvp(f, (x,), (X[0],))[1].sum())(Y),
    "vmap jvp": lambda f: vmap(lambda x: jvp(f, (x,), (Y,)))(X),
    "jvp vmap": lambda f: jvp(vmap(f), (X,), (X + 1,)),
    "jvp vmap grad": lambda f: jvp(vmap(grad(lambda x: f(x).sum())), (X,), (X + 1,)),
    "jvp jvp": lambda f: jvp(lambda x: jvp(f, (x,), (x,))[1], (Y,), (X[0],)),
    "vjp": lambda f: vjp(f, Y)[1](X[0]),
    "linearize": lambda f: linearize(f, Y)[1](X[0]),
    "jacrev": lambda f: jacrev(f)(Y),
    "jacfwd": lambda f: jacfwd(f)(Y),
    "jacfwd jacrev": lambda f: jacfwd(jacrev(f))(Y),
    "jacrev jacfwd": lambda f: jacrev(jacfwd(f))(Y),
    "jacfwd jacfwd": lambda f: jacfwd(jacfwd(f))(Y),
    "jacrev jacrev": lambda f: jacrev(jacrev(f))(Y),
    "jacfwd vmap": lambda f: jacfwd(vmap(f))(X),
    "vmap hessian": lambda f: vmap(hessian(lambda x: f(x).sum()))(X),
    "grad vmap grad": lambda f: grad(lambda x: vmap(grad(lambda x: f(x).sum()))(x).pow(2).sum())(X),
}


@pytest.mark.parametrize("name", OF_ONE)
@pytest.mark.parametrize(
    "mine, plain",
    [(Sin.apply, minigrad.sin), (DerivedSin.apply, minigrad.sin), (in_place, plain_in_place)],
    ids=["own", "derived", "in place"],
)
def test_composition_is_that_of_the_plain_function(mine, plain, name):
    agree(OF_ONE[name](mine), OF_ONE[name](plain))


OF_TWO = {
    "vmap": lambda f: vmap(f, (0, None))(X, Y),
    "vmap of the second": lambda f: vmap(f, (None, 0))(Y, X),
    "vmap grad of both": lambda f: vmap(grad(lambda x, y: f(x, y).sum(), (0, 1)), (0, None))(X, Y),
    "vmap grad of the unbatched": lambda f: vmap(grad(lambda x, y: f(x, y).sum(), 1), (0, None))(X, Y),
    "grad vmap of the unbatched": lambda f: grad(lambda y: vmap(f, (0, None))(X, y).sum())(Y),
    "grad vmap grad of the captured": lambda f: grad(
        lambda y: vmap(grad(lambda x: f(x, y).sum()))(X).pow(2).sum()
    )(Y),
    "jvp vmap of the unbatched": lambda f: jvp(lambda y: vmap(f, (0, None))(X, y), (Y,), (Y,)),
    "vmap jvp": lambda f: vmap(lambda x: jvp(lambda y: f(x, y), (Y,), (x,)))(X),
    "vmap vmap": lambda f: vmap(vmap(f, (0, None)), (None, 0))(X, X),
    "vmap vmap grad": lambda f: vmap(vmap(grad(f, (0, 1)), (0, None)), (0, 0))(X, X[:, 0]),
    "hessian": lambda f: hessian(lambda x, y: f(x, y).sum(), (0, 1))(Y, Y + 1),
    "vmap hessian": lambda f: vmap(hessian(lambda x, y: f(x, y).sum(), (0, 1)), (0, None))(X, Y),
}


@pytest.mark.parametrize("name", OF_TWO)
def test_derived_rule_of_two_operands(name):
    agree(OF_TWO[name](product), OF_TWO[name](plain_product))


def test_gradient_of_another_shape_is_summed_to_the_sample():
    class Add(minigrad.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x, y):
            return x + y

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, g):
            return g, g

    z = minigrad.ones(3, 2, 2)
    found = grad(lambda y: (vmap(Add.apply)(z, y) * minigrad.arange(12.0).view(3, 2, 2)).sum())(X)
    assert found.tolist() == [[2.0, 4.0], [10.0, 12.0], [18.0, 20.0]]


def test_outer_graph_is_recorded_through_a_batch():
    for f in (Sin.apply, DerivedSin.apply):
        x = X.clone().requires_grad_()
        (found,) = minigrad.autograd.grad(vmap(f)(x).sum(), x)
        agree(found, X.cos())
        out = vmap(grad(lambda y: f(y).sum()))(x)
        (found,) = minigrad.autograd.grad(out.sum(), x)
        agree(found, -X.sin())
        with minigrad.no_grad():
            assert not vmap(f)(x).requires_grad


def test_context_under_a_derived_rule_knows_one_sample():
    seen = []

    class Total(minigrad.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x, k=2):
            return x.sum() * k

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.x, ctx.k = inputs
            ctx.shape = inputs[0].shape
            seen.append((tuple(output.shape), ctx.needs_input_grad))

        @staticmethod
        def backward(ctx, g):
            assert ctx.x.shape == ctx.shape
            return (g * ctx.k).expand(ctx.shape) + 0 * ctx.x, None

    found = grad(lambda x: vmap(vmap(Total.apply))(x).sum())(X.expand(2, 3, 2))
    agree(found, minigrad.full((2, 3, 2), 2.0))
    assert set(seen) == {((), (True, False))}


def test_undefined_gradients_are_zeros_or_none():
    seen = []

    def function(materialize):
        class Two(minigrad.autograd.Function):
            generate_vmap_rule = True

            @staticmethod
            def forward(x):
                return x * 2, x * 3

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.set_materialize_grads(materialize)

            @staticmethod
            def backward(ctx, g, h):
                seen.append(None if h is None else tuple(h.shape))
                return 2 * g

        return lambda x: Two.apply(x)[0].sum()

    for materialize, expected in ((True, (2,)), (False, None)):
        seen.clear()
        vmap(grad(function(materialize)))(X)
        grad(lambda x, f=function(materialize): vmap(f)(x).sum())(X)
        assert seen == [expected, expected]


# Rules of the user's -------------------------------------------------------------------------------------------------------


def sine_with(**methods):
    return type("Sine", (Sin,), {name: staticmethod(f) for name, f in methods.items()}).apply


def test_rule_for_batches_is_told_where_the_samples_lie():
    seen = []

    def rule(info, in_dims, x):
        seen.append((info.batch_size, info.randomness, in_dims, tuple(x.shape)))
        return x.sin(), in_dims[0]

    agree(vmap(sine_with(vmap=rule), in_dims=1, out_dims=1, randomness="same")(X), X.sin())
    agree(vmap(sine_with(vmap=rule))(X), X.sin())
    assert seen == [(2, "same", (1,), (3, 2)), (3, "error", (0,), (3, 2))]


def test_rule_for_batches_may_return_what_all_samples_share():
    apply = sine_with(vmap=lambda info, in_dims, x: (Y, None))
    agree(vmap(apply)(X), Y.expand(3, 2))


def test_rule_for_batches_finds_structures_of_arguments():
    class First(minigrad.autograd.Function):
        @staticmethod
        def forward(xs, k):
            return xs[0] * k

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def vmap(info, in_dims, xs, k):
            assert in_dims == ([0, None], None)
            return First.apply(xs, k), 0

    agree(vmap(lambda x: First.apply([x, Y], 3.0))(X), X * 3)


@pytest.mark.parametrize(
    "result, message",
    [
        (lambda x: x.sin(), "two returns, an output and out_dims .* Got a <class"),
        (lambda x: (x, 0, 1), "Got 3 returns instead"),
        (lambda x: (x, (0, 0)), "returned an incompatible \\(output, out_dims\\) tuple"),
    ],
)
def test_result_of_a_rule_for_batches_is_checked(result, message):
    with pytest.raises(RuntimeError, match=message):
        vmap(sine_with(vmap=lambda info, in_dims, x: result(x)))(X)


def test_what_is_missing_is_named():
    with pytest.raises(RuntimeError, match="it must override the setup_context staticmethod"):
        grad(lambda x: OldProduct.apply(x, Y).sum())(Y)
    no_rule = sine_with(vmap=minigrad.autograd.Function.vmap)
    with pytest.raises(RuntimeError, match="You tried to vmap over Sine, but it does not have vmap support"):
        vmap(lambda x: no_rule(Y))(X)
    both = type("Both", (Sin,), {"generate_vmap_rule": True})
    with pytest.raises(RuntimeError, match="Both, but it has both generate_vmap_rule=True and an overridden"):
        vmap(both.apply)(X)
    no_jvp = sine_with(jvp=minigrad.autograd.Function.jvp)
    with pytest.raises(NotImplementedError, match="You must implement the jvp function"):
        jvp(no_jvp, (Y,), (Y,))
    agree(grad(lambda x: no_jvp(x).sum())(Y), Y.cos())


def test_random_numbers_in_a_derived_rule():
    class Noise(minigrad.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return x * 0 + minigrad.rand(2)

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

    with pytest.raises(RuntimeError, match="called random operation while in randomness error mode"):
        vmap(Noise.apply)(X)
    a, b, _ = vmap(Noise.apply, randomness="same")(X)
    assert a.tolist() == b.tolist()
    a, b, _ = vmap(Noise.apply, randomness="different")(X)
    assert a.tolist() != b.tolist()


# forward_ad ----------------------------------------------------------------------------------------------------------------


def tangent(f, x=Y, t=None):
    with fwAD.dual_level():
        return fwAD.unpack_dual(f(fwAD.make_dual(x, minigrad.ones_like(x) if t is None else t))).tangent


def test_tangents_in_forward_ad():
    agree(tangent(Sin.apply), Y.cos())
    agree(tangent(lambda x: OldProduct.apply(x, x)), 2 * Y)
    agree(tangent(lambda x: OldProduct.apply(Y, x)), Y)
    agree(tangent(lambda x: product(x, Y)), 3 * Y)
    with fwAD._set_fwd_grad_enabled(False):
        assert tangent(Sin.apply) is None


@pytest.mark.parametrize("f", [lambda x: OldProduct.apply(x, x), lambda x: product(x, x) / 3])
def test_forward_over_reverse_and_reverse_over_forward(f):
    x = Y.clone().requires_grad_()
    with fwAD.dual_level():
        dual = fwAD.make_dual(x, minigrad.tensor([1.0, 10.0]))
        out = f(dual)
        (g,) = minigrad.autograd.grad(out.sum(), dual, create_graph=True)
        agree(fwAD.unpack_dual(g).primal.detach(), 2 * Y)
        agree(fwAD.unpack_dual(g).tangent.detach(), minigrad.tensor([2.0, 20.0]))
        (g,) = minigrad.autograd.grad(fwAD.unpack_dual(out).tangent.sum(), x, retain_graph=True)
        agree(g, minigrad.tensor([2.0, 20.0]))
        (g,) = minigrad.autograd.grad(fwAD.unpack_dual(out).primal.sum(), x, retain_graph=True)
        agree(g, 2 * Y)
        out.sum().backward()
    agree(x.grad, 2 * Y)


def test_in_place_function_writes_value_and_tangent():
    with fwAD.dual_level():
        x = fwAD.make_dual(Y.clone(), minigrad.ones(2))
        assert Doubled.apply(x) is x
        agree(list(fwAD.unpack_dual(x)), [2 * Y, minigrad.full((2,), 2.0)])


def handed(materialize):
    """What ``jvp`` is handed for a tensor with a tangent, one without, one of integers, and what is no tensor."""

    class Handed(minigrad.autograd.Function):
        @staticmethod
        def forward(*args):
            return args[0] * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.set_materialize_grads(materialize)

        @staticmethod
        def jvp(ctx, *tangents):
            seen.append([None if t is None else t.tolist() for t in tangents])
            return tangents[0]

    seen = []
    tangent(lambda x: Handed.apply(x, Y, minigrad.arange(2), 1))
    jvp(lambda x: Handed.apply(x, Y, minigrad.arange(2), 1), (Y,), (minigrad.ones(2),))
    assert seen[0] == seen[1]
    return seen[0]


def test_missing_tangents_are_zeros_or_none():
    assert handed(True) == [[1.0, 1.0], [0.0, 0.0], None, None]
    assert handed(False) == [[1.0, 1.0], None, None, None]


REFUSED = {
    "two": (
        {"jvp": lambda ctx, t: (t, t)},
        "returned an invalid number of forward gradients (expected 1 but got 2)",
    ),
    "int": ({"jvp": lambda ctx, t: 3}, "expected Variable or None (got int) for grad output 0."),
    "size": (
        {"jvp": lambda ctx, t: t.sum()},
        "is of size [2] while the given forward gradient is of size [].",
    ),
    "integers": (
        {"forward": lambda x: x.long(), "jvp": lambda ctx, t: t},
        "Function's jvp returned a gradient at position 0, but  the corresponding forward output is not a differentiable Tensor.You should "
        "return None at that position instead.",
    ),
    "view": (
        {"forward": lambda x: x.view_as(x), "jvp": lambda ctx, t: t.clone()},
        "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view.",
    ),
    "input": (
        {"forward": lambda x: x, "jvp": lambda ctx, t: t.clone()},
        "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view.",
    ),
    "not in place": (
        {
            "forward": lambda x: x.mul_(2),
            "setup_context": lambda ctx, x, z: ctx.mark_dirty(z),
            "jvp": lambda ctx, t: t * 2,
        },
        "An inplace custom Function is not modifying the forward mode gradients inplace.",
    ),
    "not an input": (
        {
            "forward": lambda x: x * 2,
            "setup_context": lambda ctx, x, z: ctx.mark_dirty(z),
            "jvp": lambda ctx, t: t * 2,
        },
        "Only input Tensors should be given to ctx.mark_dirty().",
    ),
}


def refused(torch, methods):
    """The message with which PyTorch or minigrad refuses a tangent."""
    body = {"forward": lambda x: x.sin(), "setup_context": lambda ctx, x, z: None, **methods}
    function = type("F", (torch.autograd.Function,), {name: staticmethod(f) for name, f in body.items()})
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.tensor([2.0, 3.0]), torch.ones(2))
        with pytest.raises(RuntimeError) as error:
            function.apply(x)
    return str(error.value)


@pytest.mark.parametrize("methods, message", REFUSED.values(), ids=REFUSED)
def test_tangents_are_checked(methods, message):
    assert message in refused(minigrad, methods)


@pytest.mark.torch
@pytest.mark.filterwarnings(
    "ignore:.*torch.jit.script. is:DeprecationWarning"
)  # PyTorch's own, where it uses forward mode
@pytest.mark.parametrize("methods, message", REFUSED.values(), ids=REFUSED)
def test_tangents_are_refused_in_pytorchs_words(methods, message):
    torch = pytest.importorskip("torch")
    assert refused(minigrad, methods) == refused(torch, methods)


# Beside PyTorch ------------------------------------------------------------------------------------------------------------


def nests(torch):
    """Results of Functions in nests of transforms."""
    f = torch.func
    sin, derived, product, _, doubled = functions(torch)
    x, y = torch.tensor(X.tolist()), torch.tensor(Y.tolist())

    def written(x):
        z = x * 1
        return doubled.apply(z) * z

    yield f.vmap(f.vmap(sin.apply), in_dims=1)(x)
    yield f.jacfwd(f.jacrev(derived.apply))(y)
    yield f.vmap(f.hessian(lambda x: derived.apply(x).sum()))(x)
    yield f.vmap(f.grad(lambda x: written(x).sum()))(x)
    yield f.jacfwd(written)(y)
    yield f.jacrev(written)(y)
    p = lambda x, y: product.apply(x, y, 3)
    yield from f.vmap(p, (0, None))(x, y)
    yield from f.vmap(f.grad(lambda x, y: sum(z.sum() for z in p(x, y)), (0, 1)), (0, None))(x, y)
    value, (t, s) = f.vmap(lambda x: f.jvp(lambda y: p(x, y), (y,), (x,)))(x)
    yield from (*value, t, s)
    yield f.grad(lambda y: f.vmap(f.grad(lambda x: p(x, y)[0].sum()))(x).pow(2).sum())(y)
    tracked = y.clone().requires_grad_()
    f.vmap(p, (0, None))(x, tracked)[0].sum().backward()
    yield tracked.grad


@pytest.mark.torch
@pytest.mark.filterwarnings(
    "ignore:.*torch.jit.script. is:DeprecationWarning"
)  # PyTorch's own, where it uses forward mode
def test_nests_agree_with_pytorch():
    torch = pytest.importorskip("torch")
    expected = list(nests(torch))
    found = list(nests(minigrad))
    assert len(found) == len(expected)
    for nr, (x, y) in enumerate(zip(found, expected)):
        assert tuple(x.shape) == tuple(y.shape), nr
        assert minigrad.allclose(x.detach(), minigrad.tensor(y.detach().tolist()), atol=1e-6), nr
