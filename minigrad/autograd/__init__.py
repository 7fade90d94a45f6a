"""Automatic differentiation: ``backward`` and ``grad``, grad modes, custom Functions."""

from .._core import lazy as _lazy
from .._core.saved import SavedTensor
from .._core.switch import here as _here
from . import graph
from .anomaly_mode import detect_anomaly, set_detect_anomaly
from .differentiate import _calculate_shape, _get_sequence_nr, _is_checkpoint_valid, backward, grad
from .function import Function, NestedIOFunction
from .grad_mode import (
    _force_original_view_tracking,
    _unsafe_preserve_version_counter,
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    is_multithreading_enabled,
    is_view_replay_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from .gradcheck import gradcheck, gradgradcheck

#: Imported when first used.
_later = _lazy.places(
    {
        "autograd.functional": "functional=",
        "autograd.variable": "Variable variable=",
        "autograd.profiler": (
            "profiler= kineto_available _record_function_with_args_enter _record_function_with_args_exit _supported_activities"
        ),
        "autograd.profiler_legacy": "profiler_legacy=",
        "autograd.profiler_util": "profiler_util=",
        "autograd._profiler.kinds": "DeviceType ProfilerActivity ProfilerState",
    }
)


def _profiler_enabled():
    """Whether a profiler is on in this thread."""
    return _here.profiler is not None


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())


__all__ = [
    "Function",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "enforce_grad_layout_policy",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
]
