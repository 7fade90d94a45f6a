"""What programs may say about compiling: modes, backends and options are checked as PyTorch checks them, and nothing is compiled."""

from .publishing import publish

__all__ = [
    "BACKENDS",
    "MODES",
    "OPTIONS",
    "STANCES",
    "InvalidBackend",
    "TorchDynamoException",
    "check",
    "default_backend",
    "lookup",
    "register",
    "set_default",
]

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


publish("minigrad._dynamo.exc", TorchDynamoException, InvalidBackend)


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
