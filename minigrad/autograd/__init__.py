"""Automatic differentiation: ``backward`` and ``grad``, grad modes, custom Functions."""

from typing import TYPE_CHECKING

from .._base import lazy as _lazy
from .._core.modes import thread_state as _thread_state
from .gradcheck import (
    gradcheck,
    gradgradcheck,
)  # now: the name of a module, too, which would come to stand here

if TYPE_CHECKING:
    from .._core.saved import SavedTensor as SavedTensor
    from . import anomaly_mode as anomaly_mode
    from . import forward_ad as forward_ad
    from . import function as function
    from . import functional as functional
    from . import grad_mode as grad_mode
    from . import graph as graph
    from . import profiler as profiler
    from . import profiler_legacy as profiler_legacy
    from . import profiler_util as profiler_util
    from . import variable as variable
    from ._profiler.enums import DeviceType as DeviceType
    from ._profiler.enums import ProfilerActivity as ProfilerActivity
    from ._profiler.enums import ProfilerConfig as ProfilerConfig
    from ._profiler.enums import ProfilerState as ProfilerState
    from .anomaly_mode import detect_anomaly as detect_anomaly
    from .anomaly_mode import set_detect_anomaly as set_detect_anomaly
    from .differentiate import backward as backward
    from .differentiate import grad as grad
    from .function import Function as Function
    from .function import NestedIOFunction as NestedIOFunction
    from .grad_mode import enable_grad as enable_grad
    from .grad_mode import enforce_grad_layout_policy as enforce_grad_layout_policy
    from .grad_mode import inference_mode as inference_mode
    from .grad_mode import is_multithreading_enabled as is_multithreading_enabled
    from .grad_mode import is_view_replay_enabled as is_view_replay_enabled
    from .grad_mode import no_grad as no_grad
    from .grad_mode import set_grad_enabled as set_grad_enabled
    from .grad_mode import set_multithreading_enabled as set_multithreading_enabled
    from .profiler import kineto_available as kineto_available
    from .variable import Variable as Variable

#: Imported when first used.
_later = _lazy.places(
    {
        name: f"{name.rpartition('.')[2]}="
        for name in (
            "autograd.anomaly_mode",
            "autograd.forward_ad",
            "autograd.function",
            "autograd.functional",
            "autograd.grad_mode",
            "autograd.graph",
            "autograd.profiler",
            "autograd.profiler_legacy",
            "autograd.profiler_util",
            "autograd.variable",
        )
    },
    {
        "_core.saved": "SavedTensor",
        "autograd.anomaly_mode": "detect_anomaly set_detect_anomaly",
        "autograd.differentiate": "_calculate_shape _get_sequence_nr _is_checkpoint_valid backward grad",
        "autograd.function": "Function NestedIOFunction",
        "autograd.grad_mode": (
            "_force_original_view_tracking _unsafe_preserve_version_counter enable_grad enforce_grad_layout_policy inference_mode "
            "is_multithreading_enabled is_view_replay_enabled no_grad set_grad_enabled set_multithreading_enabled"
        ),
        "autograd.profiler": (
            "kineto_available _disable_profiler _enable_profiler _prepare_profiler _record_function_with_args_enter "
            "_record_function_with_args_exit _supported_activities _toggle_collection_dynamic"
        ),
        "autograd._profiler.enums": "DeviceType ProfilerActivity ProfilerConfig ProfilerState",
        "autograd._profiler.kineto": "_KinetoEvent _ProfilerResult",
        "autograd.variable": "Variable",
    },
)


def _profiler_enabled():
    """Whether a profiler is on in this thread."""
    return _thread_state.profiler is not None


_lazy.show_all(globals())


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


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
