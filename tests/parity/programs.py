"""Random programs, run step by step in PyTorch and in minigrad.

Creations, views, in-place writes, grad modes, custom Functions, hooks, flags, gradients, backward and grad calls (``steps.py``); distributions, loaders,
checkpoints, transforms, modules, optimizers, a subclass, tensors on ``meta`` (``components.py``); sparse tensors and sparse gradients
(``sparse_steps.py``), captured and compiled steps (``captured_steps.py``).  After every step the tensors that it names are
compared, at the end all of them; a program that differs is run again with all compared after every step: values, gradients, versions, bases, names of
nodes and of their next nodes, flags, what hooks saw; and where a step fails, it must fail in both, in the same words.
``known_differences.py`` lists what may differ, and why.

``machine.py`` draws programs, plays them again, and cuts them down.  ``test_programs.py`` runs this file, in processes of its own, because PyTorch itself
crashes in one program of some hundreds:

    python tests/parity/programs.py COUNT SEED PROGRESS
"""

import json
import re
import signal
import sys
import warnings
from pathlib import Path

import numpy as np
import torch

import minigrad
from tests.messages import first_sentence
from tests.parity import components
from tests.parity.captured_steps import COMPILED, training
from tests.parity.components import HEARD_NAMES, MODULES, OPTIMIZERS, apply, flattened
from tests.parity.known_differences import (
    ASKED_WHEN_STACKING,
    CONJUGATED,
    CONVERTS,
    DIFFERENCES,
    LEADS_NOWHERE,
    NOT_AS_SAVED,
    OTHER_ENDS,
    OTHER_NODES,
    OTHER_ORDER,
    OTHER_WORDS,
    SAVES_LESS,
    TWICE,
    UNKNOWN_PLACE,
    UNNOTICED,
    ZERO_TIMES,
    ZEROS_FOR_NONE,
    fails,
    two_errors,
)
from tests.parity.machine import Difference, Machine, Progress, reduced, rule
from tests.parity.sparse_steps import SPARSE, SPARSE_GRADIENTS
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
    return np.array((t.to_dense() if t.is_sparse else t).numpy(force=True))


def in_memory(t):
    """The memory that a tensor looks at, as an array; what is conjugated or negated when it is read stays as it is there."""
    t = t.detach()
    t = t.conj() if t.is_conj() else t
    return (torch._neg_view(t) if t.is_neg() else t).numpy()


def describe(t, ts):
    """What is compared of one tensor."""
    out = {
        "class": type(t).__name__ if "Heard" in type(t).__name__ else None,
        "device": str(t.device),
        "layout": str(t.layout),
        "shape": tuple(t.shape),
        "dtype": str(t.dtype),
        "requires_grad": t.requires_grad,
        "version": answer(lambda: t._version),
        "is_inference": t.is_inference(),
        "is_view": t._is_view(),
        "is_conj": t.is_conj(),
        "is_neg": t.is_neg(),
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


def copied(lib, t):
    """A copy of what several operators gave: of class Tensor, in the order of its indices."""
    with lib._C.DisableTorchFunctionSubclass():
        return t.clone(memory_format=lib.contiguous_format)


def overlapping(a, b):
    """Whether two tensors share some memory but are not the same window: PyTorch's result depends on its loop order."""
    if any(t.is_meta or t.is_sparse for t in (a, b)):
        return False
    a, b = in_memory(a), in_memory(b)
    same = a.__array_interface__["data"][0] == b.__array_interface__["data"][0] and a.strides == b.strides
    return np.shares_memory(a, b) and not (same and a.shape == b.shape)


def repeats(t):
    """Whether some elements of a tensor share memory, so that the result of a write depends on its order, but PyTorch lets one write."""
    if t.is_sparse or 0 in t.stride():
        return False
    places = [sum(i * s for i, s in zip(index, t.stride())) for index in np.ndindex(*t.shape)]
    return len(set(places)) < len(places)


COMPOSED = {**components.COMPOSED, **SPARSE}
MAKE_MORE = {**components.MAKE_MORE, **SPARSE_GRADIENTS}
MODES = [""] * 8 + ["no_grad", "inference_mode", "enable_grad"]


#: Steps that are composed of operators in a way of each library's own: which nodes record them is not compared.
COMPOSITE = rf" = ({'|'.join(COMPOSED)}|compiled_\w+)\(|^[mo]\d| = m\d|captured"
#: Modules of whose gradients some are zero but for rounding, those of the biases of keys: optimizers that divide by their size make large steps of them.
VANISHING = ("attention", "encoder")
#: To record a step looks at all objects of the process: tenths of a second beside PyTorch.
SELDOM = 0.05


class Programs(Machine):
    """One program, in two libraries."""

    progress = None
    thorough = False  # whether all tensors are compared after each step, and not only those that it names

    def __init__(self, number, recipe=None):
        super().__init__(number, recipe)
        self.number = number
        self.pairs = []
        self.extra = []  # of each pair, how many versions PyTorch's tensor had more when it came
        self.calls = ([], [])  # what hooks were called with
        self.handles = []  # pairs of handles of hooks
        self.composed = set()  # which pairs are clones of what several operators gave
        self.modules = []  # pairs of modules, with their names
        self.optimizers = []  # pairs of optimizers
        self.log = []
        self.single = False  # whether numbers of single precision are about

    def close(self):
        for lib in (torch, minigrad):
            lib.set_grad_enabled(True)

    # -- running a step in both

    def both(self, text, step, mode="", heard_of=False):
        """Run ``step(library, tensors, calls)`` in both; compare what it gives, and which functions a subclass heard of if ``heard_of``; keep new tensors."""
        if self.over:
            return
        self.log.append(text + f"   # {mode}" * bool(mode))
        outcomes, heard = [], []
        for i, lib in enumerate((torch, minigrad)):
            HEARD_NAMES[lib].clear()
            ts = [pair[i] for pair in self.pairs]
            if self.progress is not None:
                self.progress.note(self.number, lib.__name__, "\n".join(self.log))
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    if mode:
                        with getattr(lib, mode)():
                            outcome = step(lib, ts, self.calls[i])
                    else:
                        outcome = step(lib, ts, self.calls[i])
                outcomes.append(outcome if isinstance(outcome, tuple) else (outcome,))
            except Exception as error:
                outcomes.append(error)
            heard.append(list(HEARD_NAMES[lib]))
        theirs, ours = outcomes
        if fails(theirs) or fails(ours):
            if not self.may_fail(text, theirs, ours) and (
                fails(theirs) != fails(ours) or words(theirs) != words(ours)
            ):
                said = [" ".join(words(x))[:70] if fails(x) else "fine" for x in outcomes]
                self.differs(
                    f"torch {said[0]}; minigrad {said[1]}", f"torch: {theirs!r}\nminigrad: {ours!r}", ours
                )
            theirs = ours = ()
            if "backward" in text and self.has_had(OTHER_ENDS):
                self.over = True
            if self.over:
                return
        # the operator / of a number and a tensor is heard of by its older name in PyTorch
        heard[1] = ["__rdiv__" if name == "__rtruediv__" else name for name in heard[1]]
        steps, question = ASKED_WHEN_STACKING
        if re.search(steps, text):
            heard = [[name for name in names if name != question] for names in heard]
        if heard[0] != heard[1] and heard_of and theirs != ():
            self.differs("functions heard", f"functions heard: torch {heard[0]}, minigrad {heard[1]}")
        self.keep(text, theirs, ours)
        if self.over:
            return
        self.single |= bool(
            re.search(" = (Gamma|Beta|Dirichlet)", text)
        )  # their implicit gradients are approximations
        self.single |= any(a.dtype in (torch.float32, torch.complex64) for a, _ in self.pairs)
        if re.search(r"^o\d+\.step|captured", text):
            self.extra.clear()  # how often an optimizer writes is its own business
        named = {int(place) for place in re.findall(r"\bt(\d+)\b", text)} | set(
            range(len(self.extra), len(self.pairs))
        )
        # functions give numbers of single precision of integers
        self.single |= any(
            not (self.pairs[k][0].is_floating_point() or self.pairs[k][0].is_complex())
            for k in named
            if k < len(self.extra)
        )
        for a, b in self.pairs[len(self.extra) :]:
            # PyTorch's kernels count writes to their results where an operand is an inference tensor, as do copies of gradients
            self.extra.append(0 if a.is_inference() or b.is_inference() else a._version - b._version)
        self.compare(
            range(len(self.pairs)) if self.thorough else sorted(k for k in named if k < len(self.pairs))
        )

    def has_had(self, steps):
        """Whether a step was one of those."""
        return re.search(steps, "\n".join(self.log)) is not None

    def finish(self):
        if not self.over:
            self.compare(range(len(self.pairs)))

    def differs(self, kind, text, cause=None):
        """End the program with a difference."""
        last = re.sub(r"\d+", "", re.sub(r"\bt\d+, \.\.\. = |\bt\d+ = ", "", self.log[-1])).split("(")[0]
        program = "\n".join(self.log)
        raise Difference(f"{last}: {kind}", f"{program}\n{text}") from (
            cause if isinstance(cause, Exception) else None
        )

    def may_fail(self, text, theirs, ours):
        """Whether a step of which one library or both fail may do so; ``over`` is set if the program cannot go on."""
        for steps, of_theirs, of_ours, goes_on, _ in DIFFERENCES:
            if re.search(steps, text) and of_theirs(theirs) and of_ours(ours):
                self.over = not goes_on
                return True
        if (
            fails(theirs)
            and not fails(ours)
            and re.search(NOT_AS_SAVED, str(theirs))
            and self.has_had(SAVES_LESS)
        ):
            self.over = True
            return True
        if two_errors(theirs, ours):
            return True
        if fails(theirs) and fails(ours):
            for steps, said, _ in OTHER_WORDS:
                if self.has_had(steps) and re.search(said, str(theirs)) and re.search(said, str(ours)):
                    return True
        # another operator of those that it is composed of may have failed
        return fails(theirs) and fails(ours) and re.search(COMPOSITE, text)

    def keep(self, text, theirs, ours):
        """Keep the new tensors among what a step gave."""
        news = []
        for i, outcome in enumerate((theirs, ours)):
            kind = (torch, minigrad)[i].Tensor
            news.append(
                [z for z in outcome if isinstance(z, kind) and not any(z is pair[i] for pair in self.pairs)]
            )
        if len(news[0]) != len(news[1]):
            self.differs("new tensors", f"new tensors: torch {news[0]}\nminigrad {news[1]}")
        if re.search(COMPOSITE, text):
            self.composed.update(range(len(self.pairs), len(self.pairs) + len(news[0])))
        self.pairs += zip(*news)
        self.has_made("pairs", len(news[0]))
        if re.search(OTHER_ORDER, text) and any(a.stride() != b.stride() for a, b in zip(*news)):
            self.over = True  # as OTHER_ORDER says

    def compare(self, places):
        if not self.pairs:
            return
        theirs, ours = zip(*self.pairs)
        for k in places:
            self.compare_pair(k, theirs, ours)
            if self.over:
                return
        if len(self.calls[0]) != len(self.calls[1]):
            self.differs("number of hook calls", f"hook calls: {self.calls}")
        calls = self.calls
        if self.has_had(OTHER_ENDS):
            calls = [sorted(of_one, key=lambda call: call[0]) for of_one in calls]
        for a, b in zip(*calls):
            if a[0] != b[0]:
                self.differs("hook calls", f"hook calls: {self.calls}")
            for x, y in zip(a[1:], b[1:]):
                if x.size and not y.size and not x.any() and self.has_had(ZEROS_FOR_NONE):
                    continue
                self.alike(x, y, "seen by hooks")
        for made in self.calls:
            made.clear()

    def compare_pair(self, k, theirs, ours):
        a, b = theirs[k], ours[k]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            da, db = describe(a, theirs), describe(b, ours)
            if isinstance(db["version"], int):
                db["version"] += self.extra[k]
            if "INTERNAL ASSERT FAILED" in str(da["grad_fn"]):
                self.over = True  # as in DIFFERENCES
                return
            if any(says_it(db[key]) for key in ("grad_fn", "is_leaf", "next") for says_it in UNKNOWN_PLACE):
                self.over = True
                return
            if k in self.composed:
                da.update(next=db["next"])
            if da["next"] != db["next"] and "ToCopyBackward0" in str(db["next"]) and self.has_had(CONVERTS):
                self.over = True
                return
            if da["next"] != db["next"] and "ViewBackward0" in str(db["next"]) and self.has_had(r"prod\("):
                self.over = True  # the gradient of prod() is computed of one row, where PyTorch divides
                return
            if da["requires_grad"] and not db["requires_grad"] and self.has_had(ZERO_TIMES):
                self.over = True
                return
            if (
                db["requires_grad"]
                and not da["requires_grad"]
                and self.has_had(f"{TWICE}|{LEADS_NOWHERE}")
                and self.has_had("create(_graph)?=True")
            ):
                self.over = True
                return
            if (
                da["next"] != db["next"]
                and self.has_had("create(_graph)?=True")
                and (self.has_had(OTHER_NODES) or CONJUGATED in str(db["next"]))
            ):
                da.update(next=db["next"])
            relaid = [
                "AsStridedBackward0" in str(d["next"]) or d["grad_fn"] == "AsStridedBackward0"
                for d in (da, db)
            ]
            if relaid == [False, True] and self.has_had("|".join(LAYOUTS)):
                self.over = (
                    True  # PyTorch forgets what was done in place to the shape of a view, as LAYOUTS says
                )
                return
            different = [f"{key}: torch {da[key]}, minigrad {db[key]}" for key in da if da[key] != db[key]]
            if different:
                self.differs("; ".join(different)[:150], f"tensor {k}: " + "\n".join(different))
            self.alike(value(a), value(b), f"value of {k}")
            ga, gb = a.grad, b.grad
        if ga is not None and gb is None and not value(ga).any() and self.has_had(ZEROS_FOR_NONE):
            self.over = True
            return
        if (ga is None) != (gb is None):
            self.differs("grad", f"grad of {k}: torch {ga}, minigrad {gb}")
        if ga is not None:
            if ga.is_sparse is not gb.is_sparse:
                self.differs("grad's layout", f"grad of {k}: torch {ga}, minigrad {gb}")
            self.alike(value(ga), value(gb), f"grad of {k}")
            if ga.requires_grad and not gb.requires_grad and self.has_had(ZERO_TIMES):
                self.over = True
                return
            if gb.requires_grad and not ga.requires_grad and self.has_had(LEADS_NOWHERE):
                self.over = True
                return
            if ga.requires_grad != gb.requires_grad:
                self.differs("grad's requires_grad", f"grad of {k}: torch {ga}, minigrad {gb}")

    def alike(self, theirs, ours, what):
        kind = re.sub(r" of \d+", "", what)
        if theirs.shape != ours.shape or theirs.dtype != ours.dtype:
            self.differs(f"{kind}: shape or dtype", f"{what}: {theirs}, {ours}")
        if self.single and theirs.size and np.nanmax(np.abs(theirs)) > 50:
            self.over = True  # single precision: what follows may amplify errors of rounding
            return
        tolerance = 1e-3 if self.single else 1e-8
        if not np.allclose(ours, theirs, tolerance, tolerance, equal_nan=True):
            if all(self.has_had(steps) for steps in UNNOTICED):
                self.over = True
                return
            self.differs(kind, f"{what}:\ntorch {theirs}\nminigrad {ours}")

    def tensor(self):
        """The place of one of the tensors; the latest more often."""
        return self.pick("pairs", backwards=[0, 0, 0, 1, 1, 2, 3, 4, 5, 7, 9])

    def of_table(self, table, name, k, mode, two):
        i = self.tensor()
        j = self.tensor() if two else i
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
            heard_of=table not in (COMPOSED, COMPILED),
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
            tuple(copied(lib, t) for t in flattened(result) if isinstance(t, lib.Tensor))
            if table in (COMPOSED, COMPILED)
            else result
        )

    # -- steps

    def start(self):
        seed, second = self.choose(range(6)), self.choose((False, True))
        kinds = [self.choose(["double", "double", "double", "float", "complex"]) for _ in range(2)]
        numbers = np.random.RandomState(seed).uniform(0.1, 0.9, (2, 2, 3, 3))
        for i, (kind, wanted) in enumerate(zip(kinds, (True, second))):
            array = numbers[i, 0] + 1j * numbers[i, 1] if kind == "complex" else numbers[i, 0]
            array = array.astype(np.float32) if kind == "float" else array
            self.both(
                f"t{i} = leaf({kind}, requires_grad={wanted})",
                lambda lib, ts, calls: lib.tensor(array, requires_grad=wanted),
            )
        self.both("t2 = t0 * 1", lambda lib, ts, calls: ts[0] * 1)

    @rule(name=sorted(MAKE), k=range(3), mode=MODES)
    def make(self, name, k, mode):
        self.of_table(MAKE, name, k, mode, True)

    @rule(name=sorted(MAKE_MORE), k=range(3), mode=MODES)
    def make_more(self, name, k, mode):
        self.of_table(MAKE_MORE, name, k, mode, True)

    @rule(name=sorted(COMPOSED), k=range(3), mode=MODES)
    def compose(self, name, k, mode):
        self.of_table(COMPOSED, name, k, mode, True)

    @rule(SELDOM, name=sorted(COMPILED), mode=MODES)
    def compile(self, name, mode):
        self.of_table(COMPILED, name, 0, mode, True)

    @rule(name=sorted(VIEWS), k=range(3), mode=MODES)
    def view(self, name, k, mode):
        self.of_table(VIEWS, name, k, mode, False)

    @rule(name=sorted(VIEWS), k=range(3))
    def another_view(self, name, k):
        self.of_table(VIEWS, name, k, "", False)

    @rule(name=sorted(WRITE), k=range(3), mode=MODES)
    def write(self, name, k, mode):
        self.of_table(WRITE, name, k, mode, False)

    @rule(name=sorted(WRITE_TENSOR), k=range(3), mode=MODES)
    def write_tensor(self, name, k, mode):
        self.of_table(WRITE_TENSOR, name, k, "" if name == "set_data" else mode, True)

    @rule(name=sorted(FUNCTIONS), mode=MODES)
    def function(self, name, mode):
        i = self.tensor()
        if name.endswith("_") and (repeats(self.pairs[i][0]) or self.takes_retained(self.pairs[i][0])):
            return
        self.both(
            f"t{len(self.pairs)} = {name}.apply(t{i})",
            lambda lib, ts, calls: FUNCTIONS[name][lib is minigrad].apply(ts[i]),
            mode,
        )

    @rule(flag=[True, True, False])
    def switch(self, flag):
        self.both(f"set_grad_enabled({flag})", lambda lib, ts, calls: nothing(lib.set_grad_enabled(flag)))

    @rule(
        name=["requires", "requires", "no_longer", "detach_", "retain", "forget", "given", "taken", "zero"],
        mode=MODES,
    )
    def flag(self, name, mode):
        i = self.tensor()
        steps = {
            # PyTorch remembers a flag for the time when a view without history of its own gets one; and it records nothing of
            # inference tensors that require grad
            "requires": lambda lib, t: (
                None
                if (t._is_view() and t.requires_grad and t.is_leaf) or t.is_inference()
                else t.requires_grad_()
            ),
            "no_longer": lambda lib, t: t.requires_grad_(False),
            # in PyTorch a tensor goes on to retain the gradient of what it was
            "detach_": lambda lib, t: None if t.retains_grad else t.detach_(),
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
            self.has_made("handles")
            self.handles.append(made)

    @rule(name=sorted(TENSOR_HOOKS), once=(False, True))
    def tensor_hook(self, name, once):
        i = self.tensor()

        def register(lib, ts, calls):
            def hook(g):
                calls.append((f"tensor {i}", np.zeros(0) if g is None else value(g)))
                if once:
                    handle.remove()
                return None if g is None else TENSOR_HOOKS[name](lib, g)

            handle = ts[i].register_hook(hook)
            return handle

        self.handle(f"t{i}.register_hook({name}{', once' * once})", register)

    @rule(name=sorted(ACCUMULATE_HOOKS))
    def accumulate_hook(self, name):
        i = self.tensor()

        def register(lib, ts, calls):
            def hook(t):
                calls.append((f"accumulated {i}", np.zeros(0) if t.grad is None else value(t.grad)))
                ACCUMULATE_HOOKS[name](lib, t)

            return ts[i].register_post_accumulate_grad_hook(hook)

        self.handle(f"t{i}.register_post_accumulate_grad_hook({name})", register)

    @rule(kind=["pre", "post"], name=sorted(NODE_HOOKS))
    def node_hook(self, kind, name):
        i = self.tensor()
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

    @rule()
    def remove_hook(self):
        if self.handles:
            k = self.pick("handles")
            self.both(
                f"remove hook {k}",
                lambda lib, ts, calls: nothing(self.handles[k][lib is minigrad].remove()),
            )

    # -- modules and optimizers

    @rule(name=sorted(MODULES), double=(False, True))
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
            self.has_made("modules")
            self.modules.append((name, made))

    @rule(mode=MODES)
    def forward(self, mode):
        if not self.modules:
            return
        m, i = self.pick("modules"), self.tensor()
        name, pair = self.modules[m]

        def step(lib, ts, calls):
            lib.manual_seed(1)
            return tuple(copied(lib, t) for t in flattened(apply(name, pair[lib is minigrad], ts[i])))

        self.both(f"t{len(self.pairs)}, ... = m{m}(t{i})  # {name}", step, mode)

    @rule(what=["train", "eval", "zero_grad", "freeze"])
    def change_module(self, what):
        if not self.modules:
            return
        m = self.pick("modules")
        changes = {"freeze": lambda module: module.requires_grad_(False)}
        self.both(
            f"m{m}.{what}",
            lambda lib, ts, calls: nothing(
                changes.get(what, lambda module: getattr(module, what)())(self.modules[m][1][lib is minigrad])
            ),
        )

    @rule()
    def load_module(self):
        """Load the state of one module into another."""
        if not self.modules:
            return
        m, n = (self.pick("modules") for _ in range(2))

        def step(lib, ts, calls):
            one, other = (self.modules[k][1][lib is minigrad] for k in (m, n))
            one.load_state_dict(other.state_dict())

        self.both(f"m{m}.load_state_dict(m{n}.state_dict())", step)

    @rule(kind=["forward", "pre", "full_backward"])
    def module_hook(self, kind):
        if not self.modules:
            return
        m = self.pick("modules")

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

    @rule(name=sorted(OPTIMIZERS))
    def optimizer(self, name):
        chosen = sorted({self.tensor(), self.tensor()})
        made = []

        def step(lib, ts, calls):
            made.append(OPTIMIZERS[name](lib.optim, [ts[i] for i in chosen]))

        self.both(f"o{len(self.optimizers)} = {name}({', '.join(f't{i}' for i in chosen)})", step)
        if len(made) == 2:
            self.has_made("optimizers")
            self.optimizers.append(made)

    @rule(what=["step", "step", "zero_grad", "keep_grad"], mode=MODES)
    def optimize(self, what, mode):
        if not self.optimizers:
            return
        o = self.pick("optimizers")
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

    # Rprop goes by signs: those of gradients that are zero but for rounding decide
    @rule(SELDOM, name=sorted(OPTIMIZERS.keys() - {"LBFGS", "Rprop"}), mode=MODES)
    def captured_steps(self, name, mode):
        if not self.modules or self.handles:
            return  # hooks of Python do not run in what is replayed
        m, i = self.pick("modules"), self.tensor()
        module, pair = self.modules[m]
        if module in VANISHING and name not in ("SGD", "momentum", "ASGD"):
            return

        def step(lib, ts, calls):
            lib.manual_seed(2)
            parameters = [p for p in pair[lib is minigrad].parameters() if p.requires_grad and p.is_leaf]
            return training(
                lib,
                lambda x: apply(module, pair[lib is minigrad], x),
                OPTIMIZERS[name](lib.optim, parameters),
                ts[i],
            )

        self.both(f"t{len(self.pairs)}, ... = captured(m{m}, {name}, t{i})  # {module}", step, mode)

    # -- backward

    @rule(retain=(False, True), create=[False, False, True], mode=MODES)
    def backward(self, retain, create, mode):
        i = self.tensor()
        self.both(
            f"t{i}.backward(ones, retain_graph={retain}, create_graph={create})",
            lambda lib, ts, calls: ts[i].backward(
                lib.ones_like(ts[i].detach()), retain_graph=retain or None, create_graph=create
            ),
            mode,
        )

    @rule(create=(False, True))
    def backward_to_inputs(self, create):
        i, j, k = self.tensor(), self.tensor(), self.tensor()
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

    @rule(implicit=(False, True))
    def backward_of_two(self, implicit):
        i, j = self.tensor(), self.tensor()

        def step(lib, ts, calls):
            grads = None if implicit else [lib.ones_like(t.detach()) for t in (ts[i], ts[j])]
            lib.autograd.backward([ts[i], ts[j]], grads, retain_graph=True)

        self.both(f"backward([t{i}, t{j}]{', ones' * (not implicit)})", step)

    @rule(
        create=(False, True),
        retain=(False, True),
        unused=["allow_unused", "materialize_grads", ""],
    )
    def grad(self, create, retain, unused):
        i, j, k = self.tensor(), self.tensor(), self.tensor()

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


class Thorough(Programs):
    """One program, of which all tensors are compared after each step."""

    thorough = True


def first_difference(number, recipe=None):
    """The first difference that a program shows when all tensors are compared after each step, or None; and its recipe."""
    program = Thorough(number, recipe)
    return program.play(), program.recipe


#: Seconds for one program, and for what it is cut down to: some wait forever in PyTorch.
PATIENCE = 120


def main(count, number, progress):
    """Run programs from a number on; of each that differs print a line of JSON: its number, kind, text; for the first of a kind, another of what it is cut down to."""
    Programs.progress = Progress(progress)
    kinds = set()
    for n in range(number, number + count):
        signal.alarm(PATIENCE)
        if Programs(n).play() is None:
            continue
        difference, recipe = first_difference(n)
        if difference is None:
            continue
        print(json.dumps([n, difference.kind, str(difference)]), flush=True)
        if difference.kind not in kinds:
            kinds.add(difference.kind)
            print(
                json.dumps([n, difference.kind, str(reduced(Thorough, n, recipe, difference.kind))]),
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
