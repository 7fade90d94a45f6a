"""``python -m minigrad program`` against ``python program``: what comes out is the same to the byte."""

import os
import py_compile
import shutil
import signal
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

import minigrad

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1])}
RUNNER = ("-m", "minigrad")


def run(*command, cwd, flags=(), runner=RUNNER, stdin="", environment=ENVIRONMENT):
    """Exit code, stdout and stderr of ``python <flags> -m minigrad <command>``."""
    done = subprocess.run(
        [sys.executable, *flags, *runner, *map(str, command)],
        cwd=cwd,
        env=environment,
        input=stdin.encode(),
        capture_output=True,
        timeout=120,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def assert_same(*command, cwd, **how):
    """Runs the command under Python and under minigrad; returns what both gave."""
    plain = run(*command, cwd=cwd, runner=(), **how)
    ours = run(*command, cwd=cwd, **how)
    assert ours == plain
    return ours


def write(directory, **files):
    for name, text in files.items():
        (directory / f"{name}.py").write_text(textwrap.dedent(text))


PROGRAMS = {
    "exit with a number": "import sys; sys.exit(3)",
    "exit with a message": "import sys; sys.exit('a message')",
    "exit with nothing": "import sys; print('x'); sys.exit()",
    "exit at once": "import os; os._exit(4)",
    "an exception deep inside": """
        def inner(x):
            return [1 / x for _ in range(2)]
        def outer():
            inner(0)
        outer()
    """,
    "an exception while another is handled": """
        try:
            {}["key"]
        except KeyError as error:
            try:
                int("x")
            except ValueError:
                raise RuntimeError("both") from error
    """,
    "a syntax error": "x = 1\ny = (\n",
    "KeyboardInterrupt": "import atexit; atexit.register(print, 'bye'); raise KeyboardInterrupt",
    "SystemExit of a class of its own": """
        class Stop(SystemExit):
            pass
        raise Stop(7)
    """,
    "a hook of its own": """
        import sys
        def hook(kind, value, traceback):
            print(kind.__name__, value, traceback.tb_lineno, traceback.tb_frame.f_code.co_name)
            print(value.__traceback__ is traceback is sys.last_traceback, sys.excepthook is hook)
        sys.excepthook = hook
        raise ValueError("seen by the hook")
    """,
    "a hook that fails": """
        import sys
        def hook(*args):
            raise TypeError("the hook's own")
        sys.excepthook = hook
        raise ValueError("the original")
    """,
    "a hook that exits": """
        import sys
        sys.excepthook = lambda *args: sys.exit(9)
        raise ValueError("never shown")
    """,
    "the order of things at the end": """
        import atexit, sys, threading, time
        class Last:
            def __del__(self):
                print("deleted", flush=True)
        kept = Last()
        atexit.register(print, "first registered")
        atexit.register(lambda: print("last registered", "__file__" in globals(), "__cached__" in globals()))
        threading.Thread(target=lambda: (time.sleep(0.05), print("thread"))).start()
        print("end of the program", sys.excepthook is sys.__excepthook__)
    """,
    "globals are deleted after an exit too": """
        import atexit, sys
        class Last:
            def __del__(self):
                print("deleted", flush=True)
        kept = Last()
        atexit.register(lambda: print(sys.excepthook is sys.__excepthook__))
        sys.exit(1)
    """,
    "an error in a thread": """
        import threading
        thread = threading.Thread(target=lambda: 1 / 0, name="worker")
        thread.start()
        thread.join()
    """,
    "warnings": """
        import warnings
        def old():
            warnings.warn("old is deprecated", DeprecationWarning, stacklevel=2)
        old()
        warnings.warn("a plain one")
    """,
    "the main module": """
        import sys
        main = sys.modules["__main__"]
        names = [name for name in dir(main) if name not in ("__cached__", "__file__")]
        print(vars(main) is globals(), names)
        print(__name__, __doc__, __package__, __spec__ and __spec__.name, type(__builtins__).__name__)
        print(getattr(__loader__, "name", __loader__), globals().get("__file__"), globals().get("__cached__"))
        print(getattr(__loader__, "path", None), main)
    """,
    "the command line and the path": """
        import sys
        print(sys.argv, sys.path, sys.flags)
    """,
    "pickle finds classes of the program": """
        import pickle
        class Point:
            def __init__(self, x):
                self.x = x
        data = pickle.dumps(Point(3))
        print(pickle.loads(data).x, b"__main__" in data)
    """,
    "future statements of the runner are not the program's": """
        def annotated(x: 1 + 1):
            pass
        print(annotated.__annotations__)
    """,
    "types and dataclasses look into the main module": """
        import dataclasses, typing
        @dataclasses.dataclass
        class Point:
            x: "Number"
        Number = int
        print(typing.get_type_hints(Point), Point(1), Point.__module__)
    """,
    "a debugger": """
        def f(x):
            breakpoint()
            return x
        print(f(5))
    """,
    "doctest finds the program's examples": """
        def double(x):
            '''
            >>> double(2)
            5
            '''
            return 2 * x
        import doctest
        print(doctest.testmod().failed)
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_behaves_as_under_python(name, tmp_path):
    write(tmp_path, program=PROGRAMS[name])
    source = (tmp_path / "program.py").read_text()
    stdin = "p x + 1\nc\n"
    assert_same("program.py", "one", "--two", cwd=tmp_path, stdin=stdin)
    assert_same("-m", "program", "one", "-m", cwd=tmp_path, stdin=stdin)
    if name != "a syntax error":
        assert_same("-c", source, "-x", "", cwd=tmp_path, stdin=stdin)
    if name != "a debugger":
        assert_same("-", "-c", cwd=tmp_path, stdin=source)


def test_a_syntax_error_in_a_given_code(tmp_path):
    code, _, errors = assert_same("-c", "x = (", cwd=tmp_path)
    assert code == 1
    assert "SyntaxError" in errors


def test_the_program_of_standard_input_is_the_default(tmp_path):
    plain = run(cwd=tmp_path, runner=(), stdin="import sys; print(sys.argv)")
    assert run(cwd=tmp_path, stdin="import sys; print(sys.argv)") == plain


STATE = """
    import os, sys
    import beside
    print(__name__, __file__, __package__, __spec__ and __spec__.name, sys.argv, sys.path, beside.__file__)
    print(type(__loader__).__name__)
    1 / 0
"""


@pytest.mark.parametrize(
    "path", ["program.py", "./program.py", "sub/../program.py", "sub/link.py", "sub/deep.py", "absolute"]
)
def test_scripts_by_other_paths(path, tmp_path):
    (tmp_path / "sub").mkdir()
    write(tmp_path, program=STATE, beside="")
    write(tmp_path / "sub", deep=STATE, beside="")
    (tmp_path / "sub" / "link.py").symlink_to(tmp_path / "program.py")
    code, output, _ = assert_same(tmp_path / "program.py" if path == "absolute" else path, cwd=tmp_path)
    assert code == 1
    assert "beside.py" in output


def test_directories_and_archives(tmp_path):
    (tmp_path / "box").mkdir()
    write(tmp_path / "box", __main__=STATE, beside="")
    with zipfile.ZipFile(tmp_path / "box.zip", "w") as archive:
        for name in ("__main__.py", "beside.py"):
            archive.write(tmp_path / "box" / name, name)
    shutil.copy(tmp_path / "box.zip", tmp_path / "box.without_suffix")
    (tmp_path / "empty").mkdir()
    for path in ("box", "./box/", "box.zip", "box.without_suffix", tmp_path / "box", "empty"):
        code, output, _ = assert_same(path, "argument", cwd=tmp_path)
        assert code == 1
        assert path == "empty" or "beside.py" in output


def test_packages_and_their_modules(tmp_path):
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    write(
        package,
        __init__="import sys; print('init', sys.argv)",
        __main__=STATE.replace("import b", "from . import b"),
    )
    write(
        package,
        beside="",
        other="from .beside import __name__ as n; print(n, __name__, __package__); raise OSError(3)",
    )
    write(package / "inner", __init__="")
    for name in (
        "package",
        "package.other",
        "package.__main__",
        "package.inner",
        "package.nosuch",
        "nosuch",
        "a.b",
    ):
        code, _, _ = assert_same("-m", name, "argument", cwd=tmp_path)
        assert code == 1


def test_a_compiled_program(tmp_path):
    write(tmp_path, program=STATE, beside="")
    py_compile.compile(tmp_path / "program.py", tmp_path / "program.pyc")
    shutil.copy(tmp_path / "program.pyc", tmp_path / "without_suffix")
    assert_same("program.pyc", cwd=tmp_path)
    _, output, _ = run("without_suffix", cwd=tmp_path)
    assert "SourcelessFileLoader" in output


def test_a_program_in_another_encoding(tmp_path):
    (tmp_path / "program.py").write_bytes(b"# coding: latin-1\nprint(ascii('\xe9'))\n1 / 0  # \xe9\n")
    _, output, _ = assert_same("program.py", cwd=tmp_path)
    assert output == "'\\xe9'\n"


def test_a_program_that_is_not_there(tmp_path):
    code, _, errors = assert_same("nosuch.py", cwd=tmp_path)
    assert code == 2
    assert "No such file or directory" in errors


def test_getsource_of_the_program(tmp_path):
    write(
        tmp_path, program="import inspect\ndef f(): return 1\nprint(inspect.getsource(f), inspect.getfile(f))"
    )
    assert_same("program.py", cwd=tmp_path)
    assert_same("-m", "program", cwd=tmp_path)


def test_modules_beside_the_program_come_first(tmp_path):
    # Loading NumPy loads these names of the standard library, before the program's directory is on the path.
    (tmp_path / "sub").mkdir()
    write(tmp_path / "sub", textwrap="", numbers="", platform="", json="", local="")
    (tmp_path / "sub" / "pickle").mkdir()
    write(tmp_path / "sub" / "pickle", __init__="", part="")
    write(
        tmp_path / "sub",
        program="""
        import textwrap, numbers, platform, json, local, pickle.part
        for module in (textwrap, numbers, platform, json, local, pickle, pickle.part):
            print(module.__name__, module.__file__)
        """,
    )
    code, output, errors = assert_same("sub/program.py", cwd=tmp_path)
    assert code == 0, errors
    assert output.count(str(tmp_path)) == 7


@pytest.mark.skipif(sys.version_info < (3, 11), reason="-P came with Python 3.11")
def test_the_safe_path(tmp_path):
    (tmp_path / "box").mkdir()
    write(tmp_path, program="import sys; print(sys.path)")
    write(tmp_path / "box", __main__="import sys; print(sys.path)")
    for command in (["program.py"], ["-c", "import sys; print(sys.path)"], ["box"], ["-m", "program"]):
        assert_same(*command, cwd=tmp_path, flags=["-P"])


def test_interactive_after_the_program(tmp_path):
    write(tmp_path, good="x = 1", bad="x = 2\n1 / 0", leaves="x = 3\nimport sys\nsys.exit(5)")
    questions = (
        "print(x, __name__, '__file__' in globals())\nimport sys; print(hasattr(sys, 'last_traceback'))\n"
    )
    for name in ("good", "bad", "leaves"):
        _, output, _ = assert_same(f"{name}.py", cwd=tmp_path, flags=["-i"], stdin=questions)
        assert "__main__ False" in output


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
def test_an_interrupt_ends_the_program_by_that_signal(tmp_path):
    write(
        tmp_path,
        program="""
        import atexit, signal, time
        atexit.register(print, "cleaned up")
        signal.raise_signal(signal.SIGINT)
        time.sleep(60)
        """,
    )
    code, output, errors = assert_same("program.py", cwd=tmp_path)
    assert (code, output) == (-signal.SIGINT, "cleaned up\n")
    assert errors.endswith("KeyboardInterrupt\n")


@pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
@pytest.mark.parametrize("size", [10, 1_000_000])
def test_a_pipe_that_nobody_reads(size, tmp_path):
    write(tmp_path, program=f"print('x' * {size})")
    results = []
    for runner in ((), RUNNER):
        read, written = os.pipe()
        os.close(read)
        done = subprocess.run(
            [sys.executable, *runner, "program.py"],
            cwd=tmp_path,
            env=ENVIRONMENT,
            stdout=written,
            stderr=subprocess.PIPE,
        )
        os.close(written)
        results.append((done.returncode, done.stderr))
    assert results[0] == results[1]
    assert b"BrokenPipeError" in results[1][1]


PROCESSES = """
    import multiprocessing, os, sys
    import torch, torch.nn.functional as F
    from torch import nn

    class Task:
        def __init__(self, value):
            self.value = value

    def work(task, queue):
        import minigrad
        same = torch is minigrad and nn is minigrad.nn and F is minigrad.nn.functional
        queue.put((type(task).__name__, task.value.tolist(), same, sys.argv, __name__ != "__main__"))

    def fail():
        raise ValueError("in a child")

    def total(values):
        return torch.tensor(values).tolist()[0]

    if __name__ == "__main__":
        os.chdir(os.path.dirname(os.path.abspath(__file__)) + "/elsewhere")
        for method in sys.argv[1:]:
            context = multiprocessing.get_context(method)
            queue = context.Queue()
            process = context.Process(target=work, args=(Task(torch.tensor([1.0, 2.0])), queue))
            process.start()
            print(*queue.get(timeout=60))
            process.join()
            failing = context.Process(target=fail)
            failing.start()
            failing.join()
            print(process.exitcode, failing.exitcode)
            with context.Pool(2) as pool:
                print(pool.map(total, [[3.0], [4.0]]))
"""
METHODS = [m for m in ("fork", "spawn", "forkserver") if os.name == "posix" or m == "spawn"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("command", [["program.py"], ["-m", "program"]], ids=["script", "module"])
def test_processes_of_the_program_have_the_alias(method, command, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    write(tmp_path, program=PROCESSES)
    code, output, errors = run(*command, method, cwd=tmp_path)
    assert code == 0, errors
    argv = str([command[0] if len(command) == 1 else str(tmp_path / "program.py"), method])
    assert output.splitlines() == [
        f"Task [1.0, 2.0] True {argv} {method != 'fork'}",
        "0 1",
        "[3.0, 4.0]",
    ]
    assert "ValueError: in a child" in errors
    assert "minigrad" not in errors


def test_processes_find_the_package_that_their_parent_found(tmp_path):
    # Nothing but the parent's working directory leads to the package here, and the program leaves it.
    (tmp_path / "elsewhere").mkdir()
    write(tmp_path, program=PROCESSES)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    root = Path(minigrad.__file__).parents[1]
    code, output, errors = run(tmp_path / "program.py", *METHODS, cwd=root, environment=environment)
    assert code == 0, errors
    assert output.count("Task [1.0, 2.0] True") == len(METHODS)


def test_processes_of_a_program_that_installs_the_alias_itself(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    program = "import minigrad\nminigrad.install_as_torch()\n" + textwrap.dedent(PROCESSES)
    (tmp_path / "program.py").write_text(program)
    code, output, errors = run("program.py", *METHODS, cwd=tmp_path, runner=())
    assert code == 0, errors
    assert output.count("Task [1.0, 2.0] True") == len(METHODS)


def test_an_executor_of_spawned_processes(tmp_path):
    write(
        tmp_path,
        program="""
        import concurrent.futures, multiprocessing
        import torch
        def double(x):
            return (torch.tensor([x, x])).tolist()
        if __name__ == "__main__":
            context = multiprocessing.get_context("spawn")
            with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as executor:
                print(list(executor.map(double, [1.0, 2.0])))
        """,
    )
    code, output, errors = run("program.py", cwd=tmp_path)
    assert (code, output) == (0, "[[1.0, 1.0], [2.0, 2.0]]\n"), errors


def run_as_child(code, cwd):
    """What the code prints in a process that is started as multiprocessing starts its own."""
    program = f"""
        import subprocess, sys, multiprocessing.util as util
        flags = util._args_from_interpreter_flags()
        subprocess.run([sys.executable, *flags, "-c", {code!r}], check=True)
    """
    exit_code, output, errors = run("-c", textwrap.dedent(program), cwd=cwd)
    assert exit_code == 0, errors
    return output.split()


def test_the_resource_tracker_does_not_load_numpy(tmp_path):
    # It is started like a child, but never asks for torch.
    modules = run_as_child("import sys; print(*sys.modules)", tmp_path)
    assert "minigrad._alias" in modules
    assert not {"numpy", "minigrad", "torch"} & set(modules)


def test_a_child_knows_the_alias_before_the_package(tmp_path):
    # Its _alias is in sys.modules, but not an attribute of the package: `import a.b as c` must find it there.
    code = "import torch, minigrad._alias as alias; print(torch.__name__, alias.__name__)"
    assert run_as_child(code, tmp_path) == ["torch", "minigrad._alias"]


def test_a_training_program_runs(tmp_path):
    write(
        tmp_path,
        program="""
        import torch
        import torch.nn as nn
        import torch.nn.functional as F
        from torch.optim import SGD
        torch.manual_seed(0)
        model = nn.Linear(2, 1)
        optimizer = SGD(model.parameters(), lr=0.1)
        x = torch.tensor([[1.0, 2.0], [3.0, -1.0]])
        y = torch.tensor([[1.0], [0.0]])
        losses = []
        for _ in range(50):
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(losses[-1] < 0.01 * losses[0])
        """,
    )
    assert run("program.py", cwd=tmp_path) == (0, "True\n", "")


def test_modules_of_torch_run_as_modules(tmp_path):
    code, _, errors = run("-m", "torch.nosuch", cwd=tmp_path)
    assert code == 1
    assert errors == f"{sys.executable}: No module named torch.nosuch\n"
    code, output, errors = run("-m", "torch.nn.functional", cwd=tmp_path)
    assert (code, output, errors) == (0, "", "")


def test_a_missing_name_ends_the_program_with_its_name(tmp_path):
    write(tmp_path, program="from torch import nosuch")
    code, _, errors = run("program.py", cwd=tmp_path)
    assert code == 1
    assert errors.splitlines()[-1].startswith("ImportError: cannot import name 'nosuch' from 'torch'")
    assert "__main__.py" not in errors


def test_a_torch_that_is_already_imported_is_reported_without_a_traceback(tmp_path):
    (tmp_path / "torch.py").touch()
    (tmp_path / "sitecustomize.py").write_text("import torch\n")
    path = os.pathsep.join([str(tmp_path), ENVIRONMENT["PYTHONPATH"]])
    code, output, errors = run("-c", "1", cwd=tmp_path, environment={**ENVIRONMENT, "PYTHONPATH": path})
    assert (code, output) == (1, "")
    assert errors.startswith("python -m minigrad: minigrad cannot take the name torch")
    assert "Traceback" not in errors


def test_help_and_version(tmp_path):
    for word in ("-h", "--help"):
        code, output, errors = run(word, cwd=tmp_path)
        assert (code, errors) == (0, "")
        assert output.startswith("usage: python -m minigrad")
    for word in ("-V", "--version"):
        code, output, errors = run(word, cwd=tmp_path)
        assert (code, errors) == (0, "")
        assert output.startswith(f"minigrad {minigrad.__version__} (NumPy ")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (["-x"], "unknown option -x"),
        (["-c"], "argument expected for the -c option"),
        (["-m"], "for the -m option"),
    ],
)
def test_a_wrong_command_line(command, reason, tmp_path):
    code, output, errors = run(*command, cwd=tmp_path)
    assert (code, output) == (2, "")
    assert reason in errors
    assert "usage: python -m minigrad" in errors


def test_an_attached_code(tmp_path):
    assert_same("-cimport sys; print(sys.argv)", "x", cwd=tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="POSIX terminals")
def test_a_terminal_gets_a_console(tmp_path):
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, *RUNNER],
        cwd=tmp_path,
        env={**ENVIRONMENT, "TERM": "dumb"},
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    os.close(theirs)
    with process:
        os.write(ours, b"import torch\nprint(torch.__name__, __name__)\nexit()\n")
        output, _ = process.communicate(timeout=60)
    os.close(ours)
    assert b"torch __main__" in output
    assert process.returncode == 0
