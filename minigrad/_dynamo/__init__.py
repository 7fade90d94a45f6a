"""Names of the compiler that reads programs: what says something of all compiled functions, and ``explain``, which says why one is replayed, or not."""

import functools
from typing import NamedTuple

from .. import compiler as _compiler
from .._api import _capturing, _lazy
from .._base import compiling as _compiling
from .._base.pytree import tree_flatten
from ..compiler import (
    allow_in_graph,
    assume_constant_result,
    disable,
    is_compiling,
    list_backends,
    lookup_backend,
    reset,
    set_stance,
    substitute_in_graph,
)  # fmt: skip
from . import config as config
from . import eval_frame as eval_frame
from . import exc as exc
from . import utils as utils
from .eval_frame import OptimizedModule

__all__ = [
    "OptimizedModule", "allow_in_graph", "assume_constant_result", "config", "disable", "disallow_in_graph", "error_on_graph_break", "eval_frame", "exc",
    "explain", "export", "forbid_in_graph", "graph_break", "is_compiling", "list_backends", "lookup_backend", "mark_dynamic", "mark_static",
    "mark_static_address", "maybe_mark_dynamic", "nonstrict_trace", "optimize", "optimize_assert", "patch_dynamo_config", "register_backend", "reset",
    "run", "set_stance", "skip_frame", "substitute_in_graph", "utils",
]  # fmt: skip

_later = _lazy.places({"_capture.trial_run": "_trial_run=trial_run"})


def optimize(backend="inductor", *, nopython=False, dynamic=None, disable=False, **kwargs):
    """Return a decorator that applies ``compile`` with this backend.

    >>> import minigrad
    >>> minigrad._dynamo.optimize("eager")(len)([1, 2])
    2
    """
    return _compiler.compile(fullgraph=nopython, dynamic=dynamic, backend=backend, disable=disable)


optimize_assert = optimize


def run(fn=None):
    """Return a function equivalent to ``fn``, or a decorator without ``fn``.

    >>> import minigrad
    >>> minigrad._dynamo.run(len)([1, 2])
    2
    """
    return run if fn is None else _compiler._as_it_is(fn)


class GraphCompileReason(NamedTuple):
    """The reason why a call is not replayed, and its place in the program: ``user_stack`` has one entry, or none.

    >>> import minigrad
    >>> minigrad._dynamo.explain(lambda x: x + x.sum().item())(minigrad.ones(1)).break_reasons[0].reason
    'item() reads the elements of a tensor'
    """

    reason: str
    user_stack: list
    graph_break: bool = True


class ExplainOutput(NamedTuple):
    """The result of ``explain``: whether a call can be replayed as one plan, of how many operators, or the reasons why not.

    >>> import minigrad
    >>> print(minigrad._dynamo.explain(lambda x: x.sin() * 2)(minigrad.ones(1)))
    Graph Count: 1
    Graph Break Count: 0
    Op Count: 2
    Break Reasons:
    """

    graphs: list
    graph_count: int
    graph_break_count: int
    break_reasons: list
    op_count: int

    def __str__(self):
        lines = [
            f"Graph Count: {self.graph_count}",
            f"Graph Break Count: {self.graph_break_count}",
            f"Op Count: {self.op_count}",
            "Break Reasons:",
        ]
        for i, reason in enumerate(self.break_reasons, 1):
            lines += [f"  Break Reason {i}:", f"    Reason: {reason.reason}", "    User Stack:"]
            lines += [f"      {place!r}" for place in reason.user_stack]
        return "\n".join(lines)


def explain(f, *extra_args, **extra_kwargs):
    """Explain whether ``compile`` would replay a call: return a function of the arguments that calls ``f`` once and returns an ``ExplainOutput``.

    What cannot be followed, such as a custom Function in the history of a result, is a reason too, but not a graph break: ``graph_break`` of such reasons
    is False, and ``fullgraph=True`` ignores them.

    >>> import minigrad
    >>> minigrad._dynamo.explain(lambda x: x * 2)(minigrad.ones(1)).graph_count
    1
    """

    def explained(*args, **kwargs):
        trial_run = _lazy.fetch("_trial_run", _later, globals())
        function = getattr(f, "_orig_mod", f)
        function = getattr(function, "_torchdynamo_orig_callable", function)
        with _compiling.switched_off_here():
            _, trial = trial_run(function, args, kwargs, tree_flatten((args, kwargs))[0])
        reasons = []
        if trial.kind is not None:
            places = [] if trial.place is None else [trial.place]
            reasons.append(GraphCompileReason(trial.reason, places, trial.kind in ("program", "change")))
        replayed = not reasons
        breaks = sum(reason.graph_break for reason in reasons)
        operators = trial.capturing.ops_called if replayed else 0
        return ExplainOutput([trial.capturing.program] * replayed, int(replayed), breaks, reasons, operators)

    return explained(*extra_args, **extra_kwargs) if extra_args or extra_kwargs else explained


def export(f, *extra_args, **kwargs):
    """Raise NotImplementedError: programs are not captured as graphs.

    >>> import minigrad
    >>> try: minigrad._dynamo.export(len)
    ... except NotImplementedError: print("no graph")
    no graph
    """
    raise NotImplementedError("minigrad does not capture programs as graphs: they run as they are")


def graph_break(msg=""):
    """Let the compiled function that is running run eagerly from now on; raise an error in one with ``fullgraph=True``.

    >>> import minigrad
    >>> minigrad._dynamo.graph_break()
    """
    if (step := _capturing()) is not None:
        step.program.leak(_compiling.BREAK)


def skip_frame(msg=""):
    """The same as ``graph_break``.

    >>> import minigrad
    >>> minigrad._dynamo.skip_frame()
    """
    graph_break()


def _marks(t, index=None, **kwargs):
    """Note that a size may change, or will not: each may.

    >>> import minigrad
    >>> minigrad._dynamo.mark_dynamic(minigrad.ones(2), 0)
    """


mark_dynamic = maybe_mark_dynamic = mark_static = mark_static_address = _marks


def disallow_in_graph(fn):
    """Return the function itself, or the list of functions.

    >>> import minigrad
    >>> minigrad._dynamo.disallow_in_graph(len) is len
    True
    """
    return fn


forbid_in_graph = nonstrict_trace = disallow_in_graph


class error_on_graph_break:
    """Make graph breaks errors within a block, or in a decorated function; there are none to break.

    >>> import minigrad
    >>> with minigrad._dynamo.error_on_graph_break(True):
    ...     minigrad.ones(1)
    tensor([1.])
    """

    def __init__(self, error_on_graph_break):
        self.error_on_graph_break = error_on_graph_break

    def __call__(self, fn):
        return _compiler._as_it_is(fn)

    def __enter__(self):
        pass

    def __exit__(self, *error):
        pass


def patch_dynamo_config(arg1=None, arg2=None, **kwargs):
    """Change values of ``config`` within a block, or in a decorated function.

    >>> import minigrad
    >>> with minigrad._dynamo.patch_dynamo_config(verbose=True):
    ...     minigrad._dynamo.config.verbose
    True
    """
    return config.patch(arg1, arg2, **kwargs)


def register_backend(compiler_fn=None, name=None, tags=()):
    """Register a backend under a name that ``compile`` accepts; a decorator without a function.

    >>> import minigrad
    >>> minigrad._dynamo.register_backend(len, name="length", tags=["debug"]) is len
    True
    >>> "length" in minigrad._dynamo.list_backends(exclude_tags=None)
    True
    """
    if compiler_fn is None:
        return functools.partial(register_backend, name=name, tags=tags)
    if not callable(compiler_fn):
        raise AssertionError("compiler_fn must be callable")
    name = name or compiler_fn.__name__
    _compiling.register(compiler_fn, name, "debug" in tags)
    return compiler_fn
