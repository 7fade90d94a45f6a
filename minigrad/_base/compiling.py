"""What programs may say about compiling: modes, backends and options are checked as PyTorch checks them; what is switched on and off for all compiled functions."""

import functools
import threading
from contextlib import contextmanager

from .publishing import publish

__all__ = [
    "BACKENDS", "BREAK", "DISABLED", "MODES", "OPTIONS", "STANCES", "InvalidBackend", "TorchDynamoException", "Unsupported", "active", "check", "check_noting",
    "default_backend", "lookup", "read_settings", "register", "replays", "set_default", "set_stance", "setting", "switched_off", "switched_off_here", "unsupported",
]  # fmt: skip

#: Mode -> the options of the compiler that it stands for.
MODES: dict[str, dict] = {
    "default": {},
    "lite": {},
    "reduce-overhead": {"triton.cudagraphs": True},
    "max-autotune-no-cudagraphs": {"max_autotune": True, "coordinate_descent_tuning": True},
    "max-autotune": {"max_autotune": True, "triton.cudagraphs": True, "coordinate_descent_tuning": True},
}
#: The backends that have a name, and whether they serve to debug.
BACKENDS = {
    "aot_eager": True,
    "aot_eager_decomp_partition": True,
    "cudagraphs": False,
    "eager": True,
    "eager_noexcept": True,
    "inductor": False,
}
STANCES = (
    "default",
    "eager_then_compile",
    "aot_eager_then_compile",
    "fail_on_recompile",
    "eager_on_recompile",
    "force_eager",
)
#: The options of the compiler that makes kernels, with their defaults; and the groups that have further ones.
OPTIONS = {
    "allow_buffer_reuse": True, "benchmark_kernel": False, "compile_threads": 1, "coordinate_descent_tuning": False, "cpp_wrapper": False, "dce": False,
    "debug": False, "disable_progress": True, "epilogue_fusion": True, "fallback_random": False, "force_same_precision": False, "freezing": False,
    "fx_graph_cache": True, "group_fusion": False, "implicit_fallbacks": True, "inplace_buffers": True, "keep_output_stride": True, "max_autotune": False,
    "max_autotune_gemm": False, "max_autotune_gemm_backends": "ATEN,TRITON,CPP", "max_autotune_pointwise": False, "max_fusion_size": 64,
    "pattern_matcher": True, "permute_fusion": False, "reorder_for_locality": True, "shape_padding": True, "size_asserts": True,
    "split_cat_fx_passes": True, "split_reductions": True, "unroll_reductions_threshold": 8, "verbose_progress": False,
}  # fmt: skip
_GROUPS = {"aot_inductor", "cpp", "cuda", "rocm", "trace", "triton"}

_default = "inductor"
_registered: dict = {}


class TorchDynamoException(RuntimeError):
    """The base of the compiler's errors."""


class InvalidBackend(TorchDynamoException):
    """A backend has a name that nobody has registered."""

    def __init__(self, name):
        super().__init__(
            f"Invalid backend: {name!r}, see `torch._dynamo.list_backends()` for available backends."
        )


class Unsupported(TorchDynamoException):
    """A function that was compiled with ``fullgraph=True`` does what no plan can do."""


class RecompileError(TorchDynamoException):
    """A call needs another plan where that is forbidden."""


publish("minigrad._dynamo.exc", TorchDynamoException, InvalidBackend, Unsupported, RecompileError)

#: Reasons for which a call is not replayed: it comes to a function that is never compiled, or to ``graph_break()``.
DISABLED = "it calls a function for which compiling is disabled"
BREAK = "it calls graph_break()"


def unsupported(reason, place):
    """The error that says what cannot be replayed, and where in the program it is."""
    text = f"a replay would leave something out: {reason}"
    if place is not None:
        text += f'\n\nfrom user code:\n   File "{place.filename}", line {place.lineno}, in {place.name}\n    {place.line}'
    return Unsupported(text)


# What holds for all compiled functions -----------------------------------------------------------------------------------------------


class _ThreadState(threading.local):
    disabled = 0  # how many functions are under way for which compiling is disabled


_thread_state = _ThreadState()
_stance = "default"


def set_stance(stance):
    """Set what is to happen to compiled functions; returns what was to happen."""
    global _stance
    was, _stance = _stance, stance
    return was


def active():
    """Whether compiled functions may run otherwise than as they are."""
    return not _thread_state.disabled and _stance != "force_eager" and not setting("disable", False)


def check_noting(others):
    """Whether a call that no plan fits is noted, ``others`` having been noted before; raises ``RecompileError`` where that is forbidden."""
    if not others:
        return True
    if _stance == "fail_on_recompile":
        raise RecompileError("Detected recompile when torch.compile stance is 'fail_on_recompile'")
    if setting("error_on_recompile", False):
        raise RecompileError("a call needs another plan, and config.error_on_recompile is set")
    return _stance != "eager_on_recompile"


_settings: dict = {}


def read_settings(namespace):
    """Read settings from this dict from now on: that of ``_dynamo.config``, once it is imported."""
    global _settings
    _settings = namespace


def setting(name, default):
    """A setting that programs may have set; ``default`` if they have not."""
    return _settings.get(name, default)


@contextmanager
def switched_off_here():
    """Let no compiled function be replayed in this thread, in a ``with`` block."""
    _thread_state.disabled += 1
    try:
        yield
    finally:
        _thread_state.disabled -= 1


def switched_off(function, capturing, recursive=True):
    """A function that does what ``function`` does, and is never replayed; ``capturing()`` is what notes the step that is under way, if any."""

    @functools.wraps(
        function, assigned=[a for a in functools.WRAPPER_ASSIGNMENTS if hasattr(function, a)], updated=()
    )
    def disabled(*args, **kwargs):
        step = capturing()
        if step is not None:
            step.program.leak(DISABLED)
        if not recursive:
            return function(*args, **kwargs)
        with switched_off_here():
            return function(*args, **kwargs)

    disabled._torchdynamo_orig_callable = function
    return disabled


def replays(backend):
    """Whether a backend lets functions be replayed: those that debug, and those of programs, run them as they are."""
    backend = _default if backend is None else backend
    return isinstance(backend, str) and backend not in _registered and not BACKENDS.get(backend, True)


def default_backend():
    """The backend that is taken unless another is named."""
    return _default


def set_default(backend):
    """Let this be the backend that is taken unless another is named."""
    global _default
    if isinstance(backend, str):
        lookup(backend)
    _default = backend


def check(fullgraph=False, dynamic=None, backend=None, mode=None, options=None, disable=False, **others):
    """Raise what PyTorch raises for what is said about compiling: RuntimeError, or AssertionError for ``dynamic``."""
    if mode is not None and options is not None:
        raise RuntimeError(
            "Either mode or options can be specified, but both can't be specified at the same time."
        )
    backend = _default if backend is None else backend
    if backend == "inductor":
        if mode is not None and mode not in MODES:
            raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(MODES)}")
        for key in options or ():
            if key.replace("-", "_") not in OPTIONS and key.partition(".")[0] not in _GROUPS:
                raise RuntimeError(
                    f"Unexpected optimization option {key}, known options are {sorted(OPTIONS)}"
                )
    elif isinstance(backend, str):
        lookup(backend)
    if dynamic is not None and not isinstance(dynamic, bool):
        raise AssertionError(f"Expected enable to be a bool, got {type(dynamic)}")


def lookup(name):
    """The function of a backend: it returns the function of the graph that it is given.  Raises ``InvalidBackend`` for a name that is not known."""
    if callable(name):
        return name
    if name not in BACKENDS:
        raise InvalidBackend(name)
    return _registered.get(name, _eager)


def register(function, name, debugs):
    """Give a backend a name; raises AssertionError for one that is taken."""
    if name in BACKENDS:
        raise AssertionError(f"duplicate name: {name}")
    BACKENDS[name] = debugs
    _registered[name] = function


def _eager(gm, example_inputs=None, **kwargs):
    return gm
