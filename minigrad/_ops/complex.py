"""Complex numbers: their parts, conjugates and angles; real tensors as complex ones and back.

For a real loss L the gradient of a complex x is ∂L/∂Re x + i ∂L/∂Im x, as in PyTorch.  Ops here that are no
complex-differentiable functions (``conjugates = False``) say themselves what that comes to.
"""

import numpy as np

from .._arrays.kernels import elementwise as kernels
from .._arrays.packed import whole
from .._arrays.unresolved import Unresolved, conjugated_view, negated_view
from .._base import dtypes
from .._base.composites import composite
from .._base.dtypes import dtype_name, is_complex_type
from .._base.errors import not_a_tensor
from .._core.families import Pointwise, Unary, ViewOp, op, unary, view
from .._core.inplace import elementwise_
from .._core.modes import thread_state
from .._core.out import check_operand_dtype, write_out
from .._core.tensor import Tensor
from .._core.wrapped import elements
from .batches import leading
from .convert import clone

__all__ = [
    "_conj", "_conj_physical", "_neg_view", "angle", "complex", "conj", "conj_physical", "conj_physical_", "imag", "is_conj", "is_neg",
    "polar", "real", "resolve_conj", "resolve_neg", "view_as_complex", "view_as_real",
]
METHODS = (
    "angle _conj conj _conj_physical conj_physical conj_physical_ imag=imaginary_part is_conj is_neg real=real_part resolve_conj "
    "resolve_neg _neg_view"
)


# Views ---------------------------------------------------------------------------------------------------------------------


class ViewAsRealBackward0(ViewOp):
    """z = the parts of x, (..., n) -> (..., n, 2), in the same memory."""
    batch = leading()
    retypes = True
    def forward(x): return x[..., None].view(_PARTS[x.dtype])
    def vjp(xp, g): return xp.view_as_complex(g)
class ViewAsComplexBackward0(ViewOp):
    """z = pairs of numbers as complex ones, (..., n, 2) -> (..., n), in the same memory."""
    batch = leading()
    retypes = True
    def forward(x): return whole(x, _WHOLE[x.dtype])
    def vjp(xp, g): return xp.view_as_real(g)
_view_as_real, _view_as_complex = view(ViewAsRealBackward0), view(ViewAsComplexBackward0)
_PARTS = {d.np: d.to_real().np for d in (dtypes.complex32, dtypes.complex64, dtypes.complex128)}
_WHOLE = {part: whole for whole, part in _PARTS.items()}


def view_as_real(input):
    """Return a view of a complex tensor as its real and imaginary parts, (...) -> (..., 2).

    Raises RuntimeError for a tensor that is not complex.

    >>> import minigrad
    >>> minigrad.view_as_real(minigrad.tensor([1 + 2j]))
    tensor([[1., 2.]])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("view_as_real", "input", 1, input)
    if not is_complex_type(input._array.dtype):
        raise RuntimeError("view_as_real is only supported for complex tensors")
    if is_conj(input):
        raise RuntimeError(
            "view_as_real doesn't work on unresolved conjugated tensors.  The parts of `self.resolve_conj()`, which is a copy, can be "
            "viewed; `self.real` and `self.imag` are views of the memory."
        )
    return _view_as_real(input)


def view_as_complex(input):
    """Return a view of pairs of real numbers as complex numbers, (..., 2) -> (...).

    Raises RuntimeError unless the last dimension consists of two adjacent numbers.

    >>> import minigrad
    >>> minigrad.view_as_complex(minigrad.tensor([[1., 2.]]))
    tensor([1.+2.j])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("view_as_complex", "input", 1, input)
    x = input._array
    if x.dtype not in _WHOLE:
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: "
            f"{dtype_name(input)}"
        )
    if not x.ndim:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if x.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if x.size and x.strides[-1] != x.itemsize:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    if x.size and any(stride % (2 * x.itemsize) for stride, n in zip(x.strides[:-1], x.shape) if n > 1):
        raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")
    if x.base is not None and input.storage_offset() % 2:
        raise RuntimeError("Tensor must have a storage_offset divisible by 2")
    return _view_as_complex(input)


@composite
def real(input):
    """Return a view of the real part of a complex tensor; a real tensor itself.

    >>> import minigrad
    >>> minigrad.real(minigrad.tensor([1 + 2j]))
    tensor([1.])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("real", "input", 1, input)
    if not is_complex_type(input._array.dtype):
        return input
    return _view_as_real(_conj(input) if is_conj(input) else input).select(-1, 0)


@composite
def imag(input):
    """Return a view of the imaginary part of a complex tensor.

    Raises RuntimeError for a real tensor.

    >>> import minigrad
    >>> minigrad.imag(minigrad.tensor([1 + 2j]))
    tensor([2.])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("imag", "input", 1, input)
    if not is_complex_type(input._array.dtype):
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    if is_conj(input):
        return _neg_view(_view_as_real(_conj(input))).select(-1, 1)
    return _view_as_real(input).select(-1, 1)


def set_real(input, value):
    """``x.real = value``: write into the real part."""
    real(input).copy_(value)


def set_imag(input, value):
    """``x.imag = value``: write into the imaginary part."""
    imag(input).copy_(value)


real_part, imaginary_part = property(real, set_real), property(imag, set_imag)


# Conjugates ----------------------------------------------------------------------------------------------------------------


class ConjBackward0(ViewOp):
    """z = the conjugate of x, in the same memory: see ``_arrays/unresolved.py``."""
    aten = "_conj.default"
    batch = leading()
    retypes = True
    def forward(x): return conjugated_view(x)
    def vjp(xp, g): return xp.conjugated(g)
    event = "_conj"
class NegViewBackward0(ViewOp):
    """z = -x, in the same memory."""
    aten = "_neg_view.default"
    batch = leading()
    public = "_neg_view"
    retypes = True
    def forward(x): return negated_view(x)
    def vjp(xp, g): return xp.negated(g)
class ConjPhysicalBackward0(Unary):
    """z = the conjugate of x."""
    out_dtype = "operand"
    floats, conjugates = False, False
    forward = np.conjugate
    def vjp(xp, g): return xp.conj(g)
class ConjPhysicalBackward1(ConjPhysicalBackward0):
    """x = its conjugate, written over x."""
    forward = np.conjugate
_conj_of, _negative_of = view(ConjBackward0), view(NegViewBackward0)
_conj_physical_of, _conj_physical_ = unary(ConjPhysicalBackward0), elementwise_(ConjPhysicalBackward1)


def conj(input):
    """Return the conjugate of a complex tensor, as a view; a real tensor itself.

    Conjugation happens when the elements are read; see ``resolve_conj``.

    >>> import minigrad
    >>> z = minigrad.tensor([1 + 2j])
    >>> minigrad.conj(z)
    tensor([1.-2.j])
    >>> minigrad.conj(z).mul_(2).is_conj(), z
    (True, tensor([2.+4.j]))
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("conj", "input", 1, input)
    return _conj_of(input) if is_complex_type(input._array.dtype) else input


def _conj(input):
    """Like ``conj``, of a complex tensor only: raises RuntimeError for a real one."""
    if not isinstance(input, Tensor):
        raise not_a_tensor("_conj", "input", 1, input)
    if not is_complex_type(input._array.dtype):
        raise RuntimeError("isComplexType(typeMetaToScalarType(dtype())) does not hold: only complex tensors have conjugate views")
    return _conj_of(input)


def _neg_view(input):
    """The negative of a tensor, as a view of the same memory."""
    if not isinstance(input, Tensor):
        raise not_a_tensor("_neg_view", "input", 1, input)
    return _negative_of(input)


def conj_physical(input, *, out=None):
    """Return the conjugate of a complex tensor in new memory; a real tensor itself.

    >>> import minigrad
    >>> minigrad.conj_physical(minigrad.tensor([1 + 2j]))
    tensor([1.-2.j])
    """
    if out is not None:
        check_operand_dtype(out, input)
        return write_out(out, conj_physical, input)
    if is_complex_type(input._array.dtype):
        return _conj_physical_of(input)
    # without autograd's part in it, PyTorch resolves a negative view before it asks what there is to do
    return clone(input) if is_neg(input) and (thread_state.inference or input.is_inference()) else input


def _conj_physical(input):
    """Same as ``conj_physical``."""
    return conj_physical(input)


def conj_physical_(input):
    """In-place version of ``conj_physical``.

    >>> import minigrad
    >>> minigrad.tensor([1 + 2j]).conj_physical_()
    tensor([1.-2.j])
    """
    return _conj_physical_(input)


def resolve_conj(input):
    """Return a copy of a conjugate view with conjugated elements; any other tensor itself.

    >>> import minigrad
    >>> z = minigrad.tensor(1j)
    >>> minigrad.resolve_conj(z.conj()).is_conj(), minigrad.resolve_conj(z) is z
    (False, True)
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("resolve_conj", "input", 1, input)
    return clone(input) if is_conj(input) else input


def resolve_neg(input):
    """Return a copy of a negative view with negated elements; any other tensor itself.

    >>> import minigrad
    >>> minigrad.resolve_neg(minigrad.tensor(1j).conj().imag).is_neg()
    False
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("resolve_neg", "input", 1, input)
    return clone(input) if is_neg(input) else input


def is_conj(input):
    """Return whether the tensor is a conjugate view, as ``conj()`` of a complex tensor is.

    >>> import minigrad
    >>> z = minigrad.tensor(1j)
    >>> minigrad.is_conj(z.conj()), minigrad.is_conj(z.conj().conj())
    (True, False)
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("is_conj", "input", 1, input)
    array = elements(input)
    return array.__class__ is Unresolved and array.conjugated


def is_neg(input):
    """Return whether the tensor is a negative view, as the imaginary part of a conjugate view is.

    >>> import minigrad
    >>> minigrad.is_neg(minigrad.tensor(1j).conj().imag)
    True
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("is_neg", "input", 1, input)
    array = elements(input)
    return array.__class__ is Unresolved and array.negated


# Angles --------------------------------------------------------------------------------------------------------------------


class AngleBackward0(Unary):
    """z = the angle of x in the complex plane (real x: 0, or π where it is negative); it grows along ix / |x|²."""
    conjugates = False
    def forward(x): return kernels.angle(x)
    def vjp(xp, g, x):
        if not xp.iscomplex(x): return xp.zeros_like(g)
        zero = x == 0
        safe = xp.where(zero, 1, x)  # no division by 0, whose derivatives would be nan in spite of the mask
        return xp.where(zero, 0, safe * (1j * (g / xp.real(safe * xp.conj(safe)))))
_angle = unary(AngleBackward0)


def angle(input, *, out=None):
    """Return the angle of each element in radians.

    >>> import minigrad
    >>> minigrad.angle(minigrad.tensor([1j, -1]))
    tensor([1.5708, 3.1416])
    """
    return _angle(input) if out is None else _angle.into(out, input)


class ComplexBackward0(Pointwise):
    """z = x + iy.  Backward needs no values, but both operands are saved, as in PyTorch."""
    operands, conjugates, names = "x y", False, {"x": "real", "y": "imag", "z": "result"}
    def forward(x, y): return kernels.as_complex(x, y)
    def vjp_x(xp, g, x): return xp.real(g)
    def vjp_y(xp, g, y): return xp.imag(g)
class PolarBackward0(Pointwise):
    """z = x (cos y + i sin y)."""
    operands, conjugates, names = "x y", False, {"x": "abs", "y": "angle", "z": "result"}
    def forward(x, y): return kernels.as_complex(x * np.cos(y), x * np.sin(y))
    def vjp_x(xp, g, z): return xp.real(xp.conj(g) * xp.sign(z))
    def vjp_y(xp, g, z): return xp.real(xp.conj(g) * (z * 1j))
_complex, _polar = op(ComplexBackward0), op(PolarBackward0)


def _check_parts(first, second):
    for place, x in enumerate((first, second), 1):
        if not isinstance(x, Tensor):
            raise not_a_tensor("complex", "real" if place == 1 else "imag", place, x)
    names = [dtype_name(x) for x in (first, second)]
    if any(name not in ("Half", "Float", "Double") for name in names):
        raise RuntimeError(f"Expected both inputs to be Half, Float or Double tensors but got {names[0]} and {names[1]}")
    if names[0] != names[1]:
        raise RuntimeError(f"Expected object of scalar type {names[0]} but got scalar type {names[1]} for second argument")


def _check_out(out, part):
    wanted = part.dtype.to_complex()
    if isinstance(out, Tensor) and out.dtype is not wanted:
        raise RuntimeError(
            f"Expected object of scalar type {dtypes.scalar_type_name(wanted)} but got scalar type "
            f"{dtype_name(out)} for argument 'out'"
        )


def complex(real, imag, *, out=None):
    """Make complex numbers ``real + imag j`` from two floating-point tensors of the same dtype, which broadcast.

    >>> import minigrad
    >>> minigrad.complex(minigrad.tensor([1.]), minigrad.tensor([2.]))
    tensor([1.+2.j])
    """
    _check_parts(real, imag)
    if out is not None:
        _check_out(out, real)
        return _complex.into(out, real, imag)
    return _complex(real, imag)


def polar(abs, angle, *, out=None):
    """Make complex numbers ``abs * (cos(angle) + sin(angle) j)`` from two floating-point tensors of the same dtype, which broadcast.

    >>> import minigrad
    >>> minigrad.polar(minigrad.tensor([2.]), minigrad.tensor([0.]))
    tensor([2.+0.j])
    """
    _check_parts(abs, angle)
    if abs.dtype is dtypes.float16:
        raise NotImplementedError("\"polar_cpu\" not implemented for 'Half'")
    if out is not None:
        _check_out(out, abs)
        return _polar.into(out, abs, angle)
    return _polar(abs, angle)
