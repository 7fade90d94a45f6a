# Written by `python -m tests.generate`: do not edit.
import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, overload

import numpy as np

from ._base import return_types as _named_results
from ._base.device import device as _device
from ._base.device import layout as _layout
from ._base.device import memory_format as _memory_format
from ._base.dtypes import dtype as _dtype
from ._base.size import Size as _Size
from ._core.hooks import RemovableHandle
from ._core.node import Node
from ._base.device import Device as _Device
from ._api import *
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
from . import sparse as sparse
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
def autocast_decrement_nesting() -> Tensor:
    """Decrement the depth of nested autocast blocks, and return it.

    >>> import minigrad
    >>> minigrad.autocast_increment_nesting(), minigrad.autocast_decrement_nesting()
    (1, 0)
    """
def autocast_increment_nesting() -> Tensor:
    """Increment the depth of nested autocast blocks, and return it.

    >>> import minigrad
    >>> minigrad.autocast_increment_nesting(), minigrad.autocast_decrement_nesting()
    (1, 0)
    """
bfloat16: _dtype
bit: _dtype
bits16: _dtype
bits1x8: _dtype
bits2x4: _dtype
bits4x2: _dtype
bits8: _dtype
bool: _dtype
def capture(function: Any = None, *, fallback: builtins.bool = False) -> Any:
    """``function``, a step that does the same at each call, as one that runs again what NumPy was asked to do, without the Python around it.

    The first calls run eagerly and are recorded, until two recordings agree. From then on the recorded calls are replayed, in memory that
    is reserved once, with bit-identical results and side effects: on parameters, gradients, buffers, optimizer states and random numbers.
    Other effects of the Python code, such as printing, happen only while recording.

    Guards check that a plan fits a call: the structure of the arguments; shapes, dtypes, strides and ``requires_grad`` of tensors;
    equality of everything else; grad mode; the variables, globals and attributes that the step reads; settings of modules, options of
    optimizers, and the arrays of parameters. There can be eight plans; beyond them the step runs eagerly.

    Raises RuntimeError, which says where, if a step reads a tensor's value (``item()``, a branch, ``print``), changes Python variables (a
    counter, a list), or cannot be followed; with ``fallback=True`` such a step stays eager.

    A method is captured separately for each instance. Copies and pickles of a captured step, or of an object that holds one, start
    without recordings.

    >>> import minigrad
    >>> w = minigrad.ones(2, requires_grad=True)
    >>> optimizer = minigrad.optim.SGD([w], lr=0.5)
    >>> @minigrad.capture
    ... def step(x):
    ...     optimizer.zero_grad()
    ...     loss = (w * x).sum()
    ...     loss.backward()
    ...     optimizer.step()
    ...     return loss.detach()
    >>> for _ in range(4):
    ...     loss = step(minigrad.tensor([1., 2.]))
    >>> loss, w
    (tensor(-4.5000), tensor([-1., -3.], requires_grad=True))
    """
cdouble: _dtype
cfloat: _dtype
chalf: _dtype
def clear_autocast_cache() -> Tensor:
    """Forget the converted weights that autocast has cached.

    >>> import minigrad
    >>> minigrad.clear_autocast_cache()
    """
def compile(model: Any = None, *, fullgraph: builtins.bool = False, dynamic: Any = None, backend: Any = None, mode: builtins.str | None = None, options: Any = None, name: builtins.str | None = None, disable: builtins.bool = False, recompile_limit: Any = None, isolate_recompiles: builtins.bool = False, shapes_spec: Any = None) -> Any:
    """Return a function equivalent to ``model``; for a module an ``OptimizedModule``, for a class the class; a decorator if there is no ``model``.

    Calls are replayed, as ``capture`` replays steps, where that gives the same result: not if the Python code of ``model`` has side
    effects (it prints, or sets an attribute), or if it reads elements of a tensor. Such calls run eagerly, or with ``fullgraph=True``
    raise ``_dynamo.exc.Unsupported``, which says what and where. Results that require grad have one node for all operations of a call,
    ``CompiledFunctionBackward``, whose backward is replayed as well. There are at most eight plans (``recompile_limit``), one for each
    kind of arguments. ``mode``, ``dynamic`` and ``options`` are checked but have no effect; with a debugging backend or one of the
    program's own, which is not called, nothing is replayed.

    Raises the same errors as PyTorch: AssertionError if ``model`` is not callable, RuntimeError for an unknown mode or backend, for both
    a mode and options, and for a scripted module.

    >>> import minigrad
    >>> @minigrad.compile(mode="reduce-overhead")
    ... def double(x):
    ...     return x * 2
    >>> double(minigrad.ones(2))
    tensor([2., 2.])
    """
complex128: _dtype
complex32: _dtype
complex64: _dtype
def cond(pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any], operands: Any = ...) -> Tensor:
    """Call ``true_fn(*operands)`` if ``pred``, a bool or a one-element tensor, is true, else ``false_fn(*operands)``.

    Raises RuntimeError for another ``pred``, branches that cannot be called, and operands other than a tuple or list with tensors as leaves.

    >>> import minigrad
    >>> x = minigrad.ones(2)
    >>> minigrad.cond(x.sum() > 1, lambda x: x + 1, lambda x: x - 1, (x,))
    tensor([2., 2.])
    """
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
def get_autocast_cpu_dtype() -> Tensor:
    """A deprecated form of ``get_autocast_dtype("cpu")``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.get_autocast_cpu_dtype() == minigrad.get_autocast_dtype("cpu")
    True
    """
def get_autocast_dtype(device_type: Any) -> _dtype:
    """Return the dtype that autocast uses: bfloat16 for the CPU, unless a block says otherwise; raise RuntimeError for a device type without
    autocast.

    >>> import minigrad
    >>> minigrad.get_autocast_dtype("cpu")
    torch.bfloat16
    """
def get_autocast_gpu_dtype() -> Tensor:
    """A deprecated form of ``get_autocast_dtype("cuda")``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.get_autocast_gpu_dtype() == minigrad.get_autocast_dtype("cuda")
    True
    """
def get_autocast_ipu_dtype() -> Tensor:
    """A deprecated form of ``get_autocast_dtype("ipu")``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.get_autocast_ipu_dtype() == minigrad.get_autocast_dtype("ipu")
    True
    """
def get_autocast_xla_dtype() -> Tensor:
    """A deprecated form of ``get_autocast_dtype("xla")``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.get_autocast_xla_dtype() == minigrad.get_autocast_dtype("xla")
    True
    """
def get_device_module(device: _device | builtins.str | None = None) -> Any:
    """Return the module of a device, given as a string or a ``device``, by default the CPU: ``cpu``, ``cuda``, ``mps``, ``mtia`` or ``xpu``.

    Raises RuntimeError for anything else.

    >>> import minigrad
    >>> minigrad.get_device_module("cpu").device_count()
    1
    """
def get_num_threads() -> builtins.int:
    """Return the number of threads that share a large operation.

    >>> import minigrad
    >>> minigrad.get_num_threads() >= 1
    True
    """
half: _dtype
inf: builtins.float
def install_as_torch() -> None:
    """Make ``import torch`` and ``import torch.<anything>`` mean minigrad in this process and its children.

    Installing twice does nothing more. ``subprocess`` children are programs of their own: start them with
    ``python -m minigrad``.

    Raises
    ------
    RuntimeError
        another module named torch, such as PyTorch, is already imported

    Examples
    --------
    >>> import minigrad
    >>> minigrad.install_as_torch()
    >>> import torch.nn.functional
    >>> torch is minigrad, torch.nn is minigrad.nn
    (True, True)
    >>> minigrad.uninstall_as_torch()
    """
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
def is_autocast_cache_enabled() -> builtins.bool:
    """Return whether autocast converts each weight only once: True, unless a block says otherwise.

    >>> import minigrad
    >>> minigrad.is_autocast_cache_enabled()
    True
    """
def is_autocast_cpu_enabled() -> Tensor:
    """A deprecated form of ``is_autocast_enabled("cpu")``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.is_autocast_cpu_enabled() == minigrad.is_autocast_enabled("cpu")
    True
    """
def is_autocast_enabled(device_type: builtins.str = ...) -> builtins.bool:
    """Return whether this thread is inside ``autocast`` for a device type; without one, for CUDA, which is never enabled.

    >>> import minigrad
    >>> minigrad.is_autocast_enabled("cpu")
    False
    """
def is_autocast_ipu_enabled() -> Tensor:
    """A deprecated form of ``is_autocast_enabled("ipu")``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.is_autocast_ipu_enabled() == minigrad.is_autocast_enabled("ipu")
    True
    """
def is_autocast_xla_enabled() -> Tensor:
    """A deprecated form of ``is_autocast_enabled("xla")``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.is_autocast_xla_enabled() == minigrad.is_autocast_enabled("xla")
    True
    """
def is_vulkan_available() -> Tensor:
    """Return whether Vulkan is available: False.

    >>> import minigrad
    >>> minigrad.is_vulkan_available()
    False
    """
jagged: layout
def load(f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: builtins.bool | None = None, mmap: builtins.bool | None = None, **pickle_load_args: Any) -> Any:
    """Load the object in the checkpoint ``f``: a path, or a seekable binary file, at its current position.

    ``weights_only`` (the default) reads tensors, numbers, strings, containers and what ``add_safe_globals`` allows, and runs no code.
    Without it a file can run any code: use it only for files that you trust. ``mmap`` maps the file at a path instead of reading it;
    writes to the tensors stay in memory. ``map_location`` (a string, device, dict, or function of storage and location) says where
    storages go: minigrad has the CPU only, so files from an accelerator need ``"cpu"``. ``pickle_load_args`` are passed to
    ``pickle_module.Unpickler``. A path that ends in ``.safetensors`` is read in that format.

    Raises UnpicklingError if the file holds something that is not allowed, RuntimeError or EOFError if it is damaged.

    >>> import minigrad, io
    >>> file = io.BytesIO()
    >>> minigrad.save([minigrad.arange(3), "text"], file)
    >>> _ = file.seek(0)
    >>> minigrad.load(file)
    [tensor([0, 1, 2]), 'text']
    """
def lobpcg(A: Tensor, k: builtins.int | None = None, B: Tensor | None = None, X: Tensor | None = None, n: builtins.int | None = None, iK: Tensor | None = None, niter: builtins.int | None = None, tol: builtins.float | None = None, largest: builtins.bool | None = None, method: builtins.str | None = None, tracker: None = None, ortho_iparams: Any = None, ortho_fparams: Any = None, ortho_bparams: Any = None) -> Tensor:
    """Return the ``k`` largest (or smallest) eigenvalues of symmetric matrices, (..., k), and their eigenvectors, (..., m, k). [Knyazev 2001]

    ``A`` (..., m, m) and ``B``, which must be positive definite, define the problem ``A x = e B x``; without ``B`` it is ``A x = e x``.
    ``X`` (..., m, n) is the starting point of the search, by default ``n = k`` random vectors. ``iK`` (..., m, m) approximates the
    inverse of ``A``. The search ends after ``niter`` iterations, of which the start is one (1000; with 0 or -1, when it has converged),
    or when no residual exceeds ``tol``, relative to the size of ``A``. ``tracker`` is called after each iteration with an object that
    holds the state. ``method`` and the ``ortho_`` parameters are accepted and have no effect: bases are always made orthogonal.

    Gradients with respect to ``A`` are those of a symmetric matrix, and are not available with ``B``. Raises ValueError if ``m`` is less
    than ``3 n``, AssertionError if ``A`` is not square, RuntimeError for dtypes that are not real floating-point ones.

    >>> import minigrad
    >>> values, vectors = minigrad.lobpcg(minigrad.diag(minigrad.arange(1.0, 10.0)), k=2)
    >>> values
    tensor([9.0000, 8.0000])
    """
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
def save(obj: Any, f: Any, pickle_module: Any = ..., pickle_protocol: builtins.int = 2, _use_new_zipfile_serialization: builtins.bool = True, _disable_byteorder_record: builtins.bool = False) -> None:
    """Write ``obj``, any object that can be pickled, to ``f``: a path, or a binary file open for writing.

    Both PyTorch and ``load`` can read the file. Tensors that share memory share it again when loaded; the file holds all of the memory
    that a view refers to. With a ``pickle_module`` other than Python's own, minigrad's own names are written from protocol 4 on, which
    PyTorch does not know.

    An existing file is replaced only when everything is written: it survives an error, a full disk or a ``kill``.

    Raises AttributeError if ``f`` cannot be written to, RuntimeError if a path cannot, if its directory does not exist, or if one memory
    would be saved as elements of two dtypes.

    >>> import minigrad, io
    >>> file = io.BytesIO()
    >>> minigrad.save({"weight": minigrad.ones(2)}, file)
    >>> _ = file.seek(0)
    >>> minigrad.load(file)
    {'weight': tensor([1., 1.])}
    """
def set_autocast_cache_enabled(enabled: builtins.bool) -> Tensor:
    """Set whether autocast caches converted weights in this thread; raise TypeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.set_autocast_cache_enabled(True)
    >>> minigrad.is_autocast_cache_enabled()
    True
    """
def set_autocast_cpu_dtype(value: _dtype) -> Tensor:
    """A deprecated form of ``set_autocast_dtype("cpu", dtype)``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.set_autocast_cpu_dtype(minigrad.get_autocast_dtype("cpu"))
    """
def set_autocast_cpu_enabled(value: builtins.bool) -> Tensor:
    """A deprecated form of ``set_autocast_enabled("cpu", enabled)``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.set_autocast_cpu_enabled(False)
    """
def set_autocast_dtype(device_type: Any, dtype: _dtype) -> Tensor:
    """Set the dtype that autocast uses for a device type in this thread; raise TypeError if it is not a dtype.

    >>> import minigrad
    >>> minigrad.set_autocast_dtype("cpu", minigrad.float16)
    >>> minigrad.get_autocast_dtype("cpu")
    torch.float16
    >>> minigrad.set_autocast_dtype("cpu", minigrad.bfloat16)
    """
def set_autocast_enabled(device_type: Any, enabled: Any = None) -> Tensor:
    """Switch autocast on or off for a device type in this thread, until the end of the enclosing block, if there is one.

    With one argument, for CUDA. Raises TypeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.set_autocast_enabled("cpu", True)
    >>> minigrad.is_autocast_enabled("cpu")
    True
    >>> minigrad.set_autocast_enabled("cpu", False)
    """
def set_autocast_gpu_dtype(value: _dtype) -> Tensor:
    """A deprecated form of ``set_autocast_dtype("cuda", dtype)``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.set_autocast_gpu_dtype(minigrad.get_autocast_dtype("cuda"))
    """
def set_autocast_ipu_dtype(value: _dtype) -> Tensor:
    """A deprecated form of ``set_autocast_dtype("ipu", dtype)``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.set_autocast_ipu_dtype(minigrad.get_autocast_dtype("ipu"))
    """
def set_autocast_ipu_enabled(value: builtins.bool) -> Tensor:
    """A deprecated form of ``set_autocast_enabled("ipu", enabled)``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.set_autocast_ipu_enabled(False)
    """
def set_autocast_xla_dtype(value: _dtype) -> Tensor:
    """A deprecated form of ``set_autocast_dtype("xla", dtype)``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.set_autocast_xla_dtype(minigrad.get_autocast_dtype("xla"))
    """
def set_autocast_xla_enabled(value: builtins.bool) -> Tensor:
    """A deprecated form of ``set_autocast_enabled("xla", enabled)``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.set_autocast_xla_enabled(False)
    """
def set_num_threads(n: builtins.int) -> None:
    """Set the number of threads that share a large operation.

    It does not change results by a single bit. If BLAS has threads of its own (``MINIGRAD_HOLD_BLAS=0``, or another BLAS than that of
    NumPy's wheels), their number is set too. Raises RuntimeError if ``n`` is not a positive int.

    >>> import minigrad
    >>> before = minigrad.get_num_threads()
    >>> minigrad.set_num_threads(1)
    >>> minigrad.get_num_threads()
    1
    >>> minigrad.set_num_threads(before)
    """
short: _dtype
sparse_bsc: layout
sparse_bsr: layout
sparse_csc: layout
sparse_csr: layout
def sym_float(a: Any) -> Tensor:
    """Return a number as a float.

    >>> import minigrad
    >>> minigrad.sym_float(2)
    2.0
    """
def sym_int(a: Any) -> Tensor:
    """Return a number as an int, rounded towards 0.

    >>> import minigrad
    >>> minigrad.sym_int(-2.5)
    -2
    """
def sym_ite(b: Any, t: Any, f: Any) -> Tensor:
    """Return ``t`` if ``b`` is True, else ``f``; raise AssertionError if ``b`` is not a bool, or the two are of different types.

    >>> import minigrad
    >>> minigrad.sym_ite(True, 1, 2)
    1
    """
def sym_max(a: Any, b: Any) -> Tensor:
    """Return the larger of two numbers; a float if one of them is.

    >>> import minigrad
    >>> minigrad.sym_max(3, 2.5)
    3.0
    """
def sym_min(a: Any, b: Any) -> Tensor:
    """Return the smaller of two numbers; a float if one of them is.

    >>> import minigrad
    >>> minigrad.sym_min(3, 2.5)
    2.5
    """
def sym_not(a: Any) -> Tensor:
    """Return the contrary of a truth value.

    >>> import minigrad
    >>> minigrad.sym_not(True)
    False
    """
def sym_sqrt(a: Any) -> Tensor:
    """Return the square root of a number; raises ValueError below 0.

    >>> import minigrad
    >>> minigrad.sym_sqrt(4)
    2.0
    """
def sym_sum(args: Any) -> Tensor:
    """Return the sum of several numbers.

    >>> import minigrad
    >>> minigrad.sym_sum([1, 2, 3])
    6
    """
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
def uninstall_as_torch() -> None:
    """Undo ``install_as_torch``; references to modules that were imported as torch stay valid.

    Does nothing if the alias is not installed.

    Examples
    --------
    >>> import sys, minigrad
    >>> minigrad.install_as_torch()
    >>> minigrad.uninstall_as_torch()
    >>> "torch" in sys.modules
    False
    """
def vmap(func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: builtins.str = ..., *, chunk_size: builtins.int | None = None) -> Tensor:
    """Turn ``func``, a function of one sample, into a function of whole batches.

    ``in_dims`` says along which dimension of each argument the samples lie (None: the same for all), ``out_dims`` where they lie in each
    result: an int, or a structure of them like the arguments (or the results). ``randomness`` is "error", "different" or "same" random
    numbers for the samples. ``chunk_size`` limits how many samples are computed at once.

    Raises ValueError if these do not fit the arguments or the results, RuntimeError for operations that cannot work on a whole batch,
    such as ``item()``.

    >>> import minigrad
    >>> x, y = minigrad.tensor([[1., 2.], [3., 4.]]), minigrad.tensor([10., 1.])
    >>> minigrad.func.vmap(minigrad.dot, in_dims=(0, None))(x, y)
    tensor([12., 34.])
    """
__version__: builtins.str
