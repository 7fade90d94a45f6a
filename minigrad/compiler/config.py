"""The settings by name of ``torch.compiler``: they are kept, and as nothing is compiled nothing heeds them."""

from .._base.kept_settings import keep_settings as _keep_settings

_DEFAULTS = {
    "cache_key_tag": "", "dynamic_sources": "", "enable_cpp_symbolic_shape_guards": False, "force_disable_caches": False, "job_id": None,
    "unbacked_sources": "",
}  # fmt: skip

_keep_settings(__name__, _DEFAULTS)
