"""The compiler's settings by name.  Heeded are ``disable``, ``recompile_limit``, ``cache_size_limit`` and ``error_on_recompile``; the others are kept."""

from .._base.compiling import read_settings as _read_settings
from .._base.kept_settings import keep_settings as _keep_settings

_DEFAULTS = {
    "accumulated_cache_size_limit": 256, "accumulated_recompile_limit": 256, "allow_ignore_mark_dynamic": False, "allow_rnn": False,
    "allow_unspec_int_on_nn_module": False, "assume_static_by_default": True, "automatic_dynamic_shapes": True, "cache_size_limit": 8,
    "capture_dynamic_output_shape_ops": False, "capture_scalar_outputs": False, "capture_func_transforms": True, "cprofile": False,
    "dead_code_elimination": True, "disable": False, "do_not_emit_runtime_asserts": False, "dynamic_shapes": True, "error_on_nested_fx_trace": True,
    "error_on_nested_jit_trace": True, "error_on_recompile": False, "fail_on_recompile_limit_hit": False, "force_parameter_static_shapes": True,
    "guard_nn_modules": True, "inline_inbuilt_nn_modules": True, "log_file_name": None, "optimize_ddp": True, "prepare_freezing": False,
    "raise_on_ctx_manager_usage": True, "recompile_limit": 8, "replay_record_enabled": False, "repro_after": None, "repro_level": 2,
    "report_guard_failures": True, "skip_fsdp_hooks": True, "specialize_float": False, "specialize_int": False, "suppress_errors": False,
    "trace_numpy": True, "use_lazy_graph_module": True, "verbose": False, "verify_correctness": False,
}  # fmt: skip

_keep_settings(__name__, _DEFAULTS)
_read_settings(globals())
