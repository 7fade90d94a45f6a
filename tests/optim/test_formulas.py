"""Each optimizer against its formula, written out with NumPy, in both worlds: arrays and recorded tensors."""

import math

import numpy as np
import pytest

import minigrad as torch
from minigrad import optim
from minigrad.optim._formula import array_ops, tensor_ops

GRADIENTS = [np.array([0.5, -1.0, 2.0]) * (i + 1) * (-1) ** (i // 2) for i in range(8)]
START = np.array([1.0, -2.0, 3.0])


def decayed(x, g, lr, weight_decay, decoupled):
    if decoupled:
        return x * (1 - lr * weight_decay), g
    return x, g + weight_decay * x


def adadelta(gs, x, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0):
    v = u = 0
    for g in gs:
        g = g + weight_decay * x
        v = rho * v + (1 - rho) * g**2
        d = np.sqrt(u + eps) / np.sqrt(v + eps) * g
        u = rho * u + (1 - rho) * d**2
        x = x - lr * d
        yield x


def adagrad(gs, x, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10):
    s = initial_accumulator_value
    for t, g in enumerate(gs):
        g = g + weight_decay * x
        s = s + g**2
        x = x - lr / (1 + t * lr_decay) * g / (np.sqrt(s) + eps)
        yield x


def adamax(gs, x, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0):
    m = u = 0
    for t, g in enumerate(gs, 1):
        g = g + weight_decay * x
        m = betas[0] * m + (1 - betas[0]) * g
        u = np.maximum(betas[1] * u, abs(g) + eps)
        x = x - lr / (1 - betas[0] ** t) * m / u
        yield x


def asgd(gs, x, lr=0.01, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0):
    eta = np.float32(lr)
    for t, g in enumerate(gs, 1):
        g = g + weight_decay * x
        x = x * (1 - lambd * float(eta)) - float(eta) * g
        eta = np.float32(lr / (1 + lambd * lr * t) ** alpha)
        yield x


def nadam(
    gs,
    x,
    lr=2e-3,
    betas=(0.9, 0.999),
    eps=1e-8,
    weight_decay=0,
    momentum_decay=4e-3,
    decoupled_weight_decay=False,
):
    m = v = 0
    product = np.float32(1)
    mu = lambda t: betas[0] * (1 - 0.5 * 0.96 ** (t * momentum_decay))
    for t, g in enumerate(gs, 1):
        x, g = decayed(x, g, lr, weight_decay, decoupled_weight_decay)
        product = np.float32(product * np.float32(mu(t)))
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * g**2
        ahead = mu(t + 1) * m / (1 - float(product) * mu(t + 1)) + (1 - mu(t)) * g / (1 - float(product))
        x = x - lr * ahead / (np.sqrt(v / (1 - betas[1] ** t)) + eps)
        yield x


def radam(gs, x, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False):
    m = v = 0
    limit = 2 / (1 - betas[1]) - 1
    for t, g in enumerate(gs, 1):
        x, g = decayed(x, g, lr, weight_decay, decoupled_weight_decay)
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * g**2
        rho = limit - 2 * t * betas[1] ** t / (1 - betas[1] ** t)
        step = lr * m / (1 - betas[0] ** t)
        if rho > 5:
            r = math.sqrt((rho - 4) * (rho - 2) * limit / ((limit - 4) * (limit - 2) * rho))
            step = step * r * math.sqrt(1 - betas[1] ** t) / (np.sqrt(v) + eps)
        x = x - step
        yield x


def rmsprop(gs, x, lr=0.01, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False):
    v = mean = b = 0
    for g in gs:
        g = g + weight_decay * x
        v = alpha * v + (1 - alpha) * g**2
        mean = alpha * mean + (1 - alpha) * g
        root = np.sqrt(v - mean**2) if centered else np.sqrt(v)
        b = momentum * b + g / (root + eps)
        x = x - lr * b
        yield x


def rprop(gs, x, lr=0.01, etas=(0.5, 1.2), step_sizes=(1e-6, 50)):
    before, size = np.zeros_like(x), np.full_like(x, lr)
    for g in gs:
        x, g, size = x.copy(), g.copy(), size.copy()
        for i in range(len(x)):
            if g[i] * before[i] > 0:
                size[i] = min(size[i] * etas[1], step_sizes[1])
            elif g[i] * before[i] < 0:
                size[i] = max(size[i] * etas[0], step_sizes[0])
                g[i] = 0
            x[i] -= size[i] * np.sign(g[i])
        before = g
        yield x


def adafactor(gs, x, lr=0.01, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0):
    v, rms = 0, lambda a: math.sqrt((a**2).mean())
    least = np.finfo(x.dtype).eps if eps[0] is None else eps[0]
    for t, g in enumerate(gs, 1):
        size = max(eps[1], rms(x)) * min(lr, 1 / math.sqrt(t))
        v = v + (g**2 - v) * t**beta2_decay
        u = g / np.sqrt(np.maximum(v, least**2))
        x = x * (1 - lr * weight_decay) - size * u / max(1, rms(u) / d)
        yield x


CASES = [
    ("Adadelta", adadelta, [{}, {"lr": 0.3, "weight_decay": 0.1}, {"rho": 0.5, "eps": 0.01}]),
    (
        "Adagrad",
        adagrad,
        [{}, {"lr_decay": 0.5, "weight_decay": 0.1}, {"initial_accumulator_value": 0.3, "eps": 0.1}],
    ),
    ("Adamax", adamax, [{}, {"lr": 0.1, "weight_decay": 0.1}, {"betas": (0.5, 0.6), "eps": 0.1}]),
    ("ASGD", asgd, [{}, {"lr": 0.1, "weight_decay": 0.1}, {"lambd": 0.1, "alpha": 0.5}]),
    (
        "NAdam",
        nadam,
        [
            {},
            {"lr": 0.1, "weight_decay": 0.1},
            {"weight_decay": 0.1, "decoupled_weight_decay": True},
            {"betas": (0.5, 0.6), "momentum_decay": 0.3, "eps": 0.1},
        ],
    ),
    (
        "RAdam",
        radam,
        [
            {},
            {"lr": 0.1, "weight_decay": 0.1},
            {"weight_decay": 0.1, "decoupled_weight_decay": True},
            {"betas": (0.5, 0.9), "eps": 0.1},
        ],
    ),
    (
        "RMSprop",
        rmsprop,
        [
            {},
            {"weight_decay": 0.1},
            {"momentum": 0.9},
            {"centered": True, "alpha": 0.8},
            {"momentum": 0.5, "centered": True, "eps": 0.1},
        ],
    ),
    ("Rprop", rprop, [{}, {"lr": 0.5, "etas": (0.3, 1.9)}, {"step_sizes": (0.009, 0.011)}]),
    (
        "Adafactor",
        adafactor,
        [{}, {"lr": 0.5, "weight_decay": 0.1}, {"eps": (0.1, 0.5), "d": 1.5, "beta2_decay": -0.3}],
    ),
]
ROWS = [
    pytest.param(name, formula, options, id=f"{name} {options}")
    for name, formula, several in CASES
    for options in several
]


def run(name, options, differentiable=False, dtype=np.float64):
    p = torch.tensor(START.astype(dtype), requires_grad=True)
    if differentiable:
        p, options = p.clone(), {**options, "differentiable": True}
    optimizer = getattr(optim, name)([p], **options)
    for g in GRADIENTS:
        p.grad = torch.tensor(g.astype(dtype))
        optimizer.step()
        yield p.detach().numpy().copy()


@pytest.mark.parametrize("name, formula, options", ROWS)
def test_the_steps_are_the_formulas(name, formula, options):
    np.testing.assert_allclose(
        list(run(name, options)), list(formula(GRADIENTS, START, **options)), rtol=1e-10
    )


@pytest.mark.parametrize("name, formula, options", ROWS)
def test_maximize_turns_the_gradients(name, formula, options):
    turned = [-g for g in GRADIENTS]
    np.testing.assert_allclose(
        list(run(name, {**options, "maximize": True})), list(formula(turned, START, **options)), rtol=1e-10
    )


@pytest.mark.parametrize("name, formula, options", [row for row in ROWS if row.values[0] != "Adafactor"])
def test_recorded_steps_are_the_same(name, formula, options):
    np.testing.assert_allclose(
        list(run(name, options, differentiable=True)), list(run(name, options)), rtol=1e-12
    )


@pytest.mark.parametrize("name, formula, options", ROWS)
def test_single_precision_stays_single(name, formula, options):
    history = list(run(name, options, dtype=np.float32))
    assert {x.dtype for x in history} == {np.dtype("float32")}
    np.testing.assert_allclose(history, list(formula(GRADIENTS, START, **options)), rtol=2e-4, atol=1e-6)


LARGE = [
    ("Adadelta", {"weight_decay": 0.1}),
    ("Adagrad", {"maximize": True}),
    ("Adam", {"amsgrad": True, "weight_decay": 0.1}),
    ("AdamW", {"weight_decay": 0.1, "maximize": True}),
    ("Adamax", {}),
    ("ASGD", {"t0": 1}),
    ("NAdam", {"decoupled_weight_decay": True, "weight_decay": 0.1}),
    ("RAdam", {}),
    ("RMSprop", {"momentum": 0.9, "centered": True}),
    ("Rprop", {}),
]


@pytest.mark.parametrize("turned", [False, True], ids=["contiguous", "transposed"])
@pytest.mark.parametrize(("name", "options"), LARGE, ids=[name for name, _ in LARGE])
def test_large_parameters_move_as_small_ones_do(name, options, turned):
    """Part by part, where a parameter is large and its memory in one piece."""
    torch.manual_seed(0)
    values, gradients = torch.randn(81, 1000), torch.randn(3, 81, 1000)
    large = values.clone()
    if turned:
        large = large.t()
    large.requires_grad_()
    small = [row.clone().requires_grad_() for row in values]
    both = getattr(optim, name)([large], **options), getattr(optim, name)(small, **options)
    for g in gradients:
        large.grad = g.t() if turned else g
        for p, row in zip(small, g):
            p.grad = row
        for optimizer in both:
            optimizer.step()
    moved = large.t() if turned else large
    assert (moved == torch.stack(small)).all()
    assert (moved != values).float().mean() > 0.9


def test_both_vocabularies_have_the_same_words():
    assert vars(array_ops).keys() == vars(tensor_ops).keys()


def test_asgd_keeps_the_mean_after_t0():
    p = torch.tensor([0.0, 10.0], requires_grad=True)
    optimizer = optim.ASGD([p], lr=0.5, t0=2, lambd=0.0)
    seen = []
    for g in (1.0, 2.0, 3.0, 4.0, 5.0):
        p.grad = torch.full((2,), g)
        optimizer.step()
        seen.append(p.detach().numpy().copy())
    np.testing.assert_allclose(optimizer.state[p]["ax"].numpy(), np.mean(seen[3:], axis=0), rtol=1e-6)


def test_adafactor_keeps_a_row_and_a_column_of_each_matrix():
    p = torch.ones(2, 3, 4, requires_grad=True)
    optimizer = optim.Adafactor([p], lr=1.0)
    g = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4) - 7
    p.grad = torch.tensor(g)
    optimizer.step()
    state = optimizer.state[p]
    assert state["row_var"].shape == (2, 3, 1) and state["col_var"].shape == (2, 1, 4)
    rows, columns = (g**2).mean(-1, keepdims=True), (g**2).mean(-2, keepdims=True)
    u = g / np.sqrt(rows * columns / rows.mean(-2, keepdims=True))
    expected = 1 - u / max(1, math.sqrt((u**2).mean()))
    np.testing.assert_allclose(p.detach().numpy(), expected, rtol=1e-5)


def test_muon_steps_are_nearly_orthogonal():
    for shape in ((4, 4), (6, 3), (3, 6)):
        p = torch.zeros(*shape, requires_grad=True)
        optimizer = optim.Muon([p], lr=1.0, weight_decay=0, adjust_lr_fn="match_rms_adamw")
        p.grad = torch.randn(*shape)
        optimizer.step()
        singular = np.linalg.svd(p.detach().numpy() / (0.2 * math.sqrt(max(shape))))[1]
        assert (0.6 < singular).all() and (singular < 1.3).all()


def test_muon_shrinks_and_scales():
    p = torch.tensor([[2.0, 0.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0]], requires_grad=True)
    q = p.detach().clone().requires_grad_()
    p.grad, q.grad = torch.zeros_like(p), p.detach().clone()
    optim.Muon([p], lr=0.5, weight_decay=0.5).step()
    assert p[0, 0].item() == 1.5
    optim.Muon([q], lr=0.5, weight_decay=0.0).step()
    assert 2 - 0.5 * math.sqrt(2) * 1.3 < q[0, 0].item() < 2 - 0.5 * math.sqrt(2) * 0.6


@pytest.mark.parametrize(
    "name", ["SGD", "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "Adagrad", "Adadelta", "RMSprop"]
)
def test_other_implementations_give_the_same(name):
    plain, several = list(run(name, {"lr": 0.1})), list(run(name, {"lr": 0.1, "foreach": True}))
    np.testing.assert_array_equal(plain, several)
    if name in ("SGD", "Adam", "AdamW", "Adagrad"):
        np.testing.assert_allclose(plain, list(run(name, {"lr": 0.1, "fused": True})), rtol=1e-12)


NAMES = [
    "SGD",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "RAdam",
    "Adagrad",
    "Adadelta",
    "RMSprop",
    "ASGD",
    "Rprop",
]


@pytest.mark.parametrize("name", NAMES)
def test_complex_parameters_move_as_pairs_of_numbers(name):
    z = torch.tensor([1 + 2j, -1j], requires_grad=True)
    parts = torch.tensor([[1.0, 2.0], [0.0, -1.0]], requires_grad=True)
    for x in (z, parts):
        optimizer = getattr(optim, name)([x], lr=0.1)
        for i in range(4):
            g = torch.tensor([[0.5, -1.0], [2.0, i - 1.5]])
            x.grad = torch.view_as_complex(g) if x is z else g
            optimizer.step()
    np.testing.assert_allclose(torch.view_as_real(z.detach()).numpy(), parts.detach().numpy(), rtol=1e-6)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "Rprop"])  # a sign has no gradient
def test_recorded_steps_are_differentiable(name):
    def stepped(g, held):
        x = torch.tensor([0.3, 0.7, -0.2], dtype=torch.float64)
        optimizer = getattr(optim, name)([x], lr=0.1, differentiable=True)
        x.grad = g
        if name == "SGD":
            optimizer.param_groups[0]["momentum"] = 0.9
            optimizer.state[x]["momentum_buffer"] = held.clone()
        else:
            first = optimizer._first(x, optimizer.param_groups[0])
            buffers = {key: held.clone() for key in optimizer._buffers(optimizer.param_groups[0]) if key}
            optimizer.state[x].update({**first, **buffers})
        optimizer.step()
        return x, *(value for value in optimizer.state[x].values() if value.requires_grad)

    g = torch.tensor([0.5, -0.4, 0.9], dtype=torch.float64, requires_grad=True)
    held = torch.tensor([0.4, 0.5, 0.6], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(stepped, (g, held))


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "NAdam", "RMSprop"])
def test_recorded_steps_are_differentiable_in_the_learning_rate(name):
    def stepped(lr):
        x = torch.tensor([0.3, 0.7, -0.2], dtype=torch.float64)
        optimizer = getattr(optim, name)([x], lr=lr, weight_decay=0.1, differentiable=True)
        for i in range(2):
            x.grad = torch.tensor([0.5, -0.4, 0.9], dtype=torch.float64) * (i + 1)
            optimizer.step()
        return x

    lr = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(stepped, (lr,))


def test_adam_is_differentiable_in_its_betas_and_weight_decay():
    def stepped(beta1, beta2, weight_decay):
        x = torch.tensor([0.3, 0.7, -0.2], dtype=torch.float64)
        optimizer = optim.Adam(
            [x], betas=(beta1, beta2), weight_decay=weight_decay, differentiable=True, amsgrad=True
        )
        for i in range(3):
            x.grad = torch.tensor([0.5, -0.4, 0.9], dtype=torch.float64) * (i + 1)
            optimizer.step()
        return x

    given = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (0.5, 0.6, 0.3)]
    assert torch.autograd.gradcheck(stepped, given)


def test_recorded_steps_refuse_leaves_and_other_implementations():
    p = torch.ones(1, requires_grad=True)
    p.grad = torch.ones(1)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        optim.RMSprop([p], differentiable=True).step()
    q = p.clone()
    q.grad = torch.ones(1)
    with pytest.raises(AssertionError, match="_foreach ops don't support autograd"):
        optim.RMSprop([q], differentiable=True, foreach=True).step()
    with pytest.raises(RuntimeError, match="`fused` does not support `differentiable`"):
        optim.Adagrad([q], differentiable=True, fused=True)


def test_capturable_is_refused_on_a_cpu():
    p = torch.ones(1, requires_grad=True)
    p.grad = torch.ones(1)
    for cls, what in (
        (optim.Adam, "params and state_steps"),
        (optim.ASGD, "params, mus, etas, and state_steps"),
    ):
        with pytest.raises(AssertionError, match=f"If capturable=True, {what} must be on supported devices"):
            cls([p], capturable=True).step()


def test_functional_forms_write_to_the_lists():
    from minigrad.optim.adam import adam
    from minigrad.optim.nadam import nadam
    from minigrad.optim.sgd import sgd

    for name, call, names, scalars in (
        (
            "Adam",
            lambda *a: adam(
                *a[:4],
                [],
                a[4],
                amsgrad=False,
                beta1=0.9,
                beta2=0.999,
                lr=0.001,
                weight_decay=0,
                eps=1e-8,
                maximize=False,
            ),
            ("exp_avg", "exp_avg_sq"),
            (),
        ),
        (
            "NAdam",
            lambda *a: nadam(
                *a[:4],
                a[5],
                a[4],
                beta1=0.9,
                beta2=0.999,
                lr=0.002,
                weight_decay=0,
                momentum_decay=4e-3,
                eps=1e-8,
            ),
            ("exp_avg", "exp_avg_sq"),
            ("mu_product",),
        ),
    ):
        p, g = torch.tensor(START), torch.tensor(GRADIENTS[0])
        optimizer = getattr(optim, name)([p.clone().requires_grad_()])
        twin = optimizer.param_groups[0]["params"][0]
        twin.grad = g
        buffers = [[torch.zeros_like(p)] for _ in names]
        numbers = [[torch.tensor(1.0)] for _ in scalars]
        steps = [torch.tensor(0.0)]
        call([p], [g], *buffers, steps, *numbers)
        optimizer.step()
        np.testing.assert_array_equal(p.numpy(), twin.detach().numpy())
        assert steps[0].item() == 1
        for each, key in zip(buffers, names):
            np.testing.assert_array_equal(each[0].numpy(), optimizer.state[twin][key].numpy())
    p, buffers = torch.ones(2), [None]
    options = {
        "weight_decay": 0,
        "momentum": 0.9,
        "lr": 0.5,
        "dampening": 0,
        "nesterov": False,
        "maximize": False,
    }
    sgd([p], [torch.ones(2)], buffers, **options)
    assert p.tolist() == [0.5, 0.5] and buffers[0].tolist() == [1.0, 1.0]
    sgd([p], [torch.ones(2)], buffers, **options)
    assert buffers[0].tolist() == pytest.approx([1.9, 1.9])
    with pytest.raises(RuntimeError, match="`state_steps` argument must contain a list of singleton tensors"):
        adam(
            [p],
            [p],
            [p],
            [p],
            [],
            [0],
            amsgrad=False,
            beta1=0.9,
            beta2=0.999,
            lr=0.001,
            weight_decay=0,
            eps=1e-8,
            maximize=False,
        )


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda p: optim.Adadelta(p, rho=2), ValueError, "Invalid rho value: 2"),
        (lambda p: optim.Adagrad(p, lr_decay=-1), ValueError, "Invalid lr_decay value: -1"),
        (lambda p: optim.Adamax(p, betas=(0.9, 1)), ValueError, "Invalid beta parameter at index 1: 1"),
        (lambda p: optim.NAdam(p, momentum_decay=-1), ValueError, "Invalid momentum_decay value: -1"),
        (lambda p: optim.RAdam(p, eps=-1), ValueError, "Invalid epsilon value: -1"),
        (lambda p: optim.RMSprop(p, alpha=-1), ValueError, "Invalid alpha value: -1"),
        (lambda p: optim.Rprop(p, etas=(1.2, 0.5)), ValueError, "Invalid eta values: 1.2, 0.5"),
        (lambda p: optim.ASGD(p, weight_decay=-1), ValueError, "Invalid weight_decay value: -1"),
        (lambda p: optim.SparseAdam(p, lr=0), ValueError, "Invalid learning rate: 0"),
        (lambda p: optim.SparseAdam(p, eps=0), ValueError, "Invalid epsilon value: 0"),
        (lambda p: optim.SparseAdam(p).step(), RuntimeError, "does not support dense gradients, please consider Adam"),
        (lambda p: optim.Adafactor(p, lr=-1), ValueError, "Learning rate should be >= 0 but is: -1"),
        (lambda p: optim.Adafactor(p, d=0.5), ValueError, "Clipping threshold d should be >= 1 but is: 0.5"),
        (lambda p: optim.Muon(p), ValueError, "Muon only supports 2D parameters .* a parameter with size: .*3"),
        (lambda p: optim.Muon(p, adjust_lr_fn="x"), ValueError, "Adjust learning rate function x is not supported"),
        (lambda p: optim.Adam(p, fused=True, foreach=True), RuntimeError, "cannot be `True` together"),
    ],
)  # fmt: skip
def test_refused(call, error, message):
    p = torch.ones(3, requires_grad=True)
    p.grad = torch.ones(3)
    with pytest.raises(error, match=message):
        call([p])


def test_complex_parameters_that_are_refused():
    z = torch.ones(2, 2, dtype=torch.complex64, requires_grad=True)
    z.grad = torch.ones_like(z)
    with pytest.raises(
        ValueError, match=r"Complex params at indices \[\[0, 0\]\]: SparseAdam does not support"
    ):
        optim.SparseAdam([z])
    for cls in (optim.Muon, optim.Adafactor):
        with pytest.raises(RuntimeError, match=f"{cls.__name__} does not support complex parameters"):
            cls([z]).step()
    for cls in (optim.SGD, optim.Adam, optim.Adagrad):
        with pytest.raises(
            RuntimeError, match="`fused=True` requires all the params to be floating point Tensors"
        ):
            cls([z], fused=True).step()


@pytest.mark.parametrize("name", ["SGD", "Adam", "NAdam", "Adagrad", "Rprop", "ASGD"])
def test_complex_parameters_that_are_views_with_gaps(name):
    """They move as copies do that lie side by side."""
    z = torch.arange(6.0).reshape(3, 2) + 1j
    moved = []
    for p in (z[:, 1], z[:, 1].clone()):
        p.requires_grad_()
        p.grad = torch.full_like(p, 1 - 2j)
        getattr(optim, name)([p], lr=0.1).step()
        moved.append(p.detach())
    assert torch.equal(*moved) and torch.equal(moved[0], z[:, 1]) and z[0, 1] != 1 + 1j


WORDS_OF_INTEGERS = {
    "SGD": "argument alpha must not be a floating point number",
    "Adam": "\"lerp_kernel_scalar\" not implemented for 'Long'",
    "RAdam": "\"lerp_kernel_scalar\" not implemented for 'Long'",
    "AdamW": "result type Float can't be cast to the desired output type Long",
    "ASGD": "result type Float can't be cast to the desired output type Long",
}


@pytest.mark.parametrize("name, words", WORDS_OF_INTEGERS.items())
def test_parameters_of_integers_are_refused(name, words):
    p = torch.tensor([3, 4])
    p.grad = torch.tensor([1, 1])
    with pytest.raises((RuntimeError, NotImplementedError), match=words):
        getattr(optim, name)([p]).step()
    assert p.tolist() == [3, 4]
