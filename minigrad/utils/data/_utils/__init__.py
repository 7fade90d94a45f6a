"""What loaders are made of: fetching, collating, worker processes, and how their batches come back without being copied."""

import atexit
import sys

from ...._api import _lazy
from ...._base.carried_errors import ExceptionWrapper as ExceptionWrapper

IS_WINDOWS = sys.platform == "win32"
HAS_NUMPY = True
#: Seconds that workers are given to end by themselves.
MP_STATUS_CHECK_INTERVAL = 5.0
#: Whether Python is about to exit.
python_exit_status = False

_SUBMODULES = ("collate", "fetch", "pin_memory", "signal_handling", "worker")
_later = {name: (f"utils.data._utils.{name}", "") for name in _SUBMODULES}


def _set_python_exit_flag():
    global python_exit_status
    python_exit_status = True


atexit.register(_set_python_exit_flag)


def __getattr__(name):
    return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})
