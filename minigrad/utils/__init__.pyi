# Written by `python -m tests.generate`: do not edit.
from typing import Any

from . import _contextlib as _contextlib
from . import _device as _device
from . import _foreach_utils as _foreach_utils
from . import _import_utils as _import_utils
from . import _python_dispatch as _python_dispatch
from . import _pytree as _pytree
from . import _typing_utils as _typing_utils
from . import backcompat as backcompat
from . import benchmark as benchmark
from . import checkpoint as checkpoint
from . import collect_env as collect_env
from . import cpp_extension as cpp_extension
from . import data as data
from . import deterministic as deterministic
from . import dlpack as dlpack
from . import file_baton as file_baton
from . import flop_counter as flop_counter
from . import hooks as hooks
from . import module_tracker as module_tracker
from . import model_zoo as model_zoo
from . import serialization as serialization
from . import tensorboard as tensorboard
from . import weak as weak
from ._swapping import swap_tensors as swap_tensors
def set_module(obj: Any, mod: Any) -> None:
    """Set the ``__module__`` of a function or class; raise TypeError if it is not a string.

    >>> import minigrad
    >>> def double(x):
    ...     return 2 * x
    >>> minigrad.utils.set_module(double, "mine")
    >>> double.__module__
    'mine'
    """
