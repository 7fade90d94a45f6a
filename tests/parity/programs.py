"""Random programs, run step by step in PyTorch and in minigrad.

Creations, views, in-place writes, grad modes, custom Functions, hooks, flags, gradients, backward and grad calls (``steps.py``); distributions, loaders,
checkpoints, transforms, modules, optimizers, a subclass, tensors on ``meta`` (``components.py``).  After every step all tensors are compared: values,
gradients, versions, bases, names of nodes and of their next nodes, flags, what hooks saw; and where a step fails, it must fail in both, in the
same words.  ``known_differences.py`` lists what may differ, and why.

``test_programs.py`` runs this file, in processes of its own, because PyTorch itself crashes in one program of some thousands.  The first program that
differs is written to PROGRESS.first, before it is made shorter: making it shorter may find another difference, or a crash:

    python tests/parity/programs.py COUNT SEED PROGRESS
"""

import re
import sys
import warnings
from pathlib import Path

import numpy as np
import torch
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

import minigrad
from tests.messages import first_sentence
from tests.parity.components import COMPOSED, HEARD_NAMES, MAKE_MORE, MODULES, OPTIMIZERS, apply, flattened
from tests.parity.known_differences import DIFFERENCES, OTHER_ORDER, UNKNOWN_PLACE, fails, two_errors
from tests.parity.steps import (
    ACCUMULATE_HOOKS,
    FUNCTIONS,
    LAYOUTS,
    MAKE,
    NODE_HOOKS,
    TENSOR_HOOKS,
    VIEWS,
    WRITE,
    WRITE_TENSOR,
    set_part,
)  # fmt: skip


def nothing(_):
    """No new tensor comes of a step."""
    return ()


def value(t):
    if t.is_meta:
        return np.zeros(t.shape)
    return np.array(
        t.detach().resolve_conj().resolve_neg().numpy() if isinstance(t, torch.Tensor) else t.detach().numpy()
    )


def describe(t, ts):
    """What is compared of one tensor."""
    out = {
        "class": type(t).__name__ if "Heard" in type(t).__name__ else None,
        "device": str(t.device),
        "shape": tuple(t.shape),
        "dtype": str(t.dtype),
        "requires_grad": t.requires_grad,
        "version": answer(lambda: t._version),
        "is_inference": t.is_inference(),
        "is_view": t._is_view(),
        "base": [k for k, other in enumerate(ts) if t._base is other],
        "retains_grad": t.retains_grad
        and answer(lambda: not t.is_leaf),  # PyTorch's is still set after detach_()
    }
    out["grad_fn"] = answer(lambda: None if t.grad_fn is None else t.grad_fn.name())
    out["output_nr"] = answer(lambda: t.output_nr)
    out["is_leaf"] = answer(lambda: t.is_leaf)
    out["next"] = answer(
        lambda: t.grad_fn and [(None if n is None else n.name(), nr) for n, nr in t.grad_fn.next_functions]
    )
    return out


def aliases_inference_tensor(lib, name, t):
    """Whether a step makes, outside inference mode, an alias without history of an inference tensor.

    PyTorch lets one write to it, which the docs of inference mode say cannot be; here it is an inference tensor like any other.
    """
    return (
        name in ("data", "detach", "data_add", "data_mul", "detach_mul")
        and t.is_inference()
        and not lib.is_inference_mode_enabled()
    )


def answer(question):
    """The answer, or the error in its place."""
    try:
        return question()
    except RuntimeError as error:
        return first_sentence(str(error))


def words(error):
    """An error's type and the first sentence of its text, without addresses and library names."""
    text = re.sub(r"0x[0-9a-f]+", "0x", str(error)).replace("minigrad", "torch")
    text = re.sub(r"CPU(\w+)Type\b", r"torch.\1Tensor", text)  # PyTorch's name of a type in inference mode
    return type(error).__name__, first_sentence(text)


def overlapping(a, b):
    """Whether two tensors share some memory but are not the same window: PyTorch's result depends on its loop order."""
    if a.is_meta or b.is_meta:
        return False
    a, b = a.detach().resolve_neg().numpy(), b.detach().resolve_neg().numpy()
    same = a.__array_interface__["data"][0] == b.__array_interface__["data"][0] and a.strides == b.strides
    return np.shares_memory(a, b) and not (same and a.shape == b.shape)


def repeats(t):
    """Whether some elements of a tensor share memory, so that the result of a write depends on its order, but PyTorch lets one write."""
    if 0 in t.stride():
        return False
    places = [sum(i * s for i, s in zip(index, t.stride())) for index in np.ndindex(*t.shape)]
    return len(set(places)) < len(places)


MODES = st.sampled_from([""] * 8 + ["no_grad", "inference_mode", "enable_grad"])


#: What is not compared where tensors of a subclass are about: PyTorch gives results their class by a view, which has a node ``AliasBackward0``.
OF_VIEWS = ("is_view", "base", "grad_fn", "next", "output_nr")

#: Steps that are composed of operators in a way of each library's own: which nodes record them is not compared.
COMPOSITE = rf" = ({'|'.join(COMPOSED)})\(|^[mo]\d| = m\d"


class Progress:
    """A file that says, should this process die, how many programs were begun, whether one has shown a difference, and who did what last."""

    def __init__(self, path):
        self.path = path
        self.first = path.with_name(f"{path.name}.first")
        self.first.unlink(missing_ok=True)
        self.begun = 0
        self.different = False

    def note(self, library, program):
        self.path.write_text(
            f"{self.begun} {'different' if self.different else 'alike'} {library}\n{program}"
        )

    def differs(self, program, error):
        """Note that a program shows a difference: the first one stays in a file of its own."""
        if not self.different:
            self.first.write_text(f"{error}")
        self.different = True
        self.note("minigrad", program)


class Programs(RuleBasedStateMachine):
    """One program, in two libraries."""

    progress = None

    def __init__(self):
        super().__init__()
        if self.progress is not None:
            self.progress.begun += 1
        self.pairs = []
        self.extra = []  # of each pair, how many versions PyTorch's tensor had more when it came
        self.calls = ([], [])  # what hooks were called with
        self.handles = []  # pairs of handles of hooks
        self.heard = False  # whether tensors of a subclass are about: see OF_VIEWS
        self.composed = set()  # which pairs are clones of what several operators gave
        self.modules = []  # pairs of modules, with their names
        self.optimizers = []  # pairs of optimizers
        self.log = []
        self.single = False  # whether numbers of single precision are about
        self.over = False  # the libraries differ from here on, as DIFFERENCES says

    def teardown(self):
        for lib in (torch, minigrad):
            lib.set_grad_enabled(True)

    # -- running a step in both

    def both(self, text, step, mode="", heard_of=False):
        """Run ``step(library, tensors, calls)`` in both; compare what it gives, and which functions a subclass heard of if ``heard_of``; keep new tensors."""
        if self.over:
            return
        try:
            self.run_in_both(text, step, mode, heard_of)
        except Exception as error:
            if self.progress is not None:
                self.progress.differs("\n".join(self.log), error)
            raise

    def run_in_both(self, text, step, mode, heard_of):
        self.log.append(text + f"   # {mode}" * bool(mode))
        trace = "\n".join(self.log)
        outcomes, heard = [], []
        for i, lib in enumerate((torch, minigrad)):
            HEARD_NAMES[lib].clear()
            ts = [pair[i] for pair in self.pairs]
            if self.progress is not None:
                self.progress.note(lib.__name__, trace)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    if mode:
                        with getattr(lib, mode)():
                            outcome = step(lib, ts, self.calls[i])
                    else:
                        outcome = step(lib, ts, self.calls[i])
                outcomes.append(outcome if isinstance(outcome, tuple) else (outcome,))
            except (
                RuntimeError,
                TypeError,
                ValueError,
                IndexError,
                KeyError,
                AttributeError,
                AssertionError,
                ZeroDivisionError,
            ) as error:
                outcomes.append(error)
            heard.append(list(HEARD_NAMES[lib]))
        theirs, ours = outcomes
        if isinstance(theirs, Exception) or isinstance(ours, Exception):
            for steps, of_theirs, of_ours, goes_on, _ in DIFFERENCES:
                if re.search(steps, text) and of_theirs(theirs) and of_ours(ours):
                    self.over = not goes_on
                    return
            if two_errors(theirs, ours):
                return
            if fails(theirs) and fails(ours) and re.search(COMPOSITE, text):
                return  # another operator of those that it is composed of has failed
            if isinstance(theirs, Exception) != isinstance(ours, Exception) or words(theirs) != words(ours):
                raise AssertionError(f"{trace}\ntorch: {theirs!r}\nminigrad: {ours!r}") from (
                    ours if isinstance(ours, Exception) else None
                )
            theirs = ours = ()
        # the operator / of a number and a tensor is heard of by its older name in PyTorch
        heard[1] = ["__rdiv__" if name == "__rtruediv__" else name for name in heard[1]]
        assert heard[0] == heard[1] or not heard_of or theirs == (), (
            f"{trace}\nfunctions heard: torch {heard[0]}, minigrad {heard[1]}"
        )
        news = []
        for i, outcome in enumerate((theirs, ours)):
            kind = (torch, minigrad)[i].Tensor
            news.append(
                [z for z in outcome if isinstance(z, kind) and not any(z is pair[i] for pair in self.pairs)]
            )
        assert len(news[0]) == len(news[1]), f"{trace}\nnew tensors: torch {news[0]}\nminigrad {news[1]}"
        if re.search(COMPOSITE, text) or (self.heard and ".apply(" in text):
            self.composed.update(range(len(self.pairs), len(self.pairs) + len(news[0])))
        self.pairs += zip(*news)
        if re.search(OTHER_ORDER, text) and any(a.stride() != b.stride() for a, b in zip(*news)):
            self.over = True  # as OTHER_ORDER says
            return
        self.heard |= "heard" in text
        self.single |= bool(
            re.search(" = (Gamma|Beta|Dirichlet)", text)
        )  # their implicit gradients are approximations
        self.single |= any(a.dtype in (torch.float32, torch.complex64) for a, _ in self.pairs)
        if re.search(r"^o\d+\.step", text):
            self.extra.clear()  # how often an optimizer writes is its own business
        for a, b in self.pairs[len(self.extra) :]:
            # PyTorch's kernels count writes to their results where an operand is an inference tensor, as do copies of gradients
            self.extra.append(0 if a.is_inference() or b.is_inference() else a._version - b._version)
        self.compare(trace)

    def compare(self, trace):
        theirs, ours = zip(*self.pairs)
        for k, (a, b) in enumerate(self.pairs):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                da, db = describe(a, theirs), describe(b, ours)
                if isinstance(db["version"], int):
                    db["version"] += self.extra[k]
                if "INTERNAL ASSERT FAILED" in str(da["grad_fn"]):
                    self.over = True  # as in DIFFERENCES
                    return
                if any(
                    says_it(db[key]) for key in ("grad_fn", "is_leaf", "next") for says_it in UNKNOWN_PLACE
                ):
                    self.over = True
                    return
                if k in self.composed:
                    da.update(next=db["next"], **{"class": db["class"]})
                if self.heard:
                    da.update((key, db[key]) for key in OF_VIEWS)
                if da["next"] != db["next"] and "ViewBackward0" in str(db["next"]) and "prod(" in trace:
                    self.over = True  # the gradient of prod() is computed of one row, where PyTorch divides
                    return
                if "ConjBackward0" in str(db["next"]) or "ConjBackward0" == db["grad_fn"]:
                    self.over = True  # docs/differences.md: conjugation is done at once
                    return
                different = "".join(
                    f"\n{key}: torch {da[key]}, minigrad {db[key]}" for key in da if da[key] != db[key]
                )
                assert not different, f"{trace}\ntensor {k}: {different}"
                self.alike(value(a), value(b), f"{trace}\nvalue of {k}")
                ga, gb = a.grad, b.grad
            assert (ga is None) == (gb is None), f"{trace}\ngrad of {k}: torch {ga}, minigrad {gb}"
            if ga is not None:
                self.alike(value(ga), value(gb), f"{trace}\ngrad of {k}")
                if ga.requires_grad and not gb.requires_grad and "relu" in trace:
                    self.over = (
                        True  # PyTorch records that the gradient of relu depends on its result, by zero
                    )
                    return
                assert ga.requires_grad == gb.requires_grad, (
                    f"{trace}\ngrad of {k}: torch {ga}, minigrad {gb}"
                )
        assert len(self.calls[0]) == len(self.calls[1]), f"{trace}\nhook calls: {self.calls}"
        for a, b in zip(*self.calls):
            assert a[0] == b[0], f"{trace}\nhook calls: {self.calls}"
            for x, y in zip(a[1:], b[1:]):
                self.alike(x, y, f"{trace}\nhook calls: {self.calls}")

    def alike(self, theirs, ours, trace):
        assert theirs.shape == ours.shape and theirs.dtype == ours.dtype, f"{trace}: {theirs}, {ours}"
        if self.single and theirs.size and np.nanmax(np.abs(theirs)) > 50:
            self.over = True  # single precision: what follows may amplify errors of rounding
            return
        tolerance = 1e-3 if self.single else 1e-8
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance, err_msg=trace)

    def pick(self, data):
        """One of the tensors; the latest more often."""
        back = data.draw(st.sampled_from([0, 0, 0, 1, 1, 2, 3, 4, 5, 7, 9]))
        return len(self.pairs) - 1 - back % len(self.pairs)

    def call(self, table, data, name, k, mode, two):
        i = self.pick(data)
        j = self.pick(data) if two else i
        if name in LAYOUTS and not self.lays_out(self.pairs[i][0], mode):
            return
        if table in (WRITE, WRITE_TENSOR) and repeats(self.pairs[i][0]):
            return
        if table in (WRITE, WRITE_TENSOR) and self.takes_retained(self.pairs[i][0]):
            return
        if table is WRITE_TENSOR and (i == j or overlapping(self.pairs[i][0], self.pairs[j][0])):
            return
        on_meta = "@meta" * any(self.pairs[k][0].is_meta for k in (i, j))
        operands = f"t{i}, t{j}{on_meta}" if two else f"t{i}{on_meta}"
        self.both(
            f"{'' if table in (WRITE, WRITE_TENSOR) else f't{len(self.pairs)} = '}{name}({operands}, {k})",
            lambda lib, ts, calls: (
                self.plain(table, table[name](lib, ts[i], ts[j], k), lib)
                if ts[i].dim() and not aliases_inference_tensor(lib, name, ts[i])
                else ()
            ),
            mode,
            heard_of=table is not COMPOSED,
        )

    def takes_retained(self, t):
        """Whether a write to ``t`` would take the gradient that is retained of its node's first output: a mistake of PyTorch's."""
        nr = answer(lambda: t.output_nr)
        return isinstance(nr, int) and nr > 0 and any(a.retains_grad for a, _ in self.pairs)

    def lays_out(self, t, mode):
        """Whether a tensor may get another shape in place: see ``LAYOUTS``."""
        return (
            mode in ("", "enable_grad")
            and torch.is_grad_enabled()
            and not t.retains_grad
            and not self.handles
        )

    def plain(self, table, result, lib):
        if table in (WRITE, WRITE_TENSOR):
            return ()
        return (
            tuple(t.clone() for t in flattened(result) if isinstance(t, lib.Tensor))
            if table is COMPOSED
            else result
        )

    # -- steps

    @initialize(
        seed=st.integers(0, 5),
        kinds=st.lists(
            st.sampled_from(["double", "double", "double", "float", "complex"]), min_size=2, max_size=2
        ),
        second=st.booleans(),
    )
    def start(self, seed, kinds, second):
        numbers = np.random.RandomState(seed).uniform(0.1, 0.9, (2, 2, 3, 3))
        for i, (kind, wanted) in enumerate(zip(kinds, (True, second))):
            array = numbers[i, 0] + 1j * numbers[i, 1] if kind == "complex" else numbers[i, 0]
            array = array.astype(np.float32) if kind == "float" else array
            self.both(
                f"t{i} = leaf({kind}, requires_grad={wanted})",
                lambda lib, ts, calls: lib.tensor(array, requires_grad=wanted),
            )
        self.both("t2 = t0 * 1", lambda lib, ts, calls: ts[0] * 1)

    @rule(data=st.data(), name=st.sampled_from(sorted(MAKE)), k=st.integers(0, 2), mode=MODES)
    def make(self, data, name, k, mode):
        self.call(MAKE, data, name, k, mode, True)

    @rule(data=st.data(), name=st.sampled_from(sorted(MAKE_MORE)), k=st.integers(0, 2), mode=MODES)
    def make_more(self, data, name, k, mode):
        self.call(MAKE_MORE, data, name, k, mode, True)

    @rule(data=st.data(), name=st.sampled_from(sorted(COMPOSED)), k=st.integers(0, 2), mode=MODES)
    def compose(self, data, name, k, mode):
        self.call(COMPOSED, data, name, k, mode, True)

    @rule(data=st.data(), name=st.sampled_from(sorted(VIEWS)), k=st.integers(0, 2), mode=MODES)
    def view(self, data, name, k, mode):
        self.call(VIEWS, data, name, k, mode, False)

    @rule(data=st.data(), name=st.sampled_from(sorted(VIEWS)), k=st.integers(0, 2))
    def another_view(self, data, name, k):
        self.call(VIEWS, data, name, k, "", False)

    @rule(data=st.data(), name=st.sampled_from(sorted(WRITE)), k=st.integers(0, 2), mode=MODES)
    def write(self, data, name, k, mode):
        self.call(WRITE, data, name, k, mode, False)

    @rule(data=st.data(), name=st.sampled_from(sorted(WRITE_TENSOR)), k=st.integers(0, 2), mode=MODES)
    def write_tensor(self, data, name, k, mode):
        self.call(WRITE_TENSOR, data, name, k, "" if name == "set_data" else mode, True)

    @rule(data=st.data(), name=st.sampled_from(sorted(FUNCTIONS)), mode=MODES)
    def function(self, data, name, mode):
        i = self.pick(data)
        if name.endswith("_") and (repeats(self.pairs[i][0]) or self.takes_retained(self.pairs[i][0])):
            return
        self.both(
            f"t{len(self.pairs)} = {name}.apply(t{i})",
            lambda lib, ts, calls: FUNCTIONS[name][lib is minigrad].apply(ts[i]),
            mode,
        )

    @rule(flag=st.sampled_from([True, True, False]))
    def switch(self, flag):
        self.both(f"set_grad_enabled({flag})", lambda lib, ts, calls: nothing(lib.set_grad_enabled(flag)))

    @rule(
        data=st.data(),
        name=st.sampled_from(
            ["requires", "requires", "no_longer", "detach_", "retain", "forget", "given", "taken", "zero"]
        ),
        mode=MODES,
    )
    def flag(self, data, name, mode):
        i = self.pick(data)
        steps = {
            # PyTorch remembers a flag for the time when a view without history of its own gets one; and it records nothing of
            # inference tensors that require grad
            "requires": lambda lib, t: (
                None
                if (t._is_view() and t.requires_grad and t.is_leaf) or t.is_inference()
                else t.requires_grad_()
            ),
            "no_longer": lambda lib, t: t.requires_grad_(False),
            "detach_": lambda lib, t: t.detach_(),
            "retain": lambda lib, t: t.retain_grad(),
            "forget": lambda lib, t: set_part("grad")(lib, t, None, 0),
            "given": lambda lib, t: set_part("grad")(lib, t, lib.ones_like(t), 0),
            "zero": lambda lib, t: None if t.grad is None else t.grad.zero_(),
            "taken": lambda lib, t: t.grad,
        }
        self.both(
            f"t{i}: {name}",
            lambda lib, ts, calls: (
                steps[name](lib, ts[i]) if name == "taken" else nothing(steps[name](lib, ts[i]))
            ),
            mode,
        )

    # -- hooks

    def handle(self, text, register):
        """Register a hook in both; keep the handles."""
        made = []
        self.both(text, lambda lib, ts, calls: nothing(made.append(register(lib, ts, calls))))
        if len(made) == 2:
            self.handles.append(made)

    @rule(data=st.data(), name=st.sampled_from(sorted(TENSOR_HOOKS)), once=st.booleans())
    def tensor_hook(self, data, name, once):
        i = self.pick(data)

        def register(lib, ts, calls):
            def hook(g):
                calls.append((f"tensor {i}", np.zeros(0) if g is None else value(g)))
                if once:
                    handle.remove()
                return None if g is None else TENSOR_HOOKS[name](lib, g)

            handle = ts[i].register_hook(hook)
            return handle

        self.handle(f"t{i}.register_hook({name}{', once' * once})", register)

    @rule(data=st.data(), name=st.sampled_from(sorted(ACCUMULATE_HOOKS)))
    def accumulate_hook(self, data, name):
        i = self.pick(data)

        def register(lib, ts, calls):
            def hook(t):
                calls.append((f"accumulated {i}", np.zeros(0) if t.grad is None else value(t.grad)))
                ACCUMULATE_HOOKS[name](lib, t)

            return ts[i].register_post_accumulate_grad_hook(hook)

        self.handle(f"t{i}.register_post_accumulate_grad_hook({name})", register)

    @rule(data=st.data(), kind=st.sampled_from(["pre", "post"]), name=st.sampled_from(sorted(NODE_HOOKS)))
    def node_hook(self, data, kind, name):
        i = self.pick(data)
        if kind == "pre" and name == "nothing":
            return  # PyTorch runs the node all the same, and looks at what it saved

        def register(lib, ts, calls):
            def saw(gs):
                calls.append((f"{kind} {i}", *(np.zeros(0) if g is None else value(g) for g in gs)))
                return NODE_HOOKS[name](gs)

            if kind == "pre":
                return ts[i].grad_fn.register_prehook(saw)
            return ts[i].grad_fn.register_hook(lambda gs, given: saw(gs))

        self.handle(f"t{i}.grad_fn.register {kind} hook({name})", register)

    @rule(data=st.data())
    def remove_hook(self, data):
        if self.handles:
            k = data.draw(st.integers(0, len(self.handles) - 1))
            self.both(
                f"remove hook {k}",
                lambda lib, ts, calls: nothing(self.handles[k][lib is minigrad].remove()),
            )

    # -- modules and optimizers

    @rule(name=st.sampled_from(sorted(MODULES)), double=st.booleans())
    def module(self, name, double):
        made = []

        def step(lib, ts, calls):
            lib.manual_seed(0)
            lib.set_default_dtype(lib.float64 if double else lib.float32)
            try:
                made.append(MODULES[name](lib))
            finally:
                lib.set_default_dtype(lib.float32)
            return tuple(made[-1].parameters())

        self.both(
            f"m{len(self.modules)} = {name}({'double' if double else 'float'}); its parameters are t{len(self.pairs)}, ...",
            step,
        )
        if len(made) == 2:
            self.modules.append((name, made))

    @rule(data=st.data(), mode=MODES)
    def forward(self, data, mode):
        if not self.modules:
            return
        m, i = data.draw(st.integers(0, len(self.modules) - 1)), self.pick(data)
        name, pair = self.modules[m]

        def step(lib, ts, calls):
            lib.manual_seed(1)
            return tuple(t.clone() for t in flattened(apply(name, pair[lib is minigrad], ts[i])))

        self.both(f"t{len(self.pairs)}, ... = m{m}(t{i})  # {name}", step, mode)

    @rule(data=st.data(), what=st.sampled_from(["train", "eval", "zero_grad", "freeze"]))
    def change_module(self, data, what):
        if not self.modules:
            return
        m = data.draw(st.integers(0, len(self.modules) - 1))
        changes = {"freeze": lambda module: module.requires_grad_(False)}
        self.both(
            f"m{m}.{what}",
            lambda lib, ts, calls: nothing(
                changes.get(what, lambda module: getattr(module, what)())(self.modules[m][1][lib is minigrad])
            ),
        )

    @rule(data=st.data())
    def load_module(self, data):
        """Load the state of one module into another."""
        if not self.modules:
            return
        m, n = (data.draw(st.integers(0, len(self.modules) - 1)) for _ in range(2))

        def step(lib, ts, calls):
            one, other = (self.modules[k][1][lib is minigrad] for k in (m, n))
            one.load_state_dict(other.state_dict())

        self.both(f"m{m}.load_state_dict(m{n}.state_dict())", step)

    @rule(data=st.data(), kind=st.sampled_from(["forward", "pre", "full_backward"]))
    def module_hook(self, data, kind):
        if not self.modules:
            return
        m = data.draw(st.integers(0, len(self.modules) - 1))

        def register(lib, ts, calls):
            def saw(*given):
                calls.append(
                    (f"{kind} m{m}", *(value(t) for t in flattened(given[1:]) if isinstance(t, lib.Tensor)))
                )

            module = self.modules[m][1][lib is minigrad]
            registers = {
                "forward": module.register_forward_hook,
                "pre": module.register_forward_pre_hook,
                "full_backward": module.register_full_backward_hook,
            }
            return registers[kind](saw)

        self.handle(f"m{m}: register {kind} hook", register)

    @rule(data=st.data(), name=st.sampled_from(sorted(OPTIMIZERS)))
    def optimizer(self, data, name):
        chosen = sorted({self.pick(data), self.pick(data)})
        made = []

        def step(lib, ts, calls):
            made.append(OPTIMIZERS[name](lib.optim, [ts[i] for i in chosen]))

        self.both(f"o{len(self.optimizers)} = {name}({', '.join(f't{i}' for i in chosen)})", step)
        if len(made) == 2:
            self.optimizers.append(made)

    @rule(data=st.data(), what=st.sampled_from(["step", "step", "zero_grad", "keep_grad"]), mode=MODES)
    def optimize(self, data, what, mode):
        if not self.optimizers:
            return
        o = data.draw(st.integers(0, len(self.optimizers) - 1))
        if what == "step" and any(
            repeats(p) for group in self.optimizers[o][0].param_groups for p in group["params"]
        ):
            return

        def step(lib, ts, calls):
            optimizer = self.optimizers[o][lib is minigrad]
            if what == "step":
                optimizer.step((lambda: lib.zeros(())) if "LBFGS" in type(optimizer).__name__ else None)
                for index, state in optimizer.state_dict()["state"].items():
                    tensors = {key: t for key, t in state.items() if isinstance(t, lib.Tensor)}
                    calls.extend((f"state {index} {key}", value(tensors[key])) for key in sorted(tensors))
            elif what == "zero_grad":
                optimizer.zero_grad()
            else:
                optimizer.zero_grad(set_to_none=False)

        self.both(f"o{o}.{what}", step, mode)

    # -- backward

    @rule(data=st.data(), retain=st.booleans(), create=st.sampled_from([False, False, True]), mode=MODES)
    def backward(self, data, retain, create, mode):
        i = self.pick(data)
        self.both(
            f"t{i}.backward(ones, retain_graph={retain}, create_graph={create})",
            lambda lib, ts, calls: ts[i].backward(
                lib.ones_like(ts[i].detach()), retain_graph=retain or None, create_graph=create
            ),
            mode,
        )

    @rule(data=st.data(), create=st.booleans())
    def backward_to_inputs(self, data, create):
        i, j, k = self.pick(data), self.pick(data), self.pick(data)
        self.both(
            f"t{i}.backward(ones, inputs=[t{j}, t{k}], create_graph={create})",
            lambda lib, ts, calls: lib.autograd.backward(
                ts[i],
                lib.ones_like(ts[i].detach()),
                inputs=[ts[j], ts[k]],
                retain_graph=True,
                create_graph=create,
            ),
        )

    @rule(data=st.data(), implicit=st.booleans())
    def backward_of_two(self, data, implicit):
        i, j = self.pick(data), self.pick(data)

        def step(lib, ts, calls):
            grads = None if implicit else [lib.ones_like(t.detach()) for t in (ts[i], ts[j])]
            lib.autograd.backward([ts[i], ts[j]], grads, retain_graph=True)

        self.both(f"backward([t{i}, t{j}]{', ones' * (not implicit)})", step)

    @rule(
        data=st.data(),
        create=st.booleans(),
        retain=st.booleans(),
        unused=st.sampled_from(["allow_unused", "materialize_grads", ""]),
    )
    def grad(self, data, create, retain, unused):
        i, j, k = self.pick(data), self.pick(data), self.pick(data)

        def step(lib, ts, calls):
            gs = lib.autograd.grad(
                ts[i], [ts[j], ts[k]], lib.ones_like(ts[i].detach()),
                create_graph=create, retain_graph=retain or None, **({unused: True} if unused else {}),
            )  # fmt: skip
            # PyTorch's may share memory with one another, or be a view
            return tuple(g.clone() for g in gs if g is not None)

        self.both(
            f"t{len(self.pairs)}, ... = grad(t{i}, [t{j}, t{k}], create={create}, retain={retain}, {unused})",
            step,
        )


def main(count, number, progress, phases=tuple(Phase)):
    """Run ``count`` programs, those of seed ``number``; ``progress`` is the file in which to say what is going on."""
    Programs.progress = Progress(progress)
    run_state_machine_as_test(
        seed(number)(Programs),
        settings=settings(
            max_examples=count,
            database=None,
            stateful_step_count=25,
            deadline=None,
            phases=phases,
            suppress_health_check=list(HealthCheck),
        ),
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
