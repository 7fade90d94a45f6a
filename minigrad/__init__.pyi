# Written by `python -m tests.generate`: do not edit.
import builtins
from typing import Any

from ._api import *
from ._base.dtypes import dtype as _dtype
from . import accelerator as accelerator
from . import amp as amp
from . import autograd as autograd
from . import backends as backends
from . import cpu as cpu
from . import cuda as cuda
from . import distributed as distributed
from . import distributions as distributions
from . import fft as fft
from . import func as func
from . import functional as functional
from . import futures as futures
from . import linalg as linalg
from . import masked as masked
from . import mps as mps
from . import mtia as mtia
from . import multiprocessing as multiprocessing
from . import nn as nn
from . import ops as ops
from . import optim as optim
from . import overrides as overrides
from . import profiler as profiler
from . import quasirandom as quasirandom
from . import random as random
from . import return_types as return_types
from . import serialization as serialization
from . import signal as signal
from . import special as special
from . import storage as storage
from . import testing as testing
from . import types as types
from . import utils as utils
from . import version as version
from . import viz as viz
from . import xpu as xpu
from .overrides import DisableTorchFunction as DisableTorchFunction
from .overrides import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from ._devices.streams import Event as Event
from .amp.grad_scaler import GradScaler as GradScaler
from ._devices.streams import Stream as Stream
from .amp.autocast_mode import autocast as autocast
bfloat16: _dtype
bit: _dtype
bits16: _dtype
bits1x8: _dtype
bits2x4: _dtype
bits4x2: _dtype
bits8: _dtype
bool: _dtype
cdouble: _dtype
cfloat: _dtype
chalf: _dtype
complex128: _dtype
complex32: _dtype
complex64: _dtype
double: _dtype
e: builtins.float
float: _dtype
float16: _dtype
float32: _dtype
float4_e2m1fn_x2: _dtype
float64: _dtype
float8_e4m3fn: _dtype
float8_e4m3fnuz: _dtype
float8_e5m2: _dtype
float8_e5m2fnuz: _dtype
float8_e8m0fnu: _dtype
def get_autocast_dtype(device_type: Any) -> _dtype: ...
def get_device_module(device: Any = ...) -> Any: ...
def get_num_threads() -> builtins.int: ...
half: _dtype
inf: builtins.float
def install_as_torch() -> None: ...
int: _dtype
int1: _dtype
int16: _dtype
int2: _dtype
int3: _dtype
int32: _dtype
int4: _dtype
int5: _dtype
int6: _dtype
int64: _dtype
int7: _dtype
int8: _dtype
def is_autocast_cache_enabled() -> builtins.bool: ...
def is_autocast_enabled(device_type: Any = ...) -> builtins.bool: ...
def load(f: Any, map_location: Any = ..., pickle_module: Any = ..., *, weights_only: Any = ..., mmap: Any = ..., **pickle_load_args: Any) -> Any: ...
long: _dtype
nan: builtins.float
newaxis: None
pi: builtins.float
def save(obj: Any, f: Any, pickle_module: Any = ..., pickle_protocol: Any = ..., _use_new_zipfile_serialization: Any = ..., _disable_byteorder_record: Any = ...) -> None: ...
def set_num_threads(n: Any) -> None: ...
short: _dtype
uint1: _dtype
uint16: _dtype
uint2: _dtype
uint3: _dtype
uint32: _dtype
uint4: _dtype
uint5: _dtype
uint6: _dtype
uint64: _dtype
uint7: _dtype
uint8: _dtype
def uninstall_as_torch() -> None: ...
def vmap(func: Any, in_dims: Any = ..., out_dims: Any = ..., randomness: Any = ..., *, chunk_size: Any = ...) -> Tensor: ...
__version__: builtins.str
