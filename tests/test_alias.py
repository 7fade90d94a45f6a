"""``import torch`` as another name for minigrad; every case runs in a process of its own."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import minigrad

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1])}


def run(code, *, cwd=None, install=True, stdin=None):
    """What the code prints in a new process, with the alias installed first; its errors fail the test."""
    start = "import minigrad\nminigrad.install_as_torch()\n" if install else ""
    done = subprocess.run(
        [sys.executable, "-c", start + textwrap.dedent(code)],
        cwd=cwd,
        env=ENVIRONMENT,
        input=stdin,
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout if stdin is not None else done.stdout.decode().splitlines()


@pytest.mark.parametrize(
    "statements",
    [
        "import torch; assert torch is minigrad is sys.modules['torch']",
        "import torch.nn; import minigrad.nn; assert torch.nn is minigrad.nn is sys.modules['torch.nn']",
        "import minigrad.nn; import torch.nn; assert torch.nn is minigrad.nn is sys.modules['torch.nn']",
        "import torch; assert torch.optim is sys.modules['minigrad.optim']",
        "import torch.nn as nn; from torch import nn as same; assert nn is same is minigrad.nn",
        "from torch.nn import functional as F; import minigrad.nn.functional as own; assert F is own",
        "import torch.nn.functional as F; assert F is minigrad.nn.functional",
        "import minigrad.nn.functional as own; import torch.nn.functional as F; assert F is own",
        "import importlib; assert importlib.import_module('torch.nn.functional') is minigrad.nn.functional",
        "from torch.autograd import grad; assert grad is minigrad.autograd.grad",
        "from torch import *; assert tensor is minigrad.tensor",
        "import torch; del sys.modules['torch']; import torch as again; assert again is minigrad",
    ],
)
def test_torch_names_are_the_same_objects_as_minigrads(statements):
    run(f"import sys\n{statements}")


def test_no_module_is_executed_twice():
    twice = run("""
        import sys, torch.nn.functional, torch.optim, minigrad.autograd, torch.autograd
        by_file = {}
        for name, module in list(sys.modules.items()):
            if name.split(".")[0] in ("torch", "minigrad"):
                by_file.setdefault(module.__file__, set()).add(id(module))
        print([file for file, modules in by_file.items() if len(modules) > 1])
    """)
    assert twice == ["[]"]


def test_public_modules_have_torchs_names_and_their_own_specs():
    printed = run("""
        import torch, torch.nn.functional as F, minigrad._core.engine as engine
        for module in (torch, torch.nn, F, engine):
            print(module.__name__, module.__spec__.name, module.__package__, module.__spec__.loader is module.__loader__)
        minigrad.uninstall_as_torch()
        print(minigrad.__name__, minigrad.nn.__name__, F.__name__)
    """)
    assert printed == [
        "torch minigrad minigrad True",
        "torch.nn minigrad.nn minigrad.nn True",
        "torch.nn.functional minigrad.nn.functional minigrad.nn True",
        "minigrad._core.engine minigrad._core.engine minigrad._core True",
        "minigrad minigrad.nn minigrad.nn.functional",
    ]


def test_tensors_say_that_they_are_torchs():
    ask = "print(type(x), type(p), type(x).__module__, type(p).__module__.split('.')[0], type(x) is minigrad.Tensor)"
    shown = "<class 'torch.Tensor'> <class 'torch.nn.parameter.Parameter'> torch torch True"
    own = shown.replace("torch.", "minigrad.").replace("torch", "minigrad")
    make = "x, p = minigrad.ones(2), next(minigrad.nn.Linear(1, 1).parameters())"
    assert run(f"{make}; {ask}; minigrad.uninstall_as_torch(); {ask}") == [shown, own]
    install = "minigrad.install_as_torch()"
    assert run(f"import minigrad; {make}; {ask}; {install}; {ask}", install=False) == [own, shown]


def test_classes_of_public_modules_say_that_they_are_torchs():
    classes = (
        "nn.Linear optim.Adam dtype Size device float32.__class__ OutOfMemoryError autograd.Function Generator "
        "distributions.Normal utils.data.DataLoader FloatStorage no_grad"
    )
    ask = f"print(*[eval(f'minigrad.{{name}}').__module__ for name in '{classes}'.split()])"
    makes = "import minigrad.optim, minigrad.distributions, minigrad.utils.data"
    shown = (
        "torch.nn.modules.linear torch.optim.adam torch torch torch torch torch torch.autograd.function torch "
        "torch.distributions.normal torch.utils.data.dataloader torch torch.autograd.grad_mode"
    )
    own = shown.replace("torch", "minigrad")
    assert run(f"{makes}; {ask}; minigrad.uninstall_as_torch(); {ask}") == [shown, own]
    assert run(f"{makes}; {ask}; minigrad.install_as_torch(); {ask}", install=False)[-1] == shown
    printed = run("import torch; print(torch.nn.Linear, torch.optim.Adam)")
    assert printed == ["<class 'torch.nn.modules.linear.Linear'> <class 'torch.optim.adam.Adam'>"]


def test_sources_of_classes_are_found_under_the_alias():
    printed = run("""
        import inspect, torch, torch.optim, torch.storage
        for cls in (torch.nn.Linear, torch.optim.Adam, torch.Tensor, torch.UntypedStorage, torch.nn.Module):
            print(inspect.getsource(cls).split("class ")[1].split("(")[0].split(":")[0])
    """)
    assert printed == ["Linear", "Adam", "Tensor", "UntypedStorage", "Module"]


def test_modules_saved_under_the_alias_have_pytorchs_names_whatever_the_protocol():
    printed = run("""
        import io, pickletools, torch
        for protocol in (2, 4):
            file = io.BytesIO()
            torch.save(torch.nn.Linear(1, 1), file, pickle_protocol=protocol, _use_new_zipfile_serialization=False)
            text = file.getvalue()
            file.seek(0)
            print(b"torch.nn.modules.linear" in text, b"minigrad" in text, torch.load(file, weights_only=False))
    """)
    assert printed == ["True False Linear(in_features=1, out_features=1, bias=True)"] * 2


def test_the_version_is_pytorchs_as_long_as_the_alias_is_there():
    printed = run(
        """
        import minigrad
        own = minigrad.__version__
        minigrad.install_as_torch()
        import torch, torch.version, torch.torch_version
        print(torch.__version__, type(torch.__version__).__name__, torch.version.__version__, torch.__version__ > (2, 0))
        print(torch.version.minigrad == own, torch.version.cuda)
        minigrad.uninstall_as_torch()
        print(minigrad.__version__ == own == minigrad.version.__version__)
        """,
        install=False,
    )
    assert printed == ["2.13.0+minigrad TorchVersion 2.13.0+minigrad True", "True None", "True"]


def test_importlib_has_the_distribution_as_long_as_the_alias_is_there():
    printed = run("""
        from importlib import metadata
        print(metadata.version("torch"), metadata.version("Torch"), metadata.metadata("torch")["Name"])
        print("torch" in metadata.packages_distributions(), metadata.version("numpy") != metadata.version("torch"))
        print(metadata.requires("torch"), metadata.files("torch"))
        minigrad.uninstall_as_torch()
        try:
            print("minigrad" in metadata.version("torch"))
        except metadata.PackageNotFoundError:
            print(False)
    """)
    assert printed == ["2.13.0+minigrad 2.13.0+minigrad torch", "True True", "None None", "False"]


def test_packages_show_all_their_names():
    """``vars()`` and ``dir()``, before anything has been used."""
    printed = run("""
        import torch, torch.nn, torch.optim, torch.autograd, torch.utils.data
        for module in (torch.nn, torch.optim, torch.nn.modules, torch.autograd, torch.utils.data):
            print({*module.__all__} <= {*vars(module)} and {*dir(module)} <= {*vars(module)})
        print(sorted(name for name, value in vars(torch.optim).items() if isinstance(value, type))[:3])
        print({"add", "nn", "float32", "no_grad", "linalg"} <= {*dir(torch)})
    """)
    assert printed == ["True"] * 5 + ["['ASGD', 'Adadelta', 'Adafactor']", "True"]


def test_find_spec_tells_what_there_is_without_loading_it():
    printed = run("""
        import sys
        from importlib.util import find_spec
        print(find_spec("torch") is not None, find_spec("torch.nosuch"), find_spec("torchvision_nosuch"))
        print(find_spec("torch.nn.functional").origin == find_spec("minigrad.nn.functional").origin)
        print(find_spec("torch.optim").name, "torch.optim" in sys.modules, "minigrad.optim" in sys.modules)
    """)
    assert printed == ["True None None", "True", "torch.optim False False"]


def test_reload_keeps_the_identity():
    run("""
        import importlib, torch.nn.functional as F, torch.nn, torch
        assert importlib.reload(F) is F is torch.nn.functional is minigrad.nn.functional
        assert importlib.reload(torch.nn) is minigrad.nn is torch.nn
    """)


MISSING = {
    "from torch import nosuch": ("ImportError", "cannot import name 'nosuch' from 'torch'"),
    "from torch import tensor, nosuch": ("ImportError", "cannot import name 'nosuch' from 'torch'"),
    "from torch.nn import nosuch": ("ImportError", "cannot import name 'nosuch' from 'torch.nn'"),
    "from torch.nn.functional import nosuch": ("ImportError", "from 'torch.nn.functional'"),
    "from torch import fbgemm_pack_quantized_matrix": (
        "ImportError",
        "minigrad does not provide torch.fbgemm_pack_quantized_matrix; docs/names.md",
    ),
    "import torch; torch.fbgemm_pack_quantized_matrix": (
        "AttributeError",
        "minigrad does not provide torch.fbgemm_pack_quantized_matrix; docs/names.md",
    ),
    "import torch; torch.nosuch": ("AttributeError", "module 'torch' has no attribute 'nosuch'"),
    "import torch.nn as nn; nn.nosuch": ("AttributeError", "module 'torch.nn' has no attribute 'nosuch'"),
    "import torch; torch.nn.nosuch": ("AttributeError", "module 'torch.nn' has no attribute 'nosuch'"),
    "import torch.nosuch": ("ModuleNotFoundError", "No module named 'torch.nosuch'"),
    "import torch.nosuch.deeper": ("ModuleNotFoundError", "No module named 'torch.nosuch'"),
    "import torch.nn.functional.nosuch": ("ModuleNotFoundError", "'torch.nn.functional.nosuch'"),
    "import minigrad.nosuch": ("ModuleNotFoundError", "No module named 'minigrad.nosuch'"),
}


def test_a_missing_name_is_named_by_its_error():
    printed = run(f"""
        for statement in {list(MISSING)!r}:
            try:
                exec(statement, {{}})
            except Exception as error:
                print(type(error).__name__, error, sep="|")
            else:
                print("found")
    """)
    for (statement, (kind, words)), line in zip(MISSING.items(), printed, strict=True):
        assert line.split("|")[0] == kind, (statement, line)
        assert words in line, (statement, line)


def test_a_missing_name_is_recognised_behind_many_others():
    # More than 255 names in a code object make the compiler put a prefix before the import's instruction.
    many = "; ".join(f"v{i} = {i}" for i in range(300))
    printed = run(f"""
        try:
            exec({many!r} + "; from torch import nosuch", {{}})
        except ImportError as error:
            print(type(error).__name__, error.name, error.path == minigrad.__file__, error)
    """)
    assert printed[0].startswith("ImportError torch True cannot import name 'nosuch'")


def test_asking_for_a_missing_name_is_not_an_error():
    assert run("""
        import torch, torch.nn
        print(hasattr(torch, "nosuch"), getattr(torch.nn, "nosuch", 3))
    """) == ["False 3"]


def test_a_misspelt_name_gets_a_suggestion():
    done = subprocess.run(
        [sys.executable, "-m", "minigrad", "-c", "import torch\ntorch.tensr"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    assert "Did you mean: 'tensor'?" in done.stderr


def test_an_error_inside_a_lazily_loaded_module_is_not_disguised():
    printed = run(
        """
        import minigrad, types
        def provided(name):
            if name == "broken":
                return types.SimpleNamespace().inner
            raise AttributeError(f"module 'minigrad' has no attribute {name!r}")
        install = minigrad.install_as_torch
        minigrad.__getattr__ = provided
        install()
        import torch
        for name in ("broken", "nosuch"):
            try:
                getattr(torch, name)
            except AttributeError as error:
                print(error)
        """,
        install=False,
    )
    assert printed[0] == "'types.SimpleNamespace' object has no attribute 'inner'"
    assert printed[1] == "module 'minigrad' has no attribute 'nosuch'"


def test_another_torch_that_is_already_imported_is_refused(tmp_path):
    (tmp_path / "torch.py").write_text("value = 1\n")
    printed = run(
        """
        import sys, torch, minigrad
        try:
            minigrad.install_as_torch()
        except RuntimeError as error:
            print(error)
        print(torch.value, sys.modules["torch"] is torch)
        """,
        cwd=tmp_path,
        install=False,
    )
    assert "'torch' is already imported" in printed[0]
    assert str(tmp_path / "torch.py") in printed[0]
    assert printed[1] == "1 True"


@pytest.mark.torch
def test_pytorch_that_is_already_imported_is_refused():
    pytest.importorskip("torch")
    printed = run(
        """
        import torch, minigrad
        try:
            minigrad.install_as_torch()
        except RuntimeError as error:
            print(error)
        """,
        install=False,
    )
    assert "is already imported" in printed[0]


def test_a_torch_beside_the_program_does_not_win(tmp_path):
    (tmp_path / "torch.py").write_text("value = 1\n")
    assert run("import torch; print(torch is minigrad)", cwd=tmp_path) == ["True"]


def test_installing_twice_is_installing_once():
    printed = run("""
        import sys
        minigrad.install_as_torch()
        import torch.nn
        minigrad.install_as_torch()
        from minigrad._alias import uninstall_as_torch
        uninstall_as_torch()
        print([f for f in sys.meta_path if type(f).__module__ == "minigrad._alias"])
        print([name for name in sys.modules if name.split(".")[0] == "torch"])
    """)
    assert printed == ["[]", "[]"]


def test_uninstalling_restores_everything(tmp_path):
    (tmp_path / "torch.py").write_text("value = 1\n")
    printed = run(
        """
        import sys, multiprocessing.util as util, minigrad.nn, minigrad.optim
        from minigrad._alias import uninstall_as_torch
        modules = minigrad, minigrad.nn, minigrad.optim
        def state():
            lookups = [vars(module).get("__getattr__") for module in modules]
            return util._args_from_interpreter_flags, list(sys.meta_path), lookups
        before = state()
        minigrad.install_as_torch()
        import torch.nn as nn
        print(state() == before)
        uninstall_as_torch()
        uninstall_as_torch()
        print(state() == before, nn is minigrad.nn)
        import torch
        print(torch.value)
        """,
        cwd=tmp_path,
        install=False,
    )
    assert printed == ["False", "True True", "1"]


def test_a_pickle_made_under_the_alias_loads_without_it():
    data = run(
        """
        import pickle, sys, torch, torch.nn.functional, torch.optim
        own = torch.nn.functional.relu, torch.optim.SGD, torch.autograd.grad, torch.Tensor.__add__, torch.float32
        x = torch.tensor([1.0, 2.0])
        x.note = torch.nn.Linear(1, 1), torch.Size([1]), torch.nn.Parameter(torch.ones(1)), torch.device("cpu")
        sys.stdout.buffer.write(pickle.dumps((x, *own)))
        """,
        stdin=b"",
    )
    assert b"torch" not in data
    printed = run(
        """
        import pickle, sys
        values, *rest = pickle.loads(sys.stdin.buffer.read())
        import minigrad
        print(values.tolist(), "torch" in sys.modules)
        own = [minigrad.nn.functional.relu, minigrad.optim.SGD, minigrad.autograd.grad, minigrad.Tensor.__add__, minigrad.float32]
        print(type(values) is minigrad.Tensor, *values.note)
        print(all(map(lambda a, b: a is b, rest, own)))
        """,
        install=False,
        stdin=data,
    )
    assert [line for line in printed.decode().splitlines() if "tensor" not in line] == [
        "[1.0, 2.0] False",
        "True Linear(in_features=1, out_features=1, bias=True) torch.Size([1]) Parameter containing:",
        "True",
    ]


def test_installing_loads_little():
    printed = run(
        """
        import sys, minigrad
        install = minigrad.install_as_torch
        before = set(sys.modules)
        install()
        new = {name for name in set(sys.modules) - before if name.split(".")[0] != "torch"}
        print(sorted(new))
        """,
        install=False,
    )
    assert printed == ["['minigrad.torch_version']"]
