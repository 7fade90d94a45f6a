"""``utils.benchmark``: what is said of measurements, tables, and tensors that are drawn.  How long anything takes is not asked."""

import pickle
import re

import pytest

import minigrad
from minigrad.utils import benchmark
from tests.messages import first_sentence


def lib_benchmark(lib):
    return benchmark if lib is minigrad else pytest.importorskip("torch.utils.benchmark")


class Clock:
    """Advances by ``step`` seconds whenever it is asked."""

    def __init__(self, step=0.001):
        self.now, self.step = 0.0, step

    def __call__(self):
        self.now += self.step
        return self.now


def test_the_statement_sees_globals_setup_and_torch():
    seen = []
    timer = benchmark.Timer(
        """
        seen.append((y, torch.__name__))
        """,
        setup="y = x + 1",
        globals={"x": 1, "seen": seen},
        timer=Clock(),
    )
    found = timer.timeit(3)
    assert set(seen) == {(2, "minigrad")} and len(seen) == 3 + 2
    assert found.raw_times == [pytest.approx(0.001)] and found.stmt == "seen.append((y, torch.__name__))"


def test_measurements_go_on_for_their_time(monkeypatch):
    monkeypatch.setattr(benchmark.Timer, "_block_size", lambda timer, least: 1)
    told = []
    found = benchmark.Timer("pass", timer=Clock(0.05)).blocked_autorange(
        callback=lambda number, time: told.append((number, time)), min_run_time=0.2
    )
    assert sum(found.raw_times) >= 0.2 and told == [(found.number_per_run, t) for t in found.raw_times]


def test_adaptive_measurements_stop_when_they_agree_or_at_their_end(monkeypatch):
    monkeypatch.setattr(benchmark.Timer, "_block_size", lambda timer, least: 1)
    found = benchmark.Timer("pass", timer=Clock(0.01)).adaptive_autorange()
    assert len(found.raw_times) == 4
    now, asked = [0.0], []

    def uneven():
        asked.append(0)
        now[0] += 0.3 if len(asked) % 4 < 2 else 1.0
        return now[0]

    found = benchmark.Timer("pass", timer=uneven).adaptive_autorange(max_run_time=5)
    assert sum(found.raw_times) > 5 and not found.meets_confidence()


def test_threads_are_set_for_the_measurement():
    seen = []
    before = minigrad.get_num_threads()
    benchmark.Timer("seen.append(torch.get_num_threads())", globals={"seen": seen}, num_threads=2).timeit(1)
    assert set(seen) == {2} and minigrad.get_num_threads() == before


@pytest.mark.parametrize(
    "options, error",
    [
        ({"stmt": print}, ValueError),
        ({"language": "cpp"}, NotImplementedError),
        ({"language": "c"}, ValueError),
        ({"global_setup": "x"}, ValueError),
    ],
)
def test_what_a_timer_refuses(options, error):
    with pytest.raises(error):
        benchmark.Timer(**options)
    for method in ("repeat", "autorange", "collect_callgrind"):
        with pytest.raises(NotImplementedError):
            getattr(benchmark.Timer(), method)()


def task(lib, stmt="f(x)", setup="pass", **options):
    return lib_benchmark(lib).TaskSpec(stmt, setup, **options)


def measured(lib, times, number=1, **options):
    return lib_benchmark(lib).Measurement(number, list(times), task(lib, **options))


STEADY = [1.2e-3, 1.21e-3, 1.19e-3, 1.2e-3, 1.205e-3]
UNSTEADY = [1.2e-6, 2.21e-6, 1.9e-6, 1.2e-6, 1.2e-6, 3e-6]
MEASUREMENTS = {
    "one": ([0.02], {}),
    "steady": (STEADY, {"number": 10}),
    "unsteady": (UNSTEADY, {"label": "label", "sub_label": "sub"}),
    "between": ([1.0, 1.1, 1.2, 1.05, 0.98], {"num_threads": 4}),
    "long": (
        [2e-9] * 3,
        {"stmt": "f(x)\ng(x)", "setup": "a = 1\nb = 2", "description": "what", "sub_label": "s"},
    ),
    "setup": ([2e-8] * 4, {"setup": "a = 1", "sub_label": "s"}),
    "long times": ([3600.0, 3700.0, 3500.0], {"env": "here"}),
}


@pytest.mark.torch
@pytest.mark.parametrize("name", MEASUREMENTS)
def test_measurements_as_in_pytorch(name):
    torch = pytest.importorskip("torch")
    times, options = MEASUREMENTS[name]

    def said(lib):
        found = measured(lib, times, **options)
        text = re.sub(r"<.* at 0x\w+>", "", repr(found))
        numbers = found.median, found.mean, found.iqr, *found.times
        rest = (
            found.significant_figures,
            found.has_warnings,
            found.title,
            found.as_row_name,
            found.meets_confidence(0.2),
        )
        return numbers, (text, rest, found.num_threads, found.description)

    (ours, our_rest), (theirs, their_rest) = said(minigrad), said(torch)
    assert ours == pytest.approx(theirs, rel=1e-12) and our_rest == their_rest


def test_measurements_can_be_pickled():
    found = measured(minigrad, STEADY)
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        found.nope


TABLES = {
    "one": [([0.02], {"label": "l", "description": "d"})],
    "columns": [(STEADY, {"description": d, "label": "l", "sub_label": s}) for d in ("small", "a large one") for s in ("x", "y, longer")],
    "a hole": [(STEADY, {"description": "a", "sub_label": "x"}), ([1.0], {"description": "b", "sub_label": "y"}), (UNSTEADY, {"description": "b", "sub_label": "x"})],
    "threads": [([n * 1e-5], {"num_threads": n, "description": d, "env": e}) for n in (4, 1) for d in "ab" for e in ("new", "older")],
    "labels": [(STEADY, {"label": "one", "description": "d"}), (UNSTEADY, {"label": "two", "description": "d"}), (STEADY, {"label": "one", "description": "d"})],
    "different": [([t * 1e-6] * 4, {"sub_label": str(t), "description": "d"}) for t in (1.0, 1.005, 1.05, 1.5, 3, 7, 1234.5)],
    "unsteady": [(UNSTEADY, {"description": "a", "sub_label": "x"}), (STEADY, {"description": "b", "sub_label": "x"})],
    "no description": [(STEADY, {})],
}  # fmt: skip


@pytest.mark.torch
@pytest.mark.parametrize("form", ["plain", "trimmed", "warnings", "columnwise", "rowwise", "all"])
@pytest.mark.parametrize("name", TABLES)
def test_tables_as_in_pytorch(name, form):
    torch = pytest.importorskip("torch")

    def table(lib):
        found = lib_benchmark(lib).Compare(
            [measured(lib, times, **options) for times, options in TABLES[name]]
        )
        if form in ("trimmed", "all"):
            found.trim_significant_figures()
        if form in ("warnings", "all"):
            found.highlight_warnings()
        if form in ("columnwise", "rowwise", "all"):
            found.colorize(rowwise=form == "rowwise")
        return str(found)

    if name == "no description":
        assert "f(x)" in table(minigrad)  # PyTorch fails
    else:
        assert table(minigrad) == table(torch)


@pytest.mark.torch
def test_units_as_in_pytorch():
    torch = pytest.importorskip("torch")
    theirs = lib_benchmark(torch)
    for t in (1e-10, 1e-9, 9.9e-7, 1e-6, 0.0011, 0.2, 1.0, 5e5):
        assert benchmark.select_unit(t) == theirs.select_unit(t)
        for n in range(1, 5):
            assert benchmark.trim_sigfig(t * 3.14159, n) == pytest.approx(
                theirs.trim_sigfig(t * 3.14159, n), rel=1e-6
            )


def fuzzer(lib, seed=3, **options):
    b = lib_benchmark(lib)
    parameters = [
        b.FuzzedParameter("dim", 1, 3, "uniform", strict=True),
        [b.FuzzedParameter(f"n{i}", 2, 40, "loguniform") for i in range(3)],
        b.FuzzedParameter("step", 1, 2, "uniform"),
        b.FuzzedParameter("p", 0.5, 2.5, "uniform"),
    ]
    tensors = [
        b.FuzzedTensor("x", ("n0", "n1", "n2"), ("step", 1, 2), dim_parameter="dim", min_elements=4, max_elements=2000, probability_contiguous=0.3),
        [b.FuzzedTensor("y", ("n0", 3), dtype=lib.int32, max_allocation_bytes=300)],
    ]  # fmt: skip
    return b.Fuzzer(
        parameters, tensors, constraints=[lambda params: params["n0"] != params["n1"]], seed=seed, **options
    )


@pytest.mark.torch
def test_the_same_tensors_are_drawn_as_in_pytorch():
    torch = pytest.importorskip("torch")
    ours, theirs = fuzzer(minigrad), fuzzer(torch)
    for our, their in zip(ours.take(12), theirs.take(12)):
        assert our[2] == their[2]
        for name in "xy":
            assert (our[0][name].numpy() == their[0][name].numpy()).all() and our[0][name].stride() == their[
                0
            ][name].stride()
            assert {k: list(v) if k == "order" else v for k, v in our[1][name].items()} == {
                k: list(v) if k == "order" else v for k, v in their[1][name].items()
            }
    assert ours.rejection_rate == theirs.rejection_rate > 0


def test_aliases_and_what_fuzzers_refuse():
    b = benchmark
    alias = {b.ParameterAlias("n"): 0.5, 1: 0.5}
    found = b.Fuzzer(
        [b.FuzzedParameter("n", 2, 9, "uniform"), b.FuzzedParameter("m", distribution=alias)], [], seed=1
    )
    assert {params["m"] == params["n"] for *_, params in found.take(20)} == {True, False}
    circle = [b.FuzzedParameter(x, distribution={b.ParameterAlias(y): 1.0}) for x, y in ("ab", "ba")]
    with pytest.raises(ValueError, match="ParameterAlias cycle detected"):
        next(b.Fuzzer(circle, []).take(1))
    with pytest.raises(ValueError, match="Failed to generate"):
        next(b.Fuzzer([], [b.FuzzedTensor("x", (2,), max_elements=1)]).take(1))
    with pytest.raises(ValueError, match="Duplicate names"):
        b.Fuzzer([b.FuzzedParameter("x", 1, 2, "uniform")], [b.FuzzedTensor("x", (2,))])
    for options in (
        {"distribution": "normal"},
        {"distribution": {1: -1.0, 2: 2.0}},
        {"distribution": {1: 0.5}},
        {"distribution": {1: 1.0}, "minval": 2},
    ):
        with pytest.raises(AssertionError) as raised:
            b.FuzzedParameter("x", **options)
        assert first_sentence(str(raised.value))
