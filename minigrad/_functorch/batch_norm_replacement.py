"""Batch norms under ``vmap``: see ``func.replace_all_batch_norm_modules_``."""

from ..func.modules import forget_running_stats as batch_norm_without_running_stats
from ..func.modules import replace_all_batch_norm_modules_

__all__ = ["batch_norm_without_running_stats", "replace_all_batch_norm_modules_"]
