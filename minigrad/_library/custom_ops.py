"""``custom_op``: a Python function as an operator."""

import contextlib
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .. import _api
from .._api import _lazy
from . import registry
from .arguments import accepting
from .derivatives import Derivative
from .infer_schema import infer_schema
from .operator import tensors_of
from .overloads import overload_of


def custom_op(
    name: str,
    fn: Callable[..., Any] | None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types: str | Sequence[str] | None = None,
    schema: str | None = None,
    tags: Any = None,
) -> Any:
    """Turn a function into an operator ``ns::name``, also available as ``minigrad.ops.ns.name``; a decorator unless ``fn`` is given.

    Its schema is derived from its annotations (see ``infer_schema``), or given as ``schema``, without a name. ``mutates_args`` names the
    arguments it writes to, or is "unknown". The operator is opaque: operations in it are not recorded, and its derivative is given by
    ``register_autograd``. It must not return a tensor that shares memory with another. ``device_types`` other than "cpu" leave it without
    a kernel here.

    >>> import minigrad, numpy as np
    >>> from minigrad import Tensor
    >>> @minigrad.library.custom_op("example_custom_op::cube", mutates_args=())
    ... def cube(x: Tensor) -> Tensor:
    ...     return minigrad.from_numpy(x.numpy() ** 3)
    >>> def setup(ctx, inputs, output):
    ...     ctx.save_for_backward(*inputs)
    >>> cube.register_autograd(lambda ctx, g: 3 * g * ctx.saved_tensors[0] ** 2, setup_context=setup)
    >>> x = minigrad.tensor([1.0, 2.0], requires_grad=True)
    >>> minigrad.ops.example_custom_op.cube(x).sum().backward()
    >>> x.grad
    tensor([ 3., 12.])
    """

    def make(function):
        text = infer_schema(function, mutates_args=mutates_args) if schema is None else schema
        return CustomOpDef(name, text, function, device_types)

    return make if fn is None else make(fn)


class CustomOpDef:
    """An operator made by ``custom_op``: it can be called, and be given a derivative, batching rules and other kernels.

    >>> import minigrad
    >>> from minigrad import Tensor
    >>> @minigrad.library.custom_op("example_definition::double", mutates_args=())
    ... def double(x: Tensor) -> Tensor:
    ...     return x * 2
    >>> double
    <CustomOpDef(example_definition::double)>
    """

    def __init__(self, name, schema, function, device_types):
        self._qualname = name
        self._namespace, self._name = name.split("::")
        self._init_fn = function
        old = registry.find(name)
        if old is not None:
            if not old.strict:
                raise RuntimeError(f"{name} is an operator already, which was not made by custom_op")
            registry.remove(old)  # a cell of a notebook is executed again
        self._operator = registry.define(f"{name}{schema}", inspect.getsourcefile(function) or "?")
        self._operator.strict = True
        self._module = inspect.getmodule(function)
        devices = [device_types] if isinstance(device_types, str) else device_types
        for device in [None] if devices is None else devices:
            self.register_kernel(device)(function)
        self._operator.first = self._operator.kernels.get("CPU")
        self._opoverload = overload_of(self._operator)

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"

    def __call__(self, /, *args, **kwargs):
        return self._opoverload(*args, **kwargs)

    def register_kernel(self, device_types, fn=None, /):
        """Register ``fn`` as the kernel for one or several device types, or None for all; only "cpu" is ever used. A decorator unless ``fn``
        is given.

        >>> import minigrad
        >>> from minigrad import Tensor
        >>> @minigrad.library.custom_op("example_register_kernel::f", mutates_args=())
        ... def f(x: Tensor) -> Tensor:
        ...     return x.clone()
        >>> _ = f.register_kernel("cpu", lambda x: x * 10)
        >>> f(minigrad.ones(1))
        tensor([10.])
        """
        types = [device_types] if device_types is None or isinstance(device_types, str) else device_types

        def register(function):
            for device in types:
                key = "CPU" if device is None else device_key(device)
                self._operator.kernels[key] = self._apart(function)
            return function

        return register if fn is None else register(fn)

    def _apart(self, function):
        """The function, whose results must not share memory with its arguments."""
        accepted = accepting(function, self._operator.schema)

        def kernel(*args, **kwargs):
            with _api.no_grad():
                result = accepted(*args, **kwargs)
            seen = {x.untyped_storage().data_ptr() for x in _with_memory([*args, *kwargs.values()])}
            for x in _with_memory([result]):
                address = x.untyped_storage().data_ptr()
                if address in seen:
                    raise RuntimeError(
                        f"{self._name} (with implementation in {self._module}): The output of this custom operator (1) must not also be an input to "
                        "this custom operator and (2) may not alias any inputs to this custom operator or other returns. Return a clone of it"
                    )
                seen.add(address)
            return result

        return kernel

    def register_fake(self, fn, /):
        """Register a function that describes the results of the operator: ``fn`` makes empty ones of their shapes, which ``library.opcheck``
        compares. Returns ``fn``.

        >>> import minigrad
        >>> from minigrad import Tensor
        >>> @minigrad.library.custom_op("example_register_fake::f", mutates_args=())
        ... def f(x: Tensor) -> Tensor:
        ...     return x.clone()
        >>> _ = f.register_fake(lambda x: minigrad.empty_like(x))
        >>> minigrad.library.opcheck(f, (minigrad.ones(2),))["test_faketensor"]
        'SUCCESS'
        """
        self._operator.fake = fn
        return fn

    def register_autograd(self, backward, /, *, setup_context=None):
        """Register the derivative: ``backward(ctx, *grads)`` returns a gradient or None for each positional argument.

        ``setup_context(ctx, inputs, output)`` saves in ``ctx`` what it needs; for an operator with keyword-only arguments it also gets
        ``keyword_only_inputs``. Raises RuntimeError for an operator that writes to an argument.

        >>> import minigrad
        >>> from minigrad import Tensor
        >>> @minigrad.library.custom_op("example_register_autograd::double", mutates_args=())
        ... def double(x: Tensor) -> Tensor:
        ...     return x * 2
        >>> double.register_autograd(lambda ctx, g: g * 2)
        >>> x = minigrad.ones(1, requires_grad=True)
        >>> double(x).backward()
        >>> x.grad
        tensor([2.])
        """
        schema = self._operator.schema
        if schema.is_mutable:
            raise RuntimeError(
                f"Cannot register autograd formula for non-functional operator {self} with schema {schema}. "
                "Please create a functional operator and register an autograd formula for that."
            )
        self._operator.derivative = Derivative(backward, setup_context)

    def register_vmap(self, func=None):
        """Register a batching rule: ``func(info, in_dims, *args)`` returns the result and its batch dimension; a decorator unless ``func``
        is given.

        Without a rule the operator is applied sample by sample.

        >>> import minigrad
        >>> from minigrad import Tensor
        >>> @minigrad.library.custom_op("example_register_vmap::double", mutates_args=())
        ... def double(x: Tensor) -> Tensor:
        ...     return x * 2
        >>> _ = double.register_vmap(lambda info, in_dims, x: (double(x), in_dims[0]))
        >>> minigrad.vmap(double)(minigrad.ones(2, 1))
        tensor([[2.],
                [2.]])
        """

        def register(function):
            self._operator.vmap = function
            return function

        return register if func is None else register(func)

    def register_torch_dispatch(self, torch_dispatch_class, fn=None, /):
        """Register what the operator does under a ``TorchDispatchMode`` of this class: ``fn(mode, func, types, args, kwargs)``; a decorator
        unless ``fn`` is given.

        >>> import minigrad
        >>> from minigrad import Tensor
        >>> from minigrad.utils._python_dispatch import TorchDispatchMode
        >>> class Mode(TorchDispatchMode):
        ...     pass
        >>> @minigrad.library.custom_op("example_torch_dispatch::double", mutates_args=())
        ... def double(x: Tensor) -> Tensor:
        ...     return x * 2
        >>> _ = double.register_torch_dispatch(Mode, lambda mode, func, types, args, kwargs: "seen")
        >>> with Mode(): double(minigrad.ones(1))
        'seen'
        """

        def register(function):
            self._operator.torch_dispatch[torch_dispatch_class] = function
            return function

        return register if fn is None else register(fn)

    def register_autocast(self, device_type, cast_inputs):
        """Compute floating-point arguments in the dtype ``cast_inputs`` under ``autocast`` of the device type; raise ValueError unless it is
        "cpu" or "cuda".

        >>> import minigrad
        >>> from minigrad import Tensor
        >>> @minigrad.library.custom_op("example_register_autocast::double", mutates_args=())
        ... def double(x: Tensor) -> Tensor:
        ...     return x * 2
        >>> double.register_autocast("cpu", minigrad.float16)
        >>> with minigrad.autocast("cpu"): double(minigrad.ones(1))
        tensor([2.], dtype=torch.float16)
        """
        if device_type not in ("cpu", "cuda"):
            raise ValueError(f"Unknown device type: {device_type}")
        if device_type == "cpu":
            self._operator.autocast = cast_inputs

    @contextlib.contextmanager
    def set_kernel_enabled(self, device_type, enabled=True):
        """Use the kernel registered for a device type within a ``with`` block or, if not ``enabled``, the function given to ``custom_op``.

        >>> import minigrad
        >>> from minigrad import Tensor
        >>> @minigrad.library.custom_op("example_kernel_enabled::f", mutates_args=())
        ... def f(x: Tensor) -> Tensor:
        ...     return x.clone()
        >>> _ = f.register_kernel("cpu", lambda x: x * 10)
        >>> with f.set_kernel_enabled("cpu", False): f(minigrad.ones(1))
        tensor([1.])
        """
        disabled = self._operator.disabled
        before = set(disabled)
        (disabled.discard if enabled else disabled.add)(device_type)
        try:
            yield
        finally:
            disabled.clear()
            disabled.update(before)


def _with_memory(values):
    return [x for x in tensors_of(_flat(values)) if x.numel()]


def _flat(values):
    for value in values:
        if isinstance(value, (tuple, list)):
            yield from _flat(value)
        else:
            yield value


def device_key(device):
    """The dispatch key of a type of devices."""
    return {
        "cpu": "CPU",
        "cuda": "CUDA",
        "meta": "Meta",
        "mps": "MPS",
        "xpu": "XPU",
        "hpu": "HPU",
        "mtia": "MTIA",
    }.get(device, "PrivateUse1")


_lazy.publish("minigrad.library", custom_op)
