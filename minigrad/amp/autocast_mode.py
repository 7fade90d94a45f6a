"""``autocast``: inside, products of matrices and convolutions are computed in bfloat16 or float16, losses in float32."""

import functools
import threading
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from .. import _api
from .._base.dtypes import bfloat16, float16, float64
from .._base.dtypes import dtype as _dtype
from .._core.modes import thread_state
from .._ops import autocasting

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]


#: Type of device -> the dtype that its tensors are cast to.
_DTYPES = {
    **dict.fromkeys(("cpu", "hpu", "maia", "xla"), bfloat16),
    **dict.fromkeys(("cuda", "ipu", "mps", "mtia", "privateuseone", "xpu"), float16),
}


def _device_type(device_type):
    """The type of a device that is named by a string; raises RuntimeError for what is none."""
    return _api.device(device_type).type


class _Choices(threading.local):
    """What ``_settings`` has been told, in each thread: kind of device -> whether it is on, and the dtype."""

    def __init__(self):
        self.enabled, self.dtypes = {}, {}


choices = _Choices()


def known_kind(device_type):
    """Return the type of a device for which there is autocast; raises RuntimeError for another."""
    kind = _device_type(device_type)
    if kind not in _DTYPES:
        raise RuntimeError("unknown device type for autocast in get_autocast_dispatch_key_from_device_type")
    return kind


def is_autocast_available(device_type: str) -> bool:
    """Return whether PyTorch has autocast rules for this device type, whether or not there is such a device.

    >>> import minigrad
    >>> minigrad.amp.is_autocast_available("cpu")
    True
    """
    return _device_type(device_type) in _DTYPES


def is_autocast_enabled(device_type: str = "cuda", /) -> Any:
    """Return whether this thread is inside ``autocast`` for a device type; without one, for CUDA, which is never enabled.

    >>> import minigrad
    >>> minigrad.is_autocast_enabled("cpu")
    False
    """
    kind = _device_type(device_type)
    if kind == "cpu":
        return autocasting.current_dtype() is not None
    return choices.enabled.get(kind, False)


def is_autocast_cache_enabled() -> Any:
    """Return whether autocast converts each weight only once: True, unless a block says otherwise.

    >>> import minigrad
    >>> minigrad.is_autocast_cache_enabled()
    True
    """
    return thread_state.autocast is None or thread_state.autocast.caching


def get_autocast_dtype(device_type: Any, /) -> Any:
    """Return the dtype that autocast uses: bfloat16 for the CPU, unless a block says otherwise; raise RuntimeError for a device type without
    autocast.

    >>> import minigrad
    >>> minigrad.get_autocast_dtype("cpu")
    torch.bfloat16
    """
    kind = _device_type(device_type)
    if kind not in _DTYPES:
        raise RuntimeError("unsupported scalarType")
    block = thread_state.autocast if kind == "cpu" else None
    return (block and block.lower) or choices.dtypes.get(kind, _DTYPES[kind])


def _old_question(name, new, kind):
    """A function of the time when each kind of device had questions of its own."""

    def ask():
        answer = new(kind)
        warnings.warn(
            f"torch.{name}() is deprecated. Please use torch.{new.__name__}('{kind}') instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        return answer

    ask.__name__ = ask.__qualname__ = name
    ask.__annotations__ = {"return": new.__annotations__["return"]}
    ask.__doc__ = f"""A deprecated form of ``{new.__name__}("{kind}")``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.{name}() == minigrad.{new.__name__}("{kind}")
    True
    """
    return ask


is_autocast_cpu_enabled: Any = _old_question("is_autocast_cpu_enabled", is_autocast_enabled, "cpu")
is_autocast_ipu_enabled: Any = _old_question("is_autocast_ipu_enabled", is_autocast_enabled, "ipu")
is_autocast_xla_enabled: Any = _old_question("is_autocast_xla_enabled", is_autocast_enabled, "xla")
get_autocast_cpu_dtype: Any = _old_question("get_autocast_cpu_dtype", get_autocast_dtype, "cpu")
get_autocast_gpu_dtype: Any = _old_question("get_autocast_gpu_dtype", get_autocast_dtype, "cuda")
get_autocast_ipu_dtype: Any = _old_question("get_autocast_ipu_dtype", get_autocast_dtype, "ipu")
get_autocast_xla_dtype: Any = _old_question("get_autocast_xla_dtype", get_autocast_dtype, "xla")


class autocast:
    """Compute matrix products and convolutions in ``dtype``, and losses in float32, within a block or a decorated function.

    ``dtype`` is bfloat16 (which needs the ``ml_dtypes`` package) or float16; anything else warns and disables autocast. Device types that
    are not available are accepted, ``"cuda"`` with a warning, and have no effect. float64 is never converted.

    >>> import minigrad
    >>> x = minigrad.ones(2, 2)
    >>> with minigrad.autocast("cpu", dtype=minigrad.float16):
    ...     (x @ x).dtype, (x + x).dtype
    (torch.float16, torch.float32)
    """

    device: str
    fast_dtype: Any

    def __init__(
        self,
        device_type: str,
        dtype: _dtype | None = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device = _device_type(device_type)
        usual = get_autocast_dtype(device_type)  # raises RuntimeError where nothing can be cast
        self.fast_dtype = usual if dtype is None else dtype
        self._cache_enabled = is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        if self.device == "cuda" and enabled:
            warnings.warn("CUDA is not available or torch_xla is imported. Disabling autocast.", stacklevel=2)
            enabled = False
        if self.device == "cpu" and enabled and self.fast_dtype not in (bfloat16, float16):
            warnings.warn(
                "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                "CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently.",
                stacklevel=2,
            )
            enabled = False
        self._enabled = enabled
        self._blocks = []

    def __enter__(self) -> Any:
        if self.device == "cpu":
            dtype = self.fast_dtype if self._enabled else None
            if dtype is not None:
                _api.empty(0, dtype=dtype)  # raises now, not at the first product, if it needs a package
            block = autocasting.Autocast(dtype, self._cache_enabled, is_public=True, lower=self.fast_dtype)
            block.__enter__()
            self._blocks.append(block)
        return self

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> Any:
        if self._blocks:
            self._blocks.pop().__exit__(exc_type, exc_val, exc_tb)
        return False

    def __call__(self, func: Callable[..., Any]) -> Any:
        """``func`` inside this block."""

        @functools.wraps(func)
        def decorated(*args, **kwargs):
            with self:
                return func(*args, **kwargs)

        return decorated


# Custom functions ----------------------------------------------------------------------------------------------------------------


def _cast(value, dtype):
    """The tensors in a container in another dtype, unless they are of float64 or no floating one."""
    if isinstance(value, _api.Tensor):
        return value.to(dtype) if value.is_floating_point() and value.dtype is not float64 else value
    if isinstance(value, Mapping):
        return {_cast(k, dtype): _cast(v, dtype) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_cast(v, dtype) for v in value])
    return value


def custom_fwd(fwd: Any = None, *, device_type: str, cast_inputs: _dtype | None = None) -> Any:
    """Decorate the ``forward`` of an ``autograd.Function``: with ``cast_inputs``, it runs outside autocast on tensors of that dtype.

    Use it together with ``custom_bwd``. Raises ValueError if ``device_type`` is not a string.

    >>> import minigrad
    >>> class Square(minigrad.autograd.Function):
    ...     @staticmethod
    ...     @minigrad.amp.custom_fwd(device_type="cpu", cast_inputs=minigrad.float32)
    ...     def forward(ctx, x):
    ...         return x @ x
    >>> with minigrad.autocast("cpu"): y = Square.apply(minigrad.ones(2, 2))
    >>> y.dtype
    torch.float32
    """
    _check_string(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(ctx, *args, **kwargs):
        ctx._dtype = get_autocast_dtype(device_type)
        inside = is_autocast_enabled(device_type)
        ctx._fwd_used_autocast = inside and cast_inputs is None
        if not inside or cast_inputs is None:
            return fwd(ctx, *args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(ctx, *_cast(args, cast_inputs), **_cast(kwargs, cast_inputs))

    return decorated


def custom_bwd(bwd: Any = None, *, device_type: str) -> Any:
    """Decorate the ``backward`` of an ``autograd.Function``: it runs inside autocast if the ``forward`` did; see ``custom_fwd``.

    >>> import minigrad
    >>> class Double(minigrad.autograd.Function):
    ...     @staticmethod
    ...     @minigrad.amp.custom_fwd(device_type="cpu")
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     @minigrad.amp.custom_bwd(device_type="cpu")
    ...     def backward(ctx, g):
    ...         return g * 2
    >>> x = minigrad.ones(2, requires_grad=True)
    >>> Double.apply(x).sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """
    _check_string(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(ctx, *args, **kwargs):
        with autocast(device_type, enabled=ctx._fwd_used_autocast, dtype=ctx._dtype):
            return bwd(ctx, *args, **kwargs)

    return decorated


def _check_string(device_type):
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
