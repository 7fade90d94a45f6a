# Written by tests/typing/stubs.py: do not edit.
import builtins
from typing import Any

from ._api import *
from ._core.dtypes import dtype as _dtype
from . import autograd as autograd
from . import cuda as cuda
from . import fft as fft
from . import linalg as linalg
from . import masked as masked
from . import nn as nn
from . import ops as ops
from . import optim as optim
from . import random as random
from . import return_types as return_types
from . import serialization as serialization
from . import signal as signal
from . import special as special
from . import storage as storage
from . import utils as utils
from . import version as version
bfloat16: _dtype
bool: _dtype
cdouble: _dtype
cfloat: _dtype
complex128: _dtype
complex64: _dtype
double: _dtype
e: builtins.float
float: _dtype
float16: _dtype
float32: _dtype
float64: _dtype
def get_num_threads() -> builtins.int: ...
half: _dtype
inf: builtins.float
def install_as_torch() -> None: ...
int: _dtype
int16: _dtype
int32: _dtype
int64: _dtype
int8: _dtype
def load(f: Any, map_location: Any = ..., pickle_module: Any = ..., *, weights_only: Any = ..., mmap: Any = ..., **pickle_load_args: Any) -> Any: ...
long: _dtype
nan: builtins.float
pi: builtins.float
def save(obj: Any, f: Any, pickle_module: Any = ..., pickle_protocol: Any = ..., _use_new_zipfile_serialization: Any = ..., _disable_byteorder_record: Any = ...) -> None: ...
def set_num_threads(n: Any) -> None: ...
short: _dtype
uint16: _dtype
uint32: _dtype
uint64: _dtype
uint8: _dtype
def uninstall_as_torch() -> None: ...
__version__: builtins.str
