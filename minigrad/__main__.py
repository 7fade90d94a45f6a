"""``python -m minigrad program``: runs a program in which ``import torch`` means minigrad.

What a program can see of being run (``sys.argv``, ``sys.path``, ``__main__``, the exit code, the traceback)
is what ``python program`` shows it; the interpreter's own C code and ``runpy`` are the model. What cannot
be hidden are the frames of this file below the program's own (``inspect.stack()``, pdb's ``up``), as under
any runner.

A process of ``multiprocessing`` is started by this file's path: then the package is not imported until the
program asks for torch. How the name is taken is told in ``_alias``.
"""

import sys

if not __package__ and not getattr(sys.flags, "safe_path", sys.flags.isolated):
    sys.path[0] = __file__  # not this file's directory, where types.py and random.py are not Python's

import builtins
import importlib.util
import os
from importlib.machinery import BuiltinImporter, PathFinder, SourceFileLoader, SourcelessFileLoader
from types import ModuleType
from typing import Any

#: What there is besides running programs: modules of ``_commands``.
COMMANDS = {
    "inspect": "list the tensors and other values in a checkpoint, and run nothing of it",
    "convert": "write the tensors of a .pt, .safetensors or .npz file as another of these",
    "env": "show versions, BLAS, threads and extras, for reports of bugs",
    "bench": "compare this machine with the published times, in about a minute",
}
HELP = f"""\
usage: python -m minigrad [--api 2017] [-c code | -m module | script | -] [argument ...]
       python -m minigrad {{{",".join(COMMANDS)}}} [argument ...]

Runs a program as Python would, with `import torch` and `import torch.*` meaning minigrad.

  -c code        run the code
  -m module      run a library module as a script
  script         run a file, or a directory or zip file that has a __main__.py
  -              run what comes from standard input (also the default; a console on a terminal)
  --api 2017     before any of these: functions mean what they meant in PyTorch 0.3
  -h, --help     show this text
  -V, --version  show the versions of minigrad, NumPy and Python

The arguments after the program are the program's. Options of Python itself go before -m:
python -i -m minigrad script.py

Commands, each with a --help of its own (a script of such a name is run as ./{next(iter(COMMANDS))}):

{"".join(f"  {name:<15}{text}{chr(10)}" for name, text in COMMANDS.items())}"""


#: Variables of the launchers of MPI: under them, programs find the variables of torchrun, too.
_LAUNCHED_BY = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"}
_year: int | None = None  # whose API it is, if not today's


def main() -> None:
    """Read the command line and run the program that it names.

    Raises
    ------
    SystemExit
        the command line is wrong (2), or the program exits
    """
    word, *rest = sys.argv[1:] or ["-"]
    if word == "--api":
        if rest[:1] != ["2017"]:
            _refuse("--api takes 2017, the only year that it knows beside today's")
        global _year
        _year = 2017
        del sys.argv[1:3]
        word, *rest = sys.argv[1:] or ["-"]
    if word in ("-h", "--help"):
        print(HELP, end="")
        return
    if word in ("-V", "--version"):
        print(_versions())
        return
    if word in COMMANDS and __package__ and _year is None:
        sys.exit(_run_command(word, rest))
    option, attached = word[:2], word[2:]
    if option in ("-c", "-m"):
        if not attached and not rest:
            _refuse(f"argument expected for the {option} option")
        value, *rest = (attached, *rest) if attached else rest
        _take_name_torch()
        sys.argv[:] = [option, *rest]
        _run(_run_code if option == "-c" else _run_module, value)
    elif word == "-":
        _take_name_torch()
        sys.argv[:] = ["-" if len(sys.argv) > 1 else "", *rest]
        _run(_run_console if sys.stdin is not None and sys.stdin.isatty() else _run_input)
    elif option[0] == "-":
        _refuse(f"unknown option {word}")
    else:
        _take_name_torch()
        sys.argv[:] = [word, *rest]
        _run(_run_container if _is_importable(word) else _run_script, word)


def _run_command(name: str, arguments: list[str]) -> int:
    try:
        code = importlib.import_module(f"{__package__}._commands.{name}").main(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as head, wants no more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _refuse(reason: str) -> None:
    print(f"python -m minigrad: {reason}\n{HELP.splitlines()[0]}", file=sys.stderr)
    sys.exit(2)


def _versions() -> str:
    import numpy

    import minigrad

    return (
        f"minigrad {minigrad.version.minigrad} (NumPy {numpy.__version__}, Python {sys.version.split()[0]})"
    )


def _take_name_torch() -> None:
    directory = os.path.dirname(os.path.abspath(__file__))
    name = f"{os.path.basename(directory)}._alias"
    if __package__:
        alias = importlib.import_module(name)
    else:
        spec: Any = importlib.util.spec_from_file_location(name, os.path.join(directory, "_alias.py"))
        alias = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(alias)
    try:
        alias.install_as_torch()
    except RuntimeError as error:
        sys.exit(f"python -m minigrad: {error}")
    if "RANK" not in os.environ and not _LAUNCHED_BY.isdisjoint(os.environ):
        importlib.import_module(name.replace("._alias", ".distributed._ranks")).announce()
    if _year is not None:
        importlib.import_module(name.replace("._alias", f"._api_{_year}")).start()


def _run(program: Any, *what: str) -> None:
    """Call ``program`` with a new ``__main__``'s namespace; errors are reported as by the interpreter."""
    try:
        program(_new_main(), *what)
    except BaseException as error:
        if sys.flags.inspect or not isinstance(error, SystemExit):
            sys.excepthook = _without_frames_of_this_file(program)
        raise
    _forget_file(program)


def _new_main() -> dict[str, Any]:
    """Put a ``__main__`` as the interpreter makes it in the place of this module; return its namespace."""
    main: Any = ModuleType("__main__")
    main.__loader__ = BuiltinImporter
    if "__annotations__" in vars(sys.modules["__main__"]):  # until Python 3.13
        main.__annotations__ = {}
    main.__builtins__ = builtins
    sys.modules["__main__"] = main
    return vars(main)


def _forget_file(program: Any) -> None:
    """Remove what the interpreter removes when a file has been run: ``-i`` and ``atexit`` can see it."""
    if program in (_run_script, _run_input):
        namespace = vars(sys.modules["__main__"])
        namespace.pop("__file__", None)
        namespace.pop("__cached__", None)


def _without_frames_of_this_file(program: Any) -> Any:
    """Return an excepthook that calls the program's own with the traceback of ``python program``."""
    hook = getattr(sys, "excepthook", sys.__excepthook__)

    def report(kind: Any, value: Any, traceback: Any) -> None:
        sys.excepthook = hook
        value.__traceback__ = sys.last_traceback = traceback = _of_program(traceback)
        try:
            hook(kind, value, traceback)
        except SystemExit:
            raise
        except BaseException as error:
            print("Error in sys.excepthook:", file=sys.stderr)
            error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
            sys.__excepthook__(type(error), error, error.__traceback__)
            print("\nOriginal exception was:", file=sys.stderr)
            sys.__excepthook__(kind, value, traceback)
        finally:
            _forget_file(program)

    return report


def _of_program(traceback: Any) -> Any:
    """Return the traceback without the frames of this file and those above them, which led to it."""
    own = False
    while traceback is not None:
        in_this_file = traceback.tb_frame.f_code.co_filename == __file__
        if own and not in_this_file:
            break
        own = own or in_this_file
        traceback = traceback.tb_next
    return traceback


def _run_code(namespace: dict[str, Any], source: str) -> None:
    _set_first_path("")
    if sys.version_info >= (3, 13):  # since then, tracebacks show the lines of -c
        import linecache

        linecache.cache["<string>"] = (len(source), None, source.splitlines(keepends=True), "<string>")
    exec(compile(source, "<string>", "exec", dont_inherit=True), namespace)


def _run_module(namespace: dict[str, Any], name: str) -> None:
    import runpy

    _set_first_path(os.getcwd())
    runpy._run_module_as_main(name)  # type: ignore[attr-defined]


def _run_container(namespace: dict[str, Any], path: str) -> None:
    """Run ``__main__.py`` of a directory or a zip file."""
    import runpy

    path = _absolute(path)
    _set_first_path(path, always=True)
    _forget_shadowed()
    runpy._run_module_as_main("__main__", alter_argv=False)  # type: ignore[attr-defined]


def _run_script(namespace: dict[str, Any], script: str) -> None:
    path = _absolute(script)
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        message = f"{sys.orig_argv[0]}: can't open file {path!r}: [Errno {error.errno}] {error.strerror}"
        print(message, file=sys.stderr)
        sys.exit(2)
    _set_first_path(os.path.dirname(os.path.realpath(path) if os.name == "posix" else path))
    _forget_shadowed()
    is_compiled = source[:4] == importlib.util.MAGIC_NUMBER
    loader = SourcelessFileLoader if is_compiled else SourceFileLoader
    namespace.update(__file__=path, __cached__=None, __loader__=loader("__main__", path))
    if is_compiled:
        import marshal

        code = marshal.loads(source[16:])
    else:
        code = compile(source, path, "exec", dont_inherit=True)
    exec(code, namespace)


def _run_input(namespace: dict[str, Any]) -> None:
    _set_first_path("")
    namespace.update(__file__="<stdin>", __cached__=None)
    source = sys.stdin.buffer.read() if sys.stdin is not None else b""
    exec(compile(source, "<stdin>", "exec", dont_inherit=True), namespace)


def _run_console(namespace: dict[str, Any]) -> None:
    from code import interact
    from contextlib import suppress

    _set_first_path("")
    with suppress(ImportError):  # line editing, where there is a readline
        import readline  # noqa: F401
    interact(banner=f"{_versions()}: torch is minigrad", local=namespace, exitmsg="")


def _absolute(path: str) -> str:
    """Make the path absolute as the interpreter does: on POSIX ``./`` and ``..`` stay."""
    return os.path.join(os.getcwd(), path) if os.name == "posix" else os.path.abspath(path)


def _is_importable(path: str) -> bool:
    """Tell whether the path is a directory or an archive that modules can be imported from."""
    for hook in sys.path_hooks:
        try:
            hook(path)
        except ImportError:
            continue
        return True
    return False


def _set_first_path(entry: str, always: bool = False) -> None:
    """Replace the entry of ``sys.path`` that Python made for running this file."""
    if not getattr(sys.flags, "safe_path", sys.flags.isolated):
        sys.path[0] = entry
    elif always:
        sys.path.insert(0, entry)


def _forget_shadowed() -> None:
    """Let the program import its own modules whose names are those of some that loading minigrad brought in.

    A ``queue.py`` beside the script is what ``import queue`` means to Python; without this, it would be
    the standard library's if NumPy happens to use that.
    """
    names = list(sys.modules)
    loaded_by_us = names[names.index("runpy") + 1 :] if "runpy" in sys.modules else []
    for name in loaded_by_us:
        spec = getattr(sys.modules.get(name), "__spec__", None)
        if "." in name or name in ("numpy", "minigrad") or spec is None or not spec.has_location:
            continue
        found = PathFinder.find_spec(name)
        if found is not None and found.origin != spec.origin:
            for part in names:
                if part == name or part.startswith(name + "."):
                    sys.modules.pop(part, None)


if __name__ == "__main__":
    main()
