"""What ``import minigrad`` imports, and that all the rest is there when it is first used."""

import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import minigrad
from minigrad import _api, _ops
from minigrad._base import lazy
from minigrad._base.lazy import places
from minigrad._core.tensor import Tensor
from minigrad._ops.names import METHODS

FUNCTIONS = places(_api._FUNCTIONS)
SUBJECTS = [
    found.name for found in pkgutil.iter_modules(_ops.__path__) if found.name not in ("names", "vocabulary")
]


def run(code):
    """The lines that the code prints in a new process, in which nothing has been used yet; its errors fail the test."""
    environment = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env=environment,
        capture_output=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().splitlines()


def test_importing_minigrad_imports_no_operator():
    loaded = run(
        "import sys, minigrad; print(*sorted(name for name in sys.modules if name.startswith('minigrad.')))"
    )[0].split()
    for absent in (
        "nn",
        "optim",
        "autograd",
        "serialization",
        "utils",
        "random",
        "storage",
        "_alias",
        "_utils",
    ):
        assert not [name for name in loaded if f"{name}.".startswith(f"minigrad.{absent}.")]
    assert [name for name in loaded if name.startswith("minigrad._ops.")] == ["minigrad._ops.names"]
    for absent in (
        "_arrays.kernels",
        "_arrays.random",
        "_arrays.vocabulary",
        "_core.engine",
        "_core.families",
        "_core.inplace",
        "_core.interpret",
        "_ops.parameter",
        "_display",
    ):
        assert not [name for name in loaded if f"{name}.".startswith(f"minigrad.{absent}.")]


def test_importing_minigrad_imports_little_beyond_numpy():
    printed = run(
        """
        import sys, numpy
        before = set(sys.modules)
        import minigrad
        print(*sorted(name for name in set(sys.modules) - before if name.partition(".")[0] != "minigrad"))
        """
    )
    small = "_ctypes _struct _weakrefset ctypes ctypes._endian importlib importlib._bootstrap importlib._bootstrap_external struct threading"
    assert set(printed[0].split()) <= set(small.split())


def test_making_tensors_and_backward_imports_few_subjects():
    printed = run(
        """
        import sys, minigrad
        x = minigrad.tensor([1.0, 2.0], requires_grad=True)
        (x * x + 1).sum().backward()
        print(x.grad.tolist())
        print(*sorted(name for name in sys.modules if name.startswith("minigrad._ops.")))
        """
    )
    assert printed[0] == "[2.0, 4.0]"
    loaded = {name.removeprefix("minigrad._ops.") for name in printed[1].split()}
    assert not loaded & {
        "bins",
        "complex",
        "cumulative",
        "einsum",
        "join",
        "loss",
        "order_statistics",
        "random",
        "vocabulary",
    }


# The tables ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_tables_are_what_the_modules_say(subject):
    module = importlib.import_module(f"minigrad._ops.{subject}")
    listed = (table.get(f"_ops.{subject}", "").split() for table in (_api._FUNCTIONS, METHODS))
    assert (*listed,) == (module.__all__, getattr(module, "METHODS", "").split()), (
        "run  python -m tests.generate"
    )


def test_no_name_is_in_a_table_twice():
    for table in (_api._FUNCTIONS, METHODS):
        names = [name.partition("=")[0] for listed in table.values() for name in listed.split()]
        assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_function_is_what_its_module_calls_so(name):
    path, there = FUNCTIONS[name]
    real = getattr(importlib.import_module(f"minigrad.{path}"), there)
    assert getattr(minigrad, name) is real
    assert getattr(_api, name) is real


@pytest.mark.parametrize("name", sorted(places(METHODS)))
def test_a_method_is_what_its_module_calls_so(name):
    path, there = places(METHODS)[name]
    assert getattr(Tensor, name) is getattr(importlib.import_module(f"minigrad.{path}"), there)
    assert not isinstance(vars(Tensor)[name], lazy._Later)


@pytest.mark.parametrize("name", minigrad.__all__)
def test_every_public_name_is_there(name):
    assert name in dir(minigrad)
    assert getattr(minigrad, name) is vars(minigrad)[name]


def test_star_import_gives_the_public_names():
    taken = {}
    exec("from minigrad import *", taken)
    assert set(minigrad.__all__) == set(taken) - {"__builtins__"}
    assert {"Tensor", "tensor", "sort", "float32", "no_grad", "manual_seed", "save"} <= set(taken)
    assert not {"nn", "optim", "methods", "importlib"} & set(taken)


def test_a_name_that_does_not_exist():
    with pytest.raises(AttributeError, match="^module 'minigrad' has no attribute 'nosuch'$"):
        minigrad.nosuch
    with pytest.raises(ImportError, match="nosuch"):
        from minigrad import nosuch  # noqa: F401
    assert not hasattr(Tensor, "nosuch")


# The first use ---------------------------------------------------------------------------------------------------------


def test_asking_for_a_method_gives_the_real_one():
    printed = run(
        """
        import inspect, sys, minigrad
        from minigrad import Tensor
        assert "sort" in dir(Tensor) and "sort" in vars(Tensor)
        assert "minigrad._ops.sorting" not in sys.modules
        print(Tensor.sort is sys.modules["minigrad._ops.sorting"].sort is minigrad.sort)
        print(Tensor.sort.__doc__ == minigrad.sort.__doc__, *list(inspect.signature(Tensor.sort).parameters)[:2])
        print(vars(Tensor)["topk"] is minigrad.topk)
        print(isinstance(Tensor.T, property), isinstance(vars(Tensor)["mT"], property))
        """
    )
    assert printed == ["True", "True input dim", "True", "True True"]


@pytest.mark.parametrize(
    "expression, value",
    [
        ("x + 1", [2.0, 3.0]),
        ("1 - x", [0.0, -1.0]),
        ("-x", [-1.0, -2.0]),
        ("abs(x)", [1.0, 2.0]),
        ("x == 1", [True, False]),
        ("1 < x", [False, True]),
        ("x @ x", 5.0),
        ("x[1]", 2.0),
        ("x.T.mT if x.ndim > 1 else x.sort(descending=True).values", [2.0, 1.0]),
        ("x.__class__.sort(x, 0, True).values", [2.0, 1.0]),
        ("super(Own, Own([1.0])).mul(3)", [3.0]),
        ("Own([1.0]).mul(3)", [30.0]),
        ("[*x][1]", 2.0),
        ("x.real", [1.0, 2.0]),
        ("minigrad.view_as_complex(x).imag", 2.0),
    ],
)
def test_the_first_use_of_a_method_is_as_any_other(expression, value):
    printed = run(
        f"""
        import minigrad
        class Own(minigrad.Tensor):
            def mul(self, other):
                return super().mul(other) * 10
        x = minigrad.Tensor([1.0, 2.0])
        print([({expression}).tolist() for _ in range(2)])
        """
    )
    assert printed == [str([value, value])]


def test_the_first_use_may_be_an_assignment():
    printed = run(
        """
        import minigrad
        x = minigrad.tensor([1 + 2j])
        x.real = 3.0
        x[0].imag = 4.0
        x += 1
        print(x.tolist())
        x = minigrad.ones(2)
        x[0] = 5.0
        x.sort = "mine"
        print(x.tolist(), x.sort)
        try:
            x.T = x
        except AttributeError:
            print("no setter")
        """
    )
    assert printed == ["[(4+4j)]", "[5.0, 1.0] mine", "no setter"]


def test_a_node_can_be_called():
    printed = run(
        """
        import minigrad
        x = minigrad.ones(2, requires_grad=True)
        print((x * 3).grad_fn(minigrad.ones(2))[0].tolist())
        """
    )
    assert printed == ["[3.0, 3.0]"]


def test_what_a_program_put_in_place_of_a_method_stays():
    printed = run(
        """
        from minigrad import Tensor, ones
        original = vars(Tensor)["sort"]
        Tensor.sort = lambda x: "sorted"
        Tensor.topk
        print(ones(1).sort(), ones(1).msort().tolist())
        Tensor.sort = original
        print(ones(1).sort().values.tolist())
        """
    )
    assert printed == ["sorted [1.0]", "[1.0]"]


def test_modes_and_settings_of_the_first_use_do_not_outlive_it():
    printed = run(
        """
        import warnings
        import numpy as np
        import minigrad
        from minigrad._core import modes
        filters = list(warnings.filters)
        minigrad.set_default_dtype(minigrad.float64)
        with minigrad.inference_mode(), np.errstate(all="raise"):
            for name in minigrad.__all__:
                getattr(minigrad, name)
            for name in dir(minigrad.Tensor):
                getattr(minigrad.Tensor, name)
        import minigrad._ops.vocabulary
        minigrad.set_default_dtype(minigrad.float32)
        print(warnings.filters == filters, modes._count)
        x = minigrad.ones(2, requires_grad=True)
        print(x.dtype, x.sigmoid().requires_grad, (x / 0).tolist(), (x * 2 ** 0.5).dtype)
        """
    )
    assert printed == ["True 0", "torch.float32 True [inf, inf] torch.float32"]


def test_a_mode_opened_before_the_first_use_is_seen():
    printed = run(
        """
        import minigrad
        x = minigrad.Tensor([1.0]).requires_grad_()
        with minigrad.no_grad():
            print((x * 2).requires_grad, x.exp().requires_grad, x.sum().requires_grad)
        print(x.exp().requires_grad)
        """
    )
    assert printed == ["False False False", "True"]


def test_bfloat16_may_be_known_before_the_operators():
    pytest.importorskip("ml_dtypes")
    printed = run(
        """
        import minigrad
        minigrad.bfloat16.np
        x = minigrad.Tensor([1.5]).bfloat16().requires_grad_()
        (x * 2 * x).backward()
        print(x.grad.dtype, x.grad.item())
        """
    )
    assert printed == ["torch.bfloat16 6.0"]


def test_a_model_with_hooks_is_saved_before_anything_else_names_their_class():
    printed = run(
        """
        import io, minigrad
        file = io.BytesIO()
        minigrad.save(minigrad.nn.LazyLinear(2), file)
        file.seek(0)
        print(minigrad.load(file, weights_only=False))
        """
    )
    assert printed == ["LazyLinear(in_features=0, out_features=2, bias=True)"]


def test_first_uses_in_several_threads():
    printed = run(
        """
        import sys, threading, minigrad
        sys.setswitchinterval(1e-6)
        x = minigrad.Tensor([2.0, 1.0])
        uses = [
            lambda: x + x, lambda: x.sort(), lambda: minigrad.cumsum(x, 0), lambda: x.exp(), lambda: minigrad.einsum("i,i", x, x),
            lambda: x.var(), lambda: minigrad.cat([x, x]), lambda: x[0], lambda: minigrad.zeros(2), lambda: x == x,
            lambda: x.requires_grad_().sum().backward(), lambda: repr(x), lambda: minigrad.nn.Linear, lambda: minigrad.randn(2),
            lambda: minigrad.autograd.Variable, lambda: minigrad.no_grad, lambda: minigrad.autograd.grad, lambda: minigrad.vmap,
            lambda: minigrad.func.grad, lambda: minigrad.optim.Adam, lambda: minigrad.fft.fft, lambda: minigrad.linalg.svd,
            lambda: minigrad.nn.functional.relu, lambda: minigrad.nn.utils.rnn, lambda: minigrad.profiler.profile, lambda: minigrad.load,
        ]
        failed, start = [], threading.Barrier(2 * len(uses))
        def use(function):
            start.wait()
            try:
                function()
            except BaseException as error:
                failed.append(repr(error))
        threads = [threading.Thread(target=use, args=(function,)) for function in uses * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(failed)
        """
    )
    assert printed == ["[]"]


def test_each_subject_can_be_the_first():
    """Whatever module of operators comes first, the slow path, which stands above the families, comes with it."""
    printed = run(
        f"""
        import importlib, sys
        for subject in {SUBJECTS!r}:
            for name in [name for name in sys.modules if name.partition(".")[0] == "minigrad"]:
                del sys.modules[name]
            importlib.import_module("minigrad._ops." + subject)
            if "minigrad._core.families" in sys.modules and "minigrad._core.interpret" not in sys.modules:
                print(subject)
        """
    )
    assert printed == []


def test_documentation_is_complete_after_the_first_use():
    for name in places(METHODS):
        found = getattr(Tensor, name)
        assert found.__doc__ or name.startswith("__"), name
        if not isinstance(found, property):
            inspect.signature(found)
