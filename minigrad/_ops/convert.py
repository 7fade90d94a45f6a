"""Copies and conversions: ``to``, ``clone``, ``copy_``, ``float()`` and their kin."""

import math
import warnings

import numpy as np

from .._arrays.copies import cast, dense
from .._arrays.memory_layout import axes_of_copy, lies_in
from .._arrays.rounding import halved
from .._base import device as devices
from .._base import dtypes
from .._base.argument_kinds import no_form
from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.dtypes import legacy_type_name
from .._base.errors import check_integer_range, check_sizes, shape_text, type_name
from .._base.guards import explain
from .._core import late
from .._core.families import Op, op
from .._core.inplace import at_once, check_not_partly, write
from .._core.tensor import Tensor, bump, of_array
from .._core.wrapped import Batched, batch
from .batches import pointwise

__all__ = ["clone", "fill", "fill_", "zero_"]
METHODS = (
    "bfloat16 bool=bool_ byte cdouble cfloat chalf char clone contiguous copy_ cpu cuda double fill_ float half int ipu long "
    "mtia short to to_dense type=type_ type_as xpu zero_"
)

_int, _float = int, float  # the conversions below take these names, as PyTorch's methods do


def in_format(x, np_dtype, memory_format):
    """A copy of array ``x`` as ``np_dtype``, laid out as ``memory_format`` asks; a complex one as a real one gives up a part."""
    if x.dtype.kind == "c" and np_dtype.kind not in "cb" and np_dtype.char != "V":
        x = x.real
    x = halved(x, np_dtype)
    if memory_format is devices.preserve_format or memory_format is None:
        if x.dtype is not np_dtype and x.flags.c_contiguous:
            return cast(x, np_dtype)
        return in_order(x, np_dtype) if 0 in x.strides else x.astype(np_dtype, order="K")
    if memory_format is devices.contiguous_format:
        return dense(x) if x.dtype is np_dtype else x.astype(np_dtype, order="C")
    if not isinstance(memory_format, devices.memory_format):
        raise TypeError(f"argument 'memory_format' must be torch.memory_format, not {type_name(memory_format)}")
    wanted = 4 if memory_format is devices.channels_last else 5
    if x.ndim != wanted:
        raise RuntimeError(f"required rank {wanted} tensor to use channels_last{'_3d' if wanted == 5 else ''} format")
    last = (0, *range(2, wanted), 1)
    back = (0, wanted - 1, *range(1, wanted - 1))
    x = x.transpose(last)
    return (dense(x) if x.dtype is np_dtype else x.astype(np_dtype, order="C")).transpose(back)


def in_order(x, np_dtype):
    """A dense copy of an expanded array as ``np_dtype``."""
    axes = axes_of_copy(x)
    return x.transpose(axes).astype(np_dtype, order="C").transpose(np.argsort(axes))


def copied(call, xs, batched, params, size):
    """Copies for a batch: where it is contiguous its samples are; what a format makes of their channels is not asked of it."""
    formats = (devices.channels_last, devices.channels_last_3d)
    return call(*xs, *[devices.preserve_format if p in formats else p for p in params])


class CloneBackward0(Op):
    """z = a copy of x."""
    batch = copied
    def forward(x, memory_format): return in_format(x, x.dtype, memory_format)
    def vjp(xp, g): return g
    def jvp(xp, t): return t
_clone = op(CloneBackward0)


def clone(input, *, memory_format=devices.preserve_format):
    """Return a copy of ``input`` through which gradients flow.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.clone(minigrad.tensor([1, 2]))
    tensor([1, 2])
    """
    return _clone(input, memory_format)


class ToCopyBackward0(Op):
    """z = x as another dtype; the gradient returns in x's own."""
    aten = "_to_copy.default"
    batch = copied
    conjugates = False
    def forward(x, dtype, memory_format, source): return in_format(x, dtype, memory_format)
    def vjp(xp, g, source): return xp.astype(g, source)
    def jvp(xp, t, dtype): return xp.astype(t, dtype)
    event = "to _to_copy"
class ToInteger(Op):
    """z = x as integers or bool, which have no gradient."""
    aten = "_to_copy.default"
    public, batch = "to", copied
    def forward(x, dtype, memory_format, source): return in_format(x, dtype, memory_format)
_to_floating, _to_integer = op(ToCopyBackward0), op(ToInteger)


def _to_copy(input, np_dtype, memory_format, source):
    """A recorded copy as ``np_dtype``."""
    return (_to_floating if np_dtype.kind in "fcV" else _to_integer)(input, np_dtype, memory_format, source)


def as_dtype(input, dtype):
    """``input`` itself if it has ``dtype`` (one of ours), else a recorded copy."""
    source = input._array.dtype
    np_dtype = dtype.np
    if source.kind in "cV" and np_dtype.kind not in "cb":
        _warn_of_imaginary_part(source, np_dtype)
    return input if source is np_dtype else _to_copy(input, np_dtype, devices.preserve_format, source)


def _warn_of_imaginary_part(source, np_dtype):
    if dtypes.is_complex_type(source) and not dtypes.is_complex_type(np_dtype):
        warnings.warn("Casting complex values to real discards the imaginary part", stacklevel=level_of_user())


def of_np_dtype(input, np_dtype):
    """Like ``as_dtype``, for a NumPy dtype: the ``astype`` of formulas on Tensors."""
    source = input._array.dtype
    return input if source == np_dtype else _to_copy(input, np_dtype, devices.preserve_format, source)


def converted(input, dtype=None, copy=False, memory_format=devices.preserve_format):
    """``input`` as ``dtype`` and ``memory_format``; itself if nothing is to be done and no copy is asked for."""
    source = input._array.dtype
    np_dtype = source if dtype is None else dtype.np
    if source.kind in "cV" and np_dtype.kind not in "cb":
        _warn_of_imaginary_part(source, np_dtype)
    as_is = np_dtype is source and not copy
    if as_is and (
        memory_format is devices.preserve_format or memory_format is None or lies_in(input._array, memory_format)
    ):
        return input
    return _to_copy(input, np_dtype, memory_format, source)


@composite
def to(input, *args, **kwargs):
    """Convert to another dtype or device (the CPU is the only one), or to those of another tensor.

    ``to(dtype, non_blocking=False, copy=False)``, ``to(device=None, dtype=None, ...)`` or ``to(other, ...)``, all with
    ``memory_format=preserve_format``. Returns the tensor itself if nothing changes, unless ``copy``.

    >>> import minigrad
    >>> minigrad.tensor([1, 2]).to(minigrad.float64)
    tensor([1., 2.], dtype=torch.float64)
    """
    if not kwargs and len(args) == 1:
        if args[0].__class__ is dtypes.dtype:
            return as_dtype(input, args[0])
        if args[0].__class__ is devices.device:
            if devices.check(args[0]) is devices.CPU and input.__class__ is Tensor:
                return input
            return _moved(input, args[0])
    device, dtype, copy, memory_format = parse_to(args, kwargs)
    if device is not None and devices.check(device) is not input.device:
        return _moved(input, device, dtype, copy, memory_format)
    return converted(input, dtype, copy, memory_format)


def _moved(input, device, dtype=None, copy=False, memory_format=devices.preserve_format):
    """``input`` on a device, which may be its own."""
    if devices.check(device) is input.device:
        return converted(input, dtype, copy, memory_format)
    if input.is_meta:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    return converted(late.meta().moved_to_meta(input), dtype, False, memory_format)


def parse_to(args, kwargs):
    """(device, dtype, copy, memory_format) from the arguments of ``to``."""
    names = {"device", "dtype", "non_blocking", "copy", "memory_format", "tensor"}
    for name in kwargs:
        if name not in names:
            raise no_form("to", {str(i): value for i, value in enumerate(args)} | kwargs)
    given = dict(kwargs)
    rest = list(args)
    first = rest.pop(0) if rest else given.pop("tensor", None)
    device = dtype = None
    order = ["non_blocking", "copy"]
    if isinstance(first, Tensor):
        device, dtype = first.device, first.dtype
    elif isinstance(first, dtypes.dtype) or (isinstance(first, type) and first in dtypes.PYTHON):
        dtype = dtypes.known("to", first)
    elif first is not None or args:
        if isinstance(first, np.integer):
            first = _int(first)  # a device by its number
        if first is not None and not isinstance(first, (str, _int, devices.device)):
            raise TypeError(
                f"to() received an invalid combination of arguments - got ({type_name(first)}), but expected one of:\n"
                " * (torch.device device = None, torch.dtype dtype = None, bool non_blocking = False, bool copy = False, "
                "*, torch.memory_format memory_format = None)\n"
                " * (torch.dtype dtype, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format "
                "= None)\n * (Tensor tensor, bool non_blocking = False, bool copy = False, *, torch.memory_format "
                "memory_format = None)"
            )
        device = first
        order.insert(0, "dtype")
    if len(rest) > len(order):
        raise TypeError(f"to() takes at most {len(order) + 1} positional arguments, got {len(args)}")
    for name, value in zip(order, rest):
        if name in given:
            raise TypeError(f"to() got multiple values for argument '{name}'")
        given[name] = value
    device = given.get("device") if device is None else device
    dtype = given.get("dtype") if dtype is None else dtype
    if dtype is not None:
        dtype = dtypes.known("to", dtype)
    for name in ("non_blocking", "copy"):
        if name in given and given[name] is not True and given[name] is not False:
            raise no_form("to", {str(i): value for i, value in enumerate(args)} | kwargs)
    memory_format = given.get("memory_format") or devices.preserve_format
    return device, dtype, bool(given.get("copy")), memory_format


def _conversion(dtype):
    def convert(input, *, memory_format=devices.preserve_format):
        if memory_format is devices.preserve_format:
            return as_dtype(input, dtype)
        return converted(input, dtype, False, memory_format)

    convert.__name__ = convert.__qualname__ = dtype.aliases[0] if dtype.aliases else dtype.name
    convert.__doc__ = f"""Convert the tensor to ``{dtype.name}``; the result is the tensor itself if it has that dtype already.

    >>> import minigrad
    >>> minigrad.tensor([0, 1]).{convert.__name__}().dtype
    torch.{dtype.name}
    """
    return convert


float = _conversion(dtypes.float32)
double = _conversion(dtypes.float64)
half = _conversion(dtypes.float16)
bfloat16 = _conversion(dtypes.bfloat16)
int = _conversion(dtypes.int32)
long = _conversion(dtypes.int64)
short = _conversion(dtypes.int16)
cfloat = _conversion(dtypes.complex64)
cdouble = _conversion(dtypes.complex128)


def chalf(input, *, memory_format=devices.preserve_format):
    """Convert the tensor to ``complex32``: complex numbers whose parts are ``float16``.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).chalf()
    tensor([1.+0.j, 2.+0.j], dtype=torch.complex32)
    """
    return converted(input, dtypes.complex32, False, memory_format)


def char(input, *, memory_format=devices.preserve_format):
    """Convert the tensor to ``int8``; the result is the tensor itself if it has that dtype already.

    >>> import minigrad
    >>> minigrad.tensor([1., -2.]).char()
    tensor([ 1, -2], dtype=torch.int8)
    """
    return converted(input, dtypes.int8, False, memory_format)


def byte(input, *, memory_format=devices.preserve_format):
    """Convert the tensor to ``uint8``; the result is the tensor itself if it has that dtype already.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).byte()
    tensor([1, 2], dtype=torch.uint8)
    """
    return converted(input, dtypes.uint8, False, memory_format)


def bool_(input, *, memory_format=devices.preserve_format):
    """Convert the tensor to ``bool``; the result is the tensor itself if it has that dtype already.

    >>> import minigrad
    >>> minigrad.tensor([0., 2.]).bool()
    tensor([False,  True])
    """
    return converted(input, dtypes.bool_, False, memory_format)


bool_.__name__ = bool_.__qualname__ = "bool"


def type_(input, dtype=None, non_blocking=False):
    """Return the legacy name of the tensor's type, or convert the tensor to another dtype.

    >>> import minigrad
    >>> minigrad.tensor([1.]).type()
    'torch.FloatTensor'
    >>> minigrad.tensor([1.]).type(minigrad.int64)
    tensor([1])
    """
    if dtype is None:
        name = legacy_type_name(input._array.dtype)
        return name.replace("torch.", "torch.meta.") if input.is_meta else name
    if isinstance(dtype, dtypes.dtype):
        return as_dtype(input, dtype)
    if not isinstance(dtype, (str, type)):
        raise TypeError("dtype must be a type, str, or dtype object")
    name = dtype if isinstance(dtype, str) else f"torch.{dtype.__name__}" if dtype is Tensor or _is_legacy(dtype) else dtype.__name__
    if name.startswith("torch.cuda."):
        devices.check("cuda")
    if name != "torch.Tensor" and name not in _LEGACY:
        raise ValueError(f"invalid type: '{name}'")
    return as_dtype(input, _LEGACY[name] if name in _LEGACY else dtypes.get_default_dtype())


def _is_legacy(cls):
    return isinstance(getattr(cls, "dtype", None), dtypes.dtype)


type_.__name__ = type_.__qualname__ = "type"
_LEGACY = {f"torch.{dtypes.scalar_type_name(d)}Tensor": d for d in (*dtypes.ALL, dtypes.complex32)}


@composite
def type_as(input, other):
    """Convert the tensor to the dtype of ``other``.

    >>> import minigrad
    >>> minigrad.tensor([1, 2]).type_as(minigrad.tensor([0.]))
    tensor([1., 2.])
    """
    if not isinstance(other, Tensor):
        raise TypeError(f"type_as(): argument 'other' (position 1) must be Tensor, not {type_name(other)}")
    return as_dtype(input, other.dtype)


@composite(if_new=True)
def contiguous(input, *, memory_format=devices.contiguous_format):
    """Return the tensor itself if its elements lie in memory in index order (or in that of ``memory_format``), else a copy that does.

    >>> import minigrad
    >>> x = minigrad.ones(2, 3)
    >>> x.contiguous() is x
    True
    """
    if memory_format is devices.contiguous_format:
        return input if input._array.flags.c_contiguous else _clone(input, memory_format)
    if lies_in(input._array, memory_format, "contiguous"):
        return input
    if memory_format is devices.preserve_format:
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    return _clone(input, memory_format)


def cpu(input, *, memory_format=devices.preserve_format):
    """Return the tensor itself, which is on the CPU already.

    >>> import minigrad
    >>> x = minigrad.ones(2)
    >>> x.cpu() is x
    True
    """
    if input.is_meta:
        return _moved(input, devices.CPU)
    return converted(input, None, False, memory_format)


def cuda(input, device=None, non_blocking=False, *, memory_format=devices.preserve_format):
    """Raise AssertionError: CUDA is not supported.

    >>> import minigrad
    >>> minigrad.ones(2).cuda()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    explain(cuda, {"input": input, "device": device, "non_blocking": non_blocking, "memory_format": memory_format})
    devices.check("cuda")


def xpu(input, device=None, non_blocking=False, *, memory_format=devices.preserve_format):
    """Raise AssertionError: tensors on Intel GPUs are not supported.

    >>> import minigrad
    >>> minigrad.ones(2).xpu()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
    devices.check("xpu")


def mtia(input, device=None, non_blocking=False, *, memory_format=devices.preserve_format):
    """Raise AssertionError: tensors on Meta's accelerators are not supported.

    >>> import minigrad
    >>> minigrad.ones(2).mtia()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with MTIA enabled (minigrad computes on the CPU only)
    """
    devices.check("mtia")


def ipu(input, device=None, non_blocking=False, *, memory_format=devices.preserve_format):
    """Raise RuntimeError: tensors on Graphcore's processors are not supported.

    >>> import minigrad
    >>> minigrad.ones(2).ipu()
    Traceback (most recent call last):
        ...
    RuntimeError: PyTorch is not linked with support for ipu devices (minigrad computes on the CPU only)
    """
    devices.check("ipu")


class CopyBackwards(Op):
    """x = y, written over x: x's old value has no gradient."""
    prefix, operands, broadcasts, public = "torch::autograd::", "x y", True, "copy"
    def forward(x, y): return np.broadcast_to(y, x.shape)
    def vjp_x(xp, g):  return xp.zeros_like(g)
    def vjp_y(xp, g):  return g
    def inputs(x, y): return x, y, False


def to_dense(input, dtype=None, *, masked_grad=None):
    """Return the tensor itself, which is dense, converted to ``dtype`` if given.

    ``masked_grad`` concerns sparse tensors.

    >>> import minigrad
    >>> minigrad.ones(2).to_dense(minigrad.int64)
    tensor([1, 1])
    """
    if input.__class__ is Batched and input._array.inner._is_sparse:
        layer = input._array
        return batch(layer.inner.to_dense(), layer.level, layer.batched)
    if dtype is not None or masked_grad is not None:
        explain(to_dense, {"input": input, "dtype": dtype, "masked_grad": masked_grad})
    return input if dtype is None else input.to(dtype)


class CopyWithoutGradient(CopyBackwards):
    """x = y, written over x, whose dtype has no gradients."""
    tracks = False


def _copied(x, y):
    y = halved(y, x.dtype)
    x[...] = y.real if y.dtype.kind == "c" and x.dtype.kind != "c" else y


def copy_(input, other, non_blocking=False):
    """Copy the values of ``other`` into the tensor, with broadcasting and conversion; return the tensor.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.zeros(2).copy_(minigrad.tensor([1, 2]))
    tensor([1., 2.])
    """
    if not isinstance(other, Tensor):
        if not isinstance(other, (bool, _int, _float, complex, np.generic)):
            raise TypeError(f"copy_(): argument 'other' (position 1) must be Tensor, not {type_name(other)}")
        if other.__class__ is _int:
            check_integer_range(other)
        other = of_array(np.asarray(other))
    x, y = input._array, other._array
    apart = other._storage is not input._storage or other._storage.shared
    if apart and x.dtype is y.dtype and x.shape == y.shape and at_once(input) and at_once(other):
        x[...] = y
        bump(input)
        return input

    def fit():
        if not apart:
            check_not_partly(input, other)
        target, source = x.shape, y.shape
        if target != source:
            check_sizes(target, source)
            shape = np.broadcast_shapes(target, source)
            if shape != target:
                raise RuntimeError(
                f"output with shape {shape_text(target)} doesn't match the broadcast shape {shape_text(shape)}"
            )

    return write(CopyBackwards if x.dtype.kind in "fcV" else CopyWithoutGradient, input, (other,), (), _copied, fit)


class FillBackward0(Op):
    """z = value, a number, in the shape of x."""
    aten = "fill.Scalar"
    gives_zeros = True
    fills = True
    batch = pointwise
    def forward(x, value): return np.full_like(x, as_number(value, x.dtype), subok=False)
    def vjp(xp, g): return xp.zeros_like(g)
    def jvp(xp, t): return None
_fill_number = op(FillBackward0)


class FillBackward1(Op):
    """z = y, a 0-dim tensor, in the shape of x."""
    aten = "fill.Tensor"
    operands = "x y"
    batch = pointwise
    def forward(x, y):
        if y.ndim: x = np.broadcast_to(x, np.broadcast_shapes(x.shape, y.shape))  # a number for each sample
        return np.full_like(x, y.real if y.dtype.kind == "c" and x.dtype.kind != "c" else y, subok=False)
    def vjp_x(xp, g, x_shape): return xp.zeros(x_shape, g)
    def vjp_y(xp, g, y_shape): return xp.sum_to(g, y_shape)
    def jvp_y(xp, ty): return ty
_fill_tensor = op(FillBackward1)


class FillBackward2(FillBackward0):
    """x = value, a number, written over x."""
    aten = "fill.Scalar"


class FillBackward3(FillBackward1):
    """x = y, a 0-dim tensor, written over x."""
    aten = "fill.Tensor"


class ZeroBackward0(Op):
    """x = 0, written over x."""
    gives_zeros = True
    public, fills = "zero", True
    batch = pointwise
    def forward(x): return np.zeros_like(x)
    def vjp(xp, g): return xp.zeros_like(g)


def _check_value(name, value):
    if not isinstance(value, Tensor):
        if not isinstance(value, (bool, _int, _float, complex, np.generic)):
            raise TypeError(
                f"{name}() received an invalid combination of arguments - got ({type_name(value)}), but expected one of:\n"
                " * (Tensor value)\n * (Number value)"
            )
    elif value._array.ndim:
        raise RuntimeError(
            f"{name} only supports 0-dimension value tensor but got tensor with {value._array.ndim} dimensions."
        )


def fill(input, value):
    """Return a tensor like ``input`` with every element set to ``value``, a number or a 0-dim tensor.

    >>> import minigrad
    >>> minigrad.fill(minigrad.zeros(2), 7)
    tensor([7., 7.])
    """
    _check_value("fill", value)
    return (_fill_tensor if isinstance(value, Tensor) else _fill_number)(input, value)


def fill_(input, value):
    """Set every element to ``value``, a number or a 0-dim tensor; return the tensor.

    >>> import minigrad
    >>> minigrad.zeros(2).fill_(7)
    tensor([7., 7.])
    """
    _check_value("fill_", value)
    if isinstance(value, Tensor):
        return write(FillBackward3, input, (value,), (), _copied)
    number = as_number(value, input._array.dtype, bounded=True)
    if at_once(input):
        input._array.fill(number)
        bump(input)
        return input
    return write(FillBackward2, input, (), (value,), lambda x: x.fill(number))


def as_number(value, np_dtype, called=None, bounded=False):
    """A Python number as a 0-dim array of ``np_dtype`` (``called`` so in errors); raises RuntimeError where it does not fit.

    ``bounded``: also for a finite number beyond the range of a floating dtype, which else becomes infinity.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value.__class__ is _int:
        check_integer_range(value)
    if isinstance(value, complex) and not dtypes.is_complex_type(np_dtype):
        if value.imag and np_dtype.kind == "b":
            return np.array(True)
        if value.imag:
            raise _no_place(np_dtype, called)
        value = value.real
    if np_dtype.kind not in "iu":
        if bounded and isinstance(value, (_float, _int)) and math.isfinite(value) and abs(value) > _LARGEST.get(np_dtype.name, math.inf):
            raise _no_place(np_dtype, called)
        try:
            return halved(np.array(value), np_dtype).astype(np_dtype)
        except RuntimeWarning:  # beyond the dtype's range: infinity
            with np.errstate(all="ignore"):
                return halved(np.array(value), np_dtype).astype(np_dtype)
    if isinstance(value, _float) and (not math.isfinite(value) or (value < 0 and np_dtype.kind == "u")):
        raise _no_place(np_dtype, called)
    value = _int(value)
    info = np.iinfo(np_dtype)
    if np_dtype.kind == "u" and -info.max <= value < 0:
        value %= info.max + 1
    if not info.min <= value <= info.max:
        raise _no_place(np_dtype, called)
    return np.array(value, np_dtype)


def _no_place(np_dtype, called):
    name = _C_NAMES.get(np_dtype.name, np_dtype.name) if called is None else called
    return RuntimeError(f"value cannot be converted to type {name} without overflow")


#: The largest finite numbers of dtypes that hold few.
_LARGEST = {"float16": 65504.0, "float32": 3.4028234663852886e38, "complex64": 3.4028234663852886e38}
_C_NAMES = {
    "float16": "c10::Half", "float32": "float", "float64": "double", "int64": "int64_t", "int32": "int", "uint8": "uint8_t", "int8": "int8_t",
    "int16": "int16_t", "bfloat16": "c10::BFloat16",
}


def zero_(input):
    """Set every element to zero; return the tensor.

    >>> import minigrad
    >>> minigrad.ones(2).zero_()
    tensor([0., 0.])
    """
    if at_once(input):
        _clear(input._array)
        bump(input)
        return input
    return write(ZeroBackward0, input, (), (), _clear)


def _clear(x):
    x.fill(0 if x.dtype.char != "V" else as_number(0, x.dtype))
