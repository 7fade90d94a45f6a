"""Answers in words: why there is no gradient, where a graph is cut, what holds memory, which line wrote."""

import collections
import contextlib
import copy
import gc
import importlib
import pickle
import pkgutil
import re
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import minigrad as torch
from minigrad import _ops, nn
from minigrad._arrays import vocabulary as arrays
from minigrad._core.families import Op
from minigrad._core.families.op import parameters
from minigrad.autograd.graph import record_origins, what_holds, where_cut, who_modified, why_no_grad


def leaf():
    return torch.tensor([1.0, 2.0], requires_grad=True)


class Several(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a, b, c = x * 2, x * 3, torch.arange(2)
        ctx.mark_non_differentiable(b)
        return a, b, c

    @staticmethod
    def backward(ctx, g, *_):
        return g * 2


def with_no_grad(w):
    with torch.no_grad():
        return w * 2  # line


def set_grad_enabled(w):
    torch.set_grad_enabled(False)
    out = w * 2  # line
    torch.set_grad_enabled(True)
    return out


@torch.no_grad()
def decorated(w):
    return w * 2  # line


def inference(w):
    with torch.inference_mode():
        return w * 2  # line


def gradient(w):
    (w * w).sum().backward()  # line
    return w.grad


def requires_grad_off(w):
    w.requires_grad = False  # line
    return w


def frozen_module(w):
    net = nn.Linear(2, 2)
    net.requires_grad_(False)  # line
    return net.weight


def written_without_recording(w):
    out = torch.zeros(2)
    with torch.no_grad():
        out.copy_(w)  # line
    return out


def into_out(w):
    out = torch.empty(2)
    with torch.no_grad():
        torch.add(w, w, out=out)  # line
    return out


#: How a tensor without history is made of a leaf -> (reason, function); each notes the line with "# line".
ONE_STEP = {
    lambda w: w.detach(): ("detach", "detach"),  # line
    lambda w: w.data: ("data", "data"),  # line
    lambda w: (w * 2).detach_(): ("detach_", "detach_"),  # line
    lambda w: w.requires_grad_(False): ("requires_grad_", "requires_grad_"),  # line
    lambda w: w.argmax(): ("integer", "argmax"),  # line
    lambda w: w.long(): ("integer", "to"),  # line
    lambda w: w > 1: ("integer", "gt"),  # line
    lambda w: torch.zeros(2): ("created", "zeros"),  # line
    lambda w: torch.zeros_like(w): ("created", "zeros_like"),  # line
    lambda w: torch.randn(2): ("created", "randn"),  # line
    lambda w: w.new_ones(2): ("created", "new_ones"),  # line
    lambda w: torch.tensor([1.0, 2.0]): ("values", "tensor"),  # line
    lambda w: torch.from_numpy(np.ones(2)): ("values", "from_numpy"),  # line
    lambda w: torch.as_tensor([1.0]): ("values", "as_tensor"),  # line
    lambda w: torch.Tensor([1.0]): ("values", "Tensor"),  # line
    lambda w: torch.tensor([w[0], w[1]]): ("copied", "tensor"),  # line
    lambda w: Several.apply(w)[1]: ("function", "Several"),  # line
    lambda w: Several.apply(w)[2]: ("integer", "Several"),  # line
    lambda w: torch.autograd.grad((w * w).sum(), w)[0]: ("gradient", "grad"),  # line
    with_no_grad: ("no_grad", "mul"),
    set_grad_enabled: ("no_grad", "mul"),
    decorated: ("no_grad", "mul"),
    inference: ("inference", "mul"),
    gradient: ("gradient", "backward"),
    requires_grad_off: ("requires_grad", "requires_grad"),
    frozen_module: ("requires_grad_", "requires_grad_"),
    written_without_recording: ("no_grad", "copy_"),
    into_out: ("no_grad", "add"),
}


@pytest.mark.parametrize("make", ONE_STEP, ids=lambda make: f"{make.__name__}{make.__code__.co_firstlineno}")
def test_what_made_a_tensor_without_history_is_named(make):
    with record_origins():
        tensor = make(leaf())
    answer = why_no_grad(tensor)
    assert (answer.reason, answer.function) == ONE_STEP[make]
    assert answer.origin.text.endswith("# line") and answer.origin.text in str(answer)
    assert str(answer).startswith("It does not require grad: ")


@pytest.mark.parametrize(
    "compute",
    [
        lambda x: x * 2,
        lambda x: (x * 2 + 1).sum(),
        lambda x: torch.stack([x, x]),
        lambda x: x[0],
        lambda x: x.clone().view(2, 1),
        lambda x: torch.ones(2).add_(x),
        lambda x: x.half(),
        lambda x: x.detach() * x.data,
        lambda x: torch.where(torch.tensor([True, False]), x, x),
        lambda x: Several.apply(x)[0],
        lambda x: nn.Parameter(x, requires_grad=False).exp(),
        lambda x: torch.from_numpy(x.numpy()),
        lambda x: torch.tensor(x.sum().item()),
        lambda x: torch.tensor(x.tolist()),
    ],
)
def test_the_cause_is_found_behind_what_was_computed(compute):
    w = leaf()
    with record_origins():
        x = w.detach()  # the cause
        z = compute(x)
    answer = why_no_grad(z)
    assert answer.reason in ("no_operand", "values") and "# the cause" in str(answer)
    with record_origins():
        cut = where_cut((z * leaf()[0]).sum(), w)
    assert "# the cause" in str(cut)


def test_what_was_switched_off_is_told_with_its_line():
    w = leaf()
    with record_origins():
        with torch.no_grad():  # off
            a = w * 2
            with torch.enable_grad():
                w * 2
            b = w * 3
    assert "# off" in str(why_no_grad(a))
    assert why_no_grad(b).reason == "no_grad" and "enable_grad" not in str(why_no_grad(b))


def test_operands_that_do_not_require_grad_are_listed():
    with record_origins():
        a = torch.zeros(2)  # first
        b = leaf().detach()  # second
        c = a * b + 1
    answer = why_no_grad(c)
    assert answer.reason == "no_operand"
    assert [cause.reason for cause in answer.causes] == ["detach", "created"]
    assert "# first" in str(answer) and "# second" in str(answer)


def test_what_is_not_known_is_not_claimed():
    x = torch.ones(2)
    assert why_no_grad(x).reason == "unknown" and "record_origins()" in str(why_no_grad(x))
    with record_origins():
        y = x * 2
    assert [cause.reason for cause in why_no_grad(y).causes] == ["unknown"]


def test_what_the_tensor_itself_tells():
    w = leaf()
    assert why_no_grad(w).reason == why_no_grad(w * 2).reason == "requires_grad"
    assert "retain_grad()" in str(why_no_grad(w * 2)) and "leaf" in str(why_no_grad(w))
    assert why_no_grad(w.argmax()).reason == "integer" and "int64" in str(why_no_grad(w.argmax()))
    assert why_no_grad(inference(w)).reason == "inference"
    assert why_no_grad(gradient(w)).reason == "gradient"
    assert why_no_grad(nn.Linear(2, 2).requires_grad_(False).weight).reason == "requires_grad_"
    assert why_no_grad(requires_grad_off(leaf())).reason == "requires_grad_"
    with torch.no_grad():
        view = w[0]
    assert why_no_grad(view).reason == "view_without_history"
    shared = why_no_grad(w.detach())
    assert shared.reason == "shared" and "detach()" in str(shared)
    assert ".data" in str(why_no_grad(w.data))
    y = w * 2
    assert "made by MulBackward0" in str(why_no_grad(y.detach()[0]))


@pytest.mark.filterwarnings("ignore:.*volatile")
def test_volatile_tensors():
    with record_origins():
        x = torch.autograd.Variable(torch.ones(2), volatile=True) * leaf()
    assert why_no_grad(x).reason == "volatile"


def test_questions_take_tensors_only():
    for ask in (why_no_grad, where_cut, what_holds, who_modified):
        with pytest.raises(TypeError):
            ask(3)
    with pytest.raises(TypeError):
        where_cut(leaf(), 3)


# Where is the graph cut ------------------------------------------------------------------------------------------------------


def test_leaves_on_both_sides_of_a_cut():
    w, u, v = leaf(), leaf(), leaf()
    with record_origins():
        h = (w * 2).detach()  # the cut
        out = (h * u).sum()
    answer = where_cut(out, {"w": w, "u": u, "v": v})
    assert answer.connected == ("u",) and answer.reason == "cut"
    assert answer.cuts["w"].reason == "detach" and answer.cuts["v"].reason == "unused"
    assert answer.origin.text.endswith("# the cut") and "No gradient goes to w: the graph was cut" in str(
        answer
    )


def test_nothing_is_cut():
    w = leaf()
    answer = where_cut((w * 2).sum(), w)
    assert answer.reason == "connected" and not answer.cuts
    assert str(answer) == "Connected: a gradient goes to the leaf."


def test_the_parameters_of_a_module():
    net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 3), nn.Linear(3, 1))
    net[2].bias.requires_grad_(False)
    with record_origins():
        with torch.no_grad():
            h = net[0](torch.ones(2))  # the first layer
        loss = net[2](net[1](h)).sum()
    answer = where_cut(loss, net)
    assert answer.connected == ("1.weight", "1.bias", "2.weight")
    assert {name: cut.reason for name, cut in answer.cuts.items()} == {
        "0.weight": "no_grad",
        "0.bias": "no_grad",
        "2.bias": "no_grad_leaf",
    }
    assert "# the first layer" in str(answer.cuts["0.weight"]) and "in Linear" in str(answer)
    assert where_cut(loss, net.parameters()).connected == ("leaf 2", "leaf 3", "leaf 4")
    assert where_cut(loss, net.named_parameters()).connected == answer.connected


def test_several_modules_with_parameters_of_the_same_names():
    first, second = nn.Linear(2, 2), nn.Linear(2, 1)
    with record_origins():
        loss = second(first(torch.ones(2)).detach()).sum()
    answer = where_cut(loss, first, second)
    assert answer.connected == ("Linear 1: weight", "Linear 1: bias")
    assert list(answer.cuts) == ["Linear 0: weight", "Linear 0: bias"]


def test_a_history_that_is_cut_again_and_again():
    w, u = leaf(), leaf()
    with record_origins():
        h = torch.zeros(2)
        for _ in range(4):
            h = (h * w + u).detach()  # each time
        first = (leaf() * w).detach()  # before
        second = (first * u).detach()  # after
        v = leaf()
        answers = [where_cut((h * v).sum(), w), where_cut((second * v).sum(), w)]
    assert [cut.reason for answer in answers for cut in answer.cuts.values()] == ["detach", "detach"]
    assert "# each time" in str(answers[0]) and "# before" in str(answers[1])


def test_cuts_by_writes_parameters_and_numbers():
    w, u = leaf(), leaf()
    with record_origins():
        a = torch.zeros(3)
        a[:2] = w.detach()  # a
        b = nn.Parameter(w * 2)  # b
        c = w.sum().item()  # c
        with torch.no_grad():
            d = w[:1]  # d
        e = torch.zeros(2)
        e.data.copy_(w.data)
        outs = {
            "a": (a[:2] * u).sum(),
            "b": (b * u).sum(),
            "c": (u * c).sum(),
            "d": (u * d).sum(),
        }
    reasons = {"a": "detach", "b": "Parameter", "c": "left", "d": "no_grad"}
    for name, out in outs.items():
        cut = where_cut(out, w).cuts["the leaf"]
        assert cut.reason == reasons[name] and cut.origin.text.endswith(f"# {name}")
    assert where_cut(outs["b"], b).reason == "connected"


def test_choices_cut_a_graph():
    w, u = leaf(), leaf()
    with record_origins():
        chosen = u[w.argmax(0, keepdim=True)].sum()  # chosen
        drawn = u[torch.multinomial(w.softmax(0), 1)].sum()  # drawn
    for out, text in ((chosen, "# chosen"), (drawn, "# drawn")):
        answer = where_cut(out, w).cuts["the leaf"]
        assert answer.reason == "integer" and answer.origin.text.endswith(text)


def test_an_output_without_history():
    w = leaf()
    with record_origins():
        out = with_no_grad(w)
        other = torch.ones(2) * 2
    assert where_cut(out, w).cuts["the leaf"].reason == "no_grad"
    assert where_cut(other, w).cuts["the leaf"].reason == "no_operand"
    assert where_cut(other).reason == "no_history"


def test_a_tensor_that_is_no_leaf():
    w, u = leaf(), leaf()
    with record_origins():
        h = w * 2
        out = (h.detach() * u).sum()  # the cut
    assert where_cut(out, h).cuts["the leaf"].origin.text.endswith("# the cut")
    assert where_cut((h * u).sum(), h).reason == "connected"


def test_all_cuts_of_a_graph():
    w, u = leaf(), leaf()
    with record_origins():
        out = (w.detach() * u + w.data).sum()
    answer = where_cut(out)
    assert {cut.reason for cut in answer.cuts.values()} == {"detach", "data"}
    with record_origins():
        assert where_cut((w * u).sum()).reason == "connected"
    assert "record_origins()" in str(where_cut((w * u).sum()))


def test_without_notes_memory_tells_of_a_cut():
    w, u = leaf(), leaf()
    answer = where_cut((w.data * u).sum(), w).cuts["the leaf"]
    assert answer.reason == "shared" and "`self` of MulBackward0" in str(answer)
    assert where_cut((w.argmax() * u).sum(), w).cuts["the leaf"].reason == "unknown"


# What holds this memory ------------------------------------------------------------------------------------------------------


def test_everybody_who_holds_the_memory_of_a_tensor():
    class Box:
        pass

    w = torch.ones(1000, requires_grad=True)
    with record_origins():
        y = w.exp()  # makes it
        z = y * y  # uses it
    box = Box()
    box.kept = y.detach()
    view, listed, named = y[3:], [y.data], {"key": y.data}
    answer = what_holds(y)
    text = str(answer)
    assert answer.bytes == 4000 and text.startswith("4,000 bytes of memory are held by:")
    assert sorted(holder.reason for holder in answer.holders) == ["saved"] * 3 + ["tensor"] * 5
    assert "this tensor itself, float32[1000]: variable `y` in test_everybody" in text
    assert "a view of it, float32[997]: variable `view`" in text
    assert "attribute `kept` of a Box" in text and "element 0 of a list" in text
    assert "the value of 'key' in a dictionary" in text
    assert "`result`, saved by ExpBackward0" in text and "# makes it" in text and "# uses it" in text
    assert "it belongs to the history of variable `z`" in text
    z.sum().backward()
    assert "saved" not in [holder.reason for holder in what_holds(y).holders]
    assert view is not None and listed and named


def test_gradients_parameters_closures_and_arrays_hold_memory():
    net = nn.Linear(2, 3)
    net(torch.ones(2)).sum().backward()
    assert "`weight` of a Linear" in str(what_holds(net.weight))
    assert [holder.reason for holder in what_holds(net.weight.grad).holders] == ["tensor", "grad"]
    assert ".grad of `weight` of a Linear" in str(what_holds(net.weight.grad))
    t = torch.ones(2)
    array = t.numpy()
    x = leaf() * 2
    x.register_hook(lambda g: g * t)

    def later():
        return t

    answer = what_holds(t)
    assert [holder.reason for holder in answer.holders] == ["tensor", "hook", "closure", "array"]
    assert "a hook on MulBackward0" in str(answer) and "variable `array`" in str(answer)
    assert later() is t and array is not None


def test_indices_and_contexts_hold_memory():
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.also = x.exp()
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g

    w, i = torch.ones(10, requires_grad=True), torch.tensor([0, 2])
    picked = w[i]
    assert "`indices[0]`, saved by IndexBackward0" in str(what_holds(i))
    out = Keeps.apply(w)
    answer = what_holds(out.grad_fn)
    assert answer.bytes == 80 and "`ctx.also`" in str(answer) and "`saved_tensors[0]`" in str(answer)
    assert "the history of variable `out`" in str(answer)
    assert picked is not None


def test_the_question_changes_nothing_and_holds_nothing():
    w = leaf()
    y = w * w.exp()
    classes = [type(y.grad_fn), type(y.grad_fn.next_functions[1][0])]
    answer = what_holds(w), what_holds(y.grad_fn), who_modified(y.grad_fn), where_cut(y, w), why_no_grad(y)
    assert [type(y.grad_fn), type(y.grad_fn.next_functions[1][0])] == classes
    refs = [weakref.ref(y), weakref.ref(w)]
    del w, y
    gc.collect()
    assert [ref() for ref in refs] == [None, None] and answer


# Which line wrote ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("noted", [True, False])
def test_which_line_modified_what_a_node_saved(noted):
    w = leaf()
    with record_origins() if noted else contextlib.nullcontext():
        y = w.exp()
        z = y * w
        with torch.no_grad():
            w.add_(1)  # the first
            w.mul_(2)  # the second
    assert who_modified(y.grad_fn).reason == "unmodified"
    answer = who_modified(z.grad_fn)
    assert answer.reason == "modified" and "`other`, saved by MulBackward0" in str(answer)
    assert "was written to twice since" in str(answer)
    if noted:
        assert [write.function for write in answer.writes] == ["add_", "mul_"]
        assert answer.origin.text.endswith("# the first") and "# the second" in str(answer)
    else:
        assert not answer.writes and answer.origin is None and "record_origins()" in str(answer)


def test_writes_before_saving_are_not_blamed():
    with record_origins():
        b = torch.ones(2)
        b.add_(1)
        q = leaf() * b
    assert who_modified(q.grad_fn).reason == "unmodified"
    b.add_(1)
    answer = who_modified(q.grad_fn)
    assert answer.reason == "modified" and not answer.writes
    with record_origins():
        b.add_(1)  # noted
    answer = who_modified(q.grad_fn)
    assert "# noted" in str(answer) and "and once of which nothing was noted" in str(answer)


def test_tensors_that_were_not_written_to():
    assert who_modified(torch.ones(1)).reason == "unmodified"
    assert who_modified(inference(leaf())).reason == "unknown"
    i = torch.tensor([0, 1])
    s = leaf()[i]
    i.zero_()
    assert "`indices[0]`" in str(who_modified(s.grad_fn))


def test_notes_are_not_copied_nor_pickled():
    with record_origins():
        x = leaf().detach()
        y = torch.ones(2)
    assert copy.deepcopy(x)._provenance is None and pickle.loads(pickle.dumps(y))._provenance is None


def test_answers_can_be_shown():
    answer = why_no_grad(torch.ones(2))
    assert repr(answer) == str(answer) == answer.text


# The document ----------------------------------------------------------------------------------------------------------------

DOCUMENT = Path(__file__).parents[2] / "docs" / "howto" / "answers.md"
PROGRAMS = re.findall(r"```python\n(.*?)```\n.*?```text\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_programs_in_the_document_print_what_it_says(number, tmp_path, monkeypatch, capsys):
    code, printed = PROGRAMS[number]
    path = tmp_path / "train.py"
    path.write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        exec(compile(code, str(path), "exec"), {"__name__": "train"})
    except RuntimeError as error:
        print(f"RuntimeError: {error}")
    assert capsys.readouterr().out == printed


def test_the_document_shows_programs():
    assert len(PROGRAMS) == 7


# What the graph alone does not say -------------------------------------------------------------------------------------------


class ReturnsNone(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * y

    @staticmethod
    def backward(ctx, g):
        return g, None


@pytest.mark.parametrize(
    ("reason", "through"),
    [
        ("zero", lambda w: (w * 2).round()),
        ("zero", lambda w: w.sign().exp()),
        ("zero", lambda w: (w * 2).clone().zero_()),
        ("zero", lambda w: torch.div(w, 3, rounding_mode="floor")),
        ("function", lambda w: ReturnsNone.apply(leaf(), w)),
    ],
)
def test_a_leaf_that_the_graph_leads_to_may_get_nothing_all_the_same(reason, through):
    w = leaf()
    with record_origins():
        loss = through(w).sum()
    answer = where_cut(loss, {"w": w})
    assert answer.connected == ("w",) and answer.reason == "connected"
    assert answer.doubts["w"].reason == reason and answer.doubts["w"].origin is not None
    assert str(answer).startswith("The graph leads to w, but every path leads through ")
    (gradient,) = torch.autograd.grad(loss, w, allow_unused=True)
    assert gradient is None or not gradient.any()


def test_the_operators_that_give_zeros_say_so():
    """``gives_zeros`` of a class is what its formulas do, those that need no saved values; and no other class has only such formulas."""
    for module in pkgutil.iter_modules(_ops.__path__):
        importlib.import_module(f"{_ops.__name__}.{module.name}")
    waiting, seen, declared = [Op], set(), 0
    while waiting:
        cls = waiting.pop()
        waiting += [each for each in cls.__subclasses__() if each not in seen]
        seen.add(cls)
        formulas = [f for f in getattr(cls.plan, "formulas", ()) if f is not None]
        if not formulas or any(parameters(f) for f in formulas):
            continue
        try:
            gradients = [f(arrays, np.array([2.0, 3.0])) for f in formulas]
        except RuntimeError:  # not implemented
            gradients = [np.nan]
        assert cls.gives_zeros == (not np.any(gradients)), cls
        declared += cls.gives_zeros
    assert declared > 20


def test_one_path_that_is_sure_is_enough():
    w = leaf()
    assert not where_cut((w.round() + w * 2).sum(), w).doubts
    assert not where_cut(ReturnsNone.apply(w, leaf()).sum() + w.exp().sum(), w).doubts
    answer = where_cut((w.round() + w.sign()).sum(), w)
    assert (
        "one of these:" in str(answer) and "RoundBackward0" in str(answer) and "SignBackward0" in str(answer)
    )


def test_a_gradient_that_happens_to_be_zero_is_no_cut_and_no_doubt():
    w = torch.full((2,), -1.0, requires_grad=True)
    for loss in (w.relu().sum(), (w * 0).sum(), w.clamp(min=0).sum()):
        answer = where_cut(loss, w)
        assert answer.connected == ("the leaf",) and not answer.doubts


def test_a_hook_may_change_a_gradient():
    w = leaf()
    y = w * 2
    assert not where_cut(y.sum(), w).doubts
    y.register_hook(lambda g: g * 0)
    assert where_cut(y.sum(), w).doubts["the leaf"].reason == "hook"
    v = leaf()
    v.register_hook(print)
    assert where_cut((v * 2).sum(), v).doubts["the leaf"].reason == "hook"


@pytest.mark.parametrize("noting", [record_origins, contextlib.nullcontext])
def test_what_a_reentrant_checkpoint_uses_inside_is_not_said_to_be_cut(noting):
    net = nn.Linear(2, 2)
    with noting():
        loss = torch.utils.checkpoint.checkpoint(net, leaf(), use_reentrant=True).sum()
    answer = where_cut(loss, net)
    assert answer.cuts["weight"].reason == "inside"
    assert "cannot be told" in str(answer) and "No gradient" not in str(answer)
    loss.backward()
    assert net.weight.grad is not None


def test_one_cut_is_told_once():
    cell, h = nn.RNNCell(2, 2), torch.zeros(1, 2)
    with record_origins():
        for _ in range(3):
            h = cell(torch.ones(1, 2), h)
            h.detach_()
        loss = h.sum()
    assert str(where_cut(loss, cell)).count("took its history away") == 1


def test_what_another_thread_made_is_not_said_to_be_older():
    made = []
    with record_origins():
        w = leaf()
        thread = threading.Thread(target=lambda: made.append((w * 2).detach()))
        thread.start()
        thread.join()
        answer = why_no_grad(made[0] * 2)
    assert answer.causes[0].reason == "unknown" and "in another thread" in str(answer)


def test_all_places_that_hold_a_tensor_are_told():
    class Slotted:
        __slots__ = ("held",)

    big = torch.ones(100)
    slotted, several = Slotted(), [big]
    slotted.held = big
    queue, mapping = collections.deque([big]), collections.defaultdict(list, {"k": big})
    text = str(what_holds(big))
    for place in (
        "variable `big`",
        "element 0 of a list",
        "the value of 'k' in a dictionary",
        "a deque",
        "a Slotted",
    ):
        assert place in text
    assert several and queue and mapping


def test_a_parameter_is_also_held_by_the_optimizer():
    net = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    text = str(what_holds(net.weight))
    assert "`weight` of a Linear" in text and "element 0 of a list" in text
    del optimizer
