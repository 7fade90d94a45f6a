"""The few names below PyTorch's public API that programs about autograd reach for: ``torch._C``."""

from types import SimpleNamespace

from .. import fft, linalg, special
from .._api import Generator, _convert
from .._api import device as _device
from .._api import preserve_format as _preserve_format
from .._core import saved_hooks
from .._core.modes import set_recording, thread_state
from .._core.overriding import disabled as _disabled_torch_function_impl
from .._core.overriding import pop_mode, push_mode
from .._core.tensor import Tensor
from .._dispatch_keys import DispatchKey, DispatchKeySet, exclude_keys
from .._serialization.file_reader import PyTorchFileReader
from ..autograd.grad_mode import is_multithreading_enabled, is_view_replay_enabled
from ..autograd.refusal import refusing
from ..autograd.undefined import UndefinedGrad
from ..nn import functional
from ..overrides import DisableTorchFunction, DisableTorchFunctionSubclass, has_torch_function

__all__ = [
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "DispatchKey",
    "DispatchKeySet",
    "Generator",
    "PyTorchFileReader",
    "TensorBase",
    "_disabled_torch_function_impl",
]

TensorBase = Tensor
_ExcludeDispatchKeyGuard = exclude_keys
_TensorMeta = type(Tensor)
_is_multithreading_enabled = is_multithreading_enabled
_is_view_replay_enabled = is_view_replay_enabled


# Who overrides functions -----------------------------------------------------------------------------------------------------


def _is_torch_function_enabled():
    """Whether operands of this thread's calls are asked for their ``__torch_function__``."""
    return thread_state.overrides


def _is_torch_function_all_disabled():
    """Whether neither operands nor modes are asked in this thread."""
    return not (thread_state.overrides or thread_state.asks_modes)


def _is_torch_function_mode_enabled():
    """Whether a function mode is on in this thread, and asked."""
    return bool(thread_state.function_modes) and thread_state.asks_modes


def _len_torch_function_stack():
    """How many function modes are on in this thread."""
    return len(thread_state.function_modes)


def _get_function_stack_at(level):
    """Function mode number ``level`` of this thread, counted from the outermost."""
    return thread_state.function_modes[level]


_push_on_torch_function_stack = push_mode
_pop_torch_function_stack = pop_mode


def _has_torch_function(args):
    """Whether one of ``args``, or a mode, is to be asked."""
    return has_torch_function(args)


def _has_torch_function_unary(arg):
    """Whether ``arg``, or a mode, is to be asked."""
    return has_torch_function((arg,))


def _has_torch_function_variadic(*args):
    """Whether one of the arguments, or a mode, is to be asked."""
    return has_torch_function(args)


# Gradients, and who waits for them -----------------------------------------------------------------------------------------


def _set_grad_enabled(mode):
    """Switch grad mode of this thread."""
    set_recording(bool(mode))


def _current_graph_task_id():
    """A number of the backward pass that runs in this thread; -1 if none does."""
    return -1 if thread_state.run is None else id(thread_state.run)


def _will_engine_execute_node(node):
    """Whether the backward pass that runs in this thread reaches ``node``; raises RuntimeError outside of one."""
    if thread_state.run is None:
        raise RuntimeError("_get_should_execute_nodes should only be called during the backward pass")
    return thread_state.run.reaches(node)


# Hooks on saved tensors ----------------------------------------------------------------------------------------------------


def _saved_tensors_hooks_is_enabled():
    return thread_state.why_no_hooks is None


def _saved_tensors_hooks_disable(error_message, fail_if_non_empty=True):
    saved_hooks.disable(error_message)


def _saved_tensors_hooks_enable():
    saved_hooks.disable(None)


_autograd = SimpleNamespace(
    _saved_tensors_hooks_is_enabled=_saved_tensors_hooks_is_enabled,
    _saved_tensors_hooks_disable=_saved_tensors_hooks_disable,
    _saved_tensors_hooks_enable=_saved_tensors_hooks_enable,
    _push_saved_tensors_default_hooks=saved_hooks.push,
    _pop_saved_tensors_default_hooks=saved_hooks.pop,
)


# Functions under the names that they have in PyTorch's C++ -------------------------------------------------------------------


class _BuiltIn:
    """The functions of a module, with a prefix before their names: ``_linalg.linalg_norm`` is ``linalg.norm``."""

    def __init__(self, module, prefix):
        self._module, self._prefix = module, prefix

    def __getattr__(self, name):
        found = (
            getattr(self._module, name.removeprefix(self._prefix), None)
            if name.startswith(self._prefix)
            else None
        )
        if found is None:
            raise AttributeError(f"there is no function {name} among those of {self._module.__name__}")
        return found


class _OfLayers:
    """The functions of ``nn.functional`` that PyTorch has from C++, and those that its others call."""

    _words = "avg_pool2d avg_pool3d elu_ gelu hardtanh_ leaky_relu_ linear one_hot scaled_dot_product_attention softplus softshrink"
    _SAME = {**{name: name for name in _words.split()}, "log_sigmoid": "logsigmoid"}

    def __getattr__(self, name):
        if name in self._SAME:
            return getattr(functional, self._SAME[name])
        if name == "_parse_to":
            return _parse_to
        from .. import _c_names

        return getattr(_c_names.find("_nn"), name)


def _parse_to(*args, **kwargs):
    """(device, dtype, non_blocking, memory_format) from the arguments of ``Module.to``; None for what was not given."""
    device, dtype, _, memory_format = _convert.parse_to(args, kwargs)
    device = None if device is None else _device(device)
    return (
        device,
        dtype,
        bool(kwargs.get("non_blocking")),
        None if memory_format is _preserve_format else memory_format,
    )


_nn = _OfLayers()
_fft, _linalg, _special = _BuiltIn(fft, "fft_"), _BuiltIn(linalg, "linalg_"), _BuiltIn(special, "special_")


# Functions to test with ----------------------------------------------------------------------------------------------------


class DelayedError:
    """``DelayedError(message, n)(*tensors)`` are the tensors, whose backward raises RuntimeError with the message."""

    def __init__(self, message, n):
        self.message, self.n = message, n

    def __call__(self, *tensors):
        made = refusing(tensors, self.message)
        return made[0] if len(made) == 1 else made


_functions = SimpleNamespace(UndefinedGrad=UndefinedGrad, DelayedError=DelayedError)


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from .. import _c_names

    return _c_names.find(name)
