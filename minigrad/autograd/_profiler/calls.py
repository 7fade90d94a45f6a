"""Functions that are no operators here, but are in PyTorch: what makes tensors, and what consists of several operators.

They must cost nothing while nobody watches, so there is no test for a profiler in them.  While one is on, they run other code: one that notes the call
and runs the function's own.  The function objects stay the same, so it does not matter under which names programs hold them.
"""

import functools
import importlib
import sys
import threading
import types
from time import perf_counter_ns as now

from ..._core.switch import here

__all__ = ["hide", "show"]

_PACKAGE = __name__.partition(".")[0]
#: Where these functions are; ``name=other`` is what PyTorch calls ``other``.
_FUNCTIONS = {
    "_core.tensor": "Tensor.detach Tensor.detach_ Tensor.item",
    "_core.random.distributions": "normal_=fill_normal random_=fill_random uniform_=fill_uniform",
    "_ops.attention": "scaled_dot_product_attention",
    "_ops.avg_pooling": "adaptive_avg_pool1d adaptive_avg_pool2d",
    "_ops.compare": "allclose",
    "_ops.convert": "contiguous to",
    "_ops.create": (
        "empty empty_like empty_strided eye full full_like new_empty new_full new_ones new_zeros ones ones_like zeros zeros_like"
    ),
    "_ops.dropout": "alpha_dropout dropout",
    "_ops.einsum": "einsum",
    "_ops.matmul": "matmul=_matmul",
    "_ops.random": "empty=_unfilled multinomial rand rand_like randint randint_like randn randn_like randperm",
    "_ops.ranges": "arange linspace logspace",
    "_ops.recurrent": "gru lstm rnn_relu rnn_tanh",
    "_ops.shape": "flatten reshape",
    "_ops.split": "chunk tensor_split",
}
#: The same, of modules that are imported only by who uses them: looked at if they are by the time a profiler begins.
_IF_IMPORTED = {"nn._functional.losses": "cross_entropy_loss=cross_entropy"}

_lock = threading.Lock()
_watching = 0
_shown: list = []  # (function, its own code, the code that notes calls)
_looked_at: set = set()


def show():
    """Let these functions note their calls, until ``hide`` has been called as often."""
    global _watching
    with _lock:
        _watching += 1
        _look_for_functions()
        if _watching == 1:
            for function, _, noting in _shown:
                function.__code__ = noting


def hide():
    """Undo one ``show``."""
    global _watching
    with _lock:
        _watching -= 1
        if not _watching:
            for function, own, _ in _shown:
                function.__code__ = own


def _look_for_functions():
    for table, always in ((_FUNCTIONS, True), (_IF_IMPORTED, False)):
        for module, names in table.items():
            path = f"{_PACKAGE}.{module}"
            if module in _looked_at or not (always or path in sys.modules):
                continue
            _looked_at.add(module)
            found = importlib.import_module(path)
            for name in names.split():
                shown, _, place = name.partition("=")
                function = functools.reduce(getattr, (place or shown).split("."), found)
                _shown.append(_prepared(function, f"aten::{shown.rpartition('.')[2]}"))
                if _watching > 1:
                    function.__code__ = _shown[-1][2]


def _prepared(function, name):
    own = function.__code__
    copy = types.FunctionType(
        own, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    consts = tuple([_noting(copy, name) if c == "the call" else c for c in _template.__code__.co_consts])
    noting = _template.__code__.replace(co_consts=consts, co_name=own.co_name)
    return function, own, noting


def _template(*args, **kwargs):
    call = "the call"  # a constant, in whose place each function's code has what is to be called
    return call(*args, **kwargs)


def _noting(function, name):
    """A function that runs ``function`` and notes it as ``name``."""

    def call(*args, **kwargs):
        profiler = here.profiler
        if profiler is None or not here.watching:
            return function(*args, **kwargs)
        start = now()
        result = None
        try:
            result = function(*args, **kwargs)
            return result
        finally:
            profiler.called(name, start, result, args)

    return call
