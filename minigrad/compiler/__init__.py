"""``compile`` and what goes with it: functions and modules run as they are, or as a plan that comes to the same.

What is called often with arguments that look alike, and has no effects but on tensors, is noted and replayed: see ``_capture/compiled.py``.
"""

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._api import _capturing, _lazy
from .._base import compiling as _compiling
from ..nn import Module
from . import config as config

__all__ = [
    "allow_in_graph", "assume_constant_result", "compile", "config", "cudagraph_mark_step_begin", "disable", "get_default_backend", "is_compiling",
    "is_dynamo_compiling", "is_exporting", "keep_portable_guards_unsafe", "keep_tensor_guards_unsafe", "list_backends", "load_cache_artifacts",
    "load_compiled_function", "nested_compile_region", "reset", "save_cache_artifacts", "set_default_backend", "set_enable_guard_collectives",
    "set_stance", "skip_all_guards_unsafe", "skip_guard_on_all_nn_modules_unsafe", "skip_guard_on_globals_unsafe",
    "skip_guard_on_inbuilt_nn_modules_unsafe", "substitute_in_graph", "wrap_numpy",
]  # fmt: skip

_lazy_names = {
    "_capture.compiled": "_engine=",
    "_dynamo.eval_frame": "_OptimizedModule=OptimizedModule",
    "jit": "_jit=",
}
_later = _lazy.places(_lazy_names)


if not TYPE_CHECKING:  # a name that is not there is an error

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


_guard_collectives = False


def compile(
    model: Any = None, *, fullgraph: bool = False, dynamic: Any = None, backend: Any = None, mode: str | None = None, options: Any = None, name: str | None = None, disable: bool = False, recompile_limit: Any = None,
    isolate_recompiles: bool = False, shapes_spec: Any = None,
) -> Any:  # fmt: skip
    """Return a function equivalent to ``model``; for a module an ``OptimizedModule``, for a class the class; a decorator if there is no ``model``.

    Calls are replayed, as ``capture`` replays steps, where that gives the same result: not if the Python code of ``model`` has side
    effects (it prints, or sets an attribute), or if it reads elements of a tensor. Such calls run eagerly, or with ``fullgraph=True``
    raise ``_dynamo.exc.Unsupported``, which says what and where. Results that require grad have one node for all operations of a call,
    ``CompiledFunctionBackward``, whose backward is replayed as well. There are at most eight plans (``recompile_limit``), one for each
    kind of arguments. ``mode``, ``dynamic`` and ``options`` are checked but have no effect; with a debugging backend or one of the
    program's own, which is not called, nothing is replayed.

    Raises the same errors as PyTorch: AssertionError if ``model`` is not callable, RuntimeError for an unknown mode or backend, for both
    a mode and options, and for a scripted module.

    >>> import minigrad
    >>> @minigrad.compile(mode="reduce-overhead")
    ... def double(x):
    ...     return x * 2
    >>> double(minigrad.ones(2))
    tensor([2., 2.])
    """
    given = {
        "fullgraph": fullgraph,
        "dynamic": dynamic,
        "backend": backend,
        "mode": mode,
        "options": options,
        "disable": disable,
        "recompile_limit": recompile_limit,
    }
    if model is None:
        return functools.partial(_compile, given)
    return _compile(given, model)


def _compile(given, model):
    if model is None:
        raise RuntimeError("Model can't be None")
    jit = __getattr__("_jit")
    if isinstance(model, (jit.ScriptModule, jit.ScriptFunction)):
        raise RuntimeError(
            "torch.compile does not support compiling torch.jit.script or torch.jit.freeze models directly."
        )
    _compiling.check(**given)
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
    if inspect.isclass(model):
        return model
    if isinstance(model, Module):
        return __getattr__("_OptimizedModule")(model, given)
    return _prepared(model, given)


def _prepared(function, given):
    """A function as the settings ``given`` to ``compile`` want it, or those of ``disable``."""
    if "recursive" in given:
        return _compiling.switched_off(function, _capturing, given["recursive"])
    replays, fullgraph = _compiling.replays(given.get("backend")), given.get("fullgraph", False)
    if given.get("disable") or _runs_in_pieces(function) or not (replays or fullgraph):
        return _as_it_is(function)
    return __getattr__("_engine").compiled(function, fullgraph, replays, given.get("recompile_limit"))


def _runs_in_pieces(function):
    """Whether a call of a function begins something that goes on later."""
    return (
        inspect.iscoroutinefunction(function)
        or inspect.isgeneratorfunction(function)
        or inspect.isasyncgenfunction(function)
    )


def _as_it_is(function):
    """The same function, as another object."""

    @functools.wraps(
        function, assigned=[a for a in functools.WRAPPER_ASSIGNMENTS if hasattr(function, a)], updated=()
    )
    def compiled(*args, **kwargs):
        return function(*args, **kwargs)

    compiled._torchdynamo_orig_callable = function
    return compiled


lookup_backend: Any = _compiling.lookup


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """Return the names of the backends that ``compile`` accepts; with ``exclude_tags=None`` also those for debugging.

    >>> import minigrad
    >>> "inductor" in minigrad.compiler.list_backends()
    True
    """
    return sorted(
        name
        for name, debugs in _compiling.BACKENDS.items()
        if not (debugs and "debug" in (exclude_tags or ()))
    )


def set_default_backend(backend: str | Callable[..., Any] | None) -> None:
    """Set the default backend of ``compile``; raise ``InvalidBackend`` for an unknown name.

    >>> import minigrad
    >>> minigrad.compiler.set_default_backend("inductor")
    """
    _compiling.set_default(backend)


def get_default_backend() -> str | Callable[..., Any]:
    """Return the default backend of ``compile``.

    >>> import minigrad
    >>> minigrad.compiler.get_default_backend()
    'inductor'
    """
    return _compiling.default_backend()


def disable(fn: Callable[..., Any] | None = None, recursive: bool = True, *, reason: Any = None) -> Any:
    """Return a function equivalent to ``fn`` that is never replayed, or a decorator without ``fn``. Raises AssertionError if it is not callable.

    Functions called in it are not replayed either, unless ``recursive`` is False, nor are those that call it.

    >>> import minigrad
    >>> minigrad.compiler.disable(len)([1, 2])
    2
    """
    if fn is None:
        return functools.partial(disable, recursive=recursive, reason=reason)
    if not callable(fn):
        raise AssertionError("fn must be callable")
    if isinstance(fn, Module):
        return _lazy.fetch("_OptimizedModule", _later, globals())(fn, {"recursive": recursive})
    if inspect.isclass(fn):
        return fn
    return _compiling.switched_off(fn, _capturing, recursive)


def is_compiling() -> bool:
    """Return whether the program is being compiled: always False.

    >>> import minigrad
    >>> minigrad.compiler.is_compiling()
    False
    """
    return False


def is_dynamo_compiling() -> bool:
    """Return whether the program is being compiled: always False.

    >>> import minigrad
    >>> minigrad.compiler.is_dynamo_compiling()
    False
    """
    return False


def is_exporting() -> bool:
    """Return whether the program is being exported: always False.

    >>> import minigrad
    >>> minigrad.compiler.is_exporting()
    False
    """
    return False


def reset() -> None:
    """Discard the plans of compiled functions, and what kept them from having any.

    >>> import minigrad
    >>> minigrad.compiler.reset()
    """
    _lazy.fetch("_engine", _later, globals()).reset()


def cudagraph_mark_step_begin() -> None:
    """Do nothing: there are no CUDA graphs.

    >>> import minigrad
    >>> minigrad.compiler.cudagraph_mark_step_begin()
    """


def allow_in_graph(fn: Callable[..., Any]) -> Any:
    """Return the function itself, or the list of functions. Raises AssertionError if it is not callable.

    >>> import minigrad
    >>> minigrad.compiler.allow_in_graph(len) is len
    True
    """
    if isinstance(fn, (list, tuple)):
        return [allow_in_graph(each) for each in fn]
    if not callable(fn):
        raise AssertionError("allow_in_graph expects a callable")
    return fn


def assume_constant_result(fn: Callable[..., Any]) -> Any:
    """Return the function itself: its result need not be constant.

    >>> import minigrad
    >>> minigrad.compiler.assume_constant_result(len) is len
    True
    """
    return fn


def substitute_in_graph(
    original_fn: Any, *, can_constant_fold_through: bool = False, skip_signature_check: bool = False
) -> Any:
    """Return a decorator that returns the function itself: the original is called, also in compiled programs.

    Raises TypeError if the parameters differ.

    >>> import minigrad
    >>> @minigrad.compiler.substitute_in_graph(abs, skip_signature_check=True)
    ... def absolute(x):
    ...     return x if x > 0 else -x
    >>> absolute(-2)
    2
    """
    if not callable(original_fn):
        raise TypeError(f"substitute_in_graph expects a function but got {type(original_fn)!r}")

    def decorate(traceable_fn):
        if not skip_signature_check:
            with contextlib.suppress(ValueError):  # some built-in functions have no signature
                theirs, ours = inspect.signature(original_fn), inspect.signature(traceable_fn)
                if [(p.name, p.kind) for p in theirs.parameters.values()] != [
                    (p.name, p.kind) for p in ours.parameters.values()
                ]:
                    raise TypeError(
                        f"Signature mismatch between {original_fn} and {traceable_fn}: {theirs} != {ours}"
                    )
        return traceable_fn

    return decorate


def wrap_numpy(fn: Callable[..., Any]) -> Any:
    """Return a function of tensors that calls ``fn`` with arrays, and converts the arrays it returns to tensors.

    >>> import minigrad
    >>> import numpy as np
    >>> minigrad.compiler.wrap_numpy(np.square)(minigrad.tensor([2., 3.]))
    tensor([4., 9.])
    """
    import numpy as np

    from .._api import Tensor, from_numpy
    from ..utils._pytree import tree_map

    @functools.wraps(fn)
    def wrapped(*args, **kwargs):
        args, kwargs = tree_map(lambda x: x.numpy() if isinstance(x, Tensor) else x, (args, kwargs))
        return tree_map(lambda x: from_numpy(x) if isinstance(x, np.ndarray) else x, fn(*args, **kwargs))

    return wrapped


def nested_compile_region(fn: Callable[..., Any] | None = None, options: Any = None, **kwargs: Any) -> Any:
    """Return a function equivalent to ``fn``, or a decorator without ``fn``.

    >>> import minigrad
    >>> minigrad.compiler.nested_compile_region(len)([1])
    1
    """
    return nested_compile_region if fn is None else (fn if inspect.isclass(fn) else _as_it_is(fn))


class set_stance:
    """What is to happen to what has been compiled: from now on, in a ``with`` block, or in a decorated function.

    ``"force_eager"`` replays nothing, ``"eager_on_recompile"`` makes no further plans, ``"fail_on_recompile"`` raises ``_dynamo.exc.RecompileError`` where one would be made.

    Raises RuntimeError for a stance that there is not.

    >>> import minigrad
    >>> with minigrad.compiler.set_stance("force_eager"):
    ...     minigrad.ones(1)
    tensor([1.])
    """

    def __init__(
        self, stance: str = "default", *, skip_guard_eval_unsafe: bool = False, force_backend: Any = None
    ) -> None:
        if stance not in _compiling.STANCES:
            raise RuntimeError(
                f"invalid torch.compile stance '{stance}': it is one of {', '.join(_compiling.STANCES)}"
            )
        if force_backend is not None and stance != "default":
            raise RuntimeError("non-default stance cannot have force_backend set")
        self.stance = stance
        self._was = _compiling.set_stance(stance)

    def __call__(self, fn: Callable[..., Any]) -> Any:
        _compiling.set_stance(self._was)

        @functools.wraps(fn)
        def inside(*args, **kwargs):
            with type(self)(self.stance):
                return fn(*args, **kwargs)

        return inside

    def __enter__(self) -> None:
        _compiling.set_stance(self.stance)

    def __exit__(self, *error: Any) -> None:
        _compiling.set_stance(self._was)


def set_enable_guard_collectives(enabled: bool) -> Any:
    """Set whether processes agree on recompilations, which has no effect; return the previous setting.

    >>> import minigrad
    >>> minigrad.compiler.set_enable_guard_collectives(False)
    False
    """
    global _guard_collectives
    was, _guard_collectives = _guard_collectives, bool(enabled)
    return was


def save_cache_artifacts() -> None:
    """Return None: there are no compiled artifacts to save.

    >>> import minigrad
    >>> minigrad.compiler.save_cache_artifacts()
    """


def load_cache_artifacts(serialized_artifacts: bytes) -> None:
    """Return None: compiled artifacts of other processes are not used.

    >>> import minigrad
    >>> minigrad.compiler.load_cache_artifacts(b"")
    """


def load_compiled_function(
    file: Any, *, f_globals: dict[str, object] | None = None, external_data: dict[str, Any] | None = None
) -> Callable[..., Any]:
    """Raise NotImplementedError: files of compiled functions cannot be run.

    >>> import minigrad
    >>> try: minigrad.compiler.load_compiled_function(None)
    ... except NotImplementedError: print("no such files")
    no such files
    """
    raise NotImplementedError(
        "minigrad does not compile functions, and cannot run those that PyTorch has compiled"
    )


def _all_kept(guard_entries):
    return [True] * len(guard_entries)


def skip_guard_on_inbuilt_nn_modules_unsafe(guard_entries: Any) -> Any:
    """Return which guards to keep: all.

    >>> import minigrad
    >>> minigrad.compiler.skip_guard_on_inbuilt_nn_modules_unsafe([])
    []
    """
    return _all_kept(guard_entries)


def skip_guard_on_all_nn_modules_unsafe(guard_entries: Any) -> Any:
    """Return which guards to keep: all.

    >>> import minigrad
    >>> minigrad.compiler.skip_guard_on_all_nn_modules_unsafe([])
    []
    """
    return _all_kept(guard_entries)


def skip_guard_on_globals_unsafe(guard_entries: Any) -> Any:
    """Return which guards to keep: all.

    >>> import minigrad
    >>> minigrad.compiler.skip_guard_on_globals_unsafe([])
    []
    """
    return _all_kept(guard_entries)


def skip_all_guards_unsafe(guard_entries: Any) -> Any:
    """Return which guards to keep: none.

    >>> import minigrad
    >>> minigrad.compiler.skip_all_guards_unsafe([])
    []
    """
    return [False] * len(guard_entries)


def keep_tensor_guards_unsafe(guard_entries: Any, keep_parameters: bool = False) -> Any:
    """Return which guards to keep: all.

    >>> import minigrad
    >>> minigrad.compiler.keep_tensor_guards_unsafe([])
    []
    """
    return _all_kept(guard_entries)


def keep_portable_guards_unsafe(guard_entries: Any) -> Any:
    """Return which guards to keep: all.

    >>> import minigrad
    >>> minigrad.compiler.keep_portable_guards_unsafe([])
    []
    """
    return _all_kept(guard_entries)
