"""Random programs, run step by step in PyTorch and in minigrad: creations, views, in-place writes, no_grad, detach, hooks, backward, grad.

After every step all tensors are compared: values, gradients, versions, names of nodes and of their next nodes, flags; and where a
step fails, it must fail in both, in the same words.
"""

import os
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

torch = pytest.importorskip("torch")
import minigrad

pytestmark = pytest.mark.torch

UNARY = ["tanh", "exp", "neg", "sin", "sigmoid", "abs", "clone"]
BINARY = ["add", "sub", "mul", "maximum"]
UNARY_ = ["tanh_", "sin_", "neg_", "sigmoid_", "zero_"]
BINARY_ = ["add_", "sub_", "mul_", "copy_"]
VIEWS = {
    "select": lambda t, k: t.select(k % t.dim(), k % t.size(k % t.dim())),
    "slice": lambda t, k: t[k % 2 :],
    "index": lambda t, k: t[k % t.size(0)],
    "transpose": lambda t, k: t.transpose(0, k % t.dim()),
    "view": lambda t, k: t.view(-1),
    "unsqueeze": lambda t, k: t.unsqueeze(k % (t.dim() + 1)),
    "expand": lambda t, k: t.expand(2, *t.shape),
    "narrow": lambda t, k: t.narrow(0, 0, max(1, t.size(0) - 1)),
    "diagonal": lambda t, k: t.diagonal(),
    "reshape": lambda t, k: t.reshape(-1),
    "flatten": lambda t, k: t.flatten(),
    "view_as": lambda t, k: t.view_as(t),
    "detach": lambda t, k: t.detach(),
    "data": lambda t, k: t.data,
}
MULTI = {
    "unbind": lambda t, k: t.unbind(k % t.dim()),
    "split": lambda t, k: t.split(1 + k % 2, 0),
    "chunk": lambda t, k: t.chunk(2, 0),
}


GETS = {
    "list": lambda lib, t, k: t[lib.tensor([0, k % t.size(0), 0])],
    "mask": lambda lib, t, k: t[t.detach() > 0.3],
    "mixed": lambda lib, t, k: t[None, k % t.size(0) :, ...],
    "index_select": lambda lib, t, k: t.index_select(0, lib.tensor([k % t.size(0)])),
    "gather": lambda lib, t, k: t.gather(0, lib.zeros(t.shape, dtype=lib.int64)),
}
PAIRS = {
    "cat": lambda lib, a, b: lib.cat([a, b, a]),
    "stack": lambda lib, a, b: lib.stack([a, b], -1),
    "where": lambda lib, a, b: lib.where(a.detach() > 0.5, a, b),
    "pow": lambda lib, a, b: (a.abs() + 0.5) ** b.sigmoid(),
    "matmul": lambda lib, a, b: a @ b,
}


def functions(lib):
    """Custom functions, of one library."""

    class Square(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    class Sine(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.sin()
            ctx.save_for_backward(y)
            return y, x * 2

        @staticmethod
        def backward(ctx, g, h):
            return g * ctx.saved_tensors[0] + h * 2

    class Triple_(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(3)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 3

    class Same(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 5

    class Flat(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.shape = x.shape
            return x.reshape(-1)

        @staticmethod
        def backward(ctx, g):
            return g.reshape(ctx.shape) * 7

    return Square, Sine, Triple_, Same, Flat


FUNCTIONS = {a.__name__: (a, b) for a, b in zip(functions(torch), functions(minigrad))}


def known(outs, ts):
    """What a function returned, without the tensors that are there already."""
    return tuple(z for z in (outs if isinstance(outs, tuple) else (outs,)) if not any(z is t for t in ts))


def value(t):
    return np.array(t.detach().resolve_conj().numpy() if hasattr(t, "resolve_conj") else t.detach().numpy())


def describe(t):
    """What is compared of one tensor."""
    out = {
        "shape": tuple(t.shape),
        "dtype": str(t.dtype),
        "requires_grad": t.requires_grad,
        "version": t._version,
        "is_view": t._is_view(),
    }
    try:
        fn = t.grad_fn
        out["grad_fn"] = None if fn is None else type(fn).__name__
        out["output_nr"] = t.output_nr
        out["is_leaf"] = t.is_leaf
        if fn is not None:
            out["next"] = [(None if n is None else type(n).__name__, nr) for n, nr in fn.next_functions]
    except RuntimeError as error:
        out["grad_fn"] = str(error)
    return out


def words(error):
    """An error's type and the words that matter, without addresses and library names."""
    return type(error).__name__, str(error).split("\n")[0][:160]


class Programs(RuleBasedStateMachine):
    """One program, in two libraries."""

    def __init__(self):
        super().__init__()
        self.pairs = []
        self.calls = ([], [])  # what hooks were called with
        self.log = []
        self.over = False  # the libraries differ from here on, as docs/differences.md says

    # -- running a step in both

    def both(self, text, step):
        """Run ``step(library, tensors, calls)`` in both; compare what it gives; keep new tensors."""
        if self.over:
            return
        self.log.append(text)
        outcomes = []
        for i, library in enumerate((torch, minigrad)):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    outcomes.append(step(library, [pair[i] for pair in self.pairs], self.calls[i]))
            except (RuntimeError, TypeError, ValueError, IndexError) as error:
                outcomes.append(error)
        theirs, ours = outcomes
        trace = "\n".join(self.log)
        if isinstance(theirs, Exception) and "has been detached in-place" in str(theirs):
            self.over = True
            return
        if "has been modified inplace" in str(theirs) and str(ours).startswith("The size of tensor a"):
            return  # two errors in one step: shapes are looked at first here, views first there
        if isinstance(theirs, Exception) or isinstance(ours, Exception):
            if isinstance(theirs, Exception) != isinstance(ours, Exception) or words(theirs) != words(ours):
                raise AssertionError(f"{trace}\ntorch: {theirs!r}\nminigrad: {ours!r}") from (
                    ours if isinstance(ours, Exception) else None
                )
            return
        theirs = theirs if isinstance(theirs, tuple) else (theirs,)
        ours = ours if isinstance(ours, tuple) else (ours,)
        for a, b in zip(theirs, ours):
            if isinstance(a, torch.Tensor):
                self.pairs.append((a, b))
        self.compare(trace)

    def compare(self, trace):
        for k, (a, b) in enumerate(self.pairs):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                da, db = describe(a), describe(b)
                assert da == db, f"{trace}\ntensor {k}: torch {da}\nminigrad {db}"
                np.testing.assert_allclose(
                    value(b), value(a), rtol=1e-9, atol=1e-9, err_msg=f"{trace}\nvalue of {k}"
                )
                ga, gb = a.grad, b.grad
            assert (ga is None) == (gb is None), f"{trace}\ngrad of {k}: torch {ga}, minigrad {gb}"
            if ga is not None:
                np.testing.assert_allclose(
                    value(gb), value(ga), rtol=1e-9, atol=1e-9, err_msg=f"{trace}\ngrad of {k}"
                )
        assert len(self.calls[0]) == len(self.calls[1]), f"{trace}\nhook calls: {self.calls}"
        for a, b in zip(*self.calls):
            assert a[0] == b[0], f"{trace}\nhook calls: {self.calls}"
            np.testing.assert_allclose(b[1], a[1], rtol=1e-9, atol=1e-9, err_msg=trace)

    def pick(self, data):
        """One of the tensors; recent ones more often."""
        return data.draw(st.integers(0, len(self.pairs) - 1)) if self.pairs else 0

    # -- steps

    @initialize(seed=st.integers(0, 5), grads=st.tuples(st.booleans(), st.booleans()))
    def start(self, seed, grads):
        values = np.random.RandomState(seed).uniform(0.1, 0.9, (2, 3, 3))
        for i, g in enumerate((True, *grads)[:2]):
            self.both(
                f"t{i} = leaf(requires_grad={g})",
                lambda lib, ts, calls: lib.tensor(values[i], requires_grad=g),
            )

    @rule(data=st.data(), name=st.sampled_from(UNARY), no_grad=st.integers(0, 7))
    def unary(self, data, name, no_grad):
        i = self.pick(data)
        self.both(
            f"t{len(self.pairs)} = t{i}.{name}()" + " #no_grad" * (not no_grad),
            lambda lib, ts, calls: guarded(lib, no_grad, lambda: getattr(ts[i], name)()),
        )

    @rule(data=st.data(), name=st.sampled_from(BINARY), no_grad=st.integers(0, 7))
    def binary(self, data, name, no_grad):
        i, j = self.pick(data), self.pick(data)
        self.both(
            f"t{len(self.pairs)} = t{i}.{name}(t{j})" + " #no_grad" * (not no_grad),
            lambda lib, ts, calls: guarded(lib, no_grad, lambda: getattr(ts[i], name)(ts[j])),
        )

    @rule(
        data=st.data(),
        name=st.sampled_from(["add", "mul", "sub", "div"]),
        number=st.sampled_from([2, 0.5, 3.0]),
    )
    def scalar(self, data, name, number):
        i = self.pick(data)
        self.both(
            f"t{len(self.pairs)} = t{i}.{name}({number})", lambda lib, ts, calls: getattr(ts[i], name)(number)
        )

    @rule(data=st.data(), name=st.sampled_from(sorted(VIEWS)), k=st.integers(0, 2), no_grad=st.integers(0, 7))
    def view(self, data, name, k, no_grad):
        i = self.pick(data)
        self.both(
            f"t{len(self.pairs)} = t{i}.{name}({k})" + " #no_grad" * (not no_grad),
            lambda lib, ts, calls: viewed(lib, ts[i], name, k, no_grad),
        )

    @rule(data=st.data(), name=st.sampled_from(sorted(MULTI)), k=st.integers(0, 2), no_grad=st.integers(0, 7))
    def multi(self, data, name, k, no_grad):
        i = self.pick(data)
        self.both(
            f"... = t{i}.{name}({k})" + " #no_grad" * (not no_grad),
            lambda lib, ts, calls: multi_viewed(lib, ts[i], name, k, no_grad),
        )

    @rule(data=st.data(), name=st.sampled_from(UNARY_), no_grad=st.integers(0, 7))
    def unary_(self, data, name, no_grad):
        i = self.pick(data)
        self.both(
            f"t{i}.{name}()" + " #no_grad" * (not no_grad),
            lambda lib, ts, calls: nothing(guarded(lib, no_grad, lambda: getattr(ts[i], name)())),
        )

    @rule(data=st.data(), name=st.sampled_from(BINARY_), no_grad=st.integers(0, 7))
    def binary_(self, data, name, no_grad):
        i, j = self.pick(data), self.pick(data)
        if overlapping(self.pairs[i][0], self.pairs[j][0]):
            return  # torch's result depends on its loop order
        self.both(
            f"t{i}.{name}(t{j})" + " #no_grad" * (not no_grad),
            lambda lib, ts, calls: nothing(guarded(lib, no_grad, lambda: getattr(ts[i], name)(ts[j]))),
        )

    @rule(data=st.data(), k=st.integers(0, 2), number=st.sampled_from([1.5, 0.25]))
    def set_number(self, data, k, number):
        i = self.pick(data)

        def step(lib, ts, calls):
            ts[i][k % ts[i].size(0)] = number

        self.both(f"t{i}[{k}] = {number}", step)

    @rule(data=st.data(), k=st.integers(0, 2))
    def set_tensor(self, data, k):
        i, j = self.pick(data), self.pick(data)
        if overlapping(self.pairs[i][0], self.pairs[j][0]):
            return

        def step(lib, ts, calls):
            ts[i][k % ts[i].size(0)] = ts[j]

        self.both(f"t{i}[{k}] = t{j}", step)

    @rule(data=st.data(), name=st.sampled_from(sorted(GETS)), k=st.integers(0, 2))
    def get(self, data, name, k):
        i = self.pick(data)
        self.both(
            f"t{len(self.pairs)} = get_{name}(t{i}, {k})",
            lambda lib, ts, calls: () if ts[i].dim() == 0 else GETS[name](lib, ts[i], k),
        )

    @rule(data=st.data(), name=st.sampled_from(sorted(PAIRS)), no_grad=st.integers(0, 7))
    def pair(self, data, name, no_grad):
        i, j = self.pick(data), self.pick(data)
        if name == "matmul" and not (self.pairs[i][0].dim() == self.pairs[j][0].dim() == 2):
            return
        self.both(
            f"t{len(self.pairs)} = {name}(t{i}, t{j})" + " #no_grad" * (not no_grad),
            lambda lib, ts, calls: guarded(lib, no_grad, lambda: PAIRS[name](lib, ts[i], ts[j])),
        )

    @rule(data=st.data(), name=st.sampled_from(["list", "mask"]), k=st.integers(0, 2))
    def set_many(self, data, name, k):
        i, j = self.pick(data), self.pick(data)
        if (
            overlapping(self.pairs[i][0], self.pairs[j][0])
            or self.pairs[i][0].dim() == 0
            or self.pairs[j][0].dim() != 0
        ):
            return

        def step(lib, ts, calls):
            t = ts[i]
            if name == "list":
                t[lib.tensor([0, k % t.size(0)])] = ts[j]
            else:
                t[t.detach() > 0.5] = ts[j]

        self.both(f"t{i}[{name} {k}] = t{j}", step)

    @rule(data=st.data(), name=st.sampled_from(sorted(FUNCTIONS)))
    def function(self, data, name):
        i = self.pick(data)
        self.both(
            f"t{len(self.pairs)} = {name}.apply(t{i})",
            lambda lib, ts, calls: known(FUNCTIONS[name][lib is minigrad].apply(ts[i]), ts),
        )

    @rule(data=st.data(), kind=st.sampled_from(["pre", "post"]), double=st.booleans())
    def node_hook(self, data, kind, double):
        i = self.pick(data)

        def step(lib, ts, calls):
            if ts[i].grad_fn is None:
                return

            def pre(gs):
                calls.append(("pre", np.zeros(0) if gs[0] is None else value(gs[0])))
                return tuple(None if g is None else g * 2 for g in gs) if double else None

            def post(gs, given):
                calls.append(("post", np.zeros(0) if gs[0] is None else value(gs[0])))
                return tuple(None if g is None else g * 2 for g in gs) if double else None

            if kind == "pre":
                ts[i].grad_fn.register_prehook(pre)
            else:
                ts[i].grad_fn.register_hook(post)

        self.both(f"t{i}.grad_fn.{kind}_hook(double={double})", step)

    @rule(data=st.data(), create=st.booleans())
    def backward_with_inputs(self, data, create):
        i, j = self.pick(data), self.pick(data)

        def step(lib, ts, calls):
            lib.autograd.backward(
                ts[i], lib.ones_like(ts[i]), inputs=[ts[j]], retain_graph=True, create_graph=create
            )

        self.both(f"t{i}.backward(inputs=[t{j}], create={create})", step)

    @rule(data=st.data())
    def sum(self, data):
        i = self.pick(data)
        self.both(f"t{len(self.pairs)} = t{i}.sum()", lambda lib, ts, calls: ts[i].sum())

    @rule(data=st.data(), kind=st.sampled_from(["look", "double", "retain"]))
    def hook(self, data, kind):
        i = self.pick(data)

        def step(lib, ts, calls):
            if kind == "retain":
                ts[i].retain_grad()
            else:

                def hook(g):
                    calls.append((kind, np.zeros(0) if g is None else value(g)))
                    return None if kind == "look" or g is None else g * 2

                ts[i].register_hook(hook)

        self.both(f"t{i}.hook({kind})", step)

    @rule(data=st.data(), flag=st.booleans())
    def requires_grad(self, data, flag):
        i = self.pick(data)
        self.both(f"t{i}.requires_grad_({flag})", lambda lib, ts, calls: nothing(ts[i].requires_grad_(flag)))

    @rule(data=st.data())
    def detach_(self, data):
        i = self.pick(data)
        self.both(f"t{i}.detach_()", lambda lib, ts, calls: nothing(ts[i].detach_()))

    @rule(data=st.data(), retain=st.booleans(), create=st.booleans())
    def backward(self, data, retain, create):
        i = self.pick(data)

        def step(lib, ts, calls):
            t = ts[i]
            t.backward(lib.ones_like(t), retain_graph=retain or None, create_graph=create)

        self.both(f"t{i}.backward(retain={retain}, create={create})", step)

    @rule(data=st.data(), create=st.booleans())
    def grad(self, data, create):
        i, j = self.pick(data), self.pick(data)

        def step(lib, ts, calls):
            (g,) = lib.autograd.grad(
                ts[i], ts[j], lib.ones_like(ts[i]), create_graph=create, allow_unused=True, retain_graph=True
            )
            return () if g is None else g.clone()  # torch's may be a view of another gradient

        self.both(f"t{len(self.pairs)} = grad(t{i}, t{j}, create={create})", step)


def nothing(_):
    """No new tensor comes of an in-place op."""
    return ()


def guarded(lib, no_grad, call):
    if no_grad:
        return call()
    with lib.no_grad():
        return call()


def viewed(lib, t, name, k, no_grad):
    if t.dim() == 0:
        return ()
    return guarded(lib, no_grad, lambda: VIEWS[name](t, k))


def multi_viewed(lib, t, name, k, no_grad):
    if t.dim() == 0:
        return ()
    return tuple(guarded(lib, no_grad, lambda: MULTI[name](t, k)))


def overlapping(a, b):
    """Whether two tensors share some memory but are not the same window."""
    a, b = a.detach().numpy(), b.detach().numpy()
    same = a.__array_interface__["data"][0] == b.__array_interface__["data"][0] and a.strides == b.strides
    return np.shares_memory(a, b) and not (same and a.shape == b.shape)


TestPrograms = Programs.TestCase
TestPrograms.settings = settings(
    max_examples=int(os.environ.get("MINIGRAD_PROGRAMS", "300")),
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
