"""Names that PyTorch has and minigrad has not: what the errors say, and that probing for a name works."""

import importlib
import subprocess
import sys
import traceback
import types

import pytest

import minigrad
from minigrad._base.missing import PAGE, MissingAttribute, is_class
from tests.generate import pytorch_names
from tests.test_alias import ENVIRONMENT, run

VERSION, LISTED = pytorch_names.read()


def missing_module():
    """A module directly below ``torch`` that minigrad has not."""
    return next(
        path
        for path in LISTED
        if path.count(".") == 1 and not is_class(path) and pytorch_names.ours(path) is None
    )


def test_the_names_are_pytorchs():
    assert VERSION == "2.13.0" and len(LISTED) > 800
    assert {"Linear", "Module", "Parameter"} <= {*LISTED["torch.nn"]}
    assert {"matmul", "float32", "Tensor", "sparse_coo_tensor"} <= {*LISTED["torch"]}
    assert {"to_sparse", "sum"} <= {*LISTED["torch.Tensor"]}
    assert not [name for names in LISTED.values() for name in names if name[0] == "_"]


#: What answers for the names that it has not, whatever else has all names or leaves it to Python.
ANSWERING = {
    f"torch{part}"
    for part in (
        "",
        ".nn",
        ".nn.functional",
        ".optim",
        ".utils",
        ".utils.data",
        ".autograd",
        ".cuda",
        ".distributed",
    )
}
#: Namespaces of ours: what is reached by attributes, as programs reach it.
REACHED = {"torch.Tensor": minigrad.Tensor}


def reach(path):
    """The module below ``minigrad`` that attributes lead to, or None."""
    home = minigrad
    for part in path.split(".")[1:]:
        home = getattr(home, part, None)
    return home if isinstance(home, types.ModuleType) else REACHED.get(path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", LISTED)
def test_errors_say_who_lacks_a_name(path):
    home = reach(path)
    asked = minigrad.ones(1) if path in REACHED else home
    answers = path in REACHED or hasattr(home, "__getattr__")  # an inner module without says what Python says
    assert answers or path not in ANSWERING
    for name in LISTED[path] if answers else ():
        if not pytorch_names.has(home, name):
            with pytest.raises(AttributeError, match=rf"has no attribute '{name}'") as raised:
                getattr(asked, name)
            reason = f": minigrad does not provide {path}.{name}; {PAGE} lists what it provides"
            assert str(raised.value).endswith(reason) and raised.value.name == name


def test_a_name_that_pytorch_has_not_gets_the_plain_error():
    for home, words in (
        (minigrad, "module 'minigrad' has no attribute 'nosuch'"),
        (minigrad.nn, "module 'minigrad.nn' has no attribute 'nosuch'"),
        (minigrad.cpu, "module 'minigrad.cpu' has no attribute 'nosuch'"),
        (minigrad.ones(1), "'Tensor' object has no attribute 'nosuch'"),
    ):
        with pytest.raises(AttributeError) as raised:
            home.nosuch
        assert str(raised.value) == words


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python suggests names by the error since 3.12")
def test_a_misspelt_name_gets_a_suggestion():
    with pytest.raises(AttributeError) as raised:
        minigrad.nn.Liner
    assert "Did you mean: 'Linear'" in "".join(traceback.format_exception(raised.value))


def test_an_import_of_a_missing_name_tells_the_reason():
    with pytest.raises(
        ImportError,
        match=r"^cannot import name 'fbgemm_pack_quantized_matrix' from 'minigrad' \(.*\): minigrad does not provide torch.fbgemm_pack_quantized_matrix; ",
    ):
        from minigrad import fbgemm_pack_quantized_matrix  # noqa: F401
    with pytest.raises(ImportError, match=r"^cannot import name 'nosuch' from 'minigrad' \(.*\)$"):
        from minigrad import nosuch  # noqa: F401


def test_an_import_of_a_missing_module_tells_the_reason():
    path = missing_module()
    printed = run(f"""
        import importlib, importlib.util
        for name in ("{path}", "{path}.nosuch", "torch.nosuch"):
            try:
                importlib.import_module(name)
            except ModuleNotFoundError as error:
                print(error.name, error, sep="|")
        print(importlib.util.find_spec("{path}"), importlib.util.find_spec("torch.nosuch"))
    """)
    reason = (
        f"{path}|No module named '{path}': minigrad does not provide {path}; {PAGE} lists what it provides"
    )
    assert printed == [reason, reason, "torch.nosuch|No module named 'torch.nosuch'", "None None"]


def test_probing_finds_out():
    """``hasattr``, ``getattr`` with a default and ``try: import``."""
    printed = run("""
        import torch
        print(hasattr(torch, "quantize_per_tensor"), getattr(torch, "quantize_per_tensor", 3), hasattr(torch.ones(1), "int_repr"))
        try:
            from torch import quantize_per_tensor
        except ImportError:
            print("an ImportError")
        try:
            import torch.distributed.pipelining
        except ModuleNotFoundError as error:
            print("a ModuleNotFoundError")
    """)
    assert printed == ["False 3 False", "an ImportError", "a ModuleNotFoundError"]


def test_the_names_are_read_when_the_first_is_missing():
    code = "import sys, minigrad\nread = sys.modules['minigrad._base.missing']._listed.cache_info\nbefore = read().misses\nhasattr(minigrad, 'quantize_per_tensor')\nprint(before, read().misses)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "0 1\n"


def test_a_missing_attribute_does_not_stand_in_the_way():
    x = minigrad.ones(2)
    missing = [name for name, value in vars(minigrad.Tensor).items() if isinstance(value, MissingAttribute)]
    assert missing and not {*missing} & {*dir(x)}
    for name in missing:
        assert not hasattr(x, name)
        with pytest.raises(NotImplementedError, match=f"minigrad does not provide torch.Tensor.{name}; "):
            getattr(minigrad.Tensor, name)(x)
        setattr(x, name, 3)
        assert getattr(x, name) == 3 and name in vars(x)

    class WithValues(minigrad.Tensor):
        def values(self):
            return "values"

    assert minigrad.ones(1).as_subclass(WithValues).values() == "values"


@pytest.mark.torch
def test_the_file_of_names_is_up_to_date():
    theirs = pytest.importorskip("torch")
    assert theirs.__version__.partition("+")[0] == VERSION
    for path in ("torch", "torch.nn", "torch.optim", "torch.utils.data", "torch.linalg", "torch.fx"):
        module = importlib.import_module(path)
        assert pytorch_names.public(path, module) == LISTED[path], (
            "run  python -m tests.generate.pytorch_names"
        )
    modules = {path for path in LISTED if not is_class(path)}
    assert modules == {*pytorch_names.modules()}


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_the_page_is_up_to_date():
    pytest.importorskip("torch")
    assert pytorch_names.PAGE.read_text(encoding="utf-8") == pytorch_names.page(), (
        "run  python -m tests.generate.pytorch_names"
    )
