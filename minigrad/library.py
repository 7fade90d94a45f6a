"""Operators that programs define: ``custom_op`` makes one of a function, ``Library`` of a schema and kernels; they are ``minigrad.ops.ns.name``."""

import sys
import warnings
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ._api import _lazy
from ._base.dtypes import dtype as _dtype
from ._base.missing import getattr_of as _getattr_of
from ._library import registry as _registry
from ._library.custom_ops import CustomOpDef as _CustomOpDef
from ._library.custom_ops import custom_op
from ._library.custom_ops import device_key as _device_key
from ._library.derivatives import Derivative as _Derivative
from ._library.infer_schema import infer_schema
from ._library.opcheck import FakeImplCtx, OpCheckError, get_ctx, opcheck
from ._library.overloads import CustomOverload as _CustomOverload

__all__ = [
    "FakeImplCtx",
    "Library",
    "OpCheckError",
    "custom_op",
    "define",
    "fallthrough_kernel",
    "get_ctx",
    "get_kernel",
    "impl",
    "impl_abstract",
    "infer_schema",
    "opcheck",
    "register_autocast",
    "register_autograd",
    "register_fake",
    "register_kernel",
    "register_torch_dispatch",
    "register_vmap",
    "triton_op",
    "wrap_triton",
]
_publish = _lazy.publish
_publish("minigrad.library", _CustomOpDef)
#: The libraries of ``define`` and ``impl``, which last as long as the program.
_kept: list[Any] = []


class Library:
    """A namespace of operators and kernels, which last as long as this object.

    ``kind`` is "DEF" (one for each namespace), "FRAGMENT", or "IMPL" for kernels only. ``dispatch_key`` is the default key of ``impl``.

    >>> import minigrad
    >>> library = minigrad.library.Library("example_library", "DEF")
    >>> library.define("scale(Tensor x, float factor=2.0) -> Tensor")
    'scale'
    >>> library.impl("scale", lambda x, factor: x * factor, "CPU")
    >>> minigrad.ops.example_library.scale(minigrad.ones(2))
    tensor([2., 2.])
    """

    ns: Any
    kind: Any
    dispatch_key: str

    def __init__(self, ns: Any, kind: Any, dispatch_key: str = "") -> None:
        _registry.begin_library(ns, kind)
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self._undo = [lambda: _registry.end_library(ns, kind)]
        self._finalizer = weakref.finalize(self, _undo_all, self._undo)

    def __repr__(self) -> str:
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"

    def define(self, schema: Any, alias_analysis: str = "", *, tags: Any = ()) -> Any:
        """Define an operator by its schema, which begins with its name, and return the name.

        Raises RuntimeError if it exists already, or for an invalid schema.

        >>> import minigrad
        >>> library = minigrad.library.Library("example_define", "FRAGMENT")
        >>> library.define("nothing(Tensor(a!) x) -> ()")
        'nothing'
        >>> print(minigrad.ops.example_define.nothing.default._schema)
        example_define::nothing(Tensor(a!) x) -> ()
        """
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"Invalid alias_analysis type {alias_analysis}")
        name = schema.partition("(")[0].strip()
        if self.kind == "IMPL":
            raise RuntimeError(
                f'def("{name}"): Cannot define an operator inside of a TORCH_LIBRARY_IMPL block. Make a Library of the kind "FRAGMENT"'
            )
        caller = sys._getframe(1)
        operator = _registry.define(f"{self.ns}::{schema}", f"{caller.f_code.co_filename}:{caller.f_lineno}")
        self._undo.append(lambda: _registry.remove(operator))
        return name

    def impl(
        self,
        op_name: Any,
        fn: Callable[..., Any],
        dispatch_key: str = "",
        *,
        with_keyset: bool = False,
        allow_override: bool = False,
    ) -> None:
        """Register a kernel for an operator: for "CPU" or "CompositeExplicitAutograd", whose operations are recorded;
        "CompositeImplicitAutograd" (the default), the same; "Autograd".

        A kernel for "Autograd" is called instead of the others while an argument requires grad and operations are recorded; in its own
        Function's ``forward`` the operator is the other kernel. Raises RuntimeError for an unknown key, and for a second kernel for the
        same key in the same library without ``allow_override``.

        >>> import minigrad
        >>> library = minigrad.library.Library("example_impl", "DEF")
        >>> _ = library.define("twice(Tensor x) -> Tensor")
        >>> library.impl("twice", lambda x: x + x)
        >>> minigrad.ops.example_impl.twice(minigrad.ones(1))
        tensor([2.])
        """
        if not callable(fn):
            raise TypeError(f"Input function is required to be a callable but found type {type(fn)}")
        if with_keyset:
            raise NotImplementedError("minigrad has no dispatch keysets: with_keyset must be False")
        name = op_name if isinstance(op_name, str) else op_name._schema.name.partition("::")[2]
        if not isinstance(op_name, str) and op_name._schema.overload_name:
            name += f".{op_name._schema.overload_name}"
        name = name.removeprefix(f"{self.ns}::")
        key = dispatch_key or self.dispatch_key or "CompositeImplicitAutograd"
        if fn is fallthrough_kernel:
            return
        qualname = f"{self.ns}::{name}"
        operator = _registry.find(qualname)
        if operator is None and self.ns in ("aten", "prim", "profiler"):
            raise NotImplementedError(f"the kernels of built-in operators can't be replaced: {qualname}")
        if operator is not None and key in operator.kernels and not allow_override:
            warnings.warn(
                f"Overriding a previously registered kernel for the same operator and the same dispatch key: {qualname}, {key}",
                stacklevel=2,
            )
        self._undo.append(_registry.implement(qualname, key, fn))

    def _register_fake(self, op_name, fn, _stacklevel=1, *, allow_override=True):
        operator = _registry.known(f"{self.ns}::{op_name}")
        operator.fake = fn
        return fn

    def fallback(self, fn: Callable[..., Any], dispatch_key: str = "", *, with_keyset: bool = False) -> Any:
        """Raise an error: kernels for all operators at once are not supported.

        >>> import minigrad
        >>> minigrad.library.Library("example_fallback", "IMPL").fallback(print)
        Traceback (most recent call last):
        NotImplementedError: kernels for all operators of a namespace are not supported: register one for each
        """
        raise NotImplementedError(
            "kernels for all operators of a namespace are not supported: register one for each"
        )

    def _destroy(self):
        """Take back all that this library has registered."""
        self._finalizer()


def _undo_all(undo):
    while undo:
        undo.pop()()


def fallthrough_kernel() -> Any:
    """Stand for "no kernel" in ``Library.impl``. It is never called.

    >>> import minigrad
    >>> minigrad.library.fallthrough_kernel()
    Traceback (most recent call last):
    NotImplementedError: fallthrough_kernel() should never be called.
    """
    raise NotImplementedError("fallthrough_kernel() should never be called.")


def get_kernel(op: Any, dispatch_key: Any) -> Any:
    """Return the kernel of an operator, a name such as ``"aten::add.Tensor"`` or one of ``ops``, for a key: "CPU", whose operations are not recorded, or "AutogradCPU".

    Its ``call_boxed(keys, ...)`` computes the operator.  RuntimeError if there is no such operator, ValueError for what is neither a name nor an operator, or
    for an unknown key, NotImplementedError for another device's.

    >>> import minigrad
    >>> kernel = minigrad.library.get_kernel("aten::add.Tensor", "CPU")
    >>> keys = minigrad._C.DispatchKeySet(minigrad._C.DispatchKey.CPU)
    >>> kernel.call_boxed(keys, minigrad.ones(2), minigrad.ones(2), alpha=2)
    tensor([3., 3.])
    """
    from ._library.kernels import get_kernel as kernel_of  # only now: most programs never need it

    return kernel_of(op, dispatch_key)


def define(qualname: Any, schema: Any, *, lib: Any = None, tags: Any = ()) -> None:
    """Define an operator ``ns::name`` by its schema without a name, for the rest of the program or the lifetime of ``lib``.

    Raises ValueError for a name without a namespace, and for a schema that does not begin with a parenthesis.

    >>> import minigrad
    >>> minigrad.library.define("example_function_define::sin", "(Tensor x) -> Tensor")
    >>> minigrad.library.impl("example_function_define::sin", "cpu", lambda x: x.sin())
    >>> minigrad.ops.example_function_define.sin(minigrad.zeros(1))
    tensor([0.])
    """
    name, _ = _registry.split(qualname)
    if not schema.startswith("("):
        raise ValueError(
            f'define(qualname, schema, ...): expected schema to look like e.g. "(Tensor x) -> Tensor" but got "{schema}"'
        )
    own = _library(name, lib)
    own.define(f"{qualname.partition('::')[2]}{schema}")


def _library(name, lib):
    if lib is not None:
        return lib
    lib = Library(name.partition("::")[0], "FRAGMENT")
    _kept.append(lib)
    return lib


def impl(
    qualname: str, types: str | Sequence[str], func: Callable[..., Any] | None = None, *, lib: Any = None
) -> object:
    """Register a kernel for the operator ``ns::name``, for one or several device types or "default", or in a ``Library``; a decorator unless
    ``func`` is given.

    >>> import minigrad
    >>> minigrad.library.define("example_function_impl::sin", "(Tensor x) -> Tensor")
    >>> @minigrad.library.impl("example_function_impl::sin", "default")
    ... def sin(x):
    ...     return x.sin()
    >>> minigrad.ops.example_function_impl.sin(minigrad.zeros(1))
    tensor([0.])
    """
    if isinstance(qualname, Library):  # impl(lib, name, dispatch_key)
        library, name, key = qualname, types, func if isinstance(func, str) else ""

        def register_in(function):
            library.impl(name, function, key)
            return function

        return register_in
    name, _ = _registry.split(qualname)
    kinds = [types] if isinstance(types, str) else types
    keys = {"CompositeExplicitAutograd" if kind == "default" else _device_key(kind) for kind in kinds}

    def register(function):
        own = _library(name, lib)
        for key in keys:
            own.impl(qualname.partition("::")[2], function, key, allow_override=True)

    return register if func is None else register(func)


def _operator(op, function):
    """The operator that an argument stands for: a name, one of ``ops``, or of ``custom_op``."""
    if isinstance(op, _CustomOpDef):
        return op._operator
    if isinstance(op, _CustomOverload):
        return op._operator
    if not isinstance(op, str):
        raise ValueError(f"{function}({op}): got unexpected type for op: {type(op)}")
    return _registry.known(op)


def register_kernel(
    op: Any,
    device_types: str | Sequence[str] | None,
    func: Callable[..., Any] | None = None,
    /,
    *,
    lib: Any = None,
) -> Any:
    """Register another kernel of an operator for one or several device types, or None for all; a decorator unless ``func`` is given.

    >>> import minigrad
    >>> minigrad.library.define("example_register::f", "(Tensor x) -> Tensor")
    >>> minigrad.library.register_kernel("example_register::f", "cpu", lambda x: x + 1)
    >>> minigrad.ops.example_register.f(minigrad.zeros(1))
    tensor([1.])
    """
    if isinstance(op, _CustomOpDef):
        return (
            op.register_kernel(device_types, func) if func is not None else op.register_kernel(device_types)
        )
    operator = _operator(op, "register_kernel")
    return impl(operator.name, "default" if device_types is None else device_types, func, lib=lib)


def register_autocast(op: Any, device_type: str, cast_inputs: _dtype, /, *, lib: Any = None) -> None:
    """Compute floating-point arguments of an operator in the dtype ``cast_inputs`` under ``autocast``; see ``CustomOpDef.register_autocast``.

    >>> import minigrad
    >>> minigrad.library.define("example_autocast::f", "(Tensor x) -> Tensor")
    >>> minigrad.library.impl("example_autocast::f", "cpu", lambda x: x + 1)
    >>> minigrad.library.register_autocast("example_autocast::f", "cpu", minigrad.bfloat16)
    >>> with minigrad.autocast("cpu"): minigrad.ops.example_autocast.f(minigrad.zeros(1)).dtype
    torch.bfloat16
    """
    if device_type not in ("cpu", "cuda"):
        raise ValueError(f"Unknown device type: {device_type}")
    if device_type == "cpu":
        _operator(op, "register_autocast").autocast = cast_inputs


def register_fake(
    op: Any,
    func: Callable[..., Any] | None = None,
    /,
    *,
    lib: Any = None,
    _stacklevel: int = 1,
    allow_override: bool = True,
) -> Any:
    """Register a function that describes the results of an operator: ``func`` makes empty ones, which ``opcheck`` compares.

    A decorator unless ``func`` is given. The operator may be defined later: packages describe operators of their compiled libraries,
    which minigrad does not load.

    >>> import minigrad
    >>> minigrad.library.define("example_fake::f", "(Tensor x) -> Tensor")
    >>> @minigrad.library.register_fake("example_fake::f")
    ... def f(x):
    ...     return minigrad.empty_like(x)
    """
    name = op if isinstance(op, str) else _operator(op, "register_fake").name

    def register(function):
        _registry.describe_results(name, function)
        return function

    return register if func is None else register(func)


def impl_abstract(
    qualname: Any, func: Callable[..., Any] | None = None, *, lib: Any = None, _stacklevel: int = 1
) -> Any:
    """A deprecated name for ``register_fake``.

    >>> import minigrad
    >>> minigrad.library.define("example_abstract::f", "(Tensor x) -> Tensor")
    >>> _ = minigrad.library.impl_abstract("example_abstract::f", lambda x: minigrad.empty_like(x))
    """
    warnings.warn(
        "`torch.library.impl_abstract` was renamed to `torch.library.register_fake`. The old name is deprecated",
        FutureWarning,
        stacklevel=2,
    )
    return register_fake(qualname, func, lib=lib)


def register_autograd(
    op: Any,
    backward: Callable[..., Any],
    /,
    *,
    setup_context: Callable[..., Any] | None = None,
    lib: Any = None,
) -> None:
    """Register the derivative of an operator, ``backward(ctx, *grads)``; see ``CustomOpDef.register_autograd``.

    >>> import minigrad
    >>> minigrad.library.define("example_autograd::double", "(Tensor x) -> Tensor")
    >>> minigrad.library.impl("example_autograd::double", "cpu", lambda x: x * 2)
    >>> minigrad.library.register_autograd("example_autograd::double", lambda ctx, g: g * 2)
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> minigrad.ops.example_autograd.double(x).backward()
    >>> x.grad
    tensor([2.])
    """
    if isinstance(op, _CustomOpDef):
        op.register_autograd(backward, setup_context=setup_context)
        return
    operator = _operator(op, "register_autograd")
    if operator.schema.is_mutable:
        raise RuntimeError(
            f"Cannot register autograd formula for non-functional operator {operator.name} with schema {operator.schema}. "
            "Please create a functional operator and register an autograd formula for that."
        )
    if any(argument.kwarg_only and argument.is_tensors for argument in operator.schema.arguments):
        raise NotImplementedError(
            f"register_autograd with kwarg-only Tensor args. In the original definition of the op, please make your tensors not kwarg-only. "
            f"Got: {operator.schema}"
        )
    operator.derivative = _Derivative(backward, setup_context)


def register_vmap(op: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None) -> Any:
    """Register the batching rule of an operator, ``func(info, in_dims, *args)``; see ``CustomOpDef.register_vmap``.

    >>> import minigrad
    >>> minigrad.library.define("example_vmap::double", "(Tensor x) -> Tensor")
    >>> minigrad.library.impl("example_vmap::double", "cpu", lambda x: x * 2)
    >>> _ = minigrad.library.register_vmap("example_vmap::double", lambda info, in_dims, x: (x * 2, in_dims[0]))
    >>> minigrad.vmap(minigrad.ops.example_vmap.double)(minigrad.ones(3))
    tensor([2., 2., 2.])
    """
    operator = _operator(op, "register_vmap")

    def register(function):
        operator.vmap = function
        return function

    return register if func is None else register(func)


def register_torch_dispatch(
    op: Any, torch_dispatch_class: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None
) -> Any:
    """Register what an operator does under a dispatch mode of a class; see ``CustomOpDef.register_torch_dispatch``.

    >>> import minigrad
    >>> from minigrad.utils._python_dispatch import TorchDispatchMode
    >>> class Mode(TorchDispatchMode):
    ...     pass
    >>> minigrad.library.define("example_dispatch::f", "(Tensor x) -> Tensor")
    >>> _ = minigrad.library.register_torch_dispatch("example_dispatch::f", Mode, lambda mode, func, types, args, kwargs: "seen")
    >>> with Mode(): minigrad.ops.example_dispatch.f(minigrad.ones(1))
    'seen'
    """
    operator = _operator(op, "register_torch_dispatch")

    def register(function):
        operator.torch_dispatch[torch_dispatch_class] = function
        return function

    return register if func is None else register(func)


def triton_op(
    name: str,
    fn: Callable[..., Any] | None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    schema: str | None = None,
) -> Callable[..., Any]:
    """Raise an error: Triton's kernels run on GPUs. Use ``custom_op`` for any other function.

    >>> import minigrad
    >>> minigrad.library.triton_op("example::f", print, mutates_args=())
    Traceback (most recent call last):
    NotImplementedError: triton_op: Triton's kernels need a GPU; custom_op makes an operator of any function
    """
    raise NotImplementedError(
        "triton_op: Triton's kernels need a GPU; custom_op makes an operator of any function"
    )


def wrap_triton(triton_kernel: Callable[..., Any], /) -> Any:
    """Raise an error: Triton's kernels run on GPUs.

    >>> import minigrad
    >>> minigrad.library.wrap_triton(print)
    Traceback (most recent call last):
    NotImplementedError: wrap_triton: Triton's kernels need a GPU
    """
    raise NotImplementedError("wrap_triton: Triton's kernels need a GPU")


_lazy.publish_all(globals())


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
