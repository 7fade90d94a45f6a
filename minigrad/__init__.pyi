# Written by `python -m tests.generate`: do not edit.
import builtins
from typing import Any

from ._api import *
from ._base.dtypes import dtype as _dtype
from . import accelerator as accelerator
from . import amp as amp
from . import ao as ao
from . import autograd as autograd
from . import backends as backends
from . import compiler as compiler
from . import cpu as cpu
from . import cuda as cuda
from . import distributed as distributed
from . import distributions as distributions
from . import export as export
from . import fft as fft
from . import func as func
from . import functional as functional
from . import futures as futures
from . import fx as fx
from . import hub as hub
from . import jit as jit
from . import library as library
from . import linalg as linalg
from . import masked as masked
from . import mps as mps
from . import mtia as mtia
from . import multiprocessing as multiprocessing
from . import nn as nn
from . import onnx as onnx
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
from . import torch_version as torch_version
from . import types as types
from . import utils as utils
from . import version as version
from . import viz as viz
from . import xpu as xpu
from .overrides import DisableTorchFunction as DisableTorchFunction
from .overrides import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from ._devices.streams import Event as Event
from .amp.grad_scaler import GradScaler as GradScaler
from ._serialization.file_reader import PyTorchFileReader as PyTorchFileReader
from ._ops.storage_classes import QInt32Storage as QInt32Storage
from ._ops.storage_classes import QInt8Storage as QInt8Storage
from ._ops.storage_classes import QUInt2x4Storage as QUInt2x4Storage
from ._ops.storage_classes import QUInt4x2Storage as QUInt4x2Storage
from ._ops.storage_classes import QUInt8Storage as QUInt8Storage
from .jit._script import ScriptFunction as ScriptFunction
from .jit._script import ScriptModule as ScriptModule
from ._devices.streams import Stream as Stream
from ._symbolic import SymBool as SymBool
from ._symbolic import SymFloat as SymFloat
from ._symbolic import SymInt as SymInt
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
def compile(model: Any = ..., *, fullgraph: Any = ..., dynamic: Any = ..., backend: Any = ..., mode: Any = ..., options: Any = ..., name: Any = ..., disable: Any = ..., recompile_limit: Any = ..., isolate_recompiles: Any = ..., shapes_spec: Any = ...) -> Tensor: ...
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
def get_autocast_cpu_dtype() -> Tensor: ...
def get_autocast_dtype(device_type: Any) -> _dtype: ...
def get_autocast_gpu_dtype() -> Tensor: ...
def get_autocast_ipu_dtype() -> Tensor: ...
def get_autocast_xla_dtype() -> Tensor: ...
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
def is_autocast_cpu_enabled() -> Tensor: ...
def is_autocast_enabled(device_type: Any = ...) -> builtins.bool: ...
def is_autocast_ipu_enabled() -> Tensor: ...
def is_autocast_xla_enabled() -> Tensor: ...
def is_vulkan_available() -> Tensor: ...
jagged: layout
def load(f: Any, map_location: Any = ..., pickle_module: Any = ..., *, weights_only: Any = ..., mmap: Any = ..., **pickle_load_args: Any) -> Any: ...
def lobpcg(A: Any, k: Any = ..., B: Any = ..., X: Any = ..., n: Any = ..., iK: Any = ..., niter: Any = ..., tol: Any = ..., largest: builtins.bool = ..., method: Any = ..., tracker: Any = ..., ortho_iparams: Any = ..., ortho_fparams: Any = ..., ortho_bparams: Any = ...) -> Tensor: ...
long: _dtype
nan: builtins.float
newaxis: None
per_channel_affine: qscheme
per_channel_affine_float_qparams: qscheme
per_channel_symmetric: qscheme
per_tensor_affine: qscheme
per_tensor_symmetric: qscheme
pi: builtins.float
qint32: _dtype
qint8: _dtype
from ._base.device import qscheme as qscheme
quint2x4: _dtype
quint4x2: _dtype
quint8: _dtype
def save(obj: Any, f: Any, pickle_module: Any = ..., pickle_protocol: Any = ..., _use_new_zipfile_serialization: Any = ..., _disable_byteorder_record: Any = ...) -> None: ...
def set_num_threads(n: Any) -> None: ...
short: _dtype
sparse_bsc: layout
sparse_bsr: layout
sparse_csc: layout
sparse_csr: layout
def sym_float(a: Any) -> Tensor: ...
def sym_int(a: Any) -> Tensor: ...
def sym_ite(b: Any, t: Any, f: Any) -> Tensor: ...
def sym_max(a: Any, b: Any) -> Tensor: ...
def sym_min(a: Any, b: Any) -> Tensor: ...
def sym_not(a: Any) -> Tensor: ...
def sym_sqrt(a: Any) -> Tensor: ...
def sym_sum(args: Any) -> Tensor: ...
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
