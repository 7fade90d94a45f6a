"""Generated code made into functions: tracebacks show its lines, and messages of errors in it."""

import itertools
import linecache
import sys
import traceback
import weakref

from . import _targets
from ._namespace import custom_builtins

_numbers = itertools.count()
_MARK = "<eval_with_key>"


def compile_function(name, source, module_globals, origin=None):
    """The function ``name`` of a source text; ``origin`` (``co_filename``, ``co_firstlineno``, ``co_name``) is where the program has its own code."""
    key = f"{_MARK}.{next(_numbers)}"
    if origin:
        key += f" from {origin['co_filename']}:{origin['co_firstlineno']} in {origin['co_name']}"
    module_globals = module_globals.copy()
    exec(compile(source, key, "exec", dont_inherit=True), module_globals)
    function = module_globals.pop(name)
    # tracebacks find the lines here, as long as there is the function
    linecache.cache[key] = len(source), None, f"{source}\n".splitlines(keepends=True), key
    weakref.finalize(function, linecache.cache.pop, key, None)
    return function


def import_block(module_globals):
    """The statements that import what generated code refers to."""
    return "\n".join(sorted({_import_statement(name, obj) for name, obj in module_globals.items()}))


def _import_statement(name, obj):
    known = custom_builtins().get(name)
    if known is not None:
        return known.import_str
    module = getattr(obj, "__module__", None)
    path = getattr(obj, "__qualname__", getattr(obj, "__name__", None))
    if module is None or path is None or "<" in path:
        raise AttributeError(f"generated code refers to {obj!r}, which cannot be imported by name")
    if _targets.is_own(obj):
        return "import minigrad as torch"
    outer, _, inner = path.partition(".")
    text = f"from {module} import {outer} as {name}"
    return f"{text}\n{name} = {name}.{inner}" if inner else text


class CallWithLines:
    """Calls a generated ``forward``; where it fails, the line of it that did is printed, and the error goes on."""

    def __init__(self, cls, cls_call):
        self.cls, self.cls_call = cls, cls_call

    def __call__(self, module, *args, **kwargs):
        try:
            if self.cls_call is not None:
                return self.cls_call(module, *args, **kwargs)
            return super(self.cls, module).__call__(*args, **kwargs)
        except Exception as error:
            frame = traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__))[-1]
            if _MARK not in frame.filename:
                raise
            print(self._generate_error_message(frame), file=sys.stderr)
            raise error.with_traceback(None) from None

    @staticmethod
    def _generate_error_message(frame):
        """The traceback, then the line at which generated code failed, with those around it."""
        lines, number = linecache.getlines(frame.filename), frame.lineno
        return "\n".join(
            [
                traceback.format_exc(),
                f"Call using an FX-traced Module, line {number} of the traced Module's generated forward function:",
                "".join(lines[number - 2 : number]),
                "~" * len(frame.line) + "~~~ <--- HERE",
                "\n".join(lines[number : number + 2]),
            ]
        )
