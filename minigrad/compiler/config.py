"""The settings by name of ``torch.compiler``: they are kept, and nothing heeds them."""

from typing import Any

from .._base.kept_settings import keep_settings as _keep_settings

_DEFAULTS: dict[Any, Any] = {
    "accumulated_recompile_limit": 256, "allow_unspec_int_on_nn_module": False, "assume_static_by_default": True,
    "automatic_dynamic_shapes": True, "capture_dynamic_output_shape_ops": False, "capture_scalar_outputs": False, "dynamic_shapes": True,
    "fail_on_recompile_limit_hit": False, "log_file_name": None, "recompile_limit": 8, "reorderable_logging_functions": set(),
    "skip_tensor_guards_with_matching_dict_tags": True, "verbose": False, "wrap_top_frame": False,
    "cache_key_tag": "", "dynamic_sources": "", "enable_cpp_symbolic_shape_guards": False, "force_disable_caches": False, "job_id": None,
    "unbacked_sources": "",
}  # fmt: skip

_keep_settings(__name__, _DEFAULTS)
