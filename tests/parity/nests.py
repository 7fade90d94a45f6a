"""Random nests of transforms, run in PyTorch and in minigrad: ``grad`` of ``vmap`` of ``jvp`` of functions of all kinds.

A nest is the text of a function of the library: it transforms functions, which compute, write in place, call further transforms, and use tensors from
around them.  Results are compared, what requires grad, gradients of first and second order through the whole nest, and errors.  ``known`` says what may
differ, and why.

``test_nests.py`` runs this file, in processes of its own.  By hand, for one nest cut down to what differs:

    python tests/parity/nests.py 1 SEED
"""

import random
import re
import sys
import warnings
from collections import namedtuple
from math import prod

import numpy as np
import torch

import minigrad
from minigrad._core.modes import thread_state

LARGEST = 60  # elements of any tensor

Var = namedtuple("Var", "name shape kind owned", defaults=(False,))


def broadcast(*shapes):
    """The shape to which others broadcast; None if they don't."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


# Nests as texts ------------------------------------------------------------------------------------------------------------

#: Ops of one real tensor that keep its shape.
SAME = [
    "{a}.sin()", "{a}.cos()", "{a}.tanh()", "(0.3 * {a}).exp()", "{a}.sigmoid()", "{a} * {a}", "-{a}", "{a}.abs()", "2 * {a}", "1.5 - {a}",
    "{a} / 2", "{a} ** 3", "{a}.relu()", "torch.nn.functional.softplus({a})", "{a}.clone()", "({a} * {a} + 1).sqrt()",
    "({a} * {a} + 1).log()", "{a}.atan()", "{a}.erf()", "{a}.clamp(-0.5, 0.5)", "{a}.detach()", "{a}.masked_fill({a} > 0.2, 0.5)", "1 / ({a} * {a} + 2)",
    "torch.where({a} > 0, {a}, {a} * 0.1)", "{a} - {a}.mean()", "{a} + {a}.sum()", "torch.zeros_like({a})", "torch.ones_like({a}) * {a}",
    "{a} * ({a} > 0)", "{a} * {a}.sign()", "torch.nn.functional.gelu({a})", "{a} * {a}.argmax()", "{a} + {a}.numel()", "{a}.nan_to_num()",
    "{a}.to(torch.float32)", "{a}.to(torch.float64)",
    "Cube.apply({a})", "Doubled.apply({a})", "Pair.apply({a})[0]", "Pair.apply({a})[1]", "Flat.apply({a})", "{a}.logit(0.1)", "torch.lerp({a}, {a}.sin(), 0.3)", "torch.addcmul({a}, {a}, {a}, value=0.5)", "{a}.floor() + {a}", "{a}.requires_grad * {a}", "{a}.round().long() * {a}",
]  # fmt: skip

#: Ops along the first dimension that keep the shape.
ALONG = [
    "{a}.cumsum({d})", "{a}.flip({d})", "{a}.softmax({d})", "{a}.log_softmax({d})", "{a}.sort({d})[0]", "{a}.roll(1, {d})", "{a}.cumprod({d})",
    "{a} - {a}.mean({d}, keepdim=True)", "{a}.gather({d}, {a}.argsort({d}))", "{a} / ({a}.norm(dim={d}, keepdim=True) + 1)",
    "torch.nn.functional.normalize({a}, dim={d})", "{a}.logcumsumexp({d})", "{a}.cummax({d})[0]", "{a} * {a}.argmax({d}, keepdim=True)",
]  # fmt: skip

#: Ops that take away one dimension.
REDUCE = [
    "{a}.sum({d})", "{a}.mean({d})", "{a}.amax({d})", "{a}.prod({d})", "{a}.norm(dim={d})", "{a}.logsumexp({d})", "{a}.max({d})[0]", "{a}.min({d}).values",
    "{a}.select({d}, 0)", "{a}.select({d}, -1)", "{a}.unbind({d})[-1]", "{a}.var({d}, unbiased=False)", "{a}.contiguous().median({d})[0]", "{a}.std({d}, unbiased=False)",
    "{a}.kthvalue(1, {d})[0]", "{a}.split(1, {d})[0].squeeze({d})", "{a}.aminmax(dim={d})[1]", "{a}.topk(1, {d})[0].squeeze({d})",
]  # fmt: skip

#: Ops that take away all dimensions.
TOTAL = [
    "{a}.sum()", "{a}.mean()", "{a}.norm()", "{a}.amax()", "({a} * {a}).sum()", "{a}.prod()", "{a}.logsumexp({all})", "{a}.max()", "{a}.var(unbiased=False)",
    "{a}.std(unbiased=False)", "torch.linalg.vector_norm({a}, 3)", "{a}.reshape(-1)[0]", "{a}.trace()", "torch.nn.functional.mse_loss({a}, {a}.sin())",
]  # fmt: skip

#: Ops of two tensors that broadcast.
TWO = [
    "{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / ({b} * {b} + 1)", "torch.maximum({a}, {b})", "torch.minimum({a}, {b})", "torch.atan2({a}, {b} + 2)",
    "torch.where({a} > {b}, {a}, {b})", "torch.lerp({a}, {b}, 0.25)", "({a} * {a} + 1) ** {b}", "torch.hypot({a}, {b} + 2)", "torch.addcdiv({a}, {b}, {b} * {b} + 1)",
    "Product.apply({a}, {b})", "torch.clamp({a}, min={b} * 0.5)", "torch.fmod({a}, {b}.detach().abs() + 1)", "torch.logaddexp({a}, {b})", "torch.broadcast_tensors({a}, {b})[0] * {b}",
]  # fmt: skip

#: In-place ops of one tensor.
WRITE = ["sin_()", "mul_(2)", "add_(1)", "zero_()", "fill_(0.3)", "clamp_(-0.5, 0.5)", "tanh_()", "neg_()", "pow_(2)", "sigmoid_()", "masked_fill_({a} > 0, 0.5)", "div_(2)", "detach()", "relu_()"]  # fmt: skip

#: In-place ops with a second tensor that broadcasts to it.
WRITE_TWO = ["mul_({b})", "add_({b})", "sub_({b})", "copy_({b})", "div_({b} * {b} + 1)", "add_({b}, alpha=2)", "addcmul_({b}, {b})", "copy_({b}.detach())"]  # fmt: skip

TRANSFORMS = (
    ["vmap"] * 6 + ["grad"] * 4 + ["jvp"] * 4 + ["vjp"] * 3 + ["jacrev", "jacfwd"] * 2 + ["hessian", "linearize"]
    + ["grad_and_value", "autograd.grad", "autograd.grad", "dual_level", "dual_level", "batched"]
)  # fmt: skip


class Nest:
    """A random program: ``text``, and the names of the outer tensors that are tracked."""

    def __init__(self, number):
        self.rng = random.Random(number)
        self.lines = []
        self.count = 0
        self.memory = {}  # what a view looks at
        self.pure = False  # whether functions neither write nor set modes
        self.left = 40  # how many statements it may have
        self.complex = self.rng.random() < 0.15
        self.mixed = self.rng.random() < 0.2
        self.deepest = self.rng.choice([1, 2, 2, 3, 3, 4])
        self.text = self.write()

    def write(self):
        rng = self.rng
        n = rng.choice([2, 3, 3])
        shapes = [(n,), (n, n), rng.choice([(n,), (2, n), ()]), rng.choice([(n, n), (2, n, n), (1, n), (n,)])]
        if rng.random() < 0.04:
            shapes.append((0, n))
        scope = []
        for i, shape in enumerate(shapes):
            kind = rng.choice(["complex", "real"]) if self.complex and i else "real"
            dtype = {"real": "float64", "complex": "complex128"}[kind]
            if self.mixed and rng.random() < 0.4:
                dtype = {"real": "float32", "complex": "complex64"}[kind]
            tracked = rng.random() < 0.5
            self.say(1, f"x{i} = leaf({i}, {shape}, torch.{dtype}, {tracked})")
            scope.append(Var(f"x{i}", shape, kind))
        scope = self.block(1, scope, (), 0, first="transform")
        if rng.random() < 0.3:
            scope = self.block(1, scope, (), 0)
        made = [v.name for v in scope[len(shapes) :]]
        self.say(1, f"return [{', '.join(made)}]")
        return (
            "def nest(torch, leaf, Cube, Doubled, Pair, Flat, Product):\n    F = torch.func\n    fw = torch.autograd.forward_ad\n"
            + "\n".join(self.lines)
        )

    def say(self, depth, line):
        self.left -= 1
        self.lines.append("    " * depth + line)

    def name(self, letter="v"):
        self.count += 1
        return f"{letter}{self.count}"

    # -- what stands in a function

    def block(self, depth, scope, params, nested, first=None):
        """Statements; returns the variables that are in scope after them."""
        rng = self.rng
        scope = [*scope, *params]
        self.params = (
            params  # of the innermost function: what is around it seems not to require grad, in PyTorch
        )
        for _ in range(rng.randint(1, 5)):
            if self.left <= 0 and nested:
                break
            kind = first or rng.choice(["op"] * 8 + ["write"] * 2 + ["transform"] * 3 + ["mode"])
            first = None
            if kind == "transform" and nested < self.deepest:
                scope += self.transform(depth, scope, nested)
            elif kind in ("write", "mode") and self.pure:
                continue
            elif kind == "write" and params:
                scope = self.writing(depth, scope, params)
            elif kind == "mode" and nested:
                self.say(
                    depth,
                    f"with torch.{rng.choice(['no_grad', 'no_grad', 'enable_grad', 'set_grad_enabled'])}():".replace(
                        "enabled()", "enabled(True)"
                    ),
                )
                made = None
                while made is None:
                    made = rng.choice([self.same, self.two, self.total])(depth + 1, scope)
                scope = [*scope, made]
            else:
                scope = [*scope, self.op(depth, scope)]
        return scope

    def pick(self, scope, wanted=lambda v: True):
        """One of the variables, the latest more often; None if none will do."""
        fit = [v for v in scope if wanted(v)]
        if not fit:
            return None
        return fit[-1 - min(int(self.rng.expovariate(0.5)), len(fit) - 1)]

    def bind(self, depth, expression, shape, kind="real", owned=False):
        name = self.name()
        self.say(depth, f"{name} = {expression}")
        return Var(name, tuple(shape), kind, owned)

    def op(self, depth, scope):
        """A statement that computes something: the new variable."""
        while True:
            made = getattr(self, self.rng.choice(OPS))(depth, scope)
            if made is not None:
                return made

    def same(self, depth, scope):
        a = self.pick(scope)
        if a.kind == "complex":
            text = self.rng.choice(
                [
                    "{a}.abs()",
                    "{a}.real",
                    "{a}.imag",
                    "{a}.conj()",
                    "{a} * {a}",
                    "{a}.sin()",
                    "{a}.angle()",
                    "2j * {a}",
                    "{a} * {a}.conj()",
                    "{a}.tanh()",
                    "torch.view_as_real({a}).sum(-1)",
                ]
            )
            real = text in (
                "{a}.abs()",
                "{a}.real",
                "{a}.imag",
                "{a}.angle()",
                "torch.view_as_real({a}).sum(-1)",
            )
            return self.bind(depth, text.format(a=a.name), a.shape, "real" if real else "complex")
        text = self.rng.choice([text for text in SAME if not self.pure or "requires_grad" not in text])
        return self.bind(depth, text.format(a=a.name), a.shape)

    def dim(self, a):
        return self.rng.randrange(-len(a.shape), len(a.shape))

    def along(self, depth, scope):
        a = self.pick(scope, lambda v: v.shape and v.kind == "real")
        return a and self.bind(depth, self.rng.choice(ALONG).format(a=a.name, d=self.dim(a)), a.shape)

    def reduce(self, depth, scope):
        a = self.pick(scope, lambda v: v.shape and v.kind == "real")
        if a is None:
            return None
        d = self.dim(a)
        shape = list(a.shape)
        del shape[d]
        return self.bind(depth, self.rng.choice(REDUCE).format(a=a.name, d=d), shape)

    def total(self, depth, scope):
        a = self.pick(scope, lambda v: v.kind == "real")
        text = self.rng.choice(TOTAL)
        if "trace" in text and len(a.shape) != 2:
            return None
        return self.bind(depth, text.format(a=a.name, all=tuple(range(len(a.shape)))), ())

    def two(self, depth, scope):
        a, b = self.pick(scope), self.pick(scope)
        shape = broadcast(a.shape, b.shape)
        if shape is None or prod(shape) > LARGEST:
            return None
        if "complex" in (a.kind, b.kind):
            return self.bind(depth, self.rng.choice(TWO[:4]).format(a=a.name, b=b.name), shape, "complex")
        return self.bind(depth, self.rng.choice(TWO).format(a=a.name, b=b.name), shape)

    def make_complex(self, depth, scope):
        a = self.pick(scope, lambda v: v.kind == "real")
        return (
            self.bind(depth, f"torch.complex({a.name}.double(), {a.name}.double().sin())", a.shape, "complex")
            if self.complex
            else None
        )

    def product(self, depth, scope):
        a = self.pick(scope, lambda v: len(v.shape) in (1, 2))
        b = self.pick(
            scope, lambda v: len(v.shape) in (1, 2) and a and v.shape[0] == a.shape[-1] and v.kind == a.kind
        )
        if b is None:
            return None
        text = "{a} @ {b}"
        if len(a.shape) == 2 and len(b.shape) == 2:
            text = self.rng.choice(
                [
                    text,
                    "torch.mm({a}, {b})",
                    "torch.einsum('ij,jk->ik', {a}, {b})",
                    "torch.nn.functional.linear({a}, {b}.t())",
                ]
            )
        elif len(a.shape) == 2:
            text = self.rng.choice([text, "torch.mv({a}, {b})", "torch.addmv({a}[:, 0], {a}, {b})"])
        elif len(b.shape) == 1:
            text = self.rng.choice(
                [text, "torch.dot({a}, {b})", "torch.outer({a}, {b}).sum()", "torch.vdot({a}, {b})"]
            )
        return self.bind(depth, text.format(a=a.name, b=b.name), (*a.shape[:-1], *b.shape[1:]), a.kind)

    def view(self, depth, scope):
        a = self.pick(scope, lambda v: v.shape)
        if a is None:
            return None
        n, ndim = a.shape[0], len(a.shape)
        views = {
            f"{a.name}[-1]": a.shape[1:],
            f"{a.name}[1:]": (n - 1, *a.shape[1:]),
            f"{a.name}[..., ::2]": (*a.shape[:-1], (a.shape[-1] + 1) // 2),
            f"{a.name}.transpose(0, -1)": (a.shape[-1], *a.shape[1:-1], n) if ndim > 1 else a.shape,
            f"{a.name}.reshape(-1)": (prod(a.shape),),
            f"{a.name}.unsqueeze(-1)": (*a.shape, 1),
            f"{a.name}[None]": (1, *a.shape),
            f"{a.name}.expand(2, {', '.join(map(str, a.shape))})": (2, *a.shape),
            f"{a.name}.movedim(0, -1)": (*a.shape[1:], n),
            f"{a.name}[[0, -1, 0]]": (3, *a.shape[1:]),
            f"{a.name}.index_select(0, torch.tensor([0, 0]))": (2, *a.shape[1:]),
            f"{a.name}[torch.tensor([0, {n - 1}])]": (2, *a.shape[1:]),
            f"{a.name}[..., torch.arange({a.shape[-1]})]": a.shape,
            f"{a.name}.narrow(0, 0, 1)": (1, *a.shape[1:]),
            f"{a.name}.unfold(0, 2, 1)": (max(n - 1, 0), *a.shape[1:], 2),
            f"{a.name}.chunk(2)[0]": ((n + 1) // 2, *a.shape[1:]),
            f"torch.nn.functional.pad({a.name}, (1, 0))": (*a.shape[:-1], a.shape[-1] + 1),
            f"{a.name}.repeat(2, {', '.join('1' * (ndim - 1))})" if ndim > 1 else f"{a.name}.repeat(2)": (2 * n, *a.shape[1:]),
        }  # fmt: skip
        if n < 2:
            views = {text: shape for text, shape in views.items() if "unfold" not in text}
        if not n or not a.shape[-1]:
            views = {
                text: shape
                for text, shape in views.items()
                if "-1]" not in text
                and "tensor" not in text
                and "narrow" not in text
                and "chunk" not in text
                and "repeat" not in text
            }
        if ndim == 2:
            views[f"{a.name}.diagonal()"] = (min(a.shape),)
            views[f"{a.name}.t()"] = a.shape[::-1]
            views[f"{a.name}.tril()"] = a.shape
        text, shape = self.rng.choice(list(views.items()))
        if prod(shape) > LARGEST:
            return None
        made = self.bind(depth, text, shape, a.kind)
        self.memory[made.name] = self.memory.get(a.name, a.name)
        return made

    def join(self, depth, scope):
        a = self.pick(scope, lambda v: v.shape)
        if a is None:
            return None
        if self.rng.random() < 0.5:
            b = self.pick(
                scope,
                lambda v: len(v.shape) == len(a.shape) and v.shape[1:] == a.shape[1:] and v.kind == a.kind,
            )
            text, shape = f"torch.cat([{a.name}, {b.name}])", (a.shape[0] + b.shape[0], *a.shape[1:])
        else:
            b = self.pick(scope, lambda v: v.shape == a.shape and v.kind == a.kind)
            k = self.rng.randint(0, len(a.shape))
            text, shape = f"torch.stack([{a.name}, {b.name}], {k})", (*a.shape[:k], 2, *a.shape[k:])
        return self.bind(depth, text, shape, a.kind) if prod(shape) <= LARGEST else None

    def matrix(self, depth, scope):
        a = self.pick(
            scope, lambda v: len(v.shape) == 2 and v.shape[0] == v.shape[1] > 0 and v.kind == "real"
        )
        if a is None:
            return None
        n = a.shape[0]
        well = f"({a.name} @ {a.name}.t() + torch.eye({n}, dtype={a.name}.dtype))"
        texts = {
            f"torch.linalg.inv({well})": a.shape,
            f"torch.linalg.det({well})": (),
            f"torch.logdet({well})": (),
            f"torch.linalg.cholesky({well})": a.shape,
            f"torch.linalg.solve({well}, {a.name}[0])": (n,),
            f"torch.linalg.solve({well}, {a.name})": a.shape,
            f"torch.linalg.eigvalsh({well})": (n,),
            f"torch.linalg.matrix_norm({a.name})": (),
            f"torch.nn.functional.conv1d({a.name}[None], {a.name}[:1, None, :1].expand({n}, 1, 1), groups={n})[0]": a.shape,
            f"torch.nn.functional.conv1d({a.name}[None], {a.name}[None, :, :1])[0, 0]": (n,),
            f"torch.nn.functional.layer_norm({a.name}, ({n},))": a.shape,
            f"torch.nn.functional.cross_entropy({a.name}, torch.arange({n}))": (),
            f"torch.triu({a.name})": a.shape,
            f"torch.matrix_power({a.name}, 2)": a.shape,
        }
        text, shape = self.rng.choice(list(texts.items()))
        return self.bind(depth, text, shape)

    # -- writes

    def writing(self, depth, scope, params):
        """A write into a tensor that this function has made: a copy of what depends on its argument."""
        rng = self.rng
        x = self.pick(scope, lambda v: v.owned)
        if x is None or rng.random() < 0.3:
            p = rng.choice(params)
            a = self.pick(
                scope,
                lambda v: (
                    v.kind == p.kind
                    and broadcast(v.shape, p.shape) is not None
                    and prod(broadcast(v.shape, p.shape)) <= LARGEST
                ),
            )
            if a is None or rng.random() < 0.6:
                x = self.bind(depth, f"{p.name}.clone()", p.shape, p.kind, True)
            else:
                x = self.bind(depth, f"{p.name} * {a.name}", broadcast(a.shape, p.shape), p.kind, True)
            scope = [*scope, x]
        target, shape = x.name, x.shape
        kind = rng.random()
        if shape and 0 not in shape and kind < 0.6:
            views = {
                "[0]": shape[1:],
                "[-1:]": (1, *shape[1:]),
                "[..., 0]": shape[:-1],
                ".unsqueeze(0)": (1, *shape),
                ".transpose(0, -1)": shape[-1:] + shape[1:-1] + shape[:1] if len(shape) > 1 else shape,
                ".view(-1)": (prod(shape),),
                "[0:1]": (1, *shape[1:]),
            }
            view, shape = rng.choice(list(views.items()))
            target += view
            if rng.random() < 0.3:  # a view with a name, made before
                v = self.bind(depth, target, shape, x.kind)
                self.memory[v.name] = self.memory.get(x.name, x.name)
                scope = [*scope, v]
                target = v.name
        # what is written may overlap: then PyTorch's tangents are computed from what has been written already
        memory = self.memory.get(x.name, x.name)
        fit = [
            v
            for v in scope
            if (v.kind != "complex" or x.kind == "complex") and self.memory.get(v.name, v.name) != memory
        ]
        b = self.pick(fit, lambda v: broadcast(v.shape, shape) == shape) if rng.random() < 0.7 else None
        if b is not None:
            if rng.random() < 0.2:
                self.say(
                    depth,
                    f"{x.name}[...] = {b.name}"
                    if broadcast(b.shape, x.shape) == x.shape
                    else f"{x.name} += 1",
                )
            else:
                self.say(depth, f"{target}.{rng.choice(WRITE_TWO).format(b=b.name)}")
        elif x.kind == "real":
            self.say(depth, f"{target}.{rng.choice(WRITE).format(a=target)}")
        return scope

    # -- transforms

    def transform(self, depth, scope, nested):
        """Statements that transform a function: the new variables."""
        rng = self.rng
        kind = rng.choice([k for k in TRANSFORMS if not self.pure or k not in ("autograd.grad", "batched")])
        return getattr(self, "do_" + kind.replace(".", "_"))(depth, scope, nested)

    def function(self, depth, scope, shapes, nested, scalar=False, real=False, several=True):
        """The text of a function of tensors of these (shape, kind): its name, and the (shape, kind) of its results."""
        rng = self.rng
        name = self.name("f")
        params = [Var(self.name("p"), tuple(shape), kind) for shape, kind in shapes]
        self.say(depth, f"def {name}({', '.join(p.name for p in params)}):")
        outer = [v._replace(owned=False) for v in scope]
        inside = self.block(depth + 1, outer, params, nested + 1)
        new = inside[len(outer) + len(params) :] or params
        chosen = [new[-1]]
        p = rng.choice(params)
        if rng.random() < 0.6:
            if (
                broadcast(p.shape, new[-1].shape) is not None
                and prod(broadcast(p.shape, new[-1].shape)) <= LARGEST
            ):
                kind = "complex" if "complex" in (p.kind, new[-1].kind) else "real"
                chosen = [
                    self.bind(
                        depth + 1, f"{new[-1].name} * {p.name}", broadcast(p.shape, new[-1].shape), kind
                    )
                ]
        self.by_first = len(chosen) == 1 and chosen[0].name not in [v.name for v in new] and p is params[0]
        if not scalar and several and rng.random() < 0.25:
            chosen.append(rng.choice(inside))
        if real:
            chosen = [
                v if v.kind == "real" else self.bind(depth + 1, f"{v.name}.abs()", v.shape) for v in chosen
            ]
        if scalar:
            v = chosen[0]
            if v.kind == "complex":
                v = self.bind(depth + 1, f"{v.name}.real", v.shape)
            if v.shape:
                v = self.bind(
                    depth + 1,
                    rng.choice(["{a}.sum()", "({a} * {a}).sum()", "{a}.mean()"]).format(a=v.name),
                    (),
                )
            self.say(depth + 1, f"return {v.name}")
            return name, [((), "real")]
        names = [v.name for v in chosen]
        if len(names) == 1:
            self.say(depth + 1, f"return {names[0]}")
        else:
            form = rng.choice(["{}, {}", "[{}, {}]", "{{'b': {}, 'a': {}}}"])
            self.say(depth + 1, f"return {form.format(*names)}")
        return name, [(v.shape, v.kind) for v in chosen]

    def taken(self, depth, expression, results):
        """Bind the tensors of a structure to names, if none is too large."""
        name = self.name("r")
        self.say(depth, f"{name} = torch.utils._pytree.tree_leaves({expression})")
        return [
            self.bind(depth, f"{name}[{i}]", shape, kind)
            for i, (shape, kind) in enumerate(results)
            if prod(shape) <= LARGEST
        ]

    def arguments(self, scope, most=2, wanted=lambda v: True):
        first = self.pick(scope, wanted)
        if first is None:
            return []
        more = [self.pick(scope, wanted) for _ in range(self.rng.choice([0] * 3 + [1] * 2)) if most > 1]
        return [first, *more]

    def do_vmap(self, depth, scope, nested):
        rng = self.rng
        first = self.pick(scope, lambda v: v.shape)
        args = self.arguments(scope)
        if first is None:
            return []
        dim = self.dim(first)
        size = first.shape[dim]
        rows, dims, shapes = [first], [dim], [(without(first.shape, dim), first.kind)]
        for v in args:
            fit = [d for d in range(-len(v.shape), len(v.shape)) if v.shape[d] == size]
            d = rng.choice(fit) if fit and rng.random() < 0.7 else None
            rows.append(v)
            dims.append(d)
            shapes.append((v.shape if d is None else without(v.shape, d), v.kind))
        function, outs = self.function(depth, scope, shapes, nested)
        # PyTorch has no other place for a result that is the same for all samples
        outs_dims = [
            rng.choice([0, len(shape), -1]) if self.by_first and len(outs) == 1 else 0 for shape, _ in outs
        ]
        results = [
            ((*shape[:d], size, *shape[d:]) if d >= 0 else (*shape, size), kind)
            for (shape, kind), d in zip(outs, outs_dims)
        ]
        out_dims = outs_dims[0] if rng.random() < 0.97 else None
        in_dims = dims[0] if all(d == dims[0] for d in dims) else tuple(dims)
        more = (
            rng.choice(["", "", "", ", chunk_size=2", ", randomness='different'"])
            if out_dims is not None
            else ""
        )
        call = f"F.vmap({function}, {in_dims}, {out_dims}{more})({names(rows)})"
        return self.taken(depth, call, results)

    def do_grad(self, depth, scope, nested, value=False):
        rng = self.rng
        args = self.arguments(scope)
        function, _ = self.function(depth, scope, [(v.shape, v.kind) for v in args], nested, scalar=True)
        argnums = rng.choice([0, (0,), tuple(range(len(args)))])
        results = [
            (args[i].shape, args[i].kind) for i in (argnums if isinstance(argnums, tuple) else (argnums,))
        ]
        transform, more = "grad", ""
        if value or rng.random() < 0.15:
            transform, results = "grad_and_value", [*results, ((), "real")]
        if rng.random() < 0.15:
            aux = self.name("f")
            self.say(depth, f"def {aux}(*args):")
            other = self.pick(scope)
            self.say(depth + 1, f"return {function}(*args), (args[0] * 2, {other.name})")
            function, more = aux, ", has_aux=True"
            results = [*results, (args[0].shape, args[0].kind), (other.shape, other.kind)]
        return self.taken(depth, f"F.{transform}({function}, {argnums}{more})({names(args)})", results)

    def do_grad_and_value(self, depth, scope, nested):
        return self.do_grad(depth, scope, nested, True)

    def tangent(self, depth, scope, like, name):
        """The text of a tensor of a shape, for a tangent or cotangent of the tensor called ``name``."""
        shape, kind = like
        found = self.pick(scope, lambda v: v.shape == shape and v.kind == kind)
        if found is None or self.rng.random() < 0.4:
            return f"torch.ones_like({name})"
        text = found.name if self.rng.random() < 0.8 else f"{found.name}.sin()"
        return f"{text}.to({name}.dtype)" if self.mixed else text

    def do_jvp(self, depth, scope, nested):
        args = self.arguments(scope)
        function, outs = self.function(depth, scope, [(v.shape, v.kind) for v in args], nested)
        ts = [self.tangent(depth, scope, (v.shape, v.kind), v.name) for v in args]
        return self.taken(depth, f"F.jvp({function}, ({names(args)},), ({', '.join(ts)},))", outs * 2)

    def do_vjp(self, depth, scope, nested):
        args = self.arguments(scope)
        function, outs = self.function(depth, scope, [(v.shape, v.kind) for v in args], nested)
        out, pull = self.name("r"), self.name("g")
        self.say(depth, f"{out}, {pull} = F.vjp({function}, {names(args)})")
        leaves = f"torch.utils._pytree.tree_leaves({out})"
        if len(outs) == 1:
            seed = self.tangent(depth, scope, outs[0], out)
        else:
            seed = f"torch.utils._pytree.tree_map(torch.cos, {out})"
        made = self.taken(depth, leaves, outs)
        if self.rng.random() < 0.3:
            self.say(depth, "with torch.no_grad():")
            self.say(depth + 1, f"{pull}({seed})")
        return made + self.taken(depth, f"{pull}({seed})", [(v.shape, v.kind) for v in args])

    def do_linearize(self, depth, scope, nested):
        if nested:  # PyTorch traces it, with the tensors of the transforms around it as constants
            return self.do_jvp(depth, scope, nested)
        args = self.arguments(scope)
        was, self.pure = self.pure, True
        function, outs = self.function(depth, scope, [(v.shape, v.kind) for v in args], nested)
        self.pure = was
        out, push = self.name("r"), self.name("g")
        self.say(depth, f"{out}, {push} = F.linearize({function}, {names(args)})")
        ts = [self.tangent(depth, scope, (v.shape, v.kind), v.name) for v in args]
        # PyTorch's is a traced graph, whose second derivatives are not those of the function
        return self.taken(
            depth, f"[x.detach() for x in torch.utils._pytree.tree_leaves({push}({', '.join(ts)}))]", outs
        )

    def jacobian(self, transform, depth, scope, nested):
        rng = self.rng
        args = self.arguments(scope, wanted=lambda v: v.kind == "real" and prod(v.shape) <= 9)
        if not args:
            return []
        function, outs = self.function(depth, scope, [(v.shape, v.kind) for v in args], nested, real=True)
        argnums = rng.choice([0, 0, tuple(range(len(args)))])
        ins = [args[i].shape for i in (argnums if isinstance(argnums, tuple) else (argnums,))]
        results = [((*shape, *i), "real") for shape, _ in outs for i in ins]
        more = rng.choice(["", "", ", chunk_size=1", ", chunk_size=2"]) if transform == "jacrev" else ""
        return self.taken(depth, f"F.{transform}({function}, {argnums}{more})({names(args)})", results)

    def do_jacrev(self, depth, scope, nested):
        return self.jacobian("jacrev", depth, scope, nested)

    def do_jacfwd(self, depth, scope, nested):
        return self.jacobian("jacfwd", depth, scope, nested)

    def do_hessian(self, depth, scope, nested):
        v = self.pick(scope, lambda v: v.kind == "real" and prod(v.shape) <= 6)
        if v is None:
            return []
        function, _ = self.function(depth, scope, [(v.shape, v.kind)], nested, scalar=True)
        return self.taken(depth, f"F.hessian({function})({v.name})", [((*v.shape, *v.shape), "real")])

    def do_autograd_grad(self, depth, scope, nested):
        rng = self.rng
        v = self.params[0] if nested else self.pick(scope)
        function, _ = self.function(depth, scope, [(v.shape, v.kind)], nested - 1, scalar=True)
        out, found = self.name("r"), self.name("g")
        create = rng.choice([True, True, False])
        self.say(depth, f"{out} = {function}({v.name})")
        self.say(
            depth,
            f"{found} = torch.autograd.grad({out}, {v.name}, create_graph={create}, allow_unused=True)[0] if {out}.requires_grad and {v.name}.requires_grad else {v.name} * 2",
        )
        return [self.bind(depth, f"{v.name} * 3 if {found} is None else {found}", v.shape, v.kind)]

    def do_batched(self, depth, scope, nested):
        v = self.params[0] if nested else self.pick(scope)
        function, outs = self.function(depth, scope, [(v.shape, v.kind)], nested - 1, several=False)
        shape, _ = outs[0]
        if prod(shape) * 2 > LARGEST:
            return []
        out, found = self.name("r"), self.name("g")
        create = self.rng.choice([True, True, False])
        self.say(depth, f"{out} = {function}({v.name})")
        seed = f"torch.stack([torch.ones_like({out}), {out}.detach().cos()])"
        self.say(
            depth,
            f"{found} = torch.autograd.grad({out}, {v.name}, {seed}, create_graph={create}, allow_unused=True, is_grads_batched=True)[0] if {out}.requires_grad and {v.name}.requires_grad else None",
        )
        return [
            self.bind(
                depth,
                f"torch.stack([{v.name}, {v.name}]) if {found} is None else {found}",
                (2, *v.shape),
                v.kind,
            )
        ]

    def do_dual_level(self, depth, scope, nested):
        v = self.params[0] if nested else self.pick(scope)
        function, outs = self.function(depth, scope, [(v.shape, v.kind)], nested, several=False)
        dual, out = self.name("r"), self.name("r")
        t = self.tangent(depth, scope, (v.shape, v.kind), v.name)
        self.say(depth, "with fw.dual_level():")
        self.say(depth + 1, f"{dual} = fw.make_dual({v.name}, {t})")
        self.say(depth + 1, f"{out} = {function}({dual})")
        if self.rng.random() < 0.2:
            g = self.name("g")
            self.say(
                depth + 1,
                f"{g} = torch.autograd.grad({out}.abs().sum(), {dual}, create_graph=True, allow_unused=True)[0] if {out}.requires_grad and {dual}.requires_grad else None",
            )
            self.say(depth + 1, f"{out} = {out} if {g} is None else {g}")
        self.say(depth + 1, f"{dual}, {out} = fw.unpack_dual({out})")
        return [
            self.bind(depth, f"{dual} * 1", *outs[0]),
            self.bind(depth, f"{dual} if {out} is None else {out}", *outs[0]),
        ]


OPS = (
    ["same"] * 8
    + ["two"] * 6
    + ["along"] * 2
    + ["reduce"] * 2
    + ["total", "product", "product", "join", "matrix", "make_complex"]
    + ["view"] * 4
)


def without(shape, dim):
    """A shape without one of its dimensions."""
    shape = list(shape)
    del shape[dim]
    return tuple(shape)


def names(variables):
    """The names of variables as arguments."""
    return ", ".join(v.name for v in variables)


# Running them --------------------------------------------------------------------------------------------------------------


def functions(lib):
    """Custom functions, of one library."""

    class Cube(lib.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return x**3

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, g):
            return 3 * ctx.saved_tensors[0] ** 2 * g

        @staticmethod
        def jvp(ctx, t):
            return 3 * ctx.saved_tensors[0] ** 2 * t

    class Doubled(lib.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, g):
            return g * 2

        @staticmethod
        def jvp(ctx, t):
            return t * 2

        @staticmethod
        def vmap(info, in_dims, x):
            return Doubled.apply(x), in_dims[0]

    class Pair(lib.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return x.sin(), x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, g, h):
            return g * ctx.saved_tensors[0].cos() + h * 2

        @staticmethod
        def jvp(ctx, t):
            return t * ctx.saved_tensors[0].cos(), t * 2

    class Flat(lib.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return x.clone()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.shape = inputs[0].shape

        @staticmethod
        def backward(ctx, g):
            return g.reshape(ctx.shape) * 1.5

        @staticmethod
        def jvp(ctx, t):
            return t * 1.5

    class Product(lib.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x, y):
            return x * y

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return (g * y).sum_to_size(x.shape), (g * x).sum_to_size(y.shape)

        @staticmethod
        def jvp(ctx, s, t):
            x, y = ctx.saved_tensors
            return s * y + t * x

    return Cube, Doubled, Pair, Flat, Product


FUNCTIONS = {torch: functions(torch), minigrad: functions(minigrad)}


def run(lib, text):
    """The outcome of a nest: ("fine", [(value, dtype, requires grad)]) or ("error", type, message)."""
    tracked = []

    def leaf(i, shape, dtype, requires_grad):
        numbers = np.random.RandomState(i).uniform(-1.2, 1.2, (2, *shape))
        numbers = numbers[0] + 1j * numbers[1] if dtype.is_complex else numbers[0]
        x = lib.tensor(numbers, dtype=dtype, requires_grad=requires_grad)
        if requires_grad:
            tracked.append(x)
        return x

    place = {}
    exec(compile(text, "nest", "exec"), place)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = place["nest"](lib, leaf, *FUNCTIONS[lib])
            found = [seen(x) for x in results]
            for _ in range(2):
                results = [x for x in results if x is not None and x.requires_grad and x.numel()]
                if not results or not tracked:
                    break
                total = sum((x.abs() if x.is_complex() else x.sin()).sum().double() for x in results)
                results = lib.autograd.grad(total, tracked, create_graph=True, allow_unused=True)
                found += [seen(x) for x in results]
        return "fine", found
    except Exception as error:
        return "error", type(error).__name__, str(error)
    finally:
        lib.set_grad_enabled(True)


def seen(x):
    """What is compared of a tensor."""
    if x is None:
        return None
    value = x.detach().resolve_conj() if hasattr(x, "resolve_conj") else x.detach()
    return value.numpy(force=True), str(x.dtype).split(".")[-1], x.requires_grad


def difference(theirs, ours):
    """What differs between two outcomes; None if nothing does."""
    if theirs[0] != ours[0]:
        return f"PyTorch: {words(theirs)}; minigrad: {words(ours)}"
    if theirs[0] == "error":
        alike = theirs[1] == ours[1] and theirs[2][:24] == ours[2][:24]
        return None if alike else f"PyTorch: {words(theirs)}; minigrad: {words(ours)}"
    for i, (a, b) in enumerate(zip(theirs[1], ours[1])):
        if a is None or b is None:
            if a is not b and not np.any((a or b)[0]):
                return None  # PyTorch multiplies zero tangents too, and their gradients are zeros
            if a is not b:
                return f"result {i}: {a} in PyTorch, {b} in minigrad"
            continue
        if a[2] and not b[2] and not a[0].any():
            return None  # zeros that are zero tangents multiplied with something, in PyTorch
        if a[1:] != b[1:] or a[0].shape != b[0].shape:
            return f"result {i}: {a[0].shape, *a[1:]} in PyTorch, {b[0].shape, *b[1:]} in minigrad"
        if a[0].size and not np.max(np.abs(a[0])) < 1e4:
            return None  # rounding decides from here on; or PyTorch has no number, as for the norm of zeros
        tolerance = (
            1e-7
            if all(x is None or x[1] in ("float64", "complex128", "int64", "bool") for x in theirs[1])
            else 2e-3
        )
        if not np.allclose(a[0], b[0], tolerance, tolerance, equal_nan=True):
            return f"result {i}: {a[0]} in PyTorch, {b[0]} in minigrad"
    if len(theirs[1]) != len(ours[1]):
        return f"{len(theirs[1])} results in PyTorch, {len(ours[1])} in minigrad"
    return None


def words(outcome):
    """An outcome in a few words."""
    return "fine" if outcome[0] == "fine" else f"{outcome[1]}: {outcome[2][:200]}"


def known(text, theirs, ours):
    """Why two outcomes may differ; None if they may not."""
    if theirs[0] == "error" and "linearize" in text:
        return "PyTorch traces what it linearizes: no transforms around it"
    if (
        theirs[0] == "error"
        and "backward through the graph a second time" in theirs[2]
        and "dual_level" in text
    ):
        return (
            "what makes a tensor and what makes its dual is recorded apart here: freeing one leaves the other"
        )
    if (
        theirs[0] == ours[0] == "fine"
        and any(op in text for op in OFF)
        and any(word in text for word in FORWARD)
    ):
        return "PyTorch's gradients of the tangents of these ops are wrong: it takes what they save for constants"
    if (
        theirs[0] == "error"
        and "modified by an inplace operation" in theirs[2]
        and any(word in text for word in FORWARD)
    ):
        return "the formulas of tangents save other values here"
    if theirs[0] == "error" and theirs[1] == "AssertionError":
        return "a Jacobian without rows"
    if all(outcome[0] == "error" and "match the broadcast shape" in outcome[2] for outcome in (theirs, ours)):
        return "PyTorch gives the shape of the whole batch"
    if theirs[0] == "error":
        for part, why in THEIR_LIMITS.items():
            if part in theirs[2]:
                return why
    return None


OFF = ("linalg.solve", "linalg.det", "logdet", "layer_norm")
FORWARD = ("F.jvp", "F.jacfwd", "F.hessian", "fw.")

#: What PyTorch refuses because it has no rule for it.
THEIR_LIMITS = {
    "Batching rule not implemented": "a limit of PyTorch's",
    "does not support it because it has not been implemented yet": "a limit of PyTorch's",
    "the derivative for": "a limit of PyTorch's",
    "not implemented for": "a limit of PyTorch's",
    "derivative": "a limit of PyTorch's",
    "ZeroTensors are immutable": "PyTorch's zero tangents",
    "expected m1 and m2 to have the same dtype": "the words of what PyTorch does a product by",
    "to have non-zero size": "PyTorch's logcumsumexp of nothing, for a batch",
    "expected both vectors to have same dtype": "PyTorch's vdot is its dot, in a transform",
    "Either your tensor may have escaped": "PyTorch's batched gradients inside of vmap",
    "can not return a BatchedTensor when out_dim": "PyTorch's indexing makes batches of what is the same for all",
    "last dimension with stride 1": "PyTorch's complex view of nothing",
    "cannot reshape tensor of 0 elements into shape": "a batch without samples",
    "itensor_view_from_dense": "oneDNN has no double precision",
    "view size is not compatible": "the memory of what PyTorch computes for a batch",
    "which is output 0 of MaskedFill,": "PyTorch's norm in forward mode",
    "more than one element of the written-to tensor": "PyTorch's duals have no expanded values or tangents",
    "index 0 out of range for tensor of size [0]": "a Jacobian without columns",
    "which is output 0 of Exp,": "PyTorch's softmax in forward mode",
}


def compare(text):
    """(what differs between the libraries, why it may): each None if there is nothing to say."""
    theirs = run(torch, text)
    ours = run(minigrad, text)
    found = difference(theirs, ours)
    if thread_state.levels or not minigrad.is_grad_enabled():
        found = f"minigrad leaves levels or modes behind: {thread_state.levels}"
        thread_state.levels = ()
    return found, found and known(text, theirs, ours)


def reduced(text):
    """A nest that still differs, in as few lines as can be."""
    lines = text.split("\n")
    kind = signature(text)
    shorter = True
    while shorter:
        shorter = False
        for i in range(len(lines) - 2, 2, -1):
            depth = len(lines[i]) - len(lines[i].lstrip())
            end = i + 1
            while end < len(lines) - 1 and len(lines[end]) - len(lines[end].lstrip()) > depth:
                end += 1
            candidates = [lines[:i] + lines[end:]]
            if end > i + 1 and lines[i].lstrip().startswith("with"):
                candidates.append(lines[:i] + [line[4:] for line in lines[i + 1 : end]] + lines[end:])
            for candidate in candidates:
                if signature("\n".join(candidate)) == kind:
                    lines, shorter = candidate, True
                    break
        head, _, last = lines[-1].partition("[")
        results = last.rstrip("]").split(", ")
        for name in results if len(results) > 1 else ():
            for kept in ([name], [n for n in results if n != name]):
                candidate = [*lines[:-1], f"{head}[{', '.join(kept)}]"]
                if signature("\n".join(candidate)) == kind:
                    lines, shorter = candidate, True
                    break
            if shorter:
                break
    return "\n".join(lines)


def signature(text):
    """How a nest differs: None if it doesn't, or is no program."""
    try:
        compile(text, "nest", "exec")
    except SyntaxError:
        return None
    theirs, ours = run(torch, text), run(minigrad, text)
    found, why = compare(text)
    if found is None or why is not None:
        return None
    if theirs[0] == ours[0] == "fine":
        return re.sub("[0-9.]", "", found)[:12]
    return [
        theirs[0],
        *[x[:20] for x in theirs[1:] if theirs[0] == "error"],
        ours[0],
        *[x[:20] for x in ours[1:] if ours[0] == "error"],
    ]


def main(count, number, progress=None):
    """Run ``count`` nests from number ``number`` on; returns how many differ."""
    failures = errors = limits = 0
    for i in range(number, number + count):
        text = Nest(i).text
        if progress is not None:
            with open(progress, "w") as file:
                file.write(f"{i}\n{text}\n")
        found, why = compare(text)
        if why is not None:
            limits += 1
        elif found is not None:
            failures += 1
            short = reduced(text)
            print(f"# nest {i}: {found}\n{short}\n# {compare(short)[0]}\n", flush=True)
        errors += run(minigrad, text)[0] == "error"
    print(f"{count} nests, {errors} of them errors: {failures} differ, {limits} as they may")
    return failures


if __name__ == "__main__":
    sys.exit(min(main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]), 1))
