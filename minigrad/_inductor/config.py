"""The settings by name of the compiler that makes kernels: they are kept, and as nothing is compiled nothing heeds them."""

from .._base.compiling import OPTIONS as _OPTIONS
from .._base.kept_settings import keep_settings as _keep_settings

_keep_settings(__name__, _OPTIONS)
